/* Which paths are judged.
 *
 * FAST: all elements at once, a few times; the last path keeps equal elements equal, since what an operation shares out
 * among ties has to add up.
 *
 * FULL: elements of like contribution |g x| (of like |x| where g is 0) together, 16 times apart at most, so that none
 * hides below the rounding of larger ones; each class along two paths, then all along one and along one that keeps
 * ties. A class that is wrong is halved until the elements are known; so is one that cannot be told because one
 * element's path leaves a domain, or jumps. */
#include "core/gradcheck/check.h"

enum { PATHS = 2, TAKEN_APART = 32, CONFIRMATIONS = 4 };
static const double REACH = 0.5; /* of an element's size; random numbers are in +-[0.5, 1.5] */

/* ---- what moves ---- */

/* Infinite ones stay. */
static void add_moving(tg_checker *c, int64_t element) {
    if (isfinite(c->start[element]))
        c->moving[c->n_moving++] = element;
}

/* Ties: from the seed and the element's size alone. */
static void draw_direction(tg_checker *c, double reach, uint64_t seed) {
    for (int64_t i = 0; i < c->n_moving; i++) {
        double x = c->start[c->moving[i]], sign = x < 0 ? -1 : 1;
        double by = c->keeps_ties ? sign * tg_random_of(x, seed) : tg_checker_random(c);
        c->direction[i] = reach * by * tg_size_of(c, c->moving[i]);
    }
}

/* elements: ascending. */
static void move_these(tg_checker *c, int64_t n, const int64_t *elements) {
    tg_clear_path(c);
    for (int64_t i = 0; i < n; i++)
        add_moving(c, elements[i]);
    draw_direction(c, REACH, c->config->seed);
}

void tg_move_all(tg_checker *c, double reach, bool keep_ties) {
    tg_clear_path(c);
    c->keeps_ties = keep_ties;
    for (int64_t k = 0; k < c->total; k++)
        add_moving(c, k);
    draw_direction(c, reach, c->config->seed);
}

/* ---- what is found ---- */

static void name_path(const tg_checker *c, tg_gradcheck_line *l) {
    const tg_check_leaf *first = tg_leaf_at(c, c->moving[0]), *last = tg_leaf_at(c, c->moving[c->n_moving - 1]);
    if (first == last)
        tg_gradcheck_name_leaf(first->x, l->path, sizeof l->path);
    else
        snprintf(l->path, sizeof l->path, "%s", c->n_moving == c->total ? "all leaves" : "several leaves");
    l->float32 = c->t->dtype == TG_F32;
}

void tg_add_line(tg_gradcheck_result *r, int at, const tg_gradcheck_line *line) {
    if (at == TG_GRADCHECK_LINES)
        return;
    r->n_lines += r->n_lines < TG_GRADCHECK_LINES;
    memmove(&r->line[at + 1], &r->line[at], sizeof *r->line * (size_t)(r->n_lines - 1 - at));
    r->line[at] = *line;
}

/* Lines that say most go first: WRONG, CANNOT_TELL, then the rest in their order. */
static void add_line(const tg_checker *c, tg_gradcheck_result *r, tg_judged *j) {
    int at = r->n_lines;
    while (at > 0 && r->line[at - 1].verdict < j->verdict)
        at--;
    name_path(c, &j->line);
    tg_add_line(r, at, &j->line);
}

/* A wrong gradient is so along nearly every path over the same elements; rounding, or a wave, that looks like one is so
 * along few. */
static bool is_confirmed(tg_checker *c) {
    for (uint64_t i = 1; i <= CONFIRMATIONS; i++) {
        draw_direction(c, REACH, c->config->seed + i);
        if (tg_judge(c).verdict == TG_GRAD_WRONG)
            return true;
    }
    return false;
}

static tg_judged judge(tg_checker *c, tg_gradcheck_result *r) {
    tg_judged j = {.verdict = TG_GRAD_RIGHT};
    if (!c->n_moving)
        return j;
    j = tg_judge(c);
    if (j.verdict == TG_GRAD_WRONG && r->verdict != TG_GRAD_WRONG && !is_confirmed(c)) {
        j.verdict = j.line.verdict = TG_GRAD_CANNOT_TELL;
        j.line.reason = "wrong along this path, but along no other of the same elements";
        j.unconfirmed = true; /* another that is right does not mend it */
    }
    add_line(c, r, &j);
    return j;
}

bool tg_is_found(const tg_checker *c, int64_t element) {
    for (int i = 0; i < c->n_found; i++)
        if (c->found[i] == element)
            return true;
    return false;
}

static void found(tg_checker *c, int64_t element) {
    if (c->n_found < TG_GRADCHECK_ROWS && !tg_is_found(c, element))
        c->found[c->n_found++] = element;
}

/* Those elements of which each makes a residual alone. */
static void find_elements(tg_checker *c, int64_t n, const int64_t *elements, const tg_judged *like) {
    move_these(c, n, elements);
    if (c->n_found == TG_GRADCHECK_ROWS || !c->n_moving || !tg_is_off(c, like, n == 1))
        return;
    if (n == 1) {
        found(c, elements[0]);
        return;
    }
    find_elements(c, n / 2, elements, like);
    find_elements(c, n - n / 2, elements + n / 2, like);
}

/* ---- classes ---- */

enum { CLASSES = 1024, OF_ZERO = 512 }; /* exponents of doubles, by four, from -1074 on: 525; those of g = 0 behind */

static int exponent_class(double x) {
    int e;
    frexp(x, &e);
    return (e + 1074) / 4 * (OF_ZERO - 1) / 530;
}

static int class_of(const tg_checker *c, int64_t element) {
    double size = tg_size_of(c, element), contribution = fabs(c->analytic[element]) * size;
    return contribution > 0 && isfinite(contribution) ? exponent_class(contribution) : OF_ZERO + exponent_class(size);
}

/* The class of each element; of: how many a class has. */
static int16_t *sort_into_classes(tg_checker *c, int64_t *of) {
    int16_t *class = tg_checker_memory(c, (size_t)c->total, sizeof *class);
    for (int64_t k = 0; k < c->total && class; k++)
        of[class[k] = (int16_t)class_of(c, k)]++;
    return class;
}

/* ---- FULL ---- */

typedef struct cover {
    tg_checker *c;
    tg_gradcheck_result *r;
    int apart; /* how often a class that cannot be told may still be halved */
    bool seen; /* a path was right */
} cover;

static void count(cover *v, int64_t n, tg_grad_verdict verdict) {
    v->r->compared += n;
    v->r->cannot_tell += verdict == TG_GRAD_CANNOT_TELL ? n : 0;
    v->r->kinks += verdict == TG_GRAD_KINK;
    v->r->verdict = verdict > v->r->verdict ? verdict : v->r->verdict;
}

/* A path that is right says so for all that moved; another that cannot be told takes nothing from that. What rounding
 * hides in float32 is left to float64, as long as float32 shows something. */
static void cover_set(cover *v, int64_t n, const int64_t *elements) {
    tg_judged j = {.verdict = TG_GRAD_CANNOT_TELL};
    bool right = false, kink = false;
    for (int path = 0; path < PATHS && j.verdict != TG_GRAD_WRONG && !j.unconfirmed && !v->c->t->status; path++) {
        move_these(v->c, n, elements);
        j = judge(v->c, v->r);
        right |= !tg_is_bad(j.verdict) || (j.noisy && v->c->t->dtype == TG_F32);
        v->seen |= !tg_is_bad(j.verdict);
        kink |= j.kink;
    }
    bool wrong = j.verdict == TG_GRAD_WRONG;
    right &= !j.unconfirmed;
    if (!wrong && !right && !j.unconfirmed && n > 1 && v->apart > 0) {
        v->apart--;
        cover_set(v, n / 2, elements);
        cover_set(v, n - n / 2, elements + n / 2);
        return;
    }
    count(v, n, wrong ? TG_GRAD_WRONG : !right ? TG_GRAD_CANNOT_TELL : kink ? TG_GRAD_KINK : TG_GRAD_RIGHT);
    if (wrong)
        find_elements(v->c, n, elements, &j);
}

static void report_progress(const tg_checker *c, int64_t done, int64_t total) {
    if (c->config->progress && !c->alone)
        c->config->progress(done, total, c->config->context);
}

/* All leaves: what is wrong only where two of them move, as the gradient of one that another's zeros multiply; then
 * with equal elements together. */
static void cover_all(cover *v) {
    for (int keep_ties = 0; keep_ties < 2; keep_ties++) {
        tg_move_all(v->c, REACH, keep_ties);
        if (judge(v->c, v->r).verdict == TG_GRAD_WRONG)
            v->r->verdict = TG_GRAD_WRONG;
    }
}

static tg_status cover_classes(cover *v) {
    tg_checker *c = v->c;
    int64_t of[CLASSES] = {0}, *elements = tg_checker_memory(c, (size_t)c->total, sizeof *elements), done = 0;
    int16_t *class = sort_into_classes(c, of);
    for (int k = 0; k < CLASSES && !c->t->status; k++) {
        int64_t n = 0;
        for (int64_t i = 0; n < of[k]; i++)
            if (class[i] == k)
                elements[n++] = i;
        v->apart = TAKEN_APART;
        if (!n)
            continue;
        cover_set(v, n, elements);
        report_progress(c, done += n, c->total);
    }
    if (!v->seen && v->r->verdict == TG_GRAD_RIGHT)
        v->r->verdict = TG_GRAD_CANNOT_TELL;
    if (!c->t->status)
        cover_all(v);
    return c->t->status;
}

/* ---- FAST ---- */

static tg_status cover_directions(cover *v) {
    tg_checker *c = v->c;
    bool right = false, wrong = false, unconfirmed = false;
    int64_t n = c->config->directions;
    for (int64_t k = 0; k < n && !c->t->status && !wrong; k++) {
        tg_move_all(c, REACH, k > 0 && k == n - 1);
        tg_judged j = judge(c, v->r);
        right |= !tg_is_bad(j.verdict);
        wrong = j.verdict == TG_GRAD_WRONG;
        unconfirmed |= j.unconfirmed;
        count(v, 1, j.verdict == TG_GRAD_CANNOT_TELL ? TG_GRAD_RIGHT : j.verdict);
        v->r->cannot_tell += j.verdict == TG_GRAD_CANNOT_TELL;
        if (wrong) {
            int64_t *all = tg_checker_memory(c, (size_t)c->total, sizeof *all), total = c->n_moving;
            if (!all)
                return c->t->status;
            memcpy(all, c->moving, (size_t)total * sizeof *all);
            find_elements(c, total, all, &j);
        }
        report_progress(c, k + 1, n);
    }
    if ((!right || unconfirmed) && !wrong)
        v->r->verdict = TG_GRAD_CANNOT_TELL;
    return c->t->status;
}

tg_status tg_cover(tg_checker *c, bool full, tg_gradcheck_result *r) {
    cover v = {c, r, 0, false};
    c->n_found = 0;
    tg_move_all(c, REACH, false);
    (void)!tg_measure_rounding(c);
    (void)tg_checker_branches(c); /* a callback that cannot tell its branches has set the tape's error */
    if (c->t->status)
        return c->t->status;
    return full ? cover_classes(&v) : cover_directions(&v);
}
