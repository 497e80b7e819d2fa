/* Private: the representation of a tensor. */
#ifndef TAPEGRAD_TYPES_H
#define TAPEGRAD_TYPES_H

#include "core/tapegrad.h"

/* Masks are Inf, NaN is tested for, and equal bits for any number of threads need a fixed order of sums. clang defines
 * no macro for some of these flags: the Makefile defines TG_FAST_MATH when it is given one. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(TG_FAST_MATH)
#error "tapegrad must not be compiled with -ffast-math, -Ofast or a flag of theirs: gradients would be wrong"
#endif

enum { TG_N_DTYPES = 4 };

typedef struct tg_node tg_node;
typedef struct tg_op tg_op;       /* core/op.h */
typedef struct tg_extra tg_extra; /* name and hooks: core/engine.h */

/* The place of a tensor's gradient in its owner's: strides, from element `offset` on. */
typedef struct tg_window {
    tg_node *owner;
    ptrdiff_t offset;
    int64_t stride[TG_MAX_DIMS];
} tg_window;

/* A tensor on the tape. Its fields belong to phases; the legal combinations are:
 *
 * Recorded, fixed once the node is on the tape. op == NULL: a leaf, without inputs and constants. in[i] is NULL only
 * where the operand is optional. requires_grad changes later only on leaves.
 *
 * Storage. Either base == this: it owns its elements, data is the first, and they are row-major (contiguous); only a
 * result of tg_checkpoint_end owns elements with other strides, its input's. Or a view: base is the leaf or result
 * whose elements it shares, never itself a view (base->base == base); its own begin at data, which is base->data +
 * offset. parked: an operation's result in a scope that has ended: no elements (data is NULL), and its handles are
 * stale. If the scope ended with an error it stays parked, with kind TG_OP_GIVEN_UP and without inputs and constants;
 * so do the results that callbacks made from a scope's tensors.
 *
 * Gradient. Either window.owner == this: grad (dense in the layout of window.stride, offset 0) is its own, or NULL. Or
 * it is a window into its owner's, and the owner owns its own (window.owner->window.owner == window.owner); grad,
 * has_grad and retain are the owner's, never its own. link != NULL: a view that owns its gradient; its VJP adds that
 * through link. has_grad: grad holds a gradient. Without it grad may be NULL or a buffer with undefined content.
 * grad_twin: the node that shares this one's buffer until either is added to (tg_grad_hand_over). The lender of a
 * cotangent is not on the tape (tg_grad_lend).
 *
 * Backward: the fields in `backward`, undefined between two backwards. An operation's grad and has_grad are set only
 * while a backward runs, unless it retains its gradient. */
struct tg_node {
    /* recorded */
    const tg_op *op;
    tg_tape *tape;
    tg_node **in;   /* n_in inputs */
    bool *recorded; /* per input: it required a gradient when this was recorded */
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
        tg_node *earlier; /* the next operation's result, or the next leaf, in the chain */
        void *kept_grad;  /* leaves: the previous gradient, to be added or restored */
        uint32_t pass;    /* of the last backward that reached this node */
    } backward;
    void *saved;     /* n_saved reals that forward keeps for the VJP */
    tg_extra *extra; /* usually NULL */
    int64_t n_saved;
    ptrdiff_t offset; /* of a view: from its base's first element to its own */
    uint64_t run_at;  /* the tape's clock when forward last ran */
    uint8_t linear;   /* elementwise: bit i is set when input i has the output's strides */
    bool requires_grad, has_grad, retain, parked;
    bool hollow; /* recorded but not computed, until it is read: see tg_jvp, tg_compute_hollow */
    bool live;   /* depends on a leaf that now requires a gradient; see find_live in core/backward/backward.c */
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS]; /* strides in elements */
    tg_window window;                               /* the place of its gradient */
};

static inline size_t tg_dtype_size(tg_dtype dtype) {
    static const uint8_t size[TG_N_DTYPES] = {sizeof(float), 8, 8, sizeof(bool)};
    return size[dtype];
}
static inline tg_tensor tg_handle(const tg_node *x) { return (tg_tensor){x->tape, x->index, x->epoch}; }
static inline bool tg_is_floating(const tg_node *x) { return x->dtype <= TG_F64; }

#endif
