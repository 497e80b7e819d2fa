/* Sums and maxima over a contiguous row. Sums are pairwise: the error grows with log n, not n (Higham 1993), and
 * the order of additions depends only on n, so that every run gives the same bits. */
#ifndef TAPEGRAD_ROWS_H
#define TAPEGRAD_ROWS_H

#include "core/kernels/threads.h"
#include "core/op.h"

float tg_row_sum_f32(int64_t n, const float *x);
double tg_row_sum_f64(int64_t n, const double *x);
/* sum of x[j] y[j] */
float tg_row_dot_f32(int64_t n, const float *x, const float *y);
double tg_row_dot_f64(int64_t n, const double *x, const double *y);
/* sum of (x[j] - shift)^2 */
float tg_row_squares_f32(int64_t n, const float *x, float shift);
double tg_row_squares_f64(int64_t n, const double *x, double shift);
/* The largest element other than NaN; -inf when there is none. */
float tg_row_max_f32(int64_t n, const float *x);
double tg_row_max_f64(int64_t n, const double *x);

/* Rows of y's last dim, shared among threads: kernel(&rows, begin, end, worker) works on rows begin .. end - 1. The
 * VJP's kernel adds to dx, the dense gradient of y's only input, or overwrites it when it is fresh. */
typedef struct tg_rows {
    const tg_node *y;
    void *dx;
    bool fresh;
} tg_rows;
tg_status tg_share_rows(tg_node *y, tg_range_task *kernel);
tg_status tg_share_rows_vjp(tg_node *y, tg_range_task *kernel);
static inline int64_t tg_row_length(const tg_node *y) { return y->ndim ? y->size[y->ndim - 1] : 1; }

#endif
