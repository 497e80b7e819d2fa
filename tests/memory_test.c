/* Out of memory, at every single allocation in turn, once or from then on: a status, never a crash; parameters as they
 * were; once there is memory again the program goes on to the same result; everything is returned at the end. And a
 * training loop that allocates nothing. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/ops.h"
#include "tests/support.h"

#include <unistd.h>

static void want_usable(tg_tape *t) {
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), y = tg_sum(tg_square(x), TG_ALL_DIMS, false);
    ck_assert_msg(tg_backward(y) == TG_OK && tg_item(y) == 14, "%s", tg_error(t));
    WANT_GRAD(x, 2, 4, 6);
}

/* ---- a training loop ---- */

typedef struct model {
    tg_nn_embedding tokens;
    tg_nn_causal_attention attention;
    tg_nn_linear head;
    tg_optim *adam;
    tg_tensor ids, targets;
    tg_mark built;
} model;

enum { STEPS = 3, MAX_NUMBERS = 128 };

static bool build(tg_tape *t, model *m) {
    tg_manual_seed(t, 7);
    m->tokens = tg_nn_embedding_new(t, "tokens", 5, 3);
    m->attention = tg_nn_causal_attention_new(t, "attention", 3, 2, 4, 0, true);
    m->head = tg_nn_linear_new(t, "head", 2, 5, true);
    m->ids = tg_from_ints(t, TG_SHAPE(2, 4), (int64_t[]){0, 1, 2, 3, 4, 3, 2, 1});
    m->targets = tg_from_ints(t, TG_SHAPE(2, 4), (int64_t[]){1, 2, 3, 4, 3, 2, 1, 0});
    m->adam = tg_adam_new(t, tg_parameters(t), TG_ADAM_DEFAULTS);
    m->built = tg_tape_mark(t);
    return tg_tape_status(t) == TG_OK && m->adam;
}

static tg_status step(tg_tape *t, model *m) {
    tg_optim_zero_grad(m->adam);
    tg_tensor x = tg_nn_embedding_forward(&m->tokens, m->ids);
    tg_checkpoint_begin(t);
    tg_tensor h = tg_checkpoint_end(t, tg_nn_causal_attention_forward(&m->attention, x, NULL));
    tg_tensor y = tg_nn_linear_forward(&m->head, h);
    tg_status bad = tg_retain_grad(x);
    if (!bad)
        bad = tg_backward(tg_cross_entropy(y, m->targets, TG_IGNORE_INDEX, TG_MEAN));
    if (!bad)
        bad = tg_clip_grad_norm(tg_parameters(t), 1, 2, NULL);
    if (!bad)
        bad = tg_optim_step(m->adam);
    if (tg_tape_rewind(t, m->built))
        return TG_ERR_STATE;
    return bad;
}

/* All parameters, one behind the other; how many numbers. */
static int64_t parameters(tg_tape *t, double *out) {
    int64_t n = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        const tg_node *x = t->nodes[i];
        if (!x->extra || !x->extra->is_parameter)
            continue;
        ck_assert_int_le(n + x->numel, MAX_NUMBERS);
        memcpy(out + n, x->data, (size_t)x->numel * sizeof(double));
        n += x->numel;
    }
    return n;
}

/* Train with the given call refused; the parameters in the end. False when there was no such call. */
static bool train(int64_t refuse, bool for_good, double *result) {
    memory m = {.refuse = refuse, .for_good = for_good};
    model net;
    if (!memory_tape(&m, TG_F64)) {
        ck_assert(m.refused && m.bytes == 0);
        return true;
    }
    tg_mark empty = tg_tape_mark(m.tape);
    if (!build(m.tape, &net)) {
        want_out_of_memory(&m, "building");
        ck_assert_int_eq(tg_tape_rewind(m.tape, empty), TG_OK);
        ck_assert_msg(build(m.tape, &net), "%s", tg_error(m.tape));
    }
    for (int i = 0; i < STEPS; i++) {
        double before[MAX_NUMBERS], after[MAX_NUMBERS];
        int64_t n = parameters(m.tape, before);
        if (!step(m.tape, &net))
            continue;
        want_out_of_memory(&m, "a step");
        ck_assert_msg(parameters(m.tape, after) == n && memcmp(before, after, (size_t)n * sizeof *before) == 0,
                      "call %lld refused: the parameters changed", (long long)refuse);
        ck_assert_msg(step(m.tape, &net) == TG_OK, "%s", tg_error(m.tape));
    }
    ck_assert_msg(!m.refused, "call %lld was refused and nobody said so", (long long)refuse);
    parameters(m.tape, result);
    bool reached = m.calls > refuse;
    memory_free(&m);
    return reached;
}

START_TEST(training_survives_every_refused_allocation)
{
    double expected[MAX_NUMBERS] = {0}, got[MAX_NUMBERS] = {0};
    train(-1, false, expected);
    for (int for_good = 0; for_good < 2; for_good++) {
        int64_t n = 1;
        for (; train(n, for_good, got); n++)
            ck_assert_msg(memcmp(expected, got, sizeof got) == 0, "call %lld refused: another result", (long long)n);
        ck_assert(train(0, for_good, got));
        ck_assert_msg(n > 60, "only %lld allocations were refused", (long long)n);
    }
}
END_TEST

START_TEST(a_steady_training_loop_allocates_nothing)
{
    memory m = {.refuse = -1};
    model net;
    tg_tape *t = memory_tape(&m, TG_F64);
    ck_assert(build(t, &net));
    ck_assert_int_eq(step(t, &net), TG_OK);
    ck_assert_int_eq(step(t, &net), TG_OK);
    int64_t calls = m.calls;
    size_t used = tg_tape_memory(t).used;
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(step(t, &net), TG_OK);
    ck_assert_int_eq(m.calls, calls);
    ck_assert(tg_tape_memory(t).used == used && tg_tape_memory(t).reserved == m.bytes);
    tg_tape_free(t);
    ck_assert(m.bytes == 0);
}
END_TEST

START_TEST(what_tensors_take_is_used)
{
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_mark empty = tg_tape_mark(t);
    size_t none = tg_tape_memory(t).used;
    tg_zeros(t, TG_SHAPE(10, 1000));
    size_t used = tg_tape_memory(t).used - none;
    ck_assert_msg(used >= 80000 && used < 81000, "%zu", used);
    ck_assert_int_eq(tg_tape_rewind(t, empty), TG_OK);
    ck_assert(tg_tape_memory(t).used == none && tg_tape_memory(t).used_peak >= none + used);
    memory_free(&m);
}
END_TEST

/* ---- every operation ---- */

/* Record and differentiate the op's example. 0: there is no such variant; 1: memory was refused; 2: done. */
static int run_probe(const tg_op *op, int variant, int64_t refuse, bool for_good) {
    memory m = {.refuse = refuse, .for_good = for_good};
    if (!memory_tape(&m, TG_F64))
        return 1;
    tg_manual_seed(m.tape, 3);
    tg_tensor y = op->probe(m.tape, variant);
    bool exists = !tg_is_null(y) || m.refused;
    if (exists && !m.refused && tg_requires_grad(y)) {
        tg_tensor cotangent = tg_ones(m.tape, tg_shape_of(y));
        tg_status bad = tg_backward_with(y, cotangent);
        ck_assert_msg(bad == tg_tape_status(m.tape), "%s probe %d: %d", op->name, variant, (int)bad);
        for (uint32_t i = 0; bad && i < m.tape->count; i++)
            ck_assert_msg(!m.tape->nodes[i]->has_grad, "%s probe %d: half a gradient", op->name, variant);
    }
    bool refused = m.refused;
    if (refused) {
        want_out_of_memory(&m, op->name);
        want_usable(m.tape);
    } else
        ck_assert_msg(tg_tape_status(m.tape) == TG_OK, "%s probe %d: %s", op->name, variant, tg_error(m.tape));
    memory_free(&m);
    return !exists ? 0 : refused ? 1 : 2;
}

/* The op's example on one tape again and again; false: there is no such variant. */
static bool repeat_probe(const tg_op *op, int variant) {
    memory m = {.refuse = -1};
    tg_tape *t = memory_tape(&m, TG_F64);
    tg_mark empty = tg_tape_mark(t);
    size_t used = 0;
    bool exists = true;
    for (int turn = 0; turn < 3 && exists; turn++) {
        tg_manual_seed(t, 3);
        tg_tensor y = op->probe(t, variant);
        exists = !tg_is_null(y);
        if (exists && tg_requires_grad(y))
            ck_assert_int_eq(tg_backward_with(y, tg_ones(t, tg_shape_of(y))), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(t, empty), TG_OK);
        ck_assert_msg(turn == 0 || tg_tape_memory(t).used == used, "%s probe %d, turn %d: %zu bytes in use, not %zu",
                      op->name, variant, turn, tg_tape_memory(t).used, used);
        used = tg_tape_memory(t).used;
    }
    memory_free(&m);
    return exists;
}

START_TEST(every_op_gives_back_what_it_took)
{
    for (int i = 0; i < N_OPS; i++)
        for (int variant = 0; repeat_probe(ops[i], variant); variant++)
            ;
}
END_TEST

START_TEST(every_op_survives_every_refused_allocation)
{
    for (int i = 0; i < N_OPS; i++)
        for (int variant = 0; run_probe(ops[i], variant, -1, false); variant++) {
            int64_t n = 0;
            while (run_probe(ops[i], variant, n, false) == 1 && run_probe(ops[i], variant, n, true) == 1)
                n++;
            ck_assert_msg(n > 2, "%s probe %d: only %lld allocations", ops[i]->name, variant, (long long)n);
        }
}
END_TEST

/* ---- what no operation does ---- */

static int pass(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    return 0;
}

static void tour(tg_tape *t) {
    tg_mark mark = tg_tape_mark(t);
    tg_set_profile(t, true);
    tg_tensor x = tg_parameter(t, "x", tg_from_doubles(t, TG_SHAPE(2, 2), (double[]){1, 2, 3, 4}));
    tg_tensor v = tg_transpose(x, 0, 1);
    if (tg_copy_(x, v) || tg_register_hook(x, pass, NULL) || tg_retain_grad(v))
        return;
    tg_tensor h = tg_mul(tg_square(v), v);
    if (tg_backward_with(h, tg_transpose(tg_ones(t, TG_SHAPE(2, 2)), 0, 1)) ||
        tg_backward_with(h, tg_transpose(tg_ones(t, TG_SHAPE(2, 2)), 0, 1)))
        return;
    tg_checkpoint_begin(t);
    h = tg_checkpoint_end(t, tg_dropout(tg_exp(h), 0.5));
    if (tg_backward_with(h, h))
        return;
    tg_grad(v);
    if (tg_write_grad(x, (double[]){1, 2, 3, 4}, 4) || tg_state(t).n != 1 || tg_replay(t, mark))
        return;
    tg_tape_free(tg_tape_cast(t, TG_F32));
}

static void leaves(tg_tape *t) {
    double numbers[6] = {0};
    float floats[6] = {0};
    int64_t ints[6] = {0};
    tg_ones(t, TG_SHAPE(2)), tg_full(t, TG_SHAPE(2), 3), tg_scalar(t, 4), tg_randint(t, 0, 9, TG_SHAPE(3));
    tg_from_floats(t, TG_SHAPE(2, 3), floats), tg_from_ints(t, TG_SHAPE(6), ints), tg_randperm(t, 9);
    tg_from_bools(t, TG_SHAPE(2), (bool[]){true, false}), tg_rand(t, TG_SHAPE(20));
    tg_tensor x = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(2, 3)));
    tg_uniform_(x, 0, 1), tg_normal_(x, 0, 1), tg_kaiming_uniform_(x, 1), tg_xavier_normal_(x, 1), tg_bernoulli_(x, 1);
    tg_trunc_normal_(x, 0, 1, -1, 1), tg_fill_(x, 2), tg_parameters_under(t, "w"), tg_named(t, "w");
    tg_parameter(t, "another name", x);
    if (tg_write_doubles(x, numbers, 6) || tg_read_ints(x, ints, 6) || tg_tape_status(t))
        return;
    tg_tensor parts[300];
    for (int i = 0; i < 300; i++)
        parts[i] = i < 5 ? x : parts[i % 5];
    if (tg_split(tg_cat(parts, 300, 0), 200, 0, parts, 3) || tg_is_null(tg_stack(parts, 3, 0)))
        return;
    tg_tape *other = tg_tape_new(TG_F32);
    if (tg_copy_(x, tg_zeros(other, TG_SHAPE(2, 3))))
        ck_assert(tg_tape_status(t) == TG_ERR_MEMORY);
    tg_tape_free(other);
}

static void derivatives(tg_tape *t) {
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(2, 3))), y = tg_mul(tg_tanh(x), tg_transpose(tg_exp(tg_clone(x)), 0, 0));
    tg_tensor dx[1], loss = tg_mean(y, TG_ALL_DIMS, false);
    if (tg_gradients(loss, TG_NULL, &x, 1, dx) || tg_backward(tg_sum(tg_square(dx[0]), TG_ALL_DIMS, false)))
        return;
    (void)!tg_gradcheck(loss, TG_GRADCHECK_DEFAULTS, NULL);
}

static tg_tensor attend(tg_tensor q, tg_tensor k, tg_tensor v) {
    return tg_scaled_dot_product_attention(q, k, v, TG_NULL, true, 0, 0);
}

/* Gradients of attention's gradients of gradients, and the whole matrices. */
static void higher_derivatives(tg_tape *t) {
    tg_tensor x[3], dx[3], ddx[3], v[3], jv;
    for (int i = 0; i < 3; i++) {
        x[i] = wanting(tg_randn(t, TG_SHAPE(3, 2)));
        v[i] = tg_randn(t, TG_SHAPE(3, 2));
    }
    tg_tensor y = attend(x[0], x[1], x[2]), loss = tg_sum(tg_square(y), TG_ALL_DIMS, false);
    if (tg_gradients(loss, TG_NULL, x, 3, dx))
        return;
    tg_tensor slope = tg_sum(tg_mul(dx[0], dx[1]), TG_ALL_DIMS, false);
    if (tg_gradients(slope, TG_NULL, x, 3, ddx) || tg_backward(tg_sum(tg_square(ddx[2]), TG_ALL_DIMS, false)) ||
        tg_jvp(y, x, v, 3, &jv) || tg_hvp(loss, x, v, 3, ddx))
        return;
    tg_tensor z = wanting(tg_randn(t, TG_SHAPE(2)));
    tg_jacobian(tg_cat((tg_tensor[]){z, tg_exp(z)}, 2, 0), z);
    tg_hessian(tg_prod(z, TG_ALL_DIMS, false), z);
}

static void checks(tg_tape *t) {
    tg_tensor x = wanting(tg_randn(t, TG_SHAPE(3, 2))), w = wanting(tg_randn(t, TG_SHAPE(2)));
    tg_tensor y = tg_bias_gelu(tg_relu(attend(x, x, tg_expand(w, TG_SHAPE(3, 2)))), w);
    tg_gradcheck_config fast = TG_GRADCHECK_DEFAULTS;
    fast.mode = TG_GRADCHECK_FAST;
    if (tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL) || tg_gradcheck(y, fast, NULL) ||
        tg_gradcheck_second(y, 1, NULL) || !tg_is_null(tg_detach(TG_NULL)))
        return;
    tg_clear_error(t);
}

static int64_t n_listed;
static void note_tensor(const tg_file_tensor *x, void *context) {
    (void)context;
    n_listed += x->bytes > 0;
}

static void files(tg_tape *t) {
    char path[60];
    int64_t step = 3;
    tg_run_number number = {"step", &step, NULL};
    const char *const metadata[] = {"made by", "a test", NULL};
    tg_save_config config = TG_SAVE_DEFAULTS;
    config.dtype = "F16";
    config.metadata = metadata;
    snprintf(path, sizeof path, "build/memory_test.%d.safetensors", (int)getpid());
    tg_tensor w = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(2, 3)));
    tg_tensor n = tg_buffer(t, "n", tg_arange(t, 3));
    tg_adam_config adam = TG_ADAM_DEFAULTS;
    adam.amsgrad = true;
    tg_run run = {.optim = {tg_adam_new(t, tg_parameters(t), adam)}, .number = &number, .n_numbers = 1};
    if (tg_is_null(n) || !run.optim[0] || tg_backward(tg_sum(w, TG_ALL_DIMS, false)) || tg_optim_step(run.optim[0]))
        return;
    if (!tg_save_with(t, path, config) && !tg_load(t, path) && !tg_list_file(t, path, note_tensor, NULL) &&
        !tg_save(t, path) && !tg_check_save(t, path) && !tg_save_run(t, path, run))
        if (!tg_load_run(t, path, run) && !tg_save_npy(tg_transpose(w, 0, 1), path))
            (void)tg_load_npy(t, path);
    remove(path);
}

static void optimizers(tg_tape *t) {
    tg_tensor a = tg_parameter(t, "a", tg_randn(t, TG_SHAPE(5))), b = tg_parameter(t, "b", tg_randn(t, TG_SHAPE(2, 2)));
    tg_sgd_config config = TG_SGD_DEFAULTS;
    config.momentum = 0.9;
    config.nesterov = true;
    tg_optim *sgd = tg_sgd_new(t, tg_parameters_under(t, "a"), config);
    if (!sgd || tg_sgd_add_group(sgd, tg_parameters_under(t, "b"), config))
        return;
    tg_optim *adam = tg_adamw_new(t, tg_parameters_under(t, "a"), TG_ADAMW_DEFAULTS);
    if (!adam || tg_adam_add_group(adam, tg_parameters_under(t, "b"), TG_ADAMW_DEFAULTS))
        return;
    tg_optim *muon = tg_muon_new(t, tg_parameters_under(t, "b"), TG_MUON_DEFAULTS);
    double total;
    tg_list all = tg_parameters(t);
    if (tg_backward(tg_mul(tg_sum(a, TG_ALL_DIMS, false), tg_sum(b, TG_ALL_DIMS, false))) ||
        tg_clip_grad_norm(all, 1, 2, &total) || tg_clip_grad_norm(all, 1, INFINITY, NULL) ||
        tg_clip_grad_norm(all, 1, 0.5, NULL) || tg_clip_grad_value(all, 0.1) || tg_optim_step(sgd))
        return;
    if (muon && !tg_optim_step(adam))
        (void)!tg_optim_step(muon);
}

static void text(tg_tape *t) {
    FILE *nowhere = fopen("/dev/null", "w");
    tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(3, 4))), y = tg_softmax(tg_transpose(x, 0, 1), -1);
    ck_assert_ptr_nonnull(nowhere);
    if (!tg_backward_with(y, y) && !tg_graph_dot(nowhere, y) && !tg_graph_svg(nowhere, y) &&
        !tg_heatmap_svg(nowhere, y, "title", NULL, NULL) && !tg_lines_svg(nowhere, y, NULL, NULL))
        (void)!tg_print(nowhere, y);
    fclose(nowhere);
}

static void layers(tg_tape *t) {
    tg_tensor x = tg_randn(t, TG_SHAPE(2, 3, 4)), weights;
    tg_nn_multi_head_attention heads = tg_nn_multi_head_attention_new(t, "heads", 4, 4, 3, 0.1, 2, true);
    tg_nn_cross_attention cross = tg_nn_cross_attention_new(t, "cross", 4, 4, 3, 0.1, true);
    tg_nn_self_attention_v1 first = tg_nn_self_attention_v1_new(t, "first", 4, 3);
    tg_nn_rms_norm norm = tg_nn_rms_norm_new(t, "norm", 4, 1e-5);
    x = tg_nn_rms_norm_forward(&norm, x);
    tg_nn_multi_head_attention_forward(&heads, x, &weights);
    tg_nn_cross_attention_forward(&cross, x, x, (tg_nn_masks){0}, &weights);
    tg_nn_self_attention_v1_forward(&first, x, NULL);
}

/* What is packed, and laid out in tiles. */
static void large(tg_tape *t) {
    tg_tensor a = wanting(tg_randn(t, TG_SHAPE(130, 260))), q = wanting(tg_randn(t, TG_SHAPE(2, 130, 16)));
    tg_tensor y = tg_matmul(tg_transpose(a, 0, 1), a), h = attend(q, q, q);
    if (!tg_backward_with(y, y))
        (void)!tg_backward_with(h, h);
}

/* So large that products ask for room to pack their operands. */
static void products(tg_tape *t) {
    tg_tensor x[3], v[3], dx[3], w = tg_parameter(t, "w", tg_randn(t, TG_SHAPE(24, 40))), b = tg_randn(t, TG_SHAPE(40));
    for (int i = 0; i < 3; i++) {
        x[i] = wanting(tg_randn(t, TG_SHAPE(20, 24)));
        v[i] = tg_randn(t, TG_SHAPE(20, 24));
    }
    tg_tensor mask = tg_mul_scalar(wanting(tg_randn(t, TG_SHAPE(20, 20))), 0.1);
    tg_tensor y = tg_scaled_dot_product_attention(x[0], x[1], x[2], mask, false, 0, 0);
    tg_tensor kept = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, true, 0.5, 0);
    tg_tensor loss =
        tg_sum(tg_square(tg_add(tg_linear(y, tg_transpose(w, 0, 1), b), tg_matmul(kept, w))), TG_ALL_DIMS, false);
    tg_optim *muon = tg_muon_new(t, tg_parameters(t), TG_MUON_DEFAULTS);
    if (!muon || tg_hvp(loss, x, v, 3, dx) || tg_backward(tg_sum(tg_square(dx[0]), TG_ALL_DIMS, false)))
        return;
    if (!tg_backward(loss))
        (void)!tg_optim_step(muon);
}

static int ready(int block, void *gradient, int64_t n, void *context) {
    (void)block, (void)gradient, (void)n, (void)context;
    return 0;
}

static int stay(const tg_update *u) {
    (void)u;
    return 0;
}

/* Averages, optimizers of one's own, gradients in blocks. */
static void blocks(tg_tape *t) {
    static const tg_custom_optim still = {"still", {"seen"}, 1, stay, stay};
    const double lr = 0.1;
    tg_tensor a = tg_parameter(t, "a", tg_randn(t, TG_SHAPE(3))), b = tg_parameter(t, "b", tg_randn(t, TG_SHAPE(2, 2)));
    tg_ema e = tg_ema_new(t, "ema", tg_parameters(t), 0.5);
    tg_optim *o = tg_custom_optim_new(t, &still, tg_parameters_under(t, "a"), &lr);
    if (!o || tg_custom_optim_add_group(o, tg_parameters_under(t, "b"), &lr) || tg_ema_update(&e) || tg_ema_update(&e))
        return;
    tg_list all = tg_parameters(t);
    if (tg_flatten_gradients(all, 16, 16, ready, NULL))
        return;
    if (!tg_backward(tg_add(tg_sum(tg_square(a), TG_ALL_DIMS, false), tg_sum(b, TG_ALL_DIMS, false))) &&
        !tg_optim_step(o) && !tg_ema_swap(&e))
        (void)!tg_clip_grad_value(all, 0.5);
}

static void encoders(tg_tape *t) {
    tg_nn_multihead_config config = TG_NN_MULTIHEAD_DEFAULTS;
    config.add_bias_kv = config.add_zero_attn = true;
    tg_nn_multihead a = tg_nn_multihead_new(t, "a", 4, 2, config);
    tg_nn_encoder_layer_config one = TG_NN_ENCODER_LAYER_DEFAULTS;
    one.dim_feedforward = 3;
    tg_nn_encoder_layer layer = tg_nn_encoder_layer_new(t, "layer", 4, 2, one);
    tg_tensor x = tg_randn(t, TG_SHAPE(2, 3, 4)), weights;
    tg_tensor hidden = tg_to_bool(tg_from_doubles(t, TG_SHAPE(2, 3), (double[]){0, 0, 1, 0, 1, 1}));
    tg_nn_masks masks = {.key_padding_mask = hidden, .causal = true};
    x = tg_nn_multihead_forward(&a, x, x, x, masks, &weights);
    x = tg_nn_encoder_layer_forward(&layer, x, (tg_nn_masks){.key_padding_mask = hidden});
    if (!tg_is_null(x))
        (void)!tg_backward(tg_sum(x, TG_ALL_DIMS, false));
}

static void (*const tours[])(tg_tape *t) = {tour, leaves, derivatives, higher_derivatives, checks, files,   optimizers,
                                            text, layers, large,       products,           blocks, encoders};
enum { TOURS = sizeof tours / sizeof *tours };

START_TEST(every_tour_gives_back_what_it_took)
{
    for (size_t k = 0; k < 2 * TOURS; k++) {
        if (tours[k / 2] == files || tours[k / 2] == optimizers || tours[k / 2] == products || tours[k / 2] == blocks)
            continue; /* optimizers are freed with the tape */
        memory m = {.refuse = -1};
        tg_tape *t = memory_tape(&m, k % 2 ? TG_F32 : TG_F64);
        tg_mark empty = tg_tape_mark(t);
        size_t used = 0; /* after the first turn: the tape keeps what the next needs again */
        for (int turn = 0; turn < 4; turn++) {
            tours[k / 2](t);
            ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
            ck_assert_int_eq(tg_tape_rewind(t, empty), TG_OK);
            ck_assert_msg(turn == 0 || tg_tape_memory(t).used == used, "tour %zu, turn %d: %zu bytes in use, not %zu",
                          k / 2, turn, tg_tape_memory(t).used, used);
            used = tg_tape_memory(t).used;
        }
        memory_free(&m);
    }
}
END_TEST

START_TEST(every_tour_survives_every_refused_allocation)
{
    int64_t tried = 0;
    for (size_t k = 0; k < 4 * TOURS; k++)
        for (int64_t n = 0, step = k % 2 ? 7 : 1;; n += step, tried++) { /* for good: not each */
            memory m = {.refuse = n, .for_good = k % 2};
            if (!memory_tape(&m, k / 2 % 2 ? TG_F32 : TG_F64))
                continue;
            tg_mark empty = tg_tape_mark(m.tape);
            tours[k / 4](m.tape);
            bool refused = m.refused;
            m.refuse = -1;
            if (refused)
                want_out_of_memory(&m, "the tour");
            ck_assert_msg(tg_tape_status(m.tape) == TG_OK, "%s", tg_error(m.tape));
            ck_assert_int_eq(tg_tape_rewind(m.tape, empty), TG_OK); /* a scope may be open */
            want_usable(m.tape);
            memory_free(&m);
            if (refused)
                continue;
            ck_assert_msg(n > 10, "only %lld allocations were refused", (long long)n);
            break;
        }
    printf("%lld allocations refused on these tours\n", (long long)tried);
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        training_survives_every_refused_allocation,
        a_steady_training_loop_allocates_nothing,
        what_tensors_take_is_used,
        every_op_gives_back_what_it_took,
        every_op_survives_every_refused_allocation,
        every_tour_gives_back_what_it_took,
        every_tour_survives_every_refused_allocation,
    };
    return run_tests("memory", all, sizeof all / sizeof *all, NULL, NULL);
}
