/* Nodes: from handles to operands, and making new ones. */
#include "core/engine.h"

/* ---- handles ---- */

tg_dtype tg_tape_dtype(const tg_tape *t) { return t ? t->dtype : TG_F32; }
bool tg_is_null(tg_tensor x) { return !x.tape; }

bool tg_is_parked(const tg_tape *t, uint32_t index, uint32_t epoch) {
    return index < t->count && t->nodes[index]->parked && t->nodes[index]->epoch == ~epoch;
}

bool tg_is_in_ended_scope(const tg_tape *t, uint32_t nodes) {
    while (nodes > 0 && !t->nodes[nodes - 1]->op) /* leaves are never parked */
        nodes--;
    return nodes > 0 && t->nodes[nodes - 1]->parked && t->nodes[nodes - 1]->op->kind != TG_OP_GIVEN_UP;
}

tg_tensor tg_checkpoint_handle(tg_tensor x) {
    if (x.tape && tg_is_parked(x.tape, x.index, x.epoch))
        x.epoch = ~x.epoch;
    return x;
}

/* i: the operand's number, from 1; 0 when it is the only tensor. */
static tg_node *look_up(const char *name, tg_tape *t, int i, tg_tensor x) {
    if (x.index < t->count && t->nodes[x.index]->epoch == x.epoch)
        return t->nodes[x.index];
    if (tg_is_parked(t, x.index, x.epoch) && t->nodes[x.index]->op->kind == TG_OP_GIVEN_UP)
        tg_fail(t, TG_ERR_STALE,
                "%s: tensor %u was made inside a checkpoint scope that has ended with an error, or of tensors inside "
                "one while backward or a replay computed it",
                name, x.index);
    if (tg_is_parked(t, x.index, x.epoch))
        tg_fail(t, TG_ERR_STALE,
                "%s: tensor %u %s was made inside a checkpoint scope that has ended; only what tg_checkpoint_end "
                "returned can be used",
                name, x.index, tg_node_text(t->nodes[x.index]).s);
    char operand[32] = "the tensor's handle";
    if (i)
        snprintf(operand, sizeof operand, "operand %d", i);
    tg_fail(t, TG_ERR_STALE, "%s: %s is stale: tensor %u was rewound away", name, operand, x.index);
    return NULL;
}

tg_node *tg_resolve(const char *name, tg_tensor x) {
    if (!x.tape || x.tape->status)
        return NULL;
    return look_up(name, x.tape, 0, x);
}

static bool kind_fits(char kind, const tg_node *x) {
    static const char kind_of[] = {[TG_F32] = 'f', [TG_F64] = 'f', [TG_I64] = 'i', [TG_BOOL] = 'b'};
    return kind == '*' || kind == 'a' || kind == kind_of[x->dtype] || (kind == 'n' && x->dtype != TG_BOOL);
}

static const char *kind_name(char kind) {
    return kind == 'f' ? "floating" : kind == 'i' ? "int64" : kind == 'n' ? "floating or int64" : "bool";
}

static char lower(char kind) { return (char)(kind | 0x20); } /* '*' is unchanged */

static inline bool is_left_out(char kind, tg_tensor x) { return !x.tape && kind >= 'A' && kind <= 'Z'; }

/* The error for handle i, which is no valid operand. */
static void refuse_operand(tg_tape *t, const char *name, char kind, int i, tg_tensor x) {
    const tg_node *n = NULL;
    if (!x.tape)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d is the null tensor", name, i + 1);
    else if (x.tape != t)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d is on another tape", name, i + 1);
    else
        n = look_up(name, t, i + 1, x);
    if (n)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: operand %d %s is %s, but must be %s", name, i + 1, tg_node_text(n).s,
                tg_dtype_name((tg_dtype)n->dtype), kind_name(lower(kind)));
}

/* NULL when x is no node of this kind on t. */
static inline tg_node *find_operand(const tg_tape *t, char kind, tg_tensor x) {
    tg_node *n = x.tape == t && x.index < t->count ? t->nodes[x.index] : NULL;
    return n && n->epoch == x.epoch && kind_fits(lower(kind), n) ? n : NULL;
}

tg_node *tg_open_operand(tg_tape *t, const char *name, char kind, int i, tg_tensor x) {
    tg_node *n = find_operand(t, kind, x);
    if (!n && !is_left_out(kind, x))
        refuse_operand(t, name, kind, i, x);
    return n;
}

static inline tg_tape *first_tape(int n, const tg_tensor *x) {
    tg_tape *t = NULL;
    for (int i = 0; i < n && !t; i++)
        t = x[i].tape;
    return t && !t->status ? t : NULL;
}

tg_tape *tg_open(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in) {
    tg_tape *t = first_tape(n, x);
    for (int i = 0; t && i < n; i++) {
        in[i] = find_operand(t, kinds[i], x[i]);
        if (!in[i] && !is_left_out(kinds[i], x[i])) {
            refuse_operand(t, name, kinds[i], i, x[i]);
            return NULL;
        }
    }
    return t;
}

tg_tape *tg_tape_of(tg_tensor x) { return x.tape; }

tg_tape *tg_operands(const char *name, const char *kinds, int n, const tg_tensor *x) {
    tg_tape *t = x ? first_tape(n, x) : NULL;
    if (!t || (name && kinds && strlen(kinds) == (size_t)n)) {
        for (int i = 0; t && i < n; i++)
            if (!find_operand(t, kinds[i], x[i]) && !is_left_out(kinds[i], x[i])) {
                refuse_operand(t, name, kinds[i], i, x[i]);
                return NULL;
            }
        return t;
    }
    tg_fail(t, TG_ERR_ARGUMENT, "operands: a name and a letter for each of %d tensors are required", n);
    return NULL;
}

/* ---- calls at the wrong time ---- */

bool tg_outside_backward(tg_tape *t, const char *name) {
    if (t->backward.running)
        tg_fail(t, TG_ERR_STATE, "%s: called from a hook, inside a backward", name);
    return !t->backward.running;
}

bool tg_outside_scope(tg_tape *t, const char *name) {
    bool inside = t->checkpoint.depth || t->callback.scopes || (t->callback.from && t->checkpoint.marker);
    if (inside)
        tg_fail(t, TG_ERR_STATE, "%s: called inside a checkpoint scope; call tg_checkpoint_end first", name);
    return !inside;
}

/* ---- creating nodes ---- */

static tg_node *bare_node(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, size_t attr_size) {
    if (!tg_has_capacity(t))
        return NULL;
    tg_node *y = tg_arena_get(t, &t->arena.nodes, tg_node_bytes((size_t)n_in, attr_size));
    if (!y)
        return NULL;
    memset(&y->grad, 0, offsetof(tg_node, size) - offsetof(tg_node, grad));
    y->op = op;
    y->tape = t;
    tg_node_lay_out(y, (size_t)n_in, attr_size);
    y->base = y->window.owner = y;
    y->epoch = t->epoch;
    y->window.offset = 0;
    bool recording = n_in && !op->no_gradient && !t->modes.no_grad;
    for (int i = 0; i < n_in; i++) {
        y->in[i] = in[i];
        y->recorded[i] = recording && in[i] && in[i]->requires_grad;
        y->requires_grad |= y->recorded[i];
    }
    y->live = y->requires_grad;
    if (attr_size)
        memset(y->attr, 0, attr_size);
    return y;
}

/* A contiguous shape; false when a size is negative or there are too many elements. */
static bool set_shape(tg_node *y, int ndim, const int64_t *size, tg_dtype dtype) {
    int64_t stride = 1;
    bool empty = false;
    y->ndim = (uint8_t)ndim;
    y->dtype = (uint8_t)dtype;
    y->contiguous = true;
    for (int i = ndim - 1; i >= 0; i--) {
        y->size[i] = size[i];
        y->stride[i] = y->window.stride[i] = stride;
        empty |= size[i] == 0;
        if (size[i] < 0 || (size[i] && __builtin_mul_overflow(stride, size[i], &stride)))
            return false;
    }
    y->numel = empty ? 0 : stride;
    return stride <= TG_MAX_ELEMENTS;
}

static tg_node *with_data(tg_node *y, const char *name, tg_arena *arena) {
    y->data = tg_arena_get(y->tape, arena, (size_t)y->numel * tg_dtype_size((tg_dtype)y->dtype));
    if (!y->data)
        tg_say_where(y, name);
    return y->data ? y : NULL;
}

static tg_node *whole_node(tg_tape *t, const tg_op *op, const char *name, int n_in, tg_node *const *in, int ndim,
                           const int64_t *size, tg_dtype dtype, size_t attr_size) {
    tg_node *y = bare_node(t, op, n_in, in, attr_size);
    if (!y)
        return NULL;
    if (!set_shape(y, ndim, size, dtype)) {
        tg_shape shape = {.ndim = ndim};
        memcpy(shape.size, size, sizeof shape.size[0] * (size_t)ndim);
        tg_fail(t, TG_ERR_MEMORY, "%s: a tensor of shape %s has too many elements", name, tg_shape_text(&shape).s);
        return NULL;
    }
    return with_data(y, name, op ? t->arena.results : &t->arena.data);
}

tg_node *tg_node_new(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_shape *shape, tg_dtype dtype,
                     size_t attr_size) {
    return whole_node(t, op, op->name, n_in, in, shape->ndim, shape->size, dtype, attr_size);
}

tg_node *tg_node_like(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_node *like, tg_dtype dtype,
                      size_t attr_size) {
    if (!like->contiguous)
        return whole_node(t, op, op->name, n_in, in, like->ndim, like->size, dtype, attr_size);
    tg_node *y = bare_node(t, op, n_in, in, attr_size);
    if (!y)
        return NULL;
    y->ndim = like->ndim;
    y->dtype = (uint8_t)dtype;
    y->contiguous = true;
    y->numel = like->numel;
    memcpy(y->size, like->size, sizeof y->size);
    memcpy(y->stride, like->stride, sizeof y->stride);
    memcpy(y->window.stride, like->stride, sizeof y->window.stride);
    return with_data(y, op->name, t->arena.results);
}

tg_node *tg_leaf_new(tg_tape *t, const char *name, const tg_shape *shape, tg_dtype dtype) {
    if (!t || t->status)
        return NULL;
    if (shape->ndim < 0 || shape->ndim > TG_MAX_DIMS) {
        tg_fail(t, TG_ERR_SHAPE, "%s: a tensor has 0 to %d dims, not %d", name, TG_MAX_DIMS, shape->ndim);
        return NULL;
    }
    for (int i = 0; i < shape->ndim; i++)
        if (shape->size[i] < 0) {
            tg_fail(t, TG_ERR_SHAPE, "%s: shape %s has a negative size", name, tg_shape_text(shape).s);
            return NULL;
        }
    tg_node *x = whole_node(t, NULL, name, 0, NULL, shape->ndim, shape->size, dtype, 0);
    if (!x)
        return NULL;
    x->modified_at = ++t->clock;
    return tg_put_on_tape(x) ? x : NULL;
}

tg_node *tg_view_new(const tg_op *op, tg_node *x, size_t attr_size) {
    tg_node *y = bare_node(x->tape, op, 1, &x, attr_size);
    if (!y)
        return NULL;
    y->ndim = x->ndim;
    y->dtype = x->dtype;
    y->numel = x->numel;
    y->contiguous = x->contiguous;
    y->base = x->base;
    y->window.owner = x->window.owner;
    y->window.offset = x->window.offset;
    y->data = x->data;
    memcpy(y->size, x->size, sizeof y->size[0] * x->ndim);
    memcpy(y->stride, x->stride, sizeof y->stride[0] * x->ndim);
    memcpy(y->window.stride, x->window.stride, sizeof y->window.stride[0] * x->ndim);
    return y;
}

bool tg_node_save(tg_node *y, int64_t n) {
    size_t bytes;
    if (n < 0 || !tg_times((size_t)n, tg_dtype_size(y->tape->dtype), &bytes)) {
        tg_fail(y->tape, TG_ERR_MEMORY, "%s: %s needs too much memory for its gradient", y->op->name,
                tg_node_text(y).s);
        return false;
    }
    y->saved = tg_arena_get(y->tape, y->tape->arena.results, bytes);
    y->n_saved = n;
    if (!y->saved)
        tg_say_where(y, y->op->name);
    return y->saved != NULL;
}

tg_extra *tg_extra_of(tg_node *x) {
    if (x->extra)
        return x->extra;
    tg_extra *e = tg_pool_get(x->tape, sizeof *e);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->node = x;
    e->next = x->tape->extras;
    x->tape->extras = e;
    x->extra = e;
    return e;
}

void tg_touch(tg_node *x) { x->base->modified_at = x->tape->touched_at = ++x->tape->clock; }

/* ---- the inputs that gradients read ---- */

uint8_t tg_grad_reads(const tg_node *y) {
    uint8_t reads = 0;
    for (int i = 0; i < y->n_in; i++)
        if (tg_wants(y, i))
            reads |= y->op->needs[i < TG_MAX_NEEDS ? i : TG_MAX_NEEDS - 1];
    return reads;
}

/* Inputs from the seventh on share a bit: the eighth is TG_OUT. */
bool tg_reads_input(uint8_t reads, int i) { return reads & TG_IN(i < 6 ? i : 6); }
