/* Gradients of gradients. Every operation's VJP in operations (grad) on its probes: against the VJP kernel, and its own
 * gradient against central differences; then paths, views, replay, attention. */
#include "tests/ops.h"
#include "tests/support.h"

enum { MOST = 16 };

/* A probe, the leaves that require a gradient, and a cotangent that does too. */
typedef struct instance {
    const tg_op *op;
    int variant, n;
    tg_tape *t;
    tg_mark start;
    tg_tensor y, dy, x[MOST], dx[MOST];
} instance;

static instance record(const tg_op *op, int variant) {
    instance p = {.op = op, .variant = variant, .t = tg_tape_new(TG_F64)};
    tg_manual_seed(p.t, 20 + (uint64_t)variant);
    p.start = tg_tape_mark(p.t);
    p.y = op->probe(p.t, variant);
    ck_assert_msg(tg_tape_status(p.t) == TG_OK, "%s probe %d: %s", op->name, variant, tg_error(p.t));
    if (tg_is_null(p.y) || !tg_requires_grad(p.y))
        return p;
    for (uint32_t i = 0; i < p.t->count && p.n < MOST; i++)
        if (!p.t->nodes[i]->op && p.t->nodes[i]->requires_grad)
            p.x[p.n++] = tg_handle(p.t->nodes[i]);
    p.dy = tg_probe_leaf(p.t, tg_shape_of(p.y));
    return p;
}

static double *numbers(tg_tensor x) {
    double *out = malloc((size_t)tg_numel(x) * sizeof *out + 1);
    ck_assert_msg(tg_read_doubles(x, out, tg_numel(x)) == TG_OK, "%s", tg_error(x.tape));
    return out;
}

static void differentiate(instance *p) {
    ck_assert_msg(tg_gradients(p->y, p->dy, p->x, p->n, p->dx) == TG_OK, "%s probe %d: %s", p->op->name, p->variant,
                  tg_error(p->t));
}

static void want_near(const instance *p, const char *what, tg_tensor x, tg_tensor y, double tolerance) {
    double *a = numbers(x), *b = numbers(y);
    ck_assert_int_eq(tg_numel(x), tg_numel(y));
    for (int64_t i = 0; i < tg_numel(x); i++)
        ck_assert_msg(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) ||
                          fabs(a[i] - b[i]) <= tolerance * fmax(1, fabs(b[i])),
                      "%s probe %d, %s: element %lld is %.17g, expected %.17g", p->op->name, p->variant, what,
                      (long long)i, a[i], b[i]);
    free(a);
    free(b);
}

static void agrees_with_kernel(instance *p) {
    differentiate(p);
    tg_zero_grads(p->t);
    ck_assert_msg(tg_backward_with(p->y, p->dy) == TG_OK, "%s", tg_error(p->t));
    for (int i = 0; i < p->n; i++)
        want_near(p, "grad against the VJP kernel", p->dx[i], tg_grad(p->x[i]), 1e-13);
}

/* The gradient of each dx with respect to all leaves and dy: by backward, and by central differences. */
static void gradient_of_grad_is_right(instance *p) {
    differentiate(p);
    for (int i = 0; i < p->n; i++) {
        if (!tg_requires_grad(p->dx[i]))
            continue;
        tg_zero_grads(p->t);
        numeric_check c = check_gradient(p->t, p->start, p->dx[i]);
        ck_assert_msg(c.worst <= 1e-7, "%s probe %d, gradient of gradient %d: %s", p->op->name, p->variant, i, c.where);
    }
}

/* The same, with the second gradient recorded too. */
static void grad_of_grad_agrees_with_its_kernels(instance *p) {
    differentiate(p);
    for (int i = 0; i < p->n; i++) {
        tg_tensor x[MOST + 1], ddx[MOST + 1], v = tg_probe_leaf(p->t, tg_shape_of(p->x[i]));
        memcpy(x, p->x, sizeof p->x);
        x[p->n] = p->dy;
        if (!tg_requires_grad(p->dx[i]))
            continue;
        ck_assert_msg(tg_gradients(p->dx[i], v, x, p->n + 1, ddx) == TG_OK, "%s probe %d: %s", p->op->name, p->variant,
                      tg_error(p->t));
        tg_zero_grads(p->t);
        ck_assert_msg(tg_backward_with(p->dx[i], v) == TG_OK, "%s", tg_error(p->t));
        for (int k = 0; k <= p->n; k++)
            want_near(p, "second grad against the kernels", ddx[k], tg_grad(x[k]), 1e-12);
    }
}

static void for_every_probe(const tg_op *op, void (*check)(instance *p)) {
    for (int variant = 0;; variant++) {
        instance p = record(op, variant);
        bool more = !tg_is_null(p.y);
        if (p.n)
            check(&p);
        tg_tape_free(p.t);
        if (!more)
            break;
    }
}

START_TEST(grad_agrees_with_the_kernel)
{ for_every_probe(ops[_i], agrees_with_kernel); }
END_TEST
START_TEST(the_gradient_of_grad_agrees_with_differences)
{ for_every_probe(ops[_i], gradient_of_grad_is_right); }
END_TEST
START_TEST(a_second_gradient_recorded_agrees_with_backward)
{ for_every_probe(ops[_i], grad_of_grad_agrees_with_its_kernels); }
END_TEST

START_TEST(every_differentiable_operation_has_a_grad)
{
    for (int i = 0; i < N_OPS; i++)
        ck_assert_msg(ops[i]->is_view || ops[i]->no_gradient || ops[i]->grad, "%s has no grad", ops[i]->name);
}
END_TEST

/* <J v, w> = <v, J^T w>: J v from grad, transposed in its cotangent, J^T w from the VJP kernels. */
static double dot(tg_tensor a, tg_tensor b) { return tg_item(tg_sum(tg_mul(a, b), TG_ALL_DIMS, false)); }

static double worst_adjoint;

static void want_adjoint(tg_tape *t, const char *what, tg_tensor y, const tg_tensor *x, int n) {
    tg_tensor v[64], jv, w = tg_randn(t, tg_shape_of(y));
    double pulled = 0;
    for (int i = 0; i < n; i++)
        v[i] = tg_randn(t, tg_shape_of(x[i]));
    ck_assert_msg(tg_jvp(y, x, v, n, &jv) == TG_OK, "%s: %s", what, tg_error(t));
    tg_zero_grads(t);
    ck_assert_msg(tg_backward_with(y, w) == TG_OK, "%s: %s", what, tg_error(t));
    for (int i = 0; i < n; i++)
        pulled += dot(tg_grad(x[i]), v[i]);
    /* where J is 0 (probes with equal rows) what is left is rounding, of numbers of v's size */
    for (uint32_t i = 0; i < t->count; i++) /* what depends on the cotangent alone was not computed */
        for (int k = 0; k < t->nodes[i]->n_in; k++)
            ck_assert_msg(!t->nodes[i]->in[k] || !t->nodes[i]->in[k]->hollow || t->nodes[i]->hollow ||
                              !t->nodes[i]->recorded[k],
                          "%s: tensor %u (%s) was computed", what, i, t->nodes[i]->op->name);
    double size = sqrt(fmax(dot(jv, jv), 1e-6 * dot(v[0], v[0])) * dot(w, w)), error = fabs(dot(jv, w) - pulled);
    ck_assert_msg(error <= 1e-13 * size, "%s: <J v, w> and <v, J^T w> differ by %.3g of %.3g", what, error, size);
    worst_adjoint = size > 0 ? fmax(worst_adjoint, error / size) : worst_adjoint;
}

static void is_adjoint(instance *p) {
    char what[100];
    snprintf(what, sizeof what, "%s probe %d", p->op->name, p->variant);
    want_adjoint(p->t, what, p->y, p->x, p->n);
}

START_TEST(jvp_is_the_adjoint_of_backward)
{
    for (int i = 0; i < N_OPS; i++)
        for_every_probe(ops[i], is_adjoint);
    printf("adjoint test, all operations: worst relative error %.2g\n", worst_adjoint);
}
END_TEST

/* The third derivative along random directions, against differences of the second. */
static void third_is_right(instance *p) {
    differentiate(p);
    for (int i = 0; i < p->n; i++) {
        tg_tensor second[MOST], v = tg_randn(p->t, tg_shape_of(p->x[i]));
        if (!tg_requires_grad(p->dx[i]))
            continue;
        ck_assert_msg(tg_gradients(p->dx[i], v, p->x, p->n, second) == TG_OK, "%s", tg_error(p->t));
        for (int k = 0; k < p->n; k++) {
            if (!tg_requires_grad(second[k]))
                continue;
            tg_zero_grads(p->t);
            numeric_check c = check_gradient(p->t, p->start, second[k]);
            ck_assert_msg(c.worst <= 1e-6, "%s probe %d, third: %s", p->op->name, p->variant, c.where);
        }
    }
}

START_TEST(third_derivatives_agree_with_differences)
{
    static const char *const sample[] = {"scaled_dot_product_attention",
                                         "softmax",
                                         "layer_norm",
                                         "linear",
                                         "cross_entropy",
                                         "gelu",
                                         "matmul",
                                         "logsumexp",
                                         "index_select",
                                         "dropout",
                                         "expand",
                                         "div",
                                         "bias_gelu",
                                         "gelu_tanh",
                                         "var",
                                         "custom"};
    for (int i = 0; i < N_OPS; i++)
        if (strcmp(ops[i]->name, sample[_i]) == 0)
            for_every_probe(ops[i], third_is_right);
}
END_TEST

/* ---- values from arithmetic ---- */

static tg_tape *tape;
static void start(void) { tape = tg_tape_new(TG_F64); }
static void stop(void) { tg_tape_free(tape); }

static tg_tensor derivative(tg_tensor y, tg_tensor x) {
    tg_tensor dx;
    ck_assert_msg(tg_gradients(y, TG_NULL, &x, 1, &dx) == TG_OK, "%s", tg_error(tape));
    return dx;
}

START_TEST(a_fourth_power_can_be_differentiated_five_times)
{
    tg_tensor x = wanting(VECTOR(tape, 3)), y = tg_square(tg_square(x));
    double want[] = {108, 108, 72, 24, 0};
    for (int i = 0; i < 5; i++) {
        y = derivative(y, x);
        want_values(y, 1, &want[i]);
    }
}
END_TEST

START_TEST(a_quadratic_form_has_its_matrix_as_hessian)
{
    tg_tensor a = MATRIX(tape, 2, 2, 2, 1, -3, 4), x = wanting(VECTOR(tape, 1, -2)), hv, v = VECTOR(tape, 1, 10);
    tg_tensor y = tg_matmul(x, tg_matmul(a, x));
    tg_tensor hessian = tg_hessian(y, x);
    WANT_OK(tape);
    ck_assert_int_eq(tg_ndim(hessian), 2);
    WANT_VALUES(hessian, 4, -2, -2, 8); /* a + a^T */
    ck_assert_int_eq(tg_hvp(y, &x, &v, 1, &hv), TG_OK);
    WANT_VALUES(hv, -16, 78);
}
END_TEST

/* More rows than columns (by columns), and fewer (by rows). */
START_TEST(a_product_has_its_matrix_as_jacobian)
{
    tg_tensor tall = MATRIX(tape, 3, 2, 1, 2, 3, 4, 5, 6), x = wanting(VECTOR(tape, 7, 8)), jv, v = VECTOR(tape, 1, -1);
    tg_tensor y = tg_matmul(tall, x);
    uint32_t before = tape->count;
    WANT_VALUES(tg_jacobian(y, x), 1, 2, 3, 4, 5, 6);
    ck_assert_uint_eq(tape->count, before + 1); /* the result, and nothing else */
    tg_tensor z = wanting(VECTOR(tape, 1, 1, 1));
    WANT_VALUES(tg_jacobian(tg_matmul(tg_transpose(tall, 0, 1), z), z), 1, 3, 5, 2, 4, 6);
    ck_assert_int_eq(tg_jvp(y, &x, &v, 1, &jv), TG_OK);
    WANT_VALUES(jv, -1, -1, -1);
}
END_TEST

START_TEST(intermediates_and_unused_tensors_have_gradients_too)
{
    tg_tensor x = wanting(VECTOR(tape, 1, 2)), unused = wanting(VECTOR(tape, 5));
    tg_tensor h = tg_mul_scalar(x, 3), y = tg_sum(tg_square(h), TG_ALL_DIMS, false), xs[] = {x, h, unused, y}, dxs[4];
    ck_assert_int_eq(tg_gradients(y, TG_NULL, xs, 4, dxs), TG_OK);
    WANT_VALUES(dxs[0], 18, 36);
    WANT_VALUES(dxs[1], 6, 12);
    WANT_VALUES(dxs[2], 0);
    WANT_VALUES(dxs[3], 1);
}
END_TEST

START_TEST(zeros_are_no_obstacle)
{
    tg_tensor x = wanting(VECTOR(tape, 0, 2, 3)), y = tg_prod(x, TG_ALL_DIMS, false), v = VECTOR(tape, 1, 2), dx, jv;
    ck_assert_int_eq(tg_gradients(y, TG_NULL, &x, 1, &dx), TG_OK);
    WANT_VALUES(dx, 6, 0, 0);
    WANT_VALUES(tg_hessian(y, x), 0, 3, 2, 3, 0, 0, 2, 0, 0);
    x = wanting(MATRIX(tape, 2, 2, 0, 5, 0, 7));
    y = tg_sum(tg_prod(x, TG_DIMS(0), false), TG_ALL_DIMS, false);
    WANT_VALUES(tg_hessian(y, x), 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0);
    x = wanting(VECTOR(tape, 0, 0));
    ck_assert_int_eq(tg_jvp(tg_norm(x, 2, TG_ALL_DIMS, false), &x, &v, 1, &jv), TG_OK);
    WANT_VALUES(jv, 0); /* as PyTorch; the others by arithmetic */
    x = wanting(VECTOR(tape, 3, 3));
    ck_assert_int_eq(tg_jvp(tg_std(x, TG_ALL_DIMS, 1, false), &x, &v, 1, &jv), TG_OK);
    WANT_VALUES(jv, 0);              /* the VJP is 0 there */
    x = wanting(VECTOR(tape, 2, 0)); /* d2/da db a^b = a^(b-1) (1 + b ln a) */
    WANT_VALUES(tg_hessian(tg_pow_tensor(tg_select(x, 0, 0), tg_select(x, 0, 1)), x), 0, 0.5, 0.5,
                0.48045301391820142467);
    x = wanting(VECTOR(tape, 0, 2));
    WANT_VALUES(tg_hessian(tg_pow_tensor(tg_select(x, 0, 0), tg_select(x, 0, 1)), x), 2, 0, 0, 0);
}
END_TEST

START_TEST(the_cotangent_is_differentiated_too)
{
    tg_tensor x = wanting(VECTOR(tape, 2, 3)), dy = wanting(VECTOR(tape, 5, 7)), dx, ddy;
    ck_assert_int_eq(tg_gradients(tg_square(x), dy, &x, 1, &dx), TG_OK);
    WANT_VALUES(dx, 20, 42);
    ck_assert_int_eq(tg_gradients(tg_sum(dx, TG_ALL_DIMS, false), TG_NULL, &dy, 1, &ddy), TG_OK);
    WANT_VALUES(ddy, 4, 6);
}
END_TEST

/* ---- with the rest of the engine ---- */

static int count_calls(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x;
    ++*(int *)context;
    return 0;
}

START_TEST(accumulated_and_retained_gradients_and_hooks_are_left_alone)
{
    int calls = 0;
    tg_tensor x = wanting(VECTOR(tape, 1, 2)), h = tg_square(x);
    ck_assert_int_eq(tg_retain_grad(h), TG_OK);
    ck_assert_int_eq(tg_register_hook(h, count_calls, &calls), TG_OK);
    tg_tensor y = tg_sum(tg_square(h), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    WANT_VALUES(derivative(y, x), 4, 32);
    WANT_GRAD(x, 4, 32);
    WANT_GRAD(h, 2, 8);
    ck_assert_int_eq(calls, 1);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    WANT_GRAD(x, 8, 64);
}
END_TEST

START_TEST(a_retained_view_and_views_of_views_work)
{
    tg_tensor x = wanting(MATRIX(tape, 2, 3, 1, 2, 3, 4, 5, 6)), v = tg_transpose(x, 0, 1);
    ck_assert_int_eq(tg_retain_grad(v), TG_OK);
    tg_tensor w = tg_select(tg_slice(tg_reshape(tg_transpose(tg_square(v), 0, 1), TG_SHAPE(3, 2)), 0, 0, 3, 2), 1, 1);
    tg_tensor e = tg_expand(tg_unsqueeze(w, 0), TG_SHAPE(2, 2));           /* x1^2, x5^2, twice */
    tg_tensor g = derivative(tg_sum(tg_mul(e, e), TG_ALL_DIMS, false), x); /* 8 x^3 */
    WANT_VALUES(g, 0, 64, 0, 0, 0, 1728);
    WANT_VALUES(derivative(tg_sum(g, TG_ALL_DIMS, false), x), 0, 96, 0, 0, 0, 864);
}
END_TEST

START_TEST(replay_computes_them_again)
{
    tg_tensor x = wanting(VECTOR(tape, 3)), v = VECTOR(tape, 1), jv;
    tg_mark from = tg_tape_mark(tape);
    tg_tensor y = tg_mul(x, tg_square(x)), first = derivative(y, x), second = derivative(first, x);
    ck_assert_int_eq(tg_jvp(y, &x, &v, 1, &jv), TG_OK);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){5}, 1), TG_OK);
    ck_assert_int_eq(tg_replay(tape, from), TG_OK);
    WANT_VALUES(first, 75);
    WANT_VALUES(second, 30);
    WANT_VALUES(jv, 75);
}
END_TEST

/* Also where a gradient is made by recording the operation's parts. */
START_TEST(under_no_grad_a_composed_gradient_is_plain_numbers)
{
    tg_tensor x[3], with[3], dx[3];
    for (int i = 0; i < 3; i++)
        x[i] = wanting(tg_randn(tape, TG_SHAPE(3, 2)));
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.softcap = 2;
    tg_tensor y = tg_scaled_dot_product_attention_with(x[0], x[1], x[2], config);
    y = tg_sum(tg_square(y), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_gradients(y, TG_NULL, x, 3, with), TG_OK);
    tg_no_grad_begin(tape);
    ck_assert_int_eq(tg_gradients(y, TG_NULL, x, 3, dx), TG_OK);
    tg_no_grad_end(tape);
    for (int i = 0; i < 3; i++) {
        double values[6];
        ck_assert(!tg_requires_grad(dx[i]) && tg_requires_grad(with[i]));
        ck_assert_int_eq(tg_read_doubles(with[i], values, 6), TG_OK);
        want_values(dx[i], 6, values);
    }
}
END_TEST

START_TEST(under_no_grad_the_results_are_plain_numbers)
{
    tg_tensor q = wanting(tg_randn(tape, TG_SHAPE(3, 2))), v = tg_ones(tape, TG_SHAPE(3, 2)), hv, with, dx;
    tg_tensor y = tg_sum(tg_square(tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0)), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_hvp(y, &q, &v, 1, &with), TG_OK);
    tg_no_grad_begin(tape);
    ck_assert_int_eq(tg_gradients(y, TG_NULL, &q, 1, &dx), TG_OK);
    ck_assert_int_eq(tg_hvp(y, &q, &v, 1, &hv), TG_OK);
    tg_no_grad_end(tape);
    ck_assert(!tg_requires_grad(dx) && !tg_requires_grad(hv) && tg_requires_grad(with));
    double values[6];
    ck_assert_int_eq(tg_read_doubles(with, values, 6), TG_OK);
    want_values(hv, 6, values);
}
END_TEST

START_TEST(what_was_frozen_is_no_path)
{
    tg_tensor x = wanting(VECTOR(tape, 2)), w = VECTOR(tape, 3), y = tg_mul(tg_square(x), w);
    WANT_VALUES(derivative(y, x), 12);
    tg_set_requires_grad(w, true);
    WANT_VALUES(derivative(y, w), 0); /* it was frozen when it was used */
    tg_set_requires_grad(x, false);
    tg_tensor dx;
    ck_assert_int_ne(tg_gradients(y, TG_NULL, &x, 1, &dx), TG_OK);
    WANT_ERROR(tape, TG_ERR_STATE, "gradients, x 1", "requires no gradient");
}
END_TEST

/* ---- attention ---- */

static size_t peak_of_hvp(int64_t T) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor q = tg_set_requires_grad(tg_randn(t, TG_SHAPE(2, T, 8)), true), v = tg_randn(t, TG_SHAPE(2, T, 8)), hv;
    tg_tensor y = tg_sum(tg_square(tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0)), TG_ALL_DIMS, false);
    ck_assert_msg(tg_hvp(y, &q, &v, 1, &hv) == TG_OK, "%s", tg_error(t));
    size_t peak = tg_tape_memory(t).used_peak;
    tg_tape_free(t);
    return peak;
}

START_TEST(attention_second_derivative_takes_memory_linear_in_length)
{
    size_t a = peak_of_hvp(512), b = peak_of_hvp(1024), c = peak_of_hvp(2048);
    ck_assert_msg(c - b < (b - a) * 5 / 2, "%zu, %zu, %zu bytes for T = 512, 1024, 2048", a, b, c);
    ck_assert_msg(c < (size_t)2048 * 2048 * sizeof(float), "%zu bytes: as much as a (T, T) matrix", c);
}
END_TEST

START_TEST(any_number_of_threads_gives_the_same_bits)
{
    float bits[2][2 * 200 * 8];
    for (int k = 0; k < 2; k++) {
        tg_set_threads(k ? 3 : 1);
        tg_tape *t = tg_tape_new(TG_F32);
        tg_shape shape = TG_SHAPE(2, 200, 8);
        tg_tensor q = tg_set_requires_grad(tg_randn(t, shape), true), v = tg_randn(t, shape), hv;
        tg_tensor y = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0.2, 0);
        ck_assert_msg(tg_hvp(tg_sum(tg_exp(y), TG_ALL_DIMS, false), &q, &v, 1, &hv) == TG_OK, "%s", tg_error(t));
        ck_assert_int_eq(tg_read_floats(hv, bits[k], 2 * 200 * 8), TG_OK);
        tg_tape_free(t);
    }
    tg_set_threads(0);
    ck_assert_mem_eq(bits[0], bits[1], sizeof bits[0]);
}
END_TEST

START_TEST(float32_agrees_with_float64)
{
    double values[2][90];
    for (int k = 0; k < 2; k++) {
        tg_tape *t = tg_tape_new(k ? TG_F64 : TG_F32);
        tg_manual_seed(t, 3);
        double numbers_[90], direction[90];
        for (int i = 0; i < 90; i++) {
            numbers_[i] = sin(3.7 * i);
            direction[i] = cos(1.3 * i);
        }
        tg_tensor q = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(2, 9, 5), numbers_), true);
        tg_tensor v = tg_from_doubles(t, TG_SHAPE(2, 9, 5), direction), hv;
        tg_tensor y = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0);
        y = tg_sum(tg_square(tg_gelu(tg_dropout(tg_layer_norm(y, TG_NULL, TG_NULL, 0.1), 0.3))), TG_ALL_DIMS, false);
        ck_assert_msg(tg_hvp(y, &q, &v, 1, &hv) == TG_OK, "%s", tg_error(t));
        ck_assert_int_eq(tg_read_doubles(hv, values[k], 90), TG_OK);
        tg_tape_free(t);
    }
    for (int i = 0; i < 90; i++)
        ck_assert_msg(fabs(values[0][i] - values[1][i]) <= 3e-5 * fmax(1, fabs(values[1][i])), "%d: %g, %g", i,
                      values[0][i], values[1][i]);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("gradients");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_loop_test(c, grad_agrees_with_the_kernel, 0, N_OPS);
    tcase_add_loop_test(c, the_gradient_of_grad_agrees_with_differences, 0, N_OPS);
    tcase_add_loop_test(c, a_second_gradient_recorded_agrees_with_backward, 0, N_OPS);
    tcase_add_loop_test(c, third_derivatives_agree_with_differences, 0, 16);
    tcase_add_test(c, every_differentiable_operation_has_a_grad);
    tcase_add_test(c, jvp_is_the_adjoint_of_backward);
    tcase_add_test(c, a_fourth_power_can_be_differentiated_five_times);
    tcase_add_test(c, a_quadratic_form_has_its_matrix_as_hessian);
    tcase_add_test(c, zeros_are_no_obstacle);
    tcase_add_test(c, a_product_has_its_matrix_as_jacobian);
    tcase_add_test(c, intermediates_and_unused_tensors_have_gradients_too);
    tcase_add_test(c, the_cotangent_is_differentiated_too);
    tcase_add_test(c, accumulated_and_retained_gradients_and_hooks_are_left_alone);
    tcase_add_test(c, a_retained_view_and_views_of_views_work);
    tcase_add_test(c, replay_computes_them_again);
    tcase_add_test(c, under_no_grad_the_results_are_plain_numbers);
    tcase_add_test(c, under_no_grad_a_composed_gradient_is_plain_numbers);
    tcase_add_test(c, what_was_frozen_is_no_path);
    tcase_add_test(c, attention_second_derivative_takes_memory_linear_in_length);
    tcase_add_test(c, any_number_of_threads_gives_the_same_bits);
    tcase_add_test(c, float32_agrees_with_float64);
    return run_suite("gradients", c);
}
