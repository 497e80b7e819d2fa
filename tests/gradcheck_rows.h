/* Tables for the gradient check: a row has a custom operation with a mistake or with none, its operands, and what may
 * be said of it. Every row is checked in full and in fast mode, with several seeds. */
#ifndef TAPEGRAD_TEST_GRADCHECK_ROWS_H
#define TAPEGRAD_TEST_GRADCHECK_ROWS_H

#include "tests/custom_ops.h"
#include "tests/support.h"

typedef struct row row;
struct row {
    tg_tensor (*make)(tg_tape *t, const row *r); /* what is checked, from random numbers of the tape's generator */
    const tg_custom_op *op;
    int way; /* the callbacks' context; by may be any number that make needs */
    double by;
    double size, offset; /* of the operands */
    const char *may;   /* the verdicts allowed, of Right, Kink, Cannot tell and Wrong; behind a / those of fast mode */
    tg_mistake name;   /* that a wrong one has; NONE: any */
    const char *words; /* of its diagnosis; behind a ! words that are not; NULL: any */
};
#define ROW(make, op, way, by, size, offset, may) \
    { make, &op, way, by, size, offset, may, TG_MISTAKE_NONE, NULL }
#define NAMED(make, op, way, by, size, offset, name, words) \
    { make, &op, way, by, size, offset, "W", TG_MISTAKE_##name, words }
/* The right gradient, and multiples. */
#define FACTORS(make, op, way, size, offset)                                                    \
    ROW(make, op, way, 1, size, offset, "R"), ROW(make, op, way, 2, size, offset, "W"),         \
        ROW(make, op, way, -1, size, offset, "W"), ROW(make, op, way, 1.01, size, offset, "W"), \
        ROW(make, op, way, 1.001, size, offset, "W")

/* size normal + offset */
static inline tg_tensor drawn(tg_tape *t, tg_shape shape, double size, double offset) {
    double values[128];
    int64_t n = tg_shape_numel(&shape);
    ck_assert(n <= 128 && !tg_read_doubles(tg_randn(t, shape), values, n));
    for (int64_t i = 0; i < n; i++)
        values[i] = size * values[i] + offset;
    return wanting(tg_from_doubles(t, shape, values));
}

/* r's operation of these operands. */
static inline tg_tensor apply_row(const row *r, const tg_tensor *x, int n, tg_shape shape) {
    planted given = {r->way, r->by};
    return tg_custom(r->op, x, n, shape, &given, sizeof given);
}
static inline tg_tensor of_one(const row *r, tg_tensor x) { return apply_row(r, &x, 1, tg_shape_of(x)); }

static inline bool is_allowed(const row *r, tg_gradcheck_mode mode, tg_grad_verdict v) {
    const char *fast = strchr(r->may, '/'), *may = fast && mode == TG_GRADCHECK_FAST ? fast + 1 : r->may;
    return memchr(may, "RKCW"[v], strcspn(may, "/")) != NULL;
}

static inline bool has_words(const char *text, const char *words) {
    return !words || (*words == '!' ? !strstr(text, words + 1) : strstr(text, words) != NULL);
}

/* Is all as the row says? */
static inline bool holds(const row *r, const tg_gradcheck_result *g, tg_status status) {
    bool passed = g->verdict == TG_GRAD_RIGHT || g->verdict == TG_GRAD_KINK, wrong = g->verdict == TG_GRAD_WRONG;
    bool named = !wrong || ((!r->name || g->mistake == r->name) && has_words(g->diagnosis, r->words));
    bool found = !wrong || !r->op || !strcmp(g->op, r->op->name) || (!g->op[0] && strcmp(r->may, "W") != 0);
    return is_allowed(r, g->mode, g->verdict) && passed == (status == TG_OK) && (g->wrong > 0) == wrong &&
           g->kinks <= g->compared && named && found;
}

static inline int run_row(const row *r, const char *table, size_t at, tg_gradcheck_mode mode, uint64_t seed,
                          tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result g;
    tg_manual_seed(t, seed);
    config.mode = mode;
    config.seed = seed;
    tg_tensor y = r->make(t, r);
    WANT_OK(t);
    tg_status status = tg_gradcheck(y, config, &g);
    bool good = holds(r, &g, status);
    if (!good)
        printf("%s row %zu (%s, way %d, by %g), %s, seed %d: may be %s: %s: '%s'\n", table, at,
               r->op ? r->op->name : "", r->way, r->by, mode ? "fast" : "full", (int)seed, r->may, g.summary,
               g.diagnosis);
    tg_tape_free(t);
    return !good;
}

static inline void run_rows(const row *r, const char *table, size_t n, uint64_t seeds, tg_dtype dtype) {
    int failed = 0;
    for (size_t i = 0; i < n; i++)
        for (uint64_t seed = 1; seed <= seeds; seed++)
            for (int mode = 0; mode < 2; mode++)
                failed += run_row(&r[i], table, i, (tg_gradcheck_mode)mode, seed, dtype);
    fflush(stdout); /* check ends a failed test without it */
    ck_assert_msg(!failed, "%d checks of %s say something else", failed, table);
}
#define ROWS_TEST(name, table, seeds)                                            \
    START_TEST(name)                                                             \
    { run_rows(table, #table, sizeof(table) / sizeof *(table), seeds, TG_F64); } \
    END_TEST

/* ---- operations from expressions ---- */

/* y[i] = f of x and i; what is added to dx[i], of x, y, dy, way, by as well. */
#define EACH(name, f, df)                                   \
    static void name##_forward(job *j) {                    \
        for (int64_t i = 0; i < j->numel; i++) {            \
            double x = j->x[i];                             \
            j->out[i] = (double)(f);                        \
        }                                                   \
    }                                                       \
    static void name##_vjp(job *j) {                        \
        double by = by_of(j);                               \
        for (int64_t i = 0; i < j->numel; i++) {            \
            double x = j->x[i], y = j->y[i], dy = j->dy[i]; \
            (void)x, (void)y, (void)dy, (void)by;           \
            j->dx[i] += (double)(df);                       \
        }                                                   \
    }                                                       \
    FAMILY(name)

/* y[i] = f of x, a and i, a the second operand's element, which broadcasts; what is added to dx[i], and to da. */
#define EACH_TWO(name, f, df, da)                                                 \
    static void name##_forward(job *j) {                                          \
        for (int64_t i = 0; i < j->numel; i++) {                                  \
            double x = j->x[i], a = j->w[i % j->n_w];                             \
            j->out[i] = (double)(f);                                              \
        }                                                                         \
    }                                                                             \
    static void name##_vjp(job *j) {                                              \
        double by = by_of(j);                                                     \
        for (int64_t i = 0; i < j->numel; i++) {                                  \
            double x = j->x[i], a = j->w[i % j->n_w], y = j->y[i], dy = j->dy[i]; \
            (void)x, (void)a, (void)y, (void)dy, (void)by;                        \
            if (j->dx)                                                            \
                j->dx[i] += (double)(df);                                         \
            if (j->dw)                                                            \
                j->dw[i % j->n_w] += (double)(da);                                \
        }                                                                         \
    }                                                                             \
    FAMILY(name)

#endif
