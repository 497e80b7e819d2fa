/* Which operation is wrong on its own: each goes alone, on the operands that it has on the tape, through the same judge
 * and the same tests of the protocol. */
#include "core/gradcheck/check.h"

enum { ELEMENTS_BY_CLASSES = 1 << 17 };

/* ---- saying where ---- */

static void say_shapes(const tg_node *n, char *out, size_t size) {
    size_t at = 0;
    for (int k = 0; k <= n->n_in && at < size; k++) {
        const tg_node *x = k < n->n_in ? n->in[k] : n;
        const char *before = k == n->n_in ? " -> " : k ? ", " : "";
        int written = snprintf(out + at, size - at, "%s%s", before, x ? tg_node_text(x).s : "none");
        at += written > 0 ? (size_t)written : 0;
    }
}

void tg_gradcheck_say_where(const tg_node *n, int operand, tg_gradcheck_result *r) {
    tg_copy_text(r->op, sizeof r->op, n->op->name);
    r->tensor = n->index;
    r->operand = operand + 1;
    say_shapes(n, r->shapes, sizeof r->shapes);
}

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
    bool wrong = tg_infinite_gradient(leaf) >= 0 || tg_leaf_breaks_protocol(leaf) || c->forward_differs;
    for (int i = 0; i < c->n_found && !wrong; i++)
        wrong = tg_leaf_at(c, c->found[i]) == leaf;
    return wrong;
}

/* Runs the judge, unless the protocol alone is asked for, and the protocol; whether it is wrong, and which operand's
 * gradient, else the first. A gradient that is not finite is wrong where the whole is (tg_refuse_infinite). */
static bool is_wrong(tg_suspect *s, bool judge, int *operand, tg_gradcheck_line *line) {
    tg_checker *c = &s->c;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    *line = (tg_gradcheck_line){.verdict = TG_GRAD_RIGHT};
    *operand = first_wanted(s->original);
    if ((judge && tg_cover(c, c->total <= ELEMENTS_BY_CLASSES, &alone)) || tg_check_protocol(c))
        return false;
    bool wrong = alone.verdict == TG_GRAD_WRONG || tg_breaks_protocol(c) || is_any_infinite(c);
    for (int k = s->original->n_in - 1; k >= 0 && wrong; k--) {
        const tg_check_leaf *leaf = s->x[k] && s->x[k]->base->requires_grad ? tg_suspect_leaf(s, s->x[k]) : NULL;
        *operand = leaf && is_leaf_wrong(c, leaf) ? k : *operand;
    }
    if (alone.n_lines && alone.line[0].verdict == TG_GRAD_WRONG) {
        *line = alone.line[0];
        snprintf(line->path, sizeof line->path, "%.20s alone, operand %hhu", s->original->op->name,
                 (unsigned char)(*operand + 1));
    }
    return wrong;
}

/* ---- a VJP that writes to what it may only read ---- */

static double *copy_of(tg_checker *c, const void *data, int64_t n) {
    double *copy = tg_checker_memory(c, (size_t)n, sizeof *copy);
    for (int64_t j = 0; j < n && copy; j++)
        copy[j] = tg_number(c->t->dtype, data, j);
    return copy;
}

/* The first element that differs, or -1. Bits, since it may hold NaNs. */
static bool say_written(const tg_checker *c, const char *what, const double *before, const void *now, int64_t n,
                        tg_gradcheck_result *r) {
    for (int64_t j = 0; j < n && before; j++) {
        double is = tg_number(c->t->dtype, now, j);
        if (memcmp(&is, &before[j], sizeof is) != 0)
            return tg_say(r, TG_MISTAKE_WRITES,
                          "the VJP writes to %s, which it may only read: element %lld was %.6g and is %.6g; other "
                          "operations may read it after this one",
                          what, (long long)j, before[j], is);
    }
    return false;
}

static bool writes_to_const(tg_suspect *s, tg_gradcheck_result *r) {
    tg_checker *c = &s->c;
    tg_node *y = c->y;
    double *before[UINT8_MAX] = {NULL};
    char what[32];
    if (!tg_is_custom(y) || tg_checker_forward(c))
        return false;
    for (int k = 0; k < y->n_in; k++)
        if (s->x[k] && tg_is_floating(s->x[k]))
            before[k] = copy_of(c, s->x[k]->base->data, tg_span(s->x[k]->base));
    double *result = copy_of(c, y->data, y->numel);
    y->retain = true; /* dy stays after the VJP */
    bool ran = !tg_checker_backward(c, 1) && y->has_grad;
    y->retain = false;
    bool found = ran && (say_written(c, "dy", c->cotangent, y->grad, y->numel, r) ||
                         say_written(c, "its result", result, y->data, y->numel, r));
    for (int k = 0; k < y->n_in && ran && !found; k++) {
        snprintf(what, sizeof what, "operand %d", k + 1);
        found = before[k] && say_written(c, what, before[k], s->x[k]->base->data, tg_span(s->x[k]->base), r);
    }
    return found;
}

/* ---- a view that is wrong itself ---- */

static bool is_wrong_view(tg_checker *c, const tg_node *view) {
    tg_suspect s;
    tg_gradcheck_line line;
    int operand;
    bool wrong = tg_suspect_open_view(&s, view, c) && is_wrong(&s, true, &operand, &line);
    tg_suspect_close(&s, c->t);
    return wrong;
}

/* Whatever reads a view whose gradient does not lie as its elements do gets it wrong. The first such view of those that
 * lead to this operand; NULL: none, the operation itself is wrong. */
static const tg_node *find_wrong_view(tg_checker *c, const tg_node *x) {
    const tg_node *found = NULL;
    for (; x && x->base != x && x->window.owner == x->base; x = x->in[0])
        found = is_wrong_view(c, x) ? x : found;
    return found;
}

static void say_view(const tg_node *view, const tg_node *reader, tg_gradcheck_result *r) {
    tg_gradcheck_say_where(view, 0, r);
    tg_say(r, TG_MISTAKE_UNKNOWN,
           "the gradient of this view does not lie where its elements do (offset, strides): whatever reads it, %s "
           "here, adds to other elements",
           reader->op->name);
}

/* ---- all operations ---- */

/* A float32 kernel is wrong where the same operation in float64 is not: what it computes is named from the operation's
 * differences in float64. */
static void say_float32(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    const tg_check_leaf *leaf = tg_suspect_leaf(s, s->x[operand]);
    int64_t at = 0;
    for (int i = 0; i < s->c.n_found; i++)
        if (tg_leaf_at(&s->c, s->c.found[i]) == leaf)
            at = s->c.found[i] - leaf->first;
    if (leaf->coarse) {
        tg_say(r, TG_MISTAKE_FLOAT32,
               "float32 only: no element of the gradient has more than 16 significant bits, of 24");
        return;
    }
    tg_say(r, TG_MISTAKE_FLOAT32,
           "float32 only: the float64 kernel is right; the path integral denies the gradient, element %lld of which "
           "is %.7g",
           (long long)at, leaf->analytic[at]);
}

static void add_line(tg_gradcheck_result *r, const tg_gradcheck_line *line) {
    if (line->verdict != TG_GRAD_WRONG)
        return;
    r->n_lines += r->n_lines < TG_GRADCHECK_LINES;
    memmove(&r->line[1], &r->line[0], sizeof *r->line * (size_t)(r->n_lines - 1));
    r->line[0] = *line;
}

static void say_wrong(tg_checker *c, tg_suspect *s, int operand, const tg_gradcheck_line *line,
                      tg_gradcheck_result *r) {
    const tg_node *n = s->original, *view;
    r->verdict = TG_GRAD_WRONG;
    if (r->wrong_ops++)
        return;
    add_line(r, line);
    if ((view = find_wrong_view(c, n->in[operand]))) {
        say_view(view, n, r);
        return;
    }
    tg_gradcheck_say_where(n, operand, r);
    if (c->t->dtype == TG_F64 || (tg_breaks_protocol(&s->c) && !is_any_infinite(&s->c)))
        tg_diagnose(s, operand, r);
    if (c->t->dtype == TG_F32 && r->mistake <= TG_MISTAKE_UNKNOWN)
        say_float32(s, operand, r);
}

static bool has_shared(const tg_node *n, int *first, int *second) {
    for (*second = 1; *second < n->n_in; ++*second)
        for (*first = 0; *first < *second; ++*first) {
            const tg_node *a = n->in[*first], *b = n->in[*second];
            if (a && b && tg_is_floating(a) && tg_share_grad(a, b) && n->recorded[*first] && n->recorded[*second])
                return true;
        }
    return false;
}

static void say_shared(const tg_node *n, tg_gradcheck_result *r) {
    int first, second;
    (void)has_shared(n, &first, &second);
    tg_gradcheck_say_where(n, first, r);
    tg_say(r, TG_MISTAKE_SHARED,
           "right when its operands are different tensors, but operands %d and %d share their elements here: add to "
           "both gradients, as if there were one buffer",
           first + 1, second + 1);
}

/* What arrives at the operation in the whole backward; NULL where that is nothing. */
static const double *own_dy(tg_checker *c, const tg_node *n) {
    double *dy = n->has_grad ? tg_checker_memory(c, (size_t)n->numel, sizeof *dy) : NULL, largest = 0;
    if (dy)
        tg_read_numbers(n, n->grad, n->window.stride, dy);
    for (int64_t j = 0; dy && j < n->numel; j++)
        largest = fmax(largest, isfinite(dy[j]) ? fabs(dy[j]) : INFINITY);
    return largest > 0 && isfinite(largest) ? dy : NULL;
}

/* How operations are looked at. PROTOCOL: without the judge. SHARED: operands that are one tensor stay one. OWN_DY: a
 * mistake may need dy's zeros (a mask), or numbers as small, which a random dy does not have. */
typedef enum { PROTOCOL, JUDGE, SHARED, OWN_DY } look;

static void look_at(tg_checker *c, const tg_node *n, look how, const double *dy, tg_gradcheck_result *r) {
    tg_suspect s;
    tg_gradcheck_line line;
    int operand;
    bool opened = tg_suspect_open(&s, n, c, how == SHARED, dy);
    if (opened && how <= JUDGE && !r->wrong_ops && writes_to_const(&s, r)) {
        r->verdict = TG_GRAD_WRONG;
        r->wrong_ops = 1;
        tg_gradcheck_say_where(n, first_wanted(n), r);
    } else if (opened && is_wrong(&s, how != PROTOCOL, &operand, &line)) {
        bool counts = !is_any_infinite(&s.c) || r->verdict == TG_GRAD_WRONG || tg_is_infinite_by_mistake(&s.c);
        if (counts && how == SHARED)
            say_shared(n, r);
        else if (counts && !s.c.t->status)
            say_wrong(c, &s, operand, &line, r);
    }
    tg_suspect_close(&s, c->t);
}

static tg_status look_at_all(tg_checker *c, look how, tg_gradcheck_result *r) {
    int first, second;
    for (uint32_t i = 0; i <= c->y->index && !c->t->status && (how <= JUDGE || !r->op[0]); i++) {
        const tg_node *n = c->t->nodes[i];
        if (!c->needed[i] || !tg_has_vjp(n) || (how == SHARED && !has_shared(n, &first, &second)))
            continue;
        const double *dy = how == OWN_DY && n != c->y ? own_dy(c, n) : NULL;
        if (how != OWN_DY || dy)
            look_at(c, n, how, dy, r);
    }
    return c->t->status;
}

/* ---- a gradient that stops on the way ---- */

static void look_for_cut(tg_checker *c, tg_gradcheck_result *r) {
    for (int i = 0; i < c->n_found && !r->op[0]; i++) {
        const tg_node *leaf = tg_leaf_at(c, c->found[i])->x;
        const char *reason;
        const tg_node *n = tg_find_cut(c, leaf, &reason);
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
    if (look_at_all(c, judge ? JUDGE : PROTOCOL, r) || r->verdict != TG_GRAD_WRONG || r->op[0])
        return c->t->status;
    look_for_cut(c, r);
    if (r->op[0] || look_at_all(c, SHARED, r) || r->op[0])
        return c->t->status;
    return tg_checker_backward_retaining(c) ? c->t->status : look_at_all(c, OWN_DY, r);
}
