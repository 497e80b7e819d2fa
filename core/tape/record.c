/* Running an operation's forward kernel, and putting its result on the tape. */
#include "core/engine.h"

/* ---- results that a jvp defers ---- */

void tg_leave_hollow(tg_node *y) {
    tg_tape *t = y->tape;
    y->hollow = true;
    t->hollow.from = y->index < t->hollow.from ? y->index : t->hollow.from;
    tg_update_watched(t);
}

/* A hollow leaf's elements are missing only while a jvp keeps tensors hollow. */
static bool is_missing(const tg_node *x) { return x->hollow && (x->op || x->tape->hollow.keep); }

static bool reads_hollow(const tg_node *y) {
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && is_missing(y->in[i]) && (y->op->reads_no != i + 1 || y->in[i]->n_saved))
            return true;
    return false;
}

static bool was_modified(const tg_node *x, const tg_node *since) { return x->base->modified_at > since->run_at; }

/* Computes y as of the time when it was recorded. */
static tg_status compute(tg_node *y) {
    uint64_t recorded_at = y->modified_at;
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && was_modified(y->in[i], y))
            return tg_fail(y->tape, TG_ERR_STATE,
                           "%s: tensor %u %s, whose computation tg_jvp deferred, reads tensor %u %s, which was "
                           "modified afterwards",
                           y->op->name, y->index, tg_node_text(y).s, y->in[i]->index, tg_node_text(y->in[i]).s);
    tg_status bad = y->op ? tg_run_forward(y) : TG_OK;
    y->hollow = bad;
    y->run_at = y->modified_at = recorded_at;
    return bad;
}

tg_status tg_compute_hollow(tg_tape *t) {
    bool keep = t->hollow.keep;
    if (t->hollow.computing)
        return tg_fail(t, TG_ERR_STATE,
                       "a callback reads a tensor whose computation tg_jvp deferred and which is "
                       "not there yet");
    t->hollow.computing = true;
    t->hollow.keep = false;
    for (uint32_t i = t->hollow.from; i < t->count && !t->status; i++)
        if (t->nodes[i]->hollow)
            compute(t->nodes[i]);
    t->hollow.computing = false;
    t->hollow.keep = keep;
    t->hollow.from = t->status ? t->hollow.from : UINT32_MAX;
    tg_update_watched(t);
    return t->status;
}

/* ---- running ---- */

/* A result that anomaly mode rejects counts as modified, too: the clock advances before the check. */
static tg_status run_watched(tg_node *y, tg_kernel *kernel) {
    tg_tape *t = y->tape;
    bool hollow = reads_hollow(y);
    if (hollow && t->hollow.keep) {
        tg_leave_hollow(y);
        return TG_OK;
    }
    if (hollow && tg_compute_hollow(t))
        return t->status;
    if (t->watch.profile ? tg_profile_kernel(y, kernel, false) : kernel && kernel(y))
        return t->status;
    y->hollow = false;
    y->run_at = y->modified_at = ++t->clock;
    return t->modes.anomaly ? tg_check_forward(y) : TG_OK;
}

static inline tg_status run_forward(tg_tape *t, tg_node *y) {
    tg_kernel *kernel = y->op->forward[t->dtype];
    if (t->watch.any ? run_watched(y, kernel) : kernel && kernel(y))
        return tg_say_where(y, y->op->name);
    y->run_at = y->modified_at = ++t->clock;
    return TG_OK;
}

tg_status tg_run_forward(tg_node *y) { return run_forward(y->tape, y); }

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
    y->offset = tg_offset_in_base(y);
    return tg_record(y);
}
