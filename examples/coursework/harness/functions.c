/* Linked to 18: functions to be checked. Arrays: x, the gradient that is said to be theirs, the context, the answer. */
#include "harness/harness.h"

static double squares(const double *x, int64_t n, const void *context) {
    const double *w = context;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += w[i] * x[i] * x[i];
    return sum;
}

static double logsumexp(const double *x, int64_t n, const void *context) {
    double max = x[0], sum = 0;
    (void)context;
    for (int64_t i = 1; i < n; i++)
        max = fmax(max, x[i]);
    for (int64_t i = 0; i < n; i++)
        sum += exp(x[i] - max);
    return max + log(sum);
}

static double waves(const double *x, int64_t n, const void *context) {
    const double *w = context;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += sin(w[i] * x[i]) * x[(i + 1) % n];
    return sum;
}

static double inverse(const double *x, int64_t n, const void *context) {
    const double *w = context;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += w[i] / x[i];
    return sum;
}

int course_harness(const harness_call *h) {
    static course_function *const f[N_FUNCTIONS] = {squares, logsumexp, waves, inverse};
    h->array[3][0] = (double)judge_gradient(f[(int)h->number[1]], h->array[2], h->array[0], h->array[1], h->size[0]);
    return 0;
}
