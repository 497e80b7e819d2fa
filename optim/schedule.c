/* Learning rate schedules: functions of the number of steps. Their formulas are in optim.h. */
#include "optim/optim.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Half a cosine: 1 at x = 0, 0 at x = 1. */
static double half_cosine(double x) { return (1 + cos(pi * x)) / 2; }

/* min(t, total) / total */
static double progress(int64_t t, int64_t total) { return t < total ? (double)t / (double)total : 1; }

double tg_lr_step(double base, int64_t t, int64_t period, double gamma) {
    if (t < 0 || period < 1)
        return NAN;
    return base * pow(gamma, (double)(t / period));
}

double tg_lr_multistep(double base, int64_t t, const int64_t *milestones, int n, double gamma) {
    int passed = 0;
    if (t < 0 || n < 0 || (n && !milestones))
        return NAN;
    for (int i = 0; i < n; i++) {
        if (i && milestones[i] < milestones[i - 1])
            return NAN;
        passed += milestones[i] <= t;
    }
    return base * pow(gamma, passed);
}

double tg_lr_exponential(double base, int64_t t, double gamma) { return t < 0 ? NAN : base * pow(gamma, (double)t); }

double tg_lr_linear(double base, int64_t t, double first, double last, int64_t total) {
    if (t < 0 || total < 1)
        return NAN;
    return base * (first + (last - first) * progress(t, total));
}

double tg_lr_polynomial(double base, int64_t t, int64_t total, double power) {
    if (t < 0 || total < 1)
        return NAN;
    return base * pow(1 - progress(t, total), power);
}

double tg_lr_cosine(double base, int64_t t, int64_t half, double low) {
    if (t < 0 || half < 1)
        return NAN;
    return low + (base - low) * half_cosine((double)t / (double)half);
}

double tg_lr_warm_restarts(double base, int64_t t, int64_t round, int64_t growth, double low) {
    if (t < 0 || round < 1 || growth < 1)
        return NAN;
    double at = growth == 1 ? (double)(t % round) : (double)t, length = (double)round;
    while (at >= length) {
        at -= length;
        length *= (double)growth;
    }
    return low + (base - low) * half_cosine(at / length);
}

double tg_lr_warmup_cosine(double base, int64_t t, int64_t warmup, int64_t total) {
    if (t < 0 || warmup < 0 || warmup >= total)
        return NAN;
    if (t < warmup)
        return base * (double)t / (double)warmup;
    return base * half_cosine(progress(t - warmup, total - warmup));
}

double tg_lr_warmup_floor(double base, int64_t t, int64_t warmup, int64_t total, double floor) {
    if (t < 0 || warmup < 0 || warmup >= total)
        return NAN;
    if (t < warmup)
        return base * ((double)t + 1) / (double)warmup;
    return base * (floor + (1 - floor) * half_cosine(progress(t - warmup, total - warmup)));
}
