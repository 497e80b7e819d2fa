/* Has one operation a derivative where its leaves are?
 *
 * Custom operations do not say where their kinks are, and at one a gradient may be right that no difference shows.
 * Where there is a derivative, that is no excuse: along random directions the slopes to both sides are the same, and
 * what the elements' make. (The median of three equal numbers moves with none of them alone, and has the same slope to
 * both sides along every line, but not the sum of the elements'.) */
#include "core/gradcheck/check.h"

enum { WIDE = 17, NARROW = 35, DIRECTIONS = 3, MOST = 2048 };

typedef struct smooth {
    tg_checker *c;
    int halvings;
    double **slope; /* by leaf: of every element */
    tg_moved *moved;
    double change; /* by how much a move by its own size changes y, of all elements */
} smooth;

static double unit_of(const tg_check_leaf *leaf, int64_t j) {
    double own = fabs(((const double *)leaf->x->data)[j]);
    return own > 0 ? own : leaf->scale;
}

/* To one side, without curvature. */
static double slope_to(tg_checker *c, const tg_line *line, double h) {
    tg_point near = tg_evaluate(c, &c->plain, line, h), far = tg_evaluate(c, &c->plain, line, 2 * h);
    return near.finite && far.finite ? (double)((4 * near.f - far.f) / (2 * (long double)h)) : NAN;
}

/* The mean of both sides; *apart: how far they are from each other. */
static double slope_of(const smooth *s, const tg_line *line, double *apart) {
    double h = tg_step(line, s->halvings), left = slope_to(s->c, line, -h), right = slope_to(s->c, line, h);
    *apart = isfinite(left - right) ? fabs(left - right) : INFINITY;
    return (left + right) / 2;
}

static bool open_smooth(smooth *s, tg_checker *c) {
    int64_t total = 0;
    *s = (smooth){
        .c = c, .slope = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *s->slope), .moved = tg_open_moved(c)};
    for (int i = 0; i < c->n_leaves && s->slope && s->moved; i++) {
        int64_t n = c->leaf[i].x->numel;
        if (!(s->slope[i] = tg_checker_memory(c, (size_t)n, sizeof(double))))
            return false;
        total += n;
    }
    return s->slope && s->moved && total <= MOST;
}

static void take_slopes(smooth *s) {
    tg_checker *c = s->c;
    s->change = 0;
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_check_leaf *leaf = &c->leaf[i];
        tg_move_leaf(c, leaf);
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double unit = unit_of(leaf, j), apart;
            tg_line line = {.x = leaf->x, .at = j, .start = s->moved[i].start[j], .size = unit, .widest = unit};
            s->slope[i][j] = slope_of(s, &line, &apart);
            tg_point far = tg_evaluate(c, &c->plain, &line, tg_step(&line, 0));
            s->change += far.finite ? fabs((double)far.f) : 0;
        }
        tg_checker_restore(c);
    }
}

/* By how much a move by its own size makes the least of the wrong elements differ; one that is not finite: by as much
 * as y moves at all. */
static double least_difference(const smooth *s, const tg_gradcheck_result *r) {
    double least = INFINITY;
    for (int i = 0; i < r->n_rows; i++)
        for (int k = 0; k < s->c->n_leaves && r->row[i].verdict == TG_GRAD_WRONG; k++) {
            const tg_check_leaf *leaf = &s->c->leaf[k];
            int64_t j = r->row[i].element;
            if (leaf->x->index != r->row[i].tensor)
                continue;
            double by = j < 0 ? 0 : fabs(leaf->analytic[j] - s->slope[k][j]) * unit_of(leaf, j);
            least = fmin(least, isfinite(by) ? by : isfinite(s->slope[k][j]) ? s->change : 0);
        }
    return isfinite(least) ? least : 0;
}

static bool direction_is_smooth(smooth *s, double most) {
    tg_checker *c = s->c;
    double sum = 0, apart;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++) {
            double by = unit_of(&c->leaf[i], j) * tg_checker_random(c);
            s->moved[i].direction[j] = isfinite(by) ? by : 0;
            sum += s->slope[i][j] * s->moved[i].direction[j];
        }
    tg_line line = {.n = c->n_leaves, .moved = s->moved, .size = 1, .widest = 1};
    double slope = slope_of(s, &line, &apart);
    return apart <= most && fabs(slope - sum) <= most;
}

static bool is_smooth_at(smooth *s, const tg_gradcheck_result *r) {
    tg_checker *c = s->c;
    take_slopes(s);
    double most = 0.01 * least_difference(s, r);
    bool good = most > 0;
    tg_move_all_leaves(c);
    for (int k = 0; k < DIRECTIONS && good; k++)
        good = direction_is_smooth(s, most);
    tg_checker_restore(c);
    return good && !c->t->status;
}

/* Far from 0 an operation may vary by less than the wide step; narrower ones do not move what computes in float. */
bool tg_is_smooth(tg_checker *c, const tg_gradcheck_result *r) {
    smooth s;
    if (!open_smooth(&s, c))
        return false;
    bool good = false;
    for (s.halvings = WIDE; s.halvings <= (c->coarse > TG_COARSE ? WIDE : NARROW) && !good; s.halvings += 9)
        good = is_smooth_at(&s, r);
    return good;
}
