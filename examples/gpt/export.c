/* gpt export: a model as Hugging Face's transformers open it. */
#include "examples/common/output.h"
#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: gpt export CHECKPOINT --out FOLDER [options]\n"
    "\n"
    "Writes FOLDER/model.safetensors and FOLDER/config.json, which AutoModelForCausalLM.from_pretrained(FOLDER) opens: of\n"
    "a model of the llama preset, or of one that `gpt import` made. There is no tokenizer in it;\n"
    "bos and eos are <|endoftext|> where the model's tokenizer has it, and none where it knows characters.\n"
    "\n"
    "  --out FOLDER       made when it is missing; what is in it stays, and is not replaced\n"
    "  --dtype NAME       F32, BF16 or F16; default F32\n";

typedef struct place {
    char s[4096];
} place;

static place in(const char *folder, const char *name) {
    place p;
    if ((size_t)snprintf(p.s, sizeof p.s, "%s/%s", folder, name) >= sizeof p.s)
        die("%.60s...: the path is too long", folder);
    return p;
}

static void write_gpt_2(FILE *file, const gpt_config *c) {
    fprintf(file,
            "{\"architectures\": [\"GPT2LMHeadModel\"], \"model_type\": \"gpt2\", \"vocab_size\": %lld,\n"
            " \"n_positions\": %lld, \"n_embd\": %lld, \"n_layer\": %lld, \"n_head\": %lld, \"n_inner\": %lld,\n"
            " \"activation_function\": \"gelu_new\", \"layer_norm_epsilon\": %g, \"tie_word_embeddings\": true,\n",
            (long long)c->vocabulary, (long long)c->context, (long long)c->width, (long long)c->layers,
            (long long)c->heads, (long long)c->hidden, GPT_NORM_EPS);
}

static void write_llama(FILE *file, const gpt_config *c) {
    fprintf(file,
            "{\"architectures\": [\"LlamaForCausalLM\"], \"model_type\": \"llama\", \"vocab_size\": %lld,\n"
            " \"max_position_embeddings\": %lld, \"hidden_size\": %lld, \"intermediate_size\": %lld,\n"
            " \"num_hidden_layers\": %lld, \"num_attention_heads\": %lld, \"num_key_value_heads\": %lld,\n"
            " \"hidden_act\": \"silu\", \"rms_norm_eps\": %g, \"rope_theta\": %.1f, \"tie_word_embeddings\": true,\n"
            " \"attention_bias\": false, \"mlp_bias\": false,\n",
            (long long)c->vocabulary, (long long)c->context, (long long)c->width, (long long)c->hidden,
            (long long)c->layers, (long long)c->heads, (long long)gpt_kv_heads(c), GPT_NORM_EPS, TG_ROPE_DEFAULTS.base);
}

/* Where documents begin and end: <|endoftext|> of byte pairs, and of GPT-2's ids without them. Others have no such
 * token, which has to be said: transformers take 1 and 2, or 50256, where nothing is, and stop at these. */
static void write_ends(FILE *file, const checkpoint *c) {
    enum { GPT_2_IDS = 50257 };
    int64_t vocabulary = c->g.config.vocabulary;
    char id[24] = "null";
    if (c->tokenizer.bpe || (!c->tokenizer.code && vocabulary == GPT_2_IDS))
        snprintf(id, sizeof id, "%lld", (long long)vocabulary - 1);
    fprintf(file, " \"bos_token_id\": %s, \"eos_token_id\": %s}\n", id, id);
}

/* Into a new file only: the first of the two that is written. */
static void write_config(const char *path, const checkpoint *c) {
    FILE *file = fopen(path, "wx");
    if (!file)
        die("%s: %s", path, strerror(errno));
    (c->g.config.family == LLAMA ? write_llama : write_gpt_2)(file, &c->g.config);
    write_ends(file, c);
    must_close(file, path);
}

static void write_weights(const checkpoint *c, const char *path, const char *dtype) {
    published_layout l;
    tg_save_config config = {.only = tg_parameters(c->t), .dtype = dtype};
    if (c->g.config.family == GPT_2_PUBLISHED) {
        config.n_rules = published_rules("transformer.", &l);
        config.rule = l.rule;
    }
    must(c->t, tg_save_with(c->t, path, config));
}

int gpt_export(int argc, char **argv) {
    const char *path = NULL, *out = NULL, *dtype = "F32";
    gpt_option all[] = {
        {"", WORD, &path, 0, 0, false}, {"--out", WORD, &out, 0, 0, false}, {"--dtype", WORD, &dtype, 0, 0, false}};
    gpt_options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!path || !out)
        usage("export", path ? "wants --out, the folder to write" : "wants a checkpoint");
    if (strcmp(dtype, "F32") && strcmp(dtype, "BF16") && strcmp(dtype, "F16"))
        usage("--dtype", "is F32, BF16 or F16");
    checkpoint c = checkpoint_load(path);
    if (c.g.config.family == GPT_2)
        die("%s: nanoGPT's model, without biases and with the exact gelu, is none that transformers know", path);
    if (mkdir(out, 0777) && errno != EEXIST)
        die("%s: %s", out, strerror(errno));
    place weights = in(out, "model.safetensors");
    if (!access(weights.s, F_OK))
        die("%s: File exists", weights.s);
    write_config(in(out, "config.json").s, &c);
    write_weights(&c, weights.s, dtype);
    say(stdout, "wrote %s", weights.s);
    checkpoint_free(&c);
    return DONE;
}
