/* Rows of layer_norm and rms_norm, for core/kernels/simd.h; the formulas are in their files in core/ops. */

ALWAYS_INLINE real FN(add_lanes)(vec v) {
    real s[LANES];
    *(vec *)s = v;
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            s[i] += s[i + half];
    return s[0];
}

/* sum of x[j], or of (x[j] - shift)^2; in pieces, so that no partial sum has many terms */
ALWAYS_INLINE real FN(sum_of)(bool squares, int64_t n, const real *x, real shift) {
    enum { PIECE = 1024 };
    real total = 0;
    for (int64_t at = 0; at < n; at += PIECE) {
        int64_t end = n - at < PIECE ? n : at + PIECE, j = at;
        vec a = {0}, b = {0};
        for (; j + 2 * LANES <= end; j += 2 * LANES) {
            vec x0 = *(const vec *)(x + j) - shift, x1 = *(const vec *)(x + j + LANES) - shift;
            if (squares)
                x0 *= x0, x1 *= x1;
            a += x0;
            b += x1;
        }
        real rest = 0;
        for (; j < end; j++)
            rest += squares ? (x[j] - shift) * (x[j] - shift) : x[j] - shift;
        total += FN(add_lanes)(a + b) + rest;
    }
    return total;
}

static void FN(norm_row)(int64_t n, real *y, const real *x, const real *w, const real *b, real eps, bool centered,
                         real *saved) {
    real mean = centered ? FN(sum_of)(false, n, x, 0) / (real)n : 0;
    real scale = 1 / M(sqrt)(FN(sum_of)(true, n, x, mean) / (real)n + eps);
    const vec one = (vec){0} + 1, zero = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        *(vec *)(y + j) = (*(const vec *)(x + j) - mean) * scale * (w ? *(const vec *)(w + j) : one) +
                          (b ? *(const vec *)(b + j) : zero);
    for (; j < n; j++)
        y[j] = (x[j] - mean) * scale * (w ? w[j] : 1) + (b ? b[j] : 0);
    saved[0] = mean;
    saved[1] = scale;
}

static void FN(norm_vjp_row)(int64_t n, real *dx, bool add, real *dw, real *db, const real *dy, const real *x,
                             const real *w, bool centered, const real *saved) {
    const vec one = (vec){0} + 1, zero = {0};
    real mean = saved[0], scale = saved[1], rest_g = 0, rest_gh = 0;
    vec sum_g = zero, sum_gh = zero;
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES) {
        vec h = (*(const vec *)(x + j) - mean) * scale, g = *(const vec *)(dy + j);
        if (dw)
            *(vec *)(dw + j) += g * h;
        if (db)
            *(vec *)(db + j) += g;
        g *= w ? *(const vec *)(w + j) : one;
        sum_g += g;
        sum_gh += g * h;
    }
    for (; j < n; j++) {
        real h = (x[j] - mean) * scale, g = dy[j] * (w ? w[j] : 1);
        if (dw)
            dw[j] += dy[j] * h;
        if (db)
            db[j] += dy[j];
        rest_g += g;
        rest_gh += g * h;
    }
    real mean_g = centered ? (FN(add_lanes)(sum_g) + rest_g) / (real)n : 0,
         mean_gh = (FN(add_lanes)(sum_gh) + rest_gh) / (real)n;
    for (j = 0; j + LANES <= n && dx; j += LANES) {
        vec h = (*(const vec *)(x + j) - mean) * scale, g = *(const vec *)(dy + j) * (w ? *(const vec *)(w + j) : one);
        *(vec *)(dx + j) = (g - mean_g - h * mean_gh) * scale + (add ? *(const vec *)(dx + j) : zero);
    }
    for (; j < n && dx; j++)
        dx[j] = (dy[j] * (w ? w[j] : 1) - mean_g - (x[j] - mean) * scale * mean_gh) * scale + (add ? dx[j] : 0);
}
