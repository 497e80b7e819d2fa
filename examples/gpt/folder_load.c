/* Weights and tokenizer of a folder. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

/* ---- weights ---- */

static const char head_name[] = "lm_head.weight";

/* Tensors in a file that no model uses: a copy of a tied head, computed frequencies and masks. */
static bool is_known_extra(const gpt_config *c, const char *name) {
    static const char *const parts[] = {"rotary_emb.inv_freq", ".attn.bias", ".attn.masked_bias"};
    if (!strcmp(name, head_name))
        return !c->llama.untied;
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(name), part = strlen(parts[i]);
        if (n >= part && !strcmp(name + n - part, parts[i]))
            return i == 0 || c->family == GPT_2_PUBLISHED;
    }
    return false;
}

typedef struct problems {
    const gpt_config *config;
    const char *path;
    char first[400]; /* the first problem, or "" */
} problems;

static void note(const char *line, void *context) {
    problems *p = context;
    char name[400];
    size_t n = strcspn(line, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, line);
    if (!*p->first && !(strstr(line, "not asked for") && is_known_extra(p->config, name)))
        snprintf(p->first, sizeof p->first, "%s", line);
}

/* The class without a head saves names without the prefix "transformer." or "model.". */
static void see_bare(const tg_file_tensor *x, void *context) {
    bool *bare = context;
    *bare |= !strcmp(x->name, "wte.weight") || !strcmp(x->name, "embed_tokens.weight");
}

/* The number of rules that a file's names and layouts need. */
static int rules_of(const checkpoint *c, const char *path, published_layout *l) {
    bool bare = false;
    must(c->t, tg_list_file(c->t, path, see_bare, &bare));
    if (c->g.config.family == GPT_2_PUBLISHED)
        return published_rules(bare ? "" : "transformer.", l);
    l->rule[0] = (tg_file_rule){"model.*", "*", false, 0, 0};
    return bare ? 1 : 0;
}

/* ---- a head saved besides its tied embedding ---- */

static void see_head(const tg_file_tensor *x, void *context) {
    bool *there = context;
    *there |= !strcmp(x->name, head_name);
}

static bool same_numbers(tg_tensor x, tg_tensor y) {
    const float *a = tg_const_data(x), *b = tg_const_data(y);
    return a && b && !memcmp(a, b, (size_t)tg_numel(x) * sizeof *a);
}

void check_tied_head(const checkpoint *c, const char *path) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor own = c->g.token.weight;
    bool there = false;
    must(t, tg_list_file(t, path, see_head, &there));
    if (there && !c->g.config.llama.untied) {
        tg_tensor head = tg_parameter(t, head_name, tg_zeros(t, tg_shape_of(own)));
        must(t, tg_load_with(t, path, (tg_load_config){.only = tg_parameters(t), .allow_extra = true}));
        if (!same_numbers(head, own))
            die("%s: lm_head.weight is not the token embedding, to which the head is tied%s", path,
                c->g.config.family == LLAMA ? "; with \"tie_word_embeddings\": false in config.json both are used"
                                            : "");
    }
    tg_tape_free(t);
}

/* The library treats a file that does not begin with { as weights. */
static void check_index(const char *path) {
    size_t n = strlen(path);
    if (strcmp(path + n - 5, ".json"))
        return;
    json_file f = json_open(path);
    (void)json_container(&f, f.value, "weight_map", '{');
    json_close(&f);
}

void folder_load(checkpoint *c, const char *folder) {
    place one = in(folder, "model.safetensors"), index = in(folder, "model.safetensors.index.json");
    const char *path = is_there(one.s) ? one.s : index.s;
    problems p = {.config = &c->g.config, .path = path};
    published_layout l;
    if (!is_there(path))
        die("%s: neither model.safetensors nor model.safetensors.index.json is there", folder);
    check_index(path);
    tg_load_config load = {.only = tg_parameters(c->t), .allow_extra = true, .report = note, .context = &p};
    load.n_rules = rules_of(c, path, &l);
    load.rule = l.rule;
    tg_status bad = tg_load_with(c->t, path, load);
    if (!strncmp(p.first, "lm_head.weight is not in", 24))
        die("%s: it has no lm_head.weight, as what is saved of a model without its head; \"tie_word_embeddings\": true in "
            "config.json would take the token embedding for it",
            path);
    if (*p.first)
        die("%s: %s: config.json says that the model has other weights", path, p.first);
    must(c->t, bad);
    check_tied_head(c, path);
}

/* ---- the tokenizer ---- */

/* True when a post_processor puts tokens around a text. */
static bool adds_tokens(json p) {
    json type = json_member(p, "type"), one = {NULL, NULL};
    bool is_template = json_is(type, "TemplateProcessing"), is_list = json_is(type, "Sequence");
    json parts = json_member(p, is_template ? "single" : "processors");
    while ((is_template || is_list) && (one = json_next(parts, one, NULL)).at)
        if (is_template ? json_member(one, "SpecialToken").at != NULL : adds_tokens(one))
            return true;
    return json_kind(p) == '{' && !is_template && !is_list && !json_is(type, "ByteLevel");
}

/* Why texts cannot be encoded; NULL: they can. */
static const char *problem_of(const tokenizer *k, const gpt_config *config, const json_reason *why) {
    if (!k->vocabulary)
        return why->text;
    return k->vocabulary > config->vocabulary ? "it has more tokens than the model" : NULL;
}

tokenizer folder_tokenizer(const char *folder, const gpt_config *config) {
    place path = in(folder, "tokenizer.json");
    json_reason why;
    if (!is_there(path.s)) {
        say(stdout, "%s is not there: the model takes token ids, and no text", path.s);
        return (tokenizer){0};
    }
    json_file f = json_open(path.s);
    tokenizer k = tokenizer_of_json(path.s, f.value, &why);
    const char *problem = problem_of(&k, config, &why);
    if (problem) {
        say(stdout, "%s: %s: the model takes token ids, and no text", path.s, problem);
        tokenizer_free(&k);
    } else if (adds_tokens(json_member(f.value, "post_processor"))) {
        say(stdout, "%s: its post_processor puts tokens around a text, which is not supported", path.s);
    }
    json_close(&f);
    return k;
}
