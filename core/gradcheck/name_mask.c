/* Masks: not applied in backward, applied the wrong way round, or another one than forward's. */
#include "core/gradcheck/check.h"
#include "core/kernels/attention.h"

extern const tg_op tg_op_attention;

/* y = x times a mask: the constant that is not 0; 0 when it is something else. */
static double mask_scale(const tg_evidence *e) {
    double scale = 0;
    for (int64_t i = 0; i < e->n; i++) {
        if (e->dead[i])
            continue;
        if (!e->is_diagonal || (scale != 0 && !tg_near(e->local[i], scale)))
            return 0;
        scale = e->local[i];
    }
    return scale;
}

/* y = x times a mask, and the gradient is dy times the constant everywhere. */
bool tg_name_mask(tg_evidence *e, tg_gradcheck_result *r) {
    double scale = mask_scale(e);
    int64_t leaks = 0;
    for (int64_t i = 0; i < e->n; i++) {
        e->other[i] = scale * e->dy[i];
        leaks += e->dead[i];
    }
    return scale != 0 && leaks && tg_explains(e, e->other) &&
           tg_say(r, TG_MISTAKE_MASK,
                  "the mask is not applied in the backward: %lld elements that y does not depend on get a gradient",
                  (long long)leaks);
}

/* y = x times a mask, and the gradient is dy times another mask: forward's the wrong way round, or drawn anew. */
bool tg_name_other_mask(tg_evidence *e, tg_gradcheck_result *r) {
    double scale = mask_scale(e);
    int64_t lost = 0, gained = 0, live = 0;
    for (int64_t i = 0; i < e->n && scale != 0; i++) {
        if (e->wrong[i] != 0 && !tg_near(e->wrong[i], scale * e->dy[i]))
            return false;
        lost += !e->dead[i] && e->wrong[i] == 0;
        gained += e->dead[i] && e->wrong[i] != 0;
        live += !e->dead[i];
    }
    if (lost == live && gained == e->n - live && e->n > 2)
        return tg_say(
            r, TG_MISTAKE_INVERTED,
            "the mask is the wrong way round: the gradient is 0 where it should arrive, and arrives elsewhere");
    if (!lost || !gained || !tg_draws(e->s))
        return false;
    return tg_say(r, TG_MISTAKE_REDRAWN, "the backward uses another random mask than the forward: keep forward's mask");
}

static void fill_mask(const tg_node *mask, const bool *values, bool with) {
    for (int64_t j = 0; j < mask->base->numel; j++)
        ((bool *)mask->base->data)[j] = values ? values[j] : with;
}

/* With a mask that is the same everywhere the gradient would be right. */
static bool is_right_with(tg_evidence *e, const tg_node *mask, const bool *kept, bool with) {
    tg_checker *c = &e->s->c;
    double *at_base = tg_evidence_numbers(e->s, c->y->numel), *was = c->at_base;
    fill_mask(mask, NULL, with);
    c->at_base = at_base ? at_base : was; /* columns are differences from here */
    bool right = at_base && !tg_checker_forward(c);
    if (right)
        tg_copy_out(c->y, c->y->data, c->y->stride, at_base);
    right = right && tg_use_other(e, e->operand) && tg_explains(e, e->other);
    fill_mask(mask, kept, with);
    c->at_base = was;
    tg_return(c);
    return right;
}

/* The gradient of attention where every query sees every key, in the words of the public operation. */
static bool is_unmasked_attention(tg_evidence *e) {
    tg_suspect *s = e->s;
    tg_tape *t = s->c.t;
    if (s->original->op->probe != tg_op_attention.probe || e->operand > 2)
        return false;
    double scale = ((const tg_attention *)s->original->attr)->scale;
    tg_tensor x[3], v = s->c.v;
    for (int k = 0; k < 3; k++)
        x[k] = tg_handle(s->x[k]);
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, scale);
    double *again = tg_evidence_numbers(s, e->x->numel);
    bool same_y = !t->status && tg_same_shape(t->nodes[y.index], s->c.y);
    tg_zero_grads(t);
    if (!same_y || !again || tg_backward_with(y, v) || !e->x->gowner->has_grad) {
        tg_clear_error(t);
        return false;
    }
    tg_copy_out(e->x, tg_grad_elements(e->x), e->x->gstride, again);
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = again[e->at[i]];
    return tg_explains(e, e->other);
}

/* An operand that is a mask changes nothing in the backward. */
bool tg_name_ignored_mask(tg_evidence *e, tg_gradcheck_result *r) {
    const tg_suspect *s = e->s;
    for (int k = 0; k < s->original->n_in; k++) {
        const tg_node *mask = s->x[k];
        if (!mask || mask->dtype != TG_BOOL)
            continue;
        bool *kept = tg_checker_memory(&e->s->c, (size_t)mask->base->numel, sizeof *kept);
        if (!kept)
            return false;
        memcpy(kept, mask->base->data, (size_t)mask->base->numel * sizeof *kept);
        if (is_right_with(e, mask, kept, true) || is_right_with(e, mask, kept, false))
            return tg_say(r, TG_MISTAKE_MASK, "the mask, operand %d, is not applied in the backward", k + 1);
    }
    return is_unmasked_attention(e) &&
           tg_say(r, TG_MISTAKE_MASK,
                  "the mask is not applied in the backward: this is the gradient of unmasked attention");
}
