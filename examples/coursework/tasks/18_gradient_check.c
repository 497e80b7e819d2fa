/* 18 A gradient check of your own: whether a given vector is the gradient of f at x.
 *
 * The judge is the central difference, (f(x + h e_i) - f(x - h e_i)) / (2 h) for every element i. Choose h: too large,
 * and f bends within it; too small, and the difference drowns in rounding. Choose a tolerance: a gradient whose largest
 * element is 100 and one whose largest is 0.001 want different ones.
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: return how many elements are wrong.
--- end */

/* The first element of the gradient that is wrong, counted from 0, or -1 when all are right. NaN is wrong. A mistake of
 * a hundredth of an element has to be found; one of a hundred-thousandth is rounding. n is at most 64. */
int64_t judge_gradient(course_function *f, const void *context, const double *x, const double *gradient, int64_t n) {
    double moved[64];
    /* --- solution */
    int64_t first = -1, wrong = 0;
    for (int64_t i = 0; i < n; i++)
        moved[i] = x[i];
    for (int64_t i = 0; i < n; i++) {
        double h = 1e-5 * fmax(fabs(x[i]), 0.01);
        moved[i] = x[i] + h;
        double up = f(moved, n, context);
        moved[i] = x[i] - h;
        double numeric = (up - f(moved, n, context)) / (2 * h);
        moved[i] = x[i];
        if (fabs(gradient[i] - numeric) <= 1e-3 * fabs(numeric) + 1e-7)
            continue;
        wrong++;
        if (first < 0)
            first = i;
    }
    /* --- variant 0 */
    return wrong ? first : -1;
    /* --- variant 1
    return wrong;
    --- end */
    /* --- student
    (void)f, (void)context, (void)x, (void)gradient, (void)n, (void)moved; // delete these lines
    return -2;
    --- */
}
