/* Private: shared by heatmaps and lines: a matrix with its range, round numbers for axes, labels. */
#ifndef TAPEGRAD_PLOT_H
#define TAPEGRAD_PLOT_H

#include "core/io/picture.h"

typedef struct tg_plot {
    const tg_node *x;
    int64_t rows, columns;
    double low, high; /* of the finite elements; 0 and 1 when there are none */
} tg_plot;

/* Opens the floating matrix x, or a vector as one row; false after tg_fail. */
bool tg_plot_open(const char *name, FILE *file, tg_tensor x, tg_plot *m);
double tg_plot_at(const tg_plot *m, int64_t i, int64_t j);
tg_status tg_plot_end(const char *name, const tg_picture *p, tg_tape *t);

/* The position of v between low and high, from 0 to 1; 0 when low == high. */
double tg_plot_share(double low, double high, double v);

/* Round numbers for an axis. step: 1, 2 or 5 times a power of ten, with at most `most` steps from low to high; 0 when
 * there is no such double. between: the multiples of that step, or low and high themselves. log: powers of ten, or
 * every 2nd, 5th, ... of them; below four decades also 2 and 5 times these. */
enum { TG_TICKS = 24 };
typedef struct tg_ticks {
    double at[TG_TICKS];
    int n;
} tg_ticks;
double tg_tick_step(double low, double high, int most); /* 0: none */
tg_ticks tg_ticks_between(double low, double high, int most);
tg_ticks tg_ticks_log(double low, double high);
/* The significant digits that distinguish these labels, at least TG_DIGITS. */
enum { TG_DIGITS = 6 };
int tg_tick_digits(const tg_ticks *t);

/* Text wider than `room` pixels is cut with an ellipsis, with the whole text in a <title>. */
void tg_put_text_at(tg_picture *p, double x, double y, const char *more, const char *text, double room);
void tg_put_number_at(tg_picture *p, double x, double y, const char *more, double number, int digits);
/* Approximate widths in pixels at font size 12. */
double tg_text_width(const char *text);
double tg_number_width(double number, int digits);
double tg_ticks_width(const tg_ticks *t, int digits); /* of the widest */

#endif
