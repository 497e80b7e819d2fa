/* What holds for every program of the examples: output that cannot be written is an error, as are files that may not
 * grow; no name of a file, of a tensor in one, or on the command line reaches the terminal as it is. */
#include "tests/io/names.h"
#include "tests/io/program.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILURE = 1, ARGUMENTS = 20 };
#define TINY "--layers", "1", "--heads", "1", "--width", "4", "--batch", "2", "--context", "8", "--steps", "1"
#define SMALL "--channels", "4", "--batch", "2", "--steps", "1"

static const char *const programs[] = {
#define X(name) name,
#include "programs_list.h"
#undef X
};
enum { N_PROGRAMS = sizeof programs / sizeof *programs };

/* ---- files for them ---- */

static void write_text(const char *name) {
    char text[1001];
    for (int i = 0; i < 1000; i++)
        text[i] = "ape pear\nrape "[i * i % 14];
    write_file(name, text, 1000);
}

static void make_files(void) {
    write_text("text");
    write_file("expected", "000 [1] x\n1.\n\n", 14);
    use_program("gpt");
    ck_assert_int_eq(RUN("train", "--text", "text", TINY, "--save", "model")->status, 0);
    ck_assert_int_eq(RUN("train", "--text", "text", TINY, "--context", "32", "--bpe", "260", "--save", "pairs")->status,
                     0);
    ck_assert_int_eq(RUN("train", "--text", "text", "--preset", "llama", "--layers", "1", "--heads", "1", "--width",
                         "4", "--steps", "1", "--context", "8", "--save", "llama")
                         ->status,
                     0);
}

/* ---- output that cannot be written ---- */

typedef struct call {
    const char *program, *argument[ARGUMENTS];
} call;

/* A program that is not here is called without arguments. encoder wants a model: its own suite has one. */
static const call calls[] = {{"backward", {NULL}},
                             {"backward", {"--help"}},
                             {"backward", {"graph.svg"}},
                             {"train", {"--help"}},
                             {"train", {SMALL, "--save", "a"}},
                             {"train", {SMALL, "--save", "b", "--text", "text", "--context", "4", "--sample", "9"}},
                             {"gpt", {"--help"}},
                             {"gpt", {"train", "--help"}},
                             {"gpt", {"train", "--text", "text", TINY, "--save", "c"}},
                             {"gpt", {"sample", "model", "--tokens", "9"}},
                             {"gpt", {"eval", "model", "--text", "text"}},
                             {"gpt", {"encode", "--text", "text", "--model", "model", "--out", "ids"}},
                             {"gpt", {"info", "model"}},
                             {"gpt", {"info", "pairs", "--merges", "merges"}},
                             {"gpt", {"export", "llama", "--out", "exported"}},
                             {"encoder", {"--help"}},
                             {"encoder", {"finetune", "--help"}},
                             {"gallery/vit", {"--help"}}, /* which train for seconds */
                             {"gallery/recurrence", {"--help"}},
                             {"gallery/llama", {"--help"}},
                             {"seeds/1_simple_attention", {"--help"}},
                             {"seeds/1_simple_attention", {NULL}},
                             {"seeds/7_scale_run", {"--help"}}, /* which computes for a minute */
                             {"seeds/check", {"expected", "expected"}}};

/* Neither its status nor what it says leaves it unsaid. */
static void want_full_said(const char *program, const char *const *arguments) {
    char said[4096];
    int full = open("/dev/full", O_WRONLY), err = open(in_folder("said"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    use_program(program);
    int status = status_of(start(arguments, full, err));
    close(full);
    lseek(err, 0, SEEK_SET);
    read_all(err, said, sizeof said);
    ck_assert_msg(status == FAILURE && *said, "%s %s: status %d, '%s'", program, arguments[0] ? arguments[0] : "",
                  status, said);
}

static bool is_listed(const char *program) {
    for (int i = 0; i < N_PROGRAMS; i++)
        if (!strcmp(programs[i], program))
            return true;
    return false;
}

START_TEST(output_that_cannot_be_written_fails)
{
    int called = 0;
    if (access("/dev/full", W_OK))
        return; /* no Linux */
    make_files();
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        ck_assert_msg(is_listed(calls[i].program), "there is no %s", calls[i].program);
        want_full_said(calls[i].program, calls[i].argument);
    }
    for (int i = 0; i < N_PROGRAMS; i++) {
        bool has_calls = false;
        for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
            has_calls |= !strcmp(calls[k].program, programs[i]);
        if (!has_calls)
            want_full_said(programs[i], calls[0].argument);
        called += !has_calls;
    }
    ck_assert_int_ge(called, 10); /* hello, gradient_penalty, microgpt, newton, sharpness, five of the seeds */
}
END_TEST

/* ---- files that cannot be written ---- */

static int entries(void) {
    int n = 0;
    DIR *d = opendir(in_folder("."));
    ck_assert_ptr_nonnull(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void want_failure(const run *r, const char *says) {
    ck_assert_msg(r->status == FAILURE && strstr(r->err, says), "status %d, '%s'", r->status, r->err);
}

/* A folder has the name that the page has while it is written. */
START_TEST(a_report_that_cannot_be_written_fails)
{
    make_files();
    ck_assert_int_eq(mkdir(in_folder("page.html.part"), 0700), 0);
    use_program("train");
    want_failure(RUN(SMALL, "--save", "kept", "--report", "page.html"), "cannot write a report to page.html");
    want_failure(RUN(SMALL, "--text", "text", "--context", "4", "--save", "kept too", "--report", "page.html"),
                 "cannot write a report to page.html");
    use_program("gpt");
    want_failure(RUN("train", "--text", "text", TINY, "--save", "kept as well", "--report", "page.html"),
                 "cannot write a report to page.html");
    ck_assert(!access(in_folder("kept"), F_OK) && !access(in_folder("kept too"), F_OK) &&
              !access(in_folder("kept as well"), F_OK));
    rmdir(in_folder("page.html.part"));
}
END_TEST

static void want_too_large(size_t bytes, const char *program, const char *const *arguments) {
    int before = entries();
    use_program(program);
    limit_files(bytes);
    const run *r = run_program(arguments);
    limit_files(0);
    ck_assert_msg(r->status == FAILURE && *r->err, "%s %s: status %d, '%s'", program, arguments[0], r->status, r->err);
    ck_assert_msg(entries() == before, "%s %s: %d files, not %d", program, arguments[0], entries(), before);
}
#define WANT_TOO_LARGE(bytes, program, ...) want_too_large(bytes, program, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(files_that_may_not_grow_fail_and_leave_nothing)
{
    enum { LITTLE = 1500, PAGE = 60000 };
    make_files();
    RUN("train", "--text", "text", TINY, "--save", "again");
    mkdir(in_folder("exported"), 0700);
    remove(in_folder("ids"));
    remove(in_folder("merges"));
    remove(in_folder("exported/config.json"));
    remove(in_folder("exported/model.safetensors"));
    WANT_TOO_LARGE(LITTLE, "train", SMALL, "--save", "new");
    WANT_TOO_LARGE(LITTLE, "gpt", "train", "--text", "text", TINY, "--save", "again");
    WANT_TOO_LARGE(LITTLE, "gpt", "encode", "--text", "text", "--model", "model", "--out", "ids");
    WANT_TOO_LARGE(10, "gpt", "info", "pairs", "--merges", "merges");
    WANT_TOO_LARGE(LITTLE, "gpt", "export", "llama", "--out", "exported");
    RUN("train", "--text", "text", TINY, "--save", "kept");
    WANT_TOO_LARGE(PAGE, "gpt", "train", "--text", "text", TINY, "--save", "kept", "--report", "page.html");
    ck_assert(same_file("again", "model"));
}
END_TEST

/* ---- runs of version 0.1.0 ---- */

/* The header's offsets behind `end`, each less by what was cut out there. */
static void write_shifted(FILE *to, const char *header, size_t end, size_t cut) {
    static const char before[] = "\"data_offsets\":[";
    for (const char *at; (at = strstr(header, before)) != NULL;) {
        char *rest;
        at += sizeof before - 1;
        fwrite(header, 1, (size_t)(at - header), to);
        size_t from = strtoul(at, &rest, 10), until = strtoul(rest + 1, &rest, 10);
        fprintf(to, "%zu,%zu", from - (from >= end ? cut : 0), until - (from >= end ? cut : 0));
        header = rest;
    }
    fputs(header, to);
}

/* The run in a file, as that version wrote it, which had no number "digest". */
static void take_digest_away(const char *name) {
    static const char entry[] = ",\"tapegrad.number.digest\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[";
    static char header[MOST];
    size_t n, cut, end;
    uint64_t length;
    const char *bytes = file_bytes(name, &n);
    memcpy(&length, bytes, 8);
    memcpy(header, bytes + 8, length);
    header[length] = '\0';
    char *at = strstr(header, entry), *rest;
    ck_assert_ptr_nonnull(at);
    cut = strtoul(at + sizeof entry - 1, &rest, 10);
    end = strtoul(rest + 1, &rest, 10);
    memmove(at, rest + 2, strlen(rest + 2) + 1);
    FILE *to = fopen(in_folder(name), "wb");
    ck_assert_ptr_nonnull(to);
    fwrite(&length, 8, 1, to);
    write_shifted(to, header, end, end - cut);
    while (ftell(to) < (long)length + 8)
        fputc(' ', to);
    fwrite(bytes + 8 + length, 1, cut, to);
    fwrite(bytes + 8 + length + end, 1, n - 8 - length - end, to);
    ck_assert_int_eq(fclose(to), 0);
}

static void want_going_on(const run *r) {
    ck_assert_msg(r->status == 0 && strstr(r->out, "going on from old run, after 1 steps"), "%s", r->err);
    remove(in_folder("old run"));
}

START_TEST(runs_of_the_first_version_go_on)
{
    make_files();
    RUN("train", "--text", "text", TINY, "--save", "old run");
    take_digest_away("old run");
    want_going_on(RUN("train", "--text", "text", "--resume", "old run", "--steps", "1"));
    use_program("train");
    RUN(SMALL, "--text", "text", "--context", "4", "--save", "old run");
    take_digest_away("old run");
    want_going_on(RUN("--text", "text", "--resume", "old run", "--steps", "1"));
}
END_TEST

/* ---- names ---- */

static void call_with_names(const char *program, const char *const *arguments) {
    use_program(program);
    const run *r = run_program(arguments);
    ck_assert_int_ge(r->status, 0);
    want_printable(r->out, program);
    want_printable(r->err, program);
    ck_assert_msg(strstr(r->out, "left") || strstr(r->err, "left"), "%s %s does not say the name: '%s'", program,
                  arguments[0] ? arguments[0] : "", r->err);
}
#define CALL(program, ...) call_with_names(program, (const char *const[]){__VA_ARGS__, NULL})

/* A file that is not there; a text; where to save; what is no option, command or number. */
static void call_with_name(const char *name) {
    char option[128], page[64], saved[64];
    snprintf(option, sizeof option, "--%s", name);
    snprintf(page, sizeof page, "%s.html", name);
    snprintf(saved, sizeof saved, "%s.saved", name);
    CALL("train", "--text", name);
    CALL("train", "--resume", name);
    CALL("train", option);
    CALL("train", "--steps", name);
    CALL("train", "--save", "nowhere/", "--save", name, "--steps", name);
    CALL("train", SMALL, "--save", saved, "--report", page);
    CALL("train", SMALL, "--resume", saved);
    for (int i = 0; i < 2; i++) {
        const char *command = i ? "train" : "eval";
        CALL("gpt", command, i ? "--resume" : name, i ? name : "--text", i ? "--text" : "text", i ? "text" : NULL);
    }
    CALL("gpt", name);
    CALL("gpt", "train", option);
    CALL("gpt", "train", "--text", "text", "--steps", name);
    CALL("gpt", "train", "--text", name);
    CALL("gpt", "train", "--text", "text", TINY, "--merges", name);
    CALL("gpt", "train", "--text", "text", "--init", name);
    CALL("gpt", "train", "--tokens", name, "--vocabulary", "9");
    CALL("gpt", "sample", name);
    CALL("gpt", "eval", "model", "--text", name);
    CALL("gpt", "eval", "model", "--tokens", name);
    CALL("gpt", "encode", "--text", "text", "--model", "model", "--out", name);
    CALL("gpt", "encode", "--text", "text", "--model", "model", "--out", name); /* it is there now */
    CALL("gpt", "train", "--text", name, TINY, "--save", saved);
    remove(in_folder(name));
    write_text(name);
    CALL("gpt", "train", "--text", name, TINY, "--save", page);
    remove(in_folder(page));
    CALL("gpt", "train", "--text", name, TINY, "--save", name, "--report", page);
    remove(in_folder(page));
    remove(in_folder(saved));
    CALL("gpt", "train", "--text", name, TINY, "--save", saved, "--report", page);
    CALL("gpt", "train", "--text", name, "--steps", "1", "--resume", saved);
    CALL("gpt", "train", "--text", name, TINY, "--init", saved);
    CALL("gpt", "import", name, "--out", "imported");
    CALL("gpt", "import", "text", "--out", name);
    CALL("gpt", "info", name);
    CALL("gpt", "info", "pairs", "--merges", name);
    remove(in_folder(name));
    CALL("gpt", "info", "pairs", "--merges", name);
    remove(in_folder(name));
    CALL("seeds/check", name, "text");
    CALL("gpt", "export", name, "--out", "imported");
    CALL("gpt", "export", "llama", "--out", name);
    CALL("gpt", "export", "llama", "--out", name);
    CALL("encoder", name);
    CALL("encoder", "info", name);
    CALL("encoder", "embed", "model", name);
    snprintf(option, sizeof option, "%s/x.svg", saved);
    CALL("backward", option);
    CALL("seeds/1_simple_attention", name);
    remove(in_folder(page));
    remove(in_folder(saved));
}

START_TEST(names_on_the_command_line)
{
    make_files();
    for (int i = 0; i < N_HOSTILE; i++)
        call_with_name(hostile_names[i]);
}
END_TEST

/* Of tensors, and of files beside ours. */
static void put_into_files(const char *name, bool is_utf8) {
    char path[128];
    tg_tape *t = tg_tape_new(TG_F32);
    (void)tg_parameter(t, name, tg_zeros(t, TG_SHAPE(2, 2)));
    ck_assert_int_eq(tg_save(t, in_folder("foreign")) == TG_OK, is_utf8);
    tg_tape_free(t);
    if (is_utf8)
        CALL("gpt", "info", "foreign");
    mkdir(in_folder("shards"), 0700);
    snprintf(path, sizeof path, "shards/%s", name);
    write_file(path, "\x93NUMPY\1\0xx", 10);
    CALL("gpt", "train", "--tokens", "shards", "--vocabulary", "9");
    remove(in_folder(path));
    rmdir(in_folder("shards"));
}

START_TEST(names_in_files)
{
    for (int i = 0; i < N_HOSTILE; i++)
        put_into_files(hostile_names[i], i < FIRST_NO_UTF8 || i >= END_NO_UTF8);
}
END_TEST

/* A text has lines, and marks that turn it around; but what a terminal obeys it does not get either. */
START_TEST(what_a_model_writes)
{
    make_files();
    for (int i = 0; i < END_NO_UTF8; i++)
        if (!strchr(hostile_names[i], '\n'))
            CALL("gpt", "sample", "pairs", "--prompt", hostile_names[i], "--tokens", "0");
}
END_TEST

/* Environment variables that cannot be honoured are named on stderr. */
START_TEST(names_in_the_environment)
{
    make_files();
    for (int i = 0; i < N_HOSTILE; i++) {
        setenv(i % 2 ? "TG_ISA" : "TG_THREADS", hostile_names[i], 1);
        CALL("train", SMALL, "--save", "b");
        CALL("gpt", "info", "model");
        unsetenv(i % 2 ? "TG_ISA" : "TG_THREADS");
    }
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {output_that_cannot_be_written_fails,
                                  a_report_that_cannot_be_written_fails,
                                  files_that_may_not_grow_fail_and_leave_nothing,
                                  runs_of_the_first_version_go_on,
                                  names_on_the_command_line,
                                  names_in_files,
                                  what_a_model_writes,
                                  names_in_the_environment};
    return run_program_tests(argv[0], "gpt", "every_program", tests, sizeof tests / sizeof *tests);
}
