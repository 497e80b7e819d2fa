/* A Llama from a folder as Hugging Face's transformers save it: config.json, and the weights in one file or in several.
 * The layers here have the file's names, so that tg_load needs no rules. Token ids go in; the five most likely next
 * ones come out, with their logits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tapegrad/nn.h>

static char config[1 << 16]; /* config.json */
/* The number after "name":, or else the default. */
static double number(const char *name, double usual) {
    char field[64], *end;
    snprintf(field, sizeof field, "\"%s\":", name);
    const char *at = strstr(config, field), *value = at ? at + strlen(field) : "";
    double x = strtod(value, &end);
    return end == value ? usual : fmin(fmax(x, 0), 1e9);
}
static int64_t whole(const char *name, int64_t usual) { return (int64_t)fmax(1, number(name, (double)usual)); }
static bool says(const char *text) { return strstr(config, text) != NULL; }

typedef struct block {
    tg_nn_rms_norm norm1, norm2; /* before attention, before the feed-forward layer */
    tg_nn_linear q, k, v, o, gate, up, down;
} block;

static block block_new(tg_tape *t, int64_t C, int64_t q, int64_t kv, int64_t hidden) {
    return (block){tg_nn_rms_norm_new(t, "input_layernorm", C, number("rms_norm_eps", 1e-6)),
                   tg_nn_rms_norm_new(t, "post_attention_layernorm", C, number("rms_norm_eps", 1e-6)),
                   tg_nn_linear_new(t, "self_attn.q_proj", C, q, false),
                   tg_nn_linear_new(t, "self_attn.k_proj", C, kv, false),
                   tg_nn_linear_new(t, "self_attn.v_proj", C, kv, false),
                   tg_nn_linear_new(t, "self_attn.o_proj", q, C, false),
                   tg_nn_linear_new(t, "mlp.gate_proj", C, hidden, false),
                   tg_nn_linear_new(t, "mlp.up_proj", C, hidden, false),
                   tg_nn_linear_new(t, "mlp.down_proj", hidden, C, false)};
}

/* (T, heads d) -> (heads, T, d) */
static tg_tensor heads(const tg_nn_linear *l, tg_tensor x, int64_t d) {
    return tg_transpose(tg_reshape(tg_nn_linear_forward(l, x), TG_SHAPE(tg_size(x, 0), -1, d)), 0, 1);
}

static tg_tensor rope(tg_tensor x) {
    tg_rope_scaling s = {says("\"llama3\"") ? TG_ROPE_LLAMA3 : TG_ROPE_UNSCALED, number("factor", 1),
                         number("original_max_position_embeddings", 8192), number("low_freq_factor", 1),
                         .high_freq_factor = number("high_freq_factor", 4)};
    return tg_rope_scaled(x, (tg_rope_config){.base = number("rope_theta", 10000)}, s);
}

static tg_tensor block_forward(const block *b, tg_tensor x, int64_t d) {
    tg_tensor y = tg_nn_rms_norm_forward(&b->norm1, x);
    y = tg_scaled_dot_product_attention_with(rope(heads(&b->q, y, d)), rope(heads(&b->k, y, d)), heads(&b->v, y, d),
                                             (tg_attention_config){.causal = true, .enable_gqa = true});
    x = tg_add(x, tg_nn_linear_forward(&b->o, tg_reshape(tg_transpose(y, 0, 1), TG_SHAPE(tg_size(x, 0), -1))));
    y = tg_nn_rms_norm_forward(&b->norm2, x);
    y = tg_swiglu(tg_nn_linear_forward(&b->gate, y), tg_nn_linear_forward(&b->up, y));
    return tg_add(x, tg_nn_linear_forward(&b->down, y));
}

/* Ids (T) -> logits (T, vocabulary). */
static tg_tensor llama(tg_tape *t, const char *weights, tg_tensor ids) {
    int64_t C = whole("hidden_size", 0), V = whole("vocab_size", 0), hidden = whole("intermediate_size", 0);
    int64_t n = whole("num_attention_heads", 0), kv = whole("num_key_value_heads", n), d = whole("head_dim", C / n);
    int layers = (int)whole("num_hidden_layers", 0);
    tg_nn_embedding tokens = tg_nn_embedding_new(t, "model.embed_tokens", V, C);
    block *b = tg_tape_alloc(t, (size_t)layers, sizeof *b);
    for (int i = 0; b && i < layers; i++) {
        tg_name_push(t, "model.layers.%d", i);
        b[i] = block_new(t, C, n * d, kv * d, hidden);
        tg_name_pop(t);
    }
    tg_nn_rms_norm norm = tg_nn_rms_norm_new(t, "model.norm", C, number("rms_norm_eps", 1e-6));
    bool tied = says("\"tie_word_embeddings\": true");
    tg_nn_linear head = tied ? (tg_nn_linear){tokens.weight, TG_NULL} : tg_nn_linear_new(t, "lm_head", C, V, false);
    if (tg_load(t, weights))
        return TG_NULL;
    tg_tensor x = tg_nn_embedding_forward(&tokens, ids);
    for (int i = 0; i < layers; i++)
        x = block_forward(&b[i], x, d);
    return tg_nn_linear_forward(&head, tg_nn_rms_norm_forward(&norm, x));
}

/* A file's first bytes; how many. */
static size_t start_of(const char *path, char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(bytes, 1, size, file) : 0;
    return file && !fclose(file) ? n : 0;
}

static int fail(const char *path, const char *why) { return fprintf(stderr, "llama: %s%s\n", path, why), 1; }
static int end(int status) {
    return fflush(stdout) || ferror(stdout) ? fail("", "could not write the output") : status;
}

int main(int argc, char **argv) {
    bool asked = argc == 2 && !strcmp(argv[1], "--help");
    int64_t id[4096], n = argc - 2, best[5];
    char path[4096], one, *rest = "";
    for (int i = 0; i < n && n <= 4096 && !*rest; i++)
        id[i] = strtoll(argv[i + 2], &rest, 10);
    if (n < 1 || n > 4096 || *rest)
        return fprintf(asked ? stdout : stderr, "usage: llama FOLDER ID ...\n"), end(asked ? 0 : 2);
    snprintf(path, sizeof path, "%s/config.json", argv[1]);
    if (!start_of(path, config, sizeof config - 1))
        return fail(path, " cannot be read");
    bool unscaled = says("\"default\"") || (!says("\"rope_type\":") && !says("\"rope_scaling\": {"));
    if (!says("\"model_type\": \"llama\"") || !says("\"hidden_act\": \"silu\"") || !(unscaled || says("\"llama3\"")))
        return fail(path, ": it is no JSON with model_type, hidden_act and rope_type of Llama 2 or 3");
    snprintf(path, sizeof path, "%s/model.safetensors", argv[1]);
    if (!start_of(path, &one, 1))
        strncat(path, ".index.json", sizeof path - strlen(path) - 1);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor where, logits = tg_select(llama(t, path, tg_from_ints(t, TG_SHAPE(n), id)), 0, -1);
    tg_tensor largest = tg_topk(logits, 5, 0, true, &where);
    bool bad = tg_read_ints(where, best, 5) && fail("", tg_error(t));
    for (int i = 0; i < 5 && !bad; i++)
        printf("token %lld: logit %.6f\n", (long long)best[i], tg_item(tg_select(largest, 0, i)));
    tg_tape_free(t);
    return end(bad);
}
