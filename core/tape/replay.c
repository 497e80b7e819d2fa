/* Replay: a recorded tape runs again, in place, after its leaves changed. */
#include "core/engine.h"

static tg_status run_in_place(tg_tape *t, tg_node *y) {
    if (y->parked && tg_checkpoint_reach(y))
        return t->status;
    tg_status bad = tg_run_forward(y);
    if (y->parked || y->op->kind == TG_OP_SCOPE_END)
        tg_checkpoint_pass(y);
    return bad;
}

tg_status tg_run_again(tg_tape *t, uint32_t from) {
    uint32_t end = t->count;
    if (t->adapters && tg_check_adapters(t, from)) /* before anything is computed */
        return t->status;
    if (from <= t->unfinished) /* nodes that custom forwards record meanwhile are not replayed */
        t->unfinished = UINT32_MAX;
    for (uint32_t i = from; i < end; i++) {
        if (!t->nodes[i]->op || !run_in_place(t, t->nodes[i]))
            continue;
        if (i < t->unfinished)
            t->unfinished = i;
        return t->status;
    }
    return TG_OK;
}

bool tg_is_finished(const char *name, const tg_node *y) {
    tg_tape *t = y->tape;
    if (y->index < t->unfinished)
        return true;
    const tg_node *failed = t->nodes[t->unfinished];
    tg_fail(t, TG_ERR_STATE,
            "%s: tg_replay failed at %s (tensor %u), and tensor %u %s was made there or later: replay again, without "
            "an error, or rewind",
            name, failed->op->name, failed->index, y->index, tg_node_text(y).s);
    return false;
}

tg_status tg_replay(tg_tape *t, tg_mark from) {
    if (!t)
        return TG_ERR_ARGUMENT;
    if (!tg_outside_backward(t, "replay"))
        return t->status;
    tg_status bad = tg_check_mark(t, &from, "replay");
    if (bad)
        return bad;
    if (t->status || !tg_outside_scope(t, "replay"))
        return t->status;
    bad = tg_run_again(t, from.nodes);
    if (t->checkpoint.marker)
        tg_checkpoint_leave(t);
    return bad;
}
