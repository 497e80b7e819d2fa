/* Low-rank adapters in PEFT's folders: adapter_config.json and adapter_model.safetensors. */
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

enum { MOST_RANK = 4096 };
const char *const adapter_files[] = {"adapter_model.safetensors", "adapter_config.json", NULL};

/* ---- reading ---- */

/* Fields that can change which adapters there are or what they compute, with their neutral values, as PEFT writes them
 * by default; "" is an empty list, object or text. null is neutral too. Fields not listed concern training or a model's
 * origin. */
typedef struct neutral {
    const char *name, *values;
} neutral;
static const neutral fields[] = {
    {"task_type", "\"CAUSAL_LM\""},
    {"bias", "\"none\""},
    {"use_rslora", "false"},
    {"use_dora", "false"},
    {"use_qalora", "false"},
    {"use_bdlora", "false"},
    {"lora_bias", "false"},
    {"rank_pattern", ""},
    {"alpha_pattern", ""},
    {"modules_to_save", ""},
    {"exclude_modules", ""},
    {"layers_to_transform", ""},
    {"layer_replication", ""},
    {"target_parameters", ""},
    {"trainable_token_indices", ""},
    {"alora_invocation_tokens", ""},
    {"arrow_config", ""},
    {"kasa_config", ""},
    {"velora_config", ""},
    {"monteclora_config", ""},
    {"init_lora_weights",
     "true false \"gaussian\" \"eva\" \"orthogonal\""}, /* other values change the model's weights */
};

static bool is_one_of(json value, const char *values) {
    size_t n = (size_t)(value.end - value.at);
    for (const char *s = values; *s; s += strcspn(s, " "), s += strspn(s, " "))
        if (strcspn(s, " ") == n && !memcmp(s, value.at, n))
            return true;
    return false;
}

static bool is_empty(json value) {
    char kind = json_kind(value);
    return kind == '"' ? json_text(value, NULL) == 0 : (kind == '[' || kind == '{') && json_count(value) == 0;
}

static void want_neutral(const json_file *f, const neutral *n) {
    json value = json_member(f->value, n->name);
    char wanted[100];
    if (!value.at || json_kind(value) == 'n' || is_one_of(value, n->values) || (!*n->values && is_empty(value)))
        return;
    snprintf(wanted, sizeof wanted, "%s%s is supported", strchr(n->values, ' ') ? "one of " : "",
             *n->values ? n->values : "nothing there");
    json_refuse(f, n->name, value, wanted);
}

static adapters read_config(const json_file *f) {
    static const char *const types[] = {"LORA"};
    json top = f->value;
    (void)json_word(f, top, "peft_type", types, 1, -1);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        want_neutral(f, &fields[i]);
    (void)json_true(f, top, "fan_in_fan_out", false); /* PEFT corrects it by the layer's class */
    return (adapters){.rank = json_whole(f, top, "r", 1, MOST_RANK, 0),
                      .alpha = json_real(f, top, "lora_alpha", 0, 1e6, -1),
                      .dropout = json_real(f, top, "lora_dropout", 0, 0.99, 0)};
}

/* PEFT's rule: a target matches a layer's whole name, or the part of it after any dot. */
static bool is_target(json target, const char *layer) {
    char name[256], ending[258];
    size_t n = json_text(target, NULL), m = strlen(layer);
    if (json_kind(target) != '"' || n >= sizeof name)
        return false;
    name[json_text(target, (unsigned char *)name)] = '\0';
    snprintf(ending, sizeof ending, ".%s", name);
    return !strcmp(layer, name) || (m > n && !strcmp(layer + m - n - 1, ending));
}

/* PEFT ignores a layer of the weights' file that the config does not target. */
static void want_target(const json_file *f, const char *layer) {
    json targets = json_member(f->value, "target_modules"), one = {NULL, NULL};
    char wanted[400];
    if (json_is(targets, "all-linear") && strcmp(layer, "lm_head"))
        return;
    if (json_kind(targets) != '[')
        json_refuse(f, "target_modules", targets, "a list of layers, or \"all-linear\", is supported");
    while ((one = json_next(targets, one, NULL)).at)
        if (is_target(one, layer))
            return;
    snprintf(wanted, sizeof wanted, "%s is not among them, but has an adapter in %s", layer, adapter_files[0]);
    json_refuse(f, "target_modules", targets, wanted);
}

typedef struct adding {
    checkpoint *c;
    tg_nn_lora_config config;
    const char *path;
    const json_file *file; /* adapter_config.json */
} adding;

typedef struct layer_name {
    char s[256];
} layer_name;

/* Extracts LAYER from "base_model.model.LAYER" followed by `after`; false for other names. */
static bool is_part(const char *name, const char *after, layer_name *layer) {
    static const char before[] = "base_model.model.";
    size_t n = strlen(name), head = sizeof before - 1, tail = strlen(after);
    if (n <= head + tail || n - head - tail >= sizeof layer->s || strncmp(name, before, head) ||
        strcmp(name + n - tail, after))
        return false;
    snprintf(layer->s, sizeof layer->s, "%.*s", (int)(n - head - tail), name + head);
    return true;
}

/* Adds an adapter to LAYER for LAYER.lora_A.weight. */
static void add(const tg_file_tensor *x, void *context) {
    const adding *a = context;
    layer_name layer;
    if (is_part(x->name, ".lora_embedding_A", &layer))
        die("%s: %s is an embedding, which can have no adapter here", a->path, layer.s);
    if (!is_part(x->name, ".lora_A.weight", &layer))
        return;
    want_target(a->file, layer.s);
    tg_status bad = tg_nn_lora_add(a->c->t, layer.s, a->config);
    if (bad == TG_ERR_ARGUMENT)
        die("%s: %s is no layer of the model", a->path, layer.s);
    must(a->c->t, bad);
}

/* Called once add has seen all tensors. */
static void want_both(const tg_file_tensor *x, void *context) {
    const adding *a = context;
    layer_name layer;
    char first[300];
    if (!is_part(x->name, ".lora_B.weight", &layer))
        return;
    snprintf(first, sizeof first, "base_model.model.%s.lora_A.weight", layer.s);
    if (tg_is_null(tg_named(a->c->t, first)))
        die("%s: it has %s, but no lora_A of this layer", a->path, x->name);
}

adapters adapters_load(checkpoint *c, const char *folder) {
    place config = in(folder, adapter_files[1]), weights = in(folder, adapter_files[0]);
    json_file f = json_open(config.s);
    adapters own = read_config(&f);
    adding a = {c, {own.rank, own.alpha, own.dropout}, weights.s, &f};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, weights.s, add, &a));
    must(t, tg_list_file(t, weights.s, want_both, &a));
    tg_tape_free(t);
    json_close(&f);
    tg_load_config load = {.only = tg_nn_lora_parameters(c->t)};
    if (!load.only.n)
        die("%s: it has no adapters", weights.s);
    must(c->t, tg_load_with(c->t, weights.s, load));
    return own;
}

/* ---- writing ---- */

/* The layers by their whole names, which PEFT accepts. */
static void write_layers(FILE *file, tg_tape *t) {
    static const char before[] = "base_model.model.", after[] = ".lora_A.weight";
    tg_list all = tg_nn_lora_parameters(t);
    bool is_first = true;
    for (int64_t i = 0; i < all.n; i++) {
        const char *name = tg_name(all.tensor[i]);
        size_t n = strlen(name), head = sizeof before - 1, tail = sizeof after - 1;
        if (strcmp(name + n - tail, after))
            continue;
        fprintf(file, "%s\n  \"%.*s\"", is_first ? "" : ",", (int)(n - head - tail), name + head);
        is_first = false;
    }
}

static void write_config(const checkpoint *c, const char *path, adapters a) {
    FILE *file = must_create(path);
    fprintf(file,
            "{\"peft_type\": \"LORA\", \"task_type\": \"CAUSAL_LM\", \"r\": %lld, \"lora_alpha\": %.17g,\n"
            " \"lora_dropout\": %.17g, \"bias\": \"none\", \"fan_in_fan_out\": %s, \"inference_mode\": true,\n"
            " \"target_modules\": [",
            (long long)a.rank, a.alpha, a.dropout, c->g.config.family == GPT_2_PUBLISHED ? "true" : "false");
    write_layers(file, c->t);
    fputs("]}\n", file);
    must_close(file, path);
}

void adapters_save(const checkpoint *c, const char *folder, adapters a) {
    tg_save_config save = TG_SAVE_DEFAULTS;
    save.only = tg_nn_lora_parameters(c->t);
    place weights = folder_part(folder, adapter_files[0]), config = folder_part(folder, adapter_files[1]);
    write_config(c, config.s, a);
    must_or_remove(c->t, tg_save_with(c->t, weights.s, save), config.s);
    folder_finish(folder, adapter_files);
}
