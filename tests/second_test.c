/* Second derivatives: against PyTorch's double backward, and by tg_gradcheck_second on operations, layers and a
 * transformer; wrong ones are found. */
#include "tests/nn_cases.h"

#include "tests/golden/second.h"

static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};

enum { N_OPS = sizeof ops / sizeof *ops, MOST = 16, N_GOLDENS = sizeof second_goldens / sizeof *second_goldens };

/* ---- goldens ---- */

/* The script's numbers. */
static tg_tensor numbers(tg_tape *t, tg_shape shape, int a, int b, int c, double d) {
    double values[256];
    int64_t n = tg_shape_numel(&shape);
    for (int64_t i = 0; i < n; i++)
        values[i] = (double)((i * a + b) % c) / d - 1;
    return tg_from_doubles(t, shape, values);
}

static tg_tensor cube(tg_tensor x) { return tg_mul(x, tg_square(x)); }

static tg_tensor heads(tg_tensor x) { return tg_transpose(tg_reshape(x, TG_SHAPE(2, 3, 2, 2)), 1, 2); }

static tg_tensor attend(const tg_tensor *x, tg_tensor mask, bool causal, double scale) {
    return tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, causal, 0, scale);
}

/* x, wq, wk, wv, wo, w1, b1, w2, g1, h1, g2, h2 */
static tg_tensor block(const tg_tensor *p) {
    tg_tensor n = tg_layer_norm(p[0], p[8], p[9], 1e-5);
    tg_tensor qkv[3];
    for (int i = 0; i < 3; i++)
        qkv[i] = heads(tg_linear(n, p[1 + i], TG_NULL));
    tg_tensor a = attend(qkv, TG_NULL, true, 0);
    tg_tensor x = tg_add(p[0], tg_linear(tg_reshape(tg_transpose(a, 1, 2), TG_SHAPE(2, 3, 4)), p[4], TG_NULL));
    tg_tensor h = tg_gelu(tg_linear(tg_layer_norm(x, p[10], p[11], 1e-5), p[5], p[6]));
    return tg_add(x, tg_linear(h, p[7], TG_NULL));
}

static const tg_shape shape_35 = {2, {3, 5}}, shape_243 = {3, {2, 4, 3}};

/* Case i as the script has it: its leaves and y. */
static tg_tensor golden_case(tg_tape *t, const char *name, tg_tensor *x, int *n) {
    tg_shape shapes[12] = {shape_35, {1, {5}}, {1, {5}}};
    static const int64_t id[] = {2, 0, 5, 2, 3}, target[] = {1, 0, -100, 4};
    static const bool show[] = {1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1};
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(5), id);
    *n = 1;
#define IS(text) (strcmp(name, text) == 0)
    if (IS("layer_norm"))
        *n = 3;
    if (IS("div") || IS("bias_gelu") || IS("mse_loss"))
        *n = 2;
    if (IS("mse_loss"))
        shapes[1] = shape_35;
    if (IS("cross_entropy"))
        shapes[0] = TG_SHAPE(4, 5);
    if (IS("embedding"))
        shapes[0] = TG_SHAPE(6, 3);
    if (IS("gather"))
        shapes[0] = TG_SHAPE(3, 6);
    if (IS("tril"))
        shapes[0] = TG_SHAPE(2, 3, 3);
    if (IS("linear")) {
        *n = 3;
        shapes[0] = TG_SHAPE(2, 3, 4);
        shapes[1] = TG_SHAPE(5, 4);
    }
    if (IS("matmul")) {
        *n = 2;
        shapes[0] = TG_SHAPE(2, 1, 3, 4);
        shapes[1] = TG_SHAPE(2, 4, 2);
    }
    if (strncmp(name, "attention", 9) == 0) {
        *n = IS("attention mask") ? 4 : 3;
        shapes[0] = shapes[1] = shapes[2] = shape_243;
        shapes[3] = TG_SHAPE(4, 4);
    }
    if (IS("attention scale")) {
        shapes[1] = TG_SHAPE(2, 2, 3);
        shapes[2] = TG_SHAPE(2, 2, 5);
    }
    if (IS("block")) {
        *n = 12;
        shapes[0] = TG_SHAPE(2, 3, 4);
        for (int i = 1; i < 12; i++)
            shapes[i] = i < 5 ? TG_SHAPE(4, 4) : TG_SHAPE(4);
        shapes[5] = TG_SHAPE(6, 4);
        shapes[6] = TG_SHAPE(6);
        shapes[7] = TG_SHAPE(4, 6);
    }
    for (int k = 0; k < *n; k++)
        x[k] = wanting(numbers(t, shapes[k], 37, 11 + 17 * k, 101, 50));
    tg_tensor none = TG_NULL, a = x[0];
    return IS("softmax")          ? tg_softmax(a, -1)
           : IS("log_softmax")    ? tg_square(tg_log_softmax(a, 0))
           : IS("layer_norm")     ? tg_square(tg_layer_norm(a, x[1], x[2], 1e-5))
           : IS("cross_entropy")  ? tg_cross_entropy(a, tg_from_ints(t, TG_SHAPE(4), target), TG_IGNORE_INDEX, TG_MEAN)
           : IS("gelu")           ? tg_gelu(a)
           : IS("gelu_tanh")      ? tg_gelu_tanh(a)
           : IS("silu")           ? tg_silu(a)
           : IS("sigmoid")        ? tg_sigmoid(a)
           : IS("tanh")           ? tg_tanh(a)
           : IS("logsumexp")      ? tg_logsumexp(a, TG_DIMS(1), false)
           : IS("var")            ? tg_square(tg_var(a, TG_DIMS(1), 1, false))
           : IS("linear")         ? tg_tanh(tg_linear(a, x[1], x[2]))
           : IS("matmul")         ? tg_exp(tg_matmul(a, x[1]))
           : IS("embedding")      ? cube(tg_embedding(a, ids))
           : IS("gather")         ? cube(tg_gather(a, 1, tg_expand(ids, TG_SHAPE(3, 5))))
           : IS("div")            ? tg_div(a, tg_add_scalar(x[1], 2))
           : IS("pow")            ? tg_pow(tg_exp(a), 1.7)
           : IS("sqrt")           ? tg_sqrt(tg_add_scalar(a, 2))
           : IS("log")            ? tg_log(tg_add_scalar(a, 2))
           : IS("mse_loss")       ? tg_mse_loss(tg_tanh(a), x[1], TG_MEAN)
           : IS("bias_gelu")      ? tg_bias_gelu(a, x[1])
           : IS("amax")           ? cube(tg_amax(a, TG_DIMS(1), false))
           : IS("tril")           ? cube(tg_tril(a, 0))
           : IS("block")          ? block(x)
           : IS("attention mask") ? attend(x, x[3], false, 0)
           : IS("attention bool mask") ? attend(x, tg_from_bools(t, TG_SHAPE(4, 4), show), false, 0)
                                       : attend(x, none, IS("attention causal"), IS("attention scale") ? 0.7 : 0);
#undef IS
}

START_TEST(hessian_vector_products_equal_pytorchs)
{
    const second_golden *g = &second_goldens[_i];
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[12], v[12], hv[12];
    int n;
    tg_tensor y = golden_case(t, g->name, x, &n), w = numbers(t, tg_shape_of(y), 53, 7, 97, 48);
    for (int k = 0; k < n; k++)
        v[k] = numbers(t, tg_shape_of(x[k]), 29, 5 + 13 * k, 89, 44);
    WANT_OK(t);
    ck_assert_msg(tg_hvp(tg_sum(tg_mul(y, w), TG_ALL_DIMS, false), x, v, n, hv) == TG_OK, "%s", tg_error(t));
    int64_t at = 0;
    for (int k = 0; k < n; k++) {
        double values[256];
        ck_assert_int_eq(tg_read_doubles(hv[k], values, tg_numel(hv[k])), TG_OK);
        for (int64_t i = 0; i < tg_numel(hv[k]); i++, at++)
            ck_assert_msg(fabs(values[i] - g->hv[at]) <= 1e-10 * fmax(1, fabs(g->hv[at])),
                          "%s, leaf %d, element %lld: %.17g, PyTorch has %.17g", g->name, k, (long long)i, values[i],
                          g->hv[at]);
    }
    ck_assert_int_eq(at, g->n);
    tg_tape_free(t);
}
END_TEST

/* ---- the check says right of what is right ---- */

static double worst_adjoint, worst_symmetry;

static void want_right(tg_tensor y, const char *what) {
    tg_second_result r;
    tg_status status = tg_gradcheck_second(y, 7, &r);
    if (status && strstr(tg_error(y.tape), "requires no gradient")) {
        tg_clear_error(y.tape);
        return;
    }
    ck_assert_msg(status == TG_OK, "%s: %s", what, tg_error(y.tape));
    ck_assert_msg(r.adjoint <= 1e-13, "%s: %s", what, r.summary);
    worst_adjoint = fmax(worst_adjoint, r.adjoint);
    worst_symmetry = fmax(worst_symmetry, r.symmetry);
}

START_TEST(operations_are_right)
{
    for (int i = 0; i < N_OPS; i++)
        for (int variant = 0;; variant++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char what[100];
            snprintf(what, sizeof what, "%s probe %d", ops[i]->name, variant);
            tg_manual_seed(t, 40 + (uint64_t)variant);
            tg_tensor y = ops[i]->probe(t, variant);
            bool more = !tg_is_null(y);
            if (more && tg_requires_grad(y) && tg_numel(y))
                want_right(y, what);
            tg_tape_free(t);
            if (!more)
                break;
        }
    printf("operations: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

/* Plain, and with their weights wanted, which the composition computes instead of the fused operation. */
START_TEST(layers_are_right)
{
    for (int i = 0; i < N_CASES; i++)
        for (int with = 0; with < 2; with++) {
            tg_tape *t = tg_tape_new(TG_F64);
            char what[40];
            tg_tensor weights;
            nn_case c = case_new(t, i);
            case_inputs(&c, t);
            snprintf(what, sizeof what, "layer %d", i);
            want_right(case_forward(&c, with ? &weights : NULL), what);
            tg_tape_free(t);
        }
    printf("layers: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

/* Two blocks; and in float32, whose float64 copy is checked. */
START_TEST(a_transformer_of_two_blocks_is_right)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor p[12], x = TG_NULL;
        tg_shape wide = TG_SHAPE(6, 4), back = TG_SHAPE(4, 6), square = TG_SHAPE(4, 4);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 12; i++)
                p[i] = wanting(tg_randn(t, i < 1    ? TG_SHAPE(2, 3, 4)
                                           : i < 5  ? square
                                           : i == 5 ? wide
                                           : i == 6 ? TG_SHAPE(6)
                                           : i == 7 ? back
                                                    : TG_SHAPE(4)));
            p[0] = k ? x : p[0];
            x = block(p);
        }
        tg_tensor target = tg_from_ints(t, TG_SHAPE(6), (int64_t[]){0, 3, 1, 2, 2, 0});
        tg_tensor logits = tg_reshape(x, TG_SHAPE(6, 4));
        want_right(tg_cross_entropy(logits, target, TG_IGNORE_INDEX, TG_MEAN), "transformer");
        tg_tape_free(t);
    }
    printf("transformer: adjoint %.2g, symmetry %.2g at worst\n", worst_adjoint, worst_symmetry);
}
END_TEST

/* With one key y is v, whatever q and k are: f = T v^2, df/dv = 2 T v, and the sum of its squares has 8 T^2 v. */
START_TEST(attention_to_one_key)
{
    enum { T = 5 };
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3] = {wanting(tg_randn(t, TG_SHAPE(T, 2))), wanting(tg_randn(t, TG_SHAPE(1, 2))),
                      wanting(VECTOR(t, 3, -2))};
    x[2] = tg_reshape(x[2], TG_SHAPE(1, 2));
    tg_tensor dx[3], ddx[3], slope, y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    ck_assert_int_eq(tg_gradients(tg_sum(tg_square(y), TG_ALL_DIMS, false), TG_NULL, x, 3, dx), TG_OK);
    WANT_VALUES(dx[2], 2 * T * 3, 2 * T * -2);
    slope = tg_add(tg_sum(tg_square(dx[2]), TG_ALL_DIMS, false), tg_sum(dx[0], TG_ALL_DIMS, false));
    ck_assert_msg(tg_gradients(slope, TG_NULL, x, 3, ddx) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(ddx[2], 8 * T * T * 3, 8 * T * T * -2);
    ck_assert_double_eq_tol(tg_item(tg_amax(tg_abs(ddx[0]), TG_ALL_DIMS, false)), 0, 1e-12);
    ck_assert_double_eq_tol(tg_item(tg_amax(tg_abs(ddx[1]), TG_ALL_DIMS, false)), 0, 1e-12);
    tg_tape_free(t);
}
END_TEST

/* The derivatives of attention's second derivatives, which are made of operations: against differences, with every
 * mask, with dropout, and recorded where no gradient is wanted. */
static void check_third(tg_tape *t, int mask_kind, bool causal, double dropout) {
    static const bool shown[] = {true, true, false, true, true, true, false, true, true, true, true, true};
    tg_tensor mask = mask_kind == 0   ? TG_NULL
                     : mask_kind == 1 ? tg_from_bools(t, TG_SHAPE(4, 3), shown)
                                      : wanting(tg_randn(t, TG_SHAPE(4, 3)));
    tg_tensor x[4] = {wanting(tg_randn(t, TG_SHAPE(4, 2))), wanting(tg_randn(t, TG_SHAPE(3, 2))),
                      wanting(tg_randn(t, TG_SHAPE(3, 2))), mask};
    tg_tensor dx[4], ddx[4], again[4];
    int n = mask_kind == 2 ? 4 : 3;
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, causal, dropout, 0), slope = tg_scalar(t, 0);
    ck_assert_int_eq(tg_gradients(tg_sum(tg_exp(y), TG_ALL_DIMS, false), TG_NULL, x, n, dx), TG_OK);
    for (int i = 0; i < n; i++)
        slope = tg_add(slope, tg_sum(tg_mul(dx[i], tg_randn(t, tg_shape_of(dx[i]))), TG_ALL_DIMS, false));
    tg_no_grad_begin(t);
    ck_assert_int_eq(tg_gradients(slope, TG_NULL, x, n, again), TG_OK);
    tg_no_grad_end(t);
    ck_assert_int_eq(tg_gradients(slope, TG_NULL, x, n, ddx), TG_OK);
    for (int i = 0; i < n; i++) {
        tg_tensor apart = tg_amax(tg_abs(tg_sub(ddx[i], again[i])), TG_ALL_DIMS, false);
        ck_assert(!tg_requires_grad(again[i]) && tg_item(apart) == 0);
        tg_tensor weighted = tg_mul(ddx[i], tg_randn(t, tg_shape_of(ddx[i])));
        ck_assert_msg(tg_gradcheck(weighted, TG_GRADCHECK_DEFAULTS, NULL) == TG_OK, "mask %d dropout %g, %d: %s",
                      mask_kind, dropout, i, tg_error(t));
    }
}

START_TEST(third_derivatives_of_attention)
{
    for (int i = 0; i < 12; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, (uint64_t)i);
        check_third(t, i % 3, i / 3 % 2, i < 6 ? 0 : 0.3);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(taylor_remainders_have_slopes_two_and_three)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_second_result r;
    tg_tensor q = wanting(tg_randn(t, TG_SHAPE(5, 3)));
    tg_tensor y = tg_scaled_dot_product_attention(q, q, q, TG_NULL, true, 0, 0);
    ck_assert_int_eq(tg_gradcheck_second(tg_sum(tg_exp(y), TG_ALL_DIMS, false), 1, &r), TG_OK);
    ck_assert_double_eq_tol(r.slope_first, 2, 0.2);
    ck_assert_double_eq_tol(r.slope_second, 3, 0.3);
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_second_print(file, &r), TG_OK);
    rewind(file);
    char text[2000] = "";
    ck_assert_uint_gt(fread(text, 1, sizeof text - 1, file), 0);
    ck_assert_msg(strstr(text, "slope") && strstr(text, "consistent and right"), "%s", text);
    fclose(file);
    tg_tape_free(t);
}
END_TEST

/* ---- and wrong of what is wrong: y = x^3 with a mistake in the kernel, in grad, in both ---- */

static double kernel_factor, grad_factor;

static int cube_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->output)[j] = x[j] * x[j] * x[j];
    return 0;
}
static int cube_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t j = 0; j < c->output_shape->size[0]; j++)
        ((double *)c->input_grad[0])[j] += kernel_factor * 3 * x[j] * x[j] * dy[j];
    return 0;
}
static void cube_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)n, (void)y, (void)context;
    dx[0] = tg_mul(dy, tg_mul_scalar(tg_square(x[0]), 3 * grad_factor));
}

static tg_second_result check_cube(double kernel, double grad) {
    static const tg_custom_op op = {.name = "cube", .forward_f64 = cube_forward, .vjp_f64 = cube_vjp};
    tg_second_result r;
    kernel_factor = kernel;
    grad_factor = grad;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(4))), y = tg_custom(&op, &x, 1, TG_SHAPE(4), NULL, 0);
    ck_assert_int_eq(tg_custom_set_grad(y, cube_grad), TG_OK);
    bool right = tg_gradcheck_second(y, 3, &r) == TG_OK;
    ck_assert_int_eq(right, r.verdict == TG_GRAD_RIGHT);
    tg_tape_free(t);
    return r;
}

START_TEST(mistakes_in_kernel_or_grad_are_found)
{
    ck_assert_int_eq(check_cube(1, 1).verdict, TG_GRAD_RIGHT);
    tg_second_result kernel = check_cube(1.001, 1), grad = check_cube(1, 0.5), both = check_cube(2, 2);
    ck_assert_int_eq(kernel.verdict, TG_GRAD_WRONG);
    ck_assert_int_eq(grad.verdict, TG_GRAD_WRONG);
    ck_assert_double_gt(kernel.adjoint, 1e-5);
    /* in both alike: consistent, and differences of gradients are those of a wrong gradient; those of f see it */
    ck_assert_int_eq(both.verdict, TG_GRAD_WRONG);
    ck_assert_double_lt(both.adjoint, 1e-13);
    ck_assert_double_lt(both.slope_first, 1.2);
}
END_TEST

/* ---- the same in every operation: its VJP kernel, its grad or both give a gradient times a factor ---- */

static const tg_op *right_op;

/* The operation may keep dy's buffer as the gradient of its input, so dy stays scaled: nobody reads it after this. */
static tg_status wrong_vjp(tg_node *y) {
    for (int64_t i = 0; i < y->numel; i++)
        ((double *)y->grad)[i] *= kernel_factor;
    return right_op->vjp[TG_F64](y);
}
static void wrong_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) {
    right_op->grad(y, tg_mul_scalar(dy, grad_factor), dx);
}

/* Every node of op has the wrong one's descriptor; how many there are. A custom operation has a descriptor of its own:
 * 0, but see above. */
static int plant(tg_tape *t, const tg_op *op, const tg_op *wrong) {
    int n = 0;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->nodes[i]->op == op) {
            t->nodes[i]->op = wrong;
            n++;
        }
    return n;
}

/* Does a leaf of y get a gradient other than zeros and the rounding of one? */
static bool has_gradient(tg_tape *t, tg_tensor y) {
    tg_tensor cotangent = tg_randn(t, tg_shape_of(y));
    bool found = tg_backward_with(y, cotangent) != TG_OK;
    for (uint32_t i = 0; i < t->count && !found; i++) {
        const tg_node *x = t->nodes[i];
        for (int64_t j = 0; j < x->numel && !x->op && x->has_grad; j++)
            found |= fabs(((const double *)x->grad)[j]) > 1e-14;
    }
    return found;
}

/* Is the mistake in this example of op found? true also where it makes no difference. */
static bool is_found(const tg_op *op, int variant, double kernel, double grad, int *planted, bool *there) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_manual_seed(t, (uint64_t)variant + 1);
    tg_op wrong = *op;
    wrong.vjp[TG_F64] = wrong_vjp;
    wrong.grad = wrong_grad;
    right_op = op;
    kernel_factor = kernel;
    grad_factor = grad;
    tg_tensor y = op->probe(t, variant);
    bool found = true;
    *there = !tg_is_null(y);
    if (*there && tg_requires_grad(y) && has_gradient(t, y) && plant(t, op, &wrong)) {
        found = tg_gradcheck_second(y, 5, NULL) == TG_ERR_NUMERIC;
        ++*planted;
    }
    tg_tape_free(t);
    return found;
}

START_TEST(mistakes_in_every_operation_are_found)
{
    static const double factors[][2] = {{-1, 1}, {1.001, 1}, {1, -1}, {1, 1.001}, {-1, -1}, {1.01, 1.01}};
    int planted = 0, caught = 0;
    for (int i = 0; i < N_OPS; i++) {
        bool there = ops[i]->grad && ops[i]->vjp[TG_F64] && !ops[i]->is_view;
        for (int variant = 0; variant < MOST && there; variant++)
            for (int k = 0; k < (int)(sizeof factors / sizeof *factors) && there; k++) {
                int before = planted;
                bool found = is_found(ops[i], variant, factors[k][0], factors[k][1], &planted, &there);
                caught += found && planted > before;
                if (!found)
                    fprintf(stderr, "MISSED %s, example %d: times %g in the kernel, %g in grad\n", ops[i]->name,
                            variant, factors[k][0], factors[k][1]);
            }
    }
    printf("in kernels, grads and both: planted %d, caught %d\n", planted, caught);
    ck_assert_int_eq(caught, planted);
    ck_assert_int_gt(planted, 1000);
}
END_TEST

START_TEST(bad_input_is_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_ones(t, TG_SHAPE(2));
    ck_assert_int_ne(tg_gradcheck_second(tg_square(x), 1, NULL), TG_OK);
    WANT_ERROR(t, TG_ERR_STATE, "requires no gradient");
    ck_assert_int_ne(tg_gradcheck_second(tg_arange(t, 2), 1, NULL), TG_OK);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "int64");
    ck_assert_int_ne(tg_gradcheck_second(TG_NULL, 1, NULL), TG_OK);
    ck_assert_int_ne(tg_gradcheck_second_print(NULL, NULL), TG_OK);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("second");
    tcase_add_loop_test(c, hessian_vector_products_equal_pytorchs, 0, N_GOLDENS);
    tcase_add_test(c, operations_are_right);
    tcase_add_test(c, layers_are_right);
    tcase_add_test(c, a_transformer_of_two_blocks_is_right);
    tcase_add_test(c, attention_to_one_key);
    tcase_add_test(c, third_derivatives_of_attention);
    tcase_add_test(c, taylor_remainders_have_slopes_two_and_three);
    tcase_add_test(c, mistakes_in_kernel_or_grad_are_found);
    tcase_add_test(c, mistakes_in_every_operation_are_found);
    tcase_add_test(c, bad_input_is_refused);
    return run_suite("second", c);
}
