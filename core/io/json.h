/* Private: a sequential reader of JSON in memory. All input is validated and nothing is allocated: strings are
 * unescaped in place. A function that fails returns false and sets problem; tg_json_accept, tg_json_is and
 * tg_json_is_utf8 only test. */
#ifndef TAPEGRAD_JSON_H
#define TAPEGRAD_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TG_JSON_MAX_DEPTH = 128 };

typedef struct tg_json_problem {
    char text[240];
} tg_json_problem;

typedef struct tg_json {
    char *start, *at, *end;
    const char *what; /* "the header", for messages */
    tg_json_problem *problem;
} tg_json;

/* A string; it is not terminated. */
typedef struct tg_json_text {
    char *s;
    size_t length;
} tg_json_text;

bool tg_json_fail(tg_json *p, const char *why);
void tg_json_skip_space(tg_json *p);
/* Skips white space, then c: true when it was there; expect: an error when it was not. */
bool tg_json_accept(tg_json *p, char c);
bool tg_json_expect(tg_json *p, char c);
bool tg_json_string(tg_json *p, tg_json_text *string);
/* A key with its colon. */
bool tg_json_key(tg_json *p, tg_json_text *key);
/* A whole number: no sign, fraction, exponent or leading zero, and below 2^64. */
bool tg_json_size(tg_json *p, uint64_t *value);
/* Any value. */
bool tg_json_skip(tg_json *p);
bool tg_json_end(tg_json *p);

bool tg_json_is(const tg_json_text *a, const char *b);
bool tg_json_is_utf8(const char *s, size_t n);

#endif
