/* The graph of a tensor as a picture: every tensor on the tape that it depends on, with its shape and the norm of its
 * gradient, if it has one.
 *
 * As SVG each operation has a row, in the order of the tape. Leaves are beside the operations that use them, so lines
 * start at operations only: straight to the next row, as an arc past other rows. A view that is used once shares a
 * label with the leaf that it views, or with the view of it. */
#include "core/io/picture.h"

#include <math.h>

enum { ROW = 22, LINE = 15, ARCS = 120, MOST_VIEWS = 4 };
typedef enum { UNUSED, BESIDE, FOLDED, OWN_ROW } place_kind;

typedef struct place {
    place_kind kind;
    int views;         /* BESIDE, FOLDED: views that share its label, this one included */
    uint32_t uses;     /* the number of operands that it is */
    const tg_node *by; /* the first operation that uses it */
    int64_t row, y;    /* OWN_ROW: its number, and its text's baseline */
} place;

/* Finds every tensor that y depends on and counts its uses. NULL after tg_fail. */
static place *find_inputs(const tg_node *y) {
    size_t n = (size_t)y->index + 1;
    place *all = tg_block_get(y->tape, n * sizeof *all);
    if (!all)
        return NULL;
    memset(all, 0, n * sizeof *all);
    all[y->index].kind = OWN_ROW;
    for (size_t i = n; i-- > 0;) {
        const tg_node *x = y->tape->nodes[i];
        for (int k = 0; all[i].kind && k < x->n_in; k++)
            if (x->in[k]) {
                place *in = &all[x->in[k]->index];
                in->kind = OWN_ROW;
                in->uses++;
                in->by = x;
            }
    }
    return all;
}

static void put_gradient(tg_picture *p, const tg_node *x, const char *between) {
    if (!tg_is_floating(x) || !x->window.owner->has_grad)
        return;
    tg_put(p, "%sgradient ", between);
    tg_put_number(p, tg_grad_norm(x), -3);
}

static const char *name_of(const tg_node *x) {
    return x->op ? x->op->name : x->extra && x->extra->name ? x->extra->name : "leaf";
}

/* A long name loses its middle: the end tells lora_A from lora_B. */
static void put_name(tg_picture *p, const tg_node *x) {
    char name[80];
    tg_copy_name(name, sizeof name, name_of(x));
    tg_put_text(p, name);
}

/* The shape, and the gradient's norm. */
static void put_shape(tg_picture *p, const tg_node *x, const char *between) {
    tg_shape shape = tg_shape_from(x);
    tg_put(p, "%s%s", between, tg_shape_text(&shape).s);
    if (x->dtype == TG_I64 || x->dtype == TG_BOOL)
        tg_put(p, " %s", tg_dtype_name((tg_dtype)x->dtype));
    put_gradient(p, x, between);
}

/* ---- Graphviz ---- */

static void put_dot(tg_picture *p, const tg_node *y, const place *all) {
    tg_put(p, "digraph tape {\n    node [shape=box, fontname=\"sans-serif\"];\n");
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *x = y->tape->nodes[i];
        if (!all[i].kind)
            continue;
        tg_put(p, "    t%u [label=\"", i);
        put_name(p, x); /* "W_query", or "matmul" */
        put_shape(p, x, "\\n");
        tg_put(p, "\"%s];\n", x->op ? "" : x->requires_grad ? ", style=bold" : ", style=dashed");
        for (int k = 0; k < x->n_in; k++)
            if (x->in[k])
                tg_put(p, "    t%u -> t%u;\n", x->in[k]->index, i);
    }
    tg_put(p, "}\n");
}

/* ---- rows ---- */

static void choose_kind(const tg_node *x, place *all) {
    place *at = &all[x->index], *in = x->n_in == 1 && x->in[0] ? &all[x->in[0]->index] : NULL;
    bool is_passing = x->op && x->op->is_view && at->uses == 1 && in;
    if (!x->op && at->uses)
        at->kind = BESIDE;
    if (!is_passing || in->views == MOST_VIEWS)
        return;
    if (in->kind == BESIDE)
        at->kind = BESIDE;
    else if (at->by->op->is_view)
        at->kind = FOLDED;
    if (at->kind != OWN_ROW)
        at->views = in->views + 1;
}

/* The first of the views that share x's label, or x itself. */
static const tg_node *first_of(const tg_node *x, const place *all) {
    place_kind together = all[x->index].kind == BESIDE ? BESIDE : FOLDED;
    while (x->n_in == 1 && x->in[0] && all[x->in[0]->index].views && all[x->in[0]->index].kind == together)
        x = x->in[0];
    return x;
}

static bool is_beside(const tg_node *in, const place *all) { return in && all[in->index].kind == BESIDE; }

/* "W, transpose (3, 2) gradient 0.5": beside an operation, the leaf's name first. */
static void put_label(tg_picture *p, const tg_node *x, const place *all) {
    const tg_node *v = first_of(x, all);
    if (is_beside(x, all) && x->op) {
        put_name(p, v->in[0]);
        tg_put(p, ", ");
    }
    for (; v != x; v = all[v->index].by) {
        put_name(p, v);
        tg_put(p, ", ");
    }
    put_name(p, x);
    put_shape(p, x, " ");
}

/* An upper bound of a label's width in pixels, at font size 12. */
static double width_of(const tg_node *x, const place *all) {
    tg_picture nowhere = {.file = NULL};
    put_label(&nowhere, x, all);
    return 6.7 * (double)nowhere.length;
}

typedef struct layout {
    double beside, width; /* where the leaves' column begins; the picture's width */
    int64_t height;
} layout;

static layout lay_out(const tg_node *y, place *all) {
    layout l = {0};
    double widest = 0;
    int64_t rows = 0, down = 10;
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *x = y->tape->nodes[i];
        if (all[i].kind == OWN_ROW)
            choose_kind(x, all);
        if (all[i].kind == BESIDE)
            widest = fmax(widest, width_of(x, all));
        if (all[i].kind != OWN_ROW)
            continue;
        int64_t lines = 0;
        for (int k = 0; k < x->n_in; k++)
            lines += is_beside(x->in[k], all);
        all[i].row = rows++;
        all[i].y = down + 14;
        down += lines > 1 ? ROW - LINE + lines * LINE : ROW;
        l.beside = fmax(l.beside, width_of(x, all));
    }
    l.beside += ARCS + 24;
    l.width = l.beside + widest;
    l.height = down + 10;
    return l;
}

/* A straight line to the next row; else an arc, the wider the farther it goes. */
static void put_line(tg_picture *p, const place *from, const place *to) {
    int64_t top = from->y + 3, bottom = to->y - 11;
    double apart = (double)(to->row - from->row), end = ARCS - (ARCS - 20) * (1 - 1 / (1 + 0.15 * apart));
    tg_put(p, "<path fill=\"none\" stroke=\"#777\" d=\"");
    if (to->row == from->row + 1) {
        tg_put(p, "M%d %lldV%lld\"/>\n", ARCS + 12, (long long)top, (long long)bottom);
        return;
    }
    tg_put(p, "M%d %lldC", ARCS, (long long)top - 7);
    tg_put_number(p, end, 0);
    tg_put(p, " %lld ", (long long)top - 7);
    tg_put_number(p, end, 0);
    tg_put(p, " %lld %d %lld\"/>\n", (long long)bottom + 7, ARCS, (long long)bottom + 7);
}

static void put_text_of(tg_picture *p, const tg_node *x, const place *all, double left, int64_t y) {
    const tg_node *leaf = x->op && is_beside(x, all) ? first_of(x, all)->in[0] : x;
    tg_put(p, "<text x=\"");
    tg_put_number(p, left, 0);
    tg_put(p, "\" y=\"%lld\"%s>", (long long)y,
           leaf->op              ? ""
           : leaf->requires_grad ? " font-weight=\"bold\""
                                 : " font-style=\"italic\"");
    put_label(p, x, all);
    tg_put(p, "</text>\n");
}

static void put_row(tg_picture *p, const tg_node *x, const place *all, double beside) {
    const tg_node *first = first_of(x, all);
    int64_t y = all[x->index].y;
    put_text_of(p, x, all, ARCS + 6, y);
    for (int k = 0; k < first->n_in; k++)
        if (is_beside(first->in[k], all)) {
            put_text_of(p, first->in[k], all, beside, y);
            y += LINE;
        } else if (first->in[k]) {
            put_line(p, &all[first->in[k]->index], &all[x->index]);
        }
}

static void put_svg(tg_picture *p, const tg_node *y, place *all) {
    layout l = lay_out(y, all);
    tg_put_svg_begin(p, l.width, (double)l.height, "operations in the order of the tape, leaves beside them");
    for (uint32_t i = 0; i <= y->index; i++)
        if (all[i].kind == OWN_ROW)
            put_row(p, y->tape->nodes[i], all, l.beside);
    tg_put(p, "</svg>\n");
}

/* Checks the arguments and draws either picture. */
static tg_status draw(const char *name, FILE *file, tg_tensor y, bool svg) {
    const tg_node *n = tg_resolve(name, tg_checkpoint_handle(y));
    if (!n)
        return tg_tape_status(y.tape);
    if (!file)
        return tg_fail(y.tape, TG_ERR_ARGUMENT, "%s: the file is NULL", name);
    place *all = find_inputs(n);
    if (!all)
        return y.tape->status;
    tg_picture p = {.file = file};
    if (svg)
        put_svg(&p, n, all);
    else
        put_dot(&p, n, all);
    tg_block_put(y.tape, all, ((size_t)n->index + 1) * sizeof *all);
    return p.failed ? tg_fail(y.tape, TG_ERR_IO, "%s: the file cannot be written", name) : y.tape->status;
}

tg_status tg_graph_dot(FILE *file, tg_tensor y) { return draw("graph_dot", file, y, false); }
tg_status tg_graph_svg(FILE *file, tg_tensor y) { return draw("graph_svg", file, y, true); }
