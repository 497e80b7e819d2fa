/* Linked to A2: runs the grader's program on the student's engine. Arrays: the program; the leaves' values; then, to be
 * filled, the values of all nodes one after another, and the leaves' gradients as their values lie; the number of
 * elements of each node; and, to be filled, the gradients of all nodes, as the values. */
#include "harness/harness.h"

#include <string.h>

enum { MOST = 64 };

static int run(const course_engine *my, const double *i, const int *at, const double *data) {
    int a = at[(int)i[1]], b = at[(int)i[2]];
    switch ((int)i[0]) {
    case DO_SCALE: return my->scale(a, i[3]);
    case DO_ADD: return my->add(a, b);
    case DO_MUL: return my->mul(a, b);
    case DO_SUM: return my->sum(a);
    case DO_MATMUL: return my->matmul(a, b);
    case DO_TRANSPOSE: return my->transpose(a);
    case DO_CURVE: return my->curve(a);
    case DO_SOFTMAX: return my->softmax(a);
    default: return my->leaf((int)i[1], (int)i[2], data + (int)i[3]);
    }
}

int course_harness(const harness_call *h) {
    const course_engine *my = &my_engine;
    int n = (int)h->size[4], at[MOST] = {0};
    double *value = h->array[2];
    if (n > MOST)
        return 1;
    my->clear();
    for (int k = 0; k < n; k++) {
        size_t bytes = (size_t)h->array[4][k] * sizeof(double);
        at[k] = run(my, h->array[0] + INSTRUCTION * k, at, h->array[1]);
        if (at[k] < 0 || !my->value(at[k]))
            return 0;
        memcpy(value, my->value(at[k]), bytes);
        value += (int)h->array[4][k];
    }
    my->backward(at[n - 1]);
    my->backward(at[n - 1]); /* those of before are forgotten */
    double *grad = h->array[5];
    for (int k = 0; k < n; k++) {
        const double *i = h->array[0] + INSTRUCTION * k, *got = my->grad(at[k]);
        size_t bytes = (size_t)h->array[4][k] * sizeof(double);
        if (got)
            memcpy(grad, got, bytes);
        if ((int)i[0] == DO_LEAF && got)
            memcpy(h->array[3] + (int)i[3], got, bytes);
        grad += (int)h->array[4][k];
    }
    return 0;
}
