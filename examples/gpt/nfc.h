/* Unicode's normalization form C (Unicode Standard Annex 15): a letter and its accents as one character where there is
 * one, else in a fixed order. */
#ifndef EXAMPLES_GPT_NFC_H
#define EXAMPLES_GPT_NFC_H

#include <stddef.h>

enum { NFC_GROWTH = 3 }; /* out has room for so many times n bytes */

/* n bytes of UTF-8 to out; their number. What is no UTF-8 stays. */
size_t nfc(const unsigned char *s, size_t n, unsigned char *out);

#endif
