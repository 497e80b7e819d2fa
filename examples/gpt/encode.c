/* gpt encode: a text as a file of token ids. */
#include "examples/common/output.h"
#include "examples/gpt/checkpoint.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"

#include <stdlib.h>

static const char help[] =
    "usage: gpt encode --text FILE --out FILE [--model CHECKPOINT | --merges FILE] [options]\n"
    "\n"
    "A text's token ids in a new file, for `gpt train --tokens`, nanoGPT or llm.c: uint16, or uint32 where the vocabulary\n"
    "is above 65536. A name that ends in .npy makes an array for NumPy.\n"
    "\n"
    "  --model CHECKPOINT the tokens of this model, or\n"
    "  --merges FILE      byte pairs from a file like GPT-2's vocab.bpe\n"
    "  --header           with llm.c's header\n";

typedef struct settings {
    const char *text, *out, *model, *merges;
    bool header;
} settings;

static settings settings_of(int argc, char **argv) {
    settings s = {0};
    option all[] = {{"--text", WORD, &s.text, 0, 0, false},
                    {"--out", WORD, &s.out, 0, 0, false},
                    {"--model", WORD, &s.model, 0, 0, false},
                    {"--merges", WORD, &s.merges, 0, 0, false},
                    {"--header", FLAG, &s.header, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!s.text)
        usage("--text", "is needed: the file to encode");
    if (!s.out)
        usage("--out", "is needed: the file to write");
    if (!s.model == !s.merges)
        usage("encode", "wants one of --model and --merges");
    return s;
}

int gpt_encode(int argc, char **argv) {
    settings s = settings_of(argc, argv);
    tokenizer k = s.model ? checkpoint_tokenizer(s.model) : tokenizer_of_merges(s.merges);
    if (!k.vocabulary)
        die("%s: the model was trained on ids, not on text", s.model);
    text x = text_read(s.text);
    int64_t n;
    int32_t *ids = tokenizer_encode(&k, s.text, x.bytes, x.n, &n);
    tokens_write(s.out, ids, n, k.vocabulary, s.header);
    say(stdout, "%s: %zu bytes, %lld tokens of a vocabulary of %lld", s.out, x.n, (long long)n,
        (long long)k.vocabulary);
    free(ids);
    text_free(&x);
    tokenizer_free(&k);
    return DONE;
}
