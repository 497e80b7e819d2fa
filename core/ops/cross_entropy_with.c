/* cross_entropy_with: cross_entropy with a weight w for each class and label smoothing s (Szegedy et al. 2016). Of row
 * r with target t, p = softmax(x[r]) and C classes the loss is
 *   -(1 - s) w[t] ln p[t] - s / C sum_c w[c] ln p[c]
 * The mean divides by the sum of w[t]. Rows whose target is ignore_index are skipped.
 * dx[r][c] = (p[c] ((1 - s) w[t] + s / C sum w) - (1 - s) w[t] [c = t] - s / C w[c]) dloss[r]
 *
 * saved: per row the maximum m and the sum of e^(x - m). A row of -inf only has loss inf and no gradient. */
#include "core/kernels/rows.h"
#include "core/kernels/vmath.h"
#include "core/ops/internal/along_dim.h"

#ifndef real
/* The weights of a row's terms: the target's, and each class's, to be multiplied by w[c] (1 without weights). */
typedef struct shares {
    double target, each, all; /* all: the sum of each w[c] */
} shares;

enum { SHARE = 16 << 10 }; /* elements that one thread takes at a time */

typedef struct job {
    const tg_node *y;
    shares s;
    double *loss; /* forward: of each row */
    void *e;      /* forward: a row for each worker */
    double divisor;
    void *dx;
    bool fresh;
} job;

static int64_t classes_of(const tg_node *y) { return y->in[0]->size[y->in[0]->ndim - 1]; }
static int64_t rows_of_block(int64_t classes) { return SHARE / (classes + 1) + 1; }

/* All targets are checked before anything is written. */
static tg_status check_targets(const tg_node *y) {
    const tg_cross_entropy_config *a = y->attr;
    const int64_t *target = y->in[1]->data, classes = classes_of(y);
    for (int64_t r = 0; r < y->in[1]->numel; r++)
        if (target[r] != a->ignore_index && (target[r] < 0 || target[r] >= classes))
            return tg_fail(y->tape, TG_ERR_INDEX,
                           "cross_entropy_with: target %lld at position %lld of %s is not in 0 .. %lld",
                           (long long)target[r], (long long)r, tg_node_text(y->in[1]).s, (long long)classes - 1);
    return TG_OK;
}
#endif

#ifdef real

static real FN(weight)(const tg_node *y, int64_t c) { return y->in[2] ? ((const real *)y->in[2]->data)[c] : 1; }

static shares FN(shares_of)(const tg_node *y) {
    const tg_cross_entropy_config *a = y->attr;
    int64_t n = classes_of(y);
    shares s = {1 - a->label_smoothing, n ? a->label_smoothing / (double)n : 0, 0};
    for (int64_t c = 0; c < n; c++)
        s.all += s.each * (double)FN(weight)(y, c);
    return s;
}

/* The divisor of the sum of the rows' losses. */
static wide FN(divisor)(const tg_node *y) {
    const tg_cross_entropy_config *a = y->attr;
    const int64_t *target = y->in[1]->data;
    wide sum = 0;
    for (int64_t r = 0; r < y->in[1]->numel; r++)
        sum += target[r] == a->ignore_index ? 0 : (wide)FN(weight)(y, target[r]);
    return a->reduction == TG_MEAN ? sum : 1;
}

/* The loss of a row from its maximum and sum. Classes of weight 0 are skipped, infinite or not. */
static wide FN(row_loss)(const tg_node *y, const shares *s, const real *x, int64_t target, const real *saved) {
    wide log_sum = log((wide)saved[1]), m = (wide)saved[0], loss = 0, w = (wide)FN(weight)(y, target);
    if (saved[1] == 0)
        return INFINITY;
    if (s->target * w != 0)
        loss = s->target * w * (log_sum - ((wide)x[target] - m));
    for (int64_t c = 0; c < classes_of(y) && s->each != 0; c++)
        if (FN(weight)(y, c) != 0)
            loss += s->each * (wide)FN(weight)(y, c) * (log_sum - ((wide)x[c] - m));
    return loss;
}

static void FN(forward_rows)(void *context, int64_t block, int worker) {
    const job *j = context;
    const tg_cross_entropy_config *a = j->y->attr;
    int64_t n = classes_of(j->y), each = rows_of_block(n), left = j->y->in[1]->numel - block * each;
    const int64_t *target = (const int64_t *)j->y->in[1]->data + block * each;
    const real *x = (const real *)j->y->in[0]->data + block * each * n;
    real *saved = (real *)j->y->saved + 2 * block * each, *e = (real *)j->e + worker * n;
    for (int64_t r = 0; r < each && r < left; r++, x += n, saved += 2) {
        saved[0] = FN(tg_row_max)(n, x);
        FN(tg_vexp)(n, e, x, saved[0] == -INFINITY ? 0 : saved[0]);
        saved[1] = FN(tg_row_sum)(n, e);
        j->loss[block * each + r] = target[r] == a->ignore_index ? 0 : FN(row_loss)(j->y, &j->s, x, target[r], saved);
    }
}

/* In the order of the rows, whichever thread computed them. */
static void FN(put_losses)(tg_node *y, const double *loss) {
    const tg_cross_entropy_config *a = y->attr;
    real *out = y->data;
    wide total = 0;
    for (int64_t r = 0; r < y->in[1]->numel; r++) {
        if (a->reduction == TG_NONE)
            out[r] = (real)loss[r];
        total += loss[r];
    }
    if (a->reduction != TG_NONE)
        out[0] = (real)(total / FN(divisor)(y));
}

static tg_status FN(forward)(tg_node *y) {
    int64_t rows = y->in[1]->numel, n = classes_of(y), blocks = (rows - 1) / rows_of_block(n) + 1;
    int workers = blocks > 1 ? tg_workers() : 1;
    size_t losses = (size_t)rows * sizeof(double), bytes = losses + (size_t)(workers * n) * sizeof(real);
    double *scratch;
    if (check_targets(y) || !(scratch = tg_pool_get(y->tape, bytes)))
        return tg_tape_status(y->tape);
    job j = {.y = y, .s = FN(shares_of)(y), .loss = scratch, .e = scratch + rows};
    tg_parallel(workers, rows ? blocks : 0, FN(forward_rows), &j);
    FN(put_losses)(y, scratch);
    tg_pool_put(y->tape, scratch, bytes);
    return TG_OK;
}

/* dx = or += (e^(x - m) / sum all - each w[c]) dloss, for n classes from the first on */
static void FN(vjp_row)(const job *j, int64_t n, const real *x, const real *saved, real all, real dloss, real *dx) {
    const real *w = j->y->in[2] ? j->y->in[2]->data : NULL;
    real e[TG_ROW_MAX], each = (real)j->s.each, sum = saved[1];
    for (int64_t at = 0, some; at < n; at += some) {
        some = n - at < TG_ROW_MAX ? n - at : TG_ROW_MAX;
        FN(tg_vexp)(some, e, x + at, saved[0]);
        for (int64_t c = 0; c < some && w; c++)
            e[c] = (e[c] / sum * all - each * w[at + c]) * dloss;
        for (int64_t c = 0; c < some && !w; c++)
            e[c] = (e[c] / sum * all - each) * dloss;
        if (j->fresh)
            memcpy(dx + at, e, (size_t)some * sizeof(real));
        for (int64_t c = 0; c < some && !j->fresh; c++)
            dx[at + c] += e[c];
    }
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const job *j = context;
    const tg_cross_entropy_config *a = j->y->attr;
    int64_t n = classes_of(j->y);
    for (int64_t r = begin; r < end; r++) {
        const real *x = (const real *)j->y->in[0]->data + r * n, *saved = (const real *)j->y->saved + 2 * r;
        const real *dy = j->y->grad;
        int64_t target = ((const int64_t *)j->y->in[1]->data)[r];
        real *dx = (real *)j->dx + r * n;
        bool counts = target != a->ignore_index && saved[1] != 0;
        if (!counts && j->fresh)
            memset(dx, 0, (size_t)n * sizeof(real));
        if (!counts)
            continue;
        real dloss = a->reduction == TG_NONE ? dy[r] : dy[0] / (real)j->divisor;
        real mine = (real)j->s.target * FN(weight)(j->y, target);
        real held = j->fresh ? 0 : dx[target]; /* as in cross_entropy.c */
        dx[target] = 0;
        FN(vjp_row)(j, n, x, saved, mine + (real)j->s.all, dloss, dx);
        dx[target] = held + (dx[target] - mine * dloss);
    }
}

static tg_status FN(vjp)(tg_node *y) {
    tg_slot slot = tg_grad_dense(y, 0);
    if (!slot.data)
        return tg_tape_status(y->tape);
    job j = {.y = y, .s = FN(shares_of)(y), .divisor = FN(divisor)(y), .dx = slot.data, .fresh = slot.fresh};
    tg_parallel_range(y->in[1]->numel, rows_of_block(classes_of(y)), FN(vjp_rows), &j);
    tg_grad_close(&slot);
    return TG_OK;
}

#else
#define TG_SELF "ops/cross_entropy_with.c"
#include "core/twice.h"

/* As in cross_entropy.c. */
static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    const tg_cross_entropy_config *a = y->attr;
    int64_t n = classes_of(y);
    tg_tensor target = tg_unsqueeze(tg_in(y, 1), -1), w = y->in[2] ? tg_in(y, 2) : tg_ones(y->tape, TG_SHAPE(n));
    tg_tensor ignored = tg_eq(target, tg_from_ints(y->tape, TG_SCALAR, &a->ignore_index));
    tg_tensor p = tg_softmax(tg_masked_fill(tg_in(y, 0), ignored, 0), -1);
    tg_tensor none = tg_logical_or(ignored, tg_eq(tg_sum_last(p), tg_scalar(y->tape, 0)));
    tg_tensor onehot = tg_to_float(tg_eq(target, tg_arange(y->tape, n)));
    tg_tensor each = tg_mul_scalar(w, a->label_smoothing / (double)n);
    tg_tensor mine = tg_mul(onehot, tg_mul_scalar(w, 1 - a->label_smoothing));
    tg_tensor all = tg_add(tg_sum_last(mine), tg_sum(each, TG_ALL_DIMS, false));
    if (a->reduction == TG_MEAN) {
        tg_tensor own = tg_masked_fill(tg_sum_last(tg_mul(onehot, w)), ignored, 0);
        dy = tg_div(dy, tg_sum(own, TG_ALL_DIMS, false));
    }
    tg_tensor dloss = tg_masked_fill(tg_unsqueeze(tg_expand(dy, tg_shape_from(y->in[1])), -1), none, 0);
    dx[0] = tg_mul(tg_sub(tg_sub(tg_mul(p, all), mine), each), dloss);
}

static tg_tensor probe(tg_tape *t, int variant) {
    static const int64_t targets[] = {2, 0, 3, 2, -100, 1};
    static const double weights[] = {0.5, 2, 0, 1.25};
    tg_tensor y = tg_from_ints(t, TG_SHAPE(6), targets);
    tg_cross_entropy_config c = TG_CROSS_ENTROPY_DEFAULTS;
    c.label_smoothing = variant == 1 ? 0 : 0.2;
    if (variant != 2)
        c.weight = tg_from_doubles(t, TG_SHAPE(4), weights);
    c.reduction = variant == 3 ? TG_NONE : variant == 4 ? TG_SUM : TG_MEAN;
    switch (variant) {
    case 0:
    case 1:
    case 2: return tg_cross_entropy_with(tg_probe_leaf(t, TG_SHAPE(6, 4)), y, c);
    case 3: return tg_cross_entropy_with(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), tg_reshape(y, TG_SHAPE(2, 3)), c);
    case 4:
        c.ignore_index = 3;
        y = tg_slice(y, 0, 0, 6, 2);
        y = tg_slice(y, 0, 0, 2, 1);
        return tg_cross_entropy_with(tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 2)), 0, 1), y, c);
    default: return TG_NULL;
    }
}

/* A logit costs 3 more than in cross_entropy. */
static double flops(const tg_node *y, int i) {
    (void)i;
    return 6 * (double)y->in[0]->numel;
}

const tg_op tg_op_cross_entropy_with = {.name = "cross_entropy_with",
                                        .cancels = true,
                                        .forward = TG_BOTH(forward),
                                        .vjp = TG_BOTH(vjp),
                                        .needs = {TG_IN(0) | TG_IN(1) | TG_IN(2)},
                                        .flops = flops,
                                        .grad = grad,
                                        .probe = probe};

static bool fits(const tg_node *logits, const tg_node *targets, const tg_node *weight) {
    if (logits->ndim != targets->ndim + 1)
        return false;
    for (int i = 0; i < targets->ndim; i++)
        if (logits->size[i] != targets->size[i])
            return false;
    return !weight || (weight->ndim == 1 && weight->size[0] == logits->size[logits->ndim - 1]);
}

/* PyTorch: F.cross_entropy(logits, targets) */
tg_tensor tg_cross_entropy_with(tg_tensor logits, tg_tensor targets, tg_cross_entropy_config config) {
    const char *name = "cross_entropy_with";
    tg_tensor operands[] = {logits, targets, config.weight};
    tg_node *in[3];
    tg_tape *t = tg_open_contiguous(name, "fiF", 3, operands, in);
    if (!t)
        return TG_NULL;
    if (!fits(in[0], in[1], in[2]))
        return tg_fail_null(t, TG_ERR_SHAPE, "%s: logits %s, targets %s and weight %s must be (..., C), (...) and (C)",
                            name, tg_describe(logits).s, tg_describe(targets).s, tg_describe(config.weight).s);
    if (!(config.label_smoothing >= 0 && config.label_smoothing <= 1))
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: label_smoothing is %g, but must be within [0, 1]", name,
                            config.label_smoothing);
    if (!tg_check_reduction(t, name, config.reduction, in[0]))
        return TG_NULL;
    tg_shape shape = config.reduction == TG_NONE ? tg_shape_from(in[1]) : TG_SCALAR;
    tg_node *y = tg_node_new(t, &tg_op_cross_entropy_with, 3, in, &shape, tg_tape_dtype(t), sizeof config);
    if (!y || !tg_node_save(y, 2 * in[1]->numel))
        return TG_NULL;
    config.weight = TG_NULL; /* constants hold no pointers into the tape */
    *(tg_cross_entropy_config *)y->attr = config;
    tg_without_grad(y, 2);
    return tg_record(y);
}

#endif
