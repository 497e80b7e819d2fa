/* Random leaves for probes, the operations' examples for the tests. */
#include "core/engine.h"

/* A normal number by the polar form of Box and Muller (1958), from the tape's generator. */
static double normal(tg_tape *t) {
    double u = 1 - tg_rng_double(&t->rng), v = tg_rng_double(&t->rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static double away_from_zero(tg_tape *t) {
    double sign = tg_rng_random(&t->rng) & 1 ? 1 : -1;
    return sign * (0.5 + tg_rng_double(&t->rng));
}

static double positive(tg_tape *t) { return 0.5 + tg_rng_double(&t->rng); }

static tg_tensor leaf(tg_tape *t, tg_shape shape, double (*draw)(tg_tape *t)) {
    tg_node *x = tg_leaf_new(t, "probe", &shape, t->dtype);
    if (!x)
        return TG_NULL;
    for (int64_t i = 0; i < x->numel; i++) {
        double v = draw(t);
        if (t->dtype == TG_F32)
            ((float *)x->data)[i] = (float)v;
        else
            ((double *)x->data)[i] = v;
    }
    tg_require_grad(x, true);
    return tg_handle(x);
}

tg_tensor tg_probe_leaf(tg_tape *t, tg_shape shape) { return leaf(t, shape, normal); }
tg_tensor tg_probe_away(tg_tape *t, tg_shape shape) { return leaf(t, shape, away_from_zero); }
tg_tensor tg_probe_positive(tg_tape *t, tg_shape shape) { return leaf(t, shape, positive); }
