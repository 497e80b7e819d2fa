/* What a careless or hostile program passes to nn and optim: tensors that are null, stale, of another tape, dtype or
 * shape, wild sizes and numbers. After each call a null result has left an error on the tape that an operand names, and
 * the tape works again once that is cleared. */
#ifndef TAPEGRAD_TEST_HOSTILE_H
#define TAPEGRAD_TEST_HOSTILE_H

#include "tests/support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static tg_tape *t, *other;

enum { N_TENSORS = 16 };
static tg_tensor tensors[N_TENSORS];

static void start(void) {
    t = small_machine(TG_F32);
    other = small_machine(TG_F64);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor stale = tg_ones(t, TG_SHAPE(4, 3));
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    const tg_tensor all[N_TENSORS] = {TG_NULL,
                                      stale,
                                      tg_ones(other, TG_SHAPE(3, 3)),
                                      tg_ones(t, TG_SHAPE(3, 3)),
                                      tg_ones(t, TG_SHAPE(2, 3, 3)),
                                      tg_ones(t, TG_SHAPE(2, 2, 4, 3)),
                                      tg_ones(t, TG_SHAPE(3)),
                                      tg_ones(t, TG_SHAPE(4, 3)),
                                      tg_scalar(t, NAN),
                                      tg_ones(t, TG_SHAPE(0, 3)),
                                      tg_ones(t, TG_SHAPE(3, 0)),
                                      tg_from_ints(t, TG_SHAPE(2), (int64_t[]){-1, INT64_MAX}),
                                      tg_from_bools(t, TG_SHAPE(3, 3), (bool[9]){true}),
                                      tg_full(t, TG_SHAPE(3, 3), -INFINITY),
                                      tg_exp(tg_full(t, TG_SHAPE(3, 3), NAN)),
                                      tg_ones(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 3, 3))};
    memcpy(tensors, all, sizeof tensors);
    WANT_OK(t);
}

static void stop(void) {
    tg_tape_free(t);
    tg_tape_free(other);
}

/* After a call: a null result left an error where an operand named a tape; a result left none; the tape works. */
static void look(const char *call, bool refused, bool names_a_tape) {
    bool noted = tg_tape_status(t) || tg_tape_status(other);
    ck_assert_msg(!refused || noted || !names_a_tape, "%s: a null result without an error", call);
    ck_assert_msg(refused || !noted, "%s: a result beside the error '%s%s'", call, tg_error(t), tg_error(other));
    ck_assert_msg(!noted || *tg_error(t) || *tg_error(other), "%s: an error without text", call);
    tg_clear_error(t);
    tg_clear_error(other);
}

/* ---- anything ---- */

static const int64_t sizes[] = {INT64_MIN, -1, 0, 1, 3, INT64_MAX / 3, INT64_MAX};
static const double numbers[] = {NAN, -INFINITY, -1, 0, 0.5, 1, 1e300, INFINITY};
enum { N_SIZES = sizeof sizes / sizeof *sizes, N_NUMBERS = sizeof numbers / sizeof *numbers };

static uint64_t random_state;
static int below(int n) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (int)(random_state >> 33) % n;
}

/* A tensor to misuse, which sets names_a_tape if it does. Two in three are weights and inputs that fit, so that what
 * lies behind the first check is reached. */
static bool names_a_tape;
static tg_tensor any(void) {
    tg_tensor x = tensors[below(3) ? 3 + below(2) : below(N_TENSORS)];
    names_a_tape |= x.tape != NULL;
    return x;
}

static int any_count(void) { return below(3) ? 3 : (int[]){INT_MIN, -1, 0, 1, 2, INT_MAX}[below(6)]; }
static double any_number(void) { return below(2) ? 0 : numbers[below(N_NUMBERS)]; }

/* ---- nothing is left out ---- */

static char *text_of(const char *path) {
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s: run the tests in the tree's root", path);
    char *text = calloc(1, 1 << 20);
    ck_assert(text && fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* Every function that the header declares is in the suite's own text. */
static void want_all_called(const char *suite, const char *header, int least) {
    char *own = text_of(suite), *text = text_of(header);
    int found = 0;
    for (char *at = text; (at = strstr(at, "\nTG_API ")) != NULL; found++) {
        at = strchr(at, '(');
        *at = '\0';
        char *name = at;
        while (name[-1] != ' ' && name[-1] != '*')
            name--;
        ck_assert_msg(strstr(own, name) != NULL, "%s is not called", name);
        *at++ = ' ';
    }
    ck_assert_int_ge(found, least);
    free(text);
    free(own);
}

#endif
