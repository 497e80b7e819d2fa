/* Compile the kernels in TG_SELF (a file under core/) for float and for double: it is included again with
 *   real      the type
 *   FN(name)  name_f32 or name_f64
 *   M(exp)    expf or exp
 * An operation's file has its kernels under `#ifdef real` and everything else under `#else`. A type that differs is
 * declared by `#define product FN(product)` and then named plainly.
 *
 * To find where tg_gemm_f32 is made, search for FN(tg_gemm); for tg_matrix_f32, a type, search for tg_matrix. */
#define real float
#define REAL_DTYPE TG_F32
#define FN(name) name##_f32
#define M(name) name##f
#include TG_SELF
#undef real
#undef REAL_DTYPE
#undef FN
#undef M
#define real double
#define REAL_DTYPE TG_F64
#define FN(name) name##_f64
#define M(name) name
#include TG_SELF
#undef real
#undef REAL_DTYPE
#undef FN
#undef M
#undef TG_SELF
