/* A vision transformer (Dosovitskiy et al. 2021): an image is cut into patches, which attend to one another; a token
 * for the whole image is classified. The images are generated here: digits of 3 x 5 dots, anywhere, in noise. At the
 * end it classifies new ones. `vit --report page.html` shows how it learned, and one image's attention. */
#include <string.h>
#include <tapegrad/nn.h>
#include <tapegrad/optim.h>
#include <tapegrad/report.h>

enum { SIDE = 16, PATCH = 4, ACROSS = 4, TOKENS = 17, C = 32, HEADS = 4, LAYERS = 2, STEPS = 300 };

typedef struct vit {
    tg_nn_linear embed, head;
    tg_tensor whole, place; /* the token of the whole image; positions of tokens */
    tg_nn_encoder_layer layer[LAYERS];
} vit;

static vit vit_new(tg_tape *t) {
    tg_nn_encoder_layer_config config = {2 * C, 0, 1e-5, TG_NN_GELU, .norm_first = true, .bias = true};
    vit m = {.embed = tg_nn_linear_new(t, "embed", PATCH * PATCH, C, true),
             .head = tg_nn_linear_new(t, "head", C, 10, true),
             .whole = tg_parameter(t, "whole", tg_zeros(t, TG_SHAPE(1, 1, C))),
             .place = tg_parameter(t, "place", tg_normal_(tg_zeros(t, TG_SHAPE(TOKENS, C)), 0, 0.1))};
    for (int i = 0; i < LAYERS; i++) {
        tg_name_push(t, "layer.%d", i);
        m.layer[i] = tg_nn_encoder_layer_new(t, "", C, HEADS, config);
        tg_name_pop(t);
    }
    return m;
}

/* Images (n, SIDE, SIDE) -> logits (n, 10). *weights: the last layer's attention, (n, HEADS, TOKENS, TOKENS). */
static tg_tensor vit_forward(const vit *m, tg_tensor x, tg_tensor *weights) {
    int64_t n = tg_size(x, 0);
    x = tg_transpose(tg_reshape(x, TG_SHAPE(n, ACROSS, PATCH, ACROSS, PATCH)), 2, 3);
    x = tg_nn_linear_forward(&m->embed, tg_reshape(x, TG_SHAPE(n, -1, PATCH * PATCH)));
    x = tg_add(tg_cat((tg_tensor[]){tg_expand(m->whole, TG_SHAPE(n, 1, C)), x}, 2, 1), m->place);
    for (int i = 0; i < LAYERS; i++) {
        tg_tensor y = tg_nn_layer_norm_forward(&m->layer[i].norm1, x);
        if (weights && i == LAYERS - 1)
            (void)tg_nn_multihead_forward(&m->layer[i].self_attn, y, y, y, TG_NN_NO_MASKS, weights);
        x = tg_nn_encoder_layer_forward(&m->layer[i], x, TG_NN_NO_MASKS);
    }
    return tg_nn_linear_forward(&m->head, tg_select(x, 1, 0));
}

/* A digit has five rows of three dots, a row of them for each octal digit here; a dot is 3 x 3 pixels. */
static const int dots[10] = {075557, 026227, 071747, 071717, 055711, 074717, 074757, 071111, 075757, 075717};

static void make_images(tg_tape *t, int64_t n, tg_tensor *images, tg_tensor *digits) {
    float *x = tg_data(*images = tg_mul_scalar(tg_randn(t, TG_SHAPE(n, SIDE, SIDE)), 0.3));
    const int64_t *digit = tg_const_data(*digits = tg_randint(t, 0, 10, TG_SHAPE(n)));
    const float *r = tg_const_data(tg_rand(t, TG_SHAPE(n, 2)));
    for (int64_t i = 0; r && i < n; i++, r += 2, x += SIDE * SIDE)
        for (int down = 0; down < 15; down++)
            for (int right = 0; right < 9; right++)
                x[(down + (int)(2 * r[0])) * SIDE + right + (int)(8 * r[1])] +=
                    (float)(dots[digit[i]] >> (14 - down / 3 * 3 - right / 3) & 1);
}

static tg_status train(const vit *m, tg_tape *t, tg_tensor one, report *page) {
    tg_optim *adamw = tg_adamw_new(t, tg_parameters(t), TG_ADAMW_DEFAULTS);
    tg_mark model = tg_tape_mark(t);
    for (int step = 1; step <= STEPS; step++) {
        tg_tensor x, y, weights = TG_NULL;
        make_images(t, 64, &x, &y);
        tg_tensor loss = tg_cross_entropy(vit_forward(m, x, NULL), y, TG_IGNORE_INDEX, TG_MEAN);
        tg_optim_zero_grad(adamw);
        tg_optim_set_lr(adamw, tg_lr_warmup_cosine(0.008, step, STEPS / 10, STEPS + 1));
        if (tg_backward(loss) || report_optim_step(page, step, adamw, loss))
            break;
        if (report_is_due(page, step) && !tg_is_null(vit_forward(m, one, &weights)))
            report_maps(page, step, 0, HEADS, tg_const_data(weights));
        if (step % 100 == 0)
            printf("step %d  loss %.4f\n", step, tg_item(loss));
        tg_tape_rewind(t, model);
    }
    return tg_tape_status(t);
}

static int fail(const char *why) { return fprintf(stderr, "vit: %s\n", why), 1; }
static int end(int status) { return fflush(stdout) || ferror(stdout) ? fail("could not write the output") : status; }

int main(int argc, char **argv) {
    static const char *const heads[] = {"head 1", "head 2", "head 3", "head 4"};
    static const char *const tokens[] = {"all", "1a", "1b", "1c", "1d", "2a", "2b", "2c", "2d",
                                         "3a",  "3b", "3c", "3d", "4a", "4b", "4c", "4d"};
    bool asked = argc == 2 && !strcmp(argv[1], "--help"), wants = argc == 3 && !strcmp(argv[1], "--report");
    char line[80], why[600];
    if (argc > 1 && !wants)
        return fprintf(asked ? stdout : stderr, "usage: vit [--report page.html]\n"), end(asked ? 0 : 2);
    if (wants && !report_check(argv[2], why, sizeof why))
        return fail(why);
    tg_tape *t = tg_tape_new(TG_F32);
    tg_manual_seed(t, 1);
    tg_tensor x, y, right;
    vit m = vit_new(t);
    report_plan plan = {argv[argc - 1],
                        "A vision transformer learns to read",
                        .loss = "cross entropy",
                        .last = STEPS,
                        .T = TOKENS,
                        .token = tokens,
                        .n_maps = HEADS,
                        .map = heads,
                        .parameters = tg_parameters(t)};
    report *page = wants ? report_new(&plan) : NULL;
    make_images(t, 1, &x, &y);
    if (train(&m, t, x, page))
        return fail(tg_error(t));
    make_images(t, 1000, &x, &y);
    right = tg_eq(tg_argmax(vit_forward(&m, x, NULL), 1, false), y);
    double n = tg_item(tg_sum(tg_to_float(right), TG_ALL_DIMS, false));
    snprintf(line, sizeof line, "of 1000 new images it reads %.0f", n);
    puts(line);
    if (!report_write(page, line, why, sizeof why))
        return fail(why);
    report_free(page);
    tg_tape_free(t);
    return end(n > 950 ? 0 : 1);
}
