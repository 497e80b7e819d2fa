/* The graphs that the exercises' pages draw: the formula of each exercise as the library records it, and backward. The
 * operations are those that the grader compares with, those that the library has as one taken apart into the steps of
 * the exercise's formula; the tasks that define no operation have a small computation of their own here. */
#include "grade.h"
#include "operations.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* The gradient that arrives here is to stand in the picture. */
static tg_tensor keep(tg_tensor x) { return tg_requires_grad(x) && tg_retain_grad(x) ? TG_NULL : x; }
static tg_tensor weight(tg_tape *t, const char *name, tg_shape shape) {
    return tg_parameter(t, name, tg_randn(t, shape));
}
static tg_tensor matmul_with_turned(tg_tensor a, tg_tensor b) { return keep(tg_matmul(a, tg_transpose(b, 0, 1))); }

/* ---- operations, in steps ---- */

static tg_tensor softmax(tg_tensor x) {
    tg_tensor e = keep(tg_exp(x));
    return keep(tg_div(e, keep(tg_sum(e, TG_DIMS(-1), true))));
}

/* 04 */
static tg_tensor softmax_steps(const tg_tensor *x, const how *h) {
    return softmax(h->variant == 0 ? x[0] : keep(tg_mul_scalar(x[0], h->variant == 1 ? 2 : 0.5)));
}

/* 05 */
static tg_tensor cross_entropy_steps(const tg_tensor *x, const how *h) {
    tg_tensor p = keep(tg_log(softmax(x[0]))), right = keep(tg_gather(p, 1, tg_unsqueeze(x[1], 1)));
    tg_tensor all =
        keep(tg_neg(h->variant == 1 ? tg_sum(right, TG_ALL_DIMS, false) : tg_mean(right, TG_ALL_DIMS, false)));
    return tg_reshape(h->variant == 2 ? tg_div_scalar(all, log(2)) : all, TG_SHAPE(1));
}

/* 08 */
static tg_tensor linear_steps(const tg_tensor *x, const how *h) {
    return tg_add(h->variant == 1 ? keep(tg_matmul(x[0], x[1])) : matmul_with_turned(x[0], x[1]), x[2]);
}

/* 14, as it stands on paper */
static tg_tensor logsumexp_steps(const tg_tensor *x, const how *h) {
    tg_tensor e = keep(tg_exp(x[0]));
    return tg_log(keep(h->variant == 1 ? tg_mean(e, TG_DIMS(-1), false) : tg_sum(e, TG_DIMS(-1), false)));
}

static tg_tensor bce_steps(const tg_tensor *x, const how *h) {
    tg_tensor each = keep(tg_sub(keep(tg_log1p(keep(tg_exp(x[0])))), tg_mul(x[0], tg_to_float(x[1]))));
    tg_tensor y = tg_mean(each, TG_ALL_DIMS, false);
    return tg_reshape(h->variant == 1 ? tg_div_scalar(y, log(2)) : y, TG_SHAPE(1));
}

static const struct {
    const op_spec *op;
    tg_tensor (*record)(const tg_tensor *x, const how *h);
} in_steps[] = {{&softmax_spec, softmax_steps},
                {&cross_entropy_spec, cross_entropy_steps},
                {&linear_spec, linear_steps},
                {&logsumexp_spec, logsumexp_steps},
                {&bce_spec, bce_steps}};

/* ---- tasks that define no operation; those of kind c are data, which has no gradient ---- */

/* A1: y = (a b + a) tanh(a b) */
static tg_tensor scalars(const tg_tensor *x, const how *h) {
    tg_tensor product = keep(tg_mul(x[0], x[1])), sum = keep(tg_add(product, x[0]));
    return tg_mul(sum, keep(h->variant == 1 ? tg_sin(product) : tg_tanh(product)));
}

/* A2: the program of its picture */
static tg_tensor program(const tg_tensor *x, const how *h) {
    tg_tensor XW = keep(tg_matmul(x[0], x[1])), curve = keep(h->variant == 1 ? tg_sigmoid(XW) : tg_tanh(XW));
    return tg_sum(keep(tg_mul(curve, curve)), TG_ALL_DIMS, false);
}

/* 11: parameters with gradients, which is what an optimizer is for */
static tg_tensor regression(const tg_tensor *x, const how *h) {
    (void)h;
    tg_tensor W = weight(x[0].tape, "W", TG_SHAPE(2, 3)), b = weight(x[0].tape, "b", TG_SHAPE(2));
    return tg_mse_loss(keep(tg_linear(x[0], W, b)), x[1], TG_MEAN);
}

/* 12, 13: a layer of causal attention, x (T, 3), and its loss against y (T, 2) */
static tg_tensor layer(const tg_tensor *x, const how *h, bool sum, int scale) {
    static const char *const name[] = {"W_query", "b_query", "W_key", "b_key", "W_value", "b_value"};
    tg_tensor q[3];
    for (int i = 0; i < 3; i++) {
        tg_tensor W = weight(x[0].tape, name[2 * i], TG_SHAPE(2, 3));
        tg_tensor b = weight(x[0].tape, name[2 * i + 1], TG_SHAPE(2));
        q[i] = keep(tg_linear(x[0], W, b));
    }
    return tg_mse_loss(keep(attention_of(q, true, scale, 0, h)), x[1], sum ? TG_SUM : TG_MEAN);
}
static tg_tensor training(const tg_tensor *x, const how *h) { return layer(x, h, h->variant == 1, 0); }
static tg_tensor hunted(const tg_tensor *x, const how *h) { return layer(x, h, h->variant == 1, h->variant); }

/* 15: four layers of relu(x W), or tanh */
static tg_tensor depth(const tg_tensor *x, const how *h) {
    static const char *const name[] = {"W1", "W2", "W3", "W4"};
    tg_tensor y = x[0];
    for (int i = 0; i < 4; i++) {
        y = keep(tg_matmul(y, weight(x[0].tape, name[i], TG_SHAPE(8, 8))));
        y = keep(h->variant == 1 ? tg_tanh(y) : tg_relu(y));
    }
    return tg_var(y, TG_ALL_DIMS, 0, false);
}

/* 18: a function whose gradient the judge may be asked about */
static tg_tensor judged(const tg_tensor *x, const how *h) {
    (void)h;
    return tg_sum(keep(tg_mul(x[1], keep(tg_sin(x[0])))), TG_ALL_DIMS, false);
}

/* 19: x are the question, the key, the value; six of each */
static tg_tensor recall(const tg_tensor *x, const how *h) {
    tg_tape *t = x[0].tape;
    tg_tensor Q = keep(tg_matmul(x[0], weight(t, "W_query", TG_SHAPE(6, 6))));
    tg_tensor K = keep(tg_matmul(x[1], weight(t, "W_key", TG_SHAPE(6, 6))));
    tg_tensor scores = keep(tg_div_scalar(matmul_with_turned(Q, K), h->variant == 1 ? 6 : sqrt(6)));
    tg_tensor guess = keep(tg_matmul(keep(tg_softmax(scores, -1)), x[2]));
    tg_tensor answer = tg_buffer(t, "answer", tg_randn(t, TG_SHAPE(6, 4)));
    return tg_div_scalar(tg_sum(tg_square(keep(tg_sub(guess, answer))), TG_ALL_DIMS, false), 6);
}

#define DATA(...)                 \
    (const op_case[]) {           \
        { {__VA_ARGS__}, {0}, 0 } \
    }
static const struct {
    const char *number;
    op_spec op;
} computations[] = {
    {"A1",
     {.symbol = "expression",
      .result = "y",
      .operand = {"a", "b"},
      .kind = "ff",
      .cases = DATA(SHAPE(1), SHAPE(1)),
      .reference = scalars}},
    {"A2",
     {.symbol = "program",
      .result = "y",
      .operand = {"X", "W"},
      .kind = "ff",
      .cases = DATA(SHAPE(3, 4), SHAPE(4, 2)),
      .reference = program}},
    {"11",
     {.symbol = "regression",
      .result = "loss",
      .operand = {"X", "target"},
      .kind = "cc",
      .cases = DATA(SHAPE(4, 3), SHAPE(4, 2)),
      .reference = regression}},
    {"12",
     {.symbol = "layer",
      .result = "loss",
      .operand = {"x", "y"},
      .kind = "cc",
      .cases = DATA(SHAPE(6, 3), SHAPE(6, 2)),
      .reference = training}},
    {"13",
     {.symbol = "layer",
      .result = "loss",
      .operand = {"X", "target"},
      .kind = "cc",
      .cases = DATA(SHAPE(6, 3), SHAPE(6, 2)),
      .reference = hunted}},
    {"15",
     {.symbol = "layers",
      .result = "variance",
      .operand = {"x"},
      .kind = "c",
      .cases = DATA(SHAPE(16, 8)),
      .reference = depth}},
    {"18",
     {.symbol = "function",
      .result = "f",
      .operand = {"x", "w"},
      .kind = "fc",
      .cases = DATA(SHAPE(12), SHAPE(12)),
      .reference = judged}},
    {"19",
     {.symbol = "recall",
      .result = "loss",
      .operand = {"question", "key", "value"},
      .kind = "ccc",
      .cases = DATA(SHAPE(6, 6), SHAPE(6, 6), SHAPE(6, 4)),
      .reference = recall}},
};

/* ---- the pictures ---- */

/* The k-th that the page of t draws; NULL after the last one. */
static const op_spec *drawn(const task_spec *t, int k) {
    for (size_t i = 0; i < sizeof computations / sizeof *computations; i++)
        if (strcmp(computations[i].number, t->number) == 0)
            return k ? NULL : &computations[i].op;
    const op_spec *last = NULL;
    for (int i = 0; i < parts_of(t); i++)
        if (t->part[i].op != last && (last = t->part[i].op) && k-- == 0)
            return last;
    return NULL;
}

/* Records r's operation, in steps where there are any, which have to have the same value. */
static tg_tensor record(trial *r) {
    for (size_t i = 0; i < sizeof in_steps / sizeof *in_steps; i++)
        if (in_steps[i].op == r->op) {
            tg_tensor y = in_steps[i].record(r->x, &r->h);
            double mine[64];
            bool same = tg_numel(y) <= 64 && !tg_read_doubles(y, mine, tg_numel(y)) && compute_value(r) &&
                        same_numbers(mine, r->value, tg_numel(y));
            return same ? y : TG_NULL;
        }
    return r->op->reference(r->x, &r->h);
}

/* A figure: what is made of which shapes, and the tape with the gradients after backward: of one number, or of several
 * at which random numbers arrive. */
static bool draw(session *s, const op_spec *op) {
    trial r;
    note_list notes = {.n = 0};
    bool good = open_inputs(&r, s, op, op->cases, 0);
    for (int i = 0; good && i < r.n_inputs; i++)
        good = !tg_is_null((is_float(&r, i) ? tg_parameter : tg_buffer)(r.t, op->operand[i], r.x[i]));
    r.h.notes = &notes;
    tg_tensor y = good ? keep(record(&r)) : TG_NULL;
    tg_shape shape = tg_shape_of(y);
    good = good && !tg_backward_with(y, tg_numel(y) == 1 ? tg_ones(r.t, shape) : tg_randn(r.t, shape));
    fprintf(s->detail, "<figure>\n<figcaption>%s %s, made of ", op->result, tg_shape_text(&shape).s);
    print_shapes(s->detail, &r);
    fprintf(s->detail,
            "</figcaption>\n<div class=\"scroll graph\" tabindex=\"0\" role=\"region\" aria-label=\"Graph of %s\">\n",
            op->symbol);
    good = good && !tg_graph_svg(s->detail, y);
    fprintf(s->detail, "</div>\n</figure>\n");
    if (!good)
        fprintf(stderr, "grade: %s cannot be drawn: %s\n", op->symbol, r.t ? tg_error(r.t) : "out of memory");
    close_trial(&r);
    return good;
}

bool draw_exercise(FILE *out, const settings *set, const task_spec *t) {
    session s = {.seed = set->seed, .variant = set->variant, .task = (int)(t - tasks), .detail = out};
    const op_spec *op;
    bool good = true;
    for (int k = 0; good && (op = drawn(t, k)) != NULL; k++)
        good = draw(&s, op);
    return good;
}
