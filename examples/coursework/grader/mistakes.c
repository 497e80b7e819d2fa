/* Mistakes that any operation may have. Each one is applied to the library's numbers; where that gives the student's,
 * here and in other draws of the same case, the mistake is proved. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

static int64_t outputs_of(const trial *r) { return numel_of(r->shape); }
static bool is_value(const subject *s) { return s->operand < 0; }
static tg_shape shape_of(const subject *s) { return is_value(s) ? s->r->shape : s->r->input[s->operand]; }

bool compute_subject(const subject *s, const tg_tensor *x, const how *h, double *out) {
    const trial *r = s->r;
    bool good;
    tg_zero_grads(r->t);
    for (int i = 0; i < r->n_inputs && !is_value(s); i++)
        if (is_float(r, i))
            tg_set_requires_grad(x[i], true);
    tg_tensor y = r->op->reference(x, h);
    if (is_value(s))
        good = tg_numel(y) == s->n && tg_read_doubles(y, out, s->n) == TG_OK;
    else
        good = tg_numel(y) == outputs_of(r) && tg_backward_with(y, s->a.dy) == TG_OK &&
               tg_read_doubles(tg_grad(x[s->operand]), out, s->n) == TG_OK;
    if (tg_tape_status(r->t))
        tg_clear_error(r->t);
    return good;
}

/* dy[j] dY[j]/dx[i] for every element i of an operand: its gradient is the sum of these over j. */
static bool fill_gradient_terms(subject *s) {
    const trial *r = s->r;
    int64_t m = outputs_of(r);
    const double *dy = tg_const_data(s->a.dy);
    double *unit = calloc((size_t)m + 1, sizeof *unit), *row = calloc((size_t)s->n + 1, sizeof *row);
    subject one = *s;
    bool good = unit && row;
    for (int64_t j = 0; j < m && good; j++) {
        unit[j] = 1;
        one.a.dy = tg_from_doubles(r->t, r->shape, unit);
        unit[j] = 0;
        good = compute_subject(&one, r->x, &r->h, row);
        for (int64_t i = 0; i < s->n && good; i++)
            s->term[i * m + j] = row[i] == 0 || !isfinite(row[i]) ? 0 : dy[j] * row[i];
    }
    free(unit);
    free(row);
    return good;
}

/* x[k] dY[i]/dx[k] of the first operand: where Y is linear in it, these and what is there without it. */
static bool fill_value_terms(subject *s) {
    const trial *r = s->r;
    int64_t m = s->n_terms;
    double *x = calloc((size_t)m + 1, sizeof *x), *unit = calloc((size_t)s->n + 1, sizeof *unit);
    subject one = {.r = s->r, .operand = 0, .n = m};
    bool good = x && unit && tg_read_doubles(r->x[0], x, m) == TG_OK;
    for (int64_t i = 0; i < s->n && good; i++) {
        unit[i] = 1;
        one.a.dy = tg_from_doubles(r->t, r->shape, unit);
        unit[i] = 0;
        good = compute_subject(&one, r->x, &r->h, s->term + i * m);
        for (int64_t k = 0; k < m && good; k++)
            s->term[i * m + k] = s->term[i * m + k] == 0 ? 0 : s->term[i * m + k] * x[k];
    }
    tg_tensor zero[MAX_INPUTS];
    memcpy(zero, r->x, sizeof zero);
    zero[0] = tg_zeros(r->t, r->input[0]);
    good = good && compute_subject(s, zero, &r->h, s->rest);
    free(x);
    free(unit);
    return good;
}

static double sum_of_terms(const subject *s, int64_t i) {
    double sum = s->rest[i];
    for (int64_t k = 0; k < s->n_terms; k++)
        sum += s->term[i * s->n_terms + k];
    return sum;
}

static void fill_terms(subject *s) {
    enum { MOST = 1 << 20 };
    const trial *r = s->r;
    s->n_terms = is_value(s) ? numel_of(r->input[0]) : outputs_of(r);
    bool fits = s->n * s->n_terms < MOST && is_float(r, 0);
    s->term = fits ? calloc((size_t)(s->n * s->n_terms) + 1, sizeof *s->term) : NULL;
    s->rest = calloc((size_t)s->n + 1, sizeof *s->rest);
    bool good = s->term && s->rest && (is_value(s) ? fill_value_terms(s) : fill_gradient_terms(s));
    for (int64_t i = 0; i < s->n && good; i++)
        s->made[i] = sum_of_terms(s, i);
    if (!good || !same_numbers(s->made, s->right, s->n))
        s->n_terms = 0;
}

bool open_subject(subject *s, trial *r, const sample *a, int operand, const double *value) {
    *s = (subject){.r = r, .operand = operand, .n = operand < 0 ? outputs_of(r) : numel_of(r->input[operand])};
    size_t bytes = (size_t)s->n * sizeof(double);
    double *numbers = calloc(3 * (size_t)s->n + 1, sizeof(double));
    if (!numbers)
        return false;
    s->mine = numbers;
    s->right = numbers + s->n;
    s->made = numbers + 2 * s->n;
    memcpy(s->mine, operand < 0 ? value : a->mine[operand], bytes);
    memcpy(s->right, operand < 0 ? r->value : a->right[operand], bytes);
    if (a)
        s->a.dy = a->dy;
    fill_terms(s);
    return true;
}

void close_subject(subject *s) {
    free(s->mine);
    free(s->term);
    free(s->rest);
}

/* ---- the mistakes: each fills s->made, in one of several ways, and is false behind the last ---- */

/* How the sentence goes on. */
static char note[200];

static bool as_it_is(const subject *s) {
    memcpy(s->made, s->right, (size_t)s->n * sizeof(double));
    return true;
}

static bool scale_by(const subject *s, double by) {
    for (int64_t i = 0; i < s->n; i++)
        s->made[i] = by * s->right[i];
    return true;
}

static bool variant_as(subject *s, int variant) {
    how h = s->r->h;
    h.variant = variant;
    tg_shape shape[MAX_INPUTS];
    memcpy(shape, s->r->one->input, sizeof shape);
    if (s->r->op->arrange)
        s->r->op->arrange(shape, variant);
    bool fits = variant != s->r->h.variant && variant < tasks[s->r->s->task].n_variants &&
                memcmp(shape, s->r->input, sizeof shape) == 0;
    return (fits && compute_subject(s, s->r->x, &h, s->made)) || as_it_is(s);
}
static bool plain_operation(subject *s, int way) { return way < 1 && variant_as(s, 0); }
static bool another_variant(subject *s, int way) { return way < 2 && variant_as(s, way + 1); }

/* The operation's own list. */
static bool own_mistake(subject *s, int way) {
    const op_spec *op = s->r->op;
    const char *const *list = is_value(s) ? op->slip : op->fault;
    how h = s->r->h;
    if (!list || !list[way])
        return false;
    *(is_value(s) ? &h.slip : &h.fault) = way + 1;
    snprintf(note, sizeof note, "%s", list[way]);
    return compute_subject(s, s->r->x, &h, s->made) || as_it_is(s);
}

static bool flipped(subject *s, int way) { return way < 1 && scale_by(s, -1); }
static bool twice(subject *s, int way) { return way < 1 && scale_by(s, 2); }
static bool halved(subject *s, int way) { return way < 1 && scale_by(s, 0.5); }

/* By a size of an operand or of the result, or its root. */
static bool by_a_size(subject *s, int way, bool root, bool over) {
    const trial *r = s->r;
    int at = way;
    for (int i = 0; i <= r->n_inputs; i++) {
        tg_shape shape = i < r->n_inputs ? r->input[i] : r->shape;
        if (at < shape.ndim + 1) {
            double size = at < shape.ndim ? (double)shape.size[at] : (double)numel_of(shape);
            double by = root ? sqrt(size) : size;
            snprintf(note, sizeof note, root ? "the root of %g" : "%g", size);
            return size > 1 ? scale_by(s, over ? 1 / by : by) : as_it_is(s);
        }
        at -= shape.ndim + 1;
    }
    return false;
}
static bool times_size(subject *s, int way) { return by_a_size(s, way, false, false); }
static bool over_size(subject *s, int way) { return by_a_size(s, way, false, true); }
/* Divided by another size than the right one: times a quotient of two sizes of the first operand. */
static bool other_size(subject *s, int way) {
    const tg_shape shape = s->r->input[0];
    int64_t a = shape.ndim == 2 ? shape.size[way % 2] : 1, b = shape.ndim == 2 ? shape.size[1 - way % 2] : 1;
    snprintf(note, sizeof note, "%lld stands where %lld belongs", (long long)b, (long long)a);
    return way < 2 && (a != b ? scale_by(s, (double)a / (double)b) : as_it_is(s));
}
static bool times_root(subject *s, int way) { return by_a_size(s, way, true, false); }
static bool over_root(subject *s, int way) { return by_a_size(s, way, true, true); }

static int64_t end_term(const subject *s, int64_t i, bool last) {
    const double *term = s->term + i * s->n_terms;
    for (int64_t k = 0; k < s->n_terms; k++) {
        int64_t at = last ? s->n_terms - 1 - k : k;
        if (term[at] != 0)
            return at;
    }
    return -1;
}

static bool one_term(const subject *s, bool last, bool with_rest) {
    for (int64_t i = 0; i < s->n && s->n_terms; i++) {
        int64_t at = end_term(s, i, last);
        s->made[i] = (at < 0 ? 0 : s->term[i * s->n_terms + at]) + (with_rest ? s->rest[i] : 0);
    }
    return s->n_terms || as_it_is(s);
}
static bool last_term(subject *s, int way) { return way < 2 && one_term(s, true, way == 1); }
static bool first_term(subject *s, int way) { return way < 2 && one_term(s, false, way == 1); }

static bool without_term(const subject *s, bool last) {
    for (int64_t i = 0; i < s->n && s->n_terms; i++) {
        int64_t at = end_term(s, i, last);
        s->made[i] = s->right[i] - (at < 0 ? 0 : s->term[i * s->n_terms + at]);
    }
    return s->n_terms || as_it_is(s);
}
static bool first_missing(subject *s, int way) { return way < 1 && without_term(s, false); }
static bool last_missing(subject *s, int way) { return way < 1 && without_term(s, true); }

/* A running sum over all elements, or within each row; row by row, or column by column. */
static bool not_set_back(subject *s, int way) {
    tg_shape shape = shape_of(s);
    int64_t columns = shape.ndim ? shape.size[shape.ndim - 1] : 1, rows = s->n / columns;
    bool by_columns = way / 2, starts = way % 2;
    double sum = 0;
    for (int64_t k = 0; k < s->n && way < 4; k++) {
        int64_t i = by_columns ? k % rows * columns + k / rows : k;
        if (starts && k % (by_columns ? rows : columns) == 0)
            sum = 0;
        s->made[i] = sum += s->right[i];
    }
    return way < 4;
}

/* A sum that is carried on, but for what is no part of it (a bias). */
static bool terms_not_set_back(subject *s, int way) {
    double sum = 0;
    for (int64_t i = 0; i < s->n && s->n_terms; i++)
        s->made[i] = (sum += sum_of_terms(s, i) - s->rest[i]) + s->rest[i];
    return way < 1 && (s->n_terms || as_it_is(s));
}

/* As if an operand were 0, or 1, or another one. */
static bool operand_as(subject *s, int way, int what) {
    const trial *r = s->r;
    int i = way / MAX_INPUTS, other = way % MAX_INPUTS;
    if (i >= r->n_inputs)
        return false;
    bool copies = what == 2, fits = is_float(r, i) && (copies ? other < r->n_inputs && other != i : other == 0);
    if (fits && copies)
        fits = is_float(r, other) && memcmp(&r->input[i], &r->input[other], sizeof r->input[i]) == 0;
    if (!fits || (what == 0 && r->n_inputs == 1))
        return as_it_is(s);
    tg_tensor x[MAX_INPUTS];
    memcpy(x, r->x, sizeof x);
    x[i] = copies      ? tg_from_doubles(r->t, r->input[other], tg_const_data(r->x[other]))
           : what == 1 ? tg_ones(r->t, r->input[i])
                       : tg_zeros(r->t, r->input[i]);
    snprintf(note, sizeof note, copies ? "%s stands where %s belongs" : "%s is left out",
             r->op->operand[copies ? other : i], r->op->operand[i]);
    return compute_subject(s, x, &r->h, s->made) || as_it_is(s);
}
static bool operand_zero(subject *s, int way) { return operand_as(s, way, 0); }
static bool operand_one(subject *s, int way) { return operand_as(s, way, 1); }
static bool operand_other(subject *s, int way) { return operand_as(s, way, 2); }

/* The gradient of another operand of the same shape. */
static bool exchanged(subject *s, int way) {
    const trial *r = s->r;
    if (is_value(s) || way >= r->n_inputs)
        return false;
    bool fits = way != s->operand && is_float(r, way) && numel_of(r->input[way]) == s->n;
    subject other = *s;
    other.operand = way;
    snprintf(note, sizeof note, "that of %s stands where that of %s belongs", r->op->operand[way],
             r->op->operand[s->operand]);
    return !(fits && compute_subject(&other, r->x, &r->h, s->made)) ? as_it_is(s) : true;
}

static bool turned(subject *s, int way) {
    tg_shape shape = shape_of(s);
    int64_t rows = shape.ndim == 2 ? shape.size[0] : 1, columns = shape.ndim == 2 ? shape.size[1] : 1;
    for (int64_t i = 0; i < s->n && shape.ndim == 2; i++)
        s->made[i % rows * columns + i / rows] = s->right[i];
    return way < 1 && (shape.ndim == 2 || as_it_is(s));
}

/* Element i where element i + 1 belongs, or the other way round; rows likewise. */
static bool shifted(subject *s, int way) {
    tg_shape shape = shape_of(s);
    int64_t columns = shape.ndim ? shape.size[shape.ndim - 1] : 1, by = way < 2 ? 1 : columns;
    for (int64_t i = 0; i < s->n; i++)
        s->made[i] = s->right[(i + s->n + (way % 2 ? by : -by)) % s->n];
    return way < 4 && s->n > 3;
}

/* Nothing, or not a number, in the last row, the first one, the last column, the first one. */
static bool end_left_out(subject *s, int way) {
    tg_shape shape = shape_of(s);
    int64_t columns = shape.ndim ? shape.size[shape.ndim - 1] : 1, rows = s->n / columns;
    static const char *const words[] = {"the last row", "the first row", "the last column", "the first column"};
    bool of_rows = way < 2, last = way % 2 == 0;
    if (way >= 4)
        return false;
    for (int64_t i = 0; i < s->n; i++) {
        int64_t at = of_rows ? i / columns : i % columns, end = last ? (of_rows ? rows : columns) - 1 : 0;
        s->made[i] = at == end ? (is_value(s) ? NAN : 0) : s->right[i];
    }
    snprintf(note, sizeof note, "%s", words[way]);
    return (of_rows ? rows : columns) > 1 || as_it_is(s);
}

/* dy[0] in place of every element of dy. */
static bool first_dy(subject *s, int way) {
    if (is_value(s) || way > 0)
        return false;
    subject one = *s;
    const double *dy = tg_const_data(s->a.dy);
    one.a.dy = tg_mul_scalar(tg_ones(s->r->t, s->r->shape), dy[0]);
    return (outputs_of(s->r) > 1 && compute_subject(&one, s->r->x, &s->r->h, s->made)) || as_it_is(s);
}

/* |x|, or x where it is positive. */
static bool cut(subject *s, int way) {
    for (int64_t i = 0; i < s->n; i++)
        s->made[i] = way ? fmax(s->right[i], 0) : fabs(s->right[i]);
    return way < 2 && s->n > 3;
}

/* One factor for all draws: that of the first. */
static bool constant(subject *s, int way) {
    static double factor;
    if (s->is_first)
        factor = ratio_of(s->mine, s->right, s->n);
    snprintf(note, sizeof note, "%.6g times", factor);
    return way < 1 && isfinite(factor) && fabs(factor - 1) > 1e-4 && s->n > 1 && scale_by(s, factor);
}

static const char plain_words[] =
    "the page's operation: your code computes the page's formula; your own variant, which your copy of the task tells, differs";
static const struct mistake {
    bool (*make)(subject *s, int way);
    const char *words; /* name: sentence, in which %s is the note */
    bool of_gradients; /* of a value only, unless this is set: tg_gradcheck names it */
} mistakes[] = {
    {plain_operation, plain_words, true},
    {own_mistake, "%s", true},
    {operand_zero, "operand forgotten: %s: these are the numbers with 0 in its place", true},
    {operand_one, "operand forgotten: %s: these are the numbers with 1 in its place", true},
    {operand_other, "wrong operand: %s", true},
    {exchanged, "gradients exchanged: %s", true},
    {flipped, "sign flipped: -1 times the right numbers", false},
    {last_term,
     "= inside a sum: only its last term is left: each one takes the place of the one before; add with +=", true},
    {first_term, "only the first term: the others of the sum are missing", true},
    {first_missing, "first term missing: every sum lacks its first term: where does its loop begin?", true},
    {last_missing, "last term missing: every sum lacks its last term: where does its loop end?", true},
    {not_set_back, "sum not set back: it goes on from the elements before; begin at 0 for each one", true},
    {terms_not_set_back, "sum not set back: it goes on from the elements before; begin at 0 for each one", true},
    {end_left_out, "not computed to the end: %s is left out, the others are right: where do the loops begin and end?",
     true},
    {turned, "transposed: the numbers are right, and stand where those of the transpose belong", false},
    {shifted, "shifted: the numbers are right, and stand one place beside where they belong", true},
    {first_dy, "one dy for all: every element is multiplied by the first element of what arrives", true},
    {cut, "sign lost: the size is right, what should be negative is not", true},
    {twice, "twice: 2 times the right numbers", false},
    {halved, "half: half of the right numbers", false},
    {times_size, "not divided: %s times the right numbers: it is to be divided by that number", false},
    {over_size, "divided once too often: the right numbers divided by %s", false},
    {other_size, "wrong divisor: %s: these are the right numbers, divided by the wrong size", true},
    {another_variant, "another student's variant: these are its numbers", true},
    {times_root, "not divided: these are the right numbers times %s", false},
    {over_root, "divided once too often: these are the right numbers divided by %s", false},
    {constant, "constant factor: %s the right numbers", false},
};

/* ---- proof ---- */

static bool same_with_nan(const double *a, const double *b, int64_t n) {
    double x[64], y[64];
    if (n > 64)
        return same_numbers(a, b, n);
    for (int64_t i = 0; i < n; i++) {
        bool both = !isfinite(a[i]) && !isfinite(b[i]);
        x[i] = both ? 0 : a[i];
        y[i] = both ? 0 : b[i];
    }
    return same_numbers(x, y, n);
}

enum { DRAWS = 6 };
typedef struct draw {
    trial r;
    sample a;
    double *value;
    subject s;
    bool open;
} draw;

static bool open_draw(draw *d, const trial *r, int operand, uint64_t number, double before) {
    bool good = open_trial(&d->r, r->s, r->op, r->one, 200 + number);
    d->r.wanted = r->wanted;
    d->a.before = before;
    if (good && operand < 0) {
        d->value = calloc((size_t)outputs_of(&d->r) + 1, sizeof(double));
        good = d->value && student_value(&d->r, d->value, NAN);
    } else {
        good = good && take_sample(&d->r, &d->a);
    }
    return good && (d->open = open_subject(&d->s, &d->r, &d->a, operand, d->value));
}

static void close_draw(draw *d) {
    if (d->open)
        close_subject(&d->s);
    free(d->value);
    free_sample(&d->a);
    close_trial(&d->r);
}

/* 0 is what many mistakes leave. */
static bool is_nothing_beside(const double *a, const double *b, int64_t n) {
    double of_a = 0, of_b = 0;
    for (int64_t i = 0; i < n; i++) {
        of_a = fmax(of_a, fabs(a[i]));
        of_b = fmax(of_b, fabs(b[i]));
    }
    return of_a <= 1e-9 * of_b;
}

/* True when the mistake gives the student's numbers in this way, here, where they are wrong, and there. */
static bool is_proved(const struct mistake *m, int way, subject *here, draw *there) {
    bool nothing = m->make != own_mistake && is_nothing_beside(here->made, here->right, here->n);
    bool proved =
        !nothing && same_with_nan(here->mine, here->made, here->n) && !same_numbers(here->made, here->right, here->n);
    for (int k = 0; k < DRAWS && proved; k++)
        proved = m->make(&there[k].s, way) && same_with_nan(there[k].s.mine, there[k].s.made, there[k].s.n);
    return proved;
}

static bool name_by_table(subject *here, draw *there, verdict *v) {
    for (const struct mistake *m = mistakes; m < mistakes + sizeof mistakes / sizeof *mistakes; m++)
        for (int way = 0; (is_value(here) || m->of_gradients) && m->make(here, way); way++) {
            char text[400], kept[sizeof note];
            memcpy(kept, note, sizeof kept);
            if (!is_proved(m, way, here, there))
                continue;
            snprintf(text, sizeof text, m->words, kept); /* the words are those of the table */
            name_mistake(v, text);
            return true;
        }
    return false;
}

/* Where a variant stores an operand otherwise, the page's operation fits square operands alone: the second case. */
static bool name_plain_where_square(const trial *r, int operand, double before, verdict *v) {
    draw one[DRAWS];
    trial square = *r;
    bool same = true;
    int n = 0;
    memset(one, 0, sizeof one);
    square.one = &r->op->cases[1];
    for (; n < DRAWS && same; n++)
        same = open_draw(&one[n], &square, operand, (uint64_t)n, before) && variant_as(&one[n].s, 0) &&
               same_with_nan(one[n].s.mine, one[n].s.made, one[n].s.n) &&
               !same_numbers(one[n].s.made, one[n].s.right, one[n].s.n);
    for (int k = 0; k < n; k++)
        close_draw(&one[k]);
    if (same)
        name_mistake(v, plain_words);
    return same;
}

/* That does not tell what to change. */
static void tell_difference_of_variants(trial *r, const sample *a, int operand, const double *value, verdict *v) {
    char inside[300] = "";
    tell_inside(r, a, operand, value, inside, sizeof inside);
    snprintf(v->why, sizeof v->why, "these are its numbers; %s", inside);
}

bool name_numbers(const trial *r, const sample *a, int operand, const double *value, verdict *v) {
    static draw there[DRAWS];
    subject here;
    trial copy = *r;
    bool good = open_subject(&here, &copy, a, operand, value), named = false;
    memset(there, 0, sizeof there);
    here.is_first = true;
    int n = 0;
    while (n < DRAWS && good && (good = open_draw(&there[n], r, operand, (uint64_t)n, a ? a->before : 0)))
        n++;
    if (good)
        named = name_by_table(&here, there, v);
    if (good && !named && r->op->arrange && r->h.variant && r->one != &r->op->cases[1])
        named = name_plain_where_square(r, operand, a ? a->before : 0, v);
    for (int k = 0; k < DRAWS && k <= n; k++)
        close_draw(&there[k]);
    close_subject(&here);
    if (named && strcmp(v->mistake, "another student's variant") == 0)
        tell_difference_of_variants(&copy, a, operand, value, v);
    return named;
}

/* ---- the first wrong element ---- */

#define append(text, ...) snprintf((text) + strlen(text), sizeof(text) - strlen(text), __VA_ARGS__)

/* "= 0.3 + 0.2 - 0.1 (+ 2 more)" */
static void tell_terms(const subject *s, int64_t i, char *out, size_t size) {
    const double *term = s->term + i * s->n_terms;
    int told = 0, more = 0;
    char text[200] = "";
    for (int64_t k = 0; k < s->n_terms; k++) {
        if (term[k] == 0)
            continue;
        if (told < 4)
            append(text, "%s%.4g", told ? " + " : "", term[k]);
        more += told >= 4;
        told += told < 4;
    }
    if (s->rest[i] != 0)
        append(text, "%s%.4g", told++ ? " + " : "", s->rest[i]);
    if (more)
        append(text, " + %d more", more);
    if (told > 1)
        snprintf(out, size, " = %s", text);
}

/* Says which one of the terms is missing, counted twice, or has the wrong sign. */
static void tell_difference(const subject *s, int64_t i, char *out, size_t size) {
    const double *term = s->term + i * s->n_terms;
    double off = s->mine[i] - s->right[i], unit = fabs(s->mine[i]) + fabs(s->right[i]);
    static const struct {
        double by;
        const char *words;
    } ways[] = {{-1, "is missing"}, {1, "counts twice"}, {-2, "has the wrong sign"}};
    for (int w = 0; w < 3; w++)
        for (int64_t k = 0; k < s->n_terms; k++)
            if (fabs(term[k]) > 1e-3 * unit && fabs(off - ways[w].by * term[k]) <= 1e-7 * unit) {
                snprintf(out, size, "; in yours %.4g %s", term[k], ways[w].words);
                return;
            }
}

/* What a value without known terms is computed from, where that is little: ", for X = 0.1 0.2 0.3" */
static void tell_inputs(const subject *s, int64_t i, char *out, size_t size) {
    const trial *r = s->r;
    int64_t all = numel_of(r->input[0]), rows = r->input[0].ndim == 2 ? r->input[0].size[0] : 1;
    bool by_rows = rows == s->n;
    int64_t count = by_rows ? all / rows : all, from = by_rows ? i * count : 0;
    const double *x = is_float(r, 0) && count <= 6 ? tg_const_data(r->x[0]) : NULL;
    char text[120] = "";
    for (int64_t k = 0; x && k < count; k++)
        append(text, " %.4g", x[from + k]);
    if (x)
        snprintf(out, size, ", for %s =%s", r->op->operand[0], text);
}

void tell_element(const trial *r, const sample *a, int operand, const double *value, verdict *v) {
    subject s;
    trial copy = *r;
    char place[64], sum[240] = "", off[80] = "", is[400];
    if (!open_subject(&s, &copy, a, operand, value))
        return;
    int64_t i = first_difference(s.mine, s.right, s.n);
    i = i < 0 ? 0 : i;
    place_text(shape_of(&s), i, place, sizeof place);
    at_element(v, s.mine[i], s.right[i], "%s%s%s", operand < 0 ? "" : "d",
               operand < 0 ? r->op->result : r->op->operand[operand], place);
    if (operand < 0 && !s.n_terms)
        tell_inputs(&s, i, sum, sizeof sum);
    if (s.n_terms) {
        tell_terms(&s, i, sum, sizeof sum);
        if (isfinite(s.mine[i]))
            tell_difference(&s, i, off, sizeof off);
    }
    memcpy(is, v->element, sizeof is);
    snprintf(v->element, sizeof v->element, "%.200s%.120s%.79s", is, sum, off);
    close_subject(&s);
}
