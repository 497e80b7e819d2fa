/* tg_grad_data gives the gradient's own memory, which stays in place and is kept by every other call as documented. */
#include "optim/optim.h"
#include "tests/support.h"

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F64); }
static void stop(void) { tg_tape_free(t); }

START_TEST(it_is_the_gradient_itself)
{
    tg_tensor x = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4));
    run_backward(total(tg_mul(tg_transpose(x, 0, 1), MATRIX(t, 2, 2, 1, 2, 3, 4))));
    double *g = tg_grad_data(x);
    ck_assert(g && g[0] == 1 && g[1] == 3 && g[2] == 2 && g[3] == 4); /* row-major, as x lies */
    for (int i = 0; i < 4; i++)
        g[i] *= 10;
    WANT_GRAD(x, 10, 30, 20, 40);
    tg_optim *sgd = tg_sgd_new(t, (tg_list){t, 1, &x}, (tg_sgd_config){.lr = 1});
    ck_assert_int_eq(tg_optim_step(sgd), TG_OK);
    WANT_VALUES(x, -9, -28, -17, -36);
    double norm;
    ck_assert_int_eq(tg_clip_grad_norm((tg_list){t, 1, &x}, 1, INFINITY, &norm), TG_OK);
    ck_assert(norm == 40 && fabs(g[3] - 1) < 1e-6);
}
END_TEST

START_TEST(it_has_the_tapes_dtype)
{
    tg_tape *f = tg_tape_new(TG_F32);
    tg_tensor x = wanting(VECTOR(f, 1, 2, 3));
    run_backward(total(tg_square(x)));
    const float *g = tg_grad_data(x);
    ck_assert(g && g[0] == 2 && g[1] == 4 && g[2] == 6);
    tg_tape_free(f);
}
END_TEST

/* The memory stays where it is: for small gradients, and for those that have blocks of their own. */
START_TEST(it_stays_where_it_is)
{
    const int64_t sizes[] = {1, 3, 5000};
    for (int i = 0; i < 3; i++) {
        tg_tensor x = tg_set_requires_grad(tg_ones(t, TG_SHAPE(sizes[i])), true);
        tg_mark mark = tg_tape_mark(t);
        run_backward(total(tg_mul_scalar(x, 3)));
        double *g = tg_grad_data(x);
        for (int step = 0; step < 3; step++) {
            run_backward(total(tg_mul_scalar(x, 2))); /* adds there */
            ck_assert(tg_grad_data(x) == g && g[sizes[i] - 1] == (step ? 4 : 5));
            tg_zero_grad(x);
            ck_assert(!tg_has_grad(x));
            run_backward(total(tg_mul_scalar(x, 2)));
            ck_assert(tg_grad_data(x) == g && g[0] == 2);
            ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        }
        double *values = calloc((size_t)sizes[i], sizeof *values);
        ck_assert_int_eq(tg_write_grad(x, values, sizes[i]), TG_OK);
        ck_assert(tg_grad_data(x) == g && g[0] == 0);
        free(values);
        tg_set_requires_grad(x, false); /* frozen: what was there stays */
        ck_assert(tg_grad_data(x) == g && tg_grad_data(x) == g);
        WANT_OK(t);
    }
}
END_TEST

/* Two leaves that get the same dy have a gradient each. */
START_TEST(no_two_share_it)
{
    tg_tensor a = tg_set_requires_grad(tg_ones(t, TG_SHAPE(500)), true),
              b = tg_set_requires_grad(tg_ones(t, TG_SHAPE(500)), true);
    run_backward(total(tg_exp(tg_add(tg_add(a, b), tg_add(b, a)))));
    double *da = tg_grad_data(a), *db = tg_grad_data(b);
    ck_assert(da != db && da[7] == db[7]);
    da[7] = 0;
    ck_assert(db[7] != 0);
}
END_TEST

/* A backward that fails leaves it as it was, and where it was. */
static int refuse(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    return 1;
}

START_TEST(a_failed_backward_changes_no_number)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), y = tg_square(x), w = wanting(VECTOR(t, 1, 1));
    run_backward(total(y));
    double *g = tg_grad_data(x);
    ck_assert_int_eq(tg_register_hook(y, refuse, NULL), TG_OK);
    ck_assert_int_eq(tg_backward(total(tg_mul(y, w))), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert(tg_grad_data(x) == g && g[0] == 2 && g[1] == 4);
    ck_assert(!tg_grad_data(w));
    WANT_ERROR(t, TG_ERR_STATE, "grad_data", "has no gradient");
}
END_TEST

static int ready(int block, void *gradient, int64_t n, void *context) {
    (void)block, (void)gradient, (void)n, (void)context;
    return 0;
}

START_TEST(flat_blocks_hold_it)
{
    tg_tensor x = wanting(VECTOR(t, 1, 2)), w = wanting(VECTOR(t, 3)), both[] = {x, w};
    run_backward(total(tg_square(x)));
    void *before = tg_grad_data(x);
    ck_assert_int_eq(tg_flatten_gradients((tg_list){t, 2, both}, 1 << 20, 1 << 20, ready, NULL), TG_OK);
    int64_t n;
    double *block = tg_gradient_block(t, 0, &n), *g = tg_grad_data(x);
    ck_assert(g != before && g >= block && g + 2 <= block + n && g[1] == 4);
    ck_assert(!tg_grad_data(w));
    tg_clear_error(t);
    run_backward(tg_add(total(x), total(w)));
    ck_assert(tg_grad_data(x) == g && g[1] == 5 && tg_grad_data(w) == block);
}
END_TEST

static int ask_in_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n;
    *(void **)context = tg_grad_data(x);
    return 0;
}

START_TEST(it_is_refused_without_a_gradient_of_a_leaf)
{
    tg_tape *other = tg_tape_new(TG_F64);
    tg_tensor x = wanting(VECTOR(t, 1, 2)), y = tg_square(x);
    void *place = t;
    ck_assert(!tg_grad_data(x));
    WANT_ERROR(t, TG_ERR_STATE, "grad_data: tensor", "has no gradient");
    ck_assert(!tg_grad_data(y));
    WANT_ERROR(t, TG_ERR_STATE, "square", "tg_grad");
    ck_assert_int_eq(tg_retain_grad(y), TG_OK);
    run_backward(total(y));
    ck_assert(!tg_grad_data(y));
    tg_clear_error(t);
    ck_assert(!tg_grad_data(tg_slice(x, 0, 0, 1, 1)));
    WANT_ERROR(t, TG_ERR_STATE, "slice");
    ck_assert(!tg_grad_data(TG_NULL));
    ck_assert(!tg_grad_data(tg_arange(t, 3)));
    tg_clear_error(t);
    ck_assert(!tg_grad_data(tg_ones(other, TG_SHAPE(2))));
    tg_mark mark = tg_tape_mark(t);
    tg_tensor gone = wanting(VECTOR(t, 1));
    run_backward(total(gone));
    ck_assert(tg_grad_data(gone) != NULL);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert(!tg_grad_data(gone));
    WANT_ERROR(t, TG_ERR_STALE, "");
    ck_assert_int_eq(tg_register_hook(x, ask_in_hook, &place), TG_OK);
    ck_assert_int_eq(tg_backward(total(tg_square(x))), TG_ERR_STATE);
    ck_assert_ptr_null(place);
    WANT_ERROR(t, TG_ERR_STATE, "grad_data", "hook");
    ck_assert(tg_grad_data(x) != NULL); /* the first backward's */
    tg_reject(t, TG_ERR_STATE, "an error");
    ck_assert(!tg_grad_data(x));
    tg_tape_free(other);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {it_is_the_gradient_itself,
                                  it_has_the_tapes_dtype,
                                  it_stays_where_it_is,
                                  no_two_share_it,
                                  a_failed_backward_changes_no_number,
                                  flat_blocks_hold_it,
                                  it_is_refused_without_a_gradient_of_a_leaf};
    return run_tests("grad_data", tests, sizeof tests / sizeof *tests, start, stop);
}
