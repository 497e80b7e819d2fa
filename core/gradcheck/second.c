/* The check of second derivatives, on a float64 copy of the tape: four oracles beside each other.
 *
 * The judge is differences: H v against central differences of backward's gradients, extrapolated (Richardson 1911,
 * Ridders 1982), with an error bar. The adjoint test <J v, w> = <v, J^T w> needs no step size: J v comes from the
 * operations' grad, transposed in its cotangent, J^T w from the VJP kernels, two codes that know nothing of each
 * other. Like the symmetry u^T H v = v^T H u it sees where they differ, not a mistake that is in both. */
#include "core/gradcheck/check.h"

enum { STEPS = 8 }; /* of differences; each a quarter of the last */
static const double first_step = 1.0 / 16;

/* All leaves' elements lie one behind the other in arrays of `total`. f = sum w y. */
typedef struct second {
    tg_tape *t;
    tg_tensor y, *x, *u, *v, *hu, *hv;
    int n;
    int64_t total, n_y;
    double *x0, *w, *along, *low, *high, *gradient, *curvature, *table[STEPS], *best;
    uint64_t branches;
    uint64_t random;
    tg_second_result *r;
} second;

/* ---- numbers ---- */

static double uniform(second *s) {
    s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(s->random >> 11) * 0x1p-53;
}

/* in +-[0.5, 1.5] */
static double signed_number(second *s) { return (uniform(s) + 0.5) * (uniform(s) < 0.5 ? -1 : 1); }

static double dot(int64_t n, const double *a, const double *b) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double largest(int64_t n, const double *a) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i]));
    return most;
}

/* ---- the copy ---- */

static bool wanted(const second *s, const tg_node *x) {
    return !x->op && x->requires_grad && x->index <= s->y.index && x->numel;
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
    double **numbers[] = {&s->x0, &s->along, &s->low, &s->high, &s->gradient, &s->curvature, &s->best};
    bool bad = !(s->w = tg_pool_get(t, (size_t)(s->n_y + 1) * sizeof(double)));
    for (int i = 0; i < 5 && !bad; i++)
        bad = !(*handles[i] = tg_pool_get(t, (size_t)s->n * sizeof(tg_tensor)));
    for (int i = 0; i < 7 && !bad; i++)
        bad = !(*numbers[i] = tg_pool_get(t, (size_t)s->total * sizeof(double)));
    for (int i = 0; i < STEPS && !bad; i++)
        bad = !(s->table[i] = tg_pool_get(t, (size_t)s->total * sizeof(double)));
    int n = 0;
    for (uint32_t i = 0; i < t->count && !bad; i++)
        if (wanted(s, t->nodes[i]))
            s->x[n++] = tg_handle(t->nodes[i]);
    return !bad;
}

/* Between the leaves and one array. */
static void gather(second *s, const tg_tensor *x, double *out) {
    for (int i = 0; i < s->n && !s->t->status; i++) {
        int64_t n = tg_numel(s->x[i]);
        (void)!tg_read_doubles(x[i], out, n);
        out += n;
    }
}

static void scatter(second *s, const double *values) {
    for (int i = 0; i < s->n && !s->t->status; i++) {
        int64_t n = tg_numel(s->x[i]);
        (void)!tg_write_doubles(s->x[i], values, n);
        values += n;
    }
}

/* A direction: an element changes by about its own size, so that none comes near the pole of 1/x first. */
static void draw(second *s, tg_tensor *direction) {
    const double *x = s->x0;
    double *values = s->along;
    double typical = sqrt(dot(s->total, x, x) / (double)s->total);
    for (int64_t i = 0; i < s->total; i++)
        values[i] = signed_number(s) * (x[i] != 0 ? fabs(x[i]) : typical > 0 ? typical : 1);
    for (int i = 0; i < s->n && !s->t->status; i++) {
        direction[i] = tg_from_doubles(s->t, tg_shape_of(s->x[i]), values);
        values += tg_numel(s->x[i]);
    }
}

static uint64_t branches_of(const second *s) {
    tg_branches b = {0};
    for (uint32_t i = 0; i <= s->y.index; i++) {
        const tg_node *n = s->t->nodes[i];
        if (n->op && !n->op->is_view && n->op->branches[s->t->dtype])
            n->op->branches[s->t->dtype](n, &b);
    }
    return b.hash;
}

/* f at x0 + h along, without kinks in between? With its gradient there, unless that is NULL. */
static bool at(second *s, double h, double *gradient, double *f) {
    tg_tape *t = s->t;
    tg_tensor w;
    for (int64_t i = 0; i < s->total; i++)
        s->best[i] = s->x0[i] + h * s->along[i];
    scatter(s, s->best);
    if (t->status || tg_run_again(t, 0))
        return false;
    tg_mark end = tg_tape_mark(t);
    w = tg_from_doubles(t, tg_shape_of(s->y), s->w);
    *f = tg_item(tg_sum(tg_mul(s->y, w), TG_ALL_DIMS, false));
    if (gradient) {
        tg_zero_grads(t);
        if (tg_backward_with(s->y, w))
            return false;
        for (int i = 0; i < s->n; i++) {
            int64_t n = tg_numel(s->x[i]);
            if (tg_read_doubles(tg_grad(s->x[i]), gradient, n))
                return false;
            gradient += n;
        }
    }
    (void)!tg_tape_rewind(t, end);
    return !t->status;
}

/* ---- what is not finite ---- */

static int64_t first_not_finite(int64_t n, const double *a) {
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return i;
    return -1;
}

static bool has_finite_y(second *s) {
    const tg_node *y = s->t->nodes[s->y.index];
    double *values = tg_pool_get(s->t, (size_t)(s->n_y + 1) * sizeof *values);
    bool *needed = tg_pool_get(s->t, (size_t)y->index + 1);
    if (!values || !needed || tg_read_doubles(s->y, values, s->n_y))
        return false;
    int64_t at = first_not_finite(s->n_y, values);
    if (at < 0)
        return true;
    tg_find_needed(y, needed);
    (void)tg_refuse_infinite_result(y, needed, at, values[at], "gradcheck_second: ");
    return false;
}

/* Numbers that belong to the leaves' elements: what: "gradient". */
static bool is_finite(second *s, const double *numbers, const char *what) {
    int64_t at = first_not_finite(s->total, numbers);
    double number = at < 0 ? 0 : numbers[at];
    for (int i = 0; i < s->n && at >= 0; at -= tg_numel(s->x[i++]))
        if (at < tg_numel(s->x[i])) {
            const tg_node *x = s->t->nodes[s->x[i].index];
            tg_fail(s->t, TG_ERR_NUMERIC,
                    "gradcheck_second: the %s of tensor %u %s is not finite: element %lld is %g; check where an "
                    "operation's slope is infinite",
                    what, x->index, tg_node_text(x).s, (long long)at, number);
            return false;
        }
    return true;
}

/* ---- what tg_jvp and tg_hvp say ---- */

static bool compare_codes(second *s, double *uhv) {
    tg_tape *t = s->t;
    tg_tensor w = tg_from_doubles(t, tg_shape_of(s->y), s->w), jv, f = tg_sum(tg_mul(s->y, w), TG_ALL_DIMS, false);
    draw(s, s->u);
    gather(s, s->u, s->high);
    draw(s, s->v);
    double pulled = 0, f0;
    if (tg_jvp(s->y, s->x, s->v, s->n, &jv) || tg_hvp(f, s->x, s->u, s->n, s->hu) || tg_hvp(f, s->x, s->v, s->n, s->hv))
        return false;
    double pushed = tg_item(tg_sum(tg_mul(jv, w), TG_ALL_DIMS, false));
    double size = sqrt(tg_item(tg_sum(tg_square(jv), TG_ALL_DIMS, false)) * dot(s->n_y, s->w, s->w));
    gather(s, s->hu, s->low);
    gather(s, s->hv, s->curvature);
    double uv = dot(s->total, s->high, s->curvature), vu = dot(s->total, s->along, s->low);
    double norm = sqrt(dot(s->total, s->high, s->high) * dot(s->total, s->curvature, s->curvature));
    if (t->status || !at(s, 0, s->low, &f0))
        return false;
    pulled = dot(s->total, s->low, s->along);
    /* where J v is 0 so is pushed, where H v is 0 so is uv */
    s->r->adjoint = size > 0 ? fabs(pushed - pulled) / size : fabs(pulled);
    s->r->symmetry = norm > 0 ? fabs(uv - vu) / norm : fabs(vu);
    *uhv = dot(s->total, s->along, s->curvature);
    return true;
}

/* ---- differences of gradients ---- */

/* The k-th step's difference, extrapolated with those before (Ridders): row m of the table becomes the estimate from
 * rows m and m + 1. The best so far, the one that changed least, is kept; error: its bar. */
static void extrapolate(int64_t n, double *const *table, int k, double *best, double *error) {
    double factor = 1;
    for (int m = k - 1; m >= 0; m--) {
        double change = 0;
        factor *= 16; /* steps of a quarter, errors of even order */
        for (int64_t i = 0; i < n; i++) {
            double finer = table[m + 1][i] + (table[m + 1][i] - table[m][i]) / (factor - 1);
            change = fmax(change, fmax(fabs(finer - table[m + 1][i]), fabs(finer - table[m][i])));
            table[m][i] = finer;
        }
        if (change < *error) {
            *error = change;
            memcpy(best, table[m], (size_t)n * sizeof *best);
        }
    }
}

/* H v by differences of gradients to s->high, and g.v by those of f. The errors are their bars, infinite when kinks,
 * or the end of the domain, left nothing to compare. */
static bool differences(second *s, double *error, double *gv, double *gv_error) {
    double h = first_step, f[2], slopes[STEPS], *slope_table[STEPS];
    int k = 0;
    *gv = *error = *gv_error = INFINITY;
    for (int step = 0; step < STEPS; step++, h /= 4) {
        double *row = s->table[k];
        if (!at(s, h, row, &f[1]))
            return false;
        bool kink = branches_of(s) != s->branches;
        if (!at(s, -h, s->low, &f[0]))
            return false;
        bool outside = first_not_finite(s->total, row) >= 0 || first_not_finite(s->total, s->low) >= 0 ||
                       first_not_finite(2, f) >= 0; /* of the domain */
        if (kink || outside || branches_of(s) != s->branches)
            continue;
        for (int64_t i = 0; i < s->total; i++)
            row[i] = (row[i] - s->low[i]) / (2 * h);
        slopes[k] = (f[1] - f[0]) / (2 * h);
        slope_table[k] = &slopes[k];
        extrapolate(s->total, s->table, k, s->high, error);
        extrapolate(1, slope_table, k, gv, gv_error);
        k++;
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

static bool taylor(second *s, double gv, double vhv) {
    tg_second_result *r = s->r;
    double f0, f, h = 1.0 / 32, floor = 0;
    if (!at(s, 0, NULL, &f0))
        return false;
    for (int i = 0; i < TG_TAYLOR_STEPS; i++, h /= 2) {
        if (!at(s, h, NULL, &f))
            return false;
        r->h[i] = h;
        r->first[i] = fabs(f - f0 - h * gv);
        r->second[i] = fabs(f - f0 - h * gv - h * h / 2 * vhv);
        floor = fmax(floor, 1e3 * 2.3e-16 * (fabs(f) + fabs(f0)));
    }
    r->slope_first = slope(r, r->first, floor);
    r->slope_second = slope(r, r->second, floor);
    return true;
}

/* ---- the check ---- */

static bool clearly(double difference, double bar) { return bar <= 1e-4 && difference > 1e-6 && difference > 10 * bar; }

/* The difference that right code may have: of differences what their bar says, of two codes rounding. */
static void judge(second *s, double error, double gv, double by_differences, double gv_error) {
    tg_second_result *r = s->r;
    double scale = fmax(largest(s->total, s->curvature), largest(s->total, s->high)), gv_scale = 0;
    for (int64_t i = 0; i < s->total; i++) {
        r->difference = fmax(r->difference, fabs(s->curvature[i] - s->high[i]));
        gv_scale += fabs(s->gradient[i] * s->along[i]);
    }
    scale = scale > 0 ? scale : 1;
    gv_scale = fmax(gv_scale > 0 ? gv_scale : 1, fabs(by_differences));
    r->difference /= scale;
    r->bar = error / scale;
    r->first_difference = fabs(gv - by_differences) / gv_scale;
    bool known = r->bar <= 1e-4 && isfinite(r->difference) && isfinite(r->adjoint) && isfinite(r->symmetry);
    r->verdict = known ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL;
    if (clearly(r->difference, r->bar) || clearly(r->first_difference, gv_error / gv_scale) || r->adjoint > 1e-9 ||
        r->symmetry > 1e-7)
        r->verdict = TG_GRAD_WRONG;
}

static bool run(second *s) {
    double vhv, error, by_differences, gv_error;
    for (int64_t i = 0; i < s->n_y; i++)
        s->w[i] = signed_number(s);
    gather(s, s->x, s->x0);
    tg_mark end = tg_tape_mark(s->t);
    if (s->t->status || tg_run_again(s->t, 0))
        return false;
    s->branches = branches_of(s);
    if (!has_finite_y(s) || !compare_codes(s, &vhv))
        return false;
    memcpy(s->gradient, s->low, (size_t)s->total * sizeof(double));
    if (!is_finite(s, s->gradient, "gradient") || !is_finite(s, s->curvature, "Hessian times a direction"))
        return false;
    double gv = dot(s->total, s->gradient, s->along);
    (void)!tg_tape_rewind(s->t, end);
    if (!differences(s, &error, &by_differences, &gv_error))
        return false;
    judge(s, error, gv, by_differences, gv_error);
    return taylor(s, gv, vhv);
}

static const char *const words[] = {"consistent and right", "at a kink", "cannot tell", "WRONG"};

tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result) {
    tg_node *n;
    tg_tape *t = tg_open("gradcheck_second", "f", 1, &y, &n);
    if (!t || !tg_outside_backward(t, "gradcheck_second") || !tg_outside_scope(t, "gradcheck_second"))
        return tg_tape_status(y.tape);
    tg_second_result own;
    second s = {.random = seed, .r = result ? result : &own, .t = tg_tape_cast(t, TG_F64)};
    *s.r = (tg_second_result){0};
    if (!s.t)
        return t->status;
    s.y = (tg_tensor){s.t, y.index, y.epoch};
    s.t->keep_random = true;
    if (!open_leaves(&s) || !run(&s)) {
        tg_fail(t, s.t->status ? s.t->status : TG_ERR_MEMORY, "%s", s.t->error);
        s.r->verdict = TG_GRAD_CANNOT_TELL;
        snprintf(s.r->summary, sizeof s.r->summary, "%.300s", t->error);
    } else
        snprintf(s.r->summary, sizeof s.r->summary,
                 "second derivatives: %s (differences: g v %.2g, H v %.2g, bar %.2g; adjoint %.2g, symmetry %.2g)",
                 words[s.r->verdict], s.r->first_difference, s.r->difference, s.r->bar, s.r->adjoint, s.r->symmetry);
    tg_tape_free(s.t);
    if (!t->status && s.r->verdict != TG_GRAD_RIGHT)
        return tg_fail(t, TG_ERR_NUMERIC, "gradcheck_second: %s", s.r->summary);
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
