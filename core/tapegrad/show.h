/* tapegrad: output. A profile of a step's time, tensors as text, pictures: graphs, heatmaps, lines. */
#ifndef TAPEGRAD_API_SHOW_H
#define TAPEGRAD_API_SHOW_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Profile ---- */

/* Where a step's time goes. Switching it on resets the counts; switching it off keeps them. tg_profile_print writes a
 * table with a line for each operation and optimizer, the slowest first: calls; total time and its share of the elapsed
 * time; time of forward and backward; per second, the floating-point operations of the formula (see core/ops) and the
 * least bytes to be moved (see core/tape/profile.c). TG_ERR_STATE when the profile was never on. */
TG_API void tg_set_profile(tg_tape *t, bool on);
TG_API TG_MUST_USE tg_status tg_profile_print(FILE *file, tg_tape *t);

/* ---- Text ---- */

/* As PyTorch prints: tensor([[0.1117, 0.8158], ...]), 4 decimals, brackets and columns aligned, summarised above
 * 1000 elements. tg_format writes at most size bytes with the closing NUL and returns the length needed. */
TG_API size_t tg_format(tg_tensor x, char *out, size_t size);
TG_API TG_MUST_USE tg_status tg_print(FILE *file, tg_tensor x);

/* ---- Pictures ---- */

/* How y was computed: every leaf (by name) and operation that it depends on, with its shape and the norm of its
 * gradient, which leaves have after backward and other tensors when they retain it.
 * dot: a graph for Graphviz (dot -Tsvg).
 * svg: a row for each operation in the order of the tape, with the leaves that it uses beside it and lines from the
 * operations that it uses. */
TG_API TG_MUST_USE tg_status tg_graph_dot(FILE *file, tg_tensor y);
TG_API TG_MUST_USE tg_status tg_graph_svg(FILE *file, tg_tensor y);
/* A floating matrix (rows, columns), or a vector as one row, as SVG, with a scale beside it; up to 400 elements are
 * also written as numbers. Colours go from white, the smallest (and all if equal), to dark blue, the largest; with both
 * signs, from blue over white, 0, to red. An element that is not finite has a red frame and no colour. When no element
 * is below 0 and the mean is below a quarter of the largest, as with attention weights, colours follow the square root,
 * from 0 on. rows and columns: a label for each, or NULL. title may be NULL. TG_ERR_SHAPE above 65536 elements. */
TG_API TG_MUST_USE tg_status tg_heatmap_svg(FILE *file, tg_tensor x, const char *title, const char *const *rows,
                                            const char *const *columns);
/* Each row of a matrix (lines, n), at most 8, or a vector as a line plot with round ticks; an element that is not
 * finite leaves a gap. The points are at first, first + step, ..., step > 0 (by default 0, 1, ...). log: y's axis is
 * logarithmic, and an element that is not above 0 leaves a gap too. Texts may be NULL; labels has one for each line.
 * TG_ERR_SHAPE above 65536 elements. */
typedef struct tg_lines_config {
    const char *title, *x, *y; /* above; of the axes */
    const char *const *labels;
    double first, step;
    bool log;
} tg_lines_config;
#define TG_LINES_DEFAULTS (TG_LITERAL(tg_lines_config){0, 0, 0, 0, 0, 1, false})
TG_API TG_MUST_USE tg_status tg_lines_svg_with(FILE *file, tg_tensor y, tg_lines_config config);
TG_API TG_MUST_USE tg_status tg_lines_svg(FILE *file, tg_tensor y, const char *title, const char *const *labels);

#ifdef __cplusplus
}
#endif
#endif
