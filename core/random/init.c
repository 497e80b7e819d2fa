/* Random tensors, as in PyTorch on the CPU, and torch.nn.init.
 *
 * The order of the draws is that of aten/src/ATen/native/cpu/DistributionTemplates.h; equal seeds give equal numbers.
 *
 * Equal to PyTorch's bit for bit: uniform, integer, permutation and Bernoulli numbers on every machine. float32
 * normals, 16 or more at a time, equal those of PyTorch's AVX2 code (any x86-64 of the last ten years) on every
 * machine; all other normals use the C library's log, sin and cos, and may differ in the last bits.
 *
 * PyTorch's own builds contract x (b - a) + a into one fused multiply-add, so the fma() calls here are needed for equal
 * bits. Apart from them, draws add only exact products (by -1/2), so contraction by the compiler (-ffp-contract) makes
 * no difference. */
#include "core/kernels/isa.h"
#include "core/kernels/random.h"

#include <float.h>

#ifndef real
static const double TWO_PI = 6.283185307179586;

static float next_f32(tg_rng_state *rng) { return tg_rng_float(rng); }
static double next_f64(tg_rng_state *rng) { return tg_rng_double(rng); }

/* Uniforms become normals, x[j] and x[j + 8] of each 16 a pair (Box, Muller 1958); n is a multiple of 16. */

static void make_normal_f32(int64_t n, float *x, float mean, float std) {
    const tg_kernels_f32 *kernels = &tg_isa_now()->kernels_f32;
    (kernels->normal ? kernels->normal : normal_row)(n, x, mean, std);
}

static void make_normal_f64(int64_t n, double *x, double mean, double std) {
    enum { PAIRS = NORMAL_BLOCK / 2 };
    for (double *end = x + n; x < end; x += NORMAL_BLOCK)
        for (int j = 0; j < PAIRS; j++) {
            double r = sqrt(-2 * log(1 - x[j])), theta = TWO_PI * x[j + PAIRS];
            x[j] = fma(r * cos(theta), std, mean);
            x[j + PAIRS] = fma(r * sin(theta), std, mean);
        }
}

/* A normal truncated at low and high. likely: more than 3 in 10 normals are in between, so that rejection is quick. */
typedef struct truncation {
    double mean, std, low, high, log_peak;
    bool likely;
} truncation;

/* One normal in double; the second of a pair is kept in the generator for the next call, of whatever function. */
static double one_normal(tg_rng_state *rng) {
    if (rng->has_next_double) {
        rng->has_next_double = false;
        return rng->next_double;
    }
    double u1 = tg_rng_double(rng), u2 = tg_rng_double(rng);
    double r = sqrt(-2 * log1p(-u2)), theta = TWO_PI * u1;
    rng->next_double = r * sin(theta);
    rng->has_next_double = true;
    return r * cos(theta);
}
#endif

#ifdef real

/* x[i] = uniform in [from, to) */
static void FN(fill_uniform)(tg_rng_state *rng, int64_t n, real *x, double from, double to) {
    const tg_kernels *kernels = &tg_isa_now()->FN(kernels);
    real low = (real)from, width = (real)to - low;
    FN(tg_rng_fill)(rng, n, x);
    if (low != 0 || width != 1)
        (kernels->scale ? kernels->scale : FN(scale_row))(n, x, width, low);
}

/* Fewer than 16 numbers one at a time, else in blocks; when n is no multiple of 16, the last 16 are redrawn from fresh
 * uniforms. */
static void FN(fill_normal)(tg_rng_state *rng, int64_t n, real *x, double mean, double std) {
    if (n < NORMAL_BLOCK) {
        for (int64_t i = 0; i < n; i++)
            x[i] = (real)fma(one_normal(rng), std, mean);
        return;
    }
    int64_t rest = n % NORMAL_BLOCK;
    FN(tg_rng_fill)(rng, n, x);
    FN(make_normal)(n - rest, x, (real)mean, (real)std);
    if (rest) {
        FN(tg_rng_fill)(rng, NORMAL_BLOCK, x + n - NORMAL_BLOCK);
        FN(make_normal)(NORMAL_BLOCK, x + n - NORMAL_BLOCK, (real)mean, (real)std);
    }
}

/* One round: if any x is outside, draw n new normals and replace those x. False when none was. */
static bool FN(redraw_outside)(tg_rng_state *rng, int64_t n, real *x, real *scratch, const truncation *c) {
    real low = (real)c->low, high = (real)c->high;
    bool any = false;
    for (int64_t i = 0; i < n && !any; i++)
        any = x[i] < low || x[i] > high;
    if (!any)
        return false;
    FN(fill_normal)(rng, n, scratch, c->mean, c->std);
    for (int64_t i = 0; i < n; i++)
        if (x[i] < low || x[i] > high)
            x[i] = scratch[i];
    return true;
}

/* One round: n uniform proposals, then for each a uniform number that accepts it with probability
 * density(x) / density(mode). Both are drawn for all n, as in PyTorch, and used where x is pending. True while any x
 * is. */
static bool FN(propose)(tg_rng_state *rng, int64_t n, real *x, real *scratch, bool *pending, const truncation *c) {
    FN(fill_uniform)(rng, n, scratch, c->low, c->high);
    bool any = false;
    for (int64_t i = 0; i < n; i++) {
        real z = (scratch[i] - (real)c->mean) / (real)c->std;
        real log_density = z * z * (real)-0.5, relative = log_density - (real)c->log_peak;
        bool reject = M(log)(FN(next)(rng)) > relative;
        if (pending[i])
            x[i] = scratch[i];
        pending[i] = pending[i] && reject;
        any = any || pending[i];
    }
    return any;
}

static void FN(fill_truncated)(tg_rng_state *rng, int64_t n, real *x, real *scratch, bool *pending,
                               const truncation *c) {
    if (c->likely) {
        FN(fill_normal)(rng, n, x, c->mean, c->std);
        while (FN(redraw_outside)(rng, n, x, scratch, c))
            ;
    } else {
        memset(pending, 1, (size_t)n * sizeof *pending);
        while (FN(propose)(rng, n, x, scratch, pending, c))
            ;
    }
}

#else
#define TG_SELF "random/init.c"
#include "core/twice.h"

static void fill_node_uniform(tg_node *x, double from, double to) {
    if (x->dtype == TG_F32)
        fill_uniform_f32(&x->tape->rng, x->numel, x->data, from, to);
    else
        fill_uniform_f64(&x->tape->rng, x->numel, x->data, from, to);
}

static void fill_node_normal(tg_node *x, double mean, double std) {
    if (x->dtype == TG_F32)
        fill_normal_f32(&x->tape->rng, x->numel, x->data, mean, std);
    else
        fill_normal_f64(&x->tape->rng, x->numel, x->data, mean, std);
}

/* ---- new tensors ---- */

tg_tensor tg_rand(tg_tape *t, tg_shape shape) {
    tg_node *x = tg_leaf_new(t, "rand", &shape, tg_tape_dtype(t));
    if (!x)
        return TG_NULL;
    fill_node_uniform(x, 0, 1);
    return tg_handle(x);
}

tg_tensor tg_randn(tg_tape *t, tg_shape shape) {
    tg_node *x = tg_leaf_new(t, "randn", &shape, tg_tape_dtype(t));
    if (!x)
        return TG_NULL;
    fill_node_normal(x, 0, 1);
    return tg_handle(x);
}

/* low + draw % range: a range of 2^28 or more takes 64 bits. The slight preference for low numbers is PyTorch's. */
tg_tensor tg_randint(tg_tape *t, int64_t low, int64_t high, tg_shape shape) {
    if (low >= high)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "randint: low %lld must be below high %lld", (long long)low,
                            (long long)high);
    tg_node *x = tg_leaf_new(t, "randint", &shape, TG_I64);
    if (!x)
        return TG_NULL;
    uint64_t range = (uint64_t)high - (uint64_t)low;
    bool wide = range >= UINT64_C(1) << 28;
    int64_t *to = x->data;
    for (int64_t i = 0; i < x->numel; i++) {
        uint64_t draw = wide ? tg_rng_random64(&t->rng) : tg_rng_random(&t->rng);
        to[i] = (int64_t)(draw % range + (uint64_t)low);
    }
    return tg_handle(x);
}

static void swap(int64_t *p, int64_t i, int64_t j) {
    int64_t at_i = p[i];
    p[i] = p[j];
    p[j] = at_i;
}

/* Fisher and Yates's shuffle. From the first element on, each is swapped with itself or a later one; in permutations
 * so long that 32-bit draws would be uneven, with itself or an earlier one, by 64-bit draws. */
tg_tensor tg_randperm(tg_tape *t, int64_t n) {
    if (n < 0)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "randperm: n is %lld, but must be at least 0", (long long)n);
    tg_node *x = tg_count_up(t, "randperm", n);
    if (!x)
        return TG_NULL;
    int64_t *p = x->data;
    bool is_long = n >= UINT32_MAX / 20;
    for (int64_t i = 0; is_long && i < n; i++)
        swap(p, i, (int64_t)(tg_rng_random64(&t->rng) % (uint64_t)(i + 1)));
    for (int64_t i = 0; !is_long && i < n - 1; i++)
        swap(p, i, i + (int64_t)(tg_rng_random(&t->rng) % (uint64_t)(n - i)));
    return tg_handle(x);
}

/* ---- in place ---- */

static tg_node *open_in_place(const char *name, const char *kind, tg_tensor x) {
    tg_node *node;
    if (!tg_open(name, kind, 1, &x, &node))
        return NULL;
    if (node->base->op)
        tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %u %s was made by %s; only a leaf can be filled", name, node->index,
                tg_node_text(node).s, node->base->op->name);
    else if (!node->contiguous)
        tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %s is not contiguous; fill the leaf that it is a view of", name,
                tg_node_text(node).s);
    return x.tape->status ? NULL : node;
}

static double largest_of(const tg_node *x) { return x->dtype == TG_F32 ? (double)FLT_MAX : DBL_MAX; }

static tg_tensor uniform_(const char *name, tg_tensor x, double from, double to) {
    tg_node *node = open_in_place(name, "f", x);
    if (!node)
        return TG_NULL;
    double largest = largest_of(node);
    if (!(from <= to && from >= -largest && to <= largest && to - from <= largest))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT,
                            "%s: from %g and to %g must be finite %s numbers, and so must their distance; from must "
                            "not be above to",
                            name, from, to, tg_dtype_name((tg_dtype)node->dtype));
    fill_node_uniform(node, from, to);
    tg_touch(node);
    return x;
}

/* A normal from a uniform of 53 bits lies within sqrt(-2 ln 2^-53) = 8.6 standard deviations of the mean. */
enum { FARTHEST = 9 };

static tg_tensor normal_(const char *name, tg_tensor x, double mean, double std) {
    tg_node *node = open_in_place(name, "f", x);
    if (!node)
        return TG_NULL;
    if (!(std >= 0 && fabs(mean) + FARTHEST * std <= largest_of(node)))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT,
                            "%s: mean is %g and std %g; std must be at least 0, and mean +- %d std finite %s numbers",
                            name, mean, std, FARTHEST, tg_dtype_name((tg_dtype)node->dtype));
    fill_node_normal(node, mean, std);
    tg_touch(node);
    return x;
}

tg_tensor tg_uniform_(tg_tensor x, double from, double to) { return uniform_("uniform_", x, from, to); }
tg_tensor tg_normal_(tg_tensor x, double mean, double std) { return normal_("normal_", x, mean, std); }

static void set_bool(const tg_node *x, int64_t i, bool value) {
    switch (x->dtype) {
    case TG_F32: ((float *)x->data)[i] = value; break;
    case TG_F64: ((double *)x->data)[i] = value; break;
    case TG_I64: ((int64_t *)x->data)[i] = value; break;
    default: ((bool *)x->data)[i] = value; break;
    }
}

/* 1 with probability p, else 0; any dtype. Each takes two draws. */
tg_tensor tg_bernoulli_(tg_tensor x, double p) {
    tg_node *node = open_in_place("bernoulli_", "*", x);
    if (!node)
        return TG_NULL;
    if (!(p >= 0 && p <= 1))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT, "bernoulli_: p is %g, but must be from 0 to 1", p);
    double u[256];
    for (int64_t at = 0, some; at < node->numel; at += some) {
        some = node->numel - at < 256 ? node->numel - at : 256;
        tg_rng_fill_f64(&x.tape->rng, some, u);
        for (int64_t i = 0; i < some; i++)
            set_bool(node, at + i, u[i] < p);
    }
    tg_touch(node);
    return x;
}

/* ---- torch.nn.init ---- */

typedef struct fans {
    double in, out; /* how many inputs an output has, and outputs an input */
} fans;

static bool fans_of(const char *name, const tg_node *x, fans *f) {
    if (x->ndim < 2) {
        tg_fail(x->tape, TG_ERR_SHAPE, "%s: tensor %s must have at least 2 dims, (out, in, ...)", name,
                tg_node_text(x).s);
        return false;
    }
    int64_t receptive_field = 1;
    for (int i = 2; i < x->ndim; i++)
        receptive_field *= x->size[i];
    f->in = (double)(x->size[1] * receptive_field);
    f->out = (double)(x->size[0] * receptive_field);
    return true;
}

/* gain / sqrt(fan_in) with leaky_relu's gain, sqrt(2 / (1 + a^2)) (He et al. 2015, eq. 14). */
static double kaiming_std(const fans *f, double a) {
    volatile double square = a * a; /* rounded, not contracted into the sum: sqrt(5)^2 is 5.000000000000001 */
    return sqrt(2.0 / (1 + square)) / sqrt(f->in);
}

/* gain sqrt(2 / (fan_in + fan_out)) (Glorot, Bengio 2010, eq. 12). */
static double xavier_std(const fans *f, double gain) { return gain * sqrt(2.0 / (f->in + f->out)); }

/* Fills x with numbers of standard deviation std(parameter); errors call the parameter `called`. */
static tg_tensor scaled(const char *name, tg_tensor x, double (*std)(const fans *f, double parameter),
                        const char *called, double parameter, bool uniform) {
    tg_node *node = open_in_place(name, "f", x);
    fans f;
    if (!node || (node->numel && !fans_of(name, node, &f)))
        return TG_NULL;
    if (!isfinite(parameter))
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT, "%s: %s is %g for tensor %s, but must be finite", name, called,
                            parameter, tg_node_text(node).s);
    if (!node->numel)
        return x;
    double s = std(&f, parameter), bound = sqrt(3.0) * s;
    return uniform ? uniform_(name, x, -bound, bound) : normal_(name, x, 0, s);
}

tg_tensor tg_kaiming_uniform_(tg_tensor x, double a) {
    return scaled("kaiming_uniform_", x, kaiming_std, "a", a, true);
}
tg_tensor tg_kaiming_normal_(tg_tensor x, double a) { return scaled("kaiming_normal_", x, kaiming_std, "a", a, false); }
tg_tensor tg_xavier_uniform_(tg_tensor x, double gain) {
    return scaled("xavier_uniform_", x, xavier_std, "gain", gain, true);
}
tg_tensor tg_xavier_normal_(tg_tensor x, double gain) {
    return scaled("xavier_normal_", x, xavier_std, "gain", gain, false);
}

static double normal_cdf(double x) { return (1 + erf(x / sqrt(2.0))) / 2; }

static truncation truncation_of(double mean, double std, double low, double high) {
    double mode = fmax(low, fmin(mean, high)), z = (mode - mean) / std;
    return (truncation){
        mean, std, low, high, -0.5 * (z * z), normal_cdf((high - mean) / std) - normal_cdf((low - mean) / std) > 0.3};
}

/* The approximate share of uniform proposals that are accepted: the density decays within std from the nearest bound,
 * or within std / z when that bound is z > 1 deviations out. */
static double accepted_share(double mean, double std, double low, double high) {
    double z = fmax(low - mean, mean - high) / std;
    return std / fmax(z, 1) / (high - low);
}

/* Rejection sampling, as PyTorch 2.15 does; earlier releases inverted the distribution function. */
tg_tensor tg_trunc_normal_(tg_tensor x, double mean, double std, double low, double high) {
    tg_node *node = open_in_place("trunc_normal_", "f", x);
    if (!node)
        return TG_NULL;
    double largest = largest_of(node), span = fmax(high - low, fmax(fabs(low - mean), fabs(high - mean)));
    if (!(std > 0 && std <= largest && fabs(mean) <= largest && low >= -largest && low <= high && high <= largest) ||
        span > largest)
        return tg_fail_null(x.tape, TG_ERR_ARGUMENT,
                            "trunc_normal_: mean %g, std %g, from %g to %g: std must be above 0, the bounds in order, "
                            "all and their differences finite %s numbers",
                            mean, std, low, high, tg_dtype_name((tg_dtype)node->dtype));
    truncation c = truncation_of(mean, std, low, high);
    if (!c.likely && accepted_share(mean, std, low, high) < 1e-5) /* PyTorch would loop for hours */
        return tg_fail_null(
            x.tape, TG_ERR_ARGUMENT,
            "trunc_normal_: from %g to %g is too far out for mean %g and std %g: rejection would not end", low, high,
            mean, std);
    size_t n = (size_t)node->numel, size = tg_dtype_size((tg_dtype)node->dtype);
    void *scratch = tg_pool_get(x.tape, n * size);
    bool *pending = scratch ? tg_pool_get(x.tape, n) : NULL;
    if (pending && node->dtype == TG_F32)
        fill_truncated_f32(&x.tape->rng, node->numel, node->data, scratch, pending, &c);
    else if (pending)
        fill_truncated_f64(&x.tape->rng, node->numel, node->data, scratch, pending, &c);
    tg_pool_put(x.tape, pending, n);
    tg_pool_put(x.tape, scratch, n * size);
    if (!pending)
        return TG_NULL;
    tg_touch(node);
    return x;
}

#endif
