/* Anomaly mode: finds the operation that made the first NaN or Inf, forward or backward, and the element. */
#include "core/engine.h"

enum { A_NAN = 1, AN_INF = 2 };

void tg_set_anomaly_mode(tg_tape *t, bool on) {
    if (!t)
        return;
    t->modes.anomaly = on;
    tg_update_watched(t);
}

static double element(tg_dtype dtype, const void *data, ptrdiff_t i) {
    return dtype == TG_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* The index of x's first element of one of these kinds, or -1; the elements are at data, with strides `stride`. */
static int64_t find(const tg_node *x, const void *data, const int64_t *stride, int kinds) {
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, stride);
    for (int64_t i = 0; tg_is_floating(x) && i < x->numel; i++, tg_walk_next(&w, 1)) {
        double v = element((tg_dtype)x->dtype, data, w.offset);
        if ((isnan(v) && kinds & A_NAN) || (isinf(v) && kinds & AN_INF))
            return i;
    }
    return -1;
}

/* Hollow inputs were not read. */
static bool an_input_has(const tg_node *y, int kinds) {
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && !y->in[i]->hollow && find(y->in[i], y->in[i]->data, y->in[i]->stride, kinds) >= 0)
            return true;
    return false;
}

typedef struct shapes {
    char s[256];
} shapes;

/* " from (2, 3), W (3, 4)" */
static shapes inputs_text(const tg_node *y) {
    shapes text = {{0}};
    const char *separator = " from ";
    size_t at = 0;
    for (int i = 0; i < y->n_in; i++) {
        if (!y->in[i] || at >= sizeof text.s - 1)
            continue;
        int n = snprintf(text.s + at, sizeof text.s - at, "%s%s", separator, tg_node_text(y->in[i]).s);
        at += n > 0 ? (size_t)n : 0;
        separator = ", ";
    }
    return text;
}

/* An operation makes a NaN if no input has one, and an Inf if no input has a NaN or an Inf. */
tg_status tg_check_forward(const tg_node *y) {
    if (y->op->is_view)
        return TG_OK;
    int64_t nan = find(y, y->data, y->stride, A_NAN), inf = find(y, y->data, y->stride, AN_INF);
    bool new_nan = nan >= 0 && !an_input_has(y, A_NAN);
    bool new_inf = inf >= 0 && !y->op->infinite_ok && !an_input_has(y, A_NAN | AN_INF);
    if (!new_nan && !new_inf)
        return TG_OK;
    bool say_nan = new_nan && (!new_inf || nan < inf);
    return tg_fail(y->tape, TG_ERR_NUMERIC, "%s: forward made %s at element %lld of tensor %u %s%s", y->op->name,
                   say_nan ? "a NaN" : "an Inf", (long long)(say_nan ? nan : inf), y->index, tg_node_text(y).s,
                   inputs_text(y).s);
}

tg_status tg_check_backward(const tg_node *y) {
    for (int i = 0; i < y->n_in; i++) {
        const tg_node *x = y->in[i];
        if (!tg_wants(y, i) || !x->window.owner->has_grad)
            continue;
        int64_t at = find(x, tg_grad_elements(x), x->window.stride, A_NAN | AN_INF);
        if (at >= 0)
            return tg_fail(
                y->tape, TG_ERR_NUMERIC,
                "%s: backward made a NaN or Inf at element %lld of the gradient of operand %d, tensor %u %s; "
                "the result is tensor %u %s",
                y->op->name, (long long)at, i + 1, x->index, tg_node_text(x).s, y->index, tg_node_text(y).s);
    }
    return TG_OK;
}

tg_status tg_check_grad(const tg_node *x, const char *where) {
    int64_t at = find(x, tg_grad_elements(x), x->window.stride, A_NAN | AN_INF);
    return at < 0 ? TG_OK
                  : tg_fail(x->tape, TG_ERR_NUMERIC,
                            "backward: %s put a NaN or Inf at element %lld of the gradient of tensor %u %s", where,
                            (long long)at, x->index, tg_node_text(x).s);
}
