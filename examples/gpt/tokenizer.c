#include "examples/gpt/tokenizer.h"
#include "examples/common/corpus.h"
#include "examples/common/terminal.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

/* ---- texts ---- */

text text_read(const char *path) {
    char error[4400];
    text x = {.name = path};
    x.bytes = corpus_read_bytes(path, &x.n, error, sizeof error);
    if (!x.bytes)
        die("%s", error);
    const unsigned char *zero = memchr(x.bytes, 0, x.n);
    if (zero)
        die("%s is binary: byte %zu is zero; a text is wanted", path, (size_t)(zero - x.bytes));
    return x;
}

void text_free(text *x) { free(x->bytes); }

static bool is_utf8(const unsigned char *bytes, size_t n) {
    int32_t code;
    for (size_t at = 0, step; at < n; at += step)
        if ((step = (size_t)corpus_decode(bytes + at, n - at, &code)) == 0)
            return false;
    return true;
}

/* The character at s and its length in bytes; text that is not UTF-8 is read as Latin-1. */
static size_t character_at(const unsigned char *s, size_t left, bool utf8, int32_t *code) {
    *code = s[0];
    return utf8 ? (size_t)corpus_decode(s, left, code) : 1;
}

size_t text_last_tenth(const text *x) {
    bool utf8 = is_utf8(x->bytes, x->n);
    int32_t code;
    int64_t characters = 0;
    for (size_t at = 0; at < x->n; characters++)
        at += character_at(x->bytes + at, x->n - at, utf8, &code);
    size_t at = 0;
    for (int64_t i = 0; i < characters - (characters + 9) / 10; i++)
        at += character_at(x->bytes + at, x->n - at, utf8, &code);
    return at;
}

/* ---- characters ---- */

tokenizer tokenizer_of_characters(const text *x) {
    enum { CODES = 0x110000 };
    bool utf8 = is_utf8(x->bytes, x->n), *seen = must_allocate(CODES, sizeof *seen);
    int32_t code;
    tokenizer k = {0};
    for (size_t at = 0; at < x->n;) {
        at += character_at(x->bytes + at, x->n - at, utf8, &code);
        k.vocabulary += !seen[code];
        seen[code] = true;
    }
    k.code = must_allocate((size_t)k.vocabulary, sizeof *k.code);
    int64_t n = 0;
    for (int32_t c = 0; c < CODES; c++)
        if (seen[c])
            k.code[n++] = c;
    free(seen);
    return k;
}

void tokenizer_free(tokenizer *k) {
    free(k->code);
    bpe_free(k->bpe);
    free(k->json);
    *k = (tokenizer){0};
}

/* A character's id; -1: not in the vocabulary. */
static int64_t id_of(const tokenizer *k, int32_t code) {
    int64_t low = 0, high = k->vocabulary;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (k->code[middle] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < k->vocabulary && k->code[low] == code ? low : -1;
}

int64_t tokenizer_start(const tokenizer *k) {
    int64_t id = k->bpe ? bpe_line_end(k->bpe) : id_of(k, '\n');
    return id < 0 ? 0 : id;
}

static _Noreturn void unknown_character(const char *name, size_t at, int32_t code) {
    die("%s: the character '%s' (U+%04X, at byte %zu) is not among those that the model was trained on", name,
        character_as_text(code).s, (unsigned)code, at);
}

int32_t *tokenizer_encode(const tokenizer *k, const char *name, const unsigned char *bytes, size_t n, int64_t *n_ids) {
    int32_t *ids = must_allocate(k->bpe ? bpe_most_ids(k->bpe, n) : n, sizeof *ids), code;
    bool utf8 = is_utf8(bytes, n);
    *n_ids = k->bpe ? bpe_encode(k->bpe, bytes, n, ids) : 0;
    if (k->bpe)
        return ids;
    for (size_t at = 0, step; at < n; at += step) {
        step = character_at(bytes + at, n - at, utf8, &code);
        int64_t id = id_of(k, code);
        if (id < 0)
            unknown_character(name, at, code);
        ids[(*n_ids)++] = (int32_t)id;
    }
    return ids;
}

const unsigned char *tokenizer_decode(const tokenizer *k, int64_t id, size_t *n) {
    static character_text c;
    *n = 0;
    if (k->bpe) /* a model may have more tokens than its texts use */
        return id < k->vocabulary ? bpe_decode(k->bpe, id, n) : (const unsigned char *)"";
    c = character_as_text(k->code[id]);
    *n = strlen(c.s);
    return (const unsigned char *)c.s;
}

/* ---- byte pairs ---- */

tokenizer tokenizer_of_bpe(bpe *b) { return (tokenizer){.vocabulary = bpe_vocabulary(b), .bpe = b}; }

tokenizer tokenizer_of_merges(const char *path) { return tokenizer_of_bpe(bpe_read(path)); }

tokenizer tokenizer_of_pairs(const text *x, size_t n, int64_t vocabulary) {
    return tokenizer_of_bpe(bpe_train(x->bytes, n, vocabulary - SMALLEST_BPE));
}

/* ---- in files ---- */

static const char characters_name[] = "gpt.characters", merges_name[] = "gpt.merges", json_name[] = "gpt.tokenizer";

/* A tokenizer.json: its length in bytes, then eight bytes per number, little-endian. */
static void store_json(const tokenizer *k, tg_tape *t) {
    int64_t numbers = 1 + (int64_t)(k->json_size + 7) / 8, *number = must_allocate((size_t)numbers, sizeof *number);
    number[0] = (int64_t)k->json_size;
    for (size_t i = 0; i < k->json_size; i++)
        number[1 + i / 8] = (int64_t)((uint64_t)number[1 + i / 8] | (uint64_t)k->json[i] << 8 * (i % 8));
    tg_buffer(t, json_name, tg_from_ints(t, TG_SHAPE(numbers), number));
    free(number);
}

void tokenizer_store(const tokenizer *k, tg_tape *t) {
    int64_t n;
    if (k->code)
        tg_buffer(t, characters_name, tg_from_ints(t, TG_SHAPE(k->vocabulary), k->code));
    if (k->json) {
        store_json(k, t);
    } else if (k->bpe) {
        const int64_t *pairs = bpe_merges(k->bpe, &n);
        tg_buffer(t, merges_name, tg_from_ints(t, TG_SHAPE(n, 2), pairs));
    }
}

/* A named buffer of a file. */
static int64_t *load_ints(const char *path, const char *name, tg_shape shape) {
    tg_tape *t = tg_tape_new(TG_F32);
    int64_t n = shape.ndim > 1 ? shape.size[0] * shape.size[1] : shape.size[0];
    int64_t *values = must_allocate((size_t)n, sizeof *values);
    tg_load_config config = TG_LOAD_DEFAULTS;
    config.allow_extra = true;
    tg_tensor x = tg_buffer(t, name, tg_from_ints(t, shape, values));
    must(t, tg_load_with(t, path, config));
    must(t, tg_read_ints(x, values, n));
    tg_tape_free(t);
    return values;
}

void tokenizer_find(const tg_file_tensor *x, tokenizer_sizes *sizes) {
    if (!strcmp(x->name, characters_name) && x->shape.ndim == 1)
        sizes->characters = x->shape.size[0];
    if (!strcmp(x->name, merges_name) && x->shape.ndim == 2 && x->shape.size[1] == 2)
        sizes->merges = x->shape.size[0];
    if (!strcmp(x->name, json_name) && x->shape.ndim == 1)
        sizes->json = x->shape.size[0];
}

static tokenizer load_characters(const char *path, int64_t n) {
    tokenizer k = {.vocabulary = n, .code = load_ints(path, characters_name, TG_SHAPE(n))};
    for (int64_t i = 0; i < n; i++)
        if (k.code[i] < 0 || k.code[i] > 0x10ffff || (i && k.code[i] <= k.code[i - 1]))
            die("%s: its characters are out of order", path);
    return k;
}

static tokenizer load_json(const char *path, int64_t numbers) {
    int64_t *number = load_ints(path, json_name, TG_SHAPE(numbers));
    size_t n = (size_t)number[0], room = 8 * (size_t)(numbers - 1);
    json_problem wrong = {"it is cut off"};
    json_reason why;
    char *bytes = must_allocate(room, 1);
    for (size_t i = 0; i < room; i++)
        bytes[i] = (char)((uint64_t)number[1 + i / 8] >> 8 * (i % 8));
    json top = n <= room ? json_parse(bytes, n, &wrong) : (json){NULL, NULL};
    if (!top.at)
        die("%s: its tokenizer: %s", path, wrong.text);
    tokenizer k = tokenizer_of_json(path, top, &why);
    if (!k.vocabulary)
        die("%s: its tokenizer: %s", path, why.text);
    free(bytes);
    free(number);
    return k;
}

tokenizer tokenizer_load(const char *path, tokenizer_sizes sizes) {
    if (sizes.json > 0)
        return load_json(path, sizes.json);
    if (sizes.characters > 0)
        return load_characters(path, sizes.characters);
    if (sizes.merges < 0)
        return (tokenizer){0};
    int64_t *pairs = load_ints(path, merges_name, TG_SHAPE(sizes.merges, 2));
    bpe *b = bpe_new(pairs, sizes.merges);
    free(pairs);
    if (!b)
        die("%s: its merges join tokens that do not exist", path);
    return tokenizer_of_bpe(b);
}
