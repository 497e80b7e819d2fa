/* JSON in memory: checked once, then looked at where it lies. */
#ifndef EXAMPLES_GPT_JSON_H
#define EXAMPLES_GPT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value's text; at is NULL where there is none, and every function below takes that for an answer. */
typedef struct json {
    const char *at, *end;
} json;

/* n bytes that are one value, with white space around it and a byte-order mark before: UTF-8, no half of a surrogate
 * pair, no name twice in an object. When they are not, at is NULL and wrong says what and where: "no JSON from byte 7
 * on". */
typedef struct json_problem {
    char text[160];
} json_problem;
json json_parse(const char *text, size_t n, json_problem *wrong);

/* An object's value of this name. */
json json_member(json object, const char *name);
/* The elements of an array, the values of an object, one after another: {NULL, NULL} first, at NULL behind the last.
 * key: of an object, may be NULL. */
json json_next(json container, json after, json *key);
int64_t json_count(json container);

/* '{' '[' '"' 't' 'f' 'n' or '0' for a number; 0: nothing is there. */
char json_kind(json x);
bool json_number(json x, double *value);
bool json_integer(json x, int64_t *value);
/* A string's bytes as UTF-8, to out (NULL: they are only counted). */
size_t json_text(json string, unsigned char *out);
bool json_is(json string, const char *text);

#endif
