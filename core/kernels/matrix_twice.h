/* A matrix for one type: part of core/kernels/matrix.h. Element (i, j) is data[i * row + j * col]. */
typedef struct tg_matrix {
    real *data;
    ptrdiff_t row, col;
} tg_matrix;

static inline tg_matrix FN(tg_transposed)(tg_matrix x) { return (tg_matrix){x.data, x.col, x.row}; }

/* x from row i on; an absent matrix (data NULL) stays absent. */
static inline tg_matrix FN(tg_rows_from)(tg_matrix x, int64_t i) {
    return (tg_matrix){x.data ? x.data + i * x.row : NULL, x.row, x.col};
}
