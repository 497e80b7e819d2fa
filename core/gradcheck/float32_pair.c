/* One operation alone, in float32 and in float64, on equal operands and equal
 * dy. */
#include "core/gradcheck/float32_pair.h"

#include <float.h>

/* ---- one operation in both ---- */

/* The operands' numbers keep their sign and 0; RANDOM: they get a random size of 0.5 to 1.5. NEAR_ONE: tg_near_one;
 * what was between the bounds of a clamp mostly stays there, and the largest stays the largest. */
typedef enum { AS_IT_IS, RANDOM, NEAR_ONE } size_of_numbers;

static void tame(tg_f32_check *c, tg_pair *p, size_of_numbers how) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!p->x[0][k] || !tg_is_floating(p->x[0][k]))
            continue;
        float *x = tg_pair_leaf(p, 0, k)->data;
        for (int64_t j = 0; j < tg_span(tg_pair_leaf(p, 0, k)); j++)
            if (isfinite(x[j]) && x[j] != 0)
                x[j] = how == RANDOM ? copysignf((float)(0.5 + tg_rng_double(&c->rng)), x[j])
                                     : (float)tg_near_one((double)x[j]);
    }
}

/* What an operation is looked at with. */
typedef struct setting {
    const double *dy; /* NULL: a random one */
    size_of_numbers size;
    bool elsewhere;            /* moved operands, and dy of the other sign: what is kept from an earlier call shows */
    int neighbour;             /* of the operands; 0: themselves */
    int place;                 /* far from them; 0: where they are */
    const tg_excess *followed; /* what is looked at there */
} setting;

/* 0.5 to 1.5 of either sign */
static double draw_dy(tg_f32_check *c, bool elsewhere) {
    double sign = tg_rng_random(&c->rng) & 1 ? 1 : -1, size = 0.5 + tg_rng_double(&c->rng);
    return elsewhere ? -sign * (2 - size) : sign * size;
}

static bool open_dy(tg_f32_check *c, tg_pair *p, const setting *with) {
    tg_shape shape = tg_shape_from(p->y[1]);
    tg_node *v[2];
    p->own_dy = tg_f32_numbers(c->t[1], p->y[1]->numel);
    for (int side = 0; side < 2; side++) {
        v[side] = tg_leaf_new(c->t[side], "dy", &shape, c->t[side]->dtype);
        if (!v[side] || !p->own_dy)
            return false;
        p->dy[side] = tg_handle(v[side]);
    }
    for (int64_t j = 0; j < p->y[1]->numel; j++) {
        p->own_dy[j] = (float)(with->dy ? with->dy[j] : draw_dy(c, with->elsewhere));
        tg_write_number(TG_F32, v[0]->data, j, p->own_dy[j]);
        tg_write_number(TG_F64, v[1]->data, j, p->own_dy[j]);
    }
    return true;
}

/* Elsewhere equal numbers come apart: at a tie D is as large as the jump between its sides, and hides what is wrong on
 * both. */
static void step_aside(tg_pair *p, int neighbour) {
    for (int k = 0; k < p->original->n_in; k++)
        if (p->x[0][k] && tg_is_floating(p->x[0][k]))
            tg_f32_step_aside(tg_span(tg_pair_leaf(p, 0, k)), tg_pair_leaf(p, 0, k)->data, neighbour,
                              neighbour == TG_F32_ELSEWHERE ? (uint64_t)k + 1 : 0);
}

/* What has no gradient may be an index, or knots in order. */
static void step_to_place(tg_pair *p, int place) {
    for (int k = 0; k < p->original->n_in; k++)
        if (p->x[0][k] && tg_is_floating(p->x[0][k]) && tg_recorded(p->original)[k])
            tg_f32_step_to_place(tg_span(tg_pair_leaf(p, 0, k)), tg_pair_leaf(p, 0, k)->data, place, (uint64_t)k + 1);
}

/* The operands are rounded to float32 first; then float64 has the same. */
static bool open_pair(tg_f32_check *c, tg_pair *p, const tg_node *n, const setting *with) {
    *p = (tg_pair){.original = n, .runs = c->runs, .differentiable = tg_has_vjp(n)};
    p->y[0] = tg_copy_alone(c->t[0], n, false, p->x[0]);
    if (p->y[0] && with->size != AS_IT_IS)
        tame(c, p, with->size);
    if (p->y[0] && with->elsewhere)
        step_aside(p, TG_F32_ELSEWHERE);
    if (p->y[0] && with->neighbour)
        step_aside(p, with->neighbour);
    if (p->y[0] && with->place)
        step_to_place(p, with->place);
    p->y[1] = p->y[0] ? tg_copy_alone(c->t[1], p->y[0], false, p->x[1]) : NULL;
    if (p->y[1] && tg_is_custom(n)) /* dy stays after backward, to be looked at */
        p->y[0]->retain = true;
    if (!p->y[1] || !tg_f32_open_array(&p->result, c->t[1], p->y[1], tg_f32_terms(p->y[1], -1)) || !open_dy(c, p, with))
        return false;
    for (int k = 0; k < n->n_in; k++) {
        if (!p->x[1][k] || !tg_is_floating(p->x[1][k]))
            continue;
        const tg_node *leaf = tg_pair_leaf(p, 1, k);
        int64_t n_own = tg_span(leaf);
        if (!(p->own[k] = tg_f32_numbers(c->t[1], n_own)))
            return false;
        memcpy(p->own[k], leaf->data, (size_t)n_own * sizeof(double));
        if (tg_pair_wants(p, k) && !tg_f32_open_array(&p->gradient[k], c->t[1], leaf, tg_f32_terms(p->y[1], k)))
            return false;
    }
    return true;
}

/* ---- float32 ---- */

/* Nothing yet, but not zeros: a kernel that adds to it, or leaves a tail out,
 * shows. */
static bool spoil_gradients(tg_pair *p) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!tg_pair_wants(p, k))
            continue;
        tg_node *leaf = tg_pair_leaf(p, 0, k);
        if (!tg_grad_buffer(leaf))
            return false;
        for (int64_t j = 0; j < leaf->numel; j++)
            ((float *)leaf->grad)[j] = NAN;
        leaf->has_grad = false;
    }
    return true;
}

static bool is_written(tg_pair *p, const char *what, const void *now, const double *before, int64_t n) {
    for (int64_t j = 0; j < n && !p->has_written; j++) {
        double number = (double)((const float *)now)[j];
        p->has_written = number != before[j] && !(isnan(number) && isnan(before[j])) &&
                         tg_say(&p->written, TG_MISTAKE_WRITES,
                                "float32 only: a callback writes to %s, which it may only read: element %lld was %.6g "
                                "and is %.6g; other operations may read it after this one",
                                what, (long long)j, before[j], number);
    }
    return p->has_written;
}

/* After forward and backward, that a custom operation's callbacks left alone what they only read. */
static void find_written(tg_pair *p) {
    const tg_node *y = p->y[0];
    char what[32];
    if (!tg_is_custom(y) || !p->differentiable || is_written(p, "its result", y->data, p->result.single, y->numel) ||
        (y->has_grad && is_written(p, "dy", y->grad, p->own_dy, y->numel)))
        return;
    for (int k = 0; k < y->n_in; k++) {
        snprintf(what, sizeof what, "operand %d", k + 1);
        if (p->own[k] && is_written(p, what, tg_pair_leaf(p, 0, k)->data, p->own[k], tg_span(tg_pair_leaf(p, 0, k))))
            return;
    }
}

static tg_status run_single(tg_pair *p) {
    tg_node *y = p->y[0];
    tg_tape *t = y->tape;
    if (tg_pair_forward(y) || !spoil_gradients(p))
        return t->status;
    float *dy = t->nodes[p->dy[0].index]->data;
    tg_walk w;
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1)) {
        p->result.single[j] = (double)((const float *)y->data)[w.offset];
        dy[j] = (float)p->own_dy[j];
    }
    if (tg_pair_backward(p, 0))
        return t->status;
    tg_pair_gradients(p, 0, tg_f32_single);
    tg_f32_note_loss(&p->result);
    for (int k = 0; k < y->n_in; k++)
        tg_f32_note_loss(&p->gradient[k]);
    find_written(p);
    return TG_OK;
}

/* What its callbacks' own rounding does to a custom operation, before it runs as it is. */
static tg_status run_rounded(tg_f32_check *c, tg_pair *p) {
    tg_tape *t = c->t[0];
    bool ok = true, first = true;
    if (c->runs < TG_F32_CAREFUL || !tg_is_custom(p->original))
        return TG_OK;
    for (tg_rounding way = TG_ROUND_UP; way < TG_ROUNDINGS && ok; way++) {
        t->rounding = way;
        bool bad = run_single(p);
        t->rounding = TG_ROUND_NEAREST;
        if (bad) { /* it may refuse */
            tg_clear_error(t);
            continue;
        }
        for (int k = -1; k < p->original->n_in && ok; k++)
            if (k < 0 || tg_pair_wants(p, k))
                ok = tg_f32_note_rounding(k < 0 ? &p->result : &p->gradient[k], c->t[1], first);
        first = false;
    }
    return ok ? TG_OK : c->t[1]->status;
}

/* Once more onto gradients that are there, of about the same size: kernels add
 * then. */
static tg_status run_onto(tg_f32_check *c, tg_pair *p) {
    tg_zero_grads(c->t[0]);
    for (int k = 0; k < p->original->n_in; k++) {
        if (!tg_pair_wants(p, k))
            continue;
        tg_node *leaf = tg_pair_leaf(p, 0, k);
        double size = tg_f32_largest(p->gradient[k].n, p->gradient[k].twin);
        if (!tg_grad_buffer(leaf))
            return c->t[0]->status;
        for (int64_t j = 0; j < leaf->numel; j++) /* a power of two: what is added is all that rounds */
            ((float *)leaf->grad)[j] = size > 0 && size < FLT_MAX / 4 ? ldexpf(1, ilogb(size)) : 1;
        leaf->has_grad = true;
    }
    if (tg_backward_with(tg_handle(p->y[0]), p->dy[0]))
        return c->t[0]->status;
    tg_pair_gradients(p, 0, tg_f32_single);
    for (int k = 0; k < p->original->n_in; k++) {
        tg_both *b = &p->gradient[k];
        double size = tg_f32_largest(b->n, b->twin),
               before = size > 0 && size < FLT_MAX / 4 ? ldexp(1, ilogb(size)) : 1;
        for (int64_t j = 0; j < b->n; j++) {
            b->single[j] -= b->before = before;
            b->moved[j] += 2 * TG_F32_UNIT * before;
        }
    }
    return TG_OK;
}

/* A VJP is linear in dy: a power of two times dy gives so many times the gradient, without rounding but where float32
 * has no room for it, which says nothing. What the operation adds by itself is larger beside a smaller gradient. */
static tg_status run_scaled(tg_f32_check *c, tg_pair *p, double by) {
    float *dy = c->t[0]->nodes[p->dy[0].index]->data;
    for (int64_t j = 0; j < p->y[0]->numel; j++)
        dy[j] = (float)(by * p->own_dy[j]);
    if (tg_pair_backward(p, 0))
        return c->t[0]->status;
    tg_pair_gradients(p, 0, tg_f32_single);
    for (int k = 0; k < p->original->n_in; k++) {
        tg_both *b = &p->gradient[k];
        b->slack = 1 + 1 / fmin(1, fabs(by));
        b->before = 0;
        for (int64_t j = 0; j < b->n; j++)
            b->single[j] = isfinite(b->single[j]) ? b->single[j] / by : b->twin[j];
    }
    return TG_OK;
}

static void note_kind(const tg_f32_check *c, const tg_pair *p, tg_both *b) {
    b->custom = tg_is_custom(p->original);
    b->lenient = c->lenient;
}

/* S */
static void note_sizes(const tg_f32_check *c, tg_pair *p) {
    const tg_node *y = p->y[1];
    note_kind(c, p, &p->result);
    double dy = tg_f32_largest(y->numel, p->own_dy);
    p->result.size = tg_f32_size(y, -1);
    p->result.cancels = tg_f32_cancels(y);
    p->result.constants = fmax(p->result.size, tg_f32_largest(y->numel, p->result.twin));
    for (int k = 0; k < y->n_in; k++) {
        double shared = y->in[k] ? fmax(1, tg_f32_ratio(y->numel, y->in[k]->numel)) : 1;
        p->gradient[k].size = tg_f32_size(y, k) * fmax(dy, 1) * shared;
        p->gradient[k].constants = p->result.constants * fmax(dy, 1) * shared;
        p->gradient[k].cancels = tg_f32_cancels_in_gradient(y, k);
        note_kind(c, p, &p->gradient[k]);
        p->gradient[k].fine = c->fine && tg_f32_is_hidden(&p->gradient[k]);
    }
}

static tg_excess compare_all(const tg_pair *p, bool onto, double by) {
    tg_excess worst = {.most = 0};
    if (!onto && by == 0) {
        worst = tg_f32_compare(&p->result);
        worst.operand = -1;
    }
    for (int k = 0; k < p->original->n_in; k++) {
        tg_excess e = tg_f32_compare(&p->gradient[k]);
        e.operand = k;
        e.onto = onto;
        e.by = by;
        worst = tg_f32_worse(worst, e);
    }
    return worst;
}

/* ---- numbers that float32 has no room for ---- */

/* May float32 overflow or underflow on the way? */
static bool fits(const tg_pair *p) {
    bool all = tg_f32_is_ordinary(p->own_dy, p->y[1]->numel);
    for (int k = 0; k < p->original->n_in; k++)
        all &= !p->own[k] || tg_f32_is_ordinary(p->own[k], tg_span(tg_pair_leaf(p, 1, k)));
    for (int64_t j = 0; j < p->result.n; j++)
        all &= !isfinite(p->result.twin[j]) || fabs(p->result.twin[j]) < 1e30;
    return all;
}

/* ---- one operation ---- */

typedef struct sight {
    tg_excess worst;
    bool fits;
    tg_f32_seen there; /* what is followed */
    bool is_unsure;    /* out of its bound, but not by far */
    bool was_out;      /* before it was looked at with care */
    bool hides;        /* a gradient is so small that its bound lets anything pass */
    bool has_written;
    tg_gradcheck_result written;
} sight;

static void note_followed(const tg_pair *p, const tg_excess *e, sight *s) {
    const tg_both *b = !e || e->operand < 0 ? &p->result : &p->gradient[e->operand];
    if (e)
        s->there = (tg_f32_seen){tg_f32_excess_at(b, e->at), b->single[e->at], b->twin[e->at], b->constants};
}

/* With another dy: of custom operations alone, after all has been compared with this one. */
static tg_excess look_scaled(tg_f32_check *c, tg_pair *p, const tg_excess *followed, sight *s) {
    static const double factors[] = {-0x1p20, 0x1p-10};
    tg_excess worst = {.most = 0};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        double by = factors[i];
        if (followed && followed->by != by)
            continue;
        if (run_scaled(c, p, by)) {
            if (c->t[0]->status == TG_ERR_MEMORY)
                break;
            tg_clear_error(c->t[0]); /* a callback may refuse this dy */
            continue;
        }
        worst = tg_f32_worse(worst, compare_all(p, false, by));
        note_followed(p, followed, s);
    }
    return worst;
}

static tg_status look(tg_f32_check *c, const tg_node *n, const setting *with, sight *s) {
    tg_pair p;
    const tg_excess *followed = with->followed;
    const tg_mark mark[2] = {tg_tape_mark(c->t[0]), tg_tape_mark(c->t[1])};
    *s = (sight){.fits = true};
    if (c->t[0]->status || c->t[1]->status)
        return c->t[0]->status ? c->t[0]->status : c->t[1]->status;
    bool ok = open_pair(c, &p, n, with) && !tg_pair_twin(&p) && !run_rounded(c, &p) && !run_single(&p);
    s->has_written = ok && p.has_written;
    s->written = p.written;
    if (ok && p.measured) {
        note_sizes(c, &p);
        for (int k = 0; k < n->n_in; k++) {
            c->most_terms = fmax(c->most_terms, p.gradient[k].terms);
            s->hides |= tg_is_custom(n) && tg_f32_is_hidden(&p.gradient[k]);
        }
        s->worst = compare_all(&p, false, 0);
        note_followed(&p, followed, s);
        s->fits = fits(&p) &&
                  (isfinite(s->worst.single) || (!tg_is_custom(n) && fabs(s->worst.twin) < 1e30)); /* e^x inside */
        bool onto = followed ? followed->onto : s->worst.most <= 1;
        if (p.differentiable && onto && !run_onto(c, &p)) {
            s->worst = tg_f32_worse(s->worst, compare_all(&p, true, 0));
            note_followed(&p, followed, s);
        }
        bool scaled = followed ? followed->by != 0 : s->worst.most <= 1;
        if (p.differentiable && scaled && tg_is_custom(n))
            s->worst = tg_f32_worse(s->worst, look_scaled(c, &p, followed, s));
    }
    tg_status bad = c->t[0]->status ? c->t[0]->status : c->t[1]->status;
    for (int side = 0; side < 2; side++) {
        if (with->elsewhere || with->neighbour || with->place) /* a callback may refuse these operands */
            tg_clear_error(c->t[side]);
        if (!c->t[side]->status)
            (void)!tg_tape_rewind(c->t[side], mark[side]);
    }
    return bad;
}

/* Is the same element out of its bound for neighbours of the operands, with the same dy? Those that a callback refuses
 * say nothing. */
static bool persists(tg_f32_check *c, const tg_node *n, setting with, tg_rng_state rng, const tg_excess *e) {
    with.followed = e;
    for (int unlike = 0; with.neighbour < tg_f32_neighbours(e);) {
        sight s;
        with.neighbour++;
        c->rng = rng;
        if (!look(c, n, &with, &s) && !tg_f32_persists(e, with.neighbour, s.there.excess, &unlike))
            return false;
    }
    return true;
}

/* Is what is out to one side here and to the other there, as rounded constants take it, and no mistake does? They hide
 * one least in the largest element. */
static bool is_scattered(tg_f32_check *c, const tg_node *n, setting with, tg_rng_state rng, tg_excess e) {
    tg_f32_scatter seen = {0};
    bool large = tg_f32_is_large(&e);
    e.at = e.largest;
    with.followed = &e;
    for (; !large && with.place <= TG_F32_PLACES; with.place++) {
        sight s;
        c->rng = rng;
        if (look(c, n, &with, &s))
            continue;
        if (with.place == 0) {
            e.single = s.there.single;
            e.twin = s.there.twin;
        }
        tg_f32_note_place(&seen, &e, &s.there);
    }
    return tg_f32_is_scattered(&seen);
}

/* A careful look with the same dy, after one at which it is out of its bound. */
static bool is_out(tg_f32_check *c, const tg_node *n, const setting *with, sight *s) {
    const tg_rng_state rng = c->rng;
    if (look(c, n, with, s) || s->worst.most <= 1)
        return false;
    c->rng = rng;
    c->runs = TG_F32_CAREFUL;
    bool out = !look(c, n, with, s) && s->worst.most > 1 && persists(c, n, *with, rng, &s->worst);
    s->was_out = true;
    return out;
}

/* Where numbers are so large or small that float32 may lose them on the way, it has to be wrong with ordinary ones as
 * well. */
static bool is_wrong_tamed(tg_f32_check *c, const tg_node *n, const setting *with, sight *s) {
    const setting any = {.size = RANDOM, .elsewhere = with->elsewhere};
    const setting near_one = {.size = NEAR_ONE, .elsewhere = with->elsewhere};
    if (look(c, n, &any, s))
        return !with->elsewhere;
    return s->worst.most > 1 || (is_out(c, n, &near_one, s) && s->fits);
}

/* With a dy as large or small, products on the way may leave the range of float32; of ordinary numbers they do not. */
static bool is_nonlinear_anywhere(tg_f32_check *c, const tg_node *n, const setting *with, sight *s) {
    const setting any = {.size = RANDOM, .elsewhere = with->elsewhere};
    return is_out(c, n, &any, s);
}

/* Is a custom operation so far out of its bound that rounding inside of it explains nothing? */
static bool is_out_by_far(tg_f32_check *c, const tg_node *n, const setting *with, sight *s) {
    const tg_rng_state rng = c->rng;
    bool out = is_out(c, n, with, s);
    if (!tg_is_custom(n))
        return out;
    c->unsure |= s->was_out;
    if (!out)
        return false;
    c->rng = rng;
    c->lenient = true;
    sight lenient;
    c->unsure |= s->is_unsure = !is_out(c, n, with, &lenient) || is_scattered(c, n, *with, rng, lenient.worst);
    if (!s->is_unsure)
        *s = lenient;
    return !s->is_unsure;
}

/* With the same dy, is a gradient that 8 u S hides away from float64's by more than R and N explain? They do not show
 * all rounding: it is not wrong for that. */
static void look_at_hidden(tg_f32_check *c, const tg_node *n, const setting *with, tg_gradcheck_result *r) {
    sight s;
    c->lenient = c->fine = true;
    bool out = is_out(c, n, with, &s);
    c->lenient = c->fine = false;
    c->runs = TG_F32_RUNS;
    if (out)
        tg_f32_say_hidden(n, &s.worst, r);
    c->unsure |= out;
}

static bool is_wrong_with(tg_f32_check *c, const tg_node *n, const setting *with, tg_gradcheck_result *r) {
    const tg_rng_state rng = c->rng;
    const bool own = !with->elsewhere && with->size == AS_IT_IS; /* the tape's own operands */
    sight s, other;
    bool bad = is_out_by_far(c, n, with, &s);
    if (s.has_written) {
        c->lenient = false;
        c->runs = TG_F32_RUNS;
        tg_f32_say_written(n, &s.written, r);
        return true;
    }
    other = s;
    if (s.is_unsure)
        tg_f32_say_cannot_tell(n, &s.worst, true, r);
    if (bad && s.worst.by != 0) {
        bad = is_nonlinear_anywhere(c, n, with, &other);
    } else if (bad && !s.fits) {
        bad = is_wrong_tamed(c, n, with, &other);
        if (!bad && own)
            tg_f32_say_cannot_tell(n, &s.worst, false, r);
    }
    c->lenient = false;
    c->runs = TG_F32_RUNS;
    c->worst = fmax(c->worst, bad ? s.worst.most : fmin(s.worst.most, 1));
    if (bad && !r->wrong_ops++)
        tg_f32_say_wrong(n, &other.worst, !own, r);
    if (!bad && s.hides && own) {
        c->rng = rng;
        look_at_hidden(c, n, with, r);
    }
    return bad;
}

/* Of few numbers each may be right by chance, rounded to few bits say: such a gradient is looked at with several dy. */
static int draws(const tg_node *n) {
    int64_t elements = n->numel, least = INT64_MAX;
    for (int k = 0; k < n->n_in; k++) {
        elements += n->in[k] ? n->in[k]->numel : 0;
        if (n->in[k] && tg_recorded(n)[k] && n->in[k]->numel < least)
            least = n->in[k]->numel;
    }
    return least <= 4 ? 6 : elements <= 256 ? 3 : 1;
}

static bool has_wide_operand(const tg_node *n) {
    for (int k = 0; k < n->n_in; k++) {
        const tg_node *x = n->in[k] && tg_is_floating(n->in[k]) ? n->in[k]->base : NULL;
        for (int64_t j = 0; x && j < tg_span(x); j++)
            if (tg_is_wide(tg_number((tg_dtype)x->dtype, x->data, j)))
                return true;
    }
    return false;
}

bool tg_f32_is_wrong(tg_f32_check *c, const tg_node *n, const double *dy, tg_gradcheck_result *r) {
    const setting plain = {.dy = dy}, near_one = {.size = NEAR_ONE}, elsewhere = {.elsewhere = true};
    const tg_rng_state rng = c->rng;
    for (int i = dy ? 1 : draws(n); i > 0; i--)
        if (is_wrong_with(c, n, &plain, r))
            return true;
    if (dy || !(tg_is_custom(n) || has_wide_operand(n)))
        return false;
    c->rng = rng;
    return is_wrong_with(c, n, tg_is_custom(n) ? &elsewhere : &near_one, r);
}

/* Does it compute anything in the tape's dtype, and can it be put alone? */
bool tg_f32_computes(const tg_node *n) {
    return n->op && tg_is_floating(n) && (tg_has_vjp(n) || !n->op->is_view) && n->op != &tg_op_checkpoint &&
           !n->op->reads_op;
}
