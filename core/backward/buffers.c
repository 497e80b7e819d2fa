/* Where gradients are stored, and how they are accumulated.
 *
 * A leaf or an operation's result owns a dense gradient. A view has none of its own: it is a window into its
 * owner's. The exceptions are expand, and views that retain their gradient or have a hook: these own a dense gradient
 * that tg_view_vjp adds through a link. */
#include "core/engine.h"
/* upward: gradients with any strides are accumulated by the kernels for moves and sums */
#include "core/kernels/moves.h"
#include "core/kernels/sums.h"

static bool sums(int ndim, const int64_t *size, const int64_t *stride) {
    bool any = false;
    for (int i = 0; i < ndim; i++)
        any |= stride[i] == 0 && size[i] > 1;
    return any;
}

void tg_accumulate(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src) {
    int64_t dense[TG_MAX_DIMS];
    tg_dense_strides(ndim, size, dense);
    if (sums(ndim, size, dstride))
        tg_sum_into(dtype, ndim, size, dst, dstride, src);
    else
        tg_move_add(dtype, ndim, size, dst, dstride, src, dense);
}

/* dst = or += src, of x's shape; dst's strides address each element once. */
static void put(const tg_node *x, bool fresh, void *dst, const int64_t *dstride, const void *src,
                const int64_t *sstride) {
    tg_dtype dtype = (tg_dtype)x->dtype;
    if (fresh)
        tg_move_copy(tg_dtype_size(dtype), x->ndim, x->size, dst, dstride, src, sstride);
    else
        tg_move_add(dtype, x->ndim, x->size, dst, dstride, src, sstride);
}

void tg_copy_out(const tg_node *x, const void *data, const int64_t *stride, void *out) {
    int64_t dense[TG_MAX_DIMS];
    tg_dense_strides(x->ndim, x->size, dense);
    tg_move_copy(tg_dtype_size((tg_dtype)x->dtype), x->ndim, x->size, out, dense, data, stride);
}

/* ---- storage ---- */

/* x gives up the buffer that it shares; its twin keeps it. */
static void unshare(tg_node *x) {
    x->grad_twin->grad_twin = NULL;
    x->grad_twin = NULL;
    x->grad = NULL;
}

void tg_release_grad(tg_node *x) {
    x->has_grad = false;
    if (tg_is_flat(x))
        return;
    if (x->grad_twin)
        unshare(x);
    else if (x->grad)
        tg_pool_put(x->tape, x->grad, tg_grad_bytes(x));
    x->grad = NULL;
}

void tg_own_grad(tg_node *x, tg_window *link) {
    if (link) {
        *link = x->window;
        x->link = link;
    }
    x->window.owner = x;
    x->window.offset = 0;
    tg_dense_strides(x->ndim, x->size, x->window.stride);
}

bool tg_grad_buffer(tg_node *owner) {
    const void *shared = owner->grad_twin ? owner->grad : NULL;
    if (owner->grad && !shared)
        return true;
    void *own = tg_pool_get(owner->tape, tg_grad_bytes(owner));
    if (own && shared) {
        memcpy(own, shared, tg_grad_bytes(owner));
        unshare(owner);
    }
    if (own)
        owner->grad = own;
    return own != NULL;
}

static void *grad_at(const tg_node *owner, ptrdiff_t offset) {
    return (char *)owner->grad + (size_t)offset * tg_dtype_size((tg_dtype)owner->dtype);
}

/* Ready to be added to or, when fresh, overwritten; false after tg_fail. */
static bool start_gradient(tg_node *owner, bool *fresh) {
    *fresh = !owner->has_grad;
    if (!tg_grad_buffer(owner))
        return false;
    owner->has_grad = true;
    return true;
}

static void clear_gradient(tg_node *owner) { memset(owner->grad, 0, tg_grad_bytes(owner)); }

/* A window that does not cover all of its owner's gradient is never fresh. Out of line, so that the usual case below
 * saves no registers. */
__attribute__((noinline)) static tg_slot open_any(tg_node *x) {
    tg_slot slot = {
        .stride = x->window.stride, .x = x, .contiguous = x->window.owner == x || tg_is_dense(x, x->window.stride)};
    if (!start_gradient(x->window.owner, &slot.fresh))
        return slot;
    if (slot.fresh && x->numel != x->window.owner->numel) {
        clear_gradient(x->window.owner);
        slot.fresh = false;
    }
    slot.data = tg_grad_elements(x);
    return slot;
}

tg_slot tg_grad_open(tg_node *y, int i) {
    tg_node *x = y->in[i];
    if (x->window.owner == x && !x->has_grad && x->grad && !x->grad_twin) {
        x->has_grad = true; /* the usual case when a step is repeated: the buffer exists already */
        return (tg_slot){.data = x->grad, .stride = x->window.stride, .x = x, .fresh = true, .contiguous = true};
    }
    return open_any(x);
}

void tg_grad_clear(tg_slot *slot) {
    if (slot->fresh && slot->data)
        memset(slot->buffered ? slot->data : slot->x->window.owner->grad, 0, tg_grad_bytes(slot->x));
    slot->fresh = false;
}

tg_slot tg_grad_buffered(tg_node *y, int i) {
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return slot;
    tg_grad_clear(&slot);
    slot.data = tg_pool_get(y->tape, tg_grad_bytes(slot.x));
    slot.buffered = slot.fresh = slot.contiguous = slot.data != NULL;
    return slot;
}

tg_slot tg_grad_dense(tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return x->window.owner == x || tg_is_dense(x, x->window.stride) ? tg_grad_open(y, i) : tg_grad_buffered(y, i);
}

void tg_grad_close(tg_slot *slot) {
    const tg_node *x = slot->x;
    if (!slot->buffered)
        return;
    tg_accumulate((tg_dtype)x->dtype, x->ndim, x->size, tg_grad_elements(x), x->window.stride, slot->data);
    tg_pool_put(x->tape, slot->data, tg_grad_bytes(x));
    slot->buffered = false;
}

static bool is_last_wanted(const tg_node *y, int i) {
    for (int k = i + 1; k < y->n_in; k++)
        if (tg_wants(y, k))
            return false;
    return true;
}

void tg_grad_lend(tg_node *lender, const void *values, tg_node *y) {
    tg_release_grad(y);
    y->grad = (void *)(uintptr_t)values; /* nothing is written while there is a twin */
    y->has_grad = true;
    y->grad_twin = lender;
    lender->grad_twin = y;
}

bool tg_grad_hand_over(tg_node *y, int i) {
    tg_node *x = y->in[i], *twin = is_last_wanted(y, i) ? y->grad_twin : y;
    if (!x->op || x->window.owner != x || x->has_grad || y->retain || (twin == y && y->grad_twin))
        return false;
    if (tg_grad_bytes(y) <= TG_GRAD_SMALL || !tg_same_shape(x, y) || !tg_is_dense(x, x->window.stride) ||
        !tg_is_dense(y, y->window.stride))
        return false;
    tg_release_grad(x);
    x->grad = y->grad;
    x->has_grad = true;
    x->grad_twin = twin;
    if (twin)
        twin->grad_twin = x;
    if (twin != y) {
        y->grad = NULL;
        y->grad_twin = NULL;
    }
    return true;
}

tg_status tg_grad_add_values(tg_node *x, const void *values, const int64_t *stride) {
    tg_slot slot = open_any(x);
    int64_t dense[TG_MAX_DIMS];
    tg_dense_strides(x->ndim, x->size, dense);
    if (slot.data)
        put(x, slot.fresh, slot.data, x->window.stride, values, stride ? stride : dense);
    return slot.data ? TG_OK : x->tape->status;
}

tg_status tg_view_vjp(tg_node *y) {
    const tg_window *link = y->link;
    tg_node *owner = link->owner;
    bool fresh;
    if (!start_gradient(owner, &fresh))
        return y->tape->status;
    bool covers = y->numel == owner->numel && !sums(y->ndim, y->size, link->stride);
    if (fresh && !covers)
        clear_gradient(owner);
    if (fresh && covers)
        put(y, true, grad_at(owner, link->offset), link->stride, y->grad, y->window.stride);
    else
        tg_accumulate((tg_dtype)y->dtype, y->ndim, y->size, grad_at(owner, link->offset), link->stride, y->grad);
    return TG_OK;
}
