/* A2: a tape of matrices. */
#include "check_engine.h"

#include <string.h>

#define LEAF_OF(rows, columns, at) \
    { DO_LEAF, rows, columns, at }
static const program copies[] = {
    {"scale, mul, sum", 4, {LEAF_OF(2, 3, 0), {DO_SCALE, 0, 0, -1.5}, {DO_MUL, 0, 1, 0}, {DO_SUM, 2, 0, 0}}, false},
    {"add of a matrix, and of a row",
     7,
     {LEAF_OF(3, 2, 0),
      LEAF_OF(3, 2, 6),
      LEAF_OF(1, 2, 12),
      {DO_ADD, 0, 1, 0},
      {DO_ADD, 3, 2, 0},
      {DO_MUL, 4, 4, 0},
      {DO_SUM, 5, 0, 0}},
     false},
    {"mul by something that is not a number",
     4,
     {LEAF_OF(2, 2, 0), LEAF_OF(2, 2, 4), {DO_MUL, 0, 1, 0}, {DO_SUM, 2, 0, 0}},
     true},
    {"one matrix used five times",
     9,
     {LEAF_OF(2, 2, 0),
      {DO_MUL, 0, 0, 0},
      {DO_MUL, 1, 0, 0},
      {DO_ADD, 2, 0, 0},
      {DO_SUM, 3, 0, 0},
      {DO_SCALE, 4, 0, 2},
      {DO_SUM, 1, 0, 0},
      {DO_ADD, 5, 6, 0},
      {DO_MUL, 7, 7, 0}},
     false},
    {"what is added or summed, and used again after",
     9,
     {LEAF_OF(2, 2, 0),
      LEAF_OF(2, 2, 4),
      {DO_SUM, 0, 0, 0},
      {DO_ADD, 0, 1, 0},
      {DO_MUL, 3, 0, 0},
      {DO_MUL, 4, 1, 0},
      {DO_SUM, 5, 0, 0},
      {DO_ADD, 6, 2, 0},
      {DO_MUL, 7, 2, 0}},
     false},
    {"a row that is added twice",
     6,
     {LEAF_OF(3, 2, 0), LEAF_OF(1, 2, 6), {DO_ADD, 0, 1, 0}, {DO_ADD, 2, 1, 0}, {DO_MUL, 3, 3, 0}, {DO_SUM, 4, 0, 0}},
     false},
};
static const program products[] = {
    {"matmul",
     5,
     {LEAF_OF(2, 3, 0), LEAF_OF(3, 4, 6), {DO_MATMUL, 0, 1, 0}, {DO_MUL, 2, 2, 0}, {DO_SUM, 3, 0, 0}},
     false},
    {"transpose, and a product with itself",
     6,
     {LEAF_OF(3, 2, 0),
      {DO_TRANSPOSE, 0, 0, 0},
      {DO_MATMUL, 1, 0, 0},
      {DO_MUL, 2, 2, 0},
      {DO_SUM, 3, 0, 0},
      {DO_SCALE, 4, 0, 0.5}},
     false},
    {"matmul of what is used again after",
     6,
     {LEAF_OF(2, 2, 0),
      LEAF_OF(2, 2, 4),
      {DO_MATMUL, 0, 1, 0},
      {DO_MUL, 2, 0, 0},
      {DO_MUL, 3, 1, 0},
      {DO_SUM, 4, 0, 0}},
     false},
    {"matmul with something that is not a number",
     4,
     {LEAF_OF(2, 3, 0), LEAF_OF(3, 2, 6), {DO_MATMUL, 0, 1, 0}, {DO_SUM, 2, 0, 0}},
     true},
};
static const program curves[] = {
    {"curve", 4, {LEAF_OF(2, 3, 0), {DO_CURVE, 0, 0, 0}, {DO_MUL, 1, 0, 0}, {DO_SUM, 2, 0, 0}}, false},
    {"softmax",
     5,
     {LEAF_OF(3, 4, 0), LEAF_OF(3, 4, 12), {DO_SOFTMAX, 0, 0, 0}, {DO_MUL, 2, 1, 0}, {DO_SUM, 3, 0, 0}},
     false},
    {"softmax of what is used again after",
     4,
     {LEAF_OF(3, 4, 0), {DO_SOFTMAX, 0, 0, 0}, {DO_MUL, 1, 0, 0}, {DO_SUM, 2, 0, 0}},
     false},
    {"curve and softmax beside something that is not a number",
     8,
     {LEAF_OF(2, 2, 0),
      LEAF_OF(2, 2, 4),
      {DO_CURVE, 1, 0, 0},
      {DO_SOFTMAX, 2, 0, 0},
      {DO_MUL, 3, 1, 0},
      {DO_ADD, 4, 0, 0},
      {DO_SUM, 5, 0, 0},
      {DO_SCALE, 6, 0, 3}},
     true},
    {"attention",
     9,
     {LEAF_OF(3, 2, 0),
      LEAF_OF(4, 2, 6),
      {DO_TRANSPOSE, 1, 0, 0},
      {DO_MATMUL, 0, 2, 0},
      {DO_SCALE, 3, 0, 0.7},
      {DO_SOFTMAX, 4, 0, 0},
      {DO_MATMUL, 5, 1, 0},
      {DO_MUL, 6, 0, 0},
      {DO_SUM, 7, 0, 0}},
     false},
};

typedef struct result {
    double value[MOST_NUMBERS], leaf_grad[MOST_DATA], grad[MOST_NUMBERS], size[MOST_CODE];
    int64_t values;
} result;

static tg_tensor instruction(tg_tape *t, const double *i, const tg_tensor *x, const double *data, int variant) {
    tg_tensor a = x[(int)i[1]], b = x[(int)i[2]];
    switch ((int)i[0]) {
    case DO_SCALE: return tg_mul_scalar(a, i[3]);
    case DO_ADD: return tg_add(a, b);
    case DO_MUL: return tg_mul(a, b);
    case DO_SUM: return tg_reshape(tg_sum(a, TG_ALL_DIMS, false), TG_SHAPE(1, 1));
    case DO_MATMUL: return tg_matmul(a, b);
    case DO_TRANSPOSE: return tg_contiguous(tg_transpose(a, 0, 1));
    case DO_CURVE: return variant ? tg_sigmoid(a) : tg_tanh(a);
    case DO_SOFTMAX: return tg_softmax(a, -1);
    default: a = tg_from_doubles(t, TG_SHAPE((int64_t)i[1], (int64_t)i[2]), data + (int)i[3]); break;
    }
    tg_set_requires_grad(a, true);
    return a;
}

static bool run_library(const program *p, const double *data, int variant, result *r) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[MOST_CODE] = {TG_NULL};
    memset(r, 0, sizeof *r);
    bool good = t != NULL;
    for (int k = 0; k < p->n && good; k++) {
        x[k] = instruction(t, p->code[k], x, data, variant);
        r->size[k] = (double)tg_numel(x[k]);
        good = tg_read_doubles(x[k], r->value + r->values, tg_numel(x[k])) == TG_OK;
        r->values += tg_numel(x[k]);
    }
    good = good && tg_backward(x[p->n - 1]) == TG_OK;
    for (int k = 0; k < p->n && good; k++)
        if (p->code[k][0] == DO_LEAF)
            good = tg_read_doubles(tg_grad(x[k]), r->leaf_grad + (int)p->code[k][3], tg_numel(x[k])) == TG_OK;
    tg_tape_free(t);
    return good;
}

static bool same_finite(const double *mine, const double *right, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (isfinite(right[i]) && !(fabs(mine[i] - right[i]) <= 1e-5 * fabs(right[i]) + 1e-6))
            return false;
    return true;
}

/* The student's engine on a program: its values, its leaves' gradients, and those of all nodes. */
static bool run_student(session *s, const program *p, double *data, const result *right, result *mine) {
    static double code[MOST_CODE * INSTRUCTION];
    memset(mine, 0, sizeof *mine);
    memcpy(code, p->code, sizeof code);
    sent a[] = {{code, p->n * INSTRUCTION, false},
                {data, MOST_DATA, false},
                {mine->value, right->values, true},
                {mine->leaf_grad, MOST_DATA, true},
                {(double *)(uintptr_t)right->size, p->n, false},
                {mine->grad, right->values, true}};
    return ask(s, (double[]){0}, 1, a, 6);
}

static bool draw_data(const session *s, const program *p, double *data) {
    tg_tape *t = random_tape(s, 5);
    bool good = normals(t, data, MOST_DATA);
    tg_tape_free(t);
    for (int i = 0; p->hides_leaf && i < p->code[0][1] * p->code[0][2]; i++)
        data[i] = NAN;
    return good;
}

/* "node 3 (matmul of nodes 0 and 1)" */
static const char *node_text(const program *p, int k) {
    static const char *const kind[] = {"leaf", "scale", "add", "mul", "sum", "matmul", "transpose", "curve", "softmax"};
    static char text[80];
    int what = (int)p->code[k][0], a = (int)p->code[k][1], b = (int)p->code[k][2];
    if (what == DO_LEAF)
        snprintf(text, sizeof text, "node %d (leaf)", k);
    else if (what == DO_ADD || what == DO_MUL || what == DO_MATMUL)
        snprintf(text, sizeof text, "node %d (%s of nodes %d and %d)", k, kind[what], a, b);
    else
        snprintf(text, sizeof text, "node %d (%s of node %d)", k, kind[what], a);
    return text;
}

/* The nodes that a gradient comes from: " = what comes from node 4 (mul of nodes 2 and 3)" */
static void tell_users(const program *p, int k, char *out, size_t size) {
    int told = 0;
    for (int u = k + 1; u < p->n; u++) {
        int what = (int)p->code[u][0];
        bool two = what == DO_ADD || what == DO_MUL || what == DO_MATMUL;
        size_t used = strlen(out);
        if (what != DO_LEAF && ((int)p->code[u][1] == k || (two && (int)p->code[u][2] == k)) && told++ < 3)
            snprintf(out + used, size - used, "%s%s", told > 1 ? " and " : ", the sum of what comes from ",
                     node_text(p, u));
    }
}

/* The first wrong number: of the values from the first node on, of the gradients back from the last one. */
static void tell_first(const program *p, const engine_run *right, const result *mine, bool values, verdict *v) {
    char place[64], from[200] = "", text[400];
    for (int n = 0; n < p->n; n++) {
        int k = values ? n : p->n - 1 - n, size = right->rows[k] * right->columns[k];
        const double *m = (values ? mine->value : mine->grad) + right->at[k],
                     *r = (values ? right->value : right->grad) + right->at[k];
        int i = 0;
        while (i < size && same_finite(m + i, r + i, 1))
            i++;
        if (i == size)
            continue;
        place_text(TG_SHAPE(right->rows[k], right->columns[k]), i, place, sizeof place);
        at_element(v, m[i], r[i], "%s%s of %s", values ? "the value " : "the gradient ", place, node_text(p, k));
        if (!values)
            tell_users(p, k, from, sizeof from);
        memcpy(text, v->element, sizeof text);
        snprintf(v->element, sizeof v->element, "%.190s%s", text, from);
        return;
    }
}

/* True when an engine with this mistake gives all the numbers of these programs. */
static bool gives_all(session *s, const program *list, size_t n, const result *mine, engine_mistake m) {
    static double data[MOST_DATA];
    static engine_run made, right;
    int variant = s->variant[s->task];
    bool differs = false, values = m < SET_AT_ADD;
    for (size_t i = 0; i < n; i++) {
        if (list[i].hides_leaf || (m == NOT_CLEARED_BEFORE && i))
            continue;
        draw_data(s, &list[i], data);
        run_engine(&list[i], data, variant, m, &made);
        run_engine(&list[i], data, variant, ENGINE_RIGHT, &right);
        if (!same_finite(mine[i].value, made.value, made.used) ||
            (!values && !same_finite(mine[i].grad, made.grad, made.used)))
            return false;
        differs |= !same_finite(made.value, right.value, made.used) || !same_finite(made.grad, right.grad, made.used);
    }
    return differs;
}

/* first: what the student's engine made of p already; gradients of before may be in what it makes of it again. */
static bool name_engine(session *s, const program *list, size_t n, const program *p, const result *first, verdict *v) {
    static result right, mine[8];
    static double data[MOST_DATA];
    for (size_t i = 0; i < n && i < 8; i++)
        if (&list[i] == p)
            mine[i] = *first;
        else if (!draw_data(s, &list[i], data) || !run_library(&list[i], data, s->variant[s->task], &right) ||
                 !run_student(s, &list[i], data, &right, &mine[i]))
            return false;
    for (int m = 1; m < ENGINE_MISTAKES; m++)
        if (gives_all(s, list, n, mine, (engine_mistake)m)) {
            name_mistake(v, engine_words[m]);
            return true;
        }
    return false;
}

static verdict judge_program(session *s, const program *list, size_t n, const program *p, bool values) {
    static result right, mine;
    static engine_run every;
    static double data[MOST_DATA];
    if (!draw_data(s, p, data) || !run_library(p, data, s->variant[s->task], &right))
        return wrong("grader", "grader", "the library's run failed");
    if (!run_student(s, p, data, &right, &mine))
        return failed(s, p->words);
    const double *m = values ? mine.value : mine.leaf_grad, *r = values ? right.value : right.leaf_grad;
    int64_t count = values ? right.values : MOST_DATA;
    if (same_finite(m, r, count))
        return fine;
    verdict v =
        wrong(p->words, values ? "wrong value" : "wrong gradient",
              values ? "it is the first from the first node on" : "it is the first, going back from the last node");
    run_engine(p, data, s->variant[s->task], ENGINE_RIGHT, &every);
    tell_first(p, &every, &mine, values, &v);
    bool nothing = values ? all_zero(m + (int)right.size[0] * 2, count - (int)right.size[0] * 2) : all_zero(m, count);
    if (!name_engine(s, list, n, p, &mine, &v) && nothing)
        name_mistake(&v, values
                             ? "zero: nothing is computed"
                             : "zero: every gradient of a leaf is 0: nothing arrives there, or what arrives cancels");
    v.untouched = nothing;
    return v;
}

/* Right where every leaf holds numbers, wrong where one holds none on which nothing depends. */
static verdict judge_hidden(session *s, const program *list, size_t n, const program *p) {
    program open = *p;
    open.hides_leaf = false;
    verdict v = judge_program(s, list, n, &open, false);
    if (!v.right)
        return v;
    v = judge_program(s, list, n, p, false);
    if (!v.right && !s->student->failure[0])
        name_mistake(&v,
                     "differences of forward: the gradients are right when it is a number, and do not depend on it: "
                     "write the derivative down");
    return v;
}

static verdict judge_programs(session *s, const program *p, size_t n, bool values) {
    verdict v = fine;
    for (size_t i = 0; i < n && v.right; i++)
        v = says(s, p[i].words,
                 p[i].hides_leaf && !values ? judge_hidden(s, p, n, &p[i]) : judge_program(s, p, n, &p[i], values));
    return v;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))
verdict check_engine_values(session *s) {
    verdict v = judge_programs(s, copies, COUNT(copies), true);
    if (v.right)
        v = judge_programs(s, products, COUNT(products), true);
    return v.right ? judge_programs(s, curves, COUNT(curves), true) : v;
}
verdict check_engine_copies(session *s) { return judge_programs(s, copies, COUNT(copies), false); }
verdict check_engine_products(session *s) { return judge_programs(s, products, COUNT(products), false); }
verdict check_engine_curves(session *s) { return judge_programs(s, curves, COUNT(curves), false); }
