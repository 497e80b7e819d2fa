/* Rows: the plain kernels behind reductions, softmax and normalisation. See core/kernels/rows.h. */
#include "core/kernels/rows.h"

#ifndef real
/* A leaf of the pairwise tree has at most LEAF elements in LANES interleaved partial sums. */
enum { LEAF = 128, LANES = 8 };

/* Where the tree splits n > LEAF elements: at a whole number of lanes. */
static int64_t half_of(int64_t n) { return n / 2 / LANES * LANES; }
#endif

#ifdef real

static real FN(add_lanes)(const real *s) { return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])); }

real FN(tg_row_sum)(int64_t n, const real *x) {
    if (n > LEAF) {
        int64_t h = half_of(n);
        return FN(tg_row_sum)(h, x) + FN(tg_row_sum)(n - h, x + h);
    }
    real s[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += x[j + k];
    for (; j < n; j++)
        s[j % LANES] += x[j];
    return FN(add_lanes)(s);
}

real FN(tg_row_dot)(int64_t n, const real *x, const real *y) {
    if (n > LEAF) {
        int64_t h = half_of(n);
        return FN(tg_row_dot)(h, x, y) + FN(tg_row_dot)(n - h, x + h, y + h);
    }
    real s[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += x[j + k] * y[j + k];
    for (; j < n; j++)
        s[j % LANES] += x[j] * y[j];
    return FN(add_lanes)(s);
}

real FN(tg_row_squares)(int64_t n, const real *x, real shift) {
    if (n > LEAF) {
        int64_t h = half_of(n);
        return FN(tg_row_squares)(h, x, shift) + FN(tg_row_squares)(n - h, x + h, shift);
    }
    real s[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += (x[j + k] - shift) * (x[j + k] - shift);
    for (; j < n; j++)
        s[j % LANES] += (x[j] - shift) * (x[j] - shift);
    return FN(add_lanes)(s);
}

real FN(tg_row_max)(int64_t n, const real *x) {
    real m[LANES];
    for (int k = 0; k < LANES; k++)
        m[k] = -INFINITY;
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            m[k] = x[j + k] > m[k] ? x[j + k] : m[k];
    for (; j < n; j++)
        m[0] = x[j] > m[0] ? x[j] : m[0];
    for (int k = 1; k < LANES; k++)
        m[0] = m[k] > m[0] ? m[k] : m[0];
    return m[0];
}

#else
#define TG_SELF "kernels/rows.c"
#include "core/twice.h"

enum { SHARE = 16 << 10 }; /* elements that one thread takes at a time */

static void share(tg_rows rows, tg_range_task *kernel) {
    int64_t n = tg_row_length(rows.y);
    if (n)
        tg_parallel_range(rows.y->numel / n, SHARE / n + 1, kernel, &rows);
}

tg_status tg_share_rows(tg_node *y, tg_range_task *kernel) {
    share((tg_rows){.y = y}, kernel);
    return TG_OK;
}

tg_status tg_share_rows_vjp(tg_node *y, tg_range_task *kernel) {
    tg_slot slot = tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    share((tg_rows){y, slot.data, slot.fresh}, kernel);
    tg_grad_close(&slot);
    return TG_OK;
}

#endif
