/* Elements of one operation that are equal.
 *
 * At a tie a VJP chooses who gets dy, or shares it out, and differences of one element cannot tell a choice from a
 * mistake. All that are equal, moved together, stay equal: where no other kink is on that line y has a derivative, and
 * whatever was chosen, their gradients have to add up to it. (So it is with 2 and -2, moved away from 0, for the
 * largest |x|.) */
#include "core/gradcheck/check.h"

#include <stdlib.h>

/* An element of a leaf. */
typedef struct tied {
    double x;
    int leaf;
    int64_t at;
} tied;

/* Elements of one size, or (equal) one value. */
typedef struct group {
    const tied *member;
    int64_t n;
    bool equal;
    double by; /* how far each moves: up, or those of one size away from 0 */
} group;

static int by_size(const void *p, const void *q) {
    const tied *a = p, *b = q;
    if (fabs(a->x) != fabs(b->x))
        return fabs(a->x) < fabs(b->x) ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->leaf != b->leaf)
        return a->leaf < b->leaf ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* The finite elements, sorted; *n: how many. NULL after tg_fail. */
static tied *sorted_elements(tg_checker *c, int64_t *n) {
    int64_t total = 0;
    for (int i = 0; i < c->n_leaves; i++)
        total += c->leaf[i].x->numel;
    tied *all = tg_checker_memory(c, (size_t)total + 1, sizeof *all);
    *n = 0;
    for (int i = 0; all && i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++) {
            double x = ((const double *)c->leaf[i].x->data)[j];
            if (isfinite(x))
                all[(*n)++] = (tied){x, i, j};
        }
    if (all)
        qsort(all, (size_t)*n, sizeof *all, by_size);
    return all;
}

static double direction_of(const group *g, int64_t k) { return g->equal ? g->by : copysign(g->by, g->member[k].x); }

static void set_direction(const tg_moved *moved, const group *g, bool moves) {
    for (int64_t k = 0; k < g->n; k++)
        moved[g->member[k].leaf].direction[g->member[k].at] = moves ? direction_of(g, k) : 0;
}

/* Are the branches those of the middle to both sides? */
static bool keeps_branches(tg_checker *c, const tg_line *line) {
    double h = tg_step(line, 30);
    tg_point low = tg_evaluate(c, &c->plain, line, -h), high = tg_evaluate(c, &c->plain, line, h);
    return low.finite && high.finite && low.branches == c->plain.branches && high.branches == c->plain.branches;
}

static void note_wrong(tg_checker *c, const group *g, double analytic, tg_outcome o, tg_gradcheck_result *r) {
    double unit = c->y->numel == 1 ? 1 / c->cotangent[0] : 1;
    o.numeric /= g->by;
    o.error /= g->by;
    c->tied = (tg_tied){g->n, g->member->x, g->equal, analytic / g->by * unit, o.numeric * unit};
    tg_add_wrong(c, &c->leaf[g->member->leaf], g->member->at, analytic / g->by, &o, r);
}

/* Do their gradients add up to something else than the derivative? A kink on the line says nothing. */
static bool is_group_wrong(tg_checker *c, const tg_moved *moved, const group *g, tg_gradcheck_result *r) {
    double analytic = 0, contributions = 0;
    for (int64_t k = 0; k < g->n; k++) {
        double part = direction_of(g, k) * c->leaf[g->member[k].leaf].analytic[g->member[k].at];
        analytic += part;
        contributions += fabs(part);
    }
    tg_line line = {.n = c->n_leaves,
                    .moved = moved,
                    .size = 1,
                    .widest = 1,
                    .floor = tg_checker_floor(c, contributions, 1),
                    .own = tg_checker_own(c, contributions, g->by * (double)g->n),
                    .unseen = tg_checker_unseen(c, 1)};
    if (!isfinite(analytic) || !keeps_branches(c, &line))
        return false;
    tg_outcome o = tg_check_line(c, &line, analytic);
    bool wrong = o.verdict == TG_GRAD_WRONG && !o.at_kink;
    if (wrong)
        note_wrong(c, g, analytic, o, r);
    return wrong;
}

/* Of large operations fewer lines, but some. */
static int64_t most_lines(int64_t elements) {
    const int64_t most = 64, least = 4, together = 1 << 17;
    return elements * most <= together ? most : elements * least >= together ? least : together / elements;
}

/* Returns whether they are wrong. */
static bool try_group(tg_checker *c, const tg_moved *moved, const tied *member, int64_t n, bool equal, int64_t *lines,
                      tg_gradcheck_result *r) {
    if (n < 2 || *lines <= 0 || c->t->status)
        return false;
    group g = {member, n, equal, member->x != 0 ? fabs(member->x) : c->leaf[member->leaf].scale};
    --*lines;
    set_direction(moved, &g, true);
    bool wrong = is_group_wrong(c, moved, &g, r);
    set_direction(moved, &g, false);
    return wrong;
}

/* Elements of one size: the negative ones, the others, and where there are both all of them. */
static bool try_size(tg_checker *c, const tg_moved *moved, const tied *member, int64_t n, int64_t *lines,
                     tg_gradcheck_result *r) {
    int64_t negative = 0;
    while (negative < n && member[negative].x < 0)
        negative++;
    return try_group(c, moved, member, negative, true, lines, r) ||
           try_group(c, moved, member + negative, n - negative, true, lines, r) ||
           (negative && negative < n && try_group(c, moved, member, n, false, lines, r));
}

tg_status tg_check_ties(tg_checker *c, tg_gradcheck_result *r) {
    int64_t n;
    const tied *all = c->has_hidden ? NULL : sorted_elements(c, &n);
    const tg_moved *moved = all ? tg_all_leaves(c) : NULL;
    if (!moved)
        return c->t->status;
    int64_t lines = most_lines(n);
    tg_move_all_leaves(c);
    bool wrong = false;
    for (int64_t i = 0, end; i < n && lines > 0 && !wrong && !c->t->status; i = end) {
        for (end = i + 1; end < n && fabs(all[end].x) == fabs(all[i].x);)
            end++;
        wrong = try_size(c, moved, &all[i], end - i, &lines, r);
    }
    tg_checker_restore(c);
    return c->t->status;
}
