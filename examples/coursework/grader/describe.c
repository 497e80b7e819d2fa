/* What a wrong gradient looks like. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* True when a kept array is one of those noted under its name. */
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

/* True when the name is one of the words in the list. */
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

/* 0, or its rounding, where there is something. */
static bool is_nothing(const sample *a, int operand, int64_t n) {
    double mine = 0, right = 0;
    for (int64_t j = 0; j < n; j++) {
        mine = fmax(mine, fabs(a->mine[operand][j]));
        right = fmax(right, fabs(a->right[operand][j]));
    }
    return all_zero(a->mine[operand], n) || mine <= 1e-9 * right;
}

/* True when nothing is added on other data, too. One shape, or one mask, may leave nothing to add. */
static bool is_nothing_elsewhere(const trial *r, int operand) {
    trial t;
    sample a = {.before = 0};
    bool good = open_trial(&t, r->s, r->op, r->op->cases, 100);
    t.wanted = r->wanted;
    bool nothing = !good || !take_sample(&t, &a) || is_nothing(&a, operand, numel_of(t.input[operand]));
    free_sample(&a);
    close_trial(&t);
    return nothing;
}

/* Right where the gradient held nothing before. */
static bool name_overwriting(trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    sample onto_zero = {.before = 0};
    bool found = a->before != 0 && take_sample(r, &onto_zero) &&
                 same_numbers(onto_zero.mine[operand], onto_zero.right[operand], n);
    for (int64_t j = 0; j < n && found; j++) /* what it became does not depend on what was there */
        found = fabs(a->mine[operand][j] + a->before - a->right[operand][j]) <= 1e-5 * (1 + fabs(a->right[operand][j]));
    free_sample(&onto_zero);
    if (found)
        name_mistake(v, "= instead of +=: what the gradient held before is lost; add to it");
    return found;
}

/* No name: what is wrong inside, and whether they are numbers. */
static void count_wrong(trial *r, const sample *a, int operand, verdict *v) {
    const double *mine = a->mine[operand];
    int64_t n = numel_of(r->input[operand]), finite = 0;
    for (int64_t j = 0; j < n; j++)
        finite += isfinite(mine[j]);
    snprintf(v->mistake, sizeof v->mistake, "%s", finite == n ? "wrong gradient" : "not finite");
    tell_inside(r, a, operand, NULL, v->why, sizeof v->why);
    if (finite < n)
        snprintf(v->why, sizeof v->why, "%lld of %lld elements are not finite: what is divided by 0, or overflows?",
                 (long long)(n - finite), (long long)n);
}

verdict describe_gradient(session *s, trial *r, const sample *a, int asked, int operand) {
    char where[64];
    const char *prefix = asked < 0 ? r->op->symbol : "";
    snprintf(where, sizeof where, "%s%sgradient of %s", prefix, asked < 0 ? ": " : "", r->op->operand[operand]);
    verdict v = wrong(where, "", "%s", "");
    int64_t n = numel_of(r->input[operand]);
    find_first_intermediate(r, a, operand, &v);
    tell_element(r, a, operand, NULL, &v);
    bool nothing = is_nothing(a, operand, n) && is_nothing_elsewhere(r, operand);
    if (nothing && all_zero(a->mine[operand], n)) {
        name_mistake(&v,
                     "zero: the gradient stays as it was: nothing is added, or only zeros (of integers, 1 / 2 is 0)");
        v.untouched = true;
    } else if (!name_overwriting(r, a, operand, &v) && !name_numbers(r, a, operand, NULL, &v) && nothing) {
        name_mistake(&v, "zero: the gradient stays as it was: what is added cancels");
    } else if (!v.mistake[0] && !name_by_gradcheck(r, operand, &v)) {
        count_wrong(r, a, operand, &v);
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
