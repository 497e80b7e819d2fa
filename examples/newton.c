/* Newton's method on the loss of hello.c, self-attention that learns six words' first two numbers: each step solves
 * (H + damping I) p = -g by conjugate gradients (Hestenes, Stiefel 1952), which need products H v only, never H. */
#include "nn/nn.h"

#include <math.h>

enum { PARAMETERS = 3, EACH = 6, N = PARAMETERS * EACH };

static const float sentence[] = {
    0.43f, 0.15f, 0.89f, 0.55f, 0.87f, 0.66f, 0.57f, 0.85f, 0.64f,  /* Your journey starts */
    0.22f, 0.58f, 0.33f, 0.77f, 0.25f, 0.10f, 0.05f, 0.80f, 0.55f}; /* with one step */

typedef struct problem {
    tg_tape *t;
    tg_tensor x, y;
    tg_nn_self_attention_v2 attn;
    tg_list p;
    tg_mark model;
} problem;

static tg_tensor loss_of(const problem *m) {
    return tg_mse_loss(tg_nn_self_attention_v2_forward(&m->attn, m->x, NULL), m->y, TG_MEAN);
}

/* All parameters' numbers, one parameter after another. */
static bool gather(const tg_tensor *x, double *out) {
    bool ok = true;
    for (int i = 0; i < PARAMETERS; i++)
        ok = ok && tg_read_doubles(x[i], out + i * EACH, EACH) == TG_OK;
    return ok;
}

static bool hessian_times(const problem *m, tg_tensor loss, const double *v, double *hv) {
    tg_tensor vs[PARAMETERS], hvs[PARAMETERS];
    tg_mark before = tg_tape_mark(m->t);
    for (int i = 0; i < PARAMETERS; i++)
        vs[i] = tg_from_doubles(m->t, tg_shape_of(m->p.tensor[i]), v + i * EACH);
    bool ok = tg_hvp(loss, m->p.tensor, vs, PARAMETERS, hvs) == TG_OK && gather(hvs, hv);
    return ok && tg_tape_rewind(m->t, before) == TG_OK;
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

/* step = -(H + damping I)^-1 g, as far as N products bring it. How many it took; 0 where the loss curves down along
 * some direction, so that more damping is needed; -1: an error. */
static int solve(const problem *m, tg_tensor loss, const double *g, double damping, double *step) {
    double r[N], d[N], hd[N], rr = dot(g, g), first = rr;
    for (int i = 0; i < N; i++) {
        step[i] = 0;
        r[i] = d[i] = -g[i];
    }
    for (int k = 0; k < N; k++) {
        if (!hessian_times(m, loss, d, hd))
            return -1;
        double curvature = dot(d, hd) + damping * dot(d, d), a = rr / curvature, old = rr;
        if (curvature <= 0)
            return 0;
        for (int i = 0; i < N; i++) {
            step[i] += a * d[i];
            r[i] -= a * (hd[i] + damping * d[i]);
        }
        rr = dot(r, r);
        if (rr <= 1e-12 * first)
            return k + 1;
        for (int i = 0; i < N; i++)
            d[i] = r[i] + rr / old * d[i];
    }
    return N;
}

static bool move_to(const problem *m, const double *at, const double *step, double *loss) {
    bool ok = true;
    for (int i = 0; i < PARAMETERS; i++) {
        double p[EACH];
        for (int j = 0; j < EACH; j++)
            p[j] = at[i * EACH + j] + (step ? step[i * EACH + j] : 0);
        ok = ok && tg_write_doubles(m->p.tensor[i], p, EACH) == TG_OK;
    }
    *loss = tg_item(loss_of(m));
    return ok && tg_tape_rewind(m->t, m->model) == TG_OK;
}

/* One step; the damping follows what came of it (Levenberg 1944). */
static bool newton(const problem *m, int k, double *damping) {
    tg_tensor loss = loss_of(m), dxs[PARAMETERS];
    double g[N], step[N], at[N], now = tg_item(loss), next = INFINITY;
    if (tg_gradients(loss, TG_NULL, m->p.tensor, PARAMETERS, dxs) || !gather(dxs, g) || !gather(m->p.tensor, at))
        return false;
    int products = solve(m, loss, g, *damping, step);
    if (products < 0 || tg_tape_rewind(m->t, m->model) || (products && !move_to(m, at, step, &next)))
        return false;
    if (next < now)
        printf("step %2d  loss %.9f -> %.9f  |g| %.1e  damping %.0e  products %2d\n", k, now, next, sqrt(dot(g, g)),
               *damping, products);
    *damping *= next < now ? 0.3 : 4;
    return next < now || !products || move_to(m, at, NULL, &next);
}

int main(void) {
    problem m = {.t = tg_tape_new(TG_F64)};
    tg_manual_seed(m.t, 123);
    m.x = tg_from_floats(m.t, TG_SHAPE(6, 3), sentence);
    m.y = tg_slice(m.x, 1, 0, 2, 1);
    m.attn = tg_nn_self_attention_v2_new(m.t, "attn", 3, 2, false);
    m.p = tg_parameters(m.t);
    m.model = tg_tape_mark(m.t);
    double damping = 0.1;
    for (int k = 1; k <= 80; k++)
        if (!newton(&m, k, &damping))
            return fprintf(stderr, "%s\n", tg_error(m.t)), 1;
    tg_tape_free(m.t);
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return 0;
}
