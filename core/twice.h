/* Compile the kernels in TG_SELF (a file under core/) for float and for double, and again for long double and quad
 * (core/quad.h), in which only the gradient check computes (TG_LD, TG_QD): the file is included again with
 *   real      the type
 *   wide      the type for long sums: double, double, long double, quad
 *   FN(name)  name_f32, name_f64, name_ld or name_qd
 *   M(exp)    expf, exp, expl or expf128;  MW(exp) the same for wide: exp, exp, expl, expf128
 * An operation's file has its kernels under `#ifdef real` and everything else under `#else`. A file that defines
 * TG_FAST before, for kernels that these do without, is compiled twice. REAL_IS_LONG: beyond that. A type
 * that differs is declared by `#define product FN(product)` and then named plainly.
 *
 * To find where tg_gemm_f32 is made, search for FN(tg_gemm); for tg_matrix_f32, a type, search for tg_matrix. */
#define real float
#define wide double
#define REAL_DTYPE TG_F32
#define FN(name) name##_f32
#define M(name) name##f
#define MW(name) name
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef FN
#undef M
#undef MW
#define real double
#define wide double
#define REAL_DTYPE TG_F64
#define FN(name) name##_f64
#define M(name) name
#define MW(name) name
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef FN
#undef M
#undef MW
#ifndef TG_FAST
#define real long double
#define wide long double
#define REAL_DTYPE TG_LD
#define REAL_IS_LONG
#define FN(name) name##_ld
#define M(name) name##l
#define MW(name) name##l
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef REAL_IS_LONG
#undef FN
#undef M
#undef MW
#endif
#if defined TG_HAS_QUAD && !defined TG_FAST
#define real tg_quad
#define wide tg_quad
#define REAL_DTYPE TG_QD
#define REAL_IS_LONG
#define FN(name) name##_qd
#define M(name) name##f128
#define MW(name) name##f128
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef REAL_IS_LONG
#undef FN
#undef M
#undef MW
#endif
#undef TG_FAST
#undef TG_SELF
