/* prod: y = the product over dims, 1 over nothing.    dx[j] = dy times the product of all others, exact at zeros */
#include "core/reduce.h"

#ifdef real

/* m 2^e with |m| in [1/2, 1), or 0: products of these leave no range. */
typedef struct FN(scaled) {
    real m;
    int64_t e;
} FN(scaled);

static FN(scaled) FN(times)(FN(scaled) p, real x) {
    int of_x = 0, of_m = 0;
    real m = M(frexp)(p.m * M(frexp)(x, &of_x), &of_m);
    return (FN(scaled)){m, p.e + of_x + of_m};
}

static real FN(value)(real m, int64_t e) {
    enum { FAR = 40000 }; /* beyond the exponents of long double */
    return M(ldexp)(m, (int)(e < -FAR ? -FAR : e > FAR ? FAR : e));
}

/* Huge numbers may meet small ones, or 0, only later: where a product is not normal on the way, it is taken again. */
static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    real p = 1;
    bool normal = true;
    for (int64_t j = 0; j < n; j++) {
        p *= x[j];
        normal &= isnormal(p) != 0;
    }
    FN(scaled) s = {1, 0};
    for (int64_t j = 0; j < n && !normal; j++)
        s = FN(times)(s, x[j]);
    *y = normal ? p : FN(value)(s.m, s.e);
}

/* The product of dy and all that is not 0, by each element. */
static void FN(vjp_scaled)(int64_t n, real *dx, real dy, const real *x) {
    FN(scaled) p = FN(times)((FN(scaled)){1, 0}, dy);
    int64_t zeros = 0;
    for (int64_t j = 0; j < n; zeros += x[j++] == 0)
        p = FN(times)(p, x[j] == 0 ? 1 : x[j]);
    for (int64_t j = 0; j < n; j++) {
        int e = 0;
        real m = M(frexp)(x[j] == 0 ? 1 : x[j], &e);
        dx[j] = zeros > (x[j] == 0) ? 0 : FN(value)(p.m / m, p.e - e);
    }
}

/* The products of what lies before each element, then those of what lies behind it. */
static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)y, (void)node;
    real before = dy, behind = 1;
    bool normal = true, finite = isfinite(dy) != 0;
    for (int64_t j = 0; j < n; before *= x[j++]) {
        dx[j] = before;
        normal &= isnormal(before) != 0;
        finite &= isfinite(x[j]) != 0;
    }
    for (int64_t j = n; j-- > 0; behind *= x[j]) {
        dx[j] *= behind;
        normal &= isnormal(behind) != 0;
    }
    if (!normal && finite)
        FN(vjp_scaled)(n, dx, dy, x);
}

#else
#define TG_SELF "ops/prod.c"
#include "core/twice.h"

/* x (rows, n) -> for each element the product of all others of its row, by pairs: with e_i the product of all pairs but
 * the i-th, the others of x_2i make e_i x_2i+1. No division, so that it can be differentiated where elements are 0. */
static tg_tensor others(tg_tensor x) {
    int64_t rows = tg_size(x, 0), n = tg_size(x, 1), pairs = (n + 1) / 2;
    if (n < 2 || tg_tape_status(x.tape))
        return tg_ones(x.tape, TG_SHAPE(rows, n));
    if (n % 2)
        x = tg_cat((tg_tensor[]){x, tg_ones(x.tape, TG_SHAPE(rows, 1))}, 2, 1);
    x = tg_reshape(x, TG_SHAPE(rows, pairs, 2));
    tg_tensor a = tg_select(x, 2, 0), b = tg_select(x, 2, 1), e = others(tg_mul(a, b));
    tg_tensor both = tg_stack((tg_tensor[]){tg_mul(e, b), tg_mul(e, a)}, 2, 2);
    return tg_slice(tg_reshape(both, TG_SHAPE(rows, 2 * pairs)), 1, 0, n, 1);
}

static bool is_among(tg_dims dims, int d) {
    bool found = false;
    for (int i = 0; i < dims.ndim; i++)
        found |= dims.dim[i] == d;
    return found;
}

/* The dims reduced over behind the kept ones, and the way back. */
static void dims_last(const tg_node *y, tg_dims *order, tg_dims *back) {
    tg_dims reduced = tg_reduced_dims(y);
    *order = *back = (tg_dims){.ndim = 0};
    for (int last = 0; last < 2; last++)
        for (int d = 0; d < y->in[0]->ndim; d++)
            if (is_among(reduced, d) == last)
                order->dim[order->ndim++] = d;
    back->ndim = order->ndim;
    for (int i = 0; i < order->ndim; i++)
        back->dim[order->dim[i]] = i;
}

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    dx[0] = tg_reduced_along(y, dy);
    if (y->in[0]->numel == 0 || y->in[0]->ndim == 0)
        return;
    tg_dims order, back;
    dims_last(y, &order, &back);
    tg_tensor x = tg_permute(tg_in(y, 0), order);
    tg_tensor rows = others(tg_reshape(x, TG_SHAPE(y->numel, y->in[0]->numel / y->numel)));
    dx[0] = tg_mul(dx[0], tg_permute(tg_reshape(rows, tg_shape_of(x)), back));
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
