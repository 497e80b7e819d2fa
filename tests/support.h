/* Shared by the test suites. */
#ifndef TAPEGRAD_TEST_SUPPORT_H
#define TAPEGRAD_TEST_SUPPORT_H

#include "core/engine.h"

#include <check.h>
#include <stdlib.h>

/* Every operation's descriptor, as suites.mk found them in core/ops. */
#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X

double normal_number(tg_rng_state *g);                 /* of the standard normal distribution */
tg_tape *seeded_tape(tg_dtype dtype, uint64_t seed);   /* a new one, whose random numbers begin with this seed */
tg_gradcheck_config config_in(tg_gradcheck_mode mode); /* the usual one, in this mode */

typedef struct numeric_check {
    double worst;     /* largest |analytic - numeric| / max(1, |numeric|) over the elements; NaN where one is */
    int64_t elements; /* how many were compared */
    char where[256];
} numeric_check;

/* Differentiate sum(cotangent * y) by five-point central differences, replaying the tape, at every element of
 * every leaf that requires a gradient, and compare with backward. The cotangent is random and signed, leaf
 * gradients are filled with random numbers beforehand. The tape must be TG_F64. */
numeric_check check_gradient(tg_tape *t, tg_mark from, tg_tensor y);

/* An allocator's context: so many blocks are given before all are refused; out: bytes not yet given back. */
typedef struct allowance {
    int left;
    size_t out;
} allowance;
void *allowance_get(void *context, size_t size);
void allowance_put(void *context, void *block, size_t size);

/* A tape on a machine that gives no block of 16 MiB or more: sanitizers stop a program that asks malloc for terabytes.
 */
tg_tape *small_machine(tg_dtype dtype);

/* An allocator that refuses its n-th call, or all from the n-th on until `refused` is taken back. It keeps the chunks
 * of the tape, and of the copies that the library makes of it, minimal, so that nearly every piece of memory is a call.
 */
typedef struct memory {
    tg_tape *tape;
    int64_t calls, refuse; /* refuse: the number of the call, -1 for none */
    bool for_good;
    size_t bytes;
    bool refused;
    tg_tape *copies[16];
} memory;
tg_tape *memory_tape(memory *m, tg_dtype dtype);      /* m->tape, new; NULL when that is refused */
void memory_free(memory *m);                          /* the tape; fail the test unless every byte was returned */
void want_out_of_memory(memory *m, const char *what); /* fail unless a refused call said so; then clear it */

/* Fail the test unless x, or its gradient, has exactly these elements (to 1e-12, relative to 1). */
void want_values(tg_tensor x, int64_t n, const double *values);
void want_grad(tg_tensor x, int64_t n, const double *values);
#define WANT_VALUES(x, ...) want_values(x, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})
#define WANT_GRAD(x, ...) want_grad(x, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

/* Fail the test unless the tape holds this error, as one line that contains each of the texts; then clear it. */
void want_error(tg_tape *t, tg_status status, const char *const *texts);
#define WANT_ERROR(t, status, ...) want_error(t, status, (const char *const[]){__VA_ARGS__, NULL})
#define WANT_OK(t) ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t))

/* All that was written to this file, which is closed; until the next call. */
char *read_back(FILE *file);

/* Make a folder for this suite in TMPDIR, or /tmp, and write its path to `path`; false when that cannot be. */
bool make_folder(const char *suite, char *path, size_t size);

tg_tensor leaf_of(tg_tape *t, tg_shape shape, const double *values);
#define VECTOR(t, ...) \
    leaf_of(t, TG_SHAPE((int64_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double))), (double[]){__VA_ARGS__})
#define MATRIX(t, rows, columns, ...) leaf_of(t, TG_SHAPE(rows, columns), (double[]){__VA_ARGS__})
tg_tensor wanting(tg_tensor leaf); /* the leaf, requiring a gradient */
tg_tensor total(tg_tensor x);      /* the sum of all its elements */
void run_backward(tg_tensor y);    /* which must work */

/* Run the tests of a case, within four minutes each; the process's exit status. */
int run_suite(const char *name, TCase *c);
/* The same for a list of tests, each between start and stop (NULL: nothing to do). */
int run_tests(const char *name, const TTest *const *tests, int n, void (*start)(void), void (*stop)(void));
/* The main of a suite that has no more to do. */
#define SUITE(name, ...)                                                         \
    int main(void) {                                                             \
        const TTest *const tests[] = {__VA_ARGS__};                              \
        return run_tests(name, tests, sizeof tests / sizeof *tests, NULL, NULL); \
    }

#endif
