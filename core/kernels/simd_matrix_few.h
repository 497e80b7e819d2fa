/* The product of matrices of a few elements, for core/kernels/simd.h: up to four columns of B are gathered into the
 * lanes of vectors, which then meet A's rows, two at a time. */

typedef real FN(four) __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));

/* c = or += the sums of a row */
ALWAYS_INLINE void FN(put_few)(int64_t columns, const FN(four) * sums, bool add, real *c, ptrdiff_t c_col) {
    UNROLL
    for (int j = 0; j < 4; j++, c += c_col) {
        if (j == columns)
            break;
        *c = (*sums)[j] + (add ? *c : 0);
    }
}

/* Up to four of C's columns. */
ALWAYS_INLINE void FN(few_columns)(int columns, int64_t m, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                                   const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c, ptrdiff_t c_row,
                                   ptrdiff_t c_col) {
    FN(four) line[TG_TINY];
    for (int64_t p = 0; p < k; p++, b += b_row)
        line[p] = (FN(four)){b[0], columns > 1 ? b[b_col] : 0, columns > 2 ? b[2 * b_col] : 0,
                             columns > 3 ? b[3 * b_col] : 0};
    for (int64_t i = 0; i < m; i += 2, a += 2 * a_row, c += 2 * c_row) {
        const real *next = i + 1 < m ? a + a_row : a;
        FN(four) sum = {0}, sum1 = {0};
        ptrdiff_t at = 0;
        for (int64_t p = 0; p < k; p++, at += a_col) {
            sum += line[p] * a[at];
            sum1 += line[p] * next[at];
        }
        FN(put_few)(columns, &sum, add, c, c_col);
        if (i + 1 < m)
            FN(put_few)(columns, &sum1, add, c + c_row, c_col);
    }
}

static void FN(multiply_few)(int64_t m, int64_t n, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                             const real *b, ptrdiff_t b_row, ptrdiff_t b_col, bool add, real *c, ptrdiff_t c_row,
                             ptrdiff_t c_col) {
    for (; m && n > 0; n -= 4, b += 4 * b_col, c += 4 * c_col)
        switch (n) {
        case 1: FN(few_columns)(1, m, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col); break;
        case 2: FN(few_columns)(2, m, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col); break;
        case 3: FN(few_columns)(3, m, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col); break;
        default: FN(few_columns)(4, m, k, a, a_row, a_col, b, b_row, b_col, add, c, c_row, c_col);
        }
}
