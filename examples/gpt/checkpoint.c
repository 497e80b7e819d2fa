#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The buffer gpt.config: the layout's version, then the model's sizes; kv_heads only if not 0. */
static const char config_name[] = "gpt.config";
enum { LAYOUT = 1, NUMBERS = 9 };
static int64_t numbers_of(const gpt_config *c) { return c->kv_heads ? NUMBERS : NUMBERS - 1; }
static bool is_ours(int64_t numbers) { return numbers == NUMBERS || numbers == NUMBERS - 1; }

/* The buffer gpt.llama, present when a field of gpt_llama is not 0 or texts begin or end with a token: the integers,
 * then the bits of the reals. */
static const char llama_name[] = "gpt.llama";
enum { LLAMA_WHOLE = 15, LLAMA_REAL = 11, LLAMA_NUMBERS = LLAMA_WHOLE + LLAMA_REAL };

static void llama_to_numbers(const gpt_config *c, int64_t *n) {
    const gpt_llama *l = &c->llama;
    const tg_rope_scaling *s = &l->scaling;
    const int64_t whole[LLAMA_WHOLE] = {l->head_width, l->window,    l->window_from, l->qkv_bias, l->out_bias,
                                        l->mlp_bias,   l->head_norm, l->untied,      s->type,     s->truncate,
                                        c->begin,      c->end[0],    c->end[1],      c->end[2],   c->end[3]};
    const double real[LLAMA_REAL] = {
        l->norm_eps,         l->rope_base,        s->factor,        s->original_max_position_embeddings,
        s->low_freq_factor,  s->high_freq_factor, s->beta_fast,     s->beta_slow,
        s->attention_factor, s->mscale,           s->mscale_all_dim};
    memcpy(n, whole, sizeof whole);
    memcpy(n + LLAMA_WHOLE, real, sizeof real);
}

static gpt_llama llama_of_numbers(const int64_t *n) {
    double x[LLAMA_REAL];
    memcpy(x, n + LLAMA_WHOLE, sizeof x);
    return (gpt_llama){.head_width = n[0],
                       .window = n[1],
                       .window_from = n[2],
                       .qkv_bias = n[3] != 0,
                       .out_bias = n[4] != 0,
                       .mlp_bias = n[5] != 0,
                       .head_norm = n[6] != 0,
                       .untied = n[7] != 0,
                       .norm_eps = x[0],
                       .rope_base = x[1],
                       .scaling = {.type = (tg_rope_type)n[8],
                                   .truncate = n[9] != 0,
                                   .factor = x[2],
                                   .original_max_position_embeddings = x[3],
                                   .low_freq_factor = x[4],
                                   .high_freq_factor = x[5],
                                   .beta_fast = x[6],
                                   .beta_slow = x[7],
                                   .attention_factor = x[8],
                                   .mscale = x[9],
                                   .mscale_all_dim = x[10]}};
}

static bool is_preset(const gpt_config *c) {
    int64_t n[LLAMA_NUMBERS];
    static const int64_t none[LLAMA_NUMBERS];
    llama_to_numbers(c, n);
    return !memcmp(n, none, sizeof n);
}

static bool is_token(const gpt_config *c, int64_t id_plus_1) { return id_plus_1 >= 0 && id_plus_1 <= c->vocabulary; }

static const char *llama_problem(const gpt_config *c) {
    const gpt_llama *l = &c->llama;
    if (l->head_width < 0 || l->head_width > 1 << 16 || l->window < 0 || l->window > 1 << 30 || l->window_from < 0 ||
        l->window_from > c->layers)
        return "a head's width, or a window, is out of range";
    if (!(l->norm_eps >= 0 && l->norm_eps < 1) || !(l->rope_base >= 0 && l->rope_base < 1e15))
        return "the norms' eps, or the rotary base, is out of range";
    if ((int)l->scaling.type < 0 || (int)l->scaling.type > (int)TG_ROPE_YARN)
        return "the scaling of rotary frequencies is unknown";
    return NULL;
}

static const char *ends_problem(const gpt_config *c) {
    for (int i = 0; i < GPT_MOST_ENDS; i++)
        if (!is_token(c, c->end[i]) || !is_token(c, c->begin))
            return "a text's beginning or end is no token";
    return NULL;
}

static const char *problem_of(const char *format, ...) TG_PRINTF(1, 2);
static const char *problem_of(const char *format, ...) {
    static char line[500];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return line;
}

static const char *not_divided(const char *part, int64_t parts, const char *whole, int64_t of) {
    return problem_of("%s %lld does not divide %s %lld", part, (long long)parts, whole, (long long)of);
}

/* The library's error for these rotary positions. */
static const char *rope_problem(const gpt_config *c) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = gpt_turn(c, tg_zeros(t, TG_SHAPE(1, gpt_head_width(c))), 0);
    const char *why = tg_is_null(y) ? problem_of("%s", t ? tg_error(t) : "out of memory") : NULL;
    tg_tape_free(t);
    return why;
}

static const char *heads_problem(const gpt_config *c, const size_names *n) {
    if (!c->llama.head_width && c->width % c->heads)
        return not_divided(n->heads, c->heads, n->width, c->width);
    if (c->family == LLAMA && gpt_head_width(c) % 2)
        return problem_of("rotary positions turn pairs of channels: %s %lld must be even", n->head_width,
                          (long long)gpt_head_width(c));
    if (c->kv_heads && c->family != LLAMA)
        return problem_of("%s is for --preset llama", n->kv_heads);
    if (c->kv_heads && (c->kv_heads < 1 || c->heads % c->kv_heads))
        return not_divided(n->kv_heads, c->kv_heads, n->heads, c->heads);
    return NULL;
}

const char *config_problem_in(const gpt_config *c, const size_names *names) {
    if (c->family > GPT_2_PUBLISHED)
        return "the family of models is unknown";
    if (c->vocabulary < 1 || c->vocabulary > 1 << 24 || c->context < 1 || c->context > 1 << 20 || c->layers < 1 ||
        c->layers > GPT_MAX_LAYERS || c->heads < 1 || c->width < 1 || c->width > 1 << 16 || c->hidden < 1 ||
        c->hidden > 1 << 18)
        return "a size is out of range";
    if (c->family == LLAMA && llama_problem(c))
        return llama_problem(c);
    if (c->family != LLAMA && !is_preset(&(gpt_config){.llama = c->llama}))
        return "what Llama's family has is not for this one";
    const char *why = ends_problem(c);
    why = why ? why : heads_problem(c, names);
    return why || c->family != LLAMA ? why : rope_problem(c);
}

const char *config_problem(const gpt_config *c) {
    static const size_names options = {"--width", "--heads", "--kv-heads", "--width / --heads"};
    return config_problem_in(c, &options);
}

/* ---- a file's description ---- */

typedef struct contents {
    int64_t config, llama; /* the sizes of these buffers; 0: absent */
    tokenizer_sizes tokenizer;
    bool adapters;
} contents;

static void note(const tg_file_tensor *x, void *context) {
    contents *c = context;
    if (!strcmp(x->name, config_name) && x->shape.ndim == 1)
        c->config = x->shape.size[0];
    if (!strcmp(x->name, llama_name) && x->shape.ndim == 1)
        c->llama = x->shape.size[0];
    tokenizer_find(x, &c->tokenizer);
    c->adapters = c->adapters || strstr(x->name, ".lora_A.weight");
}

/* Common mistakes for a checkpoint: a folder of transformers, or a JSON file, which the library would take for an
 * index. */
static void refuse_others(const char *path) {
    struct stat s;
    if (!stat(path, &s) && S_ISDIR(s.st_mode))
        die("%s: it is a folder, and no checkpoint; `gpt import` makes one of it", path);
    FILE *file = !stat(path, &s) && S_ISREG(s.st_mode) ? fopen(path, "rb") : NULL;
    int first = file ? getc(file) : EOF;
    if (file)
        fclose(file);
    if (first == '{')
        die("%s: it is JSON, and no checkpoint", path);
}

static contents contents_of(const char *path) {
    refuse_others(path);
    contents c = {.tokenizer = {-1, -1, -1}};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, path, note, &c));
    tg_tape_free(t);
    if (!is_ours(c.config) || (c.llama && c.llama != LLAMA_NUMBERS))
        die("%s: it holds no model that this program saved", path);
    return c;
}

bool checkpoint_is_ours(const char *path) {
    contents c = {.tokenizer = {-1, -1, -1}};
    tg_tape *t = tg_tape_new(TG_F32);
    bool readable = tg_list_file(t, path, note, &c) == TG_OK;
    tg_tape_free(t);
    return readable && is_ours(c.config);
}

gpt_config checkpoint_config(const char *path) {
    contents there = contents_of(path);
    int64_t n[NUMBERS] = {0}, more[LLAMA_NUMBERS] = {0}, numbers = there.config;
    tg_load_config part = TG_LOAD_DEFAULTS;
    part.allow_extra = true;
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_buffer(t, config_name, tg_from_ints(t, TG_SHAPE(numbers), n));
    tg_tensor y = tg_from_ints(t, TG_SHAPE(LLAMA_NUMBERS), more);
    if (there.llama)
        y = tg_buffer(t, llama_name, y);
    must(t, tg_load_with(t, path, part));
    must(t, tg_read_ints(x, n, numbers));
    must(t, tg_read_ints(y, more, LLAMA_NUMBERS));
    tg_tape_free(t);
    gpt_config config = {.family = n[1] >= GPT_2 && n[1] <= GPT_2_PUBLISHED ? (gpt_family)n[1] : (gpt_family)99,
                         .vocabulary = n[2],
                         .context = n[3],
                         .layers = n[4],
                         .heads = n[5],
                         .width = n[6],
                         .hidden = n[7],
                         .kv_heads = n[8],
                         .begin = more[10],
                         .end = {more[11], more[12], more[13], more[14]},
                         .llama = llama_of_numbers(more)};
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
    int64_t more[LLAMA_NUMBERS];
    llama_to_numbers(config, more);
    if (!is_preset(config))
        must(c->t, tg_write_ints(tg_named(c->t, llama_name), more, LLAMA_NUMBERS));
}

checkpoint checkpoint_new(gpt_config config, tokenizer k, uint64_t seed) {
    checkpoint c = {.t = tg_tape_new(TG_F32), .tokenizer = k};
    if (!c.t)
        die("out of memory");
    tg_manual_seed(c.t, seed);
    c.g = gpt_new(c.t, config);
    static const int64_t none[LLAMA_NUMBERS];
    tg_buffer(c.t, config_name, tg_from_ints(c.t, TG_SHAPE(numbers_of(&config)), none));
    if (!is_preset(&config))
        tg_buffer(c.t, llama_name, tg_from_ints(c.t, TG_SHAPE(LLAMA_NUMBERS), none));
    tokenizer_store(&k, c.t);
    checkpoint_note_config(&c);
    return c;
}

static void refuse_adapters(const char *path) {
    if (contents_of(path).adapters)
        die("%s is a run of `gpt finetune` with adapters: its --resume saves them in a folder, for --adapter beside the "
            "checkpoint that they were trained on, or for `gpt export` to merge",
            path);
}

checkpoint checkpoint_load(const char *path) {
    refuse_adapters(path);
    gpt_config config = checkpoint_config(path);
    tokenizer k = checkpoint_tokenizer(path);
    if (k.vocabulary && !(k.bpe ? k.vocabulary <= config.vocabulary : k.vocabulary == config.vocabulary))
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

static bool is_finite(tg_tensor x) {
    const float *data = tg_const_data(x);
    for (int64_t i = 0; i < tg_numel(x); i++)
        if (!isfinite(data[i]))
            return false;
    return true;
}

const char *name_not_finite(const checkpoint *c) {
    tg_list all = tg_parameters(c->t);
    for (int64_t i = 0; i < all.n; i++)
        if (!is_finite(all.tensor[i]))
            return tg_name(all.tensor[i]);
    return NULL;
}

int64_t checkpoint_digest(const checkpoint *c) {
    tg_list all = tg_parameters(c->t);
    uint64_t hash = 0;
    for (int64_t i = 0; i < all.n; i++) {
        const float *x = tg_const_data(all.tensor[i]);
        for (int64_t k = 0, n = x ? tg_numel(all.tensor[i]) : 0; k < n; k++) {
            uint32_t bits;
            memcpy(&bits, x + k, sizeof bits);
            hash = tokens_mix(hash + bits);
        }
    }
    return (int64_t)hash;
}

int64_t usual_end(const tokenizer *k, int64_t vocabulary) {
    if (k->bpe)
        return bpe_end(k->bpe) + 1;
    return !k->code && vocabulary == GPT_2_IDS ? GPT_2_IDS : 0;
}

int64_t checkpoint_start(const checkpoint *c) {
    return c->g.config.begin ? c->g.config.begin - 1 : tokenizer_start(&c->tokenizer);
}
