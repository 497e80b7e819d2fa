/* Causal linear attention, outside of the library: several outputs, numbers kept for the VJP, sequences on the threads.
 *
 * The VJP, with dS what arrives at the state behind token t, and (dn, dw) = (dy / w, -dy.y / w):
 *   forwards   S as in forward:          df(q[t]) = S[t] (dn, dw)
 *   backwards  dS += f(q[t]) (dn, dw)^T:  df(k[t]) = dS v'[t],   dv'[t] = dS^T f(k[t]);  at the end dstate = dS
 *   dq = df(q) f'(q), and f'(x) is 1 for x > 0, else f(x) */
#include "outside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sizes; width is dv + 1. */
typedef struct sizes {
    int64_t B, T, d, dv, width;
} sizes;

static sizes sizes_of(const tg_shape *q, const tg_shape *v) {
    return (sizes){q->size[0], q->size[1], q->size[2], v->size[2], v->size[2] + 1};
}

/* Compiled as linear_attention_kernels.h says, for float and double. */
#define real float
#define EXP expf
#define FN(name) name##_f32
#include "linear_attention_kernels.h"
#undef real
#undef EXP
#undef FN
#define real double
#define EXP exp
#define FN(name) name##_f64
#include "linear_attention_kernels.h"

static const tg_custom_op op = {"linear_attention", forward_f32, vjp_f32, forward_f64, vjp_f64};

static bool fit(tg_shape q, tg_shape k, tg_shape v, tg_shape s) {
    if (q.ndim != 3 || k.ndim != 3 || v.ndim != 3 || s.ndim != 3)
        return false;
    for (int i = 0; i < 3; i++)
        if (q.size[i] != k.size[i] || (i < 2 && q.size[i] != v.size[i]))
            return false;
    return s.size[0] == q.size[0] && s.size[1] == q.size[2] && s.size[2] == v.size[2] + 1;
}

tg_tensor linear_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor state, tg_tensor *end) {
    tg_tensor in[] = {q, k, v, state}, out[2] = {TG_NULL, TG_NULL};
    tg_tape *t = tg_operands("linear_attention", "ffff", 4, in);
    if (t && !fit(tg_shape_of(q), tg_shape_of(k), tg_shape_of(v), tg_shape_of(state)))
        tg_reject(t, TG_ERR_SHAPE, "linear_attention: q %s, k %s, v %s, state %s", tg_describe(q).s, tg_describe(k).s,
                  tg_describe(v).s, tg_describe(state).s);
    if (t && !tg_tape_status(t)) {
        tg_shape shape[] = {tg_shape_of(v), tg_shape_of(state)};
        int64_t tokens = tg_size(q, 0) * tg_size(q, 1);
        tg_custom_config config = {.n_outputs = 2, .shape = shape, .saved = 2 * tg_numel(q) + tokens};
        (void)!tg_custom_with(&op, in, 4, config, out);
    }
    if (end)
        *end = out[1];
    return out[0];
}
