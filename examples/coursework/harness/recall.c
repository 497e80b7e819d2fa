/* Linked to 19: runs the student's training, and has an engine of the library's for those whose A2 is not right yet.
 * Arrays: W_query, W_key (trained in place), keys, values, questions, answers of all batches, the losses, counts.
 * number: what, steps, lr, the variant of A2, the factor by which the library's products are multiplied, batches. */
#include "harness/harness.h"

#include <setjmp.h>

enum { PAIRS = 6, KEYS = 6, CLASSES = 4, WIDTH = 6 };

/* ---- an engine that records on a tape of the library's ---- */

enum { MOST = 256 };
static tg_tape *tape;
static tg_tensor at[MOST];
static int used, variant;
static double factor = 1;

static int keep(tg_tensor x) {
    if (used == MOST)
        return -1;
    at[used] = x;
    return used++;
}

static void clear(void) {
    tg_tape_free(tape);
    tape = tg_tape_new(TG_F64);
    used = 0;
}

static int leaf(int rows, int columns, const double *values) {
    tg_tensor x = tg_from_doubles(tape, TG_SHAPE(rows, columns), values);
    tg_set_requires_grad(x, true);
    return keep(x);
}

static int scale(int a, double c) { return keep(tg_mul_scalar(at[a], c)); }
static int add(int a, int b) { return keep(tg_add(at[a], at[b])); }
static int mul(int a, int b) { return keep(tg_mul(at[a], at[b])); }
static int sum(int a) { return keep(tg_reshape(tg_sum(at[a], TG_ALL_DIMS, false), TG_SHAPE(1, 1))); }
static int matmul(int a, int b) { return keep(tg_mul_scalar(tg_matmul(at[a], at[b]), factor)); }
static int transpose(int a) { return keep(tg_contiguous(tg_transpose(at[a], 0, 1))); }
static int curve(int a) { return keep(variant ? tg_sigmoid(at[a]) : tg_tanh(at[a])); }
static int softmax(int a) { return keep(tg_softmax(at[a], -1)); }
static const double *value(int a) { return tg_const_data(at[a]); }
static const double *grad(int a) { return tg_const_data(tg_grad(at[a])); }
static void backward(int last) {
    tg_zero_grads(tape);
    if (tg_backward(at[last]))
        used = 0;
}

extern const course_engine course_library_engine;
const course_engine course_library_engine = {clear,     leaf,  scale,   add,      mul,   sum, matmul,
                                             transpose, curve, softmax, backward, value, grad};

/* ---- the call ---- */

/* The student's training sees the engine by these: how often it clears and how much it records in between is known. A
 * training that never clears is ended before its engine is full. */
static const course_engine *inner;
static int clears, since_clear;
static jmp_buf full;

static void counted_clear(void) {
    clears++;
    since_clear = 0;
    inner->clear();
}
static int counted_leaf(int rows, int columns, const double *values) {
    since_clear++;
    if (since_clear > 24) /* a step needs six */
        longjmp(full, 1);
    return inner->leaf(rows, columns, values);
}

/* counts: calls of clear(), and whether it was ended. */
int course_harness(const harness_call *h) {
    static course_recall batch[16];
    static course_engine outer;
    int n = (int)h->number[5];
    variant = (int)h->number[3];
    factor = h->number[4];
    if (n > 16)
        return 1;
    for (int i = 0; i < n; i++)
        batch[i] = (course_recall){PAIRS,
                                   KEYS,
                                   CLASSES,
                                   PAIRS,
                                   WIDTH,
                                   h->array[2] + i * PAIRS * KEYS,
                                   h->array[3] + i * PAIRS * CLASSES,
                                   h->array[4] + i * PAIRS * KEYS,
                                   h->array[5] + i * PAIRS * CLASSES};
    inner = h->engine;
    outer = *inner;
    outer.clear = counted_clear;
    outer.leaf = counted_leaf;
    inner->clear();
    clears = since_clear = 0;
    if (setjmp(full))
        h->array[7][1] = 1;
    else
        recall_train(&outer, batch, n, h->array[0], h->array[1], (int)h->number[1], h->number[2], h->array[6]);
    h->array[7][0] = clears;
    return 0;
}
