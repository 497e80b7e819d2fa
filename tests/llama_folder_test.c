/* Models of Llama's family in folders as transformers save them (examples/gpt): logits and gradients against theirs,
 * one token after another, files of ours read again; adapters as PEFT saves them (tests/golden/make_llama.py). */
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"
#include "tests/io/llama_weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { B = 2, T = LLAMA_T, V = LLAMA_V, N_MODELS = sizeof llama_models / sizeof *llama_models };

const char program_name[] = "llama_folder_test";

/* ---- a folder ---- */

static char folder[200];
static const char *const names[] = {"config.json",
                                    "model.safetensors",
                                    "model.safetensors.index.json",
                                    "model-00001-of-00002.safetensors",
                                    "model-00002-of-00002.safetensors",
                                    "adapter_config.json",
                                    "adapter_model.safetensors",
                                    NULL};

static void start(void) { ck_assert(make_folder("llama_folder", folder, sizeof folder)); }
static void clear(void) {
    for (int i = 0; names[i]; i++)
        unlink(in(folder, names[i]).s);
}
static void stop(void) {
    clear();
    ck_assert_int_eq(rmdir(folder), 0);
}

static void put(const char *name, const char *content) {
    FILE *f = fopen(in(folder, name).s, "w");
    ck_assert(f && fputs(content, f) >= 0 && !fclose(f));
}

static void put_model(const struct llama_model *m) {
    put("config.json", m->config);
    llama_save(in(folder, "model.safetensors").s, m->tensors, 0, m->n_tensors);
}

static void put_shards(const struct llama_model *m) {
    int half = m->n_tensors / 2;
    char map[8000] = "{\"weight_map\": {";
    for (int i = 0; i < m->n_tensors; i++)
        snprintf(map + strlen(map), sizeof map - strlen(map), "%s\"%s\": \"%s\"", i ? ", " : "", m->tensors[i].name,
                 names[3 + (i >= half)]);
    strcat(map, "}}");
    put("config.json", m->config);
    put(names[2], map);
    llama_save(in(folder, names[3]).s, m->tensors, 0, half);
    llama_save(in(folder, names[4]).s, m->tensors, half, m->n_tensors);
}

static checkpoint opened(void) {
    checkpoint c = checkpoint_new(folder_config(folder, 0), (tokenizer){0}, 0);
    folder_load(&c, folder);
    tg_eval(c.t);
    return c;
}

/* ---- models ---- */

/* Within 1e-5 of the largest, which is what float32 is held to. */
static void want_near(const char *of, const char *what, const double *got, const double *want, int n, double largest) {
    for (int i = 0; i < n; i++)
        ck_assert_msg(fabs(got[i] - want[i]) <= 1e-5 * largest, "%s: %s: number %d is %.9g, not %.9g", of, what, i,
                      got[i], want[i]);
}

static double largest_of(const double *x, int n) {
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

static void want_gradients(const checkpoint *c, const struct llama_model *m) {
    ck_assert_int_eq(tg_parameters(c->t).n, m->n_tensors);
    for (int k = 0; k < m->n_tensors; k++) {
        const llama_tensor *x = &m->tensors[k];
        tg_tensor w = tg_named(c->t, x->name);
        const float *g = tg_grad_data(w);
        int64_t n = tg_numel(w), step = n / LLAMA_SAMPLES > 1 ? n / LLAMA_SAMPLES : 1;
        double got[LLAMA_SAMPLES];
        for (int i = 0; i < LLAMA_SAMPLES; i++)
            got[i] = (double)g[i * step % n];
        want_near(m->name, x->name, got, x->gradient, LLAMA_SAMPLES, m->largest);
    }
}

static tg_tensor ids_of(tg_tape *t) { return tg_from_ints(t, TG_SHAPE(B, T), llama_ids); }

/* Position i learns token i + 1; the last learns nothing. */
static tg_tensor next_loss(tg_tape *t, tg_tensor logits) {
    int64_t next[B * T];
    for (int i = 0; i < B * T; i++)
        next[i] = i % T == T - 1 ? TG_IGNORE_INDEX : llama_ids[i + 1];
    return tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(B, T), next), TG_IGNORE_INDEX, TG_MEAN);
}

static void want_model(checkpoint *c, const struct llama_model *m) {
    double got[B * T * V];
    tg_tensor logits = gpt_forward(&c->g, ids_of(c->t));
    ck_assert_msg(tg_read_doubles(logits, got, B * T * V) == TG_OK, "%s", tg_error(c->t));
    want_near(m->name, "logits", got, m->logits, B * T * V, largest_of(m->logits, B * T * V));
    tg_tensor loss = next_loss(c->t, logits);
    ck_assert_double_eq_tol(tg_item(loss), m->loss, 1e-5);
    run_backward(loss);
    want_gradients(c, m);
}

START_TEST(logits_and_gradients_are_transformers)
{
    for (int i = 0; i < N_MODELS; i++) {
        put_model(&llama_models[i]);
        checkpoint c = opened();
        want_model(&c, &llama_models[i]);
        checkpoint_free(&c);
        clear();
    }
}
END_TEST

START_TEST(models_in_several_files_with_activations_computed_again)
{
    for (int i = 0; i < N_MODELS; i++) {
        put_shards(&llama_models[i]);
        checkpoint c = opened();
        c.g.checkpoint = true;
        want_model(&c, &llama_models[i]);
        checkpoint_free(&c);
        clear();
    }
}
END_TEST

/* A prompt of some tokens, then one after another, with keys and values kept and without. */
START_TEST(tokens_with_kept_keys_are_those_without)
{
    for (int i = 0; i < N_MODELS; i++) {
        const struct llama_model *m = &llama_models[i];
        put_model(m);
        checkpoint c = opened();
        tg_no_grad_begin(c.t);
        for (int prompt = 1; prompt < T; prompt += 5) {
            gpt_cache cache = gpt_cache_new(&c.g);
            for (int n = prompt, before = 0; n <= T; before = n++) {
                double kept[V], whole[V];
                ck_assert_msg(!tg_read_doubles(gpt_next(&c.g, &cache, llama_ids + before, n - before), kept, V), "%s",
                              tg_error(c.t));
                ck_assert_int_eq(tg_read_doubles(gpt_next(&c.g, NULL, llama_ids, n), whole, V), TG_OK);
                want_near(m->name, "kept", kept, m->logits + (n - 1) * V, V, largest_of(m->logits, B * T * V));
                want_near(m->name, "whole", whole, m->logits + (n - 1) * V, V, largest_of(m->logits, B * T * V));
            }
        }
        checkpoint_free(&c);
        clear();
    }
}
END_TEST

/* What is written is read as what it was; a checkpoint of ours keeps all of it too. */
START_TEST(configs_are_kept)
{
    for (int i = 0; i < N_MODELS; i++) {
        put_model(&llama_models[i]);
        checkpoint c = opened();
        gpt_config *own = &c.g.config, again;
        ck_assert_int_eq(tg_save(c.t, in(folder, "model.safetensors.index.json").s), TG_OK);
        again = checkpoint_config(in(folder, "model.safetensors.index.json").s);
        for (int k = 0; k < 2; k++) {
            const gpt_llama *a = &own->llama, *b = &again.llama;
            ck_assert(own->heads == again.heads && gpt_kv_heads(own) == gpt_kv_heads(&again) &&
                      own->hidden == again.hidden);
            ck_assert(gpt_head_width(own) == gpt_head_width(&again) && a->window == b->window);
            ck_assert(!a->window || a->window_from == b->window_from);
            ck_assert(a->qkv_bias == b->qkv_bias && a->out_bias == b->out_bias && a->mlp_bias == b->mlp_bias);
            ck_assert(a->head_norm == b->head_norm && a->untied == b->untied && a->norm_eps == b->norm_eps);
            ck_assert(a->rope_base == b->rope_base && a->scaling.type == b->scaling.type);
            ck_assert(a->scaling.factor == b->scaling.factor && a->begin == b->begin);
            ck_assert(a->scaling.original_max_position_embeddings == b->scaling.original_max_position_embeddings);
            ck_assert_mem_eq(a->end, b->end, sizeof a->end);
            clear();
            if (k == 0)
                folder_write_config(&c, in(folder, "config.json").s);
            if (k == 0)
                again = folder_config(folder, 0);
        }
        checkpoint_free(&c);
    }
}
END_TEST

/* ---- adapters ---- */

enum { N_ADAPTERS = sizeof adapter_tensors / sizeof *adapter_tensors };

static void put_adapters(void) {
    put("adapter_config.json", adapter_config);
    llama_save(in(folder, "adapter_model.safetensors").s, adapter_tensors, 0, N_ADAPTERS);
}

static void want_adapted(const checkpoint *c) {
    double got[B * T * V];
    ck_assert_msg(!tg_read_doubles(gpt_forward(&c->g, ids_of(c->t)), got, B * T * V), "%s", tg_error(c->t));
    want_near("adapters", "logits", got, adapter_logits, B * T * V, largest_of(adapter_logits, B * T * V));
}

START_TEST(pefts_adapters_compute_what_they_do_there)
{
    put_model(&llama_models[1]);
    put_adapters();
    checkpoint c = opened();
    adapters own = adapters_load(&c, folder);
    ck_assert(own.rank == 2 && own.alpha == 6 && own.dropout == 0);
    want_adapted(&c);
    ck_assert_int_eq(tg_nn_lora_set_merged(c.t, true), TG_OK);
    want_adapted(&c);
    ck_assert_int_eq(tg_nn_lora_set_merged(c.t, false), TG_OK);
    unlink(in(folder, "adapter_config.json").s);
    unlink(in(folder, "adapter_model.safetensors").s);
    adapters_save(&c, folder, own); /* and read once more */
    checkpoint again = opened();
    (void)adapters_load(&again, folder);
    want_adapted(&again);
    checkpoint_free(&c);
    checkpoint_free(&again);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        logits_and_gradients_are_transformers, models_in_several_files_with_activations_computed_again,
        tokens_with_kept_keys_are_those_without, configs_are_kept, pefts_adapters_compute_what_they_do_there};
    return run_tests("llama_folder", tests, sizeof tests / sizeof *tests, start, stop);
}
