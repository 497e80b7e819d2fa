/* A training as one page to look at: loss, learning rate and gradient norm over the steps, what attention looks at with
 * a slider through the training, how large each parameter's gradient and update were, the graph of a step, texts. A
 * single HTML file that asks for nothing elsewhere; at most 2 MB, for which points are averaged, snapshots spread
 * over the training, and maps of more than 64 tokens (fewer where there are hundreds of maps) pooled by maximum, and a
 * graph of thousands of tensors left out, which the page says.
 *
 * Installed it is a source beside the headers, report.c, which a program compiles with its own files:
 *     cc program.c $(pkg-config --variable=report tapegrad) $(pkg-config --cflags --libs tapegrad) -lm
 * and in CMake the target tapegrad::report. With
 *     report_plan plan = {.path = "page.html", .title = "A training", .last = steps, .parameters = tg_parameters(t)};
 *     report *page = report_new(&plan);
 * a training loop calls report_optim_step(page, step, adam, loss) where it called tg_optim_step(adam), and at the end
 * report_write. Every function takes NULL for a report that is not wanted, and does nothing more than it must.
 */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

#include "optim/optim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct report report;
enum { REPORT_MAPS = 1024 };

/* The fixed part; the strings must outlive the report. A NULL one, here or in a call, is as an empty one, but `path`.
 */
typedef struct report_plan {
    const char *path, *title; /* without a title: "A training" */
    const char *loss;         /* what it is and its unit; NULL: "loss in nats" */
    int64_t first, last;      /* the steps to come are first + 1 ... last */
    int64_t T;                /* tokens in a map of attention, with their names (NULL: their numbers); 0: no maps */
    const char *const *token;
    int n_maps; /* at most REPORT_MAPS, with names; of those that are equal up to a comma ("layer 1, head 2") the */
    const char *const *map; /* page makes rows, if they are equally many */
    tg_list parameters; /* of float32 or float64; what is trained, or {0}. It must outlive the report, too: a list that
                         * was made after a mark ends with the rewind to it, so make it before the loop's mark. */
} report_plan;

/* True when a page can be written there, to be asked before training. What exists must be an older report, or empty.
 * NULL is an error. */
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
 * same step the last counts; maps that the plan does not have are left out. */
void report_maps(report *r, int64_t step, int map, int n, const float *weights);
/* tg_optim_step, after backward of this loss, that makes it `step` steps in all, and all of it that the page shows:
 * loss, rate and gradient norm of every step; where one is due sizes, gradients and updates of the parameters, and the
 * graph. Gradients are those that are there: clipped ones, where they were clipped. */
TG_MUST_USE tg_status report_optim_step(report *r, int64_t step, tg_optim *o, tg_tensor loss);
/* Or the parts of it: around the optimizer's step, */
tg_status report_before_update(report *r);
tg_status report_after_update(report *r, int64_t step);
/* and what the loss was made from, before the tape is rewound; the last one counts. */
tg_status report_graph(report *r, tg_tensor loss);
/* Text as it stands, with a title; shown in the order of the calls. */
void report_text(report *r, const char *title, const char *text);

/* All that there is so far, in place of the file, of which report_check is asked again; it stays as it was when this
 * fails. No other file is touched: the page is written beside it, under a name that was free. */
bool report_write(report *r, const char *summary, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
