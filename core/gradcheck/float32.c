/* The kernels that train: those of float32 against their float64 twins, on equal operands and equal dy.
 *
 * Each operation goes alone on two tapes. Its result and its gradients in float32 may be away from those in float64 by
 *
 *     A(n) (D + u |value| + 2^-126 S) + 8 u S,    u = 2^-24, the rounding of one float32 operation
 *     A(n) = 8 sqrt(n) + n
 *
 * D is the condition: how far the float64 value moves, at most of a few runs, when every number that the kernel reads
 * (operands, dy; for the gradient also y and what forward saved) moves at random by 0.5 to 1.5 u of its own size. For a
 * sum of terms a_i that is about u sqrt(sum a_i^2). n is the number of additions that may meet in one element. The
 * error of a sum is at most (n - 1) u sum |a_i|, and grows like sqrt(n) where roundings are independent (Higham, Mary
 * 2019); 8 sqrt(n) is the second for terms of both signs, n is the second for terms of one sign. A custom operation may
 * add one after another in float, and terms may be equal: there A(n) = 8 sqrt(n) + n sqrt(n) / 4, a quarter of the
 * first. S is the largest operand, times the largest dy for a gradient; numbers below 2^-126 underflow, and the last
 * summand is there only for operations whose small results are made of larger numbers (1 + tanh x; tg_op.cancels) and
 * for custom ones.
 *
 * Then the whole tape's backward in float32 against float64's on the same results, leaf by leaf, with the gradients on
 * the way moved as well and the largest n. */
#include "core/gradcheck/check.h"

#include <float.h>

enum { RUNS = 4 };
static const double unit = 1.0 / (1 << 24);

/* An array in both dtypes. */
typedef struct both {
    const tg_node *x;
    int64_t n;
    double *single, *twin, *moved; /* float32's, float64's, D */
    double terms, size;            /* n, S */
    bool cancels;
} both;

/* What is out of its bound. */
typedef struct excess {
    double most; /* times the bound; 1 and less is right */
    int64_t at, n;
    double single, twin;
    int operand; /* -1: the result */
    bool onto;   /* only where there is a gradient already */
} excess;

/* One operation alone. */
typedef struct pair {
    const tg_node *original;
    tg_node *y[2], *x[2][UINT8_MAX]; /* [0] in float32, [1] in float64 */
    tg_tensor dy[2];
    double *own_dy, *own[UINT8_MAX]; /* the numbers before they are moved */
    both result, gradient[UINT8_MAX];
    bool differentiable;
    int measured; /* runs that took the same branches */
} pair;

typedef struct kernels {
    tg_checker *c;
    tg_tape *t[2];
    tg_rng_state rng;
    double worst; /* of all excesses */
    double most_terms;
} kernels;

/* ---- numbers ---- */

static double *numbers(tg_tape *t, int64_t n) {
    size_t bytes;
    double *p = tg_times((size_t)n, sizeof *p, &bytes) ? tg_arena_get(t, &t->node_arena, bytes) : NULL;
    if (p)
        memset(p, 0, bytes);
    return p;
}

static double number(tg_dtype dtype, const void *p, int64_t j) {
    return dtype == TG_F32 ? (double)((const float *)p)[j] : ((const double *)p)[j];
}

static void put_number(tg_dtype dtype, void *p, int64_t j, double value) {
    if (dtype == TG_F32)
        ((float *)p)[j] = (float)value;
    else
        ((double *)p)[j] = value;
}

static double largest(int64_t n, const double *x) {
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        if (isfinite(x[j]))
            most = fmax(most, fabs(x[j]));
    return most;
}

/* x[j] = own[j] (1 +- [0.5, 1.5] u). The random number is made of the run and the value, so that equal numbers stay
 * equal (ties), or of its place as well. */
static void move(int64_t n, double *x, const double *own, int run, bool apart) {
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        memcpy(&bits, &own[j], sizeof bits);
        bits = (bits + (uint64_t)run + (apart ? (uint64_t)j << 32 : 0)) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        double by = unit * (0.5 + (double)(bits >> 12 & 0xffffff) * 0x1p-24);
        x[j] = isfinite(own[j]) ? own[j] * (1 + (bits >> 63 ? by : -by)) : own[j];
    }
}

static bool is_apart(int run) { return run > RUNS / 2; }

/* ---- how many terms meet ---- */

static bool is_elementwise(const tg_node *y) { return y->op->forward[TG_F64] == tg_elementwise_forward_f64; }

static double ratio(int64_t a, int64_t b) { return b ? (double)a / (double)b : 1; }

/* In an element of the result (i < 0), or of the gradient of input i. */
static double count_terms(const tg_node *y, int i) {
    int64_t out = i < 0 ? y->numel : y->in[i]->numel;
    double n = 1;
    for (int k = 0; k < y->n_in; k++)
        if (y->in[k] && !is_elementwise(y) && (i < 0 || tg_is_custom(y)))
            n = fmax(n, ratio(y->in[k]->numel, y->numel));
    if (i >= 0)
        n = fmax(n, ratio(y->numel, y->in[i]->numel));
    if (is_elementwise(y) || !(y->op->flops || tg_is_custom(y)))
        return n;
    for (int k = 0; k <= y->n_in; k++) {
        const tg_node *x = k < y->n_in ? y->in[k] : y;
        for (int d = 0; x && d < x->ndim; d++)
            n = fmax(n, (double)x->size[d]);
    }
    return y->op->flops && out ? fmax(n, y->op->flops(y, i) / (double)out) : n;
}

/* A(n) */
static double amplified(double n, bool may_be_equal) { return 8 * sqrt(n) + (may_be_equal ? n * sqrt(n) / 4 : n); }

/* ---- comparing ---- */

static double bound(const both *b, int64_t j, double a) {
    return a * (b->moved[j] + unit * fabs(b->twin[j]) + FLT_MIN * b->size) + (b->cancels ? 8 * unit * b->size : 0);
}

static excess compare(const both *b, bool may_be_equal) {
    excess e = {.most = 0};
    double a = amplified(b->terms, may_be_equal);
    for (int64_t j = 0; j < b->n; j++) {
        double d = fabs(b->single[j] - b->twin[j]), most = bound(b, j, a);
        if (b->single[j] == b->twin[j] || isnan(b->twin[j]))
            continue;
        double times = isfinite(d) ? d / most : INFINITY;
        e.n += times > 1;
        if (times <= e.most)
            continue;
        e.most = times;
        e.at = j;
        e.single = b->single[j];
        e.twin = b->twin[j];
    }
    return e;
}

/* ---- one operation in both ---- */

static bool open_array(both *b, tg_tape *t, const tg_node *x, double terms) {
    *b = (both){.x = x, .n = x->numel, .terms = terms};
    return (b->single = numbers(t, b->n)) && (b->twin = numbers(t, b->n)) && (b->moved = numbers(t, b->n));
}

static tg_node *leaf_of(const pair *p, int side, int k) { return p->x[side][k]->base; }

static bool wants_gradient(const pair *p, int k) {
    return p->differentiable && p->x[1][k] && tg_is_floating(p->x[1][k]) && tg_recorded(p->y[1])[k];
}

/* Every number but 0 gets a size of 0.5 to 1.5, and keeps its sign. */
static void tame(kernels *c, pair *p) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!p->x[0][k] || !tg_is_floating(p->x[0][k]))
            continue;
        float *x = leaf_of(p, 0, k)->data;
        for (int64_t j = 0; j < tg_span(leaf_of(p, 0, k)); j++)
            if (isfinite(x[j]) && x[j] != 0)
                x[j] = copysignf((float)(0.5 + tg_rng_double(&c->rng)), x[j]);
    }
}

static bool open_dy(kernels *c, pair *p, const double *dy) {
    tg_shape shape = tg_shape_from(p->y[1]);
    tg_node *v[2];
    p->own_dy = numbers(c->t[1], p->y[1]->numel);
    for (int side = 0; side < 2; side++) {
        v[side] = tg_leaf_new(c->t[side], "dy", &shape, c->t[side]->dtype);
        if (!v[side] || !p->own_dy)
            return false;
        p->dy[side] = tg_handle(v[side]);
    }
    for (int64_t j = 0; j < p->y[1]->numel; j++) {
        double sign = tg_rng_random(&c->rng) & 1 ? 1 : -1;
        p->own_dy[j] = (float)(dy ? dy[j] : sign * (0.5 + tg_rng_double(&c->rng)));
        put_number(TG_F32, v[0]->data, j, p->own_dy[j]);
        put_number(TG_F64, v[1]->data, j, p->own_dy[j]);
    }
    return true;
}

/* The operands are rounded to float32 first; then float64 has the same. dy: NULL, or the one to use. */
static bool open_pair(kernels *c, pair *p, const tg_node *n, const double *dy, bool tamed) {
    *p = (pair){.original = n, .differentiable = tg_has_vjp(n)};
    p->y[0] = tg_copy_alone(c->t[0], n, p->x[0]);
    if (p->y[0] && tamed)
        tame(c, p);
    p->y[1] = p->y[0] ? tg_copy_alone(c->t[1], p->y[0], p->x[1]) : NULL;
    if (!p->y[1] || !open_array(&p->result, c->t[1], p->y[1], count_terms(p->y[1], -1)) || !open_dy(c, p, dy))
        return false;
    for (int k = 0; k < n->n_in; k++) {
        if (!p->x[1][k] || !tg_is_floating(p->x[1][k]))
            continue;
        const tg_node *leaf = leaf_of(p, 1, k);
        int64_t n_own = tg_span(leaf);
        if (!(p->own[k] = numbers(c->t[1], n_own)))
            return false;
        memcpy(p->own[k], leaf->data, (size_t)n_own * sizeof(double));
        if (wants_gradient(p, k) && !open_array(&p->gradient[k], c->t[1], leaf, count_terms(p->y[1], k)))
            return false;
        c->most_terms = fmax(c->most_terms, p->gradient[k].terms);
    }
    return true;
}

static tg_status run_forward(tg_node *y) { return y->op->is_view ? TG_OK : tg_run_forward(y); }

static void read_gradients(pair *p, int side, double *(*where)(both *b)) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!wants_gradient(p, k))
            continue;
        const tg_node *leaf = leaf_of(p, side, k);
        double *out = where(&p->gradient[k]);
        for (int64_t j = 0; j < leaf->numel; j++)
            out[j] = leaf->has_grad ? number((tg_dtype)leaf->dtype, leaf->grad, j) : 0;
    }
}

static double *single_of(both *b) { return b->single; }
static double *twin_of(both *b) { return b->twin; }

static tg_status run_backward(pair *p, int side) {
    if (!p->differentiable)
        return TG_OK;
    tg_zero_grads(p->y[side]->tape);
    return tg_backward_with(tg_handle(p->y[side]), p->dy[side]);
}

/* ---- the condition ---- */

static uint64_t branches_of(const tg_node *y) {
    tg_branches b = {0};
    if (y->op->branches[TG_F64])
        y->op->branches[TG_F64](y, &b);
    return b.hash;
}

static void note_move(both *b, int64_t j, double now) {
    double d = fabs(now - b->twin[j]);
    b->moved[j] = fmax(b->moved[j], isfinite(d) ? d : 0);
}

static void move_operands(pair *p, int run) {
    for (int k = 0; k < p->original->n_in; k++)
        if (p->own[k])
            move(tg_span(leaf_of(p, 1, k)), leaf_of(p, 1, k)->data, p->own[k], run, is_apart(run % (RUNS + 1)));
}

/* Everything that the kernels read moves, for the gradient independent of what moved for the result: a mean that is
 * rounded twice is two means. What decisions are made by (the maximum itself) stays as forward saw it. */
static tg_status run_moved(pair *p, int run, uint64_t branches) {
    tg_node *y = p->y[1];
    bool compares = y->op->branches[TG_F64];
    move_operands(p, run);
    if (run_forward(y))
        return y->tape->status;
    if (branches_of(y) != branches)
        return TG_OK;
    p->measured++;
    double *now = p->result.single; /* free until float32 has run */
    tg_copy_out(y, y->data, y->stride, now);
    for (int64_t j = 0; j < y->numel; j++)
        note_move(&p->result, j, now[j]);
    if (!compares)
        move_operands(p, run + RUNS + 1);
    if (!compares && y->base == y)
        move(y->numel, y->data, y->data, run, true);
    if (!compares && y->saved)
        move(y->n_saved, y->saved, y->saved, run, true);
    double *dy = y->tape->nodes[p->dy[1].index]->data;
    move(y->numel, dy, p->own_dy, run, true);
    if (run_backward(p, 1))
        return y->tape->status;
    read_gradients(p, 1, single_of);
    for (int k = 0; k < p->original->n_in; k++)
        for (int64_t j = 0; j < p->gradient[k].n; j++)
            note_move(&p->gradient[k], j, p->gradient[k].single[j]);
    return TG_OK;
}

static tg_status run_twin(pair *p) {
    tg_node *y = p->y[1];
    if (run_forward(y))
        return y->tape->status;
    tg_copy_out(y, y->data, y->stride, p->result.twin);
    for (int64_t j = 0; j < y->numel; j++) /* what is infinite has no derivative */
        if (!isfinite(p->result.twin[j]))
            p->own_dy[j] = ((double *)y->tape->nodes[p->dy[1].index]->data)[j] = 0;
    if (run_backward(p, 1))
        return y->tape->status;
    read_gradients(p, 1, twin_of);
    uint64_t branches = branches_of(y);
    for (int run = 1; run <= RUNS; run++)
        if (run_moved(p, run, branches))
            return y->tape->status;
    return TG_OK;
}

/* ---- float32 ---- */

/* Nothing yet, but not zeros: a kernel that adds to it, or leaves a tail out, shows. */
static bool spoil_gradients(pair *p) {
    for (int k = 0; k < p->original->n_in; k++) {
        if (!wants_gradient(p, k))
            continue;
        tg_node *leaf = leaf_of(p, 0, k);
        if (!tg_grad_buffer(leaf))
            return false;
        for (int64_t j = 0; j < leaf->numel; j++)
            ((float *)leaf->grad)[j] = NAN;
        leaf->has_grad = false;
    }
    return true;
}

static tg_status run_single(pair *p) {
    tg_node *y = p->y[0];
    tg_tape *t = y->tape;
    if (run_forward(y) || !spoil_gradients(p))
        return t->status;
    float *dy = t->nodes[p->dy[0].index]->data;
    tg_walk w;
    tg_walk_begin(&w, y->ndim, y->size, y->stride);
    for (int64_t j = 0; j < y->numel; j++, tg_walk_next(&w, 1)) {
        p->result.single[j] = (double)((const float *)y->data)[w.offset];
        dy[j] = (float)p->own_dy[j];
    }
    if (run_backward(p, 0))
        return t->status;
    read_gradients(p, 0, single_of);
    return TG_OK;
}

/* Once more onto gradients that are there, of about the same size: kernels add then. */
static tg_status run_onto(kernels *c, pair *p) {
    tg_zero_grads(c->t[0]);
    for (int k = 0; k < p->original->n_in; k++) {
        if (!wants_gradient(p, k))
            continue;
        tg_node *leaf = leaf_of(p, 0, k);
        double size = largest(p->gradient[k].n, p->gradient[k].twin);
        if (!tg_grad_buffer(leaf))
            return c->t[0]->status;
        for (int64_t j = 0; j < leaf->numel; j++) /* a power of two: what is added is all that rounds */
            ((float *)leaf->grad)[j] = size > 0 && size < FLT_MAX / 4 ? ldexpf(1, ilogb(size)) : 1;
        leaf->has_grad = true;
    }
    if (tg_backward_with(tg_handle(p->y[0]), p->dy[0]))
        return c->t[0]->status;
    read_gradients(p, 0, single_of);
    for (int k = 0; k < p->original->n_in; k++) {
        both *b = &p->gradient[k];
        double size = largest(b->n, b->twin), before = size > 0 && size < FLT_MAX / 4 ? ldexp(1, ilogb(size)) : 1;
        for (int64_t j = 0; j < b->n; j++) {
            b->single[j] -= before;
            b->moved[j] += 2 * unit * before;
        }
    }
    return TG_OK;
}

static bool cancels(const tg_node *y) { return y->op->cancels || tg_is_custom(y); }

/* Also in the gradient of input i, unless y is a loss, of which each element has a share. */
static bool cancels_in_gradient(const tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return cancels(y) && x && (tg_is_custom(y) || x->ndim == y->ndim || x->numel <= y->numel);
}

/* S */
static void note_sizes(pair *p) {
    const tg_node *y = p->y[1];
    double size = 1, dy = largest(y->numel, p->own_dy);
    for (int k = 0; k < y->n_in; k++)
        if (p->own[k])
            size = fmax(size, largest(tg_span(leaf_of(p, 1, k)), p->own[k]));
    p->result.size = size;
    p->result.cancels = cancels(y);
    for (int k = 0; k < y->n_in; k++) {
        p->gradient[k].size = size * fmax(dy, 1) * (y->in[k] ? fmax(1, ratio(y->numel, y->in[k]->numel)) : 1);
        p->gradient[k].cancels = cancels_in_gradient(y, k);
    }
}

static excess worse(excess a, excess b) { return b.most > a.most ? b : a; }

static excess compare_all(const pair *p, bool onto) {
    bool custom = tg_is_custom(p->original);
    excess worst = {.most = 0};
    if (!onto) {
        worst = compare(&p->result, custom);
        worst.operand = -1;
    }
    for (int k = 0; k < p->original->n_in; k++) {
        excess e = compare(&p->gradient[k], custom);
        e.operand = k;
        e.onto = onto;
        worst = worse(worst, e);
    }
    return worst;
}

/* ---- numbers that float32 has no room for ---- */

static bool is_ordinary(const double *x, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        if (isfinite(x[j]) && x[j] != 0 && !(fabs(x[j]) > 1e-5 && fabs(x[j]) < 1e5))
            return false;
    return true;
}

/* May float32 overflow or underflow on the way? */
static bool fits(const pair *p) {
    bool all = is_ordinary(p->own_dy, p->y[1]->numel);
    for (int k = 0; k < p->original->n_in; k++)
        all &= !p->own[k] || is_ordinary(p->own[k], tg_span(leaf_of(p, 1, k)));
    for (int64_t j = 0; j < p->result.n; j++)
        all &= !isfinite(p->result.twin[j]) || fabs(p->result.twin[j]) < 1e30;
    return all;
}

/* ---- one operation ---- */

typedef struct sight {
    excess worst;
    bool fits;
} sight;

/* NULL dy: a random one. */
static tg_status look(kernels *c, const tg_node *n, const double *dy, bool tamed, sight *s) {
    pair p;
    *s = (sight){.fits = true};
    bool ok = open_pair(c, &p, n, dy, tamed) && !run_twin(&p) && !run_single(&p);
    if (ok && p.measured) {
        note_sizes(&p);
        s->worst = compare_all(&p, false);
        s->fits = fits(&p);
        if (p.differentiable && s->worst.most <= 1 && !run_onto(c, &p))
            s->worst = worse(s->worst, compare_all(&p, true));
    }
    return c->t[0]->status ? c->t[0]->status : c->t[1]->status;
}

static void say_wrong(const tg_node *n, const excess *e, tg_gradcheck_result *r) {
    char what[64] = "the result";
    tg_gradcheck_say_where(n, e->operand, r);
    r->verdict = TG_GRAD_WRONG;
    r->mistake = TG_MISTAKE_FLOAT32;
    r->factor = 0;
    if (e->operand >= 0)
        snprintf(what, sizeof what, "the gradient of operand %d%s", e->operand + 1,
                 e->onto ? ", added to an earlier one," : "");
    snprintf(r->diagnosis, sizeof r->diagnosis,
             "float32 only: element %lld of %s is %.7g, not %.7g as float64 has it from equal operands%s: %.2g times "
             "what rounding may do; %lld element%s so",
             (long long)e->at, what, e->single, e->twin, e->operand < 0 ? "" : " and dy", e->most, (long long)e->n,
             e->n == 1 ? " is" : "s are");
}

static void say_out_of_range(const tg_node *n, const excess *e, tg_gradcheck_result *r) {
    if (r->verdict == TG_GRAD_CANNOT_TELL)
        return;
    tg_gradcheck_say_where(n, e->operand, r);
    r->verdict = TG_GRAD_CANNOT_TELL;
    r->mistake = TG_MISTAKE_FLOAT32;
    snprintf(r->diagnosis, sizeof r->diagnosis,
             "float32 overflows or underflows: element %lld of %s is %.7g, in float64 %.7g", (long long)e->at,
             e->operand < 0 ? "the result" : "a gradient", e->single, e->twin);
}

/* True when it is wrong. Where numbers are so large or small that float32 may lose them on the way, it has to be wrong
 * with ordinary ones as well. */
static bool is_wrong(kernels *c, const tg_node *n, const double *dy, tg_gradcheck_result *r) {
    sight s, other;
    tg_mark mark[2] = {tg_tape_mark(c->t[0]), tg_tape_mark(c->t[1])};
    bool bad = false;
    if (!look(c, n, dy, false, &s) && s.worst.most > 1) {
        other = s;
        if (!s.fits && look(c, n, NULL, true, &other) == TG_OK && other.worst.most <= 1)
            say_out_of_range(n, &s.worst, r);
        else
            bad = other.worst.most > 1;
    }
    c->worst = fmax(c->worst, s.worst.most);
    if (bad && !r->wrong_ops++)
        say_wrong(n, &other.worst, r);
    for (int side = 0; side < 2; side++)
        if (!c->t[side]->status)
            (void)!tg_tape_rewind(c->t[side], mark[side]);
    return bad;
}

/* Does it compute anything in the tape's dtype? */
static bool computes(const tg_node *n) {
    return n->op && tg_is_floating(n) && (tg_has_vjp(n) || !n->op->is_view) && n->op != &tg_op_checkpoint;
}

/* ---- the whole tape's backward ---- */

/* Moves the gradient of one tensor, by its own size and by the error of the operations that cancel in it. */
typedef struct mover {
    const int *run; /* 0: not now */
    double error;
} mover;

static int move_gradient(void *grad, int64_t n, tg_tensor x, void *context) {
    const mover *m = context;
    double *g = grad;
    (void)x;
    if (*m->run)
        move(n, g, g, *m->run, true);
    for (int64_t j = 0; j < n && *m->run; j++)
        g[j] += (uint64_t)(j + 1) * (uint64_t)*m->run * UINT64_C(0x9e3779b97f4a7c15) >> 63 ? m->error : -m->error;
    return 0;
}

/* Gradients stay, so that operations can be looked at with the dy that they had. */
static void retain_all(tg_tape *t, const tg_node *y) {
    for (uint32_t i = 0; i <= y->index; i++)
        if (t->nodes[i]->op && t->nodes[i]->gowner == t->nodes[i] && t->nodes[i]->requires_grad)
            t->nodes[i]->retain = true;
}

/* By tensor: is its data compared with other data, which must not move then? */
static bool *find_compared(tg_checker *c, const tg_tape *t, const tg_node *y) {
    bool *compared = tg_checker_memory(c, (size_t)y->index + 1, sizeof *compared);
    for (uint32_t i = 0; i <= y->index && compared; i++) {
        const tg_node *n = t->nodes[i];
        if (!n->op || !n->op->branches[TG_F64])
            continue;
        compared[n->base->index] = true;
        for (int k = 0; k < n->n_in; k++)
            if (n->in[k])
                compared[n->in[k]->base->index] = true;
    }
    return compared;
}

/* What the results in float32 were, moved. */
static void move_results(const tg_tape *single, tg_tape *twin, const tg_node *y, const bool *compared, int run) {
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *own = single->nodes[i];
        tg_node *n = twin->nodes[i];
        if (n->base != n || !tg_is_floating(n) || compared[i])
            continue;
        for (int64_t j = 0; j < tg_span(n); j++)
            ((double *)n->data)[j] = ((float *)own->data)[j];
        move(tg_span(n), n->data, n->data, run, true);
        for (int64_t j = 0; n->saved && j < n->n_saved; j++)
            ((double *)n->saved)[j] = ((float *)own->saved)[j];
        if (n->saved)
            move(n->n_saved, n->saved, n->saved, run, true);
    }
}

/* Both tapes, with the same results. */
typedef struct whole {
    tg_tape *t[2];
    tg_tensor v[2];
    const tg_node *y;
    both *leaf;
    mover *mover; /* by tensor */
    int run;
} whole;

static double largest_of(const tg_node *x, const void *p) {
    double most = 0;
    for (int64_t j = 0; j < tg_span(x); j++) {
        double size = fabs(number((tg_dtype)x->dtype, p, j));
        most = isfinite(size) ? fmax(most, size) : most;
    }
    return most;
}

static double largest_number(const whole *w) {
    double most = 1;
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        if (n->base == n && tg_is_floating(n))
            most = fmax(most, largest_of(n, n->data));
    }
    return most;
}

static bool hook_all(tg_checker *c, whole *w) {
    w->mover = tg_checker_memory(c, (size_t)w->y->index + 1, sizeof *w->mover);
    for (uint32_t i = 0; i <= w->y->index && w->mover; i++) {
        const tg_node *n = w->t[1]->nodes[i];
        w->mover[i].run = &w->run;
        if (n->gowner == n && n->requires_grad && tg_register_hook(tg_handle(n), move_gradient, &w->mover[i]))
            return false;
    }
    return w->mover;
}

/* After float32's backward, whose gradients are retained: 8 u S, where an operation cancels. */
static void note_errors(whole *w) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        double size = 1;
        if (!n->op || !n->has_grad || !cancels(n))
            continue;
        for (int k = 0; k < n->n_in; k++)
            if (n->in[k] && tg_is_floating(n->in[k]))
                size = fmax(size, largest_of(n->in[k]->base, n->in[k]->base->data));
        for (int k = 0; k < n->n_in; k++)
            if (cancels_in_gradient(n, k) && tg_recorded(n)[k])
                w->mover[n->in[k]->gowner->index].error += 8 * unit * size * largest_of(n, n->grad);
    }
}

static bool open_cotangent(tg_checker *c, whole *w) {
    tg_shape shape = tg_shape_from(w->y);
    for (int side = 0; side < 2; side++) {
        tg_node *v = tg_leaf_new(w->t[side], "v", &shape, w->t[side]->dtype);
        for (int64_t j = 0; v && j < v->numel; j++)
            put_number(w->t[side]->dtype, v->data, j, (double)(float)c->cotangent[j]);
        if (!v)
            return false;
        w->v[side] = tg_handle(v);
    }
    return true;
}

static bool open_whole(tg_checker *c, whole *w) {
    w->t[1] = tg_tape_cast(w->t[0], TG_F64);
    if (!w->t[1] || !open_cotangent(c, w) || !hook_all(c, w))
        return false;
    retain_all(w->t[0], w->y);
    w->leaf = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *w->leaf);
    for (int i = 0; i < c->n_leaves && w->leaf; i++)
        if (!open_array(&w->leaf[i], w->t[1], w->t[1]->nodes[c->leaf[i].x->index], 1))
            return false;
    return w->leaf;
}

static tg_status run_whole(tg_checker *c, whole *w, int side, double *(*where)(both *b)) {
    tg_tape *t = w->t[side];
    tg_zero_grads(t);
    if (tg_backward_with(tg_handle(t->nodes[w->y->index]), w->v[side]))
        return t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_node *x = t->nodes[c->leaf[i].x->index];
        for (int64_t j = 0; j < x->numel; j++)
            where(&w->leaf[i])[j] = x->has_grad ? number(t->dtype, x->grad, j) : 0;
    }
    return TG_OK;
}

static uint64_t branches_of_all(tg_checker *c, const tg_tape *t) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && t->nodes[i]->op)
            hash = hash * 31 + branches_of(t->nodes[i]);
    return hash;
}

/* True when all leaves' D are known. */
static bool measure_whole(tg_checker *c, whole *w) {
    tg_node *y = w->t[1]->nodes[w->y->index];
    uint64_t branches = branches_of_all(c, w->t[1]);
    bool *compared = find_compared(c, w->t[1], y);
    int measured = 0;
    if (!compared || run_whole(c, w, 1, twin_of))
        return false;
    for (int run = 1; run <= RUNS; run++) {
        move_results(w->t[0], w->t[1], y, compared, run);
        w->run = run;
        if (branches_of_all(c, w->t[1]) != branches)
            continue;
        if (run_whole(c, w, 1, single_of))
            return false;
        measured++;
        for (int i = 0; i < c->n_leaves; i++)
            for (int64_t j = 0; j < w->leaf[i].n; j++)
                note_move(&w->leaf[i], j, w->leaf[i].single[j]);
    }
    return measured > 0;
}

/* With the dy that it had there, is some operation wrong alone? */
static bool find_with_own_dy(kernels *k, whole *w, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        if (!k->c->needed[i] || !computes(n) || !tg_has_vjp(n) || !n->has_grad)
            continue;
        double *dy = tg_checker_memory(k->c, (size_t)n->numel, sizeof *dy);
        float *own = tg_checker_memory(k->c, (size_t)n->numel, sizeof *own);
        if (!dy || !own)
            return false;
        tg_copy_out(n, n->grad, n->gstride, own);
        for (int64_t j = 0; j < n->numel; j++)
            dy[j] = (double)own[j];
        if (is_wrong(k, n, dy, r))
            return true;
    }
    return false;
}

static bool is_whole_ordinary(const tg_checker *c, const whole *w) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[1]->nodes[i];
        if (c->needed[i] && n->base == n && tg_is_floating(n) && !is_ordinary(n->data, tg_span(n)))
            return false;
    }
    return true;
}

static void say_leaf(const tg_node *x, const excess *e, bool sure, tg_gradcheck_result *r) {
    r->verdict = sure ? TG_GRAD_WRONG : TG_GRAD_CANNOT_TELL;
    r->mistake = TG_MISTAKE_FLOAT32;
    snprintf(r->diagnosis, sizeof r->diagnosis,
             "float32 only: element %lld of the gradient of tensor %u %s is %.7g, not %.7g as float64 has it: %.2g "
             "times what rounding may do; every operation agrees on its own%s",
             (long long)e->at, x->index, tg_node_text(x).s, e->single, e->twin, e->most,
             sure ? "" : ", and float32 may overflow or underflow");
}

static tg_status check_whole(kernels *k, tg_tape *single, tg_gradcheck_result *r) {
    tg_checker *c = k->c;
    whole w = {.t = {single}, .y = single->nodes[c->y->index]};
    excess worst = {.most = 0};
    const tg_node *leaf = NULL;
    bool ok = open_whole(c, &w) && !run_whole(c, &w, 0, single_of);
    if (ok)
        note_errors(&w);
    ok = ok && measure_whole(c, &w) && !run_whole(c, &w, 0, single_of);
    double size = ok ? largest_number(&w) : 1;
    for (int i = 0; i < c->n_leaves && ok; i++) {
        w.leaf[i].terms = k->most_terms;
        w.leaf[i].size = size;
        excess e = compare(&w.leaf[i], true);
        leaf = e.most > worst.most ? w.leaf[i].x : leaf;
        worst = worse(worst, e);
    }
    k->worst = fmax(k->worst, worst.most);
    if (worst.most > 1 && !find_with_own_dy(k, &w, r))
        say_leaf(leaf, &worst, is_whole_ordinary(c, &w), r);
    for (int side = 0; side < 2; side++)
        if (w.t[side] && w.t[side]->status)
            tg_fail(c->t, w.t[side]->status, "float32: %s", w.t[side]->error);
    tg_tape_free(w.t[1]);
    return c->t->status;
}

/* ---- the check ---- */

static tg_status check_operations(kernels *k, const tg_tape *t, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= k->c->y->index; i++) {
        const tg_node *n = t->nodes[i];
        bool trained = t->dtype == TG_F32 || (tg_is_custom(n) && tg_custom_has_float32(n));
        if (k->c->needed[i] && trained && computes(n))
            is_wrong(k, n, NULL, r);
        for (int side = 0; side < 2; side++)
            if (k->t[side]->status)
                return tg_fail(k->c->t, k->t[side]->status, "float32: %s", k->t[side]->error);
    }
    return TG_OK;
}

/* The results that a replay in float32 has. */
static tg_status replay(const tg_checker *c, tg_tape *single) {
    single->keep_random = true;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && single->nodes[i]->op && tg_run_forward(single->nodes[i]))
            return single->status;
    return TG_OK;
}

tg_status tg_check_float32(tg_checker *c, tg_tape *trained, tg_gradcheck_result *r) {
    kernels k = {.c = c, .most_terms = 1};
    tg_tape *single = trained->dtype == TG_F32 ? tg_tape_cast(trained, TG_F32) : c->t;
    tg_rng_seed(&k.rng, c->config->seed);
    for (int side = 0; side < 2; side++)
        k.t[side] = single ? tg_tape_for(single, side ? TG_F64 : TG_F32) : NULL;
    if (!k.t[0] || !k.t[1])
        tg_fail(c->t, TG_ERR_MEMORY, "out of memory for the float32 kernels");
    else if (single == c->t)
        check_operations(&k, c->t, r);
    else if (replay(c, single))
        tg_fail(c->t, single->status, "float32: %s", single->error);
    else if (!check_operations(&k, single, r) && r->verdict != TG_GRAD_WRONG)
        check_whole(&k, single, r);
    r->float32 = k.worst;
    for (int side = 0; side < 2; side++)
        tg_tape_free(k.t[side]);
    if (single != c->t)
        tg_tape_free(single);
    return c->t->status;
}
