/* The product of matrices of a few elements, for core/kernels/simd.h: as they lie, in tiles of four rows by two
 * columns, whose sums stay in registers. */

typedef real FN(four) __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));

/* c = or += the sums of a column */
ALWAYS_INLINE void FN(put_few)(int64_t rows, const FN(four) * sums, bool add, real *c, ptrdiff_t c_row) {
    UNROLL
    for (int i = 0; i < 4; i++, c += c_row) {
        if (i == rows)
            break;
        *c = (*sums)[i] + (add ? *c : 0);
    }
}

/* C's tile of rows x columns at a's first row and b's first column. What lies beyond an edge is computed as a copy of
 * what lies before it, and not stored. */
ALWAYS_INLINE void FN(few_tile)(int64_t rows, int64_t columns, int64_t k, const real *a, ptrdiff_t a_row,
                                ptrdiff_t a_col, const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c,
                                ptrdiff_t c_row, ptrdiff_t c_col) {
    const real *a1 = rows > 1 ? a + a_row : a, *a2 = rows > 2 ? a1 + a_row : a, *a3 = rows > 3 ? a2 + a_row : a;
    const real *b1 = columns > 1 ? b + b_col : b;
    FN(four) sum = {0}, sum1 = {0};
    for (ptrdiff_t at = 0, bt = 0; k > 0; k--, at += a_col, bt += b_row) {
        FN(four) x = {a[at], a1[at], a2[at], a3[at]};
        sum += x * b[bt];
        sum1 += x * b1[bt];
    }
    FN(put_few)(rows, &sum, add, c, c_row);
    if (columns > 1)
        FN(put_few)(rows, &sum1, add, c + c_col, c_row);
}

static tg_status FN(multiply_few)(tg_tape *t, int64_t m, int64_t n, int64_t k, const real *a, ptrdiff_t a_row,
                                  ptrdiff_t a_col, const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c,
                                  ptrdiff_t c_row, ptrdiff_t c_col) {
    if (m < n)
        return FN(multiply_few)(t, n, m, k, b, b_col, b_row, a, a_col, a_row, add, c, c_col, c_row);
    for (int64_t i = 0; i < m; i += 4)
        for (int64_t j = 0; j < n; j += 2)
            FN(few_tile)
    (m - i, n - j, k, a + i * a_row, a_row, a_col, b + j * b_col, b_row, b_col, add, c + i * c_row + j * c_col, c_row,
     c_col);
    return TG_OK;
}
