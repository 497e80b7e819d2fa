#include "examples/common/corpus.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_CODE = 0x10ffff };
static const size_t max_bytes = (size_t)1 << 30;

static bool fail(char *error, size_t size, const char *path, const char *why) {
    snprintf(error, size, "%s: %s", path, why);
    return false;
}

/* ---- bytes ---- */

unsigned char *corpus_read_bytes(const char *path, size_t *n, char *error, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail(error, size, path, strerror(errno));
        return NULL;
    }
    size_t room = 1 << 16, used = 0, got;
    unsigned char *bytes = malloc(room);
    while (bytes && used < max_bytes && (got = fread(bytes + used, 1, room - used, file)) > 0) {
        used += got;
        if (used < room)
            continue;
        unsigned char *larger = realloc(bytes, room *= 2);
        if (!larger)
            free(bytes);
        bytes = larger;
    }
    const char *why = !bytes              ? "out of memory"
                      : ferror(file)      ? strerror(errno)
                      : used >= max_bytes ? "more than 1 GiB"
                      : used == 0         ? "the file is empty"
                                          : NULL;
    fclose(file);
    if (why) {
        fail(error, size, path, why);
        free(bytes);
        return NULL;
    }
    *n = used;
    return bytes;
}

/* ---- characters ---- */

int corpus_decode(const unsigned char *s, size_t left, int32_t *code) {
    static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (n == 0 || (size_t)n > left)
        return 0;
    *code = n == 1 ? s[0] : s[0] & (0x7f >> n);
    for (int i = 1; i < n; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (s[i] & 63);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < smallest[n] || *code > LAST_CODE || surrogate ? 0 : n;
}

bool corpus_in(const int32_t (*range)[2], size_t n, int32_t code) {
    size_t low = 0;
    while (low < n) {
        size_t middle = (low + n) / 2;
        if (range[middle][1] < code)
            low = middle + 1;
        else if (range[middle][0] > code)
            n = middle;
        else
            return true;
    }
    return false;
}

/* Code points to c->id; false when the bytes are not UTF-8. */
static bool decode_all(corpus *c, const unsigned char *bytes, size_t n_bytes) {
    c->n = 0;
    for (size_t at = 0; at < n_bytes;) {
        int n = corpus_decode(bytes + at, n_bytes - at, &c->id[c->n++]);
        if (n == 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static void copy_all(corpus *c, const unsigned char *bytes, size_t n_bytes) {
    c->n = (int64_t)n_bytes;
    for (size_t i = 0; i < n_bytes; i++)
        c->id[i] = bytes[i];
}

/* Builds the vocabulary and replaces the code points in c->id by indices into it. place: LAST_CODE + 1 zeros. */
static bool number(corpus *c, int32_t *place) {
    for (int64_t i = 0; i < c->n; i++)
        place[c->id[i]] = 1;
    for (int32_t code = 0; code <= LAST_CODE; code++) {
        if (!place[code])
            continue;
        if (c->vocabulary == CORPUS_MAX_VOCABULARY)
            return false;
        place[code] = (int32_t)c->vocabulary;
        c->code[c->vocabulary++] = code;
    }
    for (int64_t i = 0; i < c->n; i++)
        c->id[i] = place[c->id[i]];
    return true;
}

bool corpus_read(corpus *c, const char *path, char *error, size_t size) {
    size_t n_bytes;
    unsigned char *bytes = corpus_read_bytes(path, &n_bytes, error, size);
    if (!bytes)
        return false;
    *c = (corpus){.id = malloc(n_bytes * sizeof *c->id), .code = malloc(CORPUS_MAX_VOCABULARY * sizeof *c->code)};
    int32_t *place = calloc(LAST_CODE + 1, sizeof *place);
    const char *why = NULL;
    if (!c->id || !c->code || !place) {
        why = "out of memory";
    } else {
        if (!decode_all(c, bytes, n_bytes))
            copy_all(c, bytes, n_bytes);
        c->n_train = c->n - (c->n + 9) / 10;
        if (!number(c, place))
            why = "too many different characters";
    }
    free(place);
    free(bytes);
    if (!why)
        return true;
    corpus_free(c);
    return fail(error, size, path, why);
}

void corpus_free(corpus *c) {
    free(c->id);
    free(c->code);
    *c = (corpus){0};
}

/* FNV-1a (Fowler, Noll, Vo), a character at a time. */
int64_t corpus_digest(const corpus *c) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int64_t i = 0; i < c->n; i++)
        hash = (hash ^ (uint64_t)c->code[c->id[i]]) * 0x100000001b3u;
    return (int64_t)hash;
}

void corpus_pieces(const corpus *c, int64_t n, const int64_t *start, int64_t T, int64_t *word, int64_t *next) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < T; j++) {
            *word++ = c->id[start[i] + j];
            *next++ = c->id[start[i] + j + 1];
        }
}

/* ---- the bigram baseline ---- */

typedef struct counts {
    int32_t *pair;                       /* (V, V): c(ab) */
    int32_t *single, *first, *followers; /* (V): c(b); c(a) as the first of a pair; d(a) */
} counts;

static counts count(const corpus *c, int32_t *zeros) {
    int64_t V = c->vocabulary;
    counts k = {.pair = zeros, .single = zeros + V * V, .first = zeros + V * V + V, .followers = zeros + V * V + 2 * V};
    for (int64_t i = 0; i < c->n_train; i++)
        k.single[c->id[i]]++;
    for (int64_t i = 0; i + 1 < c->n_train; i++) {
        int32_t a = c->id[i], b = c->id[i + 1];
        k.first[a]++;
        k.followers[a] += k.pair[a * V + b]++ == 0;
    }
    return k;
}

static double probability(const corpus *c, const counts *k, int32_t a, int32_t b) {
    double single = (k->single[b] + 1.0) / (double)(c->n_train + c->vocabulary);
    if (k->first[a] == 0)
        return single;
    return (k->pair[a * c->vocabulary + b] + k->followers[a] * single) / (k->first[a] + k->followers[a]);
}

double corpus_bigram_loss(const corpus *c, int64_t first, int64_t n) {
    int64_t V = c->vocabulary;
    int32_t *zeros = calloc((size_t)(V * V + 3 * V), sizeof *zeros);
    if (!zeros)
        return NAN;
    counts k = count(c, zeros);
    double sum = 0;
    for (int64_t i = first; i < first + n; i++)
        sum -= log(probability(c, &k, c->id[i - 1], c->id[i]));
    free(zeros);
    return sum / (double)n;
}
