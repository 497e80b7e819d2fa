/* Where the path of a trainable leaf that gets no gradient ends. */
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

const tg_node *tg_find_cut(tg_checker *c, const tg_node *leaf, const char **reason) {
    bool *carries = tg_checker_memory(c, (size_t)c->y->index + 1, sizeof *carries); /* by tensor: made from the leaf */
    if (!carries)
        return NULL;
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
