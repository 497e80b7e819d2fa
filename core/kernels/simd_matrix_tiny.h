/* Products of tiny matrices, for core/kernels/simd.h: up to four columns of B are gathered into the lanes of vectors,
 * which are then multiplied by A's rows, two at a time. */

/* c[j * step] = or += v[j], for j below n */
ALWAYS_INLINE void FN(store_four)(int64_t n, const four *v, bool add, real *c, ptrdiff_t step) {
    UNROLL
    for (int j = 0; j < 4; j++, c += step) {
        if (j == n)
            break;
        *c = (*v)[j] + (add ? *c : 0);
    }
}

/* Up to four of C's columns. */
ALWAYS_INLINE void FN(tiny_columns)(int columns, int64_t m, int64_t k, tg_matrix a, tg_matrix b, bool add,
                                    tg_matrix c) {
    four line[TG_TINY_PRODUCTS];
    const real *from = b.data;
    for (int64_t p = 0; p < k; p++, from += b.row)
        line[p] = (four){from[0], columns > 1 ? from[b.col] : 0, columns > 2 ? from[2 * b.col] : 0,
                         columns > 3 ? from[3 * b.col] : 0};
    for (int64_t i = 0; i < m; i += 2, a.data += 2 * a.row, c.data += 2 * c.row) {
        const real *next = i + 1 < m ? a.data + a.row : a.data;
        four sum = {0}, sum1 = {0};
        ptrdiff_t at = 0;
        for (int64_t p = 0; p < k; p++, at += a.col) {
            sum += line[p] * a.data[at];
            sum1 += line[p] * next[at];
        }
        FN(store_four)(columns, &sum, add, c.data, c.col);
        if (i + 1 < m)
            FN(store_four)(columns, &sum1, add, c.data + c.row, c.col);
    }
}

static void FN(multiply_tiny)(int64_t m, int64_t n, int64_t k, const tg_matrix *a, const tg_matrix *b, bool add,
                              const tg_matrix *c) {
    tg_matrix from = *b, to = *c;
    for (; m && n > 0; n -= 4, from.data += 4 * from.col, to.data += 4 * to.col)
        switch (n) {
        case 1: FN(tiny_columns)(1, m, k, *a, from, add, to); break;
        case 2: FN(tiny_columns)(2, m, k, *a, from, add, to); break;
        case 3: FN(tiny_columns)(3, m, k, *a, from, add, to); break;
        default: FN(tiny_columns)(4, m, k, *a, from, add, to);
        }
}
