/* What a wrong gradient is compared with: columns J[j][k] = dy[j]/dx[k] of the operation's Jacobian, by differences,
 * for all elements k of a small operand and a sample of a large one. The right gradient is sum_j J[j][k] dy[j], to
 * within an error that is known. */
#include "core/gradcheck/check.h"

enum { LEAST = 4, SAMPLES = 512, WHOLE = 1024 };
static const double most_numbers = 1 << 21; /* of the Jacobian */

/* ---- one column ---- */

/* Central differences of steps h and 2 h, extrapolated; false at a kink. *size: sum |J dy|. *error: of sum J dy, from
 * what the two steps differ by, and from the rounding of those elements of y that some step so far has moved. */
static bool take_column(tg_evidence *e, int64_t at, double h, double *column, double *size, double *error) {
    tg_checker *c = &e->s->c;
    const int side[] = {-2, -1, 1, 2};
    bool good = true;
    double apart = 0, rounding = 0;
    *size = 0;
    memset(column, 0, (size_t)c->y->numel * sizeof *column);
    memset(e->wide, 0, (size_t)c->y->numel * sizeof *e->wide);
    for (int i = 0; i < 4; i++) {
        double by, *into = i % 3 ? column : e->wide;
        memcpy(c->low, c->at_base, (size_t)c->y->numel * sizeof *c->low); /* what stays where a callback refuses */
        (void)tg_step(c, at, side[i] * h, &by);
        good &= tg_checker_branches(c) == e->branches;
        for (int64_t j = 0; j < c->y->numel; j++)
            if (c->low[j] != c->at_base[j]) {
                into[j] += (c->low[j] - c->at_base[j]) / by / 2;
                e->reached[j] = true;
            }
    }
    for (int64_t j = 0; j < c->y->numel; j++) {
        double v = fabs(c->cotangent[j]);
        if (v == 0)
            continue;
        good &= isfinite(column[j]) && isfinite(e->wide[j]);
        apart += v * fabs(column[j] - e->wide[j]);
        *size += v * fabs(column[j]);
        rounding += e->reached[j] ? 4 * v * c->unit * fabs(c->at_base[j]) / h : 0;
        column[j] += (column[j] - e->wide[j]) / 3;
    }
    *error = apart / 1024 + rounding;
    return good;
}

/* By the step with the least error: narrow where the operation bends, wide where rounding hides what moves. */
static bool find_column(tg_evidence *e, int64_t k, double *column, double *error) {
    tg_checker *c = &e->s->c;
    const tg_node *x = e->x;
    const tg_check_leaf *leaf = tg_suspect_leaf(e->s, x);
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->stride);
    tg_walk_seek(&w, k);
    ptrdiff_t begins = ((const char *)x->data - (const char *)leaf->x->data) / (ptrdiff_t)tg_dtype_size(c->t->dtype);
    int64_t at = leaf->first + begins + w.offset;
    double least = INFINITY, best = 0, unit = ldexp(1, ilogb(tg_size_of(c, at))), size;
    tg_return(c);
    e->branches = tg_checker_branches(c);
    memset(e->reached, 0, (size_t)c->y->numel * sizeof *e->reached);
    for (int power = 3; power >= -12; power -= 5)
        if (take_column(e, at, ldexp(unit, power), column, &size, error) && *error < least) {
            least = *error;
            best = ldexp(unit, power);
        }
    bool good = best > 0 && take_column(e, at, best, column, &size, error);
    tg_clear_path(c);
    tg_return(c);
    return good;
}

/* ---- which elements ---- */

/* All elements, or some; one that is wrong, and the last. */
static bool choose_elements(tg_evidence *e) {
    const tg_checker *c = &e->s->c;
    const tg_check_leaf *leaf = tg_suspect_leaf(e->s, e->x);
    int64_t total = e->x->numel, wrong = -1;
    double affordable = fmax(LEAST, floor(most_numbers / (double)c->y->numel));
    double most = fmin(total <= WHOLE ? (double)total : SAMPLES, affordable);
    int64_t step = (int64_t)ceil((double)total / most) | 1; /* odd, not to stay in one column */
    for (int i = 0; i < c->n_found && leaf->x == e->x; i++)
        wrong = tg_leaf_at(c, c->found[i]) == leaf ? c->found[i] - leaf->first : wrong;
    e->at = tg_checker_memory(&e->s->c, (size_t)(total / step) + 3, sizeof *e->at);
    for (int64_t k = 0; k < total && e->at; k++)
        if (k % step == 0 || k == wrong || k == total - 1)
            e->at[e->n++] = k;
    return e->at;
}

/* ---- all of it ---- */

static bool allocate(tg_evidence *e) {
    int64_t n = e->n, numel = e->s->c.y->numel;
    double **all[] = {&e->wrong, &e->right, &e->size, &e->error, &e->candidate, &e->wide, &e->jacobian};
    double *numbers = tg_checker_memory(&e->s->c, (size_t)(n * (5 + numel) + numel), sizeof *numbers);
    for (int i = 0; i < 7; i++)
        *all[i] = numbers + (numbers ? i < 6 ? i * n : 5 * n + numel : 0);
    e->reached = tg_checker_memory(&e->s->c, (size_t)numel, sizeof(bool));
    e->dead = tg_checker_memory(&e->s->c, (size_t)n, sizeof(bool));
    return numbers && e->reached && e->dead;
}

static void use_column(tg_evidence *e, int64_t i) {
    const double *column = tg_column(e, i), *dy = e->s->c.cotangent;
    e->dead[i] = true;
    e->right[i] = e->size[i] = 0;
    for (int64_t j = 0; j < e->s->c.y->numel; j++) {
        e->dead[i] &= !e->reached[j]; /* an even function at 0 has no slope, and is not dead */
        if (column[j] == 0)
            continue;
        e->right[i] += column[j] * dy[j];
        e->size[i] += fabs(column[j] * dy[j]);
        e->is_diagonal &= j == e->at[i];
    }
}

/* e->factor, which takes the right gradient nearest to the wrong one, and how many elements are wrong. */
static void compare(tg_evidence *e) {
    double products = 0, squares = 0;
    for (int64_t i = 0; i < e->n; i++) {
        double unit = tg_unit_at(e, i) + 1e5 * e->error[i], right = unit > 0 ? e->right[i] / unit : 0;
        products += right != 0 ? e->wrong[i] / unit * right : 0;
        squares += right * right;
        e->n_wrong += tg_apart(e, i, e->right[i]) > 1e-7;
    }
    e->factor = squares > 0 ? products / squares : 1;
}

bool tg_collect_evidence(tg_evidence *e, tg_suspect *s, int operand) {
    const tg_node *x = s->x[operand], *y = s->c.y;
    *e = (tg_evidence){.s = s, .x = x, .whole = tg_checker_memory(&s->c, (size_t)x->numel, sizeof *e->whole)};
    tg_return(&s->c);
    if (!e->whole || !choose_elements(e) || !allocate(e))
        return false;
    tg_copy_out(x, tg_suspect_leaf(s, x)->analytic + x->window.offset, x->window.stride, e->whole);
    int64_t kept = 0;
    e->same_size = e->is_diagonal = y->numel == x->numel;
    for (int64_t i = 0; i < e->n; i++) {
        int64_t k = e->at[kept] = e->at[i];
        if (!find_column(e, k, e->jacobian + kept * y->numel, &e->error[kept]))
            continue;
        use_column(e, kept);
        e->largest = fmax(e->largest, e->size[kept]);
        e->wrong[kept++] = e->whole[k];
    }
    e->at_kinks = kept < e->n;
    e->n = kept;
    compare(e);
    return kept > 0 && !s->c.t->status;
}
