/* Why attention divides by sqrt(d_k). Document 000 [28, 31], and what documents 000, 003 and 004 say in words only:
 * the gradient through the softmax shrinks as d grows, unless the scores are scaled. */
#include "examples/common/notebook.h"

#include <math.h>

/* [28]: larger inputs make a peakier softmax. */
static void peaky_softmax(tg_tape *t) {
    title("the softmax of larger numbers is peakier");
    static const float numbers[] = {0.1f, -0.2f, 0.3f, -0.2f, 0.5f};
    tg_tensor x = tg_from_floats(t, TG_SHAPE(5), numbers);
    show("000 [28] softmax_result", tg_softmax(x, -1));
    show("000 [28] softmax_scaled_result", tg_softmax(tg_mul_scalar(x, 8), -1));
}

/* [31]: the variance of q . k over trials, q and k standard normal in dim dimensions. */
static double variance_of_dot(tg_tape *t, int64_t dim, int64_t trials) {
    tg_tensor q = tg_randn(t, TG_SHAPE(trials, dim)), k = tg_randn(t, TG_SHAPE(trials, dim));
    tg_tensor dot = tg_sum(tg_mul(q, k), TG_DIMS(1), false);
    return tg_item(tg_var(dot, TG_ALL_DIMS, 0, false));
}

/* The document's NumPy draws are unseeded, so its four figures cannot be drawn again. With n trials in d dims the
 * sample variance has mean d and standard deviation d sqrt((2 + 6/d) / n); five of these each way is the range. */
static void variance_of_the_document(tg_tape *t, int64_t d) {
    double v = variance_of_dot(t, d, 1000), spread = 5 * (double)d * sqrt((2 + 6.0 / (double)d) / 1000);
    char cell[64];
    snprintf(cell, sizeof cell, "000 [31] variance_before_scaling_%lld", (long long)d);
    show_text(cell, "%.4f in [%.4f, %.4f]", v, (double)d - spread, (double)d + spread);
    snprintf(cell, sizeof cell, "000 [31] variance_after_scaling_%lld", (long long)d);
    show_text(cell, "%.4f in [%.4f, %.4f]", v / (double)d, 1 - spread / (double)d, 1 + spread / (double)d);
}

static void bar(double value, double full) {
    int n = (int)(40 * value / full + 0.5);
    for (int i = 0; i < n && i < 40; i++)
        putchar('#');
    putchar('\n');
}

static void variance_plot(tg_tape *t) {
    static const int64_t dims[] = {1, 5, 20, 50, 100, 200, 500, 1000};
    title("variance of q . k over 1000 trials, as d grows");
    printf("     d   variance   / d\n");
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        tg_mark here = tg_tape_mark(t);
        double v = variance_of_dot(t, dims[i], 1000);
        printf("%6lld %10.2f %5.2f  ", (long long)dims[i], v, v / (double)dims[i]);
        bar(v, 1200);
        if (tg_tape_rewind(t, here))
            return;
    }
    printf("\n");
}

/* |d softmax(scores)^T c / d scores| over |c|, averaged over queries: how much gradient comes through. */
static double gradient_through_softmax(tg_tape *t, int64_t d, double scale) {
    tg_manual_seed(t, 1000 + (uint64_t)d);
    tg_tensor q = tg_randn(t, TG_SHAPE(200, d)), k = tg_randn(t, TG_SHAPE(16, d));
    tg_tensor cotangent = tg_randn(t, TG_SHAPE(200, 16));
    tg_tensor scores = tg_mul_scalar(tg_matmul(q, tg_transpose(k, 0, 1)), scale);
    tg_tensor leaf = tg_zeros(t, TG_SHAPE(200, 16));
    if (tg_copy_(leaf, scores) || tg_is_null(tg_set_requires_grad(leaf, true)))
        return (double)NAN;
    if (tg_backward_with(tg_softmax(leaf, -1), cotangent))
        return (double)NAN;
    double through = sqrt(tg_item(tg_sum(tg_square(tg_grad(leaf)), TG_ALL_DIMS, false)));
    return through / sqrt(tg_item(tg_sum(tg_square(cotangent), TG_ALL_DIMS, false)));
}

static void gradient_plot(tg_tape *t) {
    static const int64_t dims[] = {1, 5, 20, 50, 100, 200, 500, 1000, 4608};
    title("gradient that comes back through the softmax, 16 keys, 200 queries");
    printf("     d   unscaled   scaled by 1/sqrt(d)\n");
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        tg_mark here = tg_tape_mark(t);
        double plain = gradient_through_softmax(t, dims[i], 1);
        double scaled = gradient_through_softmax(t, dims[i], 1 / sqrt((double)dims[i]));
        printf("%6lld %10.4f %8.4f  ", (long long)dims[i], plain, scaled);
        bar(plain, 0.25);
        if (tg_tape_rewind(t, here))
            return;
    }
    printf("\n(bars: unscaled)\n\n");
}

int main(int argc, char **argv) {
    no_arguments(argc, argv, "Why attention divides by sqrt(d_k): peaky softmax, variance, gradient (document 000).");
    tg_tape *t = tg_tape_new(TG_F32);
    peaky_softmax(t);
    tg_manual_seed(t, 100);
    variance_of_the_document(t, 5);
    variance_of_the_document(t, 20);
    variance_plot(t);
    gradient_plot(t);
    return finish(t);
}
