/* Of mistakes in float32 kernels alone (faults.c): how far a gradient may be off, and programs whose operands have the
 * sizes at which such kernels go wrong. */
#include "core/gradcheck/float32.h"
#include "fault_kinds.h"

#include <stdlib.h>

/* ---- the bound in tapegrad.h: A(n) (D + u |value| + 2^-126 S) + 8 u S ---- */

enum { RUNS = 32 };

/* The operation alone in float64, with the operands and the dy that float32 has. */
typedef struct twin {
    tg_tape *t;
    tg_node *y, *x[UINT8_MAX];
    double *own[UINT8_MAX], *own_dy;
    tg_tensor dy;
} twin;

static double *copy(const double *x, int64_t n) {
    double *p = malloc((size_t)n * sizeof *p + 1);
    if (!p)
        exit(EXIT_FAILURE);
    memcpy(p, x, (size_t)n * sizeof *p);
    return p;
}

static void open_twin(twin *w, const tg_node *y) {
    tg_shape shape = tg_shape_from(y);
    *w = (twin){.t = tg_tape_for(y->tape, TG_F64)};
    w->y = tg_copy_alone(w->t, y, false, w->x);
    w->dy = tg_from_floats(w->t, shape, y->grad);
    if (!w->y || tg_is_null(w->dy))
        exit(EXIT_FAILURE);
    w->own_dy = copy(w->t->nodes[w->dy.index]->data, y->numel);
    for (int i = 0; i < y->n_in; i++)
        if (w->x[i] && tg_is_floating(w->x[i]))
            w->own[i] = copy(w->x[i]->base->data, tg_span(w->x[i]->base));
}

static void close_twin(twin *w) {
    for (int i = 0; i < w->y->n_in; i++)
        free(w->own[i]);
    free(w->own_dy);
    tg_tape_free(w->t);
}

/* Operands and dy move by about u of their size. */
static void move_operands(twin *w, int run) {
    for (int i = 0; i < w->y->n_in; i++)
        if (w->own[i])
            tg_f32_move(tg_span(w->x[i]->base), w->x[i]->base->data, w->own[i], run, (uint64_t)i + 1);
    tg_f32_move(w->y->numel, w->t->nodes[w->dy.index]->data, w->own_dy, run, UINT8_MAX + 1);
}

/* So do the result and what forward saved, but for decisions. */
static void move_results(twin *w, int run) {
    tg_node *y = w->y;
    if (y->op->branches[TG_F64] || y->base != y)
        return;
    tg_f32_move(y->numel, y->data, y->data, run, UINT8_MAX + 2);
    if (y->saved)
        tg_f32_move(y->n_saved, y->saved, y->saved, run, UINT8_MAX + 3);
}

/* The gradient of operand k, with everything moved (run > 0); false where other branches are taken. */
static bool run_moved(twin *w, int run, int k, uint64_t *branches, double *g) {
    uint64_t had = *branches;
    tg_zero_grads(w->t);
    if (run)
        move_operands(w, run);
    if (!w->y->op->is_view && tg_run_forward(w->y))
        exit(EXIT_FAILURE);
    *branches = tg_f32_branches(w->y);
    if (run)
        move_results(w, run);
    if (tg_backward_with(tg_handle(w->y), w->dy))
        exit(EXIT_FAILURE);
    tg_node *x = w->x[k];
    memset(g, 0, (size_t)x->numel * sizeof *g);
    if (x->gowner->has_grad)
        tg_copy_out(x, tg_grad_elements(x), x->gstride, g);
    return *branches == had;
}

static double largest(const double *x, int64_t n) {
    double most = 1;
    for (int64_t j = 0; j < n; j++)
        most = isfinite(x[j]) ? fmax(most, fabs(x[j])) : most;
    return most;
}

/* S: the largest operand times the largest dy. */
static double size_of(const twin *w) {
    double most = 1;
    for (int i = 0; i < w->y->n_in; i++)
        if (w->own[i])
            most = fmax(most, largest(w->own[i], tg_span(w->x[i]->base)));
    return most * largest(w->own_dy, w->y->numel);
}

double times_float32_bound(const tg_node *y, int k, const double *right, const double *wrong) {
    const double u = 0x1p-24;
    int64_t n = y->in[k]->numel;
    double *value = copy(right, n), *moved = copy(right, n), *now = copy(right, n), most = 0;
    uint64_t branches = 0, other;
    twin w;
    open_twin(&w, y);
    run_moved(&w, 0, k, &branches, value);
    memset(moved, 0, (size_t)n * sizeof *moved);
    for (int i = 1; i <= RUNS; i++) {
        other = branches;
        for (int64_t j = 0, same = run_moved(&w, i, k, &other, now); same && j < n; j++)
            moved[j] = fmax(moved[j], fabs(now[j] - value[j]));
    }
    double terms = tg_f32_terms(y, k), size = size_of(&w), a = 8 * sqrt(terms) + terms;
    if (tg_is_custom(y))
        a = 8 * sqrt(terms) + terms * sqrt(terms) / 4;
    for (int64_t j = 0; j < n; j++) {
        double bound = a * (moved[j] + u * fabs(value[j]) + 0x1p-126 * size);
        bound += tg_f32_cancels_in_gradient(y, k) ? 8 * u * size : 0;
        double times = fabs(wrong[j] - right[j]) / bound;
        most = isnan(times) ? most : fmax(most, times);
    }
    close_twin(&w);
    free(value);
    free(moved);
    free(now);
    return most;
}

/* ---- sizes ---- */

/* One that ends in the middle of a vector, at the end of a tile, one element behind it. */
static int64_t draw_size(tg_rng_state *g) {
    static const int64_t sizes[] = {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 63, 64, 65, 96, 127, 129};
    return sizes[tg_rng_random(g) % (sizeof sizes / sizeof *sizes)];
}

static tg_tensor ids(tg_tape *t, int64_t n, int64_t below, tg_rng_state *g) {
    int64_t id[160];
    for (int64_t i = 0; i < n; i++)
        id[i] = (int64_t)(tg_rng_random(g) % (uint64_t)below);
    return tg_from_ints(t, TG_SHAPE(n), id);
}

static tg_tensor attention(tg_tape *t, int64_t rows, int64_t columns, int form) {
    tg_tensor x[3];
    for (int i = 0; i < 3; i++)
        x[i] = tg_probe_leaf(t, TG_SHAPE(2, rows, columns < 32 ? columns : columns / 4));
    return tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, form == 1, form == 2 ? 0.3 : 0, 0);
}

tg_tensor sized_program(tg_tape *t, int number, tg_rng_state *g) {
    int64_t r = draw_size(g), c = draw_size(g), n = draw_size(g);
    r = r > 33 && c > 33 ? r / 4 : r;
    tg_tensor x = tg_probe_leaf(t, TG_SHAPE(r, c));
    switch (number) {
    case 0: return tg_exp(x);
    case 1: return tg_gelu(x);
    case 2: return tg_gelu_tanh(x);
    case 3: return tg_silu(x);
    case 4: return tg_tanh(x);
    case 5: return tg_matmul(x, tg_probe_leaf(t, TG_SHAPE(c, n)));
    case 6: return tg_matmul(tg_unsqueeze(x, 0), tg_probe_leaf(t, TG_SHAPE(3, c, 5)));
    case 7: return tg_linear(x, tg_probe_leaf(t, TG_SHAPE(n, c)), tg_probe_leaf(t, TG_SHAPE(n)));
    case 8: return tg_layer_norm(x, tg_probe_leaf(t, TG_SHAPE(c)), tg_probe_leaf(t, TG_SHAPE(c)), 1e-5);
    case 9: return tg_rms_norm(x, tg_probe_leaf(t, TG_SHAPE(c)), 1e-5);
    case 10: return tg_softmax(x, -1);
    case 11: return tg_softmax(x, 0);
    case 12: return tg_log_softmax(x, -1);
    case 13: return attention(t, r, c, 0);
    case 14: return attention(t, r, c, 1);
    case 15: return attention(t, r, c, 2);
    case 16: return tg_cross_entropy(x, ids(t, r, c, g), -100, TG_MEAN);
    case 17: return tg_mul(x, tg_probe_leaf(t, TG_SHAPE(c)));
    case 18: return tg_div(x, tg_probe_leaf(t, TG_SHAPE(r, 1)));
    case 19: return tg_mean(x, TG_DIMS(1), false);
    case 20: return tg_sum(x, TG_DIMS(0), false);
    case 21: return tg_embedding(x, ids(t, n, r, g));
    case 22: return tg_cumsum(x, 1);
    case 23: return tg_swiglu(x, tg_probe_leaf(t, TG_SHAPE(r, c)));
    case 24: return tg_bias_gelu(x, tg_probe_leaf(t, TG_SHAPE(c)));
    case 25: return tg_logsumexp(x, TG_DIMS(1), false);
    case 26: return tg_var(x, TG_DIMS(1), 0, false);
    case 27: return tg_mse_loss(x, tg_probe_leaf(t, TG_SHAPE(r, c)), TG_MEAN);
    case 28: return tg_add(tg_transpose(x, 0, 1), tg_probe_leaf(t, TG_SHAPE(r)));
    default: return TG_NULL;
    }
}
