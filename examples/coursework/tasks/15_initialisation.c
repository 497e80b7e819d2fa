/* 15 Initialisation: how large random weights have to be, so that numbers neither die nor explode on their way through
 * many layers of x = relu(x W).
 *
 * He et al. 2015: half of the numbers behind a relu are 0, so W has the variance 2 / fan_in.
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: layers of x = tanh(x W), and W has the standard deviation (5/3) / sqrt(fan_in).
--- end */

/* W (fan_in, fan_out) from as many independent random numbers of variance 1: W[i] is a multiple of normal[i]. */
void init_weights(double *W, int64_t fan_in, int64_t fan_out, const double *normal) {
    /* --- solution */
    /* --- variant 0 */
    double deviation = sqrt(2 / (double)fan_in);
    /* --- variant 1
    double deviation = 5 / sqrt((double)fan_in) / 3;
    --- end */
    for (int64_t i = 0; i < fan_in * fan_out; i++)
        W[i] = deviation * normal[i];
    /* --- student
    (void)W, (void)fan_in, (void)fan_out, (void)normal; // delete this line; fill W
    --- */
}

enum { MOST = 1024 };

/* variance[l] = the variance of all n width elements of z = x W of layer l, before the relu; the first x is X (n,
 * width), then x = relu(z). The variance is the mean of (z - mean)^2. W holds a (width, width) matrix for each layer; n
 * width is at most MOST. */
void variance_through_depth(const double *X, int64_t n, int64_t width, int layers, const double *W, double *variance) {
    double x[MOST], z[MOST];
    /* --- solution */
    int64_t size = n * width;
    for (int64_t k = 0; k < size; k++)
        x[k] = X[k];
    for (int l = 0; l < layers; l++, W += width * width) {
        double mean = 0, square = 0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < width; j++) {
                z[i * width + j] = 0;
                for (int64_t k = 0; k < width; k++)
                    z[i * width + j] += x[i * width + k] * W[k * width + j];
                mean += z[i * width + j] / (double)size;
            }
        for (int64_t k = 0; k < size; k++) {
            square += (z[k] - mean) * (z[k] - mean) / (double)size;
            /* --- variant 0 */
            x[k] = fmax(z[k], 0);
            /* --- variant 1
            x[k] = tanh(z[k]);
            --- end */
        }
        variance[l] = square;
    }
    /* --- student
    (void)X, (void)n, (void)width, (void)layers; // delete these lines; fill variance[0] ... variance[layers - 1]
    (void)W, (void)variance, (void)x, (void)z;
    --- */
}
