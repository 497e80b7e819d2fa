/* gpt import: a folder of transformers, or GPT-2's weights alone. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

static const char help[] =
    "usage: gpt import FOLDER --out CHECKPOINT [options]\n"
    "\n"
    "Makes a model for `gpt sample`, `gpt eval`, `gpt finetune` and `gpt train --init` of a folder as transformers save it:\n"
    "config.json of Llama 2 or 3, Mistral, Qwen2, Qwen3 or GPT-2; weights in one file, model.safetensors, or in several\n"
    "with their index; tokenizer.json where it has byte pairs as GPT-2, Llama 3, Qwen2 and Qwen3 have them, special tokens\n"
    "included (else the model takes token ids). Texts end with eos of generation_config.json or, where that has none, of\n"
    "config.json, which may be a list of up to four tokens: `gpt sample` stops at each; where neither has any, with\n"
    "<|endoftext|> of the byte pairs. In place of a folder: GPT-2's weights alone, a safetensors file or an index.\n"
    "\n"
    "  --out CHECKPOINT   the file to write\n"
    "  --context N        fewer positions than the model has; keys and values of so many are kept when it writes\n"
    "  --heads N          of a file: heads of a layer, where they are not 64 wide\n"
    "  --merges FILE      its byte pairs, vocab.bpe or merges.txt; without them the model knows ids only\n";

/* Sizes read from the shapes in a file; 0: unknown. */
typedef struct found {
    const char *prefix; /* of the names: "transformer." or "" */
    int64_t vocabulary, context, width, hidden, layers;
} found;

static void look(const tg_file_tensor *x, void *context) {
    found *f = context;
    bool has = strncmp(x->name, "transformer.", 12) == 0;
    const char *name = x->name + (has ? 12 : 0);
    if (!strcmp(name, "wte.weight") && x->shape.ndim == 2) {
        f->prefix = has ? "transformer." : "";
        f->vocabulary = x->shape.size[0];
        f->width = x->shape.size[1];
    }
    if (!strcmp(name, "wpe.weight") && x->shape.ndim == 2)
        f->context = x->shape.size[0];
    if (!strcmp(name, "h.0.mlp.c_fc.weight") && x->shape.ndim == 2)
        f->hidden = x->shape.size[1];
    size_t n = strlen(name);
    f->layers += n > 12 && !strncmp(name, "h.", 2) && !strcmp(name + n - 11, "ln_1.weight");
}

static gpt_config config_of(const char *path, int64_t heads, const char **prefix) {
    found f = {0};
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, path, look, &f));
    tg_tape_free(t);
    if (!f.prefix || !f.context || !f.hidden || !f.layers)
        die("%s: wte.weight, wpe.weight and h.0 are incomplete: it is no GPT-2", path);
    gpt_config c = {.family = GPT_2_PUBLISHED,
                    .vocabulary = f.vocabulary,
                    .context = f.context,
                    .layers = f.layers,
                    .heads = heads ? heads : f.width / 64,
                    .width = f.width,
                    .hidden = f.hidden};
    if (!heads && f.width % 64)
        die("%s: --heads is missing: its layers are %lld wide, which is no number of heads of 64", path,
            (long long)f.width);
    static const size_names names = {"the width", "--heads", "", ""};
    const char *problem = config_problem_in(&c, &names);
    if (problem)
        die("%s: %s", path, problem);
    *prefix = f.prefix;
    return c;
}

int published_rules(const char *prefix, published_layout *l) {
    static const char *const turned[] = {"attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj"};
    for (int i = 0; i < 4; i++) {
        snprintf(l->ours[i], sizeof l->ours[i], "transformer.h.*.%s.weight", turned[i]);
        snprintf(l->theirs[i], sizeof l->theirs[i], "%sh.*.%s.weight", prefix, turned[i]);
        l->rule[i] = (tg_file_rule){l->ours[i], l->theirs[i], true, 0, 0};
    }
    snprintf(l->theirs[4], sizeof l->theirs[4], "%s*", prefix);
    l->rule[4] = (tg_file_rule){"transformer.*", l->theirs[4], false, 0, 0};
    return 5;
}

/* Their other tensors, masks and a copy of the tied head, are ignored. */
static void load(checkpoint *c, const char *path, const char *prefix) {
    published_layout l;
    int n = published_rules(prefix, &l);
    tg_load_config config = {.only = tg_parameters(c->t), .rule = l.rule, .n_rules = n, .allow_extra = true};
    must(c->t, tg_load_with(c->t, path, config));
    check_tied_head(c, path);
}

/* Only a warning: a bad row of an embedding may never be used. */
static void note_what_is_not_finite(const checkpoint *c, const char *path) {
    const char *name = name_not_finite(c);
    if (name)
        say(stderr, "gpt: %s: %s has numbers that are not finite", path, name);
}

int gpt_import(int argc, char **argv) {
    const char *path = NULL, *out = NULL, *merges = NULL, *prefix = NULL;
    int64_t heads = 0, context = 0;
    option all[] = {{"", WORD, &path, 0, 0, false},
                    {"--out", WORD, &out, 0, 0, false},
                    {"--heads", INTEGER, &heads, 1, 4096, false},
                    {"--context", INTEGER, &context, 1, 1 << 20, false},
                    {"--merges", WORD, &merges, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!path || !out)
        usage("import", path ? "wants --out, the file to write" : "wants a folder, or a file");
    must_be_new(out);
    output_may_end();
    bool folder = is_folder(path);
    if (folder ? heads : context)
        usage(folder ? "--heads" : "--context", folder ? "is in the folder's config.json" : "is for a folder");
    gpt_config config = folder ? folder_config(path, context) : config_of(path, heads, &prefix);
    tokenizer k = merges ? tokenizer_of_merges(merges) : folder ? folder_tokenizer(path, &config) : (tokenizer){0};
    if (merges && k.vocabulary > config.vocabulary)
        die("%s makes %lld tokens, the model has %lld", merges, (long long)k.vocabulary, (long long)config.vocabulary);
    if (!folder)
        config.begin = config.end[0] = usual_end(&k, config.vocabulary);
    checkpoint c = checkpoint_new(config, k, 0);
    if (folder)
        folder_load(&c, path);
    else
        load(&c, path, prefix);
    note_what_is_not_finite(&c, path);
    must(c.t, tg_save(c.t, out));
    output_after(out);
    say(stdout, "%s: %lld layers, %lld heads, %lld wide, context %lld, vocabulary %lld", out, (long long)config.layers,
        (long long)config.heads, (long long)config.width, (long long)config.context, (long long)config.vocabulary);
    checkpoint_free(&c);
    return DONE;
}
