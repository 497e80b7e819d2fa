#include "tests/fuzz/program.h"

#include <string.h>

static void drop_unused(program *p) {
    for (int i = p->n - 1; i >= 0; i--) {
        bool used = p->step[i].output;
        for (int k = i + 1; k < p->n; k++)
            for (int j = 0; j < p->step[k].n_in; j++)
                used |= p->step[k].in[j] == i;
        if (used)
            continue;
        memmove(p->step + i, p->step + i + 1, (size_t)(p->n - i - 1) * sizeof *p->step);
        p->n--;
        for (int k = i; k < p->n; k++)
            for (int j = 0; j < p->step[k].n_in; j++)
                p->step[k].in[j] -= p->step[k].in[j] > i;
    }
}

/* Step i as a leaf with the values that it has. */
static bool make_leaf(program *p, int i, store *numbers) {
    session s;
    variant v = {.name = "shrink", .dtype = TG_F64};
    bool good = record(&s, p, &v);
    step leaf = {.output = p->step[i].output};
    if (good) {
        tg_tensor x = s.x[i];
        tg_dtype dtype = tg_dtype_of(x);
        leaf.kind = kind_of(dtype == TG_BOOL ? LEAF_BOOL : dtype == TG_I64 ? LEAF_INT : LEAF_FLOAT);
        leaf.requires_grad = tg_requires_grad(x);
        leaf.shape = tg_shape_of(x);
        leaf.n = tg_numel(x);
        double *values = store_get(numbers, leaf.n);
        leaf.values = values;
        good = leaf.n <= MAX_LEAF && tg_read_doubles(x, values, leaf.n) == TG_OK;
        for (int64_t j = 0; j < leaf.n; j++)
            values[j] = (float)values[j];
        p->step[i] = leaf;
    }
    tg_tape_free(s.t);
    return good;
}

/* Whether it still fails in the same way. */
static bool try_it(program *p, const program *smaller, program_check check, char *why) {
    char reason[REASON] = "";
    if (smaller->n == 0 || check(smaller, reason) || strncmp(reason, why, strcspn(why, ":")) != 0)
        return false;
    *p = *smaller;
    memcpy(why, reason, REASON);
    return true;
}

void shrink(program *p, program_check check, char *why) {
    static store numbers;
    for (int i = p->n - 1; i >= 0; i--) {
        program q = *p;
        if (i >= q.n)
            continue;
        q.step[i].output = false;
        drop_unused(&q);
        if (q.n < p->n && try_it(p, &q, check, why))
            continue;
        q = *p;
        q.step[i].retain = q.step[i].hook = q.step[i].no_grad = q.step[i].freeze_late = false;
        try_it(p, &q, check, why);
        q = *p;
        if (kinds[q.step[i].kind].form == LEAF || numbers.n > MAX_STEPS * 3 || !make_leaf(&q, i, &numbers))
            continue;
        drop_unused(&q);
        try_it(p, &q, check, why);
    }
}
