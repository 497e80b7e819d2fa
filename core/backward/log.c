/* Backward as lines of text, for learning how it works: each operation that the loop passes, the norm of its gradient,
 * and the norms of its inputs' gradients after its VJP. */
#include "core/engine.h"
#include "core/walk.h"

#include <math.h>

void tg_log_backward(tg_tape *t, FILE *file) {
    if (!t)
        return;
    t->watch.log = file;
    tg_update_watched(t);
}

static double square(const tg_node *x, ptrdiff_t at) {
    double g = x->dtype == TG_F32 ? (double)((const float *)tg_grad_elements(x))[at]
                                  : ((const double *)tg_grad_elements(x))[at];
    return g * g;
}

double tg_grad_norm(const tg_node *x) {
    double sum = 0;
    tg_walk w;
    tg_walk_begin(&w, x->ndim, x->size, x->window.stride);
    for (int64_t i = 0; i < x->numel; i++, tg_walk_next(&w, 1))
        sum += square(x, w.offset);
    return sqrt(sum);
}

/* "12 matmul (3, 4)", or a leaf's index, name and shape; a custom operation's name may have any bytes */
static void write_tensor(FILE *file, const tg_node *x) {
    char op[64] = "";
    tg_copy_text(op, sizeof op, x->op ? x->op->name : "");
    tg_make_printable(op);
    fprintf(file, "%u %s%s%s", x->index, op, x->op ? " " : "", tg_node_text(x).s);
}

void tg_log_begin(const tg_node *y) {
    fputs("backward from ", y->tape->watch.log);
    write_tensor(y->tape->watch.log, y);
    fputc('\n', y->tape->watch.log);
}

void tg_log_arrived(const tg_node *y) {
    write_tensor(y->tape->watch.log, y);
    fprintf(y->tape->watch.log, ": gradient %.4g", tg_grad_norm(y));
}

/* The gradient of an input with several uses is the sum over the uses passed so far. */
void tg_log_passed_on(const tg_node *y) {
    const char *separator = " -> ";
    for (int i = 0; i < y->n_in; i++) {
        if (!tg_wants(y, i) || !y->in[i]->window.owner->has_grad)
            continue;
        fputs(separator, y->tape->watch.log);
        write_tensor(y->tape->watch.log, y->in[i]);
        fprintf(y->tape->watch.log, " %.4g", tg_grad_norm(y->in[i]));
        separator = ", ";
    }
    fputc('\n', y->tape->watch.log);
}
