#include "examples/gpt/sampler.h"
#include "examples/gpt/gpt.h"

#include <math.h>
#include <stdlib.h>

typedef struct candidate {
    double weight; /* e^(logit / temperature), up to a factor */
    float logit;
    int64_t id;
} candidate;

/* The most likely first. */
static int by_logit(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->logit != y->logit)
        return x->logit > y->logit ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

/* The number of the n sorted candidates that may be drawn, and the sum of their weights. */
static int64_t cut(const sampler *s, candidate *c, int64_t n, double *sum) {
    int64_t k = s->top_k < n ? s->top_k : n, kept = 0;
    double all = 0;
    while (k < n && c[k].logit == c[k - 1].logit)
        k++;
    for (int64_t i = 0; i < k; i++)
        all += c[i].weight = exp(((double)c[i].logit - (double)c[0].logit) / s->temperature);
    for (*sum = 0; kept < k && *sum < s->top_p * all; kept++)
        *sum += c[kept].weight;
    return kept;
}

static int64_t draw(const sampler *s, candidate *c, int64_t n, double u) {
    double sum;
    qsort(c, (size_t)n, sizeof *c, by_logit);
    int64_t kept = cut(s, c, n, &sum), i = 0;
    for (u *= sum; i < kept - 1 && (u -= c[i].weight) >= 0;)
        i++;
    return c[i].id;
}

int64_t sampler_draw(const sampler *s, tg_tensor logits) {
    int64_t n = tg_numel(logits), chosen = 0;
    tg_tape *t = tg_tape_of(logits);
    candidate *c = must_allocate((size_t)n, sizeof *c);
    const float *x = tg_const_data(tg_contiguous(logits));
    must(t, TG_OK);
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]))
            die("the logit of token %lld is %g: the weights, or adapters, are not finite or too large", (long long)i,
                (double)x[i]);
        c[i] = (candidate){0, x[i], i};
        chosen = x[i] > x[chosen] ? i : chosen;
    }
    if (s->temperature > 0) {
        double u = tg_item(tg_rand(t, TG_SCALAR));
        must(t, TG_OK);
        chosen = draw(s, c, n, u);
    }
    free(c);
    return chosen;
}
