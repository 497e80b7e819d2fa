/* Numbers as SVG: a matrix as a heatmap, rows as lines. */
#include "core/io/picture.h"
#include "core/walk.h"

#include <math.h>

enum { MOST_CELLS = 65536, WITH_NUMBERS = 400, CELL = 34, MARGIN = 110, TOP = 50 };
enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, RIGHT = 150, FOOT = 40, LINES = 8 };

typedef struct matrix {
    const tg_node *x;
    int64_t rows, columns;
    double low, high; /* of the finite elements; 0 and 1 when there are none */
} matrix;

static double at(const matrix *m, int64_t i, int64_t j) {
    const tg_node *x = m->x;
    ptrdiff_t k = (x->ndim == 2 ? i * x->stride[0] : 0) + j * x->stride[x->ndim - 1];
    return x->dtype == TG_F32 ? (double)((const float *)x->data)[k] : ((const double *)x->data)[k];
}

static void find_range(matrix *m) {
    m->low = INFINITY, m->high = -INFINITY;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++) {
            double v = at(m, i, j);
            if (isfinite(v)) {
                m->low = fmin(m->low, v);
                m->high = fmax(m->high, v);
            }
        }
    if (m->low > m->high)
        m->low = 0, m->high = 1;
}

/* The floating matrix x, or a row of one; false after tg_fail. */
static bool open_matrix(const char *name, FILE *file, tg_tensor x, matrix *m) {
    const tg_node *n = tg_resolve(name, x);
    if (!n || !tg_has_elements(n))
        return false;
    if (!file)
        tg_fail(x.tape, TG_ERR_ARGUMENT, "%s: the file is NULL", name);
    else if (!tg_is_floating(n))
        tg_fail(x.tape, TG_ERR_ARGUMENT, "%s: %s is %s; tg_to_float makes it floating", name, tg_node_text(n).s,
                tg_dtype_name((tg_dtype)n->dtype));
    else if (n->ndim < 1 || n->ndim > 2 || n->numel < 1 || n->numel > MOST_CELLS)
        tg_fail(x.tape, TG_ERR_SHAPE,
                "%s: %s is no matrix, or row, of 1 to %d elements; tg_select and tg_slice take a part", name,
                tg_node_text(n).s, MOST_CELLS);
    else {
        *m = (matrix){.x = n, .rows = n->ndim == 2 ? n->size[0] : 1, .columns = n->size[n->ndim - 1]};
        find_range(m);
        return true;
    }
    return false;
}

static tg_status done(const char *name, const tg_picture *p, tg_tape *t) {
    return p->failed ? tg_fail(t, TG_ERR_IO, "%s: the file cannot be written", name) : TG_OK;
}

static void put_at(tg_picture *p, double x, double y, const char *more) {
    tg_put(p, "<text x=\"");
    tg_put_number(p, x, 1);
    tg_put(p, "\" y=\"");
    tg_put_number(p, y, 1);
    tg_put(p, "\"%s>", more);
}

static void put_text_at(tg_picture *p, double x, double y, const char *more, const char *text) {
    put_at(p, x, y, more);
    tg_put_text(p, text);
    tg_put(p, "</text>\n");
}

static void put_number_at(tg_picture *p, double x, double y, const char *more, double number) {
    put_at(p, x, y, more);
    tg_put_number(p, number, -3);
    tg_put(p, "</text>\n");
}

/* ---- heatmap ---- */

/* 0 for the smallest, 1 for the largest. */
static double share(const matrix *m, double v) { return m->high > m->low ? (v - m->low) / (m->high - m->low) : 0.5; }

/* From white to a dark blue. */
static void put_fill(tg_picture *p, double s) {
    tg_put(p, "#%02x%02x%02x", (int)(255 - 247 * s), (int)(255 - 207 * s), (int)(255 - 148 * s));
}

static void put_cell(tg_picture *p, const matrix *m, int64_t i, int64_t j, int cell) {
    double v = at(m, i, j), s = isfinite(v) ? share(m, v) : 0;
    tg_put(p, "<rect x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"%d\" fill=\"", (long long)(MARGIN + j * cell),
           (long long)(TOP + i * cell), cell, cell);
    if (isfinite(v))
        put_fill(p, s);
    else
        tg_put(p, "none\" stroke=\"#c00");
    tg_put(p, "\"><title>%lld, %lld: ", (long long)i, (long long)j);
    tg_put_number(p, v, -6);
    tg_put(p, "</title></rect>\n");
    if (cell == CELL)
        put_number_at(p, (double)MARGIN + ((double)j + 0.5) * cell, (double)TOP + ((double)i + 0.6) * cell,
                      s > 0.5 ? " text-anchor=\"middle\" font-size=\"9\" fill=\"#fff\""
                              : " text-anchor=\"middle\" font-size=\"9\"",
                      v);
}

tg_status tg_heatmap_svg(FILE *file, tg_tensor x, const char *title, const char *const *rows,
                         const char *const *columns) {
    matrix m;
    if (!open_matrix("heatmap_svg", file, x, &m))
        return tg_tape_status(x.tape);
    int cell = m.rows * m.columns <= WITH_NUMBERS ? CELL : m.rows > 128 || m.columns > 128 ? 3 : 12;
    tg_picture p = {.file = file};
    tg_put_svg_begin(&p, (double)(MARGIN + m.columns * cell + 20), (double)(TOP + m.rows * cell + 20),
                     title ? title : "");
    put_text_at(&p, MARGIN, 16, " font-weight=\"bold\"", title ? title : "");
    for (int64_t j = 0; columns && j < m.columns; j++)
        put_text_at(&p, (double)MARGIN + ((double)j + 0.5) * cell, TOP - 6, " text-anchor=\"middle\"", columns[j]);
    for (int64_t i = 0; i < m.rows; i++) {
        if (rows)
            put_text_at(&p, MARGIN - 6, (double)TOP + ((double)i + 0.6) * cell, " text-anchor=\"end\"", rows[i]);
        for (int64_t j = 0; j < m.columns; j++)
            put_cell(&p, &m, i, j, cell);
    }
    tg_put(&p, "</svg>\n");
    return done("heatmap_svg", &p, x.tape);
}

/* ---- lines ---- */

/* Told apart by dashes as well as by colour. */
static const char *const colours[] = {"#0060a8", "#b34700", "#00704a", "#8a2be2",
                                      "#a00040", "#555500", "#004d60", "#444"};
static const char *const dashes[] = {"", "6 3", "2 2", "8 3 2 3", "1 3", "10 4", "4 1", "12 2 2 2"};

static double x_of(const matrix *m, int64_t j) {
    return LEFT + (m->columns > 1 ? (double)j / (double)(m->columns - 1) : 0.5) * (WIDTH - LEFT - RIGHT);
}
static double y_of(const matrix *m, double v) { return HEIGHT - FOOT - share(m, v) * (HEIGHT - FOOT - TOP); }

/* Numbers that are not finite leave a gap. */
static void put_line(tg_picture *p, const matrix *m, int64_t i) {
    bool down = false;
    tg_put(p, "<path fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", colours[i],
           dashes[i]);
    for (int64_t j = 0; j < m->columns; j++) {
        double v = at(m, i, j);
        if (isfinite(v)) {
            tg_put(p, "%s", down ? "L" : "M");
            tg_put_number(p, x_of(m, j), 1);
            tg_put(p, " ");
            tg_put_number(p, y_of(m, v), 1);
        }
        down = isfinite(v);
    }
    tg_put(p, "\"/>\n");
}

static void put_legend(tg_picture *p, int64_t i, const char *label) {
    int y = TOP + 6 + 18 * (int)i;
    tg_put(p, "<path stroke=\"%s\" stroke-dasharray=\"%s\" stroke-width=\"1.5\" d=\"M%d %dh24\"/>\n", colours[i],
           dashes[i], WIDTH - RIGHT + 12, y);
    put_text_at(p, WIDTH - RIGHT + 42, y + 4, "", label);
}

tg_status tg_lines_svg(FILE *file, tg_tensor y, const char *title, const char *const *labels) {
    matrix m;
    if (!open_matrix("lines_svg", file, y, &m))
        return tg_tape_status(y.tape);
    if (m.rows > LINES)
        return tg_fail(y.tape, TG_ERR_SHAPE, "lines_svg: %s has more than %d rows, which nobody could tell apart",
                       tg_node_text(m.x).s, LINES);
    tg_picture p = {.file = file};
    tg_put_svg_begin(&p, WIDTH, HEIGHT, title ? title : "");
    put_text_at(&p, LEFT, 16, " font-weight=\"bold\"", title ? title : "");
    tg_put(&p, "<path fill=\"none\" stroke=\"#777\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - FOOT, WIDTH - RIGHT);
    put_number_at(&p, LEFT - 6, TOP + 4, " text-anchor=\"end\"", m.high);
    put_number_at(&p, LEFT - 6, HEIGHT - FOOT, " text-anchor=\"end\"", m.low);
    put_number_at(&p, LEFT, HEIGHT - FOOT + 18, " text-anchor=\"middle\"", 0);
    put_number_at(&p, WIDTH - RIGHT, HEIGHT - FOOT + 18, " text-anchor=\"middle\"", (double)(m.columns - 1));
    for (int64_t i = 0; i < m.rows; i++) {
        put_line(&p, &m, i);
        if (labels)
            put_legend(&p, i, labels[i]);
    }
    tg_put(&p, "</svg>\n");
    return done("lines_svg", &p, y.tape);
}
