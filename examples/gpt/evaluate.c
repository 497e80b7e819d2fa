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
                           "  --all              measure all of it\n";

typedef struct settings {
    const char *checkpoint, *text;
    bool all;
} settings;

static settings settings_of(int argc, char **argv) {
    settings s = {0};
    gpt_option all[] = {{"", WORD, &s.checkpoint, 0, 0, false},
                        {"--text", WORD, &s.text, 0, 0, false},
                        {"--all", FLAG, &s.all, 0, 0, false}};
    gpt_options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!s.checkpoint)
        usage("eval", "wants the file of a model that `gpt train` saved");
    if (!s.text)
        usage("--text", "is needed: the file to measure");
    return s;
}

int gpt_eval(int argc, char **argv) {
    settings s = settings_of(argc, argv);
    checkpoint c = checkpoint_load(s.checkpoint);
    text x = text_read(s.text);
    size_t begin = s.all ? 0 : text_last_tenth(&x), bytes = x.n - begin;
    tokens d = {0};
    d.id = tokenizer_encode(&c.tokenizer, s.text, x.bytes + begin, bytes, &d.n);
    int64_t T = c.g.config.context, count;
    if (d.n < T + 1)
        die("%s: %lld tokens are too few for a window of %lld", s.text, (long long)d.n, (long long)T);
    double loss = tokens_loss(&c.g, &d, T, -1, &count);
    must(c.t, TG_OK);
    printf("%lld tokens: loss %.4f nats a token, perplexity %.3f, %.3f bits a byte\n", (long long)count, loss,
           exp(loss), loss / log(2) * (double)d.n / (double)bytes);
    text_free(&x);
    tokens_free(&d);
    checkpoint_free(&c);
    return DONE;
}
