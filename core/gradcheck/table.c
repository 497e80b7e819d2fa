/* What a reader sees: for each element backward's gradient, and the central difference of f by float64. */
#include "core/gradcheck/check.h"

#include <stdlib.h>

void tg_gradcheck_name_leaf(const tg_node *x, char *out, size_t size) {
    if (x->extra && x->extra->name)
        tg_copy_name(out, size, x->extra->name);
    else
        snprintf(out, size, "tensor %u", x->index);
}

/* ---- differences ---- */

typedef struct difference {
    double central, left, right, bar; /* bar: of central, rounding and all */
    double wider;                     /* |right - left| of the step of twice the width */
} difference;

enum { ALL = -1 }; /* all that moves on the path, by its direction; else an element */

static double f_at(tg_checker *c, int64_t k, double h, double *by) {
    *by = h;
    return k == ALL ? tg_evaluate(c, h).f : tg_step(c, k, h, by);
}

/* The bar: what the step of twice the width differs by (three times the error of this one, where that is h^2), and f's
 * rounding over the step: that of y's last bits or, where f does not move at every step, that of numbers on the tape.
 */
static difference differ(tg_checker *c, int64_t k, double h) {
    double up, down, up2, down2, f_up = f_at(c, k, h, &up), f_down = f_at(c, k, -h, &down);
    double f_up2 = f_at(c, k, 2 * h, &up2), f_down2 = f_at(c, k, -2 * h, &down2);
    difference d = {.central = (f_up - f_down) / (up - down), .left = f_down / down, .right = f_up / up};
    bool moves = f_up != 0 && f_down != 0 && f_up2 != f_up && f_down2 != f_down;
    double rounding = 4 * (moves ? c->unit * c->size : fmax(c->unit * c->size, c->rounding)) / h;
    d.bar = fabs((f_up2 - f_down2) / (up2 - down2) - d.central) + rounding;
    d.wider = fabs(f_up2 / up2 - f_down2 / down2);
    return d;
}

/* ---- rows ---- */

/* The one-sided differences are apart by more than four bars, and by no more at twice the step, as a curve's are. */
static bool is_corner(const difference *d) {
    double apart = fabs(d->right - d->left);
    return apart > 1e-3 * fmax(fabs(d->left), fabs(d->right)) + 4 * d->bar && d->wider < 1.5 * apart;
}

/* told: paths agree; else neither they nor this difference can say that the element is right. */
static void mark(const tg_checker *c, tg_gradcheck_row *row, const difference *d, bool wrong, bool told) {
    const tg_gradcheck_config *config = c->config;
    bool agrees = fabs(row->analytic - row->numeric) <= config->atol + config->rtol * fabs(row->numeric) + row->error;
    row->verdict = wrong ? TG_GRAD_WRONG : TG_GRAD_RIGHT;
    if (is_corner(d) && !wrong) {
        row->verdict = TG_GRAD_KINK;
        row->reason = "a kink: the one-sided differences are not the same";
    } else if (row->error > 1e-3 * fmax(fabs(row->numeric), fabs(row->analytic)) + config->atol) {
        row->reason = "the difference is too uncertain: see its bar";
    } else if (agrees && wrong) {
        row->reason = "wrong where paths lead, though not by this difference";
    } else if (!agrees && !wrong) {
        row->verdict = told ? TG_GRAD_RIGHT : TG_GRAD_CANNOT_TELL;
        row->reason =
            told ? "paths agree, this difference does not" : "paths cannot tell, this difference does not agree";
    }
}

/* The slope by element k, or of ALL, that backward has, beside the difference. */
static tg_gradcheck_row compare(tg_checker *c, int64_t k, double h, double slope, difference *d) {
    double least = k == ALL ? 0 : 1e-3 * tg_leaf_at(c, k)->largest;
    *d = differ(c, k, h);
    tg_gradcheck_row row = {
        .analytic = slope, .numeric = d->central, .error = d->bar, .left = d->left, .right = d->right};
    double size = fmax(fmax(fabs(slope), fabs(row.numeric)), least);
    row.relative = size > 0 ? fabs(slope - row.numeric) / size : 0;
    return row;
}

/* The worst relative error is of what kinks and the differences' own error do not explain. Wrong rows go first. */
static void add_row(tg_gradcheck_result *r, const tg_gradcheck_row *row) {
    int at = r->n_rows;
    if (row->verdict != TG_GRAD_KINK && fabs(row->analytic - row->numeric) > row->error)
        r->worst = fmax(r->worst, row->relative);
    while (at > 0 && row->verdict > r->row[at - 1].verdict)
        at--;
    if (at == TG_GRADCHECK_ROWS)
        return;
    r->n_rows += r->n_rows < TG_GRADCHECK_ROWS;
    memmove(&r->row[at + 1], &r->row[at], sizeof *row * (size_t)(r->n_rows - 1 - at));
    r->row[at] = *row;
}

static void add_element(tg_checker *c, const tg_checker *analytic, int64_t k, int64_t of, int64_t wrong,
                        tg_gradcheck_result *r) {
    const tg_check_leaf *leaf = tg_leaf_at(c, k);
    difference d;
    if (!isfinite(c->start[k]))
        return;
    tg_gradcheck_row row = compare(c, k, c->config->eps, analytic->analytic[k], &d);
    row.tensor = leaf->x->index;
    row.element = k - leaf->first;
    row.shape = tg_shape_from(leaf->x);
    row.elements = of;
    row.wrong = wrong;
    tg_gradcheck_name_leaf(leaf->x, row.leaf, sizeof row.leaf);
    mark(c, &row, &d, tg_is_found(c, k), r->verdict != TG_GRAD_CANNOT_TELL);
    add_row(r, &row);
}

/* ---- which elements ---- */

enum { WHOLE = 64, DRAWN = 4 };

/* All of a small leaf; of a large one those found wrong, and some at random. */
static void add_leaf(tg_checker *c, const tg_checker *analytic, const tg_check_leaf *leaf, tg_gradcheck_result *r) {
    int64_t n = leaf->x->numel, wrong = 0;
    bool whole = n <= WHOLE;
    for (int i = 0; i < c->n_found; i++)
        wrong += tg_leaf_at(c, c->found[i]) == leaf;
    int64_t looked_at = whole ? n : DRAWN + wrong;
    for (int64_t i = 0; i < (whole ? n : DRAWN); i++)
        add_element(c, analytic, leaf->first + (whole ? i : (int64_t)(tg_rng_double(&c->rng) * (double)n)), looked_at,
                    wrong, r);
    for (int i = 0; i < c->n_found && !whole; i++)
        if (tg_leaf_at(c, c->found[i]) == leaf)
            add_element(c, analytic, c->found[i], looked_at, wrong, r);
}

static void add_direction(tg_checker *c, const tg_checker *analytic, tg_gradcheck_result *r) {
    double slope = 0;
    difference d;
    tg_move_all(c, 1, false);
    for (int64_t i = 0; i < c->n_moving; i++)
        slope += analytic->analytic[c->moving[i]] * c->direction[i];
    tg_gradcheck_row row = compare(c, ALL, fmax(c->config->eps, 1e-9), slope, &d);
    row.element = r->n_rows;
    row.elements = 1;
    row.verdict = r->verdict;
    add_row(r, &row);
}

tg_status tg_make_table(tg_checker *c, const tg_checker *analytic, tg_gradcheck_result *r) {
    r->n_rows = 0;
    r->worst = 0;
    bool fast = c->config->mode == TG_GRADCHECK_FAST;
    for (int k = 0; fast && k < c->config->directions && k < TG_GRADCHECK_ROWS && !c->t->status; k++)
        add_direction(c, analytic, r);
    for (int i = 0; i < c->n_leaves && !c->t->status; i++)
        if (c->n_found || (!fast && r->n_rows < TG_GRADCHECK_ROWS))
            add_leaf(c, analytic, &c->leaf[i], r);
    tg_return(c);
    return c->t->status;
}

/* ---- as a tensor ---- */

tg_status tg_numeric_gradient_on(tg_tape *t, tg_node *y, tg_node *x, double eps, double *out) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_checker c = {.alone = true, .forward_only = true};
    double up, down;
    for (uint32_t i = 0; i <= y->index; i++) /* x alone moves */
        if (!t->nodes[i]->op)
            t->nodes[i]->requires_grad = t->nodes[i] == x;
    memset(out, 0, (size_t)x->numel * sizeof *out);
    if (tg_checker_open(&c, t, y, &config) || !c.total) /* y need not depend on x */
        return t->status;
    for (int64_t j = 0; j < x->numel; j++) {
        double f_up = tg_step(&c, j, eps, &up), f_down = tg_step(&c, j, -eps, &down);
        out[j] = (f_up - f_down) / (up - down) / c.cotangent[0];
    }
    return t->status;
}
