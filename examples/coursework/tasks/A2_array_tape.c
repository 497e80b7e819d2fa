/* A2 A tape of matrices: the engine that task 19 trains with.
 *
 * Every operation makes a node, computes its value at once and remembers what it was computed from. So the order of the
 * nodes is that of the computation, and backward goes through them from the last to the first. `scale` is done, in
 * forward and in backward, as an example. Memory comes from `room` and is free again after clear().
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: curve is the sigmoid, 1 / (1 + e^-x), and not tanh.
--- end */

#include <string.h>

typedef enum { LEAF, SCALE, ADD, MUL, SUM, MATMUL, TRANSPOSE, CURVE, SOFTMAX } kind_of_node;
typedef struct node {
    kind_of_node kind;
    int a, b;
    double number; /* of scale */
    int rows, columns;
    double *value, *grad;
} node;

enum { NODES = 256, ROOM = 1 << 18 };
static node nodes[NODES];
static double room[ROOM];
static int n_nodes, used;

static void clear(void) { n_nodes = used = 0; }
static const double *value(int a) { return nodes[a].value; }
static const double *grad(int a) { return nodes[a].grad; }

/* A new node with room for its value and its gradient. */
static node *make(kind_of_node kind, int a, int b, int rows, int columns) {
    int size = rows * columns;
    if (n_nodes == NODES || used + 2 * size > ROOM)
        return &nodes[0];
    nodes[n_nodes] = (node){kind, a, b, 0, rows, columns, room + used, room + used + size};
    used += 2 * size;
    return &nodes[n_nodes++];
}
static int number_of(const node *y) { return (int)(y - nodes); }
static int size_of(const node *y) { return y->rows * y->columns; }

static int leaf(int rows, int columns, const double *values) {
    node *y = make(LEAF, 0, 0, rows, columns);
    memcpy(y->value, values, (size_t)size_of(y) * sizeof(double));
    return number_of(y);
}

static int scale(int a, double factor) {
    node *y = make(SCALE, a, 0, nodes[a].rows, nodes[a].columns);
    y->number = factor;
    for (int i = 0; i < size_of(y); i++)
        y->value[i] = factor * nodes[a].value[i];
    return number_of(y);
}

/* b has a's shape, or one row, which is added to every row of a. */
static int add(int a, int b) {
    node *y = make(ADD, a, b, nodes[a].rows, nodes[a].columns);
    /* --- solution */
    for (int i = 0; i < size_of(y); i++)
        y->value[i] = nodes[a].value[i] + nodes[b].value[i % size_of(&nodes[b])];
    /* --- student
    --- */
    return number_of(y);
}

static int mul(int a, int b) {
    node *y = make(MUL, a, b, nodes[a].rows, nodes[a].columns);
    /* --- solution */
    for (int i = 0; i < size_of(y); i++)
        y->value[i] = nodes[a].value[i] * nodes[b].value[i];
    /* --- student
    --- */
    return number_of(y);
}

static int sum(int a) {
    node *y = make(SUM, a, 0, 1, 1);
    /* --- solution */
    y->value[0] = 0;
    for (int i = 0; i < size_of(&nodes[a]); i++)
        y->value[0] += nodes[a].value[i];
    /* --- student
    --- */
    return number_of(y);
}

static int matmul(int a, int b) {
    const node *x = &nodes[a], *w = &nodes[b];
    node *y = make(MATMUL, a, b, x->rows, w->columns);
    /* --- solution */
    for (int i = 0; i < y->rows; i++)
        for (int j = 0; j < y->columns; j++) {
            double dot = 0;
            for (int k = 0; k < x->columns; k++)
                dot += x->value[i * x->columns + k] * w->value[k * w->columns + j];
            y->value[i * y->columns + j] = dot;
        }
    /* --- student
    --- */
    return number_of(y);
}

static int transpose(int a) {
    node *y = make(TRANSPOSE, a, 0, nodes[a].columns, nodes[a].rows);
    /* --- solution */
    for (int i = 0; i < y->rows; i++)
        for (int j = 0; j < y->columns; j++)
            y->value[i * y->columns + j] = nodes[a].value[j * y->rows + i];
    /* --- student
    --- */
    return number_of(y);
}

static int curve(int a) {
    node *y = make(CURVE, a, 0, nodes[a].rows, nodes[a].columns);
    /* --- solution */
    for (int i = 0; i < size_of(y); i++)
        /* --- variant 0 */
        y->value[i] = tanh(nodes[a].value[i]);
    /* --- variant 1
    y->value[i] = 1 / (1 + exp(-nodes[a].value[i]));
    --- end */
    /* --- student
    --- */
    return number_of(y);
}

static int softmax(int a) {
    node *y = make(SOFTMAX, a, 0, nodes[a].rows, nodes[a].columns);
    /* --- solution */
    for (int i = 0; i < y->rows; i++) {
        const double *x = nodes[a].value + i * y->columns;
        double *out = y->value + i * y->columns, max = x[0], all = 0;
        for (int j = 1; j < y->columns; j++)
            max = fmax(max, x[j]);
        for (int j = 0; j < y->columns; j++)
            all += out[j] = exp(x[j] - max);
        for (int j = 0; j < y->columns; j++)
            out[j] /= all;
    }
    /* --- student
    --- */
    return number_of(y);
}

/* Add to the gradients of a and b what y, whose gradient is complete, contributes. */
static void backward_of(const node *y) {
    node *a = &nodes[y->a];
    if (y->kind == SCALE)
        for (int i = 0; i < size_of(y); i++)
            a->grad[i] += y->number * y->grad[i];
    /* --- solution */
    node *b = &nodes[y->b];
    const double *dy = y->grad;
    if (y->kind == ADD)
        for (int i = 0; i < size_of(y); i++) {
            a->grad[i] += dy[i];
            b->grad[i % size_of(b)] += dy[i];
        }
    if (y->kind == MUL)
        for (int i = 0; i < size_of(y); i++) {
            double da = dy[i] * b->value[i], db = dy[i] * a->value[i];
            a->grad[i] += da;
            b->grad[i] += db;
        }
    if (y->kind == SUM)
        for (int i = 0; i < size_of(a); i++)
            a->grad[i] += dy[0];
    if (y->kind == MATMUL)
        for (int i = 0; i < y->rows; i++)
            for (int j = 0; j < y->columns; j++)
                for (int k = 0; k < a->columns; k++) {
                    a->grad[i * a->columns + k] += dy[i * y->columns + j] * b->value[k * b->columns + j];
                    b->grad[k * b->columns + j] += dy[i * y->columns + j] * a->value[i * a->columns + k];
                }
    if (y->kind == TRANSPOSE)
        for (int i = 0; i < y->rows; i++)
            for (int j = 0; j < y->columns; j++)
                a->grad[j * y->rows + i] += dy[i * y->columns + j];
    if (y->kind == CURVE)
        for (int i = 0; i < size_of(y); i++)
            /* --- variant 0 */
            a->grad[i] += dy[i] * (1 - y->value[i] * y->value[i]);
    /* --- variant 1
    a->grad[i] += dy[i] * y->value[i] * (1 - y->value[i]);
    --- end */
    if (y->kind == SOFTMAX)
        for (int i = 0; i < y->rows; i++) {
            const double *p = y->value + i * y->columns, *dp = dy + i * y->columns;
            double dot = 0;
            for (int j = 0; j < y->columns; j++)
                dot += p[j] * dp[j];
            for (int j = 0; j < y->columns; j++)
                a->grad[i * y->columns + j] += p[j] * (dp[j] - dot);
        }
    /* --- student
    // the other kinds
    --- */
}

/* All gradients to 0, that of last to 1, and then node by node back to the first. */
static void backward(int last) {
    /* --- solution */
    for (int k = 0; k < n_nodes; k++)
        memset(nodes[k].grad, 0, (size_t)size_of(&nodes[k]) * sizeof(double));
    nodes[last].grad[0] = 1;
    for (int k = last; k >= 0; k--)
        backward_of(&nodes[k]);
    /* --- student
    (void)last, (void)backward_of; // delete this line
    --- */
}

const course_engine my_engine = {clear,     leaf,  scale,   add,      mul,   sum, matmul,
                                 transpose, curve, softmax, backward, value, grad};
