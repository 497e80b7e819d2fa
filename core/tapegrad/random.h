/* tapegrad: random numbers. PyTorch's, from the same seed (MT19937; see core/kernels/rng.c for sources): new tensors,
 * draws from probabilities, initialisation in place, the generator's state. */
#ifndef TAPEGRAD_API_RANDOM_H
#define TAPEGRAD_API_RANDOM_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

TG_API void tg_manual_seed(tg_tape *t, uint64_t seed);
TG_API tg_tensor tg_rand(tg_tape *t, tg_shape shape);                               /* uniform in [0, 1) */
TG_API tg_tensor tg_randn(tg_tape *t, tg_shape shape);                              /* standard normal */
TG_API tg_tensor tg_randint(tg_tape *t, int64_t low, int64_t high, tg_shape shape); /* [low, high), TG_I64 */
TG_API tg_tensor tg_randperm(tg_tape *t, int64_t n);                                /* TG_I64 */

/* n class numbers for each row of probabilities (C) or (R, C), which need not add up to 1, but to a finite number;
 * without replacement they differ. A new TG_I64 leaf (n) or (R, n), which a replay does not redraw. */
TG_API tg_tensor tg_multinomial(tg_tensor probabilities, int64_t n, bool replacement);

/* In place, on a leaf, which is returned: a contiguous one (tg_fill_: or a view of it), floating (tg_bernoulli_ and
 * tg_fill_: any dtype). The formulas are torch.nn.init's, with fan_in = numel / size(0) and fan_out = numel / size(1).
 * TG_ERR_ARGUMENT when a number could be drawn that is not finite in x's dtype. */
TG_API tg_tensor tg_uniform_(tg_tensor x, double from, double to); /* [from, to) */
TG_API tg_tensor tg_normal_(tg_tensor x, double mean, double std);
TG_API tg_tensor tg_bernoulli_(tg_tensor x, double p); /* 1 with probability p, else 0 */
TG_API tg_tensor tg_fill_(tg_tensor x, double value);
TG_API tg_tensor tg_kaiming_uniform_(tg_tensor x, double a); /* leaky_relu gain with slope a, fan_in */
TG_API tg_tensor tg_kaiming_normal_(tg_tensor x, double a);
TG_API tg_tensor tg_xavier_uniform_(tg_tensor x, double gain);
TG_API tg_tensor tg_xavier_normal_(tg_tensor x, double gain);
TG_API tg_tensor tg_trunc_normal_(tg_tensor x, double mean, double std, double low, double high);

/* The generator's whole state. After restoring it, the same numbers follow. */
typedef struct tg_rng_state {
    uint32_t state[624];
    uint32_t left, next;
    uint64_t seed;
    bool has_next_double, has_next_float;
    double next_double;
    float next_float;
} tg_rng_state;
TG_API tg_rng_state tg_get_rng_state(const tg_tape *t);
TG_API TG_MUST_USE tg_status tg_set_rng_state(tg_tape *t, const tg_rng_state *state);

#ifdef __cplusplus
}
#endif
#endif
