/* Gradients in a few flat blocks, announced as backward completes them; see tg_flatten_gradients.
 *
 * A leaf's gradient is complete when backward, which goes from the last operation to the first, has passed the first
 * operation that used the leaf: all others have added to it by then. Blocks are announced in order, so that the order
 * is the same in every process even where gradients reached different leaves. */
#include "core/engine.h"

struct tg_flat_leaf {
    tg_node *leaf;
    const tg_node *first_user; /* in this backward; NULL: the gradient is complete, or does not reach the leaf */
    void *own;                 /* memory for its gradient after the blocks end */
    int block;
};

typedef struct block {
    char *data;
    int64_t n;
    int waiting; /* leaves whose gradient is not complete */
} block;

struct tg_flat {
    tg_flat_leaf *leaf;
    block *block;
    int64_t n_leaves;
    int n_blocks, announced;
    uint32_t end; /* one more than the last leaf's index */
    bool on;
    tg_ready ready;
    void *context;
};

/* ---- creation ---- */

/* Each gradient begins where a cache line does. */
static int64_t padded(const tg_node *x) {
    return (int64_t)(tg_aligned(tg_grad_bytes(x)) / tg_dtype_size((tg_dtype)x->dtype));
}

static void release(tg_tape *t, tg_flat *f) {
    for (int i = 0; i < f->n_blocks && f->block; i++)
        if (f->block[i].data)
            tg_pool_put(t, f->block[i].data, (size_t)f->block[i].n * tg_dtype_size(t->dtype));
    if (f->block)
        tg_pool_put(t, f->block, (size_t)f->n_leaves * sizeof *f->block);
    if (f->leaf)
        tg_pool_put(t, f->leaf, (size_t)f->n_leaves * sizeof *f->leaf);
    tg_pool_put(t, f, sizeof *f);
}

/* From the last parameter to the first, each into the current block while there is room. */
static void assign(const tg_tape *t, tg_flat *f, int64_t first, int64_t rest) {
    for (int64_t i = 0; i < f->n_leaves; i++) {
        int64_t n = padded(f->leaf[i].leaf), most = f->n_blocks <= 1 ? first : rest;
        most /= (int64_t)tg_dtype_size(t->dtype);
        if (f->n_blocks == 0 || f->block[f->n_blocks - 1].n > most - n)
            f->block[f->n_blocks++] = (block){0};
        f->leaf[i].block = f->n_blocks - 1;
        f->block[f->n_blocks - 1].n += n;
    }
}

static bool get_blocks(tg_tape *t, tg_flat *f) {
    for (int i = 0; i < f->n_blocks; i++) {
        size_t bytes = (size_t)f->block[i].n * tg_dtype_size(t->dtype);
        f->block[i].data = tg_pool_get(t, bytes);
        if (!f->block[i].data)
            return false;
        memset(f->block[i].data, 0, bytes);
    }
    return true;
}

/* From here on nothing can fail. */
static void move_gradients(tg_tape *t, tg_flat *f) {
    int64_t at = 0;
    for (int64_t i = 0; i < f->n_leaves; i++) {
        tg_node *x = f->leaf[i].leaf;
        at = i && f->leaf[i].block == f->leaf[i - 1].block ? at : 0;
        char *place = f->block[f->leaf[i].block].data + (size_t)at * tg_dtype_size(t->dtype);
        bool has_grad = x->has_grad;
        if (has_grad)
            memcpy(place, x->grad, tg_grad_bytes(x));
        tg_release_grad(x);
        x->grad = place;
        x->has_grad = has_grad;
        x->extra->flat = &f->leaf[i];
        f->end = x->index + 1 > f->end ? x->index + 1 : f->end;
        at += padded(x);
    }
}

static bool is_listed(const tg_flat *f, const tg_node *x) {
    for (int64_t i = 0; f && i < f->n_leaves; i++)
        if (f->leaf[i].leaf == x)
            return true;
    return false;
}

/* ---- end ---- */

/* Memory for the gradients of leaves below `nodes` that do not move to the next blocks; false after tg_fail. */
static bool get_own(tg_tape *t, tg_flat *f, const tg_flat *next, uint32_t nodes) {
    for (int64_t i = 0; i < f->n_leaves; i++) {
        const tg_node *x = f->leaf[i].leaf;
        bool stays = x->has_grad && x->index < nodes && !is_listed(next, x);
        f->leaf[i].own = stays ? tg_pool_get(t, tg_grad_bytes(x)) : NULL;
        if (!stays || f->leaf[i].own)
            continue;
        while (i-- > 0)
            tg_pool_put(t, f->leaf[i].own, tg_grad_bytes(f->leaf[i].leaf));
        return false;
    }
    return true;
}

/* Leaves that did not move to the next blocks get gradients in memory of their own. */
static void end(tg_tape *t, tg_flat *f) {
    for (int64_t i = 0; i < f->n_leaves; i++) {
        tg_node *x = f->leaf[i].leaf;
        if (x->extra->flat != &f->leaf[i])
            continue;
        if (f->leaf[i].own)
            memcpy(f->leaf[i].own, x->grad, tg_grad_bytes(x));
        x->grad = f->leaf[i].own;
        x->has_grad = x->grad;
        x->extra->flat = NULL;
    }
    release(t, f);
}

tg_status tg_flat_rewind(tg_tape *t, uint32_t nodes) {
    if (!t->flat || nodes >= t->flat->end)
        return TG_OK;
    if (!get_own(t, t->flat, NULL, nodes))
        return t->status;
    end(t, t->flat);
    t->flat = NULL;
    return TG_OK;
}

/* Lists each leaf once, from the last to the first, with its extra; false after tg_fail. */
static bool list_leaves(tg_tape *t, tg_flat *f, tg_list parameters) {
    for (int64_t i = parameters.n; i-- > 0;) {
        tg_tensor leaf = parameters.tensor[i];
        tg_node *x = NULL;
        if (leaf.tape == t && !tg_open("flatten_gradients", "f", 1, &leaf, &x))
            return false;
        if (!x || x->op) {
            tg_fail(t, TG_ERR_ARGUMENT, "flatten_gradients: element %lld of the list is not a leaf of this tape",
                    (long long)i);
            return false;
        }
        if (is_listed(f, x))
            continue;
        if (!tg_extra_of(x))
            return false;
        f->leaf[f->n_leaves++] = (tg_flat_leaf){.leaf = x};
    }
    return true;
}

static tg_flat *flat_new(tg_tape *t, tg_list parameters, size_t first, size_t rest) {
    size_t n = (size_t)parameters.n;
    tg_flat *f = tg_pool_get(t, sizeof *f);
    if (!f)
        return NULL;
    *f = (tg_flat){.on = true};
    f->leaf = tg_pool_get(t, n * sizeof *f->leaf);
    f->block = f->leaf ? tg_pool_get(t, n * sizeof *f->block) : NULL;
    if (f->block && list_leaves(t, f, parameters)) {
        assign(t, f, (int64_t)first, (int64_t)rest);
        if (get_blocks(t, f))
            return f;
    }
    release(t, f);
    return NULL;
}

tg_status tg_flatten_gradients(tg_list parameters, size_t first, size_t rest, tg_ready ready, void *context) {
    tg_tape *t = parameters.tape;
    if (!t)
        return TG_ERR_ARGUMENT;
    if (t->status || !tg_outside_backward(t, "flatten_gradients") || !tg_outside_scope(t, "flatten_gradients"))
        return t->status;
    if (parameters.n < 1 || !parameters.tensor)
        return tg_fail(t, TG_ERR_ARGUMENT, "flatten_gradients: the list has no parameter");
    if (!ready)
        return tg_fail(t, TG_ERR_ARGUMENT, "flatten_gradients: ready is NULL");
    if (first > SIZE_MAX / 4 || rest > SIZE_MAX / 4)
        return tg_fail(t, TG_ERR_ARGUMENT, "flatten_gradients: blocks of %zu and %zu bytes are too large", first, rest);
    tg_flat *f = flat_new(t, parameters, first, rest);
    if (f && t->flat && !get_own(t, t->flat, f, UINT32_MAX)) {
        release(t, f);
        f = NULL;
    }
    if (!f)
        return t->status;
    f->ready = ready;
    f->context = context;
    move_gradients(t, f);
    if (t->flat)
        end(t, t->flat);
    t->flat = f;
    return TG_OK;
}

void tg_set_ready(tg_tape *t, bool on) {
    if (t && t->flat && tg_outside_backward(t, "set_ready"))
        t->flat->on = on;
}

int tg_gradient_blocks(const tg_tape *t) { return t && t->flat ? t->flat->n_blocks : 0; }

void *tg_gradient_block(tg_tape *t, int i, int64_t *n) {
    bool exists = i >= 0 && i < tg_gradient_blocks(t);
    if (n)
        *n = exists ? t->flat->block[i].n : 0;
    if (!exists && t)
        tg_fail(t, TG_ERR_ARGUMENT, "gradient_block: there is no block %d of %d", i, tg_gradient_blocks(t));
    return exists ? t->flat->block[i].data : NULL;
}

/* ---- in backward ---- */

/* Operations are chained from the last to the first, so the last one noted for a leaf is its first user. */
void tg_flat_begin(tg_tape *t) {
    tg_flat *f = t->flat;
    f->announced = 0;
    for (int i = 0; i < f->n_blocks; i++)
        f->block[i].waiting = 0;
    for (int64_t i = 0; i < f->n_leaves; i++)
        f->leaf[i].first_user = NULL;
    for (tg_node *n = t->backward.chain.ops; n; n = n->backward.earlier)
        for (int k = 0; k < n->n_in; k++)
            if (n->in[k] && tg_is_flat(n->in[k]) && tg_wants(n, k)) {
                tg_flat_leaf *leaf = n->in[k]->extra->flat;
                f->block[leaf->block].waiting += !leaf->first_user;
                leaf->first_user = n;
            }
}

/* Zeros for leaves that no backward reached. */
static void clear_missing(tg_flat *f, int which) {
    for (int64_t i = 0; i < f->n_leaves; i++)
        if (f->leaf[i].block == which && !f->leaf[i].leaf->has_grad)
            memset(f->leaf[i].leaf->grad, 0, tg_grad_bytes(f->leaf[i].leaf));
}

/* The blocks that are complete, up to the first that is not. */
static tg_status announce(tg_tape *t) {
    tg_flat *f = t->flat;
    while (f->on && f->announced < f->n_blocks && !f->block[f->announced].waiting) {
        int i = f->announced++;
        clear_missing(f, i);
        if (f->ready(i, f->block[i].data, f->block[i].n, f->context))
            tg_fail(t, TG_ERR_STATE, "backward: ready returned an error for block %d of %d", i, f->n_blocks);
        if (t->status) /* a call it made may have failed */
            return t->status;
    }
    return TG_OK;
}

tg_status tg_flat_passed(tg_tape *t, tg_node *n) {
    for (int k = 0; k < n->n_in; k++) {
        tg_flat_leaf *leaf = n->in[k] && tg_is_flat(n->in[k]) ? n->in[k]->extra->flat : NULL;
        if (!leaf || leaf->first_user != n)
            continue;
        leaf->first_user = NULL;
        t->flat->block[leaf->block].waiting--;
        if (tg_finish_leaf(leaf->leaf))
            return t->status;
    }
    return announce(t);
}

tg_status tg_flat_end(tg_tape *t) {
    if (t->backward.chain.y && !t->backward.chain.y->op && tg_is_flat(t->backward.chain.y) &&
        tg_finish_leaf(t->backward.chain.leaves))
        return t->status; /* a leaf's own backward */
    return announce(t);
}

/* Blocks that were announced may already contain other processes' sums. */
void tg_flat_fail(tg_tape *t) {
    for (int64_t i = 0; i < t->flat->n_leaves && t->flat->announced; i++)
        t->flat->leaf[i].leaf->has_grad = false;
}

/* ---- parameters ---- */

/* The leaves of a list have n elements together. */
static bool fits_vector(const char *name, tg_list list, const void *vector, int64_t n) {
    tg_tape *t = list.tape;
    int64_t all = 0;
    if (!t || t->status)
        return false;
    for (int64_t i = 0; i < list.n; i++) {
        tg_tensor leaf = list.tensor ? list.tensor[i] : TG_NULL;
        tg_node *x = NULL;
        if (leaf.tape == t && !tg_open(name, "f", 1, &leaf, &x))
            return false;
        if (!x || x->op) {
            tg_fail(t, TG_ERR_ARGUMENT, "%s: element %lld of the list is not a leaf of this tape", name, (long long)i);
            return false;
        }
        all += x->numel;
    }
    if (all != n)
        tg_fail(t, TG_ERR_SHAPE, "%s: a vector of %lld elements for parameters of %lld", name, (long long)n,
                (long long)all);
    else if (n && !vector)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: the vector is NULL", name);
    return !t->status;
}

tg_status tg_parameters_to_vector(tg_list parameters, void *vector, int64_t n) {
    tg_tape *t = parameters.tape;
    if (!fits_vector("parameters_to_vector", parameters, vector, n))
        return t ? t->status : TG_ERR_ARGUMENT;
    tg_status status = TG_OK;
    for (int64_t i = 0, at = 0, m; i < parameters.n && !status; i++, at += m) {
        tg_tensor x = parameters.tensor[i];
        m = tg_numel(x);
        status = t->dtype == TG_F32 ? tg_read_floats(x, (float *)vector + at, m)
                                    : tg_read_doubles(x, (double *)vector + at, m);
    }
    return status;
}

tg_status tg_vector_to_parameters(const void *vector, int64_t n, tg_list parameters) {
    tg_tape *t = parameters.tape;
    if (!fits_vector("vector_to_parameters", parameters, vector, n))
        return t ? t->status : TG_ERR_ARGUMENT;
    tg_status status = TG_OK;
    for (int64_t i = 0, at = 0, m; i < parameters.n && !status; i++, at += m) {
        tg_tensor x = parameters.tensor[i];
        m = tg_numel(x);
        status = t->dtype == TG_F32 ? tg_write_floats(x, (const float *)vector + at, m)
                                    : tg_write_doubles(x, (const double *)vector + at, m);
    }
    return status;
}

/* ---- fingerprints, for processes to compare ---- */

/* Fowler, Noll, Vo: FNV-1a, 64 bits */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

/* Numbers as text, so that byte order does not matter; the final NUL separates neighbours. */
static uint64_t add_text(uint64_t hash, const char *text) { return add_bytes(hash, text, strlen(text) + 1); }

uint64_t tg_fingerprint(tg_list list) {
    uint64_t hash = add_text(0xcbf29ce484222325u, TG_VERSION);
    for (int64_t i = 0; i < list.n && list.tensor; i++) {
        const tg_node *x = tg_resolve("fingerprint", list.tensor[i]);
        if (!x)
            return 0;
        tg_shape shape = tg_shape_from(x);
        hash = add_text(hash, tg_name(list.tensor[i]));
        hash = add_text(hash, tg_shape_text(&shape).s);
        hash = add_text(hash, tg_dtype_name((tg_dtype)x->dtype));
    }
    return hash;
}
