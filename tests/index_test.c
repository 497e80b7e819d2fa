/* What comes beside values or has none to differentiate: the indices of sort, topk and extremes, eye, linspace.
 * Expected values are PyTorch's. */
#include "tests/support.h"

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F64); }
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
}

START_TEST(sorting_is_stable_and_a_nan_is_largest)
{
    tg_tensor x = MATRIX(t, 2, 4, 1, 3, 3, 0.5, 2, 2, -1, NAN), index;
    tg_tensor up = tg_sort(x, 1, false, &index);
    WANT_VALUES(index, 3, 0, 1, 2, 2, 0, 1, 3);
    WANT_VALUES(tg_slice(up, 1, 0, 3, 1), 0.5, 1, 3, -1, 2, 2);
    ck_assert(isnan(tg_item(tg_select(tg_select(up, 0, 1), 0, 3))));
    tg_sort(x, -1, true, &index);
    WANT_VALUES(index, 1, 2, 0, 3, 3, 0, 1, 2);
    ck_assert_int_eq(tg_dtype_of(index), TG_I64);
}
END_TEST

START_TEST(long_rows_are_sorted)
{
    enum { N = 1000 };
    double v[N];
    tg_manual_seed(t, 3);
    ck_assert_int_eq(tg_read_doubles(tg_sort(tg_randn(t, TG_SHAPE(N)), 0, false, NULL), v, N), TG_OK);
    for (int i = 1; i < N; i++)
        ck_assert(v[i - 1] <= v[i]);
}
END_TEST

START_TEST(the_k_largest_and_smallest)
{
    tg_tensor x = MATRIX(t, 2, 4, 1, 4, 2, 3, 0.5, -1, 8, -2), index;
    WANT_VALUES(tg_topk(x, 2, 1, true, &index), 4, 3, 8, 0.5);
    WANT_VALUES(index, 1, 3, 2, 0);
    WANT_VALUES(tg_topk(x, 3, 1, false, &index), 1, 2, 3, -2, -1, 0.5);
    WANT_VALUES(index, 0, 2, 3, 3, 1, 0);
    ck_assert_int_eq(tg_numel(tg_topk(x, 0, 0, true, NULL)), 0);
    WANT_VALUES(tg_topk(tg_scalar(t, 5), 1, 0, true, &index), 5);
    WANT_VALUES(index, 0);
}
END_TEST

START_TEST(extremes_along_a_dim_and_where)
{
    tg_tensor x = wanting(MATRIX(t, 2, 4, 1, 4, 2, 3, 0.5, -1, 8, -2)), index;
    WANT_VALUES(tg_max_dim(x, 1, false, &index), 4, 8);
    WANT_VALUES(index, 1, 2);
    ck_assert_int_eq(tg_ndim(index), 1);
    tg_tensor low = tg_min_dim(x, 0, true, &index);
    WANT_VALUES(low, 0.5, -1, 2, -2);
    WANT_VALUES(index, 1, 1, 0, 1);
    ck_assert_int_eq(tg_ndim(index), 2);
    ck_assert_int_eq(tg_backward_with(low, MATRIX(t, 1, 4, 1, 2, 3, 4)), TG_OK);
    WANT_GRAD(x, 0, 0, 3, 0, 1, 2, 0, 4);
    tg_max_dim(MATRIX(t, 1, 4, 2, 2, -1, NAN), 1, false, &index);
    WANT_VALUES(index, 3);
    tg_min_dim(MATRIX(t, 1, 4, 2, 2, -1, NAN), 1, false, &index);
    WANT_VALUES(index, 3);
}
END_TEST

START_TEST(leaves_of_numbers_in_a_row)
{
    WANT_VALUES(tg_linspace(t, -1, 2, 7), -1, -0.5, 0, 0.5, 1, 1.5, 2);
    WANT_VALUES(tg_linspace(t, 0.1, 0.7, 6), 0.1, 0.22, 0.34, 0.46, 0.58, 0.7);
    WANT_VALUES(tg_linspace(t, 3, 9, 1), 3);
    ck_assert_int_eq(tg_numel(tg_linspace(t, 3, 9, 0)), 0);
    ck_assert_double_eq(tg_item(tg_select(tg_linspace(t, 0.1, 0.7, 6), 0, -1)), 0.7);
    WANT_VALUES(tg_eye(t, 3), 1, 0, 0, 0, 1, 0, 0, 0, 1);
    ck_assert_int_eq(tg_numel(tg_eye(t, 0)), 0);
    ck_assert(tg_is_leaf(tg_eye(t, 2)));
}
END_TEST

int main(void) {
    const TTest *const all[] = {sorting_is_stable_and_a_nan_is_largest, long_rows_are_sorted,
                                the_k_largest_and_smallest, extremes_along_a_dim_and_where, leaves_of_numbers_in_a_row};
    return run_tests("index", all, sizeof all / sizeof *all, start, stop);
}
