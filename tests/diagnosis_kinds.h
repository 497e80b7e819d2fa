/* Mistakes to plant in the VJP of an operation, for one operand: for diagnosis_test.c. */
#ifndef TAPEGRAD_TEST_DIAGNOSIS_KINDS_H
#define TAPEGRAD_TEST_DIAGNOSIS_KINDS_H

#include "core/gradcheck/check.h"
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
static void stored(job *j) {
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

static void masked(job *j) {
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

/* ---- a row ---- */

typedef struct entry {
    tg_tensor (*make)(tg_tape *t);
    int operand; /* from 0 */
    change *change;
    const char *at;
    double by;
    tg_mistake mistake;
    double factor;     /* that the result gives */
    double ratio;      /* of the two numbers that # stands for; 0: whatever they are */
    const char *words; /* with a number for each #; NULL: it is WRONG, no more is known */
} entry;

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

#endif
