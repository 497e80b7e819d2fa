/* Operations that mix the elements of a row: softmax, whose Jacobian is more than its diagonal; normalisations, whose
 * mean and variance depend on x as well; losses over classes. */
#include "core/gradcheck/check.h"

/* ---- softmax ---- */

static bool mixes_rows(const tg_evidence *e) {
    return e->same_size && e->outputs == 1 && !e->is_diagonal && !tg_index_operand(e);
}

/* A single wrong element may have lost a part of its gradient in many ways: two have to tell this one. */
static bool explains_rows(const tg_evidence *e, const double *candidate) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < e->n; i++)
        wrong += !tg_is_right_at(e, i);
    return wrong > 1 && tg_explains(e, candidate);
}

bool tg_name_elementwise(tg_evidence *e, tg_gradcheck_result *r) {
    if (!mixes_rows(e))
        return false;
    bool diagonal = explains_rows(e, e->diagonal);
    if (!diagonal && !explains_rows(e, e->times_y) && !explains_rows(e, e->dy))
        return false;
    return tg_say(r, TG_MISTAKE_ELEMENTWISE,
                  "%s is treated as elementwise: every y depends on every x of its row, and %s; for softmax dx = y (dy "
                  "- sum dy y)",
                  e->s->original->op->name,
                  diagonal ? "only the diagonal of the Jacobian is used" : "the sum over the row is missing");
}

bool tg_name_off_diagonal(tg_evidence *e, tg_gradcheck_result *r) {
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = e->right[i] - e->diagonal[i];
    return mixes_rows(e) && explains_rows(e, e->other) &&
           tg_say(
               r, TG_MISTAKE_OFF_DIAGONAL,
               "the diagonal of the Jacobian is missing: dx[k] lacks dy[k] dy[k]/dx[k]; for softmax the diagonal is y "
               "(1 - y)");
}

/* The elements of a row are those that agree in all dims along which the operation does not mix: element k belongs to
 * the row that begins at its first one. */
static int64_t row_of(const tg_evidence *e, int64_t k) {
    const tg_node *x = e->x;
    int64_t stride = 1, begin = k;
    for (int d = x->ndim - 1; d >= 0; stride *= x->size[d--])
        if (e->mixes >> d & 1)
            begin -= k / stride % x->size[d] * stride;
    return begin;
}

static bool has_rows(const tg_evidence *e) {
    return mixes_rows(e) && e->mixes && tg_same_shape(e->x, e->s->c.y) && e->s->c.y->contiguous;
}

/* sum[row's begin] = the sum over the row of values */
static double *sum_rows(const tg_evidence *e, const double *values) {
    double *sum = tg_evidence_numbers(e->s, e->x->numel);
    for (int64_t k = 0; k < e->x->numel && sum; k++)
        sum[row_of(e, k)] += values[k];
    return sum;
}

bool tg_name_row_sum(tg_evidence *e, tg_gradcheck_result *r) {
    const double *y = e->s->c.at_base, *dy = e->s->c.cotangent;
    double *sum = has_rows(e) ? sum_rows(e, dy) : NULL;
    if (!sum)
        return false;
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = y[e->at[i]] * (dy[e->at[i]] - sum[row_of(e, e->at[i])]);
    return explains_rows(e, e->other) &&
           tg_say(r, TG_MISTAKE_ROW_SUM,
                  "the sum over the row is of dy where it should be of y dy: dx = y (dy - sum "
                  "dy y)");
}

/* ---- normalisations: y = h w + b, h = (x - m) r, r = 1 / sqrt(v + eps), m the mean or 0, v the mean of (x - m)^2;
 * dx = r (g - mean(g) [when m is the mean] - h mean(g h)), g = dy w ---- */

typedef struct norm {
    int64_t count;    /* elements of a row */
    double *x, *g;    /* centred; dy w */
    double *variance; /* these three, and r, by row_of */
    double *mean_g, *mean_gx, *r;
    bool centred;
} norm;

/* Operand i, when it may be the weight: one for each element of the last dim. */
static const tg_node *weight_at(const tg_evidence *e, int i) {
    const tg_node *w = i < e->s->original->n_in && i != e->operand ? e->s->x[i] : NULL;
    return w && tg_is_floating(w) && w->ndim == 1 && w->numel == e->x->size[e->x->ndim - 1] ? w : NULL;
}

static double weight_of(const tg_node *w, int64_t k) {
    return w ? ((const double *)w->data)[k % w->numel * w->stride[0]] : 1;
}

static bool open_norm(const tg_evidence *e, bool centred, const tg_node *weight, norm *n) {
    const double *dy = e->s->c.cotangent;
    int64_t numel = e->x->numel;
    *n = (norm){.centred = centred, .count = 1};
    for (int d = 0; d < e->x->ndim; d++)
        n->count *= e->mixes >> d & 1 ? e->x->size[d] : 1;
    n->x = tg_evidence_numbers(e->s, numel);
    n->g = tg_evidence_numbers(e->s, numel);
    n->r = tg_evidence_numbers(e->s, numel);
    double *products = tg_evidence_numbers(e->s, numel), *mean;
    if (!n->x || !n->g || !n->r || !products)
        return false;
    tg_copy_out(e->x, e->x->data, e->x->stride, n->x);
    if (!(mean = sum_rows(e, n->x)))
        return false;
    for (int64_t k = 0; k < numel; k++) {
        n->x[k] -= centred ? mean[row_of(e, k)] / (double)n->count : 0;
        n->g[k] = dy[k] * weight_of(weight, k);
        products[k] = n->x[k] * n->x[k] / (double)n->count;
    }
    n->variance = sum_rows(e, products);
    for (int64_t k = 0; k < numel; k++)
        products[k] = n->g[k] * n->x[k] / (double)n->count;
    n->mean_gx = sum_rows(e, products);
    n->mean_g = sum_rows(e, n->g);
    return n->variance && n->mean_gx && n->mean_g;
}

/* The gradient where the square root's inverse is r in the row's factor and inner in h; parts of it on demand. */
static double norm_gradient(const tg_evidence *e, const norm *n, int64_t k, double r, double inner, bool of_mean,
                            bool of_variance) {
    int64_t row = row_of(e, k);
    double mean = n->centred && of_mean ? n->mean_g[row] / (double)n->count : 0;
    return r * (n->g[k] - mean - (of_variance ? n->x[k] * inner * inner * n->mean_gx[row] : 0));
}

/* Find each row's r from the right gradient, r a - r^3 b by least squares; is it a normalisation? */
static bool fit_norm(tg_evidence *e, norm *n) {
    double *moment[5]; /* aa, ab, bb, ag, bg */
    for (int i = 0; i < 5; i++)
        if (!(moment[i] = tg_evidence_numbers(e->s, e->x->numel)))
            return false;
    for (int64_t i = 0; i < e->n; i++) {
        int64_t k = e->at[i], row = row_of(e, k);
        double a = norm_gradient(e, n, k, 1, 0, true, false), b = n->x[k] * n->mean_gx[row], g = e->right[i];
        moment[0][row] += a * a;
        moment[1][row] += a * b;
        moment[2][row] += b * b;
        moment[3][row] += a * g;
        moment[4][row] += b * g;
    }
    for (int64_t k = 0; k < e->x->numel; k++) {
        double aa = moment[0][k], ab = moment[1][k], bb = moment[2][k], d = aa * bb - ab * ab;
        n->r[k] = d > 1e-9 * aa * bb ? (moment[3][k] * bb - moment[4][k] * ab) / d : 0;
    }
    for (int64_t i = 0; i < e->n; i++) {
        double r = n->r[row_of(e, e->at[i])], again = norm_gradient(e, n, e->at[i], r, r, true, true);
        if (!(fabs(again - e->right[i]) <= 1e-7 * fmax(e->size[i], fabs(again))) || !(r > 0))
            return false;
    }
    return true;
}

/* With one of the operands for a weight, or (behind the last of them) without one. */
static bool find_norm(tg_evidence *e, norm *n) {
    int n_in = e->s->original->n_in;
    for (int i = 0; i <= n_in && has_rows(e); i++) {
        const tg_node *weight = weight_at(e, i);
        if ((i == n_in || weight) && ((open_norm(e, true, weight, n) && n->count > 2 && fit_norm(e, n)) ||
                                      (open_norm(e, false, weight, n) && fit_norm(e, n))))
            return true;
    }
    return false;
}

static bool lacks(tg_evidence *e, const norm *n, bool mean, bool variance) {
    for (int64_t i = 0; i < e->n; i++) {
        double r = n->r[row_of(e, e->at[i])];
        e->other[i] = norm_gradient(e, n, e->at[i], r, r, !mean, !variance);
    }
    return tg_explains(e, e->other);
}

bool tg_name_statistics(tg_evidence *e, tg_gradcheck_result *r) {
    norm n;
    if (!find_norm(e, &n))
        return false;
    if (lacks(e, &n, true, false))
        return tg_say(r, TG_MISTAKE_MEAN, "the mean is treated as a constant: - mean(g) is missing in dx");
    if (lacks(e, &n, false, true))
        return tg_say(r, TG_MISTAKE_VARIANCE, "the variance is treated as a constant: - h mean(g h) is missing in dx");
    return lacks(e, &n, true, true) &&
           tg_say(r, TG_MISTAKE_STATISTICS, "mean and variance are treated as constants: dx is g / std alone");
}

/* The root that backward takes: 1 / sqrt(v), 1 / (sqrt(v) + eps). */
static double other_root(const tg_evidence *e, const norm *n, int64_t k, bool outside) {
    int64_t row = row_of(e, k);
    double v = n->variance[row], eps = 1 / (n->r[row] * n->r[row]) - v;
    return 1 / (sqrt(v) + (outside ? eps : 0));
}

bool tg_name_eps(tg_evidence *e, tg_gradcheck_result *r) {
    norm n;
    if (!find_norm(e, &n))
        return false;
    for (int way = 0; way < 4; way++) {
        bool outside = way & 1, everywhere = way & 2;
        for (int64_t i = 0; i < e->n; i++) {
            double root = other_root(e, &n, e->at[i], outside), inner = n.r[row_of(e, e->at[i])];
            e->other[i] = norm_gradient(e, &n, e->at[i], root, everywhere ? root : inner, true, true);
        }
        if (tg_explains(e, e->other))
            return tg_say(r, TG_MISTAKE_EPS, "eps is %s in the backward",
                          outside ? "outside the root" : "forgotten under the root");
    }
    return false;
}

/* ---- losses over classes: x (..., C), an index for each row ---- */

/* Is there an index for each row? Then the place in e's sample is that of the element, since all are there. */
static const int64_t *targets_of(const tg_evidence *e, int64_t *classes) {
    const tg_node *index = tg_index_operand(e);
    *classes = e->x->ndim ? e->x->size[e->x->ndim - 1] : 0;
    bool fits = index && *classes > 1 && e->n == e->x->numel && index->numel * *classes == e->n && index->contiguous;
    return fits ? index->data : NULL;
}

/* Softmax of x over its last dim. */
static double *softmax_of(const tg_evidence *e, int64_t classes) {
    double *p = tg_evidence_numbers(e->s, e->x->numel);
    if (p)
        tg_copy_out(e->x, e->x->data, e->x->stride, p);
    for (int64_t at = 0; p && at < e->x->numel; at += classes) {
        double most = -INFINITY, sum = 0;
        for (int64_t c = at; c < at + classes; c++)
            most = fmax(most, p[c]);
        for (int64_t c = at; c < at + classes; c++)
            sum += p[c] = exp(p[c] - most);
        for (int64_t c = at; c < at + classes; c++)
            p[c] /= sum;
    }
    return p;
}

/* A row of a loss over classes: its elements in the sample, the one of its target (-1: none), and the largest that
 * wrong and right differ by. */
typedef struct class_row {
    int64_t at, classes, target;
    double most;
} class_row;

static class_row class_row_at(const tg_evidence *e, int64_t row, int64_t classes, int64_t target) {
    class_row w = {row * classes, classes, target >= 0 && target < classes ? target : -1, 0};
    for (int64_t i = w.at; i < w.at + classes; i++)
        w.most = fmax(w.most, fabs(e->wrong[i] - e->right[i]));
    return w;
}

/* An index that is ignored. */
static bool is_zero_row(const tg_evidence *e, const class_row *w) {
    for (int64_t i = w->at; i < w->at + w->classes; i++)
        if (e->wrong[i] != 0 || e->right[i] != 0)
            return false;
    return true;
}

/* f where the wrong row is f (p - less at the target), else 0. */
static double fit_classes(const tg_evidence *e, const class_row *w, const double *p, double less) {
    double products = 0, squares = 0, f;
    for (int64_t c = 0; c < w->classes; c++) {
        double q = p[w->at + c] - (c == w->target ? less : 0);
        products += e->wrong[w->at + c] * q;
        squares += q * q;
    }
    f = squares > 0 ? products / squares : 0;
    for (int64_t c = 0; c < w->classes; c++) {
        double q = p[w->at + c] - (c == w->target ? less : 0);
        if (!(fabs(e->wrong[w->at + c] - f * q) <= fmin(1e-6 * fabs(f), 1e-3 * w->most)))
            return 0;
    }
    return f;
}

/* wrong = f (p - onehot) and right = f (p - (1 - s) onehot - s / C): what they differ by is the same at all classes but
 * the target, and sums to 0. s, or 0. */
static double forgotten_smoothing(const tg_evidence *e, const class_row *w, const double *p) {
    double f = fit_classes(e, w, p, 1), each = e->wrong[w->at + !w->target] - e->right[w->at + !w->target];
    for (int64_t c = 0; c < w->classes; c++) {
        double d = e->wrong[w->at + c] - e->right[w->at + c],
               want = c == w->target ? -each * (double)(w->classes - 1) : each;
        if (f == 0 || !(fabs(d - want) <= fmin(1e-6 * fabs(f), 1e-3 * w->most)))
            return 0;
    }
    double s = each * (double)w->classes / f;
    return s > 0 && s <= 1 + 1e-3 ? s : 0;
}

bool tg_name_smoothing(tg_evidence *e, tg_gradcheck_result *r) {
    int64_t classes, rows = 0;
    const int64_t *target = targets_of(e, &classes);
    const double *p = target && classes > 2 ? softmax_of(e, classes) : NULL;
    double common = 0;
    for (int64_t row = 0; p && row < e->n / classes; row++) {
        class_row w = class_row_at(e, row, classes, target[row]);
        if (is_zero_row(e, &w))
            continue;
        double s = w.target >= 0 ? forgotten_smoothing(e, &w, p) : 0;
        if (s == 0 || (rows++ && fabs(s - common) > 1e-3 * common))
            return false;
        common = s;
    }
    return rows &&
           tg_say(r, TG_MISTAKE_SMOOTHING,
                  "label smoothing is forgotten in the backward: dx is p - onehot, not p - (1 - s) onehot - s / "
                  "C");
}

/* wrong = f p and right = f (p - onehot), where rows have an f of their own. */
bool tg_name_target(tg_evidence *e, tg_gradcheck_result *r) {
    int64_t classes, rows = 0;
    const int64_t *target = targets_of(e, &classes);
    const double *p = target ? softmax_of(e, classes) : NULL;
    for (int64_t row = 0; p && row < e->n / classes; row++) {
        class_row w = class_row_at(e, row, classes, target[row]);
        if (is_zero_row(e, &w))
            continue;
        double f = fit_classes(e, &w, p, 0);
        for (int64_t c = 0; c < classes; c++) {
            double d = e->wrong[w.at + c] - e->right[w.at + c];
            if (f == 0 || (c == w.target ? !(fabs(d - f) <= 1e-4 * fabs(f)) : !tg_is_right_at(e, w.at + c)))
                return false;
        }
        rows++;
    }
    return rows > 1 && tg_say(r, TG_MISTAKE_TARGET, "the -1 at the target is missing: dx is p, not p - onehot");
}
