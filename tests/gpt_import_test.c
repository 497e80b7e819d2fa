/* gpt import of folders, and adapters as PEFT saves them: what config.json, tokenizer.json and adapter_config.json may
 * say, a line for each field that is not supported; ids of byte pairs against tokenizers'. */
#include "tests/golden/tokenizer.h"
#include "tests/io/gpt_folder.h"

#include <stdlib.h>

/* ---- config.json ---- */

static void put_changed(const char *from, const char *to) { put_changed_of(LLAMA_3, from, to); }

START_TEST(windows_that_do_not_fit_are_named)
{
    enum { QWEN2 = 3, QWEN3, MISTRAL };
    static const struct {
        int model;
        const char *from, *to, *why;
    } wrong[] = {
        {QWEN2, "\"use_sliding_window\": true", "\"use_sliding_window\": \"yes\"", "\"yes\"; true or false is wanted"},
        {QWEN2, "\"use_sliding_window\": true", "\"use_sliding_window\": false",
         "there is no sliding_window that is used"},
        {QWEN2, "\"max_window_layers\": 1", "\"max_window_layers\": 1.5", "is 1.5; a whole number from 0"},
        {QWEN3, "\"max_window_layers\": 28", "\"max_window_layers\": \"4\"", "is \"4\"; a whole number from 0"},
        {QWEN3, "\"max_window_layers\": 28", "\"max_window_layers\": null", "is null; a whole number from 0"},
        {QWEN3, "full_attention", "sliding_attention", "there is no sliding_window that is used"},
        {QWEN3, "full_attention", "some_attention", "\"layer_types\" is \"some_attention\"; full_attention, and"},
        {QWEN3, "\"full_attention\",", "", "a type for each of num_hidden_layers is wanted"},
        {MISTRAL, "\"sliding_window\": 5", "\"sliding_window\": 0", "\"sliding_window\" is 0; a whole number from 1"},
        {MISTRAL, "\"sliding_window\": 5",
         "\"sliding_window\": 5, \"layer_types\": [\"full_attention\", \"sliding_attention\", \"sliding_attention\"]",
         "Mistral's layers all have the sliding_window"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_model(wrong[i].model);
        put_changed_of(wrong[i].model, wrong[i].from, wrong[i].to);
        want_lines(RUN("import", "model", "--out", "a"), FAILURE, wrong[i].why);
    }
    remove_all();
}
END_TEST

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
        {"\"low_freq_factor\": 1.0", "\"low_freq_factor\": 4.0", "model/config.json: rope: "},
        {"\"rms_norm_eps\": 1e-06", "\"rms_norm_eps\": null", "\"rms_norm_eps\" is null; a number from"},
        {"\"silu\"", "null", "\"hidden_act\" is null; only silu is supported"},
        {"\"silu\"", "3", "\"hidden_act\" is 3; only silu is supported"},
        {"\"mlp_bias\": false", "\"mlp_bias\": null", "\"mlp_bias\" is null; true or false is wanted"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"rope_scaling\": \"x\"",
         "\"rope_scaling\" is \"x\"; an object is"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"rope_scaling\": []",
         "\"rope_scaling\" is []; an object is wanted"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}",
         "\"rope_scaling\" is {\"type\": \"linear\", \"factor\": 2}; rope_parameters say something else"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"rope_theta\": 123", "; beside it there is another rope_theta"},
        {"\"rope_theta\"", "\"full_attention\": {}, \"rope_theta\"", "one kind of rotary positions for all layers"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"layer_types\": \"x\"",
         "\"layer_types\" is \"x\"; a list is wanted"},
        {"\"hidden_size\": 16", "\"hidden_size\": 16, \"layer_types\": [\"full_attention\"]",
         "a type for each of num_hidden_layers is wanted"},
        {"\"head_dim\": 4", "\"head_dim\": 5",
         "config.json: rotary positions turn pairs of channels: head_dim 5 must be even"},
        {"\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3",
         "config.json: num_key_value_heads 3 does not divide num_attention_heads 4"},
        {"\"head_dim\": 4", "\"head_dim\": null, \"hidden_size\": 18", "hidden_size\" occurs twice"},
        {"\"hidden_size\": 16", "\"hidden_size\": 18", "has another shape"},
        {"\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
         "it has no lm_head.weight, as what is saved of a model without its head"},
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
    put("model/model.safetensors.index.json", "junk");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "index.json: no JSON from byte 0 on");
    put("model/model.safetensors.index.json", "{\"weight_map\": [");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "index.json: no JSON from byte 16 on");
    put("model/model.safetensors.index.json", "{\"weight_map\": []}");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "\"weight_map\" is []; an object is wanted");
    want_lines(RUN("import", "model", "--out", "a", "--context", "64"), FAILURE, "a context of 32, below --context 64");
    remove_all();
}
END_TEST

/* Qwen3's model with other yarn. */
static const run *import_yarn(const char *more) {
    enum { QWEN3 = 4 };
    char to[200];
    snprintf(to, sizeof to, "\"factor\": 4.0, %s,", more);
    remove(in_folder("a"));
    put_changed_of(QWEN3, "\"factor\": 4.0,", to);
    return RUN("import", "model", "--out", "a");
}

/* In transformers null is as nothing for these, and an attention_factor of 0 is 0. */
START_TEST(fields_of_yarn_that_are_null_or_zero)
{
    static const char *const null[] = {"beta_fast", "beta_slow", "attention_factor", "mscale", "mscale_all_dim"};
    put_model(4);
    ck_assert_int_eq(import_yarn("\"beta_fast\": 32, \"beta_slow\": 1")->status, 0);
    ck_assert_int_eq(rename(in_folder("a"), in_folder("b")), 0);
    for (size_t i = 0; i < sizeof null / sizeof *null; i++) {
        char field[40];
        snprintf(field, sizeof field, "\"%s\": null", null[i]);
        const run *r = import_yarn(field);
        ck_assert_msg(r->status == 0 && same_file("a", "b"), "%s: %s", field, r->err);
    }
    want_lines(import_yarn("\"attention_factor\": 0.0"), FAILURE,
               "\"attention_factor\" is 0.0; a number from 1e-06 to");
    want_lines(import_yarn("\"truncate\": null"), FAILURE, "\"truncate\" is null; true or false is wanted");
    remove_all();
}
END_TEST

/* A weight that is no number is told when it is imported, and when it comes to nothing. */
START_TEST(weights_that_are_not_finite_are_refused)
{
    static const unsigned char nan[] = {0, 0, 0xc0, 0x7f};
    put_model(LLAMA_3);
    FILE *f = fopen(in_folder("model/model.safetensors"), "r+b");
    ck_assert(f && !fseek(f, -4, SEEK_END) && fwrite(nan, 4, 1, f) == 1 && !fclose(f));
    put("data", tuning_data);
    want_lines(RUN("import", "model", "--out", "a"), 0,
               "gpt: model: model.norm.weight has numbers that are not finite");
    want_lines(RUN("sample", "a"), FAILURE, "the logit of token 0 is nan: the weights, or adapters, are not finite");
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "b"), FAILURE,
               "the loss is not finite, as model.norm.weight in a is not; nothing was saved");
    static const unsigned char ids[1600];
    write_file("data", ids, sizeof ids);
    want_lines(RUN("train", "--tokens", "data", "--init", "a", "--batch", "1", "--steps", "1", "--save", "b"), FAILURE,
               "the loss is not finite before the first step: the weights are not, or make numbers too large");
    ck_assert_int_ne(access(in_folder("b"), F_OK), 0);
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
    int64_t *id = calloc((size_t)n, sizeof *id);
    ck_assert(id && tg_read_ints(got, id, n) == TG_OK);
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(id[i] == ids[i], "id %d is %d, not %d", (int)i, (int)id[i], (int)ids[i]);
    free(id);
    tg_tape_free(t);
}

#define IDS(x) x, sizeof(x) / sizeof *(x)

/* Of the model in "a". */
static void want_ids_of(const char *text, const int64_t *ids, int64_t n) {
    put("data", text);
    const run *r = RUN("encode", "--text", "data", "--model", "a", "--out", "ids.npy");
    ck_assert_msg(r->status == 0, "%s", r->err);
    want_ids("ids.npy", ids, n);
    ck_assert_int_eq(remove(in_folder("ids.npy")), 0);
}

static const run *import_with(const char *tokenizer) {
    put_vocabulary(400); /* more than the tokenizer has, as models have */
    put("model/tokenizer.json", tokenizer);
    return RUN("import", "model", "--out", "a");
}

/* Ids are those of Hugging Face's tokenizers (tests/golden/make_tokenizer.py). */
START_TEST(byte_pairs_of_a_folder_are_taken_over)
{
    static const struct {
        const char *json, *text;
        const int64_t *ids;
        size_t n;
    } all[] = {{tokenizer_json, tokenizer_text, IDS(tokenizer_ids)},
               {tokenizer_json, tokenizer_hard, IDS(tokenizer_hard_ids)},
               {tokenizer_llama_3, tokenizer_hard, IDS(tokenizer_llama_3_ids)},
               {tokenizer_qwen, tokenizer_hard, IDS(tokenizer_qwen_ids)}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const run *r = import_with(all[i].json);
        ck_assert_msg(r->status == 0 && !strstr(r->out, "token ids"), "%s%s", r->out, r->err);
        want_ids_of(all[i].text, all[i].ids, (int64_t)all[i].n);
        r = RUN("sample", "a", "--prompt", "the cat", "--tokens", "2");
        ck_assert_msg(r->status == 0 && !strncmp(r->out, "the cat", 7), "%s%s", r->out, r->err);
        r = RUN("info", "a", "--merges", "b");
        ck_assert_int_eq(r->status, all[i].json == tokenizer_json ? 0 : FAILURE);
        remove_all();
    }
}
END_TEST

/* A checkpoint holds tokenizer.json as it was: what was done to it there is found. */
START_TEST(a_tokenizer_that_was_changed_in_its_checkpoint)
{
    static const char *const changes[][3] = {
        {"\"BPE\"", "\"BPX\"", "a: its tokenizer: its model is \"BPX\""},
        {"\"vocab\"", "\"vocab ", "a: its tokenizer: no JSON from byte"},
        {"[\"h\",\"e\"]", "[\"h\",\"\x01\"]", "a: its tokenizer: no JSON from byte"},
        {"[\"h\",\"e\"]", "[\"h\",\"\"]}", "a: its tokenizer: no JSON from byte"},
        {"[\"h\",\"e\"]", "[\"h\",\" \"]", "a: \"merges\": number 1, counted from 0, is no merge of two tokens"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        static char bytes[1 << 20];
        ck_assert_int_eq(import_with(tokenizer_json)->status, 0);
        FILE *f = fopen(in_folder("a"), "r+b");
        size_t n = fread(bytes, 1, sizeof bytes, f), m = strlen(changes[i][0]), at = 0;
        while (at + m < n && memcmp(bytes + at, changes[i][0], m))
            at++;
        ck_assert(at + m < n && !fseek(f, (long)at, SEEK_SET) && fwrite(changes[i][1], m, 1, f) == 1 && !fclose(f));
        want_lines(RUN("sample", "a"), FAILURE, changes[i][2]);
        remove_all();
    }
}
END_TEST

/* Then the model takes ids, and a line says why. */
START_TEST(other_tokenizers_are_named)
{
    const struct {
        const char *text, *why;
        int64_t vocabulary;
    } other[] = {
        {tokenizer_spaced, "it puts a space before a text", 400},
        {tokenizer_pieces, "it is made of characters, with bytes for those that it does not know (SentencePiece's BPE)",
         400},
        {tokenizer_words, "its model is \"WordPiece\"", 400},
        {tokenizer_json, "it has more tokens than the model", TOKENIZER_VOCABULARY - 1},
        {"{}", "it has no \"model\"", 400},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        put_vocabulary(other[i].vocabulary);
        put("model/tokenizer.json", other[i].text);
        const run *r = RUN("import", "model", "--out", "a");
        ck_assert_msg(r->status == 0 && strstr(r->out, "model/tokenizer.json: ") && strstr(r->out, other[i].why) &&
                          strstr(r->out, ": the model takes token ids, and no text"),
                      "%s: %s%s", other[i].why, r->out, r->err);
        want_lines(RUN("sample", "a", "--prompt", "cat"), USAGE, "the model was trained on ids, not on text");
        remove_all();
    }
    put_vocabulary(400);
    put("model/tokenizer.json", "{\"model\": ");
    want_lines(RUN("import", "model", "--out", "a"), FAILURE, "model/tokenizer.json: no JSON from byte");
    ck_assert_int_ne(access(in_folder("a"), F_OK), 0);
    remove_all();
}
END_TEST

/* A tokenizer.json with another text in the place of the first one like this. */
static const char *changed(const char *json, const char *from, const char *to) {
    static char text[6000];
    const char *at = strstr(json, from);
    ck_assert_msg(at != NULL, "%s", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - json), json, to, at + strlen(from));
    return text;
}

static const char *tokenizer_with(const char *from, const char *to) { return changed(tokenizer_json, from, to); }

static void want_told(const run *r, const char *why) {
    ck_assert_msg(r->status == 0 && strstr(r->out, ": the model takes token ids, and no text") && strstr(r->out, why),
                  "%s: %s%s", why, r->out, r->err);
}

/* Fields of Qwen's, by which a text is cut, and of special tokens. */
START_TEST(other_ways_to_cut_a_text_are_named)
{
    static const struct {
        const char *from, *to, *why;
    } other[] = {
        {"\\p{N}|", "\\p{N}{1,2}|",
         "the text is cut by a pattern that is not known here: \"(?i:'s|'t|'re|'ve|'m|'ll|'d)|"},
        {"\"Isolated\"", "\"Removed\"", "its pattern is not used in the way \"Isolated\""},
        {"\"invert\":false", "\"invert\":true", "its pattern is not used in the way \"Isolated\""},
        {"\"use_regex\":false", "\"use_regex\":true", "the text is cut by two patterns"},
        {"\"Split\"", "\"Digits\"", "it has \"pre_tokenizer\": {\"type\":\"Digits\""},
        {"\"Regex\"", "\"String\"", "it has \"pre_tokenizer\": {\"type\":\"Split\""},
        {"\"NFC\"", "\"NFKC\"", "it has \"normalizer\": {\"type\":\"NFKC\"}"},
        {"\"lstrip\":false", "\"lstrip\":true", "its token \"<|endoftext|>\" has \"lstrip\": true"},
        {"\"single_word\":false", "\"single_word\":true", "its token \"<|endoftext|>\" has \"single_word\": true"},
        {"\"id\":283", "\"id\":282", "two of its tokens have the number 282"},
        {"\"id\":283", "\"id\":-1", "its token \"<|endoftext|>\" has an invalid number: -1"},
        {"\"id\":283", "\"id\":16777216", "its token \"<|endoftext|>\" has an invalid number: 16777216"},
        {"\"id\":283", "\"id\":\"283\"", "its token \"<|endoftext|>\" has an invalid number: \"283\""},
        {"\"content\":\"<|endoftext|>\"", "\"content\":\"he\"", "its token \"he\" has two numbers"},
        {"\"!\":0", "\"!!\":0", "it has no token for the byte 0x21"},
        {"\"!\":0", "\"!\":1", "two of its tokens have the number 1"},
        {"\"!\":0", "\"!\":0.5", "its token \"!\" has an invalid number: 0.5"},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        want_told(import_with(changed(tokenizer_qwen, other[i].from, other[i].to)), other[i].why);
    remove_all();
}
END_TEST

START_TEST(fields_that_change_ids_are_named)
{
    static const struct {
        const char *from, *to, *why; /* why NULL: the ids are the same */
    } other[] = {
        {"\"dropout\":null", "\"dropout\":0.1", "its model has \"dropout\": 0.1"},
        {"\"continuing_subword_prefix\":null", "\"continuing_subword_prefix\":\"##\"",
         "its model has \"continuing_subword_prefix\": \"##\""},
        {"\"end_of_word_suffix\":null", "\"end_of_word_suffix\":\"</w>\"",
         "its model has \"end_of_word_suffix\": \"</w>\""},
        {"\"truncation\":null", "\"truncation\":{\"max_length\":4}", "it has \"truncation\": {\"max_length\":4}"},
        {"\"padding\":null", "\"padding\":{\"strategy\":{\"Fixed\":8}}", "it has \"padding\": {\"strategy\""},
        {"\"dropout\":null", "\"dropout\":0.0", NULL},
        {"\"continuing_subword_prefix\":null", "\"continuing_subword_prefix\":\"\"", NULL},
        {"\"padding\":null", "\"padding\":{\"strategy\":\"BatchLongest\"}", NULL},
        {"\"ignore_merges\":false", "\"ignore_merges\":true", NULL},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const run *r = import_with(tokenizer_with(other[i].from, other[i].to));
        bool told = strstr(r->out, ": the model takes token ids, and no text") != NULL;
        ck_assert_msg(r->status == 0 && told == (other[i].why != NULL), "%s: %s%s", other[i].to, r->out, r->err);
        ck_assert_msg(!told || strstr(r->out, other[i].why), "%s: %s", other[i].to, r->out);
    }
    const run *r = import_with(tokenizer_with(
        "\"post_processor\":{\"type\":\"ByteLevel\"",
        "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":["
        "{\"SpecialToken\":{\"id\":\"<|endoftext|>\",\"type_id\":0}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}]"));
    ck_assert_msg(r->status == 0 && !strstr(r->out, "no text") &&
                      strstr(r->out, "its post_processor puts tokens around a text, which is not supported"),
                  "%s%s", r->out, r->err);
    want_lines(import_with(tokenizer_with("[\"h\",\"e\"]", "[\"h\",\"xyz\"]")), FAILURE,
               "model/tokenizer.json: \"merges\": number 1, counted from 0, is no merge of two tokens");
    remove_all();
}
END_TEST

/* Merged in their order, a b c becomes a bc; a tokenizer that looks words up first has a token of its own for it. */
START_TEST(tokens_that_merges_do_not_make_are_named)
{
    static char text[sizeof tokenizer_json];
    static const int64_t merged[] = {64, 256}, looked_up[] = {258};
    const char *bytes = strstr(tokenizer_json, ":255,"), *id = strstr(tokenizer_json, "\"id\":290");
    ck_assert(bytes && id && id < bytes);
    for (int ignore = 0; ignore < 2; ignore++) {
        snprintf(text, sizeof text,
                 "%.*s\"id\":259%.*s,\"bc\":256,\"ab\":257,\"abc\":258},\"merges\":[\"b c\",\"a b\",\"ab c\"]}}",
                 (int)(id - tokenizer_json), tokenizer_json, (int)(bytes + 4 - id - 8), id + 8);
        char *merges = strstr(text, "\"ignore_merges\":false");
        ck_assert_ptr_nonnull(merges);
        memcpy(merges + 16, ignore ? "true " : "false", 5);
        const run *r = import_with(text);
        ck_assert_msg(r->status == 0 && !strstr(r->out, "no text"), "%s%s", r->out, r->err);
        if (ignore)
            want_ids_of("abc", IDS(looked_up));
        else
            want_ids_of("abc", IDS(merged));
    }
    remove_all();
}
END_TEST

/* adapter_config.json with a field in front of the others, and what it says of them. */
START_TEST(adapters_that_are_not_supported_are_refused)
{
    static const struct {
        const char *from, *to, *why; /* why NULL: the function is the same */
    } wrong[] = {
        {"\"LORA\"", "\"LOHA\"", "\"peft_type\" is \"LOHA\"; only LORA is supported"},
        {"\"use_dora\": false", "\"use_dora\": true", "\"use_dora\" is true; false is supported"},
        {"\"use_rslora\": false", "\"use_rslora\": true", "\"use_rslora\" is true; false is supported"},
        {"\"use_rslora\": false", "\"use_rslora\": \"x\"", "\"use_rslora\" is \"x\"; false is supported"},
        {"\"use_qalora\": false", "\"use_qalora\": true", "\"use_qalora\" is true; false is supported"},
        {"\"lora_bias\": false", "\"lora_bias\": true", "\"lora_bias\" is true; false is supported"},
        {"\"bias\": \"none\"", "\"bias\": \"all\"", "\"bias\" is \"all\"; \"none\" is supported"},
        {"\"rank_pattern\": {}", "\"rank_pattern\": {\"q_proj\": 8}", "{\"q_proj\": 8}; nothing there is supported"},
        {"\"rank_pattern\": {}", "\"rank_pattern\": {\n    \"q_proj\": 8\n  }", "is {\"q_proj\": 8}; nothing there is"},
        {"\"alpha_pattern\": {}", "\"alpha_pattern\": {\"q_proj\": 8}", "{\"q_proj\": 8}; nothing there is supported"},
        {"\"layers_to_transform\": null", "\"layers_to_transform\": [0]", "is [0]; nothing there is supported"},
        {"\"exclude_modules\": null", "\"exclude_modules\": \"q_proj\"", "\"exclude_modules\" is \"q_proj\"; nothing"},
        {"\"alora_invocation_tokens\": null", "\"alora_invocation_tokens\": [7, 8]", "is [7, 8]; nothing there is"},
        {"\"init_lora_weights\": true", "\"init_lora_weights\": \"pissa\"",
         "\"init_lora_weights\" is \"pissa\"; one of true false"},
        {"\"CAUSAL_LM\"", "\"SEQ_CLS\"", "\"task_type\" is \"SEQ_CLS\"; \"CAUSAL_LM\" is supported"},
        {"\"q_proj\"", "\"k_proj\"",
         "self_attn.q_proj is not among them, but has an adapter in adapter_model.safetensors"},
        {"\"q_proj\"", "\"_proj\"", "self_attn.q_proj is not among them"},
        {"\"q_proj\"", "\"model.layers.0.self_attn.q_proj\"", "model.layers.1.self_attn.q_proj is not among them"},
        {"\"target_modules\"", "\"modules\"", "it has no \"target_modules\"; a list of layers, or \"all-linear\", is"},
        {"\"fan_in_fan_out\": false", "\"fan_in_fan_out\": 1", "\"fan_in_fan_out\" is 1; true or false is wanted"},
        {"\"lora_alpha\": 6", "\"lora_alpha\": null", "\"lora_alpha\" is null; a number from 0"},
        {"\"r\": 2", "\"r\": 3", "lora_A.weight (3, "},
        {"\"CAUSAL_LM\"", "null", NULL},
        {"\"fan_in_fan_out\": false", "\"fan_in_fan_out\": true", NULL},
        {"\"init_lora_weights\": true", "\"init_lora_weights\": \"gaussian\"", NULL},
        {"\"exclude_modules\": null", "\"exclude_modules\": []", NULL},
        {"\"revision\": null", "\"revision\": \"main\", \"not_yet_known\": 7", NULL},
    };
    import_llama_3();
    put_peft();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[sizeof adapter_config + 100];
        const char *at = strstr(adapter_config, wrong[i].from);
        ck_assert_msg(at != NULL, "%s", wrong[i].from);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - adapter_config), adapter_config, wrong[i].to,
                 at + strlen(wrong[i].from));
        put("peft/adapter_config.json", text);
        const run *r = RUN("sample", "a", "--adapter", "peft", "--tokens", "1");
        if (wrong[i].why)
            want_lines(r, FAILURE, wrong[i].why);
        ck_assert_msg(wrong[i].why || r->status == 0, "%s: %s", wrong[i].to, r->err);
    }
    remove_all();
}
END_TEST

/* PEFT's file with the names of its tensors changed by this rule, or without the first one. */
static void put_changed_adapters(tg_file_rule rule, int from) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_save_config config = {.rule = &rule, .n_rules = 1};
    for (size_t i = (size_t)from; i < sizeof adapter_tensors / sizeof *adapter_tensors; i++) {
        const llama_tensor *x = &adapter_tensors[i];
        tg_parameter(t, x->name, tg_zeros(t, TG_SHAPE(x->size[0], x->size[1])));
    }
    ck_assert_msg(!tg_save_with(t, in_folder("peft/adapter_model.safetensors"), config), "%s", tg_error(t));
    tg_tape_free(t);
}

START_TEST(parts_of_adapters_that_are_missing_or_not_supported)
{
    static const char down[] = "base_model.model.model.layers.0.mlp.down_proj.lora_";
    char first[100];
    import_llama_3();
    put_peft();
    ck_assert_ptr_nonnull(strstr(adapter_tensors[0].name, down));
    put_changed_adapters((tg_file_rule){"none", "none", false, 0, 0}, 1);
    snprintf(first, sizeof first, "it has %sB.weight, but no lora_A of this layer", down);
    want_lines(RUN("sample", "a", "--adapter", "peft"), FAILURE, first);
    put_changed_adapters(
        (tg_file_rule){"*.layers.0.mlp.down_proj.lora_A.weight", "*.embed_tokens.lora_embedding_A", false, 0, 0}, 0);
    want_lines(RUN("sample", "a", "--adapter", "peft"), FAILURE,
               "adapter_model.safetensors: model.embed_tokens is an embedding, which can have no adapter here");
    remove_all();
}
END_TEST

/* One that is equal is no other. */
START_TEST(a_head_that_differs_from_a_tied_embedding_is_refused)
{
    const struct llama_model *m = &llama_models[LLAMA_3];
    put_model(LLAMA_3);
    for (int equal = 0; equal < 2; equal++) {
        tg_tape *t = tg_tape_new(TG_F32);
        for (int i = 0; i < m->n_tensors; i++) {
            const int64_t *n = m->tensors[i].size;
            tg_parameter(t, m->tensors[i].name, tg_full(t, n[1] ? TG_SHAPE(n[0], n[1]) : TG_SHAPE(n[0]), 0.1));
        }
        tg_parameter(t, "lm_head.weight", tg_full(t, TG_SHAPE(LLAMA_V, 16), equal ? 0.1 : 0.2));
        ck_assert_msg(tg_save(t, in_folder("model/model.safetensors")) == TG_OK, "%s", tg_error(t));
        tg_tape_free(t);
        const run *r = RUN("import", "model", "--out", "a");
        if (!equal)
            want_lines(r, FAILURE,
                       "model/model.safetensors: lm_head.weight is not the token embedding, to which the head is tied; "
                       "with \"tie_word_embeddings\": false in config.json both are used");
        ck_assert_msg(!equal || r->status == 0, "%s", r->err);
    }
    remove_all();
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {what_is_not_supported_is_named,
                                  windows_that_do_not_fit_are_named,
                                  fields_of_yarn_that_are_null_or_zero,
                                  weights_that_are_not_finite_are_refused,
                                  a_head_that_differs_from_a_tied_embedding_is_refused,
                                  byte_pairs_of_a_folder_are_taken_over,
                                  other_tokenizers_are_named,
                                  a_tokenizer_that_was_changed_in_its_checkpoint,
                                  other_ways_to_cut_a_text_are_named,
                                  fields_that_change_ids_are_named,
                                  tokens_that_merges_do_not_make_are_named,
                                  adapters_that_are_not_supported_are_refused,
                                  parts_of_adapters_that_are_missing_or_not_supported};
    return run_program_tests(argv[0], "gpt", "gpt_import", tests, sizeof tests / sizeof *tests);
}
