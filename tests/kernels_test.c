/* Every kernel of every instruction set that this machine has, against plain arithmetic in long double. */
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

static void compare(const matrix *a, const matrix *b, bool add, const matrix *before, const matrix *c) {
    char *inside = calloc(c->n + 1, 1);
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->cols; j++) {
            int64_t at = i * c->row + j * c->col;
            expected e = element(a, b, add, before->f64[at], i, j);
            double bound = (double)(a->cols + 2) * e.scale;
            inside[at] = 1;
            ck_assert_msg(fabs((double)c->f32[at] - e.value) <= bound * (double)FLT_EPSILON / 2 &&
                              fabs(c->f64[at] - e.value) <= bound * DBL_EPSILON,
                          "%s: %lld x %lld x %lld, strides %td %td, %td %td, %td %td, add %d: element %lld, %lld is "
                          "%.9g and %.17g instead of %.17g",
                          tg_isa_now()->name, (long long)a->rows, (long long)b->cols, (long long)a->cols, a->row,
                          a->col, b->row, b->col, c->row, c->col, add, (long long)i, (long long)j, (double)c->f32[at],
                          c->f64[at], e.value);
        }
    for (size_t i = 0; i < c->n; i++)
        ck_assert_msg(inside[i] || (c->f32[i] == before->f32[i] && c->f64[i] == before->f64[i]),
                      "%s: wrote between the elements of C", tg_isa_now()->name);
    free(inside);
}

static void check_product(tg_tape *t, int64_t m, int64_t n, int64_t k, layout la, layout lb, layout lc, bool add) {
    matrix a = new_matrix(m, k, la), b = new_matrix(k, n, lb), c = new_matrix(m, n, lc), before = new_matrix(m, n, lc);
    for (size_t i = 0; i < c.n; i++) {
        c.f32[i] = before.f32[i];
        c.f64[i] = before.f64[i];
    }
    ck_assert_int_eq(tg_gemm_f32(t, m, n, k, a.f32, a.row, a.col, b.f32, b.row, b.col, add, c.f32, c.row, c.col), 0);
    ck_assert_int_eq(tg_gemm_f64(t, m, n, k, a.f64, a.row, a.col, b.f64, b.row, b.col, add, c.f64, c.row, c.col), 0);
    compare(&a, &b, add, &before, &c);
    free_matrix(&a);
    free_matrix(&b);
    free_matrix(&c);
    free_matrix(&before);
}

/* Sizes around lanes, tiles, and the points where packing and cutting begin. */
static const int64_t sizes[][3] = {
    {1, 1, 1},   {2, 3, 4},    {6, 2, 3},     {5, 1, 40},    {1, 33, 7},     {7, 7, 7},      {8, 9, 17},
    {13, 16, 5}, {16, 15, 16}, {23, 31, 33},  {25, 48, 65},  {1, 200, 300},  {200, 1, 300},  {100, 5, 257},
    {64, 65, 1}, {37, 129, 2}, {150, 70, 90}, {61, 70, 259}, {145, 33, 513}, {33, 290, 256}, {3, 2051, 5},
};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

START_TEST(products_agree_with_arithmetic)
{
    const int64_t *s = sizes[_i];
    tg_tape *t = tg_tape_new(TG_F32);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        for (int pair = 0; pair < 9; pair++)
            check_product(t, s[0], s[1], s[2], (layout)(pair % 3), (layout)(pair / 3), (layout)((pair + pair / 3) % 3),
                          pair % 2);
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(empty_products)
{
    tg_tape *t = tg_tape_new(TG_F32);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        check_product(t, 0, 100, 100, ROWS, ROWS, ROWS, false);
        check_product(t, 100, 0, 100, ROWS, ROWS, ROWS, false);
        check_product(t, 100, 100, 0, ROWS, ROWS, ROWS, false);
        check_product(t, 100, 100, 0, ROWS, ROWS, SPREAD, true);
    }
    tg_tape_free(t);
}
END_TEST

int main(void) {
    Suite *s = suite_create("kernels");
    TCase *c = tcase_create("matrix products");
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, products_agree_with_arithmetic, 0, N_SIZES);
    tcase_add_test(c, empty_products);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
