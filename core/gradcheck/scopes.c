/* Checkpoint scopes of the tape that is checked, whose copy has none: what backward computes again has to be what
 * forward computed, to the bit. */
#include "core/gradcheck/check.h"

/* The first operation of the scope that draws random numbers, *drawing; else the first custom one, else the scope
 * itself. */
static const tg_node *find_culprit(tg_checker *c, const tg_node *copy, bool *drawing) {
    const tg_node *custom = NULL;
    *drawing = false;
    for (uint32_t i = tg_checkpoint_marker(copy) + 1; i < copy->index; i++) {
        const tg_node *n = c->t->nodes[i];
        if (!n->op || !c->needed[i] || n->op->is_view)
            continue;
        if ((*drawing = tg_draws(c, n)))
            return n;
        custom = !custom && tg_is_custom(n) ? n : custom;
    }
    return custom ? custom : copy;
}

static tg_status check_scope(tg_checker *c, const tg_node *copy, tg_gradcheck_result *r) {
    const tg_tape *t = copy->tape;
    size_t size = tg_dtype_size(t->dtype);
    char *first = tg_checker_memory(c, (size_t)copy->numel, size);
    char *again = tg_checker_memory(c, (size_t)copy->numel, size);
    bool repeated;
    int64_t at = 0;
    if (!first || !again)
        return c->t->status;
    tg_copy_out(copy, copy->data, copy->stride, first);
    if (tg_checkpoint_repeat(copy, again, &repeated))
        return tg_fail(c->t, t->status, "checkpoint scope: %s", t->failure.text);
    while (at < copy->numel && memcmp(first + (size_t)at * size, again + (size_t)at * size, size) == 0)
        at++;
    if (!repeated || at == copy->numel)
        return TG_OK;
    bool drawing;
    const tg_node *culprit = find_culprit(c, copy, &drawing);
    r->verdict = TG_GRAD_WRONG;
    r->wrong_ops++;
    tg_gradcheck_say_where(culprit, -1, r);
    tg_say(r, drawing ? TG_MISTAKE_REDRAWN : TG_MISTAKE_NONDETERMINISTIC,
           "computed again in backward, the checkpoint scope that ends at tensor %u gives another result than in "
           "forward: element %lld is %s, was %s%s",
           copy->index, (long long)at, tg_number_text(tg_number(t->dtype, again, at), 7).s,
           tg_number_text(tg_number(t->dtype, first, at), 7).s,
           culprit == copy ? "; was what it reads written to by a pointer from before?" : "");
    return TG_OK;
}

tg_status tg_check_scopes(tg_checker *c, tg_tape *checked, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= c->y->index && !c->t->status && r->verdict != TG_GRAD_WRONG; i++)
        if (c->needed[i] && tg_is_of_kind(checked->nodes[i], TG_OP_SCOPE_END) && !checked->checkpoint.depth)
            (void)!check_scope(c, checked->nodes[i], r);
    return c->t->status;
}
