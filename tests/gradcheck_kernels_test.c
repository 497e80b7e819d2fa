/* The gradient check on mistakes in the library itself that no formula shows: a float64 kernel that computes something
 * else than the plain one in long double, on which verdicts rest; a view whose gradient lies elsewhere. */
#include "nn/nn.h"
#include "tests/support.h"

static tg_gradcheck_result check_in(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict <= TG_GRAD_KINK), "status %d: %s", status, r.summary);
    tg_clear_error(y.tape);
    return r;
}

/* ---- float64 kernels ---- */

static struct {
    const tg_op *right;
    double factor; /* of the result's second element */
    bool saved;    /* the first of what it keeps is 0 instead */
} spoilt;

static tg_status spoilt_forward(tg_node *y) {
    tg_status bad = spoilt.right->forward[TG_F64](y);
    if (!bad && spoilt.saved)
        ((double *)y->saved)[0] = 0;
    else if (!bad)
        ((double *)y->data)[1] *= spoilt.factor;
    return bad;
}

typedef tg_tensor operation(tg_tensor x);
static tg_tensor norm_of(tg_tensor x) { return tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5); }
static tg_tensor attention_of(tg_tensor x) { return tg_scaled_dot_product_attention(x, x, x, TG_NULL, true, 0, 0); }
static tg_tensor softmax_of(tg_tensor x) { return tg_softmax(x, -1); }
static tg_tensor product_of(tg_tensor x) { return tg_matmul(x, tg_transpose(x, 0, 1)); }

static const struct {
    operation *f;
    bool saves;
} families[] = {{norm_of, true}, {attention_of, true}, {softmax_of, false}, {product_of, false}, {tg_tanh, false}};
enum { N_FAMILIES = sizeof families / sizeof *families };

/* Between others, of numbers of that size. */
static tg_gradcheck_result check_spoilt(operation *f, tg_dtype dtype, double size, tg_gradcheck_mode mode) {
    tg_tape *t = tg_tape_new(dtype);
    tg_manual_seed(t, 5);
    tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(4, 4)));
    tg_tensor y = f(tg_mul_scalar(tg_sub(x, tg_square(x)), size));
    tg_node *n = t->nodes[y.index];
    tg_op wrong = *(spoilt.right = n->op);
    y = tg_mean(tg_square(y), TG_ALL_DIMS, false);
    if (spoilt.factor != 1 || spoilt.saved) {
        wrong.forward[TG_F64] = spoilt_forward;
        n->op = &wrong;
    }
    tg_gradcheck_result r = check_in(y, mode);
    if (r.verdict == TG_GRAD_WRONG)
        ck_assert_uint_eq(r.tensor, n->index);
    n->op = spoilt.right;
    tg_tape_free(t);
    return r;
}

/* Before, the gradient of the right function was right, whatever float64 computes: 3e-4 off, or 20 %. */
START_TEST(a_float64_kernel_that_computes_something_else_is_named)
{
    for (int i = 0; i < N_FAMILIES * 8; i++) {
        int family = i / 8;
        tg_dtype dtype = i & 1 ? TG_F64 : TG_F32;
        tg_gradcheck_mode mode = i & 2 ? TG_GRADCHECK_FULL : TG_GRADCHECK_FAST;
        spoilt.factor = i & 4 ? 1.2 : 1.0003;
        spoilt.saved = false;
        tg_gradcheck_result r = check_spoilt(families[family].f, dtype, 1, mode);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && 1, "%d: %s: %s", i,
                      r.summary, r.diagnosis);
        ck_assert_ptr_nonnull(strstr(r.diagnosis, "float64 only: element 1 of the result"));
        spoilt.saved = true;
        if (families[family].saves)
            r = check_spoilt(families[family].f, dtype, 1, mode);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d: %s: %s", i, r.summary, r.diagnosis);
        ck_assert_msg(!families[family].saves || strstr(r.diagnosis, "what forward keeps"), "%s", r.diagnosis);
    }
}
END_TEST

/* Whatever the size of their numbers. */
START_TEST(a_right_float64_kernel_is_near_long_double)
{
    static const double sizes[] = {1, 1e-9, 1e-3, 50, 1e5, 1e12};
    spoilt.factor = 1;
    spoilt.saved = false;
    for (int i = 0; i < N_FAMILIES * 6; i++) {
        tg_gradcheck_result r = check_spoilt(families[i / 6].f, TG_F64, sizes[i % 6], TG_GRADCHECK_FULL);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%d: %s: %s", i, r.summary, r.diagnosis);
    }
}
END_TEST

/* ---- callbacks ---- */

/* y = x^2; the float64 gradient has the wrong sign. */
static int square_f32(const tg_call *c) {
    const float *x = c->input[0];
    for (int i = 0; i < 3; i++)
        ((float *)c->output)[i] = x[i] * x[i];
    return 0;
}

static int square_vjp_f32(const tg_call *c) {
    const float *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < 3; i++)
        ((float *)c->input_grad[0])[i] += 2 * x[i] * dy[i];
    return 0;
}

static int square_f64(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < 3; i++)
        ((double *)c->output)[i] = x[i] * x[i];
    return 0;
}

static int negative_vjp_f64(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < 3; i++)
        ((double *)c->input_grad[0])[i] -= 2 * x[i] * dy[i];
    return 0;
}

/* In fast mode another leaf's gradient of 1e16 hides it, and float32 differs from float64: but it is right. */
START_TEST(a_mistake_in_float64_is_not_called_one_of_float32)
{
    static const tg_custom_op square = {"square", square_f32, square_vjp_f32, square_f64, negative_vjp_f64};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "x", tg_probe_leaf(t, TG_SHAPE(3))),
              w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(3)));
    tg_tensor y = tg_add(tg_custom(&square, &x, 1, TG_SHAPE(3), NULL, 0), tg_mul_scalar(w, 1e16));
    tg_gradcheck_result r = check_in(y, TG_GRADCHECK_FAST);
    ck_assert_int_eq(r.verdict, TG_GRAD_WRONG);
    ck_assert_msg(r.mistake == TG_MISTAKE_SIGN && !strcmp(r.op, "square") && !strstr(r.summary, "float32"), "%s: %s",
                  r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* ---- views ---- */

static tg_tensor rows_of(tg_tensor x) { return tg_slice(x, 0, 1, 3, 1); }
static tg_tensor transpose_of(tg_tensor x) { return tg_transpose(x, 0, 1); }
static tg_tensor column_of(tg_tensor x) { return tg_select(x, 1, 1); }

static void lose_offset(tg_node *view) { view->goffset = 0; }
static void halve_offset(tg_node *view) { view->goffset /= 2; }
static void exchange_strides(tg_node *view) {
    ptrdiff_t first = view->gstride[0];
    view->gstride[0] = view->gstride[1];
    view->gstride[1] = first;
}

/* What reads it is right: tanh, or a view of it that is. */
START_TEST(a_view_whose_gradient_lies_elsewhere_is_named)
{
    static const struct {
        operation *view;
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
        tg_tensor y = tg_sum(tg_tanh(tg_unsqueeze(view, 0)), TG_ALL_DIMS, false);
        tg_gradcheck_result r = check_in(y, i & 2 ? TG_GRADCHECK_FULL : TG_GRADCHECK_FAST);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d: %s", i, r.summary);
        ck_assert_msg(!strcmp(r.op, all[i / 4].name) && r.tensor == view.index, "%d: %s: %s", i, r.summary,
                      r.diagnosis);
        ck_assert_msg(strstr(r.diagnosis, "tanh here"), "%s", r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        a_float64_kernel_that_computes_something_else_is_named, a_right_float64_kernel_is_near_long_double,
        a_mistake_in_float64_is_not_called_one_of_float32, a_view_whose_gradient_lies_elsewhere_is_named};
    return run_tests("gradcheck_kernels", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
