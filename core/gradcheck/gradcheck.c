/* The gradient check: see tg_gradcheck in tapegrad.h and the files listed in gradcheck.h. */
#include "core/gradcheck/gradcheck.h"

#include <float.h>

/* ---- opening: what backward says ---- */

void *tg_checker_memory(tg_checker *c, size_t n, size_t size) {
    size_t bytes;
    if (!tg_times(n, size, &bytes)) {
        tg_fail(c->t, TG_ERR_MEMORY, "%zu elements are too many", n);
        return NULL;
    }
    void *p = tg_arena_get(c->t, &c->t->node_arena, bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

double tg_checker_random(tg_checker *c) {
    double sign = tg_rng_random(&c->rng) & 1 ? 1 : -1;
    return sign * (0.5 + tg_rng_double(&c->rng));
}

static bool allocate(tg_checker *c) {
    size_t nodes = (size_t)c->y->index + 1, numel = (size_t)c->y->numel;
    return (c->needed = tg_checker_memory(c, nodes, sizeof(bool))) &&
           (c->moves = tg_checker_memory(c, nodes, sizeof(bool))) &&
           (c->cone = tg_checker_memory(c, nodes, sizeof *c->cone)) &&
           (c->leaf = tg_checker_memory(c, nodes, sizeof *c->leaf)) &&
           (c->cotangent = tg_checker_memory(c, numel, sizeof(double))) &&
           (c->at_base = tg_checker_memory(c, numel, sizeof(double))) &&
           (c->low = tg_checker_memory(c, numel, sizeof(double))) &&
           (c->high = tg_checker_memory(c, numel, sizeof(double)));
}

static void find_needed(tg_checker *c) {
    c->needed[c->y->index] = true;
    for (uint32_t i = c->y->index + 1; i-- > 0;) {
        const tg_node *n = c->t->nodes[i];
        for (int k = 0; k < n->n_in && c->needed[i]; k++)
            if (n->in[k])
                c->needed[n->in[k]->index] = true;
    }
}

static bool find_leaves(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *x = c->t->nodes[i];
        if (!c->needed[i] || x->op || !x->requires_grad)
            continue;
        tg_check_leaf *leaf = &c->leaf[c->n_leaves++];
        leaf->x = x;
        leaf->analytic = tg_checker_memory(c, (size_t)x->numel, sizeof(double));
        leaf->before = tg_checker_memory(c, (size_t)x->numel, sizeof(double));
        if (!leaf->analytic || !leaf->before)
            return false;
        double squares = 0;
        for (int64_t j = 0; j < x->numel; j++)
            squares += ((double *)x->data)[j] * ((double *)x->data)[j] / (double)x->numel;
        leaf->scale = squares > 0 && isfinite(squares) ? sqrt(squares) : 1;
    }
    return true;
}

static tg_status check_eps(const tg_checker *c) {
    double eps = c->config->eps;
    if (!(eps > 0) || !isfinite(eps))
        return tg_fail(c->t, TG_ERR_ARGUMENT, "eps = %g: a step is a positive number; 1e-6 is usual", eps);
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_node *x = c->leaf[i].x;
        double largest = 0;
        for (int64_t j = 0; j < x->numel; j++)
            largest = fmax(largest, fabs(((const double *)x->data)[j]));
        double least = 64 * DBL_EPSILON * largest, most = 0.1 * fmax(1, largest);
        if (eps >= least && eps <= most)
            continue;
        return tg_fail(c->t, TG_ERR_ARGUMENT,
                       "eps = %g is too %s for leaf %u %s, whose values go up to %g: take one from %.1g to %.1g", eps,
                       eps < least ? "small" : "large", x->index, tg_node_text(x).s, largest, fmax(least, 1e-12), most);
    }
    return TG_OK;
}

static tg_status run_needed(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && c->t->nodes[i]->op && tg_run_forward(c->t->nodes[i]))
            return c->t->status;
    return TG_OK;
}

/* Twice, to see whether it gives the same. */
static tg_status run_forward(tg_checker *c) {
    if (run_needed(c))
        return c->t->status;
    tg_copy_out(c->y, c->y->data, c->y->stride, c->at_base);
    for (int64_t j = 0; j < c->y->numel; j++)
        if (!isfinite(c->at_base[j]))
            return tg_fail(c->t, TG_ERR_NUMERIC, "tensor %u %s is not finite: element %lld is %g", c->y->index,
                           tg_node_text(c->y).s, (long long)j, c->at_base[j]);
    if (run_needed(c))
        return c->t->status;
    tg_copy_out(c->y, c->y->data, c->y->stride, c->low);
    c->forward_differs = memcmp(c->low, c->at_base, (size_t)c->y->numel * sizeof(double)) != 0;
    return TG_OK;
}

static double grad_element(const tg_node *x, int64_t j) { return x->has_grad ? ((const double *)x->grad)[j] : 0; }

static tg_status run_backward(tg_checker *c, bool twice) {
    tg_zero_grads(c->t);
    if (tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double g = grad_element(leaf->x, j);
            if (twice)
                leaf->backward_differs |= memcmp(&g, &leaf->analytic[j], sizeof g) != 0;
            leaf->analytic[j] = g;
            leaf->largest = fmax(leaf->largest, fabs(g));
        }
        c->backward_differs |= leaf->backward_differs;
    }
    return TG_OK;
}

/* A derivative is rounding when it is nothing beside the leaf's others, or when a move by the leaf's own size would
 * not show in y. */
static double floor_of(const tg_checker *c, double largest, double scale) {
    return 1e-11 * largest + 1e-12 * c->size / scale + 1e3 * c->noise;
}

/* Gradients accumulate: what a leaf held before has to be there still. */
static tg_status run_onto_old_gradients(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_node *x = c->leaf[i].x;
        double *before = c->leaf[i].before, rounding = floor_of(c, 0, c->leaf[i].scale);
        double size = c->leaf[i].largest > rounding ? c->leaf[i].largest : 1;
        for (int64_t j = 0; j < x->numel; j++)
            before[j] = size * tg_checker_random(c);
        if (tg_write_grad(tg_handle(x), before, x->numel))
            return c->t->status;
    }
    if (tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double g = grad_element(leaf->x, j) - leaf->before[j];
            if (fabs(g - leaf->analytic[j]) <= 1e-6 * (leaf->largest + fabs(leaf->before[j])))
                continue;
            leaf->overwritten = !leaf->backward_differs;
            leaf->analytic[j] = g;
        }
    }
    return TG_OK;
}

/* Gradients that are all but zero may be nothing but rounding, and how much that is shows when three times the
 * cotangent does not give three times the gradient. */
static tg_status measure_noise(tg_checker *c) {
    bool small = false;
    for (int i = 0; i < c->n_leaves; i++)
        small |= c->leaf[i].largest > 0 && c->leaf[i].largest * c->leaf[i].scale < 1e-6 * c->size;
    if (!small)
        return TG_OK;
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = 3 * c->cotangent[j];
    tg_zero_grads(c->t);
    tg_tensor thrice = tg_from_doubles(c->t, tg_shape_from(c->y), c->low);
    if (tg_is_null(thrice) || tg_backward_with(tg_handle(c->y), thrice))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel && leaf->largest * leaf->scale < 1e-6 * c->size; j++)
            c->noise = fmax(c->noise, fabs(grad_element(leaf->x, j) / 3 - leaf->analytic[j]));
    }
    return TG_OK;
}

/* Everything that is known at the leaves' present values. */
static tg_status run(tg_checker *c) {
    c->size = c->noise = 0;
    if (run_forward(c))
        return c->t->status;
    for (int64_t j = 0; j < c->y->numel; j++)
        c->size += fabs(c->cotangent[j]) * fmax(fabs(c->at_base[j]), 1);
    for (int i = 0; i < c->n_leaves; i++)
        c->leaf[i] = (tg_check_leaf){
            .x = c->leaf[i].x, .analytic = c->leaf[i].analytic, .before = c->leaf[i].before, .scale = c->leaf[i].scale};
    if (run_backward(c, false) || run_backward(c, true) || measure_noise(c))
        return c->t->status;
    return run_onto_old_gradients(c);
}

tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config) {
    *c = (tg_checker){.t = t, .y = y, .config = config};
    tg_rng_seed(&c->rng, config->seed);
    t->keep_random = true;
    if (!allocate(c))
        return t->status;
    find_needed(c);
    if (!find_leaves(c))
        return t->status;
    for (int64_t j = 0; j < y->numel; j++)
        c->cotangent[j] = tg_checker_random(c);
    c->v = tg_from_doubles(t, tg_shape_from(y), c->cotangent);
    return tg_is_null(c->v) ? t->status : run(c);
}

/* Where kinks leave questions open, ask them again a little aside. */
static tg_status step_aside(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            ((double *)c->leaf[i].x->data)[j] += 1e-3 * c->leaf[i].scale * tg_checker_random(c);
    return run(c);
}

/* ---- rows of the result ---- */

enum { ROWS_OF_LEAF = 4 };

/* The worst elements of a leaf. */
typedef struct worst {
    int n;
    tg_gradcheck_row row[ROWS_OF_LEAF];
} worst;

static bool is_worse(const tg_gradcheck_row *a, const tg_gradcheck_row *b) {
    return a->verdict != b->verdict ? a->verdict > b->verdict : a->relative > b->relative;
}

static void keep_worst(worst *w, const tg_gradcheck_row *row) {
    int at = w->n;
    while (at > 0 && is_worse(row, &w->row[at - 1]))
        at--;
    if (at == ROWS_OF_LEAF)
        return;
    if (w->n < ROWS_OF_LEAF)
        w->n++;
    memmove(&w->row[at + 1], &w->row[at], sizeof *row * (size_t)(w->n - 1 - at));
    w->row[at] = *row;
}

static bool is_bad(tg_grad_verdict v) { return v == TG_GRAD_WRONG || v == TG_GRAD_CANNOT_TELL; }

/* Rows of bad leaves go before the others; the last ones fall off. */
static void add_row(tg_gradcheck_result *r, const tg_gradcheck_row *row, bool bad) {
    int at = bad ? 0 : r->n_rows;
    while (at < r->n_rows && is_bad(r->row[at].verdict))
        at++;
    if (at == TG_GRADCHECK_ROWS)
        return;
    if (r->n_rows < TG_GRADCHECK_ROWS)
        r->n_rows++;
    memmove(&r->row[at + 1], &r->row[at], sizeof *row * (size_t)(r->n_rows - 1 - at));
    r->row[at] = *row;
}

/* Outside the two sides of a kink, but perhaps because several meet: then nothing is known. */
static void pardon_kink(tg_checker *c, tg_outcome *o) {
    if (c->alone || !o->at_kink || o->verdict != TG_GRAD_WRONG)
        return;
    o->verdict = TG_GRAD_KINK;
    c->undecided++;
}

static void count(tg_gradcheck_result *r, tg_grad_verdict v) {
    r->compared++;
    r->wrong += v == TG_GRAD_WRONG;
    r->cannot_tell += v == TG_GRAD_CANNOT_TELL;
    r->kinks += v == TG_GRAD_KINK;
    if (v > r->verdict)
        r->verdict = v;
}

/* Derivatives of a scalar y are given for y itself; the cotangent is divided out. */
static double unit(const tg_checker *c) { return c->y->numel == 1 ? 1 / c->cotangent[0] : 1; }

static void fill_row(const tg_checker *c, tg_gradcheck_row *row, double analytic, const tg_outcome *o, double largest) {
    double u = unit(c), size = fmax(fmax(fabs(analytic), fabs(o->numeric)), 1e-3 * largest);
    row->analytic = analytic * u;
    row->numeric = o->numeric * u;
    row->error = o->error * fabs(u);
    row->verdict = o->verdict;
    row->relative = size > 0 ? fabs(analytic - o->numeric) / size : 0;
}

static tg_gradcheck_row leaf_row(const tg_check_leaf *leaf) {
    const tg_node *x = leaf->x;
    tg_gradcheck_row row = {.tensor = x->index, .shape = tg_shape_from(x)};
    if (x->extra && x->extra->name)
        snprintf(row.leaf, sizeof row.leaf, "%s", x->extra->name);
    else
        snprintf(row.leaf, sizeof row.leaf, "tensor %u", x->index);
    return row;
}

/* ---- every element ---- */

static tg_line element_line(const tg_checker *c, const tg_check_leaf *leaf, int64_t j) {
    double *x = (double *)leaf->x->data + j, scale = fmax(fmax(fabs(*x), leaf->scale), 0.1);
    return (tg_line){.x = x, .start = *x, .scale = scale, .floor = floor_of(c, leaf->largest, scale)};
}

/* Which leaf moves. */
static void move_leaf(tg_checker *c, const tg_check_leaf *leaf) {
    memset(c->moves, 0, (size_t)c->y->index + 1);
    c->moves[leaf->x->index] = true;
    tg_checker_cone(c);
}

static void report_progress(const tg_checker *c, int64_t done, int64_t total) {
    if (c->config->progress)
        c->config->progress(done, total, c->config->context);
}

static void finish_leaf(tg_checker *c, tg_check_leaf *leaf, worst *w, int64_t wrong, tg_gradcheck_result *r) {
    bool bad = w->n && is_bad(w->row[0].verdict);
    for (int i = 0; i < w->n && (bad || i == 0); i++) {
        tg_gradcheck_row *row = &w->row[i];
        double analytic = leaf->analytic[row->element];
        if (row->verdict == TG_GRAD_RIGHT) {
            tg_line line = element_line(c, leaf, row->element);
            tg_outcome o = tg_measure_line(c, &line, analytic);
            fill_row(c, row, analytic, &o, leaf->largest);
            row->verdict = TG_GRAD_RIGHT;
        }
        row->elements = leaf->x->numel;
        row->wrong = wrong;
        add_row(r, row, bad);
    }
}

/* Beyond so many wrong elements in a leaf the others are judged by their first difference alone. */
enum { EXAMINED_WRONG = 100 };

static void check_elements(tg_checker *c, tg_check_leaf *leaf, int64_t *done, int64_t total, tg_gradcheck_result *r) {
    worst w = {0};
    int64_t wrong = 0;
    tg_gradcheck_row row = leaf_row(leaf);
    move_leaf(c, leaf);
    for (row.element = 0; row.element < leaf->x->numel && !c->t->status; row.element++) {
        double analytic = leaf->analytic[row.element];
        tg_line line = element_line(c, leaf, row.element);
        line.quickly = wrong >= EXAMINED_WRONG;
        tg_outcome o = tg_check_line(c, &line, analytic);
        pardon_kink(c, &o);
        fill_row(c, &row, analytic, &o, leaf->largest);
        wrong += o.verdict == TG_GRAD_WRONG;
        count(r, o.verdict);
        keep_worst(&w, &row);
        report_progress(c, ++*done, total);
    }
    finish_leaf(c, leaf, &w, wrong, r);
    tg_checker_restore(c);
}

tg_status tg_check_every_element(tg_checker *c, tg_gradcheck_result *r) {
    int64_t done = 0, total = 0;
    for (int i = 0; i < c->n_leaves; i++)
        total += c->leaf[i].x->numel;
    for (int i = 0; i < c->n_leaves; i++)
        check_elements(c, &c->leaf[i], &done, total, r);
    return c->t->status;
}

/* ---- along random directions ---- */

static double norm(const tg_check_leaf *leaf) {
    double squares = 0;
    for (int64_t j = 0; j < leaf->x->numel; j++)
        squares += leaf->analytic[j] * leaf->analytic[j];
    return sqrt(squares);
}

static bool open_directions(tg_checker *c, tg_moved *moved) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_node *x = c->leaf[i].x;
        moved[i] = (tg_moved){x, tg_checker_memory(c, (size_t)x->numel, sizeof(double)),
                              tg_checker_memory(c, (size_t)x->numel, sizeof(double))};
        if (!moved[i].start || !moved[i].direction)
            return false;
        memcpy(moved[i].start, x->data, (size_t)x->numel * sizeof(double));
    }
    return true;
}

/* Draw the leaf's part of a direction; returns what it contributes to the derivative. */
static double draw(tg_checker *c, const tg_check_leaf *leaf, const tg_moved *m, double size) {
    double sum = 0;
    for (int64_t j = 0; j < m->x->numel; j++) {
        m->direction[j] = size * tg_checker_random(c);
        sum += leaf->analytic[j] * m->direction[j];
    }
    return sum;
}

/* Relative to its values a leaf moves the less the more it changes y, so that each has its share in the
 * derivative and none hides the others; at most by a factor of a thousand. */
static double share(const tg_checker *c, const tg_check_leaf *leaf) {
    double least = INFINITY, mine = leaf->scale * norm(leaf);
    for (int i = 0; i < c->n_leaves; i++) {
        double theirs = c->leaf[i].scale * norm(&c->leaf[i]);
        if (theirs > 0)
            least = fmin(least, theirs);
    }
    return mine > 0 ? fmax(least / mine, 1e-3) : 1;
}

static void check_direction(tg_checker *c, const tg_moved *moved, const double *size, int64_t number,
                            tg_gradcheck_result *r) {
    double analytic = 0, contributions = 0;
    for (int i = 0; i < c->n_leaves; i++) {
        double part = draw(c, &c->leaf[i], &moved[i], size[i]);
        analytic += part;
        contributions += fabs(part);
    }
    tg_line line = {.n = c->n_leaves, .moved = moved, .scale = 1, .floor = floor_of(c, contributions, 1)};
    tg_outcome o = tg_measure_line(c, &line, analytic);
    pardon_kink(c, &o);
    tg_gradcheck_row row = {.element = number, .elements = 1, .wrong = o.verdict == TG_GRAD_WRONG};
    fill_row(c, &row, analytic, &o, contributions);
    count(r, o.verdict);
    add_row(r, &row, is_bad(o.verdict));
}

static void check_leaf_direction(tg_checker *c, tg_check_leaf *leaf, const tg_moved *m, tg_gradcheck_result *r) {
    double analytic = draw(c, leaf, m, leaf->scale);
    tg_line line = {.n = 1, .moved = m, .scale = 1, .floor = floor_of(c, leaf->largest * leaf->scale, 1)};
    move_leaf(c, leaf);
    tg_outcome o = tg_measure_line(c, &line, analytic);
    tg_checker_restore(c);
    pardon_kink(c, &o);
    tg_gradcheck_row row = leaf_row(leaf);
    row.element = -1;
    row.elements = leaf->x->numel;
    fill_row(c, &row, analytic, &o, fabs(analytic));
    count(r, o.verdict);
    add_row(r, &row, is_bad(o.verdict));
}

tg_status tg_check_leaf_directions(tg_checker *c, tg_gradcheck_result *r) {
    tg_moved *moved = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *moved);
    if (!moved || !open_directions(c, moved))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++)
        if (c->leaf[i].x->numel)
            check_leaf_direction(c, &c->leaf[i], &moved[i], r);
    return c->t->status;
}

/* All leaves at once; when that fails, each alone to say which. */
static tg_status check_directions(tg_checker *c, tg_gradcheck_result *r) {
    tg_moved *moved = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *moved);
    double *size = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *size);
    if (!moved || !size || !open_directions(c, moved))
        return c->t->status;
    memset(c->moves, 0, (size_t)c->y->index + 1);
    for (int i = 0; i < c->n_leaves; i++) {
        c->moves[c->leaf[i].x->index] = true;
        size[i] = c->leaf[i].scale * share(c, &c->leaf[i]);
    }
    tg_checker_cone(c);
    for (int64_t k = 0; k < c->config->directions && !c->t->status; k++) {
        check_direction(c, moved, size, k + 1, r);
        report_progress(c, k + 1, c->config->directions);
    }
    tg_checker_restore(c);
    return is_bad(r->verdict) && !c->t->status ? tg_check_leaf_directions(c, r) : c->t->status;
}

/* ---- the whole check ---- */

static tg_status compare(tg_checker *c, tg_gradcheck_result *r) {
    int64_t evaluations = r->evaluations, kinks = c->undecided;
    *r = (tg_gradcheck_result){.mode = c->config->mode, .scalar = c->y->numel == 1, .leaves = c->n_leaves};
    c->undecided = 0;
    if (c->config->mode == TG_GRADCHECK_FAST ? check_directions(c, r) : tg_check_every_element(c, r))
        return c->t->status;
    r->evaluations = evaluations + c->evaluations;
    r->kinks += kinks;
    if (c->forward_differs || c->backward_differs)
        r->verdict = TG_GRAD_WRONG;
    for (int i = 0; i < c->n_leaves; i++)
        if (c->leaf[i].overwritten)
            r->verdict = TG_GRAD_WRONG;
    for (int i = 0; i < r->n_rows; i++)
        r->worst = fmax(r->worst, r->row[i].verdict == TG_GRAD_KINK ? 0 : r->row[i].relative);
    return tg_locate(c, r);
}

static tg_status check(tg_checker *c, tg_gradcheck_result *r) {
    if (!c->n_leaves)
        return tg_fail(c->t, TG_ERR_STATE, "no leaf that tensor %u %s depends on requires a gradient", c->y->index,
                       tg_node_text(c->y).s);
    if (check_eps(c) || compare(c, r))
        return c->t->status;
    if (!c->undecided || is_bad(r->verdict))
        return TG_OK;
    return step_aside(c) ? c->t->status : compare(c, r);
}

static tg_node *open_checked(tg_tensor y, const tg_gradcheck_config *config) {
    tg_node *n;
    if (!tg_open("gradcheck", "f", 1, &y, &n) || !tg_outside_backward(y.tape, "gradcheck"))
        return NULL;
    if (config->mode == TG_GRADCHECK_FAST && config->directions < 1) {
        tg_fail(y.tape, TG_ERR_ARGUMENT, "gradcheck: %d directions; at least one is needed", config->directions);
        return NULL;
    }
    if (n->requires_grad)
        return n;
    tg_fail(y.tape, TG_ERR_STATE,
            "gradcheck: tensor %u %s requires no gradient: no leaf that it was made from does (tg_parameter, "
            "tg_set_requires_grad), or it was made under no_grad or from tg_detach",
            n->index, tg_node_text(n).s);
    return NULL;
}

tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result) {
    tg_gradcheck_result own;
    tg_gradcheck_result *r = result ? result : &own;
    memset(r, 0, sizeof *r);
    r->verdict = TG_GRAD_CANNOT_TELL;
    const tg_node *n = open_checked(y, &config);
    tg_tape *t = y.tape, *copy = n ? tg_tape_cast(t, TG_F64) : NULL;
    if (!copy) {
        snprintf(r->summary, sizeof r->summary, "%.300s", t ? t->error : "gradcheck: the null tensor");
        return t ? t->status : TG_ERR_ARGUMENT;
    }
    tg_checker c;
    r->verdict = TG_GRAD_RIGHT;
    if (tg_checker_open(&c, copy, copy->nodes[n->index], &config) || check(&c, r)) {
        r->verdict = TG_GRAD_CANNOT_TELL;
        tg_fail(t, copy->status, "gradcheck (in float64): %.440s", copy->error);
        snprintf(r->summary, sizeof r->summary, "%.300s", t->error);
    } else {
        tg_gradcheck_summarise(r);
        if (is_bad(r->verdict))
            tg_fail(t, TG_ERR_NUMERIC, "%s", r->summary);
    }
    tg_tape_free(copy);
    return t->status;
}
