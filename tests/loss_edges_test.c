/* Losses and norms of Inf, of NaN, of nothing, and of numbers whose powers no double holds are PyTorch 2.15's or
 * arithmetic's. */
#include "tests/support.h"

#include <float.h>

static tg_tape *t;

static void start(void) {
    t = tg_tape_new(TG_F64);
    ck_assert_ptr_nonnull(t);
}
static void stop(void) { tg_tape_free(t); }

static bool same(double a, double b, double tolerance) {
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance * fabs(b);
}

static void want_all(const char *what, tg_tensor x, int n, const double *want) {
    double is[16];
    ck_assert_msg(tg_read_doubles(x, is, n) == TG_OK, "%s: %s", what, tg_error(t));
    for (int i = 0; i < n; i++)
        ck_assert_msg(same(is[i], want[i], 1e-14), "%s: element %d is %.17g, not %.17g", what, i, is[i], want[i]);
}

static tg_tensor derivative(tg_tensor y, tg_tensor dy, tg_tensor x) {
    tg_tensor dx;
    ck_assert_msg(tg_gradients(y, dy, &x, 1, &dx) == TG_OK, "%s", tg_error(t));
    return dx;
}

/* By backward and by tg_gradients. */
static void want_gradient(const char *what, tg_tensor y, tg_tensor dy, tg_tensor x, int n, const double *want) {
    want_all(what, derivative(y, dy, x), n, want);
    tg_zero_grads(t);
    ck_assert_msg(tg_backward_with(y, dy) == TG_OK, "%s", tg_error(t));
    want_all(what, tg_grad(x), n, want);
}

/* ---- cross entropy ---- */

typedef enum { PLAIN, WITH, SMOOTHED, N_KINDS } kind;

static tg_tensor cross_entropy(kind k, tg_tensor x, tg_tensor target, tg_reduction reduction) {
    tg_cross_entropy_config c = TG_CROSS_ENTROPY_DEFAULTS;
    c.reduction = reduction;
    c.weight = VECTOR(t, 0.5, 2, 1);
    c.label_smoothing = k == SMOOTHED ? 0.2 : 0;
    return k == PLAIN ? tg_cross_entropy(x, target, TG_IGNORE_INDEX, reduction) : tg_cross_entropy_with(x, target, c);
}

/* A row that counts, one of whose loss PyTorch says NaN, two that are ignored, and one that is hidden altogether. */
static const double logits[] = {1, 2, 3, INFINITY, 1, 2, 1, 2, 3, INFINITY, 1, 1, -INFINITY, -INFINITY, -INFINITY};
static const int64_t targets[] = {0, 1, TG_IGNORE_INDEX, TG_IGNORE_INDEX, 2};

START_TEST(ignored_rows_have_no_gradient_whatever_they_hold)
{
    static const double row[N_KINDS][3] = {{-0.9099694268296196, 0.24472847105479764, 0.6652409557748218},
                                           {-0.4549847134148098, 0.12236423552739882, 0.3326204778874109},
                                           {-0.37631397032542574, 0.021661365001371835, 0.3546526053240538}};
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(5, 3), logits)), target = tg_from_ints(t, TG_SHAPE(5), targets);
    for (int k = 0; k < N_KINDS; k++) {
        double want[15] = {row[k][0], row[k][1], row[k][2], NAN, NAN, NAN};
        want_gradient("sum", cross_entropy((kind)k, x, target, TG_SUM), tg_scalar(t, 1), x, 15, want);
        want_gradient("none", cross_entropy((kind)k, x, target, TG_NONE), VECTOR(t, 1, 1, 1, NAN, 1), x, 15, want);
        want[0] = want[1] = want[2] = NAN;
        want_gradient("mean", cross_entropy((kind)k, x, target, TG_MEAN), tg_scalar(t, NAN), x, 15, want);
    }
}
END_TEST

START_TEST(ignored_rows_have_no_second_gradient)
{
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(5, 3), logits)), target = tg_from_ints(t, TG_SHAPE(5), targets);
    for (int k = 0; k < N_KINDS; k++) {
        tg_tensor dx = derivative(cross_entropy((kind)k, x, target, TG_SUM), TG_NULL, x);
        tg_tensor ddx = derivative(total(tg_mul(dx, VECTOR(t, 1, 2, 4))), TG_NULL, x);
        want_all("second", tg_slice(ddx, 0, 2, 5, 1), 9, (double[9]){0});
    }
}
END_TEST

/* ---- the mean of nothing is NaN, and so is its change along any direction ---- */

static tg_tensor mean_of(int i, tg_tensor x, tg_tensor target) {
    tg_tensor z = tg_zeros(t, tg_shape_of(x));
    switch (i) {
    case 0: return tg_mean(x, TG_ALL_DIMS, false);
    case 1: return tg_mse_loss(x, z, TG_MEAN);
    case 2: return tg_l1_loss(x, z, TG_MEAN);
    case 3: return tg_huber_loss(x, z, 1, TG_MEAN);
    case 4: return tg_bce_with_logits(x, z, TG_MEAN);
    case 5: return tg_kl_div(x, z, TG_MEAN);
    case 6: return cross_entropy(PLAIN, x, target, TG_MEAN);
    case 7: return cross_entropy(WITH, x, target, TG_MEAN);
    case 8: return cross_entropy(SMOOTHED, x, target, TG_MEAN);
    default: return TG_NULL;
    }
}

static void want_nan(int i, tg_tensor x, tg_tensor target) {
    tg_tensor v = tg_ones(t, tg_shape_of(x)), y = mean_of(i, x, target), jv;
    ck_assert_msg(tg_jvp(y, &x, &v, 1, &jv) == TG_OK, "%s", tg_error(t));
    ck_assert_msg(isnan(tg_item(y)) && isnan(tg_item(jv)), "loss %d is %g, its change %g", i, tg_item(y), tg_item(jv));
}

START_TEST(means_of_nothing_are_nan_forward_too)
{
    tg_tensor x = wanting(tg_zeros(t, TG_SHAPE(0, 3))), target = tg_from_ints(t, TG_SHAPE(0), NULL);
    for (int i = 0; i <= 8; i++)
        want_nan(i, x, target);
    x = wanting(tg_ones(t, TG_SHAPE(1, 3)));
    for (int i = 6; i <= 8; i++) /* a row that is ignored */
        want_nan(i, x, tg_from_ints(t, TG_SHAPE(1), &(int64_t){TG_IGNORE_INDEX}));
    for (int i = 6; i <= 8; i++) /* its gradient is zeros */
        want_gradient("ignored", mean_of(i, x, tg_from_ints(t, TG_SHAPE(1), &(int64_t){TG_IGNORE_INDEX})),
                      tg_scalar(t, 1), x, 3, (double[3]){0});
}
END_TEST

/* ---- bce_with_logits ---- */

START_TEST(bce_of_an_infinite_logit_is_infinite)
{
    static const double cases[][4] = {
        /* x, z, y, dx */
        {INFINITY, 0, INFINITY, 1},
        {INFINITY, 0.5, INFINITY, 0.5},
        {-INFINITY, 1, INFINITY, -1},
        {-INFINITY, 0.5, INFINITY, -0.5},
    };
    for (int i = 0; i < 4; i++) {
        tg_tensor x = wanting(tg_scalar(t, cases[i][0])), z = tg_scalar(t, cases[i][1]);
        tg_tensor y = tg_bce_with_logits(x, z, TG_NONE);
        want_all("bce", y, 1, &cases[i][2]);
        want_gradient("its gradient", y, tg_scalar(t, 1), x, 1, &cases[i][3]);
    }
}
END_TEST

/* ---- norms whose powers are too large or too small for a double ---- */

typedef struct norm_case {
    double p, x[2], y, dx[2];
} norm_case;

static const norm_case norms[] = {
    {2, {1e300, 0}, 1e300, {1, 0}},
    {2, {3e200, -4e200}, 5e200, {0.6, -0.8}},
    {2, {3e-200, 4e-200}, 5e-200, {0.6, 0.8}},
    {2, {3e-160, 4e-160}, 5e-160, {0.6, 0.8}}, /* the squares are subnormal */
    {2, {DBL_TRUE_MIN, 0}, DBL_TRUE_MIN, {1, 0}},
    {2, {DBL_MAX, DBL_MAX}, INFINITY, {0, 0}},
    {2, {0, 0}, 0, {0, 0}},
    {2, {NAN, 1}, NAN, {NAN, NAN}},
    {3, {0, 1e300}, 1e300, {0, 1}},
    {4, {-1e100, 0}, 1e100, {-1, 0}},
    {20, {1e30, 0}, 1e30, {1, 0}},
    {0.5, {1e300, 0}, 1e300, {1, 0}},
    {1, {1e300, -1e-300}, 1e300, {1, -1}},
    {(double)INFINITY, {1e300, 1}, 1e300, {1, 0}},
};

START_TEST(norms_do_not_overflow_on_the_way)
{
    const norm_case *c = &norms[_i];
    tg_tensor x = wanting(VECTOR(t, c->x[0], c->x[1])), y = tg_norm(x, c->p, TG_ALL_DIMS, false);
    want_all("norm", y, 1, &c->y);
    want_gradient("its gradient", y, tg_scalar(t, 1), x, 2, c->dx);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("loss_edges");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_test(c, ignored_rows_have_no_gradient_whatever_they_hold);
    tcase_add_test(c, ignored_rows_have_no_second_gradient);
    tcase_add_test(c, means_of_nothing_are_nan_forward_too);
    tcase_add_test(c, bce_of_an_infinite_logit_is_infinite);
    tcase_add_loop_test(c, norms_do_not_overflow_on_the_way, 0, sizeof norms / sizeof *norms);
    return run_suite("loss_edges", c);
}
