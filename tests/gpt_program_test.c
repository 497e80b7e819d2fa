/* examples/gpt, run as a person runs it: what it prints, its exit status and the files that it leaves are as
 * documented. */
#include "tests/io/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FAILURE = 1, USAGE = 2 };
#define TINY "--layers", "2", "--heads", "2", "--width", "16", "--batch", "4", "--context", "16"

/* Words in an order that one letter does not tell: 3,000 characters. */
static void write_text(void) {
    static const char *const words[] = {"ape ", "pear ", "rape ", "era\n", "par "};
    char all[4000] = "";
    size_t n = 0;
    for (unsigned i = 0; n < 3000; i++)
        n += (size_t)snprintf(all + n, sizeof all - n, "%s", words[i * i % 7 * (i % 3) % 5]);
    write_file("text", all, 3000);
}

static void want_lines(const run *r, int status, int lines, const char *contains) {
    int n = 0;
    ck_assert_msg(r->status == status, "status %d, not %d: %s", r->status, status, r->err);
    for (const char *at = r->err; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    ck_assert_msg(n == lines, "%d lines, not %d: '%s'", n, lines, r->err);
    ck_assert_msg(strstr(r->err, contains) != NULL, "'%s' is not in '%s'", contains, r->err);
}

/* The number behind a text in the output. */
static double after(const run *r, const char *text) {
    const char *at = strstr(r->out, text);
    ck_assert_msg(r->status == 0 && at, "'%s' is missing in: %s %s", text, r->out, r->err);
    return strtod(at + strlen(text), NULL);
}

static void train_tiny(const char *preset, const char *save) {
    write_text();
    const run *r = RUN("train", "--text", "text", "--preset", preset, TINY, "--schedule", "20", "--save", save);
    ck_assert_msg(r->status == 0, "%s", r->err);
}

/* ---- training ---- */

START_TEST(it_learns_and_measures_what_it_has_learnt)
{
    write_text();
    const run *r = RUN("train", "--text", "text", TINY, "--schedule", "150", "--lr", "0.01", "--save", "a");
    double loss = after(r, "the whole last tenth: held-out loss ");
    ck_assert_double_lt(loss, log(6) / 2); /* six characters */
    ck_assert_ptr_nonnull(strstr(r->out, "2700 tokens to learn, 300 held out, of a vocabulary of 6"));
    r = RUN("eval", "a", "--text", "text");
    ck_assert_double_eq(after(r, "288 tokens: loss "), loss); /* 18 windows of 16 */
    ck_assert_double_eq_tol(after(r, "perplexity "), exp(loss), 0.001);
    ck_assert_double_eq_tol(after(RUN("eval", "a", "--text", "text", "--all"), "2992 tokens: loss "), loss, 0.2);
}
END_TEST

START_TEST(steps_in_two_processes_are_those_of_one)
{
    static const char *const presets[] = {"cpu", "llama"};
    write_text();
    for (int i = 0; i < 2; i++) {
#define HALF \
    "train", "--text", "text", "--preset", presets[i], TINY, "--dropout", "0.1", "--schedule", "20", "--warmup", "4"
        ck_assert_int_eq(RUN(HALF, "--save", "whole")->status, 0);
        ck_assert_int_eq(RUN(HALF, "--save", "half", "--steps", "9")->status, 0);
        ck_assert_int_eq(setenv("TG_THREADS", "3", 1), 0);
        const run *r = RUN("train", "--text", "text", "--resume", "half", "--save", "both");
        ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
        ck_assert_ptr_nonnull(strstr(r->out, "going on from half, after 9 steps"));
        ck_assert(same_file("whole", "both"));
        ck_assert(!same_file("half", "both"));
    }
}
END_TEST

START_TEST(byte_pairs_are_learnt_kept_and_written)
{
    write_text();
#define PAIRS "train", "--text", "text", TINY, "--schedule", "20"
    const run *r = RUN(PAIRS, "--bpe", "266", "--save", "a"); /* 256 bytes, 9 merges, the end of a text */
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_nonnull(strstr(r->out, "of a vocabulary of 266"));
    ck_assert_int_eq(RUN(PAIRS, "--bpe", "266", "--save", "half", "--steps", "7")->status, 0);
    ck_assert_int_eq(RUN("train", "--text", "text", "--resume", "half")->status, 0);
    ck_assert(same_file("a", "half"));
    r = RUN("info", "a", "--merges", "merges");
    ck_assert_ptr_nonnull(strstr(r->out, "vocabulary 266 (byte pairs)"));
    ck_assert_int_eq(RUN(PAIRS, "--merges", "merges", "--save", "b")->status, 0);
    ck_assert(same_file("a", "b"));
    want_lines(RUN("info", "a", "--merges", "text"), FAILURE, 1, "text: File exists");
    ck_assert_int_eq(RUN("sample", "a", "--prompt", "caf\xc3\xa9", "--tokens", "5")->status, 0);
    write_file("bad", "#version: 0.2\na p\nap x\nap ex\n", 30);
    want_lines(RUN(PAIRS, "--merges", "bad"), FAILURE, 1, "bad: line 4 is no merge of two tokens that came before");
    want_lines(RUN(PAIRS, "--merges", "nowhere"), FAILURE, 1, "nowhere: No such file");
    want_lines(RUN(PAIRS, "--bpe", "256"), USAGE, 1, "--bpe wants a whole number from 257");
    want_lines(RUN("train", "--text", "text", "--resume", "a", "--bpe", "300"), USAGE, 1, "its own tokens");
    train_tiny("cpu", "c");
    want_lines(RUN("info", "c", "--merges", "new"), FAILURE, 1, "are no byte pairs");
}
END_TEST

START_TEST(a_new_run_begins_with_weights_of_another)
{
    train_tiny("cpu", "a");
    const run *r = RUN("train", "--text", "text", "--init", "a", "--steps", "0");
    double loss = after(r, "the whole last tenth: held-out loss ");
    ck_assert_double_eq(after(RUN("eval", "a", "--text", "text"), "loss "), loss);
    r = RUN("train", "--text", "text", "--init", "a", "--schedule", "30", "--lr", "0.01", "--save", "b");
    ck_assert_double_lt(after(r, "the whole last tenth: held-out loss "), loss);
}
END_TEST

START_TEST(files_that_are_no_gpt_2_are_not_imported)
{
    train_tiny("llama", "a");
    want_lines(RUN("import", "a", "--out", "new"), FAILURE, 1, "a: wte.weight, wpe.weight and h.0 are incomplete");
    want_lines(RUN("import", "text", "--out", "new"), FAILURE, 1, "gpt: text: ");
    want_lines(RUN("import", "a", "--out", "text"), FAILURE, 1, "text: File exists");
    want_lines(RUN("import", "a"), USAGE, 1, "wants --out");
    tg_tape *t = tg_tape_new(TG_F32);
    tg_parameter(t, "wte.weight", tg_zeros(t, TG_SHAPE(9, 32)));
    tg_parameter(t, "wpe.weight", tg_zeros(t, TG_SHAPE(8, 32)));
    tg_parameter(t, "h.0.mlp.c_fc.weight", tg_zeros(t, TG_SHAPE(32, 128)));
    tg_parameter(t, "h.0.ln_1.weight", tg_zeros(t, TG_SHAPE(32)));
    ck_assert_int_eq(tg_save(t, in_folder("narrow")), TG_OK);
    tg_tape_free(t);
    want_lines(RUN("import", "narrow", "--out", "new"), FAILURE, 1,
               "narrow: --heads is missing: its layers are 32 wide, which is no number of heads of 64");
    want_lines(RUN("import", "narrow", "--out", "new", "--heads", "5"), FAILURE, 1,
               "--heads 5 does not divide the width 32");
    remove(in_folder("narrow"));
}
END_TEST

/* ---- the page ---- */

static char page[MOST];

static void read_page(const char *name) {
    FILE *f = fopen(in_folder(name), "r");
    ck_assert_msg(f != NULL, "%s is missing", name);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
}

static void want_on_page(const char *part) { ck_assert_msg(strstr(page, part) != NULL, "'%s' is not on it", part); }

/* So many of the text's six characters, of which a line's end is \u000a. */
static void want_written(int characters) {
    static const char before[] = "{\"title\":\"What it writes\",\"text\":\"";
    const char *at = strstr(page, before);
    ck_assert_ptr_nonnull(at);
    for (at += strlen(before); *at != '"'; characters--) {
        ck_assert_msg(strchr("aepr \\", *at) != NULL, "%.20s", at);
        at += *at == '\\' ? 6 : 1;
    }
    ck_assert_int_eq(characters, 0);
}

START_TEST(a_report_shows_a_training_and_changes_nothing_of_it)
{
    write_text();
#define REPORTED "train", "--text", "text", TINY, "--dropout", "0.1", "--schedule", "20"
    const run *r = RUN(REPORTED, "--save", "a", "--report", "a.html");
    ck_assert_msg(r->status == 0 && strstr(r->out, "report: a.html\n"), "%s", r->err);
    read_page("a.html");
    want_on_page("\"maps\":[\"layer 1, head 1\",\"layer 1, head 2\",\"layer 2, head 1\",\"layer 2, head 2\"]");
    want_on_page("\"T\":16,\"pooled\":1,");
    want_on_page("{\"name\":\"transformer.h.1.attn.c_attn.weight\",\"shape\":\"(48, 16)\"");
    want_on_page("\"held_out\":{\"step\":[0,1,2,3,");
    want_written(16);
    want_on_page("cross_entropy"); /* in the graph and in the profile */
    ck_assert_int_eq(RUN(REPORTED, "--save", "b")->status, 0);
    ck_assert(same_file("a", "b"));
    /* what was trained before is looked at without a step, as in the other family, and as ids that have no text */
    ck_assert_int_eq(RUN("train", "--text", "text", "--resume", "a", "--steps", "0", "--report", "a.html")->status, 0);
    read_page("a.html");
    want_on_page("\"snapshots\":[{\"step\":20,");
    ck_assert_int_eq(RUN("encode", "--text", "text", "--model", "a", "--out", "reported.npy")->status, 0);
    ck_assert_int_eq(RUN("train", "--tokens", "reported.npy", "--vocabulary", "6", "--preset", "llama", TINY, "--steps",
                         "2", "--save", "c", "--report", "c.html")
                         ->status,
                     0);
    read_page("c.html");
    want_on_page("\"tokens\":[\"");
    want_on_page("model.layers.1.self_attn.q_proj.weight");
}
END_TEST

START_TEST(a_report_that_cannot_be_written_is_an_error_before_training)
{
    static const char *const place[] = {"nowhere/a.html", ".", "text"};
    static const char *const why[] = {"No such file", "not a file", "no report"};
    write_text();
    for (int i = 0; i < 3; i++) {
        const run *r = RUN("train", "--text", "text", TINY, "--save", "new", "--report", place[i]);
        want_lines(r, FAILURE, 1, why[i]);
        ck_assert_str_eq(r->out, "");
        ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    }
}
END_TEST

START_TEST(only_models_that_transformers_know_are_exported)
{
    train_tiny("cpu", "a");
    want_lines(RUN("export", "a", "--out", "new"), FAILURE, 1, "a: nanoGPT's model");
    want_lines(RUN("export", "text", "--out", "new"), FAILURE, 1, "gpt: text: ");
    want_lines(RUN("export", "a"), USAGE, 1, "wants --out");
    train_tiny("llama", "b");
    want_lines(RUN("export", "b", "--out", "text"), FAILURE, 1, "text: Not a directory");
    want_lines(RUN("export", "b", "--out", "new", "--dtype", "F8"), USAGE, 1, "--dtype is F32, BF16 or F16");
    ck_assert_int_eq(RUN("export", "b", "--out", "new", "--dtype", "BF16")->status, 0);
    ck_assert_ptr_nonnull(strstr(RUN("info", "new/model.safetensors")->out, "model.layers.1.mlp.up_proj.weight"));
    want_lines(RUN("export", "b", "--out", "new"), FAILURE, 1, "new/model.safetensors: File exists");
    remove(in_folder("new/model.safetensors"));
    remove(in_folder("new/config.json"));
    rmdir(in_folder("new"));
}
END_TEST

/* The model c, exported, says that documents begin and end with this token. That its byte pairs stay behind is told. */
static void want_ends(const char *id, bool has_pairs) {
    char line[80];
    size_t n = (size_t)snprintf(line, sizeof line, " \"bos_token_id\": %s, \"eos_token_id\": %s}\n", id, id), all;
    const run *r = RUN("export", "c", "--out", "new");
    ck_assert_int_eq(r->status, 0);
    ck_assert_msg(!strstr(r->out, "no tokenizer.json is written") == !has_pairs, "%s", r->out);
    const char *config = file_bytes("new/config.json", &all);
    ck_assert_uint_gt(all, n);
    ck_assert_msg(!memcmp(config + all - n, line, n), "%.*s does not end with %s", (int)all, config, line);
    remove(in_folder("new/model.safetensors"));
    remove(in_folder("new/config.json"));
    rmdir(in_folder("new"));
}

#define NEW "--preset", "llama", TINY, "--steps", "1", "--save", "c"

/* Without a word of it transformers would stop at token 2, whatever that is. */
START_TEST(exported_models_name_the_end_of_a_text_where_there_is_one)
{
    write_text();
    ck_assert_int_eq(RUN("train", "--text", "text", NEW)->status, 0);
    want_ends("null", false);
    ck_assert_int_eq(RUN("train", "--text", "text", "--bpe", "261", NEW)->status, 0);
    want_ends("260", true);
    ck_assert_int_eq(RUN("train", "--tokens", "text", "--vocabulary", "50000", NEW)->status, 0);
    want_ends("null", false);
    ck_assert_int_eq(RUN("train", "--tokens", "text", "--vocabulary", "50257", NEW)->status, 0);
    want_ends("50256", false);
}
END_TEST

/* ---- token ids in files ---- */

static size_t size_of(const char *name) {
    FILE *f = fopen(in_folder(name), "rb");
    ck_assert_msg(f && fseek(f, 0, SEEK_END) == 0, "%s is missing", name);
    size_t n = (size_t)ftell(f);
    fclose(f);
    return n;
}

#define ENCODE "encode", "--text", "text", "--model", "a", "--out"

START_TEST(ids_in_files_are_the_text)
{
    train_tiny("cpu", "a");
    double loss = after(RUN("eval", "a", "--text", "text", "--all"), "loss ");
    ck_assert_int_eq(RUN(ENCODE, "raw")->status, 0);
    ck_assert_int_eq(RUN(ENCODE, "llmc", "--header")->status, 0);
    ck_assert_int_eq(RUN(ENCODE, "ids.npy")->status, 0);
    ck_assert_uint_eq(size_of("raw"), 6000);
    ck_assert_uint_eq(size_of("llmc"), 1024 + 6000);
    ck_assert_uint_eq(size_of("ids.npy"), 128 + 6000);
    ck_assert_double_eq(after(RUN("eval", "a", "--tokens", "raw"), "loss "), loss);
    ck_assert_double_eq(after(RUN("eval", "a", "--tokens", "llmc"), "loss "), loss);
    ck_assert_double_eq(after(RUN("eval", "a", "--tokens", "ids.npy"), "loss "), loss);
    want_lines(RUN(ENCODE, "text"), FAILURE, 1, "text: File exists");
    want_lines(RUN("encode", "--text", "text", "--out", "new"), USAGE, 1, "wants one of --model and --merges");
}
END_TEST

/* The run's position in the shards is in its file. */
START_TEST(shards_are_learnt_in_an_order_that_a_resumed_run_keeps)
{
    train_tiny("cpu", "a");
    ck_assert_int_eq(RUN(ENCODE, "shard")->status, 0);
    ck_assert_int_eq(RUN(ENCODE, "val.npy")->status, 0);
#define SHARD "train", "--tokens", "shard", "--val", "val.npy", TINY, "--vocabulary", "6", "--schedule", "120"
    const run *r = RUN(SHARD, "--lr", "0.01", "--save", "whole");
    ck_assert_double_lt(after(r, "2992 held-out tokens: held-out loss "), log(6) / 2);
    ck_assert_int_eq(RUN(SHARD, "--lr", "0.01", "--save", "half", "--steps", "50")->status, 0); /* over 187 windows */
    ck_assert_int_eq(RUN("train", "--tokens", "shard", "--val", "val.npy", "--resume", "half")->status, 0);
    ck_assert(same_file("whole", "half"));
    ck_assert_uint_gt(strlen(RUN("sample", "whole", "--tokens", "9")->out), 2 * 9);
    want_lines(RUN("sample", "whole", "--prompt", "a"), USAGE, 1, "the model was trained on ids, not on text");
    want_lines(RUN("eval", "whole", "--text", "text"), FAILURE, 1, "the model was trained on ids");
    want_lines(RUN("train", "--text", "text", "--resume", "whole"), FAILURE, 1, "the model was trained on ids");
}
END_TEST

START_TEST(shards_that_cannot_be_learnt_are_refused)
{
    train_tiny("cpu", "a");
    ck_assert_int_eq(RUN(ENCODE, "ids")->status, 0);
#define LEARN "train", TINY, "--tokens"
    want_lines(RUN(LEARN, "nowhere", "--vocabulary", "6"), FAILURE, 1, "nowhere: No such file");
    want_lines(RUN(LEARN, "ids", "--vocabulary", "5"), FAILURE, 1, "is not below the vocabulary of 5");
    want_lines(RUN(LEARN, "ids"), USAGE, 1, "--tokens needs --vocabulary or --merges");
    want_lines(RUN(LEARN, "ids", "--vocabulary", "6", "--bpe", "300"), USAGE, 1, "--bpe needs --text");
    want_lines(RUN(LEARN, "ids", "--text", "text"), USAGE, 1, "wants one of --text and --tokens");
    want_lines(RUN(LEARN, "ids", "--vocabulary", "6", "--id-bytes", "3"), USAGE, 1, "wants 2 or 4");
    write_file("few", "\1\0\2\0", 4);
    want_lines(RUN(LEARN, "few", "--vocabulary", "6"), FAILURE, 1, "few: 1 and 1 held-out tokens");
}
END_TEST

/* ---- sampling ---- */

START_TEST(the_same_seed_writes_the_same_with_and_without_cache)
{
    static char first[2000];
    train_tiny("llama", "a");
    /* 60 tokens: past the context of 16 */
    const run *r = RUN("sample", "a", "--tokens", "60");
    ck_assert_uint_eq(strlen(r->out), 60 + 1);
    r = RUN("sample", "a", "--prompt", "pear ", "--tokens", "60");
    ck_assert_int_eq(r->status, 0);
    ck_assert_uint_eq(strlen(r->out), 5 + 60 + 1);
    ck_assert(strncmp(r->out, "pear ", 5) == 0);
    strcpy(first, r->out);
    ck_assert_str_eq(RUN("sample", "a", "--prompt", "pear ", "--tokens", "60", "--no-cache")->out, first);
    ck_assert_str_ne(RUN("sample", "a", "--prompt", "pear ", "--tokens", "60", "--seed", "2")->out, first);
    ck_assert_str_ne(RUN("sample", "a", "--prompt", "pear ", "--tokens", "60", "--temperature", "0")->out, first);
}
END_TEST

/* Past its context the model sees the last tokens as if they were all: what it writes then is what it writes after a
 * prompt of them. */
START_TEST(past_the_context_the_window_slides)
{
    static char text[200], last[17];
    static const char *const presets[] = {"cpu", "llama"};
    for (int i = 0; i < 2; i++) {
        train_tiny(presets[i], "a");
        const run *r = RUN("sample", "a", "--prompt", "pear ", "--tokens", "100", "--temperature", "0");
        ck_assert_uint_eq(strlen(r->out), 5 + 100 + 1);
        memcpy(text, r->out, 106);
        for (size_t at = 16; at < 100; at += 21) {
            memcpy(last, text + at - 16, 16);
            r = RUN("sample", "a", "--prompt", last, "--tokens", "1", "--temperature", "0");
            ck_assert_msg(r->out[16] == text[at], "'%s' after '%s'", r->out, last);
        }
    }
}
END_TEST

/* ---- what is refused ---- */

START_TEST(texts_that_cannot_be_learnt_are_refused)
{
    write_file("empty", "", 0);
    write_file("binary", "ab\0cd", 5);
    write_file("short", "abcabcabcabc", 12);
    want_lines(RUN("train", "--text", "nowhere"), FAILURE, 1, "nowhere: No such file");
    want_lines(RUN("train", "--text", "empty"), FAILURE, 1, "empty: the file is empty");
    want_lines(RUN("train", "--text", "binary"), FAILURE, 1, "binary is binary: byte 2 is zero");
    want_lines(RUN("train", "--text", "short"), FAILURE, 1, "short: 10 and 2 held-out tokens are too few");
    want_lines(RUN("train", "--text", "."), FAILURE, 1, "Is a directory");
    want_lines(RUN("train"), USAGE, 1, "wants one of --text and --tokens");
    ck_assert_int_ne(access(in_folder("gpt.safetensors"), F_OK), 0);
}
END_TEST

START_TEST(checkpoints_that_do_not_fit_are_refused)
{
    train_tiny("cpu", "a");
    train_tiny("cpu", "untouched");
    write_file("other", "abcdefghijklmnopqrstuvwxyz abcdefghijklmnopqrstuvwxyz\n", 54);
#define RESUME "train", "--text", "text", "--resume", "a"
    want_lines(RUN(RESUME, "--context", "8"), FAILURE, 1, "--context 8 does not fit the model in a, which has 16");
    want_lines(RUN(RESUME, "--width", "8"), FAILURE, 1, "--width 8 does not fit the model in a, which has 16");
    want_lines(RUN(RESUME, "--layers", "3"), FAILURE, 1, "--layers 3 does not fit the model in a, which has 2");
    want_lines(RUN(RESUME, "--heads", "4"), FAILURE, 1, "--heads 4 does not fit the model in a, which has 2");
    want_lines(RUN("train", "--text", "text", "--init", "a", "--width", "8"), FAILURE, 1, "--width 8 does not fit");
    ck_assert_int_eq(RUN(RESUME, "--width", "16", "--steps", "0")->status, 0);
    train_tiny("llama", "l");
    want_lines(RUN("train", "--text", "text", "--resume", "l", "--kv-heads", "1"), FAILURE, 1,
               "--kv-heads 1 does not fit the model in l, which has 2");
    ck_assert_int_eq(RUN("train", "--text", "text", "--resume", "l", "--context", "32", "--steps", "1")->status, 0);
    ck_assert_int_eq(
        RUN("train", "--text", "text", "--init", "l", "--context", "8", "--steps", "1", "--save", "b")->status, 0);
    ck_assert_ptr_nonnull(strstr(RUN("info", "b")->out, "context 8, ")); /* as it was trained */
    want_lines(RUN("train", "--text", "other", "--resume", "a"), FAILURE, 1, "other: the character 'b'");
    want_lines(RUN("eval", "a", "--text", "other"), FAILURE, 1, "is not among those that the model was trained on");
    want_lines(RUN(RESUME, "--preset", "llama"), USAGE, 1, "--resume takes its model from the file");
    want_lines(RUN("sample", "text"), FAILURE, 1, "gpt: text: ");
    want_lines(RUN("sample", "nowhere"), FAILURE, 1, "gpt: nowhere: ");
    ck_assert(same_file("a", "untouched"));
}
END_TEST

/* The same characters, and as many. */
START_TEST(a_run_goes_on_with_its_own_data_only)
{
    static char text[3000];
    size_t n;
    train_tiny("cpu", "a");
    train_tiny("cpu", "untouched");
    memcpy(text, file_bytes("text", &n), sizeof text);
    write_file("same", text, sizeof text);
    ck_assert_int_eq(RUN("train", "--text", "same", "--resume", "a", "--steps", "0")->status, 0);
    for (int i = 1; i >= 0; i--) { /* in what is held out, and at the beginning */
        char *at = text + 2950 * i;
        ck_assert_int_ne(at[0], at[1]);
        memcpy(at, (char[]){at[1], at[0]}, 2);
        write_file("other", text, sizeof text);
        want_lines(RUN("train", "--text", "other", "--resume", "a", "--steps", "1"), FAILURE, 1,
                   "a is a run on other data than other; --init begins a new one with its weights");
        memcpy(at, (char[]){at[1], at[0]}, 2);
    }
    ck_assert_int_eq(RUN(ENCODE, "own ids")->status, 0);
    ck_assert_int_eq(RUN("encode", "--text", "other", "--model", "a", "--out", "other ids")->status, 0);
    ck_assert_int_eq(
        RUN("train", "--tokens", "own ids", TINY, "--vocabulary", "6", "--steps", "1", "--save", "b")->status, 0);
    ck_assert_int_eq(RUN("train", "--tokens", "own ids", "--resume", "b", "--steps", "1")->status, 0);
    want_lines(RUN("train", "--tokens", "other ids", "--resume", "b"), FAILURE, 1, "on other data than other ids");
    ck_assert_int_eq(RUN("train", "--text", "other", "--init", "a", "--steps", "1", "--save", "new")->status, 0);
    ck_assert(same_file("a", "untouched"));
}
END_TEST

START_TEST(foreign_files_are_not_written_over)
{
    write_text();
    want_lines(RUN("train", "--text", "text", TINY, "--save", "text"), FAILURE, 1,
               "cannot save to text: it holds something");
    want_lines(RUN("train", "--text", "text", TINY, "--save", "no/where"), FAILURE, 1, "no/where");
    ck_assert_int_eq(RUN("train", "--text", "text", TINY, "--steps", "0")->status, 0);
}
END_TEST

START_TEST(wrong_options_are_one_line)
{
    train_tiny("cpu", "a");
    want_lines(RUN("sample", "a", "--top-k", "0"), USAGE, 1, "--top-k wants a whole number from 1 ");
    want_lines(RUN("sample", "a", "--top-p", "0"), USAGE, 1, "--top-p wants a number");
    want_lines(RUN("sample", "a", "--tokens"), USAGE, 1, "--tokens wants a value");
    want_lines(RUN("sample", "a", "--prompt", ""), USAGE, 1, "--prompt wants");
    want_lines(RUN("sample", "a", "--prompt", "pear pear pear pear "), FAILURE, 1, "20 tokens, more than the 16");
    want_lines(RUN("sample", "a", "--prompt", "x"), FAILURE, 1, "the character 'x' (U+0078, at byte 0)");
    want_lines(RUN("sample"), USAGE, 1, "wants the file of a model");
    want_lines(RUN("sample", "a", "b"), USAGE, 1, "b is one argument too many");
    want_lines(RUN("eval", "a"), USAGE, 1, "wants one of --text and --tokens");
    want_lines(RUN("train", "--text", "text", "--preset", "huge"), USAGE, 1, "--preset wants cpu, llama or long");
    want_lines(RUN("train", "--text", "text", "--heads", "3"), FAILURE, 1, "--heads 3 does not divide --width 128");
    want_lines(RUN("train", "--text", "text", "--preset", "llama", "--width", "12"), FAILURE, 1, "must be even");
    want_lines(RUN("train", "--text", "text", "--preset", "llama", "--kv-heads", "3"), FAILURE, 1,
               "--kv-heads 3 does not divide --heads 4");
    want_lines(RUN("train", "--text", "text", "--kv-heads", "2"), FAILURE, 1, "--kv-heads is for --preset llama");
    want_lines(RUN("learn"), USAGE, 1, "learn is no command");
    want_lines(RUN(NULL), USAGE, 1, "wants a command");
    static const char *const commands[] = {"train", "sample", "eval", "info"};
    for (int i = 0; i < 4; i++)
        ck_assert_ptr_nonnull(strstr(RUN(commands[i], "--help")->out, "usage: gpt "));
    ck_assert_int_eq(RUN("--help")->status, 0);
}
END_TEST

START_TEST(info_tells_what_a_file_holds)
{
    train_tiny("llama", "a");
    const run *r = RUN("info", "a");
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_nonnull(strstr(r->out, "model.layers.1.self_attn.q_proj.weight"));
    ck_assert_ptr_nonnull(strstr(r->out, "llama: 2 layers, 2 heads, 16 wide, 64 in the feed-forward part, context 16, "
                                         "vocabulary 6 (characters)"));
    want_lines(RUN("info", "text"), FAILURE, 1, "gpt: text: ");
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {it_learns_and_measures_what_it_has_learnt,
                                  steps_in_two_processes_are_those_of_one,
                                  byte_pairs_are_learnt_kept_and_written,
                                  a_new_run_begins_with_weights_of_another,
                                  files_that_are_no_gpt_2_are_not_imported,
                                  a_report_shows_a_training_and_changes_nothing_of_it,
                                  a_report_that_cannot_be_written_is_an_error_before_training,
                                  only_models_that_transformers_know_are_exported,
                                  exported_models_name_the_end_of_a_text_where_there_is_one,
                                  ids_in_files_are_the_text,
                                  shards_are_learnt_in_an_order_that_a_resumed_run_keeps,
                                  shards_that_cannot_be_learnt_are_refused,
                                  the_same_seed_writes_the_same_with_and_without_cache,
                                  past_the_context_the_window_slides,
                                  texts_that_cannot_be_learnt_are_refused,
                                  checkpoints_that_do_not_fit_are_refused,
                                  a_run_goes_on_with_its_own_data_only,
                                  foreign_files_are_not_written_over,
                                  wrong_options_are_one_line,
                                  info_tells_what_a_file_holds};
    return run_program_tests(argv[0], "gpt", "gpt_program", tests, sizeof tests / sizeof *tests);
}
