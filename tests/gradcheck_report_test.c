/* What the gradient check tells: a table, the lines, where and what, every leaf without a gradient, as text and as
 * JSON, whatever a result holds. */
#include "custom_ops.h"
#include "nn/nn.h"
#include "tests/verdict.h"

static const char *printed(const tg_gradcheck_result *r, bool json) {
    FILE *file = tmpfile();
    ck_assert_int_eq(json ? tg_gradcheck_print_json(file, r) : tg_gradcheck_print(file, r), TG_OK);
    return read_back(file);
}

/* Is each of these in what is printed? */
static void want_printed(const tg_gradcheck_result *r, bool json, const char *const *says) {
    const char *all = printed(r, json);
    for (; *says; says++)
        ck_assert_msg(strstr(all, *says) != NULL, "no '%s' in:\n%.1500s", *says, all);
}
#define WANT_PRINTED(r, json, ...) want_printed(r, json, (const char *const[]){__VA_ARGS__, NULL})

static tg_tensor parameter(tg_tape *t, const char *name, tg_shape shape) {
    return tg_parameter(t, name, tg_probe_leaf(t, shape));
}

static tg_status turned_vjp(tg_node *y) {
    for (int64_t i = 0; i < y->numel; i++)
        ((double *)y->grad)[i] *= -1;
    return tg_op_softmax.vjp[TG_F64](y);
}

START_TEST(reports_say_where_and_what)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = parameter(t, "W_query", TG_SHAPE(3, 2));
    tg_tensor y = tg_softmax(tg_matmul(tg_probe_leaf(t, TG_SHAPE(6, 3)), w), -1);
    tg_op wrong = tg_op_softmax;
    wrong.vjp[TG_F64] = turned_vjp;
    t->nodes[y.index]->op = &wrong;
    tg_gradcheck_result r = checked(y, TG_GRADCHECK_FULL, 20240607);
    WANT_PRINTED(&r, false, "gradient check: wrong", "  W_query ", "where: softmax, tensor", "the sign is flipped",
                 "lines: f less its value at the point", "  path: ", "residual ", "noise ", "integral ",
                 "of the length");
    WANT_PRINTED(&r, true, "\"verdict\": \"wrong\"", "\"op\": \"softmax\"", "\"mistake\": \"sign flipped\"",
                 "\"lines\": [", "\"pieces\": [", "\"residual\": ", "\"left\": ");
    ck_assert_int_eq(tg_gradcheck_print(NULL, &r), TG_ERR_ARGUMENT);
    r = checked(tg_relu(parameter(t, "bent", TG_SHAPE(3))), TG_GRADCHECK_FULL, 20240607);
    tg_tensor zero = tg_parameter(t, "zero", tg_zeros(t, TG_SHAPE(1)));
    r = checked(tg_relu(zero), TG_GRADCHECK_FULL, 20240607);
    ck_assert_int_eq(r.verdict, TG_GRAD_KINK);
    WANT_PRINTED(&r, false, "gradient check: kink", "before, ", " behind", "a kink");
    tg_tensor x = tg_parameter(t, "x", wanting(VECTOR(t, 3, 1, 2))),
              twice = tg_mul(VECTOR(t, 0, 1, 1), tg_mul(x, tg_detach(x)));
    r = checked(tg_add(tg_sin(x), twice), TG_GRADCHECK_FULL, 20240607);
    ck_assert_int_eq(r.wrong, 2);
    WANT_PRINTED(&r, false, "2 of 3 elements found wrong", "  wrong (2 of 3)");
    tg_tape_free(t);
}
END_TEST

START_TEST(a_detached_path_is_named)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = parameter(t, "W", TG_SHAPE(3));
    tg_gradcheck_result r = checked(tg_mul(x, tg_detach(tg_exp(x))), TG_GRADCHECK_FULL, 20240607);
    ck_assert_msg(is_said(&r, W) && !strcmp(r.op, "detach"), "%s", r.summary);
    ck_assert_int_eq(r.mistake, TG_MISTAKE_ZERO);
    ck_assert_msg(strstr(r.diagnosis, "W stops here") != NULL, "%s", r.diagnosis);
    /* a third of the gradient, where nothing of it shows beside 10^19 */
    tg_tensor y = tg_add_scalar(tg_add_scalar(tg_add(tg_mul_scalar(x, 2), tg_detach(x)), 1e19), -1e19);
    r = checked(y, TG_GRADCHECK_FULL, 20240607);
    ck_assert_msg(r.verdict != TG_GRAD_WRONG || !strcmp(r.op, "detach"), "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

/* What a result may hold, whether a check makes it or not. */
START_TEST(a_report_says_all_that_a_result_holds)
{
    tg_gradcheck_result r = {.verdict = TG_GRAD_WRONG,
                             .op = "square",
                             .shapes = "(2,) -> (2,)",
                             .tensor = 3,
                             .wrong_ops = 2,
                             .worst = NAN,
                             .diagnosis = "a \"quote\", a \\ and a\ttab"};
    WANT_PRINTED(&r, false, "where: square, tensor 3, (2,) -> (2,); its result; other operations are wrong");
    WANT_PRINTED(&r, true, "\"diagnosis\": \"a \\\"quote\\\", a \\\\ and a\\u0009tab\"", "\"worst\": null");
    ck_assert_int_eq(tg_gradcheck_print_json(NULL, &r), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_gradcheck_print_json(stdout, NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_gradcheck_print(stdout, NULL), TG_ERR_ARGUMENT);
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    ck_assert_int_eq(tg_gradcheck_print(full, &r), TG_ERR_IO);
    ck_assert_int_eq(tg_gradcheck_print_json(full, &r), TG_ERR_IO);
    fclose(full);
}
END_TEST

/* A line feed, an escape sequence and a mark that turns the text around are ?, as in errors. Every row's verdict begins
 * below the heading's, however long a name is. */
START_TEST(names_do_not_break_the_table)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "a\nb\x1b[31mc\xe2\x80\xae", wanting(VECTOR(t, 1, 2, 3)));
    tg_gradcheck_result r = checked(tg_square(x), TG_GRADCHECK_FULL, 20240607);
    WANT_PRINTED(&r, false, "\n  a?b?[31mc? ");
    ck_assert_str_eq(r.row[0].leaf, "a\nb\x1b[31mc\xe2\x80\xae");
    tg_tensor w = tg_parameter(t, "blocks.11.attention.W_query.weight", wanting(VECTOR(t, 1, 2, 3)));
    tg_tensor b = tg_parameter(t, "b", wanting(VECTOR(t, 4)));
    r = checked(tg_mul(tg_square(w), b), TG_GRADCHECK_FULL, 20240607);
    ck_assert_int_eq(r.n_rows, 4);
    const char *head = strstr(printed(&r, false), "  leaf"), *end, *line = strchr(head, '\n') + 1;
    ptrdiff_t column = strstr(head, "verdict") - head;
    for (int i = 0; i < 4; i++, line = end + 1) {
        ck_assert_ptr_nonnull(end = strchr(line, '\n'));
        ck_assert_msg(strstr(line, "right") - line == column, "%.*s", (int)(end - line), line);
    }
    tg_tape_free(t);
}
END_TEST

/* Leaves up to 64 elements whole, of others the wrong and some at random. */
START_TEST(the_table_has_rows_for_every_leaf)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor small = parameter(t, "small", TG_SHAPE(6)), large = parameter(t, "large", TG_SHAPE(12, 200));
    tg_tensor y = tg_add(tg_sin(total(small)), tg_cos(tg_mean(large, TG_ALL_DIMS, false)));
    tg_gradcheck_result r = checked(y, TG_GRADCHECK_FULL, 20240607);
    int of_small = 0;
    for (int i = 0; i < r.n_rows; i++)
        of_small += !strcmp(r.row[i].leaf, "small");
    ck_assert_msg(is_said(&r, R) && of_small == 6 && r.n_rows > 6 && r.n_rows <= TG_GRADCHECK_ROWS, "%s", r.summary);
    tg_tape_free(t);
}
END_TEST

/* ---- leaves without a gradient ---- */

START_TEST(a_path_that_ends_is_named_beside_others)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = parameter(t, "a", TG_SHAPE(3)), b = parameter(t, "b", TG_SHAPE(3)),
              c = parameter(t, "c", TG_SHAPE(3));
    tg_tensor d = parameter(t, "d", TG_SHAPE(3)), e = parameter(t, "e", TG_SHAPE(3)),
              f = parameter(t, "f", TG_SHAPE(3));
    parameter(t, "unused", TG_SHAPE(3));
    tg_tensor cut = tg_mul(tg_detach(tg_exp(b)), tg_to_float(tg_gt(c, tg_zeros(t, TG_SHAPE(3)))));
    tg_no_grad_begin(t);
    tg_tensor hidden = tg_square(d);
    tg_no_grad_end(t);
    tg_tensor y = tg_add(tg_mul(a, cut), tg_add(hidden, tg_mul_scalar(e, 0)));
    tg_set_requires_grad(f, false);
    y = tg_add(y, f);
    tg_set_requires_grad(f, true);
    tg_gradcheck_result r = checked(y, TG_GRADCHECK_FAST, 20240607);
    ck_assert_msg(is_said(&r, W) && !strcmp(r.op, "detach") && strstr(r.diagnosis, "b stops here: it is cut off"),
                  "%s: %s", r.summary, r.diagnosis);
    tg_tape_free(t);
}
END_TEST

START_TEST(leaves_without_a_gradient_are_no_mistake)
{
    tg_tape *t = tg_tape_new(TG_F64);
    for (int i = 0; i < 40; i++)
        tg_probe_leaf(t, TG_SHAPE(2));
    tg_gradcheck_result r = checked(tg_exp(tg_probe_leaf(t, TG_SHAPE(2))), TG_GRADCHECK_FULL, 20240607);
    ck_assert(r.verdict == TG_GRAD_RIGHT);
    tg_tape_free(t);
    t = tg_tape_new(TG_F32);
    tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 3, 2, 6, 0, true);
    tg_tensor y = tg_nn_causal_attention_forward(&a, tg_probe_leaf(t, TG_SHAPE(1, 4, 3)), NULL);
    r = checked(y, TG_GRADCHECK_FULL, 20240607);
    ck_assert(r.verdict == TG_GRAD_RIGHT);
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
    tg_gradcheck_config config = config_in(TG_GRADCHECK_FAST);
    tg_gradcheck_result r;
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
        tg_tape_free(t);
    }
}
END_TEST

/* y = x w elementwise; how backward is wrong: dw's sign, or dw is left out where w is the number that it began with. */
enum { FLIPPED, SKIPPED, N_SCALED = 5 };
#define SCALED(type, forward, vjp)                                                                 \
    static int forward(const tg_call *c) {                                                         \
        const type *x = c->input[0], *w = c->input[1];                                             \
        for (int i = 0; i < N_SCALED; i++)                                                         \
            ((type *)c->output)[i] = x[i] * w[i];                                                  \
        return 0;                                                                                  \
    }                                                                                              \
    static int vjp(const tg_call *c) {                                                             \
        const type *x = c->input[0], *w = c->input[1], *dy = c->output_grad;                       \
        bool flips = *(const int *)c->context == FLIPPED;                                          \
        for (int i = 0; i < N_SCALED; i++) {                                                       \
            ((type *)c->input_grad[0])[i] += dy[i] * w[i];                                         \
            ((type *)c->input_grad[1])[i] += flips ? -dy[i] * x[i] : w[i] == 1 ? 0 : dy[i] * x[i]; \
        }                                                                                          \
        return 0;                                                                                  \
    }
SCALED(float, scaled_f32, scaled_vjp_f32)
SCALED(double, scaled_f64, scaled_vjp_f64)
static const tg_custom_op scaled = {"scaled", scaled_f32, scaled_vjp_f32, scaled_f64, scaled_vjp_f64};

BRANCHES(no_branches, j->numel, 0)

static tg_tensor scale(tg_tape *t, int how, double by) {
    tg_tensor x[] = {parameter(t, "x", TG_SHAPE(N_SCALED)), tg_parameter(t, "w", tg_full(t, TG_SHAPE(N_SCALED), by))};
    tg_tensor y = tg_custom(&scaled, x, 2, TG_SHAPE(N_SCALED), &how, sizeof how);
    ck_assert_int_eq(tg_custom_set_branches(y, no_branches), TG_OK);
    return y;
}

/* In both dtypes every element of w is wrong, and none of x. */
START_TEST(rows_are_wrong_where_elements_are)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_gradcheck_result r;
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        ck_assert_int_eq(tg_gradcheck(scale(t, FLIPPED, 0.75), TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
        ck_assert_int_eq(r.wrong, N_SCALED);
        ck_assert_int_eq(r.n_rows, 2 * N_SCALED);
        for (int i = 0; i < r.n_rows; i++) {
            bool is_w = strcmp(r.row[i].leaf, "w") == 0;
            ck_assert_int_eq(r.row[i].verdict, is_w ? TG_GRAD_WRONG : TG_GRAD_RIGHT);
            ck_assert_int_eq(r.row[i].wrong, is_w ? N_SCALED : 0);
        }
        tg_tape_free(t);
    }
}
END_TEST

/* Beside the point all is right, so that no path tells; w begins at 1, as a norm's weight does. */
START_TEST(a_gradient_that_is_left_out_at_the_point_alone_is_wrong)
{
    for (int at_point = 0; at_point < 2; at_point++) {
        tg_gradcheck_result r;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_status status = tg_gradcheck(scale(t, SKIPPED, at_point ? 1 : 0.75), TG_GRADCHECK_DEFAULTS, &r);
        ck_assert_int_eq(status, at_point ? TG_ERR_NUMERIC : TG_OK);
        ck_assert_int_eq(r.verdict, at_point ? TG_GRAD_WRONG : TG_GRAD_RIGHT);
        ck_assert_str_eq(r.op, at_point ? "scaled" : "");
        tg_tape_free(t);
    }
}
END_TEST

/* sin(2^k pi x) of k below 13, as of a coordinate; backward makes the last band half too large. */
enum { BANDS = 13, PLACES = 10 };
static int bands_forward(const tg_call *c) {
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < BANDS; k++)
            ((double *)c->output)[i * BANDS + k] = sin(acos(-1) * (1 << k) * ((const double *)c->input[0])[i]);
    return 0;
}
static int bands_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k < BANDS; k++) {
            double slope = acos(-1) * (1 << k) * cos(acos(-1) * (1 << k) * x[i]);
            ((double *)c->input_grad[0])[i] += (k == BANDS - 1 ? 1.5 : 1) * slope * dy[i * BANDS + k];
        }
    return 0;
}
static const tg_custom_op bands = {.name = "bands", .forward_f64 = bands_forward, .vjp_f64 = bands_vjp};

/* One direction looks wrong, and none of those that should confirm it does; others are right. */
START_TEST(a_direction_that_is_not_confirmed_is_not_right)
{
    tg_gradcheck_result r;
    tg_tape *t = seeded_tape(TG_F64, 2);
    tg_tensor x = tg_parameter(t, "x", tg_uniform_(tg_zeros(t, TG_SHAPE(PLACES)), -1, 1));
    tg_tensor w = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(BANDS, 1)));
    tg_tensor y = tg_matmul(tg_custom(&bands, &x, 1, TG_SHAPE(PLACES, BANDS), NULL, 0), w);
    y = tg_mean(tg_square(y), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_gradcheck(y, config_in(TG_GRADCHECK_FAST), &r), TG_ERR_NUMERIC);
    ck_assert_int_ge(r.verdict, TG_GRAD_CANNOT_TELL);
    tg_tape_free(t);
}
END_TEST

SUITE("gradcheck_report", reports_say_where_and_what, a_detached_path_is_named, a_report_says_all_that_a_result_holds,
      names_do_not_break_the_table, the_table_has_rows_for_every_leaf, a_path_that_ends_is_named_beside_others,
      leaves_without_a_gradient_are_no_mistake, arrays_may_end_where_memory_does, rows_are_wrong_where_elements_are,
      a_gradient_that_is_left_out_at_the_point_alone_is_wrong, a_direction_that_is_not_confirmed_is_not_right)
