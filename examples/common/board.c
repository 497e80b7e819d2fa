#include "examples/common/board.h"
#include "examples/common/text_file.h"

#include <stdlib.h>
#include <string.h>

/* The width of the map at the left, with a gap after it. */
static int left_width(const board *b) { return heatmap_width(b->before) + BOARD_NOTE + 3; }

/* The column of the results, from the last map's left edge: after the cells of the last row with a result. */
static int result_column(int cell) { return 1 + (BOARD_ROWS + 1) * cell + 2; }

/* The width of the last map with its notes and results. */
static int full_width(int n, int cell) {
    int map = 1 + (n + 1) * cell + BOARD_NOTE, results = result_column(cell) + BOARD_ROW - 2;
    return map > results ? map : results;
}

bool board_fits(terminal screen, int n, int cell) {
    return screen.moves && screen.width >= full_width(n, cell) && screen.height > n + BOARD_OTHER_LINES;
}

static bool shows_both(const board *b, terminal screen) {
    return b->before && left_width(b) + full_width(b->now->n, b->now->cell) <= screen.width;
}

static void pad(FILE *out, int from, int to) { fprintf(out, "%*s", to > from ? to - from : 0, ""); }

static void draw_row(FILE *out, terminal screen, const board *b, int row) {
    if (shows_both(b, screen))
        pad(out, heatmap_row(out, screen, b->before, row), left_width(b));
    int used = heatmap_row(out, screen, b->now, row);
    if (row >= 0 && row < BOARD_ROWS && *b->result[row]) {
        pad(out, used, result_column(b->now->cell));
        fputs(b->result[row], out);
    }
    fputc('\n', out);
}

static void draw_titles(FILE *out, terminal screen, const board *b) {
    if (shows_both(b, screen)) {
        fputs(b->title_before, out);
        pad(out, text_width(b->title_before), left_width(b));
    }
    fprintf(out, "%s\n", b->title);
}

/* Draw a line of text, leaving the window's last column free. */
static void draw_line(FILE *out, terminal screen, const char *text) {
    char line[sizeof((board){0}.curve)];
    snprintf(line, sizeof line, "%s", text);
    while (text_width(line) > screen.width - 1)
        line[strlen(line) - 1] = '\0';
    fprintf(out, "%s\n", line);
}

void board_draw(board *b) {
    terminal screen = terminal_of(b->picture.out);
    text_file drawn;
    FILE *out = text_file_begin(&drawn);
    if (!out)
        return;
    draw_titles(out, screen, b);
    for (int row = -1; row < b->now->n; row++)
        draw_row(out, screen, b, row);
    heatmap_legend(out, screen, b->now->cell);
    draw_line(out, screen, b->curve);
    draw_line(out, screen, b->status);
    char *text = text_file_end(&drawn);
    if (text)
        picture_print(&b->picture, text);
    free(text);
}

void board_result(board *b, int row, const char *what, const char *numbers) {
    if (b)
        snprintf(b->result[row], BOARD_ROW, "%-36.36s %.14s", what, numbers);
    else if (row == 0)
        printf("\n%-44s %s\n", what, numbers);
    else
        printf("  %-42s %s\n", what, numbers);
}

void board_end(board *b, const char *status) {
    if (!b)
        return;
    snprintf(b->status, sizeof b->status, "%.255s", status);
    board_draw(b);
}
