/* A2 once more, with mistakes: an engine that computes a program as the student's does where it has this mistake. */
#include "check_engine.h"

#include <string.h>

const char *const engine_words[ENGINE_MISTAKES] = {
    [ENGINE_RIGHT] = "",
    [ADD_IGNORES_ROW] = "row not added everywhere: a b of one row is added to every row of a",
    [MUL_IS_SUM] = "sum: mul adds",
    [SUM_IS_LAST] = "= inside a sum: of what sum adds up only the last element is left",
    [SUM_IS_MEAN] = "mean for sum: sum divides by the number of elements",
    [MATMUL_LAST] = "= inside a sum: of each sum of matmul only the last term is left",
    [MATMUL_RUNS_ON] = "sum not set back: matmul's sum goes on from element to element; begin at 0 for each one",
    [MATMUL_RUNS_IN_ROW] = "sum not set back: matmul's sum goes on within a row; begin at 0 for each element",
    [MATMUL_B_TURNED] = "transposed: matmul reads b as if it were stored transposed",
    [TRANSPOSE_COPIES] = "not transposed: transpose copies the elements as they lie",
    [CURVE_IS_OTHER] = "another curve: this is not the function that your page names",
    [SOFTMAX_OF_ALL] = "one sum for all: softmax divides by the sum over all rows; each row has its own",
    [SOFTMAX_RUNS_ON] = "sum not set back: softmax's sum goes on from row to row; begin at 0 for each one",
    [SOFTMAX_NOT_DIVIDED] = "not normalised: softmax does not divide by the row's sum",
    [SET_AT_ADD] = "= instead of +=: at add a gradient is set, not added to",
    [SET_AT_MUL] = "= instead of +=: at mul a gradient is set, not added to",
    [SET_AT_ADD_A] = "= instead of +=: at add the gradient of a is set, not added to",
    [SET_AT_ADD_B] = "= instead of +=: at add the gradient of b is set, not added to",
    [SET_AT_MUL_A] = "= instead of +=: at mul the gradient of a is set, not added to",
    [SET_AT_MUL_B] = "= instead of +=: at mul the gradient of b is set, not added to",
    [ADD_A_SIGN] = "sign flipped: at add a gets -1 times its gradient",
    [SET_AT_SUM] = "= instead of +=: at sum a gradient is set, not added to",
    [SET_AT_MATMUL_A] =
        "= instead of +=: at matmul the gradient of a is set, not added to: its last term alone is left",
    [SET_AT_MATMUL_B] =
        "= instead of +=: at matmul the gradient of b is set, not added to: its last term alone is left",
    [SET_AT_TRANSPOSE] = "= instead of +=: at transpose a gradient is set, not added to",
    [SET_AT_CURVE] = "= instead of +=: at curve a gradient is set, not added to",
    [SET_AT_SOFTMAX] = "= instead of +=: at softmax a gradient is set, not added to",
    [NONE_AT_ADD] = "nothing at add: its operands get no gradient",
    [NONE_AT_MUL] = "nothing at mul: its operands get no gradient",
    [NONE_AT_SUM] = "nothing at sum: its operand gets no gradient",
    [NONE_AT_MATMUL] = "nothing at matmul: its operands get no gradient",
    [NONE_AT_TRANSPOSE] = "nothing at transpose: its operand gets no gradient",
    [NONE_AT_CURVE] = "nothing at curve: its operand gets no gradient",
    [NONE_AT_SOFTMAX] = "nothing at softmax: its operand gets no gradient",
    [ADD_B_NONE] = "b forgotten: at add only a gets a gradient",
    [ADD_B_FIRST] =
        "not summed: at add a b of one row gets the gradient of the first row alone; it is used in every row",
    [ADD_B_LAST] =
        "not summed: at add a b of one row keeps the gradient of the last row alone; it is used in every row",
    [ADD_B_SIGN] = "sign flipped: at add b gets -1 times its gradient",
    [MUL_OWN_FACTOR] = "wrong factor: at mul each operand gets dy times itself, not dy times the other one",
    [MUL_NO_FACTOR] = "factor forgotten: at mul dy is passed on; it is to be multiplied by the other operand",
    [MUL_B_NONE] = "b forgotten: at mul only a gets a gradient",
    [SUM_FIRST_ONLY] = "one element only: at sum only the first element of a gets dy; every element is to",
    [SUM_DIVIDED] = "mean for sum: at sum dy is divided by the number of elements",
    [MATMUL_A_MISREAD] = "transposed: at matmul the gradient of a reads b as if it were stored transposed",
    [MATMUL_B_MISREAD] = "transposed: at matmul the gradient of b reads a as if it were stored transposed",
    [MATMUL_A_NONE] = "a forgotten: at matmul only b gets a gradient",
    [MATMUL_B_NONE] = "b forgotten: at matmul only a gets a gradient",
    [TRANSPOSE_GRAD_COPIES] = "not transposed: at transpose dy is added as it lies; it has to be transposed back",
    [CURVE_GRAD_OTHER] = "another curve's slope: this is the derivative of another function than your page names",
    [CURVE_GRAD_PASSED] = "slope forgotten: at curve dy is passed on; it is to be multiplied by the derivative",
    [CURVE_GRAD_VALUE] = "value for slope: at curve dy is multiplied by the function, not by its derivative",
    [CURVE_GRAD_INPUT] = "input for value: at curve the slope is computed from the input where the result belongs",
    [CURVE_GRAD_LINEAR] = "square forgotten: at curve the slope has y squared",
    [SOFTMAX_DIAGONAL] =
        "treated as elementwise: at softmax every y depends on every x of its row, not only p (1 - p) dp",
    [SOFTMAX_NO_DOT] = "treated as elementwise: at softmax the sum over the row is missing, p dp alone is left",
    [SOFTMAX_DOT_KEPT] = "sum not set back: at softmax the row's sum goes on from row to row; begin at 0 for each one",
    [SOFTMAX_SUM_OF_DP] = "sum of dy: at softmax what is subtracted is the sum of p dp over the row, not that of dp",
    [SOFTMAX_NO_P] = "factor y forgotten: at softmax dp - sum is to be multiplied by p",
    [SOFTMAX_SIGN] = "sign flipped: at softmax -1 times the gradient",
    [NOT_CLEARED_BEFORE] = "not cleared: at a second backward the gradients of the first are still there",
    [FROM_FIRST_TO_LAST] = "wrong direction: backward goes through the nodes from the first to the last",
    [SEED_MISSING] = "no start: every gradient is 0: that of the last node is 1 to begin with",
};

static int size_of(const engine_run *r, int k) { return r->rows[k] * r->columns[k]; }

/* ---- forward ---- */

static double curve_of(double x, int variant) { return variant ? 1 / (1 + exp(-x)) : tanh(x); }

static void softmax_rows(engine_mistake m, const double *x, double *y, int rows, int columns) {
    double sum = 0, all = 0;
    for (int i = 0; i < rows * columns; i++)
        all += exp(x[i]);
    for (int i = 0; i < rows; i++) {
        sum = m == SOFTMAX_RUNS_ON ? sum : 0;
        for (int j = 0; j < columns; j++)
            sum += exp(x[i * columns + j]);
        for (int j = 0; j < columns; j++)
            y[i * columns + j] = exp(x[i * columns + j]) / (m == SOFTMAX_OF_ALL        ? all
                                                            : m == SOFTMAX_NOT_DIVIDED ? 1
                                                                                       : sum);
    }
}

static void multiply(engine_mistake m, const double *a, const double *b, double *y, int n, int inner, int columns) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++) {
            bool runs = m == MATMUL_RUNS_ON || (m == MATMUL_RUNS_IN_ROW && j > 0);
            sum = runs ? sum : 0;
            for (int l = 0; l < inner; l++) {
                double term = a[i * inner + l] * b[m == MATMUL_B_TURNED ? j * inner + l : l * columns + j];
                sum = m == MATMUL_LAST ? term : sum + term;
            }
            y[i * columns + j] = sum;
        }
}

static void forward_of(const program *p, int k, const double *data, int variant, engine_mistake m, engine_run *r) {
    const double *c = p->code[k];
    int a = (int)c[1], b = (int)c[2], kind = (int)c[0], columns = r->columns[k], n = size_of(r, k);
    double *y = r->value + r->at[k], *va = r->value + r->at[a], *vb = r->value + r->at[b];
    if (kind == DO_SUM)
        y[0] = 0;
    for (int i = 0; i < (kind == DO_SUM ? size_of(r, a) : n); i++)
        switch (kind) {
        case DO_LEAF: y[i] = data[(int)c[3] + i]; break;
        case DO_SCALE: y[i] = c[3] * va[i]; break;
        case DO_ADD: y[i] = va[i] + (m == ADD_IGNORES_ROW && i >= size_of(r, b) ? 0 : vb[i % size_of(r, b)]); break;
        case DO_MUL: y[i] = m == MUL_IS_SUM ? va[i] + vb[i] : va[i] * vb[i]; break;
        case DO_SUM: y[0] = va[i] / (m == SUM_IS_MEAN ? size_of(r, a) : 1) + (m == SUM_IS_LAST ? 0 : y[0]); break;
        case DO_TRANSPOSE: y[i] = va[m == TRANSPOSE_COPIES ? i : i % columns * r->columns[a] + i / columns]; break;
        case DO_CURVE: y[i] = curve_of(va[i], m == CURVE_IS_OTHER ? !variant : variant); break;
        default: break;
        }
    if (kind == DO_MATMUL)
        multiply(m, va, vb, y, r->rows[k], r->columns[a], columns);
    if (kind == DO_SOFTMAX)
        softmax_rows(m, va, y, r->rows[k], columns);
}

/* ---- backward ---- */

static void give(double *grad, double what, bool sets) { *grad = sets ? what : *grad + what; }

static double slope_of(engine_mistake m, double x, double y, int variant) {
    double of = m == CURVE_GRAD_INPUT ? x : y;
    bool sigmoid = m == CURVE_GRAD_OTHER ? !variant : variant;
    switch (m) {
    case CURVE_GRAD_PASSED: return 1;
    case CURVE_GRAD_VALUE: return y;
    case CURVE_GRAD_LINEAR: return 1 - y;
    default: return sigmoid ? of * (1 - of) : 1 - of * of;
    }
}

static void softmax_back(engine_mistake m, const double *p, const double *dp, double *da, int rows, int columns) {
    double dot = 0;
    for (int i = 0; i < rows; i++) {
        dot = m == SOFTMAX_DOT_KEPT ? dot : 0;
        for (int j = 0; j < columns; j++)
            dot += dp[i * columns + j] * (m == SOFTMAX_SUM_OF_DP ? 1 : p[i * columns + j]);
        for (int j = 0; j < columns; j++) {
            double y = p[i * columns + j], dy = dp[i * columns + j];
            double what = m == SOFTMAX_DIAGONAL ? y * (1 - y) * dy
                          : m == SOFTMAX_NO_DOT ? y * dy
                          : m == SOFTMAX_NO_P   ? dy - dot
                          : m == SOFTMAX_SIGN   ? y * (dot - dy)
                                                : y * (dy - dot);
            give(&da[i * columns + j], what, m == SET_AT_SOFTMAX);
        }
    }
}

static void matmul_back(engine_mistake m, const double *a, const double *b, const double *dy, double *da, double *db,
                        int n, int inner, int columns) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < columns; j++)
            for (int l = 0; l < inner; l++) {
                double d = dy[i * columns + j];
                double vb = b[m == MATMUL_A_MISREAD ? j * inner + l : l * columns + j];
                double va = a[m == MATMUL_B_MISREAD ? l * n + i : i * inner + l];
                if (m != MATMUL_A_NONE)
                    give(&da[i * inner + l], d * vb, m == SET_AT_MATMUL_A);
                if (m != MATMUL_B_NONE)
                    give(&db[l * columns + j], d * va, m == SET_AT_MATMUL_B);
            }
}

static void add_back(engine_mistake m, const double *dy, double *da, double *db, int n, int size_b) {
    for (int i = 0; i < n; i++) {
        give(&da[i], m == ADD_A_SIGN ? -dy[i] : dy[i], m == SET_AT_ADD || m == SET_AT_ADD_A);
        bool none = m == ADD_B_NONE || (m == ADD_B_FIRST && i >= size_b) || (m == ADD_B_LAST && i < n - size_b);
        if (!none)
            give(&db[i % size_b], m == ADD_B_SIGN ? -dy[i] : dy[i], m == SET_AT_ADD || m == SET_AT_ADD_B);
    }
}

static bool gives_none(int kind, engine_mistake m) {
    static const int none[] = {[DO_ADD] = NONE_AT_ADD,
                               [DO_MUL] = NONE_AT_MUL,
                               [DO_SUM] = NONE_AT_SUM,
                               [DO_MATMUL] = NONE_AT_MATMUL,
                               [DO_TRANSPOSE] = NONE_AT_TRANSPOSE,
                               [DO_CURVE] = NONE_AT_CURVE,
                               [DO_SOFTMAX] = NONE_AT_SOFTMAX};
    return kind >= DO_ADD && (int)m == none[kind];
}

static void backward_of(const program *p, int k, int variant, engine_mistake m, engine_run *r) {
    const double *c = p->code[k];
    int a = (int)c[1], b = (int)c[2], kind = (int)c[0], columns = r->columns[k], n = size_of(r, k);
    if (kind == DO_LEAF || gives_none(kind, m))
        return;
    double *y = r->value + r->at[k], *va = r->value + r->at[a], *vb = r->value + r->at[b];
    double *dy = r->grad + r->at[k], *da = r->grad + r->at[a], *db = r->grad + r->at[b];
    for (int i = 0; i < n; i++) {
        if (kind == DO_SCALE)
            da[i] += c[3] * dy[i];
        if (kind == DO_MUL) {
            double to_a = dy[i] * (m == MUL_OWN_FACTOR ? va[i] : m == MUL_NO_FACTOR ? 1 : vb[i]);
            double to_b = dy[i] * (m == MUL_OWN_FACTOR ? vb[i] : m == MUL_NO_FACTOR ? 1 : va[i]);
            give(&da[i], to_a, m == SET_AT_MUL || m == SET_AT_MUL_A);
            if (m != MUL_B_NONE)
                give(&db[i], to_b, m == SET_AT_MUL || m == SET_AT_MUL_B);
        }
        if (kind == DO_TRANSPOSE)
            give(&da[m == TRANSPOSE_GRAD_COPIES ? i : i % columns * r->columns[a] + i / columns], dy[i],
                 m == SET_AT_TRANSPOSE);
        if (kind == DO_CURVE)
            give(&da[i], dy[i] * slope_of(m, va[i], y[i], variant), m == SET_AT_CURVE);
    }
    for (int i = 0; kind == DO_SUM && i < (m == SUM_FIRST_ONLY ? 1 : size_of(r, a)); i++)
        give(&da[i], dy[0] / (m == SUM_DIVIDED ? size_of(r, a) : 1), m == SET_AT_SUM);
    if (kind == DO_ADD)
        add_back(m, dy, da, db, n, size_of(r, b));
    if (kind == DO_MATMUL)
        matmul_back(m, va, vb, dy, da, db, r->rows[k], r->columns[a], columns);
    if (kind == DO_SOFTMAX)
        softmax_back(m, y, dy, da, r->rows[k], columns);
}

/* ---- both ---- */

static void shape_nodes(const program *p, engine_run *r) {
    memset(r, 0, sizeof *r);
    for (int k = 0; k < p->n; k++) {
        const double *c = p->code[k];
        int a = (int)c[1], kind = (int)c[0];
        bool turned = kind == DO_TRANSPOSE;
        r->at[k] = r->used;
        r->rows[k] = kind == DO_LEAF ? a : kind == DO_SUM ? 1 : turned ? r->columns[a] : r->rows[a];
        r->columns[k] = kind == DO_LEAF     ? (int)c[2]
                        : kind == DO_SUM    ? 1
                        : turned            ? r->rows[a]
                        : kind == DO_MATMUL ? r->columns[(int)c[2]]
                                            : r->columns[a];
        r->used += size_of(r, k);
    }
}

void run_engine(const program *p, const double *data, int variant, engine_mistake m, engine_run *r) {
    int last = p->n - 1, runs = m == NOT_CLEARED_BEFORE ? 2 : 1;
    shape_nodes(p, r);
    for (int k = 0; k < p->n; k++)
        forward_of(p, k, data, variant, m, r);
    for (int t = 0; t < runs; t++) {
        r->grad[r->at[last]] = m != SEED_MISSING;
        for (int k = last; k >= 0; k--)
            backward_of(p, m == FROM_FIRST_TO_LAST ? last - k : k, variant, m, r);
    }
}
