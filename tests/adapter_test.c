/* Adapters by the names of weights count once, merged or not, in every layer that has a linear, in replays, scopes and
 * after rewinds; what fails changes nothing. Expected values by arithmetic. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <math.h>

static tg_tape *t;
static void start(void) { t = tg_tape_new(TG_F64); }
static void stop(void) { tg_tape_free(t); }

#define ADAPTER(layer, part) tg_named(t, "base_model.model." layer ".lora_" part ".weight")
static const tg_nn_lora_config rank_1 = {1, 3, 0};

/* W = (1 2; 3 4), A = (1 -1), B = (2; 1/2), alpha / rank = 3: W + 3 B A = (7 -4; 4.5 2.5). */
static tg_nn_linear known(void) {
    tg_nn_linear l = tg_nn_linear_new(t, "h.0.proj", 2, 2, true);
    ck_assert_int_eq(tg_write_doubles(l.weight, (double[]){1, 2, 3, 4}, 4), TG_OK);
    ck_assert_int_eq(tg_write_doubles(l.bias, (double[]){10, 20}, 2), TG_OK);
    ck_assert_msg(tg_nn_lora_add(t, "*.proj", rank_1) == TG_OK, "%s", tg_error(t));
    ck_assert_int_eq(tg_write_doubles(ADAPTER("h.0.proj", "A"), (double[]){1, -1}, 2), TG_OK);
    ck_assert_int_eq(tg_write_doubles(ADAPTER("h.0.proj", "B"), (double[]){2, 0.5}, 2), TG_OK);
    return l;
}

START_TEST(a_linear_computes_its_adapter)
{
    tg_nn_linear l = known();
    tg_tensor x = VECTOR(t, 1, 2);
    WANT_VALUES(tg_nn_linear_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    WANT_VALUES(tg_linear(x, tg_slice(l.weight, 0, 1, 2, 1), TG_NULL), 4.5 + 5); /* the second row */
    ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    WANT_VALUES(l.weight, 7, -4, 4.5, 2.5);
    WANT_VALUES(tg_nn_linear_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_OK);
    WANT_VALUES(l.weight, 1, 2, 3, 4);
    WANT_VALUES(tg_nn_linear_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
    tg_adapter a = tg_adapter_of(l.weight);
    ck_assert(a.scaling == 3 && !a.merged && a.a.index == ADAPTER("h.0.proj", "A").index);
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){.scaling = 0}), TG_OK); /* off */
    WANT_VALUES(tg_nn_linear_forward(&l, x), 15, 31);
}
END_TEST

/* By hand with dy = (1, 1), x = (1, 2): A x = -1; B^T dy = 2.5. */
START_TEST(adapters_alone_get_gradients)
{
    tg_nn_linear l = known();
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_nn_linear_forward(&l, VECTOR(t, 1, 2)));
    run_backward(total(y));
    WANT_GRAD(ADAPTER("h.0.proj", "A"), 3 * 2.5 * 1, 3 * 2.5 * 2);
    WANT_GRAD(ADAPTER("h.0.proj", "B"), 3 * -1, 3 * -1);
    ck_assert(!tg_has_grad(l.weight) && !tg_has_grad(l.bias));
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 2);
}
END_TEST

/* Layers that know nothing of it: with weights W + scaling B A they compute the same. */
START_TEST(every_layer_computes_them)
{
    tg_nn_encoder_layer_config c = TG_NN_ENCODER_LAYER_DEFAULTS;
    c.dim_feedforward = 6;
    c.dropout = 0;
    tg_nn_encoder_layer l = tg_nn_encoder_layer_new(t, "enc", 4, 2, c);
    tg_nn_multi_head_attention m = tg_nn_multi_head_attention_new(t, "mha", 4, 4, 0, 0, 2, true);
    tg_tensor x = tg_randn(t, TG_SHAPE(3, 4)), z = tg_randn(t, TG_SHAPE(5, 4));
    ck_assert_int_eq(tg_nn_lora_add(t, "*", (tg_nn_lora_config){2, 4, 0}), TG_OK);
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 2 * (4 + 4));
    tg_list all = tg_nn_lora_parameters(t);
    for (int64_t i = 0; i < all.n; i++)
        tg_normal_(all.tensor[i], 0, 0.5);
    tg_tensor before[3], after[3];
    for (int merged = 0; merged < 2; merged++) {
        tg_tensor *y = merged ? after : before;
        y[0] = tg_nn_encoder_layer_forward(&l, x, TG_NN_NO_MASKS);
        y[1] = tg_nn_multi_head_attention_forward(&m, x, NULL);
        y[2] = tg_nn_multihead_forward(&l.self_attn, x, z, z, TG_NN_NO_MASKS, NULL); /* rows of in_proj apart */
        if (!merged)
            ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    }
    WANT_OK(t);
    for (int i = 0; i < 3; i++) {
        double apart = tg_item(tg_amax(tg_abs(tg_sub(before[i], after[i])), TG_ALL_DIMS, false));
        ck_assert_msg(apart < 1e-13, "%d: %g", i, apart);
    }
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_OK);
    double moved =
        tg_item(tg_amax(tg_abs(tg_sub(tg_nn_linear_forward(&l.linear1, x),
                                      tg_add(tg_matmul(x, tg_transpose(l.linear1.weight, 0, 1)), l.linear1.bias))),
                        TG_ALL_DIMS, false));
    ck_assert_double_gt(moved, 0.01); /* and they do something */
}
END_TEST

START_TEST(dropout_acts_before_a_and_the_check_finds_gradients_right)
{
    tg_nn_linear l = tg_nn_linear_new(t, "l", 3, 4, true);
    ck_assert_int_eq(tg_nn_lora_add(t, "l", (tg_nn_lora_config){2, 3, 0.4}), TG_OK);
    tg_normal_(ADAPTER("l", "B"), 0, 1);
    tg_nn_lora same = {l, ADAPTER("l", "A"), ADAPTER("l", "B"), 1.5, 0.4};
    tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(5, 3)), true);
    double a[20], b[20];
    tg_manual_seed(t, 1);
    ck_assert_int_eq(tg_read_doubles(tg_nn_linear_forward(&l, x), a, 20), TG_OK);
    tg_adapter own = tg_adapter_of(l.weight);
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){.scaling = 0}), TG_OK);
    tg_manual_seed(t, 1);
    ck_assert_int_eq(tg_read_doubles(tg_nn_lora_forward(&same, x), b, 20), TG_OK);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_int_eq(tg_set_adapter(l.weight, own), TG_OK);
    tg_gradcheck_result r;
    ck_assert_msg(tg_gradcheck(tg_nn_linear_forward(&l, x), TG_GRADCHECK_DEFAULTS, &r) == TG_OK, "%s", r.summary);
    ck_assert_int_eq(r.leaves, 3);
}
END_TEST

/* What is loaded from a file of PEFT's may keep its path. */
START_TEST(a_layers_own_name_may_begin_as_an_adapters)
{
    static const char *const names[] = {"base_model.model.base_model.model.q.lora_A.weight",
                                        "base_model.model.base_model.model.q.lora_B.weight"};
    tg_name_push(t, "base_model.model");
    tg_nn_linear q = tg_nn_linear_new(t, "q", 4, 4, false), a = tg_nn_linear_new(t, "lora_A", 4, 4, false);
    tg_name_pop(t);
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 0);
    ck_assert_int_eq(tg_nn_lora_add(t, "*.r", rank_1), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "there are: base_model.model.q, base_model.model.lora_A");
    ck_assert_msg(tg_nn_lora_add(t, "*.q", rank_1) == TG_OK, "%s", tg_error(t));
    tg_list all = tg_nn_lora_parameters(t);
    ck_assert_int_eq(all.n, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_str_eq(tg_name(all.tensor[i]), names[i]);
    ck_assert(!tg_requires_grad(q.weight) && !tg_requires_grad(a.weight) && tg_requires_grad(all.tensor[0]));
}
END_TEST

/* 64 characters are written whole; of more than a message has room for, begin and end. */
START_TEST(messages_tell_long_names_apart)
{
    char path[91] = "";
    for (int n = 25; n <= 90; n += 65) {
        memset(path, 'n', (size_t)n);
        tg_name_push(t, "%s", path);
        tg_nn_linear l = tg_nn_linear_new(t, "in_proj", 2, 2, false);
        tg_name_pop(t);
        ck_assert_msg(tg_nn_lora_add(t, "*.in_proj", rank_1) == TG_OK, "%s", tg_error(t));
        ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
        tg_fill_(tg_adapter_of(l.weight).b, 7);
        ck_assert_int_eq(tg_check_adapter(l.weight), TG_ERR_STATE);
        WANT_ERROR(t, TG_ERR_STATE, n == 25 ? "base_model.model.nnnnnnnnnnnnnnnnnnnnnnnnn." : "base_model.model.nnn",
                   "n.in_proj.lora_B.weight (2, 1) was changed while merged into nnn", "n.in_proj.weight (2, 2): put");
        stop();
        start();
    }
}
END_TEST

START_TEST(a_rewind_takes_them_off)
{
    tg_nn_linear l = tg_nn_linear_new(t, "h.0.proj", 2, 2, false);
    tg_mark mark = tg_tape_mark(t);
    ck_assert_int_eq(tg_nn_lora_add(t, "h.*", rank_1), TG_OK);
    tg_fill_(ADAPTER("h.0.proj", "B"), 1);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    ck_assert(tg_is_null(tg_adapter_of(l.weight).a));
    tg_tensor x = VECTOR(t, 1, 1);
    double sum = tg_item(total(l.weight));
    WANT_VALUES(total(tg_nn_linear_forward(&l, x)), sum);
    ck_assert_int_eq(tg_nn_lora_add(t, "h.0.proj.weight", rank_1), TG_OK); /* whole names fit as well */
}
END_TEST

START_TEST(patterns_that_fit_nothing_list_the_names)
{
    tg_nn_encoder_layer_config c = TG_NN_ENCODER_LAYER_DEFAULTS;
    for (int i = 0; i < 2; i++) {
        tg_name_push(t, "h.%d", i);
        (void)tg_nn_encoder_layer_new(t, "", 4, 2, c);
        tg_name_pop(t);
    }
    tg_list all = tg_parameters(t);
    ck_assert_int_eq(tg_nn_lora_add(t, "*.q_proj", TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT,
               "lora_add: no weight (out, in) fits '*.q_proj'; there are: h.*.self_attn.in_proj_weight, "
               "h.*.self_attn.out_proj, h.*.linear1, h.*.linear2");
    ck_assert(tg_requires_grad(all.tensor[0]));
    ck_assert_int_eq(tg_nn_lora_add(t, "*.norm1", TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT); /* no matrix */
    tg_clear_error(t);
    ck_assert_int_eq(tg_nn_lora_add(t, "*linear*", (tg_nn_lora_config){0, 1, 0}), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "lora 'h.0.linear1.weight': rank is 0");
    ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora_set_merged: there is no adapter that is not merged");
    ck_assert_int_eq(tg_nn_lora_add(t, "h.1.lin*1", TG_NN_LORA_DEFAULTS), TG_OK);
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 2);
    ck_assert(!tg_requires_grad(all.tensor[0]) && tg_requires_grad(tg_nn_lora_parameters(t).tensor[0]));
    ck_assert_int_eq(tg_nn_lora_add(t, "*linear1", TG_NN_LORA_DEFAULTS), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "lora_add: h.1.linear1.weight has an adapter already");
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 2);
    ck_assert_int_eq(tg_nn_lora_add(t, "h.0.linear2,h.*.up", TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT); /* both, or none */
    WANT_ERROR(t, TG_ERR_ARGUMENT, "fits 'h.*.up'; there are");
    ck_assert_int_eq(tg_nn_lora_add(t, "h.0.linear2,h.0.linear1", TG_NN_LORA_DEFAULTS), TG_OK);
    ck_assert_str_eq(tg_name(tg_nn_lora_parameters(t).tensor[2]), "base_model.model.h.0.linear1.lora_A.weight");
    ck_assert_int_eq(tg_nn_lora_parameters(t).n, 6);
    ck_assert_int_eq(tg_nn_lora_add(t, NULL, TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert_int_eq(tg_nn_lora_add(NULL, "*", TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_nn_lora_set_merged(NULL, true), TG_ERR_ARGUMENT);
}
END_TEST

/* As people write a list; a blank within a name counts. */
START_TEST(blanks_around_commas_do_not_count)
{
    static const char *const lists[] = {"a.q, a.v w", " a.q ,\ta.v w ", "a.*,\n a.v w", "a.q , *v w", "*q , *w "};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        tg_mark mark = tg_tape_mark(t);
        tg_nn_linear q = tg_nn_linear_new(t, "a.q", 2, 2, false), v = tg_nn_linear_new(t, "a.v w", 2, 2, false);
        ck_assert_msg(tg_nn_lora_add(t, lists[i], rank_1) == TG_OK, "'%s': %s", lists[i], tg_error(t));
        ck_assert(!tg_is_null(tg_adapter_of(q.weight).a) && !tg_is_null(tg_adapter_of(v.weight).a));
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
    (void)tg_nn_linear_new(t, "a.v w", 2, 2, false);
    ck_assert_int_eq(tg_nn_lora_add(t, "a.v w, a.vw ,*", rank_1), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "no weight (out, in) fits 'a.vw'; there are: a.v w");
}
END_TEST

/* The second weight's adapter cannot be made: the first one's has drawn nothing. */
START_TEST(what_failed_has_drawn_nothing)
{
    tg_nn_linear first = tg_nn_linear_new(t, "a", 3, 4, true);
    (void)tg_nn_linear_new(t, "b", 4, 3, true);
    (void)tg_parameter(t, "base_model.model.b.lora_B.weight", tg_ones(t, TG_SHAPE(2)));
    tg_rng_state before = tg_get_rng_state(t);
    ck_assert_int_eq(tg_nn_lora_add(t, "a,b", TG_NN_LORA_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "the name 'base_model.model.b.lora_B.weight' is taken");
    tg_rng_state after = tg_get_rng_state(t);
    ck_assert_mem_eq(&after, &before, sizeof after);
    ck_assert(tg_requires_grad(first.weight) && tg_is_null(tg_adapter_of(first.weight).a));
    ck_assert_int_eq(tg_parameters(t).n, 5);
}
END_TEST

/* tg_detach ends gradients and changes no value, as F.linear(x, weight.detach()) with an adapted weight. */
START_TEST(a_detached_weight_computes_the_same)
{
    tg_nn_linear l = known();
    tg_tensor x = wanting(VECTOR(t, 1, 2));
    tg_tensor y = tg_linear(x, tg_slice(tg_detach(l.weight), 0, 0, 2, 1), l.bias);
    WANT_VALUES(y, 10 + 7 - 8, 20 + 4.5 + 5);
    run_backward(total(y));
    WANT_GRAD(x, 7 + 4.5, -4 + 2.5);
    ck_assert(!tg_has_grad(ADAPTER("h.0.proj", "A")) && !tg_has_grad(ADAPTER("h.0.proj", "B")));
}
END_TEST

/* What was recorded before would leave the adapter out or add it twice; as it was again, it computes again. */
START_TEST(replays_count_an_adapter_once)
{
    tg_nn_linear l = known();
    tg_tensor x = VECTOR(t, 1, 2);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor y = tg_nn_linear_forward(&l, x);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE,
               "replay: linear (tensor 5 (2,)) was recorded before the adapter of a weight that it reads "
               "was put on, changed, taken off, merged or unmerged; record it again");
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(y, 10 + 7 - 8, 20 + 4.5 + 5);
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){.scaling = 0}), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    y = tg_nn_linear_forward(&l, x);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(y, 15, 31);
}
END_TEST

/* With another A, B, scaling or dropout the formula is another one; other elements and other weights change nothing. */
START_TEST(replays_of_another_formula_are_refused)
{
    tg_nn_linear l = known(), other = tg_nn_linear_new(t, "other", 2, 2, true);
    tg_adapter was = tg_adapter_of(l.weight), change[4] = {was, was, was, was};
    change[0].a = tg_ones(t, TG_SHAPE(1, 2));
    change[1].b = tg_ones(t, TG_SHAPE(2, 1));
    change[2].scaling = 5;
    change[3].dropout_p = 0.5;
    tg_tensor x = VECTOR(t, 1, 2);
    tg_mark mark = tg_tape_mark(t);
    for (int i = 0; i < 4; i++) {
        tg_tensor y = tg_nn_linear_forward(&l, x);
        ck_assert_int_eq(tg_set_adapter(l.weight, was), TG_OK);
        ck_assert_int_eq(tg_replay(t, mark), TG_OK);
        WANT_VALUES(y, 10 + 7 - 8, 20 + 4.5 + 5);
        ck_assert_int_eq(tg_set_adapter(l.weight, change[i]), TG_OK);
        ck_assert_msg(tg_replay(t, mark) == TG_ERR_STATE, "%d", i);
        WANT_ERROR(t, TG_ERR_STATE, "replay: linear (tensor", "changed");
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
        ck_assert_int_eq(tg_set_adapter(l.weight, was), TG_OK);
    }
    tg_tensor y = tg_nn_linear_forward(&l, x);
    ck_assert_int_eq(tg_nn_lora_add(t, "other", rank_1), TG_OK);
    ck_assert_int_eq(tg_write_doubles(was.b, (double[]){0, 1}, 2), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    WANT_VALUES(y, 15, 31 - 3);
    ck_assert(!tg_is_null(tg_adapter_of(other.weight).a));
}
END_TEST

/* What was added could not be subtracted again: nothing is, of any weight, until A and B are as they were. */
static void want_refused(tg_nn_linear l, tg_nn_linear second, const char *name) {
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_ERR_STATE);
    WANT_ERROR(
        t, TG_ERR_STATE, name,
        "was changed while merged into h.0.proj.weight (2, 2): put the old values back, or take the adapter off");
    tg_adapter a = tg_adapter_of(l.weight);
    tg_nn_lora same = {l, a.a, a.b, a.scaling, a.dropout_p};
    ck_assert_int_eq(tg_nn_lora_unmerge(&same), TG_ERR_STATE);
    tg_clear_error(t);
    a.merged = false;
    ck_assert_int_eq(tg_set_adapter(l.weight, a), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert(tg_adapter_of(l.weight).merged && tg_adapter_of(second.weight).merged);
    WANT_VALUES(l.weight, 7, -4, 4.5, 2.5);
    WANT_VALUES(second.weight, 8, 2);
}

/* Two weights, of which the second needs more memory; call `refuse` of the allocator, and all after it, are refused. */
static tg_status merge_with_refused_memory(bool merged, int64_t refuse, memory *m) {
    *m = (memory){.refuse = -1, .for_good = true};
    tg_tape *own = memory_tape(m, TG_F64);
    tg_tensor w[] = {tg_nn_linear_new(own, "a", 2, 2, false).weight, tg_nn_linear_new(own, "b", 20, 30, false).weight};
    double before[2][600], after[600];
    ck_assert_int_eq(tg_nn_lora_add(own, "*", rank_1), TG_OK);
    for (int i = 0; i < 2; i++)
        tg_fill_(tg_adapter_of(w[i]).b, 0.5);
    ck_assert(merged || tg_nn_lora_set_merged(own, true) == TG_OK);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tg_read_doubles(w[i], before[i], tg_numel(w[i])), TG_OK);
    m->refuse = m->calls + refuse;
    tg_status bad = tg_nn_lora_set_merged(own, merged);
    m->refused = m->for_good = false;
    tg_clear_error(own);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tg_read_doubles(w[i], after, tg_numel(w[i])), TG_OK);
        bool same = !memcmp(before[i], after, sizeof(double) * (size_t)tg_numel(w[i]));
        ck_assert_msg(same == !!bad && tg_adapter_of(w[i]).merged == (bad ? !merged : merged),
                      "call %lld refused, %s: weight %d of 2", (long long)refuse, merged ? "merging" : "unmerging",
                      i + 1);
    }
    memory_free(m);
    return bad;
}

START_TEST(all_weights_are_merged_or_none)
{
    for (int merged = 0; merged < 2; merged++) {
        memory m;
        int64_t refuse = 0;
        while (merge_with_refused_memory(merged, refuse, &m))
            ck_assert_int_lt(++refuse, 1000);
        ck_assert_int_gt(refuse, merged ? 3 : 0); /* unmerging finds memory that merging left */
    }
}
END_TEST

START_TEST(what_was_merged_is_unmerged)
{
    tg_nn_linear second = tg_nn_linear_new(t, "first", 2, 1, false), l = known();
    ck_assert_int_eq(tg_nn_lora_add(t, "first", rank_1), TG_OK);
    tg_tensor A = ADAPTER("h.0.proj", "A"), B = ADAPTER("h.0.proj", "B");
    ck_assert_int_eq(tg_write_doubles(second.weight, (double[]){2, 2}, 2), TG_OK);
    ck_assert_int_eq(tg_write_doubles(ADAPTER("first", "A"), (double[]){1, 0}, 2), TG_OK);
    tg_fill_(ADAPTER("first", "B"), 2);
    tg_list both = {t, 2, (tg_tensor[]){A, B}};
    tg_optim *o = tg_sgd_new(t, both, TG_SGD_DEFAULTS);
    tg_ema ema = tg_ema_new(t, "ema", both, 0.5);
    tg_fill_(ema.averages.tensor[0], 3);
    run_backward(total(tg_nn_linear_forward(&l, VECTOR(t, 1, 2))));
    ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    for (int way = 0; way < 6; way++) {
        switch (way) {
        case 0: ck_assert_int_eq(tg_ema_swap(&ema), TG_OK); break;
        case 1: ck_assert_int_eq(tg_optim_step(o), TG_OK); break;
        case 2: ck_assert_int_eq(tg_write_doubles(A, (double[]){-1, 1}, 2), TG_OK); break;
        case 3: ck_assert_int_eq(tg_vector_to_parameters((double[]){1, -1, 2, 1}, 4, both), TG_OK); break;
        case 4: tg_normal_(B, 0, 1); break;
        default: ck_assert_int_eq(tg_write_doubles(A, (double[]){1, nextafter(-1, 0)}, 2), TG_OK); break;
        }
        want_refused(l, second, way == 3 || way == 4 ? "lora_B.weight" : "lora_A.weight");
        ck_assert_int_eq(way == 0 ? tg_ema_swap(&ema) : tg_write_doubles(A, (double[]){1, -1}, 2), TG_OK);
        ck_assert_int_eq(way == 0 ? TG_OK : tg_write_doubles(B, (double[]){2, 0.5}, 2), TG_OK);
        ck_assert_msg(tg_nn_lora_set_merged(t, false) == TG_OK, "%d: %s", way, tg_error(t));
        WANT_VALUES(l.weight, 1, 2, 3, 4);
        ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    }
    tg_fill_(A, 0);
    tg_adapter a = tg_adapter_of(l.weight);
    ck_assert_int_eq(tg_set_adapter(l.weight, a), TG_OK); /* merged as it was: remembers the old A */
    want_refused(l, second, "lora_A.weight");
    ck_assert_int_eq(tg_check_adapter(l.weight), TG_ERR_STATE);
    tg_clear_error(t);
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){.merged = false}), TG_OK); /* W stays as it is */
    ck_assert_int_eq(tg_check_adapter(l.weight), TG_OK);
    WANT_VALUES(l.weight, 7, -4, 4.5, 2.5);
    a.merged = false;
    ck_assert_int_eq(tg_set_adapter(l.weight, a), TG_OK);
}
END_TEST

/* A refused replay has computed nothing, and nothing is unfinished. */
START_TEST(after_a_refused_replay_graphs_are_differentiated)
{
    tg_nn_linear l = known();
    tg_tensor x = VECTOR(t, 1, 2);
    tg_mark mark = tg_tape_mark(t);
    tg_tensor before = tg_mul_scalar(l.bias, 2), y = total(tg_add(before, tg_nn_linear_forward(&l, x)));
    ck_assert_int_eq(tg_write_doubles(l.bias, (double[]){-1, -2}, 2), TG_OK);
    ck_assert_int_eq(tg_nn_lora_set_merged(t, true), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    tg_clear_error(t);
    WANT_VALUES(before, 20, 40);
    run_backward(y);
    ck_assert_int_eq(tg_nn_lora_set_merged(t, false), TG_OK);
    tg_zero_grads(t);
    run_backward(total(tg_nn_linear_forward(&l, x))); /* recorded again */
    WANT_GRAD(ADAPTER("h.0.proj", "A"), 3 * 2.5 * 1, 3 * 2.5 * 2);
}
END_TEST

/* The weights of a layer's struct are merged by tg_nn_lora_merge: tg_nn_lora_weight is recorded as a sum. */
START_TEST(replays_of_a_layers_weight_count_it_once)
{
    tg_nn_lora l = tg_nn_lora_new(tg_nn_linear_new(t, "l", 2, 2, false), rank_1);
    tg_mark mark = tg_tape_mark(t);
    (void)tg_nn_lora_weight(&l);
    ck_assert_int_eq(tg_nn_lora_merge(&l), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "replay: add (tensor");
    ck_assert_int_eq(tg_nn_lora_unmerge(&l), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    ck_assert(tg_is_null(tg_adapter_of(l.base.weight).a)); /* tg_linear alone knows nothing of it */
}
END_TEST

START_TEST(what_cannot_have_an_adapter)
{
    tg_nn_linear l = known();
    tg_tensor a = ADAPTER("h.0.proj", "A"), b = ADAPTER("h.0.proj", "B"), x = VECTOR(t, 1, 2);
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){b, a, 1, 0, false}), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "set_adapter: a base_model.model.h.0.proj.lora_B.weight (2, 1) and b");
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){a, b, INFINITY, 0, false}), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "scaling is inf");
    ck_assert_int_eq(tg_set_adapter(l.weight, (tg_adapter){a, b, 1, 2, false}), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "dropout 2");
    tg_tape *small = tg_tape_new(TG_F32); /* in which 1e300 is Inf, and Inf times B of zeros would be NaN */
    tg_nn_linear f = tg_nn_linear_new(small, "l", 2, 2, false);
    ck_assert_int_eq(tg_nn_lora_add(small, "l", (tg_nn_lora_config){2, 1e300, 0}), TG_ERR_ARGUMENT);
    WANT_ERROR(small, TG_ERR_ARGUMENT, "lora 'l.weight': alpha / rank is 1e+300 / 2, but must be a finite float32");
    ck_assert_int_eq(tg_nn_lora_add(small, "l", rank_1), TG_OK);
    tg_adapter of = tg_adapter_of(f.weight);
    of.scaling = -1e300;
    ck_assert_int_eq(tg_set_adapter(f.weight, of), TG_ERR_ARGUMENT);
    WANT_ERROR(small, TG_ERR_ARGUMENT,
               "set_adapter: scaling is -1e+300 and dropout 0; they must be a finite float32 and");
    tg_tape_free(small);
    ck_assert_int_eq(tg_set_adapter(l.bias, (tg_adapter){a, b, 1, 0, false}), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "must be a leaf (out, in)");
    ck_assert_int_eq(tg_set_adapter(TG_NULL, (tg_adapter){a, b, 1, 0, false}), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert(tg_is_null(tg_embedding(l.weight, tg_from_ints(t, TG_SHAPE(1), (const int64_t[]){1}))));
    WANT_ERROR(t, TG_ERR_STATE, "embedding: h.0.proj.weight (2, 2) has an adapter, which only tg_linear applies");
    ck_assert(tg_is_null(tg_linear(x, tg_transpose(l.weight, 0, 1), TG_NULL)));
    WANT_ERROR(t, TG_ERR_STATE, "linear: h.0.proj.weight (2, 2) has an adapter; of its views only slices of rows");
    WANT_VALUES(tg_nn_linear_forward(&l, x), 10 + 7 - 8, 20 + 4.5 + 5);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_linear_computes_its_adapter,
                                  adapters_alone_get_gradients,
                                  every_layer_computes_them,
                                  dropout_acts_before_a_and_the_check_finds_gradients_right,
                                  a_layers_own_name_may_begin_as_an_adapters,
                                  messages_tell_long_names_apart,
                                  a_rewind_takes_them_off,
                                  a_detached_weight_computes_the_same,
                                  replays_count_an_adapter_once,
                                  after_a_refused_replay_graphs_are_differentiated,
                                  replays_of_another_formula_are_refused,
                                  all_weights_are_merged_or_none,
                                  what_was_merged_is_unmerged,
                                  replays_of_a_layers_weight_count_it_once,
                                  patterns_that_fit_nothing_list_the_names,
                                  blanks_around_commas_do_not_count,
                                  what_failed_has_drawn_nothing,
                                  what_cannot_have_an_adapter};
    return run_tests("adapter", tests, sizeof tests / sizeof *tests, start, stop);
}
