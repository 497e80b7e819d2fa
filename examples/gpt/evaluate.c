/* gpt eval: how well a model predicts a text. */
#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"

#include <math.h>

static const char help[] = "usage: gpt eval CHECKPOINT --text FILE [options]\n"
                           "\n"
                           "The model's mean loss on a text, in windows of its context that follow one another.\n"
                           "\n"
                           "  --text FILE        its last tenth is measured, which `gpt train` holds out\n"
                           "  --tokens PATH      token ids instead, all of them, as for `gpt train`\n"
                           "  --id-bytes N       2 (the default) or 4 in files that do not say\n"
                           "  --all              measure all of the text\n";

typedef struct settings {
    const char *checkpoint, *text, *tokens;
    int64_t id_bytes;
    bool all;
} settings;

static settings settings_of(int argc, char **argv) {
    settings s = {.id_bytes = 2};
    option all[] = {{"", WORD, &s.checkpoint, 0, 0, false},
                    {"--text", WORD, &s.text, 0, 0, false},
                    {"--tokens", WORD, &s.tokens, 0, 0, false},
                    {"--id-bytes", INTEGER, &s.id_bytes, 2, 4, false},
                    {"--all", FLAG, &s.all, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!s.checkpoint)
        usage("eval", "wants the file of a model that `gpt train` saved");
    if (!s.text == !s.tokens)
        usage("eval", "wants one of --text and --tokens");
    return s;
}

/* The tokens to measure; *bytes: the length of their text, 0 if unknown. */
static tokens read_tokens(const settings *s, const checkpoint *c, size_t *bytes) {
    tokens d = {0};
    *bytes = 0;
    if (s->tokens)
        return tokens_open(s->tokens, (int)s->id_bytes, c->g.config.vocabulary);
    if (!c->tokenizer.vocabulary)
        die("%s: the model was trained on ids, not on text; --tokens measures it", s->checkpoint);
    text x = text_read(s->text);
    size_t begin = s->all ? 0 : text_last_tenth(&x);
    *bytes = x.n - begin;
    d.id = tokenizer_encode(&c->tokenizer, s->text, x.bytes + begin, *bytes, &d.n);
    text_free(&x);
    return d;
}

int gpt_eval(int argc, char **argv) {
    settings s = settings_of(argc, argv);
    checkpoint c = checkpoint_load(s.checkpoint);
    size_t bytes;
    tokens d = read_tokens(&s, &c, &bytes);
    int64_t T = c.g.config.context, count;
    if (d.n < T + 1)
        die("%s: %lld tokens are too few for a window of %lld", s.text ? s.text : s.tokens, (long long)d.n,
            (long long)T);
    double loss = tokens_loss(&c.g, &d, T, -1, &count);
    must(c.t, TG_OK);
    printf("%lld tokens: loss %.4f nats a token, perplexity %.3f", (long long)count, loss, exp(loss));
    if (bytes)
        printf(", %.3f bits a byte", loss / log(2) * (double)d.n / (double)bytes);
    putchar('\n');
    tokens_free(&d);
    checkpoint_free(&c);
    return DONE;
}
