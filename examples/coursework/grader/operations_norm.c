/* Task 07. */
#include "operations.h"

/* ---- 07: weight w, or 1 + w ---- */

static const op_case norm_cases[] = {{{SHAPE(3, 5), SHAPE(5), SHAPE(5)}, {1e-5}, 0},
                                     {{SHAPE(4, 4), SHAPE(4), SHAPE(4)}, {1e-3}, 0},
                                     {{SHAPE(1, 7), SHAPE(7), SHAPE(7)}, {1e-5}, 0},
                                     {{SHAPE(2, 3), SHAPE(3), SHAPE(3)}, {0.5}, 0},
                                     {{SHAPE(3, 1), SHAPE(1), SHAPE(1)}, {0.5}, 0}};
static const op_case norm_hard = {{SHAPE(3, 5), SHAPE(5), SHAPE(5)}, {1e-40}, 0};

static tg_tensor row_mean(tg_tensor x) { return tg_mean(x, TG_DIMS(-1), true); }
static tg_tensor sum_from_here(tg_tensor x) { return tg_flip(tg_cumsum(tg_flip(x, TG_DIMS(0)), 0), TG_DIMS(0)); }

/* A tensor whose gradient is r (du - the sums of mean(du) so far - u those of mean(du u)), x with the factor r. */
static tg_tensor running(tg_tensor x, tg_tensor u) {
    return tg_sub(tg_sub(x, sum_from_here(row_mean(x))), tg_mul(u, sum_from_here(row_mean(tg_mul(x, u)))));
}

/* A tensor whose gradient is r (du - by_mean mean(du) - by_variance u mean(du u)); u and r are fixed. */
static tg_tensor projected(tg_tensor x, tg_tensor u, tg_tensor r, double by_mean, double by_variance) {
    tg_tensor mean = row_mean(x), along = row_mean(tg_mul(x, u));
    tg_tensor off = tg_add(tg_mul_scalar(mean, by_mean), tg_mul_scalar(tg_mul(u, along), by_variance));
    return tg_mul(r, tg_sub(x, off));
}

static tg_tensor layer_norm(const tg_tensor *x, const how *h) {
    tg_tensor mean = tg_mean(x[0], TG_DIMS(-1), true), var = tg_var(x[0], TG_DIMS(-1), 0, true);
    tg_tensor r = tg_rdiv_scalar(1, tg_sqrt(tg_add_scalar(var, h->number[0])));
    tg_tensor weight = h->variant == 1 ? tg_add_scalar(x[1], 1) : x[1];
    if (h->fault == 1 || h->fault == 3)
        mean = tg_detach(mean);
    if (h->fault == 2 || h->fault == 3)
        r = tg_detach(r);
    tg_tensor u = tg_mul(tg_sub(x[0], mean), r);
    if (h->fault == 4)
        u = with_gradient_of(u, tg_div(u, tg_detach(r)));
    take_note(h, "u", u);
    double m = (double)tg_size(x[0], 1),
           by_mean = h->fault == 9 || h->fault == 11 ? m
                     : h->fault == 12                ? -1
                                                     : 1,
           by_variance = h->fault == 10 || h->fault == 11 ? m
                         : h->fault == 13                 ? -1
                                                          : 1;
    tg_tensor fixed_r = tg_detach(r), scaled_x = tg_mul(x[0], fixed_r);
    if (h->fault >= 9 && h->fault <= 13)
        u = with_gradient_of(u, projected(x[0], tg_detach(u), fixed_r, by_mean, by_variance));
    if (h->fault == 14) /* mean(du u) without u */
        u = with_gradient_of(u, tg_sub(tg_sub(scaled_x, row_mean(scaled_x)), tg_mul(tg_detach(u), row_mean(scaled_x))));
    if (h->fault == 15)
        u = with_gradient_of(u, running(scaled_x, tg_detach(u)));
    tg_tensor y = tg_add(tg_mul(u, weight), x[2]);
    switch (h->fault) {
    case 5: return with_gradient_of(y, u);
    case 6: return with_gradient_of(y, tg_mul(tg_detach(x[0]), weight));
    case 7: return with_gradient_of(y, tg_mul(tg_detach(tg_sub(x[0], mean)), weight));
    case 8: return with_gradient_of(y, tg_mul(u, x[1]));
    default: return y;
    }
}

/* Rows of sizes so different, and elements in a row, that no step suits both, with 34 digits neither; and b, on which
 * no gradient depends. */
static void make_steps_unfit(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)variant;
    int64_t m = shape[0].size[1];
    for (int64_t j = 0; j < m; j++) {
        x[0][j] *= 1e-15;
        x[0][m + j] *= j ? 1e15 : 1e-16;
    }
    fill(x[2], shape[2], NAN);
    if (operand == 2) {
        fill(x[0], shape[0], NAN);
        fill(x[1], shape[1], NAN);
    }
}

const op_spec layer_norm_spec = {
    .symbol = "layer_norm_op",
    .result = "Y",
    .operand = {"X", "w", "b"},
    .kind = "fff",
    CASES(norm_cases),
    .reference = layer_norm,
    .uses = {"u du", "u", ""},
    .hard = &norm_hard,
    .harden = make_steps_unfit,
    FAULTS("mean treated as constant: every x[j] moves the mean of its row, and through it every y",
           "variance treated as constant: every x[j] moves the variance of its row, and through it every y",
           "mean and variance treated as constants: every x[j] moves both, and through them every y",
           "1/std forgotten: u = (x - mean) r, so dx has the factor r",
           "weight forgotten: du is dy times the weight, not dy",
           "x in place of u: dw = dy u, with u the normalised row and not x",
           "not normalised: dw = dy u, and u is (x - mean) times r", "weight without its 1: here y is u times 1 + w",
           "1/m forgotten: mean(du) is a mean over the row, here it is the sum",
           "1/m forgotten: mean(du u) is a mean over the row, here it is the sum",
           "1/m forgotten: mean(du) and mean(du u) are means over the row, here they are sums",
           "sign of the mean: mean(du) is to be subtracted", "sign of the variance: u mean(du u) is to be subtracted",
           "u forgotten: mean(du u) comes back times u[j]",
           "sum not set back: the means go on from row to row; begin at 0 for each one")};
