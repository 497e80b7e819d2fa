/* Checks of an operation's gradient, against the library's.
 *
 * A gradient has to be right for random inputs and two random dy, added to what the gradient holds already. Then come
 * two checks of how it was computed, for differences of one's own forward give right numbers too, where they work:
 *   hard inputs   those on which no step tells anything, however small, large or relative: NaN where the gradient
 *                 does not depend on the value, elements whose effect on y is lost in its rounding, high curvature.
 *                 A formula has no trouble with them.
 *   large inputs  where forward is linear in an operand, it is its own derivative: its values at unit inputs are the
 *                 gradient, whatever the inputs are. A formula costs a few forwards, this one for every element. */
#include "trial.h"

#include <stdlib.h>

/* ---- the gradient on ordinary inputs ---- */

/* The first operand in question whose gradient is wrong, or -1. */
static int wrong_operand(const trial *r, const sample *a, int operand) {
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i) && (operand < 0 ? r->wanted >> i & 1 : i == operand) &&
            !same_numbers(a->mine[i], a->right[i], numel_of(r->input[i])))
            return i;
    return -1;
}

static void report_forward(trial *r) {
    double *got = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    if (got && student_value(r, got, NAN) && !same_numbers(got, r->value, numel_of(r->shape)))
        fprintf(r->s->detail, "      (your forward is not right here either; the VJP was given the right result)\n");
    free(got);
}

static verdict gradient_of_sample(session *s, trial *r, int operand, double before) {
    sample a = {.before = before};
    verdict v = {.right = true};
    if (!right_gradients(r, &a)) {
        v = cannot_make(r);
    } else if (!student_gradients(r, &a)) {
        v = failed(s, "gradient");
    } else {
        int bad = wrong_operand(r, &a, operand);
        if (bad >= 0) {
            v = describe_gradient(s, r, &a, operand, bad);
            report_case(r, v.where);
            report_elements(r, &a, bad);
            report_forward(r);
        }
    }
    free_sample(&a);
    return v;
}

static verdict gradient_of_case(session *s, const op_spec *op, int k, int operand, unsigned wanted) {
    trial r;
    verdict v = {.right = true};
    if (!open_trial(&r, s, op, &op->cases[k], (uint64_t)k))
        v = cannot_make(&r);
    r.wanted = wanted;
    if (v.right)
        v = gradient_of_sample(s, &r, operand, 0);
    if (v.right)
        v = gradient_of_sample(s, &r, operand, 0.75);
    if (v.right)
        report_case(&r, "right");
    close_trial(&r);
    return v;
}

/* ---- how it was computed ---- */

/* Each element for itself: on these inputs they are of very different sizes. What is not finite is not asked for.
 * other: the gradient by n_ways other formulas, one after another, which are as right. The first that is none, or -1.
 */
static int64_t first_apart(const double *mine, const double *right, const double *other, int n_ways, int64_t n,
                           double relative) {
    double largest = 0;
    for (int64_t j = 0; j < n; j++)
        if (isfinite(right[j]))
            largest = fmax(largest, fabs(right[j]));
    for (int64_t j = 0; j < n; j++) {
        double allowed = right[j] == 0 ? 1e-12 * largest : relative * fabs(right[j]);
        bool good = !isfinite(right[j]) || fabs(mine[j] - right[j]) <= allowed;
        for (int w = 0; w < n_ways && !good; w++)
            good = fabs(mine[j] - other[w * n + j]) <= relative * fabs(other[w * n + j]);
        if (!good)
            return j;
    }
    return -1;
}

/* Change the inputs of a trial as the operation's harden() wants, and compute its value again. */
static bool make_hard(trial *r, int operand) {
    double *x[MAX_INPUTS] = {NULL};
    bool good = true;
    for (int i = 0; i < r->n_inputs && good; i++) {
        int64_t n = numel_of(r->input[i]);
        x[i] = calloc((size_t)n + 1, sizeof(double));
        good = x[i] && (!is_float(r, i) || tg_read_doubles(r->x[i], x[i], n) == TG_OK);
    }
    if (good)
        r->op->harden(x, r->input, operand, r->h.variant);
    for (int i = 0; i < r->n_inputs && good; i++)
        if (is_float(r, i))
            good = tg_write_doubles(r->x[i], x[i], numel_of(r->input[i])) == TG_OK;
    for (int i = 0; i < r->n_inputs; i++)
        free(x[i]);
    return good && compute_value(r);
}

static const char differences[] =
    "differences of forward, or float: right for ordinary numbers, wrong where moving an input a little shows nothing, and "
    "float may not either; write down the derivative instead of computing it from differences, and compute in double";

/* The gradients of an operand by op->other_way, in a block that the caller frees; NULL: they cannot be computed. */
static double *other_gradients(trial *r, const sample *a, int operand) {
    int64_t n = numel_of(r->input[operand]);
    double *other = calloc((size_t)(r->op->n_ways * n) + 1, sizeof(double));
    bool good = other != NULL;
    how h = r->h;
    for (h.way = 0; h.way < r->op->n_ways && good; h.way++) {
        tg_zero_grads(r->t);
        good = tg_backward_with(r->op->other_way(r->x, &h), a->dy) == TG_OK &&
               tg_read_doubles(tg_grad(r->x[operand]), other + h.way * n, n) == TG_OK;
    }
    if (good)
        return other;
    free(other);
    return NULL;
}

static verdict by_hard_inputs(session *s, const op_spec *op, int operand, uint64_t draw) {
    trial r;
    sample a = {.before = 0};
    verdict v = {.right = true};
    double *other = NULL, relative = op->hard_tolerance > 0 ? op->hard_tolerance : 1e-3;
    int64_t at = -1;
    if (!open_trial(&r, s, op, op->hard, 1000 + draw) || !make_hard(&r, operand) || !right_gradients(&r, &a) ||
        !(other = other_gradients(&r, &a, operand))) {
        v = cannot_make(&r);
    } else if (!student_gradients(&r, &a)) {
        v = failed(s, "gradient");
    } else if ((at = first_apart(a.mine[operand], a.right[operand], other, op->n_ways, numel_of(r.input[operand]),
                                 relative)) >= 0) {
        char place[64];
        v = wrong("gradient", "", "%s", "");
        at_element(&v, a.mine[operand][at], a.right[operand][at], "d%s%s", op->operand[operand],
                   place_text(r.input[operand], at, place, sizeof place));
        name_mistake(&v, differences);
        report_case(&r, v.why);
        report_elements(&r, &a, operand);
    }
    free(other);
    free_sample(&a);
    close_trial(&r);
    return v;
}

/* CPU time of one call, in a process that has made no other, so that nothing can be kept from an earlier one: for these
 * sizes a formula takes a twentieth of it, forward at every unit input five times as much. */
enum { ENOUGH_US = 10000 };
const char too_slow[] = "differences of forward";

verdict check_cost(session *s, const part *p) {
    trial r;
    verdict v = {.right = true};
    int64_t took = 0;
    if (!open_trial(&r, s, p->op, p->op->large, 2000)) {
        v = cannot_make(&r);
    } else {
        int64_t start = student_microseconds(s->student);
        v = gradient_of_sample(s, &r, p->operand, 0);
        took = student_microseconds(s->student) - start;
    }
    if (v.right && took > ENOUGH_US) {
        v = wrong("gradient", too_slow,
                  "it takes as long as a forward for every element, %lld ms for %lld numbers: a derivative that is "
                  "written down needs a few passes over them",
                  (long long)(took / 1000), (long long)numel_of(r.input[0]));
        report_case(&r, v.why);
    }
    close_trial(&r);
    return v;
}

static verdict by_inspection(session *s, const op_spec *op, int operand) {
    verdict v = {.right = true};
    int draws = numel_of(op->hard->input[0]) == 1 ? 24 : 2; /* a single number may be lucky */
    for (int i = 0; op->kind[i]; i++)
        for (int d = 0; op->kind[i] == 'f' && (operand < 0 || i == operand) && d < draws && v.right; d++)
            v = by_hard_inputs(s, op, i, (uint64_t)d);
    return v;
}

verdict check_gradient(session *s, const op_spec *op, int operand) {
    verdict v = {.right = true};
    for (int k = 0; k < op->n_cases && v.right; k++)
        v = gradient_of_case(s, op, k, operand, ~0u);
    return v.right && op->hard ? by_inspection(s, op, operand) : v;
}

/* A frozen operand's gradient is NULL, whichever others are. */
verdict check_frozen(session *s, const op_spec *op) {
    verdict v = {.right = true};
    unsigned all = 0;
    for (int i = 0; op->kind[i]; i++)
        all |= op->kind[i] == 'f' ? 1u << i : 0;
    for (unsigned wanted = 1; wanted < all && v.right; wanted++)
        for (int k = 0; k < op->n_cases && v.right && !(wanted & ~all); k++)
            v = gradient_of_case(s, op, k, -1, wanted);
    return v;
}
