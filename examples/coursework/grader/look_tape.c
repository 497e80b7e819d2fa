/* A1 and A2: the student's own tape, node by node. */
#include "harnessed.h"
#include "look.h"

#include <string.h>

static bool run_is_kept(look_run *run, tg_tensor last) {
    for (int i = 0; i < run->n; i++)
        if (tg_requires_grad(run->step[i].right) && tg_retain_grad(run->step[i].right))
            return false;
    return !tg_backward(tg_reshape(last, TG_SHAPE(1)));
}

static bool print_run(session *s, look_run *run, const char *symbol) {
    bool good = run_is_kept(run, run->step[run->n - 1].right);
    fprintf(s->detail, "\n{\"symbol\":\"%s\"", symbol);
    look_tape(s->detail, run);
    fprintf(s->detail, "}");
    return good;
}

/* ---- A1: y = (a b + a) tanh(a b), its nodes numbered as they are computed ---- */

enum { SCALARS = 6 };

bool look_scalars(session *s) {
    double kind[] = {SCALAR_LEAF, SCALAR_LEAF, SCALAR_MUL, SCALAR_ADD, SCALAR_CURVE, SCALAR_MUL};
    double a[] = {0, 0, 0, 2, 2, 3}, b[] = {0, 0, 1, 0, 2, 4}, order[SCALARS + 1] = {0};
    double value[] = {0.5, -1.5, NAN, NAN, NAN, NAN}, grad[] = {0.75, 0.75, 0.75, 0.75, 0.75, 0.75};
    double before[SCALARS], unused[SCALARS];
    const int size = SCALARS, variant = s->variant[s->task];
    sent forward[] = {{kind, size, false}, {a, size, false},     {b, size, false},
                      {value, size, true}, {unused, size, true}, {order, size + 1, true}};
    memcpy(unused, grad, sizeof grad);
    if (!ask(s, (double[]){ASK_FORWARD, SCALARS - 1}, 2, forward, 6))
        return false;
    tg_tape *t = tg_tape_new(TG_F64);
    look_run run = {.n = SCALARS};
    static const char *const name[] = {"a", "b", "p", "q", "h", "y"};
    const char *const made[] = {"input", "input", "a b", "p + a", variant ? "sin p" : "tanh p", "q h"};
    tg_tensor x[SCALARS];
    for (int i = 0; i < 2; i++) {
        x[i] = tg_from_doubles(t, TG_SHAPE(1), (double[]){i ? -1.5 : 0.5});
        tg_set_requires_grad(x[i], true);
    }
    x[2] = tg_mul(x[0], x[1]);
    x[3] = tg_add(x[2], x[0]);
    x[4] = variant ? tg_sin(x[2]) : tg_tanh(x[2]);
    x[5] = tg_mul(x[3], x[4]);
    memcpy(before, value, sizeof value);
    for (int i = 0; i < SCALARS; i++) { /* backward gets the right values */
        (void)!tg_read_doubles(x[i], &value[i], 1);
        run.step[i] = (look_step){.right = x[i], .n_from = i < 2 ? 0 : i == 4 ? 1 : 2};
        run.step[i].from[0] = (int)a[i];
        run.step[i].from[1] = (int)b[i];
        snprintf(run.step[i].name, sizeof run.step[i].name, "%s", name[i]);
        snprintf(run.step[i].made, sizeof run.step[i].made, "%s", made[i]);
        run.step[i].mine = &before[i];
        run.step[i].mine_grad = &grad[i];
    }
    sent back[] = {{kind, size, false}, {a, size, false},   {b, size, false},
                   {value, size, true}, {grad, size, true}, {order, size + 1, true}};
    bool good = ask(s, (double[]){ASK_BACKWARD, SCALARS - 1}, 2, back, 6) && print_run(s, &run, "your tape");
    tg_tape_free(t);
    return good;
}

/* ---- A2: sum((s * h) with s = softmax(h), h = curve(X W + b) ---- */

enum { NODES = 9, DATA = 15 };
static const double code[NODES * INSTRUCTION] = {DO_LEAF,    3, 2, 0, DO_LEAF, 2, 3, 6, DO_LEAF,  1, 3, 12,
                                                 DO_MATMUL,  0, 1, 0, DO_ADD,  3, 2, 0, DO_CURVE, 4, 0, 0,
                                                 DO_SOFTMAX, 5, 0, 0, DO_MUL,  6, 5, 0, DO_SUM,   7, 0, 0};

static tg_tensor node_of(tg_tape *t, int k, const tg_tensor *x, const double *data, int variant) {
    const double *i = code + k * INSTRUCTION;
    switch (k) {
    case 3: return tg_matmul(x[0], x[1]);
    case 4: return tg_add(x[3], x[2]);
    case 5: return variant ? tg_sigmoid(x[4]) : tg_tanh(x[4]);
    case 6: return tg_softmax(x[5], -1);
    case 7: return tg_mul(x[6], x[5]);
    case 8: return tg_reshape(tg_sum(x[7], TG_ALL_DIMS, false), TG_SHAPE(1, 1));
    default: break;
    }
    tg_tensor leaf = tg_from_doubles(t, TG_SHAPE((int64_t)i[1], (int64_t)i[2]), data + (int)i[3]);
    tg_set_requires_grad(leaf, true);
    return leaf;
}

bool look_program(session *s) {
    static const char *const name[] = {"X", "W", "b", "P", "A", "H", "S", "M", "y"};
    static const char *const made[] = {"leaf",    "leaf",      "leaf",  "X W",  "P + b",
                                       "curve A", "softmax H", "S * H", "sum M"};
    double program[NODES * INSTRUCTION], data[DATA], size[NODES], leaves[DATA] = {0};
    static double value[128], grad[128];
    tg_tape *t = random_tape(s, 5);
    tg_tensor x[NODES];
    look_run run = {.n = NODES};
    int64_t all = 0;
    memcpy(program, code, sizeof code);
    bool good = normals(t, data, DATA);
    for (int k = 0; k < NODES && good; k++) {
        x[k] = node_of(t, k, x, data, s->variant[s->task]);
        run.step[k] = (look_step){.right = x[k], .n_from = k < 3 ? 0 : k == 3 || k == 4 || k == 7 ? 2 : 1};
        run.step[k].from[0] = (int)code[k * INSTRUCTION + 1];
        run.step[k].from[1] = (int)code[k * INSTRUCTION + 2];
        snprintf(run.step[k].name, sizeof run.step[k].name, "%s", name[k]);
        snprintf(run.step[k].made, sizeof run.step[k].made, "%s", made[k]);
        run.step[k].mine = value + all;
        run.step[k].mine_grad = grad + all;
        size[k] = (double)tg_numel(x[k]);
        all += tg_numel(x[k]);
    }
    sent a[] = {{program, NODES * INSTRUCTION, false},
                {data, DATA, false},
                {value, all, true},
                {leaves, DATA, true},
                {size, NODES, false},
                {grad, all, true}};
    good = good && ask(s, (double[]){0}, 1, a, 6) && print_run(s, &run, "your engine");
    tg_tape_free(t);
    return good;
}
