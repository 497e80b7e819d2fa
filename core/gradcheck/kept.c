/* What a callback keeps from an earlier call: slopes, a result, a mask.
 *
 * It is right where the tape is, and a little aside still where numbers are small or the mask is the same. Far from
 * there each custom operation's gradient is looked at alone, with the same dy, for operands that the program makes of
 * leaves that are far away (what it never is given it need not be right for: a probability of 1.5): an element that has
 * not changed at all there, while differences say that it has, is wrong. (What is only wrong there may be so for
 * another reason: an iteration that does not converge, a table that ends.) That an earlier call left it is shown by
 * what has a curve: the whole gradient stays what it was from place to place, right at the one where the tape is,
 * though the slopes of no two places are alike. Of straight pieces a gradient without any memory may stay as it is as
 * well. */
#include "core/gradcheck/check.h"

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
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; j < c->leaf[i].x->numel; j++)
            k->same[i][j] = c->leaf[i].analytic[j] == k->there[i][j];
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

enum { PLACES = 6 };

/* By differences; of all elements: of the one with the largest gradient. */
static double slope_of(tg_checker *c, const tg_check_leaf *leaf, int64_t element) {
    int64_t at = element < 0 ? 0 : element;
    for (int64_t j = 0; j < leaf->x->numel && element < 0; j++)
        at = fabs(leaf->analytic[j]) > fabs(leaf->analytic[at]) ? j : at;
    double x = ((const double *)leaf->x->data)[at], size = fabs(x);
    tg_line line = {.x = leaf->x, .at = at, .start = x, .size = size, .widest = fmax(size, leaf->scale)};
    memset(c->moves, 0, (size_t)c->y->index + 1);
    c->moves[leaf->x->index] = true;
    tg_checker_cone(c);
    double h = tg_step(&line, 18);
    tg_point low = tg_evaluate(c, &c->plain, &line, -h), high = tg_evaluate(c, &c->plain, &line, h);
    tg_checker_restore(c);
    return (double)((high.f - low.f) / (high.s - low.s));
}

static bool are_all_different(const double *slope, int n) {
    double largest = 0;
    bool different = true;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(slope[i]));
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            different &= fabs(slope[i] - slope[k]) > 1e-6 * largest;
    return different;
}

/* Further and further away, from where it is. Places that the operation refuses do not count. */
static bool is_kept(tg_suspect *s, record *k, int leaf, int64_t element) {
    const tg_check_leaf *at = &s->c.leaf[leaf];
    double slope[PLACES];
    int n = 0;
    for (int tried = 0; tried < 2 * PLACES && n < PLACES; tried++) {
        if (!step_far(s, k)) {
            tg_clear_error(s->c.t);
            continue;
        }
        if (!is_same(at, k->same[leaf], -1))
            return false;
        slope[n++] = slope_of(&s->c, at, element);
    }
    return n == PLACES && are_all_different(slope, n);
}

static void say_kept(tg_suspect *s, record *k, int leaf, const tg_gradcheck_row *row, tg_gradcheck_result *r) {
    bool kept = is_kept(s, k, leaf, row->element);
    r->verdict = TG_GRAD_WRONG;
    r->wrong_ops++;
    tg_gradcheck_say_where(s->original, operand_of(s, s->c.leaf[leaf].x), r);
    if (kept)
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
