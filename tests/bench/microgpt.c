/* examples/microgpt.c beside the same model with a backward pass written by hand, in plain loops for one thread:
 * the same first weights, the same windows, so the same losses; then the time of both in turn.
 *
 * usage: build/microgpt_by_hand [ROUNDS]        (TG_THREADS=1: both on one core) */
int microgpt_main(void);
#define main microgpt_main
#include "examples/microgpt.c"
#include "examples/common/output.h"
#undef main

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { V = 40, F = 4 * C, R = B * T, D = C / HEADS, W_BLOCK = 4 * C + 4 * C * C + C + 2 * C * F + F + C };
enum { W_ALL = V * C + T * C + LAYERS * W_BLOCK + 2 * C + V * C };

/* Weights, or their gradients, as they lie behind one another in the order of tg_parameters. */
typedef struct hand_block {
    float norm_1[2 * C], norm_2[2 * C], query[C * C], key[C * C], value[C * C], out[C * C], out_bias[C];
    float up[F * C], up_bias[F], down[C * F], down_bias[C];
} hand_block;
typedef struct weights {
    float token[V * C], position[T * C];
    hand_block block[LAYERS];
    float norm[2 * C], head[V * C];
} weights;

/* What the forward pass keeps for the backward pass. */
typedef struct normed {
    float x[R * C], y[R * C], r_std[R]; /* x: normalised; y = x w + b */
} normed;
typedef struct kept {
    normed norm_1, norm_2;
    float q[R * C], k[R * C], v[R * C], p[B * HEADS * T * T], y[R * C], h[R * F], g[R * F];
} kept;
typedef struct hand {
    weights w, d, m, v;
    kept kept[LAYERS];
    normed norm;
    float x[R * C], logits[R * V];
    /* gradients, and a transposed weight */
    float dx[R * C], dy[R * C], dq[R * C], dk[R * C], dv[R * C], dh[R * F], turned[F * C];
    int input[R], target[R];
} hand;

/* ---- y = x w^T + b, w (out, in) ---- */

static void linear(hand *s, int in, int out, float *restrict y, const float *restrict x, const float *restrict w,
                   const float *restrict b) {
    float *restrict t = s->turned;
    for (int o = 0; o < out; o++)
        for (int i = 0; i < in; i++)
            t[i * out + o] = w[o * in + i];
    for (int r = 0; r < R; r++, x += in, y += out) {
        for (int o = 0; o < out; o++)
            y[o] = b ? b[o] : 0;
        for (int i = 0; i < in; i++)
            for (int o = 0; o < out; o++)
                y[o] += x[i] * t[i * out + o];
    }
}

/* dx += dy w, dw += dy^T x, db += dy */
static void linear_backward(int in, int out, const float *restrict dy, const float *restrict x, const float *restrict w,
                            float *restrict dx, float *restrict dw, float *restrict db) {
    for (int r = 0; r < R; r++)
        for (int o = 0; o < out; o++)
            for (int i = 0; i < in; i++)
                dx[r * in + i] += dy[r * out + o] * w[o * in + i];
    for (int o = 0; o < out; o++)
        for (int r = 0; r < R; r++)
            for (int i = 0; i < in; i++)
                dw[o * in + i] += dy[r * out + o] * x[r * in + i];
    for (int r = 0; r < R && db; r++)
        for (int o = 0; o < out; o++)
            db[o] += dy[r * out + o];
}

/* ---- layer_norm, w and b behind it ---- */

static void norm(normed *n, const float *restrict x, const float *restrict w) {
    for (int r = 0; r < R; r++, x += C) {
        float mean = 0, var = 0;
        for (int i = 0; i < C; i++)
            mean += x[i] / C;
        for (int i = 0; i < C; i++)
            var += (x[i] - mean) * (x[i] - mean) / C;
        n->r_std[r] = 1 / sqrtf(var + 1e-5f);
        for (int i = 0; i < C; i++) {
            n->x[r * C + i] = (x[i] - mean) * n->r_std[r];
            n->y[r * C + i] = n->x[r * C + i] * w[i] + w[C + i];
        }
    }
}

/* dx += the gradient; g = dy w, dx = (g - mean g - x mean(g x)) / std */
static void norm_backward(const normed *n, const float *restrict dy, const float *restrict w, float *restrict dx,
                          float *restrict dw) {
    for (int r = 0; r < R; r++, dy += C, dx += C) {
        const float *x = n->x + r * C;
        float mean = 0, along = 0;
        for (int i = 0; i < C; i++) {
            mean += dy[i] * w[i] / C;
            along += dy[i] * w[i] * x[i] / C;
            dw[i] += dy[i] * x[i];
            dw[C + i] += dy[i];
        }
        for (int i = 0; i < C; i++)
            dx[i] += (dy[i] * w[i] - mean - x[i] * along) * n->r_std[r];
    }
}

/* ---- causal attention ---- */

static const float scale = 0.25f; /* 1 / sqrt D */

static void attention(kept *s) {
    memset(s->y, 0, sizeof s->y);
    for (int bh = 0; bh < B * HEADS; bh++)
        for (int i = 0; i < T; i++) {
            size_t at = (size_t)(bh / HEADS * T * C + bh % HEADS * D);
            const float *q = s->q + at + i * C, *k = s->k + at, *v = s->v + at;
            float *p = s->p + (bh * T + i) * T, *y = s->y + at + i * C, most = -INFINITY, sum = 0;
            for (int j = 0; j <= i; j++) {
                p[j] = 0;
                for (int e = 0; e < D; e++)
                    p[j] += q[e] * k[j * C + e] * scale;
                most = p[j] > most ? p[j] : most;
            }
            for (int j = 0; j <= i; j++)
                sum += p[j] = expf(p[j] - most);
            for (int j = 0; j <= i; j++) {
                p[j] /= sum;
                for (int e = 0; e < D; e++)
                    y[e] += p[j] * v[j * C + e];
            }
        }
}

/* dP_j = dy . v_j, dS_j = P_j (dP_j - sum P dP) */
static void attention_backward(hand *s, const kept *x, const float *dy_all) {
    for (int bh = 0; bh < B * HEADS; bh++)
        for (int i = 0; i < T; i++) {
            size_t at = (size_t)(bh / HEADS * T * C + bh % HEADS * D);
            const float *q = x->q + at + i * C, *k = x->k + at, *v = x->v + at, *p = x->p + (bh * T + i) * T;
            const float *dy = dy_all + at + i * C;
            float *dq = s->dq + at + i * C, *dk = s->dk + at, *dv = s->dv + at, dp[T], dot = 0;
            for (int j = 0; j <= i; j++) {
                dp[j] = 0;
                for (int e = 0; e < D; e++) {
                    dp[j] += dy[e] * v[j * C + e];
                    dv[j * C + e] += p[j] * dy[e];
                }
                dot += p[j] * dp[j];
            }
            for (int j = 0; j <= i; j++) {
                float ds = p[j] * (dp[j] - dot) * scale;
                for (int e = 0; e < D; e++) {
                    dq[e] += ds * k[j * C + e];
                    dk[j * C + e] += ds * q[e];
                }
            }
        }
}

/* ---- gelu: x Phi(x) ---- */

static void gelu(int n, float *restrict y, const float *restrict x) {
    for (int i = 0; i < n; i++)
        y[i] = 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f));
}

static void gelu_backward(int n, float *restrict dx, const float *restrict x) {
    for (int i = 0; i < n; i++)
        dx[i] *= 0.5f * (1 + erff(x[i] * 0.70710678f)) + x[i] * expf(-0.5f * x[i] * x[i]) * 0.39894228f;
}

/* ---- the model ---- */

static void add(float *restrict x, const float *restrict y) {
    for (int i = 0; i < R * C; i++)
        x[i] += y[i];
}

static void block_forward(hand *s, const hand_block *w, kept *x) {
    norm(&x->norm_1, s->x, w->norm_1);
    linear(s, C, C, x->q, x->norm_1.y, w->query, NULL);
    linear(s, C, C, x->k, x->norm_1.y, w->key, NULL);
    linear(s, C, C, x->v, x->norm_1.y, w->value, NULL);
    attention(x);
    linear(s, C, C, s->dy, x->y, w->out, w->out_bias);
    add(s->x, s->dy);
    norm(&x->norm_2, s->x, w->norm_2);
    linear(s, C, F, x->h, x->norm_2.y, w->up, w->up_bias);
    gelu(R * F, x->g, x->h);
    linear(s, F, C, s->dy, x->g, w->down, w->down_bias);
    add(s->x, s->dy);
}

/* dx: of what comes out, then of what went in; the residual's part is there already */
static void block_backward(hand *s, const hand_block *w, hand_block *d, const kept *x) {
    memset(s->dh, 0, sizeof s->dh);
    linear_backward(F, C, s->dx, x->g, w->down, s->dh, d->down, d->down_bias);
    gelu_backward(R * F, s->dh, x->h);
    memset(s->dy, 0, sizeof s->dy);
    linear_backward(C, F, s->dh, x->norm_2.y, w->up, s->dy, d->up, d->up_bias);
    norm_backward(&x->norm_2, s->dy, w->norm_2, s->dx, d->norm_2);
    memset(s->dy, 0, sizeof s->dy);
    linear_backward(C, C, s->dx, x->y, w->out, s->dy, d->out, d->out_bias);
    memset(s->dq, 0, sizeof s->dq);
    memset(s->dk, 0, sizeof s->dk);
    memset(s->dv, 0, sizeof s->dv);
    attention_backward(s, x, s->dy);
    memset(s->dy, 0, sizeof s->dy);
    linear_backward(C, C, s->dq, x->norm_1.y, w->query, s->dy, d->query, NULL);
    linear_backward(C, C, s->dk, x->norm_1.y, w->key, s->dy, d->key, NULL);
    linear_backward(C, C, s->dv, x->norm_1.y, w->value, s->dy, d->value, NULL);
    norm_backward(&x->norm_1, s->dy, w->norm_1, s->dx, d->norm_1);
}

/* The loss; logits become their gradient. */
static double cross_entropy(hand *s) {
    double loss = 0;
    for (int r = 0; r < R; r++) {
        float *z = s->logits + r * V, most = -INFINITY, sum = 0;
        for (int i = 0; i < V; i++)
            most = z[i] > most ? z[i] : most;
        loss -= (z[s->target[r]] - most) / (double)R;
        for (int i = 0; i < V; i++)
            sum += z[i] = expf(z[i] - most);
        loss += log(sum) / R;
        for (int i = 0; i < V; i++)
            z[i] = (z[i] / sum - (i == s->target[r])) / R;
    }
    return loss;
}

static double forward_and_backward(hand *s) {
    for (int r = 0; r < R; r++)
        for (int i = 0; i < C; i++)
            s->x[r * C + i] = s->w.token[s->input[r] * C + i] + s->w.position[r % T * C + i];
    for (int l = 0; l < LAYERS; l++)
        block_forward(s, &s->w.block[l], &s->kept[l]);
    norm(&s->norm, s->x, s->w.norm);
    linear(s, C, V, s->logits, s->norm.y, s->w.head, NULL);
    double loss = cross_entropy(s);
    memset(&s->d, 0, sizeof s->d);
    memset(s->dy, 0, sizeof s->dy);
    memset(s->dx, 0, sizeof s->dx);
    linear_backward(C, V, s->logits, s->norm.y, s->w.head, s->dy, s->d.head, NULL);
    norm_backward(&s->norm, s->dy, s->w.norm, s->dx, s->d.norm);
    for (int l = LAYERS - 1; l >= 0; l--)
        block_backward(s, &s->w.block[l], &s->d.block[l], &s->kept[l]);
    for (int r = 0; r < R; r++)
        for (int i = 0; i < C; i++) {
            s->d.token[s->input[r] * C + i] += s->dx[r * C + i];
            s->d.position[r % T * C + i] += s->dx[r * C + i];
        }
    return loss;
}

/* The gradients' norm is at most 1; then AdamW. */
static void update(hand *s, int step, float lr) {
    float *restrict w = (float *)&s->w, *restrict d = (float *)&s->d, *restrict m = (float *)&s->m,
                    *restrict v = (float *)&s->v;
    double sum = 0;
    for (int i = 0; i < W_ALL; i++)
        sum += (double)d[i] * d[i];
    float clip = fminf(1, 1 / ((float)sqrt(sum) + 1e-6f));
    float first = 1 - powf(0.9f, (float)step), second = 1 - powf(0.999f, (float)step);
    for (int i = 0; i < W_ALL; i++) {
        float g = d[i] * clip;
        m[i] = 0.9f * m[i] + 0.1f * g;
        v[i] = 0.999f * v[i] + 0.001f * g * g;
        w[i] -= lr * (0.01f * w[i] + m[i] / first / (sqrtf(v[i] / second) + 1e-8f));
    }
}

/* ---- both ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Trains one of them; the losses of all steps. Returns the seconds that this took. */
static double train(bool by_hand, double *loss) {
    tg_tape *t = tg_tape_new(TG_F32);
    hand *s = by_hand ? calloc(1, sizeof *s) : NULL;
    tg_manual_seed(t, 18);
    gpt g = gpt_new(t, V);
    tg_list all = tg_parameters(t);
    float *to = by_hand ? (float *)&s->w : NULL;
    for (int64_t i = 0; by_hand && i < all.n; i++) {
        memcpy(to, tg_data(all.tensor[i]), (size_t)tg_numel(all.tensor[i]) * sizeof *to);
        to += tg_numel(all.tensor[i]);
    }
    tg_optim *adam = tg_adamw_new(t, all, TG_ADAMW_DEFAULTS);
    tg_mark mark = tg_tape_mark(t);
    double begin = now();
    for (int step = 1; step <= STEPS; step++) {
        double lr = tg_lr_warmup_cosine(4e-3, step, 20, STEPS + 1);
        if (by_hand) {
            int64_t start[B];
            if (tg_read_ints(tg_randint(t, 0, N, TG_SHAPE(B)), start, B))
                break;
            for (int r = 0; r < R; r++) {
                s->input[r] = (int)ids[(start[r / T] + r % T) % N];
                s->target[r] = (int)ids[(start[r / T] + r % T + 1) % N];
            }
            loss[step - 1] = forward_and_backward(s);
            update(s, step, (float)lr);
        } else {
            tg_optim_set_lr(adam, lr);
            loss[step - 1] = train_step(&g, t, adam);
        }
        if (tg_tape_rewind(t, mark))
            break;
    }
    double seconds = now() - begin;
    if (tg_tape_status(t)) {
        fprintf(stderr, "%s\n", tg_error(t));
        exit(1);
    }
    free(s);
    tg_tape_free(t);
    return seconds;
}

int main(int argc, char **argv) {
    static double loss[2][STEPS];
    double best[2] = {INFINITY, INFINITY}, apart = 0;
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    if (read_text() != V || sizeof(weights) != W_ALL * sizeof(float) || rounds < 1) {
        fprintf(stderr, "usage: microgpt_by_hand [ROUNDS]\n");
        return 2;
    }
    for (int i = 0; i < rounds; i++)
        for (int by_hand = 0; by_hand < 2; by_hand++)
            best[by_hand] = fmin(best[by_hand], train(by_hand, loss[by_hand]));
    for (int step = 0; step < 20; step++)
        if (!(fabs(loss[0][step] / loss[1][step] - 1) <= apart)) /* a NaN stays */
            apart = fabs(loss[0][step] / loss[1][step] - 1);
    printf(
        "microgpt %.2f s, by hand %.2f s: %.2f times its speed; losses of 20 steps at most %.1e apart, the last %.4f and "
        "%.4f\n",
        best[0], best[1], best[1] / best[0], apart, loss[0][STEPS - 1], loss[1][STEPS - 1]);
    return output_end("microgpt_by_hand", apart < 1e-4 ? 0 : 1);
}
