/* Every kernel of every instruction set that this machine has agrees with plain arithmetic in long double. */
#include "core/kernels/gemm.h"
#include "core/kernels/isa.h"
#include "tests/support.h"

#include <float.h>

static uint64_t random_state = 1;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* ---- matrix products ---- */

/* A matrix of rows x cols whose elements lie `row` and `col` apart in an array of its own, exactly as long as it
 * must be, so that a sanitizer sees a step outside. */
typedef struct matrix {
    int64_t rows, cols;
    ptrdiff_t row, col;
    float *f32;
    double *f64;
    size_t n;
} matrix;

typedef enum { ROWS, COLUMNS, SPREAD } layout;

static matrix new_matrix(int64_t rows, int64_t cols, layout how) {
    matrix m = {.rows = rows, .cols = cols};
    m.row = how == COLUMNS ? 1 : how == ROWS ? cols : 2 * cols + 1;
    m.col = how == COLUMNS ? rows : how == ROWS ? 1 : 2;
    m.n = rows && cols ? (size_t)((rows - 1) * m.row + (cols - 1) * m.col + 1) : 0;
    m.f32 = malloc(m.n * sizeof(float) + 1);
    m.f64 = malloc(m.n * sizeof(double) + 1);
    for (size_t i = 0; i < m.n; i++) {
        m.f32[i] = (float)uniform(-1, 1);
        m.f64[i] = (double)m.f32[i];
    }
    return m;
}

static tg_matrix_f32 f32_of(const matrix *m) { return (tg_matrix_f32){m->f32, m->row, m->col}; }
static tg_matrix_f64 f64_of(const matrix *m) { return (tg_matrix_f64){m->f64, m->row, m->col}; }

static void free_matrix(matrix *m) {
    free(m->f32);
    free(m->f64);
}

/* C as it was before the product, what it must be, and how much rounding it may have suffered. */
typedef struct expected {
    double value, scale;
} expected;

static expected element(const matrix *a, const matrix *b, bool add, double before, int64_t i, int64_t j) {
    long double sum = add ? before : 0, scale = add ? fabs(before) : 0;
    for (int64_t p = 0; p < a->cols; p++) {
        double product = a->f64[i * a->row + p * a->col] * b->f64[p * b->row + j * b->col];
        sum += product;
        scale += fabs(product);
    }
    return (expected){(double)sum, (double)scale};
}

/* Of every element, row by row: once for all instruction sets. */
static expected *all_elements(const matrix *a, const matrix *b, bool add, const matrix *before) {
    expected *e = malloc((size_t)(before->rows * before->cols + 1) * sizeof *e);
    for (int64_t i = 0; i < before->rows; i++)
        for (int64_t j = 0; j < before->cols; j++)
            e[i * before->cols + j] = element(a, b, add, before->f64[i * before->row + j * before->col], i, j);
    return e;
}

/* Row i of C up to column i + diagonal. */
static void compare(const matrix *a, const matrix *b, bool add, int64_t diagonal, const matrix *before, const matrix *c,
                    const expected *elements) {
    char *inside = calloc(c->n + 1, 1);
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->cols; j++) {
            inside[i * c->row + j * c->col] = 1;
            if (j > i + diagonal)
                continue;
            int64_t at = i * c->row + j * c->col;
            expected e = elements[i * c->cols + j];
            double bound = (double)(a->cols + 2) * e.scale;
            bool good = fabs((double)c->f32[at] - e.value) <= bound * (double)FLT_EPSILON / 2 &&
                        fabs(c->f64[at] - e.value) <= bound * DBL_EPSILON;
            if (!good) /* check writes to a file for every assertion, which is slow for every element */
                ck_abort_msg("%s: %lld x %lld x %lld, strides %td %td, %td %td, %td %td, add %d: element %lld, %lld is "
                             "%.9g and %.17g instead of %.17g",
                             tg_isa_now()->name, (long long)a->rows, (long long)b->cols, (long long)a->cols, a->row,
                             a->col, b->row, b->col, c->row, c->col, add, (long long)i, (long long)j,
                             (double)c->f32[at], c->f64[at], e.value);
        }
    for (size_t i = 0; i < c->n; i++)
        if (!inside[i] && (c->f32[i] != before->f32[i] || c->f64[i] != before->f64[i]))
            ck_abort_msg("%s: wrote between the elements of C", tg_isa_now()->name);
    free(inside);
}

static void copy_elements(matrix *to, const matrix *from) {
    memcpy(to->f32, from->f32, to->n * sizeof *to->f32);
    memcpy(to->f64, from->f64, to->n * sizeof *to->f64);
}

/* With every instruction set. */
static void check_product(tg_tape *t, int64_t m, int64_t n, int64_t k, layout la, layout lb, layout lc, bool add) {
    matrix a = new_matrix(m, k, la), b = new_matrix(k, n, lb), c = new_matrix(m, n, lc), before = new_matrix(m, n, lc);
    expected *elements = all_elements(&a, &b, add, &before);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        copy_elements(&c, &before);
        ck_assert_int_eq(tg_gemm_f32(t, m, n, k, f32_of(&a), f32_of(&b), add, f32_of(&c)), 0);
        ck_assert_int_eq(tg_gemm_f64(t, m, n, k, f64_of(&a), f64_of(&b), add, f64_of(&c)), 0);
        compare(&a, &b, add, n, &before, &c, elements);
    }
    free(elements);
    free_matrix(&a);
    free_matrix(&b);
    free_matrix(&c);
    free_matrix(&before);
}

/* Zeros in A where the triangle says so. */
static void cut_triangle(matrix *a, tg_triangle triangle) {
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t p = 0; p < a->cols; p++)
            if ((triangle.part == TG_LOWER_A && p > i + triangle.diagonal) ||
                (triangle.part == TG_UPPER_A && p < i - triangle.diagonal)) {
                a->f32[i * a->row + p * a->col] = 0;
                a->f64[i * a->row + p * a->col] = 0;
            }
}

static void check_triangle(tg_tape *t, tg_triangle triangle, const int64_t *s, layout lies, bool add) {
    matrix a = new_matrix(s[0], s[2], lies), b = new_matrix(s[2], s[1], lies);
    matrix c = new_matrix(s[0], s[1], ROWS), before = new_matrix(s[0], s[1], ROWS);
    cut_triangle(&a, triangle);
    expected *elements = all_elements(&a, &b, add, &before);
    int64_t m = s[0], n = s[1], k = s[2];
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        copy_elements(&c, &before);
        ck_assert_int_eq(tg_gemm_triangle_f32(t, triangle, m, n, k, f32_of(&a), f32_of(&b), add, f32_of(&c)), 0);
        ck_assert_int_eq(tg_gemm_triangle_f64(t, triangle, m, n, k, f64_of(&a), f64_of(&b), add, f64_of(&c)), 0);
        compare(&a, &b, add, triangle.part == TG_LOWER_C ? triangle.diagonal : n, &before, &c, elements);
    }
    free(elements);
    free_matrix(&a);
    free_matrix(&b);
    free_matrix(&c);
    free_matrix(&before);
}

/* Sizes around lanes, tiles, and the points where packing and cutting begin. */
static const int64_t sizes[][3] = {
    {1, 1, 1},       {2, 3, 4},      {6, 2, 3},       {5, 1, 40},    {1, 33, 7},     {7, 7, 7},      {8, 9, 17},
    {13, 16, 5},     {16, 15, 16},   {23, 31, 33},    {25, 48, 65},  {1, 200, 300},  {200, 1, 300},  {100, 5, 257},
    {64, 65, 1},     {37, 129, 2},   {150, 70, 90},   {61, 70, 259}, {145, 33, 513}, {33, 290, 256}, {3, 2051, 5},
    {1, 1, 200},     {1, 37, 64},    {2, 5, 65},      {3, 50, 131},  {4, 4, 300},    {70, 2, 67},    {301, 4, 143},
    {20, 400, 1024}, {270, 390, 50}, {270, 2100, 20},
};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

START_TEST(products_agree_with_arithmetic)
{
    const int64_t *s = sizes[_i];
    tg_tape *t = tg_tape_new(TG_F32);
    for (int pair = 0; pair < 9; pair++)
        check_product(t, s[0], s[1], s[2], (layout)(pair % 3), (layout)(pair / 3), (layout)((pair + pair / 3) % 3),
                      pair % 2);
    tg_tape_free(t);
}
END_TEST

START_TEST(triangles_agree_with_arithmetic)
{
    static const int64_t triangles[][3] = {{3, 4, 5}, {40, 50, 60}, {300, 290, 280}, {70, 40, 500}, {500, 40, 70}};
    const int64_t *s = triangles[_i];
    tg_tape *t = tg_tape_new(TG_F32);
    for (int part = TG_LOWER_C; part <= TG_UPPER_A; part++)
        for (int64_t diagonal = 0; diagonal <= 130; diagonal += 13)
            check_triangle(t, (tg_triangle){(tg_part)part, diagonal}, s, (layout)((part + diagonal) % 3), diagonal % 2);
    tg_tape_free(t);
}
END_TEST

/* 0 times infinity would be NaN: no product may be made of elements that are not met. */
START_TEST(an_infinity_is_multiplied_only_where_it_belongs)
{
    enum { K = 107 };
    tg_tape *t = tg_tape_new(TG_F32);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int at = 0; at < K; at++) {
            float a[K], b[K] = {0}, c = 0;
            for (int p = 0; p < K; p++)
                a[p] = 1;
            b[at] = INFINITY;
            ck_assert_int_eq(tg_gemm_f32(t, 1, 1, K, (tg_matrix_f32){a, K, 1}, (tg_matrix_f32){b, 1, K}, false,
                                         (tg_matrix_f32){&c, 1, 1}),
                             TG_OK);
            ck_assert_msg(isinf(c), "%s: %g", tg_isa_now()->name, (double)c);
        }
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(empty_products_are_zeros)
{
    tg_tape *t = tg_tape_new(TG_F32);
    check_product(t, 0, 100, 100, ROWS, ROWS, ROWS, false);
    check_product(t, 100, 0, 100, ROWS, ROWS, ROWS, false);
    check_product(t, 100, 100, 0, ROWS, ROWS, ROWS, false);
    check_product(t, 100, 100, 0, ROWS, ROWS, SPREAD, true);
    tg_tape_free(t);
}
END_TEST

/* m n k on both sides of TG_TINY_PRODUCTS, where another form begins, in all their factors; and nothing of a great k.
 */
START_TEST(products_around_the_tiny_limit_are_right)
{
    tg_tape *t = tg_tape_new(TG_F32);
    for (int64_t size = TG_TINY_PRODUCTS - 2; size <= TG_TINY_PRODUCTS + 2; size++)
        for (int64_t m = 1; m <= size; m++)
            for (int64_t n = 1; n <= size / m; n++)
                if (size % (m * n) == 0)
                    check_product(t, m, n, size / (m * n), ROWS, (layout)(m % 3), (layout)(n % 3), n % 2);
    check_product(t, 0, 1, 100000, ROWS, ROWS, ROWS, false);
    check_product(t, 1, 0, 100000, ROWS, COLUMNS, ROWS, true);
    tg_tape_free(t);
}
END_TEST

/* Tiles of every height and width that there is: the first m rows and n columns of a product are the same in every bit
 * as when they are computed alone, which are shared out to tiles in another way. */
START_TEST(tiles_of_every_size_give_the_same_bits)
{
    enum { ROWS_OF_ALL = 33, COLUMNS_OF_ALL = 67, K = 31 };
    tg_tape *t = tg_tape_new(TG_F32);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        matrix a = new_matrix(ROWS_OF_ALL, K, ROWS), b = new_matrix(K, COLUMNS_OF_ALL, ROWS);
        matrix all = new_matrix(ROWS_OF_ALL, COLUMNS_OF_ALL, ROWS);
        ck_assert_int_eq(tg_gemm_f32(t, all.rows, all.cols, K, f32_of(&a), f32_of(&b), false, f32_of(&all)), 0);
        ck_assert_int_eq(tg_gemm_f64(t, all.rows, all.cols, K, f64_of(&a), f64_of(&b), false, f64_of(&all)), 0);
        for (int64_t m = 1; m <= all.rows; m++)
            for (int64_t n = m < 4 ? 5 - m : 1; n <= all.cols; n++) { /* beyond what is tiny */
                matrix part = new_matrix(m, n, ROWS);
                ck_assert_int_eq(tg_gemm_f32(t, m, n, K, f32_of(&a), f32_of(&b), false, f32_of(&part)), 0);
                ck_assert_int_eq(tg_gemm_f64(t, m, n, K, f64_of(&a), f64_of(&b), false, f64_of(&part)), 0);
                for (int64_t i = 0; i < m; i++)
                    if (memcmp(part.f32 + i * n, all.f32 + i * all.cols, (size_t)n * sizeof(float)) != 0 ||
                        memcmp(part.f64 + i * n, all.f64 + i * all.cols, (size_t)n * sizeof(double)) != 0)
                        ck_abort_msg("%s: %lld x %lld: row %lld", tg_isa_now()->name, (long long)m, (long long)n,
                                     (long long)i);
                free_matrix(&part);
            }
        expected *elements = all_elements(&a, &b, false, &all);
        compare(&a, &b, false, all.cols, &all, &all, elements); /* all of it is the product */
        free(elements);
        free_matrix(&a);
        free_matrix(&b);
        free_matrix(&all);
    }
    tg_tape_free(t);
}
END_TEST

/* ---- threads ---- */

static void product_bits(tg_tape *t, const int64_t *s, int threads, const matrix *a, const matrix *b, matrix *c) {
    tg_set_threads(threads);
    ck_assert_int_eq(tg_get_threads(), threads);
    ck_assert_int_eq(tg_gemm_f32(t, s[0], s[1], s[2], f32_of(a), f32_of(b), false, f32_of(c)), 0);
    ck_assert_int_eq(tg_gemm_f64(t, s[0], s[1], s[2], f64_of(a), f64_of(b), false, f64_of(c)), 0);
}

static const int64_t large_sizes[][3] = {{300, 200, 520}, {7, 2100, 300},  {2100, 7, 300}, {300, 400, 1030},
                                         {96, 96, 96},    {1, 1030, 1027}, {1503, 3, 400}};
enum { N_LARGE_SIZES = sizeof large_sizes / sizeof *large_sizes };

START_TEST(threads_do_not_change_a_bit)
{
    const int64_t *s = large_sizes[_i];
    const int threads[] = {2, 3, 8};
    tg_tape *t = tg_tape_new(TG_F32);
    matrix a = new_matrix(s[0], s[2], ROWS), b = new_matrix(s[2], s[1], COLUMNS);
    matrix one = new_matrix(s[0], s[1], ROWS), many = new_matrix(s[0], s[1], ROWS);
    product_bits(t, s, 1, &a, &b, &one);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        product_bits(t, s, threads[i], &a, &b, &many);
        ck_assert_int_eq(memcmp(one.f32, many.f32, one.n * sizeof(float)), 0);
        ck_assert_int_eq(memcmp(one.f64, many.f64, one.n * sizeof(double)), 0);
    }
    free_matrix(&a);
    free_matrix(&b);
    free_matrix(&one);
    free_matrix(&many);
    tg_tape_free(t);
}
END_TEST

/* 5 x 8 products; A repeats along the first dim, B along the second. meet: the results of the first dim add up. */
typedef struct batch_size {
    int64_t m, n, k;
} batch_size;

static void batch_bits(tg_tape *t, int threads, bool meet, batch_size s, const matrix *a, const matrix *b, matrix *c) {
    tg_batches batches = {2, {5, 8}, {0, s.m * s.k}, {s.k * s.n, 0}, {meet ? 0 : 8 * s.m * s.n, s.m * s.n}};
    tg_matrix_f32 x = {a->f32, s.k, 1}, y = {b->f32, 1, s.k}, z = {c->f32, s.n, 1};
    tg_set_threads(threads);
    memset(c->f32, 0, c->n * sizeof(float));
    ck_assert_int_eq(tg_gemm_batched_f32(t, &batches, s.m, s.n, s.k, x, y, meet, z), 0);
}

static void one_by_one(tg_tape *t, bool meet, batch_size s, const matrix *a, const matrix *b, matrix *c) {
    memset(c->f32, 0, c->n * sizeof(float));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++) {
            tg_matrix_f32 x = {a->f32 + j * s.m * s.k, s.k, 1}, y = {b->f32 + i * s.k * s.n, 1, s.k};
            tg_matrix_f32 z = {c->f32 + ((meet ? 0 : i * 8) + j) * s.m * s.n, s.n, 1};
            ck_assert_int_eq(tg_gemm_f32(t, s.m, s.n, s.k, x, y, meet, z), 0);
        }
}

/* Tiny; tiles, of which 40 are worth several threads; dots, as they are and transposed; tiles that are packed. */
static const batch_size batch_sizes[] = {{4, 4, 4}, {3, 5, 2}, {21, 34, 40}, {2, 90, 80}, {90, 3, 100}, {60, 260, 280}};
enum { N_BATCH_SIZES = sizeof batch_sizes / sizeof *batch_sizes };

START_TEST(batches_are_their_products)
{
    const int threads[] = {1, 2, 3, 8};
    batch_size s = batch_sizes[_i];
    size_t repeats = s.m * s.n * s.k > 1 << 20 ? 1 : 20; /* often: a race need not show */
    tg_tape *t = tg_tape_new(TG_F32);
    matrix a = new_matrix(8 * s.m, s.k, ROWS), b = new_matrix(5 * s.k, s.n, ROWS);
    matrix one = new_matrix(40 * s.m, s.n, ROWS), many = new_matrix(40 * s.m, s.n, ROWS);
    for (int set = 0; tg_isa_at(set); set++)
        for (int meet = 0; meet < 2; meet++) {
            tg_isa_use(tg_isa_at(set));
            one_by_one(t, meet, s, &a, &b, &one);
            for (size_t i = 0; i < repeats * sizeof threads / sizeof *threads; i++) {
                batch_bits(t, threads[i % 4], meet, s, &a, &b, &many);
                ck_assert_int_eq(memcmp(one.f32, many.f32, one.n * sizeof(float)), 0);
            }
        }
    free_matrix(&a);
    free_matrix(&b);
    free_matrix(&one);
    free_matrix(&many);
    tg_tape_free(t);
}
END_TEST

/* ---- normalisation ---- */

typedef struct norm_case {
    int64_t n;
    bool centered; /* layer_norm, else rms_norm, which has no b */
    double x[2100], w[2100], b[2100], dy[2100], y[2100], dx[2100], dw[2100];
} norm_case;

/* One row by the formulas of core/ops/layer_norm.c or rms_norm.c, in long double. */
static void normalise(norm_case *c, double eps) {
    long double mean = 0, var = 0, g = 0, gh = 0, n = (long double)c->n;
    for (int64_t j = 0; j < c->n && c->centered; j++)
        mean += c->x[j] / n;
    for (int64_t j = 0; j < c->n; j++)
        var += (c->x[j] - mean) * (c->x[j] - mean) / n;
    long double scale = 1 / sqrtl(var + eps);
    for (int64_t j = 0; j < c->n; j++) {
        long double h = (c->x[j] - mean) * scale;
        g += c->centered ? c->dy[j] * c->w[j] / n : 0;
        gh += c->dy[j] * c->w[j] * h / n;
        c->y[j] = (double)(h * c->w[j] + (c->centered ? c->b[j] : 0));
        c->dw[j] = (double)(c->dy[j] * h);
    }
    for (int64_t j = 0; j < c->n; j++)
        c->dx[j] = (double)((c->dy[j] * c->w[j] - g - (c->x[j] - mean) * scale * gh) * scale);
}

static void check_values(tg_tensor x, const double *right, int64_t n, const char *what) {
    double v[3900], tolerance = tg_dtype_of(x) == TG_F32 ? 4e-6 : 1e-14;
    ck_assert_int_eq(tg_read_doubles(x, v, n), TG_OK);
    for (int64_t j = 0; j < n; j++)
        if (!(fabs(v[j] - right[j]) <= tolerance * fmax(1, fabs(right[j]))))
            ck_abort_msg("%s, n = %lld: %s[%lld] %g, not %g", tg_isa_now()->name, (long long)n, what, (long long)j,
                         v[j], right[j]);
}

static void check_norm(const norm_case *c, tg_dtype dtype) {
    tg_tape *t = tg_tape_new(dtype);
    tg_shape shape = TG_SHAPE(c->n);
    tg_tensor x = tg_set_requires_grad(tg_from_doubles(t, shape, c->x), true);
    tg_tensor w = tg_set_requires_grad(tg_from_doubles(t, shape, c->w), true);
    tg_tensor b = tg_set_requires_grad(tg_from_doubles(t, shape, c->b), true);
    tg_tensor y = c->centered ? tg_layer_norm(x, w, b, 1e-5) : tg_rms_norm(x, w, 1e-5);
    tg_tensor dy = tg_from_doubles(t, shape, c->dy);
    ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
    check_values(y, c->y, c->n, "y");
    check_values(tg_grad(x), c->dx, c->n, "dx");
    check_values(tg_grad(w), c->dw, c->n, "dw");
    if (c->centered)
        check_values(tg_grad(b), c->dy, c->n, "db");
    double twice[2100];
    for (int64_t j = 0; j < c->n; j++)
        twice[j] = 2 * c->dx[j];
    ck_assert_int_eq(tg_backward_with(y, dy), TG_OK); /* adds */
    check_values(tg_grad(x), twice, c->n, "twice dx");
    tg_tape_free(t);
}

static const int64_t norm_sizes[] = {2, 3, 7, 8, 9, 16, 17, 31, 33, 64, 130, 1025, 2100};
enum { N_NORM_SIZES = sizeof norm_sizes / sizeof *norm_sizes };

START_TEST(rows_are_normalised)
{
    static norm_case c;
    c.n = norm_sizes[_i / 2];
    c.centered = _i % 2;
    for (int64_t j = 0; j < c.n; j++) {
        c.x[j] = (float)uniform(1, 4);
        c.w[j] = (float)uniform(-1, 1);
        c.b[j] = (float)uniform(-1, 1);
        c.dy[j] = (float)uniform(-1, 1);
    }
    normalise(&c, 1e-5);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        check_norm(&c, TG_F32);
        check_norm(&c, TG_F64);
    }
}
END_TEST

/* y = b, whatever x is: dx is 0, and not rounding times 1 / sqrt(eps). */
START_TEST(a_row_of_one_element_has_no_gradient)
{
    enum { SINGLES = 40 };
    double dy[SINGLES], dx[SINGLES];
    for (int i = 0; i < SINGLES; i++)
        dy[i] = uniform(1, 100);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        tg_tape *t = tg_tape_new(TG_F32);
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(SINGLES, 1)), true), w = tg_full(t, TG_SHAPE(1), 0.3);
        tg_tensor y = tg_layer_norm(x, w, TG_NULL, 1e-5);
        for (int twice = 0; twice < 2; twice++)
            ck_assert_int_eq(tg_backward_with(y, tg_from_doubles(t, TG_SHAPE(SINGLES, 1), dy)), TG_OK);
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), dx, SINGLES), TG_OK);
        for (int i = 0; i < SINGLES; i++)
            ck_assert_msg(dx[i] == 0, "%s: %g", tg_isa_now()->name, dx[i]);
        tg_tape_free(t);
    }
}
END_TEST

/* Rows of several pieces, by core/ops/bias_gelu.c's formula in double: forward, and twice backward. */
START_TEST(wide_rows_of_bias_gelu_are_right)
{
    enum { WIDE_ROWS = 3, WIDE = 1300 };
    static double x[WIDE_ROWS * WIDE], b[WIDE], dy[WIDE_ROWS * WIDE], y[WIDE_ROWS * WIDE], dx[WIDE_ROWS * WIDE],
        db[WIDE];
    for (int j = 0; j < WIDE; j++)
        b[j] = (float)uniform(-1, 1);
    for (int i = 0; i < WIDE_ROWS * WIDE; i++) {
        x[i] = (float)uniform(-3, 3);
        dy[i] = (float)uniform(-1, 1);
        double s = x[i] + b[i % WIDE], cdf = (1 + erf(s * 0.70710678118654752440)) / 2;
        y[i] = s * cdf;
        dx[i] = 2 * dy[i] * (cdf + s * exp(-s * s / 2) * 0.39894228040143267794);
        db[i % WIDE] += dx[i];
    }
    for (int set = 0; tg_isa_at(set); set++)
        for (int dtype = 0; dtype < 2; dtype++) {
            tg_isa_use(tg_isa_at(set));
            tg_tape *t = tg_tape_new(dtype ? TG_F64 : TG_F32);
            tg_shape shape = TG_SHAPE(WIDE_ROWS, WIDE);
            tg_tensor in = wanting(tg_from_doubles(t, shape, x)), bias = wanting(tg_from_doubles(t, TG_SHAPE(WIDE), b));
            tg_tensor out = tg_bias_gelu(in, bias);
            for (int twice = 0; twice < 2; twice++)
                ck_assert_int_eq(tg_backward_with(out, tg_from_doubles(t, shape, dy)), TG_OK);
            check_values(out, y, WIDE_ROWS * WIDE, "y");
            check_values(tg_grad(in), dx, WIDE_ROWS * WIDE, "dx");
            check_values(tg_grad(bias), db, WIDE, "db");
            tg_tape_free(t);
        }
}
END_TEST

/* ---- the same bits wherever operands lie ---- */

enum { LYING = 40, OPERANDS = 7, LAYOUTS = 4000 };

/* Kernels on arrays of n that lie one behind the other in this order, so far apart. numbers: their values. */
#define LIE_AT(real)                                                                                             \
    static void lie_at_##real(const int *order, int apart, int n, const double *numbers, real *out) {            \
        static real room[OPERANDS * (LYING + 64)];                                                               \
        real *x[OPERANDS], saved[2];                                                                             \
        for (int i = 0; i < OPERANDS; i++) {                                                                     \
            x[i] = room + order[i] * (n + apart);                                                                \
            for (int j = 0; j < n; j++)                                                                          \
                x[i][j] = (real)numbers[i * LYING + j];                                                          \
        }                                                                                                        \
        for (int with = 0; with < 32; with++) {                                                                  \
            real *w = with & 1 ? x[2] : NULL;                                                                    \
            LIE_CALL(norm, n, x[3], x[1], w, with & 2 ? x[0] : NULL, (real)1e-5, with & 16, saved);              \
            LIE_CALL(norm_vjp, n, x[4], with & 8, with & 2 ? x[5] : NULL, with & 4 ? x[6] : NULL, x[0], x[1], w, \
                     with & 16, saved);                                                                          \
        }                                                                                                        \
        LIE_CALL(gelu_vjp, n, x[0], x[1], x[2]);                                                                 \
        LIE_CALL(gelu, n, x[1], x[3]);                                                                           \
        LIE_CALL(tanh, n, x[3], x[2]);                                                                           \
        for (int i = 0; i < OPERANDS; i++)                                                                       \
            memcpy(out + i * n, x[i], (size_t)n * sizeof(real));                                                 \
    }

#define LIE_CALL(kernel, ...)             \
    if (tg_isa_now()->kernels_f64.kernel) \
    tg_isa_now()->kernels_f64.kernel(__VA_ARGS__)
LIE_AT(double)
#undef LIE_CALL
#define LIE_CALL(kernel, ...)             \
    if (tg_isa_now()->kernels_f32.kernel) \
    tg_isa_now()->kernels_f32.kernel(__VA_ARGS__)
LIE_AT(float)
#undef LIE_CALL

START_TEST(bits_do_not_depend_on_addresses)
{
    static double numbers[OPERANDS * LYING], f64[2][OPERANDS * LYING];
    static float f32[2][OPERANDS * LYING];
    tg_isa_use(tg_isa_at(_i));
    for (int k = 0; k < LAYOUTS && tg_isa_now()->kernels_f32.norm; k++) {
        int order[OPERANDS] = {0, 1, 2, 3, 4, 5, 6}, n = 2 + k % (LYING - 2);
        for (int i = 0; i < OPERANDS * LYING; i++)
            numbers[i] = uniform(-2, 2);
        lie_at_double(order, 64, n, numbers, f64[0]);
        lie_at_float(order, 64, n, numbers, f32[0]);
        for (int i = OPERANDS - 1; i > 0; i--) {
            int other = (int)uniform(0, i + 1), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        lie_at_double(order, k % 3, n, numbers, f64[1]);
        lie_at_float(order, k % 3, n, numbers, f32[1]);
        size_t count = (size_t)(OPERANDS * n);
        ck_assert_msg(memcmp(f64[0], f64[1], count * sizeof(double)) == 0 &&
                          memcmp(f32[0], f32[1], count * sizeof(float)) == 0,
                      "%s: rows of %d, layout %d", tg_isa_now()->name, n, k);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("kernels");
    tcase_add_loop_test(c, products_agree_with_arithmetic, 0, N_SIZES);
    tcase_add_loop_test(c, triangles_agree_with_arithmetic, 0, 5);
    tcase_add_test(c, an_infinity_is_multiplied_only_where_it_belongs);
    tcase_add_test(c, empty_products_are_zeros);
    tcase_add_test(c, products_around_the_tiny_limit_are_right);
    tcase_add_test(c, tiles_of_every_size_give_the_same_bits);
    tcase_add_loop_test(c, threads_do_not_change_a_bit, 0, N_LARGE_SIZES);
    tcase_add_loop_test(c, batches_are_their_products, 0, N_BATCH_SIZES);
    tcase_add_loop_test(c, rows_are_normalised, 0, 2 * N_NORM_SIZES);
    tcase_add_test(c, a_row_of_one_element_has_no_gradient);
    tcase_add_test(c, wide_rows_of_bias_gelu_are_right);
    int sets = 0;
    while (tg_isa_at(sets))
        sets++;
    tcase_add_loop_test(c, bits_do_not_depend_on_addresses, 0, sets);
    return run_suite("kernels", c);
}
