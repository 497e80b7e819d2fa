/* What a wrong gradient is compared with.
 *
 * For a sample of the operand's elements k the columns J[j][k] = dy[j]/dx[k] of the operation's Jacobian are taken by
 * differences. The right gradient is sum_j J[j][k] dy[j]; a mistake makes another number of the same column: its
 * diagonal alone, only one slice of y, dy = 1, ...
 */
#include "core/gradcheck/check.h"

enum { LEAST = 4, SAMPLES = 512, WHOLE = 1024 };
static const double most_work = 4e6; /* samples times y's elements */

double *tg_evidence_numbers(tg_suspect *s, int64_t n) { return tg_checker_memory(&s->c, (size_t)n, sizeof(double)); }

static bool allocate(tg_evidence *e) {
    double **all[] = {&e->wrong,   &e->right,      &e->size,  &e->diagonal, &e->local, &e->dy,
                      &e->times_y, &e->without_dy, &e->first, &e->last,     &e->other};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = tg_evidence_numbers(e->s, e->n)))
            return false;
    for (int i = 0; i < TG_MOST_SLICES; i++)
        if (!(e->slice[i] = tg_evidence_numbers(e->s, e->n)))
            return false;
    e->share = tg_evidence_numbers(e->s, e->n * e->outputs);
    e->dead = tg_checker_memory(&e->s->c, (size_t)e->n, sizeof(bool));
    return e->share && e->dead && e->at;
}

/* In order, each once. */
static void add_element(tg_evidence *e, int64_t k) {
    int64_t at = e->n;
    while (at && e->at[at - 1] > k)
        at--;
    if (k < 0 || k >= e->x->numel || (at && e->at[at - 1] == k))
        return;
    memmove(&e->at[at + 1], &e->at[at], (size_t)(e->n++ - at) * sizeof *e->at);
    e->at[at] = k;
}

/* A wrong element that the judge has found; of a view its place in the leaf, if that is not larger; -1: none. */
static int64_t first_found(tg_suspect *s, const tg_node *x) {
    const tg_check_leaf *leaf = tg_suspect_leaf(s, x);
    for (int i = 0; i < s->c.n_found && leaf->x == x; i++)
        if (tg_leaf_at(&s->c, s->c.found[i]) == leaf)
            return s->c.found[i] - leaf->first;
    return -1;
}

/* All elements of a small operand. Of a large one some, every second where the gradient is not zero; a wrong one and
 * those beside it; and the last. */
static bool choose_elements(tg_evidence *e) {
    int64_t total = e->x->numel;
    double affordable = fmax(LEAST, most_work / (double)e->s->c.y->numel);
    int64_t n = total <= WHOLE ? total : (int64_t)fmin(SAMPLES, affordable);
    int64_t wrong = total <= WHOLE ? -1 : first_found(e->s, e->x);
    e->at = tg_checker_memory(&e->s->c, (size_t)n + 4, sizeof *e->at);
    if (!e->at)
        return false;
    for (int64_t i = 0; i < n; i++) {
        int64_t k = total <= WHOLE ? i : (int64_t)((double)total * (double)i / (double)n);
        for (int64_t step = 0; i % 2 && total > WHOLE && step < 4096 && e->whole[k] == 0; step++)
            k = (k + 1) % total;
        add_element(e, k);
    }
    for (int64_t k = wrong - 1; wrong >= 0 && k <= wrong + 1; k++)
        add_element(e, k);
    add_element(e, total - 1);
    return true;
}

static ptrdiff_t offset_of(const tg_node *x, const int64_t *stride, int64_t k) {
    ptrdiff_t offset = 0;
    for (int i = x->ndim - 1; i >= 0; i--) {
        offset += k % x->size[i] * stride[i];
        k /= x->size[i];
    }
    return offset;
}

/* Where element k of x is among all leaves' elements. */
static int64_t place_of(tg_suspect *s, const tg_node *x, int64_t k) {
    const tg_node *base = x->base;
    ptrdiff_t at = ((const char *)x->data - (const char *)base->data) / (ptrdiff_t)tg_dtype_size((tg_dtype)x->dtype);
    return tg_suspect_leaf(s, x)->first + at + offset_of(x, x->stride, k);
}

static void add_slices(tg_evidence *e, int64_t i, int64_t j, double part) {
    const tg_node *y = e->s->c.y;
    int64_t rest = j;
    for (int d = y->ndim - 1; d >= 0; d--) {
        int64_t at = rest % y->size[d];
        rest /= y->size[d];
        if (at == 0)
            e->slice[2 * d][i] += part;
        if (at == y->size[d] - 1)
            e->slice[2 * d + 1][i] += part;
    }
}

/* Along which dims does y[j] lie elsewhere than x[k]? */
static void note_mixing(tg_evidence *e, int64_t j, int64_t k) {
    const tg_node *y = e->s->c.y;
    for (int d = y->ndim - 1; d >= 0; d--) {
        if (j % y->size[d] != k % y->size[d])
            e->mixes |= 1u << d;
        j /= y->size[d];
        k /= y->size[d];
    }
}

/* Which slices of y along each dim does x[k] reach? */
static void note_reach(tg_evidence *e, const double *column) {
    const tg_node *y = e->s->c.y;
    double *reached = e->s->c.low;
    int64_t stride = 1;
    for (int d = y->ndim - 1; d >= 0; stride *= y->size[d--]) {
        double slices = 0;
        memset(reached, 0, (size_t)y->size[d] * sizeof *reached);
        for (int64_t j = 0; j < y->numel; j++)
            if (column[j] != 0)
                reached[j / stride % y->size[d]] = 1;
        for (int64_t at = 0; at < y->size[d]; at++)
            slices += reached[at];
        if (slices < (double)y->size[d])
            e->everywhere &= ~(1u << d);
    }
}

static void use_column(tg_evidence *e, int64_t i, const double *column) {
    const tg_checker *c = &e->s->c;
    int64_t k = e->at[i];
    e->dead[i] = true;
    e->right[i] = e->size[i] = 0;
    for (int64_t j = 0; j < c->y->numel; j++) {
        double part = column[j] * c->cotangent[j];
        if (column[j] == 0)
            continue;
        if (e->dead[i])
            e->first[i] = part;
        e->last[i] = part;
        e->dead[i] = false;
        e->right[i] += part;
        e->size[i] += fabs(part);
        e->without_dy[i] += column[j];
        add_slices(e, i, j, part);
        e->share[i * e->outputs + (e->outputs > 1 ? tg_custom_output_of(c->y, j) : 0)] += part;
        e->is_diagonal &= j == k && e->same_size;
        if (e->same_size && j != k)
            note_mixing(e, j, k);
    }
    if (!e->dead[i])
        note_reach(e, column);
    if (!e->same_size)
        return;
    e->local[i] = column[k];
    e->dy[i] = c->cotangent[k];
    e->diagonal[i] = column[k] * c->cotangent[k];
    e->times_y[i] = c->at_base[k] * c->cotangent[k];
}

/* The right gradient of operand k, which has as many elements, at the same ones. */
bool tg_use_other(tg_evidence *e, int k) {
    tg_suspect *s = e->s;
    const tg_node *x = k < s->original->n_in ? s->x[k] : NULL;
    double *column = tg_evidence_numbers(s, s->c.y->numel);
    if (!column || !x || x->numel != e->x->numel || !x->base->requires_grad)
        return false;
    for (int64_t i = 0; i < e->n; i++) {
        e->other[i] = 0;
        if (!tg_column(&s->c, place_of(s, x, e->at[i]), column))
            return false;
        for (int64_t j = 0; j < s->c.y->numel; j++)
            e->other[i] += column[j] != 0 ? column[j] * s->c.cotangent[j] : 0;
    }
    return true;
}

bool tg_collect_evidence(tg_evidence *e) {
    tg_checker *c = &e->s->c;
    double *column = tg_evidence_numbers(e->s, c->y->numel);
    e->outputs = tg_is_custom(c->y) ? tg_custom_outputs(c->y) : 1;
    if (!column || !choose_elements(e) || !allocate(e))
        return false;
    e->same_size = c->y->numel == e->x->numel;
    e->is_diagonal = e->same_size;
    e->everywhere = (1u << c->y->ndim) - 1;
    int64_t kept = 0;
    for (int64_t i = 0; i < e->n; i++) {
        int64_t k = e->at[kept] = e->at[i];
        if (!tg_column(c, place_of(e->s, e->x, k), column))
            continue;
        use_column(e, kept, column);
        e->largest = fmax(e->largest, e->size[kept]);
        e->wrong[kept++] = e->whole[k];
    }
    e->at_kinks = kept < e->n;
    e->n = kept;
    return kept > 0;
}
