/* A live view of training: the map of attention weights, redrawn in place, above the loss curve and a progress line,
 * and at the end the results in its empty corner. In a wide window the map from before training is at its left. It
 * needs a terminal of sufficient size; without one only the results are printed. */
#ifndef EXAMPLES_BOARD_H
#define EXAMPLES_BOARD_H

#include "examples/common/heatmap.h"

enum { BOARD_ROWS = 5, BOARD_ROW = 52, BOARD_NOTE = 15, BOARD_OTHER_LINES = 5 };

typedef struct board {
    picture picture;
    const heatmap *before, *now;        /* before: NULL when there is none */
    char title_before[64], title[64];   /* above the maps */
    char result[BOARD_ROWS][BOARD_ROW]; /* empty ones are not shown */
    char curve[256], status[256];
} board;

/* True when this terminal can show a map of n rows and columns, `cell` columns wide each. */
bool board_fits(terminal screen, int n, int cell);
void board_draw(board *b);
/* A line of results: text, and columns of numbers; printed if b is NULL. */
void board_result(board *b, int row, const char *what, const char *numbers);
/* Draw it for the last time, with this status. b may be NULL. */
void board_end(board *b, const char *status);

#endif
