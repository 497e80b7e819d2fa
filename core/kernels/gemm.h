/* Matrix products on strided matrices. */
#ifndef TAPEGRAD_GEMM_H
#define TAPEGRAD_GEMM_H

#include "core/kernels/isa.h"

/* C = A B, or C += A B when add: A m x k, B k x n, C m x n; element (i, j) of A is a[i*a_row + j*a_col], any
 * strides. C is not read unless add. The same bits on every run and for every number of threads. Returns TG_OK, or
 * the status after tg_fail (no memory to pack into).
 *
 * Half of the work may be left out: in C, or in A, row i has something up to column i + diagonal only, or (upper) from
 * column i - diagonal on. What lies beyond is not computed in C, and in A must be 0. diagonal >= 0. */
typedef enum tg_triangle { TG_WHOLE, TG_LOWER_C, TG_LOWER_A, TG_UPPER_A } tg_triangle;
tg_status tg_gemm_triangle_f32(tg_tape *t, tg_triangle triangle, int64_t diagonal, int64_t m, int64_t n, int64_t k,
                               const float *a, ptrdiff_t a_row, ptrdiff_t a_col, const float *b, ptrdiff_t b_row,
                               ptrdiff_t b_col, bool add, float *c, ptrdiff_t c_row, ptrdiff_t c_col);
tg_status tg_gemm_triangle_f64(tg_tape *t, tg_triangle triangle, int64_t diagonal, int64_t m, int64_t n, int64_t k,
                               const double *a, ptrdiff_t a_row, ptrdiff_t a_col, const double *b, ptrdiff_t b_row,
                               ptrdiff_t b_col, bool add, double *c, ptrdiff_t c_row, ptrdiff_t c_col);

/* The whole product. */
#define TG_SELF "kernels/gemm_tiny.h"
#include "core/twice.h"

/* tg_gemm for many matrices: a, b and c lie `a`, `b` and `c` elements on for each step along a dim of `size`. The
 * results add up where c is 0. */
typedef struct tg_batches {
    int ndim;
    int64_t size[TG_MAX_DIMS], a[TG_MAX_DIMS], b[TG_MAX_DIMS], c[TG_MAX_DIMS];
} tg_batches;
tg_status tg_gemm_batches_f32(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, const float *a,
                              ptrdiff_t a_row, ptrdiff_t a_col, const float *b, ptrdiff_t b_row, ptrdiff_t b_col,
                              bool add, float *c, ptrdiff_t c_row, ptrdiff_t c_col);
tg_status tg_gemm_batches_f64(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, const double *a,
                              ptrdiff_t a_row, ptrdiff_t a_col, const double *b, ptrdiff_t b_row, ptrdiff_t b_col,
                              bool add, double *c, ptrdiff_t c_row, ptrdiff_t c_col);

#endif
