/* custom: an operation whose forward and VJP are the user's callbacks.
 *
 * Several outputs are views of one result, a vector with all of them one after another: an unused output has a gradient
 * of zeros, like any unused part of a vector. */
#include "core/engine.h"

#ifndef real
enum { MAX_INPUTS = 16, MAX_OUTPUTS = 16 };

typedef struct custom_attr {
    tg_op descriptor; /* first: this node's own, so that messages carry the user's name */
    const tg_custom_op *op;
    tg_custom_grad grad;         /* or NULL */
    tg_custom_grads grads;       /* or NULL */
    tg_custom_branches branches; /* or NULL */
    int n_outputs;
    size_t context_at; /* in these constants */
    tg_shape shape[];  /* of each output; after them the context */
} custom_attr;

static const void *context_of(const custom_attr *a) { return (const char *)a + a->context_at; }

static int64_t numel_of(const custom_attr *a, int output) { return tg_shape_numel(&a->shape[output]); }

/* A call and the arrays that it points to. */
typedef struct frame {
    tg_call call;
    const void *input[MAX_INPUTS];
    tg_shape input_shape[MAX_INPUTS];
    void *input_grad[MAX_INPUTS], *output[MAX_OUTPUTS];
    const void *output_grad[MAX_OUTPUTS];
} frame;

/* dy: NULL in forward. */
static void open_call(frame *f, const tg_node *y, const void *dy) {
    const custom_attr *a = y->attr;
    size_t at = 0;
    for (int i = 0; i < y->n_in; i++) {
        f->input[i] = y->in[i]->data;
        f->input_shape[i] = tg_shape_from(y->in[i]);
        f->input_grad[i] = NULL;
    }
    for (int k = 0; k < a->n_outputs; k++) {
        f->output[k] = (char *)y->data + at;
        f->output_grad[k] = dy ? (const char *)dy + at : NULL;
        at += (size_t)numel_of(a, k) * tg_dtype_size((tg_dtype)y->dtype);
    }
    f->call = (tg_call){.n_inputs = y->n_in,
                        .input = f->input,
                        .input_shape = f->input_shape,
                        .output = y->data,
                        .output_shape = a->shape,
                        .output_grad = dy,
                        .input_grad = f->input_grad,
                        .context = context_of(a),
                        .n_outputs = a->n_outputs,
                        .outputs = f->output,
                        .output_grads = f->output_grad,
                        .saved = y->saved};
}

tg_outside tg_enter_callback(tg_tape *t) {
    tg_outside o = {t->callback.from, t->callback.scopes, t->modes.keep_random};
    t->callback.from = tg_tape_mark(t).node_used;
    t->callback.scopes = 0;
    t->modes.keep_random = false;
    return o;
}

void tg_leave_callback(tg_tape *t, tg_outside o) {
    t->callback.from = o.from;
    t->callback.scopes = o.scopes;
    t->modes.keep_random = o.keep_random;
}

/* A callback that returns 0 but leaves an error on the tape has failed. */
static tg_status after_call(const tg_node *y, bool bad, const char *which) {
    if (bad)
        tg_fail(y->tape, TG_ERR_STATE, "%s: the %s callback returned an error for tensor %u %s", y->op->name, which,
                y->index, tg_node_text(y).s);
    return y->tape->status;
}
#endif

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    const custom_attr *a = y->attr;
    frame f;
    if (!a->op->FN(forward))
        return tg_fail(y->tape, TG_ERR_ARGUMENT, "%s: this custom op has no forward callback for %s: give it one%s",
                       y->op->name, tg_dtype_name(REAL_DTYPE),
                       REAL_DTYPE == TG_F64 ? " (forward_f64); the gradient check computes in float64" : "");
    open_call(&f, y, NULL);
    tg_outside o = tg_enter_callback(y->tape);
    bool bad = a->op->FN(forward)(&f.call);
    tg_leave_callback(y->tape, o);
    return after_call(y, bad, "forward");
}

static tg_status FN(vjp)(tg_node *y) {
    const custom_attr *a = y->attr;
    tg_slot slot[MAX_INPUTS] = {{0}};
    frame f;
    bool bad = !tg_grad_buffer(y); /* a copy: the callback may write to it */
    open_call(&f, y, y->grad);
    for (int i = 0; i < y->n_in; i++) {
        if (!tg_wants(y, i))
            continue;
        slot[i] = tg_grad_dense(y, i);
        tg_grad_clear(&slot[i]);
        f.input_grad[i] = slot[i].data;
        bad |= !slot[i].data;
    }
    if (!bad && !a->op->FN(vjp))
        bad = tg_fail(y->tape, TG_ERR_ARGUMENT, "%s: this custom op has no vjp callback for %s: give it one%s",
                      y->op->name, tg_dtype_name(REAL_DTYPE),
                      REAL_DTYPE == TG_F64 ? " (vjp_f64); the gradient check computes in float64" : "");
    if (!bad) {
        bad = a->op->FN(vjp)(&f.call);
        bad = after_call(y, bad, "vjp");
    }
    for (int i = 0; i < y->n_in; i++)
        tg_grad_close(&slot[i]);
    return bad ? tg_tape_status(y->tape) : TG_OK;
}

/* The probe's own op: y = a b + tanh(a). */
static int FN(probe_forward)(const tg_call *c) {
    const real *a = c->input[0], *b = c->input[1];
    real *y = c->output;
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        y[j] = a[j] * b[j] + M(tanh)(a[j]);
    return 0;
}

static int FN(probe_vjp)(const tg_call *c) {
    const real *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    real *da = c->input_grad[0], *db = c->input_grad[1];
    for (int64_t j = 0; j < c->output_shape->size[0]; j++) {
        if (da)
            da[j] += dy[j] * (b[j] + 1 - M(tanh)(a[j]) * M(tanh)(a[j]));
        if (db)
            db[j] += dy[j] * a[j];
    }
    return 0;
}

#else
#define TG_SELF "ops/custom.c"
#include "core/twice.h"

/* Splits a vector of all outputs' elements into the outputs. */
static void take_apart(const custom_attr *a, tg_tensor all, tg_tensor *part) {
    for (int64_t k = 0, at = 0, n; k < a->n_outputs; k++, at += n) {
        n = numel_of(a, (int)k);
        part[k] = a->n_outputs == 1 ? all : tg_reshape(tg_slice(all, 0, at, at + n, 1), a->shape[k]);
    }
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const custom_attr *a = y->attr;
    tg_tensor x[MAX_INPUTS], ys[MAX_OUTPUTS], dys[MAX_OUTPUTS];
    for (int i = 0; i < y->n_in; i++)
        x[i] = tg_in(y, i);
    if (a->grad) {
        tg_outside o = tg_enter_callback(y->tape);
        a->grad(x, y->n_in, tg_handle(y), dy, dx, context_of(a));
        tg_leave_callback(y->tape, o);
    } else {
        take_apart(a, tg_handle(y), ys);
        take_apart(a, dy, dys);
        tg_outside o = tg_enter_callback(y->tape);
        a->grads(x, y->n_in, ys, dys, a->n_outputs, dx, context_of(a));
        tg_leave_callback(y->tape, o);
    }
}

static const tg_op output_view = {.name = "output", .kind = TG_OP_CUSTOM_OUTPUT, .is_view = true};

/* The constants of a result of tg_custom; NULL after tg_fail. */
static custom_attr *open_custom(const char *name, tg_tensor y, bool has_function) {
    tg_node *n;
    if (!tg_open(name, "f", 1, &y, &n))
        return NULL;
    n = tg_is_of_kind(n, TG_OP_CUSTOM_OUTPUT) ? n->base : n;
    if (has_function && tg_is_of_kind(n, TG_OP_CUSTOM))
        return n->attr;
    tg_fail(y.tape, TG_ERR_ARGUMENT, "%s: %s", name,
            has_function ? "the tensor was not made by tg_custom" : "the function is NULL");
    return NULL;
}

tg_status tg_custom_set_grad(tg_tensor y, tg_custom_grad function) {
    custom_attr *a = open_custom("custom_set_grad", y, function != NULL);
    if (!a)
        return tg_tape_status(y.tape);
    if (a->n_outputs > 1)
        return tg_fail(y.tape, TG_ERR_ARGUMENT,
                       "custom_set_grad: %s has %d outputs: its grad belongs in the tg_custom_config", a->op->name,
                       a->n_outputs);
    a->grad = function;
    a->descriptor.grad = grad;
    return TG_OK;
}

static const tg_custom_op probe_op = {"probe", probe_forward_f32, probe_vjp_f32, probe_forward_f64, probe_vjp_f64};

static void probe_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    dx[0] = tg_mul(dy, tg_add(x[1], tg_rsub_scalar(1, tg_square(tg_tanh(x[0])))));
    dx[1] = tg_mul(dy, x[0]);
}

static tg_tensor probe(tg_tape *t, int variant) {
    tg_tensor x[2] = {tg_probe_leaf(t, TG_SHAPE(4)), tg_probe_leaf(t, TG_SHAPE(8))};
    switch (variant) {
    case 0: x[1] = tg_slice(x[1], 0, 0, 8, 2); break;
    case 1: x[1] = tg_expand(tg_slice(x[1], 0, 0, 1, 1), TG_SHAPE(4)); break;
    default: return TG_NULL;
    }
    tg_tensor y = tg_custom(&probe_op, x, 2, TG_SHAPE(4), NULL, 0);
    return tg_custom_set_grad(y, probe_grad) ? TG_NULL : y;
}

/* Called on the gradient check's copy of the tape, which no callback can rewind: tg_call has no handles. */
static void note_f64(const tg_node *y, tg_branches *b) {
    const custom_attr *a = y->attr;
    size_t bytes = (size_t)y->numel * sizeof(int64_t);
    int64_t *branch = tg_pool_get(y->tape, bytes);
    frame f;
    open_call(&f, y, NULL);
    if (branch)
        memset(branch, 0, bytes);
    if (branch)
        after_call(y, a->branches(&f.call, branch), "branches");
    for (int64_t j = 0; j < y->numel && branch; j++)
        tg_branch(b, branch[j]);
    tg_pool_put(y->tape, branch, bytes);
}

tg_status tg_custom_set_branches(tg_tensor y, tg_custom_branches function) {
    custom_attr *a = open_custom("custom_set_branches", y, function != NULL);
    if (!a)
        return tg_tape_status(y.tape);
    a->branches = function;
    a->descriptor.branches[TG_F64] = note_f64;
    return TG_OK;
}

const tg_op tg_op_custom = {.name = "custom",
                            .kind = TG_OP_CUSTOM,
                            .forward = {[TG_F32] = forward_f32, [TG_F64] = forward_f64},
                            .vjp = {[TG_F32] = vjp_f32, [TG_F64] = vjp_f64},
                            .needs = {TG_OUT | TG_IN_ALL, TG_OUT | TG_IN_ALL, TG_OUT | TG_IN_ALL, TG_OUT | TG_IN_ALL},
                            .grad = grad, /* for results with a grad of their own */
                            .probe = probe};

bool tg_custom_has_float32(const tg_node *y) {
    const custom_attr *a = y->attr;
    return a->op->forward_f32 && a->op->vjp_f32;
}

int tg_custom_outputs(const tg_node *y) { return ((const custom_attr *)y->attr)->n_outputs; }

int tg_custom_output_of(const tg_node *y, int64_t j) {
    const custom_attr *a = y->attr;
    int k = 0;
    while (k < a->n_outputs - 1 && j >= numel_of(a, k))
        j -= numel_of(a, k++);
    return k;
}

/* A missing VJP is an error when it is called. */
static bool has_forward(tg_tape *t, const tg_custom_op *op) {
    if (tg_tape_dtype(t) == TG_F32 ? op->forward_f32 : op->forward_f64)
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: this custom op has no forward callback for %s, the tape's dtype", op->name,
            tg_dtype_name(tg_tape_dtype(t)));
    return false;
}

/* All outputs' elements; -1 after tg_fail. */
static int64_t total_numel(tg_tape *t, const char *name, const tg_custom_config *c) {
    int64_t total = 0;
    for (int k = 0; k < c->n_outputs; k++) {
        const tg_shape *s = &c->shape[k];
        for (int i = 0; i < s->ndim && i < TG_MAX_DIMS; i++)
            if (s->size[i] < 0) {
                tg_fail(t, TG_ERR_SHAPE, "%s: shape %s has a negative size", name, tg_shape_text(s).s);
                return -1;
            }
        int64_t n = tg_shape_numel(s);
        if (n < 0 || n > TG_MAX_ELEMENTS - total) {
            tg_fail(t, TG_ERR_MEMORY, "%s: a tensor of shape %s has too many elements", name, tg_shape_text(s).s);
            return -1;
        }
        total += n;
    }
    return total;
}

static bool is_usable(tg_tape *t, const tg_custom_op *op, int n_inputs, const tg_custom_config *c) {
    bool good = op && op->name && *op->name && n_inputs <= MAX_INPUTS && c->shape && (c->context || !c->context_size) &&
                c->context_size <= SIZE_MAX / 4;
    for (int k = 0; good && k < c->n_outputs && k < MAX_OUTPUTS; k++)
        good = c->shape[k].ndim >= 0 && c->shape[k].ndim <= TG_MAX_DIMS;
    if (!good)
        tg_fail(t, TG_ERR_ARGUMENT,
                "custom: the op, name (\"\" too), a shape or context is NULL, or it has over %d inputs or %d dims",
                MAX_INPUTS, TG_MAX_DIMS);
    else if (c->n_outputs < 1 || c->n_outputs > MAX_OUTPUTS || c->saved < 0)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: %d outputs and %lld saved numbers: there must be 1 to %d outputs", op->name,
                c->n_outputs, (long long)c->saved, MAX_OUTPUTS);
    return !t->status && has_forward(t, op);
}

/* The vector of all outputs, or the only output. */
static tg_node *new_result(tg_tape *t, const tg_custom_op *op, int n_inputs, tg_node *const *in,
                           const tg_custom_config *c) {
    size_t at = (sizeof(custom_attr) + (size_t)c->n_outputs * sizeof(tg_shape) + 15) / 16 * 16;
    int64_t total = total_numel(t, op->name, c);
    if (total < 0)
        return NULL;
    tg_node *y = tg_node_new(t, &tg_op_custom, n_inputs, in, c->n_outputs == 1 ? c->shape : &TG_SHAPE(total),
                             tg_tape_dtype(t), at + c->context_size);
    if (!y)
        return NULL;
    custom_attr *a = y->attr;
    *a = (custom_attr){
        .descriptor = tg_op_custom, .op = op, .grads = c->grad, .n_outputs = c->n_outputs, .context_at = at};
    memcpy(a->shape, c->shape, (size_t)c->n_outputs * sizeof *c->shape);
    a->descriptor.name = op->name;
    a->descriptor.grad = c->grad ? grad : NULL;
    y->op = &a->descriptor;
    if (c->context_size)
        memcpy((char *)a + at, c->context, c->context_size);
    return !c->saved || tg_node_save(y, c->saved) ? y : NULL;
}

static tg_tensor view_of(tg_node *all, const tg_shape *shape, int64_t at) {
    tg_node *y = tg_view_new(&output_view, all, 0);
    if (!y)
        return TG_NULL;
    y->ndim = (uint8_t)shape->ndim;
    memcpy(y->size, shape->size, sizeof y->size);
    tg_dense_strides(y->ndim, y->size, y->stride);
    tg_dense_strides(y->ndim, y->size, y->window.stride);
    y->data = (char *)all->data + (size_t)at * tg_dtype_size((tg_dtype)all->dtype);
    y->window.offset = at;
    return tg_record_view(y);
}

/* All outputs or none: after tg_fail the caller gets only null handles. */
static void record_outputs(tg_tape *t, tg_node *y, tg_tensor *outputs) {
    const custom_attr *a = y->attr;
    tg_tensor all = tg_record(y);
    for (int64_t k = 0, at = 0; k < a->n_outputs && !t->status; at += numel_of(a, (int)k), k++)
        outputs[k] = a->n_outputs == 1 ? all : view_of(y, &a->shape[k], at);
    for (int k = 0; k < a->n_outputs && t->status; k++)
        outputs[k] = TG_NULL;
}

tg_status tg_custom_with(const tg_custom_op *op, const tg_tensor *inputs, int n_inputs, tg_custom_config config,
                         tg_tensor *outputs) {
    tg_node *in[MAX_INPUTS];
    tg_tape *t = NULL;
    for (int k = 0; outputs && k < config.n_outputs && k < MAX_OUTPUTS; k++)
        outputs[k] = TG_NULL;
    for (int i = 0; inputs && i < n_inputs && !t; i++)
        t = inputs[i].tape;
    if (!t || tg_tape_status(t))
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!outputs)
        return tg_fail(t, TG_ERR_ARGUMENT, "custom: the array for the outputs is NULL");
    if (!is_usable(t, op, n_inputs, &config) || !tg_open_contiguous(op->name, "****************", n_inputs, inputs, in))
        return t->status;
    tg_node *y = new_result(t, op, n_inputs, in, &config);
    if (y)
        record_outputs(t, y, outputs);
    return t->status;
}

tg_tensor tg_custom(const tg_custom_op *op, const tg_tensor *inputs, int n_inputs, tg_shape shape, const void *context,
                    size_t context_size) {
    tg_tensor y = TG_NULL;
    tg_custom_config config = {.n_outputs = 1, .shape = &shape, .context = context, .context_size = context_size};
    return tg_custom_with(op, inputs, n_inputs, config, &y) ? TG_NULL : y;
}

#endif
