/* A training as one page to look at: loss, learning rate and gradient norm over the steps, what attention looks at with
 * a slider through the training, how large each parameter's gradient and update were, the graph of a step, texts. A
 * single HTML file that asks for nothing elsewhere; at most 2 MB, for which points are averaged, snapshots spread
 * over the training, and maps of more than 64 tokens (fewer where there are hundreds of maps) pooled by maximum, and a
 * graph of thousands of tensors left out, which the page says.
 */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

#include "core/tapegrad.h"

typedef struct report report;
enum { REPORT_MAPS = 1024 };

/* What stays as it is; the strings must outlive the report. */
typedef struct report_plan {
    const char *path, *title;
    int64_t first, last; /* the steps to come are first + 1 ... last */
    int64_t T;           /* tokens in a map of attention, with their names */
    const char *const *token;
    int n_maps; /* at most REPORT_MAPS, one for each head, with names */
    const char *const *map;
    tg_list parameters; /* of float32 or float64 */
} report_plan;

/* True when a page can be written there, to be asked before training. What exists must be an older report, or empty. */
bool report_check(const char *path, char *error, size_t size);

/* NULL when there is no memory. */
report *report_new(const report_plan *plan);
void report_free(report *r);

/* After each step. */
void report_step(report *r, int64_t step, double loss, double rate, double gradient);
void report_held_out(report *r, int64_t step, double loss);

/* True when maps and updates are to be taken down after so many steps. */
bool report_is_due(const report *r, int64_t step);
/* weights: (n, T, T), each from 0 to 1: of n maps, the first of which has this number. Of what is given twice after the
 * same step the last counts. */
void report_maps(report *r, int64_t step, int map, int n, const float *weights);
/* Around the optimizer's step that makes it `step` steps in all. */
tg_status report_before_update(report *r);
tg_status report_after_update(report *r, int64_t step);

/* What the loss was made from, before the tape is rewound; the last one counts. */
tg_status report_graph(report *r, tg_tensor loss);
/* Text as it stands, with a title; shown in the order of the calls. */
void report_text(report *r, const char *title, const char *text);

/* All that there is so far, in place of the file, which stays as it was when this fails. */
bool report_write(report *r, const char *summary, char *error, size_t size);

#endif
