/* Int64 arithmetic is exact modulo 2^64, indices that are computed take no gradient; comparisons follow IEEE and casts
 * C, for every dtype. */
#include "tests/support.h"

/* ---- int64 ---- */

static void expect_ints(const char *what, tg_tensor x, const int64_t *expected, int64_t n) {
    int64_t v[8];
    ck_assert_msg(n <= 8 && tg_read_ints(x, v, n) == TG_OK, "%s: %s", what, x.tape ? tg_error(x.tape) : "null");
    ck_assert_msg(tg_dtype_of(x) == TG_I64 && !tg_requires_grad(x), "%s", what);
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(v[i] == expected[i], "%s: element %lld is %lld, not %lld", what, (long long)i, (long long)v[i],
                      (long long)expected[i]);
}
#define INTS(t, ...) \
    tg_from_ints(t, TG_SHAPE(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
#define WANT_INTS(x, ...) \
    expect_ints(#x, x, (int64_t[]){__VA_ARGS__}, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* Modulo 2^64, as PyTorch's; and beyond 2^53, where a double would round. */
START_TEST(ints_wrap_and_are_exact)
{
    tg_tape *t = tg_tape_new(_i ? TG_F64 : TG_F32);
    const int64_t low = INT64_MIN, high = INT64_MAX, odd = (INT64_C(1) << 53) + 1, wide = (INT64_C(1) << 32) + 1;
    tg_tensor a = INTS(t, high, low, odd, wide), b = INTS(t, 1, -1, 0, wide);
    WANT_INTS(tg_add(a, b), low, high, odd, 2 * wide);
    WANT_INTS(tg_sub(b, a), low + 2, high, -odd, 0);
    WANT_INTS(tg_mul(a, b), high, low, 0, (INT64_C(1) << 33) + 1);
    WANT_INTS(tg_where(tg_gt(b, tg_arange(t, 4)), a, b), high, -1, 0, wide);
    WANT_INTS(tg_where(tg_lt(tg_sub(a, b), tg_mul_scalar(a, 0)), a, tg_add_scalar(a, 0)), high, low, odd, wide);
    WANT_INTS(tg_add_scalar(a, 1), low, low + 1, odd + 1, wide + 1);
    WANT_INTS(tg_add_scalar(a, -0x1p63), -1, 0, low + odd, low + wide);
    WANT_INTS(tg_sub_scalar(a, -0x1p63), -1, 0, low + odd, low + wide);
    WANT_INTS(tg_rsub_scalar(-0x1p63, a), 1, 0, high - odd + 1, high - wide + 1);
    WANT_INTS(tg_mul_scalar(a, -0x1p63), low, 0, low, low);
    ck_assert_int_eq(tg_tape_status(t), TG_OK);
    tg_tape_free(t);
}
END_TEST

/* Two large operands, one of them a view, the other broadcast, at every number of threads. */
START_TEST(many_ints_are_those_of_loops)
{
    enum { N = 300, M = 301 };
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = tg_randint(t, -1000, 1000, TG_SHAPE(M, N)), b = tg_randint(t, -1000, 1000, TG_SHAPE(M));
    const int64_t *p = tg_const_data(a), *q = tg_const_data(b);
    tg_set_threads(_i + 1);
    tg_tensor turned = tg_transpose(a, 0, 1), y = tg_sub(tg_mul(turned, b), tg_where(tg_lt(turned, b), turned, b));
    const int64_t *got = tg_const_data(y);
    tg_set_threads(0);
    ck_assert_msg(got != NULL, "%s", tg_error(t));
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < M; j++) {
            int64_t x = p[j * N + i], lower = x < q[j] ? x : q[j];
            ck_assert_int_eq(got[i * M + j], x * q[j] - lower);
        }
    tg_tape_free(t);
}
END_TEST

/* The sum of the cubes of the elements 2 ids + 1. */
static tg_tensor cubes(tg_tensor w, tg_tensor ids) {
    tg_tensor x = tg_index_select(
        w, 0, tg_sub(tg_mul_scalar(tg_add_scalar(ids, 1), 2), tg_where(tg_eq(ids, ids), INTS(ids.tape, 1), ids)));
    return tg_sum(tg_mul(tg_square(x), x), TG_ALL_DIMS, false);
}

START_TEST(computed_indices_are_kept_by_no_scope)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = wanting(VECTOR(t, 1, 2, 3, 4, 5, 6)), ids = INTS(t, 0, 2);
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, cubes(w, ids));
    ck_assert_int_eq(tg_backward(y), TG_OK);
    WANT_VALUES(tg_grad(w), 0, 3 * 4, 0, 0, 0, 3 * 36);
    ck_assert_int_eq(tg_write_ints(ids, (int64_t[]){1, 1}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(y, 64 + 64);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    WANT_VALUES(tg_grad(w), 0, 0, 0, 2 * 3 * 16, 0, 0);
    tg_tape_free(t);
}
END_TEST

START_TEST(computed_indices_are_constants)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = wanting(VECTOR(t, 1, 2, 3, 4, 5, 6)), v = tg_ones(t, TG_SHAPE(6)), dw, jv, ddw;
    tg_tensor y = cubes(w, INTS(t, 0, 2));
    ck_assert_int_eq(tg_gradients(y, TG_NULL, &w, 1, &dw), TG_OK);
    WANT_VALUES(dw, 0, 12, 0, 0, 0, 108);
    ck_assert_int_eq(tg_gradients(tg_sum(dw, TG_ALL_DIMS, false), TG_NULL, &w, 1, &ddw), TG_OK);
    WANT_VALUES(ddw, 0, 12, 0, 0, 0, 36);
    ck_assert_int_eq(tg_jvp(y, &w, &v, 1, &jv), TG_OK);
    WANT_VALUES(jv, 12 + 108);
    tg_tape_free(t);
}
END_TEST

/* ---- comparisons and casts ---- */

START_TEST(comparisons_follow_ieee_and_broadcast)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor a = tg_from_doubles(t, TG_SHAPE(4), (double[]){1, 2, NAN, INFINITY});
    tg_tensor b = tg_from_doubles(t, TG_SHAPE(2, 1), (double[]){2, NAN});
    WANT_VALUES(tg_eq(a, b), 0, 1, 0, 0, 0, 0, 0, 0);
    WANT_VALUES(tg_lt(a, b), 1, 0, 0, 0, 0, 0, 0, 0);
    WANT_VALUES(tg_gt(a, b), 0, 0, 0, 1, 0, 0, 0, 0);
    ck_assert_int_eq(tg_dtype_of(tg_eq(a, b)), TG_BOOL);
    tg_tape_free(t);
}
END_TEST

START_TEST(ints_are_compared_as_ints)
{
    tg_tape *t = tg_tape_new(TG_F32);
    int64_t big = (INT64_C(1) << 60) + 1; /* as float32 or float64 the same as its neighbours */
    tg_tensor a = tg_from_ints(t, TG_SHAPE(3), (int64_t[]){big - 1, big, big + 1});
    tg_tensor b = tg_from_ints(t, TG_SHAPE(1), (int64_t[]){big});
    WANT_VALUES(tg_eq(a, b), 0, 1, 0);
    WANT_VALUES(tg_lt(a, b), 1, 0, 0);
    WANT_VALUES(tg_gt(a, b), 0, 0, 1);
    WANT_VALUES(tg_gt(tg_arange(t, 3), tg_scalar(t, 0.5)), 0, 1, 1);
    tg_tape_free(t);
}
END_TEST

/* Expected: C's conversion of each number. A single one beyond 2^51 is enough to leave the fast way. */
START_TEST(to_float_rounds_integers_of_any_size)
{
    static const int64_t edges[] = {0, 1, -1, 16777217, -16777219, (1ll << 51) - 1, -(1ll << 51)};
    static const int64_t beyond[] = {1ll << 51, -(1ll << 51) - 1, (1ll << 53) + 1, INT64_MAX, INT64_MIN};
    enum { N = 100, EDGES = sizeof edges / sizeof *edges, BEYOND = sizeof beyond / sizeof *beyond };
    int64_t x[N];
    double y[N];
    for (int round = 0; round < 2 * (BEYOND + 1); round++) {
        tg_tape *t = tg_tape_new(round % 2 ? TG_F64 : TG_F32);
        for (int i = 0; i < N; i++)
            x[i] = i % 3 ? (i - 50) * (1ll << i % 40) : edges[i / 3 % EDGES];
        if (round / 2 < BEYOND)
            x[N / 2] = beyond[round / 2];
        ck_assert_int_eq(tg_read_doubles(tg_to_float(tg_from_ints(t, TG_SHAPE(N), x)), y, N), TG_OK);
        for (int i = 0; i < N; i++)
            ck_assert_msg(y[i] == (round % 2 ? (double)x[i] : (double)(float)x[i]), "%lld: %.17g", (long long)x[i],
                          y[i]);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(casts_convert_every_dtype)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_from_doubles(t, TG_SHAPE(4), (double[]){0, -0.0, NAN, 1e-30});
    tg_tensor b = tg_to_bool(x);
    WANT_VALUES(b, 0, 0, 1, 1);
    WANT_VALUES(tg_logical_not(b), 1, 1, 0, 0);
    WANT_VALUES(tg_to_bool(tg_arange(t, 3)), 0, 1, 1);
    WANT_VALUES(tg_to_float(tg_slice(b, 0, 1, 4, 2)), 0, 1);
    WANT_VALUES(tg_to_float(tg_arange(t, 3)), 0, 1, 2);
    ck_assert_int_eq(tg_dtype_of(tg_to_float(b)), TG_F32);
    tg_set_requires_grad(x, true);
    ck_assert(tg_requires_grad(tg_to_float(x)));
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("integers");
    tcase_add_loop_test(c, ints_wrap_and_are_exact, 0, 2);
    tcase_add_loop_test(c, many_ints_are_those_of_loops, 0, 3);
    tcase_add_test(c, computed_indices_are_kept_by_no_scope);
    tcase_add_test(c, computed_indices_are_constants);
    tcase_add_test(c, comparisons_follow_ieee_and_broadcast);
    tcase_add_test(c, ints_are_compared_as_ints);
    tcase_add_test(c, casts_convert_every_dtype);
    tcase_add_test(c, to_float_rounds_integers_of_any_size);
    return run_suite("integers", c);
}
