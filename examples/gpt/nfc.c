#include "examples/gpt/nfc.h"
#include "examples/common/corpus.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/nfc_table.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- characters ---- */

enum {
    FIRST_TO_CHANGE = 0x300, /* all below are unchanged, and combine with nothing before them */
    NO_UTF8 = 0x110000,      /* plus a byte */
    /* Hangul: a syllable has a leading consonant, a vowel, and optionally a trailing consonant */
    SYLLABLE = 0xac00,
    LEADING = 0x1100,
    VOWEL = 0x1161,
    TRAILING = 0x11a7, /* none */
    LEADINGS = 19,
    VOWELS = 21,
    TRAILINGS = 28
};

/* The first of n rows, `width` numbers each and ascending by this column, that is not below the code; n: none. */
static size_t first_from(const int32_t *rows, size_t n, size_t width, size_t column, int32_t code) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows[middle * width + column] < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The decomposition of a character; NULL: none. */
static const int32_t *parts_of(int32_t code) {
    size_t i = first_from(decomposed[0], COUNT(decomposed), COUNT(decomposed[0]), 0, code);
    return i < COUNT(decomposed) && decomposed[i][0] == code ? decomposed[i] : NULL;
}

static uint64_t pair_of(int32_t a, int32_t b) { return (uint64_t)a << 32 | (uint64_t)b; }

static int by_pair(const void *a, const void *b) {
    const int32_t *x = *(const int32_t *const *)a, *y = *(const int32_t *const *)b;
    uint64_t p = pair_of(x[1], x[2]), q = pair_of(y[1], y[2]);
    return (p > q) - (p < q);
}

/* The *n rows with canonical compositions of two parts, sorted by the parts. */
static const int32_t *const *rows_by_parts(size_t *n) {
    static const int32_t *row[COUNT(decomposed)];
    static size_t count;
    if (!count) {
        for (size_t i = 0; i < COUNT(decomposed); i++)
            if (decomposed[i][2] > 0)
                row[count++] = decomposed[i];
        qsort(row, count, sizeof *row, by_pair);
    }
    *n = count;
    return row;
}

static int32_t made_of(int32_t a, int32_t b) {
    const int32_t key[] = {0, a, b}, *wanted = key;
    size_t n;
    const int32_t *const *all = rows_by_parts(&n);
    const int32_t *const *found = bsearch(&wanted, all, n, sizeof *all, by_pair);
    return found ? (*found)[0] : 0;
}

/* The canonical combining class: marks are sorted by it, stably. */
static int class_of(int32_t code) {
    size_t i = first_from(classes[0], COUNT(classes), COUNT(classes[0]), 1, code);
    return i < COUNT(classes) && classes[i][0] <= code ? (int)classes[i][2] : 0;
}

/* The composition of two characters; 0: none. */
static int32_t joined(int32_t a, int32_t b) {
    if (a >= LEADING && a < LEADING + LEADINGS && b >= VOWEL && b < VOWEL + VOWELS)
        return SYLLABLE + ((a - LEADING) * VOWELS + b - VOWEL) * TRAILINGS;
    if (a >= SYLLABLE && a < SYLLABLE + LEADINGS * VOWELS * TRAILINGS && (a - SYLLABLE) % TRAILINGS == 0 &&
        b > TRAILING && b < TRAILING + TRAILINGS)
        return a + b - TRAILING;
    return made_of(a, b);
}

/* ---- a stretch of text ---- */

/* Characters with sort keys: class << 56 | position << 21 | code. */
typedef struct stretch {
    uint64_t *key;
    size_t n, room;
} stretch;

static int32_t code_at(const stretch *x, size_t i) { return (int32_t)(x->key[i] & 0x1fffff); }
static int class_at(const stretch *x, size_t i) { return (int)(x->key[i] >> 56); }

static void append(stretch *x, int32_t code) {
    if (x->n == x->room) {
        x->room = x->room ? 2 * x->room : 256;
        x->key = realloc(x->key, x->room * sizeof *x->key);
        if (!x->key)
            die("out of memory");
    }
    x->key[x->n] = (uint64_t)class_of(code) << 56 | (uint64_t)x->n << 21 | (uint64_t)code;
    x->n++;
}

static void decompose(stretch *x, int32_t code) {
    const int32_t *row = parts_of(code);
    int32_t s = code - SYLLABLE;
    if (s >= 0 && s < LEADINGS * VOWELS * TRAILINGS) {
        append(x, LEADING + s / (VOWELS * TRAILINGS));
        append(x, VOWEL + s / TRAILINGS % VOWELS);
        if (s % TRAILINGS)
            append(x, TRAILING + s % TRAILINGS);
    } else if (row) {
        decompose(x, row[1]);
        if (row[2])
            append(x, abs(row[2]));
    } else {
        append(x, code);
    }
}

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts each sequence of marks. */
static void order(stretch *x) {
    for (size_t i = 0, end; i < x->n; i = end) {
        for (end = i; end < x->n && class_at(x, end); end++)
            ;
        if (end > i + 1)
            qsort(x->key + i, end - i, sizeof *x->key, by_key);
        end += end == i;
    }
}

/* A mark composes with the last starter, unless a mark of its class or higher is in between. */
static void compose(stretch *x) {
    size_t n = 0, to = SIZE_MAX;
    for (size_t i = 0; i < x->n; i++) {
        int own = class_at(x, i);
        bool is_free = to != SIZE_MAX && (n == to + 1 || class_at(x, n - 1) < own);
        int32_t both = is_free ? joined(code_at(x, to), code_at(x, i)) : 0;
        if (both) {
            x->key[to] = (uint64_t)both;
            continue;
        }
        to = own ? to : n;
        x->key[n++] = x->key[i];
    }
    x->n = n;
}

static size_t write(const stretch *x, unsigned char *out) {
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t at = 0;
    for (size_t i = 0; i < x->n; i++) {
        int32_t code = code_at(x, i);
        size_t n = code < 0x80 || code >= NO_UTF8 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t k = n; k-- > 1; code >>= 6)
            out[at + k] = (unsigned char)(0x80 | (code & 0x3f));
        out[at] = (unsigned char)(first[n > 1 ? n : 0] | code);
        at += n;
    }
    return at;
}

/* ---- all of it ---- */

/* The character at s, and its bytes. */
static int32_t character_at(const unsigned char *s, size_t left, size_t *bytes) {
    int32_t code;
    *bytes = (size_t)corpus_decode(s, left, &code);
    if (*bytes)
        return code;
    *bytes = 1;
    return NO_UTF8 + s[0];
}

/* A stretch ends before a character that combines with nothing before it. */
size_t nfc(const unsigned char *s, size_t n, unsigned char *out) {
    stretch x = {0};
    size_t written = 0;
    for (size_t at = 0, bytes; at < n;) {
        x.n = 0;
        do {
            decompose(&x, character_at(s + at, n - at, &bytes));
            at += bytes;
        } while (at < n && character_at(s + at, n - at, &bytes) >= FIRST_TO_CHANGE);
        order(&x);
        compose(&x);
        written += write(&x, out + written);
    }
    free(x.key);
    return written;
}
