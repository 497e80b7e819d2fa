/* The softmax of attention, for core/kernels/simd.h. Scores are stored transposed: a row for each key, a column for
 * each query, so that maxima and sums need no horizontal operations. `row` is the distance of two rows; a panel is one
 * or two vectors wide. */

/* e^x for x up to a little above 0. Subnormal results become 0; a NaN stays NaN. */
ALWAYS_INLINE vec FN(exp_of_negative)(vec x) {
    const real round = FN(ROUND);
    vec shifted = x * (real)1.4426950408889634 + round, n = shifted - round;
    vec r = x - n * FN(LN2_HIGH) - n * FN(LN2_LOW);
    vec p = FN(polynomial)(FN(EXP_TERMS), FN(exp_coefficients), r);
    bits too_low = x < FN(EXP_NORMAL);
    words whole = (words)(~too_low & (bits)shifted) - (words)((vec){0} + round);
    return (vec)(~too_low & (bits)((1 + (r + r * r * p)) * FN(power_of_2)(whole)));
}

/* The largest of a column and `max`, in four independent chains to hide latency. */
ALWAYS_INLINE vec FN(column_max)(int64_t n, const real *s, ptrdiff_t row, vec max) {
    vec m[4] = {max, max, max, max};
    int64_t p = 0;
    for (; p + 4 <= n; p += 4) {
        UNROLL
        for (int i = 0; i < 4; i++)
            m[i] = FN(greatest)(*(const vec *)(s + (p + i) * row), m[i]);
    }
    for (; p < n; p++)
        m[0] = FN(greatest)(*(const vec *)(s + p * row), m[0]);
    return FN(greatest)(FN(greatest)(m[3], m[2]), FN(greatest)(m[1], m[0]));
}

static void FN(softmax_columns)(int64_t n, int vectors, real *s, ptrdiff_t row, real *max, real *sum, real *factor) {
    for (int v = 0; v < vectors * LANES; v += LANES) {
        vec before = *(vec *)(max + v), now = FN(column_max)(n, s + v, row, before), total = (vec){0};
        vec shift = FN(choose)(now > -INFINITY, now, (vec){0}), shrink = FN(exp_of_negative)(before - shift);
        for (int64_t p = 0; p < n; p++) {
            vec *at = (vec *)(s + p * row + v);
            *at = FN(exp_of_negative)(*at - shift);
            total += *at;
        }
        *(vec *)(max + v) = now;
        *(vec *)(factor + v) = shrink;
        *(vec *)(sum + v) = *(vec *)(sum + v) * shrink + total;
    }
}

static void FN(softmax_columns_vjp)(int64_t n, int vectors, real *s, real *ds, ptrdiff_t row, const real *shift,
                                    const real *factor, const real *delta, real scale) {
    for (int v = 0; v < vectors * LANES; v += LANES) {
        vec less = *(const vec *)(shift + v), share = *(const vec *)(factor + v), dot = *(const vec *)(delta + v);
        vec scaled = share * scale;
        for (int64_t p = 0; p < n; p++) {
            vec *at = (vec *)(s + p * row + v), *d = (vec *)(ds + p * row + v);
            vec e = FN(exp_of_negative)(*at - less);
            *at = e * share;
            *d = e * scaled * (*d - dot);
        }
    }
}

static void FN(scale_columns)(int64_t n, int vectors, real *x, ptrdiff_t row, const real *factor) {
    for (int v = 0; v < vectors * LANES; v += LANES) {
        vec f = *(const vec *)(factor + v);
        for (int64_t p = 0; p < n; p++)
            *(vec *)(x + p * row + v) *= f;
    }
}
