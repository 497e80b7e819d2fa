/* The functions that the page's script calls, exported from the module under their own names. */
#ifndef EXAMPLES_PLAYGROUND_H
#define EXAMPLES_PLAYGROUND_H

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#else
#define EXPORT(name) name
#endif

/* ---- training.c: the recall task ---- */

/* A new model of this seed; 0, or what went wrong: see training_error. */
int training_begin(int seed);
/* So many steps; the mean loss of them, NaN after an error. */
double training_steps(int n);
/* The n words asked (numbers of recall_word, from training_words) go through the model: what each looks at, n x n, and
 * how probable each word is after it, n x RECALL_WORDS. */
int training_ask(int n);
int *training_words(void);
const float *training_map(void), *training_chances(void);
const char *training_vocabulary(void); /* "Ann Bob ..." */
const char *training_error(void);

/* ---- mistakes.c: the gradient check, on gradients with a mistake ---- */

/* The operations and their mistakes as JSON. */
const char *mistakes_list(void);
/* The check of an operation with a mistake planted (0: none), as tg_gradcheck_print_json writes it. */
const char *mistakes_check(int operation, int mistake, int seed);
/* Along a path through the operands of the last check: f less its start, and the integral of <g, dx> so far. */
int mistakes_points(void);
const double *mistakes_f(void), *mistakes_integral(void);

#endif
