/* Backward: one loop from the last node to the first.
 *
 * The order of creation is topological, so when the loop reaches a node every use of it has already added to the node's
 * gradient. A gradient exists from the first addition to the node's own VJP, then its memory returns to the pool (small
 * buffers stay with the node); leaves and retained tensors keep theirs. A view that is a window into its owner's
 * gradient has no VJP at all. A backward that fails leaves every leaf's gradient unchanged. */
#include "core/engine.h"

/* ---- checks, before anything is changed ---- */

static bool was_modified(const tg_node *saved, const tg_node *y) { return saved->base->modified_at > y->run_at; }

tg_status tg_check_saved(tg_node *y) {
    if (y->op->kind == TG_OP_SCOPE_END)
        return tg_checkpoint_check(y);
    uint8_t reads = tg_grad_reads(y);
    const tg_node *modified = reads & TG_OUT && was_modified(y, y) ? y : NULL;
    for (int i = 0; i < y->n_in && !modified; i++)
        if (y->in[i] && tg_reads_input(reads, i) && was_modified(y->in[i], y))
            modified = y->in[i];
    if (!modified)
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_STATE,
                   "backward: %s (tensor %u) saved %s for its gradient, but it was modified afterwards; "
                   "call backward before modifying it",
                   y->op->name, y->index, tg_node_text(modified).s);
}

/* Some leaf was frozen, perhaps after it was used: find the nodes that depend on a leaf that still requires a gradient,
 * or on a tensor with a retained gradient or a hook. (Until a leaf is frozen, live is requires_grad.) */
static void find_live(tg_tape *t, const tg_node *y) {
    for (uint32_t i = 0; i <= y->index; i++) {
        tg_node *n = t->nodes[i];
        n->live = n->requires_grad && (!n->op || n->retain || tg_has_hooks(n));
        for (int k = 0; k < n->n_in && n->requires_grad && !n->live; k++)
            n->live = tg_wants(n, k);
    }
}

/* Chain the nodes that y depends on and that need a gradient. */
static void chain_reachable(tg_tape *t, tg_node *y) {
    uint32_t pass = ++t->backward.pass;
    tg_node **op = &t->backward.chain.ops, **leaf = &t->backward.chain.leaves;
    t->backward.chain.y = y;
    y->backward.pass = pass;
    for (uint32_t i = y->index + 1; i-- > 0;) {
        tg_node *n = t->nodes[i];
        if (n->backward.pass != pass)
            continue;
        tg_node ***end = n->op ? &op : &leaf;
        **end = n;
        *end = &n->backward.earlier;
        for (int k = 0; k < n->n_in; k++)
            if (tg_wants(n, k))
                n->in[k]->backward.pass = pass;
    }
    *op = *leaf = NULL;
}

/* True when the last backward's chain is y's, as after a replay. It is still valid then unless a leaf was frozen, since
 * the tape before y cannot change. A new node at the index of one that was rewound away has no pass yet. */
static bool is_chained(const tg_tape *t, const tg_node *y) {
    return t->backward.chain.y == y && y->backward.pass == t->backward.pass && !t->backward.any_frozen;
}

/* Compares the clocks first: saved data is intact unless some tensor was changed after the operation ran. */
static tg_status check_chain(tg_tape *t) {
    for (tg_node *n = t->backward.chain.ops; n; n = n->backward.earlier)
        if (!tg_has_elements(n) || (t->touched_at > n->run_at && !n->op->is_view && tg_check_saved(n)))
            return t->status;
    for (tg_node *n = t->backward.chain.leaves; n && t->modes.anomaly; n = n->backward.earlier)
        if (n->has_grad && tg_check_grad(n, "an earlier backward, or tg_write_grad,"))
            return t->status;
    return TG_OK;
}

/* ---- the loop ---- */

static tg_status run_watched(tg_node *y, tg_kernel *vjp) {
    tg_tape *t = y->tape;
    if (t->watch.log)
        tg_log_arrived(y);
    if (t->watch.profile ? tg_profile_kernel(y, vjp, true) : vjp(y))
        return t->status;
    if (t->watch.log)
        tg_log_passed_on(y);
    return t->modes.anomaly ? tg_check_backward(y) : TG_OK;
}

/* True when y's gradient is passed on; not when it is only retained or hooked because all leaves that y depends on are
 * frozen. */
static bool wants_any(const tg_node *y) {
    bool any = !y->tape->backward.any_frozen;
    for (int i = 0; i < y->n_in && !any; i++)
        any = tg_wants(y, i);
    return any;
}

/* True after tg_fail when a hook or a custom VJP has modified what y saved. */
static bool is_spoilt(tg_node *y, uint64_t touched_at) {
    return y->tape->touched_at != touched_at && tg_check_saved(y);
}

static tg_status run_vjp(tg_node *y, uint64_t touched_at) {
    if (tg_has_hooks(y) && tg_run_hooks(y))
        return y->tape->status;
    if (y->op->kind != TG_OP_SCOPE_END && is_spoilt(y, touched_at))
        return y->tape->status;
    tg_kernel *vjp = y->op->is_view ? tg_view_vjp : y->op->vjp[y->tape->dtype];
    if ((!y->tape->backward.any_frozen || wants_any(y)) && (y->tape->watch.any ? run_watched(y, vjp) : vjp(y)))
        return tg_say_where(y, "backward");
    if (y->retain)
        return TG_OK;
    y->has_grad = false;
    if (tg_grad_bytes(y) > TG_GRAD_SMALL)
        tg_release_grad(y);
    return TG_OK;
}

static tg_status prepare(tg_tape *t) {
    for (tg_node *n = t->backward.chain.ops; n; n = n->backward.earlier)
        n->has_grad = false; /* a retained gradient holds one backward's result */
    for (tg_node *n = t->backward.chain.leaves; n; n = n->backward.earlier)
        if (n->has_grad && tg_keep_grad(n))
            return t->status;
    return TG_OK;
}

/* True when y is its gradient's owner, or a dense window of all of it with a dense cotangent. */
static bool is_whole_gradient(const tg_node *y, const int64_t *stride) {
    return y->window.owner == y || (y->numel == y->window.owner->numel && tg_is_dense(y, y->window.stride) &&
                                    (!stride || tg_is_dense(y, stride)));
}

/* Usually there is no gradient yet. A large cotangent is not copied but lent by a node that is not on the tape: a copy
 * is made before it is added to, changed or kept. Not in the gradient check (modes.keep_random), where wrong operations
 * may write to dy. */
static tg_status seed(tg_node *y, const void *cotangent, const int64_t *stride, tg_node *lender) {
    tg_node *owner = y->window.owner;
    if (!is_whole_gradient(y, stride) || owner->has_grad)
        return tg_grad_add_values(y, cotangent, stride);
    if (owner->op && !owner->retain && !y->tape->modes.keep_random && tg_grad_bytes(owner) > TG_GRAD_SMALL) {
        tg_grad_lend(lender, cotangent, owner);
        return TG_OK;
    }
    if (!tg_grad_buffer(owner))
        return y->tape->status;
    memcpy(owner->grad, cotangent, tg_grad_bytes(owner));
    owner->has_grad = true;
    return TG_OK;
}

static tg_status run_backward(tg_node *y, const void *cotangent, const int64_t *stride, tg_node *lender) {
    if (seed(y, cotangent, stride, lender))
        return tg_say_where(y, "backward");
    if (y->tape->watch.log)
        tg_log_begin(y);
    if (y->tape->modes.anomaly && tg_check_grad(y, "the cotangent"))
        return y->tape->status;
    bool flat = y->tape->flat;
    uint64_t touched_at = y->tape->touched_at;
    for (tg_node *n = y->tape->backward.chain.ops; n; n = n->backward.earlier) {
        if (n->op->kind == TG_OP_SCOPE_END && tg_checkpoint_compute(n))
            return n->tape->status;
        if (n->window.owner == n && n->has_grad && run_vjp(n, touched_at))
            return n->tape->status;
        if (flat && tg_flat_passed(n->tape, n))
            return n->tape->status;
    }
    tg_node *retained = lender->grad_twin;
    return retained && !tg_grad_buffer(retained) ? tg_say_where(retained, "backward") : TG_OK;
}

static tg_status finish_leaves(tg_tape *t) {
    for (tg_node *n = t->backward.chain.leaves; n; n = n->backward.earlier)
        if (!tg_is_flat(n) && tg_finish_leaf(n))
            return t->status;
    if (t->flat && tg_flat_end(t))
        return t->status;
    for (tg_node *n = t->backward.chain.leaves; n; n = n->backward.earlier)
        tg_drop_kept_grad(n);
    return TG_OK;
}

/* After an error no intermediate keeps a partial gradient, and leaves have their previous ones. */
static void clean_up(tg_tape *t, bool started) {
    for (tg_node *n = t->backward.chain.ops; n; n = n->backward.earlier)
        tg_release_grad(n);
    for (tg_node *n = t->backward.chain.leaves; n; n = n->backward.earlier)
        if (started || n->backward.kept_grad)
            tg_restore_grad(n);
    if (t->flat)
        tg_flat_fail(t);
}

/* stride: NULL for a contiguous cotangent; only a view's may have others. */
static tg_status backward(tg_node *y, const void *cotangent, const int64_t *stride) {
    tg_tape *t = y->tape;
    if (t->backward.any_frozen)
        find_live(t, y);
    if (!y->live)
        return tg_fail(t, TG_ERR_STATE,
                       "backward: tensor %u %s requires no gradient: no leaf that it was made from does "
                       "(tg_parameter, tg_set_requires_grad), or it was made under no_grad",
                       y->index, tg_node_text(y).s);
    if (!tg_is_finished("backward", y))
        return t->status;
    if (!is_chained(t, y))
        chain_reachable(t, y);
    if (check_chain(t))
        return t->status;
    size_t callback = t->callback.from;
    t->callback.from = 0; /* its hooks are not part of the callback */
    t->backward.running = true;
    if (t->flat)
        tg_flat_begin(t);
    bool started = prepare(t) == TG_OK;
    tg_node lender; /* no other field is read */
    lender.grad_twin = NULL;
    bool bad = !started || run_backward(y, cotangent, stride, &lender) || finish_leaves(t);
    t->backward.running = false;
    t->callback.from = callback;
    if (bad)
        clean_up(t, started);
    if (t->checkpoint.marker)
        tg_checkpoint_leave(t);
    return t->status;
}

static tg_node *open_backward(tg_tensor y) {
    tg_node *in[1];
    if (!tg_open("backward", "f", 1, &y, in))
        return NULL;
    return tg_outside_backward(y.tape, "backward") && tg_outside_scope(y.tape, "backward") ? in[0] : NULL;
}

tg_status tg_backward(tg_tensor y) {
    tg_node *n = open_backward(y);
    if (!n)
        return tg_tape_status(y.tape);
    if (n->numel != 1)
        return tg_fail(y.tape, TG_ERR_STATE,
                       "backward: tensor %u %s is not a scalar: reduce it (tg_sum, tg_mean), or give a cotangent "
                       "of its shape to tg_backward_with",
                       n->index, tg_node_text(n).s);
    float one_f32 = 1;
    double one_f64 = 1;
    return backward(n, n->dtype == TG_F32 ? (const void *)&one_f32 : (const void *)&one_f64, NULL);
}

tg_status tg_backward_with(tg_tensor y, tg_tensor cotangent) {
    tg_node *n = open_backward(y), *c;
    if (!n)
        return tg_tape_status(y.tape);
    if (cotangent.tape != y.tape)
        return tg_fail(y.tape, TG_ERR_ARGUMENT, "backward: the cotangent for tensor %u %s is %s", n->index,
                       tg_node_text(n).s, cotangent.tape ? "on another tape" : "the null tensor");
    if (!tg_open("backward", "f", 1, &cotangent, &c) || !tg_has_elements(c))
        return tg_tape_status(y.tape);
    if (!tg_same_shape(n, c))
        return tg_fail(y.tape, TG_ERR_SHAPE, "backward: the cotangent %s must have the shape of tensor %u %s",
                       tg_node_text(c).s, n->index, tg_node_text(n).s);
    if (c->contiguous || n->window.owner != n)
        return backward(n, c->data, c->stride);
    void *dense = tg_pool_get(n->tape, tg_grad_bytes(n));
    if (!dense)
        return tg_say_where(n, "backward");
    tg_copy_out(c, c->data, c->stride, dense);
    tg_status status = backward(n, dense, NULL);
    tg_pool_put(n->tape, dense, tg_grad_bytes(n));
    return status;
}
