/* Matrix products on strided matrices. */
#ifndef TAPEGRAD_GEMM_H
#define TAPEGRAD_GEMM_H

#include "core/kernels/isa.h"

/* How a product is computed: the table at the top of core/kernels/gemm.c says when and why. */
typedef enum tg_gemm_form { TG_REFERENCE, TG_TINY, TG_DOTS, TG_TILES } tg_gemm_form;

/* Which part of a product is computed. Row i of C, or of A, ends at column i + diagonal (lower) or begins at column i -
 * diagonal (upper). Elements beyond may be left out of C, and must be 0 in A. diagonal >= 0. */
typedef enum tg_part { TG_WHOLE, TG_LOWER_C, TG_LOWER_A, TG_UPPER_A } tg_part;
typedef struct tg_triangle {
    tg_part part;
    int64_t diagonal;
} tg_triangle;

/* Many products of one size: the matrices of a, b and c are `a`, `b` and `c` elements apart along a dim of `size`.
 * Results are summed where c is 0. */
typedef struct tg_batches {
    int ndim;
    int64_t size[TG_MAX_DIMS], a[TG_MAX_DIMS], b[TG_MAX_DIMS], c[TG_MAX_DIMS];
} tg_batches;

#define TG_SELF "kernels/gemm_twice.h"
#include "core/twice.h"

#endif
