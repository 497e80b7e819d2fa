/* gpt import, finetune, logits and export as a person runs them: losses against PEFT's (tests/golden/make_llama.py),
 * files that nobody replaces, and a line for each bad input. */
#include "tests/golden/tokenizer.h"
#include "tests/io/llama_weights.h"
#include "tests/io/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILURE = 1, USAGE = 2, STEPS = 20, LLAMA_3 = 1 };

static void want_lines(const run *r, int status, const char *contains) {
    ck_assert_msg(r->status == status, "status %d, not %d: %s", r->status, status, r->err);
    const char *end = strchr(r->err, '\n');
    ck_assert_msg(end && !end[1], "not one line: '%s'", r->err);
    ck_assert_msg(strstr(r->err, contains) != NULL, "'%s' is not in '%s'", contains, r->err);
}

static void put(const char *name, const char *text) { write_file(name, text, strlen(text)); }

/* ---- a model's folder ---- */

static void remove_all(void) {
    static const char *const files[] = {"model/config.json",
                                        "model/model.safetensors",
                                        "model/tokenizer.json",
                                        "model/model.safetensors.index.json",
                                        "model",
                                        "new/adapter_config.json",
                                        "new/adapter_model.safetensors",
                                        "new/config.json",
                                        "new/model.safetensors",
                                        "new",
                                        "peft/adapter_config.json",
                                        "peft/adapter_model.safetensors",
                                        "peft",
                                        "a",
                                        "b",
                                        "data",
                                        "ids.npy",
                                        "y.npy",
                                        "z.npy"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(in_folder(files[i]));
}

static void put_model(int i) {
    remove_all(); /* of a test that failed */
    ck_assert_int_eq(mkdir(in_folder("model"), 0777), 0);
    put("model/config.json", llama_models[i].config);
    llama_save(in_folder("model/model.safetensors"), llama_models[i].tensors, 0, llama_models[i].n_tensors);
}

static void import_llama_3(void) {
    put_model(LLAMA_3);
    const run *r = RUN("import", "model", "--out", "a");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_ptr_nonnull(strstr(r->out, "tokenizer.json is not there: the model takes token ids, and no text"));
    put("data", tuning_data);
}

static void put_peft(void) {
    ck_assert_int_eq(mkdir(in_folder("peft"), 0777), 0);
    put("peft/adapter_config.json", adapter_config);
    llama_save(in_folder("peft/adapter_model.safetensors"), adapter_tensors, 0,
               sizeof adapter_tensors / sizeof *adapter_tensors);
}

/* ---- fine-tuning ---- */

static void want_losses(const run *r, const double *want) {
    const char *at = r->out;
    ck_assert_msg(r->status == 0, "%s", r->err);
    for (int i = 0; i < STEPS; i++) {
        at = strstr(at, "loss ");
        ck_assert_msg(at != NULL, "%d losses: %s", i, r->out);
        at += 5;
        double got = strtod(at, NULL);
        ck_assert_msg(fabs(got - want[i]) <= 1e-4, "step %d: loss %.6f, not %.6f", i + 1, got, want[i]);
    }
}

#define TUNE "finetune", "a", "--data", "data", "--seed", "5", "--steps", "20", "--batch", "2", "--accumulate", "2"

START_TEST(losses_of_adapters_are_pefts)
{
    import_llama_3();
    put_peft();
    want_losses(RUN(TUNE, "--adapter", "peft", "--lr", "0.02", "--save", "new"), lora_losses);
    const run *r = RUN("finetune", "a", "--data", "data", "--seed", "5", "--steps", "20", "--batch", "4", "--adapter",
                       "peft", "--lr", "0.02", "--save", "b", "--checkpoint");
    want_losses(r, lora_losses); /* four lines at once, activations computed again */
    remove(in_folder("b/adapter_config.json"));
    remove(in_folder("b/adapter_model.safetensors"));
    want_lines(RUN(TUNE, "--adapter", "peft", "--save", "new"), FAILURE, "new/adapter_model.safetensors: File exists");
    remove_all();
}
END_TEST

START_TEST(losses_of_all_weights_are_pytorchs)
{
    import_llama_3();
    want_losses(RUN(TUNE, "--lr", "0.002", "--save", "b"), all_losses);
    want_lines(RUN(TUNE, "--save", "b"), FAILURE, "b: File exists");
    ck_assert_int_eq(RUN("sample", "b", "--prompt-ids", "3,1,4", "--tokens", "4")->status, 0);
    remove_all();
}
END_TEST

/* The same numbers in three ways: with adapters, merged into a folder for transformers, and that one imported again. */
START_TEST(merged_adapters_compute_the_same)
{
    import_llama_3();
    ck_assert_int_eq(RUN("finetune", "a", "--data", "data", "--lora", "2", "--target", "*.q_proj,*.gate_proj", "--lr",
                         "0.02", "--steps", "4", "--save", "peft")
                         ->status,
                     0);
    write_file("ids", "\3\0\1\0\4\0\1\0\5\0", 10);
    ck_assert_int_eq(RUN("logits", "a", "--tokens", "ids", "--out", "y.npy", "--adapter", "peft")->status, 0);
    ck_assert_int_eq(RUN("export", "a", "--adapter", "peft", "--out", "new")->status, 0);
    const run *r = RUN("import", "new", "--out", "b", "--context", "16");
    ck_assert_msg(r->status == 0 && strstr(r->out, "context 16"), "%s%s", r->out, r->err);
    ck_assert_int_eq(RUN("logits", "b", "--tokens", "ids", "--out", "z.npy", "--cached")->status, 0);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor y = tg_load_npy(t, in_folder("y.npy")), z = tg_load_npy(t, in_folder("z.npy"));
    double apart = tg_item(tg_amax(tg_abs(tg_sub(y, z)), TG_ALL_DIMS, false));
    double largest = tg_item(tg_amax(tg_abs(y), TG_ALL_DIMS, false));
    ck_assert_msg(apart <= 1e-5 * largest, "%g of %g: %s", apart, largest, tg_error(t));
    tg_tape_free(t);
    want_lines(RUN("logits", "a", "--tokens", "ids", "--out", "y.npy"), FAILURE, "y.npy: File exists");
    remove(in_folder("ids"));
    remove_all();
}
END_TEST

/* ---- bad input ---- */

START_TEST(broken_lines_are_told_by_their_number)
{
    static const struct {
        const char *data, *why;
    } wrong[] = {
        {"{\"prompt\": [1], \"answer\": [2]}\n\n{\"prompt\": [1], \"answer\": [2]\n", "data: line 3 is no JSON object"},
        {"[1]\n", "data: line 1 is no JSON object"},
        {"{\"prompt\": [1], \"answer\": [2]}\n{\"prompt\": [1]}\n",
         "data: line 2: it has no \"answer\" that is a text or a list"},
        {"\xef\xbb\xbf{\"prompt\": [1], \"answer\": [2]}\n[1]\n",
         "data: line 2 is no JSON object"}, /* a byte-order mark */
        {"{\"prompt\": 7, \"answer\": [2]}\n", "line 1: it has no \"prompt\" that is"},
        {"{\"prompt\": [], \"answer\": [2]}\n", "line 1: the prompt is empty"},
        {"{\"prompt\": [1], \"answer\": [23]}\n", "line 1: 23 is no id below the vocabulary of 23"},
        {"{\"prompt\": [1], \"answer\": [1.5]}\n", "line 1: 1.5 is no id"},
        {"{\"prompt\": \"a\", \"answer\": [1]}\n", "line 1: the model takes token ids, as in [1, 17], and no text"},
        {"{\"prompt\": [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0], \"answer\": [1]}\n",
         "line 1: 34 tokens are more than the 32"},
        {"\n", "data: there is no line in it"},
    };
    import_llama_3();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("data", wrong[i].data);
        want_lines(RUN("finetune", "a", "--data", "data", "--save", "b"), FAILURE, wrong[i].why);
        ck_assert_int_ne(access(in_folder("b"), F_OK), 0);
    }
    put("data", tuning_data);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*.W_query"), FAILURE,
               "no weight (out, in) fits '*.W_query'; there are: model.embed_tokens, model.layers.*.self_attn.q_proj");
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*"), FAILURE,
               "--target: '*' fits model.embed_tokens.weight too, an embedding, which can have no adapter");
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "b", "--target", "*"), USAGE, "--target needs --lora");
    want_lines(RUN("finetune", "a", "--data", "data"), USAGE, "wants a checkpoint, --data and --save");
    remove_all();
}
END_TEST

/* config.json with another value in the place of one. */
static void put_changed(const char *from, const char *to) {
    char text[4000];
    const char *config = llama_models[LLAMA_3].config, *at = strstr(config, from);
    ck_assert_msg(at != NULL, "%s", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - config), config, to, at + strlen(from));
    put("model/config.json", text);
}

START_TEST(what_is_not_supported_is_named)
{
    static const struct {
        const char *from, *to, *why;
    } wrong[] = {
        {"\"llama\"", "\"gemma2\"",
         "\"model_type\" is \"gemma2\"; gpt2, llama, mistral, qwen2 and qwen3 are supported"},
        {"\"silu\"", "\"gelu\"", "\"hidden_act\" is \"gelu\"; only silu is supported"},
        {"\"llama3\"", "\"longrope\"", "\"rope_type\" is \"longrope\"; default, linear, llama3 and yarn are supported"},
        {"\"factor\": 8.0,", "", "it has no \"factor\"; a number from"},
        {"\"vocab_size\": 23", "\"vocab_size\": -23", "\"vocab_size\" is -23; a whole number from 1"},
        {"\"head_dim\": 4", "\"head_dim\": \"four\"", "\"head_dim\" is \"four\"; a whole number from 1"},
        {"\"mlp_bias\": false", "\"mlp_bias\": 0", "\"mlp_bias\" is 0; true or false is wanted"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"quantization_config\": {\"bits\": 4}",
         "\"quantization_config\" is {\"bits\": 4}; only weights of 16, 32 and 64 bits are supported"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"partial_rotary_factor\": 0.5",
         "\"partial_rotary_factor\" is 0.5"},
        {"\"mlp_bias\": false", "\"mlp_bias\": true", "mlp.down_proj.bias is not in the file"},
        {"\"intermediate_size\": 20", "\"intermediate_size\": 24", "mlp.down_proj.weight (16, 24) has another shape"},
        {"\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2",
         "model.layers.2.input_layernorm.weight is in the file"},
        {"}\n", "", "model/config.json: no JSON from byte"},
    };
    put_model(LLAMA_3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_changed(wrong[i].from, wrong[i].to);
        want_lines(RUN("import", "model", "--out", "a"), FAILURE, wrong[i].why);
        ck_assert_int_ne(access(in_folder("a"), F_OK), 0);
    }
    remove(in_folder("model/model.safetensors"));
    put("model/config.json", llama_models[LLAMA_3].config);
    want_lines(RUN("import", "model", "--out", "a"), FAILURE,
               "neither model.safetensors nor model.safetensors.index.json");
    put("model/model.safetensors.index.json", "{\"weight_map\": {\"model.norm.weight\": \"model-2.safetensors\"}}");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "model/model-2.safetensors: cannot open it");
    want_lines(RUN("import", "model", "--out", "a", "--context", "64"), FAILURE, "a context of 32, below --context 64");
    remove_all();
}
END_TEST

/* ---- tokenizer.json ---- */

enum { MOST_TENSORS = 64 };

/* Llama 3's model with so many tokens. */
static void put_vocabulary(int64_t vocabulary) {
    const struct llama_model *m = &llama_models[LLAMA_3];
    llama_tensor tensors[MOST_TENSORS];
    char field[64];
    put_model(LLAMA_3);
    ck_assert_int_le(m->n_tensors, MOST_TENSORS);
    for (int i = 0; i < m->n_tensors; i++) {
        tensors[i] = m->tensors[i];
        if (!strcmp(tensors[i].name, "model.embed_tokens.weight"))
            tensors[i].size[0] = vocabulary;
    }
    llama_save(in_folder("model/model.safetensors"), tensors, 0, m->n_tensors);
    snprintf(field, sizeof field, "\"vocab_size\": %d", (int)vocabulary);
    put_changed("\"vocab_size\": 23", field);
}

static void want_ids(const char *name, const int64_t *ids, int64_t n) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor got = tg_load_npy(t, in_folder(name));
    ck_assert_msg(tg_numel(got) == n, "%d ids, not %d: %s", (int)tg_numel(got), (int)n, tg_error(t));
    int64_t id[sizeof tokenizer_ids / sizeof *tokenizer_ids];
    ck_assert_int_eq(tg_read_ints(got, id, n), TG_OK);
    for (int64_t i = 0; i < n; i++)
        ck_assert_int_eq(id[i], ids[i]);
    tg_tape_free(t);
}

/* Ids are those of Hugging Face's tokenizers (tests/golden/make_tokenizer.py). */
START_TEST(byte_pairs_of_a_folder_are_taken_over)
{
    put_vocabulary(300); /* more than the tokenizer has, as models have */
    put("model/tokenizer.json", tokenizer_json);
    const run *r = RUN("import", "model", "--out", "a");
    ck_assert_msg(r->status == 0 && !strstr(r->out, "token ids"), "%s%s", r->out, r->err);
    put("data", tokenizer_text);
    r = RUN("encode", "--text", "data", "--model", "a", "--out", "ids.npy");
    ck_assert_msg(r->status == 0, "%s", r->err);
    want_ids("ids.npy", tokenizer_ids, sizeof tokenizer_ids / sizeof *tokenizer_ids);
    r = RUN("sample", "a", "--prompt", "the cat", "--tokens", "2");
    ck_assert_msg(r->status == 0 && !strncmp(r->out, "the cat", 7), "%s%s", r->out, r->err);
    remove_all();
}
END_TEST

/* Then the model takes ids, and a line says why. */
START_TEST(other_tokenizers_are_told)
{
    const char *end = strstr(tokenizer_json, "\"content\":\"<|endoftext|>");
    char more[sizeof tokenizer_json + 64];
    ck_assert_ptr_nonnull(end);
    snprintf(more, sizeof more, "%.*sx%s", (int)(end - tokenizer_json) + 11, tokenizer_json, end + 11);
    const struct {
        const char *text, *why;
        int64_t vocabulary;
    } other[] = {
        {tokenizer_split, "byte pairs, but the text is cut by a pattern of its own", 300},
        {tokenizer_spaced, "it puts a space before a text", 300},
        {tokenizer_pieces, "it is made of characters, with bytes for those that it does not know (SentencePiece's BPE)",
         300},
        {tokenizer_words, "its model is \"WordPiece\"", 300},
        {tokenizer_json, "it has more tokens than the model", TOKENIZER_VOCABULARY - 1},
        {more, "byte pairs as GPT-2's, but with other numbers, or with tokens of its own", 300},
        {"{}", "its model is ", 300},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        put_vocabulary(other[i].vocabulary);
        put("model/tokenizer.json", other[i].text);
        const run *r = RUN("import", "model", "--out", "a");
        ck_assert_msg(r->status == 0 && strstr(r->out, "model/tokenizer.json: ") && strstr(r->out, other[i].why) &&
                          strstr(r->out, ": the model takes token ids, and no text"),
                      "%s: %s%s", other[i].why, r->out, r->err);
        want_lines(RUN("sample", "a", "--prompt", "cat"), USAGE, "the model has learnt ids, and no text");
        remove_all();
    }
    put_vocabulary(300);
    put("model/tokenizer.json", "{\"model\": ");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "model/tokenizer.json: no JSON from byte");
    ck_assert_int_ne(access(in_folder("a"), F_OK), 0);
    remove_all();
}
END_TEST

START_TEST(adapters_that_are_not_supported)
{
    import_llama_3();
    put_peft();
    put("peft/adapter_config.json", "{\"peft_type\": \"LOHA\", \"r\": 2}");
    want_lines(RUN("sample", "a", "--adapter", "peft"), FAILURE, "\"peft_type\" is \"LOHA\"; \"LORA\" is supported");
    put("peft/adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 2, \"lora_alpha\": 4, \"use_dora\": true}");
    want_lines(RUN("sample", "a", "--adapter", "peft"), FAILURE, "\"use_dora\" is true; false is supported");
    put("peft/adapter_config.json", "{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 4}");
    want_lines(RUN("sample", "a", "--adapter", "peft"), FAILURE, "lora_A.weight (3, ");
    remove_all();
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {losses_of_adapters_are_pefts,     losses_of_all_weights_are_pytorchs,
                                  merged_adapters_compute_the_same, broken_lines_are_told_by_their_number,
                                  what_is_not_supported_is_named,   byte_pairs_of_a_folder_are_taken_over,
                                  other_tokenizers_are_told,        adapters_that_are_not_supported};
    return run_program_tests(argv[0], "gpt", "gpt_finetune", tests, sizeof tests / sizeof *tests);
}
