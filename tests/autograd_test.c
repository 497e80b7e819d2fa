/* Gradients follow these rules, a test for each, named after it; those of hooks are in hook_test.c. Expected values are
 * worked out by hand. */
#include "tests/support.h"

static tg_tape *t;

static void start(void) {
    t = tg_tape_new(TG_F64);
    ck_assert_ptr_nonnull(t);
}
static void stop(void) { tg_tape_free(t); }

/* sum(a b): da = b, db = a */
static tg_tensor dot(tg_tensor a, tg_tensor b) { return total(tg_mul(a, b)); }

/* ---- which tensors require a gradient ---- */

START_TEST(requires_grad_propagates)
{
    tg_tensor w = wanting(VECTOR(t, 1, 2)), d = VECTOR(t, 3, 4);
    ck_assert(!tg_requires_grad(d));
    ck_assert(!tg_requires_grad(tg_mul(d, d)));
    ck_assert(tg_requires_grad(tg_mul(d, w)));
    ck_assert(tg_requires_grad(tg_exp(tg_slice(tg_mul(w, d), 0, 0, 1, 1))));
    ck_assert(!tg_requires_grad(tg_gt(w, d)));
    ck_assert(tg_is_leaf(w) && !tg_is_leaf(tg_mul(w, d)));
    tg_tensor y = tg_mul(d, w);
    ck_assert(tg_is_null(tg_set_requires_grad(y, false)));
    WANT_ERROR(t, TG_ERR_STATE, "requires_grad", "(2,)", "mul", "only a leaf");
    ck_assert(tg_is_null(tg_set_requires_grad(tg_arange(t, 3), true)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "requires_grad", "(3,)", "int64");
}
END_TEST

/* Scores of two words: (x Wq) (x Wk)^T. Freezing one leaves the other's gradient as it was. */
START_TEST(freeze_query_train_key)
{
    tg_tensor x = MATRIX(t, 2, 2, 1, 2, 3, 4);
    tg_tensor wq = wanting(MATRIX(t, 2, 1, 5, 6)), wk = wanting(MATRIX(t, 2, 1, 7, 8));
    tg_set_requires_grad(wq, false);
    run_backward(total(tg_matmul(tg_matmul(x, wq), tg_transpose(tg_matmul(x, wk), 0, 1))));
    ck_assert(!tg_has_grad(wq));
    WANT_GRAD(wq, 0, 0);
    /* queries are 17 and 39; each key's share of the sum is 56: dWk = x^T (56, 56) */
    WANT_GRAD(wk, 224, 336);
}
END_TEST

START_TEST(a_leaf_frozen_after_use_gets_no_gradient)
{
    tg_tensor a = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), b = wanting(MATRIX(t, 2, 2, 5, 6, 7, 8));
    tg_tensor y = dot(tg_transpose(a, 0, 1), b), z = dot(a, tg_detach(b));
    tg_set_requires_grad(a, false);
    run_backward(y);
    ck_assert(!tg_has_grad(a));
    WANT_GRAD(b, 1, 3, 2, 4);
    ck_assert_int_eq(tg_backward(z), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "requires no gradient");
    tg_set_requires_grad(a, true);
    run_backward(z);
    WANT_GRAD(a, 5, 6, 7, 8);
}
END_TEST

START_TEST(a_leaf_frozen_when_used_gets_none_through_that_use)
{
    tg_tensor a = VECTOR(t, 1, 2), b = wanting(VECTOR(t, 3, 4));
    tg_tensor y = tg_add(dot(a, b), total(tg_exp(a)));
    tg_set_requires_grad(a, true);
    run_backward(y);
    ck_assert(!tg_has_grad(a));
    WANT_GRAD(b, 1, 2);
}
END_TEST

/* ---- accumulating and forgetting ---- */

START_TEST(gradients_accumulate_in_leaves_across_backwards)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), w = wanting(VECTOR(t, 4, 5, 6));
    run_backward(dot(x, w));
    WANT_GRAD(x, 4, 5, 6);
    run_backward(total(tg_square(x)));
    WANT_GRAD(x, 6, 9, 12);
    WANT_GRAD(w, 1, 2, 3);
}
END_TEST

START_TEST(gradients_accumulate_only_in_leaves)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x), g = tg_mul_scalar(h, 3), y = total(g);
    ck_assert_int_eq(tg_retain_grad(g), TG_OK);
    for (int i = 1; i <= 3; i++) {
        run_backward(y);
        WANT_GRAD(x, 6 * i, 12 * i);
        WANT_GRAD(g, 1, 1);
        ck_assert(!tg_has_grad(h) && !tg_has_grad(y));
    }
    tg_grad(h);
    WANT_ERROR(t, TG_ERR_STATE, "grad", "(2,)", "square", "tg_retain_grad");
}
END_TEST

START_TEST(zero_grad_forgets)
{
    tg_tensor x = wanting(MATRIX(t, 1, 2, 1, 2)), w = wanting(MATRIX(t, 1, 2, 3, 4));
    run_backward(dot(x, w));
    tg_zero_grad(x);
    ck_assert(!tg_has_grad(x) && tg_has_grad(w));
    WANT_GRAD(x, 0, 0);
    run_backward(dot(x, w));
    WANT_GRAD(x, 3, 4);
    WANT_GRAD(w, 2, 4);
    tg_zero_grads(t);
    ck_assert(!tg_has_grad(x) && !tg_has_grad(w));
    run_backward(dot(x, w));
    WANT_GRAD(x, 3, 4);
    tg_zero_grad(tg_transpose(x, 0, 1));
    WANT_ERROR(t, TG_ERR_STATE, "zero_grad", "(2, 1)", "transpose", "(1, 2)");
    ck_assert(tg_has_grad(x));
}
END_TEST

START_TEST(no_grad_scopes_nest)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_no_grad_begin(t);
    tg_no_grad_begin(t);
    ck_assert(!tg_requires_grad(tg_exp(x)));
    tg_no_grad_end(t);
    tg_tensor inside = tg_square(x);
    ck_assert(!tg_requires_grad(inside));
    ck_assert(!tg_requires_grad(tg_slice(x, 0, 0, 1, 1)));
    tg_no_grad_end(t);
    ck_assert(tg_requires_grad(tg_exp(x)));
    ck_assert_int_eq(tg_backward(total(inside)), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "requires no gradient", "no_grad");
    run_backward(dot(x, inside));
    WANT_GRAD(x, 1, 4);
    tg_no_grad_end(t);
    ck_assert_msg(tg_requires_grad(tg_exp(x)), "an end too many opens no scope");
    tg_no_grad_begin(t);
    ck_assert_msg(!tg_requires_grad(tg_exp(x)), "an end too many must not cancel a later begin");
    tg_no_grad_end(t);
}
END_TEST

START_TEST(detach_cuts_the_graph_and_shares_the_data)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), d = tg_detach(tg_transpose(x, 0, 1));
    run_backward(total(x));
    ck_assert(tg_has_grad(x) && !tg_has_grad(d) && !tg_has_grad(tg_detach(x)));
    tg_zero_grads(t);
    WANT_VALUES(d, 1, 3, 2, 4);
    ck_assert(!tg_requires_grad(d));
    run_backward(dot(tg_transpose(x, 0, 1), d));
    WANT_GRAD(x, 1, 2, 3, 4);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){9, 8, 7, 6}, 4), TG_OK);
    WANT_VALUES(d, 9, 7, 8, 6);
}
END_TEST

/* ---- the cotangent ---- */

START_TEST(backward_from_a_non_scalar_takes_a_cotangent)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), y = tg_square(x);
    ck_assert_int_eq(tg_backward_with(y, MATRIX(t, 2, 2, 1, 10, 100, 1000)), TG_OK);
    WANT_GRAD(x, 2, 40, 600, 8000);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward_with(y, tg_transpose(MATRIX(t, 2, 2, 1, 10, 100, 1000), 0, 1)), TG_OK);
    WANT_GRAD(x, 2, 400, 60, 8000);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward_with(tg_transpose(y, 0, 1), MATRIX(t, 2, 2, 1, 10, 100, 1000)), TG_OK);
    WANT_GRAD(x, 2, 400, 60, 8000);
    tg_zero_grads(t);
    tg_tensor turned = tg_transpose(MATRIX(t, 2, 2, 1, 10, 100, 1000), 0, 1);
    ck_assert_int_eq(tg_backward_with(tg_transpose(y, 0, 1), turned), TG_OK);
    WANT_GRAD(x, 2, 40, 600, 8000);
    ck_assert_int_eq(tg_backward_with(tg_transpose(x, 0, 1), turned), TG_OK);
    WANT_GRAD(x, 3, 50, 700, 9000);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward_with(x, MATRIX(t, 2, 2, 1, 2, 3, 4)), TG_OK);
    WANT_GRAD(x, 1, 2, 3, 4);
    run_backward(tg_slice(tg_slice(y, 0, 1, 2, 1), 1, 1, 2, 1));
    WANT_GRAD(x, 1, 2, 3, 12);
}
END_TEST

START_TEST(backward_from_a_non_scalar_without_a_cotangent_is_an_error)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), y = tg_square(x);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "(2, 2)", "not a scalar", "tg_backward_with");
    ck_assert_int_eq(tg_backward_with(y, VECTOR(t, 1, 2, 3, 4)), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "backward", "(4,)", "(2, 2)");
    ck_assert_int_eq(tg_backward_with(y, TG_NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "backward", "(2, 2)", "null");
    ck_assert(!tg_has_grad(x));
}
END_TEST

/* ---- using things again ---- */

START_TEST(a_second_backward_over_the_same_graph_is_right)
{
    tg_tensor x = wanting(VECTOR(t, 2, 3)), h = tg_square(x), y = dot(h, tg_slice(tg_mul(h, x), 0, 0, 2, 1));
    /* y = sum x^5 */
    run_backward(y);
    WANT_GRAD(x, 80, 405);
    run_backward(y);
    WANT_GRAD(x, 160, 810);
    tg_zero_grads(t);
    run_backward(y);
    WANT_GRAD(x, 80, 405);
    run_backward(total(h));
    WANT_GRAD(x, 84, 411);
}
END_TEST

START_TEST(backwards_of_two_results_in_turn_are_right)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3, 4));
    tg_tensor y = dot(x, x), z = dot(x, w);
    run_backward(y);
    run_backward(z);
    run_backward(y);
    WANT_GRAD(x, 2 + 3 + 2, 4 + 4 + 4);
    WANT_GRAD(w, 1, 2);
}
END_TEST

START_TEST(a_graph_recorded_where_another_was_gets_its_own_backward)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3, 4)), c = VECTOR(t, 5, 6);
    tg_mark mark = tg_tape_mark(t);
    tg_square(w);
    run_backward(dot(x, c));
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    run_backward(dot(tg_square(w), c));
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    WANT_GRAD(x, 5, 6);
    WANT_GRAD(w, 30, 48);
}
END_TEST

START_TEST(a_tensor_used_several_times_sums_its_gradients)
{
    tg_tensor x = wanting(VECTOR(t, 2, 3));
    run_backward(total(tg_mul(tg_mul(x, x), tg_add(x, x)))); /* 2 x^3 */
    WANT_GRAD(x, 24, 54);
    tg_tensor m = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4));
    run_backward(dot(m, tg_transpose(m, 0, 1))); /* each element's gradient: twice its mirror image */
    WANT_GRAD(m, 2, 6, 4, 8);
    tg_tensor v = wanting(VECTOR(t, 1, 2, 3));
    run_backward(dot(tg_slice(v, 0, 0, 2, 1), tg_slice(v, 0, 1, 3, 1))); /* 1*2 + 2*3 */
    WANT_GRAD(v, 2, 4, 2);
    tg_tensor s = wanting(VECTOR(t, 5)), e = tg_expand(s, TG_SHAPE(3));
    run_backward(dot(e, e)); /* 3 s^2 */
    WANT_GRAD(s, 30);
}
END_TEST

START_TEST(a_leaf_the_loss_does_not_depend_on_has_no_gradient)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), other = wanting(VECTOR(t, 3, 4)), unused = tg_exp(other);
    run_backward(total(tg_square(x)));
    ck_assert(!tg_has_grad(other));
    WANT_GRAD(other, 0, 0);
    ck_assert_int_eq(tg_write_grad(other, (double[]){7, 8}, 2), TG_OK);
    run_backward(total(tg_square(x)));
    WANT_GRAD(other, 7, 8);
    ck_assert(tg_requires_grad(unused));
}
END_TEST

/* More parts than a node has inputs: 0, 1, ..., n-1 in shapes of their own, and the gradient that gives each its place.
 */
START_TEST(any_number_of_parts_can_be_joined)
{
    enum { N = 70000, LEAVES = 600 };
    tg_tensor *part = calloc(N, sizeof *part), ramp = tg_to_float(tg_arange(t, 2 * N));
    for (int i = 0; i < N; i++)
        part[i] = i < LEAVES ? tg_set_requires_grad(tg_full(t, TG_SHAPE(2, 1), i), true) : part[i % LEAVES];
    tg_tensor y = tg_cat(part, LEAVES, -1), z = tg_stack(part, LEAVES, 1);
    WANT_OK(t);
    ck_assert(tg_ndim(y) == 2 && tg_size(y, 0) == 2 && tg_size(y, 1) == LEAVES);
    ck_assert(tg_ndim(z) == 3 && tg_size(z, 1) == LEAVES && tg_size(z, 2) == 1);
    for (int i = 0; i < 2 * LEAVES; i++)
        ck_assert(((const double *)tg_const_data(y))[i] == i % LEAVES &&
                  ((const double *)tg_const_data(z))[i] == i % LEAVES);
    run_backward(dot(tg_reshape(y, TG_SHAPE(-1)), tg_slice(ramp, 0, 0, 2 * LEAVES, 1)));
    for (int i = 0; i < LEAVES; i++)
        WANT_GRAD(part[i], i, LEAVES + i);
    tg_zero_grads(t);
    y = tg_cat(part, N, 0);
    WANT_OK(t);
    for (int i = 0; i < 2 * N; i++)
        ck_assert(((const double *)tg_const_data(y))[i] == i / 2 % LEAVES);
    tg_mark mark = tg_tape_mark(t);
    part[299] = TG_NULL;
    ck_assert(tg_is_null(tg_stack(part, LEAVES, 0)));
    WANT_ERROR(t, TG_ERR_ARGUMENT, "stack", "operand 300", "null");
    part[299] = VECTOR(t, 1);
    ck_assert(tg_is_null(tg_cat(part, LEAVES, 0)));
    WANT_ERROR(t, TG_ERR_SHAPE, "cat", "part 300 (1,)", "part 1 (2, 1)");
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    part[0] = tg_zeros(t, TG_SHAPE(TG_MAX_ELEMENTS, 0)); /* at once, not one after another */
    ck_assert_int_eq(tg_size(tg_cat(part, 1, 1), 0), TG_MAX_ELEMENTS);
    ck_assert_int_eq(tg_numel(tg_index_select(part[0], 1, tg_from_ints(t, TG_SHAPE(0), NULL))), 0);
    WANT_OK(t);
    free(part);
}
END_TEST

/* ---- gradients of intermediates ---- */

START_TEST(retain_grad_keeps_the_gradient_of_an_intermediate)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), h = tg_square(x), y = total(tg_square(h)), z = dot(h, h);
    ck_assert_int_eq(tg_retain_grad(h), TG_OK);
    WANT_GRAD(h, 0, 0);
    run_backward(y);
    WANT_GRAD(h, 2, 8);
    WANT_GRAD(x, 4, 32);
    run_backward(z);
    WANT_GRAD(h, 2, 8);
    WANT_GRAD(x, 8, 64);
    ck_assert_int_eq(tg_retain_grad(VECTOR(t, 1)), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "retain_grad", "(1,)", "requires no gradient");
}
END_TEST

START_TEST(retain_grad_keeps_the_gradient_of_a_view)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), v = tg_transpose(x, 0, 1);
    tg_tensor row = tg_slice(v, 0, 1, 2, 1); /* (2, 4) */
    ck_assert_int_eq(tg_retain_grad(v), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "retain_grad", "(2, 2)", "view");
    ck_assert_int_eq(tg_retain_grad(row), TG_OK);
    tg_tensor y = tg_add(total(tg_square(row)), dot(x, x));
    for (int i = 1; i <= 2; i++) {
        run_backward(y);
        WANT_GRAD(row, 4, 8);
        WANT_GRAD(x, 2 * i, 8 * i, 6 * i, 16 * i);
    }
    tg_tensor wide = tg_expand(tg_slice(x, 1, 0, 1, 1), TG_SHAPE(2, 3));
    ck_assert_int_eq(tg_retain_grad(wide), TG_OK);
    tg_zero_grads(t);
    run_backward(dot(wide, MATRIX(t, 2, 3, 1, 2, 3, 4, 5, 6)));
    WANT_GRAD(wide, 1, 2, 3, 4, 5, 6);
    WANT_GRAD(x, 6, 0, 15, 0);
}
END_TEST

/* ---- modified data ---- */

START_TEST(modified_saved_data_is_an_error_before_anything_changes)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3, 4));
    tg_tensor h = tg_mul(x, w), y = total(tg_square(h));
    run_backward(y);
    WANT_GRAD(x, 18, 64);
    ck_assert_int_eq(tg_write_doubles(w, (double[]){5, 6}, 2), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "mul", "saved", "(2,)", "modified");
    WANT_GRAD(x, 18, 64);
    WANT_GRAD(w, 6, 32);
    WANT_VALUES(h, 3, 8);
    run_backward(total(tg_square(tg_mul(x, w))));
    WANT_GRAD(x, 68, 208);
}
END_TEST

static void modify(tg_tensor x, int how) {
    tg_tensor two = VECTOR(t, 8, 9), one = VECTOR(t, 8);
    switch (how) {
    case 0: ck_assert_int_eq(tg_write_doubles(x, (double[]){8, 9}, 2), TG_OK); break;
    case 1: ck_assert_int_eq(tg_write_floats(x, (float[]){8, 9}, 2), TG_OK); break;
    case 2: ck_assert_int_eq(tg_copy_(x, two), TG_OK); break;
    case 3: tg_fill_(x, 8); break;
    case 4: *(double *)tg_data(x) = 8; break;
    case 5: ck_assert_int_eq(tg_copy_(tg_slice(x, 0, 0, 1, 1), one), TG_OK); break;
    default: tg_fill_(tg_detach(x), 8); break;
    }
}

START_TEST(every_way_to_modify_is_noticed)
{
    for (int how = 0; how < 7; how++) {
        tg_tensor x = wanting(VECTOR(t, 1, 2)), y = total(tg_square(x));
        modify(x, how);
        ck_assert_msg(tg_backward(y) == TG_ERR_STATE, "way %d went unnoticed", how);
        WANT_ERROR(t, TG_ERR_STATE, "square", "modified");
        ck_assert(!tg_has_grad(x));
    }
}
END_TEST

START_TEST(modifying_what_no_gradient_reads_is_fine)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = VECTOR(t, 3, 4);
    tg_tensor e = total(tg_exp(x)), y = dot(x, w);
    ck_assert_int_eq(tg_write_doubles(x, (double[]){5, 6}, 2), TG_OK);
    run_backward(e); /* exp keeps its result, not x */
    WANT_GRAD(x, exp(1), exp(2));
    tg_zero_grads(t);
    run_backward(y); /* w is frozen, so x is not read */
    WANT_GRAD(x, 3, 4);
    tg_tensor h = tg_exp(x), z = total(h);
    *(double *)tg_data(h) = 0;
    ck_assert_int_eq(tg_backward(z), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "exp", "modified");
}
END_TEST

/* ---- rows in which everything is masked ---- */

START_TEST(fully_masked_rows_give_zeros_and_no_nan)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 3));
    tg_tensor mask = tg_from_bools(t, TG_SHAPE(2, 2), (bool[]){true, true, false, false});
    tg_tensor scores = tg_masked_fill(x, mask, -(double)INFINITY);
    tg_tensor y = tg_softmax(scores, -1);
    WANT_VALUES(y, 0, 0, 0.5, 0.5);
    ck_assert_int_eq(tg_backward_with(y, MATRIX(t, 2, 2, 1, 2, 3, 5)), TG_OK);
    WANT_GRAD(x, 0, 0, -0.5, 0.5);
    tg_zero_grads(t);
    tg_tensor l = tg_log_softmax(scores, -1);
    WANT_VALUES(l, -INFINITY, -INFINITY, -log(2), -log(2));
    ck_assert_int_eq(tg_backward_with(l, MATRIX(t, 2, 2, 1, 2, 3, 5)), TG_OK);
    WANT_GRAD(x, 0, 0, -1, 1);
}
END_TEST

/* The softmax of one class is 1, and its gradient 0 whatever arrives; what was added before stays. */
START_TEST(a_large_dy_of_cross_entropy_loses_no_other_gradient)
{
    for (int with = 0; with < 2; with++) {
        double grad = 0;
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(1), 0.3));
        tg_tensor target = tg_from_ints(t, TG_SCALAR, &(int64_t){0});
        tg_tensor y = with ? tg_cross_entropy_with(x, target, TG_CROSS_ENTROPY_DEFAULTS)
                           : tg_cross_entropy(x, target, TG_IGNORE_INDEX, TG_MEAN);
        y = tg_add(tg_mul_scalar(y, 1e20), tg_sum(x, TG_ALL_DIMS, false)); /* whose VJP comes first */
        ck_assert(!tg_backward(y) && !tg_read_doubles(tg_grad(x), &grad, 1));
        ck_assert_double_eq(grad, 1);
    }
}
END_TEST

/* As torch.nn.functional.cross_entropy's, but for the gradient, which is zeros: such a row says nothing. */
START_TEST(a_loss_of_logits_that_are_all_masked_is_infinite)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, -INFINITY, -INFINITY, 0, 0)),
              target = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){0, 1});
    tg_cross_entropy_config config = TG_CROSS_ENTROPY_DEFAULTS;
    config.reduction = TG_NONE;
    tg_tensor y = tg_cross_entropy(x, target, TG_IGNORE_INDEX, TG_NONE), z = tg_cross_entropy_with(x, target, config);
    WANT_VALUES(y, INFINITY, log(2));
    WANT_VALUES(z, INFINITY, log(2));
    ck_assert_int_eq(tg_backward_with(tg_add(y, z), VECTOR(t, 1, 1)), TG_OK);
    WANT_GRAD(x, 0, 0, 1, -1);
}
END_TEST

static int copy_f32(const tg_call *c) {
    memcpy(c->output, c->input[0], sizeof(float));
    return 0;
}
static int copy_vjp_f32(const tg_call *c) {
    *(float *)c->input_grad[0] += *(const float *)c->output_grad;
    return 0;
}
static int copy_f64(const tg_call *c) {
    memcpy(c->output, c->input[0], sizeof(double));
    return 0;
}

/* The check runs in float64, where this one has no gradient. */
START_TEST(a_custom_operation_that_cannot_be_checked_says_what_is_missing)
{
    static const tg_custom_op copy = {"copy", copy_f32, copy_vjp_f32, copy_f64, NULL};
    tg_tape *f32 = tg_tape_new(TG_F32);
    tg_tensor x = wanting(VECTOR(f32, 3)), y = tg_custom(&copy, &x, 1, TG_SCALAR, NULL, 0);
    ck_assert_int_eq(tg_ndim(y), 0);
    run_backward(y);
    WANT_GRAD(x, 1);
    ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(f32, TG_ERR_ARGUMENT, "copy", "float64");
    WANT_GRAD(x, 1);
    tg_tape_free(f32);
}
END_TEST

START_TEST(one_operand_of_a_maximum_may_be_frozen)
{
    tg_tensor a = VECTOR(t, 1, 5, 2), b = wanting(VECTOR(t, 4, 3, 2)), db;
    ck_assert_int_eq(tg_gradients(total(tg_maximum(a, b)), TG_NULL, &b, 1, &db), TG_OK);
    WANT_VALUES(db, 1, 0, 0.5);
    ck_assert_int_eq(tg_gradients(total(tg_minimum(b, a)), TG_NULL, &b, 1, &db), TG_OK);
    WANT_VALUES(db, 0, 1, 0.5);
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        requires_grad_propagates,
        freeze_query_train_key,
        a_leaf_frozen_after_use_gets_no_gradient,
        a_leaf_frozen_when_used_gets_none_through_that_use,
        gradients_accumulate_in_leaves_across_backwards,
        gradients_accumulate_only_in_leaves,
        zero_grad_forgets,
        no_grad_scopes_nest,
        detach_cuts_the_graph_and_shares_the_data,
        backward_from_a_non_scalar_takes_a_cotangent,
        backward_from_a_non_scalar_without_a_cotangent_is_an_error,
        a_second_backward_over_the_same_graph_is_right,
        backwards_of_two_results_in_turn_are_right,
        a_graph_recorded_where_another_was_gets_its_own_backward,
        a_tensor_used_several_times_sums_its_gradients,
        a_leaf_the_loss_does_not_depend_on_has_no_gradient,
        any_number_of_parts_can_be_joined,
        retain_grad_keeps_the_gradient_of_an_intermediate,
        retain_grad_keeps_the_gradient_of_a_view,
        modified_saved_data_is_an_error_before_anything_changes,
        every_way_to_modify_is_noticed,
        modifying_what_no_gradient_reads_is_fine,
        fully_masked_rows_give_zeros_and_no_nan,
        a_large_dy_of_cross_entropy_loses_no_other_gradient,
        a_loss_of_logits_that_are_all_masked_is_infinite,
        a_custom_operation_that_cannot_be_checked_says_what_is_missing,
        one_operand_of_a_maximum_may_be_frozen,
    };
    return run_tests("autograd", all, sizeof all / sizeof *all, start, stop);
}
