#include "examples/encoder/wordpiece.h"
#include "examples/common/corpus.h"
#include "examples/encoder/program.h"
#include "examples/encoder/unicode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- the vocabulary ---- */

static const wordpiece *being_sorted;
static int by_piece(const void *a, const void *b) {
    return strcmp(being_sorted->piece[*(const int64_t *)a], being_sorted->piece[*(const int64_t *)b]);
}

/* The id of "##" (inside a word) and the n bytes at s; -1: none. */
static int64_t find(const wordpiece *w, const char *s, size_t n, bool inside) {
    int64_t low = 0, high = w->n;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        const char *piece = w->piece[w->sorted[middle]];
        int order = inside ? strncmp("##", piece, 2) : 0;
        const char *rest = piece + (inside && !order ? 2 : 0);
        order = order ? order : strncmp(s, rest, n);
        if (!order && !rest[n])
            return w->sorted[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle; /* also when the piece is longer */
    }
    return -1;
}

static int64_t must_find(const wordpiece *w, const char *path, const char *piece) {
    int64_t id = find(w, piece, strlen(piece), false);
    if (id < 0)
        die("%s: %s is not in it: it is no vocabulary of BERT", path, piece);
    return id;
}

wordpiece wordpiece_read(const char *path) {
    wordpiece w = {.text = read_text(path)};
    for (const char *s = w.text; *s; s++)
        w.n += *s == '\n' || !s[1];
    w.piece = must_allocate((size_t)w.n, sizeof *w.piece);
    w.sorted = must_allocate((size_t)w.n, sizeof *w.sorted);
    int64_t i = 0;
    for (char *s = w.text; *s && i < w.n; i++) {
        size_t n = strcspn(s, "\n");
        char *next = s + n + (s[n] == '\n');
        if (n && s[n - 1] == '\r')
            s[n - 1] = '\0';
        s[n] = '\0';
        w.piece[i] = s;
        w.sorted[i] = i;
        if (*s >= 'A' && *s <= 'Z')
            die("%s: '%.40s' has a capital letter: it is of a cased model, and all words are lower-cased here", path,
                s);
        s = next;
    }
    being_sorted = &w;
    qsort(w.sorted, (size_t)w.n, sizeof *w.sorted, by_piece);
    w.unknown = must_find(&w, path, "[UNK]");
    w.cls = must_find(&w, path, "[CLS]");
    w.sep = must_find(&w, path, "[SEP]");
    return w;
}

void wordpiece_free(wordpiece *w) {
    free(w->text);
    free(w->piece);
    free(w->sorted);
}

/* ---- characters ---- */

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define IS_IN(table, code) corpus_in(table, COUNT(table), code)

/* In lower case and without accents: one character, or several. Runs of the table overlap, as in A a A a. */
static int fold(int32_t code, int32_t *out) {
    if (code >= 0xac00 && code <= 0xd7a3) { /* a Hangul syllable decomposes into two or three letters by arithmetic */
        int32_t s = code - 0xac00, last = s % 28;
        out[0] = 0x1100 + s / 588;
        out[1] = 0x1161 + s % 588 / 28;
        out[2] = 0x11a7 + last;
        return last ? 3 : 2;
    }
    for (size_t i = 0; i < COUNT(longer); i++)
        if (longer[i][0] == code) {
            memcpy(out, longer[i] + 1, 3 * sizeof *out);
            return out[2] ? 3 : 2;
        }
    out[0] = code;
    for (size_t i = 0; i < COUNT(folded) && folded[i][0] <= code; i++)
        if (code <= folded[i][1] && (code - folded[i][0]) % folded[i][2] == 0)
            out[0] = code + folded[i][3];
    return 1;
}

static size_t put_utf8(char *to, int32_t c) {
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const int lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(lead[n] | c);
    return n;
}

/* ---- words ---- */

enum { LONGEST = 100 /* characters of a word; longer ones are unknown */ };
typedef struct words {
    const wordpiece *w;
    int64_t *ids, n, most;
    char word[4 * LONGEST + 8];
    size_t bytes, characters;
} words;

static void put_id(words *o, int64_t id) {
    if (o->n < o->most)
        o->ids[o->n++] = id;
}

/* Appends the word's pieces, or [UNK] when one is not in the vocabulary. */
static void end_word(words *o) {
    int64_t before = o->n;
    size_t n = o->bytes;
    bool known = o->characters <= LONGEST;
    for (size_t at = 0, length; known && at < n; at += length) {
        int64_t id = -1;
        for (length = n - at; length > 0 && id < 0; length -= id < 0)
            id = find(o->w, o->word + at, length, at > 0);
        known = id >= 0;
        put_id(o, id);
    }
    if (!known) {
        o->n = before;
        put_id(o, o->w->unknown);
    }
    o->bytes = o->characters = 0;
}

static void put_character(words *o, int32_t code) {
    if (o->characters++ < LONGEST)
        o->bytes += put_utf8(o->word + o->bytes, code);
}

static void put(words *o, int32_t code, bool alone) {
    if (alone && o->bytes)
        end_word(o);
    put_character(o, code);
    if (alone)
        end_word(o);
}

/* The id of a special token spelled out at s, and its length; -1: none. */
static int64_t special_at(const wordpiece *w, const char *s, size_t *bytes) {
    static const char *const special[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    for (size_t i = 0; i < COUNT(special); i++) {
        *bytes = strlen(special[i]);
        if (!strncmp(s, special[i], *bytes))
            return find(w, s, *bytes, false);
    }
    return -1;
}

/* Processes a character of a text; returns its length in bytes. */
static size_t put_next(words *o, const unsigned char *s, size_t left) {
    int32_t code, part[3];
    int bytes = corpus_decode(s, left, &code);
    if (bytes <= 0) { /* invalid UTF-8 */
        bytes = 1;
        code = 0xfffd;
    }
    if (IS_IN(spaces, code) && o->bytes)
        end_word(o);
    if (IS_IN(dropped, code) || IS_IN(spaces, code))
        return (size_t)bytes;
    int n = fold(code, part);
    for (int i = 0; i < n; i++)
        put(o, part[i], IS_IN(ideographs, code) || IS_IN(punctuation, part[i]));
    return (size_t)bytes;
}

int64_t wordpiece_encode(const wordpiece *w, const char *text, int64_t *ids, int64_t most) {
    words o = {.w = w, .ids = ids, .most = most - 1};
    put_id(&o, w->cls);
    for (size_t left = strlen(text), bytes; left && o.n < o.most; text += bytes, left -= bytes) {
        int64_t special = special_at(w, text, &bytes);
        if (special < 0) {
            bytes = put_next(&o, (const unsigned char *)text, left);
            continue;
        }
        if (o.bytes)
            end_word(&o);
        put_id(&o, special);
    }
    if (o.bytes)
        end_word(&o);
    o.most = most;
    put_id(&o, w->sep);
    return o.n;
}
