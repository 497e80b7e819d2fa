/* What is computed in blocks, lines and lanes: moves, reductions over any dims, elements found by an index. Sizes lie
 * around the blocks' edges, operands are permuted, reversed and sliced; expected values are those of plain loops over
 * whole numbers, of which every sum is exact, or of long double. The number of threads must not show in any bit. */
#include "tests/support.h"

#include <string.h>

enum { DIMS = 3 };

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F32); }
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
    tg_set_threads(0);
}

/* A whole number from -125 to 125. */
static double value(int64_t i, int64_t salt) { return (double)((i * 7919 + salt * 104729) % 251 - 125); }

static tg_tensor whole_numbers(tg_shape shape, int64_t salt) {
    tg_tensor x = tg_zeros(t, shape);
    int64_t n = tg_numel(x);
    double *v = malloc((size_t)n * sizeof *v + 1);
    for (int64_t i = 0; i < n; i++)
        v[i] = value(i, salt);
    ck_assert_int_eq(tg_write_doubles(x, v, n), TG_OK);
    free(v);
    return wanting(x);
}

static double *read(tg_tensor x) {
    int64_t n = tg_numel(x);
    double *v = malloc((size_t)n * sizeof *v + 1);
    ck_assert_msg(tg_read_doubles(x, v, n) == TG_OK, "%s", tg_error(t));
    return v;
}

/* Check notes every assertion it makes: one for all elements. */
static void want_all(const char *what, tg_tensor x, const double *expected, double tolerance) {
    int64_t n = tg_numel(x), i = 0;
    double *got = read(x);
    while (i < n && fabs(got[i] - expected[i]) <= tolerance * fabs(expected[i]))
        i++;
    ck_assert_msg(i == n, "%s: element %lld of %s is %.9g, expected %.9g", what, (long long)i, tg_describe(x).s,
                  i < n ? got[i] : 0, i < n ? expected[i] : 0);
    free(got);
}

/* ---- views: y[i] = x at first + i stride ---- */

typedef struct view {
    tg_tensor y;
    int64_t size[DIMS], stride[DIMS], first, numel;
} view;

static view view_of(tg_tensor x, const int *order, unsigned flipped, int step) {
    tg_shape from = tg_shape_of(x);
    int64_t dense[DIMS] = {from.size[1] * from.size[2], from.size[2], 1};
    view v = {.y = tg_permute(x, TG_DIMS(order[0], order[1], order[2])), .numel = 1};
    tg_dims dims = {.ndim = 0};
    v.y = tg_slice(v.y, 2, 0, from.size[order[2]], step);
    for (int d = 0; d < DIMS; d++) {
        bool back = flipped >> d & 1;
        v.size[d] = d == 2 ? (from.size[order[d]] - 1) / step + 1 : from.size[order[d]];
        v.stride[d] = dense[order[d]] * (d == 2 ? step : 1) * (back ? -1 : 1);
        v.first -= back ? (v.size[d] - 1) * v.stride[d] : 0;
        v.numel *= v.size[d];
        if (back)
            dims.dim[dims.ndim++] = d;
    }
    v.y = dims.ndim ? tg_flip(v.y, dims) : v.y;
    return v;
}

static int64_t at(const view *v, int64_t i) {
    return v->first + i / (v->size[1] * v->size[2]) * v->stride[0] + i / v->size[2] % v->size[1] * v->stride[1] +
           i % v->size[2] * v->stride[2];
}

static const int orders[][DIMS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
enum { ORDERS = sizeof orders / sizeof *orders };
static const int64_t sizes[][DIMS] = {{1, 64, 65},   {2, 63, 130},  {5, 4, 3},   {66, 3, 67},
                                      {1, 1, 20000}, {129, 128, 1}, {2, 768, 70}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static tg_shape shape_at(int i) { return TG_SHAPE(sizes[i][0], sizes[i][1], sizes[i][2]); }

static void check_copy(int i, const int *order, unsigned flipped, int step) {
    tg_mark mark = tg_tape_mark(t);
    tg_tensor x = whole_numbers(shape_at(i), 1);
    view v = view_of(x, order, flipped, step);
    tg_tensor y = tg_clone(v.y), dy = whole_numbers(tg_shape_of(y), 2);
    double *expected = calloc((size_t)v.numel, sizeof *expected), *slope = calloc((size_t)tg_numel(x), sizeof *slope);
    for (int64_t k = 0; k < v.numel; k++)
        expected[k] = value(at(&v, k), 1);
    want_all("clone", y, expected, 0);
    for (int64_t k = 0; k < v.numel; k++)
        slope[at(&v, k)] = value(k, 2);
    ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
    want_all("clone's gradient", tg_grad(x), slope, 0);
    for (int64_t k = 0; k < tg_numel(x); k++)
        slope[k] *= 2;
    ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
    want_all("clone's gradient, added", tg_grad(x), slope, 0);
    free(expected);
    free(slope);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
}

static void check_copies(void) {
    for (int i = 0; i < SIZES; i++)
        for (int o = 0; o < ORDERS; o++)
            for (unsigned flipped = 0; flipped < 8; flipped += 3)
                for (int step = 1; step <= 2; step++)
                    check_copy(i, orders[o], flipped, step);
}

START_TEST(copies_of_any_strides_are_right)
{ check_copies(); }
END_TEST

START_TEST(copies_of_float64_are_right)
{
    tg_tape_free(t);
    t = tg_tape_new(TG_F64);
    check_copies();
}
END_TEST

static tg_tensor ints(tg_shape shape, int64_t salt) {
    int64_t n = tg_shape_numel(&shape), *v = malloc((size_t)n * sizeof *v);
    for (int64_t i = 0; i < n; i++)
        v[i] = (int64_t)value(i, salt);
    tg_tensor x = tg_from_ints(t, shape, v);
    free(v);
    return x;
}

/* Elements of 8 bytes and of 1, which have no gradient. */
START_TEST(copies_of_ints_and_bools_are_right)
{
    for (int i = 0; i < SIZES; i++)
        for (int o = 0; o < ORDERS; o++) {
            tg_tensor x = whole_numbers(shape_at(i), 3), zero = tg_scalar(t, 0), ints_of_x = ints(shape_at(i), 3);
            view v = view_of(ints_of_x, orders[o], 5, 1), b = view_of(tg_gt(x, zero), orders[o], 2, 2);
            double *copied = read(tg_to_float(tg_clone(v.y))), *bools = read(tg_to_float(tg_clone(b.y)));
            bool same = true;
            for (int64_t k = 0; k < v.numel; k++)
                same &= copied[k] == value(at(&v, k), 3);
            for (int64_t k = 0; k < b.numel; k++)
                same &= bools[k] == (value(at(&b, k), 3) > 0);
            ck_assert(same);
            free(copied);
            free(bools);
        }
}
END_TEST

/* Parts that are permuted and sliced, and one operand twice. */
START_TEST(parts_of_any_layout_are_joined)
{
    for (int d = 0; d < DIMS; d++)
        for (int o = 0; o < ORDERS; o++) {
            tg_tensor x = whole_numbers(TG_SHAPE(4, 5, 70), 1);
            view v = view_of(x, orders[o], 0, 2);
            tg_tensor y = tg_cat((tg_tensor[]){v.y, v.y}, 2, d), dy = whole_numbers(tg_shape_of(y), 2);
            ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
            double *got = read(y), *slope = read(tg_grad(x)), *expected = calloc(4 * 5 * 70, sizeof *expected);
            bool same = true;
            for (int64_t k = 0; k < 2 * v.numel; k++) {
                int64_t inner = d == 0 ? v.numel : d == 1 ? v.size[1] * v.size[2] : v.size[2];
                int64_t one = at(&v, k / (2 * inner) * inner + k % inner);
                same &= got[k] == value(one, 1);
                expected[one] += value(k, 2);
            }
            for (int64_t k = 0; k < (int64_t)4 * 5 * 70; k++)
                same &= slope[k] == expected[k];
            ck_assert(same);
            free(got);
            free(slope);
            free(expected);
        }
}
END_TEST

/* ---- reductions ---- */

typedef struct sums {
    long double n, sum, squares, low, high, magnitudes;
} sums;

/* Of the elements of a view, by result. */
static sums *sums_of(const view *v, unsigned mask, int64_t *results) {
    int64_t step[DIMS], n = 1;
    for (int d = DIMS - 1; d >= 0; d--) {
        step[d] = mask >> d & 1 ? 0 : n;
        n *= mask >> d & 1 ? 1 : v->size[d];
    }
    sums *s = calloc((size_t)n, sizeof *s);
    for (int64_t k = 0; k < v->numel; k++) {
        int64_t to =
            k / (v->size[1] * v->size[2]) * step[0] + k / v->size[2] % v->size[1] * step[1] + k % v->size[2] * step[2];
        long double x = (long double)value(at(v, k), 1);
        s[to].low = s[to].n > 0 && s[to].low < x ? s[to].low : x;
        s[to].high = s[to].n > 0 && s[to].high > x ? s[to].high : x;
        s[to].n++;
        s[to].sum += x;
        s[to].squares += x * x;
        s[to].magnitudes += fabsl(x);
    }
    *results = n;
    return s;
}

static void want_reductions(const view *v, unsigned mask) {
    tg_dims dims = {.ndim = 0};
    int64_t n;
    sums *s = sums_of(v, mask, &n);
    for (int d = 0; d < DIMS; d++)
        if (mask >> d & 1)
            dims.dim[dims.ndim++] = d;
    double *e = malloc((size_t)n * sizeof *e);
#define WANT(op, formula, tolerance)     \
    do {                                 \
        for (int64_t k = 0; k < n; k++)  \
            e[k] = (double)(formula);    \
        want_all(#op, op, e, tolerance); \
    } while (0)
    WANT(tg_sum(v->y, dims, false), s[k].sum, 0);
    WANT(tg_mean(v->y, dims, false), s[k].sum / s[k].n, 6e-8);
    WANT(tg_amax(v->y, dims, false), s[k].high, 0);
    WANT(tg_amin(v->y, dims, false), s[k].low, 0);
    WANT(tg_norm(v->y, 1, dims, false), s[k].magnitudes, 0);
    WANT(tg_norm(v->y, 2, dims, false), sqrtl(s[k].squares), 6e-8);
    WANT(tg_var(v->y, dims, 0, false), s[k].squares / s[k].n - s[k].sum / s[k].n * s[k].sum / s[k].n, 1e-6);
#undef WANT
    free(e);
    free(s);
}

/* dx is dy along the dims reduced over, twice when it is added to. */
static void want_sums_gradient(tg_tensor x, const view *v, unsigned mask, double divisor) {
    tg_dims dims = {.ndim = 0};
    int64_t step[DIMS], n = 1;
    for (int d = DIMS - 1; d >= 0; d--) {
        step[d] = mask >> d & 1 ? 0 : n;
        n *= mask >> d & 1 ? 1 : v->size[d];
        if (mask >> d & 1)
            dims.dim[dims.ndim++] = d;
    }
    tg_tensor y = divisor == 1 ? tg_sum(v->y, dims, false) : tg_mean(v->y, dims, false);
    tg_tensor dy = whole_numbers(tg_shape_of(y), 2);
    double *expected = calloc((size_t)tg_numel(x), sizeof *expected);
    for (int64_t k = 0; k < v->numel; k++)
        expected[at(v, k)] = value(k / (v->size[1] * v->size[2]) * step[0] + k / v->size[2] % v->size[1] * step[1] +
                                       k % v->size[2] * step[2],
                                   2) /
                             divisor;
    tg_zero_grad(x);
    for (int times = 1; times <= 2; times++) {
        ck_assert_int_eq(tg_backward_with(y, dy), TG_OK);
        want_all("sum's gradient", tg_grad(x), expected, 2e-7);
        for (int64_t k = 0; k < tg_numel(x); k++)
            expected[k] *= 2;
    }
    free(expected);
}

START_TEST(reductions_over_any_dims_are_right)
{
    static const int64_t size[][DIMS] = {{7, 35, 66}, {2, 600, 17}, {33, 1, 1025}, {3, 2, 40000}};
    for (int i = 0; i < 4; i++)
        for (int o = 0; o < ORDERS; o++)
            for (unsigned mask = 1; mask < 8; mask++) {
                tg_mark mark = tg_tape_mark(t);
                tg_tensor x = whole_numbers(TG_SHAPE(size[i][0], size[i][1], size[i][2]), 1);
                view v = view_of(x, orders[o], 0, 1 + (o == 4));
                double n = 1;
                for (int d = 0; d < DIMS; d++)
                    n *= mask >> d & 1 ? (double)v.size[d] : 1;
                want_reductions(&v, mask);
                want_sums_gradient(x, &v, mask, 1);
                if (n > 1)
                    want_sums_gradient(x, &v, mask, n);
                ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
            }
}
END_TEST

/* A NaN anywhere is the largest and the smallest element. */
START_TEST(a_nan_in_any_lane_is_the_largest)
{
    enum { N = 50 };
    for (int n = 1; n < N; n++)
        for (int k = 0; k < n; k++) {
            tg_mark mark = tg_tape_mark(t);
            double v[N];
            for (int j = 0; j < n; j++)
                v[j] = j == k ? NAN : value(j, 1);
            tg_tensor x = leaf_of(t, TG_SHAPE(n), v);
            ck_assert(isnan(tg_item(tg_amax(x, TG_ALL_DIMS, false))) &&
                      isnan(tg_item(tg_amin(x, TG_ALL_DIMS, false))) && tg_tape_rewind(t, mark) == TG_OK);
        }
}
END_TEST

/* Numbers of all sizes, so that products leave float's range on the way; some rows with a 0, some with two. */
START_TEST(products_of_all_sizes_stay_in_range)
{
    enum { N = 150 };
    double x[N], dx[N];
    for (int round = 0; round < 300; round++) {
        tg_mark mark = tg_tape_mark(t);
        int n = 1 + round % N, spread = round % 3 ? round % 60 : 0;
        for (int j = 0; j < n; j++)
            x[j] = (float)ldexp(1 + value(j, round) / 300, (j * 7 + round) % 2 ? spread : -spread);
        for (int zeros = round % 4; zeros > 1; zeros--)
            x[(round * zeros) % n] = 0;
        tg_tensor leaf = wanting(leaf_of(t, TG_SHAPE(n), x)), y = tg_prod(leaf, TG_ALL_DIMS, false);
        for (int j = 0; j < n; j++) {
            long double others = 3;
            for (int k = 0; k < n; k++)
                others *= k == j ? 1 : (long double)x[k];
            dx[j] = (double)(float)others;
        }
        ck_assert_int_eq(tg_backward_with(y, leaf_of(t, TG_SCALAR, (double[]){3})), TG_OK);
        want_all("prod", y, (double[]){(double)(float)((long double)dx[0] * x[0] / 3)}, 3e-7);
        want_all("prod's gradient", tg_grad(leaf), dx, 2e-7);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
}
END_TEST

/* The whole product is too small for all of double's bits, that of the others is not. */
START_TEST(a_gradient_keeps_the_bits_that_the_product_lost)
{
    enum { N = 21 };
    double x[N], dx[N];
    long double all = 1;
    for (int j = 0; j < N; j++)
        all *= (long double)(x[j] = ldexp(1 + value(j, 1) / 300, -50));
    for (int j = 0; j < N; j++)
        dx[j] = (double)(all / (long double)x[j]);
    tg_tape_free(t);
    t = tg_tape_new(TG_F64);
    tg_tensor leaf = wanting(leaf_of(t, TG_SHAPE(N), x));
    run_backward(tg_prod(leaf, TG_ALL_DIMS, false));
    want_all("prod's gradient", tg_grad(leaf), dx, 1e-14);
}
END_TEST

/* ---- elements found by an index ---- */

static tg_tensor indices(tg_shape shape, int64_t size) {
    int64_t n = tg_shape_numel(&shape), *id = malloc((size_t)n * sizeof *id);
    for (int64_t i = 0; i < n; i++)
        id[i] = (i * 31 + i / 7) % size;
    tg_tensor index = tg_from_ints(t, shape, id);
    free(id);
    return index;
}

/* Element k of an array of this shape, as one of x's, with `id` in place of its index along d. */
static int64_t found(const int64_t *size, const int64_t *x_size, int d, int64_t k, int64_t id) {
    int64_t i[DIMS] = {k / (size[1] * size[2]), k / size[2] % size[1], k % size[2]};
    i[d] = id;
    return (i[0] * x_size[1] + i[1]) * x_size[2] + i[2];
}

static void check_gather(const int64_t *x_size, const int64_t *size, int d) {
    tg_tensor x = whole_numbers(TG_SHAPE(x_size[0], x_size[1], x_size[2]), 1);
    tg_tensor index = indices(TG_SHAPE(size[0], size[1], size[2]), x_size[d]), y = tg_gather(x, d, index);
    tg_tensor source = whole_numbers(tg_shape_of(y), 2), z = tg_scatter_add(x, d, index, source);
    int64_t n = tg_numel(y), all = tg_numel(x);
    double *id = read(tg_to_float(index)), *dx = calloc((size_t)all, sizeof *dx), *e = calloc((size_t)n, sizeof *e);
    double *sum = read(x), *ds = calloc((size_t)n, sizeof *ds);
    for (int64_t k = 0; k < n; k++) {
        int64_t place = found(size, x_size, d, k, (int64_t)id[k]);
        e[k] = value(place, 1);
        dx[place] += value(k, 2);
        sum[place] += value(k, 2);
        ds[k] = value(place, 3);
    }
    want_all("gather", y, e, 0);
    want_all("scatter_add", z, sum, 0);
    ck_assert_int_eq(tg_backward_with(y, source), TG_OK);
    want_all("gather's gradient", tg_grad(x), dx, 0);
    ck_assert_int_eq(tg_backward_with(z, whole_numbers(tg_shape_of(z), 3)), TG_OK);
    want_all("scatter_add's gradient", tg_grad(source), ds, 0);
    for (int64_t k = 0; k < n; k++)
        ds[k] *= 2;
    ck_assert_int_eq(tg_backward_with(z, whole_numbers(tg_shape_of(z), 3)), TG_OK);
    want_all("scatter_add's gradient, added", tg_grad(source), ds, 0);
    for (int64_t k = 0; k < all; k++)
        dx[k] += 2 * value(k, 3);
    want_all("scatter_add's gradient of x", tg_grad(x), dx, 0);
    free(id), free(dx), free(e), free(sum), free(ds);
}

START_TEST(gathered_elements_are_right)
{
    static const int64_t x_size[][DIMS] = {{5, 9, 130}, {40, 3, 65}, {70, 64, 1}};
    static const int64_t size[][DIMS] = {{5, 9, 129}, {66, 2, 64}, {70, 10, 1}};
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < DIMS; d++) {
            int64_t fits[DIMS] = {size[i][0], size[i][1], size[i][2]};
            for (int k = 0; k < DIMS; k++)
                fits[k] = k != d && fits[k] > x_size[i][k] ? x_size[i][k] : fits[k];
            tg_mark mark = tg_tape_mark(t);
            check_gather(x_size[i], fits, d);
            ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        }
}
END_TEST

/* index_select and index_add along d: the index is that of a place along it. */
static void check_select(const int64_t *x_size, int64_t picked, int d) {
    int64_t size[DIMS] = {x_size[0], x_size[1], x_size[2]};
    size[d] = picked;
    tg_tensor x = whole_numbers(TG_SHAPE(x_size[0], x_size[1], x_size[2]), 1),
              index = indices(TG_SHAPE(picked), x_size[d]);
    tg_tensor y = tg_index_select(x, d, index), source = whole_numbers(tg_shape_of(y), 2);
    tg_tensor z = tg_index_add(x, d, index, source);
    int64_t n = tg_numel(y);
    bool same = true;
    double *id = read(tg_to_float(index)), *e = read(y), *sum = read(x), *dx = calloc((size_t)tg_numel(x), sizeof *dx);
    for (int64_t k = 0; k < n; k++) {
        int64_t along = d == 0 ? k / (size[1] * size[2]) : d == 1 ? k / size[2] % size[1] : k % size[2];
        int64_t place = found(size, x_size, d, k, (int64_t)id[along]);
        same &= e[k] == value(place, 1);
        sum[place] += value(k, 2);
        dx[place] += value(k, 2);
    }
    ck_assert(same);
    want_all("index_add", z, sum, 0);
    ck_assert_int_eq(tg_backward_with(y, source), TG_OK);
    want_all("index_select's gradient", tg_grad(x), dx, 0);
    ck_assert_int_eq(tg_backward_with(z, whole_numbers(tg_shape_of(z), 1)), TG_OK);
    want_all("index_add's gradient", tg_grad(source), e, 0);
    free(id), free(e), free(sum), free(dx);
}

START_TEST(selected_slices_are_right)
{
    static const int64_t x_size[][DIMS] = {{5, 9, 130}, {3, 70, 1}, {4, 3, 1100}};
    for (int i = 0; i < 3; i++)
        for (int d = 0; d < DIMS; d++) {
            tg_mark mark = tg_tape_mark(t);
            check_select(x_size[i], 67, d);
            ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        }
}
END_TEST

/* ---- a cotangent that is lent ---- */

static int double_it(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)x, (void)context;
    for (int64_t i = 0; i < n; i++)
        ((float *)grad)[i] *= 2;
    return 0;
}

/* Of results themselves, and of views of the whole result. */
START_TEST(a_cotangent_is_not_changed)
{
    for (int as_view = 0; as_view <= 1; as_view++) {
        tg_shape shape = as_view ? TG_SHAPE(20, 5) : TG_SHAPE(100);
        tg_tensor x = whole_numbers(TG_SHAPE(100), 1), dy = whole_numbers(shape, 2);
        tg_tensor kept = tg_clone(x), hooked = tg_clone(x);
        double *before = read(dy), *twice = read(dy);
        for (int i = 0; i < 100; i++)
            twice[i] *= 2;
        ck_assert_int_eq(tg_retain_grad(kept), TG_OK);
        ck_assert_int_eq(tg_register_hook(hooked, double_it, NULL), TG_OK);
        ck_assert_int_eq(tg_backward_with(tg_reshape(hooked, shape), dy), TG_OK);
        want_all("x's gradient", tg_grad(x), twice, 0);
        want_all("the cotangent", dy, before, 0);
        ck_assert_int_eq(tg_backward_with(tg_reshape(kept, shape), dy), TG_OK);
        tg_fill_(dy, 7);
        want_all("a gradient that was retained", tg_grad(kept), before, 0);
        free(before);
        free(twice);
    }
}
END_TEST

/* ---- threads ---- */

static tg_tensor smoothed(tg_tensor logits, tg_tensor target, tg_reduction reduction) {
    tg_cross_entropy_config c = TG_CROSS_ENTROPY_DEFAULTS;
    c.label_smoothing = 0.25;
    c.reduction = reduction;
    return tg_cross_entropy_with(logits, target, c);
}

/* ln sum e^x - 3/4 x[target] - 1/4 mean x, in long double */
START_TEST(each_row_has_its_own_loss)
{
    enum { ROWS = 301, CLASSES = 83 };
    tg_tensor x = tg_randn(t, TG_SHAPE(ROWS, CLASSES)), target = indices(TG_SHAPE(ROWS), CLASSES);
    double *v = read(x), *id = read(tg_to_float(target)), loss[ROWS];
    for (int i = 0; i < ROWS; i++) {
        const double *row = v + i * CLASSES;
        long double sum = 0, mean = 0;
        for (int j = 0; j < CLASSES; j++) {
            sum += expl((long double)row[j]);
            mean += (long double)row[j] / CLASSES;
        }
        loss[i] = (double)(logl(sum) - 0.75L * (long double)row[(int)id[i]] - 0.25L * mean);
    }
    want_all("losses", smoothed(x, target, TG_NONE), loss, 1e-6);
    free(v), free(id);
}
END_TEST

static tg_tensor make(int op, tg_tensor x) {
    tg_tensor index;
    switch (op) {
    case 0: return tg_sum(x, TG_DIMS(0), false);
    case 1: return tg_sum(x, TG_ALL_DIMS, false);
    case 2: return tg_mean(x, TG_DIMS(1), false);
    case 3: return tg_var(x, TG_DIMS(0), 1, false);
    case 4: return tg_norm(x, 2, TG_DIMS(0), false);
    case 5: return tg_prod(x, TG_DIMS(0), false);
    case 6: return tg_amax(x, TG_ALL_DIMS, false);
    case 7: return tg_logsumexp(x, TG_DIMS(0), false);
    case 8: return tg_softmax(x, 0);
    case 9: return tg_cumsum(x, 0);
    case 10: return tg_contiguous(tg_transpose(x, 0, 1));
    case 11: return tg_flip(x, TG_DIMS(1));
    case 12: return tg_roll(x, 3, 1);
    case 13: index = indices(tg_shape_of(x), tg_size(x, 0)); return tg_scatter_add(x, 0, index, tg_gather(x, 0, index));
    case 14: return tg_index_select(x, 1, indices(TG_SHAPE(900), tg_size(x, 1)));
    case 15: return tg_mse_loss(x, tg_detach(tg_flip(x, TG_ALL_DIMS)), TG_MEAN);
    case 16: return tg_cross_entropy(x, indices(TG_SHAPE(tg_size(x, 0)), tg_size(x, 1)), -100, TG_MEAN);
    case 17: return tg_tril(x, 5);
    case 18: return smoothed(x, indices(TG_SHAPE(tg_size(x, 0)), tg_size(x, 1)), TG_MEAN);
    default: return TG_NULL;
    }
}

/* y and x's gradient, one behind the other. */
static float *bits_of(int op, tg_shape shape, int threads, size_t *bytes) {
    tg_mark mark = tg_tape_mark(t);
    tg_set_threads(threads);
    tg_manual_seed(t, 3);
    tg_tensor x = wanting(tg_randn(t, shape)), y = make(op, x);
    if (tg_is_null(y))
        return NULL;
    tg_manual_seed(t, 4);
    ck_assert_msg(tg_backward_with(y, tg_randn(t, tg_shape_of(y))) == TG_OK, "%s", tg_error(t));
    int64_t n = tg_numel(y), m = tg_numel(x);
    float *all = malloc((size_t)(n + m) * sizeof *all);
    *bytes = (size_t)(n + m) * sizeof *all;
    ck_assert_int_eq(tg_read_floats(y, all, n), TG_OK);
    ck_assert_int_eq(tg_read_floats(tg_grad(x), all + n, m), TG_OK);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    return all;
}

START_TEST(threads_change_no_bit)
{
    const tg_shape shapes[] = {TG_SHAPE(150, 530), TG_SHAPE(3, 50001), TG_SHAPE(40000, 5)};
    for (int s = 0; s < 3; s++) {
        float *one, *more;
        size_t bytes;
        for (int op = 0; (one = bits_of(op, shapes[s], 1, &bytes)) != NULL; op++, free(one))
            for (int threads = 2; threads <= 7; threads += 5, free(more)) {
                more = bits_of(op, shapes[s], threads, &bytes);
                ck_assert_msg(memcmp(one, more, bytes) == 0, "operation %d of %s differs at %d threads", op,
                              tg_shape_text(&shapes[s]).s, threads);
            }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {copies_of_any_strides_are_right,
                                  copies_of_float64_are_right,
                                  copies_of_ints_and_bools_are_right,
                                  parts_of_any_layout_are_joined,
                                  reductions_over_any_dims_are_right,
                                  a_nan_in_any_lane_is_the_largest,
                                  products_of_all_sizes_stay_in_range,
                                  a_gradient_keeps_the_bits_that_the_product_lost,
                                  gathered_elements_are_right,
                                  selected_slices_are_right,
                                  a_cotangent_is_not_changed,
                                  each_row_has_its_own_loss,
                                  threads_change_no_bit};
    return run_tests("blocks", tests, sizeof tests / sizeof *tests, start, stop);
}
