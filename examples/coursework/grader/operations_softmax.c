/* Tasks 04, 05 and 14, and the softmax and the loss of 13. Variants are described on the task's page. */
#include "operations.h"

/* ---- 04, 05: softmax of X, 2 X, X / 2; cross-entropy as a mean, a sum, a mean in bits ---- */

static const op_case softmax_cases[] = {{{SHAPE(3, 5)}, {0}, 0},
                                        {{SHAPE(4, 4)}, {0}, 0},
                                        {{SHAPE(1, 3)}, {0}, 0},
                                        {{SHAPE(5, 2)}, {0}, 0},
                                        {{SHAPE(3, 1)}, {0}, 0}};

/* The sum of each row and those after it: its gradient is the sum of those of the rows before. */
static tg_tensor sum_from_here(tg_tensor x) { return tg_flip(tg_cumsum(tg_flip(x, TG_DIMS(0)), 0), TG_DIMS(0)); }

/* The value of softmax over the last dim, with a faulty gradient. y is fixed in all that follows it. */
tg_tensor faulty_softmax(tg_tensor x, int fault) {
    tg_tensor y = tg_softmax(x, -1), f = tg_detach(y), yx = tg_mul(x, f);
    tg_tensor all_x = tg_sum(x, TG_DIMS(-1), true), all_yx = tg_sum(yx, TG_DIMS(-1), true);
    switch (fault) {
    case 1: return with_gradient_of(y, tg_mul(yx, tg_rsub_scalar(1, f)));         /* y (1 - y) dy */
    case 2: return with_gradient_of(y, yx);                                       /* y dy */
    case 3: return with_gradient_of(y, tg_sub(tg_mul_scalar(yx, 2), y));          /* y (dy + sum y dy) */
    case 4: return with_gradient_of(y, tg_sub(yx, all_yx));                       /* y (dy - sum dy) */
    case 5: return with_gradient_of(y, tg_sub(yx, tg_mul(f, all_x)));             /* y dy - sum y dy */
    case 6: return with_gradient_of(y, tg_sub(tg_mul(yx, f), tg_mul(f, all_yx))); /* -y[j] sum without j of y dy */
    case 7: return with_gradient_of(y, tg_sub(x, tg_mul(f, all_x)));              /* dy - sum y dy */
    case 8: return with_gradient_of(y, tg_sub(yx, tg_mul(f, tg_mean(yx, TG_DIMS(-1), true))));
    case 9: return with_gradient_of(y, tg_sub(yx, tg_mul(f, sum_from_here(all_yx))));
    default: return y;
    }
}

static tg_tensor softmax(const tg_tensor *x, const how *h) {
    static const double factor[] = {1, 2, 0.5};
    double k = factor[h->variant];
    if (h->fault == N_SOFTMAX_FAULTS + 1)
        return with_gradient_of(tg_softmax(tg_mul_scalar(x[0], k), -1),
                                scaled_gradient(tg_softmax(tg_mul_scalar(x[0], k), -1), 1 / k));
    return faulty_softmax(tg_mul_scalar(x[0], k), h->fault);
}

/* The last of every row so small that its weight is lost in the others' rounding: its gradient is not. */
static void make_uneven(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)operand, (void)variant;
    int64_t n = shape[0].size[0], m = shape[0].size[1];
    for (int64_t i = 0; i < n; i++)
        x[0][i * m + m - 1] -= 90;
}

const op_spec softmax_spec = {
    .symbol = "softmax_op",
    .result = "Y",
    .operand = {"X"},
    .kind = "f",
    CASES(softmax_cases),
    .reference = softmax,
    .hard = softmax_cases,
    .harden = make_uneven,
    FAULTS(SOFTMAX_FAULTS, "inner derivative forgotten: the factor of x is one of the gradient as well")};

static const op_case cross_entropy_cases[] = {
    {{SHAPE(3, 5), SHAPE(3)}, {0}, 0},    {{SHAPE(4, 4), SHAPE(4)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(1)}, {0}, 0},
    {{SHAPE(6, 2), SHAPE(6)}, {0}, 0},    {{SHAPE(2, 1), SHAPE(2)}, {0}, 0}, {{SHAPE(6, 4), SHAPE(6)}, {0}, 1000},
    {{SHAPE(3, 4), SHAPE(3)}, {0}, -1000}};

/* The maximum as forward takes it, from row to row, with a mistake. */
static tg_tensor row_max(tg_tensor x, bool from_zero) {
    tg_tensor max = tg_amax(x, TG_DIMS(-1), true);
    return from_zero ? tg_relu(max) : max;
}

/* log sum e^x as it is written down in C: with the exponentials as they come out */
static tg_tensor log_sum(tg_tensor x, tg_tensor max, bool runs_on) {
    tg_tensor sum = tg_sum(tg_exp(tg_sub(x, max)), TG_DIMS(-1), true);
    return tg_log(runs_on ? tg_cumsum(sum, 0) : sum);
}

/* Of row i class i, as far as there are so many. */
static tg_tensor own_numbers(tg_tensor x) {
    int64_t at[64] = {0}, n = tg_size(x, 0);
    for (int64_t i = 0; i < n && i < 64; i++)
        at[i] = i % tg_size(x, 1);
    return tg_from_ints(x.tape, TG_SHAPE(n), at);
}

/* The sum of the rows' losses, with the mistakes of a forward. */
static tg_tensor slipped_loss(const tg_tensor *x, int slip) {
    tg_tensor zero = tg_zeros(x[0].tape, TG_SHAPE(1, 1)), max = slip == 3 ? zero : row_max(x[0], slip == 1);
    tg_tensor t = slip == 5 ? own_numbers(x[0]) : x[1];
    tg_tensor right = tg_gather(x[0], 1, tg_unsqueeze(t, 1));
    tg_tensor each = tg_add(log_sum(x[0], max, slip == 6), slip == 2 ? zero : max);
    each = slip == 4 ? each : tg_sub(each, right);
    return slip == 7 ? tg_sum(tg_slice(each, 0, tg_size(each, 0) - 1, tg_size(each, 0), 1), TG_ALL_DIMS, false)
                     : tg_sum(each, TG_ALL_DIMS, false);
}

static tg_tensor cross_entropy(const tg_tensor *x, const how *h) {
    double n = (double)tg_size(x[0], 0), all = h->variant == 1 ? 1 : h->variant == 2 ? n * log(2) : n;
    tg_tensor p = tg_softmax(x[0], -1);
    tg_tensor y = tg_div_scalar(tg_cross_entropy(x[0], x[1], TG_IGNORE_INDEX, TG_SUM), all);
    tg_tensor only_p = tg_div_scalar(tg_sum(tg_mul(x[0], tg_detach(p)), TG_ALL_DIMS, false), all);
    take_note(h, "p", p);
    if (h->slip)
        return tg_reshape(tg_div_scalar(slipped_loss(x, h->slip), all), TG_SHAPE(1));
    switch (h->fault) {
    case 1: y = with_gradient_of(y, only_p); break;
    case 2: y = with_gradient_of(y, tg_sub(y, only_p)); break;
    case 3: y = scaled_gradient(y, all); break;
    case 4: y = h->variant == 2 ? scaled_gradient(y, log(2)) : scaled_gradient(y, 1 / n); break;
    default: break;
    }
    return tg_reshape(y, TG_SHAPE(1));
}

const op_spec cross_entropy_spec = {
    .symbol = "cross_entropy_op",
    .result = "y",
    .operand = {"X", "t"},
    .kind = "fi",
    CASES(cross_entropy_cases),
    .reference = cross_entropy,
    .uses = {"p"},
    .hard = cross_entropy_cases,
    .harden = make_uneven,
    FAULTS(
        "the right class forgotten: dX is p - 1 at the right class, p elsewhere, divided as the loss is; the -1 is missing",
        "the softmax forgotten: dX is p - 1 at the right class, p elsewhere, divided as the loss is; the p is missing",
        "1/n missing: the loss is divided by a number, and so is its gradient",
        "wrong divisor: the gradient is divided by what the loss is divided by"),
    SLIPS("max begins at 0: where every x of a row is far below 0, e^(x - max) is 0: begin with the row's first",
          "max not added back: log of the sum of e^(x - max) is less than that of e^x by max",
          "maximum not taken off: e^x overflows where x is large, and is 0 where all x are far below 0",
          "target left out: the logit of the right class is to be subtracted",
          "row for class: the logit is x[t[i]], that of the right class of row i, not x[i]",
          "sum not set back: the sum of e^x goes on from row to row; begin at 0 for each one",
          "= inside a sum over rows: only the loss of the last row is left; add with +=")};

/* ---- 14: log of the sum of e^X, or of the mean; cross-entropy of two classes, natural or in bits ---- */

static const op_case logsumexp_cases[] = {{{SHAPE(3, 5)}, {0}, 0},
                                          {{SHAPE(4, 4)}, {0}, 0},
                                          {{SHAPE(2, 1)}, {0}, 0},
                                          {{SHAPE(4, 6)}, {0}, 1000},
                                          {{SHAPE(3, 4)}, {0}, -1000}};
static const op_case bce_cases[] = {
    {{SHAPE(6), SHAPE(6)}, {0}, 0}, {{SHAPE(1), SHAPE(1)}, {0}, 0}, {{SHAPE(8), SHAPE(8)}, {0}, 1000}};

static tg_tensor logsumexp(const tg_tensor *x, const how *h) {
    tg_tensor y = tg_logsumexp(x[0], TG_DIMS(-1), false);
    if (h->slip) {
        tg_tensor zero = tg_zeros(x[0].tape, TG_SHAPE(1, 1)), max = h->slip == 3 ? zero : row_max(x[0], h->slip == 1);
        y = tg_squeeze(tg_add(log_sum(x[0], max, h->slip == 4), h->slip == 2 ? zero : max), -1);
    }
    if (h->fault == 1)
        return with_gradient_of(y, tg_sum(x[0], TG_DIMS(-1), false));
    return h->variant == 1 ? tg_sub_scalar(y, log((double)tg_size(x[0], 1))) : y;
}

/* The mean of log(1 + e^x) - t x: of max(x, 0) + log(1 + e^-|x|) - t x. */
static tg_tensor bce(const tg_tensor *x, const how *h) {
    double unit = h->variant == 1 ? log(2) : 1, n = (double)tg_numel(x[0]);
    tg_tensor t = tg_to_float(x[1]), zero = tg_zeros(x[0].tape, TG_SHAPE(1));
    tg_tensor pair = tg_stack((tg_tensor[]){x[0], tg_expand(zero, tg_shape_of(x[0]))}, 2, 0);
    tg_tensor each = tg_sub(tg_logsumexp(pair, TG_DIMS(0), false), tg_mul(x[0], t));
    tg_tensor y = tg_reshape(tg_div_scalar(tg_sum(each, TG_ALL_DIMS, false), n * unit), TG_SHAPE(1));
    tg_tensor x_t = tg_sum(tg_mul(x[0], t), TG_ALL_DIMS, false), naive = tg_log(tg_add_scalar(tg_exp(x[0]), 1));
    switch (h->slip) {
    case 1: return tg_reshape(tg_div_scalar(tg_sub(tg_sum(naive, TG_ALL_DIMS, false), x_t), n * unit), TG_SHAPE(1));
    case 2: return tg_add(y, tg_reshape(tg_div_scalar(x_t, n * unit), TG_SHAPE(1)));
    case 3: return tg_add(y, tg_reshape(tg_div_scalar(x_t, n * unit / 2), TG_SHAPE(1)));
    case 4: return tg_mul_scalar(y, n);
    default: break;
    }
    switch (h->fault) {
    case 1: return scaled_gradient(y, n);
    case 2: return with_gradient_of(y, tg_add(y, tg_div_scalar(tg_sum(tg_mul(x[0], t), TG_ALL_DIMS, false), n * unit)));
    default: return y;
    }
}

static void make_first_large(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand, (void)variant;
    x[0][0] = 1e17;
}

const op_spec logsumexp_spec = {
    .symbol = "logsumexp_op",
    .result = "y",
    .operand = {"X"},
    .kind = "f",
    CASES(logsumexp_cases),
    .reference = logsumexp,
    .hard = logsumexp_cases,
    .harden = make_uneven,
    FAULTS("softmax forgotten: every dx[j] has the factor e^x[j] / sum"),
    SLIPS("max begins at 0: where every x of a row is far below 0, e^(x - max) is 0: begin with the row's first",
          "max not added back: log of the sum of e^(x - max) is less than that of e^x by max",
          "maximum not taken off: e^x overflows where x is large, and is 0 where all x are far below 0",
          "sum not set back: the sum of e^x goes on from row to row; begin at 0 for each one")};
const op_spec bce_spec = {
    .symbol = "bce_op",
    .result = "y",
    .operand = {"x", "t"},
    .kind = "fb",
    CASES(bce_cases),
    .reference = bce,
    .hard = bce_cases,
    .harden = make_first_large,
    FAULTS("1/n missing: the loss is a mean, and so is its gradient",
           "the target forgotten: dx is the sigmoid minus t"),
    SLIPS("not stable: log(1 + e^x) overflows where x is large; max(x, 0) + log(1 + e^-|x|) is the same",
          "target left out: t x is to be subtracted", "sign of the target: t x is to be subtracted",
          "1/n missing: the loss is a mean")};

/* ---- 13: the variant has a sum for the loss ---- */

static const op_case loss_cases[] = {{{SHAPE(3, 5), SHAPE(3, 5)}, {0}, 0}, {{SHAPE(1, 3), SHAPE(1, 3)}, {0}, 0}};

static tg_tensor bug_softmax(const tg_tensor *x, const how *h) { return faulty_softmax(x[0], h->fault); }

static tg_tensor bug_loss(const tg_tensor *x, const how *h) {
    double n = (double)tg_numel(x[0]);
    tg_tensor y = tg_reshape(tg_mse_loss(x[0], x[1], h->variant == 1 ? TG_SUM : TG_MEAN), TG_SHAPE(1));
    return h->fault == 1   ? scaled_gradient(y, h->variant == 1 ? 1 / n : n)
           : h->fault == 2 ? scaled_gradient(y, 0.5)
                           : y;
}

/* One pair that says nothing of the others: the loss is not a number, their gradients are. */
static void hide_first(double *const *x, const tg_shape *shape, int operand, int variant) {
    (void)shape, (void)operand, (void)variant;
    x[0][0] = NAN;
}

const op_spec bug_softmax_spec = {.symbol = "bug_softmax_op",
                                  .result = "Y",
                                  .operand = {"X"},
                                  .kind = "f",
                                  CASES(softmax_cases),
                                  .reference = bug_softmax,
                                  .hard = softmax_cases,
                                  .harden = make_uneven,
                                  FAULTS(SOFTMAX_FAULTS)};
const op_spec bug_loss_spec = {
    .symbol = "bug_loss_op",
    .result = "loss",
    .operand = {"Y", "target"},
    .kind = "ff",
    CASES(loss_cases),
    .reference = bug_loss,
    .hard = loss_cases,
    .harden = hide_first,
    FAULTS("divided wrongly: the loss is divided by the number of elements or it is not, and "
           "so is its gradient",
           "the 2 forgotten: the derivative of a square has a factor 2")};
