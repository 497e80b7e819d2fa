/* Matrix products in long double and beyond, for the gradient check alone: the formula. */
#include "core/kernels/gemm.h"

#ifdef real
#ifdef REAL_IS_LONG

static void FN(multiply)(int64_t m, int64_t n, int64_t k, tg_matrix a, tg_matrix b, bool add, tg_matrix c) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real *to = c.data + i * c.row + j * c.col, sum = add ? *to : 0;
            for (int64_t p = 0; p < k; p++)
                sum += a.data[i * a.row + p * a.col] * b.data[p * b.row + j * b.col];
            *to = sum;
        }
}

/* What the triangle lets be left out is computed all the same. */
tg_status FN(tg_gemm_triangle)(tg_tape *t, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a,
                               tg_matrix b, bool add, tg_matrix c) {
    (void)t, (void)triangle;
    FN(multiply)(m, n, k, a, b, add, c);
    return TG_OK;
}

size_t FN(tg_gemm_room)(int64_t m, int64_t n, int64_t k) {
    (void)m, (void)n, (void)k;
    return 0;
}

void FN(tg_gemm_in)(real *room, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a, tg_matrix b,
                    bool add, tg_matrix c) {
    (void)room, (void)triangle;
    FN(multiply)(m, n, k, a, b, add, c);
}

tg_status FN(tg_gemm_batched)(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, tg_matrix a,
                              tg_matrix b, bool add, tg_matrix c) {
    int64_t total = 1;
    (void)t;
    for (int i = 0; i < batches->ndim; i++)
        total *= batches->size[i];
    for (int64_t batch = 0; batch < total; batch++) {
        tg_matrix x = a, y = b, z = c;
        bool first = true; /* of those that add up where c is 0 */
        for (int64_t rest = batch, i = batches->ndim - 1; i >= 0; rest /= batches->size[i--]) {
            int64_t at = rest % batches->size[i];
            x.data += at * batches->a[i];
            y.data += at * batches->b[i];
            z.data += at * batches->c[i];
            first &= at == 0 || batches->c[i] != 0;
        }
        FN(multiply)(m, n, k, x, y, add || !first, z);
    }
    return TG_OK;
}

#endif
#else
#define TG_SELF "kernels/gemm_long.c"
#include "core/twice.h"
#endif
