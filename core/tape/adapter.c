/* Low-rank adapters of weights: what tg_linear adds to a product. */
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
    tg_fail(t, TG_ERR_STATE, "%s: %s has an adapter, which tg_linear alone adds", name, tg_node_text(w->base).s);
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
    return !t->status;
}

static bool is_same_tensor(tg_tensor a, tg_tensor b) {
    return a.tape == b.tape && a.index == b.index && a.epoch == b.epoch;
}

/* Whether tg_linear adds the same: all but whether it is merged. */
static bool is_same(const tg_adapter *x, const tg_adapter *y) {
    return is_same_tensor(x->a, y->a) && is_same_tensor(x->b, y->b) && x->scaling == y->scaling &&
           x->dropout_p == y->dropout_p;
}

tg_status tg_set_adapter(tg_tensor weight, tg_adapter adapter) {
    const tg_tensor operands[] = {weight, adapter.a, adapter.b};
    bool off = tg_is_null(adapter.a);
    tg_node *in[3];
    tg_tape *t = tg_open("set_adapter", "fff", off ? 1 : 3, operands, in);
    if (!t)
        return weight.tape ? tg_tape_status(weight.tape) : TG_ERR_ARGUMENT;
    if (!off && !fits(t, in[0], in[1], in[2], &adapter))
        return t->status;
    tg_extra *e = off ? in[0]->extra : tg_extra_of(in[0]);
    tg_own_adapter *to = off || !e ? NULL : e->adapter ? e->adapter : tg_pool_get(t, sizeof *to);
    if (off && e)
        tg_adapter_forget(e, 0);
    if (off)
        return TG_OK;
    if (!to)
        return tg_say_where(in[0], "set_adapter");
    if (!e->adapter || !is_same(&to->is, &adapter))
        to->number = ++t->adapters;
    to->is = adapter;
    e->adapter = to;
    return TG_OK;
}

tg_adapter tg_adapter_of(tg_tensor weight) {
    const tg_node *w = tg_resolve("adapter_of", weight);
    return w && w->extra && w->extra->adapter ? w->extra->adapter->is : (tg_adapter){0};
}
