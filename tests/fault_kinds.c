/* The mistakes that faults.c plants: see fault_kinds.h. */
#include "fault_kinds.h"
#include "core/kernels/attention.h"

#include <stdlib.h>

planted_fault fault;

static double *allocate(int64_t n) {
    double *p = calloc((size_t)n + 1, sizeof(double));
    if (!p)
        exit(EXIT_FAILURE);
    return p;
}

/* Elements of x that lie in data, as doubles. */
static void read_elements(const tg_node *x, const void *data, const int64_t *stride, double *out) {
    tg_copy_out(x, data, stride, out);
    for (int64_t j = x->dtype == TG_F32 ? x->numel : 0; j-- > 0;)
        out[j] = (double)((const float *)(const void *)out)[j];
}

/* ---- the right gradient of one operand ---- */

static tg_status right_vjp(tg_node *y) { return fault.right->is_view ? tg_view_vjp(y) : fault.right->vjp[y->dtype](y); }

/* What the right VJP adds to operand k's gradient when dy (of float64; NULL: the one there is) arrives. */
static double *contribution(tg_node *y, int k, const double *dy) {
    tg_node *x = y->in[k], *owner = x->gowner;
    double *out = allocate(x->numel), *had_dy = allocate(y->numel);
    bool recorded[UINT8_MAX], had = owner->has_grad;
    void *grad = owner->grad;
    owner->grad = NULL;
    owner->has_grad = false;
    for (int i = 0; i < y->n_in; i++) {
        recorded[i] = tg_recorded(y)[i];
        tg_recorded(y)[i] = i == k;
    }
    if (dy && y->numel) {
        memcpy(had_dy, y->grad, (size_t)y->numel * sizeof *had_dy);
        memcpy(y->grad, dy, (size_t)y->numel * sizeof *dy);
    }
    if (right_vjp(y) == TG_OK && owner->has_grad)
        read_elements(x, tg_grad_elements(x), x->gstride, out);
    if (dy && y->numel)
        memcpy(y->grad, had_dy, (size_t)y->numel * sizeof *had_dy);
    memcpy(tg_recorded(y), recorded, y->n_in * sizeof(bool));
    tg_release_grad(owner);
    owner->grad = grad;
    owner->has_grad = had;
    free(had_dy);
    return out;
}

static void replace(double *to, double *by, int64_t n) {
    memcpy(to, by, (size_t)n * sizeof *to);
    free(by);
}

/* ---- the mistakes ---- */

static void scale(double *g, int64_t n, double factor) {
    for (int64_t i = 0; i < n; i++)
        g[i] *= factor;
}

static void transpose(const tg_node *x, double *g) {
    if (x->ndim < 2)
        return;
    int64_t rows = x->size[x->ndim - 2], cols = x->size[x->ndim - 1];
    double *turned = allocate(x->numel);
    for (int64_t at = 0; at < x->numel; at++) {
        int64_t in = at % (rows * cols);
        turned[at - in + in % cols * rows + in / cols] = g[at];
    }
    replace(g, turned, x->numel);
}

/* How many elements of x go into one of y, when that is a sum or a mean. */
static int64_t reduced(const tg_node *x, const tg_node *y) {
    bool rows = strcmp(y->op->name, "cross_entropy") == 0;
    return rows ? x->numel / x->size[x->ndim - 1] : y->numel && x->numel > y->numel ? x->numel / y->numel : 1;
}

/* A dim of y along which x repeats, or -1. */
static int broadcast_dim(const tg_node *y, int k) {
    const tg_node *x = y->in[k];
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && y->in[i]->dtype == TG_I64)
            return -1;
    if (strcmp(y->op->name, "linear") == 0 && k == 1)
        return y->ndim > 1 && y->size[0] > 1 ? 0 : -1;
    for (int d = 0, shift = y->ndim - x->ndim; shift >= 0 && d < y->ndim; d++)
        if (y->size[d] > 1 && (d < shift || x->size[d - shift] == 1))
            return d;
    return -1;
}

static bool in_first_slice(const tg_node *y, int d, int64_t j) {
    for (int i = y->ndim - 1; i > d; i--)
        j /= y->size[i];
    return j % y->size[d] == 0;
}

static void first_slice_only(tg_node *y, int k, double *g) {
    int d = broadcast_dim(y, k);
    if (d < 0)
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++)
        dy[j] = in_first_slice(y, d, j) ? ((double *)y->grad)[j] : 0;
    replace(g, contribution(y, k, dy), y->in[k]->numel);
    free(dy);
}

static bool is_op(const tg_node *y, const char *name) { return strcmp(y->op->name, name) == 0; }

static bool is_mixing(const tg_node *y, int k) {
    return k == 0 && (is_op(y, "softmax") || is_op(y, "log_softmax") || is_op(y, "layer_norm"));
}

static void diagonal_only(tg_node *y, int k, double *g) {
    if (!is_mixing(y, k))
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++) {
        dy[j] = ((double *)y->grad)[j];
        double *column = contribution(y, k, dy);
        g[j] = column[j];
        free(column);
        dy[j] = 0;
    }
    free(dy);
}

/* The constant that dx is of dy wherever dx is not 0; 0 when there is none, or no dx is 0. */
static double kept_scale(const tg_node *y, const double *g) {
    double s = 0;
    bool zeros = false;
    for (int64_t j = 0; j < y->numel; j++) {
        double dy = ((double *)y->grad)[j], ratio = dy != 0 ? g[j] / dy : 0;
        zeros |= ratio == 0;
        if (ratio == 0)
            continue;
        if (s != 0 && fabs(ratio - s) > 1e-9 * fabs(s))
            return 0;
        s = ratio;
    }
    return zeros ? s : 0;
}

static bool is_attention(const tg_node *y) { return is_op(y, "scaled_dot_product_attention"); }

/* The gradient of attention without its mask, by recording it so. */
static void unmasked_attention(tg_node *y, int k, double *g) {
    tg_attention *a = y->attr;
    if (k > 2 || a->drops || (!y->in[3] && !a->causal))
        return;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3];
    for (int i = 0; i < 3; i++) {
        double *values = allocate(y->in[i]->numel);
        tg_copy_out(y->in[i], y->in[i]->data, y->in[i]->stride, values);
        x[i] = tg_set_requires_grad(tg_from_doubles(t, tg_shape_from(y->in[i]), values), true);
        free(values);
    }
    tg_tensor out = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, a->scale);
    if (tg_backward_with(out, tg_from_doubles(t, tg_shape_from(y), y->grad)) == TG_OK &&
        tg_read_doubles(tg_grad(x[k]), g, y->in[k]->numel))
        exit(EXIT_FAILURE);
    tg_tape_free(t);
}

static void forget_mask(tg_node *y, int k, double *g) {
    if (is_attention(y))
        unmasked_attention(y, k, g);
    double s = y->in[k]->numel == y->numel ? kept_scale(y, g) : 0;
    for (int64_t j = 0; s != 0 && j < y->numel; j++)
        g[j] = s * ((double *)y->grad)[j];
}

static void forget_scale(tg_node *y, int k, double *g) {
    if (is_op(y, "mul_scalar") || is_op(y, "div_scalar"))
        memcpy(g, y->grad, (size_t)y->numel * sizeof *g);
    if (is_attention(y) && k < 2)
        scale(g, y->in[k]->numel, 1 / ((tg_attention *)y->attr)->scale);
}

static void redraw(tg_node *y, int k, double *g) {
    tg_rng_state rng;
    tg_rng_seed(&rng, 1000 + fault.draws++);
    if (is_attention(y) && ((tg_attention *)y->attr)->drops && k < 3) {
        tg_rng_state kept = *tg_attention_generator(y);
        *tg_attention_generator(y) = rng;
        replace(g, contribution(y, k, NULL), y->in[k]->numel);
        *tg_attention_generator(y) = kept;
    }
    double s = is_op(y, "dropout") ? kept_scale(y, g) : 0;
    for (int64_t j = 0; s != 0 && j < y->numel; j++)
        g[j] = tg_rng_random(&rng) & 1 ? s * ((double *)y->grad)[j] : 0;
}

static void without_dy(tg_node *y, int k, double *g) {
    double *ones = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++)
        ones[j] = 1;
    replace(g, contribution(y, k, ones), y->in[k]->numel);
    free(ones);
}

/* That of the next operand that has as many elements. */
static void swap_operands(tg_node *y, int k, double *g) {
    for (int i = 1; i < y->n_in; i++) {
        int other = (k + i) % y->n_in;
        if (!y->in[other] || y->in[other]->numel != y->in[k]->numel || !tg_wants(y, other))
            continue;
        replace(g, contribution(y, other, NULL), y->in[k]->numel);
        return;
    }
}

/* In a product the other operand is taken as it lies where its transpose belongs, or the other way round. */
static void other_not_turned(tg_node *y, int k, double *g) {
    tg_node *other = (is_op(y, "matmul") || is_op(y, "linear")) && k < 2 ? y->in[1 - k] : NULL;
    int n = other ? other->ndim : 0;
    if (n < 2 || other->size[n - 1] != other->size[n - 2])
        return;
    int64_t row = other->stride[n - 2];
    other->stride[n - 2] = other->stride[n - 1];
    other->stride[n - 1] = row;
    replace(g, contribution(y, k, NULL), y->in[k]->numel);
    other->stride[n - 1] = other->stride[n - 2];
    other->stride[n - 2] = row;
}

/* Where an index repeats, the last of its gradients is kept. */
static void last_index_only(tg_node *y, int k, double *g) {
    if (y->n_in != 2 || !y->in[1] || y->in[1]->dtype != TG_I64 || is_op(y, "cross_entropy"))
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++) {
        dy[j] = ((double *)y->grad)[j];
        double *part = contribution(y, k, dy);
        for (int64_t i = 0; i < y->in[k]->numel; i++)
            g[i] = part[i] != 0 ? part[i] : g[i];
        free(part);
        dy[j] = 0;
    }
    free(dy);
}

/* ---- factors ---- */

static void flip_sign(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, -1); }
static void make_zero(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 0); }
static void make_twice(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 2); }
static void make_half(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 0.5); }
static void make_slightly_more(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 1.001); }
static void barely_more(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 1.000005); }
static void forget_mean(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, (double)reduced(y->in[k], y)); }
static void divide_again(tg_node *y, int k, double *g) { scale(g, y->in[k]->numel, 1 / (double)reduced(y->in[k], y)); }

/* ---- places ---- */

static void transpose_last(tg_node *y, int k, double *g) { transpose(y->in[k], g); }

/* Two dims exchanged in memory: heads not moved back. */
static void permute(tg_node *y, int k, double *g) {
    const tg_node *x = y->in[k];
    int n = x->ndim, a = n == 4 ? 1 : 0, b = a + 1;
    if (n < 3)
        return;
    double *moved = allocate(x->numel);
    for (int64_t from = 0; from < x->numel; from++) {
        int64_t at[TG_MAX_DIMS], rest = from, to = 0;
        for (int d = n - 1; d >= 0; rest /= x->size[d--])
            at[d] = rest % x->size[d];
        for (int d = 0; d < n; d++) {
            int own = d == a ? b : d == b ? a : d;
            to = to * x->size[own] + at[own];
        }
        moved[to] = g[from];
    }
    replace(g, moved, x->numel);
}

static void stop_early(tg_node *y, int k, double *g) {
    int64_t n = y->in[k]->numel;
    for (int64_t j = n - (n > 2 ? (n + 2) / 3 : 0); j < n; j++)
        g[j] = 0;
}

static void spoil_one(tg_node *y, int k, double *g) {
    if (y->in[k]->numel)
        g[y->in[k]->numel / 2] = NAN;
}

static void pass_on(tg_node *y, int k, double *g) {
    if (y->in[k]->numel == y->numel)
        memcpy(g, y->grad, (size_t)y->numel * sizeof *g);
}

static void keep_adding(tg_node *y, int k, double *g) {
    int64_t n = y->in[k]->numel;
    if (!fault.kept)
        fault.kept = allocate(n);
    for (int64_t j = 0; j < n; j++)
        g[j] = fault.kept[j] += g[j];
}

static void invert_mask(tg_node *y, int k, double *g) {
    double s = y->in[k]->numel == y->numel ? kept_scale(y, g) : 0;
    for (int64_t j = 0; s != 0 && j < y->numel; j++)
        g[j] = g[j] == 0 ? s * ((double *)y->grad)[j] : 0;
}

/* The VJP itself loses what the gradient held: see wrong_vjp. */
static void overwrite(tg_node *y, int k, double *g) { (void)y, (void)k, (void)g; }

/* ---- rows ---- */

static void off_diagonal_only(tg_node *y, int k, double *g) {
    double *diagonal = allocate(y->in[k]->numel);
    if (is_mixing(y, k)) {
        diagonal_only(y, k, diagonal);
        for (int64_t j = 0; j < y->numel; j++)
            g[j] -= diagonal[j];
    }
    free(diagonal);
}

static int64_t columns_of(const tg_node *x) { return x->ndim ? x->size[x->ndim - 1] : 1; }

static void sum_dy(tg_node *y, int k, double *g) {
    const double *dy = y->grad, *out = y->data;
    int64_t n = columns_of(y);
    for (int64_t at = 0; is_op(y, "softmax") && k == 0 && at < y->numel; at += n) {
        double sum = 0;
        for (int64_t j = at; j < at + n; j++)
            sum += dy[j];
        for (int64_t j = at; j < at + n; j++)
            g[j] = out[j] * (dy[j] - sum);
    }
}

/* dx of layer_norm and rms_norm without the gradient of the mean, of the variance, or with another root. */
static void normalise(tg_node *y, int k, double *g, bool of_mean, bool of_variance, double under, double outside) {
    bool centred = is_op(y, "layer_norm");
    if ((!centred && !is_op(y, "rms_norm")) || k > 0)
        return;
    const tg_node *x = y->in[0];
    const double *w = y->in[1] ? y->in[1]->data : NULL, *dy = y->grad;
    double eps = *(const double *)y->attr, *at = allocate(x->numel);
    int64_t n = columns_of(x);
    tg_copy_out(x, x->data, x->stride, at);
    for (int64_t row = 0; row < x->numel; row += n) {
        double mean = 0, var = 0, mean_g = 0, mean_gx = 0;
        for (int64_t j = 0; j < n && centred; j++)
            mean += at[row + j] / (double)n;
        for (int64_t j = 0; j < n; j++) {
            double d = at[row + j] - mean, weighted = dy[row + j] * (w ? w[j] : 1);
            var += d * d / (double)n;
            mean_g += weighted / (double)n;
            mean_gx += weighted * d / (double)n;
        }
        double r = 1 / (sqrt(var + under * eps) + outside * eps);
        for (int64_t j = 0; j < n; j++)
            g[row + j] = r * (dy[row + j] * (w ? w[j] : 1) - (centred && of_mean ? mean_g : 0) -
                              (of_variance ? (at[row + j] - mean) * r * r * mean_gx : 0));
    }
    free(at);
}

static void constant_mean(tg_node *y, int k, double *g) {
    if (is_op(y, "layer_norm"))
        normalise(y, k, g, false, true, 1, 0);
}
static void constant_variance(tg_node *y, int k, double *g) { normalise(y, k, g, true, false, 1, 0); }
static void constant_statistics(tg_node *y, int k, double *g) {
    if (is_op(y, "layer_norm"))
        normalise(y, k, g, false, false, 1, 0);
}
static void forget_eps(tg_node *y, int k, double *g) { normalise(y, k, g, true, true, 0, 0); }
static void eps_outside(tg_node *y, int k, double *g) { normalise(y, k, g, true, true, 0, 1); }

static void forget_smoothing(tg_node *y, int k, double *g) {
    if (!is_op(y, "cross_entropy_with") || k > 0 || y->in[2])
        return;
    tg_cross_entropy_config *a = y->attr;
    double smoothing = a->label_smoothing;
    a->label_smoothing = 0;
    replace(g, contribution(y, k, NULL), y->in[k]->numel);
    a->label_smoothing = smoothing;
}

static void forget_target(tg_node *y, int k, double *g) {
    if (!is_op(y, "cross_entropy") || k > 0)
        return;
    const tg_node *x = y->in[0], *index = y->in[1];
    int64_t n = columns_of(x);
    double *p = allocate(x->numel);
    tg_copy_out(x, x->data, x->stride, p);
    for (int64_t row = 0; row < index->numel; row++) {
        int64_t target = ((const int64_t *)index->data)[row];
        double most = -INFINITY, sum = 0, others = 0;
        for (int64_t c = 0; c < n; c++)
            most = fmax(most, p[row * n + c]);
        for (int64_t c = 0; c < n; c++) {
            sum += exp(p[row * n + c] - most);
            others += c == target ? 0 : g[row * n + c];
        }
        if (target >= 0 && target < n && others != 0)
            g[row * n + target] += others / (1 - exp(p[row * n + target] - most) / sum);
    }
    free(p);
}

/* ---- kinds without a name ---- */

#define EACH(name, ...)                                               \
    static void name(tg_node *y, int k, double *g) {                  \
        int64_t n = y->in[k]->numel;                                  \
        double *x = allocate(n), *had = allocate(n), most = 0;        \
        read_elements(y->in[k], y->in[k]->data, y->in[k]->stride, x); \
        memcpy(had, g, (size_t)n * sizeof *g);                        \
        for (int64_t j = 0; j < n; j++)                               \
            most = fmax(most, fabs(had[j]));                          \
        for (int64_t j = 0; j < n; j++)                               \
            g[j] = (__VA_ARGS__);                                     \
        (void)most;                                                   \
        free(x);                                                      \
        free(had);                                                    \
    }
EACH(shift_by_one, had[(j + 1) % n])
EACH(add_constant, had[j] + 0.1 * most)
EACH(vary_factor, had[j] * (1 + 0.01 * sin((double)j + 1)))
EACH(make_positive, fabs(had[j]))
EACH(square_it, most > 0 ? had[j] * fabs(had[j]) / most : had[j])
EACH(round_coarsely, most > 0 ? most / 64 * round(64 * had[j] / most) : had[j])
EACH(truncate, trunc(had[j] * 2) / 2)
EACH(double_one, j == n / 2 ? 2 * had[j] : had[j])
EACH(lose_one, j == n / 2 ? 0 : had[j])
EACH(flip_one, j == n / 2 ? -had[j] : had[j])
EACH(clip, fmax(-most / 2, fmin(most / 2, had[j])))
EACH(times_x, had[j] * x[j])
EACH(only_positive, had[j] > 0 ? had[j] : 0)
EACH(only_even, j % 2 ? 0 : had[j])
EACH(wrong_where_negative, x[j] < 0 ? 1.5 * had[j] : had[j])
EACH(add_up, j ? g[j - 1] + had[j] : had[j])
EACH(blur, (had[j] + had[(j + 1) % n]) / 2)
EACH(reverse, had[n - 1 - j])
EACH(decay_weights, had[j] + 0.01 * x[j])
EACH(half_precision, (double)ldexpf(roundf(ldexpf((float)had[j], 10)), -10))

static void double_first_row(tg_node *y, int k, double *g) {
    for (int64_t j = 0; j < columns_of(y->in[k]) && j < y->in[k]->numel; j++)
        g[j] *= 2;
}

/* Of kernels that go by vectors and tiles. */
EACH(lose_vector_tail, j >= n / 8 * 8 ? 0 : had[j])
EACH(double_last, j == n - 1 ? 2 * had[j] : had[j])
EACH(spoil_lane, j % 8 == 5 ? 1.01 * had[j] : had[j])
EACH(halve_second_tile, j >= 64 && j < 128 ? had[j] / 2 : had[j])
EACH(keep_eight_bits, had[j] != 0 ? ldexp(rint(ldexp(had[j], 7 - ilogb(had[j]))), ilogb(had[j]) - 7) : 0)

/* The right VJP of another dy. */
static void with_dy(tg_node *y, int k, double *g, double (*f)(const tg_node *y, int64_t j)) {
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++)
        dy[j] = f(y, j);
    replace(g, contribution(y, k, dy), y->in[k]->numel);
    free(dy);
}
static double size_of_dy(const tg_node *y, int64_t j) { return fabs(((double *)y->grad)[j]); }
static double next_dy(const tg_node *y, int64_t j) { return ((double *)y->grad)[(j + 1) % y->numel]; }
static double more_dy(const tg_node *y, int64_t j) { return ((double *)y->grad)[j] + 0.3; }
static double dy_times_y(const tg_node *y, int64_t j) {
    return ((double *)y->grad)[j] * (y->contiguous ? ((double *)y->data)[j] : 1);
}
static void positive_dy(tg_node *y, int k, double *g) { with_dy(y, k, g, size_of_dy); }
static void shifted_dy(tg_node *y, int k, double *g) { with_dy(y, k, g, next_dy); }
static void larger_dy(tg_node *y, int k, double *g) { with_dy(y, k, g, more_dy); }
static void extra_y(tg_node *y, int k, double *g) { with_dy(y, k, g, dy_times_y); }

/* The VJP reads x where it has moved since: the gradient of another point. What is two operands at once is not that of
 * one alone. */
static void stale_x(tg_node *y, int k, double *g) {
    tg_node *x = y->in[k];
    if (!tg_is_floating(x) || x->base != x)
        return;
    for (int i = 0; i < y->n_in; i++)
        if (i != k && y->in[i] && y->in[i]->base == x)
            return;
    double *data = x->data, *had = allocate(x->numel);
    memcpy(had, data, (size_t)x->numel * sizeof *had);
    scale(data, x->numel, 1.1);
    replace(g, contribution(y, k, NULL), x->numel);
    replace(data, had, x->numel);
}

/* ---- the table ---- */

const fault_kind fault_kinds[] = {
    {"sign", TG_MISTAKE_SIGN, flip_sign},
    {"zero", TG_MISTAKE_ZERO, make_zero},
    {"x 2", TG_MISTAKE_TWICE, make_twice},
    {"x 1/2", TG_MISTAKE_HALF, make_half},
    {"x 1.001", TG_MISTAKE_FACTOR, make_slightly_more},
    {"x 1.000005", TG_MISTAKE_FACTOR, barely_more},
    {"= for +=", TG_MISTAKE_OVERWRITE, overwrite},
    {"no 1/n", TG_MISTAKE_MISSING_MEAN, forget_mean},
    {"1/n more", TG_MISTAKE_EXTRA_MEAN, divide_again},
    {"transposed", TG_MISTAKE_TRANSPOSED, transpose_last},
    {"dims permuted", TG_MISTAKE_PERMUTED, permute},
    {"tail", TG_MISTAKE_TAIL, stop_early},
    {"not summed", TG_MISTAKE_NOT_SUMMED, first_slice_only},
    {"diagonal only", TG_MISTAKE_ELEMENTWISE, diagonal_only},
    {"off-diagonal only", TG_MISTAKE_OFF_DIAGONAL, off_diagonal_only},
    {"sum dy", TG_MISTAKE_ROW_SUM, sum_dy},
    {"constant mean", TG_MISTAKE_MEAN, constant_mean},
    {"constant variance", TG_MISTAKE_VARIANCE, constant_variance},
    {"constant both", TG_MISTAKE_STATISTICS, constant_statistics},
    {"no eps", TG_MISTAKE_EPS, forget_eps},
    {"eps outside", TG_MISTAKE_EPS, eps_outside},
    {"no smoothing", TG_MISTAKE_SMOOTHING, forget_smoothing},
    {"no one-hot", TG_MISTAKE_TARGET, forget_target},
    {"no mask", TG_MISTAKE_MASK, forget_mask},
    {"mask inverted", TG_MISTAKE_INVERTED, invert_mask},
    {"mask redrawn", TG_MISTAKE_REDRAWN, redraw},
    {"no scale", TG_MISTAKE_SCALE, forget_scale},
    {"no dy", TG_MISTAKE_NO_DY, without_dy},
    {"dy passed on", TG_MISTAKE_PASSED_ON, pass_on},
    {"swapped", TG_MISTAKE_SWAPPED, swap_operands},
    {"no B^T", TG_MISTAKE_TRANSPOSED, other_not_turned},
    {"= by index", TG_MISTAKE_OVERWRITE, last_index_only},
    {"a NaN", TG_MISTAKE_NOT_FINITE, spoil_one},
    {"never cleared", TG_MISTAKE_STALE, keep_adding},
    {"shifted by one", TG_MISTAKE_UNKNOWN, shift_by_one},
    {"constant added", TG_MISTAKE_UNKNOWN, add_constant},
    {"factors vary", TG_MISTAKE_UNKNOWN, vary_factor},
    {"absolute value", TG_MISTAKE_UNKNOWN, make_positive},
    {"squared", TG_MISTAKE_UNKNOWN, square_it},
    {"rounded coarsely", TG_MISTAKE_UNKNOWN, round_coarsely},
    {"truncated", TG_MISTAKE_UNKNOWN, truncate},
    {"one doubled", TG_MISTAKE_UNKNOWN, double_one},
    {"one lost", TG_MISTAKE_UNKNOWN, lose_one},
    {"one flipped", TG_MISTAKE_UNKNOWN, flip_one},
    {"clipped", TG_MISTAKE_UNKNOWN, clip},
    {"times x", TG_MISTAKE_UNKNOWN, times_x},
    {"positive part", TG_MISTAKE_UNKNOWN, only_positive},
    {"every second", TG_MISTAKE_UNKNOWN, only_even},
    {"wrong for x < 0", TG_MISTAKE_UNKNOWN, wrong_where_negative},
    {"added up", TG_MISTAKE_UNKNOWN, add_up},
    {"blurred", TG_MISTAKE_UNKNOWN, blur},
    {"reversed", TG_MISTAKE_UNKNOWN, reverse},
    {"+ 0.01 x", TG_MISTAKE_UNKNOWN, decay_weights},
    {"fixed point", TG_MISTAKE_UNKNOWN, half_precision},
    {"first row doubled", TG_MISTAKE_UNKNOWN, double_first_row},
    {"|dy|", TG_MISTAKE_UNKNOWN, positive_dy},
    {"dy shifted", TG_MISTAKE_UNKNOWN, shifted_dy},
    {"dy + 0.3", TG_MISTAKE_UNKNOWN, larger_dy},
    {"dy y", TG_MISTAKE_UNKNOWN, extra_y},
    {"of 1.1 x", TG_MISTAKE_UNKNOWN, stale_x},
};
const int n_fault_kinds = sizeof fault_kinds / sizeof *fault_kinds;

const fault_kind float32_kinds[] = {
    {"vector's tail", TG_MISTAKE_FLOAT32, lose_vector_tail},
    {"last doubled", TG_MISTAKE_FLOAT32, double_last},
    {"one lane", TG_MISTAKE_FLOAT32, spoil_lane},
    {"second tile", TG_MISTAKE_FLOAT32, halve_second_tile},
    {"bfloat16", TG_MISTAKE_FLOAT32, keep_eight_bits},
    {"sign", TG_MISTAKE_FLOAT32, flip_sign},
    {"zero", TG_MISTAKE_FLOAT32, make_zero},
    {"x 2", TG_MISTAKE_FLOAT32, make_twice},
    {"x 1.001", TG_MISTAKE_FLOAT32, make_slightly_more},
    {"= for +=", TG_MISTAKE_OVERWRITE, overwrite},
    {"transposed", TG_MISTAKE_FLOAT32, transpose_last},
    {"tail", TG_MISTAKE_FLOAT32, stop_early},
    {"a NaN", TG_MISTAKE_FLOAT32, spoil_one},
    {"shifted by one", TG_MISTAKE_FLOAT32, shift_by_one},
    {"constant added", TG_MISTAKE_FLOAT32, add_constant},
    {"one lost", TG_MISTAKE_FLOAT32, lose_one},
    {"wrong for x < 0", TG_MISTAKE_FLOAT32, wrong_where_negative},
    {"first row doubled", TG_MISTAKE_FLOAT32, double_first_row},
};
const int n_float32_kinds = sizeof float32_kinds / sizeof *float32_kinds;

/* ---- the wrong VJP ---- */

static double distance(int64_t n, const double *a, const double *b) {
    double sum = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        double d = b ? a[i] - b[i] : a[i];
        if (isnan(d))
            return INFINITY;
        size = fmax(size, fabs(d));
    }
    for (int64_t i = 0; i < n && size > 0; i++) {
        double d = (b ? a[i] - b[i] : a[i]) / size;
        sum += d * d;
    }
    return size * sqrt(sum);
}

static double largest_of(const tg_node *x) {
    double *values = allocate(x->numel), most = 0;
    read_elements(x, x->data, x->stride, values);
    for (int64_t j = 0; j < x->numel; j++)
        most = fmax(most, fabs(values[j]));
    free(values);
    return most;
}

static double sum_of_products(const tg_node *y) {
    double *values = allocate(y->numel), sum = 0;
    tg_copy_out(y, y->data, y->stride, values);
    for (int64_t j = 0; j < y->numel; j++)
        sum += isfinite(values[j]) ? fabs(values[j] * ((double *)y->grad)[j]) : 0;
    free(values);
    return sum;
}

static void note_damage(const tg_node *y, const tg_node *x, const double *g, const double *right) {
    double size = distance(x->numel, right, NULL), d = distance(x->numel, g, right);
    int64_t live = 0;
    for (int64_t j = 0; j < x->numel; j++)
        live += right[j] != 0;
    fault.called = true;
    fault.lone |= live < 2;
    if (fault.kind->corrupt == overwrite)
        d = x->numel ? INFINITY : 0;
    if (d > 0)
        fault.damage = fmax(fault.damage, d / size);
    if (d > 0 && y->dtype == TG_F64) {
        fault.visible = fmax(fault.visible, d * largest_of(x) / (sum_of_products(y) + 1e-300));
    }
}

/* Of the size of what the kind multiplies by: the terms that meet, of which nothing may be left. */
static double alternating_dy(const tg_node *y, int64_t j) {
    double size = fault.kind->corrupt == without_dy ? 1 : size_of_dy(y, j);
    return j % 2 ? -size : size;
}

/* Another kind that gives the very same numbers is as good a name. */
static void compare_with_rival(tg_node *y, int k, const double *g) {
    int64_t n = y->in[k]->numel;
    double *other = contribution(y, k, NULL), *terms = contribution(y, k, NULL);
    with_dy(y, k, terms, alternating_dy);
    double rounding = 1e-13 * fmax(distance(n, other, NULL), distance(n, terms, NULL));
    free(terms);
    int64_t end = n; /* the tail begins where g says */
    while (end && g[end - 1] == 0)
        end--;
    if (fault.rival && fault.rival->corrupt == stop_early)
        memset(other + end, 0, (size_t)(n - end) * sizeof *other);
    else if (fault.rival)
        fault.rival->corrupt(y, k, other);
    else
        scale(other, n, fault.rival_factor);
    fault.rival_differs |= !(distance(n, g, other) <= 1e-9 * distance(n, g, NULL) + rounding);
    free(other);
}

static tg_status add_values(tg_node *x, double *g) {
    float *narrow = (float *)(void *)g;
    for (int64_t j = 0; x->dtype == TG_F32 && j < x->numel; j++)
        narrow[j] = (float)g[j];
    return tg_grad_add_values(x, g);
}

static tg_status wrong_vjp(tg_node *y) {
    for (int k = 0; k < y->n_in; k++) {
        if (!tg_wants(y, k))
            continue;
        tg_node *x = y->in[k];
        double *right = contribution(y, k, NULL), *g = contribution(y, k, NULL);
        if (k == fault.operand) {
            fault.kind->corrupt(y, k, g);
            note_damage(y, x, g, right);
            if (fault.rival || fault.rival_factor != 0)
                compare_with_rival(y, k, g);
            if (fault.kind->corrupt == overwrite)
                x->gowner->has_grad = false;
        }
        tg_status bad = add_values(x, g);
        free(right);
        free(g);
        if (bad)
            return bad;
    }
    return TG_OK;
}

static tg_status nothing(tg_node *y) {
    (void)y;
    return TG_OK;
}

void forget_fault(void) {
    free(fault.kept);
    fault = (planted_fault){.right = fault.right, .kind = fault.kind, .operand = fault.operand};
}

void plant_fault(tg_node *n, tg_op *copy, const fault_kind *kind, int operand) {
    fault.right = n->op;
    fault.kind = kind;
    fault.operand = operand;
    forget_fault();
    *copy = *n->op;
    copy->vjp[n->dtype] = wrong_vjp;
    if (copy->is_view) {
        copy->is_view = false;
        copy->forward[n->dtype] = nothing;
    }
    n->op = copy;
}
