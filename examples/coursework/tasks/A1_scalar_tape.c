/* A1 A tape of scalars: the values and the derivatives of any expression of +, * and tanh.
 *
 * node[i] is an input (SCALAR_LEAF), the sum or the product of the nodes a and b, or tanh of the node a (SCALAR_CURVE).
 * A node may be used many times. The numbers of the nodes are in no order: an expression may come before its parts.
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: SCALAR_CURVE is the sine of the node a.
--- end */

enum { MOST = 512 };

/* The number of nodes that this one needs: 0, 1 or 2. */
static int needs(const scalar_node *x) { return x->kind == SCALAR_LEAF ? 0 : x->kind == SCALAR_CURVE ? 1 : 2; }

/* --- solution */
static int visit(const scalar_node *node, int i, bool *seen, int *order, int n) {
    if (seen[i])
        return n;
    seen[i] = true;
    if (needs(&node[i]) > 0)
        n = visit(node, node[i].a, seen, order, n);
    if (needs(&node[i]) > 1)
        n = visit(node, node[i].b, seen, order, n);
    order[n] = i;
    return n + 1;
}
/* --- student
--- */

/* Fill order[0], order[1], ... with the nodes that `last` needs, itself included: each one once, and after those that
 * it needs. Return how many. There are at most MOST nodes. */
int scalar_order(const scalar_node *node, int n, int last, int *order) {
    /* --- solution */
    bool seen[MOST] = {false};
    (void)n;
    return visit(node, last, seen, order, 0);
    /* --- student
    (void)node, (void)n, (void)last, (void)order, (void)needs; // delete these lines
    return 0;
    --- */
}

/* Set the values of all nodes that `last` needs; those of the leaves are there. */
void scalar_forward(scalar_node *node, int n, int last) {
    int order[MOST], count = scalar_order(node, n, last, order);
    /* --- solution */
    for (int k = 0; k < count; k++) {
        scalar_node *y = &node[order[k]];
        if (y->kind == SCALAR_ADD)
            y->value = node[y->a].value + node[y->b].value;
        if (y->kind == SCALAR_MUL)
            y->value = node[y->a].value * node[y->b].value;
        if (y->kind == SCALAR_CURVE)
            /* --- variant 0 */
            y->value = tanh(node[y->a].value);
        /* --- variant 1
        y->value = sin(node[y->a].value);
        --- end */
    }
    /* --- student
    (void)count; // delete this line; set the values in this order
    --- */
}

/* Set the gradient of every node to the derivative of `last` with respect to it, 0 where `last` does not need it. The
 * values are there; what the gradients held before does not count. */
void scalar_backward(scalar_node *node, int n, int last) {
    int order[MOST], count = scalar_order(node, n, last, order);
    /* --- solution */
    for (int i = 0; i < n; i++)
        node[i].grad = 0;
    node[last].grad = 1;
    for (int k = count - 1; k >= 0; k--) {
        scalar_node *y = &node[order[k]], *a = &node[y->a], *b = &node[y->b];
        if (y->kind == SCALAR_ADD) {
            a->grad += y->grad;
            b->grad += y->grad;
        }
        if (y->kind == SCALAR_MUL) {
            double da = y->grad * b->value, db = y->grad * a->value;
            a->grad += da;
            b->grad += db;
        }
        if (y->kind == SCALAR_CURVE)
            /* --- variant 0 */
            a->grad += y->grad * (1 - y->value * y->value);
        /* --- variant 1
        a->grad += y->grad * cos(a->value);
        --- end */
    }
    /* --- student
    (void)count; // delete this line; go through this order backwards
    --- */
}
