/* The check of the float32 kernels as a whole: every operation alone
 * (float32_pair.c), then the tape's own backward in float32 against float64's
 * on the same results, leaf by leaf, with the gradients on the way moved as
 * well. */
#include "core/gradcheck/float32.h"

/* ---- the whole tape's backward ---- */

/* Each moves by its own, so that contributions which cancel show. */
enum { RESULT = 1, SAVED, GRADIENT, ERROR };

static uint64_t array_of(uint32_t tensor, int what) { return 8 * (uint64_t)tensor + (uint64_t)what; }

/* Moves the gradient of one tensor, by its own size and by the error of the
 * operations that cancel in it. */
typedef struct mover {
    const int *run; /* 0: not now */
    double error;
} mover;

static int move_gradient(void *grad, int64_t n, tg_tensor x, void *context) {
    const mover *m = context;
    double *g = grad;
    if (*m->run)
        tg_f32_move(n, g, g, *m->run, array_of(x.index, GRADIENT));
    for (int64_t j = 0; j < n && *m->run; j++)
        g[j] += tg_f32_bits(*m->run, array_of(x.index, ERROR), j) & 1 ? m->error : -m->error;
    return 0;
}

/* Gradients stay, so that operations can be looked at with the dy that they
 * had. */
static void retain_all(tg_tape *t, const tg_node *y) {
    for (uint32_t i = 0; i <= y->index; i++)
        if (t->nodes[i]->op && t->nodes[i]->gowner == t->nodes[i] && t->nodes[i]->requires_grad)
            t->nodes[i]->retain = true;
}

/* By tensor: is its data compared with other data? */
static bool *find_compared(tg_checker *c, const tg_tape *t, const tg_node *y) {
    bool *compared = tg_checker_memory(c, (size_t)y->index + 1, sizeof *compared);
    for (uint32_t i = 0; i <= y->index && compared; i++) {
        const tg_node *n = t->nodes[i];
        if (!n->op || !n->op->branches[TG_F64])
            continue;
        compared[n->base->index] = true;
        for (int k = 0; k < n->n_in; k++)
            if (n->in[k])
                compared[n->in[k]->base->index] = true;
    }
    return compared;
}

/* x is what float32 has, moved by this run; 0: not moved. */
static void move(int64_t n, double *x, const float *own, int run, uint64_t array) {
    for (int64_t j = 0; j < n; j++)
        x[j] = (double)own[j];
    if (run)
        tg_f32_move(n, x, x, run, array);
}

/* What is compared stays in every other run; in the others equal numbers stay equal, as ties are. What is saved where
 * branches are taken may be decisions. */
static void move_results(const tg_tape *single, tg_tape *twin, const tg_node *y, const bool *compared, int run) {
    for (uint32_t i = 0; i <= y->index; i++) {
        const tg_node *own = single->nodes[i];
        tg_node *n = twin->nodes[i];
        if (n->base != n || !tg_is_floating(n))
            continue;
        move(tg_span(n), n->data, own->data, compared[i] && run % 2 ? 0 : run, compared[i] ? 0 : array_of(i, RESULT));
        if (n->saved && !(n->op && n->op->branches[TG_F64]))
            move(n->n_saved, n->saved, own->saved, run, array_of(i, SAVED));
    }
}

/* Both tapes, with the same results. */
typedef struct whole {
    tg_tape *t[2];
    tg_tensor v[2];
    const tg_node *y;
    tg_both *leaf;
    mover *mover; /* by tensor */
    int run;
    bool tied; /* what is compared can never be moved: ties break */
} whole;

static double largest_number(const whole *w) {
    double most = 1;
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        if (n->base == n && tg_is_floating(n))
            most = fmax(most, tg_f32_largest_of(n, n->data));
    }
    return most;
}

static bool hook_all(tg_checker *c, whole *w) {
    w->mover = tg_checker_memory(c, (size_t)w->y->index + 1, sizeof *w->mover);
    for (uint32_t i = 0; i <= w->y->index && w->mover; i++) {
        const tg_node *n = w->t[1]->nodes[i];
        w->mover[i].run = &w->run;
        if (n->gowner == n && n->requires_grad && tg_register_hook(tg_handle(n), move_gradient, &w->mover[i]))
            return false;
    }
    return w->mover;
}

/* Does the gradient of another operand go to the same place? x - x adds dy to what is there and takes it away again,
 * and both round; that shows in no gradient. */
static bool shares_gradient(const tg_node *n, int k) {
    bool shared = false;
    for (int i = 0; i < n->n_in; i++)
        shared |= i != k && n->in[i] && tg_recorded(n)[i] && n->in[i]->gowner == n->in[k]->gowner;
    return shared;
}

/* After float32's backward, whose gradients are retained: 8 u S, where an operation cancels. */
static void note_errors(whole *w) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        for (int k = 0; n->op && n->has_grad && k < n->n_in; k++)
            if (n->in[k] && tg_recorded(n)[k] &&
                ((tg_f32_cancels(n) && tg_f32_cancels_in_gradient(n, k)) || shares_gradient(n, k)))
                w->mover[n->in[k]->gowner->index].error +=
                    8 * TG_F32_UNIT * tg_f32_size(n, k) * tg_f32_largest_of(n, n->grad);
    }
}

static bool open_cotangent(tg_checker *c, whole *w) {
    tg_shape shape = tg_shape_from(w->y);
    for (int side = 0; side < 2; side++) {
        tg_node *v = tg_leaf_new(w->t[side], "v", &shape, w->t[side]->dtype);
        for (int64_t j = 0; v && j < v->numel; j++)
            tg_write_number(w->t[side]->dtype, v->data, j, (double)(float)c->cotangent[j]);
        if (!v)
            return false;
        w->v[side] = tg_handle(v);
    }
    return true;
}

static bool open_whole(tg_checker *c, whole *w) {
    w->t[1] = tg_tape_cast(w->t[0], TG_F64);
    if (!w->t[1] || !open_cotangent(c, w) || !hook_all(c, w))
        return false;
    retain_all(w->t[0], w->y);
    w->leaf = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *w->leaf);
    for (int i = 0; i < c->n_leaves && w->leaf; i++)
        if (!tg_f32_open_array(&w->leaf[i], w->t[1], w->t[1]->nodes[c->leaf[i].x->index], 1))
            return false;
    return w->leaf;
}

static tg_status run_whole(tg_checker *c, whole *w, int side, double *(*where)(tg_both *b)) {
    tg_tape *t = w->t[side];
    tg_zero_grads(t);
    if (tg_backward_with(tg_handle(t->nodes[w->y->index]), w->v[side]))
        return t->status;
    for (int i = 0; i < c->n_leaves; i++) {
        const tg_node *x = t->nodes[c->leaf[i].x->index];
        for (int64_t j = 0; j < x->numel; j++)
            where(&w->leaf[i])[j] = x->has_grad ? tg_number(t->dtype, x->grad, j) : 0;
    }
    return TG_OK;
}

/* What rounding inside custom operations does to the leaves' gradients. */
static bool round_whole(tg_checker *c, whole *w) {
    bool ok = true;
    for (tg_rounding way = TG_ROUND_UP; way < TG_ROUNDINGS && ok && c->has_custom; way++) {
        w->t[0]->rounding = way;
        ok = !run_whole(c, w, 0, tg_f32_single);
        w->t[0]->rounding = TG_ROUND_NEAREST;
        for (int i = 0; i < c->n_leaves && ok; i++)
            ok = tg_f32_note_rounding(&w->leaf[i], w->t[1], way == TG_ROUND_UP);
    }
    return ok;
}

static uint64_t branches_of_all(tg_checker *c, const tg_tape *t) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && t->nodes[i]->op)
            hash = hash * 31 + tg_f32_branches(t->nodes[i]);
    return hash;
}

/* True when all leaves' D are known. */
static bool measure_whole(tg_checker *c, whole *w, int runs) {
    tg_node *y = w->t[1]->nodes[w->y->index];
    bool *compared = find_compared(c, w->t[1], y);
    int measured = 0;
    bool moved = true;
    if (!compared)
        return false;
    for (uint32_t i = 0; i <= w->y->index; i++)
        moved &= !compared[i];
    move_results(w->t[0], w->t[1], y, compared, w->run = 0);
    uint64_t branches = branches_of_all(c, w->t[1]);
    if (run_whole(c, w, 1, tg_f32_twin))
        return false;
    for (int run = 1; run <= runs; run++) {
        move_results(w->t[0], w->t[1], y, compared, run);
        w->run = run;
        if (branches_of_all(c, w->t[1]) != branches)
            continue;
        if (run_whole(c, w, 1, tg_f32_single))
            return false;
        measured++;
        moved |= run % 2 == 0;
        for (int i = 0; i < c->n_leaves; i++)
            for (int64_t j = 0; j < w->leaf[i].n; j++)
                tg_f32_note_move(&w->leaf[i], j, w->leaf[i].single[j]);
    }
    w->tied = !moved;
    return measured > 0;
}

/* With the dy that it had there, is some operation wrong alone? */
static bool find_with_own_dy(tg_f32_check *k, whole *w, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[0]->nodes[i];
        if (!k->c->needed[i] || !tg_f32_computes(n) || !tg_has_vjp(n) || !n->has_grad)
            continue;
        double *dy = tg_checker_memory(k->c, (size_t)n->numel, sizeof *dy);
        float *own = tg_checker_memory(k->c, (size_t)n->numel, sizeof *own);
        if (!dy || !own)
            return false;
        tg_copy_out(n, n->grad, n->gstride, own);
        for (int64_t j = 0; j < n->numel; j++)
            dy[j] = (double)own[j];
        if (tg_f32_is_wrong(k, n, dy, r))
            return true;
    }
    return false;
}

/* Has float32 room for all results? Those that are infinite in float64 as well are a mask, perhaps. */
static bool is_whole_ordinary(const tg_checker *c, const whole *w) {
    for (uint32_t i = 0; i <= w->y->index; i++) {
        const tg_node *n = w->t[1]->nodes[i];
        if (!c->needed[i] || n->base != n || !tg_is_floating(n))
            continue;
        if (!tg_f32_is_ordinary(n->data, tg_span(n)))
            return false;
        for (int64_t j = 0; j < tg_span(n); j++)
            if (!isfinite(((double *)n->data)[j]) && isfinite(((double *)c->t->nodes[i]->data)[j]))
                return false;
    }
    return true;
}

/* The results that a replay in float32 has. */
static tg_status replay(const tg_checker *c, tg_tape *single) {
    single->keep_random = true;
    for (uint32_t i = 0; i <= c->y->index; i++)
        if (c->needed[i] && single->nodes[i]->op && tg_run_forward(single->nodes[i]))
            return single->status;
    return TG_OK;
}

/* Both backwards on the results that float32 has for a neighbour of the leaves' values; 0: for themselves. */
static bool run_neighbour(tg_checker *c, whole *w, float *const *own, const bool *compared, int neighbour) {
    w->run = 0;
    for (int i = 0; i < c->n_leaves; i++) {
        tg_node *x = w->t[0]->nodes[c->leaf[i].x->index];
        memcpy(x->data, own[i], (size_t)x->numel * sizeof(float));
        if (neighbour)
            tg_f32_step_aside(x->numel, x->data, neighbour, 0);
    }
    if (replay(c, w->t[0]))
        return false;
    move_results(w->t[0], w->t[1], w->y, compared, 0);
    if (run_whole(c, w, 1, tg_f32_twin) || !round_whole(c, w) || run_whole(c, w, 0, tg_f32_single))
        return false;
    for (int i = 0; i < c->n_leaves; i++)
        tg_f32_note_loss(&w->leaf[i]);
    return true;
}

static float **copy_leaves(tg_checker *c, const tg_tape *t) {
    float **own = tg_checker_memory(c, (size_t)c->n_leaves, sizeof *own);
    for (int i = 0; i < c->n_leaves && own; i++) {
        const tg_node *x = t->nodes[c->leaf[i].x->index];
        if (!(own[i] = tg_checker_memory(c, (size_t)x->numel, sizeof(float))))
            return NULL;
        memcpy(own[i], x->data, (size_t)x->numel * sizeof(float));
    }
    return own;
}

/* Is the same element out of its bound for neighbours of the leaves? */
static bool persists(tg_checker *c, whole *w, const tg_both *leaf, const tg_excess *e) {
    const bool *compared = find_compared(c, w->t[1], w->y);
    float **own = copy_leaves(c, w->t[0]);
    bool like = compared && own;
    for (int k = 1, unlike = 0; k <= tg_f32_neighbours(e) && like; k++)
        like = run_neighbour(c, w, own, compared, k) && tg_f32_persists(e, k, tg_f32_excess_at(leaf, e->at), &unlike);
    return compared && own && run_neighbour(c, w, own, compared, 0) && like;
}

static void say_leaf(const tg_node *x, const tg_excess *e, const char *doubt, tg_gradcheck_result *r) {
    r->verdict = !*doubt ? TG_GRAD_WRONG : TG_GRAD_CANNOT_TELL;
    r->mistake = TG_MISTAKE_FLOAT32;
    snprintf(r->diagnosis, sizeof r->diagnosis,
             "float32 only: element %lld of the gradient of tensor %u %s is "
             "%.7g, not %.7g as float64 has it: %.2g "
             "times what rounding may do; every operation agrees on its own%s",
             (long long)e->at, x->index, tg_node_text(x).s, e->single, e->twin, e->most, doubt);
}

static const char *doubt(const tg_f32_check *k, const whole *w, const tg_excess *e) {
    if (!is_whole_ordinary(k->c, w) || fabs(e->twin) >= 1e30)
        return ", and float32 may overflow or underflow";
    if (k->unsure)
        return ", but a custom operation may lose as much";
    return w->tied ? ", but ties hide what rounding does" : "";
}

static tg_excess worst_leaf(const tg_f32_check *k, const whole *w, tg_both **leaf) {
    double size = largest_number(w);
    tg_excess worst = {.most = 0};
    for (int i = 0; i < k->c->n_leaves; i++) {
        w->leaf[i].terms = k->most_terms;
        w->leaf[i].size = size;
        w->leaf[i].custom = true;
        tg_f32_note_loss(&w->leaf[i]);
        tg_excess e = tg_f32_compare(&w->leaf[i]);
        *leaf = e.most > worst.most ? &w->leaf[i] : *leaf;
        worst = tg_f32_worse(worst, e);
    }
    return worst;
}

static tg_status check_whole(tg_f32_check *k, tg_tape *single, tg_gradcheck_result *r) {
    tg_checker *c = k->c;
    whole w = {.t = {single}, .y = single->nodes[c->y->index]};
    tg_excess worst = {.most = 0};
    tg_both *leaf = NULL;
    bool ok = open_whole(c, &w) && !run_whole(c, &w, 0, tg_f32_single);
    if (ok)
        note_errors(&w);
    for (int careful = 0; careful < 2 && ok && (!careful || worst.most > 1); careful++) {
        ok = measure_whole(c, &w, careful ? TG_F32_CAREFUL : TG_F32_RUNS) && (!careful || round_whole(c, &w)) &&
             !run_whole(c, &w, 0, tg_f32_single);
        worst = ok ? worst_leaf(k, &w, &leaf) : worst;
    }
    bool bad = worst.most > 1 && persists(c, &w, leaf, &worst);
    k->worst = fmax(k->worst, bad ? worst.most : fmin(worst.most, 1));
    if (bad && !find_with_own_dy(k, &w, r))
        say_leaf(leaf->x, &worst, doubt(k, &w, &worst), r);
    for (int side = 0; side < 2; side++)
        if (w.t[side] && w.t[side]->status)
            tg_fail(c->t, w.t[side]->status, "float32: %s", w.t[side]->error);
    tg_tape_free(w.t[1]);
    return c->t->status;
}

/* ---- the check ---- */

static tg_status check_operations(tg_f32_check *k, const tg_tape *t, tg_gradcheck_result *r) {
    for (uint32_t i = 0; i <= k->c->y->index; i++) {
        const tg_node *n = t->nodes[i];
        bool trained = t->dtype == TG_F32 || (tg_is_custom(n) && tg_custom_has_float32(n));
        if (k->c->needed[i] && trained && tg_f32_computes(n))
            tg_f32_is_wrong(k, n, NULL, r);
        for (int side = 0; side < 2; side++)
            if (k->t[side]->status)
                return tg_fail(k->c->t, k->t[side]->status, "float32: %s", k->t[side]->error);
    }
    return TG_OK;
}

tg_status tg_check_float32(tg_checker *c, tg_tape *trained, tg_gradcheck_result *r) {
    tg_f32_check k = {.c = c, .most_terms = 1, .runs = TG_F32_RUNS};
    if (trained->dtype != TG_F32 && !c->has_custom)
        return TG_OK;
    /* at its own numbers: the checker may have stepped aside */
    tg_tape *single = tg_tape_cast(trained, (tg_dtype)trained->dtype);
    tg_rng_seed(&k.rng, c->config->seed);
    for (int side = 0; side < 2; side++)
        k.t[side] = single ? tg_tape_for(single, side ? TG_F64 : TG_F32) : NULL;
    if (!k.t[0] || !k.t[1])
        tg_fail(c->t, TG_ERR_MEMORY, "out of memory for the float32 kernels");
    else if (replay(c, single))
        tg_fail(c->t, single->status, "float32: %s", single->error);
    else if (!check_operations(&k, single, r) && r->verdict != TG_GRAD_WRONG && trained->dtype == TG_F32)
        check_whole(&k, single, r);
    r->float32 = k.worst;
    for (int side = 0; side < 2; side++)
        tg_tape_free(k.t[side]);
    tg_tape_free(single);
    return c->t->status;
}
