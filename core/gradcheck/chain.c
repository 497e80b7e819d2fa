/* A second opinion: the chain rule, without a VJP.
 *
 * Where y's own differences cannot tell (numbers that cancel swallow what moves, a custom operation has double only),
 * those of each operation alone often can. Here they are taken at the values that the operation was run with, and
 * multiplied through from y to the leaves as backward would:
 *     dx[k] += sum_j J[j][k] dy[j]
 * Every number has a bar, what differences and rounding in float64 leave open, and at kinks half the distance of the
 * two sides as well, which is infinite where an operation jumps or has an infinite slope. It is never a reason to call
 * a gradient wrong, but may speak against an excuse. */
#include "core/gradcheck/check.h"

#include <float.h>

/* The most numbers to compute, once for every column of every Jacobian. */
static const double most_work = 8e6;

/* Of the elements of a tensor that owns its data. */
struct tg_chained {
    double *value, *bar, *kink;
};

/* One column of a Jacobian: dy[j]/dx for every j. */
typedef struct tg_chain_column {
    int64_t begin, end;         /* of y's elements, those that may depend on x */
    double *value, *bar, *kink; /* the result */
    double *now, *last, *left, *left_bar;
    bool *moved;
    double noise; /* of y's elements, relative */
} column;

static bool open_numbers(tg_checker *c, int64_t n, tg_chained *out) {
    out->value = tg_checker_memory(c, (size_t)n, sizeof(double));
    out->bar = tg_checker_memory(c, (size_t)n, sizeof(double));
    out->kink = tg_checker_memory(c, (size_t)n, sizeof(double));
    return out->value && out->bar && out->kink;
}

static bool open_column(tg_checker *c, column *j) {
    double **all[] = {&j->value, &j->bar, &j->kink, &j->now, &j->last, &j->left, &j->left_bar};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = tg_checker_memory(c, (size_t)c->y->numel, sizeof(double))))
            return false;
    return (j->moved = tg_checker_memory(c, (size_t)c->y->numel, sizeof(bool))) != NULL;
}

/* ---- one column, by differences of one operation ---- */

static double noise_of(const tg_checker *c) { return c->has_custom ? fmax(c->noisy, DBL_EPSILON) / 8 : 0x1p-63; }

/* Of y where leaves have moved: what is infinite and stays so has not. */
static long double moved_by(const tg_side *side, int64_t i) {
    return tg_side_difference(side->t->dtype, side->now, side->base, i);
}

static double size_at(const tg_side *side, int64_t i) {
    return fabs((double)tg_side_number(side->t->dtype, side->base, i));
}

static void clear(const column *j, double *x) { memset(x + j->begin, 0, (size_t)(j->end - j->begin) * sizeof *x); }

static void copy(const column *j, double *to, const double *from) {
    memcpy(to + j->begin, from + j->begin, (size_t)(j->end - j->begin) * sizeof *to);
}

/* Differences at the places `place` h, with these weights, into j->now; false when a point is not finite, or takes
 * other branches than the first (from_first) or than x itself. */
static bool differ(tg_checker *c, tg_side *side, const tg_line *line, double h, const int *place, const int *weight,
                   bool from_first, column *j) {
    bool good = true;
    uint64_t branches = side->branches;
    clear(j, j->now);
    for (int k = 0; k < 6 && good; k++) {
        tg_point p = tg_evaluate(c, side, line, place[k] * h);
        if (k == 0 && from_first)
            branches = p.branches;
        good = p.finite && p.branches == branches;
        for (int64_t i = j->begin; i < j->end; i++) {
            long double by = moved_by(side, i);
            j->moved[i] |= by != 0;
            if (by != 0)
                j->now[i] += (double)(weight[k] * by / (60 * (long double)h));
        }
    }
    for (int64_t i = j->begin; i < j->end; i++)
        good &= isfinite(j->now[i]);
    return good;
}

static double rounding_of(const tg_side *side, int sign, double h, const column *j, int64_t i) {
    return (sign ? 16 : 2) * j->noise * size_at(side, i) / h;
}

/* One step more: an element's value is that of the step which is nearest to what the step before it said. Returns
 * whether the step could be used. */
static bool take_step(tg_checker *c, tg_side *side, const tg_line *line, int sign, double h, bool first, column *j) {
    static const int both[] = {-3, -2, -1, 1, 2, 3}, both_weight[] = {-1, 9, -45, 45, -9, 1};
    static const int one[] = {1, 2, 3, 4, 5, 6}, one_weight[] = {360, -450, 400, -225, 72, -10};
    bool good = sign ? differ(c, side, line, sign * h, one, one_weight, true, j)
                     : differ(c, side, line, h, both, both_weight, false, j);
    if (!good)
        return false;
    for (int64_t i = j->begin; i < j->end; i++) {
        double bar = fabs(j->now[i] - j->last[i]) + rounding_of(side, sign, h, j, i);
        if (!first && j->moved[i] && bar < j->bar[i]) {
            j->bar[i] = bar;
            j->value[i] = j->now[i];
        }
    }
    copy(j, j->last, j->now);
    return true;
}

/* Is every element sharp, or so sharp that rounding alone is more where the next step is narrower? */
static bool is_done(const tg_side *side, const tg_line *line, int sign, int next, const column *j) {
    bool done = true;
    for (int64_t i = j->begin; i < j->end && done; i++)
        done = !j->moved[i] || j->bar[i] <= 1e-12 * fabs(j->value[i]) ||
               j->bar[i] <= rounding_of(side, sign, tg_step(line, next), j, i);
    return done;
}

/* Steps `by` halvings apart, until there is no more to learn; how many could be used. Every second is no power of two:
 * what is periodic may be the same for all that are. */
static int take_steps(tg_checker *c, tg_side *side, const tg_line *line, int sign, int from, int to, int by,
                      column *j) {
    int used = 0;
    for (int halvings = from; by > 0 ? halvings <= to : halvings >= to; halvings += by) {
        double h = tg_step(line, halvings) * (halvings / by % 2 ? 766623 * 0x1p-20 : 1);
        if (!take_step(c, side, line, sign, h, !used, j))
            continue;
        if (++used > 1 && is_done(side, line, sign, halvings + by, j))
            break;
    }
    return used;
}

/* sign: to one side only; 0: both. What no step moves does not depend on x. */
static bool take_best(tg_checker *c, tg_side *side, const tg_line *line, int sign, column *j) {
    bool blurred = false;
    for (int64_t i = j->begin; i < j->end; i++) {
        j->value[i] = 0;
        j->bar[i] = INFINITY;
        j->moved[i] = false;
    }
    if (take_steps(c, side, line, sign, 2, 30, 4, j) < 2)
        return false;
    (void)tg_evaluate(c, side, line, (sign ? sign : 1) * 8 * line->widest);
    for (int64_t i = j->begin; i < j->end; i++) {
        bool moves = moved_by(side, i) != 0;
        blurred |= j->moved[i] ? j->bar[i] > 1e-9 * fabs(j->value[i]) : moves;
        j->moved[i] |= moves;
    }
    double reach = fmax(line->widest, side->largest), size = line->size > 0 ? line->size : line->widest;
    if (blurred && reach > size)
        take_steps(c, side, line, sign, 2, 2 - (int)fmin(log2(reach / size), 80), -4, j);
    for (int64_t i = j->begin; i < j->end; i++)
        if (!j->moved[i])
            j->bar[i] = 0;
        else if (j->bar[i] == INFINITY) /* it moves by less than can be seen, or beyond a kink */
            j->bar[i] = j->noise * size_at(side, i) / tg_step(line, 2);
    return true;
}

/* Both sides: value between them, half of their distance as the kink. */
static bool take_sides(tg_checker *c, tg_side *side, const tg_line *line, column *j) {
    if (!take_best(c, side, line, -1, j))
        return false;
    copy(j, j->left, j->value);
    copy(j, j->left_bar, j->bar);
    if (!take_best(c, side, line, 1, j))
        return false;
    for (int64_t i = j->begin; i < j->end; i++) {
        double apart = fabs(j->left[i] - j->value[i]);
        j->bar[i] = fmax(j->bar[i], j->left_bar[i]);
        j->kink[i] = apart > 2 * j->bar[i] ? apart / 2 : 0;
        j->value[i] = (j->left[i] + j->value[i]) / 2;
    }
    return true;
}

static bool bent(const column *j) {
    for (int64_t i = j->begin; i < j->end; i++)
        if (j->kink[i] > 0)
            return true;
    return false;
}

/* To both sides at once where that is smooth. Of operations that do not say their branches the two sides have to be
 * the same for that. */
static bool take_column(tg_checker *c, const tg_line *line, column *j) {
    tg_side *side = tg_checker_fine(c);
    if (!side)
        return false;
    (void)tg_evaluate(c, side, line, 0);
    j->begin = side->begin;
    j->end = side->end;
    if (c->has_hidden && !take_sides(c, side, line, j))
        return false;
    if (c->has_hidden && bent(j))
        return true;
    clear(j, j->kink);
    return take_best(c, side, line, 0, j) || take_sides(c, side, line, j);
}

/* ---- through one operation ---- */

static ptrdiff_t place_in_base(const tg_node *x, int64_t k) {
    ptrdiff_t offset = (double *)x->data - (double *)x->base->data;
    for (int i = x->ndim - 1; i >= 0; i--) {
        offset += k % x->size[i] * x->stride[i];
        k /= x->size[i];
    }
    return offset;
}

/* Add the column times dy to element `at` of x's gradient. */
static void add_column(const column *j, const tg_chained *dy, tg_chained *dx, ptrdiff_t at) {
    for (int64_t i = j->begin; i < j->end; i++) {
        double reach = fabs(dy->value[i]) + dy->kink[i], slope = fabs(j->value[i]);
        if (reach > 0) {
            dx->value[at] += j->value[i] * dy->value[i];
            dx->bar[at] += j->bar[i] * reach + 8 * DBL_EPSILON * slope * reach;
            dx->kink[at] += j->kink[i] * reach;
        }
        if (slope > 0 || j->kink[i] > 0) {
            dx->bar[at] += (slope + j->kink[i]) * dy->bar[i];
            dx->kink[at] += slope * dy->kink[i];
        }
    }
}

static void pass_operand(tg_suspect *s, int operand, column *j, const tg_chained *dy, tg_chained *dx) {
    tg_checker *c = &s->c;
    const tg_node *x = s->x[operand], *original = s->original->in[operand];
    memset(c->moves, 0, (size_t)c->y->index + 1);
    c->moves[x->base->index] = true;
    tg_checker_cone(c);
    for (int64_t k = 0; k < x->numel && !c->t->status; k++) {
        ptrdiff_t at = place_in_base(x, k), to = place_in_base(original, k);
        double value = ((const double *)x->base->data)[at];
        tg_line line = {
            .x = x->base, .at = at, .start = value, .size = fabs(value), .widest = tg_suspect_leaf(s, x)->scale};
        if (isfinite(value) && take_column(c, &line, j))
            add_column(j, dy, dx, to);
        else if (isfinite(value) && c->fine.t && tg_has_infinite_slope(c, &c->fine, &line))
            dx->kink[to] = INFINITY;
        else
            dx->bar[to] = INFINITY;
    }
    tg_checker_restore(c);
}

/* A scope's result lies as what it copies: with gaps, or (expanded) with fewer numbers than elements. */
static int64_t room_of(const tg_node *n) {
    int64_t span = tg_span(n);
    return span > n->numel ? span : n->numel;
}

/* A scope's result is a copy. */
static bool pass_copy(const tg_node *n, const tg_chained *dy, tg_chained *dx) {
    for (int64_t k = 0; k < n->numel; k++) {
        ptrdiff_t at = place_in_base(n, k), to = place_in_base(n->in[0], k);
        dx->value[to] += dy->value[at];
        dx->bar[to] += dy->bar[at];
        dx->kink[to] += dy->kink[at];
    }
    return true;
}

static bool pass_through(tg_checker *c, const tg_node *n) {
    tg_suspect s;
    if (n->op == &tg_op_checkpoint)
        return pass_copy(n, &c->chained[n->index], &c->chained[n->in[0]->base->index]);
    column j = {.noise = 0};
    bool good = tg_suspect_open(&s, n, c->config) && open_column(&s.c, &j);
    if (good && s.c.has_custom)
        good = tg_measure_noise(&s.c) == TG_OK;
    if (good)
        j.noise = noise_of(&s.c);
    for (int k = 0; k < n->n_in && good; k++)
        if (s.x[k] && tg_recorded(n)[k] && tg_is_floating(s.x[k]))
            pass_operand(&s, k, &j, &c->chained[n->index], &c->chained[n->in[k]->base->index]);
    good &= s.c.t && !s.c.t->status;
    tg_suspect_close(&s, c->t);
    return good;
}

/* ---- from y to the leaves ---- */

/* Views are looked through: their elements are those of the tensor that owns them. */
static bool is_computed(const tg_checker *c, const tg_node *n) {
    return c->needed[n->index] && n->op && n->base == n && n->requires_grad && tg_is_floating(n);
}

static bool can_pass(const tg_node *n) { return tg_has_vjp(n) || n->op == &tg_op_checkpoint; }

/* How many numbers a column takes. Callbacks read all that they are given, also where they sum it to one number. */
static double numbers_of(const tg_node *n) {
    int64_t largest = n->numel;
    for (int k = 0; k < n->n_in && tg_is_custom(n); k++)
        largest = n->in[k]->numel > largest ? n->in[k]->numel : largest;
    return (double)n->numel + (double)largest;
}

/* Every gradient that the derivative needs is recorded, and there is little enough to do. */
bool tg_chain_is_possible(const tg_checker *c) {
    double work = 0;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        bool computed = is_computed(c, n);
        if (computed && !can_pass(n))
            return false;
        for (int k = 0; k < n->n_in && c->needed[i] && tg_is_floating(n); k++) {
            const tg_node *x = n->in[k];
            if (x && tg_is_floating(x) && x->base->requires_grad && !tg_recorded(n)[k])
                return false;
            if (x && computed && tg_recorded(n)[k])
                work += (double)x->numel * numbers_of(n);
        }
    }
    return work <= most_work;
}

static bool run(tg_checker *c) {
    c->chained = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *c->chained);
    if (!c->chained || !tg_chain_is_possible(c) || tg_checker_run_forward(c))
        return false;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (c->needed[i] && n->base == n && tg_is_floating(n) && !open_numbers(c, room_of(n), &c->chained[i]))
            return false;
    }
    for (int64_t j = 0; j < c->y->numel; j++)
        c->chained[c->y->base->index].value[place_in_base(c->y, j)] += c->cotangent[j];
    for (uint32_t i = c->y->index + 1; i-- > 0;)
        if (is_computed(c, c->t->nodes[i]) && !pass_through(c, c->t->nodes[i]))
            return false;
    return true;
}

static bool is_known(tg_checker *c) {
    if (!c->chain_asked)
        c->chain_known = run(c);
    c->chain_asked = true;
    return c->chain_known;
}

/* A callback may refuse what is far: then nothing is known. */
static bool is_refused(tg_checker *c) {
    bool refused = c->fine.t && c->fine.t->status && c->fine.t->status != TG_ERR_MEMORY;
    if (refused)
        tg_clear_error(c->fine.t);
    return refused;
}

/* Of an operation alone what one element makes is one column. */
static tg_chained_slope along_element(tg_checker *c, const tg_line *line) {
    tg_chained_slope sum = {.known = false};
    if (!c->column) {
        column *j = tg_checker_memory(c, 1, sizeof *j);
        c->column = j && open_column(c, j) && (c->measured || !tg_measure_noise(c)) ? j : NULL;
    }
    if (!c->column)
        return sum;
    c->column->noise = noise_of(c);
    bool taken = take_column(c, line, c->column);
    if (is_refused(c) || !taken)
        return sum;
    const column *j = c->column;
    for (int64_t i = j->begin; i < j->end; i++) {
        double dy = c->cotangent[i], reach = fabs(dy);
        sum.value += reach > 0 ? j->value[i] * dy : 0;
        sum.bar += reach > 0 ? (j->bar[i] + 8 * DBL_EPSILON * fabs(j->value[i])) * reach : 0;
        sum.kink += reach > 0 ? j->kink[i] * reach : 0;
    }
    sum.known = !c->t->status;
    return sum;
}

tg_chained_slope tg_chain_along(tg_checker *c, const tg_line *line) {
    if (c->alone && line->x)
        return along_element(c, line);
    tg_chained_slope sum = {.known = is_known(c)};
    if (!sum.known)
        return sum;
    if (line->x) {
        const tg_chained *dx = &c->chained[line->x->index];
        return (tg_chained_slope){true, dx->value[line->at], dx->bar[line->at], dx->kink[line->at]};
    }
    for (int i = 0; i < line->n; i++)
        for (int64_t j = 0; j < line->moved[i].x->numel; j++) {
            const tg_chained *dx = &c->chained[line->moved[i].x->index];
            double by = line->moved[i].direction[j];
            sum.value += dx->value[j] * by;
            sum.bar += dx->bar[j] * fabs(by) + 8 * DBL_EPSILON * fabs(dx->value[j] * by);
            sum.kink += dx->kink[j] * fabs(by);
        }
    return sum;
}

/* Is an element's gradient not what the chain rule gives, by far more than any bar? A function that is flat but near
 * the element, where no step looked, has a value of nearly 0. */
static bool contradicts(tg_checker *c, const tg_check_leaf *leaf, int64_t j) {
    const tg_chained *dx = &c->chained[leaf->x->index];
    tg_line line = {.x = leaf->x, .at = j};
    double value = dx->value[j], analytic = leaf->analytic[j], apart = fabs(value - analytic);
    double size = fmax(fabs(value), fabs(analytic)), most = 1e3 * dx->bar[j] + 50 * tg_checker_gradient_noise(c, &line);
    return apart > 1e-3 * size + most && fabs(value) > 0.01 * fabs(analytic);
}

/* No kink on the way, and no element that is small beside others: its own size may not show in theirs. */
static bool is_plain(const tg_checker *c, const tg_check_leaf *leaf, int64_t j) {
    return c->chained[leaf->x->index].kink[j] == 0 && fabs(((const double *)leaf->x->data)[j]) > 1e-3 * leaf->scale;
}

bool tg_chain_contradicts(tg_checker *c) {
    bool plain = is_known(c);
    int64_t n = 0;
    for (int i = 0; i < c->n_leaves && plain; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel && plain; j++) {
            plain = is_plain(c, &c->leaf[i], j);
            n += plain && contradicts(c, &c->leaf[i], j);
        }
    return plain && n > 1;
}

/* ---- the same from the VJPs ---- */

/* What the operation's VJP, alone, makes of dy, added to its operands' gradients. */
static bool repeat_vjp(tg_checker *c, const tg_node *n, double *const *grad, const tg_node **overflow) {
    tg_suspect s;
    for (int64_t j = 0; j < n->numel && n->op == &tg_op_checkpoint; j++)
        grad[n->in[0]->base->index][place_in_base(n->in[0], j)] += grad[n->index][place_in_base(n, j)];
    if (n->op == &tg_op_checkpoint || !tg_has_vjp(n))
        return n->op == &tg_op_checkpoint;
    bool good = tg_suspect_open(&s, n, c->config), infinite = false;
    double largest = 0, slope = 0;
    if (good)
        tg_zero_grads(s.c.t);
    for (int64_t j = 0; j < n->numel; j++)
        largest = fmax(largest, fabs(grad[n->index][j]));
    for (int i = 0; i < s.c.n_leaves && good; i++)
        slope = fmax(slope, s.c.leaf[i].largest);
    good = good && !tg_write_doubles(s.c.v, grad[n->index], n->numel) && !tg_backward_with(tg_handle(s.c.y), s.c.v);
    for (int k = 0; k < n->n_in && good; k++) {
        const tg_node *x = s.x[k], *original = n->in[k];
        for (int64_t i = 0; x && tg_recorded(n)[k] && tg_is_floating(x) && i < x->numel; i++) {
            double *dx = &grad[original->base->index][place_in_base(original, i)];
            *dx += tg_grad_element(x->base, place_in_base(x, i));
            infinite |= !isfinite(*dx);
        }
    }
    if (infinite && !*overflow && isfinite(largest) && largest * slope > 1e290)
        *overflow = n;
    tg_suspect_close(&s, c->t);
    return good;
}

static bool is_repeated(const tg_check_leaf *leaf, const double *grad) {
    for (int64_t j = 0; j < leaf->x->numel; j++)
        if (!(fabs(grad[j] - leaf->analytic[j]) <= 1e-9 * fabs(grad[j]) + 1e-13 * leaf->largest))
            return false;
    return true;
}

bool tg_repeat_vjps(tg_checker *c, const tg_node **overflow) {
    *overflow = NULL;
    double **grad = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *grad);
    if (!grad || tg_checker_run_forward(c))
        return false;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        bool owns = c->needed[i] && n->base == n && tg_is_floating(n);
        if (owns && !(grad[i] = tg_checker_memory(c, (size_t)room_of(n), sizeof(double))))
            return false;
    }
    for (int64_t j = 0; j < c->y->numel; j++)
        grad[c->y->base->index][place_in_base(c->y, j)] += c->cotangent[j];
    for (uint32_t i = c->y->index + 1; i-- > 0;)
        if (is_computed(c, c->t->nodes[i]) && !repeat_vjp(c, c->t->nodes[i], grad, overflow))
            return false;
    for (int i = 0; i < c->n_leaves; i++)
        if (!is_repeated(&c->leaf[i], grad[c->leaf[i].x->index]))
            return false;
    return true;
}
