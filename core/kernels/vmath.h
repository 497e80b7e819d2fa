/* Functions of contiguous rows: y[j] = f(x[j]); y may be x. Special values are libm's. The vector kernels' largest
 * errors in float: exp 1.05 and log 0.83 ulp over all floats, tanh and erf 1.4 ulp over every 409th (tests/vmath_test.c
 * tries them all with ULP_STEP=1). In double all but exp are libm itself. */
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
