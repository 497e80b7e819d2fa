/* Gradient clipping, by joint norm and by value. */
#include "core/kernels/threads.h"
#include "optim/group.h"

#ifndef real
enum { LANES = 8, BLOCK = TG_OPTIM_SHARE };

/* Combines blocks: the total of sums of powers, or for p = INFINITY the maximum (NaN if any is). */
static double add_up(int64_t n, const double *sum, double p) {
    double total = 0;
    for (int64_t i = 0; i < n; i++)
        if (!isinf(p))
            total += sum[i];
        else if (sum[i] > total || isnan(sum[i]))
            total = sum[i];
    return total;
}

static int64_t blocks_of(const tg_node *x) { return (x->numel + BLOCK - 1) / BLOCK; }
#endif

#ifdef real

/* The current gradient: the sums of its blocks, or the factor that it is scaled by. */
typedef struct FN(work) {
    real *g;
    double p, factor;
    double *sum;
} FN(work);

/* The sum of |g|^p, in double; for p = INFINITY the largest |g| (NaN if any is). */
static void FN(sum_block)(void *context, int64_t begin, int64_t end) {
    const FN(work) *w = context;
    double s[LANES] = {0};
    for (int64_t j = begin; j < end; j++) {
        double a = fabs((double)w->g[j]), *to = &s[j % LANES];
        if (w->p == 1)
            *to += a;
        else if (!isinf(w->p))
            *to += pow(a, w->p);
        else if (a > *to || isnan(a))
            *to = a;
    }
    w->sum[begin / BLOCK] = add_up(LANES, s, w->p);
}

/* The same for p = 2, vectorised. */
static void FN(square_block)(void *context, int64_t begin, int64_t end) {
    const FN(work) *w = context;
    const real *g = w->g;
    double s[LANES] = {0};
    int64_t j = begin;
    for (; j + LANES <= end; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += (double)g[j + k] * (double)g[j + k];
    for (; j < end; j++)
        s[j % LANES] += (double)g[j] * (double)g[j];
    w->sum[begin / BLOCK] = add_up(LANES, s, 2);
}

static void FN(scale_block)(void *context, int64_t begin, int64_t end) {
    const FN(work) *w = context;
    for (int64_t j = begin; j < end; j++)
        w->g[j] *= (real)w->factor;
}

static double FN(norm_of)(tg_node *x, double p, double *sum) {
    FN(work) w = {.g = x->grad, .p = p, .sum = sum};
    tg_parallel_range(x->numel, BLOCK, p == 2 ? FN(square_block) : FN(sum_block), &w);
    return add_up(blocks_of(x), sum, p);
}

static void FN(scale)(tg_node *x, double factor) {
    FN(work) w = {.g = x->grad, .factor = factor};
    tg_parallel_range(x->numel, BLOCK, FN(scale_block), &w);
}

static void FN(clamp)(int64_t n, real *g, double value) {
    real most = (real)value;
    for (int64_t j = 0; j < n; j++)
        g[j] = g[j] > most ? most : g[j] < -most ? -most : g[j];
}

#else
#define TG_SELF "optim/clip.c"
#include "core/twice.h"

/* Checks that every parameter is usable, before gradients are changed. */
static tg_status check_list(const char *name, tg_list list) {
    if (tg_tape_status(list.tape) || !tg_outside_backward(list.tape, name))
        return tg_tape_status(list.tape);
    if (list.n < 0 || (list.n && !list.tensor))
        return tg_fail(list.tape, TG_ERR_ARGUMENT, "%s: the list has %lld parameters at %p", name, (long long)list.n,
                       (const void *)list.tensor);
    for (int64_t i = 0; i < list.n; i++)
        if (!tg_optim_parameter(list.tape, name, list.tensor[i]))
            return list.tape->status;
    return TG_OK;
}

static tg_node *with_grad(tg_list list, int64_t i) {
    tg_node *p = list.tape->nodes[list.tensor[i].index];
    return p->has_grad ? p : NULL;
}

static double gradient_bytes(tg_list list) {
    double bytes = 0;
    for (int64_t i = 0; i < list.n; i++)
        bytes += with_grad(list, i) ? (double)tg_grad_bytes(with_grad(list, i)) : 0;
    return bytes;
}

/* *norm = the joint norm; each gradient is summed in blocks, which threads share. */
static tg_status joint_norm(tg_list list, double p, double *norm) {
    double total = 0;
    int64_t most = 0;
    for (int64_t i = 0; i < list.n; i++) {
        const tg_node *x = with_grad(list, i);
        most = x && blocks_of(x) > most ? blocks_of(x) : most;
    }
    size_t bytes = (size_t)most * sizeof(double);
    double *sum = tg_pool_get(list.tape, bytes);
    if (!sum)
        return list.tape->status;
    for (int64_t i = 0; i < list.n; i++) {
        tg_node *x = with_grad(list, i);
        if (!x)
            continue;
        double parts[2] = {total, x->dtype == TG_F32 ? norm_of_f32(x, p, sum) : norm_of_f64(x, p, sum)};
        total = add_up(2, parts, p);
    }
    tg_pool_put(list.tape, sum, bytes);
    *norm = p == 2 ? sqrt(total) : p == 1 || isinf(p) ? total : pow(total, 1 / p);
    return TG_OK;
}

tg_status tg_clip_grad_norm(tg_list list, double max_norm, double norm_type, double *total) {
    tg_status bad = check_list("clip_grad_norm", list);
    if (bad)
        return bad;
    tg_tape *t = list.tape;
    if (!(max_norm >= 0) || !(norm_type > 0))
        return tg_fail(t, TG_ERR_ARGUMENT,
                       "clip_grad_norm: max_norm is %g and norm_type %g, but they must be at least 0 and above 0",
                       max_norm, norm_type);
    double norm = 0;
    int64_t start = tg_profile_start(t);
    bad = joint_norm(list, norm_type, &norm);
    if (bad)
        return bad;
    if (total)
        *total = norm;
    if (!isfinite(norm))
        return tg_fail(t, TG_ERR_NUMERIC, "clip_grad_norm: the norm of the gradients is %g; nothing was clipped", norm);
    double factor = max_norm / (norm + 1e-6);
    for (int64_t i = 0; i < list.n && factor < 1; i++) {
        tg_node *x = with_grad(list, i);
        if (x)
            x->dtype == TG_F32 ? scale_f32(x, factor) : scale_f64(x, factor);
    }
    if (start)
        tg_profile_stop(t, "clip_grad_norm", start, (factor < 1 ? 3 : 1) * gradient_bytes(list));
    return TG_OK;
}

tg_status tg_clip_grad_value(tg_list list, double value) {
    tg_status bad = check_list("clip_grad_value", list);
    if (bad)
        return bad;
    if (!(value >= 0))
        return tg_fail(list.tape, TG_ERR_ARGUMENT, "clip_grad_value: value is %g, but must be at least 0", value);
    int64_t start = tg_profile_start(list.tape);
    for (int64_t i = 0; i < list.n; i++) {
        tg_node *x = with_grad(list, i);
        if (x)
            x->dtype == TG_F32 ? clamp_f32(x->numel, x->grad, value) : clamp_f64(x->numel, x->grad, value);
    }
    if (start)
        tg_profile_stop(list.tape, "clip_grad_value", start, 2 * gradient_bytes(list));
    return TG_OK;
}

#endif
