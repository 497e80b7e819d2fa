/* Random numbers are PyTorch's, call by call. */
#include "core/kernels/isa.h"
#include "tests/support.h"

typedef enum {
    SEED,
    RAND,
    RANDN,
    UNIFORM,
    NORMAL,
    BERNOULLI,
    RANDINT,
    RANDPERM,
    KAIMING_UNIFORM,
    KAIMING_NORMAL,
    XAVIER_UNIFORM,
    XAVIER_NORMAL,
    TRUNC
} golden_op;

typedef struct golden_call {
    golden_op op;
    tg_dtype dtype;
    int64_t rows, cols; /* cols 0: one dim */
    double a, b, mean, std;
    int first, count; /* in golden_values */
    uint64_t hash;
} golden_call;

#include "golden/multinomial.h"
#include "golden/rng.h"

enum { N_CALLS = sizeof golden_calls / sizeof *golden_calls };

/* Where this machine keeps byte i of numbers of so many bytes, counted as a little-endian one has them. */
static size_t place_of_byte(size_t i, size_t bytes) {
    const uint16_t one = 1;
    bool little = *(const uint8_t *)&one == 1;
    return little ? i : i - i % bytes + (bytes - 1 - i % bytes);
}

static uint64_t hash_of(tg_tensor x) {
    const uint8_t *byte = tg_const_data(x);
    size_t size = tg_dtype_size(tg_dtype_of(x)), n = (size_t)tg_numel(x) * size;
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++)
        h = (h ^ byte[place_of_byte(i, size)]) * UINT64_C(1099511628211);
    return h;
}

static tg_tensor make(tg_tape *t, const golden_call *c) {
    tg_shape shape = c->cols ? TG_SHAPE(c->rows, c->cols) : TG_SHAPE(c->rows);
    switch (c->op) {
    case RAND: return tg_rand(t, shape);
    case RANDN: return tg_randn(t, shape);
    case UNIFORM: return tg_uniform_(tg_zeros(t, shape), c->a, c->b);
    case NORMAL: return tg_normal_(tg_zeros(t, shape), c->a, c->b);
    case BERNOULLI: return tg_bernoulli_(tg_zeros(t, shape), c->a);
    case RANDINT: return tg_randint(t, (int64_t)c->a, (int64_t)c->b, shape);
    case RANDPERM: return tg_randperm(t, c->rows);
    case KAIMING_UNIFORM: return tg_kaiming_uniform_(tg_zeros(t, shape), c->a);
    case KAIMING_NORMAL: return tg_kaiming_normal_(tg_zeros(t, shape), c->a);
    case XAVIER_UNIFORM: return tg_xavier_uniform_(tg_zeros(t, shape), c->a);
    case XAVIER_NORMAL: return tg_xavier_normal_(tg_zeros(t, shape), c->a);
    default: return tg_trunc_normal_(tg_zeros(t, shape), c->mean, c->std, c->a, c->b);
    }
}

/* More than 3 in 10 normals are between a and b: normals are drawn until they are, else uniform numbers. */
static bool draws_normals(const golden_call *c) {
    double scale = c->std * sqrt(2);
    return erf((c->b - c->mean) / scale) - erf((c->a - c->mean) / scale) > 2 * 0.3;
}

/* Do these numbers go through the C library's log, sin and cos? */
static bool uses_libm(const golden_call *c) {
    bool normal = c->op == RANDN || c->op == NORMAL || c->op == KAIMING_NORMAL || c->op == XAVIER_NORMAL ||
                  (c->op == TRUNC && draws_normals(c));
    return normal && (c->dtype == TG_F64 || c->rows * (c->cols ? c->cols : 1) < 16);
}

static void compare_values(int line, const golden_call *c, tg_tensor x) {
    double got[40], tolerance = uses_libm(c) ? (c->dtype == TG_F32 ? 2.4e-7 : 4e-15) : 0;
    if (c->count)
        ck_assert_int_eq(tg_read_doubles(x, got, c->count), TG_OK);
    for (int i = 0; i < c->count; i++) {
        double want = golden_values[c->first + i];
        ck_assert_msg(fabs(got[i] - want) <= tolerance * fabs(want), "call %d, element %d: %.17g, PyTorch has %.17g",
                      line, i, got[i], want);
    }
}

START_TEST(draws_equal_pytorch_on_every_instruction_set)
{
    if (!tg_isa_at(_i))
        return;
    tg_isa_use(tg_isa_at(_i));
    tg_tape *tape[2] = {tg_tape_new(TG_F32), tg_tape_new(TG_F64)};
    for (int i = 0; i < N_CALLS; i++) {
        const golden_call *c = &golden_calls[i];
        tg_tape *t = tape[c->dtype];
        if (c->op == SEED) {
            tg_manual_seed(t, (uint64_t)c->rows);
        } else {
            tg_tensor x = make(t, c);
            ck_assert_msg(tg_tape_status(t) == TG_OK, "call %d: %s", i, tg_error(t));
            compare_values(i, c, x);
            if (!uses_libm(c))
                ck_assert_msg(hash_of(x) == c->hash, "call %d (operation %d, %lld elements) differs", i, (int)c->op,
                              (long long)tg_numel(x));
        }
        tg_rng_state state = tg_get_rng_state(t);
        ck_assert_int_eq(tg_set_rng_state(tape[1 - c->dtype], &state), TG_OK);
    }
    tg_tape_free(tape[0]);
    tg_tape_free(tape[1]);
}
END_TEST

static void read_number(const uint8_t *little_endian, size_t bytes, void *number) {
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)number)[place_of_byte(i, bytes)] = little_endian[i];
}

/* The fields of torch.get_rng_state(), as core/kernels/rng.c describes them. */
static tg_rng_state state_from_torch(const uint8_t *bytes) {
    tg_rng_state s = {.has_next_double = bytes[5040] != 0, .has_next_float = bytes[5052] != 0};
    uint64_t word;
    read_number(bytes, 8, &s.seed);
    read_number(bytes + 8, 4, &s.left);
    read_number(bytes + 16, 4, &s.next);
    for (int i = 0; i < 624; i++) {
        read_number(bytes + 24 + 8 * i, 8, &word);
        s.state[i] = (uint32_t)word;
    }
    read_number(bytes + 5024, 8, &s.next_double);
    read_number(bytes + 5048, 4, &s.next_float);
    return s;
}

START_TEST(a_state_taken_from_pytorch_goes_on)
{
    ck_assert_uint_eq(sizeof golden_state, 5056);
    tg_tape *t = tg_tape_new(TG_F64);
    tg_rng_state state = state_from_torch(golden_state);
    ck_assert_uint_eq(state.seed, 42);
    ck_assert(state.has_next_double);
    ck_assert_int_eq(tg_set_rng_state(t, &state), TG_OK);
    double normal[2], uniform[30];
    ck_assert_int_eq(tg_read_doubles(tg_randn(t, TG_SHAPE(2)), normal, 2), TG_OK);
    ck_assert_int_eq(tg_read_doubles(tg_rand(t, TG_SHAPE(30)), uniform, 30), TG_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol(normal[i], golden_after_state[i], 1e-15);
    for (int i = 0; i < 30; i++)
        ck_assert(uniform[i] == golden_after_state[2 + i]);
    tg_tape_free(t);
}
END_TEST

static void expect_error(tg_tape *t, tg_tensor result, tg_status status, const char *text) {
    ck_assert(tg_is_null(result));
    ck_assert_int_eq(tg_tape_status(t), status);
    ck_assert_msg(strstr(tg_error(t), text) != NULL, "%s", tg_error(t));
    tg_clear_error(t);
}

START_TEST(bad_arguments_draw_nothing)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_zeros(t, TG_SHAPE(3, 2)), line = tg_zeros(t, TG_SHAPE(3)), ids = tg_arange(t, 3);
    tg_rng_state before = tg_get_rng_state(t);
    expect_error(t, tg_uniform_(x, 1, 0), TG_ERR_ARGUMENT, "uniform_: from 1 and to 0");
    expect_error(t, tg_uniform_(x, 0, (double)NAN), TG_ERR_ARGUMENT, "uniform_");
    expect_error(t, tg_uniform_(x, -3e38, 3e38), TG_ERR_ARGUMENT, "float32");
    expect_error(t, tg_normal_(x, 0, -1), TG_ERR_ARGUMENT, "normal_: mean is 0 and std -1");
    expect_error(t, tg_normal_(x, (double)INFINITY, 1), TG_ERR_ARGUMENT, "normal_: mean is inf");
    expect_error(t, tg_normal_(x, (double)NAN, 1), TG_ERR_ARGUMENT, "normal_: mean is ");
    expect_error(t, tg_normal_(x, 0, (double)INFINITY), TG_ERR_ARGUMENT, "std inf");
    expect_error(t, tg_normal_(x, 0, 1e300), TG_ERR_ARGUMENT, "finite float32 numbers");
    expect_error(t, tg_normal_(x, 3e38, 1e38), TG_ERR_ARGUMENT, "finite float32 numbers");
    expect_error(t, tg_xavier_normal_(x, 1e39), TG_ERR_ARGUMENT, "xavier_normal_: mean is 0");
    expect_error(t, tg_bernoulli_(x, 1.5), TG_ERR_ARGUMENT, "bernoulli_: p is 1.5");
    expect_error(t, tg_trunc_normal_(x, 0, 0, -1, 1), TG_ERR_ARGUMENT, "trunc_normal_");
    expect_error(t, tg_trunc_normal_(x, 0, 1, 1, -1), TG_ERR_ARGUMENT, "trunc_normal_");
    expect_error(t, tg_trunc_normal_(x, 0, 1e-9, 1, 2), TG_ERR_ARGUMENT, "too far out");
    expect_error(t, tg_trunc_normal_(x, 1e308, 1e308, -1e308, 0), TG_ERR_ARGUMENT, "differences");
    tg_rng_state wild = tg_get_rng_state(t);
    memset(wild.state, 0, sizeof wild.state);
    ck_assert_int_eq(tg_set_rng_state(t, &wild), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    wild = tg_get_rng_state(t);
    wild.left = 2;
    wild.next = UINT32_MAX;
    ck_assert_int_eq(tg_set_rng_state(t, &wild), TG_ERR_ARGUMENT);
    ck_assert(strstr(tg_error(t), "state") != NULL);
    tg_clear_error(t);
    expect_error(t, tg_randint(t, 4, 4, TG_SHAPE(2)), TG_ERR_ARGUMENT, "randint: low 4");
    expect_error(t, tg_randperm(t, -1), TG_ERR_ARGUMENT, "randperm");
    expect_error(t, tg_rand(t, TG_SHAPE(-1)), TG_ERR_SHAPE, "rand");
    expect_error(t, tg_kaiming_uniform_(line, 0), TG_ERR_SHAPE, "kaiming_uniform_: tensor (3,)");
    expect_error(t, tg_uniform_(ids, 0, 1), TG_ERR_ARGUMENT, "int64");
    expect_error(t, tg_uniform_(tg_transpose(x, 0, 1), 0, 1), TG_ERR_STATE, "not contiguous");
    expect_error(t, tg_normal_(tg_exp(x), 0, 1), TG_ERR_STATE, "made by exp");
    expect_error(t, tg_normal_(TG_NULL, 0, 1), TG_OK, "");
    tg_rng_state after = tg_get_rng_state(t);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    tg_rng_state broken = before;
    broken.left = 0;
    ck_assert_int_eq(tg_set_rng_state(t, &broken), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    broken.left = 1;
    broken.next = 700;
    ck_assert_int_eq(tg_set_rng_state(t, &broken), TG_OK); /* the next draw starts a new block */
    broken.left = 20;
    ck_assert_int_eq(tg_set_rng_state(t, &broken), TG_ERR_ARGUMENT);
    tg_tape_free(t);
}
END_TEST

START_TEST(filling_in_place_counts_as_modification)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_set_requires_grad(tg_rand(t, TG_SHAPE(3)), true);
    tg_tensor y = tg_sum(tg_mul(x, x), TG_ALL_DIMS, false);
    tg_uniform_(x, 0, 1);
    ck_assert_int_eq(tg_backward(y), TG_ERR_STATE);
    tg_tape_free(t);
}
END_TEST

START_TEST(empty_tensors_draw_nothing)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_rng_state before = tg_get_rng_state(t);
    tg_xavier_uniform_(tg_rand(t, TG_SHAPE(0, 3)), 1);
    tg_kaiming_normal_(tg_randn(t, TG_SHAPE(0)), 1);
    tg_trunc_normal_(tg_zeros(t, TG_SHAPE(0)), 0, 1, -2, 2);
    tg_randint(t, 0, 1, TG_SHAPE(0));
    ck_assert_int_eq(tg_tape_status(t), TG_OK);
    tg_rng_state after = tg_get_rng_state(t);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    tg_tape_free(t);
}
END_TEST

START_TEST(bernoulli_fills_every_dtype)
{
    tg_tape *t = tg_tape_new(TG_F32);
    int64_t as_float[64], as_int[64], as_bool[64];
    bool none[64] = {false};
    tg_manual_seed(t, 9);
    ck_assert_int_eq(tg_read_ints(tg_bernoulli_(tg_zeros(t, TG_SHAPE(64)), 0.4), as_float, 64), TG_OK);
    tg_manual_seed(t, 9);
    ck_assert_int_eq(tg_read_ints(tg_bernoulli_(tg_arange(t, 64), 0.4), as_int, 64), TG_OK);
    tg_manual_seed(t, 9);
    ck_assert_int_eq(tg_read_ints(tg_bernoulli_(tg_from_bools(t, TG_SHAPE(64), none), 0.4), as_bool, 64), TG_OK);
    ck_assert(memcmp(as_float, as_int, sizeof as_int) == 0 && memcmp(as_int, as_bool, sizeof as_int) == 0);
    tg_tape_free(t);
}
END_TEST

START_TEST(class_numbers_are_pytorchs)
{
    const struct multinomial_golden *c = &multinomial_golden[_i];
    tg_tape *t = tg_tape_new(c->dtype);
    int64_t rows = c->rows ? c->rows : 1, n = rows * c->n, drawn[64];
    double p[5000];
    ck_assert(rows * c->classes <= 5000 && n <= 64);
    for (int64_t i = 0; i < rows * c->classes; i++)
        p[i] = (double)((37 * (i / c->classes) + 11 * (i % c->classes)) % 9) / 8;
    tg_shape shape = c->rows ? TG_SHAPE(rows, c->classes) : TG_SHAPE(c->classes);
    tg_tensor row_by_row = tg_from_doubles(t, shape, p), across = row_by_row;
    if (c->rows) /* the same, column by column in memory */
        across = tg_transpose(tg_contiguous(tg_transpose(row_by_row, 0, 1)), 0, 1);
    for (int k = 0; k < 2; k++) {
        tg_manual_seed(t, c->seed);
        tg_tensor y = tg_multinomial(k ? across : row_by_row, c->n, c->replacement);
        ck_assert_msg(tg_read_ints(y, drawn, n) == TG_OK, "%s", tg_error(t));
        for (int64_t i = 0; i < n; i++)
            ck_assert_int_eq(drawn[i], multinomial_drawn[c->first + i]);
    }
    tg_tape *f64 = tg_tape_new(TG_F64);
    tg_rng_state state = tg_get_rng_state(t);
    ck_assert_int_eq(tg_set_rng_state(f64, &state), TG_OK);
    ck_assert_double_eq(tg_item(tg_rand(f64, TG_SCALAR)), c->after);
    tg_tape_free(f64);
    tg_tape_free(t);
}
END_TEST

START_TEST(all_can_be_drawn_without_replacement)
{
    tg_tape *t = tg_tape_new(TG_F64);
    int64_t all[3], once[3] = {0};
    ck_assert_int_eq(tg_read_ints(tg_multinomial(tg_ones(t, TG_SHAPE(3)), 3, false), all, 3), TG_OK);
    for (int i = 0; i < 3; i++)
        once[all[i]]++;
    ck_assert(once[0] == 1 && once[1] == 1 && once[2] == 1);
    tg_tape_free(t);
}
END_TEST

/* A uniform of 0 makes an exponential of 0, and p / q 0 / 0 for the class of probability 0. */
START_TEST(a_class_of_probability_0_is_not_drawn)
{
    tg_tape *t = tg_tape_new(TG_F64);
    for (int n = 1; n <= 2; n++) {
        tg_manual_seed(t, 1);
        tg_rand(t, TG_SHAPE(1));
        tg_rng_state state = tg_get_rng_state(t);
        state.state[state.next] = state.state[state.next + 1] = 0;
        ck_assert_int_eq(tg_set_rng_state(t, &state), TG_OK);
        int64_t drawn[2];
        tg_tensor p = tg_from_doubles(t, TG_SHAPE(3), (double[]){0, 1, n - 1});
        ck_assert_int_eq(tg_read_ints(tg_multinomial(p, n, false), drawn, n), TG_OK);
        for (int i = 0; i < n; i++)
            ck_assert_int_ne(drawn[i], 0);
    }
    tg_tape_free(t);
}
END_TEST

/* PyTorch 2.15 returns class 1 whatever it draws: the cumulative sums are Inf from there on. */
START_TEST(a_row_whose_sum_overflows_is_refused)
{
    const double large[] = {1.5e308, 1.5e308, 1};
    tg_tape *t = tg_tape_new(TG_F32), *f64 = tg_tape_new(TG_F64);
    tg_tensor p = tg_from_floats(t, TG_SHAPE(4), (float[]){3e38f, 3e38f, 3e38f, 1});
    expect_error(t, tg_multinomial(p, 20, true), TG_ERR_ARGUMENT, "a finite sum");
    expect_error(t, tg_multinomial(p, 2, false), TG_ERR_ARGUMENT, "a finite sum");
    expect_error(f64, tg_multinomial(tg_from_doubles(f64, TG_SHAPE(3), large), 20, true), TG_ERR_ARGUMENT, "row 0");
    tg_tape_free(f64);
    tg_tape_free(t);
}
END_TEST

START_TEST(impossible_draws_are_refused)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_rng_state before = tg_get_rng_state(t);
    tg_tensor p = tg_from_doubles(t, TG_SHAPE(2, 3), (double[]){0, 1, 2, 0, 0, 1});
    expect_error(t, tg_multinomial(p, 2, false), TG_ERR_ARGUMENT, "multinomial: row 1 of (2, 3)");
    expect_error(t, tg_multinomial(p, 4, false), TG_ERR_ARGUMENT, "multinomial: 4 numbers");
    expect_error(t, tg_multinomial(p, 0, true), TG_ERR_ARGUMENT, "multinomial: 0 numbers");
    expect_error(t, tg_multinomial(tg_neg(p), 1, true), TG_ERR_ARGUMENT, "multinomial: row 0");
    expect_error(t, tg_multinomial(tg_full(t, TG_SHAPE(2), NAN), 1, true), TG_ERR_ARGUMENT, "multinomial: row 0");
    expect_error(t, tg_multinomial(tg_full(t, TG_SHAPE(2), INFINITY), 1, true), TG_ERR_ARGUMENT, "multinomial: row 0");
    expect_error(t, tg_multinomial(tg_scalar(t, 1), 1, true), TG_ERR_SHAPE, "multinomial");
    expect_error(t, tg_multinomial(tg_zeros(t, TG_SHAPE(2, 0)), 1, true), TG_ERR_SHAPE, "multinomial");
    tg_rng_state after = tg_get_rng_state(t);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    tg_tape_free(t);
}
END_TEST

/* PyTorch: from + (to - from) u, of the same u. */
START_TEST(a_wider_range_is_the_unit_one_stretched)
{
    tg_tape *t = tg_tape_new(TG_F64);
    double unit[20], wide[20];
    tg_manual_seed(t, 3);
    ck_assert_int_eq(tg_read_doubles(tg_rand(t, TG_SHAPE(20)), unit, 20), TG_OK);
    tg_manual_seed(t, 3);
    ck_assert_int_eq(tg_read_doubles(tg_uniform_(tg_zeros(t, TG_SHAPE(20)), 0, 2), wide, 20), TG_OK);
    for (int i = 0; i < 20; i++)
        ck_assert_double_eq(wide[i], 2 * unit[i]);
    tg_tape_free(t);
}
END_TEST

/* As PyTorch does: a double for each element, in order, kept when below 1 - p. */
START_TEST(dropout_draws_a_double_for_each_element)
{
    for (int64_t n = 255; n <= 515; n += 65) {
        tg_tape *t = tg_tape_new(TG_F32);
        double x[515], y[515];
        tg_tensor in = tg_randn(t, TG_SHAPE(n));
        ck_assert_int_eq(tg_read_doubles(in, x, n), TG_OK);
        tg_rng_state rng = tg_get_rng_state(t);
        ck_assert_int_eq(tg_read_doubles(tg_dropout(in, 0.75), y, n), TG_OK);
        for (int64_t i = 0; i < n; i++)
            ck_assert_double_eq(y[i], tg_rng_double(&rng) < 0.25 ? 4 * x[i] : 0);
        tg_rng_state after = tg_get_rng_state(t);
        ck_assert(tg_rng_double(&rng) == tg_rng_double(&after));
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("rng");
    tcase_add_loop_test(c, draws_equal_pytorch_on_every_instruction_set, 0, 4);
    tcase_add_loop_test(c, class_numbers_are_pytorchs, 0, sizeof multinomial_golden / sizeof *multinomial_golden);
    tcase_add_test(c, all_can_be_drawn_without_replacement);
    tcase_add_test(c, a_class_of_probability_0_is_not_drawn);
    tcase_add_test(c, a_row_whose_sum_overflows_is_refused);
    tcase_add_test(c, impossible_draws_are_refused);
    tcase_add_test(c, a_state_taken_from_pytorch_goes_on);
    tcase_add_test(c, bad_arguments_draw_nothing);
    tcase_add_test(c, filling_in_place_counts_as_modification);
    tcase_add_test(c, empty_tensors_draw_nothing);
    tcase_add_test(c, bernoulli_fills_every_dtype);
    tcase_add_test(c, a_wider_range_is_the_unit_one_stretched);
    tcase_add_test(c, dropout_draws_a_double_for_each_element);
    return run_suite("rng", c);
}
