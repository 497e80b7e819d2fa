/* Functions of contiguous rows: y[j] = f(x[j]); y may be x. Special values are libm's. In float the vector kernels are
 * at most 1.4 ulp off, over all floats (tests/vmath_test.c); in double all but exp are libm itself. */
#ifndef TAPEGRAD_VMATH_H
#define TAPEGRAD_VMATH_H

#include "core/op.h"

/* e^(x[j] - shift) */
void tg_vexp_f32(int64_t n, float *y, const float *x, float shift);
void tg_vexp_f64(int64_t n, double *y, const double *x, double shift);
void tg_vlog_f32(int64_t n, float *y, const float *x);
void tg_vlog_f64(int64_t n, double *y, const double *x);
void tg_vtanh_f32(int64_t n, float *y, const float *x);
void tg_vtanh_f64(int64_t n, double *y, const double *x);
void tg_verf_f32(int64_t n, float *y, const float *x);
void tg_verf_f64(int64_t n, double *y, const double *x);

#endif
