/* The kernels of the set in use, or libm where it has none. */
#include "core/kernels/vmath.h"
#include "core/kernels/isa.h"

#ifdef real

void FN(tg_vexp)(int64_t n, real *y, const real *x, real shift) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->exp)
        kernels->exp(n, y, x, shift);
    else
        for (int64_t j = 0; j < n; j++) /* 0 in every type: libm is slow on underflow */
            y[j] = x[j] - shift < -12000 ? 0 : M(exp)(x[j] - shift);
}

/* As in core/kernels/simd_exp.h. */
static real FN(logistic)(real x) {
    real e = M(exp)(-x), sum = 1 + e, rest = 1 - (sum - e), y = 1 / sum;
    return y - (sum < (real)INFINITY ? rest : 0) * (y * y);
}

void FN(tg_vsigmoid)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->sigmoid)
        kernels->sigmoid(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = FN(logistic)(x[j]);
}

void FN(tg_vlog)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->log)
        kernels->log(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(log)(x[j]);
}

void FN(tg_vlog1p)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->log1p)
        kernels->log1p(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(log1p)(x[j]);
}

void FN(tg_vexpm1)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->expm1)
        kernels->expm1(n, y, x);
    else
        for (int64_t j = 0; j < n; j++) /* in double: musl's expm1f is infinite from 88.7217 on, 2^128 is e^88.7228 */
            y[j] = (real)expm1((double)x[j]);
}

void FN(tg_vsin)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->sin)
        kernels->sin(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(sin)(x[j]);
}

void FN(tg_vcos)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->cos)
        kernels->cos(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(cos)(x[j]);
}

void FN(tg_vpow)(int64_t n, real *y, const real *x, const real *p, int step) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->pow)
        kernels->pow(n, y, x, p, step);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(pow)(x[j], p[j * step]);
}

void FN(tg_vtanh)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->tanh)
        kernels->tanh(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(tanh)(x[j]);
}

/* 4 e / (1 + e)^2, e = e^(-2 |x|) */
void FN(tg_vtanh_slope)(int64_t n, real *slope, const real *x) {
    for (int64_t j = 0; j < n; j++)
        slope[j] = -2 * M(fabs)(x[j]);
    FN(tg_vexp)(n, slope, slope, 0);
    for (int64_t j = 0; j < n; j++)
        slope[j] = 4 * slope[j] / ((1 + slope[j]) * (1 + slope[j]));
}

void FN(tg_verf)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->erf)
        kernels->erf(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = M(erf)(x[j]);
}

/* Phi(x) = (1 + erf(x / sqrt 2)) / 2, computed as erfc(-x / sqrt 2) / 2, which does not cancel where erf is near -1. */
static real FN(normal)(real x) { return M(erfc)(-x * (real)0.70710678118654752440) / 2; }

/* gelu(x) = x Phi(x) */
void FN(tg_vgelu)(int64_t n, real *y, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->gelu)
        kernels->gelu(n, y, x);
    else
        for (int64_t j = 0; j < n; j++)
            y[j] = x[j] * FN(normal)(x[j]);
}

void FN(tg_vgelu_vjp)(int64_t n, real *dx, const real *dy, const real *x) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    if (kernels->gelu_vjp)
        kernels->gelu_vjp(n, dx, dy, x);
    else
        for (int64_t j = 0; j < n; j++) {
            real density = (real)0.39894228040143267794 * M(exp)(-x[j] * x[j] / 2);
            dx[j] = dy[j] * (FN(normal)(x[j]) + x[j] * density);
        }
}

#else
#define TG_SELF "kernels/vmath.c"
#include "core/twice.h"
#endif
