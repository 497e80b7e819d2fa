/* prod: y = the product over dims, 1 over no elements.    dx[j] = dy times the product of all others, exact at zeros */
#include "core/frameworks/reduce.h"

#ifndef real
/* These fit double's range: products of CHUNK / LANES numbers from 2^-120 to 2^120 or of CHUNK numbers from 2^-15 to
 * 2^15, and quotients of numbers from 2^-DIVIDED to 2^DIVIDED by numbers from 2^-120 to 2^120. */
enum { LANES = 8, CHUNK = 8 * LANES, DIVIDED = 1000 - 120 };
typedef uint32_t bits_f32;
typedef uint64_t bits_f64;
#endif

#ifdef real

/* m 2^e with |m| in [1/2, 1), or 0, Inf, NaN: products do not overflow. */
typedef struct FN(scaled) {
    wide m;
    int64_t e;
} FN(scaled);

static FN(scaled) FN(times)(FN(scaled) p, wide x) {
    int of_x = 0, of_m = 0;
    wide m = frexp(p.m * frexp(x, &of_x), &of_m);
    return (FN(scaled)){m, p.e + of_x + of_m};
}

static real FN(value)(wide m, int64_t e) {
    enum { FAR = 4000 }; /* out of double's range */
    return (real)ldexp(m, (int)(e < -FAR ? -FAR : e > FAR ? FAR : e));
}

/* True when low <= |x| <= high everywhere. The bits of positive numbers are ordered like the numbers, so the signs of
 * differences are combined. */
static bool FN(within)(int64_t n, const real *x, real low, real high) {
    const FN(bits) sign = (FN(bits))1 << (8 * sizeof sign - 1);
    FN(bits) least, most, out = 0;
    memcpy(&least, &low, sizeof low);
    memcpy(&most, &high, sizeof high);
    for (int64_t j = 0; j < n; j++) {
        FN(bits) b;
        memcpy(&b, &x[j], sizeof b);
        b &= ~sign;
        out |= (b - least) | (most - b);
    }
    return !(out & sign);
}

/* p times at most CHUNK numbers, whose products per lane are in double's range; narrow: so is the product of all. */
static FN(scaled) FN(times_chunk)(FN(scaled) p, int64_t n, const real *x, bool narrow) {
    wide lane[LANES];
    int64_t j = 0;
    for (int k = 0; k < LANES; k++)
        lane[k] = 1;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] *= (wide)x[j + k];
    for (int k = 0; j + k < n; k++)
        lane[k] *= (wide)x[j + k];
    for (int half = LANES / 2; half && narrow; half /= 2)
        for (int k = 0; k < half; k++)
            lane[k] *= lane[k + half];
    for (int k = 0; k < (narrow ? 1 : LANES); k++)
        p = FN(times)(p, lane[k]);
    return p;
}

/* No partial product overflows or underflows, even where huge numbers are followed by small ones or 0. */
static FN(scaled) FN(product)(int64_t n, const real *x) {
    FN(scaled) p = {1, 0};
    for (int64_t at = 0; at < n; at += CHUNK) {
        int64_t some = n - at < CHUNK ? n - at : CHUNK;
        bool narrow = FN(within)(some, x + at, (real)0x1p-15, (real)0x1p15);
        if (narrow || FN(within)(some, x + at, (real)0x1p-120, (real)0x1p120))
            p = FN(times_chunk)(p, some, x + at, narrow);
        else
            for (int64_t j = at; j < at + some; j++)
                p = FN(times)(p, (wide)x[j]);
    }
    return p;
}

static void FN(forward_row)(int64_t n, real *y, const real *x, const tg_node *node) {
    (void)node;
    FN(scaled) p = FN(product)(n, x);
    *y = FN(value)(p.m, p.e);
}

/* dx[j] = p / x[j], with p the product of dy and all elements, none of them 0. */
static void FN(vjp_scaled)(int64_t n, real *dx, FN(scaled) p, const real *x) {
    for (int64_t j = 0; j < n; j++) {
        int e = 0;
        wide m = frexp((wide)x[j], &e);
        dx[j] = FN(value)(p.m / m, p.e - e);
    }
}

/* The product of dy and all but the j-th, without a division. */
static real FN(others)(int64_t n, real dy, const real *x, int64_t j) {
    FN(scaled) before = FN(product)(j, x), after = FN(product)(n - j - 1, x + j + 1);
    FN(scaled) p = FN(times)(FN(times)(before, after.m), (wide)dy);
    return FN(value)(p.m, p.e + after.e);
}

/* With a single 0 only that element has a gradient; with more, none has. */
static void FN(vjp_zeros)(int64_t n, real *dx, real dy, const real *x, int64_t zeros) {
    memset(dx, 0, (size_t)n * sizeof *dx);
    for (int64_t j = 0; j < n && zeros == 1; j++)
        if (x[j] == 0)
            dx[j] = FN(others)(n, dy, x, j);
}

/* 1 or -1 for finite numbers but 0: beside Inf, NaN or 0 only their signs count. */
static real FN(sign_of)(real x) { return isfinite(x) && x != 0 ? M(copysign)(1, x) : x; }

/* The product of the signs of dy and of the elements before each element, times that of the signs after it. For the
 * only Inf or NaN, the product of the others itself. */
static void FN(vjp_infinite)(int64_t n, real *dx, real dy, const real *x, int64_t infinite) {
    real before = FN(sign_of)(dy), after = 1;
    for (int64_t j = 0; j < n; before *= FN(sign_of)(x[j++]))
        dx[j] = before;
    for (int64_t j = n; j-- > 0; after *= FN(sign_of)(x[j]))
        dx[j] *= after;
    for (int64_t j = 0; j < n && infinite == 1 && isfinite(dy); j++)
        if (!isfinite(x[j]))
            dx[j] = FN(others)(n, dy, x, j);
}

/* dx[j] = p / x[j] in double's range, with p the product of dy and all elements. */
static void FN(vjp_ordinary)(int64_t n, real *dx, FN(scaled) p, const real *x) {
    wide all = ldexp(p.m, (int)p.e);
    for (int64_t j = 0; j < n; j++)
        dx[j] = (real)(all / (wide)x[j]);
}

/* Rare, and so compiled once, not for each set. */
static __attribute__((noinline)) void FN(vjp_any)(int64_t n, real *dx, real dy, FN(scaled) p, const real *x) {
    int64_t zeros = 0, infinite = 0;
    for (int64_t j = 0; j < n; j++) {
        infinite += !isfinite(x[j]);
        zeros += x[j] == 0;
    }
    if (infinite || !isfinite(dy))
        FN(vjp_infinite)(n, dx, dy, x, infinite);
    else if (zeros)
        FN(vjp_zeros)(n, dx, dy, x, zeros);
    else
        FN(vjp_scaled)(n, dx, p, x);
}

/* Cases: a single element, dx = dy; all elements from 2^-120 to 2^120, and a product so small that every quotient,
 * below 2^(e + 121), rounds to 0, or one whose quotients are in double's range; anything else. */
static void FN(vjp_row)(int64_t n, real *dx, real dy, real y, const real *x, const tg_node *node) {
    (void)y, (void)node;
    if (n == 1) {
        dx[0] = dy;
        return;
    }
    FN(scaled) p = FN(times)(FN(product)(n, x), (wide)dy);
    bool ordinary = isfinite(dy) && FN(within)(n, x, (real)0x1p-120, (real)0x1p120);
    if (ordinary && FN(value)(1, p.e + 121) == 0)
        memset(dx, 0, (size_t)n * sizeof *dx);
    else if (ordinary && p.e > -DIVIDED && p.e < DIVIDED)
        FN(vjp_ordinary)(n, dx, p, x);
    else
        FN(vjp_any)(n, dx, dy, p, x);
}

#else
#define TG_SELF "ops/prod.c"
#include "core/twice.h"
TG_WIDE_REDUCED_ROWS(forward_row, vjp_row);

/* x (rows, n) -> for each element the product of all others of its row, by pairs: with e_i the product of all pairs but
 * the i-th, the product of x_2i's others is e_i x_2i+1. Without division, so that it can be differentiated where
 * elements are 0. */
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

/* The order that moves the reduced dims behind the kept ones, and its inverse. */
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
                          .wide = TG_WIDE_REDUCED(forward_row, vjp_row),
                          .needs = {TG_IN(0)},
                          .grad = grad,
                          .probe = probe};

/* PyTorch: product(x, dims, keepdim) */
tg_tensor tg_prod(tg_tensor x, tg_dims dims, bool keepdim) { return tg_reduce(&tg_op_prod, x, dims, keepdim, 0); }

#endif
