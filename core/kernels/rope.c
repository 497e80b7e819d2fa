/* Scaled rotary frequencies: transformers' modeling_rope_utils, in double. Of a pair's frequency f = base^(-2i / dims),
 * with L = original_max_position_embeddings:
 *   linear  f / factor (Chen, Wong, Chen, Tian 2023)
 *   llama3  (1 - s) f / factor + s f with s = (L f / 2 pi - low_freq_factor) / (high_freq_factor - low_freq_factor),
 *           within 0 and 1: f / factor where L is few wavelengths, f where it is many (Llama 3.1)
 *   yarn    (1 - s) f / factor + s f with s = 1 - (i - low) / (high - low), within 0 and 1, where pair low turns
 *           beta_fast times in L positions and pair high beta_slow times (Peng, Quesnelle, Fan, Shippole 2023) */
#include "core/kernels/rope.h"

static const double PI = 3.14159265358979323846;

static double within_0_and_1(double s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

/* The (fractional) pair that makes this many turns in L positions. */
static double pair_of_turns(const tg_rope_attr *a, double turns) {
    double length = a->scaling.original_max_position_embeddings;
    return (double)a->config.dims * log(length / (turns * 2 * PI)) / (2 * log(a->config.base));
}

static double mscale(double factor, double weight) { return factor <= 1 ? 1 : 0.1 * weight * log(factor) + 1; }

static double attention_factor(const tg_rope_scaling *s) {
    if (s->type != TG_ROPE_YARN)
        return 1;
    if (s->attention_factor > 0)
        return s->attention_factor;
    if (s->mscale > 0 && s->mscale_all_dim > 0)
        return mscale(s->factor, s->mscale) / mscale(s->factor, s->mscale_all_dim);
    return mscale(s->factor, 1);
}

tg_rope_attr tg_rope_attr_of(tg_rope_config config, tg_rope_scaling scaling) {
    tg_rope_attr a = {.config = config, .scaling = scaling};
    a.scaling.attention_factor = attention_factor(&scaling);
    if (scaling.type != TG_ROPE_YARN)
        return a;
    double low = pair_of_turns(&a, scaling.beta_fast), high = pair_of_turns(&a, scaling.beta_slow);
    a.low = fmax(scaling.truncate ? floor(low) : low, 0);
    a.high = fmin(scaling.truncate ? ceil(high) : high, (double)config.dims - 1);
    if (a.low == a.high)
        a.high += 0.001;
    return a;
}

double tg_rope_frequency(const tg_rope_attr *a, int64_t i) {
    const tg_rope_scaling *c = &a->scaling;
    double f = pow(a->config.base, -2 * (double)i / (double)a->config.dims), s = 0;
    if (c->type == TG_ROPE_UNSCALED)
        return f;
    if (c->type == TG_ROPE_LLAMA3)
        s = within_0_and_1((c->original_max_position_embeddings * f / (2 * PI) - c->low_freq_factor) /
                           (c->high_freq_factor - c->low_freq_factor));
    if (c->type == TG_ROPE_YARN)
        s = 1 - within_0_and_1(((double)i - a->low) / (a->high - a->low));
    return (1 - s) * f / c->factor + s * f;
}

/* ---- checks ---- */

/* The lower limit keeps the angles at any position finite. */
static bool is_positive(tg_tape *t, const char *what, double value) {
    if (!(value >= 1e-100) || isinf(value))
        tg_fail(t, TG_ERR_ARGUMENT, "rope: %s is %g, but must be finite and above 0, and no less than 1e-100", what,
                value);
    return !tg_tape_status(t);
}

static bool is_ordered(tg_tape *t, const char *less, double low, const char *more, double high) {
    if (is_positive(t, less, low) && is_positive(t, more, high) && low >= high)
        tg_fail(t, TG_ERR_ARGUMENT, "rope: %s is %g, but must be below %s, %g", less, low, more, high);
    return !tg_tape_status(t);
}

static bool is_factor_or_0(tg_tape *t, const char *what, double value) {
    return value == 0 || is_positive(t, what, value);
}

static bool config_is_valid(tg_tape *t, const tg_rope_config *c, const tg_node *x) {
    const int64_t last = INT64_C(1) << 53; /* the last position that a double represents exactly */
    int64_t channels = x->size[x->ndim - 1], tokens = x->size[x->ndim - 2];
    if (c->dims < 0 || c->dims > channels || c->dims % 2)
        tg_fail(t, TG_ERR_SHAPE, "rope: %lld of the channels of x %s cannot be turned in pairs", (long long)c->dims,
                tg_node_text(x).s);
    else if (!(c->base > 0) || isinf(c->base))
        tg_fail(t, TG_ERR_ARGUMENT, "rope: base is %g, but must be finite and above 0", c->base);
    else if (c->offset < -last || c->offset > last - tokens)
        tg_fail(t, TG_ERR_ARGUMENT, "rope: offset is %lld, but %lld positions from there must be within 2^53",
                (long long)c->offset, (long long)tokens);
    return !tg_tape_status(t);
}

static bool scaling_is_valid(tg_tape *t, const tg_rope_config *config, const tg_rope_scaling *s) {
    if ((unsigned)s->type > TG_ROPE_YARN)
        tg_fail(t, TG_ERR_ARGUMENT, "rope: scaling type %d is no tg_rope_type", (int)s->type);
    if (tg_tape_status(t) || s->type == TG_ROPE_UNSCALED)
        return !tg_tape_status(t);
    if (!is_positive(t, "factor", s->factor) || s->type == TG_ROPE_LINEAR)
        return !tg_tape_status(t);
    if (!is_positive(t, "original_max_position_embeddings", s->original_max_position_embeddings))
        return false;
    if (s->type == TG_ROPE_LLAMA3)
        return is_ordered(t, "low_freq_factor", s->low_freq_factor, "high_freq_factor", s->high_freq_factor);
    if (config->base == 1)
        tg_fail(t, TG_ERR_ARGUMENT, "rope: base is 1, with which yarn cannot tell fast pairs from slow ones");
    return is_ordered(t, "beta_slow", s->beta_slow, "beta_fast", s->beta_fast) &&
           is_factor_or_0(t, "attention_factor", s->attention_factor) && is_factor_or_0(t, "mscale", s->mscale) &&
           is_factor_or_0(t, "mscale_all_dim", s->mscale_all_dim);
}

bool tg_rope_is_valid(tg_tape *t, const tg_node *x, const tg_rope_config *config, const tg_rope_scaling *scaling) {
    return config_is_valid(t, config, x) && scaling_is_valid(t, config, scaling);
}
