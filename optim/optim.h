/* tapegrad optim: optimizers, gradient clipping, learning rate schedules.
 *
 * Updates follow PyTorch's order of operations exactly. An optimizer belongs to the tape: it survives rewinds and is
 * freed with the tape. Create its parameters before the mark that the training loop rewinds to. A step reads the
 * accumulated gradients and keeps them: call tg_optim_zero_grad before the next backward. A parameter without a
 * gradient is skipped, its moments too. None of these functions may be called from a hook. */
#ifndef TAPEGRAD_OPTIM_H
#define TAPEGRAD_OPTIM_H

#include "core/tapegrad.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Optimizers ---- */

typedef struct tg_optim tg_optim;

/* Stochastic gradient descent. With g the gradient (negated when maximize) plus weight_decay * p:
 *   buf = momentum * buf + (1 - dampening) * g             the first time buf = g
 *   p -= lr * (nesterov ? g + momentum * buf : buf)        nesterov needs momentum > 0 and dampening 0
 * lr, momentum and weight_decay are at least 0. */
typedef struct tg_sgd_config {
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize;
} tg_sgd_config;
#define TG_SGD_DEFAULTS (TG_LITERAL(tg_sgd_config){1e-3, 0, 0, 0, false, false})

/* Adam (Kingma, Ba 2015) and AdamW (Loshchilov, Hutter 2019). With g the gradient (negated when maximize), and t the
 * parameter's own number of steps:
 *   Adam: g += weight_decay * p.   AdamW: p *= 1 - lr * weight_decay, first.
 *   m += (1 - beta1) (g - m);   v = beta2 v + (1 - beta2) g^2
 *   p -= lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)        (amsgrad: v's largest so far)
 * lr, eps and weight_decay are at least 0, the betas at least 0 and below 1. */
typedef struct tg_adam_config {
    double lr, beta1, beta2, eps, weight_decay;
    bool amsgrad, maximize;
} tg_adam_config;
#define TG_ADAM_DEFAULTS (TG_LITERAL(tg_adam_config){1e-3, 0.9, 0.999, 1e-8, 0, false, false})
#define TG_ADAMW_DEFAULTS (TG_LITERAL(tg_adam_config){1e-3, 0.9, 0.999, 1e-8, 1e-2, false, false})

/* Muon (Jordan et al. 2024), for matrices: the weights of hidden layers. Biases, norms, embeddings and the head are for
 * another optimizer, such as AdamW. With g the gradient of a matrix (A, B):
 *   buf = momentum buf + (1 - momentum) g;   u = nesterov ? momentum buf + (1 - momentum) g : buf
 *   X = u / max(|u|, eps), then ns_steps times:  G = X X^T;  X = a X + (b G + c G^2) X       (X^T when A > B)
 *   p *= 1 - lr weight_decay;   p -= lr ratio X
 * which makes all singular values of the update about 1. ratio, by the shape: ORIGINAL sqrt(max(1, A / B)),
 * MATCH_RMS_ADAMW 0.2 sqrt(max(A, B)), for AdamW's rate and decay, SPECTRAL_UNCLAMPED sqrt(A / B). torch.optim.Muon
 * rounds X to bfloat16 throughout, for speed on GPUs; here X has the tape's dtype, and the two agree to 1 or 2 % (root
 * mean square). lr, momentum and weight_decay are at least 0, eps above 0, ns_steps 0 to 99. */
typedef enum { TG_MUON_ORIGINAL, TG_MUON_MATCH_RMS_ADAMW, TG_MUON_SPECTRAL_UNCLAMPED } tg_muon_adjust;
typedef struct tg_muon_config {
    double lr, weight_decay, momentum;
    bool nesterov;
    double a, b, c, eps;
    int ns_steps;
    tg_muon_adjust adjust_lr_fn;
} tg_muon_config;
#define TG_MUON_DEFAULTS \
    (TG_LITERAL(tg_muon_config){1e-3, 0.1, 0.95, true, 3.4445, -4.7750, 2.0315, 1e-7, 5, TG_MUON_ORIGINAL})

/* NULL on error: a number out of range, an empty list, a tensor that cannot be a parameter, no memory. */
TG_API tg_optim *tg_sgd_new(tg_tape *t, tg_list parameters, tg_sgd_config config);
TG_API tg_optim *tg_adam_new(tg_tape *t, tg_list parameters, tg_adam_config config);
TG_API tg_optim *tg_adamw_new(tg_tape *t, tg_list parameters, tg_adam_config config);
TG_API tg_optim *tg_muon_new(tg_tape *t, tg_list parameters, tg_muon_config config);

/* Update every parameter that has a gradient. TG_ERR_ARGUMENT when o is NULL (a failed tg_adam_new), TG_ERR_STALE when
 * a parameter was rewound away, TG_ERR_MEMORY when Muon's products cannot be allocated; after an error nothing has
 * changed. */
TG_API TG_MUST_USE tg_status tg_optim_step(tg_optim *o);
TG_API void tg_optim_zero_grad(tg_optim *o);

/* ---- Learning rates ---- */

/* Set the learning rate of all groups; get the first group's; get that of a group, numbered in the order of addition
 * (NAN for other numbers). */
TG_API void tg_optim_set_lr(tg_optim *o, double lr);
TG_API double tg_optim_lr(const tg_optim *o);
TG_API double tg_optim_group_lr(const tg_optim *o, int group);
/* Each group's rate becomes factor times that of its config: with a schedule of base 1, tg_optim_scale_lr(o,
 * tg_lr_warmup_cosine(1, t, warmup, total)). */
TG_API void tg_optim_scale_lr(tg_optim *o, double factor);

/* Learning rate schedules: the rate after t steps, for tg_optim_set_lr; base is the initial rate. PyTorch's closed
 * forms (torch.optim.lr_scheduler, t counting the calls of scheduler.step()). An argument out of range (t < 0, a period
 * or total below 1, warmup outside [0, total), descending milestones) gives NaN, which tg_optim_set_lr refuses.
 *   step          base gamma^floor(t / period)
 *   multistep     base gamma^(number of milestones <= t), milestones ascending
 *   exponential   base gamma^t
 *   linear        base (first + (last - first) min(t, total) / total)
 *   polynomial    base (1 - min(t, total) / total)^power
 *   cosine        low + (base - low) (1 + cos(pi t / half)) / 2, rising again after half steps
 *                 (Loshchilov, Hutter 2017)
 *   warm_restarts that cosine, restarted: the first cycle takes `round` steps, each next one growth times as many
 *   warmup_cosine linear from 0 to base at t = warmup, then half a cosine to 0 at t = total, and 0 from there on
 *                 (transformers' get_cosine_schedule_with_warmup up to there, which rises again beyond)
 *   warmup_floor  the same, but starting at base / warmup and ending at base * floor (llm.c) */
TG_API double tg_lr_step(double base, int64_t t, int64_t period, double gamma);
TG_API double tg_lr_multistep(double base, int64_t t, const int64_t *milestones, int n, double gamma);
TG_API double tg_lr_exponential(double base, int64_t t, double gamma);
TG_API double tg_lr_linear(double base, int64_t t, double first, double last, int64_t total);
TG_API double tg_lr_polynomial(double base, int64_t t, int64_t total, double power);
TG_API double tg_lr_cosine(double base, int64_t t, int64_t half, double low);
TG_API double tg_lr_warm_restarts(double base, int64_t t, int64_t round, int64_t growth, double low);
TG_API double tg_lr_warmup_cosine(double base, int64_t t, int64_t warmup, int64_t total);
TG_API double tg_lr_warmup_floor(double base, int64_t t, int64_t warmup, int64_t total, double floor);

/* ---- Clipping ---- */

/* Scale all gradients by max_norm / (total + 1e-6) if that is below 1, where total = (sum |g|^p)^(1/p) over all
 * elements of all gradients and p = norm_type > 0; INFINITY means the largest |g|. *total (may be NULL) receives the
 * norm, 0 when there is no gradient. A norm that is not finite is TG_ERR_NUMERIC, with nothing changed.
 * (torch.nn.utils.clip_grad_norm_ takes the norm of each gradient first: the same up to rounding.) */
TG_API TG_MUST_USE tg_status tg_clip_grad_norm(tg_list parameters, double max_norm, double norm_type, double *total);
/* Clamp each gradient element to [-value, value]. */
TG_API TG_MUST_USE tg_status tg_clip_grad_value(tg_list parameters, double value);

/* ---- Parameter groups ---- */

/* Add a parameter group with its own config, to an optimizer of the same kind. A parameter belongs to one group. */
TG_API TG_MUST_USE tg_status tg_sgd_add_group(tg_optim *o, tg_list parameters, tg_sgd_config config);
TG_API TG_MUST_USE tg_status tg_adam_add_group(tg_optim *o, tg_list parameters, tg_adam_config config);
TG_API TG_MUST_USE tg_status tg_muon_add_group(tg_optim *o, tg_list parameters, tg_muon_config config);

/* ---- Averaged weights ---- */

/* An exponential moving average of the weights. The averages are buffers "prefix.NAME" beside the parameters NAME, and
 * "prefix.n_averaged": saved and resumed with them. update, after a step: average = x the first time, then average =
 * decay average + (1 - decay) x; decay is within [0, 1]. swap exchanges weights and averages: call it before an
 * evaluation, and again after it. (torch.optim.swa_utils.AveragedModel with get_ema_avg_fn.) */
typedef struct tg_ema {
    tg_list parameters, averages;
    tg_tensor n_averaged;
    double decay;
} tg_ema;
TG_API tg_ema tg_ema_new(tg_tape *t, const char *prefix, tg_list parameters, double decay);
TG_API TG_MUST_USE tg_status tg_ema_update(tg_ema *e);
TG_API TG_MUST_USE tg_status tg_ema_swap(tg_ema *e);

/* ---- A run in a file --------------------------------------------------------------------------------------
 *
 *     int64_t step = 0;
 *     tg_run_number place = {"step", &step, NULL};
 *     tg_run run = {.optim = {adamw}, .number = &place, .n_numbers = 1};
 *     if (resume) tg_load_run(t, path, run);
 *     for (; step < steps; step++) { ...; if (step % 100 == 0) tg_save_run(t, path, run); }
 *
 * N steps, a file, and N steps in another process equal 2 N steps, in every bit and for any number of threads, provided
 * that a step depends only on the contents of the file: parameters and buffers, the optimizers' moments, steps,
 * learning rates and configs, the tape's generator, and the program's own numbers: its step (from which a schedule
 * follows), its place in the data, its best loss. Gradients are not in it: save between two steps. */
typedef struct tg_run_number { /* a number of the program's, read and written in place */
    const char *name;
    int64_t *integer; /* one of the two */
    double *real;
} tg_run_number;

enum { TG_RUN_OPTIMS = 4 };
typedef struct tg_run {
    tg_optim *optim[TG_RUN_OPTIMS]; /* NULL after the last; their parameters need names */
    const tg_run_number *number;
    int n_numbers;
} tg_run;

/* Save as tg_save does. tg_load reads the tensors of such a file, too. */
TG_API TG_MUST_USE tg_status tg_save_run(tg_tape *t, const char *path, tg_run run);
/* Load into a tape with the same names, optimizers of the same kinds, groups added in the same order, and the same
 * numbers; learning rates and configs become the file's. All of it or, after an error, nothing. Files of tg_save are
 * rejected. */
TG_API TG_MUST_USE tg_status tg_load_run(tg_tape *t, const char *path, tg_run run);

/* ---- An optimizer of your own ---- */

/* A callback updates one parameter, with arrays of state that are kept for it. Groups, learning rates, schedules and
 * runs in files work as for the others. Example: tests/outside/lion.c. */
enum { TG_OPTIM_STATES = 4, TG_OPTIM_NUMBERS = 10 };
typedef struct tg_update { /* of one parameter that has a gradient */
    int64_t n, step;       /* its elements; its own number of updates, this one included */
    const tg_shape *shape;
    void *p;              /* n numbers of the tape's dtype, row-major, to be changed */
    const void *dp;       /* their gradient */
    void *const *state;   /* an array of n for each name of state, initially zeros */
    double lr;            /* the group's, as last set */
    const double *number; /* the group's numbers */
} tg_update;
typedef struct tg_custom_optim {        /* must outlive the tape */
    const char *name;                   /* this and the names of state: letters, digits and _, at most 40 */
    const char *state[TG_OPTIM_STATES]; /* names for files, not "step"; NULL: no more */
    int n_numbers;                      /* of each group, at least 1: the first is its learning rate, at least 0 */
    /* Called for each parameter, in order. Returns 0, or anything else to fail with TG_ERR_STATE; the parameters before
     * it stay updated. The one for the tape's dtype is required. It may call tg_parallel_for, and compute on the tape
     * if it rewinds, but must not step its own optimizer. */
    int (*step_f32)(const tg_update *u), (*step_f64)(const tg_update *u);
} tg_custom_optim;
/* numbers: n_numbers of them, finite, copied. NULL, or a status, on error: those of tg_adam_new, an invalid name or
 * number, a group for an optimizer of another kind. */
TG_API tg_optim *tg_custom_optim_new(tg_tape *t, const tg_custom_optim *kind, tg_list parameters,
                                     const double *numbers);
TG_API TG_MUST_USE tg_status tg_custom_optim_add_group(tg_optim *o, tg_list parameters, const double *numbers);

#ifdef __cplusplus
}
#endif
#endif
