/* What mistake gives this wrong gradient? Each common mistake makes its own number of a column of the Jacobian (see
 * evidence.c); the one whose numbers are the wrong gradient's is named. What needs no column (zero,
 * overwritten, redrawn) is looked at first. */
#include "core/gradcheck/check.h"

#include <stdarg.h>

static void say(tg_gradcheck_result *r, tg_mistake mistake, const char *format, ...) TG_PRINTF(3, 4);

static void say(tg_gradcheck_result *r, tg_mistake mistake, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(r->diagnosis, sizeof r->diagnosis, format, args);
    va_end(args);
    r->mistake = mistake;
}

/* ---- comparing ---- */

static double size_of(int64_t n, const double *a) {
    double squares = 0;
    for (int64_t i = 0; i < n; i++)
        squares += a[i] * a[i];
    return sqrt(squares);
}

static bool same(const tg_evidence *e, const double *a, const double *b) {
    double apart = 0;
    for (int64_t i = 0; i < e->n; i++)
        apart += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(apart) <= 1e-5 * fmax(size_of(e->n, a), size_of(e->n, b));
}

static bool is_wrong_one(const tg_evidence *e, const double *a) { return size_of(e->n, a) > 0 && same(e, e->wrong, a); }

static bool near(double a, double b) { return fabs(a - b) <= 1e-5 * fabs(b); }

/* ---- a constant factor ---- */

/* Is it n for a number of elements that a mean might be over? */
static int64_t count_near(const tg_evidence *e, double factor) {
    const tg_node *x = e->x, *y = e->s->c.y;
    int64_t candidate[2 * TG_MAX_DIMS + 6], n = 0;
    candidate[n++] = y->numel ? x->numel / y->numel : 0;
    candidate[n++] = x->numel;
    candidate[n++] = y->numel;
    for (int i = 0; i < x->ndim; i++) {
        candidate[n++] = x->size[i];
        candidate[n++] = x->size[i] ? x->numel / x->size[i] : 0;
    }
    candidate[n++] = candidate[0] - 1;
    for (int i = 0; i < n; i++)
        if (candidate[i] > 1 && near(factor, (double)candidate[i]))
            return candidate[i];
    double whole = round(factor); /* rows that are ignored do not count */
    return whole > 2 && whole <= (double)x->numel && near(factor, whole) ? (int64_t)whole : 0;
}

/* d when the factor is sqrt(d) for a dim of size d. */
static int64_t root_near(const tg_evidence *e, double factor) {
    for (int k = 0; k < e->s->original->n_in; k++) {
        const tg_node *x = e->s->x[k];
        for (int i = x ? x->ndim - 1 : -1; i >= 0; i--)
            if (x->size[i] > 1 && near(factor, sqrt((double)x->size[i])))
                return x->size[i];
    }
    return 0;
}

/* The constant c when y = c x elementwise, else 1. */
static double forward_scale(const tg_evidence *e) {
    double c = 1;
    for (int64_t i = 0; i < e->n && e->is_diagonal; i++)
        if (!e->dead[i])
            c = e->local[i];
    for (int64_t i = 0; i < e->n; i++)
        if (!e->is_diagonal || !near(e->local[i], c))
            return 1;
    return c;
}

/* Factors that mean something; false for any other. */
static bool say_known_factor(const tg_evidence *e, double factor, tg_gradcheck_result *r) {
    double size = fabs(factor), scale = fabs(forward_scale(e));
    const char *sign = factor < 0 ? "the sign is flipped, and " : "";
    int64_t n;
    if (near(size, 1))
        say(r, TG_MISTAKE_SIGN, "the sign is flipped: -1 times the right gradient");
    else if (e->s->c.y->numel == 1 && near(factor, 1 / e->s->c.cotangent[0]))
        say(r, TG_MISTAKE_NO_DY, "not multiplied by dy, the gradient that arrives");
    else if (!near(scale, 1) && (near(size, 1 / scale) || near(size, scale)))
        say(r, TG_MISTAKE_SCALE, "%sthe scale of the forward, %g%s, %s", sign, scale,
            count_near(e, 1 / (scale * scale)) ? " = 1/sqrt(d_k)" : "",
            near(size, scale) ? "is applied twice in the backward" : "is forgotten in the backward");
    else if (near(size, 2))
        say(r, TG_MISTAKE_TWICE, "%s2 times the right gradient: accumulated twice, or a factor 1/2 forgotten%s", sign,
            count_near(e, 2) ? ", or 1/n forgotten (n = 2)" : "");
    else if (near(size, 0.5))
        say(r, TG_MISTAKE_HALF, "%shalf the right gradient: a factor 2 forgotten%s", sign,
            count_near(e, 2) ? ", or divided by n = 2 once too often" : "");
    else if ((n = count_near(e, size)))
        say(r, TG_MISTAKE_MISSING_MEAN, "%s%lld times the right gradient: 1/n is missing (n = %lld, the mean's)", sign,
            (long long)n, (long long)n);
    else if ((n = count_near(e, 1 / size)))
        say(r, TG_MISTAKE_EXTRA_MEAN, "%s1/%lld of the right gradient: divided by n = %lld once too often", sign,
            (long long)n, (long long)n);
    else if ((n = root_near(e, size)))
        say(r, TG_MISTAKE_SCALE, "%sthe scale 1/sqrt(d_k) is forgotten in the backward (d_k = %lld)", sign,
            (long long)n);
    else if ((n = root_near(e, 1 / size)))
        say(r, TG_MISTAKE_SCALE, "%sthe scale 1/sqrt(d_k) is applied twice in the backward (d_k = %lld)", sign,
            (long long)n);
    else
        return false;
    r->factor = factor;
    return true;
}

/* The constant that the wrong gradient is of the right one, or 1. */
static double constant_factor(const tg_evidence *e) {
    double products = 0, squares = 0, apart = 0;
    for (int64_t i = 0; i < e->n; i++) {
        products += e->wrong[i] * e->right[i];
        squares += e->right[i] * e->right[i];
    }
    double factor = squares > 0 ? products / squares : 1;
    for (int64_t i = 0; i < e->n; i++)
        apart += (e->wrong[i] - factor * e->right[i]) * (e->wrong[i] - factor * e->right[i]);
    return sqrt(apart) > 1e-5 * size_of(e->n, e->wrong) ? 1 : factor;
}

static bool try_known_factor(const tg_evidence *e, tg_gradcheck_result *r) {
    double factor = constant_factor(e);
    return fabs(factor - 1) > 1e-6 && say_known_factor(e, factor, r);
}

static bool try_any_factor(const tg_evidence *e, tg_gradcheck_result *r) {
    double factor = constant_factor(e);
    if (fabs(factor - 1) <= 1e-6)
        return false;
    r->factor = factor;
    say(r, TG_MISTAKE_FACTOR, "%g times the right gradient", factor);
    return true;
}

/* ---- masks ---- */

/* Where y does not depend on x a gradient arrives nevertheless; elsewhere it is right, or dy as it is. */
static bool try_mask(const tg_evidence *e, tg_gradcheck_result *r) {
    int64_t leaks = 0, right = 0, passed = 0, alive = 0;
    for (int64_t i = 0; i < e->n; i++) {
        leaks += e->dead[i] && e->wrong[i] != 0;
        alive += !e->dead[i];
        right += !e->dead[i] && near(e->wrong[i], e->right[i]);
        passed += !e->dead[i] && e->same_size && near(e->wrong[i], e->dy[i]);
    }
    if (!leaks || (right < alive && passed < alive))
        return false;
    say(r, TG_MISTAKE_MASK,
        "the mask is not applied in the backward: %lld elements that y does not depend on get a gradient",
        (long long)leaks);
    return true;
}

/* y = x times a mask of 0 and a constant, and the gradient is dy times another such mask. */
static bool try_other_mask(const tg_evidence *e, tg_gradcheck_result *r) {
    double scale = 0;
    int64_t lost = 0, gained = 0;
    for (int64_t i = 0; i < e->n && e->is_diagonal; i++) {
        double got = e->wrong[i] / e->dy[i];
        if (!e->dead[i] && (scale == 0 || near(e->local[i], scale)))
            scale = e->local[i];
        else if (!e->dead[i])
            return false;
        if (got != 0 && scale != 0 && !near(got, scale))
            return false;
        lost += !e->dead[i] && got == 0;
        gained += e->dead[i] && got != 0;
    }
    if (!lost || !gained)
        return false;
    say(r, TG_MISTAKE_REDRAWN, "the backward uses another random mask than the forward: keep forward's mask");
    return true;
}

/* Whatever the mask says, the VJP gives the same. */
static bool try_ignored_mask(const tg_evidence *e, tg_gradcheck_result *r) {
    tg_suspect *s = e->s;
    double *again = tg_evidence_numbers(s, e->x->numel);
    for (int k = 0; k < s->original->n_in && again; k++) {
        const tg_node *mask = s->x[k];
        if (!mask || mask->dtype != TG_BOOL)
            continue;
        bool *bits = mask->base->data;
        for (int64_t i = 0; i < mask->base->numel; i++)
            bits[i] = !bits[i];
        tg_zero_grads(s->c.t);
        bool ran = tg_backward_with(tg_handle(s->c.y), s->c.v) == TG_OK;
        for (int64_t i = 0; i < mask->base->numel; i++)
            bits[i] = !bits[i];
        if (!ran || !e->x->gowner->has_grad)
            return false;
        tg_copy_out(e->x, tg_grad_data(e->x), e->x->gstride, again);
        if (memcmp(again, e->whole, (size_t)e->x->numel * sizeof *again) != 0)
            continue;
        say(r, TG_MISTAKE_MASK, "the mask, operand %d, is not applied in the backward: it changes nothing there",
            k + 1);
        return true;
    }
    return false;
}

/* ---- other shapes of the gradient ---- */

static bool has_index(const tg_evidence *e) {
    for (int k = 0; k < e->s->original->n_in; k++)
        if (e->s->x[k] && e->s->x[k]->dtype == TG_I64)
            return true;
    return false;
}

/* The dim of y of which one slice alone gives the wrong gradient, or -1. */
static int only_slice(const tg_evidence *e) {
    const tg_node *y = e->s->c.y;
    for (int d = 0; d < y->ndim; d++)
        if (y->size[d] > 1 && (is_wrong_one(e, e->slice[2 * d]) || is_wrong_one(e, e->slice[2 * d + 1])))
            return d;
    return -1;
}

/* Several gradients belong to an element, and not all of them are there. */
static bool try_parts(const tg_evidence *e, tg_gradcheck_result *r) {
    bool one = is_wrong_one(e, e->first) || is_wrong_one(e, e->last);
    int d = only_slice(e);
    if (one && has_index(e))
        say(r, TG_MISTAKE_OVERWRITE, "= instead of +=: where an index repeats only one of its gradients is kept");
    else if (d >= 0)
        say(r, TG_MISTAKE_NOT_SUMMED,
            "not summed over the broadcast dim: the gradient of %s comes from one slice of dim %d of y %s alone; sum "
            "over that dim",
            tg_node_text(e->x).s, d, tg_node_text(e->s->c.y).s);
    else if (one)
        say(r, TG_MISTAKE_NOT_SUMMED,
            "not summed over the broadcast dims: only one of the gradients that belong to an element is kept");
    return one || d >= 0;
}

static bool try_elementwise(const tg_evidence *e, tg_gradcheck_result *r) {
    if (!e->same_size || e->is_diagonal || has_index(e))
        return false;
    bool diagonal = is_wrong_one(e, e->diagonal), times_y = is_wrong_one(e, e->times_y);
    if (!diagonal && !times_y && !is_wrong_one(e, e->dy))
        return false;
    say(r, TG_MISTAKE_ELEMENTWISE,
        "%s is treated as elementwise: every y depends on every x of its row, and %s; for softmax dx = y (dy - sum dy "
        "y)",
        e->s->original->op->name,
        diagonal ? "only the diagonal of the Jacobian is used" : "the sum over the row is missing");
    return true;
}

static bool try_swapped(const tg_evidence *e, tg_gradcheck_result *r) {
    if (!is_wrong_one(e, e->other))
        return false;
    say(r, TG_MISTAKE_SWAPPED, "the gradients of two operands are exchanged");
    return true;
}

static bool try_passed(const tg_evidence *e, tg_gradcheck_result *r) {
    if (is_wrong_one(e, e->without_dy))
        say(r, TG_MISTAKE_NO_DY, "not multiplied by dy, the gradient that arrives");
    else if (e->same_size && is_wrong_one(e, e->dy))
        say(r, TG_MISTAKE_PASSED_ON, "dy is passed on unchanged: the derivative of %s itself is missing",
            e->s->original->op->name);
    else
        return false;
    return true;
}

/* The transposed right gradient. */
static bool try_transposed(const tg_evidence *e, tg_gradcheck_result *r) {
    if (size_of(e->n, e->right) == 0 || !same(e, e->transposed, e->right))
        return false;
    say(r, TG_MISTAKE_TRANSPOSED, "transposed: the right gradient of shape %s with its last two dims exchanged",
        tg_node_text(e->x).s);
    return true;
}

/* ---- products ---- */

/* A matrix as it lies: the last two dims of a node's elements, or of dy. */
typedef struct matrix {
    const double *data;
    int64_t rows, cols, row, col;
} matrix;

static matrix matrix_of(const tg_node *x, const double *data, const int64_t *stride) {
    int d = x->ndim;
    return (matrix){data, x->size[d - 2], x->size[d - 1], stride[d - 2], stride[d - 1]};
}

static matrix turned(matrix m, bool turn) { return turn ? (matrix){m.data, m.cols, m.rows, m.col, m.row} : m; }

/* Is the gradient's first matrix a b? */
static bool is_product(const tg_evidence *e, matrix a, matrix b) {
    int64_t rows = e->x->size[e->x->ndim - 2], cols = e->x->size[e->x->ndim - 1];
    double apart = 0, size = 0;
    if (a.cols != b.rows || a.rows != rows || b.cols != cols)
        return false;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            double sum = 0, got = e->whole[i * cols + j];
            for (int64_t k = 0; k < a.cols; k++)
                sum += a.data[i * a.row + k * a.col] * b.data[k * b.row + j * b.col];
            apart += (got - sum) * (got - sum);
            size += got * got;
        }
    return size > 0 && apart <= 1e-10 * size;
}

/* An operand or dy of a matrix product that should have been transposed, or should not. */
static bool try_products(const tg_evidence *e, tg_gradcheck_result *r) {
    const tg_node *y = e->s->c.y, *other = e->s->original->n_in > 1 && e->operand < 2 ? e->s->x[1 - e->operand] : NULL;
    if (!other || e->x->ndim < 2 || other->ndim < 2 || y->ndim < 2 || !tg_is_floating(other) || e->x->numel > 1 << 16)
        return false;
    int64_t stride[TG_MAX_DIMS];
    tg_dense_strides(y->ndim, y->size, stride);
    matrix dy = matrix_of(y, e->s->c.cotangent, stride), o = matrix_of(other, other->data, other->stride);
    for (int way = 0; way < 8; way++) {
        matrix a = turned(dy, way & 1), b = turned(o, way & 2);
        if (!is_product(e, way & 4 ? b : a, way & 4 ? a : b))
            continue;
        say(r, TG_MISTAKE_TRANSPOSED,
            "transposed: dy or the other operand has to be transposed in the product (or not)");
        return true;
    }
    return false;
}

/* The gradient of attention where every query sees every key, in the words of the public operation. */
static bool try_unmasked_attention(const tg_evidence *e, tg_gradcheck_result *r) {
    tg_suspect *s = e->s;
    tg_tape *t = s->c.t;
    if (s->original->n_in < 3 || e->operand > 2 || s->x[0]->ndim < 2)
        return false;
    tg_tensor x[3], v = s->c.v;
    for (int k = 0; k < 3; k++) {
        if (!s->x[k] || !tg_is_floating(s->x[k]))
            return false;
        x[k] = tg_handle(s->x[k]);
    }
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, 0);
    double *again = tg_evidence_numbers(s, e->x->numel);
    bool same_y = !t->status && tg_same_shape(t->nodes[y.index], s->c.y);
    tg_zero_grads(t);
    if (!same_y || !again || tg_backward_with(y, v) || !e->x->gowner->has_grad) {
        tg_clear_error(t);
        return false;
    }
    tg_copy_out(e->x, tg_grad_data(e->x), e->x->gstride, again);
    for (int64_t i = 0; i < e->n; i++)
        e->other[i] = again[e->at[i]];
    if (!is_wrong_one(e, e->other))
        return false;
    say(r, TG_MISTAKE_MASK, "the mask is not applied in the backward: this is the gradient of unmasked attention");
    return true;
}

/* ---- naming ---- */

static bool is_off(const tg_evidence *e, int64_t i, double size) {
    return fabs(e->wrong[i] - e->right[i]) > 1e-6 * fmax(fabs(e->right[i]), 1e-3 * size);
}

/* right = wrong y everywhere? */
static bool lacks_output(const tg_evidence *e) {
    const double *y = e->s->c.at_base;
    for (int64_t i = 0; i < e->n; i++)
        if (!e->same_size || fabs(e->wrong[i] * y[e->at[i]] - e->right[i]) > 1e-5 * fabs(e->right[i]))
            return false;
    return true;
}

/* None of the common ones: say at least where. */
static void say_unknown(const tg_evidence *e, tg_gradcheck_result *r) {
    int64_t wrong = 0, first = 0;
    double size = size_of(e->n, e->right), given = 0, right = 0;
    for (int64_t i = e->n; i-- > 0;) {
        if (!is_off(e, i, size))
            continue;
        wrong++;
        first = e->at[i];
        given = e->wrong[i];
        right = e->right[i];
    }
    const tg_node *index = e->s->original->n_in > 1 ? e->s->x[1] : NULL;
    bool one_a_row = index && index->dtype == TG_I64 && wrong == index->numel && wrong < e->n;
    say(r, TG_MISTAKE_UNKNOWN,
        "none of the common mistakes: %lld of %lld elements looked at are wrong, the first is %lld: %.6g, not %.6g%s",
        (long long)wrong, (long long)e->n, (long long)first, given, right,
        lacks_output(e) ? "; a factor y is missing"
        : one_a_row     ? "; one for each index: is the -1 at the target missing?"
                        : "");
}

static void name_mistake(tg_evidence *e, tg_gradcheck_result *r) {
    bool known = try_known_factor(e, r) || try_swapped(e, r) || try_mask(e, r) || try_other_mask(e, r) ||
                 try_elementwise(e, r) || try_transposed(e, r) || try_parts(e, r) || try_passed(e, r) ||
                 try_any_factor(e, r) || try_products(e, r) || try_ignored_mask(e, r) || try_unmasked_attention(e, r);
    if (!known)
        say_unknown(e, r);
}

static bool all_zero(int64_t n, const double *a) {
    for (int64_t i = 0; i < n; i++)
        if (a[i] != 0)
            return false;
    return true;
}

void tg_diagnose(tg_suspect *s, int operand, tg_gradcheck_result *r) {
    const tg_node *x = s->x[operand];
    const tg_check_leaf *leaf = tg_suspect_leaf(s, x);
    tg_evidence e = {.s = s, .x = x, .operand = operand};
    double *whole = tg_evidence_numbers(s, x->numel);
    if (!leaf || !whole)
        return;
    tg_copy_out(x, leaf->analytic + x->goffset, x->gstride, whole);
    e.whole = whole;
    if (s->c.forward_differs)
        say(r, TG_MISTAKE_NONDETERMINISTIC, "two equal runs of the forward differ: it draws random numbers of its own");
    else if (leaf->backward_differs)
        say(r, TG_MISTAKE_REDRAWN,
            "two equal runs of the backward differ: it draws its random mask anew; keep forward's mask");
    else if (leaf->overwritten)
        say(r, TG_MISTAKE_OVERWRITE, "= instead of +=: what the gradient held before is lost");
    else if (all_zero(x->numel, whole))
        say(r, TG_MISTAKE_ZERO, "constant zero: no gradient comes back (detached, or never added)");
    else if (tg_collect_evidence(&e))
        name_mistake(&e, r);
    else
        say(r, TG_MISTAKE_UNKNOWN, "too near a kink to be compared with common mistakes");
}

void tg_diagnose_rows(tg_gradcheck_result *r) {
    double factor = 0;
    int wrong = 0;
    for (int i = 0; i < r->n_rows; i++) {
        const tg_gradcheck_row *row = &r->row[i];
        if (row->verdict != TG_GRAD_WRONG || row->numeric == 0)
            continue;
        double ratio = row->analytic / row->numeric;
        if (wrong++ && fabs(ratio - factor) > 1e-5 * fmax(fabs(factor), 1))
            return;
        factor = ratio;
    }
    double size = fabs(factor), whole = size >= 1 ? size : 1 / size;
    r->factor = factor;
    if (!wrong)
        return;
    if (size < 1e-9)
        say(r, TG_MISTAKE_ZERO, "constant zero, at a kink of %s", r->op);
    else if (near(factor, -1))
        say(r, TG_MISTAKE_SIGN, "the sign is flipped, at a kink of %s", r->op);
    else if (near(size, 2))
        say(r, TG_MISTAKE_TWICE, "2 times the right gradient, at a kink of %s", r->op);
    else if (near(size, 0.5))
        say(r, TG_MISTAKE_HALF, "half the right gradient, at a kink of %s", r->op);
    else if (near(whole, round(whole)))
        say(r, size > 1 ? TG_MISTAKE_MISSING_MEAN : TG_MISTAKE_EXTRA_MEAN,
            "%g times the right gradient, at a kink of %s: 1/n %s (n = %g)", factor, r->op,
            size > 1 ? "is missing" : "once too often", round(whole));
    else
        say(r, TG_MISTAKE_FACTOR, "%g times the right gradient, at a kink of %s", factor, r->op);
}
