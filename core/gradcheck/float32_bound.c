/* The kernels that train: those of float32 against their float64 twins, on
 * equal operands and equal dy.
 *
 * Each operation goes alone on two tapes. Its result and its gradients in
 * float32 may be away from those in float64 by
 *
 *     A(n) (D + u |value| + 2^-126 S) + 8 u S,    u = 2^-24, the rounding of
 * one float32 operation A(n) = 8 sqrt(n) + n
 *
 * D is the condition: how far the float64 value moves, at most of a few runs
 * (of many, before something is called wrong), when every number that the
 * kernel reads (operands, dy; for the gradient also y and what forward saved)
 * moves at random by 0.5 to 1.5 u of its own size. For a sum of terms a_i that
 * is about u sqrt(sum a_i^2). n is the number of terms that may meet in one
 * element (of a custom operation: how many elements of its result change with
 * one of the operand, as trying shows). The error of a sum is at most (n - 1) u
 * sum |a_i|, and grows like sqrt(n) where roundings are independent (Higham,
 * Mary 2019); 8 sqrt(n) is the second for terms of both signs, n is the second
 * for terms of one sign. A custom operation may add one after another in float,
 * and terms may be equal: there A(n) = 8 sqrt(n) + n sqrt(n) / 4, a quarter of
 * the first. S is the largest operand, times the largest dy for a gradient; in
 * that of a custom operation's operand the product of its largest other operands
 * if that is more, which it may multiply with each other: a softmax that is 1 but
 * for less than u leaves nothing of them in float32, whatever rounds; numbers
 * below 2^-126 underflow, and the last summand is there only for
 * operations whose small results are made of larger numbers (1 + tanh x;
 * tg_op.cancels) and for custom ones.
 *
 * What rounding does inside may not show so: (x - mean) / std of two elements
 * is 1 and -1 whatever they are, and in float32 anything when they are nearly
 * equal. But then it is another thing for neighbours of the operands, where a
 * mistake stays. So what is out of its bound is called wrong only when it is, to
 * the same side, for TG_F32_NEAR of them too, which are away by a few last bits;
 * and, where it is less than TG_F32_SURE times the bound, for more than three
 * quarters of TG_F32_FAR, away by 2^-10 of each number: some roundings take as
 * much to change, and so do the mistakes of a kernel that rounds to few bits,
 * which are larger.
 *
 * The callback of a custom operation may lose more than all that, and the same
 * for all neighbours: t += 0.1f a hundred times, the power 100 of 1.01f. What
 * rounding does inside is asked of it: it runs again rounding up, down and
 * towards zero, and R, the furthest that takes its result, is allowed
 * LOSS_SURE times, up to 2^-12 of the largest element. In (x cos x - sin x) / x^2
 * both terms are rounded the same way, and nothing shows: so for R there is also
 * N, the noise of the float64 callbacks in units of float64, by fifth differences
 * along the operands, taken in those of float32. What neither shows (a constant
 * that is rounded by the compiler), and what is larger, cannot be told: WRONG is
 * only what is out of TIMES_UNSURE the bound as well and of LOSS_UNSURE R.
 *
 * A table multiplies what its entries are rounded by: the slope in a cell is their difference times the number of
 * cells in 1, which is exact in every rounding and constant in the cell, so that neither R, D nor near neighbours show
 * it. But the next cell's entries are rounded another way, while a mistake is a function of the operands: it keeps its
 * side, or its ratio to the gradient, where they have moved far. So what is out of a custom operation's bound is not
 * called wrong when it is scattered: at TG_F32_PLACES places the largest element that is out is asked for, and
 * TG_F32_FEW times or more it is away by SIMILAR times as much or more to the other side, and as often in the other
 * ratio. What is more than MULTIPLIED times the constants, which may be as large as S or the result (times dy), is no
 * rounding of them, nor is what is so at TG_F32_FEW of the places: a mistake that grows far off. (Once that may be:
 * float32 may be in the cell beside float64's.)
 *
 * 8 u S may be more than a whole gradient: a loss of 1e-7 |w|^2. A custom operation's that is as small is compared
 * without it as well; what is away by more than TIMES_UNSURE the rest and LOSS_UNSURE R cannot be told.
 */
#include "core/gradcheck/float32.h"

#include <float.h>

enum { LOSS_SURE = 4, LOSS_UNSURE = 16, TIMES_UNSURE = 16 };
#define MULTIPLIED 0x1p-10 /* 2^14 u: the rounding of two entries below 1, in a table of 2^14 cells in 1 */
#define SIMILAR 0.125      /* of a difference, one that is like it in size */

/* ---- numbers ---- */

double *tg_f32_numbers(tg_tape *t, int64_t n) {
    size_t bytes;
    double *p = tg_times((size_t)n, sizeof *p, &bytes) ? tg_arena_get(t, &t->node_arena, bytes) : NULL;
    if (p)
        memset(p, 0, bytes);
    return p;
}

double tg_f32_largest(int64_t n, const double *x) {
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        if (isfinite(x[j]))
            most = fmax(most, fabs(x[j]));
    return most;
}

double tg_f32_largest_of(const tg_node *x, const void *p) {
    double most = 0;
    for (int64_t j = 0; j < tg_span(x); j++) {
        double size = fabs(tg_number((tg_dtype)x->dtype, p, j));
        most = isfinite(size) ? fmax(most, size) : most;
    }
    return most;
}

static uint64_t mix(uint64_t bits) {
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

uint64_t tg_f32_bits(int run, uint64_t array, int64_t j) { return mix(mix((uint64_t)run ^ array << 32) + (uint64_t)j); }

/* x[j] = own[j] (1 +- [0.5, 1.5] u). The random number is made of the run and
 * the value without its sign, so that equal numbers stay equal and |x| as well
 * (ties), or (array > 0) of the array and the place in it as well: w x + b of
 * equal numbers has two roundings. */
void tg_f32_move(int64_t n, double *x, const double *own, int run, uint64_t array) {
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        double size = fabs(own[j]);
        memcpy(&bits, &size, sizeof bits);
        bits = mix(bits + tg_f32_bits(run, array, array ? j : 0));
        double by = TG_F32_UNIT * (0.5 + (double)(bits >> 12 & 0xffffff) * 0x1p-24);
        x[j] = isfinite(own[j]) ? own[j] * (1 + (bits >> 63 ? by : -by)) : own[j];
    }
}

/* -1 to 1 */
static double either_way(uint64_t bits) { return (double)(bits >> 40) * 0x1p-23 - 1; }

/* 0 and what is infinite, or would be, stay. */
void tg_f32_step_aside(int64_t n, float *x, int neighbour, uint64_t array) {
    double last_bits = neighbour <= TG_F32_NEAR ? neighbour : neighbour < TG_F32_ELSEWHERE ? 1 << 13 : 1 << 18;
    for (int64_t j = 0; j < n; j++) {
        uint32_t bits;
        memcpy(&bits, &x[j], sizeof bits);
        double by = either_way(tg_f32_bits(neighbour, array, array ? j : (int64_t)bits));
        float now = (float)((double)x[j] * (1 + last_bits * by * 2 * TG_F32_UNIT));
        x[j] = isfinite(now) ? now : x[j];
    }
}

/* 0 moves as well: a table's entries around it are rounded like any others. */
void tg_f32_step_to_place(int64_t n, float *x, int place, uint64_t array) {
    double reach = place % 3 == 2 ? 1 : place % 3 ? 0x1p-2 : 0x1p-5;
    for (int64_t j = 0; j < n; j++) {
        double by = reach * either_way(tg_f32_bits(TG_F32_ELSEWHERE + place, array, j));
        float now = (float)((double)x[j] + by * fmax(fabs((double)x[j]), 0.5));
        x[j] = isfinite(now) ? now : x[j];
    }
}

/* ---- how many terms meet ---- */

static bool is_elementwise(const tg_node *y) { return y->op->forward[TG_F64] == tg_elementwise_forward_f64; }

double tg_f32_ratio(int64_t a, int64_t b) { return b ? (double)a / (double)b : 1; }

/* In an element of the result (i < 0), or of the gradient of input i. */
double tg_f32_terms(const tg_node *y, int i) {
    int64_t out = i < 0 ? y->numel : y->in[i]->numel;
    double n = 1;
    for (int k = 0; k < y->n_in; k++)
        if (y->in[k] && !is_elementwise(y) && (i < 0 || tg_is_custom(y)))
            n = fmax(n, tg_f32_ratio(y->in[k]->numel, y->numel));
    if (i >= 0)
        n = fmax(n, tg_f32_ratio(y->numel, y->in[i]->numel));
    if (is_elementwise(y) || !(y->op->flops || tg_is_custom(y)))
        return n;
    for (int k = 0; k <= y->n_in; k++) {
        const tg_node *x = k < y->n_in ? y->in[k] : y;
        for (int d = 0; x && d < x->ndim; d++)
            n = fmax(n, (double)x->size[d]);
    }
    return y->op->flops && out ? fmax(n, y->op->flops(y, i) / (double)out) : n;
}

/* A(n) */
static double amplified(double n, bool may_be_equal) { return 8 * sqrt(n) + (may_be_equal ? n * sqrt(n) / 4 : n); }

/* ---- comparing ---- */

static double cancelled_in(const tg_both *b) { return b->cancels ? 8 * TG_F32_UNIT * b->size : 0; }

bool tg_f32_is_hidden(const tg_both *b) {
    double largest = tg_f32_largest(b->n, b->twin);
    return largest > 0 && largest <= 2 * cancelled_in(b);
}

static double bound(const tg_both *b, int64_t j) {
    double a = amplified(b->terms, b->custom), lost = fmax(b->lost ? b->lost[j] : 0, b->noise ? b->noise[j] : 0);
    double all = a * (b->moved[j] + TG_F32_UNIT * fabs(b->twin[j]) + FLT_MIN * b->size);
    double cancelled = b->fine ? 0 : cancelled_in(b);
    if (b->lenient)
        return b->slack * (TIMES_UNSURE * all + cancelled + LOSS_UNSURE * lost);
    return b->slack * (all + cancelled + fmin(LOSS_SURE * lost, 0x1p-12 * b->largest));
}

double tg_f32_excess_at(const tg_both *b, int64_t j) {
    double d = b->single[j] - b->twin[j];
    if (b->single[j] == b->twin[j] || isnan(b->twin[j]))
        return 0;
    return isfinite(d) ? d / bound(b, j) : isnan(d) ? INFINITY : d;
}

tg_excess tg_f32_compare(const tg_both *b) {
    tg_excess e = {.most = 0};
    double largest = -1;
    for (int64_t j = 0; j < b->n; j++) {
        double excess = tg_f32_excess_at(b, j), times = fabs(excess);
        e.n += times > 1;
        if (times > 1 && fabs(b->twin[j]) > largest) {
            largest = fabs(b->twin[j]);
            e.largest = j;
        }
        if (times <= e.most)
            continue;
        e.most = times;
        e.above = excess > 0;
        e.at = j;
        e.single = b->single[j];
        e.twin = b->twin[j];
        e.constants = b->constants;
        e.set = fabs(e.single + b->before - e.twin) < 1e-3 * b->before;
    }
    return e;
}

static bool is_large(double d, double constants) { return isfinite(d) && fabs(d) > MULTIPLIED * constants; }

bool tg_f32_is_large(const tg_excess *e) { return is_large(e->single - e->twin, e->constants); }

static bool has_many_bits(double x) {
    int exponent;
    double part = ldexp(frexp(x, &exponent), 16);
    return part != trunc(part);
}

void tg_f32_note_place(tg_f32_scatter *s, const tg_excess *e, const tg_f32_seen *there) {
    double d = there->single - there->twin, side = d / (e->single - e->twin);
    s->other_side += side < -SIMILAR;
    s->other_ratio += ((there->twin < 0) == (e->twin < 0) ? side : -side) < -SIMILAR;
    s->large += is_large(d, there->constants);
    s->many_bits += has_many_bits(there->single);
}

bool tg_f32_is_scattered(const tg_f32_scatter *s) {
    return s->other_side >= TG_F32_FEW && s->other_ratio >= TG_F32_FEW && s->large < TG_F32_FEW &&
           s->many_bits >= TG_F32_FEW;
}

bool tg_f32_open_array(tg_both *b, tg_tape *t, const tg_node *x, double terms) {
    *b = (tg_both){.x = x, .n = x->numel, .terms = terms, .slack = 1};
    return (b->single = tg_f32_numbers(t, b->n)) && (b->twin = tg_f32_numbers(t, b->n)) &&
           (b->moved = tg_f32_numbers(t, b->n));
}

bool tg_f32_note_rounding(tg_both *b, tg_tape *t, bool first) {
    if (!b->low && (!(b->low = tg_f32_numbers(t, b->n)) || !(b->high = tg_f32_numbers(t, b->n)) ||
                    !(b->lost = tg_f32_numbers(t, b->n))))
        return false;
    b->largest = tg_f32_largest(b->n, b->twin);
    for (int64_t j = 0; j < b->n; j++) {
        b->low[j] = first ? b->single[j] : fmin(b->low[j], b->single[j]);
        b->high[j] = first ? b->single[j] : fmax(b->high[j], b->single[j]);
    }
    return true;
}

void tg_f32_note_loss(tg_both *b) {
    for (int64_t j = 0; j < b->n && b->low; j++) {
        double most = fmax(b->high[j] - b->single[j], b->single[j] - b->low[j]);
        b->lost[j] = isfinite(most) ? most : 0;
    }
}

/* The sum of each line: fifth differences. */
bool tg_f32_note_step(tg_both *b, tg_tape *t, int line, int step) {
    static const double weight[TG_F32_STEPS] = {-1, 5, -10, 10, -5, 1};
    if (!b->line && !(b->line = tg_f32_numbers(t, TG_F32_LINES * b->n)))
        return false;
    for (int64_t j = 0; j < b->n; j++)
        b->line[TG_F32_LINES * j + line] += weight[step] * b->single[j];
    return true;
}

/* The second of a side's sums: a curve falls by 4^5 from one to the next, noise does not. */
static double noise_of_side(const double *line) {
    double most = 0, second = 0;
    for (int i = 0; i < TG_F32_LINES / 2; i++) {
        double size = fabs(line[i]) / 15.9; /* the root of the sum of the weights' squares */
        second = fmax(second, fmin(size, most));
        most = fmax(most, size);
    }
    return second;
}

void tg_f32_note_noise(tg_both *b) {
    if (!(b->noise = b->line))
        return;
    for (int64_t j = 0; j < b->n; j++) { /* a kink is to one side alone */
        const double *line = &b->line[TG_F32_LINES * j];
        double least = fmin(noise_of_side(line), noise_of_side(line + TG_F32_LINES / 2));
        b->noise[j] = isfinite(least) ? least * 0x1p29 : 0;
    }
    b->largest = tg_f32_largest(b->n, b->twin);
}

double *tg_f32_single(tg_both *b) { return b->single; }
double *tg_f32_twin(tg_both *b) { return b->twin; }

uint64_t tg_f32_branches(const tg_node *y) {
    tg_branches b = {0};
    if (y->op->branches[TG_F64])
        y->op->branches[TG_F64](y, &b);
    return b.hash;
}

void tg_f32_note_move(tg_both *b, int64_t j, double now) {
    double d = fabs(now - b->twin[j]);
    b->moved[j] = fmax(b->moved[j], isfinite(d) ? d : 0);
}

bool tg_f32_cancels(const tg_node *y) { return y->op->cancels || tg_is_custom(y); }

/* Also in the gradient of input i, unless y is a loss, of which each element
 * has a share. */
bool tg_f32_cancels_in_gradient(const tg_node *y, int i) {
    const tg_node *x = y->in[i];
    return tg_f32_cancels(y) && x && (tg_is_custom(y) || x->ndim == y->ndim || x->numel <= y->numel);
}

double tg_f32_size(const tg_node *y, int k) {
    double largest = 1, others = 1;
    for (int i = 0; i < y->n_in; i++) {
        const tg_node *x = y->in[i] && tg_is_floating(y->in[i]) ? y->in[i]->base : NULL;
        double size = x ? fmax(1, tg_f32_largest_of(x, x->data)) : 1;
        largest = fmax(largest, size);
        others *= i == k ? 1 : size;
    }
    return tg_is_custom(y) && k >= 0 ? fmax(largest, others) : largest;
}

tg_excess tg_f32_worse(tg_excess a, tg_excess b) { return b.most > a.most ? b : a; }

bool tg_f32_is_ordinary(const double *x, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        if (isfinite(x[j]) && x[j] != 0 && !(fabs(x[j]) > 1e-5 && fabs(x[j]) < 1e5))
            return false;
    return true;
}
