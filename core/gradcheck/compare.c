/* Analytic against numeric: every element, or a few directions. */
#include "core/gradcheck/check.h"

/* ---- rows of the result ---- */

enum { ROWS_OF_LEAF = 4 };

/* The worst elements of a leaf. */
typedef struct worst {
    int n;
    tg_gradcheck_row row[ROWS_OF_LEAF];
} worst;

static bool is_worse(const tg_gradcheck_row *a, const tg_gradcheck_row *b) {
    return a->verdict != b->verdict ? a->verdict > b->verdict : a->relative > b->relative;
}

static void keep_worst(worst *w, const tg_gradcheck_row *row) {
    int at = w->n;
    while (at > 0 && is_worse(row, &w->row[at - 1]))
        at--;
    if (at == ROWS_OF_LEAF)
        return;
    if (w->n < ROWS_OF_LEAF)
        w->n++;
    memmove(&w->row[at + 1], &w->row[at], sizeof *row * (size_t)(w->n - 1 - at));
    w->row[at] = *row;
}

/* Rows of bad leaves go before the others; the last ones fall off. */
static void add_row(tg_gradcheck_result *r, const tg_gradcheck_row *row, bool bad) {
    int at = bad ? 0 : r->n_rows;
    while (at < r->n_rows && tg_is_bad(r->row[at].verdict))
        at++;
    if (at == TG_GRADCHECK_ROWS)
        return;
    if (r->n_rows < TG_GRADCHECK_ROWS)
        r->n_rows++;
    memmove(&r->row[at + 1], &r->row[at], sizeof *row * (size_t)(r->n_rows - 1 - at));
    r->row[at] = *row;
}

/* Does an element of the leaf come into y in several places? The operand may be a view of a part of it. */
static bool comes_often(const tg_checker *c, const tg_node *leaf) {
    int uses = 0;
    for (int k = 0; k < c->y->n_in; k++) {
        const tg_node *x = c->y->in[k];
        if (x && x->base == leaf && (uses++ || x->numel < c->y->numel))
            return true;
    }
    return false;
}

/* Outside the two sides of a kink, but perhaps because several meet: then nothing is known. One operation alone has
 * several when many elements move. */
static void pardon_kink(tg_checker *c, tg_outcome *o, bool several) {
    if ((c->alone && !several) || !o->at_kink || o->verdict != TG_GRAD_WRONG)
        return;
    o->verdict = TG_GRAD_KINK;
    c->undecided++;
}

/* Of one element several meet where an operation alone broadcasts it or has it as two operands, or where a custom one
 * mixes it with others: the middle of three equal numbers stays when any of them moves, and its gradient is 1 for one.
 */
static void pardon_element(tg_checker *c, const tg_check_leaf *leaf, const tg_line *line, tg_outcome *o) {
    bool asks = c->alone && o->at_kink && o->verdict == TG_GRAD_WRONG;
    pardon_kink(c, o, asks && (comes_often(c, leaf->x) || (c->has_custom && tg_others_have_a_say(c, leaf, line))));
}

static void count(tg_gradcheck_result *r, tg_grad_verdict v) {
    r->compared++;
    r->wrong += v == TG_GRAD_WRONG;
    r->cannot_tell += v == TG_GRAD_CANNOT_TELL;
    r->kinks += v == TG_GRAD_KINK;
    if (v > r->verdict)
        r->verdict = v;
}

/* Derivatives of a scalar y are given for y itself; the cotangent is divided out. */
static double unit(const tg_checker *c) { return c->y->numel == 1 ? 1 / c->cotangent[0] : 1; }

/* A difference of nothing, and a gradient that is no more than rounding, say nothing of each other. */
static bool is_rounding(const tg_line *line, double analytic, const tg_outcome *o) {
    if (o->verdict != TG_GRAD_RIGHT)
        return false;
    double nothing = fmax(line->floor, o->error);
    return fabs(o->numeric) <= nothing && fabs(analytic) <= fmax(nothing, line->own);
}

/* line: of what is right. */
static void fill_row(const tg_checker *c, tg_gradcheck_row *row, const tg_line *line, double analytic,
                     const tg_outcome *o, double largest) {
    double u = unit(c), size = fmax(fmax(fabs(analytic), fabs(o->numeric)), 1e-3 * largest);
    row->analytic = analytic * u;
    row->numeric = o->numeric * u;
    row->error = o->error * fabs(u);
    row->verdict = o->verdict;
    row->reason = o->verdict == TG_GRAD_CANNOT_TELL ? o->reason : NULL;
    row->relative = size > 0 && !is_rounding(line, analytic, o) ? fabs(analytic - o->numeric) / size : 0;
}

void tg_gradcheck_name_leaf(const tg_node *x, char *out, size_t size) {
    if (x->extra && x->extra->name)
        tg_copy_text(out, size, x->extra->name);
    else
        snprintf(out, size, "tensor %u", x->index);
}

static tg_gradcheck_row leaf_row(const tg_check_leaf *leaf) {
    const tg_node *x = leaf->x;
    tg_gradcheck_row row = {.tensor = x->index, .shape = tg_shape_from(x)};
    tg_gradcheck_name_leaf(x, row.leaf, sizeof row.leaf);
    return row;
}

void tg_add_wrong(const tg_checker *c, const tg_check_leaf *leaf, int64_t element, double analytic, const tg_outcome *o,
                  tg_gradcheck_result *r) {
    tg_gradcheck_row row = leaf_row(leaf);
    row.element = element;
    row.elements = leaf->x->numel;
    row.wrong = 1;
    fill_row(c, &row, NULL, analytic, o, leaf->largest);
    count(r, TG_GRAD_WRONG);
    add_row(r, &row, true);
}

/* ---- every element ---- */

static tg_line element_line(const tg_checker *c, const tg_check_leaf *leaf, int64_t j) {
    double x = ((const double *)leaf->x->data)[j], size = fabs(x);
    return (tg_line){.x = leaf->x,
                     .at = j,
                     .start = x,
                     .size = size,
                     .widest = fmax(size, leaf->scale),
                     .floor = tg_checker_floor(c, leaf->largest, leaf->scale),
                     .own = tg_checker_own(c, leaf->largest, 1),
                     .unseen = tg_checker_unseen(c, leaf->scale)};
}

static void report_progress(const tg_checker *c, int64_t done, int64_t total) {
    if (c->config->progress)
        c->config->progress(done, total, c->config->context);
}

static void finish_leaf(tg_checker *c, tg_check_leaf *leaf, worst *w, int64_t wrong, tg_gradcheck_result *r) {
    bool bad = w->n && tg_is_bad(w->row[0].verdict);
    for (int i = 0; i < w->n && (bad || i == 0); i++) {
        tg_gradcheck_row *row = &w->row[i];
        double analytic = leaf->analytic[row->element];
        if (row->verdict == TG_GRAD_RIGHT) {
            tg_line line = element_line(c, leaf, row->element);
            tg_outcome o = tg_measure_line(c, &line, analytic);
            if (o.verdict == TG_GRAD_RIGHT)
                fill_row(c, row, &line, analytic, &o, leaf->largest);
        }
        row->elements = leaf->x->numel;
        row->wrong = wrong;
        add_row(r, row, bad);
    }
}

/* Beyond so many wrong elements in a leaf the others are judged by their first difference alone. */
enum { EXAMINED_WRONG = 10 };

static void check_elements(tg_checker *c, tg_check_leaf *leaf, int64_t *done, int64_t total, tg_gradcheck_result *r) {
    worst w = {0};
    int64_t wrong = 0;
    tg_gradcheck_row row = leaf_row(leaf);
    tg_move_leaf(c, leaf);
    for (row.element = 0; row.element < leaf->x->numel && !c->t->status; row.element++) {
        double analytic = leaf->analytic[row.element];
        tg_line line = element_line(c, leaf, row.element);
        line.quickly = wrong >= EXAMINED_WRONG;
        tg_outcome o = tg_check_line(c, &line, analytic);
        pardon_element(c, leaf, &line, &o);
        fill_row(c, &row, &line, analytic, &o, leaf->largest);
        wrong += o.verdict == TG_GRAD_WRONG;
        count(r, o.verdict);
        keep_worst(&w, &row);
        report_progress(c, ++*done, total);
    }
    finish_leaf(c, leaf, &w, wrong, r);
    tg_checker_restore(c);
}

static int64_t count_elements(const tg_checker *c) {
    int64_t n = 0;
    for (int i = 0; i < c->n_leaves; i++)
        n += c->leaf[i].x->numel;
    return n;
}

tg_status tg_check_every_element(tg_checker *c, tg_gradcheck_result *r) {
    int64_t done = 0, total = count_elements(c);
    for (int i = 0; i < c->n_leaves; i++)
        check_elements(c, &c->leaf[i], &done, total, r);
    return c->t->status;
}

/* ---- along random directions ---- */

static double norm(const tg_check_leaf *leaf) {
    double squares = 0;
    for (int64_t j = 0; j < leaf->x->numel; j++)
        squares += leaf->analytic[j] * leaf->analytic[j];
    return sqrt(squares);
}

/* Draw the leaf's part of a direction, each element's by its own size; returns what it contributes to the derivative.
 */
static double draw(tg_checker *c, const tg_check_leaf *leaf, const tg_moved *m, double size) {
    double sum = 0;
    for (int64_t j = 0; j < m->x->numel; j++) {
        double own = fabs(m->start[j]);
        double by = size * (own > 0 ? own : leaf->scale) * tg_checker_random(c);
        m->direction[j] = isfinite(own) ? by : 0; /* what is infinite (a mask) cannot move */
        sum += leaf->analytic[j] * m->direction[j];
    }
    return sum;
}

static double length(const tg_moved *m) {
    double sum = 0;
    for (int64_t j = 0; j < m->x->numel; j++)
        sum += fabs(m->direction[j]);
    return sum;
}

/* Relative to its values a leaf moves the less the more it changes y, so that each has its share in the
 * derivative and none hides the others; at most by a factor of a thousand. */
static double share(const tg_checker *c, const tg_check_leaf *leaf) {
    double least = INFINITY, mine = leaf->scale * norm(leaf);
    for (int i = 0; i < c->n_leaves; i++) {
        double theirs = c->leaf[i].scale * norm(&c->leaf[i]);
        if (theirs > 0)
            least = fmin(least, theirs);
    }
    return mine > 0 ? fmax(least / mine, 1e-3) : 1;
}

/* Is one element of many wrong? Searched for, and looked at with care. */
static bool find_one_wrong(tg_checker *c, tg_check_leaf *leaf, bool quickly, tg_gradcheck_result *r) {
    int64_t element = tg_search_leaf(c, leaf);
    if (element < 0)
        return false;
    double analytic = leaf->analytic[element];
    tg_line line = element_line(c, leaf, element);
    line.quickly = quickly;
    tg_move_leaf(c, leaf);
    tg_outcome o = tg_check_line(c, &line, analytic);
    pardon_element(c, leaf, &line, &o);
    tg_checker_restore(c);
    if (o.verdict != TG_GRAD_WRONG)
        return false;
    tg_add_wrong(c, leaf, element, analytic, &o, r);
    return true;
}

/* Returns whether it differs by more than its error bar, though it may agree: one element of a million may be wrong. */
static bool check_direction(tg_checker *c, const tg_moved *moved, const double *size, int64_t number,
                            tg_gradcheck_result *r) {
    double analytic = 0, contributions = 0, moved_by = 0;
    for (int i = 0; i < c->n_leaves; i++) {
        double part = draw(c, &c->leaf[i], &moved[i], size[i]);
        analytic += part;
        contributions += isfinite(part) ? fabs(part) : 0;
        moved_by += length(&moved[i]);
    }
    tg_line line = {.n = c->n_leaves,
                    .moved = moved,
                    .size = 1,
                    .widest = 1,
                    .floor = tg_checker_floor(c, contributions, 1),
                    .own = tg_checker_own(c, contributions, moved_by),
                    .unseen = tg_checker_unseen(c, 1),
                    .huge = count_elements(c) > TG_HUGE,
                    .quickly = r->wrong > 0};
    tg_outcome o = tg_check_line(c, &line, analytic);
    pardon_kink(c, &o, true);
    tg_gradcheck_row row = {.element = number, .elements = 1, .wrong = o.verdict == TG_GRAD_WRONG};
    fill_row(c, &row, &line, analytic, &o, contributions);
    count(r, o.verdict);
    add_row(r, &row, tg_is_bad(o.verdict));
    return fabs(analytic - o.numeric) > 1e-9 * contributions + 10 * o.error;
}

static void check_leaf_direction(tg_checker *c, tg_check_leaf *leaf, const tg_moved *m, tg_gradcheck_result *r) {
    bool huge = leaf->x->numel > TG_HUGE;
    if (huge && c->confirming && find_one_wrong(c, leaf, true, r)) /* all of them at once may take a hundred runs */
        return;
    double analytic = draw(c, leaf, m, 1);
    tg_line line = {.n = 1,
                    .moved = m,
                    .size = 1,
                    .widest = 1,
                    .floor = tg_checker_floor(c, leaf->largest * leaf->scale, 1),
                    .own = tg_checker_own(c, leaf->largest * leaf->scale, length(m)),
                    .unseen = tg_checker_unseen(c, 1),
                    .huge = huge,
                    .quickly = r->wrong > 0 || (huge && c->confirming)};
    tg_move_leaf(c, leaf);
    tg_outcome o = tg_check_line(c, &line, analytic);
    tg_checker_restore(c);
    pardon_kink(c, &o, leaf->x->numel > 1);
    tg_gradcheck_row row = leaf_row(leaf);
    row.element = -1;
    row.elements = leaf->x->numel;
    fill_row(c, &row, &line, analytic, &o, fabs(analytic));
    count(r, o.verdict);
    add_row(r, &row, tg_is_bad(o.verdict));
}

tg_status tg_check_leaf_directions(tg_checker *c, tg_gradcheck_result *r) {
    const tg_moved *moved = tg_open_moved(c);
    if (!moved)
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++)
        if (c->leaf[i].x->numel)
            check_leaf_direction(c, &c->leaf[i], &moved[i], r);
    return c->t->status;
}

static const tg_gradcheck_row *find_wrong(const tg_gradcheck_result *r) {
    for (int i = 0; i < r->n_rows; i++)
        if (r->row[i].verdict == TG_GRAD_WRONG)
            return &r->row[i];
    return NULL;
}

/* A wrong direction of all leaves is one of the only leaf. */
static void blame_only_leaf(const tg_checker *c, const tg_gradcheck_row *wrong, tg_gradcheck_result *r) {
    tg_gradcheck_row row = leaf_row(&c->leaf[0]);
    row.element = -1;
    row.elements = c->leaf[0].x->numel;
    row.analytic = wrong->analytic;
    row.numeric = wrong->numeric;
    row.error = wrong->error;
    row.relative = wrong->relative;
    row.verdict = TG_GRAD_WRONG;
    count(r, TG_GRAD_WRONG);
    add_row(r, &row, true);
}

/* All leaves at once; when that fails, each alone to say which. */
tg_status tg_check_directions(tg_checker *c, tg_gradcheck_result *r) {
    const tg_moved *moved = tg_open_moved(c);
    double *size = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *size);
    if (!moved || !size)
        return c->t->status;
    for (int i = 0; i < c->n_leaves; i++)
        size[i] = share(c, &c->leaf[i]);
    tg_move_all_leaves(c);
    bool differs = false;
    for (int64_t k = 0; k < c->config->directions && !c->t->status; k++) {
        if (!r->wrong || count_elements(c) <= TG_HUGE) /* each takes a while, and one that is wrong is enough */
            differs |= check_direction(c, moved, size, k + 1, r);
        report_progress(c, k + 1, c->config->directions);
    }
    tg_checker_restore(c);
    for (int i = 0; i < c->n_leaves && differs && r->verdict == TG_GRAD_RIGHT && !c->t->status; i++)
        if (find_one_wrong(c, &c->leaf[i], false, r))
            return c->t->status;
    if (c->t->status || !tg_is_bad(r->verdict))
        return c->t->status;
    const tg_gradcheck_row *wrong = c->n_leaves == 1 ? find_wrong(r) : NULL;
    if (!wrong)
        return tg_check_leaf_directions(c, r);
    blame_only_leaf(c, wrong, r);
    return TG_OK;
}

/* ---- where branches are not known ---- */

void tg_withdraw(tg_gradcheck_result *r, const char *reason) {
    r->cannot_tell += r->wrong;
    r->wrong = 0;
    r->verdict = TG_GRAD_CANNOT_TELL;
    for (int i = 0; i < r->n_rows; i++) {
        tg_gradcheck_row *row = &r->row[i];
        row->wrong = 0;
        if (row->verdict != TG_GRAD_WRONG)
            continue;
        row->verdict = TG_GRAD_CANNOT_TELL;
        row->reason = reason;
    }
}

static void forget_where(tg_gradcheck_result *r) {
    r->op[0] = r->shapes[0] = r->diagnosis[0] = 0;
    r->tensor = 0;
    r->operand = 0;
    r->mistake = TG_MISTAKE_NONE;
}

tg_status tg_confirm_aside(tg_checker *c, tg_comparison *compare, tg_gradcheck_result *r) {
    if (r->verdict != TG_GRAD_WRONG || !c->has_hidden || (c->alone && tg_is_smooth(c, r)))
        return c->t->status;
    tg_gradcheck_result aside = {.verdict = TG_GRAD_RIGHT};
    if (tg_checker_step_aside(c) == TG_ERR_NUMERIC)
        tg_clear_error(c->t);
    else if (!c->t->status) {
        c->confirming = true;
        compare(c, &aside);
        c->confirming = false;
    }
    if (!c->t->status && aside.verdict != TG_GRAD_WRONG) {
        tg_withdraw(r, tg_unknown_kink);
        forget_where(r);
    }
    return c->t->status;
}
