/* Where a model that gpt import made begins and ends a text: as config.json and generation_config.json say it, and what
 * is written again. */
#include "tests/io/gpt_folder.h"

typedef struct gpt_2_tensor {
    const char *name;
    int64_t rows, columns; /* columns 0: a vector */
} gpt_2_tensor;

/* A GPT-2 that always writes the same token: all is 0 but one number of the last bias and one of this token's row. */
static void put_gpt_2(int64_t vocabulary, int64_t token) {
    const gpt_2_tensor all[] = {{"wte.weight", vocabulary, 4},
                                {"wpe.weight", 8, 4},
                                {"h.0.ln_1.weight", 4, 0},
                                {"h.0.ln_1.bias", 4, 0},
                                {"h.0.ln_2.weight", 4, 0},
                                {"h.0.ln_2.bias", 4, 0},
                                {"h.0.attn.c_attn.bias", 12, 0},
                                {"h.0.attn.c_attn.weight", 4, 12},
                                {"h.0.attn.c_proj.weight", 4, 4},
                                {"h.0.attn.c_proj.bias", 4, 0},
                                {"h.0.mlp.c_fc.weight", 4, 16},
                                {"h.0.mlp.c_fc.bias", 16, 0},
                                {"h.0.mlp.c_proj.weight", 16, 4},
                                {"h.0.mlp.c_proj.bias", 4, 0},
                                {"ln_f.weight", 4, 0},
                                {"ln_f.bias", 4, 0}};
    tg_tape *t = tg_tape_new(TG_F32);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tg_parameter(t, all[i].name,
                     tg_zeros(t, all[i].columns ? TG_SHAPE(all[i].rows, all[i].columns) : TG_SHAPE(all[i].rows)));
    float *bias = tg_data(tg_named(t, "ln_f.bias")), *rows = tg_data(tg_named(t, "wte.weight"));
    bias[0] = rows[4 * token] = 1;
    remove_all();
    ck_assert_int_eq(mkdir(in_folder("model"), 0777), 0);
    ck_assert_msg(tg_save(t, in_folder("model/model.safetensors")) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}

static void put_gpt_2_config(const char *ends) {
    char text[400];
    snprintf(text, sizeof text,
             "{\"model_type\": \"gpt2\", \"vocab_size\": 7, \"n_positions\": 8, \"n_embd\": 4, \"n_layer\": 1,"
             " \"n_head\": 2%s}",
             ends);
    put("model/config.json", text);
}

#define SAMPLE(model) RUN("sample", model, "--prompt-ids", "3,1", "--tokens", "3", "--temperature", "0")

static void want_written(const run *r, const char *text) {
    ck_assert_msg(r->status == 0 && !strcmp(r->out, text), "'%s' is not '%s': %s", r->out, text, r->err);
}

/* The model writes token 5, again and again. */
static void want_end(const char *config, const char *generation, const char *text, const char *exported) {
    size_t n;
    put_gpt_2(7, 5);
    put_gpt_2_config(config);
    if (generation)
        put("model/generation_config.json", generation);
    const run *r = RUN("import", "model", "--out", "a");
    ck_assert_msg(r->status == 0, "%s%s: %s", config, generation ? generation : "", r->err);
    want_written(SAMPLE("a"), text);
    put("data", "{\"prompt\": [1], \"answer\": [2]}\n");
    ck_assert_int_eq(RUN("finetune", "a", "--data", "data", "--steps", "0", "--save", "b")->status, 0);
    want_written(SAMPLE("b"), text);
    ck_assert_int_eq(RUN("export", "b", "--out", "new")->status, 0);
    ck_assert_msg(strstr(file_bytes("new/config.json", &n), exported), "%s: '%s' is not there", config, exported);
}

static const char on[] = "3 1 5 5 5 \n", ended[] = "3 1 \n";

/* generate of transformers 5 stops so too, but where generation_config.json has no eos at all. */
START_TEST(a_text_ends_where_eos_says)
{
#define ENDS(bos, eos) ", \"bos_token_id\": " bos ", \"eos_token_id\": " eos
#define GENERATION(eos) "{\"eos_token_id\": " eos "}"
    want_end(ENDS("2", "5"), NULL, ended, "\"bos_token_id\": 2, \"eos_token_id\": 5}");
    want_end(ENDS("2", "4"), NULL, on, "\"bos_token_id\": 2, \"eos_token_id\": 4}");
    want_end(ENDS("0", "[4, 5]"), NULL, ended, "\"bos_token_id\": 0, \"eos_token_id\": [4, 5]}");
    want_end(ENDS("null", "null"), NULL, on, "\"bos_token_id\": null, \"eos_token_id\": null}");
    want_end(ENDS("50256", "50256"), NULL, on, "\"bos_token_id\": null, \"eos_token_id\": null}");
    want_end("", NULL, on, "\"bos_token_id\": null, \"eos_token_id\": null}");
    want_end(ENDS("2", "4"), GENERATION("5"), ended, "\"bos_token_id\": 2, \"eos_token_id\": 5}");
    want_end(ENDS("2", "4"), GENERATION("[3, 5]"), ended, "\"eos_token_id\": [3, 5]}");
    want_end(ENDS("2", "[4, 5]"), GENERATION("3"), on, "\"eos_token_id\": 3}");
    want_end(ENDS("2", "5"), GENERATION("null"), on, "\"eos_token_id\": null}");
    want_end(ENDS("2", "5"), "{\"do_sample\": true}", ended, "\"eos_token_id\": 5}");
    remove_all();
}
END_TEST

START_TEST(an_end_that_is_no_token_is_refused)
{
    static const char *const wrong[][2] = {
        {"junk", "model/generation_config.json: no JSON from byte 0 on"},
        {GENERATION("\"x\""), "generation_config.json: \"eos_token_id\" is \"x\"; a whole number from -1"},
        {GENERATION("[1, 7]"), "generation_config.json: \"eos_token_id\" is [1, 7]; at most four tokens of the"},
        {GENERATION("[1, 2, 3, 4, 5]"), "is [1, 2, 3, 4, 5]; at most four tokens of the vocabulary are supported"}};
    put_gpt_2(7, 5);
    put_gpt_2_config("");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("model/generation_config.json", wrong[i][0]);
        want_lines(RUN("import", "model", "--out", "a"), FAILURE, wrong[i][1]);
    }
    remove_all();
}
END_TEST

/* LlamaConfig's bos is 1 and its eos 2. */
START_TEST(ends_that_a_config_lacks_are_those_of_its_class)
{
    size_t n;
    put_model(0);
    put_changed_of(0, "\"eos_token_id\": 2,", "");
    ck_assert_int_eq(RUN("import", "model", "--out", "a")->status, 0);
    ck_assert_int_eq(RUN("export", "a", "--out", "new")->status, 0);
    ck_assert_ptr_nonnull(strstr(file_bytes("new/config.json", &n), "\"bos_token_id\": 1, \"eos_token_id\": 2}"));
    remove_all();
}
END_TEST

/* GPT-2's weights alone: the last of its 50257 tokens ends a text. */
START_TEST(weights_of_gpt_2_alone_end_a_text)
{
    put_gpt_2(50257, 50256);
    ck_assert_int_eq(RUN("import", "model/model.safetensors", "--heads", "2", "--out", "a")->status, 0);
    want_written(SAMPLE("a"), ended);
    remove_all();
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {a_text_ends_where_eos_says, ends_that_a_config_lacks_are_those_of_its_class,
                                  an_end_that_is_no_token_is_refused, weights_of_gpt_2_alone_end_a_text};
    return run_program_tests(argv[0], "gpt", "gpt_ends", tests, sizeof tests / sizeof *tests);
}
