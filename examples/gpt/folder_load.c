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

void folder_load(checkpoint *c, const char *folder) {
    place one = in(folder, "model.safetensors"), index = in(folder, "model.safetensors.index.json");
    const char *path = is_there(one.s) ? one.s : index.s;
    problems p = {.config = &c->g.config, .path = path};
    published_layout l;
    if (!is_there(path))
        die("%s: neither model.safetensors nor model.safetensors.index.json is there", folder);
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

/* What kind of tokenizer it is when it is not GPT-2's; NULL: it is. */
static const char *other_kind(json top, char *room, size_t size) {
    json model = json_member(top, "model"), before = json_member(top, "pre_tokenizer");
    json type = json_member(model, "type"), before_type = json_member(before, "type"),
         own = json_member(before, "use_regex");
    json normalizer = json_member(top, "normalizer");
    if (!json_is(type, "BPE")) {
        snprintf(room, size, "its model is %.*s", (int)(type.end - type.at > 40 ? 40 : type.end - type.at),
                 type.at ? type.at : "");
        return room;
    }
    if (json_kind(normalizer) == '{')
        return "it changes a text before it cuts it (a normalizer)";
    if (json_kind(json_member(model, "byte_fallback")) == 't')
        return "it is made of characters, with bytes for those that it does not know (SentencePiece's BPE)";
    if (!json_is(before_type, "ByteLevel") || json_kind(own) == 'f') {
        bool is_split = json_is(before_type, "Sequence");
        return is_split ? "byte pairs, but the text is cut by a pattern of its own" : "it is no byte-level BPE";
    }
    if (json_kind(json_member(before, "add_prefix_space")) == 't')
        return "it puts a space before a text";
    return NULL;
}

/* The list of merges as the lines of a file; *n bytes. */
static unsigned char *merges_text(json merges, size_t *n) {
    json one = {NULL, NULL}, part;
    size_t room = (size_t)(merges.end - merges.at) + 1;
    unsigned char *lines = must_allocate(room, 1);
    *n = 0;
    while ((one = json_next(merges, one, NULL)).at) {
        if (json_kind(one) == '[') {
            part = json_next(one, (json){NULL, NULL}, NULL);
            *n += json_text(part, lines + *n);
            lines[(*n)++] = ' ';
            part = json_next(one, part, NULL);
            *n += json_text(part, lines + *n);
        } else {
            *n += json_text(one, lines + *n);
        }
        lines[(*n)++] = '\n';
    }
    return lines;
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

tokenizer folder_tokenizer(const char *folder, const gpt_config *config) {
    place path = in(folder, "tokenizer.json");
    char room[100];
    if (!is_there(path.s)) {
        say(stdout, "%s is not there: the model takes token ids, and no text", path.s);
        return (tokenizer){0};
    }
    json_file f = json_open(path.s);
    json model = json_member(f.value, "model");
    const char *other = other_kind(f.value, room, sizeof room);
    bpe *b = NULL;
    if (!other) {
        size_t n;
        unsigned char *lines = merges_text(json_member(model, "merges"), &n);
        b = bpe_of_text(path.s, lines, n);
        free(lines);
        if (!has_our_ids(json_member(model, "vocab"), b) || !has_only_our_end(json_member(f.value, "added_tokens"), b))
            other = "byte pairs as GPT-2's, but with other numbers, or with tokens of its own";
        else if (bpe_vocabulary(b) > config->vocabulary)
            other = "it has more tokens than the model";
    }
    json_close(&f);
    if (!other)
        return tokenizer_of_bpe(b);
    bpe_free(b);
    say(stdout, "%s: %s: the model takes token ids, and no text", path.s, other);
    return (tokenizer){0};
}
