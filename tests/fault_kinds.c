/* The mistakes that faults.c plants, and others: see fault_kinds.h. */
#include "core/kernels/attention.h"

#include "fault_kinds.h"

#include <stdlib.h>

static bool is_attention(const job *j) { return is_op(j, "scaled_dot_product_attention"); }
static int64_t columns_of(const tg_node *x) { return x->ndim ? x->size[x->ndim - 1] : 1; }

/* ---- factors ---- */

void times(job *j) { scale(j->g, j->n, j->by); }

/* How many elements of x go into one of y, when that is a sum or a mean. */
static double reduced(const job *j) {
    if (is_op(j, "cross_entropy"))
        return (double)(j->n / columns_of(j->node->in[j->k]));
    return (double)(j->n_y && j->n > j->n_y ? j->n / j->n_y : 1);
}
static void forget_mean(job *j) { scale(j->g, j->n, reduced(j)); }
static void divide_again(job *j) { scale(j->g, j->n, 1 / reduced(j)); }

static void forget_scale(job *j) {
    if (is_op(j, "mul_scalar") || is_op(j, "div_scalar"))
        pass_on(j);
    if (is_attention(j) && j->k < 2)
        scale(j->g, j->n, 1 / ((tg_attention *)j->node->attr)->scale);
}

/* ---- what arrives ---- */

void pass_on(job *j) {
    if (j->n == j->n_y)
        memcpy(j->g, j->dy, (size_t)j->n * sizeof *j->g);
}

void without_dy(job *j) {
    for (int64_t i = 0; i < j->n_y; i++)
        j->dy[i] = 1;
    pull(j->node, j->k, j->dy, j->g);
}

OF_DY(positive_dy, fabs(dy[i]))
OF_DY(shifted_dy, dy[(i + 1) % n])
OF_DY(larger_dy, dy[i] + 0.3)
OF_DY(extra_y, dy[i] * (j->node->contiguous ? j->y[i] : 1))

/* A dim of y along which x repeats, or -1. */
static int broadcast_dim(const job *j) {
    const tg_node *y = j->node, *x = y->in[j->k];
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && y->in[i]->dtype == TG_I64)
            return -1;
    if (is_op(j, "linear") && j->k == 1)
        return y->ndim > 1 && y->size[0] > 1 ? 0 : -1;
    for (int d = 0, shift = y->ndim - x->ndim; shift >= 0 && d < y->ndim; d++)
        if (y->size[d] > 1 && (d < shift || x->size[d - shift] == 1))
            return d;
    return -1;
}

static void first_slice_only(job *j) {
    int d = broadcast_dim(j);
    if (d >= 0)
        from_slice(j, d, 0);
}

/* Where an index repeats, the last of its gradients is kept. */
static void last_index_only(job *j) {
    const tg_node *y = j->node;
    if (y->n_in == 2 && y->in[1] && y->in[1]->dtype == TG_I64 && !is_op(j, "cross_entropy"))
        pick(j, false, false);
}

/* ---- masks ---- */

/* The constant that dx is of dy wherever dx is not 0; 0 when there is none, or no dx is 0. */
static double kept_scale(const job *j) {
    double s = 0;
    bool zeros = false;
    for (int64_t i = 0; i < j->n_y; i++) {
        double ratio = j->n == j->n_y && j->dy[i] != 0 ? j->g[i] / j->dy[i] : 0;
        zeros |= ratio == 0;
        if (ratio == 0)
            continue;
        if (s != 0 && fabs(ratio - s) > 1e-9 * fabs(s))
            return 0;
        s = ratio;
    }
    return zeros ? s : 0;
}

/* The gradient of attention without its mask, by recording it so. */
static void unmasked_attention(job *j) {
    const tg_node *y = j->node;
    const tg_attention *a = y->attr;
    if (j->k > 2 || a->drops || (!y->in[3] && !a->causal))
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
    if (tg_backward_with(out, tg_from_doubles(t, tg_shape_from(y), j->dy)) == TG_OK &&
        tg_read_doubles(tg_grad(x[j->k]), j->g, j->n))
        exit(EXIT_FAILURE);
    tg_tape_free(t);
}

void forget_mask(job *j) {
    double s = kept_scale(j);
    if (is_attention(j))
        unmasked_attention(j);
    for (int64_t i = 0; s != 0 && i < j->n; i++)
        j->g[i] = s * j->dy[i];
}

static void invert_mask(job *j) {
    double s = kept_scale(j);
    for (int64_t i = 0; s != 0 && i < j->n; i++)
        j->g[i] = j->g[i] == 0 ? s * j->dy[i] : 0;
}

static void redraw(job *j) {
    tg_rng_state rng;
    tg_rng_seed(&rng, 1000 + fault.draws++);
    if (is_attention(j) && ((tg_attention *)j->node->attr)->drops && j->k < 3) {
        tg_rng_state kept = *tg_attention_generator(j->node);
        *tg_attention_generator(j->node) = rng;
        pull_again(j);
        *tg_attention_generator(j->node) = kept;
    }
    double s = is_op(j, "dropout") ? kept_scale(j) : 0;
    for (int64_t i = 0; s != 0 && i < j->n; i++)
        j->g[i] = tg_rng_random(&rng) & 1 ? s * j->dy[i] : 0;
}

/* ---- operands ---- */

/* That of the next operand that has as many elements. */
static void swap_operands(job *j) {
    tg_node *y = j->node;
    for (int i = 1; i < y->n_in; i++) {
        int other = (j->k + i) % y->n_in;
        if (!y->in[other] || y->in[other]->numel != j->n || !tg_wants(y, other))
            continue;
        pull(y, other, NULL, j->g);
        return;
    }
}

/* In a product the other operand is taken as it lies where its transpose belongs, or the other way round. */
void other_not_turned(job *j) {
    tg_node *other = (is_op(j, "matmul") || is_op(j, "linear")) && j->k < 2 ? j->node->in[1 - j->k] : NULL;
    int n = other ? other->ndim : 0;
    if (n < 2 || other->size[n - 1] != other->size[n - 2])
        return;
    int64_t row = other->stride[n - 2];
    other->stride[n - 2] = other->stride[n - 1];
    other->stride[n - 1] = row;
    pull_again(j);
    other->stride[n - 1] = other->stride[n - 2];
    other->stride[n - 2] = row;
}

/* The VJP reads x where it has moved since: the gradient of another point. What is two operands at once is not that of
 * one alone. */
static void stale_x(job *j) {
    tg_node *x = j->node->in[j->k];
    if (!tg_is_floating(x) || x->base != x)
        return;
    for (int i = 0; i < j->node->n_in; i++)
        if (i != j->k && j->node->in[i] && j->node->in[i]->base == x)
            return;
    scale(x->data, j->n, 1.1);
    pull_again(j);
    memcpy(x->data, j->x, (size_t)j->n * sizeof *j->x);
}

/* ---- places ---- */

static void exchange_dims(job *j, int a, int b) {
    int order[TG_MAX_DIMS];
    for (int d = 0; d < TG_MAX_DIMS; d++)
        order[d] = d == a ? b : d == b ? a : d;
    store(j, order);
}

static void transpose_last(job *j) {
    int n = j->node->in[j->k]->ndim;
    if (n > 1)
        exchange_dims(j, n - 2, n - 1);
}

/* Heads not moved back. */
static void permute(job *j) {
    int n = j->node->in[j->k]->ndim;
    if (n > 2)
        exchange_dims(j, n == 4, n == 4 ? 2 : 1);
}

void stop_early(job *j) {
    for (int64_t i = j->n - (j->n > 2 ? (j->n + 2) / 3 : 0); i < j->n; i++)
        j->g[i] = 0;
}

void keep_adding(job *j) {
    if (!fault.kept)
        fault.kept = allocate(j->n);
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = fault.kept[i] += j->g[i];
}

/* The VJP itself loses what the gradient held: see wrong_vjp. */
void overwrite(job *j) { (void)j; }

/* ---- rows ---- */

static bool is_mixing(const job *j) {
    return j->k == 0 && (is_op(j, "softmax") || is_op(j, "log_softmax") || is_op(j, "layer_norm"));
}

void diagonal(job *j) {
    if (is_mixing(j))
        pick(j, false, true);
}

void off_diagonal(job *j) {
    diagonal(j);
    for (int64_t i = 0; i < j->n && is_mixing(j); i++)
        j->g[i] = j->right[i] - j->g[i];
}

static void sum_over_last(job *j) {
    if (is_op(j, "softmax") && j->k == 0 && j->node->ndim)
        sum_of_dy(j, j->node->ndim - 1);
}

/* Layer norm or rms_norm; in this there is no mean. */
void of_rows(job *j) {
    bool centred = is_op(j, "layer_norm");
    if (j->k > 0 || (!centred && (!is_op(j, "rms_norm") || strchr(j->at, 'm'))))
        return;
    const tg_node *weight = j->node->in[1];
    double *w = weight ? allocate(weight->numel) : NULL;
    if (weight)
        tg_copy_out(weight, weight->data, weight->stride, w);
    normalise(j, columns_of(j->node), centred, *(const double *)j->node->attr, w, j->at);
    free(w);
}

void forget_smoothing(job *j) {
    tg_cross_entropy_config *a = j->node->attr;
    if (!is_op(j, "cross_entropy_with") || j->k > 0 || j->node->in[2])
        return;
    double smoothing = a->label_smoothing;
    a->label_smoothing = 0;
    pull_again(j);
    a->label_smoothing = smoothing;
}

/* p where p - onehot belongs: the others of a row are p times what g's target is (p - 1) times. */
void forget_target(job *j) {
    int64_t n = columns_of(j->node->in[0]);
    const tg_node *index = is_op(j, "cross_entropy") && j->k == 0 ? j->node->in[1] : NULL;
    for (int64_t row = 0; index && row < index->numel; row++) {
        int64_t target = ((const int64_t *)index->data)[row];
        const double *x = j->x + row * n;
        double *g = j->g + row * n, most = -INFINITY, sum = 0, others = 0;
        for (int64_t c = 0; c < n; c++)
            most = fmax(most, x[c]);
        for (int64_t c = 0; c < n; c++) {
            sum += exp(x[c] - most);
            others += c == target ? 0 : g[c];
        }
        if (target >= 0 && target < n && others != 0)
            g[target] += others / (1 - exp(x[target] - most) / sum);
    }
}

/* ---- the tables ---- */

#define UNNAMED(M)                                                                                   \
    M(add_constant, "constant added", had[i] + 0.1 * most)                                           \
    M(vary_factor, "factors vary", had[i] * (1 + 0.01 * sin((double)i + 1)))                         \
    M(make_positive, "absolute value", fabs(had[i]))                                                 \
    M(square_it, "squared", most > 0 ? had[i] * fabs(had[i]) / most : had[i])                        \
    M(round_coarsely, "rounded coarsely", most > 0 ? most / 64 * round(64 * had[i] / most) : had[i]) \
    M(truncate, "truncated", trunc(had[i] * 2) / 2)                                                  \
    M(double_one, "one doubled", i == n / 2 ? 2 * had[i] : had[i])                                   \
    M(lose_one, "one lost", i == n / 2 ? 0 : had[i])                                                 \
    M(flip_one, "one flipped", i == n / 2 ? -had[i] : had[i])                                        \
    M(clip, "clipped", fmax(-most / 2, fmin(most / 2, had[i])))                                      \
    M(times_x, "times x", had[i] * x[i])                                                             \
    M(only_positive, "positive part", had[i] > 0 ? had[i] : 0)                                       \
    M(only_even, "every second", i % 2 ? 0 : had[i])                                                 \
    M(wrong_where_negative, "wrong for x < 0", x[i] < 0 ? 1.5 * had[i] : had[i])                     \
    M(add_up, "added up", i ? j->g[i - 1] + had[i] : had[i])                                         \
    M(blur, "blurred", (had[i] + had[(i + 1) % n]) / 2)                                              \
    M(reverse, "reversed", had[n - 1 - i])                                                           \
    M(decay_weights, "+ 0.01 x", had[i] + 0.01 * x[i])                                               \
    M(half_precision, "fixed point", (double)ldexpf(roundf(ldexpf((float)had[i], 10)), -10))         \
    M(double_first_row, "first row doubled", i < columns_of(j->node->in[j->k]) ? 2 * had[i] : had[i])
#define DEFINE(name, text, ...) EACH(name, __VA_ARGS__)
#define ENTRY(name, text, ...) {text, TG_MISTAKE_UNKNOWN, name, 0, ""},
UNNAMED(DEFINE)
EACH(shift_by_one, had[(i + 1) % n])
EACH(spoil_one, i == n / 2 ? (double)NAN : had[i])

#define KIND(text, name, corrupt) \
    { text, TG_MISTAKE_##name, corrupt, 0, "" }
#define TIMES(text, name, by) \
    { text, TG_MISTAKE_##name, times, by, "" }
#define ROWS(text, name, at) \
    { text, TG_MISTAKE_##name, of_rows, 0, at }
const fault_kind fault_kinds[] = {
    TIMES("sign", SIGN, -1),
    TIMES("zero", ZERO, 0),
    TIMES("x 2", TWICE, 2),
    TIMES("x 1/2", HALF, 0.5),
    TIMES("x 1.001", FACTOR, 1.001),
    TIMES("x 1.000005", FACTOR, 1.000005),
    KIND("= for +=", OVERWRITE, overwrite),
    KIND("no 1/n", MISSING_MEAN, forget_mean),
    KIND("1/n more", EXTRA_MEAN, divide_again),
    KIND("transposed", TRANSPOSED, transpose_last),
    KIND("dims permuted", PERMUTED, permute),
    KIND("tail", TAIL, stop_early),
    KIND("not summed", NOT_SUMMED, first_slice_only),
    KIND("diagonal only", UNKNOWN, diagonal),
    KIND("off-diagonal only", UNKNOWN, off_diagonal),
    KIND("sum dy", UNKNOWN, sum_over_last),
    ROWS("constant mean", UNKNOWN, "m"),
    ROWS("constant variance", UNKNOWN, "v"),
    ROWS("constant both", UNKNOWN, "mv"),
    ROWS("no eps", UNKNOWN, "0!"),
    ROWS("eps outside", UNKNOWN, "o!"),
    KIND("no smoothing", UNKNOWN, forget_smoothing),
    KIND("no one-hot", UNKNOWN, forget_target),
    KIND("no mask", MASK, forget_mask),
    KIND("mask inverted", UNKNOWN, invert_mask),
    KIND("mask redrawn", UNKNOWN, redraw),
    KIND("no scale", SCALE, forget_scale),
    KIND("no dy", NO_DY, without_dy),
    KIND("dy passed on", PASSED_ON, pass_on),
    KIND("swapped", UNKNOWN, swap_operands),
    KIND("no B^T", UNKNOWN, other_not_turned),
    KIND("= by index", UNKNOWN, last_index_only),
    KIND("a NaN", NOT_FINITE, spoil_one),
    KIND("never cleared", STALE, keep_adding),
    KIND("shifted by one", UNKNOWN, shift_by_one),
    UNNAMED(ENTRY) KIND("|dy|", UNKNOWN, positive_dy),
    KIND("dy shifted", UNKNOWN, shifted_dy),
    KIND("dy + 0.3", UNKNOWN, larger_dy),
    KIND("dy y", UNKNOWN, extra_y),
    KIND("of 1.1 x", UNKNOWN, stale_x),
};
const int n_fault_kinds = sizeof fault_kinds / sizeof *fault_kinds;

/* Of kernels that go by vectors and tiles. */
EACH(lose_vector_tail, i >= n / 8 * 8 ? 0 : had[i])
EACH(double_last, i == n - 1 ? 2 * had[i] : had[i])
EACH(spoil_lane, i % 8 == 5 ? 1.01 * had[i] : had[i])
EACH(halve_second_tile, i >= 64 && i < 128 ? had[i] / 2 : had[i])
EACH(keep_eight_bits, had[i] != 0 ? ldexp(rint(ldexp(had[i], 7 - ilogb(had[i]))), ilogb(had[i]) - 7) : 0)

const fault_kind float32_kinds[] = {
    KIND("vector's tail", FLOAT32, lose_vector_tail),
    KIND("last doubled", FLOAT32, double_last),
    KIND("one lane", FLOAT32, spoil_lane),
    KIND("second tile", FLOAT32, halve_second_tile),
    KIND("bfloat16", FLOAT32, keep_eight_bits),
    TIMES("sign", FLOAT32, -1),
    TIMES("zero", FLOAT32, 0),
    TIMES("x 2", FLOAT32, 2),
    TIMES("x 1.001", FLOAT32, 1.001),
    KIND("= for +=", OVERWRITE, overwrite),
    KIND("transposed", FLOAT32, transpose_last),
    KIND("tail", FLOAT32, stop_early),
    KIND("a NaN", FLOAT32, spoil_one),
    KIND("shifted by one", FLOAT32, shift_by_one),
    KIND("constant added", FLOAT32, add_constant),
    KIND("one lost", FLOAT32, lose_one),
    KIND("wrong for x < 0", FLOAT32, wrong_where_negative),
    KIND("first row doubled", FLOAT32, double_first_row),
};
const int n_float32_kinds = sizeof float32_kinds / sizeof *float32_kinds;
