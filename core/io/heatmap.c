/* A matrix as SVG: a coloured cell per number, and the colour scale. */
#include "core/io/plot.h"

#include <math.h>

enum { WITH_NUMBERS = 400, CELL = 34, BAR = 14, BAR_HEIGHT = 200, STOPS = 48, LONGEST = 530 };

/* SIGNED, for numbers of both signs: from blue over white, 0, to red, symmetric. Otherwise from white to blue. ROOT: by
 * the square root, when none is below 0 and the mean is below a quarter of the largest: rows of attention add up to 1,
 * and most of their numbers are small. */
typedef enum { LINEAR, ROOT, SIGNED } scale_kind;

typedef struct heatmap {
    tg_plot m;
    scale_kind kind;
    double low, high;        /* of the colour scale */
    double unit;             /* numbers in cells are in these units, */
    int decimals;            /* with this many decimals */
    int digits;              /* significant digits in a cell's tooltip */
    bool numbers;            /* cells show their numbers */
    bool finite;             /* at least one number is */
    int cell;                /* pixels */
    double left, top, right; /* where the cells begin; where the scale begins */
    const char *const *rows, *const *columns;
    bool turned; /* the columns' labels are rotated */
} heatmap;

/* ---- colours ---- */

/* ColorBrewer's Blues and RdBu (Harrower, Brewer 2003), whose lightness decreases evenly; 0 is white. */
static const unsigned blues[] = {0xffffff, 0xdeebf7, 0xc6dbef, 0x9ecae1, 0x6baed6,
                                 0x4292c6, 0x2171b5, 0x08519c, 0x08306b};
static const unsigned both[] = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xffffff,
                                0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

static void put_colour(tg_picture *p, const heatmap *h, double share) {
    const unsigned *stop = h->kind == SIGNED ? both : blues;
    int last = h->kind == SIGNED ? 10 : 8, i = (int)fmin(share * last, last - 1);
    double f = share * last - i;
    tg_put(p, "#");
    for (int shift = 16; shift >= 0; shift -= 8) {
        double a = stop[i] >> shift & 255, b = stop[i + 1] >> shift & 255;
        tg_put(p, "%02x", (unsigned)(a + f * (b - a) + 0.5));
    }
}

static double share_of(const heatmap *h, double v) {
    double share = tg_plot_share(h->low, h->high, v);
    return h->kind == ROOT ? sqrt(share) : share;
}

static bool is_dark(const heatmap *h, double share) {
    return h->kind == SIGNED ? fabs(share - 0.5) > 0.3 : share > 0.5;
}

/* Enough decimals and digits to resolve a tenth of the range, as far as double does. */
static void tell_apart(heatmap *h, double largest) {
    double range = h->m.high / 2 - h->m.low / 2, share = range / (largest / 2);
    if (!(range > 0))
        return;
    int decimals = (int)ceil(-log10(2 * (range / h->unit))) + 1;
    h->digits = (int)fmin(17, fmax(TG_DIGITS, ceil(-log10(share)) + 2));
    h->decimals = (int)fmin(16, fmax(h->decimals, decimals));
}

static void choose_scale(heatmap *h) {
    const tg_plot *m = &h->m;
    double sum = 0, largest = fmax(fabs(m->low), fabs(m->high));
    for (int64_t i = 0; i < m->rows; i++)
        for (int64_t j = 0; j < m->columns; j++) {
            double v = tg_plot_at(m, i, j);
            sum += isfinite(v) ? v / (double)(m->rows * m->columns) : 0;
            h->finite |= isfinite(v);
        }
    h->low = m->low, h->high = m->high;
    if (m->low < 0 && m->high > 0) {
        h->kind = SIGNED;
        h->low = -largest, h->high = largest;
    } else if (h->finite && m->low >= 0 && sum < m->high / 4) {
        h->kind = ROOT;
        h->low = 0;
    }
    double power = largest > 0 ? fmax(-300, floor(log10(largest))) : 0;
    bool fits = power >= -2 && power <= 3;
    h->unit = fits ? 1 : pow(10, power);
    h->decimals = fits ? (int)fmax(0, 2 - fmax(0, power)) : 2;
    h->digits = TG_DIGITS;
    tell_apart(h, largest);
}

/* ---- the scale ---- */

/* Ticks that are at least 16 pixels apart. ROOT: 0, then 1, 2 and 5 times powers of ten, from the smallest up. */
static tg_ticks marks(const heatmap *h, double height) {
    tg_ticks t = {.n = 0};
    double before = -INFINITY;
    if (h->kind != ROOT)
        return tg_ticks_between(h->low, h->high, 4);
    t.at[t.n++] = 0;
    for (int e = -4; e <= 0; e++)
        for (int k = 0; k < 3 && t.n < TG_TICKS; k++) {
            double v = (double[]){1, 2, 5}[k] * pow(10, floor(log10(h->high)) + e), at = share_of(h, v) * height;
            if (v <= h->high * (1 + 1e-9) && at >= 16 && at >= before + 16) {
                t.at[t.n++] = v;
                before = at;
            }
        }
    return t;
}

static void put_scale(tg_picture *p, const heatmap *h, double height) {
    for (int i = 0; i < STOPS; i++) {
        tg_put(p, "<rect x=\"%.0f\" y=\"", h->right);
        tg_put_number(p, h->top + height * (STOPS - 1 - i) / STOPS, 1);
        tg_put(p, "\" width=\"%d\" height=\"", BAR);
        tg_put_number(p, height / STOPS + 0.5, 1);
        tg_put(p, "\" fill=\"");
        put_colour(p, h, (i + 0.5) / STOPS);
        tg_put(p, "\"/>\n");
    }
    tg_put(p, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" fill=\"none\" stroke=\"#777\"/>\n", h->right,
           h->top, BAR, height);
    tg_ticks t = marks(h, height);
    for (int i = 0; i < t.n; i++) {
        double y = h->top + height * (1 - share_of(h, t.at[i]));
        tg_put(p, "<path stroke=\"#777\" d=\"M%.0f ", h->right + BAR);
        tg_put_number(p, y, 1);
        tg_put(p, "h4\"/>\n");
        tg_put_number_at(p, h->right + BAR + 8, y + 4, "", t.at[i], tg_tick_digits(&t));
    }
}

/* ---- cells and labels ---- */

static void put_number_in(tg_picture *p, const heatmap *h, double x, double y, double v, bool dark) {
    double shown = v / h->unit;
    if (isfinite(v) && h->kind == ROOT && shown < 0.5 * pow(10, -h->decimals))
        return;
    tg_put(p, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" font-size=\"10\"%s>", x, y,
           dark ? " fill=\"#fff\"" : "");
    tg_put_number(p, shown, h->decimals);
    tg_put(p, "</text>\n");
}

static void put_cell(tg_picture *p, const heatmap *h, int64_t i, int64_t j) {
    double v = tg_plot_at(&h->m, i, j), share = isfinite(v) ? share_of(h, v) : 0;
    double x = h->left + (double)j * h->cell, y = h->top + (double)i * h->cell;
    tg_put(p, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"", x, y, h->cell, h->cell);
    if (isfinite(v))
        put_colour(p, h, share);
    else
        tg_put(p, "none\" stroke=\"#c00");
    tg_put(p, "\"><title>%lld, %lld: ", (long long)i, (long long)j);
    tg_put_number(p, v, -h->digits);
    tg_put(p, "</title></rect>\n");
    if (h->numbers)
        put_number_in(p, h, x + h->cell / 2.0, y + h->cell / 2.0 + 4, v, isfinite(v) && is_dark(h, share));
}

/* Rows or columns from one label to the next: as few as fit; a round number when labels are numbers. */
static int64_t stride_of(const heatmap *h, const char *const *labels) {
    int64_t fit = ((labels ? 12 : 30) + h->cell - 1) / h->cell;
    return labels ? fit : (int64_t)fmax(1, tg_tick_step(0, (double)fit, 1));
}

static void put_rows(tg_picture *p, const heatmap *h) {
    int64_t stride = stride_of(h, h->rows);
    for (int64_t i = 0; i < h->m.rows; i += stride) {
        double y = h->top + ((double)i + 0.5) * h->cell + 4;
        if (h->rows)
            tg_put_text_at(p, h->left - 6, y, " text-anchor=\"end\"", h->rows[i], LONGEST);
        else
            tg_put_number_at(p, h->left - 6, y, " text-anchor=\"end\"", (double)i, TG_DIGITS);
    }
}

static void put_columns(tg_picture *p, const heatmap *h) {
    int64_t stride = stride_of(h, h->columns);
    for (int64_t j = 0; j < h->m.columns; j += stride) {
        double x = h->left + ((double)j + 0.5) * h->cell;
        if (!h->columns) {
            tg_put_number_at(p, x, h->top - 6, " text-anchor=\"middle\"", (double)j, TG_DIGITS);
        } else if (h->turned) {
            tg_put(p, "<g transform=\"translate(%.0f %.0f) rotate(-90)\">", x + 4, h->top - 6);
            tg_put_text_at(p, 0, 0, "", h->columns[j], LONGEST);
            tg_put(p, "</g>\n");
        } else {
            tg_put_text_at(p, x, h->top - 6, " text-anchor=\"middle\"", h->columns[j], LONGEST);
        }
    }
}

/* ---- the picture ---- */

static double widest(const char *const *labels, int64_t n) {
    double width = 0;
    for (int64_t i = 0; labels && i < n; i++)
        width = fmax(width, tg_text_width(labels[i]));
    return fmin(width, LONGEST);
}

/* At font size 10. */
static double number_in_width(const heatmap *h) {
    tg_picture low = {.file = NULL}, high = {.file = NULL};
    tg_put_number(&low, h->m.low / h->unit, h->decimals);
    tg_put_number(&high, h->m.high / h->unit, h->decimals);
    return 6 + 5.6 * fmax((double)low.length, (double)high.length);
}

static void lay_out(heatmap *h) {
    int64_t n = h->m.rows, k = h->m.columns;
    double across = widest(h->columns, k);
    h->numbers = n * k <= WITH_NUMBERS;
    h->cell = h->numbers ? (int)fmax(CELL, number_in_width(h)) : n > 128 || k > 128 ? 3 : 12;
    h->turned = across > h->cell;
    h->left = 16 + fmax(30, widest(h->rows, n));
    h->top = 46 + (h->turned ? across - 6 : 0);
    h->right = h->left + (double)(k * h->cell) + 20;
}

/* A note on colours and units where they are not the default. */
static void put_note(tg_picture *p, const heatmap *h) {
    bool root = h->kind == ROOT, units = h->numbers && h->unit != 1;
    if (!h->finite)
        tg_put(p, "no number is finite");
    if (root)
        tg_put(p, "colours go with the square root");
    if (units) {
        tg_put(p, root ? "; numbers in units of " : "numbers in units of ");
        tg_put_number(p, h->unit, -3);
    }
    if (root && h->numbers) {
        tg_put(p, "; none below ");
        tg_put_number(p, 0.5 * pow(10, -h->decimals) * h->unit, -3);
    }
}

static double note_width(const heatmap *h) {
    tg_picture p = {.file = NULL};
    put_note(&p, h);
    return 6.2 * (double)p.length; /* at font size 11 */
}

static void put_note_at(tg_picture *p, const heatmap *h, double y) {
    if (note_width(h) == 0)
        return;
    tg_put(p, "<text x=\"%.0f\" y=\"%.0f\" font-size=\"11\">", h->left, y);
    put_note(p, h);
    tg_put(p, "</text>\n");
}

tg_status tg_heatmap_svg(FILE *file, tg_tensor x, const char *title, const char *const *rows,
                         const char *const *columns) {
    heatmap h = {.rows = rows, .columns = columns};
    if (!tg_plot_open("heatmap_svg", file, x, &h.m))
        return tg_tape_status(x.tape);
    choose_scale(&h);
    lay_out(&h);
    double height = (double)(h.m.rows * h.cell), bar = fmin(BAR_HEIGHT, fmax(height, 80));
    tg_ticks t = marks(&h, bar);
    double numbers = fmax(52, tg_ticks_width(&t, tg_tick_digits(&t)) + 4);
    double texts = fmax(fmin(LONGEST, tg_text_width(title)) * 1.1, note_width(&h));
    double width = fmax(h.right + BAR + 8 + numbers, h.left + texts + 10);
    tg_picture p = {.file = file};
    tg_put_svg_begin(&p, width, h.top + fmax(height, bar) + 34, title ? title : "");
    tg_put_text_at(&p, h.left, 18, " font-weight=\"bold\"", title, LONGEST);
    for (int64_t i = 0; i < h.m.rows; i++)
        for (int64_t j = 0; j < h.m.columns; j++)
            put_cell(&p, &h, i, j);
    tg_put(&p, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" stroke=\"#777\"/>\n", h.left,
           h.top, (double)(h.m.columns * h.cell), height);
    put_rows(&p, &h);
    put_columns(&p, &h);
    if (h.finite)
        put_scale(&p, &h, bar);
    put_note_at(&p, &h, h.top + fmax(height, bar) + 20);
    tg_put(&p, "</svg>\n");
    return tg_plot_end("heatmap_svg", &p, x.tape);
}
