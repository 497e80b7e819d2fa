/* The contract of the gradient check: what is right passes in both modes and dtypes, kinks are kinks, the numbers that
 * it prints are those of the theorem, what it refuses it says in one line, and the tape stays as it was. */
#include "custom_ops.h"
#include "nn/nn.h"
#include "tests/custom_maps.h"
#include "tests/verdict.h"

/* ---- right gradients ---- */

static tg_tensor attention(tg_tape *t) {
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(6, 3));
    tg_tensor W_query = tg_parameter(t, "W_query", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_key = tg_parameter(t, "W_key", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor W_value = tg_parameter(t, "W_value", tg_probe_leaf(t, TG_SHAPE(3, 2)));
    tg_tensor q = tg_matmul(x, W_query), k = tg_matmul(x, W_key), v = tg_matmul(x, W_value);
    tg_tensor scores = tg_mul_scalar(tg_matmul(q, tg_transpose(k, 0, 1)), 0.7071067811865476);
    return tg_matmul(tg_softmax(scores, -1), v);
}

/* What float32's backward rounds shows in the table. */
START_TEST(attention_is_right)
{
    for (int i = 0; i < 4; i++) {
        tg_tape *t = tg_tape_new(i / 2 ? TG_F32 : TG_F64);
        tg_gradcheck_result r = checked(attention(t), i % 2, 20240607);
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT && !r.op[0] && r.mistake == TG_MISTAKE_NONE, "%s", r.summary);
        ck_assert_int_eq(r.leaves, 4);
        ck_assert_int_eq(r.compared, i % 2 ? 3 : 36);
        ck_assert_double_lt(r.worst, i / 2 ? 1e-4 : 1e-8);
        tg_tape_free(t);
    }
}
END_TEST

/* d(x0 x1 + x0^2) = (x1 + 2 x0, x0) at (3, 5); and 3e-8 of tanh, whose differences PyTorch's tolerances would let be
 * anything. */
START_TEST(derivatives_of_a_scalar_are_its_own)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 3, 5)), x0 = tg_select(x, 0, 0), x1 = tg_select(x, 0, 1);
    tg_gradcheck_result r = checked(tg_add(tg_mul(x0, x1), tg_square(x0)), TG_GRADCHECK_FULL, 20240607);
    ck_assert(r.scalar && r.n_rows == 2);
    for (int i = 0; i < 2; i++) {
        const tg_gradcheck_row *row = &r.row[i];
        double expected = row->element == 0 ? 11 : 3;
        ck_assert_double_eq_tol(row->analytic, expected, 1e-12);
        ck_assert_double_le(fabs(row->numeric - expected), row->error + 1e-12);
        ck_assert(fabs(row->left - expected) < 1e-5 && fabs(row->right - expected) < 1e-5 && !row->reason);
    }
    r = checked(tg_mul_scalar(tg_tanh(wanting(VECTOR(t, 1, -2, 3))), 3e-8), TG_GRADCHECK_FULL, 20240607);
    ck_assert_double_lt(r.worst, 1e-6);
    tg_tape_free(t);
}
END_TEST

/* A line is the theorem: f(b) - f(a) less the integral is the residual. Of x^3, by 0.618 + 0.382 of a path through 2,
 * the integral is f's change; with a gradient that is detached in part it is a third of it (x^2 dx of 3 x^2 dx). */
START_TEST(lines_hold_the_theorem)
{
    for (int wrong = 0; wrong < 2; wrong++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(VECTOR(t, 2));
        tg_tensor y = tg_mul(x, wrong ? tg_detach(tg_square(x)) : tg_square(x));
        tg_gradcheck_result r = checked(tg_reshape(y, TG_SCALAR), TG_GRADCHECK_FULL, 20240607);
        ck_assert_msg(is_said(&r, wrong ? W : R) && r.n_lines > 0, "%s", r.summary);
        const tg_gradcheck_line *line = &r.line[0];
        ck_assert(line->elements == 1 && line->verdict == r.verdict && !line->float32 && !line->reason);
        ck_assert(wrong ? line->length == 1.0 / 16 && line->share > 0.5 : line->length == 1);
        for (int i = 0; i < 2; i++) {
            const tg_gradcheck_piece *p = &line->piece[i];
            ck_assert_double_eq_tol(p->a, i ? 0 : -0.382 * line->length, 1e-15);
            ck_assert_double_eq_tol(p->b, i ? 0.618 * line->length : 0, 1e-15);
            ck_assert_double_eq_tol(p->f_b - p->f_a - p->integral, p->residual, 1e-12);
            ck_assert_double_eq_tol(p->integral, (p->f_b - p->f_a) / (wrong ? 3 : 1), 1e-12);
            ck_assert((fabs(p->residual) <= p->noise) == !wrong);
            ck_assert_double_eq_tol(p->terms, fabs(p->integral), 1e-12);
        }
        tg_tape_free(t);
    }
}
END_TEST

/* A float32 tape is checked twice, and shows a line of either: the same path where the two have the same numbers. */
START_TEST(a_float32_tape_has_lines_in_both_dtypes)
{
    for (int mode = TG_GRADCHECK_FULL; mode <= TG_GRADCHECK_FAST; mode++) {
        tg_tape *t = seeded_tape(TG_F32, 5);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(3, 4)));
        tg_gradcheck_result r = checked(tg_mean(tg_square(x), TG_ALL_DIMS, false), mode, 1);
        ck_assert_msg(is_said(&r, R) && r.n_lines >= 2, "%s", r.summary);
        ck_assert(!r.line[0].float32 && r.line[1].float32 && r.line[1].verdict == TG_GRAD_RIGHT);
        ck_assert_double_eq_tol(r.line[0].piece[1].integral, r.line[1].piece[1].integral, 1e-6);
        ck_assert_double_gt(r.line[1].rounding, 1e6 * r.line[0].rounding);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(numeric_gradients_are_differences)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, -2, 3, 0.5)), other = wanting(VECTOR(t, 1));
    tg_tensor y = tg_sum(tg_square(x), TG_ALL_DIMS, false);
    tg_tensor g = tg_numeric_gradient(y, x, 1e-4);
    double values[4];
    ck_assert_int_eq(tg_read_doubles(g, values, 4), TG_OK);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(values[i], 2 * (double)((const float *)tg_data(x))[i], 1e-6);
    ck_assert(!tg_requires_grad(g) && tg_shape_of(g).ndim == 2 && !tg_has_grad(x));
    WANT_VALUES(tg_numeric_gradient(y, other, 1e-4), 0);
    ck_assert(tg_is_null(tg_numeric_gradient(x, x, 1e-4)));
    WANT_ERROR(t, TG_ERR_SHAPE, "numeric_gradient");
    ck_assert(tg_is_null(tg_numeric_gradient(y, x, 0)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "eps");
    tg_tape_free(t);
}
END_TEST

/* Next to a pole, and of sizes that no step suits at once. */
START_TEST(elements_of_all_sizes_are_right)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 1.2, -0.7, 0.0004, 3e-7, -1e-8, 1e8));
    want_both(tg_rdiv_scalar(1, x), 20240607, R, R, "1 / x");
    want_both(tg_pow(tg_abs(x), -1.5), 20240607, R, R, "power");
    want_both(tg_log(tg_abs(x)), 20240607, R, R, "log");
    want_both(tg_div(wanting(VECTOR(t, 1, 2, 3, 4, 5, 6)), x), 20240607, R, R, "quotient");
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* ---- infinities made on purpose: the notebooks' masks, a leaf of scores with one in it ---- */

static void want_masked(tg_tensor y, int64_t compared) {
    want_both(y, 20240607, R, R, "masked");
    ck_assert_int_eq(checked(y, TG_GRADCHECK_FULL, 20240607).compared, compared);
}

START_TEST(infinities_made_on_purpose_are_no_error)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor s = tg_probe_leaf(t, TG_SHAPE(4, 4)), mask = tg_to_bool(tg_triu(tg_ones(t, TG_SHAPE(4, 4)), 1));
        tg_tensor added = tg_masked_fill(tg_zeros(t, TG_SHAPE(4, 4)), mask, -INFINITY);
        want_masked(tg_softmax(tg_masked_fill(s, mask, -INFINITY), -1), 16);
        want_masked(tg_softmax(tg_add(s, added), -1), 16);
        want_masked(tg_masked_fill(s, mask, -INFINITY), 16);
        want_masked(tg_add(s, added), 16);
        tg_nn_causal_attention a = tg_nn_causal_attention_new(t, "a", 3, 2, 6, 0, false);
        tg_tensor x = tg_probe_leaf(t, TG_SHAPE(1, 4, 3)), weights;
        want_masked(tg_nn_causal_attention_forward(&a, x, &weights), 12 + 18);
        want_masked(weights, 12 + 12);
        want_both(tg_softmax(wanting(VECTOR(t, 1, -INFINITY, 0.5, -INFINITY)), 0), 1, R, R, "infinite leaf");
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* Far out the tanh in gelu_tanh is 1, or -1, and x^3 overflows. */
START_TEST(gelu_tanh_far_out_has_the_slope_of_relu)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double far = dtype == TG_F32 ? 1e30 : 1e200;
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor x = wanting(VECTOR(t, far, -far));
        run_backward(total(tg_gelu_tanh(x)));
        WANT_GRAD(x, 1, 0);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- kinks ---- */

static tg_tensor twos(tg_tape *t) { return wanting(VECTOR(t, 2, 2, 2)); }

/* kinks: at least so many. Where several meet, neither side bounds what is right; maximum(x, amin(x)) is x itself, and
 * smooth, but each operation shares what arrives in equal parts. Near a kink the derivative is that of the own side. */
START_TEST(kinks_are_not_wrong)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = twos(t), near = wanting(VECTOR(t, 1e-7, -1e-7, 1e-9, -1e-9, 1e-5, -1e-4));
    tg_tensor untied = wanting(VECTOR(t, 2, 3, 2.5)), mixed = wanting(VECTOR(t, 1e-8, 3, -1e-8, -2));
    tg_tensor amin = tg_amin(x, TG_ALL_DIMS, true);
    tg_tensor low = wanting(VECTOR(t, -1, 0, 1, -1, 0, 1, -1, 0, 1, -1)), z = wanting(VECTOR(t, 0)),
              high = wanting(VECTOR(t, 0));
    const struct {
        const char *name;
        tg_tensor y;
        int64_t kinks;
    } rows[] = {{"relu", tg_relu(wanting(VECTOR(t, -1, 0, 2))), 0},
                {"abs", tg_abs(wanting(VECTOR(t, 0, 2))), 1},
                {"maximum", tg_maximum(wanting(VECTOR(t, 1, 2)), wanting(VECTOR(t, 1, 0))), 1},
                {"amax", tg_amax(wanting(VECTOR(t, 5, 1, 5, 5)), TG_ALL_DIMS, false), 1},
                {"nested ties", tg_maximum(x, amin), 0},
                {"partly", tg_maximum(x, tg_mul_scalar(amin, 0.5)), 0},
                {"from above", tg_minimum(x, tg_amax(x, TG_ALL_DIMS, true)), 0},
                {"untied", tg_maximum(untied, tg_amin(untied, TG_ALL_DIMS, true)), 0},
                {"relu nearby", tg_relu(near), 0},
                {"abs nearby", tg_abs(near), 0},
                {"clamp nearby", tg_clamp(tg_add_scalar(near, 1), -1, 1), 0},
                {"a comparison",
                 tg_where(tg_gt(mixed, tg_zeros(t, TG_SHAPE(4))), tg_mul_scalar(mixed, 5), tg_square(mixed)), 0},
                /* where low >= high the result is high whatever x is; high alone moves ten elements, each at a tie of
                   its own */
                {"between itself", tg_clamp_tensor(z, z, z), 0},
                {"between bounds", tg_clamp_tensor(z, low, high), 0},
                {"a constant", tg_clamp(low, 0, 0), 0},
                {"an empty range", tg_clamp(low, 1, 0), 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint64_t seed = 1; seed < 6; seed++) {
            want_both(rows[i].y, seed, R, R, rows[i].name);
            tg_gradcheck_result r = checked(rows[i].y, TG_GRADCHECK_FULL, seed);
            note_row(r.kinks >= rows[i].kinks, &r, "%s, kinks", rows[i].name);
        }
    ck_assert_int_eq(tg_backward_with(rows[4].y, tg_from_doubles(t, TG_SHAPE(3), (double[]){12, 0, 0})), TG_OK);
    WANT_GRAD(x, 6 + 2, 2, 2);
    /* where the gradient stops at such ties it shows beside them; between high and a detached high nothing comes back
     */
    want_both(tg_clamp_tensor(z, high, tg_detach(high)), 1, R | WC, R | WC, "bound by itself");
    x = twos(t);
    amin = tg_detach(tg_amin(x, TG_ALL_DIMS, true));
    want_both(tg_maximum(tg_mul_scalar(x, 3), tg_mul_scalar(amin, 3)), 1, WC, WC, "detached");
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* BEND: max(0, x) + min(0, x) / 4, whose gradient at 0 is `at_zero` dy; DENT: x^2, whose gradient is wrong at 0.7 and
 * nowhere else; SPIKE: |x| e^x wrong near a half. way: the row. */
enum { BEND, DENT, SPIKE };
static const struct {
    int form;
    double at_zero, below, dent;
    int n;
    double x[5];
    bool declares;
    int said;
} bends[] = {{BEND, 0.25, 0.25, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, false, RC},
             {BEND, 0.25, 0.25, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, true, R},
             {BEND, 0.6, 0.25, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, true, R},
             {BEND, 0.25, 0.3, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, true, W},
             {BEND, -3, 0.25, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, true, W | R},
             {BEND, -3, 0.25, 0, 5, {0, 1e-9, -1e-7, 0.3, -2}, false, RC},
             {DENT, 0, 0, 7, 4, {2, 0.7, -1, 0.7}, false, C | R},
             {SPIKE, 0, 0, 1.5, 3, {0.5, 0, 2}, true, W | R}};

static double bent_value(int k, double x) {
    const double y[] = {x > 0 ? x : x / 4, x * x, fabs(x) * exp(x)};
    return y[bends[k].form];
}
static double bent_slope(int k, double x) {
    const double dy[] = {x > 0   ? 1
                         : x < 0 ? bends[k].below
                                 : bends[k].at_zero,
                         x == 0.7 ? bends[k].dent : 2 * x,
                         (fabs(x - 0.5) < 1e-6 ? bends[k].dent : 1) * (x > 0 ? 1 : -1) * (1 + x) * exp(x)};
    return dy[bends[k].form];
}
EACH(bent, bent_value(j->mistake, x), dy *bent_slope(j->mistake, x))

BRANCHES(bent_branches, j->numel, j->x[i] > 0)
static int failing_branches(const tg_call *c, int64_t *branch) {
    (void)c, (void)branch;
    return 1;
}

/* A gradient outside of its sides at a kink that the operation does not declare, or that has been right a little
 * aside, may be the kink's own. */
START_TEST(declared_kinks_are_kinks)
{
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(bends[i].n), bends[i].x));
        tg_tensor y = apply_to(&bent, (int)i, 0, x);
        if (bends[i].declares)
            ck_assert_int_eq(tg_custom_set_branches(y, bent_branches), TG_OK);
        tg_gradcheck_result r = checked(y, TG_GRADCHECK_FULL, 20240607);
        bool named = r.verdict != TG_GRAD_WRONG || !strcmp(r.op, "bent");
        note_row(is_said(&r, bends[i].said) && named, &r, "bent %d", (int)i);
        bool shown = r.verdict != TG_GRAD_KINK; /* a row of the table has both slopes, and why */
        for (int k = 0; k < r.n_rows; k++)
            shown |= r.row[k].verdict == TG_GRAD_KINK && r.row[k].left != r.row[k].right && r.row[k].reason;
        note_row(shown || bends[i].form != BEND, &r, "bent %d, table", (int)i);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* The notebook's max-pool. */
BRANCHES(pool_branches, j->numel / 2, j->x[2 * i + 1] > j->x[2 * i])

START_TEST(ties_of_a_pool_are_kinks)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 1, 1, 2, -1, 0, 0, -3, 4)), y = apply(&my_pool, 0, 0, &x, 1, TG_SHAPE(4));
    ck_assert_int_eq(tg_custom_set_branches(y, pool_branches), TG_OK);
    want_both(y, 20240607, R, R, "pool");
    tg_tensor b = apply_to(&bent, 0, 0, x);
    ck_assert_int_eq(tg_custom_set_branches(tg_exp(x), bent_branches), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "custom_set_branches", "not made by tg_custom");
    ck_assert_int_eq(tg_custom_set_branches(b, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "custom_set_branches", "NULL");
    ck_assert_int_eq(tg_custom_set_branches(b, failing_branches), TG_OK);
    ck_assert_int_eq(tg_gradcheck(b, TG_GRADCHECK_DEFAULTS, NULL), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "bent: the branches callback returned an error");
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* ---- the tape stays as it was ---- */

START_TEST(nothing_of_the_tape_changes)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = tg_dropout(attention(t), 0.4), weight = tg_named(t, "W_key");
    double grad[6] = {1, 2, 3, 4, 5, 6}, data[6], after[6], out[12], out_after[12];
    ck_assert_int_eq(tg_write_grad(weight, grad, 6), TG_OK);
    ck_assert_int_eq(tg_read_doubles(weight, data, 6), TG_OK);
    ck_assert_int_eq(tg_read_doubles(y, out, 12), TG_OK);
    tg_rng_state rng = tg_get_rng_state(t);
    uint32_t count = t->count;
    size_t used = tg_tape_memory(t).used;
    want_both(y, 20240607, R, R, "dropout of attention");
    tg_rng_state rng_after = tg_get_rng_state(t);
    ck_assert_mem_eq(&rng, &rng_after, sizeof rng);
    ck_assert_uint_eq(t->count, count);
    ck_assert_uint_eq(tg_tape_memory(t).used, used);
    ck_assert_int_eq(tg_read_doubles(weight, after, 6), TG_OK);
    ck_assert_mem_eq(data, after, sizeof data);
    ck_assert_int_eq(tg_read_doubles(y, out_after, 12), TG_OK);
    ck_assert_mem_eq(out, out_after, sizeof out);
    ck_assert_int_eq(tg_read_doubles(tg_grad(weight), after, 6), TG_OK);
    ck_assert_mem_eq(grad, after, sizeof grad);
    tg_tape_free(t);
    end_rows();
}
END_TEST

/* ---- progress ---- */

static int64_t calls, last_done, last_total;
static void note_progress(int64_t done, int64_t total, void *context) {
    ck_assert(context == &calls && done > last_done && done <= total);
    ck_assert(!last_total || total == last_total);
    calls++;
    last_done = done;
    last_total = total;
}

static void leave_an_error(int64_t done, int64_t total, void *context) {
    (void)!tg_reject(context, TG_ERR_STATE, "enough after %lld of %lld", (long long)done, (long long)total);
}

START_TEST(progress_counts_to_the_total_and_may_leave_an_error)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_gradcheck_config config = config_in((tg_gradcheck_mode)mode);
        tg_gradcheck_result r;
        config.progress = note_progress;
        config.context = &calls;
        calls = last_done = last_total = 0;
        ck_assert_int_eq(tg_gradcheck(attention(t), config, NULL), TG_OK);
        ck_assert(calls > 1 && last_done == last_total && last_total == (mode ? 3 : 36));
        tg_tape_free(t);
        t = tg_tape_new(TG_F64);
        config.progress = leave_an_error;
        config.context = t;
        ck_assert_int_eq(tg_gradcheck(attention(t), config, &r), TG_ERR_STATE);
        ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
        ck_assert_msg(strncmp(r.summary, "enough after ", 13) == 0, "%s", r.summary);
        ck_assert_str_eq(tg_error(t), r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- what is refused, in one line ---- */

static void refused(tg_tensor y, tg_gradcheck_config config, tg_status expected, const char *a, const char *b) {
    tg_tape *t = y.tape;
    uint32_t count = t->count;
    size_t used = tg_tape_memory(t).used;
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r;
        if (config.mode <= TG_GRADCHECK_FAST)
            config.mode = (tg_gradcheck_mode)mode;
        ck_assert_msg(tg_gradcheck(y, config, &r) == expected, "%s, %s: %s", a, b, r.summary);
        ck_assert_int_eq(r.verdict, TG_GRAD_CANNOT_TELL);
        ck_assert_msg(strcmp(r.summary, tg_error(t)) == 0, "%s", r.summary);
        WANT_ERROR(t, expected, a, b);
        ck_assert(t->count == count && tg_tape_memory(t).used == used);
    }
}

CUSTOM_MAP(float, copy_forward, copy_vjp, x, dy)
static int forward_runs;
static int failing_forward(const tg_call *c) {
    (void)c;
    return ++forward_runs > 1;
}

START_TEST(bad_input_is_told_in_one_line)
{
    static const tg_custom_op only_f32 = {"halfmade", copy_forward, copy_vjp, NULL, NULL};
    static const tg_custom_op fails = {"fails", failing_forward, copy_vjp, failing_forward, copy_vjp};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_gradcheck_config usual = TG_GRADCHECK_DEFAULTS, c;
    tg_tensor x = wanting(VECTOR(t, 2)), data = VECTOR(t, 0), empty = wanting(tg_zeros(t, TG_SHAPE(0, 4)));
    ck_assert_int_eq(tg_gradcheck(TG_NULL, usual, NULL), TG_ERR_ARGUMENT);
    refused(tg_custom(&only_f32, &x, 1, TG_SHAPE(1), NULL, 0), usual, TG_ERR_ARGUMENT,
            "halfmade: this custom op has no forward callback for float64", "give it one (forward_f64)");
    refused(tg_custom(&fails, &x, 1, TG_SHAPE(1), NULL, 0), usual, TG_ERR_STATE, "fails",
            "the forward callback returned an error");
    refused(tg_exp(data), usual, TG_ERR_STATE, "requires no gradient", "");
    refused(tg_exp(empty), usual, TG_ERR_STATE, "(0, 4) has no elements", "");
    tg_tensor both = tg_cat((tg_tensor[]){tg_reshape(empty, TG_SHAPE(0)), x}, 2, 0);
    ck_assert_int_eq(tg_gradcheck(tg_exp(both), usual, NULL), TG_OK);
    refused(tg_div(x, data), usual, TG_ERR_NUMERIC, "is not finite", "");
    refused(total(tg_mul_scalar(tg_log(tg_sub(x, x)), 3)), usual, TG_ERR_NUMERIC, "is not finite", "made by log");
    refused(tg_arange(t, 3), usual, TG_ERR_ARGUMENT, "must be floating", "");
#define WITH(field, value) (c = usual, c.field = value, c)
    refused(tg_exp(x), WITH(eps, 1e-20), TG_ERR_ARGUMENT, "too small", "");
    refused(tg_exp(x), WITH(eps, 10), TG_ERR_ARGUMENT, "too large", "");
    refused(tg_exp(x), WITH(eps, 0), TG_ERR_ARGUMENT, "positive", "");
    refused(tg_exp(x), WITH(atol, NAN), TG_ERR_ARGUMENT, "atol nan", "TG_GRADCHECK_DEFAULTS");
    refused(tg_exp(x), WITH(rtol, -1), TG_ERR_ARGUMENT, "rtol -1", "0 or more");
    refused(tg_exp(x), WITH(mode, (tg_gradcheck_mode)7), TG_ERR_ARGUMENT, "mode 7", "TG_GRADCHECK_FULL");
    c = WITH(directions, 0);
    c.mode = TG_GRADCHECK_FAST;
    ck_assert_int_eq(tg_gradcheck(tg_exp(x), c, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "directions");
    tg_mark mark = tg_tape_mark(t);
    tg_tensor gone = tg_exp(x);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert_int_eq(tg_gradcheck(gone, usual, NULL), TG_ERR_STALE);
    WANT_ERROR(t, TG_ERR_STALE, "stale");
    (void)tg_matmul(x, tg_ones(t, TG_SHAPE(3, 4)));
    char error[512];
    snprintf(error, sizeof error, "%s", tg_error(t));
    tg_gradcheck_result r;
    ck_assert_int_ne(tg_gradcheck(x, usual, &r), TG_OK);
    ck_assert(!strcmp(tg_error(t), error) && !strcmp(r.summary, error)); /* the first error stays */
    tg_clear_error(t);
    refused(tg_exp(tg_set_requires_grad(x, false)), usual, TG_ERR_STATE, "requires no gradient", "");
    tg_tape_free(t);
}
END_TEST

/* A gradient that is not finite for a reason that is no mistake. Of 8 elements: an array of doubles ends where its
 * memory does. */
START_TEST(why_a_gradient_is_not_finite_is_told)
{
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_gradcheck_config usual = TG_GRADCHECK_DEFAULTS;
    tg_tensor x = wanting(VECTOR(t, 1, 1000)), z = wanting(VECTOR(t, 4, 0, 9)),
              tiny = wanting(tg_full(t, TG_SHAPE(8), 1e-300));
    refused(tg_tanh(tg_exp(x)), usual, TG_ERR_NUMERIC, "made by exp, is not: element 1 is inf", "");
    refused(tg_rdiv_scalar(1, tg_exp(x)), usual, TG_ERR_NUMERIC, "made by exp", "");
    refused(tg_sqrt(z), usual, TG_ERR_NUMERIC, "sqrt (tensor ", "has an infinite slope there");
    refused(tg_mul_scalar(tg_sqrt(tg_abs(z)), 0), usual, TG_ERR_NUMERIC, "has an infinite slope there", "");
    refused(tg_mul_scalar(tg_mul_scalar(tiny, 1e200), 1e200), usual, TG_ERR_NUMERIC, "is not finite", "it overflows");
    tg_checkpoint_begin(t); /* a scope's result is a copy: what is asked of each operation goes through it */
    tg_tensor y = tg_checkpoint_end(t, tg_mul_scalar(tg_mul_scalar(tiny, 1e200), 1e200));
    refused(y, usual, TG_ERR_NUMERIC, "is not finite", "it overflows");
    memory_free(&m);
}
END_TEST

SUITE("gradcheck", attention_is_right, derivatives_of_a_scalar_are_its_own, lines_hold_the_theorem,
      a_float32_tape_has_lines_in_both_dtypes, numeric_gradients_are_differences, elements_of_all_sizes_are_right,
      infinities_made_on_purpose_are_no_error, gelu_tanh_far_out_has_the_slope_of_relu, kinks_are_not_wrong,
      declared_kinks_are_kinks, ties_of_a_pool_are_kinks, nothing_of_the_tape_changes,
      progress_counts_to_the_total_and_may_leave_an_error, bad_input_is_told_in_one_line,
      why_a_gradient_is_not_finite_is_told)
