/* Functions of contiguous rows: y[j] = f(x[j]); y may be x. Special values are libm's. The vector kernels' largest
 * errors in float, over all floats (make ulp): exp 1.05, log 0.83, tanh 1.34, erf 1.44 ulp; over every 37th:
 * log1p 1.37, expm1 1.47, sin and cos 1.55 ulp; pow 1, gelu 4 + x^2, sigmoid 3 ulp (sampled). In double pow is
 * libm's. */
#ifndef TAPEGRAD_VMATH_H
#define TAPEGRAD_VMATH_H

#include "core/op.h"

/* e^(x[j] - shift) */
void tg_vexp_f32(int64_t n, float *y, const float *x, float shift);
void tg_vexp_f64(int64_t n, double *y, const double *x, double shift);
/* 1 / (1 + e^-x[j]) */
void tg_vsigmoid_f32(int64_t n, float *y, const float *x);
void tg_vsigmoid_f64(int64_t n, double *y, const double *x);
void tg_vlog_f32(int64_t n, float *y, const float *x);
void tg_vlog_f64(int64_t n, double *y, const double *x);
void tg_vlog1p_f32(int64_t n, float *y, const float *x);
void tg_vlog1p_f64(int64_t n, double *y, const double *x);
void tg_vexpm1_f32(int64_t n, float *y, const float *x);
void tg_vexpm1_f64(int64_t n, double *y, const double *x);
void tg_vsin_f32(int64_t n, float *y, const float *x);
void tg_vsin_f64(int64_t n, double *y, const double *x);
void tg_vcos_f32(int64_t n, float *y, const float *x);
void tg_vcos_f64(int64_t n, double *y, const double *x);
/* x[j]^p[j step], step 0 or 1 */
void tg_vpow_f32(int64_t n, float *y, const float *x, const float *p, int step);
void tg_vpow_f64(int64_t n, double *y, const double *x, const double *p, int step);
void tg_vtanh_f32(int64_t n, float *y, const float *x);
void tg_vtanh_f64(int64_t n, double *y, const double *x);
/* 1 - tanh^2 x to a small relative error: the difference would cancel where tanh is near 1 */
void tg_vtanh_slope_f32(int64_t n, float *slope, const float *x);
void tg_vtanh_slope_f64(int64_t n, double *slope, const double *x);
void tg_verf_f32(int64_t n, float *y, const float *x);
void tg_verf_f64(int64_t n, double *y, const double *x);
/* x Phi(x), and dx = dy (Phi(x) + x phi(x)): core/ops/gelu.c; dx may be dy */
void tg_vgelu_f32(int64_t n, float *y, const float *x);
void tg_vgelu_f64(int64_t n, double *y, const double *x);
void tg_vgelu_vjp_f32(int64_t n, float *dx, const float *dy, const float *x);
void tg_vgelu_vjp_f64(int64_t n, double *dx, const double *dy, const double *x);

#endif
