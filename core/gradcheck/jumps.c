/* Does a custom operation compute in few bits? Where it does its result jumps, by a last bit of a float or of a table,
 * between two neighbouring doubles, and again and again: what narrow steps show between two jumps is the part that
 * computes in double alone, and a flat result jumps seldom. So jumps are looked for in each eighth of a wide window:
 * one or two there are steps that the operation takes on purpose. */
#include "core/gradcheck/noise.h"

#include <float.h>

enum { EIGHTHS = 8, ENOUGH = 6, ELEMENTS = 4 };

/* What jumps by more than this of y, as y goes in that window, does so on purpose (x - floor x). */
#define COARSEST 0x1p-5

/* Element j of y along a line on which all inputs move by s units: 1, or the size of an element if that is more, or
 * (own) that size whatever it is. */
typedef struct along {
    tg_node *y;
    double *const *start;
    int64_t j;
    bool own;
    double largest; /* of y's elements where the inputs are */
} along;

/* Numbers of 1e-20 have another unit than 1. */
static double unit_of_input(const double *x, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most > 0 && most < 1e-12 ? most : 1;
}

static double value_at(const along *a, double s) {
    for (int k = 0; k < a->y->n_in; k++) {
        const tg_node *x = a->y->in[k];
        double unit = a->start[k] && !a->own ? unit_of_input(a->start[k], x->numel) : 0;
        for (int64_t i = 0; a->start[k] && i < x->numel; i++) {
            double size = fmax(fabs(a->start[k][i]), unit);
            ((double *)x->data)[i] = a->start[k][i] + s * size * (double)(8 + i % 7) / 8;
        }
    }
    tg_tape *t = a->y->tape;
    bool failed = tg_run_forward(a->y) != TG_OK;
    if (failed && t->status != TG_ERR_MEMORY) /* outside its domain */
        tg_clear_error(t);
    return failed ? NAN : ((const double *)a->y->data)[a->j];
}

/* How far the change over a part is from what its first thousandth says. */
static double bend(const along *a, double from, double low, double width, double high) {
    double near = width / 1024, slope = (value_at(a, from + near) - low) / near;
    return fabs(high - low - slope * width);
}

/* The height of a jump between two places: of two halves the one that bends more, again and again. A curve falls by
 * four each time, a kink by two; 0 where it becomes nothing, or where just as much happens beside it (sin 1e14 x).
 * *size: of what it is beside. */
static double jump_between(const along *a, double from, double to, double *size) {
    static const double narrowest = 0x1p-44, least = TG_COARSE;
    double low = value_at(a, from), high = value_at(a, to), width = to - from;
    do {
        *size = fmax(fmax(fabs(low), fabs(high)), a->largest);
        width /= 2;
        double value = value_at(a, from + width), left = bend(a, from, low, width, value),
               right = bend(a, from + width, value, width, high);
        if (!isfinite(left + right) || fmax(left, right) <= least * *size)
            return 0;
        if (left >= right) {
            high = value;
        } else {
            low = value;
            from += width;
        }
    } while (width > narrowest);
    double jump = fabs(high - low), before = fabs(value_at(a, from - width) - low),
           after = fabs(value_at(a, from + 2 * width) - high);
    return jump > fmax(least * *size, 8 * fmax(before, after)) ? jump : 0;
}

/* Of y in the window. */
static double largest_around(const along *a) {
    double most = a->largest;
    for (int i = 0; i <= EIGHTHS; i++)
        most = fmax(most, fabs(value_at(a, (double)(i - EIGHTHS / 2) / EIGHTHS)));
    return most;
}

/* Are there enough of them, and none so high? */
static bool jumps(const along *a, tg_jump *out) {
    int found = 0;
    double highest = 0;
    *out = (tg_jump){.least = INFINITY};
    for (int i = 0; i < EIGHTHS && i - found <= EIGHTHS - ENOUGH; i++) {
        double from = (double)(i - EIGHTHS / 2) / EIGHTHS, size;
        double jump = jump_between(a, from, from + 1.0 / EIGHTHS, &size);
        if (!(jump > 0))
            continue;
        out->relative = fmax(out->relative, jump / size);
        out->least = fmin(out->least, jump);
        highest = fmax(highest, jump);
        found++;
    }
    out->highest = highest;
    return found >= ENOUGH && highest < COARSEST * largest_around(a);
}

/* Of the largest element, and some others. */
tg_jump tg_jump_of_custom(tg_node *y, double *const *start) {
    along a = {.y = y, .start = start};
    tg_jump out;
    int64_t largest = 0;
    (void)value_at(&a, 0);
    for (int64_t j = 0; j < y->numel; j++) {
        double value = fabs(((const double *)y->data)[j]);
        if (!isfinite(value) || value <= a.largest)
            continue;
        a.largest = value;
        largest = j;
    }
    int n = (int)(y->numel < ELEMENTS ? y->numel : ELEMENTS);
    for (int i = 0; i < 2 * n; i++) {
        a.own = i % 2;
        a.j = i < 2 ? largest : i / 2 * y->numel / n;
        if (jumps(&a, &out))
            return out;
    }
    return (tg_jump){0};
}

/* ---- is it a floating-point format? ---- */

static bool has_bits(double x, int bits) {
    int exponent;
    double part = ldexp(frexp(x, &exponent), bits);
    return part == trunc(part);
}

/* How many have more than so many bits? */
static int64_t count_longer(const double *x, int64_t n, int bits) {
    int64_t longer = 0;
    for (int64_t i = 0; i < n; i++)
        longer += !has_bits(x[i], bits);
    return longer;
}

static bool is_power_of_two(double x) {
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

/* How many results are not what they were where inputs are rounded to float, and are the next float if `next`. */
static int64_t count_changed(tg_node *y, double *const *start, const double *own, bool next) {
    int64_t n = 0;
    for (int k = 0; k < y->n_in; k++)
        for (int64_t i = 0; start[k] && i < y->in[k]->numel; i++) {
            float x = (float)start[k][i];
            ((double *)y->in[k]->data)[i] = (double)(next ? nextafterf(x, INFINITY) : x);
        }
    bool failed = tg_run_forward(y) != TG_OK;
    if (failed && y->tape->status != TG_ERR_MEMORY)
        tg_clear_error(y->tape);
    for (int64_t j = 0; j < y->numel && !failed; j++)
        n += ((const double *)y->data)[j] != own[j];
    return failed ? -1 : n;
}

bool tg_jumps_as_floats(tg_node *y, double *const *start, const double *own, double noise, const tg_jump *jump) {
    bool floats = count_longer(own, y->numel, FLT_MANT_DIG) == 0;
    bool uneven = jump->least < jump->highest && is_power_of_two(jump->least) && is_power_of_two(jump->highest);
    int64_t all_bits = count_longer(own, y->numel, FLT_MANT_DIG - 2), many = count_longer(own, y->numel, 8);
    bool fine = noise <= 4 * FLT_EPSILON && 2 * all_bits > many;
    if (floats && (uneven || fine))
        return true;
    return count_changed(y, start, own, false) == 0 && 2 * count_changed(y, start, own, true) > y->numel;
}
