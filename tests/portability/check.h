/* Stands in for check, the unit test library, where that is not to be had: for other machines and C libraries. What the
 * suites use of it, no more. Each test runs in a process of its own, which its first failure or its alarm ends. */
#ifndef TAPEGRAD_STAND_IN_CHECK_H
#define TAPEGRAD_STAND_IN_CHECK_H

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#include "tests/portability/mingw.h"
#elif defined(__wasi__)
#include "tests/portability/wasi.h"
#else
#include <sys/wait.h>
#include <unistd.h>
#define fork_for_test(n) ((void)(n), fork())
#endif

typedef struct TTest {
    const char *name;
    void (*run)(int _i);
} TTest;
typedef struct ck_entry {
    const TTest *test;
    int from, to;
} ck_entry;

/* A program has one case, which is its suite and its runner. */
typedef struct TCase {
    const char *name;
    double timeout;
    void (*start)(void), (*stop)(void);
    int n, failed;
    ck_entry entry[400];
} TCase, Suite, SRunner;
enum { CK_ENV };

#define START_TEST(test)                                   \
    static void test##_run(int _i);                        \
    static const TTest test##_ttest = {#test, test##_run}; \
    static const TTest *const test = &test##_ttest;        \
    static void test##_run(int _i) {                       \
        (void)_i;
#define END_TEST }

/* What a test asserts. */
static inline _Noreturn void ck_fail(const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("%s:%d: ", file, line);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    _Exit(EXIT_FAILURE);
}
#define ck_abort_msg(...) ck_fail(__FILE__, __LINE__, __VA_ARGS__)
#define ck_abort() ck_abort_msg("aborted")
#define ck_assert_msg(x, ...) ((x) ? (void)0 : ck_abort_msg(__VA_ARGS__))
#define ck_assert(x) ck_assert_msg(x, "'%s' does not hold", #x)

/* both sides once, as type; format prints one */
#define CK_COMPARE(type, format, x, op, y)                                                                     \
    do {                                                                                                       \
        type ck_x = (x), ck_y = (y);                                                                           \
        ck_assert_msg(ck_x op ck_y, "'%s %s %s' does not hold: " format ", " format, #x, #op, #y, ck_x, ck_y); \
    } while (0)
#define ck_assert_int_eq(x, y) CK_COMPARE(intmax_t, "%jd", x, ==, y)
#define ck_assert_int_ne(x, y) CK_COMPARE(intmax_t, "%jd", x, !=, y)
#define ck_assert_int_lt(x, y) CK_COMPARE(intmax_t, "%jd", x, <, y)
#define ck_assert_int_le(x, y) CK_COMPARE(intmax_t, "%jd", x, <=, y)
#define ck_assert_int_gt(x, y) CK_COMPARE(intmax_t, "%jd", x, >, y)
#define ck_assert_int_ge(x, y) CK_COMPARE(intmax_t, "%jd", x, >=, y)
#define ck_assert_uint_eq(x, y) CK_COMPARE(uintmax_t, "%ju", x, ==, y)
#define ck_assert_uint_lt(x, y) CK_COMPARE(uintmax_t, "%ju", x, <, y)
#define ck_assert_uint_le(x, y) CK_COMPARE(uintmax_t, "%ju", x, <=, y)
#define ck_assert_uint_gt(x, y) CK_COMPARE(uintmax_t, "%ju", x, >, y)
#define ck_assert_uint_ge(x, y) CK_COMPARE(uintmax_t, "%ju", x, >=, y)
#define ck_assert_double_eq(x, y) CK_COMPARE(double, "%.17g", x, ==, y)
#define ck_assert_double_lt(x, y) CK_COMPARE(double, "%.17g", x, <, y)
#define ck_assert_double_le(x, y) CK_COMPARE(double, "%.17g", x, <=, y)
#define ck_assert_double_gt(x, y) CK_COMPARE(double, "%.17g", x, >, y)
#define ck_assert_double_ge(x, y) CK_COMPARE(double, "%.17g", x, >=, y)
#define ck_assert_double_eq_tol(x, y, tolerance) ck_assert_double_lt(fabs((x) - (y)), tolerance)
#define ck_assert_ptr_eq(x, y) ck_assert_msg((x) == (y), "'%s' is not '%s'", #x, #y)
#define ck_assert_ptr_ne(x, y) ck_assert_msg((x) != (y), "'%s' is '%s'", #x, #y)
#define ck_assert_ptr_null(x) ck_assert_msg((x) == NULL, "'%s' is not null", #x)
#define ck_assert_ptr_nonnull(x) ck_assert_msg((x) != NULL, "'%s' is null", #x)
#define ck_assert_mem_eq(x, y, n) ck_assert_msg(!memcmp(x, y, n), "'%s' and '%s' are not the same bytes", #x, #y)
#define ck_assert_str_eq(x, y) ck_assert_msg(!strcmp(x, y), "'%s' is \"%s\", not \"%s\"", #x, x, y)
#define ck_assert_str_ne(x, y) ck_assert_msg(strcmp(x, y), "'%s' is \"%s\"", #x, x)

/* Running them. */
static inline void ck_nothing(void) {}
static inline TCase *tcase_create(const char *name) {
    static TCase c = {.start = ck_nothing, .stop = ck_nothing};
    c.name = name;
    return &c;
}
static inline void tcase_add_loop_test(TCase *c, const TTest *test, int from, int to) {
    if (c->n == (int)(sizeof c->entry / sizeof *c->entry))
        abort();
    c->entry[c->n++] = (ck_entry){test, from, to};
}
static inline void tcase_add_test(TCase *c, const TTest *test) { tcase_add_loop_test(c, test, 0, 1); }
static inline void tcase_add_checked_fixture(TCase *c, void (*start)(void), void (*stop)(void)) {
    c->start = start ? start : ck_nothing, c->stop = stop ? stop : ck_nothing;
}
static inline void tcase_set_timeout(TCase *c, double seconds) { c->timeout = seconds; }
static inline Suite *suite_create(const char *name) { return tcase_create(name); }
static inline void suite_add_tcase(Suite *s, const TCase *c) { *s = *c; }
static inline SRunner *srunner_create(Suite *s) { return s; }
static inline int srunner_ntests_failed(SRunner *r) { return r->failed; }
static inline void srunner_free(SRunner *r) { (void)r; }

/* Returns 0, or how its process ended. */
static inline int ck_run(const TCase *c, const TTest *test, int i, int n) {
    const char *times = getenv("CK_TIMEOUT_MULTIPLIER");
    int status = -1;
    fflush(NULL);
    pid_t child = fork_for_test(n);
    if (child == 0) {
        alarm((unsigned)(c->timeout * (times ? atof(times) : 1)));
        c->start();
        test->run(i);
        c->stop();
        exit(EXIT_SUCCESS);
    }
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}
static inline void srunner_run_all(SRunner *r, int mode) {
    int run = 0, errors = 0, status = mode;
    for (const ck_entry *e = r->entry; e < r->entry + r->n; e++)
        for (int i = e->from; i < e->to; i++, run++)
            if ((status = ck_run(r, e->test, i, run)) != 0) {
                printf("%s:%s:%d: ended with status %#x\n", r->name, e->test->name, i, (unsigned)status);
                r->failed++;
                errors += status != 1 << 8;
            }
    printf("Checks: %d, Failures: %d, Errors: %d\n", run, r->failed - errors, errors);
}

#endif
