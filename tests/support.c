#include "tests/support.h"

static double weighted_sum(tg_tensor y, const double *cotangent, double *scratch) {
    int64_t n = tg_numel(y);
    double sum = 0;
    ck_assert_int_eq(tg_read_doubles(y, scratch, n), TG_OK);
    for (int64_t i = 0; i < n; i++)
        sum += scratch[i] * cotangent[i];
    return sum;
}

typedef struct evaluation {
    tg_tape *t;
    tg_mark from;
    tg_tensor y;
    double *cotangent, *scratch;
} evaluation;

static double at(evaluation *e, double *x, double value) {
    *x = value;
    ck_assert_msg(tg_replay(e->t, e->from) == TG_OK, "%s", tg_error(e->t));
    return weighted_sum(e->y, e->cotangent, e->scratch);
}

/* Central differences with steps h and 2h, extrapolated: the error is of order h^4. */
static double derivative(evaluation *e, double *x) {
    double h = 1e-3, x0 = *x;
    double near = at(e, x, x0 + h) - at(e, x, x0 - h), far = at(e, x, x0 + 2 * h) - at(e, x, x0 - 2 * h);
    at(e, x, x0);
    return (8 * near - far) / (12 * h);
}

static double uniform(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

static void compare_leaf(evaluation *e, tg_node *leaf, const double *before, const double *analytic,
                         numeric_check *out) {
    for (int64_t i = 0; i < leaf->numel; i++) {
        double numeric = derivative(e, (double *)leaf->data + i);
        double error = fabs(analytic[i] - before[i] - numeric) / fmax(1, fabs(numeric));
        out->elements++;
        if (error <= out->worst)
            continue;
        out->worst = error;
        snprintf(out->where, sizeof out->where, "leaf %u %s element %lld: backward %.12g, differences %.12g",
                 leaf->index, tg_node_text(leaf).s, (long long)i, analytic[i] - before[i], numeric);
    }
}

numeric_check check_gradient(tg_tape *t, tg_mark from, tg_tensor y) {
    numeric_check out = {0};
    uint64_t random = 20240607;
    size_t n = (size_t)tg_numel(y) + 1;
    evaluation e = {t, from, y, malloc(n * sizeof(double)), malloc(n * sizeof(double))};
    for (size_t i = 0; i < n; i++)
        e.cotangent[i] = (uniform(&random) + 0.5) * (uniform(&random) < 0.5 ? -1 : 1);
    t->keep_random = true;
    uint32_t count = t->count;
    double **before = calloc(count, sizeof *before);
    for (uint32_t i = 0; i < count; i++) {
        tg_node *leaf = t->nodes[i];
        if (leaf->op || !leaf->requires_grad)
            continue;
        before[i] = malloc((size_t)leaf->numel * sizeof(double) + 1);
        for (int64_t j = 0; j < leaf->numel; j++)
            before[i][j] = 2 * uniform(&random) - 1;
        ck_assert_int_eq(tg_write_grad(tg_handle(leaf), before[i], leaf->numel), TG_OK);
    }
    tg_shape shape = tg_shape_of(y);
    tg_tensor cotangent = tg_from_doubles(t, shape, e.cotangent);
    ck_assert_msg(tg_backward_with(y, cotangent) == TG_OK, "%s", tg_error(t));
    for (uint32_t i = 0; i < count; i++) {
        tg_node *leaf = t->nodes[i];
        if (!before[i])
            continue;
        compare_leaf(&e, leaf, before[i], leaf->grad, &out);
        free(before[i]);
    }
    free(before);
    free(e.cotangent);
    free(e.scratch);
    return out;
}
