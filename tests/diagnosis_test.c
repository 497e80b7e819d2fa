/* What the gradient check says of a mistake, word for word: one is planted in the VJP of an operation, for one operand,
 * and the diagnosis is to be the sentence that the table gives; and a whole result as text and JSON. Which mistakes are
 * found at all is fault_test.c and tests/faults.c. */
#include "core/gradcheck/check.h"
#include "core/io/json.h"
#include "core/kernels/attention.h"
#include "tests/support.h"

enum { MOST = 512, OPERANDS = 4 };

/* ---- planting ---- */

/* The gradient g of operand k, to be changed; x and y are its elements and those of the result, row-major. */
typedef struct job {
    tg_node *node;
    int k;
    int64_t n, n_y;
    double g[MOST], dy[MOST], x[MOST], y[MOST];
    const char *at;
    double by;
} job;
typedef void change(job *j);

static struct {
    const tg_op *right;
    int operand;
    change *change;
    const char *at;
    double by;
    int calls;
} planted;

/* What the right VJP makes of this dy, for one operand, onto nothing. */
static void pull(tg_node *y, int k, const double *dy, double *out) {
    tg_node *x = y->in[k], *owner = x->gowner;
    double had_dy[MOST];
    bool recorded[OPERANDS + 1], had = owner->has_grad;
    void *grad = owner->grad;
    owner->grad = NULL;
    owner->has_grad = false;
    memcpy(had_dy, y->grad, (size_t)y->numel * sizeof *had_dy);
    memmove(y->grad, dy, (size_t)y->numel * sizeof *dy);
    memcpy(recorded, tg_recorded(y), y->n_in * sizeof *recorded);
    for (int i = 0; i < y->n_in; i++)
        tg_recorded(y)[i] = i == k;
    ck_assert_int_eq(planted.right->vjp[TG_F64](y), TG_OK);
    memset(out, 0, (size_t)x->numel * sizeof *out);
    if (owner->has_grad)
        tg_copy_out(x, tg_grad_elements(x), x->gstride, out);
    memcpy(tg_recorded(y), recorded, y->n_in * sizeof *recorded);
    memcpy(y->grad, had_dy, (size_t)y->numel * sizeof *had_dy);
    tg_release_grad(owner);
    owner->grad = grad;
    owner->has_grad = had;
}

static tg_status wrong_vjp(tg_node *y) {
    static job j;
    for (int k = 0; k < y->n_in; k++) {
        if (!y->in[k] || !tg_wants(y, k))
            continue;
        tg_node *x = y->in[k];
        j = (job){.node = y, .k = k, .n = x->numel, .n_y = y->numel, .at = planted.at, .by = planted.by};
        ck_assert(x->numel <= MOST && y->numel <= MOST && y->n_in <= OPERANDS);
        tg_copy_out(x, x->data, x->stride, j.x);
        tg_copy_out(y, y->data, y->stride, j.y);
        memcpy(j.dy, y->grad, (size_t)y->numel * sizeof *j.dy);
        pull(y, k, j.dy, j.g);
        if (k == planted.operand) {
            planted.change(&j);
            planted.calls++;
        }
        if (tg_grad_add_values(x, j.g))
            return tg_tape_status(y->tape);
    }
    return TG_OK;
}

/* ---- mistakes ---- */

static void times(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= j->by;
}

/* By place: x: times 1.5 and an eighth for each element before; 0: nothing; -: the other sign; 2: twice; ~: NaN; d: dy
 * times 2, 3, ... */
static void at_places(job *j) {
    for (int64_t i = 0; i < j->n && j->at[i]; i++)
        switch (j->at[i]) {
        case 'x': j->g[i] *= 1.5 + (double)i / 8; break;
        case '0': j->g[i] = 0; break;
        case '-': j->g[i] *= -1; break;
        case '2': j->g[i] *= 2; break;
        case '~': j->g[i] = NAN; break;
        case 'd': j->g[i] = (2 + (double)i) * j->dy[i]; break;
        }
}

static void pass_on(job *j) { memcpy(j->g, j->dy, sizeof j->g); }
static void pass_on_twice(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = 2 * j->dy[i];
}

static void without_dy(job *j) {
    for (int64_t i = 0; i < j->n_y; i++)
        j->dy[i] = 1;
    pull(j->node, j->k, j->dy, j->g);
}

static void of_another(job *j) { pull(j->node, (int)j->by, j->dy, j->g); }

/* From the part of y that lies at `place` along dim `by`; -1: the last. */
static void from_slice(job *j, int64_t place) {
    const tg_node *y = j->node;
    int64_t stride = 1, d = (int64_t)j->by;
    for (int i = y->ndim - 1; i > d; i--)
        stride *= y->size[i];
    for (int64_t i = 0; i < j->n_y; i++)
        j->dy[i] *= i / stride % y->size[d] == (place < 0 ? y->size[d] - 1 : place);
    pull(j->node, j->k, j->dy, j->g);
}
static void from_first_slice(job *j) { from_slice(j, 0); }
static void from_second_slice(job *j) { from_slice(j, 1); }
static void from_last_slice(job *j) { from_slice(j, -1); }

/* Of the gradients that each element of y gives: the first or last that is not 0, or that of the element's own place.
 */
static void pick(job *j, bool first, bool own) {
    double alone[MOST] = {0}, part[MOST];
    memset(j->g, 0, sizeof j->g);
    for (int64_t at = 0; at < j->n_y; at++) {
        alone[at] = j->dy[at];
        pull(j->node, j->k, alone, part);
        alone[at] = 0;
        for (int64_t i = 0; i < j->n; i++)
            if (part[i] != 0 && (own ? i == at : !first || j->g[i] == 0))
                j->g[i] = part[i];
    }
}
static void first_kept(job *j) { pick(j, true, false); }
static void last_kept(job *j) { pick(j, false, false); }
static void diagonal(job *j) { pick(j, false, true); }
static void off_diagonal(job *j) {
    double right[MOST];
    memcpy(right, j->g, sizeof right);
    diagonal(j);
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = right[i] - j->g[i];
}
static void y_dy(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = j->y[i] * j->dy[i];
}

/* y (dy - sum dy), where rows lie along dim `by`. */
static void sum_of_dy(job *j) {
    const tg_node *y = j->node;
    int64_t stride = 1, size = y->size[(int)j->by];
    for (int i = y->ndim - 1; i > (int)j->by; i--)
        stride *= y->size[i];
    for (int64_t i = 0; i < j->n; i++) {
        double sum = 0;
        for (int64_t c = 0, begin = i - i / stride % size * stride; c < size; c++)
            sum += j->dy[begin + c * stride];
        j->g[i] = j->y[i] * (j->dy[i] - sum);
    }
}

/* Right numbers that lie where they would with dims 0, 1, ... in the order that `at` says. */
static void stored_in_order(job *j) {
    const tg_node *x = j->node->in[j->k];
    double right[MOST];
    memcpy(right, j->g, sizeof right);
    for (int64_t i = 0; i < j->n; i++) {
        int64_t place[TG_MAX_DIMS], rest = i, to = 0;
        for (int d = x->ndim - 1; d >= 0; rest /= x->size[d--])
            place[d] = rest % x->size[d];
        for (int d = 0; d < x->ndim; d++)
            to = to * x->size[j->at[d] - '0'] + place[j->at[d] - '0'];
        j->g[to] = right[i];
    }
}

/* The other matrix as it lies in place of its transpose. */
static void other_not_turned(job *j) {
    tg_node *other = j->node->in[1 - j->k];
    int64_t *row = &other->stride[other->ndim - 2], *column = &other->stride[other->ndim - 1], kept = *row;
    *row = *column;
    *column = kept;
    pull(j->node, j->k, j->dy, j->g);
    *column = *row;
    *row = kept;
}

/* dy^T y of squares, with the y of the first call. */
static void dy_turned_times_first_y(job *j) {
    static double first[MOST];
    int64_t n = j->node->size[0];
    if (!planted.calls)
        memcpy(first, j->y, sizeof first);
    for (int64_t row = 0; row < n; row++)
        for (int64_t column = 0; column < n; column++) {
            j->g[row * n + column] = 0;
            for (int64_t k = 0; k < n; k++)
                j->g[row * n + column] += j->dy[k * n + row] * first[k * n + column];
        }
}

static void dy_where_masked(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = j->at[i] == '1' ? j->by * j->dy[i] : 0;
}

static void without_mask(job *j) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3];
    double values[MOST];
    for (int i = 0; i < 3; i++) {
        const tg_node *in = j->node->in[i];
        tg_copy_out(in, in->data, in->stride, values);
        x[i] = wanting(tg_from_doubles(t, tg_shape_from(in), values));
    }
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0,
                                                  ((const tg_attention *)j->node->attr)->scale);
    ck_assert_int_eq(tg_backward_with(y, tg_from_doubles(t, tg_shape_from(j->node), j->dy)), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x[j->k]), j->g, j->n), TG_OK);
    tg_tape_free(t);
}

/* dx of a normalisation over each n elements of `numel`, as flags says: m: without the gradient of the mean, v: without
 * that of the variance; the row's factor is that of eps 0 (0), or with eps outside the root (o); !: within h as well.
 */
static void normalise(int64_t numel, int64_t n, bool centred, double eps, const double *w, const double *x,
                      const double *dy, const char *flags, double *dx) {
    for (int64_t row = 0; row < numel; row += n) {
        double mean = 0, var = 0, g_mean = 0, gx_mean = 0;
        for (int64_t c = row; c < row + n && centred; c++)
            mean += x[c] / (double)n;
        for (int64_t c = row; c < row + n; c++) {
            double d = x[c] - mean, g = dy[c] * (w ? w[c - row] : 1);
            var += d * d / (double)n;
            g_mean += g / (double)n;
            gx_mean += g * d / (double)n;
        }
        double right = 1 / sqrt(var + eps), r = right;
        r = strchr(flags, '0') ? 1 / sqrt(var) : strchr(flags, 'o') ? 1 / (sqrt(var) + eps) : right;
        double inner = strchr(flags, '!') ? r : right;
        for (int64_t c = row; c < row + n; c++)
            dx[c] = r * (dy[c] * (w ? w[c - row] : 1) - (centred && !strchr(flags, 'm') ? g_mean : 0) -
                         (strchr(flags, 'v') ? 0 : (x[c] - mean) * inner * inner * gx_mean));
    }
}
static void of_rows(job *j) {
    const tg_node *y = j->node, *w = y->in[1];
    normalise(j->n, y->size[y->ndim - 1], !strcmp(y->op->name, "layer_norm"), *(const double *)y->attr,
              w ? w->data : NULL, j->x, j->dy, j->at, j->g);
}

/* The weight is every second element. */
static void of_strided_rows(job *j) {
    double w[MOST];
    tg_copy_out(j->node->in[1], j->node->in[1]->data, j->node->in[1]->stride, w);
    normalise(j->n, j->node->size[1], true, 0.05, w, j->x, j->dy, j->at, j->g);
}

static void plus_dy(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] += j->dy[0];
}

static void without_smoothing(job *j) {
    tg_cross_entropy_config *a = j->node->attr;
    double smoothing = a->label_smoothing;
    a->label_smoothing = 0;
    pull(j->node, j->k, j->dy, j->g);
    a->label_smoothing = smoothing;
}

/* + dy / rows at the targets: p where p - onehot belongs. */
static void without_target(job *j) {
    const tg_node *target = j->node->in[1];
    int64_t classes = j->n / target->numel, rows = 0;
    for (int64_t r = 0; r < target->numel; r++)
        rows += ((const int64_t *)target->data)[r] >= 0;
    for (int64_t r = 0; r < target->numel; r++) {
        int64_t c = ((const int64_t *)target->data)[r];
        if (c >= 0)
            j->g[r * classes + c] += j->n_y == 1 ? j->dy[0] / (double)rows : j->dy[r];
    }
}

static void keep(job *j) {
    static double kept[MOST];
    if (!planted.calls)
        memset(kept, 0, sizeof kept);
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = kept[i] += j->g[i];
}

/* Bits of a multiplicative hash of the call and the place. */
static bool drawn(int64_t i) {
    uint64_t bits = ((uint64_t)planted.calls * 64 + (uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (bits ^ bits >> 31) * UINT64_C(0xbf58476d1ce4e5b9) >> 63;
}
static void masked_anew(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] = drawn(i) ? j->by * j->dy[i] : 0;
}
static void first_masked_anew(job *j) { j->g[0] *= planted.calls % 2; }
/* In the first call, and in those behind one that added to a gradient. */
static void first_masked_after_adding(job *j) {
    static bool added;
    added |= !planted.calls;
    j->g[0] *= !added;
    added = j->node->in[j->k]->gowner->has_grad;
}
static void differs(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= 1 + j->by * (planted.calls % 3);
}
static void counts_calls(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= 1 + j->by * planted.calls;
}
static void times_size_of_dy(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= fabs(j->dy[i]);
}
static void times_y(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= j->y[i];
}
static void over_y(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] /= j->y[i];
}
static void over_x(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] /= j->x[i];
}
/* Nearly 0 where x is a whole number. */
static void times_distance_to_whole(job *j) {
    for (int64_t i = 0; i < j->n; i++)
        j->g[i] *= j->x[i] - round(j->x[i]) + 1e-16;
}
static void overwrite(job *j) { j->node->in[j->k]->gowner->has_grad = false; }

/* ---- operations ---- */

/* Numbers of many sizes and both signs, others for each leaf. */
static tg_tensor leaf(tg_tape *t, tg_shape shape) {
    double values[MOST];
    for (int64_t i = 0; i < tg_shape_numel(&shape); i++)
        values[i] = (i % 3 == 1 ? -1 : 1) * (0.9 + 0.55 * sin(1.7 * (double)i + 2.3 * (double)t->count));
    return wanting(tg_from_doubles(t, shape, values));
}
#define L(...) leaf(t, TG_SHAPE(__VA_ARGS__))
#define CONSTANT(...) VECTOR(t, __VA_ARGS__)
#define INTS(...) \
    tg_from_ints(t, TG_SHAPE((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))), (int64_t[]){__VA_ARGS__})
#define BOOLS(...) tg_to_bool(CONSTANT(__VA_ARGS__))
#define OP(name, ...) \
    static tg_tensor name(tg_tape *t) { return __VA_ARGS__; }

OP(exponential, tg_exp(L(2, 3)))
OP(exponential_of_one, tg_exp(L(1)))
OP(exponential_of_two, tg_exp(L(2)))
OP(exponential_of_a_matrix, tg_exp(L(3, 5)))
OP(exponential_of_square, tg_exp(L(4, 4)))
OP(exponential_of_3d, tg_exp(L(2, 3, 5)))
OP(exponential_of_4d, tg_exp(L(2, 3, 4, 5)))
OP(exponential_of_12, tg_exp(L(12)))
OP(thrice, tg_mul_scalar(L(2, 3), 3))
OP(millionth, tg_mul_scalar(L(6), 1e-6))
OP(thrice_of_one, tg_mul_scalar(L(1), 3))
OP(thrice_of_two, tg_mul_scalar(L(2), 3))
OP(minus_thrice, tg_mul_scalar(L(2, 3), -3))
OP(square, tg_square(L(6)))
OP(square_of_whole_numbers, tg_square(wanting(CONSTANT(1, -2, 3, 4))))
OP(masked_thrice, tg_mul(L(6), CONSTANT(3, 0, 3, 3, 0, 0)))
OP(masked_thrice_of_two, tg_mul(L(2), CONSTANT(3, 0)))
OP(masked_unevenly, tg_mul(L(6), CONSTANT(3, 0, 3, 2, 0, 0)))
OP(sum_of_4d, tg_sum(L(2, 3, 5, 7), TG_DIMS(1, 2), false))
OP(sum_of_squares, tg_norm(L(3, 5), 2, TG_ALL_DIMS, false))
OP(sum_of_all, tg_sum(L(7), TG_ALL_DIMS, false))
OP(mean_of_two, tg_mean(L(5, 2), TG_DIMS(1), false))
OP(mean_of_all_but_two, tg_mean(L(5, 3), TG_DIMS(1), false))
OP(variance, tg_var(L(3, 5), TG_DIMS(1), 1, false))
OP(mean_square, tg_mse_loss(L(1), tg_ones(t, TG_SHAPE(1)), TG_MEAN))
OP(expanded, tg_add(L(7), tg_zeros(t, TG_SHAPE(3, 5, 7))))
OP(product_of_three, tg_matmul(L(3, 5), L(5, 4)))
OP(product_of_vectors, tg_matmul(L(1, 7), L(7)))
OP(product_of_columns, tg_matmul(L(3, 1), L(1, 4)))
OP(product_by_two, tg_matmul(L(3, 2), L(2, 5)))
OP(product_of_squares, tg_matmul(L(4, 4), L(4, 4)))
OP(product_of_batches, tg_matmul(L(2, 3, 3), L(3, 3)))
OP(product_of_more_batches, tg_matmul(L(2, 1, 3, 3), L(5, 3, 3)))
OP(product, tg_mul(L(2, 3), L(2, 3)))
OP(quotient, tg_div(L(2, 3), L(2, 3)))
OP(product_of_sizes, tg_mul(L(2, 3), L(3)))
OP(biased, tg_add(L(3, 5), L(5)))
OP(biased_in_3d, tg_add(L(2, 3, 5), L(5)))
OP(biased_in_the_middle, tg_add(L(2, 3, 5), L(2, 1, 5)))
OP(linear, tg_linear(L(3, 4), L(2, 4), L(2)))
OP(linear_of_squares, tg_linear(L(4, 4), L(4, 4), TG_NULL))
OP(sum_of_planes, tg_sum(L(11, 3, 2), TG_DIMS(0, 1), false))
OP(sum_of_8d, tg_sum(L(2, 1, 1, 3, 1, 1, 1, 2), TG_DIMS(3), true))
OP(picked_one, tg_index_select(L(6), 0, INTS(3)))
OP(rows_of_table, tg_embedding(L(4, 3), INTS(2, 0, 2, 1, 2)))
OP(picked, tg_index_select(L(6), 0, INTS(5, 1, 1, 3, 1)))
OP(softmax, tg_softmax(L(3, 4), -1))
OP(log_softmax, tg_log_softmax(L(3, 4), -1))
OP(running_sum, tg_cumsum(L(7), 0))
OP(layer_norm, tg_layer_norm(L(3, 5), L(5), L(5), 0.05))
OP(layer_norm_alone, tg_layer_norm(L(2, 3, 4), TG_NULL, TG_NULL, 0.05))
OP(layer_norm_of_three, tg_layer_norm(L(4, 3), TG_NULL, TG_NULL, 0.05))
OP(layer_norm_of_every_second, tg_layer_norm(L(3, 5), tg_slice(L(10), 0, 0, 10, 2), TG_NULL, 0.05))
OP(layer_norm_of_small_weights, tg_layer_norm(L(3, 4), wanting(CONSTANT(1e-4, -2e-4, 1.5e-4, 3e-4)), TG_NULL, 0.05))
OP(entropy_of_one_class, tg_cross_entropy(L(8, 1), INTS(0, 0, 0, 0, 0, 0, 0, 0), TG_IGNORE_INDEX, TG_MEAN))
OP(rms_norm, tg_rms_norm(L(3, 5), L(5), 0.05))
OP(rms_norm_of_two, tg_rms_norm(L(4, 2), TG_NULL, 0.05))
OP(attention, tg_scaled_dot_product_attention(L(3, 4), L(5, 4), L(5, 2), TG_NULL, false, 0, 0.3))
OP(attention_of_squares, tg_scaled_dot_product_attention(L(4, 4), L(4, 4), L(4, 4), TG_NULL, false, 0, 0))
OP(attention_by_root, tg_scaled_dot_product_attention(L(3, 6), L(5, 6), L(5, 2), TG_NULL, false, 0, 0))
OP(causal_attention, tg_scaled_dot_product_attention(L(4, 3), L(4, 3), L(4, 2), TG_NULL, true, 0, 0))
OP(attention_with_mask,
   tg_scaled_dot_product_attention(L(2, 3), L(4, 3), L(4, 2), tg_reshape(BOOLS(1, 0, 1, 1, 0, 1, 1, 0), TG_SHAPE(2, 4)),
                                   false, 0, 0))
OP(entropy, tg_cross_entropy(L(5, 4), INTS(2, 0, 3, 1, 3), TG_IGNORE_INDEX, TG_MEAN))
OP(entropy_of_each, tg_cross_entropy(L(5, 4), INTS(2, 0, 3, 1, 3), TG_IGNORE_INDEX, TG_NONE))
OP(entropy_of_three, tg_cross_entropy(L(5, 4), INTS(2, -100, 3, -100, 0), TG_IGNORE_INDEX, TG_MEAN))
OP(entropy_of_one, tg_cross_entropy(L(1, 4), INTS(2), TG_IGNORE_INDEX, TG_MEAN))

static tg_tensor smoothed(tg_tape *t, tg_tensor logits, tg_tensor targets) {
    tg_cross_entropy_config config = TG_CROSS_ENTROPY_DEFAULTS;
    (void)t;
    config.label_smoothing = 0.2;
    return tg_cross_entropy_with(logits, targets, config);
}
OP(smoothed_entropy, smoothed(t, L(4, 3), INTS(0, 2, 1, 0)))
OP(smoothed_entropy_of_two, smoothed(t, L(4, 2), INTS(0, 1, 1, 0)))
OP(dropped, tg_dropout(L(12), 0.5))
OP(masked_fill, tg_masked_fill(L(2, 3), tg_reshape(BOOLS(1, 0, 0, 1, 0, 0), TG_SHAPE(2, 3)), 7))
OP(signs, tg_exp(wanting(MATRIX(t, 3, 3, -2, 0.5, 3, 0.25, -0.5, -3, 2, 0, 1))))
OP(saturated, tg_softmax(wanting(MATRIX(t, 1, 4, 1, 0.5, 0.2, -70)), -1))
OP(rows_of_table_twice, tg_embedding(L(4, 3), tg_reshape(INTS(0, 0, 1, 1, 2, 0, 1, 2, 3, 3), TG_SHAPE(2, 5))))

/* 1, 0, 0, 2, 0, 0, ... */
static tg_tensor sparse(tg_tape *t, tg_shape shape) {
    double values[MOST] = {0};
    for (int64_t i = 0; i < tg_shape_numel(&shape); i += 3)
        values[i] = 1 + (double)i / 3;
    return tg_from_doubles(t, shape, values);
}
OP(weighed_in_the_middle, tg_mul(sparse(t, TG_SHAPE(2, 4, 5)), L(2, 1, 5)))
OP(weighed, tg_mul(sparse(t, TG_SHAPE(2, 4, 5)), L(5)))
OP(square_of_small, tg_square(wanting(VECTOR(t, 1e-3, -2e-3, 1.5e-3, 3e-3))))
OP(sum_of_matrix, tg_sum(L(3, 3), TG_ALL_DIMS, false))
OP(exponential_of_cube, tg_exp(L(2, 2, 2)))
OP(exponential_of_8, tg_exp(L(8)))

/* Softmax over any dim, and a normalisation over all dims but the first. */
typedef struct mixed {
    int64_t rows, n, stride; /* of x: rows x n x stride, mixed along the middle one */
    const double *x, *dy;
    double *y, *dx;
} mixed;

static mixed mixed_of(const tg_call *c, int dim) {
    const tg_shape *s = c->output_shape;
    mixed m = {.rows = 1, .n = s->size[dim], .stride = 1, .x = c->input[0], .y = c->output, .dy = c->output_grad};
    for (int d = 0; d < s->ndim; d++)
        *(d < dim ? &m.rows : d > dim ? &m.stride : &m.n) *= d == dim ? 1 : s->size[d];
    m.dx = c->output_grad ? c->input_grad[0] : NULL;
    return m;
}

static int softmax_forward(const tg_call *c) {
    mixed m = mixed_of(c, *(const int *)c->context);
    for (int64_t i = 0; i < m.rows * m.n * m.stride; i++) {
        double sum = 0;
        for (int64_t k = 0, begin = i - i / m.stride % m.n * m.stride; k < m.n; k++)
            sum += exp(m.x[begin + k * m.stride]);
        m.y[i] = exp(m.x[i]) / sum;
    }
    return 0;
}

static int softmax_vjp(const tg_call *c) {
    mixed m = mixed_of(c, *(const int *)c->context);
    for (int64_t i = 0; i < m.rows * m.n * m.stride; i++) {
        double sum = 0;
        for (int64_t k = 0, begin = i - i / m.stride % m.n * m.stride; k < m.n; k++)
            sum += m.dy[begin + k * m.stride] * m.y[begin + k * m.stride];
        m.dx[i] += m.y[i] * (m.dy[i] - sum);
    }
    return 0;
}

static int plane_norm_forward(const tg_call *c) {
    int64_t numel = tg_shape_numel(c->output_shape), n = numel / *(const int *)c->context;
    const double *x = c->input[0];
    for (int64_t row = 0; row < numel; row += n) {
        double mean = 0, var = 0;
        for (int64_t k = row; k < row + n; k++)
            mean += x[k] / (double)n;
        for (int64_t k = row; k < row + n; k++)
            var += (x[k] - mean) * (x[k] - mean) / (double)n;
        for (int64_t k = row; k < row + n; k++)
            ((double *)c->output)[k] = (x[k] - mean) / sqrt(var + 0.05);
    }
    return 0;
}

static int plane_norm_vjp(const tg_call *c) {
    int64_t numel = tg_shape_numel(c->output_shape);
    double dx[MOST];
    normalise(numel, numel / *(const int *)c->context, true, 0.05, NULL, c->input[0], c->output_grad, "", dx);
    for (int64_t i = 0; i < numel; i++)
        ((double *)c->input_grad[0])[i] += dx[i];
    return 0;
}
static void of_planes(job *j) { normalise(j->n, j->n / (int)j->by, true, 0.05, NULL, j->x, j->dy, j->at, j->g); }

static tg_tensor any_softmax(tg_tensor x, int dim) {
    static const tg_custom_op op = {"any_softmax", NULL, NULL, softmax_forward, softmax_vjp};
    return tg_custom(&op, &x, 1, tg_shape_of(x), &dim, sizeof dim);
}
OP(softmax_of_dim_0, any_softmax(L(4, 3), 0))
OP(softmax_of_the_middle, any_softmax(L(2, 4, 3), 1))

static tg_tensor normed_planes(tg_tensor x, int batches) {
    static const tg_custom_op op = {"plane_norm", NULL, NULL, plane_norm_forward, plane_norm_vjp};
    return tg_custom(&op, &x, 1, tg_shape_of(x), &batches, sizeof batches);
}
OP(plane_norm, normed_planes(L(2, 2, 3), 2))
OP(whole_norm, normed_planes(L(2, 4), 1))

/* ---- the table ---- */

typedef struct entry {
    tg_tensor (*make)(tg_tape *t);
    int operand; /* from 0 */
    change *change;
    const char *at;
    double by;
    tg_mistake mistake;
    double factor; /* that the result gives */
    double ratio;  /* of the two numbers that # stands for in the text; 0: whatever they are */
    const char *text;
} entry;

#define UNKNOWN "none of the common mistakes: "
#define ALL_WRONG(n) UNKNOWN "all " n " elements looked at are wrong; element 0 is #, not #"
#define ONLY_WRONG UNKNOWN "the only element looked at is wrong; element 0 is #, not #"
#define SOME(n, of) UNKNOWN n " of " of " elements looked at are wrong"
#define RANGE(low, high) "; wrong / right from " low " to " high
#define FROM_ZERO "; wrong / right from 0 to 0"
#define TWICE "2 times the right gradient: accumulated twice, or a factor 1/2 forgotten"
#define HALF "half the right gradient: a factor 2 forgotten"
#define FLIPPED "the sign is flipped, and "
#define PERMUTED "dims in another order: the right gradient of shape "
#define ONE_KEPT "not summed over the broadcast dims: only one of the gradients that belong to an element is kept"
#define TURNED "transposed: dy or the other operand has to be transposed in the product (or not)"
#define REPEATED "= instead of +=: where an index repeats only one of its gradients is kept"
#define ELEMENTWISE "is treated as elementwise: every y depends on every x of its row, and "
#define FOR_SOFTMAX "; for softmax dx = y (dy - sum dy y)"

static const entry factors[] = {
    {exponential, 0, times, "", -1, TG_MISTAKE_SIGN, -1, 0, "the sign is flipped: -1 times the right gradient"},
    {exponential, 0, times, "", 1e-15, TG_MISTAKE_ZERO, 0, 1e-15,
     "zero but for rounding: # at most, where terms of # meet"},
    {exponential, 0, times, "", 1e-12, TG_MISTAKE_FACTOR, 1e-12, 0, "1e-12 times the right gradient"},
    {exponential, 0, times, "", 1.000005, TG_MISTAKE_FACTOR, 1.000005, 0, "1.000005 times the right gradient"},
    {sum_of_matrix, 0, times, "", 1.000005, TG_MISTAKE_FACTOR, 1.000005, 0, "1.000005 times the right gradient"},
    {exponential, 0, times, "", 2.000008, TG_MISTAKE_TWICE, 2.000008, 0, TWICE},
    {exponential, 0, times, "", 2.00003, TG_MISTAKE_FACTOR, 2.00003, 0, "2.00003 times the right gradient"},
    {exponential, 0, times, "", 3, TG_MISTAKE_FACTOR, 3, 0, "3 times the right gradient"},
    {exponential_of_two, 0, times, "", 1.5, TG_MISTAKE_FACTOR, 1.5, 0, "1.5 times the right gradient"},
    {exponential_of_one, 0, times, "", 1.5, TG_MISTAKE_UNKNOWN, 0, 1.5, ONLY_WRONG},
    {exponential, 0, times, "", 2, TG_MISTAKE_TWICE, 2, 0, TWICE},
    {exponential, 0, times, "", -2, TG_MISTAKE_TWICE, -2, 0, FLIPPED TWICE},
    {exponential, 0, times, "", 0.5, TG_MISTAKE_HALF, 0.5, 0, HALF},
    {exponential, 0, times, "", -0.5, TG_MISTAKE_HALF, -0.5, 0, FLIPPED HALF},
    {mean_of_two, 0, times, "", 2, TG_MISTAKE_TWICE, 2, 0, TWICE ", or 1/n forgotten (n = 2)"},
    {mean_of_two, 0, times, "", 0.5, TG_MISTAKE_HALF, 0.5, 0, HALF ", or divided by n = 2 once too often"},
    {mean_of_all_but_two, 0, times, "", 2, TG_MISTAKE_TWICE, 2, 0, TWICE ", or 1/n forgotten (n = 2)"},
    /* numbers of elements: x has 2 x 3 x 5 x 7, y 2 x 7 */
    {sum_of_4d, 0, times, "", 15, TG_MISTAKE_MISSING_MEAN, 15, 0,
     "15 times the right gradient: 1/n is missing (n = 15)"},
    {sum_of_4d, 0, times, "", -15, TG_MISTAKE_MISSING_MEAN, -15, 0,
     FLIPPED "15 times the right gradient: 1/n is missing (n = 15)"},
    {sum_of_4d, 0, times, "", 1 / 15.0, TG_MISTAKE_EXTRA_MEAN, 1 / 15.0, 0,
     "1/15 of the right gradient: divided by n = 15 once too often"},
    {sum_of_4d, 0, times, "", -1 / 15.0, TG_MISTAKE_EXTRA_MEAN, -1 / 15.0, 0,
     FLIPPED "1/15 of the right gradient: divided by n = 15 once too often"},
    {sum_of_4d, 0, times, "", 210, TG_MISTAKE_MISSING_MEAN, 210, 0,
     "210 times the right gradient: 1/n is missing (n = 210)"},
    {sum_of_4d, 0, times, "", 1 / 14.0, TG_MISTAKE_EXTRA_MEAN, 1 / 14.0, 0,
     "1/14 of the right gradient: divided by n = 14 once too often"},
    {sum_of_4d, 0, times, "", 42, TG_MISTAKE_MISSING_MEAN, 42, 0,
     "42 times the right gradient: 1/n is missing (n = 42)"},
    {sum_of_4d, 0, times, "", 3, TG_MISTAKE_MISSING_MEAN, 3, 0, "3 times the right gradient: 1/n is missing (n = 3)"},
    {sum_of_4d, 0, times, "", 11, TG_MISTAKE_FACTOR, 11, 0, "11 times the right gradient"},
    {expanded, 0, times, "", 15, TG_MISTAKE_MISSING_MEAN, 15, 0,
     "15 times the right gradient: 1/n is missing (n = 15)"},
    {expanded, 0, times, "", 3, TG_MISTAKE_MISSING_MEAN, 3, 0, "3 times the right gradient: 1/n is missing (n = 3)"},
    {variance, 0, times, "", 4, TG_MISTAKE_MISSING_MEAN, 4, 0, "4 times the right gradient: 1/n is missing (n = 4)"},
    {entropy_of_three, 0, times, "", 3, TG_MISTAKE_MISSING_MEAN, 3, 0,
     "3 times the right gradient: 1/n is missing (n = 3)"},
    {entropy, 0, times, "", 3, TG_MISTAKE_FACTOR, 3, 0, "3 times the right gradient"},
    {entropy, 0, times, "", 5, TG_MISTAKE_MISSING_MEAN, 5, 0, "5 times the right gradient: 1/n is missing (n = 5)"},
    {sum_of_planes, 0, times, "", 11, TG_MISTAKE_MISSING_MEAN, 11, 0,
     "11 times the right gradient: 1/n is missing (n = 11)"},
    {sum_of_planes, 0, times, "", 6, TG_MISTAKE_MISSING_MEAN, 6, 0,
     "6 times the right gradient: 1/n is missing (n = 6)"},
    {sum_of_8d, 0, times, "", 3, TG_MISTAKE_MISSING_MEAN, 3, 0, "3 times the right gradient: 1/n is missing (n = 3)"},
    {picked_one, 0, times, "", 1.5, TG_MISTAKE_UNKNOWN, 0, 1.5, SOME("1", "6") "; element 3 is #, not #"},
    {product_of_three, 0, times, "", 1e-7, TG_MISTAKE_FACTOR, 1e-7, 0, "1e-07 times the right gradient"},
    {exponential_of_a_matrix, 0, times, "", 15, TG_MISTAKE_FACTOR, 15, 0, "15 times the right gradient"},
    /* roots of sizes */
    {product_of_three, 0, times, "", 2.23606797749979, TG_MISTAKE_SCALE, 2.23606797749979, 0,
     "the scale 1/sqrt(d_k) is forgotten in the backward (d_k = 5)"},
    {product_of_three, 1, times, "", 1 / 1.7320508075688772, TG_MISTAKE_SCALE, 1 / 1.7320508075688772, 0,
     "the scale 1/sqrt(d_k) is applied twice in the backward (d_k = 3)"},
    {product_of_three, 0, times, "", -2.23606797749979, TG_MISTAKE_SCALE, -2.23606797749979, 0,
     FLIPPED "the scale 1/sqrt(d_k) is forgotten in the backward (d_k = 5)"},
    {product_of_three, 0, times, "", -1 / 2.23606797749979, TG_MISTAKE_SCALE, -1 / 2.23606797749979, 0,
     FLIPPED "the scale 1/sqrt(d_k) is applied twice in the backward (d_k = 5)"},
    {product_by_two, 1, times, "", 1.4142135623730951, TG_MISTAKE_SCALE, 1.4142135623730951, 0,
     "the scale 1/sqrt(d_k) is forgotten in the backward (d_k = 2)"},
    {product_of_columns, 0, times, "", 1.000005, TG_MISTAKE_FACTOR, 1.000005, 0, "1.000005 times the right gradient"},
    {sum_of_all, 0, times, "", 2.6457513110645907, TG_MISTAKE_FACTOR, 2.6457513110645907, 0,
     "2.64575131 times the right gradient"},
    {exponential_of_a_matrix, 0, times, "", 2.23606797749979, TG_MISTAKE_FACTOR, 2.23606797749979, 0,
     "2.23606798 times the right gradient"},
    {product_of_vectors, 0, times, "", 2.6457513110645907, TG_MISTAKE_SCALE, 2.6457513110645907, 0,
     "the scale 1/sqrt(d_k) is forgotten in the backward (d_k = 7)"},
    /* the forward's scale */
    {thrice, 0, pass_on, "", 0, TG_MISTAKE_SCALE, 1 / 3.0, 0,
     "the forward's scale (or temperature) 3 is forgotten in the backward"},
    {thrice_of_two, 0, pass_on, "", 0, TG_MISTAKE_SCALE, 1 / 3.0, 0,
     "the forward's scale (or temperature) 3 is forgotten in the backward"},
    {thrice_of_one, 0, pass_on, "", 0, TG_MISTAKE_PASSED_ON, 0, 0,
     "dy is passed on unchanged: the derivative of mul_scalar itself is missing"},
    {thrice, 0, times, "", 3, TG_MISTAKE_SCALE, 3, 0, "the forward's scale (or temperature) 3 is applied twice"},
    {minus_thrice, 0, times, "", -1 / 3.0, TG_MISTAKE_SCALE, -1 / 3.0, 0,
     FLIPPED "the forward's scale (or temperature) 3 is forgotten in the backward"},
    {minus_thrice, 0, times, "", -3, TG_MISTAKE_SCALE, -3, 0,
     FLIPPED "the forward's scale (or temperature) 3 is applied twice"},
    {masked_thrice, 0, times, "", 1 / 3.0, TG_MISTAKE_FACTOR, 1 / 3.0, 0, "0.333333333 times the right gradient"},
    {attention, 0, times, "", 1 / 0.3, TG_MISTAKE_SCALE, 1 / 0.3, 0,
     "the forward's scale (or temperature) 0.3 is forgotten in the backward"},
    {attention, 1, times, "", 0.3, TG_MISTAKE_SCALE, 0.3, 0,
     "the forward's scale (or temperature) 0.3 is applied twice"},
    {attention, 2, times, "", 0.3, TG_MISTAKE_FACTOR, 0.3, 0, "0.3 times the right gradient"},
    {attention_by_root, 0, times, "", 1 / 2.449489742783178, TG_MISTAKE_SCALE, 1 / 2.449489742783178, 0,
     "the forward's scale (or temperature) 0.408248 is applied twice"},
    {square, 0, times, "", 1.2, TG_MISTAKE_FACTOR, 1.2, 0, "1.2 times the right gradient"},
};

static const entry parts[] = {
    {exponential, 0, without_dy, "", 0, TG_MISTAKE_NO_DY, 0, 0, "not multiplied by dy, the gradient that arrives"},
    {sum_of_squares, 0, without_dy, "", 0, TG_MISTAKE_NO_DY, 0, 0, "not multiplied by dy, the gradient that arrives"},
    {mean_square, 0, without_dy, "", 0, TG_MISTAKE_NO_DY, 0, 0, "not multiplied by dy, the gradient that arrives"},
    {softmax, 0, without_dy, "", 0, TG_MISTAKE_ZERO, 0, 0, "zero but for rounding: # at most, where terms of # meet"},
    {exponential, 0, pass_on_twice, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") RANGE("#", "#")},
    {exponential, 0, pass_on, "", 0, TG_MISTAKE_PASSED_ON, 0, 0,
     "dy is passed on unchanged: the derivative of exp itself is missing"},
    {running_sum, 0, pass_on, "", 0, TG_MISTAKE_PASSED_ON, 0, 0,
     "dy is passed on unchanged: the derivative of cumsum itself is missing"},
    {product, 0, of_another, "", 1, TG_MISTAKE_SWAPPED, 0, 0,
     "the gradient of operand 2 stands where that of operand 1 belongs"},
    {product, 1, of_another, "", 0, TG_MISTAKE_SWAPPED, 0, 0,
     "the gradient of operand 1 stands where that of operand 2 belongs"},
    {quotient, 0, of_another, "", 1, TG_MISTAKE_SWAPPED, 0, 0,
     "the gradient of operand 2 stands where that of operand 1 belongs"},
    {layer_norm, 1, of_another, "", 2, TG_MISTAKE_SWAPPED, 0, 0,
     "the gradient of operand 3 stands where that of operand 2 belongs"},
    {product_of_sizes, 0, at_places, "x.....", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("1", "6") ": the first; element 0 is #, not #"},
    /* a bias */
    {biased, 1, from_first_slice, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (5,) comes from one slice of dim 0 of y (3, 5) alone; sum over "
     "that dim"},
    {biased, 1, from_last_slice, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (5,) comes from one slice of dim 0 of y (3, 5) alone; sum over "
     "that dim"},
    {biased, 1, from_second_slice, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("5") RANGE("#", "#")},
    {biased_in_3d, 1, from_first_slice, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (5,) comes from one slice of dim 0 of y (2, 3, 5) alone; sum "
     "over that dim"},
    {biased_in_3d, 1, from_last_slice, "", 1, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (5,) comes from one slice of dim 1 of y (2, 3, 5) alone; sum "
     "over that dim"},
    {biased_in_the_middle, 1, from_first_slice, "", 1, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (2, 1, 5) comes from one slice of dim 1 of y (2, 3, 5) alone; "
     "sum over that dim"},
    {biased_in_3d, 1, first_kept, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0, ONE_KEPT},
    {biased_in_3d, 1, last_kept, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0, ONE_KEPT},
    {linear, 1, from_first_slice, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over dim 0 of y (3, 2): every slice along it uses (2, 4), whose gradient comes from one alone; sum "
     "over that dim"},
    {linear, 0, from_last_slice, "", 1, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("12") RANGE("#", "#")},
    {product_by_two, 0, from_last_slice, "", 1, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over dim 1 of y (3, 5): every slice along it uses (3, 2), whose gradient comes from one alone; sum "
     "over that dim"},
    {weighed_in_the_middle, 1, from_first_slice, "", 1, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (2, 1, 5) comes from one slice of dim 1 of y (2, 4, 5) alone; "
     "sum over that dim"},
    {weighed, 1, from_first_slice, "", 0, TG_MISTAKE_NOT_SUMMED, 0, 0,
     "not summed over the broadcast dim: the gradient of (5,) comes from one slice of dim 0 of y (2, 4, 5) alone; sum "
     "over that dim"},
    {rows_of_table_twice, 0, from_first_slice, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("12") RANGE("#", "#")},
    {rows_of_table, 0, first_kept, "", 0, TG_MISTAKE_OVERWRITE, 0, 0, REPEATED},
    {rows_of_table, 0, last_kept, "", 0, TG_MISTAKE_OVERWRITE, 0, 0, REPEATED},
    {picked, 0, first_kept, "", 0, TG_MISTAKE_OVERWRITE, 0, 0, REPEATED},
    {picked, 0, last_kept, "", 0, TG_MISTAKE_OVERWRITE, 0, 0, REPEATED},
    /* products */
    {product_of_squares, 0, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {product_of_squares, 1, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {linear_of_squares, 0, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {linear_of_squares, 1, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {product_of_batches, 0, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {product_of_batches, 1, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {product_of_more_batches, 0, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {product_of_more_batches, 1, other_not_turned, "", 0, TG_MISTAKE_TRANSPOSED, 0, 0, TURNED},
    {attention_of_squares, 2, dy_turned_times_first_y, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, /* y is no operand */
     ALL_WRONG("16") RANGE("#", "#")},
    /* dims */
    {exponential_of_a_matrix, 0, stored_in_order, "10", 0, TG_MISTAKE_TRANSPOSED, 0, 0,
     "transposed: the right gradient of shape (3, 5) with its last two dims exchanged"},
    {exponential_of_square, 0, stored_in_order, "10", 0, TG_MISTAKE_TRANSPOSED, 0, 0,
     "transposed: the right gradient of shape (4, 4) with its last two dims exchanged"},
    {exponential_of_3d, 0, stored_in_order, "021", 0, TG_MISTAKE_TRANSPOSED, 0, 0,
     "transposed: the right gradient of shape (2, 3, 5) with its last two dims exchanged"},
    {exponential_of_3d, 0, stored_in_order, "210", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 5) with dim 0 exchanged with dim 2"},
    {exponential_of_3d, 0, stored_in_order, "102", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 5) with dim 0 exchanged with dim 1"},
    {exponential_of_3d, 0, stored_in_order, "120", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 5) with dim 0 moved to place 2"},
    {exponential_of_3d, 0, stored_in_order, "201", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 5) with dim 2 moved to place 0"},
    {exponential_of_4d, 0, stored_in_order, "0213", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 4, 5) with dim 1 exchanged with dim 2 (heads are not moved back?)"},
    {exponential_of_4d, 0, stored_in_order, "0321", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 4, 5) with dim 1 exchanged with dim 3"},
    {exponential_of_4d, 0, stored_in_order, "2103", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 4, 5) with dim 0 exchanged with dim 2"},
    {exponential_of_4d, 0, stored_in_order, "0231", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 4, 5) with dim 1 moved to place 3"},
    {exponential_of_4d, 0, stored_in_order, "3012", 0, TG_MISTAKE_PERMUTED, 0, 0,
     PERMUTED "(2, 3, 4, 5) with dim 3 moved to place 0"},
    {exponential_of_4d, 0, stored_in_order, "0132", 0, TG_MISTAKE_TRANSPOSED, 0, 0,
     "transposed: the right gradient of shape (2, 3, 4, 5) with its last two dims exchanged"},
    /* the end */
    {exponential_of_12, 0, at_places, "..........00", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 9, and 0 from 10 on"},
    {exponential_of_12, 0, at_places, "...........0", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 10, and 0 from 11 on"},
    {exponential_of_12, 0, at_places, ".00000000000", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 0, and 0 from 1 on"},
    {exponential_of_two, 0, at_places, ".0", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     UNKNOWN "1 of 2 elements looked at are wrong: the last; element 1 is #, not #"},
    {exponential_of_a_matrix, 0, at_places, ".....0000000000", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 4, a whole row, and 0 from 5 on"},
    {exponential_of_a_matrix, 0, at_places, "........0000000", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 7, and 0 from 8 on"},
    {saturated, 0, at_places, ".000", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 0, and 0 from 1 on"},
    {saturated, 0, at_places, "..00", 0, TG_MISTAKE_UNKNOWN, 0, 0, SOME("1", "4") "; element 2 is 0, not #"},
    {exponential_of_12, 0, at_places, "....x.....00", 0, TG_MISTAKE_UNKNOWN, 0, 2,
     UNKNOWN "3 of 12 elements looked at are wrong; element 4 is #, not #; wrong / right from 0 to 2"},
    {masked_thrice, 0, at_places, "..0000", 0, TG_MISTAKE_TAIL, 0, 0,
     "not computed to the end: right up to element 0, and 0 from 2 on"},
    /* masks */
    {masked_thrice, 0, pass_on, "", 0, TG_MISTAKE_PASSED_ON, 0, 0,
     "dy is passed on unchanged: the derivative of mul itself is missing"},
    {masked_thrice, 0, dy_where_masked, "111111", 3, TG_MISTAKE_MASK, 0, 0,
     "the mask is not applied in the backward: 3 elements that y does not depend on get a gradient"},
    {masked_thrice_of_two, 0, dy_where_masked, "11", 3, TG_MISTAKE_MASK, 0, 0,
     "the mask is not applied in the backward: 1 elements that y does not depend on get a gradient"},
    {masked_fill, 0, dy_where_masked, "111111", 1, TG_MISTAKE_MASK, 0, 0,
     "the mask is not applied in the backward: 2 elements that y does not depend on get a gradient"},
    {masked_thrice, 0, dy_where_masked, "010011", 3, TG_MISTAKE_INVERTED, 0, 0,
     "the mask is the wrong way round: the gradient is 0 where it should arrive, and arrives elsewhere"},
    {masked_thrice_of_two, 0, dy_where_masked, "01", 3, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("2") FROM_ZERO},
    {masked_thrice, 0, dy_where_masked, "010010", 3, TG_MISTAKE_UNKNOWN, 0, 0,
     UNKNOWN "5 of 6 elements looked at are wrong; element 0 is #, not #" FROM_ZERO},
    {masked_unevenly, 0, dy_where_masked, "010011", 3, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") FROM_ZERO},
    {masked_thrice, 0, dy_where_masked, "010011", 2, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") FROM_ZERO},
    {dropped, 0, dy_where_masked, "101100111000", 2, TG_MISTAKE_REDRAWN, 0, 0,
     "the backward uses another random mask than the forward: keep forward's mask"},
    {causal_attention, 1, without_mask, "", 0, TG_MISTAKE_MASK, 0, 0,
     "the mask is not applied in the backward: this is the gradient of unmasked attention"},
    {causal_attention, 2, without_mask, "", 0, TG_MISTAKE_MASK, 0, 0,
     "the mask is not applied in the backward: this is the gradient of unmasked attention"},
    {attention_with_mask, 0, without_mask, "", 0, TG_MISTAKE_MASK, 0, 0,
     "the mask, operand 4, is not applied in the backward"},
};

static const entry rows[] = {
    {softmax, 0, diagonal, "", 0, TG_MISTAKE_ELEMENTWISE, 0, 0,
     "softmax " ELEMENTWISE "only the diagonal of the Jacobian is used" FOR_SOFTMAX},
    {softmax, 0, y_dy, "", 0, TG_MISTAKE_ELEMENTWISE, 0, 0,
     "softmax " ELEMENTWISE "the sum over the row is missing" FOR_SOFTMAX},
    {log_softmax, 0, diagonal, "", 0, TG_MISTAKE_ELEMENTWISE, 0, 0,
     "log_softmax " ELEMENTWISE "only the diagonal of the Jacobian is used" FOR_SOFTMAX},
    {softmax, 0, off_diagonal, "", 0, TG_MISTAKE_OFF_DIAGONAL, 0, 0,
     "the diagonal of the Jacobian is missing: dx[k] lacks dy[k] dy[k]/dx[k]; for softmax the diagonal is y (1 - y)"},
    {softmax, 0, sum_of_dy, "", 1, TG_MISTAKE_ROW_SUM, 0, 0,
     "the sum over the row is of dy where it should be of y dy: dx = y (dy - sum dy y)"},
    {softmax_of_dim_0, 0, sum_of_dy, "", 0, TG_MISTAKE_ROW_SUM, 0, 0,
     "the sum over the row is of dy where it should be of y dy: dx = y (dy - sum dy y)"},
    {softmax_of_the_middle, 0, sum_of_dy, "", 1, TG_MISTAKE_ROW_SUM, 0, 0,
     "the sum over the row is of dy where it should be of y dy: dx = y (dy - sum dy y)"},
    {layer_norm, 0, of_rows, "m", 0, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {layer_norm, 0, of_rows, "v", 0, TG_MISTAKE_VARIANCE, 0, 0,
     "the variance is treated as a constant: - h mean(g h) is missing in dx"},
    {layer_norm, 0, of_rows, "mv", 0, TG_MISTAKE_STATISTICS, 0, 0,
     "mean and variance are treated as constants: dx is g / std alone"},
    {layer_norm, 0, of_rows, "0", 0, TG_MISTAKE_EPS, 0, 0, "eps is forgotten under the root in the backward"},
    {layer_norm, 0, of_rows, "o", 0, TG_MISTAKE_EPS, 0, 0, "eps is outside the root in the backward"},
    {layer_norm, 0, of_rows, "0!", 0, TG_MISTAKE_EPS, 0, 0, "eps is forgotten under the root in the backward"},
    {layer_norm, 0, of_rows, "o!", 0, TG_MISTAKE_EPS, 0, 0, "eps is outside the root in the backward"},
    {layer_norm_alone, 0, of_rows, "m", 0, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {layer_norm_alone, 0, of_rows, "v", 0, TG_MISTAKE_VARIANCE, 0, 0,
     "the variance is treated as a constant: - h mean(g h) is missing in dx"},
    {layer_norm_of_three, 0, of_rows, "m", 0, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {layer_norm_of_three, 0, of_rows, "0", 0, TG_MISTAKE_EPS, 0, 0, "eps is forgotten under the root in the backward"},
    {rms_norm, 0, of_rows, "v", 0, TG_MISTAKE_VARIANCE, 0, 0,
     "the variance is treated as a constant: - h mean(g h) is missing in dx"},
    {rms_norm, 0, of_rows, "0", 0, TG_MISTAKE_EPS, 0, 0, "eps is forgotten under the root in the backward"},
    {rms_norm, 0, of_rows, "o!", 0, TG_MISTAKE_EPS, 0, 0, "eps is outside the root in the backward"},
    {rms_norm_of_two, 0, of_rows, "o", 0, TG_MISTAKE_EPS, 0, 0, "eps is outside the root in the backward"},
    {plane_norm, 0, of_planes, "m", 2, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {plane_norm, 0, of_planes, "v", 2, TG_MISTAKE_VARIANCE, 0, 0,
     "the variance is treated as a constant: - h mean(g h) is missing in dx"},
    {plane_norm, 0, of_planes, "mv", 2, TG_MISTAKE_STATISTICS, 0, 0,
     "mean and variance are treated as constants: dx is g / std alone"},
    {plane_norm, 0, of_planes, "o", 2, TG_MISTAKE_EPS, 0, 0, "eps is outside the root in the backward"},
    {whole_norm, 0, of_planes, "m", 1, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {whole_norm, 0, of_planes, "0", 1, TG_MISTAKE_EPS, 0, 0, "eps is forgotten under the root in the backward"},
    {layer_norm_of_every_second, 0, of_strided_rows, "m", 0, TG_MISTAKE_MEAN, 0, 0,
     "the mean is treated as a constant: - mean(g) is missing in dx"},
    {layer_norm_of_small_weights, 0, of_rows, "v", 0, TG_MISTAKE_VARIANCE, 0, 0,
     "the variance is treated as a constant: - h mean(g h) is missing in dx"},
    {entropy_of_one_class, 0, plus_dy, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     UNKNOWN "all 8 elements looked at are wrong; element 0 is #, not 0"},
    {smoothed_entropy, 0, without_smoothing, "", 0, TG_MISTAKE_SMOOTHING, 0, 0,
     "label smoothing is forgotten in the backward: dx is p - onehot, not p - (1 - s) onehot - s / C"},
    {smoothed_entropy_of_two, 0, without_smoothing, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     ALL_WRONG("8") "; wrong / right from # to #"},
    {entropy, 0, without_target, "", 0, TG_MISTAKE_TARGET, 0, 0,
     "the -1 at the target is missing: dx is p, not p - onehot"},
    {entropy, 0, at_places, "..x.x......x.x.....x", 0, TG_MISTAKE_UNKNOWN, 0, 1.75,
     SOME("5", "20") "; element 2 is #, not #" RANGE("1.75", "3.875")},
    {entropy_of_each, 0, without_target, "", 0, TG_MISTAKE_TARGET, 0, 0,
     "the -1 at the target is missing: dx is p, not p - onehot"},
    {entropy_of_three, 0, without_target, "", 0, TG_MISTAKE_TARGET, 0, 0,
     "the -1 at the target is missing: dx is p, not p - onehot"},
    {entropy_of_one, 0, without_target, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     UNKNOWN "1 of 4 elements looked at are wrong; element 2 is #, not #"},
};

/* x times 1.5 + place / 8 */
static const entry places[] = {
    {signs, 0, at_places, "x........", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("1", "9") ": the first; element 0 is #, not #"},
    {signs, 0, at_places, "........x", 0, TG_MISTAKE_UNKNOWN, 0, 2.5,
     SOME("1", "9") ": the last; element 8 is #, not #"},
    {signs, 0, at_places, "x...xx...", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("3", "9") ": those with x < 0; element 0 is #, not #" RANGE("1.5", "2.125")},
    {signs, 0, at_places, ".xxx..x.x", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("5", "9") ": those with x > 0; element 1 is #, not #" RANGE("1.625", "2.5")},
    {signs, 0, at_places, ".......x.", 0, TG_MISTAKE_UNKNOWN, 0, 2.375,
     SOME("1", "9") ": those with x = 0; element 7 is #, not #"},
    {signs, 0, at_places, "x.x..xx..", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("4", "9") ": those with |x| > 1; element 0 is #, not #" RANGE("1.5", "2.25")},
    {signs, 0, at_places, ".x.xx..x.", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("4", "9") ": those with |x| < 1; element 1 is #, not #" RANGE("1.625", "2.375")},
    {exponential_of_a_matrix, 0, at_places, "....x....x....x", 0, TG_MISTAKE_UNKNOWN, 0, 2,
     SOME("3", "15") ": the last column; element 4 is #, not #" RANGE("2", "3.25")},
    {exponential_of_a_matrix, 0, at_places, "x.....x.....x..", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("3", "15") ": those on the diagonal; element 0 is #, not #" RANGE("1.5", "3")},
    {signs, 0, at_places, "x...x...x", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("3", "9") ": those on the diagonal; element 0 is #, not #" RANGE("1.5", "2.5")},
    {signs, 0, at_places, ".xxx.xxx.", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("6", "9") ": those off the diagonal; element 1 is #, not #" RANGE("1.625", "2.375")},
    {signs, 0, at_places, ".xx..x...", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("3", "9") ": those above the diagonal; element 1 is #, not #" RANGE("1.625", "2.125")},
    {signs, 0, at_places, "...x..xx.", 0, TG_MISTAKE_UNKNOWN, 0, 1.875,
     SOME("3", "9") ": those below the diagonal; element 3 is #, not #" RANGE("1.875", "2.375")},
    {signs, 0, at_places, "xxx......", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("3", "9") ": the first row; element 0 is #, not #" RANGE("1.5", "1.75")},
    {signs, 0, at_places, "...xxxxxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.875,
     SOME("6", "9") ": all rows but the first; element 3 is #, not #" RANGE("1.875", "2.5")},
    {signs, 0, at_places, "x..x..x..", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("3", "9") ": the first column; element 0 is #, not #" RANGE("1.5", "2.25")},
    {signs, 0, at_places, "..x..x..x", 0, TG_MISTAKE_UNKNOWN, 0, 1.75,
     SOME("3", "9") ": the last column; element 2 is #, not #" RANGE("1.75", "2.5")},
    {signs, 0, at_places, ".xx.xx.xx", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("6", "9") ": all columns but the first; element 1 is #, not #" RANGE("1.625", "2.5")},
    {signs, 0, at_places, "x.x.x.x.x", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("5", "9") ": every second from the first on; element 0 is #, not #" RANGE("1.5", "2.5")},
    {signs, 0, at_places, ".x.x.x.x.", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("4", "9") ": every second from the second on; element 1 is #, not #" RANGE("1.625", "2.375")},
    {signs, 0, at_places, ".....xxxx", 0, TG_MISTAKE_UNKNOWN, 0, 2.125,
     SOME("4", "9") ": all from element 5 on; element 5 is #, not #" RANGE("2.125", "2.5")},
    {signs, 0, at_places, ".x...xxxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("5", "9") "; element 1 is #, not #" RANGE("1.625", "2.5")},
    {signs, 0, at_places, "xxxxxxxx.", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("8", "9") "; element 0 is #, not #" RANGE("1.5", "2.375")},
    {signs, 0, at_places, "xxxxxxxxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.5, ALL_WRONG("9") RANGE("1.5", "2.5")},
    {signs, 0, at_places, ".2...2...", 0, TG_MISTAKE_UNKNOWN, 0, 2,
     SOME("2", "9") "; element 1 is #, not #" RANGE("2", "2")},
    {signs, 0, at_places, ".2...-...", 0, TG_MISTAKE_UNKNOWN, 0, 2,
     SOME("2", "9") "; element 1 is #, not #" RANGE("-1", "2")},
    {exponential_of_cube, 0, at_places, "....xxxx", 0, TG_MISTAKE_UNKNOWN, 0, 2,
     SOME("4", "8") ": all of dim 0 but the first; element 4 is #, not #" RANGE("2", "2.375")},
    {exponential_of_cube, 0, at_places, "..xx..xx", 0, TG_MISTAKE_UNKNOWN, 0, 1.75,
     SOME("4", "8") "; element 2 is #, not #" RANGE("1.75", "2.375")},
    {exponential_of_cube, 0, at_places, "x..xx..x", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("4", "8") ": those on the diagonal; element 0 is #, not #" RANGE("1.5", "2.375")},
    {exponential_of_8, 0, at_places, ".xxxxxxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.625,
     SOME("7", "8") ": all from element 1 on; element 1 is #, not #" RANGE("1.625", "2.375")},
    {exponential_of_8, 0, at_places, "xxxx.xxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.5,
     SOME("7", "8") "; element 0 is #, not #" RANGE("1.5", "2.375")},
    {masked_thrice, 0, at_places, ".d..d.", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     SOME("2", "6") ": those with x < 0; element 1 is #, not 0"},
    {square_of_small, 0, at_places, "xxxx", 0, TG_MISTAKE_UNKNOWN, 0, 1.5, ALL_WRONG("4") RANGE("1.5", "1.875")},
    {square, 0, over_y, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") RANGE("#", "#") "; a factor y is missing"},
    {exponential, 0, over_x, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") RANGE("#", "#") "; a factor x is missing"},
    {exponential_of_8, 0, over_x, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     ALL_WRONG("8") RANGE("#", "#") "; a factor x is missing"},
    {exponential_of_one, 0, over_x, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ONLY_WRONG},
    {sum_of_squares, 0, over_x, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     ALL_WRONG("15") RANGE("#", "#") "; a factor x is missing"},
    {exponential, 0, times_y, "", 0, TG_MISTAKE_UNKNOWN, 0, 0, ALL_WRONG("6") RANGE("#", "#")},
    /* a little aside it is not 0 */
    {square_of_whole_numbers, 0, times_distance_to_whole, "", 0, TG_MISTAKE_UNKNOWN, 0, 1e-16,
     ALL_WRONG("4") RANGE("1e-16", "1e-16")},
    {exponential_of_8, 0, times_size_of_dy, "", 0, TG_MISTAKE_UNKNOWN, 0, 0,
     UNKNOWN
     "not linear in dy, as every VJP is: -2^20 dy does not give -2^20 times the gradient; all 8 elements looked "
     "at are wrong; element 0 is #, not #" RANGE("#", "#")},
};

static const entry runs[] = {
    {exponential_of_8, 0, at_places, "..~....~", 0, TG_MISTAKE_NOT_FINITE, 0, 0,
     "not finite: element 2 of the gradient is #"},
    {exponential_of_8, 0, at_places, ".......~", 0, TG_MISTAKE_NOT_FINITE, 0, 0,
     "not finite: element 7 of the gradient is #"},
    {exponential_of_8, 0, times, "", 0, TG_MISTAKE_ZERO, 0, 0,
     "constant zero: no gradient comes back (detached, or never added)"},
    {exponential_of_8, 0, overwrite, "", 0, TG_MISTAKE_OVERWRITE, 0, 0,
     "= instead of +=: what the gradient held before is lost"},
    {product, 1, overwrite, "", 0, TG_MISTAKE_OVERWRITE, 0, 0,
     "= instead of +=: what the gradient held before is lost"},
    {exponential_of_8, 0, keep, "", 0, TG_MISTAKE_STALE, 0, 0,
     "each call adds to what the last one left: a buffer of the backward keeps its content"},
    {masked_thrice, 0, keep, "", 0, TG_MISTAKE_STALE, 0, 0,
     "each call adds to what the last one left: a buffer of the backward keeps its content"},
    {thrice, 0, masked_anew, "", 3, TG_MISTAKE_REDRAWN, 0, 0,
     "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask"},
    {thrice, 0, first_masked_anew, "", 0, TG_MISTAKE_REDRAWN, 0, 0,
     "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask"},
    {thrice, 0, first_masked_after_adding, "", 0, TG_MISTAKE_REDRAWN, 0, 0,
     "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask"},
    {exponential_of_8, 0, counts_calls, "", 1e-3, TG_MISTAKE_NONDETERMINISTIC, 0, 0,
     "two equal runs of the backward differ"},
    {millionth, 0, differs, "", 1e-3, TG_MISTAKE_NONDETERMINISTIC, 0, 0, "two equal runs of the backward differ"},
    {masked_thrice, 0, differs, "", 1e-7, TG_MISTAKE_NONDETERMINISTIC, 0, 0, "two equal runs of the backward differ"},
    {exponential_of_8, 0, differs, "", 1e-3, TG_MISTAKE_NONDETERMINISTIC, 0, 0,
     "two equal runs of the backward differ"},
    {dropped, 0, differs, "", 1e-3, TG_MISTAKE_REDRAWN, 0, 0,
     "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask"},
};

/* ---- checking ---- */

/* Is it this text, with a number wherever that has #? The first two go to number. */
static bool matches(const char *got, const char *text, double *number) {
    int n = 0;
    for (; *text; text++) {
        if (*text != '#' && *text != *got++)
            return false;
        if (*text != '#')
            continue;
        char *end;
        double value = strtod(got, &end);
        if (end == got)
            return false;
        if (n < 2)
            number[n++] = value;
        got = end;
    }
    return !*got;
}

static void plant(tg_node *n, tg_op *copy, const entry *e) {
    planted.right = n->op;
    planted.operand = e->operand;
    planted.change = e->change;
    planted.at = e->at;
    planted.by = e->by;
    planted.calls = 0;
    *copy = *n->op;
    copy->vjp[TG_F64] = wrong_vjp;
    n->op = copy;
}

static void want_diagnosis(const entry *e, const char *table, int number) {
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_tensor y = e->make(t);
    WANT_OK(t);
    tg_op wrong;
    tg_gradcheck_result r;
    double numbers[2] = {0, 1};
    plant(t->nodes[y.index], &wrong, e);
    ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    const char *name = planted.right->name;
    ck_assert_msg(matches(r.diagnosis, e->text, numbers), "%s %d (%s): '%s', not '%s'", table, number, name,
                  r.diagnosis, e->text);
    ck_assert_msg(e->ratio == 0 || fabs(numbers[0] / numbers[1] - e->ratio) <= 1e-4 * e->ratio, "%s %d (%s): %s", table,
                  number, name, r.diagnosis);
    ck_assert_msg(r.mistake == e->mistake && fabs(r.factor - e->factor) <= 1e-6 * fabs(e->factor),
                  "%s %d (%s): '%s', factor %g", table, number, name, tg_mistake_name(r.mistake), r.factor);
    ck_assert_str_eq(r.op, name);
    ck_assert_int_eq(r.operand, e->operand + 1);
    memory_free(&m);
}

#define TABLE_TEST(name, table)                                      \
    START_TEST(name)                                                 \
    {                                                                \
        for (size_t i = 0; i < sizeof(table) / sizeof *(table); i++) \
            want_diagnosis(&(table)[i], #table, (int)i);             \
    }                                                                \
    END_TEST
TABLE_TEST(factors_are_named, factors)
TABLE_TEST(parts_are_named, parts)
TABLE_TEST(mistakes_in_rows_are_named, rows)
TABLE_TEST(what_has_no_name_is_described, places)
TABLE_TEST(runs_that_differ_are_named, runs)

/* ---- at kinks, from the rows alone ---- */

static tg_gradcheck_result with_rows(int n, double (*row)[2]) {
    tg_gradcheck_result r = {.op = "relu", .n_rows = n};
    for (int i = 0; i < n; i++)
        r.row[i] = (tg_gradcheck_row){.verdict = TG_GRAD_WRONG, .analytic = row[i][0], .numeric = row[i][1]};
    return r;
}

static void want_of_rows(tg_gradcheck_result r, tg_mistake mistake, double factor, const char *text) {
    tg_diagnose_rows(&r);
    ck_assert_str_eq(r.diagnosis, text);
    ck_assert_msg(r.mistake == mistake && r.factor == factor, "%s, factor %g", text, r.factor);
}

START_TEST(rows_at_a_kink_tell_a_factor)
{
    want_of_rows(with_rows(3, (double[][2]){{-1, 1}, {2.5, -2.5}, {-4, 4}}), TG_MISTAKE_SIGN, -1,
                 "the sign is flipped, at a kink of relu");
    want_of_rows(with_rows(2, (double[][2]){{0, 1}, {0, -2}}), TG_MISTAKE_ZERO, 0, "constant zero, at a kink of relu");
    want_of_rows(with_rows(2, (double[][2]){{3, 2}, {-6, -4}}), TG_MISTAKE_UNKNOWN, 0,
                 "1.5 times the right gradient, at a kink of relu");
    want_of_rows(with_rows(3, (double[][2]){{3, 2}, {1, 0}, {-6, -4}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(3, (double[][2]){{0, 1}, {1, 0}, {0, 2}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(2, (double[][2]){{1, 0}, {0, 2}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(3, (double[][2]){{3, 2}, {-6, -4}, {1, 1}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(3, (double[][2]){{1, 1}, {3, 2}, {-6, -4}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(2, (double[][2]){{3, 2}, {-5.999, -4}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(1, (double[][2]){{-1, 1}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(2, (double[][2]){{1, 0}, {-1, 1}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(2, (double[][2]){{INFINITY, 1}, {INFINITY, 2}}), TG_MISTAKE_NONE, 0, "");
    want_of_rows(with_rows(2, (double[][2]){{1e-10, 1}, {2e-10, 2}}), TG_MISTAKE_ZERO, 1e-10,
                 "constant zero, at a kink of relu");
    tg_gradcheck_result r = with_rows(3, (double[][2]){{7, 7}, {-3, 3}, {5, -5}});
    r.row[0].verdict = TG_GRAD_RIGHT;
    want_of_rows(r, TG_MISTAKE_NONE, 0, "");
    r.row[0].leaf[0] = 'b'; /* another leaf */
    want_of_rows(r, TG_MISTAKE_SIGN, -1, "the sign is flipped, at a kink of relu");
}
END_TEST

/* ---- a result in words ---- */

static void want_summary(tg_gradcheck_result r, const char *text) {
    tg_gradcheck_summarise(&r);
    ck_assert_str_eq(r.summary, text);
}

START_TEST(one_line_says_it_all)
{
    tg_gradcheck_result r = {.verdict = TG_GRAD_RIGHT, .compared = 36, .leaves = 4, .worst = 1.24e-9};
    want_summary(r, "gradient check: right: all 36 elements over 4 leaves agree; worst relative error 1.2e-09");
    r.compared = r.leaves = 1;
    want_summary(r, "gradient check: right: 1 element over 1 leaf agrees; worst relative error 1.2e-09");
    r.mode = TG_GRADCHECK_FAST;
    r.leaves = 4;
    want_summary(r, "gradient check: right: 1 direction over 4 leaves agrees; worst relative error 1.2e-09");
    r.compared = 36;
    r.kinks = 2;
    r.verdict = TG_GRAD_KINK;
    r.leaves = 1;
    r.mode = TG_GRADCHECK_FAST;
    want_summary(
        r, "gradient check: kink: all 36 directions over 1 leaf agree, 2 at a kink; worst relative error 1.2e-09");
    r = (tg_gradcheck_result){.verdict = TG_GRAD_WRONG, .compared = 1, .wrong = 1, .leaves = 1};
    want_summary(r, "gradient check: wrong: the only element is wrong");
    r = (tg_gradcheck_result){.verdict = TG_GRAD_CANNOT_TELL, .compared = 9, .cannot_tell = 2, .leaves = 2, .worst = 1};
    want_summary(r, "gradient check: cannot tell: 2 of 9 elements: the numeric derivative is too uncertain; worst "
                    "relative error 1.0e+00");
    r.n_rows = 2;
    r.row[1].reason = "a kink";
    want_summary(r, "gradient check: cannot tell: 2 of 9 elements: a kink; worst relative error 1.0e+00");
    r.n_rows = 0;
    r.mistake = TG_MISTAKE_FLOAT32;
    want_summary(r, "gradient check: cannot tell: 2 of 9 elements: the numeric derivative is too uncertain; but in "
                    "float32 the gradient cannot be judged");
    r = (tg_gradcheck_result){.verdict = TG_GRAD_WRONG, .compared = 9, .wrong = 3, .leaves = 2};
    want_summary(r, "gradient check: wrong: 3 of 9 elements are wrong");
    r.mistake = TG_MISTAKE_UNKNOWN;
    want_summary(r, "gradient check: wrong: 3 of 9 elements are wrong; mistake: unknown");
    snprintf(r.op, sizeof r.op, "softmax");
    r.tensor = 7;
    r.operand = 1;
    r.mistake = TG_MISTAKE_SIGN;
    want_summary(r, "gradient check: wrong: 3 of 9 elements are wrong; softmax (tensor 7) is wrong in the gradient of "
                    "operand 1: sign flipped");
    r.wrong = 0;
    want_summary(r, "gradient check: wrong: all 9 elements over 2 leaves agree; but alone softmax (tensor 7) is wrong "
                    "in the gradient of operand 1: sign flipped");
    r.mistake = TG_MISTAKE_FLOAT32;
    want_summary(r, "gradient check: wrong: all 9 elements over 2 leaves agree; but the float32 kernel of softmax "
                    "(tensor 7) is wrong in the gradient of operand 1");
    r.operand = 0;
    want_summary(r, "gradient check: wrong: all 9 elements over 2 leaves agree; but the float32 kernel of softmax "
                    "(tensor 7) is wrong in its result");
    r.op[0] = 0;
    want_summary(r, "gradient check: wrong: all 9 elements over 2 leaves agree; but in float32 the gradient is wrong");
    ck_assert_str_eq(tg_mistake_name(TG_N_MISTAKES), "?");
    ck_assert_str_eq(tg_mistake_name((tg_mistake)-1), "?");
    ck_assert_str_eq(tg_mistake_name(TG_N_MISTAKES - 1), "float64 kernel");
}
END_TEST

static const tg_gradcheck_result filled = {
    .verdict = TG_GRAD_WRONG,
    .summary = "in one line",
    .leaves = 6,
    .compared = 99,
    .wrong = 5,
    .cannot_tell = 1,
    .kinks = 2,
    .evaluations = 1234,
    .worst = 0.5,
    .float32 = INFINITY,
    .mode = TG_GRADCHECK_FULL,
    .op = "softmax",
    .tensor = 17,
    .operand = 2,
    .shapes = "(2, 3) -> (2, 3)",
    .wrong_ops = 1,
    .mistake = TG_MISTAKE_SIGN,
    .factor = -1,
    .diagnosis = "the sign \"is\" \\ \x1f",
    .n_lost = 2,
    .lost = {{.leaf = "bias", .tensor = 3, .op = "detach", .at = 8, .reason = "it was cut"},
             {.leaf = "tensor 4", .tensor = 4, .reason = "it is not used"}},
    .n_rows = 7,
    .row = {{.leaf = "blocks.0.W",
             .tensor = 1,
             .element = 4,
             .elements = 6,
             .wrong = 3,
             .analytic = 2,
             .numeric = 1,
             .error = 1e-9,
             .relative = 0.5,
             .verdict = TG_GRAD_WRONG,
             .shape = {2, {2, 3}}},
            {.leaf = "b",
             .tensor = 2,
             .element = 0,
             .elements = 1,
             .analytic = 0.25,
             .numeric = 0.25,
             .error = 2e-12,
             .relative = 3e-8,
             .verdict = TG_GRAD_RIGHT,
             .shape = {1, {1}}},
            {.leaf = "s",
             .element = 0,
             .elements = 1,
             .wrong = 1,
             .analytic = -3,
             .numeric = -3,
             .relative = 1e-16,
             .verdict = TG_GRAD_RIGHT},
            {.leaf = "",
             .element = 2,
             .elements = 1,
             .analytic = 1e-7,
             .error = 1,
             .relative = 1,
             .verdict = TG_GRAD_KINK},
            {.leaf = "x",
             .element = -1,
             .elements = 5,
             .analytic = 1,
             .numeric = 2,
             .error = 0.5,
             .relative = 0.5,
             .verdict = TG_GRAD_WRONG,
             .shape = {1, {5}}},
            {.leaf = "one",
             .element = 0,
             .elements = 1,
             .wrong = 1,
             .analytic = 1,
             .numeric = 2,
             .error = 0.5,
             .relative = 0.5,
             .verdict = TG_GRAD_WRONG,
             .shape = {2, {1, 1}}},
            {.leaf = "two",
             .element = 13,
             .elements = 2,
             .wrong = 1,
             .analytic = 1,
             .numeric = 1.5,
             .error = 2,
             .relative = 0.333,
             .verdict = TG_GRAD_WRONG,
             .shape = {3, {3, 2, 4}}}},
};

static char written[1 << 14];
static void read_back(FILE *file) {
    rewind(file);
    written[fread(written, 1, sizeof written - 1, file)] = '\0';
    fclose(file);
}

START_TEST(a_result_as_a_table)
{
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &filled), TG_OK);
    read_back(file);
    ck_assert_str_eq(
        written, "in one line\n"
                 "  leaf       element           analytic       numeric    error    relative  verdict\n"
                 "  blocks.0.W [1, 1]                   2             1 +- 1.0e-09   5.0e-01  wrong (3 of 6)\n"
                 "  b          [0]                   0.25          0.25 +- 2.0e-12   3.0e-08  right, 7 digits\n"
                 "  s          []                      -3            -3 +- 0.0e+00   1.0e-16  right, 15 digits\n"
                 "  all leaves 2                    1e-07             0 +- 1.0e+00   1.0e+00  kink\n"
                 "  x          direction                1             2 +- 5.0e-01   5.0e-01  wrong\n"
                 "  one        [0, 0]                   1             2 +- 5.0e-01   5.0e-01  wrong\n"
                 "  two        [1, 1, 1]                1           1.5 +- 2.0e+00   3.3e-01  wrong (1 of 2)\n"
                 "  analytic: backward; numeric: differences, with error bar; of sum(v y), v random in +-[0.5, 1.5]\n"
                 "where: softmax, tensor 17, (2, 3) -> (2, 3); the gradient of operand 2\n"
                 "what:  the sign \"is\" \\ ?\n"
                 "no gradient for bias: its path ends at detach, tensor 8: it was cut\n"
                 "no gradient for tensor 4: it is not used\n");
    static tg_gradcheck_result r;
    r = filled;
    r.scalar = true;
    r.mode = TG_GRADCHECK_FAST;
    r.wrong_ops = 2;
    r.operand = 0;
    r.n_lost = 0;
    r.n_rows = 1;
    snprintf(r.row[0].leaf, sizeof r.row[0].leaf, "blocks.10.W");
    r.diagnosis[0] = 0;
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file);
    ck_assert_str_eq(written,
                     "in one line\n"
                     "  leaf        direction         analytic       numeric    error    relative  verdict\n"
                     "  blocks.10.W [1, 1]                   2             1 +- 1.0e-09   5.0e-01  wrong (3 of 6)\n"
                     "  analytic: backward; numeric: differences, with error bar; of y\n"
                     "where: softmax, tensor 17, (2, 3) -> (2, 3); its result; other operations are wrong as well\n");
    r = (tg_gradcheck_result){.summary = "nothing"};
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file);
    ck_assert_str_eq(written, "nothing\n");
}
END_TEST

START_TEST(a_result_as_json)
{
    static tg_gradcheck_result r;
    r = filled;
    r.n_rows = 2;
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file);
    ck_assert_str_eq(
        written,
        "{\"verdict\": \"wrong\", \"summary\": \"in one line\", \"mode\": \"full\", \"leaves\": 6, \"compared\": 99, "
        "\"wrong\": 5, \"cannot_tell\": 1, \"kinks\": 2, \"evaluations\": 1234, \"worst\": 0.5, \"float32\": null, "
        "\"op\": \"softmax\", \"tensor\": 17, \"operand\": 2, \"shapes\": \"(2, 3) -> (2, 3)\", \"wrong_ops\": 1, "
        "\"mistake\": \"sign flipped\", \"factor\": -1, \"diagnosis\": \"the sign \\\"is\\\" \\\\ \\u001f\", "
        "\"n_lost\": 2, \"lost\": [\n"
        "    {\"leaf\": \"bias\", \"tensor\": 3, \"op\": \"detach\", \"reason\": \"it was cut\", \"at\": 8},\n"
        "    {\"leaf\": \"tensor 4\", \"tensor\": 4, \"op\": \"\", \"reason\": \"it is not used\", \"at\": 0}"
        "], \"rows\": [\n"
        "    {\"leaf\": \"blocks.0.W\", \"tensor\": 1, \"element\": 4, \"elements\": 6, \"wrong\": 3, \"analytic\": 2, "
        "\"numeric\": 1, \"error\": 1.0000000000000001e-09, \"relative\": 0.5, \"verdict\": \"wrong\"},\n"
        "    {\"leaf\": \"b\", \"tensor\": 2, \"element\": 0, \"elements\": 1, \"wrong\": 0, \"analytic\": 0.25, "
        "\"numeric\": 0.25, \"error\": 2e-12, \"relative\": 2.9999999999999997e-08, \"verdict\": \"right\"}]}\n");
    r = (tg_gradcheck_result){.mode = TG_GRADCHECK_FAST, .n_lost = TG_GRADCHECK_LOST + 1};
    for (int i = 0; i < TG_GRADCHECK_LOST; i++)
        r.lost[i].reason = "space ' '";
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file);
    ck_assert_ptr_nonnull(strstr(written, "\"mode\": \"fast\""));
    int lost = 0;
    for (const char *at = written; (at = strstr(at, "\"reason\": \"space ' '\"")); at++)
        lost++;
    ck_assert_int_eq(lost, TG_GRADCHECK_LOST);
}
END_TEST

static int tripled_forward(const tg_call *c) {
    for (int i = 0; i < 3; i++)
        ((double *)c->output)[i] = 3 * ((const double *)c->input[0])[i];
    return 0;
}

static int tripled_vjp(const tg_call *c) {
    for (int i = 0; i < 3; i++)
        ((double *)c->input_grad[0])[i] += 2 * ((const double *)c->output_grad)[i];
    return 0;
}

static tg_gradcheck_result check_named(const char *leaf, const char *op) {
    const tg_custom_op tripled = {op, NULL, NULL, tripled_forward, tripled_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, leaf, tg_randn(t, TG_SHAPE(3)));
    tg_gradcheck_result r;
    ck_assert_int_eq(tg_gradcheck(tg_custom(&tripled, &x, 1, TG_SHAPE(3), NULL, 0), TG_GRADCHECK_DEFAULTS, &r),
                     TG_ERR_NUMERIC);
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file);
    ck_assert_msg(tg_json_is_utf8(written, strlen(written)), "%s", written);
    tg_tape_free(t);
    return r;
}

/* Names have room for 47 bytes: for 23 characters of two. */
START_TEST(names_are_whole_characters)
{
    char alphas[121] = "";
    for (int i = 0; i < 60; i++)
        memcpy(alphas + 2 * i, "\xce\xb1", 3);
    tg_gradcheck_result r = check_named(alphas, alphas);
    ck_assert(strlen(r.op) == 46 && !memcmp(r.op, alphas, 46));
    ck_assert(strlen(r.row[0].leaf) == 46 && !memcmp(r.row[0].leaf, alphas, 46));
    ck_assert_ptr_null(strstr(written, "\xef\xbf\xbd"));
    check_named("tab\t, not UTF-8\xff\xfe, half of one\xce", "op\xff");
    ck_assert_ptr_nonnull(
        strstr(written, "\"leaf\": \"tab\\u0009, not UTF-8\xef\xbf\xbd\xef\xbf\xbd, half of one\xef\xbf\xbd\""));
    ck_assert_ptr_nonnull(strstr(written, "\"op\": \"op\xef\xbf\xbd\""));
}
END_TEST

START_TEST(what_is_withdrawn_cannot_be_told)
{
    tg_gradcheck_result r = {.verdict = TG_GRAD_WRONG, .wrong = 2, .cannot_tell = 1, .n_rows = 3};
    r.row[0] = (tg_gradcheck_row){.verdict = TG_GRAD_WRONG, .wrong = 2};
    r.row[1] = (tg_gradcheck_row){.verdict = TG_GRAD_RIGHT};
    r.row[2] = (tg_gradcheck_row){.verdict = TG_GRAD_CANNOT_TELL, .reason = "another"};
    tg_withdraw(&r, "kinks");
    ck_assert(r.verdict == TG_GRAD_CANNOT_TELL && r.wrong == 0 && r.cannot_tell == 3);
    ck_assert(r.row[0].verdict == TG_GRAD_CANNOT_TELL && r.row[0].wrong == 0);
    ck_assert_str_eq(r.row[0].reason, "kinks");
    ck_assert(r.row[1].verdict == TG_GRAD_RIGHT && !r.row[1].reason);
    ck_assert_str_eq(r.row[2].reason, "another");
}
END_TEST

/* A bias before a softmax has no gradient: what both sides have instead is rounding, and no error. */
START_TEST(rounding_is_no_error)
{
    int shown = 0;
    for (int k = 0; k < 20; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_result r;
        tg_manual_seed(t, (uint64_t)k);
        tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(3, 4)));
        tg_tensor bias = tg_parameter(t, "bias", tg_randn(t, TG_SHAPE(3, 1)));
        tg_tensor y = tg_softmax(tg_add(x, bias), 1);
        if (k % 2)
            y = tg_sum(tg_mul(y, tg_randn(t, TG_SHAPE(3, 4))), TG_ALL_DIMS, false);
        ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_OK);
        ck_assert_msg(r.worst < 1e-9, "%d: %s", k, r.summary);
        FILE *file = tmpfile();
        ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
        read_back(file);
        shown += strstr(written, "0.0e+00  right, rounding\n") != NULL;
        tg_tape_free(t);
    }
    ck_assert_int_gt(shown, 5);
}
END_TEST

/* Four of a wrong leaf's elements, those whose relative error 1 - right / wrong is largest first; then one of each
 * right leaf. The derivatives are those of exp. */
START_TEST(rows_hold_the_worst)
{
    static const entry five = {.operand = 0, .change = at_places, .at = "x.x.x.xx"};
    static const int64_t worst[] = {7, 6, 4, 2};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", L(8)), w = L(1), y = tg_exp(x);
    tg_gradcheck_result r;
    tg_op wrong;
    plant(t->nodes[y.index], &wrong, &five);
    ck_assert_int_eq(tg_gradcheck(tg_mul(y, w), TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    ck_assert_int_eq(r.n_rows, 5);
    for (int i = 0; i < 4; i++) {
        const tg_gradcheck_row *row = &r.row[i];
        double factor = 1.5 + (double)worst[i] / 8;
        ck_assert_int_eq(row->element, worst[i]);
        ck_assert(row->elements == 8 && row->wrong == 5 && row->verdict == TG_GRAD_WRONG && !row->reason);
        ck_assert_str_eq(row->leaf, "x");
        ck_assert_uint_eq(row->tensor, x.index);
        ck_assert_double_eq_tol(row->analytic / row->numeric, factor, 1e-6);
        ck_assert_double_eq_tol(row->relative, 1 - 1 / factor, 1e-6);
        ck_assert(row->shape.ndim == 1 && row->shape.size[0] == 8);
    }
    ck_assert(r.row[4].tensor == w.index && r.row[4].verdict == TG_GRAD_RIGHT && r.row[4].wrong == 0);
    ck_assert(r.leaves == 2 && r.compared == 9 && r.wrong == 5 && r.cannot_tell == 0 && r.kinks == 0);
    ck_assert_double_eq_tol(r.worst, 1 - 1 / 2.375, 1e-6);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {factors_are_named,          parts_are_named,
                                  mistakes_in_rows_are_named, what_has_no_name_is_described,
                                  runs_that_differ_are_named, rows_at_a_kink_tell_a_factor,
                                  one_line_says_it_all,       a_result_as_a_table,
                                  a_result_as_json,           what_is_withdrawn_cannot_be_told,
                                  rounding_is_no_error,       rows_hold_the_worst,
                                  names_are_whole_characters};
    return run_tests("diagnosis", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
