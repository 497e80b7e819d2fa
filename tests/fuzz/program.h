/* Random programs over the public API: what one is, and how it is made, run, printed and shrunk. */
#ifndef TAPEGRAD_FUZZ_PROGRAM_H
#define TAPEGRAD_FUZZ_PROGRAM_H

#include "core/tapegrad.h"

enum { MAX_STEPS = 48, MAX_OPERANDS = 15, MAX_LEAF = 1 << 18, REASON = 700 };

/* ---- choices: from a seed, or from a fuzzer's bytes (zeros when they run out) ---- */

typedef struct choices {
    uint64_t random;
    const uint8_t *bytes, *end; /* NULL: from random */
} choices;
uint64_t mix(uint64_t *state);
int64_t choose(choices *c, int64_t n); /* 0 .. n - 1 */
bool chance(choices *c, int percent);
double uniform(uint64_t *random); /* in [0, 1) */

/* ---- programs ---- */

/* What a call looks like: which arguments it takes. */
typedef enum { LEAF, UNARY, BINARY, SCALAR, SCALAR_FIRST, REDUCE, DIM, DIAGONAL, SPECIAL } form;

typedef enum {
    LEAF_FLOAT,
    LEAF_INT,
    LEAF_BOOL,
    VAR,
    ARGMAX,
    RESHAPE,
    TRANSPOSE,
    PERMUTE,
    SLICE,
    SELECT,
    EXPAND,
    SPLIT,
    CAT,
    STACK,
    LINEAR,
    LAYER_NORM,
    EMBEDDING,
    INDEX_SELECT,
    GATHER,
    DROPOUT,
    CROSS_ENTROPY,
    MSE_LOSS,
    ATTENTION,
    WHERE,
    MASKED_FILL,
    MASKED_SOFTMAX,
    CLAMP,
    CUSTOM,
    STD,
    NORM,
    ARGMIN,
    ARGSORT,
    MAX_DIM,
    MIN_DIM,
    SORT,
    TOPK,
    FLIP,
    ROLL,
    REPEAT,
    RMS_NORM,
    ROPE,
    INDEX_ADD,
    SCATTER_ADD,
    CROSS_ENTROPY_WITH,
    L1_LOSS,
    HUBER_LOSS,
    BCE_WITH_LOGITS,
    KL_DIV,
    CLAMP_TENSOR,
    BIAS_GELU,
    ATTENTION_WITH,
    MULTIHEAD,
    NN_ATTENTION,
    ADDITIVE,
    LORA,
    ENCODER_LAYER,
    NOT_SPECIAL
} special;

enum {
    POSITIVE = 1,
    SECOND_NOT_ZERO = 2,
    NOT_EMPTY = 4,
    ANY_DTYPE = 8,
    BOOL_ONLY = 16,
    CONSTANT = 32,
    NOT_ZERO = 64,
    CORNER_AT_ZERO = 128,
    CORNERS = 256 /* where two of its numbers are equal, or one is 0 */
};

typedef struct op_kind {
    const char *name; /* the call without its tg_, as errors name it */
    form form;
    const struct operation *operation; /* but for leaves and SPECIAL */
    special special;
    int traits;
    const char *error_names; /* others that its errors may begin with */
} op_kind;
enum { MAX_KINDS = 256 };
extern op_kind kinds[MAX_KINDS];
extern int n_kinds;
bool make_kinds(void); /* from the table of operations, first of all; false, with a line that says why */
int kind_of(special s);

/* One statement: x[i] = kind(x[in[0]], ...). The meaning of k, c and flag is the kind's. */
typedef struct step {
    int kind, n_in, in[MAX_OPERANDS]; /* in: -1 is TG_NULL */
    int64_t k[3];
    double c[2];
    tg_dims dims;
    tg_shape shape;
    bool flag;
    const double *values; /* leaves, n of them */
    int64_t n;
    bool requires_grad, freeze_late;    /* leaves: frozen after they were used */
    bool no_grad, retain, hook, output; /* output: part of the loss */
} step;

typedef struct program {
    uint64_t seed;
    int n;
    step step[MAX_STEPS];
    bool large; /* large enough for several threads: without differences */
    bool eval;  /* in eval mode */
} program;

/* A program whose values are finite and of moderate size. Its numbers live in store, which must outlive it. */
typedef struct store {
    double *block[MAX_STEPS * 8];
    int n;
} store;
double *store_get(store *s, int64_t n);
void store_clear(store *s);
bool make_program(choices *c, store *s, program *p, char *error, size_t error_size);

/* One call with any operands and arguments: most are wrong. */
step wild_step(choices *c, int n);

tg_tensor run_step(tg_tape *t, const step *s, const tg_tensor *x);
void operands(const step *s, const tg_tensor *x, tg_tensor in[MAX_OPERANDS]);
/* Noise in place of rounding: x (1 + e u) + e u' max |x|, u random in [-1, 1], and the same on its gradient when that
 * comes; e = 0: x itself. g stays until the backward. */
typedef struct grain {
    double e;
    uint64_t random;
    bool undropped; /* layers are composed without their dropout */
} grain;
tg_tensor with_noise(tg_tensor x, grain *g);
/* The same from elementary operations; TG_NULL when there is no other way. */
tg_tensor compose_step(tg_tape *t, const step *s, const tg_tensor *x, grain *g);
void print_step(int i, const step *s);
void print_program(const program *p);

/* ---- runs ---- */

/* Everything that came out: values of every step, gradients of leaves and of retained results. */
typedef struct outcome {
    int n;
    int64_t n_values[MAX_STEPS];
    double *value[MAX_STEPS], *grad[MAX_STEPS];
    tg_dtype dtype[MAX_STEPS];
    double loss;
    int hook_calls;
} outcome;

typedef struct variant {
    const char *name;
    tg_dtype dtype;
    bool composed;         /* other operations for the same function */
    bool copies;           /* a clone of every result */
    bool rewinds;          /* record, rewind and record again */
    bool anomaly;          /* under anomaly mode */
    bool scopes;           /* each step in a checkpoint scope */
    bool no_grad;          /* all under no_grad: values only */
    bool flat;             /* gradients of leaves in flat blocks */
    bool undropped;        /* compose layers that drop, without dropout: to see how far noise moves them */
    double noise;          /* relative size of noise on every result and its gradient */
    uint64_t random;       /* for the noise, where to rewind to, sizes of flat blocks */
    const outcome *frozen; /* what no gradient flows through is a constant of this; hooks are operations */
    const program *leaves; /* leaf values from here */
    const tg_allocator *allocator;
} variant;

/* The program recorded on a tape of its own. */
typedef struct session {
    const program *p;
    variant v;
    tg_tape *t;
    tg_tensor x[MAX_STEPS], loss, cotangent;
    tg_mark from; /* after the leaves */
    grain noise;  /* its random numbers serve what else is drawn in a run, too */
    int hook_calls;
    int n_told;              /* flat blocks that were announced in this backward */
    double told[MAX_STEPS];  /* what was in each then, added up */
    const char *wrong_block; /* NULL: none */
} session;

bool record(session *s, const program *p, const variant *v); /* false: tg_error(s->t) says why */
bool backward(session *s);
bool read_outcome(session *s, store *numbers, outcome *out);
/* record, backward, read and free; false with a reason */
bool run(const program *p, const variant *v, store *numbers, outcome *out, char *error, size_t error_size);

/* Whether its second and third derivatives are right, however they are computed. */
bool second_agrees(const program *p, char *why);
/* Whether, wherever its leaves are, a copy that no gradient flows through meets the original in a maximum or the like.
 */
bool ties_stay(const program *p);

/* ---- checking, shrinking ---- */

/* True when all is well; false with a reason, of REASON characters. */
typedef bool (*program_check)(const program *p, char *why);
bool check_program(const program *p, char *why); /* in all the ways that programs.c lists */
/* Make a program that fails smaller as long as it fails in the same way: results become leaves, what is not used goes,
 * attributes go. why: the reason, before and after. */
void shrink(program *p, program_check check, char *why);

#endif
