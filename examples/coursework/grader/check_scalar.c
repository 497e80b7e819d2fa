/* A1: a tape of scalars. */
#include "harnessed.h"

#include <string.h>

enum { MOST_NODES = 128 };

/* An expression in the order of its making, and how its nodes are numbered. */
typedef struct expression {
    int n, leaves, last;
    double kind[MOST_NODES], a[MOST_NODES], b[MOST_NODES], value[MOST_NODES], grad[MOST_NODES];
    double order[MOST_NODES + 1];
} expression;

static double curve_of(double x, int variant) { return variant ? sin(x) : tanh(x); }
static double slope_of(double x, int variant) { return variant ? cos(x) : 1 - tanh(x) * tanh(x); }

static bool is_needed(const expression *e, int i, bool *needed) {
    for (int k = 0; k < e->n; k++)
        needed[k] = k == e->n - 1;
    for (int k = e->n - 1; k >= e->leaves; k--)
        if (needed[k]) {
            needed[(int)e->a[k]] = true;
            if (e->kind[k] != SCALAR_CURVE)
                needed[(int)e->b[k]] = true;
        }
    return needed[i];
}

/* The gradients of what is needed, on top of what they held. */
static void derive(const expression *e, int variant, double before, double *grad) {
    bool needed[MOST_NODES];
    for (int i = 0; i < e->n; i++)
        grad[i] = before;
    grad[e->n - 1] = 1;
    for (int i = e->n - 1; i >= e->leaves; i--) {
        int a = (int)e->a[i], b = (int)e->b[i];
        double dy = is_needed(e, i, needed) ? grad[i] : 0, va = e->value[a], vb = e->value[b];
        grad[a] += dy * (e->kind[i] == SCALAR_ADD ? 1 : e->kind[i] == SCALAR_MUL ? vb : slope_of(va, variant));
        if (e->kind[i] != SCALAR_CURVE)
            grad[b] += dy * (e->kind[i] == SCALAR_ADD ? 1 : va);
    }
}

static void compute(expression *e, int variant) {
    for (int i = e->leaves; i < e->n; i++) {
        double a = e->value[(int)e->a[i]], b = e->value[(int)e->b[i]];
        e->value[i] = e->kind[i] == SCALAR_ADD ? a + b : e->kind[i] == SCALAR_MUL ? a * b : curve_of(a, variant);
    }
    derive(e, variant, 0, e->grad);
}

/* Nodes used once: each new one takes the last ones that nobody has used. */
static void grow_tree(expression *e, tg_tape *t) {
    int free_node[MOST_NODES], n_free = e->leaves;
    for (int i = 0; i < e->leaves; i++)
        free_node[i] = i;
    while (n_free > 1) {
        int i = e->n++;
        e->kind[i] = below(t, 4) == 0 ? SCALAR_CURVE : 1 + below(t, 2);
        int k = below(t, n_free);
        e->a[i] = free_node[k];
        free_node[k] = free_node[--n_free];
        if (e->kind[i] != SCALAR_CURVE) {
            k = below(t, n_free);
            e->b[i] = free_node[k];
            free_node[k] = free_node[--n_free];
        }
        free_node[n_free++] = i;
    }
}

/* Nodes used often, and some that the last one does not need. */
static void grow_graph(expression *e, tg_tape *t, int more) {
    for (int k = 0; k < more; k++) {
        int i = e->n++;
        e->kind[i] = 1 + below(t, 3);
        e->a[i] = k % 7 == 5 ? i - 2 : i - 1;
        e->b[i] = k % 3 ? below(t, i) : e->a[i];
    }
}

/* A chain in which every operation has the input x beside what came before, in either place, or is a curve whose
 * operand the next one uses again: whoever sets a gradient in place of adding to it loses something, in whatever order.
 */
static void grow_chain(expression *e) {
    static const double kind[] = {SCALAR_ADD, SCALAR_MUL, SCALAR_ADD, SCALAR_MUL};
    for (int k = 0, at = 1; k < 3; k++) {
        for (int i = 0; i < 4; i++, at = e->n++) {
            e->kind[e->n] = kind[i];
            e->a[e->n] = i < 2 ? 0 : at;
            e->b[e->n] = i < 2 ? at : 0;
        }
        e->kind[e->n] = SCALAR_CURVE;
        e->a[e->n++] = at;
        e->kind[e->n] = SCALAR_MUL;
        e->a[e->n] = at;
        e->b[e->n] = e->n - 1;
        at = e->n++;
    }
}

/* x + x, and tanh of that, again and again: two to the 30 ways from the end to the start. */
static void grow_ladder(expression *e) {
    for (int k = 0; k < 60; k++) {
        int i = e->n++;
        e->kind[i] = k % 2 ? SCALAR_CURVE : SCALAR_ADD;
        e->a[i] = e->b[i] = i - 1;
    }
}

typedef enum { TREE, OPEN, HIDDEN, CHAIN, GRAPH, LADDER, EXPRESSIONS } expression_kind;
static const char *const expression_words[] = {[TREE] = "an expression that uses every node once",
                                               [OPEN] = "a product",
                                               [HIDDEN] = "a product with a factor that is not a number",
                                               [CHAIN] = "one that uses an input at every step",
                                               [GRAPH] = "one that uses nodes several times",
                                               [LADDER] = "a long one, in which 2^30 ways lead to the input"};

static bool make_expression(const session *s, expression_kind kind, expression *e) {
    tg_tape *t = random_tape(s, 7 + (uint64_t)kind);
    memset(e, 0, sizeof *e);
    e->n = e->leaves = kind == LADDER ? 1 : kind == OPEN || kind == HIDDEN || kind == CHAIN ? 2 : 6;
    bool good = normals(t, e->value, e->leaves);
    if (good && kind == TREE)
        grow_tree(e, t);
    if (good && kind == CHAIN)
        grow_chain(e);
    if (good && kind == GRAPH)
        grow_graph(e, t, 30);
    if (good && kind == LADDER)
        grow_ladder(e);
    if (kind == HIDDEN)
        e->value[0] = NAN;
    if (kind == OPEN || kind == HIDDEN) {
        e->kind[2] = SCALAR_MUL;
        e->b[2] = 1;
        e->n = 3;
    }
    compute(e, s->variant[s->task]);
    tg_tape_free(t);
    return good;
}

/* The nodes under other numbers: i becomes (i step) mod n. */
static int number_of(int i, int n) {
    int step = n > 7 ? 7 : 1;
    while (n % step == 0 && step > 1)
        step--;
    for (int k = step; k > 1; k--)
        if (n % k == 0 && step % k == 0)
            return n - 1 - i;
    return i * step % n;
}

static bool run_expression(session *s, int what, const expression *e, expression *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < e->n; i++) {
        int k = number_of(i, e->n);
        out->kind[k] = e->kind[i];
        out->a[k] = number_of((int)e->a[i], e->n);
        out->b[k] = number_of((int)e->b[i], e->n);
        out->value[k] = what == ASK_BACKWARD || i < e->leaves ? e->value[i] : NAN;
        out->grad[k] = 0.75;
    }
    double number[2] = {what, number_of(e->n - 1, e->n)};
    sent a[] = {{out->kind, e->n, false}, {out->a, e->n, false},   {out->b, e->n, false},
                {out->value, e->n, true}, {out->grad, e->n, true}, {out->order, e->n + 1, true}};
    return ask(s, number, 2, a, 6);
}

static verdict judge_order(const expression *e, const expression *out) {
    bool needed[MOST_NODES];
    int at[MOST_NODES], count = (int)out->order[0], all = 0;
    for (int i = 0; i < e->n; i++) {
        at[i] = -1;
        all += is_needed(e, i, needed);
    }
    if (count == 0) {
        verdict v = wrong("order", "zero", "the order is empty");
        v.untouched = true;
        return v;
    }
    if (count != all)
        return wrong("order", "wrong number", "%d nodes, where %d are needed: each one once", count, all);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < e->n; i++)
            if (number_of(i, e->n) == (int)out->order[k + 1])
                at[i] = at[i] < 0 ? k : e->n;
    for (int i = e->leaves; i < e->n; i++)
        if (is_needed(e, i, needed) && (at[i] < 0 || at[(int)e->a[i]] < 0 || at[(int)e->a[i]] >= at[i] ||
                                        (e->kind[i] != SCALAR_CURVE && at[(int)e->b[i]] >= at[i])))
            return wrong("order", "wrong order", "node %d does not stand after the nodes that it is computed from",
                         number_of(i, e->n));
    return fine;
}

static bool same_nodes(const expression *e, const double *mine, const double *right, bool only_needed) {
    bool needed[MOST_NODES];
    for (int i = 0; i < e->n; i++) {
        bool asked = isfinite(right[i]) && (!only_needed || is_needed(e, i, needed));
        if (asked && !(fabs(mine[number_of(i, e->n)] - right[i]) <= 1e-9 * fabs(right[i]) + 1e-12))
            return false;
    }
    return true;
}

static verdict judge_grads(expression_kind kind, int variant, const expression *e, const expression *out) {
    bool moved = false;
    double kept[MOST_NODES];
    for (int i = 0; i < e->n; i++)
        moved |= out->grad[i] != 0.75;
    derive(e, variant, 0.75, kept);
    if (same_nodes(e, out->grad, e->grad, false))
        return fine;
    if (!moved) {
        verdict v = wrong("gradients", "zero", "nothing was changed");
        v.untouched = true;
        return v;
    }
    if (same_nodes(e, out->grad, kept, true))
        return wrong("gradients", "not cleared",
                     "what the gradients held before is still in them: set them to 0 first");
    if (kind == CHAIN || kind == GRAPH || kind == LADDER)
        return wrong(
            "gradients", "value used twice",
            "right where every node is used once, wrong where one is used several times: add to a gradient, and "
            "pass it on only when all that uses the node has added to it");
    if (kind == HIDDEN)
        return wrong("gradients", "differences of forward",
                     "the derivative of a b with respect to a is b, whatever a is");
    return wrong("gradients", "wrong gradient", "the gradients of an expression that uses every node once are wrong");
}

static verdict check_scalar(session *s, int what) {
    static expression e, out;
    verdict v = fine;
    for (int kind = 0; kind < EXPRESSIONS && v.right; kind++) {
        if (!make_expression(s, (expression_kind)kind, &e))
            return wrong("grader", "grader", "out of memory");
        if (!run_expression(s, what, &e, &out))
            return failed(s, "the tape");
        if (what == ASK_ORDER)
            v = judge_order(&e, &out);
        else if (what == ASK_BACKWARD)
            v = judge_grads((expression_kind)kind, s->variant[s->task], &e, &out);
        else if (!same_nodes(&e, out.value, e.value, true))
            v = wrong("values", "wrong value", "the value of a node is not what its parts give");
        if (what == ASK_FORWARD && !v.right && isnan(out.value[number_of(e.n - 1, e.n)])) {
            v = wrong("values", "not filled", "the values are not set");
            v.untouched = true;
        }
        says(s, expression_words[kind], v);
    }
    return v;
}

verdict check_scalar_order(session *s) { return check_scalar(s, ASK_ORDER); }
verdict check_scalar_values(session *s) { return check_scalar(s, ASK_FORWARD); }
verdict check_scalar_grads(session *s) { return check_scalar(s, ASK_BACKWARD); }
