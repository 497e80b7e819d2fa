/* f = sum v y of a tape of the check's own, v random and signed, and its gradient, where the leaves have moved along a
 * path: element k of all leaves' to start + s direction. */
#include "core/gradcheck/check.h"

/* ---- memory, numbers ---- */

void *tg_checker_memory(tg_checker *c, size_t n, size_t size) {
    size_t bytes;
    if (!tg_times(n, size, &bytes)) {
        tg_fail(c->t, TG_ERR_MEMORY, "%zu elements are too many", n);
        return NULL;
    }
    void *p = tg_arena_get(c->t, &c->t->arena.nodes, bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

double tg_checker_random(tg_checker *c) {
    double sign = tg_rng_random(&c->rng) & 1 ? 1 : -1;
    return sign * (0.5 + tg_rng_double(&c->rng));
}

/* ---- what y depends on ---- */

/* What y depends on. */
static void find_needed(const tg_node *y, bool *needed) {
    memset(needed, 0, ((size_t)y->index + 1) * sizeof *needed);
    needed[y->index] = true;
    for (uint32_t i = y->index + 1; i-- > 0;) {
        const tg_node *n = y->tape->nodes[i];
        for (int k = 0; k < n->n_in && needed[i]; k++)
            if (n->in[k])
                needed[n->in[k]->index] = true;
    }
}

/* Of what is finite. */
static double largest_of(tg_dtype dtype, const void *p, int64_t n) {
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double x = fabs(tg_number(dtype, p, j));
        most = isfinite(x) ? fmax(most, x) : most;
    }
    return most;
}

double tg_largest(const tg_node *x) {
    return tg_is_floating(x) ? largest_of((tg_dtype)x->dtype, x->base->data, tg_span(x->base)) : 0;
}

/* The root of the mean square, of numbers of 1e200 too; 1 where there is none. */
static double typical_size(const double *x, int64_t n) {
    double largest = largest_of(TG_F64, x, n), squares = 0;
    for (int64_t j = 0; j < n && largest > 0; j++)
        squares += isfinite(x[j]) ? x[j] / largest * (x[j] / largest) / (double)n : 0;
    return largest > 0 ? largest * sqrt(squares) : 1;
}

static bool open_leaves(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        tg_node *x = c->t->nodes[i];
        if (!c->needed[i] || x->op || !x->requires_grad)
            continue;
        c->leaf[c->n_leaves++] = (tg_check_leaf){.x = x, .first = c->total};
        c->total += x->numel;
    }
    size_t n = (size_t)c->total;
    if (!(c->start = tg_checker_memory(c, n, sizeof *c->start)) ||
        !(c->analytic = tg_checker_memory(c, n, sizeof *c->analytic)) ||
        !(c->moving = tg_checker_memory(c, n, sizeof *c->moving)) ||
        !(c->direction = tg_checker_memory(c, n, sizeof *c->direction)) ||
        !(c->step = tg_checker_memory(c, n, sizeof *c->step)))
        return false;
    for (tg_check_leaf *leaf = c->leaf; leaf < c->leaf + c->n_leaves; leaf++) {
        leaf->start = c->start + leaf->first;
        leaf->analytic = c->analytic + leaf->first;
    }
    return true;
}

const tg_check_leaf *tg_leaf_at(const tg_checker *c, int64_t element) {
    int low = 0, high = c->n_leaves - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (c->leaf[middle].first <= element)
            low = middle;
        else
            high = middle - 1;
    }
    return &c->leaf[low];
}

double tg_size_of(const tg_checker *c, int64_t element) {
    double x = fabs(c->start[element]);
    return x > 0 ? x : tg_leaf_at(c, element)->size;
}

/* ---- what is not finite ---- */

int64_t tg_first_infinite(const tg_node *x) {
    int64_t n = tg_is_floating(x) ? tg_span(x->base) : 0;
    for (int64_t j = 0; j < n; j++)
        if (!isfinite(tg_number((tg_dtype)x->dtype, x->base->data, j)))
            return j;
    return -1;
}

int64_t tg_infinite_gradient(const tg_check_leaf *leaf) {
    for (int64_t j = 0; j < leaf->x->numel; j++)
        if (!isfinite(leaf->analytic[j]) && isfinite(leaf->start[j]))
            return j;
    return -1;
}

/* Infs come from operations that make them on purpose (masked_fill), or from constants (a mask). */
bool tg_infinite_on_purpose(tg_checker *c, const tg_node *y) {
    bool *on_purpose = tg_checker_memory(c, (size_t)y->index + 1, sizeof *on_purpose);
    for (uint32_t i = 0; i <= y->index && on_purpose; i++) {
        const tg_node *n = c->t->nodes[i];
        on_purpose[i] = n->op ? n->op->infinite_ok : !n->requires_grad;
        for (int k = 0; k < n->n_in; k++)
            if (c->needed[i] && n->in[k] && on_purpose[n->in[k]->index] && tg_first_infinite(n->in[k]) >= 0)
                on_purpose[i] = true;
    }
    return on_purpose && on_purpose[y->index];
}

static tg_status refuse_infinite_result(const tg_node *y, const bool *needed, int64_t at, double value) {
    tg_tape *t = y->tape;
    value = isnan(value) ? (double)NAN : value; /* its sign is the machine's */
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *n = t->nodes[i];
        if (needed[i] && n->base == n && tg_first_infinite(n) >= 0 && !(n->op && n->op->infinite_ok))
            return tg_fail(t, TG_ERR_NUMERIC,
                           "tensor %u %s is not finite: element %lld is %g; the first that is not is tensor %u "
                           "%s%s%s: check where its operands leave its domain",
                           y->index, tg_node_text(y).s, (long long)at, value, i, tg_node_text(n).s,
                           n->op ? ", made by " : ", a leaf", n->op ? n->op->name : "");
    }
    return tg_fail(t, TG_ERR_NUMERIC, "tensor %u %s is not finite: element %lld is %g; check a finite part of it",
                   y->index, tg_node_text(y).s, (long long)at, value);
}

/* What an operation made infinite has no derivative, and gets no cotangent. */
static tg_status ask_finite(tg_checker *c) {
    c->infinite = 0;
    for (int i = 0; i < c->n_leaves && c->alone; i++)
        c->infinite += tg_first_infinite(c->leaf[i].x) >= 0;
    for (int64_t j = 0; j < c->y->numel; j++) {
        double y = c->at_base[j];
        if (isfinite(y))
            continue;
        if (!c->alone && (isnan(y) || (!c->infinite && !tg_infinite_on_purpose(c, c->y))))
            return refuse_infinite_result(c->y, c->needed, j, y);
        c->cotangent[j] = 0;
        c->infinite++;
    }
    if (c->infinite == c->y->numel && c->infinite && !c->alone)
        return tg_fail(c->t, TG_ERR_NUMERIC, "tensor %u %s is infinite everywhere: there is nothing to check",
                       c->y->index, tg_node_text(c->y).s);
    return c->infinite ? tg_write_doubles(c->v, c->cotangent, c->y->numel) : TG_OK;
}

/* ---- forward and backward ---- */

tg_status tg_checker_forward(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && c->t->nodes[i]->op && tg_run_forward(c->t->nodes[i]))
            return c->t->status;
    return TG_OK;
}

tg_status tg_checker_backward(tg_checker *c, double scale) {
    for (int64_t j = 0; j < c->y->numel; j++)
        tg_write_number(c->t->dtype, c->t->nodes[c->v.index]->data, j, scale * c->cotangent[j]);
    tg_zero_grads(c->t);
    return tg_backward_with(tg_handle(c->y), c->v);
}

void tg_read_numbers(const tg_node *x, const void *data, const int64_t *stride, double *out) {
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, stride);
    for (int64_t j = 0; j < x->numel; j++, tg_walk_next(&w, 1))
        out[j] = tg_number((tg_dtype)x->dtype, data, w.offset);
}

static void read_y(const tg_checker *c, double *out) { tg_read_numbers(c->y, c->y->data, c->y->stride, out); }

void tg_read_gradient(const tg_node *leaf, double *out) {
    for (int64_t j = 0; j < leaf->numel; j++)
        out[j] = tg_grad_element(leaf, j);
}

static size_t bytes_of(const tg_node *x) { return (size_t)tg_span(x) * tg_dtype_size((tg_dtype)x->dtype); }

static bool keep_operands(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *x = c->t->nodes[i];
        if (x->op || !c->needed[i] || !tg_is_floating(x))
            continue;
        if (!c->operand[i] && !(c->operand[i] = tg_checker_memory(c, bytes_of(x) + 1, 1)))
            return false;
        memcpy(c->operand[i], x->data, bytes_of(x));
    }
    return true;
}

tg_status tg_checker_run(tg_checker *c) {
    for (int i = 0; i < c->n_leaves; i++) {
        tg_check_leaf *leaf = &c->leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++)
            leaf->start[j] = tg_number(c->t->dtype, leaf->x->data, j);
        leaf->size = typical_size(leaf->start, leaf->x->numel);
    }
    if (!keep_operands(c) || tg_checker_forward(c))
        return c->t->status;
    read_y(c, c->at_base);
    if (ask_finite(c) || (!c->forward_only && tg_checker_backward(c, 1)))
        return c->t->status;
    c->size = 0;
    for (int64_t j = 0; j < c->y->numel; j++)
        c->size += c->cotangent[j] != 0 ? fabs(c->cotangent[j] * c->at_base[j]) : 0;
    for (tg_check_leaf *leaf = c->leaf; leaf < c->leaf + c->n_leaves; leaf++) {
        tg_read_gradient(leaf->x, leaf->analytic);
        leaf->largest = largest_of(TG_F64, leaf->analytic, leaf->x->numel);
    }
    return TG_OK;
}

tg_status tg_checker_open(tg_checker *c, tg_tape *t, tg_node *y, const tg_gradcheck_config *config) {
    size_t nodes = (size_t)y->index + 1, numel = (size_t)y->numel;
    *c = (tg_checker){.t = t, .alone = c->alone, .forward_only = c->forward_only, .y = y, .config = config};
    c->unit = t->dtype == TG_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    tg_rng_seed(&c->rng, config->seed);
    t->modes.keep_random = true;
    if (!(c->needed = tg_checker_memory(c, nodes, sizeof(bool))) ||
        !(c->in_float = tg_checker_memory(c, nodes, sizeof(bool))) ||
        !(c->operand = tg_checker_memory(c, nodes, sizeof *c->operand)) ||
        !(c->leaf = tg_checker_memory(c, nodes, sizeof *c->leaf)) ||
        !(c->cotangent = tg_checker_memory(c, numel, sizeof(double))) ||
        !(c->at_base = tg_checker_memory(c, numel, sizeof(double))) ||
        !(c->low = tg_checker_memory(c, numel, sizeof(double))))
        return t->status;
    find_needed(y, c->needed);
    if (!open_leaves(c))
        return t->status;
    for (int64_t j = 0; j < y->numel; j++)
        c->cotangent[j] = tg_checker_random(c);
    if (y->numel == 1 && !c->alone) /* its own values and derivatives are shown */
        c->cotangent[0] = 1;
    if (t->dtype == TG_F32) /* what the tape computes with */
        for (int64_t j = 0; j < y->numel; j++)
            c->cotangent[j] = (float)c->cotangent[j];
    c->v = tg_from_doubles(t, tg_shape_from(y), c->cotangent);
    return tg_is_null(c->v) ? t->status : tg_checker_run(c);
}

/* ---- branches ---- */

static void note_integers(const tg_node *n, tg_branches *b) {
    size_t bytes = (size_t)n->numel * tg_dtype_size((tg_dtype)n->dtype);
    for (size_t i = 0; i < bytes && n->base == n; i++)
        tg_branch(b, ((const unsigned char *)n->data)[i]);
}

/* The results of comparisons are branches too. */
uint64_t tg_checker_branches(const tg_checker *c) {
    tg_branches b = {UINT64_C(14695981039346656037)};
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (!n->op || !c->needed[i])
            continue;
        if (n->op->branches[c->t->dtype])
            n->op->branches[c->t->dtype](n, &b);
        else if (!tg_is_floating(n))
            note_integers(n, &b);
    }
    return b.hash;
}

/* ---- the path ---- */

static void move(tg_checker *c, double s) {
    for (int64_t i = 0; i < c->n_moving;) {
        const tg_check_leaf *leaf = tg_leaf_at(c, c->moving[i]);
        int64_t first = leaf->first, end = first + leaf->x->numel;
        for (; i < c->n_moving && c->moving[i] < end; i++) {
            double x = c->start[c->moving[i]], moved = s == 0 ? x : x + s * c->direction[i]; /* -0 stays */
            tg_write_number(c->t->dtype, leaf->x->data, c->moving[i] - first, moved);
        }
    }
}

void tg_clear_path(tg_checker *c) {
    move(c, 0);
    c->n_moving = 0;
    c->keeps_ties = false;
}

/* Numbers that a callback refuses, or that are not finite, say nothing; what is no memory stays an error. */
static bool is_refused(tg_checker *c, tg_status status) {
    if (status && status != TG_ERR_MEMORY)
        tg_clear_error(c->t);
    return status != TG_OK;
}

/* Where the leaves are. */
static tg_point evaluate_here(tg_checker *c) {
    tg_point p = {.finite = true};
    tg_sum_of f = {0, 0};
    c->evaluations++;
    if (is_refused(c, tg_checker_forward(c)))
        return (tg_point){.finite = false};
    read_y(c, c->low);
    for (int64_t j = 0; j < c->y->numel; j++) {
        double by = c->cotangent[j] != 0 ? c->cotangent[j] * (c->low[j] - c->at_base[j]) : 0;
        tg_sum_add(&f, by);
        p.moved += fabs(by);
    }
    p.f = tg_sum_get(&f);
    p.finite = isfinite(p.f);
    return p;
}

tg_point tg_evaluate(tg_checker *c, double s) {
    move(c, s);
    return evaluate_here(c);
}

double tg_step(tg_checker *c, int64_t k, double h, double *by) {
    volatile double x = c->start[k], moved = x + h;
    tg_clear_path(c);
    c->n_moving = 1;
    c->moving[0] = k;
    c->direction[0] = *by = moved - x;
    return tg_evaluate(c, 1).f;
}

tg_point tg_evaluate_with_gradient(tg_checker *c, double s) {
    tg_point p = tg_evaluate(c, s);
    if (p.finite && !c->forward_only)
        p.finite = !is_refused(c, tg_checker_backward(c, 1));
    return p;
}

double tg_random_of(double x, uint64_t seed) {
    uint64_t bits;
    x = fabs(x);
    memcpy(&bits, &x, sizeof bits);
    tg_branches b = {seed};
    for (int i = 0; i < 8; i++)
        tg_branch(&b, (int64_t)(bits >> 8 * i & 255));
    uint64_t h = (b.hash ^ b.hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (h & 1 ? 1 : -1) * (0.5 + (double)(h >> 11) * 0x1p-53);
}

/* x, times 1 + a random part of `by`; along a path that keeps ties they stay ties. */
static void shake(tg_checker *c, tg_node *x, double by, uint64_t seed) {
    for (int64_t j = 0; j < tg_span(x); j++) {
        double value = tg_number(c->t->dtype, x->data, j);
        double random = c->keeps_ties ? tg_random_of(value, seed) : tg_checker_random(c);
        tg_write_number(c->t->dtype, x->data, j, value * (1 + by * random));
    }
}

static void shake_operands(tg_checker *c, double by) {
    uint64_t seed = c->keeps_ties ? tg_rng_random(&c->rng) : 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->operand[i])
            shake(c, c->t->nodes[i], by, seed);
}

/* To where they were when the check was made. */
static void restore_operands(tg_checker *c) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->operand[i])
            memcpy(c->t->nodes[i]->data, c->operand[i], bytes_of(c->t->nodes[i]));
}

tg_point tg_evaluate_shaken(tg_checker *c, double by) {
    shake_operands(c, by);
    tg_point p = evaluate_here(c);
    for (int64_t j = 0; j < c->y->numel; j++)
        tg_write_number(c->t->dtype, c->t->nodes[c->v.index]->data, j,
                        c->cotangent[j] * (1 + by * tg_checker_random(c)));
    tg_zero_grads(c->t);
    p.finite = p.finite && !is_refused(c, tg_backward_with(tg_handle(c->y), c->v));
    restore_operands(c);
    return p;
}

void tg_return(tg_checker *c) {
    move(c, 0);
    (void)is_refused(c, tg_checker_forward(c));
}

/* ---- rounding on the tape ---- */

static void retain_all(tg_checker *c, bool retain) {
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->t->nodes[i]->op && c->t->nodes[i]->window.owner == c->t->nodes[i] && c->t->nodes[i]->requires_grad)
            c->t->nodes[i]->retain = retain;
}

/* Operations' results keep their gradients. */
static tg_status backward_retaining(tg_checker *c) {
    retain_all(c, true);
    tg_status bad = tg_checker_backward(c, 1);
    retain_all(c, false);
    return bad;
}

static bool has_square(double x) {
    float square = (float)x * (float)x;
    return x == 0 || !isfinite(x) || isnormal(square);
}

bool tg_has_ordinary_numbers(tg_checker *c) {
    bool all = !backward_retaining(c);
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        bool counts = c->needed[i] && n->requires_grad && n->base == n && n->window.owner == n;
        for (int64_t j = 0; j < n->numel && counts; j++)
            all &= has_square(tg_number(c->t->dtype, n->data, j)) && has_square(tg_grad_element(n, j));
    }
    return all;
}

static bool has_products(const tg_checker *c, const tg_node *n) {
    return n->op && c->needed[n->index] && n->base == n && n->window.owner == n && n->has_grad && tg_is_floating(n);
}

static double largest_operand(const tg_node *n) {
    double most = 0;
    for (int k = 0; k < n->n_in; k++)
        most = fmax(most, n->in[k] && n->recorded[k] ? tg_largest(n->in[k]) : 0);
    return most;
}

/* sum (u adjoint value)^2 of all numbers that an operation made; as large as the operands that it has a gradient for,
 * and 1, where it makes small ones of such. A mask's -1e9 is not their size. Float loses what is below its normal
 * numbers. */
static double sum_rounding(const tg_checker *c, const tg_node *n) {
    tg_walk w;
    bool in_float = c->in_float[n->index];
    double u = in_float ? FLT_EPSILON / 2 : c->unit, lost = in_float ? FLT_MIN / u : 0, sum = 0;
    double least = n->op->cancels ? fmax(1, largest_operand(n)) : lost;
    tg_walk_begin(&w, n->ndim, n->size, n->window.stride);
    for (int64_t j = 0; j < n->numel; j++, tg_walk_next(&w, 1)) {
        double size = fmax(least, fabs(tg_number(c->t->dtype, n->data, j)));
        double product = u * size * tg_number(c->t->dtype, n->grad, w.offset);
        sum += isfinite(product) ? product * product : 0;
    }
    return sum;
}

/* All its results are floats. */
static bool is_in_float(const tg_node *n) {
    bool all = tg_is_custom(n) && n->tape->dtype == TG_F64;
    for (int64_t j = 0; j < tg_span(n) && all; j++) {
        double y = tg_number(TG_F64, n->data, j);
        all = !isfinite(y) || (float)y == y;
    }
    return all;
}

/* Callbacks that compute in float, seen where their operands have moved and are none. */
static void find_in_float(tg_checker *c) {
    (void)tg_evaluate(c, 0.25);
    for (uint32_t i = 0; i <= c->y->index; i++)
        c->in_float[i] = c->needed[i] && is_in_float(c->t->nodes[i]);
    tg_return(c);
}

enum { SHAKES = 4 };

/* u sqrt(sum (adjoint value)^2), where the leaves are; u of float, or of the tape. */
static double rounding_here(tg_checker *c) {
    double sum = 0;
    if (backward_retaining(c))
        return 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        sum += has_products(c, c->t->nodes[i]) ? sum_rounding(c, c->t->nodes[i]) : 0;
    return sqrt(sum);
}

double tg_rounding_at(tg_checker *c, double s) { return tg_evaluate(c, s).finite ? rounding_here(c) : 0; }

tg_status tg_measure_rounding(tg_checker *c) {
    find_in_float(c);
    c->rounding = rounding_here(c);
    for (int i = 0; i < SHAKES && !c->t->status; i++) {
        tg_point p = tg_evaluate_shaken(c, 4 * c->unit);
        c->rounding = p.finite ? fmax(c->rounding, fabs(p.f) / 4) : c->rounding;
    }
    tg_return(c);
    return c->t->status;
}

static bool is_elementwise_in(const tg_node *y, const tg_node *leaf) {
    int uses = 0, alike = 0;
    for (int k = 0; k < y->n_in; k++) {
        uses += y->in[k] && y->in[k]->base == leaf;
        alike += y->in[k] == leaf && y->linear >> k & 1;
    }
    return uses == 1 && alike == 1 && leaf->numel == y->numel;
}

/* Of one elementwise operation alone only those elements round that move. */
double tg_rounding_along(const tg_checker *c) {
    const tg_node *y = c->y;
    double sum = 0;
    if (!c->alone || !y->linear)
        return c->rounding;
    for (int64_t i = 0; i < c->n_moving; i++) {
        const tg_check_leaf *leaf = tg_leaf_at(c, c->moving[i]);
        int64_t k = c->moving[i] - leaf->first;
        if (!is_elementwise_in(y, leaf->x))
            return c->rounding;
        double product = c->cotangent[k] * fabs(c->at_base[k]);
        sum += isfinite(product) ? product * product : 0;
    }
    return c->unit * sqrt(sum);
}
