/* Right gradients of every operation's probes, alone and mixed, are never WRONG, nor those that were recorded; a copy
 * of a tape in another dtype is the same program; every element of an operation with kinks has its branch. */
#include "nn/nn.h"
#include "programs.h"
#include "tests/count.h"
#include "tests/ops.h"
#include "tests/support.h"

START_TEST(a_cast_tape_is_the_same_program)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_nn_self_attention_v1 attention = tg_nn_self_attention_v1_new(t, "", 3, 2);
    tg_tensor attended = tg_nn_self_attention_v1_forward(&attention, tg_probe_leaf(t, TG_SHAPE(6, 3)), NULL);
    tg_tensor y = tg_expand(tg_unsqueeze(tg_dropout(attended, 0.3), 0), TG_SHAPE(2, 6, 2));
    t->modes.keep_random = true;
    tg_tape *wide = tg_tape_cast(t, TG_F64), *back = tg_tape_cast(wide, TG_F32);
    ck_assert_uint_eq(back->count, t->count);
    float a[24], b[24];
    double w[24];
    tg_tensor in_wide = {wide, y.index, y.epoch}, in_back = {back, y.index, y.epoch};
    ck_assert_int_eq(tg_read_floats(y, a, 24), TG_OK);
    ck_assert_int_eq(tg_read_floats(in_back, b, 24), TG_OK);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_int_eq(tg_replay(wide, (tg_mark){.tape = wide}), TG_OK);
    ck_assert_int_eq(tg_read_doubles(in_wide, w, 24), TG_OK);
    for (int i = 0; i < 24; i++)
        ck_assert_double_eq_tol(w[i], (double)a[i], 1e-5);
    ck_assert_str_eq(tg_name(tg_named(wide, "W_value")), "W_value");
    ck_assert_int_eq(tg_backward(tg_sum(in_wide, TG_ALL_DIMS, false)), TG_OK);
    ck_assert(tg_has_grad(tg_named(wide, "W_value")));
    ck_assert(!tg_has_grad(tg_named(t, "W_value")));
    tg_tape_free(t);
    tg_tape_free(wide);
    tg_tape_free(back);
}
END_TEST

/* ---- false alarms ---- */

static const tg_op *any_op(tg_rng_state *rng) { return ops[tg_rng_random(rng) % N_OPS]; }

static bool has_variant(const tg_op *op, int variant) {
    tg_tape *t = tg_tape_new(TG_F64);
    bool there = !tg_is_null(op->probe(t, variant));
    tg_tape_free(t);
    return there;
}

/* A probe of a random operation, as one row. detach stops a gradient on purpose, which a check must not pass. */
static tg_tensor any_probe(tg_tape *t, tg_rng_state *rng) {
    const tg_op *op = any_op(rng);
    int variants = 0;
    while (op->probe && op != &tg_op_detach && has_variant(op, variants))
        variants++;
    if (!variants)
        return TG_NULL;
    tg_tensor y = op->probe(t, (int)(tg_rng_random(rng) % (uint32_t)variants));
    return tg_dtype_of(y) == tg_tape_dtype(t) ? tg_reshape(y, TG_SHAPE(tg_numel(y))) : TG_NULL;
}

/* Two probes put through something that mixes them. Of two elements layer_norm makes 1 and -1, whatever they are: in
 * float32 their gradient is rounding alone. */
static tg_tensor any_graph(tg_tape *t, tg_rng_state *rng) {
    tg_tensor a = any_probe(t, rng), b = any_probe(t, rng);
    if (tg_is_null(a) || tg_is_null(b) || !tg_requires_grad(a))
        return TG_NULL;
    tg_tensor both = tg_cat((tg_tensor[]){a, b}, 2, 0);
    switch (tg_rng_random(rng) % 6) {
    case 0: return a;
    case 1: return tg_softmax(tg_tanh(both), 0);
    case 2: return tg_numel(both) == 2 ? TG_NULL : tg_layer_norm(both, TG_NULL, TG_NULL, 1e-5);
    case 3: return tg_mean(tg_square(both), TG_ALL_DIMS, false);
    case 4: return tg_relu(both);
    default: return tg_sum(tg_mul(tg_sigmoid(both), both), TG_ALL_DIMS, false);
    }
}

static bool finite_everywhere(tg_tensor y) {
    bool finite = true;
    int64_t n = tg_numel(y);
    double *values = calloc((size_t)n + 1, sizeof *values);
    finite = tg_read_doubles(y, values, n) == TG_OK;
    for (int64_t i = 0; i < n; i++)
        finite &= isfinite(values[i]) != 0;
    free(values);
    return finite;
}

/* Whether a check could be made. */
static bool check_one(uint64_t seed) {
    tg_rng_state rng;
    tg_rng_seed(&rng, seed);
    tg_tape *t = seeded_tape(tg_rng_random(&rng) & 1 ? TG_F32 : TG_F64, seed);
    tg_tensor y = any_graph(t, &rng);
    tg_gradcheck_config config = config_in(tg_rng_random(&rng) % 4 ? TG_GRADCHECK_FULL : TG_GRADCHECK_FAST);
    config.seed = seed;
    bool usable = !tg_is_null(y) && tg_requires_grad(y) && finite_everywhere(y);
    tg_status status = usable ? tg_gradcheck(y, config, NULL) : TG_OK;
    bool empty = status == TG_ERR_STATE && strstr(tg_error(t), "has no elements"); /* nothing to compare */
    ck_assert_msg(!status || empty, "seed %llu: %s", (unsigned long long)seed, tg_error(t));
    tg_tape_free(t);
    return usable && !empty;
}

/* GRADCHECKS=100000 checks as many. */
START_TEST(random_right_gradients_are_never_wrong)
{
    long long n = count_of("GRADCHECKS", getenv("GRADCHECKS"), 2000), checked = 0;
    for (uint64_t seed = 1; checked < n; seed++)
        checked += check_one(seed);
    printf("%lld random right gradients checked, no false alarm\n", checked);
}
END_TEST

/* Programs of make false-alarms that were called wrong: rounding of float callbacks, of saturated weights and sums that
 * cancel, overflow, tails such as gelu's, and float32's infinite slopes and subnormal numbers. A new operation makes
 * others of the seeds. */
START_TEST(programs_once_called_wrong_are_not)
{
    static const uint64_t found[] = {9500000397,  9500067292,  11700097051, 13900004380, 13900079364,
                                     17900008487, 17900036828, 17900062023, 17900072579, 19100013568,
                                     19100016245, 21300028612, 21300062010, 21300063350};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        drawn_program p = draw_program(found[i], n_steps());
        tg_gradcheck_config config = config_in(p.mode);
        tg_gradcheck_result r;
        config.seed = found[i];
        (void)!tg_gradcheck(p.y, config, &r);
        ck_assert_msg(r.verdict != TG_GRAD_WRONG, "seed %llu: %s", (unsigned long long)found[i], r.summary);
        tg_tape_free(p.t);
    }
}
END_TEST

/* They are made of operations that no leaf can be put under, and are not tried alone. */
START_TEST(recorded_gradients_can_be_checked)
{
    tg_set_threads(2); /* which share the heads of the last */
    for (int i = 0; i < 5; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(4, 4))), e = tg_exp(x), dx;
        tg_tensor heads = tg_reshape(e, TG_SHAPE(2, 2, 4));
        tg_tensor y = i == 0   ? tg_rope(e, TG_ROPE_DEFAULTS)
                      : i == 1 ? tg_cumsum(e, 0)
                      : i == 2 ? tg_dropout(e, 0.5)
                      : i == 3 ? tg_scaled_dot_product_attention(e, x, e, TG_NULL, true, 0.3, 0)
                               : tg_scaled_dot_product_attention(heads, heads, heads, TG_NULL, true, 0, 0);
        ck_assert_int_eq(tg_gradients(tg_sum(tg_square(y), TG_ALL_DIMS, false), TG_NULL, &x, 1, &dx), TG_OK);
        tg_gradcheck_result r;
        if (i == 4) /* the gradient's gradient */
            ck_assert_int_eq(tg_gradients(tg_sum(tg_square(dx), TG_ALL_DIMS, false), TG_NULL, &x, 1, &dx), TG_OK);
        ck_assert_msg(tg_gradcheck(dx, TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
        ck_assert_msg(r.worst < 1e-4, "%s", r.summary);
        tg_tape_free(t);
    }
    tg_set_threads(0);
}
END_TEST

/* ---- branches ---- */

enum { MANY = 6 };
static const double other_values[MANY] = {0.5, -0.25, 0.5, -0.5, 0.25, -0.5};
static tg_tensor others(tg_tensor x) { return tg_from_doubles(x.tape, TG_SHAPE(MANY), other_values); }
static tg_tensor by_relu(tg_tensor x) { return tg_relu(x); }
static tg_tensor by_leaky_relu(tg_tensor x) { return tg_leaky_relu(x, 0.1); }
static tg_tensor by_abs(tg_tensor x) { return tg_abs(x); }
static tg_tensor by_clamp(tg_tensor x) { return tg_clamp(x, -5, 5); }
static tg_tensor by_maximum(tg_tensor x) { return tg_maximum(x, others(x)); }
static tg_tensor by_minimum(tg_tensor x) { return tg_minimum(others(x), x); }
static tg_tensor by_high(tg_tensor x) { return tg_clamp_tensor(others(x), tg_full(x.tape, TG_SCALAR, -9), x); }
static tg_tensor by_low(tg_tensor x) { return tg_clamp_tensor(others(x), x, tg_full(x.tape, TG_SCALAR, 9)); }
static tg_tensor by_l1(tg_tensor x) { return tg_l1_loss(x, others(x), TG_MEAN); }
static tg_tensor by_huber(tg_tensor x) { return tg_huber_loss(x, others(x), 5, TG_MEAN); }
static tg_tensor by_norm(tg_tensor x) { return tg_norm(x, 1, TG_ALL_DIMS, false); }
static tg_tensor by_amax(tg_tensor x) { return tg_amax(tg_reshape(x, TG_SHAPE(2, 3)), TG_DIMS(1), false); }

static uint64_t branches_of(tg_tensor y) {
    tg_branches b = {0};
    int n_branching = 0;
    for (uint32_t i = 0; i <= y.index; i++) {
        tg_node *n = y.tape->nodes[i];
        if (!n->op)
            continue;
        ck_assert_int_eq(tg_run_forward(n), TG_OK);
        if (!n->op->branches[TG_F64])
            continue;
        n->op->branches[TG_F64](n, &b);
        n_branching++;
    }
    ck_assert_int_eq(n_branching, 1);
    return b.hash;
}

/* Each element alone takes another branch when it moves far enough, up or down. */
START_TEST(every_element_has_its_branch)
{
    static const struct {
        tg_tensor (*y)(tg_tensor x);
        double base[MANY], moved;
    } cases[] = {{by_relu, {-1, 1, -1, 1, -1, 1}, -1}, /* -1: to its negative */
                 {by_leaky_relu, {-1, 1, -1, 1, -1, 1}, -1}, {by_abs, {-1, 1, -1, 1, -1, 1}, -1},
                 {by_norm, {-1, 1, -1, 1, -1, 1}, -1},       {by_clamp, {-1, 1, -1, 1, -1, 1}, 9}, /* 9 times as much */
                 {by_maximum, {-1, 1, -1, 1, -1, 1}, -1},    {by_minimum, {-1, 1, -1, 1, -1, 1}, -1},
                 {by_high, {-1, 1, -1, 1, -1, 1}, -1},       {by_low, {-1, 1, -1, 1, -1, 1}, -1},
                 {by_l1, {-1, 1, -1, 1, -1, 1}, -1},         {by_huber, {-1, 1, -1, 1, -1, 1}, 9},
                 {by_amax, {-1, -2, 3, 3, -1, -2}, -4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(MANY), cases[i].base)), y = cases[i].y(x);
        double *data = tg_data(x);
        WANT_OK(t);
        const uint64_t hash = branches_of(y);
        ck_assert_uint_eq(branches_of(y), hash);
        for (int k = 0; k < MANY; k++) {
            data[k] = cases[i].moved * cases[i].base[k];
            ck_assert_msg(branches_of(y) != hash, "%s: element %d", t->nodes[y.index]->op->name, k);
            data[k] = cases[i].base[k];
        }
        tg_tape_free(t);
    }
}
END_TEST

SUITE("gradcheck_probes", a_cast_tape_is_the_same_program, random_right_gradients_are_never_wrong,
      programs_once_called_wrong_are_not, recorded_gradients_can_be_checked, every_element_has_its_branch)
