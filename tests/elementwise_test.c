/* Elementwise operations: special values are PyTorch's, operands of every layout give the same result, unusable ones
 * are errors. */
#include "tests/support.h"

static tg_tensor pow_0(tg_tensor x) { return tg_pow(x, 0); }
static tg_tensor pow_1(tg_tensor x) { return tg_pow(x, 1); }
static tg_tensor pow_2(tg_tensor x) { return tg_pow(x, 2); }
static tg_tensor pow_half(tg_tensor x) { return tg_pow(x, 0.5); }
static tg_tensor pow_minus_1(tg_tensor x) { return tg_pow(x, -1); }
static tg_tensor clamp(tg_tensor x) { return tg_clamp(x, -1, 2); }
static tg_tensor clamp_crossed(tg_tensor x) { return tg_clamp(x, 2, -1); }
static tg_tensor leaky_relu(tg_tensor x) { return tg_leaky_relu(x, 0.25); }
static tg_tensor elu(tg_tensor x) { return tg_elu(x, 1.5); }
static tg_tensor rdiv(tg_tensor x) { return tg_rdiv_scalar(3, x); }

#include "tests/golden/elementwise.h"

static tg_tensor leaf(tg_tape *t, tg_shape shape, const double *values) {
    return tg_set_requires_grad(tg_from_doubles(t, shape, values), true);
}

static void expect_values(const char *what, tg_tensor x, const double *expected, int n) {
    double v[64], tolerance = tg_dtype_of(x) == TG_F64 ? 1e-14 : 1e-6;
    ck_assert_int_le(n, 64);
    ck_assert_msg(tg_read_doubles(x, v, n) == TG_OK, "%s: %s", what, tg_error(x.tape));
    for (int i = 0; i < n; i++) {
        double e = expected[i];
        bool same = isnan(e) ? isnan(v[i]) : v[i] == e || fabs(v[i] - e) <= tolerance * fmax(1, fabs(e));
        ck_assert_msg(same, "%s: element %d is %.17g, not %.17g", what, i, v[i], e);
    }
}

static void expect_error(tg_tensor y, tg_tape *t, tg_status status, const char *words) {
    ck_assert(tg_is_null(y));
    ck_assert_int_eq(tg_tape_status(t), status);
    ck_assert_msg(strstr(tg_error(t), words) != NULL, "'%s' does not say '%s'", tg_error(t), words);
    tg_clear_error(t);
}

/* ---- special values ---- */

static void check_unary(const struct unary_corners *c, tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor x = leaf(t, TG_SHAPE(N_CORNERS), c->x), y = c->op(x);
    expect_values(c->name, y, c->y, N_CORNERS);
    ck_assert_int_eq(tg_backward_with(y, tg_full(t, TG_SHAPE(N_CORNERS), 2)), TG_OK);
    expect_values(c->name, tg_grad(x), c->dx, N_CORNERS);
    tg_tape_free(t);
}

START_TEST(special_values_are_pytorchs)
{
    check_unary(&unary_corners[_i], TG_F64);
    check_unary(&unary_corners[_i], TG_F32);
}
END_TEST

static void check_binary(const struct binary_corners *c, tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_tensor a = leaf(t, TG_SHAPE(N_CORNERS), c->a), b = leaf(t, TG_SHAPE(N_CORNERS), c->b), y = c->op(a, b);
    expect_values(c->name, y, c->y, N_CORNERS);
    ck_assert_int_eq(tg_backward_with(y, tg_full(t, TG_SHAPE(N_CORNERS), 2)), TG_OK);
    expect_values(c->name, tg_grad(a), c->da, N_CORNERS);
    expect_values(c->name, tg_grad(b), c->db, N_CORNERS);
    tg_tape_free(t);
}

START_TEST(special_values_of_two_operands_are_pytorchs)
{
    check_binary(&binary_corners[_i], TG_F64);
    check_binary(&binary_corners[_i], TG_F32);
}
END_TEST

START_TEST(clamp_passes_the_gradient_at_its_bounds)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = leaf(t, TG_SHAPE(4), (double[]){-1, 2, -1.5, 2.5}), y = clamp(x);
    ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_OK);
    expect_values("clamp", tg_grad(x), (double[]){1, 1, 0, 0}, 4);
    tg_tensor z = leaf(t, TG_SHAPE(2), (double[]){NAN, 1}), dz;
    ck_assert_int_eq(tg_gradients(tg_sum(clamp(z), TG_ALL_DIMS, false), TG_NULL, &z, 1, &dz), TG_OK);
    expect_values("clamp of NaN", dz, (double[]){0, 1}, 2);
    ck_assert_int_eq(tg_gradients(tg_sum(tg_clamp(z, 1, 1), TG_ALL_DIMS, false), TG_NULL, &z, 1, &dz), TG_OK);
    expect_values("clamp to one value", dz, (double[]){0, 0}, 2);
    tg_tape_free(t);
}
END_TEST

/* As PyTorch has them: of zeros of both signs the first bounds nothing, and the second is the larger and the smaller.
 */
START_TEST(a_zero_keeps_its_sign)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor minus = leaf(t, TG_SHAPE(1), (double[]){-0.0}), plus = leaf(t, TG_SHAPE(1), (double[]){0});
    ck_assert(signbit(tg_item(tg_clamp(minus, 0, 1))) && !signbit(tg_item(tg_clamp(plus, -0.0, 1))));
    ck_assert(signbit(tg_item(tg_maximum(plus, minus))) && !signbit(tg_item(tg_minimum(minus, plus))));
    tg_tape_free(t);
}
END_TEST

START_TEST(flip_and_roll_reach_the_first_and_the_last_dim)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = leaf(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 1, 2), (double[]){1, 2});
    expect_values("flip", tg_flip(x, TG_DIMS(7)), (double[]){2, 1}, 2);
    expect_values("roll", tg_roll(leaf(t, TG_SHAPE(3), (double[]){1, 2, 3}), 1, 0), (double[]){3, 1, 2}, 3);
    tg_tape_free(t);
}
END_TEST

START_TEST(scalar_forms_are_arithmetic)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_from_doubles(t, TG_SHAPE(2), (double[]){5, -2});
    expect_values("x + 3", tg_add_scalar(x, 3), (double[]){8, 1}, 2);
    expect_values("x - 3", tg_sub_scalar(x, 3), (double[]){2, -5}, 2);
    expect_values("3 - x", tg_rsub_scalar(3, x), (double[]){-2, 5}, 2);
    expect_values("3 x", tg_mul_scalar(x, 3), (double[]){15, -6}, 2);
    expect_values("x / 4", tg_div_scalar(x, 4), (double[]){1.25, -0.5}, 2);
    expect_values("3 / x", tg_rdiv_scalar(3, x), (double[]){0.6, -1.5}, 2);
    tg_tape_free(t);
}
END_TEST

/* ---- how operands lie ---- */

static int64_t below(tg_tape *t, int64_t n) { return (int64_t)(tg_rng_random(&t->rng) % (uint64_t)n); }

/* A random tensor of this shape: plain, transposed, every other element, or expanded. */
static tg_tensor lying_somehow(tg_tape *t, tg_shape shape) {
    int last = shape.ndim - 1;
    if (last < 0)
        return tg_probe_leaf(t, shape);
    tg_shape stored = shape;
    switch (below(t, 4)) {
    case 0: return tg_probe_leaf(t, shape);
    case 1:
        stored.size[0] = shape.size[last];
        stored.size[last] = shape.size[0];
        return tg_transpose(tg_probe_leaf(t, stored), 0, -1);
    case 2:
        stored.size[last] = shape.size[last] * 2;
        return tg_slice(tg_probe_leaf(t, stored), -1, 1, stored.size[last], 2);
    default: stored.size[below(t, shape.ndim)] = 1; return tg_expand(tg_probe_leaf(t, stored), shape);
    }
}

/* A shape that broadcasts to out: some trailing dims, some of them 1. */
static tg_shape smaller(tg_tape *t, const tg_shape *out) {
    tg_shape s = {.ndim = (int)below(t, out->ndim + 1)};
    for (int i = 0; i < s.ndim; i++)
        s.size[i] = below(t, 3) ? out->size[out->ndim - s.ndim + i] : 1;
    return s;
}

/* The element of x, given in row-major order, that the j-th of shape out reads. */
static double element(const double *x, const tg_shape *shape, const tg_shape *out, int64_t j) {
    int64_t at = 0, step = 1;
    for (int i = out->ndim - 1, k = shape->ndim - 1; k >= 0; i--, k--) {
        at += shape->size[k] == 1 ? 0 : j % out->size[i] * step;
        j /= out->size[i];
        step *= shape->size[k];
    }
    return x[at];
}

enum { MOST = 7 * 7 * 7 };

START_TEST(operands_of_any_layout_broadcast)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 3, 7};
    tg_tape *t = seeded_tape(TG_F64, (uint64_t)_i);
    tg_mark start = tg_tape_mark(t);
    tg_shape out = {.ndim = (int)below(t, 4)};
    for (int i = 0; i < out.ndim; i++)
        out.size[i] = sizes[below(t, 6)];
    tg_tensor x[3] = {lying_somehow(t, smaller(t, &out)), lying_somehow(t, smaller(t, &out)), lying_somehow(t, out)};
    tg_tensor y = tg_where(tg_gt(x[0], tg_scalar(t, 0)), tg_mul(x[1], x[2]), tg_sub(x[2], x[1]));
    ck_assert_msg(!tg_is_null(y), "%s", tg_error(t));
    double in[3][MOST], got[MOST];
    tg_shape shape[3];
    for (int i = 0; i < 3; i++) {
        shape[i] = tg_shape_of(x[i]);
        ck_assert_int_eq(tg_read_doubles(x[i], in[i], tg_numel(x[i])), TG_OK);
    }
    ck_assert_int_eq(tg_read_doubles(y, got, tg_numel(y)), TG_OK);
    for (int64_t j = 0; j < tg_numel(y); j++) {
        double c = element(in[0], &shape[0], &out, j), b = element(in[1], &shape[1], &out, j), a = in[2][j];
        ck_assert_double_eq(got[j], c > 0 ? b * a : a - b);
    }
    tg_tensor smooth = tg_add(tg_mul(x[0], x[1]), tg_div(x[2], tg_add_scalar(tg_square(x[1]), 1)));
    numeric_check n = check_gradient(t, start, smooth);
    ck_assert_msg(n.worst <= 1e-7, "%s", n.where);
    tg_tape_free(t);
}
END_TEST

static void expect_gradient(tg_tape *t, tg_mark start, tg_tensor y) {
    numeric_check n = check_gradient(t, start, y);
    ck_assert_msg(n.worst <= 1e-7, "%s", n.where);
    tg_tape_free(t);
}

START_TEST(one_tensor_may_be_both_operands)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_mark start = tg_tape_mark(t);
    tg_tensor x = tg_probe_away(t, TG_SHAPE(3, 3)), xt = tg_transpose(x, 0, 1);
    tg_tensor y = tg_add(tg_mul(x, x), tg_mul(xt, x));
    y = tg_sub(tg_div(y, xt), tg_mul(tg_expand(tg_slice(xt, 0, 0, 1, 1), TG_SHAPE(3, 3)), x));
    expect_gradient(t, start, y);
}
END_TEST

/* torch.var([3.]), torch.var([1., 2.], correction=3), torch.var([1., 1.], correction=2), torch.std([1., 2.],
 * correction=2) */
START_TEST(variances_without_degrees_of_freedom_are_pytorchs)
{
    tg_tape *t = tg_tape_new(TG_F64);
    const double one[] = {3}, two[] = {1, 2}, same[] = {1, 1};
    ck_assert(isnan(tg_item(tg_var(leaf(t, TG_SHAPE(1), one), TG_DIMS(0), 1, false))));
    ck_assert(tg_item(tg_var(leaf(t, TG_SHAPE(2), two), TG_DIMS(0), 3, false)) == (double)INFINITY);
    ck_assert(isnan(tg_item(tg_var(leaf(t, TG_SHAPE(2), same), TG_DIMS(0), 2, false))));
    ck_assert(tg_item(tg_std(leaf(t, TG_SHAPE(2), two), TG_DIMS(0), 2, false)) == (double)INFINITY);
    tg_tape_free(t);
}
END_TEST

/* Powers of two, whose products are exact. The zeros' gradients are PyTorch's; where its products overflow on the way
 * (torch.tensor([2**100, 2**100, 2**-100, 2**-100]).prod() is inf) they are arithmetic's. */
START_TEST(a_product_may_leave_the_range_on_the_way)
{
    const double far[] = {0x1p100, 0x1p700}; /* their squares overflow */
    for (tg_dtype dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double h = far[dtype], all[][4] = {{h, h, 1 / h, 1 / h}, {1 / h, 1 / h, h, h}, {0, h, h, 0}, {h, h, 1 / h, 0}};
        double want[][5] = {{1, 1 / h, 1 / h, h, h}, {1, h, h, 1 / h, 1 / h}, {0}, {0, 0, 0, 0, h}};
        for (int i = 0; i < 4; i++) {
            tg_tape *t = tg_tape_new(dtype);
            tg_tensor x = wanting(leaf(t, TG_SHAPE(4), all[i])), y = tg_prod(x, TG_DIMS(0), false);
            ck_assert_double_eq(tg_item(y), want[i][0]);
            run_backward(y);
            double got[4];
            ck_assert_int_eq(tg_read_doubles(tg_grad(x), got, 4), TG_OK);
            for (int j = 0; j < 4; j++)
                ck_assert_msg(got[j] == want[i][j + 1], "%d: gradient %d is %g", i, j, got[j]);
            tg_tape_free(t);
        }
    }
}
END_TEST

START_TEST(a_product_may_be_too_small_on_the_way)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = tg_prod(leaf(t, TG_SHAPE(3), (double[]){0x1p-1074, 0.5, 2}), TG_DIMS(0), false);
    ck_assert(tg_item(y) == 0x1p-1074); /* the least there is; half of it is 0 */
    tg_tape_free(t);
}
END_TEST

/* What is not finite stays so: 0 times inf is NaN, as it is element by element. */
START_TEST(a_product_with_an_infinity_is_ieees)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = wanting(VECTOR(t, 2, INFINITY, 0)), y = tg_prod(x, TG_DIMS(0), false);
    ck_assert(isnan(tg_item(y)));
    run_backward(y);
    double dx[3];
    ck_assert_int_eq(tg_read_doubles(tg_grad(x), dx, 3), TG_OK);
    ck_assert(isnan(dx[0]) && dx[1] == 0 && dx[2] == (double)INFINITY);
    tg_tape_free(t);
}
END_TEST

/* Beside an infinity the sizes of other numbers are of no account, whatever their product would overflow or underflow
 * to on the way; what is infinite itself has the product of the others, dy among them. */
START_TEST(a_gradient_beside_an_infinity_does_not_leave_the_range)
{
    const double far[] = {0x1p100, 0x1p700}, inf = INFINITY;
    for (tg_dtype dtype = TG_F32; dtype <= TG_F64; dtype++) {
        double h = far[dtype], all[][5] = {{h, h, 1 / h, 1 / h, inf},
                                           {1 / h, 1 / h, inf, -h, h},
                                           {h, h, h, inf, inf},
                                           {1 / h, 1 / h, 1 / h, -1, 1 / h}};
        double dy[] = {2, 2, -1, inf};
        double want[][5] = {{inf, inf, inf, inf, 2},
                            {-inf, -inf, -2, inf, -inf},
                            {-inf, -inf, -inf, -inf, -inf},
                            {-inf, -inf, -inf, inf, -inf}};
        for (int i = 0; i < 4; i++) {
            tg_tape *t = tg_tape_new(dtype);
            tg_tensor x = wanting(leaf(t, TG_SHAPE(5), all[i])), y = tg_prod(x, TG_DIMS(0), false);
            ck_assert_int_eq(tg_backward_with(y, leaf(t, TG_SCALAR, &dy[i])), TG_OK);
            double got[5];
            ck_assert_int_eq(tg_read_doubles(tg_grad(x), got, 5), TG_OK);
            for (int j = 0; j < 5; j++)
                ck_assert_msg(got[j] == want[i][j], "%d: gradient %d is %g", i, j, got[j]);
            tg_tape_free(t);
        }
    }
}
END_TEST

/* Every second column of a matrix is no row to be read as it lies: the product is that of a copy. */
START_TEST(products_of_large_views_are_those_of_copies)
{
    static const int64_t rows[] = {2, 7, 96};
    for (int i = 0; i < 3; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor a = tg_randn(t, TG_SHAPE(rows[i], 90)), b = tg_randn(t, TG_SHAPE(180, 260));
        tg_tensor v = tg_slice(tg_slice(b, 0, 0, 180, 2), 1, 0, 260, 2);
        tg_tensor apart = tg_abs(tg_sub(tg_matmul(a, v), tg_matmul(a, tg_clone(v))));
        ck_assert_double_le(tg_item(tg_amax(apart, TG_ALL_DIMS, false)), 1e-12);
        tg_tape_free(t);
    }
}
END_TEST

static tg_tensor slice_of_columns(tg_tensor x) { return tg_transpose(tg_slice(x, 1, 3, 190, 2), 0, 1); }
static tg_tensor turn(tg_tensor x) { return tg_permute(tg_reshape(x, TG_SHAPE(7, 23, 190)), TG_DIMS(2, 0, 1)); }
static tg_tensor whole(tg_tensor x) { return tg_transpose(x, 0, 1); }

/* Of operations that read x, y or neither, with one gradient and with a second one added to it, at sizes that are no
 * multiples of a tile's. */
START_TEST(gradients_of_transposed_views_are_those_of_copies)
{
    tg_tensor (*const views[])(tg_tensor) = {whole, slice_of_columns, turn};
    tg_tensor (*const unary[])(tg_tensor) = {tg_square, tg_silu, tg_relu, tg_neg};
    for (int c = 0; c < 48; c++) {
        tg_tape *t = tg_tape_new(c % 2 ? TG_F32 : TG_F64);
        bool twice = c / 2 % 2;
        tg_tensor (*f)(tg_tensor) = unary[c / 4 % 4], (*view)(tg_tensor) = views[c / 16];
        tg_tensor x = tg_randn(t, TG_SHAPE(161, 190)), copy = tg_zeros(t, tg_shape_of(view(x)));
        ck_assert_int_eq(tg_copy_(copy, view(x)), TG_OK);
        x = wanting(x), copy = wanting(copy);
        tg_tensor dy = tg_randn(t, tg_shape_of(copy)), operands[] = {view(x), copy};
        for (int k = 0; k < 2; k++) {
            tg_tensor y = f(operands[k]);
            y = twice ? tg_add(y, f(operands[k])) : y;
            ck_assert_msg(tg_backward_with(y, dy) == TG_OK, "%s", tg_error(t));
        }
        tg_tensor apart = tg_abs(tg_sub(view(tg_detach(tg_grad(x))), tg_detach(tg_grad(copy))));
        ck_assert_msg(tg_item(tg_amax(apart, TG_ALL_DIMS, false)) == 0, "case %d", c);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(tensors_longer_than_a_chunk_have_right_gradients)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_mark start = tg_tape_mark(t);
    tg_tensor column = tg_probe_leaf(t, TG_SHAPE(700, 1)), row = tg_probe_leaf(t, TG_SHAPE(3));
    expect_gradient(t, start, tg_mul(tg_add(column, row), tg_transpose(tg_probe_leaf(t, TG_SHAPE(3, 700)), 0, 1)));
}
END_TEST

static int do_nothing(const tg_call *call) {
    (void)call;
    return 0;
}
static const tg_custom_op nothing = {"nothing", do_nothing, do_nothing, do_nothing, do_nothing};

/* An empty gradient's block went back to the pool twice, and was then given out twice. */
START_TEST(empty_gradients_keep_their_memory_apart)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(3, 0)), true);
    tg_tensor e = tg_exp(x), y = tg_custom(&nothing, &e, 1, TG_SHAPE(3, 0), NULL, 0);
    ck_assert_msg(tg_backward(tg_sum(y, TG_ALL_DIMS, false)) == TG_OK, "%s", tg_error(t));
    void *block[4];
    for (int i = 0; i < 4; i++) {
        block[i] = tg_pool_get(t, 0);
        for (int k = 0; k < i; k++)
            ck_assert_ptr_ne(block[i], block[k]);
    }
    ck_assert(tg_is_contiguous(tg_transpose(x, 0, 1)));
    tg_tape_free(t);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(unusable_operands_are_errors)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_zeros(t, TG_SHAPE(2, 3)), y = tg_zeros(t, TG_SHAPE(2)), b = tg_to_bool(x);
    expect_error(tg_add(x, y), t, TG_ERR_SHAPE, "add: shapes (2, 3) and (2,) do not broadcast");
    expect_error(tg_where(b, x, y), t, TG_ERR_SHAPE, "where: ");
    expect_error(tg_where(x, x, x), t, TG_ERR_ARGUMENT, "where: operand 1 (2, 3) is float32, but must be bool");
    expect_error(tg_logical_not(x), t, TG_ERR_ARGUMENT, "must be bool");
    expect_error(tg_maximum(x, b), t, TG_ERR_ARGUMENT, "must be floating");
    expect_error(tg_sub(x, TG_NULL), t, TG_ERR_ARGUMENT, "sub: operand 2 is the null tensor");
    expect_error(tg_clamp(x, NAN, 1), t, TG_ERR_ARGUMENT, "clamp: a bound is NaN");
    tg_tape_free(t);
}
END_TEST

START_TEST(a_mask_must_not_enlarge)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor b = tg_to_bool(tg_zeros(t, TG_SHAPE(2, 3)));
    const char *words = "masked_fill: a mask of shape (2, 3) does not broadcast to";
    expect_error(tg_masked_fill(tg_zeros(t, TG_SHAPE(3)), b, 0), t, TG_ERR_SHAPE, words);
    expect_error(tg_masked_fill(tg_zeros(t, TG_SHAPE(2, 1)), b, 0), t, TG_ERR_SHAPE, words);
    expect_error(tg_masked_fill(tg_zeros(t, TG_SHAPE(0, 1, 3)), b, 0), t, TG_ERR_SHAPE, words);
    ck_assert(!tg_is_null(tg_masked_fill(tg_zeros(t, TG_SHAPE(0, 2, 3)), b, 0)));
    tg_tape_free(t);
}
END_TEST

/* PyTorch's: a dim that is not 1 stays. */
START_TEST(a_dim_that_is_not_1_is_not_squeezed)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_zeros(t, TG_SHAPE(2, 1, 3)), scalar = tg_scalar(t, 1);
    ck_assert_int_eq(tg_squeeze(x, 0).index, x.index);
    ck_assert_int_eq(tg_squeeze(x, -1).index, x.index);
    ck_assert_int_eq(tg_squeeze(scalar, 0).index, scalar.index);
    tg_tensor y = tg_squeeze(x, 1);
    ck_assert_int_eq(tg_ndim(y), 2);
    ck_assert(tg_size(y, 0) == 2 && tg_size(y, 1) == 3);
    WANT_OK(t);
    tg_tape_free(t);
}
END_TEST

/* torch.ones(2, 3).repeat(1 << 40, 0) is of shape (2 << 40, 0). 32-bit addresses allow sizes of 2^28 together. */
START_TEST(no_elements_may_be_repeated_often)
{
    int64_t often = (int64_t)1 << (sizeof(void *) > 4 ? 40 : 26);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = wanting(tg_ones(t, TG_SHAPE(2, 3))), y = tg_repeat(x, TG_SHAPE(often, 0));
    WANT_OK(t);
    ck_assert_int_eq(tg_size(y, 0), 2 * often);
    ck_assert_int_eq(tg_size(y, 1), 0);
    run_backward(total(y));
    WANT_GRAD(x, 0, 0, 0, 0, 0, 0);
    tg_tape_free(t);
}
END_TEST

/* y = x x^T elementwise, longer than a chunk: dx = (dy + dy^T) x^T. */
START_TEST(a_tensor_may_be_multiplied_by_its_own_transpose)
{
    enum { N = 67 };
    static double x[N * N], dy[N * N], dx[N * N];
    for (int i = 0; i < N * N; i++) {
        x[i] = i % 13 - 6;
        dy[i] = i % 7 - 3;
    }
    for (int threads = 1; threads <= 4; threads += 3) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_set_threads(threads);
        tg_tensor leaf_x = leaf(t, TG_SHAPE(N, N), x), y = tg_mul(leaf_x, tg_transpose(leaf_x, 0, 1));
        ck_assert_int_eq(tg_backward_with(y, tg_from_doubles(t, TG_SHAPE(N, N), dy)), TG_OK);
        ck_assert_int_eq(tg_read_doubles(tg_grad(leaf_x), dx, N * N), TG_OK);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                ck_assert_double_eq(dx[i * N + j], (dy[i * N + j] + dy[j * N + i]) * x[j * N + i]);
        tg_tape_free(t);
    }
}
END_TEST

/* y = x w, x with as many rows as several threads share: dw = the sum of the rows of dy x. */
/* dx[j][i] = sum of dy[k][i][j], where x's own gradient, transposed, is only added to. */
START_TEST(a_transposed_operand_is_broadcast)
{
    enum { K = 5, I = 3, J = 4 };
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", tg_zeros(t, TG_SHAPE(J, I))),
              dy = tg_reshape(tg_to_float(tg_arange(t, K * I * J)), TG_SHAPE(K, I, J));
    double got[J * I];
    ck_assert_int_eq(tg_backward_with(tg_add(tg_transpose(x, 0, 1), tg_zeros(t, TG_SHAPE(K, I, J))), dy), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_grad(x), got, J * I), TG_OK);
    for (int i = 0; i < I; i++)
        for (int j = 0; j < J; j++) {
            int sum = 0;
            for (int k = 0; k < K; k++)
                sum += (k * I + i) * J + j;
            ck_assert_double_eq(got[j * I + i], sum);
        }
    tg_tape_free(t);
}
END_TEST

START_TEST(threads_do_not_meet_in_a_broadcast_gradient)
{
    enum { ROWS = 4096, COLUMNS = 16, TIMES = 20 };
    static double x[ROWS * COLUMNS];
    double w[COLUMNS], dw[COLUMNS], sum[COLUMNS] = {0};
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        x[i] = i % 1013;
        sum[i % COLUMNS] += x[i];
        w[i % COLUMNS] = i % COLUMNS;
    }
    tg_set_threads(4);
    for (int time = 0; time < TIMES; time++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor leaf_w = leaf(t, TG_SHAPE(COLUMNS), w);
        ck_assert_int_eq(tg_backward(total(tg_mul(leaf(t, TG_SHAPE(ROWS, COLUMNS), x), leaf_w))), TG_OK);
        ck_assert_int_eq(tg_read_doubles(tg_grad(leaf_w), dw, COLUMNS), TG_OK);
        for (int j = 0; j < COLUMNS; j++)
            ck_assert_double_eq(dw[j], sum[j]);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("elementwise");
    tcase_add_loop_test(c, special_values_are_pytorchs, 0, sizeof unary_corners / sizeof *unary_corners);
    tcase_add_loop_test(c, special_values_of_two_operands_are_pytorchs, 0,
                        sizeof binary_corners / sizeof *binary_corners);
    tcase_add_test(c, clamp_passes_the_gradient_at_its_bounds);
    tcase_add_test(c, a_zero_keeps_its_sign);
    tcase_add_test(c, flip_and_roll_reach_the_first_and_the_last_dim);
    tcase_add_test(c, scalar_forms_are_arithmetic);
    tcase_add_loop_test(c, operands_of_any_layout_broadcast, 0, 100);
    tcase_add_test(c, one_tensor_may_be_both_operands);
    tcase_add_test(c, variances_without_degrees_of_freedom_are_pytorchs);
    tcase_add_test(c, a_product_may_leave_the_range_on_the_way);
    tcase_add_test(c, a_product_may_be_too_small_on_the_way);
    tcase_add_test(c, a_product_with_an_infinity_is_ieees);
    tcase_add_test(c, a_gradient_beside_an_infinity_does_not_leave_the_range);
    tcase_add_test(c, products_of_large_views_are_those_of_copies);
    tcase_add_test(c, gradients_of_transposed_views_are_those_of_copies);
    tcase_add_test(c, tensors_longer_than_a_chunk_have_right_gradients);
    tcase_add_test(c, a_tensor_may_be_multiplied_by_its_own_transpose);
    tcase_add_test(c, a_transposed_operand_is_broadcast);
    tcase_add_test(c, threads_do_not_meet_in_a_broadcast_gradient);
    tcase_add_test(c, empty_gradients_keep_their_memory_apart);
    tcase_add_test(c, unusable_operands_are_errors);
    tcase_add_test(c, a_mask_must_not_enlarge);
    tcase_add_test(c, a_dim_that_is_not_1_is_not_squeezed);
    tcase_add_test(c, no_elements_may_be_repeated_often);
    return run_suite("elementwise", c);
}
