/* Private: what an operation is, how one is recorded, how one fails.
 *
 * An operation is one file, core/ops/NAME.c. It holds a descriptor (const tg_op tg_op_NAME), forward and VJP
 * kernels that are compiled once for float and once for double (core/twice.h), a constructor (the public
 * function), and a probe. Nothing else needs to know about it.
 *
 * Elementwise operations give two row kernels over contiguous runs and leave strides, broadcasting, chunks and
 * the summing of gradients to core/elementwise.c. All others work on nodes directly.
 */
#ifndef TAPEGRAD_OP_H
#define TAPEGRAD_OP_H

#include "core/tapegrad.h"

#include <math.h>
#include <string.h>

typedef struct tg_node tg_node;
typedef tg_status tg_kernel(tg_node *y); /* TG_OK, or tg_fail() was called */
typedef void tg_fn(void);

/* What the gradient of an input reads: TG_IN(i) the i-th input's elements, TG_OUT the output's. */
#define TG_IN(i) ((uint8_t)(1u << (i)))
#define TG_OUT ((uint8_t)0x80)
enum { TG_MAX_NEEDS = 4 }; /* inputs from the fourth on share the last entry */

/* A hash of the decisions that evaluations took: which side of a kink (see tg_op.branches). */
typedef struct tg_branches {
    uint64_t hash;
} tg_branches;
static inline void tg_branch(tg_branches *b, int64_t decision) {
    b->hash = (b->hash ^ (uint64_t)decision) * UINT64_C(1099511628211); /* FNV-1a */
}

typedef struct tg_op {
    const char *name;
    tg_kernel *forward[2], *vjp[2]; /* [TG_F32], [TG_F64] */
    tg_fn *row[2], *row_vjp[2];     /* elementwise operations only: see core/elementwise.c */
    uint8_t needs[TG_MAX_NEEDS];    /* needs[i]: what the gradient of input i reads */
    /* A random example for the tests, numbered by variant; TG_NULL when there are no more. */
    tg_tensor (*probe)(tg_tape *t, int variant);
    /* Note the decisions taken at the present inputs (tg_branch); NULL for operations without kinks. */
    void (*branches[2])(const tg_node *y, tg_branches *b);
    /* The multiplications, additions and functions that the formula needs, for the profile: of forward (i < 0), of the
     * gradient of input i. NULL: none, the operation moves elements. */
    double (*flops)(const tg_node *y, int i);
    bool picks;       /* reads as many elements of its first input as it makes, and adds to as many of its gradient */
    bool is_view;     /* no kernels: the result shares its input's data */
    bool infinite_ok; /* may make an Inf from finite inputs on purpose (masked_fill) */
    bool no_gradient; /* comparisons, argmax: the result never requires a gradient */
    bool makes_bool;  /* elementwise: the result is TG_BOOL */
    bool passes_grad; /* elementwise: the gradient of every input is dy itself */
} tg_op;

/* Kernels for both types: TG_BOTH(forward) is {forward_f32, forward_f64}. */
#define TG_BOTH(name) \
    { name##_f32, name##_f64 }
#define TG_ROWS(name) \
    { (tg_fn *)name##_f32, (tg_fn *)name##_f64 }

typedef struct tg_extra tg_extra;

/* Where a view's gradient goes when the view has a gradient of its own. */
typedef struct tg_link {
    tg_node *gowner;
    ptrdiff_t goffset;
    int64_t gstride[TG_MAX_DIMS];
} tg_link;

struct tg_node {
    const tg_op *op; /* NULL: a leaf */
    tg_tape *tape;
    tg_node **in; /* n_in inputs; NULL where an optional one is missing; bools behind: see tg_recorded */
    void *attr;   /* the operation's constants: no pointers into the tape */
    size_t attr_size;
    tg_node *base, *gowner; /* who owns the elements; who owns the gradient they share */
    void *data;             /* this tensor's first element */
    int64_t numel;
    uint64_t modified_at; /* the tape's clock when the data was last changed */
    uint32_t index, epoch;
    uint8_t n_in, ndim, dtype;
    bool contiguous;
    uint32_t pass;    /* of the last backward that reached this node */
    tg_node *earlier; /* the next operation's result, or the next leaf, that it reached */
    /* A new node has zeros from here to size. */
    void *grad;         /* owners only: dense, in gstride's layout */
    tg_node *grad_twin; /* who shares grad, see tg_grad_hand_over */
    void *kept_grad;    /* leaves, during backward: the gradient from before, to be added or put back */
    void *saved;        /* n_saved reals that forward keeps for the VJP */
    tg_link *link;      /* views with a gradient of their own */
    tg_extra *extra;    /* name, hooks; usually NULL */
    int64_t n_saved;
    ptrdiff_t goffset; /* of this tensor's first gradient element in gowner->grad */
    uint64_t run_at;   /* the tape's clock when forward last ran */
    uint8_t linear;    /* bit i says input i lies as the output does */
    bool requires_grad, has_grad, retain;
    bool parked; /* without elements, in a scope that has ended: see core/checkpoint.c */
    bool live;   /* a leaf that requires a gradient now is reached through this tensor; see find_live in backward.c */
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS], gstride[TG_MAX_DIMS]; /* strides in elements */
};

struct tg_extra {
    tg_node *node;
    tg_extra *next;
    char *name;
    bool is_parameter;
    tg_hook hook[4];
    void *hook_context[4];
    int n_hooks;
    tg_link link;
};

/* ---- memory: core/arena.c ---- */

typedef struct tg_chunk {
    struct tg_chunk *next;
    size_t size; /* of the whole block */
} tg_chunk;
typedef struct tg_arena {
    tg_chunk *first, *current;
    size_t offset, left, used, next_size; /* offset and bytes left in current; used: bytes given out */
} tg_arena;
enum { TG_POOL_CLASSES = 256, TG_ALIGN = 64 };
typedef struct tg_pool {
    void *free[TG_POOL_CLASSES];
    tg_arena arena;
    size_t used; /* bytes in blocks that are out */
} tg_pool;

static inline size_t tg_aligned(size_t bytes) { return (bytes + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN; }
void *tg_arena_grow(tg_tape *t, tg_arena *a, size_t bytes); /* tg_arena_get with another chunk */
/* Memory aligned to 64; NULL after tg_fail. */
static inline void *tg_arena_get(tg_tape *t, tg_arena *a, size_t bytes) {
    if (bytes > a->left || !a->current)
        return tg_arena_grow(t, a, bytes);
    bytes = tg_aligned(bytes);
    void *p = (char *)a->current + a->offset;
    a->offset += bytes;
    a->left -= bytes;
    a->used += bytes;
    return p;
}
void tg_arena_rewind(tg_tape *t, tg_arena *a, void *chunk, size_t offset, size_t used);
void tg_arena_free(tg_tape *t, tg_arena *a);
/* Blocks that outlive a rewind: gradients, names, scratch. */
void *tg_pool_get(tg_tape *t, size_t bytes);
void tg_pool_put(tg_tape *t, void *block, size_t bytes);
/* a * b into *product; false when it overflows. */
bool tg_times(size_t a, size_t b, size_t *product);

/* ---- the tape: core/tape.c ---- */

/* What a backward of y visits, found by the last one. */
typedef struct tg_chain {
    const tg_node *y;
    tg_node *ops, *leaves; /* each node before those it was made from, linked by `earlier` */
} tg_chain;

typedef struct tg_attachment {
    struct tg_attachment *next;
    void (*release)(void *object, tg_tape *t);
    void *object;
} tg_attachment;

typedef struct tg_profile tg_profile; /* core/profile.c */

struct tg_tape {
    tg_allocator allocator;
    tg_dtype dtype;
    tg_node **nodes;
    uint32_t count, capacity, epoch, pass; /* pass: the number of the last backward's chain */
    tg_chain chain;
    uint64_t clock, touched_at; /* touched_at: when a tensor's data was last changed, see tg_touch */
    tg_arena node_arena, data_arena;
    tg_pool pool;
    tg_memory memory; /* used: see tg_tape_memory */
    tg_extra *extras;
    tg_attachment *attachments;
    tg_arena scope_arena; /* for what is made in a scope, see core/checkpoint.c */
    tg_arena *results;    /* where operations' results go: this arena in a scope, else data_arena */
    tg_node *scope;       /* the marker of the scope that has this arena, else NULL */
    int scope_depth;      /* above 0 while it is being recorded */
    int no_grad;
    bool training, anomaly, keep_random; /* keep_random: replay dropout with the masks it has */
    bool watched;                        /* anomaly mode or the profile is on */
    bool in_backward, any_frozen;        /* any_frozen: some leaf required a gradient and does no longer */
    tg_profile *profile;                 /* NULL while it is off */
    tg_profile *profiled;                /* what was counted, also after it was switched off */
    tg_rng_state rng;
    tg_status status;
    char error[512];
};

#if defined(__GNUC__)
#define TG_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define TG_PRINTF(text, args)
#endif

/* Note the tape's first error; returns status (for kernels) or TG_NULL (for constructors). */
tg_status tg_fail(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);
tg_tensor tg_fail_null(tg_tape *t, tg_status status, const char *format, ...) TG_PRINTF(3, 4);

/* Shapes as text, "(6, 3)", for messages; valid within the full expression. */
typedef struct tg_text {
    char s[112];
} tg_text;
tg_text tg_shape_text(const tg_shape *shape);
tg_text tg_node_text(const tg_node *x); /* with the name, when it has one: "W_query (3, 2)" */

/* Look up n handles for an operation. kinds has a letter for each: f floating, i TG_I64, b TG_BOOL, * any;
 * capital: may be the null tensor (in[i] = NULL). NULL when the tape has failed or a handle is unusable. */
tg_tape *tg_open(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in);
/* The same, with a copy in place of every operand that is not contiguous. */
tg_tape *tg_open_contiguous(const char *name, const char *kinds, int n, const tg_tensor *x, tg_node **in);
/* One handle, outside operations. */
tg_node *tg_resolve(const char *name, tg_tensor x);
tg_tensor tg_handle(const tg_node *x);

/* A node for op's result with room for its elements (unless it is a view) and attr_size bytes of constants,
 * zeroed. It is on the tape once tg_record() has run its forward kernel. */
tg_node *tg_node_new(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_shape *shape, tg_dtype dtype,
                     size_t attr_size);
/* The same with the shape of a node, without the detour through a tg_shape. */
tg_node *tg_node_like(tg_tape *t, const tg_op *op, int n_in, tg_node *const *in, const tg_node *like, tg_dtype dtype,
                      size_t attr_size);
/* Room for n reals that forward keeps for the VJP: y->saved. */
bool tg_node_save(tg_node *y, int64_t n);
tg_tensor tg_record(tg_node *y);
/* The end of the tape gets one more node; false after tg_fail. */
bool tg_put_on_tape(tg_node *y);
/* A leaf with uninitialised elements. */
tg_node *tg_leaf_new(tg_tape *t, const char *name, const tg_shape *shape, tg_dtype dtype);
/* A view of x: same data, shape, strides and gradient, for the constructor to change before tg_record(). */
tg_node *tg_view_new(const tg_op *op, tg_node *x, size_t attr_size);
tg_tensor tg_record_view(tg_node *y); /* tg_record, after the shape and strides were changed */
/* The tensor's data was changed: operations that saved it can no longer be differentiated. */
void tg_touch(tg_node *x);
tg_extra *tg_extra_of(tg_node *x);    /* made when missing; NULL when out of memory */
tg_status tg_run_forward(tg_node *y); /* the kernel, the clock, anomaly mode */
/* When a kernel ran out of memory: put y's operation and shape before the message. Returns the status. */
tg_status tg_say_where(const tg_node *y, const char *name);
/* Hooks may read, compute and change their gradient; what would disturb the running backward fails here. */
bool tg_outside_backward(tg_tape *t, const char *name);
/* Something that tg_tape_free() must release. */
bool tg_attach(tg_tape *t, void *object, void (*release)(void *object, tg_tape *t));

/* ---- gradient checkpointing: core/checkpoint.c ---- */

extern const tg_op tg_op_checkpoint;
/* Give the arena of the scope that a backward or a replay is in, or was in last, back. */
void tg_checkpoint_leave(tg_tape *t);
void tg_checkpoint_forget(tg_tape *t); /* the scope was rewound away */
/* Backward has reached this tg_op_checkpoint: compute its scope again. */
tg_status tg_checkpoint_compute(const tg_node *copy);
/* Can what this tg_op_checkpoint stands for be computed again as it was? Else tg_fail. */
tg_status tg_checkpoint_check(const tg_node *copy);
/* Is no scope being recorded? Else tg_fail. */
bool tg_outside_scope(tg_tape *t, const char *name);
/* Was this handle's tensor, or this mark's last, made in a scope that has ended? */
bool tg_is_parked(const tg_tape *t, uint32_t index, uint32_t epoch);
/* For those who do not want its elements: a handle that fits such a tensor. */
tg_tensor tg_checkpoint_handle(tg_tensor x);

/* ---- copies: core/cast.c ---- */

/* A new tape of another dtype with the same nodes in the same order: leaves, results and saved values converted,
 * the same constants, views, names and requires_grad. A handle's index and epoch name the same tensor on both.
 * Gradients start empty; hooks and attachments stay behind. NULL after tg_fail on t. */
tg_tape *tg_tape_cast(tg_tape *t, tg_dtype dtype);
/* Put a copy of x on tape `to`, in its dtype, with these inputs (as many as x has). base, gowner: whose elements
 * and gradient it shares, NULL for its own. A leaf when op is NULL. NULL after tg_fail on `to`. */
tg_node *tg_node_copy(tg_tape *to, const tg_node *x, const tg_op *op, tg_node *const *in, tg_node *base,
                      tg_node *gowner);

static inline size_t tg_dtype_size(tg_dtype dtype) {
    return dtype == TG_F32 ? sizeof(float) : dtype == TG_BOOL ? sizeof(bool) : 8;
}
const char *tg_dtype_name(tg_dtype dtype);
static inline bool tg_is_floating(const tg_node *x) { return x->dtype == TG_F32 || x->dtype == TG_F64; }

/* ---- gradients: core/grad.c, core/backward.c ---- */

/* Switch a leaf. */
static inline void tg_require_grad(tg_node *leaf, bool on) {
    leaf->tape->any_frozen |= leaf->requires_grad && !on;
    leaf->requires_grad = leaf->live = on;
}

/* Did input i require a gradient when y was recorded? Kept behind the input pointers. */
static inline bool *tg_recorded(const tg_node *y) { return (bool *)(y->in + y->n_in); }

/* Does the VJP have to produce the gradient of input i? Only if it was recorded so, and some leaf behind it has
 * not been frozen since. */
static inline bool tg_wants(const tg_node *y, int i) { return tg_recorded(y)[i] && y->in[i]->live; }

/* Where input i's gradient is to be added, as it lies. fresh: nothing is there yet, so overwrite every element
 * instead. data is NULL after tg_fail. */
typedef struct tg_slot {
    void *data;
    const int64_t *stride;
    bool fresh, contiguous;
} tg_slot;
tg_slot tg_grad_open_any(tg_node *y, int i);
static inline tg_slot tg_grad_open(tg_node *y, int i) {
    tg_node *x = y->in[i];
    if (x->gowner != x || x->has_grad || !x->grad || x->grad_twin)
        return tg_grad_open_any(y, i);
    x->has_grad = true; /* the first to come, to a buffer from before: what most are when a step is repeated */
    return (tg_slot){.data = x->grad, .stride = x->gstride, .fresh = true, .contiguous = true};
}

/* The same as contiguous elements in the input's shape. A gradient that lies otherwise goes through a (fresh) buffer,
 * which tg_grad_close() adds and gives back. */
tg_slot tg_grad_dense(tg_node *y, int i);
/* tg_grad_dense for those who can only add: what is fresh is zeroed. NULL after tg_fail. */
void *tg_grad_add(tg_node *y, int i);
void tg_grad_close(tg_node *y, int i, void *buffer);

/* For dx = dy: give input i, which has no gradient yet, y's buffer instead of a copy: for good when it is the last that
 * wants it, else to share until one of the two is added to. False when that cannot be. */
bool tg_grad_hand_over(tg_node *y, int i);

/* dst (strides dstride) += or = src (contiguous, of shape size): strides of 0 in dst sum. */
void tg_accumulate(tg_dtype dtype, int ndim, const int64_t *size, void *dst, const int64_t *dstride, const void *src);
/* x's gradient += values (contiguous, of x's shape) */
tg_status tg_grad_add_values(tg_node *x, const void *values);
tg_status tg_view_vjp(tg_node *y);
size_t tg_grad_bytes(const tg_node *x);
enum {
    TG_GRAD_SMALL = 256
}; /* a buffer of so many bytes stays with its node, which is larger, for the next backward */
bool tg_grad_buffer(tg_node *owner);  /* make owner->grad when missing or shared; false after tg_fail */
void *tg_grad_data(const tg_node *x); /* x's first gradient element, in its owner's buffer */
void tg_release_grad(tg_node *x);
/* out (contiguous) = x's elements, or x's gradient's, which lie at data under stride */
void tg_copy_out(const tg_node *x, const void *data, const int64_t *stride, void *out);

/* ---- anomaly mode: core/anomaly.c ---- */

tg_status tg_check_forward(const tg_node *y);                 /* did y's forward make a NaN or Inf? */
tg_status tg_check_backward(const tg_node *y);                /* did y's VJP, in the gradient of an input? */
tg_status tg_check_grad(const tg_node *x, const char *where); /* does x's gradient hold one? */

/* ---- shapes: core/shape.c ---- */

tg_shape tg_shape_from(const tg_node *x);
#define TG_MAX_ELEMENTS (INT64_C(1) << 60)     /* so that their bytes fit a size_t */
int64_t tg_shape_numel(const tg_shape *shape); /* -1 when a size is negative or the product too large */
bool tg_same_shape(const tg_node *a, const tg_node *b);
void tg_dense_strides(int ndim, const int64_t *size, int64_t *stride);
int64_t tg_span(const tg_node *x); /* elements in memory from x's first to its last */
/* Do x's elements lie row-major without gaps under these strides? None always do. */
bool tg_is_dense(const tg_node *x, const int64_t *stride);
/* The shape that a and b broadcast to; false when they do not. */
bool tg_broadcast(const tg_shape *a, const tg_shape *b, tg_shape *out);
/* x's strides seen from a shape it broadcasts to: 0 along broadcast dims. */
void tg_broadcast_strides(const tg_node *x, const int64_t *stride, int ndim, const int64_t *size, int64_t *out);
/* A dim counted from either end to 0..ndim-1; -1 after tg_fail(name). */
int tg_dim(tg_tape *t, const char *name, int dim, const tg_node *x);
bool tg_check_reduction(tg_tape *t, const char *name, tg_reduction reduction, const tg_node *x);
/* A set of dims as a mask of bits; false after tg_fail (out of range, twice). */
bool tg_dim_mask(tg_tape *t, const char *name, tg_dims dims, const tg_node *x, uint32_t *mask);

/* Walks a strided tensor in row-major order, a run of its last dim at a time, after merging dims that lie
 * behind one another. */
typedef struct tg_walk {
    int ndim;
    int64_t size[TG_MAX_DIMS], stride[TG_MAX_DIMS], at[TG_MAX_DIMS];
    ptrdiff_t offset;
} tg_walk;
void tg_walk_begin(tg_walk *w, int ndim, const int64_t *size, const int64_t *stride);
/* Go on to the n-th element, from the first. */
void tg_walk_seek(tg_walk *w, int64_t n);
/* The elements of input i in the order of y's, repeated where it broadcasts. */
void tg_walk_input(tg_walk *w, const tg_node *y, int i);
/* The elements left in the present run; moving on by n of them (n at most that). */
int64_t tg_walk_run(const tg_walk *w);
void tg_walk_next(tg_walk *w, int64_t n);

/* ---- elementwise: core/elementwise.c ---- */

enum { TG_ROW_MOST = 512 }; /* elements that a row kernel is given at once, at most */

/* y = op(x[0], ..., x[n-1]) with broadcasting. kinds as for tg_open; attr is copied. The row kernels are
 *   static void FN(forward)(ptrdiff_t n, real *y, const real *const *x, const void *attr);
 *   static void FN(vjp)(ptrdiff_t n, int i, real *dx, const real *dy, const real *y, const real *const *x,
 *                       const void *attr);       -- dx[j] = (not +=) the gradient of input i
 * Bools and ints arrive as reals (0 and 1). */
tg_tensor tg_elementwise(const tg_op *op, const char *kinds, int n, const tg_tensor *x, const void *attr,
                         size_t attr_size);
tg_kernel tg_elementwise_forward_f32, tg_elementwise_forward_f64, tg_elementwise_vjp_f32, tg_elementwise_vjp_f64;
double tg_elementwise_flops(const tg_node *y, int i);
#define TG_ELEMENTWISE TG_ELEMENTWISE_MOVE, .flops = tg_elementwise_flops
/* Those that compute nothing. */
#define TG_ELEMENTWISE_MOVE .forward = TG_BOTH(tg_elementwise_forward), .vjp = TG_BOTH(tg_elementwise_vjp)

/* ---- profile: core/profile.c ---- */

typedef struct tg_profile_sum {
    int64_t calls, ns;
    double flops, bytes;
} tg_profile_sum;
typedef struct tg_profile_row {
    const char *name;
    tg_profile_sum forward, backward, other; /* other: what is no operation */
} tg_profile_row;
/* What was counted under this name, NULL: nothing. */
const tg_profile_row *tg_profile_find(const tg_tape *t, const char *name);
/* Run y's kernel (NULL for a view's forward) and count its time; only while t->profile is there. */
tg_status tg_profile_kernel(tg_node *y, tg_kernel *kernel, bool backward);
/* Count work that is no operation, an optimizer's: from start (tg_profile_start, 0 while the profile is off) to now. */
int64_t tg_profile_start(const tg_tape *t);
void tg_profile_stop(tg_tape *t, const char *name, int64_t start, double bytes);

/* ---- random numbers: core/rng.c ---- */

void tg_rng_seed(tg_rng_state *rng, uint64_t seed);
uint32_t tg_rng_random(tg_rng_state *rng);   /* 32 bits */
uint64_t tg_rng_random64(tg_rng_state *rng); /* two draws, the first is the high word */
double tg_rng_double(tg_rng_state *rng);     /* uniform in [0, 1), 53 bits */
float tg_rng_float(tg_rng_state *rng);       /* uniform in [0, 1), 24 bits */
/* The next n of them. */
void tg_rng_fill_f32(tg_rng_state *rng, int64_t n, float *x);
void tg_rng_fill_f64(tg_rng_state *rng, int64_t n, double *x);

/* ---- helpers for probes ---- */

/* A leaf of normal random numbers that requires a gradient. */
tg_tensor tg_probe_leaf(tg_tape *t, tg_shape shape);
/* The same with absolute values in [0.5, 1.5]: away from 0 for kinks, roots and logarithms. */
tg_tensor tg_probe_away(tg_tape *t, tg_shape shape);
tg_tensor tg_probe_positive(tg_tape *t, tg_shape shape);

#endif
