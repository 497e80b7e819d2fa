#include "examples/gpt/examples.h"
#include "examples/common/corpus.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/json.h"
#include "examples/gpt/tokens.h"

#include <stdlib.h>
#include <string.h>

/* A line's position, for messages. */
typedef struct line {
    const char *path;
    size_t number;
} line;

/* ---- a prompt or an answer ---- */

static int32_t *text_ids(const checkpoint *c, line at, json string, int64_t *n) {
    char name[4200];
    size_t size = json_text(string, NULL);
    unsigned char *bytes = must_allocate(size, 1);
    if (!c->tokenizer.vocabulary)
        die("%s: line %zu: the model takes token ids, as in [1, 17], and no text", at.path, at.number);
    json_text(string, bytes);
    snprintf(name, sizeof name, "%s: line %zu", at.path, at.number);
    int32_t *ids = tokenizer_encode(&c->tokenizer, name, bytes, size, n);
    free(bytes);
    return ids;
}

static int32_t *listed_ids(const checkpoint *c, line at, json list, int64_t *n) {
    int32_t *ids = must_allocate((size_t)json_count(list), sizeof *ids);
    int64_t id;
    *n = 0;
    for (json one = {NULL, NULL}; (one = json_next(list, one, NULL)).at; ids[(*n)++] = (int32_t)id)
        if (!json_integer(one, &id) || id < 0 || id >= c->g.config.vocabulary)
            die("%s: line %zu: %.*s is no id below the vocabulary of %lld", at.path, at.number,
                (int)(one.end - one.at > 40 ? 40 : one.end - one.at), one.at, (long long)c->g.config.vocabulary);
    return ids;
}

static int32_t *ids_of(const checkpoint *c, line at, json object, const char *name, int64_t *n) {
    json value = json_member(object, name);
    char kind = json_kind(value);
    if (kind != '"' && kind != '[')
        die("%s: line %zu: it has no \"%s\" that is a text or a list of token ids", at.path, at.number, name);
    int32_t *ids = kind == '"' ? text_ids(c, at, value, n) : listed_ids(c, at, value, n);
    if (*n == 0)
        die("%s: line %zu: the %s is empty", at.path, at.number, name);
    return ids;
}

/* The token after a textual answer; -1: the model has none. */
static int64_t end_of_text(const checkpoint *c) {
    if (c->g.config.end[0])
        return c->g.config.end[0] - 1;
    return c->tokenizer.bpe ? bpe_end(c->tokenizer.bpe) : -1;
}

static example example_of(const checkpoint *c, line at, json object) {
    int64_t prompts, answers, end = end_of_text(c), most = c->g.config.context;
    bool ends = json_kind(json_member(object, "answer")) == '"' && end >= 0;
    int32_t *prompt = ids_of(c, at, object, "prompt", &prompts), *answer = ids_of(c, at, object, "answer", &answers);
    example e = {.n = prompts + answers + ends, .prompt = prompts};
    if (e.n > most + 1) /* the last is only predicted */
        die("%s: line %zu: %lld tokens are more than the %lld of the model's context", at.path, at.number,
            (long long)e.n, (long long)most);
    e.id = must_allocate((size_t)e.n, sizeof *e.id);
    memcpy(e.id, prompt, (size_t)prompts * sizeof *e.id);
    memcpy(e.id + prompts, answer, (size_t)answers * sizeof *e.id);
    if (ends)
        e.id[e.n - 1] = (int32_t)end;
    free(prompt);
    free(answer);
    return e;
}

/* ---- the file ---- */

static bool is_blank(const char *s, const char *end) {
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
        s++;
    return s == end;
}

example_list examples_read(const checkpoint *c, const char *path) {
    char why[4400];
    size_t size = 0, lines = 1;
    json_problem wrong;
    const char *all = (const char *)corpus_read_bytes(path, &size, why, sizeof why);
    if (!all)
        die("%s", why);
    const char *end = all + size;
    for (size_t i = 0; i < size; i++)
        lines += all[i] == '\n';
    example_list l = {.example = must_allocate(lines, sizeof *l.example)};
    line at = {path, 1};
    for (const char *s = all, *stop; s < end; s = stop + 1, at.number++) {
        stop = memchr(s, '\n', (size_t)(end - s));
        stop = stop ? stop : end;
        if (is_blank(s, stop))
            continue;
        json object = json_parse(s, (size_t)(stop - s), &wrong);
        if (json_kind(object) != '{')
            die("%s: line %zu is no JSON object%s%s", path, at.number, object.at ? "" : ": ",
                object.at ? "" : wrong.text);
        example *e = &l.example[l.n++];
        *e = example_of(c, at, object);
        l.answers += e->n - e->prompt;
    }
    if (!l.n)
        die("%s: it has no lines", path);
    free((void *)all);
    return l;
}

int64_t examples_digest(const example_list *l) {
    uint64_t hash = tokens_mix((uint64_t)l->n);
    for (int64_t i = 0; i < l->n; i++) {
        const example *e = &l->example[i];
        hash = tokens_mix(tokens_mix(hash + (uint64_t)e->prompt) + (uint64_t)e->n);
        for (int64_t k = 0; k < e->n; k++)
            hash = tokens_mix(hash + (uint64_t)e->id[k]);
    }
    return (int64_t)hash;
}

void examples_free(example_list *l) {
    for (int64_t i = 0; i < l->n; i++)
        free(l->example[i].id);
    free(l->example);
}
