/* The mistakes that have a name. Each makes a number of the operation's Jacobian for every element: where these numbers
 * are the wrong gradient, here and with other operands and another dy, the mistake is proved.
 *
 * A mistake may have several ways, counted from 0: `fill` writes what a way gives into e->candidate, and is false
 * behind the last way, or where the mistake cannot be made. */
#include "core/gradcheck/check.h"

/* How the sentence ends. */
#define note(e, ...) snprintf((e)->detail, sizeof(e)->detail, __VA_ARGS__)

/* ---- comparing ---- */

/* What an element's gradient is compared with: its terms, for sums that cancel. */
double tg_unit_at(const tg_evidence *e, int64_t i) {
    double least = e->is_diagonal ? 0 : 1e-8 * e->largest;
    return fmax(fmax(e->size[i], least), fmax(fabs(e->wrong[i]), fabs(e->right[i])));
}

/* By what part of its unit the gradient differs from this number, beyond what differences do not tell. */
double tg_apart(const tg_evidence *e, int64_t i, double number) {
    double apart = fabs(e->wrong[i] - number) - e->error[i];
    return apart > 0 ? apart / tg_unit_at(e, i) : isnan(apart) ? INFINITY : 0;
}

/* The candidate is the wrong gradient to 1e-5 everywhere, and what it leaves is nothing beside what is wrong. */
static bool explains(const tg_evidence *e) {
    double left = 0, damage = 0, most = 0;
    for (int64_t i = 0; i < e->n; i++) {
        double apart = tg_apart(e, i, e->candidate[i]), wrong = tg_apart(e, i, e->right[i]);
        most = fmax(most, apart);
        left += apart * apart;
        damage += wrong * wrong;
    }
    return damage > 0 && most <= 1e-5 && left <= 1e-4 * damage;
}

/* ---- constants ---- */

/* The right gradient times `by`, with the sign that the fitted factor has. */
static bool scaled(tg_evidence *e, double by) {
    e->scale = e->factor < 0 ? -by : by;
    for (int64_t i = 0; i < e->n; i++)
        e->candidate[i] = e->scale * e->right[i];
    return true;
}

/* Nothing is left of the terms that the right gradient is made of. */
static bool is_nothing(const tg_evidence *e, double part) {
    double most = 0;
    for (int64_t i = 0; i < e->n; i++)
        most = fmax(most, fabs(e->wrong[i]));
    return most <= part * e->largest;
}

static bool zero(tg_evidence *e, int way) { return way < 1 && is_nothing(e, 1e-13) && scaled(e, 0); }
static bool flipped(tg_evidence *e, int way) { return way < 1 && e->factor < 0 && scaled(e, 1); }
static bool twice(tg_evidence *e, int way) { return way < 1 && scaled(e, 2); }
static bool half(tg_evidence *e, int way) { return way < 1 && scaled(e, 0.5); }

/* Not where one element alone is wrong: that always has a factor. */
static bool any_factor(tg_evidence *e, int way) {
    note(e, ": %s", tg_number_text(e->factor, 9).s);
    return way < 1 && e->n_wrong > 1 && e->factor != 0 && scaled(e, fabs(e->factor));
}

/* c of an elementwise y = c x, where elements with y = 0 x (masked ones) do not count; 0: there is none. */
static double forward_scale(const tg_evidence *e) {
    double scale = 0;
    for (int64_t i = 0; i < e->n && e->is_diagonal && e->n > 1; i++) {
        double here = tg_column(e, i)[e->at[i]];
        if (here != 0 && scale != 0 && !tg_near(here, scale))
            return 0;
        scale = here != 0 ? here : scale;
    }
    return scale;
}

static bool forgotten_or_twice(tg_evidence *e, int way, double scale) {
    note(e, "%s is %s", tg_number_text(scale, 6).s, way % 2 ? "applied twice" : "forgotten in the backward");
    return scaled(e, way % 2 ? scale : 1 / scale);
}

static bool forward_scaled(tg_evidence *e, int way) {
    double scale = fabs(forward_scale(e));
    return way < 2 && scale > 0 && forgotten_or_twice(e, way, scale);
}

/* sqrt of a size of a product's operand, 0 behind the last. */
static double root_of(const tg_evidence *e, int at) {
    for (int k = 0; k < e->s->original->n_in && !e->is_diagonal; k++) {
        const tg_node *x = e->s->x[k];
        int n = x && x->ndim > 1 ? x->ndim : 0;
        if (at < n)
            return sqrt((double)x->size[n - 1 - at]);
        at -= n;
    }
    return 0;
}

/* A number of elements that a mean may be over, 0 behind the last; elementwise operations have none. Rows that y
 * ignores do not count. */
static int64_t count_of(const tg_evidence *e, int at) {
    const tg_node *x = e->x, *y = e->s->c.y;
    int64_t each = y->numel ? x->numel / y->numel : 0, columns = x->ndim ? x->size[x->ndim - 1] : 1, live = 0;
    for (int64_t i = 0; i < e->n; i++)
        live += !e->dead[i];
    const int64_t count[] = {each, each - 1, x->numel ? y->numel / x->numel : 0, x->numel,
                             (live + columns - 1) / columns};
    int n = sizeof count / sizeof *count;
    if (at >= n + x->ndim + y->ndim || e->is_diagonal)
        return 0;
    int64_t by = at < n ? count[at] : at < n + x->ndim ? x->size[at - n] : y->size[at - n - x->ndim];
    return by > 1 ? by : 1;
}

/* True when the factor is sqrt of a size and a count as well: which of the two is wrong cannot be told. */
static bool is_root_and_count(const tg_evidence *e) {
    double factor = fabs(e->factor), by = factor < 1 ? 1 / factor : factor;
    bool root = false, count = false;
    for (int at = 0; root_of(e, at) > 0; at++)
        root |= tg_near(root_of(e, at), by);
    for (int at = 0; count_of(e, at) > 0; at++)
        count |= tg_near((double)count_of(e, at), by);
    return root && count;
}

static bool root_scaled(tg_evidence *e, int way) {
    double root = root_of(e, way / 2);
    if (root == 0 || is_root_and_count(e))
        return false;
    bool scaled = forgotten_or_twice(e, way, 1 / root);
    tg_append(e->detail, ", or its inverse %s", way % 2 ? "forgotten" : "applied twice");
    return scaled;
}

static bool scaled_by_count(tg_evidence *e, int way, int power) {
    int64_t by = count_of(e, way);
    note(e, " (n = %lld)", (long long)by);
    return by > 0 && !is_root_and_count(e) && scaled(e, pow((double)by, power));
}
static bool mean_missing(tg_evidence *e, int way) { return scaled_by_count(e, way, 1); }
static bool mean_twice(tg_evidence *e, int way) { return scaled_by_count(e, way, -1); }

/* ---- dy ---- */

static bool without_dy(tg_evidence *e, int way) {
    for (int64_t i = 0; i < e->n; i++) {
        e->candidate[i] = 0;
        for (int64_t j = 0; j < e->s->c.y->numel; j++)
            e->candidate[i] += tg_column(e, i)[j];
    }
    return way < 1 && !is_nothing(e, 1e-9);
}

static bool passed_on(tg_evidence *e, int way) {
    for (int64_t i = 0; i < e->n && e->same_size; i++)
        e->candidate[i] = e->s->c.cotangent[e->at[i]];
    return way < 1 && e->same_size;
}

/* ---- masks ---- */

/* Right where y depends on the operand. Elsewhere no element is 0; which numbers they are depends on the operation. */
static bool unmasked(tg_evidence *e, int way) {
    bool live = false, filled = true;
    for (int64_t i = 0; i < e->n; i++) {
        e->candidate[i] = e->dead[i] ? e->wrong[i] : e->right[i];
        live |= !e->dead[i];
        filled &= !e->dead[i] || e->wrong[i] != 0;
    }
    return way < 1 && live && filled;
}

/* ---- another place ---- */

/* Right up to some element, and nothing from there on: three elements say so, or all behind it are dead. */
static bool tail(tg_evidence *e, int way) {
    int64_t end = e->n, good = 0, lost = 0, behind = 0;
    while (end && e->wrong[end - 1] == 0)
        end--;
    for (int64_t i = 0; i < e->n; i++) {
        bool wrong = i >= end && tg_apart(e, i, e->right[i]) > 1e-7;
        e->candidate[i] = i < end ? e->right[i] : 0;
        good += e->wrong[i] != 0;
        behind += lost && !wrong && !e->dead[i];
        lost += wrong;
    }
    note(e, ": right up to element %lld", (long long)(end ? e->at[end - 1] : 0));
    return way < 1 && good && lost && good + lost > 2 && (lost > 1 || !behind);
}

/* Right numbers stored with x's dims a and b exchanged, or with a moved to b's place: the wrong gradient has element
 * i's number at `place`. By what is left of it there the candidate differs from the wrong number. */
static bool move_back(tg_evidence *e, int a, int b, bool exchange) {
    const tg_node *x = e->x;
    int order[TG_MAX_DIMS];
    for (int d = 0; d < x->ndim; d++)
        order[d] = d;
    for (int d = a; d != b && !exchange; d += a < b ? 1 : -1)
        order[d] = order[d + (a < b ? 1 : -1)];
    order[a] = exchange ? b : order[a];
    order[b] = a;
    for (int64_t i = 0; i < e->n; i++) {
        int64_t at[TG_MAX_DIMS], k = e->at[i], place = 0;
        for (int d = x->ndim - 1; d >= 0; k /= x->size[d--])
            at[d] = k % x->size[d];
        for (int d = 0; d < x->ndim; d++)
            place = place * x->size[order[d]] + at[order[d]];
        e->candidate[i] = e->wrong[i] - (e->whole[place] - e->right[i]);
    }
    return true;
}

static bool transposed(tg_evidence *e, int way) {
    int n = e->x->ndim;
    return way < 1 && n > 1 && move_back(e, n - 2, n - 1, true);
}

static bool permuted(tg_evidence *e, int way) {
    int n = e->x->ndim, a = n ? way / 2 / n : 0, b = n ? way / 2 % n : 0;
    bool exchange = way % 2 == 0;
    if (a >= n)
        return false;
    note(e, ": dim %d %s %d%s", a, exchange ? "exchanged with dim" : "moved to place", b,
         exchange && n == 4 && a == 1 && b == 2 ? " (heads are not moved back?)" : "");
    return move_back(e, a, b, exchange);
}

/* ---- several gradients belong to an element, and not all of them are there ---- */

/* True when y[j] is in the first slice along a dim, or the last. */
static bool in_slice(const tg_evidence *e, int64_t j, int way) {
    const tg_node *y = e->s->c.y;
    int64_t size = y->size[way / 2];
    for (int d = y->ndim - 1; d > way / 2; d--)
        j /= y->size[d];
    return j % size == (way % 2 ? size - 1 : 0);
}

/* The parts that one slice of y gives. NAN, which explains nothing, where it reaches no part of an element. */
static bool one_slice(tg_evidence *e, int way) {
    const tg_node *x = e->x, *y = e->s->c.y;
    int d = way / 2, own = d - (y->ndim - x->ndim);
    bool by_index = false; /* what y repeats then is no dim */
    for (int k = 0; k < y->n_in; k++)
        by_index |= y->in[k] && y->in[k]->dtype == TG_I64;
    if (d >= y->ndim || by_index || (tg_is_custom(y) && tg_custom_outputs(y) > 1) || tg_same_shape(x, y))
        return false;
    note(e, ": the gradient of %s comes from one slice of dim %d of y %s alone; sum over that dim", tg_node_text(x).s,
         d, tg_node_text(y).s);
    bool told = y->size[d] > 2 || own < 0 || x->size[own] == 1; /* of two slices one that is lost leaves one */
    for (int64_t i = 0; i < e->n; i++) {
        bool reached = e->dead[i];
        double sum = 0;
        for (int64_t j = 0; j < y->numel; j++)
            if (in_slice(e, j, way)) {
                sum += tg_column(e, i)[j] * e->s->c.cotangent[j];
                reached |= tg_column(e, i)[j] != 0;
            }
        e->candidate[i] = told && reached ? sum : NAN;
    }
    return true;
}

/* ---- the table: the simplest first ---- */

static const struct mistake {
    tg_mistake name;
    bool (*fill)(tg_evidence *e, int way);
    const char *sentence; /* e->detail follows */
} mistakes[] = {
    {TG_MISTAKE_ZERO, zero, "constant zero but for rounding: no gradient comes back (detached, or never added)"},
    {TG_MISTAKE_SIGN, flipped, "the sign is flipped: -1 times the right gradient"},
    {TG_MISTAKE_SCALE, forward_scaled, "the forward's scale (or temperature) "},
    {TG_MISTAKE_TWICE, twice, "2 times the right gradient: accumulated twice, or 1/2 (a mean of 2) forgotten"},
    {TG_MISTAKE_HALF, half, "half the right gradient: a factor 2 forgotten, or a mean of 2 taken twice"},
    {TG_MISTAKE_MISSING_MEAN, mean_missing, "n times the right gradient: 1/n is missing"},
    {TG_MISTAKE_EXTRA_MEAN, mean_twice, "1/n of the right gradient: divided by n once too often"},
    {TG_MISTAKE_SCALE, root_scaled, "the scale 1/sqrt(d_k) = "},
    {TG_MISTAKE_NO_DY, without_dy, "not multiplied by dy, the gradient that arrives"},
    {TG_MISTAKE_MASK, unmasked, "the mask is not applied in the backward: elements that y ignores get a gradient"},
    {TG_MISTAKE_PASSED_ON, passed_on, "dy is passed on unchanged: the derivative of the operation is missing"},
    {TG_MISTAKE_TAIL, tail, "not computed to the end"},
    {TG_MISTAKE_TRANSPOSED, transposed, "transposed: the right gradient with its last two dims exchanged"},
    {TG_MISTAKE_PERMUTED, permuted, "dims in another order: the right gradient with"},
    {TG_MISTAKE_NOT_SUMMED, one_slice, "not summed over a dim that uses the operand again and again"},
    {TG_MISTAKE_FACTOR, any_factor, "a constant times the right gradient"},
};

/* Elsewhere, where something is wrong as well, the same way explains it with the same factor. */
static bool holds(tg_evidence *elsewhere, const tg_evidence *here, const struct mistake *m, int way) {
    if (!elsewhere->n_wrong)
        return true;
    elsewhere->factor = here->factor;
    elsewhere->scale = 0;
    return m->fill(elsewhere, way) && explains(elsewhere) &&
           fabs(elsewhere->scale - here->scale) <= 1e-5 * fabs(here->scale);
}

bool tg_name_mistake(tg_evidence *here, tg_evidence *elsewhere, tg_gradcheck_result *r) {
    bool nonlinear = tg_suspect_leaf(here->s, here->x)->nonlinear;
    for (const struct mistake *m = mistakes; m < mistakes + sizeof mistakes / sizeof *mistakes; m++) {
        here->scale = 0;
        here->detail[0] = 0;
        for (int way = 0; (!nonlinear || m->fill == without_dy) && m->fill(here, way); way++) {
            if (!explains(here) || !holds(elsewhere, here, m, way))
                continue;
            bool both = here->scale < 0 && m->fill != flipped;
            r->factor = here->scale != 0 ? here->factor : 0;
            return tg_say(r, m->name, "%s%s%s", both ? "the sign is flipped, and " : "", m->sentence, here->detail);
        }
    }
    return false;
}
