/* The gradient check, on an operation of one's own: y[i][j] = w[j] x[i][j]^2. First its VJP is right, then the sign of
 * dx is wrong, then dw has the last row alone instead of the sum of all. Last, numbers for a plot: how far central
 * differences are from backward's gradient when their step becomes smaller. */
#include "core/tapegrad.h"

#include <math.h>

enum { ROWS = 2, COLUMNS = 2 };
typedef enum { NONE, SIGN, NO_SUM } mistake;

static int forward(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1];
    for (int i = 0; i < ROWS * COLUMNS; i++)
        ((double *)c->output)[i] = w[i % COLUMNS] * x[i] * x[i];
    return 0;
}

/* dx = 2 w x dy   dw[j] = sum over i of x[i][j]^2 dy[i][j]. dx and dw are NULL where not wanted. */
static int vjp(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *dy = c->output_grad;
    double *dx = c->input_grad[0], *dw = c->input_grad[1];
    mistake planted = *(const mistake *)c->context;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        if (dx)
            dx[i] += (planted == SIGN ? -2 : 2) * w[i % COLUMNS] * x[i] * dy[i];
        if (dw && (planted != NO_SUM || i >= (ROWS - 1) * COLUMNS))
            dw[i % COLUMNS] += x[i] * x[i] * dy[i];
    }
    return 0;
}

static const tg_custom_op weighted_square = {.name = "weighted_square", .forward_f64 = forward, .vjp_f64 = vjp};

/* The mean of y; x and w become the tape's two parameters. */
static tg_tensor record(tg_tape *t, mistake planted) {
    tg_manual_seed(t, 1);
    tg_tensor in[] = {tg_parameter(t, "x", tg_randn(t, TG_SHAPE(ROWS, COLUMNS))),
                      tg_parameter(t, "w", tg_randn(t, TG_SHAPE(COLUMNS)))};
    tg_tensor y = tg_custom(&weighted_square, in, 2, TG_SHAPE(ROWS, COLUMNS), &planted, sizeof planted);
    return tg_mean(y, TG_ALL_DIMS, false);
}

/* Whether the verdict is the one expected. */
static bool check(const char *title, mistake planted) {
    tg_gradcheck_result r;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_status status = tg_gradcheck(record(t, planted), TG_GRADCHECK_DEFAULTS, &r);
    printf("---- %s\n", title);
    bool printed = tg_gradcheck_print(stdout, &r) == TG_OK;
    tg_tape_free(t);
    return printed && (status == TG_OK) == (planted == NONE) && (r.verdict == TG_GRAD_WRONG) == (planted != NONE);
}

/* The largest |analytic - numeric| over w, for steps of 1/10 to 1e-12: it falls with eps^2, until rounding takes over.
 */
static bool plot(void) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor mean = record(t, NONE), loss = tg_exp(tg_mul_scalar(mean, 3)), w = tg_named(t, "w");
    double analytic[COLUMNS], numeric[COLUMNS];
    bool ok = tg_backward(loss) == TG_OK && tg_read_doubles(tg_grad(w), analytic, COLUMNS) == TG_OK;
    printf("---- exp(3 mean y): step of a central difference, its error\n");
    for (double eps = 0.1; ok && eps > 1e-12; eps /= 10) {
        double worst = 0;
        ok = tg_read_doubles(tg_numeric_gradient(loss, w, eps), numeric, COLUMNS) == TG_OK;
        for (int j = 0; j < COLUMNS; j++)
            worst = fmax(worst, fabs(analytic[j] - numeric[j]));
        printf("%.0e  %.1e\n", eps, worst);
    }
    if (!ok)
        fprintf(stderr, "%s\n", tg_error(t));
    tg_tape_free(t);
    return ok;
}

int main(void) {
    bool ok = check("right", NONE);
    ok = check("dx has the wrong sign", SIGN) && ok;
    ok = check("dw is not summed over the rows", NO_SUM) && ok;
    ok = plot() && ok;
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return !ok;
}
