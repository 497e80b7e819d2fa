/* What backward has to do whatever its formula is, tested directly: two equal runs give the same bits, also after other
 * calls; it is linear in dy; it adds to what gradients held before. */
#include "core/gradcheck/check.h"

/* ---- equal runs ---- */

/* Bits, since it may hold NaNs. */
static bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static tg_status run_again(tg_checker *c) {
    if (tg_checker_forward(c) || tg_checker_backward(c, 1))
        return c->t->status;
    tg_read_numbers(c->y, c->y->data, c->y->stride, c->low);
    c->forward_differs |= memcmp(c->low, c->at_base, (size_t)c->y->numel * sizeof *c->low) != 0;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            c->leaf[i].differs |= !same(tg_grad_element(c->leaf[i].x, j), c->leaf[i].analytic[j]);
    return TG_OK;
}

/* ---- linear in dy: 2^k dy gives 2^k times the gradient, without rounding ---- */

/* A difference below sqrt(unit) of the largest element may be rounding within an operation. */
static tg_status run_scaled(tg_checker *c, double by) {
    if (tg_checker_backward(c, by))
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        double least =
            sqrt(c->unit) * leaf->largest + 8 * c->unit * c->size / leaf->size + tg_least_normal(c) / fmin(1, fabs(by));
        for (int64_t j = 0; j < leaf->x->numel && !leaf->differs; j++) {
            double apart = fabs(tg_grad_element(leaf->x, j) / by - leaf->analytic[j]);
            leaf->nonlinear |= isfinite(apart) && apart > least;
        }
    }
    return TG_OK;
}

/* ---- float32 in all its digits: errors without bias, as rounding to bfloat16 makes, average out along a path ---- */

static bool has_few_bits(double x) {
    int exponent;
    double mantissa = ldexp(frexp(x, &exponent), 16);
    return mantissa == floor(mantissa);
}

/* Of the elements that were `before` but for a 64th: others are rounding alone, what is left where larger numbers
 * cancel, and have few bits. */
static bool has_numbers_of_few_bits(const tg_check_leaf *leaf, const double *before) {
    bool any = false;
    for (int64_t j = 0; j < leaf->x->numel; j++) {
        double g = tg_grad_element(leaf->x, j);
        bool tells = isfinite(g) && g * g >= FLT_MIN && fabs(g - before[j]) <= fabs(g) / 64;
        if (tells && !has_few_bits(g))
            return false;
        any |= tells;
    }
    return any;
}

/* Backward's gradient at the point, and where operands and v are a few units off. */
static void look_at_bits(tg_checker *c, double *before) {
    tg_return(c);
    bool finite = !tg_checker_backward(c, 1);
    for (int k = 0; k < c->n_leaves; k++)
        tg_read_gradient(c->leaf[k].x, before + c->leaf[k].first);
    finite = tg_evaluate_shaken(c, 8 * c->unit).finite && finite;
    for (int k = 0; k < c->n_leaves; k++)
        c->leaf[k].coarse &= finite && has_numbers_of_few_bits(&c->leaf[k], before + c->leaf[k].first);
}

/* Numbers that have few bits by chance, or of sums that cancel, have more for another v. */
static void find_coarse(tg_checker *c) {
    enum { TRIES = 5 };
    size_t bytes = (size_t)c->y->numel * sizeof *c->cotangent;
    double *kept = tg_checker_memory(c, bytes, 1), *before = c->step; /* room for all leaves; no path is walked now */
    if (!kept)
        return;
    memcpy(kept, c->cotangent, bytes);
    for (int k = 0; k < c->n_leaves; k++)
        c->leaf[k].coarse = true;
    for (int i = 0; i < TRIES; i++) {
        for (int64_t j = 0; j < c->y->numel; j++)
            c->cotangent[j] = kept[j] != 0 ? (float)tg_checker_random(c) : 0;
        look_at_bits(c, before);
    }
    memcpy(c->cotangent, kept, bytes);
    tg_return(c);
}

/* ---- adds ---- */

/* What element j held before the last backward: drawn, so many times the gradient's size. */
static double held_before(const tg_check_leaf *leaf, const double *random, double factor, int64_t j) {
    return factor * (leaf->largest > 0 ? leaf->largest : 1) * random[leaf->first + j];
}

static tg_status backward_onto(tg_checker *c, const double *random, double factor) {
    for (int64_t j = 0; j < c->y->numel; j++)
        tg_write_number(c->t->dtype, c->t->nodes[c->v.index]->data, j, c->cotangent[j]);
    tg_zero_grads(c->t);
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_check_leaf *leaf = &c->leaf[i];
        if (!tg_grad_buffer(leaf->x))
            return c->t->status;
        leaf->x->has_grad = true;
        for (int64_t j = 0; j < leaf->x->numel; j++)
            tg_write_number(c->t->dtype, leaf->x->grad, j, held_before(leaf, random, factor, j));
    }
    return tg_backward_with(tg_handle(c->y), c->v);
}

/* The element that is furthest off where factor is 1, and by what the spoilt ones' earlier gradients were multiplied.
 */
static void note_spoilt(const tg_checker *c, tg_check_leaf *leaf, const double *random, double factor) {
    double most = 0, low = INFINITY, high = -INFINITY;
    leaf->spoilt = false;
    for (int64_t j = 0; j < leaf->x->numel && !leaf->differs; j++) {
        double before = held_before(leaf, random, factor, j), now = tg_grad_element(leaf->x, j);
        double after = now - leaf->analytic[j], left = after / before, apart = fabs(after - before);
        if (!isfinite(apart) || apart <= 256 * sqrt(c->unit) * (leaf->largest + fabs(before)))
            continue;
        low = fmin(low, left);
        high = fmax(high, left);
        if (apart > most && factor == 1) {
            leaf->at = j;
            leaf->held = before;
            leaf->now = now;
            most = apart;
        }
        leaf->spoilt = true;
    }
    leaf->kept = leaf->spoilt && high - low <= 1e-5 ? (low + high) / 2 : NAN;
}

/* Onto gradients of about the same size. Where large contributions cancel, rounding may swallow what was held: onto
 * larger ones, beside which nothing rounds, it then has to be there. */
static tg_status run_onto_earlier(tg_checker *c) {
    double *random = tg_checker_memory(c, (size_t)c->total, sizeof *random);
    bool any = random != NULL;
    for (int64_t k = 0; k < c->total && random; k++)
        random[k] = tg_checker_random(c);
    for (double factor = 1; any && factor <= 0x1p960; factor *= 0x1p40) {
        if ((c->t->dtype == TG_F32 && factor > 0x1p80) || backward_onto(c, random, factor))
            break;
        any = false;
        for (int i = 0; i < c->n_leaves; i++) {
            if (factor == 1 || c->leaf[i].spoilt)
                note_spoilt(c, &c->leaf[i], random, factor);
            any |= c->leaf[i].spoilt;
        }
    }
    return c->t->status;
}

tg_status tg_check_protocol(tg_checker *c) {
    tg_return(c);
    if (run_again(c) || run_again(c) || run_scaled(c, -0x1p20) ||
        run_scaled(c, c->t->dtype == TG_F32 ? 0x1p-8 : 0x1p-20) || run_onto_earlier(c))
        return c->t->status;
    if (c->t->dtype == TG_F32 && c->alone)
        find_coarse(c);
    return tg_checker_backward(c, 1) ? c->t->status : tg_checker_forward(c); /* a VJP may have written to results */
}

bool tg_leaf_breaks_protocol(const tg_check_leaf *leaf) {
    return leaf->differs || leaf->nonlinear || leaf->spoilt || leaf->coarse;
}

bool tg_breaks_protocol(const tg_checker *c) {
    bool breaks = c->forward_differs;
    for (int i = 0; i < c->n_leaves; i++)
        breaks |= tg_leaf_breaks_protocol(&c->leaf[i]);
    return breaks;
}
