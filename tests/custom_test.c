/* tg_custom_with: an operation with saved numbers and several outputs computes what its composition does, in
 * combination with everything else. Expected values by hand, or composed of the library's operations. */
#include "tests/polar.h"

#include <pthread.h>

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
    tg_tape *t = seeded_tape(TG_F64, r->seed);
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
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x = input(t), r, y = polar_with(tg_mul_scalar(x, 0.5), wrong, NULL, &r);
    tg_status status = tg_gradcheck(loss_of(y, r, kind), config_in(mode), &result);
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
    tcase_add_test(c, anomalies_are_named);
    tcase_add_test(c, tapes_in_threads_compute_as_alone);
    tcase_add_loop_test(c, the_check_accepts_what_is_right, 0, 2);
    tcase_add_loop_test(c, the_check_finds_what_is_wrong, 0, 2);
    tcase_add_test(c, second_derivatives_are_right);
    tcase_add_test(c, derivatives_without_a_grad_are_refused);
    tcase_add_test(c, branches_of_any_output_mark_kinks);
    tcase_add_test(c, out_of_memory_changes_nothing);
    return run_suite("custom", c);
}
