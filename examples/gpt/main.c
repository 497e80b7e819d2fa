/* A GPT from the command line: train it on a text, let it write, measure it, look at what a file holds. */
#include "examples/gpt/gpt.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: gpt COMMAND [options]\n"
    "\n"
    "  gpt train --text FILE      train a model on a text\n"
    "  gpt sample CHECKPOINT      let it write\n"
    "  gpt eval CHECKPOINT        measure its loss on a text\n"
    "  gpt encode --text FILE     make a file of token ids\n"
    "  gpt info CHECKPOINT        what a file holds\n"
    "\n"
    "gpt COMMAND --help tells more. TG_THREADS sets the number of threads.\n"
    "Exit status: 0 done, 1 a file or the training failed, 2 wrong usage, 128 + N ended by signal "
    "N.\n";

/* ---- failing ---- */

_Noreturn void die(const char *format, ...) {
    va_list args;
    fflush(stdout);
    fputs("gpt: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(FAILED);
}

_Noreturn void usage(const char *what, const char *why) {
    fflush(stdout);
    fprintf(stderr, "gpt: %s %s; --help tells more\n", what, why);
    exit(USAGE);
}

void must(tg_tape *t, tg_status status) {
    if (status || tg_tape_status(t))
        die("%s", t ? tg_error(t) : "out of memory");
}

void *must_allocate(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    if (!block)
        die("out of memory");
    return block;
}

void must_flush(void) {
    if (fflush(stdout) || ferror(stdout))
        die("could not write the output: %s", strerror(errno));
}

/* ---- options ---- */

static double number_of(const gpt_option *o, const char *text) {
    char *end, why[128];
    errno = 0;
    double x = strtod(text, &end);
    if (end != text && !*end && !errno && x >= o->low && x <= o->high)
        return x;
    snprintf(why, sizeof why, "wants a number from %g to %g, not '%.40s'", o->low, o->high, text);
    usage(o->name, why);
}

static int64_t integer_of(const gpt_option *o, const char *text) {
    char *end, why[128];
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && (double)x >= o->low && (double)x <= o->high)
        return x;
    snprintf(why, sizeof why, "wants a whole number from %.0f to %.0f, not '%.40s'", o->low, o->high, text);
    usage(o->name, why);
}

static void set(gpt_option *o, const char *text) {
    o->given = true;
    if (o->kind == FLAG)
        *(bool *)o->value = true;
    else if (o->kind == INTEGER)
        *(int64_t *)o->value = integer_of(o, text);
    else if (o->kind == NUMBER)
        *(double *)o->value = number_of(o, text);
    else
        *(const char **)o->value = text;
}

static gpt_option *find(gpt_option *all, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    return NULL;
}

bool gpt_option_given(const gpt_option *all, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(all[i].name, name))
            return all[i].given;
    return false;
}

void gpt_options_read(int argc, char **argv, const char *text, gpt_option *all, int n) {
    for (int i = 1; i < argc; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1];
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(text, stdout);
            must_flush();
            exit(DONE);
        }
        gpt_option *o = find(all, n, is_option ? argv[i] : "");
        if (!o)
            usage(argv[i], is_option ? "is no option" : "is one argument too many");
        if (!is_option && o->given)
            usage(argv[i], "is one argument too many");
        if (is_option && o->kind != FLAG && ++i == argc)
            usage(argv[i - 1], "wants a value");
        set(o, argv[i]);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } command[] = {
        {"train", gpt_train}, {"sample", gpt_sample}, {"eval", gpt_eval}, {"encode", gpt_encode}, {"info", gpt_info}};
    if (*tg_warning())
        fprintf(stderr, "gpt: %s\n", tg_warning());
    for (size_t i = 0; argc > 1 && i < sizeof command / sizeof *command; i++)
        if (!strcmp(argv[1], command[i].name)) {
            int status = command[i].run(argc - 1, argv + 1);
            must_flush();
            return status;
        }
    if (argc > 1 && argv[1][0] != '-')
        usage(argv[1], "is no command");
    gpt_options_read(argc, argv, help, NULL, 0);
    usage("gpt", "wants a command: train, sample, eval, encode or info");
}
