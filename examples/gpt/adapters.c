/* Low-rank adapters in PEFT's folders: adapter_config.json and adapter_model.safetensors. */
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

enum { MOST_RANK = 4096 };
const char *const adapter_files[] = {"adapter_model.safetensors", "adapter_config.json", NULL};

/* ---- reading ---- */

static adapters read_config(const json_file *f) {
    static const char *const off[] = {"use_rslora", "use_dora", "lora_bias"};
    static const char *const empty[] = {"rank_pattern",      "alpha_pattern",     "modules_to_save",
                                        "layer_replication", "target_parameters", "trainable_token_indices"};
    json top = f->value, type = json_member(top, "peft_type"), bias = json_member(top, "bias");
    if (!json_is(type, "LORA"))
        json_refuse(f, "peft_type", type, "\"LORA\" is supported");
    if (bias.at && !json_is(bias, "none"))
        json_refuse(f, "bias", bias, "\"none\" is supported");
    for (int i = 0; i < 3; i++)
        if (json_true(f, top, off[i], false))
            json_refuse(f, off[i], json_member(top, off[i]), "false is supported");
    for (int i = 0; i < 6; i++) {
        json value = json_member(top, empty[i]);
        if (value.at && json_kind(value) != 'n' && json_count(value) > 0)
            json_refuse(f, empty[i], value, "nothing is supported there");
    }
    return (adapters){.rank = json_whole(f, top, "r", 1, MOST_RANK, 0),
                      .alpha = json_real(f, top, "lora_alpha", 0, 1e6, -1),
                      .dropout = json_real(f, top, "lora_dropout", 0, 0.99, 0)};
}

typedef struct adding {
    checkpoint *c;
    tg_nn_lora_config config;
    const char *path;
} adding;

/* A file's "base_model.model.LAYER.lora_A.weight" wants an adapter of LAYER. */
static void add(const tg_file_tensor *x, void *context) {
    static const char before[] = "base_model.model.", after[] = ".lora_A.weight";
    const adding *a = context;
    char layer[256];
    size_t n = strlen(x->name), head = sizeof before - 1, tail = sizeof after - 1;
    if (n <= head + tail || n - head - tail >= sizeof layer || strncmp(x->name, before, head) ||
        strcmp(x->name + n - tail, after))
        return;
    snprintf(layer, sizeof layer, "%.*s", (int)(n - head - tail), x->name + head);
    tg_status bad = tg_nn_lora_add(a->c->t, layer, a->config);
    if (bad == TG_ERR_ARGUMENT)
        die("%s: %s is no layer of the model", a->path, layer);
    must(a->c->t, bad);
}

adapters adapters_load(checkpoint *c, const char *folder) {
    place config = in(folder, adapter_files[1]), weights = in(folder, adapter_files[0]);
    json_file f = json_open(config.s);
    adapters own = read_config(&f);
    json_close(&f);
    adding a = {c, {own.rank, own.alpha, own.dropout}, weights.s};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, weights.s, add, &a));
    tg_tape_free(t);
    tg_load_config load = {.only = tg_nn_lora_parameters(c->t)};
    if (!load.only.n)
        die("%s: it has no adapters", weights.s);
    must(c->t, tg_load_with(c->t, weights.s, load));
    return own;
}

/* ---- writing ---- */

/* The layers by their whole names, which PEFT takes. */
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
    place config = in(folder, adapter_files[1]);
    write_config(c, config.s, a);
    must_or_remove(c->t, tg_save_with(c->t, in(folder, adapter_files[0]).s, save), config.s);
}
