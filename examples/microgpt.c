/* The smallest complete GPT: it learns a sonnet by heart, character by character, and recites it.
 *
 * Data: Shakespeare's sonnet 18 (1609), 621 characters of 40 kinds. Model: 2 blocks of width 64, 4 heads, a context of
 * 32 characters; 107,000 parameters. Training: 500 steps of AdamW on 16 windows each. */
#include "nn/nn.h"
#include "optim/optim.h"

#include <string.h>

static const char text[] = "Shall I compare thee to a summer's day?\n"
                           "Thou art more lovely and more temperate:\n"
                           "Rough winds do shake the darling buds of May,\n"
                           "And summer's lease hath all too short a date;\n"
                           "Sometime too hot the eye of heaven shines,\n"
                           "And often is his gold complexion dimm'd;\n"
                           "And every fair from fair sometime declines,\n"
                           "By chance or nature's changing course untrimm'd;\n"
                           "But thy eternal summer shall not fade,\n"
                           "Nor lose possession of that fair thou ow'st;\n"
                           "Nor shall death brag thou wander'st in his shade,\n"
                           "When in eternal lines to time thou grow'st:\n"
                           "So long as men can breathe or eyes can see,\n"
                           "So long lives this, and this gives life to thee.\n";

enum { N = sizeof text - 1, LAYERS = 2, HEADS = 4, C = 64, T = 32, B = 16, STEPS = 500 };

/* ---- the model ---- */

typedef struct block {
    tg_nn_layer_norm norm_1, norm_2;
    tg_nn_multi_head_attention attention;
    tg_nn_linear up, down;
} block;

typedef struct gpt {
    tg_nn_embedding token, position;
    block blocks[LAYERS];
    tg_nn_layer_norm norm;
    tg_nn_linear head;
} gpt;

static block block_new(tg_tape *t, int i) {
    tg_name_push(t, "blocks.%d", i);
    block b = {.norm_1 = tg_nn_layer_norm_new(t, "norm_1", C, true),
               .norm_2 = tg_nn_layer_norm_new(t, "norm_2", C, true),
               .attention = tg_nn_multi_head_attention_new(t, "attention", C, C, T, 0, HEADS, false),
               .up = tg_nn_linear_new(t, "up", C, 4 * C, true),
               .down = tg_nn_linear_new(t, "down", 4 * C, C, true)};
    tg_name_pop(t);
    return b;
}

static gpt gpt_new(tg_tape *t, int64_t vocabulary) {
    gpt g = {.token = tg_nn_embedding_new(t, "token", vocabulary, C),
             .position = tg_nn_embedding_new(t, "position", T, C)};
    for (int i = 0; i < LAYERS; i++)
        g.blocks[i] = block_new(t, i);
    g.norm = tg_nn_layer_norm_new(t, "norm", C, true);
    g.head = tg_nn_linear_new(t, "head", C, vocabulary, false);
    return g;
}

/* ids (B, n), n at most T -> logits (B, n, vocabulary) */
static tg_tensor gpt_forward(const gpt *g, tg_tape *t, tg_tensor ids) {
    tg_tensor position = tg_arange(t, tg_size(ids, -1));
    tg_tensor x = tg_add(tg_nn_embedding_forward(&g->token, ids), tg_nn_embedding_forward(&g->position, position));
    for (int i = 0; i < LAYERS; i++) {
        const block *b = &g->blocks[i];
        x = tg_add(x, tg_nn_multi_head_attention_forward(&b->attention, tg_nn_layer_norm_forward(&b->norm_1, x), NULL));
        tg_tensor h = tg_gelu(tg_nn_linear_forward(&b->up, tg_nn_layer_norm_forward(&b->norm_2, x)));
        x = tg_add(x, tg_nn_linear_forward(&b->down, h));
    }
    return tg_nn_linear_forward(&g->head, tg_nn_layer_norm_forward(&g->norm, x));
}

/* ---- the data ---- */

static char letters[N]; /* the id of a character is its place here */
static int64_t ids[N];

static int64_t read_text(void) {
    int64_t n = 0;
    for (int i = 0; i < N; i++) {
        const char *at = memchr(letters, text[i], (size_t)n);
        ids[i] = at ? at - letters : n;
        if (!at)
            letters[n++] = text[i];
    }
    return n;
}

/* B windows of T characters, or the characters after each; after the end it begins again. */
static tg_tensor windows(tg_tape *t, const int64_t *start, int shift) {
    int64_t batch[B * T];
    for (int i = 0; i < B * T; i++)
        batch[i] = ids[(start[i / T] + i % T + shift) % N];
    return tg_from_ints(t, TG_SHAPE(B, T), batch);
}

/* ---- training, reciting ---- */

static double train_step(const gpt *g, tg_tape *t, tg_optim *adam) {
    int64_t start[B];
    if (tg_read_ints(tg_randint(t, 0, N, TG_SHAPE(B)), start, B))
        return -1;
    tg_tensor logits = gpt_forward(g, t, windows(t, start, 0));
    tg_tensor loss = tg_cross_entropy(logits, windows(t, start, 1), TG_IGNORE_INDEX, TG_MEAN);
    tg_optim_zero_grad(adam);
    if (tg_backward(loss) || tg_clip_grad_norm(tg_parameters(t), 1, 2, NULL) || tg_optim_step(adam))
        return -1;
    return tg_item(loss);
}

/* From the first T characters on, the likeliest next one, again and again. */
static void recite(const gpt *g, tg_tape *t, tg_mark model) {
    int64_t said[N];
    memcpy(said, ids, T * sizeof *ids);
    tg_no_grad_begin(t);
    for (int n = T; n < N; n++) {
        tg_tensor logits = gpt_forward(g, t, tg_from_ints(t, TG_SHAPE(1, T), said + n - T));
        if (tg_read_ints(tg_argmax(tg_select(logits, 1, -1), -1, false), said + n, 1))
            return;
        tg_tape_rewind(t, model);
    }
    tg_no_grad_end(t);
    for (int n = 0; n < N; n++)
        putchar(letters[said[n]]);
}

int main(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 18);
    gpt g = gpt_new(t, read_text());
    tg_optim *adam = tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS);
    tg_mark model = tg_tape_mark(t);
    for (int step = 1; step <= STEPS && !tg_tape_status(t); step++) {
        tg_optim_set_lr(adam, tg_lr_warmup_cosine(4e-3, step, 20, STEPS + 1));
        double loss = train_step(&g, t, adam);
        if (step % 50 == 0)
            printf("step %3d  loss %.4f\n", step, loss);
        tg_tape_rewind(t, model);
    }
    recite(&g, t, model);
    if (tg_tape_status(t))
        return fprintf(stderr, "%s\n", tg_error(t)), 1;
    tg_tape_free(t);
    if (fflush(stdout) || ferror(stdout))
        return fprintf(stderr, "the output could not be written\n"), 1;
    return 0;
}
