/* A batch's matrix, and the fast kernels, for one type: part of core/kernels/attention.h. */
static inline tg_matrix FN(tg_attention_matrix)(const tg_attention_job *job, const tg_heads *x, int64_t batch) {
    int n = job->y->ndim;
    if (!x->data)
        return (tg_matrix){0};
    return (tg_matrix){(real *)x->data + tg_attention_offset(job, x, batch), x->stride[n - 2], x->stride[n - 1]};
}

/* y->saved: the largest score m of each query (0 if it sees no key), then 1 / sum e^(s - m) of each (0 likewise), then
 * P where it is kept. Not ln sum e^s = m + ln sum e^(s - m): rounding loses the second term beside a large m, as with a
 * mask of -1e9. */
static inline real *FN(tg_attention_shift)(const tg_node *y) { return y->saved; }
static inline real *FN(tg_attention_factor)(const tg_node *y) {
    const tg_attention *a = y->attr;
    return FN(tg_attention_shift)(y) + a->batches * a->T;
}
static inline real *FN(tg_attention_kept)(const tg_node *y) {
    const tg_attention *a = y->attr;
    return FN(tg_attention_factor)(y) + a->batches * a->T;
}

/* TG_ALIBI's or TG_SINKS's number for a batch's head. */
static inline real FN(tg_attention_number)(const tg_node *y, int input, int64_t batch) {
    const tg_node *x = y->in[input];
    return ((const real *)x->data)[tg_attention_head(y, batch) * x->stride[0]];
}

/* s of n keys from `first` on -= slope |at - key|, for the query at position `at` */
static inline void FN(tg_add_alibi)(int64_t n, real *s, ptrdiff_t step, real slope, int64_t at, int64_t first) {
    for (int64_t j = 0; j < n; j++)
        s[j * step] -= slope * (real)(at < first + j ? first + j - at : at - first - j);
}

/* For at most TG_FEW products, counting whole vectors of queries. */
void FN(tg_attention_few)(const tg_attention_job *job, bool backward);
tg_status FN(tg_attention_tiles_forward)(const tg_attention_job *job);
tg_status FN(tg_attention_tiles_vjp)(const tg_attention_job *job);
/* rng: dropout's generator, NULL without dropout. */
tg_status FN(tg_attention_rows)(const tg_attention_job *job, tg_rng_state *rng, bool backward);
