/* An operation of the table with small random operands, the same for whoever makes it: golden_test, and examples.c,
 * from which make_examples.py has PyTorch's numbers. */
#ifndef TAPEGRAD_GOLDEN_EXAMPLE_H
#define TAPEGRAD_GOLDEN_EXAMPLE_H

#include "core/engine.h"
#include "tests/operations.h"

enum { EXAMPLE_ROWS = 2, EXAMPLE_COLUMNS = 4, EXAMPLE_NUMBERS = 64 };

typedef struct golden_instance {
    tg_tape *t;
    example e;
    tg_tensor y, w; /* the result, the cotangent; null where there is no such example */
} golden_instance;

/* Broadcasting and views are told apart elsewhere; dropout draws other numbers in PyTorch with MKL (make_ops.py has
 * it). */
static inline bool has_example(const operation *o, layout l) {
    return (l == PLAIN || l == DIM_0 || l == BOTH_DIMS) && strcmp(o->name, "dropout") != 0;
}

static inline golden_instance begin_instance(const operation *o, layout l) {
    golden_instance g = {.t = tg_tape_new(TG_F64)};
    tg_manual_seed(g.t, 1);
    if (!has_example(o, l) || !make_example(o, g.t, l, EXAMPLE_ROWS, EXAMPLE_COLUMNS, &g.e))
        return g;
    g.y = o->call(&g.e.a);
    g.w = tg_is_null(g.y) ? TG_NULL : tg_randn(g.t, tg_shape_of(g.y));
    return g;
}

#endif
