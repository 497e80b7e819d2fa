/* Checks of an operation's value, against the library's. */
#include "trial.h"

#include <stdlib.h>

/* What can be said of a value from its numbers alone. */
static verdict describe_numbers(const trial *r, const op_case *one, const double *got) {
    int64_t n = numel_of(r->shape), first = -1, nans = 0, zeros = 0, same = 0;
    char where[64], place[64];
    snprintf(where, sizeof where, "value of %s", r->op->result);
    for (int64_t i = 0; i < n; i++) {
        nans += isnan(got[i]);
        zeros += got[i] == 0;
        same += got[i] == got[0];
        if (first < 0 && !(fabs(got[i] - r->value[i]) <= tolerance * fabs(r->value[i]) + 1e-12))
            first = i;
    }
    place_text(r->shape, first < 0 ? 0 : first, place, sizeof place);
    double factor = ratio_of(got, r->value, n);
    if (first >= 0 && !isfinite(got[first]) && (one->spread > 1 || one != r->op->cases))
        return wrong(where, "not finite",
                     "%s%s is %g for inputs of about %g: does an exp() overflow? take the maximum off", r->op->result,
                     place, got[first], one->spread != 0 ? one->spread : 1);
    if (nans == n) {
        verdict v = wrong(where, "not filled", "%s is not filled, or is not a number", r->op->result);
        v.untouched = one == r->op->cases;
        return v;
    }
    if (first >= 0 && !isfinite(got[first]))
        return wrong(where, "not finite", "%s%s is not filled, or not finite", r->op->result, place);
    if (zeros == n)
        return wrong(where, "zero", "every element is 0");
    if (same == n && n > 1) {
        verdict v = wrong(where, "the same everywhere",
                          "every element is %g: is one element of an operand always read?", got[0]);
        v.untouched = one == r->op->cases; /* the stub of A3 reads element 0 */
        return v;
    }
    if (fabs(factor + 1) < 1e-6 && n > 1)
        return wrong(where, "sign flipped", "-1 times the right value");
    if (isfinite(factor) && n > 1)
        return wrong(where, "constant factor", "%g times the right value", factor);
    return wrong(where, "wrong value", "%s%s is %g, it should be %g", r->op->result, place, got[first < 0 ? 0 : first],
                 r->value[first < 0 ? 0 : first]);
}

/* Right where the memory was zero before, wrong where it was not. */
static verdict describe_value(trial *r, const op_case *one, double *got) {
    verdict v = describe_numbers(r, one, got);
    if (!student_value(r, got, 0) || !same_numbers(got, r->value, numel_of(r->shape)))
        return v;
    return wrong(v.where, "+= instead of =", "%s is added to without having been set: it is not 0 when forward begins",
                 r->op->result);
}

static verdict value_of_case(session *s, const op_spec *op, int k) {
    trial r;
    verdict v = {.right = true};
    bool opened = open_trial(&r, s, op, &op->cases[k], (uint64_t)k);
    double *got = opened ? calloc((size_t)numel_of(r.shape) + 1, sizeof(double)) : NULL;
    if (!got)
        v = cannot_make(&r);
    else if (!student_value(&r, got, NAN))
        v = failed(s, "forward");
    else if (!same_numbers(got, r.value, numel_of(r.shape)))
        v = describe_value(&r, &op->cases[k], got);
    if (got)
        report_case(&r, v.right ? "right" : v.why);
    free(got);
    close_trial(&r);
    return v;
}

verdict check_value(session *s, const op_spec *op) {
    verdict v = {.right = true};
    for (int k = 0; k < op->n_cases && v.right; k++)
        v = value_of_case(s, op, k);
    return v;
}
