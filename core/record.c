/* Running an operation's forward kernel, and putting its result on the tape. */
#include "core/engine.h"

/* An input that gets no gradient though its operation has one is read for its shape and constants (see adjoint.c). */
static bool has_hollow_input(const tg_node *y) {
    bool all = y->op->no_gradient || y->tape->no_grad, hollow = false;
    for (int i = 0; i < y->n_in; i++)
        hollow |= y->in[i] && y->in[i]->hollow && (all || tg_recorded(y)[i]);
    return hollow;
}

/* A result that anomaly mode refuses is another one than before as well. */
static tg_status run_watched(tg_node *y, tg_kernel *kernel) {
    tg_tape *t = y->tape;
    y->hollow = t->keep_hollow && has_hollow_input(y);
    if (y->hollow)
        return TG_OK;
    if (t->profile ? tg_profile_kernel(y, kernel, false) : kernel && kernel(y))
        return t->status;
    y->run_at = y->modified_at = ++t->clock;
    return t->anomaly ? tg_check_forward(y) : TG_OK;
}

static inline tg_status run_forward(tg_tape *t, tg_node *y) {
    tg_kernel *kernel = y->op->forward[t->dtype];
    if (t->watched ? run_watched(y, kernel) : kernel && kernel(y))
        return tg_say_where(y, y->op->name);
    y->run_at = y->modified_at = ++t->clock;
    return TG_OK;
}

tg_status tg_run_forward(tg_node *y) { return run_forward(y->tape, y); }

tg_status tg_run_again(tg_tape *t, uint32_t from) {
    if (from <= t->unfinished) /* what forwards make, and differentiate, meanwhile is no part of it */
        t->unfinished = UINT32_MAX;
    for (uint32_t i = from; i < t->count; i++) {
        if (!t->nodes[i]->op || !run_forward(t, t->nodes[i]))
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

tg_tensor tg_record(tg_node *y) {
    y->index = y->tape->count; /* for messages */
    if (run_forward(y->tape, y) || !tg_put_on_tape(y))
        return TG_NULL;
    return tg_handle(y);
}

tg_tensor tg_record_view(tg_node *y) {
    tg_shape shape = tg_shape_from(y);
    y->numel = tg_shape_numel(&shape);
    if (y->numel < 0)
        return tg_fail_null(y->tape, TG_ERR_MEMORY, "%s: a tensor of shape %s has too many elements", y->op->name,
                            tg_shape_text(&shape).s);
    y->contiguous = tg_is_dense(y, y->stride);
    return tg_record(y);
}
