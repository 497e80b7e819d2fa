/* VJPs whose formula is right, and which are wrong nevertheless: they write to what they may only read, or expect two
 * operands never to be one tensor. */
#include "core/gradcheck/check.h"

/* ---- what may only be read ---- */

static double *copy_of(tg_checker *c, const void *data, int64_t n) {
    double *copy = tg_checker_memory(c, (size_t)n, sizeof *copy);
    if (copy && n)
        memcpy(copy, data, (size_t)n * sizeof *copy);
    return copy;
}

/* The first element that differs, or -1. Bits, since it may hold NaNs. */
static int64_t first_change(const double *before, const double *now, int64_t n) {
    for (int64_t j = 0; j < n && before && now; j++)
        if (memcmp(&before[j], &now[j], sizeof *now) != 0)
            return j;
    return -1;
}

static bool say_written(const char *what, int64_t at, const double *before, const double *now, tg_gradcheck_result *r) {
    return at >= 0 && tg_say(r, TG_MISTAKE_WRITES,
                             "the VJP writes to %s, which it may only read: element %lld was %.6g and is %.6g; other "
                             "operations may read it after this one",
                             what, (long long)at, before[at], now[at]);
}

bool tg_writes_to_const(tg_suspect *s, tg_gradcheck_result *r) {
    tg_checker *c = &s->c;
    tg_node *y = c->y;
    double *before[UINT8_MAX] = {NULL};
    char what[32];
    if (!tg_is_custom(y))
        return false;
    for (int k = 0; k < y->n_in; k++)
        if (s->x[k] && tg_is_floating(s->x[k]))
            before[k] = copy_of(c, s->x[k]->base->data, tg_span(s->x[k]->base));
    double *result = copy_of(c, y->data, y->numel);
    y->retain = true; /* dy stays after the VJP */
    tg_zero_grads(c->t);
    bool ran = !tg_backward_with(tg_handle(y), c->v) && y->has_grad;
    y->retain = false;
    bool found = ran && (say_written("dy", first_change(c->cotangent, y->grad, y->numel), c->cotangent, y->grad, r) ||
                         say_written("its result", first_change(result, y->data, y->numel), result, y->data, r));
    for (int k = 0; k < y->n_in && ran && !found; k++) {
        const tg_node *leaf = before[k] ? s->x[k]->base : NULL;
        snprintf(what, sizeof what, "operand %d", k + 1);
        found = leaf && say_written(what, first_change(before[k], leaf->data, tg_span(leaf)), before[k], leaf->data, r);
    }
    return found;
}

/* ---- operands that are one tensor ---- */

static bool has_shared(const tg_node *n, int *first, int *second) {
    for (*second = 1; *second < n->n_in; ++*second)
        for (*first = 0; *first < *second; ++*first) {
            const tg_node *a = n->in[*first], *b = n->in[*second];
            if (a && b && tg_is_floating(a) && tg_share_grad(a, b) && tg_recorded(n)[*first] && tg_recorded(n)[*second])
                return true;
        }
    return false;
}

/* What a VJP adds to buffers that lie apart it should add to one: does it? To what rounding does where they cancel.
 * Both with the same dy. */
static bool adds_up(tg_suspect *shared, tg_suspect *apart) {
    for (int i = 0; i < shared->c.n_leaves; i++) {
        const tg_check_leaf *leaf = &shared->c.leaf[i];
        for (int64_t j = 0; j < leaf->x->numel; j++) {
            double sum = 0, size = fabs(leaf->analytic[j]);
            for (int k = 0; k < shared->original->n_in; k++) {
                const tg_check_leaf *own = apart->x[k] ? tg_suspect_leaf(apart, apart->x[k]) : NULL;
                if (!own || shared->x[k]->base != leaf->x)
                    continue;
                sum += own->analytic[j];
                size += fabs(own->analytic[j]);
            }
            if (!(fabs(sum - leaf->analytic[j]) <= 1e-9 * size))
                return false;
        }
    }
    return true;
}

static bool is_wrong_shared(tg_checker *c, const tg_node *n, const tg_gradcheck_config *config) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    bool wrong =
        tg_suspect_open_shared(&s, n, config) && !tg_check_suspect(&s, &alone) && tg_wrong_operand(&s, &alone) >= 0;
    tg_suspect_close(&s, c->t);
    return wrong;
}

/* Where the leaves have their own values, which checking may have moved. */
static bool is_plain_sum(tg_checker *c, const tg_node *n, const tg_gradcheck_config *config) {
    tg_suspect shared, apart;
    bool ok = tg_suspect_open_shared(&shared, n, config);
    ok = tg_suspect_open(&apart, n, config) && ok && adds_up(&shared, &apart);
    tg_suspect_close(&shared, c->t);
    tg_suspect_close(&apart, c->t);
    return ok;
}

/* Of operands that are different tensors with these numbers. */
static bool is_at_kink_apart(tg_checker *c, const tg_node *n, const tg_gradcheck_config *config) {
    tg_suspect s;
    tg_gradcheck_result alone = {.verdict = TG_GRAD_RIGHT};
    bool ok = tg_suspect_open(&s, n, config) && !tg_check_suspect(&s, &alone);
    tg_suspect_close(&s, c->t);
    return ok && alone.kinks;
}

bool tg_find_shared(tg_checker *c, tg_gradcheck_result *r) {
    int first, second;
    tg_gradcheck_config config = *c->config;
    config.progress = NULL;
    for (uint32_t i = 0; i <= c->y->index && !c->t->status; i++) {
        const tg_node *n = c->t->nodes[i];
        if (!c->needed[i] || !tg_has_vjp(n) || !has_shared(n, &first, &second) || !is_wrong_shared(c, n, &config))
            continue;
        tg_gradcheck_say_where(n, first, r);
        if (!is_plain_sum(c, n, &config))
            return tg_say(
                r, TG_MISTAKE_SHARED,
                "right when its operands are different tensors, but operands %d and %d share their elements here: "
                "add to both gradients, as if there were one buffer",
                first + 1, second + 1);
        return tg_say(r, TG_MISTAKE_UNKNOWN,
                      "none of the common mistakes: operands %d and %d are one tensor here, whose gradient is the sum "
                      "of theirs; alone each is %s",
                      first + 1, second + 1,
                      is_at_kink_apart(c, n, &config)
                          ? "at a kink, where any slope between those of the two sides is let pass, but the sum has a "
                            "derivative, and is another"
                          : "right to the tolerance, but not what is left where they cancel");
    }
    return false;
}
