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
#include "core/gradcheck/second.h"

#include <float.h>

enum { QUICK_STEPS = 8 };
static const double first_step = 1.0 / 16; /* of differences; each is a quarter of the one before */

/* ---- differences of gradients ---- */

/* H v by differences of gradients, g.v by those of f, at x0 +- h v. *skip: a kink, or the end of the domain, lies
 * between. The rounding that is seen there is at least that at x0. */
static bool take_step(tg_second *s, double h, bool *skip) {
    long double f[2], moved[2], *row = tg_ladder_row(&s->of_gradients);
    double of_gradient = s->noise.gradient, of_f = s->noise.f;
    *skip = false;
    for (int side = 0; side < 2; side++) {
        double by = side ? h : -h;
        long double *gradient = side ? row : s->low;
        if (s->careful && !tg_second_at(s, by, 1 + s->of_f.steps % TG_NOISE_RUNS, s->now_gradient, &moved[side]))
            return false;
        if (!tg_second_at(s, by, 0, gradient, &f[side]))
            return false;
        if (s->careful && isfinite((double)moved[side])) {
            of_gradient = fmax(of_gradient, tg_distance(s->total, s->now_gradient, gradient));
            of_f = fmax(of_f, (double)fabsl(moved[side] - f[side]));
        }
        *skip |= tg_second_branches_of(s) != s->branches || tg_second_first_not_finite(s->total, gradient) >= 0 ||
                 tg_second_first_not_finite(1, &f[side]) >= 0;
    }
    if (*skip)
        return true;
    for (int64_t i = 0; i < s->total; i++)
        row[i] = (row[i] - s->low[i]) / (2 * (long double)h);
    *tg_ladder_row(&s->of_f) = (f[1] - f[0]) / (2 * (long double)h);
    double share = s->careful ? s->unit / s->jitter / h : 0;
    long double turn = 0; /* g.v at one end less that at the other */
    (void)tg_second_dot(s->total, s->along, row, &turn);
    tg_ladder_add(&s->of_gradients, of_gradient * share, 0, fmax(10 * of_f * share / h, 100 * s->noise.least));
    tg_ladder_add(&s->of_f, of_f * share, 2 * h * (double)turn, 0);
    return true;
}

/* Does rounding hide at this step what differs from the claim? Narrower ones say nothing then. */
static bool is_hidden(const tg_second *s, const tg_ladder *l, double of_f, double h) {
    return l->steps && 2 * of_f * s->unit / s->jitter / h > 0.1 * l->apart[l->steps - 1];
}

static bool differences(tg_second *s) {
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

static bool taylor(tg_second *s) {
    tg_second_result *r = s->r;
    double h = 1.0 / 32, floor = 0;
    long double f0, f, size = 0, gv = s->codes.gv, vhv = tg_second_dot(s->total, s->along, s->curvature, &size);
    if (!tg_second_at(s, 0, 0, NULL, &f0))
        return false;
    for (int i = 0; i < TG_TAYLOR_STEPS; i++, h /= 2) {
        if (!tg_second_at(s, h, 0, NULL, &f))
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

static double relative(tg_both_ways b) { return (double)(fabsl(b.apart) / (b.size > 0 ? b.size : 1)); }

/* Is it more than rules allow, and far more than rounding does? */
static bool differ(tg_both_ways b, double rule, double rounding) {
    return relative(b) > rule && (double)fabsl(b.apart) > 100 * rounding;
}

static double scale_of_gv(const tg_second *s) {
    long double size = 0;
    (void)tg_second_dot(s->total, s->along, s->gradient, &size);
    return fmax(size > 0 ? (double)size : 1, isfinite(s->of_f.best_bar) ? tg_largest(1, s->of_f.best) : 0);
}

static bool is_near(double difference, double bar) { return difference <= fmax(1e-6, 10 * bar); }

/* The difference that right code may have is, of differences, what their bar says, of two codes rounding. */
static void judge(tg_second *s) {
    tg_second_result *r = s->r;
    const tg_ladder *of_g = &s->of_gradients, *of_f = &s->of_f;
    const tg_noise *by = &s->noise;
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
    bool wrong =
        apart || tg_ladder_refutes(of_g, of_f, scale, by->curvature) || tg_ladder_refutes(of_f, NULL, gv_scale, by->gv);
    if (wrong && by->runs && !s->reason)
        r->verdict = TG_GRAD_WRONG;
    else if (!s->reason) /* where every run takes other branches anything may be rounding */
        s->reason = known ? "rounding may be all that differs, or steps of different widths disagree"
                          : "rounding, kinks or the end of the domain leave too little to compare";
}

static void step_aside(tg_second *s) {
    double typical = tg_second_typical_size(s);
    for (int64_t i = 0; i < s->total; i++)
        s->x0[i] += tg_second_signed_number(s) / 64 * (s->x0[i] != 0 ? fabs(s->x0[i]) : typical);
    memset(s->along, 0, (size_t)s->total * sizeof *s->along);
    tg_second_move_leaves(s, 0);
}

static bool begin(tg_second *s) {
    s->jitter = s->unit = DBL_EPSILON;
    for (int64_t i = 0; i < s->n_y; i++)
        s->w[i] = tg_second_signed_number(s);
    tg_second_gather(s, s->x, s->room);
    for (int64_t i = 0; i < s->total; i++)
        s->x0[i] = (double)s->room[i];
    if (s->aside)
        step_aside(s);
    s->cotangent = tg_from_doubles(s->t, tg_shape_of(s->y), s->w);
    s->recorded_from = s->t->count;
    if (s->t->status || !tg_second_run_nodes(s, 0, s->y.index + 1, 0))
        return false;
    s->branches = tg_second_branches_of(s);
    return tg_second_has_finite_y(s);
}

static bool has_custom(const tg_second *s) {
    bool any = false;
    for (uint32_t i = 0; i <= s->y.index; i++)
        any |= s->needed[i] && s->t->nodes[i]->op && tg_is_custom(s->t->nodes[i]);
    return any;
}

/* On this tape, which holds x0. */
static bool judge_again(tg_second *s) {
    bool extreme;
    tg_ladder_forget(&s->of_gradients);
    tg_ladder_forget(&s->of_f);
    (void)tg_second_largest_on_tape(s, &extreme);
    if (extreme)
        s->reason = "numbers are near the limits of float64";
    if (!differences(s))
        return false;
    judge(s);
    return true;
}

static bool judge_in_long_double(tg_second *s) {
    tg_second fine = *s;
    fine.t = tg_tape_cast(s->t, TG_LD);
    if (!fine.t)
        return false;
    fine.t->keep_random = true;
    fine.y.tape = fine.cotangent.tape = fine.t;
    fine.unit = tg_unit_of(TG_LD);
    bool done = tg_second_compare_with_float64(&fine, s) && judge_again(&fine);
    s->reason = fine.reason;
    if (!done)
        tg_fail(s->t, fine.t->status ? fine.t->status : TG_ERR_MEMORY, "%s", fine.t->error);
    tg_tape_free(fine.t);
    return done;
}

static bool run(tg_second *s) {
    if (!begin(s))
        return false;
    tg_mark end = tg_tape_mark(s->t);
    if (!tg_second_compare_codes(s) || !tg_second_is_finite(s, s->gradient, "gradient") ||
        !tg_second_is_finite(s, s->curvature, "Hessian times a direction") || !tg_second_has_finite_jv(s) ||
        !differences(s))
        return false;
    judge(s);
    bool right = s->r->verdict == TG_GRAD_RIGHT, custom = has_custom(s);
    if (!right && custom)
        s->jitter = s->unit = tg_second_noise_of_custom(s);
    s->careful = !right;
    if (!right && !tg_second_measure_noise(s))
        return false;
    if (!right && custom) /* what their VJPs round lies out of sight */
        s->noise.adjoint = fmax(s->noise.adjoint, s->noise.f);
    if (!right && !(custom ? judge_again(s) : judge_in_long_double(s)))
        return false;
    (void)!tg_tape_rewind(s->t, end);
    return taylor(s);
}

static const char *const words[] = {"consistent and right", "at a kink", "cannot tell", "WRONG"};

/* On a copy of t, which it leaves in s. */
static bool open_and_run(tg_second *s, tg_tape *t, tg_tensor y) {
    s->t = tg_tape_cast(t, TG_F64);
    if (!s->t)
        return false;
    s->y = (tg_tensor){s->t, y.index, y.epoch};
    s->t->keep_random = true;
    return tg_second_open_leaves(s) && run(s);
}

/* Custom operations need not tell their kinks, and where the slope of |x| is 0, as at 0 itself, both sides may look
 * like it: what is wrong has to be wrong a little aside as well. */
static void confirm_aside(tg_second *s, tg_tape *t, tg_tensor y) {
    tg_second_result r = {0};
    tg_second aside = {.random = s->random, .r = &r, .aside = true};
    if (!(open_and_run(&aside, t, y) && r.verdict == TG_GRAD_WRONG)) {
        s->r->verdict = TG_GRAD_CANNOT_TELL;
        s->reason = "it is not wrong a little aside, so a kink may lie here";
    }
    tg_tape_free(aside.t);
}

/* The result of a check that was not made, for the tape's error. */
static tg_status refuse(const tg_tape *t, tg_second_result *r) {
    r->verdict = TG_GRAD_CANNOT_TELL;
    snprintf(r->summary, sizeof r->summary, "%.300s", t ? t->error : "gradcheck_second: the null tensor");
    return t ? t->status : TG_ERR_ARGUMENT;
}

tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result) {
    tg_second_result own, *r = result ? result : &own;
    *r = (tg_second_result){0};
    tg_node *n;
    tg_tape *t = tg_open("gradcheck_second", "f", 1, &y, &n);
    if (!t || !tg_outside_backward(t, "gradcheck_second") || !tg_outside_scope(t, "gradcheck_second"))
        return refuse(y.tape, r);
    tg_second s = {.random = seed, .r = r};
    bool done = open_and_run(&s, t, y);
    if (!s.t)
        return refuse(t, r);
    if (done && r->verdict == TG_GRAD_WRONG)
        confirm_aside(&s, t, y);
    if (!done) {
        tg_fail(t, s.t->status ? s.t->status : TG_ERR_MEMORY, "gradcheck_second (in float64): %.440s", s.t->error);
        (void)refuse(t, r);
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
