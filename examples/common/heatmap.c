#include "examples/common/heatmap.h"
#include "examples/common/terminal.h"

/* From weight 0 to weight 1. */
static const char *const blocks[] = {"·", "░", "▒", "▓", "█"};
static const char *const letters[] = {".", ":", "-", "=", "+", "*", "#", "%", "@"};
static const int colours[] = {235, 17,  18,  54,  90,  126, 162,
                              198, 203, 209, 215, 221, 227}; /* of the 256: dark to light */

/* Which of n equal parts of [0, 1] the weight is in. */
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

static void print_legend(FILE *out, terminal screen, int margin) {
    fprintf(out, "%*s0 ", margin, "");
    for (int i = 0; i <= 8; i++)
        print_cell(out, screen, (float)i / 8, 1);
    fputs(" 1   each row looks back at the columns\n", out);
}

void heatmap_print(FILE *out, const float *weights, int n, int cell, const char *const *label,
                   const char *const *note) {
    terminal screen = terminal_of(out);
    int margin = cell + 1;
    fprintf(out, "%*s", margin, "");
    for (int j = 0; j < n; j++)
        print_padded(out, label[j], cell);
    fputc('\n', out);
    for (int i = 0; i < n; i++) {
        fputc(' ', out);
        print_padded(out, label[i], cell);
        for (int j = 0; j <= i; j++)
            print_cell(out, screen, weights[i * n + j], cell);
        if (note && note[i])
            fprintf(out, "%*s %s", (n - 1 - i) * cell, "", note[i]);
        fputc('\n', out);
    }
    print_legend(out, screen, margin);
}
