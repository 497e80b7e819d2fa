/* Checks of an operation's value, against the library's. */
#include "trial.h"

#include <stdlib.h>

/* A message about all numbers at once; false: none applies. */
static bool name_all(const trial *r, const double *got, verdict *v) {
    int64_t n = numel_of(r->shape), nans = 0, zeros = 0, same = 0;
    bool first_case = r->one == r->op->cases;
    for (int64_t i = 0; i < n; i++) {
        nans += isnan(got[i]);
        zeros += got[i] == 0;
        same += got[i] == got[0];
    }
    v->untouched = first_case && (nans == n || (same == n && n > 1)); /* the stub of A3 reads element 0 */
    if (nans == n && first_case)
        name_mistake(v, "not filled: no element is set, or all are not a number");
    else if (zeros == n)
        name_mistake(v, "zero: every element is 0");
    else if (same == n && n > 1 && isfinite(got[0]))
        name_mistake(v, "the same everywhere: is one element of an operand always read?");
    else
        return false;
    return true;
}

/* Right where the memory was zero before, wrong where it was not. */
static bool name_adding(trial *r, verdict *v) {
    double *onto_zero = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    bool found = onto_zero && student_value(r, onto_zero, 0) && same_numbers(onto_zero, r->value, numel_of(r->shape));
    free(onto_zero);
    if (found)
        name_mistake(v, "+= instead of =: it is added to without having been set: it is not 0 when forward begins");
    return found;
}

static void count_wrong(trial *r, const double *got, verdict *v) {
    int64_t n = numel_of(r->shape), good = 0, finite = 0;
    for (int64_t i = 0; i < n; i++) {
        good += same_numbers(&got[i], &r->value[i], 1);
        finite += isfinite(got[i]) || !isfinite(r->value[i]);
    }
    bool large = fabs(r->one->spread) > 1;
    snprintf(v->mistake, sizeof v->mistake, "%s", finite == n ? "wrong value" : "not finite");
    snprintf(v->why, sizeof v->why, "%lld of %lld elements are right; %s", (long long)good, (long long)n,
             large ? "the inputs are large: what overflows, or is 0 in a logarithm?" : "is an element not set?");
    if (finite == n)
        tell_inside(r, NULL, -1, got, v->why, sizeof v->why);
}

static verdict describe_value(trial *r, const double *got) {
    char where[64];
    snprintf(where, sizeof where, "value of %s", r->op->result);
    verdict v = wrong(where, "", "%s", "");
    tell_element(r, NULL, -1, got, &v);
    if (!name_adding(r, &v) && !name_all(r, got, &v) && !name_numbers(r, NULL, -1, got, &v))
        count_wrong(r, got, &v);
    return r->s->student->failure[0] ? failed(r->s, "forward") : v;
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
        v = describe_value(&r, got);
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
