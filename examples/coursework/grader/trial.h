/* One case of an operation: its inputs, and the library's and the student's functions on them. */
#ifndef TAPEGRAD_COURSEWORK_TRIAL_H
#define TAPEGRAD_COURSEWORK_TRIAL_H

#include "check.h"

/* One operation on a tape, with one case's inputs. */
typedef struct trial {
    session *s;
    const op_spec *op;
    const op_case *one;
    how h;
    tg_tape *t;
    int n_inputs;
    tg_tensor x[MAX_INPUTS];
    tg_shape input[MAX_INPUTS], shape; /* shape: of the result */
    double *value;                     /* the right result */
    unsigned wanted;                   /* bit i: a gradient of operand i is wanted */
    kept_array kept[MAX_KEPT];
    int n_kept;
} trial;

/* The inputs of one case, other ones for every draw. */
bool open_inputs(trial *r, session *s, const op_spec *op, const op_case *one, uint64_t draw);
/* The inputs of one case in the student's variant, other ones for every draw, and the right result. */
bool open_trial(trial *r, session *s, const op_spec *op, const op_case *one, uint64_t draw);
void close_trial(trial *r);
void forget_kept(trial *r);
/* The right result, again: after another r->x. */
bool compute_value(trial *r);
/* The student's result, on memory that holds `before`. */
bool student_value(trial *r, double *out, double before);
bool is_float(const trial *r, int i);

/* "A (3, 5), B (5, 7)" */
void print_shapes(FILE *file, const trial *r);
/* A line of the long report: the shapes, and what came of them. */
void report_case(const trial *r, const char *what);
verdict cannot_make(const trial *r);

/* ---- samples of a gradient ---- */

/* dy, the student's gradients for it and the right ones. */
typedef struct sample {
    tg_tensor dy;
    double before; /* what the student's gradients held */
    double *mine[MAX_INPUTS], *right[MAX_INPUTS];
} sample;

/* The library's gradients, of the operation (fault 0) or with a common mistake. */
bool backward_of(trial *r, tg_tensor dy, int fault, note_list *notes);
/* For a random dy. */
bool right_gradients(trial *r, sample *a);
/* The student's, of the operands that want one, added to what a->mine holds; and what is added to a->before. */
bool ask_for_gradients(trial *r, sample *a);
bool student_gradients(trial *r, sample *a);
/* Both. */
bool take_sample(trial *r, sample *a);
void free_sample(sample *a);

/* ---- describe.c: what a wrong gradient looks like ---- */

/* asked: the operand that the part is about, or -1 for all, and operand the first wrong one of those. */
verdict describe_gradient(session *s, trial *r, const sample *a, int asked, int operand);

/* ---- mistakes.c: mistakes that any operation may have ---- */

/* The student's numbers beside the right ones: of a value, or of the gradient of an operand. */
typedef struct subject {
    trial *r;
    sample a;
    bool is_first;   /* of several draws */
    int operand;     /* -1: the value */
    int64_t n;       /* how many numbers */
    double *mine;    /* the student's, */
    double *right;   /* the library's, */
    double *made;    /* and what a mistake makes of them */
    double *term;    /* element i is the sum of n_terms numbers term[i n_terms + k], in the order of the loops, */
    double *rest;    /* and of rest[i] */
    int64_t n_terms; /* 0: it is no sum that is known */
} subject;
bool open_subject(subject *s, trial *r, const sample *a, int operand, const double *value);
void close_subject(subject *s);
/* The same from other inputs x and in another way; false where that cannot be computed. */
bool compute_subject(const subject *s, const tg_tensor *x, const how *h, double *out);
/* Name the mistake that gives the student's numbers here and in other draws of the same case. */
bool name_numbers(const trial *r, const sample *a, int operand, const double *value, verdict *v);
/* The first wrong element, and what it is made of. */
void tell_element(const trial *r, const sample *a, int operand, const double *value, verdict *v);

/* ---- terms.c: what is wrong inside a number without a name ---- */
void tell_inside(trial *r, const sample *a, int operand, const double *value, char *out, size_t size);

/* ---- checked.c: what tg_gradcheck says of the student's gradient ---- */
bool name_by_gradcheck(trial *r, int operand, verdict *v);
/* A few elements side by side, for the long report. */
void report_elements(const trial *r, const sample *a, int operand);

#endif
