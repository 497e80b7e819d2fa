/* Files of folders, and config.json of a model. */
#include "examples/gpt/folder.h"
#include "examples/common/corpus.h"
#include "examples/common/output.h"
#include "examples/gpt/gpt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

place in(const char *folder, const char *name) {
    place p;
    if ((size_t)snprintf(p.s, sizeof p.s, "%s/%s", folder, name) >= sizeof p.s)
        die("%.60s...: the path is too long", folder);
    return p;
}

bool is_there(const char *path) { return access(path, F_OK) == 0; }

void folder_prepare(const char *folder, const char *const *files) {
    if (mkdir(folder, 0777) && errno != EEXIST)
        die("%s: %s", folder, strerror(errno));
    for (int i = 0; files[i]; i++)
        must_be_new(in(folder, files[i]).s);
}

void must_be_new(const char *path) {
    if (is_there(path))
        die("%s: File exists; nothing is replaced: choose another name", path);
}

FILE *must_create(const char *path) {
    FILE *file = fopen(path, "wx");
    if (!file && errno == EEXIST)
        must_be_new(path);
    if (!file)
        die("%s: %s", path, strerror(errno));
    return file;
}

void must_or_remove(tg_tape *t, tg_status status, const char *path) {
    if (status)
        (void)unlink(path);
    must(t, status);
}

/* ---- JSON files ---- */

json_file json_open(const char *path) {
    char why[4400];
    json_problem wrong;
    size_t n;
    json_file f = {.path = path, .bytes = corpus_read_bytes(path, &n, why, sizeof why)};
    if (!f.bytes)
        die("%s", why);
    f.value = json_parse((const char *)f.bytes, n, &wrong);
    if (!f.value.at)
        die("%s: %s", path, wrong.text);
    if (json_kind(f.value) != '{')
        die("%s: it is no JSON object", path);
    return f;
}

void json_close(json_file *f) { free(f->bytes); }

_Noreturn void json_refuse(const json_file *f, const char *name, json value, const char *wanted) {
    if (!value.at)
        die("%s: it has no \"%s\"; %s", f->path, name, wanted);
    die("%s: \"%s\" is %.*s; %s", f->path, name, (int)(value.end - value.at > 80 ? 80 : value.end - value.at), value.at,
        wanted);
}

static bool is_missing(json value) { return !value.at || json_kind(value) == 'n'; }

double json_real(const json_file *f, json object, const char *name, double low, double high, double missing) {
    char wanted[100];
    double x = missing;
    json value = json_member(object, name);
    if (is_missing(value) && missing >= low)
        return missing;
    if (json_number(value, &x) && x >= low && x <= high)
        return x;
    snprintf(wanted, sizeof wanted, "a number from %g to %g is wanted", low, high);
    json_refuse(f, name, value, wanted);
}

int64_t json_whole(const json_file *f, json object, const char *name, int64_t low, int64_t high, int64_t missing) {
    char wanted[100];
    int64_t x = missing;
    json value = json_member(object, name);
    if (is_missing(value) && missing >= low)
        return missing;
    if (json_integer(value, &x) && x >= low && x <= high)
        return x;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld is wanted", (long long)low, (long long)high);
    json_refuse(f, name, value, wanted);
}

bool json_true(const json_file *f, json object, const char *name, bool missing) {
    json value = json_member(object, name);
    char kind = json_kind(value);
    if (is_missing(value))
        return missing;
    if (kind != 't' && kind != 'f')
        json_refuse(f, name, value, "true or false is wanted");
    return kind == 't';
}

/* ---- config.json, read ---- */

enum { MOST_WIDTH = 1 << 16, MOST_CONTEXT = 1 << 20, MOST_VOCABULARY = 1 << 24 };

static const char *const families[] = {"gpt2", "llama", "mistral", "qwen2", "qwen3"};
enum { GPT2, LLAMA_ITSELF, MISTRAL, QWEN2, QWEN3, N_FAMILIES };

static int family_of(const json_file *f) {
    json type = json_member(f->value, "model_type");
    for (int i = 0; i < N_FAMILIES; i++)
        if (json_is(type, families[i]))
            return i;
    json_refuse(f, "model_type", type, "gpt2, llama, mistral, qwen2 and qwen3 are supported");
}

static void must_be(const json_file *f, json object, const char *name, const char *only) {
    json value = json_member(object, name);
    char wanted[100];
    snprintf(wanted, sizeof wanted, "only %s is supported", only);
    if (!is_missing(value) && !json_is(value, only))
        json_refuse(f, name, value, wanted);
}

/* Layers from the first that has a window on have it; *from gets that. */
static int64_t window_of(const json_file *f, int family, int64_t layers, int64_t *from) {
    json types = json_member(f->value, "layer_types"), type = {NULL, NULL};
    int64_t i = 0, window = json_whole(f, f->value, "sliding_window", 1, 1 << 30, family == MISTRAL ? 4096 : 1 << 30);
    json given = json_member(f->value, "sliding_window");
    if (family == LLAMA_ITSELF || (given.at && json_kind(given) == 'n'))
        return 0;
    if (family != MISTRAL && !json_true(f, f->value, "use_sliding_window", false))
        return 0;
    *from = family == MISTRAL ? 0 : json_whole(f, f->value, "max_window_layers", 0, 1 << 20, 28);
    if (*from > layers)
        *from = layers;
    if (json_kind(types) == '[')
        *from = layers;
    while ((type = json_next(types, type, NULL)).at) {
        bool slides = json_is(type, "sliding_attention");
        if (slides && *from == layers)
            *from = i;
        if ((!slides && *from < layers) || (!slides && !json_is(type, "full_attention")))
            json_refuse(f, "layer_types", type,
                        "full_attention, and sliding_attention in the last layers, are supported");
        i++;
    }
    return *from < layers ? window : 0;
}

static tg_rope_scaling scaling_of(const json_file *f, json rope, int64_t context) {
    static const char *const types[] = {"default", "linear", "llama3", "yarn"};
    tg_rope_scaling s = TG_ROPE_SCALING_DEFAULTS;
    json type = json_member(rope, json_member(rope, "rope_type").at ? "rope_type" : "type");
    int i = 0;
    while (i < 4 && !json_is(type, types[i]))
        i++;
    if (type.at && i == 4)
        json_refuse(f, "rope_type", type, "default, linear, llama3 and yarn are supported");
    if (!type.at || i == TG_ROPE_UNSCALED)
        return (tg_rope_scaling){.type = TG_ROPE_UNSCALED};
    s.type = (tg_rope_type)i;
    s.factor = json_real(f, rope, "factor", 1e-3, 1e6, -1);
    s.original_max_position_embeddings =
        json_real(f, rope, "original_max_position_embeddings", 1, 1e9, s.type == TG_ROPE_LLAMA3 ? -1 : (double)context);
    s.low_freq_factor = json_real(f, rope, "low_freq_factor", 1e-6, 1e6, s.type == TG_ROPE_LLAMA3 ? -1 : 1);
    s.high_freq_factor = json_real(f, rope, "high_freq_factor", 1e-6, 1e6, s.type == TG_ROPE_LLAMA3 ? -1 : 4);
    s.beta_fast = json_real(f, rope, "beta_fast", 1e-6, 1e6, 32);
    s.beta_slow = json_real(f, rope, "beta_slow", 1e-6, 1e6, 1);
    s.attention_factor = json_real(f, rope, "attention_factor", 0, 1e6, 0);
    s.mscale = json_real(f, rope, "mscale", 0, 1e6, 0);
    s.mscale_all_dim = json_real(f, rope, "mscale_all_dim", 0, 1e6, 0);
    s.truncate = json_true(f, rope, "truncate", true);
    return s;
}

static void read_rope(const json_file *f, gpt_llama *l, int64_t context) {
    json rope = json_member(f->value, "rope_parameters");
    if (is_missing(rope))
        rope = json_member(f->value, "rope_scaling");
    double base = json_real(f, f->value, "rope_theta", 1, 1e12, 10000);
    l->rope_base = json_real(f, rope, "rope_theta", 1, 1e12, base);
    l->scaling = scaling_of(f, rope, context);
    for (int i = 0; i < 2; i++) {
        json object = i ? rope : f->value;
        if (json_real(f, object, "partial_rotary_factor", 0, 1e6, 1) != 1)
            json_refuse(f, "partial_rotary_factor", json_member(object, "partial_rotary_factor"),
                        "rotary positions of all channels, 1, are supported");
    }
}

/* One token, several or none, each plus 1. */
static void read_ends(const json_file *f, gpt_llama *l, int64_t vocabulary) {
    json end = json_member(f->value, "eos_token_id"), one = {NULL, NULL};
    l->begin = 1 + json_whole(f, f->value, "bos_token_id", -1, vocabulary - 1, -1);
    if (json_kind(end) != '[')
        l->end[0] = 1 + json_whole(f, f->value, "eos_token_id", -1, vocabulary - 1, -1);
    for (int i = 0; json_kind(end) == '[' && (one = json_next(end, one, NULL)).at; i++) {
        int64_t id;
        if (i == GPT_MOST_ENDS || !json_integer(one, &id) || id < 0 || id >= vocabulary)
            json_refuse(f, "eos_token_id", end, "at most four tokens of the vocabulary are supported");
        l->end[i] = id + 1;
    }
}

static void read_llama(const json_file *f, int family, gpt_config *c) {
    json top = f->value;
    gpt_llama *l = &c->llama;
    must_be(f, top, "hidden_act", "silu");
    c->family = LLAMA;
    c->context = json_whole(f, top, "max_position_embeddings", 1, 1 << 30, 0);
    c->layers = json_whole(f, top, "num_hidden_layers", 1, GPT_MAX_LAYERS, 0);
    c->heads = json_whole(f, top, "num_attention_heads", 1, MOST_WIDTH, 0);
    c->width = json_whole(f, top, "hidden_size", 1, MOST_WIDTH, 0);
    c->hidden = json_whole(f, top, "intermediate_size", 1, 1 << 18, 0);
    c->kv_heads = json_whole(f, top, "num_key_value_heads", 1, c->heads, family == LLAMA_ITSELF ? c->heads : 0);
    l->head_width = json_whole(f, top, "head_dim", 1, MOST_WIDTH, family == QWEN3 ? 128 : c->width / c->heads);
    l->head_norm = family == QWEN3;
    l->qkv_bias = family == QWEN2 || (family != MISTRAL && json_true(f, top, "attention_bias", false));
    l->out_bias = l->qkv_bias && family != QWEN2;
    l->mlp_bias = family == LLAMA_ITSELF && json_true(f, top, "mlp_bias", false);
    l->untied = !json_true(f, top, "tie_word_embeddings", false);
    l->norm_eps = json_real(f, top, "rms_norm_eps", 1e-30, 0.1, 1e-6);
    l->window = window_of(f, family, c->layers, &l->window_from);
    read_rope(f, l, c->context);
    read_ends(f, l, c->vocabulary);
    if (c->kv_heads == c->heads)
        c->kv_heads = 0;
}

static void read_gpt_2(const json_file *f, gpt_config *c) {
    json top = f->value;
    must_be(f, top, "activation_function", "gelu_new");
    c->family = GPT_2_PUBLISHED;
    c->context = json_whole(f, top, "n_positions", 1, MOST_CONTEXT, 0);
    c->layers = json_whole(f, top, "n_layer", 1, GPT_MAX_LAYERS, 0);
    c->heads = json_whole(f, top, "n_head", 1, MOST_WIDTH, 0);
    c->width = json_whole(f, top, "n_embd", 1, MOST_WIDTH, 0);
    c->hidden = json_whole(f, top, "n_inner", 1, 1 << 18, 4 * c->width);
    if (json_real(f, top, "layer_norm_epsilon", 0, 1, 1e-5) != GPT_NORM_EPS)
        json_refuse(f, "layer_norm_epsilon", json_member(top, "layer_norm_epsilon"), "1e-05 is supported");
    static const struct {
        const char *name;
        bool value;
    } only[] = {{"tie_word_embeddings", true},
                {"scale_attn_weights", true},
                {"add_cross_attention", false},
                {"scale_attn_by_inverse_layer_idx", false}};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (json_true(f, top, only[i].name, only[i].value) != only[i].value)
            json_refuse(f, only[i].name, json_member(top, only[i].name),
                        only[i].value ? "true is supported" : "false is supported");
}

gpt_config folder_config(const char *folder, int64_t context) {
    place path = in(folder, "config.json");
    json_file f = json_open(path.s);
    gpt_config c = {.family = GPT_2};
    int family = family_of(&f);
    json packed = json_member(f.value, "quantization_config");
    if (!is_missing(packed))
        json_refuse(&f, "quantization_config", packed, "only weights of 16, 32 and 64 bits are supported");
    c.vocabulary = json_whole(&f, f.value, "vocab_size", 1, MOST_VOCABULARY, 0);
    if (family == GPT2)
        read_gpt_2(&f, &c);
    else
        read_llama(&f, family, &c);
    if (context > c.context)
        die("%s: the model has a context of %lld, below --context %lld", path.s, (long long)c.context,
            (long long)context);
    if (context && family == GPT2)
        usage("--context", "is for rotary positions; GPT-2's are weights");
    c.context = context ? context : c.context;
    if (c.context > MOST_CONTEXT)
        die("%s: a context of %lld is above %d; --context takes a smaller one", path.s, (long long)c.context,
            MOST_CONTEXT);
    static const size_names names[] = {
        {"hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim"},
        {"n_embd", "n_head", "", ""},
    };
    const char *problem = config_problem_in(&c, &names[family == GPT2]);
    if (problem)
        die("%s: %s", path.s, problem);
    json_close(&f);
    return c;
}
