/* The one table of operations, made of core/tapegrad/operations.h's declarations and of core/ops (operations.awk):
 * their names, their parameters, the call here and in PyTorch, and operands to try them with. Tests, fuzzers,
 * comparisons with PyTorch and the benchmark read it, so that none of them has a list of its own. */
#ifndef TAPEGRAD_TEST_OPERATIONS_H
#define TAPEGRAD_TEST_OPERATIONS_H

#include "core/op.h"

#include <stdio.h>

enum { MAX_TENSORS = 16, MAX_INTEGERS = 4, MAX_NUMBERS_GIVEN = 2 };

/* Of a call: those of one type in the order of the declaration. */
typedef struct arguments {
    tg_tensor x[MAX_TENSORS];
    double d[MAX_NUMBERS_GIVEN];
    int64_t i[MAX_INTEGERS]; /* ints too */
    int n;                   /* of a list of tensors: x[0] .. x[n - 1] */
    bool flag;
    tg_dims dims;
    tg_shape shape;
    tg_reduction reduction;
    tg_tensor *index;
    tg_rope_config rope_config;
    tg_rope_scaling rope_scaling;
    tg_cross_entropy_config cross_entropy_config;
    tg_attention_config attention_config;
} arguments;

/* What the structs among them are by default; the rest zeros. */
arguments default_arguments(void);

typedef struct operation {
    const char *name; /* without its tg_ */
    /* A letter for each parameter: x tensor, p list of tensors with how many, d double, i int or int64_t, b bool, D
     * dims, S shape, r reduction, o where an index goes, c a struct. */
    const char *types;
    const char *names; /* with spaces between them */
    tg_tensor (*call)(const arguments *a);
    const char *torch; /* the call in PyTorch, in these names */
} operation;
extern const operation operations[];
extern const int n_operations;

const operation *operation_named(const char *name);    /* or NULL */
const tg_op *operation_descriptor(const operation *o); /* NULL: made of other operations */
int operation_tensors(const operation *o);             /* how many parameters are tensors */

/* ---- operands ---- */

/* How they lie: in order; the last matrix transposed; the last of several a row, a column; a reduction's dims. */
typedef enum { PLAIN, TRANSPOSED, ROW, COLUMN, DIM_0, BOTH_DIMS, N_LAYOUTS } layout;
extern const char *const layout_names[N_LAYOUTS];

/* A tensor's kind: f any number, p positive, i index, b bool, 0 null; an index is below `below`. */
typedef struct operand_kind {
    char kind;
    int64_t below;
} operand_kind;

typedef struct example {
    arguments a;
    operand_kind of[MAX_TENSORS];
} example;

/* Random arguments that suit the operation, most of them (rows, columns), drawn from the tape's generator: as its first
 * probe has them, and as the parameters' names say. Floating operands require a gradient, but for a loss's target.
 * False where the layout means nothing for it. */
bool make_example(const operation *o, tg_tape *t, layout l, int64_t rows, int64_t columns, example *e);

/* One line, with tabs between: name, layout, the arguments as statements of Python, the call in PyTorch. Tensors are
 * tensor(kind, shape, transposed, below, values), with their values or with None. */
void print_example(FILE *file, const operation *o, layout l, const example *e, bool values);

#endif
