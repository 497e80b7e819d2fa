/* A matrix of weights between 0 and 1 as a picture made of text. */
#ifndef EXAMPLES_HEATMAP_H
#define EXAMPLES_HEATMAP_H

#include <stdio.h>

/* weights (n, n), row-major; what lies above the diagonal (the future) stays blank. label[i] stands beside row i
 * and above column i; note[i], unless NULL, follows row i. cell: columns of the terminal for each weight; the labels
 * are no wider. Blocks and colours where the terminal has them, plain characters elsewhere. */
void heatmap_print(FILE *out, const float *weights, int n, int cell, const char *const *label, const char *const *note);

#endif
