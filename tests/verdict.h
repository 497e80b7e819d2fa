/* Tables of functions and of what the gradient check may say of each. A row that is told something else is printed,
 * so that one run tells all of them. Header-only: gradcheck_*_test.c. */
#ifndef TAPEGRAD_TEST_VERDICT_H
#define TAPEGRAD_TEST_VERDICT_H

#include "tests/support.h"

#include <stdarg.h>

/* A path without a gradient, of slope 0. */
static inline tg_tensor beside_nothing(tg_tensor x, tg_tensor y) { return tg_add(y, tg_mul_scalar(tg_detach(x), 0)); }

/* R: right, at a kink or not; W: wrong; C: cannot tell. */
enum { R = 1, W = 2, C = 4, RC = R | C, WC = W | C };

static inline tg_gradcheck_result checked_with(tg_tensor y, tg_gradcheck_config config) {
    tg_gradcheck_result r;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict <= TG_GRAD_KINK), "status %d: %s", status, r.summary);
    ck_assert_msg((r.verdict == TG_GRAD_WRONG) == (r.wrong > 0 || r.op[0] != '\0'), "%s", r.summary);
    ck_assert_msg(status == TG_OK || strcmp(tg_error(y.tape), r.summary) == 0, "%s", r.summary);
    tg_clear_error(y.tape);
    return r;
}

static inline tg_gradcheck_result checked(tg_tensor y, int mode, uint64_t seed) {
    tg_gradcheck_config config = config_in((tg_gradcheck_mode)mode);
    config.seed = seed;
    return checked_with(y, config);
}

static inline bool is_said(const tg_gradcheck_result *r, int allowed) {
    int said = r->verdict <= TG_GRAD_KINK ? R : r->verdict == TG_GRAD_WRONG ? W : C;
    return said & allowed;
}

static int missed_rows;

TG_PRINTF(3, 4)
static inline void note_row(bool holds, const tg_gradcheck_result *r, const char *name, ...) {
    va_list args;
    if (holds)
        return;
    missed_rows++;
    va_start(args, name);
    vprintf(name, args);
    va_end(args);
    printf(": %s: %s\n", r->summary, r->diagnosis);
}

/* At the end of a test: every row was told what it may be told. */
static inline void end_rows(void) {
    int n = missed_rows;
    missed_rows = 0;
    fflush(stdout);
    ck_assert_msg(n == 0, "%d rows of the table were told something else: see above", n);
}

/* In full and in fast mode. */
static inline void want_both(tg_tensor y, uint64_t seed, int full, int fast, const char *name) {
    for (int mode = 0; mode < 2; mode++) {
        tg_gradcheck_result r = checked(y, mode, seed);
        note_row(is_said(&r, mode ? fast : full), &r, "%s, seed %d, %s", name, (int)seed, mode ? "fast" : "full");
    }
}

#endif
