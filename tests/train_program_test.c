/* examples/train.c, run as a person runs it: what it prints, its exit status, and what it leaves behind. */
#include "tests/io/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TRAIN(...) RUN(__VA_ARGS__)
/* The smallest model, for tests of what surrounds the training. */
#define SMALL "--channels", "8", "--batch", "4"

enum { USAGE = 2, FAILURE = 1 };

/* The number that follows a text in the output, say "no attention: each word on its own". */
static double after(const char *out, const char *text) {
    const char *at = strstr(out, text);
    ck_assert_msg(at != NULL, "'%s' is missing in:\n%s", text, out);
    return strtod(at + strlen(text), NULL);
}

static void want_one_line(const run *r, int status, const char *contains) {
    ck_assert_msg(r->status == status, "status %d, not %d: %s", r->status, status, r->err);
    const char *end = strchr(r->err, '\n');
    ck_assert_msg(end && end[1] == '\0', "not one line: '%s'", r->err);
    ck_assert_msg(strstr(r->err, contains) != NULL, "'%s' is not in '%s'", contains, r->err);
}

/* ---- the built-in task ---- */

typedef struct score {
    double nats, right;
} score;

/* The row of the last table that begins with a text. */
static score score_of(const char *out, const char *row) {
    score s;
    const char *table = strstr(out, "answers in new sentences");
    const char *at = table ? strstr(table, row) : NULL;
    ck_assert_msg(at && sscanf(at + strlen(row), "%lf %lf%%", &s.nats, &s.right) == 2, "'%s' is missing in:\n%s", row,
                  out);
    return s;
}

START_TEST(attention_solves_what_nothing_else_can)
{
    const run *r = TRAIN("--steps", "150", "--batch", "16", "--save", "solved.safetensors");
    ck_assert_msg(r->status == 0, "%s", r->err);
    double error = after(r->out, "worst relative error ");
    ck_assert(error > 0 && error < 1e-5); /* of the gradient in float32, which compilers' options round otherwise */
    ck_assert_double_ge(score_of(r->out, "attention ").right, 99);
    /* without knowing where to look, one of four foods is right */
    ck_assert_double_lt(score_of(r->out, "so far").right, 35);
    ck_assert_double_gt(score_of(r->out, "so far").nats, log(4) - 0.1);
    ck_assert_double_lt(score_of(r->out, "on its own").right, 35);
    ck_assert_double_gt(score_of(r->out, "on its own").nats, log(4) - 0.1);
    ck_assert_ptr_null(strpbrk(r->out, "\r\033"));
    ck_assert_ptr_nonnull(strstr(r->out, "150/150"));
}
END_TEST

START_TEST(same_seed_same_bytes)
{
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "10", "--save", "a.safetensors")->status, 0);
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "10", "--save", "b.safetensors")->status, 0);
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "10", "--save", "c.safetensors", "--seed", "7")->status, 0);
    ck_assert(same_file("a.safetensors", "b.safetensors"));
    ck_assert(!same_file("a.safetensors", "c.safetensors"));
}
END_TEST

/* The library is silent; the program names the environment variables that cannot be honoured, once. */
START_TEST(an_unusable_environment_is_one_line)
{
    ck_assert_int_eq(setenv("TG_THREADS", "many", 1), 0);
    const run *r = TRAIN(SMALL, "--steps", "1", "--save", "a.safetensors");
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_eq(strstr(r->err, "train: "), r->err);
    ck_assert_ptr_nonnull(strstr(r->err, "TG_THREADS=many"));
    ck_assert_ptr_eq(strchr(r->err, '\n'), r->err + strlen(r->err) - 1);
    ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
}
END_TEST

/* AdamW's memory is in the file: how often it has moved the tokens' embedding. */
static void want_count(const char *name, int64_t steps) {
    static char header[1 << 16];
    size_t n;
    uint64_t length;
    int64_t count;
    const char *file = file_bytes(name, &n);
    memcpy(&length, file, sizeof length);
    ck_assert_uint_lt(length, sizeof header);
    memcpy(header, file + 8, length);
    header[length] = '\0';
    const char *entry = strstr(header, "\"tapegrad.optim.0.step.token.weight\""), *offsets = "\"data_offsets\":[";
    ck_assert_ptr_nonnull(entry);
    entry = strstr(entry, offsets);
    ck_assert_ptr_nonnull(entry);
    memcpy(&count, file + 8 + length + strtoull(entry + strlen(offsets), NULL, 10), sizeof count);
    ck_assert_int_eq(count, steps);
}

START_TEST(training_goes_on_from_a_file)
{
    const run *r = TRAIN(SMALL, "--steps", "60", "--save", "half.safetensors");
    double loss = score_of(r->out, "attention ").nats;
    r = TRAIN(SMALL, "--steps", "0", "--resume", "half.safetensors");
    ck_assert_double_eq(score_of(r->out, "attention ").nats, loss);
    r = TRAIN(SMALL, "--steps", "20", "--resume", "half.safetensors", "--save", "whole.safetensors");
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_nonnull(strstr(r->out, "after 60 steps"));
    ck_assert_ptr_nonnull(strstr(r->out, "after 80 steps"));
    ck_assert(!same_file("half.safetensors", "whole.safetensors"));
    want_count("half.safetensors", 60);
    want_count("whole.safetensors", 80);
}
END_TEST

/* The files hold all that a run is, so that equal files are equal runs. */
START_TEST(steps_in_two_processes_are_those_of_one)
{
    static const char *const threads[] = {"1", "2", "3", "8"};
    const run *r = TRAIN(SMALL, "--seed", "7", "--lr", "0.02", "--steps", "30", "--save", "one.safetensors");
    char table[400];
    ck_assert_int_eq(r->status, 0);
    snprintf(table, sizeof table, "%s", strstr(r->out, "answers in new sentences"));
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(setenv("TG_THREADS", threads[i], 1), 0);
        TRAIN(SMALL, "--seed", "7", "--lr", "0.02", "--steps", "13", "--save", "two.safetensors");
        ck_assert_int_eq(setenv("TG_THREADS", threads[3 - i], 1), 0);
        r = TRAIN("--resume", "two.safetensors", "--steps", "17");
        ck_assert_msg(r->status == 0, "%s", r->err);
        ck_assert(same_file("one.safetensors", "two.safetensors"));
        ck_assert_ptr_nonnull(strstr(r->out, table)); /* and so are the scores, the baselines' too */
    }
    ck_assert_int_eq(unsetenv("TG_THREADS"), 0);
}
END_TEST

START_TEST(a_run_that_stopped_goes_on_to_its_schedules_end)
{
    char text[600];
    for (int i = 0; i < 600; i++)
        text[i] = "abcde fgh"[i * i % 9];
    write_file("a.txt", text, sizeof text);
#define TEXT "--text", "a.txt", "--sample", "9"
    TRAIN(SMALL, TEXT, "--context", "8", "--schedule", "20", "--save", "one.safetensors");
    TRAIN(SMALL, TEXT, "--context", "8", "--schedule", "20", "--steps", "5", "--save", "two.safetensors");
    const run *r = TRAIN(TEXT, "--resume", "two.safetensors");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_ptr_nonnull(strstr(r->out, "15/15"));
    ck_assert(same_file("one.safetensors", "two.safetensors"));
    r = TRAIN(TEXT, "--resume", "two.safetensors"); /* nothing is left: it only looks */
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_null(strstr(r->out, "saved"));
    r = TRAIN(TEXT, "--resume", "two.safetensors", "--batch", "8", "--steps", "1");
    ck_assert_int_eq(r->status, 0);
#undef TEXT
}
END_TEST

/* ---- a text ---- */

/* "abab...": 200 characters, of which 180 are for training: a and b 90 times each, 90 times ab, 89 times ba. One
 * character follows each, so P(b|a) = (90 + 1/2) / (90 + 1), P(a|b) = (89 + 1/2) / (89 + 1). The held-out 20 give 9
 * pieces of 2, with 9 pairs of each kind. */
START_TEST(the_baselines_of_a_text_are_right)
{
    char text[200];
    for (int i = 0; i < 200; i++)
        text[i] = i % 2 ? 'b' : 'a';
    write_file("abab.txt", text, sizeof text);
    const run *r = TRAIN(SMALL, "--text", "abab.txt", "--context", "2", "--steps", "40", "--sample", "9");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_ptr_nonnull(strstr(r->out, "held-out text, 18 characters"));
    ck_assert_double_eq_tol(after(r->out, "uniform: ln 2"), log(2), 6e-5);
    ck_assert_double_eq_tol(after(r->out, "the one before)"), -(log(90.5 / 91) + log(89.5 / 90)) / 2, 6e-5);
    ck_assert_double_lt(after(strstr(r->out, "held-out"), "  attention "), 0.1);
}
END_TEST

START_TEST(characters_are_those_of_utf8)
{
    const char line[] = "αβγδ 日本 é→\n";
    char text[2000];
    for (size_t i = 0; i < 50; i++)
        memcpy(text + i * (sizeof line - 1), line, sizeof line - 1);
    write_file("unicode.txt", text, 50 * (sizeof line - 1));
    const run *r = TRAIN(SMALL, "--text", "unicode.txt", "--context", "8", "--steps", "1", "--sample", "5");
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_nonnull(strstr(r->out, "550 characters, 10 different ones"));
    text[1] = 'x'; /* no longer UTF-8: every byte is a character */
    write_file("unicode.txt", text, 50 * (sizeof line - 1));
    r = TRAIN(SMALL, "--text", "unicode.txt", "--context", "8", "--steps", "1", "--sample", "5");
    ck_assert_int_eq(r->status, 0);
    ck_assert_ptr_nonnull(strstr(r->out, "1100 characters"));
}
END_TEST

/* ---- wrong input ---- */

START_TEST(wrong_usage_is_one_line_and_status_2)
{
    want_one_line(TRAIN("--bogus"), USAGE, "--bogus");
    want_one_line(TRAIN("file.txt"), USAGE, "file.txt");
    want_one_line(TRAIN("--steps"), USAGE, "--steps");
    want_one_line(TRAIN("--steps", "ten"), USAGE, "'ten'");
    want_one_line(TRAIN("--steps", "-1"), USAGE, "--steps");
    want_one_line(TRAIN("--batch", "0"), USAGE, "--batch");
    want_one_line(TRAIN("--lr", "nan"), USAGE, "--lr");
    want_one_line(TRAIN("--lr", "1e999"), USAGE, "--lr");
    want_one_line(TRAIN("--context", "8"), USAGE, "--text");
    want_one_line(TRAIN("--save", ""), USAGE, "--save");
    want_one_line(TRAIN("--save-every", "0"), USAGE, "--save-every");
    ck_assert_int_eq(TRAIN("--help")->status, 0);
}
END_TEST

START_TEST(what_cannot_hold_the_run_is_refused_before_training)
{
    static const char notes[] = "my notes\n", model[] = "\x08\0\0\0\0\0\0\0{}      ";
    size_t n;
    write_file("notes.txt", notes, sizeof notes);
    write_file("model.safetensors", model, 16);
    write_file("empty", "", 0);
    want_one_line(TRAIN("--save", "/dev/null"), FAILURE, "/dev/null");
    want_one_line(TRAIN("--save", "notes.txt"), FAILURE, "notes.txt: it holds something that this program did not");
    want_one_line(TRAIN("--save", "model.safetensors"), FAILURE, "it holds something that this program did not save");
    ck_assert(!memcmp(file_bytes("notes.txt", &n), notes, sizeof notes) && n == sizeof notes);
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "1", "--save", "empty")->status, 0);
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "1", "--save", "empty")->status, 0);
    ck_assert_int_eq(chmod(in_folder("empty"), 0400), 0);
    want_one_line(TRAIN("--save", "empty"), FAILURE, "read-only");
}
END_TEST

START_TEST(output_that_cannot_be_written_is_said)
{
    int full = open("/dev/full", O_WRONLY), err = open(in_folder("err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    char text[400];
    if (full < 0)
        return; /* no Linux */
    ck_assert_int_eq(status_of(start((const char *const[]){"--help", NULL}, full, err)), FAILURE);
    lseek(err, 0, SEEK_SET);
    read_all(err, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "No space left"));
    err = open(in_folder("err"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_eq(status_of(start((const char *const[]){SMALL, "--steps", "1", "--save", "full", NULL}, full, err)),
                     FAILURE);
    lseek(err, 0, SEEK_SET);
    read_all(err, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "could not write the output"));
    close(full);
    want_count("full", 1); /* but the run was saved */
}
END_TEST

START_TEST(an_unusable_text_is_one_line_and_status_1)
{
    write_file("empty.txt", "", 0);
    write_file("short.txt", "To be", 5);
    want_one_line(TRAIN("--text", "missing.txt"), FAILURE, "missing.txt");
    want_one_line(TRAIN("--text", "."), FAILURE, "directory");
    want_one_line(TRAIN("--text", "empty.txt"), FAILURE, "empty");
    want_one_line(TRAIN("--text", "short.txt"), FAILURE, "5 characters");
    want_one_line(TRAIN("--save", "missing/x.safetensors"), FAILURE, "missing/x.safetensors");
    want_one_line(TRAIN("--save", "."), FAILURE, "not a regular file");
}
END_TEST

START_TEST(unusable_weights_are_one_line_and_overwrite_nothing)
{
    static char whole[MOST];
    size_t n;
    ck_assert_int_eq(TRAIN(SMALL, "--steps", "1", "--save", "good.safetensors")->status, 0);
    memcpy(whole, file_bytes("good.safetensors", &n), MOST);
    write_file("bad.safetensors", whole, n - 1);
    want_one_line(TRAIN("--resume", "missing.safetensors"), FAILURE, "missing.safetensors");
    want_one_line(TRAIN(SMALL, "--resume", "bad.safetensors", "--save", "good.safetensors"), FAILURE,
                  "bad.safetensors");
    whole[0]++; /* the length of the header */
    write_file("bad.safetensors", whole, n);
    want_one_line(TRAIN(SMALL, "--resume", "bad.safetensors", "--save", "good.safetensors"), FAILURE,
                  "bad.safetensors");
    want_one_line(TRAIN("--resume", "good.safetensors", "--channels", "16"), FAILURE, "shape");
    whole[0]--;
    write_file("before.safetensors", whole, n);
    ck_assert(same_file("good.safetensors", "before.safetensors"));
}
END_TEST

START_TEST(weights_of_another_text_are_refused)
{
    char text[400];
    memset(text, 'x', sizeof text);
    text[0] = 'a';
    write_file("ax.txt", text, sizeof text);
    text[0] = 'b';
    write_file("bx.txt", text, sizeof text);
    ck_assert_int_eq(
        TRAIN(SMALL, "--text", "ax.txt", "--context", "4", "--steps", "1", "--save", "ax.safetensors")->status, 0);
    want_one_line(TRAIN(SMALL, "--text", "bx.txt", "--context", "4", "--resume", "ax.safetensors"), FAILURE,
                  "other characters");
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 2; i++) { /* in the part to learn, and in the one that is held out: one character elsewhere */
        text[5 + 390 * i] = 'a';
        write_file("xa.txt", text, sizeof text);
        want_one_line(TRAIN(SMALL, "--text", "xa.txt", "--context", "4", "--resume", "ax.safetensors"), FAILURE,
                      "ax.safetensors is a run on another text than xa.txt");
        text[5 + 390 * i] = 'x';
    }
}
END_TEST

START_TEST(a_profile_is_shown_when_asked_for)
{
    const run *r = TRAIN("--profile", "--steps", "2", "--save", "profile.safetensors");
    ck_assert_msg(r->status == 0 && strstr(r->out, "\n\noperation ") && strstr(r->out, "\nadamw "), "%s", r->out);
    ck_assert_ptr_null(strstr(TRAIN("--steps", "2", "--save", "profile.safetensors")->out, "\noperation "));
}
END_TEST

START_TEST(no_steps_save_nothing)
{
    const run *r = TRAIN(SMALL, "--steps", "0", "--save", "none.safetensors");
    ck_assert_int_eq(r->status, 0);
    ck_assert_int_ne(access(in_folder("none.safetensors"), F_OK), 0);
}
END_TEST

/* ---- an interrupt ---- */

static void nap(void) { nanosleep(&(struct timespec){0, 20000000}, NULL); }

/* Stopped by a signal while it trains, which the first file that it saves shows; then it goes on to the very end of a
 * run that was not. */
static void stop_with(int signal_number) {
    int out[2];
    static char text[MOST];
    ck_assert_int_eq(pipe(out), 0);
    unlink(in_folder("stopped.safetensors"));
    pid_t child = start((const char *const[]){SMALL, "--steps", "100000", "--schedule", "100000", "--save",
                                              "stopped.safetensors", "--save-every", "10", NULL},
                        out[1], 2);
    close(out[1]);
    while (access(in_folder("stopped.safetensors"), F_OK))
        nap();
    ck_assert_int_eq(kill(child, signal_number), 0);
    read_all(out[0], text, sizeof text);
    ck_assert_int_eq(status_of(child), 128 + signal_number);
    const char *saved = strstr(text, "saved stopped.safetensors after ");
    ck_assert_msg(saved != NULL, "%s", text);
    char steps[24];
    snprintf(steps, sizeof steps, "%lld", strtoll(saved + strlen("saved stopped.safetensors after "), NULL, 10) + 5);
    TRAIN("--resume", "stopped.safetensors", "--steps", "5", "--save", "on.safetensors");
    TRAIN(SMALL, "--schedule", "100000", "--steps", steps, "--save", "whole.safetensors");
    ck_assert(same_file("on.safetensors", "whole.safetensors"));
}

START_TEST(an_interrupt_saves_and_says_so)
{
    stop_with(SIGINT);
    stop_with(SIGTERM);
    stop_with(SIGHUP);
}
END_TEST

START_TEST(it_saves_on_the_way)
{
    int out = open("/dev/null", O_WRONLY);
    pid_t child =
        start((const char *const[]){SMALL, "--steps", "100000", "--save-every", "3", "--save", "way.safetensors", NULL},
              out, 2);
    while (access(in_folder("way.safetensors"), F_OK))
        nap();
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(status_of(child), -1);
    close(out);
    const run *r = TRAIN("--resume", "way.safetensors", "--steps", "0");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_int_eq((int)after(r->out, "safetensors, after ") % 3, 0);
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {attention_solves_what_nothing_else_can,
                                  same_seed_same_bytes,
                                  an_unusable_environment_is_one_line,
                                  training_goes_on_from_a_file,
                                  steps_in_two_processes_are_those_of_one,
                                  a_run_that_stopped_goes_on_to_its_schedules_end,
                                  what_cannot_hold_the_run_is_refused_before_training,
                                  output_that_cannot_be_written_is_said,
                                  the_baselines_of_a_text_are_right,
                                  characters_are_those_of_utf8,
                                  wrong_usage_is_one_line_and_status_2,
                                  an_unusable_text_is_one_line_and_status_1,
                                  unusable_weights_are_one_line_and_overwrite_nothing,
                                  weights_of_another_text_are_refused,
                                  a_profile_is_shown_when_asked_for,
                                  no_steps_save_nothing,
                                  an_interrupt_saves_and_says_so,
                                  it_saves_on_the_way};
    return run_program_tests(argv[0], "train", "train_program", tests, sizeof tests / sizeof *tests);
}
