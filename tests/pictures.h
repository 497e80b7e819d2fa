/* What the suites of pictures share: a tape, a file, what was written to it and what is asked of that. */
#ifndef TAPEGRAD_TEST_PICTURES_H
#define TAPEGRAD_TEST_PICTURES_H

#include "tests/support.h"

static tg_tape *t;
static FILE *file;
static char text[1 << 20];

static void start(void) {
    t = tg_tape_new(TG_F64);
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
}

static void stop(void) {
    fclose(file);
    tg_tape_free(t);
}

/* What was written since the last call. */
static const char *written(void) {
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    file = tmpfile();
    return text;
}

static void want(const char *all, const char *part) {
    ck_assert_msg(strstr(all, part) != NULL, "'%s' is not in:\n%.2500s", part, all);
}

static int count(const char *all, const char *part) {
    int n = 0;
    for (; (all = strstr(all, part)) != NULL; all++)
        n++;
    return n;
}

/* The coordinates are the pixels. */
static void want_size(const char *svg) {
    int width[2], height[2];
    const char *at = strstr(svg, "viewBox");
    ck_assert_ptr_nonnull(at);
    ck_assert_msg(sscanf(at, "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"", &width[0], &height[0], &width[1],
                         &height[1]) == 4 &&
                      width[0] == width[1] && height[0] == height[1] && width[0] > 0 && height[0] > 0,
                  "%.80s", at);
}
#endif
