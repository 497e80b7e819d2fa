#include "examples/gpt/bpe.h"
#include "examples/common/corpus.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/heap.h"
#include "examples/gpt/split.h"

#include <stdlib.h>
#include <string.h>

struct bpe {
    int64_t n_merges, *pair; /* (n_merges, 2) */
    unsigned char *bytes;    /* of all tokens, one behind another */
    size_t *begin;           /* (tokens + 1) where each begins */
    uint64_t *key;           /* which merge joins a pair: left << 32 | right, by hash; EMPTY where there is none */
    int32_t *merge;
    size_t slots; /* a power of two */
};

static const uint64_t EMPTY = UINT64_MAX;
static const char end_of_text[] = "<|endoftext|>";

/* ---- bytes ----
 * GPT-2 writes bytes as characters: those that print stand for themselves, and are tokens 0 .. 187; the others follow,
 * as U+0100, U+0101, ... */

static bool prints(int byte) { return (byte > 32 && byte < 127) || (byte > 160 && byte != 173); }

/* byte: of token 0 .. 255; token: of a byte */
static const struct bytes {
    unsigned char byte[BPE_BYTES];
    int32_t token[BPE_BYTES];
} * bytes_table(void) {
    static struct bytes table;
    static bool is_filled;
    int32_t n = 0;
    for (int printing = 1; printing >= 0 && !is_filled; printing--)
        for (int i = 0; i < BPE_BYTES; i++)
            if (prints(i) == printing) {
                table.byte[n] = (unsigned char)i;
                table.token[i] = n++;
            }
    is_filled = true;
    return &table;
}

int32_t bpe_of_byte(unsigned char byte) { return bytes_table()->token[byte]; }

/* The character that a byte is written as; and back, -1: it stands for none. */
static int32_t character_of(unsigned char byte) {
    return prints(byte) ? byte : BPE_BYTES + bpe_of_byte(byte) - bpe_of_byte(0);
}

static int byte_of_character(int32_t code) {
    for (int i = 0; i < BPE_BYTES; i++)
        if (character_of((unsigned char)i) == code)
            return i;
    return -1;
}

/* ---- merges ---- */

static size_t slot_of(const bpe *b, uint64_t key) {
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (b->slots - 1);
    while (b->key[i] != EMPTY && b->key[i] != key)
        i = (i + 1) & (b->slots - 1);
    return i;
}

static uint64_t key_of(int64_t left, int64_t right) { return (uint64_t)left << 32 | (uint64_t)right; }

/* The number of the merge that joins two tokens; -1: none does. */
static int32_t merge_of(const bpe *b, int32_t left, int32_t right) {
    size_t i = slot_of(b, key_of(left, right));
    return b->key[i] == EMPTY ? -1 : b->merge[i];
}

static size_t length(const bpe *b, int64_t token) { return b->begin[token + 1] - b->begin[token]; }

/* Each token's bytes are those of the two that it joins. False when they grow out of all proportion. */
static bool spell(bpe *b) {
    int64_t tokens = BPE_BYTES + b->n_merges + 1;
    b->begin = must_allocate((size_t)tokens + 1, sizeof *b->begin);
    for (int64_t i = 0; i < tokens; i++) {
        const int64_t *pair = i < BPE_BYTES ? NULL : b->pair + 2 * (i - BPE_BYTES);
        size_t n = !pair ? 1 : i + 1 == tokens ? strlen(end_of_text) : length(b, pair[0]) + length(b, pair[1]);
        b->begin[i + 1] = b->begin[i] + n;
        if (n > 1 << 20 || b->begin[i + 1] > 1 << 30)
            return false;
    }
    b->bytes = must_allocate(b->begin[tokens], 1);
    memcpy(b->bytes, bytes_table()->byte, BPE_BYTES);
    for (int64_t i = 0; i < b->n_merges; i++) {
        unsigned char *to = b->bytes + b->begin[BPE_BYTES + i];
        const int64_t *pair = b->pair + 2 * i;
        memcpy(to, b->bytes + b->begin[pair[0]], length(b, pair[0]));
        memcpy(to + length(b, pair[0]), b->bytes + b->begin[pair[1]], length(b, pair[1]));
    }
    memcpy(b->bytes + b->begin[tokens - 1], end_of_text, strlen(end_of_text));
    return true;
}

static void index_merges(bpe *b) {
    for (b->slots = 1024; b->slots < 2 * (size_t)b->n_merges;)
        b->slots *= 2;
    b->key = must_allocate(b->slots, sizeof *b->key);
    b->merge = must_allocate(b->slots, sizeof *b->merge);
    memset(b->key, 0xff, b->slots * sizeof *b->key);
    for (int64_t i = 0; i < b->n_merges; i++) {
        size_t slot = slot_of(b, key_of(b->pair[2 * i], b->pair[2 * i + 1]));
        if (b->key[slot] == EMPTY)
            b->merge[slot] = (int32_t)i;
        b->key[slot] = key_of(b->pair[2 * i], b->pair[2 * i + 1]);
    }
}

bpe *bpe_new(const int64_t *pairs, int64_t n) {
    bpe *b = must_allocate(1, sizeof *b);
    b->n_merges = n;
    b->pair = must_allocate(2 * (size_t)n, sizeof *b->pair);
    bool ok = n <= BPE_MAX_MERGES;
    for (int64_t i = 0; i < 2 * n && ok; i++) {
        b->pair[i] = pairs[i];
        ok = pairs[i] >= 0 && pairs[i] < BPE_BYTES + i / 2;
    }
    if (!ok || !spell(b)) {
        bpe_free(b);
        return NULL;
    }
    index_merges(b);
    return b;
}

void bpe_free(bpe *b) {
    if (!b)
        return;
    free(b->pair);
    free(b->bytes);
    free(b->begin);
    free(b->key);
    free(b->merge);
    free(b);
}

int64_t bpe_vocabulary(const bpe *b) { return BPE_BYTES + b->n_merges + 1; }

const int64_t *bpe_merges(const bpe *b, int64_t *n) {
    *n = b->n_merges;
    return b->pair;
}

const unsigned char *bpe_decode(const bpe *b, int64_t id, size_t *n) {
    *n = length(b, id);
    return b->bytes + b->begin[id];
}

/* ---- text to tokens ---- */

/* A piece as a list of tokens, which shrinks as they are joined. */
typedef struct piece {
    int32_t *token; /* -1: joined to the one before */
    int32_t *next, *previous;
    int32_t n;
    size_t room;
    heap joins; /* the number of a merge << 32 | the place of its left token */
} piece;

static void make_room(piece *p, size_t n) {
    if (n <= p->room)
        return;
    if (n > INT32_MAX)
        die("a text without spaces or punctuation in 2 GiB");
    free(p->token);
    free(p->next);
    free(p->previous);
    p->room = n;
    p->token = must_allocate(n, sizeof *p->token);
    p->next = must_allocate(n, sizeof *p->next);
    p->previous = must_allocate(n, sizeof *p->previous);
}

/* The merge of the tokens at i and after it; -1: none. */
static int32_t merge_at(const bpe *b, const piece *p, int32_t i) {
    if (i < 0 || p->token[i] < 0 || p->next[i] >= p->n)
        return -1;
    return merge_of(b, p->token[i], p->token[p->next[i]]);
}

static void consider(const bpe *b, piece *p, int32_t i) {
    int32_t merge = merge_at(b, p, i);
    if (merge >= 0)
        heap_push(&p->joins, (uint64_t)merge << 32 | (uint64_t)i);
}

static void join(const bpe *b, piece *p, int32_t i, int32_t merge) {
    int32_t right = p->next[i], after = p->next[right];
    p->token[i] = BPE_BYTES + merge;
    p->token[right] = -1;
    p->next[i] = after;
    if (after < p->n)
        p->previous[after] = i;
    consider(b, p, p->previous[i]);
    consider(b, p, i);
}

/* The first merge of the list first, and of equal ones the leftmost. */
static int64_t encode_piece(const bpe *b, piece *p, const unsigned char *s, size_t n, int32_t *ids) {
    make_room(p, n);
    p->n = (int32_t)n;
    for (int32_t i = 0; i < p->n; i++) {
        p->token[i] = bpe_of_byte(s[i]);
        p->previous[i] = i - 1;
        p->next[i] = i + 1;
    }
    for (int32_t i = 0; i < p->n; i++)
        consider(b, p, i);
    while (p->joins.n) {
        uint64_t first = heap_pop(&p->joins);
        int32_t i = (int32_t)(first & UINT32_MAX), merge = (int32_t)(first >> 32);
        if (merge_at(b, p, i) == merge) /* else one of the two has gone into another */
            join(b, p, i, merge);
    }
    int64_t count = 0;
    for (int32_t i = 0; i < p->n; i = p->next[i])
        ids[count++] = p->token[i];
    return count;
}

static void free_piece(piece *p) {
    free(p->token);
    free(p->next);
    free(p->previous);
    heap_free(&p->joins);
}

int64_t bpe_encode(const bpe *b, const unsigned char *text, size_t n, int32_t *ids) {
    piece p = {0};
    int64_t count = 0;
    for (size_t at = 0, step; at < n; at += step) {
        step = split_piece(text + at, n - at);
        count += encode_piece(b, &p, text + at, step, ids + count);
    }
    free_piece(&p);
    return count;
}

bool bpe_reaches_all(const bpe *b) {
    piece p = {0};
    bool reached = true;
    for (int64_t id = BPE_BYTES; id < bpe_vocabulary(b) - 1 && reached; id++) {
        size_t n;
        const unsigned char *bytes = bpe_decode(b, id, &n);
        int32_t *ids = must_allocate(n, sizeof *ids);
        reached = encode_piece(b, &p, bytes, n, ids) == 1 && ids[0] == id;
        free(ids);
    }
    free_piece(&p);
    return reached;
}

/* ---- files of merges ---- */

static void write_token(const bpe *b, int64_t token, FILE *file) {
    size_t n;
    const unsigned char *bytes = bpe_decode(b, token, &n);
    for (size_t i = 0; i < n; i++) {
        int32_t code = character_of(bytes[i]);
        if (code > 127)
            fputc(0xc0 | code >> 6, file);
        fputc(code > 127 ? 0x80 | (code & 63) : code, file);
    }
}

void bpe_write(const bpe *b, FILE *file) {
    fputs("#version: 0.2\n", file);
    for (int64_t i = 0; i < b->n_merges; i++) {
        write_token(b, b->pair[2 * i], file);
        fputc(' ', file);
        write_token(b, b->pair[2 * i + 1], file);
        fputc('\n', file);
    }
}

/* Tokens by their bytes, while a file is read. */
typedef struct words {
    unsigned char *bytes; /* one behind another */
    size_t *begin;        /* (n + 1) */
    int32_t *slot;        /* a token's number + 1, by hash of its bytes */
    size_t slots, n;
} words;

static size_t word_slot(const words *w, const unsigned char *s, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ s[i]) * 0x100000001b3u;
    size_t i = (size_t)(hash ^ hash >> 32) & (w->slots - 1);
    for (; w->slot[i]; i = (i + 1) & (w->slots - 1)) {
        size_t token = (size_t)w->slot[i] - 1, begin = w->begin[token];
        if (w->begin[token + 1] - begin == n && memcmp(w->bytes + begin, s, n) == 0)
            break;
    }
    return i;
}

static void add_word(words *w, const unsigned char *s, size_t n) {
    size_t slot = word_slot(w, s, n), begin = w->begin[w->n];
    memmove(w->bytes + begin, s, n);
    w->begin[++w->n] = begin + n;
    if (!w->slot[slot])
        w->slot[slot] = (int32_t)w->n;
}

/* The token that is written as the characters s .. end, whose bytes go to `bytes`; -1: none. */
static int64_t read_token(const words *w, const unsigned char *s, const unsigned char *end, unsigned char *bytes,
                          size_t *n) {
    int32_t code;
    for (*n = 0; s < end; bytes[(*n)++] = (unsigned char)byte_of_character(code)) {
        int step = corpus_decode(s, (size_t)(end - s), &code);
        if (step == 0 || byte_of_character(code) < 0)
            return -1;
        s += step;
    }
    return (int64_t)w->slot[word_slot(w, bytes, *n)] - 1;
}

/* A line "left right": both are tokens, and what they make is the next. */
static bool read_merge(words *w, const unsigned char *line, const unsigned char *end, int64_t *pair) {
    const unsigned char *space = memchr(line, ' ', (size_t)(end - line));
    size_t n, m;
    if (!space)
        return false;
    unsigned char *bytes = must_allocate((size_t)(end - line), 1);
    pair[0] = read_token(w, line, space, bytes, &n);
    pair[1] = read_token(w, space + 1, end, bytes + n, &m);
    bool ok = pair[0] >= 0 && pair[1] >= 0;
    if (ok)
        add_word(w, bytes, n + m);
    free(bytes);
    return ok;
}

static const unsigned char *end_of_line(const unsigned char *at, const unsigned char *end) {
    const unsigned char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

static words words_for(size_t lines, size_t size) {
    words w = {.slots = 1024};
    while (w.slots < 2 * (lines + BPE_BYTES))
        w.slots *= 2;
    w.slot = must_allocate(w.slots, sizeof *w.slot);
    w.begin = must_allocate(lines + BPE_BYTES + 3, sizeof *w.begin);
    w.bytes = must_allocate(size + BPE_BYTES, 1);
    for (int32_t i = 0; i < BPE_BYTES; i++)
        add_word(&w, &bytes_table()->byte[i], 1);
    return w;
}

/* The merges of a text, n of them, to pair. Returns the number of a line that is none; 0: all are. */
static size_t read_merges(words *w, const unsigned char *at, const unsigned char *end, int64_t *pair, int64_t *n) {
    *n = 0;
    for (size_t line = 1; at < end; line++, at = end_of_line(at, end) + 1) {
        const unsigned char *stop = end_of_line(at, end);
        stop -= stop > at && stop[-1] == '\r';
        if (stop == at || (line == 1 && at[0] == '#'))
            continue;
        if (!read_merge(w, at, stop, pair + 2 * (*n)++))
            return line;
    }
    return 0;
}

bpe *bpe_of_text(const unsigned char *text, size_t size, size_t *wrong) {
    size_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    words w = words_for(lines, size);
    int64_t *pair = must_allocate(2 * (lines + 1), sizeof *pair), n;
    *wrong = read_merges(&w, text, text + size, pair, &n);
    bpe *b = *wrong ? NULL : bpe_new(pair, n);
    free(w.slot);
    free(w.begin);
    free(w.bytes);
    free(pair);
    return b;
}

bpe *bpe_read(const char *path) {
    char error[4400];
    size_t size, wrong;
    unsigned char *text = corpus_read_bytes(path, &size, error, sizeof error);
    if (!text)
        die("%s", error);
    bpe *b = bpe_of_text(text, size, &wrong);
    free(text);
    if (!b && wrong)
        die("%s: line %zu is no merge of two tokens that came before it", path, wrong);
    if (!b)
        die("%s: more than %d merges, or tokens above 1 MiB", path, BPE_MAX_MERGES);
    return b;
}

bool bpe_is_written(const bpe *b, int64_t id, const unsigned char *s, size_t n) {
    size_t length, i = 0;
    int32_t code;
    const unsigned char *bytes = bpe_decode(b, id, &length);
    for (size_t at = 0, step; at < n; at += step, i++) {
        step = (size_t)corpus_decode(s + at, n - at, &code);
        if (step == 0 || i == length || character_of(bytes[i]) != code)
            return false;
    }
    return i == length;
}
