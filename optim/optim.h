/* tapegrad optim: what moves parameters. Updates follow PyTorch's order of operations exactly.
 *
 * An optimizer belongs to the tape, outlives rewinds and is freed with the tape. It remembers each parameter's
 * moments. A step uses the gradients that backward left, and forgets none: call tg_optim_zero_grad, or use
 * tg_optim_step's return in a loop that zeroes first. A parameter without a gradient is skipped, its state too.
 */
#ifndef TAPEGRAD_OPTIM_H
#define TAPEGRAD_OPTIM_H

#include "core/tapegrad.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tg_optim tg_optim;

/* Stochastic gradient descent. With g the gradient (negated when maximize) plus weight_decay * p:
 *   buf = momentum * buf + (1 - dampening) * g  (the first time buf = g);  p -= lr * (nesterov ? g + momentum * buf :
 * buf) nesterov needs momentum > 0 and dampening 0. */
typedef struct tg_sgd_config {
    double lr, momentum, dampening, weight_decay;
    bool nesterov, maximize;
} tg_sgd_config;
#define TG_SGD_DEFAULTS (TG_LITERAL(tg_sgd_config){1e-3, 0, 0, 0, false, false})

/* Adam (Kingma, Ba 2015) and AdamW (Loshchilov, Hutter 2019). t counts each parameter's steps:
 *   Adam: g += weight_decay * p.   AdamW: p *= 1 - lr * weight_decay, first.
 *   m += (1 - beta1) (g - m);   v = beta2 v + (1 - beta2) g^2
 *   p -= lr / (1 - beta1^t) * m / (sqrt(v) / sqrt(1 - beta2^t) + eps)        (amsgrad: v's largest so far) */
typedef struct tg_adam_config {
    double lr, beta1, beta2, eps, weight_decay;
    bool amsgrad, maximize;
} tg_adam_config;
#define TG_ADAM_DEFAULTS (TG_LITERAL(tg_adam_config){1e-3, 0.9, 0.999, 1e-8, 0, false, false})
#define TG_ADAMW_DEFAULTS (TG_LITERAL(tg_adam_config){1e-3, 0.9, 0.999, 1e-8, 1e-2, false, false})

/* NULL after an error (numbers out of range, no parameters, out of memory). */
TG_API tg_optim *tg_sgd_new(tg_tape *t, tg_list parameters, tg_sgd_config config);
TG_API tg_optim *tg_adam_new(tg_tape *t, tg_list parameters, tg_adam_config config);
TG_API tg_optim *tg_adamw_new(tg_tape *t, tg_list parameters, tg_adam_config config);

/* A parameter group with numbers of its own, for an optimizer of the same kind. A parameter is in one group. */
TG_API TG_MUST_USE tg_status tg_sgd_add_group(tg_optim *o, tg_list parameters, tg_sgd_config config);
TG_API TG_MUST_USE tg_status tg_adam_add_group(tg_optim *o, tg_list parameters, tg_adam_config config);

/* One update of every parameter that has a gradient. A NULL optimizer is an error, so the calls chain. */
TG_API TG_MUST_USE tg_status tg_optim_step(tg_optim *o);
TG_API void tg_optim_zero_grad(tg_optim *o);
/* The learning rate of all groups; of one. */
TG_API void tg_optim_set_lr(tg_optim *o, double lr);
TG_API double tg_optim_lr(const tg_optim *o);

/* Scale all gradients so that their joint norm (p = norm_type, INFINITY for the largest) is at most max_norm; the
 * norm before goes to *total (may be NULL). A norm that is not finite is TG_ERR_NUMERIC and changes nothing.
 * Clamp each gradient element to [-value, value]. */
TG_API TG_MUST_USE tg_status tg_clip_grad_norm(tg_list parameters, double max_norm, double norm_type, double *total);
TG_API TG_MUST_USE tg_status tg_clip_grad_value(tg_list parameters, double value);

#ifdef __cplusplus
}
#endif
#endif
