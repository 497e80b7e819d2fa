#include "tests/support.h"

/* MemorySanitizer does not see what check, which is not built with it, writes; so what the C library is handed is not
 * looked at. What the library and the tests themselves read is. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define DO_NOT_LOOK_AT_CHECK() __msan_scoped_disable_interceptor_checks()
#endif
#endif
#ifndef DO_NOT_LOOK_AT_CHECK
#define DO_NOT_LOOK_AT_CHECK() (void)0
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define POISON(begin, size) __asan_poison_memory_region(begin, size)
#else
#define POISON(begin, size) ((void)(begin), (void)(size))
#endif

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
        if (isnan(out->worst) || error <= out->worst) /* a NaN is the worst, and stays so */
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
    t->modes.keep_random = true;
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

void want_values(tg_tensor x, int64_t n, const double *values) {
    double *got = malloc((size_t)n * sizeof *got + 1);
    ck_assert_msg(tg_read_doubles(x, got, n) == TG_OK, "%s", tg_error(x.tape));
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(got[i] == values[i] || (isnan(got[i]) && isnan(values[i])) ||
                          fabs(got[i] - values[i]) <= 1e-12 * fmax(1, fabs(values[i])),
                      "element %lld is %.17g, expected %.17g", (long long)i, got[i], values[i]);
    free(got);
}

void want_grad(tg_tensor x, int64_t n, const double *values) { want_values(tg_grad(x), n, values); }

void want_error(tg_tape *t, tg_status status, const char *const *texts) {
    ck_assert_msg(tg_tape_status(t) == status, "status %d, expected %d: %s", (int)tg_tape_status(t), (int)status,
                  tg_error(t));
    ck_assert_msg(!strchr(tg_error(t), '\n'), "more than one line: %s", tg_error(t));
    for (; *texts; texts++)
        ck_assert_msg(strstr(tg_error(t), *texts) != NULL, "no '%s' in: %s", *texts, tg_error(t));
    tg_clear_error(t);
    ck_assert_int_eq(tg_tape_status(t), TG_OK);
}

char *read_back(FILE *file) {
    static char text[1 << 17];
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

bool make_folder(const char *suite, char *path, size_t size) {
    const char *temporary = getenv("TMPDIR");
    int n = snprintf(path, size, "%s/%s-XXXXXX", temporary && *temporary ? temporary : "/tmp", suite);
    return n > 0 && (size_t)n < size && mkdtemp(path);
}

double normal_number(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

tg_tape *seeded_tape(tg_dtype dtype, uint64_t seed) {
    tg_tape *t = tg_tape_new(dtype);
    tg_manual_seed(t, seed);
    return t;
}

tg_gradcheck_config config_in(tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    config.mode = mode;
    return config;
}

tg_tensor leaf_of(tg_tape *t, tg_shape shape, const double *values) {
    tg_tensor x = tg_from_doubles(t, shape, values);
    WANT_OK(t);
    return x;
}

tg_tensor wanting(tg_tensor leaf) { return tg_set_requires_grad(leaf, true); }

tg_tensor total(tg_tensor x) { return tg_sum(x, TG_ALL_DIMS, false); }

void run_backward(tg_tensor y) {
    tg_status status = tg_backward(y);
    ck_assert_msg(status == TG_OK, "%s", tg_error(y.tape));
}

int run_suite(const char *name, TCase *c) {
    DO_NOT_LOOK_AT_CHECK();
    Suite *s = suite_create(name);
    tcase_set_timeout(c, 240);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int run_tests(const char *name, const TTest *const *tests, int n, void (*start)(void), void (*stop)(void)) {
    TCase *c = tcase_create(name);
    tcase_add_checked_fixture(c, start, stop);
    for (int i = 0; i < n; i++)
        tcase_add_test(c, tests[i]);
    return run_suite(name, c);
}

void *allowance_get(void *context, size_t size) {
    allowance *a = context;
    if (a->left-- <= 0)
        return NULL;
    a->out += size;
    return malloc(size);
}

void allowance_put(void *context, void *block, size_t size) {
    ((allowance *)context)->out -= size;
    free(block);
}

static void *little_get(void *context, size_t size) {
    (void)context;
    return size < (size_t)1 << 24 ? malloc(size) : NULL;
}

static void little_put(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

tg_tape *small_machine(tg_dtype dtype) {
    return tg_tape_new_with(dtype, &(tg_allocator){little_get, little_put, NULL});
}

enum { COPIES = sizeof((memory *)0)->copies / sizeof(tg_tape *) };

/* What lies behind the one piece of a chunk is for AddressSanitizer to see. */
static void forbid_rest(tg_chunk *c) {
    size_t end = c->size / TG_ALIGN * TG_ALIGN;
    POISON((char *)c + end, c->size - end);
}

static void keep_minimal(tg_tape *t) {
    tg_arena *const arenas[] = {&t->arena.nodes, &t->arena.data, &t->arena.scope, &t->pool.arena};
    for (int i = 0; i < 4; i++) {
        arenas[i]->next_size = 1;
        arenas[i]->left = 0; /* as if the chunk were full */
        if (arenas[i]->current)
            forbid_rest(arenas[i]->current);
    }
}

/* At a multiple of 64, so that an arena's chunk has room for what it was made for and no more, wherever it lies. The
 * block that it is part of stands before it. */
static void *aligned_block(size_t size) {
    size_t all = size + TG_ALIGN + sizeof(char *);
    char *whole = calloc(1, all), *block = whole + sizeof whole;
    block += TG_ALIGN - 1 - ((uintptr_t)block + TG_ALIGN - 1) % TG_ALIGN;
    memcpy(block - sizeof whole, &whole, sizeof whole);
    POISON(block + size, (size_t)(whole + all - (block + size)));
    return block;
}

static void *memory_get(void *context, size_t size) {
    memory *m = context;
    if (m->calls++ == m->refuse || (m->for_good && m->refused)) {
        m->refused = true;
        return NULL;
    }
    m->bytes += size;
    int place = COPIES;
    for (int i = COPIES; i-- > 0;)
        if (!m->copies[i])
            place = i;
        else if (m->copies[i]->allocator.context == m) /* another block may be as large as a tape */
            keep_minimal(m->copies[i]);
    void *block = aligned_block(size);
    if (size == sizeof(tg_tape) && place < COPIES)
        m->copies[place] = block;
    return block;
}

static void memory_put(void *context, void *block, size_t size) {
    memory *m = context;
    m->bytes -= size;
    for (int i = 0; i < COPIES; i++)
        if (m->copies[i] == block)
            m->copies[i] = NULL;
    memcpy(&block, (char *)block - sizeof block, sizeof block);
    free(block);
}

tg_tape *memory_tape(memory *m, tg_dtype dtype) {
    m->tape = tg_tape_new_with(dtype, &(tg_allocator){memory_get, memory_put, m});
    if (m->tape)
        keep_minimal(m->tape);
    return m->tape;
}

void memory_free(memory *m) {
    tg_tape_free(m->tape);
    ck_assert_msg(m->bytes == 0, "call %lld refused: %zu bytes were not returned", (long long)m->refuse, m->bytes);
}

void want_out_of_memory(memory *m, const char *what) {
    ck_assert_msg(m->refused && tg_tape_status(m->tape) == TG_ERR_MEMORY, "%s, call %lld refused: status %d '%s'", what,
                  (long long)m->refuse, (int)tg_tape_status(m->tape), tg_error(m->tape));
    ck_assert_msg(strstr(tg_error(m->tape), "out of memory") != NULL, "%s: '%s'", what, tg_error(m->tape));
    tg_clear_error(m->tape);
    m->refused = false;
}
