/* rms_norm, rope, swiglu and cumsum, at sizes that threads share, give what their composition from other operations
 * gives, in the same bits for every number of threads. */
#include "tests/support.h"

enum { ROWS = 150, COLUMNS = 260, MOST = ROWS * COLUMNS };

static tg_tensor rms_norm(tg_tensor x, tg_tensor w) { return tg_rms_norm(x, w, 1e-5); }
static tg_tensor composed_rms_norm(tg_tensor x, tg_tensor w) {
    tg_tensor square = tg_mean(tg_square(x), TG_DIMS(-1), true);
    return tg_mul(tg_mul(x, tg_rsqrt(tg_add_scalar(square, 1e-5))), w);
}

/* Pairs (i, i + COLUMNS / 2): x cos + (-second half, first half) sin. */
static tg_tensor rope(tg_tensor x, tg_tensor w) {
    tg_rope_config c = TG_ROPE_DEFAULTS;
    c.offset = 7;
    return tg_rope(tg_mul(x, w), c);
}
static tg_tensor composed_rope(tg_tensor x, tg_tensor w) {
    enum { HALF = COLUMNS / 2 };
    tg_tape *t = tg_tape_of(x);
    tg_tensor i = tg_to_float(tg_arange(t, HALF)), p = tg_add_scalar(tg_to_float(tg_arange(t, ROWS)), 7);
    tg_tensor frequency = tg_exp(tg_mul_scalar(i, -2 * log(10000) / COLUMNS));
    tg_tensor angle = tg_mul(tg_unsqueeze(p, 1), frequency), scaled = tg_mul(x, w);
    tg_tensor a = tg_slice(scaled, 1, 0, HALF, 1), b = tg_slice(scaled, 1, HALF, COLUMNS, 1);
    tg_tensor first = tg_sub(tg_mul(a, tg_cos(angle)), tg_mul(b, tg_sin(angle)));
    tg_tensor second = tg_add(tg_mul(b, tg_cos(angle)), tg_mul(a, tg_sin(angle)));
    return tg_cat((tg_tensor[]){first, second}, 2, 1);
}

static tg_tensor composed_swiglu(tg_tensor x, tg_tensor w) { return tg_mul(tg_silu(x), w); }

static tg_tensor cumsum(tg_tensor x, tg_tensor w) { return tg_cumsum(tg_mul(x, w), 1); }
static tg_tensor composed_cumsum(tg_tensor x, tg_tensor w) {
    tg_tensor ones = tg_ones(tg_tape_of(x), TG_SHAPE(COLUMNS, COLUMNS));
    return tg_matmul(tg_mul(x, w), tg_triu(ones, 0));
}

static const struct {
    const char *name;
    tg_tensor (*fused)(tg_tensor x, tg_tensor w), (*composed)(tg_tensor x, tg_tensor w);
} cases[] = {{"rms_norm", rms_norm, composed_rms_norm},
             {"rope", rope, composed_rope},
             {"swiglu", tg_swiglu, composed_swiglu},
             {"cumsum", cumsum, composed_cumsum}};
enum { N_CASES = sizeof cases / sizeof *cases };

/* y, dx and dw behind one another. */
typedef struct numbers {
    double v[2 * MOST + COLUMNS];
} numbers;

static void compute(numbers *out, tg_dtype dtype, tg_tensor (*f)(tg_tensor x, tg_tensor w)) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(ROWS, COLUMNS))), w = wanting(tg_randn(t, TG_SHAPE(COLUMNS)));
    tg_tensor dy = tg_randn(t, TG_SHAPE(ROWS, COLUMNS)), y = f(x, w);
    ck_assert_msg(tg_backward_with(y, dy) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(tg_read_doubles(y, out->v, MOST), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x), out->v + MOST, MOST), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(w), out->v + 2 * MOST, COLUMNS), TG_OK);
    tg_tape_free(t);
}

START_TEST(fused_equals_composed)
{
    static numbers fused, composed;
    compute(&fused, TG_F64, cases[_i].fused);
    compute(&composed, TG_F64, cases[_i].composed);
    for (int i = 0; i < 2 * MOST + COLUMNS; i++)
        ck_assert_msg(fabs(fused.v[i] - composed.v[i]) <= 1e-11 * fmax(1, fabs(composed.v[i])),
                      "%s: number %d is %.17g, expected %.17g", cases[_i].name, i, fused.v[i], composed.v[i]);
}
END_TEST

START_TEST(threads_do_not_show)
{
    static numbers one, several;
    tg_set_threads(1);
    compute(&one, TG_F32, cases[_i].fused);
    for (int n = 2; n <= 8; n += 3) {
        tg_set_threads(n);
        compute(&several, TG_F32, cases[_i].fused);
        ck_assert_msg(memcmp(&one, &several, sizeof one) == 0, "%s at %d threads", cases[_i].name, n);
    }
}
END_TEST

/* Where the sigmoid is 0 so is the gradient, however large the numbers beside it are. */
START_TEST(swiglu_of_large_numbers_is_no_nan)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = wanting(VECTOR(t, -1e25, -1e30)), b = wanting(VECTOR(t, 1e25, -1e30));
    run_backward(total(tg_swiglu(a, b)));
    WANT_GRAD(a, 0, 0);
    WANT_GRAD(b, 0, 0);
    tg_tape_free(t);
}
END_TEST

/* x = (1, 0) becomes (cos, sin) of the position times the frequency: by libm, whatever position a call begins at. */
START_TEST(rope_turns_by_the_angle_of_the_position)
{
    enum { T = 100, D = 4 };
    static const int64_t offsets[] = {0, 1, 31, 5000, (1 << 20) - 50, INT64_C(1) << 40, -70};
    double ones[T][D], got[T][D];
    for (int p = 0; p < T; p++)
        memcpy(ones[p], (double[D]){1, 1, 0, 0}, sizeof ones[p]);
    for (int i = 0; i < 7; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_rope_config c = TG_ROPE_DEFAULTS;
        c.offset = offsets[i];
        tg_tensor y = tg_rope(tg_from_doubles(t, TG_SHAPE(T, D), &ones[0][0]), c);
        ck_assert_int_eq(tg_read_doubles(y, &got[0][0], (int64_t)T * D), TG_OK);
        for (int p = 0; p < T; p++)
            for (int pair = 0; pair < D / 2; pair++) {
                double angle = (double)(offsets[i] + p) * (pair ? 0.01 : 1), near = 1e-15 + fabs(angle) * 0x1p-52;
                ck_assert_double_eq_tol(got[p][pair], cos(angle), near);
                ck_assert_double_eq_tol(got[p][pair + D / 2], sin(angle), near);
            }
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("llama");
    tcase_add_loop_test(c, fused_equals_composed, 0, N_CASES);
    tcase_add_loop_test(c, threads_do_not_show, 0, N_CASES);
    tcase_add_test(c, rope_turns_by_the_angle_of_the_position);
    tcase_add_test(c, swiglu_of_large_numbers_is_no_nan);
    return run_suite("llama", c);
}
