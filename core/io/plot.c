/* Matrices, round numbers and labels: see core/io/plot.h. */
#include "core/io/plot.h"
#include "core/walk.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_CELLS = 65536 };

double tg_plot_at(const tg_plot *m, int64_t i, int64_t j) {
    const tg_node *x = m->x;
    ptrdiff_t k = (x->ndim == 2 ? i * x->stride[0] : 0) + j * x->stride[x->ndim - 1];
    return x->dtype == TG_F32 ? (double)((const float *)x->data)[k] : ((const double *)x->data)[k];
}

static void find_range(tg_plot *m) {
    m->low = INFINITY, m->high = -INFINITY;
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++) {
            double v = tg_plot_at(m, i, j);
            if (isfinite(v)) {
                m->low = fmin(m->low, v);
                m->high = fmax(m->high, v);
            }
        }
    if (m->low > m->high)
        m->low = 0, m->high = 1;
}

bool tg_plot_open(const char *name, FILE *file, tg_tensor x, tg_plot *m) {
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
        *m = (tg_plot){.x = n, .rows = n->ndim == 2 ? n->size[0] : 1, .columns = n->size[n->ndim - 1]};
        find_range(m);
        return true;
    }
    return false;
}

tg_status tg_plot_end(const char *name, const tg_picture *p, tg_tape *t) {
    return p->failed ? tg_fail(t, TG_ERR_IO, "%s: the file cannot be written", name) : TG_OK;
}

/* By halves: high - low may overflow. */
double tg_plot_share(double low, double high, double v) {
    double span = high / 2 - low / 2;
    return span > 0 ? fmin(1, fmax(0, (v / 2 - low / 2) / span)) : v > low;
}

/* ---- round numbers ---- */

double tg_tick_step(double low, double high, int most) {
    double rough = high / most - low / most, power = pow(10, floor(log10(rough)));
    if (!(rough >= DBL_MIN) || !isfinite(rough) || power < DBL_MIN)
        return 0;
    double f = rough / power * (1 - 1e-9);
    return power * (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10);
}

/* The step is at least (high - low) / most, so there are at most most + 1 ticks, even where first + 1 == first. */
tg_ticks tg_ticks_between(double low, double high, int most) {
    double step = tg_tick_step(low, high, most), first = ceil(low / step - 1e-9);
    double last = fmin(high + 1e-9 * step, DBL_MAX);
    tg_ticks t = {.n = 0};
    for (int i = 0; step > 0 && i <= most + 1 && t.n < TG_TICKS && (first + i) * step <= last; i++)
        if (!t.n || (first + i) * step > t.at[t.n - 1])
            t.at[t.n++] = (first + i) * step;
    return t.n ? t : (tg_ticks){{low, high}, low < high ? 2 : 1};
}

tg_ticks tg_ticks_log(double low, double high) {
    static const double within[] = {1, 2, 5};
    tg_ticks t = {.n = 0};
    int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), decades = last - first;
    int parts = decades < 4 ? 3 : 1, every = (int)fmax(1, tg_tick_step(0, decades, 10));
    for (int e = (int)ceil((double)first / every) * every; e <= last && t.n < TG_TICKS; e += every)
        for (int k = 0; k < parts && t.n < TG_TICKS; k++) {
            double v = within[k] * pow(10, e);
            if (v > 0 && isfinite(v) && v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9))
                t.at[t.n++] = v;
        }
    return t.n > 1 ? t : tg_ticks_between(low, high, 5);
}

/* True when tick i and its label differ by at most a tenth of a step. */
static bool is_exact(const tg_ticks *t, int i, int digits) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, t->at[i]);
    double off = fabs(strtod(text, NULL) - t->at[i]) * 10;
    return (i == 0 || off <= t->at[i] - t->at[i - 1]) && (i + 1 == t->n || off <= t->at[i + 1] - t->at[i]);
}

/* More than TG_DIGITS digits are written without an exponent, as long as they are significant. */
int tg_tick_digits(const tg_ticks *t) {
    int digits = TG_DIGITS, before = 0;
    for (int i = 0; i < t->n; i++) {
        while (digits < 17 && !is_exact(t, i, digits))
            digits++;
        before = (int)fmax(before, t->at[i] == 0 ? 1 : floor(log10(fabs(t->at[i]))) + 1);
    }
    return digits > TG_DIGITS && before > digits && before <= 15 ? before : digits;
}

/* ---- labels ---- */

static void put_at(tg_picture *p, double x, double y, const char *more) {
    tg_put(p, "<text x=\"");
    tg_put_number(p, x, 1);
    tg_put(p, "\" y=\"");
    tg_put_number(p, y, 1);
    tg_put(p, "\"%s>", more);
}

enum { LONGEST = 400 };                                       /* bytes of a shortened text */
static const double letter = 6.7, capital = 9.4, widest = 12; /* digits are as wide as a letter */

/* Only the bytes that begin a UTF-8 character count. Outside ASCII it may be as wide as an ideograph. */
static double width_of(char c) {
    unsigned byte = (unsigned char)c;
    if (byte >= 0x80)
        return byte < 0xc0 ? 0 : widest;
    return c && strchr("MWm@%", c) ? widest : c == 'w' || (c >= 'A' && c <= 'Z') ? capital : letter;
}

/* The bytes of the text that fit the width. */
static size_t bytes_within(const char *text, double room) {
    size_t i = 0;
    for (double width = 0; text[i] && i < LONGEST; i++) {
        width += width_of(text[i]);
        if (width > room)
            break;
    }
    return i;
}

void tg_put_text_at(tg_picture *p, double x, double y, const char *more, const char *text, double room) {
    char start[LONGEST + 1];
    text = text ? text : "";
    put_at(p, x, y, more);
    if (tg_text_width(text) > room) {
        tg_copy_text(start, bytes_within(text, room - widest) + 1, text);
        tg_put(p, "<title>");
        tg_put_whole_text(p, text);
        tg_put(p, "</title>");
        tg_put_whole_text(p, start);
        tg_put(p, "\xe2\x80\xa6");
    } else {
        tg_put_whole_text(p, text);
    }
    tg_put(p, "</text>\n");
}

void tg_put_number_at(tg_picture *p, double x, double y, const char *more, double number, int digits) {
    put_at(p, x, y, more);
    tg_put_number(p, number, -digits);
    tg_put(p, "</text>\n");
}

double tg_text_width(const char *text) {
    double width = 0;
    for (; text && *text; text++)
        width += width_of(*text);
    return width;
}

double tg_number_width(double number, int digits) {
    tg_picture p = {.file = NULL};
    tg_put_number(&p, number, -digits);
    return letter * (double)p.length;
}

double tg_ticks_width(const tg_ticks *t, int digits) {
    double width = 0;
    for (int i = 0; i < t->n; i++)
        width = fmax(width, tg_number_width(t->at[i], digits));
    return width;
}
