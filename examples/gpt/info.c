/* gpt info: the contents of a file. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

static const char help[] =
    "usage: gpt info FILE\n"
    "\n"
    "The tensors of a safetensors file, by name, and the model in it.\n"
    "\n"
    "  --merges FILE      write the model's byte pairs, where they are GPT-2's kind, as vocab.bpe\n";

typedef struct totals {
    int64_t tensors, numbers;
} totals;

static void show(const tg_file_tensor *x, void *context) {
    totals *sum = context;
    if (!strncmp(x->name, "tapegrad.", 9)) /* a run's state */
        return;
    int64_t n = 1;
    for (int i = 0; i < x->shape.ndim; i++)
        n *= x->shape.size[i];
    say(stdout, "  %-48s %-5s %s", x->name, x->dtype, x->shape.ndim < 0 ? "over 8 dims" : tg_shape_text(&x->shape).s);
    sum->tensors++;
    sum->numbers += x->dtype[0] == 'F' || x->dtype[0] == 'B' ? n : 0;
}

/* Writes only a new file. */
static void write_merges(const tokenizer *k, const char *path) {
    if (!k->bpe)
        die("the model's tokens are no byte pairs");
    if (!bpe_is_of_merges(k->bpe))
        die("the model's byte pairs are not GPT-2's kind, which is all that a file of merges can say");
    FILE *file = must_create(path);
    bpe_write(k->bpe, file);
    must_close(file, path);
    say(stdout, "wrote %s", path);
}

int gpt_info(int argc, char **argv) {
    const char *path = NULL;
    const char *merges = NULL;
    option all[] = {{"", WORD, &path, 0, 0, false}, {"--merges", WORD, &merges, 0, 0, false}};
    totals sum = {0};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!path)
        usage("info", "wants a file");
    tg_tape *t = tg_tape_new(TG_F32);
    must(t, tg_list_file(t, path, show, &sum));
    printf("%lld tensors, %lld floating numbers\n", (long long)sum.tensors, (long long)sum.numbers);
    tg_tape_free(t);
    if (!checkpoint_is_ours(path)) {
        if (merges)
            die("%s: it holds no model that this program saved", path);
        return DONE;
    }
    gpt_config c = checkpoint_config(path);
    tokenizer k = checkpoint_tokenizer(path);
    char shared[60] = "";
    if (c.kv_heads)
        snprintf(shared, sizeof shared, ", %lld of keys and values", (long long)c.kv_heads);
    printf(
        "%s: %lld layers, %lld heads%s, %lld wide, %lld in the feed-forward part, context %lld, vocabulary %lld (%s)\n",
        c.family == LLAMA   ? "llama"
        : c.family == GPT_2 ? "gpt-2"
                            : "gpt-2 as published",
        (long long)c.layers, (long long)c.heads, shared, (long long)c.width, (long long)c.hidden, (long long)c.context,
        (long long)c.vocabulary,
        k.code  ? "characters"
        : k.bpe ? "byte pairs"
                : "ids");
    if (merges)
        write_merges(&k, merges);
    tokenizer_free(&k);
    return DONE;
}
