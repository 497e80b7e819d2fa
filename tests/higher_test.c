/* Derivatives of derivatives as a person mixes them: forward over forward over reverse, the same x twice, views, no
 * dependence at all, training loops, modes, errors; attention's beside the operations that it replaces. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

static tg_tape *tape;
static void start(void) {
    tape = tg_tape_new(TG_F64);
    tg_manual_seed(tape, 3);
}
static void stop(void) { tg_tape_free(tape); }

static tg_tensor random_leaf(tg_shape shape) { return wanting(tg_randn(tape, shape)); }

static double dot(tg_tensor a, tg_tensor b) { return tg_item(total(tg_mul(a, b))); }

enum { MOST = 1 << 17 };

/* The largest difference, relative to the largest element of b. */
static double distance(tg_tensor a, tg_tensor b) {
    static double u[MOST], v[MOST];
    int64_t n = tg_numel(a);
    double most = 0, size = 0;
    ck_assert_int_eq(tg_numel(b), n);
    ck_assert_msg(tg_read_doubles(a, u, n) == TG_OK && tg_read_doubles(b, v, n) == TG_OK, "%s", tg_error(a.tape));
    for (int64_t i = 0; i < n; i++) {
        most = u[i] - v[i] == u[i] - v[i] ? fmax(most, fabs(u[i] - v[i])) : INFINITY;
        size = fmax(size, fabs(v[i]));
    }
    return most / fmax(1, size);
}
#define WANT_NEAR(a, b, tolerance)                              \
    do {                                                        \
        double distance_ = distance(a, b);                      \
        ck_assert_msg(distance_ <= tolerance, "%g", distance_); \
    } while (0)

#define WORKS(call) ck_assert_msg((call) == TG_OK, "%s", tg_error(tape))

/* (3, 4) -> (3, 4) */
static tg_tensor curve(tg_tensor x) {
    tg_tensor a = tg_scaled_dot_product_attention(x, x, tg_tanh(x), TG_NULL, true, 0, 0);
    return tg_gelu(tg_layer_norm(tg_add(a, tg_softmax(x, -1)), TG_NULL, TG_NULL, 1e-3));
}

/* Second and third derivatives along directions, by jvp of jvp of jvp, and by gradients of gradients. */
START_TEST(forward_over_forward_is_reverse_over_reverse)
{
    tg_shape shape = TG_SHAPE(3, 4);
    tg_tensor x = random_leaf(shape), v = tg_randn(tape, shape), u = tg_randn(tape, shape), w = tg_randn(tape, shape);
    tg_tensor y = curve(x), jv, jjv, jjjv, by_forward, g, by_reverse, third;
    WORKS(tg_jvp(y, &x, &v, 1, &jv));
    WORKS(tg_jvp(jv, &x, &u, 1, &jjv));
    WORKS(tg_jvp(jjv, &x, &w, 1, &jjjv));
    WORKS(tg_gradients(jv, w, &x, 1, &by_forward));
    WORKS(tg_gradients(y, w, &x, 1, &g));
    WORKS(tg_gradients(total(tg_mul(g, v)), TG_NULL, &x, 1, &by_reverse));
    WORKS(tg_hvp(total(tg_mul(g, v)), &x, &u, 1, &third));
    WANT_NEAR(by_forward, by_reverse, 1e-12);
    ck_assert_double_eq_tol(dot(jjv, w), dot(by_reverse, u), 1e-11);
    ck_assert_double_eq_tol(dot(jjjv, w), dot(third, w), 1e-10);
    WORKS(tg_backward_with(jv, w));
    WANT_NEAR(tg_grad(x), by_reverse, 1e-12);
}
END_TEST

/* The check copies what runs the kernels of other operations (views, gather, dropout, attention) as everything else. */
START_TEST(recorded_gradients_pass_the_gradient_check)
{
    tg_tape *t = tg_tape_new((tg_dtype)_i);
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(3, 4))), v = tg_randn(t, TG_SHAPE(3, 4)), jv, jjv, hv, third;
    tg_tensor index = tg_from_ints(t, TG_SHAPE(3, 2), (int64_t[]){0, 3, 1, 1, 2, 0});
    tg_tensor y = tg_scaled_dot_product_attention(x, x, tg_tanh(x), TG_NULL, true, 0.3, 0);
    y = tg_gather(tg_dropout(tg_sin(tg_mul(y, x)), 0.3), 1, index);
    ck_assert_int_eq(tg_jvp(y, &x, &v, 1, &jv), TG_OK);
    ck_assert_int_eq(tg_jvp(jv, &x, &v, 1, &jjv), TG_OK);
    ck_assert_int_eq(tg_hvp(total(y), &x, &v, 1, &hv), TG_OK);
    ck_assert_int_eq(tg_gradients(total(tg_mul(hv, v)), TG_NULL, &x, 1, &third), TG_OK);
    tg_tensor checked[] = {jv, jjv, hv, third};
    for (int i = 0; i < 4; i++)
        for (int mode = TG_GRADCHECK_FULL; mode <= TG_GRADCHECK_FAST; mode++) {
            tg_gradcheck_config config = config_in((tg_gradcheck_mode)mode);
            ck_assert_msg(tg_gradcheck(checked[i], config, NULL) == TG_OK, "%d: %s", i, tg_error(t));
        }
    tg_tape_free(t);
}
END_TEST

START_TEST(the_same_x_twice_and_views_get_their_own_gradients)
{
    tg_tensor x = random_leaf(TG_SHAPE(3, 4)), turned = tg_transpose(x, 0, 1), rows = tg_slice(x, 0, 0, 2, 1);
    tg_tensor wide = tg_expand(tg_unsqueeze(x, 0), TG_SHAPE(2, 3, 4));
    tg_tensor y = tg_add(total(tg_exp(tg_mul(turned, tg_square(turned)))),
                         total(tg_sin(tg_mul(wide, tg_expand(tg_select(rows, 0, 1), TG_SHAPE(2, 3, 4))))));
    tg_tensor xs[] = {x, x, turned, rows, wide, y}, dxs[6], hv[2], hsum, jv, jsum;
    tg_tensor v[] = {tg_randn(tape, TG_SHAPE(3, 4)), tg_randn(tape, TG_SHAPE(3, 4))}, sum = tg_add(v[0], v[1]);
    WORKS(tg_gradients(y, TG_NULL, xs, 6, dxs));
    WANT_NEAR(dxs[0], dxs[1], 0);
    WANT_VALUES(dxs[5], 1);
    WORKS(tg_backward(y));
    WANT_NEAR(dxs[0], tg_grad(x), 1e-14);
    WORKS(tg_hvp(y, xs, v, 2, hv)); /* both are x: the Hessian's four blocks are the same */
    WORKS(tg_hvp(y, &x, &sum, 1, &hsum));
    WANT_NEAR(hv[0], hsum, 1e-14);
    WANT_NEAR(hv[1], hsum, 1e-14);
    WORKS(tg_jvp(y, xs, v, 2, &jv));
    WORKS(tg_jvp(y, &x, &sum, 1, &jsum));
    WANT_NEAR(jv, jsum, 1e-14);
    ck_assert_double_eq(tg_item(total(tg_jacobian(turned, x))), 12); /* a permutation */
    ck_assert_double_eq(tg_item(total(tg_jacobian(x, turned))), 0);  /* x was not made from its view */
}
END_TEST

START_TEST(what_y_does_not_depend_on_has_zeros)
{
    tg_tensor x = random_leaf(TG_SHAPE(3)), other = random_leaf(TG_SHAPE(2)), v = tg_ones(tape, TG_SHAPE(3));
    tg_tensor line = total(x), y = total(tg_square(x)), constant = total(v), late = random_leaf(TG_SHAPE(2));
    tg_tensor v2 = tg_ones(tape, TG_SHAPE(2)), dx, hv[2], jv;
    tg_tensor unrelated[] = {other, late};
    for (int i = 0; i < 2; i++) { /* made before y, and after */
        WORKS(tg_gradients(y, TG_NULL, &unrelated[i], 1, &dx));
        WANT_VALUES(dx, 0, 0);
        WORKS(tg_hvp(y, &unrelated[i], &v2, 1, hv));
        WANT_VALUES(hv[0], 0, 0);
        WORKS(tg_jvp(y, &unrelated[i], &v2, 1, &jv));
        WANT_VALUES(jv, 0);
        WANT_VALUES(tg_hessian(y, unrelated[i]), 0, 0, 0, 0);
    }
    WORKS(tg_hvp(line, &x, &v, 1, hv)); /* a gradient that is constant */
    WANT_VALUES(hv[0], 0, 0, 0);
    WORKS(tg_gradients(constant, TG_NULL, &x, 1, &dx));
    WANT_VALUES(dx, 0, 0, 0);
    WANT_VALUES(tg_jacobian(constant, x), 0, 0, 0);
    WORKS(tg_hvp(y, (tg_tensor[]){x, late}, (tg_tensor[]){v, v2}, 2, hv));
    WANT_VALUES(hv[0], 2, 2, 2);
    WANT_VALUES(hv[1], 0, 0);
}
END_TEST

/* ---- a loop ---- */

/* loss + 0.001 |H v|^2, with a call that is refused now and then */
static void penalised_step(const tg_nn_multi_head_attention *m, tg_tensor x, tg_optim *adam, int step) {
    tg_tape *t = tg_tape_of(x);
    tg_list p = tg_parameters(t);
    tg_tensor v[8], hv[8], jv, penalty = tg_scalar(t, 0);
    for (int64_t i = 0; i < p.n; i++)
        v[i] = tg_randn(t, tg_shape_of(p.tensor[i]));
    tg_tensor loss = tg_mean(tg_square(tg_nn_multi_head_attention_forward(m, x, NULL)), TG_ALL_DIMS, false);
    ck_assert_msg(tg_hvp(loss, p.tensor, v, (int)p.n, hv) == TG_OK, "%s", tg_error(t));
    for (int64_t i = 0; i < p.n; i++)
        penalty = tg_add(penalty, total(tg_square(hv[i])));
    tg_optim_zero_grad(adam);
    ck_assert_int_eq(tg_backward(tg_add(loss, tg_mul_scalar(penalty, 1e-3))), TG_OK);
    ck_assert_int_eq(tg_jvp(loss, p.tensor, v, (int)p.n, &jv), TG_OK);
    ck_assert_int_eq(tg_optim_step(adam), TG_OK);
    if (step % 3 == 0) {
        ck_assert_int_ne(tg_hvp(loss, p.tensor, v, (int)p.n, hv), TG_OK);
        WANT_ERROR(t, TG_ERR_STATE, "modified afterwards");
    }
}

START_TEST(a_training_loop_keeps_its_memory)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_multi_head_attention m = tg_nn_multi_head_attention_new(t, "m", 8, 8, 6, 0.2, 2, true);
    tg_tensor x = tg_randn(t, TG_SHAPE(2, 6, 8));
    tg_optim *adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    tg_mark model = tg_tape_mark(t);
    tg_memory early = {0};
    for (int step = 0; step < 60; step++) {
        penalised_step(&m, x, adam, step);
        ck_assert_int_eq(tg_tape_rewind(t, model), TG_OK);
        tg_memory now = tg_tape_memory(t);
        early = step == 5 ? now : early;
        ck_assert_msg(step < 5 || (now.reserved == early.reserved && now.used == early.used), "step %d", step);
    }
    tg_tape_free(t);
}
END_TEST

/* By columns, of which there are fewer. */
START_TEST(a_jacobian_goes_by_the_fewer_of_rows_and_columns)
{
    tg_tensor x = wanting(VECTOR(tape, 5, 7)), y = tg_cat((tg_tensor[]){tg_mul_scalar(x, 3), tg_square(x)}, 2, 0);
    WANT_VALUES(tg_jacobian(y, x), 3, 0, 0, 3, 10, 0, 0, 14);
}
END_TEST

/* ---- modes ---- */

START_TEST(modes_change_no_numbers)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *t = tg_tape_new((tg_dtype)dtype);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(3, 4))), v = tg_randn(t, TG_SHAPE(3, 4)), y = curve(x), jv[3], hv[3],
                  f = total(y);
        for (int mode = 0; mode < 3; mode++) {
            tg_set_anomaly_mode(t, mode == 1);
            tg_set_profile(t, mode == 1);
            if (mode == 2)
                tg_no_grad_begin(t);
            ck_assert_msg(tg_jvp(y, &x, &v, 1, &jv[mode]) == TG_OK, "%s", tg_error(t));
            ck_assert_msg(tg_hvp(f, &x, &v, 1, &hv[mode]) == TG_OK, "%s", tg_error(t));
            if (mode == 2)
                tg_no_grad_end(t);
        }
        WANT_NEAR(jv[1], jv[0], 0);
        WANT_NEAR(jv[2], jv[0], 0);
        WANT_NEAR(hv[1], hv[0], 0);
        WANT_NEAR(hv[2], hv[0], 0);
        ck_assert(tg_requires_grad(jv[1]) && !tg_requires_grad(jv[2]) && !tg_requires_grad(hv[2]));
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(what_was_modified_or_rewound_is_refused)
{
    tg_tensor x = random_leaf(TG_SHAPE(3)), v = tg_ones(tape, TG_SHAPE(3)), y = total(tg_exp(tg_square(x))), dx, hv;
    WORKS(tg_gradients(y, TG_NULL, &x, 1, &dx));
    WORKS(tg_hvp(y, &x, &v, 1, &hv));
    WORKS(tg_write_doubles(v, (double[]){1, 2, 3}, 3)); /* the direction */
    ck_assert_int_ne(tg_backward(total(hv)), TG_OK);
    WANT_ERROR(tape, TG_ERR_STATE, "mul", "modified afterwards");
    WORKS(tg_write_doubles(x, (double[]){1, 2, 3}, 3));
    ck_assert_int_ne(tg_gradients(total(dx), TG_NULL, &x, 1, &hv), TG_OK);
    WANT_ERROR(tape, TG_ERR_STATE, "square", "modified afterwards");
    y = total(tg_exp(tg_square(x)));
    tg_mark before = tg_tape_mark(tape);
    v = tg_ones(tape, TG_SHAPE(3));
    WORKS(tg_hvp(y, &x, &v, 1, &hv));
    WORKS(tg_tape_rewind(tape, before));
    ck_assert_int_ne(tg_hvp(y, &x, &v, 1, &hv), TG_OK);
    WANT_ERROR(tape, TG_ERR_STALE, "hvp, direction 1", "rewound");
}
END_TEST

/* ---- attention ---- */

typedef struct attention {
    tg_shape q, k, v, mask; /* mask.ndim < 0: none */
    bool bools, causal;
    double p, scale;
} attention;

static int below(uint32_t *random, int n) {
    *random = *random * 1664525 + 1013904223;
    return (int)((*random >> 16) % (uint32_t)n);
}

static attention draw_attention(int i) {
    uint32_t r = 77 + 1000 * (uint32_t)i;
    bool wide = i % 10 == 3, large = i % 10 == 7;
    int B = 1 + below(&r, 2), H = 1 + below(&r, 3), T = 1 + below(&r, wide ? 9 : large ? 90 : 40);
    int S = below(&r, 3) ? 2 + below(&r, large ? 90 : 40) : T, d = wide ? 400 : 1 + below(&r, 20);
    int dv = wide ? 380 : 1 + below(&r, 20), mask = below(&r, 4);
    attention a = {.q = TG_SHAPE(B, H, T, d),
                   .k = TG_SHAPE(B, H, S, d),
                   .v = TG_SHAPE(B, H, S, dv),
                   .mask = TG_SHAPE(H, 1, S),
                   .bools = mask == 1};
    if (mask < 3)
        a.mask = TG_SHAPE(T, S);
    if (mask == 0)
        a.mask.ndim = -1;
    a.causal = below(&r, 2);
    a.p = below(&r, 3) ? 0 : 0.3;
    a.scale = below(&r, 2) ? 0 : 0.3;
    return a;
}

static tg_tensor composed(const attention *a, const tg_tensor *x) {
    int64_t T = tg_size(x[0], -2), S = tg_size(x[1], -2);
    double scale = a->scale != 0 ? a->scale : 1 / sqrt((double)tg_size(x[0], -1));
    tg_tensor s = tg_mul_scalar(tg_matmul(x[0], tg_transpose(x[1], -1, -2)), scale);
    if (a->mask.ndim >= 0)
        s = a->bools ? tg_masked_fill(s, tg_logical_not(x[3]), -INFINITY) : tg_add(s, x[3]);
    if (a->causal)
        s = tg_masked_fill(s, tg_to_bool(tg_triu(tg_ones(x[0].tape, TG_SHAPE(T, S)), 1)), -INFINITY);
    return tg_matmul(tg_dropout(tg_softmax(s, -1), a->p), x[2]);
}

/* Fused and composed draw the same numbers for dropout. */
START_TEST(attention_is_what_its_operations_are)
{
    attention a = draw_attention(_i);
    const tg_shape shapes[] = {a.q, a.k, a.v, a.mask};
    int n = a.mask.ndim >= 0 && !a.bools ? 4 : 3;
    tg_tensor x[4] = {{0}}, v[4], u[4], hv[2][4], third[2][4];
    for (int i = 0; i < n; i++) {
        x[i] = random_leaf(shapes[i]);
        v[i] = tg_randn(tape, shapes[i]);
        u[i] = tg_randn(tape, shapes[i]);
    }
    if (a.bools)
        x[3] = tg_gt(tg_rand(tape, a.mask), tg_scalar(tape, 0.4));
    for (int way = 0; way < 2; way++) {
        tg_manual_seed(tape, 5);
        tg_tensor y =
            way ? composed(&a, x) : tg_scaled_dot_product_attention(x[0], x[1], x[2], x[3], a.causal, a.p, a.scale);
        tg_tensor sum = tg_scalar(tape, 0);
        WORKS(tg_hvp(total(tg_sin(y)), x, v, n, hv[way]));
        for (int i = 0; i < n; i++)
            sum = tg_add(sum, total(tg_mul(hv[way][i], u[i])));
        WORKS(tg_gradients(sum, TG_NULL, x, n, third[way]));
    }
    for (int i = 0; i < n; i++) {
        WANT_NEAR(hv[0][i], hv[1][i], 1e-11);
        WANT_NEAR(third[0][i], third[1][i], 1e-11);
    }
}
END_TEST

/* Scores of 1e5 make every weight 0 or 1, and then nothing depends on q and k: their part of H v is 0, but for the
 * rounding of dy v times q. */
START_TEST(weights_of_one_have_no_second_derivative)
{
    const tg_shape shape = TG_SHAPE(2, 4, 7);
    tg_tensor x[3] = {random_leaf(shape), random_leaf(shape), random_leaf(shape)}, v[3], hv[3];
    double *q = tg_data(x[0]), none[2 * 4 * 7] = {0};
    for (int64_t j = 0; j < tg_numel(x[0]); j++)
        q[j] *= 1e5;
    for (int i = 0; i < 3; i++)
        v[i] = tg_randn(tape, shape);
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    WORKS(tg_hvp(total(tg_sin(y)), x, v, 3, hv));
    for (int i = 0; i < 2; i++)
        WANT_NEAR(hv[i], tg_from_doubles(tape, shape, none), 1e-8);
}
END_TEST

/* Of {2^60 b, 0} softmax is {1, 0} in every digit, so that logsumexp is 2^60 b and the two elements of log_softmax add
 * up to -2^60 b. Their products with a and b beside them have second derivatives of 2^60 and of 1: those of 1 stay. */
START_TEST(a_weight_of_one_leaves_small_second_derivatives)
{
    const double huge = 0x1p60;
    for (int i = 0; i < 4; i++) {
        bool log_softmax = i % 2, turned = i / 2;
        tg_tensor x[3] = {wanting(VECTOR(tape, 1)), wanting(VECTOR(tape, 1)), wanting(MATRIX(tape, 2, 1, huge, 0))};
        tg_tensor v[3] = {VECTOR(tape, 3), VECTOR(tape, 5), MATRIX(tape, 2, 1, 0, 0)}, hv[3];
        tg_tensor z = tg_mul(turned ? tg_transpose(x[2], 0, 1) : x[2], x[1]);
        tg_tensor y = log_softmax ? tg_log_softmax(z, turned) : tg_logsumexp(z, TG_DIMS(turned), true);
        WORKS(tg_hvp(total(tg_mul(y, x[0])), x, v, 3, hv));
        double sign = log_softmax ? -1 : 1;
        WANT_VALUES(hv[0], sign * 5 * huge);
        WANT_VALUES(hv[1], sign * 3 * huge);
        WANT_VALUES(hv[2], sign * (3 + 5), log_softmax ? 3 + 5 : 0);
    }
}
END_TEST

/* elu's slope alpha e^x has all its digits where y = alpha (e^x - 1) has lost them, and where e^x would be infinite
 * there is none. */
START_TEST(elu_keeps_the_digits_of_its_slope)
{
    tg_tensor x = wanting(VECTOR(tape, -40, 800)), v = VECTOR(tape, 3, 3), hv;
    tg_tensor f = total(tg_mul_scalar(tg_elu(x, 1.5), exp(40)));
    run_backward(f);
    WANT_GRAD(x, 1.5, exp(40));
    WORKS(tg_hvp(f, &x, &v, 1, &hv));
    WANT_VALUES(hv, 1.5 * 3, 0);
}
END_TEST

/* Beside an infinite element the others have no weight; of -inf alone none has. */
START_TEST(beside_an_infinity_other_elements_have_no_weight)
{
    tg_tensor x = wanting(MATRIX(tape, 3, 2, -INFINITY, -INFINITY, INFINITY, 1, -INFINITY, 1)), dx, hv;
    tg_tensor y = tg_logsumexp(x, TG_DIMS(1), false), v = tg_ones(tape, TG_SHAPE(3, 2));
    WORKS(tg_gradients(y, VECTOR(tape, 1, 1, 1), &x, 1, &dx));
    WANT_VALUES(dx, 0, 0, NAN, 0, 0, 1);
    x = tg_reshape(tg_slice(x, 0, 0, 3, 2), TG_SHAPE(2, 2));
    WORKS(tg_hvp(total(tg_logsumexp(x, TG_DIMS(1), false)), &x, (tg_tensor[]){tg_slice(v, 0, 0, 2, 1)}, 1, &hv));
    WANT_VALUES(hv, 0, 0, 0, 0);
}
END_TEST

/* What no query sees has no say in what the others get, not even with a direction of NaN. */
START_TEST(keys_beyond_every_window_are_left_out)
{
    enum { QUERIES = 3, KEYS = 7, SEEN = 4 };
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.window = 2;
    tg_tensor x[3], v[3], hv[2][3];
    for (int i = 0; i < 3; i++) {
        x[i] = random_leaf(TG_SHAPE(i ? KEYS : QUERIES, 2));
        v[i] = tg_randn(tape, TG_SHAPE(i ? KEYS : QUERIES, 2));
        for (int j = 2 * SEEN; i && j < 2 * KEYS; j++)
            ((double *)tg_data(v[i]))[j] = NAN;
    }
    tg_tensor k = tg_slice(x[1], 0, 0, SEEN, 1), w = tg_slice(x[2], 0, 0, SEEN, 1);
    tg_tensor all = tg_scaled_dot_product_attention_with(x[0], x[1], x[2], config);
    WORKS(tg_hvp(total(tg_sin(all)), x, v, 3, hv[0]));
    WORKS(tg_hvp(total(tg_sin(tg_scaled_dot_product_attention_with(x[0], k, w, config))), x, v, 3, hv[1]));
    for (int i = 0; i < 3; i++)
        WANT_NEAR(hv[0][i], hv[1][i], 1e-14);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("higher");
    tcase_add_checked_fixture(c, start, stop);
    tcase_add_test(c, forward_over_forward_is_reverse_over_reverse);
    tcase_add_loop_test(c, recorded_gradients_pass_the_gradient_check, TG_F32, TG_F64 + 1);
    tcase_add_test(c, the_same_x_twice_and_views_get_their_own_gradients);
    tcase_add_test(c, what_y_does_not_depend_on_has_zeros);
    tcase_add_test(c, a_jacobian_goes_by_the_fewer_of_rows_and_columns);
    tcase_add_test(c, a_training_loop_keeps_its_memory);
    tcase_add_test(c, modes_change_no_numbers);
    tcase_add_test(c, what_was_modified_or_rewound_is_refused);
    tcase_add_loop_test(c, attention_is_what_its_operations_are, 0, 60);
    tcase_add_test(c, weights_of_one_have_no_second_derivative);
    tcase_add_test(c, a_weight_of_one_leaves_small_second_derivatives);
    tcase_add_test(c, elu_keeps_the_digits_of_its_slope);
    tcase_add_test(c, beside_an_infinity_other_elements_have_no_weight);
    tcase_add_test(c, keys_beyond_every_window_are_left_out);
    return run_suite("higher", c);
}
