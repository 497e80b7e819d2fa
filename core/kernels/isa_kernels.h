/* A set's kernels for one type: part of core/kernels/isa.h. */
typedef struct FN(tg_kernels) {
    int rows, lanes, depth; /* a tile is at most `rows` by 2 * `lanes`, with k up to `depth`; 0 for the reference */

    /* C (rows x vectors * lanes, contiguous columns) = or += A B over k. A is read an element at a time, B a row
     * of vectors at a time; vectors is 1 or 2. */
    void (*tile)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col, const real *b,
                 ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row);

    /* Lay n lines of length k side by side: out[p * width + i] = x[i * across + p * along], zeros from i = n to
     * width. One vector behind out's k * width elements may be overwritten. */
    void (*pack)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, ptrdiff_t along, real *out);

    /* The same for `tiles` times `rows` lines side by side in x (across = 1), one tile's result behind the other's; all
     * of them at each step along the lines, which spares the caches. along is at least `rows`. */
    void (*pack_tiles)(int64_t tiles, int64_t k, const real *x, ptrdiff_t along, real *out);

    /* y[j] = e^(x[j] - shift), f(x[j]); y may be x. NULL where libm serves. */
    void (*exp)(int64_t n, real *y, const real *x, real shift);
    void (*log)(int64_t n, real *y, const real *x);
    void (*tanh)(int64_t n, real *y, const real *x);
    void (*erf)(int64_t n, real *y, const real *x);

    /* x is rows x width, width a multiple of lanes. column_max: most[i] = max of most[i] and column i. column_exp:
     * x[p][i] = e^(x[p][i] scale - shift[i]), and sum[i] += what became of column i. */
    void (*column_max)(int64_t rows, int width, const real *x, real *most);
    void (*column_exp)(int64_t rows, int width, real *x, real scale, const real *shift, real *sum);
} FN(tg_kernels);
