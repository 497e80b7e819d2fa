/* Matrix products for one type: part of core/kernels/gemm.h.
 *
 * C = A B, or C += A B when add: A m x k, B k x n, C m x n, any strides. C is not read unless add. The same bits on
 * every run and for any number of threads. Returns TG_OK, or the status after tg_fail (no memory to pack into). */
tg_status FN(tg_gemm_triangle)(tg_tape *t, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a,
                               tg_matrix b, bool add, tg_matrix c);
tg_status FN(tg_gemm_batched)(tg_tape *t, const tg_batches *batches, int64_t m, int64_t n, int64_t k, tg_matrix a,
                              tg_matrix b, bool add, tg_matrix c);

/* The same in the calling thread alone, for a task of tg_parallel: room has the elements that tg_gemm_room returns,
 * enough for products of at most m, n and k. */
size_t FN(tg_gemm_room)(int64_t m, int64_t n, int64_t k);
void FN(tg_gemm_in)(real *room, tg_triangle triangle, int64_t m, int64_t n, int64_t k, tg_matrix a, tg_matrix b,
                    bool add, tg_matrix c);

/* The one place where a product's form is chosen. */
static inline tg_gemm_form FN(tg_gemm_choose)(const tg_kernels *kernels, tg_triangle triangle, int64_t m, int64_t n,
                                              int64_t k, const tg_matrix *a, const tg_matrix *b) {
    if (!kernels->tile)
        return TG_REFERENCE;
    if ((double)m * (double)n * (double)k <= TG_TINY_PRODUCTS)
        return TG_TINY;
    int64_t lines = tg_min(m, n);
    bool contiguous = a->col == 1 && b->row == 1, few_long_lines = lines <= 4 && k >= 32 * lines;
    return triangle.part == TG_WHOLE && contiguous && few_long_lines ? TG_DOTS : TG_TILES;
}

/* The whole product. Inline, since a tiny product takes hardly longer than a call with this many arguments. */
static inline tg_status FN(tg_gemm)(tg_tape *t, int64_t m, int64_t n, int64_t k, tg_matrix a, tg_matrix b, bool add,
                                    tg_matrix c) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    const tg_triangle whole = {TG_WHOLE, 0};
    if (FN(tg_gemm_choose)(kernels, whole, m, n, k, &a, &b) != TG_TINY)
        return FN(tg_gemm_triangle)(t, whole, m, n, k, a, b, add, c);
    kernels->multiply_tiny(m, n, k, &a, &b, add, &c);
    return TG_OK;
}
