/* The gradient check on what is wrong without a wrong formula: leaves without a gradient, operands that are one tensor,
 * callbacks that write where they may not, what is right for some shapes only; and custom operations that say their
 * branches. */
#include "nn/nn.h"
#include "tests/support.h"

static tg_gradcheck_result check_in(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    if (tg_gradcheck(y, config, &r))
        tg_clear_error(y.tape);
    return r;
}

static tg_gradcheck_result check(tg_tensor y) { return check_in(y, TG_GRADCHECK_FULL); }

static tg_tensor parameter(tg_tape *t, const char *name, tg_shape shape) {
    return tg_parameter(t, name, tg_probe_leaf(t, shape));
}

static int64_t size(const tg_call *c) {
    int64_t n = 1;
    for (int i = 0; i < c->output_shape->ndim; i++)
        n *= c->output_shape->size[i];
    return n;
}

/* ---- leaves without a gradient ---- */

static void want_lost(const tg_gradcheck_result *r, int i, const char *leaf, const char *op, const char *reason) {
    ck_assert_int_gt(r->n_lost, i);
    ck_assert_str_eq(r->lost[i].leaf, leaf);
    ck_assert_str_eq(r->lost[i].op, op);
    ck_assert_msg(strstr(r->lost[i].reason, reason) != NULL, "%s", r->lost[i].reason);
}

static void read_back(FILE *file, char *out, size_t n) {
    rewind(file);
    out[fread(out, 1, n - 1, file)] = '\0';
    fclose(file);
}

START_TEST(every_leaf_without_a_gradient_is_listed)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = parameter(t, "a", TG_SHAPE(3)), b = parameter(t, "b", TG_SHAPE(3));
    tg_tensor c = parameter(t, "c", TG_SHAPE(3)), d = parameter(t, "d", TG_SHAPE(3));
    tg_tensor e = parameter(t, "e", TG_SHAPE(3)), f = parameter(t, "f", TG_SHAPE(3));
    parameter(t, "unused", TG_SHAPE(3));
    tg_tensor cut = tg_mul(tg_detach(tg_exp(b)), tg_to_float(tg_gt(c, tg_zeros(t, TG_SHAPE(3)))));
    tg_no_grad_begin(t);
    tg_tensor hidden = tg_square(d);
    tg_no_grad_end(t);
    tg_tensor y = tg_add(tg_mul(a, cut), tg_add(hidden, tg_mul_scalar(e, 0)));
    tg_set_requires_grad(f, false);
    y = tg_add(y, f);
    tg_set_requires_grad(f, true);
    tg_gradcheck_result r = check_in(y, TG_GRADCHECK_FAST);
    ck_assert_int_eq(r.n_lost, 6);
    want_lost(&r, 0, "b", "detach", "on purpose");
    want_lost(&r, 1, "c", "gt", "integers and bools");
    want_lost(&r, 2, "d", "square", "no_grad");
    want_lost(&r, 3, "e", "", "zero everywhere");
    want_lost(&r, 4, "f", "add", "requires_grad was off");
    want_lost(&r, 5, "unused", "", "does not depend on it");
    char text[8192];
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_msg(strstr(text, "no gradient for b: its path ends at detach, tensor "), "%s", text);
    file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_msg(strstr(text, "\"n_lost\": 6") && strstr(text, "\"op\": \"detach\""), "%s", text);
    tg_tape_free(t);
}
END_TEST

static void *aligned_get(void *context, size_t size) {
    void *block = NULL;
    (void)context;
    return posix_memalign(&block, 64, size) ? NULL : block;
}
static void aligned_put(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}
static int nothing(const tg_call *c) {
    (void)c;
    return 0;
}

/* Arrays of the check are whole multiples of 64 bytes here, and each of them ends where a chunk of memory does for one
 * of these fillings, for AddressSanitizer to see: a byte for each of 64 tensors, 8 doubles. */
START_TEST(arrays_may_end_where_memory_does)
{
    enum { CHUNK = 1 << 16 };
    static const tg_custom_op filling = {"filling", NULL, NULL, nothing, nothing};
    static const char filled[CHUNK];
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = TG_GRADCHECK_FAST;
    config.directions = 1;
    for (size_t size = 64; size < CHUNK; size += 64) {
        tg_tape *t = tg_tape_new_with(TG_F64, &(tg_allocator){aligned_get, aligned_put, NULL});
        tg_tensor x = parameter(t, "x", TG_SHAPE(8)), cut = tg_detach(parameter(t, "cut", TG_SHAPE(8)));
        cut = tg_mul_scalar(cut, 0);
        while (t->count < 63)
            tg_scalar(t, 0);
        tg_tensor y = tg_add(x, cut);
        ck_assert_uint_eq(y.index, 63);
        tg_custom(&filling, &x, 1, TG_SHAPE(8), filled, size);
        ck_assert_int_eq(tg_gradcheck(y, config, &r), TG_OK);
        want_lost(&r, 0, "cut", "detach", "on purpose");
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(a_connected_model_has_none)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 3, 2, 6, 0, true);
    tg_gradcheck_result r = check(tg_nn_causal_attention_forward(&a, tg_probe_leaf(t, TG_SHAPE(1, 4, 3)), NULL));
    ck_assert_int_eq(r.verdict, TG_GRAD_RIGHT);
    ck_assert_int_eq(r.n_lost, 0);
    tg_tape_free(t);
}
END_TEST

START_TEST(many_are_counted_and_the_first_listed)
{
    tg_tape *t = tg_tape_new(TG_F64);
    for (int i = 0; i < 40; i++)
        tg_probe_leaf(t, TG_SHAPE(2));
    tg_gradcheck_result r = check(tg_exp(tg_probe_leaf(t, TG_SHAPE(2))));
    ck_assert_int_eq(r.verdict, TG_GRAD_RIGHT);
    ck_assert_int_eq(r.n_lost, 40);
    ck_assert_uint_eq(r.lost[TG_GRADCHECK_LOST - 1].tensor, TG_GRADCHECK_LOST - 1);
    char text[8192];
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    read_back(file, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "no gradient for 24 more"));
    tg_tape_free(t);
}
END_TEST

/* ---- branches of custom operations ---- */

/* max(0, x) + min(0, x) / 4, whose gradient at 0 is `at_zero` dy */
static double at_zero, below;

static int bent_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = x[i] > 0 ? x[i] : x[i] / 4;
    return 0;
}

static int bent_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] += dy[i] * (x[i] > 0 ? 1 : x[i] < 0 ? below : at_zero);
    return 0;
}

static int bent_branches(const tg_call *c, int64_t *branch) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++)
        branch[i] = x[i] > 0;
    return 0;
}

static int failing_branches(const tg_call *c, int64_t *branch) {
    (void)c, (void)branch;
    return 1;
}

static const tg_custom_op bent = {"bent", NULL, NULL, bent_forward, bent_vjp};

static tg_gradcheck_result check_bent(double slope_at_zero, double slope_below, bool say) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(5), (double[]){0, 1e-9, -1e-7, 0.3, -2}), true);
    tg_tensor y = tg_custom(&bent, &x, 1, TG_SHAPE(5), NULL, 0);
    if (say)
        ck_assert_int_eq(tg_custom_set_branches(y, bent_branches), TG_OK);
    at_zero = slope_at_zero;
    below = slope_below;
    tg_gradcheck_result r = check(y);
    tg_tape_free(t);
    return r;
}

START_TEST(declared_kinks_are_kinks)
{
    tg_gradcheck_result r = check_bent(0.25, 0.25, true);
    ck_assert_msg(r.verdict <= TG_GRAD_KINK, "%s", r.summary);
    r = check_bent(0.6, 0.25, true);
    ck_assert_msg(r.verdict <= TG_GRAD_KINK && r.kinks >= 1, "%s", r.summary);
    r = check_bent(0.25, 0.3, true);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strcmp(r.op, "bent"), "%s", r.summary);
    r = check_bent(-3, 0.25, true);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strcmp(r.op, "bent"), "%s", r.summary);
    r = check_bent(-3, 0.25, false);
    ck_assert_msg(r.verdict != TG_GRAD_WRONG, "%s", r.summary);
}
END_TEST

/* x^2, whose gradient is wrong at 0.7 and nowhere else: it may have a kink there. */
static int dented_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = x[i] * x[i];
    return 0;
}

static int dented_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] += dy[i] * (x[i] == 0.7 ? 7 : 2 * x[i]);
    return 0;
}

START_TEST(what_is_right_a_little_aside_is_not_wrong)
{
    static const tg_custom_op dented = {"dented", NULL, NULL, dented_forward, dented_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(4), (double[]){2, 0.7, -1, 0.7}), true);
    tg_gradcheck_result r = check(tg_custom(&dented, &x, 1, TG_SHAPE(4), NULL, 0));
    ck_assert_msg(r.verdict == TG_GRAD_CANNOT_TELL, "%s", r.summary);
    ck_assert(r.wrong == 0 && r.cannot_tell == 2 && r.compared == 4);
    ck_assert(!r.op[0] && !r.shapes[0] && !r.diagnosis[0] && !r.tensor && !r.operand && r.mistake == TG_MISTAKE_NONE);
    for (int i = 0; i < 2; i++) {
        ck_assert(r.row[i].element == 1 + 2 * i && r.row[i].verdict == TG_GRAD_CANNOT_TELL && r.row[i].wrong == 0);
        ck_assert_ptr_nonnull(r.row[i].reason);
    }
    tg_tape_free(t);
}
END_TEST

/* y[i] = the larger of x[2 i], x[2 i + 1]: the notebook's max-pool */
static int pool_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = fmax(x[2 * i], x[2 * i + 1]);
    return 0;
}

static int pool_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[2 * i + (x[2 * i + 1] > x[2 * i])] += dy[i];
    return 0;
}

static int pool_branches(const tg_call *c, int64_t *branch) {
    const double *x = c->input[0];
    for (int64_t i = 0; i < size(c); i++)
        branch[i] = x[2 * i + 1] > x[2 * i];
    return 0;
}

START_TEST(ties_of_a_pool_are_kinks)
{
    static const tg_custom_op pool = {"pool", NULL, NULL, pool_forward, pool_vjp};
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double values[] = {1, 1, 2, -1, 0, 0, -3, 4};
        tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, TG_SHAPE(8), values), true);
        tg_tensor y = tg_custom(&pool, &x, 1, TG_SHAPE(4), NULL, 0);
        ck_assert_int_eq(tg_custom_set_branches(y, pool_branches), TG_OK);
        tg_gradcheck_result r = check_in(y, (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict <= TG_GRAD_KINK, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(branches_are_set_on_custom_results_only)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(3)), y = tg_custom(&bent, &x, 1, TG_SHAPE(3), NULL, 0);
    ck_assert_int_eq(tg_custom_set_branches(tg_exp(x), bent_branches), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "custom_set_branches", "not made by tg_custom");
    ck_assert_int_eq(tg_custom_set_branches(y, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "custom_set_branches", "NULL");
    ck_assert_int_eq(tg_custom_set_branches(y, failing_branches), TG_OK);
    ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "bent: the branches callback returned an error");
    tg_tape_free(t);
}
END_TEST

/* ---- right formulas, wrong nevertheless ---- */

static int product_forward(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1];
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = a[i] * b[i];
    return 0;
}

/* What b's gradient held is read before a's is written: lost when they are one. */
static int forgetful_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    double *da = c->input_grad[0], *db = c->input_grad[1];
    for (int64_t i = 0; i < size(c); i++) {
        double held = db ? db[i] : 0;
        if (da)
            da[i] += dy[i] * b[i];
        if (db)
            db[i] = held + dy[i] * a[i];
    }
    return 0;
}

START_TEST(operands_that_are_one_tensor)
{
    static const tg_custom_op product = {"product", NULL, NULL, product_forward, forgetful_vjp};
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor a = tg_probe_leaf(t, TG_SHAPE(4)), b = tg_exp(tg_probe_leaf(t, TG_SHAPE(4)));
        tg_gradcheck_result r =
            check_in(tg_custom(&product, (tg_tensor[]){a, b}, 2, TG_SHAPE(4), NULL, 0), (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        tg_tensor twice = tg_custom(&product, (tg_tensor[]){b, b}, 2, TG_SHAPE(4), NULL, 0);
        r = check_in(tg_exp(b), (tg_gradcheck_mode)mode); /* which needs no product */
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s", r.summary);
        r = check_in(tg_sin(twice), (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_SHARED, "%s", r.summary);
        ck_assert_str_eq(r.op, "product");
        ck_assert_ptr_nonnull(strstr(r.diagnosis, "operands 1 and 2 share"));
        tg_tape_free(t);
    }
}
END_TEST

/* What the VJP of y = 3 x writes to. */
enum { DY, OPERAND, RESULT };
static int spoilt;

static int three_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = 3 * ((const double *)c->input[0])[i];
    return 0;
}

static int writing_vjp(const tg_call *c) {
    const void *const target = spoilt == DY ? c->output_grad : spoilt == OPERAND ? c->input[0] : c->output;
    double *p = (double *)(uintptr_t)target;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] += 3 * ((const double *)c->output_grad)[i];
    p[1] += 0.5;
    return 0;
}

START_TEST(writing_to_what_is_const)
{
    static const tg_custom_op three = {"three", NULL, NULL, three_forward, writing_vjp};
    static const char *const what[] = {"writes to dy,", "writes to operand 1,", "writes to its result,"};
    for (int k = 0; k < 3; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_probe_leaf(t, TG_SHAPE(4));
        spoilt = k;
        tg_gradcheck_result r = check(tg_custom(&three, &x, 1, TG_SHAPE(4), NULL, 0));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strcmp(r.op, "three"), "%s", r.summary);
        ck_assert_int_eq(r.mistake, TG_MISTAKE_WRITES);
        ck_assert_msg(strstr(r.diagnosis, what[k]) && strstr(r.diagnosis, "element 1"), "%s", r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* y = n x with whole numbers n, which have no gradient: what the VJP writes to dy is said of the operand that has one.
 */
static int times_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = (double)((const int64_t *)c->input[0])[i] * ((const double *)c->input[1])[i];
    return 0;
}

static int times_vjp(const tg_call *c) {
    double *dy = (double *)(uintptr_t)c->output_grad;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[1])[i] += (double)((const int64_t *)c->input[0])[i] * dy[i];
    dy[2] = 0;
    return 0;
}

START_TEST(writing_to_dy_beside_whole_numbers)
{
    static const tg_custom_op times = {"times", NULL, NULL, times_forward, times_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[] = {tg_from_ints(t, TG_SHAPE(3), (int64_t[]){2, -1, 5}), tg_probe_leaf(t, TG_SHAPE(3))};
    tg_gradcheck_result r = check(tg_custom(&times, x, 2, TG_SHAPE(3), NULL, 0));
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == TG_MISTAKE_WRITES, "%s", r.summary);
    ck_assert_str_eq(r.op, "times");
    ck_assert_int_eq(r.operand, 2);
    ck_assert_msg(strstr(r.diagnosis, "writes to dy,") && strstr(r.diagnosis, "element 2"), "%s", r.diagnosis);
    tg_tape_free(t);
}
END_TEST

/* y (B, M) = x (B, N) W^T, W (M, N); the VJP is right where M = N, for the first `batches` rows, for the first
 * `elements` of dW. */
static struct {
    bool square;
    int64_t batches, elements;
} right_for;

static int rows_forward(const tg_call *c) {
    const double *x = c->input[0], *W = c->input[1];
    int64_t B = c->output_shape->size[0], M = c->output_shape->size[1], N = c->input_shape[0].size[1];
    for (int64_t b = 0; b < B; b++)
        for (int64_t m = 0; m < M; m++) {
            double sum = 0;
            for (int64_t n = 0; n < N; n++)
                sum += x[b * N + n] * W[m * N + n];
            ((double *)c->output)[b * M + m] = sum;
        }
    return 0;
}

static int rows_vjp(const tg_call *c) {
    const double *x = c->input[0], *W = c->input[1], *dy = c->output_grad;
    int64_t B = c->output_shape->size[0], M = c->output_shape->size[1], N = c->input_shape[0].size[1];
    double *dx = c->input_grad[0], *dW = c->input_grad[1];
    for (int64_t b = 0; b < B; b++)
        for (int64_t m = 0; m < M; m++)
            for (int64_t n = 0; n < N && b < right_for.batches; n++) {
                int64_t at = m * (right_for.square ? M : N) + n;
                dx[b * N + n] += dy[b * M + m] * W[m * N + n];
                if (at < M * N && at < right_for.elements)
                    dW[at] += dy[b * M + m] * x[b * N + n];
            }
    return 0;
}

static void want_rows(int64_t B, int64_t M, int64_t N, bool right) {
    static const tg_custom_op rows = {"rows", NULL, NULL, rows_forward, rows_vjp};
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x[] = {tg_probe_leaf(t, TG_SHAPE(B, N)), tg_probe_leaf(t, TG_SHAPE(M, N))};
        tg_tensor y = tg_custom(&rows, x, 2, TG_SHAPE(B, M), NULL, 0);
        tg_gradcheck_result r = check_in(tg_tanh(tg_mul_scalar(y, 0.1)), (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict == (right ? TG_GRAD_RIGHT : TG_GRAD_WRONG), "%s", r.summary);
        if (!right)
            ck_assert_str_eq(r.op, "rows");
        tg_tape_free(t);
    }
}

START_TEST(right_for_some_shapes_only)
{
    right_for.square = true;
    right_for.batches = right_for.elements = INT64_MAX;
    want_rows(2, 5, 5, true);
    want_rows(2, 5, 4, false);
    right_for.square = false;
    right_for.batches = 1;
    want_rows(1, 3, 4, true);
    want_rows(3, 3, 4, false);
    right_for.batches = INT64_MAX;
    right_for.elements = 200;
    want_rows(2, 10, 20, true);
    want_rows(2, 11, 20, false);
}
END_TEST

/* ---- bad input ---- */

static int copy_forward(const tg_call *c) {
    memcpy(c->output, c->input[0], (size_t)size(c) * sizeof(float));
    return 0;
}

static int copy_vjp(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((float *)c->input_grad[0])[i] += ((const float *)c->output_grad)[i];
    return 0;
}

static int forward_runs;
static int failing_forward(const tg_call *c) {
    (void)c;
    return ++forward_runs > 1;
}

static void want_refusal(tg_tensor y, tg_gradcheck_config config, tg_status status, const char *a, const char *b) {
    tg_tape *t = y.tape;
    uint32_t count = t->count;
    size_t used = tg_tape_memory(t).used;
    tg_gradcheck_result r;
    ck_assert_int_eq(tg_gradcheck(y, config, &r), status);
    ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
    ck_assert_ptr_null(strchr(r.summary, '\n'));
    WANT_ERROR(t, status, a, b);
    ck_assert_uint_eq(t->count, count);
    ck_assert_uint_eq(tg_tape_memory(t).used, used);
    tg_gradcheck_config usual = TG_GRADCHECK_DEFAULTS;
    ck_assert_int_eq(tg_gradcheck(tg_named(t, "fine"), usual, NULL) == TG_ERR_STATE, true); /* a leaf that needs none */
    tg_clear_error(t);
}

START_TEST(bad_input_is_told_in_one_line)
{
    static const tg_custom_op only_f32 = {"only32", copy_forward, copy_vjp, NULL, NULL};
    static const tg_custom_op fails = {"fails", failing_forward, copy_vjp, failing_forward, copy_vjp};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_gradcheck_config usual = TG_GRADCHECK_DEFAULTS, c = usual;
    tg_buffer(t, "fine", tg_ones(t, TG_SHAPE(1)));
    tg_tensor x = tg_set_requires_grad(tg_full(t, TG_SHAPE(1), 2), true);
    want_refusal(tg_custom(&only_f32, &x, 1, TG_SHAPE(1), NULL, 0), usual, TG_ERR_ARGUMENT, "only32",
                 "give it one (forward_f64)");
    forward_runs = 0;
    want_refusal(tg_custom(&fails, &x, 1, TG_SHAPE(1), NULL, 0), usual, TG_ERR_STATE, "fails",
                 "the forward callback returned an error");
    tg_tensor y = tg_mul_scalar(tg_log(tg_sub(x, x)), 3);
    want_refusal(tg_sum(y, TG_ALL_DIMS, false), usual, TG_ERR_NUMERIC, "is not finite", "made by log");
    c.atol = NAN;
    want_refusal(tg_exp(x), c, TG_ERR_ARGUMENT, "atol nan", "TG_GRADCHECK_DEFAULTS");
    c = usual;
    c.rtol = -1;
    want_refusal(tg_exp(x), c, TG_ERR_ARGUMENT, "rtol -1", "0 or more");
    c = usual;
    c.mode = (tg_gradcheck_mode)7;
    want_refusal(tg_exp(x), c, TG_ERR_ARGUMENT, "mode 7", "TG_GRADCHECK_FULL");
    (void)tg_matmul(x, tg_ones(t, TG_SHAPE(3, 4)));
    char error[512];
    snprintf(error, sizeof error, "%s", tg_error(t));
    tg_gradcheck_result r;
    ck_assert_int_ne(tg_gradcheck(x, usual, &r), TG_OK);
    ck_assert_str_eq(tg_error(t), error); /* the first error stays */
    ck_assert_str_eq(r.summary, error);
    tg_tape_free(t);
}
END_TEST

/* ---- one element of many ---- */

static int64_t wrong_element;

static int wave_forward(const tg_call *c) {
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = sin(((const double *)c->input[0])[i]);
    return 0;
}

static int wave_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0];
    for (int64_t i = 0; i < size(c); i++)
        dx[i] += dy[i] * cos(x[i]) * (i == wrong_element ? 1.5 : 1);
    return 0;
}

static const tg_custom_op wave = {"wave", NULL, NULL, wave_forward, wave_vjp};

static void want_element(tg_tensor x, tg_shape shape, bool inside, int64_t element) {
    wrong_element = element;
    tg_tensor y = tg_custom(&wave, &x, 1, shape, NULL, 0);
    tg_gradcheck_result r = check_in(inside ? tg_mean(tg_square(y), TG_ALL_DIMS, false) : y, TG_GRADCHECK_FAST);
    char text[64];
    snprintf(text, sizeof text, "element %lld is", (long long)element);
    ck_assert_int_eq(r.verdict, TG_GRAD_WRONG);
    ck_assert_str_eq(r.op, "wave");
    ck_assert_msg(strstr(r.diagnosis, text) != NULL, "%s", r.diagnosis);
}

START_TEST(one_wrong_element_of_many_is_found)
{
    enum { ROWS = 50, COLUMNS = 60, N = ROWS * COLUMNS };
    static const int64_t elements[] = {0, 1777, N - 1};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(N)), true);
        want_element(x, TG_SHAPE(N), false, elements[i]);
        tg_tensor rows = tg_set_requires_grad(tg_randn(t, TG_SHAPE(ROWS, COLUMNS)), true);
        want_element(tg_transpose(rows, 0, 1), TG_SHAPE(COLUMNS, ROWS), true, elements[i]);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- one number at a time ---- */

/* y = f(x), whose gradient the callback says to be dy times the other. */
typedef struct slope {
    double (*f)(double x), (*df)(int64_t i, double x);
} slope;

static int sloping(const tg_call *c) {
    const slope *s = c->context;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = s->f(((const double *)c->input[0])[i]);
    return 0;
}

static int sloping_vjp(const tg_call *c) {
    const slope *s = c->context;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] +=
            ((const double *)c->output_grad)[i] * s->df(i, ((const double *)c->input[0])[i]);
    return 0;
}

static int sign_of(const tg_call *c, int64_t *branch) {
    for (int64_t i = 0; i < size(c); i++)
        branch[i] = ((const double *)c->input[0])[i] > 0;
    return 0;
}

static tg_gradcheck_result check_slope(slope s, int64_t n, const double *x, bool says_branches) {
    static const tg_custom_op op = {"slope", NULL, NULL, sloping, sloping_vjp};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor leaf = tg_parameter(t, "x", tg_from_doubles(t, TG_SHAPE(n), x));
    tg_tensor y = tg_custom(&op, &leaf, 1, TG_SHAPE(n), &s, sizeof s);
    if (says_branches)
        ck_assert_int_eq(tg_custom_set_branches(y, sign_of), TG_OK);
    tg_gradcheck_result r = check(y);
    tg_tape_free(t);
    return r;
}

static double waves(double x) { return x * x * sin(1 / x); }
static double d_waves(int64_t i, double x) {
    (void)i;
    return 2 * x * sin(1 / x) - cos(1 / x);
}

/* At -1e-6 only steps below 1e-13 show the slope, and beside 1150 rounding hides them unless y's elements are looked at
 * one by one. */
START_TEST(fast_waves_beside_large_numbers_are_not_accused)
{
    static const double x[] = {1150.4367241103298,    -1.062896332272952e-06, 0.64414133849916311,
                               -0.004266931973381626, -0.016271657683203791,  -0.12170272556303441};
    tg_gradcheck_result r = check_slope((slope){waves, d_waves}, 6, x, false);
    ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%s: %s", r.summary, r.diagnosis);
}
END_TEST

static double from_0_on(int64_t i, double x) {
    (void)i;
    return x < 0 ? 0 : exp(x);
}
static double above_minus_1(int64_t i, double x) {
    (void)i;
    return x < -1 ? 0 : exp(x);
}
static double first_six(int64_t i, double x) { return i < 6 ? exp(x) : 0; }

/* 0 from the sixth on; or where x < 0, which is there as well. */
START_TEST(what_is_wrong_below_0_is_not_cut_off)
{
    static const double x[] = {0.3, 0.7, 0.2, 1.1, 0.9, 0.4, -0.6, -0.2};
    tg_gradcheck_result r = check_slope((slope){exp, first_six}, 8, x, false);
    ck_assert_msg(r.mistake == TG_MISTAKE_TAIL, "%s", r.diagnosis);
    r = check_slope((slope){exp, from_0_on}, 8, x, false);
    ck_assert_msg(r.mistake == TG_MISTAKE_UNKNOWN && strstr(r.diagnosis, "those with x < 0"), "%s", r.diagnosis);
}
END_TEST

/* The last of them, or all, are below -1. */
START_TEST(what_is_wrong_below_minus_1_is_neither_cut_off_nor_zero)
{
    static const double x[] = {0.3, 0.7, 0.2, -0.4, -1.2, -1.5, -2};
    for (int n = 2; n < 7; n++)
        for (int first = 0; first + n <= 7; first++) {
            tg_gradcheck_result r = check_slope((slope){exp, above_minus_1}, n, x + first, false);
            tg_mistake want = first + n > 4 ? TG_MISTAKE_UNKNOWN : TG_MISTAKE_NONE;
            ck_assert_msg(r.mistake == want, "%d from %d: %s", n, first, r.diagnosis);
        }
}
END_TEST

static double cornered(double x) { return fabs(x) * exp(x); }
static double wrong_near_a_half(int64_t i, double x) {
    (void)i;
    return (fabs(x - 0.5) < 1e-6 ? 1.5 : 1) * (x > 0 ? 1 : -1) * (1 + x) * exp(x);
}

/* A little aside, where the corner at 0 is left, it is right. */
START_TEST(what_is_wrong_near_one_number_is_described)
{
    tg_gradcheck_result r = check_slope((slope){cornered, wrong_near_a_half}, 3, (const double[]){0.5, 0, 2}, true);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%s: %s", r.summary, r.diagnosis);
    ck_assert_ptr_nonnull(strstr(r.diagnosis, "1 of 2 elements looked at are wrong: the first; element 0 is"));
}
END_TEST

int main(void) {
    const TTest *const tests[] = {every_leaf_without_a_gradient_is_listed,
                                  arrays_may_end_where_memory_does,
                                  a_connected_model_has_none,
                                  many_are_counted_and_the_first_listed,
                                  declared_kinks_are_kinks,
                                  what_is_right_a_little_aside_is_not_wrong,
                                  ties_of_a_pool_are_kinks,
                                  branches_are_set_on_custom_results_only,
                                  operands_that_are_one_tensor,
                                  writing_to_what_is_const,
                                  writing_to_dy_beside_whole_numbers,
                                  right_for_some_shapes_only,
                                  one_wrong_element_of_many_is_found,
                                  fast_waves_beside_large_numbers_are_not_accused,
                                  what_is_wrong_below_0_is_not_cut_off,
                                  what_is_wrong_below_minus_1_is_neither_cut_off_nor_zero,
                                  what_is_wrong_near_one_number_is_described,
                                  bad_input_is_told_in_one_line};
    return run_tests("gradcheck_more", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
