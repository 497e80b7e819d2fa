/* The model in a folder. */
#include "examples/common/corpus.h"
#include "examples/common/output.h"
#include "examples/encoder/program.h"

#include <stdlib.h>
#include <string.h>

place in_folder(const char *folder, const char *name) {
    place p;
    if ((size_t)snprintf(p.s, sizeof p.s, "%s/%s", folder, name) >= sizeof p.s)
        die("%.60s...: the path is too long", folder);
    return p;
}

char *read_text(const char *path) {
    char why[512];
    size_t n;
    char *bytes = (char *)corpus_read_bytes(path, &n, why, sizeof why);
    char *text = bytes ? realloc(bytes, n + 1) : NULL;
    if (!text)
        die("%s", bytes ? "out of memory" : why);
    text[n] = '\0';
    if (strlen(text) < n)
        die("%s is binary: byte %zu is zero", path, strlen(text));
    return text;
}

/* The text after "NAME": in JSON; or NULL. */
static const char *value_of(const char *text, const char *name) {
    char key[80];
    snprintf(key, sizeof key, "\"%s\"", name);
    const char *at = strstr(text, key);
    return at ? at + strlen(key) + strspn(at + strlen(key), " \t\r\n:") : NULL;
}

double number_in(const char *path, const char *name, double low, double high) {
    char *text = read_text(path), *end;
    const char *at = value_of(text, name);
    double x = at ? strtod(at, &end) : 0;
    if (!at || end == at)
        die("%s: it has no number \"%s\"", path, name);
    if (!(x >= low && x <= high))
        die("%s: \"%s\" is %g, but must be from %g to %g", path, name, x, low, high);
    free(text);
    return x;
}

void must_be(const char *path, const char *name, const char *value) {
    char *text = read_text(path);
    const char *at = value_of(text, name);
    if (at && strncmp(at, value, strlen(value)) != 0)
        die("%s: \"%s\" is %.*s; this program supports only %s", path, name, (int)strcspn(at, ",}\n"), at, value);
    free(text);
}

/* Sizes read from the shapes in a file; 0: unknown. */
static void look(const tg_file_tensor *x, void *context) {
    bert_config *c = context;
    const int64_t *size = x->shape.size;
    if (x->shape.ndim != 2)
        return;
    if (!strcmp(x->name, "embeddings.word_embeddings.weight")) {
        c->vocabulary = size[0];
        c->width = size[1];
    }
    if (!strcmp(x->name, "embeddings.position_embeddings.weight"))
        c->context = size[0];
    if (!strcmp(x->name, "embeddings.token_type_embeddings.weight"))
        c->segments = size[0];
    if (!strcmp(x->name, "encoder.layer.0.intermediate.dense.weight"))
        c->hidden = size[0];
    size_t n = strlen(x->name);
    c->layers += n > 27 && !strcmp(x->name + n - 27, "attention.self.query.weight");
}

static bert_config config_of(const char *folder, const char *weights) {
    bert_config c = {0};
    place json = in_folder(folder, "config.json");
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, weights, look, &c));
    tg_tape_free(t);
    if (!c.width || !c.context || !c.segments || !c.hidden || !c.layers)
        die("%s: embeddings and encoder.layer.0 are incomplete: it is no BERT", weights);
    must_be(json.s, "hidden_act", "\"gelu\"");
    must_be(json.s, "position_embedding_type", "\"absolute\"");
    c.heads = (int64_t)number_in(json.s, "num_attention_heads", 1, (double)c.width);
    c.norm_eps = number_in(json.s, "layer_norm_eps", 0, 1);
    if (c.width % c.heads || c.layers > BERT_MAX_LAYERS || c.context < 2)
        die("%s: %lld heads, %lld wide, %lld layers, %lld places: impossible sizes", json.s, (long long)c.heads,
            (long long)c.width, (long long)c.layers, (long long)c.context);
    return c;
}

static void print_problem(const char *line, void *context) {
    (void)context;
    say(stderr, "encoder: %s", line);
}

void must_load(tg_tape *t, const char *path, tg_load_config config) {
    if (!tg_load_with(t, path, config))
        return;
    tg_clear_error(t);
    config.report = print_problem;
    must(t, tg_load_with(t, path, config));
}

encoder encoder_open(const char *folder) {
    place weights = in_folder(folder, "model.safetensors");
    bert_config c = config_of(folder, weights.s);
    encoder e = {.t = tg_tape_new(TG_F32), .words = wordpiece_read(in_folder(folder, "vocab.txt").s)};
    if (e.words.n != c.vocabulary)
        die("%s: vocab.txt has %lld pieces, the model %lld", folder, (long long)e.words.n, (long long)c.vocabulary);
    e.model = bert_new(e.t, c);
    tg_load_config all = TG_LOAD_DEFAULTS;
    all.allow_extra = true; /* a pooler, and position ids */
    must_load(e.t, weights.s, all);
    return e;
}

void encoder_free(encoder *e) {
    tg_tape_free(e->t);
    wordpiece_free(&e->words);
}

tg_tensor encoder_embed(const encoder *e, const char *const *sentence, int n) {
    int64_t most = e->model.config.context < MOST_TOKENS ? e->model.config.context : MOST_TOKENS, T = 0;
    int64_t *ids = must_allocate((size_t)(n * most), sizeof *ids), *length = must_allocate((size_t)n, sizeof *length);
    for (int i = 0; i < n; i++) {
        length[i] = wordpiece_encode(&e->words, sentence[i], ids + i * most, most);
        T = length[i] > T ? length[i] : T;
    }
    for (int i = 0; i < n; i++) /* rows of T, one after another; [PAD] is 0 */
        for (int64_t j = 0; j < T; j++)
            ids[i * T + j] = j < length[i] ? ids[i * most + j] : 0;
    tg_tensor y = bert_embed(&e->model, ids, length, n, T);
    free(ids);
    free(length);
    return y;
}
