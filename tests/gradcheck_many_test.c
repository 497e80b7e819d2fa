/* One wrong element of many is found and located in fast mode, what is wrong in a bounded number of runs; many right
 * ones are right. */
#include "tests/verdict.h"

static int64_t size(const tg_call *c) { return tg_shape_numel(c->output_shape); }

/* y = f(x) whose element `wrong`, which is `at`, gets `by` times its gradient. */
typedef struct curve {
    double (*f)(double), (*slope)(double);
    int64_t wrong;
    double at, by;
} curve;
static int64_t forwards; /* how many there were */

static int curve_forward(const tg_call *c) {
    const curve *k = c->context;
    forwards++;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->output)[i] = k->f(((const double *)c->input[0])[i]);
    return 0;
}
static int curve_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    const curve *k = c->context;
    for (int64_t i = 0; i < size(c); i++)
        ((double *)c->input_grad[0])[i] += k->slope(x[i]) * dy[i] * (i == k->wrong ? k->by : 1);
    return 0;
}
static const tg_custom_op curves = {"curve", NULL, NULL, curve_forward, curve_vjp};

static double cube(double x) { return x * x * x; }
static double cube_slope(double x) { return 3 * x * x; }
static double tanh_slope(double x) { return 1 - tanh(x) * tanh(x); }
static double high_square(double x) { return 50 + x * x; }
static double square_slope(double x) { return 2 * x; }

START_TEST(one_wrong_element_of_many_is_found)
{
    enum { FEWER = 3000, MANY = 10000 };
    static const struct {
        curve k;
        int64_t n;
        int use; /* 0: the sum; 1: y; 2: the mean of squares of y of a transposed leaf */
    } rows[] = {{{cube, cube_slope, 0, 0.5, 1.5}, FEWER, 0},
                {{cube, cube_slope, FEWER - 1, 1.5, 1.5}, FEWER, 0},
                {{high_square, square_slope, 6481, 0.2, 1.5}, MANY, 0},
                {{tanh, tanh_slope, 2142, 0.1, 1.5}, FEWER, 0},
                {{exp, exp, 1357, 0.3, 1.01}, FEWER, 0},
                {{cube, cube_slope, 5432, 0.2, 1.1}, MANY, 0},
                {{cube, cube_slope, -1, 0, 1}, MANY, 0}, /* right ones */
                {{high_square, square_slope, -1, 0, 1}, MANY, 0},
                {{sin, cos, 0, 0.7, 1.5}, 900, 1},
                {{sin, cos, 533, 0.7, 1.5}, 900, 1},
                {{sin, cos, 899, 0.7, 1.5}, 900, 1},
                {{sin, cos, 0, 0.7, 1.5}, 900, 2},
                {{sin, cos, 533, 0.7, 1.5}, 900, 2},
                {{sin, cos, 899, 0.7, 1.5}, 900, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t n = rows[i].n, wrong = rows[i].k.wrong;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, 3);
        bool turn = rows[i].use == 2;
        tg_tensor x = wanting(tg_randn(t, turn ? TG_SHAPE(n / 60, 60) : TG_SHAPE(n)));
        if (wrong >= 0)
            ((double *)tg_data(x))[turn ? wrong % (n / 60) * 60 + wrong / (n / 60) : wrong] = rows[i].k.at;
        tg_tensor in = turn ? tg_transpose(x, 0, 1) : x;
        tg_tensor y = tg_custom(&curves, &in, 1, tg_shape_of(in), &rows[i].k, sizeof(curve));
        y = rows[i].use == 0 ? total(y) : turn ? tg_mean(tg_square(y), TG_ALL_DIMS, false) : y;
        forwards = 0;
        tg_gradcheck_result r = checked(y, TG_GRADCHECK_FAST, 20240607);
        char where[64];
        snprintf(where, sizeof where, "element %lld is", (long long)wrong);
        bool found = !strcmp(r.op, "curve") && strstr(r.diagnosis, where);
        note_row(is_said(&r, wrong < 0 ? R : W) && (wrong < 0 || found), &r, "element %lld of %lld, %lld runs",
                 (long long)wrong, (long long)n, (long long)forwards);
        /* of y that is not summed each element is looked at alone */
        note_row(forwards <= (rows[i].use ? 45000 : 25000), &r, "%lld runs", (long long)forwards);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* y_j = x_j^2 + x_j / (1 + sum x^2 / n), whose gradient is half as much again at one element; y = sum x^3 with one
 * gradient doubled. */
static double sum_of_powers(const double *x, int64_t n, int power) {
    double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += pow(x[j], power);
    return sum;
}
static int mixed_forward(const tg_call *c) {
    const double *x = c->input[0];
    int64_t n = size(c);
    double s = 1 + sum_of_powers(x, n, 2) / (double)n;
    forwards++;
    for (int64_t j = 0; j < n; j++)
        ((double *)c->output)[j] = x[j] * x[j] + x[j] / s;
    return 0;
}
static int mixed_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    int64_t n = size(c);
    double s = 1 + sum_of_powers(x, n, 2) / (double)n, dot = 0;
    for (int64_t j = 0; j < n; j++)
        dot += dy[j] * x[j];
    for (int64_t j = 0; j < n; j++)
        ((double *)c->input_grad[0])[j] +=
            (j == n * 5 / 7 ? 1.5 : 1) * (2 * x[j] * dy[j] + dy[j] / s - 2 * x[j] * dot / (s * s * (double)n));
    return 0;
}
static int cubes_forward(const tg_call *c) {
    forwards++;
    *(double *)c->output = sum_of_powers(c->input[0], tg_shape_numel(c->input_shape), 3);
    return 0;
}
static int cubes_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    int64_t n = tg_shape_numel(c->input_shape);
    for (int64_t j = 0; j < n; j++)
        ((double *)c->input_grad[0])[j] += (j == n * 5 / 7 ? 2 : 1) * 3 * x[j] * x[j] * *dy;
    return 0;
}

START_TEST(a_wrong_operation_is_found_in_few_runs)
{
    static const tg_custom_op ops[] = {{"mixed", NULL, NULL, mixed_forward, mixed_vjp},
                                       {"cubes", NULL, NULL, cubes_forward, cubes_vjp}};
    for (int k = 0; k < 4; k++) {
        int64_t n = k / 2 ? 6000 : 1500;
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, 5);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(n)));
        tg_tensor y = tg_custom(&ops[k / 2], &x, 1, TG_SHAPE(k / 2 ? 1 : n), NULL, 0);
        forwards = 0;
        tg_gradcheck_result r = checked(total(y), k % 2, 20240607);
        note_row(is_said(&r, W) && !strcmp(r.op, ops[k / 2].name), &r, "%s %d", ops[k / 2].name, k % 2);
        note_row(forwards < (k / 2 ? 40000 : 25000), &r, "%lld runs", (long long)forwards);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* y_i = x_i detach(x_i), half of whose gradients do not arrive: another wrong leaf is searched for by halves. */
static int64_t evaluations_of_wrong(int leaves) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y[20];
    for (int i = 0; i < leaves; i++) {
        y[i] = wanting(VECTOR(t, 1 + i, 1.5));
        y[i] = tg_mul(y[i], tg_detach(y[i]));
    }
    tg_gradcheck_result r = checked(tg_cat(y, leaves, 0), TG_GRADCHECK_FAST, 20240607);
    ck_assert_msg(is_said(&r, W) && r.leaves == leaves && r.wrong == 2 * leaves, "%s", r.summary);
    tg_tape_free(t);
    return r.evaluations;
}

START_TEST(another_wrong_leaf_costs_its_halves)
{ ck_assert_int_le(evaluations_of_wrong(20) - evaluations_of_wrong(10), 10 * 100); }
END_TEST

int main(void) {
    const TTest *const all[] = {one_wrong_element_of_many_is_found, a_wrong_operation_is_found_in_few_runs,
                                another_wrong_leaf_costs_its_halves};
    return run_tests("gradcheck_many", all, sizeof all / sizeof *all, NULL, NULL);
}
