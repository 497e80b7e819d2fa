/* Operations of one's own whose gradients can have a mistake planted, for the gradient check to find. */
#include "core/tapegrad.h"
#include "examples/playground/playground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 3, ALL = ROWS * COLUMNS, MOST_INPUTS = 3, POINTS = 65 };
typedef enum { RIGHT, SIGN, NO_SUM, NO_MASK } mistake;
static const char *const mistake_name[] = {"none", "the sign is wrong", "a sum is missing", "the mask is not applied"};

static mistake planted_in(const tg_call *c) { return *(const mistake *)c->context; }

/* ---- y = w x^2, w for each column:    dx = 2 w x dy    dw = sum over rows of x^2 dy ---- */

static int weighted_square(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1];
    for (int i = 0; i < ALL; i++)
        ((double *)c->output)[i] = w[i % COLUMNS] * x[i] * x[i];
    return 0;
}

static int weighted_square_vjp(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *dy = c->output_grad;
    double *dx = c->input_grad[0], *dw = c->input_grad[1], sign = planted_in(c) == SIGN ? -1 : 1;
    int from = planted_in(c) == NO_SUM ? ALL - COLUMNS : 0;
    for (int i = 0; dx && i < ALL; i++)
        dx[i] += sign * 2 * w[i % COLUMNS] * x[i] * dy[i];
    for (int i = from; dw && i < ALL; i++)
        dw[i % COLUMNS] += x[i] * x[i] * dy[i];
    return 0;
}

/* ---- y = max(x, 0):    dx = dy where x > 0 ---- */

static int relu(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < ALL; i++)
        ((double *)c->output)[i] = x[i] > 0 ? x[i] : 0;
    return 0;
}

static int relu_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0], sign = planted_in(c) == SIGN ? -1 : 1;
    for (int i = 0; i < ALL; i++)
        dx[i] += x[i] > 0 || planted_in(c) == NO_MASK ? sign * dy[i] : 0;
    return 0;
}

/* ---- softmax of each row:    dx = y (dy - sum over the row of dy y) ---- */

static int softmax(const tg_call *c) {
    const double *x = c->input[0];
    for (int r = 0; r < ROWS; r++, x += COLUMNS) {
        double *y = (double *)c->output + r * COLUMNS, sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            sum += y[j] = exp(x[j]);
        for (int j = 0; j < COLUMNS; j++)
            y[j] /= sum;
    }
    return 0;
}

static int softmax_vjp(const tg_call *c) {
    double sign = planted_in(c) == SIGN ? -1 : 1;
    for (int r = 0; r < ROWS; r++) {
        const double *y = (const double *)c->output + r * COLUMNS, *dy = (const double *)c->output_grad + r * COLUMNS;
        double *dx = (double *)c->input_grad[0] + r * COLUMNS, sum = 0;
        for (int j = 0; j < COLUMNS && planted_in(c) != NO_SUM; j++)
            sum += dy[j] * y[j];
        for (int j = 0; j < COLUMNS; j++)
            dx[j] += sign * y[j] * (dy[j] - sum);
    }
    return 0;
}

/* ---- y = x w^T + b:    dx = dy w    dw = dy^T x    db = sum over rows of dy ---- */

static int linear(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *b = c->input[2];
    for (int i = 0; i < ALL; i++) {
        double *y = (double *)c->output + i;
        *y = b[i % COLUMNS];
        for (int k = 0; k < COLUMNS; k++)
            *y += x[i / COLUMNS * COLUMNS + k] * w[i % COLUMNS * COLUMNS + k];
    }
    return 0;
}

static int linear_vjp(const tg_call *c) {
    const double *x = c->input[0], *w = c->input[1], *dy = c->output_grad;
    double *dx = c->input_grad[0], *dw = c->input_grad[1], *db = c->input_grad[2];
    double sign = planted_in(c) == SIGN ? -1 : 1;
    for (int i = 0; i < ALL; i++)
        for (int k = 0, r = i / COLUMNS, j = i % COLUMNS; k < COLUMNS; k++) {
            if (dx)
                dx[r * COLUMNS + k] += dy[i] * w[j * COLUMNS + k];
            if (dw)
                dw[j * COLUMNS + k] += sign * dy[i] * x[r * COLUMNS + k];
        }
    for (int i = planted_in(c) == NO_SUM ? ALL - COLUMNS : 0; db && i < ALL; i++)
        db[i % COLUMNS] += dy[i];
    return 0;
}

/* ---- scores under a causal mask: y = x^2 where column <= row, else 0:    dx = 2 x dy there, else 0 ---- */

static bool is_seen(int i) { return i % COLUMNS <= i / COLUMNS; }

static int causal(const tg_call *c) {
    const double *x = c->input[0];
    for (int i = 0; i < ALL; i++)
        ((double *)c->output)[i] = is_seen(i) ? x[i] * x[i] : 0;
    return 0;
}

static int causal_vjp(const tg_call *c) {
    const double *x = c->input[0], *dy = c->output_grad;
    double *dx = c->input_grad[0], sign = planted_in(c) == SIGN ? -1 : 1;
    for (int i = 0; i < ALL; i++)
        dx[i] += is_seen(i) || planted_in(c) == NO_MASK ? sign * 2 * x[i] * dy[i] : 0;
    return 0;
}

/* ---- the table ---- */

static const struct {
    const char *name, *formula, *gradient;
    bool plantable[4];
    int n_inputs, size[MOST_INPUTS]; /* COLUMNS: a vector, ALL: a matrix */
    const char *input[MOST_INPUTS];
    tg_custom_op op;
} operation[] = {{"weighted square",
                  "y = w x\302\262",
                  "dx = 2 w x dy, dw = sum over rows of x\302\262 dy",
                  {1, 1, 1, 0},
                  2,
                  {ALL, COLUMNS},
                  {"x", "w"},
                  {.name = "weighted_square", .forward_f64 = weighted_square, .vjp_f64 = weighted_square_vjp}},
                 {"softmax",
                  "y = e^x / sum e^x, row by row",
                  "dx = y (dy - sum dy y)",
                  {1, 1, 1, 0},
                  1,
                  {ALL},
                  {"x"},
                  {.name = "softmax", .forward_f64 = softmax, .vjp_f64 = softmax_vjp}},
                 {"linear",
                  "y = x w\341\265\200 + b",
                  "dx = dy w, dw = dy\341\265\200 x, db = sum over rows of dy",
                  {1, 1, 1, 0},
                  3,
                  {ALL, ALL, COLUMNS},
                  {"x", "w", "b"},
                  {.name = "linear", .forward_f64 = linear, .vjp_f64 = linear_vjp}},
                 {"relu",
                  "y = max(x, 0)",
                  "dx = dy where x > 0, else 0",
                  {1, 1, 0, 1},
                  1,
                  {ALL},
                  {"x"},
                  {.name = "relu", .forward_f64 = relu, .vjp_f64 = relu_vjp}},
                 {"squares under a causal mask",
                  "y = x\302\262 where column \342\211\244 row, else 0",
                  "dx = 2 x dy where column \342\211\244 row, else 0",
                  {1, 1, 0, 1},
                  1,
                  {ALL},
                  {"x"},
                  {.name = "causal_square", .forward_f64 = causal, .vjp_f64 = causal_vjp}}};
enum { N_OPERATIONS = sizeof operation / sizeof *operation, N_MISTAKES = 4 };

const char *EXPORT(mistakes_list)(void) {
    static char out[2000];
    size_t n = 0;
#define PUT(...) n += (size_t)snprintf(out + n, sizeof out - n, __VA_ARGS__)
    PUT("[");
    for (int i = 0; i < N_OPERATIONS; i++) {
        PUT("%s{\"name\": \"%s\", \"formula\": \"%s\", \"gradient\": \"%s\", \"mistakes\": {", i ? ", " : "",
            operation[i].name, operation[i].formula, operation[i].gradient);
        for (int m = 0, first = 1; m < N_MISTAKES; m++)
            if (operation[i].plantable[m])
                PUT("%s\"%d\": \"%s\"", first ? "" : ", ", m, mistake_name[m]), first = 0;
        PUT("}}");
    }
    PUT("]");
#undef PUT
    return out;
}

/* ---- a path ---- */

static double f_at[POINTS], integral_at[POINTS];

/* x + s d of all operands. */
static void move(int n, double *to, const double *x, const double *d, double s) {
    for (int i = 0; i < n; i++)
        to[i] = x[i] + s * d[i];
}

/* f = sum v y at a point, and <g, d> there. */
static double evaluate(int o, mistake planted, const double *at, const double *d, const double *v, double *slope) {
    double y[ALL], g[MOST_INPUTS * ALL] = {0}, f = 0;
    const void *input[MOST_INPUTS];
    void *input_grad[MOST_INPUTS];
    for (int i = 0; i < operation[o].n_inputs; i++)
        input[i] = at + i * ALL, input_grad[i] = g + i * ALL;
    tg_call c = {.input = input, .output = y, .output_grad = v, .input_grad = input_grad, .context = &planted};
    operation[o].op.forward_f64(&c);
    operation[o].op.vjp_f64(&c);
    *slope = 0;
    for (int i = 0; i < MOST_INPUTS * ALL; i++)
        *slope += g[i] * d[i];
    for (int i = 0; i < ALL; i++)
        f += v[i] * y[i];
    return f;
}

/* All operands move from their place to three quarters of their size away. Simpson's rule on each step. */
static void follow(int o, mistake planted, const double *x, const double *d, const double *v) {
    double at[MOST_INPUTS * ALL], before, middle, after, start = evaluate(o, planted, x, d, v, &before);
    f_at[0] = integral_at[0] = 0;
    for (int k = 1; k < POINTS; k++, before = after) {
        double step = 1.0 / (POINTS - 1);
        move(MOST_INPUTS * ALL, at, x, d, (k - 0.5) * step);
        evaluate(o, planted, at, d, v, &middle);
        move(MOST_INPUTS * ALL, at, x, d, k * step);
        f_at[k] = evaluate(o, planted, at, d, v, &after) - start;
        integral_at[k] = integral_at[k - 1] + step * (before + 4 * middle + after) / 6;
    }
}

/* ---- the check ---- */

/* The operands as parameters of the tape, where x keeps them too. */
static tg_tensor record(tg_tape *t, int o, mistake planted, double *x) {
    tg_tensor in[MOST_INPUTS];
    for (int i = 0; i < operation[o].n_inputs; i++) {
        tg_shape shape = operation[o].size[i] == ALL ? TG_SHAPE(ROWS, COLUMNS) : TG_SHAPE(COLUMNS);
        in[i] = tg_parameter(t, operation[o].input[i], tg_randn(t, shape));
        (void)!tg_read_doubles(in[i], x + i * ALL, operation[o].size[i]);
    }
    return tg_custom(&operation[o].op, in, operation[o].n_inputs, TG_SHAPE(ROWS, COLUMNS), &planted, sizeof planted);
}

static void draw_path(tg_tape *t, const double *x, double *d, double *v) {
    double part[MOST_INPUTS * ALL];
    (void)!tg_read_doubles(tg_rand(t, TG_SHAPE(MOST_INPUTS * ALL)), part, MOST_INPUTS * ALL);
    (void)!tg_read_doubles(tg_randn(t, TG_SHAPE(ALL)), v, ALL);
    for (int i = 0; i < MOST_INPUTS * ALL; i++)
        d[i] = (part[i] - 0.5) * 1.5 * x[i];
}

/* The text belongs to us until the next call. */
const char *EXPORT(mistakes_check)(int o, int planted, int seed) {
    static char *text;
    static tg_gradcheck_result r;
    size_t size;
    double x[MOST_INPUTS * ALL] = {0}, d[MOST_INPUTS * ALL], v[ALL];
    if (o < 0 || o >= N_OPERATIONS || planted < 0 || planted >= N_MISTAKES)
        return "{}";
    tg_tape *t = tg_tape_new(TG_F64);
    tg_manual_seed(t, (uint64_t)seed);
    tg_tensor y = record(t, o, (mistake)planted, x);
    draw_path(t, x, d, v);
    follow(o, (mistake)planted, x, d, v);
    (void)!tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r); /* the verdict tells */
    tg_tape_free(t);
    free(text);
    text = NULL;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return "{}";
    (void)!tg_gradcheck_print_json(file, &r);
    fclose(file);
    return text ? text : "{}";
}

int EXPORT(mistakes_points)(void) { return POINTS; }
const double *EXPORT(mistakes_f)(void) { return f_at; }
const double *EXPORT(mistakes_integral)(void) { return integral_at; }
