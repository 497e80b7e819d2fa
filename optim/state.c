/* An optimizer's memory as buffers of its tape, for tg_save and tg_load: PREFIX.step.NAME, a count of updates, and
 * PREFIX.MOMENT.NAME for each moment of the parameter NAME. Moments have PyTorch's names. */
#include "optim/group.h"

#include <stdio.h>

static tg_node *find(const tg_tape *t, const char *name) {
    for (const tg_extra *e = t->extras; e; e = e->next)
        if (e->name && strcmp(e->name, name) == 0)
            return e->node;
    return NULL;
}

static tg_node *make(tg_tape *t, const char *name, const tg_shape *shape, tg_dtype dtype) {
    tg_node *x = tg_leaf_new(t, "optim_store", shape, dtype);
    return x && !tg_is_null(tg_buffer(t, name, tg_handle(x))) ? x : NULL;
}

typedef struct transfer {
    const char *name, *prefix;
    bool store, check_only; /* store: from the moments to buffers, made where they are missing; else back */
} transfer;

/* The buffer for what belongs to parameter p; NULL after tg_fail. */
static tg_node *buffer_for(const transfer *f, const tg_node *p, const char *what, const tg_shape *shape,
                           tg_dtype dtype) {
    tg_tape *t = p->tape;
    char name[512];
    int n = snprintf(name, sizeof name, "%s.%s.%s", f->prefix, what, p->extra->name);
    if (n < 0 || (size_t)n >= sizeof name) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: the name of a buffer for %s is too long", f->name, tg_node_text(p).s);
        return NULL;
    }
    tg_node *x = find(t, name);
    if (!x && f->store)
        return make(t, name, shape, dtype);
    tg_shape has = x ? tg_shape_from(x) : *shape;
    if (x && x->contiguous && x->dtype == dtype && has.ndim == shape->ndim &&
        memcmp(has.size, shape->size, sizeof has.size[0] * (size_t)has.ndim) == 0)
        return x;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: %s %.200s %s", f->name, x ? "the tensor named" : "nothing is named", name,
            x ? "is no memory of this optimizer" : "; tg_optim_store makes the buffers that tg_load fills");
    return NULL;
}

static void copy(const transfer *f, tg_node *buffer, void *moment, size_t bytes) {
    if (f->check_only || !bytes)
        return;
    memcpy(f->store ? buffer->data : moment, f->store ? moment : buffer->data, bytes);
    if (f->store)
        tg_touch(buffer);
}

static tg_status move_moments(const tg_optim *o, const tg_group *g, tg_moments *s, const transfer *f) {
    const tg_node *p = o->tape->nodes[s->parameter.index];
    if (!p->extra || !p->extra->name)
        return tg_fail(o->tape, TG_ERR_ARGUMENT, "%s: tensor %u %s has no name; tg_parameter gives one", f->name,
                       p->index, tg_node_text(p).s);
    tg_shape shape = tg_shape_from(p), scalar = TG_SCALAR;
    tg_node *steps = buffer_for(f, p, "step", &scalar, TG_I64);
    if (!steps)
        return o->tape->status;
    int64_t count = *(const int64_t *)steps->data;
    if (!f->store && (count < 0 || count == INT64_MAX))
        return tg_fail(o->tape, TG_ERR_ARGUMENT, "%s: %s counts %lld steps", f->name, tg_node_text(steps).s,
                       (long long)count);
    copy(f, steps, &s->steps, sizeof s->steps);
    for (int k = 0; k < g->n_arrays; k++) {
        tg_node *x = buffer_for(f, p, o->kind->moments[k], &shape, (tg_dtype)p->dtype);
        if (!x)
            return o->tape->status;
        copy(f, x, s->array[k], (size_t)p->numel * tg_dtype_size((tg_dtype)p->dtype));
    }
    return TG_OK;
}

/* All is checked, and made, before anything is copied. */
static tg_status move_all(tg_optim *o, transfer f) {
    if (!o || !f.prefix)
        return o ? tg_fail(o->tape, TG_ERR_ARGUMENT, "%s: the prefix is NULL", f.name) : TG_ERR_ARGUMENT;
    if (o->tape->status || tg_optim_check(o))
        return o->tape->status;
    for (int pass = 0; pass < 2; pass++) {
        f.check_only = pass == 0;
        for (const tg_group *g = o->first; g; g = g->next)
            for (int64_t i = 0; i < g->n; i++)
                if (move_moments(o, g, &g->moments[i], &f))
                    return o->tape->status;
    }
    return TG_OK;
}

tg_status tg_optim_store(tg_optim *o, const char *prefix) {
    return move_all(o, (transfer){.name = "optim_store", .prefix = prefix, .store = true});
}

tg_status tg_optim_restore(tg_optim *o, const char *prefix) {
    return move_all(o, (transfer){.name = "optim_restore", .prefix = prefix});
}
