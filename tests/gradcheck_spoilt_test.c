/* A mistake in one operation of the library is found, whatever stands beside it, and the operation is named: on numbers
 * of other sizes, at ties, behind views and scopes, in random programs. Without it the same program is right. */
#include "nn/nn.h"
#include "tests/ops.h"
#include "tests/programs.h"
#include "tests/verdict.h"

/* ---- what is spoilt ---- */

/* The operand's gradient after make; or, without make, that of a dy whose element `at` (-1: all) is `by` times. */
typedef struct mistake {
    void (*make)(const tg_node *y, double *dx);
    int operand, at;
    double by;
} mistake;

static struct {
    const tg_op *op; /* the right one */
    mistake m;
} spoilt;

static void scale_dy(tg_node *y, double by) {
    for (int64_t j = 0; j < y->numel; j++)
        ((double *)y->grad)[j] *= spoilt.m.at < 0 || spoilt.m.at == j ? by : 1;
}

static tg_status spoilt_vjp(tg_node *y) {
    if (!spoilt.m.make) {
        scale_dy(y, spoilt.m.by);
        return spoilt.op->vjp[TG_F64](y);
    }
    tg_node *x = y->in[spoilt.m.operand];
    double had[16];
    bool any = x->has_grad;
    ck_assert(x->numel <= 16 && x->window.owner == x);
    if (any)
        memcpy(had, x->grad, (size_t)x->numel * sizeof *had);
    x->has_grad = false;
    tg_status bad = spoilt.op->vjp[TG_F64](y);
    spoilt.m.make(y, x->grad);
    for (int64_t j = 0; j < x->numel && any; j++)
        ((double *)x->grad)[j] += had[j];
    return bad;
}

static tg_op spoilt_op;
static void spoil_with(tg_node *n, tg_kernel *vjp, mistake m) {
    spoilt.op = n->op;
    spoilt.m = m;
    spoilt_op = *n->op;
    spoilt_op.vjp[TG_F64] = vjp;
    n->op = &spoilt_op;
}
static void spoil(tg_node *n, mistake m) { spoil_with(n, spoilt_vjp, m); }

/* ---- mistakes ---- */

#define MISTAKE(name, ...)                                           \
    static void name(const tg_node *y, double *dx) {                 \
        const double *dy = y->grad;                                  \
        (void)dy;                                                    \
        for (int64_t i = 0; i < y->in[spoilt.m.operand]->numel; i++) \
            dx[i] = (__VA_ARGS__);                                   \
    }
MISTAKE(lose_one, i == 0 ? 0 : dx[i])
MISTAKE(halve_first, i == 0 ? dx[i] / 2 : dx[i])
MISTAKE(scale_row, i < 2 ? 1.0002 * dx[i] : dx[i])
MISTAKE(double_one, i == 0 ? dx[i] + dy[i] : dx[i])
MISTAKE(first_alone, i == 0 ? dy[i] : dx[i])
MISTAKE(make_nan, i == 4 ? (double)NAN : dx[i])
MISTAKE(negate_all, -dx[i])
/* dy passed on where tanh is 1 in float64, and 0, as it should be, where y is one unit less. */
MISTAKE(pass_where_saturated, fabs(((const double *)y->data)[i]) == 1 ? dy[i] : dx[i])
/* Nothing from the first 0 of dy on: it needs the dy that it had. */
static void stop_at_zero(const tg_node *y, double *dx) {
    bool stopped = false;
    for (int64_t j = 0; j < y->numel; j++) {
        stopped |= ((const double *)y->grad)[j] == 0;
        dx[j] = stopped ? 0 : dx[j];
    }
}

/* ---- programs; what is spoilt is the last operation, or `target` ---- */

static tg_tensor target;
static tg_tensor aim(tg_tensor y) { return target = y; }
static tg_tensor matrix(tg_tape *t, int64_t rows, int64_t columns, const double *x) {
    return wanting(tg_from_doubles(t, TG_SHAPE(rows, columns), x));
}
#define OF(rows, columns, ...) matrix(t, rows, columns, (double[]){__VA_ARGS__})
#define PROGRAM(name, ...) \
    static tg_tensor name(tg_tape *t) { return __VA_ARGS__; }

static tg_tensor drowning(tg_tensor x, double far) {
    tg_tensor there = tg_full(x.tape, TG_SHAPE(1), far);
    return tg_sub(tg_add(x, there), there);
}
static tg_tensor quarters_of_a_stair(tg_tape *t) { /* 4 x as x + 3 x, of which 3 x is lost in 2^34 but for steps of 1 */
    tg_tensor x = wanting(VECTOR(t, 0.0049)), lost = aim(tg_mul_scalar(x, ldexp(3, -20)));
    return beside_nothing(x, tg_add(x, tg_mul_scalar(drowning(lost, ldexp(1, 34)), ldexp(1, 20))));
}
static tg_tensor turned(tg_tensor x) { return tg_contiguous(tg_transpose(x, 0, 1)); }
static tg_tensor sizes(tg_tape *t) { return OF(2, 3, 1e8, 3e5, 2e-8, 40, 7e-3, 1); }
static tg_tensor attend_far(tg_tape *t) {
    return tg_scaled_dot_product_attention(OF(2, 2, 1e8, 3e7, -2e7, 5e8), OF(2, 2, 4e7, -1e8, 2e8, 1e7),
                                           OF(2, 2, 1, 2, 3, 4), TG_NULL, false, 0, 0);
}
static tg_tensor attend_in_rows(tg_tape *t) {
    return tg_scaled_dot_product_attention(OF(2, 2, 2e-5, -3e3, 0.04, -6e-7),
                                           OF(3, 2, 4e-3, 0.01, -2e6, -0.3, 0.7, 9e-4), OF(3, 1, 3e5, -0.02, 4e-4),
                                           TG_NULL, false, 0, 0);
}
static tg_tensor entropy(tg_tape *t) {
    return tg_cross_entropy(wanting(VECTOR(t, 0.5, 0.6, 0.55, 0.65)), tg_from_ints(t, TG_SCALAR, (int64_t[]){2}),
                            TG_IGNORE_INDEX, TG_MEAN);
}
/* Both have a gradient of their own, added where their operand's lies; neither can be put on a tape alone. */
static tg_tensor exp_behind(tg_tape *t, bool turn) {
    tg_tensor x = tg_parameter(t, "W", tg_probe_leaf(t, TG_SHAPE(2, 3)));
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_sin(tg_transpose(x, 0, 1)));
    y = turn ? tg_transpose(y, 0, 1) : y;
    ck_assert_int_eq(tg_retain_grad(y), TG_OK);
    return tg_exp(y);
}
static tg_tensor mean_of_masked(tg_tape *t) {
    return total(tg_mul(aim(tg_mul_scalar(wanting(VECTOR(t, 0.5, 0.7, 0.9)), 3)), VECTOR(t, 1, 0, 1)));
}

PROGRAM(gelu_of_3, tg_gelu(wanting(VECTOR(t, -8, 3, 2e6))))
PROGRAM(gelu_of_a_view, tg_gelu(tg_slice(wanting(VECTOR(t, -8, 1, 3, 1, 2e6)), 0, 0, 5, 2)))
PROGRAM(gelu_far, tg_gelu(wanting(VECTOR(t, -9.387))))
PROGRAM(cos_of_1e5, tg_cos(wanting(VECTOR(t, 128093))))
PROGRAM(cos_of_5e4, tg_cos(wanting(VECTOR(t, 54321))))
PROGRAM(cos_of_3e4, tg_cos(wanting(VECTOR(t, 3e4))))
PROGRAM(cos_of_7777, tg_cos(wanting(VECTOR(t, 7777))))
PROGRAM(cos_of_1e6, tg_cos(wanting(VECTOR(t, 1e6))))
PROGRAM(softmax_beside_1e8, tg_softmax(wanting(VECTOR(t, 1e-6, -16, -1e8)), 0))
PROGRAM(softmax_2, tg_softmax(OF(2, 2, -1.6, 1e-6, 1e8, 3), -1))
PROGRAM(softmax_4, tg_softmax(OF(2, 2, -4, 1e-6, 1e8, 3), -1))
PROGRAM(softmax_10, tg_softmax(OF(2, 2, -0.0007, 10, 1.5e8, 3), -1))
PROGRAM(add_1e15, tg_add(wanting(VECTOR(t, 1e15, 1)), wanting(VECTOR(t, 1e-3, 1e9))))
PROGRAM(add_1e13, tg_add(wanting(VECTOR(t, 0.5)), VECTOR(t, 1, 1e13)))
PROGRAM(tanh_saturated, tg_tanh(wanting(VECTOR(t, -20, 4e6, 1e-4, 3))))
PROGRAM(norm_rows, tg_rms_norm(OF(2, 3, 3e7, -2e-3, 5e7, 0.03, -0.002, 0.07), TG_NULL, 1e-5))
PROGRAM(log_softmax_rows, tg_log_softmax(OF(2, 3, 40, -2e-3, 0.5, 0.03, -0.002, 0.07), 1))
PROGRAM(sin_sizes, tg_sin(sizes(t)))
PROGRAM(sin_turned, tg_sin(turned(sizes(t))))
PROGRAM(log1p_sizes, tg_log1p(sizes(t)))
PROGRAM(log1p_turned, tg_log1p(turned(sizes(t))))
PROGRAM(tanh_sizes, tg_tanh(sizes(t)))
PROGRAM(tanh_turned, tg_tanh(turned(sizes(t))))
PROGRAM(norm_of_sizes, tg_norm(wanting(VECTOR(t, 9.24, -84.5, -0.0595, 0.00015, 11.6, 4.82, 0.772, -7.64e7, 8.75e3,
                                              2.12e-5, -0.00923, 8.64e6)),
                               2, TG_DIMS(0), false))
PROGRAM(drowned_square, drowning(aim(tg_square(wanting(VECTOR(t, 0.5, -2, 3)))), 1e19))
PROGRAM(exp_behind_a_scope, exp_behind(t, false))
PROGRAM(exp_behind_a_view, exp_behind(t, true))
PROGRAM(exp_alone, tg_exp(wanting(VECTOR(t, 0.5, -0.5))))

typedef struct row {
    const char *name;
    tg_tensor (*make)(tg_tape *t);
    mistake m;
    int right, wrong;    /* what may be said without the mistake, and with it, in full mode */
    tg_mistake mistaken; /* its name, where it must be given; NONE: any */
} row;
#define ROW(make, ...) \
    { #make, make, __VA_ARGS__ }
/* What may be right though it is spoilt: 1e-3 does not show beside 1e15; scores of 1e15 make attention's gradient 0,
 * with any sign. What cannot be told: waves of which the closest points skip several, 1e-13 beside 1. */
static const row rows[] = {ROW(gelu_of_3, {NULL, 0, 1, 0.5}, R, W, 0),
                           ROW(gelu_of_a_view, {NULL, 0, 1, 0.5}, R, W, 0),
                           ROW(gelu_far, {halve_first, 0, 0, 0}, R, W, 0),
                           ROW(cos_of_1e5, {lose_one, 0, 0, 0}, RC, WC, 0),
                           ROW(cos_of_5e4, {lose_one, 0, 0, 0}, RC, WC, 0),
                           ROW(cos_of_3e4, {lose_one, 0, 0, 0}, RC, WC, 0),
                           ROW(cos_of_7777, {lose_one, 0, 0, 0}, R, W, 0),
                           ROW(cos_of_1e6, {lose_one, 0, 0, 0}, RC, WC, 0),
                           ROW(softmax_beside_1e8, {lose_one, 0, 0, 0}, R, WC, 0),
                           ROW(softmax_2, {scale_row, 0, 0, 0}, R, W, 0),
                           ROW(softmax_4, {scale_row, 0, 0, 0}, R, W, 0),
                           ROW(softmax_10, {lose_one, 0, 0, 0}, R, W, 0),
                           ROW(add_1e15, {double_one, 1, 0, 0}, R, R | WC, 0),
                           ROW(add_1e13, {first_alone, 0, 0, 0}, RC, WC, 0),
                           ROW(mean_of_masked, {stop_at_zero, 0, 0, 0}, R, W, 0),
                           ROW(attend_far, {negate_all, 0, 0, 0}, R, R | WC, 0),
                           ROW(attend_far, {negate_all, 1, 0, 0}, R, R | WC, 0),
                           ROW(tanh_saturated, {pass_where_saturated, 0, 0, 0}, R, W, 0),
                           ROW(norm_rows, {NULL, 0, -1, 1.000005}, R, W, 0),
                           ROW(log_softmax_rows, {NULL, 0, -1, 1.000005}, R, W, 0),
                           ROW(attend_in_rows, {NULL, 0, -1, 1.000005}, R, W, 0),
                           ROW(sin_sizes, {NULL, 0, 2, 1.000005}, RC, W, 0),
                           ROW(sin_turned, {NULL, 0, 4, 1.000005}, RC, W, 0),
                           ROW(log1p_sizes, {NULL, 0, 2, 1.000005}, R, W, 0),
                           ROW(log1p_turned, {NULL, 0, 4, 1.000005}, R, W, 0),
                           ROW(tanh_sizes, {NULL, 0, 2, 1.000005}, R, W, 0),
                           ROW(tanh_turned, {NULL, 0, 4, 1.000005}, R, W, 0),
                           ROW(norm_of_sizes, {make_nan, 0, 0, 0}, R, W, TG_MISTAKE_NOT_FINITE),
                           ROW(quarters_of_a_stair, {NULL, 0, -1, 1.01}, R, WC, 0),
                           ROW(drowned_square, {NULL, 0, -1, 1.001}, R, WC, 0),
                           ROW(entropy, {NULL, 0, -1, 1.000005}, R, W, TG_MISTAKE_FACTOR),
                           ROW(exp_behind_a_scope, {NULL, 0, -1, 1.5}, R, W, TG_MISTAKE_FACTOR),
                           ROW(exp_behind_a_view, {NULL, 0, -1, 1.5}, R, W, TG_MISTAKE_FACTOR),
                           ROW(exp_alone, {NULL, 0, -1, 1.0009}, R, W, TG_MISTAKE_FACTOR)};

/* Is the operation named, and only the spoilt one? */
static bool is_named(const tg_gradcheck_result *r, const char *op, uint32_t at) {
    return r->verdict != TG_GRAD_WRONG || (!strcmp(r->op, op) && r->tensor == at);
}

START_TEST(a_mistake_is_wrong_beside_numbers_of_other_sizes)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        target = TG_NULL;
        tg_tensor y = rows[i].make(t);
        uint32_t at = tg_is_null(target) ? y.index : target.index;
        tg_gradcheck_result r = checked(y, TG_GRADCHECK_FULL, 20240607);
        note_row(is_said(&r, rows[i].right), &r, "%s", rows[i].name);
        spoil(t->nodes[at], rows[i].m);
        r = checked(y, TG_GRADCHECK_FULL, 20240607);
        bool named = is_named(&r, spoilt.op->name, at) || (rows[i].make == mean_of_masked && !r.op[0]);
        note_row(is_said(&r, rows[i].wrong) && named, &r, "%s, spoilt", rows[i].name);
        note_row(!rows[i].mistaken || r.mistake == rows[i].mistaken, &r, "%s, its name", rows[i].name);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* ---- in the middle of attention, whose softmax's gradient is spoilt in float64 ---- */

static tg_tensor attention(tg_tape *t) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(6, 3)), w[3];
    for (int i = 0; i < 3; i++)
        w[i] = tg_matmul(x, tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor scores = tg_mul_scalar(tg_matmul(w[0], tg_transpose(w[1], 0, 1)), 0.7071067811865476);
    return tg_matmul(aim(tg_softmax(scores, -1)), w[2]);
}

static tg_status overwriting_vjp(tg_node *y) {
    y->in[0]->window.owner->has_grad = false;
    return spoilt.op->vjp[TG_F64](y);
}
static tg_status differing_vjp(tg_node *y) {
    scale_dy(y, spoilt.m.by += 1e-9);
    return spoilt.op->vjp[TG_F64](y);
}

START_TEST(softmax_spoilt_in_the_middle_is_named)
{
    static const struct {
        tg_kernel *vjp;
        double by;
        tg_mistake name;
    } all[] = {{spoilt_vjp, 0, TG_MISTAKE_ZERO},
               {spoilt_vjp, -1, TG_MISTAKE_SIGN},
               {spoilt_vjp, 1.001, TG_MISTAKE_FACTOR},
               {overwriting_vjp, 1, TG_MISTAKE_OVERWRITE},
               {differing_vjp, 1, TG_MISTAKE_NONDETERMINISTIC}};
    for (int i = 0; i < 10; i++) {
        tg_tape *t = tg_tape_new(TG_F32);
        tg_tensor y = attention(t);
        spoil_with(t->nodes[target.index], all[i / 2].vjp, (mistake){NULL, 0, -1, all[i / 2].by});
        tg_gradcheck_result r = checked(y, i % 2, 20240607);
        bool known = i / 2 != 2 || fabs(r.factor - 1.001) < 1e-7;
        note_row(r.mistake == all[i / 2].name && is_named(&r, "softmax", target.index) && known &&
                     !strcmp(r.shapes, "(6, 6) -> (6, 6)"),
                 &r, "softmax %d", i);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* ---- forwards ---- */

/* The result's second element is `by` times; or the first number that forward keeps is 0. */
static tg_status spoilt_forward(tg_node *y) {
    tg_status bad = spoilt.op->forward[TG_F64](y);
    if (!bad && spoilt.m.at)
        ((double *)y->saved)[0] = 0;
    else if (!bad)
        ((double *)y->data)[1] *= spoilt.m.by;
    return bad;
}

static tg_tensor norm_of(tg_tensor x) { return tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5); }
static tg_tensor attention_of(tg_tensor x) { return tg_scaled_dot_product_attention(x, x, x, TG_NULL, true, 0, 0); }
static tg_tensor softmax_of(tg_tensor x) { return tg_softmax(x, -1); }
static tg_tensor product_of(tg_tensor x) { return tg_matmul(x, tg_transpose(x, 0, 1)); }
typedef tg_tensor unary(tg_tensor x);
static unary *const forwards[] = {norm_of, attention_of, softmax_of, product_of, tg_tanh};

static void want_forward(int i, tg_dtype dtype, double size, mistake m, int full, int fast) {
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = seeded_tape(dtype, 5);
        tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(4, 4)));
        tg_tensor z = forwards[i](tg_mul_scalar(tg_sub(x, tg_square(x)), size));
        tg_tensor y = tg_mean(tg_square(z), TG_ALL_DIMS, false);
        if (m.by != 1) {
            spoil_with(t->nodes[z.index], t->nodes[z.index]->op->vjp[TG_F64], m);
            spoilt_op.forward[TG_F64] = spoilt_forward;
        }
        tg_gradcheck_result r = checked(y, mode, 20240607);
        note_row(is_said(&r, mode ? fast : full) && (m.by == 1 || is_named(&r, spoilt.op->name, z.index)), &r,
                 "forward %d, %s, %s, size %g, by %g, saved %d", i, dtype ? "f64" : "f32", mode ? "fast" : "full", size,
                 m.by, m.at);
        tg_tape_free(t);
    }
}

/* The wrong kernels are 3e-4 off, or 20 %. Right ones are right, whatever the size of their numbers. */
START_TEST(a_float64_kernel_that_computes_something_else_is_named)
{
    static const double spoilt_by[] = {1.2, 1.0003}, any_size[] = {1e-9, 1e-3, 1, 50, 1e5, 1e12};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++)
            want_forward(i, k & 1 ? TG_F64 : TG_F32, 1, (mistake){NULL, 0, 0, spoilt_by[k / 2]}, W, W);
        for (int k = 0; k < 2 && i < 2; k++)
            want_forward(i, k & 1 ? TG_F64 : TG_F32, 1, (mistake){NULL, 0, 1, 0}, W, W);
        for (int k = 0; k < 6; k++)
            want_forward(i, TG_F64, any_size[k], (mistake){NULL, 0, 0, 1}, RC, RC);
    }
    end_rows();
}
END_TEST

/* ---- views whose gradient lies elsewhere; what reads them is right ---- */

static tg_tensor rows_of(tg_tensor x) { return tg_slice(x, 0, 1, 3, 1); }
static tg_tensor transpose_of(tg_tensor x) { return tg_transpose(x, 0, 1); }
static tg_tensor column_of(tg_tensor x) { return tg_select(x, 1, 1); }
static void lose_offset(tg_node *view) { view->window.offset = 0; }
static void halve_offset(tg_node *view) { view->window.offset /= 2; }
static void exchange_strides(tg_node *view) {
    ptrdiff_t first = view->window.stride[0];
    view->window.stride[0] = view->window.stride[1];
    view->window.stride[1] = first;
}

START_TEST(a_view_whose_gradient_lies_elsewhere_is_wrong)
{
    static const struct {
        unary *view;
        void (*spoil)(tg_node *view);
        const char *name;
    } all[] = {{rows_of, halve_offset, "slice"},
               {column_of, lose_offset, "select"},
               {transpose_of, exchange_strides, "transpose"}};
    for (int i = 0; i < 12; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_parameter(t, "x", tg_probe_leaf(t, (tg_shape){2, {4, 4}}));
        tg_tensor view = all[i / 4].view(i & 1 ? tg_mul(x, x) : x);
        all[i / 4].spoil(t->nodes[view.index]);
        tg_gradcheck_result r = checked(total(tg_tanh(tg_unsqueeze(view, 0))), i & 2 ? 0 : 1, 20240607);
        note_row(is_said(&r, W), &r, "%s %d", all[i / 4].name, i);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* ---- ties ---- */

/* The smallest of three numbers, four copies of each: those that tie share dy. What a wrong VJP makes of that may lie
 * between the two sides of the ties, or show in one of the four alone. */
enum { TWICE, ONE_TWICE, ONE_LOST, ONE_NAN, N_TIED };

static tg_status tied_vjp(tg_node *y) {
    const double *dy = y->grad, *smallest = y->data;
    tg_node *x = y->in[0];
    double values[12], dx[12], ties = 0;
    int how = spoilt.m.at;
    tg_copy_out(x, x->data, x->stride, values);
    for (int i = 0; i < 12; i++)
        ties += values[i] == *smallest;
    for (int i = 0; i < 12; i++)
        dx[i] = values[i] == *smallest ? (how == TWICE ? 2 : 1) * *dy / ties : 0;
    dx[6] *= how == ONE_TWICE ? 2 : how == ONE_LOST ? 0 : 1;
    dx[6] = how == ONE_NAN ? NAN : dx[6];
    return tg_grad_add_values(x, dx, NULL);
}

START_TEST(a_mistake_where_elements_tie_is_wrong)
{
    for (int how = 0; how <= N_TIED; how++)
        for (uint64_t seed = 1; seed <= 8; seed++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = tg_square(tg_sub_scalar(wanting(VECTOR(t, 0.5, -2, 3)), -1.7));
            tg_tensor least = tg_amin(tg_expand(tg_reshape(x, TG_SHAPE(3, 1)), TG_SHAPE(3, 4)), TG_ALL_DIMS, false);
            spoil_with(t->nodes[least.index], tied_vjp, (mistake){NULL, 0, how, 0});
            tg_gradcheck_result r = checked(tg_square(least), TG_GRADCHECK_FULL, seed);
            note_row(is_said(&r, how == N_TIED ? R : W), &r, "tied %d, seed %d", how, (int)seed);
            tg_tape_free(t);
        }
    end_rows();
}
END_TEST

/* ---- random programs, as false_alarms.c makes them ---- */

/* Of log-uniform data: sums of 1e-6 and 1e9 with kinks at 0, numbers that cancel on the way back, the norm of a single
 * number, branches that y does not hang on, slopes of 1e200, treads of stairs, sin of 1e8 with a kink within 1e-16 of
 * it; their last operation is spoilt by 1.01 (of 71003226 the paths overflow). Behind 0: a softmax that jumps within
 * 1e-70, std of two numbers that agree to twelve digits, cos of 1e66, kl_div where log has an infinite slope, sin(3 x)
 * of a custom operation at 2e14, scores of 1e13 and 1e36, and of 1e40 that tie at the point alone; 9004015 compares a
 * tanh near -1 in float32. */
static const uint64_t seeds[] = {
    5006650,   5012674,   5013842,   5014482,    5017962,    5019426,    5021586,   5024882,   5031806,
    71001570,  71002906,  71003226,  160023322,  190013334,  190098890,  700303534, 700351946, 700535510,
    700587894, 700833954, 930019134, 1120079790, 1900027682, 1900156306, 0,         9004015,   61003706,
    61012346,  71015942,  53000690,  53001695,   525011894,  700011018,  700661874, 700775850, 700789854,
    240013642, 348690,    410080230, 1500005686, 1750050482, 7300009319, 7300091531};

static void want_spoilt_program(uint64_t seed) {
    drawn_program p = draw_program(seed, N_STEPS);
    tg_node *n = p.t->nodes[p.y.index];
    while (n->op->is_view || n->window.owner != n)
        n = n->in[0];
    spoil(n, (mistake){NULL, 0, -1, 1.01});
    tg_gradcheck_result r = checked(p.y, (int)p.mode, seed);
    note_row(is_said(&r, seed == 71003226 ? WC : W) && is_named(&r, spoilt.op->name, n->index), &r,
             "program %d, spoilt", (int)seed);
    tg_tape_free(p.t);
}

START_TEST(hard_programs_are_right_and_spoilt_ones_wrong)
{
    bool spoil_too = true;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        if (!seeds[i]) {
            spoil_too = false;
            continue;
        }
        drawn_program p = draw_program(seeds[i], N_STEPS);
        ck_assert(!tg_is_null(p.y));
        tg_gradcheck_result r = checked(p.y, (int)p.mode, seeds[i]);
        note_row(is_said(&r, RC), &r, "program %d", (int)seeds[i]);
        tg_tape_free(p.t);
        if (spoil_too)
            want_spoilt_program(seeds[i]);
    }
    end_rows();
}
END_TEST

/* Some step of the random programs has each operation. */
START_TEST(random_programs_have_every_operation)
{
    bool used[N_OPS] = {false};
    tg_rng_state g;
    tg_rng_seed(&g, 1);
    tg_tape *t = tg_tape_new(TG_F64);
    source s = {t, &g, RANDN, 3, 4};
    tg_tensor x = leaf_like(&s), b = leaf_like(&s);
    for (int i = 0; i < n_steps(); i++)
        for (int again = 0; again < 4; again++)
            ck_assert_msg(tg_numel(apply_step(&s, i, x, b)) == 12, "step %d: %s", i, tg_error(t));
    for (uint32_t i = 0; i < t->count; i++)
        for (int k = 0; k < N_OPS; k++)
            used[k] |= t->nodes[i]->op == ops[k];
    for (int k = 0; k < N_OPS; k++)
        ck_assert_msg(used[k] || ops[k] == &tg_op_custom, "no step has %s", ops[k]->name);
    tg_tape_free(t);
}
END_TEST

SUITE("gradcheck_spoilt", a_mistake_is_wrong_beside_numbers_of_other_sizes, softmax_spoilt_in_the_middle_is_named,
      a_float64_kernel_that_computes_something_else_is_named, a_view_whose_gradient_lies_elsewhere_is_wrong,
      a_mistake_where_elements_tie_is_wrong, hard_programs_are_right_and_spoilt_ones_wrong,
      random_programs_have_every_operation)
