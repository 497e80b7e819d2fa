/* gpt finetune, logits and export as a person runs them: losses against PEFT's (tests/golden/make_llama.py), files that
 * nobody replaces, output that ends, and a line for each bad input. */
#include "tests/io/gpt_folder.h"

#include <fcntl.h>
#include <math.h>

enum { STEPS = 20 };

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
    want_lines(RUN(TUNE, "--adapter", "peft", "--save", "new"), FAILURE,
               "new/adapter_model.safetensors: File exists; nothing is replaced: choose another name");
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

/* ---- output that ends ---- */

/* The work goes on, the file is there, and the status and a line say what was lost. */
static void want_complete(const char *const *arguments, int out, const char *why, const char *file) {
    static run r;
    int err = open(in_folder("data.err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    r.status = status_of(start(arguments, out, err));
    close(out);
    lseek(err, 0, SEEK_SET);
    read_all(err, r.err, sizeof r.err);
    want_lines(&r, FAILURE, why);
    ck_assert_msg(access(in_folder(file), F_OK) == 0, "%s is missing: %s", file, r.err);
}

static int unread_pipe(void) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);
    return ends[1];
}

START_TEST(output_that_ends_costs_no_file)
{
    static const struct {
        const char *argument[12], *folder, *file;
    } calls[] = {
        {{"finetune", "a", "--data", "data", "--steps", "3", "--save", "b"}, "b", "b"},
        {{"finetune", "a", "--data", "data", "--steps", "3", "--lora", "2", "--save", "new"},
         "new",
         "new/adapter_model.safetensors"},
        {{"export", "a", "--out", "new"}, "new", "new/config.json"},
        {{"train", "--text", "data", "--context", "8", "--batch", "1", "--steps", "20", "--save", "b"}, "b", "b"},
        {{"import", "model", "--out", "b"}, "b", "b"}};
    for (size_t i = 0; i < 2 * (sizeof calls / sizeof *calls); i++) {
        char why[100];
        int out = i % 2 ? unread_pipe() : open("/dev/full", O_WRONLY);
        import_llama_3();
        snprintf(why, sizeof why, "; %s is complete", calls[i / 2].folder);
        if (out >= 0) /* Linux has a file that is full */
            want_complete(calls[i / 2].argument, out, why, calls[i / 2].file);
    }
    remove(in_folder("data.err"));
    remove_all();
}
END_TEST

/* Nothing stays that would be in the way of a second try. */
START_TEST(files_that_cannot_be_written_leave_none)
{
    static const char *const calls[][12] = {
        {"export", "a", "--out", "new"},
        {"finetune", "a", "--data", "data", "--steps", "1", "--lora", "2", "--save", "new"}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        import_llama_3();
        limit_files(1500);
        want_lines(run_program(calls[i]), FAILURE, "File too large");
        limit_files(0);
        ck_assert_int_eq(rmdir(in_folder("new")), 0); /* it is empty */
    }
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
        {"{\"prompt\": [1], \"answer\": [2]}\n{\"prompt\": \"\xff\xfe\", \"answer\": [1]}\n",
         "line 2 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"\xc0\x80\", \"answer\": [1]}\n", "line 1 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"\xed\xa0\xbd\", \"answer\": [1]}\n", "line 1 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"a\\ud83d\", \"answer\": [1]}\n", "object: half of a surrogate pair from byte 13 on"},
        {"{\"prompt\": \"\\ude00\", \"answer\": [1]}\n", "object: half of a surrogate pair from byte 12 on"},
        {"{\"prompt\": [1], \"answer\": [1], \"pr\\u006fmpt\": [2]}\n", "object: \"pr\\u006fmpt\" is there twice"},
        {"{\"prompt\": [1], \"more\": [{\"x\": 1, \"x\": 2}]}\n", "object: \"x\" is there twice"},
        {"\xef\xbb\xbf{\"prompt\": [1], \"answer\": [2]}\n[1]\n", "data: line 2 is no JSON object"},
    };
    import_llama_3();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put("data", wrong[i].data);
        want_lines(RUN("finetune", "a", "--data", "data", "--save", "b"), FAILURE, wrong[i].why);
        ck_assert_int_ne(access(in_folder("b"), F_OK), 0);
    }
    put("data", tuning_data);
    want_lines(
        RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*.W_query"), FAILURE,
        "--target: '*.W_query' fits no layer; there are: model.layers.*.self_attn.q_proj, model.layers.*.self_attn.k_proj");
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*.v_proj,q_proj"),
               FAILURE, "--target: 'q_proj' fits no layer, '*.q_proj' does");
    ck_assert_ptr_nonnull(strstr(RUN("finetune", "--help")->out, "the token is learnt that ends a text"));
    ck_assert_ptr_nonnull(strstr(RUN("finetune", "--help")->out, "<|endoftext|> in a text\nis those characters"));
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*"), FAILURE,
               "--target: '*' fits model.embed_tokens.weight too, an embedding, which can have no adapter");
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "b", "--target", "*"), USAGE, "--target needs --lora");
    want_lines(RUN("finetune", "a", "--data", "data"), USAGE, "wants a checkpoint, --data and --save");
    remove_all();
}
END_TEST

START_TEST(a_number_of_threads_that_is_none_is_told_once)
{
    static const char *const none[] = {"0", "-1", "x", "257"};
    import_llama_3();
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char why[40];
        snprintf(why, sizeof why, "gpt: TG_THREADS=%s is not a number", none[i]);
        ck_assert_int_eq(setenv("TG_THREADS", none[i], 1), 0);
        want_lines(RUN("sample", "a", "--tokens", "2"), 0, why);
        ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
    }
    remove_all();
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {losses_of_adapters_are_pefts,
                                  losses_of_all_weights_are_pytorchs,
                                  merged_adapters_compute_the_same,
                                  output_that_ends_costs_no_file,
                                  files_that_cannot_be_written_leave_none,
                                  broken_lines_are_told_by_their_number,
                                  a_number_of_threads_that_is_none_is_told_once};
    return run_program_tests(argv[0], "gpt", "gpt_finetune", tests, sizeof tests / sizeof *tests);
}
