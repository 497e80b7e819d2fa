/* tg_custom_with: an operation with saved numbers and several outputs computes what its composition does, in
 * combination with everything else, and every misuse is an error. Expected values by hand, or composed of the library's
 * operations. */
#include "tests/support.h"

#include <pthread.h>

/* ---- polar: rows x (m, n) -> y = x / |x| (m, n) and r = |x| (m); keeps 1 / |x|.
 *      dx = (dy - y (y.dy)) / |x| + dr y ---- */

typedef enum { RIGHT, NO_Y_PART, SIGN_OF_R, R_FORGOTTEN, WRONG_IN_F32 } mistake;

static _Atomic int forwards, vjps, odd_calls; /* odd_calls: what no callback may be given */

#define POLAR(real, sqrt, forward, vjp, is_f32)                                                        \
    static int forward(const tg_call *c) {                                                             \
        const real *x = c->input[0];                                                                   \
        real *y = c->outputs[0], *r = c->outputs[1], *kept = c->saved;                                 \
        int64_t m = c->input_shape[0].size[0], n = c->input_shape[0].size[1];                          \
        forwards++;                                                                                    \
        odd_calls += c->n_outputs != 2 || c->output != c->outputs[0] || c->output_grad;                \
        odd_calls += c->output_shape[0].ndim != 2 || c->output_shape[1].ndim != 1;                     \
        for (int64_t i = 0; i < m; i++) {                                                              \
            real sum = 0;                                                                              \
            for (int64_t j = 0; j < n; j++)                                                            \
                sum += x[i * n + j] * x[i * n + j];                                                    \
            r[i] = sqrt(sum);                                                                          \
            kept[i] = 1 / r[i];                                                                        \
            for (int64_t j = 0; j < n; j++)                                                            \
                y[i * n + j] = x[i * n + j] / r[i];                                                    \
        }                                                                                              \
        return 0;                                                                                      \
    }                                                                                                  \
    static int vjp(const tg_call *c) {                                                                 \
        const real *y = c->outputs[0], *kept = c->saved, *dy = c->output_grads[0];                     \
        const real *dr = c->output_grads[1];                                                           \
        real *dx = c->input_grad[0];                                                                   \
        int64_t m = c->input_shape[0].size[0], n = c->input_shape[0].size[1];                          \
        mistake wrong = *(const mistake *)c->context;                                                  \
        vjps++;                                                                                        \
        odd_calls += c->n_outputs != 2 || !dy || !dr || !dx || c->output_grad != dy;                   \
        for (int64_t i = 0; i < m; i++) {                                                              \
            real dot = 0, of_r = wrong == SIGN_OF_R ? -dr[i] : wrong == R_FORGOTTEN ? 0 : dr[i];       \
            for (int64_t j = 0; j < n; j++)                                                            \
                dot += y[i * n + j] * dy[i * n + j];                                                   \
            if (wrong == NO_Y_PART || (wrong == WRONG_IN_F32 && is_f32))                               \
                dot = 0;                                                                               \
            for (int64_t j = 0; j < n; j++)                                                            \
                dx[i * n + j] += (dy[i * n + j] - y[i * n + j] * dot) * kept[i] + of_r * y[i * n + j]; \
        }                                                                                              \
        return 0;                                                                                      \
    }
POLAR(float, sqrtf, forward_f32, vjp_f32, true)
POLAR(double, sqrt, forward_f64, vjp_f64, false)

static const tg_custom_op polar_op = {"polar", forward_f32, vjp_f32, forward_f64, vjp_f64};

/* dx = (dy - y sum(y dy)) / r + dr y, of tensors */
static void polar_grad(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs, tg_tensor *dx,
                       const void *context) {
    (void)x, (void)context;
    ck_assert_int_eq(n, 1);
    ck_assert_int_eq(n_outputs, 2);
    tg_tensor along = tg_mul(y[0], tg_sum(tg_mul(y[0], dy[0]), TG_DIMS(-1), true));
    dx[0] = tg_add(tg_div(tg_sub(dy[0], along), tg_unsqueeze(y[1], -1)), tg_mul(y[0], tg_unsqueeze(dy[1], -1)));
}

static tg_tensor polar_with(tg_tensor x, mistake wrong, tg_custom_grads grad, tg_tensor *r) {
    tg_shape s = tg_shape_of(x), shape[] = {s, {1, {s.size[0]}}};
    tg_custom_config config = {2, shape, s.size[0], &wrong, sizeof wrong, grad};
    tg_tensor out[2];
    tg_status status = tg_custom_with(&polar_op, &x, 1, config, out);
    ck_assert_int_eq(status, tg_tape_status(x.tape));
    *r = out[1];
    return out[0];
}

static tg_tensor polar(tg_tensor x, tg_tensor *r) { return polar_with(x, RIGHT, NULL, r); }

/* A number that depends on both, on one, and on the two together. */
typedef enum { OF_Y, OF_R, OF_BOTH, TOGETHER, LOSSES } loss_kind;

static tg_tensor loss_of(tg_tensor y, tg_tensor r, loss_kind kind) {
    tg_tensor of_y = total(tg_mul(tg_sin(y), tg_cos(y))), of_r = total(tg_square(r));
    return kind == OF_Y      ? of_y
           : kind == OF_R    ? of_r
           : kind == OF_BOTH ? tg_add(of_y, of_r)
                             : total(tg_exp(tg_mul(y, tg_unsqueeze(r, -1))));
}

static tg_tensor input(tg_tape *t) { return tg_parameter(t, "x", tg_randn(t, TG_SHAPE(3, 4))); }

static void quiet(void) { ck_assert_int_eq(odd_calls, 0); }

/* ---- what it computes ---- */

START_TEST(values_and_gradients_are_those_by_hand)
{
    tg_tape *t = tg_tape_new(_i ? TG_F64 : TG_F32);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), r, y = polar(x, &r);
    ck_assert(fabs(tg_item(r) - 5) < 1e-6 && fabs(tg_item(tg_select(tg_select(y, 0, 0), 0, 1)) - 0.8) < 1e-6);
    /* of y[0] + 2 r: dy = (1, 0), dr = 2 */
    run_backward(tg_add(total(tg_slice(y, 1, 0, 1, 1)), tg_mul_scalar(total(r), 2)));
    double g[2];
    ck_assert_int_eq(tg_read_doubles(tg_grad(x), g, 2), TG_OK);
    ck_assert(fabs(g[0] - ((1 - 0.36) / 5 + 1.2)) < 1e-6 && fabs(g[1] - (-0.48 / 5 + 1.6)) < 1e-6);
    quiet();
    tg_tape_free(t);
}
END_TEST

/* What the same in operations gives, for losses that use one output, the other, or both. */
START_TEST(it_equals_its_composition)
{
    for (loss_kind kind = 0; kind < LOSSES; kind++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = input(t), r, y = polar(x, &r);
        tg_tensor length = tg_sqrt(tg_sum(tg_square(x), TG_DIMS(-1), true));
        run_backward(loss_of(tg_div(x, length), tg_squeeze(length, -1), kind));
        double want[12];
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), want, 12), TG_OK);
        tg_zero_grads(t);
        int before = vjps;
        run_backward(loss_of(y, r, kind));
        ck_assert_int_eq(vjps, before + 1); /* once for both */
        want_grad(x, 12, want);
        tg_tape_free(t);
    }
    quiet();
}
END_TEST

/* Gradients, hooks and views of outputs are those of any result. */
static int add_one(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)x;
    for (int64_t i = 0; i < n; i++)
        ((double *)grad)[i] += 1;
    ++*(int *)context;
    return 0;
}

START_TEST(outputs_are_ordinary_results)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), r, y = polar(x, &r);
    int hooked = 0;
    ck_assert_int_eq(tg_retain_grad(y), TG_OK);
    ck_assert_int_eq(tg_register_hook(r, add_one, &hooked), TG_OK);
    ck_assert(tg_is_contiguous(y) && tg_is_contiguous(r) && !tg_is_leaf(y) && tg_const_data(r));
    run_backward(total(tg_mul(tg_detach(y), y)));
    WANT_VALUES(tg_grad(y), 0.6, 0.8);
    ck_assert_int_eq(hooked, 0); /* r is not used */
    tg_zero_grads(t);
    run_backward(tg_mul_scalar(total(r), 3));
    ck_assert_int_eq(hooked, 1);
    WANT_GRAD(x, 4 * 0.6, 4 * 0.8);
    tg_tensor rr, yy = polar(polar(y, &rr), &r); /* one behind another */
    tg_zero_grads(t);
    run_backward(tg_add(total(yy), total(rr)));
    WANT_GRAD(x, (1 - 0.6 * 1.4) / 5, (1 - 0.8 * 1.4) / 5);
    tg_tape_free(t);
}
END_TEST

static int dims_forward(const tg_call *c) {
    for (int k = 0; k < c->n_outputs; k++)
        if (c->output_shape[k].ndim == 0)
            *(double *)c->outputs[k] = *(const double *)c->input[0] * (k + 1);
    return 0;
}

static int dims_vjp(const tg_call *c) {
    for (int k = 0; k < c->n_outputs; k++)
        if (c->output_shape[k].ndim == 0 && c->input_grad[0])
            *(double *)c->input_grad[0] += *(const double *)c->output_grads[k] * (k + 1);
    return 0;
}

/* Scalars, nothing at all, sixteen of them. */
START_TEST(outputs_have_any_shapes)
{
    static const tg_custom_op op = {.name = "dims", .forward_f64 = dims_forward, .vjp_f64 = dims_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(tg_scalar(t, 3)), out[16], all = tg_scalar(t, 0);
    tg_shape shape[16];
    for (int k = 0; k < 16; k++)
        shape[k] = k % 3 == 1 ? TG_SHAPE(2, 0, 5) : TG_SCALAR;
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, (tg_custom_config){.n_outputs = 16, .shape = shape}, out), TG_OK);
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        ck_assert_int_eq(tg_numel(out[k]), k % 3 != 1);
        sum += k % 3 == 1 ? 0 : k + 1;
        all = tg_add(all, total(out[k]));
    }
    ck_assert(tg_item(all) == 3 * sum);
    run_backward(all);
    WANT_GRAD(x, sum);
    ck_assert_int_eq(
        tg_custom_with(&op, &x, 1, (tg_custom_config){.n_outputs = 1, .shape = &shape[1], .saved = 7}, out), TG_OK);
    ck_assert_int_eq(tg_size(out[0], 2), 5);
    tg_tape_free(t);
}
END_TEST

/* ---- with everything else ---- */

START_TEST(a_replay_computes_it_again)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor r, loss = total(tg_slice(polar(x, &r), 1, 0, 1, 1));
    for (int i = 0; i < 3; i++) {
        double to[] = {5, 12};
        ck_assert_int_eq(tg_write_doubles(x, to, 2), TG_OK);
        ck_assert_int_eq(tg_replay(t, mark), TG_OK);
        WANT_VALUES(r, 13);
        tg_zero_grads(t);
        run_backward(loss);
        WANT_GRAD(x, (1 - 25. / 169) / 13, -60. / 169 / 13);
    }
    tg_tape_free(t);
}
END_TEST

static tg_tensor in_scope(tg_tensor x, bool scope, loss_kind kind) {
    tg_tape *t = tg_tape_of(x);
    if (scope)
        tg_checkpoint_begin(t);
    tg_tensor r, y = polar(tg_mul_scalar(x, 3), &r), a = loss_of(y, r, kind);
    return scope ? tg_checkpoint_end(t, a) : a;
}

START_TEST(a_scope_changes_no_bit)
{
    for (loss_kind kind = 0; kind < LOSSES; kind++) {
        double g[2][12];
        for (int scope = 0; scope < 2; scope++) {
            tg_tape *t = tg_tape_new(TG_F64);
            tg_tensor x = input(t), a = in_scope(x, scope, kind), b = in_scope(x, scope, (kind + 1) % LOSSES);
            int before = forwards;
            run_backward(tg_add(a, b));
            ck_assert_int_eq(forwards - before, 2 * scope);
            ck_assert_int_eq(tg_read_doubles(tg_grad(x), g[scope], 12), TG_OK);
            tg_tape_free(t);
        }
        ck_assert_mem_eq(g[0], g[1], sizeof g[0]);
    }
    /* an output itself as the result; gradient check through scopes */
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = input(t), r;
    tg_checkpoint_begin(t);
    (void)polar(tg_square(x), &r);
    r = tg_checkpoint_end(t, r);
    ck_assert_int_eq(tg_gradcheck(total(r), TG_GRADCHECK_DEFAULTS, NULL), TG_OK);
    quiet();
    tg_tape_free(t);
}
END_TEST

START_TEST(no_vjp_runs_without_a_gradient_wanted)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), r;
    tg_no_grad_begin(t);
    tg_tensor y = polar(x, &r);
    tg_no_grad_end(t);
    WANT_VALUES(y, 0.6, 0.8);
    WANT_VALUES(r, 5);
    ck_assert(!tg_requires_grad(y) && !tg_requires_grad(r));
    ck_assert_int_eq(tg_backward(r), TG_ERR_STATE);
    tg_clear_error(t);
    y = polar(x, &r);
    tg_tensor loss = tg_add(total(tg_mul(y, wanting(tg_ones(t, TG_SHAPE(1, 2))))), total(r));
    tg_set_requires_grad(x, false);
    int before = vjps;
    run_backward(loss);
    ck_assert(!tg_has_grad(x) && vjps == before);
    tg_tape_free(t);
}
END_TEST

START_TEST(modified_inputs_and_rewound_outputs_are_errors)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), r;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = polar(x, &r);
    double to[] = {1, 1};
    ck_assert_int_eq(tg_write_doubles(x, to, 2), TG_OK);
    ck_assert_int_eq(tg_backward(r), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "polar");
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    tg_item(r);
    WANT_ERROR(t, TG_ERR_STALE, "");
    tg_numel(y);
    WANT_ERROR(t, TG_ERR_STALE, "");
    tg_tape_free(t);
}
END_TEST

/* Marks, works and rewinds; to a mark from outside when it is given one. */
typedef struct detour {
    tg_tape *tape;
    tg_mark outside;
    bool far;
    tg_status rewound;
} detour;
static int take_detour(const tg_call *c) {
    detour *d = *(detour *const *)c->context;
    tg_mark mark = tg_tape_mark(d->tape);
    double sum = tg_item(tg_sum(tg_full(d->tape, TG_SHAPE(50), 3), TG_ALL_DIMS, false));
    d->rewound = tg_tape_rewind(d->tape, d->far ? d->outside : mark);
    *(double *)c->output = sum * *(const double *)c->input[0];
    return 0;
}
static int no_vjp(const tg_call *c) { return c == NULL; }

START_TEST(a_forward_rewinds_no_further_than_to_itself)
{
    static const tg_custom_op op = {"detour", NULL, NULL, take_detour, no_vjp};
    for (int far = 0; far < 2; far++) {
        tg_tape *t = tg_tape_new(TG_F64);
        detour d = {t, tg_tape_mark(t), far, TG_OK}, *at = &d;
        tg_tensor x = tg_full(t, TG_SHAPE(1), 2);
        d.outside = far ? tg_tape_mark(t) : d.outside; /* right before it */
        tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), &at, sizeof at);
        ck_assert_int_eq(d.rewound, far ? TG_ERR_STATE : TG_OK);
        if (far)
            ck_assert_msg(strstr(tg_error(t), "rewind: the mark was made before the custom operation") != NULL, "%s",
                          tg_error(t));
        else
            ck_assert_double_eq(tg_item(y), 300);
        tg_clear_error(t);
        ck_assert_int_eq(tg_tape_rewind(t, d.outside), TG_OK);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(anomalies_are_named)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 0, 0)), r, y;
    tg_set_anomaly_mode(t, true);
    y = polar(x, &r);
    ck_assert(tg_is_null(y) && tg_is_null(r));
    WANT_ERROR(t, TG_ERR_NUMERIC, "polar", "NaN");
    tg_tape_free(t);
}
END_TEST

typedef struct training {
    double loss[20];
    uint64_t seed;
} training;

static void *train(void *context) {
    training *r = context;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_manual_seed(t, r->seed);
    tg_tensor x = input(t);
    tg_mark mark = tg_tape_mark(t);
    for (int i = 0; i < 20; i++) {
        tg_tensor length, y = polar(x, &length), loss = loss_of(y, length, TOGETHER);
        r->loss[i] = tg_item(loss);
        tg_zero_grads(t);
        if (tg_backward(loss))
            break;
        double *p = tg_data(x), *g = tg_grad_data(x);
        for (int j = 0; j < 12; j++)
            p[j] -= 0.01 * g[j];
        if (tg_tape_rewind(t, mark))
            break;
    }
    tg_tape_free(t);
    return NULL;
}

START_TEST(tapes_in_threads_compute_as_alone)
{
    training alone[4], together[4];
    pthread_t thread[4];
    for (int i = 0; i < 4; i++) {
        alone[i].seed = together[i].seed = (uint64_t)i;
        train(&alone[i]);
        ck_assert(alone[i].loss[19] < alone[i].loss[0]);
    }
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, train, &together[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(thread[i], NULL);
        ck_assert_mem_eq(alone[i].loss, together[i].loss, sizeof alone[i].loss);
    }
    quiet();
}
END_TEST

/* ---- the gradient check ---- */

static tg_gradcheck_result check_polar(tg_dtype dtype, mistake wrong, loss_kind kind, tg_gradcheck_mode mode) {
    static tg_gradcheck_result result;
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    config.mode = mode;
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x = input(t), r, y = polar_with(tg_mul_scalar(x, 0.5), wrong, NULL, &r);
    tg_status status = tg_gradcheck(loss_of(y, r, kind), config, &result);
    ck_assert_int_eq(status != TG_OK, result.verdict == TG_GRAD_WRONG);
    tg_tape_free(t);
    return result;
}

START_TEST(the_check_accepts_what_is_right)
{
    for (loss_kind kind = 0; kind < LOSSES; kind++)
        for (int mode = 0; mode < 2; mode++) {
            tg_gradcheck_result r = check_polar(_i ? TG_F64 : TG_F32, RIGHT, kind, (tg_gradcheck_mode)mode);
            ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        }
    quiet();
}
END_TEST

START_TEST(the_check_finds_what_is_wrong)
{
    for (mistake wrong = NO_Y_PART; wrong <= R_FORGOTTEN; wrong++)
        for (loss_kind kind = 0; kind < LOSSES; kind++)
            for (int mode = 0; mode < 2; mode++) {
                if (kind == (wrong == NO_Y_PART ? OF_R : OF_Y))
                    continue; /* the wrong part is not used */
                tg_gradcheck_result r = check_polar(_i ? TG_F64 : TG_F32, wrong, kind, (tg_gradcheck_mode)mode);
                ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d %d: %s", wrong, kind, r.summary);
                ck_assert_str_eq(r.op, "polar");
            }
    tg_gradcheck_result r = check_polar(TG_F32, WRONG_IN_F32, OF_Y, TG_GRADCHECK_FULL);
    ck_assert_int_eq(r.mistake, TG_MISTAKE_FLOAT32);
    ck_assert_str_eq(r.op, "polar");
}
END_TEST

/* ---- higher order ---- */

START_TEST(second_derivatives_are_right)
{
    for (loss_kind kind = 0; kind < LOSSES; kind++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = input(t), r, dx, y = polar_with(x, RIGHT, polar_grad, &r), loss = loss_of(y, r, kind);
        ck_assert_msg(tg_gradients(loss, TG_NULL, &x, 1, &dx) == TG_OK, "%s", tg_error(t));
        run_backward(loss);
        double want[12];
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), want, 12), TG_OK);
        want_values(dx, 12, want);
        tg_second_result second;
        ck_assert_msg(tg_gradcheck_second(loss, 1, &second) == TG_OK, "%s", tg_error(t));
        ck_assert_msg(tg_gradcheck(total(tg_sin(dx)), TG_GRADCHECK_DEFAULTS, NULL) == TG_OK, "%s", tg_error(t));
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(derivatives_without_a_grad_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = input(t), r, dx, y = polar(x, &r);
    ck_assert_int_eq(tg_gradients(total(r), TG_NULL, &x, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "polar", "no grad", "tg_custom_config");
    ck_assert_int_eq(tg_hvp(total(y), &x, &x, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "hvp: polar");
    ck_assert_int_eq(tg_jvp(y, &x, &x, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "jvp: polar");
    tg_jacobian(y, x);
    WANT_ERROR(t, TG_ERR_STATE, "jacobian: polar");
    tg_hessian(total(y), x);
    WANT_ERROR(t, TG_ERR_STATE, "hessian: polar");
    run_backward(total(r)); /* first derivatives go on */
    tg_tape_free(t);
}
END_TEST

/* ---- kinks ---- */

/* y0 = max(x, 0), y1 = |x|, of one element at 0 */
static int kinks_forward(const tg_call *c) {
    double x = *(const double *)c->input[0];
    *(double *)c->outputs[0] = x > 0 ? x : 0;
    *(double *)c->outputs[1] = fabs(x);
    return 0;
}

static int kinks_vjp(const tg_call *c) {
    double x = *(const double *)c->input[0];
    *(double *)c->input_grad[0] += (x > 0) * *(const double *)c->output_grads[0];
    *(double *)c->input_grad[0] += ((x > 0) - (x < 0)) * *(const double *)c->output_grads[1];
    return 0;
}

static int kinks_branches(const tg_call *c, int64_t *branch) {
    branch[0] = *(const double *)c->input[0] > 0;
    branch[1] = *(const double *)c->input[0] > 0;
    return 0;
}

START_TEST(branches_of_any_output_mark_kinks)
{
    static const tg_custom_op op = {.name = "kinks", .forward_f64 = kinks_forward, .vjp_f64 = kinks_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 0)), out[2];
    const tg_shape shape[] = {{1, {1}}, TG_SCALAR};
    static tg_gradcheck_result result;
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, (tg_custom_config){.n_outputs = 2, .shape = shape}, out), TG_OK);
    ck_assert_int_eq(tg_custom_set_branches(out[1], kinks_branches), TG_OK);
    ck_assert_int_eq(tg_custom_set_branches(out[0], kinks_branches), TG_OK);
    ck_assert_msg(tg_gradcheck(tg_add(total(out[0]), out[1]), TG_GRADCHECK_DEFAULTS, &result) == TG_OK, "%s",
                  tg_error(t));
    ck_assert_int_eq(result.verdict, TG_GRAD_KINK);
    tg_tape_free(t);
}
END_TEST

/* ---- misuse ---- */

static int refuse(const tg_call *c) {
    (void)c;
    return 1;
}

static void one_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)dy, (void)dx, (void)context;
}

START_TEST(bad_arguments_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), out[20];
    mistake right = RIGHT;
    const tg_shape shape[20] = {{2, {1, 2}}, {1, {1}}}, negative[] = {{2, {1, 2}}, {1, {-1}}},
                   many_dims[] = {{2, {1, 2}}, {9, {1}}}, huge[] = {{1, {INT64_MAX / 4}}, {1, {INT64_MAX / 4}}},
                   overflow[] = {{2, {INT64_MAX, INT64_MAX}}, {1, {1}}};
    const tg_custom_config good = {2, shape, 1, &right, sizeof right, NULL};
    static const tg_custom_op refusing = {.name = "refusing", .forward_f64 = refuse, .vjp_f64 = refuse},
                              only_f32 = {.name = "only_f32", .forward_f32 = forward_f32, .vjp_f32 = vjp_f32},
                              nameless = {NULL, forward_f32, vjp_f32, forward_f64, vjp_f64},
                              unnamed = {"", forward_f32, vjp_f32, forward_f64, vjp_f64};
    struct {
        tg_status status;
        const char *text;
        const tg_custom_op *op;
        int n_inputs;
        tg_custom_config config;
    } cases[] = {
        {TG_ERR_ARGUMENT, "op", NULL, 1, good},
        {TG_ERR_ARGUMENT, "op", &nameless, 1, good},
        {TG_ERR_ARGUMENT, "name (\"\" too)", &unnamed, 1, good},
        {TG_ERR_ARGUMENT, "17", &polar_op, 1, {17, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "0 outputs", &polar_op, 1, {0, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "-3 outputs", &polar_op, 1, {-3, shape, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "-1 saved", &polar_op, 1, {2, shape, -1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "polar", &polar_op, 1, {2, shape, INT64_MAX, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "polar", &polar_op, 1, {2, shape, INT64_MAX / 16, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "shape", &polar_op, 1, {2, NULL, 1, &right, sizeof right, NULL}},
        {TG_ERR_SHAPE, "negative", &polar_op, 1, {2, negative, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "dims", &polar_op, 1, {2, many_dims, 1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "too many elements", &polar_op, 1, {2, huge, 1, &right, sizeof right, NULL}},
        {TG_ERR_MEMORY, "too many elements", &polar_op, 1, {2, overflow, 1, &right, sizeof right, NULL}},
        {TG_ERR_ARGUMENT, "context", &polar_op, 1, {2, shape, 1, NULL, 4, NULL}},
        {TG_ERR_ARGUMENT, "context", &polar_op, 1, {2, shape, 1, &right, SIZE_MAX, NULL}},
        {TG_ERR_ARGUMENT, "inputs", &polar_op, 17, good},
        {TG_ERR_ARGUMENT, "float64", &only_f32, 1, good},
        {TG_ERR_STATE, "refusing", &refusing, 1, good},
    };
    tg_tensor inputs[20];
    for (int i = 0; i < 20; i++)
        inputs[i] = x;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 20; k++)
            out[k] = x;
        ck_assert_int_eq(tg_custom_with(cases[i].op, inputs, cases[i].n_inputs, cases[i].config, out), cases[i].status);
        for (int k = 0; k < cases[i].config.n_outputs && k < 16; k++)
            ck_assert(tg_is_null(out[k]));
        WANT_ERROR(t, cases[i].status, cases[i].text);
    }
    tg_shape largest[16]; /* each could be, but all together are 2^64 elements */
    for (int k = 0; k < 16; k++)
        largest[k] = TG_SHAPE((int64_t)1 << 60);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 1, (tg_custom_config){.n_outputs = 16, .shape = largest}, out),
                     TG_ERR_MEMORY);
    WANT_ERROR(t, TG_ERR_MEMORY, "too many elements");
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 1, good, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "NULL");
    ck_assert_int_eq(tg_custom_with(&polar_op, NULL, 1, good, out), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 0, good, out), TG_ERR_ARGUMENT);
    ck_assert(tg_is_null(out[0]));
    inputs[1] = tg_scalar(other, 1);
    ck_assert_int_eq(tg_custom_with(&polar_op, inputs, 2, good, out), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "another tape");
    /* after an error all is inert */
    tg_reject(t, TG_ERR_STATE, "first");
    out[0] = x;
    ck_assert_int_eq(tg_custom_with(&polar_op, &x, 1, good, out), TG_ERR_STATE);
    ck_assert(tg_is_null(out[0]));
    WANT_ERROR(t, TG_ERR_STATE, "first");
    /* a grad for one output does not fit two */
    ck_assert_int_eq(tg_custom_with(&polar_op, &x, 1, good, out), TG_OK);
    ck_assert_int_eq(tg_custom_set_grad(out[0], one_grad), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "2 outputs");
    ck_assert_int_eq(tg_custom_set_branches(out[0], NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "NULL");
    ck_assert_int_eq(tg_custom_set_branches(tg_slice(out[0], 1, 0, 1, 1), kinks_branches), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "tg_custom");
    tg_tape_free(other);
    tg_tape_free(t);
}
END_TEST

static int twice(const tg_call *c) {
    *(double *)c->output = 2 * *(const double *)c->input[0];
    return 0;
}

static void twice_grads(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                        tg_tensor *dx, const void *context) {
    (void)x, (void)n, (void)y, (void)n_outputs, (void)context;
    dx[0] = tg_mul_scalar(dy[0], 2);
}

/* Only a gradient that is needed wants one. */
START_TEST(a_missing_vjp_is_an_error_only_where_needed)
{
    static const tg_custom_op op = {.name = "twice", .forward_f64 = twice};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_scalar(t, 3), true), fixed = tg_scalar(t, 4), y[1], dx[1];
    tg_no_grad_begin(t);
    ck_assert_double_eq(tg_item(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)), 6);
    tg_no_grad_end(t);
    ck_assert_double_eq(tg_item(tg_custom(&op, &fixed, 1, TG_SCALAR, NULL, 0)), 8);
    /* with x alone, which takes no gradient, and in a loss whose gradient does not come by here */
    tg_tensor loss = tg_add(tg_square(x), tg_detach(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)));
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_double_eq(tg_item(tg_grad(x)), 6);
    ck_assert_int_eq(tg_backward(tg_custom(&op, &x, 1, TG_SCALAR, NULL, 0)), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "twice: this custom op has no vjp callback for float64");
    ck_assert_double_eq(tg_item(tg_grad(x)), 6);
    /* its VJP in operations is one */
    tg_custom_config config = {.n_outputs = 1, .shape = &TG_SCALAR, .grad = twice_grads};
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, config, y), TG_OK);
    ck_assert_int_eq(tg_gradients(y[0], TG_NULL, &x, 1, dx), TG_OK);
    ck_assert_double_eq(tg_item(dx[0]), 2);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_failing_vjp_changes_no_gradient)
{
    static const tg_custom_op op = {.name = "halfway", .forward_f64 = forward_f64, .vjp_f64 = refuse};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(MATRIX(t, 1, 2, 3, 4)), out[2];
    mistake right = RIGHT;
    const tg_shape shape[] = {{2, {1, 2}}, {1, {1}}};
    ck_assert_int_eq(tg_custom_with(&op, &x, 1, (tg_custom_config){2, shape, 1, &right, sizeof right, NULL}, out),
                     TG_OK);
    run_backward(total(x));
    ck_assert_int_eq(tg_backward(out[1]), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "halfway", "vjp");
    WANT_GRAD(x, 1, 1); /* as before */
    tg_tape_free(t);
}
END_TEST

/* ---- callbacks that fail without saying so ---- */

/* y = x^2 of three elements, whose callbacks leave an error on a tape when they are told to, and return 0. */
typedef enum { WELL, REJECTS, FAILS, ZEROES, GOES_BACK, REWINDS, REPLAYS, WAYS } way;
typedef struct orders {
    tg_tape *tape;
    tg_mark mark;
    way in_forward, in_vjp;
} orders;

static void obey(const orders *o, way w) {
    tg_tape *t = o->tape;
    switch (w) {
    case REJECTS: tg_reject(t, TG_ERR_NUMERIC, "mine: no"); break;
    case FAILS: tg_matmul(tg_ones(t, TG_SHAPE(2, 3)), tg_ones(t, TG_SHAPE(2, 3))); break;
    case ZEROES: tg_zero_grads(t); break;
    case GOES_BACK: (void)!tg_backward(wanting(tg_scalar(t, 1))); break;
    case REWINDS: (void)!tg_tape_rewind(t, o->mark); break;
    case REPLAYS: (void)!tg_replay(t, o->mark); break;
    default: break;
    }
}

static int square_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 3; i++)
        ((double *)c->output)[i] = x[i] * x[i];
    obey(*(orders *const *)c->context, (*(orders *const *)c->context)->in_forward);
    return 0;
}

static int square_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < 3; i++)
        ((double *)c->input_grad[0])[i] += 2 * x[i] * dy[i];
    obey(*(orders *const *)c->context, (*(orders *const *)c->context)->in_vjp);
    return 0;
}

static const tg_custom_op square_op = {.name = "mysquare", .forward_f64 = square_forward, .vjp_f64 = square_vjp};

static tg_tensor my_square(tg_tensor x, const orders *o) {
    return tg_custom(&square_op, &x, 1, TG_SHAPE(3), &o, sizeof o);
}

START_TEST(an_error_left_by_a_vjp_changes_no_gradient)
{
    static const struct {
        tg_status status;
        const char *text;
    } wants[WAYS] = {[REJECTS] = {TG_ERR_NUMERIC, "mine: no"}, [FAILS] = {TG_ERR_SHAPE, "matmul"},
                     [ZEROES] = {TG_ERR_STATE, "zero_grads"},  [GOES_BACK] = {TG_ERR_STATE, "backward"},
                     [REWINDS] = {TG_ERR_STATE, "rewind"},     [REPLAYS] = {TG_ERR_STATE, "replay"}};
    for (way w = REJECTS; w < WAYS; w++)
        for (int first = 0; first < 2; first++) { /* the first operation, so that its gradient goes to a leaf, or not */
            tg_tape *t = tg_tape_new(TG_F64);
            orders o = {t, tg_tape_mark(t), WELL, w};
            tg_tensor x = tg_parameter(t, "x", VECTOR(t, 1, 2, 3)), v = tg_parameter(t, "v", VECTOR(t, 4, 5, 6));
            o.mark = tg_tape_mark(t);
            run_backward(total(tg_add(tg_mul_scalar(x, 10), v)));
            tg_tensor y = tg_add(my_square(first ? x : tg_mul_scalar(x, 2), &o), v);
            for (int again = 0; again < 2; again++) {
                ck_assert_int_eq(tg_backward(total(y)), wants[w].status);
                WANT_ERROR(t, wants[w].status, wants[w].text);
                WANT_GRAD(x, 10, 10, 10);
                WANT_GRAD(v, 1, 1, 1);
            }
            o.in_vjp = WELL;
            run_backward(total(y)); /* of x^2, and (2 x)^2 */
            if (first)
                WANT_GRAD(x, 12, 14, 16);
            else
                WANT_GRAD(x, 18, 26, 34);
            WANT_GRAD(v, 2, 2, 2);
            tg_tape_free(t);
        }
}
END_TEST

START_TEST(an_error_left_by_a_forward_ends_a_replay)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), dx;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor before = tg_square(x), y = my_square(before, &o), loss = total(tg_square(tg_mul_scalar(before, 3)));
    o.in_forward = REJECTS;
    ck_assert(tg_is_null(my_square(x, &o)));
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    ck_assert_int_eq(tg_write_doubles(x, (double[]){2, 3, 4}, 3), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    /* y, what was made after it, though not of it, and what is made now */
    tg_tensor behind[] = {total(y), loss, total(x)};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(tg_backward(behind[i]), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "backward: tg_replay failed at mysquare", "replay again");
        ck_assert_int_eq(tg_gradients(behind[i], TG_NULL, &x, 1, &dx), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, "gradients: tg_replay failed at mysquare");
        ck_assert(tg_is_null(tg_jacobian(behind[i], x)));
        WANT_ERROR(t, TG_ERR_STATE, "jacobian: tg_replay failed at mysquare");
    }
    ck_assert_int_eq(tg_replay(t, tg_tape_mark(t)), TG_OK); /* of nothing: it mends nothing */
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "tg_replay failed");
    ck_assert_int_eq(tg_backward_with(before, x), TG_OK); /* what the replay had reached */
    WANT_GRAD(x, 2 * 2 * 2, 2 * 3 * 3, 2 * 4 * 4);
    o.in_forward = WELL;
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    tg_zero_grads(t);
    run_backward(loss); /* 9 x^4 */
    WANT_GRAD(x, 36 * 8, 36 * 27, 36 * 64);
    o.in_forward = FAILS;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "matmul");
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    run_backward(total(x));
    tg_tape_free(t);
}
END_TEST

/* A forward that half fills its result has spoilt it, whether it says so or not. */
static bool fills_half;
static int half_forward(const tg_call *c) {
    ((double *)c->output)[0] = fills_half ? 1e9 : 1;
    return fills_half;
}

START_TEST(a_result_half_filled_is_not_differentiated)
{
    static const tg_custom_op op = {.name = "half", .forward_f64 = half_forward, .vjp_f64 = no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), NULL, 0), loss = total(tg_mul(y, x));
    fills_half = true;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "half", "forward");
    fills_half = false;
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "tg_replay failed at half");
    tg_tape_free(t);
}
END_TEST

/* A forward that takes gradients itself, of tensors that it makes: the replay that mends a failed one may do so. */
static int inner_forward(const tg_call *c) {
    tg_tape *t = *(tg_tape *const *)c->context;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(1), c->input[0]));
    tg_status bad = tg_backward(total(tg_square(x)));
    if (!bad)
        bad = tg_read_doubles(tg_grad(x), c->output, 1);
    return bad || (fills_half && !tg_is_null(tg_neg(x))) || tg_tape_rewind(t, mark);
}

START_TEST(a_forward_may_differentiate_in_a_replay)
{
    static const tg_custom_op op = {.name = "inner", .forward_f64 = inner_forward, .vjp_f64 = no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(1), &t, sizeof t);
    fills_half = true;
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "inner", "forward");
    fills_half = false;
    ck_assert_int_eq(tg_write_doubles(x, (double[]){7}, 1), TG_OK);
    ck_assert_msg(tg_replay(t, mark) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(y, 14);
    tg_tape_free(t);
}
END_TEST

START_TEST(an_error_left_by_a_forward_ends_computing_again)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), h = tg_mul_scalar(x, 2);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_mul_scalar(my_square(h, &o), 2)), loss = total(tg_square(y));
    run_backward(total(x));
    o.in_forward = REJECTS;
    ck_assert_int_eq(tg_backward(loss), TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "mine: no");
    WANT_GRAD(x, 1, 1, 1);
    o.in_forward = WELL;
    run_backward(loss); /* (8 x^2)^2 */
    WANT_GRAD(x, 1 + 256, 1 + 256 * 8, 1 + 256 * 27);
    tg_tape_free(t);
}
END_TEST

/* What a grad gives in place of a gradient. */
typedef enum {
    GIVES_BOOLS,
    GIVES_INTS,
    GIVES_ANOTHER_TAPES,
    GIVES_STALE,
    GIVES_NOTHING,
    GIVES_ANOTHER_SHAPE,
    GIFTS
} gift;
static gift given;
static tg_tape *another;

static void give(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    tg_tape *t = tg_tape_of(x[0]);
    tg_mark mark = tg_tape_mark(t);
    switch (given) {
    case GIVES_BOOLS: dx[0] = tg_gt(x[0], tg_scalar(t, 0)); break;
    case GIVES_INTS: dx[0] = tg_arange(t, 3); break;
    case GIVES_ANOTHER_TAPES: dx[0] = tg_ones(another, TG_SHAPE(3)); break;
    case GIVES_STALE:
        dx[0] = tg_mul(dy, x[0]);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        break;
    case GIVES_ANOTHER_SHAPE: dx[0] = tg_ones(t, TG_SHAPE(2)); break;
    default: break;
    }
}

static void give_of_all(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                        tg_tensor *dx, const void *context) {
    (void)n_outputs;
    give(x, n, y[0], dy[0], dx, context);
}

/* The k-th function, through an operation whose VJP in operations is wrong. */
static const char *const walkers[] = {"gradients", "jvp", "hvp", "jacobian", "jacobian", "hessian"};
static bool gives_a_result(int k, tg_tensor y, tg_tensor x) {
    tg_tensor out = x, v = tg_ones(tg_tape_of(x), TG_SHAPE(3)), loss = total(y);
    switch (k) {
    case 0: ck_assert(tg_gradients(loss, TG_NULL, &x, 1, &out) != TG_OK); break;
    case 1: ck_assert(tg_jvp(y, &x, &v, 1, &out) != TG_OK); break;
    case 2: ck_assert(tg_hvp(loss, &x, &v, 1, &out) != TG_OK); break;
    case 3: out = tg_jacobian(loss, x); break;                              /* by rows */
    case 4: out = tg_jacobian(tg_cat((tg_tensor[]){y, y}, 2, 0), x); break; /* by columns */
    default: out = tg_hessian(loss, x); break;
    }
    return !tg_is_null(out);
}

START_TEST(a_grad_gives_a_gradient_or_an_error)
{
    static const struct {
        tg_status status;
        const char *text;
    } wants[GIFTS] = {[GIVES_BOOLS] = {TG_ERR_ARGUMENT, "a bool tensor"},
                      [GIVES_INTS] = {TG_ERR_ARGUMENT, "an int64 tensor"},
                      [GIVES_ANOTHER_TAPES] = {TG_ERR_ARGUMENT, "a tensor of another tape"},
                      [GIVES_STALE] = {TG_ERR_STALE, "a stale tensor"},
                      [GIVES_NOTHING] = {TG_ERR_SHAPE, "nothing"},
                      [GIVES_ANOTHER_SHAPE] = {TG_ERR_SHAPE, "another shape"}};
    another = tg_tape_new(TG_F64);
    for (int i = 0; i < 1000; i++)
        tg_scalar(another, 0); /* so that an index there is none here */
    for (given = 0; given < GIFTS; given++)
        for (int several = 0; several < 2; several++) {
            tg_tape *t = tg_tape_new(TG_F64);
            orders o = {.tape = t}, *at = &o;
            tg_tensor x = tg_parameter(t, "x", VECTOR(t, 1, 2, 3)), y = my_square(x, &o), out[2];
            const tg_shape shape[] = {{1, {3}}, {1, {0}}};
            ck_assert_int_eq(tg_custom_set_grad(y, give), TG_OK);
            ck_assert_int_eq(
                tg_custom_with(&square_op, &x, 1, (tg_custom_config){2, shape, 0, &at, sizeof at, give_of_all}, out),
                TG_OK);
            run_backward(total(x));
            tg_mark mark = tg_tape_mark(t);
            for (int k = 0; k < 6; k++) {
                ck_assert(!gives_a_result(k, several ? out[0] : y, x));
                WANT_ERROR(t, wants[given].status, walkers[k], "the grad of mysquare", wants[given].text, "input 1",
                           "x (3,)");
                WANT_GRAD(x, 1, 1, 1);
                ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
            }
            tg_zero_grads(t);
            run_backward(total(y)); /* which has no use for the grad */
            WANT_GRAD(x, 2, 4, 6);
            tg_tape_free(t);
        }
    tg_tape_free(another);
}
END_TEST

static tg_mark far_mark;
static void rewind_far(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    (void)!tg_tape_rewind(tg_tape_of(x[0]), far_mark);
    dx[0] = dy;
}

START_TEST(a_grad_rewinds_no_further_than_to_itself)
{
    tg_tape *t = tg_tape_new(TG_F64);
    orders o = {.tape = t};
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), dx;
    far_mark = tg_tape_mark(t);
    tg_tensor y = my_square(x, &o), loss = total(y);
    ck_assert_int_eq(tg_custom_set_grad(y, rewind_far), TG_OK);
    ck_assert_int_eq(tg_gradients(loss, TG_NULL, &x, 1, &dx), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "rewind: the mark was made before the custom operation");
    run_backward(loss);
    WANT_GRAD(x, 2, 4, 6);
    tg_tape_free(t);
}
END_TEST

/* A replay is through with a scope when it has its result: an operation behind may do as when it was recorded. */
START_TEST(a_forward_behind_a_scope_may_differentiate_in_a_replay)
{
    static const tg_custom_op op = {"inner", NULL, NULL, inner_forward, no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor h = tg_checkpoint_end(t, tg_mul_scalar(tg_exp(tg_log(x)), 2));
    tg_tensor y = tg_custom(&op, &h, 1, TG_SHAPE(1), &t, sizeof t);
    WANT_VALUES(y, 20);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){7}, 1), TG_OK);
    ck_assert_msg(tg_replay(t, mark) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(y, 28);
    tg_tape_free(t);
}
END_TEST

/* The hook of a backward that a forward calls is in a backward as any other. */
static int rewind_it(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n;
    return tg_tape_rewind(tg_tape_of(x), *(tg_mark *)context) != TG_OK;
}
static int hooked_forward(const tg_call *c) {
    tg_tape *t = *(tg_tape *const *)c->context;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor h = tg_square(wanting(tg_from_doubles(t, TG_SHAPE(1), c->input[0])));
    return tg_register_hook(h, rewind_it, &mark) || tg_backward(h);
}

START_TEST(a_hook_inside_a_forward_does_not_rewind)
{
    static const tg_custom_op op = {"hooked", NULL, NULL, hooked_forward, no_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 5));
    ck_assert(tg_is_null(tg_custom(&op, &x, 1, TG_SHAPE(1), &t, sizeof t)));
    WANT_ERROR(t, TG_ERR_STATE, "rewind: called from a hook");
    tg_tape_free(t);
}
END_TEST

/* ---- every allocation refused in turn ---- */

START_TEST(out_of_memory_changes_nothing)
{
    bool done = false;
    for (int n = 1; !done && n < 100; n++) {
        allowance a = {.left = n};
        tg_tape *t = tg_tape_new_with(TG_F64, &(tg_allocator){allowance_get, allowance_put, &a});
        if (!t)
            continue;
        tg_tensor r = TG_NULL, x = tg_set_requires_grad(tg_ones(t, TG_SHAPE(300, 200)), true);
        tg_tensor y = tg_tape_status(t) ? TG_NULL : polar(x, &r), loss = tg_add(total(y), total(r));
        ck_assert(tg_is_null(y) == tg_is_null(r));
        done = tg_backward(loss) == TG_OK;
        ck_assert(done || tg_tape_status(t) == TG_ERR_MEMORY);
        tg_tape_free(t);
        ck_assert_uint_eq(a.out, 0);
    }
    ck_assert(done);
    quiet();
}
END_TEST

int main(void) {
    TCase *c = tcase_create("custom");
    tcase_add_loop_test(c, values_and_gradients_are_those_by_hand, 0, 2);
    tcase_add_test(c, it_equals_its_composition);
    tcase_add_test(c, outputs_are_ordinary_results);
    tcase_add_test(c, outputs_have_any_shapes);
    tcase_add_test(c, a_replay_computes_it_again);
    tcase_add_test(c, a_scope_changes_no_bit);
    tcase_add_test(c, no_vjp_runs_without_a_gradient_wanted);
    tcase_add_test(c, modified_inputs_and_rewound_outputs_are_errors);
    tcase_add_test(c, a_forward_rewinds_no_further_than_to_itself);
    tcase_add_test(c, anomalies_are_named);
    tcase_add_test(c, tapes_in_threads_compute_as_alone);
    tcase_add_loop_test(c, the_check_accepts_what_is_right, 0, 2);
    tcase_add_loop_test(c, the_check_finds_what_is_wrong, 0, 2);
    tcase_add_test(c, second_derivatives_are_right);
    tcase_add_test(c, derivatives_without_a_grad_are_refused);
    tcase_add_test(c, branches_of_any_output_mark_kinks);
    tcase_add_test(c, bad_arguments_are_refused);
    tcase_add_test(c, a_missing_vjp_is_an_error_only_where_needed);
    tcase_add_test(c, a_failing_vjp_changes_no_gradient);
    tcase_add_test(c, an_error_left_by_a_vjp_changes_no_gradient);
    tcase_add_test(c, an_error_left_by_a_forward_ends_a_replay);
    tcase_add_test(c, a_result_half_filled_is_not_differentiated);
    tcase_add_test(c, a_forward_may_differentiate_in_a_replay);
    tcase_add_test(c, an_error_left_by_a_forward_ends_computing_again);
    tcase_add_test(c, a_grad_gives_a_gradient_or_an_error);
    tcase_add_test(c, a_grad_rewinds_no_further_than_to_itself);
    tcase_add_test(c, a_forward_behind_a_scope_may_differentiate_in_a_replay);
    tcase_add_test(c, a_hook_inside_a_forward_does_not_rewind);
    tcase_add_test(c, out_of_memory_changes_nothing);
    return run_suite("custom", c);
}
