/* Two parameters, a of five numbers and b of three, and a gradient for each at every step. */
#ifndef TAPEGRAD_TEST_OPTIM_STEPS_H
#define TAPEGRAD_TEST_OPTIM_STEPS_H

#include "optim/optim.h"
#include "tests/support.h"

enum { N0 = 5, N1 = 3, N = N0 + N1 };

static const int sizes[2] = {N0, N1};

static double gradient(int step, int p, int j) { return sin(1.7 * step + 0.9 * j + 2.1 * p) * (1 + j); }

static void give_gradient(tg_tensor x, int step, int p) {
    double g[N0];
    for (int j = 0; j < sizes[p]; j++)
        g[j] = gradient(step, p, j);
    ck_assert_int_eq(tg_write_grad(x, g, sizes[p]), TG_OK);
}

static void make_parameters(tg_tape *t, tg_tensor x[2]) {
    for (int p = 0; p < 2; p++) {
        double value[N0];
        for (int j = 0; j < sizes[p]; j++)
            value[j] = cos(j + p);
        x[p] = tg_parameter(t, p ? "b" : "a", tg_from_doubles(t, TG_SHAPE(sizes[p]), value));
    }
    ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
}

#endif
