/* The benchmark: workloads (workloads.c), run each in a process of its own by the driver (bench.c). */
#ifndef TAPEGRAD_BENCH_H
#define TAPEGRAD_BENCH_H

#include "core/tapegrad.h"

#include <stdbool.h>

typedef struct options {
    int reps, max_t;
    int threads; /* for the printed row only: the library reads TG_THREADS */
} options;

/* Run a workload by name and print a JSON line for each measurement, as torch_bench.py does. False when there is
 * none of this name; a library error is printed and ends the process with status 1. */
bool run_workload(const char *name, const options *o);
/* The names, NULL at the end. */
extern const char *const workload_names[];

/* Time and memory of attention as T, d and the batch double: a table and a plot. False after a library error. */
bool run_scaling(int reps);
/* What second derivatives cost: a table. False after a library error. */
bool run_second(int reps);
/* Matrix products, with MKL's in turn where mkl is the path of its libmkl_rt.so: a table. */
bool run_products(const options *o, const char *mkl);

/* Every operation beside PyTorch's, those that are listed: NULL for all. False when there is none. */
typedef struct ops_options {
    const char *only, *sizes, *threads; /* lists with commas: names, 12,18,22, 1,2 */
    const char *python, *clock, *dtype; /* clock: "cpu" for processor time; dtype: "float64" */
    int rounds;
} ops_options;
bool run_ops(const ops_options *o);

/* ---- for the workloads ---- */

typedef bool step_fn(void *model); /* false after an error */
/* Print the line of one measurement: o->reps times, each of inner steps, after warm steps; flop: of one step. */
void measure(const options *o, const char *name, tg_tape *t, step_fn *step, void *model, int inner, int warm,
             double flop);
/* Print the tape's error and end the process with status 1. */
void fail(tg_tape *t);
/* Language models in training (language.c). */
void gpt_train(const options *o);
void llama_train(const options *o);
void gpt2_train(const options *o);
void relu_train(const options *o);
/* torch_steps.py's other workloads (steps.c). */
void mlp_train(const options *o);
void conv_train(const options *o);
void optim_steps(const options *o);
void encoder_layers(const options *o);

double now_seconds(void);
/* The processor's name and its caches, where the system tells them. */
void print_machine(void);
/* The best of several runs of independent fused multiply-adds in registers, GFLOP/s on one core. */
double measure_fma_peak(void);
/* Compute until the core's clock is steady: two peaks in a row within one percent, or two seconds. */
void wait_for_clock(void);

#endif
