/* Numbers in the arguments of the tests' own programs. */
#ifndef TAPEGRAD_TEST_COUNT_H
#define TAPEGRAD_TEST_COUNT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* The number that `text` is, or `usual` where there is no text. Ends the program with status 2 unless it is a whole
 * number above 0: taken for 0, anything else would leave nothing to do, which succeeds. */
static inline long count_of(const char *name, const char *text, long usual) {
    char *end;
    if (!text || !*text)
        return usual;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (*end || errno || n < 1) {
        fprintf(stderr, "%s is '%s', but must be a whole number above 0\n", name, text);
        exit(2);
    }
    return n;
}

#endif
