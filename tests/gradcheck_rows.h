/* Tables for the gradient check: a line has a custom operation with a mistake or with none, its operands, and what may
 * be said of it. All that it stands for is checked in full and in fast mode, with several seeds. */
#ifndef TAPEGRAD_TEST_GRADCHECK_ROWS_H
#define TAPEGRAD_TEST_GRADCHECK_ROWS_H

#include "tests/custom_ops.h"
#include "tests/support.h"

typedef struct row {
    const tg_custom_op *op;
    int way; /* the callbacks' context: which mistake; by what the VJP multiplies, or whatever make takes it for */
    double by, size, offset; /* size, offset: of the operands */
    const char *may; /* the verdicts allowed, of Right, Kink, Cannot tell, Wrong; behind a / those of fast mode */
} row;

/* Lists of numbers, each with each. by: right gradients | wrong ones. */
typedef struct line {
    tg_tensor (*make)(tg_tape *t, const row *r); /* what is checked, from random numbers of the tape's generator */
    const tg_custom_op *op;
    const char *way, *by, *size, *offset;
    const char *right, *wrong; /* verdicts allowed; right NULL: all are wrong */
    tg_mistake name;           /* of wrong ones, as is what follows; NONE: any */
    const char *words;         /* in the diagnosis; behind a ! words that are not; NULL: any */
    int operand;               /* whose gradient is wrong; 0: any */
} line;
#define LINE(make, op, way, by, size, offset, right, wrong) \
    { make, &op, way, by, size, offset, right, wrong, TG_MISTAKE_NONE, NULL, 0 }
#define NAMED(make, op, way, by, size, offset, name, words) \
    { make, &op, way, by, size, offset, NULL, "W", TG_MISTAKE_##name, words, 0 }
#define FACTORS "1 | 2 -1 1.01 1.001"

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
    return apply(r->op, r->way, r->by, x, n, shape);
}
static inline tg_tensor of_one(const row *r, tg_tensor x) { return apply_row(r, &x, 1, tg_shape_of(x)); }

static inline bool is_allowed(const row *r, tg_gradcheck_mode mode, tg_grad_verdict v) {
    const char *fast = strchr(r->may, '/'), *may = fast && mode == TG_GRADCHECK_FAST ? fast + 1 : r->may;
    return memchr(may, "RKCW"[v], strcspn(may, "/")) != NULL;
}

static inline bool has_words(const char *text, const char *words) {
    return !words || (*words == '!' ? !strstr(text, words + 1) : strstr(text, words) != NULL);
}

/* Whether all is as the line says. */
static inline bool holds(const line *l, const row *r, const tg_gradcheck_result *g, tg_status status) {
    bool passed = g->verdict == TG_GRAD_RIGHT || g->verdict == TG_GRAD_KINK, wrong = g->verdict == TG_GRAD_WRONG;
    bool named = !wrong || ((!l->name || g->mistake == l->name) && has_words(g->diagnosis, l->words) &&
                            (!l->operand || g->operand == l->operand));
    bool of_result = strncmp(g->diagnosis, "the forward gives", 17) != 0 || g->operand == 0;
    bool nowhere = !g->op[0], sure = !strcmp(r->may, "W");
    bool found = wrong ? !r->op || !strcmp(g->op, r->op->name) || (nowhere && !sure) : nowhere;
    return is_allowed(r, g->mode, g->verdict) && passed == (status == TG_OK) && (g->wrong > 0) == wrong &&
           g->kinks <= g->compared && named && found && of_result;
}

static inline int run_row(const line *l, const row *r, const char *where, tg_gradcheck_mode mode, uint64_t seed,
                          tg_dtype dtype) {
    tg_tape *t = seeded_tape(dtype, 3 * seed);
    tg_gradcheck_config config = config_in(mode);
    tg_gradcheck_result g;
    config.seed = seed;
    tg_tensor y = l->make(t, r);
    WANT_OK(t);
    bool good = holds(l, r, &g, tg_gradcheck(y, config, &g));
    good &= tg_tape_status(t) == TG_OK || !strcmp(tg_error(t), g.summary);
    if (!good)
        printf("%s %s, way %d, by %g, size %g, offset %g, %s, seed %d: may be %s: %s: '%s'\n", where,
               r->op ? r->op->name : "", r->way, r->by, r->size, r->offset, mode ? "fast" : "full", (int)seed, r->may,
               g.summary, g.diagnosis);
    tg_tape_free(t);
    return !good;
}

/* The list behind its first number; NULL: it has none. behind: a | was passed. */
static inline const char *next(const char *list, double *number, bool *behind) {
    list += strspn(list, " ");
    *behind |= *list == '|';
    list += *list == '|';
    char *end;
    *number = strtod(list, &end);
    return end == list ? NULL : end;
}

static inline int run_line(const line *l, const char *where, tg_gradcheck_mode mode, uint64_t seed, tg_dtype dtype) {
    int failed = 0;
    row r = {.op = l->op};
    double way;
    bool ignored = false, wrong = !l->right;
    for (const char *ways = l->way; (ways = next(ways, &way, &ignored));)
        for (const char *sizes = l->size; (sizes = next(sizes, &r.size, &ignored));)
            for (const char *offsets = l->offset; (offsets = next(offsets, &r.offset, &ignored)); wrong = !l->right)
                for (const char *factors = l->by; (factors = next(factors, &r.by, &wrong));) {
                    r.way = (int)way;
                    r.may = wrong ? l->wrong : l->right;
                    failed += run_row(wrong ? l : &(line){.make = l->make}, &r, where, mode, seed, dtype);
                }
    return failed;
}

static inline void run_lines(const line *l, const char *table, size_t n, uint64_t seeds, tg_dtype dtype) {
    int failed = 0;
    char where[64];
    for (size_t i = 0; i < n; i++)
        for (uint64_t seed = 1; seed <= seeds; seed++)
            for (int mode = 0; mode < 2; mode++) {
                snprintf(where, sizeof where, "%s %zu:", table, i);
                failed += run_line(&l[i], where, (tg_gradcheck_mode)mode, seed, dtype);
            }
    fflush(stdout); /* check ends a failed test without it */
    ck_assert_msg(!failed, "%d checks of %s say something else", failed, table);
}
#define LINES_TEST(name, table, seeds)                                            \
    START_TEST(name)                                                              \
    { run_lines(table, #table, sizeof(table) / sizeof *(table), seeds, TG_F64); } \
    END_TEST

#endif
