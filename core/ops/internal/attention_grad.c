/* Attention's gradients as recorded tensors. Three operations carry them:
 *
 *   attention_vjp     dq, dk, dv and dmask one after another in one row: the VJP kernel's, of a stand-in
 *   attention_second  its gradient along a cotangent g of that row, with respect to q, k, v, mask and dy: a kernel by
 *                     blocks of queries (core/kernels/attention_second.c). Both keep memory linear in T
 *   dropout_mask      D: the forward's dropout mask, (..., T, S)
 *   hidden_keys       true where causal, window or documents hide a key, (..., T, S)
 *
 * attention_second's grad, for third derivatives and higher, is that of the composition softmax(q k^T scale + mask) v,
 * with (T, S) matrices; and so is attention's own with softcap, alibi, sinks or documents. For these this file calls
 * upward, core/derivatives/gradients.c, which records the gradient of a composition. */
#include "core/kernels/attention_second.h"
#include "core/ops/internal/stand_in.h"

enum { Q, K, V, MASK, Y, DY, G }; /* the inputs of attention_vjp, and G of attention_second */

static bool is_float_mask(const tg_node *mask) { return mask && mask->dtype != TG_BOOL; }

/* The parts of a row are a bit mask: bit i is the gradient of input part_input[i]. attention_vjp's row has some of the
 * first four, attention_second's some of the five; its input G is laid out like attention_vjp's row. */
static const int part_input[] = {Q, K, V, MASK, DY}, part_like[] = {Q, K, V, MASK, Y}; /* like: of its shape */
enum { FIRST_PARTS = 4, PARTS = 5 };
typedef struct row_attr {
    uint32_t first, second;
} row_attr;

static row_attr parts_of(const tg_node *n) { return *(const row_attr *)n->attr; }

static int64_t part_start(tg_node *const *in, uint32_t parts, int i) {
    int64_t at = 0;
    for (int k = 0; k < i; k++)
        at += parts >> k & 1 ? in[part_like[k]]->numel : 0;
    return at;
}

/* NULL when the row has no part i. */
static void *part(const tg_node *n, uint32_t parts, const void *row, int i) {
    ptrdiff_t at = part_start(n->in, parts, i) * (ptrdiff_t)tg_dtype_size(n->tape->dtype);
    return parts >> i & 1 ? (char *)(uintptr_t)row + at : NULL;
}

static uint32_t wanted_parts(const tg_node *n, int most) {
    uint32_t parts = 0;
    for (int i = 0; i < most; i++)
        if (part_input[i] < n->n_in && tg_wants(n, part_input[i]))
            parts |= 1u << i;
    return parts;
}

/* ---- attention_vjp ---- */

static tg_status vjp_forward(tg_node *n) {
    const tg_node *y = n->in[Y];
    tg_stand_in s;
    tg_stand_in_open(&s, y, n->in);
    for (int i = Q; i <= MASK; i++)
        if (part(n, parts_of(n).first, n->data, i))
            tg_stand_in_want(&s, i, part(n, parts_of(n).first, n->data, i));
    s.y.grad = n->in[DY]->data;
    return y->op->vjp[n->tape->dtype](&s.y);
}

static tg_status run_second(const tg_node *n, const void *g, void *const *out) {
    tg_attention_second job = {.y = n->in[Y], .in = n->in, .dy = n->in[DY] ? n->in[DY]->data : NULL};
    memcpy(job.out, out, sizeof job.out);
    for (int i = Q; i <= MASK; i++)
        job.g[i] = part(n, parts_of(n).first, g, i);
    if (n->in[MASK]) {
        int64_t size[TG_MAX_DIMS];
        memcpy(size, n->in[Q]->size, sizeof size);
        size[n->in[Q]->ndim - 1] = n->in[K]->size[n->in[K]->ndim - 2];
        tg_broadcast_strides(n->in[MASK], n->in[MASK]->stride, n->in[Q]->ndim, size, job.mask_stride);
    }
    return n->tape->dtype == TG_F32 ? tg_attention_second_f32(&job) : tg_attention_second_f64(&job);
}

static tg_status vjp_vjp(tg_node *n) {
    tg_slot slot[PARTS] = {{0}};
    void *out[PARTS] = {0};
    bool bad = false;
    for (int k = 0; k < PARTS && !bad; k++) {
        if (!n->in[part_input[k]] || !tg_wants(n, part_input[k]))
            continue;
        slot[k] = tg_grad_dense(n, part_input[k]);
        tg_grad_clear(&slot[k]);
        out[k] = slot[k].data;
        bad = !out[k];
    }
    bad = bad || run_second(n, n->grad, out);
    for (int k = 0; k < PARTS; k++)
        if (out[k])
            tg_grad_close(&slot[k]);
    return bad ? n->tape->status : TG_OK;
}

static tg_tensor record(const tg_op *op, int n_in, tg_node *const *in, row_attr parts) {
    tg_tape *t = in[Q]->tape;
    int64_t n = part_start(in, n_in > G ? parts.second : parts.first, PARTS);
    tg_node *y = tg_node_new(t, op, n_in, in, &TG_SHAPE(n), t->dtype, sizeof parts);
    if (!y)
        return TG_NULL;
    *(row_attr *)y->attr = parts;
    tg_without_grad(y, Y);
    if (in[MASK] && in[MASK]->dtype == TG_BOOL)
        tg_without_grad(y, MASK);
    return tg_record(y);
}

/* Part i of a row, in the shape of the input whose gradient it is. */
static tg_tensor take(tg_node *const *in, uint32_t parts, tg_tensor row, int i) {
    const tg_node *x = in[part_like[i]];
    int64_t at = part_start(in, parts, i);
    return tg_reshape(tg_slice(row, 0, at, at + x->numel, 1), tg_shape_from(x));
}

static void take_all(tg_node *const *in, uint32_t parts, tg_tensor row, tg_tensor *dx) {
    for (int i = 0; i < PARTS; i++)
        if (parts >> i & 1)
            dx[part_input[i]] = take(in, parts, row, i);
}

static const tg_op vjp_op, second_op;

static void kernel_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_node *in[G] = {[Y] = y->tape->nodes[y->index]};
    tg_tensor x[] = {tg_in(y, 0), tg_in(y, 1), tg_in(y, 2), y->in[3] ? tg_in(y, 3) : TG_NULL};
    if (!tg_open_contiguous("gradients", "fff*", y->in[3] ? 4 : 3, x, in) ||
        !tg_open_contiguous("gradients", "f", 1, &dy, &in[DY]))
        return;
    uint32_t parts = wanted_parts(y, FIRST_PARTS);
    take_all(in, parts, record(&vjp_op, G, in, (row_attr){parts, 0}), dx);
}

/* ---- attention_second ---- */

static void vjp_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx) {
    tg_node *in[G + 1];
    memcpy(in, n->in, G * sizeof *in);
    if (!tg_open_contiguous("gradients", "f", 1, &dn, &in[G]))
        return;
    uint32_t parts = wanted_parts(n, PARTS);
    if (parts == 1u << (PARTS - 1))
        in[DY] = NULL; /* linear in dy, so dy is not read for its own part, as in tg_jvp */
    take_all(in, parts, record(&second_op, G + 1, in, (row_attr){parts_of(n).first, parts}), dx);
}

static tg_status second_forward(tg_node *n) {
    void *out[PARTS];
    memset(n->data, 0, tg_grad_bytes(n));
    for (int k = 0; k < PARTS; k++)
        out[k] = part(n, parts_of(n).second, n->data, k);
    return run_second(n, n->in[G]->data, out);
}

/* ---- dropout_mask ---- */

static double drawn(const tg_attention *a, tg_rng_state *rng) {
    if (!a->drops)
        return 1;
    return a->p < 1 && tg_rng_double(rng) < 1 - a->p ? 1 / (1 - a->p) : 0;
}

static tg_status mask_forward(tg_node *n) {
    const tg_node *y = n->in[0];
    const tg_attention *a = y->attr;
    tg_rng_state rng = *tg_attention_generator(y);
    for (int64_t i = 0; i < n->numel; i++)
        if (n->dtype == TG_F32)
            ((float *)n->data)[i] = (float)drawn(a, &rng);
        else
            ((double *)n->data)[i] = drawn(a, &rng);
    return TG_OK;
}

static const tg_op mask_op = {
    .name = "dropout_mask", .forward = TG_ANY(mask_forward), .no_gradient = true, .reads_op = true};

/* ---- hidden_keys ---- */

static tg_status hidden_forward(tg_node *n) {
    tg_attention_job job;
    bool *hidden = n->data;
    if (!tg_attention_open(&job, n->in[0]))
        return tg_tape_status(n->tape);
    for (int64_t row = 0; row < job.a->batches * job.a->T; row++) {
        tg_keys seen = tg_attention_keys(&job, row / job.a->T, row % job.a->T);
        for (int64_t j = 0; j < job.a->S; j++)
            *hidden++ = j < seen.from || j >= seen.end;
    }
    tg_attention_close(&job);
    return TG_OK;
}

static const tg_op hidden_op = {.name = "hidden_keys", .forward = TG_ANY(hidden_forward), .no_gradient = true};

/* A dropout_mask or hidden_keys of the scores' shape; null when the scores are. */
static tg_tensor beside(tg_tensor scores, tg_node *y, const tg_op *op, tg_dtype dtype) {
    tg_shape shape = tg_shape_of(scores);
    tg_node *n = tg_is_null(scores) ? NULL : tg_node_new(y->tape, op, 1, &y, &shape, dtype, 0);
    return n ? tg_record(n) : TG_NULL;
}

/* ---- the composition, for third derivatives and higher ---- */

/* k or v, repeated to as many heads as q. */
static tg_tensor repeat_heads(const tg_node *y, tg_tensor x) {
    const tg_attention *a = y->attr;
    tg_shape shape = tg_shape_of(x);
    int64_t batches = a->batches / a->group, rows = tg_size(x, -2), columns = tg_size(x, -1);
    if (a->group == 1)
        return x;
    for (int i = 0; i < shape.ndim - 2; i++)
        shape.size[i] = y->size[i];
    x = tg_expand(tg_reshape(x, TG_SHAPE(batches, 1, rows, columns)), TG_SHAPE(batches, a->group, rows, columns));
    return tg_reshape(x, shape);
}

/* Numbers for each head, in a shape that broadcasts to the scores. */
static tg_tensor beside_scores(const tg_node *y, tg_tensor heads) {
    return y->ndim > 2 ? tg_reshape(heads, TG_SHAPE(-1, 1, 1)) : heads;
}

static tg_tensor add_alibi(const tg_node *y, tg_tensor s) {
    const tg_attention *a = y->attr;
    tg_tensor at = tg_add_scalar(tg_to_float(tg_arange(y->tape, a->T)), (double)a->offset);
    tg_tensor distance = tg_abs(tg_sub(tg_unsqueeze(at, 1), tg_to_float(tg_arange(y->tape, a->S))));
    return tg_sub(s, tg_mul(distance, beside_scores(y, tg_in(y, TG_ALIBI))));
}

static tg_tensor softmax_with_sinks(const tg_node *y, tg_tensor s, tg_tensor sinks) {
    tg_shape column = tg_shape_of(s);
    if (tg_is_null(s))
        return s;
    int64_t S = column.size[column.ndim - 1];
    column.size[column.ndim - 1] = 1;
    tg_tensor more = tg_expand(beside_scores(y, sinks), column);
    return tg_slice(tg_softmax(tg_cat((tg_tensor[]){s, more}, 2, -1), -1), -1, 0, S, 1);
}

/* x: in place of q, k, v and a floating mask */
static tg_tensor composition(tg_node *y, const tg_tensor *x, const tg_node *mask, tg_tensor sinks) {
    const tg_attention *a = y->attr;
    tg_tensor s = tg_mul_scalar(tg_matmul(x[Q], tg_transpose(repeat_heads(y, x[K]), -1, -2)), a->scale);
    if (a->softcap > 0)
        s = tg_mul_scalar(tg_tanh(tg_div_scalar(s, a->softcap)), a->softcap);
    if (tg_attention_input(y, TG_ALIBI))
        s = add_alibi(y, s);
    if (is_float_mask(mask))
        s = tg_add(s, x[MASK]);
    else if (mask)
        s = tg_masked_fill(s, tg_logical_not(tg_handle(mask)), -INFINITY);
    if (a->limited)
        s = tg_masked_fill(s, beside(s, y, &hidden_op, TG_BOOL), -INFINITY);
    tg_tensor p = tg_is_null(sinks) ? tg_softmax(s, -1) : softmax_with_sinks(y, s, sinks);
    return tg_matmul(a->p > 0 ? tg_mul(p, beside(p, y, &mask_op, y->tape->dtype)) : p, repeat_heads(y, x[V]));
}

/* x as a separate operand that requires a gradient, so that its gradient excludes those of other uses of x. */
static tg_tensor operand(const tg_node *x) {
    tg_tensor zero = tg_scalar(x->tape, 0);
    return tg_add(tg_handle(x), x->requires_grad ? zero : tg_set_requires_grad(zero, true));
}

static void composed_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor x[TG_ATTENTION_INPUTS] = {{0}}, xs[TG_ATTENTION_INPUTS], dxs[TG_ATTENTION_INPUTS];
    int n = 0, m = 0;
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && tg_is_floating(y->in[i]))
            x[i] = operand(y->in[i]);
    tg_tensor again = composition(y->tape->nodes[y->index], x, y->in[MASK], x[TG_SINKS]);
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && tg_wants(y, i))
            xs[n++] = x[i];
    if (tg_gradients_of("gradients", &again, &dy, 1, xs, n, dxs))
        return;
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && tg_wants(y, i))
            dx[i] = dxs[m++];
}

/* The gradients of sum <ys[i], part i of row> over these parts, with respect to the inputs which[0 .. n_x - 1]. */
static tg_status through(const tg_node *n, const tg_tensor *ys, uint32_t parts, tg_tensor row, const int *which,
                         int n_x, const tg_tensor *x, tg_tensor *dx) {
    tg_tensor y[PARTS], dy[PARTS], xs[PARTS + 1] = {{0}}, dxs[PARTS + 1];
    int n_y = 0, m = 0;
    for (int i = 0; i < PARTS; i++)
        if (parts >> i & 1) {
            y[n_y] = ys[part_input[i]];
            dy[n_y++] = take(n->in, parts, row, i);
        }
    for (int i = 0; i < n_x; i++)
        if (!tg_is_null(x[which[i]]))
            xs[m++] = x[which[i]];
    tg_status bad = tg_gradients_of("gradients", y, dy, n_y, xs, m, dxs);
    for (int i = n_x; i-- > 0;)
        dx[which[i]] = tg_is_null(x[which[i]]) ? TG_NULL : dxs[--m];
    return bad;
}

/* n's row is the second derivative of the composition; this is the third. Arrays are indexed by input. */
static void third_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx) {
    static const int all[] = {Q, K, V, MASK, DY, G};
    tg_tensor x[G + 1] = {{0}}, first[G + 1], second[G + 1], xs[FIRST_PARTS], dxs[FIRST_PARTS];
    int m = 0;
    for (int i = 0; i < PARTS + 1; i++)
        if (all[i] != MASK || is_float_mask(n->in[MASK]))
            x[all[i]] = n->in[all[i]] ? operand(n->in[all[i]])
                                      : tg_set_requires_grad(tg_zeros(n->tape, tg_shape_from(n->in[Y])), true);
    for (int i = Q; i <= MASK; i++)
        if (!tg_is_null(x[i]))
            xs[m++] = x[i];
    tg_tensor y = composition(n->in[Y], x, n->in[MASK], TG_NULL);
    if (tg_gradients_of("gradients", &y, &x[DY], 1, xs, m, dxs))
        return;
    for (int i = Q; i < Q + m; i++)
        first[i] = dxs[i];
    if (!through(n, first, parts_of(n).first, x[G], part_input, PARTS, x, second))
        (void)!through(n, second, parts_of(n).second, dn, all, PARTS + 1, x, dx);
}

/* Intermediate derivatives are needed even under no_grad. */
static void with_grad(void (*grad)(const tg_node *n, tg_tensor dn, tg_tensor *dx), const tg_node *n, tg_tensor dn,
                      tg_tensor *dx) {
    tg_tape *t = n->tape;
    int no_grad = t->modes.no_grad;
    t->modes.no_grad = 0;
    grad(n, dn, dx);
    t->modes.no_grad = no_grad;
    for (int i = 0; no_grad && i < n->n_in; i++)
        dx[i] = tg_is_null(dx[i]) ? dx[i] : tg_detach(dx[i]);
}

static void second_grad(const tg_node *n, tg_tensor dn, tg_tensor *dx) { with_grad(third_grad, n, dn, dx); }

void tg_attention_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const tg_attention *a = y->attr;
    if (a->softcap > 0 || y->n_in > MASK + 1)
        with_grad(composed_grad, y, dy, dx);
    else
        kernel_grad(y, dy, dx);
}

enum { EVERYTHING = TG_IN_ALL };
static const tg_op vjp_op = {.name = "attention_vjp",
                             .reads_op = true,
                             .forward = TG_ANY(vjp_forward),
                             .vjp = TG_ANY(vjp_vjp),
                             .grad = vjp_grad,
                             .needs = {EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING}};
static const tg_op second_op = {.name = "attention_second",
                                .reads_op = true,
                                .forward = TG_ANY(second_forward),
                                .vjp = TG_ANY(tg_vjp_by_grad),
                                .grad = second_grad,
                                .needs = {EVERYTHING, EVERYTHING, EVERYTHING, EVERYTHING}};
