/* The check of second derivatives: what the library's two codes say, and what rounding does to that. */
#include "core/gradcheck/noise.h"
#include "core/gradcheck/second.h"

#include <float.h>

/* ---- what tg_jvp and tg_hvp say ---- */

static double norm(int64_t n, const long double *a) {
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return (double)sqrtl(sum);
}

/* From what is on the tape now; H v to curvature, backward's gradient to gradient. */
static bool read_codes(tg_second *s, tg_codes *c, long double *gradient, long double *curvature) {
    *c = (tg_codes){0};
    long double adjoint = 0, symmetry = 0;
    tg_second_read_numbers(s, s->jv, s->room);
    double jv = norm(s->n_y, s->room);
    long double pushed = tg_second_dot(s->n_y, s->w, s->room, &adjoint);
    tg_second_gather(s, s->hu, s->high);
    tg_second_gather(s, s->hv, curvature);
    long double uv = tg_second_dot(s->total, s->across, curvature, &symmetry);
    long double vu = tg_second_dot(s->total, s->along, s->high, &symmetry);
    if (s->t->status || !tg_second_run_backward(s, gradient))
        return false;
    c->gv = tg_second_dot(s->total, s->along, gradient, &adjoint);
    c->adjoint = (tg_both_ways){pushed - c->gv, jv * tg_second_norm(s->n_y, s->w)};
    c->symmetry = (tg_both_ways){uv - vu, tg_second_norm(s->total, s->across) * norm(s->total, curvature)};
    /* the sums round as well */
    s->noise.adjoint = fmax(s->noise.adjoint, (double)adjoint * DBL_EPSILON);
    s->noise.symmetry = fmax(s->noise.symmetry, (double)symmetry * DBL_EPSILON);
    return true;
}

/* A direction: an element changes by about its own size, so that none comes near the pole of 1/x first. */
static void draw(tg_second *s, tg_tensor *direction, double *values) {
    const double *x = s->x0;
    double typical = tg_second_typical_size(s);
    for (int64_t i = 0; i < s->total; i++)
        values[i] = tg_second_signed_number(s) * (x[i] != 0 ? fabs(x[i]) : typical);
    for (int i = 0; i < s->n && !s->t->status; i++) {
        direction[i] = tg_from_doubles(s->t, tg_shape_of(s->x[i]), values);
        values += tg_numel(s->x[i]);
    }
}

bool tg_second_compare_codes(tg_second *s) {
    tg_tensor f = tg_sum(tg_mul(s->y, s->cotangent), TG_ALL_DIMS, false);
    draw(s, s->u, s->across);
    draw(s, s->v, s->along);
    if (tg_jvp(s->y, s->x, s->v, s->n, &s->jv) || tg_hvp(f, s->x, s->u, s->n, s->hu) ||
        tg_hvp(f, s->x, s->v, s->n, s->hv))
        return false;
    return read_codes(s, &s->codes, s->gradient, s->curvature);
}

/* ---- what rounding does ---- */

double tg_second_noise_of_custom(tg_second *s) {
    double most = DBL_EPSILON;
    tg_checker c = {.t = s->t};
    for (uint32_t i = 0; i <= s->y.index && !s->t->status; i++) {
        tg_node *n = s->t->nodes[i];
        if (s->needed[i] && n->op && tg_is_custom(n) && !tg_run_forward(n))
            most = fmax(most, tg_noise_of_custom(&c, n).relative);
    }
    return most;
}

static bool is_extreme(long double x) {
    return x != 0 && isfinite(x) && (fabsl(x) < 1e10 * DBL_MIN || fabsl(x) > 1e300);
}

double tg_second_largest_on_tape(const tg_second *s, bool *extreme) {
    long double most = 0;
    *extreme = false;
    for (uint32_t i = 0; i <= s->y.index; i++) {
        const tg_node *n = s->t->nodes[i];
        bool here = s->needed[i] && n->base == n && tg_is_floating(n), is_long = s->t->dtype != TG_F64;
        for (int64_t j = 0; here && j < n->numel; j++) {
            long double x = is_long ? ((const long double *)n->data)[j] : ((const double *)n->data)[j];
            *extreme |= is_extreme(x);
            most = isfinite(x) && fabsl(x) > most ? fabsl(x) : most;
        }
    }
    return (double)most;
}

/* A second derivative that changes the gradient by less than rounding does, over a whole step, is nothing. */
static void finish_noise(tg_second *s, long double f0) {
    tg_noise *by = &s->noise;
    long double gv = 0;
    double nothing = 0, weights = 0;
    bool extreme;
    (void)tg_second_dot(s->total, s->along, s->gradient, &gv);
    for (int64_t i = 0; i < s->total; i++) {
        s->gradient_noise[i] = fmax(s->gradient_noise[i], s->unit * (double)fabsl(s->gradient[i]));
        by->gradient = fmax(by->gradient, s->gradient_noise[i]);
        nothing += s->gradient_noise[i] * (fabs(s->along[i]) + fabs(s->across[i]));
    }
    for (int64_t i = 0; i < s->n_y; i++)
        weights += fabs(s->w[i]);
    double largest = tg_second_largest_on_tape(s, &extreme); /* y may be what larger numbers leave */
    by->f = fmax(by->f, weights * largest * s->unit);
    by->gv = fmax(by->gv, (double)gv * s->unit);
    by->curvature = fmax(by->curvature, by->gradient);
    by->symmetry = fmax(by->symmetry, nothing);
    /* and so is one that changes y by less than 1e-17 of it, or of 1 */
    by->least = 1e-19 * fmax(1, tg_largest(1, &f0));
    by->adjoint = fmax(by->adjoint, by->least);
    by->symmetry = fmax(by->symmetry, by->least);
    by->gv = fmax(by->gv, by->least);
}

bool tg_second_measure_noise(tg_second *s) {
    tg_noise *by = &s->noise;
    long double f0;
    tg_codes c;
    memset(s->gradient_noise, 0, (size_t)s->total * sizeof(double));
    if (!tg_second_at(s, 0, 0, NULL, &f0))
        return false;
    for (int run = 1; run <= TG_NOISE_RUNS; run++) {
        tg_second_move_leaves(s, 0);
        if (!tg_second_run_nodes(s, 0, s->y.index + 1, run) ||
            !tg_second_run_nodes(s, s->recorded_from, s->t->count, run))
            return false;
        if (tg_second_branches_of(s) != s->branches)
            continue;
        by->f = fmax(by->f, (double)fabsl(tg_second_f(s) - f0));
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
    return tg_second_at(s, 0, 0, NULL, &f0);
}

bool tg_second_compare_with_float64(tg_second *fine, tg_second *plain) {
    long double f, f_plain = tg_second_f(plain);
    tg_codes c, *other = &plain->codes;
    if (!tg_second_at(fine, 0, 0, NULL, &f) || !tg_second_run_nodes(fine, fine->recorded_from, fine->t->count, 0) ||
        !read_codes(fine, &c, fine->now_gradient, fine->now_curvature))
        return false;
    tg_noise *by = &fine->noise;
    by->f = fmax(by->f, (double)fabsl(f - f_plain));
    by->gradient = fmax(by->gradient, tg_distance(fine->total, fine->now_gradient, fine->gradient));
    by->gv = fmax(by->gv, (double)fabsl(c.gv - other->gv));
    by->curvature = fmax(by->curvature, tg_distance(fine->total, fine->now_curvature, fine->curvature));
    by->adjoint = fmax(by->adjoint, (double)fabsl(c.adjoint.apart - other->adjoint.apart));
    by->symmetry = fmax(by->symmetry, (double)fabsl(c.symmetry.apart - other->symmetry.apart));
    if (tg_second_branches_of(fine) != plain->branches)
        fine->reason = "float64 and long double take different branches";
    return true;
}
