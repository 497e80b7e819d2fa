/* The profile counts calls, operations and bytes as by arithmetic, and its table adds up. */
#include "optim/optim.h"
#include "tests/ops.h"
#include "tests/support.h"

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F64); }
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
}

static tg_tensor parameter(tg_shape shape) { return tg_set_requires_grad(tg_rand(t, shape), true); }

static const tg_profile_row *counted(const char *name) {
    const tg_profile_row *r = tg_profile_find(t, name);
    ck_assert_msg(r != NULL, "%s was not counted", name);
    return r;
}

/* numbers: bytes are given in doubles */
static void want(const char *what, const tg_profile_sum *s, int64_t calls, double flops, double numbers) {
    ck_assert_msg(s->calls == calls && s->flops == flops && s->bytes == 8 * numbers,
                  "%s: %lld calls, %g operations, %g numbers", what, (long long)s->calls, s->flops, s->bytes / 8);
    ck_assert_msg(s->ns >= 0, "%s: %lld ns", what, (long long)s->ns);
}

static void differentiate(tg_tensor y) { ck_assert_msg(tg_backward_with(y, y) == TG_OK, "%s", tg_error(t)); }

START_TEST(a_product_costs_2mnk)
{
    tg_tensor a = parameter(TG_SHAPE(2, 3)), b = parameter(TG_SHAPE(3, 4));
    tg_set_profile(t, true);
    differentiate(tg_matmul(a, b));
    want("matmul", &counted("matmul")->forward, 1, 2 * 2 * 3 * 4, 6 + 12 + 8);
    want("its VJP", &counted("matmul")->backward, 1, 2 * 2 * (2 * 3 * 4), 8 + (6 + 12) + (12 + 6));
    differentiate(tg_matmul(tg_detach(a), b)); /* the gradient of one operand */
    want("both VJPs", &counted("matmul")->backward, 2, 3 * (2 * 2 * 3 * 4), 44 + (8 + 12 + 6));
}
END_TEST

START_TEST(a_batch_is_that_many_products)
{
    tg_set_profile(t, true);
    tg_matmul(parameter(TG_SHAPE(5, 2, 3)), parameter(TG_SHAPE(3, 4)));
    want("matmul", &counted("matmul")->forward, 1, 5 * 2 * 2 * 3 * 4, 30 + 12 + 40);
}
END_TEST

START_TEST(linear_adds_the_bias)
{
    tg_tensor x = tg_rand(t, TG_SHAPE(2, 3)), w = parameter(TG_SHAPE(4, 3)), b = parameter(TG_SHAPE(4));
    tg_set_profile(t, true);
    differentiate(tg_linear(x, w, b));
    want("linear", &counted("linear")->forward, 1, 2 * 2 * 3 * 4 + 8, 6 + 12 + 4 + 8);
    want("its VJP", &counted("linear")->backward, 1, 2 * 2 * 3 * 4 + 8, 8 + (12 + 4) + 6);
}
END_TEST

START_TEST(causal_attention_costs_what_it_may_see)
{
    tg_tensor q = parameter(TG_SHAPE(2, 3, 4)), k = parameter(TG_SHAPE(2, 3, 4)), v = parameter(TG_SHAPE(2, 3, 5));
    const char *name = "scaled_dot_product_attention";
    tg_set_profile(t, true);
    tg_scaled_dot_product_attention(q, k, v, TG_NULL, false, 0, 0);
    want("all", &counted(name)->forward, 1, 2 * 9 * 2 * (4 + 5), 24 + 24 + 30 + 30);
    tg_set_profile(t, true);
    differentiate(tg_scaled_dot_product_attention(q, k, v, TG_NULL, true, 0, 0));
    want("causal", &counted(name)->forward, 1, 2 * 6 * 2 * (4 + 5), 24 + 24 + 30 + 30);
    want("its VJP", &counted(name)->backward, 1, 2 * 2 * 6 * 2 * (4 + 5), 30 + 78 + 78 + 30);
    tg_set_profile(t, true); /* 3 queries, 2 keys: 1 + 2 + 2 of 6 pairs */
    k = tg_slice(k, 1, 0, 2, 1);
    tg_scaled_dot_product_attention(q, k, tg_slice(v, 1, 0, 2, 1), TG_NULL, true, 0, 0);
    want("two keys", &counted(name)->forward, 1, 2 * 5 * 2 * (4 + 5), 24 + 16 + 20 + 30);
}
END_TEST

START_TEST(layer_norm_and_elementwise_count_each_element)
{
    tg_tensor x = parameter(TG_SHAPE(2, 3)), w = parameter(TG_SHAPE(3)), b = parameter(TG_SHAPE(3));
    tg_set_profile(t, true);
    differentiate(tg_exp(tg_layer_norm(x, w, b, 1e-5)));
    want("layer_norm", &counted("layer_norm")->forward, 1, 7 * 6, 6 + 3 + 3 + 6);
    want("its VJP", &counted("layer_norm")->backward, 1, (8 + 2 + 1) * 6, 6 + (6 + 3 + 3) + (6 + 3));
    want("exp", &counted("exp")->forward, 1, 6, 12);
    want("its VJP", &counted("exp")->backward, 1, 6, 6 + 6 + 6);
}
END_TEST

/* What the formulas need for each of n elements, forward and for all gradients. */
static void want_operations(const char *name, tg_tensor y, double n, double forward, double backward) {
    differentiate(y);
    ck_assert_msg(counted(name)->forward.flops == n * forward, "%s: %g", name, counted(name)->forward.flops);
    ck_assert_msg(counted(name)->backward.flops == n * backward, "VJP of %s: %g", name, counted(name)->backward.flops);
}

START_TEST(operations_count_what_their_formulas_need)
{
    tg_tensor x = parameter(TG_SHAPE(2, 6)), b = parameter(TG_SHAPE(6)), z = parameter(TG_SHAPE(2, 6));
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){4, 0}), heads = parameter(TG_SHAPE(1, 2, 6));
    tg_set_profile(t, true);
    want_operations("softmax", tg_softmax(x, 1), 12, 4, 4);         /* subtract, exp, add, divide; y (dy - sum dy y) */
    want_operations("log_softmax", tg_log_softmax(x, 1), 12, 4, 4); /* subtract, exp, add, subtract */
    want_operations("cross_entropy", tg_cross_entropy(x, ids, TG_IGNORE_INDEX, TG_MEAN), 12, 3, 3);
    want_operations("rms_norm", tg_rms_norm(x, b, 1e-5), 12, 4, 6 + 3);    /* square, add, times 1 / rms, times w */
    want_operations("bias_gelu", tg_bias_gelu(x, b), 12, 2, 2 + 1);        /* add, gelu; its slope times dy, add */
    want_operations("mse_loss", tg_mse_loss(x, z, TG_MEAN), 12, 3, 2 + 2); /* subtract, square, add; subtract, scale */
    want_operations("rope", tg_rope(heads, TG_ROPE_DEFAULTS), 12, 3, 3);   /* x cos -+ x' sin */
    want_operations("dropout", tg_dropout(x, 0.5), 12, 1, 1);
    want_operations("cumsum", tg_cumsum(x, 1), 12, 1, 1);
    want_operations("sum", tg_sum(x, TG_ALL_DIMS, false), 12, 1, 1);
    want_operations("mul", tg_mul(x, z), 12, 1, 2);
}
END_TEST

START_TEST(views_take_no_time_and_expanded_elements_count_once)
{
    tg_tensor x = parameter(TG_SHAPE(1, 3)), y = tg_rand(t, TG_SHAPE(3, 4));
    tg_set_profile(t, true);
    tg_tensor wide = tg_expand(tg_transpose(x, 0, 1), TG_SHAPE(3, 4));
    differentiate(tg_add(wide, y));
    want("transpose", &counted("transpose")->forward, 1, 0, 0);
    ck_assert_int_eq(counted("transpose")->forward.ns, 0);
    want("add", &counted("add")->forward, 1, 12, 3 + 12 + 12);
    want("the VJP of expand", &counted("expand")->backward, 1, 0, 12 + 3);
}
END_TEST

START_TEST(an_embedding_reads_the_rows_that_it_picks)
{
    tg_tensor weight = parameter(TG_SHAPE(1000, 3)), ids = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){7, 9});
    tg_set_profile(t, true);
    differentiate(tg_embedding(weight, ids));
    want("embedding", &counted("embedding")->forward, 1, 0, 6 + 2 + 6);
    want("its VJP", &counted("embedding")->backward, 1, 0, 6 + 6 + 2);
}
END_TEST

START_TEST(replay_and_another_backward_count)
{
    tg_tensor x = parameter(TG_SHAPE(3));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_sum(tg_square(x), TG_ALL_DIMS, false);
    tg_set_profile(t, true);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tg_backward(y), TG_OK);
    want("square", &counted("square")->forward, 3, 3 * 3, 3 * 6);
    want("its VJP", &counted("square")->backward, 2, 2 * 3, 2 * 9);
    want("sum", &counted("sum")->forward, 3, 3 * 3, 3 * 4);
}
END_TEST

START_TEST(computing_a_checkpoint_again_is_a_line_of_its_own)
{
    tg_tensor x = parameter(TG_SHAPE(2, 3));
    tg_set_profile(t, true);
    tg_checkpoint_begin(t);
    differentiate(tg_checkpoint_end(t, tg_exp(x)));
    want("checkpoint", &counted("checkpoint")->forward, 1, 0, 6 + 6);
    want("again", &counted("checkpoint")->other, 1, 0, 0);
    want("exp", &counted("exp")->forward, 1, 6, 12);
    want("its VJP", &counted("exp")->backward, 1, 6, 18);
}
END_TEST

START_TEST(optimizers_and_clipping_count)
{
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(5)));
    tg_parameter(t, "unused", tg_ones(t, TG_SHAPE(7)));
    tg_optim *adamw = tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS);
    ck_assert_int_eq(tg_backward(tg_sum(tg_square(w), TG_ALL_DIMS, false)), TG_OK);
    tg_set_profile(t, true);
    ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), 1e-3, 2, NULL), TG_OK);
    ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), 1e3, 2, NULL), TG_OK);
    ck_assert_int_eq(tg_clip_grad_value(tg_parameters(t), 1), TG_OK);
    ck_assert_int_eq(tg_optim_step(adamw), TG_OK);
    want("adamw", &counted("adamw")->other, 1, 0, (3 + 2 * 2) * 5);
    want("clip_grad_norm", &counted("clip_grad_norm")->other, 2, 0, 3 * 5 + 5);
    want("clip_grad_value", &counted("clip_grad_value")->other, 1, 0, 2 * 5);
}
END_TEST

START_TEST(off_counts_nothing_and_on_starts_from_zero)
{
    tg_tensor x = parameter(TG_SHAPE(3));
    tg_square(x);
    ck_assert_ptr_null(tg_profile_find(t, "square"));
    tg_set_profile(t, true);
    tg_square(x);
    tg_set_profile(t, false);
    tg_square(x);
    tg_set_profile(t, false);
    ck_assert_int_eq(counted("square")->forward.calls, 1);
    tg_set_profile(t, true);
    ck_assert_ptr_null(tg_profile_find(t, "square"));
    tg_set_profile(NULL, true);
}
END_TEST

/* ---- every operation ---- */

static int switch_off(const tg_call *c) {
    *(double *)c->output = *(const double *)c->input[0];
    tg_set_profile(*(tg_tape *const *)c->context, false);
    return 0;
}
static int pass_on(const tg_call *c) {
    *(double *)c->input_grad[0] += *(const double *)c->output_grad;
    return 0;
}

START_TEST(a_custom_operation_may_switch_it_off)
{
    static const tg_custom_op op = {"off", NULL, NULL, switch_off, pass_on};
    tg_tape *own = tg_tape_new(TG_F64);
    tg_tensor x = tg_ones(own, TG_SHAPE(1));
    tg_set_profile(own, true);
    ck_assert_double_eq(tg_item(tg_custom(&op, &x, 1, TG_SHAPE(1), &own, sizeof own)), 1);
    ck_assert_int_eq(tg_tape_status(own), TG_OK);
    tg_tape_free(own);
}
END_TEST

START_TEST(every_op_is_counted)
{
    for (size_t i = 0; i < N_OPS; i++) {
        tg_set_profile(t, true);
        tg_tensor y = ops[i]->probe(t, 0);
        if (tg_requires_grad(y))
            differentiate(y);
        const char *name = ops[i] == &tg_op_custom ? "probe" : ops[i]->name;
        const tg_profile_row *r = counted(name);
        ck_assert_msg(r->forward.calls >= 1, "%s", name);
        ck_assert_msg(ops[i]->is_view ? r->forward.bytes == 0 : r->forward.bytes > 0, "%s", name);
        ck_assert_msg(r->forward.flops >= 0 && r->backward.flops >= 0, "%s", name);
        if (r->backward.calls)
            ck_assert_msg(r->backward.bytes > 0, "%s", name);
        ck_assert_msg(!ops[i]->flops || r->forward.flops > 0, "%s", name);
    }
}
END_TEST

START_TEST(gradients_are_the_same)
{
    double grad[2][12];
    for (int on = 0; on < 2; on++) {
        tg_manual_seed(t, 5);
        tg_set_profile(t, on);
        tg_tensor x = parameter(TG_SHAPE(3, 4)), y = tg_softmax(tg_matmul(tg_gelu(x), tg_transpose(x, 0, 1)), -1);
        differentiate(y);
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), grad[on], 12), TG_OK);
    }
    ck_assert_mem_eq(grad[0], grad[1], sizeof grad[0]);
}
END_TEST

/* ---- the table ---- */

static int print(char **line, int most) {
    FILE *file = tmpfile();
    ck_assert_msg(file && tg_profile_print(file, t) == TG_OK, "%s", tg_error(t));
    int n = 0;
    for (char *at = strtok(read_back(file), "\n"); at && n < most; at = strtok(NULL, "\n"))
        line[n++] = at;
    return n;
}

/* the column of milliseconds and what is before it */
static double ms_of(const char *line) {
    double ms = NAN;
    ck_assert_msg(sscanf(line + 28 + 9, "%lf", &ms) == 1, "'%s'", line);
    return ms;
}

START_TEST(the_table_is_aligned_sorted_and_adds_up)
{
    enum { MOST = 32 };
    char *line[MOST];
    tg_tensor x = parameter(TG_SHAPE(30, 40));
    tg_optim *sgd = tg_sgd_new(t, (tg_list){t, 1, &x}, TG_SGD_DEFAULTS);
    tg_set_profile(t, true);
    differentiate(tg_scaled_dot_product_attention(x, x, tg_gelu(x), TG_NULL, true, 0, 0));
    tg_transpose(x, 0, 1);
    ck_assert_int_eq(tg_optim_step(sgd), TG_OK);
    tg_set_profile(t, false);
    int n = print(line, MOST), rows = n - 4; /* a title; the sum, the rest, the time */
    ck_assert_int_eq(rows, 4);
    for (int i = 0; i < n; i++)
        for (const char *c = line[i]; *c; c++)
            ck_assert_msg(*c >= ' ' && *c <= '~', "'%s'", line[i]);
    for (int i = 0; i <= rows + 1; i++)
        ck_assert_msg(strlen(line[i]) == strlen(line[0]), "'%s'", line[i]);
    ck_assert_ptr_eq(strstr(line[0], "operation"), line[0]);
    double sum = 0;
    for (int i = 1; i <= rows; i++) {
        ck_assert(i == 1 || ms_of(line[i]) <= ms_of(line[i - 1]));
        sum += ms_of(line[i]);
    }
    ck_assert_double_eq_tol(sum, ms_of(line[rows + 1]), 0.002);
    ck_assert_double_eq_tol(sum + ms_of(line[rows + 2]), ms_of(line[rows + 3]), 0.003);
    ck_assert_ptr_eq(strstr(line[rows], "transpose"), line[rows]);
}
END_TEST

/* Sizes without elements may be any: nobody counts to 2^60. */
START_TEST(attention_of_nothing_costs_nothing)
{
    const int64_t many = INT64_C(1) << (sizeof(void *) > 4 ? 60 : 27); /* as many as addresses allow */
    tg_tensor x = parameter(TG_SHAPE(100, 0)), none = parameter(TG_SHAPE(0, many, 1));
    tg_set_profile(t, true);
    for (int causal = 0; causal < 2; causal++) {
        differentiate(tg_scaled_dot_product_attention(x, x, x, TG_NULL, causal, 0, 0));
        differentiate(tg_scaled_dot_product_attention(none, none, none, TG_NULL, causal, 0, 0));
    }
    want("attention", &counted("scaled_dot_product_attention")->forward, 4, 0, 0);
}
END_TEST

START_TEST(a_table_without_operations_has_no_nan)
{
    char *line[8];
    tg_set_profile(t, true);
    ck_assert_int_eq(print(line, 8), 4);
    ck_assert_ptr_null(strstr(line[1], "nan"));
}
END_TEST

static int nothing(const tg_call *call) {
    *(double *)call->output = 0;
    return 0;
}

START_TEST(many_names_share_the_last_row)
{
    enum { N = 300 };
    static char name[N][16];
    static tg_custom_op op[N];
    char *line[N];
    tg_tensor x = tg_zeros(t, TG_SHAPE(1));
    tg_set_profile(t, true);
    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "op%d", i);
        op[i] = (tg_custom_op){.name = name[i], .forward_f64 = nothing, .vjp_f64 = nothing};
        tg_custom(&op[i], &x, 1, TG_SHAPE(1), NULL, 0);
    }
    int rows = print(line, N) - 4;
    ck_assert_int_lt(rows, N);
    ck_assert_int_eq(counted("others")->forward.calls, N - (rows - 1));
}
END_TEST

START_TEST(errors_are_clear)
{
    ck_assert_int_eq(tg_profile_print(stdout, NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_profile_print(stdout, t), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "profile_print", "tg_set_profile");
    tg_set_profile(t, true);
    ck_assert_int_eq(tg_profile_print(NULL, t), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "profile_print", "NULL");
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        a_product_costs_2mnk,
        a_batch_is_that_many_products,
        linear_adds_the_bias,
        causal_attention_costs_what_it_may_see,
        layer_norm_and_elementwise_count_each_element,
        operations_count_what_their_formulas_need,
        views_take_no_time_and_expanded_elements_count_once,
        an_embedding_reads_the_rows_that_it_picks,
        replay_and_another_backward_count,
        computing_a_checkpoint_again_is_a_line_of_its_own,
        optimizers_and_clipping_count,
        off_counts_nothing_and_on_starts_from_zero,
        a_custom_operation_may_switch_it_off,
        every_op_is_counted,
        gradients_are_the_same,
        the_table_is_aligned_sorted_and_adds_up,
        attention_of_nothing_costs_nothing,
        a_table_without_operations_has_no_nan,
        many_names_share_the_last_row,
        errors_are_clear,
    };
    return run_tests("profile", all, sizeof all / sizeof *all, start, stop);
}
