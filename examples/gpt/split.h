/* Where GPT-2 cuts a text before it joins byte pairs within each piece (Radford et al. 2019):
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ */
#ifndef EXAMPLES_GPT_SPLIT_H
#define EXAMPLES_GPT_SPLIT_H

#include <stddef.h>

/* The length in bytes of the piece with which n > 0 bytes of UTF-8 begin. A byte that is no UTF-8 counts as a character
 * that is neither letter nor number nor space. */
size_t split_piece(const unsigned char *s, size_t n);

#endif
