/* The check of second derivatives, on a copy of the tape: four oracles beside each other.
 *
 * The judge is differences: H v against central differences of backward's gradients, extrapolated (Richardson 1911,
 * Ridders 1982), with an error bar. The adjoint test <J v, w> = <v, J^T w> needs no step size: J v comes from the
 * operations' grad, transposed in its cotangent, J^T w from the VJP kernels, two codes that know nothing of each
 * other. Like the symmetry u^T H v = v^T H u it sees where they differ, not a mistake that is in both.
 *
 * In float64 first. What that cannot call right is looked at with care: everything runs again with its numbers moved by
 * a unit of float64, and in long double where y needs no custom operation; how far that takes what is compared is its
 * noise, which WRONG has to be far beyond. Differences are taken again, in long double, as narrow as their own noise
 * allows: wide steps may agree on what narrower ones do not see. */
#include "core/gradcheck/check.h"
#include "core/gradcheck/ladder.h"

#include <float.h>

typedef long double number;

enum { QUICK_STEPS = 8, NOISE_RUNS = 8 };
static const double first_step = 1.0 / 16; /* of differences; each is a quarter of the one before */

/* What the adjoint test and symmetry compare: the same number by two ways, and its size. */
typedef struct both_ways {
    number apart, size;
} both_ways;
typedef struct codes {
    both_ways adjoint, symmetry;
    number gv;
} codes;

/* What rounding does to it. */
typedef struct noise {
    double adjoint, symmetry, gv, curvature, gradient, f;
    int runs;
} noise;

/* All leaves' elements lie one behind the other in arrays of `total`. f = sum w y. */
typedef struct second {
    tg_tape *t;
    tg_tensor y, cotangent, jv, *x, *u, *v, *hu, *hv;
    int n;
    int64_t total, n_y;
    double *x0, *w, *along, *across; /* v's and u's numbers */
    number *low, *high, *gradient, *curvature, *now_gradient, *now_curvature, *room,
        *raw; /* raw: in the tape's dtype */
    double *gradient_noise;
    tg_ladder of_gradients, of_f;
    bool *needed, careful, aside; /* aside: a little beside the leaves' own values */
    double jitter, unit;          /* numbers are moved by the one, and rounded by the other */
    uint32_t recorded_from;
    uint64_t branches, random;
    codes codes;
    noise noise;
    const char *reason;
    tg_second_result *r;
} second;

/* ---- numbers ---- */

static double uniform(second *s) {
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(s->random >> 11) * 0x1p-53;
}

/* in +-[0.5, 1.5] */
static double signed_number(second *s) { return (uniform(s) + 0.5) * (uniform(s) < 0.5 ? -1 : 1); }

/* sum a b; size: sum |a b| */
static number dot(int64_t n, const double *a, const number *b, number *size) {
    number sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        *size += fabsl(a[i] * b[i]);
    }
    return sum;
}

static double norm(int64_t n, const number *a) {
    number sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return (double)sqrtl(sum);
}

static double norm_of_doubles(int64_t n, const double *a) {
    number sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (number)a[i] * a[i];
    return (double)sqrtl(sum);
}

static void convert(const second *s, int64_t n, const void *from, number *to) {
    for (int64_t i = 0; i < n; i++)
        to[i] = s->t->dtype == TG_F64 ? ((const double *)from)[i] : ((const number *)from)[i];
}

/* ---- the copy ---- */

static bool wanted(const second *s, const tg_node *x) {
    return !x->op && x->requires_grad && x->index <= s->y.index && x->numel;
}

static number *numbers(second *s, int64_t n) { return tg_pool_get(s->t, (size_t)(n + 1) * sizeof(number)); }

static bool open_ladder(second *s, tg_ladder *l, int64_t n, const number *claim) {
    *l = (tg_ladder){.n = n, .claim = claim, .best_bar = INFINITY};
    bool opened = (l->now = numbers(s, n)) && (l->last = numbers(s, n)) && (l->best = numbers(s, n));
    for (int i = 0; i < TG_LADDER_ROWS && opened; i++)
        opened = (l->row[i] = numbers(s, n));
    return opened;
}

static bool open_numbers(second *s) {
    double **doubles[] = {&s->x0, &s->along, &s->across, &s->w, &s->gradient_noise};
    number **all[] = {&s->low,          &s->high,          &s->gradient, &s->curvature,
                      &s->now_gradient, &s->now_curvature, &s->room,     &s->raw};
    int64_t most = s->total > s->n_y ? s->total : s->n_y;
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (!(*doubles[i] = tg_pool_get(s->t, (size_t)(most + 1) * sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = numbers(s, most)))
            return false;
    return open_ladder(s, &s->of_gradients, s->total, s->curvature) && open_ladder(s, &s->of_f, 1, &s->codes.gv);
}

static bool open_leaves(second *s) {
    tg_tape *t = s->t;
    for (uint32_t i = 0; i < t->count; i++)
        if (wanted(s, t->nodes[i])) {
            s->n++;
            s->total += t->nodes[i]->numel;
        }
    if (!s->n) {
        tg_fail(t, TG_ERR_STATE, "gradcheck_second: tensor %u requires no gradient", s->y.index);
        return false;
    }
    s->n_y = tg_numel(s->y);
    tg_tensor **handles[] = {&s->x, &s->u, &s->v, &s->hu, &s->hv};
    bool bad = !open_numbers(s) || !(s->needed = tg_pool_get(t, (size_t)s->y.index + 1));
    for (int i = 0; i < 5 && !bad; i++)
        bad = !(*handles[i] = tg_pool_get(t, (size_t)s->n * sizeof(tg_tensor)));
    int n = 0;
    for (uint32_t i = 0; i < t->count && !bad; i++)
        if (wanted(s, t->nodes[i]))
            s->x[n++] = tg_handle(t->nodes[i]);
    if (!bad)
        tg_find_needed(t->nodes[s->y.index], s->needed);
    return !bad;
}

static void read_numbers(second *s, tg_tensor x, number *out) {
    const tg_node *n = s->t->nodes[x.index];
    tg_copy_out(n, n->data, n->stride, s->raw);
    convert(s, n->numel, s->raw, out);
}

/* Between the leaves and one array. */
static void gather(second *s, const tg_tensor *x, number *out) {
    for (int i = 0; i < s->n && !s->t->status; i++) {
        read_numbers(s, x[i], out);
        out += tg_numel(s->x[i]);
    }
}

/* The leaves at x0 + h along. */
static void move_leaves(second *s, double h) {
    const double *x0 = s->x0, *along = s->along;
    for (int i = 0; i < s->n; i++) {
        tg_node *x = s->t->nodes[s->x[i].index];
        for (int64_t j = 0; j < x->numel; j++)
            if (s->t->dtype == TG_F64)
                ((double *)x->data)[j] = x0[j] + h * along[j];
            else
                ((number *)x->data)[j] = x0[j] + (number)h * along[j];
        tg_touch(x);
        x0 += x->numel;
        along += x->numel;
    }
}

static double typical_size(const second *s) {
    double typical = norm_of_doubles(s->total, s->x0) / sqrt((double)s->total);
    return typical > 0 ? typical : 1;
}

/* A direction: an element changes by about its own size, so that none comes near the pole of 1/x first. */
static void draw(second *s, tg_tensor *direction, double *values) {
    const double *x = s->x0;
    double typical = typical_size(s);
    for (int64_t i = 0; i < s->total; i++)
        values[i] = signed_number(s) * (x[i] != 0 ? fabs(x[i]) : typical);
    for (int i = 0; i < s->n && !s->t->status; i++) {
        direction[i] = tg_from_doubles(s->t, tg_shape_of(s->x[i]), values);
        values += tg_numel(s->x[i]);
    }
}

static uint64_t branches_of(const second *s) {
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
static void jitter(const second *s, int64_t n, void *x, int run) {
    bool is_long = s->t->dtype != TG_F64;
    for (int64_t j = 0; j < n; j++) {
        number value = is_long ? ((number *)x)[j] : ((double *)x)[j];
        double size = fabs((double)value);
        uint64_t bits;
        memcpy(&bits, &size, sizeof bits);
        bits = (bits + (uint64_t)run) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        if (isfinite(size))
            value *= 1 + (bits >> 63 ? (number)s->jitter : -(number)s->jitter);
        if (is_long)
            ((number *)x)[j] = value;
        else
            ((double *)x)[j] = (double)value;
    }
}

/* What y needs of these nodes. In run 1, 2, ... jittered, but for operations with kinks: their VJPs compare results
 * with operands. */
static bool run_nodes(second *s, uint32_t from, uint32_t to, int run) {
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

static bool run_backward(second *s, number *gradient) {
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

static number f_now(second *s) {
    number size = 0;
    read_numbers(s, s->y, s->room);
    return dot(s->n_y, s->w, s->room, &size);
}

/* f at x0 + h along, with its gradient unless that is NULL. */
static bool at(second *s, double h, int run, number *gradient, number *f) {
    move_leaves(s, h);
    if (s->t->status || !run_nodes(s, 0, s->y.index + 1, run))
        return false;
    *f = f_now(s);
    return !gradient || run_backward(s, gradient);
}

/* ---- what is not finite ---- */

static int64_t first_not_finite(int64_t n, const number *a) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite((double)a[i]))
            return i;
    return -1;
}

static bool has_finite_y(second *s) {
    read_numbers(s, s->y, s->room);
    int64_t at = first_not_finite(s->n_y, s->room);
    if (at >= 0)
        (void)tg_refuse_infinite_result(s->t->nodes[s->y.index], s->needed, at, (double)s->room[at],
                                        "gradcheck_second: ");
    return at < 0;
}

/* Numbers that belong to the leaves' elements: what: "gradient". */
static bool is_finite(second *s, const number *values, const char *what) {
    int64_t at = first_not_finite(s->total, values);
    double value = at < 0 ? 0 : (double)values[at];
    for (int i = 0; i < s->n && at >= 0; at -= tg_numel(s->x[i++]))
        if (at < tg_numel(s->x[i])) {
            const tg_node *x = s->t->nodes[s->x[i].index];
            tg_fail(s->t, TG_ERR_NUMERIC,
                    "gradcheck_second: the %s of tensor %u %s is not finite: element %lld is %g; check where an "
                    "operation's slope is infinite",
                    what, x->index, tg_node_text(x).s, (long long)at, value);
            return false;
        }
    return true;
}

/* ---- what tg_jvp and tg_hvp say ---- */

/* From what is on the tape now; H v to curvature, backward's gradient to gradient. */
static bool read_codes(second *s, codes *c, number *gradient, number *curvature) {
    *c = (codes){0};
    number adjoint = 0, symmetry = 0;
    read_numbers(s, s->jv, s->room);
    double jv = norm(s->n_y, s->room);
    number pushed = dot(s->n_y, s->w, s->room, &adjoint);
    gather(s, s->hu, s->high);
    gather(s, s->hv, curvature);
    number uv = dot(s->total, s->across, curvature, &symmetry), vu = dot(s->total, s->along, s->high, &symmetry);
    if (s->t->status || !run_backward(s, gradient))
        return false;
    c->gv = dot(s->total, s->along, gradient, &adjoint);
    c->adjoint = (both_ways){pushed - c->gv, jv * norm_of_doubles(s->n_y, s->w)};
    c->symmetry = (both_ways){uv - vu, norm_of_doubles(s->total, s->across) * norm(s->total, curvature)};
    /* the sums round as well */
    s->noise.adjoint = fmax(s->noise.adjoint, (double)adjoint * DBL_EPSILON);
    s->noise.symmetry = fmax(s->noise.symmetry, (double)symmetry * DBL_EPSILON);
    return true;
}

static bool compare_codes(second *s) {
    tg_tensor f = tg_sum(tg_mul(s->y, s->cotangent), TG_ALL_DIMS, false);
    draw(s, s->u, s->across);
    draw(s, s->v, s->along);
    if (tg_jvp(s->y, s->x, s->v, s->n, &s->jv) || tg_hvp(f, s->x, s->u, s->n, s->hu) ||
        tg_hvp(f, s->x, s->v, s->n, s->hv))
        return false;
    return read_codes(s, &s->codes, s->gradient, s->curvature);
}

/* ---- what rounding does ---- */

/* How far custom operations are from exact, at worst. */
static double noise_of_custom(second *s) {
    double most = DBL_EPSILON;
    tg_checker c = {.t = s->t};
    for (uint32_t i = 0; i <= s->y.index && !s->t->status; i++)
        if (s->needed[i] && s->t->nodes[i]->op && tg_is_custom(s->t->nodes[i]))
            most = fmax(most, tg_noise_of_custom(&c, s->t->nodes[i]));
    return most;
}

static bool is_extreme(number x) { return x != 0 && isfinite(x) && (fabsl(x) < 1e10 * DBL_MIN || fabsl(x) > 1e300); }

/* The largest number on the way to y. *extreme: what is made of some may have lost digits in float64, or overflowed. */
static double largest_on_tape(const second *s, bool *extreme) {
    number most = 0;
    *extreme = false;
    for (uint32_t i = 0; i <= s->y.index; i++) {
        const tg_node *n = s->t->nodes[i];
        bool here = s->needed[i] && n->base == n && tg_is_floating(n), is_long = s->t->dtype != TG_F64;
        for (int64_t j = 0; here && j < n->numel; j++) {
            number x = is_long ? ((const number *)n->data)[j] : ((const double *)n->data)[j];
            *extreme |= is_extreme(x);
            most = isfinite(x) && fabsl(x) > most ? fabsl(x) : most;
        }
    }
    return (double)most;
}

/* A second derivative that changes the gradient by less than rounding does, over a whole step, is nothing. */
static void finish_noise(second *s, number f0) {
    noise *by = &s->noise;
    number gv = 0;
    double nothing = 0, weights = 0, farthest = DBL_MIN;
    bool extreme;
    (void)dot(s->total, s->along, s->gradient, &gv);
    for (int64_t i = 0; i < s->total; i++) {
        s->gradient_noise[i] = fmax(s->gradient_noise[i], s->unit * (double)fabsl(s->gradient[i]));
        by->gradient = fmax(by->gradient, s->gradient_noise[i]);
        farthest = fmax(farthest, fabs(s->along[i]));
        nothing += s->gradient_noise[i] * (fabs(s->along[i]) + fabs(s->across[i]));
    }
    for (int64_t i = 0; i < s->n_y; i++)
        weights += fabs(s->w[i]);
    by->f = fmax(by->f, weights * largest_on_tape(s, &extreme) * s->unit); /* y may be what larger numbers leave */
    by->gv = fmax(by->gv, (double)gv * s->unit);
    by->curvature = fmax(by->curvature, by->gradient);
    by->symmetry = fmax(by->symmetry, nothing);
    /* and so is one that changes y by less than 1e-17 of it, or of 1 */
    double least = 1e-19 * fmax(1, tg_largest(1, &f0));
    by->adjoint = fmax(by->adjoint, least);
    by->symmetry = fmax(by->symmetry, least);
    by->gv = fmax(by->gv, least);
    by->curvature = fmax(by->curvature, least / farthest);
}

/* In runs that take the same branches. */
static bool measure_noise(second *s) {
    noise *by = &s->noise;
    number f0;
    codes c;
    memset(s->gradient_noise, 0, (size_t)s->total * sizeof(double));
    if (!at(s, 0, 0, NULL, &f0))
        return false;
    for (int run = 1; run <= NOISE_RUNS; run++) {
        move_leaves(s, 0);
        if (!run_nodes(s, 0, s->y.index + 1, run) || !run_nodes(s, s->recorded_from, s->t->count, run))
            return false;
        if (branches_of(s) != s->branches)
            continue;
        by->f = fmax(by->f, (double)fabsl(f_now(s) - f0));
        if (!read_codes(s, &c, s->now_gradient, s->now_curvature))
            return false;
        by->adjoint = fmax(by->adjoint, (double)fabsl(c.adjoint.apart - s->codes.adjoint.apart));
        by->symmetry = fmax(by->symmetry, (double)fabsl(c.symmetry.apart - s->codes.symmetry.apart));
        by->gv = fmax(by->gv, (double)fabsl(c.gv - s->codes.gv));
        by->curvature = fmax(by->curvature, tg_distance(s->total, s->now_curvature, s->curvature));
        for (int64_t i = 0; i < s->total; i++)
            s->gradient_noise[i] = fmax(s->gradient_noise[i], (double)fabsl(s->now_gradient[i] - s->gradient[i]));
        by->runs++;
    }
    finish_noise(s, f0);
    return at(s, 0, 0, NULL, &f0);
}

/* ---- differences of gradients ---- */

/* H v by differences of gradients, g.v by those of f, at x0 +- h v. *skip: a kink, or the end of the domain, lies
 * between. The rounding that is seen there is at least that at x0. */
static bool take_step(second *s, double h, bool *skip) {
    number f[2], moved[2], *row = tg_ladder_row(&s->of_gradients);
    double of_gradient = s->noise.gradient, of_f = s->noise.f;
    *skip = false;
    for (int side = 0; side < 2; side++) {
        double by = side ? h : -h;
        number *gradient = side ? row : s->low;
        if (s->careful && !at(s, by, 1 + s->of_f.steps % NOISE_RUNS, s->now_gradient, &moved[side]))
            return false;
        if (!at(s, by, 0, gradient, &f[side]))
            return false;
        if (s->careful && isfinite((double)moved[side])) {
            of_gradient = fmax(of_gradient, tg_distance(s->total, s->now_gradient, gradient));
            of_f = fmax(of_f, (double)fabsl(moved[side] - f[side]));
        }
        *skip |= branches_of(s) != s->branches || first_not_finite(s->total, gradient) >= 0 ||
                 first_not_finite(1, &f[side]) >= 0;
    }
    if (*skip)
        return true;
    for (int64_t i = 0; i < s->total; i++)
        row[i] = (row[i] - s->low[i]) / (2 * (number)h);
    *tg_ladder_row(&s->of_f) = (f[1] - f[0]) / (2 * (number)h);
    double share = s->careful ? s->unit / s->jitter / h : 0;
    number turn = 0; /* g.v at one end less that at the other */
    (void)dot(s->total, s->along, row, &turn);
    tg_ladder_add(&s->of_gradients, of_gradient * share, 0);
    tg_ladder_add(&s->of_f, of_f * share, 2 * h * (double)turn);
    return true;
}

/* Does rounding hide at this step what differs from the claim? Narrower ones say nothing then. */
static bool is_hidden(const second *s, const tg_ladder *l, double of_f, double h) {
    return l->steps && 2 * of_f * s->unit / s->jitter / h > 0.1 * l->apart[l->steps - 1];
}

static bool differences(second *s) {
    double h = first_step;
    bool skip;
    for (int step = 0; step < (s->careful ? TG_LADDER_STEPS : QUICK_STEPS); step++, h /= 4) {
        if (!take_step(s, h, &skip))
            return false;
        if (s->careful && is_hidden(s, &s->of_gradients, s->noise.gradient, h) && is_hidden(s, &s->of_f, s->noise.f, h))
            break;
    }
    return true;
}

/* ---- Taylor's remainders ---- */

/* The slope of log remainder over log h, where the remainder is above rounding. */
static double slope(const tg_second_result *r, const double *remainder, double floor) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i + 1 < TG_TAYLOR_STEPS; i++)
        if (remainder[i] > floor && remainder[i + 1] > floor) {
            sum += log(remainder[i] / remainder[i + 1]) / log(r->h[i] / r->h[i + 1]);
            n++;
        }
    return n ? sum / n : NAN;
}

static bool taylor(second *s) {
    tg_second_result *r = s->r;
    double h = 1.0 / 32, floor = 0;
    number f0, f, size = 0, gv = s->codes.gv, vhv = dot(s->total, s->along, s->curvature, &size);
    if (!at(s, 0, 0, NULL, &f0))
        return false;
    for (int i = 0; i < TG_TAYLOR_STEPS; i++, h /= 2) {
        if (!at(s, h, 0, NULL, &f))
            return false;
        r->h[i] = h;
        r->first[i] = (double)fabsl(f - f0 - h * gv);
        r->second[i] = (double)fabsl(f - f0 - h * gv - h * h / 2 * vhv);
        floor = fmax(floor, 1e3 * 2.3e-16 * (double)(fabsl(f) + fabsl(f0)));
    }
    r->slope_first = slope(r, r->first, floor);
    r->slope_second = slope(r, r->second, floor);
    return true;
}

/* ---- the check ---- */

static double relative(both_ways b) { return (double)(fabsl(b.apart) / (b.size > 0 ? b.size : 1)); }

/* Is it more than rules allow, and far more than rounding does? */
static bool differ(both_ways b, double rule, double rounding) {
    return relative(b) > rule && (double)fabsl(b.apart) > 100 * rounding;
}

static double scale_of_gv(const second *s) {
    number size = 0;
    (void)dot(s->total, s->along, s->gradient, &size);
    return fmax(size > 0 ? (double)size : 1, isfinite(s->of_f.best_bar) ? tg_largest(1, s->of_f.best) : 0);
}

static bool is_near(double difference, double bar) { return difference <= fmax(1e-6, 10 * bar); }

/* The difference that right code may have is, of differences, what their bar says, of two codes rounding. */
static void judge(second *s) {
    tg_second_result *r = s->r;
    const tg_ladder *of_g = &s->of_gradients, *of_f = &s->of_f;
    const noise *by = &s->noise;
    double scale = tg_ladder_scale(of_g), gv_scale = scale_of_gv(s), gv_bar = of_f->best_bar / gv_scale;
    r->difference = tg_distance(s->total, s->curvature, of_g->best) / scale;
    r->bar = of_g->best_bar / scale;
    r->first_difference = (double)fabsl(s->codes.gv - *of_f->best) / gv_scale;
    r->adjoint = relative(s->codes.adjoint);
    r->symmetry = relative(s->codes.symmetry);
    bool known = r->bar <= 1e-4 && isfinite(r->difference) && isfinite(r->adjoint) && isfinite(r->symmetry);
    bool agree = is_near(r->difference, r->bar) && (gv_bar > 1e-4 || is_near(r->first_difference, gv_bar));
    bool apart = differ(s->codes.adjoint, 1e-9, by->adjoint) || differ(s->codes.symmetry, 1e-7, by->symmetry);
    r->verdict = known && agree && !apart ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL;
    if (r->verdict == TG_GRAD_RIGHT)
        s->reason = NULL;
    if (!s->careful || r->verdict == TG_GRAD_RIGHT)
        return;
    bool wrong = apart || tg_ladder_refutes(of_g, scale, by->curvature) || tg_ladder_refutes(of_f, gv_scale, by->gv);
    if (wrong && by->runs && !s->reason)
        r->verdict = TG_GRAD_WRONG;
    else if (!s->reason) /* where every run takes other branches anything may be rounding */
        s->reason = known ? "rounding may be all that differs, or steps of different widths disagree"
                          : "rounding, kinks or the end of the domain leave too little to compare";
}

static void step_aside(second *s) {
    double typical = typical_size(s);
    for (int64_t i = 0; i < s->total; i++)
        s->x0[i] += signed_number(s) / 64 * (s->x0[i] != 0 ? fabs(s->x0[i]) : typical);
    memset(s->along, 0, (size_t)s->total * sizeof *s->along);
    move_leaves(s, 0);
}

static bool begin(second *s) {
    s->jitter = s->unit = DBL_EPSILON;
    for (int64_t i = 0; i < s->n_y; i++)
        s->w[i] = signed_number(s);
    gather(s, s->x, s->room);
    for (int64_t i = 0; i < s->total; i++)
        s->x0[i] = (double)s->room[i];
    if (s->aside)
        step_aside(s);
    s->cotangent = tg_from_doubles(s->t, tg_shape_of(s->y), s->w);
    s->recorded_from = s->t->count;
    if (s->t->status || !run_nodes(s, 0, s->y.index + 1, 0))
        return false;
    s->branches = branches_of(s);
    return has_finite_y(s);
}

static bool has_custom(const second *s) {
    bool any = false;
    for (uint32_t i = 0; i <= s->y.index; i++)
        any |= s->needed[i] && s->t->nodes[i]->op && tg_is_custom(s->t->nodes[i]);
    return any;
}

/* On this tape, which holds x0. */
static bool judge_again(second *s) {
    bool extreme;
    tg_ladder_forget(&s->of_gradients);
    tg_ladder_forget(&s->of_f);
    (void)largest_on_tape(s, &extreme);
    if (extreme)
        s->reason = "numbers are near the limits of float64";
    if (!differences(s))
        return false;
    judge(s);
    return true;
}

/* What long double makes of everything at x0, which may show more rounding than jitter does: it is out of sight within
 * an operation. */
static bool compare_with_float64(second *fine, second *plain) {
    number f, f_plain = f_now(plain);
    codes c, *other = &plain->codes;
    if (!at(fine, 0, 0, NULL, &f) || !run_nodes(fine, fine->recorded_from, fine->t->count, 0) ||
        !read_codes(fine, &c, fine->now_gradient, fine->now_curvature))
        return false;
    noise *by = &fine->noise;
    by->f = fmax(by->f, (double)fabsl(f - f_plain));
    by->gradient = fmax(by->gradient, tg_distance(fine->total, fine->now_gradient, fine->gradient));
    by->gv = fmax(by->gv, (double)fabsl(c.gv - other->gv));
    by->curvature = fmax(by->curvature, tg_distance(fine->total, fine->now_curvature, fine->curvature));
    by->adjoint = fmax(by->adjoint, (double)fabsl(c.adjoint.apart - other->adjoint.apart));
    by->symmetry = fmax(by->symmetry, (double)fabsl(c.symmetry.apart - other->symmetry.apart));
    if (branches_of(fine) != plain->branches)
        fine->reason = "float64 and long double take different branches";
    return true;
}

static bool judge_in_long_double(second *s) {
    second fine = *s;
    fine.t = tg_tape_cast(s->t, TG_LD);
    if (!fine.t)
        return false;
    fine.t->keep_random = true;
    fine.y.tape = fine.cotangent.tape = fine.t;
    fine.unit = tg_unit_of(TG_LD);
    bool done = compare_with_float64(&fine, s) && judge_again(&fine);
    s->reason = fine.reason;
    if (!done)
        tg_fail(s->t, fine.t->status ? fine.t->status : TG_ERR_MEMORY, "%s", fine.t->error);
    tg_tape_free(fine.t);
    return done;
}

static bool run(second *s) {
    if (!begin(s))
        return false;
    tg_mark end = tg_tape_mark(s->t);
    if (!compare_codes(s) || !is_finite(s, s->gradient, "gradient") ||
        !is_finite(s, s->curvature, "Hessian times a direction") || !differences(s))
        return false;
    judge(s);
    bool right = s->r->verdict == TG_GRAD_RIGHT, custom = has_custom(s);
    if (!right && custom)
        s->jitter = s->unit = noise_of_custom(s);
    s->careful = !right;
    if (!right && !measure_noise(s))
        return false;
    if (!right && !(custom ? judge_again(s) : judge_in_long_double(s)))
        return false;
    (void)!tg_tape_rewind(s->t, end);
    return taylor(s);
}

static const char *const words[] = {"consistent and right", "at a kink", "cannot tell", "WRONG"};

/* On a copy of t, which it leaves in s. */
static bool open_and_run(second *s, tg_tape *t, tg_tensor y) {
    s->t = tg_tape_cast(t, TG_F64);
    if (!s->t)
        return false;
    s->y = (tg_tensor){s->t, y.index, y.epoch};
    s->t->keep_random = true;
    return open_leaves(s) && run(s);
}

/* Custom operations need not tell their kinks, and where the slope of |x| is 0, as at 0 itself, both sides may look
 * like it: what is wrong has to be wrong a little aside as well. */
static void confirm_aside(second *s, tg_tape *t, tg_tensor y) {
    tg_second_result r = {0};
    second aside = {.random = s->random, .r = &r, .aside = true};
    if (!(open_and_run(&aside, t, y) && r.verdict == TG_GRAD_WRONG)) {
        s->r->verdict = TG_GRAD_CANNOT_TELL;
        s->reason = "it is not wrong a little aside, so a kink may lie here";
    }
    tg_tape_free(aside.t);
}

tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result) {
    tg_node *n;
    tg_tape *t = tg_open("gradcheck_second", "f", 1, &y, &n);
    if (!t || !tg_outside_backward(t, "gradcheck_second") || !tg_outside_scope(t, "gradcheck_second"))
        return tg_tape_status(y.tape);
    tg_second_result own, *r = result ? result : &own;
    second s = {.random = seed, .r = r};
    *r = (tg_second_result){0};
    bool done = open_and_run(&s, t, y);
    if (!s.t)
        return t->status;
    if (done && r->verdict == TG_GRAD_WRONG)
        confirm_aside(&s, t, y);
    if (!done) {
        tg_fail(t, s.t->status ? s.t->status : TG_ERR_MEMORY, "%s", s.t->error);
        r->verdict = TG_GRAD_CANNOT_TELL;
        snprintf(r->summary, sizeof r->summary, "%.300s", t->error);
    } else
        snprintf(r->summary, sizeof r->summary,
                 "second derivatives: %s%s%s (differences: g v %.2g, H v %.2g, bar %.2g; adjoint %.2g, symmetry %.2g)",
                 words[r->verdict], s.reason ? ": " : "", s.reason ? s.reason : "", r->first_difference, r->difference,
                 r->bar, r->adjoint, r->symmetry);
    tg_tape_free(s.t);
    if (!t->status && r->verdict != TG_GRAD_RIGHT)
        return tg_fail(t, TG_ERR_NUMERIC, "gradcheck_second: %s", r->summary);
    return t->status;
}

tg_status tg_gradcheck_second_print(FILE *file, const tg_second_result *r) {
    if (!file || !r)
        return TG_ERR_ARGUMENT;
    fprintf(file, "%s\n\n  %-10s %-22s %s\n", r->summary, "h", "|f(x+hv)-f-h gv|", "|... - h^2/2 v'Hv|");
    for (int i = 0; i < TG_TAYLOR_STEPS; i++)
        fprintf(file, "  %-10.3g %-22.3e %.3e\n", r->h[i], r->first[i], r->second[i]);
    fprintf(file, "  %-10s %-22.2f %.2f\n", "slope", r->slope_first, r->slope_second);
    return ferror(file) ? TG_ERR_IO : TG_OK;
}
