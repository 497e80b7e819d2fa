/* Mistakes of operations that mix the elements of a row: softmax, whose Jacobian is more than its diagonal;
 * normalisations, whose mean and variance depend on x as well; losses over classes. The row of x[k] are those y[j] that
 * depend on it. */
#include "core/gradcheck/check.h"

/* ---- softmax ---- */

/* All elements are there. One wrong element alone may have lost a part of its gradient in many ways. */
static bool has_rows(const tg_evidence *e) {
    return e->n == e->s->c.y->numel && e->same_size && e->outputs == 1 && !e->is_diagonal && !tg_index_operand(e) &&
           e->n_wrong > 1;
}

/* Over the row of element k: sum f g; NULL is 1. */
static double sum_row(const tg_evidence *e, int64_t k, const double *f, const double *g) {
    double sum = 0;
    for (int64_t j = 0; j < e->n; j++)
        if (tg_column(e, k)[j] != 0)
            sum += (f ? f[j] : 1) * (g ? g[j] : 1);
    return sum;
}

bool tg_fill_elementwise(tg_evidence *e, int way) {
    const double *y = e->s->c.at_base, *dy = e->s->c.cotangent;
    for (int64_t k = 0; k < e->n && has_rows(e); k++)
        e->candidate[k] = dy[k] * (way == 0 ? tg_column(e, k)[k] : way == 1 ? y[k] : 1);
    return way < 3 && has_rows(e);
}

bool tg_fill_off_diagonal(tg_evidence *e, int way) {
    for (int64_t k = 0; k < e->n && has_rows(e); k++)
        e->candidate[k] = e->right[k] - tg_column(e, k)[k] * e->s->c.cotangent[k];
    return way < 1 && has_rows(e);
}

bool tg_fill_row_sum(tg_evidence *e, int way) {
    const double *y = e->s->c.at_base, *dy = e->s->c.cotangent;
    for (int64_t k = 0; k < e->n && has_rows(e); k++)
        e->candidate[k] = y[k] * (dy[k] - sum_row(e, k, dy, NULL));
    return way < 1 && has_rows(e);
}

/* ---- normalisations ----
 *
 * y = w u r + b, u = x - m, m the mean of the n elements of a row, or 0, r = 1 / sqrt(v + eps), v the mean of u^2:
 *   n dy[j]/dx[k] = a[j] (n [j = k] - 1 [when m is the mean]) - a[j] r^2 u[j] u[k],  a = w r,
 *   dx = g - mean(g) [when m is the mean] - r^2 u mean(g u),  g = a dy,
 * where the Jacobian gives two unknowns for each j, a[j] and a[j] r^2, by least squares over k. */

struct tg_norm {
    double *n, *u, *a, *both, *square, *variance, *g; /* both: a r^2, square: r^2 */
    bool centred;
};

/* by: the roots r times it, NULL: 1; inner: r^2 in the gradient of the variance, NULL: that is missing. */
static bool fill_norm(tg_evidence *e, bool of_mean, const double *inner, const double *by) {
    const struct tg_norm *m = e->norm;
    for (int64_t k = 0; k < e->n; k++) {
        double mean = of_mean && m->centred ? sum_row(e, k, m->g, NULL) / m->n[k] : 0;
        double variance = inner ? inner[k] * m->u[k] * sum_row(e, k, m->g, m->u) / m->n[k] : 0;
        e->candidate[k] = (by ? by[k] : 1) * (m->g[k] - mean - variance);
    }
    return true;
}

static void fit_element(const tg_evidence *e, struct tg_norm *m, int64_t j) {
    double pp = 0, pq = 0, qq = 0, pt = 0, qt = 0;
    for (int64_t k = 0; k < e->n; k++) {
        double t = m->n[j] * tg_column(e, k)[j], p = (k == j ? m->n[j] : 0) - m->centred, q = -m->u[j] * m->u[k];
        if (t == 0)
            continue;
        pp += p * p;
        pq += p * q;
        qq += q * q;
        pt += p * t;
        qt += q * t;
    }
    double det = pp * qq - pq * pq;
    m->both[j] = det > 1e-9 * pp * qq ? (qt * pp - pt * pq) / det : 0;
    m->a[j] = pp > 0 ? (pt - m->both[j] * pq) / pp : 0;
    m->g[j] = m->a[j] * e->s->c.cotangent[j];
}

static bool fit_norm(tg_evidence *e, struct tg_norm *m) {
    bool good = true;
    tg_copy_out(e->x, e->x->data, e->x->stride, e->candidate);
    for (int64_t k = 0; k < e->n; k++) {
        m->n[k] = sum_row(e, k, NULL, NULL);
        m->u[k] = e->candidate[k] - (m->centred ? sum_row(e, k, e->candidate, NULL) / m->n[k] : 0);
        good &= m->n[k] > 1 + m->centred;
    }
    for (int64_t k = 0; k < e->n; k++)
        fit_element(e, m, k);
    for (int64_t k = 0; k < e->n; k++) {
        m->variance[k] = sum_row(e, k, m->u, m->u) / m->n[k];
        m->square[k] = sum_row(e, k, m->a, m->both) / sum_row(e, k, m->a, m->a);
        good &= m->square[k] > 0;
    }
    e->norm = m;
    (void)fill_norm(e, true, m->square, NULL);
    for (int64_t k = 0; k < e->n; k++)
        good &= fabs(e->candidate[k] - e->right[k]) <= 1e-5 * tg_unit_at(e, k) + e->error[k];
    return good;
}

/* True when it is one, with a mean or without. Looked for once. */
static bool is_norm(tg_evidence *e) {
    double *numbers = e->sought_norm ? NULL : tg_evidence_numbers(e->s, 7 * e->n);
    struct tg_norm *m = numbers && has_rows(e) ? tg_checker_memory(&e->s->c, 1, sizeof *m) : NULL;
    for (int centred = 1; centred >= 0 && m && !e->norm; centred--) {
        double *at = numbers;
        *m = (struct tg_norm){
            at, at + e->n, at + 2 * e->n, at + 3 * e->n, at + 4 * e->n, at + 5 * e->n, at + 6 * e->n, centred};
        e->norm = fit_norm(e, m) ? m : NULL;
    }
    e->sought_norm = true;
    return e->norm;
}

bool tg_fill_mean(tg_evidence *e, int way) {
    return way < 1 && is_norm(e) && e->norm->centred && fill_norm(e, false, e->norm->square, NULL);
}
bool tg_fill_variance(tg_evidence *e, int way) { return way < 1 && is_norm(e) && fill_norm(e, true, NULL, NULL); }
bool tg_fill_statistics(tg_evidence *e, int way) {
    return way < 1 && is_norm(e) && e->norm->centred && fill_norm(e, false, NULL, NULL);
}

/* The root is sqrt(v) or sqrt(v) + eps, in the row's factor alone or within h as well. */
bool tg_fill_eps(tg_evidence *e, int way) {
    double *by = way < 4 && is_norm(e) ? tg_evidence_numbers(e->s, 2 * e->n) : NULL, *inner = by ? by + e->n : NULL;
    for (int64_t k = 0; k < e->n && by; k++) {
        double square = e->norm->square[k], v = e->norm->variance[k];
        double root = sqrt(v) + (way & 1 ? 1 / square - v : 0);
        by[k] = 1 / (root * sqrt(square));
        inner[k] = way & 2 ? 1 / (root * root) : square;
    }
    return by && fill_norm(e, true, inner, by);
}

/* ---- losses over classes: x (..., C), a target for each row; dx = f (p - onehot), p = softmax(x) ---- */

/* f from the gradient g at the classes that are not the target; 0 where the target is ignored. The targets, or NULL. */
static const int64_t *fill_classes(tg_evidence *e, const double *g, bool onehot) {
    const tg_node *x = e->x, *index = tg_index_operand(e);
    int64_t classes = x->ndim ? x->size[x->ndim - 1] : 1;
    double *p = e->candidate;
    if (!index || classes < 2 || e->n != x->numel || index->numel * classes != e->n || !index->contiguous)
        return NULL;
    tg_copy_out(x, x->data, x->stride, p);
    for (const int64_t *target = index->data; p < e->candidate + e->n; p += classes, g += classes, target++) {
        double most = -INFINITY, sum = 0, f = 0;
        for (int64_t c = 0; c < classes; c++)
            most = fmax(most, p[c]);
        for (int64_t c = 0; c < classes; c++) {
            sum += p[c] = exp(p[c] - most);
            f += c != *target ? g[c] : 0;
        }
        f = *target >= 0 && *target < classes ? f / (sum - p[*target]) : 0; /* of p sum */
        for (int64_t c = 0; c < classes; c++)
            p[c] = f * (p[c] - (onehot && c == *target ? sum : 0));
    }
    return index->data;
}

bool tg_fill_target(tg_evidence *e, int way) { return way < 1 && fill_classes(e, e->right, false); }

/* What smoothing changes is the same at all classes but the target, and sums to 0. */
bool tg_fill_smoothing(tg_evidence *e, int way) {
    const int64_t *target = way < 1 ? fill_classes(e, e->wrong, true) : NULL;
    int64_t classes = target ? e->x->size[e->x->ndim - 1] : 0;
    for (int64_t i = 0; target && i < e->n; i++) {
        int64_t first = i / classes * classes, t = target[i / classes], other = first + (t == 0);
        double each = e->wrong[other] - e->right[other], d = e->wrong[i] - e->right[i];
        double want = i - first == t ? -each * (double)(classes - 1) : each;
        if (!(fabs(d - want) <= 1e-3 * fabs(each) + e->error[i] + e->error[other]))
            return false;
    }
    return target && classes > 2;
}
