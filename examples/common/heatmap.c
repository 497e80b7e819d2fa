#include "examples/common/heatmap.h"

/* For weights from 0 to 1. */
static const char *const blocks[] = {"·", "░", "▒", "▓", "█"};
static const char *const letters[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
static const int colours[] = {235, 17,  18,  54,  90,  126, 162,
                              198, 203, 209, 215, 221, 227}; /* of the 256: dark to light */

/* The index of the weight's part of [0, 1], of n equal parts. */
static int level(float weight, int n) {
    int i = (int)(weight * (float)n);
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void print_cell(FILE *out, terminal screen, float weight, int cell) {
    if (screen.colour) {
        fprintf(out, "\033[48;5;%dm%*s\033[0m", colours[level(weight, COUNT(colours))], cell, "");
        return;
    }
    const char *mark = screen.unicode ? blocks[level(weight, COUNT(blocks))] : letters[level(weight, COUNT(letters))];
    for (int i = 0; i < cell; i++)
        fputs(mark, out);
}

static void print_padded(FILE *out, const char *text, int width) {
    int blanks = width - text_width(text);
    fprintf(out, "%s%*s", text, blanks > 0 ? blanks : 0, "");
}

int heatmap_width(const heatmap *h) { return 1 + (h->n + 1) * h->cell; }

int heatmap_row(FILE *out, terminal screen, const heatmap *h, int row) {
    fputc(' ', out);
    print_padded(out, row < 0 ? "" : h->label[row], h->cell);
    if (row < 0) {
        for (int j = 0; j < h->n; j++)
            print_padded(out, h->label[j], h->cell);
        return heatmap_width(h);
    }
    for (int j = 0; j <= row; j++)
        print_cell(out, screen, h->weights[row * h->n + j], h->cell);
    const char *note = h->note ? h->note[row] : NULL;
    if (!note || heatmap_width(h) + 1 + text_width(note) > screen.width)
        return 1 + (row + 2) * h->cell;
    fprintf(out, "%*s %s", (h->n - 1 - row) * h->cell, "", note);
    return heatmap_width(h) + 1 + text_width(note);
}

void heatmap_legend(FILE *out, terminal screen, int cell) {
    static const char meaning[] = "   each row looks back at the columns";
    int scale = cell + 1 + (int)sizeof "0 ......... 1" - 1;
    fprintf(out, "%*s0 ", cell + 1, "");
    for (int i = 0; i <= 8; i++)
        print_cell(out, screen, (float)i / 8, 1);
    fprintf(out, " 1%s\n", scale + (int)sizeof meaning - 1 <= screen.width ? meaning : "");
}

void heatmap_print(FILE *out, const heatmap *h) {
    terminal screen = terminal_of(out);
    for (int row = -1; row < h->n; row++) {
        heatmap_row(out, screen, h, row);
        fputc('\n', out);
    }
    heatmap_legend(out, screen, h->cell);
}
