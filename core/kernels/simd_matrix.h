/* Matrix product kernels, for core/kernels/simd.h: the tile, which does all the arithmetic, and packing. */

/* A tile's loop is as fast as its instructions are few: each loads an element of A for all lanes, or multiplies and
 * adds. Rows are addressed by a pointer to every eighth and seven offsets, kept opaque to the compiler: it would
 * otherwise compute an offset for every row, and some of these would be spilled. */
#define ROWS_APART 8
#define KEEP_IN_REGISTER(x) __asm__("" : "+r"(x))

ALWAYS_INLINE void FN(tile_of)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                               const real *b, ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
    const char *from[TILE_TALL];
    ptrdiff_t row[ROWS_APART], col = a_col * (ptrdiff_t)sizeof(real);
    vec sum[TILE_TALL][TILE_VECTORS], line[TILE_VECTORS];
    UNROLL
    for (int i = 0; i < rows; i++) {
        UNROLL
        for (int line_of_cache = 0; line_of_cache < vectors * VECTOR_BYTES; line_of_cache += 64)
            __builtin_prefetch((char *)(c + i * c_row) + line_of_cache, 1);
        UNROLL
        for (int j = 0; j < vectors; j++)
            sum[i][j] = (vec){0};
    }
    UNROLL
    for (int i = 0; i < rows; i += ROWS_APART) {
        from[i] = (const char *)(a + i * a_row);
        KEEP_IN_REGISTER(from[i]);
    }
    const int distances = rows < ROWS_APART ? rows : ROWS_APART;
    row[0] = 0;
    UNROLL
    for (int i = 1; i < distances; i++) {
        row[i] = i * a_row * (ptrdiff_t)sizeof(real);
        KEEP_IN_REGISTER(row[i]);
    }
    for (; k > 0; k--, b += b_row) {
        UNROLL
        for (int j = 0; j < vectors; j++)
            line[j] = *(const vec *)(b + j * LANES);
        UNROLL
        for (int i = 0; i < rows; i++) {
            UNROLL
            for (int j = 0; j < vectors; j++)
                sum[i][j] += *(const real *)(from[i - i % ROWS_APART] + row[i % ROWS_APART]) * line[j];
        }
        UNROLL
        for (int i = 0; i < rows; i += ROWS_APART)
            from[i] += col;
    }
    UNROLL
    for (int i = 0; i < rows; i++) {
        UNROLL
        for (int j = 0; j < vectors; j++) {
            vec *to = (vec *)(c + i * c_row + j * LANES);
            if (add)
                sum[i][j] += *to;
            *to = sum[i][j];
        }
    }
}

/* A copy of the tile for each of these numbers of rows, so that its sums stay in registers. Other numbers of rows take
 * several calls, which changes no sum. Returns the number of rows done. */
ALWAYS_INLINE int FN(tile_part)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col,
                                const real *b, ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
#define TILE_CASE(n) \
    if (rows >= n)   \
        return FN(tile_of)(n, vectors, k, a, a_row, a_col, b, b_row, add, c, c_row), n;
#if TILE_TALL >= 12
    if (vectors <= 2)
        TILE_CASE(12)
#endif
#if TILE_ROWS >= 8
    TILE_CASE(8)
#endif
    TILE_CASE(6)
    TILE_CASE(5)
    TILE_CASE(4)
    TILE_CASE(3)
    TILE_CASE(2)
#undef TILE_CASE
    return FN(tile_of)(1, vectors, k, a, a_row, a_col, b, b_row, add, c, c_row), 1;
}

static void FN(tile)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col, const real *b,
                     ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row) {
    for (int done; rows > 0; rows -= done, a += done * a_row, c += done * c_row)
        if (TILE_VECTORS > 2 && vectors > 2)
            done = FN(tile_part)(rows, TILE_VECTORS, k, a, a_row, a_col, b, b_row, add, c, c_row);
        else if (vectors == 2)
            done = FN(tile_part)(rows, 2, k, a, a_row, a_col, b, b_row, add, c, c_row);
        else
            done = FN(tile_part)(rows, 1, k, a, a_row, a_col, b, b_row, add, c, c_row);
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

/* Two accumulators for each of the four, so that a step need not wait for the one before. k >= LANES; the last vector
 * overlaps the one before where k is no multiple of LANES. */
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

/* A square of lanes transposed: r[j][i] = x[i * across + j] for i below n, else 0. First squares within units of 128
 * bits, whose rounds interleave pairs of vectors, then the units. A line's address is the one before and `across`, as
 * the lines' offsets would not fit the registers. */
#define UNITS (VECTOR_BYTES / 16)
#define UNIT_LANES (LANES / UNITS)
#define SQUARES (64 / VECTOR_BYTES) /* side by side in a cache line */

ALWAYS_INLINE void FN(transpose_in_units)(vec *r) {
    vec next[UNIT_LANES];
    UNROLL
    for (int round = 1; round < UNIT_LANES; round *= 2) {
        UNROLL
        for (int i = 0; i < UNIT_LANES / 2; i++) {
            next[2 * i] = __builtin_shufflevector(r[i], r[i + UNIT_LANES / 2], FN(LOCAL_LOW));
            next[2 * i + 1] = __builtin_shufflevector(r[i], r[i + UNIT_LANES / 2], FN(LOCAL_HIGH));
        }
        UNROLL
        for (int i = 0; i < UNIT_LANES; i++)
            r[i] = next[i];
    }
}

ALWAYS_INLINE void FN(load_transposed)(int64_t n, const real *x, ptrdiff_t across, vec *r) {
    UNROLL
    for (int i = 0; i < LANES; i++, x += across) {
        KEEP_IN_REGISTER(x);
        r[i] = i < n ? *(const vec *)x : (vec){0};
    }
    UNROLL
    for (int i = 0; i < LANES; i += UNIT_LANES)
        FN(transpose_in_units)(r + i);
    UNROLL
    for (int apart = UNIT_LANES; apart < LANES; apart *= 2) {
        UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            vec *low = r + i / apart * 2 * apart + i % apart, a = *low, b = low[apart];
            low[0] = __builtin_shufflevector(a, b, FN(UNIT_EVEN));
            low[apart] = __builtin_shufflevector(a, b, FN(UNIT_ODD));
        }
    }
}

/* out[i row + j] = from[i + j step] for `squares` adjacent squares, whose rows are written whole. */
ALWAYS_INLINE void FN(transpose_squares)(int squares, real *out, ptrdiff_t row, const real *from, ptrdiff_t step) {
    vec r[SQUARES][LANES];
    UNROLL
    for (int s = 0; s < squares; s++)
        FN(load_transposed)(LANES, from + s * LANES * step, step, r[s]);
    UNROLL
    for (int k = 0; k < LANES; k++, out += row) {
        KEEP_IN_REGISTER(out);
        UNROLL
        for (int s = 0; s < squares; s++)
            *(vec *)(out + s * LANES) = r[s][k];
    }
}

/* Whole squares, a cache line of `out` at a time: lines far apart may map to the same cache set. The inner loop follows
 * the side whose lines are farther apart. */
static void FN(transpose_whole)(int64_t n, int64_t m, real *out, ptrdiff_t row, const real *from, ptrdiff_t step) {
    bool along_from = llabs(step) >= llabs(row);
    int64_t width = SQUARES * LANES, lines = m - m % width, outer = along_from ? lines : n,
            inner = along_from ? n : lines;
    int64_t a_step = along_from ? width : LANES, b_step = along_from ? LANES : width;
    for (int64_t a = 0; a < outer; a += a_step)
        for (int64_t b = 0; b < inner; b += b_step) {
            int64_t i = along_from ? b : a, j = along_from ? a : b;
            FN(transpose_squares)(SQUARES, out + i * row + j, row, from + i + j * step, step);
        }
    for (int64_t j = lines; j < m; j += LANES)
        for (int64_t i = 0; i < n; i += LANES)
            FN(transpose_squares)(1, out + i * row + j, row, from + i + j * step, step);
}

/* out[i row + j] = from[i + j step] for i < n, j < m */
static void FN(transpose)(int64_t n, int64_t m, real *out, ptrdiff_t row, const real *from, ptrdiff_t step) {
    int64_t whole_n = n - n % LANES, whole_m = m - m % LANES;
    FN(transpose_whole)(whole_n, whole_m, out, row, from, step);
    for (int64_t j = whole_n < n ? 0 : whole_m; j < m; j++)
        for (int64_t i = j < whole_m ? whole_n : 0; i < n; i++)
            out[i * row + j] = from[i + j * step];
}

/* Contiguous lines, in whole squares of lanes; returns the steps done. Where width is no multiple of LANES a row's last
 * vector runs into the next row, so the last vectors are written first. */
static int64_t FN(pack_lines)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, real *out) {
    vec r[LANES];
    int64_t p = 0;
    for (; p + LANES <= k; p += LANES)
        for (int i = (width - 1) / LANES * LANES; i >= 0; i -= LANES) {
            FN(load_transposed)(n - i, x + i * across + p, across, r);
            UNROLL
            for (int j = 0; j < LANES; j++)
                *(vec *)(out + (p + j) * width + i) = r[j];
        }
    return p;
}

/* Rows of the result that are contiguous in x. All but the last may be read and written up to a vector too far. */
static int64_t FN(pack_rows)(int width, int64_t k, const real *x, ptrdiff_t along, real *out) {
    int64_t whole = width % LANES == 0 ? k : k - 1;
    for (int64_t p = 0; p < whole; p++)
        for (int i = 0; i < width; i += LANES)
            *(vec *)(out + p * width + i) = *(const vec *)(x + p * along + i);
    return whole < 0 ? 0 : whole;
}

static void FN(pack)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, ptrdiff_t along, real *out) {
    int64_t p = 0;
    if (along == 1 && (n == width || width <= LANES))
        p = FN(pack_lines)(width, n, k, x, across, out);
    else if (across == 1 && n == width && along >= LANES)
        p = FN(pack_rows)(width, k, x, along, out);
    for (; p < k; p++)
        for (int i = 0; i < width; i++)
            out[p * width + i] = i < n ? x[i * across + p * along] : 0;
}

/* A vector may run into the next tile's lines, and be stored over the next step's, which are written later; but not
 * past the last. */
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
        FN(pack_tiles_of)(TILE_VECTORS * LANES, tiles, k, x, along, out);
}
#undef UNITS
#undef UNIT_LANES
#undef SQUARES
