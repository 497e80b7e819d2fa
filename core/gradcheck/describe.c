/* A wrong gradient that no name explains: what is known of it. Which elements are right, where the wrong ones lie, and
 * how far off they are. */
#include "core/gradcheck/check.h"

#include <stdarg.h>

/* Places that people know: does an element lie there? k: row-major; i: in the sample. */
typedef struct place {
    const tg_evidence *e;
    int64_t k, row, column, columns;
    double x;
} place;

/* In one dim the names of rows, columns and diagonals stand for the first element, the last one, or none. */
static bool is_negative(const place *p) { return p->x < 0; }
static bool is_positive(const place *p) { return p->x > 0; }
static bool is_large(const place *p) { return fabs(p->x) > 1; }
static bool is_small(const place *p) { return fabs(p->x) < 1; }
static bool is_zero(const place *p) { return p->x == 0; }
static bool is_on_diagonal(const place *p) { return p->row == p->column; }
static bool is_off_diagonal(const place *p) { return p->e->x->ndim > 1 && p->row != p->column; }
static bool is_above(const place *p) { return p->e->x->ndim > 1 && p->column > p->row; }
static bool is_below(const place *p) { return p->column < p->row; }
static bool is_first(const place *p) { return p->k == 0; }
static bool is_last(const place *p) { return p->k == p->e->x->numel - 1; }
static bool is_in_first_row(const place *p) { return p->k < p->columns; }
static bool is_after_first_row(const place *p) { return p->k >= p->columns; }
static bool is_in_first_column(const place *p) { return p->column == 0; }
static bool is_in_last_column(const place *p) { return p->column == p->columns - 1; }
static bool is_inside(const place *p) { return p->e->x->ndim > 1 && p->column > 0; }
static bool is_odd(const place *p) { return p->k % 2 == 1; }
static bool is_even(const place *p) { return p->k % 2 == 0; }
static bool is_after_first_batch(const place *p) {
    const tg_node *x = p->e->x;
    return x->ndim > 2 && p->k >= x->numel / x->size[0];
}

static const struct {
    const char *text;
    bool (*is_there)(const place *p);
} places[] = {{"the first", is_first},
              {"the last", is_last},
              {"those with x < 0", is_negative},
              {"those with x > 0", is_positive},
              {"those with x = 0", is_zero},
              {"those with |x| > 1", is_large},
              {"those with |x| < 1", is_small},
              {"those on the diagonal", is_on_diagonal},
              {"those off the diagonal", is_off_diagonal},
              {"those above the diagonal", is_above},
              {"those below the diagonal", is_below},
              {"the first row", is_in_first_row},
              {"all rows but the first", is_after_first_row},
              {"the first column", is_in_first_column},
              {"the last column", is_in_last_column},
              {"all columns but the first", is_inside},
              {"all of dim 0 but the first", is_after_first_batch},
              {"every second from the first on", is_even},
              {"every second from the second on", is_odd}};

static place place_of(const tg_evidence *e, int64_t i) {
    const tg_node *x = e->x;
    int64_t columns = x->ndim ? x->size[x->ndim - 1] : 1, k = e->at[i], rest = k;
    ptrdiff_t offset = 0;
    for (int d = x->ndim - 1; d >= 0; rest /= x->size[d--])
        offset += rest % x->size[d] * x->stride[d];
    int64_t rows = x->ndim > 1 ? x->size[x->ndim - 2] : 1;
    return (place){.e = e,
                   .k = k,
                   .row = k / columns % rows,
                   .column = k % columns,
                   .columns = columns,
                   .x = ((const double *)x->data)[offset]};
}

/* Exactly the elements in this place are wrong. */
static bool is_place(const tg_evidence *e, bool (*is_there)(const place *p)) {
    bool fits = true;
    for (int64_t i = 0; i < e->n && fits; i++) {
        place p = place_of(e, i);
        fits = is_there(&p) != tg_is_right_at(e, i);
    }
    return fits;
}

/* NULL when no place fits. */
static const char *find_place(const tg_evidence *e) {
    for (size_t n = 0; n < sizeof places / sizeof *places; n++)
        if (is_place(e, places[n].is_there))
            return places[n].text;
    return NULL;
}

bool tg_is_any_wrong(const tg_evidence *e) {
    bool any = false;
    for (int64_t i = 0; i < e->n; i++)
        any |= !tg_is_right_at(e, i);
    return any;
}

/* The first wrong element when some before it are right and all behind it are wrong as well, else 0. */
static int64_t find_begin(const tg_evidence *e) {
    int64_t i = e->n;
    while (i && !tg_is_right_at(e, i - 1))
        i--;
    for (int64_t j = 0; j < i; j++)
        if (!tg_is_right_at(e, j))
            return 0;
    return i && i < e->n ? e->at[i] : 0;
}

/* right = wrong f everywhere, f a number of the element: y or x. */
static bool lacks(const tg_evidence *e, bool is_y) {
    if (is_y && !e->same_size)
        return false;
    for (int64_t i = 0; i < e->n; i++) {
        double f = is_y ? e->s->c.at_base[e->at[i]] : place_of(e, i).x;
        if (!(fabs(e->wrong[i] * f - e->right[i]) <= 1e-5 * fabs(e->right[i])))
            return false;
    }
    return e->n > 1;
}

/* The output of several, from 1, without whose share the right gradient is the wrong one; 0: none. */
static int missing_output(const tg_evidence *e) {
    for (int k = 0; k < e->outputs && e->outputs > 1; k++) {
        for (int64_t i = 0; i < e->n; i++)
            e->other[i] = e->right[i] - e->share[i * e->outputs + k];
        if (tg_explains(e, e->other))
            return k + 1;
    }
    return 0;
}

static void add(char *out, size_t size, const char *format, ...) TG_PRINTF(3, 4);
static void add(char *out, size_t size, const char *format, ...) {
    size_t at = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + at, size - at, format, args);
    va_end(args);
}

/* No element is wrong by what its terms allow: what may be wrong for all that? */
static void say_nearly_right(const tg_evidence *e, char *out, size_t size) {
    const char *elements = e->n == 1 ? "element" : "elements", *are = e->n == 1 ? "is" : "are";
    double most = 0;
    int64_t at = 0;
    for (int64_t i = 0; i < e->n; i++) {
        double apart = fabs(e->wrong[i] - e->right[i]) / fmax(fabs(e->wrong[i]), fabs(e->right[i]));
        at = apart > most ? i : at;
        most = fmax(most, apart);
    }
    if (most > 1e-7)
        add(out, size, "element %lld is %.9g, not %.9g, which is little beside the terms that cancel in it",
            (long long)e->at[at], e->wrong[at], e->right[at]);
    else if (e->at_kinks)
        add(out, size, "too near a kink to be compared; the %lld %s that can be %s right", (long long)e->n, elements,
            are);
    else if (tg_suspect_leaf(e->s, e->x)->nonlinear)
        add(out, size, "for dy itself the %lld %s looked at %s right", (long long)e->n, elements, are);
    else
        add(out, size, "the %lld %s looked at %s right: the wrong ones are among the others", (long long)e->n, elements,
            are);
}

void tg_describe_unknown(const tg_evidence *e, tg_gradcheck_result *r) {
    int64_t wrong = 0, first = -1, begin = find_begin(e);
    double low = INFINITY, high = -INFINITY;
    const char *where = find_place(e);
    for (int64_t i = 0; i < e->n; i++) {
        if (tg_is_right_at(e, i))
            continue;
        first = wrong++ ? first : i;
        double ratio = e->wrong[i] / e->right[i];
        low = isfinite(ratio) ? fmin(low, ratio) : low;
        high = isfinite(ratio) ? fmax(high, ratio) : high;
    }
    char *out = r->diagnosis;
    size_t size = sizeof r->diagnosis;
    bool nonlinear = tg_suspect_leaf(e->s, e->x)->nonlinear;
    tg_say(r, TG_MISTAKE_UNKNOWN, "none of the common mistakes: %s",
           nonlinear ? "not linear in dy, as every VJP is: -2^20 dy does not give -2^20 times the gradient; " : "");
    if (first < 0) {
        say_nearly_right(e, out, size);
        return;
    }
    if (wrong == 1 && e->n == 1)
        add(out, size, "the only element looked at is wrong");
    else if (wrong == e->n)
        add(out, size, "all %lld elements looked at are wrong", (long long)e->n);
    else
        add(out, size, "%lld of %lld elements looked at are wrong", (long long)wrong, (long long)e->n);
    if (where && wrong < e->n)
        add(out, size, ": %s", where);
    else if (begin)
        add(out, size, ": all from element %lld on", (long long)begin);
    add(out, size, "; element %lld is %.6g, not %.6g", (long long)e->at[first], e->wrong[first], e->right[first]);
    if (wrong > 1 && low <= high)
        add(out, size, "; wrong / right from %.6g to %.6g", low + 0,
            high + 0); /* + 0: no -0, whichever fmin returned */
    if (lacks(e, true))
        add(out, size, "; a factor y is missing");
    else if (lacks(e, false))
        add(out, size, "; a factor x is missing");
    int output = missing_output(e);
    if (output)
        add(out, size, "; the gradient that arrives at output %d is ignored", output);
}
