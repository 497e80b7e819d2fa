/* JSON in memory: validated once, then accessed in place. */
#ifndef EXAMPLES_GPT_JSON_H
#define EXAMPLES_GPT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value's text; at is NULL for a missing value, which every function below accepts. */
typedef struct json {
    const char *at, *end;
} json;

/* Parses n bytes as one value, with optional white space around it and a byte-order mark: UTF-8, no lone surrogates, no
 * duplicate names in an object. On failure at is NULL and wrong says what and where: "no JSON from byte 7 on". */
typedef struct json_problem {
    char text[160];
} json_problem;
json json_parse(const char *text, size_t n, json_problem *wrong);

/* An object's value of this name. */
json json_member(json object, const char *name);
/* Iterates over the elements of an array or the values of an object: start with {NULL, NULL}; at is NULL after the
 * last. key: an object's key, may be NULL. */
json json_next(json container, json after, json *key);
int64_t json_count(json container);

/* '{' '[' '"' 't' 'f' 'n' or '0' for a number; 0: missing. */
char json_kind(json x);
bool json_number(json x, double *value);
bool json_integer(json x, int64_t *value);
/* A string's bytes as UTF-8, to out (NULL: only counts them). */
size_t json_text(json string, unsigned char *out);
bool json_is(json string, const char *text);

#endif
