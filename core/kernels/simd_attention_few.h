/* Attention of a few keys with up to LANES queries, for core/kernels/simd.h. The queries are the lanes: an element of k
 * or v is applied to all of them at once, and neither the softmax nor y needs horizontal sums. */

/* Where the lanes' rows begin, `row` elements apart. Lanes past the last row are absent. */
#define lines FN(lines)
typedef struct lines {
    ptrdiff_t at[LANES];
    bits present;
} lines;

ALWAYS_INLINE lines FN(lines_of)(int64_t rows, ptrdiff_t row) {
    static const real number[TG_LANES_MAX] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lines l = {.present = *(const vec *)number < (real)rows};
    UNROLL
    for (int i = 0; i < LANES; i++)
        l.at[i] = i < rows ? i * row : 0;
    return l;
}

/* x of each row, 0 for absent lanes, assembled in registers: a vector load after element-wise stores would stall on
 * store forwarding. */
ALWAYS_INLINE vec FN(column)(const lines *l, const real *x) {
    union {
        vec whole;
        quad part[VECTOR_BYTES / 16];
    } u;
    UNROLL
    for (int i = 0; i < LANES; i++)
        u.part[i / (int)(16 / sizeof(real))][i % (int)(16 / sizeof(real))] = x[l->at[i]];
    return (vec)((bits)u.whole & l->present);
}

/* Store lane i of x to row i. */
ALWAYS_INLINE void FN(spread)(int64_t rows, vec x, real *to, ptrdiff_t row) {
    real each[LANES];
    *(vec *)each = x;
    for (int64_t i = 0; i < rows; i++)
        to[i * row] = each[i];
}

/* Four partial sums of x's lanes. */
ALWAYS_INLINE void FN(fold)(const vec *x, four *sums) {
    four zero = {0};
    *sums = zero;
    UNROLL
    for (int l = 0; l < LANES; l += LANES < 4 ? LANES : 4)
        *sums += LANES < 4 ? (four){(*x)[0], (*x)[1]} : *(const four *)((const real *)x + l);
}

/* to[j] += the sum of all lanes of line j times column, for n lines; up to three more may be read. */
ALWAYS_INLINE void FN(add_lane_sums)(int64_t n, const vec *line, vec column, real *to, ptrdiff_t step) {
    for (int64_t j = 0; j < n; j += 4) {
        four f[4];
        UNROLL
        for (int i = 0; i < 4; i++) {
            vec product = line[j + i] * column;
            FN(fold)(&product, &f[i]);
        }
        f[0] = __builtin_shufflevector(f[0], f[1], 0, 4, 1, 5) + __builtin_shufflevector(f[0], f[1], 2, 6, 3, 7);
        f[2] = __builtin_shufflevector(f[2], f[3], 0, 4, 1, 5) + __builtin_shufflevector(f[2], f[3], 2, 6, 3, 7);
        f[0] = __builtin_shufflevector(f[0], f[2], 0, 1, 4, 5) + __builtin_shufflevector(f[0], f[2], 2, 3, 6, 7);
        FN(store_four)(n - j, &f[0], true, to + j * step, step);
    }
}

/* The sum of x[j] * weight[j * step] over n vectors. */
ALWAYS_INLINE vec FN(weigh)(int64_t n, const vec *x, const real *weight, ptrdiff_t step) {
    vec sum = (vec){0};
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * weight[i * step];
    return sum;
}

/* s: the scaled scores of key j, with the bias. */
ALWAYS_INLINE vec FN(few_scores)(const tg_few *f, const vec *q, int64_t j) {
    vec s = FN(weigh)(f->d, q, f->k.data + j * f->k.row, f->k.col);
    if (!f->bias)
        return s;
    vec bias = *(const vec *)(f->bias + j * LANES);
    return FN(choose)(bias > -INFINITY, s + bias, bias);
}

ALWAYS_INLINE void FN(few_queries)(const tg_few *f, const lines *l, vec *q) {
    for (int64_t c = 0; c < f->d; c++)
        q[c] = FN(column)(l, f->q.data + c * f->q.col) * f->scale;
}

static void FN(attend_few)(const tg_few *f) {
    vec q[TG_FEW / LANES], s[TG_FEW / LANES], max = (vec){0} - INFINITY, sum = (vec){0};
    lines q_lines = FN(lines_of)(f->rows, f->q.row);
    FN(few_queries)(f, &q_lines, q);
    for (int64_t j = 0; j < f->keys; j++) {
        s[j] = FN(few_scores)(f, q, j);
        max = FN(greatest)(s[j], max);
    }
    vec shift = FN(choose)(max > -INFINITY, max, (vec){0});
    for (int64_t j = 0; j < f->keys; j++) {
        s[j] = FN(exp_of_negative)(s[j] - shift);
        sum += s[j];
    }
    vec factor = FN(choose)(sum == 0, (vec){0}, 1 / sum);
    for (int64_t c = 0; c < f->dv; c++) {
        vec y = FN(weigh)(f->keys, s, f->v.data + c * f->v.col, f->v.row) * factor;
        FN(spread)(f->rows, y, f->y + c, f->dv);
    }
    FN(spread)(f->rows, shift, f->shift, 1);
    FN(spread)(f->rows, factor, f->factor, 1);
}

static void FN(attend_few_vjp)(const tg_few *f) {
    vec q[TG_FEW / LANES], dy[TG_FEW / LANES], weights[TG_FEW / LANES + 3], *ds = (vec *)f->ds, delta = (vec){0};
    lines q_lines = FN(lines_of)(f->rows, f->q.row), y_lines = FN(lines_of)(f->rows, f->dv);
    lines saved = FN(lines_of)(f->rows, 1);
    vec shift = FN(column)(&saved, f->shift), factor = FN(column)(&saved, f->factor);
    FN(few_queries)(f, &q_lines, q);
    for (int64_t c = 0; c < f->dv; c++) {
        dy[c] = FN(column)(&y_lines, f->dy + c);
        delta += dy[c] * FN(column)(&y_lines, f->y + c);
    }
    for (int64_t j = 0; j < f->keys; j++) {
        vec p = FN(exp_of_negative)(FN(few_scores)(f, q, j) - shift) * factor;
        vec dp = FN(weigh)(f->dv, dy, f->v.data + j * f->v.row, f->v.col);
        weights[j] = (vec)((bits)p & y_lines.present);
        ds[j] = (vec)((bits)(p * (dp - delta)) & y_lines.present);
    }
    for (int64_t j = f->keys; j < f->keys + 3; j++)
        weights[j] = ds[j] = (vec){0};
    for (int64_t c = 0; f->dk.data && c < f->d; c++)
        FN(add_lane_sums)(f->keys, ds, q[c], f->dk.data + c * f->dk.col, f->dk.row);
    for (int64_t c = 0; f->dv_grad.data && c < f->dv; c++)
        FN(add_lane_sums)(f->keys, weights, dy[c], f->dv_grad.data + c * f->dv_grad.col, f->dv_grad.row);
    for (int64_t c = 0; f->dq.data && c < f->d; c++) {
        real dq[LANES];
        *(vec *)dq = FN(weigh)(f->keys, ds, f->k.data + c * f->k.col, f->k.row) * f->scale;
        for (int64_t i = 0; i < f->rows; i++)
            f->dq.data[i * f->dq.row + c * f->dq.col] += dq[i];
    }
}
#undef lines
