/* The parts of examples/gpt: the models against PyTorch, keys and values kept against computed anew, sampling. */
#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/sampler.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "golden/gpt.h"

const char program_name[] = "gpt_test";

/* ---- the models ---- */

enum { V = 11, T = 6, B = 2 };

static gpt_config tiny(gpt_family family) {
    return (gpt_config){.family = family,
                        .vocabulary = V,
                        .context = T,
                        .layers = 2,
                        .heads = 2,
                        .width = 8,
                        .hidden = family == LLAMA ? 16 : 32};
}

static gpt_config grouped(void) {
    gpt_config c = tiny(LLAMA);
    c.kv_heads = 1;
    return c;
}

/* The weights of make_gpt.py. */
static void set_weights(tg_tape *t) {
    tg_list all = tg_parameters(t);
    for (int64_t k = 0; k < all.n; k++) {
        const char *name = tg_name(all.tensor[k]);
        int64_t n = tg_numel(all.tensor[k]), sum = 0;
        bool norm = strstr(name, "ln_") || strstr(name, "norm");
        double *w = malloc((size_t)n * sizeof *w);
        for (const char *s = name; *s; s++)
            sum += *s;
        for (int64_t i = 0; i < n; i++)
            w[i] = 0.3 * sin((double)(i + sum)) + norm;
        ck_assert_int_eq(tg_write_doubles(all.tensor[k], w, n), TG_OK);
        free(w);
    }
}

static void want_gradients(tg_tape *t, const gradient *want, int n, double tolerance) {
    ck_assert_int_eq(tg_parameters(t).n, n);
    for (int k = 0; k < n; k++) {
        tg_tensor g = tg_grad(tg_named(t, want[k].name));
        int64_t size = tg_numel(g);
        double *x = malloc((size_t)size * sizeof *x), sum = 0, weighted = 0;
        ck_assert_int_eq(tg_read_doubles(g, x, size), TG_OK);
        for (int64_t i = 0; i < size; i++) {
            sum += x[i];
            weighted += x[i] * cos((double)i);
        }
        free(x);
        ck_assert_msg(fabs(sum - want[k].sum) < tolerance && fabs(weighted - want[k].weighted) < tolerance,
                      "%s: %.9g, %.9g", want[k].name, sum, weighted);
    }
}

static void want_pytorchs(tg_dtype dtype, gpt_config config, const double *logits, double loss, const gradient *grads,
                          int n_grads, double tolerance) {
    static const int64_t ids[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 10}, next[] = {1, 4, 1, 5, 9, 0, 6, 5, 3, 5, 10, 7};
    double got[B * T * V], again[B * T * V];
    tg_tape *t = tg_tape_new(dtype);
    gpt g = gpt_new(t, config);
    set_weights(t);
    tg_tensor x = tg_from_ints(t, TG_SHAPE(B, T), ids), y = gpt_forward(&g, x);
    ck_assert_msg(tg_read_doubles(y, got, B * T * V) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < B * T * V; i++)
        ck_assert_double_eq_tol(got[i], logits[i], fmax(tolerance, 1e-11));
    tg_tensor mean = tg_cross_entropy(y, tg_from_ints(t, TG_SHAPE(B, T), next), TG_IGNORE_INDEX, TG_MEAN);
    ck_assert_double_eq_tol(tg_item(mean), loss, tolerance);
    run_backward(mean);
    want_gradients(t, grads, n_grads, fmax(tolerance, 1e-10));
    tg_no_grad_begin(t);
    ck_assert_int_eq(tg_read_doubles(gpt_evaluate(&g, x), again, B * T * V), TG_OK);
    tg_no_grad_end(t);
    ck_assert(memcmp(got, again, sizeof got) == 0);
    tg_tape_free(t);
}

START_TEST(models_compute_what_pytorch_does)
{
    static const struct {
        const double *logits, *loss;
        const gradient *gradients;
        int n;
    } of[] = {{gpt_2_logits, &gpt_2_loss, gpt_2_gradients, sizeof gpt_2_gradients / sizeof *gpt_2_gradients},
              {llama_logits, &llama_loss, llama_gradients, sizeof llama_gradients / sizeof *llama_gradients},
              {grouped_logits, &grouped_loss, grouped_gradients, sizeof grouped_gradients / sizeof *grouped_gradients}};
    const gpt_config config[] = {tiny(GPT_2), tiny(LLAMA), grouped()};
    for (int i = 0; i < 3; i++) {
        want_pytorchs(TG_F64, config[i], of[i].logits, *of[i].loss, of[i].gradients, of[i].n, 1e-12);
        want_pytorchs(TG_F32, config[i], of[i].logits, *of[i].loss, of[i].gradients, of[i].n, 1e-5);
    }
}
END_TEST

/* ---- GPT-2's weights as Hugging Face has them ---- */

static void declare(tg_tape *t, const char *name, int64_t rows, int64_t columns) {
    tg_parameter(t, name, tg_zeros(t, columns ? TG_SHAPE(rows, columns) : TG_SHAPE(rows)));
}

/* The names and shapes of make_gpt.py's published(). */
static void declare_published(tg_tape *t) {
    static const struct {
        const char *part;
        int64_t rows, columns;
    } parts[] = {{"ln_1.weight", 8, 0},       {"ln_1.bias", 8, 0},          {"attn.c_attn.weight", 8, 24},
                 {"attn.c_attn.bias", 24, 0}, {"attn.c_proj.weight", 8, 8}, {"attn.c_proj.bias", 8, 0},
                 {"ln_2.weight", 8, 0},       {"ln_2.bias", 8, 0},          {"mlp.c_fc.weight", 8, 32},
                 {"mlp.c_fc.bias", 32, 0},    {"mlp.c_proj.weight", 32, 8}, {"mlp.c_proj.bias", 8, 0}};
    char name[64];
    declare(t, "wte.weight", V, 8);
    declare(t, "wpe.weight", T, 8);
    declare(t, "ln_f.weight", 8, 0);
    declare(t, "ln_f.bias", 8, 0);
    for (int layer = 0; layer < 2; layer++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            snprintf(name, sizeof name, "h.%d.%s", layer, parts[i].part);
            declare(t, name, parts[i].rows, parts[i].columns);
        }
    ck_assert_int_eq(tg_parameters(t).n, sizeof published_gradients / sizeof *published_gradients);
}

/* Them with its weights, in a file. */
static void save_published(const char *path) {
    tg_tape *t = tg_tape_new(TG_F32);
    declare_published(t);
    set_weights(t);
    /* masks, as older files have them, are passed over */
    tg_buffer(t, "h.0.attn.bias", tg_ones(t, TG_SHAPE(1, 1, T, T)));
    ck_assert_msg(tg_save(t, path) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}

static size_t bytes_of(const char *path, char *to, size_t size) {
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    size_t n = fread(to, 1, size, f);
    fclose(f);
    return n;
}

/* Exported again, the weights are where they were: in `path`, of Hugging Face's names without the prefix. */
static void want_export(const char *folder, const char *ours, const char *theirs) {
    static char a[32768], b[32768];
    char out[400], weights[500], config[500], stripped[400];
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(weights, sizeof weights, "%s/model.safetensors", out);
    snprintf(config, sizeof config, "%s/config.json", out);
    snprintf(stripped, sizeof stripped, "%s/stripped", folder);
    char *arguments[] = {"export", (char *)(uintptr_t)ours, "--out", out};
    ck_assert_int_eq(gpt_export(4, arguments), DONE);
    /* the file that was imported, without its mask and with the prefix that models with a head have */
    tg_tape *t = tg_tape_new(TG_F32);
    declare_published(t);
    tg_load_config part = {.allow_extra = true};
    ck_assert_int_eq(tg_load_with(t, theirs, part), TG_OK);
    const tg_file_rule prefix = {"*", "transformer.*", false, 0, 0};
    tg_save_config with_prefix = {.rule = &prefix, .n_rules = 1};
    ck_assert_int_eq(tg_save_with(t, stripped, with_prefix), TG_OK);
    tg_tape_free(t);
    size_t n = bytes_of(weights, a, sizeof a);
    ck_assert(n == bytes_of(stripped, b, sizeof b) && n < sizeof a && memcmp(a, b, n) == 0);
    a[bytes_of(config, a, sizeof a - 1)] = '\0';
    ck_assert(strstr(a, "\"n_head\": 2") && strstr(a, "\"vocab_size\": 11") && strstr(a, "\"n_inner\": 32"));
    remove(weights);
    remove(config);
    remove(stripped);
    rmdir(out);
}

START_TEST(published_weights_give_pytorchs_logits)
{
    static const int64_t ids[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 10}, next[] = {1, 4, 1, 5, 9, 0, 6, 5, 3, 5, 10, 7};
    char folder[300], theirs[400], ours[400];
    double got[B * T * V];
    ck_assert(make_folder("gpt_test", folder, sizeof folder));
    snprintf(theirs, sizeof theirs, "%s/theirs", folder);
    snprintf(ours, sizeof ours, "%s/ours", folder);
    save_published(theirs);
    char *arguments[] = {"import", theirs, "--out", ours, "--heads", "2"};
    ck_assert_int_eq(gpt_import(6, arguments), DONE);
    checkpoint c = checkpoint_load(ours);
    tg_tensor y = gpt_forward(&c.g, tg_from_ints(c.t, TG_SHAPE(B, T), ids));
    ck_assert_msg(tg_read_doubles(y, got, B * T * V) == TG_OK, "%s", tg_error(c.t));
    for (int i = 0; i < B * T * V; i++)
        ck_assert_double_eq_tol(got[i], published_logits[i], 1e-5);
    tg_tensor loss = tg_cross_entropy(y, tg_from_ints(c.t, TG_SHAPE(B, T), next), TG_IGNORE_INDEX, TG_MEAN);
    ck_assert_double_eq_tol(tg_item(loss), published_loss, 1e-5);
    run_backward(loss);
    for (size_t k = 0; k < sizeof published_gradients / sizeof *published_gradients; k++) {
        char name[80];
        snprintf(name, sizeof name, "transformer.%s", published_gradients[k].name);
        tg_tensor sum = tg_sum(tg_grad(tg_named(c.t, name)), TG_ALL_DIMS, false); /* the same however it lies */
        ck_assert_double_eq_tol(tg_item(sum), published_gradients[k].sum, 1e-5);
    }
    checkpoint_free(&c);
    want_export(folder, ours, theirs);
    remove(theirs);
    remove(ours);
    rmdir(folder);
}
END_TEST

/* ---- keys and values kept ---- */

enum { LONG = 1024, WRITTEN = 1000 };

/* Writes tokens with and without a cache: the same tokens, and logits within 1e-5. */
static void write_both_ways(gpt_config config, const sampler *s, int64_t prompt) {
    float kept[V], anew[V];
    int64_t ids[LONG];
    tg_tape *t = tg_tape_new(TG_F32);
    config.context = LONG;
    gpt g = gpt_new(t, config);
    set_weights(t);
    tg_no_grad_begin(t);
    gpt_cache cache = gpt_cache_new(&g);
    for (int64_t i = 0; i < prompt; i++)
        ids[i] = i % V;
    tg_mark mark = tg_tape_mark(t);
    for (int64_t n = prompt, known = 0; n < prompt + WRITTEN; known = n++) {
        tg_tensor y = gpt_next(&g, &cache, ids + known, n - known), z = gpt_next(&g, NULL, ids, n);
        ck_assert_msg(tg_read_floats(y, kept, V) == TG_OK && tg_read_floats(z, anew, V) == TG_OK, "%s", tg_error(t));
        for (int i = 0; i < V; i++)
            ck_assert_double_eq_tol((double)kept[i], (double)anew[i], 1e-5);
        tg_rng_state state = tg_get_rng_state(t);
        ids[n] = sampler_draw(s, y);
        ck_assert_int_eq(tg_set_rng_state(t, &state), TG_OK);
        ck_assert_int_eq(ids[n], sampler_draw(s, z));
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
    ck_assert_int_eq(cache.length, prompt + WRITTEN - 1);
    tg_tape_free(t);
}

START_TEST(kept_keys_change_no_token)
{
    const sampler greedy = {0, 1, 1}, seeded = {1, 8, 0.9};
    write_both_ways(tiny(GPT_2), &greedy, 1);
    write_both_ways(tiny(GPT_2), &seeded, 20);
    write_both_ways(tiny(LLAMA), &greedy, 20);
    write_both_ways(grouped(), &seeded, 1);
}
END_TEST

/* What an evaluation takes beyond the weights does not depend on the number of layers. */
static size_t evaluation_takes(gpt_family family, int64_t layers) {
    static const int64_t ids[B * T];
    tg_tape *t = tg_tape_new(TG_F32);
    gpt_config config = tiny(family);
    config.layers = layers;
    gpt g = gpt_new(t, config);
    tg_no_grad_begin(t);
    size_t before = tg_tape_memory(t).used;
    ck_assert_double_eq((double)tg_tape_memory(t).used_peak, (double)before);
    (void)gpt_evaluate(&g, tg_from_ints(t, TG_SHAPE(B, T), ids));
    WANT_OK(t);
    size_t takes = tg_tape_memory(t).used_peak - before;
    tg_tape_free(t);
    return takes;
}

START_TEST(evaluation_takes_the_same_memory_at_any_depth)
{
    ck_assert_uint_eq(evaluation_takes(GPT_2, 24), evaluation_takes(GPT_2, 2));
    ck_assert_uint_eq(evaluation_takes(LLAMA, 24), evaluation_takes(LLAMA, 2));
}
END_TEST

/* ---- what a layer looks at ---- */

enum { SEEN = 3 };

static void keep_weights(void *context, int layer, const float *weights) {
    ck_assert_int_eq(layer, 0);
    memcpy(context, weights, SEEN * SEEN * sizeof *weights);
}

static void write_all(tg_tensor x, const double *values, int64_t n) {
    ck_assert_int_eq(tg_write_doubles(x, values, n), TG_OK);
}

/* Width 2, so that layer_norm makes (1, -1) of token 0 and (-1, 1) of token 1; positions 0, queries and keys as they
 * are: q k / sqrt 2 is sqrt 2 for equal tokens and -sqrt 2 for others. With r = e^(-2 sqrt 2) the rows are
 * (1), (r, 1) / (1 + r), (1, r, 1) / (2 + r). */
START_TEST(weights_are_what_a_layer_looks_at)
{
    const double r = exp(-2 * sqrt(2));
    const double want[] = {1, 0, 0, r / (1 + r), 1 / (1 + r), 0, 1 / (2 + r), r / (2 + r), 1 / (2 + r)};
    tg_tape *t = tg_tape_new(TG_F32);
    gpt_config config = {
        .family = GPT_2, .vocabulary = 2, .context = SEEN, .layers = 1, .heads = 1, .width = 2, .hidden = 8};
    gpt g = gpt_new(t, config);
    float got[SEEN * SEEN];
    write_all(g.token.weight, (const double[]){1, -1, -1, 1}, 4);
    write_all(g.position.weight, (const double[]){0, 0, 0, 0, 0, 0}, 6);
    write_all(g.block[0].qkv.weight, (const double[]){1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0}, 12);
    tg_no_grad_begin(t);
    ck_assert(
        gpt_look_at(&g, tg_from_ints(t, TG_SHAPE(1, SEEN), (const int64_t[]){0, 1, 0}), (gpt_look){keep_weights, got}));
    tg_no_grad_end(t);
    for (int i = 0; i < SEEN * SEEN; i++)
        ck_assert_double_eq_tol((double)got[i], want[i], 1e-4); /* layer_norm's eps is 1e-5 */
    ck_assert(!gpt_look_at(&g, TG_NULL, (gpt_look){keep_weights, got}));
    tg_tape_free(t);
}
END_TEST

/* ---- sampling ---- */

/* How often each of four tokens is drawn, of 4,000 draws. */
static void count_draws(sampler s, int64_t *count) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor logits = VECTOR(t, log(1), log(4), log(2), log(3)); /* probabilities .1 .4 .2 .3 */
    tg_mark mark = tg_tape_mark(t);
    tg_manual_seed(t, 5);
    for (int i = 0; i < 4; i++)
        count[i] = 0;
    for (int i = 0; i < 4000; i++) {
        count[sampler_draw(&s, logits)]++;
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
    tg_tape_free(t);
}

/* Each within five standard deviations of what the probabilities say. */
static void want_shares(sampler s, double a, double b, double c, double d) {
    const double p[4] = {a, b, c, d};
    int64_t count[4];
    count_draws(s, count);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(fabs((double)count[i] - 4000 * p[i]) <= 5 * sqrt(4000 * p[i] * (1 - p[i])), "token %d: %lld", i,
                      (long long)count[i]);
}

START_TEST(tokens_are_drawn_as_often_as_they_should)
{
    want_shares((sampler){1, 4, 1}, 0.1, 0.4, 0.2, 0.3);
    want_shares((sampler){1, 100, 1}, 0.1, 0.4, 0.2, 0.3);
    want_shares((sampler){0.5, 4, 1}, 1 / 30., 16 / 30., 4 / 30., 9 / 30.); /* p^2 */
    want_shares((sampler){1, 2, 1}, 0, 4 / 7., 0, 3 / 7.);
    want_shares((sampler){1, 1, 1}, 0, 1, 0, 0);
    want_shares((sampler){0, 4, 1}, 0, 1, 0, 0);
    want_shares((sampler){1, 4, 0.65}, 0, 4 / 7., 0, 3 / 7.); /* .4 is too little, .4 + .3 enough */
    want_shares((sampler){1, 4, 0.75}, 0, 4 / 9., 2 / 9., 3 / 9.);
    want_shares((sampler){1, 4, 0.3}, 0, 1, 0, 0);
    want_shares((sampler){1, 3, 0.5}, 0, 4 / 7., 0, 3 / 7.); /* of .4 .3 .2: 4/9 is too little */
}
END_TEST

int main(void) {
    const TTest *const tests[] = {models_compute_what_pytorch_does,
                                  published_weights_give_pytorchs_logits,
                                  kept_keys_change_no_token,
                                  weights_are_what_a_layer_looks_at,
                                  evaluation_takes_the_same_memory_at_any_depth,
                                  tokens_are_drawn_as_often_as_they_should};
    return run_tests("gpt", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
