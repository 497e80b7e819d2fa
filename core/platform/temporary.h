/* Private: names of temporary files. .tapegrad-, 32 random hex digits, .tmp: unique and unpredictable. */
#ifndef TAPEGRAD_TEMPORARY_H
#define TAPEGRAD_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define TG_TEMPORARY_BEFORE ".tapegrad-"
#define TG_TEMPORARY_AFTER ".tmp"
enum { TG_RANDOM_BYTES = 16, TG_TEMPORARY_SIZE = 64 };

static inline void tg_temporary_name(const unsigned char *random, char name[static TG_TEMPORARY_SIZE]) {
    size_t at = sizeof TG_TEMPORARY_BEFORE - 1;
    memcpy(name, TG_TEMPORARY_BEFORE, at);
    for (int i = 0; i < TG_RANDOM_BYTES; i++, at += 2)
        snprintf(name + at, 3, "%02x", random[i]);
    memcpy(name + at, TG_TEMPORARY_AFTER, sizeof TG_TEMPORARY_AFTER);
}

static inline bool tg_is_temporary(const char *name) {
    size_t n = strlen(name), before = sizeof TG_TEMPORARY_BEFORE - 1, after = sizeof TG_TEMPORARY_AFTER - 1;
    return n > before + after && memcmp(name, TG_TEMPORARY_BEFORE, before) == 0 &&
           memcmp(name + n - after, TG_TEMPORARY_AFTER, after) == 0 &&
           strspn(name + before, "0123456789abcdef-") == n - before - after;
}

#endif
