#include "examples/gpt/page.h"
#include "examples/common/corpus.h"
#include "examples/common/output.h"
#include "examples/common/report.h"
#include "examples/common/terminal.h"
#include "examples/common/text_file.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/sampler.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 512, MEASURED = 4096 }; /* tokens in a map; held-out tokens measured for the curve */

/* A token's name on the axes of a map, truncated. */
typedef struct token_label {
    char s[24];
} token_label;

typedef struct head_label {
    char s[40];
} head_label;

struct page {
    report *report;
    const char *path;
    const checkpoint *c;
    const tokens *held_out;
    int64_t T, ids[SHOWN];
    int n_maps, all_maps;
    token_label token[SHOWN];
    const char *token_name[SHOWN];
    head_label head[REPORT_MAPS];
    const char *head_name[REPORT_MAPS];
};

/* ---- names ---- */

/* A token may end within a character: the rest is shown as bytes. Returns the bytes consumed. */
static size_t put_character(token_label *label, const unsigned char *s, size_t left) {
    size_t used = strlen(label->s), room = sizeof label->s - used;
    int32_t code;
    size_t n = (size_t)corpus_decode(s, left, &code);
    if (n > 0 && code > ' ' && code != 127)
        snprintf(label->s + used, room > n ? room : 0, "%s", character_as_text(code).s);
    else if (room > 4)
        snprintf(label->s + used, room, *s == ' ' ? "_" : *s == '\n' ? "\\n" : "\\x%02X", (unsigned)*s);
    return n ? n : 1;
}

static token_label label_of(const tokenizer *k, int64_t id) {
    token_label label = {""};
    size_t n = 0;
    const unsigned char *bytes = k->vocabulary ? tokenizer_decode(k, id, &n) : NULL;
    for (size_t at = 0; at < n;)
        at += put_character(&label, bytes + at, n - at);
    if (n == 0)
        snprintf(label.s, sizeof label.s, "%lld", (long long)id);
    return label;
}

static void choose_tokens(page *p) {
    int64_t context = p->c->g.config.context;
    p->T = context < SHOWN ? context : SHOWN;
    tokens_read(p->held_out, 0, p->T, p->ids);
    for (int64_t i = 0; i < p->T; i++) {
        p->token[i] = label_of(&p->c->tokenizer, p->ids[i]);
        p->token_name[i] = p->token[i].s;
    }
}

static void name_heads(page *p) {
    const gpt_config *m = &p->c->g.config;
    p->all_maps = (int)(m->layers * m->heads);
    p->n_maps = p->all_maps < REPORT_MAPS ? p->all_maps : REPORT_MAPS;
    for (int i = 0; i < p->n_maps; i++) {
        snprintf(p->head[i].s, sizeof p->head[i].s, "layer %d, head %d", i / (int)m->heads + 1, i % (int)m->heads + 1);
        p->head_name[i] = p->head[i].s;
    }
}

/* ---- snapshots ---- */

typedef struct snapshot {
    page *p;
    int64_t step;
} snapshot;

static void take_layer(void *context, int layer, const float *weights) {
    const snapshot *s = context;
    int heads = (int)s->p->c->g.config.heads, first = layer * heads, left = s->p->n_maps - first;
    if (left > 0)
        report_maps(s->p->report, s->step, first, left < heads ? left : heads, weights);
}

static void take_maps(page *p, int64_t step) {
    tg_tape *t = p->c->t;
    tg_mark mark = tg_tape_mark(t);
    bool was_training = tg_is_training(t);
    snapshot s = {p, step};
    tg_eval(t);
    tg_no_grad_begin(t);
    (void)gpt_look_at(&p->c->g, tg_from_ints(t, TG_SHAPE(1, p->T), p->ids), (gpt_look){take_layer, &s});
    tg_no_grad_end(t);
    if (was_training)
        tg_train(t);
    must(t, tg_tape_rewind(t, mark));
}

static void take_snapshot(page *p, int64_t step) {
    int64_t context = p->c->g.config.context, windows = context < MEASURED ? MEASURED / context : 1;
    take_maps(p, step);
    report_held_out(p->report, step, tokens_loss(&p->c->g, p->held_out, context, windows, NULL));
    must(p->c->t, TG_OK);
}

/* ---- a page ---- */

void page_check(const char *path) {
    char why[600];
    if (!report_check(path, why, sizeof why))
        die("%s", why);
}

page *page_new(const char *path, const checkpoint *c, const tokens *held_out, int64_t first, int64_t last) {
    page *p = must_allocate(1, sizeof *p);
    p->path = path;
    p->c = c;
    p->held_out = held_out;
    choose_tokens(p);
    name_heads(p);
    report_plan plan = {.path = path,
                        .title = "A GPT learns",
                        .first = first,
                        .last = last,
                        .T = p->T,
                        .token = p->token_name,
                        .n_maps = p->n_maps,
                        .map = p->head_name,
                        .parameters = tg_parameters(c->t)};
    p->report = report_new(&plan);
    if (!p->report)
        die("out of memory");
    take_snapshot(p, first);
    return p;
}

void page_free(page *p) {
    if (p)
        report_free(p->report);
    free(p);
}

void page_before_update(page *p, int64_t step, tg_tensor loss) {
    if (!p || !report_is_due(p->report, step))
        return;
    must(p->c->t, report_before_update(p->report));
    must(p->c->t, report_graph(p->report, loss));
}

void page_after_update(page *p, int64_t step, double loss, double rate, double gradient) {
    if (!p)
        return;
    report_step(p->report, step, loss, rate, gradient);
    if (!report_is_due(p->report, step))
        return;
    must(p->c->t, report_after_update(p->report, step));
    take_snapshot(p, step);
}

static void add_profile(page *p) {
    text_file profile;
    if (!text_file_begin(&profile))
        die("out of memory");
    must(p->c->t, tg_profile_print(profile.file, p->c->t));
    char *lines = text_file_end(&profile);
    if (lines)
        report_text(p->report, "Where the time went", lines);
    free(lines);
}

static void write_token(FILE *file, const tokenizer *k, int64_t id) {
    size_t n = 0;
    const unsigned char *bytes = k->vocabulary ? tokenizer_decode(k, id, &n) : NULL;
    if (bytes)
        fwrite(bytes, 1, n, file);
    else
        fprintf(file, "%lld ", (long long)id);
}

/* n tokens from the beginning of a text, drawn as by `gpt sample`. */
static void write_sample(FILE *file, const checkpoint *c, int64_t n) {
    static const sampler usual = {.temperature = 0.8, .top_k = 200, .top_p = 1};
    int64_t id = checkpoint_start(c);
    gpt_cache cache = gpt_cache_new(&c->g);
    tg_mark built = tg_tape_mark(c->t);
    for (int64_t i = 0; i < n; i++) {
        id = sampler_draw(&usual, gpt_next(&c->g, &cache, &id, 1));
        must(c->t, tg_tape_rewind(c->t, built));
        write_token(file, &c->tokenizer, id);
    }
}

/* Its random numbers are not part of the training's. */
static void add_sample(page *p) {
    tg_tape *t = p->c->t;
    tg_rng_state before = tg_get_rng_state(t);
    tg_mark mark = tg_tape_mark(t);
    bool was_training = tg_is_training(t);
    text_file sample;
    if (!text_file_begin(&sample))
        die("out of memory");
    tg_eval(t);
    tg_no_grad_begin(t);
    write_sample(sample.file, p->c, p->T);
    tg_no_grad_end(t);
    if (was_training)
        tg_train(t);
    must(t, tg_tape_rewind(t, mark));
    must(t, tg_set_rng_state(t, &before));
    char *lines = text_file_end(&sample);
    if (lines)
        report_text(p->report, "What it writes", lines);
    free(lines);
}

bool page_write(page *p, const char *summary) {
    char line[600], why[600];
    if (!p)
        return true;
    int n = snprintf(line, sizeof line, "%s", summary);
    if (p->T < p->c->g.config.context)
        n += snprintf(line + n, sizeof line - (size_t)n, " Attention is shown for the first %lld tokens of a window.",
                      (long long)p->T);
    if (p->n_maps < p->all_maps)
        snprintf(line + n, sizeof line - (size_t)n, " The first %d of %d heads are shown.", p->n_maps, p->all_maps);
    add_profile(p); /* before the sample, which is not part of the training */
    add_sample(p);
    bool written = report_write(p->report, line, why, sizeof why);
    if (written)
        say(stdout, "report: %s", p->path);
    else
        say(stderr, "gpt: %s", why);
    return written;
}
