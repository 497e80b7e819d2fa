/* rope: rotary position embedding (Su et al. 2021). At position p each pair (a, b) of the first `dims` channels is
 * rotated by the angle p base^(-2i / dims), i the pair's index; scaled frequencies are in core/kernels/rope.c:
 *   a' = a cos - b sin    b' = b cos + a sin
 * The gradient is rotated back by the same angle. Pairs are (i, i + dims / 2), or (2i, 2i + 1) when interleaved.
 *
 * saved: cos and sin, times the attention factor, for each token and pair. */
#include "core/kernels/rope.h"
#include "core/kernels/rows.h"

#ifndef real
enum { SHARE = 16 << 10 }; /* elements that one thread takes at a time */

typedef struct turns {
    const tg_node *y;
    void *x; /* x, or its gradient; rows are contiguous, `stride` apart */
    const int64_t *stride;
    bool back, add;
} turns;

/* cos and sin of an angle */
typedef struct turn {
    double cosine, sine;
} turn;

static turn turn_by(double angle) { return (turn){cos(angle), sin(angle)}; }

/* cos and sin of one pair's angles at successive positions: the angle of a multiple of NEAR plus one of NEAR
 * precomputed angles, so that libm is called once per NEAR positions. Below 0, and beyond FAR, where the rounding of
 * large angles would be visible, libm is called directly. */
enum { NEAR = 32, FAR = 1 << 20 };
typedef struct turner {
    double frequency;
    int64_t far;
    turn to_far, near[NEAR];
    bool has_near[NEAR];
} turner;

static turn turn_to(turner *t, int64_t position) {
    if (position < 0 || position > FAR)
        return turn_by((double)position * t->frequency);
    int64_t rest = position % NEAR, far = position - rest;
    if (far != t->far)
        t->to_far = turn_by((double)far * t->frequency);
    t->far = far;
    if (!t->has_near[rest])
        t->near[rest] = turn_by((double)rest * t->frequency);
    t->has_near[rest] = true;
    turn a = t->to_far, b = t->near[rest];
    return (turn){a.cosine * b.cosine - a.sine * b.sine, a.sine * b.cosine + a.cosine * b.sine};
}

static void turn_all(tg_range_task *turn_rows, turns *a) {
    int64_t n = tg_row_length(a->y);
    if (a->y->numel)
        tg_parallel_range(a->y->numel / n, SHARE / n + 1, turn_rows, a);
}
#endif

#ifdef real

/* out = in rotated (direction 1) or rotated back (-1) by a row of angles, pair i being in[i step] and in[i step +
 * apart]; the rest of the n channels is copied. Compiled for each constant step and add. */
static inline __attribute__((always_inline)) void FN(turn_pairs)(int64_t dims, int64_t step, int64_t apart, int64_t n,
                                                                 const real *restrict angles, real direction, bool add,
                                                                 const real *restrict in, real *restrict out) {
    for (int64_t i = 0; i < dims / 2; i++) {
        int64_t at = i * step;
        real cosine = angles[2 * i], sine = direction * angles[2 * i + 1], a = in[at], b = in[at + apart];
        out[at] = a * cosine - b * sine + (add ? out[at] : 0);
        out[at + apart] = b * cosine + a * sine + (add ? out[at + apart] : 0);
    }
    for (int64_t j = dims; j < n; j++)
        out[j] = in[j] + (add ? out[j] : 0);
}

static void FN(rotate)(const tg_rope_config *c, int64_t n, const real *angles, real direction, bool add, const real *in,
                       real *out) {
    if (c->interleaved && add)
        FN(turn_pairs)(c->dims, 2, 1, n, angles, direction, true, in, out);
    else if (c->interleaved)
        FN(turn_pairs)(c->dims, 2, 1, n, angles, direction, false, in, out);
    else if (add)
        FN(turn_pairs)(c->dims, 1, c->dims / 2, n, angles, direction, true, in, out);
    else
        FN(turn_pairs)(c->dims, 1, c->dims / 2, n, angles, direction, false, in, out);
}

/* Rotates strided rows of x to rows of y; or rows of dy back to rows of dx. */
static void FN(turn_rows)(void *context, int64_t begin, int64_t end) {
    const turns *a = context;
    const tg_node *y = a->y;
    const tg_rope_config *c = &((const tg_rope_attr *)y->attr)->config;
    int64_t n = tg_row_length(y), tokens = y->size[y->ndim - 2], run;
    tg_walk w;
    tg_walk_begin(&w, y->ndim - 1, y->size, a->stride);
    tg_walk_seek(&w, begin);
    for (int64_t r = begin; r < end; r += run) {
        run = tg_walk_run(&w) < end - r ? tg_walk_run(&w) : end - r;
        for (int64_t i = 0; i < run; i++) {
            const real *angles = (const real *)y->saved + (r + i) % tokens * c->dims;
            real *x = (real *)a->x + w.offset + i * w.stride[w.ndim - 1];
            if (a->back)
                FN(rotate)(c, n, angles, -1, a->add, (const real *)y->grad + (r + i) * n, x);
            else
                FN(rotate)(c, n, angles, 1, false, x, (real *)y->data + (r + i) * n);
        }
        tg_walk_next(&w, run);
    }
}

/* Fills the angles of pairs begin .. end - 1 at all positions. */
static void FN(fill_angles)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = context;
    const tg_rope_attr *a = y->attr;
    const tg_rope_config *c = &a->config;
    double size = a->scaling.attention_factor;
    for (int64_t i = begin; i < end; i++) {
        turner pair = {.frequency = tg_rope_frequency(a, i), .far = INT64_MIN};
        real *angles = (real *)y->saved + 2 * i;
        for (int64_t p = 0; p < y->size[y->ndim - 2]; p++, angles += c->dims) {
            turn t = turn_to(&pair, c->offset + p);
            angles[0] = (real)(size * t.cosine);
            angles[1] = (real)(size * t.sine);
        }
    }
}

static tg_status FN(forward)(tg_node *y) {
    int64_t pairs = ((const tg_rope_attr *)y->attr)->config.dims / 2;
    if (y->n_saved) /* without elements the number of channels may be anything */
        tg_parallel_range(pairs, SHARE / y->size[y->ndim - 2] + 1, FN(fill_angles), y);
    turn_all(FN(turn_rows), &(turns){.y = y, .x = y->in[0]->data, .stride = y->in[0]->stride});
    return TG_OK;
}

static tg_status FN(vjp)(tg_node *y) {
    tg_slot slot = tg_grad_open(y, 0); /* its rows are contiguous where x's are */
    if (!slot.data)
        return tg_tape_status(y->tape);
    turn_all(FN(turn_rows), &(turns){y, slot.data, slot.stride, true, !slot.fresh});
    return TG_OK;
}

#else
#define TG_SELF "ops/rope.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

static tg_tensor probe(tg_tape *t, int variant) {
    tg_rope_config c = TG_ROPE_DEFAULTS;
    tg_rope_scaling scaling = TG_ROPE_SCALING_DEFAULTS;
    scaling.type = TG_ROPE_YARN;
    scaling.factor = 4;
    c.interleaved = variant == 1 || variant == 3;
    c.offset = variant == 2 ? 5 : 0;
    c.dims = variant == 3 ? 4 : 0;
    switch (variant) {
    case 0: return tg_rope(tg_probe_leaf(t, TG_SHAPE(3, 4)), c);
    case 1: return tg_rope(tg_probe_leaf(t, TG_SHAPE(2, 2, 3, 4)), c);
    case 2: return tg_rope(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 4, 3)), 1, 2), c);
    case 3: return tg_rope(tg_probe_leaf(t, TG_SHAPE(2, 7)), c);
    case 4: return tg_rope(tg_expand(tg_probe_leaf(t, TG_SHAPE(1, 2)), TG_SHAPE(3, 2)), c);
    case 5: return tg_rope(tg_probe_leaf(t, TG_SHAPE(0, 4)), c);
    case 6: return tg_rope(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 2, 4)), 1, 2), c);
    case 7: return tg_rope(tg_slice(tg_probe_leaf(t, TG_SHAPE(3, 6)), 1, 1, 5, 1), c);
    case 8: c.offset = -2; return tg_rope_scaled(tg_probe_leaf(t, TG_SHAPE(3, 8)), c, scaling);
    default: return TG_NULL;
    }
}

/* two products and a sum per element */
static double flops(const tg_node *y, int i) {
    (void)i;
    return 3 * (double)y->numel;
}

const tg_op tg_op_rope = {
    .name = "rope", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp), .flops = flops, .grad = grad, .probe = probe};

/* PyTorch: rope(x) */
tg_tensor tg_rope(tg_tensor x, tg_rope_config config) { return tg_rope_scaled(x, config, TG_ROPE_SCALING_DEFAULTS); }

/* PyTorch: rope(x) */
tg_tensor tg_rope_scaled(tg_tensor x, tg_rope_config config, tg_rope_scaling scaling) {
    tg_node *in;
    tg_tape *t = tg_open("rope", "f", 1, &x, &in);
    if (t && in->ndim && in->stride[in->ndim - 1] != 1)
        t = tg_open_contiguous("rope", "f", 1, &x, &in);
    if (!t)
        return TG_NULL;
    if (in->ndim < 2)
        return tg_fail_null(t, TG_ERR_SHAPE, "rope: x %s must be (..., T, d)", tg_node_text(in).s);
    if (!config.dims)
        config.dims = in->size[in->ndim - 1];
    if (!tg_rope_is_valid(t, in, &config, &scaling))
        return TG_NULL;
    tg_node *y = tg_node_like(t, &tg_op_rope, 1, &in, in, tg_tape_dtype(t), sizeof(tg_rope_attr));
    if (!y || !tg_node_save(y, in->size[in->ndim - 2] * config.dims))
        return TG_NULL;
    *(tg_rope_attr *)y->attr = tg_rope_attr_of(config, scaling);
    return tg_record(y);
}

#endif
