/* What a wrong gradient looks like: which of the common mistakes gives the same numbers. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

void name_fault(verdict *v, const char *fault) {
    size_t length = strcspn(fault, ":");
    snprintf(v->mistake, sizeof v->mistake, "%.*s", (int)length, fault);
    snprintf(v->why, sizeof v->why, "%s", fault[length] ? fault + length + 2 : fault);
}

/* Is a kept array one of those noted under its name? */
static bool kept_is_right(const kept_array *k, const note_list *notes) {
    bool known = false;
    double *right = calloc((size_t)k->n + 1, sizeof(double));
    for (int i = 0; right && i < notes->n; i++) {
        bool is_value = strcmp(k->name, notes->name[i]) == 0;
        bool is_grad = k->name[0] == 'd' && strcmp(k->name + 1, notes->name[i]) == 0;
        if ((!is_value && !is_grad) || tg_numel(notes->x[i]) != k->n)
            continue;
        known = true;
        if (tg_read_doubles(is_grad ? tg_grad(notes->x[i]) : notes->x[i], right, k->n) == TG_OK &&
            same_numbers(k->value, right, k->n)) {
            free(right);
            return true;
        }
    }
    free(right);
    return !known;
}

/* Is the name one of the words in the list? */
static bool has_word(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* Among those that the gradient of this operand is computed from. */
static void find_first_intermediate(trial *r, const sample *a, int operand, verdict *v) {
    note_list notes = {.n = 0};
    if (!r->n_kept || !backward_of(r, a->dy, 0, &notes))
        return;
    for (int i = 0; i < r->n_kept; i++) {
        const kept_array *k = &r->kept[i];
        if (!has_word(r->op->uses[operand], k->name) || kept_is_right(k, &notes))
            continue;
        bool zero = true;
        for (int64_t j = 0; j < k->n; j++)
            zero &= k->value[j] == 0;
        size_t used = strlen(v->where);
        snprintf(v->where + used, sizeof v->where - used, "; first wrong intermediate: %s%s", k->name,
                 zero ? " (all zero)" : "");
        return;
    }
}

/* Does the fault give the student's gradient on other data of the same case, too? */
static bool is_fault_elsewhere(const trial *r, int operand, int fault) {
    enum { DRAWS = 8 };
    int64_t n = numel_of(r->input[operand]);
    double *other = calloc((size_t)n + 1, sizeof(double));
    bool same = other != NULL;
    for (uint64_t draw = 0; draw < DRAWS && same; draw++) {
        trial t;
        sample a = {.before = 0};
        same = open_trial(&t, r->s, r->op, r->one, 200 + draw);
        t.frozen = r->frozen;
        same = same && take_sample(&t, &a, operand) && backward_of(&t, a.dy, fault, NULL) &&
               tg_read_doubles(tg_grad(t.x[operand]), other, n) == TG_OK && same_numbers(a.mine[operand], other, n);
        free_sample(&a);
        close_trial(&t);
    }
    free(other);
    return same;
}

/* The operation's own list of common mistakes: does one give exactly the student's gradient? */
static bool name_known_fault(trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    double *other = calloc((size_t)n + 1, sizeof(double));
    bool found = false;
    for (int f = 0; other && r->op->fault && r->op->fault[f] && !found; f++)
        if (backward_of(r, a->dy, f + 1, NULL) && tg_read_doubles(tg_grad(r->x[operand]), other, n) == TG_OK &&
            same_numbers(a->mine[operand], other, n) && !same_numbers(other, a->right[operand], n) &&
            is_fault_elsewhere(r, operand, f + 1)) {
            name_fault(v, r->op->fault[f]);
            found = true;
        }
    free(other);
    return found;
}

/* The one factor between the student's gradients and the right ones in several draws of the first case: one element
 * alone has a factor always. */
static double common_factor(session *s, const op_spec *op, int operand) {
    double factor = NAN;
    int64_t elements = 0;
    for (uint64_t draw = 0; draw < 3; draw++) {
        trial r;
        sample a = {.before = 0};
        double now = NAN;
        if (open_trial(&r, s, op, op->cases, 100 + draw) && take_sample(&r, &a, operand))
            now = ratio_of(a.mine[operand], a.right[operand], numel_of(r.input[operand]));
        elements += numel_of(r.input[operand]);
        free_sample(&a);
        close_trial(&r);
        if (!isfinite(now) || (draw && !(fabs(now - factor) <= 1e-4 * fabs(factor))))
            return NAN;
        factor = now;
    }
    return elements > 2 ? factor : NAN;
}

static bool name_factor(session *s, const trial *r, int operand, verdict *v) {
    double factor = common_factor(s, r->op, operand);
    if (!isfinite(factor))
        return false;
    if (fabs(factor + 1) < 1e-4) {
        name_fault(v, "sign flipped: -1 times the right gradient");
    } else if (fabs(factor - 2) < 1e-4) {
        name_fault(v, "twice: 2 times the right gradient: is it added two times?");
    } else {
        snprintf(v->mistake, sizeof v->mistake, "constant factor");
        snprintf(v->why, sizeof v->why, "%g times the right gradient", factor);
    }
    return true;
}

/* 0, or its rounding, where there is something. */
static bool is_nothing(const sample *a, int operand, int64_t n) {
    double mine = 0, right = 0;
    for (int64_t j = 0; j < n; j++) {
        mine = fmax(mine, fabs(a->mine[operand][j]));
        right = fmax(right, fabs(a->right[operand][j]));
    }
    return all_zero(a->mine[operand], n) || mine <= 1e-9 * right;
}

/* Is it nothing on other data, too? One shape, or one mask, may leave nothing to add. */
static bool is_nothing_elsewhere(const trial *r, int operand) {
    trial t;
    sample a = {.before = 0};
    bool good = open_trial(&t, r->s, r->op, r->op->cases, 100);
    t.frozen = r->frozen;
    bool nothing = !good || !take_sample(&t, &a, operand) || is_nothing(&a, operand, numel_of(t.input[operand]));
    free_sample(&a);
    close_trial(&t);
    return nothing;
}

/* With another dy and nothing in the gradient before: does the answer react to either as it has to? */
static bool name_reaction(trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    sample b = {.before = 0}, same = {.before = 0};
    bool found = false;
    if (take_sample(r, &b, operand) && take_sample(r, &same, operand)) {
        double *again = same.mine[operand];
        for (int64_t j = 0; j < n; j++)
            again[j] = a->mine[operand][j] + a->before;
        if (a->before != 0 && same_numbers(again, a->right[operand], n)) {
            name_fault(v, "= instead of +=: what the gradient held before is lost; add to it");
            found = true;
        } else if (a->before == 0 && !is_nothing(&b, operand, n) &&
                   same_numbers(a->mine[operand], b.mine[operand], n)) {
            name_fault(v, "not multiplied by dy: the gradient is the same whatever dy arrives");
            found = true;
        }
    }
    free_sample(&b);
    free_sample(&same);
    return found;
}

static bool name_copy(const trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    if (n < 2 || n != numel_of(r->shape) || !same_numbers(a->mine[operand], tg_const_data(a->dy), n))
        return false;
    name_fault(v, "dy passed on: the gradient is dy as it arrived");
    return true;
}

/* Right, but stored as its own transpose. */
static bool name_turned(const trial *r, const sample *a, int operand, verdict *v) {
    tg_shape shape = r->input[operand];
    if (shape.ndim != 2 || shape.size[0] == 1 || shape.size[1] == 1)
        return false;
    int64_t rows = shape.size[0], columns = shape.size[1];
    double *turned = calloc((size_t)(rows * columns), sizeof(double));
    for (int64_t k = 0; turned && k < rows * columns; k++)
        turned[k] = a->mine[operand][k % columns * rows + k / columns];
    bool found = turned && same_numbers(turned, a->right[operand], rows * columns);
    free(turned);
    if (found)
        name_fault(v, "transposed: the numbers are right, and stand where those of the transpose belong");
    return found;
}

static void name_worst(const trial *r, const sample *a, int operand, verdict *v) {
    const double *mine = a->mine[operand], *right = a->right[operand];
    int64_t n = numel_of(r->input[operand]), worst = 0, good = 0;
    double largest = 0;
    char place[64];
    for (int64_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(right[j]));
    for (int64_t j = 0; j < n; j++) {
        good += fabs(mine[j] - right[j]) <= tolerance * largest;
        if (!isfinite(mine[j]) || fabs(mine[j] - right[j]) > fabs(mine[worst] - right[worst]))
            worst = j;
        if (!isfinite(mine[j]))
            break;
    }
    place_text(r->input[operand], worst, place, sizeof place);
    snprintf(v->mistake, sizeof v->mistake, "%s", isfinite(mine[worst]) ? "wrong gradient" : "not finite");
    snprintf(v->why, sizeof v->why, "d%s%s is %g, it should be %g (%lld of %lld elements are right)",
             r->op->operand[operand], place, mine[worst], right[worst], (long long)good, (long long)n);
}

verdict describe_gradient(session *s, trial *r, const sample *a, int asked, int operand) {
    char where[64];
    if (asked < 0)
        snprintf(where, sizeof where, "%s: gradient of %s", r->op->symbol, r->op->operand[operand]);
    else
        snprintf(where, sizeof where, "gradient of %s", r->op->operand[operand]);
    verdict v = wrong(where, "", "%s", "");
    int64_t n = numel_of(r->input[operand]);
    find_first_intermediate(r, a, operand, &v);
    bool nothing = is_nothing(a, operand, n) && is_nothing_elsewhere(r, operand);
    if (nothing && all_zero(a->mine[operand], n)) {
        name_fault(&v, "zero: the gradient stays as it was: nothing is added");
        v.untouched = true;
    } else if (!name_known_fault(r, a, operand, &v) && nothing) {
        name_fault(&v, "zero: the gradient stays as it was: what is added cancels");
    } else if (!v.mistake[0] && !name_reaction(r, a, operand, &v) && !name_factor(s, r, operand, &v) &&
               !name_copy(r, a, operand, &v) && !name_turned(r, a, operand, &v)) {
        name_worst(r, a, operand, &v);
    }
    if (s->student->failure[0])
        return failed(s, "gradient");
    return v;
}

void report_elements(const trial *r, const sample *a, int operand) {
    fprintf(r->s->detail, "      %-12s %14s %14s\n", "element", "yours", "right");
    for (int64_t j = 0; j < numel_of(r->input[operand]) && j < 8; j++) {
        char place[64];
        fprintf(r->s->detail, "      %-12s %14.6g %14.6g\n", place_text(r->input[operand], j, place, sizeof place),
                a->mine[operand][j], a->right[operand][j]);
    }
}
