/* A gradient made of another part of the Jacobian than the sum over y of J dy: without dy, without J, one slice of y
 * only, another operand's; or of a product whose operand should have been transposed. */
#include "core/gradcheck/check.h"

extern const tg_op tg_op_linear;

bool tg_name_swapped(tg_evidence *e, tg_gradcheck_result *r) {
    for (int k = 0; k < e->s->original->n_in; k++)
        if (k != e->operand && tg_use_other(e, k) && tg_explains(e, e->other))
            return tg_say(r, TG_MISTAKE_SWAPPED, "the gradient of operand %d stands where that of operand %d belongs",
                          k + 1, e->operand + 1);
    return false;
}

/* Is the gradient the same for 2^-20 dy? What is clipped to 1 looks like a dy of 1. */
static bool ignores_dy(tg_evidence *e) {
    tg_checker *c = &e->s->c;
    double *g = tg_evidence_numbers(e->s, e->x->numel);
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = 0x1p-20 * c->cotangent[j];
    tg_zero_grads(c->t);
    if (!g || tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return false;
    if (e->x->gowner->has_grad)
        tg_copy_out(e->x, tg_grad_elements(e->x), e->x->gstride, g);
    bool same = tg_write_doubles(c->v, c->cotangent, c->y->numel) == TG_OK;
    for (int64_t i = 0; i < e->n; i++)
        same &= fabs(g[e->at[i]] - e->wrong[i]) <= 1e-5 * tg_unit_at(e, i);
    return same;
}

bool tg_name_no_dy(tg_evidence *e, tg_gradcheck_result *r) {
    double most = 0; /* softmax's would be 0 */
    for (int64_t i = 0; i < e->n; i++)
        most = fmax(most, fabs(e->wrong[i]));
    return most > 1e-9 * e->largest && tg_explains(e, e->without_dy) && ignores_dy(e) &&
           tg_say(r, TG_MISTAKE_NO_DY, "not multiplied by dy, the gradient that arrives");
}

/* To what rounding to float does to it: slopes near 1 are something else. */
static bool is_dy(const tg_evidence *e) {
    for (int64_t i = 0; i < e->n; i++)
        if (!(fabs(e->wrong[i] - e->dy[i]) <= 1e-7 * fabs(e->dy[i])))
            return false;
    return true;
}

bool tg_name_passed_on(tg_evidence *e, tg_gradcheck_result *r) {
    return e->same_size && tg_explains(e, e->dy) && is_dy(e) &&
           tg_say(r, TG_MISTAKE_PASSED_ON, "dy is passed on unchanged: the derivative of %s itself is missing",
                  e->s->original->op->name);
}

/* ---- several gradients belong to an element, and not all of them are there ---- */

/* Does x broadcast to y's first n dims, and repeat along y's dim d, one of them? A matrix does so to the batches. */
static bool repeats_among(const tg_node *x, const tg_node *y, int d, int n) {
    int shift = y->ndim - x->ndim;
    for (int i = 0; i + shift < n; i++)
        if (shift + i < 0 || (x->size[i] != 1 && x->size[i] != y->size[shift + i]))
            return false;
    return d < n && (d < shift || x->size[d - shift] == 1);
}

static bool repeats(const tg_evidence *e, int d) {
    const tg_node *y = e->s->c.y;
    return repeats_among(e->x, y, d, y->ndim) ||
           (e->everywhere >> d & 1 && e->x->ndim > 1 && repeats_among(e->x, y, d, y->ndim - 2));
}

/* Or is it used there for every slice, as a weight is for every row? Of two slices one that is lost leaves one, unless
 * it is known to be a weight. */
static bool is_used_along(const tg_evidence *e, int d) {
    const tg_node *y = e->s->c.y;
    bool weight = e->s->original->op->probe == tg_op_linear.probe && e->operand == 1 && d < y->ndim - 1;
    return weight || (e->everywhere >> d & 1 && y->size[d] > 2);
}

/* Is there something between the first and the last part? A single one is both. */
static bool has_middle(double all, double first, double last, double least) {
    return fabs(all - first - last) > least && fabs(all - first) > least && fabs(all - last) > least;
}

/* Is one of n parts, the first or the last, all that is left? Where there is nothing between them, the other may be all
 * that is missing. */
static bool is_only_part(const tg_evidence *e, const double *first, const double *last, int64_t n) {
    bool several = n == 2;
    for (int64_t i = 0; i < e->n; i++)
        several |= has_middle(e->right[i], first[i], last[i], 1e-5 * e->size[i]);
    return several && (tg_explains(e, first) || tg_explains(e, last));
}

/* The dim of y of which one slice alone gives the wrong gradient; or -1. */
static int only_slice(const tg_evidence *e) {
    const tg_node *y = e->s->c.y;
    for (int d = 0; d < y->ndim; d++)
        if ((repeats(e, d) || is_used_along(e, d)) && is_only_part(e, e->slice[2 * d], e->slice[2 * d + 1], y->size[d]))
            return d;
    return -1;
}

static bool repeats_anywhere(const tg_evidence *e) {
    for (int d = 0; d < e->s->c.y->ndim; d++)
        if (repeats(e, d))
            return true;
    return false;
}

bool tg_name_parts(tg_evidence *e, tg_gradcheck_result *r) {
    const tg_node *x = e->x, *y = e->s->c.y;
    if (e->outputs > 1) /* y's dim is that of no output */
        return false;
    if (tg_index_operand(e) && (tg_explains(e, e->first) || tg_explains(e, e->last)))
        return tg_say(r, TG_MISTAKE_OVERWRITE,
                      "= instead of +=: where an index repeats only one of its gradients is kept");
    if (tg_same_shape(x, y))
        return false; /* nothing broadcasts */
    int d = only_slice(e);
    if (d >= 0 && !repeats(e, d))
        return tg_say(
            r, TG_MISTAKE_NOT_SUMMED,
            "not summed over dim %d of y %s: every slice along it uses %s, whose gradient comes from one alone; "
            "sum over that dim",
            d, tg_node_text(y).s, tg_node_text(x).s);
    if (d >= 0)
        return tg_say(
            r, TG_MISTAKE_NOT_SUMMED,
            "not summed over the broadcast dim: the gradient of %s comes from one slice of dim %d of y %s alone; sum "
            "over that dim",
            tg_node_text(x).s, d, tg_node_text(y).s);
    return repeats_anywhere(e) && is_only_part(e, e->first, e->last, e->x->numel ? y->numel / e->x->numel : 0) &&
           tg_say(r, TG_MISTAKE_NOT_SUMMED,
                  "not summed over the broadcast dims: only one of the gradients that belong to an element is kept");
}

/* ---- products ---- */

/* A matrix as it lies: the last two dims of an operand's elements, or of dy. */
typedef struct matrix {
    const double *data;
    int64_t rows, cols, row, col;
} matrix;

static matrix turned(matrix m, bool turn) { return turn ? (matrix){m.data, m.cols, m.rows, m.col, m.row} : m; }

/* The matrix of x that belongs to y's `batch`, where batches broadcast. */
static matrix matrix_of(const tg_node *x, const double *data, const int64_t *stride, const tg_node *y, int64_t batch) {
    int d = x->ndim;
    ptrdiff_t offset = 0;
    for (int i = y->ndim - 3; i >= 0; batch /= y->size[i--]) {
        int own = i - (y->ndim - d);
        if (own >= 0 && x->size[own] > 1)
            offset += batch % y->size[i] * stride[own];
    }
    return (matrix){data + offset, x->size[d - 2], x->size[d - 1], stride[d - 2], stride[d - 1]};
}

static bool add_product(matrix a, matrix b, matrix sum) {
    if (a.cols != b.rows || a.rows != sum.rows || b.cols != sum.cols)
        return false;
    for (int64_t i = 0; i < sum.rows; i++)
        for (int64_t j = 0; j < sum.cols; j++)
            for (int64_t k = 0; k < a.cols; k++)
                ((double *)sum.data)[i * sum.row + j * sum.col] +=
                    a.data[i * a.row + k * a.col] * b.data[k * b.row + j * b.col];
    return true;
}

/* dy times the other operand, in one of eight ways, summed over the batches that x broadcasts to. */
static bool is_product(tg_evidence *e, const tg_node *other, double *sum, int way) {
    const tg_node *x = e->x, *y = e->s->c.y;
    int64_t dense_x[TG_MAX_DIMS], dense_y[TG_MAX_DIMS], matrices = 1;
    tg_dense_strides(x->ndim, x->size, dense_x);
    tg_dense_strides(y->ndim, y->size, dense_y);
    for (int i = 0; i < y->ndim - 2; i++)
        matrices *= y->size[i];
    memset(sum, 0, (size_t)x->numel * sizeof *sum);
    for (int64_t at = 0; at < matrices; at++) {
        matrix dy = turned(matrix_of(y, e->s->c.cotangent, dense_y, y, at), way & 1);
        matrix o = turned(matrix_of(other, other->data, other->stride, y, at), way & 2);
        if (!add_product(way & 4 ? o : dy, way & 4 ? dy : o, matrix_of(x, sum, dense_x, y, at)))
            return false;
    }
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = sum[e->at[i]];
    return tg_explains(e, e->other);
}

bool tg_name_product(tg_evidence *e, tg_gradcheck_result *r) {
    const tg_node *y = e->s->c.y, *other = e->s->original->n_in > 1 && e->operand < 2 ? e->s->x[1 - e->operand] : NULL;
    if (!other || e->x->ndim < 2 || other->ndim < 2 || y->ndim < 2 || !tg_is_floating(other) || e->is_diagonal ||
        e->x->numel > 1 << 16)
        return false;
    double *sum = tg_evidence_numbers(e->s, e->x->numel);
    for (int way = 0; way < 8 && sum; way++)
        if (is_product(e, other, sum, way))
            return tg_say(r, TG_MISTAKE_TRANSPOSED,
                          "transposed: dy or the other operand has to be transposed in the product (or not)");
    return false;
}
