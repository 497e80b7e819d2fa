/* Private: the engine's own: the tape, its memory, scopes, gradients, the profile. Operations need only core/op.h. */
#ifndef TAPEGRAD_ENGINE_H
#define TAPEGRAD_ENGINE_H

#include "core/op.h"

typedef struct tg_hook_entry {
    struct tg_hook_entry *next;
    tg_hook hook;
    void *context;
} tg_hook_entry;

typedef struct tg_flat_leaf tg_flat_leaf;
typedef struct tg_flat tg_flat;

/* A weight's adapter. number: above 0, renewed whenever a, b, scaling or dropout_p changes. values: hashes of A's and
 * B's elements when it was merged. */
typedef struct tg_own_adapter {
    tg_adapter is;
    uint32_t number;
    uint64_t values[2];
} tg_own_adapter;

/* Name, hooks and other rare attributes of a tensor. */
struct tg_extra {
    tg_node *node;
    tg_extra *next;
    char *name;
    bool is_parameter;
    tg_hook_entry *hooks; /* in the order they are called */
    tg_window link;
    tg_flat_leaf *flat;      /* its gradient is in a block, see tg_flatten_gradients */
    tg_own_adapter *adapter; /* see tg_set_adapter */
};

/* ---- memory: core/tape/arena.c ---- */

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
    size_t used; /* bytes in blocks that are in use */
} tg_pool;

static inline size_t tg_aligned(size_t bytes) { return (bytes + TG_ALIGN - 1) / TG_ALIGN * TG_ALIGN; }
/* Inline, as every node and every result calls it; tg_arena_grow is its slow path. */
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
/* Straight from the allocator, for large, short-lived blocks. NULL after tg_fail. */
void *tg_block_get(tg_tape *t, size_t bytes);
void tg_block_put(tg_tape *t, void *block, size_t bytes);

/* ---- the tape: core/tape/tape.c ---- */

/* The nodes that the last backward, of y, visited. */
typedef struct tg_chain {
    const tg_node *y;
    tg_node *ops, *leaves; /* each node before its inputs, linked by `earlier` */
} tg_chain;

typedef struct tg_profile tg_profile; /* core/tape/profile.c */

/* The path of tg_name_push: text[begin .. end). before[i]: begin and end before push i, for its pop. lost: the depth of
 * the first failed push that is not yet popped; 0: none. */
enum { TG_PATH_ROOM = 256, TG_PATH_DEPTH = 64 };
typedef struct tg_path {
    char text[TG_PATH_ROOM];
    int begin, end, depth, lost; /* depth: open pushes; may exceed TG_PATH_DEPTH */
    struct {
        uint16_t begin, end;
    } before[TG_PATH_DEPTH];
} tg_path;

struct tg_tape {
    tg_allocator allocator;
    tg_dtype dtype;
    tg_node **nodes;
    uint32_t count, capacity, epoch;
    uint32_t unfinished;        /* the first node that tg_run_again has not computed; UINT32_MAX: none */
    uint64_t clock, touched_at; /* touched_at: when a tensor's data was last changed, see tg_touch */
    struct {
        tg_arena nodes, data, scope; /* scope: for results in a scope, see core/tape/checkpoint.c */
        tg_arena *results;           /* for operations' results: scope in a scope, else data */
    } arena;
    tg_pool pool;
    tg_memory memory; /* used: see tg_tape_memory */
    tg_extra *extras;
    uint32_t adapters; /* the last adapter's number; 0: none yet */
    struct {
        tg_node *marker; /* of the scope that has the arena, else NULL */
        uint32_t from;   /* the count of nodes when a backward or a replay reached it, else UINT32_MAX */
        int depth;       /* above 0 while it is being recorded */
    } checkpoint;
    struct {
        size_t from; /* bytes of nodes when the running custom forward or grad began; 0: none runs */
        int scopes;  /* opened inside it, recorded but not honoured */
    } callback;
    struct {
        int no_grad;
        bool training, anomaly, keep_random; /* keep_random: dropout keeps its masks in replays */
    } modes;
    struct {
        bool keep;      /* operations on hollow tensors are recorded, but not computed */
        bool computing; /* tg_compute_hollow runs */
        uint32_t from;  /* no tensor before it is hollow; UINT32_MAX: none is */
    } hollow;
    struct {
        tg_chain chain;
        uint32_t pass;            /* the number of the last one's chain */
        bool running, any_frozen; /* any_frozen: some node's live may differ from its requires_grad */
    } backward;
    struct {
        bool any;             /* anomaly mode, the profile or the log is on, or there is a hollow tensor */
        tg_profile *profile;  /* NULL while it is off */
        tg_profile *profiled; /* the counts, even after it was switched off */
        FILE *log;            /* where backward is logged, or NULL */
    } watch;
    tg_flat *flat; /* blocks of gradients; NULL: none */
    tg_rng_state rng;
    tg_path path;
    tg_status status; /* of the first error */
    struct {
        bool is_bare; /* out of memory, and text does not name the operation yet: see tg_say_where */
        char text[512];
    } failure;
};

/* ---- nodes: core/tape/node.c, record.c, replay.c ---- */

static inline bool tg_is_of_kind(const tg_node *n, tg_op_kind kind) { return n->op && n->op->kind == kind; }
/* A node's block: the node, its inputs, whether each required a gradient, and its constants. */
static inline size_t tg_node_inputs_bytes(size_t n_in) {
    return (n_in * (sizeof(tg_node *) + sizeof(bool)) + 15) / 16 * 16;
}
static inline size_t tg_node_bytes(size_t n_in, size_t attr_size) {
    return sizeof(tg_node) + tg_node_inputs_bytes(n_in) + attr_size;
}
static inline void tg_node_lay_out(tg_node *y, size_t n_in, size_t attr_size) {
    y->n_in = (uint8_t)n_in;
    y->in = (tg_node **)(void *)(y + 1);
    y->recorded = (bool *)(y->in + n_in);
    y->attr = attr_size ? (char *)(y + 1) + tg_node_inputs_bytes(n_in) : NULL;
    y->attr_size = attr_size;
}
/* The data of a view that begins at base's element `offset`; and that offset. */
static inline void *tg_view_data(const tg_node *base, ptrdiff_t offset) {
    return (char *)base->data + offset * (ptrdiff_t)tg_dtype_size((tg_dtype)base->dtype);
}
static inline ptrdiff_t tg_offset_in_base(const tg_node *y) {
    return ((const char *)y->data - (const char *)y->base->data) / (ptrdiff_t)tg_dtype_size((tg_dtype)y->dtype);
}
/* The node of a handle, outside operations; NULL when the tape has failed, or after tg_fail. */
tg_node *tg_resolve(const char *name, tg_tensor x);
/* A leaf with uninitialised elements. */
tg_node *tg_leaf_new(tg_tape *t, const char *name, const tg_shape *shape, tg_dtype dtype);
/* The leaf 0, 1, ..., n-1. */
tg_node *tg_count_up(tg_tape *t, const char *name, int64_t n);
bool tg_grow_tape(tg_tape *t); /* false after tg_fail (core/tape/arena.c) */
static inline bool tg_has_capacity(tg_tape *t) { return t->count < t->capacity || tg_grow_tape(t); }
/* A hash of the adapters of the leaves that y reads, and of their merged states; 0: no adapters. */
static inline uint32_t tg_adapters_read(const tg_node *y) {
    uint32_t found = 0;
    for (int i = 0; i < y->n_in; i++) {
        const tg_extra *e = y->in[i] ? y->in[i]->base->extra : NULL;
        found = 2654435761U * found + (!e || !e->adapter ? 0 : 2 * e->adapter->number + e->adapter->is.merged);
    }
    return found;
}
/* Append y to the tape; false after tg_fail. */
static inline bool tg_put_on_tape(tg_node *y) {
    tg_tape *t = y->tape;
    if (!tg_has_capacity(t))
        return false;
    y->index = t->count;
    y->adapters = t->adapters ? tg_adapters_read(y) : 0;
    t->nodes[t->count++] = y;
    return true;
}
tg_extra *tg_extra_of(tg_node *x); /* made when missing; NULL when out of memory */
/* Note that the tensor's data was changed: operations that saved it can no longer be differentiated. */
void tg_touch(tg_node *x);
/* The operands read by the gradients that y's VJP must compute, as in tg_op.needs; true when input i is one. */
uint8_t tg_grad_reads(const tg_node *y);
bool tg_reads_input(uint8_t reads, int i);
tg_status tg_run_forward(tg_node *y); /* the kernel, the clock, anomaly mode */
/* Leave y hollow: recorded, but not computed. All hollow tensors are computed before one is read: the engine does it
 * for a kernel's inputs, any other reader calls tg_has_elements (false after tg_fail). */
void tg_leave_hollow(tg_node *y);
tg_status tg_compute_hollow(tg_tape *t);
/* Inline, as most tensors have their elements; record.c computes the others. */
static inline bool tg_has_elements(const tg_node *y) { return !y->hollow || !tg_compute_hollow(y->tape); }
/* Run all operations from this index on in place, as a replay does. If one fails, it and all after it cannot be
 * differentiated until they are run again: */
tg_status tg_run_again(tg_tape *t, uint32_t from);
bool tg_is_finished(const char *name, const tg_node *y); /* tg_fail unless y is before a failed operation */
/* tg_fail unless the nodes before this mark are still on the tape (core/tape/tape.c). */
tg_status tg_check_mark(tg_tape *t, const tg_mark *m, const char *name);
/* True for characters that tg_make_printable() replaces. */
bool tg_is_unsafe(uint32_t c);
/* The length of the UTF-8 sequence at s, its code point in *code; 0 when it is malformed. */
int tg_utf8_decode(const char *s, uint32_t *code);
/* Copy as much of s as fits, in whole characters; remove an incomplete character from the end of s. */
void tg_copy_text(char *out, size_t size, const char *s);
void tg_copy_name(char *out, size_t size, const char *name); /* a long one loses its middle; size >= 16 */
void tg_cut_text(char *s);
/* Replace the locale's decimal point, of any length, by '.' in a finite number that printf wrote. */
void tg_put_point(char *number);
tg_text tg_number_text(double x, int digits); /* as printf's %g, */
tg_text tg_power_text(double x, int digits);  /* as its %e, in any locale */
/* tg_fail where only the size of a refused allocation is known, not the operation; returns NULL. */
void *tg_out_of_memory(tg_tape *t, const char *format, ...) TG_PRINTF(2, 3);
/* After tg_out_of_memory: puts y's operation and shape before the message. Returns the tape's status. */
tg_status tg_say_where(const tg_node *y, const char *name);

/* Checks for calls at the wrong time. Hooks may read, compute and change their gradient; calls that would disturb the
 * running backward fail here. */
bool tg_outside_backward(tg_tape *t, const char *name);
/* tg_fail while a scope is recorded or, in a callback, while a scope that may contain the callback is recomputed. */
bool tg_outside_scope(tg_tape *t, const char *name);
/* True when this handle's tensor, or this mark's last, was made in a scope that has ended. */
bool tg_is_parked(const tg_tape *t, uint32_t index, uint32_t epoch);
/* True when the tape's first `nodes` nodes end within a scope that has ended. */
bool tg_is_in_ended_scope(const tg_tape *t, uint32_t nodes);
/* A parked tensor's handle, made valid for callers that do not read its elements. */
tg_tensor tg_checkpoint_handle(tg_tensor x);

/* ---- gradient checkpointing: core/tape/checkpoint.c ---- */

/* Release the arena of the scope that a backward or a replay is in, or was in last. */
void tg_checkpoint_leave(tg_tape *t);
void tg_checkpoint_forget(tg_tape *t); /* the scope was rewound away */
/* For a replay: reach, before a parked x is run; pass, after x, or a scope's end, was run. */
tg_status tg_checkpoint_reach(tg_node *x);
void tg_checkpoint_pass(tg_node *x);
/* Backward has reached this scope's end: recompute the scope. */
tg_status tg_checkpoint_compute(const tg_node *copy);
/* tg_fail when this scope cannot be recomputed as it was. */
tg_status tg_checkpoint_check(const tg_node *copy);
/* The index of its marker: the nodes between the two are the scope. */
uint32_t tg_checkpoint_marker(const tg_node *copy);
/* Recompute this scope and write its result, in the tape's dtype, to `again`. *repeated: false when data was modified,
 * so that the result may differ. */
tg_status tg_checkpoint_repeat(const tg_node *copy, void *again, bool *repeated);

/* ---- copies: core/tape/copy.c ---- */

/* A new tape of another dtype with the same nodes in the same order: leaves, results and saved values converted, the
 * same constants, views, names and requires_grad. A handle's index and epoch name the same tensor on both. Gradients
 * start empty; hooks and attachments are not copied. NULL after tg_fail on t. */
tg_tape *tg_tape_cast(tg_tape *t, tg_dtype dtype);
/* Append a copy of x to tape `to`, in its dtype, with these inputs (as many as x has). base, gowner: the owners of its
 * elements and gradient, NULL: the copy. A leaf when op is NULL. NULL after tg_fail on `to`. */
tg_node *tg_node_copy(tg_tape *to, const tg_node *x, const tg_op *op, tg_node *const *in, tg_node *base,
                      tg_node *gowner);

/* ---- custom operations: core/ops/custom.c ---- */

/* The tape's state that is saved while a callback runs. The callback may rewind the tape to its own marks, but not to
 * earlier ones: its operation, or the walk that called it, needs the tensors before (from). Checkpoint scopes that it
 * begins are only counted (scopes). Operations that it records draw new random masks (keep_random). */
typedef struct tg_outside {
    size_t from;
    int scopes;
    bool keep_random;
} tg_outside;
tg_outside tg_enter_callback(tg_tape *t);
void tg_leave_callback(tg_tape *t, tg_outside o);

/* True when it has both float32 callbacks. */
bool tg_custom_has_float32(const tg_node *y);
/* The number of its outputs, and the output (from 0) of element j of its result. */
int tg_custom_outputs(const tg_node *y);
int tg_custom_output_of(const tg_node *y, int64_t j);

/* ---- gradients: core/backward/buffers.c ---- */

/* Freeze or unfreeze a leaf; a running backward is not affected. */
static inline void tg_require_grad(tg_node *leaf, bool on) {
    tg_tape *t = leaf->tape;
    bool later = t->backward.running && leaf->index <= t->backward.chain.y->index;
    t->backward.any_frozen |= later || (leaf->requires_grad && !on);
    leaf->requires_grad = on;
    if (!later)
        leaf->live = on;
}

static inline size_t tg_grad_bytes(const tg_node *x) { return (size_t)x->numel * tg_dtype_size((tg_dtype)x->dtype); }
/* For dx = dy: give input i, which has no gradient yet, y's buffer instead of a copy: for good when no other input
 * needs it, else shared until one of the two is added to. False when that is impossible. */
bool tg_grad_hand_over(tg_node *y, int i);
/* Make these values y's gradient, shared with lender, a node that is not on the tape. */
void tg_grad_lend(tg_node *lender, const void *values, tg_node *y);
/* tg_fail if an operand of y's gradient was modified since forward. (core/backward/backward.c) */
tg_status tg_check_saved(tg_node *y);
/* x's gradient += values, of x's shape; stride: NULL where they are contiguous */
tg_status tg_grad_add_values(tg_node *x, const void *values, const int64_t *stride);
int64_t tg_span(const tg_node *x); /* elements in memory from x's first to its last (core/tape/shape.c) */
tg_status tg_view_vjp(tg_node *y);
/* Bytes up to which a node keeps its gradient's buffer for the next backward. */
enum { TG_GRAD_SMALL = 256 };
bool tg_grad_buffer(tg_node *owner); /* make owner->grad when missing or shared; false after tg_fail */
/* x's first gradient element, in its owner's buffer */
static inline void *tg_grad_elements(const tg_node *x) {
    return (char *)x->window.owner->grad + (size_t)x->window.offset * tg_dtype_size((tg_dtype)x->dtype);
}
void tg_release_grad(tg_node *x);
/* out (contiguous) = x's elements, or its gradient's, at data with strides `stride` */
void tg_copy_out(const tg_node *x, const void *data, const int64_t *stride, void *out);

/* ---- gradients in blocks: core/backward/flat.c ---- */

/* Called when backward begins, has passed n, has ended, or has failed. All but the first may call `ready` or run
 * hooks. */
void tg_flat_begin(tg_tape *t);
tg_status tg_flat_passed(tg_tape *t, tg_node *n);
tg_status tg_flat_end(tg_tape *t);
void tg_flat_fail(tg_tape *t);
/* Before a rewind drops the nodes from this index on. Fails, with nothing changed, when there is no memory for the
 * gradients of leaves that stay. */
tg_status tg_flat_rewind(tg_tape *t, uint32_t nodes);
static inline bool tg_is_flat(const tg_node *x) { return x->extra && x->extra->flat; }

/* ---- leaves in a backward: core/backward/leaves.c ---- */

static inline bool tg_has_hooks(const tg_node *x) { return x->extra && x->extra->hooks; }
tg_status tg_run_hooks(tg_node *x);
/* Keep the gradient from earlier backwards, in case this one fails; drop it; restore it. */
tg_status tg_keep_grad(tg_node *leaf);
void tg_drop_kept_grad(tg_node *leaf);
void tg_restore_grad(tg_node *leaf);
/* This leaf's gradient is complete: run its hooks, then add the previous gradient if they had to see only this
 * backward's. */
tg_status tg_finish_leaf(tg_node *leaf);

/* ---- gradients as recorded tensors: core/derivatives/gradients.c ---- */

/* The gradients of sum <ys[i], dys[i]> with respect to xs, recorded, for tg_gradients and others. name: the function,
 * for errors. */
tg_status tg_gradients_of(const char *name, const tg_tensor *ys, const tg_tensor *dys, int n_y, const tg_tensor *xs,
                          int n, tg_tensor *dxs);
/* Handle i of a list of `what`, as a floating node of t; NULL after tg_fail. */
tg_node *tg_open_one(const char *name, const char *what, int i, tg_tape *t, tg_tensor x);
/* For an operation that has a grad, but no VJP kernel: runs grad, and drops the operations that it recorded. */
tg_kernel tg_vjp_by_grad;

/* ---- adapters: core/tape/adapter.c ---- */

/* The adapter of w's leaf that tg_linear applies; NULL: none, or merged. */
const tg_adapter *tg_adapter_on(const tg_node *w);
/* False after tg_fail when w's leaf has an adapter that is not merged, for operations that ignore adapters. */
bool tg_is_unadapted(tg_tape *t, const char *name, const tg_node *w);
/* tg_fail when an operation from this index on reads leaves whose adapters, or their merged states, differ from when it
 * was recorded: a replay would omit an adapter, apply it twice, or use an old one. */
tg_status tg_check_adapters(tg_tape *t, uint32_t from);
/* Remove the adapter if its A or B is at this index or later; 0: in any case. (core/tape/tape.c) */
void tg_adapter_forget(tg_extra *e, uint32_t nodes);

/* ---- anomaly mode: core/tape/anomaly.c ---- */

tg_status tg_check_forward(const tg_node *y);                 /* TG_ERR_NUMERIC if y's forward made NaN or Inf */
tg_status tg_check_backward(const tg_node *y);                /* if y's VJP did, in the gradient of an input */
tg_status tg_check_grad(const tg_node *x, const char *where); /* if x's gradient holds one */

static inline void tg_update_watched(tg_tape *t) {
    t->watch.any = t->modes.anomaly || t->watch.profile || t->watch.log || t->hollow.from != UINT32_MAX;
}

/* ---- the log of a backward: core/backward/log.c ---- */

double tg_grad_norm(const tg_node *x);   /* sqrt(sum g^2), x has a gradient */
void tg_log_arrived(const tg_node *y);   /* before y's VJP runs, */
void tg_log_passed_on(const tg_node *y); /* and after it */
void tg_log_begin(const tg_node *y);

/* ---- profile: core/tape/profile.c ---- */

typedef struct tg_profile_sum {
    int64_t calls, ns;
    double flops, bytes;
} tg_profile_sum;
typedef struct tg_profile_row {
    const char *name;
    tg_profile_sum forward, backward, other; /* other: not an operation */
} tg_profile_row;
/* The counts under this name, or NULL. */
const tg_profile_row *tg_profile_find(const tg_tape *t, const char *name);
/* Run y's kernel (NULL for a view's forward) and count its time; only while the profile is on. */
tg_status tg_profile_kernel(tg_node *y, tg_kernel *kernel, bool backward);
/* Count work outside operations, an optimizer's: from start (tg_profile_start, 0 while the profile is off) to now. */
int64_t tg_profile_start(const tg_tape *t);
void tg_profile_stop(tg_tape *t, const char *name, int64_t start, double bytes);

/* ---- random numbers: core/kernels/rng.c ---- */

void tg_rng_seed(tg_rng_state *rng, uint64_t seed);
bool tg_rng_is_valid(const tg_rng_state *rng);
uint32_t tg_rng_random(tg_rng_state *rng);   /* 32 bits */
uint64_t tg_rng_random64(tg_rng_state *rng); /* two draws, the first is the high word */
float tg_rng_float(tg_rng_state *rng);       /* uniform in [0, 1), 24 bits */
/* The next n of them. */
void tg_rng_fill_f32(tg_rng_state *rng, int64_t n, float *x);
void tg_rng_fill_f64(tg_rng_state *rng, int64_t n, double *x);

#endif
