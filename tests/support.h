/* Shared by the test suites. */
#ifndef TAPEGRAD_TEST_SUPPORT_H
#define TAPEGRAD_TEST_SUPPORT_H

#include "core/op.h"

#include <check.h>
#include <stdlib.h>

/* Every operation's descriptor, as the Makefile found them in core/ops. */
#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X

typedef struct numeric_check {
    double worst;     /* largest |analytic - numeric| / max(1, |numeric|) over the elements */
    int64_t elements; /* how many were compared */
    char where[256];
} numeric_check;

/* Differentiate sum(cotangent * y) by five-point central differences, replaying the tape, at every element of
 * every leaf that requires a gradient, and compare with backward. The cotangent is random and signed, leaf
 * gradients are filled with random numbers beforehand. The tape must be TG_F64. */
numeric_check check_gradient(tg_tape *t, tg_mark from, tg_tensor y);

#endif
