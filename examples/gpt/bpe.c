#include "examples/gpt/bpe.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/heap.h"
#include "examples/gpt/nfc.h"

#include <stdlib.h>
#include <string.h>

/* A special token, found in a text as it is written. */
typedef struct special {
    unsigned char *s;
    size_t n;
    int32_t id;
} special;

/* The special tokens of one pass; first: the bytes that begin one. */
typedef struct specials {
    special *one;
    size_t n;
    bool first[BPE_BYTES];
} specials;

struct bpe {
    words token;
    int32_t of_byte[BPE_BYTES];
    int64_t n_merges, *pair, end; /* pair: (n_merges, 2) */
    int32_t *made;                /* (n_merges) the token produced by a merge */
    uint64_t *key;                /* a hash table from pairs, left << 32 | right, to merges; EMPTY: a free slot */
    int32_t *merge;
    size_t slots; /* a power of two */
    bpe_rules rules;
    specials special[2]; /* searched before NFC, and after it */
};

static const uint64_t EMPTY = UINT64_MAX;
static const char end_of_text[] = "<|endoftext|>";

/* ---- bytes ----
 * GPT-2 writes bytes as characters: printable ones stand for themselves, and are tokens 0 .. 187; the others follow, as
 * U+0100, U+0101, ... */

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

const unsigned char *bpe_byte(int token) { return &bytes_table()->byte[token]; }

int32_t bpe_character(unsigned char byte) {
    return prints(byte) ? byte : BPE_BYTES + bpe_of_byte(byte) - bpe_of_byte(0);
}

int bpe_byte_of_character(int32_t code) {
    int32_t i = code < BPE_BYTES ? code : code - BPE_BYTES + bpe_of_byte(0);
    if (code < 0 || i >= BPE_BYTES)
        return -1;
    int byte = code < BPE_BYTES ? code : bytes_table()->byte[i];
    return bpe_character((unsigned char)byte) == code ? byte : -1;
}

/* ---- merges ---- */

static size_t slot_of(const bpe *b, uint64_t key) {
    size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (b->slots - 1);
    while (b->key[i] != EMPTY && b->key[i] != key)
        i = (i + 1) & (b->slots - 1);
    return i;
}

static uint64_t key_of(int64_t left, int64_t right) { return (uint64_t)left << 32 | (uint64_t)right; }

/* The index of the merge that joins two tokens; or -1. */
static int32_t merge_of(const bpe *b, int32_t left, int32_t right) {
    size_t i = slot_of(b, key_of(left, right));
    return b->key[i] == EMPTY ? -1 : b->merge[i];
}

static void index_merges(bpe *b) {
    for (b->slots = 1024; b->slots < 2 * (size_t)b->n_merges;)
        b->slots *= 2;
    b->key = must_allocate(b->slots, sizeof *b->key);
    b->merge = must_allocate(b->slots, sizeof *b->merge);
    memset(b->key, 0xff, b->slots * sizeof *b->key);
    for (int64_t i = 0; i < b->n_merges; i++) {
        size_t slot = slot_of(b, key_of(b->pair[2 * i], b->pair[2 * i + 1]));
        b->merge[slot] = (int32_t)i;
        b->key[slot] = key_of(b->pair[2 * i], b->pair[2 * i + 1]);
    }
}

/* ---- from merges: tokens are bytes, the merges' results, and an end ---- */

/* Appends the bytes of a pair; false when they are unreasonably long. */
static bool add_joined(words *w, const int64_t *pair) {
    enum { MOST = 1 << 20 };
    static unsigned char both[MOST];
    size_t n, m;
    const unsigned char *left = words_at(w, pair[0], &n), *right = words_at(w, pair[1], &m);
    if (n + m > MOST || w->begin[w->n] > 1 << 30)
        return false;
    memcpy(both, left, n);
    memcpy(both + n, right, m);
    words_add(w, both, n + m, true);
    return true;
}

static bool spell(words *w, const int64_t *pairs, int64_t n) {
    for (int i = 0; i < BPE_BYTES; i++)
        words_add(w, bpe_byte(i), 1, true);
    for (int64_t i = 0; i < n; i++) {
        const int64_t *pair = pairs + 2 * i, before = BPE_BYTES + i;
        if (pair[0] < 0 || pair[1] < 0 || pair[0] >= before || pair[1] >= before || !add_joined(w, pair))
            return false;
    }
    words_add(w, (const unsigned char *)end_of_text, strlen(end_of_text), false);
    return true;
}

/* Allocates a bpe with n merges. */
static bpe *with_merges(words token, const int64_t *pairs, int64_t n) {
    bpe *b = must_allocate(1, sizeof *b);
    b->token = token;
    b->n_merges = n;
    b->pair = must_allocate(2 * (size_t)n, sizeof *b->pair);
    b->made = must_allocate((size_t)n, sizeof *b->made);
    if (n)
        memcpy(b->pair, pairs, 2 * (size_t)n * sizeof *pairs);
    index_merges(b);
    return b;
}

bpe *bpe_new(const int64_t *pairs, int64_t n) {
    words token = {0};
    if (n > BPE_MAX_MERGES || !spell(&token, pairs, n)) {
        words_free(&token);
        return NULL;
    }
    bpe *b = with_merges(token, pairs, n);
    for (int64_t i = 0; i < n; i++)
        b->made[i] = (int32_t)(BPE_BYTES + i);
    memcpy(b->of_byte, bytes_table()->token, sizeof b->of_byte);
    b->end = BPE_BYTES + n;
    return b;
}

/* ---- from a vocabulary ---- */

bpe *bpe_of_words(words *token, const int64_t *triples, int64_t n, bpe_rules rules) {
    int64_t *pairs = must_allocate(2 * (size_t)n, sizeof *pairs);
    for (int64_t i = 0; i < n; i++)
        memcpy(pairs + 2 * i, triples + 3 * i, 2 * sizeof *pairs);
    bpe *b = with_merges(*token, pairs, n);
    free(pairs);
    *token = (words){0};
    for (int64_t i = 0; i < n; i++)
        b->made[i] = (int32_t)triples[3 * i + 2];
    for (int i = 0; i < BPE_BYTES; i++)
        b->of_byte[i] = (int32_t)words_find(&b->token, &(unsigned char){(unsigned char)i}, 1);
    b->rules = rules;
    b->end = -1;
    return b;
}

void bpe_add_special(bpe *b, int64_t id, bool after_nfc) {
    size_t n;
    const unsigned char *s = words_at(&b->token, id, &n);
    specials *all = &b->special[after_nfc];
    if (!n)
        return;
    all->one = realloc(all->one, (all->n + 1) * sizeof *all->one);
    if (!all->one)
        die("out of memory");
    special *one = &all->one[all->n++];
    *one = (special){must_allocate(3 * n, 1), n, (int32_t)id};
    memcpy(one->s, s, n);
    if (after_nfc && b->rules.nfc)
        one->n = nfc(s, n, one->s);
    all->first[one->s[0]] = true;
    if (n == strlen(end_of_text) && !memcmp(s, end_of_text, n))
        b->end = id;
}

static void free_specials(specials *all) {
    for (size_t i = 0; i < all->n; i++)
        free(all->one[i].s);
    free(all->one);
}

void bpe_free(bpe *b) {
    if (!b)
        return;
    words_free(&b->token);
    free_specials(&b->special[0]);
    free_specials(&b->special[1]);
    free(b->pair);
    free(b->made);
    free(b->key);
    free(b->merge);
    free(b);
}

int64_t bpe_vocabulary(const bpe *b) { return (int64_t)b->token.n; }

int64_t bpe_end(const bpe *b) { return b->end; }

bool bpe_is_of_merges(const bpe *b) {
    bool is_so = !b->rules.split.any_case && !b->rules.nfc && !b->rules.whole_first;
    for (int64_t i = 0; i < b->n_merges && is_so; i++)
        is_so = b->made[i] == BPE_BYTES + i;
    return is_so && !memcmp(b->of_byte, bytes_table()->token, sizeof b->of_byte);
}

int32_t bpe_line_end(const bpe *b) { return b->of_byte['\n']; }

const int64_t *bpe_merges(const bpe *b, int64_t *n) {
    *n = b->n_merges;
    return b->pair;
}

const unsigned char *bpe_decode(const bpe *b, int64_t id, size_t *n) { return words_at(&b->token, id, n); }

/* ---- text to tokens ---- */

/* A piece as a list of tokens, which shrinks as they are joined. */
typedef struct piece {
    int32_t *token; /* -1: joined to its predecessor */
    int32_t *next, *previous;
    int32_t n;
    size_t room;
    heap joins; /* a merge's index << 32 | the position of its left token */
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

/* The merge of the token at i and the next one; or -1. */
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
    p->token[i] = b->made[merge];
    p->token[right] = -1;
    p->next[i] = after;
    if (after < p->n)
        p->previous[after] = i;
    consider(b, p, p->previous[i]);
    consider(b, p, i);
}

/* Applies merges in the order of the list, and equal ones from the left. */
static int64_t encode_piece(const bpe *b, piece *p, const unsigned char *s, size_t n, int32_t *ids) {
    int64_t whole = b->rules.whole_first ? words_find(&b->token, s, n) : -1;
    if (whole >= 0) {
        ids[0] = (int32_t)whole;
        return 1;
    }
    make_room(p, n);
    p->n = (int32_t)n;
    for (int32_t i = 0; i < p->n; i++) {
        p->token[i] = b->of_byte[s[i]];
        p->previous[i] = i - 1;
        p->next[i] = i + 1;
    }
    for (int32_t i = 0; i < p->n; i++)
        consider(b, p, i);
    while (p->joins.n) {
        uint64_t first = heap_pop(&p->joins);
        int32_t i = (int32_t)(first & UINT32_MAX), merge = (int32_t)(first >> 32);
        if (merge_at(b, p, i) == merge) /* else one of the two was joined to another */
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

static int64_t encode_pieces(const bpe *b, piece *p, const unsigned char *text, size_t n, int32_t *ids) {
    int64_t count = 0;
    for (size_t at = 0, step; at < n; at += step) {
        step = split_piece(&b->rules.split, text + at, n - at);
        count += encode_piece(b, p, text + at, step, ids + count);
    }
    return count;
}

/* The longest special token at s; NULL: none. */
static const special *special_at(const specials *all, const unsigned char *s, size_t n) {
    const special *found = NULL;
    for (size_t i = 0; i < all->n && all->first[s[0]]; i++) {
        const special *one = &all->one[i];
        if (one->n <= n && (!found || one->n > found->n) && !memcmp(one->s, s, one->n))
            found = one;
    }
    return found;
}

typedef int64_t encode_part(const bpe *b, piece *p, const unsigned char *text, size_t n, int32_t *ids);

/* Encodes a text: special tokens in it, and the parts between them by `part`. */
static int64_t encode_between(const bpe *b, piece *p, const specials *all, encode_part *part, const unsigned char *text,
                              size_t n, int32_t *ids) {
    int64_t count = 0;
    size_t begin = 0;
    for (size_t at = 0; at < n;) {
        const special *one = special_at(all, text + at, n - at);
        if (!one) {
            at++;
            continue;
        }
        count += part(b, p, text + begin, at - begin, ids + count);
        ids[count++] = one->id;
        begin = at += one->n;
    }
    return count + part(b, p, text + begin, n - begin, ids + count);
}

static int64_t encode_composed(const bpe *b, piece *p, const unsigned char *text, size_t n, int32_t *ids) {
    return encode_between(b, p, &b->special[1], encode_pieces, text, n, ids);
}

static int64_t encode_raw(const bpe *b, piece *p, const unsigned char *text, size_t n, int32_t *ids) {
    if (!b->rules.nfc)
        return encode_composed(b, p, text, n, ids);
    unsigned char *composed = must_allocate(NFC_GROWTH * n, 1);
    int64_t count = encode_composed(b, p, composed, nfc(text, n, composed), ids);
    free(composed);
    return count;
}

size_t bpe_most_ids(const bpe *b, size_t n) { return b->rules.nfc ? NFC_GROWTH * n : n; }

int64_t bpe_encode(const bpe *b, const unsigned char *text, size_t n, int32_t *ids) {
    piece p = {0};
    int64_t count = encode_between(b, &p, &b->special[0], encode_raw, text, n, ids);
    free_piece(&p);
    return count;
}
