/* Writing config.json. */
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

static const char *yes(bool x) { return x ? "true" : "false"; }

static void write_gpt_2(FILE *file, const gpt_config *c) {
    fprintf(file,
            "{\"architectures\": [\"GPT2LMHeadModel\"], \"model_type\": \"gpt2\", \"vocab_size\": %lld,\n"
            " \"n_positions\": %lld, \"n_embd\": %lld, \"n_layer\": %lld, \"n_head\": %lld, \"n_inner\": %lld,\n"
            " \"activation_function\": \"gelu_new\", \"layer_norm_epsilon\": %g, \"tie_word_embeddings\": true,\n",
            (long long)c->vocabulary, (long long)c->context, (long long)c->width, (long long)c->layers,
            (long long)c->heads, (long long)c->hidden, GPT_NORM_EPS);
}

/* transformers' class for a model of Llama's family, by its features. */
typedef struct kind {
    const char *type, *class;
} kind;
static kind kind_of(const gpt_llama *l) {
    if (l->head_norm)
        return (kind){"qwen3", "Qwen3ForCausalLM"};
    if (l->qkv_bias && !l->out_bias)
        return (kind){"qwen2", "Qwen2ForCausalLM"};
    return l->window ? (kind){"mistral", "MistralForCausalLM"} : (kind){"llama", "LlamaForCausalLM"};
}

static void write_scaling(FILE *file, const tg_rope_scaling *s) {
    static const char *const types[] = {"default", "linear", "llama3", "yarn"};
    fprintf(file, ", \"rope_type\": \"%s\"", types[s->type]);
    if (s->type != TG_ROPE_UNSCALED)
        fprintf(file, ", \"factor\": %.17g", s->factor);
    if (s->type == TG_ROPE_LLAMA3 || s->type == TG_ROPE_YARN)
        fprintf(file, ", \"original_max_position_embeddings\": %.0f", s->original_max_position_embeddings);
    if (s->type == TG_ROPE_LLAMA3)
        fprintf(file, ", \"low_freq_factor\": %.17g, \"high_freq_factor\": %.17g", s->low_freq_factor,
                s->high_freq_factor);
    if (s->type == TG_ROPE_YARN)
        fprintf(file, ", \"beta_fast\": %.17g, \"beta_slow\": %.17g, \"truncate\": %s", s->beta_fast, s->beta_slow,
                yes(s->truncate));
    if (s->type == TG_ROPE_YARN && s->attention_factor > 0)
        fprintf(file, ", \"attention_factor\": %.17g", s->attention_factor);
    if (s->type == TG_ROPE_YARN && s->mscale > 0 && s->mscale_all_dim > 0)
        fprintf(file, ", \"mscale\": %.17g, \"mscale_all_dim\": %.17g", s->mscale, s->mscale_all_dim);
}

/* Twice, for transformers 5 and for earlier versions. */
static void write_rope(FILE *file, const gpt_config *c) {
    const tg_rope_scaling *s = &c->llama.scaling;
    double base = gpt_rope_base(c);
    fprintf(file, " \"rope_parameters\": {\"rope_theta\": %.17g", base);
    write_scaling(file, s);
    fprintf(file, "},\n \"rope_theta\": %.17g,\n", base);
    if (s->type == TG_ROPE_UNSCALED)
        return;
    fprintf(file, " \"rope_scaling\": {\"rope_theta\": %.17g", base);
    write_scaling(file, s);
    fputs("},\n", file);
}

static void write_window(FILE *file, const gpt_config *c, kind k) {
    const gpt_llama *l = &c->llama;
    if (!strcmp(k.type, "mistral"))
        fprintf(file, " \"sliding_window\": %lld,\n", (long long)l->window);
    if (k.type[0] != 'q' || !l->window)
        return;
    fprintf(file, " \"use_sliding_window\": true, \"sliding_window\": %lld, \"max_window_layers\": %lld,\n",
            (long long)l->window, (long long)l->window_from);
}

static void write_llama(FILE *file, const gpt_config *c) {
    const gpt_llama *l = &c->llama;
    kind k = kind_of(l);
    fprintf(file,
            "{\"architectures\": [\"%s\"], \"model_type\": \"%s\", \"vocab_size\": %lld,\n"
            " \"max_position_embeddings\": %lld, \"hidden_size\": %lld, \"intermediate_size\": %lld,\n"
            " \"num_hidden_layers\": %lld, \"num_attention_heads\": %lld, \"num_key_value_heads\": %lld,\n"
            " \"head_dim\": %lld, \"hidden_act\": \"silu\", \"rms_norm_eps\": %.17g, \"tie_word_embeddings\": %s,\n",
            k.class, k.type, (long long)c->vocabulary, (long long)c->context, (long long)c->width, (long long)c->hidden,
            (long long)c->layers, (long long)c->heads, (long long)gpt_kv_heads(c), (long long)gpt_head_width(c),
            gpt_norm_eps(c), yes(!l->untied));
    if (!strcmp(k.type, "llama") || !strcmp(k.type, "qwen3"))
        fprintf(file, " \"attention_bias\": %s,\n", yes(l->qkv_bias));
    if (!strcmp(k.type, "llama"))
        fprintf(file, " \"mlp_bias\": %s,\n", yes(l->mlp_bias));
    write_window(file, c, k);
    write_rope(file, c);
}

static void put_token(FILE *file, const char *before, int64_t id_plus_1) {
    fputs(before, file);
    if (id_plus_1)
        fprintf(file, "%lld", (long long)id_plus_1 - 1);
    else
        fputs("null", file);
}

/* Begin and end of documents: from the imported model's file, or the defaults. A model without such tokens must say so:
 * by default transformers use 1 and 2, or 50256, and stop at these. */
static void write_ends(FILE *file, const checkpoint *c) {
    const gpt_config *own = &c->g.config;
    int64_t begin = own->begin, end = own->end[0];
    if (!begin && !end)
        begin = end = usual_end(&c->tokenizer, own->vocabulary);
    put_token(file, " \"bos_token_id\": ", begin);
    put_token(file, own->end[1] ? ", \"eos_token_id\": [" : ", \"eos_token_id\": ", end);
    for (int i = 1; i < GPT_MOST_ENDS && own->end[i]; i++)
        put_token(file, ", ", own->end[i]);
    fputs(own->end[1] ? "]}\n" : "}\n", file);
}

void folder_write_config(const checkpoint *c, const char *path) {
    FILE *file = must_create(path);
    (c->g.config.family == LLAMA ? write_llama : write_gpt_2)(file, &c->g.config);
    write_ends(file, c);
    must_close(file, path);
}
