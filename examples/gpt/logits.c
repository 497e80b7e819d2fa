/* gpt logits: a model's logits for token ids, to compare with another program's. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"

#include <stdlib.h>

static const char help[] =
    "usage: gpt logits CHECKPOINT --tokens FILE --out FILE.npy [options]\n"
    "\n"
    "The logits (T, vocabulary) that follow each of the T ids in a file, at most the model's context, as NumPy's array.\n"
    "\n"
    "  --tokens FILE      as for `gpt train`\n"
    "  --id-bytes N       2 (the default) or 4 in files that do not say\n"
    "  --adapter FOLDER   with low-rank adapters that `gpt finetune` or PEFT saved\n"
    "  --cached           one token after the other, with keys and values kept, as `gpt sample` does\n";

/* Row i comes from ids 0 .. i. */
static void one_by_one(const checkpoint *c, const int64_t *ids, int64_t T, float *out) {
    int64_t V = c->g.config.vocabulary;
    gpt_cache cache = gpt_cache_new(&c->g);
    tg_mark mark = tg_tape_mark(c->t);
    for (int64_t i = 0; i < T; i++) {
        must(c->t, tg_read_floats(gpt_next(&c->g, &cache, ids + i, 1), out + i * V, V));
        must(c->t, tg_tape_rewind(c->t, mark));
    }
}

int gpt_logits(int argc, char **argv) {
    const char *path = NULL, *from = NULL, *out = NULL, *adapter = NULL;
    int64_t width = 2;
    bool cached = false;
    option all[] = {{"", WORD, &path, 0, 0, false},
                    {"--tokens", WORD, &from, 0, 0, false},
                    {"--id-bytes", INTEGER, &width, 2, 4, false},
                    {"--out", WORD, &out, 0, 0, false},
                    {"--adapter", WORD, &adapter, 0, 0, false},
                    {"--cached", FLAG, &cached, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!path || !from || !out)
        usage("logits", "wants a checkpoint, --tokens and --out");
    must_be_new(out);
    checkpoint c = checkpoint_load(path);
    if (adapter)
        (void)adapters_load(&c, adapter);
    tokens d = tokens_open(from, (int)width, c.g.config.vocabulary);
    if (d.n < 1 || d.n > c.g.config.context)
        die("%s: %lld ids; 1 to %lld, the model's context, are wanted", from, (long long)d.n,
            (long long)c.g.config.context);
    int64_t V = c.g.config.vocabulary, *ids = must_allocate((size_t)d.n, sizeof *ids);
    float *y = must_allocate((size_t)(d.n * V), sizeof *y);
    tokens_read(&d, 0, d.n, ids);
    tg_no_grad_begin(c.t);
    if (cached)
        one_by_one(&c, ids, d.n, y);
    else
        must(c.t, tg_read_floats(gpt_evaluate(&c.g, tg_from_ints(c.t, TG_SHAPE(1, d.n), ids)), y, d.n * V));
    tg_no_grad_end(c.t);
    must(c.t, tg_save_npy(tg_from_floats(c.t, TG_SHAPE(d.n, V), y), out));
    say(stdout, "wrote %s: (%lld, %lld)", out, (long long)d.n, (long long)V);
    free(ids);
    free(y);
    tokens_free(&d);
    checkpoint_free(&c);
    return DONE;
}
