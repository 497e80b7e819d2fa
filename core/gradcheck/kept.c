/* What a callback keeps from an earlier call: slopes, a result, a mask.
 *
 * It is right where the tape is, and a little aside still where numbers are small or the mask is the same. Far from
 * there each custom operation's gradient is looked at alone, with the same dy: an element that has not changed at all
 * there, while differences say that it has, is what an earlier call left. (What is only wrong there may be so for
 * another reason: an iteration that does not converge, a table that ends.) */
#include "core/gradcheck/check.h"

/* The gradients where the tape is; then, which elements are the same far from there. */
typedef struct record {
    double **there;
    bool **same;
} record;

static bool open_record(tg_checker *c, record *k) {
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
    return k->there && k->same;
}

static bool step_far(tg_checker *c, const record *k) {
    if (tg_checker_step_far(c) || c->infinite)
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

static void say_kept(const tg_suspect *s, int leaf, const tg_gradcheck_row *row, tg_gradcheck_result *r) {
    r->verdict = TG_GRAD_WRONG;
    r->wrong_ops++;
    tg_gradcheck_say_where(s->original, operand_of(s, s->c.leaf[leaf].x), r);
    tg_say(r, TG_MISTAKE_STALE,
           "right for these operands, but for others, further away, the gradient stays what it was: an element is %.6g "
           "where differences have %.6g; an earlier call left it (slopes, a result, a mask)",
           row->analytic, row->numeric);
}

/* A first look is quick. The signs of all of a few numbers may be what they were: it looks three times. */
static bool differs_far(tg_suspect *s, const record *kept) {
    tg_gradcheck_result first = {.verdict = TG_GRAD_RIGHT};
    for (int i = 0; i < 3 && first.verdict != TG_GRAD_WRONG; i++)
        if (!step_far(&s->c, kept) || tg_check_leaf_directions(&s->c, &first))
            return false;
    return first.verdict == TG_GRAD_WRONG;
}

static void look_far(tg_suspect *s, tg_gradcheck_result *r) {
    record kept;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    if (!open_record(&s->c, &kept) || !differs_far(s, &kept) || tg_check_suspect(s, &alone))
        return;
    for (int i = 0; i < alone.n_rows && r->verdict != TG_GRAD_WRONG; i++) {
        int leaf = leaf_of_kept(&s->c, &kept, &alone.row[i]);
        if (leaf >= 0)
            say_kept(s, leaf, &alone.row[i], r);
    }
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
            look_far(&s, r); /* callbacks may refuse what is far */
        tg_suspect_close(&s, c->t);
    }
    return c->t->status;
}
