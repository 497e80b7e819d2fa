/* The transpose of an operation y that is linear in its first input x, as an operation: adjoint is J^T d, y's VJP
 * applied to d, and tangent is J d, y's forward applied to d. Each is the other's derivative, to any order. Views and
 * the operations that select, move or mask elements (gather, index_select, embedding, dropout) share these two.
 *
 * The inputs are d, y, and y's inputs but the first. y's own kernel runs on a copy of its node (a stand-in) whose x, or
 * x's gradient, is d or the result. A view has no kernel: d is written through one window of its owner's gradient and
 * read through the other. */
#include "core/ops/internal/stand_in.h"

/* ---- stand-ins ---- */

static void stand_alone(tg_node *copy, const tg_node *n) {
    *copy = *n;
    copy->base = copy;
    copy->extra = NULL;
    copy->grad = NULL;
    copy->grad_twin = NULL;
    copy->has_grad = copy->retain = false;
    copy->contiguous = true;
    tg_own_grad(copy, NULL);
    tg_dense_strides(copy->ndim, copy->size, copy->stride);
}

void tg_stand_in_open(tg_stand_in *s, const tg_node *y, tg_node *const *in) {
    stand_alone(&s->y, y);
    s->y.in = s->in;
    s->y.recorded = s->recorded;
    for (int i = 0; i < y->n_in; i++) {
        s->in[i] = in[i] ? &s->x[i] : NULL;
        if (in[i])
            stand_alone(&s->x[i], in[i]);
    }
    memset(s->recorded, 0, sizeof s->recorded);
}

void tg_stand_in_want(tg_stand_in *s, int i, void *dx) {
    s->y.recorded[i] = true;
    s->x[i].live = true;
    s->x[i].grad = dx;
}

/* ---- views ---- */

/* The window of its elements in the owner's gradient. */
static const tg_window *window_of(const tg_node *view) { return view->link ? view->link : &view->window; }

static void *shifted(const tg_node *x, const void *data, const tg_window *w) {
    return (char *)(uintptr_t)data + w->offset * (ptrdiff_t)tg_dtype_size((tg_dtype)x->dtype);
}

static void put_in(const tg_node *x, const tg_window *w, void *owner, const void *values) {
    tg_accumulate((tg_dtype)x->dtype, x->ndim, x->size, shifted(x, owner, w), w->stride, values);
}

static void take_out(const tg_node *x, const tg_window *w, const void *owner, void *values) {
    tg_copy_out(x, shifted(x, owner, w), w->stride, values);
}

static bool is_whole(const tg_node *x) {
    return x->window.owner == x && !x->window.offset && tg_is_dense(x, x->window.stride);
}

/* result = d, written through one window and read through the other */
static tg_status move(const tg_node *y, bool forward, const void *d, void *result) {
    const tg_node *x = y->in[0], *from = forward ? x : y, *to = forward ? y : x;
    const tg_window *of_y = window_of(y), *in = forward ? &x->window : of_y, *out = forward ? of_y : &x->window;
    if (is_whole(x) && forward) {
        take_out(y, of_y, d, result);
        return TG_OK;
    }
    size_t bytes = tg_grad_bytes(x->window.owner);
    void *room = is_whole(x) ? result : tg_pool_get(y->tape, bytes);
    if (!room)
        return y->tape->status;
    memset(room, 0, bytes);
    put_in(from, in, room, d);
    if (room == result)
        return TG_OK;
    take_out(to, out, room, result);
    tg_pool_put(y->tape, room, bytes);
    return TG_OK;
}

/* ---- the two operations ---- */

/* J^T d */
static tg_status apply_adjoint(const tg_node *y, const void *d, void *result) {
    if (y->op->is_view)
        return move(y, false, d, result);
    tg_stand_in s;
    tg_stand_in_open(&s, y, y->in);
    tg_stand_in_want(&s, 0, result);
    s.y.grad = (void *)(uintptr_t)d;
    return y->op->vjp[y->tape->dtype](&s.y);
}

/* J d, with the same random masks */
static tg_status apply_tangent(const tg_node *y, const void *d, void *result) {
    if (y->op->is_view)
        return move(y, true, d, result);
    tg_tape *t = y->tape;
    bool keep = t->modes.keep_random;
    tg_stand_in s;
    tg_stand_in_open(&s, y, y->in);
    s.x[0].data = (void *)(uintptr_t)d;
    s.y.data = result;
    t->modes.keep_random = true;
    tg_status bad = y->op->forward[t->dtype](&s.y);
    t->modes.keep_random = keep;
    return bad;
}

typedef tg_status apply(const tg_node *y, const void *d, void *result);

static tg_status vjp_by(tg_node *n, apply *transposed) {
    tg_slot slot = tg_grad_buffered(n, 0);
    tg_status bad = slot.data ? transposed(n->in[1], n->grad, slot.data) : n->tape->status;
    tg_grad_close(&slot);
    return bad;
}

static tg_status adjoint_forward(tg_node *n) { return apply_adjoint(n->in[1], n->in[0]->data, n->data); }
static tg_status adjoint_vjp(tg_node *n) { return vjp_by(n, apply_tangent); }
static tg_status tangent_forward(tg_node *n) { return apply_tangent(n->in[1], n->in[0]->data, n->data); }
static tg_status tangent_vjp(tg_node *n) { return vjp_by(n, apply_adjoint); }

static tg_tensor record(const tg_op *op, tg_node *y, const tg_node *like, tg_tensor d) {
    tg_node *in[TG_STAND_IN_INPUTS + 1];
    tg_tape *t = tg_open_contiguous(op->name, "f", 1, &d, in);
    if (!t)
        return TG_NULL;
    in[1] = y;
    for (int i = 1; i < y->n_in; i++)
        in[i + 1] = y->in[i];
    tg_shape shape = tg_shape_from(like);
    tg_node *n = tg_node_new(t, op, 1 + y->n_in, in, &shape, tg_tape_dtype(t), 0);
    if (!n)
        return TG_NULL;
    for (int i = 1; i < n->n_in; i++)
        tg_without_grad(n, i);
    return tg_record(n);
}

static void adjoint_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx);
static void tangent_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx) { dx[0] = tg_adjoint(n->in[1], dn); }

static const tg_op adjoint_op = {.name = "adjoint",
                                 .reads_op = true,
                                 .reads_no = 2,
                                 .forward = TG_ANY(adjoint_forward),
                                 .vjp = TG_ANY(adjoint_vjp),
                                 .grad = adjoint_grad,
                                 .needs = {TG_IN(2)}};
static const tg_op tangent_op = {.name = "tangent",
                                 .reads_op = true,
                                 .reads_no = 2,
                                 .forward = TG_ANY(tangent_forward),
                                 .vjp = TG_ANY(tangent_vjp),
                                 .grad = tangent_grad,
                                 .needs = {TG_IN(2)}};

static void adjoint_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx) {
    dx[0] = record(&tangent_op, n->in[1], n->in[1], dn);
}

tg_tensor tg_adjoint(const tg_node *y, tg_tensor dy) {
    return record(&adjoint_op, y->tape->nodes[y->index], y->in[0], dy);
}
