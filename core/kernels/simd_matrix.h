/* Matrix product kernels, for core/kernels/simd.h: the tile, which all arithmetic goes through, and packing. */

ALWAYS_INLINE void FN(tile_of)(int rows, int vectors, int64_t k, tg_matrix a, const real *b, ptrdiff_t b_row, bool add,
                               real *c, ptrdiff_t c_row) {
    /* C's rows are asked for early. Where they are two lines each, one row at a step: all at once would keep A's and
     * B's lines waiting. Loops of narrower vectors have no time to spare for that. */
    const bool two_lines = vectors * VECTOR_BYTES > 64;
    const real *from = a.data, *ahead = c;
    vec sum[TILE_ROWS][2];
    UNROLL
    for (int i = 0; i < rows; i++) {
        if (!two_lines)
            __builtin_prefetch(c + i * c_row, 1);
        sum[i][0] = sum[i][1] = (vec){0};
    }
    for (int64_t p = 0; p < k; p++) {
        if (two_lines) {
            __builtin_prefetch(ahead, 1);
            __builtin_prefetch(ahead + LANES, 1);
            ahead += p < rows - 1 ? c_row : 0;
        }
        vec b0 = *(const vec *)b, b1 = vectors == 2 ? *(const vec *)(b + LANES) : b0;
        UNROLL
        for (int i = 0; i < rows; i++) {
            sum[i][0] += from[i * a.row] * b0;
            if (vectors == 2)
                sum[i][1] += from[i * a.row] * b1;
        }
        from += a.col;
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
    case n: FN(tile_of)(n < TILE_ROWS ? n : TILE_ROWS, vectors, k, a, b, b_row, add, c, c_row); break;

ALWAYS_INLINE void FN(tile_vectors)(int rows, int vectors, int64_t k, tg_matrix a, const real *b, ptrdiff_t b_row,
                                    bool add, real *c, ptrdiff_t c_row) {
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
        TILE_CASE(12)
        TILE_CASE(13)
#endif
    default: FN(tile_of)(TILE_ROWS, vectors, k, a, b, b_row, add, c, c_row);
    }
}
#undef TILE_CASE

static void FN(tile)(int rows, int vectors, int64_t k, tg_matrix a, const real *b, ptrdiff_t b_row, bool add, real *c,
                     ptrdiff_t c_row) {
    if (vectors == 2)
        FN(tile_vectors)(rows, 2, k, a, b, b_row, add, c, c_row);
    else
        FN(tile_vectors)(rows, 1, k, a, b, b_row, add, c, c_row);
}

/* The sums of the lanes of four vectors. */
ALWAYS_INLINE void FN(sum_lanes)(const vec *v, real *sums) {
    union {
        vec whole;
        quad part[VECTOR_BYTES / 16];
    } u;
    quad q[4];
    UNROLL
    for (int i = 0; i < 4; i++) {
        u.whole = v[i];
        q[i] = u.part[0];
        for (int part = 1; part < VECTOR_BYTES / 16; part++)
            q[i] += u.part[part];
    }
    UNROLL
    for (int i = 0; i < 4; i += 2)
        q[i] = __builtin_shufflevector(q[i], q[i + 1], FN(QUAD_LOW)) +
               __builtin_shufflevector(q[i], q[i + 1], FN(QUAD_HIGH));
    FN(store_quads)(q[0], q[2], sums);
}

/* A vector of masks at masks + 16 - LANES + n: its last n lanes are all ones. */
static const FN(integer) FN(masks)[] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

/* Two vectors of sums for each of the four: what a step adds to does not wait for the step before. k is at least LANES;
 * the last vector begins earlier where k does not end with one. */
static void FN(dots)(int64_t k, const real *a, const real *b, ptrdiff_t b_row, real *sums) {
    vec sum[4][2] = {{{0}}}, both[4];
    int64_t p = 0;
    for (; p + 2 * LANES <= k; p += 2 * LANES)
        UNROLL
    for (int i = 0; i < 4; i++) {
        sum[i][0] += *(const vec *)(a + p) * *(const vec *)(b + i * b_row + p);
        sum[i][1] += *(const vec *)(a + p + LANES) * *(const vec *)(b + i * b_row + p + LANES);
    }
    if (p + LANES <= k) {
        UNROLL
        for (int i = 0; i < 4; i++)
            sum[i][0] += *(const vec *)(a + p) * *(const vec *)(b + i * b_row + p);
        p += LANES;
    }
    if (p < k) {
        bits mask = *(const bits *)(FN(masks) + 16 - LANES + (k - p));
        vec last = (vec)(*(const bits *)(a + k - LANES) & mask);
        UNROLL
        for (int i = 0; i < 4; i++)
            sum[i][1] += last * (vec)(*(const bits *)(b + i * b_row + k - LANES) & mask);
    }
    UNROLL
    for (int i = 0; i < 4; i++)
        both[i] = sum[i][0] + sum[i][1];
    FN(sum_lanes)(both, sums);
}

/* A square of lanes transposed: r[REGISTER(j)][i] = x[i * across + j] for i below n, else 0. Each round interleaves
 * pairs of vectors; the lines are put into the registers in such an order that the rounds that cross 128 bits, which
 * cost more, come last. */
#define UNITS (VECTOR_BYTES / 16)
#define UNIT_LANES (LANES / UNITS)
#define REGISTER(j) ((j) % UNIT_LANES * UNITS + (j) / UNIT_LANES)

ALWAYS_INLINE void FN(load_transposed)(int64_t n, const real *x, ptrdiff_t across, vec *r) {
    vec next[LANES];
    UNROLL
    for (int i = 0; i < LANES; i++)
        r[REGISTER(i)] = (vec){0};
    UNROLL
    for (int i = 0; i < LANES; i++)
        if (i < n)
            r[i / UNIT_LANES + i % UNIT_LANES * UNITS] = *(const vec *)(x + i * across);
    UNROLL
    for (int round = 1; round < LANES; round *= 2) {
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            vec a = r[i], b = r[i + LANES / 2];
            bool local = round < UNIT_LANES;
            next[2 * i] =
                local ? __builtin_shufflevector(a, b, FN(LOCAL_LOW)) : __builtin_shufflevector(a, b, FN(UNIT_LOW));
            next[2 * i + 1] =
                local ? __builtin_shufflevector(a, b, FN(LOCAL_HIGH)) : __builtin_shufflevector(a, b, FN(UNIT_HIGH));
        }
        UNROLL
        for (int i = 0; i < LANES; i++)
            r[i] = next[i];
    }
}

/* Lines that are contiguous, a square of lanes at a time, as far as whole squares go; returns how far. Where width is
 * no multiple of LANES a row's last vector reaches into the next row, which is written after it. */
static int64_t FN(pack_lines)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, real *out) {
    vec r[LANES];
    int64_t p = 0;
    if (width <= LANES)
        for (; p + LANES <= k; p += LANES) {
            FN(load_transposed)(n, x + p, across, r);
            UNROLL
            for (int j = 0; j < LANES; j++)
                *(vec *)(out + (p + j) * width) = r[REGISTER(j)];
        }
    else if (width <= 2 * LANES)
        for (; p + LANES <= k; p += LANES) {
            vec s[LANES];
            FN(load_transposed)(LANES, x + p, across, r);
            FN(load_transposed)(n - LANES, x + LANES * across + p, across, s);
            UNROLL
            for (int j = 0; j < LANES; j++) {
                *(vec *)(out + (p + j) * width) = r[REGISTER(j)];
                *(vec *)(out + (p + j) * width + LANES) = s[REGISTER(j)];
            }
        }
    return p;
}

/* Rows of the result that are contiguous in x. All but the last may be read and written a vector too far. */
ALWAYS_INLINE void FN(pack_rows_of)(int vectors, int width, int64_t k, const real *x, ptrdiff_t along, real *out) {
    for (int64_t p = 0; p < k; p++)
        for (int v = 0; v < vectors; v++)
            *(vec *)(out + p * width + v * LANES) = *(const vec *)(x + p * along + v * LANES);
}

static int64_t FN(pack_rows)(int width, int64_t k, const real *x, ptrdiff_t along, real *out) {
    int64_t whole = width % LANES == 0 ? k : k - 1;
    if (width <= LANES)
        FN(pack_rows_of)(1, width, whole, x, along, out);
    else
        FN(pack_rows_of)(2, width, whole, x, along, out);
    return whole < 0 ? 0 : whole;
}

static void FN(pack)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, ptrdiff_t along, real *out) {
    int64_t p = 0;
    if (along == 1 && (n == width || width <= LANES))
        p = FN(pack_lines)(width, n, k, x, across, out);
    else if (across == 1 && n == width && width <= 2 * LANES && along >= LANES)
        p = FN(pack_rows)(width, k, x, along, out);
    for (; p < k; p++)
        for (int i = 0; i < width; i++)
            out[p * width + i] = i < n ? x[i * across + p * along] : 0;
}

/* A vector may reach into the next tile's lines, and be stored into the next step's, which are written after it; but
 * not behind the last. */
ALWAYS_INLINE void FN(pack_tiles_of)(int width, int64_t tiles, int64_t k, const real *x, ptrdiff_t along, real *out) {
    for (int64_t p = 0; p < k; p++)
        for (int64_t i = 0; i < tiles; i++) {
            const real *from = x + p * along + i * width;
            real *to = out + (i * k + p) * width;
            if (p < k - 1 || width % LANES == 0)
                for (int j = 0; j < width; j += LANES)
                    *(vec *)(to + j) = *(const vec *)(from + j);
            else
                for (int j = 0; j < width; j++)
                    to[j] = from[j];
        }
}

static void FN(pack_tiles)(int width, int64_t tiles, int64_t k, const real *x, ptrdiff_t along, real *out) {
    if (width == TILE_ROWS)
        FN(pack_tiles_of)(TILE_ROWS, tiles, k, x, along, out);
    else
        FN(pack_tiles_of)(2 * LANES, tiles, k, x, along, out);
}
#undef UNITS
#undef UNIT_LANES
#undef REGISTER
