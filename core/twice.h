/* Compile the kernels in TG_SELF (a file under core/) for float and for double: the file is included again with
 *   real      the type
 *   wide      the type for long sums: double
 *   FN(name)  name_f32, name_f64
 *   M(exp)    expf, exp
 * A file of this kind has three sections:
 *   #ifndef real   compiled once, before the others: definitions for the kernels that are the same for both types
 *   #ifdef real    the kernels, compiled twice
 *   #else          compiled once: this header is included first, which compiles the kernels; then their users
 * A type that differs is declared by `#define product FN(product)`, in the first section, and then used by its plain
 * name.
 *
 * To find the definition of tg_gemm_f32, search for FN(tg_gemm); for tg_matrix_f32, a type, search for tg_matrix. */
#define real float
#define wide double
#define REAL_DTYPE TG_F32
#define FN(name) name##_f32
#define M(name) name##f
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef FN
#undef M
#define real double
#define wide double
#define REAL_DTYPE TG_F64
#define FN(name) name##_f64
#define M(name) name
#include TG_SELF
#undef real
#undef wide
#undef REAL_DTYPE
#undef FN
#undef M
#undef TG_SELF
