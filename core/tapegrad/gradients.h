/* tapegrad: gradients. Which leaves have one; backward; gradients as recorded tensors, jvp, hvp, Jacobian, Hessian;
 * reading and dropping gradients, hooks; flat blocks for several processes; no_grad and checkpoint scopes; anomaly mode
 * and a log of backward. */
#ifndef TAPEGRAD_API_GRADIENTS_H
#define TAPEGRAD_API_GRADIENTS_H

#include "core/tapegrad/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Backward ---- */

/* Freeze (false) or unfreeze (true) a floating leaf, which is returned. An operation's result requires a gradient when
 * an input does. A leaf that is frozen after an operation used it gets no gradient from later backwards; through a use
 * while it was frozen it gets none, even if it is unfrozen later. */
TG_API tg_tensor tg_set_requires_grad(tg_tensor leaf, bool requires_grad);
TG_API bool tg_requires_grad(tg_tensor x);

/* Add dloss/dleaf to the gradient of every leaf that requires one and that y depends on; other leaves keep what they
 * had (none, at first). y must be a scalar, or have one element; tg_backward_with() takes any y and a cotangent of y's
 * shape, and computes the vector-Jacobian product. Calling it again over the same graph adds again. Gradients of
 * intermediates live only while they are needed (see tg_retain_grad).
 * Errors, all found before anything is changed: y requires no gradient; y is not a scalar; data that a recorded
 * operation saved for its gradient was modified since (the operation is named). An error on the way (memory, a hook,
 * anomaly mode) leaves every leaf's gradient as it was before the call. */
TG_API TG_MUST_USE tg_status tg_backward(tg_tensor y);
TG_API TG_MUST_USE tg_status tg_backward_with(tg_tensor y, tg_tensor cotangent);

/* ---- Gradients of gradients ---- */

/* dxs[i] = the gradient of y with respect to xs[i], as recorded tensors: to be used in further operations and
 * differentiated again, to any order. The xs are any floating tensors that require a gradient, leaves or results; one
 * that y does not depend on gets zeros. dy: a cotangent of y's shape, or TG_NULL for a y of one element. It may require
 * a gradient too. Gradients that leaves have accumulated stay as they are; hooks are not called. Between
 * tg_no_grad_begin and end the results are constants. They are recorded after y: tg_replay recomputes them, and a
 * rewind drops them.
 * Cost: the time of tg_backward, and memory for each of its operations.
 * Errors, after which nothing has changed: an operation without a grad (a custom one: tg_custom_set_grad); a path
 * through a checkpoint scope; a call inside a scope or a hook; an x that requires no gradient or is not floating; data
 * that was modified since (see tg_backward). */
TG_API TG_MUST_USE tg_status tg_gradients(tg_tensor y, tg_tensor dy, const tg_tensor *xs, int n, tg_tensor *dxs);

/* Directional derivatives, recorded too. vs[i] has the shape of xs[i].
 *   jvp   *jv = J v, the change of y (any shape) when the xs change by the vs: forward mode. It is the VJP of the VJP
 *         in its cotangent (Townsend 2017). The inner VJP is linear in the cotangent, so it is recorded without being
 *         computed. Time of about two forwards, memory for the operations of a backward. Where a custom operation's
 *         grad reads the elements of its dy, then or later, they are computed, for a cotangent of 0; TG_ERR_STATE when
 *         their operands were modified by then.
 *   hvp   hvs[i] = H v, the change of dy/dxs[i] (y has one element). Time of a backward of y and one of its gradient.
 * Errors as tg_gradients. */
TG_API TG_MUST_USE tg_status tg_jvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *jv);
TG_API TG_MUST_USE tg_status tg_hvp(tg_tensor y, const tg_tensor *xs, const tg_tensor *vs, int n, tg_tensor *hvs);

/* All derivatives of y with respect to x, (y's shape..., x's shape...), and all second ones, (x's shape..., x's
 * shape...) of a y with one element: constants, of which the tape keeps only the result. jacobian: a VJP for each
 * element of y, or a JVP for each of x, whichever are fewer. hessian: an hvp for each element of x. */
TG_API tg_tensor tg_jacobian(tg_tensor y, tg_tensor x);
TG_API tg_tensor tg_hessian(tg_tensor y, tg_tensor x);

/* ---- A leaf's gradient ---- */

/* The gradient as a new tensor (a copy); zeros for a leaf that no backward has reached yet, or whose gradient
 * was forgotten. TG_ERR_STATE for an intermediate that does not retain its gradient. */
TG_API tg_tensor tg_grad(tg_tensor x);
TG_API bool tg_has_grad(tg_tensor x);
TG_API TG_MUST_USE tg_status tg_write_grad(tg_tensor leaf, const double *values, int64_t n);
/* The memory of the gradient, not a copy: tg_numel(leaf) numbers of the tape's dtype, row-major, to be read and
 * changed. They hold the gradient until the next tg_zero_grad, after which they are undefined; backward and
 * tg_write_grad write to the same memory. The memory stays where it is, frozen leaf or not, until the tape is rewound
 * past the leaf or freed, or the flat blocks of tg_flatten_gradients begin or end. NULL after an error: TG_ERR_STATE
 * when there is no gradient (see tg_has_grad), for an operation's result, and in a hook. */
TG_API void *tg_grad_data(tg_tensor leaf);
/* Drop the gradient of one leaf (its views own none); of every tensor. The memory is kept. */
TG_API void tg_zero_grad(tg_tensor leaf);
TG_API void tg_zero_grads(tg_tape *t);

/* ---- Gradients of intermediates, hooks ---- */

/* Keep the gradient of an intermediate: tg_grad(x) is dloss/dx of the last backward of a loss that depends on x, even
 * when all leaves that x depends on are frozen. A view must be retained before another view is taken of it. */
TG_API TG_MUST_USE tg_status tg_retain_grad(tg_tensor x);

/* Called in backward once dloss/dx is complete, before it is passed on to x's inputs. The hook may change its n numbers
 * (of the tape's dtype, row-major). A view needs its hook before another view is taken of it. A result other than 0
 * stops the backward with TG_ERR_STATE, as does any error that the hook leaves on the tape. Calling backward, rewind,
 * replay or zero_grad in a hook is an error. */
typedef int (*tg_hook)(void *grad, int64_t n, tg_tensor x, void *context);
TG_API TG_MUST_USE tg_status tg_register_hook(tg_tensor x, tg_hook hook, void *context);

/* ---- Flat blocks, for several processes ---- */

/* For training in several processes that add up their gradients. From now on the gradients of these leaves are in a few
 * flat blocks, the last parameters first, in the order in which backward completes them: the first block has at most
 * `first` bytes, the others at most `rest`, and a larger parameter has one of its own (PyTorch's DDP takes 1 MiB and 25
 * MiB). Nothing is copied: backward, tg_zero_grad, clipping and optimizers work there. Each gradient is aligned to 64
 * bytes; the gaps are zeros.
 *
 * In every backward ready is called once for each block, in their order, as soon as it is complete: everything is
 * accumulated, and the hooks of its leaves have run. A leaf that no backward has reached has zeros in it. Until
 * backward returns the n numbers may be read, sent and changed, by other threads as well. A result other than 0 stops
 * backward with TG_ERR_STATE, as an error does that ready leaves on the tape. After a failed backward the gradients are
 * as before it or, if ready had been called, dropped. tg_set_ready(t, false) turns the calls off: for all but the last
 * of several backwards that accumulate. Calling tg_flatten_gradients again replaces the blocks; rewinding past one of
 * the leaves ends them all. Leaves that are no longer in a block keep their gradients in their own memory, which either
 * call may have to allocate. */
typedef int (*tg_ready)(int block, void *gradient, int64_t n, void *context);
TG_API TG_MUST_USE tg_status tg_flatten_gradients(tg_list parameters, size_t first, size_t rest, tg_ready ready,
                                                  void *context);
TG_API void tg_set_ready(tg_tape *t, bool on);
TG_API int tg_gradient_blocks(const tg_tape *t);
TG_API void *tg_gradient_block(tg_tape *t, int i, int64_t *n);
/* Copy the elements of these leaves, one leaf after another, in the tape's dtype, into a vector of n elements, as many
 * as they have together, and back: for broadcasting. A part of a list copies a part. Errors, after which nothing has
 * changed: another n; anything but a floating leaf of the list's tape. (torch.nn.utils.parameters_to_vector) */
TG_API TG_MUST_USE tg_status tg_parameters_to_vector(tg_list parameters, void *vector, int64_t n);
TG_API TG_MUST_USE tg_status tg_vector_to_parameters(const void *vector, int64_t n, tg_list parameters);
/* A 64-bit hash (FNV-1a) of the names, shapes and dtypes of these tensors and of the library's version, for processes
 * to compare before they add gradients up. 0 after an error. */
TG_API uint64_t tg_fingerprint(tg_list list);

/* ---- Scopes ---- */

/* Results between the two calls require no gradient, unless x itself is the result (tg_contiguous of a contiguous x).
 * Scopes nest. Results stay on the tape as outside. For memory that does not grow with a model's depth, copy each
 * layer's result over its input, a leaf, and rewind:
 *     tg_tensor x = tg_zeros(t, shape); tg_mark mark = tg_tape_mark(t); ... tg_copy_(x, embedded) ...
 *     for (i = 0; i < layers; i++) if (tg_copy_(x, layer_forward(&layer[i], x)) || tg_tape_rewind(t, mark)) ... */
TG_API void tg_no_grad_begin(tg_tape *t);
TG_API void tg_no_grad_end(tg_tape *t);

/* Gradient checkpointing: less memory for more time (Chen, Xu, Zhang, Guestrin 2016). torch.utils.checkpoint(f, x) is
 *     tg_checkpoint_begin(t); y = tg_checkpoint_end(t, f(x));
 * Of the results in between only the last is kept, as the copy y. Other handles and marks from inside become stale
 * (tg_grad of a retained gradient still works); leaves stay. Backward recomputes the rest when it gets there, with the
 * same random masks: gradients are the same in every bit, provided that custom operations are deterministic. As in
 * tg_backward, data that is read again must not be modified in between. Nested scopes act as one. Backward and replay
 * cannot be called inside. tg_checkpoint_end ends the scope in any case: when the tape holds an error, or y is unusable
 * (null, stale, not floating, of another tape), it returns null, handles from inside are stale, leaves stay. A scope
 * that a custom operation's callback opens drops nothing. While backward or a replay recomputes a scope, callbacks and
 * hooks may use those of its tensors that are computed already; their results are stale afterwards. */
TG_API void tg_checkpoint_begin(tg_tape *t);
TG_API tg_tensor tg_checkpoint_end(tg_tape *t, tg_tensor y);

/* ---- Debugging ---- */

/* While on, the first operation, forward or backward, that makes a NaN or Inf is an error (TG_ERR_NUMERIC) that
 * names it, its shapes, its place on the tape and the element. */
TG_API void tg_set_anomaly_mode(tg_tape *t, bool on);

/* Log every backward to file, until file is NULL: a line for each operation, in the order of backward, with its
 * result's place on the tape, name and shape, the norm of its gradient and, after the arrow, each input with the norm
 * of its gradient so far (see examples/backward.c). Views, whose gradients are windows into others, have no lines.
 * ferror(file) tells whether all was written. */
TG_API void tg_log_backward(tg_tape *t, FILE *file);

#ifdef __cplusplus
}
#endif
#endif
