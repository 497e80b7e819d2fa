/* A text as numbers: its characters, and the loss of a bigram model. */
#ifndef EXAMPLES_CORPUS_H
#define EXAMPLES_CORPUS_H

#include "core/tapegrad.h"

typedef struct corpus {
    int64_t n, n_train; /* characters; the first n_train (nine of ten) are for training, the others held out */
    int32_t *id;        /* (n) each character's index in the vocabulary */
    int64_t vocabulary; /* the number of different characters */
    int64_t *code;      /* (vocabulary) their code points, ascending */
} corpus;

enum { CORPUS_MAX_VOCABULARY = 8192 };

/* Read a file as UTF-8, or byte by byte (Latin-1) when it is not. False, and one line in error, when it cannot be
 * read, is empty, is larger than 1 GiB or has too many different characters. */
bool corpus_read(corpus *c, const char *path, char *error, size_t size);
void corpus_free(corpus *c);

/* A hash of the text's characters. */
int64_t corpus_digest(const corpus *c);

/* Its parts. read_bytes: a file's bytes, to be freed; NULL, and one line in error. decode: the code point at s and its
 * length in bytes; 0 when it is not UTF-8 (Unicode, table 3-7). */
unsigned char *corpus_read_bytes(const char *path, size_t *n, char *error, size_t size);
int corpus_decode(const unsigned char *s, size_t left, int32_t *code);
/* True when a code point is in one of n ranges, ascending, both ends included. */
bool corpus_in(const int32_t (*range)[2], size_t n, int32_t code);

/* n pieces of T characters that begin at start[i]: word (n, T), and next (n, T) the character after each. */
void corpus_pieces(const corpus *c, int64_t n, const int64_t *start, int64_t T, int64_t *word, int64_t *next);

/* Mean -ln P(character | previous character), in nats, over n characters from position first on; P is estimated on the
 * training part and interpolated with the frequencies of single characters (Witten, Bell 1991): with c(a) the count of
 * a and d(a) the number of different characters that followed it,
 *   P(b|a) = (c(ab) + d(a) P(b)) / (c(a) + d(a)),  P(b) = (c(b) + 1) / (n_train + vocabulary)
 * NaN when out of memory. */
double corpus_bigram_loss(const corpus *c, int64_t first, int64_t n);

#endif
