/* Custom operations as somebody writes them who knows the public header alone: families with a right VJP (mistake 0)
 * and with the mistakes that people make in it; others from expressions. For the suites of the gradient check. */
#ifndef TAPEGRAD_TEST_CUSTOM_OPS_H
#define TAPEGRAD_TEST_CUSTOM_OPS_H

#include "core/tapegrad.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What most operations of the tests are given: which mistake, and by what the VJP multiplies. */
typedef struct planted {
    int way;
    double by;
} planted;

/* What a call works on: the first input as rows (m, n), the others, their gradients (NULL where none is wanted). Of the
 * context the families below have the int alone. */
typedef struct job {
    int64_t m, n, numel, n_w;
    const double *x, *w, *b, *y, *dy;
    double *out, *dx, *dw, *db;
    int mistake;
    const tg_call *call;
} job;

static inline job open_job(const tg_call *c) {
    const tg_shape *s = &c->input_shape[0];
    job j = {.m = 1, .n = s->ndim ? s->size[s->ndim - 1] : 1, .mistake = c->context ? *(const int *)c->context : 0};
    for (int i = 0; i < s->ndim - 1; i++)
        j.m *= s->size[i];
    j.numel = j.m * j.n;
    j.n_w = 1;
    for (int i = 0; c->n_inputs > 1 && i < c->input_shape[1].ndim; i++)
        j.n_w *= c->input_shape[1].size[i];
    const double **in[] = {&j.x, &j.w, &j.b};
    double **grad[] = {&j.dx, &j.dw, &j.db};
    for (int i = 0; i < c->n_inputs && i < 3; i++) {
        *in[i] = c->input[i];
        *grad[i] = c->output_grad ? c->input_grad[i] : NULL;
    }
    j.out = c->output;
    j.y = c->output;
    j.dy = c->output_grad;
    j.call = c;
    return j;
}

static inline double by_of(const job *j) { return ((const planted *)j->call->context)->by; }

/* An operation from two functions of a job. */
#define FAMILY(name)                           \
    static int name##_run(const tg_call *c) {  \
        job j = open_job(c);                   \
        name##_forward(&j);                    \
        return 0;                              \
    }                                          \
    static int name##_back(const tg_call *c) { \
        job j = open_job(c);                   \
        name##_vjp(&j);                        \
        return 0;                              \
    }                                          \
    static const tg_custom_op name = {#name, NULL, NULL, name##_run, name##_back};

/* y[i] = f of x and i; what is added to dx[i], of x, y, dy, way, by as well. */
#define EACH(name, f, df)                                   \
    static void name##_forward(job *j) {                    \
        for (int64_t i = 0; i < j->numel; i++) {            \
            double x = j->x[i];                             \
            j->out[i] = (double)(f);                        \
        }                                                   \
    }                                                       \
    static void name##_vjp(job *j) {                        \
        double by = by_of(j);                               \
        for (int64_t i = 0; i < j->numel; i++) {            \
            double x = j->x[i], y = j->y[i], dy = j->dy[i]; \
            (void)x, (void)y, (void)dy, (void)by;           \
            j->dx[i] += (double)(df);                       \
        }                                                   \
    }                                                       \
    FAMILY(name)

/* y[i] = f of x, a and i, a the second operand's element, which broadcasts; what is added to dx[i], and to da. */
#define EACH_TWO(name, f, df, da)                                                 \
    static void name##_forward(job *j) {                                          \
        for (int64_t i = 0; i < j->numel; i++) {                                  \
            double x = j->x[i], a = j->w[i % j->n_w];                             \
            j->out[i] = (double)(f);                                              \
        }                                                                         \
    }                                                                             \
    static void name##_vjp(job *j) {                                              \
        double by = by_of(j);                                                     \
        for (int64_t i = 0; i < j->numel; i++) {                                  \
            double x = j->x[i], a = j->w[i % j->n_w], y = j->y[i], dy = j->dy[i]; \
            (void)x, (void)a, (void)y, (void)dy, (void)by;                        \
            if (j->dx)                                                            \
                j->dx[i] += (double)(df);                                         \
            if (j->dw)                                                            \
                j->dw[i % j->n_w] += (double)(da);                                \
        }                                                                         \
    }                                                                             \
    FAMILY(name)

/* Its branches: so many, the i-th of which is value. */
#define BRANCHES(name, count, value)                     \
    static int name(const tg_call *c, int64_t *branch) { \
        const job opened = open_job(c), *j = &opened;    \
        for (int64_t i = 0; i < (count); i++)            \
            branch[i] = (value);                         \
        return 0;                                        \
    }

/* The operation with that mistake. */
static inline tg_tensor apply(const tg_custom_op *op, int way, double by, const tg_tensor *x, int n, tg_shape shape) {
    planted given = {way, by};
    return tg_custom(op, x, n, shape, &given, sizeof given);
}
static inline tg_tensor apply_to(const tg_custom_op *op, int way, double by, tg_tensor x) {
    return apply(op, way, by, &x, 1, tg_shape_of(x));
}

/* To so many bits. */
static inline double round_to(double x, int bits) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    return ldexp(rint(ldexp(mantissa, bits)), exponent - bits);
}
static inline double in_float(double x) { return (double)(float)x; }

static inline double row_dot(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}
static inline double row_sum_of(const double *a, int64_t n) {
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += a[k];
    return sum;
}

/* p = softmax x; ln sum e^x */
static inline double softmax_row(const double *x, double *p, int64_t n) {
    double most = -INFINITY, sum = 0;
    for (int64_t k = 0; k < n; k++)
        most = fmax(most, x[k]);
    for (int64_t k = 0; k < n; k++)
        sum += p[k] = exp(x[k] - most);
    for (int64_t k = 0; k < n; k++)
        p[k] /= sum;
    return most + log(sum);
}

/* ---- softmax over rows: 1 diagonal only, 2 the sum is missing, 3 the sum is of dy, 4 sums over columns, 5 y (1 - dy),
 * 6 only the first row ---- */

static void my_softmax_forward(job *j) {
    for (int64_t at = 0; at < j->numel; at += j->n)
        softmax_row(j->x + at, j->out + at, j->n);
}

static void my_softmax_vjp(job *j) {
    for (int64_t i = 0; i < (j->mistake == 6 ? j->n : j->numel); i++) {
        int64_t begin = i / j->n * j->n;
        double dot = row_dot(j->y + begin, j->dy + begin, j->n), all = row_sum_of(j->dy + begin, j->n), column = 0;
        for (int64_t r = i % j->n; r < j->numel; r += j->n)
            column += j->y[r] * j->dy[r];
        double y = j->y[i], dy = j->dy[i], right = y * (dy - dot);
        const double dx[] = {right, y * (1 - y) * dy, y * dy, y * (dy - all), y * (dy - column), y * (1 - dy), right};
        j->dx[i] += dx[j->mistake];
    }
}
FAMILY(my_softmax)

/* ---- layer norm over rows, with weights: 1 mean constant, 2 variance constant, 3 both, 4 no eps, 5 eps outside the
 * root, 6 n - 1, 7 dw from x, 8 dw without the sum over rows, 9 w forgotten in dx, 10 1/std twice ---- */

/* h = x - mean; the sum of h^2 */
static inline double centre(const double *x, double *h, int64_t n) {
    double mean = row_sum_of(x, n) / (double)n;
    for (int64_t k = 0; k < n; k++)
        h[k] = x[k] - mean;
    return row_dot(h, h, n);
}

static void my_norm_forward(job *j) {
    double h[64];
    for (int64_t at = 0; at < j->numel; at += j->n) {
        double std = sqrt(centre(j->x + at, h, j->n) / (double)j->n + 1e-3);
        for (int64_t k = 0; k < j->n; k++)
            j->out[at + k] = h[k] / std * j->w[k];
    }
}

static void my_norm_vjp(job *j) {
    double n = (double)j->n, h[64], g[64], eps = j->mistake == 4 || j->mistake == 5 ? 0 : 1e-3;
    bool no_mean = j->mistake == 1 || j->mistake == 3, no_var = j->mistake == 2 || j->mistake == 3;
    for (int64_t at = 0; at < j->numel; at += j->n) {
        double var = centre(j->x + at, h, j->n) / (j->mistake == 6 ? n - 1 : n);
        double std = sqrt(var + eps) + (j->mistake == 5 ? 1e-3 : 0);
        for (int64_t k = 0; k < j->n; k++) {
            h[k] /= std;
            g[k] = j->dy[at + k] * (j->mistake == 9 ? 1 : j->w[k]);
            if (j->dw && (j->mistake != 8 || at + j->n == j->numel))
                j->dw[k] += j->dy[at + k] * (j->mistake == 7 ? j->x[at + k] : h[k]);
        }
        double g_mean = no_mean ? 0 : row_sum_of(g, j->n) / n, gh_mean = no_var ? 0 : row_dot(g, h, j->n) / n;
        for (int64_t k = 0; k < j->n && j->dx; k++)
            j->dx[at + k] += (g[k] - g_mean - h[k] * gh_mean) / (j->mistake == 10 ? std * std : std);
    }
}
FAMILY(my_norm)

/* ---- y (m, p) = x (m, n) w (n, p): 1 w not transposed, 2 dw transposed, 3 dw from the first row only, 4 dx swapped
 * with dy's order, 5 dw = instead of += over rows, 6 the last column forgotten, 7 1/m too many in dw ---- */

static void my_matmul_forward(job *j) {
    for (int64_t i = 0; i < j->m * j->n; i++) { /* w is square */
        j->out[i] = 0;
        for (int64_t k = 0; k < j->n; k++)
            j->out[i] += j->x[i / j->n * j->n + k] * j->w[k * j->n + i % j->n];
    }
}

static void my_matmul_vjp(job *j) {
    int64_t p = j->n, n = j->n;
    for (int64_t r = 0; r < j->m; r++)
        for (int64_t q = 0; q < p - (j->mistake == 6); q++)
            for (int64_t k = 0; k < n; k++) {
                double dy = j->dy[r * p + q], part = j->x[r * n + k] * dy;
                if (j->dx)
                    j->dx[r * n + (j->mistake == 4 ? n - 1 - k : k)] +=
                        dy * j->w[j->mistake == 1 ? q * p + k : k * p + q];
                if (!j->dw || (j->mistake == 3 && r))
                    continue;
                double *dw = &j->dw[j->mistake == 2 ? q * n + k : k * p + q];
                *dw = (j->mistake == 5 ? 0 : *dw) + (j->mistake == 7 ? part / (double)j->m : part);
            }
}
FAMILY(my_matmul)

/* ---- y = x + b over rows: 1 db from the last row, 2 db averaged, 3 db of dy[0] only, 4 db forgotten ---- */

static void my_bias_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] + j->w[i % j->n];
}

static void my_bias_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        double dy = j->dy[i];
        const double db[] = {dy, i < j->numel - j->n ? 0 : dy, dy / (double)j->m, j->dy[0], 0};
        if (j->dx)
            j->dx[i] += dy;
        if (j->dw)
            j->dw[i % j->n] += db[j->mistake];
    }
}
FAMILY(my_bias)

/* ---- the mean of (x - t)^2: 1 no 2, 2 no 1/n, 3 no sign for t, 4 n of one row, 5 not times dy ---- */

static void my_mse_forward(job *j) {
    *j->out = 0;
    for (int64_t i = 0; i < j->numel; i++)
        *j->out += (j->x[i] - j->w[i]) * (j->x[i] - j->w[i]) / (double)j->numel;
}

static void my_mse_vjp(job *j) {
    double n = (double)(j->mistake == 2 ? 1 : j->mistake == 4 ? j->n : j->numel);
    double s = (j->mistake == 1 ? 1 : 2) / n * (j->mistake == 5 ? 1 : *j->dy);
    for (int64_t i = 0; i < j->numel; i++) {
        double d = s * (j->x[i] - j->w[i]);
        if (j->dx)
            j->dx[i] += d;
        if (j->dw)
            j->dw[i] += j->mistake == 3 ? d : -d;
    }
}
FAMILY(my_mse)

/* ---- cross entropy, row r's class is r % n: 1 no one-hot, 2 no 1/m, 3 no softmax (x - onehot), 4 the first row only,
 * 5 the next class, 6 divided by n ---- */

static void my_entropy_forward(job *j) {
    double p[64];
    *j->out = 0;
    for (int64_t r = 0; r < j->m; r++)
        *j->out += (softmax_row(j->x + r * j->n, p, j->n) - j->x[r * j->n + r % j->n]) / (double)j->m;
}

static void my_entropy_vjp(job *j) {
    double p[64], n = (double)(j->mistake == 2 ? 1 : j->mistake == 6 ? j->n : j->m);
    for (int64_t r = 0; r < (j->mistake == 4 ? 1 : j->m); r++) {
        const double *x = j->x + r * j->n;
        softmax_row(x, p, j->n);
        for (int64_t k = 0; k < j->n; k++) {
            bool target = k == (r + (j->mistake == 5)) % j->n && j->mistake != 1;
            j->dx[r * j->n + k] += ((j->mistake == 3 ? x[k] : p[k]) - target) / n * *j->dy;
        }
    }
}
FAMILY(my_entropy)

/* ---- y[i] = max(x[2i], x[2i+1]): 1 always the first, 2 both, 3 the smaller; 4 their mean instead ---- */

static void my_pool_forward(job *j) {
    for (int64_t i = 0; i < j->numel / 2; i++)
        j->out[i] = fmax(j->x[2 * i], j->x[2 * i + 1]);
}

static void my_pool_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        bool larger = i % 2 ? j->x[i] > j->x[i - 1] : j->x[i] >= j->x[i + 1];
        const double share[] = {larger, i % 2 == 0, 1, !larger, 0.5};
        j->dx[i] += share[j->mistake] * j->dy[i / 2];
    }
}
FAMILY(my_pool)

/* ---- y[i] = sum_k x[i + k] w[k], three taps: 1 the kernel turned in dx, 2 the last tap forgotten, 3 dw shifted, 4 dx
 * at i only ---- */

enum { TAPS = 3 };

static void my_conv_forward(job *j) {
    for (int64_t i = 0; i + TAPS <= j->numel; i++)
        j->out[i] = row_dot(j->x + i, j->w, TAPS);
}

static void my_conv_vjp(job *j) {
    for (int64_t i = 0; i + TAPS <= j->numel; i++)
        for (int64_t k = 0; k < TAPS - (j->mistake == 2); k++) {
            if (j->dx)
                j->dx[j->mistake == 4 ? i : i + k] += j->dy[i] * j->w[j->mistake == 1 ? TAPS - 1 - k : k];
            if (j->dw)
                j->dw[k] += j->dy[i] * j->x[j->mistake == 3 && k ? i + k - 1 : i + k];
        }
}
FAMILY(my_conv)

/* ---- y = cumulative sums: 1 the same forward, 2 passed on, 3 the last forgotten ---- */

static void my_cumsum_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = row_sum_of(j->x, i + 1);
}

static void my_cumsum_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        double behind = row_sum_of(j->dy + i, j->numel - i);
        const double dx[] = {behind, row_sum_of(j->dy, i + 1), j->dy[i], behind - j->dy[j->numel - 1]};
        j->dx[i] += dx[j->mistake];
    }
}
FAMILY(my_cumsum)

/* ---- y = x / |x| of each row: 1 dy / |x| only, 2 the projection without 1/|x|^2, 3 sign of the projection ---- */

static void my_unit_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        const double *x = j->x + i / j->n * j->n;
        j->out[i] = j->x[i] / sqrt(row_dot(x, x, j->n));
    }
}

static void my_unit_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        int64_t at = i / j->n * j->n;
        double length = sqrt(row_dot(j->x + at, j->x + at, j->n)), dot = row_dot(j->y + at, j->dy + at, j->n);
        const double along[] = {dot * j->y[i], 0, dot * j->x[i], -dot * j->y[i]};
        j->dx[i] += (j->dy[i] - along[j->mistake]) / length;
    }
}
FAMILY(my_unit)

/* ---- sorted: 1 dy in the order of y ---- */

static int64_t rank_of(const job *j, int64_t i) {
    int64_t rank = 0;
    for (int64_t k = 0; k < j->numel; k++)
        rank += j->x[k] < j->x[i] || (j->x[k] == j->x[i] && k < i);
    return rank;
}

static void my_sort_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[rank_of(j, i)] = j->x[i];
}

static void my_sort_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += j->dy[j->mistake == 1 ? i : rank_of(j, i)];
}
FAMILY(my_sort)

/* ---- y[i] = x[id[i]] with repeating ids: 1 = for +=, 2 the id of the next, 3 nothing where an id repeats ---- */

static const int gathered[] = {0, 3, 3, 1, 5, 5, 5, 2};
enum { N_IDS = sizeof gathered / sizeof *gathered };

static void my_gather_forward(job *j) {
    for (int64_t i = 0; i < N_IDS; i++)
        j->out[i] = j->x[gathered[i]];
}

static void my_gather_vjp(job *j) {
    for (int i = 0; i < N_IDS; i++) {
        double *d = &j->dx[gathered[j->mistake == 2 ? (i + 1) % N_IDS : i]];
        bool repeats = i && gathered[i] == gathered[i - 1];
        *d = j->mistake == 1 ? j->dy[i] : *d + (j->mistake == 3 && repeats ? 0 : j->dy[i]);
    }
}
FAMILY(my_gather)

/* ---- y = x^2, with loops gone wrong: 1 one short, 2 fours only, 3 dy[0] for all, 4 backwards, 5 = for +=, 6 added
 * twice, 7 a static buffer that is never cleared, 8 dy of the first call, 9 a mask drawn anew, 10 positive dy only, 11
 * a NaN, 12 an index one off, 13 the first half only, 14 integers ---- */

static void my_loop_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] * j->x[i];
}

static void my_loop_vjp(job *j) {
    static double kept[64], first[64];
    static bool called;
    int64_t n = j->numel;
    if (!called && j->mistake == 8)
        memcpy(first, j->dy, (size_t)n * sizeof *first);
    called |= j->mistake == 8;
    int64_t end = j->mistake == 1 ? n - 1 : j->mistake == 2 ? n / 4 * 4 : j->mistake == 13 ? n / 2 : n;
    for (int64_t i = 0; i < end; i++) {
        double slope = 2 * j->x[i], dy = j->dy[i], right = slope * dy;
        bool drawn = j->mistake == 9 && rand() & 1;
        const double g[] = {right,
                            right,
                            right,
                            slope * j->dy[0],
                            slope * j->dy[n - 1 - i],
                            right,
                            2 * right,
                            j->mistake == 7 ? kept[i] += right : 0,
                            slope * first[i],
                            drawn ? 2 * right : 0,
                            dy > 0 ? right : 0,
                            i == 2 ? NAN : right,
                            2 * j->x[(i + 1) % n] * dy,
                            right,
                            (double)(int)slope * dy};
        j->dx[i] = (j->mistake == 5 ? 0 : j->dx[i]) + g[j->mistake];
    }
}
FAMILY(my_loop)

/* ---- attention of one head, x (m, n) as q = k = v: with mistakes 1 scale forgotten, 2 softmax elementwise, 3 the part
 * through k forgotten, 4 v detached ---- */

/* Row a's weights. */
static void weights_of(const job *j, int64_t a, double *p) {
    double s[8];
    for (int64_t b = 0; b < j->m; b++)
        s[b] = row_dot(j->x + a * j->n, j->x + b * j->n, j->n) / sqrt((double)j->n);
    softmax_row(s, p, j->m);
}

static void my_attention_forward(job *j) {
    double p[8];
    for (int64_t i = 0; i < j->numel; i++) {
        weights_of(j, i / j->n, p);
        j->out[i] = 0;
        for (int64_t b = 0; b < j->m; b++)
            j->out[i] += p[b] * j->x[b * j->n + i % j->n];
    }
}

static void my_attention_vjp(job *j) {
    double p[8], dp[8], scale = j->mistake == 1 ? 1 : 1 / sqrt((double)j->n);
    int64_t n = j->n;
    for (int64_t a = 0; a < j->m; a++) {
        const double *dy = j->dy + a * n;
        weights_of(j, a, p);
        for (int64_t b = 0; b < j->m; b++)
            dp[b] = row_dot(dy, j->x + b * n, n);
        double dot = j->mistake == 2 ? 0 : row_dot(p, dp, j->m);
        for (int64_t i = 0; i < j->numel; i++) {
            int64_t b = i / n, k = i % n;
            double ds = p[b] * (dp[b] - dot) * scale;
            j->dx[a * n + k] += ds * j->x[i];
            j->dx[i] += (j->mistake == 3 ? 0 : ds * j->x[a * n + k]) + (j->mistake == 4 ? 0 : p[b] * dy[k]);
        }
    }
}
FAMILY(my_attention)

/* ---- y = x w; what w's gradient held is read before x's is written: lost when they are one ---- */

static void forgetful_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] * j->w[i];
}

static void forgetful_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        double held = j->dw ? j->dw[i] : 0;
        if (j->dx)
            j->dx[i] += j->dy[i] * j->w[i];
        if (j->dw)
            j->dw[i] = held + j->dy[i] * j->x[i];
    }
}
FAMILY(forgetful)

/* ---- all of them ---- */

typedef struct family {
    const tg_custom_op *op;
    int mistakes;
    int64_t rows, columns, w_rows, w_columns; /* of x and w; w_rows 0: no w */
    int64_t y_rows;                           /* 0: as x; -1: a scalar */
} family;

static const family families[] = {
    {&my_softmax, 6, 3, 5, 0, 0, 0}, {&my_norm, 10, 3, 5, 0, 5, 0},     {&my_matmul, 7, 4, 3, 3, 3, 0},
    {&my_bias, 4, 4, 3, 0, 3, 0},    {&my_mse, 5, 3, 4, 3, 4, -1},      {&my_entropy, 6, 5, 4, 0, 0, -1},
    {&my_pool, 4, 2, 6, 0, 0, 6},    {&my_conv, 4, 1, 11, 0, 3, 9},     {&my_cumsum, 3, 1, 7, 0, 0, 0},
    {&my_unit, 3, 3, 4, 0, 0, 0},    {&my_sort, 1, 2, 4, 0, 0, 0},      {&my_gather, 3, 1, 7, 0, 0, N_IDS},
    {&my_loop, 14, 1, 10, 0, 0, 0},  {&my_attention, 4, 5, 3, 0, 0, 0},
};
enum { N_FAMILIES = sizeof families / sizeof *families };

static inline tg_shape shape_for(int64_t rows, int64_t columns) {
    return rows > 1 ? TG_SHAPE(rows, columns) : TG_SHAPE(columns);
}
static inline tg_shape operand_of(const family *f) { return shape_for(f->rows, f->columns); }
static inline tg_shape weight_of(const family *f) { return shape_for(f->w_rows, f->w_columns); }

/* w: null where the family has none. */
static inline tg_tensor apply_family(const family *f, int mistake, tg_tensor x, tg_tensor w) {
    tg_shape shape = f->y_rows < 0 ? TG_SCALAR : f->y_rows ? TG_SHAPE(f->y_rows) : tg_shape_of(x);
    return apply(f->op, mistake, 0, (tg_tensor[]){x, w}, f->w_columns ? 2 : 1, shape);
}

#endif
