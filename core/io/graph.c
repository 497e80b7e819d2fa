/* What a tensor was made by, as a picture: every tensor on the tape that it depends on, with its shape and, where it
 * has one, the norm of its gradient. */
#include "core/io/picture.h"

/* One flag for each tensor up to y: y depends on it, by whatever path. NULL after tg_fail. */
static bool *find_inputs(const tg_node *y) {
    size_t n = (size_t)y->index + 1;
    bool *wanted = tg_block_get(y->tape, n);
    if (!wanted)
        return NULL;
    memset(wanted, 0, n);
    wanted[y->index] = true;
    for (size_t i = n; i-- > 0;)
        for (int k = 0; wanted[i] && k < y->tape->nodes[i]->n_in; k++)
            if (y->tape->nodes[i]->in[k])
                wanted[y->tape->nodes[i]->in[k]->index] = true;
    return wanted;
}

/* "W_query", or "matmul"; then the shape, and the gradient's norm */
static void put_label(tg_picture *p, const tg_node *x, const char *between) {
    tg_shape shape = tg_shape_from(x);
    tg_put_text(p, x->op ? x->op->name : x->extra && x->extra->name ? x->extra->name : "leaf");
    tg_put(p, "%s%s", between, tg_shape_text(&shape).s);
    if (x->dtype == TG_I64 || x->dtype == TG_BOOL)
        tg_put(p, " %s", tg_dtype_name((tg_dtype)x->dtype));
    if (!tg_is_floating(x) || !x->gowner->has_grad)
        return;
    tg_put(p, "%sgradient ", between);
    tg_put_number(p, tg_grad_norm(x), -3);
}

static void put_dot(tg_picture *p, const tg_node *y, const bool *wanted) {
    tg_put(p, "digraph tape {\n    node [shape=box, fontname=\"sans-serif\"];\n");
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *x = y->tape->nodes[i];
        if (!wanted[i])
            continue;
        tg_put(p, "    t%u [label=\"", i);
        put_label(p, x, "\\n");
        tg_put(p, "\"%s];\n", x->op ? "" : x->requires_grad ? ", style=bold" : ", style=dashed");
        for (int k = 0; k < x->n_in; k++)
            if (x->in[k])
                tg_put(p, "    t%u -> t%u;\n", x->in[k]->index, i);
    }
    tg_put(p, "}\n");
}

enum { ROW = 22, ARCS = 160, TEXT = 460 };

/* From one row to another one below, further to the left the further they are apart. */
static void put_arc(tg_picture *p, int64_t from, int64_t to) {
    double bend = ARCS * (1 - 1 / (1 + 0.15 * (double)(to - from))), end = ARCS - bend;
    int64_t top = from * ROW + 20, bottom = to * ROW + 20;
    tg_put(p, "<path d=\"M%d %lld C", ARCS, (long long)top);
    tg_put_number(p, end, 0);
    tg_put(p, " %lld ", (long long)top);
    tg_put_number(p, end, 0);
    tg_put(p, " %lld %d %lld\" fill=\"none\" stroke=\"#777\"/>\n", (long long)bottom, ARCS, (long long)bottom);
}

/* row: the row of each tensor that is wanted */
static void put_svg(tg_picture *p, const tg_node *y, const bool *wanted, int64_t *row) {
    int64_t rows = 0;
    for (uint32_t i = 0; i <= y->index; i++)
        if (wanted[i])
            row[i] = rows++;
    tg_put_svg_begin(p, ARCS + TEXT, (double)rows * ROW + 20, "tensors in the order of the tape, arcs from inputs");
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *x = y->tape->nodes[i];
        if (!wanted[i])
            continue;
        for (int k = 0; k < x->n_in; k++)
            if (x->in[k])
                put_arc(p, row[x->in[k]->index], row[i]);
        tg_put(p, "<text x=\"%d\" y=\"%lld\"%s>", ARCS + 8, (long long)(row[i] * ROW + 24),
               x->op              ? ""
               : x->requires_grad ? " font-weight=\"bold\""
                                  : " font-style=\"italic\"");
        put_label(p, x, " ");
        tg_put(p, "</text>\n");
    }
    tg_put(p, "</svg>\n");
}

/* Both pictures: what is checked before, and given back after. */
static tg_status draw(const char *name, FILE *file, tg_tensor y, bool svg) {
    const tg_node *n = tg_resolve(name, tg_checkpoint_handle(y));
    if (!n)
        return tg_tape_status(y.tape);
    if (!file)
        return tg_fail(y.tape, TG_ERR_ARGUMENT, "%s: the file is NULL", name);
    size_t count = (size_t)n->index + 1;
    bool *wanted = find_inputs(n);
    int64_t *row = wanted && svg ? tg_block_get(y.tape, count * sizeof *row) : NULL;
    tg_picture p = {.file = file};
    if (wanted && !svg)
        put_dot(&p, n, wanted);
    if (row)
        put_svg(&p, n, wanted, row);
    if (row)
        tg_block_put(y.tape, row, count * sizeof *row);
    if (wanted)
        tg_block_put(y.tape, wanted, count);
    return p.failed ? tg_fail(y.tape, TG_ERR_IO, "%s: the file cannot be written", name) : y.tape->status;
}

tg_status tg_graph_dot(FILE *file, tg_tensor y) { return draw("graph_dot", file, y, false); }
tg_status tg_graph_svg(FILE *file, tg_tensor y) { return draw("graph_svg", file, y, true); }
