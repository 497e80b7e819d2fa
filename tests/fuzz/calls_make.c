/* Random programs of calls: the calls. */
#include "tests/fuzz/calls.h"
#include "tests/operations.h"

#include <math.h>

static tg_mark *some_mark(void) { return &w.mark[choose(&w.dice, MARKS)]; }
static bool yes(void) { return chance(&w.dice, 50); }

/* ---- operations ---- */

/* One of the table, with any operands: that is most often an error. Those of shapes are views. */
static void call_operation(void) {
    const operation *o = &operations[choose(&w.dice, n_operations)];
    tg_tensor index = TG_NULL;
    arguments a = default_arguments();
    for (int i = 0; i < MAX_TENSORS; i++)
        a.x[i] = i < 3 ? any() : TG_NULL;
    for (int i = 0; i < MAX_INTEGERS; i++)
        a.i[i] = yes() ? dim() : choose(&w.dice, 3);
    for (int i = 0; i < MAX_NUMBERS_GIVEN; i++)
        a.d[i] = yes() ? 0.5 : number();
    a.n = 1 + (int)choose(&w.dice, 3);
    a.flag = yes();
    a.dims = some_dims();
    a.shape = yes() ? small_shape() : TG_SHAPE(-1);
    a.reduction = (tg_reduction)choose(&w.dice, 3);
    a.index = yes() ? &index : NULL;
    keep(o->call(&a));
    if (!tg_is_null(index))
        keep(index);
}

/* What most programs are made of, one in three of these calls. */
static void call_elementwise(void) {
    const operation *o;
    do
        o = &operations[choose(&w.dice, n_operations)];
    while (strcmp(o->types, "x") != 0 && strcmp(o->types, "xx") != 0);
    arguments a = {.x = {any(), any()}};
    keep(o->call(&a));
}

static void call_custom(void) { (void)custom_of(any()); }
static void call_multinomial(void) { keep(tg_multinomial(any(), 1 + choose(&w.dice, 3), yes())); }

/* ---- leaves ---- */

static void call_leaf(void) { keep(chance(&w.dice, 80) ? leaf() : tg_randint(w.t, 0, 2, small_shape())); }
static void call_write(void) {
    double values[32];
    for (int i = 0; i < 32; i++)
        values[i] = number();
    tg_tensor x = any();
    int64_t n = tg_numel(x);
    if (n <= 32)
        (void)!tg_write_doubles(x, values, n);
}
static void call_fill(void) { keep(tg_fill_(any(), number())); }
static void call_copy(void) { (void)!tg_copy_(any(), any()); }
static void call_data(void) {
    tg_tensor x = any();
    void *data = tg_data(x);
    if (data && tg_numel(x) > 0 && tg_dtype_of(x) == TG_F64)
        *(double *)data += 1;
}
static void call_switch(void) { (void)tg_set_requires_grad(any(), yes()); }

/* ---- reading ---- */

/* A place that depends on what was read: what MemorySanitizer sees of a number that was never written. */
static volatile int signs[2];

static void call_read(void) {
    double values[256];
    tg_tensor x = any();
    int64_t n = tg_numel(x);
    if (n < 0 || n > 256 || tg_read_doubles(x, values, n))
        return;
    for (int64_t i = 0; i < n; i++)
        signs[values[i] > 0]++;
    signs[tg_item(x) > 0]++;
}
static void call_print(void) { (void)!tg_print(w.sink, any()); }
static void call_graph(void) { (void)!(yes() ? tg_graph_dot(w.sink, any()) : tg_graph_svg(w.sink, any())); }
static void call_grad(void) { keep(tg_grad(any())); }
static void call_ask(void) {
    tg_tensor x = any();
    fprintf(w.sink, "%d %d %d %s", tg_ndim(x), tg_has_grad(x), tg_is_leaf(x), tg_describe(x).s);
}

/* ---- modes ---- */

static void call_anomaly(void) { tg_set_anomaly_mode(w.t, yes()); }
static void call_no_grad(void) { (yes() ? tg_no_grad_begin : tg_no_grad_end)(w.t); }
static void call_grad_again(void) {
    while (chance(&w.dice, 70))
        tg_no_grad_end(w.t);
}
static void call_train(void) { (yes() ? tg_train : tg_eval)(w.t); }
static void call_profile(void) { tg_set_profile(w.t, yes()); }
static void call_log(void) { tg_log_backward(w.t, yes() ? w.sink : NULL); }
static void call_refuse(void) { w.refuse = choose(&w.dice, 12); }

/* ---- scopes ---- */

static void call_begin(void) { tg_checkpoint_begin(w.t); }
static void call_end(void) { keep(tg_checkpoint_end(w.t, any())); }

/* A scope as programs have it, with a result from inside. */
static void call_scope(void) {
    tg_checkpoint_begin(w.t);
    tg_tensor y = tg_square(any());
    keep(y);
    make_calls(choose(&w.dice, 5));
    keep(tg_checkpoint_end(w.t, yes() ? tg_tanh(y) : any()));
}

/* ---- the tape ---- */

static void call_mark(void) { w.mark[1 + choose(&w.dice, MARKS - 1)] = tg_tape_mark(w.t); }
static void call_rewind(void) {
    if (chance(&w.dice, 75) || tg_tape_rewind(w.t, *some_mark()))
        return;
    for (int i = 1; i < MARKS; i++)
        w.mark[i] = chance(&w.dice, 70) ? tg_tape_mark(w.t) : w.mark[i];
}
static void call_replay(void) { (void)!tg_replay(w.t, yes() ? w.mark[0] : *some_mark()); }
static void call_clear(void) { tg_clear_error(w.t); }
static void call_alloc(void) { (void)tg_tape_alloc(w.t, 3, 8); }

/* ---- gradients ---- */

static int hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)context;
    keep(x);
    make_calls_inside();
    return chance(&w.dice, 3);
}

static void call_hook(void) { (void)!tg_register_hook(any(), hook, NULL); }
static void call_retain(void) { (void)!tg_retain_grad(any()); }
static void call_backward(void) { (void)!tg_backward(scalar_of(any())); }
static void call_backward_with(void) {
    tg_tensor y = any();
    (void)!tg_backward_with(y, yes() ? any() : tg_ones(w.t, tg_shape_of(y)));
}
static void call_zero(void) {
    if (yes())
        tg_zero_grads(w.t);
    else
        tg_zero_grad(any());
}
static void call_gradients(void) {
    tg_tensor xs[] = {any(), any()}, dxs[2];
    if (!tg_gradients(scalar_of(any()), TG_NULL, xs, 1 + (int)choose(&w.dice, 2), dxs))
        keep(dxs[0]);
}
static void call_jvp(void) {
    tg_tensor x = any(), v = tg_ones(w.t, tg_shape_of(x)), jv;
    if (!tg_jvp(any(), &x, &v, 1, &jv))
        keep(jv);
}
static void call_hvp(void) {
    tg_tensor x = any(), v = tg_ones(w.t, tg_shape_of(x)), hv;
    if (!tg_hvp(scalar_of(any()), &x, &v, 1, &hv))
        keep(hv);
}

/* A chain through a custom operation, from a leaf, along a direction: its grad sees what a jvp does not compute. */
static void call_chain(void) {
    tg_tensor x = leaf(), v = tg_ones(w.t, tg_shape_of(x)), y, d;
    y = tg_tanh(custom_of(tg_mul(x, x)));
    keep(yes() ? x : y);
    if (yes() ? !tg_jvp(y, &x, &v, 1, &d) : !tg_hvp(scalar_of(y), &x, &v, 1, &d))
        keep(d);
}
static void call_jacobian(void) { keep(yes() ? tg_jacobian(any(), any()) : tg_hessian(scalar_of(any()), any())); }

static int ready(int block, void *gradient, int64_t n, void *context) {
    (void)block, (void)gradient, (void)n, (void)context;
    make_calls_inside();
    return chance(&w.dice, 3);
}
static void call_flat(void) {
    tg_tensor leaves[] = {any(), any()};
    (void)!tg_flatten_gradients((tg_list){w.t, 2, leaves}, 64, 64, ready, NULL);
}

/* ---- one of them ---- */

static const struct {
    void (*call)(void);
    int weight;
} calls[] = {
    {call_elementwise, 26}, {call_operation, 28}, {call_multinomial, 1},   {call_leaf, 5},     {call_write, 4},
    {call_fill, 1},         {call_copy, 2},       {call_data, 1},          {call_switch, 2},   {call_read, 8},
    {call_print, 1},        {call_graph, 1},      {call_grad, 2},          {call_ask, 1},      {call_anomaly, 2},
    {call_no_grad, 2},      {call_grad_again, 3}, {call_train, 1},         {call_profile, 1},  {call_log, 1},
    {call_refuse, 1},       {call_begin, 1},      {call_end, 8},           {call_scope, 5},    {call_mark, 3},
    {call_rewind, 4},       {call_replay, 3},     {call_clear, 4},         {call_alloc, 1},    {call_hook, 3},
    {call_retain, 2},       {call_backward, 9},   {call_backward_with, 3}, {call_zero, 1},     {call_gradients, 4},
    {call_jvp, 4},          {call_hvp, 2},        {call_chain, 4},         {call_jacobian, 1}, {call_flat, 1},
    {call_custom, 14},
};
enum { CALLS = sizeof calls / sizeof *calls };

void make_call(void) {
    int total = 0, i = 0;
    for (int k = 0; k < CALLS; k++)
        total += calls[k].weight;
    int64_t at = choose(&w.dice, total);
    while (at >= calls[i].weight)
        at -= calls[i++].weight;
    calls[i].call();
}
