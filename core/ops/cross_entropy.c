/* cross_entropy: of row r the loss is -ln softmax(x[r])[target[r]], in nats; averaged, summed or unreduced.
 * Rows whose target is ignore_index give 0 and no gradient; the mean divides by the number of others.
 * dx[r] = (softmax(x[r]) - onehot(target[r])) dloss[r]
 *
 * saved: per row the maximum m and the sum of e^(x - m). A row of -inf only has loss inf and no gradient. */
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"
#include "core/ops/internal/along_dim.h"

#ifndef real
enum { PIECE = 256, SHARE = 16 << 10 }; /* SHARE: logits that one thread takes at a time */

typedef struct cross_entropy_attr {
    int64_t ignore_index, classes;
    tg_reduction reduction;
} cross_entropy_attr;

/* All targets are checked before anything is written. */
static tg_status check_targets(const tg_node *y) {
    const cross_entropy_attr *a = y->attr;
    const int64_t *target = y->in[1]->data;
    for (int64_t r = 0; r < y->in[1]->numel; r++)
        if (target[r] != a->ignore_index && (target[r] < 0 || target[r] >= a->classes))
            return tg_fail(y->tape, TG_ERR_INDEX,
                           "cross_entropy: target %lld at position %lld of %s is not in 0 .. %lld",
                           (long long)target[r], (long long)r, tg_node_text(y->in[1]).s, (long long)a->classes - 1);
    return TG_OK;
}

/* The divisor of the sum of the rows' losses. */
static double divisor(const tg_node *y) {
    const cross_entropy_attr *a = y->attr;
    const int64_t *target = y->in[1]->data;
    int64_t counted = 0;
    for (int64_t r = 0; r < y->in[1]->numel; r++)
        counted += target[r] != a->ignore_index;
    return a->reduction == TG_MEAN ? (double)counted : 1;
}

/* Rows, shared among threads in blocks of `each`. */
typedef struct rows {
    tg_node *y;
    int64_t each, blocks;
    int workers;
    void *scratch;  /* a row per worker */
    tg_slot slot;   /* backward */
    double divisor; /* backward */
} rows;

static rows rows_of(tg_node *y) {
    int64_t n = ((const cross_entropy_attr *)y->attr)->classes, count = y->in[1]->numel;
    rows r = {.y = y, .each = n < SHARE ? SHARE / (n + 1) + 1 : 1};
    r.blocks = (count + r.each - 1) / r.each;
    r.workers = r.blocks > 1 ? tg_workers() : 1;
    return r;
}

static int64_t first_after(const rows *r, int64_t block) {
    int64_t end = (block + 1) * r->each, all = r->y->in[1]->numel;
    return end < all ? end : all;
}
#endif

#ifdef real

/* Each row's maximum and sum of e^(x - m). */
static void FN(sum_rows)(void *context, int64_t block, int worker) {
    const rows *r = context;
    int64_t n = ((const cross_entropy_attr *)r->y->attr)->classes;
    const real *x = r->y->in[0]->data;
    real *saved = r->y->saved, *e = (real *)r->scratch + worker * n;
    for (int64_t i = block * r->each; i < first_after(r, block); i++) {
        real m = saved[2 * i] = FN(tg_row_max)(n, x + i * n);
        FN(tg_vexp)(n, e, x + i * n, m == -INFINITY ? 0 : m);
        saved[2 * i + 1] = FN(tg_row_sum)(n, e);
    }
}

static void FN(losses)(tg_node *y) {
    const cross_entropy_attr *a = y->attr;
    const real *x = y->in[0]->data, *saved = y->saved;
    const int64_t *target = y->in[1]->data;
    real *out = y->data;
    wide total = 0;
    for (int64_t r = 0; r < y->in[1]->numel; r++, saved += 2, x += a->classes) {
        real loss = 0;
        if (target[r] != a->ignore_index)
            loss = saved[1] == 0 ? INFINITY : saved[0] - x[target[r]] + M(log)(saved[1]);
        if (a->reduction == TG_NONE)
            out[r] = loss;
        total += (wide)loss;
    }
    if (a->reduction != TG_NONE)
        out[0] = (real)(total / divisor(y));
}

static tg_status FN(forward)(tg_node *y) {
    if (check_targets(y))
        return tg_tape_status(y->tape);
    rows r = rows_of(y);
    size_t bytes = (size_t)(r.workers * ((const cross_entropy_attr *)y->attr)->classes) * sizeof(real);
    r.scratch = tg_pool_get(y->tape, bytes);
    if (!r.scratch)
        return tg_tape_status(y->tape);
    tg_parallel(r.workers, r.blocks, FN(sum_rows), &r);
    tg_pool_put(y->tape, r.scratch, bytes);
    FN(losses)(y);
    return TG_OK;
}

/* dx = or += e^(x - m) factor */
static void FN(add_softmax)(int64_t n, real *dx, bool fresh, const real *x, real m, real factor) {
    real e[PIECE];
    for (int64_t at = 0; at < n; at += PIECE) {
        int64_t piece = n - at < PIECE ? n - at : PIECE;
        FN(tg_vexp)(piece, e, x + at, m);
        if (fresh)
            for (int64_t j = 0; j < piece; j++)
                dx[at + j] = e[j] * factor;
        else
            for (int64_t j = 0; j < piece; j++)
                dx[at + j] += e[j] * factor;
    }
}

static void FN(vjp_row)(const tg_node *y, int64_t i, bool fresh, real *dx, real dloss) {
    int64_t n = ((const cross_entropy_attr *)y->attr)->classes, target = ((const int64_t *)y->in[1]->data)[i];
    const real *x = (const real *)y->in[0]->data + i * n, *saved = (const real *)y->saved + 2 * i;
    bool ignored = target == ((const cross_entropy_attr *)y->attr)->ignore_index || saved[1] == 0;
    if (ignored && fresh)
        memset(dx, 0, (size_t)n * sizeof(real));
    if (ignored)
        return;
    real held =
        fresh ? 0 : dx[target]; /* kept apart: rounding would lose it beside a large dloss, and softmax - 1 may be 0 */
    dx[target] = 0;
    FN(add_softmax)(n, dx, fresh, x, saved[0], dloss / saved[1]);
    dx[target] = held + (dx[target] - dloss);
}

static void FN(vjp_rows)(void *context, int64_t block, int worker) {
    const rows *r = context;
    const cross_entropy_attr *a = r->y->attr;
    const real *dy = r->y->grad;
    for (int64_t i = block * r->each; i < first_after(r, block); i++)
        FN(vjp_row)
    (r->y, i, r->slot.fresh, (real *)r->slot.data + i * a->classes,
     a->reduction == TG_NONE ? dy[i] : dy[0] / (real)r->divisor);
    (void)worker;
}

static tg_status FN(vjp)(tg_node *y) {
    rows r = rows_of(y);
    r.slot = tg_grad_dense(y, 0);
    if (!r.slot.data)
        return tg_tape_status(y->tape);
    r.divisor = divisor(y);
    tg_parallel(r.workers, r.blocks, FN(vjp_rows), &r);
    tg_grad_close(&r.slot);
    return TG_OK;
}

#else
#define TG_SELF "ops/cross_entropy.c"
#include "core/twice.h"

/* (softmax - onehot) dloss. An ignored row is not read, nor its dloss: 0 times NaN is NaN. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const cross_entropy_attr *a = y->attr;
    tg_tensor target = tg_unsqueeze(tg_in(y, 1), -1);
    tg_tensor ignored = tg_eq(target, tg_from_ints(y->tape, TG_SCALAR, &a->ignore_index));
    tg_tensor p = tg_softmax(tg_masked_fill(tg_in(y, 0), ignored, 0), -1);
    tg_tensor none = tg_logical_or(ignored, tg_eq(tg_sum_last(p), tg_scalar(y->tape, 0)));
    if (a->reduction == TG_MEAN)
        dy = tg_div(dy, tg_sum(tg_to_float(tg_logical_not(ignored)), TG_ALL_DIMS, false));
    tg_tensor dloss = tg_masked_fill(tg_unsqueeze(tg_expand(dy, tg_shape_from(y->in[1])), -1), none, 0);
    tg_tensor onehot = tg_to_float(tg_eq(target, tg_arange(y->tape, a->classes)));
    dx[0] = tg_mul(tg_sub(p, onehot), dloss);
}

static tg_tensor probe(tg_tape *t, int variant) {
    static const int64_t targets[] = {2, 0, 3, 2, -100, 1};
    tg_tensor y = tg_from_ints(t, TG_SHAPE(6), targets);
    switch (variant) {
    case 0: return tg_cross_entropy(tg_probe_leaf(t, TG_SHAPE(6, 4)), y, TG_IGNORE_INDEX, TG_MEAN);
    case 1: return tg_cross_entropy(tg_probe_leaf(t, TG_SHAPE(4, 4)), tg_slice(y, 0, 0, 4, 1), 2, TG_SUM);
    case 2:
        return tg_cross_entropy(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), tg_reshape(y, TG_SHAPE(2, 3)), TG_IGNORE_INDEX,
                                TG_NONE);
    case 3:
        return tg_cross_entropy(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 3)), 0, 1), tg_slice(y, 0, 0, 6, 2),
                                TG_IGNORE_INDEX, TG_MEAN);
    case 4: return tg_cross_entropy(tg_probe_leaf(t, TG_SHAPE(4)), tg_select(y, 0, 0), TG_IGNORE_INDEX, TG_MEAN);
    case 5: return tg_cross_entropy(tg_probe_leaf(t, TG_SHAPE(0, 4)), tg_slice(y, 0, 0, 0, 1), TG_IGNORE_INDEX, TG_SUM);
    default: return TG_NULL;
    }
}

/* A logit costs 1 each for the difference from the maximum, e^ and the sum; backward 1 each for the difference, e^ and
 * the product. */
static double flops(const tg_node *y, int i) {
    (void)i;
    return 3 * (double)y->in[0]->numel;
}

const tg_op tg_op_cross_entropy = {.name = "cross_entropy",
                                   .cancels = true,
                                   .forward = TG_BOTH(forward),
                                   .vjp = TG_BOTH(vjp),
                                   .needs = {TG_IN(0) | TG_IN(1)},
                                   .flops = flops,
                                   .grad = grad,
                                   .probe = probe};

static bool fits(const tg_node *logits, const tg_node *targets) {
    if (logits->ndim != targets->ndim + 1)
        return false;
    for (int i = 0; i < targets->ndim; i++)
        if (logits->size[i] != targets->size[i])
            return false;
    return true;
}

/* PyTorch: F.cross_entropy(logits, targets, None, None, ignore_index, None, reduction) */
tg_tensor tg_cross_entropy(tg_tensor logits, tg_tensor targets, int64_t ignore_index, tg_reduction reduction) {
    tg_node *in[2];
    tg_tape *t = tg_open_contiguous("cross_entropy", "fi", 2, (tg_tensor[]){logits, targets}, in);
    if (!t)
        return TG_NULL;
    if (!fits(in[0], in[1]))
        return tg_fail_null(t, TG_ERR_SHAPE, "cross_entropy: logits %s and targets %s: they must be (..., C) and (...)",
                            tg_node_text(in[0]).s, tg_node_text(in[1]).s);
    if (!tg_check_reduction(t, "cross_entropy", reduction, in[0]))
        return TG_NULL;
    tg_shape shape = reduction == TG_NONE ? tg_shape_from(in[1]) : TG_SCALAR;
    tg_node *y = tg_node_new(t, &tg_op_cross_entropy, 2, in, &shape, tg_tape_dtype(t), sizeof(cross_entropy_attr));
    if (!y || !tg_node_save(y, 2 * in[1]->numel))
        return TG_NULL;
    *(cross_entropy_attr *)y->attr = (cross_entropy_attr){ignore_index, in[0]->size[in[0]->ndim - 1], reduction};
    return tg_record(y);
}

#endif
