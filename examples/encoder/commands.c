/* encoder embed, encoder info. */
#include "examples/common/output.h"
#include "examples/encoder/program.h"

#include <stdlib.h>
#include <string.h>

static const char embed_help[] =
    "usage: encoder embed MODEL [options] < sentences\n"
    "\n"
    "Reads sentences, a line each, and prints for each its vector, of length 1: the dot product of two is how near they\n"
    "are. Of a sentence the first 256 tokens count.\n"
    "\n"
    "  --adapter FOLDER   with low-rank adapters that `encoder finetune --lora` saved, or PEFT for query and value\n"
    "  --similar          print how near each two sentences are instead, as a table\n";

static const char info_help[] = "usage: encoder info MODEL\n"
                                "\n"
                                "Its sizes, and how many weights it has.\n";

/* ---- lines ---- */

typedef struct lines {
    char *text;
    const char **line;
    int n;
} lines;

static lines read_lines(void) {
    lines l = {.text = read_text("/dev/stdin")};
    for (const char *s = l.text; *s; s++)
        l.n += *s == '\n' || !s[1];
    l.line = must_allocate((size_t)l.n, sizeof *l.line);
    char *s = l.text;
    for (int i = 0; i < l.n; i++) {
        l.line[i] = s;
        s += strcspn(s, "\n");
        *s++ = '\0';
    }
    return l;
}

/* ---- commands ---- */

static void load_adapter(encoder *e, const char *folder) {
    place json = in_folder(folder, "adapter_config.json");
    static const char *const plain[][2] = {{"peft_type", "\"LORA\""},   {"bias", "\"none\""},   {"use_rslora", "false"},
                                           {"use_dora", "false"},       {"lora_bias", "false"}, {"alpha_pattern", "{}"},
                                           {"fan_in_fan_out", "false"}, {"rank_pattern", "{}"}};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        must_be(json.s, plain[i][0], plain[i][1]);
    tg_nn_lora_config lora = {.rank = (int64_t)number_in(json.s, "r", 1, MOST_RANK),
                              .alpha = number_in(json.s, "lora_alpha", 0, 1e6)};
    bert_train_attention(&e->model, &lora);
    tg_load_config only = {.only = tg_nn_lora_parameters(e->t)};
    must_load(e->t, in_folder(folder, "adapter_model.safetensors").s, only);
}

static void print_vector(const float *x, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        printf("%s%.9g", j ? " " : "", (double)x[j]);
    putchar('\n');
}

static void print_table(const float *y, int n, int64_t C) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double near = 0;
            for (int64_t j = 0; j < C; j++)
                near += (double)y[i * C + j] * (double)y[k * C + j];
            printf("%6.3f%s", near, k + 1 < n ? " " : "\n");
        }
}

/* One sentence at a time, without padding or gradients. The table needs all vectors. */
static void embed_lines(const encoder *e, const lines *l, bool similar) {
    int64_t C = e->model.config.width;
    float *y = must_allocate((similar ? (size_t)l->n : 1) * (size_t)C, sizeof *y);
    tg_no_grad_begin(e->t);
    tg_mark mark = tg_tape_mark(e->t);
    for (int i = 0; i < l->n; i++) {
        float *row = y + (similar ? i * C : 0);
        must(e->t, tg_read_floats(encoder_embed(e, &l->line[i], 1), row, C));
        must(e->t, tg_tape_rewind(e->t, mark));
        if (!similar)
            print_vector(row, C);
    }
    tg_no_grad_end(e->t);
    if (similar)
        print_table(y, l->n, C);
    free(y);
}

int encoder_embed_command(int argc, char **argv) {
    const char *folder = NULL, *adapter = NULL;
    bool similar = false;
    option all[] = {{"", WORD, &folder, 0, 0, false},
                    {"--adapter", WORD, &adapter, 0, 0, false},
                    {"--similar", FLAG, &similar, 0, 0, false}};
    options_read(argc, argv, embed_help, all, sizeof all / sizeof *all);
    if (!folder)
        usage("embed", "wants a model's folder");
    encoder e = encoder_open(folder);
    if (adapter)
        load_adapter(&e, adapter);
    lines l = read_lines();
    embed_lines(&e, &l, similar);
    free(l.line);
    free(l.text);
    encoder_free(&e);
    return DONE;
}

int encoder_info(int argc, char **argv) {
    const char *folder = NULL;
    option all[] = {{"", WORD, &folder, 0, 0, false}};
    options_read(argc, argv, info_help, all, 1);
    if (!folder)
        usage("info", "wants a model's folder");
    encoder e = encoder_open(folder);
    const bert_config *c = &e.model.config;
    int64_t weights = 0;
    tg_list p = tg_parameters(e.t);
    for (int64_t i = 0; i < p.n; i++)
        weights += tg_numel(p.tensor[i]);
    say(stdout,
        "%s: %lld layers, %lld heads, %lld wide, %lld in the feed-forward part, context %lld, vocabulary %lld; %lld "
        "weights",
        folder, (long long)c->layers, (long long)c->heads, (long long)c->width, (long long)c->hidden,
        (long long)c->context, (long long)c->vocabulary, (long long)weights);
    encoder_free(&e);
    return DONE;
}
