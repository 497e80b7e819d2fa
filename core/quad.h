/* IEEE's numbers of 128 bits, in which the gradient check takes a last look, where long double is the x87's of 64 bits
 * and the C library has functions of them. They are computed with in software. */
#ifndef TAPEGRAD_QUAD_H
#define TAPEGRAD_QUAD_H

#include <float.h>
#include <stdint.h> /* __GLIBC__ */

#if defined(__x86_64__) && LDBL_MANT_DIG == 64 && defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 26)
#define TG_HAS_QUAD
__extension__ typedef __float128 tg_quad;
/* libm's, which <math.h> does not declare for every compiler */
tg_quad cosf128(tg_quad x), erff128(tg_quad x), erfcf128(tg_quad x), expf128(tg_quad x), expm1f128(tg_quad x),
    fabsf128(tg_quad x), fmaxf128(tg_quad x, tg_quad y), frexpf128(tg_quad x, int *exponent),
    ldexpf128(tg_quad x, int exponent), logf128(tg_quad x), log1pf128(tg_quad x), powf128(tg_quad x, tg_quad y),
    sinf128(tg_quad x), sqrtf128(tg_quad x), tanhf128(tg_quad x);
#endif
#endif

#endif
