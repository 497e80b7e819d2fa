/* One wrong element of many. Along a line that moves all elements the derivative and the gradient's differ by what the
 * wrong ones contribute. When every element moves in proportion to its place, the difference is as many times what it
 * was as a single wrong one's place says, nearly; where it is the same near there, or everywhere else, half of the
 * elements move, and half of those, always the half that differs. */
#include "core/gradcheck/check.h"

enum { HALVINGS = 17 }; /* the step, relative to an element: little curvature, and little rounding */

typedef struct search {
    tg_checker *c;
    const tg_check_leaf *leaf;
    tg_moved moved;
    double *by;    /* how far each element moves */
    bool by_place; /* times its place among those that move, from 0 to 1 */
} search;

/* By how much backward's derivative exceeds the numeric one where the elements of begin .. end - 1 move; *bar: what
 * rounding may make of it. */
static double excess(search *s, int64_t begin, int64_t end, double *bar) {
    tg_line line = {.n = 1, .moved = &s->moved, .size = 1, .widest = 1};
    double h = tg_step(&line, HALVINGS), analytic = 0;
    double *direction = s->moved.direction, per_place = 1 / (double)(end - begin);
    memset(direction, 0, (size_t)s->leaf->x->numel * sizeof *direction);
    for (int64_t j = begin; j < end; j++) {
        direction[j] = s->by[j] * (s->by_place ? (double)(j - begin) * per_place : 1);
        analytic += s->leaf->analytic[j] * direction[j];
    }
    tg_point low = tg_evaluate(s->c, &s->c->plain, &line, -h), high = tg_evaluate(s->c, &s->c->plain, &line, h);
    *bar = (low.rounding + high.rounding) / h;
    return analytic - (double)((high.f - low.f) / (high.s - low.s));
}

enum { NEAR = 64 }; /* so many places may many elements' rounding be off */

/* Where a single wrong one of begin .. end - 1 would be; -1: beyond them. */
static int64_t place_of(search *s, double whole, int64_t begin, int64_t end) {
    double bar;
    s->by_place = true;
    double place = (double)begin + excess(s, begin, end, &bar) / whole * (double)(end - begin);
    s->by_place = false;
    if (!(place > (double)begin - NEAR && place < (double)end + NEAR))
        return -1;
    return (int64_t)fmin(fmax(round(place), (double)begin), (double)end - 1);
}

/* Is it all there? */
static bool holds(search *s, double whole, int64_t begin, int64_t end) {
    double bar;
    return fabs(excess(s, begin, end, &bar) - whole) <= 1e-3 * fabs(whole);
}

/* Where a single wrong element is: by its place among all, then by that among those near there. */
static void aim(search *s, double whole, int64_t *begin, int64_t *end) {
    int64_t n = s->leaf->x->numel, at = place_of(s, whole, 0, n);
    if (at < 0)
        return;
    int64_t low = at > NEAR ? at - NEAR : 0, high = at + NEAR < n ? at + NEAR : n;
    int64_t one = place_of(s, whole, low, high);
    bool found = one >= 0 && holds(s, whole, one, one + 1);
    if (!found && !holds(s, whole, low, high))
        return;
    *begin = found ? one : low;
    *end = found ? one + 1 : high;
}

/* The half that differs; where both do, the first. */
static int64_t halve(search *s) {
    int64_t begin = 0, end = s->leaf->x->numel;
    double bar, whole = excess(s, begin, end, &bar);
    if (end > TG_HUGE && isfinite(whole) && whole != 0)
        aim(s, whole, &begin, &end);
    while (end - begin > 1 && isfinite(whole)) {
        int64_t middle = begin + (end - begin) / 2;
        double first = excess(s, begin, middle, &bar), second = whole - first;
        bool is_first = fabs(first) > 10 * bar || fabs(first) >= fabs(second);
        *(is_first ? &end : &begin) = middle;
        whole = is_first ? first : second;
    }
    return isfinite(whole) ? begin : -1;
}

static bool open_search(search *s, tg_checker *c, const tg_check_leaf *leaf) {
    size_t n = (size_t)leaf->x->numel;
    *s = (search){.c = c, .leaf = leaf, .by = tg_checker_memory(c, n, sizeof(double))};
    if (!s->by || !tg_open_moved_leaf(c, leaf, &s->moved))
        return false;
    for (size_t j = 0; j < n; j++) {
        double own = fabs(s->moved.start[j]);
        s->by[j] = isfinite(own) ? (own > 0 ? own : leaf->scale) * tg_checker_random(c) : 0;
    }
    tg_move_leaf(c, leaf);
    return true;
}

int64_t tg_search_leaf(tg_checker *c, const tg_check_leaf *leaf) {
    search s;
    if (!leaf->x->numel || !open_search(&s, c, leaf))
        return -1;
    int64_t at = halve(&s);
    tg_checker_restore(c);
    return at;
}

/* Which of x's elements lies there in its leaf; -1: none. */
static int64_t element_at(const tg_node *x, ptrdiff_t at) {
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->stride);
    ptrdiff_t first = (double *)x->data - (double *)x->base->data;
    for (int64_t k = 0; k < x->numel; k++) {
        if (first + w.offset == at)
            return k;
        tg_walk_next(&w, 1);
    }
    return -1;
}

int64_t tg_search_wrong(tg_suspect *s, const tg_node *x) {
    return element_at(x, tg_search_leaf(&s->c, tg_suspect_leaf(s, x)));
}
