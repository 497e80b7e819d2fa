/* Random leaves for the examples that operations give of themselves to the tests. */
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

tg_tensor tg_probe_unary(tg_tape *t, int variant, tg_tensor (*draw)(tg_tape *t, tg_shape shape),
                         tg_tensor (*f)(tg_tensor x)) {
    switch (variant) {
    case 0: return f(draw(t, TG_SHAPE(2, 3)));
    case 1: return f(tg_transpose(draw(t, TG_SHAPE(3, 4)), 0, 1));
    case 2: return f(tg_slice(draw(t, TG_SHAPE(2, 5)), 1, 1, 5, 2));
    case 3: return f(tg_expand(draw(t, TG_SHAPE(3, 1)), TG_SHAPE(2, 3, 2)));
    case 4: return f(draw(t, TG_SCALAR));
    case 5: return f(draw(t, TG_SHAPE(0, 3)));
    default: return TG_NULL;
    }
}

tg_tensor tg_probe_reduction(tg_tape *t, int variant, tg_tensor (*f)(tg_tensor x, tg_dims dims, bool keepdim)) {
    switch (variant) {
    case 0: return f(tg_probe_leaf(t, TG_SHAPE(2, 3)), TG_ALL_DIMS, false);
    case 1: return f(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), TG_DIMS(1), true);
    case 2: return f(tg_transpose(tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), 0, 1), TG_DIMS(0, -1), false);
    case 3: return f(tg_probe_leaf(t, TG_SHAPE(3, 0)), TG_DIMS(0), false);
    case 4: return f(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_DIMS(0), false);
    case 5: return f(tg_expand(tg_probe_leaf(t, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_DIMS(0, 1), false);
    case 6: return f(tg_probe_leaf(t, TG_SCALAR), TG_ALL_DIMS, false);
    case 7: return f(tg_probe_leaf(t, TG_SHAPE(300)), TG_DIMS(0), false);
    default: return TG_NULL;
    }
}
