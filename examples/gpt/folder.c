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

bool is_folder(const char *path) {
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

static place made;

static void remove_made(void) { (void)rmdir(made.s); } /* fails if it has files */

void folder_prepare(const char *folder, const char *const *files) {
    if (mkdir(folder, 0777) == 0) {
        made = in(folder, "");
        before_dying = remove_made;
        (void)atexit(remove_made);
    } else if (errno != EEXIST || !is_folder(folder)) {
        die("%s: %s", folder, strerror(errno == EEXIST ? ENOTDIR : errno));
    }
    for (int i = 0; files[i]; i++)
        must_be_new(in(folder, files[i]).s);
}

void must_be_new(const char *path) {
    struct stat s;
    if (!lstat(path, &s)) /* also for a dangling link */
        die("%s: File exists; nothing is replaced: choose another name", path);
}

static place part_of(const char *folder, const char *file) {
    char part[256];
    snprintf(part, sizeof part, "%s.part", file);
    return in(folder, part);
}

place folder_part(const char *folder, const char *file) {
    place part = part_of(folder, file);
    (void)unlink(part.s);
    return part;
}

void folder_finish(const char *folder, const char *const *files) {
    for (int i = 0; files[i]; i++)
        must_be_new(in(folder, files[i]).s);
    for (int i = 0; files[i]; i++)
        if (rename(part_of(folder, files[i]).s, in(folder, files[i]).s))
            die("%s: %s", in(folder, files[i]).s, strerror(errno));
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

/* The first bytes of a value, in one line. */
typedef struct shown {
    char s[81];
} shown;
static shown show(json value) {
    shown line = {""};
    size_t n = 0;
    for (const char *s = value.at; s < value.end && n < sizeof line.s - 1; s++)
        if (*s != '\n')
            line.s[n++] = *s;
        else
            s += strspn(s, " \t\r\n") - 1;
    return line;
}

_Noreturn void json_refuse(const json_file *f, const char *name, json value, const char *wanted) {
    if (!value.at)
        die("%s: it has no \"%s\"; %s", f->path, name, wanted);
    die("%s: \"%s\" is %s; %s", f->path, name, show(value).s, wanted);
}

/* null counts as absent where transformers write it for that; elsewhere it has the wrong type. */
static bool may_be_null(const char *name) {
    static const char *const names[] = {
        "head_dim",     "num_key_value_heads", "n_inner",          "sliding_window",
        "layer_types",  "rope_parameters",     "rope_scaling",     "partial_rotary_factor",
        "bos_token_id", "eos_token_id",        "attention_factor", "quantization_config",
        "beta_fast",    "beta_slow",           "mscale",           "mscale_all_dim"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

json json_field(json object, const char *name) {
    json value = json_member(object, name);
    return json_kind(value) == 'n' && may_be_null(name) ? (json){NULL, NULL} : value;
}

double json_real(const json_file *f, json object, const char *name, double low, double high, double missing) {
    char wanted[100];
    double x = missing;
    json value = json_field(object, name);
    if (!value.at && missing >= low)
        return missing;
    if (json_number(value, &x) && x >= low && x <= high)
        return x;
    snprintf(wanted, sizeof wanted, "a number from %g to %g is wanted", low, high);
    json_refuse(f, name, json_member(object, name), wanted);
}

int64_t json_whole(const json_file *f, json object, const char *name, int64_t low, int64_t high, int64_t missing) {
    char wanted[100];
    int64_t x = missing;
    json value = json_field(object, name);
    if (!value.at && missing >= low)
        return missing;
    if (json_integer(value, &x) && x >= low && x <= high)
        return x;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld is wanted", (long long)low, (long long)high);
    json_refuse(f, name, json_member(object, name), wanted);
}

bool json_true(const json_file *f, json object, const char *name, bool missing) {
    json value = json_field(object, name);
    char kind = json_kind(value);
    if (value.at && kind != 't' && kind != 'f')
        json_refuse(f, name, value, "true or false is wanted");
    return value.at ? kind == 't' : missing;
}

int json_word(const json_file *f, json object, const char *name, const char *const *allowed, int n, int missing) {
    json value = json_field(object, name);
    char wanted[200] = "";
    for (int i = 0; i < n; i++)
        if (json_is(value, allowed[i]))
            return i;
    if (!value.at && missing >= 0)
        return missing;
    for (int i = 0; i < n; i++)
        snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s",
                 n == 1      ? "only "
                 : !i        ? ""
                 : i < n - 1 ? ", "
                             : " and ",
                 allowed[i]);
    strcat(wanted, n == 1 ? " is supported" : " are supported");
    json_refuse(f, name, json_member(object, name), wanted);
}

json json_container(const json_file *f, json object, const char *name, char kind) {
    json value = json_field(object, name);
    if (value.at && json_kind(value) != kind)
        json_refuse(f, name, value, kind == '{' ? "an object is wanted" : "a list is wanted");
    return value;
}

/* ---- config.json, read ---- */

enum { MOST_WIDTH = 1 << 16, MOST_CONTEXT = 1 << 20, MOST_VOCABULARY = 1 << 24 };

static const char *const families[] = {"gpt2", "llama", "mistral", "qwen2", "qwen3"};
enum { GPT2, LLAMA_ITSELF, MISTRAL, QWEN2, QWEN3, N_FAMILIES };

/* The number of last tokens that layers attend to; 0: all. */
static int64_t window_of(const json_file *f, int family) {
    json top = f->value;
    int64_t window = family == LLAMA_ITSELF ? 0 : json_whole(f, top, "sliding_window", 1, 1 << 30, 4096);
    bool is_on = family == MISTRAL || (family != LLAMA_ITSELF && json_true(f, top, "use_sliding_window", false));
    return is_on && json_kind(json_member(top, "sliding_window")) != 'n' ? window : 0;
}

/* The first layer that has the window; layers: none. */
static int64_t window_from(const json_file *f, int family, int64_t layers, int64_t window) {
    int64_t from = family < QWEN2 ? 0 : json_whole(f, f->value, "max_window_layers", 0, 1 << 20, 28), n = 0;
    json types = json_container(f, f->value, "layer_types", '['), type = {NULL, NULL};
    if (!types.at)
        return window && from < layers ? from : layers;
    if (json_count(types) != layers)
        json_refuse(f, "layer_types", types, "a type for each of num_hidden_layers is wanted");
    for (from = layers; (type = json_next(types, type, NULL)).at; n++) {
        bool slides = json_is(type, "sliding_attention");
        from = slides && from == layers ? n : from;
        if (slides && !window)
            json_refuse(f, "layer_types", types, "there is no sliding_window that is used");
        if (!slides && (from < layers || !json_is(type, "full_attention")))
            json_refuse(f, "layer_types", type,
                        "full_attention, and sliding_attention in the last layers, are supported");
    }
    if (family == MISTRAL && window && from > 0)
        json_refuse(f, "layer_types", types, "Mistral's layers all have the sliding_window");
    return from;
}

/* ---- rotary positions ---- */

typedef struct rope {
    double base;
    tg_rope_scaling scaling;
} rope;

static tg_rope_scaling scaling_of(const json_file *f, json own, int64_t context) {
    static const char *const types[] = {"default", "linear", "llama3", "yarn"};
    tg_rope_scaling s = TG_ROPE_SCALING_DEFAULTS;
    const char *name = json_member(own, "rope_type").at ? "rope_type" : "type";
    s.type = (tg_rope_type)json_word(f, own, name, types, 4, TG_ROPE_UNSCALED);
    if (s.type == TG_ROPE_UNSCALED)
        return (tg_rope_scaling){.type = TG_ROPE_UNSCALED};
    s.factor = json_real(f, own, "factor", 1e-3, 1e6, -1);
    s.original_max_position_embeddings =
        json_real(f, own, "original_max_position_embeddings", 1, 1e9, s.type == TG_ROPE_LLAMA3 ? -1 : (double)context);
    s.low_freq_factor = json_real(f, own, "low_freq_factor", 1e-6, 1e6, s.type == TG_ROPE_LLAMA3 ? -1 : 1);
    s.high_freq_factor = json_real(f, own, "high_freq_factor", 1e-6, 1e6, s.type == TG_ROPE_LLAMA3 ? -1 : 4);
    s.beta_fast = json_real(f, own, "beta_fast", 1e-6, 1e6, 32);
    s.beta_slow = json_real(f, own, "beta_slow", 1e-6, 1e6, 1);
    if (json_field(own, "attention_factor").at) /* here 0 means 0, not the default */
        s.attention_factor = json_real(f, own, "attention_factor", 1e-6, 1e6, -1);
    s.mscale = json_real(f, own, "mscale", 0, 1e6, 0);
    s.mscale_all_dim = json_real(f, own, "mscale_all_dim", 0, 1e6, 0);
    s.truncate = json_true(f, own, "truncate", true);
    return s;
}

static void want_whole_rotation(const json_file *f, json object) {
    if (json_real(f, object, "partial_rotary_factor", 0, 1e6, 1) != 1)
        json_refuse(f, "partial_rotary_factor", json_member(object, "partial_rotary_factor"),
                    "rotary positions of all channels, 1, are supported");
}

/* The rotary positions in the object of this name; present: it has members. */
static rope rope_of(const json_file *f, const char *name, int64_t context, bool *present) {
    json own = json_container(f, f->value, name, '{'), one = {NULL, NULL}, key;
    double base = json_real(f, f->value, "rope_theta", 1, 1e12, 10000);
    *present = json_count(own) > 0;
    while ((one = json_next(own, one, &key)).at)
        if (json_kind(one) == '{')
            json_refuse(f, name, own, "one kind of rotary positions for all layers is supported");
    want_whole_rotation(f, own);
    rope r = {json_real(f, own, "rope_theta", 1, 1e12, base), scaling_of(f, own, context)};
    if (*present && json_member(f->value, "rope_theta").at && r.base != base)
        json_refuse(f, "rope_theta", json_member(own, "rope_theta"), "beside it there is another rope_theta");
    return r;
}

static bool same_rope(const rope *a, const rope *b) {
    const tg_rope_scaling *s = &a->scaling, *z = &b->scaling;
    return a->base == b->base && s->type == z->type && s->factor == z->factor &&
           s->original_max_position_embeddings == z->original_max_position_embeddings &&
           s->low_freq_factor == z->low_freq_factor && s->high_freq_factor == z->high_freq_factor &&
           s->beta_fast == z->beta_fast && s->beta_slow == z->beta_slow && s->attention_factor == z->attention_factor &&
           s->mscale == z->mscale && s->mscale_all_dim == z->mscale_all_dim && s->truncate == z->truncate;
}

/* transformers 5 write rope_parameters, earlier versions rope_theta and rope_scaling; a file may have both. */
static void read_rope(const json_file *f, gpt_llama *l, int64_t context) {
    bool has_new, has_old;
    rope new = rope_of(f, "rope_parameters", context, &has_new), old = rope_of(f, "rope_scaling", context, &has_old);
    if (has_new && has_old && !same_rope(&new, &old))
        json_refuse(f, "rope_scaling", json_member(f->value, "rope_scaling"), "rope_parameters say something else");
    want_whole_rotation(f, f->value);
    l->rope_base = has_old ? old.base : new.base;
    l->scaling = has_old ? old.scaling : new.scaling;
}

/* ---- begin and end of texts ---- */

/* transformers' defaults where config.json is silent: bos and eos of each family; -1: none. */
enum { GPT_2_END = GPT_2_IDS - 1 };
static const int64_t usual_ends[N_FAMILIES][2] = {{GPT_2_END, GPT_2_END}, {1, 2}, {1, 2}, {-1, -1}, {-1, -1}};

/* A token, plus 1. GPT-2's default is ignored in a smaller vocabulary: its class writes it unless another is chosen. */
static int64_t token_of(const json_file *f, const char *name, int64_t usual, const gpt_config *c) {
    bool is_said = json_member(f->value, name).at != NULL;
    int64_t most = c->family == LLAMA || c->vocabulary > GPT_2_END ? c->vocabulary - 1 : GPT_2_END;
    int64_t id = json_whole(f, f->value, name, -1, most, is_said ? -1 : usual);
    return id < c->vocabulary ? id + 1 : 0;
}

/* One token, several or none. */
static void read_end(const json_file *f, int64_t usual, gpt_config *c) {
    static const char name[] = "eos_token_id";
    json end = json_member(f->value, name), one = {NULL, NULL};
    if (json_kind(end) != '[')
        c->end[0] = token_of(f, name, usual, c);
    for (int i = 0; json_kind(end) == '[' && (one = json_next(end, one, NULL)).at; i++) {
        int64_t id;
        if (i == GPT_MOST_ENDS || !json_integer(one, &id) || id < 0 || id >= c->vocabulary)
            json_refuse(f, name, end, "at most four tokens of the vocabulary are supported");
        c->end[i] = id + 1;
    }
}

static void read_ends(const json_file *f, int family, gpt_config *c) {
    c->begin = token_of(f, "bos_token_id", usual_ends[family][0], c);
    read_end(f, usual_ends[family][1], c);
}

/* The tokens at which transformers' generate stops: eos of generation_config.json, if present, overrides
 * config.json's. */
static void read_generation(const char *folder, gpt_config *c) {
    place path = in(folder, "generation_config.json");
    if (!is_there(path.s))
        return;
    json_file f = json_open(path.s);
    if (json_member(f.value, "eos_token_id").at) {
        memset(c->end, 0, sizeof c->end);
        read_end(&f, -1, c);
    }
    json_close(&f);
}

/* ---- the families ---- */

static void read_llama(const json_file *f, int family, gpt_config *c) {
    json top = f->value;
    gpt_llama *l = &c->llama;
    static const char *const only[] = {"silu"};
    (void)json_word(f, top, "hidden_act", only, 1, 0);
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
    int64_t window = window_of(f, family), from = window_from(f, family, c->layers, window);
    l->window = from < c->layers ? window : 0;
    l->window_from = l->window ? from : 0;
    read_rope(f, l, c->context);
    if (c->kv_heads == c->heads)
        c->kv_heads = 0;
}

static void read_gpt_2(const json_file *f, gpt_config *c) {
    json top = f->value;
    static const char *const gelu[] = {"gelu_new"};
    (void)json_word(f, top, "activation_function", gelu, 1, 0);
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
    int family = json_word(&f, f.value, "model_type", families, N_FAMILIES, -1);
    json packed = json_field(f.value, "quantization_config");
    if (packed.at)
        json_refuse(&f, "quantization_config", packed, "only weights of 16, 32 and 64 bits are supported");
    c.vocabulary = json_whole(&f, f.value, "vocab_size", 1, MOST_VOCABULARY, 0);
    if (family == GPT2)
        read_gpt_2(&f, &c);
    else
        read_llama(&f, family, &c);
    read_ends(&f, family, &c);
    read_generation(folder, &c);
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
