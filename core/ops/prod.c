/* prod: y = the product over dims, 1 over nothing.    dx[j] = dy times the product of all others, exact at zeros */
#include "core/reduce.h"

#ifdef real

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    real p = 1;
    for (int64_t j = 0; j < n; j++)
        p *= x[j];
    *y = p;
}

/* The products of what lies before each element, then those of what lies behind it. */
static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)y, (void)node;
    real before = dy, behind = 1;
    for (int64_t j = 0; j < n; before *= x[j++])
        dx[j] = before;
    for (int64_t j = n; j-- > 0; behind *= x[j])
        dx[j] *= behind;
}

#else
#define TG_SELF "ops/prod.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    tg_tensor whole = tg_reduced_along(y, tg_mul(dy, tg_handle(y)));
    dx[0] = tg_div(whole, tg_in(y, 0)); /* differentiated again, NaN where an element is 0 */
}

static tg_tensor probe(tg_tape *t, int variant) {
    return variant == TG_PROBE_REDUCTIONS - 1 ? TG_NULL : tg_probe_reduction(t, variant, tg_prod);
}

const tg_op tg_op_prod = {.name = "prod",
                          TG_REDUCTION,
                          .row = TG_ROWS(forward_row),
                          .row_vjp = TG_ROWS(vjp_row),
                          .needs = {TG_IN(0)},
                          .grad = grad,
                          .probe = probe};

tg_tensor tg_prod(tg_tensor x, tg_dims dims, bool keepdim) { return tg_reduce(&tg_op_prod, x, dims, keepdim, 0); }

#endif
