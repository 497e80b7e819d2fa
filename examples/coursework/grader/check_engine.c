/* Checks of A1, A2, 15, 18 and 19: whole functions of the student's, called by what is in harness/. */
#include "harness/harness.h"
#include "operations.h"

#include <string.h>

/* ---- calls ---- */

typedef struct sent {
    double *x;
    int64_t n;
    bool comes_back;
} sent;

static bool ask(session *s, const double *number, int n_numbers, const sent *a, int n) {
    request q = {.kind = CALL_HARNESS, .n_arrays = n};
    void *data[MAX_ARRAYS] = {NULL};
    int value = 0;
    snprintf(q.symbol, sizeof q.symbol, "course_harness");
    memcpy(q.number, number, (size_t)n_numbers * sizeof(double));
    for (int i = 0; i < n; i++) {
        q.array[i] = (array){TG_SHAPE(a[i].n), TG_F64, 0, a[i].comes_back};
        data[i] = a[i].x;
    }
    return student_call(s->student, &q, data, &value, NULL, NULL) && !value;
}

static tg_tape *random_tape(const session *s, uint64_t draw) {
    tg_tape *t = tg_tape_new(TG_F64);
    if (t)
        tg_manual_seed(t, s->seed + 31 * draw);
    return t;
}

static double uniform(tg_tape *t) {
    double u = 0;
    return tg_read_doubles(tg_rand(t, TG_SHAPE(1)), &u, 1) ? 0 : u;
}
static int below(tg_tape *t, int n) { return (int)(uniform(t) * n) % n; }

static bool normals(tg_tape *t, double *x, int64_t n) {
    return t && tg_read_doubles(tg_randn(t, TG_SHAPE(n)), x, n) == TG_OK;
}

static verdict says(session *s, const char *what, verdict v) {
    fprintf(s->detail, "    %s: %s\n", what, v.right ? "right" : v.why);
    return v;
}

static const verdict fine = {.right = true};

/* ---- A1 ---- */

enum { MOST_NODES = 128 };

/* An expression in the order of its making, and how its nodes are numbered. */
typedef struct expression {
    int n, leaves, last;
    double kind[MOST_NODES], a[MOST_NODES], b[MOST_NODES], value[MOST_NODES], grad[MOST_NODES];
    double order[MOST_NODES + 1];
} expression;

static double curve_of(double x, int variant) { return variant ? sin(x) : tanh(x); }
static double slope_of(double x, int variant) { return variant ? cos(x) : 1 - tanh(x) * tanh(x); }

static bool is_needed(const expression *e, int i, bool *needed) {
    for (int k = 0; k < e->n; k++)
        needed[k] = k == e->n - 1;
    for (int k = e->n - 1; k >= e->leaves; k--)
        if (needed[k]) {
            needed[(int)e->a[k]] = true;
            if (e->kind[k] != SCALAR_CURVE)
                needed[(int)e->b[k]] = true;
        }
    return needed[i];
}

/* The gradients of what is needed, on top of what they held. */
static void derive(const expression *e, int variant, double before, double *grad) {
    bool needed[MOST_NODES];
    for (int i = 0; i < e->n; i++)
        grad[i] = before;
    grad[e->n - 1] = 1;
    for (int i = e->n - 1; i >= e->leaves; i--) {
        int a = (int)e->a[i], b = (int)e->b[i];
        double dy = is_needed(e, i, needed) ? grad[i] : 0, va = e->value[a], vb = e->value[b];
        grad[a] += dy * (e->kind[i] == SCALAR_ADD ? 1 : e->kind[i] == SCALAR_MUL ? vb : slope_of(va, variant));
        if (e->kind[i] != SCALAR_CURVE)
            grad[b] += dy * (e->kind[i] == SCALAR_ADD ? 1 : va);
    }
}

static void compute(expression *e, int variant) {
    for (int i = e->leaves; i < e->n; i++) {
        double a = e->value[(int)e->a[i]], b = e->value[(int)e->b[i]];
        e->value[i] = e->kind[i] == SCALAR_ADD ? a + b : e->kind[i] == SCALAR_MUL ? a * b : curve_of(a, variant);
    }
    derive(e, variant, 0, e->grad);
}

/* Nodes used once: each new one takes the last ones that nobody has used. */
static void grow_tree(expression *e, tg_tape *t) {
    int free_node[MOST_NODES], n_free = e->leaves;
    for (int i = 0; i < e->leaves; i++)
        free_node[i] = i;
    while (n_free > 1) {
        int i = e->n++;
        e->kind[i] = below(t, 4) == 0 ? SCALAR_CURVE : 1 + below(t, 2);
        int k = below(t, n_free);
        e->a[i] = free_node[k];
        free_node[k] = free_node[--n_free];
        if (e->kind[i] != SCALAR_CURVE) {
            k = below(t, n_free);
            e->b[i] = free_node[k];
            free_node[k] = free_node[--n_free];
        }
        free_node[n_free++] = i;
    }
}

/* Nodes used often, and some that the last one does not need. */
static void grow_graph(expression *e, tg_tape *t, int more) {
    for (int k = 0; k < more; k++) {
        int i = e->n++;
        e->kind[i] = 1 + below(t, 3);
        e->a[i] = k % 7 == 5 ? i - 2 : i - 1;
        e->b[i] = k % 3 ? below(t, i) : e->a[i];
    }
}

/* x + x, and tanh of that, again and again: two to the 30 ways from the end to the start. */
static void grow_ladder(expression *e) {
    for (int k = 0; k < 60; k++) {
        int i = e->n++;
        e->kind[i] = k % 2 ? SCALAR_CURVE : SCALAR_ADD;
        e->a[i] = e->b[i] = i - 1;
    }
}

typedef enum { TREE, HIDDEN, GRAPH, LADDER, EXPRESSIONS } expression_kind;
static const char *const expression_words[] = {[TREE] = "an expression that uses every node once",
                                               [HIDDEN] = "a product with a factor that is not a number",
                                               [GRAPH] = "one that uses nodes several times",
                                               [LADDER] = "a long one, in which 2^30 ways lead to the input"};

static bool make_expression(const session *s, expression_kind kind, expression *e) {
    tg_tape *t = random_tape(s, 7 + (uint64_t)kind);
    memset(e, 0, sizeof *e);
    e->n = e->leaves = kind == LADDER ? 1 : kind == HIDDEN ? 2 : 6;
    bool good = normals(t, e->value, e->leaves);
    if (good && kind == TREE)
        grow_tree(e, t);
    if (good && kind == GRAPH)
        grow_graph(e, t, 30);
    if (good && kind == LADDER)
        grow_ladder(e);
    if (kind == HIDDEN) {
        e->value[0] = NAN;
        e->kind[2] = SCALAR_MUL;
        e->b[2] = 1;
        e->n = 3;
    }
    compute(e, s->variant[s->task]);
    tg_tape_free(t);
    return good;
}

/* The nodes under other numbers: i becomes (i step) mod n. */
static int number_of(int i, int n) {
    int step = n > 7 ? 7 : 1;
    while (n % step == 0 && step > 1)
        step--;
    for (int k = step; k > 1; k--)
        if (n % k == 0 && step % k == 0)
            return n - 1 - i;
    return i * step % n;
}

static bool run_expression(session *s, int what, const expression *e, expression *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < e->n; i++) {
        int k = number_of(i, e->n);
        out->kind[k] = e->kind[i];
        out->a[k] = number_of((int)e->a[i], e->n);
        out->b[k] = number_of((int)e->b[i], e->n);
        out->value[k] = what == ASK_BACKWARD || i < e->leaves ? e->value[i] : NAN;
        out->grad[k] = 0.75;
    }
    double number[2] = {what, number_of(e->n - 1, e->n)};
    sent a[] = {{out->kind, e->n, false}, {out->a, e->n, false},   {out->b, e->n, false},
                {out->value, e->n, true}, {out->grad, e->n, true}, {out->order, e->n + 1, true}};
    return ask(s, number, 2, a, 6);
}

static verdict judge_order(const expression *e, const expression *out) {
    bool needed[MOST_NODES];
    int at[MOST_NODES], count = (int)out->order[0], all = 0;
    for (int i = 0; i < e->n; i++) {
        at[i] = -1;
        all += is_needed(e, i, needed);
    }
    if (count == 0) {
        verdict v = wrong("order", "zero", "the order is empty");
        v.untouched = true;
        return v;
    }
    if (count != all)
        return wrong("order", "wrong number", "%d nodes, where %d are needed: each one once", count, all);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < e->n; i++)
            if (number_of(i, e->n) == (int)out->order[k + 1])
                at[i] = at[i] < 0 ? k : e->n;
    for (int i = e->leaves; i < e->n; i++)
        if (is_needed(e, i, needed) && (at[i] < 0 || at[(int)e->a[i]] < 0 || at[(int)e->a[i]] >= at[i] ||
                                        (e->kind[i] != SCALAR_CURVE && at[(int)e->b[i]] >= at[i])))
            return wrong("order", "wrong order", "node %d does not stand after the nodes that it is computed from",
                         number_of(i, e->n));
    return fine;
}

static bool same_nodes(const expression *e, const double *mine, const double *right, bool only_needed) {
    bool needed[MOST_NODES];
    for (int i = 0; i < e->n; i++) {
        bool asked = isfinite(right[i]) && (!only_needed || is_needed(e, i, needed));
        if (asked && !(fabs(mine[number_of(i, e->n)] - right[i]) <= 1e-9 * fabs(right[i]) + 1e-12))
            return false;
    }
    return true;
}

static verdict judge_grads(expression_kind kind, int variant, const expression *e, const expression *out) {
    bool moved = false;
    double kept[MOST_NODES];
    for (int i = 0; i < e->n; i++)
        moved |= out->grad[i] != 0.75;
    derive(e, variant, 0.75, kept);
    if (same_nodes(e, out->grad, e->grad, false))
        return fine;
    if (!moved) {
        verdict v = wrong("gradients", "zero", "nothing was changed");
        v.untouched = true;
        return v;
    }
    if (same_nodes(e, out->grad, kept, true))
        return wrong("gradients", "not cleared",
                     "what the gradients held before is still in them: set them to 0 first");
    if (kind == GRAPH || kind == LADDER)
        return wrong(
            "gradients", "value used twice",
            "right where every node is used once, wrong where one is used several times: add to a gradient, and "
            "pass it on only when all that uses the node has added to it");
    if (kind == HIDDEN)
        return wrong("gradients", "differences of forward",
                     "the derivative of a b with respect to a is b, whatever a is");
    return wrong("gradients", "wrong gradient", "the gradients of an expression that uses every node once are wrong");
}

static verdict check_scalar(session *s, int what) {
    static expression e, out;
    verdict v = fine;
    for (int kind = 0; kind < EXPRESSIONS && v.right; kind++) {
        if (!make_expression(s, (expression_kind)kind, &e))
            return wrong("grader", "grader", "out of memory");
        if (!run_expression(s, what, &e, &out))
            return failed(s, "the tape");
        if (what == ASK_ORDER)
            v = judge_order(&e, &out);
        else if (what == ASK_BACKWARD)
            v = judge_grads((expression_kind)kind, s->variant[s->task], &e, &out);
        else if (!same_nodes(&e, out.value, e.value, true))
            v = wrong("values", "wrong value", "the value of a node is not what its parts give");
        if (what == ASK_FORWARD && !v.right && isnan(out.value[number_of(e.n - 1, e.n)])) {
            v = wrong("values", "not filled", "the values are not set");
            v.untouched = true;
        }
        says(s, expression_words[kind], v);
    }
    return v;
}

verdict check_scalar_order(session *s) { return check_scalar(s, ASK_ORDER); }
verdict check_scalar_values(session *s) { return check_scalar(s, ASK_FORWARD); }
verdict check_scalar_grads(session *s) { return check_scalar(s, ASK_BACKWARD); }

/* ---- A2 ---- */

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

static bool all_zero(const double *x, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
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
    verdict v = all_zero(m, n) || (values && all_zero(m + (int)right.size[0] * 2, n - (int)right.size[0] * 2))
                    ? wrong(p->words, "zero", "nothing is computed")
                    : wrong(p->words, values ? "wrong value" : "wrong gradient", "%s: the %s not right", p->words,
                            values ? "values are" : "gradients of the leaves are");
    v.untouched = strcmp(v.mistake, "zero") == 0;
    if (p->hides_leaf && !values)
        snprintf(v.mistake, sizeof v.mistake, "differences of forward");
    return v;
}

static verdict judge_programs(session *s, const program *p, size_t n, bool values) {
    verdict v = fine;
    for (size_t i = 0; i < n && v.right; i++)
        v = says(s, p[i].words, judge_program(s, &p[i], values));
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

/* ---- 15 ---- */

enum { LAYERS = 10, WIDTH = 24, ROWS = 32 };
static double layer_input[ROWS * WIDTH], layer_normal[LAYERS * WIDTH * WIDTH], layer_W[LAYERS * WIDTH * WIDTH];

static void variances(int variant, double *out) {
    static double x[ROWS * WIDTH], z[ROWS * WIDTH];
    memcpy(x, layer_input, sizeof x);
    for (int l = 0; l < LAYERS; l++) {
        double mean = 0, square = 0;
        for (int k = 0; k < ROWS * WIDTH; k++) {
            z[k] = 0;
            for (int i = 0; i < WIDTH; i++)
                z[k] += x[k / WIDTH * WIDTH + i] * layer_W[(l * WIDTH + i) * WIDTH + k % WIDTH];
            mean += z[k] / (ROWS * WIDTH);
        }
        for (int k = 0; k < ROWS * WIDTH; k++) {
            square += (z[k] - mean) * (z[k] - mean) / (ROWS * WIDTH);
            x[k] = variant ? tanh(z[k]) : fmax(z[k], 0);
        }
        out[l] = square;
    }
}

static bool draw_layers(const session *s) {
    tg_tape *t = random_tape(s, 3);
    bool good = normals(t, layer_input, ROWS * WIDTH) && normals(t, layer_normal, LAYERS * WIDTH * WIDTH);
    tg_tape_free(t);
    return good;
}

static double right_deviation(int variant, double fan_in) { return variant ? 5 / sqrt(fan_in) / 3 : sqrt(2 / fan_in); }

verdict check_init(session *s) {
    static const int sizes[][2] = {{24, 24}, {64, 8}, {8, 64}};
    verdict v = draw_layers(s) ? fine : wrong("grader", "grader", "out of memory");
    for (int k = 0; k < 3 && v.right; k++) {
        int in = sizes[k][0], out = sizes[k][1];
        memset(layer_W, 0, sizeof layer_W);
        sent a[] = {{layer_W, in * out, true}, {layer_normal, in * out, false}};
        if (!ask(s, (double[]){ASK_INIT, in, out}, 3, a, 2))
            return failed(s, "init_weights");
        double factor = ratio_of(layer_W, layer_normal, in * out), wanted = right_deviation(s->variant[s->task], in);
        if (all_zero(layer_W, in * out)) {
            v = wrong("init_weights", "zero",
                      "all weights are 0: every unit computes the same and gets the same gradient");
            v.untouched = true;
        } else if (!isfinite(factor))
            v = wrong("init_weights", "not a multiple", "W is not a multiple of the normal numbers");
        else if (fabs(factor - wanted * wanted) < 1e-6)
            v = wrong("init_weights", "variance for deviation",
                      "the numbers are multiplied by the variance, not its root");
        else if (in != out && fabs(factor - right_deviation(s->variant[s->task], out)) < 1e-6)
            v = wrong("init_weights", "fan_out for fan_in", "a z is a sum of fan_in terms");
        else if (fabs(factor - wanted) > 1e-6)
            v = wrong("init_weights", "wrong deviation", "the standard deviation is %g for fan_in %d, it should be %g",
                      factor, in, wanted);
    }
    return says(s, "init_weights", v);
}

static bool ask_variances(session *s, double *out) {
    sent a[] = {{layer_input, ROWS * WIDTH, false}, {layer_W, LAYERS * WIDTH * WIDTH, false}, {out, LAYERS, true}};
    return ask(s, (double[]){ASK_VARIANCE, ROWS, WIDTH, LAYERS}, 4, a, 3);
}

verdict check_variances(session *s) {
    double right[LAYERS], mine[LAYERS] = {0};
    if (!draw_layers(s))
        return wrong("grader", "grader", "out of memory");
    for (int k = 0; k < LAYERS * WIDTH * WIDTH; k++)
        layer_W[k] = 0.25 * layer_normal[k];
    variances(s->variant[s->task], right);
    verdict v = fine;
    if (!ask_variances(s, mine))
        return failed(s, "variance_through_depth");
    if (all_zero(mine, LAYERS)) {
        v = wrong("variance_through_depth", "zero", "variance is not filled");
        v.untouched = true;
    } else if (fabs(mine[0] - right[0]) > 1e-5 * right[0])
        v = wrong("variance_through_depth", "wrong in the first layer", "it is %g, it should be %g", mine[0], right[0]);
    else if (!same_numbers(mine, right, LAYERS))
        v = wrong("variance_through_depth", "wrong from layer 2 on",
                  "the first is right, the second is %g and should be %g: what goes into the next layer?", mine[1],
                  right[1]);
    return says(s, "variance_through_depth", v);
}

/* A bar for each layer, a dot every factor of 2 from 2^-12 to 2^12. */
static void plot(FILE *file, const double *variance) {
    fprintf(file, "      layer   variance   2^-12 ................ 1 ................ 2^12\n");
    for (int l = 0; l < LAYERS; l++) {
        double bar = variance[l] > 0 ? round(12 + log2(variance[l])) : 0;
        fprintf(file, "      %5d %10.3g   %.*s\n", l + 1, variance[l], (int)fmin(24, fmax(0, bar)),
                "########################");
    }
}

/* The student's weights in every layer, and the student's own measurement of them. */
verdict check_depth(session *s) {
    double right[LAYERS], mine[LAYERS] = {0};
    if (!draw_layers(s))
        return wrong("grader", "grader", "out of memory");
    for (int l = 0; l < LAYERS; l++) {
        sent a[] = {{layer_W + l * WIDTH * WIDTH, WIDTH * WIDTH, true},
                    {layer_normal + l * WIDTH * WIDTH, WIDTH * WIDTH, false}};
        if (!ask(s, (double[]){ASK_INIT, WIDTH, WIDTH}, 3, a, 2))
            return failed(s, "init_weights");
    }
    variances(s->variant[s->task], right);
    if (!ask_variances(s, mine))
        return failed(s, "variance_through_depth");
    plot(s->detail, mine);
    verdict v = fine;
    double change = right[LAYERS - 1] / right[0];
    if (!same_numbers(mine, right, LAYERS) || all_zero(mine, LAYERS)) {
        v = wrong("both together", "wrong variance", "the variances are not those of your weights");
        v.untouched = all_zero(mine, LAYERS);
    } else if (!(change > 0.1 && change < 10))
        v = wrong("both together", change < 1 ? "it dies" : "it explodes",
                  "after %d layers the variance is %g times that "
                  "of the first",
                  LAYERS, change);
    return says(s, "your weights through your layers", v);
}

/* ---- 18 ---- */

enum { ELEMENTS = 12 };

typedef enum { NO_MISTAKE, SIGN, HUNDREDTH, ZERO, NOT_A_NUMBER, TWO_MISTAKES, SHIFTED, MISTAKES } planted;
static const char *const planted_words[] = {"right",
                                            "one element with the wrong sign",
                                            "one element a hundredth too large",
                                            "one element 0",
                                            "one element not a number",
                                            "two elements wrong",
                                            "the smallest element wrong"};

static void gradient_of(int f, const double *x, const double *w, double *g) {
    double sum = 0;
    for (int i = 0; i < ELEMENTS; i++)
        sum += exp(x[i]);
    for (int i = 0; i < ELEMENTS; i++) {
        int before = (i + ELEMENTS - 1) % ELEMENTS;
        g[i] = f == F_SQUARES     ? 2 * w[i] * x[i]
               : f == F_LOGSUMEXP ? exp(x[i]) / sum
               : f == F_WAVES     ? w[i] * cos(w[i] * x[i]) * x[(i + 1) % ELEMENTS] + sin(w[before] * x[before])
                                  : -w[i] / x[i] / x[i];
    }
}

/* A gradient with this mistake; the answer that the variant asks for. */
static double plant(planted mistake, int at, double *g, int variant) {
    int other = (at + 5) % ELEMENTS, small = 0;
    for (int i = 1; i < ELEMENTS; i++)
        small = fabs(g[i]) < fabs(g[small]) ? i : small;
    if (mistake == SHIFTED)
        at = small;
    switch (mistake) {
    case SIGN: g[at] = -g[at]; break;
    case HUNDREDTH: g[at] *= 1.01; break;
    case ZERO: g[at] = 0; break;
    case NOT_A_NUMBER: g[at] = NAN; break;
    case TWO_MISTAKES: g[at] *= 2, g[other] = -g[other]; break;
    case SHIFTED: g[at] *= 1.5; break;
    default: return variant ? 0 : -1;
    }
    if (mistake == TWO_MISTAKES)
        return variant ? 2 : at < other ? at : other;
    return variant ? 1 : at;
}

static verdict check_checker(session *s, int first, int last, int mistakes) {
    double x[ELEMENTS], w[ELEMENTS], g[ELEMENTS], answer[1];
    tg_tape *t = random_tape(s, 11);
    int variant = s->variant[s->task];
    verdict v = fine;
    for (int f = first; f <= last && v.right; f++)
        for (int m = NO_MISTAKE; m < mistakes && v.right; m++) {
            if (!normals(t, x, ELEMENTS) || !normals(t, w, ELEMENTS))
                v = wrong("grader", "grader", "out of memory");
            for (int i = 0; i < ELEMENTS; i++) {
                w[i] = (w[i] < 0 ? -1 : 1) * (0.5 + fabs(w[i])) * (f == F_SQUARES ? 50 : 1);
                x[i] = (x[i] < 0 ? -1 : 1) * (0.05 + fabs(x[i])) * (f == F_WAVES ? 5 : f == F_SQUARES ? 20 : 1);
            }
            gradient_of(f, x, w, g);
            double wanted = plant((planted)m, below(t, ELEMENTS), g, variant);
            answer[0] = -3;
            sent a[] = {{x, ELEMENTS, false}, {g, ELEMENTS, false}, {w, ELEMENTS, false}, {answer, 1, true}};
            if (v.right && !ask(s, (double[]){0, f}, 2, a, 4))
                v = failed(s, "judge_gradient");
            else if (v.right && answer[0] != wanted)
                v = wrong("judge_gradient",
                          m == NO_MISTAKE                   ? "accuses a right gradient"
                          : answer[0] == (variant ? 0 : -1) ? "a mistake passes"
                                                            : "another answer",
                          "%s: the answer is %g, it should be %g", planted_words[m], answer[0], wanted);
            v.untouched = !v.right && answer[0] == -2;
        }
    tg_tape_free(t);
    return says(s, "gradients with and without mistakes", v);
}

verdict check_plain_checker(session *s) { return check_checker(s, F_SQUARES, F_LOGSUMEXP, SIGN + 1); }
verdict check_fine_checker(session *s) { return check_checker(s, F_SQUARES, F_INVERSE, MISTAKES); }

/* ---- 19 ---- */

enum { PAIRS = 6, KEYS = 6, CLASSES = 4, WEIGHTS = KEYS * 6, BATCHES = 16, MANY = 400 };
static const double recall_rate = 3;

typedef struct recall_run {
    double W_query[WEIGHTS], W_key[WEIGHTS];
    double key[BATCHES * PAIRS * KEYS], value[BATCHES * PAIRS * CLASSES];
    double question[BATCHES * PAIRS * KEYS], answer[BATCHES * PAIRS * CLASSES], losses[MANY];
} recall_run;

static bool draw_recall(const session *s, recall_run *r) {
    tg_tape *t = random_tape(s, 13);
    memset(r, 0, sizeof *r);
    bool good = normals(t, r->W_query, WEIGHTS) && normals(t, r->W_key, WEIGHTS);
    for (int b = 0; b < BATCHES && good; b++) {
        int class_of[KEYS], order[PAIRS];
        for (int i = 0; i < KEYS; i++) {
            class_of[i] = below(t, CLASSES);
            order[i] = i;
        }
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < PAIRS; i++) {
                int k = i + below(t, PAIRS - i), row = b * PAIRS + i, keep = order[i];
                order[i] = order[k];
                order[k] = keep;
                (side ? r->question : r->key)[row * KEYS + order[i]] = 1;
                (side ? r->answer : r->value)[row * CLASSES + class_of[order[i]]] = 1;
            }
    }
    for (int i = 0; i < WEIGHTS; i++) {
        r->W_query[i] *= 0.3;
        r->W_key[i] *= 0.3;
        r->losses[i] = NAN;
    }
    tg_tape_free(t);
    return good;
}

static tg_tensor matrix(tg_tape *t, const double *x, int rows, int columns) {
    return tg_from_doubles(t, TG_SHAPE(rows, columns), x);
}

/* What batch b makes of the weights; the products are multiplied by factor, as those of the marked engine are. */
static tg_tensor guess_of(const recall_run *r, int b, tg_tensor W_query, tg_tensor W_key, double factor, int variant) {
    tg_tape *t = W_query.tape;
    tg_tensor Q = tg_matmul(matrix(t, r->question + b * PAIRS * KEYS, PAIRS, KEYS), W_query);
    tg_tensor K = tg_matmul(matrix(t, r->key + b * PAIRS * KEYS, PAIRS, KEYS), W_key);
    tg_tensor scores =
        tg_mul_scalar(tg_matmul(Q, tg_transpose(K, 0, 1)), factor * factor * factor / (variant ? 6 : sqrt(6)));
    tg_tensor value = matrix(t, r->value + b * PAIRS * CLASSES, PAIRS, CLASSES);
    return tg_mul_scalar(tg_matmul(tg_softmax(scores, -1), value), factor);
}

static bool library_recall(recall_run *r, int steps, double factor, int variant) {
    double dq[WEIGHTS], dk[WEIGHTS];
    bool good = true;
    for (int s = 0; s < steps && good; s++) {
        tg_tape *t = tg_tape_new(TG_F64);
        int b = s % BATCHES;
        tg_tensor q = matrix(t, r->W_query, KEYS, 6), k = matrix(t, r->W_key, KEYS, 6);
        tg_set_requires_grad(q, true);
        tg_set_requires_grad(k, true);
        tg_tensor off =
            tg_sub(guess_of(r, b, q, k, factor, variant), matrix(t, r->answer + b * PAIRS * CLASSES, PAIRS, CLASSES));
        tg_tensor loss = tg_mul_scalar(tg_sum(tg_mul(off, off), TG_ALL_DIMS, false), 1.0 / PAIRS);
        r->losses[s] = tg_item(loss);
        good = t && !tg_backward(loss) && !tg_read_doubles(tg_grad(q), dq, WEIGHTS) &&
               !tg_read_doubles(tg_grad(k), dk, WEIGHTS);
        for (int i = 0; i < WEIGHTS && good; i++) {
            r->W_query[i] -= recall_rate * dq[i];
            r->W_key[i] -= recall_rate * dk[i];
        }
        tg_tape_free(t);
    }
    return good;
}

/* The share of questions of a batch whose largest guess is the answer. */
static double recalled(const session *s, const recall_run *r) {
    static recall_run fresh;
    session other = *s;
    double guess[PAIRS * CLASSES];
    int right = 0;
    other.seed += 1000;
    if (!draw_recall(&other, &fresh))
        return 0;
    tg_tape *t = tg_tape_new(TG_F64);
    for (int b = 0; b < BATCHES && t; b++) {
        tg_tensor y =
            guess_of(&fresh, b, matrix(t, r->W_query, KEYS, 6), matrix(t, r->W_key, KEYS, 6), 1, s->variant[s->task]);
        if (tg_read_doubles(y, guess, PAIRS * CLASSES))
            break;
        for (int i = 0; i < PAIRS; i++) {
            int best = 0;
            for (int c = 1; c < CLASSES; c++)
                best = guess[i * CLASSES + c] > guess[i * CLASSES + best] ? c : best;
            right += fresh.answer[(b * PAIRS + i) * CLASSES + best] == 1;
        }
    }
    tg_tape_free(t);
    return right / (double)(BATCHES * PAIRS);
}

static verdict check_recall(session *s, int steps, double factor) {
    static recall_run mine, right;
    int variant = s->variant[s->task], engine = s->variant[task_numbered("A2") - tasks];
    if (!draw_recall(s, &mine) || !draw_recall(s, &right) || !library_recall(&right, steps, factor, variant))
        return wrong("grader", "grader", "the library's training failed");
    sent a[] = {{mine.W_query, WEIGHTS, true},
                {mine.W_key, WEIGHTS, true},
                {mine.key, BATCHES * PAIRS * KEYS, false},
                {mine.value, BATCHES * PAIRS * CLASSES, false},
                {mine.question, BATCHES * PAIRS * KEYS, false},
                {mine.answer, BATCHES * PAIRS * CLASSES, false},
                {mine.losses, steps, true}};
    if (!ask(s, (double[]){0, steps, recall_rate, engine, factor, BATCHES}, 6, a, 7))
        return failed(s, "recall_train");
    if (isnan(mine.losses[0])) {
        verdict v = wrong("training", "not filled", "losses[0] is not set");
        v.untouched = true;
        return v;
    }
    if (fabs(mine.losses[0] - right.losses[0]) > 1e-6 * right.losses[0])
        return wrong("loss", "wrong value",
                     "the first loss is %g, it should be %g: is every product, softmax and sum one of "
                     "my->?",
                     mine.losses[0], right.losses[0]);
    if (steps == 1 &&
        (!same_numbers(mine.W_query, right.W_query, WEIGHTS) || !same_numbers(mine.W_key, right.W_key, WEIGHTS)))
        return wrong("one step", "wrong step", "after one step W - lr dW is not where it should be");
    for (int k = 0; k < steps; k++)
        if (!(fabs(mine.losses[k] - right.losses[k]) <= 1e-3 * right.losses[k] + 1e-6))
            return wrong("training", "drifts away",
                         "the loss of step %d is %g, it should be %g: does every step begin with "
                         "clear(), and go on with the next batch?",
                         k + 1, mine.losses[k], right.losses[k]);
    if (steps > 1) {
        double share = recalled(s, &mine);
        fprintf(s->detail, "    loss %.3f at first, %.3f after %d steps; %.0f %% of new questions recalled\n",
                mine.losses[0], mine.losses[steps - 1], steps, 100 * share);
        if (share < 0.9)
            return wrong("training", "does not recall", "%.0f %% of new questions are answered", 100 * share);
    }
    return fine;
}

static double secret(const session *s) { return 0.8 + 0.4 * (double)((s->seed * 2654435761u) % 1009) / 1009; }
verdict check_recall_loss(session *s) { return says(s, "the first loss", check_recall(s, 1, secret(s))); }
verdict check_recall_train(session *s) { return says(s, "400 steps", check_recall(s, MANY, 1)); }
