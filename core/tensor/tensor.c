/* Leaves: creating them, reading and changing elements, names. */
#include "core/engine.h"

/* ---- creating ---- */

static tg_tensor handle_or_null(const tg_node *x) { return x ? tg_handle(x) : TG_NULL; }

/* The nearest int64; 0 for NaN. */
static int64_t to_int(double value) {
    if (!(value > -0x1p63))
        return isnan(value) ? 0 : INT64_MIN;
    return value < 0x1p63 ? (int64_t)value : INT64_MAX;
}

/* data[at] = value, in dtype */
static void store(tg_dtype dtype, void *data, ptrdiff_t at, double value) {
    switch (dtype) {
    case TG_F32: ((float *)data)[at] = (float)value; break;
    case TG_F64: ((double *)data)[at] = value; break;
    case TG_I64: ((int64_t *)data)[at] = to_int(value); break;
    case TG_BOOL: ((bool *)data)[at] = value != 0; break;
    }
}

static double load(tg_dtype dtype, const void *data, ptrdiff_t at) {
    switch (dtype) {
    case TG_F32: return (double)((const float *)data)[at];
    case TG_F64: return ((const double *)data)[at];
    case TG_I64: return (double)((const int64_t *)data)[at];
    default: return ((const bool *)data)[at];
    }
}

/* One element, converted; int64 to int64 is exact. */
static void convert(tg_dtype to_dtype, void *to, ptrdiff_t i, tg_dtype from_dtype, const void *from, ptrdiff_t j) {
    if (to_dtype == TG_I64 && from_dtype == TG_I64)
        ((int64_t *)to)[i] = ((const int64_t *)from)[j];
    else
        store(to_dtype, to, i, load(from_dtype, from, j));
}

static tg_node *filled(tg_tape *t, const char *name, tg_shape shape, double value) {
    tg_node *x = tg_leaf_new(t, name, &shape, t ? t->dtype : TG_F32);
    for (int64_t i = 0; x && i < x->numel; i++)
        store((tg_dtype)x->dtype, x->data, i, value);
    return x;
}

tg_tensor tg_zeros(tg_tape *t, tg_shape shape) { return handle_or_null(filled(t, "zeros", shape, 0)); }
tg_tensor tg_ones(tg_tape *t, tg_shape shape) { return handle_or_null(filled(t, "ones", shape, 1)); }
tg_tensor tg_full(tg_tape *t, tg_shape shape, double value) { return handle_or_null(filled(t, "full", shape, value)); }
tg_tensor tg_scalar(tg_tape *t, double value) { return handle_or_null(filled(t, "scalar", TG_SCALAR, value)); }

tg_node *tg_count_up(tg_tape *t, const char *name, int64_t n) {
    tg_shape shape = TG_SHAPE(n);
    tg_node *x = tg_leaf_new(t, name, &shape, TG_I64);
    for (int64_t i = 0; x && i < n; i++)
        ((int64_t *)x->data)[i] = i;
    return x;
}

tg_tensor tg_arange(tg_tape *t, int64_t n) { return handle_or_null(tg_count_up(t, "arange", n)); }

tg_tensor tg_eye(tg_tape *t, int64_t n) {
    tg_shape shape = TG_SHAPE(n, n);
    tg_node *x = tg_leaf_new(t, "eye", &shape, tg_tape_dtype(t));
    for (int64_t i = 0; x && i < x->numel; i++)
        store((tg_dtype)x->dtype, x->data, i, i % (n + 1) == 0);
    return handle_or_null(x);
}

/* From both ends to the middle, as PyTorch does, so that both ends are exact. */
tg_tensor tg_linspace(tg_tape *t, double first, double last, int64_t n) {
    tg_shape shape = TG_SHAPE(n);
    tg_node *x = tg_leaf_new(t, "linspace", &shape, tg_tape_dtype(t));
    double step = n > 1 ? (last - first) / (double)(n - 1) : 0;
    for (int64_t i = 0; x && i < n; i++)
        store((tg_dtype)x->dtype, x->data, i,
              i < n / 2 || n == 1 ? first + step * (double)i : last - step * (double)(n - 1 - i));
    return handle_or_null(x);
}

/* A leaf with the caller's values, of dtype `from`. */
static tg_tensor leaf_from(const char *name, tg_tape *t, tg_shape shape, tg_dtype dtype, const void *values,
                           tg_dtype from) {
    if (t && !values && tg_shape_numel(&shape) > 0)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: the values for shape %s are NULL", name, tg_shape_text(&shape).s);
    tg_node *x = tg_leaf_new(t, name, &shape, dtype);
    for (int64_t i = 0; x && i < x->numel; i++)
        convert(dtype, x->data, i, from, values, i);
    return handle_or_null(x);
}

tg_tensor tg_from_floats(tg_tape *t, tg_shape shape, const float *values) {
    return leaf_from("from_floats", t, shape, tg_tape_dtype(t), values, TG_F32);
}
tg_tensor tg_from_doubles(tg_tape *t, tg_shape shape, const double *values) {
    return leaf_from("from_doubles", t, shape, tg_tape_dtype(t), values, TG_F64);
}
tg_tensor tg_from_ints(tg_tape *t, tg_shape shape, const int64_t *values) {
    return leaf_from("from_ints", t, shape, TG_I64, values, TG_I64);
}
tg_tensor tg_from_bools(tg_tape *t, tg_shape shape, const bool *values) {
    return leaf_from("from_bools", t, shape, TG_BOOL, values, TG_BOOL);
}

/* ---- reading and changing ---- */

static tg_node *open_elements(const char *name, tg_tensor x, const void *values, int64_t n) {
    tg_node *node;
    if (!tg_open(name, "*", 1, &x, &node) || !tg_has_elements(node))
        return NULL;
    if (n == node->numel && (values || !n))
        return node;
    if (n != node->numel)
        tg_fail(x.tape, TG_ERR_SHAPE, "%s: tensor %s has %lld elements, not %lld", name, tg_node_text(node).s,
                (long long)node->numel, (long long)n);
    else
        tg_fail(x.tape, TG_ERR_ARGUMENT, "%s: the array for tensor %s is NULL", name, tg_node_text(node).s);
    return NULL;
}

static bool repeats(const tg_node *x) {
    for (int i = 0; i < x->ndim; i++)
        if (x->size[i] > 1 && x->stride[i] == 0)
            return true;
    return false;
}

static tg_node *open_writable(const char *name, tg_tensor x, const void *values, int64_t n) {
    tg_node *node = open_elements(name, x, values, n);
    if (!node)
        return NULL;
    if (node->base->op)
        tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %u %s was made by %s; only leaves and views of them can be written",
                name, node->index, tg_node_text(node).s, node->base->op->name);
    else if (repeats(node))
        tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %u %s is expanded: several of its elements share memory", name,
                node->index, tg_node_text(node).s);
    else
        return node;
    return NULL;
}

/* n elements, along the last dim of both walks. */
static void convert_run(int64_t n, const tg_node *to, const tg_walk *out, const tg_node *from, const tg_walk *in) {
    ptrdiff_t step = out->stride[out->ndim - 1], from_step = in->stride[in->ndim - 1];
    size_t size = tg_dtype_size((tg_dtype)to->dtype);
    if (to->dtype == from->dtype && step == 1 && from_step == 1)
        memmove((char *)to->data + out->offset * (ptrdiff_t)size,
                (const char *)from->data + in->offset * (ptrdiff_t)size, (size_t)n * size);
    else
        for (int64_t i = 0; i < n; i++)
            convert((tg_dtype)to->dtype, to->data, out->offset + i * step, (tg_dtype)from->dtype, from->data,
                    in->offset + i * from_step);
}

static void copy_elements(const tg_node *to, const tg_node *from) {
    tg_walk in, out;
    tg_walk_begin(&in, from->ndim, from->size, from->stride);
    tg_walk_begin(&out, to->ndim, to->size, to->stride);
    for (int64_t left = to->numel, n; left > 0; left -= n, tg_walk_next(&in, n), tg_walk_next(&out, n)) {
        n = tg_walk_run(&in) < tg_walk_run(&out) ? tg_walk_run(&in) : tg_walk_run(&out);
        convert_run(n, to, &out, from, &in);
    }
}

/* A node like x with contiguous elements of this dtype at `values`. */
static tg_node dense_like(const tg_node *x, tg_dtype dtype, void *values) {
    tg_node dense = *x;
    dense.dtype = (uint8_t)dtype;
    dense.data = values;
    tg_dense_strides(dense.ndim, dense.size, dense.stride);
    return dense;
}

static tg_status copy_out(tg_tensor x, void *out, tg_dtype dtype, int64_t n) {
    const tg_node *node = open_elements("read", x, out, n);
    if (!node)
        return tg_tape_status(x.tape);
    tg_node dense = dense_like(node, dtype, out);
    copy_elements(&dense, node);
    return TG_OK;
}

static tg_status copy_in(tg_tensor x, const void *values, tg_dtype dtype, int64_t n) {
    tg_node *node = open_writable("write", x, values, n);
    if (!node)
        return tg_tape_status(x.tape);
    tg_node dense = dense_like(node, dtype, (void *)values);
    copy_elements(node, &dense);
    tg_touch(node);
    return TG_OK;
}

tg_status tg_read_floats(tg_tensor x, float *out, int64_t n) { return copy_out(x, out, TG_F32, n); }
tg_status tg_read_doubles(tg_tensor x, double *out, int64_t n) { return copy_out(x, out, TG_F64, n); }
tg_status tg_read_ints(tg_tensor x, int64_t *out, int64_t n) { return copy_out(x, out, TG_I64, n); }
tg_status tg_write_floats(tg_tensor x, const float *values, int64_t n) { return copy_in(x, values, TG_F32, n); }
tg_status tg_write_doubles(tg_tensor x, const double *values, int64_t n) { return copy_in(x, values, TG_F64, n); }
tg_status tg_write_ints(tg_tensor x, const int64_t *values, int64_t n) { return copy_in(x, values, TG_I64, n); }

/* Views that may overlap: through a copy, so that no element is overwritten before it is read. */
static tg_status copy_overlapping(tg_node *to, const tg_node *from) {
    size_t bytes = (size_t)from->numel * tg_dtype_size((tg_dtype)from->dtype);
    void *room = tg_pool_get(to->tape, bytes);
    if (!room)
        return tg_say_where(to, "copy_");
    tg_node copy = dense_like(from, (tg_dtype)from->dtype, room);
    copy_elements(&copy, from);
    copy_elements(to, &copy);
    tg_pool_put(to->tape, room, bytes);
    tg_touch(to);
    return TG_OK;
}

tg_status tg_copy_(tg_tensor x, tg_tensor y) {
    tg_node *to, *from;
    if (!tg_open("copy_", "*", 1, &x, &to))
        return tg_tape_status(x.tape);
    if (!tg_open("copy_", "*", 1, &y, &from) || !tg_has_elements(from)) { /* it may be on a tape of its own */
        tg_fail(x.tape, TG_ERR_ARGUMENT, "copy_: the source for %s is not a usable tensor", tg_node_text(to).s);
        return tg_tape_status(x.tape);
    }
    tg_shape a = tg_shape_from(to), b = tg_shape_from(from);
    if (a.ndim != b.ndim || memcmp(a.size, b.size, sizeof a.size[0] * (size_t)a.ndim) != 0)
        return tg_fail(x.tape, TG_ERR_SHAPE, "copy_: shapes %s and %s differ", tg_node_text(to).s,
                       tg_node_text(from).s);
    if (to->dtype != from->dtype && !(tg_is_floating(to) && tg_is_floating(from)))
        return tg_fail(x.tape, TG_ERR_ARGUMENT, "copy_: %s is %s, but %s is %s", tg_node_text(to).s,
                       tg_dtype_name((tg_dtype)to->dtype), tg_node_text(from).s, tg_dtype_name((tg_dtype)from->dtype));
    if (!open_writable("copy_", x, to, to->numel))
        return tg_tape_status(x.tape);
    if (to->base == from->base)
        return copy_overlapping(to, from);
    copy_elements(to, from);
    tg_touch(to);
    return TG_OK;
}

tg_tensor tg_fill_(tg_tensor x, double value) {
    const tg_node *any = tg_resolve("fill_", x);
    tg_node *node = any ? open_writable("fill_", x, any, any->numel) : NULL;
    if (!node)
        return TG_NULL;
    tg_walk w;
    tg_walk_begin(&w, node->ndim, node->size, node->stride);
    for (int64_t i = 0; i < node->numel; i++, tg_walk_next(&w, 1))
        store((tg_dtype)node->dtype, node->data, w.offset, value);
    tg_touch(node);
    return x;
}

double tg_item(tg_tensor x) {
    const tg_node *node;
    if (!tg_open("item", "*", 1, &x, (tg_node **)&node) || !tg_has_elements(node))
        return (double)NAN;
    if (node->numel == 1)
        return load((tg_dtype)node->dtype, node->data, 0);
    tg_fail(x.tape, TG_ERR_SHAPE, "item: tensor %s has %lld elements, not one", tg_node_text(node).s,
            (long long)node->numel);
    return (double)NAN;
}

static tg_node *open_memory(const char *name, tg_tensor x) {
    tg_node *node;
    if (!tg_open(name, "*", 1, &x, &node) || !tg_has_elements(node))
        return NULL;
    if (node->contiguous)
        return node;
    tg_fail(x.tape, TG_ERR_STATE, "%s: tensor %s is not contiguous; take tg_contiguous of it", name,
            tg_node_text(node).s);
    return NULL;
}

void *tg_data(tg_tensor x) {
    tg_node *node = open_memory("data", x);
    if (!node)
        return NULL;
    tg_touch(node);
    return node->data;
}

const void *tg_const_data(tg_tensor x) {
    const tg_node *node = open_memory("data", x);
    return node ? node->data : NULL;
}

/* ---- attributes ---- */

tg_dtype tg_dtype_of(tg_tensor x) {
    const tg_node *node = tg_resolve("dtype_of", x);
    return node ? (tg_dtype)node->dtype : TG_F32;
}
tg_shape tg_shape_of(tg_tensor x) {
    const tg_node *node = tg_resolve("shape_of", x);
    return node ? tg_shape_from(node) : TG_SCALAR;
}
int tg_ndim(tg_tensor x) {
    const tg_node *node = tg_resolve("ndim", x);
    return node ? node->ndim : 0;
}

/* One of x's sizes or strides. */
static int64_t along(const char *name, tg_tensor x, int dim, bool stride) {
    const tg_node *node = tg_resolve(name, x);
    int d = node ? tg_dim(x.tape, name, dim, node) : -1;
    if (d < 0)
        return 0;
    if (!node->ndim) {
        tg_fail(x.tape, TG_ERR_SHAPE, "%s: dim %d of tensor %s: a scalar has no dims", name, dim, tg_node_text(node).s);
        return 0;
    }
    return stride ? node->stride[d] : node->size[d];
}

int64_t tg_size(tg_tensor x, int dim) { return along("size", x, dim, false); }
int64_t tg_stride(tg_tensor x, int dim) { return along("stride", x, dim, true); }
int64_t tg_numel(tg_tensor x) {
    const tg_node *node = tg_resolve("numel", x);
    return node ? node->numel : 0;
}
bool tg_is_contiguous(tg_tensor x) {
    const tg_node *node = tg_resolve("is_contiguous", x);
    return node && node->contiguous;
}
bool tg_is_leaf(tg_tensor x) {
    const tg_node *node = tg_resolve("is_leaf", x);
    return node && !node->op;
}

/* ---- names ---- */

static tg_node *find_name(const tg_tape *t, const char *name) {
    for (tg_extra *e = t->extras; e; e = e->next)
        if (e->name && strcmp(e->name, name) == 0)
            return e->node;
    return NULL;
}

/* The name under the current path; NULL when out of memory. */
static char *whole_name(tg_tape *t, const char *name) {
    const char *under = tg_name_path(t);
    size_t path = strlen(under), before = path + (path > 0), size = strlen(name) + 1;
    char *whole = tg_pool_get(t, before + size);
    if (!whole)
        return NULL;
    memcpy(whole, under, path);
    if (path)
        whole[path] = '.';
    memcpy(whole + before, name, size);
    return whole;
}

static tg_tensor give_name(const char *what, tg_tape *t, const char *name, tg_tensor leaf, bool is_parameter) {
    tg_node *x;
    if (!t)
        return tg_fail_null(leaf.tape, TG_ERR_ARGUMENT, "%s: the tape is NULL", what);
    if (leaf.tape != t)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: the tensor is %s", what,
                            leaf.tape ? "on another tape" : "the null tensor");
    if (!tg_open(what, is_parameter ? "f" : "*", 1, &leaf, &x))
        return TG_NULL;
    if (x->op || x->base != x)
        return tg_fail_null(t, TG_ERR_STATE, "%s: tensor %u %s was made by an operation; only a leaf can be a %s", what,
                            x->index, tg_node_text(x).s, what);
    if (!name || !*name)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "%s: the name for tensor %s is empty", what, tg_node_text(x).s);
    if (t->path.lost)
        return tg_fail_null(t, TG_ERR_STATE,
                            "%s: '%.200s' would lack the path of the tg_name_push that failed; call %s", what, name,
                            "its tg_name_pop first");
    tg_extra *e = tg_extra_of(x);
    char *whole = e ? whole_name(t, name) : NULL;
    if (!whole)
        return TG_NULL;
    if (find_name(t, whole)) {
        tg_fail(t, TG_ERR_ARGUMENT, "%s: the name '%.200s' is taken", what, whole);
        tg_pool_put(t, whole, strlen(whole) + 1);
        return TG_NULL;
    }
    if (e->name)
        tg_pool_put(t, e->name, strlen(e->name) + 1);
    e->name = whole;
    e->is_parameter = is_parameter;
    tg_require_grad(x, is_parameter);
    return leaf;
}

tg_tensor tg_parameter(tg_tape *t, const char *name, tg_tensor leaf) {
    return give_name("parameter", t, name, leaf, true);
}
tg_tensor tg_buffer(tg_tape *t, const char *name, tg_tensor leaf) { return give_name("buffer", t, name, leaf, false); }

const char *tg_name(tg_tensor x) {
    const tg_node *node = tg_resolve("name", x);
    return node && node->extra && node->extra->name ? node->extra->name : "";
}

tg_tensor tg_named(tg_tape *t, const char *name) {
    if (!t || t->status)
        return TG_NULL;
    if (!name)
        return tg_fail_null(t, TG_ERR_ARGUMENT, "named: the name is NULL");
    const tg_node *x = find_name(t, name);
    return x ? tg_handle(x) : tg_fail_null(t, TG_ERR_ARGUMENT, "named: no tensor is named '%.200s'", name);
}

static bool is_selected(const tg_node *x, const tg_selection *s, bool parameters_only) {
    const tg_extra *e = x->extra;
    if (!e || !e->name || (parameters_only && !e->is_parameter) || x->ndim < s->min_ndim || x->ndim > s->max_ndim)
        return false;
    size_t length = strlen(e->name), tail = s->suffix ? strlen(s->suffix) : 0;
    return (!s->prefix || strncmp(e->name, s->prefix, strlen(s->prefix)) == 0) &&
           (tail <= length && memcmp(e->name + length - tail, s->suffix ? s->suffix : "", tail) == 0) &&
           (!s->accept || s->accept(tg_handle(x), s->context));
}

static tg_list list_of(tg_tape *t, const tg_selection *s, bool parameters_only) {
    tg_list list = {.tape = t};
    if (!t || t->status)
        return list;
    size_t n = 0;
    for (uint32_t i = 0; i < t->count; i++)
        n += is_selected(t->nodes[i], s, parameters_only);
    tg_tensor *tensor = tg_arena_get(t, &t->arena.nodes, n * sizeof *tensor);
    if (!tensor)
        return list;
    for (uint32_t i = 0; i < t->count && (size_t)list.n < n; i++)
        if (is_selected(t->nodes[i], s, parameters_only))
            tensor[list.n++] = tg_handle(t->nodes[i]);
    list.tensor = tensor;
    return list;
}

tg_list tg_parameters(tg_tape *t) { return list_of(t, &TG_SELECT_ALL, true); }
tg_list tg_parameters_where(tg_tape *t, tg_selection which) { return list_of(t, &which, true); }
tg_list tg_state(tg_tape *t) { return list_of(t, &TG_SELECT_ALL, false); }
tg_list tg_parameters_under(tg_tape *t, const char *prefix) {
    tg_selection which = TG_SELECT_ALL;
    which.prefix = prefix;
    if (prefix || !t || t->status)
        return list_of(t, &which, true);
    tg_fail(t, TG_ERR_ARGUMENT, "parameters_under: the prefix is NULL");
    return (tg_list){.tape = t};
}
