/* Private to the check of float32 kernels:
 *   float32.c        the check as a whole, and the tape's own backward
 *   float32_pair.c   one operation alone, in both dtypes (float32_pair.h)
 *   float32_twin.c   its float64 side, and how far rounding moves that
 *   float32_bound.c  how far apart they may be
 *   float32_say.c    what is said of an operation
 */
#ifndef TAPEGRAD_GRADCHECK_FLOAT32_H
#define TAPEGRAD_GRADCHECK_FLOAT32_H

#include "core/gradcheck/check.h"

enum { TG_F32_RUNS = 4, TG_F32_CAREFUL = 32 }; /* runs that show D; before an accusation */
/* Operands are moved to this many near neighbours and far ones, and to one further off. */
enum { TG_F32_NEAR = 8, TG_F32_FAR = 16, TG_F32_ELSEWHERE = TG_F32_NEAR + TG_F32_FAR + 1 };
/* N is asked for along this many lines, half of them down, at this many points of each. */
enum { TG_F32_LINES = 8, TG_F32_STEPS = 6 };
/* Is what is out of its bound scattered? That is asked at so many places far off; few of them say little. */
enum { TG_F32_PLACES = 32, TG_F32_FEW = 3 };
#define TG_F32_SURE 10                /* times the bound */
#define TG_F32_UNIT (1.0 / (1 << 24)) /* u */

/* An array in both dtypes. */
typedef struct tg_both {
    const tg_node *x;
    int64_t n;
    double *single, *twin, *moved; /* float32's, float64's, D */
    double *low, *high;            /* float32's where callbacks round another way; NULL: not known */
    double *lost, *noise;          /* R and N; NULL: not known */
    double *line;                  /* sums along lines, for N */
    double largest;                /* of the twin's, where that is known */
    double before;                 /* what was there already, and is taken off */
    double slack;                  /* times the bound is allowed */
    double terms, size;            /* n, S */
    double constants;              /* what rounding of constants inside may come from */
    bool cancels, custom;
    bool lenient; /* what may be right is not called wrong */
    bool fine;    /* small beside 8 u S, which is not allowed */
} tg_both;

/* What is out of its bound. */
typedef struct tg_excess {
    double most; /* times the bound; 1 and less is right */
    bool above;  /* what float64 has */
    int64_t at, n;
    int64_t largest; /* of those that are out, in float64 */
    double single, twin;
    double constants; /* its array's */
    int operand;      /* -1: the result */
    bool onto;        /* only where there is a gradient already */
    bool set;         /* that is gone */
    double by;        /* only where dy is so many times as large; 0: as it is */
} tg_excess;

typedef struct tg_f32_check {
    tg_checker *c;
    tg_tape *t[2];
    tg_rng_state rng;
    double worst; /* of all excesses; of those that are not called wrong, at most 1 */
    double most_terms;
    int runs;
    bool lenient;
    bool fine;   /* is a gradient judged that 8 u S hides? */
    bool unsure; /* a custom operation is out of its bound, but not so far that it has to be wrong */
} tg_f32_check;

/* ---- float32_bound.c ---- */

double *tg_f32_numbers(tg_tape *t, int64_t n); /* zeros; NULL after tg_fail */
bool tg_f32_open_array(tg_both *b, tg_tape *t, const tg_node *x, double terms);
/* Single holds what callbacks that round another way make of it. */
bool tg_f32_note_rounding(tg_both *b, tg_tape *t, bool first);
/* N: the operands are set to steps along lines, and single to what float64 has there; then all lines are known. */
bool tg_f32_note_step(tg_both *b, tg_tape *t, int line, int step);
void tg_f32_note_noise(tg_both *b);
/* Then what they make of it as they are. */
void tg_f32_note_loss(tg_both *b);
double *tg_f32_single(tg_both *b);
double *tg_f32_twin(tg_both *b);
double tg_f32_largest(int64_t n, const double *x);
double tg_f32_largest_of(const tg_node *x, const void *p); /* p: its data, or gradient */
double tg_f32_ratio(int64_t a, int64_t b);                 /* 1 where b is 0 */
/* Neither large nor small, but 0 perhaps? */
bool tg_f32_is_ordinary(const double *x, int64_t n);
/* Random, of each run and array and place. */
uint64_t tg_f32_bits(int run, uint64_t array, int64_t j);
/* x[j] = own[j] (1 +- [0.5, 1.5] u), numbers of equal size by the same (array 0), or each of every array by its own. */
void tg_f32_move(int64_t n, double *x, const double *own, int run, uint64_t array);
/* Each number moves at random by a few of its last bits at most (the neighbour's number; 2^13 for a far one, 2^18
 * elsewhere), equal ones alike (array 0), or each of every array by its own. */
void tg_f32_step_aside(int64_t n, float *x, int neighbour, uint64_t array);
/* To one of the places, from 1: each number by its own, by up to its size, a quarter or a 32nd of that, or of 1/2 if
 * that is more. */
void tg_f32_step_to_place(int64_t n, float *x, int place, uint64_t array);
/* The twin's element is now this, with everything moved. */
void tg_f32_note_move(tg_both *b, int64_t j, double now);
/* Does 8 u S alone let half of the largest number, or twice as much, pass? */
bool tg_f32_is_hidden(const tg_both *b);
uint64_t tg_f32_branches(const tg_node *y);
/* In an element of the result (i < 0), or of the gradient of input i. */
double tg_f32_terms(const tg_node *y, int i);
bool tg_f32_cancels(const tg_node *y);
bool tg_f32_cancels_in_gradient(const tg_node *y, int i);
/* S of the result (k < 0), or of the gradient of operand k for a dy of 1. */
double tg_f32_size(const tg_node *y, int k);
/* float32's value less float64's, in times of the bound. */
double tg_f32_excess_at(const tg_both *b, int64_t j);
tg_excess tg_f32_compare(const tg_both *b);
tg_excess tg_f32_worse(tg_excess a, tg_excess b);
/* How many neighbours are asked before it is called wrong. */
static inline int tg_f32_neighbours(const tg_excess *e) {
    return e->most < TG_F32_SURE ? TG_F32_NEAR + TG_F32_FAR : TG_F32_NEAR;
}
/* Does it still look wrong after this neighbour, where it is out of its bound by excess? All near ones have to be so to
 * the same side, and more than three quarters of the far ones. */
static inline bool tg_f32_persists(const tg_excess *e, int neighbour, double excess, int *unlike) {
    bool like = e->above ? excess > 1 : excess < -1;
    *unlike += !like;
    return like || (neighbour > TG_F32_NEAR && *unlike < TG_F32_FAR / 4);
}

/* What is out of its bound, as it is elsewhere. */
typedef struct tg_f32_seen {
    double excess, single, twin, constants;
} tg_f32_seen;
/* How often it was to the other side of float64's value, and of that as its sign turns; more than rounding of constants
 * makes of it; and no number of 16 bits or less, which is rounded itself. */
typedef struct tg_f32_scatter {
    int other_side, other_ratio, large, many_bits;
} tg_f32_scatter;
bool tg_f32_is_large(const tg_excess *e);
void tg_f32_note_place(tg_f32_scatter *s, const tg_excess *e, const tg_f32_seen *there);
bool tg_f32_is_scattered(const tg_f32_scatter *s);

/* ---- float32_say.c ---- */

/* Its callbacks wrote to what they may only read. */
void tg_f32_say_written(const tg_node *n, const tg_gradcheck_result *written, tg_gradcheck_result *r);
/* elsewhere: at operands or dy that are not the tape's. */
void tg_f32_say_wrong(const tg_node *n, const tg_excess *e, bool elsewhere, tg_gradcheck_result *r);
/* Out of its bound, but that may be rounding inside the operation, or (not in_range) an overflow on the way. */
void tg_f32_say_cannot_tell(const tg_node *n, const tg_excess *e, bool in_range, tg_gradcheck_result *r);

/* A gradient so small beside 8 u S that what is out of all else may be rounding. */
void tg_f32_say_hidden(const tg_node *n, const tg_excess *e, tg_gradcheck_result *r);

/* ---- float32_pair.c ---- */

/* Does it compute anything in the tape's dtype? */
bool tg_f32_computes(const tg_node *n);
/* Is the operation wrong, with this dy (NULL: a random one)? Then the result says so. */
bool tg_f32_is_wrong(tg_f32_check *c, const tg_node *n, const double *dy, tg_gradcheck_result *r);

#endif
