/* Private: what a tensor is. */
#ifndef TAPEGRAD_TYPES_H
#define TAPEGRAD_TYPES_H

#include "core/tapegrad.h"

/* Masks are Inf, NaN is looked for, and the same bits for any number of threads rest on the order of sums. clang
 * defines no macro for some of these flags: the Makefile defines TG_FAST_MATH when it is given one. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(TG_FAST_MATH)
#error "tapegrad must not be compiled with -ffast-math, -Ofast or a flag of theirs: gradients would be wrong"
#endif

enum { TG_N_DTYPES = 4 };

typedef struct tg_node tg_node;
typedef struct tg_op tg_op;       /* core/op.h */
typedef struct tg_extra tg_extra; /* name and hooks: core/engine.h */

/* Where a tensor's gradient lies: in its owner's, from element `offset` on. */
typedef struct tg_window {
    tg_node *owner;
    ptrdiff_t offset;
    int64_t stride[TG_MAX_DIMS];
} tg_window;

/* A tensor on the tape. Its fields belong to phases; the legal combinations are:
 *
 * Recorded, fixed once the node is on the tape. op == NULL: a leaf, without inputs and constants. in[i] is NULL only
 * where the operation lets an operand be missing. requires_grad changes later on leaves alone.
 *
 * Storage. Either base == this: the elements are its own, data is its first, and they lie row-major (contiguous);
 * only what tg_checkpoint_end returned owns elements under other strides, its input's. Or a view: base is the leaf or
 * result whose elements it shares, never itself a view (base->base == base); its own begin at data, which is
 * base->data + offset. parked: an operation's result in a scope that has ended: no elements (data is NULL), and no
 * handle fits. When that ended with an error it stays so, of kind TG_OP_GIVEN_UP, without inputs and constants, and so
 * does what callbacks made of a scope's tensors.
 *
 * Gradient. Either window.owner == this: grad (dense in the layout of window.stride, offset 0) is its own, or NULL. Or
 * a window into its owner's, which has a window of its own (window.owner->window.owner == window.owner); grad, has_grad
 * and retain are the owner's, never its own. link != NULL: a view that owns its gradient; its VJP adds that through
 * link. has_grad: grad holds a gradient. Without it grad may be NULL or a buffer whose content means nothing.
 * grad_twin: this node and that one share one buffer, until one of them is added to (tg_grad_hand_over). Who lends
 * y the cotangent is no node of the tape (tg_grad_lend).
 *
 * Backward, without meaning between two of them: what is in `backward`. An operation's grad and has_grad are set only
 * while a backward runs, unless it retains its gradient. */
struct tg_node {
    /* recorded */
    const tg_op *op;
    tg_tape *tape;
    tg_node **in;   /* n_in inputs */
    bool *recorded; /* by input: it required a gradient when this was recorded */
    void *attr;     /* the operation's constants: no pointers into the tape */
    size_t attr_size;
    /* elements */
    tg_node *base;
    void *data;
    int64_t numel;
    uint64_t modified_at; /* the tape's clock when they were last changed */
    uint32_t index, epoch;
    uint32_t adapters; /* of its inputs' leaves, when it was recorded: see core/tape/adapter.c */
    uint8_t n_in, ndim, dtype;
    bool contiguous;
    /* a new node has zeros from here to size: gradient */
    void *grad;
    tg_node *grad_twin;
    tg_window *link;
    struct {
        tg_node *earlier; /* the next operation's result, or the next leaf, that it reached */
        void *kept_grad;  /* leaves: the gradient from before, to be added or restored */
        uint32_t pass;    /* of the last one that reached this node */
    } backward;
    void *saved;     /* n_saved reals that forward keeps for the VJP */
    tg_extra *extra; /* usually NULL */
    int64_t n_saved;
    ptrdiff_t offset; /* of a view: from its base's first element to its own */
    uint64_t run_at;  /* the tape's clock when forward last ran */
    uint8_t linear;   /* elementwise: bit i says that input i lies as the output does */
    bool requires_grad, has_grad, retain, parked;
    bool hollow; /* recorded but not computed, until it is read: see tg_jvp, tg_compute_hollow */
    bool live;   /* a leaf that requires a gradient now is reached through this tensor; see find_live in
                    core/backward/backward.c */
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS]; /* strides in elements */
    tg_window window;                               /* where its gradient lies */
};

static inline size_t tg_dtype_size(tg_dtype dtype) {
    static const uint8_t size[TG_N_DTYPES] = {sizeof(float), 8, 8, sizeof(bool)};
    return size[dtype];
}
static inline tg_tensor tg_handle(const tg_node *x) { return (tg_tensor){x->tape, x->index, x->epoch}; }
static inline bool tg_is_floating(const tg_node *x) { return x->dtype <= TG_F64; }

#endif
