/* The float64 side of an operation alone, and how far its numbers move when what the kernels read moves by rounding. */
#include "core/gradcheck/float32_pair.h"

tg_status tg_pair_forward(tg_node *y) { return y->op->is_view ? TG_OK : tg_run_forward(y); }

void tg_pair_gradients(tg_pair *p, int side, double *(*where)(tg_both *b)) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!tg_pair_wants(p, k))
            continue;
        const tg_node *leaf = tg_pair_leaf(p, side, k);
        double *out = where(&p->gradient[k]);
        for (int64_t j = 0; j < leaf->numel; j++)
            out[j] = leaf->has_grad ? tg_number((tg_dtype)leaf->dtype, leaf->grad, j) : 0;
    }
}

tg_status tg_pair_backward(tg_pair *p, int side) {
    if (!p->differentiable)
        return TG_OK;
    tg_zero_grads(p->y[side]->tape);
    return tg_backward_with(tg_handle(p->y[side]), p->dy[side]);
}

/* ---- the condition ---- */

/* What moves beside the operands, which have the numbers from 1. */
enum { RESULT = UINT8_MAX + 1, SAVED, GRADIENT };

/* Half of the runs keep equal numbers equal. */
static bool is_apart(const tg_pair *p, int run) { return run % (p->runs + 1) > p->runs / 2; }

static void move_operands(tg_pair *p, int run) {
    for (int k = 0; k < p->original->n_in; k++)
        if (p->own[k])
            tg_f32_move(tg_span(tg_pair_leaf(p, 1, k)), tg_pair_leaf(p, 1, k)->data, p->own[k], run,
                        is_apart(p, run) ? (uint64_t)k + 1 : 0);
}

static void scale(int64_t n, double *x, double by) {
    for (int64_t j = 0; j < n; j++)
        x[j] *= by;
}

/* Backward after the result, and what is saved, became so many times as large; *apart: how far that takes an element of
 * a gradient. */
static bool run_beside(tg_pair *p, double by, double *const *apart) {
    tg_node *y = p->y[1];
    if (tg_pair_forward(y))
        return false;
    scale(y->numel, y->data, by);
    scale(y->n_saved, y->saved, by);
    if (tg_pair_backward(p, 1))
        return false;
    tg_pair_gradients(p, 1, tg_f32_single);
    for (int k = 0; k < p->original->n_in; k++)
        for (int64_t j = 0; j < p->gradient[k].n; j++)
            apart[k][j] = fabs(p->gradient[k].single[j] - p->gradient[k].twin[j]);
    return true;
}

/* Does a custom operation's gradient jump when its result is beside what forward made, as that of a VJP that asks where
 * x == y? It changes by as much then for 2^-46 as for 2^-40, and by more than either makes of numbers. */
static bool compares_result(tg_pair *p) {
    static const double beside[] = {1 + 0x1p-46, 1 + 0x1p-40};
    double *apart[2][UINT8_MAX] = {{0}};
    bool ok = tg_is_custom(p->original) && p->differentiable, jumps = false;
    for (int i = 0; i < 2 && ok; i++) {
        for (int k = 0; k < p->original->n_in && ok; k++)
            ok = !tg_pair_wants(p, k) || (apart[i][k] = tg_f32_numbers(p->y[1]->tape, p->gradient[k].n));
        ok = ok && run_beside(p, beside[i], apart[i]);
    }
    for (int k = 0; k < p->original->n_in && ok; k++)
        for (int64_t j = 0; j < p->gradient[k].n; j++)
            jumps |= apart[0][k][j] > apart[1][k][j] / 4 && apart[0][k][j] > 0x1p-20 * fabs(p->gradient[k].twin[j]);
    if (!ok && p->y[1]->tape->status != TG_ERR_MEMORY)
        tg_clear_error(p->y[1]->tape);
    return jumps;
}

/* Everything that the kernels read moves, for the gradient independent of what
 * moved for the result: a mean that is rounded twice is two means. What
 * decisions are made by (the maximum itself) stays as forward saw it. */
static tg_status run_moved(tg_pair *p, int run, uint64_t branches) {
    tg_node *y = p->y[1];
    bool compares = y->op->branches[TG_F64] || p->compares;
    move_operands(p, run);
    if (tg_pair_forward(y))
        return y->tape->status;
    if (tg_f32_branches(y) != branches)
        return TG_OK;
    p->measured++;
    double *now = p->result.single; /* free until float32 has run */
    tg_copy_out(y, y->data, y->stride, now);
    for (int64_t j = 0; j < y->numel; j++)
        tg_f32_note_move(&p->result, j, now[j]);
    if (!compares)
        move_operands(p, run + p->runs + 1);
    if (!compares && y->base == y)
        tg_f32_move(y->numel, y->data, y->data, run, RESULT);
    if (!compares && y->saved)
        tg_f32_move(y->n_saved, y->saved, y->saved, run, SAVED);
    double *dy = y->tape->nodes[p->dy[1].index]->data;
    tg_f32_move(y->numel, dy, p->own_dy, run, GRADIENT);
    if (tg_pair_backward(p, 1))
        return y->tape->status;
    tg_pair_gradients(p, 1, tg_f32_single);
    for (int k = 0; k < p->original->n_in; k++)
        for (int64_t j = 0; j < p->gradient[k].n; j++)
            tg_f32_note_move(&p->gradient[k], j, p->gradient[k].single[j]);
    return TG_OK;
}

/* How many elements of a custom operation's result change with one of operand
 * k: as many terms meet in an element of its gradient. A few elements are
 * tried, at numbers that the callback may refuse. */
static void count_dependents(tg_pair *p, int k) {
    enum { TRIED = 8 };
    tg_node *y = p->y[1], *leaf = tg_pair_leaf(p, 1, k);
    double *x = leaf->data, most = 1;
    for (int64_t i = 0; i < TRIED && leaf->numel; i++) {
        int64_t at = (2 * i + 1) * leaf->numel / (2 * TRIED), changed = 0;
        x[at] = p->own[k][at] != 0 ? p->own[k][at] * 1.25 : 1;
        bool refused = tg_pair_forward(y);
        if (refused)
            tg_clear_error(y->tape);
        for (int64_t j = 0; j < y->numel && !refused; j++)
            changed += ((double *)y->data)[j] != p->result.twin[j];
        most = fmax(most, (double)changed);
        x[at] = p->own[k][at];
    }
    p->gradient[k].terms = most;
    p->result.terms = fmax(p->result.terms, most * tg_f32_ratio(leaf->numel, y->numel));
}

/* Where no operand is an index: what repeated indices add to cannot be seen by
 * trying a few elements. */
static void count_terms(tg_pair *p) {
    const tg_node *y = p->y[1];
    for (int k = 0; k < y->n_in; k++)
        if (!tg_is_custom(y) || !tg_is_floating(y->in[k]))
            return;
    p->result.terms = 1;
    for (int k = 0; k < y->n_in; k++)
        count_dependents(p, k);
}

/* All operands along a line: the first half of the lines goes up, the other down, by steps from 2^-16 of a number. */
static void step_operands(tg_pair *p, int line, int step) {
    const int half = TG_F32_LINES / 2;
    double by = ldexp(line < half ? 1 : -1, -16 - 2 * (line % half)) * (step + 1);
    for (int k = 0; k < p->original->n_in; k++)
        for (int64_t j = 0; p->own[k] && j < tg_span(tg_pair_leaf(p, 1, k)); j++)
            ((double *)tg_pair_leaf(p, 1, k)->data)[j] = p->own[k][j] * (1 + by * (double)(8 + j % 7) / 8);
}

/* What a custom operation's float64 callbacks lose inside, in units of float64: N. */
static tg_status run_lines(tg_pair *p) {
    tg_node *y = p->y[1];
    tg_tape *t = y->tape;
    for (int i = 0; i < TG_F32_LINES * TG_F32_STEPS; i++) {
        step_operands(p, i / TG_F32_STEPS, i % TG_F32_STEPS);
        if (tg_pair_forward(y) || tg_pair_backward(p, 1))
            return t->status;
        tg_copy_out(y, y->data, y->stride, p->result.single);
        tg_pair_gradients(p, 1, tg_f32_single);
        for (int k = -1; k < y->n_in; k++)
            if ((k < 0 || tg_pair_wants(p, k)) &&
                !tg_f32_note_step(k < 0 ? &p->result : &p->gradient[k], t, i / TG_F32_STEPS, i % TG_F32_STEPS))
                return t->status;
    }
    tg_f32_note_noise(&p->result);
    for (int k = 0; k < y->n_in; k++)
        tg_f32_note_noise(&p->gradient[k]);
    return TG_OK;
}

tg_status tg_pair_twin(tg_pair *p) {
    tg_node *y = p->y[1];
    if (tg_pair_forward(y))
        return y->tape->status;
    tg_copy_out(y, y->data, y->stride, p->result.twin);
    count_terms(p);
    if (tg_pair_forward(y))
        return y->tape->status;
    for (int64_t j = 0; j < y->numel; j++) /* what is infinite has no derivative */
        if (!isfinite(p->result.twin[j]))
            p->own_dy[j] = ((double *)y->tape->nodes[p->dy[1].index]->data)[j] = 0;
    if (tg_pair_backward(p, 1))
        return y->tape->status;
    tg_pair_gradients(p, 1, tg_f32_twin);
    uint64_t branches = tg_f32_branches(y);
    if (p->runs >= TG_F32_CAREFUL && tg_is_custom(y) && run_lines(p)) {
        if (y->tape->status == TG_ERR_MEMORY)
            return TG_ERR_MEMORY;
        tg_clear_error(y->tape); /* a callback may refuse these operands */
    }
    p->compares = compares_result(p);
    for (int run = 1; run <= p->runs; run++)
        if (run_moved(p, run, branches))
            return y->tape->status;
    return TG_OK;
}
