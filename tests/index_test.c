/* Indices of sort, topk and extremes, and the leaves eye and linspace, are PyTorch's. */
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

/* Does element a come before b? Ties in the order of their indices, a NaN as the largest. */
static bool is_before(const double *v, int a, int b, bool descending) {
    bool more = v[a] > v[b] || (isnan(v[a]) && !isnan(v[b])), less = v[a] < v[b] || (!isnan(v[a]) && isnan(v[b]));
    return (descending ? more : less) || (!more && !less && a < b);
}

static void check_order(tg_tensor x, const double *v, int n, int k, bool descending) {
    tg_tensor index, sorted = tg_argsort(x, 0, descending);
    (void)tg_topk(x, k, 0, descending, &index);
    const int64_t *all = tg_data(sorted), *first = tg_data(index);
    for (int i = 0; i < n; i++) {
        ck_assert(all[i] >= 0 && all[i] < n && (i >= k || first[i] == all[i]));
        ck_assert_msg(!i || is_before(v, (int)all[i - 1], (int)all[i], descending), "%d of %d", i, n);
    }
}

/* Of sizes around those at which another way is taken; ties, zeros of both signs, numbers of all sizes. */
START_TEST(rows_of_any_length_are_sorted)
{
    enum { N = 700 };
    static const int sizes[] = {1, 2, 47, 48, 49, 300, N}, counts[] = {0, 1, 5, 48, 49};
    tg_tape *tapes[] = {tg_tape_new(TG_F32), tg_tape_new(TG_F64)};
    double v[N];
    for (int i = 0; i < N; i++)
        v[i] = (i % 3 ? 1 : pow(10, i % 60 - 30)) * (double)((i * 7919) % 41 - 20) * (i % 2 ? 1 : -1);
    v[13] = v[290] = NAN, v[17] = INFINITY, v[23] = -INFINITY;
    for (int c = 0; c < 2 * 7 * 5 * 2; c++) {
        int n = sizes[c / 2 % 7], k = counts[c / 14 % 5];
        double rounded[N];
        tg_tensor x = tg_from_doubles(tapes[c / 70], TG_SHAPE(n), v);
        ck_assert_int_eq(tg_read_doubles(x, rounded, n), TG_OK);
        check_order(x, rounded, n, k < n ? k : n, c % 2);
    }
    tg_tape_free(tapes[0]);
    tg_tape_free(tapes[1]);
}
END_TEST

START_TEST(topk_gives_the_k_largest_and_smallest)
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

START_TEST(extremes_along_a_dim_come_with_their_indices)
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

START_TEST(linspace_and_eye_are_exact)
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

/* Element (i, j, k) of the source is 100 i + 10 j + k, however it and its target lie in memory. */
START_TEST(numbers_are_copied_between_any_two_layouts)
{
    enum { I = 3, J = 4, K = 5 };
    double number[I * J * K];
    for (int i = 0; i < I * J * K; i++)
        number[i] = 100 * (i / (J * K)) + 10 * (i / K % J) + i % K;
    const int turns[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}};
    enum { TURNS = sizeof turns / sizeof *turns };
    for (int c = 0; c < 4 * TURNS * TURNS; c++) {
        const int *to_turn = turns[c % TURNS], *from_turn = turns[c / TURNS % TURNS];
        bool other_dtype = c / (TURNS * TURNS) % 2, every_second = c / (2 * TURNS * TURNS);
        tg_tape *first = tg_tape_new(TG_F64), *second = tg_tape_new(other_dtype ? TG_F32 : TG_F64);
        tg_tensor view[2];
        for (int side = 0; side < 2; side++) {
            const int *turn = side ? from_turn : to_turn;
            int64_t in_memory[3], back[3], sizes[3] = {I, J, K};
            for (int d = 0; d < 3; d++) {
                in_memory[d] = sizes[turn[d]] * (every_second && d == 2 ? 2 : 1);
                back[turn[d]] = d;
            }
            tg_tensor x = tg_full(side ? second : first, TG_SHAPE(in_memory[0], in_memory[1], in_memory[2]), -1);
            x = every_second ? tg_slice(x, 2, 1, in_memory[2], 2) : x;
            view[side] = tg_permute(x, TG_DIMS((int)back[0], (int)back[1], (int)back[2]));
        }
        double got[I * J * K];
        ck_assert_msg(tg_write_doubles(view[1], number, I * J * K) == TG_OK, "%s", tg_error(second));
        ck_assert_msg(tg_copy_(view[0], view[1]) == TG_OK, "%s", tg_error(first));
        ck_assert_int_eq(tg_read_doubles(view[0], got, I * J * K), TG_OK);
        for (int i = 0; i < I * J * K; i++)
            ck_assert_msg(got[i] == number[i], "case %d: element %d is %g", c, i, got[i]);
        tg_tensor element = tg_slice(tg_slice(tg_slice(view[0], 0, 1, 2, 1), 1, 3, 4, 1), 2, 2, 3, 1);
        ck_assert_double_eq(tg_item(element), 132);
        tg_tape_free(second);
        tg_tape_free(first);
    }
}
END_TEST

/* Small whole numbers, so that there are ties, and that grow along long rows; a NaN in every third row. */
START_TEST(extremes_of_long_rows_are_the_first_ones)
{
    enum { ROWS = 37, SHORT = 70, LONGEST = 9000 };
    static double x[ROWS * LONGEST];
    for (int n = 1; n <= LONGEST; n = n == SHORT ? LONGEST : n + 1) {
        int64_t largest[ROWS], smallest[ROWS], got[ROWS];
        for (int i = 0; i < ROWS * n; i++)
            x[i] = i % 101 * 7919 % 101 % 9 + i % n / 1000;
        for (int r = 0; r < ROWS; r++) {
            int nan_at = r % 3 ? -1 : r * 997 % n;
            largest[r] = smallest[r] = 0;
            for (int j = 1; j < n; j++) {
                largest[r] = x[r * n + j] > x[r * n + largest[r]] ? j : largest[r];
                smallest[r] = x[r * n + j] < x[r * n + smallest[r]] ? j : smallest[r];
            }
            if (nan_at >= 0) {
                x[r * n + nan_at] = NAN;
                largest[r] = smallest[r] = nan_at;
            }
        }
        tg_tensor rows = tg_from_doubles(t, TG_SHAPE(ROWS, n), x);
        ck_assert_int_eq(tg_read_ints(tg_argmax(rows, 1, false), got, ROWS), TG_OK);
        ck_assert_msg(memcmp(got, largest, sizeof got) == 0, "argmax of %d", n);
        ck_assert_int_eq(tg_read_ints(tg_argmin(rows, 1, false), got, ROWS), TG_OK);
        ck_assert_msg(memcmp(got, smallest, sizeof got) == 0, "argmin of %d", n);
        tg_tensor columns = tg_contiguous(tg_transpose(rows, 0, 1));
        ck_assert_int_eq(tg_read_ints(tg_argmax(columns, 0, false), got, ROWS), TG_OK);
        ck_assert_msg(memcmp(got, largest, sizeof got) == 0, "argmax of columns of %d", n);
        ck_assert_int_eq(tg_read_ints(tg_argmin(columns, 0, false), got, ROWS), TG_OK);
        ck_assert_msg(memcmp(got, smallest, sizeof got) == 0, "argmin of columns of %d", n);
    }
}
END_TEST

/* The gradient of x is dy, whatever the index was: an index that changes after forward is noticed where source's
 * gradient reads it. */
START_TEST(only_the_gradient_of_what_is_added_reads_the_index)
{
    static const int64_t ids[] = {2, 0, 2, 1};
    for (int each = 0; each < 2; each++)
        for (int wants_source = 0; wants_source < 2; wants_source++) {
            tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), source = VECTOR(t, 4, 5, 6),
                      i = tg_from_ints(t, TG_SHAPE(3), ids);
            tg_set_requires_grad(source, wants_source);
            tg_tensor y = each ? tg_scatter_add(x, 0, i, source) : tg_index_add(x, 0, i, source);
            ck_assert_int_eq(tg_write_ints(i, ids + 1, 3), TG_OK);
            ck_assert_int_eq(tg_backward_with(y, VECTOR(t, 7, 8, 9)), wants_source ? TG_ERR_STATE : TG_OK);
            if (wants_source)
                WANT_ERROR(t, TG_ERR_STATE, each ? "scatter_add" : "index_add", "modified");
            else
                WANT_GRAD(x, 7, 8, 9);
        }
}
END_TEST

int main(void) {
    const TTest *const all[] = {sorting_is_stable_and_a_nan_is_largest,
                                rows_of_any_length_are_sorted,
                                long_rows_are_sorted,
                                topk_gives_the_k_largest_and_smallest,
                                extremes_along_a_dim_come_with_their_indices,
                                extremes_of_long_rows_are_the_first_ones,
                                linspace_and_eye_are_exact,
                                numbers_are_copied_between_any_two_layouts,
                                only_the_gradient_of_what_is_added_reads_the_index};
    return run_tests("index", all, sizeof all / sizeof *all, start, stop);
}
