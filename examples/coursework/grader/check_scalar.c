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

/* ---- what is wrong ---- */

/* "node 7 (= node 2 * node 5, which are 0.3 and 0.5)", by the student's numbers */
static const char *node_text(const expression *e, int i, int variant) {
    static char text[160];
    int k = number_of(i, e->n), a = number_of((int)e->a[i], e->n), b = number_of((int)e->b[i], e->n);
    double va = e->value[(int)e->a[i]], vb = e->value[(int)e->b[i]];
    if (i < e->leaves)
        snprintf(text, sizeof text, "node %d (an input)", k);
    else if (e->kind[i] == SCALAR_CURVE)
        snprintf(text, sizeof text, "node %d (= %s(node %d), which is %.4g)", k, variant ? "sin" : "tanh", a, va);
    else
        snprintf(text, sizeof text, "node %d (= node %d %s node %d, which are %.4g and %.4g)", k, a,
                 e->kind[i] == SCALAR_ADD ? "+" : "*", b, va, vb);
    return text;
}

static verdict order_at(const char *mistake, const char *why, int k, double came, double wanted) {
    verdict v = wrong("order", mistake, "%s", why);
    if (k < 0)
        at_element(&v, came, wanted, "the number of nodes in the order");
    else
        snprintf(v.element, sizeof v.element, "the place of node %d is %g; it should be behind place %g", k, came,
                 wanted);
    return v;
}

static verdict judge_order(const expression *e, const expression *out) {
    bool needed[MOST_NODES], reversed = true, numbers = true;
    int at[MOST_NODES], count = (int)out->order[0], all = 0;
    for (int i = 0; i < e->n; i++) {
        at[i] = -1;
        all += is_needed(e, i, needed);
    }
    if (count == 0) {
        verdict v = order_at("zero", "the order is empty", -1, 0, all);
        v.untouched = true;
        return v;
    }
    if (count != all)
        return order_at(count == e->n ? "all nodes" : "wrong number",
                        count == e->n ? "these are all nodes that there are, and not those that the last one needs"
                                      : "each node that the last one needs once, itself included",
                        -1, count, all);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < e->n; i++)
            if (number_of(i, e->n) == (int)out->order[k + 1])
                at[i] = at[i] < 0 ? k : e->n;
        numbers &= k == 0 || out->order[k] < out->order[k + 1];
    }
    for (int i = e->leaves; i < e->n; i++)
        if (is_needed(e, i, needed))
            reversed &= at[i] >= 0 && at[i] < at[(int)e->a[i]];
    for (int i = e->leaves; i < e->n; i++) {
        bool two = e->kind[i] != SCALAR_CURVE;
        int a = at[(int)e->a[i]], b = two ? at[(int)e->b[i]] : 0, late = a > b ? a : b;
        if (!is_needed(e, i, needed) || (at[i] >= 0 && a >= 0 && b >= 0 && a < at[i] && (!two || b < at[i])))
            continue;
        if (at[i] < 0 || a < 0 || b < 0)
            return order_at("a node is missing", "each node that the last one needs once, itself included",
                            number_of(at[i] < 0 ? i
                                      : a < 0   ? (int)e->a[i]
                                                : (int)e->b[i],
                                      e->n),
                            -1, 0);
        bool backwards = reversed && !numbers, by_number = numbers && !reversed; /* of few nodes it may be both */
        return order_at(backwards   ? "reversed"
                        : by_number ? "order of the numbers"
                                    : "wrong order",
                        backwards   ? "the order is right from its end to its start"
                        : by_number ? "the nodes come in the order of their numbers, which says nothing"
                                    : "a node stands after those that it is computed from",
                        number_of(i, e->n), at[i], late);
    }
    return fine;
}

static bool same_node(const expression *e, const double *mine, const double *right, int i) {
    return !isfinite(right[i]) || fabs(mine[number_of(i, e->n)] - right[i]) <= 1e-9 * fabs(right[i]) + 1e-12;
}

static bool same_nodes(const expression *e, const double *mine, const double *right, bool only_needed) {
    bool needed[MOST_NODES];
    for (int i = 0; i < e->n; i++)
        if ((!only_needed || is_needed(e, i, needed)) && !same_node(e, mine, right, i))
            return false;
    return true;
}

/* ---- values ---- */

static double curve_instead(double a, double b, int variant) { return (void)b, curve_of(a, !variant); }
static double product_instead(double a, double b, int variant) { return (void)variant, a * b; }
static double sum_instead(double a, double b, int variant) { return (void)variant, a + b; }
static double difference_instead(double a, double b, int variant) { return (void)variant, a - b; }
static double first_instead(double a, double b, int variant) { return (void)b, (void)variant, a; }

static const struct {
    double (*f)(double a, double b, int variant);
    const char *words;
} value_mistakes[] = {{sum_instead, "sum: a + b is computed there"},
                      {product_instead, "product: a b is computed there"},
                      {difference_instead, "difference: a - b is computed there"},
                      {curve_instead, "another curve: this is not the function that your page names"},
                      {first_instead, "a itself: the value of a is passed on"}};

/* True when all nodes of this kind whose operands are right have f of them. */
static bool gives_values(const expression *e, const expression *out, double kind, int variant, size_t m) {
    bool needed[MOST_NODES];
    int told = 0;
    for (int i = e->leaves; i < e->n; i++) {
        int a = (int)e->a[i], b = (int)e->b[i];
        if (e->kind[i] != kind || !is_needed(e, i, needed) || !same_node(e, out->value, e->value, a) ||
            !same_node(e, out->value, e->value, b))
            continue;
        told++;
        if (!(fabs(out->value[number_of(i, e->n)] - value_mistakes[m].f(e->value[a], e->value[b], variant)) <= 1e-9))
            return false;
    }
    return told > 0;
}

static verdict judge_values(int variant, const expression *e, const expression *out) {
    bool needed[MOST_NODES];
    int i = 0;
    while (i < e->n && (!is_needed(e, i, needed) || same_node(e, out->value, e->value, i)))
        i++;
    if (i == e->n)
        return fine;
    verdict v = wrong("values", "wrong value", "it is the first that is not what its parts give");
    at_element(&v, out->value[number_of(i, e->n)], e->value[i], "the value of %s", node_text(e, i, variant));
    if (isnan(out->value[number_of(i, e->n)]))
        name_mistake(&v, "not filled: its value is not set");
    for (size_t m = 0; m < sizeof value_mistakes / sizeof *value_mistakes; m++)
        if (gives_values(e, out, e->kind[i], variant, m))
            name_mistake(&v, value_mistakes[m].words);
    v.untouched = isnan(out->value[number_of(e->n - 1, e->n)]);
    return v;
}

/* ---- gradients ---- */

typedef enum {
    SET_ADD,
    SET_MUL,
    SET_CURVE,
    SET_ALL,
    SET_ADD_A,
    SET_ADD_B,
    SET_MUL_A,
    SET_MUL_B,
    NO_START,
    MUL_OWN,
    CURVE_PASSED_ON,
    CURVE_VALUE,
    CURVE_OF_INPUT,
    CURVE_OTHER,
    CURVE_SQUARE_MISSING,
    CURVE_NO_DY,
    MUL_NO_DY,
    ADD_NO_DY,
    NO_ADD,
    NO_MUL,
    NO_CURVE,
    ADD_B_MISSING,
    MUL_B_MISSING,
    ADD_A_MISSING,
    MUL_A_MISSING,
    ADD_SIGN,
    MUL_PASSED_ON,
    NOT_CLEARED,
    LAST_NOT_CLEARED,
    BY_NUMBERS,
    FORWARDS,
    GRAD_MISTAKES
} grad_mistake;
static const char *const grad_words[GRAD_MISTAKES] = {
    [SET_ADD] = "= instead of +=: at a sum the gradients of its parts are set, not added to",
    [SET_MUL] = "= instead of +=: at a product the gradients of its factors are set, not added to",
    [SET_CURVE] = "= instead of +=: at a curve the gradient of its input is set, not added to",
    [SET_ALL] = "= instead of +=: gradients are set, not added to: a node that is used several times keeps one part",
    [SET_ADD_A] = "= instead of +=: at a sum the gradient of a is set, not added to",
    [SET_ADD_B] = "= instead of +=: at a sum the gradient of b is set, not added to",
    [SET_MUL_A] = "= instead of +=: at a product the gradient of a is set, not added to",
    [SET_MUL_B] = "= instead of +=: at a product the gradient of b is set, not added to",
    [NO_START] = "no start: every gradient is 0: that of the last node is 1 to begin with",
    [MUL_OWN] = "wrong factor: at a product each factor gets dy times itself, not dy times the other one",
    [CURVE_PASSED_ON] = "slope forgotten: at a curve dy is passed on; it is to be multiplied by the derivative",
    [CURVE_VALUE] = "value for slope: at a curve dy is multiplied by the function, not by its derivative",
    [CURVE_OF_INPUT] = "input for value: 1 - y^2 has y, the value of the curve, and not its input",
    [CURVE_OTHER] = "another curve's slope: this is the derivative of another function than your page names",
    [CURVE_SQUARE_MISSING] = "square forgotten: the slope is 1 - y^2, not 1 - y",
    [CURVE_NO_DY] = "dy forgotten: at a curve the slope alone is added; it is to be multiplied by the node's gradient",
    [MUL_NO_DY] =
        "dy forgotten: at a product the other factor alone is added; it is to be multiplied by the node's gradient",
    [ADD_NO_DY] = "dy forgotten: at a sum 1 is added; the node's gradient is to be",
    [NO_ADD] = "nothing at a sum: its parts get no gradient",
    [NO_MUL] = "nothing at a product: its factors get no gradient",
    [NO_CURVE] = "nothing at a curve: its input gets no gradient",
    [ADD_B_MISSING] = "b forgotten: at a sum only a gets a gradient",
    [MUL_B_MISSING] = "b forgotten: at a product only a gets a gradient",
    [ADD_A_MISSING] = "a forgotten: at a sum only b gets a gradient",
    [MUL_A_MISSING] = "a forgotten: at a product only b gets a gradient",
    [ADD_SIGN] = "sign flipped: at a sum b gets -1 times the gradient, as if it were a difference",
    [MUL_PASSED_ON] = "factor forgotten: at a product dy is passed on; it is to be multiplied by the other factor",
    [NOT_CLEARED] = "not cleared: what the gradients held before is still in them: set them to 0 first",
    [LAST_NOT_CLEARED] = "not cleared: 1 is added to what the last node's gradient held before: set it",
    [BY_NUMBERS] =
        "wrong order: backward goes by the numbers of the nodes, from the last; it has to go by the order, backwards",
    [FORWARDS] = "wrong direction: backward goes through the order from its start; it has to go from its end"};

static double slope_by(grad_mistake m, double x, int variant) {
    switch (m) {
    case CURVE_PASSED_ON: return 1;
    case CURVE_VALUE: return curve_of(x, variant);
    case CURVE_OF_INPUT: return 1 - x * x;
    case CURVE_OTHER: return slope_of(x, !variant);
    case CURVE_SQUARE_MISSING: return 1 - curve_of(x, variant);
    default: return slope_of(x, variant);
    }
}

static void give(double *grad, double what, bool sets) { *grad = sets ? what : *grad + what; }

static void give_to_parts(const expression *e, grad_mistake m, int variant, int i, double *grad) {
    int a = (int)e->a[i], b = (int)e->b[i], kind = (int)e->kind[i];
    double va = e->value[a], vb = e->value[b], dy = grad[i], da = dy, db = dy;
    bool no_dy = m == (kind == SCALAR_ADD ? ADD_NO_DY : kind == SCALAR_MUL ? MUL_NO_DY : CURVE_NO_DY);
    bool sets = m == SET_ALL || m == (kind == SCALAR_ADD ? SET_ADD : kind == SCALAR_MUL ? SET_MUL : SET_CURVE);
    bool none = m == (kind == SCALAR_ADD ? NO_ADD : kind == SCALAR_MUL ? NO_MUL : NO_CURVE);
    dy = no_dy ? 1 : dy;
    if (kind == SCALAR_ADD) {
        da = dy;
        db = m == ADD_SIGN ? -dy : dy;
    } else if (kind == SCALAR_MUL) {
        da = dy * (m == MUL_OWN ? va : m == MUL_PASSED_ON ? 1 : vb);
        db = dy * (m == MUL_OWN ? vb : m == MUL_PASSED_ON ? 1 : va);
    } else {
        da = dy * slope_by(m, va, variant);
    }
    if (!none && !(m == ADD_A_MISSING && kind == SCALAR_ADD) && !(m == MUL_A_MISSING && kind == SCALAR_MUL))
        give(&grad[a], da, sets || m == (kind == SCALAR_ADD ? SET_ADD_A : kind == SCALAR_MUL ? SET_MUL_A : SET_CURVE));
    if (!none && kind != SCALAR_CURVE && !(m == ADD_B_MISSING && kind == SCALAR_ADD) &&
        !(m == MUL_B_MISSING && kind == SCALAR_MUL))
        give(&grad[b], db, sets || m == (kind == SCALAR_ADD ? SET_ADD_B : SET_MUL_B));
}

/* As derive(), with a mistake, through the nodes in the student's order. */
static void derive_wrongly(const expression *e, grad_mistake m, int variant, const int *order, int count,
                           double *grad) {
    for (int i = 0; i < e->n; i++)
        grad[i] = m == NOT_CLEARED ? 0.75 : 0;
    grad[e->n - 1] = m == LAST_NOT_CLEARED ? 1.75 : m != NO_START;
    for (int k = count - 1; k >= 0; k--)
        give_to_parts(e, m, variant, order[m == FORWARDS ? count - 1 - k : k], grad);
}

typedef struct attempt {
    expression e, out;
    int order[MOST_NODES], count;
} attempt;

static int node_of(const expression *e, int number) {
    int i = 0;
    while (i < e->n && number_of(i, e->n) != number)
        i++;
    return i;
}

/* The student's gradients of an expression, and the student's order of its nodes, inputs left out. */
static bool open_attempt(session *s, expression_kind kind, attempt *t) {
    static expression listed;
    if (!make_expression(s, kind, &t->e) || !run_expression(s, ASK_BACKWARD, &t->e, &t->out) ||
        !run_expression(s, ASK_ORDER, &t->e, &listed))
        return false;
    t->count = 0;
    bool good = judge_order(&t->e, &listed).right;
    for (int k = 0; k < (good ? (int)listed.order[0] : t->e.n); k++) {
        int i = good ? node_of(&t->e, (int)listed.order[k + 1]) : k;
        if (i >= t->e.leaves)
            t->order[t->count++] = i;
    }
    return true;
}

static void order_by_numbers(attempt *t) {
    t->count = 0;
    for (int k = 0; k < t->e.n; k++)
        if (node_of(&t->e, k) >= t->e.leaves)
            t->order[t->count++] = node_of(&t->e, k);
}

/* True when all these expressions get the gradients that the mistake gives. */
static bool gives_grads(const attempt *t, int n, grad_mistake m, int variant) {
    double grad[MOST_NODES];
    bool differs = false;
    for (int k = 0; k < n; k++) {
        attempt one = t[k];
        if (m == BY_NUMBERS)
            order_by_numbers(&one);
        derive_wrongly(&one.e, m, variant, one.order, one.count, grad);
        if (!same_nodes(&one.e, one.out.grad, grad, true))
            return false;
        differs |= !same_nodes(&one.e, one.out.grad, one.e.grad, true);
    }
    return differs;
}

static void name_grads(session *s, verdict *v) {
    static const expression_kind kinds[] = {TREE, OPEN, CHAIN, GRAPH};
    static attempt t[4];
    int n = 0;
    while (n < 4 && open_attempt(s, kinds[n], &t[n]))
        n++;
    for (int m = 0; m < GRAD_MISTAKES && n == 4; m++)
        if (gives_grads(t, n, (grad_mistake)m, s->variant[s->task])) {
            name_mistake(v, grad_words[m]);
            return;
        }
}

/* Going back from the last node, the first whose gradient is wrong; and what it is the sum of. */
static void tell_grad(const expression *e, const expression *out, int variant, verdict *v) {
    bool needed[MOST_NODES];
    char text[400], sum[160] = "";
    int i = e->n - 1, parts = 0;
    while (i > 0 && same_node(e, out->grad, e->grad, i))
        i--;
    at_element(v, out->grad[number_of(i, e->n)], e->grad[i], "the gradient of %s", node_text(e, i, variant));
    for (int k = e->leaves; k < e->n; k++)
        for (int side = 0; side < (e->kind[k] == SCALAR_CURVE ? 1 : 2); side++) {
            int from = (int)(side ? e->b : e->a)[k], other = (int)(side ? e->a : e->b)[k];
            double slope = e->kind[k] == SCALAR_ADD   ? 1
                           : e->kind[k] == SCALAR_MUL ? e->value[other]
                                                      : slope_of(e->value[i], variant);
            size_t used = strlen(sum);
            if (from == i && is_needed(e, k, needed) && parts++ < 3)
                snprintf(sum + used, sizeof sum - used, "%s%.4g * %.4g from node %d (%s)", used ? " + " : "",
                         e->grad[k], slope, number_of(k, e->n),
                         e->kind[k] == SCALAR_ADD   ? "a sum"
                         : e->kind[k] == SCALAR_MUL ? "a product"
                                                    : "a curve");
        }
    memcpy(text, v->element, sizeof text);
    snprintf(v->element, sizeof v->element, "%.230s%s%s%s", text, *sum ? " = " : "", sum, parts > 3 ? " + more" : "");
}

static verdict judge_grads(session *s, expression_kind kind, const expression *e, const expression *out) {
    int variant = s->variant[s->task];
    bool moved = false;
    if (same_nodes(e, out->grad, e->grad, false))
        return fine;
    for (int i = 0; i < e->n; i++)
        moved |= out->grad[i] != 0.75;
    verdict v = wrong("gradients", "wrong gradient", "going back from the last node it is the first that is wrong");
    tell_grad(e, out, variant, &v);
    v.untouched = !moved;
    if (!moved)
        name_mistake(&v, "zero: nothing was changed");
    else if (same_nodes(e, out->grad, e->grad, true))
        name_mistake(&v, "not cleared: what the last node does not need has gradient 0, and not what was there before");
    else if (kind == HIDDEN)
        name_mistake(&v, "differences of forward: the derivative of a b with respect to a is b, whatever a is");
    else
        name_grads(s, &v);
    return v;
}

static verdict check_scalar(session *s, int what) {
    static expression e, out;
    verdict v = fine;
    for (int kind = 0; kind < EXPRESSIONS && v.right; kind++) {
        if (!make_expression(s, (expression_kind)kind, &e))
            return wrong("grader", "grader", "out of memory");
        if (!run_expression(s, what, &e, &out))
            return failed(s, "the tape");
        v = what == ASK_ORDER      ? judge_order(&e, &out)
            : what == ASK_BACKWARD ? judge_grads(s, (expression_kind)kind, &e, &out)
                                   : judge_values(s->variant[s->task], &e, &out);
        says(s, expression_words[kind], v);
    }
    return v;
}

verdict check_scalar_order(session *s) { return check_scalar(s, ASK_ORDER); }
verdict check_scalar_values(session *s) { return check_scalar(s, ASK_FORWARD); }
verdict check_scalar_grads(session *s) { return check_scalar(s, ASK_BACKWARD); }
