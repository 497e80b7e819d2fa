/* What rounding in float64 does to the gradient that backward computes: forward and backward run again with every
 * number moved by its error, a unit of float64 or what long double shows, and the gradients' spread is taken. */
#include "core/gradcheck/noise.h"

#include <float.h>

/* Of a node's numbers; NULL where they are not known. */
typedef struct errors_of_node {
    double *data, *saved;
} errors_of_node;

/* Below this float64 loses digits, and then the number; that it does is no difference. */
#define UNDERFLOW (1e10 * DBL_MIN)

/* Over many elements the worst of a few runs is that of many. */
enum { NOISE_RUNS = 16, NOISE_RUNS_OF_HUGE = 4, RUNS_TO_DENY = 12 };

/* The size of every number a little up or down, by its error if that is known and larger: by a hash of itself, so that
 * equal ones and those of equal size stay so; or apart, by a hash of its place too, and some by half of that. */
static void jitter(int64_t n, double *x, double by, const double *error, int run, bool apart) {
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        if (!isfinite(x[j]))
            continue;
        double size = fabs(x[j]);
        memcpy(&bits, &size, sizeof bits);
        bits = (bits + (uint64_t)run + (apart ? (uint64_t)j << 32 : 0)) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        double part = apart && bits >> 62 & 1 ? 0.5 : 1; /* of two even moves sums round as they did */
        double d = part * copysign(fmax(by * size, error ? error[j] : 0), x[j]);
        x[j] += bits >> 63 ? d : -d;
    }
}

static bool owns_numbers(const tg_checker *c, const tg_node *x) {
    return c->needed[x->index] && x->base == x && tg_is_floating(x);
}

/* May a VJP compare the node's result, or what is saved beside it? A custom one may ask where x == y: what their
 * rounding does to its gradient, alone, differences of y show as well, which a unit of y hides from steps that are no
 * wider. */
static bool is_compared(const tg_checker *c, const tg_node *n) {
    return n->op && (n->op->branches[TG_F64] || (c->alone && n == c->y && tg_is_custom(n)));
}

static uint64_t all_branches(const tg_checker *c) {
    tg_branches b = {0};
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (c->needed[i] && n->op && n->op->branches[TG_F64])
            n->op->branches[TG_F64](n, &b);
    }
    return b.hash;
}

/* Of the backward that was run last, with so many times dy. */
static void note_gradients(tg_checker *c, double by) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double g = tg_grad_element(leaf->x, j) / by, d = fabs(g - leaf->analytic[j]);
            leaf->least[j] = fmin(leaf->least[j], isfinite(d) ? g : -INFINITY);
            leaf->most[j] = fmax(leaf->most[j], isfinite(d) ? g : INFINITY);
            if (by == 1)
                leaf->units[j] = fmax(leaf->units[j], isfinite(d) ? d : INFINITY);
        }
    }
}

/* Forward with leaves and results jittered, backward with so many times the cotangent, jittered: how far do gradients
 * move? */
static tg_status run_jittered(tg_checker *c, int run, double by_cotangent, const double *by,
                              const errors_of_node *errors, uint64_t branches) {
    bool apart = run > NOISE_RUNS / 2 && !c->has_custom;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *n = c->t->nodes[i];
        if (c->needed[i] && n->op && tg_run_forward(n))
            return c->t->status;
        if (n->saved && !is_compared(c, n))
            jitter(n->n_saved, n->saved, by[i], errors[i].saved, run, apart);
        if (owns_numbers(c, n) && !is_compared(c, n))
            jitter(tg_span(n), n->data, by[i], errors[i].data, run, apart);
    }
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = by_cotangent * c->cotangent[j];
    jitter(c->y->numel, c->low, DBL_EPSILON, NULL, run, apart);
    tg_zero_grads(c->t);
    if (all_branches(c) != branches)
        return TG_OK;
    c->jittered++;
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    note_gradients(c, by_cotangent);
    return TG_OK;
}

/* Backward with random signs for dy's elements: what of a gradient is a sum that cancels does not cancel then. */
static tg_status run_signed(tg_checker *c, int run) {
    tg_rng_state signs;
    tg_rng_seed(&signs, (uint64_t)run);
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = tg_rng_random(&signs) & 1 ? c->cotangent[j] : -c->cotangent[j];
    tg_zero_grads(c->t);
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            c->leaf[i].terms = fmax(c->leaf[i].terms, fabs(tg_grad_element(c->leaf[i].x, j)));
    return TG_OK;
}

/* The leaves' own values, kept one behind the other while they are jittered. */
static void keep_leaves(const tg_checker *c, double *kept, bool back) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *x = c->t->nodes[i];
        if (x->op || !owns_numbers(c, x))
            continue;
        size_t bytes = (size_t)x->numel * sizeof *kept;
        memcpy(back ? x->data : kept, back ? kept : x->data, bytes);
        kept += x->numel;
    }
}

/* A little aside it is the same. */
static double *noise_of_nodes(tg_checker *c) {
    if (c->noise_of)
        return c->noise_of;
    double *by = c->noise_of = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *by);
    for (uint32_t i = 0; i <= c->y->index && by; i++) {
        tg_node *n = c->t->nodes[i];
        tg_custom_noise of = {.relative = DBL_EPSILON};
        if (c->needed[i] && tg_is_custom(n))
            of = tg_noise_of_custom(c, n);
        by[i] = of.relative;
        c->stairs |= of.stairs;
        c->noisy = fmax(c->noisy, by[i]);
        c->coarse = fmax(c->coarse, of.coarse ? by[i] : DBL_EPSILON);
    }
    return by;
}

/* How far float64 is from long double, twice. *apart becomes the largest relative difference; or, by element, the
 * largest difference itself. */
static double *errors_of(tg_checker *c, int64_t n, const double *x, const long double *fine, double *apart, bool each) {
    double *error = tg_checker_memory(c, (size_t)n, sizeof *error);
    for (int64_t j = 0; j < n && error; j++) {
        double d = fabs((double)(fine[j] - x[j])), size = fmax(fabs(x[j]), fabs((double)fine[j])) + UNDERFLOW;
        error[j] = isfinite(d) ? 2 * d : 0;
        if (d > 0 && (!each || j < c->y->numel)) /* as they lie: of a scope's result there may be gaps */
            apart[each ? j : 0] = fmax(apart[each ? j : 0], each ? d : d / size);
    }
    return error;
}

/* For every result that owns its numbers, and for what it saved; NULL where that is not known. */
static bool find_errors(tg_checker *c, errors_of_node *errors) {
    if (!c->apart_in_y && !(c->apart_in_y = tg_checker_memory(c, (size_t)c->y->numel, sizeof(double))))
        return false;
    for (uint32_t i = 0; i <= c->y->index && c->fine.t && !c->only_custom; i++) {
        const tg_node *n = c->t->nodes[i], *fine = c->fine.t->nodes[i];
        if (!n->op || !owns_numbers(c, n))
            continue;
        bool is_y = n == c->y;
        errors[i].data = errors_of(c, tg_span(n), n->data, fine->data, is_y ? c->apart_in_y : &c->apart, is_y);
        errors[i].saved = n->saved ? errors_of(c, n->n_saved, n->saved, fine->saved, &c->apart, false) : NULL;
        if (!errors[i].data)
            return false;
    }
    return true;
}

static void clear_noise(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++) {
        c->leaf[i].terms = NAN;
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            c->leaf[i].least[j] = c->leaf[i].most[j] = c->leaf[i].units[j] = NAN;
    }
}

tg_status tg_measure_noise(tg_checker *c) {
    int64_t total = 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        total += c->t->nodes[i]->numel;
    c->measured = true;
    clear_noise(c);
    tg_checker_restore(c);
    if (c->t->status)
        return c->t->status;
    double *kept = tg_checker_memory(c, (size_t)total, sizeof *kept), *by = noise_of_nodes(c);
    errors_of_node *errors = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *errors);
    if (!kept || !by || !errors || !find_errors(c, errors) || c->forward_differs || c->backward_differs)
        return c->t->status;
    uint64_t branches = all_branches(c);
    keep_leaves(c, kept, false);
    c->jittered = 0;
    int runs = total > TG_HUGE ? NOISE_RUNS_OF_HUGE : NOISE_RUNS;
    for (int run = 1; run <= runs && !c->t->status; run++) {
        int number = run * NOISE_RUNS / runs;
        run_jittered(c, number, 1 + (double)number / (NOISE_RUNS + 1), by, errors, branches);
        keep_leaves(c, kept, true);
    }
    bool own = c->alone && c->has_custom && !c->own_dy && c->coarse <= TG_COARSE; /* a VJP that may round on purpose */
    for (int run = 1; run <= runs / 2 && own && !c->t->status; run++) {
        run_jittered(c, run * NOISE_RUNS / runs, 1, by, errors, branches);
        keep_leaves(c, kept, true);
    }
    for (int i = 0; i < c->n_leaves; i++) /* always other branches: anything may be rounding */
        for (int64_t j = 0; j < c->leaf[i].x->numel && !c->jittered && !c->alone; j++)
            c->leaf[i].most[j] = INFINITY;
    bool bad = c->t->status || tg_checker_run_forward(c);
    for (int run = 1; run <= runs / 2 && own && !bad; run++)
        bad = run_signed(c, run);
    return bad || tg_write_doubles(c->v, c->cotangent, c->y->numel) ? c->t->status : TG_OK;
}

/* How far rounding takes the element. What is more for other multiples of dy than for a unit more or less is rounding
 * of dy on purpose where it is more than a float's, of the terms that add up. */
static double noise_of_element(const tg_check_leaf *leaf, int64_t j) {
    static const double of_terms = 0x1p-25;
    double g = leaf->analytic[j], d = fmax(leaf->most[j] - g, g - leaf->least[j]);
    double noise = isnan(leaf->most[j]) ? 0 : isfinite(d) ? fmax(d, 0) : INFINITY;
    return isnan(leaf->terms) ? noise : fmin(noise, leaf->units[j] + of_terms * leaf->terms);
}

static double noise_along(const tg_check_leaf *leaf, const tg_line *line) {
    double sum = 0;
    if (line->x == leaf->x)
        return noise_of_element(leaf, line->at);
    for (int i = 0; i < line->n; i++)
        for (int64_t j = 0; line->moved[i].x == leaf->x && j < leaf->x->numel; j++)
            if (line->moved[i].direction[j] != 0)
                sum += noise_of_element(leaf, j) * fabs(line->moved[i].direction[j]);
    return sum;
}

/* y's elements each have their own size; within one operation alone that is not elementwise (a norm) what counts is
 * that of the largest that the line reaches. */
double tg_checker_apart(const tg_checker *c, const tg_line *line) {
    const tg_side *side = &c->fine;
    bool elementwise = c->y->op->forward[TG_F64] == tg_elementwise_forward_f64;
    bool alike = line->x && side->n_cone == 1 && side->cone[0] == side->y && side->alike[0]; /* y[at] alone moves */
    bool known = side->reaches && side->reaches == line->x && side->reaches_at == line->at && c->alone;
    double most = c->apart, apart = 0, size = 0;
    for (int64_t j = 0; c->apart_in_y && j < c->y->numel; j++) {
        double d = c->apart_in_y[j], own = fabs(c->at_base[j]) + d + UNDERFLOW;
        if (alike ? j != line->at : known && !side->reached[j])
            continue;
        apart = fmax(apart, d);
        size = fmax(size, own);
        most = known && !elementwise ? most : fmax(most, d / own);
    }
    return known && !elementwise && size > 0 ? fmax(most, apart / size) : most;
}

/* What all of these runs say of the derivative along the line, at least and at most. */
static void range_along(const tg_check_leaf *leaf, const tg_line *line, double *least, double *most) {
    for (int i = 0; i < (line->x ? 1 : line->n); i++) {
        const double *direction = line->x ? NULL : line->moved[i].direction;
        if ((direction ? line->moved[i].x : line->x) != leaf->x)
            continue;
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double by = direction ? direction[j] : j == line->at;
            if (by == 0)
                continue;
            *least += by * (by > 0 ? leaf->least[j] : leaf->most[j]);
            *most += by * (by > 0 ? leaf->most[j] : leaf->least[j]);
        }
    }
}

double tg_checker_noise_about(tg_checker *c, const tg_line *line, double slope) {
    double noise = tg_checker_gradient_noise(c, line), least = 0, most = 0;
    for (int i = 0; i < c->n_leaves; i++)
        range_along(&c->leaf[i], line, &least, &most);
    /* what is saved is moved apart from what it is of, and may make nothing of everything: exp(x - max) of 1e36 */
    bool alive = !c->y->saved && least < most;
    bool known = c->alone && !c->has_custom && c->jittered >= RUNS_TO_DENY && alive;
    return known ? fmin(noise, fmax(fabs(least - slope), fabs(most - slope))) : noise;
}

double tg_checker_gradient_noise(tg_checker *c, const tg_line *line) {
    double sum = 0;
    if (!c->measured && tg_measure_noise(c))
        return 0;
    for (int i = 0; i < c->n_leaves; i++)
        sum += noise_along(&c->leaf[i], line);
    return sum;
}
