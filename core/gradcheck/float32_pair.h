/* Private to the check of float32 kernels: one operation alone in both dtypes, shared by float32_pair.c and
 * float32_twin.c. */
#ifndef TAPEGRAD_FLOAT32_PAIR_H
#define TAPEGRAD_FLOAT32_PAIR_H

#include "core/gradcheck/float32.h"

typedef struct tg_pair {
    const tg_node *original;
    tg_node *y[2], *x[2][UINT8_MAX]; /* [0] in float32, [1] in float64 */
    tg_tensor dy[2];
    double *own_dy, *own[UINT8_MAX]; /* the numbers before they are moved */
    tg_both result, gradient[UINT8_MAX];
    bool differentiable, compares; /* its VJP asks for the result itself */
    int runs, measured;            /* runs that took the same branches */
    bool has_written;
    tg_gradcheck_result written; /* what float32's callbacks wrote to, and may only read */
} tg_pair;

static inline tg_node *tg_pair_leaf(const tg_pair *p, int side, int k) { return p->x[side][k]->base; }

static inline bool tg_pair_wants(const tg_pair *p, int k) {
    return p->differentiable && p->x[1][k] && tg_is_floating(p->x[1][k]) && tg_recorded(p->y[1])[k];
}

/* ---- float32_twin.c ---- */

/* In float32 (side 0) or float64 (1). */
tg_status tg_pair_forward(tg_node *y);
tg_status tg_pair_backward(tg_pair *p, int side);
void tg_pair_gradients(tg_pair *p, int side, double *(*where)(tg_both *b));
/* Float64's result and gradients, and what they move by when everything that the kernels read does. */
tg_status tg_pair_twin(tg_pair *p);

#endif
