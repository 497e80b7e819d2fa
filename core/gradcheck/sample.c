/* One sample along a line: a difference of seven points, and its error bar. */
#include "core/gradcheck/sample.h"

/* The larger of two fifth differences of seven values; noise of size 1 makes them sqrt(252). */
static double noise_of(const long double *f) {
    static const int weight[] = {-1, 5, -10, 10, -5, 1};
    long double a = 0, b = 0;
    for (int k = 0; k < 6; k++) {
        a += weight[k] * f[k];
        b += weight[k] * f[k + 1];
    }
    return (double)fmaxl(fabsl(a), fabsl(b)) / 15.9;
}

static void note_point(tg_sample *m, const tg_point *p) {
    m->rounding = fmax(m->rounding, p->rounding);
    m->unmoved = fmax(m->unmoved, p->unmoved);
    m->clean &= p->finite;
    m->same &= p->same;
}

tg_sample tg_central(tg_checker *c, tg_side *side, const tg_line *line, double h) {
    tg_sample m = {.h = h, .clean = true, .same = true};
    long double f[7] = {0}, width = h;
    for (int k = -3; k <= 3 && m.clean; k++) {
        if (k == 0)
            continue;
        tg_point p = tg_evaluate(c, side, line, k * h);
        f[k + 3] = p.f;
        note_point(&m, &p);
        m.clean &= p.branches == side->branches && fabsl(p.s - k * width) <= 1e-10L * width;
    }
    long double d1 = f[4] - f[2], d2 = f[5] - f[1], d3 = f[6] - f[0];
    m.value = (double)((45 * d1 - 9 * d2 + d3) / (60 * width));
    m.error = fabs(m.value - (double)((8 * d1 - d2) / (12 * width)));
    m.noise = noise_of(f);
    m.clean &= isfinite(m.value);
    m.flat = d1 != 0 && fabsl(d2 - d1) <= 1e-3L * fabsl(d1) && fabsl(d3 - d1) <= 1e-3L * fabsl(d1);
    return m;
}

tg_sample tg_one_sided(tg_checker *c, tg_side *side, const tg_line *line, double h, bool *crossed) {
    static const int fifth[] = {-137, 300, -300, 200, -75, 12, 0}, sixth[] = {-147, 360, -450, 400, -225, 72, -10};
    tg_sample m = {.h = fabs(h), .clean = true, .same = true};
    long double f[7] = {0}, low = 0, high = 0;
    uint64_t branches = 0;
    for (int k = 1; k <= 6 && m.clean; k++) {
        tg_point p = tg_evaluate(c, side, line, k * h);
        f[k] = p.f;
        branches = k == 1 ? p.branches : branches;
        note_point(&m, &p);
        m.clean &= p.branches == branches;
        low += fifth[k] * p.f;
        high += sixth[k] * p.f;
    }
    *crossed |= branches != side->branches;
    m.value = (double)(high / (60 * (long double)h));
    m.error = fabs(m.value - (double)(low / (60 * (long double)h)));
    m.noise = 12 * noise_of(f);
    m.clean &= isfinite(m.value);
    return m;
}

/* How far a right gradient may be from a numeric derivative that has no error. */
double tg_limit(const tg_checker *c, const tg_line *line, double analytic, double numeric) {
    double rule = tg_allowed(c, numeric);
    if (c->config->strict)
        rule = fmin(rule, 1e-6 * fmax(fabs(analytic), fabs(numeric)));
    return rule + line->floor;
}
