/* The settings of a training, and the presets. */
#include "examples/gpt/training.h"

#include <string.h>
#include <sys/stat.h>

typedef struct preset {
    const char *name;
    gpt_config model;
    int64_t batch, schedule, warmup;
    double lr;
} preset;

static const preset presets[] = {
    {"cpu", {.family = GPT_2, .context = 64, .layers = 4, .heads = 4, .width = 128}, 12, 2000, 100, 1e-3},
    {"llama", {.family = LLAMA, .context = 64, .layers = 4, .heads = 4, .width = 128}, 12, 2000, 100, 4e-3},
    {"long", {.family = GPT_2, .context = 1024, .layers = 4, .heads = 4, .width = 128}, 1, 2000, 100, 1e-3},
};

static void use_preset(settings *s, const char *name) {
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
        if (!strcmp(presets[i].name, name)) {
            const preset *p = &presets[i];
            s->model = p->model;
            s->batch = p->batch;
            s->schedule = p->schedule;
            s->warmup = p->warmup;
            s->lr = p->lr;
            return;
        }
    usage("--preset", "wants cpu, llama or long");
}

int settings_read(const command *line, settings *s, option *all) {
    const option table[] = {
        {"--text", WORD, &s->text, 0, 0, false},
        {"--tokens", WORD, &s->tokens, 0, 0, false},
        {"--val", WORD, &s->val, 0, 0, false},
        {"--id-bytes", INTEGER, &s->id_bytes, 2, 4, false},
        {"--vocabulary", INTEGER, &s->vocabulary, 1, 1 << 24, false},
        {"--bpe", INTEGER, &s->bpe, SMALLEST_BPE, SMALLEST_BPE + BPE_MAX_MERGES, false},
        {"--merges", WORD, &s->merges, 0, 0, false},
        {"--preset", WORD, &s->preset, 0, 0, false},
        {"--layers", INTEGER, &s->model.layers, 1, GPT_MAX_LAYERS, false},
        {"--heads", INTEGER, &s->model.heads, 1, 4096, false},
        {"--kv-heads", INTEGER, &s->model.kv_heads, 1, 4096, false},
        {"--width", INTEGER, &s->model.width, 1, 65536, false},
        {"--context", INTEGER, &s->model.context, 2, 1 << 20, false},
        {"--dropout", NUMBER, &s->model.dropout, 0, 0.99, false},
        {"--batch", INTEGER, &s->batch, 1, 65536, false},
        {"--schedule", INTEGER, &s->schedule, 1, 1e9, false},
        {"--steps", INTEGER, &s->steps, 0, 1e9, false},
        {"--lr", NUMBER, &s->lr, 1e-8, 10, false},
        {"--warmup", INTEGER, &s->warmup, 0, 1e9, false},
        {"--seed", INTEGER, &s->seed, 0, 9e15, false},
        {"--eval-every", INTEGER, &s->eval_every, 1, 1e9, false},
        {"--save", WORD, &s->save, 0, 0, false},
        {"--save-every", INTEGER, &s->save_every, 1, 1e9, false},
        {"--resume", WORD, &s->resume, 0, 0, false},
        {"--init", WORD, &s->init, 0, 0, false},
        {"--profile", FLAG, &s->profile, 0, 0, false},
        {"--report", WORD, &s->report, 0, 0, false},
    };
    const int n = (int)(sizeof table / sizeof *table);
    memcpy(all, table, sizeof table);
    for (int i = 0; i < line->n_more; i++)
        all[n + i] = line->more[i];
    options_read(line->argc, line->argv, line->help, all, n + line->n_more);
    return n;
}

/* llama's hidden width is two thirds of gpt's, so that its three matrices are as large as gpt's two. */
static void derive_hidden(gpt_config *m) {
    m->hidden = m->family == LLAMA ? (8 * m->width / 3 + 31) / 32 * 32 : 4 * m->width;
}

/* Checks that there is one source of tokens, and its options. */
static void check_sources(const settings *s) {
    if (!s->text == !s->tokens)
        usage("train", "wants one of --text and --tokens");
    if (s->text && (s->val || s->vocabulary))
        usage(s->val ? "--val" : "--vocabulary", "needs --tokens");
    if (s->tokens && s->bpe)
        usage("--bpe", "needs --text");
    if (s->tokens && !s->vocabulary && !s->merges && !s->resume && !s->init)
        usage("--tokens", "needs --vocabulary or --merges");
}

/* Sizes must match those of weights from a file; only the context may grow, with rotary positions, which are no
 * weights. */
static void check_sizes(const settings *s, const gpt_config *file) {
    const gpt_config *m = &s->model;
    const struct {
        const char *option;
        int64_t asked, there;
    } size[] = {{"--layers", m->layers, file->layers},
                {"--heads", m->heads, file->heads},
                {"--kv-heads", gpt_kv_heads(m), gpt_kv_heads(file)},
                {"--width", m->width, file->width},
                {"--context", m->context, m->family == LLAMA ? m->context : file->context}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (size[i].asked != size[i].there)
            die("%s %lld does not fit the model in %s, which has %lld", size[i].option, (long long)size[i].asked,
                s->resume ? s->resume : s->init, (long long)size[i].there);
}

settings settings_of(const command *line) {
    settings s = {.preset = "cpu", .steps = -1, .seed = 1337, .eval_every = 250, .id_bytes = 2};
    option all[SETTINGS_MOST];
    int n = settings_read(line, &s, all);
    struct stat build;
    check_sources(&s);
    if (s.resume && (option_given(all, n, "--preset") || s.init))
        usage("--resume", "takes its model from the file: no --preset, no --init");
    if ((s.resume || s.init) && (s.bpe || s.merges))
        usage(s.bpe ? "--bpe" : "--merges", "is for a new model; the file's has its own tokens");
    if (s.bpe && s.merges)
        usage("--bpe", "and --merges exclude each other");
    if (!s.save)
        s.save = s.resume                                               ? s.resume
                 : stat("build", &build) == 0 && S_ISDIR(build.st_mode) ? "build/gpt.safetensors"
                                                                        : "gpt.safetensors";
    if (s.resume || s.init)
        s.model = checkpoint_config(s.resume ? s.resume : s.init);
    gpt_config of_file = s.model;
    if (!s.resume)
        use_preset(&s, s.preset);
    if (s.init)
        s.model = of_file;
    else if (!s.resume)
        derive_hidden(&s.model);
    int64_t width = s.model.width;
    (void)settings_read(line, &s, all); /* override the preset's */
    if (s.resume || s.init)
        check_sizes(&s, &of_file);
    if (s.model.width != width)
        derive_hidden(&s.model);
    if (s.model.kv_heads == s.model.heads)
        s.model.kv_heads = 0;
    return s;
}
