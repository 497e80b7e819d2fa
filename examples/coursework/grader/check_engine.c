/* A2: a tape of matrices. */
#include "harnessed.h"

#include <string.h>

enum { MOST_CODE = 24, MOST_DATA = 512 };

typedef struct program {
    const char *words;
    int n;
    double code[MOST_CODE][INSTRUCTION]; /* the last one is 1 x 1 */
    bool hides_leaf;                     /* leaf 0 holds no number, and its gradient does not depend on it */
} program;

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
    double value[4 * MOST_DATA], grad[MOST_DATA], size[MOST_CODE];
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
            good = tg_read_doubles(tg_grad(x[k]), r->grad + (int)p->code[k][3], tg_numel(x[k])) == TG_OK;
    tg_tape_free(t);
    return good;
}

static bool same_finite(const double *mine, const double *right, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (isfinite(right[i]) && !(fabs(mine[i] - right[i]) <= 1e-5 * fabs(right[i]) + 1e-6))
            return false;
    return true;
}

static verdict judge_program(session *s, const program *p, bool values) {
    static result right, mine;
    static double data[MOST_DATA], code[MOST_CODE * INSTRUCTION];
    tg_tape *t = random_tape(s, 5);
    bool good = normals(t, data, MOST_DATA);
    tg_tape_free(t);
    for (int i = 0; p->hides_leaf && i < p->code[0][1] * p->code[0][2]; i++)
        data[i] = NAN;
    memset(&mine, 0, sizeof mine);
    memcpy(code, p->code, sizeof code);
    if (!good || !run_library(p, data, s->variant[s->task], &right))
        return wrong("grader", "grader", "the library's run failed");
    sent a[] = {{code, p->n * INSTRUCTION, false},
                {data, MOST_DATA, false},
                {mine.value, right.values, true},
                {mine.grad, MOST_DATA, true},
                {right.size, p->n, false}};
    if (!ask(s, (double[]){0}, 1, a, 5))
        return failed(s, p->words);
    const double *m = values ? mine.value : mine.grad, *r = values ? right.value : right.grad;
    int64_t n = values ? right.values : MOST_DATA;
    if (same_finite(m, r, n))
        return fine;
    verdict v = wrong(p->words, values ? "wrong value" : "wrong gradient", "%s: the %s not right", p->words,
                      values ? "values are" : "gradients of the leaves are");
    if (!values && all_zero(m, n))
        v = wrong(
            p->words, "zero",
            "every gradient of a leaf is 0: nothing arrives there, or what arrives cancels; does backward go from "
            "the last node to the first?");
    else if (values && all_zero(m + (int)right.size[0] * 2, n - (int)right.size[0] * 2))
        v = wrong(p->words, "zero", "nothing is computed");
    v.untouched = strcmp(v.mistake, "zero") == 0;
    return v;
}

/* Right where every leaf holds numbers, wrong where one holds none on which nothing depends. */
static verdict judge_hidden(session *s, const program *p) {
    program open = *p;
    open.hides_leaf = false;
    verdict v = judge_program(s, &open, false);
    if (!v.right)
        return v;
    v = judge_program(s, p, false);
    if (!v.right && !s->student->failure[0])
        v = wrong(p->words, "differences of forward",
                  "%s: the gradients are right when it is a number, and do not depend on it: write the derivative down",
                  p->words);
    return v;
}

static verdict judge_programs(session *s, const program *p, size_t n, bool values) {
    verdict v = fine;
    for (size_t i = 0; i < n && v.right; i++)
        v = says(s, p[i].words, p[i].hides_leaf && !values ? judge_hidden(s, &p[i]) : judge_program(s, &p[i], values));
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
