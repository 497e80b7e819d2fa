/* The check of second derivatives: f = sum w y of a copy of the tape, its gradient, and where its leaves have moved. */
#include "core/gradcheck/second.h"

/* ---- numbers ---- */

static double uniform(tg_second *s) {
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(s->random >> 11) * 0x1p-53;
}

double tg_second_signed_number(tg_second *s) { return (uniform(s) + 0.5) * (uniform(s) < 0.5 ? -1 : 1); }

long double tg_second_dot(int64_t n, const double *a, const long double *b, long double *size) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        *size += fabsl(a[i] * b[i]);
    }
    return sum;
}

double tg_second_norm(int64_t n, const double *a) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (long double)a[i] * a[i];
    return (double)sqrtl(sum);
}

static void convert(const tg_second *s, int64_t n, const void *from, long double *to) {
    for (int64_t i = 0; i < n; i++)
        to[i] = s->t->dtype == TG_F64 ? ((const double *)from)[i] : ((const long double *)from)[i];
}

/* ---- the copy ---- */

/* What y does not depend on plays no part. */
static bool trains(const tg_second *s, const tg_node *x) {
    return !x->op && x->requires_grad && x->index <= s->y.index && s->needed[x->index];
}

static bool wanted(const tg_second *s, const tg_node *x) { return trains(s, x) && x->numel; }

static void refuse_without_leaves(const tg_second *s) {
    const tg_node *y = s->t->nodes[s->y.index];
    for (uint32_t i = 0; i <= y->index; i++)
        if (trains(s, s->t->nodes[i])) {
            tg_fail(s->t, TG_ERR_STATE, "leaf %u %s has no elements, and tensor %u depends on no other", i,
                    tg_node_text(s->t->nodes[i]).s, y->index);
            return;
        }
    tg_fail(s->t, TG_ERR_STATE, "tensor %u %s requires no gradient", y->index, tg_node_text(y).s);
}

static long double *numbers(tg_second *s, int64_t n) {
    return tg_pool_get(s->t, (size_t)(n + 1) * sizeof(long double));
}

static bool open_ladder(tg_second *s, tg_ladder *l, int64_t n, const long double *claim) {
    *l = (tg_ladder){.n = n, .claim = claim, .best_bar = INFINITY};
    bool opened = (l->now = numbers(s, n)) && (l->last = numbers(s, n)) && (l->best = numbers(s, n));
    for (int i = 0; i < TG_LADDER_ROWS && opened; i++)
        opened = (l->row[i] = numbers(s, n));
    return opened;
}

static bool open_numbers(tg_second *s) {
    double **doubles[] = {&s->x0, &s->along, &s->across, &s->w, &s->gradient_noise};
    long double **all[] = {&s->low,          &s->high,          &s->gradient, &s->curvature,
                           &s->now_gradient, &s->now_curvature, &s->room,     &s->raw};
    int64_t most = s->total > s->n_y ? s->total : s->n_y;
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (!(*doubles[i] = tg_pool_get(s->t, (size_t)(most + 1) * sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = numbers(s, most)))
            return false;
    bool opened = open_ladder(s, &s->of_gradients, s->total, s->curvature) && open_ladder(s, &s->of_f, 1, &s->codes.gv);
    s->of_gradients.along = s->along;
    return opened;
}

bool tg_second_open_leaves(tg_second *s) {
    tg_tape *t = s->t;
    if (!(s->needed = tg_pool_get(t, (size_t)s->y.index + 1)))
        return false;
    tg_find_needed(t->nodes[s->y.index], s->needed);
    for (uint32_t i = 0; i < t->count; i++)
        if (wanted(s, t->nodes[i])) {
            s->n++;
            s->total += t->nodes[i]->numel;
        }
    if (!s->n) {
        refuse_without_leaves(s);
        return false;
    }
    s->n_y = tg_numel(s->y);
    tg_tensor **handles[] = {&s->x, &s->u, &s->v, &s->hu, &s->hv};
    bool bad = !open_numbers(s);
    for (int i = 0; i < 5 && !bad; i++)
        bad = !(*handles[i] = tg_pool_get(t, (size_t)s->n * sizeof(tg_tensor)));
    int n = 0;
    for (uint32_t i = 0; i < t->count && !bad; i++)
        if (wanted(s, t->nodes[i]))
            s->x[n++] = tg_handle(t->nodes[i]);
    return !bad;
}

void tg_second_read_numbers(tg_second *s, tg_tensor x, long double *out) {
    const tg_node *n = s->t->nodes[x.index];
    tg_copy_out(n, n->data, n->stride, s->raw);
    convert(s, n->numel, s->raw, out);
}

void tg_second_gather(tg_second *s, const tg_tensor *x, long double *out) {
    for (int i = 0; i < s->n && !s->t->status; i++) {
        tg_second_read_numbers(s, x[i], out);
        out += tg_numel(s->x[i]);
    }
}

void tg_second_move_leaves(tg_second *s, double h) {
    const double *x0 = s->x0, *along = s->along;
    for (int i = 0; i < s->n; i++) {
        tg_node *x = s->t->nodes[s->x[i].index];
        for (int64_t j = 0; j < x->numel; j++)
            if (s->t->dtype == TG_F64)
                ((double *)x->data)[j] = x0[j] + h * along[j];
            else
                ((long double *)x->data)[j] = x0[j] + (long double)h * along[j];
        tg_touch(x);
        x0 += x->numel;
        along += x->numel;
    }
}

double tg_second_typical_size(const tg_second *s) {
    double typical = tg_second_norm(s->total, s->x0) / sqrt((double)s->total);
    return typical > 0 ? typical : 1;
}

uint64_t tg_second_branches_of(const tg_second *s) {
    tg_branches b = {UINT64_C(14695981039346656037)};
    for (uint32_t i = 0; i <= s->y.index; i++) {
        const tg_node *n = s->t->nodes[i];
        if (s->needed[i] && n->op && !n->op->is_view)
            tg_note_branches(n, &b);
    }
    return b.hash;
}

/* ---- running ---- */

/* Every number a little larger or smaller, by a hash of itself, so that equal ones stay equal; the same in every dtype.
 */
static void jitter(const tg_second *s, int64_t n, void *x, int run) {
    bool is_long = s->t->dtype != TG_F64;
    for (int64_t j = 0; j < n; j++) {
        long double value = is_long ? ((long double *)x)[j] : ((double *)x)[j];
        double size = fabs((double)value);
        uint64_t bits;
        memcpy(&bits, &size, sizeof bits);
        bits = (bits + (uint64_t)run) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        if (isfinite(size))
            value *= 1 + (bits >> 63 ? (long double)s->jitter : -(long double)s->jitter);
        if (is_long)
            ((long double *)x)[j] = value;
        else
            ((double *)x)[j] = (double)value;
    }
}

/* What y needs of these nodes. In run 1, 2, ... jittered, but for operations with kinks: their VJPs compare results
 * with operands. */
bool tg_second_run_nodes(tg_second *s, uint32_t from, uint32_t to, int run) {
    tg_tape *t = s->t;
    for (uint32_t i = from; i < to; i++) {
        tg_node *n = t->nodes[i];
        if (i <= s->y.index && !s->needed[i])
            continue;
        if (n->op && tg_run_forward(n))
            return false;
        bool exact = n->op ? n->op->branches[t->dtype] != NULL : i > s->y.index;
        if (!run || exact || !tg_is_floating(n))
            continue;
        if (n->base == n)
            jitter(s, n->numel, n->data, run);
        if (n->saved)
            jitter(s, n->n_saved, n->saved, run);
    }
    return true;
}

bool tg_second_run_backward(tg_second *s, long double *gradient) {
    tg_zero_grads(s->t);
    if (tg_backward_with(s->y, s->cotangent))
        return false;
    for (int i = 0; i < s->n; i++) {
        const tg_node *x = s->t->nodes[s->x[i].index];
        if (x->has_grad)
            convert(s, x->numel, x->grad, gradient);
        for (int64_t j = 0; j < x->numel && !x->has_grad; j++)
            gradient[j] = 0;
        gradient += x->numel;
    }
    return true;
}

long double tg_second_f(tg_second *s) {
    long double size = 0;
    tg_second_read_numbers(s, s->y, s->room);
    return tg_second_dot(s->n_y, s->w, s->room, &size);
}

bool tg_second_at(tg_second *s, double h, int run, long double *gradient, long double *f) {
    tg_second_move_leaves(s, h);
    if (s->t->status || !tg_second_run_nodes(s, 0, s->y.index + 1, run))
        return false;
    *f = tg_second_f(s);
    return !gradient || tg_second_run_backward(s, gradient);
}

/* ---- what is not finite ---- */

int64_t tg_second_first_not_finite(int64_t n, const long double *a) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite((double)a[i]))
            return i;
    return -1;
}

bool tg_second_has_finite_y(tg_second *s) {
    tg_second_read_numbers(s, s->y, s->room);
    int64_t at = tg_second_first_not_finite(s->n_y, s->room);
    if (at >= 0)
        (void)tg_refuse_infinite_result(s->t->nodes[s->y.index], s->needed, at, (double)s->room[at]);
    return at < 0;
}

bool tg_second_is_finite(tg_second *s, const long double *values, const char *what) {
    int64_t at = tg_second_first_not_finite(s->total, values);
    double value = at < 0 ? 0 : (double)values[at];
    for (int i = 0; i < s->n && at >= 0; at -= tg_numel(s->x[i++]))
        if (at < tg_numel(s->x[i])) {
            const tg_node *x = s->t->nodes[s->x[i].index];
            tg_fail(s->t, TG_ERR_NUMERIC,
                    "the %s of tensor %u %s is not finite: element %lld is %g; check where an "
                    "operation's slope is infinite",
                    what, x->index, tg_node_text(x).s, (long long)at, value);
            return false;
        }
    return true;
}

bool tg_second_has_finite_jv(tg_second *s) {
    tg_second_read_numbers(s, s->jv, s->room);
    int64_t at = tg_second_first_not_finite(s->n_y, s->room);
    if (at >= 0)
        tg_fail(s->t, TG_ERR_NUMERIC,
                "J v of tensor %u %s is not finite: element %lld is %g; check where an operation's slope "
                "is infinite, which backward may mask and tg_jvp not",
                s->y.index, tg_node_text(s->t->nodes[s->y.index]).s, (long long)at, (double)s->room[at]);
    return at < 0;
}
