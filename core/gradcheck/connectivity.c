/* Trainable leaves that get no gradient, and where their paths to y end. */
#include "core/gradcheck/check.h"

static const char *why(const tg_node *n, const tg_node *x) {
    if (!tg_is_floating(n) || !tg_is_floating(x))
        return "integers and bools have no gradient";
    if (n->op->is_view && n->op->no_gradient)
        return "it is cut off on purpose";
    if (n->requires_grad || !x->op)
        return "it was used while requires_grad was off, or under no_grad";
    return "it was made under no_grad";
}

/* carries: by tensor, it was made from the leaf, and would pass a gradient on to it. */
static const tg_node *find_end(const tg_checker *c, const tg_node *leaf, bool *carries, const char **reason) {
    memset(carries, 0, ((size_t)c->y->index + 1) * sizeof *carries);
    carries[leaf->index] = true;
    for (uint32_t i = leaf->index + 1; i <= c->y->index; i++) {
        const tg_node *n = c->t->nodes[i];
        for (int k = 0; k < n->n_in && c->needed[i]; k++) {
            const tg_node *x = n->in[k];
            if (!x || !carries[x->index])
                continue;
            if (!n->recorded[k]) {
                *reason = why(n, x);
                return n;
            }
            carries[i] = true;
        }
    }
    return NULL;
}

const tg_node *tg_find_cut(tg_checker *c, const tg_node *leaf, const char **reason) {
    bool *carries = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *carries);
    return carries ? find_end(c, leaf, carries, reason) : NULL;
}

static bool is_zero(const tg_checker *c, const tg_node *x) {
    for (int i = 0; i < c->n_leaves; i++)
        for (int64_t j = 0; c->leaf[i].x == x && j < x->numel; j++)
            if (c->leaf[i].analytic[j] != 0)
                return false;
    return true;
}

static void add(tg_gradcheck_result *r, const tg_node *leaf, const tg_node *end, const char *reason) {
    if (r->n_lost++ >= TG_GRADCHECK_LOST)
        return;
    tg_gradcheck_lost *lost = &r->lost[r->n_lost - 1];
    *lost = (tg_gradcheck_lost){.tensor = leaf->index, .reason = reason};
    tg_gradcheck_name_leaf(leaf, lost->leaf, sizeof lost->leaf);
    if (!end)
        return;
    tg_copy_text(lost->op, sizeof lost->op, end->op->name);
    lost->at = end->index;
}

tg_status tg_find_lost(tg_checker *c, tg_gradcheck_result *r) {
    size_t n = (size_t)c->y->index + 1;
    bool *arrives = tg_checker_memory(c, n, sizeof(bool)), *carries = tg_checker_memory(c, n, sizeof(bool));
    r->n_lost = 0;
    if (!arrives || !carries)
        return c->t->status;
    tg_find_needed(c->y, true, arrives);
    for (uint32_t i = 0; i <= c->y->index; i++) {
        const tg_node *x = c->t->nodes[i], *end;
        const char *reason = "its gradient is zero everywhere";
        if (x->op || !x->requires_grad || !x->numel)
            continue;
        if (!c->needed[i])
            add(r, x, NULL, "the result does not depend on it");
        else if (!arrives[i] && (end = find_end(c, x, carries, &reason)))
            add(r, x, end, reason);
        else if (is_zero(c, x))
            add(r, x, NULL, reason);
    }
    return TG_OK;
}
