/* Right numbers in wrong places, or missing from some place on. */
#include "core/gradcheck/check.h"

/* Where element k lies when x's dims are stored in another order: order[0] first. */
static int64_t permuted_place(const tg_node *x, const int *order, int64_t k) {
    int64_t at[TG_MAX_DIMS], place = 0;
    for (int i = x->ndim - 1; i >= 0; k /= x->size[i--])
        at[i] = k % x->size[i];
    for (int i = 0; i < x->ndim; i++)
        place = place * x->size[order[i]] + at[order[i]];
    return place;
}

/* Are the right numbers there when dims are stored in this order? */
static bool is_stored_in(const tg_evidence *e, const int *order) {
    bool moved = false, telling = false;
    for (int64_t i = 0; i < e->n; i++) {
        int64_t place = permuted_place(e->x, order, e->at[i]);
        double apart = fabs(e->whole[place] - e->right[i]);
        if (!(apart <= 1e-5 * fmax(e->size[i], fabs(e->right[i]))))
            return false;
        moved |= place != e->at[i];
        telling |= !tg_is_right_at(e, i) && apart <= 1e-3 * fabs(e->wrong[i] - e->right[i]);
    }
    return moved && telling;
}

bool tg_name_transposed(tg_evidence *e, tg_gradcheck_result *r) {
    int n = e->x->ndim, order[TG_MAX_DIMS];
    for (int i = 0; i < n; i++)
        order[i] = i < n - 2 ? i : 2 * n - 3 - i;
    return n > 1 && is_stored_in(e, order) &&
           tg_say(r, TG_MISTAKE_TRANSPOSED,
                  "transposed: the right gradient of shape %s with its last two dims exchanged", tg_node_text(e->x).s);
}

/* Two dims exchanged, or one moved to the front or the back. */
static bool is_permuted(const tg_evidence *e, int from, int to, bool exchange, int *order) {
    int n = e->x->ndim;
    for (int i = 0; i < n; i++)
        order[i] = i;
    if (exchange) {
        order[from] = to;
        order[to] = from;
    } else {
        for (int i = from; i != to; i += from < to ? 1 : -1)
            order[i] = order[i + (from < to ? 1 : -1)];
        order[to] = from;
    }
    return is_stored_in(e, order);
}

bool tg_name_permuted(tg_evidence *e, tg_gradcheck_result *r) {
    int n = e->x->ndim, order[TG_MAX_DIMS];
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            if (from == to)
                continue;
            bool exchange = is_permuted(e, from, to, true, order);
            if (!exchange && !is_permuted(e, from, to, false, order))
                continue;
            return tg_say(r, TG_MISTAKE_PERMUTED,
                          "dims in another order: the right gradient of shape %s with dim %d %s %d%s",
                          tg_node_text(e->x).s, from, exchange ? "exchanged with dim" : "moved to place", to,
                          exchange && n == 4 && from == 1 && to == 2 ? " (heads are not moved back?)" : "");
        }
    return false;
}

/* Right up to some element, and nothing from there on: at several elements, or at the last of those that y depends on;
 * three of them in all, of which one is right. */
bool tg_name_tail(tg_evidence *e, tg_gradcheck_result *r) {
    int64_t end = e->n, good = 0, lost = 0, begin = -1, behind = 0;
    while (end && e->wrong[end - 1] == 0)
        end--;
    for (int64_t i = 0; i < end; i++) {
        if (!tg_is_right_at(e, i))
            return false;
        good += e->wrong[i] != 0;
    }
    for (int64_t i = end; i < e->n; i++) {
        bool wrong = !tg_is_right_at(e, i);
        begin = wrong && !lost ? i : begin;
        lost += wrong;
        behind += lost && !wrong && !e->dead[i];
    }
    if (!good || !lost || good + lost < 3 || (lost == 1 && behind))
        return false;
    int64_t columns = e->x->ndim ? e->x->size[e->x->ndim - 1] : 1;
    return tg_say(r, TG_MISTAKE_TAIL, "not computed to the end: right up to element %lld%s, and 0 from %lld on",
                  (long long)e->at[end - 1], e->at[end - 1] % columns == columns - 1 ? ", a whole row" : "",
                  (long long)e->at[begin]);
}
