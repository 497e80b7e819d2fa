/* Drawing class numbers by their probabilities, as PyTorch draws them on the CPU (ATen/native/Distributions.cpp,
 * cpu/MultinomialKernel.cpp): several with replacement by the inverse of the cumulative distribution; one, with or
 * without replacement, is the class with the largest p / q, q exponentially distributed; several without replacement
 * are those with the largest. Equal seeds give equal numbers wherever the C library's log1p gives the same bits. */
#include "core/engine.h"

#include <stdlib.h>

#ifndef real
#define ratio FN(ratio)
#endif

#ifdef real

/* True when all are at least 0, at least `needed` above 0, and their sum finite. */
static bool FN(row_is_valid)(const real *p, int64_t classes, int64_t needed) {
    int64_t positive = 0;
    real sum = 0;
    for (int64_t c = 0; c < classes; c++) {
        if (!(p[c] >= 0))
            return false;
        positive += p[c] > 0;
        sum += p[c];
    }
    return positive >= needed && isfinite(sum);
}

typedef struct ratio {
    real value;
    int64_t index;
} ratio;

static int FN(descending)(const void *left, const void *right) {
    const ratio *a = left, *b = right;
    int by_value = (a->value < b->value) - (a->value > b->value);
    return by_value ? by_value : (a->index > b->index) - (a->index < b->index);
}

static void FN(draw_distinct)(tg_rng_state *rng, const real *p, int64_t classes, void *scratch, int64_t n,
                              int64_t *out) {
    ratio *q = scratch;
    for (int64_t c = 0; c < classes; c++) {
        real exponential = (real)-log1p(-tg_rng_double(rng));
        q[c] = (ratio){p[c] > 0 ? p[c] / exponential : 0, c}; /* 0, not NaN, where both are 0 */
    }
    if (n == 1) {
        int64_t best = 0;
        for (int64_t c = 1; c < classes; c++)
            best = q[c].value > q[best].value ? c : best;
        out[0] = best;
        return;
    }
    qsort(q, (size_t)classes, sizeof *q, FN(descending));
    for (int64_t i = 0; i < n; i++)
        out[i] = q[i].index;
}

static void FN(draw_with_replacement)(tg_rng_state *rng, const real *p, int64_t classes, void *scratch, int64_t n,
                                      int64_t *out) {
    real *cumulative = scratch, sum = 0;
    for (int64_t c = 0; c < classes; c++)
        cumulative[c] = sum += p[c];
    for (int64_t c = 0; c < classes; c++)
        cumulative[c] /= sum;
    cumulative[classes - 1] = 1;
    for (int64_t i = 0; i < n; i++) {
        double u = tg_rng_double(rng);
        int64_t low = 0, high = classes;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if ((double)cumulative[middle] < u)
                low = middle + 1;
            else
                high = middle;
        }
        out[i] = low;
    }
}

/* probabilities: p's elements, contiguous */
static tg_status FN(draw_rows)(const tg_node *p, const void *probabilities, bool replacement, int64_t n, tg_node *y) {
    tg_tape *t = p->tape;
    const real *row = probabilities;
    int64_t classes = p->size[p->ndim - 1], rows = p->ndim == 2 ? p->size[0] : 1, needed = replacement ? 1 : n;
    for (int64_t r = 0; r < rows; r++)
        if (!FN(row_is_valid)(row + r * classes, classes, needed))
            return tg_fail(t, TG_ERR_ARGUMENT,
                           "multinomial: row %lld of %s needs elements >= 0, at least %lld above 0, a finite sum",
                           (long long)r, tg_node_text(p).s, (long long)needed);
    size_t bytes = (size_t)classes * sizeof(ratio);
    void *scratch = tg_pool_get(t, bytes);
    for (int64_t r = 0; scratch && r < rows; r++)
        (replacement && n != 1 ? FN(draw_with_replacement) : FN(draw_distinct))(&t->rng, row + r * classes, classes,
                                                                                scratch, n, (int64_t *)y->data + r * n);
    tg_pool_put(t, scratch, bytes);
    return scratch ? TG_OK : t->status;
}

#else
#define TG_SELF "random/multinomial.c"
#include "core/twice.h"

static tg_status draw(const tg_node *p, bool replacement, int64_t n, tg_node *y) {
    size_t bytes = (size_t)p->numel * tg_dtype_size((tg_dtype)p->dtype);
    void *dense = p->contiguous ? NULL : tg_pool_get(p->tape, bytes);
    if (dense)
        tg_copy_out(p, p->data, p->stride, dense);
    tg_status bad = p->tape->status;
    if (!bad)
        bad = (p->dtype == TG_F32 ? draw_rows_f32 : draw_rows_f64)(p, dense ? dense : p->data, replacement, n, y);
    tg_pool_put(p->tape, dense, bytes);
    return bad;
}

tg_tensor tg_multinomial(tg_tensor probabilities, int64_t n, bool replacement) {
    tg_node *p;
    tg_tape *t = tg_open("multinomial", "f", 1, &probabilities, &p);
    if (!t || !tg_has_elements(p))
        return TG_NULL;
    if (p->ndim < 1 || p->ndim > 2 || p->size[p->ndim - 1] < 1)
        return tg_fail_null(t, TG_ERR_SHAPE, "multinomial: the probabilities %s must be (C) or (R, C) with C > 0",
                            tg_node_text(p).s);
    if (n < 1 || (!replacement && n > p->size[p->ndim - 1]))
        return tg_fail_null(t, TG_ERR_ARGUMENT, "multinomial: %lld numbers cannot be drawn from %s %s replacement",
                            (long long)n, tg_node_text(p).s, replacement ? "with" : "without");
    tg_shape shape = p->ndim == 2 ? TG_SHAPE(p->size[0], n) : TG_SHAPE(n);
    tg_node *y = tg_leaf_new(t, "multinomial", &shape, TG_I64);
    return y && !draw(p, replacement, n, y) ? tg_handle(y) : TG_NULL;
}

#endif
