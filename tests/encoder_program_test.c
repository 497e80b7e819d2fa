/* examples/encoder as a person runs it, with a small model of all-MiniLM-L6-v2's shape: vectors and fine-tuning are
 * those of transformers and PEFT (tests/golden/make_bert.py), and what it refuses is one line. */
#include "tests/io/names.h"
#include "tests/io/program.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "golden/bert.h"

enum { FAILURE = 1, USAGE = 2, C = 32, STEPS = 20 };
enum { N_TENSORS = sizeof bert_tensors / sizeof *bert_tensors, N_VECTORS = sizeof bert_vectors / sizeof *bert_vectors };
#define CONFIG \
    "{\n  \"hidden_act\": \"gelu\",\n  \"layer_norm_eps\": 1e-12,\n  \"num_attention_heads\": 4,\n  \"model_type\": \"bert\"\n}\n"

/* ---- a model's folder ---- */

/* The weights of make_bert.py. */
static void set_weights(tg_tensor p, const char *name) {
    int64_t n = tg_numel(p), sum = 0;
    double *w = malloc((size_t)n * sizeof *w);
    const char *end = strstr(name, "LayerNorm.weight");
    for (const char *s = name; *s; s++)
        sum += *s;
    for (int64_t i = 0; i < n; i++)
        w[i] = 0.3 * sin(0.37 * (double)(i * i) + (double)sum) + (end != NULL);
    ck_assert_int_eq(tg_write_doubles(p, w, n), TG_OK);
    free(w);
}

static void write_text(const char *name, const char *text) { write_file(name, text, strlen(text)); }

/* The weights, but for those whose names contain `without`; those named `longer` have a row more. As in published files
 * position_ids lie beside them. */
static void write_weights(const char *path, const char *without, const char *longer) {
    tg_tape *t = tg_tape_new(TG_F32);
    for (int i = 0; i < N_TENSORS; i++) {
        const bert_tensor *x = &bert_tensors[i];
        int64_t rows = x->size[0] + (longer && !strcmp(x->name, longer));
        if (without && strstr(x->name, without))
            continue;
        tg_shape shape = x->size[1] ? TG_SHAPE(rows, x->size[1]) : TG_SHAPE(rows);
        set_weights(tg_parameter(t, x->name, tg_zeros(t, shape)), x->name);
    }
    static const int64_t places[48] = {0, 1, 2, 3};
    tg_buffer(t, "embeddings.position_ids", tg_from_ints(t, TG_SHAPE(1, 48), places));
    ck_assert_msg(tg_save(t, in_folder(path)) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}

static void make_model(void) {
    mkdir(in_folder("model"), 0700);
    remove(in_folder("model/model.safetensors"));
    write_weights("model/model.safetensors", NULL, NULL);
    write_text("model/config.json", CONFIG);
    write_text("model/vocab.txt", bert_vocabulary);
}

static void remove_all(const char *folder) {
    static const char *const names[] = {"model.safetensors", "config.json", "vocab.txt", "adapter_model.safetensors",
                                        "adapter_config.json"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(in_folder(path));
    }
    rmdir(in_folder(folder));
}

/* ---- what is wanted ---- */

static void want_lines(const run *r, int status, int lines, const char *contains) {
    int n = 0;
    ck_assert_msg(r->status == status, "status %d, not %d: %s", r->status, status, r->err);
    for (const char *at = r->err; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    ck_assert_msg(n == lines, "%d lines, not %d: '%s'", n, lines, r->err);
    ck_assert_msg(strstr(r->err, contains) != NULL, "'%s' is not in '%s'", contains, r->err);
    ck_assert_msg(!strncmp(r->err, "encoder: ", 9), "%s", r->err);
}

/* n numbers at the text, which is where they end. */
static const char *want_numbers(const char *text, int n, const double *want, double tolerance) {
    for (int i = 0; i < n; i++) {
        char *end;
        double x = strtod(text, &end);
        ck_assert_msg(end != text && fabs(x - want[i]) <= tolerance, "number %d is '%.20s', not %.9g", i, text,
                      want[i]);
        text = end;
    }
    return text;
}

static void want_losses(const run *r, const double *want, double tolerance) {
    const char *at = r->out;
    ck_assert_msg(r->status == 0, "%s", r->err);
    for (int i = 0; i < STEPS; i++) {
        at = strstr(at, "  loss ");
        ck_assert_msg(at != NULL, "step %d is missing: %s", i, r->out);
        at = want_numbers(at + 7, 1, want + i, tolerance);
    }
    ck_assert_ptr_null(strstr(at, "  loss "));
}

static void want_right(const run *r, const char *when, int right, int of) {
    char line[128];
    snprintf(line, sizeof line, "%s: %d of %d held-out sums have their number nearest\n", when, right, of);
    ck_assert_msg(strstr(r->out, line) != NULL, "'%s' is not in: %s", line, r->out);
}

static bool exists(const char *name) { return access(in_folder(name), F_OK) == 0; }

static void write_sentences(void) {
    char text[4096] = "";
    for (int i = 0; i < N_VECTORS; i++) {
        strcat(text, bert_sentences[i].text);
        strcat(text, i + 1 < N_VECTORS ? "\n" : ""); /* the last line needs no end */
    }
    write_text("stdin", text);
}

/* ---- vectors ---- */

START_TEST(vectors_are_those_of_transformers)
{
    make_model();
    write_sentences();
    const run *r = RUN("embed", "model");
    const char *at = r->out;
    ck_assert_msg(r->status == 0, "%s", r->err);
    for (int i = 0; i < N_VECTORS; i++) {
        at = want_numbers(at, C, bert_vectors[i], 1e-6);
        ck_assert_int_eq(*at++, '\n');
    }
    ck_assert_str_eq(at, "");
}
END_TEST

START_TEST(the_table_is_the_vectors_products)
{
    make_model();
    write_sentences();
    const run *r = RUN("embed", "model", "--similar");
    const char *at = r->out;
    ck_assert_msg(r->status == 0, "%s", r->err);
    for (int i = 0; i < N_VECTORS; i++)
        for (int k = 0; k < N_VECTORS; k++) {
            double near = 0;
            for (int j = 0; j < C; j++)
                near += bert_vectors[i][j] * bert_vectors[k][j];
            at = want_numbers(at, 1, &near, 0.00051);
        }
    ck_assert_str_eq(at, "\n");
}
END_TEST

START_TEST(info_tells_sizes_and_weights)
{
    make_model();
    int64_t weights = 0;
    for (int i = 0; i < N_TENSORS; i++)
        if (!strstr(bert_tensors[i].name, "pooler"))
            weights += bert_tensors[i].size[0] * (bert_tensors[i].size[1] ? bert_tensors[i].size[1] : 1);
    char line[300];
    snprintf(line, sizeof line,
             "model: 2 layers, 4 heads, 32 wide, 64 in the feed-forward part, context 48, vocabulary %lld; %lld "
             "weights\n",
             (long long)bert_tensors[0].size[0], (long long)weights);
    ck_assert_str_eq(RUN("info", "model")->out, line);
}
END_TEST

/* ---- fine-tuning ---- */

/* In float32, against float64. */
START_TEST(attention_is_trained_as_by_pytorch)
{
    make_model();
    remove_all("new");
    const run *r = RUN("finetune", "model", "--lr", "0.003", "--save", "new");
    want_losses(r, attention_losses, 1e-5);
    want_right(r, "before", attention_right_before, attention_held_out);
    want_right(r, "after", attention_right_after, attention_held_out);
    const char *check = strstr(r->out, "gradient check"), *first = strstr(r->out, "step ");
    ck_assert_msg(check && first && check < first, "%s", r->out);
    write_text("stdin", bert_sentences[0].text);
    want_numbers(RUN("embed", "new")->out, C, attention_vector, 1e-5);
    ck_assert(same_file("model/vocab.txt", "new/vocab.txt") && same_file("model/config.json", "new/config.json"));
    ck_assert(!same_file("model/model.safetensors", "new/model.safetensors"));
}
END_TEST

START_TEST(adapters_are_trained_as_by_peft)
{
    make_model();
    remove_all("new");
    const run *r =
        RUN("finetune", "model", "--lora", "4", "--lr", "0.01", "--seed", "3", "--batch", "6", "--save", "new");
    want_losses(r, lora_losses, 1e-5);
    want_right(r, "before", lora_right_before, lora_held_out);
    want_right(r, "after", lora_right_after, lora_held_out);
    write_text("stdin", bert_sentences[0].text);
    want_numbers(RUN("embed", "model", "--adapter", "new")->out, C, lora_vector, 1e-5);
    want_numbers(RUN("embed", "model")->out, C, bert_vectors[0], 1e-6);
    ck_assert(!exists("new/model.safetensors"));
}
END_TEST

START_TEST(the_number_of_threads_changes_no_bit)
{
    static const char *const threads[] = {"1", "3"}, *const out[] = {"one", "three"};
    make_model();
    for (int i = 0; i < 2; i++) {
        remove_all(out[i]);
        ck_assert_int_eq(setenv("TG_THREADS", threads[i], 1), 0);
        ck_assert_int_eq(RUN("finetune", "model", "--steps", "3", "--save", out[i])->status, 0);
        ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
    }
    ck_assert(same_file("one/model.safetensors", "three/model.safetensors"));
}
END_TEST

START_TEST(without_a_step_the_weights_are_saved_unchanged)
{
    make_model();
    remove_all("new");
    ck_assert_int_eq(RUN("finetune", "model", "--steps", "0", "--save", "new")->status, 0);
    write_sentences();
    want_numbers(RUN("embed", "new")->out, C, bert_vectors[0], 1e-6);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(existing_files_are_not_replaced)
{
    static const char *const model[] = {"model.safetensors", "config.json", "vocab.txt"};
    static const char *const adapter[] = {"adapter_model.safetensors", "adapter_config.json"};
    char path[128], why[160];
    make_model();
    write_text("untouched", "somebody's\n");
    for (int i = 0; i < 5; i++) {
        remove_all("new");
        mkdir(in_folder("new"), 0700);
        snprintf(path, sizeof path, "new/%s", i < 3 ? model[i] : adapter[i - 3]);
        snprintf(why, sizeof why, "%s: File exists", path);
        write_text(path, "somebody's\n");
        const run *r = i < 3 ? RUN("finetune", "model", "--save", "new")
                             : RUN("finetune", "model", "--lora", "2", "--save", "new");
        want_lines(r, FAILURE, 1, why);
        ck_assert_str_eq(r->out, ""); /* before the training */
        ck_assert(same_file(path, "untouched"));
        remove(in_folder(path));
        ck_assert_int_eq(rmdir(in_folder("new")), 0); /* nothing else was left */
    }
    want_lines(RUN("finetune", "model", "--save", "model"), FAILURE, 1, "model/model.safetensors: File exists");
    want_lines(RUN("finetune", "model", "--save", "untouched"), FAILURE, 1, "untouched");
    want_lines(RUN("finetune", "model", "--save", "no/where"), FAILURE, 1, "no/where: No such file");
}
END_TEST

/* Other files in the place of one of the three. */
static void with(const char *name, const void *bytes, size_t n, int lines, const char *why) {
    char path[128];
    make_model();
    snprintf(path, sizeof path, "model/%s", name);
    remove(in_folder(path));
    if (bytes)
        write_file(path, bytes, n);
    want_lines(RUN("info", "model"), FAILURE, lines, why);
    want_lines(RUN("finetune", "model", "--save", "new"), FAILURE, lines, why);
    ck_assert(!exists("new"));
}
#define WITH(name, text, lines, why) with(name, text, sizeof text - 1, lines, why)

START_TEST(folders_without_a_model_are_refused)
{
    remove_all("new");
    want_lines(RUN("info", "nowhere"), FAILURE, 1, "nowhere/model.safetensors: cannot open it: No such file");
    want_lines(RUN("info", ""), FAILURE, 1, "/model.safetensors: cannot open it: No such file");
    with("model.safetensors", NULL, 0, 1, "model/model.safetensors: cannot open it: No such file");
    with("config.json", NULL, 0, 1, "model/config.json: No such file");
    with("vocab.txt", NULL, 0, 1, "model/vocab.txt: No such file");
    WITH("model.safetensors", "", 1, "model/model.safetensors: ");
    WITH("config.json", "", 1, "model/config.json: the file is empty");
    WITH("vocab.txt", "", 1, "model/vocab.txt: the file is empty");
    WITH("model.safetensors", "\1\2\3\0\377", 1, "model/model.safetensors: ");
    WITH("config.json", "{\"hidden\0act\"}", 1, "model/config.json is binary: byte 8 is zero");
    WITH("vocab.txt", "[PAD]\0[UNK]", 1, "model/vocab.txt is binary: byte 5 is zero");
    WITH("model.safetensors", "PK\3\4\0\0\10\10\0\0 model/data.pkl", 1, "PyTorch"); /* a .pt */
}
END_TEST

START_TEST(models_of_another_kind_are_refused)
{
    WITH("config.json", "{}", 1, "it has no number \"num_attention_heads\"");
    WITH("config.json", "{\"num_attention_heads\": \"four\"}", 1, "it has no number \"num_attention_heads\"");
    WITH("config.json", "{\"num_attention_heads\": 5, \"layer_norm_eps\": 1e-12}", 1, "5 heads, 32 wide");
    WITH("config.json", "{\"num_attention_heads\": 0, \"layer_norm_eps\": 1e-12}", 1, "is 0, but must be from 1 to 32");
    WITH("config.json", "{\"num_attention_heads\": 1e99, \"layer_norm_eps\": 1e-12}", 1, "from 1 to 32");
    WITH("config.json", "{\"num_attention_heads\": 4, \"layer_norm_eps\": nan}", 1, "from 0 to 1");
    WITH("config.json", "{\"hidden_act\": \"relu\", \"num_attention_heads\": 4, \"layer_norm_eps\": 1e-12}", 1,
         "\"hidden_act\" is \"relu\"; this program supports only \"gelu\"");
    WITH("config.json", "{\"position_embedding_type\": \"relative_key\"}", 1, "supports only \"absolute\"");
    WITH("vocab.txt", "[PAD]\n[UNK]\n[CLS]\na\n", 1, "[SEP] is not in it: it is no vocabulary of BERT");
    WITH("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n", 1, "vocab.txt has 5 pieces, the model ");
    WITH("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nThe\n", 1, "'The' has a capital letter");
}
END_TEST

static void want_weights(const char *without, const char *longer, int lines, const char *why) {
    make_model();
    remove(in_folder("model/model.safetensors"));
    write_weights("model/model.safetensors", without, longer);
    want_lines(RUN("info", "model"), FAILURE, lines, why);
}

START_TEST(files_with_other_tensors_are_refused)
{
    want_weights(NULL, "embeddings.word_embeddings.weight", 1, "vocab.txt has ");
    /* a line for each tensor, also for the three that this program has no use for, and a last line */
    want_weights(NULL, "encoder.layer.1.output.dense.bias", 1 + 3 + 1,
                 "encoder.layer.1.output.dense.bias (32,) has another shape in the file: (33,)");
    want_weights("layer.1.attention.self.key", NULL, 2 + 3 + 1,
                 "encoder.layer.1.attention.self.key.bias is not in the file");
    want_weights("word_embeddings", NULL, 1, "embeddings and encoder.layer.0 are incomplete: it is no BERT");
    want_weights("encoder.layer.0", NULL, 1, "embeddings and encoder.layer.0 are incomplete: it is no BERT");
    make_model();
    remove(in_folder("model/model.safetensors"));
    write_weights("model/model.safetensors", "pooler", NULL); /* which is not used */
    ck_assert_int_eq(RUN("info", "model")->status, 0);
}
END_TEST

START_TEST(adapters_that_do_not_fit_are_refused)
{
#define ADAPTED "embed", "model", "--adapter", "new"
#define ADAPTER(json, lines, why)                \
    write_text("new/adapter_config.json", json); \
    want_lines(RUN(ADAPTED), FAILURE, lines, why)
    make_model();
    remove_all("new");
    write_sentences();
    want_lines(RUN(ADAPTED), FAILURE, 1, "new/adapter_config.json: No such file");
    ck_assert_int_eq(RUN("finetune", "model", "--lora", "2", "--steps", "0", "--save", "new")->status, 0);
    ck_assert_int_eq(RUN(ADAPTED)->status, 0);
    ADAPTER("{\"lora_alpha\": 4}", 1, "it has no number \"r\"");
    ADAPTER("{\"r\": 0, \"lora_alpha\": 4}", 1, "\"r\" is 0, but must be from 1 to 1024");
    ADAPTER("{\"r\": 3, \"lora_alpha\": 4}", 8 + 1, "another shape in the file");
    ADAPTER("{\"r\": 2, \"lora_alpha\": 4, \"use_rslora\": true}", 1, "\"use_rslora\" is true");
    ADAPTER("{\"r\": 2, \"lora_alpha\": 4, \"alpha_pattern\": {\"query\": 9}}", 1,
            "\"alpha_pattern\" is {\"query\": 9");
    write_text("new/adapter_config.json",
               "{\"r\": 2, \"lora_alpha\": 4, \"use_rslora\": false, \"alpha_pattern\": {}}");
    ck_assert_int_eq(RUN(ADAPTED)->status, 0);
}
END_TEST

START_TEST(sentences_that_cannot_be_read_are_refused)
{
    make_model();
    write_text("stdin", "");
    want_lines(RUN("embed", "model"), FAILURE, 1, "the file is empty");
    write_file("stdin", "two\0plus", 8);
    want_lines(RUN("embed", "model"), FAILURE, 1, "is binary: byte 3 is zero");
}
END_TEST

START_TEST(wrong_options_are_one_line)
{
    make_model();
    remove_all("new");
    want_lines(RUN("embed"), USAGE, 1, "embed wants a model's folder");
    want_lines(RUN("finetune", "--steps", "1"), USAGE, 1, "finetune wants a model's folder");
    want_lines(RUN("info"), USAGE, 1, "info wants a model's folder");
    want_lines(RUN("info", "model", "b"), USAGE, 1, "b is one argument too many");
    want_lines(RUN("embed", "model", "--similiar"), USAGE, 1, "--similiar is no option");
    want_lines(RUN("info", "model", "--lora", "4"), USAGE, 1, "--lora is no option");
    want_lines(RUN("embed", "model", "--adapter"), USAGE, 1, "--adapter wants a value");
#define TUNE "finetune", "model", "--save", "new"
    want_lines(RUN(TUNE, "--lora", "0"), USAGE, 1, "--lora wants a whole number from 1 to 1024, not '0'");
    want_lines(RUN(TUNE, "--batch", "1"), USAGE, 1, "--batch wants a whole number from 2 to 16, not '1'");
    want_lines(RUN(TUNE, "--batch", "17"), USAGE, 1, "--batch wants a whole number from 2 to 16");
    want_lines(RUN(TUNE, "--steps", "-1"), USAGE, 1, "--steps wants a whole number");
    want_lines(RUN(TUNE, "--steps", "ten"), USAGE, 1, "--steps wants a whole number");
    want_lines(RUN(TUNE, "--lr", "nan"), USAGE, 1, "--lr wants a number from 0 to 1, not 'nan'");
    want_lines(RUN(TUNE, "--lr", "0.1x"), USAGE, 1, "--lr wants a number");
    want_lines(RUN("embbed", "model"), USAGE, 1, "embbed is no command");
    want_lines(RUN(NULL), USAGE, 1, "wants a command: embed, finetune or info");
    want_lines(RUN("--folder"), USAGE, 1, "--folder is no option");
    ck_assert(!exists("new"));
}
END_TEST

/* Every option that a command takes is in its help, which needs no model. */
START_TEST(help_tells_the_options)
{
    static const struct {
        const char *command, *options[7];
    } help[] = {{"embed", {"--adapter FOLDER", "--similar"}},
                {"finetune", {"--lora RANK", "--steps N", "--batch N", "--lr X", "--seed N", "--save FOLDER"}},
                {"info", {"usage: encoder info MODEL"}}};
    for (int i = 0; i < 3; i++) {
        const run *r = RUN(help[i].command, "--help");
        ck_assert_int_eq(r->status, 0);
        ck_assert_str_eq(r->err, "");
        ck_assert(!strncmp(r->out, "usage: encoder ", 15));
        for (int k = 0; help[i].options[k]; k++)
            ck_assert_msg(strstr(r->out, help[i].options[k]) != NULL, "%s: %s", help[i].options[k], r->out);
        ck_assert_ptr_nonnull(strstr(RUN("--help")->out, help[i].command));
        ck_assert_int_eq(RUN(help[i].command, "-h")->status, 0);
    }
}
END_TEST

/* ---- as for every program (every_program_test), for which a model is wanted ---- */

START_TEST(names_of_folders_are_printable)
{
    make_model();
    write_sentences();
    for (int i = 0; i < N_HOSTILE; i++) {
        const char *name = hostile_names[i];
        ck_assert_int_eq(rename(in_folder("model"), in_folder(name)), 0);
        want_printable(RUN("info", name)->out, "info");
        want_printable(RUN("finetune", name, "--steps", "0", "--save", name)->err, "finetune");
        want_printable(RUN("embed", name, "--adapter", name)->err, "embed");
        ck_assert_int_eq(rename(in_folder(name), in_folder("model")), 0);
        const run *r = RUN("finetune", "model", "--lora", "2", "--steps", "0", "--save", name);
        want_printable(r->out, "finetune");
        ck_assert_msg(strstr(r->out, "saved in left?") != NULL, "%s", r->out);
        remove_all(name);
    }
}
END_TEST

START_TEST(output_that_cannot_be_written_fails)
{
    static const char *const command[][4] = {
        {"info", "model"}, {"embed", "model"}, {"embed", "model", "--similar"}, {"finetune", "model"}};
    make_model();
    write_sentences();
    for (int i = 0; i < 4 && !access("/dev/full", W_OK); i++) {
        int full = open("/dev/full", O_WRONLY), err = open(in_folder("said"), O_RDWR | O_CREAT | O_TRUNC, 0600);
        const char *arguments[] = {command[i][0], command[i][1], command[i][2], NULL};
        char said[400];
        ck_assert_int_eq(status_of(start(arguments, full, err)), FAILURE);
        close(full);
        lseek(err, 0, SEEK_SET);
        read_all(err, said, sizeof said);
        ck_assert_str_eq(said, "encoder: could not write the output: No space left on device\n");
    }
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {vectors_are_those_of_transformers,
                                  the_table_is_the_vectors_products,
                                  info_tells_sizes_and_weights,
                                  attention_is_trained_as_by_pytorch,
                                  adapters_are_trained_as_by_peft,
                                  the_number_of_threads_changes_no_bit,
                                  without_a_step_the_weights_are_saved_unchanged,
                                  existing_files_are_not_replaced,
                                  folders_without_a_model_are_refused,
                                  models_of_another_kind_are_refused,
                                  files_with_other_tensors_are_refused,
                                  adapters_that_do_not_fit_are_refused,
                                  sentences_that_cannot_be_read_are_refused,
                                  wrong_options_are_one_line,
                                  help_tells_the_options,
                                  names_of_folders_are_printable,
                                  output_that_cannot_be_written_fails};
    return run_program_tests(argv[0], "encoder", "encoder_program", tests, sizeof tests / sizeof *tests);
}
