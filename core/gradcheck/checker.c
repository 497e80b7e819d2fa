/* What backward says, and everything else that is known at the leaves' own values. */
#include "core/gradcheck/check.h"

#include <float.h>

/* ---- opening: what backward says ---- */

double tg_checker_random(tg_checker *c) {
    double sign = tg_rng_random(&c->rng) & 1 ? 1 : -1;
    return sign * (0.5 + tg_rng_double(&c->rng));
}

static bool allocate(tg_checker *c) {
    size_t nodes = (size_t)c->y->index + 1, numel = (size_t)c->y->numel;
    return (c->needed = tg_checker_memory(c, nodes, sizeof(bool))) &&
           (c->moves = tg_checker_memory(c, nodes, sizeof(bool))) &&
           (c->alike = tg_checker_memory(c, nodes, sizeof(bool))) &&
           (c->leaf = tg_checker_memory(c, nodes, sizeof *c->leaf)) &&
           (c->cotangent = tg_checker_memory(c, numel, sizeof(double))) &&
           (c->at_base = tg_checker_memory(c, numel, sizeof(double))) &&
           (c->low = tg_checker_memory(c, numel, sizeof(double))) && tg_checker_open_side(c, &c->plain, c->t);
}

void tg_find_needed(const tg_node *y, bool *needed) {
    memset(needed, 0, ((size_t)y->index + 1) * sizeof *needed);
    needed[y->index] = true;
    for (uint32_t i = y->index + 1; i-- > 0;) {
        const tg_node *n = y->tape->nodes[i];
        for (int k = 0; k < n->n_in && needed[i]; k++)
            if (n->in[k])
                needed[n->in[k]->index] = true;
    }
}

static void find_custom(tg_checker *c) {
    c->only_custom = true;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        bool custom = c->needed[i] && tg_is_custom(n);
        c->has_custom |= custom;
        c->only_custom &= custom || !c->needed[i] || !n->op || n->op->is_view;
        c->has_hidden |= custom && !n->op->branches[TG_F64];
    }
}

/* The root of the mean square, of numbers of 1e200 too; 1 where there is none. */
static double typical_size(const tg_node *x) {
    const double *p = x->data;
    double largest = 0, squares = 0;
    for (int64_t j = 0; j < x->numel; j++)
        largest = fmax(largest, fabs(p[j]));
    for (int64_t j = 0; j < x->numel; j++)
        squares += p[j] / largest * (p[j] / largest) / (double)x->numel;
    return largest > 0 && isfinite(squares) ? largest * sqrt(squares) : 1;
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
        leaf->least = tg_checker_memory(c, (size_t)x->numel, sizeof(double));
        leaf->most = tg_checker_memory(c, (size_t)x->numel, sizeof(double));
        leaf->units = tg_checker_memory(c, (size_t)x->numel, sizeof(double));
        if (!leaf->analytic || !leaf->before || !leaf->least || !leaf->most || !leaf->units)
            return false;
        leaf->scale = typical_size(x);
    }
    return true;
}

tg_status tg_checker_check_eps(const tg_checker *c) {
    double eps = c->config->eps;
    if (!(eps > 0) || !isfinite(eps))
        return tg_fail(c->t, TG_ERR_ARGUMENT, "eps = %g: a step is a positive number; 1e-6 is usual", eps);
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_node *x = c->leaf[i].x;
        double largest = 0;
        for (int64_t j = 0; j < x->numel; j++)
            largest = fmax(largest, fabs(((const double *)x->data)[j]));
        double least = 64 * DBL_EPSILON * fmin(largest, 1), most = 0.1 * fmax(1, largest);
        if (eps >= least && eps <= most)
            continue;
        return tg_fail(c->t, TG_ERR_ARGUMENT,
                       "eps = %g is too %s for leaf %u %s, whose values go up to %g: take one from %.1g to %.1g", eps,
                       eps < least ? "small" : "large", x->index, tg_node_text(x).s, largest, fmax(least, 1e-12), most);
    }
    return TG_OK;
}

int64_t tg_first_infinite(const tg_node *x) {
    const double *p = x->base->data;
    int64_t n = tg_is_floating(x) ? tg_span(x->base) : 0;
    for (int64_t j = 0; j < n; j++)
        if (!isfinite(p[j]))
            return j;
    return -1;
}

static bool holds_infinity(const tg_node *x) { return tg_first_infinite(x) >= 0; }

bool tg_infinite_on_purpose(tg_checker *c, const tg_node *y) {
    bool *excused = c->moves;
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        excused[i] = n->op ? n->op->infinite_ok : !n->requires_grad;
        for (int k = 0; k < n->n_in; k++)
            if (c->needed[i] && n->in[k] && excused[n->in[k]->index] && holds_infinity(n->in[k]))
                excused[i] = true;
    }
    return excused[y->index];
}

tg_status tg_refuse_infinite_result(const tg_node *y, const bool *needed, int64_t at, double value) {
    tg_tape *t = y->tape;
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *n = t->nodes[i];
        if (needed[i] && n->base == n && holds_infinity(n) && !(n->op && n->op->infinite_ok))
            return tg_fail(t, TG_ERR_NUMERIC,
                           "tensor %u %s is not finite: element %lld is %g; the first that is not is tensor %u "
                           "%s%s%s: check where its operands leave its domain",
                           y->index, tg_node_text(y).s, (long long)at, value, i, tg_node_text(n).s,
                           n->op ? ", made by " : ", a leaf", n->op ? n->op->name : "");
    }
    return tg_fail(t, TG_ERR_NUMERIC, "tensor %u %s is not finite: element %lld is %g; check a finite part of it",
                   y->index, tg_node_text(y).s, (long long)at, value);
}

/* What an operation made infinite has no derivative, and gets no cotangent. */
static tg_status ask_finite(tg_checker *c) {
    c->infinite = 0;
    for (int i = 0; i < c->n_leaves && c->alone; i++)
        c->infinite += holds_infinity(c->leaf[i].x);
    for (int64_t j = 0; j < c->y->numel; j++) {
        double y = c->at_base[j];
        if (isfinite(y))
            continue;
        if (!c->alone && (isnan(y) || (!c->infinite && !tg_infinite_on_purpose(c, c->y))))
            return tg_refuse_infinite_result(c->y, c->needed, j, y);
        c->cotangent[j] = 0;
        c->infinite++;
    }
    if (c->infinite == c->y->numel && c->infinite && !c->alone)
        return tg_fail(c->t, TG_ERR_NUMERIC, "tensor %u %s is infinite everywhere: there is nothing to check",
                       c->y->index, tg_node_text(c->y).s);
    return c->infinite ? tg_write_doubles(c->v, c->cotangent, c->y->numel) : TG_OK;
}

/* Twice, to see whether it gives the same. */
static tg_status run_forward(tg_checker *c) {
    if (tg_checker_run_forward(c))
        return c->t->status;
    tg_copy_out(c->y, c->y->data, c->y->stride, c->at_base);
    if (ask_finite(c) || tg_checker_run_forward(c))
        return c->t->status;
    tg_copy_out(c->y, c->y->data, c->y->stride, c->low);
    c->forward_differs = memcmp(c->low, c->at_base, (size_t)c->y->numel * sizeof(double)) != 0;
    return TG_OK;
}

static tg_status run_backward(tg_checker *c, bool twice) {
    tg_zero_grads(c->t);
    if (tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double g = tg_grad_element(leaf->x, j);
            if (twice)
                leaf->backward_differs |= memcmp(&g, &leaf->analytic[j], sizeof g) != 0;
            leaf->analytic[j] = g;
            if (isfinite(g))
                leaf->largest = fmax(leaf->largest, fabs(g));
        }
        c->backward_differs |= leaf->backward_differs;
    }
    return TG_OK;
}

/* A VJP is linear in dy, whatever the operation: -2^20 dy gives -2^20 times the gradient, without rounding. What an
 * operation adds by itself as rounding is large beside a small gradient. */
static tg_status run_scaled(tg_checker *c, double by) {
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = by * c->cotangent[j];
    tg_zero_grads(c->t);
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        double least = (1e-9 * leaf->largest + 1e-15 * c->size / leaf->scale) / fmin(1, fabs(by));
        for (int64_t j = 0; j < leaf->x->numel && !leaf->backward_differs; j++) {
            double apart = fabs(tg_grad_element(leaf->x, j) / by - leaf->analytic[j]);
            leaf->nonlinear |= isfinite(apart) && apart > least;
        }
    }
    return tg_write_doubles(c->v, c->cotangent, c->y->numel);
}

/* A derivative is rounding when it is nothing beside the leaf's others, or when a move by the leaf's own size would
 * not show in y. */
double tg_checker_floor(const tg_checker *c, double largest, double scale) {
    return 1e-11 * largest + 1e-17 * c->size / scale;
}

double tg_checker_own(const tg_checker *c, double largest, double moved) {
    return 1e-11 * largest + 64 * DBL_EPSILON * c->size * moved;
}

double tg_checker_unseen(const tg_checker *c, double scale) { return 1e-12 * c->size / scale; }

/* ---- accumulating ---- */

/* Is it another number than what the leaf held and the new gradient make? */
static bool is_spoilt(const tg_check_leaf *leaf, int64_t j) {
    double before = leaf->before[j], apart = fabs(tg_grad_element(leaf->x, j) - leaf->analytic[j] - before);
    return isfinite(apart) && apart > 1e-6 * (leaf->largest + fabs(before));
}

static bool has_room(const tg_check_leaf *leaf, int64_t j) {
    return isfinite(leaf->before[j]) && (isfinite(tg_grad_element(leaf->x, j)) || !isfinite(leaf->analytic[j]));
}

/* By what it multiplied what the spoilt elements held. */
static double kept_of(const tg_check_leaf *leaf) {
    double kept = NAN, apart = 0;
    for (int64_t j = 0; j < leaf->x->numel; j++) {
        double now = (tg_grad_element(leaf->x, j) - leaf->analytic[j]) / leaf->before[j];
        if (!is_spoilt(leaf, j))
            continue;
        kept = isnan(kept) ? now : kept;
        apart = fmax(apart, fabs(now - kept));
    }
    return apart <= 1e-5 ? kept : NAN;
}

/* Where it held about as much as was to be added: the element that is furthest off; where it held much more: is it the
 * same there? A sum that is clipped is lost there alone. */
static void note_spoilt(tg_check_leaf *leaf, bool first) {
    double most = 0, kept = kept_of(leaf);
    leaf->kept = first || fabs(kept - leaf->kept) <= 1e-5 ? kept : NAN;
    for (int64_t j = 0; j < leaf->x->numel && first; j++) {
        double now = tg_grad_element(leaf->x, j), apart = fabs(now - leaf->analytic[j] - leaf->before[j]);
        if (!is_spoilt(leaf, j) || apart <= most)
            continue;
        most = apart;
        leaf->at = j;
        leaf->held = leaf->before[j];
        leaf->now = now;
    }
}

static tg_status backward_onto(tg_checker *c, double factor) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_node *x = c->leaf[i].x;
        double *before = c->leaf[i].before, rounding = tg_checker_unseen(c, c->leaf[i].scale);
        double size = c->leaf[i].largest > rounding ? c->leaf[i].largest : 1;
        for (int64_t j = 0; j < x->numel; j++)
            before[j] = factor * size * tg_checker_random(c);
        if (tg_write_grad(tg_handle(x), before, x->numel))
            return c->t->status;
    }
    return tg_backward_with(tg_handle(c->y), c->v);
}

/* Is the leaf spoilt by the backward that was run last? *room: are all numbers finite? */
static bool look_for_spoilt(const tg_check_leaf *leaf, bool *room) {
    bool spoilt = false;
    *room = true;
    for (int64_t j = 0; j < leaf->x->numel && !leaf->backward_differs; j++) {
        spoilt |= is_spoilt(leaf, j);
        *room &= has_room(leaf, j);
    }
    return spoilt;
}

/* Gradients accumulate: what a leaf held before has to be there still, and the new gradient beside it. Rounding may
 * swallow it where contributions are large and cancel; then more of it has to be there, up to what a double can hold:
 * beside so much, whatever is added in any order rounds by little. */
static tg_status run_onto_old_gradients(tg_checker *c) {
    bool any = true;
    for (int try = 0; try < 24 && any; try++) {
        any = false;
        if (backward_onto(c, ldexp(1, 40 * try)))
            return c->t->status;
        for (int i = 0; i < c->n_leaves; i++) {
            tg_check_leaf *leaf = &c->leaf[i];
            bool room, spoilt = look_for_spoilt(leaf, &room);
            if (room)
                leaf->spoilt = spoilt && (leaf->spoilt || try == 0);
            if (leaf->spoilt && room)
                note_spoilt(leaf, try == 0);
            any |= leaf->spoilt && room;
        }
    }
    return TG_OK;
}

/* Everything that is known at the leaves' present values. */
static tg_status run(tg_checker *c) {
    c->size = 0;
    c->weight = c->own_dy ? 0 : 1;
    c->measured = c->chain_asked = false;
    c->apart = 0;
    if (c->apart_in_y)
        memset(c->apart_in_y, 0, (size_t)c->y->numel * sizeof *c->apart_in_y);
    if (run_forward(c))
        return c->t->status;
    for (int64_t j = 0; j < c->y->numel; j++) {
        double weight = fabs(c->cotangent[j]);
        c->weight = c->own_dy ? fmax(c->weight, weight) : c->weight;
        c->size += weight != 0 ? weight * fmax(fabs(c->at_base[j]), 1) : 0;
    }
    for (int i = 0; i < c->n_leaves; i++)
        c->leaf[i] = (tg_check_leaf){.x = c->leaf[i].x,
                                     .analytic = c->leaf[i].analytic,
                                     .before = c->leaf[i].before,
                                     .scale = c->leaf[i].scale,
                                     .kept = NAN,
                                     .least = c->leaf[i].least,
                                     .most = c->leaf[i].most,
                                     .units = c->leaf[i].units,
                                     .terms = NAN};
    if (run_backward(c, false) || run_backward(c, true) || run_scaled(c, -0x1p20) || run_scaled(c, 0x1p-20))
        return c->t->status;
    return run_onto_old_gradients(c) ? c->t->status : tg_checker_run_forward(c); /* a VJP may have written to results */
}

tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config) {
    *c = (tg_checker){.t = t, .alone = c->alone, .own_dy = c->own_dy, .y = y, .config = config};
    tg_rng_seed(&c->rng, config->seed);
    t->keep_random = true;
    if (!allocate(c))
        return t->status;
    tg_find_needed(y, c->needed);
    find_custom(c);
    if (!find_leaves(c))
        return t->status;
    for (int64_t j = 0; j < y->numel; j++)
        c->cotangent[j] = c->own_dy ? c->own_dy[j] : tg_checker_random(c);
    c->v = tg_from_doubles(t, tg_shape_from(y), c->cotangent);
    return tg_is_null(c->v) ? t->status : run(c);
}

/* Each element of the leaves, or each that is chosen, by so much of its size, which counts as one between these. */
static void move(tg_checker *c, double by, double least, double most, bool *const *chosen) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++) {
            double *x = (double *)c->leaf[i].x->data + j, size = *x != 0 ? fabs(*x) : c->leaf[i].scale;
            *x += !chosen || chosen[i][j] ? by * fmin(fmax(size, least), most) * tg_checker_random(c) : 0;
        }
}

tg_status tg_checker_run_elsewhere(tg_checker *c) {
    c->aside = true;
    tg_checker_close(c);
    return run(c);
}

tg_status tg_checker_step_aside(tg_checker *c) {
    move(c, 1e-3, 0, INFINITY, NULL);
    return tg_checker_run_elsewhere(c);
}

tg_status tg_checker_step_far(tg_checker *c) {
    move(c, 1, 1.0 / 16, 1, NULL);
    return tg_checker_run_elsewhere(c);
}

tg_status tg_checker_step_chosen(tg_checker *c, bool *const *chosen) {
    move(c, 0.25, 0, INFINITY, chosen);
    return tg_checker_run_elsewhere(c);
}

tg_status tg_checker_move_far(tg_checker *c, double by) {
    move(c, by, 1.0 / 16, 1, NULL);
    return tg_checker_run_forward(c);
}

/* ---- numbers of very different sizes ---- */

bool tg_is_wide(double x) { return isfinite(x) && x != 0 && (fabs(x) < 0x1p-20 || fabs(x) > 0x1p3); }

double tg_near_one(double x) {
    double size = fabs(x), end = size < 1 ? 0x1p-4 : 2, root = size / end;
    if (size >= 0x1p-4 && size <= 2)
        return x;
    for (int i = 0; i < 6; i++) /* roots are the same wherever they are computed, powers are not */
        root = sqrt(root);
    return copysign(end * root, x);
}

static bool is_operand(const tg_checker *c, const tg_node *x) {
    return c->needed[x->index] && !x->op && tg_is_floating(x);
}

bool tg_checker_is_wide(const tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        for (int64_t j = 0; is_operand(c, c->t->nodes[i]) && j < c->t->nodes[i]->numel; j++)
            if (tg_is_wide(((const double *)c->t->nodes[i]->data)[j]))
                return true;
    return false;
}

tg_status tg_checker_bring_near(tg_checker *c) {
    tg_checker_close(c);
    for (uint32_t i = 0; i <= c->y->index; i++)
        for (int64_t j = 0; is_operand(c, c->t->nodes[i]) && j < c->t->nodes[i]->numel; j++) {
            double *x = (double *)c->t->nodes[i]->data + j;
            *x = tg_near_one(*x);
        }
    for (int i = 0; i < c->n_leaves; i++)
        c->leaf[i].scale = typical_size(c->leaf[i].x);
    return run(c);
}

/* ---- leaves that move ---- */

static void move_leaves(tg_checker *c, int first, int end) {
    memset(c->moves, 0, (size_t)c->y->index + 1);
    for (int i = first; i < end; i++)
        c->moves[c->leaf[i].x->index] = true;
    tg_checker_cone(c);
}

void tg_move_leaf(tg_checker *c, const tg_check_leaf *leaf) {
    int i = (int)(leaf - c->leaf);
    move_leaves(c, i, i + 1);
}

void tg_move_all_leaves(tg_checker *c) { move_leaves(c, 0, c->n_leaves); }

bool tg_open_moved_leaf(tg_checker *c, const tg_check_leaf *leaf, tg_moved *m) {
    size_t n = (size_t)leaf->x->numel;
    *m = (tg_moved){leaf->x, tg_checker_memory(c, n, sizeof(double)), tg_checker_memory(c, n, sizeof(double))};
    if (!m->start || !m->direction)
        return false;
    memcpy(m->start, leaf->x->data, n * sizeof(double));
    return true;
}

tg_moved *tg_open_moved(tg_checker *c) {
    tg_moved *moved = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *moved);
    for (int i = 0; i < c->n_leaves && moved; i++)
        if (!tg_open_moved_leaf(c, &c->leaf[i], &moved[i]))
            return NULL;
    return moved;
}
