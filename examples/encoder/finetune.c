/* encoder finetune: trains attention on sums in words, "two plus five" near "the number seven". */
#include "examples/common/output.h"
#include "examples/encoder/program.h"
#include "optim/optim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: encoder finetune MODEL [options]\n"
    "\n"
    "Checks the gradient of attention's weights, then trains them to put \"two plus five\" near \"the number seven\" and far\n"
    "from the other numbers of the batch (contrastive, with cosines times 20). Sums that were held out tell what was\n"
    "learnt. Everything but attention stays as it is, and nothing is dropped out.\n"
    "\n"
    "  --lora RANK        train low-rank adapters of query and value instead, with alpha 2 RANK\n"
    "  --steps N          default 20\n"
    "  --batch N          pairs in a batch, 2 to 16; default 8\n"
    "  --lr X             default 0.0001, with --lora 0.001\n"
    "  --seed N           default 1\n"
    "  --save FOLDER      made when it is missing: the model, to be opened as MODEL is, or the adapters, as PEFT opens\n"
    "                     them; what is there is not replaced\n";

enum { NUMBERS = 17, MOST_TEXT = 48, CHECKED = 2 };
static const double scale = 20;
static const char *const word[] = {"zero",   "one",      "two",      "three",   "four",   "five",
                                   "six",    "seven",    "eight",    "nine",    "ten",    "eleven",
                                   "twelve", "thirteen", "fourteen", "fifteen", "sixteen"};

typedef struct pair {
    char sum[MOST_TEXT], answer[MOST_TEXT];
} pair;

/* a + (n - a), and n */
static pair pair_of(int64_t n, int64_t a) {
    pair p;
    snprintf(p.sum, sizeof p.sum, "%s plus %s", word[a], word[n - a]);
    snprintf(p.answer, sizeof p.answer, "the number %s", word[n]);
    return p;
}

static bool is_held_out(int64_t n, int64_t a) { return (7 * n + 3 * a) % 5 == 0; }

/* Different numbers, each as a sum that is not held out. 0 is excluded: 0 + 0, its only sum, is held out. */
static int draw(tg_tape *t, pair *out, int batch) {
    int64_t order[NUMBERS], a;
    must(t, tg_read_ints(tg_randperm(t, NUMBERS), order, NUMBERS));
    int n = 0;
    for (int i = 0; i < NUMBERS && n < batch; i++) {
        if (order[i] == 0)
            continue;
        do
            must(t, tg_read_ints(tg_randint(t, 0, order[i] + 1, TG_SHAPE(1)), &a, 1));
        while (is_held_out(order[i], a));
        out[n++] = pair_of(order[i], a);
    }
    return n;
}

/* Cross-entropy over the cosines with all answers; row i's target is answer i. */
static tg_tensor contrast(const encoder *e, const pair *p, int n) {
    const char *sum[NUMBERS], *answer[NUMBERS];
    for (int i = 0; i < n; i++) {
        sum[i] = p[i].sum;
        answer[i] = p[i].answer;
    }
    tg_tensor cosine = tg_matmul(encoder_embed(e, sum, n), tg_transpose(encoder_embed(e, answer, n), 0, 1));
    return tg_cross_entropy(tg_mul_scalar(cosine, scale), tg_arange(e->t, n), TG_IGNORE_INDEX, TG_MEAN);
}

/* The number of held-out sums whose number is nearest. */
static int right(const encoder *e, int *total) {
    const char *answer[NUMBERS], *sum[NUMBERS * NUMBERS];
    static pair p[NUMBERS * NUMBERS], number[NUMBERS];
    int64_t want[NUMBERS * NUMBERS], got[NUMBERS * NUMBERS];
    int n = 0, good = 0;
    for (int64_t k = 0; k < NUMBERS; k++) {
        number[k] = pair_of(k, 0);
        answer[k] = number[k].answer;
        for (int64_t a = 0; a <= k && k > 0; a++)
            if (is_held_out(k, a)) {
                p[n] = pair_of(k, a);
                sum[n] = p[n].sum;
                want[n++] = k;
            }
    }
    tg_mark mark = tg_tape_mark(e->t);
    tg_no_grad_begin(e->t);
    tg_tensor cosine = tg_matmul(encoder_embed(e, sum, n), tg_transpose(encoder_embed(e, answer, NUMBERS), 0, 1));
    must(e->t, tg_read_ints(tg_argmax(cosine, 1, false), got, n));
    tg_no_grad_end(e->t);
    must(e->t, tg_tape_rewind(e->t, mark));
    for (int i = 0; i < n; i++)
        good += got[i] == want[i];
    *total = n;
    return good;
}

static void report_right(const encoder *e, const char *when) {
    int total, good = right(e, &total);
    printf("%s: %d of %d held-out sums have their number nearest\n", when, good, total);
}

/* All directions at once, on two pairs: this runs the whole model in float64 several times. */
static void check_gradient(const encoder *e) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result result;
    pair p[CHECKED] = {pair_of(7, 2), pair_of(3, 1)};
    tg_mark mark = tg_tape_mark(e->t);
    config.mode = TG_GRADCHECK_FAST;
    must(e->t, tg_gradcheck(contrast(e, p, CHECKED), config, &result));
    printf("%s\n", result.summary);
    must(e->t, tg_tape_rewind(e->t, mark));
}

static bool is_trained(tg_tensor p, void *context) {
    (void)context;
    return tg_requires_grad(p);
}

static void train(const encoder *e, tg_optim *adamw, int64_t steps, int batch) {
    tg_mark mark = tg_tape_mark(e->t);
    for (int64_t step = 1; step <= steps; step++) {
        pair p[NUMBERS];
        tg_tensor loss = contrast(e, p, draw(e->t, p, batch));
        tg_optim_zero_grad(adamw);
        must(e->t, tg_backward(loss));
        must(e->t, tg_optim_step(adamw));
        printf("step %3lld  loss %.6f\n", (long long)step, tg_item(loss));
        must_flush();
        must(e->t, tg_tape_rewind(e->t, mark));
    }
}

/* ---- saving ---- */

static const char *const model_files[] = {"model.safetensors", "config.json", "vocab.txt", NULL};
static const char *const adapter_files[] = {"adapter_model.safetensors", "adapter_config.json", NULL};

/* Ends the program before training when the folder cannot be saved to. */
static void prepare(tg_tape *t, const char *folder, const char *const *file) {
    if (mkdir(folder, 0777) && errno != EEXIST)
        die("%s: %s", folder, strerror(errno));
    for (int i = 0; file[i]; i++)
        if (!access(in_folder(folder, file[i]).s, F_OK))
            die("%s: File exists", in_folder(folder, file[i]).s);
    must(t, tg_check_save(t, in_folder(folder, file[0]).s));
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wx");
    if (!file)
        die("%s: %s", path, strerror(errno));
    fputs(text, file);
    must_close(file, path);
}

static void save_adapters(const encoder *e, const char *folder, int64_t rank) {
    char json[512];
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.only = tg_nn_lora_parameters(e->t);
    must(e->t, tg_save_with(e->t, in_folder(folder, adapter_files[0]).s, config));
    snprintf(json, sizeof json,
             "{\"peft_type\": \"LORA\", \"task_type\": \"FEATURE_EXTRACTION\", \"r\": %lld, \"lora_alpha\": %lld,\n"
             " \"lora_dropout\": 0.0, \"bias\": \"none\", \"fan_in_fan_out\": false, \"inference_mode\": true,\n"
             " \"target_modules\": [\"query\", \"value\"]}\n",
             (long long)rank, (long long)(2 * rank));
    write_text(in_folder(folder, adapter_files[1]).s, json);
}

static void save_model(const encoder *e, const char *folder, const char *from) {
    must(e->t, tg_save(e->t, in_folder(folder, model_files[0]).s));
    for (int i = 1; model_files[i]; i++) {
        char *text = read_text(in_folder(from, model_files[i]).s);
        write_text(in_folder(folder, model_files[i]).s, text);
        free(text);
    }
}

int encoder_finetune(int argc, char **argv) {
    const char *folder = NULL, *out = NULL;
    int64_t rank = 0, steps = 20, batch = 8, seed = 1;
    double lr = 0;
    option all[] = {{"", WORD, &folder, 0, 0, false},
                    {"--lora", INTEGER, &rank, 1, MOST_RANK, false},
                    {"--steps", INTEGER, &steps, 0, 1e9, false},
                    {"--batch", INTEGER, &batch, 2, NUMBERS - 1, false},
                    {"--lr", NUMBER, &lr, 0, 1, false},
                    {"--seed", INTEGER, &seed, 0, 1e15, false},
                    {"--save", WORD, &out, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!folder)
        usage("finetune", "wants a model's folder");
    encoder e = encoder_open(folder);
    if (out)
        prepare(e.t, out, rank ? adapter_files : model_files);
    tg_nn_lora_config lora = {.rank = rank, .alpha = 2 * (double)rank};
    tg_manual_seed(e.t, (uint64_t)seed);
    bert_train_attention(&e.model, rank ? &lora : NULL);
    tg_adam_config adam = TG_ADAMW_DEFAULTS;
    adam.lr = option_given(all, sizeof all / sizeof *all, "--lr") ? lr : rank ? 1e-3 : 1e-4;
    tg_selection trained = TG_SELECT_ALL;
    trained.accept = is_trained;
    tg_optim *adamw = tg_adamw_new(e.t, tg_parameters_where(e.t, trained), adam);
    must(e.t, TG_OK);
    check_gradient(&e);
    report_right(&e, "before");
    train(&e, adamw, steps, (int)batch);
    report_right(&e, "after");
    if (out && rank)
        save_adapters(&e, out, rank);
    else if (out)
        save_model(&e, out, folder);
    if (out)
        say(stdout, "saved in %s", out);
    encoder_free(&e);
    return DONE;
}
