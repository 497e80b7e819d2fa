/* f(s) = sum(v y) where leaves have moved by s along a line, less f(0): on the float64 tape, which is quick, and on
 * its copies in long double, on which verdicts rest, and in quad, for what that leaves open. y's elements are
 * subtracted before they are summed, so that those that do not move add no rounding. */
#include "core/gradcheck/check.h"

#include <float.h>

/* ---- the tapes ---- */

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

tg_status tg_checker_run_forward(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && c->t->nodes[i]->op && tg_run_forward(c->t->nodes[i]))
            return c->t->status;
    c->plain.touched = TG_NO_ELEMENT;
    c->plain.disturbed = false;
    return TG_OK;
}

double tg_unit_of(tg_dtype dtype) {
    volatile long double sum = 2, unit = 1;
    if (dtype != TG_LD)
        return dtype == TG_F64 ? DBL_EPSILON : 0x1p-112;
    for (; sum != 1; unit /= 2)
        sum = 1 + unit / 2;
    return 2 * (double)unit;
}

/* Without memory the side stays closed. */
bool tg_checker_open_side(tg_checker *c, tg_side *side, tg_tape *t) {
    size_t n = (size_t)c->y->numel, size = tg_dtype_size(t->dtype);
    *side = (tg_side){.t = t, .y = t->nodes[c->y->index], .unit = tg_unit_of(t->dtype)};
    side->cone = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *side->cone);
    side->alike = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *side->alike);
    side->base = tg_checker_memory(c, n, size);
    side->now = tg_checker_memory(c, n, size);
    bool opened = side->cone && side->alike && side->base && side->now;
    side->t = opened ? t : NULL;
    return opened;
}

/* The result of a comparison is a branch. */
static void note_integers(const tg_node *n, tg_branches *b) {
    size_t bytes = (size_t)n->numel * tg_dtype_size((tg_dtype)n->dtype);
    for (size_t i = 0; i < bytes && n->base == n; i++)
        tg_branch(b, ((const unsigned char *)n->data)[i]);
}

void tg_note_branches(const tg_node *n, tg_branches *b) {
    if (n->op->branches[n->tape->dtype])
        n->op->branches[n->tape->dtype](n, b);
    else if (!tg_is_floating(n))
        note_integers(n, b);
}

static uint64_t branches_taken(const tg_side *side) {
    tg_branches b = {UINT64_C(14695981039346656037)};
    for (uint32_t i = 0; i < side->n_cone; i++)
        tg_note_branches(side->cone[i], &b);
    return b.hash;
}

static void run_element(tg_node *n, int64_t at) {
    if (n->tape->dtype == TG_LD)
        tg_elementwise_range_ld(n, at, at + 1);
#ifdef TG_HAS_QUAD
    else if (n->tape->dtype == TG_QD)
        tg_elementwise_range_qd(n, at, at + 1);
#endif
    else
        tg_elementwise_range_f64(n, at, at + 1);
}

/* Element `at` of the leaf moved; TG_ANY_ELEMENT: anything may have. */
static void run_cone(tg_side *side, int64_t at) {
    for (uint32_t i = 0; i < side->n_cone; i++)
        if (at >= 0 && side->alike[i])
            run_element(side->cone[i], at);
        else if (tg_run_forward(side->cone[i]))
            return;
}

/* Those alike again, where another element than `at` has moved. */
static void restore_alike(tg_side *side, int64_t at) {
    for (uint32_t i = 0; i < side->n_cone && side->touched != at; i++)
        if (side->alike[i] && side->touched >= 0)
            run_element(side->cone[i], side->touched);
        else if (side->alike[i] && side->touched == TG_ANY_ELEMENT && tg_run_forward(side->cone[i]))
            return;
}

static bool y_is_alike(const tg_side *side) {
    return side->n_cone && side->cone[side->n_cone - 1] == side->y && side->alike[side->n_cone - 1];
}

static size_t size_of_y(const tg_side *side) { return (size_t)side->y->numel * tg_dtype_size(side->t->dtype); }

/* y's elements, into side->now. Where y is alike one has moved, and the one before that is as it was. */
static void read_result(tg_side *side, int64_t at) {
    side->begin = 0;
    side->end = side->y->numel;
    if (at < 0 || !y_is_alike(side)) {
        tg_copy_out(side->y, side->y->data, side->y->stride, side->now); /* y may be a view of what moved */
        return;
    }
    size_t size = tg_dtype_size(side->t->dtype);
    char *now = side->now;
    const char *base = side->base, *y = side->y->data;
    if (side->touched >= 0)
        memcpy(now + (size_t)side->touched * size, base + (size_t)side->touched * size, size);
    else
        memcpy(now, base, size_of_y(side));
    memcpy(now + (size_t)at * size, y + (size_t)at * size, size);
    side->begin = at;
    side->end = at + 1;
}

void tg_checker_run_cone(tg_side *side) {
    if (side->disturbed)
        run_cone(side, TG_ANY_ELEMENT);
    side->touched = TG_NO_ELEMENT;
    side->disturbed = false;
}

/* What it is compared with from here on. */
static void restore(tg_side *side) {
    tg_checker_run_cone(side);
    tg_copy_out(side->y, side->y->data, side->y->stride, side->base);
    side->branches = branches_taken(side);
}

static inline long double larger(long double a, long double b) { return a > b ? a : b; } /* fmaxl is a call */

/* The largest number that the cone computes with. */
static double largest_value(const tg_side *side) {
    long double most = 0;
    for (uint32_t i = 0; i < side->n_cone; i++)
        for (int k = 0; k <= side->cone[i]->n_in; k++) {
            const tg_node *n = side->cone[i], *x = k < n->n_in ? n->in[k] : n;
            for (int64_t j = 0; x && x->dtype == side->t->dtype && j < tg_span(x->base); j++) {
                long double value = fabsl(tg_side_number(side->t->dtype, x->base->data, j));
                if (isfinite((double)value))
                    most = larger(most, value);
            }
        }
    return (double)most;
}

/* Of one leaf that moves: it is elementwise, and reads the leaf, or others that are alike, element by element. */
static bool is_alike(const tg_checker *c, const tg_node *n, const tg_node *leaf, const bool *alike) {
    bool good = n->op->forward[TG_F64] == tg_elementwise_forward_f64 && n->numel == leaf->numel;
    for (int k = 0; k < n->n_in && good; k++)
        good = !c->moves[n->in[k]->index] || (n->linear >> k & 1 && (n->in[k] == leaf || alike[n->in[k]->index]));
    return good;
}

/* The leaf that moves, on that tape, when it is one alone. */
static const tg_node *only_leaf(const tg_checker *c, const tg_tape *t) {
    const tg_node *leaf = NULL;
    int n = 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->moves[i] && !t->nodes[i]->op) {
            leaf = t->nodes[i];
            n++;
        }
    return n == 1 ? leaf : NULL;
}

static void choose_cone(tg_checker *c, tg_side *side) {
    tg_checker_run_cone(side);
    const tg_node *leaf = only_leaf(c, side->t);
    side->n_cone = 0;
    side->unit = tg_unit_of(side->t->dtype);
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *n = side->t->nodes[i];
        if (!n->op || !c->moves[i])
            continue;
        side->alike[side->n_cone] = leaf && is_alike(c, n, leaf, c->alike);
        c->alike[i] = side->alike[side->n_cone];
        side->cone[side->n_cone++] = n;
        if (tg_is_custom(n))
            side->unit = DBL_EPSILON; /* custom operations have double only */
    }
    restore(side);
    side->within = side->largest = side == &c->plain ? 0 : largest_value(side);
    side->reaches = NULL;
}

void tg_checker_cone(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (!n->op)
            continue;
        c->moves[i] = false;
        for (int k = 0; k < n->n_in && !c->moves[i]; k++)
            c->moves[i] = n->in[k] && c->needed[i] && c->moves[n->in[k]->index];
    }
    choose_cone(c, &c->plain);
    c->fine.behind = c->finest.behind = true;
}

/* The other side last: a callback that keeps an operand by its address has to see the next one's. */
void tg_checker_restore(tg_checker *c) {
    restore(&c->plain);
    if (c->fine.t && c->fine.disturbed)
        restore(&c->fine);
    if (c->finest.t && c->finest.disturbed)
        restore(&c->finest);
}

/* In its dtype everything that y needs is computed anew, once. */
static bool open_side(tg_checker *c, tg_side *side, tg_dtype dtype) {
    tg_tape *t = tg_tape_cast(c->t, dtype);
    if (!t)
        return false;
    t->keep_random = true;
    if (!tg_checker_open_side(c, side, t)) {
        tg_tape_free(t);
        return false;
    }
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && t->nodes[i]->op && tg_run_forward(t->nodes[i]))
            return true;
    side->behind = true;
    return true;
}

static tg_side *side_of(tg_checker *c, tg_side *side, tg_dtype dtype) {
    if (!side->t && !open_side(c, side, dtype))
        return NULL;
    if (side->behind)
        choose_cone(c, side);
    side->behind = false;
    if (!side->t->status)
        return side;
    tg_fail(c->t, side->t->status, "%s", side->t->error);
    return NULL;
}

double tg_work_of(const tg_side *side) {
    double work = 0;
    for (uint32_t i = 0; i < side->n_cone; i++) {
        const tg_node *n = side->cone[i];
        work += (double)n->numel + (n->op->flops ? n->op->flops(n, -1) : 0);
    }
    return work;
}

tg_side *tg_checker_fine(tg_checker *c) { return side_of(c, &c->fine, c->only_custom ? TG_F64 : TG_LD); }

tg_side *tg_checker_finest(tg_checker *c) {
#ifdef TG_HAS_QUAD
    return c->has_custom ? NULL : side_of(c, &c->finest, TG_QD);
#else
    (void)c;
    return NULL;
#endif
}

void tg_checker_close(tg_checker *c) {
    tg_tape_free(c->fine.t);
    tg_tape_free(c->finest.t);
    c->fine = c->finest = (tg_side){.t = NULL};
}

/* ---- moving ---- */

/* Returns how far that really is, after rounding. */
static long double move_element(const tg_side *side, const tg_line *line, long double s) {
    void *data = side->t->nodes[line->x->index]->data;
#ifdef TG_HAS_QUAD
    if (side->t->dtype == TG_QD) {
        tg_quad moved = (tg_quad)line->start + s;
        ((tg_quad *)data)[line->at] = moved;
        return (long double)(moved - line->start);
    }
#endif
    if (side->t->dtype == TG_LD) {
        volatile long double moved = line->start + s;
        ((long double *)data)[line->at] = moved;
        return moved - line->start;
    }
    volatile double moved = (double)(line->start + s);
    ((double *)data)[line->at] = moved;
    return moved - (long double)line->start;
}

static void move_leaf(const tg_side *side, const tg_moved *m, long double s) {
    void *x = side->t->nodes[m->x->index]->data;
    if (s == 0 && side->t->dtype == TG_F64) {
        memcpy(x, m->start, (size_t)m->x->numel * sizeof(double));
        return;
    }
    double by = (double)s; /* a power of two times a small number: exact */
#ifdef TG_HAS_QUAD
    for (int64_t j = 0; j < m->x->numel && side->t->dtype == TG_QD; j++)
        ((tg_quad *)x)[j] = s == 0 ? m->start[j] : m->start[j] + (tg_quad)s * m->direction[j];
#endif
    for (int64_t j = 0; j < m->x->numel && side->t->dtype != TG_QD; j++)
        if (side->t->dtype == TG_LD)
            ((long double *)x)[j] = s == 0 ? m->start[j] : m->start[j] + s * m->direction[j];
        else
            ((double *)x)[j] = m->start[j] + by * m->direction[j];
}

static long double move(const tg_side *side, const tg_line *line, long double s) {
    if (line->x)
        return move_element(side, line, s);
    for (int i = 0; i < line->n; i++)
        move_leaf(side, &line->moved[i], s);
    return s;
}

/* ---- evaluating ---- */

double tg_step(const tg_line *line, int halvings) {
    int exponent;
    frexp(line->size > 0 ? line->size : line->widest, &exponent);
    return ldexp(1, exponent - 1 - halvings); /* a power of two: x + h is exact */
}

/* The larger of y's element before and now. */
static inline double size_at(const tg_side *side, int64_t j, tg_dtype dtype) {
    if (dtype != TG_F64)
        return (double)larger(fabsl(tg_side_number(dtype, side->now, j)), fabsl(tg_side_number(dtype, side->base, j)));
    double now = fabs(((const double *)side->now)[j]), base = fabs(((const double *)side->base)[j]);
    return now > base ? now : base;
}

/* What is the same may have moved by less than rounding shows, if the line reaches it. */
static inline void sum_moves(const tg_checker *c, const tg_side *side, const bool *reached, tg_dtype dtype,
                             tg_point *p) {
    long double f = 0;
    double moved = 0, unmoved = 0;
    bool all_same = true;
    for (int64_t j = side->begin; j < side->end; j++) {
        double v = c->cotangent[j];
        long double by = v == 0 ? 0 : tg_side_difference(dtype, side->now, side->base, j);
        bool same = by == 0;
        all_same &= same;
        if (v == 0 || (same && reached && !reached[j]))
            continue;
        double rounding = fabs(v) * size_at(side, j, dtype) * side->unit;
        f += v * by;
        moved += same ? 0 : rounding;
        unmoved += same ? rounding : 0;
    }
    p->f = f;
    p->same = all_same;
    p->unmoved = unmoved;
    p->rounding = side == &c->fine ? moved + unmoved : moved; /* where verdicts are made */
}

tg_point tg_evaluate(tg_checker *c, tg_side *side, const tg_line *line, double s) {
    tg_point p = {.finite = true, .same = true};
    int64_t at = line->x ? line->at : TG_ANY_ELEMENT;
    restore_alike(side, at);
    p.s = move(side, line, s);
    run_cone(side, at);
    read_result(side, at);
    side->touched = at;
    p.branches = branches_taken(side);
    move(side, line, 0);
    side->disturbed = true;
    c->evaluations++;
    bool known = side->reaches && side->reaches == line->x && side->reaches_at == line->at;
    const bool *reached = known ? side->reached : NULL;
    switch ((int)side->t->dtype) {
    case TG_QD: sum_moves(c, side, reached, TG_QD, &p); break;
    case TG_LD: sum_moves(c, side, reached, TG_LD, &p); break;
    default: sum_moves(c, side, reached, TG_F64, &p);
    }
    if (p.same) /* y may be small where larger numbers cancel */
        p.rounding = fmax(p.rounding, c->weight * (known ? side->within : side->largest) * side->unit);
    p.finite = isfinite((double)p.f); /* what does not move may have moved by less than rounding shows */
    return p;
}

/* (f(h) - f(-h)) / 2h, for each element of y: with steps of 2^-20 curvature is nothing, or the next step, to one side
 * or else to both, disagrees. */
typedef struct column {
    double *at;
    double size, rounding; /* sum |v at|, and of it what rounding may be */
    bool good;
} column;

/* by times what moved; returns sum |v y| over that. */
static inline double add_moves(const tg_checker *c, const tg_side *side, tg_dtype dtype, long double by, double *at) {
    double sum = 0;
    for (int64_t j = side->begin; j < side->end; j++) {
        long double moved = tg_side_difference(dtype, side->now, side->base, j);
        if (moved == 0)
            continue;
        at[j] += (double)(by * moved);
        sum += fabs(c->cotangent[j] * size_at(side, j, dtype));
    }
    return sum;
}

/* To both sides, from there on (-1), or to one alone (1). */
static void take_column(tg_checker *c, tg_side *side, const tg_line *line, int halvings, int from, column *out) {
    double h = tg_step(line, halvings);
    out->good = true;
    out->size = out->rounding = 0;
    memset(out->at, 0, (size_t)c->y->numel * sizeof *out->at);
    for (int sign = from; sign <= 1 && out->good; sign += 2) {
        tg_point p = tg_evaluate(c, side, line, sign * h);
        long double by = sign / ((from < 0 ? 2 : 1) * (long double)h);
        out->good = p.branches == side->branches;
        double moved =
            side->t->dtype == TG_LD ? add_moves(c, side, TG_LD, by, out->at) : add_moves(c, side, TG_F64, by, out->at);
        out->rounding = fmax(out->rounding, 2 * (p.same ? p.rounding : moved * side->unit) / h);
    }
    for (int64_t j = 0; j < c->y->numel; j++) {
        out->good &= isfinite(out->at[j]) || c->cotangent[j] == 0;
        out->size += fabs(c->cotangent[j] * out->at[j]);
    }
}

static bool agree(const tg_checker *c, const column *a, const column *b) {
    double apart = 0;
    for (int64_t j = 0; j < c->y->numel; j++)
        apart += c->cotangent[j] != 0 ? fabs(c->cotangent[j] * (a->at[j] - b->at[j])) : 0;
    return apart <= 1e-7 * a->size + 4 * (a->rounding + b->rounding);
}

static bool is_sharp(const column *a) { return a->size > 0 && a->rounding <= 1e-8 * a->size; }

/* Does a step that is so narrow say the same? Else *next is what it says. */
static bool is_confirmed(tg_checker *c, tg_side *side, const tg_line *line, int halvings, const column *now,
                         column *next) {
    bool same = false;
    for (int from = now->good ? 1 : -1; from >= -1 && !same; from -= 2) {
        take_column(c, side, line, halvings, from, next);
        same = now->good && next->good && agree(c, now, next);
    }
    return same;
}

/* The step becomes narrower until two columns agree, then wider, as long as they do, until rounding is nothing. */
bool tg_jacobian_column(tg_checker *c, const tg_line *line, double *result) {
    tg_side *side = tg_checker_fine(c);
    column now = {.at = result}, next = {.at = c->low};
    int halvings = 20;
    if (!side)
        return false;
    take_column(c, side, line, halvings, -1, &now);
    for (;; halvings += 7) {
        if (halvings > 48)
            return now.good;
        if (is_confirmed(c, side, line, halvings + 7, &now, &next))
            break;
        memcpy(now.at, next.at, (size_t)c->y->numel * sizeof *now.at);
        now = (column){now.at, next.size, next.rounding, next.good};
    }
    double widest = c->has_custom ? line->widest : fmax(line->widest, side->largest);
    while (!is_sharp(&now) && tg_step(line, halvings - 4) <= widest) {
        halvings -= 4;
        take_column(c, side, line, halvings, -1, &next);
        if (!next.good || !agree(c, &now, &next))
            break;
        memcpy(now.at, next.at, (size_t)c->y->numel * sizeof *now.at);
        now = (column){now.at, next.size, next.rounding, true};
    }
    return true;
}
