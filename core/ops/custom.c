/* custom: an operation whose forward and VJP are the user's callbacks. */
#include "core/engine.h"

#ifndef real
typedef struct custom_attr {
    const tg_custom_op *op;
    tg_custom_grad grad;         /* or NULL */
    tg_custom_branches branches; /* or NULL */
    tg_op descriptor;            /* this node's own, so that messages carry the user's name */
} custom_attr;

enum { MAX_INPUTS = 16 };

static const void *context_of(const tg_node *y) { return (const custom_attr *)y->attr + 1; }

static tg_status call_failed(const tg_node *y, const char *which) {
    return tg_fail(y->tape, TG_ERR_STATE, "%s: the %s callback returned an error for tensor %u %s", y->op->name, which,
                   y->index, tg_node_text(y).s);
}
#endif

#ifdef real

static tg_status FN(forward)(tg_node *y) {
    const custom_attr *a = y->attr;
    const void *input[MAX_INPUTS];
    tg_shape in_shape[MAX_INPUTS], shape = tg_shape_from(y);
    for (int i = 0; i < y->n_in; i++) {
        input[i] = y->in[i]->data;
        in_shape[i] = tg_shape_from(y->in[i]);
    }
    tg_call call = {.n_inputs = y->n_in,
                    .input = input,
                    .input_shape = in_shape,
                    .output = y->data,
                    .output_shape = &shape,
                    .context = context_of(y)};
    if (!a->op->FN(forward))
        return tg_fail(y->tape, TG_ERR_ARGUMENT, "%s: this custom op has no forward callback for %s: give it one%s",
                       y->op->name, tg_dtype_name(REAL_DTYPE),
                       REAL_DTYPE == TG_F64 ? " (forward_f64); the gradient check computes in float64" : "");
    return a->op->FN(forward)(&call) ? call_failed(y, "forward") : TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    const custom_attr *a = y->attr;
    const void *input[MAX_INPUTS];
    tg_slot slot[MAX_INPUTS] = {{0}};
    void *grad[MAX_INPUTS] = {0};
    tg_shape in_shape[MAX_INPUTS], shape = tg_shape_from(y);
    bool bad = false;
    for (int i = 0; i < y->n_in; i++) {
        input[i] = y->in[i]->data;
        in_shape[i] = tg_shape_from(y->in[i]);
        if (!tg_wants(y, i))
            continue;
        slot[i] = tg_grad_dense(y, i);
        tg_grad_clear(&slot[i]);
        grad[i] = slot[i].data;
        bad |= !grad[i];
    }
    tg_call call = {.n_inputs = y->n_in,
                    .input = input,
                    .input_shape = in_shape,
                    .output = y->data,
                    .output_shape = &shape,
                    .output_grad = y->grad,
                    .input_grad = grad,
                    .context = context_of(y)};
    if (!bad && !a->op->FN(vjp))
        bad = tg_fail(y->tape, TG_ERR_ARGUMENT, "%s: this custom op has no vjp callback for %s: give it one%s",
                      y->op->name, tg_dtype_name(REAL_DTYPE),
                      REAL_DTYPE == TG_F64 ? " (vjp_f64); the gradient check computes in float64" : "");
    if (!bad && a->op->FN(vjp)(&call))
        bad = call_failed(y, "vjp");
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
#define TG_FAST
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const custom_attr *a = y->attr;
    tg_tensor x[MAX_INPUTS];
    for (int i = 0; i < y->n_in; i++)
        x[i] = tg_in(y, i);
    if (a->grad)
        a->grad(x, y->n_in, tg_handle(y), dy, dx, context_of(y));
    else
        tg_fail(y->tape, TG_ERR_STATE,
                "gradients: the custom op %s (tensor %u) has no grad, a VJP written in operations: see "
                "tg_custom_set_grad",
                y->op->name, y->index);
}

/* The constants of a result of tg_custom; NULL after tg_fail. */
static custom_attr *open_custom(const char *name, tg_tensor y, bool has_function) {
    tg_node *n;
    if (!tg_open(name, "f", 1, &y, &n))
        return NULL;
    if (has_function && n->op && n->op->grad == grad)
        return n->attr;
    tg_fail(y.tape, TG_ERR_ARGUMENT, "%s: %s", name,
            has_function ? "the tensor was not made by tg_custom" : "the function is NULL");
    return NULL;
}

tg_status tg_custom_set_grad(tg_tensor y, tg_custom_grad function) {
    custom_attr *a = open_custom("custom_set_grad", y, function != NULL);
    if (!a)
        return tg_tape_status(y.tape);
    a->grad = function;
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

static double *to_double(tg_tape *t, const tg_node *x) {
    double *p = tg_pool_get(t, (size_t)x->numel * sizeof *p);
    for (int64_t i = 0; i < x->numel && p; i++)
        p[i] = (double)((const long double *)x->data)[i];
    return p;
}

/* y with its operands' and its own elements in double. */
typedef struct in_double {
    tg_node y, x[MAX_INPUTS], *in[MAX_INPUTS];
} in_double;

static bool open_in_double(in_double *d, const tg_node *y) {
    bool ok = true;
    d->y = *y;
    d->y.in = d->in;
    d->y.data = tg_is_floating(y) ? to_double(y->tape, y) : NULL;
    for (int i = 0; i < y->n_in; i++) {
        d->x[i] = *y->in[i];
        d->in[i] = &d->x[i];
        d->x[i].data = d->x[i].dtype == TG_LD ? to_double(y->tape, y->in[i]) : d->x[i].data;
        ok &= d->x[i].data != NULL;
    }
    return ok && d->y.data;
}

static void close_in_double(in_double *d) {
    tg_tape *t = d->y.tape;
    tg_pool_put(t, d->y.data, (size_t)d->y.numel * sizeof(double));
    for (int i = 0; i < d->y.n_in; i++)
        if (d->x[i].dtype == TG_LD)
            tg_pool_put(t, d->x[i].data, (size_t)d->x[i].numel * sizeof(double));
}

/* In long double the user's double callback, on its operands rounded to double. */
static tg_status forward_ld(tg_node *y) {
    in_double d;
    tg_status bad = open_in_double(&d, y) ? forward_f64(&d.y) : tg_tape_status(y->tape);
    for (int64_t j = 0; j < y->numel && !bad; j++)
        ((long double *)y->data)[j] = ((const double *)d.y.data)[j];
    close_in_double(&d);
    return bad;
}

static void note_f64(const tg_node *y, tg_branches *b) {
    const custom_attr *a = y->attr;
    tg_shape in_shape[MAX_INPUTS], shape = tg_shape_from(y);
    const void *input[MAX_INPUTS];
    size_t bytes = (size_t)y->numel * sizeof(int64_t);
    int64_t *branch = tg_pool_get(y->tape, bytes);
    for (int i = 0; i < y->n_in; i++) {
        input[i] = y->in[i]->data;
        in_shape[i] = tg_shape_from(y->in[i]);
    }
    tg_call call = {.n_inputs = y->n_in,
                    .input = input,
                    .input_shape = in_shape,
                    .output = y->data,
                    .output_shape = &shape,
                    .context = context_of(y)};
    if (branch)
        memset(branch, 0, bytes);
    if (branch && a->branches(&call, branch))
        call_failed(y, "branches");
    for (int64_t j = 0; j < y->numel && branch; j++)
        tg_branch(b, branch[j]);
    tg_pool_put(y->tape, branch, bytes);
}

static void note_ld(const tg_node *y, tg_branches *b) {
    in_double d;
    if (open_in_double(&d, y))
        note_f64(&d.y, b);
    close_in_double(&d);
}

tg_status tg_custom_set_branches(tg_tensor y, tg_custom_branches function) {
    custom_attr *a = open_custom("custom_set_branches", y, function != NULL);
    if (!a)
        return tg_tape_status(y.tape);
    a->branches = function;
    a->descriptor.branches[TG_F64] = note_f64;
    a->descriptor.branches[TG_LD] = note_ld;
    return TG_OK;
}

const tg_op tg_op_custom = {.name = "custom",
                            .forward = {[TG_F32] = forward_f32, [TG_F64] = forward_f64, [TG_LD] = forward_ld},
                            .vjp = {[TG_F32] = vjp_f32, [TG_F64] = vjp_f64},
                            .needs = {TG_OUT | 0x7f, TG_OUT | 0x7f, TG_OUT | 0x7f, TG_OUT | 0x7f},
                            .grad = grad,
                            .probe = probe};

bool tg_custom_has_float32(const tg_node *y) {
    const custom_attr *a = y->attr;
    return a->op->forward_f32 && a->op->vjp_f32;
}

static bool has_callbacks(tg_tape *t, const tg_custom_op *op) {
    bool f32 = tg_tape_dtype(t) == TG_F32;
    if ((f32 ? op->forward_f32 : op->forward_f64) && (f32 ? op->vjp_f32 : op->vjp_f64))
        return true;
    tg_fail(t, TG_ERR_ARGUMENT, "%s: this custom op has no forward and vjp callbacks for %s, the tape's dtype",
            op->name, tg_dtype_name(tg_tape_dtype(t)));
    return false;
}

tg_tensor tg_custom(const tg_custom_op *op, const tg_tensor *inputs, int n_inputs, tg_shape shape, const void *context,
                    size_t context_size) {
    tg_node *in[MAX_INPUTS];
    tg_tape *t = NULL;
    for (int i = 0; inputs && i < n_inputs && !t; i++)
        t = inputs[i].tape;
    if (!t || tg_tape_status(t))
        return TG_NULL;
    if (!op || !op->name || n_inputs > MAX_INPUTS || shape.ndim < 0 || shape.ndim > TG_MAX_DIMS ||
        (context_size && !context) || context_size > SIZE_MAX / 4)
        return tg_fail_null(t, TG_ERR_ARGUMENT,
                            "custom: the op or its context is NULL, or it has over %d inputs or %d dims", MAX_INPUTS,
                            TG_MAX_DIMS);
    for (int i = 0; i < shape.ndim; i++)
        if (shape.size[i] < 0)
            return tg_fail_null(t, TG_ERR_SHAPE, "%s: shape %s has a negative size", op->name, tg_shape_text(&shape).s);
    if (!has_callbacks(t, op))
        return TG_NULL;
    if (!tg_open_contiguous(op->name, "****************", n_inputs, inputs, in))
        return TG_NULL;
    tg_node *y =
        tg_node_new(t, &tg_op_custom, n_inputs, in, &shape, tg_tape_dtype(t), sizeof(custom_attr) + context_size);
    if (!y)
        return TG_NULL;
    custom_attr *a = y->attr;
    *a = (custom_attr){.op = op, .descriptor = tg_op_custom};
    a->descriptor.name = op->name;
    y->op = &a->descriptor;
    if (context_size)
        memcpy(a + 1, context, context_size);
    return tg_record(y);
}

#endif
