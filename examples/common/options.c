#include "examples/common/options.h"
#include "examples/common/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "usage: train [options]\n"
    "\n"
    "Trains a single-head causal attention layer: checks its gradient, trains, shows what it looks at, and\n"
    "saves the weights. Without --text the task is built in: \"Ann tea Bob pie ... Bob ->\" who eats what?\n"
    "\n"
    "  --text FILE        train on this text, character by character; the last tenth is held out\n"
    "  --steps N          training steps to make now (as many as --schedule still has); 0 only looks\n"
    "  --schedule N       steps that the learning rate takes up and down again; then it stays low\n"
    "                     (400; with --text 1000)\n"
    "  --batch N          sentences, or pieces of text, in a step (32)\n"
    "  --channels N       width of the model (32; with --text 64)\n"
    "  --lr X             AdamW's learning rate at its highest (0.01)\n"
    "  --seed N           for the first weights and the order of the data (123)\n"
    "  --save FILE        where the weights go, as safetensors (the file given to --resume, else\n"
    "                     build/recall.safetensors or build/text.safetensors; without build/ when there is none)\n"
    "  --save-every N     save after every N steps, too\n"
    "  --resume FILE      go on with the run in this file, on the same text, as if it had never stopped: its schedule,\n"
    "                     batch, rate and seed are taken over where they are not given\n"
    "  --report FILE      write a page for the browser: the loss, what attention looks at with a slider through\n"
    "                     the training, gradients and updates, the graph of a step, where its time goes\n"
    "  --context N        with --text: characters that attention looks back over (64)\n"
    "  --sample N         with --text: characters to write at the end (500)\n"
    "  --temperature X    with --text: how daring the sample is; below 1 less, above 1 more (0.8)\n"
    "  --profile          after training, show what each operation's time and speed were\n"
    "  --help             this text\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the training after the present step and save. NO_COLOR=1 turns colours off.\n"
    "Exit status: 0 done, 1 a file or the training failed, 2 wrong usage, 130 ended by Ctrl-C, 143 by SIGTERM,\n"
    "129 by SIGHUP.\n";

static _Noreturn void usage(const char *option, const char *why) {
    say(stderr, "train: %s %s; --help lists the options", option, why);
    exit(2);
}

static double number(const char *option, const char *text, double low, double high) {
    char *end, why[128];
    errno = 0;
    double x = strtod(text, &end);
    if (end != text && !*end && !errno && x >= low && x <= high)
        return x;
    snprintf(why, sizeof why, "wants a number from %g to %g, not '%.40s'", low, high, text);
    usage(option, why);
}

static int64_t integer(const char *option, const char *text, int64_t low, int64_t high) {
    char *end, why[128];
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && x >= low && x <= high)
        return x;
    snprintf(why, sizeof why, "wants a whole number from %lld to %lld, not '%.40s'", (long long)low, (long long)high,
             text);
    usage(option, why);
}

static const char *file(const char *option, const char *text) {
    if (!*text)
        usage(option, "wants the name of a file");
    return text;
}

/* One option and its value. */
static void set(options *o, const char *option, const char *value) {
    if (!strcmp(option, "--text"))
        o->text = file(option, value);
    else if (!strcmp(option, "--resume"))
        o->resume = file(option, value);
    else if (!strcmp(option, "--save"))
        o->save = file(option, value);
    else if (!strcmp(option, "--report"))
        o->report = file(option, value);
    else if (!strcmp(option, "--steps"))
        o->steps = integer(option, value, 0, 100000000);
    else if (!strcmp(option, "--schedule"))
        o->schedule = integer(option, value, 1, 100000000);
    else if (!strcmp(option, "--save-every"))
        o->save_every = integer(option, value, 1, 100000000);
    else if (!strcmp(option, "--batch"))
        o->batch = integer(option, value, 1, 4096);
    else if (!strcmp(option, "--context"))
        o->context = integer(option, value, 2, 4096);
    else if (!strcmp(option, "--channels"))
        o->channels = integer(option, value, 1, 4096);
    else if (!strcmp(option, "--lr"))
        o->lr = number(option, value, 1e-8, 10);
    else if (!strcmp(option, "--seed"))
        o->seed = integer(option, value, 0, INT64_MAX);
    else if (!strcmp(option, "--sample"))
        o->sample = integer(option, value, 0, 1000000);
    else
        o->temperature = number(option, value, 0.01, 100);
}

static bool is_one_of(const char *option, const char *const *names) {
    for (; *names; names++)
        if (!strcmp(option, *names))
            return true;
    return false;
}

static void set_defaults(options *o) {
    struct stat s;
    bool has_build = stat("build", &s) == 0 && S_ISDIR(s.st_mode);
    const char *fresh = o->text ? "build/text.safetensors" : "build/recall.safetensors";
    if (!o->save)
        o->save = o->resume ? o->resume : has_build ? fresh : strchr(fresh, '/') + 1;
    if (o->schedule < 0)
        o->schedule = o->text ? 1000 : 400;
    if (o->channels < 0)
        o->channels = o->text ? 64 : 32;
}

static _Noreturn void show_help(void) {
    fputs(help, stdout);
    exit(output_end("train", 0));
}

/* Options that have no value. */
static bool set_flag(options *o, const char *option) {
    if (!strcmp(option, "--help") || !strcmp(option, "-h"))
        show_help();
    if (strcmp(option, "--profile") != 0)
        return false;
    o->profile = true;
    return true;
}

void options_override(options *o) {
    for (int i = 1; i < o->argc; i++)
        if (!set_flag(o, o->argv[i])) {
            set(o, o->argv[i], o->argv[i + 1]);
            i++;
        }
}

options options_read(int argc, char **argv) {
    static const char *const all[] = {"--text",   "--resume",      "--save",     "--report",     "--steps",
                                      "--batch",  "--channels",    "--lr",       "--seed",       "--context",
                                      "--sample", "--temperature", "--schedule", "--save-every", NULL};
    static const char *const for_text[] = {"--context", "--sample", "--temperature", NULL};
    const char *needs_text = NULL;
    options o = {.argc = argc,
                 .argv = argv,
                 .steps = -1,
                 .schedule = -1,
                 .channels = -1,
                 .batch = 32,
                 .context = 64,
                 .lr = 0.01,
                 .seed = 123,
                 .sample = 500,
                 .temperature = 0.8};
    for (int i = 1; i < argc; i++) {
        if (set_flag(&o, argv[i]))
            continue;
        if (!is_one_of(argv[i], all))
            usage(argv[i], "is no option");
        if (i + 1 == argc)
            usage(argv[i], "wants a value");
        if (is_one_of(argv[i], for_text))
            needs_text = argv[i];
        set(&o, argv[i], argv[i + 1]);
        i++;
    }
    if (needs_text && !o.text)
        usage(needs_text, "needs --text");
    set_defaults(&o);
    return o;
}
