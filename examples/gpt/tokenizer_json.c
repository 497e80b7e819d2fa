/* Byte pairs of a tokenizer.json, as Hugging Face's tokenizers save them. */
#include "examples/gpt/gpt.h"
#include "examples/gpt/json.h"
#include "examples/gpt/tokenizer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 1 << 24, SHOWN = 140 };

/* A token, by its number. */
typedef struct row {
    json text;    /* as written; at NULL: this number is unused */
    bool is_word; /* of the model: made by merges, of characters that represent bytes */
    bool is_special, is_late;
} row;

typedef struct reading {
    const char *path;
    json top, model;
    json_reason *why;
    row *row;
    int64_t n;
    words token;
    bpe_rules rules;
} reading;

static bool no(const reading *r, const char *format, ...) TG_PRINTF(2, 3);
static bool no(const reading *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->why->text, sizeof r->why->text, format, args);
    va_end(args);
    return false;
}

static int shown(json x) { return (int)(x.end - x.at > SHOWN ? SHOWN : x.end - x.at); }

static bool no_field(const reading *r, const char *of, const char *name, json value) {
    return no(r, "%s has \"%s\": %.*s", of, name, shown(value), value.at ? value.at : "");
}

static bool is_given(json value) { return value.at && json_kind(value) != 'n' && !json_is(value, ""); }

/* ---- splitting ---- */

static bool read_kind(const reading *r) {
    json type = json_member(r->model, "type");
    if (!r->model.at)
        return no(r, "it has no \"model\"");
    if (!type.at)
        return no(r, "its model has no \"type\"");
    if (!json_is(type, "BPE"))
        return no(r, "its model is %.*s", shown(type), type.at);
    if (json_kind(json_member(r->model, "byte_fallback")) == 't')
        return no(r, "it is made of characters, with bytes for those that it does not know (SentencePiece's BPE)");
    return true;
}

/* Fields that change the ids. */
static bool read_model(reading *r) {
    static const char *const fields[] = {"dropout", "continuing_subword_prefix", "end_of_word_suffix"};
    double p;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        json value = json_member(r->model, fields[i]);
        if (is_given(value) && !(json_number(value, &p) && !(p > 0)))
            return no_field(r, "its model", fields[i], value);
    }
    r->rules.whole_first = json_kind(json_member(r->model, "ignore_merges")) == 't';
    return true;
}

static bool read_lengths(const reading *r) {
    json padding = json_member(r->top, "padding"), cut = json_member(r->top, "truncation");
    if (is_given(cut))
        return no_field(r, "it", "truncation", cut);
    bool pads_one = !json_is(json_member(padding, "strategy"), "BatchLongest") ||
                    is_given(json_member(padding, "pad_to_multiple_of"));
    return !is_given(padding) || !pads_one || no_field(r, "it", "padding", padding);
}

static bool read_normalizer(reading *r) {
    json x = json_member(r->top, "normalizer");
    r->rules.nfc = json_is(json_member(x, "type"), "NFC");
    return !is_given(x) || r->rules.nfc || no_field(r, "it", "normalizer", x);
}

/* {"type": "Split", "pattern": {"Regex": "..."}, "behavior": "Isolated", "invert": false} */
static bool read_pattern(reading *r, json split) {
    json pattern = json_member(json_member(split, "pattern"), "Regex");
    char chars[400];
    if (!json_is(json_member(split, "type"), "Split") || !pattern.at)
        return no_field(r, "it", "pre_tokenizer", split);
    if (!json_is(json_member(split, "behavior"), "Isolated") || json_kind(json_member(split, "invert")) == 't')
        return no(r, "its pattern is not used in the way \"Isolated\"");
    const split_rule *rule = NULL;
    if (json_text(pattern, NULL) < sizeof chars) {
        chars[json_text(pattern, (unsigned char *)chars)] = '\0';
        rule = split_rule_of(chars);
    }
    if (!rule)
        return no(r, "the text is cut by a pattern that is not known here: %.*s", shown(pattern), pattern.at);
    r->rules.split = *rule;
    return true;
}

/* ByteLevel, with its own pattern, GPT-2's, or without one, when the step before it splits the text. */
static bool read_bytes(const reading *r, json bytes, bool has_pattern) {
    if (!json_is(json_member(bytes, "type"), "ByteLevel"))
        return no(r, "it is no byte-level BPE");
    if (json_kind(json_member(bytes, "add_prefix_space")) == 't')
        return no(r, "it puts a space before a text");
    bool own = json_kind(json_member(bytes, "use_regex")) != 'f';
    return own != has_pattern || no(r, own ? "the text is cut by two patterns" : "the text is not cut into pieces");
}

static bool read_pieces(reading *r) {
    json before = json_member(r->top, "pre_tokenizer"), none = {NULL, NULL};
    if (!json_is(json_member(before, "type"), "Sequence"))
        return read_bytes(r, before, false);
    json parts = json_member(before, "pretokenizers"), first = json_next(parts, none, NULL);
    if (json_count(parts) != 2)
        return no_field(r, "it", "pre_tokenizer", before);
    return read_pattern(r, first) && read_bytes(r, json_next(parts, first, NULL), true);
}

/* ---- tokens ---- */

static bool add_row(const reading *r, json id, json chars, row one) {
    int64_t i;
    if (json_kind(chars) != '"' || !json_integer(id, &i) || i < 0 || i >= MOST_TOKENS)
        return no(r, "its token %.*s has an invalid number: %.*s", shown(chars), chars.at ? chars.at : "", shown(id),
                  id.at ? id.at : "");
    row *own = &r->row[i];
    size_t n = (size_t)(chars.end - chars.at);
    bool is_same = own->text.at && n == (size_t)(own->text.end - own->text.at) && !memcmp(own->text.at, chars.at, n);
    if (own->text.at && !(is_same && own->is_word && !one.is_word))
        return no(r, "two of its tokens have the number %lld", (long long)i);
    *own = (row){chars, own->is_word || one.is_word, one.is_special, one.is_late};
    return true;
}

static void see_number(json id, int64_t *n) {
    int64_t i;
    if (json_integer(id, &i) && i >= *n && i < MOST_TOKENS)
        *n = i + 1;
}

static bool read_special(const reading *r, json token) {
    static const char *const others[] = {"single_word", "lstrip", "rstrip"};
    json content = json_member(token, "content");
    for (int i = 0; i < 3; i++)
        if (json_kind(json_member(token, others[i])) == 't')
            return no(r, "its token %.*s has \"%s\": true", shown(content), content.at ? content.at : "", others[i]);
    row one = {.is_special = true, .is_late = json_kind(json_member(token, "normalized")) == 't'};
    return add_row(r, json_member(token, "id"), content, one);
}

static bool read_rows(reading *r) {
    json vocabulary = json_member(r->model, "vocab"), added = json_member(r->top, "added_tokens");
    json one = {NULL, NULL}, key;
    while ((one = json_next(vocabulary, one, NULL)).at)
        see_number(one, &r->n);
    while ((one = json_next(added, one, NULL)).at)
        see_number(json_member(one, "id"), &r->n);
    r->row = must_allocate((size_t)r->n, sizeof *r->row);
    while ((one = json_next(vocabulary, one, &key)).at)
        if (!add_row(r, one, key, (row){.is_word = true}))
            return false;
    while ((one = json_next(added, one, NULL)).at)
        if (!read_special(r, one))
            return false;
    return true;
}

/* Adds a token's bytes. One with a character that represents no byte is kept as written, and no text encodes to it. */
static void add_word(reading *r, const row *x) {
    size_t n = json_text(x->text, NULL), m = 0;
    unsigned char *chars = must_allocate(2 * n, 1), *bytes = chars + n;
    json_text(x->text, chars);
    bool is_spelt = x->is_word && bpe_spell(chars, n, bytes, &m);
    words_add(&r->token, is_spelt ? bytes : chars, is_spelt ? m : n, is_spelt);
    free(chars);
}

/* A special token that is also a word has the word's number in Hugging Face's tokenizers. */
static bool is_word_of_another_number(const reading *r, const row *x) {
    size_t n = json_text(x->text, NULL), m;
    unsigned char *chars = must_allocate(2 * n, 1);
    json_text(x->text, chars);
    bool is_other =
        x->is_special && !x->is_word && bpe_spell(chars, n, chars + n, &m) && words_find(&r->token, chars + n, m) >= 0;
    free(chars);
    return is_other;
}

static bool read_tokens(reading *r) {
    if (!read_rows(r))
        return false;
    for (int64_t i = 0; i < r->n; i++)
        add_word(r, &r->row[i]);
    for (int64_t i = 0; i < r->n; i++)
        if (is_word_of_another_number(r, &r->row[i]))
            return no(r, "its token %.*s has two numbers", shown(r->row[i].text), r->row[i].text.at);
    for (int i = 0; i < BPE_BYTES; i++)
        if (words_find(&r->token, bpe_byte(i), 1) < 0)
            return no(r, "it has no token for the byte 0x%02x", *bpe_byte(i));
    return true;
}

/* ---- merges: "a b" or ["a", "b"] ---- */

/* The token written as these characters, whose bytes are appended to `bytes`; -1: none. */
static int64_t token_of(const reading *r, const unsigned char *s, size_t size, unsigned char *bytes, size_t *n) {
    size_t m = 0;
    int64_t id = bpe_spell(s, size, bytes + *n, &m) ? words_find(&r->token, bytes + *n, m) : -1;
    *n += m;
    return id;
}

/* A merge's left, right and result. */
static bool read_merge(const reading *r, json merge, int64_t *token) {
    json left = json_next(merge, (json){NULL, NULL}, NULL), right = json_next(merge, left, NULL);
    bool is_list = json_kind(merge) == '[' && json_count(merge) == 2;
    size_t n = json_text(is_list ? left : merge, NULL), m = json_text(right, NULL), size = 0;
    unsigned char *chars = must_allocate(2 * (n + m + 1), 1), *bytes = chars + n + m + 1, *middle = chars + n;
    json_text(is_list ? left : merge, chars);
    if (is_list)
        json_text(right, middle);
    else if ((middle = memchr(chars, ' ', n)) != NULL)
        m = n - (size_t)(++middle - chars);
    token[0] = middle ? token_of(r, chars, (size_t)(middle - chars) - !is_list, bytes, &size) : -1;
    token[1] = middle ? token_of(r, middle, m, bytes, &size) : -1;
    token[2] = words_find(&r->token, bytes, size);
    free(chars);
    return token[0] >= 0 && token[1] >= 0 && token[2] >= 0;
}

static bpe *read_merges(reading *r) {
    json merges = json_member(r->model, "merges"), one = {NULL, NULL};
    int64_t n = json_count(merges), i = 0;
    if (n > BPE_MAX_MERGES)
        die("%s: more than %d merges", r->path, BPE_MAX_MERGES);
    int64_t *triple = must_allocate(3 * (size_t)n, sizeof *triple);
    for (; (one = json_next(merges, one, NULL)).at; i++)
        if (!read_merge(r, one, triple + 3 * i))
            die("%s: \"merges\": number %lld, counted from 0, is no merge of two tokens into a third: %.*s", r->path,
                (long long)i, shown(one), one.at);
    bpe *b = bpe_of_words(&r->token, triple, n, r->rules);
    free(triple);
    return b;
}

/* ---- all of it ---- */

tokenizer tokenizer_of_json(const char *path, json top, json_reason *why) {
    reading r = {.path = path, .top = top, .model = json_member(top, "model"), .why = why};
    tokenizer k = {0};
    if (read_kind(&r) && read_normalizer(&r) && read_pieces(&r) && read_model(&r) && read_lengths(&r) &&
        read_tokens(&r)) {
        k = tokenizer_of_bpe(read_merges(&r));
        for (int64_t i = 0; i < r.n; i++)
            if (r.row[i].is_special)
                bpe_add_special(k.bpe, i, r.row[i].is_late);
        k.json_size = (size_t)(top.end - top.at);
        k.json = must_allocate(k.json_size, 1);
        memcpy(k.json, top.at, k.json_size);
    }
    words_free(&r.token);
    free(r.row);
    return k;
}
