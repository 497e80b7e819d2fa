/* Custom operations on a float32 tape, one formula in float and in double: a mistake in float alone is WRONG, whatever
 * it is; what float loses by itself is not. */
#ifdef real
/* ---- the operations, for float and for double: see core/twice.h; the second time both are there ---- */

#ifdef SECOND_TIME
#define PAIR(name) static const tg_custom_op name = {#name, name##_f32, name##_vjp_f32, name##_f64, name##_vjp_f64};
#else
#define PAIR(name)
#endif

#define ELEMENTWISE(name, value, dx)                      \
    CUSTOM_MAP(real, FN(name), FN(name##_vjp), value, dx) \
    PAIR(name)

/* The power 100 of a constant, of which float loses digits, for all neighbours the same. */
ELEMENTWISE(power, pow((real)1.01 + (real)0.001 * tanh(x), (real)100),
            BY *dy * 100 * pow((real)1.01 + (real)0.001 * tanh(x), (real)99) * (real)0.001 * (1 - tanh(x) * tanh(x)))
/* y = 1e-7 x^2: its gradient is less than 8 u x. */
ELEMENTWISE(penalty, (real)1e-7 * x * x, BY *(real)2e-7 * x * dy)
/* Nearly 1, and in float32 perhaps 1. */
ELEMENTWISE(logistic, 1 / (1 + exp(-x)), BY *y *(1 - y) * dy)

/* rms_norm of rows of one element: what is left of the terms of its gradient is eps / (x^2 + eps) of them. */
ELEMENTWISE(norm, x / sqrt(x * x + (real)1e-5), BY *dy *(1 - x * x / (x * x + (real)1e-5)) / sqrt(x * x + (real)1e-5))

/* Formulas that cancel where x is small, and have a case of their own for 0. */
ELEMENTWISE(sinc, x == 0 ? 1 : sin(x) / x, BY *(x == 0 ? 0 : dy * (x * cos(x) - sin(x)) / (x * x)))
ELEMENTWISE(tanhc, x == 0 ? 1 : tanh(x) / x, BY *(x == 0 ? 0 : dy * ((1 - tanh(x) * tanh(x)) * x - tanh(x)) / (x * x)))
ELEMENTWISE(growth, x == 0 ? 1 : (exp(x) - 1) / x, BY *dy *(x == 0 ? (real)0.5 : (x * exp(x) - exp(x) + 1) / (x * x)))

/* A gradient of 8 bits: to this side and to that, and little beside the largest result. */
#define FEW_BITS(v) ldexp(round(ldexp(v, 8 - ilogb(v))), ilogb(v) - 8)
ELEMENTWISE(half_square, x *x / 2, IS_F32 &&dy *x != 0 ? FEW_BITS(dy * x) : dy * x)

/* Spoilt in float by what stands behind these: not linear in dy, written where it may not, of other calls. */
ELEMENTWISE(sine, sin(x), IS_F32 ? (real)bent((double)(cos(x) * dy), (double)dy) : cos(x) * dy)
ELEMENTWISE(square, x *x, (IS_F32 ? (real)spoil_call(c, i) : 0) + 2 * dy * x)
ELEMENTWISE(keeping, x *x, IS_F32 ? (real)keep(i, (double)x, (double)dy) : 2 * x * dy)

#define ENTRY ((const real *)(IS_F32 ? (const void *)entries_f32 : (const void *)entries_f64) + cell((double)x))
#define RISE (ENTRY[1] - ENTRY[0])
ELEMENTWISE(table, ENTRY[0] + ((x + TABLE_END) * (real)way - (real)cell((double)x)) * RISE, BY *dy *(real)way *RISE)

/* Its callback refuses x above 1. */
static int FN(refusing)(const tg_call *c) {
    real x = *(const real *)c->input[0];
    *(real *)c->output = sqrt(1 - x);
    return x >= 1;
}
static int FN(refusing_vjp)(const tg_call *c) {
    *(real *)c->input_grad[0] -= *(const real *)c->output_grad / (2 * *(const real *)c->output);
    return 0;
}
PAIR(refusing)

/* A softmax without its maximum: e^89 is more than float32 has. share: (dy e^x sum e^x - e^x sum dy e^x) / (sum e^x)^2
 * has no room in float32 for large dy. */
static real FN(exps)(const real *x, const real *by) {
    real sum = 0;
    for (int j = 0; j < 8; j++)
        sum += (by ? by[j] : 1) * exp(x[j]);
    return sum;
}
static real FN(dot)(const real *a, const real *b) {
    real sum = 0;
    for (int j = 0; j < 8; j++)
        sum += a[j] * b[j];
    return sum;
}
#define SUM FN(exps)(c->input[0], NULL)
ELEMENTWISE(bare, exp(x) / SUM, y *(dy - FN(dot)(c->output, c->output_grad)))
ELEMENTWISE(share, exp(x) / SUM, (dy * exp(x) - exp(x) * (FN(exps)(c->input[0], c->output_grad) / SUM)) / SUM)

/* Linear maps with symmetric matrices: a time that adds up 0.1; terms of a Fourier sum that cancel. */
#define LINEAR(name, body)                                            \
    static void FN(name##_add)(const real *x, real *y, real factor) { \
        real s = 0;                                                   \
        for (int i = 0; i < N_LOSING; i++)                            \
            body;                                                     \
    }                                                                 \
    static int FN(name)(const tg_call *c) {                           \
        memset(c->output, 0, N_LOSING * sizeof(real));                \
        FN(name##_add)(c->input[0], c->output, 1);                    \
        return 0;                                                     \
    }                                                                 \
    static int FN(name##_vjp)(const tg_call *c) {                     \
        FN(name##_add)(c->output_grad, c->input_grad[0], BY);         \
        return 0;                                                     \
    }                                                                 \
    PAIR(name)
#define TIME (y[i] += factor * x[i] * sin(s), s += (real)0.1)
#define WAVES                                                                             \
    {                                                                                     \
        s = 0;                                                                            \
        for (int j = 0; j < N_LOSING; j++)                                                \
            s += x[j] * cos(2 * (real)3.14159265358979323846 * (real)(i * j) / N_LOSING); \
        y[i] += factor * s;                                                               \
    }
LINEAR(times, TIME)
LINEAR(waves, WAVES)

/* y[i] = sum_j x[i][j]^2, added one after another; in float32 `way` halves more, and the last element's gradient has
 * spoilt for 2. picked: y[i] = x[n[i]]^2, with whole numbers n as the first operand. pinball: y = 0.9 (b - a), or
 * 0.1 (a - b) where a is not below b. */
static int FN(squares)(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const real *x = c->input[0];
    for (int64_t i = 0; i < n; i++) {
        real sum = IS_F32 ? (real)way / 2 : 0;
        for (int64_t j = 0; j < m; j++)
            sum += x[i * m + j] * x[i * m + j];
        ((real *)c->output)[i] = sum;
    }
    return 0;
}
static int FN(squares_vjp)(const tg_call *c) {
    int64_t n = c->output_shape->size[0], m = c->input_shape[0].size[1];
    const real *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < n * m; i++)
        ((real *)c->input_grad[0])[i] += 2 * (i == n * m - 1 ? BY : 1) * x[i] * dy[i / m];
    return 0;
}
static int FN(picked)(const tg_call *c) {
    const int64_t *n = c->input[0];
    const real *x = c->input[1];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++)
        ((real *)c->output)[i] = x[n[i]] * x[n[i]];
    return 0;
}
static int FN(picked_vjp)(const tg_call *c) {
    const int64_t *n = c->input[0], rows = c->output_shape->size[0];
    const real *x = c->input[1], *dy = c->output_grad;
    for (int64_t i = 0; i < rows; i++)
        ((real *)c->input_grad[1])[n[i]] += 2 * (i < rows - 1 ? 1 : BY) * x[n[i]] * dy[i];
    return 0;
}
static int FN(pinball)(const tg_call *c) {
    const real *a = c->input[0], *b = c->input[1];
    for (int64_t j = 0; j < 8; j++) {
        real d = b[j] - a[j];
        ((real *)c->output)[j] = (d > 0 ? (real)0.9 : -(real)0.1) * d;
    }
    return 0;
}
static int FN(pinball_vjp)(const tg_call *c) {
    const real *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int64_t j = 0; j < 8; j++) {
        real slope = (b[j] - a[j] > 0 ? (real)0.9 : -(real)0.1) * dy[j];
        if (c->input_grad[0])
            ((real *)c->input_grad[0])[j] -= slope;
        if (c->input_grad[1])
            ((real *)c->input_grad[1])[j] += BY * slope;
    }
    return 0;
}
PAIR(squares)
PAIR(picked)
PAIR(pinball)

/* softmax(q k^T + mask) v, saturated, d = 2. The mask is there where way is 1: -1e9 for all keys of the last row,
 * beside which float32 has no digits of the scores left. There p = e^(s - L) with L = max s + ln sum e^(s - max s), as
 * backward takes it where spoilt is not 1, is e^0 = 1, and not 1/4. */
static void FN(weights)(int64_t at, const real *q, const real *k, real *p, bool from_log) {
    real s[ATTENDED], most = -(real)INFINITY, sum = 0;
    for (int j = 0; j < ATTENDED; j++) {
        s[j] = q[0] * k[2 * j] + q[1] * k[2 * j + 1] + (way && at == ATTENDED - 1 ? -(real)1e9 : 0);
        most = s[j] > most ? s[j] : most;
    }
    for (int j = 0; j < ATTENDED; j++)
        sum += p[j] = exp(s[j] - most);
    for (int j = 0; j < ATTENDED; j++)
        p[j] = from_log ? exp(s[j] - (most + log(sum))) : p[j] / sum;
}
static int FN(attend)(const tg_call *c) {
    const real *q = c->input[0], *k = c->input[1], *v = c->input[2];
    real p[ATTENDED], *y = c->output;
    for (int64_t i = 0; i < c->output_shape->size[0]; i++) {
        FN(weights)(i, q + 2 * i, k, p, false);
        y[2 * i] = y[2 * i + 1] = 0;
        for (int j = 0; j < 2 * ATTENDED; j++)
            y[2 * i + j % 2] += p[j / 2] * v[j];
    }
    return 0;
}
static int FN(attend_vjp)(const tg_call *c) {
    const real *q = c->input[0], *k = c->input[1], *v = c->input[2], *dy = c->output_grad;
    real p[ATTENDED], dp[ATTENDED], *dq = c->input_grad[0], *dk = c->input_grad[1], *dv = c->input_grad[2];
    for (int64_t i = 0; i < c->output_shape->size[0]; i++, q += 2, dq = dq ? dq + 2 : NULL, dy += 2) {
        real mean = 0;
        FN(weights)(i, q, k, p, IS_F32 && spoilt != 1);
        for (int j = 0; j < ATTENDED; j++)
            mean += p[j] * (dp[j] = dy[0] * v[2 * j] + dy[1] * v[2 * j + 1]);
        for (int j = 0; j < 2 * ATTENDED; j++) {
            real ds = p[j / 2] * (dp[j / 2] - mean);
            if (dq)
                dq[j % 2] += ds * k[j], dk[j] += ds * q[j % 2];
            dv[j] += p[j / 2] * dy[j % 2];
        }
    }
    return 0;
}
PAIR(attend)

#undef PAIR
#define SECOND_TIME
#else

#include "tests/custom_maps.h"
#include "tests/float32_rows.h"

/* ---- what they share ---- */

/* Not linear in dy. */
enum { CLIPS, SKIPS };
static double bent(double v, double dy) { return way == CLIPS ? fmax(-2, fmin(2, v)) : fabs(dy) < 0.01 ? 0 : v; }

/* = instead of +=, or writes to what it may only read. */
enum { SETS, WRITES_X, WRITES_Y, WRITES_DY };
static int spoil_call(const tg_call *c, int64_t j) {
    float *written[] = {c->input_grad[0], (float *)(uintptr_t)c->input[0], (float *)(uintptr_t)c->output,
                        (float *)(uintptr_t)c->output_grad};
    written[way][j] *= way == SETS ? 0 : 1.0001f;
    return 0;
}

/* tanh by a table, linear between its entries, `way` of them for a distance of 1. Each is rounded by up to u/2, and a
 * slope, the difference of two of them times `way`, is away by up to way u. */
enum { TABLE_END = 8, TABLE_CELLS = 1024 };
static float entries_f32[2 * TABLE_END * TABLE_CELLS + 1];
static double entries_f64[2 * TABLE_END * TABLE_CELLS + 1];
static int cell(double x) { return (int)fmax(0, fmin((x + TABLE_END) * way, 2 * TABLE_END * way - 1)); }

static void fill_table(void) {
    for (int k = 0; k <= 2 * TABLE_END * way; k++)
        entries_f32[k] = (float)(entries_f64[k] = tanh((double)k / way - TABLE_END));
}

/* In float32 the gradient is a sum over all calls, that of x of the first call, or has |dy| for dy. */
enum { ALL_CALLS, FIRST_X, SIZE_OF_DY };
static struct {
    int calls;
    float sum[8], x[8];
} kept;
static double keep(int64_t j, double x, double dy) {
    if (kept.calls++ < 8)
        kept.x[j] = (float)x;
    double dx = 2 * (way == FIRST_X ? (double)kept.x[j] : x) * (way == SIZE_OF_DY ? fabs(dy) : dy);
    kept.sum[j] += (float)dx;
    return way == ALL_CALLS ? (double)kept.sum[j] : dx;
}

enum { N_LOSING = 60, ATTENDED = 4 };

#define TG_SELF "tests/float32_custom_test.c"
#include "core/twice.h"

/* ---- their operands ---- */

static tg_tensor eight_by(tg_tape *t, double (*f)(void)) {
    double x[8];
    for (int j = 0; j < 8; j++)
        x[j] = f();
    return wanting(tg_from_doubles(t, TG_SHAPE(8), x));
}
static double near_84(void) { return (way ? -84 : 84) + uniform(); }
static double above_89(void) { return 89 + uniform(); }
static double far_up(void) { return 14 + 6 * fabs(normal()); }
static double hundreds(void) { return 100 * normal(); }
static double every_size(void) { return ordinary() * pow(10, -4 * uniform()); }
static double also_zero(void) { return uniform() < 0.5 ? 0 : ordinary(); }
static double small_one(void) { return 0.01 * normal(); }

MODEL(x_normal, eight_by(t, normal))
MODEL(x_ordinary, eight_by(t, ordinary))
MODEL(x_near_84, eight_by(t, near_84))
MODEL(x_above_89, eight_by(t, above_89))
MODEL(x_far_up, eight_by(t, far_up))
MODEL(x_hundreds, eight_by(t, hundreds))
MODEL(x_every_size, eight_by(t, every_size))
MODEL(x_also_zero, eight_by(t, also_zero))
MODEL(x_losing, leaf(t, TG_SHAPE(N_LOSING)))
MODEL(x_table, (fill_table(), eight_by(t, normal)))
MODEL(x_table_near_0, (fill_table(), eight_by(t, small_one)))
MODEL(x_kept, (memset(&kept, 0, sizeof kept), eight_by(t, normal)))
MODEL(x_near_1, wanting(tg_full(t, TG_SHAPE(1), 0.99 + 1e-3 * uniform())))

static tg_tensor squares_of(tg_tensor x) {
    return tg_custom(&squares, &x, 1, TG_SHAPE(tg_shape_of(x).size[0]), NULL, 0);
}
static tg_tensor row_of_expanded(tg_tape *t) {
    tg_tensor x = tg_tanh(wanting(tg_full(t, TG_SHAPE(1, 3), 0.3)));
    return tg_slice(tg_expand(x, TG_SHAPE(2, 3)), 0, 0, 1, 1);
}
MODEL(y_long_squares, squares_of(wanting(tg_full(t, TG_SHAPE(2, 100000), 0.1))))
MODEL(y_short_squares, squares_of(wanting(tg_full(t, TG_SHAPE(2, 3), 0.1))))
MODEL(y_squares, squares_of(wanting(tg_full(t, TG_SHAPE(2, 30), 0.7))))
MODEL(y_larger_squares, squares_of(wanting(tg_full(t, TG_SHAPE(2, 30), 1.7)))) /* a half is 0.6 % */
MODEL(y_squares_of_view, squares_of(row_of_expanded(t)))

static tg_tensor custom_of(const tg_custom_op *op, tg_tensor a, tg_tensor b, tg_tensor c, int n, tg_shape shape) {
    return tg_custom(op, (tg_tensor[]){a, b, c}, n, shape, NULL, 0);
}
MODEL(y_picked, custom_of(&picked, tg_from_ints(t, TG_SHAPE(4), (int64_t[]){2, 0, 2, 1}),
                          tg_exp(tg_probe_leaf(t, TG_SHAPE(3))), TG_NULL, 2, TG_SHAPE(4)))
static tg_tensor attended(tg_tape *t, double size, bool scores_too) {
    tg_tensor x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = spread(t, TG_SHAPE(ATTENDED, 2), size, 1);
        x[i] = tg_set_requires_grad(x[i], scores_too || i == 2);
    }
    return tg_custom(&attend, x, 3, TG_SHAPE(ATTENDED, 2), NULL, 0);
}
MODEL(y_saturated, attended(t, 30, true))
MODEL(y_masked, attended(t, 0, true))
MODEL(y_masked_values, attended(t, 0, false))

/* Equal operands: one tensor, of which each gets 0.9 and -0.9, or (way 1) two. */
static tg_tensor y_pinball(tg_tape *t) {
    tg_rng_state before = rng;
    tg_tensor a = leaf(t, TG_SHAPE(8)), b = a;
    rng = before;
    if (way)
        b = leaf(t, TG_SHAPE(8));
    return custom_of(&pinball, a, b, TG_NULL, 2, TG_SHAPE(8));
}

static tg_tensor overflow(tg_tape *t) {
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(2), 50));
    return way ? tg_tanh(tg_pow_tensor(x, tg_full(t, TG_SHAPE(2), 30))) : tg_log(tg_mul(tg_exp(x), tg_exp(x)));
}

#define OF(op, x, spoilt, way, seeds, full, fast) \
    { #op " of " #x ", " #spoilt ", " #way, x, &op, spoilt, way, seeds, full, fast, TG_MISTAKE_FLOAT32 }
#define CALL(y, spoilt, way, seeds, full, fast) \
    { #y ", " #spoilt ", " #way, y, NULL, spoilt, way, seeds, full, fast, TG_MISTAKE_FLOAT32 }
#define NAMED(op, x, spoilt, way, seeds, full, fast, mistake) \
    { #op " of " #x ", " #way, x, &op, spoilt, way, seeds, full, fast, mistake }

static const row customs[] = {
    /* right: float loses digits, the same ones at all neighbours; tables; cases of their own */
    OF(power, x_losing, 1, 0, 4, "R", "R"), OF(times, x_losing, 1, 0, 4, "R", "R"),
    OF(waves, x_losing, 1, 0, 4, "R", "R"), OF(table, x_table, 1, 64, 5, "RC", "RC"),
    OF(table, x_table, 1, 256, 5, "RC", "RC"), OF(table, x_table, 1, 1024, 5, "RC", "RC"),
    OF(table, x_table_near_0, 1, 64, 5, "RC", "RC"), OF(table, x_table_near_0, 1, 1024, 5, "RC", "RC"),
    OF(share, x_near_84, 1, 0, 10, "R", "R"), OF(share, x_near_84, 1, 1, 10, "R", "R"),
    OF(penalty, x_normal, 1, 0, 20, "R", "R"), OF(refusing, x_near_1, 1, 0, 20, "R", "R"),
    OF(sinc, x_also_zero, 1, 0, 10, "R", "R"), OF(norm, x_normal, 1, 0, 30, "RC", "RC"),
    CALL(y_short_squares, 1, 0, 2, "R", "R"), CALL(y_squares_of_view, 1, 0, 2, "R", "R"),
    CALL(y_picked, 1, 0, 4, "R", "R"), CALL(y_pinball, 1, 0, 10, "R", "R"), CALL(y_pinball, 1, 1, 10, "R", "R"),
    /* right, but float32 has few digits left of it: in 1 - y, in what cancels, in what 100,000 sums lose alike */
    OF(logistic, x_far_up, 1, 0, 20, "RC", "RC"), OF(tanhc, x_also_zero, 1, 0, 10, "RC", "RC"),
    OF(growth, x_also_zero, 1, 0, 10, "RC", "RC"), OF(sinc, x_every_size, 1, 0, 40, "RC", "RC"),
    OF(tanhc, x_every_size, 1, 0, 40, "RC", "RC"), CALL(y_long_squares, 1, 0, 1, NULL, "RC"),
    /* right, but the float32 kernels lose digits that a path or another dy shows, and may be called wrong: of saturated
       weights, of (x e^x - e^x + 1) / x^2 for small x */
    CALL(y_saturated, 1, 0, 40, "RCW", "RCW"), OF(growth, x_every_size, 1, 0, 40, "RCW", "RC"),
    /* right, but of another result than float64's: all scores of a row are lost beside -1e9; a half more */
    CALL(y_masked, 1, 1, 10, "W", "W"), CALL(y_masked_values, 1, 1, 10, "W", "W"), CALL(y_squares, 1, 1, 4, "W", "W"),
    CALL(y_larger_squares, 1, 1, 4, "W", "RCW"),
    /* wrong, in float32 alone */
    OF(power, x_losing, -1, 0, 4, "W", "W"), OF(power, x_losing, 2, 0, 4, "W", "W"),
    OF(times, x_losing, -1, 0, 4, "W", "W"), OF(times, x_losing, 2, 0, 4, "W", "W"),
    OF(times, x_losing, 1.01f, 0, 4, "W", "RCW"), OF(waves, x_losing, -1, 0, 4, "W", "W"),
    OF(waves, x_losing, 2, 0, 4, "W", "W"), OF(waves, x_losing, 1.01f, 0, 4, "W", "RCW"),
    OF(table, x_table, -1, 64, 5, "W", "W"), OF(table, x_table, -1, 256, 5, "W", "W"),
    OF(table, x_table, -1, 1024, 5, "W", "W"), OF(table, x_table_near_0, -1, 1024, 5, "W", "W"),
    OF(half_square, x_hundreds, 1, 0, 10, "W", "W"), OF(penalty, x_normal, 0, 0, 10, "W", "W"),
    OF(penalty, x_normal, -1, 0, 10, "W", "W"), OF(penalty, x_normal, 0.5f, 0, 10, "W", "W"),
    OF(sinc, x_ordinary, 1.01f, 0, 20, "W", "RCW"), OF(tanhc, x_ordinary, 1.01f, 0, 20, "W", "RCW"),
    OF(growth, x_ordinary, 1.01f, 0, 20, "W", "RCW"), OF(sine, x_normal, 1, CLIPS, 20, "W", "W"),
    OF(sine, x_normal, 1, SKIPS, 20, "W", "W"), CALL(y_squares, -1, 0, 4, "W", "W"), CALL(y_picked, -1, 0, 4, "W", "W"),
    CALL(y_masked, 0, 1, 10, "W", "W"), CALL(y_masked_values, 0, 1, 10, "W", "W"),
    NAMED(square, x_normal, 1, SETS, 20, "W", "W", TG_MISTAKE_OVERWRITE),
    NAMED(square, x_normal, 1, WRITES_X, 20, "W", "W", TG_MISTAKE_WRITES),
    NAMED(square, x_normal, 1, WRITES_Y, 20, "W", "W", TG_MISTAKE_WRITES),
    NAMED(square, x_normal, 1, WRITES_DY, 20, "W", "W", TG_MISTAKE_WRITES),
    NAMED(keeping, x_kept, 1, ALL_CALLS, 10, "W", "W", TG_MISTAKE_NONE),
    NAMED(keeping, x_kept, 1, SIZE_OF_DY, 10, "W", "W", TG_MISTAKE_NONE),
    /* wrong where f does not move: one tensor for both operands */
    CALL(y_pinball, 1.001f, 0, 10, "WC", "WC"),
    /* wrong on both sides of a kink, which a path of two equal tensors crosses at once */
    CALL(y_pinball, -1, 1, 10, "WC", "WC"),
    /* wrong everywhere but at the point that is asked about */
    NAMED(keeping, x_kept, 1, FIRST_X, 10, "RCW", "RCW", TG_MISTAKE_NONE),
    /* wrong by less than a 64th of what moves, where rounding hides as much */
    OF(power, x_losing, 1.01f, 0, 4, "RCW", "RCW"), OF(power, x_losing, 1.001f, 0, 4, "RCW", "RCW"),
    OF(times, x_losing, 1.001f, 0, 4, "RCW", "RCW"), OF(waves, x_losing, 1.001f, 0, 4, "RCW", "RCW"),
    OF(table, x_table, 1.001f, 64, 5, "RCW", "RCW"), OF(table, x_table, 1.001f, 1024, 5, "RCW", "RCW"),
    /* more than float32 has room for */
    OF(bare, x_above_89, 1, 0, 10, "C", "C"), CALL(overflow, 1, 0, 1, "C", "C"), CALL(overflow, 1, 1, 1, "C", "C")};
enum { N_CUSTOMS = sizeof customs / sizeof *customs };

START_TEST(a_mistake_in_float_is_wrong_and_its_rounding_is_not)
{ want_rows(&customs[_i]); }
END_TEST

int main(void) {
    TCase *c = tcase_create("float32_custom");
    tcase_add_loop_test(c, a_mistake_in_float_is_wrong_and_its_rounding_is_not, 0, N_CUSTOMS);
    return run_suite("float32_custom", c);
}
#endif
