/* Your own operations learn a poem, character by character, and write: a block of a GPT, out of 05, 07, 08, 09, 10, 11
 * and 16. It is trained twice from the same random numbers, by your operations and by the library's. own.h says which
 * of yours have full marks (in place of the others stand the library's) and which variants they are. */
#include "coursework.h"
#include "optim/optim.h"
#include "own.h"

#include <stdlib.h>
#include <string.h>

static const char poem[] = "Twinkle, twinkle, little star,\n" /* Jane Taylor, 1806 */
                           "How I wonder what you are!\n"
                           "Up above the world so high,\n"
                           "Like a diamond in the sky.\n\n"
                           "When the blazing sun is gone,\n"
                           "When he nothing shines upon,\n"
                           "Then you show your little light,\n"
                           "Twinkle, twinkle, all the night.\n\n"
                           "Then the traveller in the dark\n"
                           "Thanks you for your tiny spark:\n"
                           "He could not see which way to go,\n"
                           "If you did not twinkle so.\n\n";

enum {
    N = sizeof poem - 1,
    T = 24,
    C = 32,
    HEADS = 2,
    D = C / HEADS,
    STEPS = 3000,
    MAX = 128,
    MOST = 2 * C * C,
    CLOSE = 100
};
static const double peak = 5e-3; /* the largest learning rate */

static char alphabet[MAX + 1];
static int64_t letters, letter_of[N];

static void read_poem(void) {
    for (int i = 0; i < N; i++) {
        const char *at = strchr(alphabet, poem[i]);
        if (!at)
            alphabet[letters++] = poem[i];
        letter_of[i] = at ? at - alphabet : letters - 1;
    }
}

/* The course_keep() of tasks, for this program. */
double *course_keep(const char *name, int64_t rows, int64_t columns) {
    static double memory[8][8184];
    static unsigned turn;
    double *x = memory[turn++ % 8];
    (void)name;
    if (rows * columns > 8184)
        abort();
    return memset(x, 0, sizeof memory[0]);
}

/* ---- the operations: yours, and the library's of the same variants ---- */

typedef struct operations {
    tg_tensor (*embedding)(tg_tensor table, tg_tensor ids);
    tg_tensor (*norm)(tg_tensor x, tg_tensor w, tg_tensor b);
    tg_tensor (*linear)(tg_tensor x, tg_tensor W, tg_tensor b);
    tg_tensor (*split)(tg_tensor x);
    tg_tensor (*attention)(tg_tensor q, tg_tensor k, tg_tensor v);
    tg_tensor (*merge)(tg_tensor x);
    tg_tensor (*loss)(tg_tensor logits, tg_tensor right);
    course_adam_step *adam; /* NULL: the library's optimizer */
} operations;

static tg_tensor own_op(const tg_custom_op *op, tg_shape shape, tg_tensor a, tg_tensor b, tg_tensor c,
                        const double *number) {
    return tg_custom(op, (tg_tensor[]){a, b, c}, 1 + !tg_is_null(b) + !tg_is_null(c), shape, number,
                     number ? sizeof *number : 0);
}

static tg_tensor library_embedding(tg_tensor table, tg_tensor ids) {
    tg_tensor rows = tg_embedding(table, ids);
    return VARIANT_16 ? tg_mul_scalar(rows, sqrt(C)) : rows;
}

static const double eps = 1e-5, causal = 1;
static tg_tensor library_norm(tg_tensor x, tg_tensor w, tg_tensor b) {
    return tg_layer_norm(x, VARIANT_07 ? tg_add_scalar(w, 1) : w, b, eps);
}

static tg_tensor library_linear(tg_tensor x, tg_tensor W, tg_tensor b) {
    return tg_linear(x, VARIANT_08 ? tg_transpose(W, 0, 1) : W, b);
}

/* (T, C) as (HEADS, T, D); interleaved in variant 1 */
static tg_tensor library_split(tg_tensor x) {
    return VARIANT_10 ? tg_permute(tg_reshape(x, TG_SHAPE(T, D, HEADS)), TG_DIMS(2, 0, 1))
                      : tg_transpose(tg_reshape(x, TG_SHAPE(T, HEADS, D)), 0, 1);
}
static tg_tensor library_merge(tg_tensor x) {
    return tg_reshape(tg_contiguous(VARIANT_10 ? tg_permute(x, TG_DIMS(1, 2, 0)) : tg_transpose(x, 0, 1)),
                      TG_SHAPE(T, C));
}

static tg_tensor library_attention(tg_tensor q, tg_tensor k, tg_tensor v) {
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, true, 0, VARIANT_09 ? 1.0 / D : 1 / sqrt(D));
}

/* In the unit of the variant: a mean in nats, a sum, a mean in bits. */
static const double unit = VARIANT_05 == 1 ? T : VARIANT_05 == 2 ? 1 / 0.69314718055994531 : 1;
static tg_tensor library_loss(tg_tensor logits, tg_tensor right) {
    return tg_mul_scalar(tg_cross_entropy(logits, right, TG_IGNORE_INDEX, TG_MEAN), unit);
}

static const operations librarys = {library_embedding, library_norm,  library_linear, library_split,
                                    library_attention, library_merge, library_loss,   NULL};

#if OWN_16
static tg_tensor own_embedding(tg_tensor table, tg_tensor ids) {
    return own_op(&embedding_op, TG_SHAPE(T, C), table, ids, TG_NULL, NULL);
}
#else
#define own_embedding library_embedding
#endif
#if OWN_07
static tg_tensor own_norm(tg_tensor x, tg_tensor w, tg_tensor b) {
    return own_op(&layer_norm_op, tg_shape_of(x), x, w, b, &eps);
}
#else
#define own_norm library_norm
#endif
#if OWN_08
static tg_tensor own_linear(tg_tensor x, tg_tensor W, tg_tensor b) {
    return own_op(&linear_op, TG_SHAPE(T, tg_numel(b)), x, W, b, NULL);
}
#else
#define own_linear library_linear
#endif
#if OWN_10
static tg_tensor own_split(tg_tensor x) {
    return own_op(&split_heads_op, TG_SHAPE(HEADS, T, D), x, TG_NULL, TG_NULL, NULL);
}
static tg_tensor own_merge(tg_tensor x) { return own_op(&merge_heads_op, TG_SHAPE(T, C), x, TG_NULL, TG_NULL, NULL); }
#else
#define own_split library_split
#define own_merge library_merge
#endif
#if OWN_09
static tg_tensor own_attention(tg_tensor q, tg_tensor k, tg_tensor v) {
    return own_op(&attention_op, TG_SHAPE(T, D), q, k, v, &causal);
}
#else
#define own_attention library_attention
#endif
#if OWN_05
static tg_tensor own_loss(tg_tensor logits, tg_tensor right) {
    return own_op(&cross_entropy_op, TG_SHAPE(1), logits, right, TG_NULL, NULL);
}
#else
#define own_loss library_loss
#endif
#if OWN_11
#define own_adam adam_step
#else
#define own_adam NULL
#endif

static const operations yours = {own_embedding, own_norm,  own_linear, own_split,
                                 own_attention, own_merge, own_loss,   own_adam};
static const bool all_yours = OWN_05 && OWN_07 && OWN_08 && OWN_09 && OWN_10 && OWN_11 && OWN_16;

/* ---- the model ---- */

enum {
    TOKEN,
    PLACE,
    NORM_1,
    QUERY = 4,
    KEY = 6,
    VALUE = 8,
    OUT = 10,
    NORM_2 = 12,
    UP = 14,
    DOWN = 16,
    NORM_3 = 18,
    HEAD = 20,
    PARAMETERS = 22
};
typedef struct model {
    tg_tape *t;
    tg_tensor p[PARAMETERS];
} model;

/* Normal numbers times scale, plus a number. */
static tg_tensor parameter(tg_tape *t, int i, tg_shape shape, double scale, double plus) {
    static double x[MOST];
    char name[16];
    int64_t n = 1;
    for (int d = 0; d < shape.ndim; d++)
        n *= shape.size[d];
    if (n > MOST || tg_read_doubles(tg_randn(t, shape), x, n))
        return TG_NULL;
    for (int64_t k = 0; k < n; k++)
        x[k] = scale * x[k] + plus;
    snprintf(name, sizeof name, "p%02d", i);
    return tg_parameter(t, name, tg_from_doubles(t, shape, x));
}

static void make_linear(model *m, int at, int64_t in, int64_t out) {
    tg_shape shape = VARIANT_08 ? TG_SHAPE(in, out) : TG_SHAPE(out, in);
    m->p[at] = parameter(m->t, at, shape, 1 / sqrt((double)in), 0);
    m->p[at + 1] = parameter(m->t, at + 1, TG_SHAPE(out), 0, 0);
}

static void make_norm(model *m, int at) {
    m->p[at] = parameter(m->t, at, TG_SHAPE(C), 0, VARIANT_07 ? 0 : 1);
    m->p[at + 1] = parameter(m->t, at + 1, TG_SHAPE(C), 0, 0);
}

static model make_model(void) {
    model m = {.t = tg_tape_new(TG_F64)};
    double wide = VARIANT_16 ? 0.5 / sqrt(C) : 0.5;
    tg_manual_seed(m.t, 7);
    m.p[TOKEN] = parameter(m.t, TOKEN, TG_SHAPE(letters, C), wide, 0);
    m.p[PLACE] = parameter(m.t, PLACE, TG_SHAPE(T, C), wide, 0);
    make_norm(&m, NORM_1);
    make_norm(&m, NORM_2);
    make_norm(&m, NORM_3);
    for (int at = QUERY; at <= OUT; at += 2)
        make_linear(&m, at, C, C);
    make_linear(&m, UP, C, 2 * C);
    make_linear(&m, DOWN, 2 * C, C);
    make_linear(&m, HEAD, C, letters);
    return m;
}

static tg_tensor linear(const operations *by, const model *m, int at, tg_tensor x) {
    return by->linear(x, m->p[at], m->p[at + 1]);
}

static tg_tensor attend(const operations *by, const model *m, tg_tensor x) {
    tg_tensor q = by->split(linear(by, m, QUERY, x)), k = by->split(linear(by, m, KEY, x));
    tg_tensor v = by->split(linear(by, m, VALUE, x)), y[HEADS];
    for (int h = 0; h < HEADS; h++)
        y[h] = by->attention(tg_contiguous(tg_select(q, 0, h)), tg_contiguous(tg_select(k, 0, h)),
                             tg_contiguous(tg_select(v, 0, h)));
    return linear(by, m, OUT, by->merge(tg_stack(y, HEADS, 0)));
}

/* The logits of what follows each of T letters. The sums x + ... and tanh are the library's. */
static tg_tensor logits_of(const operations *by, const model *m, const int64_t *letter) {
    int64_t place[T];
    for (int i = 0; i < T; i++)
        place[i] = i;
    tg_tensor x = tg_add(by->embedding(m->p[TOKEN], tg_from_ints(m->t, TG_SHAPE(T), letter)),
                         by->embedding(m->p[PLACE], tg_from_ints(m->t, TG_SHAPE(T), place)));
    x = tg_add(x, attend(by, m, by->norm(x, m->p[NORM_1], m->p[NORM_1 + 1])));
    tg_tensor up = linear(by, m, UP, by->norm(x, m->p[NORM_2], m->p[NORM_2 + 1]));
    x = tg_add(x, linear(by, m, DOWN, tg_tanh(up)));
    return linear(by, m, HEAD, by->norm(x, m->p[NORM_3], m->p[NORM_3 + 1]));
}

static tg_tensor loss_of(const operations *by, const model *m, int64_t start) {
    tg_tensor right = tg_from_ints(m->t, TG_SHAPE(T), letter_of + start + 1);
    return by->loss(logits_of(by, m, letter_of + start), right);
}

/* ---- training ---- */

typedef struct moments {
    double m[MOST], v[MOST];
} moments;

static bool step_by(course_adam_step *adam, const model *m, moments *state, int step, double lr) {
    static double p[MOST], g[MOST];
    for (int i = 0; i < PARAMETERS; i++) {
        int64_t n = tg_numel(m->p[i]);
        if (n > MOST || tg_read_doubles(m->p[i], p, n) || tg_read_doubles(tg_grad(m->p[i]), g, n))
            return false;
        adam(p, g, state[i].m, state[i].v, n, step, lr, 0.9, 0.999, VARIANT_11 ? 1e-16 : 1e-8);
        if (tg_write_doubles(m->p[i], p, n))
            return false;
    }
    return true;
}

static double rate(int step) {
    return peak * fmin(1, step / 50.0) * fmin(1, fmax(0.02, (STEPS - step) / (0.5 * STEPS)));
}

/* losses in nats for each letter. false: the tape's error says why. */
static bool learn(const operations *by, model *m, double *losses) {
    static moments state[PARAMETERS];
    unsigned random = 1;
    tg_optim *librarys_adam = tg_adam_new(m->t, tg_parameters(m->t), TG_ADAM_DEFAULTS);
    tg_mark start = tg_tape_mark(m->t);
    bool good = true;
    memset(state, 0, sizeof state);
    for (int s = 0; s < STEPS && good; s++) {
        random = random * 1664525u + 1013904223u;
        tg_tensor loss = loss_of(by, m, (random >> 8) % (N - T));
        losses[s] = tg_item(loss) / unit;
        tg_zero_grads(m->t);
        tg_optim_set_lr(librarys_adam, rate(s + 1));
        good = !tg_backward(loss) &&
               (by->adam ? step_by(by->adam, m, state, s + 1, rate(s + 1)) : !tg_optim_step(librarys_adam));
        good = good && !tg_tape_rewind(m->t, start);
    }
    return good;
}

/* Over the whole poem, window by window. */
static double whole_loss(const operations *by, model *m) {
    double sum = 0;
    int n = 0;
    tg_mark start = tg_tape_mark(m->t);
    tg_no_grad_begin(m->t);
    for (int64_t at = 0; at + T < N; at += T / 2, n++) {
        sum += tg_item(loss_of(by, m, at)) / unit;
        (void)tg_tape_rewind(m->t, start);
    }
    tg_no_grad_end(m->t);
    return sum / n;
}

/* The letter after the last of `letter`, drawn by the model's probabilities at the temperature 0.6. */
static int64_t next_letter(const operations *by, model *m, const int64_t *letter, unsigned *random) {
    static double logit[T * MAX];
    tg_mark start = tg_tape_mark(m->t);
    tg_no_grad_begin(m->t);
    tg_tensor all = logits_of(by, m, letter);
    bool good = !tg_read_doubles(all, logit, T * letters);
    tg_no_grad_end(m->t);
    (void)tg_tape_rewind(m->t, start);
    const double *last = logit + (T - 1) * letters;
    double sum = 0, max = last[0], at;
    for (int64_t i = 1; i < letters; i++)
        max = fmax(max, last[i]);
    for (int64_t i = 0; i < letters; i++)
        sum += exp((last[i] - max) / 0.6);
    *random = *random * 1664525u + 1013904223u;
    at = (*random >> 8) / 16777216.0 * sum;
    int64_t i = 0;
    while (good && i + 1 < letters && (at -= exp((last[i] - max) / 0.6)) > 0)
        i++;
    return i;
}

static void write_text(const operations *by, model *m, int length) {
    int64_t letter[T];
    unsigned random = 3;
    memcpy(letter, letter_of + N - T, sizeof letter);
    for (int i = 0; i < length; i++) {
        int64_t next = next_letter(by, m, letter, &random);
        printf("%c", alphabet[next]);
        memmove(letter, letter + 1, (T - 1) * sizeof *letter);
        letter[T - 1] = next;
    }
    printf("\n\n");
}

/* ---- both, side by side ---- */

/* The largest relative difference within the first steps; later ones depend on the last digits. */
static double apart(const double *a, const double *b) {
    double worst = 0;
    for (int s = 0; s < CLOSE; s++)
        worst = fmax(worst, fabs(a[s] - b[s]) / fabs(b[s]));
    return worst;
}

static void print_losses(const double *mine, const double *right) {
    printf("  step     yours       the library's\n");
    for (int s = 0; s < STEPS; s = s ? s < CLOSE ? CLOSE : s + 725 : 1)
        printf("  %4d  %10.6f    %10.6f\n", s + 1, mine[s], right[s]);
}

int main(void) {
    static double mine[STEPS], right[STEPS];
    read_poem();
    model m = make_model(), l = make_model();
    printf("learning %d letters of %lld kinds, by %s ...\n\n", N, (long long)letters,
           all_yours ? "your operations" : "those of your operations that have full marks");
    fflush(stdout);
    if (!learn(&yours, &m, mine) || !learn(&librarys, &l, right)) {
        printf("it stopped: %s\n", tg_tape_status(m.t) ? tg_error(m.t) : tg_error(l.t));
        return 1;
    }
    print_losses(mine, right);
    printf("\nthe poem, in nats for each letter: %.4f by yours, %.4f by the library's (untrained %.4f)\n\n",
           whole_loss(&yours, &m), whole_loss(&librarys, &l), log((double)letters));
    printf("your operations write:\n\n");
    write_text(&yours, &m, 260);
    double most = apart(mine, right);
    printf("In the first %d steps your losses and the library's differ by at most %.0e of their size.\n", CLOSE, most);
    tg_tape_free(m.t);
    tg_tape_free(l.t);
    return !(most < 1e-3); /* sums in float: about 1e-5 */
}
