/* Walks in tiles, and moves of their elements: see core/frameworks/tiles.h. */
#include "core/frameworks/tiles.h"
#include "core/kernels/isa.h"
#include "core/kernels/moves.h"

#include <stdlib.h>
#include <string.h>

#ifdef real

/* Bools as bytes, so that the compiler vectorises. */
static void FN(read_bools)(int64_t n, real *out, const uint8_t *x) {
    for (int64_t j = 0; j < n; j++)
        out[j] = x[j];
}

/* Scalar code, out of line, so that it is compiled once and not per set. */
__attribute__((noinline)) static void FN(read_bools_apart)(int64_t n, real *out, const uint8_t *x, int64_t stride) {
    for (int64_t j = 0; j < n; j++)
        out[j] = x[j * stride];
}

__attribute__((noinline)) static void FN(read_integers_apart)(int64_t n, real *out, const int64_t *x, int64_t stride) {
    for (int64_t j = 0; j < n; j++)
        out[j] = (real)x[j * stride];
}

/* For |x| < 2^51, x + 1.5 * 2^52 has x in its last bits: this vectorises a conversion that AVX2 lacks. Where a larger
 * one is met, all are converted again. */
static void FN(read_integers)(int64_t n, real *out, const int64_t *x) {
    uint64_t large = 0, bits;
    double sum;
    for (int64_t j = 0; j < n; j++) {
        large |= (uint64_t)x[j] + (1ull << 51);
        bits = (uint64_t)x[j] + 0x4338000000000000;
        memcpy(&sum, &bits, sizeof sum);
        out[j] = (real)(sum - 0x1.8p52);
    }
    if (large >> 52)
        FN(read_integers_apart)(n, out, x, 1);
}

/* Fills each row with one element. */
static void FN(spread)(const real *x, int64_t step, int64_t rows, int64_t columns, real *out) {
    for (int64_t i = 0; i < rows; i++, x += step, out += columns) {
        real value = *x;
        for (int64_t j = 0; j < columns; j++)
            out[j] = value;
    }
}

static void FN(gather)(const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns,
                       real *out) {
    if (x->dtype == REAL_DTYPE && stride[1] == 0)
        FN(spread)((const real *)x->data + at, stride[0], rows, columns, out);
    else if (x->dtype == REAL_DTYPE)
        tg_move_tile(sizeof(real), rows, columns, out, (int64_t[]){columns, 1}, (const real *)x->data + at, stride);
    for (int64_t i = 0; i < rows && x->dtype != REAL_DTYPE; i++, at += stride[0])
        if (x->dtype == TG_BOOL && stride[1] == 1)
            FN(read_bools)(columns, out + i * columns, (const uint8_t *)x->data + at);
        else if (x->dtype == TG_BOOL)
            FN(read_bools_apart)(columns, out + i * columns, (const uint8_t *)x->data + at, stride[1]);
        else if (stride[1] == 1)
            FN(read_integers)(columns, out + i * columns, (const int64_t *)x->data + at);
        else
            FN(read_integers_apart)(columns, out + i * columns, (const int64_t *)x->data + at, stride[1]);
}

static void FN(store)(STORED(real)) {
    for (int64_t j = 0; j < n; j++)
        out[j] = values[j] != 0;
}

/* dx += rows of n elements, `step` apart */
static void FN(add_rows)(int64_t rows, int64_t n, real *restrict dx, const real *restrict row, int64_t step) {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4, row += 4 * step)
        for (int64_t j = 0; j < n; j++)
            dx[j] += (row[j] + row[j + step]) + (row[j + 2 * step] + row[j + 3 * step]);
    for (; i < rows; i++, row += step)
        for (int64_t j = 0; j < n; j++)
            dx[j] += row[j];
}

/* The sum of a run of at most TG_ROW_MAX elements, as LANES interleaved sums. */
static real FN(sum_of)(int64_t n, const real *x) {
    real s[LANES] = {0};
    int64_t j = 0;
    for (; j + LANES <= n; j += LANES)
        for (int k = 0; k < LANES; k++)
            s[k] += x[j + k];
    for (; j < n; j++)
        s[j % LANES] += x[j];
    for (int half = LANES / 2; half; half /= 2)
        for (int k = 0; k < half; k++)
            s[k] += s[k + half];
    return s[0];
}

__attribute__((noinline)) static void FN(add_across)(int64_t rows, int64_t columns, real *dx, const int64_t *stride,
                                                     const real *values, int64_t step) {
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < rows; i++)
            dx[i * stride[0] + j * stride[1]] += values[i * step + j];
}

/* dx, with these strides along rows and columns, += a tile whose rows are `step` apart. */
static void FN(add)(ADDED(real)) {
    int64_t together = stride[0] == 0 && stride[1] == 1 ? rows : 1;
    if (stride[1] > 1 || stride[1] < 0) {
        FN(add_across)(rows, columns, dx, stride, values, step);
        return;
    }
    for (int64_t i = 0; i < rows; i += together, dx += stride[0], values += step)
        if (stride[1])
            FN(add_rows)(together, columns, dx, values, step);
        else
            *dx += FN(sum_of)(columns, values);
}

#else
enum { LANES = 16 }; /* partial sums of a row */
#define GATHERED(real) const tg_node *x, ptrdiff_t at, const int64_t *stride, int64_t rows, int64_t columns, real *out
#define STORED(real) int64_t n, uint8_t *out, const real *values
#define ADDED(real) int64_t rows, int64_t columns, real *dx, const int64_t *stride, const real *values, int64_t step
#define TG_SELF "frameworks/tiles.c"
#include "core/twice.h"

/* Each is also compiled for AVX2, which is used for AVX-512 too: they are memory-bound. */
#ifdef TG_WIDE_VECTORS
#define WIDE(set, type, real)                                                                                         \
    TG_WIDE_FUNCTION(set) gather_##type##_##set(GATHERED(real)) { gather_##type(x, at, stride, rows, columns, out); } \
    TG_WIDE_FUNCTION(set) add_##type##_##set(ADDED(real)) { add_##type(rows, columns, dx, stride, values, step); }    \
    TG_WIDE_FUNCTION(set) store_##type##_##set(STORED(real)) { store_##type(n, out, values); }
WIDE(AVX2, f32, float)
WIDE(AVX2, f64, double)
#define SETS(name) \
    { name, [1 + TG_WIDE_AVX2] = name##_AVX2, [1 + TG_WIDE_AVX512] = name##_AVX2 }
#else
#define SETS(name) \
    { name }
#endif

void tg_tile_gather_f32(GATHERED(float)) {
    static void (*const of[])(GATHERED(float)) = SETS(gather_f32);
    of[tg_isa_now()->wide](x, at, stride, rows, columns, out);
}
void tg_tile_gather_f64(GATHERED(double)) {
    static void (*const of[])(GATHERED(double)) = SETS(gather_f64);
    of[tg_isa_now()->wide](x, at, stride, rows, columns, out);
}
void tg_store_bools_f32(STORED(float)) {
    static void (*const of[])(STORED(float)) = SETS(store_f32);
    of[tg_isa_now()->wide](n, out, values);
}
void tg_store_bools_f64(STORED(double)) {
    static void (*const of[])(STORED(double)) = SETS(store_f64);
    of[tg_isa_now()->wide](n, out, values);
}
void tg_tile_add_f32(ADDED(float)) {
    static void (*const of[])(ADDED(float)) = SETS(add_f32);
    of[tg_isa_now()->wide](rows, columns, dx, stride, values, step);
}
void tg_tile_add_f64(ADDED(double)) {
    static void (*const of[])(ADDED(double)) = SETS(add_f64);
    of[tg_isa_now()->wide](rows, columns, dx, stride, values, step);
}

/* ---- the walk ---- */

/* SIDE: columns of a tile whose rows are another array's columns. SHORT: up to this length rows are worth joining. */
enum { SIDE = 64, SHORT = 128, FEWEST = 4 };

void tg_tiles_begin(tg_tiles *t, int ndim, const int64_t *size) {
    t->arrays = 0;
    t->ndim = ndim;
    memcpy(t->size, size, sizeof *size * (size_t)ndim);
}

int tg_tiles_add(tg_tiles *t, const int64_t *stride) {
    memcpy(t->stride[t->arrays], stride, sizeof *stride * (size_t)t->ndim);
    return t->arrays++;
}

static void copy_dim(tg_tiles *t, int to, int from) {
    t->size[to] = t->size[from];
    for (int k = 0; k < t->arrays; k++)
        t->stride[k][to] = t->stride[k][from];
}

/* True when dim i continues `last` in memory in every array. */
static bool follows(const tg_tiles *t, int last, int i) {
    for (int k = 0; k < t->arrays; k++)
        if (t->stride[k][last] != t->stride[k][i] * t->size[i])
            return false;
    return true;
}

static void merge_dims(tg_tiles *t) {
    int last = -1;
    for (int i = 0; i < t->ndim; i++) {
        if (t->size[i] == 1)
            continue;
        int64_t size = t->size[i];
        if (last >= 0 && follows(t, last, i))
            size *= t->size[last--];
        copy_dim(t, ++last, i);
        t->size[last] = size;
    }
    t->ndim = last + 1;
}

/* Prepend a dim of size 1. */
static void add_dim(tg_tiles *t) {
    for (int i = t->ndim++; i > 0; i--)
        copy_dim(t, i, i - 1);
    t->size[0] = 1;
    for (int k = 0; k < t->arrays; k++)
        t->stride[k][0] = 1;
}

/* A dim along which some array is dense that is not dense along the last dim; else -1. */
static int find_rows(const tg_tiles *t) {
    int last = t->ndim - 1;
    for (int k = 1; k < t->arrays; k++)
        for (int i = 0; llabs(t->stride[k][last]) > 1 && i < last; i++)
            if (t->stride[k][i] == 1 && t->size[i] >= FEWEST && t->size[last] >= FEWEST)
                return i;
    return -1;
}

static void move_to_rows(tg_tiles *t, int i) {
    int64_t size = t->size[i], stride[TG_TILED];
    for (int k = 0; k < t->arrays; k++)
        stride[k] = t->stride[k][i];
    for (; i < t->ndim - 2; i++)
        copy_dim(t, i, i + 1);
    t->size[i] = size;
    for (int k = 0; k < t->arrays; k++)
        t->stride[k][i] = stride[k];
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

void tg_tiles_plan(tg_tiles *t, int64_t elements, int64_t run, int64_t line, bool in_order) {
    merge_dims(t);
    while (t->ndim < 2)
        add_dim(t);
    int crossed = find_rows(t), last = t->ndim - 1;
    if (crossed >= 0)
        move_to_rows(t, crossed);
    t->columns = least(t->size[last], crossed < 0 ? run : line ? elements / line : SIDE);
    t->joined = t->columns == t->size[last] && t->columns < SHORT && t->stride[0][last - 1] == t->columns;
    if (in_order && crossed < 0 && t->columns < t->size[last])
        elements = t->columns;
    t->rows = least(t->size[last - 1], (t->joined ? run : elements) / t->columns);
    t->row_steps = (t->size[last - 1] - 1) / t->rows + 1;
    t->column_steps = (t->size[last] - 1) / t->columns + 1;
    t->count = t->row_steps * t->column_steps;
    for (int i = 0; i < last - 1; i++)
        t->count *= t->size[i];
}

static void move_by(tg_tile *w, int64_t n, int dim) {
    for (int k = 0; k < w->tiles->arrays; k++)
        w->at[k] += n * w->tiles->stride[k][dim];
}

void tg_tile_seek(tg_tile *w, const tg_tiles *t, int64_t number) {
    int64_t i = number / t->column_steps, row = i % t->row_steps * t->rows;
    int last = t->ndim - 1;
    *w = (tg_tile){.tiles = t, .number = number, .column = number % t->column_steps * t->columns};
    w->rows = least(t->rows, t->size[last - 1] - row);
    w->columns = least(t->columns, t->size[last] - w->column);
    move_by(w, w->column, last);
    move_by(w, row, last - 1);
    i /= t->row_steps;
    for (int d = last - 2; d >= 0; i /= t->size[d--])
        move_by(w, i % t->size[d], d);
}

void tg_tile_next(tg_tile *w) {
    const tg_tiles *t = w->tiles;
    int64_t length = t->size[t->ndim - 1];
    if (w->column + t->columns >= length) {
        tg_tile_seek(w, t, w->number + 1);
        return;
    }
    w->number++;
    w->column += t->columns;
    w->columns = least(t->columns, length - w->column);
    move_by(w, t->columns, t->ndim - 1);
}

#endif
