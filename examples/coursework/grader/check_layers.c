/* 15: initialisation, and what becomes of the variance through layers. */
#include "harnessed.h"

#include <string.h>

enum { LAYERS = 10, WIDTH = 24, ROWS = 32 };
static double layer_input[ROWS * WIDTH], layer_normal[LAYERS * WIDTH * WIDTH], layer_W[LAYERS * WIDTH * WIDTH];

/* The ways to fail: see variance_words. */
typedef enum {
    NO_SLIP,
    NO_ACTIVATION,
    OTHER_ACTIVATION,
    MEAN_NOT_TAKEN_OFF,
    ONE_LESS,
    AFTER_ACTIVATION,
    ROOT_OF_IT,
    FIRST_WEIGHTS,
    SLIPS
} slip;
static const char *const variance_words[SLIPS] = {
    [NO_ACTIVATION] = "no activation: z goes into the next layer as it is",
    [OTHER_ACTIVATION] = "another activation: this is not the function that your page names",
    [MEAN_NOT_TAKEN_OFF] = "mean not taken off: this is the mean of z^2, not of (z - mean)^2",
    [ONE_LESS] = "n - 1 for n: the variance is the mean over all elements",
    [AFTER_ACTIVATION] = "after the activation: the variance is that of z, before it",
    [ROOT_OF_IT] = "deviation for variance: this is the root of it",
    [FIRST_WEIGHTS] = "one matrix for all: each layer has weights of its own"};

static void variances(int variant, slip what, double *out) {
    static double x[ROWS * WIDTH], z[ROWS * WIDTH];
    memcpy(x, layer_input, sizeof x);
    for (int l = 0; l < LAYERS; l++) {
        const double *W = layer_W + (what == FIRST_WEIGHTS ? 0 : l) * WIDTH * WIDTH;
        double mean = 0, square = 0;
        for (int k = 0; k < ROWS * WIDTH; k++) {
            z[k] = 0;
            for (int i = 0; i < WIDTH; i++)
                z[k] += x[k / WIDTH * WIDTH + i] * W[i * WIDTH + k % WIDTH];
        }
        for (int k = 0; k < ROWS * WIDTH; k++) {
            double active = (what == OTHER_ACTIVATION ? !variant : variant) ? tanh(z[k]) : fmax(z[k], 0);
            x[k] = what == NO_ACTIVATION ? z[k] : active;
            z[k] = what == AFTER_ACTIVATION ? active : z[k];
            mean += what == MEAN_NOT_TAKEN_OFF ? 0 : z[k] / (ROWS * WIDTH);
        }
        for (int k = 0; k < ROWS * WIDTH; k++)
            square += (z[k] - mean) * (z[k] - mean) / (ROWS * WIDTH - (what == ONE_LESS));
        out[l] = what == ROOT_OF_IT ? sqrt(square) : square;
    }
}

static bool draw_layers(const session *s) {
    tg_tape *t = random_tape(s, 3);
    bool good = normals(t, layer_input, ROWS * WIDTH) && normals(t, layer_normal, LAYERS * WIDTH * WIDTH);
    tg_tape_free(t);
    return good;
}

static double right_deviation(int variant, double fan_in) { return variant ? 5 / sqrt(fan_in) / 3 : sqrt(2 / fan_in); }

verdict check_init(session *s) {
    static const int sizes[][2] = {{24, 24}, {64, 8}, {8, 64}};
    verdict v = draw_layers(s) ? fine : wrong("grader", "grader", "out of memory");
    for (int k = 0; k < 3 && v.right; k++) {
        int in = sizes[k][0], out = sizes[k][1];
        memset(layer_W, 0, sizeof layer_W);
        sent a[] = {{layer_W, in * out, true}, {layer_normal, in * out, false}};
        if (!ask(s, (double[]){ASK_INIT, in, out}, 3, a, 2))
            return failed(s, "init_weights");
        double factor = ratio_of(layer_W, layer_normal, in * out), wanted = right_deviation(s->variant[s->task], in);
        if (all_zero(layer_W, in * out)) {
            v = wrong("init_weights", "zero",
                      "all weights are 0: every unit computes the same and gets the same gradient");
            v.untouched = true;
        } else if (!isfinite(factor))
            v = wrong("init_weights", "not a multiple", "W is not a multiple of the normal numbers");
        else if (fabs(factor - wanted * wanted) < 1e-6)
            v = wrong("init_weights", "variance for deviation",
                      "the numbers are multiplied by the variance, not its root");
        else if (fabs(factor - right_deviation(!s->variant[s->task], in)) < 1e-6)
            v = wrong("init_weights", "another activation's", "this is the deviation for %s",
                      s->variant[s->task] ? "relu; yours is tanh" : "tanh; yours is relu");
        else if (fabs(factor - wanted / sqrt(2)) < 1e-6)
            v = wrong("init_weights", "factor forgotten",
                      "the variance is 1 / fan_in here: the factor that makes up for the "
                      "activation is missing");
        else if (in != out && fabs(factor - right_deviation(s->variant[s->task], out)) < 1e-6)
            v = wrong("init_weights", "fan_out for fan_in", "a z is a sum of fan_in terms");
        else if (fabs(factor - wanted) > 1e-6)
            v = wrong("init_weights", "wrong deviation",
                      "the standard deviation is %g for fan_in %d and fan_out %d, it should be %g", factor, in, out,
                      wanted);
        if (!v.right)
            at_element(&v, layer_W[0], wanted * layer_normal[0],
                       "W[0], of the normal number %.4g, fan_in %d, fan_out %d,", layer_normal[0], in, out);
    }
    return says(s, "init_weights", v);
}

static bool ask_variances(session *s, double *out) {
    sent a[] = {{layer_input, ROWS * WIDTH, false}, {layer_W, LAYERS * WIDTH * WIDTH, false}, {out, LAYERS, true}};
    return ask(s, (double[]){ASK_VARIANCE, ROWS, WIDTH, LAYERS}, 4, a, 3);
}

/* Each to five digits of itself: they differ in size. */
static bool same_layers(const double *a, const double *b) {
    for (int l = 0; l < LAYERS; l++)
        if (!(fabs(a[l] - b[l]) <= 1e-5 * fabs(b[l])))
            return false;
    return true;
}

static void tell_layer(verdict *v, const double *mine, const double *right) {
    int l = 0;
    while (l < LAYERS - 1 && fabs(mine[l] - right[l]) <= 1e-5 * fabs(right[l]))
        l++;
    at_element(v, mine[l], right[l], "variance[%d]", l);
}

static void name_slip(int variant, const double *mine, verdict *v) {
    double made[LAYERS];
    for (int k = 1; k < SLIPS; k++) {
        variances(variant, (slip)k, made);
        if (same_layers(mine, made))
            name_mistake(v, variance_words[k]);
    }
}

verdict check_variances(session *s) {
    double right[LAYERS], mine[LAYERS] = {0};
    if (!draw_layers(s))
        return wrong("grader", "grader", "out of memory");
    for (int k = 0; k < LAYERS * WIDTH * WIDTH; k++)
        layer_W[k] = 0.25 * layer_normal[k];
    variances(s->variant[s->task], NO_SLIP, right);
    verdict v = fine;
    if (!ask_variances(s, mine))
        return failed(s, "variance_through_depth");
    if (all_zero(mine, LAYERS)) {
        v = wrong("variance_through_depth", "zero", "variance is not filled");
        tell_layer(&v, mine, right);
        v.untouched = true;
    } else if (!same_layers(mine, right)) {
        v = wrong("variance_through_depth", "wrong variance", "what goes into the layers before is right");
        if (same_numbers(mine, right, 1))
            v = wrong("variance_through_depth", "wrong from layer 2 on",
                      "the first is right: what goes into the next layer?");
        tell_layer(&v, mine, right);
        name_slip(s->variant[s->task], mine, &v);
    }
    return says(s, "variance_through_depth", v);
}

/* A bar for each layer, a dot every factor of 2 from 2^-12 to 2^12. */
static void plot(FILE *file, const double *variance) {
    fprintf(file, "      layer   variance   2^-12 ................ 1 ................ 2^12\n");
    for (int l = 0; l < LAYERS; l++) {
        double bar = variance[l] > 0 ? round(12 + log2(variance[l])) : 0;
        fprintf(file, "      %5d %10.3g   %.*s\n", l + 1, variance[l], (int)fmin(24, fmax(0, bar)),
                "########################");
    }
}

/* The student's weights in every layer, and the student's own measurement of them. */
verdict check_depth(session *s) {
    double right[LAYERS], mine[LAYERS] = {0};
    if (!draw_layers(s))
        return wrong("grader", "grader", "out of memory");
    for (int l = 0; l < LAYERS; l++) {
        sent a[] = {{layer_W + l * WIDTH * WIDTH, WIDTH * WIDTH, true},
                    {layer_normal + l * WIDTH * WIDTH, WIDTH * WIDTH, false}};
        if (!ask(s, (double[]){ASK_INIT, WIDTH, WIDTH}, 3, a, 2))
            return failed(s, "init_weights");
    }
    variances(s->variant[s->task], NO_SLIP, right);
    if (!ask_variances(s, mine))
        return failed(s, "variance_through_depth");
    plot(s->detail, mine);
    verdict v = fine;
    double change = right[LAYERS - 1] / right[0];
    if (!same_numbers(mine, right, LAYERS) || all_zero(mine, LAYERS)) {
        v = wrong("both together", "wrong variance", "the variances are not those of your weights");
        v.untouched = all_zero(mine, LAYERS);
    } else if (!(change > 0.1 && change < 10))
        v = wrong("both together", change < 1 ? "it dies" : "it explodes",
                  "after %d layers the variance is %g times that "
                  "of the first",
                  LAYERS, change);
    if (!v.right)
        tell_layer(&v, mine, right);
    return says(s, "your weights through your layers", v);
}
