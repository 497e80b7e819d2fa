/* A training run as one page: loss, learning rate and gradient norm over the steps, attention maps with a slider
 * through the run, the sizes of each parameter's gradients and updates, the graph of a step, texts. A single
 * self-contained HTML file of at most 2 MB: points are averaged, snapshots spread over the run, maps of more than 64
 * tokens (fewer with hundreds of maps) pooled by maximum, and a graph of thousands of tensors omitted, with a note on
 * the page.
 *
 * Installed it is a source beside the headers, report.c, which a program compiles with its own files:
 *     cc program.c $(pkg-config --variable=report tapegrad) $(pkg-config --cflags --libs tapegrad) -lm
 * and in CMake the target tapegrad::report. With
 *     report_plan plan = {.path = "page.html", .title = "A training", .last = steps, .parameters = tg_parameters(t)};
 *     report *page = report_new(&plan);
 * a training loop calls report_optim_step(page, step, adam, loss) where it called tg_optim_step(adam), and at the end
 * report_write. Every function takes NULL for a report that is not wanted, and then does no more than it must. */
#ifndef EXAMPLES_REPORT_H
#define EXAMPLES_REPORT_H

#include "optim/optim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct report report;
enum { REPORT_MAPS = 1024 };

/* The configuration; the strings must outlive the report. NULL, here or in a call, means "", except for `path`. */
typedef struct report_plan {
    const char *path, *title; /* without a title: "A training" */
    const char *loss;         /* its name and unit; NULL: "loss in nats" */
    int64_t first, last;      /* the steps are first + 1 ... last */
    int64_t T;                /* tokens in a map of attention, with their names (NULL: their numbers); 0: no maps */
    const char *const *token;
    int n_maps; /* at most REPORT_MAPS, with names; of those that are equal up to a comma ("layer 1, head 2") the */
    const char *const *map; /* page makes rows, if they are equally many */
    tg_list parameters;     /* of float32 or float64; the trained parameters, or {0}. It must outlive the report, too: a
                               list created after a mark ends with the rewind to it, so create it before the loop's mark. */
} report_plan;

/* True when a page can be written there; call it before training. An existing file must be an older report, or empty.
 * NULL is an error. */
bool report_check(const char *path, char *error, size_t size);

/* NULL when out of memory. */
report *report_new(const report_plan *plan);
void report_free(report *r);

/* After each step. */
void report_step(report *r, int64_t step, double loss, double rate, double gradient);
void report_held_out(report *r, int64_t step, double loss);

/* True when maps and updates are to be recorded after this step. */
bool report_is_due(const report *r, int64_t step);
/* weights: (n, T, T), each from 0 to 1: n maps from number `map` on. A map given twice after the same step replaces the
 * first; maps that the plan does not have are left out. */
void report_maps(report *r, int64_t step, int map, int n, const float *weights);
/* tg_optim_step for step number `step`, after backward of this loss, recording loss, rate and gradient norm of every
 * step and, when due, sizes, gradients and updates of the parameters, and the graph. Gradients are the current ones,
 * clipped if they were clipped. */
TG_MUST_USE tg_status report_optim_step(report *r, int64_t step, tg_optim *o, tg_tensor loss);
/* Or its parts: around the optimizer's step, */
tg_status report_before_update(report *r);
tg_status report_after_update(report *r, int64_t step);
/* and the graph of the loss, before the tape is rewound; the last one is kept. */
tg_status report_graph(report *r, tg_tensor loss);
/* Preformatted text with a title; shown in the order of the calls. */
void report_text(report *r, const char *title, const char *text);

/* Replaces the file by the page so far, after report_check; on failure the file is unchanged. No other file is touched:
 * the page is written beside it, under an unused name. */
bool report_write(report *r, const char *summary, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
