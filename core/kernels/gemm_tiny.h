/* tg_gemm for one type, part of core/kernels/gemm.h. In line: a product of a few elements takes hardly longer than a
 * call with so many arguments. */
static inline tg_status FN(tg_gemm)(tg_tape *t, int64_t m, int64_t n, int64_t k, const real *a, ptrdiff_t a_row,
                                    ptrdiff_t a_col, const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c,
                                    ptrdiff_t c_row, ptrdiff_t c_col) {
    const FN(tg_kernels) *kernels = &tg_isa_now()->FN(kernels);
    if ((double)m * (double)n * (double)k > TG_TINY || !kernels->multiply_few)
        return FN(tg_gemm_triangle)(t, TG_WHOLE, 0, m, n, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col);
    kernels->multiply_few(m, n, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col);
    return TG_OK;
}
