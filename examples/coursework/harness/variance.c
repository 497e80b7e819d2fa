/* Linked to 15. ASK_INIT: array 0 W, 1 normal, sizes in number; ASK_VARIANCE: 0 X, 1 the weights of all layers, 2 the
 * variances. */
#include "harness/harness.h"

int course_harness(const harness_call *h) {
    if (h->what == ASK_INIT)
        init_weights(h->array[0], (int64_t)h->number[1], (int64_t)h->number[2], h->array[1]);
    else
        variance_through_depth(h->array[0], (int64_t)h->number[1], (int64_t)h->number[2], (int)h->number[3],
                               h->array[1], h->array[2]);
    return 0;
}
