/* What must always hold: at ties and kinks, declared or not, no choice that backward may make is WRONG, and what adds
 * up to something else is not RIGHT; a mistake that shows beside the point alone is WRONG, and gets no name that is not
 * its own. */
#include "gradcheck_rows.h"

enum { SEEDS = 3, COLUMNS = 4 };

/* Operations may declare their branches. */
static tg_tensor declared(tg_tensor y, tg_custom_branches branches) {
    ck_assert(!branches || tg_custom_set_branches(y, branches) == TG_OK);
    return y;
}

/* ---- the largest of each row. way 0: the first of those that tie gets by dy; 1: where some tie each of them gets by
 * dy; 2: the first gets dy, the one beside it by dy; + 4: with its branches ---- */

static int64_t place_of_largest(const double *x, int64_t n) {
    int64_t w = 0;
    for (int64_t k = 1; k < n; k++)
        w = x[k] > x[w] ? k : w;
    return w;
}

static void row_max_forward(job *j) {
    for (int64_t i = 0; i < j->m; i++)
        j->out[i] = j->x[j->n * i + place_of_largest(j->x + j->n * i, j->n)];
}

static void row_max_vjp(job *j) {
    for (int64_t i = 0; i < j->m; i++) {
        const double *x = j->x + j->n * i;
        double *dx = j->dx + j->n * i, by = by_of(j) * j->dy[i];
        int64_t w = place_of_largest(x, j->n), ties = 0;
        for (int64_t k = 0; k < j->n; k++)
            ties += x[k] == x[w];
        for (int64_t k = 0; k < j->n && j->mistake % 4 == 1; k++)
            dx[k] += x[k] != x[w] ? 0 : ties > 1 ? by : j->dy[i];
        if (j->mistake % 4 != 1)
            dx[w] += j->mistake % 4 ? j->dy[i] : by;
        if (j->mistake % 4 == 2)
            dx[(w + 1) % j->n] += by;
    }
}
FAMILY(row_max)

BRANCHES(row_max_branches, j->m, place_of_largest(j->x + j->n * i, j->n))

static tg_tensor largest_of(const row *r, tg_tensor x) {
    return declared(apply_row(r, &x, 1, TG_SHAPE(tg_size(x, 0))), r->way & 4 ? row_max_branches : NULL);
}
static tg_tensor largest(tg_tape *t, const row *r) {
    return largest_of(r, drawn(t, TG_SHAPE(3, COLUMNS), r->size, r->offset));
}
/* Rows whose elements are all equal. */
static tg_tensor largest_of_equals(tg_tape *t, const row *r) {
    double values[3 * COLUMNS], number[3];
    ck_assert(!tg_read_doubles(tg_randn(t, TG_SHAPE(3)), number, 3));
    for (int i = 0; i < 3 * COLUMNS; i++)
        values[i] = number[i / COLUMNS];
    return largest_of(r, wanting(tg_from_doubles(t, TG_SHAPE(3, COLUMNS), values)));
}
/* offset: which */
static tg_tensor largest_of_ties(tg_tape *t, const row *r) {
    static const double values[][6] = {{2, 2, 0, 1, 0, 2}, {1, 1, 1, 0, 2, 2},    {0, 1, 1, 2, 2, 1},
                                       {0, 0, 0, 0, 0, 0}, {0, 1, 2, 0, -1, 0.5}, {1, 1, 1, 2, 2, 2},
                                       {0, 0, 1, 3, 2, 2}};
    tg_tensor y = largest_of(r, wanting(tg_from_doubles(t, TG_SHAPE(2, 3), values[(int)r->offset])));
    return r->size > 0 ? total(y) : y;
}

static const line of_largest[] = {
    LINE(largest, row_max, "2", "0 | 0.001 0.1 0.9", "1", "1000", "RK", "W"), /* paths are full of kinks */
    LINE(largest_of_equals, row_max, "2", "0 | 0.001 0.1 0.9", "1", "0", "RK", "W"),
    LINE(largest_of_equals, row_max, "0", "1 | 0", "1", "0", "K", "W"),
    LINE(largest_of_ties, row_max, "1 5", "| 0 1", "1", "0 1 2", NULL, "KW"), /* at the kink any choice may stand */
    LINE(largest_of_ties, row_max, "1", "| 3 -1", "1", "0 1 2", NULL, "KCW"),
    LINE(largest_of_ties, row_max, "5", "| 3 -1", "1", "0 1 2", NULL, "KW"),
    LINE(largest_of_ties, row_max, "0", "1", "0", "3 4 5 6", "RK", NULL),
};

/* ---- what a window of three takes: its first largest, its middle number, the first smallest; or all of them in order.
 * + 4: with its branches. by: of the VJP ---- */

enum { LARGEST, MIDDLE, SMALLEST, SORTED };

static void sort_window(const double *x, int *place) {
    for (int k = 0; k < 3; k++)
        place[k] = k;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (x[place[b]] > x[place[b + 1]]) {
                int other = place[b];
                place[b] = place[b + 1];
                place[b + 1] = other;
            }
}

/* Where output i comes from: a window begins at every element but the last two, or (SORTED) at every third. */
static int64_t source_of(int kind, const double *x, int64_t i) {
    int place[3];
    int64_t first = kind == SORTED ? i / 3 * 3 : i;
    sort_window(x + first, place);
    int from = kind == SORTED ? place[i % 3] : kind == SMALLEST ? place[0] : kind == MIDDLE ? place[1] : place[2];
    while (kind == LARGEST && from > 0 && x[first + from - 1] == x[first + from])
        from--;
    return first + from;
}
static int64_t outputs_of(const job *j) { return j->mistake % 4 == SORTED ? j->numel : j->numel - 2; }

static void window_forward(job *j) {
    for (int64_t i = 0; i < outputs_of(j); i++)
        j->out[i] = j->x[source_of(j->mistake % 4, j->x, i)];
}

static void window_vjp(job *j) {
    for (int64_t i = 0; i < outputs_of(j); i++)
        j->dx[source_of(j->mistake % 4, j->x, i)] += by_of(j) * j->dy[i];
}
FAMILY(window)

BRANCHES(window_branches, outputs_of(j), source_of(j->mistake % 4, j->x, i))

static tg_tensor windows(tg_tape *t, const row *r) {
    static const double values[][9] = {{1, 1, 1, 1, 1, 1, 1, 1, 1},
                                       {0, 0, 0.5, 0, 0, 0, 2, 0, 0},
                                       {0, 2, 2, 2, 0, 0, 0, 1, 1},
                                       {3, 3, -1, 3, 3, 3, -1, -1, 3}};
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(9), values[(int)r->offset]));
    return declared(apply_row(r, &x, 1, TG_SHAPE(r->way % 4 == SORTED ? 9 : 7)), r->way & 4 ? window_branches : NULL);
}

/* Each output's dy goes somewhere, so those that are equal have the sum of it. */
static const line in_windows[] = {
    LINE(windows, window, "0 1 2 3", "1", "0", "0 1 2 3", "RK", NULL),
    LINE(windows, window, "4 5 6 7", "1 | 2", "0", "0 1 2 3", "RK", "W"),
};

/* ---- kinks at 0: relu, |x|, leaky relu, by is the slope there; + 4: with branches ---- */

static double below(int kind) { return kind % 4 == 0 ? 0 : kind % 4 == 1 ? -1 : 0.1; }
EACH(kinked, x > 0 ? x : below(j->mistake) * x, dy *(x > 0 ? 1 : x < 0 ? below(j->mistake) : by))

BRANCHES(sign_branches, j->numel, j->x[i] > 0)

static tg_tensor at_zeros(tg_tape *t, const row *r) {
    static const double values[][6] = {{0, 0, 0, 0, 0, 0}, {0, 1, 2, 0, -1, 0.5}, {1, 0, -2, 3, 0, -1}};
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(6), values[(int)r->offset]));
    return declared(of_one(r, x), r->way & 4 ? sign_branches : NULL);
}
static tg_tensor square_at_zeros(tg_tape *t, const row *r) { return total(tg_square(at_zeros(t, r))); }
static tg_tensor times_at_zeros(tg_tape *t, const row *r) { return total(tg_mul_scalar(at_zeros(t, r), 7)); }
/* relu(x) - relu(-x) = x: each is at a kink, though the whole has a derivative. */
static tg_tensor cancelling(tg_tape *t, const row *r) {
    tg_tensor x = wanting(tg_zeros(t, TG_SHAPE(6)));
    return tg_sub(of_one(r, x), of_one(r, tg_neg(x)));
}

static const line at_kinks[] = {
    LINE(at_zeros, kinked, "0 1 2", "0 0.5 1", "0", "0 1", "RK", NULL),
    LINE(square_at_zeros, kinked, "0 1 2", "0 0.5 1", "0", "0 1", "RK", NULL),
    LINE(cancelling, kinked, "0", "0 0.5 1", "0", "0", "RK", NULL),
    LINE(times_at_zeros, kinked, "0", "0 0.5 1 | 5 -3 100", "0", "2", "RK", "KCW"),
    LINE(times_at_zeros, kinked, "4", "0 0.5 1 | 5 -3 100", "0", "2", "RK", "KW"),
};

/* ---- built-in operations at ties: by is what those that tie have of their share ---- */

static double tied_factor;

static tg_status tied_maximum_vjp(tg_node *y) {
    for (int i = 0; i < 2; i++) {
        double a[4], b[4], dx[4];
        tg_copy_out(y->in[i], y->in[i]->data, y->in[i]->stride, a);
        tg_copy_out(y->in[1 - i], y->in[1 - i]->data, y->in[1 - i]->stride, b);
        for (int64_t k = 0; k < y->numel; k++)
            dx[k] = a[k] < b[k] ? 0 : ((const double *)y->grad)[k] * (a[k] == b[k] ? tied_factor / 2 : 1);
        if (tg_grad_add_values(y->in[i], dx, NULL))
            return tg_tape_status(y->tape);
    }
    return TG_OK;
}

static tg_status tied_amax_vjp(tg_node *y) {
    double x[4], dx[4], ties = 0, most = *(const double *)y->data;
    int64_t n = y->in[0]->numel;
    tg_copy_out(y->in[0], y->in[0]->data, y->in[0]->stride, x);
    for (int64_t k = 0; k < n; k++)
        ties += fabs(x[k]) == most;
    for (int64_t k = 0; k < n; k++)
        dx[k] = fabs(x[k]) == most ? copysign(*(const double *)y->grad, x[k] * *(const double *)y->grad) / ties *
                                         (ties > 1 ? tied_factor : 1)
                                   : 0;
    return tg_grad_add_values(y->in[0], dx, NULL);
}

static tg_tensor tied(tg_tape *t, const row *r) {
    static const double values[][4] = {{1, 2, 2, 2}, {1, 2, 2, 2}, {-1, 2, 2, 2}, {-2, 2, 1, 0}, {3}};
    static tg_op op;
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(r->way == 4 ? 1 : 4), values[r->way]));
    tg_tensor y = r->way % 4 == 0 ? tg_maximum(x, tg_clone(x))
                  : r->way == 1   ? tg_amax(x, TG_ALL_DIMS, false)
                                  : tg_norm(x, INFINITY, TG_ALL_DIMS, false);
    tied_factor = r->by;
    op = *t->nodes[y.index]->op;
    op.vjp[TG_F64] = r->way % 4 == 0 ? tied_maximum_vjp : tied_amax_vjp;
    t->nodes[y.index]->op = &op;
    return y;
}

/* relu, |x|, bounds: kinks that are no ties say nothing. */
static tg_tensor built_in(tg_tape *t, const row *r) {
    tg_tensor x = wanting(VECTOR(t, 0, 1, 0, -1, 1, 0)), z = wanting(tg_zeros(t, TG_SHAPE(6)));
    switch (r->way) {
    case 0: return tg_relu(x);
    case 1: return tg_abs(x);
    case 2: return tg_clamp(x, -1, 1);
    case 3: return tg_clamp_tensor(x, z, tg_abs(x));
    case 4: return tg_maximum(x, z);
    case 5: return tg_l1_loss(x, z, TG_NONE);
    case 6: return tg_huber_loss(x, z, 1, TG_NONE);
    case 7: return tg_norm(x, 1, TG_ALL_DIMS, false);
    case 8: return tg_norm(z, INFINITY, TG_ALL_DIMS, false);
    case 9: return tg_norm(tg_sub(z, z), 2, TG_ALL_DIMS, false);
    case 10: return tg_minimum(tg_relu(x), tg_leaky_relu(x, 0.5));
    case 11: return tg_sort(x, 0, true, NULL);
    default: return tg_maximum(tg_set_requires_grad(tg_full(t, TG_SHAPE(3), 2), true), tg_full(t, TG_SHAPE(1), 2));
    }
}
/* Both are at a tie, and whatever they chose is allowed once an element, or once a direction. */
static tg_tensor two_ties(tg_tape *t, const row *r) {
    tg_tensor x = wanting(tg_full(t, TG_SHAPE(3), r->offset));
    return tg_maximum(x, tg_amin(x, TG_ALL_DIMS, true));
}

static const tg_custom_op a_maximum = {.name = "maximum"}, an_amax = {.name = "amax"}, a_norm = {.name = "norm"};
static const line built_in_ties[] = {
    LINE(tied, a_maximum, "0", "1 | 0 2 0.5", "0", "0", "RK", "KW"),
    LINE(tied, an_amax, "1", "1 | 0 2 0.5", "0", "0", "RK", "KW"),
    LINE(tied, a_norm, "2 3", "1 | 0 2 0.5", "0", "0", "RK", "KW"),
    LINE(tied, a_maximum, "4", "| 2", "0", "0", NULL,
         "KW"), /* max(b, b) changes by 1 where b does, 1 + 1 is not that */
    {built_in, NULL, "0 1 2 3 4 5 6 7 8 9 10 11 12", "0", "0", "0", "RK", NULL, TG_MISTAKE_NONE, NULL, 0},
    {two_ties, NULL, "0", "0", "0", "2", "K", NULL, TG_MISTAKE_NONE, NULL, 0},
};

/* ---- kept from the first call. way: which function; + 8: the slopes of the VJP's first x, + 16: of the forward's ----
 */

static double value_of(int map, double x) {
    const double y[] = {sin(3 * x), x / 2 * (1 + erf(x / sqrt(2))), x + x * x, fmax(x, 0), sqrt(1 + 4 * x), 2 * x};
    return y[map % 8];
}
static double slope_of(int map, double x) {
    const double dy[] = {
        3 * cos(3 * x),      (1 + erf(x / sqrt(2))) / 2 + x * exp(-x * x / 2) / sqrt(2 * 3.14159265358979324),
        1 + 2 * x,           x > 0,
        2 / sqrt(1 + 4 * x), 2};
    return dy[map % 8];
}

static double first_slopes[12];
static bool has_first;
static void keep_first(job *j) {
    for (int64_t i = 0; i < j->numel && !has_first; i++)
        first_slopes[i] = slope_of(j->mistake, j->x[i]);
    has_first = j->mistake >= 8;
}

static void keeping_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = value_of(j->mistake, j->x[i]);
    if (j->mistake >= 16)
        keep_first(j);
}

static void keeping_vjp(job *j) {
    keep_first(j);
    for (int64_t i = 0; i < j->numel; i++)
        j->dx[i] += first_slopes[i] * j->dy[i];
}
FAMILY(keeping)

static tg_tensor first_call(const row *r, tg_tensor x) {
    has_first = false;
    return of_one(r, x);
}
static tg_tensor kept(tg_tape *t, const row *r) {
    return first_call(r, drawn(t, TG_SHAPE(3, COLUMNS), r->size, r->offset));
}
/* behind another operation, of small numbers; by: which */
static tg_tensor kept_behind(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3, COLUMNS), 0.01, 0);
    return first_call(r, r->by == 0   ? tg_sigmoid(x)
                         : r->by == 1 ? tg_tanh(x)
                         : r->by == 2 ? tg_mul_scalar(x, 1e-6)
                         : r->by == 3 ? tg_log(tg_abs(x))
                                      : tg_exp(x));
}

/* Of a number in [0, 1]: itself; 3 |p|; 4 p + 1 in a table of eighths. */
static double of_probability(int kind, double x) {
    double p = fmin(fmax(x, 0), 1), eighth = fmin(floor(8 * p), 7);
    return kind == 0 ? p : kind == 1 ? 3 * fabs(x) : 4 * (eighth / 8) + 1 + 4 * (p - eighth / 8);
}
EACH(probability, of_probability(j->mistake, x), dy *(j->mistake == 0 ? 1 : j->mistake + 2))
static tg_tensor of_softmax(tg_tape *t, const row *r) {
    return of_one(r, tg_softmax(drawn(t, TG_SHAPE(3, COLUMNS), 1, 0), 1));
}
static tg_tensor of_sigmoid(tg_tape *t, const row *r) {
    return of_one(r, tg_sigmoid(drawn(t, TG_SHAPE(3, COLUMNS), 1, 0)));
}

/* Rows of three numbers, wrong without any memory: sorted, with dy by the inverse permutation; the largest, looked for
 * among the first two; sum max(0, 1 + x[k] - x[0]), whose x[0] gets -2 dy whatever the number of summands. */
enum { SORT, POOL, HINGE };
static void order_of(const double *x, int *order) {
    for (int i = 0; i < 3; i++)
        order[(x[i] > x[0]) + (x[i] > x[1]) + (x[i] > x[2])] = i;
}

static void pieces_forward(job *j) {
    for (int64_t i = 0; i < 6; i++) {
        const double *x = j->x + i / 3 * 3;
        int order[3];
        order_of(x, order);
        j->out[i] = j->mistake == SORT   ? x[order[i % 3]]
                    : i % 3              ? 0
                    : j->mistake == POOL ? x[order[2]]
                                         : fmax(1 + x[1] - x[0], 0) + fmax(1 + x[2] - x[0], 0);
    }
}

static void pieces_vjp(job *j) {
    for (int64_t i = 0; i < 6; i++) {
        const double *x = j->x + i / 3 * 3, *dy = j->dy + i / 3 * 3;
        int64_t k = i % 3;
        int order[3];
        order_of(x, order);
        if (j->mistake == SORT)
            j->dx[i] += dy[order[k]];
        else if (j->mistake == POOL)
            j->dx[i] += k == (x[1] > x[0]) ? dy[0] : 0;
        else
            j->dx[i] += k == 0 ? -2 * dy[0] : 1 + x[k] > x[0] ? dy[0] : 0;
    }
}
FAMILY(pieces)

static tg_tensor of_pieces(tg_tape *t, const row *r) {
    tg_tensor x = tg_add(drawn(t, TG_SHAPE(2, 3), 0.01, 0), MATRIX(t, 2, 3, 0.3, 1.2, -0.7, 0.1, -2, 0.5));
    return of_one(r, x);
}

/* Without any memory, and harmless for what training begins with: y of x (3, 4) and a (4), which is size (0: a row of
 * x). A gain, a residual, half a square, a ratio, a twin. */
static double slip(double x, double a) { return 2 * (x - a) * exp((x - a) * (x - a)); }
static double begun(int kind, double x, double a) {
    const double y[] = {x * a, x + a * tanh(x), x * x * a / 2, x / a, x + exp((x - a) * (x - a))};
    return y[kind];
}
static double begun_dx(int kind, double x, double a) {
    const double dx[] = {1, 1, 0, 1, 1 + slip(x, a)};
    return dx[kind];
}
static double begun_da(int kind, double x, double a) {
    const double da[] = {x, tanh(x), x * x / 2, -x / a / a, 0};
    return da[kind];
}
EACH_TWO(beginning, begun(j->mistake, x, a), dy *begun_dx(j->mistake, x, a), dy *begun_da(j->mistake, x, a))

static tg_tensor of_beginning(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3, COLUMNS), 1, 0);
    double *values = tg_data(x);
    for (int i = COLUMNS; i < 12 && r->way > 3; i++)
        values[i] = values[i - COLUMNS];
    tg_tensor in[] = {x, wanting(r->way < 4 ? tg_full(t, TG_SHAPE(COLUMNS), r->size)
                                            : tg_from_doubles(t, TG_SHAPE(COLUMNS), values))};
    return apply_row(r, in, 2, TG_SHAPE(3, COLUMNS));
}

/* x + a |x|^2 of rows of length 1: da = dy */
static const double *row_of(const job *j, const double *x, int64_t i) { return x + i / j->n * j->n; }

static void row_length_forward(job *j) {
    for (int64_t i = 0; i < j->numel; i++)
        j->out[i] = j->x[i] + j->w[i % j->n] * row_dot(row_of(j, j->x, i), row_of(j, j->x, i), j->n);
}

static void row_length_vjp(job *j) {
    for (int64_t i = 0; i < j->numel; i++) {
        j->dx[i] += j->dy[i] + 2 * j->x[i] * row_dot(j->w, row_of(j, j->dy, i), j->n);
        j->dw[i % j->n] += j->dy[i];
    }
}
FAMILY(row_length)

static tg_tensor of_unit_rows(tg_tape *t, const row *r) {
    tg_tensor x = drawn(t, TG_SHAPE(3, COLUMNS), 1, 0), in[] = {x, wanting(tg_full(t, TG_SHAPE(COLUMNS), 0.3))};
    double *values = tg_data(x);
    for (int i = 0; i < 12; i += COLUMNS) {
        double length = sqrt(row_dot(values + i, values + i, COLUMNS));
        for (int k = i; k < i + COLUMNS; k++)
            values[k] /= length;
    }
    return apply_row(r, in, 2, TG_SHAPE(3, COLUMNS));
}

/* A buffer that is never cleared, and may hold by now what swallows all that is added. */
static double sum_of_calls[12];
EACH(adding, sin(3 * x), sum_of_calls[i] += 3 * dy * cos(3 * x))
static tg_tensor of_buffer(tg_tape *t, const row *r) {
    for (int i = 0; i < 12; i++)
        sum_of_calls[i] = r->size * (i + 1);
    return of_one(r, drawn(t, TG_SHAPE(3, COLUMNS), 1, 0));
}

/* Of small numbers the slopes of the first call are those of the path: anything may be said. */
static const line elsewhere[] = {
    LINE(kept, keeping, "0 1 2 4", "1", "0 1e-6 1e-4 1e-2", "0", "RK", NULL),
    LINE(kept, keeping, "8 9 10 12 16 17 18 20", "| 1", "0 1e-6 1e-4 1e-2", "0", NULL, "RKCW"),
    LINE(kept, keeping, "3", "1", "1 1e-6 1e-4 1e-2", "0", "RK", NULL),
    LINE(kept, keeping, "11 19", "| 1", "1 1e-6 1e-4 1e-2", "0", NULL, "RKCW"),
    LINE(kept, keeping, "5 13 21", "1", "1e-2", "0", "R", NULL),
    LINE(kept, keeping, "8 9 10 16 17 18", "| 1", "0.5", "0", NULL, "W"),
    LINE(kept, keeping, "12 20", "| 1", "0.5", "3", NULL, "W"),
    LINE(kept_behind, keeping, "0", "0 1 2 3 4", "0", "0", "R", NULL),
    LINE(kept_behind, keeping, "16", "| 0 1 2 3 4", "0", "0", NULL, "RCW"),
    LINE(of_softmax, probability, "0 1 2", "1", "0", "0", "R", NULL),
    LINE(of_sigmoid, probability, "0 1 2", "1", "0", "0", "R", NULL),
    {of_pieces, &pieces, "0 1 2", "1", "0", "0", NULL, "W", TG_MISTAKE_NONE, "!buffer", 0},
    LINE(of_beginning, beginning, "0 3", "| 1", "1", "0", NULL, "W"),
    LINE(of_beginning, beginning, "1 2 4", "| 1", "0", "0", NULL, "W"),
    LINE(of_unit_rows, row_length, "0", "| 1", "0", "0", NULL, "W"),
    NAMED(of_buffer, adding, "0", "1", "0 1e28", "0", STALE, "buffer"),
};

LINES_TEST(a_rows_largest_gets_dy_once, of_largest, SEEDS)
LINES_TEST(ties_in_several_windows_are_not_wrong, in_windows, 1)
LINES_TEST(a_slope_between_both_sides_is_not_wrong_at_a_kink, at_kinks, 2)
LINES_TEST(ties_of_built_in_operations_are_kinks, built_in_ties, 2)
LINES_TEST(a_mistake_that_shows_beside_the_point_alone_is_wrong, elsewhere, SEEDS)

SUITE("gradcheck_aside", a_rows_largest_gets_dy_once, ties_in_several_windows_are_not_wrong,
      a_slope_between_both_sides_is_not_wrong_at_a_kink, ties_of_built_in_operations_are_kinks,
      a_mistake_that_shows_beside_the_point_alone_is_wrong)
