/* Matrix products: the plain reference. */
#include "core/kernels/gemm.h"

#ifdef real

tg_status FN(tg_gemm)(tg_tape *t, int64_t m, int64_t n, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                      const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c, ptrdiff_t c_row,
                      ptrdiff_t c_col) {
    (void)t;
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n && !add; j++)
            c[i * c_row + j * c_col] = 0;
        for (int64_t p = 0; p < k; p++) {
            real aip = a[i * a_row + p * a_col];
            for (int64_t j = 0; j < n; j++)
                c[i * c_row + j * c_col] += aip * b[p * b_row + j * b_col];
        }
    }
    return TG_OK;
}

#else
#define TG_SELF "kernels/gemm.c"
#include "core/twice.h"
#endif
