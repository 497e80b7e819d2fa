/* A wrong number without a name: what is wrong inside it. Of a sum the terms are asked for one by one, from the
 * student's function as from the library's: a gradient for each element of dy alone, a value that is linear in its
 * first operand for each element of that. Else where the number belongs, or which elements are wrong. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 128 }; /* calls, for one number */

#define append(text, size, ...) snprintf((text) + strlen(text), (size)-strlen(text), __VA_ARGS__)

/* ---- the student's terms ---- */

/* dy[j] times what element i of the gradient is for dy = 1 at j and 0 elsewhere. */
static bool own_gradient_terms(subject *s, int64_t i, double *term, double *rest) {
    trial one = *s->r;
    sample a = {.before = 0};
    int64_t m = s->n_terms;
    const double *dy = tg_const_data(s->a.dy);
    double *unit = calloc((size_t)m + 1, sizeof *unit);
    one.n_kept = 0;
    bool good = unit && right_gradients(&one, &a);
    for (int64_t j = 0; j < m && good; j++) {
        unit[j] = 1;
        a.dy = tg_from_doubles(one.t, one.shape, unit);
        unit[j] = 0;
        good = student_gradients(&one, &a);
        term[j] = good ? dy[j] * a.mine[s->operand][i] : 0;
    }
    *rest = 0;
    forget_kept(&one);
    free_sample(&a);
    free(unit);
    return good;
}

/* Element i of the value for one x of the first operand. */
static bool own_value(trial *one, const double *x, int64_t i, double *out) {
    double *y = calloc((size_t)numel_of(one->shape) + 1, sizeof *y);
    one->x[0] = tg_from_doubles(one->t, one->input[0], x);
    bool good = y && student_value(one, y, NAN);
    *out = good ? y[i] : NAN;
    free(y);
    return good;
}

/* x[k] times what element i of the value gets from x = 1 at k and 0 elsewhere; rest: what it is for x = 0. */
static bool own_value_terms(subject *s, int64_t i, double *term, double *rest) {
    trial one = *s->r;
    int64_t m = s->n_terms;
    const double *x = tg_const_data(s->r->x[0]);
    double *unit = calloc((size_t)m + 1, sizeof *unit);
    one.n_kept = 0;
    bool good = unit && own_value(&one, unit, i, rest);
    for (int64_t k = 0; k < m && good; k++) {
        unit[k] = 1;
        good = own_value(&one, unit, i, &term[k]);
        unit[k] = 0;
        term[k] = x[k] * (term[k] - *rest);
    }
    forget_kept(&one);
    free(unit);
    return good;
}

/* ---- told beside the right ones ---- */

/* "dY[0, 1]" that a gradient's term comes from, "X[0, 1]" a value's */
static const char *source(const subject *s, int64_t j) {
    static char text[100];
    char at[64];
    const trial *r = s->r;
    bool of_value = s->operand < 0;
    place_text(of_value ? r->input[0] : r->shape, j, at, sizeof at);
    snprintf(text, sizeof text, "%s%s%s", of_value || r->op->arrives ? "" : "d",
             of_value         ? r->op->operand[0]
             : r->op->arrives ? r->op->arrives
                              : r->op->result,
             at);
    return text;
}

typedef enum { RIGHT, MISSING, EXTRA, OTHER, N_KINDS } kind;

static kind kind_of(double mine, double right, double largest) {
    double nothing = 1e-5 * largest;
    return fabs(mine - right) <= nothing ? RIGHT
           : fabs(mine) <= nothing       ? MISSING
           : fabs(right) <= nothing      ? EXTRA
                                         : OTHER;
}

static void tell_term(const subject *s, kind what, int64_t j, double mine, double right, char *out, size_t size) {
    const char *from = source(s, j), *joined = *out && out[strlen(out) - 1] != ' ' ? "; " : "";
    switch (what) {
    case MISSING: append(out, size, "%s%s does not come into it and should give %.4g", joined, from, right); break;
    case EXTRA: append(out, size, "%s%s gives %.4g and should not come into it", joined, from, mine); break;
    default: append(out, size, "%s%s gives %.4g and should give %.4g", joined, from, mine, right);
    }
}

/* The first wrong term of each kind. False when none is. */
static bool tell_wrong_terms(const subject *s, const double *mine, const double *right, char *out, size_t size) {
    double largest = 0;
    int64_t first[N_KINDS] = {-1, -1, -1, -1}, wrong = 0, terms = 0;
    for (int64_t j = 0; j < s->n_terms; j++)
        largest = fmax(largest, fmax(fabs(right[j]), fabs(mine[j]) * 1e-3));
    for (int64_t j = 0; j < s->n_terms; j++) {
        kind k = kind_of(mine[j], right[j], largest);
        first[k] = first[k] < 0 ? j : first[k];
        wrong += k != RIGHT;
        terms += k != RIGHT || fabs(right[j]) > 1e-5 * largest;
    }
    *out = '\0';
    if (wrong == terms && terms > 1)
        snprintf(out, size, "all of its %lld terms are wrong: ", (long long)terms);
    else if (wrong && terms > 1)
        snprintf(out, size, "%lld of its %lld terms are wrong: ", (long long)wrong, (long long)terms);
    for (kind k = MISSING; k < N_KINDS; k++)
        if (first[k] >= 0)
            tell_term(s, k, first[k], mine[first[k]], right[first[k]], out, size);
    return wrong > 0;
}

/* True when the student's terms add up to the student's number. */
static bool adds_up(const subject *s, int64_t i, const double *term, double rest) {
    double sum = rest;
    for (int64_t j = 0; j < s->n_terms; j++)
        sum += term[j];
    return isfinite(sum) && same_numbers(&sum, &s->mine[i], 1);
}

static bool tell_terms_apart(subject *s, int64_t i, char *out, size_t size) {
    bool of_value = s->operand < 0;
    double rest, *mine = calloc((size_t)s->n_terms + 1, sizeof *mine), *right = s->term + i * s->n_terms;
    bool told = false, good = mine && s->n_terms > 1 && s->n_terms <= MOST &&
                              (of_value ? own_value_terms : own_gradient_terms)(s, i, mine, &rest);
    if (good && !adds_up(s, i, mine, rest)) {
        told = true;
        snprintf(out, size,
                 of_value
                     ? "it is not the sum of what each element of %s gives alone: what comes in twice, or not at all?"
                     : "it is not the sum of what each element of %s gives alone: a term lacks it as its factor, or "
                       "something is kept from before",
                 of_value            ? s->r->op->operand[0]
                 : s->r->op->arrives ? s->r->op->arrives
                                     : "dy");
    } else if (good && of_value && !same_numbers(&rest, &s->rest[i], 1)) {
        told = true;
        snprintf(out, size, "with %s = 0 it is %.4g and should be %.4g", s->r->op->operand[0], rest, s->rest[i]);
    } else if (good) {
        told = tell_wrong_terms(s, mine, right, out, size);
    }
    free(mine);
    return told;
}

/* ---- numbers that belong elsewhere ---- */

static bool is_same(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b) && b != 0; }

/* The place in a list where this number stands, or -1. */
static int64_t place_in(double x, const double *list, int64_t n) {
    for (int64_t k = 0; k < n; k++)
        if (is_same(x, list[k]))
            return k;
    return -1;
}

/* True when most of the wrong numbers are of that list. */
static bool comes_from(const subject *s, const double *list, int64_t n) {
    int64_t wrong = 0, found = 0;
    for (int64_t i = 0; i < s->n; i++) {
        if (same_numbers(&s->mine[i], &s->right[i], 1))
            continue;
        wrong++;
        found += place_in(s->mine[i], list, n) >= 0;
    }
    return wrong > 1 && 10 * found >= 6 * wrong;
}

static bool tell_origin(const subject *s, int64_t i, char *out, size_t size) {
    const trial *r = s->r;
    char at[64];
    int64_t k;
    if (comes_from(s, s->right, s->n) && (k = place_in(s->mine[i], s->right, s->n)) >= 0) {
        snprintf(out, size, "what it holds belongs at %s: an index is wrong",
                 place_text(s->operand < 0 ? r->shape : r->input[s->operand], k, at, sizeof at));
        return true;
    }
    for (int x = 0; x < r->n_inputs && s->operand < 0; x++) {
        const double *list = is_float(r, x) ? tg_const_data(r->x[x]) : NULL;
        int64_t n = list ? numel_of(r->input[x]) : 0;
        if (list && comes_from(s, list, n) && (k = place_in(s->mine[i], list, n)) >= 0) {
            snprintf(out, size, "what it holds is %s%s", r->op->operand[x], place_text(r->input[x], k, at, sizeof at));
            return true;
        }
    }
    const double *dy = s->operand < 0 ? NULL : tg_const_data(s->a.dy);
    int64_t m = numel_of(r->shape);
    if (!dy || m < 2 || !comes_from(s, dy, m) || (k = place_in(s->mine[i], dy, m)) < 0)
        return false;
    snprintf(out, size, "what it holds is %s, alone", source(s, k));
    return true;
}

/* ---- all of it ---- */

/* "for x = 0.66, dy = 0.27 the factor of dy is 1.04 and should be 1.2" */
static bool tell_factor(const subject *s, char *out, size_t size) {
    const trial *r = s->r;
    const double *dy = s->operand < 0 ? NULL : tg_const_data(s->a.dy);
    if (!dy || s->n != 1 || numel_of(r->shape) != 1)
        return false;
    snprintf(out, size, "for");
    for (int x = 0; x < r->n_inputs; x++)
        if (is_float(r, x) && numel_of(r->input[x]) == 1)
            append(out, size, " %s = %.4g,", r->op->operand[x], *(const double *)tg_const_data(r->x[x]));
    append(out, size, " dy = %.4g: dy's factor is %.4g and should be %.4g", dy[0], s->mine[0] / dy[0],
           s->right[0] / dy[0]);
    return true;
}

static void tell_places(const subject *s, char *out, size_t size) {
    enum { LISTED = 4 };
    tg_shape shape = s->operand < 0 ? s->r->shape : s->r->input[s->operand];
    char at[64];
    int64_t wrong = 0;
    snprintf(out, size, "wrong:");
    for (int64_t i = 0; i < s->n; i++)
        if (!same_numbers(&s->mine[i], &s->right[i], 1) && wrong++ < LISTED)
            append(out, size, "%s %s", wrong > 1 ? "," : "", place_text(shape, i, at, sizeof at));
    if (s->n == 1)
        snprintf(out, size, "it is %.4g more than the right number, and %.4g times as much", s->mine[0] - s->right[0],
                 s->mine[0] / s->right[0]);
    else if (wrong == s->n)
        snprintf(out, size, "none of its %lld elements is right", (long long)s->n);
    else if (wrong > LISTED)
        append(out, size, " and %lld more; the other %lld are right", (long long)(wrong - LISTED),
               (long long)(s->n - wrong));
}

void tell_inside(trial *r, const sample *a, int operand, const double *value, char *out, size_t size) {
    subject s;
    if (!open_subject(&s, r, a, operand, value))
        return;
    int64_t i = first_difference(s.mine, s.right, s.n);
    if (i < 0 || (!tell_factor(&s, out, size) && !tell_origin(&s, i, out, size) && !tell_terms_apart(&s, i, out, size)))
        tell_places(&s, out, size);
    close_subject(&s);
}
