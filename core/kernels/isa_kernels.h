/* Up to `lanes` queries of attention with all their keys. */
typedef struct tg_few {
    int64_t rows, keys, d, dv; /* rows: queries */
    real scale;
    tg_matrix q, k, v, dq, dk, dv_grad; /* gradients: data is NULL when they are not wanted */
    real *y;                            /* rows x dv, contiguous, as dy */
    const real *dy, *bias;              /* bias: added to the scores, a vector per key; or NULL */
    real *shift, *factor;               /* per query, saved: its largest score, 1 / sum e^(s - shift) */
    real *ds;                           /* a vector per key, and three more */
} tg_few;

/* A set's kernels for one type: part of core/kernels/isa.h. */
typedef struct tg_kernels {
    /* a tile is at most `rows` by `vectors` * `lanes`, or `tall` by 2 * `lanes`, with k up to `depth`; 0 for the
     * reference */
    int rows, vectors, tall, lanes, depth;
    int block; /* rows of A, `depth` long, that fit in the second-level cache: a multiple of `rows` */

    /* C (rows x vectors * lanes, contiguous columns) = or += A B over k. A is read an element at a time, B a row
     * of vectors at a time. a is not passed as a tg_matrix: a struct just written field by field is copied by wider
     * loads, which defeats store forwarding and stalls the tile. */
    void (*tile)(int rows, int vectors, int64_t k, const real *a, ptrdiff_t a_row, ptrdiff_t a_col, const real *b,
                 ptrdiff_t b_row, bool add, real *c, ptrdiff_t c_row);

    /* sums[i] = the dot product of a and b + i * b_row, over k >= lanes, for i < 4 */
    void (*dots)(int64_t k, const real *a, const real *b, ptrdiff_t b_row, real *sums);

    /* Interleaves n lines of length k: out[p * width + i] = x[i * across + p * along], zeros from i = n to width. One
     * vector past out's k * width elements may be overwritten. */
    void (*pack)(int width, int64_t n, int64_t k, const real *x, ptrdiff_t across, ptrdiff_t along, real *out);

    /* The same for `tiles` * `width` adjacent lines of x (across = 1), the tiles' results one after another; each step
     * along the lines handles all tiles, so that x is read in order. width is `rows` or `vectors` * `lanes`; along is
     * at least that. */
    void (*pack_tiles)(int width, int64_t tiles, int64_t k, const real *x, ptrdiff_t along, real *out);

    /* out[i row + j] = from[i + j step] for i < n, j < m */
    void (*transpose)(int64_t n, int64_t m, real *out, ptrdiff_t row, const real *from, ptrdiff_t step);

    /* y[j] = e^(x[j] - shift), f(x[j]); y may be x. NULL: libm is used. */
    void (*exp)(int64_t n, real *y, const real *x, real shift);
    void (*sigmoid)(int64_t n, real *y, const real *x);
    void (*log)(int64_t n, real *y, const real *x);
    void (*log1p)(int64_t n, real *y, const real *x);
    void (*expm1)(int64_t n, real *y, const real *x);
    void (*sin)(int64_t n, real *y, const real *x);
    void (*cos)(int64_t n, real *y, const real *x);
    void (*pow)(int64_t n, real *y, const real *x, const real *p, int step); /* x[j]^p[j step], step 0 or 1 */
    void (*tanh)(int64_t n, real *y, const real *x);
    void (*erf)(int64_t n, real *y, const real *x);
    void (*gelu)(int64_t n, real *y, const real *x);
    void (*gelu_vjp)(int64_t n, real *dx, const real *dy, const real *x);

    /* x = x factor + offset, rounded once; uniforms become normals, a multiple of 16 (core/kernels/random.h). NULL:
     * plain loops are used. */
    void (*scale)(int64_t n, real *x, real factor, real offset);
    void (*normal)(int64_t n, real *x, real mean, real std);

    /* A row of layer normalisation, or of rms_norm (not centered: the mean is taken as 0): y, and mean and 1 / std into
     * saved; dx = or += its gradient, dw and db += theirs (each unless NULL). w and b may be NULL. */
    void (*norm)(int64_t n, real *y, const real *x, const real *w, const real *b, real eps, bool centered, real *saved);
    void (*norm_vjp)(int64_t n, real *dx, bool add, real *dw, real *db, const real *dy, const real *x, const real *w,
                     bool centered, const real *saved);

    /* Attention. s: n rows (keys) of `vectors` * lanes columns (queries), `row` apart.
     * softmax_columns, a step of the online softmax: max = the largest so far, factor = e^(max before - max),
     * s = e^(s - max), sum = sum factor + the sum of the new s; where all scores are -inf, max is -inf and s becomes 0.
     * softmax_columns_vjp: s = e^(s - shift) factor, ds = s (ds - delta) scale. scale_columns: x *= factor. */
    void (*softmax_columns)(int64_t n, int vectors, real *s, ptrdiff_t row, real *max, real *sum, real *factor);
    void (*softmax_columns_vjp)(int64_t n, int vectors, real *s, real *ds, ptrdiff_t row, const real *shift,
                                const real *factor, const real *delta, real scale);
    void (*scale_columns)(int64_t n, int vectors, real *x, ptrdiff_t row, const real *factor);

    /* A product with m n k <= TG_TINY_PRODUCTS. */
    void (*multiply_tiny)(int64_t m, int64_t n, int64_t k, const tg_matrix *a, const tg_matrix *b, bool add,
                          const tg_matrix *c);

    void (*attend_few)(const tg_few *f);
    void (*attend_few_vjp)(const tg_few *f);
} tg_kernels;
