/* Every operation equals PyTorch's float64 values: the result, the gradient of every input, and the double backward, to
 * 1e-10; and in float32 to 1e-4. The values and the expressions are in golden/ops.h, made by golden/make_ops.py.
 * golden/examples.h has an example of every operation of the table, which make golden writes. */
#include "tests/golden/example.h"
#include "tests/ops.h"
#include "tests/support.h"

/* Operands and result as "f2,3 i4": a kind (f floating with a gradient, c floating without, i int64, b bool) and
 * sizes. The numbers from first on: the operands, and when the result has a gradient the cotangent w; the result; the
 * gradients of the f operands; with twice, a direction v for each of them, J v, and H v for each, of H the Hessian of
 * <w, y>. */
typedef struct golden_case {
    const char *op, *note, *operands, *result;
    bool twice;
    int first;
} golden_case;

enum { MAX_OPERANDS = 7, MAX_NUMBERS = 64 };

/* ---- what some expressions in ops.h need ---- */

static tg_tensor part(tg_tensor x, int64_t size, int dim, int which, int n) {
    tg_tensor parts[4];
    ck_assert_int_eq(tg_split(x, size, dim, parts, n), TG_OK);
    return parts[which];
}

static tg_tensor dropped(tg_tensor x, double p) {
    tg_manual_seed(x.tape, 11);
    return tg_dropout(x, p);
}

static tg_tensor dropped_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask, bool causal, double p) {
    tg_manual_seed(q.tape, 11);
    return tg_scaled_dot_product_attention(q, k, v, mask, causal, p, 0);
}

static int mix_f32(const tg_call *c) {
    const float *a = c->input[0], *b = c->input[1];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((float *)c->output)[i] = a[i] * b[i] + sinf(a[i]);
    return 0;
}
static int mix_vjp_f32(const tg_call *c) {
    const float *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++) {
        ((float *)c->input_grad[0])[i] += dy[i] * (b[i] + cosf(a[i]));
        ((float *)c->input_grad[1])[i] += dy[i] * a[i];
    }
    return 0;
}
static int mix_f64(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((double *)c->output)[i] = a[i] * b[i] + sin(a[i]);
    return 0;
}
static int mix_vjp_f64(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++) {
        ((double *)c->input_grad[0])[i] += dy[i] * (b[i] + cos(a[i]));
        ((double *)c->input_grad[1])[i] += dy[i] * a[i];
    }
    return 0;
}

static void mix_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    dx[0] = tg_mul(dy, tg_add(x[1], tg_cos(x[0])));
    dx[1] = tg_mul(dy, x[0]);
}

static tg_tensor a_b_plus_sin_a(tg_tensor a, tg_tensor b) {
    static const tg_custom_op op = {"custom", mix_f32, mix_vjp_f32, mix_f64, mix_vjp_f64};
    tg_tensor y = tg_custom(&op, (tg_tensor[]){a, b}, 2, tg_shape_of(a), NULL, 0);
    return tg_custom_set_grad(y, mix_grad) ? TG_NULL : y;
}

#include "tests/golden/examples.h"
#include "tests/golden/ops.h"

enum { N_CASES = sizeof golden_cases / sizeof *golden_cases };

/* ---- reading a case ---- */

/* "2,3" as a shape; the text behind it. */
static const char *parse_shape(const char *s, tg_shape *shape) {
    *shape = TG_SCALAR;
    while (*s && *s != ' ') {
        char *end;
        shape->size[shape->ndim++] = strtoll(s, &end, 10);
        s = *end == ',' ? end + 1 : end;
    }
    return *s == ' ' ? s + 1 : s;
}

static int64_t numel(const tg_shape *shape) {
    int64_t n = 1;
    for (int i = 0; i < shape->ndim; i++)
        n *= shape->size[i];
    ck_assert_int_le(n, MAX_NUMBERS);
    return n;
}

static tg_tensor operand(tg_tape *t, char kind, tg_shape shape, const double *values) {
    int64_t n = numel(&shape), ints[MAX_NUMBERS];
    bool bools[MAX_NUMBERS];
    for (int64_t i = 0; i < n && (kind == 'i' || kind == 'b'); i++) {
        ints[i] = (int64_t)values[i];
        bools[i] = values[i] != 0;
    }
    switch (kind) {
    case 'i': return tg_from_ints(t, shape, ints);
    case 'b': return tg_from_bools(t, shape, bools);
    default: return tg_set_requires_grad(tg_from_doubles(t, shape, values), kind == 'f');
    }
}

typedef struct instance {
    const golden_case *c;
    tg_tape *t;
    tg_tensor x[MAX_OPERANDS], y;
    char kind[MAX_OPERANDS];
    int n;
    const double *next; /* the numbers not yet used */
    char name[192];     /* of the case, for messages: the file, the operation and the note */
} instance;

static instance build(int number, tg_dtype dtype) {
    instance g = {.c = &golden_cases[number], .t = tg_tape_new(dtype)};
    const char *s = g.c->operands;
    const char *note = g.c->note;
    snprintf(g.name, sizeof g.name, "golden/ops.h, %s%s%s%s", g.c->op, *note ? " (" : "", note, *note ? ")" : "");
    g.next = golden_numbers + g.c->first;
    while (*s) {
        tg_shape shape;
        ck_assert_int_lt(g.n, MAX_OPERANDS);
        g.kind[g.n] = *s;
        s = parse_shape(s + 1, &shape);
        g.x[g.n] = operand(g.t, g.kind[g.n], shape, g.next);
        g.next += numel(&shape);
        g.n++;
    }
    g.y = golden_build(number, g.x);
    ck_assert_msg(!tg_is_null(g.y), "%s: %s", g.name, tg_error(g.t));
    return g;
}

/* ---- comparing ---- */

static void compare(instance *g, const char *what, tg_tensor x, tg_shape shape, double tolerance) {
    double got[MAX_NUMBERS];
    int64_t n = numel(&shape);
    tg_shape have = tg_shape_of(x);
    ck_assert_msg(have.ndim == shape.ndim && !memcmp(have.size, shape.size, sizeof *have.size * (size_t)have.ndim),
                  "%s: %s has shape %s, not %s", g->name, what, tg_shape_text(&have).s, tg_shape_text(&shape).s);
    ck_assert_msg(tg_read_doubles(x, got, n) == TG_OK, "%s", tg_error(g->t));
    for (int64_t i = 0; i < n; i++) {
        double want = g->next[i];
        bool same =
            got[i] == want || (isnan(got[i]) && isnan(want)) || fabs(got[i] - want) <= tolerance * fmax(1, fabs(want));
        ck_assert_msg(same, "%s: %s element %lld (from 1) is %.17g, PyTorch has %.17g", g->name, what, (long long)i + 1,
                      got[i], want);
    }
    g->next += n;
}

/* J v and H v are the gradients of <v, dx> with respect to w and x. */
static void check_double_backward(instance *g, tg_tensor w, double tolerance) {
    tg_tensor x[MAX_OPERANDS + 1] = {w}, dx[MAX_OPERANDS], ddx[MAX_OPERANDS + 1], sum = tg_scalar(g->t, 0);
    int n = 0;
    for (int i = 0; i < g->n; i++)
        if (g->kind[i] == 'f')
            x[++n] = g->x[i];
    ck_assert_msg(tg_gradients(g->y, w, x + 1, n, dx) == TG_OK, "%s: %s", g->name, tg_error(g->t));
    for (int i = 0; i < n; i++) {
        tg_shape shape = tg_shape_of(dx[i]);
        sum = tg_add(sum, total(tg_mul(operand(g->t, 'c', shape, g->next), dx[i])));
        g->next += numel(&shape);
    }
    ck_assert_msg(tg_gradients(sum, TG_NULL, x, n + 1, ddx) == TG_OK, "%s: %s", g->name, tg_error(g->t));
    for (int i = 0; i <= n; i++)
        compare(g, i ? "H v" : "J v", ddx[i], tg_shape_of(x[i]), tolerance);
}

static void check_case(int number, tg_dtype dtype, double tolerance) {
    instance g = build(number, dtype);
    char kind = g.c->result[0];
    tg_shape shape;
    tg_tensor cotangent = TG_NULL;
    parse_shape(g.c->result + 1, &shape);
    ck_assert_msg(tg_requires_grad(g.y) == (kind == 'f'), "%s: requires_grad", g.name);
    if (kind == 'f') {
        cotangent = operand(g.t, 'f', shape, g.next);
        g.next += numel(&shape);
    }
    compare(&g, "the result", g.y, shape, tolerance);
    ck_assert_msg(kind != 'f' || tg_backward_with(g.y, cotangent) == TG_OK, "%s: %s", g.name, tg_error(g.t));
    for (int i = 0; i < g.n && kind == 'f'; i++) {
        char what[] = "the gradient of operand 1";
        what[sizeof what - 2] = (char)('1' + i);
        if (g.kind[i] == 'f')
            compare(&g, what, tg_grad(g.x[i]), tg_shape_of(g.x[i]), tolerance);
    }
    if (kind == 'f' && g.c->twice)
        check_double_backward(&g, cotangent, tolerance);
    int end = number + 1 < N_CASES ? golden_cases[number + 1].first : (int)(sizeof golden_numbers / sizeof(double));
    ck_assert_msg(g.next == golden_numbers + end, "%s: numbers are left over", g.name);
    tg_tape_free(g.t);
}

START_TEST(float64_equals_pytorch)
{ check_case(_i, TG_F64, 1e-10); }
END_TEST

START_TEST(float32_agrees_with_pytorch)
{ check_case(_i, TG_F32, 1e-4); }
END_TEST

static bool is_on_tape(const tg_tape *t, const char *name) {
    for (uint32_t i = 0; i < t->count; i++)
        if (t->nodes[i]->op && strcmp(t->nodes[i]->op->name, name) == 0)
            return true;
    return false;
}

/* ---- the table's examples ---- */

enum { N_EXAMPLES = sizeof golden_examples / sizeof *golden_examples };

static const double *compare_numbers(const char *op, const char *what, tg_tensor x, const double *want) {
    double got[EXAMPLE_NUMBERS];
    int64_t n = tg_numel(x);
    ck_assert_int_le(n, EXAMPLE_NUMBERS);
    ck_assert_int_eq(tg_read_doubles(x, got, n), TG_OK);
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(fabs(got[i] - want[i]) <= 1e-10 * fmax(1, fabs(want[i])),
                      "golden/examples.h, %s: %s element %lld (from 1) is %.17g, PyTorch has %.17g", op, what,
                      (long long)i + 1, got[i], want[i]);
    return want + n;
}

/* The result, and the gradient of each operand that requires one. */
static void check_example(int number) {
    const golden_example *e = &golden_examples[number];
    const operation *o = operation_named(e->op);
    ck_assert_msg(o != NULL, "%s is no operation any more: make golden", e->op);
    golden_instance g = begin_instance(o, (layout)e->layout);
    const double *want = golden_example_numbers + e->first;
    ck_assert_msg(!tg_is_null(g.y), "%s: %s", e->op, tg_error(g.t));
    want = compare_numbers(e->op, "the result's", g.y, want);
    ck_assert_msg(!tg_requires_grad(g.y) || tg_backward_with(g.y, g.w) == TG_OK, "%s: %s", e->op, tg_error(g.t));
    int n = strchr(o->types, 'p') ? g.e.a.n : operation_tensors(o);
    for (int i = 0; i < n && tg_requires_grad(g.y); i++)
        if (!tg_is_null(g.e.a.x[i]) && tg_requires_grad(g.e.a.x[i]))
            want = compare_numbers(e->op, "a gradient's", tg_grad(g.e.a.x[i]), want);
    int end = number + 1 < N_EXAMPLES ? e[1].first : (int)(sizeof golden_example_numbers / sizeof(double));
    ck_assert_msg(want == golden_example_numbers + end, "%s: numbers are left over: make golden", e->op);
    tg_tape_free(g.t);
}

START_TEST(examples_equal_pytorch)
{ check_example(_i); }
END_TEST

static bool has_golden_example(const char *name) {
    bool has = false;
    for (int i = 0; i < N_EXAMPLES; i++)
        has |= strcmp(golden_examples[i].op, name) == 0;
    return has;
}

START_TEST(every_function_of_the_table_has_an_example)
{
    for (int i = 0; i < n_operations; i++)
        ck_assert_msg(has_golden_example(operations[i].name) || !has_example(&operations[i], PLAIN),
                      "%s has no golden values: run make golden PYTHON=(one with torch)", operations[i].name);
}
END_TEST

START_TEST(every_op_has_golden_values)
{
    for (size_t k = 0; k < N_OPS; k++) {
        int cases = has_golden_example(ops[k]->name);
        for (int i = 0; i < N_CASES; i++) {
            if (strcmp(golden_cases[i].op, ops[k]->name) != 0)
                continue;
            instance g = build(i, TG_F64);
            cases += is_on_tape(g.t, ops[k]->name);
            tg_tape_free(g.t);
        }
        ck_assert_msg(cases > 0, "%s has no golden values: run make golden PYTHON=(one with torch)", ops[k]->name);
    }
}
END_TEST

/* A test for each case, so that all that are wrong are told at once. */
int main(void) {
    TCase *c = tcase_create("golden");
    tcase_add_loop_test(c, float64_equals_pytorch, 0, N_CASES);
    tcase_add_loop_test(c, float32_agrees_with_pytorch, 0, N_CASES);
    tcase_add_loop_test(c, examples_equal_pytorch, 0, N_EXAMPLES);
    tcase_add_test(c, every_function_of_the_table_has_an_example);
    tcase_add_test(c, every_op_has_golden_values);
    return run_suite("golden", c);
}
