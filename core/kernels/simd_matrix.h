/* Matrix product kernels, for core/kernels/simd.h: the tile, which all arithmetic goes through, and packing. */

ALWAYS_INLINE void FN(tile_of)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                               const real *b, ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
    vec sum[TILE_ROWS][2];
    UNROLL
    for (int i = 0; i < rows; i++) {
        __builtin_prefetch(c + i * c_row, 1);
        sum[i][0] = sum[i][1] = (vec){0};
    }
    for (int64_t p = 0; p < k; p++) {
        vec b0 = *(const vec *)b, b1 = vectors == 2 ? *(const vec *)(b + LANES) : b0;
        UNROLL
        for (int i = 0; i < rows; i++) {
            sum[i][0] += a[i * a_row] * b0;
            if (vectors == 2)
                sum[i][1] += a[i * a_row] * b1;
        }
        a += a_col;
        b += b_row;
    }
    UNROLL
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < vectors; v++) {
            vec *to = (vec *)(c + i * c_row + v * LANES);
            if (add)
                sum[i][v] += *to;
            *to = sum[i][v];
        }
}

/* One copy of the tile for each number of rows, so that its sums stay in registers. */
#define TILE_CASE(n) \
    case n: FN(tile_of)(n < TILE_ROWS ? n : TILE_ROWS, vectors, k, a, a_row, a_col, b, b_row, add, c, c_row); break;

ALWAYS_INLINE void FN(tile_rows)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                                 const real *b, ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
    switch (rows) {
        TILE_CASE(1)
        TILE_CASE(2)
        TILE_CASE(3)
        TILE_CASE(4)
        TILE_CASE(5)
#if TILE_ROWS > 6
        TILE_CASE(6)
        TILE_CASE(7)
        TILE_CASE(8)
        TILE_CASE(9)
        TILE_CASE(10)
        TILE_CASE(11)
#endif
    default: FN(tile_of)(TILE_ROWS, vectors, k, a, a_row, a_col, b, b_row, add, c, c_row);
    }
}
#undef TILE_CASE

static void FN(tile)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col, const real *b,
                     ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
    if (vectors == 2)
        FN(tile_rows)(rows, 2, k, a, a_row, a_col, b, b_row, add, c, c_row);
    else
        FN(tile_rows)(rows, 1, k, a, a_row, a_col, b, b_row, add, c, c_row);
}

/* r[j][i] = x[i * across + j] for i below n, else 0: a square of lanes, transposed by halves that interleave. */
ALWAYS_INLINE void FN(load_transposed)(int64_t n, const real *x, ptrdiff_t across, vec *r) {
    vec next[LANES];
    UNROLL
    for (int i = 0; i < LANES; i++)
        r[i] = i < n ? *(const vec *)(x + i * across) : (vec){0};
    UNROLL
    for (int round = 1; round < LANES; round *= 2) {
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            next[2 * i] = __builtin_shufflevector(r[i], r[i + LANES / 2], FN(LOW));
            next[2 * i + 1] = __builtin_shufflevector(r[i], r[i + LANES / 2], FN(HIGH));
        }
        UNROLL
        for (int i = 0; i < LANES; i++)
            r[i] = next[i];
    }
}

/* Lines that are contiguous, a square of lanes at a time; returns how far it came. Where width is no multiple of
 * LANES a row's last vector reaches into the next row, which is written after it. */
static int64_t FN(pack_lines)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, real *out) {
    enum { MOST = (TILE_ROWS + LANES - 1) / LANES > 2 ? (TILE_ROWS + LANES - 1) / LANES : 2 };
    vec r[MOST][LANES];
    int groups = (width + LANES - 1) / LANES;
    int64_t p = 0;
    for (; p + LANES <= k; p += LANES) {
        for (int g = 0; g < groups; g++)
            FN(load_transposed)(n - g * LANES, x + g * LANES * across + p, across, r[g]);
        for (int j = 0; j < LANES; j++)
            for (int g = 0; g < groups; g++)
                *(vec *)(out + (p + j) * width + g * LANES) = r[g][j];
    }
    return p;
}

static void FN(pack)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, ptrdiff_t along, real *out) {
    int64_t p = along == 1 ? FN(pack_lines)(width, n, k, x, across, out) : 0;
    if (across == 1 && n == 2 * LANES && width == n) {
        for (; p < k; p++) {
            *(vec *)(out + p * width) = *(const vec *)(x + p * along);
            *(vec *)(out + p * width + LANES) = *(const vec *)(x + p * along + LANES);
        }
        return;
    }
    for (; p < k; p++)
        for (int i = 0; i < width; i++)
            out[p * width + i] = i < n ? x[i * across + p * along] : 0;
}
