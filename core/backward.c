/* Backward: one loop from the last node to the first.
 *
 * The order of creation is topological, so when the loop reaches a node every use of it has already added its
 * share to the node's gradient. A gradient exists from the first share to the node's own VJP, then its memory
 * goes back to the pool; leaves and retained tensors keep theirs. A view has no gradient of its own: it is a
 * window into its owner's (gowner), so its VJP is nothing at all. The exceptions are expand, and views that were
 * asked to retain their gradient or have a hook: these own a dense gradient that tg_view_vjp adds through a link.
 */
#include "core/op.h"

#ifdef real

/* dst[j * stride] += src[j]; a stride of 0 sums the run first, in four partial sums. */
static void FN(add_run)(int64_t n, real *dst, int64_t stride, const real *src) {
    if (stride == 1) {
        for (int64_t j = 0; j < n; j++)
            dst[j] += src[j];
    } else if (stride) {
        for (int64_t j = 0; j < n; j++)
            dst[j * stride] += src[j];
    } else {
        real s[4] = {0, 0, 0, 0};
        int64_t j = 0;
        for (; j + 4 <= n; j += 4)
            for (int k = 0; k < 4; k++)
                s[k] += src[j + k];
        for (; j < n; j++)
            s[0] += src[j];
        *dst += (s[0] + s[1]) + (s[2] + s[3]);
    }
}

static void FN(accumulate)(int ndim, const int64_t *size, real *dst, const int64_t *stride, const real *src) {
    int64_t numel = 1;
    for (int i = 0; i < ndim; i++)
        numel *= size[i];
    tg_walk w;
    tg_walk_begin(&w, ndim, size, stride);
    for (int64_t i = 0; i < numel;) {
        int64_t n = tg_walk_run(&w);
        FN(add_run)(n, dst + w.offset, w.stride[w.ndim - 1], src + i);
        tg_walk_next(&w, n);
        i += n;
    }
}

/* out (contiguous) = src as it lies */
static void FN(gather_grad)(int ndim, const int64_t *size, const real *src, const int64_t *stride, int64_t numel,
                            real *out) {
    tg_walk w;
    tg_walk_begin(&w, ndim, size, stride);
    for (int64_t i = 0; i < numel; i++) {
        out[i] = src[w.offset];
        tg_walk_next(&w, 1);
    }
}

static bool FN(all_finite)(int64_t n, const real *x) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

#else
#define TG_SELF "backward.c"
#include "core/twice.h"

void tg_accumulate(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src) {
    if (dtype == TG_F32)
        accumulate_f32(ndim, size, dst, dstride, src);
    else
        accumulate_f64(ndim, size, dst, dstride, src);
}

/* ---- where gradients lie ---- */

static size_t grad_bytes(const tg_node *x) { return (size_t)x->numel * tg_dtype_size((tg_dtype)x->dtype); }

void tg_release_grad(tg_node *x) {
    if (x->grad)
        tg_pool_put(x->tape, x->grad, grad_bytes(x));
    x->grad = NULL;
    x->has_grad = false;
}

static bool need_buffer(tg_node *owner) {
    if (!owner->grad)
        owner->grad = tg_pool_get(owner->tape, grad_bytes(owner));
    return owner->grad != NULL;
}

static void *grad_at(const tg_node *owner, ptrdiff_t offset) {
    return (char *)owner->grad + (size_t)offset * tg_dtype_size((tg_dtype)owner->dtype);
}

/* The slot of x's gradient in owner; covers: x's elements are all of owner's, each once. */
static tg_slot open_slot(const tg_node *x, tg_node *owner, ptrdiff_t offset, const int64_t *stride, bool covers) {
    tg_slot slot = {.stride = stride, .contiguous = owner == x || tg_is_dense(x, stride)};
    if (!need_buffer(owner))
        return slot;
    if (!owner->has_grad) {
        slot.fresh = covers;
        if (!covers)
            memset(owner->grad, 0, grad_bytes(owner));
        owner->has_grad = true;
    }
    slot.data = grad_at(owner, offset);
    return slot;
}

tg_slot tg_grad_open(tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return open_slot(x, x->gowner, x->goffset, x->gstride, x->numel == x->gowner->numel);
}

void *tg_grad_add(tg_node *y, int i) {
    tg_node *x = y->in[i];
    tg_slot slot = tg_grad_open(y, i);
    if (!slot.data)
        return NULL;
    void *buffer = slot.contiguous ? slot.data : tg_pool_get(y->tape, grad_bytes(x));
    if (!buffer)
        return NULL;
    if (slot.fresh)
        memset(x->gowner->grad, 0, grad_bytes(x->gowner));
    if (!slot.contiguous)
        memset(buffer, 0, grad_bytes(x));
    return buffer;
}

void tg_grad_close(tg_node *y, int i, void *buffer) {
    tg_node *x = y->in[i];
    if (!buffer || tg_is_dense(x, x->gstride))
        return;
    tg_accumulate((tg_dtype)x->dtype, x->ndim, x->size, grad_at(x->gowner, x->goffset), x->gstride, buffer);
    tg_pool_put(y->tape, buffer, grad_bytes(x));
}

tg_status tg_view_vjp(tg_node *y) {
    const tg_link *link = y->link;
    tg_slot slot = open_slot(y, link->gowner, link->goffset, link->gstride, false);
    if (!slot.data)
        return y->tape->status;
    tg_accumulate((tg_dtype)y->dtype, y->ndim, y->size, slot.data, link->gstride, y->grad);
    return TG_OK;
}

/* ---- before anything is changed ---- */

static bool owns_grad(const tg_node *x) { return x->gowner == x; }

static bool was_modified(const tg_node *saved, const tg_node *y) { return saved->base->modified_at > y->run_at; }

/* Is everything that y's gradient reads as forward left it? */
static tg_status check_saved(tg_node *y) {
    uint8_t needs = 0;
    for (int i = 0; i < y->n_in; i++)
        if (tg_wants(y, i))
            needs |= y->op->needs[i < TG_MAX_NEEDS ? i : TG_MAX_NEEDS - 1];
    const tg_node *modified = (needs & TG_OUT) && was_modified(y, y) ? y : NULL;
    for (int i = 0; i < y->n_in && !modified; i++)
        if (y->in[i] && (needs & TG_IN(i < 6 ? i : 6)) && was_modified(y->in[i], y))
            modified = y->in[i];
    if (!modified)
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_STATE,
                   "backward: %s (tensor %u) saved %s for its gradient, but it was modified afterwards; "
                   "call backward before modifying it",
                   y->op->name, y->index, tg_node_text(modified).s);
}

/* Mark what y depends on and a gradient has to reach, checking it on the way. */
static tg_status mark_reachable(tg_tape *t, tg_node *y) {
    uint32_t pass = ++t->pass;
    y->pass = pass;
    for (uint32_t i = y->index + 1; i-- > 0;) {
        tg_node *n = t->nodes[i];
        if (n->pass != pass || !n->op)
            continue;
        if (!n->op->is_view && check_saved(n))
            return t->status;
        for (int k = 0; k < n->n_in; k++)
            if (tg_wants(n, k))
                n->in[k]->pass = pass;
    }
    return TG_OK;
}

/* ---- hooks ---- */

static tg_status run_hooks(tg_node *x) {
    tg_extra *e = x->extra;
    for (int i = 0; i < e->n_hooks; i++)
        if (e->hook[i](x->grad, x->numel, tg_handle(x), e->hook_context[i]))
            return tg_fail(x->tape, TG_ERR_STATE, "backward: the hook on tensor %u %s returned an error", x->index,
                           tg_node_text(x).s);
    return TG_OK;
}

static bool has_hooks(const tg_node *x) { return x->extra && x->extra->n_hooks; }

/* A hooked leaf's earlier gradient is put aside, so that the hook sees this backward's alone. */
static void put_aside(tg_node *leaf) {
    tg_extra *e = leaf->extra;
    e->kept_grad = leaf->grad;
    e->kept_has = leaf->has_grad;
    leaf->grad = NULL;
    leaf->has_grad = false;
}

static tg_status put_together(tg_node *leaf, bool call) {
    tg_extra *e = leaf->extra;
    tg_status bad = call && leaf->has_grad ? run_hooks(leaf) : TG_OK;
    if (e->kept_grad) {
        if (leaf->has_grad && e->kept_has)
            tg_accumulate((tg_dtype)leaf->dtype, leaf->ndim, leaf->size, e->kept_grad, leaf->gstride, leaf->grad);
        if (!leaf->has_grad || e->kept_has) {
            tg_release_grad(leaf);
            leaf->grad = e->kept_grad;
            leaf->has_grad = e->kept_has;
        } else {
            tg_pool_put(leaf->tape, e->kept_grad, grad_bytes(leaf));
        }
        e->kept_grad = NULL;
    }
    return bad;
}

/* ---- the loop ---- */

static tg_status check_finite(const tg_node *y) {
    tg_tape *t = y->tape;
    for (int i = 0; i < y->n_in; i++) {
        const tg_node *g = tg_wants(y, i) ? y->in[i]->gowner : NULL;
        if (!g || !g->has_grad)
            continue;
        bool finite = t->dtype == TG_F32 ? all_finite_f32(g->numel, g->grad) : all_finite_f64(g->numel, g->grad);
        if (!finite)
            return tg_fail(t, TG_ERR_NUMERIC,
                           "%s: backward made a NaN or Inf in the gradient of operand %d %s (tensor %u, made by "
                           "tensor %u)",
                           y->op->name, i + 1, tg_node_text(y->in[i]).s, y->in[i]->index, y->index);
    }
    return TG_OK;
}

static tg_status run_vjp(tg_node *y) {
    if (has_hooks(y) && run_hooks(y))
        return y->tape->status;
    tg_status bad = y->op->is_view ? tg_view_vjp(y) : y->op->vjp[y->tape->dtype](y);
    if (!bad && y->tape->anomaly)
        bad = check_finite(y);
    if (!y->retain)
        tg_release_grad(y);
    return bad;
}

static tg_status run_backward(tg_tape *t, tg_node *y) {
    for (uint32_t i = y->index + 1; i-- > 0;) {
        tg_node *n = t->nodes[i];
        if (n->pass == t->pass && n->op && owns_grad(n) && n->has_grad && run_vjp(n))
            return t->status;
    }
    return TG_OK;
}

/* After an error no intermediate may keep a half-made gradient. */
static void drop_intermediate_grads(tg_tape *t, tg_node *y) {
    for (uint32_t i = y->index + 1; i-- > 0;)
        if (t->nodes[i]->op)
            tg_release_grad(t->nodes[i]);
}

static void seed_retained(tg_tape *t, tg_node *y) {
    for (uint32_t i = y->index + 1; i-- > 0;)
        if (t->nodes[i]->pass == t->pass && t->nodes[i]->op && t->nodes[i]->retain)
            t->nodes[i]->has_grad = false; /* each backward's own */
}

static tg_status seed(tg_node *y, const void *cotangent) {
    tg_slot slot = open_slot(y, y->gowner, y->goffset, y->gstride, y->numel == y->gowner->numel);
    if (!slot.data)
        return y->tape->status;
    if (slot.fresh)
        memset(y->gowner->grad, 0, grad_bytes(y->gowner));
    tg_accumulate((tg_dtype)y->dtype, y->ndim, y->size, slot.data, y->gstride, cotangent);
    return TG_OK;
}

static tg_status backward(tg_node *y, const void *cotangent) {
    tg_tape *t = y->tape;
    if (mark_reachable(t, y))
        return t->status;
    seed_retained(t, y);
    for (tg_extra *e = t->extras; e; e = e->next)
        if (e->n_hooks && !e->node->op)
            put_aside(e->node);
    bool bad = seed(y, cotangent) || run_backward(t, y);
    for (tg_extra *e = t->extras; e; e = e->next)
        if (e->n_hooks && !e->node->op && put_together(e->node, !bad))
            bad = true;
    if (bad)
        drop_intermediate_grads(t, y);
    return t->status;
}

static tg_node *open_backward(tg_tensor y) {
    tg_node *in[1];
    if (!tg_open("backward", "f", 1, &y, in))
        return NULL;
    if (in[0]->requires_grad)
        return in[0];
    tg_fail(y.tape, TG_ERR_STATE,
            "backward: tensor %u %s requires no gradient: no leaf that it was made from does "
            "(tg_parameter, tg_set_requires_grad), or it was made under no_grad",
            in[0]->index, tg_node_text(in[0]).s);
    return NULL;
}

static tg_status failed(tg_tensor x) { return x.tape ? x.tape->status : TG_ERR_ARGUMENT; }

tg_status tg_backward(tg_tensor y) {
    tg_node *n = open_backward(y);
    if (!n)
        return failed(y);
    if (n->numel != 1)
        return tg_fail(y.tape, TG_ERR_STATE,
                       "backward: tensor %u %s is not a scalar: reduce it (tg_sum, tg_mean), or give a cotangent "
                       "of its shape to tg_backward_with",
                       n->index, tg_node_text(n).s);
    float one_f32 = 1;
    double one_f64 = 1;
    return backward(n, n->dtype == TG_F32 ? (const void *)&one_f32 : (const void *)&one_f64);
}

tg_status tg_backward_with(tg_tensor y, tg_tensor cotangent) {
    tg_node *n = open_backward(y), *c;
    if (!n)
        return failed(y);
    if (!tg_open("backward", "f", 1, &cotangent, &c))
        return tg_fail(y.tape, TG_ERR_ARGUMENT, "backward: the cotangent is not a usable tensor");
    tg_shape ys = tg_shape_from(n), cs = tg_shape_from(c);
    if (c->tape != n->tape)
        return tg_fail(y.tape, TG_ERR_ARGUMENT, "backward: the cotangent is on another tape");
    if (c->ndim != n->ndim || memcmp(ys.size, cs.size, sizeof ys.size[0] * n->ndim) != 0)
        return tg_fail(y.tape, TG_ERR_SHAPE, "backward: the cotangent %s must have the shape of tensor %u %s",
                       tg_node_text(c).s, n->index, tg_node_text(n).s);
    if (c->contiguous)
        return backward(n, c->data);
    void *dense = tg_pool_get(n->tape, grad_bytes(n));
    if (!dense)
        return n->tape->status;
    if (n->dtype == TG_F32)
        gather_grad_f32(c->ndim, c->size, c->data, c->stride, c->numel, dense);
    else
        gather_grad_f64(c->ndim, c->size, c->data, c->stride, c->numel, dense);
    tg_status status = backward(n, dense);
    tg_pool_put(n->tape, dense, grad_bytes(n));
    return status;
}

/* ---- gradients as the user sees them ---- */

tg_tensor tg_set_requires_grad(tg_tensor leaf, bool requires_grad) {
    tg_node *x;
    if (!tg_open("requires_grad", "f", 1, &leaf, &x))
        return TG_NULL;
    if (x->op)
        return tg_fail_null(leaf.tape, TG_ERR_STATE,
                            "requires_grad: tensor %u %s was made by %s; only a leaf can be switched "
                            "(tg_detach cuts a tensor off)",
                            x->index, tg_node_text(x).s, x->op->name);
    x->requires_grad = requires_grad;
    return leaf;
}

bool tg_requires_grad(tg_tensor x) {
    const tg_node *n = tg_resolve("requires_grad", x);
    return n && n->requires_grad;
}

bool tg_has_grad(tg_tensor x) {
    const tg_node *n = tg_resolve("has_grad", x);
    return n && n->gowner->has_grad;
}

tg_tensor tg_grad(tg_tensor x) {
    tg_node *n;
    if (!tg_open("grad", "f", 1, &x, &n))
        return TG_NULL;
    tg_shape shape = tg_shape_from(n);
    tg_node *g = tg_leaf_new(x.tape, "grad", &shape, (tg_dtype)n->dtype);
    if (!g)
        return TG_NULL;
    if (!n->gowner->has_grad) {
        memset(g->data, 0, grad_bytes(n));
        return tg_handle(g);
    }
    const void *from = grad_at(n->gowner, n->goffset);
    if (n->dtype == TG_F32)
        gather_grad_f32(n->ndim, n->size, from, n->gstride, n->numel, g->data);
    else
        gather_grad_f64(n->ndim, n->size, from, n->gstride, n->numel, g->data);
    return tg_handle(g);
}

tg_status tg_write_grad(tg_tensor leaf, const double *values, int64_t n) {
    tg_node *x;
    if (!tg_open("write_grad", "f", 1, &leaf, &x))
        return failed(leaf);
    if (x->op || !x->requires_grad)
        return tg_fail(leaf.tape, TG_ERR_STATE, "write_grad: tensor %u %s is not a leaf that requires a gradient",
                       x->index, tg_node_text(x).s);
    if (n != x->numel || (!values && n))
        return tg_fail(leaf.tape, TG_ERR_ARGUMENT, "write_grad: %s has %lld elements, not %lld", tg_node_text(x).s,
                       (long long)x->numel, (long long)n);
    if (!need_buffer(x))
        return leaf.tape->status;
    for (int64_t i = 0; i < n; i++)
        if (x->dtype == TG_F32)
            ((float *)x->grad)[i] = (float)values[i];
        else
            ((double *)x->grad)[i] = values[i];
    x->has_grad = true;
    return TG_OK;
}

void tg_zero_grad(tg_tensor leaf) {
    tg_node *x = tg_resolve("zero_grad", leaf);
    if (x)
        x->gowner->has_grad = false;
}

void tg_zero_grads(tg_tape *t) {
    for (uint32_t i = 0; t && i < t->count; i++)
        t->nodes[i]->has_grad = false;
}

static bool used_by_view(const tg_node *x) {
    for (uint32_t i = x->index + 1; i < x->tape->count; i++) {
        const tg_node *n = x->tape->nodes[i];
        if (n->op && n->op->is_view && n->in[0] == x)
            return true;
    }
    return false;
}

/* Give a view a dense gradient of its own, linked to where its elements lie in its owner's. */
static tg_status own_gradient(const char *name, tg_node *x) {
    if (owns_grad(x))
        return TG_OK;
    if (used_by_view(x))
        return tg_fail(x->tape, TG_ERR_STATE,
                       "%s: tensor %u %s is a view that another view was taken of; call %s right after making it", name,
                       x->index, tg_node_text(x).s, name);
    tg_extra *e = tg_extra_of(x);
    if (!e)
        return x->tape->status;
    e->link = (tg_link){.gowner = x->gowner, .goffset = x->goffset};
    memcpy(e->link.gstride, x->gstride, sizeof x->gstride);
    x->link = &e->link;
    x->gowner = x;
    x->goffset = 0;
    tg_dense_strides(x->ndim, x->size, x->gstride);
    return TG_OK;
}

static tg_node *open_intermediate(const char *name, tg_tensor x) {
    tg_node *n;
    if (!tg_open(name, "f", 1, &x, &n))
        return NULL;
    if (n->requires_grad)
        return n;
    tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %u %s requires no gradient", name, n->index, tg_node_text(n).s);
    return NULL;
}

tg_status tg_retain_grad(tg_tensor x) {
    tg_node *n = open_intermediate("retain_grad", x);
    if (!n || own_gradient("retain_grad", n))
        return failed(x);
    n->retain = true;
    return TG_OK;
}

tg_status tg_register_hook(tg_tensor x, tg_hook hook, void *context) {
    tg_node *n = open_intermediate("register_hook", x);
    if (!n || own_gradient("register_hook", n))
        return failed(x);
    tg_extra *e = tg_extra_of(n);
    if (!e)
        return x.tape->status;
    int most = (int)(sizeof e->hook / sizeof *e->hook);
    if (!hook || e->n_hooks == most)
        return tg_fail(x.tape, TG_ERR_ARGUMENT,
                       hook ? "register_hook: tensor %u %s already has %d hooks"
                            : "register_hook: the hook for tensor %u %s is NULL (a tensor has at most %d)",
                       n->index, tg_node_text(n).s, most);
    e->hook[e->n_hooks] = hook;
    e->hook_context[e->n_hooks++] = context;
    return TG_OK;
}

#endif
