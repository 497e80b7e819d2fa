/* Which operation is wrong on its own: each goes alone, on the operands that it has on the tape, through the same judge
 * and the same tests of the protocol; and where the path of a leaf that gets no gradient ends. */
#include "core/gradcheck/check.h"

enum { ELEMENTS_BY_CLASSES = 1 << 17 };

/* ---- saying where ---- */

void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r) {
    tg_copy_text(r->op, sizeof r->op, n->op->name);
    r->tensor = n->index;
    r->operand = operand + 1;
    r->shapes[0] = 0;
    for (int k = 0; k < n->n_in; k++)
        tg_append(r->shapes, "%s%s", k ? ", " : "", n->in[k] ? tg_node_text(n->in[k]).s : "none");
    tg_append(r->shapes, " -> %s", tg_node_text(n).s);
}

/* The first operand that a gradient goes to. */
static int first_wanted(const tg_node *n) {
    int k = 0;
    while (k < n->n_in - 1 && !(n->in[k] && n->recorded[k]))
        k++;
    return k;
}

/* ---- one operation ---- */

static bool is_any_infinite(const tg_checker *c) {
    bool any = false;
    for (int i = 0; i < c->n_leaves; i++)
        any |= tg_infinite_gradient(&c->leaf[i]) >= 0;
    return any;
}

static bool is_leaf_wrong(const tg_checker *c, const tg_check_leaf *leaf) {
    bool wrong = tg_infinite_gradient(leaf) >= 0 || tg_leaf_breaks_protocol(leaf);
    for (int i = 0; i < c->n_found && !wrong; i++)
        wrong = tg_leaf_at(c, c->found[i]) == leaf;
    return wrong;
}

/* The first operand with a wrong gradient; the only one that has a gradient; else -1. */
static int wrong_operand(tg_suspect *s) {
    int wanted = 0, last = -1;
    for (int k = 0; k < s->original->n_in; k++) {
        const tg_check_leaf *leaf = s->x[k] && s->x[k]->base->requires_grad ? tg_suspect_leaf(s, s->x[k]) : NULL;
        if (leaf && is_leaf_wrong(&s->c, leaf))
            return k;
        wanted += leaf != NULL;
        last = leaf ? k : last;
    }
    return wanted == 1 ? last : -1;
}

/* Runs the judge, unless the protocol alone is asked for, and the protocol; *line: what the judge's verdict rests on.
 * A gradient that is not finite is wrong where the whole is (tg_refuse_infinite). */
static bool is_wrong(tg_suspect *s, bool judge, tg_gradcheck_line *line) {
    tg_checker *c = &s->c;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    if ((judge && tg_cover(c, c->total <= ELEMENTS_BY_CLASSES, &alone)) || tg_check_protocol(c))
        return false;
    *line = alone.line[0];
    return alone.verdict == TG_GRAD_WRONG || tg_breaks_protocol(c) || is_any_infinite(c);
}

/* ---- a VJP that writes to what it may only read ---- */

/* True after tg_say: an element differs. Bits, since it may hold NaNs. */
static bool say_written(const tg_checker *c, const char *what, const double *before, const void *now, int64_t n,
                        tg_gradcheck_result *r) {
    for (int64_t j = 0; j < n; j++) {
        double is = tg_number(c->t->dtype, now, j);
        if (memcmp(&is, &before[j], sizeof is) != 0)
            return tg_say(r, TG_MISTAKE_WRITES,
                          "the VJP writes to %s, which it may only read: element %lld was %s and is %s; other "
                          "operations may read it after this one",
                          what, (long long)j, tg_number_text(before[j], 6).s, tg_number_text(is, 6).s);
    }
    return false;
}

static bool writes_to_const(tg_suspect *s, tg_gradcheck_result *r) {
    tg_checker *c = &s->c;
    tg_node *y = c->y;
    char what[32];
    if (!tg_is_custom(y) || tg_checker_forward(c))
        return false;
    tg_read_numbers(y, y->data, y->stride, c->low);
    y->retain = true; /* dy stays after the VJP */
    bool ran = !tg_checker_backward(c, 1) && y->has_grad;
    y->retain = false;
    bool found = ran && (say_written(c, "dy", c->cotangent, y->grad, y->numel, r) ||
                         say_written(c, "its result", c->low, y->data, y->numel, r));
    for (int k = 0; k < y->n_in && ran && !found; k++) {
        const tg_check_leaf *leaf = s->x[k] ? tg_suspect_leaf(s, s->x[k]) : NULL;
        snprintf(what, sizeof what, "operand %d", k + 1);
        found = leaf && say_written(c, what, leaf->start, leaf->x->data, leaf->x->numel, r);
    }
    return found;
}

/* ---- all operations ---- */

/* The operation is wrong in float32 alone, which no name explains: an element that is, of those that were found. */
static void say_float32(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    const tg_check_leaf *leaf = tg_suspect_leaf(s, s->x[operand]);
    int64_t at = 0;
    for (int i = 0; i < s->c.n_found; i++)
        if (tg_leaf_at(&s->c, s->c.found[i]) == leaf)
            at = s->c.found[i] - leaf->first;
    if (leaf->coarse)
        tg_say(r, TG_MISTAKE_FLOAT32,
               "float32 only: no element of the gradient has more than 16 significant bits, of 24");
    else
        tg_say(r, TG_MISTAKE_FLOAT32,
               "float32 only: the float64 kernel is right; here f does not change as the gradient says, element %lld "
               "of which is %s",
               (long long)at, tg_number_text(leaf->analytic[at], 7).s);
}

static void say_wrong(tg_checker *c, tg_suspect *s, tg_gradcheck_line *line, tg_gradcheck_result *r) {
    r->verdict = TG_GRAD_WRONG;
    if (r->wrong_ops++)
        return;
    int operand = s->c.forward_differs ? -1 : wrong_operand(s);
    if (line->verdict == TG_GRAD_WRONG) {
        snprintf(line->path, sizeof line->path, operand < 0 ? "%.28s alone" : "%.28s alone, operand %hhu",
                 s->original->op->name, (unsigned char)(operand + 1));
        tg_add_line(r, 0, line);
    }
    tg_gradcheck_say_where(s->original, operand, r);
    if (operand < 0 && !s->c.forward_differs) {
        bool float32 = c->t->dtype == TG_F32;
        tg_say(r, float32 ? TG_MISTAKE_FLOAT32 : TG_MISTAKE_UNKNOWN,
               "%sthe gradients are wrong where the operands move together, and none is where it moves alone",
               float32 ? "float32 only: " : "");
        return;
    }
    operand = operand < 0 ? first_wanted(s->original) : operand;
    if (c->t->dtype == TG_F64 || !is_any_infinite(&s->c))
        tg_diagnose(s, operand, r);
    if (c->t->dtype == TG_F32 && r->mistake <= TG_MISTAKE_UNKNOWN)
        say_float32(s, operand, r);
}

/* judge: run the judge too, and not the protocol alone. */
static void look_at(tg_checker *c, const tg_node *n, bool judge, tg_gradcheck_result *r) {
    tg_suspect s;
    tg_gradcheck_line line;
    bool opened = tg_suspect_open(&s, n, c);
    if (opened && !r->wrong_ops && writes_to_const(&s, r)) {
        r->verdict = TG_GRAD_WRONG;
        r->wrong_ops = 1;
        tg_gradcheck_say_where(n, first_wanted(n), r);
    } else if (opened && is_wrong(&s, judge, &line) && !s.c.t->status &&
               (!is_any_infinite(&s.c) || r->verdict == TG_GRAD_WRONG || tg_is_infinite_by_mistake(&s.c))) {
        say_wrong(c, &s, &line, r);
    }
    tg_suspect_close(&s, c->t);
}

/* ---- a gradient that stops on the way ---- */

static const char *why_cut(const tg_node *n, const tg_node *x) {
    if (!tg_is_floating(n) || !tg_is_floating(x))
        return "integers and bools have no gradient";
    if (n->op->is_view && n->op->no_gradient)
        return "it is cut off on purpose";
    if (n->requires_grad || !x->op)
        return "it was used while requires_grad was off, or under no_grad";
    return "it was made under no_grad";
}

/* The first operation that the leaf's path leads into, but a gradient not out of; NULL: there is none, or no memory. */
static const tg_node *find_cut(tg_checker *c, const tg_node *leaf, const char **reason) {
    bool *carries = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *carries); /* by tensor: made from the leaf */
    if (!carries)
        return NULL;
    carries[leaf->index] = true;
    for (uint32_t i = leaf->index + 1; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        for (int k = 0; k < n->n_in && c->needed[i]; k++) {
            const tg_node *x = n->in[k];
            if (!x || !carries[x->index])
                continue;
            if (!n->recorded[k]) {
                *reason = why_cut(n, x);
                return n;
            }
            carries[i] = true;
        }
    }
    return NULL;
}

static void look_for_cut(tg_checker *c, tg_gradcheck_result *r) {
    for (int i = 0; i < c->n_found && !r->op[0]; i++) {
        const tg_node *leaf = tg_leaf_at(c, c->found[i])->x;
        const char *reason;
        const tg_node *n = find_cut(c, leaf, &reason);
        char name[48];
        if (!n)
            continue;
        tg_gradcheck_name_leaf(leaf, name, sizeof name);
        tg_gradcheck_say_where(n, 0, r);
        tg_say(r, TG_MISTAKE_ZERO, "constant zero: the gradient of %s stops here: %s", name, reason);
    }
}

/* Where FAST has found nothing wrong it asks for the protocol alone: an operation that overwrites does no harm until
 * its operand is used twice. */
tg_status tg_locate(tg_checker *c, tg_gradcheck_result *r) {
    bool judge = c->config->mode == TG_GRADCHECK_FULL || r->verdict == TG_GRAD_WRONG;
    for (uint32_t i = 0; i <= c->y->index && !c->t->status; i++)
        if (c->needed[i] && tg_has_vjp(c->t->nodes[i]))
            look_at(c, c->t->nodes[i], judge, r);
    if (r->verdict == TG_GRAD_WRONG && !r->op[0])
        look_for_cut(c, r);
    return c->t->status;
}
