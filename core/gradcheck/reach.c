/* What may one element reach? Where the others' numbers are large or many, their rounding says nothing of it.
 *
 * The element is moved far, by its own size and by more than the largest number that there is, to both sides: what is
 * the same in every bit after all four does not depend on it, or where nothing of it could be seen. (x + 1e30 keeps a
 * move by x's own size from sight, but not one by 2e30.) Within an operation that is not elementwise any of its
 * operands' numbers may meet the element, and within one that is, 1 (in 1 + erf x).
 *
 * A custom operation alone may refuse numbers that are far from its own. There the larger numbers come near 1: when
 * what the element reaches then has the same bits as with the large ones, it has nothing of them, and they swallow
 * nothing. */
#include "core/gradcheck/check.h"

/* Numbers to copy; beyond that the element is taken to reach everything. */
enum { MOST = 100000 };

static size_t bytes_of(const tg_side *side, const tg_node *n) {
    return (size_t)tg_span(n) * tg_dtype_size(side->t->dtype);
}

static bool holds_numbers(const tg_node *n) { return n->base == n && tg_is_floating(n); }

/* Those that y needs, or those of the cone. */
static size_t count_results(const tg_checker *c, const tg_side *side, bool cone) {
    size_t n = 0;
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *x = side->t->nodes[i];
        n += x->op && holds_numbers(x) && (cone ? c->moves : c->needed)[i] ? (size_t)tg_span(x) : 0;
    }
    return n;
}

/* The results of the cone where the leaves have their own values, which a cone that runs anew has. Memory for any cone.
 */
static bool keep_results(tg_checker *c, tg_side *side) {
    size_t all = count_results(c, side, false), room = all < MOST ? all : MOST;
    if (!side->kept)
        side->kept = tg_checker_memory(c, room, tg_dtype_size(side->t->dtype));
    if (!side->kept || count_results(c, side, true) > room)
        return false;
    tg_checker_run_cone(side);
    char *to = side->kept;
    for (uint32_t i = 0; i < side->n_cone; i++)
        if (holds_numbers(side->cone[i])) {
            memcpy(to, side->cone[i]->data, bytes_of(side, side->cone[i]));
            to += bytes_of(side, side->cone[i]);
        }
    return true;
}

/* The largest of what the element may meet unseen. */
static double hidden_size(const tg_side *side) {
    double most = 1;
    for (uint32_t i = 0; i < side->n_cone; i++) {
        const tg_node *n = side->cone[i];
        bool mixes = !n->op->is_view && n->op->forward[TG_F64] != tg_elementwise_forward_f64;
        for (int k = 0; k < n->n_in && mixes; k++)
            for (int64_t j = 0; n->in[k] && tg_is_floating(n->in[k]) && j < tg_span(n->in[k]->base); j++) {
                double x = fabs((double)tg_side_number(side->t->dtype, n->in[k]->base->data, j));
                most = isfinite(x) ? fmax(most, x) : most;
            }
    }
    return most;
}

/* The largest of the cone's numbers that are others now; y's elements are marked. */
static void note_moved(tg_side *side) {
    const char *kept = side->kept;
    for (uint32_t i = 0; i < side->n_cone; i++) {
        const tg_node *n = side->cone[i];
        for (int64_t j = 0; holds_numbers(n) && j < tg_span(n); j++) {
            long double was = tg_side_number(side->t->dtype, kept, j);
            if (tg_side_difference(side->t->dtype, n->data, kept, j) != 0 && isfinite((double)was))
                side->within = fmax(side->within, fabs((double)was));
        }
        kept += holds_numbers(n) ? bytes_of(side, n) : 0;
    }
    for (int64_t j = side->begin; j < side->end; j++)
        side->reached[j] |= tg_side_difference(side->t->dtype, side->now, side->base, j) != 0;
}

/* ---- a custom operation alone ---- */

/* Numbers larger than this come near 1, but not what moves; 0: all are as they were. */
static void bring_near(const tg_checker *c, tg_side *side, const tg_line *line, double larger) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *own = c->t->nodes[i];
        double *x = side->t->nodes[i]->data;
        for (int64_t j = 0; !own->op && c->needed[i] && tg_is_floating(own) && j < own->numel; j++) {
            double is = ((const double *)own->data)[j];
            bool moves = line->x == own && line->at == j;
            x[j] = larger > 0 && fabs(is) > larger && !moves ? tg_near_one(is) : is;
        }
    }
}

/* Marks what the element reaches; false where larger numbers have a part in that. */
static bool is_beside_larger(tg_checker *c, tg_side *side, const tg_line *line, double larger) {
    const double *now = side->now, *base = side->base;
    bool same = true;
    memset(side->reached, 0, (size_t)side->y->numel * sizeof(bool));
    bring_near(c, side, line, larger);
    (void)tg_evaluate(c, side, line, 0);
    memcpy(c->low, now, (size_t)side->y->numel * sizeof *now);
    for (int sign = -1; sign <= 1; sign += 2) {
        (void)tg_evaluate(c, side, line, sign * line->size);
        for (int64_t j = 0; j < side->y->numel; j++)
            side->reached[j] |= memcmp(&now[j], &c->low[j], sizeof *now) != 0;
    }
    bring_near(c, side, line, 0);
    for (int64_t j = 0; j < side->y->numel; j++)
        same &= !side->reached[j] || memcmp(&c->low[j], &base[j], sizeof *now) == 0;
    same &= !side->t->status;
    tg_clear_error(side->t); /* it may refuse these numbers */
    return same;
}

static void find_reach_of_custom(tg_checker *c, tg_side *side, const tg_line *line) {
    double larger = 1024 * fmax(1, line->size);
    bool alone = c->alone && c->only_custom && line->size > 0;
    while (alone && larger < side->largest && !is_beside_larger(c, side, line, larger))
        larger *= 1024;
    if (!alone || larger >= side->largest)
        return;
    side->within = larger;
    for (int64_t j = 0; j < side->y->numel; j++)
        side->within = fmax(side->within, side->reached[j] ? fabs(c->at_base[j]) : 0);
    side->reaches = line->x;
    side->reaches_at = line->at;
}

void tg_find_reach(tg_checker *c, tg_side *side, const tg_line *line) {
    side->reaches = NULL;
    side->within = side->largest;
    if (!side->reached)
        side->reached = tg_checker_memory(c, (size_t)side->y->numel, sizeof(bool));
    if (!line->x || !side->reached)
        return;
    if (c->has_custom) {
        find_reach_of_custom(c, side, line);
        return;
    }
    if (!keep_results(c, side))
        return;
    double far[] = {line->size, 2 * side->largest + 1};
    side->within = fmax(line->size, hidden_size(side));
    memset(side->reached, 0, (size_t)side->y->numel * sizeof(bool));
    for (int k = 0; k < 4; k++) {
        (void)tg_evaluate(c, side, line, k % 2 ? far[k / 2] : -far[k / 2]);
        note_moved(side);
    }
    side->reaches = line->x;
    side->reaches_at = line->at;
}
