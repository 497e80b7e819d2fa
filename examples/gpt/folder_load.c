/* Weights and tokenizer of a folder. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

/* ---- weights ---- */

static const char head_name[] = "lm_head.weight";

/* What a file may have that no model uses: a copy of a tied head, frequencies and masks that are computed. */
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
    char first[400]; /* what stands in the way; "": nothing */
} problems;

static void note(const char *line, void *context) {
    problems *p = context;
    char name[400];
    size_t n = strcspn(line, " ");
    snprintf(name, sizeof name, "%.*s", (int)n, line);
    if (!*p->first && !(strstr(line, "not asked for") && is_known_extra(p->config, name)))
        snprintf(p->first, sizeof p->first, "%s", line);
}

/* GPT-2's names may be without a prefix. */
static void see_prefix(const tg_file_tensor *x, void *context) {
    const char **prefix = context;
    if (!strcmp(x->name, "wte.weight"))
        *prefix = "";
}

/* ---- a head beside the embedding that it is tied to ---- */

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

/* The library takes a file that does not begin with { for weights. */
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
    if (c->g.config.family == GPT_2_PUBLISHED) {
        const char *prefix = "transformer.";
        must(c->t, tg_list_file(c->t, path, see_prefix, &prefix));
        load.n_rules = published_rules(prefix, &l);
        load.rule = l.rule;
    }
    tg_status bad = tg_load_with(c->t, path, load);
    if (*p.first)
        die("%s: %s: config.json says that the model has other weights", path, p.first);
    must(c->t, bad);
    check_tied_head(c, path);
}

/* ---- the tokenizer ---- */

/* Why a tokenizer is not GPT-2's. */
typedef struct reason {
    char text[200];
} reason;

static bool is_given(json value) { return value.at && json_kind(value) != 'n' && !json_is(value, ""); }

static bool has(reason *r, const char *of, const char *name, json value) {
    int64_t n = value.end - value.at;
    snprintf(r->text, sizeof r->text, "%s has \"%s\": %.*s", of, name, (int)(n > 80 ? 80 : n),
             value.at ? value.at : "");
    return true;
}

/* A field by which ids become others. */
static bool has_other_ids(json top, reason *r) {
    static const char *const fields[] = {"dropout", "continuing_subword_prefix", "end_of_word_suffix"};
    json model = json_member(top, "model"), padding = json_member(top, "padding"), cut = json_member(top, "truncation");
    double p;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        json value = json_member(model, fields[i]);
        if (is_given(value) && !(json_number(value, &p) && !(p > 0)))
            return has(r, "its model", fields[i], value);
    }
    if (is_given(cut))
        return has(r, "it", "truncation", cut);
    bool pads_one = !json_is(json_member(padding, "strategy"), "BatchLongest") ||
                    is_given(json_member(padding, "pad_to_multiple_of"));
    return is_given(padding) && pads_one && has(r, "it", "padding", padding);
}

/* What kind of tokenizer it is when it is not GPT-2's; NULL: it is. */
static const char *other_kind(json top, reason *r) {
    json model = json_member(top, "model"), before = json_member(top, "pre_tokenizer");
    json type = json_member(model, "type"), before_type = json_member(before, "type"),
         own = json_member(before, "use_regex");
    if (!model.at)
        return "it has no \"model\"";
    if (!json_is(type, "BPE")) {
        snprintf(r->text, sizeof r->text, "its model is %.*s", (int)(type.end - type.at > 40 ? 40 : type.end - type.at),
                 type.at ? type.at : "");
        return type.at ? r->text : "its model has no \"type\"";
    }
    if (json_kind(json_member(top, "normalizer")) == '{')
        return "it changes a text before it cuts it (a normalizer)";
    if (json_kind(json_member(model, "byte_fallback")) == 't')
        return "it is made of characters, with bytes for those that it does not know (SentencePiece's BPE)";
    if (!json_is(before_type, "ByteLevel") || json_kind(own) == 'f') {
        bool is_split = json_is(before_type, "Sequence");
        return is_split ? "byte pairs, but the text is cut by a pattern of its own" : "it is no byte-level BPE";
    }
    if (json_kind(json_member(before, "add_prefix_space")) == 't')
        return "it puts a space before a text";
    return has_other_ids(top, r) ? r->text : NULL;
}

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

static void put_text(json part, unsigned char *lines, size_t *n) {
    size_t from = *n;
    *n += json_text(part, lines + from);
    for (size_t i = from; i < *n; i++)
        lines[i] = lines[i] == '\n' ? '\t' : lines[i]; /* neither stands for a byte */
}

/* The list of merges as the lines of a file behind a comment: merge i is line i + 2. *n bytes. */
static unsigned char *merges_text(json merges, size_t *n) {
    json one = {NULL, NULL}, part;
    size_t room = (size_t)(merges.end - merges.at) + 3;
    unsigned char *lines = must_allocate(room, 1);
    memcpy(lines, "#\n", 2);
    *n = 2;
    while ((one = json_next(merges, one, NULL)).at) {
        part = json_kind(one) == '[' ? json_next(one, (json){NULL, NULL}, NULL) : one;
        put_text(part, lines, n);
        if (json_kind(one) == '[') {
            lines[(*n)++] = ' ';
            put_text(json_next(one, part, NULL), lines, n);
        }
        lines[(*n)++] = '\n';
    }
    return lines;
}

static bpe *merges_of(const char *path, json model) {
    size_t n, wrong;
    unsigned char *lines = merges_text(json_member(model, "merges"), &n);
    bpe *b = bpe_of_text(lines, n, &wrong);
    free(lines);
    if (!b && wrong)
        die("%s: \"merges\": number %zu, counted from 0, is no merge of two tokens that came before it", path,
            wrong - 2);
    if (!b)
        die("%s: more than %d merges, or tokens above 1 MiB", path, BPE_MAX_MERGES);
    return b;
}

/* True when its tokens have the numbers that they have here. */
static bool has_our_ids(json vocabulary, const bpe *b) {
    json id = {NULL, NULL}, key;
    int64_t n, count = 0;
    while ((id = json_next(vocabulary, id, &key)).at) {
        size_t length = json_text(key, NULL);
        unsigned char *characters = must_allocate(length, 1);
        json_text(key, characters);
        bool is_end = json_is(key, "<|endoftext|>");
        bool good = json_integer(id, &n) && n >= 0 && n < bpe_vocabulary(b) &&
                    (is_end ? n == bpe_vocabulary(b) - 1 : bpe_is_written(b, n, characters, length));
        free(characters);
        if (!good)
            return false;
        count += !is_end;
    }
    return count == bpe_vocabulary(b) - 1;
}

static bool has_only_our_end(json added, const bpe *b) {
    json one = {NULL, NULL};
    int64_t id;
    while ((one = json_next(added, one, NULL)).at)
        if (!json_is(json_member(one, "content"), "<|endoftext|>") || !json_integer(json_member(one, "id"), &id) ||
            id != bpe_vocabulary(b) - 1)
            return false;
    return true;
}

/* NULL when b has the ids of the whole tokenizer, and the model has as many. */
static const char *other_ids(json top, const bpe *b, const gpt_config *config) {
    json model = json_member(top, "model");
    if (!has_our_ids(json_member(model, "vocab"), b) || !has_only_our_end(json_member(top, "added_tokens"), b))
        return "byte pairs as GPT-2's, but with other numbers, or with tokens of its own";
    if (json_kind(json_member(model, "ignore_merges")) == 't' && !bpe_reaches_all(b))
        return "its model has \"ignore_merges\": true, and tokens that merges do not come to";
    return bpe_vocabulary(b) > config->vocabulary ? "it has more tokens than the model" : NULL;
}

tokenizer folder_tokenizer(const char *folder, const gpt_config *config) {
    place path = in(folder, "tokenizer.json");
    reason room;
    if (!is_there(path.s)) {
        say(stdout, "%s is not there: the model takes token ids, and no text", path.s);
        return (tokenizer){0};
    }
    json_file f = json_open(path.s);
    const char *other = other_kind(f.value, &room);
    bpe *b = other ? NULL : merges_of(path.s, json_member(f.value, "model"));
    other = other ? other : other_ids(f.value, b, config);
    if (!other && adds_tokens(json_member(f.value, "post_processor")))
        say(stdout, "%s: its post_processor puts tokens around a text, which is not done here", path.s);
    json_close(&f);
    if (!other)
        return tokenizer_of_bpe(b);
    bpe_free(b);
    say(stdout, "%s: %s: the model takes token ids, and no text", path.s, other);
    return (tokenizer){0};
}
