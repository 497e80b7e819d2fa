/* Learning merges: the text's distinct pieces with their counts, and each pair's count and pieces. After a pair is
 * joined only the pieces with it are updated. */
#include "examples/gpt/bpe.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/heap.h"
#include "examples/gpt/split.h"

#include <stdlib.h>
#include <string.h>

/* A distinct piece: its current tokens, and its count in the text. */
typedef struct word {
    const unsigned char *bytes;
    size_t n_bytes;
    int32_t *token;
    int64_t n, count;
} word;

typedef struct pair {
    int32_t left, right;
    int64_t count;
    int64_t places; /* the head of its list, or -1 */
} pair;

/* Pair `pair` may be in word `word`. */
typedef struct place {
    int64_t word, next;
} place;

typedef struct table {
    int64_t *slot; /* an index + 1, by hash */
    size_t slots;
} table;

typedef struct trainer {
    word *word;
    pair *pair;
    place *place;
    size_t n_words, n_pairs, n_places, words_room, pairs_room, places_room;
    table words, pairs;
    heap best; /* (UINT32_MAX - count) << 32 | pair: the most frequent first, then the oldest */
} trainer;

static void *grown(void *block, size_t n, size_t *room, size_t size) {
    if (n < *room)
        return block;
    *room = *room ? 2 * *room : 1024;
    block = realloc(block, *room * size);
    if (!block)
        die("out of memory");
    return block;
}

/* ---- words ---- */

static uint64_t hash_bytes(const unsigned char *s, size_t n) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ s[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static uint64_t hash_pair(int32_t left, int32_t right) {
    return ((uint64_t)left << 32 | (uint32_t)right) * 0x9e3779b97f4a7c15u >> 20;
}

static uint64_t hash_of(const trainer *t, const table *x, size_t index) {
    if (x == &t->words)
        return hash_bytes(t->word[index].bytes, t->word[index].n_bytes);
    return hash_pair(t->pair[index].left, t->pair[index].right);
}

/* Grows a table to n entries; existing entries keep their indices. */
static void widen(const trainer *t, table *x, size_t n) {
    if (2 * n < x->slots)
        return;
    free(x->slot);
    x->slots = x->slots ? 2 * x->slots : 4096;
    x->slot = must_allocate(x->slots, sizeof *x->slot);
    for (size_t i = 0; i + 1 < n; i++) {
        size_t at = (size_t)hash_of(t, x, i) & (x->slots - 1);
        while (x->slot[at])
            at = (at + 1) & (x->slots - 1);
        x->slot[at] = (int64_t)i + 1;
    }
}

static void count_word(trainer *t, const unsigned char *s, size_t n) {
    widen(t, &t->words, t->n_words + 1);
    size_t at = (size_t)hash_bytes(s, n) & (t->words.slots - 1);
    for (; t->words.slot[at]; at = (at + 1) & (t->words.slots - 1)) {
        word *w = &t->word[t->words.slot[at] - 1];
        if (w->n_bytes == n && memcmp(w->bytes, s, n) == 0) {
            w->count++;
            return;
        }
    }
    t->word = grown(t->word, t->n_words, &t->words_room, sizeof *t->word);
    t->word[t->n_words++] = (word){.bytes = s, .n_bytes = n, .count = 1};
    t->words.slot[at] = (int64_t)t->n_words;
}

static void spell(word *w) {
    w->n = (int64_t)w->n_bytes;
    w->token = must_allocate(w->n_bytes, sizeof *w->token);
    for (size_t i = 0; i < w->n_bytes; i++)
        w->token[i] = bpe_of_byte(w->bytes[i]);
}

/* ---- pairs ---- */

static size_t pair_of(trainer *t, int32_t left, int32_t right) {
    widen(t, &t->pairs, t->n_pairs + 1);
    size_t at = (size_t)hash_pair(left, right) & (t->pairs.slots - 1);
    for (; t->pairs.slot[at]; at = (at + 1) & (t->pairs.slots - 1)) {
        size_t i = (size_t)t->pairs.slot[at] - 1;
        if (t->pair[i].left == left && t->pair[i].right == right)
            return i;
    }
    t->pair = grown(t->pair, t->n_pairs, &t->pairs_room, sizeof *t->pair);
    t->pair[t->n_pairs++] = (pair){left, right, 0, -1};
    t->pairs.slot[at] = (int64_t)t->n_pairs;
    return t->n_pairs - 1;
}

static void push(trainer *t, size_t i) {
    if (t->pair[i].count > 0)
        heap_push(&t->best, (uint64_t)(UINT32_MAX - t->pair[i].count) << 32 | i);
}

/* Adds `times` (may be negative) to the counts of a word's pairs; those with new_token are new in the word. */
static void count_pairs(trainer *t, size_t index, int64_t times, int32_t new_token) {
    const word *w = &t->word[index];
    for (int64_t k = 0; k + 1 < w->n; k++) {
        size_t i = pair_of(t, w->token[k], w->token[k + 1]);
        t->pair[i].count += times;
        if (times < 0 || (new_token >= 0 && w->token[k] != new_token && w->token[k + 1] != new_token))
            continue;
        t->place = grown(t->place, t->n_places, &t->places_room, sizeof *t->place);
        t->place[t->n_places] = (place){(int64_t)index, t->pair[i].places};
        t->pair[i].places = (int64_t)t->n_places++;
        if (new_token >= 0)
            push(t, i);
    }
}

/* Joins all occurrences of the pair in a word. */
static void join_in(trainer *t, size_t index, pair p, int32_t token) {
    word *w = &t->word[index];
    int64_t n = 0, k = 0;
    while (k + 1 < w->n && !(w->token[k] == p.left && w->token[k + 1] == p.right))
        k++;
    if (k + 1 >= w->n)
        return; /* another merge removed it */
    count_pairs(t, index, -w->count, -1);
    for (k = 0; k < w->n; n++) {
        bool joined = k + 1 < w->n && w->token[k] == p.left && w->token[k + 1] == p.right;
        w->token[n] = joined ? token : w->token[k];
        k += 1 + joined;
    }
    w->n = n;
    count_pairs(t, index, w->count, token);
}

/* The most frequent pair; count 0: none. */
static pair next_best(trainer *t) {
    while (t->best.n) {
        uint64_t top = heap_pop(&t->best);
        size_t i = (size_t)(top & UINT32_MAX);
        if (t->pair[i].count == (int64_t)(UINT32_MAX - (top >> 32)))
            return t->pair[i];
        push(t, i); /* its count has decreased since */
    }
    return (pair){0, 0, 0, -1};
}

static void trainer_free(trainer *t) {
    for (size_t i = 0; i < t->n_words; i++)
        free(t->word[i].token);
    free(t->word);
    free(t->pair);
    free(t->place);
    free(t->words.slot);
    free(t->pairs.slot);
    heap_free(&t->best);
}

bpe *bpe_train(const unsigned char *text, size_t n, int64_t merges) {
    static const split_rule gpt_2;
    trainer t = {0};
    int64_t *joined = must_allocate(2 * (size_t)merges, sizeof *joined), made = 0;
    for (size_t at = 0, step; at < n; at += step) {
        step = split_piece(&gpt_2, text + at, n - at);
        count_word(&t, text + at, step);
    }
    for (size_t i = 0; i < t.n_words; i++) {
        spell(&t.word[i]);
        count_pairs(&t, i, t.word[i].count, -1);
    }
    for (size_t i = 0; i < t.n_pairs; i++)
        push(&t, i);
    for (pair p; made < merges && (p = next_best(&t)).count > 1; made++) {
        joined[2 * made] = p.left;
        joined[2 * made + 1] = p.right;
        for (int64_t at = p.places, next; at >= 0; at = next) {
            next = t.place[at].next;
            join_in(&t, (size_t)t.place[at].word, p, (int32_t)(BPE_BYTES + made));
        }
    }
    bpe *b = bpe_new(joined, made);
    trainer_free(&t);
    free(joined);
    return b;
}
