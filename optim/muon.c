/* muon: p -= lr * O, with O the running mean of a matrix's gradients with its singular values brought near 1 (Jordan et
 * al. 2024). array[0] is momentum_buffer, array[1] O, computed and used within a step. */
#include "core/kernels/gemm.h"
#include "optim/group.h"

#ifdef real

/* x = momentum mean + (1 - momentum) dp; nesterov: then x = momentum x + (1 - momentum) dp. Returns its norm. */
static double FN(direction)(const tg_muon_config *c, int64_t n, const real *dp, const real *mean, real *x) {
    real momentum = (real)c->momentum, rest = (real)(1 - c->momentum);
    double squares = 0;
    for (int64_t j = 0; j < n; j++) {
        x[j] = FN(tg_lerp)(mean[j], dp[j], rest);
        if (c->nesterov)
            x[j] = FN(tg_lerp)(dp[j], x[j], momentum);
        squares += (double)x[j] * (double)x[j];
    }
    return sqrt(squares);
}

/* y = alpha x + beta y */
static void FN(combine)(int64_t n, double alpha, const real *x, double beta, real *y) {
    real a = (real)alpha, b = (real)beta;
    for (int64_t j = 0; j < n; j++)
        y[j] = a * x[j] + b * y[j];
}

/* Newton-Schulz iteration: G = X X^T, X = a X + (b G + c G^2) X. Each singular value s becomes a s + b s^3 + c s^5,
 * which takes (0, 1] towards 1. X is k x n, the shorter side first. */
static tg_status FN(newton_schulz)(tg_tape *t, const tg_muon_config *c, int64_t k, int64_t n, tg_matrix x,
                                   real *scratch) {
    tg_matrix gram = {scratch, k, 1}, square = {scratch + k * k, k, 1}, product = x;
    product.data = scratch + 2 * k * k;
    if (FN(tg_gemm)(t, k, k, n, x, FN(tg_transposed)(x), false, gram) ||
        FN(tg_gemm)(t, k, k, k, gram, gram, false, square))
        return t->status;
    FN(combine)(k * k, c->b, gram.data, c->c, square.data);
    if (FN(tg_gemm)(t, k, n, k, square, x, false, product))
        return t->status;
    FN(combine)(k * n, 1, product.data, c->a, x.data);
    return TG_OK;
}

static tg_status FN(orthogonalize)(tg_tape *t, const tg_muon_config *c, double ratio, const tg_node *p,
                                   void *const *array, void *scratch) {
    int64_t rows = p->size[0], columns = p->size[1];
    tg_matrix x = {array[1], columns, 1};
    double norm = FN(direction)(c, p->numel, p->grad, array[0], x.data);
    real by = (real)(norm < c->eps ? c->eps : norm); /* NaN stays NaN */
    for (int64_t j = 0; j < p->numel; j++)
        x.data[j] /= by;
    if (rows > columns)
        x = FN(tg_transposed)(x);
    for (int i = 0; i < c->ns_steps; i++)
        if (FN(newton_schulz)(t, c, tg_min(rows, columns), tg_max(rows, columns), x, scratch))
            return t->status;
    FN(combine)(p->numel, 0, x.data, ratio, x.data);
    return TG_OK;
}

/* mean = momentum mean + (1 - momentum) dp;  p -= lr weight_decay p;  p -= lr O */
static void FN(move)(const tg_optim_numbers *numbers, int64_t begin, int64_t end, void *p, const void *dp,
                     void *const *array) {
    const struct tg_muon_numbers *a = &numbers->muon;
    real shrink = (real)a->shrink, lr = (real)a->lr, rest = (real)a->rest, *x = p, *mean = array[0];
    const real *g = dp, *o = array[1];
    for (int64_t j = begin; j < end; j++) {
        mean[j] = FN(tg_lerp)(mean[j], g[j], rest);
        x[j] = x[j] * shrink - lr * o[j];
    }
}

#else
#define TG_SELF "optim/muon.c"
#include "core/twice.h"
TG_WIDE_MOVES(move);

/* The factor of O, so that one learning rate suits matrices of all shapes. */
static double ratio_of(const tg_muon_config *c, const tg_node *p) {
    double rows = (double)p->size[0], columns = (double)p->size[1];
    switch (c->adjust_lr_fn) {
    case TG_MUON_ORIGINAL: return sqrt(fmax(1, rows / columns));
    case TG_MUON_MATCH_RMS_ADAMW: return 0.2 * sqrt(fmax(rows, columns));
    default: return sqrt(rows / columns);
    }
}

/* Computes O into array[1]. */
static tg_status prepare(const tg_optim *o, const tg_group *g, const tg_moments *s) {
    tg_tape *t = o->tape;
    const tg_muon_config *c = &g->config.muon;
    const tg_node *p = t->nodes[s->parameter.index];
    int64_t k = tg_min(p->size[0], p->size[1]);
    if (!p->numel)
        return TG_OK;
    size_t bytes = (size_t)(2 * k * k + p->numel) * tg_dtype_size((tg_dtype)p->dtype); /* at most 3 times p's */
    void *scratch = tg_pool_get(t, bytes);
    if (!scratch)
        return t->status;
    tg_status bad = p->dtype == TG_F32 ? orthogonalize_f32(t, c, ratio_of(c, p), p, s->array, scratch)
                                       : orthogonalize_f64(t, c, ratio_of(c, p), p, s->array, scratch);
    tg_pool_put(t, scratch, bytes);
    return bad;
}

static tg_optim_numbers numbers(const tg_optim_kind *kind, const tg_group *g, int64_t steps) {
    const tg_muon_config *c = &g->config.muon;
    (void)kind, (void)steps;
    struct tg_muon_numbers a = {.shrink = 1 - g->lr * c->weight_decay, .lr = g->lr, .rest = 1 - c->momentum};
    return (tg_optim_numbers){.muon = a};
}

enum { MAX_STEPS = 99 };
static bool config_is_valid(tg_tape *t, const tg_muon_config *c) {
    if (!tg_optim_at_least_0(t, "muon", "lr", c->lr) || !tg_optim_at_least_0(t, "muon", "momentum", c->momentum) ||
        !tg_optim_at_least_0(t, "muon", "weight_decay", c->weight_decay))
        return false;
    if (!(c->eps > 0 && isfinite(c->eps)) || !isfinite(c->a) || !isfinite(c->b) || !isfinite(c->c)) {
        tg_fail(t, TG_ERR_ARGUMENT, "muon: eps is %g, a, b, c are %g, %g, %g, but must be finite, and eps above 0",
                c->eps, c->a, c->b, c->c);
        return false;
    }
    if (c->ns_steps < 0 || c->ns_steps > MAX_STEPS) {
        tg_fail(t, TG_ERR_ARGUMENT, "muon: ns_steps is %d, but must be 0 to %d", c->ns_steps, MAX_STEPS);
        return false;
    }
    if ((int)c->adjust_lr_fn < TG_MUON_ORIGINAL || c->adjust_lr_fn > TG_MUON_SPECTRAL_UNCLAMPED) {
        tg_fail(t, TG_ERR_ARGUMENT, "muon: adjust_lr_fn is %d, which is no tg_muon_adjust", (int)c->adjust_lr_fn);
        return false;
    }
    return true;
}

static void store(const tg_optim_config *config, double *out) {
    const tg_muon_config *c = &config->muon;
    const double numbers[] = {c->lr, c->weight_decay, c->momentum, c->nesterov,    c->a, c->b,
                              c->c,  c->eps,          c->ns_steps, c->adjust_lr_fn};
    memcpy(out, numbers, sizeof numbers);
}

static bool restore(const double *in, int n_arrays, tg_optim_config *config) {
    bool fit =
        in[8] >= 0 && in[8] <= MAX_STEPS && in[8] == floor(in[8]) && in[9] >= 0 && in[9] <= TG_MUON_SPECTRAL_UNCLAMPED;
    tg_muon_config c = {.lr = in[0],
                        .weight_decay = in[1],
                        .momentum = in[2],
                        .nesterov = in[3] != 0,
                        .a = in[4],
                        .b = in[5],
                        .c = in[6],
                        .eps = in[7],
                        .ns_steps = fit ? (int)in[8] : -1,
                        .adjust_lr_fn = fit ? (tg_muon_adjust)in[9] : TG_MUON_ORIGINAL};
    config->muon = c;
    (void)n_arrays; /* always two */
    return config_is_valid(NULL, &c);
}

static const tg_optim_kind muon = {.name = "muon",
                                   .ndim = 2,
                                   .n_numbers = 2 + 10,
                                   .prepare = prepare,
                                   .numbers = numbers,
                                   .store = store,
                                   .restore = restore,
                                   TG_MOVES(move),
                                   .moments = {"momentum_buffer"}};

tg_status tg_muon_add_group(tg_optim *o, tg_list parameters, tg_muon_config config) {
    if (!o)
        return tg_fail(parameters.tape, TG_ERR_ARGUMENT, "muon: the optimizer is NULL");
    if (o->tape->status)
        return o->tape->status;
    if (o->kind != &muon)
        return tg_fail(o->tape, TG_ERR_ARGUMENT, "muon: a group for muon cannot be added to %s", o->kind->name);
    if (!config_is_valid(o->tape, &config))
        return o->tape->status;
    return tg_optim_add(o, parameters, config.lr, (tg_optim_config){.muon = config}, 2);
}

tg_optim *tg_muon_new(tg_tape *t, tg_list parameters, tg_muon_config config) {
    tg_optim *o = tg_optim_new(t, &muon, parameters);
    return o ? tg_optim_finish(o, tg_muon_add_group(o, parameters, config)) : NULL;
}

#endif
