/* tapegrad: the gradient check. Its settings, verdicts and names of mistakes, the result's rows and lines; then
 * tg_gradcheck, which says how a verdict is computed, printing, differences; the check of second derivatives. */
#ifndef TAPEGRAD_API_GRADCHECK_H
#define TAPEGRAD_API_GRADCHECK_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Settings and verdicts ---- */

/* FULL sees every element; FAST's cost does not grow with their number. */
typedef enum { TG_GRADCHECK_FULL, TG_GRADCHECK_FAST } tg_gradcheck_mode;

typedef struct tg_gradcheck_config {
    tg_gradcheck_mode mode;
    double eps;        /* the step of the table's central differences */
    double atol, rtol; /* PyTorch's rule, for the table: agrees where |analytic - numeric| <= atol + rtol |numeric| */
    int directions;    /* FAST: how many paths */
    uint64_t seed;     /* of the cotangent and the paths */
    void (*progress)(int64_t done, int64_t total, void *context); /* NULL: none */
    void *context;
} tg_gradcheck_config;
#define TG_GRADCHECK_DEFAULTS (TG_LITERAL(tg_gradcheck_config){TG_GRADCHECK_FULL, 1e-6, 1e-5, 1e-3, 3, 20240607, 0, 0})

/* RIGHT, WRONG and CANNOT_TELL: see tg_gradcheck. KINK: right, and the point itself lies on a kink (relu at 0). */
typedef enum { TG_GRAD_RIGHT, TG_GRAD_KINK, TG_GRAD_CANNOT_TELL, TG_GRAD_WRONG } tg_grad_verdict;

/* What an operation's wrong gradient looks like. A name is proved: the operation's Jacobian with this mistake gives
 * this gradient, for two dy. UNKNOWN: see the diagnosis. FLOAT32: wrong in the float32 kernel alone. */
/* clang-format off */
typedef enum {
    TG_MISTAKE_NONE, TG_MISTAKE_UNKNOWN, TG_MISTAKE_SIGN, TG_MISTAKE_MISSING_MEAN, TG_MISTAKE_EXTRA_MEAN,
    TG_MISTAKE_TWICE, TG_MISTAKE_HALF, TG_MISTAKE_SCALE, TG_MISTAKE_FACTOR, TG_MISTAKE_ZERO, TG_MISTAKE_OVERWRITE,
    TG_MISTAKE_TRANSPOSED, TG_MISTAKE_PERMUTED, TG_MISTAKE_TAIL, TG_MISTAKE_NOT_SUMMED, TG_MISTAKE_MASK,
    TG_MISTAKE_REDRAWN, TG_MISTAKE_NO_DY, TG_MISTAKE_PASSED_ON, TG_MISTAKE_NOT_FINITE, TG_MISTAKE_STALE,
    TG_MISTAKE_NONDETERMINISTIC, TG_MISTAKE_WRITES, TG_MISTAKE_FLOAT32, TG_MISTAKE_ACCUMULATION, TG_N_MISTAKES
} tg_mistake;
/* clang-format on */
TG_API const char *tg_mistake_name(tg_mistake mistake); /* short: "sign flipped" */

/* ---- What is found ---- */

/* One derivative, of y (of sum v y where y has several elements) by an element of a leaf, or along direction `element`
 * where the leaf is "". analytic is backward's, numeric the central difference in float64, error its error bar. */
typedef struct tg_gradcheck_row {
    char leaf[48];                    /* its name, or "tensor 3" */
    uint32_t tensor;                  /* its place on the tape */
    int64_t element, elements, wrong; /* row-major; how many of the leaf were looked at one by one, and are wrong */
    double analytic, numeric, error, left, right; /* left, right: one-sided differences */
    double relative; /* |analytic - numeric| / max(|analytic|, |numeric|, a thousandth of the leaf's largest) */
    tg_grad_verdict verdict;
    const char *reason; /* why table and verdict differ; else NULL */
    tg_shape shape;
} tg_gradcheck_row;

/* What a verdict rests on: a path through the point at 0, in units of its direction, in two pieces. f is sum v y less
 * its value at the point; terms is the integral of sum |g dx|, residual = f_b - f_a - integral. */
typedef struct tg_gradcheck_piece {
    double a, b, f_a, f_b, integral, terms, residual, noise;
} tg_gradcheck_piece;
typedef struct tg_gradcheck_line {
    char path[48]; /* what moves: "all leaves", "W" */
    bool float32;  /* on the kernels that train; else in float64 */
    int64_t elements;
    double length, share, ratio, longer, rounding; /* share of it beyond noise; |r| / D; next longer path's; tape's */
    tg_gradcheck_piece piece[2];
    tg_grad_verdict verdict;
    const char *reason;
} tg_gradcheck_line;

enum { TG_GRADCHECK_ROWS = 64, TG_GRADCHECK_LINES = 8 };
typedef struct tg_gradcheck_result {
    tg_grad_verdict verdict; /* the worst; of paths over the same elements one that is right outvotes CANNOT_TELL */
    tg_gradcheck_mode mode;
    bool scalar;                       /* y has one element; else f = sum v y, v random in +-[0.5, 1.5] */
    char summary[320], diagnosis[400]; /* one line; what the operation's wrong gradient looks like */
    int64_t leaves, compared, wrong, cannot_tell, kinks, evaluations; /* compared: elements, or FAST's paths; wrong: up
                                                                         to TG_GRADCHECK_ROWS, 1 where none is alone */
    double worst, factor; /* the largest relative error of rows that are off by more than their error bar, kinks aside,
                             and 0 where none is; wrong = factor * right, when it is so, else 0 */
    /* The first operation on the tape that is wrong on its own recorded inputs; op is "" when none is. */
    char op[48], shapes[256]; /* "(2, 3), (3, 4) -> (2, 4)" */
    uint32_t tensor;          /* its result */
    int operand, wrong_ops;   /* whose gradient is wrong, from 1 (0: the result, or none alone); how many are wrong */
    tg_mistake mistake;       /* of that operand */
    int n_lines, n_rows;
    tg_gradcheck_line line[TG_GRADCHECK_LINES]; /* those that decided first */
    tg_gradcheck_row row[TG_GRADCHECK_ROWS]; /* leaves up to 64 elements whole; of others the wrong, and some drawn */
} tg_gradcheck_result;

/* ---- The check ---- */

/* Checks that backward computes dy/dleaf for every leaf that requires a gradient. y is any floating result. The judge
 * is a finite difference over an ordinary distance: on every path f(b) - f(a) is the integral of <g, dx>, for every
 * right gradient g of f = sum v y, kinks included, and no wrong one (theorem: core/gradcheck/judge.c). Elements move by
 * 1/4 to 3/4 of their size along a path through the point, 16 times shorter (4 in float32) until there is a verdict.
 * For a piece let r = f(b) - f(a) - integral, N be its measured noise; D is the sum of both |f(b) - f(a)| + terms:
 *   RIGHT        |r| <= N on each piece, and the sum of both N <= D / 64, or D is 0. Or, on the path of length 1, D is
 *                below 512 times the tape's rounding (64 times where |r| > N on a piece): f is worth nothing there.
 *   WRONG        |r| > N over more than half of the length (in float32: or of the next longer path). |r| / D, with |r|
 *                of both pieces, is the next longer path's but for a quarter of itself, or falls like the length twice
 *                in a row. r goes smoothly along 16 pieces, and rounding of the operands does not make it; a second
 *                path is WRONG too. Or, in float64 where all operations tell their branches and take the same ones, the
 *                gradient at the point is not what it is beside it; elsewhere that is a KINK.
 *   CANNOT_TELL  otherwise; the line's reason says whether rounding, jumps or the domain is in the way.
 * FULL moves elements by classes (a factor of 16 of |g x|), each along two paths, then all, then equal ones, halves
 * what is wrong down to elements, and puts each operation alone, on its own operands, through the same. FAST moves all
 * leaves at once, looks at no operation alone unless a path is WRONG, passes errors below D / 64. Errors of several
 * elements cancel within h of the largest with probability 2 h a path. A float32 tape is checked in float64, with its
 * random masks, then on its own kernels: WRONG there takes normal squares of all numbers, and an operation that is
 * wrong alone: its gradient is, or has 16 bits at most; or its result is off float64's by a 512th and 8 times what a
 * few units of float in its operands make. Tested directly: backward is linear in dy, adds to gradients and writes
 * nowhere else; two equal runs, and checkpoint scopes computed again, give the same bits. Elements infinite on purpose
 * (masked_fill) get no cotangent. A gradient stopped on purpose (tg_detach, no_grad) counts as wrong. Functions that
 * jump (round, a table) are not covered. Hooks are not called; the tape is as before. TG_OK when all is right or KINK,
 * else TG_ERR_NUMERIC, the summary its text, or another error: y requires no gradient, it or a right gradient is not
 * finite, eps does not suit the values, a custom op has no float64 callbacks. result may be NULL. */
TG_API TG_MUST_USE tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result);
/* For a reader: the summary, a table, the lines, where and why; the same as JSON. */
TG_API TG_MUST_USE tg_status tg_gradcheck_print(FILE *file, const tg_gradcheck_result *result);
TG_API TG_MUST_USE tg_status tg_gradcheck_print_json(FILE *file, const tg_gradcheck_result *result);
/* Central differences of y (one element) by each element of a leaf, step eps, in float64: a new leaf of its shape. */
TG_API tg_tensor tg_numeric_gradient(tg_tensor y, tg_tensor leaf, double eps);

/* ---- Second derivatives ---- */

/* Second derivatives by the same judge, in float64, of <u, g>, whose gradient is H u: u and w random, g the gradient of
 * sum w y, H its Hessian. Errors are tg_gradcheck's and tg_gradients' (a custom operation without a grad). */
typedef struct tg_second_result {
    tg_grad_verdict verdict;
    char summary[320];
    double difference;      /* |r| / D of <u, g> along the path that decided */
    double adjoint;         /* |g recorded - g of the VJP kernels| / |g|: grad against the kernels */
    double symmetry;        /* |u^T H v - v^T H u| / (|u| |H v|) */
    tg_gradcheck_line line; /* what decided */
} tg_second_result;
TG_API TG_MUST_USE tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result);
TG_API TG_MUST_USE tg_status tg_gradcheck_second_print(FILE *file, const tg_second_result *result);

#ifdef __cplusplus
}
#endif
#endif
