/* Strided matrices, and the arithmetic of their partition. */
#ifndef TAPEGRAD_MATRIX_H
#define TAPEGRAD_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t tg_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t tg_max(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t tg_blocks(int64_t n, int64_t block) { return (n + block - 1) / block; }
static inline int64_t tg_round_up(int64_t n, int64_t step) { return tg_blocks(n, step) * step; }

/* The height of the next tile with `left` rows to go. In a tile of few rows each sum waits for the previous one, so
 * where fewer than four rows would be left, the last two tiles share their rows evenly. */
static inline int tg_tile_rows(int64_t left, int rows) {
    return (int)(left >= rows + 4 || left == rows ? rows : left > rows ? (left + 1) / 2 : left);
}

#define tg_matrix FN(tg_matrix)
#define TG_SELF "kernels/matrix_twice.h"
#include "core/twice.h"

#endif
