/* The user's access to gradients: requires_grad, read, write, zero, retain, hooks. */
#include "core/engine.h"

tg_tensor tg_set_requires_grad(tg_tensor leaf, bool requires_grad) {
    tg_node *x;
    if (!tg_open("requires_grad", "f", 1, &leaf, &x))
        return TG_NULL;
    if (x->op)
        return tg_fail_null(leaf.tape, TG_ERR_STATE,
                            "requires_grad: tensor %u %s was made by %s; only a leaf can be switched "
                            "(tg_detach cuts a tensor off)",
                            x->index, tg_node_text(x).s, x->op->name);
    tg_require_grad(x, requires_grad);
    return leaf;
}

bool tg_requires_grad(tg_tensor x) {
    const tg_node *n = tg_resolve("requires_grad", x);
    return n && n->requires_grad;
}

bool tg_has_grad(tg_tensor x) {
    const tg_node *n = tg_resolve("has_grad", tg_checkpoint_handle(x));
    return n && n->window.owner->has_grad;
}

tg_tensor tg_grad(tg_tensor x) {
    tg_node *n;
    x = tg_checkpoint_handle(x);
    if (!tg_open("grad", "f", 1, &x, &n))
        return TG_NULL;
    if (n->window.owner->op && !n->window.owner->retain)
        return tg_fail_null(x.tape, TG_ERR_STATE,
                            "grad: tensor %u %s was made by %s and does not keep its gradient; call tg_retain_grad "
                            "before backward",
                            n->index, tg_node_text(n).s, n->op->name);
    tg_shape shape = tg_shape_from(n);
    tg_node *g = tg_leaf_new(x.tape, "grad", &shape, (tg_dtype)n->dtype);
    if (!g)
        return TG_NULL;
    if (!n->window.owner->has_grad) {
        memset(g->data, 0, tg_grad_bytes(n));
        return tg_handle(g);
    }
    tg_copy_out(n, tg_grad_elements(n), n->window.stride, g->data);
    return tg_handle(g);
}

/* A leaf's gradient is dense and never shared; only results share theirs. */
void *tg_grad_data(tg_tensor leaf) {
    tg_node *x;
    if (!tg_open("grad_data", "f", 1, &leaf, &x))
        return NULL;
    if (!tg_outside_backward(leaf.tape, "grad_data"))
        return NULL;
    if (!x->op && x->has_grad)
        return x->grad;
    if (x->op)
        tg_fail(leaf.tape, TG_ERR_STATE,
                "grad_data: tensor %u %s was made by %s; tg_grad copies the gradient of a result", x->index,
                tg_node_text(x).s, x->op->name);
    else
        tg_fail(leaf.tape, TG_ERR_STATE,
                "grad_data: tensor %u %s has no gradient: no backward has reached it since it was zeroed "
                "(see tg_has_grad)",
                x->index, tg_node_text(x).s);
    return NULL;
}

tg_status tg_write_grad(tg_tensor leaf, const double *values, int64_t n) {
    tg_node *x;
    if (!tg_open("write_grad", "f", 1, &leaf, &x))
        return tg_tape_status(leaf.tape);
    if (!tg_outside_backward(leaf.tape, "write_grad"))
        return tg_tape_status(leaf.tape);
    if (x->op || !x->requires_grad)
        return tg_fail(leaf.tape, TG_ERR_STATE, "write_grad: tensor %u %s is not a leaf that requires a gradient",
                       x->index, tg_node_text(x).s);
    if (n != x->numel || (!values && n))
        return tg_fail(leaf.tape, TG_ERR_ARGUMENT, "write_grad: %s has %lld elements, not %lld", tg_node_text(x).s,
                       (long long)x->numel, (long long)n);
    if (!tg_grad_buffer(x))
        return tg_say_where(x, "write_grad");
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
    if (!x || !tg_outside_backward(leaf.tape, "zero_grad"))
        return;
    if (x->window.owner == x)
        x->has_grad = false;
    else
        tg_fail(leaf.tape, TG_ERR_STATE,
                "zero_grad: tensor %u %s is a view (%s) of tensor %u %s, which owns the gradient", x->index,
                tg_node_text(x).s, x->op->name, x->window.owner->index, tg_node_text(x->window.owner).s);
}

void tg_zero_grads(tg_tape *t) {
    if (!t || !tg_outside_backward(t, "zero_grads"))
        return;
    for (uint32_t i = 0; i < t->count; i++)
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

/* Give a view a dense gradient of its own, linked to its elements in the owner's gradient. */
static tg_status own_gradient(const char *name, tg_node *x) {
    if (x->window.owner == x)
        return TG_OK;
    if (used_by_view(x))
        return tg_fail(x->tape, TG_ERR_STATE,
                       "%s: tensor %u %s is a view with further views of it; call %s right after making it", name,
                       x->index, tg_node_text(x).s, name);
    tg_extra *e = tg_extra_of(x);
    if (!e)
        return x->tape->status;
    tg_own_grad(x, &e->link);
    return TG_OK;
}

static tg_node *open_intermediate(const char *name, tg_tensor x) {
    tg_node *n;
    if (!tg_open(name, "f", 1, &x, &n))
        return NULL;
    if (!tg_outside_backward(x.tape, name))
        return NULL;
    if (n->requires_grad)
        return n;
    tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %u %s requires no gradient", name, n->index, tg_node_text(n).s);
    return NULL;
}

tg_status tg_retain_grad(tg_tensor x) {
    tg_node *n = open_intermediate("retain_grad", x);
    if (!n || own_gradient("retain_grad", n))
        return tg_tape_status(x.tape);
    n->retain = true;
    return TG_OK;
}

tg_status tg_register_hook(tg_tensor x, tg_hook hook, void *context) {
    tg_node *n = open_intermediate("register_hook", x);
    if (!n)
        return tg_tape_status(x.tape);
    if (!hook)
        return tg_fail(x.tape, TG_ERR_ARGUMENT, "register_hook: the hook for tensor %u %s is NULL", n->index,
                       tg_node_text(n).s);
    tg_extra *e = own_gradient("register_hook", n) ? NULL : tg_extra_of(n);
    tg_hook_entry *entry = e ? tg_pool_get(x.tape, sizeof *entry) : NULL;
    if (!entry)
        return tg_say_where(n, "register_hook");
    *entry = (tg_hook_entry){NULL, hook, context};
    tg_hook_entry **end = &e->hooks;
    while (*end)
        end = &(*end)->next;
    *end = entry;
    return TG_OK;
}
