/* gpt finetune, logits and export as a person runs them: losses are PEFT's (tests/golden/make_llama.py), no file is
 * replaced or left half written, and bad input is one line. */
#include "tests/io/gpt_folder.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <time.h>

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

/* ---- a run that was interrupted ---- */

#define ALL "finetune", "a", "--data", "data", "--seed", "5", "--batch", "2", "--accumulate", "3", "--warmup", "12"
#define LORA ALL, "--lora", "2", "--lora-dropout", "0.25", "--target", "*.q_proj,*.gate_proj"

static void want_done(const run *r, const char *saved) {
    ck_assert_msg(r->status == 0 && strstr(r->out, saved), "%s%s", r->out, r->err);
}

/* 8 steps that keep the run, and 12 more in another process, are 20 steps in every bit: of all weights, and of adapters
 * with dropout. Rounds of 7 lines, of which a step takes 6, end in both parts. */
START_TEST(a_run_goes_on_with_the_same_bits)
{
    import_llama_3();
    want_done(RUN(ALL, "--steps", "20", "--save", "b"), "saved b");
    want_done(RUN(ALL, "--steps", "8", "--save-every", "8", "--save", "c"), "saved c");
    remove(in_folder("c"));
    want_done(RUN(ALL, "--resume", "c.run", "--steps", "20", "--save", "c"), "12 steps, ");
    ck_assert(same_file("b", "c"));
    want_done(RUN(LORA, "--steps", "20", "--save", "new"), "saved new");
    want_done(RUN(LORA, "--steps", "8", "--save-every", "4", "--save", "peft/"), "saved peft");
    remove(in_folder("peft/adapter_config.json"));
    remove(in_folder("peft/adapter_model.safetensors"));
    ck_assert_int_eq(setenv("TG_THREADS", "3", 1), 0);
    want_done(RUN(LORA, "--resume", "peft.run", "--steps", "20", "--save", "peft"),
              "going on from peft.run, after 8 steps");
    ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
    ck_assert(same_file("new/adapter_model.safetensors", "peft/adapter_model.safetensors"));
    ck_assert(same_file("new/adapter_config.json", "peft/adapter_config.json"));
    remove_all();
}
END_TEST

static long long steps_before_it_stopped(const char *text) {
    const char *at = strstr(text, "stopped after step ");
    ck_assert_msg(at && strstr(at, " of 100000; the same command goes on with --resume c.run\n"), "%s", text);
    return strtoll(at + strlen("stopped after step "), NULL, 10);
}

/* Ctrl-C leaves the run and no model; as many steps as it made, and five, are those of a run that was not stopped. */
START_TEST(an_interrupt_keeps_the_run)
{
    static char text[MOST];
    char steps[24];
    import_llama_3();
    int out = open(in_folder("data.err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    pid_t child =
        start((const char *const[]){ALL, "--steps", "100000", "--save-every", "3", "--save", "c", NULL}, out, 2);
    while (access(in_folder("c.run"), F_OK))
        nanosleep(&(struct timespec){0, 5000000}, NULL);
    ck_assert_int_eq(kill(child, SIGINT), 0);
    ck_assert_int_eq(status_of(child), 128 + SIGINT);
    lseek(out, 0, SEEK_SET);
    read_all(out, text, sizeof text);
    ck_assert_int_ne(access(in_folder("c"), F_OK), 0);
    snprintf(steps, sizeof steps, "%lld", steps_before_it_stopped(text) + 5);
    want_done(RUN(ALL, "--resume", "c.run", "--steps", steps, "--save", "c"), "\n5 steps, ");
    want_done(RUN(ALL, "--steps", steps, "--save", "b"), "saved b");
    ck_assert(same_file("b", "c"));
    remove_all();
}
END_TEST

static void want_refused(const run *r, const char *why) {
    want_lines(r, FAILURE, why);
    ck_assert_int_ne(access(in_folder("c"), F_OK), 0);
    ck_assert_int_ne(access(in_folder("peft"), F_OK), 0);
}

/* The run with another byte somewhere, or fewer. */
static void damage(const char *file, size_t at, size_t n) {
    static char bytes[MOST];
    size_t all;
    memcpy(bytes, file_bytes(file, &all), MOST);
    bytes[at] ^= 0x40;
    write_file("c.run", bytes, n < all ? n : all);
}

START_TEST(a_run_that_does_not_fit_is_told)
{
    import_llama_3();
    want_done(RUN(ALL, "--steps", "2", "--save-every", "2", "--save", "b"), "saved b");
    want_done(RUN(LORA, "--steps", "2", "--save-every", "2", "--save", "new"), "saved new");
    static char before[MOST];
    size_t n, m;
    memcpy(before, file_bytes("b.run", &n), MOST);
#define ON "--resume", "b.run", "--steps", "4", "--save", "c"
    want_refused(RUN(ALL, ON, "--lr", "0.5"), "--lr 0.5 is not the 1e-05 of the run in b.run");
    want_refused(RUN(ALL, ON, "--seed", "6"), "--seed 6 is not the 5 of the run in b.run");
    want_refused(RUN(ALL, ON, "--accumulate", "1"), "--accumulate 1 is not the 3 of the run in b.run");
    want_refused(RUN(ALL, ON, "--weight-decay", "0"), "--weight-decay 0 is not the 0.01 of the run in b.run");
    want_refused(RUN(ALL, ON, "--steps", "1"), "--steps 1: the run in b.run has made 2");
    want_refused(RUN(LORA, ON, "--save", "peft"),
                 "b.run is a run with adapters of rank 0 at 0 layers, not of rank 2 at 6");
    want_refused(RUN(LORA, "--resume", "new.run", "--save", "peft", "--alpha", "7"),
                 "--alpha 7 is not the 4 of the run");
    want_refused(RUN(LORA, "--resume", "new.run", "--save", "peft", "--lora", "3"),
                 "new.run is a run with adapters of rank 2 at 6 layers, not of rank 3 at 6: --lora, --target");
    want_refused(RUN(LORA, "--resume", "new.run", "--save", "peft", "--target", "*.k_proj"),
                 "of rank 2 at 6 layers, not of rank 2 at 3");
    want_refused(RUN("sample", "new.run"), "new.run is a run of `gpt finetune` with adapters: its --resume saves them");
    want_refused(RUN(ALL, "--resume", "a", "--save", "c"), "a: it holds tensors, but no run");
    want_refused(RUN(ALL, "--resume", "none", "--save", "c"), "none: cannot open it");
    put("data", "{\"prompt\": [1], \"answer\": [2]}\n");
    want_refused(RUN(ALL, ON), "b.run is a run on other lines than data");
    put("data", tuning_data);
    static char weights[MOST];
    memcpy(weights, file_bytes("a", &m), MOST);
    weights[m - 1] ^= 1;
    write_file("a", weights, m);
    want_refused(RUN(ALL, ON), "b.run is a run on other weights than those of a");
    want_refused(RUN(LORA, "--resume", "new.run", "--save", "peft"), "new.run is a run on other weights than those of");
    weights[m - 1] ^= 1;
    write_file("a", weights, m);
    damage("b.run", 1, SIZE_MAX);
    want_refused(RUN(ALL, "--resume", "c.run", "--save", "c"), "c.run: ");
    damage("b.run", 20, SIZE_MAX);
    want_refused(RUN(ALL, "--resume", "c.run", "--save", "c"), "c.run: ");
    damage("b.run", n - 1, n / 2);
    want_refused(RUN(ALL, "--resume", "c.run", "--save", "c"), "c.run: ");
    want_lines(RUN(ALL, "--resume", "b.run", "--save", "b"), FAILURE, "b: File exists; nothing is replaced");
    remove(in_folder("b"));
    want_lines(RUN(ALL, "--save", "b"), FAILURE, "b.run: File exists; the run in it goes on with --resume; nothing is");
    ck_assert(!memcmp(before, file_bytes("b.run", &m), n) && n == m);
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

START_TEST(the_file_is_saved_when_output_ends)
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
    remove_all();
}
END_TEST

static bool is_there(const char *name) {
    struct stat s;
    return !lstat(in_folder(name), &s);
}

#define AGAIN LORA, "--resume", "new.run", "--steps", "2", "--save", "new"

static void remove_adapters(void) {
    remove(in_folder("new/adapter_config.json"));
    remove(in_folder("new/adapter_model.safetensors"));
}

/* adapter_config.json comes last: where it is, the weights are whole, however the process ended. What one left that was
 * killed before is in nobody's way. */
START_TEST(a_killed_process_leaves_no_half_adapters)
{
    import_llama_3();
    want_done(RUN(LORA, "--steps", "2", "--save-every", "2", "--save", "new"), "saved new");
    remove_adapters();
    int out = open(in_folder("data.err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    pid_t child = start((const char *const[]){AGAIN, NULL}, out, 2);
    while (!is_there("new/adapter_config.json"))
        ;
    (void)kill(child, SIGKILL);
    (void)status_of(child);
    close(out);
    ck_assert(is_there("new/adapter_model.safetensors"));
    remove_adapters();
    put("new/adapter_config.json.part", "{\"peft_type\"");
    put("new/adapter_model.safetensors.part", "a");
    want_done(RUN(AGAIN), "saved new");
    ck_assert(!is_there("new/adapter_config.json.part") && !is_there("new/adapter_model.safetensors.part"));
    remove_all();
}
END_TEST

/* Nothing stays that would be in the way of a second try, and no folder that was not there; one that was stays. */
START_TEST(files_that_cannot_be_written_leave_none)
{
    static const char *const calls[][12] = {
        {"export", "a", "--out", "new"},
        {"finetune", "a", "--data", "data", "--steps", "1", "--lora", "2", "--save", "new"}};
    for (size_t i = 0; i < 2 * (sizeof calls / sizeof *calls); i++) {
        import_llama_3();
        ck_assert_int_eq(i % 2 ? mkdir(in_folder("new"), 0777) : 0, 0);
        limit_files(1500);
        want_lines(run_program(calls[i / 2]), FAILURE, "File too large");
        limit_files(0);
        ck_assert_int_eq(is_there("new"), i % 2);
        ck_assert(!is_there("new") || !rmdir(in_folder("new"))); /* it is empty */
    }
    remove_all();
}
END_TEST

/* A link is a name that is taken, also when it leads nowhere. */
START_TEST(links_are_not_replaced)
{
    import_llama_3();
    ck_assert_int_eq(symlink("nowhere", in_folder("b")), 0);
    want_lines(RUN("import", "model", "--out", "b"), FAILURE, "b: File exists; nothing is replaced");
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "b"), FAILURE, "b: File exists; nothing is replaced");
    ck_assert(is_there("b") && !is_there("nowhere"));
    ck_assert_int_eq(mkdir(in_folder("new"), 0777), 0);
    ck_assert_int_eq(symlink("nowhere", in_folder("new/config.json")), 0);
    want_lines(RUN("export", "a", "--out", "new"), FAILURE, "new/config.json: File exists; nothing is replaced");
    remove_all();
}
END_TEST

/* ---- bad input ---- */

START_TEST(what_is_no_checkpoint_is_told)
{
    import_llama_3();
    want_lines(RUN("finetune", "model", "--data", "data", "--save", "b"), FAILURE,
               "model: it is a folder, and no checkpoint; `gpt import` makes one of it");
    want_lines(RUN("finetune", "data", "--data", "data", "--save", "b"), FAILURE,
               "data: it is JSON, and no checkpoint");
    want_lines(RUN("sample", "none"), FAILURE, "none: cannot open it: ");
    remove_all();
}
END_TEST

START_TEST(broken_lines_are_named_by_their_number)
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
        {"\n", "data: it has no lines"},
        {"{\"prompt\": [1], \"answer\": [2]}\n{\"prompt\": \"\xff\xfe\", \"answer\": [1]}\n",
         "line 2 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"\xc0\x80\", \"answer\": [1]}\n", "line 1 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"\xed\xa0\xbd\", \"answer\": [1]}\n", "line 1 is no JSON object: no UTF-8 from byte 12 on"},
        {"{\"prompt\": \"a\\ud83d\", \"answer\": [1]}\n", "object: a lone surrogate from byte 13 on"},
        {"{\"prompt\": \"\\ude00\", \"answer\": [1]}\n", "object: a lone surrogate from byte 12 on"},
        {"{\"prompt\": [1], \"answer\": [1], \"pr\\u006fmpt\": [2]}\n", "object: \"pr\\u006fmpt\" occurs twice"},
        {"{\"prompt\": [1], \"more\": [{\"x\": 1, \"x\": 2}]}\n", "object: \"x\" occurs twice"},
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
    ck_assert_ptr_nonnull(strstr(RUN("finetune", "--help")->out, "Else <|endoftext|> in a text is those characters"));
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "new", "--lora", "2", "--target", "*"), FAILURE,
               "--target: '*' fits model.embed_tokens.weight too, an embedding, which can have no adapter");
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    want_lines(RUN("finetune", "a", "--data", "data", "--save", "b", "--target", "*"), USAGE, "--target needs --lora");
    want_lines(RUN("finetune", "a", "--data", "data"), USAGE, "wants a checkpoint, --data and --save");
    remove_all();
}
END_TEST

START_TEST(an_invalid_number_of_threads_is_one_warning)
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
                                  the_file_is_saved_when_output_ends,
                                  a_run_goes_on_with_the_same_bits,
                                  an_interrupt_keeps_the_run,
                                  a_run_that_does_not_fit_is_told,
                                  a_killed_process_leaves_no_half_adapters,
                                  files_that_cannot_be_written_leave_none,
                                  links_are_not_replaced,
                                  what_is_no_checkpoint_is_told,
                                  broken_lines_are_named_by_their_number,
                                  an_invalid_number_of_threads_is_one_warning};
    return run_program_tests(argv[0], "gpt", "gpt_finetune", tests, sizeof tests / sizeof *tests);
}
