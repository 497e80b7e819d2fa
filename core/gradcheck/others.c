/* Do the other elements have a say in what one makes of y at a kink?
 *
 * If not, y is there a sum of what it alone makes and what the others make, and its gradient lies between the slopes to
 * both sides. Else several kinks may meet, and nothing bounds a right gradient: the middle of three equal numbers stays
 * when any of them moves, and the gradient of one is 1 nevertheless. */
#include "core/gradcheck/check.h"

#include <float.h>

const tg_moved *tg_all_leaves(tg_checker *c) {
    if (!c->every && !(c->every = tg_open_moved(c)))
        return NULL;
    for (int i = 0; i < c->n_leaves; i++) {
        size_t bytes = (size_t)c->leaf[i].x->numel * sizeof(double);
        memcpy(c->every[i].start, c->leaf[i].x->data, bytes);
        memset(c->every[i].direction, 0, bytes);
    }
    return c->every;
}

/* What an element at a kink makes of y, where the others are as they are and where they have moved. */
typedef struct others {
    tg_checker *c;
    const tg_moved *moved;
    double *own; /* the element's direction */
    double h;
    double *change, *now;
    double size; /* the largest number of y's that were seen */
} others;

/* y's elements, where all have moved. */
static bool take(others *o, double *y) {
    tg_checker *c = o->c;
    tg_line line = {.n = c->n_leaves, .moved = o->moved, .size = 1, .widest = 1};
    bool finite = tg_evaluate(c, &c->plain, &line, o->h).finite;
    memcpy(y, c->plain.now, (size_t)c->y->numel * sizeof *y);
    for (int64_t j = 0; j < c->y->numel; j++)
        o->size = fmax(o->size, isfinite(y[j]) ? fabs(y[j]) : 0);
    return finite;
}

/* By how much y moves when the element does, by h to one side. */
static bool take_change(others *o, double sign, double *change) {
    *o->own = 0;
    if (!take(o, change))
        return false;
    *o->own = sign;
    if (!take(o, o->now))
        return false;
    for (int64_t j = 0; j < o->c->y->numel; j++)
        change[j] = o->now[j] - change[j];
    return true;
}

/* Most of them up, or down, or any part of them: an element is at any place among those that are equal to it. */
static void draw_others(const others *o) {
    tg_checker *c = o->c;
    double up = tg_rng_double(&c->rng);
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++) {
            double by = fabs(tg_checker_random(c));
            o->moved[i].direction[j] = tg_rng_double(&c->rng) < up ? by : -by;
        }
}

static bool is_change_the_same(others *o, const double *alone, double sign) {
    draw_others(o);
    if (!take_change(o, sign, o->change))
        return true;
    bool same = true;
    for (int64_t j = 0; j < o->c->y->numel && same; j++) {
        double apart = fabs(o->change[j] - alone[j]);
        same = !(apart > 1e-9 * fabs(alone[j]) + 64 * DBL_EPSILON * o->size);
    }
    return same;
}

static int64_t count_equal(const tg_checker *c, double x) {
    int64_t n = 0;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            n += ((const double *)c->leaf[i].x->data)[j] == x;
    return n;
}

bool tg_others_have_a_say(tg_checker *c, const tg_check_leaf *leaf, const tg_line *line) {
    enum { MANY = 64 };
    int64_t equal = count_equal(c, line->start), n = c->y->numel;
    if (!c->alone_y && !(c->alone_y = tg_checker_memory(c, 3 * (size_t)n, sizeof(double))))
        return true;
    others o = {.c = c, .h = tg_step(line, 9), .change = c->alone_y + n, .now = c->alone_y + 2 * n};
    bool same = equal <= MANY;
    for (int sign = -1; sign <= 1 && same; sign += 2) {
        if (!(o.moved = tg_all_leaves(c)))
            return true;
        o.own = &o.moved[leaf - c->leaf].direction[line->at];
        same = take_change(&o, sign, c->alone_y);
        for (int64_t k = 0; k < 16 + 8 * equal && same; k++)
            same = is_change_the_same(&o, c->alone_y, sign);
    }
    return !same;
}
