/* Private: shared by all optimizers. An optimizer is a list of groups; a group has parameters and its own config; each
 * parameter has moments, arrays of its size that are kept from step to step. All memory comes from the tape's pool when
 * the group is created, so a step allocates nothing, and is freed with the tape. */
#ifndef TAPEGRAD_OPTIM_GROUP_H
#define TAPEGRAD_OPTIM_GROUP_H

#include "core/engine.h"
#include "core/wide_rows.h"
#include "optim/optim.h"

typedef struct tg_moments {
    tg_tensor parameter;
    int64_t steps;                /* this parameter's updates so far, including the current one */
    void *array[TG_OPTIM_STATES]; /* as many as the kind needs, initially zeros */
} tg_moments;

typedef union tg_optim_config {
    tg_sgd_config sgd;
    tg_adam_config adam;
    tg_muon_config muon;
    double number[TG_OPTIM_NUMBERS]; /* tg_custom_optim's numbers; 0 beyond them */
} tg_optim_config;

typedef struct tg_group {
    struct tg_group *next;
    double lr; /* the current rate; the config has the initial one */
    tg_optim_config config;
    int64_t n;
    tg_moments *moments; /* one per parameter, n in all */
    int n_arrays;
} tg_group;

/* The constants of an update, the same for all elements, in double as PyTorch computes them. */
typedef union tg_optim_numbers {
    struct tg_sgd_numbers {
        double sign;  /* the gradient's factor: -1 to maximize */
        double decay; /* g += decay p */
        double lr, momentum;
        double keep; /* buf = momentum buf + keep g */
        bool nesterov;
    } sgd;
    struct tg_adam_numbers {
        double sign;   /* the gradient's factor: -1 to maximize */
        double shrink; /* AdamW: p *= shrink */
        double decay;  /* Adam: g += decay p */
        double beta1, beta2, eps;
        double step; /* lr / (1 - beta1^t) */
        double root; /* sqrt(1 - beta2^t) */
    } adam;
    struct tg_muon_numbers {
        double shrink; /* p *= shrink */
        double lr;
        double rest; /* 1 - momentum */
    } muon;
} tg_optim_numbers;

typedef void tg_optim_move(const tg_optim_numbers *a, int64_t begin, int64_t end, void *p, const void *dp,
                           void *const *array);

/* move in float and in double, compiled again for AVX2, which is used for AVX-512 too: the same bits. TG_MOVES(move)
 * initialises a kind. */
#ifdef TG_WIDE_VECTORS
#define TG_WIDE_MOVE(move)                                                                                            \
    TG_WIDE_FUNCTION(AVX2)                                                                                            \
    move##_AVX2(const tg_optim_numbers *a, int64_t begin, int64_t end, void *p, const void *dp, void *const *array) { \
        move(a, begin, end, p, dp, array);                                                                            \
    }
#define TG_WIDE_MOVES(move) TG_WIDE_MOVE(move##_f32) TG_WIDE_MOVE(move##_f64) TG_WIDE_ROWS_END
#define TG_MOVES(move_) .move = {move_##_f32, move_##_f64}, .wide = {move_##_f32_AVX2, move_##_f64_AVX2}
#else
#define TG_WIDE_MOVES(move) TG_WIDE_ROWS_END
#define TG_MOVES(move_) .move = {move_##_f32, move_##_f64}
#endif

/* An optimizer's own part. */
typedef struct tg_optim_kind {
    const char *name;
    int ndim;          /* required of a parameter; 0: any */
    int64_t n_numbers; /* a group's numbers in a file: its parameters' count, the rate, the config */
    /* Computes quantities of a whole parameter, before any parameter is changed; or NULL. */
    tg_status (*prepare)(const tg_optim *o, const struct tg_group *g, const tg_moments *s);
    const tg_custom_optim *custom; /* the user's, or NULL */
    /* The step of a group for a custom optimizer; NULL: the step uses numbers and move. */
    tg_status (*step)(tg_optim *o, struct tg_group *g);
    /* The constants of a parameter's update number `steps`, from 1. */
    tg_optim_numbers (*numbers)(const struct tg_optim_kind *kind, const tg_group *g, int64_t steps);
    /* Updates elements begin .. end - 1 of a parameter from its gradient; [TG_F32], [TG_F64]. wide: the same for
     * vectors wider than the compiler's target (TG_MOVES), or NULL. */
    tg_optim_move *move[2], *wide[2];
    /* A config as numbers for a file, and back; false when they are out of range or do not need exactly n_arrays
     * arrays. */
    void (*store)(const tg_optim_config *config, double *out);
    bool (*restore)(const double *in, int n_arrays, tg_optim_config *config);
    bool decoupled;                       /* AdamW: weight decay is no part of the gradient */
    const char *moments[TG_OPTIM_STATES]; /* names for files; NULL: an array that is not kept */
} tg_optim_kind;

struct tg_optim {
    tg_tape *tape;
    const tg_optim_kind *kind;
    tg_group *first;
    tg_optim_kind own; /* the kind of a custom optimizer */
    bool stepping;     /* a custom optimizer's callback is running */
};

/* A new optimizer without groups; adding a group. */
tg_optim *tg_optim_new(tg_tape *t, const tg_optim_kind *kind, tg_list parameters);
tg_status tg_optim_add(tg_optim *o, tg_list parameters, double lr, tg_optim_config config, int n_arrays);
/* The optimizer if its first group was added; else its memory is released, and the result is NULL. */
tg_optim *tg_optim_finish(tg_optim *o, tg_status added);

/* TG_ERR_STALE unless all parameters are still on the tape. */
tg_status tg_optim_check(const tg_optim *o);

/* tg_fail unless value is finite and at least 0. */
bool tg_optim_at_least_0(tg_tape *t, const char *optimizer, const char *what, double value);

/* m + w (g - m), computed from the nearer end (PyTorch's lerp) */
static inline float tg_lerp_f32(float m, float g, float w) {
    return w < 0.5f ? m + w * (g - m) : g - (g - m) * (1 - w);
}
static inline double tg_lerp_f64(double m, double g, double w) {
    return w < 0.5 ? m + w * (g - m) : g - (g - m) * (1 - w);
}

/* Elements that one thread updates at a time. */
enum { TG_OPTIM_SHARE = 16 << 10 };

/* The node of a parameter: a floating leaf of this tape; NULL after tg_fail. */
tg_node *tg_optim_parameter(tg_tape *t, const char *name, tg_tensor parameter);

/* tg_fail unless this parameter is still on the tape. */
static inline bool tg_optim_has(const tg_optim *o, const tg_moments *s) {
    const tg_tape *t = o->tape;
    tg_tensor p = s->parameter;
    bool there = p.index < t->count && t->nodes[p.index]->epoch == p.epoch;
    return there || tg_optim_parameter(o->tape, o->kind->name, p);
}

#endif
