/* A matrix of weights between 0 and 1 as a picture made of text. */
#ifndef EXAMPLES_HEATMAP_H
#define EXAMPLES_HEATMAP_H

#include "examples/common/terminal.h"

/* weights (n, n), row-major; what lies above the diagonal (the future) stays blank. label[i] stands beside row i
 * and above column i; note[i], unless NULL, follows row i. cell: columns of the terminal for each weight; the labels
 * are no wider. Blocks and colours where the terminal has them, plain characters elsewhere. */
typedef struct heatmap {
    const float *weights;
    int n, cell;
    const char *const *label, *const *note;
} heatmap;

void heatmap_print(FILE *out, const heatmap *h);

/* Its parts, for who puts something beside it, as a terminal would show them: the line above row 0 is row -1. Returns
 * the columns that were used. */
int heatmap_row(FILE *out, terminal screen, const heatmap *h, int row);
int heatmap_width(const heatmap *h); /* without notes */
void heatmap_legend(FILE *out, terminal screen, int cell);

#endif
