/* Gradients of leaves while a backward runs: previous gradients are kept, hooks see this backward's alone. */
#include "core/engine.h"

tg_status tg_run_hooks(tg_node *x) {
    tg_extra *e = x->extra;
    if (!tg_grad_buffer(x)) /* a hook may change it */
        return x->tape->status;
    for (const tg_hook_entry *h = e->hooks; h; h = h->next) {
        if (h->hook(x->grad, x->numel, tg_handle(x), h->context))
            tg_fail(x->tape, TG_ERR_STATE, "backward: the hook on tensor %u %s returned an error", x->index,
                    tg_node_text(x).s);
        if (x->tape->status) /* an operation in the hook may have failed */
            return x->tape->status;
    }
    return x->tape->modes.anomaly ? tg_check_grad(x, "a hook") : TG_OK;
}

/* A leaf's gradient from earlier backwards is copied, in case this one fails. This one adds to it or, when hooks must
 * see only this backward's gradient, starts from zero. */
tg_status tg_keep_grad(tg_node *leaf) {
    leaf->backward.kept_grad = tg_pool_get(leaf->tape, tg_grad_bytes(leaf));
    if (!leaf->backward.kept_grad)
        return leaf->tape->status;
    memcpy(leaf->backward.kept_grad, leaf->grad, tg_grad_bytes(leaf));
    leaf->has_grad = !tg_has_hooks(leaf);
    return TG_OK;
}

void tg_drop_kept_grad(tg_node *leaf) {
    if (leaf->backward.kept_grad)
        tg_pool_put(leaf->tape, leaf->backward.kept_grad, tg_grad_bytes(leaf));
    leaf->backward.kept_grad = NULL;
}

void tg_restore_grad(tg_node *leaf) {
    leaf->has_grad = leaf->backward.kept_grad != NULL;
    if (leaf->backward.kept_grad)
        memcpy(leaf->grad, leaf->backward.kept_grad, tg_grad_bytes(leaf));
    tg_drop_kept_grad(leaf);
}

tg_status tg_finish_leaf(tg_node *leaf) {
    if (!tg_has_hooks(leaf))
        return TG_OK;
    if (leaf->has_grad && tg_run_hooks(leaf))
        return leaf->tape->status;
    if (leaf->backward.kept_grad && leaf->has_grad)
        tg_accumulate((tg_dtype)leaf->dtype, leaf->ndim, leaf->size, leaf->grad, leaf->window.stride,
                      leaf->backward.kept_grad);
    else
        leaf->has_grad |= leaf->backward.kept_grad != NULL; /* not reached by this backward: as before */
    return TG_OK;
}
