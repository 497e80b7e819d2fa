#include "examples/common/train_options.h"
#include "examples/common/must.h"
#include "examples/common/options.h"

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

enum { MOST_OPTIONS = 16 };

/* Sets the fields of o given on the command line. Returns the number of options. */
static int read_line(train_options *o, option all[MOST_OPTIONS]) {
    const option table[] = {
        {"--text", FILE_NAME, &o->text, 0, 0, false},
        {"--resume", FILE_NAME, &o->resume, 0, 0, false},
        {"--save", FILE_NAME, &o->save, 0, 0, false},
        {"--report", FILE_NAME, &o->report, 0, 0, false},
        {"--steps", INTEGER, &o->steps, 0, 1e8, false},
        {"--schedule", INTEGER, &o->schedule, 1, 1e8, false},
        {"--save-every", INTEGER, &o->save_every, 1, 1e8, false},
        {"--batch", INTEGER, &o->batch, 1, 4096, false},
        {"--context", INTEGER, &o->context, 2, 4096, false},
        {"--channels", INTEGER, &o->channels, 1, 4096, false},
        {"--lr", NUMBER, &o->lr, 1e-8, 10, false},
        {"--seed", INTEGER, &o->seed, 0, 9e18, false},
        {"--sample", INTEGER, &o->sample, 0, 1e6, false},
        {"--temperature", NUMBER, &o->temperature, 0.01, 100, false},
        {"--profile", FLAG, &o->profile, 0, 0, false},
    };
    const int n = (int)(sizeof table / sizeof *table);
    memcpy(all, table, sizeof table);
    options_read(o->argc, o->argv, help, all, n);
    return n;
}

static void check_text(const train_options *o, const option *all, int n) {
    static const char *const for_text[] = {"--context", "--sample", "--temperature"};
    for (int i = 0; i < 3 && !o->text; i++)
        if (option_given(all, n, for_text[i]))
            usage(for_text[i], "needs --text");
}

static void set_defaults(train_options *o) {
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

void train_options_override(train_options *o) {
    option all[MOST_OPTIONS];
    (void)read_line(o, all);
}

train_options train_options_read(int argc, char **argv) {
    train_options o = {.argc = argc,
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
    option all[MOST_OPTIONS];
    int n = read_line(&o, all);
    check_text(&o, all, n);
    set_defaults(&o);
    return o;
}
