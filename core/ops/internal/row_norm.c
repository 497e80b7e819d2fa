/* Recording a normalisation of rows, layer_norm or rms_norm: the dims of a row, checks of weight and bias. */
#include "core/kernels/layer_norm.h"

tg_tensor tg_norm_mean(const tg_node *y, tg_tensor x) {
    tg_dims last = {.ndim = ((const tg_layer_norm_attr *)y->attr)->dims};
    for (int i = 0; i < last.ndim; i++)
        last.dim[i] = i - last.ndim;
    return tg_mean(x, last, true);
}

/* The last n sizes of x, or all if there are fewer. */
static tg_shape last_sizes(const tg_node *x, int n) {
    tg_shape last = {.ndim = n < x->ndim ? n : x->ndim};
    for (int i = 0; i < last.ndim; i++)
        last.size[i] = x->size[x->ndim - last.ndim + i];
    return last;
}

static bool same_sizes(const tg_shape *a, const tg_shape *b) {
    bool same = a->ndim == b->ndim;
    for (int i = 0; same && i < a->ndim; i++)
        same = a->size[i] == b->size[i];
    return same;
}

/* The shape of a row: as requested, or that of weight or bias; without dims after an error. */
static tg_shape row_of(tg_tape *t, const char *name, tg_node *const *in, const tg_shape *asked) {
    const tg_node *w = in[1] ? in[1] : in[2];
    tg_shape row = last_sizes(in[0], asked ? asked->ndim : w ? w->ndim : 1), none = TG_SCALAR;
    if (!in[0]->ndim)
        tg_fail(t, TG_ERR_SHAPE, "%s: x must have at least one dim", name);
    if (asked && (asked->ndim < 1 || !same_sizes(asked, &row)))
        tg_fail(t, TG_ERR_SHAPE, "%s: x %s does not end in normalized_shape %s of one dim or more", name,
                tg_node_text(in[0]).s, tg_shape_text(asked).s);
    for (int i = 1; i < 3; i++) {
        tg_shape shape = in[i] ? tg_shape_from(in[i]) : row;
        if (in[i] && (!shape.ndim || !same_sizes(&shape, &row)))
            tg_fail(t, TG_ERR_SHAPE, "%s: %s %s does not fit x %s: it must be %s", name, i == 1 ? "weight" : "bias",
                    tg_node_text(in[i]).s, tg_node_text(in[0]).s, tg_shape_text(&row).s);
    }
    return tg_tape_status(t) ? none : row;
}

tg_tensor tg_row_norm(const tg_op *op, tg_tensor x, const tg_shape *normalized_shape, tg_tensor weight, tg_tensor bias,
                      double eps, bool centered) {
    tg_node *in[3];
    tg_tape *t = tg_open_contiguous(op->name, "fFF", 3, (tg_tensor[]){x, weight, bias}, in);
    if (!t)
        return TG_NULL;
    tg_shape row = row_of(t, op->name, in, normalized_shape);
    if (!row.ndim)
        return TG_NULL;
    int64_t n = tg_shape_numel(&row);
    tg_node *y = tg_node_like(t, op, 3, in, in[0], tg_tape_dtype(t), sizeof(tg_layer_norm_attr));
    if (!y || !tg_node_save(y, n ? 2 * (y->numel / n) : 0))
        return TG_NULL;
    *(tg_layer_norm_attr *)y->attr = (tg_layer_norm_attr){eps, n, row.ndim, centered};
    return tg_record(y);
}
