/* Unicode's normalization form C (Unicode Standard Annex 15): a letter and its accents as one character if it exists,
 * else in canonical order. */
#ifndef EXAMPLES_GPT_NFC_H
#define EXAMPLES_GPT_NFC_H

#include <stddef.h>

enum { NFC_GROWTH = 3 }; /* out needs this many times n bytes */

/* Normalises n bytes of UTF-8 to out; returns the length. Invalid UTF-8 is copied. */
size_t nfc(const unsigned char *s, size_t n, unsigned char *out);

#endif
