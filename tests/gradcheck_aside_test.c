/* Mistakes in custom operations that show at other operands than the tape's alone: beside ties, far from small numbers.
 * And what a mistake is called by the numbers around it. */
#include "tests/support.h"

#include <math.h>

enum { SEEDS = 10, ROWS = 3, COLUMNS = 4, N = ROWS * COLUMNS };

static double normal(tg_rng_state *g) {
    return sqrt(-2 * log(1 - tg_rng_double(g))) * cos(6.283185307179586 * tg_rng_double(g));
}

/* size normal + offset */
static tg_tensor random_leaf(tg_tape *t, uint64_t seed, double size, double offset) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int i = 0; i < N; i++)
        values[i] = size * normal(&g) + offset;
    return wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), values));
}

static tg_gradcheck_result check(tg_tensor y, tg_gradcheck_mode mode) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = mode;
    tg_status status = tg_gradcheck(y, config, &r);
    ck_assert_msg((status == TG_OK) == (r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK), "%s", r.summary);
    return r;
}

/* ---- beside ties ---- */

static int64_t place_of_largest(const double *x) {
    int64_t w = 0;
    for (int64_t j = 1; j < COLUMNS; j++)
        if (x[j] > x[w])
            w = j;
    return w;
}

static int row_max_forward(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < ROWS; i++)
        ((double *)c->output)[i] = x[COLUMNS * i + place_of_largest(x + COLUMNS * i)];
    return 0;
}

/* The context: what the element beside the largest gets as well, of dy. */
static int row_max_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    for (int i = 0; i < ROWS; i++) {
        int64_t w = place_of_largest(x + COLUMNS * i);
        double *dx = (double *)c->input_grad[0] + COLUMNS * i;
        dx[w] += dy[i];
        dx[(w + 1) % COLUMNS] += *(const double *)c->context * dy[i];
    }
    return 0;
}

static tg_gradcheck_result check_row_max(tg_tensor x, double leak, tg_gradcheck_mode mode) {
    static const tg_custom_op row_max = {.name = "row_max", .forward_f64 = row_max_forward, .vjp_f64 = row_max_vjp};
    return check(tg_custom(&row_max, &x, 1, TG_SHAPE(ROWS), &leak, sizeof leak), mode);
}

/* Rows whose elements are all equal, or nearly. */
static tg_tensor level_rows(tg_tape *t, uint64_t seed) {
    double values[N];
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    for (int i = 0; i < N; i++)
        values[i] = i % COLUMNS ? values[i - 1] : normal(&g);
    return wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), values));
}

START_TEST(what_the_largest_leaks_is_wrong_at_ties_too)
{
    const double leaks[] = {0, 0.001, 0.1, 0.9};
    for (int k = 0; k < 16 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double leak = leaks[k % 4];
        uint64_t seed = (uint64_t)k / 16 + 1;
        tg_tensor x = k / 8 % 2 ? level_rows(t, seed) : random_leaf(t, seed, 1, 1000);
        tg_gradcheck_result r = check_row_max(x, leak, (tg_gradcheck_mode)(k / 4 % 2));
        bool right = r.verdict == TG_GRAD_RIGHT || r.verdict == TG_GRAD_KINK;
        ck_assert_msg(leak > 0 ? r.verdict == TG_GRAD_WRONG : right, "%d, leak %g: %s", k, leak, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- at ties ---- */

/* What a window of three takes: its first largest, its middle number, the first smallest; or all of them in order. */
enum { LARGEST, MIDDLE, SMALLEST, SORTED, N_WINDOWS };

static void sort_window(const double *x, int *place) {
    for (int j = 0; j < 3; j++)
        place[j] = j;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            if (x[place[b]] > x[place[b + 1]]) {
                int other = place[b];
                place[b] = place[b + 1];
                place[b + 1] = other;
            }
}

/* Where output j comes from: a window begins at every element but the last two, or (SORTED) at every third. */
static int source_of(int kind, const double *x, int j) {
    int place[3], first = kind == SORTED ? j / 3 * 3 : j;
    sort_window(x + first, place);
    int from = kind == SORTED ? place[j % 3] : kind == SMALLEST ? place[0] : kind == MIDDLE ? place[1] : place[2];
    while (kind == LARGEST && from > 0 && x[first + from - 1] == x[first + from])
        from--;
    return first + from;
}

enum { LENGTH = 9 };
static int outputs_of(int kind) { return kind == SORTED ? LENGTH : LENGTH - 2; }

typedef struct window {
    int kind;
    double factor; /* of the VJP */
} window;

static int window_forward(const tg_call *c) {
    const window *w = c->context;
    const double *x = c->input[0];
    for (int j = 0; j < outputs_of(w->kind); j++)
        ((double *)c->output)[j] = x[source_of(w->kind, x, j)];
    return 0;
}

static int window_vjp(const tg_call *c) {
    const window *w = c->context;
    const double *x = c->input[0], *dy = c->output_grad;
    for (int j = 0; j < outputs_of(w->kind); j++)
        ((double *)c->input_grad[0])[source_of(w->kind, x, j)] += w->factor * dy[j];
    return 0;
}

static int window_branches(const tg_call *c, int64_t *branch) {
    const window *w = c->context;
    for (int j = 0; j < outputs_of(w->kind); j++)
        branch[j] = source_of(w->kind, c->input[0], j);
    return 0;
}

/* Three equal numbers and more: an element is in several windows, and one that moves alone may change no output though
 * the gradient is its. Each output's dy goes somewhere, so those that are equal have the sum of it. */
START_TEST(ties_in_several_windows_are_kinks)
{
    static const double values[][LENGTH] = {{1, 1, 1, 1, 1, 1, 1, 1, 1},
                                            {0, 0, 0.5, 0, 0, 0, 2, 0, 0},
                                            {0, 2, 2, 2, 0, 0, 0, 1, 1},
                                            {3, 3, -1, 3, 3, 3, -1, -1, 3}};
    static const tg_custom_op op = {.name = "window", .forward_f64 = window_forward, .vjp_f64 = window_vjp};
    for (int k = 0; k < N_WINDOWS * 4 * 2 * 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(LENGTH), values[k / N_WINDOWS % 4]));
        window w = {k % N_WINDOWS, k / 32 ? 2 : 1};
        tg_tensor y = tg_custom(&op, &x, 1, TG_SHAPE(outputs_of(w.kind)), &w, sizeof w);
        ck_assert_int_eq(tg_custom_set_branches(y, window_branches), TG_OK);
        tg_gradcheck_result r = check(y, (tg_gradcheck_mode)(k / 16 % 2));
        bool unseen = w.kind == MIDDLE && k / N_WINDOWS % 4 == 0; /* all are equal: none alone moves anything */
        ck_assert_msg(w.factor == 1 ? r.verdict != TG_GRAD_WRONG
                                    : r.verdict == TG_GRAD_WRONG || (unseen && r.verdict == TG_GRAD_CANNOT_TELL),
                      "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* A built-in operation's VJP where elements tie, with another factor for those. */
static double tied_factor;

static tg_status tied_maximum_vjp(tg_node *y) {
    for (int i = 0; i < 2; i++) {
        double a[N], b[N], dx[N];
        tg_copy_out(y->in[i], y->in[i]->data, y->in[i]->stride, a);
        tg_copy_out(y->in[1 - i], y->in[1 - i]->data, y->in[1 - i]->stride, b);
        for (int64_t j = 0; j < y->numel; j++)
            dx[j] = a[j] < b[j] ? 0 : ((const double *)y->grad)[j] * (a[j] == b[j] ? tied_factor / 2 : 1);
        if (tg_grad_add_values(y->in[i], dx))
            return tg_tape_status(y->tape);
    }
    return TG_OK;
}

static tg_status tied_amax_vjp(tg_node *y) {
    const double *largest = y->data, *dy = y->grad;
    double x[N], dx[N], ties = 0;
    int64_t n = y->in[0]->numel;
    tg_copy_out(y->in[0], y->in[0]->data, y->in[0]->stride, x);
    for (int64_t j = 0; j < n; j++)
        ties += fabs(x[j]) == *largest;
    for (int64_t j = 0; j < n; j++)
        dx[j] = fabs(x[j]) == *largest ? (x[j] > 0 ? 1 : -1) * *dy / ties * (ties > 1 ? tied_factor : 1) : 0;
    return tg_grad_add_values(y->in[0], dx);
}

/* The larger of x and of a copy, the largest of 1 2 2 2, the largest |x| of -1 2 2 2 and of -2 2 1 0: with factor 1
 * each is right. Together those that tie change y by as much as one of them does. */
static tg_tensor tied_example(tg_tape *t, int i) {
    static const double values[][4] = {{1, 2, 2, 2}, {1, 2, 2, 2}, {-1, 2, 2, 2}, {-2, 2, 1, 0}};
    tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(4), values[i]));
    return i == 0   ? tg_maximum(x, tg_clone(x))
           : i == 1 ? tg_amax(x, TG_ALL_DIMS, false)
                    : tg_norm(x, INFINITY, TG_ALL_DIMS, false);
}

START_TEST(equal_elements_of_built_in_operations_are_wrong_together)
{
    static const double factors[] = {1, 0, 2, 0.5};
    static const char *const names[] = {"maximum", "amax", "norm", "norm"};
    for (int k = 0; k < 4 * 4 * 2; k++) {
        int i = k % 4;
        tied_factor = factors[k / 4 % 4];
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor example = tied_example(t, i);
        tg_node *y = t->nodes[example.index];
        tg_op op = *y->op;
        op.vjp[TG_F64] = i == 0 ? tied_maximum_vjp : tied_amax_vjp;
        y->op = &op;
        tg_gradcheck_result r = check(tg_handle(y), (tg_gradcheck_mode)(k / 16));
        if (tied_factor == 1)
            ck_assert_msg(r.verdict <= TG_GRAD_KINK, "%d: %s: %s", k, r.summary, r.diagnosis);
        else
            ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strcmp(r.op, names[i]) && r.operand == 1, "%d: %s: %s", k,
                          r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* b is 3 twice: y = max(b, b) changes by 1 where b does, and 1 + 1 is not that. */
START_TEST(what_equal_elements_add_up_to_is_told)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor b = wanting(tg_from_doubles(t, TG_SHAPE(1), (double[]){3}));
    tg_tensor larger = tg_maximum(b, tg_clone(b));
    tg_node *y = t->nodes[larger.index];
    tg_op op = *y->op;
    op.vjp[TG_F64] = tied_maximum_vjp;
    y->op = &op;
    tied_factor = 2;
    tg_gradcheck_result r = check(tg_handle(y), TG_GRADCHECK_FULL);
    ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strcmp(r.op, "maximum"), "%s", r.summary);
    ck_assert_str_eq(r.diagnosis,
                     "elements that are equal (2 of them, x = 3): moved together they change y by 1, their "
                     "gradients add up to 2");
    tg_tape_free(t);
}
END_TEST

/* Both are at a tie, and whatever they chose is pardoned once an element, or once a direction. */
START_TEST(kinks_are_no_more_than_what_was_compared)
{
    for (int mode = 0; mode < 2; mode++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(3), 2));
        tg_gradcheck_result r = check(tg_maximum(x, tg_amin(x, TG_ALL_DIMS, true)), (tg_gradcheck_mode)mode);
        ck_assert_msg(r.verdict == TG_GRAD_KINK && r.kinks && r.kinks <= r.compared, "%s", r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* relu, |x|, bounds: kinks that are no ties say nothing. */
START_TEST(equal_elements_at_other_kinks_are_no_mistakes)
{
    for (int k = 0; k < 12 * 2; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        const double values[] = {0, 1, 0, -1, 1, 0};
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(6), values)), z = wanting(tg_zeros(t, TG_SHAPE(6))), y = x;
        switch (k / 2) {
        case 0: y = tg_relu(x); break;
        case 1: y = tg_abs(x); break;
        case 2: y = tg_clamp(x, -1, 1); break;
        case 3: y = tg_clamp_tensor(x, z, tg_abs(x)); break;
        case 4: y = tg_maximum(x, z); break;
        case 5: y = tg_l1_loss(x, z, TG_NONE); break;
        case 6: y = tg_huber_loss(x, z, 1, TG_NONE); break;
        case 7: y = tg_norm(x, 1, TG_ALL_DIMS, false); break;
        case 8: y = tg_norm(z, INFINITY, TG_ALL_DIMS, false); break;
        case 9: y = tg_norm(tg_sub(z, z), 2, TG_ALL_DIMS, false); break;
        case 10: y = tg_minimum(tg_relu(x), tg_leaky_relu(x, 0.5)); break;
        default: y = tg_sort(x, 0, true, NULL); break;
        }
        tg_gradcheck_result r = check(y, (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict <= TG_GRAD_KINK && r.kinks <= r.compared, "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- kept from the first call ---- */

typedef struct map {
    double (*value)(double), (*slope)(double);
} map;

static double sine(double x) { return sin(3 * x); }
static double sine_slope(double x) { return 3 * cos(3 * x); }
static double gelu(double x) { return x / 2 * (1 + erf(x / sqrt(2))); }
static double gelu_slope(double x) {
    return (1 + erf(x / sqrt(2))) / 2 + x * exp(-x * x / 2) / sqrt(2 * 3.14159265358979324);
}
static double square(double x) { return x + x * x; }
static double square_slope(double x) { return 1 + 2 * x; }
static double relu(double x) { return x > 0 ? x : 0; }
static double relu_slope(double x) { return x > 0; }
static double root(double x) { return sqrt(1 + 4 * x); }
static double root_slope(double x) { return 2 / sqrt(1 + 4 * x); }
static double line(double x) { return 2 * x; }
static double line_slope(double x) { return x == x ? 2 : x; }

static double first_slopes[2][N];
static bool has_first[2];

/* By context: 0: the slopes are those of x; 1: of the VJP's first x; 2: of the forward's first x. */
typedef struct keeping {
    const map *map;
    int when;
} keeping;

static void keep_first(const keeping *k, int dtype, const tg_call *c) {
    for (int i = 0; i < N && !has_first[dtype]; i++)
        first_slopes[dtype][i] =
            k->map->slope(dtype ? ((const double *)c->input[0])[i] : (double)((const float *)c->input[0])[i]);
    has_first[dtype] = true;
}

#define CALLBACKS(suffix, type, dtype)                                                                         \
    static int keeping_forward_##suffix(const tg_call *c) {                                                    \
        const keeping *k = c->context;                                                                         \
        for (int i = 0; i < N; i++)                                                                            \
            ((type *)c->output)[i] = (type)k->map->value((double)((const type *)c->input[0])[i]);              \
        if (k->when == 2)                                                                                      \
            keep_first(k, dtype, c);                                                                           \
        return 0;                                                                                              \
    }                                                                                                          \
    static int keeping_vjp_##suffix(const tg_call *c) {                                                        \
        const keeping *k = c->context;                                                                         \
        if (k->when == 0)                                                                                      \
            has_first[dtype] = false;                                                                          \
        keep_first(k, dtype, c);                                                                               \
        for (int i = 0; i < N; i++)                                                                            \
            ((type *)c->input_grad[0])[i] += (type)first_slopes[dtype][i] * ((const type *)c->output_grad)[i]; \
        return 0;                                                                                              \
    }
CALLBACKS(f32, float, 0)
CALLBACKS(f64, double, 1)

static tg_gradcheck_result check_keeping(tg_tensor x, keeping k, bool both, tg_gradcheck_mode mode) {
    static const tg_custom_op two = {"keeping", keeping_forward_f32, keeping_vjp_f32, keeping_forward_f64,
                                     keeping_vjp_f64};
    static const tg_custom_op one = {.name = "keeping", .forward_f64 = keeping_forward_f64, .vjp_f64 = keeping_vjp_f64};
    has_first[0] = has_first[1] = false;
    return check(tg_custom(both ? &two : &one, &x, 1, TG_SHAPE(ROWS, COLUMNS), &k, sizeof k), mode);
}

START_TEST(slopes_kept_from_the_first_call_are_wrong_where_numbers_are_small)
{
    static const map maps[] = {{sine, sine_slope}, {gelu, gelu_slope}, {square, square_slope},
                               {relu, relu_slope}, {root, root_slope}, {line, line_slope}};
    const double sizes[] = {0, 1e-6, 1e-4, 1e-2};
    for (int k = 0; k < 6 * 4 * 3 * 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        keeping how = {&maps[k % 6], k / 24 % 3};
        double size = sizes[k / 6 % 4];
        bool wrong = how.when && how.map->value != line;
        if (how.map->value == relu && size == 0) /* a kink */
            size = 1;
        tg_gradcheck_result r =
            check_keeping(random_leaf(t, (uint64_t)k + 1, size, 0), how, k / 72 % 2, (tg_gradcheck_mode)(k / 144));
        ck_assert_msg(r.verdict == (wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d, %g: %s", k, size, r.summary);
        ck_assert_msg(!wrong || !strcmp(r.op, "keeping"), "%d: %s", k, r.summary);
        bool curved = how.map->value != relu && how.map->value != root; /* sqrt(1 + 4 x) ends near here */
        bool far = wrong && strstr(r.diagnosis, "further away");
        bool shown = curved && size > (how.map->value == sine ? 1e-6 : 0); /* by slopes that are not all 3, 1/2, 1 */
        ck_assert_msg(!far || !shown || r.mistake == TG_MISTAKE_STALE, "%d: %s", k, r.diagnosis);
        ck_assert_msg(r.mistake != TG_MISTAKE_STALE || (size > 0 && how.map->value != relu), "%d: %s", k, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* Far away are the program's leaves, not what it makes of them. */
START_TEST(slopes_kept_behind_other_operations_are_wrong)
{
    static const map sines = {sine, sine_slope};
    for (int k = 0; k < 5 * 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        keeping how = {&sines, k / 5 % 2 * 2};
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 0.01, 0);
        tg_tensor before[] = {tg_sigmoid(x), tg_tanh(x), tg_mul_scalar(x, 1e-6), tg_log(tg_abs(x)), tg_exp(x)};
        tg_gradcheck_result r = check_keeping(before[k % 5], how, false, (tg_gradcheck_mode)(k / 10 % 2));
        ck_assert_msg(r.verdict == (how.when ? TG_GRAD_WRONG : TG_GRAD_RIGHT), "%d: %s", k, r.summary);
        tg_tape_free(t);
    }
}
END_TEST

/* Of a number in [0, 1], what else comes is made one first: itself, 3 |x|, and 4 x + 1 in a table of eighths. */
enum { CLAMPED, TRIPLE, TABLE, MAPS };

static double of_probability(int kind, double x) {
    double p = fmin(fmax(x, 0), 1), eighth = fmin(floor(8 * p), 7);
    return kind == CLAMPED ? p : kind == TRIPLE ? 3 * fabs(x) : 4 * (eighth / 8) + 1 + 4 * (p - eighth / 8);
}

static int probability_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = of_probability(*(const int *)c->context, ((const double *)c->input[0])[i]);
    return 0;
}

static int probability_vjp(const tg_call *c) {
    static const double slope[MAPS] = {1, 3, 4};
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += slope[*(const int *)c->context] * ((const double *)c->output_grad)[i];
    return 0;
}

START_TEST(what_is_right_for_all_that_the_program_makes_is_right)
{
    static const tg_custom_op op = {
        .name = "probability", .forward_f64 = probability_forward, .vjp_f64 = probability_vjp};
    for (int k = 0; k < MAPS * 4 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        int kind = k % MAPS;
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 1, 0);
        tg_tensor p = k / MAPS % 2 ? tg_sigmoid(x) : tg_softmax(x, 1);
        tg_gradcheck_result r = check(tg_custom(&op, &p, 1, TG_SHAPE(ROWS, COLUMNS), &kind, sizeof kind),
                                      (tg_gradcheck_mode)(k / MAPS / 2 % 2));
        ck_assert_msg(r.verdict == TG_GRAD_RIGHT, "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* Rows of three numbers, wrong without any memory: sorted, with dy by the inverse permutation; the largest, looked for
 * among the first two; sum max(0, 1 + x[j] - x[0]), whose x[0] gets -2 dy whatever the number of summands. */
enum { SORT, POOL, HINGE, PIECES };

static void order_of(const double *x, int *order) {
    for (int i = 0; i < 3; i++)
        order[(x[i] > x[0]) + (x[i] > x[1]) + (x[i] > x[2])] = i;
}

static int pieces_forward(const tg_call *c) {
    for (int i = 0; i < 2; i++) {
        const double *x = (const double *)c->input[0] + 3 * i;
        double *y = (double *)c->output + 3 * i;
        int kind = *(const int *)c->context, order[3];
        order_of(x, order);
        for (int j = 0; j < 3; j++)
            y[j] = kind == SORT   ? x[order[j]]
                   : j > 0        ? 0
                   : kind == POOL ? x[order[2]]
                                  : fmax(1 + x[1] - x[0], 0) + fmax(1 + x[2] - x[0], 0);
    }
    return 0;
}

static int pieces_vjp(const tg_call *c) {
    for (int i = 0; i < 2; i++) {
        const double *x = (const double *)c->input[0] + 3 * i, *dy = (const double *)c->output_grad + 3 * i;
        double *dx = (double *)c->input_grad[0] + 3 * i;
        int kind = *(const int *)c->context, order[3];
        order_of(x, order);
        if (kind == POOL)
            dx[x[1] > x[0]] += dy[0];
        for (int j = 0; j < 3; j++)
            dx[j] += kind == SORT ? dy[order[j]] : kind == POOL ? 0 : j == 0 ? -2 * dy[0] : 1 + x[j] > x[0] ? dy[0] : 0;
    }
    return 0;
}

START_TEST(straight_pieces_are_no_memory)
{
    static const tg_custom_op pieces = {.name = "pieces", .forward_f64 = pieces_forward, .vjp_f64 = pieces_vjp};
    int wrong = 0;
    for (int k = 0; k < 2 * PIECES * 40; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        int kind = k % PIECES;
        tg_manual_seed(t, (uint64_t)k / PIECES);
        tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(2, 3)), true);
        tg_tensor y = tg_custom(&pieces, &x, 1, TG_SHAPE(2, 3), &kind, sizeof kind);
        tg_gradcheck_result r = check(y, (tg_gradcheck_mode)(k % 2));
        wrong += r.verdict == TG_GRAD_WRONG;
        ck_assert_msg(r.mistake != TG_MISTAKE_STALE && !strstr(r.diagnosis, "an earlier call"), "%d: %s", k,
                      r.diagnosis);
        tg_tape_free(t);
    }
    ck_assert_int_gt(wrong, PIECES * 40);
}
END_TEST

/* Without any memory, and harmless for what training begins with. y = x (n, k) and p (k): */
enum { GAIN, RESIDUAL, HALF_SQUARE, RATIO, BIAS, TWIN, ROW_LENGTH, BEGINNINGS };

#define BEGINNING(suffix, type)                                                                 \
    static int beginning_forward_##suffix(const tg_call *c) {                                   \
        const type *x = c->input[0], *p = c->input[1];                                          \
        for (int i = 0; i < N; i++) {                                                           \
            double v = (double)x[i], q = (double)p[i % COLUMNS], square = 0;                    \
            for (int j = i / COLUMNS * COLUMNS; j / COLUMNS == i / COLUMNS; j++)                \
                square += (double)x[j] * (double)x[j];                                          \
            double y[BEGINNINGS] = {v * q,         v + q * tanh(v), v * v * q / 2,              \
                                    v / q,         v + tanh(q),     v + exp((v - q) * (v - q)), \
                                    v + q * square};                                            \
            ((type *)c->output)[i] = (type)y[*(const int *)c->context];                         \
        }                                                                                       \
        return 0;                                                                               \
    }                                                                                           \
    static int beginning_vjp_##suffix(const tg_call *c) {                                       \
        const type *x = c->input[0], *p = c->input[1], *dy = c->output_grad;                    \
        for (int i = 0; i < N; i++) {                                                           \
            int kind = *(const int *)c->context;                                                \
            double v = (double)x[i], q = (double)p[i % COLUMNS], d = (double)dy[i];             \
            double e = 2 * (v - q) * exp((v - q) * (v - q)), all = 0;                           \
            for (int j = i / COLUMNS * COLUMNS; j / COLUMNS == i / COLUMNS; j++)                \
                all += (double)p[j % COLUMNS] * (double)dy[j];                                  \
            double dx[BEGINNINGS] = {d, d, 0, d, d, d + e * d, d + 2 * v * all};                \
            double dp[BEGINNINGS] = {v, tanh(v), v * v / 2, -v / q / q, 1, 0, 1};               \
            ((type *)c->input_grad[0])[i] += (type)dx[kind];                                    \
            ((type *)c->input_grad[1])[i % COLUMNS] += (type)(dp[kind] * d);                    \
        }                                                                                       \
        return 0;                                                                               \
    }
BEGINNING(f32, float)
BEGINNING(f64, double)

static void make_rows_of_length_one(double *x) {
    for (int i = 0; i < N; i += COLUMNS) {
        double squares = 0;
        for (int j = i; j < i + COLUMNS; j++)
            squares += x[j] * x[j];
        for (int j = i; j < i + COLUMNS; j++)
            x[j] /= sqrt(squares);
    }
}

START_TEST(what_is_harmless_at_first_is_no_memory)
{
    static const tg_custom_op op = {"beginning", beginning_forward_f32, beginning_vjp_f32, beginning_forward_f64,
                                    beginning_vjp_f64};
    static const double first[] = {1, 0, 0, 1, 0, 0, 0.3};
    static const tg_mistake names[] = {TG_MISTAKE_PASSED_ON, TG_MISTAKE_PASSED_ON, TG_MISTAKE_ZERO,
                                       TG_MISTAKE_PASSED_ON, TG_MISTAKE_UNKNOWN,   TG_MISTAKE_ZERO,
                                       TG_MISTAKE_UNKNOWN};
    for (int k = 0; k < 4 * BEGINNINGS * SEEDS; k++) {
        tg_tape *t = tg_tape_new(k / 2 % 2 ? TG_F32 : TG_F64);
        int kind = k / 4 % BEGINNINGS;
        double row[N];
        tg_rng_state g;
        tg_rng_seed(&g, (uint64_t)k + 1);
        for (int i = 0; i < N; i++) /* each p is the x of its column, or they are what they are first */
            row[i] = i < COLUMNS || kind != TWIN ? normal(&g) : row[i - COLUMNS];
        if (kind == ROW_LENGTH)
            make_rows_of_length_one(row);
        tg_tensor x = wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), row));
        tg_tensor p = wanting(kind == TWIN ? tg_from_doubles(t, TG_SHAPE(COLUMNS), row)
                                           : tg_full(t, TG_SHAPE(COLUMNS), first[kind]));
        tg_tensor in[] = {x, p};
        tg_gradcheck_result r =
            check(tg_custom(&op, in, 2, TG_SHAPE(ROWS, COLUMNS), &kind, sizeof kind), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake == names[kind], "%d: %s: %s", k, r.summary, r.diagnosis);
        ck_assert_msg(strstr(r.diagnosis, "further away"), "%d: %s", k, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* A buffer that is never cleared, and holds by now what swallows all that is added. */
static double sum_of_calls[N];

static int adding_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = sine(((const double *)c->input[0])[i]);
    return 0;
}

static int adding_vjp(const tg_call *c) {
    for (int i = 0; i < N; i++) {
        sum_of_calls[i] += ((const double *)c->output_grad)[i] * sine_slope(((const double *)c->input[0])[i]);
        ((double *)c->input_grad[0])[i] += sum_of_calls[i];
    }
    return 0;
}

START_TEST(a_buffer_that_holds_much_is_stale)
{
    static const tg_custom_op adding = {.name = "adding", .forward_f64 = adding_forward, .vjp_f64 = adding_vjp};
    for (int k = 0; k < 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        for (int i = 0; i < N; i++)
            sum_of_calls[i] = k / 2 % 2 ? 1e28 * (i + 1) : 0;
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 1, 0);
        tg_gradcheck_result r =
            check(tg_custom(&adding, &x, 1, TG_SHAPE(ROWS, COLUMNS), NULL, 0), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.mistake == TG_MISTAKE_STALE, "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* ---- what it is called ---- */

static int tanh_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = tanh(((const double *)c->input[0])[i]);
    return 0;
}

/* The context: by what dy is multiplied where it lies. */
static int scaling_vjp(const tg_call *c) {
    const double *y = c->output;
    double *dy = (double *)c->output_grad;
    for (int i = 0; i < N; i++)
        dy[i] *= *(const double *)c->context;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += dy[i] * (1 - y[i] * y[i]);
    return 0;
}

START_TEST(a_factor_that_is_written_to_dy_is_called_that)
{
    static const tg_custom_op scaling = {.name = "scaling", .forward_f64 = tanh_forward, .vjp_f64 = scaling_vjp};
    const double factors[] = {2, 0.5, 3, -1, 0};
    for (int k = 0; k < 5 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double factor = factors[k % 5];
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 1, 0);
        tg_tensor y = tg_custom(&scaling, &x, 1, TG_SHAPE(ROWS, COLUMNS), &factor, sizeof factor);
        tg_gradcheck_result r = check(k / 5 % 2 ? y : total(tg_mul(y, x)), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.mistake == TG_MISTAKE_WRITES && strstr(r.diagnosis, "writes to dy,"), "%d: %s", k, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

static int sum_of_squares_forward(const tg_call *c) {
    const double *x = c->input[0];
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i];
    *(double *)c->output = sum;
    return 0;
}

/* The context: the most of dy that is used; 0: 1 instead of it. */
static int clipped_vjp(const tg_call *c) {
    const double *x = c->input[0];
    double most = *(const double *)c->context, dy = *(const double *)c->output_grad;
    double used = most > 0 ? fmin(fmax(dy, -most), most) : 1;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += 2 * x[i] * used;
    return 0;
}

START_TEST(a_dy_that_is_clipped_is_not_one_that_is_forgotten)
{
    static const tg_custom_op clipped = {
        .name = "clipped", .forward_f64 = sum_of_squares_forward, .vjp_f64 = clipped_vjp};
    int wrong = 0;
    for (int k = 0; k < 8 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        double most = k % 2;
        tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
        tg_gradcheck_result r;
        config.seed = (uint64_t)k + 1;
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 1, 0);
        (void)!tg_gradcheck(tg_custom(&clipped, &x, 1, TG_SCALAR, &most, sizeof most), config, &r);
        wrong += most > 0 && r.verdict == TG_GRAD_WRONG;
        ck_assert_msg((r.mistake == TG_MISTAKE_NO_DY) == (most == 0), "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
    ck_assert_int_gt(wrong, 2 * SEEDS);
}
END_TEST

static int larger_forward(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = fmax(((const double *)c->input[0])[i], ((const double *)c->input[1])[i]);
    return 0;
}

/* |dy| for dy. */
static int larger_vjp(const tg_call *c) {
    const double *a = c->input[0], *b = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 2; k++)
            if (c->input_grad[k] && (a[i] >= b[i]) == (k == 0))
                ((double *)c->input_grad[k])[i] += fabs(dy[i]);
    return 0;
}

START_TEST(the_size_of_dy_is_no_flipped_sign_at_ties)
{
    static const tg_custom_op larger = {.name = "larger", .forward_f64 = larger_forward, .vjp_f64 = larger_vjp};
    for (int k = 0; k < 4 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 1, 0), both[] = {x, x};
        tg_gradcheck_result r =
            check(tg_custom(&larger, both, 2, TG_SHAPE(ROWS, COLUMNS), NULL, 0), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && r.mistake != TG_MISTAKE_SIGN, "%d: %s", k, r.summary);
        ck_assert_msg(strstr(r.diagnosis, "not linear in dy"), "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* max(a, b) of two numbers, where a tie gives each the context's share of dy. */
static int larger_number_forward(const tg_call *c) {
    *(double *)c->output = fmax(*(const double *)c->input[0], *(const double *)c->input[1]);
    return 0;
}

static int larger_number_vjp(const tg_call *c) {
    double a = *(const double *)c->input[0], b = *(const double *)c->input[1], dy = *(const double *)c->output_grad;
    double share = *(const double *)c->context;
    *(double *)c->input_grad[0] += (a == b ? share : a > b) * dy;
    *(double *)c->input_grad[1] += (a == b ? share : b > a) * dy;
    return 0;
}

START_TEST(what_does_not_cancel_is_not_said_to)
{
    static const tg_custom_op larger = {
        .name = "larger", .forward_f64 = larger_number_forward, .vjp_f64 = larger_number_vjp};
    const double shares[] = {0.5, 1, 0, 0.3};
    for (int k = 0; k < 4; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(1), 0.3)), both[] = {x, x};
        tg_gradcheck_result r =
            check(tg_custom(&larger, both, 2, TG_SHAPE(1), &shares[k], sizeof shares[k]), TG_GRADCHECK_FULL);
        ck_assert_msg((r.verdict == TG_GRAD_WRONG) == (k > 0), "%d: %s", k, r.summary);
        ck_assert_msg(!k || strstr(r.diagnosis, "alone each is at a kink"), "%d: %s", k, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* x + sin(x) / 4 and x + sin(x), with dy for a gradient: where all x are alike 4/5 and half the right one. */
static int wave_forward(const tg_call *c) {
    for (int i = 0; i < N; i++) {
        double x = ((const double *)c->input[0])[i];
        ((double *)c->output)[i] = x + *(const double *)c->context * sin(x);
    }
    return 0;
}

static int passing_vjp(const tg_call *c) {
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += ((const double *)c->output_grad)[i];
    return 0;
}

START_TEST(equal_slopes_of_equal_numbers_are_no_scale)
{
    static const tg_custom_op wave = {.name = "wave", .forward_f64 = wave_forward, .vjp_f64 = passing_vjp};
    const double values[] = {0, 0.01, 0.1, 0.5, 1}, sizes[] = {0.25, 1};
    for (int k = 0; k < 20; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = wanting(tg_full(t, TG_SHAPE(ROWS, COLUMNS), values[k / 4]));
        double size = sizes[k / 2 % 2];
        tg_gradcheck_result r =
            check(tg_custom(&wave, &x, 1, TG_SHAPE(ROWS, COLUMNS), &size, sizeof size), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.mistake == TG_MISTAKE_PASSED_ON, "%d: %s: %s", k, r.summary, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* prelu: y = x or p x; the gradient of p is the sum over as many rows as the context says. */
static int prelu_forward(const tg_call *c) {
    const double *x = c->input[0], *p = c->input[1];
    for (int i = 0; i < N; i++)
        ((double *)c->output)[i] = x[i] > 0 ? x[i] : p[i % COLUMNS] * x[i];
    return 0;
}

static int prelu_vjp(const tg_call *c) {
    const double *x = c->input[0], *p = c->input[1], *dy = c->output_grad;
    for (int i = 0; i < N; i++) {
        ((double *)c->input_grad[0])[i] += x[i] > 0 ? dy[i] : p[i % COLUMNS] * dy[i];
        if (x[i] <= 0 && i < *(const int *)c->context * COLUMNS)
            ((double *)c->input_grad[1])[i % COLUMNS] += x[i] * dy[i];
    }
    return 0;
}

/* Of three, one of which adds nothing, one is left alone where the last is forgotten. */
START_TEST(a_row_that_is_forgotten_is_no_missing_sum)
{
    static const tg_custom_op prelu = {.name = "prelu", .forward_f64 = prelu_forward, .vjp_f64 = prelu_vjp};
    for (int k = 0; k < 6 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        int empty = k / 2 % 3, rows = empty < 2 ? 2 : 1;
        double values[N], p[COLUMNS] = {0.25, 0.5, 0.125, 0.75};
        tg_rng_state g;
        tg_rng_seed(&g, (uint64_t)k + 1);
        for (int i = 0; i < N; i++)
            values[i] = (i / COLUMNS == empty && empty < 2 ? 1 : -1) * fabs(normal(&g));
        tg_tensor in[] = {wanting(tg_from_doubles(t, TG_SHAPE(ROWS, COLUMNS), values)),
                          wanting(tg_from_doubles(t, TG_SHAPE(COLUMNS), p))};
        tg_gradcheck_result r =
            check(tg_custom(&prelu, in, 2, TG_SHAPE(ROWS, COLUMNS), &rows, sizeof rows), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG, "%d: %s", k, r.summary);
        ck_assert_msg((r.mistake == TG_MISTAKE_NOT_SUMMED) == (rows == 1), "%d: %s", k, r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

/* Right for this dy, not for larger ones. */
static int short_vjp(const tg_call *c) {
    const double *y = c->output, *dy = c->output_grad;
    for (int i = 0; i < N; i++)
        ((double *)c->input_grad[0])[i] += fmax(fmin(dy[i] * (1 - y[i] * y[i]), 1), -1);
    return 0;
}

START_TEST(a_gradient_that_is_clipped_is_at_no_kink)
{
    static const tg_custom_op short_of = {.name = "short", .forward_f64 = tanh_forward, .vjp_f64 = short_vjp};
    for (int k = 0; k < 2 * SEEDS; k++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_tensor x = random_leaf(t, (uint64_t)k + 1, 0.1, 1);
        tg_gradcheck_result r =
            check(tg_custom(&short_of, &x, 1, TG_SHAPE(ROWS, COLUMNS), NULL, 0), (tg_gradcheck_mode)(k % 2));
        ck_assert_msg(r.verdict == TG_GRAD_WRONG && !strstr(r.diagnosis, "kink"), "%d: %s", k, r.diagnosis);
        ck_assert_msg(strstr(r.diagnosis, "; for dy itself the 12 elements looked at are right"), "%d: %s", k,
                      r.diagnosis);
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    const TTest *const all[] = {what_the_largest_leaks_is_wrong_at_ties_too,
                                ties_in_several_windows_are_kinks,
                                equal_elements_of_built_in_operations_are_wrong_together,
                                what_equal_elements_add_up_to_is_told,
                                kinks_are_no_more_than_what_was_compared,
                                equal_elements_at_other_kinks_are_no_mistakes,
                                slopes_kept_from_the_first_call_are_wrong_where_numbers_are_small,
                                slopes_kept_behind_other_operations_are_wrong,
                                what_is_right_for_all_that_the_program_makes_is_right,
                                straight_pieces_are_no_memory,
                                what_is_harmless_at_first_is_no_memory,
                                a_buffer_that_holds_much_is_stale,
                                a_factor_that_is_written_to_dy_is_called_that,
                                a_dy_that_is_clipped_is_not_one_that_is_forgotten,
                                the_size_of_dy_is_no_flipped_sign_at_ties,
                                what_does_not_cancel_is_not_said_to,
                                equal_slopes_of_equal_numbers_are_no_scale,
                                a_row_that_is_forgotten_is_no_missing_sum,
                                a_gradient_that_is_clipped_is_at_no_kink};
    return run_tests("gradcheck_aside", all, sizeof all / sizeof *all, NULL, NULL);
}
