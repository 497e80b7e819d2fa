/* Private: for writing an operation, in the order of doing so. Tensors: core/types.h. The engine's own: core/engine.h.
 *
 * An operation is one file, core/ops/NAME.c. It has kernels compiled for float and for double (core/twice.h), or calls
 * those of core/kernels/; a probe; a descriptor; and, below a comment with PyTorch's call for the tests, a constructor:
 *
 *     static tg_status FN(forward)(tg_node *y);        // fill y->data from y->in[i]->data
 *     static tg_status FN(vjp)(tg_node *y);            // from y->grad: add to the gradient of each input it wants
 *     static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx); // the same in operations: dx[i] = ...
 *     static tg_tensor probe(tg_tape *t, int variant); // random examples for the tests
 *     const tg_op tg_op_NAME = {.name = "NAME", .forward = TG_BOTH(forward), .vjp = TG_BOTH(vjp),
 *                               .needs = {TG_IN(0)}, .grad = grad, .probe = probe};
 *     tg_tensor tg_NAME(tg_tensor x) {
 *         tg_node *in;
 *         tg_tape *t = tg_open("NAME", "f", 1, &x, &in); // 1. the operand
 *         if (!t)
 *             return TG_NULL;
 *         tg_shape shape = tg_shape_from(in); // 2. the result's shape
 *         tg_node *y = tg_node_new(t, &tg_op_NAME, 1, &in, &shape, tg_tape_dtype(t), 0);
 *         return y ? tg_record(y) : TG_NULL; // 3. on the tape
 *     }
 *
 * Two kinds need less: elementwise operations (6 below) and reductions over dims (core/frameworks/reduce.h) supply
 * kernels for contiguous rows; the frameworks handle strides, broadcasting and the summing of gradients. */
#ifndef TAPEGRAD_OP_H
#define TAPEGRAD_OP_H

#include "core/types.h"
#include "core/walk.h"
#include "core/wide_rows.h"

#include <math.h>
#include <string.h>

/* ---- the descriptor ---- */

typedef tg_status tg_kernel(tg_node *y); /* TG_OK, or tg_fail() was called */

/* The operands of an input's gradient: TG_IN(i) the i-th input's elements, TG_OUT the output's. Inputs from the seventh
 * on share TG_IN(6): TG_IN(7) is TG_OUT. */
#define TG_IN(i) ((uint8_t)(1u << (i)))
#define TG_OUT ((uint8_t)0x80)
#define TG_IN_ALL ((uint8_t)0x7f)
enum { TG_MAX_NEEDS = 4 }; /* inputs from the fourth on share the last entry */

/* A hash of the branches that evaluations took at kinks (see tg_op.branches). */
typedef struct tg_branches {
    uint64_t hash;
} tg_branches;
static inline void tg_branch(tg_branches *b, int64_t decision) {
    b->hash = (b->hash ^ (uint64_t)decision) * UINT64_C(1099511628211); /* FNV-1a */
}

/* Operations that the engine treats specially. */
typedef enum tg_op_kind {
    TG_OP_USUAL,
    TG_OP_SCOPE_BEGIN,  /* a checkpoint scope's marker, */
    TG_OP_SCOPE_END,    /* its result, */
    TG_OP_GIVEN_UP,     /* and the remains of one that ended with an error: core/tape/checkpoint.c */
    TG_OP_CUSTOM,       /* the user's, */
    TG_OP_CUSTOM_OUTPUT /* and one of its several outputs: core/ops/custom.c */
} tg_op_kind;

struct tg_op {
    const char *name;
    tg_op_kind kind;
    tg_kernel *forward[TG_N_DTYPES], *vjp[TG_N_DTYPES]; /* [TG_F32], [TG_F64] */
    /* The kernels for contiguous rows, called by .forward and .vjp, with the signatures of elementwise operations (6
     * below) or of reductions (core/frameworks/reduce.h). */
    tg_fn *row[TG_N_DTYPES], *row_vjp[TG_N_DTYPES];
    tg_wide_rows wide[TG_N_WIDE]; /* the same for wider vectors, where they are not NULL: core/wide_rows.h */
    uint8_t needs[TG_MAX_NEEDS];  /* needs[i]: the operands of input i's gradient */
    /* The VJP again, written in operations: dx[i] for every input i with tg_wants(), in the input's shape or one that
     * it was broadcast to (others may stay null). Views share tg_adjoint() instead. */
    void (*grad)(const tg_node *y, tg_tensor dy, tg_tensor *dx);
    /* A random example for the tests, numbered by variant; TG_NULL when there are no more. */
    tg_tensor (*probe)(tg_tape *t, int variant);
    /* Note the branches taken at the current inputs (tg_branch); NULL for operations without kinks. */
    void (*branches[TG_N_DTYPES])(const tg_node *y, tg_branches *b);
    /* For the profile, the approximate number of multiplications, additions and functions in the formula of forward (i
     * < 0) or of input i's gradient. tg_elementwise_flops and tg_reduce_flops count one per element. NULL: not counted,
     * where elements are only moved, selected or sorted. */
    double (*flops)(const tg_node *y, int i);
    bool picks;     /* for the profile: reads, or adds to, only as many elements of its first input as the result has */
    bool is_view;   /* no kernels: the result shares its input's data */
    bool owns_grad; /* a view with its own gradient (expand), summed through the tg_window that begins its constants */
    bool infinite_ok; /* may make Inf from finite inputs by design (masked_fill) */
    bool cancels; /* small results are differences of larger numbers: the gradient check assumes the rounding error of
                     the operands, or of 1 */
    bool no_gradient; /* comparisons, argmax: the result never requires a gradient */
    bool makes_bool;  /* the result is TG_BOOL */
    bool reads_op;    /* reads an operand's own attributes, so no leaf can replace that operand */
    uint8_t reads_no; /* from 1: the operand whose elements are not read, only its saved numbers; 0: none */
    bool by_pieces;   /* a reduction whose results over a long row's pieces can be reduced again */
    bool passes_grad; /* elementwise: the gradient of every input is dy itself */
};

/* Kernels for both types, float and double: TG_BOTH(forward) is forward_f32 and forward_f64. */
#define TG_BOTH(name) \
    { [TG_F32] = name##_f32, [TG_F64] = name##_f64 }
/* The same kernel for both, where elements are only moved. */
#define TG_ANY(name) \
    { [TG_F32] = name, [TG_F64] = name }
#define TG_ROWS(name) \
    { [TG_F32] = (tg_fn *)name##_f32, [TG_F64] = (tg_fn *)name##_f64 }
#define TG_ROWS_AND_I64(name) \
    { [TG_F32] = (tg_fn *)name##_f32, [TG_F64] = (tg_fn *)name##_f64, [TG_I64] = (tg_fn *)name##_i64 }

#define TG_ROWS_AND_BOOL(name) \
    { [TG_F32] = (tg_fn *)name##_f32, [TG_F64] = (tg_fn *)name##_f64, [TG_BOOL] = (tg_fn *)name##_bool }

/* ---- errors: core/tape/error.c ---- */

/* Note the tape's first error; returns status (for kernels) or TG_NULL (for constructors). */
tg_status tg_fail(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);
tg_tensor tg_fail_null(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);

tg_text tg_node_text(const tg_node *x); /* tg_describe of a node */

/* ---- 1. look at the operands: core/tape/node.c ---- */

/* Look up n handles for an operation. kinds has a letter for each: f floating, i TG_I64, n either, b TG_BOOL, * any;
 * capital (A: any): may be the null tensor (in[i] = NULL). NULL when the tape has failed, or after tg_fail. */
tg_tape *tg_open(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in);
/* Operand i alone, from 0, of one of these kinds. */
tg_node *tg_open_operand(tg_tape *t, const char *name, char kind, int i, tg_tensor x);
/* The same as tg_open, with a contiguous copy of every operand that is not contiguous. */
tg_tape *tg_open_contiguous(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in);

/* ---- 2. their shapes: core/tape/shape.c ---- */

static inline tg_shape tg_shape_from(const tg_node *x) {
    tg_shape s = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        s.size[i] = x->size[i];
    return s;
}
#define TG_MAX_ELEMENTS ((int64_t)(SIZE_MAX / 16 + 1)) /* so that their bytes fit a size_t */
int64_t tg_shape_numel(const tg_shape *shape);         /* -1 for a bad rank, a negative size, too large a product */
void tg_dense_strides(int ndim, const int64_t *size, int64_t *stride);
/* True when these strides are row-major without gaps for x's sizes; always true without elements. */
bool tg_is_dense(const tg_node *x, const int64_t *stride);
bool tg_same_shape(const tg_node *a, const tg_node *b);
/* The shape that a and b broadcast to; false when they do not. */
bool tg_broadcast(const tg_shape *a, const tg_shape *b, tg_shape *out);
/* x's strides along the dims of a shape it broadcasts to: 0 along broadcast dims. */
void tg_broadcast_strides(const tg_node *x, const int64_t *stride, int ndim, const int64_t *size, int64_t *out);
/* A dim counted from either end, as 0 .. ndim - 1; -1 after tg_fail. */
int tg_dim(tg_tape *t, const char *name, int dim, const tg_node *x);
/* A set of dims as a bit mask; false after tg_fail (a dim out of range, or given twice). */
bool tg_dim_mask(tg_tape *t, const char *name, tg_dims dims, const tg_node *x, uint32_t *mask);
bool tg_check_reduction(tg_tape *t, const char *name, tg_reduction reduction, const tg_node *x);

/* ---- 3. a node for the result, and its recording: core/tape/node.c, core/tape/record.c ---- */

/* A node for op's result with its elements and attr_size bytes of constants, zeroed. It is on the tape once
 * tg_record() has run its forward kernel. */
tg_node *tg_node_new(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_shape *shape, tg_dtype dtype,
                     size_t attr_size);
/* The same with the shape of a node. */
tg_node *tg_node_like(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_node *like, tg_dtype dtype,
                      size_t attr_size);
/* n reals that forward keeps for the VJP: y->saved. */
bool tg_node_save(tg_node *y, int64_t n);
tg_tensor tg_record(tg_node *y);
/* A view of x: same data, shape, strides and gradient, for the constructor to change before tg_record_view(). */
tg_node *tg_view_new(const tg_op *op, tg_node *x, size_t attr_size);
/* Give y its own gradient instead of a window into x's. link (in y->attr): the window, y's current one, into which the
 * VJP adds it; NULL: none. */
void tg_own_grad(tg_node *y, tg_window *link);
tg_tensor tg_record_view(tg_node *y);

/* ---- 4. kernels: elements in order, scratch, random numbers ---- */

/* The elements of input i in the order of y's, repeated where it broadcasts: see core/walk.h. (core/tape/shape.c) */
void tg_walk_input(tg_walk *w, const tg_node *y, int i);

/* Blocks that outlive a rewind: gradients, names, scratch. NULL after tg_fail. (core/tape/arena.c) */
void *tg_pool_get(tg_tape *t, size_t bytes);
void tg_pool_put(tg_tape *t, void *block, size_t bytes);
/* a * b into *product; false when it overflows. */
bool tg_times(size_t a, size_t b, size_t *product);

double tg_rng_double(tg_rng_state *rng); /* uniform in [0, 1), 53 bits (core/kernels/rng.c) */

/* ---- 5. the VJP, where gradients go: core/backward/buffers.c ---- */

/* Input i is read but gets no gradient. Call it before y is recorded. */
static inline void tg_without_grad(tg_node *y, int i) {
    y->recorded[i] = false;
    y->requires_grad = false;
    for (int k = 0; k < y->n_in; k++)
        y->requires_grad |= y->recorded[k];
    y->live = y->requires_grad;
}

/* True when the VJP must compute the gradient of input i: it required one when y was recorded, and at least one leaf
 * that it depends on has not been frozen since. */
static inline bool tg_wants(const tg_node *y, int i) { return y->recorded[i] && y->in[i]->live; }

/* Where the gradient of one input goes; data is NULL after tg_fail. A fresh one is not initialised: overwrite every
 * element, or tg_grad_clear() it and add. Otherwise add. */
typedef struct tg_slot {
    void *data;
    const int64_t *stride; /* after tg_grad_open */
    tg_node *x;            /* the input */
    bool fresh, contiguous, buffered;
} tg_slot;
/* True when the gradients of two inputs are windows into one: their slots may have elements in common. */
static inline bool tg_share_grad(const tg_node *a, const tg_node *b) { return a->window.owner == b->window.owner; }
tg_slot tg_grad_open(tg_node *y, int i);     /* with its own strides */
tg_slot tg_grad_dense(tg_node *y, int i);    /* row-major, in a buffer unless it is dense */
tg_slot tg_grad_buffered(tg_node *y, int i); /* row-major, always in a buffer: no two slots have an element in common */
void tg_grad_clear(tg_slot *slot);           /* zeros a fresh one */
void tg_grad_close(tg_slot *slot);           /* adds a buffer to the gradient and releases it; else nothing */

/* dst (strides dstride) += src (contiguous, of shape size): strides of 0 in dst sum. */
void tg_accumulate(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src);

/* ---- or in operations, for gradients that are differentiated again: core/ops/internal/ ---- */

static inline tg_tensor tg_in(const tg_node *y, int i) { return tg_handle(y->in[i]); }
/* For an operation that is linear in its first input: its transpose, applied to dy by its VJP kernel. */
tg_tensor tg_adjoint(const tg_node *y, tg_tensor dy);
/* attention's grad: attention_grad.c */
void tg_attention_grad(const tg_node *y, tg_tensor dy, tg_tensor *dx);
/* gelu'(x): gelu_slope.c */
tg_tensor tg_gelu_slope(tg_tensor x);

/* ---- 6. or, for an elementwise operation, all of this: core/frameworks/elementwise.c ---- */

enum { TG_ROW_MAX = 512 }; /* the most elements of a call of a row kernel of reals or int64s */

/* y = op(x[0], ..., x[n-1]) with broadcasting. kinds as for tg_open, and all operands of kind n are floating, or all
 * are TG_I64 and so is y; attr is copied. The row kernels are
 *
 *     static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr);
 *     static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
 *                         const void *attr);      // dx[j] = (not +=) the gradient of input i
 *
 * Bools and ints arrive as reals (0 and 1). So that loops vectorise, load operands before selecting (real d = dy[j];
 * dx[j] = y[j] <= 0 ? 0 : d), join conditions by & and |, and take functions of whole rows from core/kernels/vmath.h.
 * TG_WIDE_ROWS compiles both again for wider vectors (core/wide_rows.h). For operations that take kind n
 * (TG_ROWS_AND_I64),
 *
 *     static void forward_i64(ptrdiff_t n, uint64_t *y, const uint64_t *const *x, const void *attr);
 *
 * gets the bits of int64s, as two's complement, so that overflow wraps. Where all operands and the result are bools
 * with equal strides (TG_ROWS_AND_BOOL),
 *
 *     static void forward_bool(ptrdiff_t n, uint8_t *y, const uint8_t *const *x, const void *attr);
 *
 * gets them as bytes 0 and 1. */
tg_tensor tg_elementwise(const tg_op *op, const char *kinds, int n, const tg_tensor *x, const void *attr,
                         size_t attr_size);
/* When x is TG_I64, c must be a whole number in its range; false after tg_fail. Then c's bits as an int64. */
bool tg_scalar_fits(const char *name, tg_tensor x, double c);
static inline uint64_t tg_scalar_bits(double c) { return c < 0 ? 0 - (uint64_t)-c : (uint64_t)c; }
tg_kernel tg_elementwise_forward_f32, tg_elementwise_forward_f64, tg_elementwise_vjp_f32, tg_elementwise_vjp_f64;
double tg_elementwise_flops(const tg_node *y, int i);
#define TG_ELEMENTWISE TG_ELEMENTWISE_MOVE, .flops = tg_elementwise_flops
/* For operations that only move elements. */
#define TG_ELEMENTWISE_MOVE .forward = TG_BOTH(tg_elementwise_forward), .vjp = TG_BOTH(tg_elementwise_vjp)

/* ---- 7. the probe: core/ops/internal/probe.c, probe_families.c ---- */

/* A leaf of normal random numbers that requires a gradient. */
tg_tensor tg_probe_leaf(tg_tape *t, tg_shape shape);
/* The same with absolute values in [0.5, 1.5]: away from 0 for kinks, roots and logarithms. */
tg_tensor tg_probe_away(tg_tape *t, tg_shape shape);
tg_tensor tg_probe_positive(tg_tape *t, tg_shape shape);
/* The probes of an elementwise f of one operand, drawn by one of these, and of a reduction, of which there are 8. */
enum { TG_PROBE_REDUCTIONS = 8 };
tg_tensor tg_probe_unary(tg_tape *t, int variant, tg_tensor (*draw)(tg_tape *t, tg_shape shape),
                         tg_tensor (*f)(tg_tensor x));
tg_tensor tg_probe_reduction(tg_tape *t, int variant, tg_tensor (*f)(tg_tensor x, tg_dims dims, bool keepdim));

#endif
