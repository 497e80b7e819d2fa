/* gpt sample: text from the model, printed token by token. */
#include "examples/common/corpus.h"
#include "examples/common/terminal.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/sampler.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: gpt sample CHECKPOINT [options]\n"
    "\n"
    "Writes a text, going on from a prompt. When the model's context is full, its oldest token is dropped; an imported\n"
    "model stops at the end of a text, which is any token that its eos names.\n"
    "\n"
    "  --prompt TEXT      what to go on from (a line's end)\n"
    "  --prompt-ids IDS   the same as token ids: 1,17,4\n"
    "  --adapter FOLDER   with low-rank adapters that `gpt finetune` or PEFT saved\n"
    "  --tokens N         how many tokens to write (500)\n"
    "  --temperature X    how daring: below 1 less, above 1 more, 0 always the likeliest (0.8)\n"
    "  --top-k N          only the N likeliest tokens (200)\n"
    "  --top-p X          of those the likeliest that together have this probability (1: all)\n"
    "  --seed N           another number, another text (1337)\n"
    "  --no-cache         compute keys and values of the whole context for every token: the same text, slowly\n"
    "  --speed            tell the tokens per second at the end, on stderr\n";

typedef struct settings {
    const char *checkpoint, *prompt, *ids, *adapter;
    int64_t tokens, seed;
    sampler sampler;
    bool no_cache, speed;
} settings;

static settings settings_of(int argc, char **argv) {
    settings s = {.tokens = 500, .seed = 1337, .sampler = {0.8, 200, 1}};
    option all[] = {{"", WORD, &s.checkpoint, 0, 0, false},
                    {"--prompt", WORD, &s.prompt, 0, 0, false},
                    {"--prompt-ids", WORD, &s.ids, 0, 0, false},
                    {"--adapter", WORD, &s.adapter, 0, 0, false},
                    {"--tokens", INTEGER, &s.tokens, 0, 1e9, false},
                    {"--temperature", NUMBER, &s.sampler.temperature, 0, 100, false},
                    {"--top-k", INTEGER, &s.sampler.top_k, 1, 1e9, false},
                    {"--top-p", NUMBER, &s.sampler.top_p, 1e-9, 1, false},
                    {"--seed", INTEGER, &s.seed, 0, 9e15, false},
                    {"--no-cache", FLAG, &s.no_cache, 0, 0, false},
                    {"--speed", FLAG, &s.speed, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!s.checkpoint)
        usage("sample", "wants the file of a model that `gpt train` saved");
    if (s.prompt && s.ids)
        usage("--prompt", "and --prompt-ids exclude each other");
    return s;
}

/* ---- the tokens ---- */

/* The last n tokens, at most the model's context. */
typedef struct writer {
    const checkpoint *c;
    gpt_cache cache;
    bool cached; /* the cache has the keys of all tokens but the newest */
    int64_t *window, n;
} writer;

/* The logits after the window. Learned positions count from its start, so all keys change once it slides. */
static tg_tensor logits_of(writer *w) {
    int64_t known = w->cached ? w->cache.length : 0;
    tg_tensor logits = gpt_next(&w->c->g, w->cached ? &w->cache : NULL, w->window + known, w->n - known);
    must(w->c->t, TG_OK);
    return logits;
}

static void append(writer *w, int64_t id) {
    if (w->n == w->c->g.config.context) {
        memmove(w->window, w->window + 1, (size_t)(w->n - 1) * sizeof *w->window);
        w->n--;
        w->cached = false;
    }
    w->window[w->n++] = id;
}

/* ---- the text ---- */

/* The bytes of an incomplete character. */
typedef struct stream {
    unsigned char bytes[4];
    size_t n;
} stream;

static void put_byte(stream *out, unsigned char byte) {
    int32_t code;
    size_t length;
    out->bytes[out->n++] = byte;
    while ((length = (size_t)corpus_decode(out->bytes, out->n, &code)) > 0 || out->n >= sizeof out->bytes) {
        fputs(length ? character_as_text(code).s : "\xef\xbf\xbd",
              stdout); /* U+FFFD: not the beginning of a character */
        length += !length;
        out->n -= length;
        memmove(out->bytes, out->bytes + length, out->n);
    }
}

static void put_token(stream *out, const tokenizer *k, int64_t id) {
    size_t n;
    if (!k->vocabulary) {
        printf("%lld ", (long long)id);
    } else {
        const unsigned char *bytes = tokenizer_decode(k, id, &n);
        for (size_t i = 0; i < n; i++)
            put_byte(out, bytes[i]);
    }
    fflush(stdout);
}

/* ---- the command ---- */

static _Noreturn void too_long(int64_t n, int64_t context) {
    die("the prompt has %lld tokens, more than the %lld that the model sees at once; give its end only", (long long)n,
        (long long)context);
}

static void read_ids(writer *w, const char *ids, stream *out) {
    const gpt_config *c = &w->c->g.config;
    char *end;
    for (int64_t n = 0; *ids; ids = *end ? end + 1 : end) {
        long long id = strtoll(ids, &end, 10);
        if (end == ids || (*end && *end != ','))
            usage("--prompt-ids", "wants numbers with commas between them");
        if (id < 0 || id >= c->vocabulary)
            die("the prompt's id %lld is not below the vocabulary of %lld", id, (long long)c->vocabulary);
        if (n++ == c->context)
            too_long(n, c->context);
        append(w, id);
        put_token(out, &w->c->tokenizer, id);
    }
}

static void read_prompt(writer *w, const char *prompt, stream *out) {
    const tokenizer *k = &w->c->tokenizer;
    if (!k->vocabulary)
        usage("--prompt", "is of no use: the model was trained on ids, not on text; --prompt-ids takes them");
    int64_t n, context = w->c->g.config.context;
    if (!*prompt)
        usage("--prompt", "wants at least one character");
    int32_t *ids = tokenizer_encode(k, "the prompt", (const unsigned char *)prompt, strlen(prompt), &n);
    if (n > context)
        too_long(n, context);
    for (int64_t i = 0; i < n; i++) {
        append(w, ids[i]);
        put_token(out, k, ids[i]);
    }
    free(ids);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_end(const gpt_config *c, int64_t id) {
    for (int i = 0; i < GPT_MOST_ENDS; i++)
        if (c->end[i] == id + 1)
            return true;
    return false;
}

int gpt_sample(int argc, char **argv) {
    settings s = settings_of(argc, argv);
    checkpoint c = checkpoint_load(s.checkpoint);
    if (s.adapter)
        (void)adapters_load(&c, s.adapter);
    writer w = {.c = &c, .cached = !s.no_cache};
    stream out = {.n = 0};
    w.window = must_allocate((size_t)c.g.config.context, sizeof *w.window);
    tg_manual_seed(c.t, (uint64_t)s.seed);
    tg_no_grad_begin(c.t);
    if (w.cached)
        w.cache = gpt_cache_new(&c.g);
    if (s.prompt)
        read_prompt(&w, s.prompt, &out);
    else if (s.ids && *s.ids)
        read_ids(&w, s.ids, &out);
    else
        append(&w, checkpoint_start(&c));
    tg_mark built = tg_tape_mark(c.t);
    double start = seconds();
    for (int64_t i = 0; i < s.tokens; i++) {
        int64_t id = sampler_draw(&s.sampler, logits_of(&w));
        must(c.t, tg_tape_rewind(c.t, built));
        if (is_end(&c.g.config, id))
            break;
        put_token(&out, &c.tokenizer, id);
        append(&w, id);
        if (ferror(stdout))
            break;
    }
    putchar('\n');
    if (s.speed)
        fprintf(stderr, "%.0f tokens/s\n", (double)s.tokens / (seconds() - start));
    tg_no_grad_end(c.t);
    free(w.window);
    checkpoint_free(&c);
    return DONE;
}
