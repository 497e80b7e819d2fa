/* A training to watch: the map of what attention looks at, drawn over itself while it changes, with the loss so far and
 * a line of progress under it, and in the end the results in its empty corner. Where the window is wide enough, the map
 * before training stands at its left. It takes a terminal with room; what a program prints without one is its affair,
 * but for the results.
 */
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

/* True when this terminal can show a map of n rows and columns, this many columns for each. */
bool board_fits(terminal screen, int n, int cell);
void board_draw(board *b);
/* A line of the results, on the board or, where that is NULL, printed: text, and columns of numbers. */
void board_result(board *b, int row, const char *what, const char *numbers);
/* Draw it for the last time, with this status; NULL: nothing. */
void board_end(board *b, const char *status);

#endif
