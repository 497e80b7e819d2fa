/* A matrix of weights between 0 and 1 as text art. */
#ifndef EXAMPLES_HEATMAP_H
#define EXAMPLES_HEATMAP_H

#include "examples/common/terminal.h"

/* weights (n, n), row-major; elements above the diagonal (the future) stay blank. label[i] is beside row i and above
 * column i; note[i], unless NULL, follows row i. cell: terminal columns per weight; labels are no wider. Blocks and
 * colours where the terminal has them, plain characters elsewhere. */
typedef struct heatmap {
    const float *weights;
    int n, cell;
    const char *const *label, *const *note;
} heatmap;

void heatmap_print(FILE *out, const heatmap *h);

/* Prints one of its rows, so that the caller can print beside it: row -1 is the line above row 0. Returns the columns
 * used. */
int heatmap_row(FILE *out, terminal screen, const heatmap *h, int row);
int heatmap_width(const heatmap *h); /* without notes */
void heatmap_legend(FILE *out, terminal screen, int cell);

#endif
