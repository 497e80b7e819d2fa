/* 11 What moves the parameters.
 *
 *   SGD with momentum (velocity is 0 before the first step):
 *     velocity = momentum velocity + g               p = p - lr velocity
 *
 *   Adam (Kingma, Ba 2015; m and v are 0 before the first step, and step counts 1, 2, 3, ...):
 *     m = beta1 m + (1 - beta1) g                    v = beta2 v + (1 - beta2) g^2
 *     m^ = m / (1 - beta1^step)                      v^ = v / (1 - beta2^step)
 *     p = p - lr m^ / (sqrt(v^) + eps)
 *
 * All of it for each of the n elements alone. m, v and velocity are kept for you between the steps.
 */
/* --- variant 0 */
/* --- variant 1
// Your variant: SGD with Nesterov's momentum, p = p - lr (g + momentum velocity), after the velocity's update; and
// Adam with eps inside the root, p = p - lr m^ / sqrt(v^ + eps).
--- end */
#include "coursework.h"

void sgd_step(double *p, const double *g, double *velocity, int64_t n, double lr, double momentum) {
    /* --- solution */
    for (int64_t i = 0; i < n; i++) {
        velocity[i] = momentum * velocity[i] + g[i];
        /* --- variant 0 */
        p[i] -= lr * velocity[i];
        /* --- variant 1
        p[i] -= lr * (g[i] + momentum * velocity[i]);
        --- end */
    }
    /* --- student
    (void)p, (void)g, (void)velocity, (void)n, (void)lr, (void)momentum; // delete this line; change velocity and p
    --- */
}

void adam_step(double *p, const double *g, double *m, double *v, int64_t n, int64_t step, double lr, double beta1,
               double beta2, double eps) {
    /* --- solution */
    double correction1 = 1 - pow(beta1, (double)step), correction2 = 1 - pow(beta2, (double)step);
    for (int64_t i = 0; i < n; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        /* --- variant 0 */
        p[i] -= lr * (m[i] / correction1) / (sqrt(v[i] / correction2) + eps);
        /* --- variant 1
        p[i] -= lr * (m[i] / correction1) / sqrt(v[i] / correction2 + eps);
        --- end */
    }
    /* --- student
    (void)p, (void)g, (void)m, (void)v, (void)n, (void)step; // delete this line;
    (void)lr, (void)beta1, (void)beta2, (void)eps;           // and this one; change m, v and p
    --- */
}
