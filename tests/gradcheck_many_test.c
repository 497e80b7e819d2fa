/* One wrong element of many is found and located in fast mode, what is wrong in a bounded number of runs; many right
 * ones are right. */
#include "custom_ops.h"
#include "tests/verdict.h"

static int64_t forwards; /* how many there were */

/* Element `way` gets `by` times its gradient. */
#define CURVE(name, f, slope) EACH(name, (forwards += i == 0, f), (i == j->mistake ? by : 1) * dy * (slope))
CURVE(cube, x *x *x, 3 * x * x)
CURVE(tanh_of, tanh(x), 1 - y * y)
CURVE(exp_of, exp(x), y)
CURVE(sine, sin(x), cos(x))
CURVE(high_square, 50 + x * x, 2 * x)

START_TEST(one_wrong_element_of_many_is_found)
{
    enum { FEWER = 3000, MANY = 10000 };
    static const struct {
        const tg_custom_op *op;
        int wrong; /* is `at`; -1: none */
        double at, by;
        int n;
        int use; /* 0: the sum; 1: y; 2: the mean of squares of y of a transposed leaf */
    } rows[] = {{&cube, 0, 0.5, 1.5, FEWER, 0},
                {&cube, FEWER - 1, 1.5, 1.5, FEWER, 0},
                {&high_square, 6481, 0.2, 1.5, MANY, 0},
                {&tanh_of, 2142, 0.1, 1.5, FEWER, 0},
                {&exp_of, 1357, 0.3, 1.01, FEWER, 0},
                {&cube, 5432, 0.2, 1.1, MANY, 0},
                {&cube, -1, 0, 1, MANY, 0}, /* right ones */
                {&high_square, -1, 0, 1, MANY, 0},
                {&sine, 0, 0.7, 1.5, 900, 1},
                {&sine, 533, 0.7, 1.5, 900, 1},
                {&sine, 899, 0.7, 1.5, 900, 1},
                {&sine, 0, 0.7, 1.5, 900, 2},
                {&sine, 533, 0.7, 1.5, 900, 2},
                {&sine, 899, 0.7, 1.5, 900, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int n = rows[i].n, wrong = rows[i].wrong;
        tg_tape *t = seeded_tape(TG_F64, 3);
        bool turn = rows[i].use == 2;
        tg_tensor x = wanting(tg_randn(t, turn ? TG_SHAPE(n / 60, 60) : TG_SHAPE(n)));
        if (wrong >= 0)
            ((double *)tg_data(x))[turn ? wrong % (n / 60) * 60 + wrong / (n / 60) : wrong] = rows[i].at;
        tg_tensor in = turn ? tg_transpose(x, 0, 1) : x;
        tg_tensor y = apply_to(rows[i].op, wrong, rows[i].by, in);
        y = rows[i].use == 0 ? total(y) : turn ? tg_mean(tg_square(y), TG_ALL_DIMS, false) : y;
        forwards = 0;
        tg_gradcheck_result r = checked(y, TG_GRADCHECK_FAST, 20240607);
        char where[64];
        snprintf(where, sizeof where, "element %d is", wrong);
        bool found = !strcmp(r.op, rows[i].op->name) && strstr(r.diagnosis, where);
        note_row(is_said(&r, wrong < 0 ? R : W) && (wrong < 0 || found), &r, "element %d of %d, %lld runs", wrong, n,
                 (long long)forwards);
        /* of y that is not summed each element is looked at alone */
        note_row(forwards <= (rows[i].use ? 45000 : 25000), &r, "%lld runs", (long long)forwards);
        tg_tape_free(t);
    }
    end_rows();
}
END_TEST

/* y_j = x_j^2 + x_j / (1 + sum x^2 / n), whose gradient is half as much again at one element; y = sum x^3 with one
 * gradient doubled. */
static double one_more(const job *j) { return 1 + row_dot(j->x, j->x, j->numel) / (double)j->numel; }

static void mixed_forward(job *j) {
    double s = one_more(j);
    forwards++;
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] * j->x[i] + j->x[i] / s;
}
static void mixed_vjp(job *j) {
    double s = one_more(j), dot = row_dot(j->x, j->dy, j->numel) / (s * s * (double)j->numel);
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += (i == j->numel * 5 / 7 ? 1.5 : 1) * (2 * j->x[i] * j->dy[i] + j->dy[i] / s - 2 * j->x[i] * dot);
}
FAMILY(mixed)

static void cubes_forward(job *j) {
    forwards++;
    *j->out = 0;
    for (int64_t i = 0; i < j->numel; i++)
        *j->out += j->x[i] * j->x[i] * j->x[i];
}
static void cubes_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += (i == j->numel * 5 / 7 ? 2 : 1) * 3 * j->x[i] * j->x[i] * *j->dy;
}
FAMILY(cubes)

START_TEST(a_wrong_operation_is_found_in_few_runs)
{
    for (int k = 0; k < 4; k++) {
        int64_t n = k / 2 ? 6000 : 1500;
        tg_tape *t = seeded_tape(TG_F64, 5);
        tg_tensor x = wanting(tg_randn(t, TG_SHAPE(n)));
        const tg_custom_op *op = k / 2 ? &cubes : &mixed;
        tg_tensor y = tg_custom(op, &x, 1, TG_SHAPE(k / 2 ? 1 : n), NULL, 0);
        forwards = 0;
        tg_gradcheck_result r = checked(total(y), k % 2, 20240607);
        note_row(is_said(&r, W) && !strcmp(r.op, op->name), &r, "%s %d", op->name, k % 2);
        note_row(forwards < (k / 2 ? 40000 : 26000), &r, "%lld runs", (long long)forwards);
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

START_TEST(another_wrong_leaf_costs_100_evaluations_at_most)
{ ck_assert_int_le(evaluations_of_wrong(20) - evaluations_of_wrong(10), 10 * 100); }
END_TEST

/* y = x w with w all zeros, as an adapter's: dx is 0 at the point, and wrong where w has moved (dy w for dy w^T). */
START_TEST(a_gradient_that_zeros_hide_is_found)
{
    const family *f = families;
    while (f->op != &my_matmul)
        f++;
    for (int mode = TG_GRADCHECK_FULL; mode <= TG_GRADCHECK_FAST; mode++)
        for (uint64_t seed = 0; seed < 10; seed++)
            for (int mistake = 0; mistake <= 1; mistake++) {
                tg_tape *t = seeded_tape(TG_F64, seed);
                tg_tensor x = wanting(tg_randn(t, TG_SHAPE(3, 4))), w = wanting(tg_zeros(t, TG_SHAPE(4, 4)));
                tg_gradcheck_result r = checked(apply_family(f, mistake, x, w), mode, seed);
                ck_assert_msg(is_said(&r, mistake ? W : R), "mode %d, seed %d: %s", mode, (int)seed, r.summary);
                tg_tape_free(t);
            }
}
END_TEST

SUITE("gradcheck_many", one_wrong_element_of_many_is_found, a_wrong_operation_is_found_in_few_runs,
      another_wrong_leaf_costs_100_evaluations_at_most, a_gradient_that_zeros_hide_is_found)
