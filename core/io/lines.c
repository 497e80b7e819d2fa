/* Rows of numbers as line plots with round ticks, as SVG. */
#include "core/io/plot.h"

#include <float.h>
#include <math.h>

enum { WIDTH = 640, HEIGHT = 360, LEFT = 76, TOP = 40, FOOT = 52, LABELLED = 150, PLAIN = 24, LINES = 8 };

typedef struct axes {
    tg_plot m;
    tg_lines_config config;
    tg_ticks x, y;
    int x_digits, y_digits;
    int left, right;  /* margins */
    double low, high; /* of the y axis: round numbers; above 0 when it is logarithmic */
} axes;

/* Lines differ in colour and in dashes. */
static const char *const colours[] = {"#0060a8", "#b34700", "#00704a", "#8a2be2",
                                      "#a00040", "#555500", "#004d60", "#444"};
static const char *const dashes[] = {"", "6 3", "2 2", "8 3 2 3", "1 3", "10 4", "4 1", "12 2 2 2"};

/* True when v is drawn. */
static bool shows(const axes *a, double v) { return isfinite(v) && (!a->config.log || v > 0); }

static void find_log_range(axes *a) {
    a->low = INFINITY, a->high = 0;
    for (int64_t i = 0; i < a->m.rows; i++)
        for (int64_t j = 0; j < a->m.columns; j++) {
            double v = tg_plot_at(&a->m, i, j);
            if (shows(a, v)) {
                a->low = fmin(a->low, v);
                a->high = fmax(a->high, v);
            }
        }
    if (a->high <= 0)
        a->low = 1, a->high = 10;
    if (a->high < 10 * a->low) { /* less than a decade: a factor of 2 more on either side */
        a->low = fmax(a->low / 2, 5e-324);
        a->high = fmin(a->high * 2, DBL_MAX);
    }
}

static void find_linear_range(axes *a) {
    a->low = a->m.low, a->high = a->m.high;
    if (a->low >= a->high) {
        double by = a->low == 0 ? 1 : fmax(fabs(a->low) / 2, DBL_MIN);
        a->low -= by, a->high += by;
    }
    double step = tg_tick_step(a->low, a->high, 5), low = floor(a->low / step + 1e-9) * step,
           high = ceil(a->high / step - 1e-9) * step;
    if (step > 0 && isfinite(low) && isfinite(high))
        a->low = fmin(a->low, low), a->high = fmax(a->high, high);
}

/* As many ticks as their labels fit. Returns the width of the widest label. */
static double choose_x_ticks(axes *a) {
    const tg_lines_config *c = &a->config;
    double width = 0, last = c->first + c->step * (double)(a->m.columns - 1);
    for (int most = 6; most > 0; most--) {
        a->x = tg_ticks_between(c->first, last, most);
        a->x_digits = tg_tick_digits(&a->x);
        width = tg_ticks_width(&a->x, a->x_digits);
        if (a->x.n * (width + 12) <= WIDTH - a->left - a->right)
            break;
    }
    return width;
}

/* The ticks, and margins wide enough for their labels. */
static void choose_ticks(axes *a) {
    const tg_lines_config *c = &a->config;
    a->y = c->log ? tg_ticks_log(a->low, a->high) : tg_ticks_between(a->low, a->high, 5);
    a->y_digits = tg_tick_digits(&a->y);
    a->left = (int)fmax(LEFT, tg_ticks_width(&a->y, a->y_digits) + (c->y ? 30 : 12));
    a->right = c->labels ? LABELLED : PLAIN;
    a->right = (int)fmax(a->right, choose_x_ticks(a) / 2 + 4);
}

static double x_of(const axes *a, double at) {
    return a->left + (a->m.columns > 1 ? at / (double)(a->m.columns - 1) : 0.5) * (WIDTH - a->left - a->right);
}

static double y_of(const axes *a, double v) {
    double share = a->config.log ? tg_plot_share(log(a->low), log(a->high), log(v)) : tg_plot_share(a->low, a->high, v);
    return HEIGHT - FOOT - share * (HEIGHT - FOOT - TOP);
}

static void put_rule(tg_picture *p, double x, double y, char direction, int to) {
    tg_put(p, "<path stroke=\"#ddd\" d=\"M");
    tg_put_number(p, x, 1);
    tg_put(p, " ");
    tg_put_number(p, y, 1);
    tg_put(p, "%c%d\"/>\n", direction, to);
}

static void put_axes(tg_picture *p, const axes *a) {
    const tg_lines_config *c = &a->config;
    for (int i = 0; i < a->y.n; i++) {
        double at = y_of(a, a->y.at[i]);
        put_rule(p, a->left, at, 'H', WIDTH - a->right);
        tg_put_number_at(p, a->left - 8, at + 4, " text-anchor=\"end\"", a->y.at[i], a->y_digits);
    }
    for (int i = 0; i < a->x.n; i++) {
        double at = x_of(a, (a->x.at[i] - c->first) / c->step);
        put_rule(p, at, HEIGHT - FOOT, 'v', 5);
        tg_put_number_at(p, at, HEIGHT - FOOT + 19, " text-anchor=\"middle\"", a->x.at[i], a->x_digits);
    }
    tg_put(p, "<path fill=\"none\" stroke=\"#777\" d=\"M%d %dV%dH%d\"/>\n", a->left, TOP, HEIGHT - FOOT,
           WIDTH - a->right);
    tg_put_text_at(p, a->left, 18, " font-weight=\"bold\"", c->title, (WIDTH - a->left) / 1.1);
    if (c->x)
        tg_put_text_at(p, a->left + (WIDTH - a->left - a->right) / 2.0, HEIGHT - 14, " text-anchor=\"middle\"", c->x,
                       WIDTH - a->left - a->right);
    if (c->y) {
        tg_put(p, "<g transform=\"translate(16 %d) rotate(-90)\">", TOP + (HEIGHT - TOP - FOOT) / 2);
        tg_put_text_at(p, 0, 0, " text-anchor=\"middle\"", c->y, HEIGHT - TOP - FOOT);
        tg_put(p, "</g>\n");
    }
}

static bool shows_at(const axes *a, int64_t i, int64_t j) {
    return j >= 0 && j < a->m.columns && shows(a, tg_plot_at(&a->m, i, j));
}

/* A number between two gaps has no line to a neighbour: it is drawn as a dot. */
static void put_dots(tg_picture *p, const axes *a, int64_t i) {
    for (int64_t j = 0; j < a->m.columns; j++)
        if (shows_at(a, i, j) && !shows_at(a, i, j - 1) && !shows_at(a, i, j + 1)) {
            tg_put(p, "<circle r=\"2\" fill=\"%s\" cx=\"", colours[i]);
            tg_put_number(p, x_of(a, (double)j), 1);
            tg_put(p, "\" cy=\"");
            tg_put_number(p, y_of(a, tg_plot_at(&a->m, i, j)), 1);
            tg_put(p, "\"/>\n");
        }
}

/* Numbers that are not finite leave a gap. */
static void put_line(tg_picture *p, const axes *a, int64_t i) {
    bool down = false;
    tg_put(p, "<path fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", colours[i],
           dashes[i]);
    for (int64_t j = 0; j < a->m.columns; j++) {
        double v = tg_plot_at(&a->m, i, j);
        if (shows(a, v)) {
            tg_put(p, "%s", down ? "L" : "M");
            tg_put_number(p, x_of(a, (double)j), 1);
            tg_put(p, " ");
            tg_put_number(p, y_of(a, v), 1);
        }
        down = shows(a, v);
    }
    tg_put(p, "\"/>\n");
}

static void put_legend(tg_picture *p, int64_t i, const char *label) {
    int y = TOP + 6 + 18 * (int)i;
    tg_put(p, "<path stroke=\"%s\" stroke-dasharray=\"%s\" stroke-width=\"1.5\" d=\"M%d %dh24\"/>\n", colours[i],
           dashes[i], WIDTH - LABELLED + 12, y);
    tg_put_text_at(p, WIDTH - LABELLED + 42, y + 4, "", label, LABELLED - 46);
}

tg_status tg_lines_svg_with(FILE *file, tg_tensor y, tg_lines_config config) {
    axes a = {.config = config};
    if (!tg_plot_open("lines_svg", file, y, &a.m))
        return tg_tape_status(y.tape);
    if (a.m.rows > LINES)
        return tg_fail(y.tape, TG_ERR_SHAPE, "lines_svg: %s has more than %d rows; more lines cannot be told apart",
                       tg_node_text(a.m.x).s, LINES);
    if (!(config.step > 0) || !isfinite(config.step * (double)a.m.columns) ||
        !isfinite(config.first + config.step * (double)a.m.columns))
        return tg_fail(y.tape, TG_ERR_ARGUMENT,
                       "lines_svg: first is %g and step %g; step must be above 0 and every point finite", config.first,
                       config.step);
    if (config.log)
        find_log_range(&a);
    else
        find_linear_range(&a);
    choose_ticks(&a);
    tg_picture p = {.file = file};
    tg_put_svg_begin(&p, WIDTH, HEIGHT, config.title ? config.title : "");
    put_axes(&p, &a);
    for (int64_t i = 0; i < a.m.rows; i++) {
        put_line(&p, &a, i);
        put_dots(&p, &a, i);
        if (config.labels)
            put_legend(&p, i, config.labels[i]);
    }
    tg_put(&p, "</svg>\n");
    return tg_plot_end("lines_svg", &p, y.tape);
}

tg_status tg_lines_svg(FILE *file, tg_tensor y, const char *title, const char *const *labels) {
    tg_lines_config config = TG_LINES_DEFAULTS;
    config.title = title;
    config.labels = labels;
    return tg_lines_svg_with(file, y, config);
}
