/* Row kernels of elementwise operations and of reductions give on every instruction set what the plain ones with libm's
 * functions give, on ordinary and on special values. A plain loop has the same bits on every set; one that calls the
 * functions of core/kernels/vmath.h is as near as the table says. */
#ifndef real
#include "core/frameworks/reduce.h"
#include "core/kernels/isa.h"
#include "tests/ops.h"
#include "tests/support.h"

#include <float.h>

enum { INPUTS = 3, N_SPECIAL = 13, N = N_SPECIAL * N_SPECIAL * N_SPECIAL + 1000 };

/* How far results and gradients may be apart, in units of the last place of the larger; of `least`, where they are
 * smaller than the numbers that they are made of. In double most functions are libm's on every set. */
static const struct {
    const char *name;
    double forward, vjp, least;
} allowed[] = {
    {"exp", 2, 0, 0},        {"log", 2, 0, 0},       {"log1p", 2, 0, 0},
    {"expm1", 2, 0, 0},      {"sin", 2, 3, 0},       {"cos", 2, 3, 0},
    {"tanh", 4, 0, 0},       {"erf", 2, 3, 0},       {"sigmoid", 3, 0, 0},
    {"softplus", 3, 4, 0},   {"elu", 3, 3, 0},       {"pow", 1, 2, 0},
    {"pow_tensor", 1, 4, 0}, {"silu", 4, 6, 1},      {"swiglu", 4, 6, 8},
    {"gelu", 6, 6, 1},       {"gelu_tanh", 4, 6, 1}, {"bce_with_logits", 2, 4, 4},
    {"kl_div", 2, 4, 4},
};

static const double special[N_SPECIAL] = {0, -0.0, 1, -1, 0.75, -2, 3, 1e-40, -1e-40, 1e30, INFINITY, -INFINITY, NAN};

/* Normal numbers, and before them every triple of special ones. */
static double number(tg_rng_state *rng, int64_t j, int operand) {
    static const int64_t every[] = {1, N_SPECIAL, N_SPECIAL * N_SPECIAL};
    if (j < N_SPECIAL * N_SPECIAL * N_SPECIAL)
        return special[j / every[operand] % N_SPECIAL];
    return normal_number(rng);
}

/* The operation as its first probe records it: how many operands it has, with which constants. */
static const tg_node *example(const tg_op *op, tg_tape *t) {
    tg_tensor y = op->probe(t, 0);
    for (uint32_t i = 0; i <= y.index; i++)
        if (t->nodes[i]->op == op)
            return t->nodes[i];
    return NULL;
}

/* The kernel for the set in use. */
static tg_fn *row_of(const tg_op *op, tg_dtype dtype, bool vjp) {
    int wide = tg_isa_now()->wide;
    if (wide)
        return vjp ? op->wide[wide - 1].row_vjp[dtype] : op->wide[wide - 1].row[dtype];
    return vjp ? op->row_vjp[dtype] : op->row[dtype];
}

#define SMALLEST (sizeof(real) == 4 ? (real)FLT_MIN : (real)DBL_MIN)
#define EPSILON (sizeof(real) == 4 ? (real)FLT_EPSILON : (real)DBL_EPSILON)

#define data FN(data)
#define compute FN(compute)
#endif

#ifdef real

typedef struct data {
    real x[INPUTS][N], dy[N], y[N], dx[INPUTS][N], plain_y[N], plain_dx[INPUTS][N];
} data;

/* y and the gradients of `from` to `to`, by the set in use, a row of odd length at a time. The gradients are made of
 * the plain y. */
static void FN(compute)(const tg_node *node, data *d, bool plain) {
    typedef void row(ptrdiff_t n, real * y, const real *const *x, const void *attr);
    typedef void row_vjp(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
                         const void *attr);
    row *f = (row *)row_of(node->op, REAL_DTYPE, false);
    row_vjp *g = (row_vjp *)row_of(node->op, REAL_DTYPE, true);
    for (int64_t at = 0, n; at < N; at += n) {
        n = N - at < 509 ? N - at : 509;
        const real *x[INPUTS] = {d->x[0] + at, d->x[1] + at, d->x[2] + at};
        f(n, (plain ? d->plain_y : d->y) + at, x, node->attr);
        for (int i = 0; g && i < node->n_in; i++) /* comparisons have none */
            g(n, i, (plain ? d->plain_dx : d->dx)[i] + at, d->dy + at, d->plain_y + at, x, node->attr);
    }
}

/* The same of a reduction: a result for each row, short ones of special values and longer ones of normal numbers. */
static void FN(reduce)(const tg_node *node, data *d, bool plain) {
    typedef void row(int64_t n, real * y, const real *x, const tg_node *node);
    typedef void row_vjp(int64_t n, real * dx, real dy, real y, const real *x, const tg_node *node);
    row *f = (row *)row_of(node->op, REAL_DTYPE, false);
    row_vjp *g = (row_vjp *)row_of(node->op, REAL_DTYPE, true);
    for (int64_t at = 0, n; at < N; at += n) {
        n = at < N - 1000 ? 1 + at % 5 : N - at < 333 ? N - at : 333;
        f(n, (plain ? d->plain_y : d->y) + at, d->x[0] + at, node);
        g(n, (plain ? d->plain_dx : d->dx)[0] + at, d->dy[at], d->plain_y[at], d->x[0] + at, node);
    }
}

static void FN(run)(const tg_node *node, data *d, bool plain) {
    bool reduces = node->op->forward[REAL_DTYPE] == FN(tg_reduce_forward);
    (reduces ? FN(reduce) : FN(compute))(node, d, plain);
}

static void FN(expect)(const tg_op *op, const char *what, const real *got, const real *plain, double ulps,
                       double least) {
    for (int64_t j = 0; j < N; j++) {
        double larger = fmax(fabs((double)got[j]), fabs((double)plain[j]));
        double unit = fmax(larger, fmax(least, (double)SMALLEST)) * (double)EPSILON;
        bool same = isnan(plain[j]) ? isnan(got[j]) : got[j] == plain[j] && !signbit(got[j]) == !signbit(plain[j]);
        double apart = fabs((double)got[j] - (double)plain[j]);
        ck_assert_msg(same || (ulps > 0 && apart <= ulps * unit), "%s %s, %s, %d bytes: element %lld is %.9g, not %.9g",
                      tg_isa_now()->name, op->name, what, (int)sizeof(real), (long long)j, (double)got[j],
                      (double)plain[j]);
    }
}

static void FN(check)(const tg_node *node, double forward, double vjp, double least) {
    static data d;
    tg_rng_state rng;
    tg_rng_seed(&rng, 1);
    for (int64_t j = 0; j < N; j++) {
        for (int i = 0; i < INPUTS; i++)
            d.x[i][j] = (real)number(&rng, j, i);
        d.dy[j] = (real)number(&rng, N, 0);
    }
    tg_isa_use(tg_isa_at(0));
    FN(run)(node, &d, true);
    for (int set = 1; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        FN(run)(node, &d, false);
        FN(expect)(node->op, "forward", d.y, d.plain_y, forward, least);
        for (int i = 0; i < node->n_in; i++)
            if (tg_is_floating(node->in[i]) && !node->op->no_gradient)
                FN(expect)(node->op, "gradient", d.dx[i], d.plain_dx[i], vjp, least);
    }
}

#else
#define TG_SELF "tests/rows_test.c"
#define TG_FAST
#include "core/twice.h"

START_TEST(every_set_has_the_plain_kernels_results)
{
    const tg_op *op = ops[_i];
    if (!op->wide[0].row[TG_F32])
        return;
    double forward = 0, vjp = 0, least = 0;
    for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
        if (strcmp(op->name, allowed[k].name) == 0)
            forward = allowed[k].forward, vjp = allowed[k].vjp, least = allowed[k].least;
    tg_tape *t = tg_tape_new(TG_F32);
    const tg_node *node = example(op, t);
    ck_assert_ptr_nonnull(node);
    check_f32(node, forward, vjp, least);
    check_f64(node, forward, vjp, least);
    tg_tape_free(t);
}
END_TEST

/* Bools that lie alike have row kernels of bytes. */
START_TEST(every_set_has_the_plain_results_of_bytes)
{
    typedef void row(ptrdiff_t n, uint8_t * y, const uint8_t *const *x, const void *attr);
    static uint8_t a[N], b[N], y[N], plain[N];
    const tg_op *op = ops[_i];
    const uint8_t *x[INPUTS] = {a, b, NULL};
    tg_rng_state rng;
    tg_rng_seed(&rng, 1);
    for (int64_t j = 0; j < N; j++)
        a[j] = tg_rng_double(&rng) < 0.5, b[j] = tg_rng_double(&rng) < 0.5;
    for (int set = 1; op->row[TG_BOOL] && tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        ck_assert(row_of(op, TG_BOOL, false) != NULL);
        ((row *)row_of(op, TG_BOOL, false))(N, y, x, NULL);
        ((row *)op->row[TG_BOOL])(N, plain, x, NULL);
        ck_assert_msg(memcmp(y, plain, N) == 0, "%s %s", tg_isa_now()->name, op->name);
    }
}
END_TEST

/* The functions that the table is about are tested one by one in vmath_test.c. */
START_TEST(the_table_names_operations)
{
    for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++) {
        bool found = false;
        for (int i = 0; i < N_OPS; i++)
            found |= strcmp(ops[i]->name, allowed[k].name) == 0;
        ck_assert_msg(found, "%s", allowed[k].name);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("rows");
    tcase_add_loop_test(c, every_set_has_the_plain_kernels_results, 0, N_OPS);
    tcase_add_loop_test(c, every_set_has_the_plain_results_of_bytes, 0, N_OPS);
    tcase_add_test(c, the_table_names_operations);
    return run_suite("rows", c);
}
#endif
