/* Splits a text into the pieces within which byte pairs are joined, by one of these patterns (a | b: a first):
 *   GPT-2 (Radford et al. 2019)
 *     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *   Llama 3; Qwen2 and Qwen3 with \p{N} in the place of \p{N}{1,3}
 *     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}
 *     | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+ */
#ifndef EXAMPLES_GPT_SPLIT_H
#define EXAMPLES_GPT_SPLIT_H

#include <stdbool.h>
#include <stddef.h>

/* Differences of the patterns; all zero: GPT-2's. */
typedef struct split_rule {
    bool any_case;  /* contractions in capitals too, and with U+017F for s */
    bool any_lead;  /* letters may follow any character but a digit or a line end, digits none; else a space */
    bool new_lines; /* line ends belong to the punctuation before them; spaces up to the last line end are a piece */
    int digits;     /* at most this many; 0: any number */
} split_rule;

/* The rule of a pattern, compared as text; NULL: not one of the above. */
const split_rule *split_rule_of(const char *pattern);

/* The length in bytes of the first piece of n > 0 bytes of UTF-8. An invalid byte counts as a character that is neither
 * letter nor number nor space. */
size_t split_piece(const split_rule *r, const unsigned char *s, size_t n);

#endif
