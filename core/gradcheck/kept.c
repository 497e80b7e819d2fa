/* What a callback keeps from an earlier call: slopes, a result, a mask.
 *
 * It is right where the tape is, and a little aside still where numbers are small or the mask is the same. Far from
 * there each custom operation's gradient is looked at alone, with the same dy, for operands that the program makes of
 * leaves that are far away (what it never is given it need not be right for: a probability of 1.5): an element that has
 * not changed at all there, while differences say that it has, is wrong. It may be so without any memory: of a gain of
 * 1, a branch times 0 a gradient that forgets them is right. So the ordinary names come first, for where it is wrong.
 * And what a callback keeps cannot be told from what it computes without looking at its operands, but by its value:
 * where that is the right one for numbers that nobody writes down, to more digits than it is for any numbers beside
 * them, it was made of them. */
#include "core/gradcheck/check.h"

#include <stdlib.h>

/* The gradients where the tape is; then, which elements are the same far from there. */
typedef struct record {
    double **there;
    bool **same;
    double **x;    /* the operands there */
    double by;     /* how far the program's leaves move */
    double **leaf; /* these, as they were */
    tg_checker *program;
    tg_rng_state random;
} record;

/* NULL: no memory. */
static double **copy_of_leaves(tg_checker *c) {
    double **copy = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *copy);
    for (int i = 0; i < c->n_leaves && copy; i++) {
        size_t n = (size_t)c->leaf[i].x->numel;
        if (!(copy[i] = tg_checker_memory(c, n, sizeof(double))))
            return NULL;
        memcpy(copy[i], c->leaf[i].x->data, n * sizeof(double));
    }
    return copy;
}

static tg_status put_leaves(const record *k) {
    tg_checker *c = k->program;
    for (int i = 0; i < c->n_leaves; i++)
        memcpy(c->leaf[i].x->data, k->leaf[i], (size_t)c->leaf[i].x->numel * sizeof(double));
    return tg_checker_run_forward(c);
}

static bool open_record(tg_checker *c, record *k, tg_checker *program) {
    *k = (record){.by = 1, .program = program, .random = program->rng};
    k->x = copy_of_leaves(c);
    k->leaf = copy_of_leaves(program);
    k->there = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *k->there);
    k->same = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *k->same);
    for (int i = 0; i < c->n_leaves && k->there && k->same; i++) {
        size_t n = (size_t)c->leaf[i].x->numel;
        k->there[i] = tg_checker_memory(c, n, sizeof(double));
        k->same[i] = tg_checker_memory(c, n, sizeof(bool));
        if (!k->there[i] || !k->same[i])
            return false;
        memcpy(k->there[i], c->leaf[i].analytic, n * sizeof(double));
    }
    return k->there && k->same && k->x && k->leaf;
}

static void note_same(const tg_checker *c, const record *k) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            k->same[i][j] = c->leaf[i].analytic[j] == k->there[i][j];
}

static bool has_finite_operands(const tg_node *n) {
    bool finite = true;
    for (int k = 0; k < n->n_in; k++)
        finite &= !n->in[k] || !tg_recorded(n)[k] || tg_first_infinite(n->in[k]) < 0;
    return finite;
}

/* Also where the program leaves its domain so far away (a logarithm, a callback that refuses): less far. */
static bool move_program(const record *k, const tg_node *n) {
    tg_checker *c = k->program;
    for (double by = k->by; by >= k->by / 4; by /= 4) {
        if (!tg_checker_move_far(c, by) && has_finite_operands(n))
            return true;
        if (c->t->status == TG_ERR_MEMORY)
            return false;
        tg_clear_error(c->t);
        if (put_leaves(k))
            return false;
    }
    return false;
}

static bool have_moved(const tg_checker *c, const record *k) {
    double most = 0;
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            most = fmax(most, fabs(((const double *)c->leaf[i].x->data)[j] - k->x[i][j]));
    return most >= 1.0 / 16;
}

static bool take_far_operands(tg_suspect *s, const record *k) {
    if (!move_program(k, s->original))
        return false;
    tg_suspect_take_operands(s);
    return true;
}

/* What the program makes tiny, x / 1e6, moves when its leaves go further; if they can. */
static bool step_far(tg_suspect *s, record *k) {
    tg_checker *c = &s->c;
    bool far = take_far_operands(s, k);
    for (; far && !have_moved(c, k) && k->by < 0x1p20; far = take_far_operands(s, k))
        k->by *= 0x1p10;
    if (!far) {
        k->by = 1;
        far = take_far_operands(s, k);
    }
    if (!far || tg_checker_run_elsewhere(c) || c->infinite)
        return false;
    note_same(c, k);
    return true;
}

/* Of a direction: all elements. */
static bool is_same(const tg_check_leaf *leaf, const bool *same, int64_t element) {
    bool all = leaf->x->numel > 0;
    for (int64_t j = 0; j < leaf->x->numel; j++)
        all &= same[j];
    return element < 0 ? all : same[element];
}

/* The leaf that the row is of, when what is wrong there has not changed; -1: not. */
static int leaf_of_kept(const tg_checker *c, const record *k, const tg_gradcheck_row *row) {
    for (int i = 0; i < c->n_leaves; i++)
        if (row->verdict == TG_GRAD_WRONG && c->leaf[i].x->index == row->tensor)
            return is_same(&c->leaf[i], k->same[i], row->element) ? i : -1;
    return -1;
}

static int operand_of(const tg_suspect *s, const tg_node *leaf) {
    int k = 0;
    while (k < s->original->n_in - 1 && !(s->x[k] && s->x[k]->base == leaf && tg_recorded(s->original)[k]))
        k++;
    return k;
}

/* ---- is it made of the tape's numbers? ---- */

enum { PLACES = 6 };

/* Three digits, or eight bits: 0, 1, 0.25, 1e-4. What a program begins with may as well stand in a callback. */
static bool is_round(double x) {
    if (x == 0 || !isfinite(x))
        return true;
    int exponent;
    double bits = 256 * frexp(x, &exponent), digits = fabs(x) / pow(10, floor(log10(fabs(x))) - 2);
    return bits == floor(bits) || fabs(digits - round(digits)) <= 1e-6 * digits;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All the numbers that the operation reads, sorted; NULL: no memory. */
static double *numbers_of(tg_suspect *s, int64_t *n) {
    *n = 0;
    for (int k = 0; k < s->original->n_in; k++)
        *n += s->x[k] && tg_is_floating(s->x[k]) ? s->x[k]->numel : 0;
    double *all = tg_evidence_numbers(s, *n), *at = all;
    for (int k = 0; k < s->original->n_in && all; k++) {
        const tg_node *x = s->x[k];
        if (!x || !tg_is_floating(x))
            continue;
        tg_copy_out(x, x->data, x->stride, at);
        at += x->numel;
    }
    if (all)
        qsort(all, (size_t)*n, sizeof *all, compare_numbers);
    return all;
}

static bool is_among(const double *sorted, int64_t n, double x) {
    const double *found = bsearch(&x, sorted, (size_t)n, sizeof x, compare_numbers);
    return found && ((found > sorted && found[-1] == x) || (found < sorted + n - 1 && found[1] == x));
}

/* Which numbers are as random ones: not round, and each there once. A leaf has several, or none that counts. */
static bool **choose_random(tg_suspect *s) {
    int64_t n;
    const double *sorted = numbers_of(s, &n);
    bool **chosen = tg_checker_memory(&s->c, (size_t)s->c.n_leaves, sizeof *chosen);
    for (int i = 0; i < s->c.n_leaves && sorted && chosen; i++) {
        const tg_node *x = s->c.leaf[i].x;
        int64_t count = 0;
        if (!(chosen[i] = tg_checker_memory(&s->c, (size_t)x->numel, sizeof(bool))))
            return NULL;
        for (int64_t j = 0; j < x->numel; j++) {
            double value = ((const double *)x->data)[j];
            count += chosen[i][j] = !is_round(value) && !is_among(sorted, n, value);
        }
        if (count < 2)
            memset(chosen[i], 0, (size_t)x->numel * sizeof(bool));
    }
    return sorted ? chosen : NULL;
}

/* Of all elements: the one with the largest gradient. */
static int64_t element_of(const tg_check_leaf *leaf, int64_t element) {
    int64_t at = element < 0 ? 0 : element;
    for (int64_t j = 0; j < leaf->x->numel && element < 0; j++)
        at = fabs(leaf->analytic[j]) > fabs(leaf->analytic[at]) ? j : at;
    return at;
}

/* By differences, and what rounding makes of them. */
static double slope_of(tg_checker *c, const tg_check_leaf *leaf, int64_t at, double *rounding) {
    double x = ((const double *)leaf->x->data)[at], size = fabs(x);
    tg_line line = {.x = leaf->x, .at = at, .start = x, .size = size, .widest = fmax(size, leaf->scale)};
    tg_move_leaf(c, leaf);
    double h = tg_step(&line, 12);
    tg_point low = tg_evaluate(c, &c->plain, &line, -h), high = tg_evaluate(c, &c->plain, &line, h);
    tg_checker_restore(c);
    *rounding = fmax(*rounding, (high.rounding + low.rounding) / (double)(high.s - low.s));
    return (double)((high.f - low.f) / (high.s - low.s));
}

/* No two of them are alike, as they are on straight pieces; and what they differ by is much more than `near`. */
static bool are_all_different(const double *slope, int n, double near) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < n; i++) {
        low = fmin(low, slope[i]);
        high = fmax(high, slope[i]);
    }
    bool different = high - low > 100 * near;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            different &= fabs(slope[i] - slope[k]) > 1e-4 * (high - low);
    return different;
}

/* Is it a fraction p / q with a small q? */
static bool is_fraction(double x) {
    for (int q = 1; q <= 1000; q++)
        if (fabs(x * q - round(x * q)) <= 1e-12 * fabs(x * q))
            return true;
    return x == 0;
}

/* The gradient for a dy of 1 and -1. What no operand goes into is a sum of these, or of one constant times these: one
 * element of it by another is a fraction. So it may be right for numbers that nobody wrote down, whose rows are of
 * length 1. */
static bool has_numbers_of_its_own(tg_checker *c, const tg_check_leaf *leaf) {
    double largest = 0;
    bool own = false;
    for (int64_t j = 0; j < c->y->numel; j++)
        c->low[j] = copysign(1, c->cotangent[j]);
    tg_zero_grads(c->t);
    if (tg_write_doubles(c->v, c->low, c->y->numel) || tg_backward_with(tg_handle(c->y), c->v))
        return false;
    for (int64_t j = 0; j < leaf->x->numel; j++)
        largest = fmax(largest, fabs(tg_grad_element(leaf->x, j)));
    for (int64_t j = 0; j < leaf->x->numel && !own; j++)
        own = !is_fraction(tg_grad_element(leaf->x, j) / largest);
    return tg_write_doubles(c->v, c->cotangent, c->y->numel) == TG_OK && own;
}

/* Where only such numbers move, by a quarter: does the whole gradient stay as it is, bit by bit, though the slope is
 * another everywhere, and nowhere as near to it as at the tape's own? Places that the operation refuses do not count.
 */
static bool is_made_of_numbers(tg_suspect *s, const record *k, int leaf, int64_t element) {
    const tg_check_leaf *x = &s->c.leaf[leaf];
    bool **chosen = choose_random(s);
    int64_t at = element_of(x, element);
    double slope[PLACES + 1], rounding = 0;
    int n = 1;
    slope[0] = chosen ? slope_of(&s->c, x, at, &rounding) : 0;
    double near = fabs(slope[0] - x->analytic[at]);
    bool own = chosen && has_numbers_of_its_own(&s->c, x);
    for (int tried = 0; own && tried < 2 * PLACES && n <= PLACES; tried++) {
        if (tg_checker_step_chosen(&s->c, chosen) || s->c.infinite) {
            tg_clear_error(s->c.t);
            continue;
        }
        note_same(&s->c, k);
        if (!is_same(x, k->same[leaf], -1))
            return false;
        slope[n++] = slope_of(&s->c, x, at, &rounding);
    }
    return n > PLACES && are_all_different(slope, n, fmax(near, fmax(rounding, 1e-11 * fabs(slope[0]))));
}

/* ---- saying so ---- */

static bool is_kept(tg_suspect *far, const record *k, int leaf, int64_t element) {
    tg_suspect s;
    bool kept = tg_suspect_open(&s, far->original, far->c.config) && is_made_of_numbers(&s, k, leaf, element);
    tg_suspect_close(&s, far->c.t);
    return kept;
}

/* s is where it is wrong. */
static void say_kept(tg_suspect *s, const record *k, int leaf, const tg_gradcheck_row *row, tg_gradcheck_result *r) {
    int operand = operand_of(s, s->c.leaf[leaf].x);
    tg_diagnose(s, operand, r);
    bool named = r->mistake != TG_MISTAKE_NONE && r->mistake != TG_MISTAKE_UNKNOWN;
    size_t at = named ? strlen(r->diagnosis) : 0;
    r->verdict = TG_GRAD_WRONG;
    r->wrong_ops++;
    tg_gradcheck_say_where(s->original, operand, r);
    if (named)
        snprintf(r->diagnosis + at, sizeof r->diagnosis - at,
                 "; that is for operands further away: for these nothing is seen to be wrong (what is missing does no "
                 "harm, or an earlier call left the gradient)");
    else if (is_kept(s, k, leaf, row->element))
        tg_say(r, TG_MISTAKE_STALE,
               "right for these operands, but for others, further away, the gradient stays what it was: an element is "
               "%.6g where differences have %.6g; an earlier call left it (slopes, a result)",
               row->analytic, row->numeric);
    else
        tg_say(r, TG_MISTAKE_UNKNOWN,
               "nothing is seen to be wrong for these operands, but for others, further away, an element is %.6g, as "
               "it was, where differences have %.6g",
               row->analytic, row->numeric);
}

/* A first look is quick. The signs of all of a few numbers may be what they were: it looks three times. */
static bool differs_far(tg_suspect *s, record *kept) {
    tg_gradcheck_result first = {.verdict = TG_GRAD_RIGHT};
    for (int i = 0; i < 3 && first.verdict != TG_GRAD_WRONG; i++)
        if (!step_far(s, kept) || tg_check_leaf_directions(&s->c, &first))
            return false;
    return first.verdict == TG_GRAD_WRONG;
}

static void look_far(tg_suspect *s, tg_checker *c, tg_gradcheck_result *r) {
    record kept;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    if (!open_record(&s->c, &kept, c))
        return;
    bool differs = differs_far(s, &kept) && !tg_check_suspect(s, &alone);
    if (put_leaves(&kept))
        return;
    for (int i = 0; i < alone.n_rows && differs && r->verdict != TG_GRAD_WRONG; i++) {
        int leaf = leaf_of_kept(&s->c, &kept, &alone.row[i]);
        if (leaf >= 0 && !tg_is_wrong_alone(&s->c, s->original, r))
            say_kept(s, &kept, leaf, &alone.row[i], r);
    }
    c->rng = kept.random;
    put_leaves(&kept);
}

tg_status tg_find_kept(tg_checker *c, tg_gradcheck_result *r) {
    tg_gradcheck_config config = *c->config;
    config.progress = NULL;
    for (uint32_t i = 0; i <= c->y->index && r->verdict != TG_GRAD_WRONG && !c->t->status; i++) {
        const tg_node *n = c->t->nodes[i];
        tg_suspect s;
        if (!c->needed[i] || !tg_is_custom(n) || !tg_has_vjp(n))
            continue;
        if (tg_suspect_open(&s, n, &config))
            look_far(&s, c, r); /* callbacks may refuse what is far */
        tg_suspect_close(&s, c->t);
    }
    return c->t->status;
}
