/* Gradient clipping, by joint norm and by value. */
#include "optim/group.h"

#ifdef real

/* The sum of |g|^p, in double; for p = INFINITY the largest of largest and |g| (a NaN stays). */
static double FN(add_powers)(int64_t n, const real *g, double p, double sum) {
    for (int64_t j = 0; j < n; j++) {
        double a = fabs((double)g[j]);
        if (p == 2)
            sum += a * a;
        else if (p == 1)
            sum += a;
        else if (!isinf(p))
            sum += pow(a, p);
        else if (a > sum || isnan(a))
            sum = a;
    }
    return sum;
}

static void FN(scale)(int64_t n, real *g, double factor) {
    for (int64_t j = 0; j < n; j++)
        g[j] *= (real)factor;
}

static void FN(clamp)(int64_t n, real *g, double value) {
    real most = (real)value;
    for (int64_t j = 0; j < n; j++)
        g[j] = g[j] > most ? most : g[j] < -most ? -most : g[j];
}

#else
#define TG_SELF "optim/clip.c"
#include "core/twice.h"

/* Is every parameter usable? Their gradients may then be changed. */
static tg_status check_list(const char *name, tg_list list) {
    if (!list.tape || list.tape->status)
        return list.tape ? list.tape->status : TG_ERR_ARGUMENT;
    for (int64_t i = 0; i < list.n; i++)
        if (!tg_optim_parameter(list.tape, name, list.tensor[i]))
            return list.tape->status;
    return TG_OK;
}

static tg_node *with_grad(tg_list list, int64_t i) {
    tg_node *p = list.tape->nodes[list.tensor[i].index];
    return p->has_grad ? p : NULL;
}

static double joint_norm(tg_list list, double p) {
    double sum = 0;
    for (int64_t i = 0; i < list.n; i++) {
        const tg_node *x = with_grad(list, i);
        if (x)
            sum = x->dtype == TG_F32 ? add_powers_f32(x->numel, x->grad, p, sum)
                                     : add_powers_f64(x->numel, x->grad, p, sum);
    }
    return p == 2 ? sqrt(sum) : p == 1 || isinf(p) ? sum : pow(sum, 1 / p);
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
    double norm = joint_norm(list, norm_type);
    if (total)
        *total = norm;
    if (!isfinite(norm))
        return tg_fail(t, TG_ERR_NUMERIC, "clip_grad_norm: the norm of the gradients is %g; nothing was clipped", norm);
    double factor = max_norm / (norm + 1e-6);
    if (factor >= 1)
        return TG_OK;
    for (int64_t i = 0; i < list.n; i++) {
        tg_node *x = with_grad(list, i);
        if (x)
            x->dtype == TG_F32 ? scale_f32(x->numel, x->grad, factor) : scale_f64(x->numel, x->grad, factor);
    }
    return TG_OK;
}

tg_status tg_clip_grad_value(tg_list list, double value) {
    tg_status bad = check_list("clip_grad_value", list);
    if (bad)
        return bad;
    if (!(value >= 0))
        return tg_fail(list.tape, TG_ERR_ARGUMENT, "clip_grad_value: value is %g, but must be at least 0", value);
    for (int64_t i = 0; i < list.n; i++) {
        tg_node *x = with_grad(list, i);
        if (x)
            x->dtype == TG_F32 ? clamp_f32(x->numel, x->grad, value) : clamp_f64(x->numel, x->grad, value);
    }
    return TG_OK;
}

#endif
