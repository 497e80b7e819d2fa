/* Private: what all optimizers share. An optimizer is a chain of groups; a group is parameters with numbers of
 * its own; each parameter has moments, arrays of its size that are remembered from step to step. All of it comes
 * from the tape's pool when the group is made, so a step allocates nothing, and goes with the tape. */
#ifndef TAPEGRAD_OPTIM_GROUP_H
#define TAPEGRAD_OPTIM_GROUP_H

#include "core/engine.h"
#include "optim/optim.h"

typedef struct tg_moments {
    tg_tensor parameter;
    int64_t steps;                /* this parameter's updates so far, the present one included */
    void *array[TG_OPTIM_STATES]; /* as many as the optimizer needs, zeros at first */
} tg_moments;

typedef union tg_optim_config {
    tg_sgd_config sgd;
    tg_adam_config adam;
    tg_muon_config muon;
    double number[TG_OPTIM_NUMBERS]; /* tg_custom_optim's; 0 where it has none */
} tg_optim_config;

typedef struct tg_group {
    struct tg_group *next;
    double lr; /* what counts, not the config's */
    tg_optim_config config;
    int64_t n;
    tg_moments *moments; /* one for each of the n parameters */
    int n_arrays;
} tg_group;

/* What an update is made with, the same for all elements: in double, as PyTorch computes them. */
typedef union tg_optim_numbers {
    struct tg_sgd_numbers {
        double sign;  /* of the gradient */
        double decay; /* g += decay p */
        double lr, momentum;
        double keep; /* the gradient's factor in the buffer */
        bool nesterov;
    } sgd;
    struct tg_adam_numbers {
        double sign;   /* of the gradient */
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

/* What tells one optimizer from another. */
typedef struct tg_optim_kind {
    const char *name;
    int ndim;          /* which a parameter must have; 0: any */
    int64_t n_numbers; /* of a group in a file: how many parameters, the rate, the config */
    /* What an update needs of a whole parameter, before any parameter is changed; NULL: nothing. */
    tg_status (*prepare)(const tg_optim *o, const struct tg_group *g, const tg_moments *s);
    const tg_custom_optim *custom; /* the user's, or NULL */
    /* A group's step, of the user's; NULL: one is made of numbers and move. */
    tg_status (*step)(tg_optim *o, struct tg_group *g);
    /* For a parameter's update number `steps`, counted from 1. */
    tg_optim_numbers (*numbers)(const struct tg_optim_kind *kind, const tg_group *g, int64_t steps);
    /* Update the elements from begin to before end of a parameter with its gradient; [TG_F32], [TG_F64]. */
    void (*move[2])(const tg_optim_numbers *a, int64_t begin, int64_t end, void *p, const void *dp, void *const *array);
    /* A config as numbers for a file, and back; false when they are out of range or need other than n_arrays arrays. */
    void (*store)(const tg_optim_config *config, double *out);
    bool (*restore)(const double *in, int n_arrays, tg_optim_config *config);
    bool decoupled;                       /* AdamW: weight decay is no part of the gradient */
    const char *moments[TG_OPTIM_STATES]; /* names for files; NULL: an array that is not remembered */
} tg_optim_kind;

struct tg_optim {
    tg_tape *tape;
    const tg_optim_kind *kind;
    tg_group *first;
    tg_optim_kind own; /* kind, when it is custom */
    bool stepping;     /* a custom optimizer's callback runs */
};

/* The optimizer, before its first group of parameters; a group at its end. */
tg_optim *tg_optim_new(tg_tape *t, const tg_optim_kind *kind, tg_list parameters);
tg_status tg_optim_add(tg_optim *o, tg_list parameters, double lr, tg_optim_config config, int n_arrays);
/* The optimizer itself when its first group could be added; else NULL, and its memory is given back. */
tg_optim *tg_optim_finish(tg_optim *o, tg_status added);

/* TG_ERR_STALE unless all parameters are still there. */
tg_status tg_optim_check(const tg_optim *o);

/* tg_fail unless value is finite and at least 0. */
bool tg_optim_at_least_0(tg_tape *t, const char *optimizer, const char *what, double value);

/* m + w (g - m), from the nearer end (PyTorch's lerp) */
static inline float tg_lerp_f32(float m, float g, float w) {
    return w < 0.5f ? m + w * (g - m) : g - (g - m) * (1 - w);
}
static inline double tg_lerp_f64(double m, double g, double w) {
    return w < 0.5 ? m + w * (g - m) : g - (g - m) * (1 - w);
}

/* Elements that one thread updates at a time. */
enum { TG_OPTIM_SHARE = 16 << 10 };

/* The parameter that a list or a group names: a floating leaf of this tape; NULL after tg_fail. */
tg_node *tg_optim_parameter(tg_tape *t, const char *name, tg_tensor parameter);

/* tg_fail unless this one is still there. */
static inline bool tg_optim_has(const tg_optim *o, const tg_moments *s) {
    const tg_tape *t = o->tape;
    tg_tensor p = s->parameter;
    bool there = p.index < t->count && t->nodes[p.index]->epoch == p.epoch;
    return there || tg_optim_parameter(o->tape, o->kind->name, p);
}

#endif
