/* What must always hold: however hard its numbers are to see - far from 0, at 0, tiny, beside large ones, noisy,
 * waving, not finite, kept from call to call - no right gradient of a custom operation is WRONG, and a wrong one is. */
#include "gradcheck_rows.h"
#include "tests/custom_maps.h"

enum { SEEDS = 4, N = 6 };

/* ---- operands ---- */

static tg_tensor of_vector(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(N), r->size, r->offset)); }
static tg_tensor mean_square(tg_tensor x) { return tg_mean(tg_mul(x, x), TG_ALL_DIMS, false); }
static tg_tensor mean_square_of_vector(tg_tape *t, const row *r) { return mean_square(of_vector(t, r)); }
static tg_tensor of_two(tg_tape *t, const row *r) {
    tg_tensor x[] = {drawn(t, TG_SHAPE(N), r->size, r->offset), drawn(t, TG_SHAPE(N), r->size, r->offset)};
    return apply_row(r, x, 2, TG_SHAPE(N));
}

/* ---- far from 0, where steps relative to x pass over what varies, or rounding of x moves y ---- */

EACH(sine, sin(x), by *dy *cos(x))
EACH(fast_sine, sin(1e4 * x), by * 1e4 * dy * cos(1e4 * x))
/* beside a square in float */
EACH(mixed, (double)(float)(x *x) + sin(x), by *dy *(2 * x + cos(x)))
/* the sine in float: by forgets it */
EACH(nearly_square, x *x + (double)(1e-3f * sinf((float)x)), dy *(2 * x + by * 1e-3 * cos(x)))

static double deviation_of(const job *j, double *h) { return sqrt(centre(j->x, h, N) / N + 1e-5); }

static void norm_forward(job *j) {
    double h[N], deviation = deviation_of(j, h);
    for (int64_t i = 0; i < N; i++)
        j->out[i] = h[i] / deviation;
}

/* way 1: the deviation is taken for a constant. */
static void norm_vjp(job *j) {
    double h[N], deviation = deviation_of(j, h), mean = row_sum_of(j->dy, N) / N;
    double weighted = j->mistake ? 0 : row_dot(j->dy, h, N) / deviation / N;
    for (int64_t i = 0; i < N; i++)
        j->dx[i] += by_of(j) * (j->dy[i] - mean - h[i] / deviation * weighted) / deviation;
}
FAMILY(norm)

static void difference_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = tanh(j->x[i] - j->x[(i + 1) % j->numel]);
}

static void difference_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        double part = by_of(j) * j->dy[i] * (1 - j->y[i] * j->y[i]);
        j->dx[i] += part;
        j->dx[(i + 1) % j->numel] -= part;
    }
}
FAMILY(difference)

static tg_tensor of_twelve(tg_tape *t, const row *r) { return of_one(r, drawn(t, TG_SHAPE(12), 1, 0)); }

static const line far[] = {
    LINE(of_vector, sine, "0", FACTORS, "1", "3e4 1e6", "R", "WC"),
    LINE(of_vector, fast_sine, "0", FACTORS, "1", "0 100", "R", "W/WCR"),
    LINE(of_vector, norm, "0", FACTORS, "1", "1e3 1e4 1e5 1e6", "R", "W/WC"),
    LINE(of_vector, norm, "1", "| 1", "1", "1e3 1e4 1e5 1e6", NULL, "W"),
    LINE(of_vector, difference, "0", FACTORS, "1", "1e3", "R", "W/WC"),
    LINE(of_vector, difference, "0", "1 | 2 -1 1.01", "1", "1e5 1e6", "R", "W/WC"),
    LINE(of_vector, difference, "0", "| 1.001", "1", "1e5 1e6", NULL, "WCR"), /* no digit of a thousandth is left */
    LINE(of_vector, mixed, "0", "1 | 2", "1", "1e3 1e4", "R", "W"),
    LINE(of_twelve, nearly_square, "0", "1 | 0", "1", "0", "R", "W"),
};

/* ---- tiny, and beside large numbers ---- */

static double log_cosh(double z) { return fabs(z) + log1p(exp(-2 * fabs(z))) - log(2); }
EACH_TWO(log_cosh_of_product, log_cosh(x *a), dy *tanh(x *a) * a, by *dy *tanh(x *a) * x)
EACH(my_square, x *x, by * 2 * x * dy)
EACH(log_of_cosh, log(cosh(x)), by *tanh(x) * dy)
/* Below float's numbers y does not move, and its slope is 1. */
EACH(float_tanh, (double)tanhf((float)x), by *dy *(1 - tanh(x) * tanh(x)))
/* by: how many of the rows the gradient of the bias sums over */
EACH_TWO(bent, log(cosh(x + a)), dy *tanh(x + a), (double)i < by ? dy * tanh(x + a) : 0)

static tg_tensor bent_rows(tg_tape *t, const row *r) {
    tg_tensor x[] = {drawn(t, TG_SHAPE(2), 1e-3, 0), drawn(t, TG_SHAPE(1), 1e-6, 0)};
    return mean_square(apply_row(r, x, 2, TG_SHAPE(2)));
}

/* log cosh x is x^2 / 2 and rounds as cosh x does, which is 1: to 2e-10 of it at 1e-3, but at every step. */
static tg_tensor million(tg_tape *t, const row *r) {
    return tg_mul_scalar(of_one(r, drawn(t, TG_SHAPE(24), 1e-3, 0)), 1e6);
}

static int64_t cell_of(double x) { return x < 0 ? 0 : x >= 5 ? 4 : (int64_t)x; }

/* y between the two elements of a grid that lie about w, or outside of them on the line of the last two */
static void lerp_forward(job *j) {
    for (int64_t i = 0; i < j->n_w; i++) {
        int64_t k = cell_of(j->w[i]);
        j->out[i] = j->x[k] * (1 - (j->w[i] - (double)k)) + j->x[k + 1] * (j->w[i] - (double)k);
    }
}

static void lerp_vjp(job *j) {
    for (int64_t i = 0; i < j->n_w; i++) {
        int64_t k = cell_of(j->w[i]);
        j->dx[k] += j->dy[i] * (1 - (j->w[i] - (double)k));
        j->dx[k + 1] += j->dy[i] * (j->w[i] - (double)k);
        j->dw[i] += j->dy[i] * (j->x[k + 1] - j->x[k]) * (i ? 1 : by_of(j));
    }
}
FAMILY(lerp)

static tg_tensor grid(tg_tape *t, const row *r) {
    tg_tensor x[] = {wanting(VECTOR(t, -0.000938, -0.000418, -0.000111, -0.00138, -0.191, 4005)),
                     wanting(VECTOR(t, 2.046, 2.5, 0.18, 2.7, 0.985))};
    return apply_row(r, x, 2, TG_SHAPE(5));
}

/* x a + tanh x; way 1: + (x + a[3]) - a[3], whose slope is 1, but not in double. by: at element 2 */
static double swallowed(const job *j, double x) {
    volatile double sum = x + j->w[3];
    return j->mistake ? sum - j->w[3] : 0;
}
EACH_TWO(beside, x *a + tanh(x) + swallowed(j, x), dy *(a + 1 - tanh(x) * tanh(x) + j->mistake) * (i == 2 ? by : 1),
         dy *x)

static tg_tensor larger_numbers(tg_tape *t, const row *r) {
    tg_tensor x[] = {wanting(VECTOR(t, -0.076, -2.4e6, 7.1e-5, 1.07e8)),
                     wanting(VECTOR(t, 2.9e4, 422, 8.7e-5, r->way ? -3e15 : -2.7e7))};
    return apply_row(r, x, 2, TG_SHAPE(4));
}

/* y = x w, and softmax of x's rows, 4 by 4; the factor is that of all elements (way 0), or of element 5 */
static void spoil(job *j, int64_t at, double g) { j->dx[at] += g * (!j->mistake || at == 5 ? by_of(j) : 1); }

static void small_product_forward(job *j) { my_matmul_forward(j); }
static void small_product_vjp(job *j) {
    for (int64_t i = 0; i < 16; i++) {
        double g = 0;
        for (int64_t k = 0; k < 4; k++) {
            g += j->dy[i / 4 * 4 + k] * j->w[i % 4 * 4 + k];
            j->dw[i] += j->dy[4 * k + i % 4] * j->x[4 * k + i / 4];
        }
        spoil(j, i, g);
    }
}
FAMILY(small_product)

static void small_softmax_forward(job *j) { my_softmax_forward(j); }
static void small_softmax_vjp(job *j) {
    for (int64_t i = 0; i < 16; i++)
        spoil(j, i, j->y[i] * (j->dy[i] - row_dot(j->y + i / 4 * 4, j->dy + i / 4 * 4, 4)));
}
FAMILY(small_softmax)

static tg_tensor of_square(tg_tape *t, const row *r) {
    tg_tensor x[] = {drawn(t, TG_SHAPE(4, 4), r->size, 0), TG_NULL};
    bool two = r->op == &small_product;
    x[1] = two ? drawn(t, TG_SHAPE(4, 4), r->size, 0) : TG_NULL;
    return apply_row(r, x, two ? 2 : 1, TG_SHAPE(4, 4));
}

/* tanh(x + w b): x of 1e-5 beside a b of 1; by: of the last x. Narrow steps move nothing, and that is no stair. */
static void biased_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = tanh(j->x[i] + j->b[i] * j->w[i]);
}

static void biased_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        double d = j->dy[i] * (1 - j->y[i] * j->y[i]);
        j->dx[i] += i == j->numel - 1 ? by_of(j) * d : d;
        j->dw[i] += d * j->b[i];
        j->db[i] += d * j->w[i];
    }
}
FAMILY(biased)

static tg_tensor twice_biased(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(1, 4), 1e-3, 0), w = drawn(t, TG_SHAPE(4), 1, 0), b = drawn(t, TG_SHAPE(4), 1, 0);
    tg_tensor in[] = {x, w, b}, y = apply_row(r, in, 3, TG_SHAPE(1, 4));
    in[0] = tg_mul_scalar(x, 0.6);
    return total(tg_mul(tg_tanh(y), tg_sin(apply_row(r, in, 3, TG_SHAPE(1, 4)))));
}

static const line tiny[] = {
    LINE(of_vector, float_tanh, "0", "1", "1e-60 1e-123", "0", "R", NULL),
    LINE(of_two, log_cosh_of_product, "0", "1 | -1", "1e-2", "1e-2", "R", "W"),
    LINE(of_two, log_cosh_of_product, "0", "1 | -1", "1e-3", "1e-3", "RC", "W"),
    LINE(of_vector, my_square, "0", "1 | 2 -1 1.001 0", "1e-6", "1e-6", "R", "W"),
    LINE(of_vector, my_square, "0", "1 | 2 -1 1.001 0", "1e-8", "1e-8", "R", "W"),
    LINE(mean_square_of_vector, my_square, "0", "1 | 2 -1 1.001 0", "1e-6", "1e-6", "R", "W"),
    LINE(mean_square_of_vector, my_square, "0", "1 | 2 -1 1.001 0", "1e-8", "1e-8", "R", "W"),
    LINE(bent_rows, bent, "0", "2 | 1", "0", "0", "R", "W/WCR"),
    LINE(grid, lerp, "0", "1 | 1.001", "0", "0", "R", "W"),
    LINE(larger_numbers, beside, "0", "1 | -1 1.001", "0", "0", "R",
         "RKCW"), /* 7e-5 beside y of 1e15: no digit of it */
    LINE(larger_numbers, beside, "1", "1", "0", "0", "RC", NULL),
    LINE(of_square, small_product, "0", "1 | 1.00001", "1e-3", "0", "R", "W"),
    LINE(of_square, small_product, "0", "1 | 1.001", "1e-5", "0", "R", "W"),
    LINE(of_square, small_softmax, "0", "1 | 1.0001", "1e-3", "0", "R", "W"),
    LINE(of_square, small_softmax, "1", "1 | 1.001", "1e-3 1", "0", "R", "W"),
    LINE(of_square, small_softmax, "0", "1 | 1.000004", "1", "0", "R", "W"),
    LINE(million, log_of_cosh, "0", "1 | 1.00001 1.0001 -1", "0", "0", "R", "W/WCR"),
    LINE(twice_biased, biased, "0", "1 | 0", "0", "0", "R", "W"),
};

/* ---- at 0 ---- */

/* x + a, rows of 3: by is that of the first bias (way & 1), of the others (way & 2) */
EACH_TWO(shift, x + a, dy, dy *(j->mistake &(i % 3 ? 2 : 1) ? by : 1))

static tg_tensor of_bias(tg_tape *t, const row *r) {
    tg_tensor b = r->size > 0 ? VECTOR(t, 0, 0.5, -0.3) : tg_zeros(t, TG_SHAPE(3));
    tg_tensor x[] = {drawn(t, TG_SHAPE(N), 1, 0), wanting(b)};
    return total(tg_square(apply_row(r, x, 2, TG_SHAPE(N))));
}

/* A zero bias that is cut off, wholly or its first element. */
static const tg_custom_op a_detach = {.name = "detach"};
static tg_tensor cut_off(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3), 1, 0), b = wanting(tg_zeros(t, TG_SHAPE(3)));
    tg_tensor part[] = {tg_detach(tg_slice(b, 0, 0, 1, 1)), tg_slice(b, 0, 1, 3, 1)};
    return total(tg_square(tg_add(x, r->way ? tg_cat(part, 2, 0) : tg_detach(b))));
}

/* x (2, 3) w (3, 2); by: of dx where x is 0 */
static void sparse_forward(job *j) {
    for (int64_t i = 0; i < 4; i++)
        for (int64_t k = 0; k < 3; k++)
            j->out[i] = (k ? j->out[i] : 0) + j->x[i / 2 * 3 + k] * j->w[k * 2 + i % 2];
}

static void sparse_vjp(job *j) {
    for (int64_t i = 0; i < 4; i++)
        for (int64_t k = 0; k < 3; k++) {
            double own = j->x[i / 2 * 3 + k];
            j->dx[i / 2 * 3 + k] += j->dy[i] * j->w[k * 2 + i % 2] * (own == 0 ? by_of(j) : 1);
            j->dw[k * 2 + i % 2] += j->dy[i] * own;
        }
}
FAMILY(sparse)

static tg_tensor of_zeros(tg_tape *t, const row *r) {
    tg_tensor x[] = {wanting(VECTOR(t, 0, 1.5, 0, -0.5, 0, 1)), drawn(t, TG_SHAPE(N), 1, 0)};
    return total(tg_square(apply_row(r, x, 2, TG_SHAPE(4))));
}

/* Rows of 3 over their length, or over 1e-12 where that is less: at 0 the slope is 1e12, within a step of 1e-12. */
static double length_of(const double *x) { return fmax(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), 1e-12); }

static void unit_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] / length_of(j->x + i / 3 * 3);
}

static void unit_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        const double *own = j->y + i / 3 * 3, *dy = j->dy + i / 3 * 3;
        double length = length_of(j->x + i / 3 * 3), along = own[0] * dy[0] + own[1] * dy[1] + own[2] * dy[2];
        j->dx[i] += (j->dy[i] - (length > 1e-12 ? j->y[i] * along : 0)) / length;
    }
}
FAMILY(unit)

static tg_tensor of_zero_rows(tg_tape *t, const row *r) {
    return of_one(r, wanting(VECTOR(t, r->size, 0, r->size, 0, 0, 0)));
}

static const line at_zero[] = {
    LINE(of_bias, shift, "1", "1 | 0 -1 0.5", "0 1", "0", "R", "W"),
    LINE(of_bias, shift, "3", "1 | 0 -1", "0 1", "0", "R", "W"),
    {cut_off, &a_detach, "0 1", "0", "0", "0", NULL, "W", TG_MISTAKE_ZERO, "stops here", 0},
    LINE(of_zeros, sparse, "0", "1 | 0 0.5 -1", "0", "0", "R", "KW"), /* beside 0 it is right: that may be a kink */
    LINE(of_zero_rows, unit, "0", "1", "0 1", "0", "RC", NULL),
};

/* ---- VJPs that compare the result, or what forward saved: a last digit decides, and that is no rounding ---- */

/* way 0: dy where y == x; way 1: y is asked whether it lies within the bounds, as it always does */
EACH(clip, fmin(fmax(x, -1), 1), (j->mistake ? y >= -1 && y <= 1 : y == x) ? by *dy : 0)

EACH(right_clip, fmin(fmax(x, -1), 1), y == x ? dy : 0)

static tg_tensor of_24(tg_tape *t, const row *r) { return of_one(r, tg_mul_scalar(drawn(t, TG_SHAPE(24), 1, 0), 2)); }
/* as a small part of what agrees to three digits without it */
static tg_tensor small_part_of_24(tg_tape *t, const row *r) {
    tg_tensor x = tg_mul_scalar(drawn(t, TG_SHAPE(24), 1, 0), 2);
    return total(tg_add(tg_square(x), tg_mul_scalar(of_one(r, x), 1e-4)));
}
static tg_tensor square_of_24(tg_tape *t, const row *r) { return total(tg_square(of_24(t, r))); }

/* 0.9996 is near the bound, and floats, which a step moves without rounding, show no noise. */
static tg_tensor of_floats(tg_tape *t, const row *r) {
    static const float own[] = {-1.22510779f,  -0.132281467f, -1.59979677f,  1.87047708f,  -1.80585945f,
                                -1.03589451f,  -0.260573655f, 0.581079423f,  -1.14864171f, 0.864172935f,
                                0.0726324469f, 0.420723081f,  -0.239123121f, -0.6053406f,  -0.306752801f,
                                -1.37077391f,  -0.443537742f, -1.04824829f,  0.999619842f, 1.0068177f,
                                0.330871403f,  -1.02753484f,  -0.705329418f, 0.0456814207f};
    double x[24];
    for (int i = 0; i < 24; i++)
        x[i] = (double)own[i];
    return total(of_one(r, wanting(tg_from_doubles(t, TG_SHAPE(24), x))));
}

/* The sine of the largest, which is saved, and found again. */
static void sine_of_largest_forward(job *j) {
    double most = j->x[0];
    for (int64_t i = 1; i < j->numel; i++)
        most = fmax(most, j->x[i]);
    *(double *)j->call->saved = most;
    *j->out = sin(most);
}

static void sine_of_largest_vjp(job *j) {
    double most = *(const double *)j->call->saved;
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += j->x[i] == most ? by_of(j) * cos(most) * *j->dy : 0;
}
FAMILY(sine_of_largest)

static tg_tensor saving(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(24), 1, 0), y;
    planted given = {r->way, r->by};
    tg_custom_config config = {1, &TG_SCALAR, 1, &given, sizeof given, NULL};
    ck_assert(!tg_custom_with(r->op, &x, 1, config, &y));
    return tg_square(y);
}

/* Waves: steps of many have no slope, and none is what a gradient of 0 says. */
enum { SHIFTS = 64 };
static double shift_of(int i) { return fmod(i * 0.618033988749895, 1) * 7; }
static double wave(double x, double (*f)(double)) {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++)
        sum += f(x + shift_of(i)) / SHIFTS;
    return sum;
}
EACH(waves, wave(x, sin), by *dy *wave(x, cos))
static tg_tensor at_offset(tg_tape *t, const row *r) { return of_one(r, wanting(tg_scalar(t, r->offset))); }
static tg_tensor tanh_at_offset(tg_tape *t, const row *r) { return tg_tanh(at_offset(t, r)); }

static const line compared[] = {
    LINE(of_24, clip, "0", "1 | -1 1.01 0.5", "0", "0", "R", "W/WCR"),
    LINE(of_24, clip, "1", "| 1", "0", "0", "R", "W"),
    LINE(of_24, right_clip, "0", "1", "0", "0", "R", "W"),
    LINE(small_part_of_24, clip, "0", "1 | -1 1.01 0.5", "0", "0", "R", "W/WCR"),
    LINE(small_part_of_24, clip, "1", "| 1", "0", "0", "R", "W"),
    LINE(of_floats, clip, "0", "1 | 1.0005", "0", "0", "R", "WCR"), /* below a thousandth */
    LINE(saving, sine_of_largest, "0", "1 | -1 1.01 0.5", "0", "0", "R", "W"),
};
#define FAR                                                                                                   \
    "1234.56789 12345.6789 123456.789 12345678.9 -1735725.6143183228" /* the last is nearly 163 waves of 1024 \
                                                                       */
static const line waving[] = {
    LINE(at_offset, waves, "0", "1 | 0 1.01 -1", "0", FAR, "R", "WC"),
    LINE(tanh_at_offset, waves, "0", "1 | 0 1.01 -1", "0", FAR, "R", "WC"),
};

/* The same in float32: the float64 VJP is right, by is that of the float32 one. */
CUSTOM_MAP(float, clip_forward32, clip_vjp32, fminf(fmaxf(x, -1), 1),
           y == x ? (float)((const planted *)c->context)->by * dy : 0)
static const tg_custom_op clip32 = {"clip", clip_forward32, clip_vjp32, right_clip_run, right_clip_back};
static const line compared32[] = {
    {square_of_24, &clip32, "0", "1 | -1 1.01", "0", "0", "R", "W/WCR", TG_MISTAKE_FLOAT32, "float32 only", 0},
    LINE(square_of_24, clip32, "0", "| 1.0001", "0", "0", NULL, "WCR"), /* below a thousandth */
};

/* ---- not finite ---- */

/* Element 1 (way 0), or where x is 0 (way 1), is by. */
#define WITH_FAULT(name, f, slope) EACH(name, f, (j->mistake ? x == 0 : i == 1) ? by : dy *(slope))
WITH_FAULT(sinus, sin(x), cos(x))
WITH_FAULT(cosinus, cos(x), -sin(x))
WITH_FAULT(cube, x *x *x, 3 * x * x)
WITH_FAULT(root_of_cube, pow(fabs(x), 1.5), 1.5 * sqrt(fabs(x)) * (x > 0 ? 1 : -1))
WITH_FAULT(entropy, x > 0 ? x * log(x) : 0, log(x) + 1)
WITH_FAULT(steep_entropy, x > 0 ? x * (log(x) + 10) : 0, log(x) + 11)
WITH_FAULT(distance, fabs(x), x > 0 ? 1 : -1)
WITH_FAULT(line_and_entropy, x == 0 ? 0 : 5 * x + 1e-4 * x * log(fabs(x)), 5 + 1e-4 * (log(fabs(x)) + 1))
WITH_FAULT(square_and_entropy, x == 0 ? 0 : 1e3 * x * x + 1e-3 * x * log(fabs(x)), 2e3 * x + 1e-3 * (log(fabs(x)) + 1))
WITH_FAULT(one_and_root, 1 + 1e-3 * sqrt(fabs(x)), 5e-4 / sqrt(fabs(x)) * (x > 0 ? 1 : -1))

/* No leaf sees element 1. */
static tg_tensor masked(tg_tape *t, const row *r) {
    bool mask[N] = {0, 1};
    return of_one(r, tg_masked_fill(drawn(t, TG_SHAPE(N), 1, 0), tg_from_bools(t, TG_SHAPE(N), mask), 0.5));
}
static tg_tensor about_zero(tg_tape *t, const row *r) {
    double s = r->size;
    return of_one(r, wanting(VECTOR(t, s, 0, -0.5 * s, 0, 2 * s, 0.3 * s)));
}
static tg_tensor above_zero(tg_tape *t, const row *r) {
    double s = r->size;
    return of_one(r, wanting(VECTOR(t, s, 0, 3 * s, 0.1 * s, s, 0.7 * s)));
}
static tg_tensor around_one_zero(tg_tape *t, const row *r) {
    double s = r->size;
    return of_one(r, wanting(VECTOR(t, s, 0, -3 * s, 0.1 * s, -s, 0.7 * s)));
}

#define INFINITE "element 1 of the gradient is "
#define NOT_FINITE(make, op, way, by, size, verdicts) \
    { make, &op, way, by, size, "0", NULL, verdicts, TG_MISTAKE_NOT_FINITE, INFINITE, 0 }
static const line not_finite[] = {
    NOT_FINITE(of_vector, sinus, "0", "inf -inf nan", "1", "W"),
    NOT_FINITE(mean_square_of_vector, sinus, "0", "inf -inf nan", "1", "W"),
    NOT_FINITE(masked, sinus, "0", "inf", "1", "W"), /* no leaf has it */
    NOT_FINITE(about_zero, sinus, "1", "inf nan", "0.1 1 10", "W"),
    NOT_FINITE(about_zero, cosinus, "1", "inf nan", "0.1 1 10", "W"),
    NOT_FINITE(about_zero, cube, "1", "inf nan", "0.1 1 10", "W"),
    NOT_FINITE(about_zero, root_of_cube, "1", "inf nan", "0.1 1 10", "W"),
    NOT_FINITE(around_one_zero, distance, "1", "inf nan", "1", "CW"), /* at a kink */
    /* infinite slopes: as log x, and small beside the rest */
    LINE(above_zero, entropy, "1", "-inf", "1e-3 1e-2 0.1 1 10", "0", "C", NULL),
    LINE(above_zero, steep_entropy, "1", "-inf", "1e-3 1e-2 0.1 1 10", "0", "C", NULL),
    LINE(around_one_zero, line_and_entropy, "1", "inf nan", "1e-2 0.1 1 10 100", "0", "C", NULL),
    LINE(around_one_zero, square_and_entropy, "1", "inf nan", "1e-2 0.1 1 10 100", "0", "CW", NULL), /* -inf is right */
    LINE(around_one_zero, one_and_root, "1", "inf nan", "1e-2 0.1 1 10 100", "0", "C", NULL),
};

/* ---- what a gradient held before: way is what is done to it (g) and to what is added (v) ---- */

static double accumulated(int way, double g, double v, int64_t at) {
    switch (way) {
    case 1: return 0.25 * v + g + 0.5 * v + 0.25 * v;
    case 2: return g + 0x1p60 * v - 0x1p60 * v + v;
    case 3: return (g + 2 * v) * 0.5;
    case 4: return g + g + v;
    case 5: return 0.999 * g + v;
    case 6: return v;
    case 7: return at == 2 ? g / 2 + v : g + v;
    default: return g + v;
    }
}
static void piling_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] = accumulated(j->mistake, j->dx[i], j->dy[i] * cos(j->x[i]), i);
}
static void piling_forward(job *j) { sine_forward(j); }
FAMILY(piling)

static int piling_forward32(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((float *)c->output)[i] = sinf(((const float *)c->input[0])[i]);
    return 0;
}

static int piling_vjp32(const tg_call *c) {
    const float *x = c->input[0], *dy = c->output_grad;
    float *g = c->input_grad[0];
    for (int i = 0; i < N; i++)
        g[i] = (float)accumulated(*(const int *)c->context, (double)g[i], (double)(dy[i] * cosf(x[i])), i);
    return 0;
}
static const tg_custom_op piling_both = {"piling", piling_forward32, piling_vjp32, piling_run, piling_back};

static tg_tensor used_twice(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(N), 1, 0);
    return tg_add(of_one(r, x), tg_square(x));
}

/* Parts of 2^60 swallow what x had, in float32 and where it is used twice: nothing is said of those. */
#define ACCUMULATIONS(make, op)                                                                                  \
    LINE(make, op, "0 1", "1", "1", "0", "R", NULL), NAMED(make, op, "3", "1", "1", "0", ACCUMULATION, CHANGED), \
        NAMED(make, op, "4", "1", "1", "0", ACCUMULATION, "added twice"),                                        \
        NAMED(make, op, "5", "1", "1", "0", ACCUMULATION, CHANGED),                                              \
        NAMED(make, op, "6", "1", "1", "0", OVERWRITE, "= instead of +="),                                       \
        NAMED(make, op, "7", "1", "1", "0", ACCUMULATION, CHANGED "; a vjp only adds to it: element 2 held")
#define CHANGED "what the gradient held before is changed"
static const line piled[] = {LINE(of_vector, piling, "2", "1", "1", "0", "R", NULL), ACCUMULATIONS(of_vector, piling),
                             ACCUMULATIONS(used_twice, piling), ACCUMULATIONS(of_vector, piling_both),
                             ACCUMULATIONS(used_twice, piling_both)};

START_TEST(numbers_of_a_spoilt_gradient_are_of_its_size)
{
    static const int ways[] = {3, 4, 5, 7};
    for (int i = 0; i < 4; i++) {
        tg_tape *t = seeded_tape(TG_F64, 4);
        tg_gradcheck_result r;
        tg_status status =
            tg_gradcheck(apply_to(&piling, ways[i], 1, drawn(t, TG_SHAPE(N), 1, 0)), TG_GRADCHECK_DEFAULTS, &r);
        const char *element = strstr(r.diagnosis, "element ");
        double held = 0;
        ck_assert_msg(status == TG_ERR_NUMERIC && element && sscanf(element, "element %*d held %lf", &held) == 1, "%s",
                      r.diagnosis);
        ck_assert_msg(held != 0 && fabs(held) < 10, "%s", r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

static const line piled32[] = {ACCUMULATIONS(of_vector, piling_both), ACCUMULATIONS(used_twice, piling_both)};

/* ---- kept from call to call ---- */

/* The VJP uses the operand of the last forward that was given another one's memory. */
static const void *key;
static double kept[N];
static void caching_forward(job *j) {
    if (key != j->x)
        memcpy(kept, key = j->x, sizeof kept);
    sine_forward(j);
}
static void caching_vjp(job *j) {
    for (int i = 0; i < N; i++)
        j->dx[i] += j->dy[i] * cos(kept[i]);
}
FAMILY(caching)

/* The first backward's operand; or nothing where little arrives. */
static double first[N];
static bool has_first;
static double first_of(int64_t i, double x) {
    first[i] = has_first ? first[i] : x;
    has_first |= i == N - 1;
    return first[i];
}
EACH(cached_square, x *x, 2 * first_of(i, x) * dy)
EACH(clipped_square, x *x, fabs(dy) < 0.3 ? 0 : 2 * x * dy)

static int calls;
static double counted(int64_t i) { return 1 + 1e-3 * (calls += i == 0); }
EACH(counting, x *counted(i), dy)

static tg_tensor afresh(tg_tape *t, const row *r) {
    key = NULL;
    has_first = false;
    return of_vector(t, r);
}
static tg_tensor one_after_another(tg_tape *t, const row *r) { return total(of_one(r, afresh(t, r))); }

static const line keeping[] = {
    LINE(one_after_another, caching, "0", "| 1", "1", "0", NULL, "W"),
    LINE(afresh, cached_square, "0", "| 1", "1", "0", NULL, "W"),
    LINE(afresh, clipped_square, "0", "| 1", "1", "0", NULL, "W"),
    NAMED(
        afresh, counting, "0", "1", "1", "0", NONDETERMINISTIC,
        "the forward gives another result for the same numbers: it draws random numbers of its own, or keeps something "
        "from call to call"),
};

LINES_TEST(verdicts_hold_far_from_0, far, SEEDS)
LINES_TEST(verdicts_hold_for_tiny_numbers_and_beside_large_ones, tiny, SEEDS)
LINES_TEST(verdicts_hold_at_0, at_zero, SEEDS)
LINES_TEST(verdicts_hold_where_a_vjp_compares_its_result, compared, SEEDS)
LINES_TEST(verdicts_hold_on_waves_far_out, waving, 1)
LINES_TEST(a_gradient_that_is_not_finite_is_not_right, not_finite, 2)
LINES_TEST(a_vjp_that_does_not_add_is_wrong, piled, SEEDS)
LINES_TEST(a_callback_that_keeps_numbers_is_wrong, keeping, SEEDS)

START_TEST(verdicts_hold_on_float32_tapes)
{
    run_lines(compared32, "compared32", sizeof compared32 / sizeof *compared32, SEEDS, TG_F32);
    run_lines(piled32, "piled32", sizeof piled32 / sizeof *piled32, SEEDS, TG_F32);
}
END_TEST

SUITE("gradcheck_custom", verdicts_hold_far_from_0, verdicts_hold_for_tiny_numbers_and_beside_large_ones,
      verdicts_hold_at_0, verdicts_hold_where_a_vjp_compares_its_result, verdicts_hold_on_waves_far_out,
      a_gradient_that_is_not_finite_is_not_right, a_vjp_that_does_not_add_is_wrong,
      a_callback_that_keeps_numbers_is_wrong, verdicts_hold_on_float32_tapes,
      numbers_of_a_spoilt_gradient_are_of_its_size)
