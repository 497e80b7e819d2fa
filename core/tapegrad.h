/* tapegrad: tape-based reverse-mode automatic differentiation.
 *
 * This header is the manual. A program makes a tape, creates tensors on it, calls operations and asks for gradients:
 *
 *     tg_tape *t = tg_tape_new(TG_F32);
 *     tg_tensor w = tg_parameter(t, "w", tg_rand(t, TG_SHAPE(3, 2)));
 *     tg_tensor loss = tg_mean(tg_square(tg_matmul(x, w)), TG_ALL_DIMS, false);
 *     if (tg_backward(loss)) fprintf(stderr, "%s\n", tg_error(t));
 *     tg_tape_free(t);
 *
 * Ownership. The tape owns everything made through it; one tg_tape_free() releases all of it. A tg_tensor is a
 * small handle, passed by value. It becomes stale when the tape is rewound past its tensor; using a stale handle is
 * an error, never a use after free. A tape belongs to one thread at a time; two tapes are independent.
 *
 * Errors. No function prints, aborts or exits. The first error stays with the tape (tg_tape_status, tg_error),
 * every later operation is inert and returns a null handle, so calls nest without checks in between:
 * tg_softmax(tg_matmul(q, tg_transpose(k, 0, 1)), -1). Functions that change more than the graph return a tg_status
 * that must be checked. tg_clear_error() makes the tape usable again; parameters and data are as they were before the
 * call that failed.
 *
 * Shapes follow PyTorch: row-major, broadcasting aligned at the last dimension, negative dims count from the
 * end. In comments, dx means dloss/dx, dy the gradient that arrives at an operation's output y.
 *
 * The library refuses to be compiled with -ffast-math; a program that uses it may be. But when such a program is linked
 * (gcc and clang on x86-64), the processor is set to take subnormal numbers for 0, below 1.2e-38 in float32
 * and 2.2e-308 in float64, and the library computes with that. Link without -ffast-math to keep them.
 */
#ifndef TAPEGRAD_H
#define TAPEGRAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TG_API __attribute__((visibility("default")))
#define TG_MUST_USE __attribute__((warn_unused_result))
#if defined(__MINGW32__) && !defined(__clang__) /* whose printf is not C's */
#define TG_PRINTF(text, args) __attribute__((format(gnu_printf, text, args)))
#else
#define TG_PRINTF(text, args) __attribute__((format(printf, text, args)))
#endif
#else
#define TG_API
#define TG_MUST_USE
#define TG_PRINTF(text, args)
#endif

/* ---- Types ----------------------------------------------------------------------------------------------- */

typedef enum {
    TG_OK = 0,
    TG_ERR_SHAPE,    /* shapes, ranks or dims do not fit the operation */
    TG_ERR_ARGUMENT, /* a NULL, an unusable number, a tensor of another tape or dtype */
    TG_ERR_INDEX,    /* an index or class number out of range */
    TG_ERR_MEMORY,   /* the allocator returned NULL, or a size overflows */
    TG_ERR_STALE,    /* the tape was rewound past the handle's tensor */
    TG_ERR_STATE,    /* a call at the wrong time: nothing to differentiate, saved data was modified, ... */
    TG_ERR_IO,       /* a file could not be opened, read or written */
    TG_ERR_FORMAT,   /* a file is malformed, or does not fit the model */
    TG_ERR_NUMERIC   /* NaN or Inf found by anomaly mode, or a gradient check that failed */
} tg_status;

typedef enum { TG_F32 = 0, TG_F64 = 1, TG_I64 = 2, TG_BOOL = 3 } tg_dtype;

enum { TG_MAX_DIMS = 8 };

typedef struct tg_tape tg_tape;

/* A handle. The fields are private; a handle of all zeros is the null tensor. */
typedef struct tg_tensor {
    tg_tape *tape;
    uint32_t index, epoch;
} tg_tensor;

typedef struct tg_shape {
    int ndim;
    int64_t size[TG_MAX_DIMS];
} tg_shape;

typedef struct tg_dims { /* to reduce over */
    int ndim;            /* < 0: all */
    int dim[TG_MAX_DIMS];
} tg_dims;

#define TG_COUNT_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) n
#define TG_COUNT(...) TG_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#ifdef __cplusplus
#define TG_LITERAL(type) type
#else
#define TG_LITERAL(type) (type)
#endif
/* 1 to 8 numbers; none at all does not compile, which is what 0 ? 0 : is for: that is TG_SCALAR, or TG_ALL_DIMS. */
#define TG_SHAPE(...) (TG_LITERAL(tg_shape){TG_COUNT(__VA_ARGS__), {0 ? 0 : __VA_ARGS__}})
#define TG_SCALAR (TG_LITERAL(tg_shape){0, {0}})
#define TG_DIMS(...) (TG_LITERAL(tg_dims){TG_COUNT(__VA_ARGS__), {0 ? 0 : __VA_ARGS__}})
#define TG_ALL_DIMS (TG_LITERAL(tg_dims){-1, {0}})
#define TG_NULL (TG_LITERAL(tg_tensor){0, 0, 0})

/* ---- The tape -------------------------------------------------------------------------------------------- */

/* Where a tape's memory comes from. alloc returns NULL on failure; free gets the size that alloc was given. Both are
 * called only from the thread that uses the tape. */
typedef struct tg_allocator {
    void *(*alloc)(void *context, size_t size);
    void (*free)(void *context, void *block, size_t size);
    void *context;
} tg_allocator;

/* A new tape whose floating tensors are all of this dtype (TG_F32 or TG_F64), seeded as PyTorch's default
 * generator is. NULL when out of memory or when dtype is neither. The second form takes an allocator (copied;
 * NULL means malloc). tg_tape_free(NULL) does nothing. */
TG_API tg_tape *tg_tape_new(tg_dtype dtype);
TG_API tg_tape *tg_tape_new_with(tg_dtype dtype, const tg_allocator *allocator);
TG_API void tg_tape_free(tg_tape *t);
TG_API tg_dtype tg_tape_dtype(const tg_tape *t);

/* The first error since the last tg_clear_error, as a status and as one line: the operation, the shapes, what
 * to do. tg_error gives "" when there is none. */
TG_API tg_status tg_tape_status(const tg_tape *t);
TG_API const char *tg_error(const tg_tape *t);
TG_API void tg_clear_error(tg_tape *t);

/* A position on the tape. Rewinding to it drops every tensor made since and reuses the memory: a training loop marks
 * after building its model and rewinds at the end of each step. Parameters made before the mark keep their values and
 * gradients. Marks nest; a mark that the tape was rewound past is an error, and so is, in a custom operation's forward
 * or grad, one from before it. A forward may rewind in a checkpoint scope that backward computes again, too. */
typedef struct tg_mark {
    tg_tape *tape;
    uint32_t nodes, epoch;
    void *node_chunk, *data_chunk;
    size_t node_offset, data_offset, node_used, data_used;
} tg_mark;
TG_API tg_mark tg_tape_mark(tg_tape *t);
TG_API tg_status tg_tape_rewind(tg_tape *t, tg_mark mark);

/* Run every operation recorded after the mark again, in order, on the current values of its inputs, without shape
 * checks or recording. What custom operations record meanwhile is no part of it. Random operations draw new numbers.
 * tg_backward() may follow. Where an operation fails the replay ends: what it has not reached keeps old elements, and
 * to differentiate the failed operation's result, or what was made after it, is TG_ERR_STATE until a replay of them has
 * succeeded, or a rewind has dropped them. */
TG_API TG_MUST_USE tg_status tg_replay(tg_tape *t, tg_mark from);

/* Bytes reserved from the allocator and bytes used by tensors and gradients, each now and at its peak so far. */
typedef struct tg_memory {
    size_t reserved, reserved_peak, used, used_peak;
} tg_memory;
TG_API tg_memory tg_tape_memory(const tg_tape *t);

/* The version of this header, and of the library that the program runs with. */
#define TG_VERSION "0.2.0"
TG_API const char *tg_version(void);

/* Environment variables that could not be honoured, one line of text each, for the program to print; "" when there are
 * none. The variables, read when first needed:
 *   TG_ISA      the kernels' instruction set: reference (plain C), baseline, avx2, avx512. Default: the fastest that
 *               the machine has.
 *   TG_THREADS  the number of threads, 1 to 256. Default: the cores that the process may use. */
TG_API const char *tg_warning(void);
/* The instruction set in use, as TG_ISA calls it. Results differ in their last bits from one to another. */
TG_API const char *tg_instruction_set(void);

/* How many threads large operations are spread over, for all tapes together: 1 to 256, the caller's included;
 * less than 1 means the default (see TG_THREADS above). When two tapes compute at once, in threads of their own, one
 * of them has the others' help at a time. Results are the same in every bit whatever the number. It may be set at any
 * time, by any thread: what is being computed ends with the number it began with. The threads take no signals; where
 * the system grants fewer, fewer compute, and it is not asked again before the next tg_set_threads. */
TG_API void tg_set_threads(int n);
TG_API int tg_get_threads(void);
/* Loops of your own on these threads: body(context, begin, end) for [0, grain), [grain, 2 grain), ... up to n, the last
 * piece shorter, in any order, several at a time; returns when all have. The pieces depend on n and grain alone (less
 * than 1 counts as 1), so a body that depends on its piece alone computes the same bits at any number of threads, sums
 * over its piece included. Ten microseconds and more are worth a piece. n <= 0 calls nothing. A body may call anything,
 * this function too (which then stays in its thread), but tapes that another piece or the caller uses; it returns, and
 * a process that it forks calls exec or _exit. May be called from anywhere, callbacks and several threads included.
 * (PyTorch's at::parallel_for, whose pieces depend on the number of threads.) */
typedef void (*tg_parallel_body)(void *context, int64_t begin, int64_t end);
TG_API void tg_parallel_for(int64_t n, int64_t grain, tg_parallel_body body, void *context);

/* train (the default) and eval: dropout acts in train mode only. */
TG_API void tg_train(tg_tape *t);
TG_API void tg_eval(tg_tape *t);
TG_API bool tg_is_training(const tg_tape *t);

/* ---- Making tensors (leaves), reading and changing them -------------------------------------------------- */

TG_API tg_tensor tg_zeros(tg_tape *t, tg_shape shape);
TG_API tg_tensor tg_ones(tg_tape *t, tg_shape shape);
TG_API tg_tensor tg_full(tg_tape *t, tg_shape shape, double value);
TG_API tg_tensor tg_scalar(tg_tape *t, double value);
TG_API tg_tensor tg_arange(tg_tape *t, int64_t n);                              /* 0, 1, ..., n-1 as TG_I64 */
TG_API tg_tensor tg_eye(tg_tape *t, int64_t n);                                 /* (n, n), ones on the diagonal */
TG_API tg_tensor tg_linspace(tg_tape *t, double first, double last, int64_t n); /* n numbers, both ends included */
/* Copies of the caller's numbers in row-major order, converted to the tape's dtype; ints stay TG_I64, bools TG_BOOL. */
TG_API tg_tensor tg_from_floats(tg_tape *t, tg_shape shape, const float *values);
TG_API tg_tensor tg_from_doubles(tg_tape *t, tg_shape shape, const double *values);
TG_API tg_tensor tg_from_ints(tg_tape *t, tg_shape shape, const int64_t *values);
TG_API tg_tensor tg_from_bools(tg_tape *t, tg_shape shape, const bool *values);

/* Copy out all n = tg_numel(x) elements in row-major order, converted. Copy in: n must be tg_numel(x), and x a
 * leaf or a view of one; counts as a modification (see tg_backward). */
TG_API TG_MUST_USE tg_status tg_read_floats(tg_tensor x, float *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_read_doubles(tg_tensor x, double *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_read_ints(tg_tensor x, int64_t *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_floats(tg_tensor x, const float *values, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_doubles(tg_tensor x, const double *values, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_ints(tg_tensor x, const int64_t *values, int64_t n);
/* x = y, elementwise; same shape and dtype. y may be on another tape, where float and double convert. x and y may be
 * overlapping views. */
TG_API TG_MUST_USE tg_status tg_copy_(tg_tensor x, tg_tensor y);

/* The only element of a one-element tensor; NaN on error. */
TG_API double tg_item(tg_tensor x);
/* The elements in memory, in the tensor's dtype, row-major; NULL when x is not contiguous or on error. Valid as long as
 * the handle. Every call of tg_data counts as a modification. */
TG_API void *tg_data(tg_tensor x);
TG_API const void *tg_const_data(tg_tensor x);

TG_API bool tg_is_null(tg_tensor x);
TG_API tg_dtype tg_dtype_of(tg_tensor x);
TG_API tg_shape tg_shape_of(tg_tensor x);
TG_API int tg_ndim(tg_tensor x);
TG_API int64_t tg_size(tg_tensor x, int dim);
TG_API int64_t tg_stride(tg_tensor x, int dim);
TG_API int64_t tg_numel(tg_tensor x);
TG_API bool tg_is_contiguous(tg_tensor x);
TG_API bool tg_is_leaf(tg_tensor x);

/* Parameters and buffers: a leaf gets a dotted name, unique on the tape ("attn.W_query.weight"), and is saved
 * with the model. A parameter requires a gradient; a buffer (a mask, say) does not. Both return the leaf. */
TG_API tg_tensor tg_parameter(tg_tape *t, const char *name, tg_tensor leaf);
TG_API tg_tensor tg_buffer(tg_tape *t, const char *name, tg_tensor leaf);
TG_API const char *tg_name(tg_tensor x); /* "" when it has none */
TG_API tg_tensor tg_named(tg_tape *t, const char *name);
/* Names under a path: between push and pop the name that tg_parameter and tg_buffer are given, by nn's layers too, has
 * the path before it, with a dot. Paths nest; an empty one adds nothing, and NULL leaves those before out; other
 * functions take and give whole names. tg_name_push(t, "block.%d", i); b.up = tg_nn_linear_new(t, "up", 64, 256, true);
 * "block.3.up.weight", "block.3.up.bias" tg_name_pop(t); path: all of it, "block.3". Each push wants its pop, after an
 * error too; a rewind leaves the path as it is. Errors: a path above 255 bytes or 64 deep, which names nothing more, a
 * pop without a push (TG_ERR_STATE). */
TG_API void tg_name_push(tg_tape *t, const char *format, ...) TG_PRINTF(2, 3);
TG_API void tg_name_pop(tg_tape *t);
TG_API const char *tg_name_path(const tg_tape *t);

/* A list of tensors, valid until the tape is rewound past the call. */
typedef struct tg_list {
    tg_tape *tape;
    int64_t n;
    const tg_tensor *tensor;
} tg_list;
/* All parameters in the order they were made; those whose name starts with prefix; parameters and buffers. */
TG_API tg_list tg_parameters(tg_tape *t);
TG_API tg_list tg_parameters_under(tg_tape *t, const char *prefix);
/* Those that meet every condition: whose names begin and end so (NULL: any), with so many dims, that accept takes. Of
 * the groups that weights and biases are often split into, one is {.min_ndim = 2, .max_ndim = 8}. */
typedef struct tg_selection {
    const char *prefix, *suffix;
    int min_ndim, max_ndim;
    bool (*accept)(tg_tensor parameter, void *context); /* NULL: all. Must not make tensors */
    void *context;
} tg_selection;
#define TG_SELECT_ALL (TG_LITERAL(tg_selection){0, 0, 0, TG_MAX_DIMS, 0, 0})
TG_API tg_list tg_parameters_where(tg_tape *t, tg_selection which);
TG_API tg_list tg_state(tg_tape *t);

/* ---- Gradients ------------------------------------------------------------------------------------------- */

/* For floating leaves only; an operation's result requires a gradient when an input does. A leaf that is frozen after
 * it was used gets no gradient from the next backward on; one that was frozen when it was used gets none through that
 * use, even if it is unfrozen later. */
TG_API tg_tensor tg_set_requires_grad(tg_tensor leaf, bool requires_grad);
TG_API bool tg_requires_grad(tg_tensor x);

/* Add dloss/dleaf to the gradient of every leaf that requires one and that y depends on; other leaves keep what
 * they had (none, at first). y must be a scalar, or have one element; tg_backward_with() takes any y and a
 * cotangent of y's shape, and computes the vector-Jacobian product. Calling again over the same graph is right
 * and adds again. Gradients of intermediates live only while they are needed (see tg_retain_grad).
 * Errors, all found before anything is changed: y requires no gradient; y is not a scalar; data that a recorded
 * operation saved for its gradient was modified since (the operation is named). An error on the way (memory, a
 * hook, anomaly mode) leaves every leaf's gradient as it was before the call. */
TG_API TG_MUST_USE tg_status tg_backward(tg_tensor y);
TG_API TG_MUST_USE tg_status tg_backward_with(tg_tensor y, tg_tensor cotangent);

/* dxs[i] = the gradient of y with respect to xs[i], as recorded tensors: to be used in further operations and
 * differentiated again, to any order. The xs are any floating tensors that require a gradient, leaves or results; of
 * one that y does not depend on the gradient is zeros. dy: a cotangent of y's shape, or TG_NULL for a y of one element.
 * It may require a gradient too. Gradients that leaves have accumulated stay as they are; hooks are not called. In
 * tg_no_grad_begin .. end the results are plain numbers. They are recorded behind y: tg_replay computes them again, and
 * a rewind forgets them.
 * Cost: what tg_backward takes, and memory for every operation of it.
 * Errors, after which nothing has changed: an operation without a grad (a custom one: tg_custom_set_grad); a path
 * through a checkpoint scope; a call inside a scope or a hook; an x that requires no gradient or is not floating; data
 * that was modified since (see tg_backward). */
TG_API TG_MUST_USE tg_status tg_gradients(tg_tensor y, tg_tensor dy, const tg_tensor *xs, int n, tg_tensor *dxs);

/* Along directions, as recorded tensors too. vs[i] has the shape of xs[i].
 *   jvp   *jv = J v, the change of y (any shape) when the xs change by the vs: forward mode. It is the VJP's VJP in its
 *         cotangent (Townsend 2017), of which the first is recorded but not computed, as it is linear in it. About two
 *         forwards, and memory for the operations of a backward. Where a custom operation's grad reads the numbers of
 *         its dy, then or later, they are computed, as of a cotangent of 0; TG_ERR_STATE later if what they are made of
 *         was modified.
 *   hvp   hvs[i] = H v, the change of dy/dxs[i] (y has one element). About what two backwards of y and of its gradient
 *         take.
 * Errors as tg_gradients. */
TG_API TG_MUST_USE tg_status tg_jvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *jv);
TG_API TG_MUST_USE tg_status tg_hvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *hvs);

/* All derivatives of y with respect to x, (y's shape..., x's shape...), and all second ones, (x's shape..., x's
 * shape...) of a y with one element: plain numbers, of which the tape keeps only the result. jacobian: a VJP for each
 * element of y, or a JVP for each of x, whichever are fewer. hessian: an hvp for each element of x. */
TG_API tg_tensor tg_jacobian(tg_tensor y, tg_tensor x);
TG_API tg_tensor tg_hessian(tg_tensor y, tg_tensor x);

/* The gradient as a new tensor (a copy); zeros for a leaf that no backward has reached yet, or whose gradient
 * was forgotten. TG_ERR_STATE for an intermediate that does not retain its gradient. */
TG_API tg_tensor tg_grad(tg_tensor x);
TG_API bool tg_has_grad(tg_tensor x);
TG_API TG_MUST_USE tg_status tg_write_grad(tg_tensor leaf, const double *values, int64_t n);
/* The gradient's own memory, no copy: tg_numel(leaf) numbers of the tape's dtype, row-major, to be read and changed.
 * They are the gradient until the next tg_zero_grad, which leaves them without a meaning, or the next backward or
 * tg_write_grad, which adds or writes there. The memory stays where it is, frozen leaf or not, until the tape is
 * rewound past the leaf or freed, or the flat blocks of tg_flatten_gradients begin or end. NULL after an error:
 * TG_ERR_STATE without a gradient (tg_has_grad asks), for an operation's result, and from a hook. */
TG_API void *tg_grad_data(tg_tensor leaf);
/* Drop the gradient of one leaf (a view of it owns none), of every tensor. The memory is kept. */
TG_API void tg_zero_grad(tg_tensor leaf);
TG_API void tg_zero_grads(tg_tape *t);

/* Keep the gradient of an intermediate: tg_grad(x) is dloss/dx of the last backward of a loss that depends on x, even
 * when all leaves behind x are frozen. A view must be retained before another view is taken of it. */
TG_API TG_MUST_USE tg_status tg_retain_grad(tg_tensor x);

/* Called in backward when its dloss/dx is complete and before it flows on; the hook may change the n numbers (in the
 * tape's dtype, row-major). Views as for tg_retain_grad. A result other than 0 stops the backward with TG_ERR_STATE; so
 * does any error that the hook leaves on the tape, and it is one to call backward, rewind, replay or zero_grad. */
typedef int (*tg_hook)(void *grad, int64_t n, tg_tensor x, void *context);
TG_API TG_MUST_USE tg_status tg_register_hook(tg_tensor x, tg_hook hook, void *context);

/* For programs that add up gradients of several processes. From now on the gradients of these leaves lie in a few flat
 * blocks, those of the last parameters first, as backward ends with them: the first block has at most `first` bytes,
 * the others at most `rest`, and a larger parameter one of its own (PyTorch's DDP takes 1 MiB and 25 MiB). Nothing is
 * copied: backward, tg_zero_grad, clipping and optimizers work there. Each gradient begins at 64 bytes; between them
 * are zeros.
 *
 * ready is called in every backward, once for each block and in their order, as soon as nothing more will be added to
 * it (accumulated; hooks, which for these leaves run then); gradients that the tape does not have are 0 in it. Until
 * backward returns the n numbers may be read, sent and changed, by other threads as well. A result other than 0 stops
 * backward with TG_ERR_STATE, as an error does that ready leaves on the tape. After a backward that failed the
 * gradients are as before or, if ready was called, there are none. tg_set_ready(t, false) leaves the calls out, for all
 * but the last of several backwards that accumulate. Calling it again makes other blocks; rewinding past one of the
 * leaves ends them all. Leaves in no block any more keep their gradients, elsewhere: for these either call may want
 * memory. */
typedef int (*tg_ready)(int block, void *gradient, int64_t n, void *context);
TG_API TG_MUST_USE tg_status tg_flatten_gradients(tg_list parameters, size_t first, size_t rest, tg_ready ready,
                                                  void *context);
TG_API void tg_set_ready(tg_tape *t, bool on);
TG_API int tg_gradient_blocks(const tg_tape *t);
TG_API void *tg_gradient_block(tg_tape *t, int i, int64_t *n);
/* The elements of these leaves one behind another, in the tape's dtype, to be broadcast: into a vector of n, all of
 * them together, and back. A part of a list gives a part of them. Errors, after which nothing has changed: another n;
 * what is no floating leaf of the list's tape. (torch.nn.utils.parameters_to_vector) */
TG_API TG_MUST_USE tg_status tg_parameters_to_vector(tg_list parameters, void *vector, int64_t n);
TG_API TG_MUST_USE tg_status tg_vector_to_parameters(const void *vector, int64_t n, tg_list parameters);
/* Of the names, shapes and dtypes of these tensors and of the library's version, as 64-bit FNV-1a: for processes to
 * compare before they add anything up. 0 after an error. */
TG_API uint64_t tg_fingerprint(tg_list list);

/* Results between the two calls require no gradient, unless x itself is the result (tg_contiguous of a contiguous x).
 * Scopes nest. They stay on the tape as others do; for memory that does not grow with a model's depth, each layer's
 * result takes the place of its input, a leaf, and the rest is rewound away:
 *     tg_tensor x = tg_zeros(t, shape); tg_mark mark = tg_tape_mark(t); ... tg_copy_(x, embedded) ...
 *     for (i = 0; i < layers; i++) if (tg_copy_(x, layer_forward(&layer[i], x)) || tg_tape_rewind(t, mark)) ... */
TG_API void tg_no_grad_begin(tg_tape *t);
TG_API void tg_no_grad_end(tg_tape *t);

/* Gradient checkpointing: less memory for more time (Chen, Xu, Zhang, Guestrin 2016). torch.utils.checkpoint(f, x) is
 *     tg_checkpoint_begin(t); y = tg_checkpoint_end(t, f(x));
 * Of the results in between only the last is kept, as the copy y. Other handles and marks from inside become stale
 * (tg_grad of a retained gradient still works); leaves stay. Backward recomputes the rest when it gets there, with the
 * same random masks: gradients are the same in every bit, provided that custom operations are deterministic. As in
 * tg_backward, what is read again must not be modified in the meantime. Nested scopes act as one. Backward and replay
 * cannot be called inside. tg_checkpoint_end ends the scope in any case: when the tape holds an error, or y is unusable
 * (null, stale, not floating, of another tape), it returns null, handles from inside are stale, leaves stay. In a
 * custom operation's callbacks scopes keep everything. While backward or a replay computes a scope again, callbacks and
 * hooks may use its tensors as far as they are computed; what they make of them is stale when that is over. */
TG_API void tg_checkpoint_begin(tg_tape *t);
TG_API tg_tensor tg_checkpoint_end(tg_tape *t, tg_tensor y);

/* While on, the first operation, forward or backward, that makes a NaN or Inf is an error (TG_ERR_NUMERIC) that
 * names it, its shapes, its place on the tape and the element. */
TG_API void tg_set_anomaly_mode(tg_tape *t, bool on);

/* While there is a file, backward writes what it does, as it does it: a line for each operation that it passes, with
 * its result's place on the tape, name and shape, the norm of the gradient that has arrived there, and, behind the
 * arrow, each input with the norm of its gradient from then on (see examples/backward.c). NULL ends that. Views, whose
 * gradients are windows into others, have no lines; whether all was written is the file's to say (ferror). */
TG_API void tg_log_backward(tg_tape *t, FILE *file);

/* ---- Random numbers: PyTorch's, from the same seed (MT19937; see core/rng.c for sources) ----------------- */

TG_API void tg_manual_seed(tg_tape *t, uint64_t seed);
TG_API tg_tensor tg_rand(tg_tape *t, tg_shape shape);                               /* uniform in [0, 1) */
TG_API tg_tensor tg_randn(tg_tape *t, tg_shape shape);                              /* standard normal */
TG_API tg_tensor tg_randint(tg_tape *t, int64_t low, int64_t high, tg_shape shape); /* [low, high), TG_I64 */
TG_API tg_tensor tg_randperm(tg_tape *t, int64_t n);                                /* TG_I64 */

/* n class numbers for each row of probabilities (C) or (R, C), which need not add up to 1; without replacement they
 * differ. A new TG_I64 leaf (n) or (R, n): a replay keeps it. */
TG_API tg_tensor tg_multinomial(tg_tensor probabilities, int64_t n, bool replacement);

/* In place, on a contiguous leaf, which is returned. torch.nn.init's formulas; fan_in = size(1), fan_out = size(0). */
TG_API tg_tensor tg_uniform_(tg_tensor x, double from, double to);
TG_API tg_tensor tg_normal_(tg_tensor x, double mean, double std);
TG_API tg_tensor tg_bernoulli_(tg_tensor x, double p);
TG_API tg_tensor tg_fill_(tg_tensor x, double value);
TG_API tg_tensor tg_kaiming_uniform_(tg_tensor x, double a); /* leaky_relu gain with slope a, fan_in */
TG_API tg_tensor tg_kaiming_normal_(tg_tensor x, double a);
TG_API tg_tensor tg_xavier_uniform_(tg_tensor x, double gain);
TG_API tg_tensor tg_xavier_normal_(tg_tensor x, double gain);
TG_API tg_tensor tg_trunc_normal_(tg_tensor x, double mean, double std, double a, double b);

/* The generator's whole state. Once it is restored, the same numbers follow. */
typedef struct tg_rng_state {
    uint32_t state[624];
    uint32_t left, next;
    uint64_t seed;
    bool has_next_double, has_next_float;
    double next_double;
    float next_float;
} tg_rng_state;
TG_API tg_rng_state tg_get_rng_state(const tg_tape *t);
TG_API TG_MUST_USE tg_status tg_set_rng_state(tg_tape *t, const tg_rng_state *state);

/* ---------------------------------------------------------------------------------------------------------
 * Operations. x, a, b: floating tensors of one tape. Every one that returns floating values has a gradient
 * unless it says otherwise. All may fail with TG_ERR_ARGUMENT (null tensor, two tapes, wrong dtype),
 * TG_ERR_STALE, TG_ERR_SHAPE and TG_ERR_MEMORY.
 */

/* Elementwise, with broadcasting: a of shape (3, 1) and b of (2) give (3, 2). "Keeps" names what the gradient needs
 * (otherwise, what its formula reads): modifying it before backward is an error. */
TG_API tg_tensor tg_add(tg_tensor a, tg_tensor b);     /* a + b       da = dy            db = dy            */
TG_API tg_tensor tg_sub(tg_tensor a, tg_tensor b);     /* a - b       da = dy            db = -dy           */
TG_API tg_tensor tg_mul(tg_tensor a, tg_tensor b);     /* a b         da = dy b          db = dy a          */
TG_API tg_tensor tg_div(tg_tensor a, tg_tensor b);     /* a / b       da = dy / b        db = -dy (a/b) / b */
TG_API tg_tensor tg_maximum(tg_tensor a, tg_tensor b); /* a tie gives each half of dy */
TG_API tg_tensor tg_minimum(tg_tensor a, tg_tensor b);

TG_API tg_tensor tg_neg(tg_tensor x);      /* -x             dx = -dy                                    */
TG_API tg_tensor tg_exp(tg_tensor x);      /* e^x            dx = dy y                     keeps y       */
TG_API tg_tensor tg_log(tg_tensor x);      /* ln x           dx = dy / x                   keeps x       */
TG_API tg_tensor tg_log1p(tg_tensor x);    /* ln(1 + x)      dx = dy / (1 + x)             keeps x       */
TG_API tg_tensor tg_expm1(tg_tensor x);    /* e^x - 1        dx = dy (y + 1)               keeps y       */
TG_API tg_tensor tg_sqrt(tg_tensor x);     /* sqrt x         dx = dy / (2 y)               keeps y       */
TG_API tg_tensor tg_rsqrt(tg_tensor x);    /* 1/sqrt x       dx = -dy y^3 / 2              keeps y       */
TG_API tg_tensor tg_sin(tg_tensor x);      /* sin x          dx = dy cos x                 keeps x       */
TG_API tg_tensor tg_cos(tg_tensor x);      /* cos x          dx = -dy sin x                keeps x       */
TG_API tg_tensor tg_erf(tg_tensor x);      /* erf x          dx = dy 2/sqrt(pi) e^(-x^2)   keeps x       */
TG_API tg_tensor tg_square(tg_tensor x);   /* x^2            dx = 2 x dy                   keeps x       */
TG_API tg_tensor tg_abs(tg_tensor x);      /* |x|            dx = dy sign(x), 0 at 0       keeps x       */
TG_API tg_tensor tg_tanh(tg_tensor x);     /* tanh x         dx = dy (1 - y^2)             keeps y       */
TG_API tg_tensor tg_sigmoid(tg_tensor x);  /* 1/(1+e^-x)     dx = dy y (1 - y)             keeps y       */
TG_API tg_tensor tg_relu(tg_tensor x);     /* max(x, 0)      dx = dy where y > 0           keeps y       */
TG_API tg_tensor tg_softplus(tg_tensor x); /* ln(1 + e^x)    dx = dy sigmoid(x)            keeps x       */
TG_API tg_tensor tg_leaky_relu(tg_tensor x, double slope); /* x where x > 0, else slope x                */
TG_API tg_tensor tg_elu(tg_tensor x, double alpha);        /* x where x > 0, else alpha (e^x - 1)        */
TG_API tg_tensor tg_silu(tg_tensor x);      /* x sigmoid(x)   with s = sigmoid(x): dx = dy s (1 + x (1 - s)) */
TG_API tg_tensor tg_gelu(tg_tensor x);      /* x Phi(x), Phi = (1 + erf(x / sqrt 2)) / 2 (Hendrycks, Gimpel 2016) */
TG_API tg_tensor tg_gelu_tanh(tg_tensor x); /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))            */
TG_API tg_tensor tg_pow(tg_tensor x, double exponent);           /* dx = dy p x^(p-1), 0 for p = 0      */
TG_API tg_tensor tg_clamp(tg_tensor x, double low, double high); /* dx = dy where low <= x <= high, low < high */
/* a^b: da = dy b a^(b-1), db = dy y ln a. x between low and high: the gradient goes where the value came from, one
 * half to each where x is one of two different bounds; low > high gives high. */
TG_API tg_tensor tg_pow_tensor(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_clamp_tensor(tg_tensor x, tg_tensor low, tg_tensor high);
/* silu(a) b, the gate of Llama's feed-forward layer: da = dy b s (1 + a (1 - s)), db = dy a s, s = sigmoid(a). */
TG_API tg_tensor tg_swiglu(tg_tensor a, tg_tensor b);
/* gelu(x + bias) in one pass, bias of shape (size of x's last dim). Keeps x and bias. */
TG_API tg_tensor tg_bias_gelu(tg_tensor x, tg_tensor bias);

TG_API tg_tensor tg_add_scalar(tg_tensor x, double c);  /* x + c */
TG_API tg_tensor tg_sub_scalar(tg_tensor x, double c);  /* x - c */
TG_API tg_tensor tg_rsub_scalar(double c, tg_tensor x); /* c - x */
TG_API tg_tensor tg_mul_scalar(tg_tensor x, double c);  /* c x   */
TG_API tg_tensor tg_div_scalar(tg_tensor x, double c);  /* x / c */
TG_API tg_tensor tg_rdiv_scalar(double c, tg_tensor x); /* c / x */

/* add, sub, mul and where (below), add_scalar, sub_scalar, rsub_scalar and mul_scalar take TG_I64 as well, for indices
 * to be computed: a and b both, c a whole number in its range. The result is TG_I64, without a gradient; what overflows
 * wraps. */

/* Comparisons give TG_BOOL and have no gradient; either side broadcasts. Logical operations want TG_BOOL;
 * tg_to_bool is x != 0; tg_to_float turns bools and ints into floats. */
TG_API tg_tensor tg_eq(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_ne(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_lt(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_le(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_gt(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_ge(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_isnan(tg_tensor x);
TG_API tg_tensor tg_logical_not(tg_tensor a);
TG_API tg_tensor tg_logical_and(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_logical_or(tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_to_bool(tg_tensor x);
TG_API tg_tensor tg_to_float(tg_tensor x);

/* where: a where condition (TG_BOOL) holds, b elsewhere; the three broadcast. masked_fill: value where mask
 * (TG_BOOL, broadcasts to x) holds, x elsewhere. The gradient goes where the value came from. */
TG_API tg_tensor tg_where(tg_tensor condition, tg_tensor a, tg_tensor b);
TG_API tg_tensor tg_masked_fill(tg_tensor x, tg_tensor mask, double value);

/* Reductions over one, several or all dims: tg_sum(x, TG_DIMS(-1), true). keepdim keeps each as size 1. Over
 * no elements: sum 0, mean and var NaN, amax and amin an error.
 *   var: sum (x - mean)^2 / (n - correction);  dx = 2 (x - mean) dy / (n - correction)      keeps x
 *   std: sqrt var;  dx = (x - mean) dy / y / (n - correction), 0 where y = 0                keeps x, y
 *   prod: dx = dy times the product of all others (1 over nothing)                          keeps x
 *   norm: (sum |x|^p)^(1/p), p > 0, INFINITY: the largest |x|; 0 at 0 has gradient 0        keeps x, y
 *   any, all: of elements that are not 0, as TG_BOOL; x of any dtype
 *   amax, amin: a tie shares dy equally (PyTorch's amax)                                    keeps x, y
 *   logsumexp: ln sum e^x, computed from the maximum; all -inf gives -inf with zero gradient keeps x, y */
TG_API tg_tensor tg_sum(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_mean(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_var(tg_tensor x, tg_dims dims, double correction, bool keepdim);
TG_API tg_tensor tg_std(tg_tensor x, tg_dims dims, double correction, bool keepdim);
TG_API tg_tensor tg_prod(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_norm(tg_tensor x, double p, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_any(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_all(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_amax(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_amin(tg_tensor x, tg_dims dims, bool keepdim);
TG_API tg_tensor tg_logsumexp(tg_tensor x, tg_dims dims, bool keepdim);
/* The index of the (first) largest, smallest element along dim; the indices that sort x along dim (stable, a NaN
 * counts as larger than any number): TG_I64, no gradient. */
TG_API tg_tensor tg_argmax(tg_tensor x, int dim, bool keepdim);
TG_API tg_tensor tg_argmin(tg_tensor x, int dim, bool keepdim);
TG_API tg_tensor tg_argsort(tg_tensor x, int dim, bool descending);
/* The elements there: the largest, the smallest; all in order; the k largest or smallest in order. dx = dy where the
 * elements came from. Their indices go to *index (may be NULL). */
TG_API tg_tensor tg_max_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index);
TG_API tg_tensor tg_min_dim(tg_tensor x, int dim, bool keepdim, tg_tensor *index);
TG_API tg_tensor tg_sort(tg_tensor x, int dim, bool descending, tg_tensor *index);
TG_API tg_tensor tg_topk(tg_tensor x, int64_t k, int dim, bool largest, tg_tensor *index);
/* x[0] + ... + x[j] along dim.    dx[j] = dy[j] + dy[j+1] + ... */
TG_API tg_tensor tg_cumsum(tg_tensor x, int dim);

/* Views: the same data and the same gradient through other strides; nothing is copied. reshape copies only when
 * strides cannot express it; one size may be -1. expand: -1 keeps a size; its gradient sums over the expanded dims.
 * slice: start, stop as in Python (negative from the end, clamped), step >= 1. */
TG_API tg_tensor tg_reshape(tg_tensor x, tg_shape shape);
TG_API tg_tensor tg_transpose(tg_tensor x, int dim0, int dim1);
TG_API tg_tensor tg_permute(tg_tensor x, tg_dims dims);
TG_API tg_tensor tg_slice(tg_tensor x, int dim, int64_t start, int64_t stop, int64_t step);
TG_API tg_tensor tg_select(tg_tensor x, int dim, int64_t index);
TG_API tg_tensor tg_squeeze(tg_tensor x, int dim); /* unchanged unless that size is 1 */
TG_API tg_tensor tg_unsqueeze(tg_tensor x, int dim);
TG_API tg_tensor tg_expand(tg_tensor x, tg_shape shape);
TG_API tg_tensor tg_detach(tg_tensor x); /* detached from the graph: no gradient flows through */
/* Pieces of `size` along dim (the last may be smaller) into parts[0..n-1]; n must be their number. */
TG_API TG_MUST_USE tg_status tg_split(tg_tensor x, int64_t size, int dim, tg_tensor *parts, int n);

/* x itself when it is contiguous, else a copy; clone always copies. */
TG_API tg_tensor tg_contiguous(tg_tensor x);
TG_API tg_tensor tg_clone(tg_tensor x);
/* n >= 1 parts behind one another along a dim; along a new one. */
TG_API tg_tensor tg_cat(const tg_tensor *parts, int n, int dim);
TG_API tg_tensor tg_stack(const tg_tensor *parts, int n, int dim);
/* Copies, of any dtype: in reverse order along dims; shifted by `shift` along dim, what leaves at one end comes in at
 * the other; times[i] times along dim i (times may have more dims than x, in front; at most 7). */
TG_API tg_tensor tg_flip(tg_tensor x, tg_dims dims);
TG_API tg_tensor tg_roll(tg_tensor x, int64_t shift, int dim);
TG_API tg_tensor tg_repeat(tg_tensor x, tg_shape times);
/* Zero above (tril) or below (triu) the k-th diagonal of the last two dims; any dtype. */
TG_API tg_tensor tg_tril(tg_tensor x, int64_t k);
TG_API tg_tensor tg_triu(tg_tensor x, int64_t k);

/* Matrix product with PyTorch's rules: (n,k)(k,m) -> (n,m); batch dims broadcast; a 1-D left operand is a row,
 * a 1-D right one a column, and the added dim is dropped again.  dA = dY B^T   dB = A^T dY   keeps A, B.
 * Transposed and sliced views are multiplied as they lie, without a copy. */
TG_API tg_tensor tg_matmul(tg_tensor a, tg_tensor b);
/* y = x W^T + b: x (..., in), weight (out, in), bias (out) or TG_NULL -> (..., out).
 * dx = dy W   dW = dy^T x   db = dy summed over all rows.   keeps x, W. */
TG_API tg_tensor tg_linear(tg_tensor x, tg_tensor weight, tg_tensor bias);
/* A low-rank adapter of a weight W (out, in), a leaf (Hu et al. 2022). From now on tg_linear, whichever layer calls it,
 * computes
 *   y = x W^T + b + scaling dropout(x) A^T B^T        a: A (rank, in)    b: B (out, rank)
 * as operations of its own; of a slice of W's rows, with these rows of B. merged: W has scaling B A in it already, and
 * tg_linear leaves the adapter out. A null a takes it off, and so does a rewind past A or B. Nothing else knows of it:
 * tg_embedding of such a weight is TG_ERR_STATE, and so is tg_linear of a view of it that is no slice of rows.
 * adapter_of: a is null where there is none. nn's tg_nn_lora_add makes adapters by the names of their weights. */
typedef struct tg_adapter {
    tg_tensor a, b;
    double scaling, dropout_p;
    bool merged;
} tg_adapter;
TG_API TG_MUST_USE tg_status tg_set_adapter(tg_tensor weight, tg_adapter adapter);
TG_API tg_adapter tg_adapter_of(tg_tensor weight);

/* softmax: e^x / sum e^x along dim, from the maximum.   dx = y (dy - sum dy y)        keeps y
 * log_softmax: x - logsumexp x.                         dx = dy - e^y sum dy          keeps y
 * A row that is all -inf (everything masked) gives zeros (log_softmax: -inf) and a zero gradient, never NaN. */
TG_API tg_tensor tg_softmax(tg_tensor x, int dim);
TG_API tg_tensor tg_log_softmax(tg_tensor x, int dim);

/* y = (x - mean) / sqrt(var + eps) * weight + bias over the last dim, var biased (Ba, Kiros, Hinton 2016).
 * weight and bias of shape (size of last dim), or TG_NULL; where they have more dims, over as many last dims together.
 * _over: over the last dims that normalized_shape has, weight or none. Keeps x, weight, and 1/std and mean per row. */
TG_API tg_tensor tg_layer_norm(tg_tensor x, tg_tensor weight, tg_tensor bias, double eps);
TG_API tg_tensor tg_layer_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, tg_tensor bias,
                                    double eps);

/* y = x r weight with r = 1 / sqrt(mean x^2 + eps) over the last dim (Zhang, Sennrich 2019); weight (size of last dim)
 * or TG_NULL. Several dims as in layer_norm. Keeps x, weight and r per row. */
TG_API tg_tensor tg_rms_norm(tg_tensor x, tg_tensor weight, double eps);
TG_API tg_tensor tg_rms_norm_over(tg_tensor x, tg_shape normalized_shape, tg_tensor weight, double eps);

/* Rotary position embedding (Su et al. 2021) of x (..., T, d): the token at position p = offset + its place along T
 * turns channel pair i by the angle p base^(-2i / dims). Pairs are (i, i + dims / 2), as in Hugging Face's Llama, or
 * (2i, 2i + 1) when interleaved, as in Meta's. Channels from dims on stay; dims is even, 0 means d. dx is dy turned
 * back. offset may be negative. Keeps the T dims cosines and sines. */
typedef struct tg_rope_config {
    double base;
    int64_t offset, dims;
    bool interleaved;
} tg_rope_config;
#define TG_ROPE_DEFAULTS (TG_LITERAL(tg_rope_config){10000, 0, 0, false})
TG_API tg_tensor tg_rope(tg_tensor x, tg_rope_config config);
/* The same with the frequencies f = base^(-2i / dims) scaled, for more positions than L of the pretraining, as models'
 * configurations say (transformers' rope_type; core/kernels/rope.c has the formulas):
 *   linear  f / factor
 *   llama3  f / factor where L has fewer than low_freq_factor wavelengths, f where more than high_freq_factor
 *   yarn    f / factor where L has fewer than beta_slow wavelengths, f where more than beta_fast;
 *           truncate: from a whole pair to a whole pair; cosines and sines times attention_factor,
 *           where that is 0 times 0.1 ln factor + 1 or, if mscale and mscale_all_dim are both above 0,
 *           times (0.1 mscale ln factor + 1) / (0.1 mscale_all_dim ln factor + 1)
 * What the type does not use is not looked at. */
typedef enum { TG_ROPE_UNSCALED, TG_ROPE_LINEAR, TG_ROPE_LLAMA3, TG_ROPE_YARN } tg_rope_type;
typedef struct tg_rope_scaling {
    tg_rope_type type;
    double factor, original_max_position_embeddings; /* L */
    double low_freq_factor, high_freq_factor;
    double beta_fast, beta_slow, attention_factor, mscale, mscale_all_dim;
    bool truncate;
} tg_rope_scaling;
#define TG_ROPE_SCALING_DEFAULTS (TG_LITERAL(tg_rope_scaling){TG_ROPE_UNSCALED, 1, 8192, 1, 4, 32, 1, 0, 0, 0, true})
TG_API tg_tensor tg_rope_scaled(tg_tensor x, tg_rope_config config, tg_rope_scaling scaling);

/* Rows of weight (V, C) picked by ids (TG_I64, any shape) -> (ids..., C); dweight adds each row's dy. An id
 * outside [0, V) is TG_ERR_INDEX. index_select: slices of x along dim picked by a 1-D index. gather:
 * y[i][j] = x[i][index[i][j]] for dim 1; index has x's rank and is no larger in the other dims. */
TG_API tg_tensor tg_embedding(tg_tensor weight, tg_tensor ids);
TG_API tg_tensor tg_index_select(tg_tensor x, int dim, tg_tensor index);
TG_API tg_tensor tg_gather(tg_tensor x, int dim, tg_tensor index);
/* Their transposes: a copy of x with the slices of source added at the 1-D index along dim; with source[i][j] added at
 * [i][index[i][j]] for dim 1, index and source of one shape. dx = dy, dsource is picked from dy. */
TG_API tg_tensor tg_index_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source);
TG_API tg_tensor tg_scatter_add(tg_tensor x, int dim, tg_tensor index, tg_tensor source);

/* In train mode each element is zeroed with probability p and the others scaled by 1/(1-p); the mask is kept.
 * In eval mode, or with p = 0, x itself. p outside [0, 1] is an error. */
TG_API tg_tensor tg_dropout(tg_tensor x, double p);

typedef enum { TG_MEAN, TG_SUM, TG_NONE } tg_reduction;
/* -log softmax(logits)[target], in nats; logits (N, C), or (..., C), targets TG_I64 of shape (N) or (...).
 * Rows whose target is ignore_index count for nothing (mean divides by the others; all ignored gives NaN, as
 * PyTorch). A target outside [0, C) is TG_ERR_INDEX. dlogits = (softmax - onehot) dy / n. */
enum { TG_IGNORE_INDEX = -100 };
TG_API tg_tensor tg_cross_entropy(tg_tensor logits, tg_tensor targets, int64_t ignore_index, tg_reduction reduction);
/* The same with a weight for each class (floating (C), or TG_NULL; it gets no gradient; the mean divides by the
 * targets' weights) and label smoothing s within [0, 1]: each class has s / C of the target. */
typedef struct tg_cross_entropy_config {
    tg_tensor weight;
    double label_smoothing;
    int64_t ignore_index;
    tg_reduction reduction;
} tg_cross_entropy_config;
#define TG_CROSS_ENTROPY_DEFAULTS (TG_LITERAL(tg_cross_entropy_config){TG_NULL, 0, TG_IGNORE_INDEX, TG_MEAN})
TG_API tg_tensor tg_cross_entropy_with(tg_tensor logits, tg_tensor targets, tg_cross_entropy_config config);
/* Losses of x and a target z of its shape, averaged, summed or left as they are; z has a gradient too.
 *   mse_loss        (x - z)^2
 *   l1_loss         |x - z|
 *   huber_loss      (x - z)^2 / 2 where |x - z| <= delta, else delta (|x - z| - delta / 2)
 *   bce_with_logits -z ln sigmoid(x) - (1 - z) ln(1 - sigmoid(x))
 *   kl_div          z (ln z - x), 0 where z = 0: x are log-probabilities. PyTorch's "batchmean" is the sum / N. */
TG_API tg_tensor tg_mse_loss(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_l1_loss(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_huber_loss(tg_tensor x, tg_tensor z, double delta, tg_reduction reduction);
TG_API tg_tensor tg_bce_with_logits(tg_tensor x, tg_tensor z, tg_reduction reduction);
TG_API tg_tensor tg_kl_div(tg_tensor x, tg_tensor z, tg_reduction reduction);

/* softmax(q k^T scale + mask) v: q (..., T, d), k (..., S, d), v (..., S, dv) -> (..., T, dv); leading dims broadcast.
 * mask (broadcasts to (..., T, S)): TG_NULL; TG_BOOL, true where attention is allowed; or floating, added to the
 * scores. causal: position i sees 0 .. i only. dropout_p acts on the attention weights in train mode. scale: 0 means
 * 1/sqrt(d). A query with nothing to see gives zeros. Keeps q, k, v, mask, y and two numbers per query (Dao et al.
 * 2022; Milakov, Gimelshein 2018), from which the weights come out right however large the scores; a (T, S) matrix only
 * in wide heads (d + dv >= 768), where it takes no more memory than q and y: S <= d + dv. Weights are divided by their
 * sum at the end: where |v| is above the largest number / S, y may overflow. */
TG_API tg_tensor tg_scaled_dot_product_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask, bool causal,
                                                 double dropout_p, double scale);

/* The same with what published models add. Of a query at place i = offset + where it is along T, a key at place j and
 * their score s = scale q . k, in this order:
 *   softcap    s becomes softcap tanh(s / softcap) (Gemma 2); 0: none
 *   alibi      s -= alibi[h] |i - j|, a slope for each of q's heads h, (H) (Press, Smith, Lewis 2022); no gradient
 *   mask       as above
 *   causal     hides keys unless j <= i
 *   window     hides keys unless |i - j| < window (causal: the last `window` keys are seen); 0: none
 *   documents  hides keys of other documents: TG_I64 (S), or (N, S) with q's first size N; neighbours of one number
 *              are of one document. T + offset <= S.
 *   sinks      e^sinks[h] is added to what softmax divides by, (H) (Xiao et al. 2024; gpt-oss)
 * What causal, window and documents hide costs next to nothing: tiles of it are left out.
 * enable_gqa: q (..., n H, T, d) and k, v (..., H, S, d): n heads of queries share a head of keys (Ainslie et al.
 * 2023). Leading dims broadcast. The VJP keeps alibi, sinks and documents too. tg_gradients through softcap, alibi,
 * sinks or documents records the composition of operations, with (T, S) matrices. */
typedef struct tg_attention_config {
    tg_tensor mask, alibi, sinks, documents; /* or TG_NULL */
    bool causal, enable_gqa;
    int64_t offset, window;
    double softcap, dropout_p, scale;
} tg_attention_config;
#define TG_ATTENTION_DEFAULTS \
    (TG_LITERAL(tg_attention_config){TG_NULL, TG_NULL, TG_NULL, TG_NULL, false, false, 0, 0, 0, 0, 0})
TG_API tg_tensor tg_scaled_dot_product_attention_with(tg_tensor q, tg_tensor k, tg_tensor v,
                                                      tg_attention_config config);

/* ---- An operation of your own ---------------------------------------------------------------------------- */

/* What forward and vjp are given. All arrays are contiguous and row-major, of the tape's dtype unless the
 * input's is TG_I64 (int64_t) or TG_BOOL (bool). */
typedef struct tg_call {
    int n_inputs;
    const void *const *input;    /* the inputs' elements */
    const tg_shape *input_shape; /* and shapes */
    void *output;                /* forward: to be filled; vjp: as forward left it */
    const tg_shape *output_shape;
    const void *output_grad; /* vjp: dy */
    void *const *input_grad; /* vjp: ADD to these; NULL where no gradient is wanted */
    const void *context;     /* the bytes given to tg_custom, copied */
    /* of tg_custom_with: */
    int n_outputs;                   /* output_shape has as many shapes */
    void *const *outputs;            /* output and output_grad are the first of these */
    const void *const *output_grads; /* zeros for an output that the loss does not depend on */
    void *saved;                     /* forward: to be filled; vjp: as forward left it */
} tg_call;

/* Both return 0, or anything else to fail with TG_ERR_STATE; an error that they leave on the tape is theirs too. Either
 * dtype may be missing (NULL): using the op on a tape of that dtype is then an error. vjp may be missing alone:
 * backward is then an error where it needs the gradient of an input. The struct must outlive the tape. The gradient
 * check calls both with inputs that the tape does not have, up to three quarters of their size away. A callback that
 * cannot take them has to return non-zero, and may never read or write out of bounds. */
typedef struct tg_custom_op {
    const char *name; /* not empty: messages carry it */
    int (*forward_f32)(const tg_call *call);
    int (*vjp_f32)(const tg_call *call);
    int (*forward_f64)(const tg_call *call);
    int (*vjp_f64)(const tg_call *call);
} tg_custom_op;

/* Record op on the inputs (1 to 16, made contiguous when they are not) with a result of the given shape. It behaves
 * like a built-in operation everywhere: gradients, replay, anomaly mode, gradient check. */
TG_API tg_tensor tg_custom(const tg_custom_op *op, const tg_tensor *inputs, int n_inputs, tg_shape shape,
                           const void *context, size_t context_size);

/* The same with numbers that forward keeps for vjp, and with several results: all of the tape's dtype, one block of
 * memory with one gradient, so that vjp runs once and gets the gradients of all of them. Each output is a view of that
 * block: tg_retain_grad and tg_register_hook come before another view is taken of it. saved numbers belong to the
 * call and live as long as its results; replays and checkpoint scopes fill them again. The gradient check moves them by
 * about their last bit, so what stands for an index is to be rounded when it is read.
 * outputs gets n_outputs tensors, null handles after an error: n_outputs or n_inputs not in 1 to 16, a shape or a
 * number of saved that no tensor can have, and those of tg_custom. tests/outside/linear_attention.c shows both. */
typedef void (*tg_custom_grads)(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                                tg_tensor *dx, const void *context);
typedef struct tg_custom_config {
    int n_outputs;
    const tg_shape *shape; /* of each output */
    int64_t saved;         /* how many numbers */
    const void *context;
    size_t context_size;
    tg_custom_grads grad; /* as in tg_custom_set_grad, with a y and a dy for each output; NULL: no second derivatives */
} tg_custom_config;
TG_API TG_MUST_USE tg_status tg_custom_with(const tg_custom_op *op, const tg_tensor *inputs, int n_inputs,
                                            tg_custom_config config, tg_tensor *outputs);

/* The VJP of op, written in operations, for tg_gradients through y, a result of tg_custom: dx[i] from the inputs x, y
 * and dy, in x[i]'s shape or one that it broadcasts to; TG_NULL where there is none. The call that asked
 * for gradients fails when a dx[i] is anything else, of another dtype or tape or rewound away. */
typedef void (*tg_custom_grad)(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx,
                               const void *context);
TG_API TG_MUST_USE tg_status tg_custom_set_grad(tg_tensor y, tg_custom_grad grad);

/* Where y has kinks (relu at 0, a maximum at a tie): which formula made each of its elements. branch[j] is any number
 * that says so, x[j] > 0 or the place of the largest; the gradient check calls a step over a change of it a kink, and
 * takes each side alone, as it does for built-in operations. Called by the check only, with float64 elements; returns
 * as forward does. Of several outputs y is any, and branch has the elements of all, one output behind another. */
typedef int (*tg_custom_branches)(const tg_call *call, int64_t *branch);
TG_API TG_MUST_USE tg_status tg_custom_set_branches(tg_tensor y, tg_custom_branches branches);

/* ---- A layer of your own --------------------------------------------------------------------------------- */

/* A layer is a struct of tensors and a function that composes operations. What the layers of nn/ need beyond
 * operations is here, and they use nothing else:
 *
 *     tg_tensor scale_forward(const scale *l, tg_tensor x) {
 *         tg_tape *t = tg_operands("scale", "ff", 2, (tg_tensor[]){x, l->weight});
 *         if (t && tg_size(x, -1) != tg_numel(l->weight))
 *             tg_reject(t, TG_ERR_SHAPE, "scale: x %s, weight %s", tg_describe(x).s, tg_describe(l->weight).s);
 *         return tg_mul(x, l->weight);
 *     }
 *
 * After tg_reject every operation is inert, so the last line needs no branch. */

/* The tape that x was made on; NULL for the null tensor. */
TG_API tg_tape *tg_tape_of(tg_tensor x);
/* Checks that these n tensors are usable operands, all of one tape. kinds has a letter for each: f floating, i TG_I64,
 * b TG_BOOL,
 * * any; F, I, B, A the same or the null tensor. The tape, or NULL: then the tape of the first operand that has one
 * holds an error that begins with name. */
TG_API tg_tape *tg_operands(const char *name, const char *kinds, int n, const tg_tensor *x);
/* Fail as an operation does: note the error, unless the tape holds one already. Returns status. */
TG_API tg_status tg_reject(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);
/* Names and paths from outside may hold what a terminal obeys. In place: control characters, line ends too, invisible
 * ones that reorder a line, and what is no UTF-8 become '?'. Errors, warnings, and whatever the library itself writes
 * for people are so already; tg_name() and tg_list_file() give names as they are. */
TG_API void tg_make_printable(char *s);
/* For messages: x's name, if any, and shape, "W_query (3, 2)"; a shape. Use .s within the same expression. */
typedef struct tg_text {
    char s[112];
} tg_text;
TG_API tg_text tg_describe(tg_tensor x);
TG_API tg_text tg_shape_text(const tg_shape *shape);
TG_API const char *tg_dtype_name(tg_dtype dtype); /* "float32" */
/* Zeroed memory for n elements of this size, aligned for any type, until the tape is rewound to before this call;
 * NULL after an error. */
TG_API void *tg_tape_alloc(tg_tape *t, size_t n, size_t size);

/* ---- Gradient check -------------------------------------------------------------------------------------- */

/* FULL sees every element; FAST's cost does not grow with their number. */
typedef enum { TG_GRADCHECK_FULL, TG_GRADCHECK_FAST } tg_gradcheck_mode;

typedef struct tg_gradcheck_config {
    tg_gradcheck_mode mode;
    double eps;        /* the step of the table's central differences */
    double atol, rtol; /* PyTorch's rule, for the table: agrees where |analytic - numeric| <= atol + rtol |numeric| */
    int directions;    /* FAST: how many paths */
    uint64_t seed;     /* of the cotangent and the paths */
    void (*progress)(int64_t done, int64_t total, void *context); /* NULL: none */
    void *context;
} tg_gradcheck_config;
#define TG_GRADCHECK_DEFAULTS (TG_LITERAL(tg_gradcheck_config){TG_GRADCHECK_FULL, 1e-6, 1e-5, 1e-3, 3, 20240607, 0, 0})

/* RIGHT, WRONG and CANNOT_TELL: see tg_gradcheck. KINK: right, and the point itself lies on a kink (relu at 0). */
typedef enum { TG_GRAD_RIGHT, TG_GRAD_KINK, TG_GRAD_CANNOT_TELL, TG_GRAD_WRONG } tg_grad_verdict;

/* What an operation's wrong gradient looks like. A name is proved: what the mistake would make of the operation's
 * Jacobian is this gradient, for two dy. UNKNOWN: see the diagnosis. FLOAT32: wrong in the float32 kernel alone. */
/* clang-format off */
typedef enum {
    TG_MISTAKE_NONE, TG_MISTAKE_UNKNOWN, TG_MISTAKE_SIGN, TG_MISTAKE_MISSING_MEAN, TG_MISTAKE_EXTRA_MEAN,
    TG_MISTAKE_TWICE, TG_MISTAKE_HALF, TG_MISTAKE_SCALE, TG_MISTAKE_FACTOR, TG_MISTAKE_ZERO, TG_MISTAKE_OVERWRITE,
    TG_MISTAKE_TRANSPOSED, TG_MISTAKE_PERMUTED, TG_MISTAKE_TAIL, TG_MISTAKE_NOT_SUMMED, TG_MISTAKE_MASK,
    TG_MISTAKE_REDRAWN, TG_MISTAKE_NO_DY, TG_MISTAKE_PASSED_ON, TG_MISTAKE_NOT_FINITE, TG_MISTAKE_STALE,
    TG_MISTAKE_NONDETERMINISTIC, TG_MISTAKE_WRITES, TG_MISTAKE_FLOAT32, TG_MISTAKE_ACCUMULATION, TG_N_MISTAKES
} tg_mistake;
/* clang-format on */
TG_API const char *tg_mistake_name(tg_mistake mistake); /* short: "sign flipped" */

/* One derivative, of y (of sum v y where y has several elements) by an element of a leaf, or along direction `element`
 * where the leaf is "". analytic is backward's, numeric the central difference by float64, error its bar. */
typedef struct tg_gradcheck_row {
    char leaf[48];                    /* its name, or "tensor 3" */
    uint32_t tensor;                  /* its place on the tape */
    int64_t element, elements, wrong; /* row-major; how many of the leaf were looked at one by one, and are wrong */
    double analytic, numeric, error, left, right; /* left, right: one-sided differences */
    double relative; /* |analytic - numeric| / max(|analytic|, |numeric|, a thousandth of the leaf's largest) */
    tg_grad_verdict verdict;
    const char *reason; /* where table and verdict differ: why; else NULL */
    tg_shape shape;
} tg_gradcheck_row;

/* What a verdict rests on: a path through the point at 0, in units of its direction, in two pieces. f is sum v y less
 * its value at the point; terms is the integral of sum |g dx|, residual = f_b - f_a - integral. */
typedef struct tg_gradcheck_piece {
    double a, b, f_a, f_b, integral, terms, residual, noise;
} tg_gradcheck_piece;
typedef struct tg_gradcheck_line {
    char path[48]; /* what moves: "all leaves", "W" */
    bool float32;  /* on the kernels that train; else in float64 */
    int64_t elements;
    double length, share, ratio, longer, rounding; /* share of it beyond noise; |r| / D; next longer path's; tape's */
    tg_gradcheck_piece piece[2];
    tg_grad_verdict verdict;
    const char *reason;
} tg_gradcheck_line;

enum { TG_GRADCHECK_ROWS = 64, TG_GRADCHECK_LINES = 8 };
typedef struct tg_gradcheck_result {
    tg_grad_verdict verdict; /* the worst of all */
    tg_gradcheck_mode mode;
    bool scalar;                       /* y has one element; else f = sum v y, v random in +-[0.5, 1.5] */
    char summary[320], diagnosis[400]; /* one line; what the operation's wrong gradient looks like */
    int64_t leaves, compared, wrong, cannot_tell, kinks, evaluations; /* compared: elements, or FAST's paths */
    double worst, factor; /* the rows' largest relative error; wrong = factor * right, when it is so, else 0 */
    /* The first operation on the tape that is wrong on its own recorded inputs; op is "" when none is. */
    char op[48], shapes[256]; /* "(2, 3), (3, 4) -> (2, 4)" */
    uint32_t tensor;          /* its result */
    int operand, wrong_ops;   /* whose gradient is wrong, from 1 (0: the result is); how many are wrong on their own */
    tg_mistake mistake;       /* of that operand */
    int n_lines, n_rows;
    tg_gradcheck_line line[TG_GRADCHECK_LINES]; /* those that decided first */
    tg_gradcheck_row row[TG_GRADCHECK_ROWS]; /* leaves up to 64 elements whole; of others the wrong, and some drawn */
} tg_gradcheck_result;

/* Checks that backward computes dy/dleaf for every leaf that requires a gradient. y is any recorded floating tensor.
 * The judge is a finite difference over an ordinary distance: on every path f(b) - f(a) is the integral of <g, dx>, for
 * every right gradient g of f = sum v y, kinks included, and for no wrong one (core/gradcheck/judge.c: theorem, noise,
 * constants). Elements move by 1/4 to 3/4 of their size along a path through the point, made 16 times shorter (4 in
 * float32) until there is a verdict. With the residual r = f(b) - f(a) - integral of a piece, its noise N, which is
 * measured, and D = |f(b) - f(a)| + terms of both pieces together:
 *   RIGHT        |r| <= N on each piece, and the sum of both N <= D / 64; or D is below 512 times the tape's rounding.
 *   WRONG        |r| > N over more than half of the length, |r| / D, with |r| summed over both pieces, within a quarter
 *                of the next longer path's, along a second path too; or, in float64 and no kink hidden, a gradient at
 *                the point that it has not beside it.
 *   CANNOT_TELL  otherwise; the line's reason says whether rounding, jumps or the domain is in the way.
 * FULL moves elements by classes (a factor of 16 of |g x|), each along two paths, then equal elements together (what
 * ties share out has to add up), halves what is wrong until the elements are known, and puts each operation alone, on
 * its own operands, through the same. FAST moves all leaves at once. Errors of several elements cancel within h of the
 * largest with probability 2 h a path. A float32 tape is checked in float64, on a copy with its random masks, then on
 * its own kernels: WRONG there takes an operation that is wrong alone. Tested directly: backward is linear in dy, adds
 * to gradients and writes nowhere else; two equal runs, and checkpoint scopes computed again, give the same bits.
 * Elements infinite on purpose (masked_fill) get no cotangent. A gradient stopped on purpose (tg_detach, no_grad)
 * counts as wrong. f that jumps (round, a table) is outside of this.
 * Hooks take no part; data, gradients and generator stay. TG_OK when all is right (kinks included), else TG_ERR_NUMERIC
 * with the summary as the tape's error, or another error: y requires no gradient, it or a gradient is not finite for a
 * reason that is no mistake, eps does not suit the values, a custom op has no float64 callbacks. result may be NULL. */
TG_API TG_MUST_USE tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result);
/* For a reader: the summary, a table, the lines, where and why; the same as JSON. */
TG_API TG_MUST_USE tg_status tg_gradcheck_print(FILE *file, const tg_gradcheck_result *result);
TG_API TG_MUST_USE tg_status tg_gradcheck_print_json(FILE *file, const tg_gradcheck_result *result);
/* Central differences of y (one element) by each element of a leaf, step eps, in float64: a new leaf of its shape. */
TG_API tg_tensor tg_numeric_gradient(tg_tensor y, tg_tensor leaf, double eps);

/* Second derivatives by the same judge, in float64, of <u, g>, whose gradient is H u: u and w random, g the gradient of
 * sum w y, H its Hessian. Errors are tg_gradcheck's and tg_gradients' (a custom operation without a grad). */
typedef struct tg_second_result {
    tg_grad_verdict verdict;
    char summary[320];
    double difference;      /* the largest residual of <u, g> over an ordinary path, as a part of what moved */
    double adjoint;         /* |g recorded - g of the VJP kernels| / |g|: grad against the kernels */
    double symmetry;        /* |u^T H v - v^T H u| / (|u| |H v|) */
    tg_gradcheck_line line; /* what decided */
} tg_second_result;
TG_API TG_MUST_USE tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result);
TG_API TG_MUST_USE tg_status tg_gradcheck_second_print(FILE *file, const tg_second_result *result);

/* ---- Files: named tensors as safetensors ----------------------------------------------------------------- */

/* Write every named parameter and buffer. path holds its old content or the new, never a part, whatever happens, a
 * power cut included: a temporary file in the same folder is written, brought to the disk and renamed, and the folder
 * brought to the disk. Temporary files of processes that were killed are removed by the next save in their folder.
 * The new file has the permissions of the one it replaces, or else those of any new file, and belongs to whoever saves;
 * other hard links keep the old content; a symbolic link is replaced, not followed. What is no regular file, or
 * read-only, is refused. Names that begin with "tapegrad." are the library's own. */
TG_API TG_MUST_USE tg_status tg_save(tg_tape *t, const char *path);

/* Files of other programs, whose names and layouts differ. A rule tells where the tensors with this name are in the
 * file: one * in both names stands for the same text, {"model.*", "*"} takes a prefix off. The first rule that fits
 * counts; where none does the name is the tape's. */
typedef struct tg_file_rule {
    const char *name, *file_name;
    bool transpose;  /* a matrix that the file has transposed */
    int part, parts; /* the file has `parts` such tensors behind one another along their first dim, and this is number
                        `part` of them; 0, 0: it has this one alone.
                        parts < 0, the reverse: the tape's tensor has -parts equal pieces behind one another along its
                        first dim, and the file's has those from number `part` up to where the next of these rules
                        begins. All rules for the name whose parts are equal to the first one's count:
                          {"*.in_proj_weight", "*.q_proj.weight", false, 0, -3},
                          {"*.in_proj_weight", "*.k_proj.weight", false, 1, -3},
                          {"*.in_proj_weight", "*.v_proj.weight", false, 2, -3}
                        or 0, 8 and 10 of -12 for 8 heads of queries and 2 of keys and values. */
} tg_file_rule;

typedef struct tg_save_config {
    bool replace_read_only;      /* also a file that cannot be written */
    tg_list only;                /* these named tensors; n = 0: all */
    const char *dtype;           /* of floating tensors in the file: "F16", "BF16", "F32", "F64"; NULL: the tape's */
    const char *const *metadata; /* texts for the header: key, value, key, value, ..., NULL; NULL: none */
    const tg_file_rule *rule;    /* all parts of a tensor of the file must be saved, and none of it twice */
    int n_rules;
} tg_save_config;
#define TG_SAVE_DEFAULTS (TG_LITERAL(tg_save_config){false, {0, 0, 0}, 0, 0, 0, 0})
TG_API TG_MUST_USE tg_status tg_save_with(tg_tape *t, const char *path, tg_save_config config);

/* TG_OK when tg_save would write here, to be asked before an hour of training. Changes nothing that is there. */
TG_API TG_MUST_USE tg_status tg_check_save(tg_tape *t, const char *path);

/* Read into the tensors of the same names and shapes; F16, BF16, F32 and F64 convert to the tape's dtype, where a
 * number that would become infinite is an error, as it is when saving. All is validated and read before anything is
 * changed (core/io/load.c says what); a name missing on either side is an error. The memory for it is given back to the
 * allocator before the call ends, whether it succeeds or not. */
TG_API TG_MUST_USE tg_status tg_load(tg_tape *t, const char *path);

/* Part of a file, into part of a tape. By the rules two tensors may come from one (tied). A path may also be that of an
 * index, model.safetensors.index.json, of a model in several files: they lie beside it, and all must be there. */
typedef struct tg_load_config {
    tg_list only; /* into these named tensors; n = 0: into all */
    const tg_file_rule *rule;
    int n_rules;
    bool allow_missing; /* tensors that the file lacks keep their values */
    bool allow_extra;   /* names in the file that are not asked for are passed over */
    /* Called with one line for each tensor that is missing, extra or of another shape or dtype, allowed or not. */
    void (*report)(const char *line, void *context);
    void *context;
} tg_load_config;
#define TG_LOAD_DEFAULTS (TG_LITERAL(tg_load_config){{0, 0, 0}, 0, 0, false, false, 0, 0})
TG_API TG_MUST_USE tg_status tg_load_with(tg_tape *t, const char *path, tg_load_config config);

/* Call visit for each tensor in a file, by name. The header alone is read, and validated. */
typedef struct tg_file_tensor {
    const char *name, *dtype; /* until visit returns; dtype: "F32", "BF16", ... */
    tg_shape shape;           /* ndim is -1 when a tape could not have it: over 8 dims */
    uint64_t bytes;
} tg_file_tensor;
typedef void (*tg_file_visit)(const tg_file_tensor *x, void *context);
TG_API TG_MUST_USE tg_status tg_list_file(tg_tape *t, const char *path, tg_file_visit visit, void *context);

/* One array as NumPy's .npy, one's own data: written as numpy.save would, with tg_save's safety; read, whole or not at
 * all, into a new leaf: f2, f4, f8 as the tape's dtype, i1 to i8 and u1 to u8 as TG_I64, b1 as TG_BOOL, in C's or
 * Fortran's order. */
TG_API TG_MUST_USE tg_status tg_save_npy(tg_tensor x, const char *path);
TG_API tg_tensor tg_load_npy(tg_tape *t, const char *path);

/* ---- Profile --------------------------------------------------------------------------------------------- */

/* Where a step's time goes. Switching on counts from zero; what was counted stays when it is off. tg_profile_print
 * writes a table with a line for each operation and optimizer, the slowest first: calls; total time and its share of
 * the elapsed time; time of forward and backward; per second, the floating-point operations that the formula needs (see
 * core/ops) and the least bytes to be moved (see core/profile.c). TG_ERR_STATE when the profile was never on. */
TG_API void tg_set_profile(tg_tape *t, bool on);
TG_API TG_MUST_USE tg_status tg_profile_print(FILE *file, tg_tape *t);

/* ---- Text ------------------------------------------------------------------------------------------------ */

/* As PyTorch prints: tensor([[0.1117, 0.8158], ...]), 4 decimals, brackets and columns aligned, summarised above
 * 1000 elements. tg_format writes at most size bytes with the closing NUL and returns the length needed. */
TG_API size_t tg_format(tg_tensor x, char *out, size_t size);
TG_API TG_MUST_USE tg_status tg_print(FILE *file, tg_tensor x);

/* ---- Pictures -------------------------------------------------------------------------------------------- */

/* What y was made by: every leaf (by name) and operation that it depends on, with its shape and the norm of the
 * gradient that it has: leaves after backward, others when they retain it. As a graph for Graphviz (dot -Tsvg); as SVG,
 * a row for each operation in the order of the tape, the leaves that it uses beside it, lines from other operations. */
TG_API TG_MUST_USE tg_status tg_graph_dot(FILE *file, tg_tensor y);
TG_API TG_MUST_USE tg_status tg_graph_svg(FILE *file, tg_tensor y);
/* A floating matrix (rows, columns) as SVG, with a scale beside it; with the numbers up to 400 of them. White is 0, or
 * the smallest, dark blue the largest; where numbers have both signs red is above 0, blue below. Numbers of which most
 * are near 0 (none below, their mean below a quarter of the largest) are coloured by their square root: weights of
 * attention. A label for each row and column, or NULL. title may be NULL. TG_ERR_SHAPE above 65536 elements. */
TG_API TG_MUST_USE tg_status tg_heatmap_svg(FILE *file, tg_tensor x, const char *title, const char *const *rows,
                                            const char *const *columns);
/* Each of at most 8 rows (lines, n) as a line, over axes with round numbers; what is not finite leaves a gap. first,
 * step > 0: the points are at first, first + step, ... (0, 1, ...); log: y's axis is logarithmic, and what is not above
 * 0 leaves a gap too. Texts may be NULL; labels has one for each line. TG_ERR_SHAPE above 65536 elements. */
typedef struct tg_lines_config {
    const char *title, *x, *y; /* above; of the axes */
    const char *const *labels;
    double first, step;
    bool log;
} tg_lines_config;
#define TG_LINES_DEFAULTS (TG_LITERAL(tg_lines_config){0, 0, 0, 0, 0, 1, false})
TG_API TG_MUST_USE tg_status tg_lines_svg_with(FILE *file, tg_tensor y, tg_lines_config config);
TG_API TG_MUST_USE tg_status tg_lines_svg(FILE *file, tg_tensor y, const char *title, const char *const *labels);

#ifdef __cplusplus
}
#endif
#endif
