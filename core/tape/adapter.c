/* Low-rank adapters of weights, applied by tg_linear. */
#include "core/engine.h"

#include <float.h>

const tg_adapter *tg_adapter_on(const tg_node *w) {
    const tg_extra *e = w->base->extra;
    return e && e->adapter && !e->adapter->is.merged ? &e->adapter->is : NULL;
}

static tg_status check_node(const tg_node *y) {
    if (!y->n_in || y->op->is_view || y->adapters == tg_adapters_read(y))
        return TG_OK;
    return tg_fail(y->tape, TG_ERR_STATE,
                   "replay: %s (tensor %u %s) was recorded before the adapter of a weight that it reads was put on, "
                   "changed, taken off, merged or unmerged; record it again",
                   y->op->name, y->index, tg_node_text(y).s);
}

tg_status tg_check_adapters(tg_tape *t, uint32_t from) {
    for (uint32_t i = from; i < t->count; i++)
        if (check_node(t->nodes[i]))
            return t->status;
    return TG_OK;
}

bool tg_is_unadapted(tg_tape *t, const char *name, const tg_node *w) {
    if (!tg_adapter_on(w))
        return true;
    tg_fail(t, TG_ERR_STATE, "%s: %s has an adapter, which only tg_linear applies", name, tg_node_text(w->base).s);
    return false;
}

static bool fits(tg_tape *t, const tg_node *w, const tg_node *a, const tg_node *b, const tg_adapter *adapter) {
    if (w->op || w->base != w || w->ndim != 2)
        tg_fail(t, TG_ERR_ARGUMENT, "set_adapter: the weight %s must be a leaf (out, in)", tg_node_text(w).s);
    else if (a->ndim != 2 || b->ndim != 2 || a->size[1] != w->size[1] || b->size[0] != w->size[0] ||
             a->size[0] != b->size[1])
        tg_fail(t, TG_ERR_SHAPE, "set_adapter: a %s and b %s must be (rank, in) and (out, rank) for the weight %s",
                tg_node_text(a).s, tg_node_text(b).s, tg_node_text(w).s);
    else if (!(fabs(adapter->scaling) <= (w->dtype == TG_F32 ? FLT_MAX : DBL_MAX)) ||
             !(adapter->dropout_p >= 0 && adapter->dropout_p <= 1))
        tg_fail(t, TG_ERR_ARGUMENT,
                "set_adapter: scaling is %g and dropout %g; they must be a finite %s and within [0, 1]",
                adapter->scaling, adapter->dropout_p, tg_dtype_name((tg_dtype)w->dtype));
    return !t->status && tg_has_elements(a) && tg_has_elements(b);
}

static bool is_same_tensor(tg_tensor a, tg_tensor b) {
    return a.tape == b.tape && a.index == b.index && a.epoch == b.epoch;
}

/* True when both contribute the same product to tg_linear; merged may differ. */
static bool is_same(const tg_adapter *x, const tg_adapter *y) {
    return is_same_tensor(x->a, y->a) && is_same_tensor(x->b, y->b) && x->scaling == y->scaling &&
           x->dropout_p == y->dropout_p;
}

/* A hash of all elements. Each step is a bijection, so a change of a single element always changes it. */
static uint64_t values_of(const tg_node *x) {
    size_t size = tg_dtype_size((tg_dtype)x->dtype);
    uint64_t all = 0;
    for (int64_t i = 0; i < x->size[0]; i++)
        for (int64_t j = 0; j < x->size[1]; j++) {
            uint64_t bits = 0;
            memcpy(&bits, (const char *)x->data + (i * x->stride[0] + j * x->stride[1]) * (int64_t)size, size);
            all = (all ^ bits) * 0x9E3779B97F4A7C15U;
            all ^= all >> 32;
        }
    return all;
}

/* in: the weight, A and B */
static tg_status check_values(const char *name, const tg_own_adapter *own, tg_node *const *in) {
    for (int i = 0; i < 2 && own->is.merged; i++)
        if (values_of(in[1 + i]) != own->values[i])
            return tg_fail(in[0]->tape, TG_ERR_STATE,
                           "%s: %s was changed while merged into %s: put the old values back, or take the adapter off "
                           "and load the weight",
                           name, tg_node_text(in[1 + i]).s, tg_node_text(in[0]).s);
    return TG_OK;
}

static const tg_own_adapter *adapter_of(const tg_node *w) { return w && w->extra ? w->extra->adapter : NULL; }

tg_status tg_check_adapter(tg_tensor weight) {
    const tg_own_adapter *own = adapter_of(tg_resolve("check_adapter", weight));
    tg_node *in[3];
    if (!own || !tg_open("check_adapter", "fff", 3, (tg_tensor[]){weight, own->is.a, own->is.b}, in))
        return weight.tape ? tg_tape_status(weight.tape) : TG_ERR_ARGUMENT;
    return check_values("check_adapter", own, in);
}

static tg_status put_on(tg_node *const *in, const tg_adapter *adapter) {
    const tg_own_adapter *old = adapter_of(in[0]);
    bool same = old && is_same(&old->is, adapter), is_merged = same && old->is.merged;
    if (is_merged && !adapter->merged && check_values("set_adapter", old, in))
        return in[0]->tape->status;
    tg_extra *e = tg_extra_of(in[0]);
    tg_own_adapter *to = !e ? NULL : e->adapter ? e->adapter : tg_pool_get(e->node->tape, sizeof *to);
    if (!to)
        return tg_say_where(in[0], "set_adapter");
    if (!same)
        to->number = ++in[0]->tape->adapters;
    for (int i = 0; i < 2 && adapter->merged && !is_merged; i++)
        to->values[i] = values_of(in[1 + i]);
    to->is = *adapter;
    e->adapter = to;
    return TG_OK;
}

tg_status tg_set_adapter(tg_tensor weight, tg_adapter adapter) {
    const tg_tensor operands[] = {weight, adapter.a, adapter.b};
    bool off = tg_is_null(adapter.a);
    tg_node *in[3];
    tg_tape *t = tg_open("set_adapter", "fff", off ? 1 : 3, operands, in);
    if (!t)
        return weight.tape ? tg_tape_status(weight.tape) : TG_ERR_ARGUMENT;
    if (!off)
        return fits(t, in[0], in[1], in[2], &adapter) ? put_on(in, &adapter) : t->status;
    if (in[0]->extra)
        tg_adapter_forget(in[0]->extra, 0);
    return TG_OK;
}

tg_adapter tg_adapter_of(tg_tensor weight) {
    const tg_own_adapter *own = adapter_of(tg_resolve("adapter_of", weight));
    return own ? own->is : (tg_adapter){.merged = false};
}
