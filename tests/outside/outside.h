/* What another project might add to tapegrad: an optimizer and an operation, with the installed headers alone. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#include <tapegrad/optim.h>
#include <tapegrad/tapegrad.h>

/* Lion (Chen et al. 2023). With g the gradient, m zeros at first:
 *   p *= 1 - lr weight_decay;   p -= lr sign(beta1 m + (1 - beta1) g);   m = beta2 m + (1 - beta2) g */
typedef struct lion_config {
    double lr, beta1, beta2, weight_decay;
} lion_config;
tg_optim *lion_new(tg_tape *t, tg_list parameters, lion_config config);
tg_status lion_add_group(tg_optim *lion, tg_list parameters, lion_config config);

/* Causal linear attention (Katharopoulos et al. 2020). With f(x) = elu(x) + 1, and v' = (v, 1), v and a column of ones:
 *   S[t] = S[t-1] + f(k[t]) v'[t]^T,    (n, w) = f(q[t])^T S[t],    y[t] = n / w
 * q and k (B, T, d), v (B, T, dv), state (B, d, dv + 1): S before the first token, zeros for none. Returns y (B, T, dv)
 * and, in *end, S behind the last token, to go on from. T S's are not kept: 2 d + 1 numbers for each token are. */
tg_tensor linear_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor state, tg_tensor *end);

#endif
