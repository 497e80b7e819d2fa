/* Linked to A1: the arrays of the grader as nodes. Arrays: kind, a, b, value, grad; then the order, its length first.
 */
#include "harness/harness.h"

enum { MOST = 512 };

int course_harness(const harness_call *h) {
    static scalar_node node[MOST];
    static int order[MOST];
    int n = (int)h->size[0], last = (int)h->number[1];
    if (n > MOST)
        return 1;
    for (int i = 0; i < n; i++)
        node[i] = (scalar_node){(scalar_kind)h->array[0][i], (int)h->array[1][i], (int)h->array[2][i], h->array[3][i],
                                h->array[4][i]};
    if (h->what == ASK_ORDER) {
        h->array[5][0] = scalar_order(node, n, last, order);
        for (int i = 0; i < n; i++)
            h->array[5][i + 1] = order[i];
    } else if (h->what == ASK_FORWARD) {
        scalar_forward(node, n, last);
    } else {
        scalar_backward(node, n, last);
    }
    for (int i = 0; i < n; i++) {
        h->array[3][i] = node[i].value;
        h->array[4][i] = node[i].grad;
    }
    return 0;
}
