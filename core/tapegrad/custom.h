/* tapegrad: operations and layers of your own. An operation of callbacks (forward and VJP), with saved numbers and
 * several results, with a VJP in operations, with kinks; then functions for layers composed of operations. */
#ifndef TAPEGRAD_API_CUSTOM_H
#define TAPEGRAD_API_CUSTOM_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- An operation of your own ---- */

/* The arguments of forward and vjp. All arrays are contiguous and row-major, of the tape's dtype unless the input's is
 * TG_I64 (int64_t) or TG_BOOL (bool). */
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

/* Both return 0, or anything else to fail with TG_ERR_STATE; an error that they leave on the tape fails the call too.
 * Either dtype may be missing (NULL): using the op on a tape of that dtype is then an error. vjp may be missing alone:
 * backward is then an error where it needs the gradient of an input. The struct must outlive the tape. The gradient
 * check calls both with other inputs than the tape's, each element up to three quarters of its size away. A callback
 * that cannot handle them must return non-zero; it must never read or write out of bounds. */
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

/* The same with numbers that forward saves for vjp, and with several results, all of the tape's dtype. They share one
 * block of memory with one gradient, so that vjp runs once for all of them. Each output is a view of that block: call
 * tg_retain_grad and tg_register_hook before another view is taken of it. saved numbers belong to the call and live as
 * long as its results; replays and checkpoint scopes fill them again. The gradient check changes them in about their
 * last bit: round a saved index when reading it.
 * outputs gets n_outputs tensors, null handles after an error: n_outputs or n_inputs not in 1 to 16, a shape or a
 * number of saved that no tensor can have, or an error of tg_custom. tests/outside/linear_attention.c shows both. */
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
 * and dy, in x[i]'s shape or one that it broadcasts to; TG_NULL only where x[i] requires no gradient, so zeros for
 * one that y does not depend on. The call that asked for gradients fails when a dx[i] that it needs is TG_NULL, of
 * another shape, dtype or tape, or rewound away. */
typedef void (*tg_custom_grad)(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx,
                               const void *context);
TG_API TG_MUST_USE tg_status tg_custom_set_grad(tg_tensor y, tg_custom_grad grad);

/* For an operation with kinks (relu at 0, a maximum at a tie): reports which formula gave each element of y. branch[j]
 * is any number that identifies it, such as x[j] > 0 or the index of the largest. Where it changes along a step the
 * gradient check sees a kink and takes each side alone, as it does for built-in operations. Only the check calls it,
 * with float64 elements; it returns as forward does. With several outputs y is any of them, and branch has the elements
 * of all, one output after another. */
typedef int (*tg_custom_branches)(const tg_call *call, int64_t *branch);
TG_API TG_MUST_USE tg_status tg_custom_set_branches(tg_tensor y, tg_custom_branches branches);

/* ---- A layer of your own ---- */

/* A layer is a struct of tensors and a function that composes operations. The functions that the layers of nn/ need
 * besides operations are here; they use nothing else:
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
 * b TG_BOOL, and * any; F, I, B, A the same or the null tensor. Returns the tape, or NULL: then the tape of the first
 * operand that has one holds an error that begins with name. */
TG_API tg_tape *tg_operands(const char *name, const char *kinds, int n, const tg_tensor *x);
/* Fail as an operation does: note the error, unless the tape holds one already. Returns status. */
TG_API tg_status tg_reject(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);
/* Names and paths from outside may hold control sequences of a terminal. In place, control characters (line ends too),
 * invisible characters that reorder a line, and invalid UTF-8 become '?'. Errors, warnings and all that the library
 * itself writes for people are printable already; tg_name() and tg_list_file() give names as they are. */
TG_API void tg_make_printable(char *s);
/* For messages: x's name, if any (of a long one begin and end), and shape, "W_query (3, 2)"; a shape. Use .s within the
 * same expression. */
typedef struct tg_text {
    char s[112];
} tg_text;
TG_API tg_text tg_describe(tg_tensor x);
TG_API tg_text tg_shape_text(const tg_shape *shape);
TG_API const char *tg_dtype_name(tg_dtype dtype); /* "float32" */
/* Zeroed memory for n elements of this size, aligned for any type, until the tape is rewound to before this call;
 * NULL after an error. */
TG_API void *tg_tape_alloc(tg_tape *t, size_t n, size_t size);

#ifdef __cplusplus
}
#endif
#endif
