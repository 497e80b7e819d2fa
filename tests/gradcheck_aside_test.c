/* Mistakes in custom operations that show at other operands than the tape's alone: beside ties, far from small numbers.
 * And what a mistake is called by the numbers around it. */
#include "tests/support.h"

#include <math.h>

enum { SEEDS = 10, ROWS = 3, COLUMNS = 4, N = ROWS * COLUMNS };

static double normal(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

/* size normal + offset */
static tg_tensor random_leaf(tg_tape *t, uint64_t seed, double size, double offset) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int i = 0; i < N; i++)
        values[i] = size * normal(&g) + offset;
    return wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), values));
}

static tg_gradcheck_result check(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK), "%s", r.summary);
    return r;
}

/* ---- beside ties ---- */

static int64_t place_of_largest(const double *x) {
    int64_t w = 0;
    for (int64_t j = 1; j < COLUMNS; j++)
        if (x[j] > x[w])
            w = j;
    return w;
}

static int row_max_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < ROWS; i++)
        ((double *)c->output)[i] = x[COLUMNS * i + place_of_largest(x + COLUMNS * i)];
    return 0;
}

/* The context: what the element beside the largest gets as well, of dy. */
static int row_max_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < ROWS; i++) {
        int64_t w = place_of_largest(x + COLUMNS * i);
        double *dx = (double *)c->input_grad[0] + COLUMNS * i;
        dx[w] += dy[i];
        dx[(w + 1) % COLUMNS] += *(const double *)c->context * dy[i];
    }
    return 0;
}

static tg_gradcheck_result check_row_max(tg_tensor x, double leak, tg_gradcheck_mode mode) {
    static const tg_custom_op row_max = {.name = "row_max", .forward_f64 = row_max_forward, .vjp_f64 = row_max_vjp};
    return check(tg_custom(&row_max, &x, 1, TG_SHAPE(ROWS), &leak, sizeof leak), mode);
}

/* Rows whose elements are all equal, or nearly. */
static tg_tensor level_rows(tg_tape *t, uint64_t seed) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int i = 0; i < N; i++)
        values[i] = i % COLUMNS ? values[i - 1] : normal(&g);
    return wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), values));
}

START_TEST(what_the_largest_leaks_is_wrong_at_ties_too)
{
    const double leaks[] = {0, 0.001, 0.1, 0.9};
    for (int k = 0; k < 16 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double leak = leaks[k % 4];
        uint64_t seed = (uint64_t)k / 16 + 1;
        tg_tensor x = k / 8 % 2 ? level_rows(t, seed) : random_leaf(t, seed, 1, 1000);
        tg_gradcheck_result r = check_row_max(x, leak, (tg_gradcheck_mode)(k / 4 % 2));
        bool right = r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK;
        ck_assert_msg(leak > 0 ? r.verdict == TG_GRAD_WRONG : right, "%d, leak %g: %s", k, leak, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {what_the_largest_leaks_is_wrong_at_ties_too};
    return run_tests("gradcheck_aside", all, sizeof all / sizeof *all, NULL, NULL);
}
