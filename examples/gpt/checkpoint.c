#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

/* The buffer gpt.config: the number of this layout, then the model's sizes; kv_heads only where it is not 0. */
static const char config_name[] = "gpt.config";
enum { LAYOUT = 1, NUMBERS = 9 };
static int64_t numbers_of(const gpt_config *c) { return c->kv_heads ? NUMBERS : NUMBERS - 1; }
static bool is_ours(int64_t numbers) { return numbers == NUMBERS || numbers == NUMBERS - 1; }

const char *config_problem(const gpt_config *c) {
    if (c->family > GPT_2_PUBLISHED)
        return "the family of models is unknown";
    if (c->vocabulary < 1 || c->vocabulary > 1 << 24 || c->context < 1 || c->context > 1 << 20 || c->layers < 1 ||
        c->layers > GPT_MAX_LAYERS || c->heads < 1 || c->width < 1 || c->width > 1 << 16 || c->hidden < 1 ||
        c->hidden > 1 << 18)
        return "a size is out of range";
    if (c->width % c->heads)
        return "--heads does not divide --width";
    if (c->family == LLAMA && c->width / c->heads % 2)
        return "rotary positions turn pairs of channels: --width / --heads must be even";
    if (c->kv_heads && c->family != LLAMA)
        return "--kv-heads is for --preset llama";
    if (c->kv_heads && (c->kv_heads < 1 || c->heads % c->kv_heads))
        return "--kv-heads does not divide --heads";
    return NULL;
}

/* ---- what a file says ---- */

typedef struct contents {
    int64_t config; /* the size of that buffer; 0: there is none */
    tokenizer_sizes tokenizer;
} contents;

static void note(const tg_file_tensor *x, void *context) {
    contents *c = context;
    if (!strcmp(x->name, config_name) && x->shape.ndim == 1)
        c->config = x->shape.size[0];
    tokenizer_find(x, &c->tokenizer);
}

static contents contents_of(const char *path) {
    contents c = {0, {-1, -1}};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, path, note, &c));
    tg_tape_free(t);
    if (!is_ours(c.config))
        die("%s: it holds no model that this program saved", path);
    return c;
}

bool checkpoint_is_ours(const char *path) {
    contents c = {0, {-1, -1}};
    tg_tape *t = tg_tape_new(TG_F32);
    bool readable = tg_list_file(t, path, note, &c) == TG_OK;
    tg_tape_free(t);
    return readable && is_ours(c.config);
}

gpt_config checkpoint_config(const char *path) {
    int64_t n[NUMBERS] = {0}, numbers = contents_of(path).config;
    tg_load_config part = TG_LOAD_DEFAULTS;
    part.allow_extra = true;
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_buffer(t, config_name, tg_from_ints(t, TG_SHAPE(numbers), n));
    must(t, tg_load_with(t, path, part));
    must(t, tg_read_ints(x, n, numbers));
    tg_tape_free(t);
    gpt_config config = {.family = n[1] >= GPT_2 && n[1] <= GPT_2_PUBLISHED ? (gpt_family)n[1] : (gpt_family)99,
                         .vocabulary = n[2],
                         .context = n[3],
                         .layers = n[4],
                         .heads = n[5],
                         .width = n[6],
                         .hidden = n[7],
                         .kv_heads = n[8]};
    const char *problem = n[0] != LAYOUT ? "it was saved by another version" : config_problem(&config);
    if (problem)
        die("%s: %s", path, problem);
    return config;
}

tokenizer checkpoint_tokenizer(const char *path) { return tokenizer_load(path, contents_of(path).tokenizer); }

/* ---- models ---- */

void checkpoint_note_config(checkpoint *c) {
    const gpt_config *config = &c->g.config;
    int64_t n[NUMBERS] = {LAYOUT,        config->family, config->vocabulary, config->context, config->layers,
                          config->heads, config->width,  config->hidden,     config->kv_heads};
    must(c->t, tg_write_ints(tg_named(c->t, config_name), n, numbers_of(config)));
}

checkpoint checkpoint_new(gpt_config config, tokenizer k, uint64_t seed) {
    checkpoint c = {.t = tg_tape_new(TG_F32), .tokenizer = k};
    if (!c.t)
        die("out of memory");
    tg_manual_seed(c.t, seed);
    c.g = gpt_new(c.t, config);
    static const int64_t none[NUMBERS];
    tg_buffer(c.t, config_name, tg_from_ints(c.t, TG_SHAPE(numbers_of(&config)), none));
    tokenizer_store(&k, c.t);
    checkpoint_note_config(&c);
    return c;
}

checkpoint checkpoint_load(const char *path) {
    gpt_config config = checkpoint_config(path);
    tokenizer k = checkpoint_tokenizer(path);
    if (k.vocabulary && k.vocabulary != config.vocabulary)
        die("%s: a model of %lld tokens with a vocabulary of %lld", path, (long long)config.vocabulary,
            (long long)k.vocabulary);
    checkpoint c = checkpoint_new(config, k, 0);
    must(c.t, tg_load(c.t, path));
    tg_eval(c.t);
    return c;
}

void checkpoint_free(checkpoint *c) {
    tg_tape_free(c->t);
    tokenizer_free(&c->tokenizer);
}
