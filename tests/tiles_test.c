/* Elementwise operations in tiles: operands of every order of dims, broadcast along any of them, of sizes around a
 * tile's and a run's edges. Expected values are those of plain loops over small whole numbers, of which every sum is
 * exact. */
#include "tests/support.h"

enum { DIMS = 3, N_SHAPES = 10, N_ORDERS = 6 };

static const int64_t shapes[N_SHAPES][DIMS] = {{2, 3, 5},    {1, 1, 1100}, {3, 700, 5},    {67, 3, 129},  {5, 130, 66},
                                               {1, 64, 512}, {70, 65, 3},  {2, 1030, 128}, {40, 1, 2100}, {1, 512, 65}};
static const int orders[N_ORDERS][DIMS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static double value(int64_t i, int64_t salt) { return (double)((i * 7919 + salt * 104729) % 7 - 3); }

/* An operand of shape size, 1 along the dims of `once`, whose elements lie in another order. */
typedef struct operand {
    tg_tensor leaf, view;
    int64_t stride[DIMS], numel; /* of the leaf, along the view's dims; 0 where it is broadcast */
    double *value, *grad;
} operand;

static operand operand_of(tg_tape *t, const int64_t *size, const int *order, unsigned once, int64_t salt) {
    operand o = {.numel = 1};
    tg_shape lies = {.ndim = DIMS};
    int back[DIMS];
    for (int k = DIMS - 1; k >= 0; k--) { /* the k-th dim of the leaf is the order[k]-th of the view */
        bool one = once >> order[k] & 1;
        lies.size[k] = one ? 1 : size[order[k]];
        o.stride[order[k]] = one ? 0 : o.numel;
        o.numel *= lies.size[k];
        back[order[k]] = k;
    }
    o.value = malloc((size_t)o.numel * sizeof *o.value);
    o.grad = calloc((size_t)o.numel, sizeof *o.grad);
    for (int64_t i = 0; i < o.numel; i++)
        o.value[i] = value(i, salt);
    o.leaf = wanting(tg_from_doubles(t, lies, o.value));
    o.view = tg_permute(o.leaf, TG_DIMS(back[0], back[1], back[2]));
    return o;
}

static int64_t place(const operand *o, const int64_t *at) {
    return at[0] * o->stride[0] + at[1] * o->stride[1] + at[2] * o->stride[2];
}

static void want(const char *what, tg_tensor x, const double *expected) {
    int64_t n = tg_numel(x), i = 0;
    double *got = malloc((size_t)n * sizeof *got);
    ck_assert_int_eq(tg_read_doubles(x, got, n), TG_OK);
    while (i < n && got[i] == expected[i])
        i++;
    ck_assert_msg(i == n, "%s: element %lld of %s is %g, not %g", what, (long long)i, tg_describe(x).s,
                  i < n ? got[i] : 0, i < n ? expected[i] : 0);
    free(got);
}

/* y = a b where a > 0, else a: what is gathered is a's and b's reals and a bool; da = b dy or dy, db = a dy or 0. */
static void check(tg_dtype dtype, const int64_t *size, const int *order, unsigned once, bool again) {
    tg_tape *t = tg_tape_new(dtype);
    operand a = operand_of(t, size, order, 0, 1), b = operand_of(t, size, orders[5], once, 2);
    int64_t n = size[0] * size[1] * size[2], i = 0;
    double *y = malloc((size_t)n * sizeof *y), *dy = malloc((size_t)n * sizeof *dy);
    tg_tensor positive = tg_gt(a.view, tg_scalar(t, 0));
    tg_tensor product = tg_mul(a.view, b.view), out = tg_where(positive, product, a.view);
    for (int64_t at[DIMS] = {0}; at[0] < size[0]; at[0]++)
        for (at[1] = 0; at[1] < size[1]; at[1]++)
            for (at[2] = 0; at[2] < size[2]; at[2]++, i++) {
                double x = a.value[place(&a, at)], w = b.value[place(&b, at)];
                dy[i] = value(i, 3) * (again ? 2 : 1);
                y[i] = x > 0 ? x * w : x;
                a.grad[place(&a, at)] += x > 0 ? w * dy[i] : dy[i];
                b.grad[place(&b, at)] += x > 0 ? x * dy[i] : 0;
            }
    want("y", out, y);
    for (int64_t k = 0; k < n && again; k++)
        dy[k] /= 2;
    for (int times = 0; times <= again; times++)
        ck_assert_int_eq(tg_backward_with(out, tg_from_doubles(t, TG_SHAPE(size[0], size[1], size[2]), dy)), TG_OK);
    want("da", tg_grad(a.leaf), a.grad);
    want("db", tg_grad(b.leaf), b.grad);
    WANT_OK(t);
    tg_tape_free(t);
    free(y), free(dy), free(a.value), free(a.grad), free(b.value), free(b.grad);
}

START_TEST(operands_in_any_order_of_dims_broadcast)
{
    for (int order = 0; order < N_ORDERS; order++)
        for (unsigned once = 0; once < 8; once++) {
            tg_set_threads(1 + order % 3);
            check(order % 2 ? TG_F32 : TG_F64, shapes[_i], orders[order], once, once % 2);
            check(order % 2 ? TG_F64 : TG_F32, shapes[_i], orders[order], once, false);
        }
}
END_TEST

/* y = a^2, da = 2 a dy, or y = -a, whose gradient reads nothing; a < 1 as bools, and what is not, transposed. */
static void check_one(tg_dtype dtype, const int64_t *size, const int *order, bool squared) {
    tg_tape *t = tg_tape_new(dtype);
    operand a = operand_of(t, size, order, 0, 1);
    int64_t n = size[0] * size[1] * size[2], i = 0;
    double *y = malloc((size_t)n * sizeof *y), *dy = malloc((size_t)n * sizeof *dy);
    double *less = malloc((size_t)n * sizeof *less);
    for (int64_t at[DIMS] = {0}; at[0] < size[0]; at[0]++)
        for (at[1] = 0; at[1] < size[1]; at[1]++)
            for (at[2] = 0; at[2] < size[2]; at[2]++, i++) {
                double x = a.value[place(&a, at)];
                dy[i] = value(i, 3);
                y[i] = squared ? x * x : -x;
                less[i] = x < 1;
                a.grad[place(&a, at)] = 2 * (squared ? 2 * x * dy[i] : -dy[i]);
            }
    tg_tensor out = squared ? tg_square(a.view) : tg_neg(a.view);
    want("y", out, y);
    tg_tensor bools = tg_lt(a.view, tg_scalar(t, 1)), more = tg_logical_not(tg_transpose(bools, 0, 2));
    want("a < 1", bools, less);
    want("a < 1 again", tg_logical_not(tg_transpose(more, 0, 2)), less);
    for (int times = 0; times < 2; times++)
        ck_assert_int_eq(tg_backward_with(out, tg_from_doubles(t, TG_SHAPE(size[0], size[1], size[2]), dy)), TG_OK);
    want("da", tg_grad(a.leaf), a.grad);
    WANT_OK(t);
    tg_tape_free(t);
    free(y), free(dy), free(less), free(a.value), free(a.grad);
}

START_TEST(one_operand_in_any_order_of_dims)
{
    for (int order = 0; order < N_ORDERS; order++)
        for (int type = 0; type < 2; type++) {
            tg_set_threads(1 + order % 3);
            check_one(type ? TG_F32 : TG_F64, shapes[_i], orders[order], true);
            check_one(type ? TG_F32 : TG_F64, shapes[_i], orders[order], false);
        }
}
END_TEST

/* Sums over rows, columns and all, of numbers that are no whole ones: in an order of their own. */
START_TEST(threads_do_not_show_in_sums)
{
    static const int64_t small[][2] = {{1, 700}, {600, 1}, {1, 1}};
    float first[3][700], again[3][700];
    for (int threads = 1; threads <= 4; threads++)
        for (int k = 0; k < 3; k++) {
            tg_tape *t = tg_tape_new(TG_F32);
            tg_set_threads(threads);
            tg_manual_seed(t, 5);
            tg_tensor b = wanting(tg_randn(t, TG_SHAPE(small[k][0], small[k][1])));
            tg_tensor y = tg_mul(wanting(tg_randn(t, TG_SHAPE(600, 700))), b);
            ck_assert_int_eq(tg_backward_with(y, tg_randn(t, TG_SHAPE(600, 700))), TG_OK);
            size_t bytes = (size_t)tg_numel(b) * sizeof(float);
            memcpy(threads == 1 ? first[k] : again[k], tg_grad_data(b), bytes);
            ck_assert_msg(threads == 1 || memcmp(first[k], again[k], bytes) == 0, "sum %d, %d threads", k, threads);
            tg_tape_free(t);
        }
    tg_set_threads(0);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("tiles");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, operands_in_any_order_of_dims_broadcast, 0, N_SHAPES);
    tcase_add_loop_test(c, one_operand_in_any_order_of_dims, 0, N_SHAPES);
    tcase_add_test(c, threads_do_not_show_in_sums);
    return run_suite("tiles", c);
}
