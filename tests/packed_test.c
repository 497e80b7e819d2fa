/* Rules join several tensors of a file into one of the tape, whole or not at all. BERT's files in tg_nn_encoder_layer
 * give transformers' vectors; numbers are found by their place. */
#include "nn/nn.h"
#include "tests/golden/bert.h"
#include "tests/io/model_file.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static void make_directory(void) { make_model_directory("packed_test"); }

/* ---- BERT ---- */

enum { C = 32, LAYERS = 2, HEADS = 4 };

#define SELF "encoder.layer.*.attention.self."
static const tg_file_rule bert[] = {
    {"layer.*.self_attn.in_proj_weight", SELF "query.weight", false, 0, -3},
    {"layer.*.self_attn.in_proj_weight", SELF "key.weight", false, 1, -3},
    {"layer.*.self_attn.in_proj_weight", SELF "value.weight", false, 2, -3},
    {"layer.*.self_attn.in_proj_bias", SELF "query.bias", false, 0, -3},
    {"layer.*.self_attn.in_proj_bias", SELF "key.bias", false, 1, -3},
    {"layer.*.self_attn.in_proj_bias", SELF "value.bias", false, 2, -3},
    {"layer.*.self_attn.out_proj.weight", "encoder.layer.*.attention.output.dense.weight", false, 0, 0},
    {"layer.*.self_attn.out_proj.bias", "encoder.layer.*.attention.output.dense.bias", false, 0, 0},
    {"layer.*.linear1.weight", "encoder.layer.*.intermediate.dense.weight", false, 0, 0},
    {"layer.*.linear1.bias", "encoder.layer.*.intermediate.dense.bias", false, 0, 0},
    {"layer.*.linear2.weight", "encoder.layer.*.output.dense.weight", false, 0, 0},
    {"layer.*.linear2.bias", "encoder.layer.*.output.dense.bias", false, 0, 0},
    {"layer.*.norm1.weight", "encoder.layer.*.attention.output.LayerNorm.weight", false, 0, 0},
    {"layer.*.norm1.bias", "encoder.layer.*.attention.output.LayerNorm.bias", false, 0, 0},
    {"layer.*.norm2.weight", "encoder.layer.*.output.LayerNorm.weight", false, 0, 0},
    {"layer.*.norm2.bias", "encoder.layer.*.output.LayerNorm.bias", false, 0, 0}};
enum { N_BERT = sizeof bert / sizeof *bert };

/* The weights of make_bert.py under transformers' names. */
static tg_tape *transformers_tape(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    for (size_t k = 0; k < sizeof bert_tensors / sizeof *bert_tensors; k++) {
        const bert_tensor *b = &bert_tensors[k];
        bool norm = strstr(b->name, "LayerNorm.weight") != NULL;
        tg_tensor x =
            tg_parameter(t, b->name, tg_zeros(t, b->size[1] ? TG_SHAPE(b->size[0], b->size[1]) : TG_SHAPE(b->size[0])));
        float *w = tg_data(x);
        int64_t n = tg_numel(x), sum = 0;
        for (const char *s = b->name; *s; s++)
            sum += *s;
        for (int64_t i = 0; i < n; i++)
            w[i] = (float)(0.3 * sin(0.37 * (double)i * (double)i + (double)sum) + norm);
    }
    WANT_OK(t);
    return t;
}

typedef struct model {
    tg_nn_embedding word, position, segment;
    tg_nn_layer_norm norm;
    tg_nn_encoder_layer layer[LAYERS];
} model;

static model model_new(tg_tape *t) {
    tg_nn_encoder_layer_config c = TG_NN_ENCODER_LAYER_DEFAULTS;
    model m = {.word = tg_nn_embedding_new(t, "embeddings.word_embeddings", bert_tensors[0].size[0], C),
               .position = tg_nn_embedding_new(t, "embeddings.position_embeddings", 48, C),
               .segment = tg_nn_embedding_new(t, "embeddings.token_type_embeddings", 2, C),
               .norm = tg_nn_layer_norm_new(t, "embeddings.LayerNorm", C, true)};
    m.norm.eps = c.layer_norm_eps = 1e-12;
    c.dim_feedforward = 64;
    c.activation = TG_NN_GELU;
    c.dropout = 0;
    for (int i = 0; i < LAYERS; i++) {
        tg_name_push(t, "layer.%d", i);
        m.layer[i] = tg_nn_encoder_layer_new(t, "", C, HEADS, c);
        tg_name_pop(t);
    }
    return m;
}

/* The mean over a sentence's tokens, of length 1. */
static tg_tensor embed(tg_tape *t, const model *m, const bert_sentence *s) {
    int64_t ids[48];
    for (int i = 0; i < s->n; i++)
        ids[i] = s->ids[i];
    tg_tensor x = tg_nn_embedding_forward(&m->word, tg_from_ints(t, TG_SHAPE(s->n), ids));
    x = tg_add(tg_add(x, tg_slice(m->segment.weight, 0, 0, 1, 1)), tg_slice(m->position.weight, 0, 0, s->n, 1));
    x = tg_nn_layer_norm_forward(&m->norm, x);
    for (int i = 0; i < LAYERS; i++)
        x = tg_nn_encoder_layer_forward(&m->layer[i], x, TG_NN_NO_MASKS);
    x = tg_mean(x, TG_DIMS(0), false);
    return tg_div(x, tg_norm(x, 2, TG_DIMS(0), true));
}

START_TEST(berts_files_load_into_encoder_layers)
{
    tg_tape *theirs = transformers_tape(), *t = tg_tape_new(TG_F64), *back = transformers_tape();
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    model m = model_new(t);
    tg_load_config load = {.rule = bert, .n_rules = N_BERT, .allow_extra = true};
    ck_assert_msg(tg_load_with(t, path, load) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < 6; i++) {
        double got[C];
        ck_assert_msg(tg_read_doubles(embed(t, &m, &bert_sentences[i]), got, C) == TG_OK, "%s", tg_error(t));
        for (int j = 0; j < C; j++)
            ck_assert_msg(fabs(got[j] - bert_vectors[i][j]) < 1e-8, "%d, %d: %.9g, not %.9g", i, j, got[j],
                          bert_vectors[i][j]);
    }
    /* saved by the same rules it is their file again */
    tg_list all = tg_parameters(back);
    for (int64_t i = 0; i < all.n; i++)
        tg_fill_(all.tensor[i], 0);
    tg_save_config save = {.rule = bert, .n_rules = N_BERT, .dtype = "F32"};
    ck_assert_msg(tg_save_with(t, path, save) == TG_OK, "%s", tg_error(t));
    tg_load_config rest = {.allow_missing = true}; /* the pooler, which no layer has */
    ck_assert_msg(tg_load_with(back, path, rest) == TG_OK, "%s", tg_error(back));
    for (int64_t i = 0; i < all.n; i++)
        ck_assert_msg(strstr(tg_name(all.tensor[i]), "pooler") ||
                          !memcmp(tg_const_data(all.tensor[i]), tg_const_data(tg_named(theirs, tg_name(all.tensor[i]))),
                                  (size_t)tg_numel(all.tensor[i]) * sizeof(float)),
                      "%s", tg_name(all.tensor[i]));
    tg_tape_free(theirs);
    tg_tape_free(t);
    tg_tape_free(back);
}
END_TEST

/* ---- pieces ---- */

static tg_tensor counted(tg_tape *t, const char *name, int64_t first, tg_shape shape) {
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = (double)(first + i);
    return tg_parameter(t, name, tg_from_doubles(t, shape, x));
}

/* Of 4 heads of 1 channel, queries have 2 and keys and values 1 each; transposed in the file, in any order of rules. */
START_TEST(pieces_may_have_other_sizes_and_lie_transposed)
{
    static const tg_file_rule rule[] = {{"*.qkv", "*.v", true, 3, -4},
                                        {"*.qkv", "*.q", true, 0, -4},
                                        {"*.qkv", "*.k", false, 2, -4},
                                        {"*", "*", false, 0, 0}};
    tg_tape *theirs = tg_tape_new(TG_F64), *t = tg_tape_new(TG_F64), *back = tg_tape_new(TG_F64);
    counted(theirs, "a.q", 0, TG_SHAPE(3, 2));
    counted(theirs, "a.k", 10, TG_SHAPE(1, 3));
    counted(theirs, "a.v", 20, TG_SHAPE(3, 1));
    counted(theirs, "other", 30, TG_SHAPE(2));
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    tg_tensor qkv = tg_parameter(t, "a.qkv", tg_zeros(t, TG_SHAPE(4, 3)));
    tg_parameter(t, "other", tg_zeros(t, TG_SHAPE(2)));
    tg_load_config load = {.rule = rule, .n_rules = 4};
    ck_assert_msg(tg_load_with(t, path, load) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(qkv, 0, 2, 4, 1, 3, 5, 10, 11, 12, 20, 21, 22);
    tg_save_config save = {.rule = rule, .n_rules = 4};
    ck_assert_msg(tg_save_with(t, path, save) == TG_OK, "%s", tg_error(t));
    tg_tensor q = tg_parameter(back, "a.q", tg_zeros(back, TG_SHAPE(3, 2)));
    tg_tensor k = tg_parameter(back, "a.k", tg_zeros(back, TG_SHAPE(1, 3)));
    tg_tensor v = tg_parameter(back, "a.v", tg_zeros(back, TG_SHAPE(3, 1)));
    tg_parameter(back, "other", tg_zeros(back, TG_SHAPE(2)));
    ck_assert_msg(tg_load(back, path) == TG_OK, "%s", tg_error(back));
    WANT_VALUES(q, 0, 1, 2, 3, 4, 5);
    WANT_VALUES(k, 10, 11, 12);
    WANT_VALUES(v, 20, 21, 22);
    tg_tape_free(theirs);
    tg_tape_free(t);
    tg_tape_free(back);
}
END_TEST

START_TEST(pieces_that_do_not_make_a_tensor_are_refused)
{
    static const struct {
        tg_file_rule rule[2];
        const char *why;
        tg_status status;
    } wrong[] = {
        {{{"w", "a", false, 1, -2}, {"w", "b", false, 1, -2}},
         "of the pieces of 'w' two rules have the same",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 1, -2}, {"x", "b", false, 0, -2}},
         "of the pieces of 'w' no rule has number 0",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -3}, {"w", "b", false, 1, -3}}, "'w' cannot be split into 3 equal", TG_ERR_SHAPE},
        {{{"w", "a", false, 2, -2}, {"w", "b", false, 1, -2}},
         "rule 0 must have a part that is at least 0 and below the number of parts",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -2}, {"w", "b", false, 1, -4}},
         "rules 0 and 1 are both for 'w', but have parts -2 and -4",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -2}, {"*", "b*", false, 1, -4}},
         "rules 0 and 1 are both for 'w', but have parts -2 and -4",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -2}, {"w", "b", false, 1, 3}},
         "rules 0 and 1 are both for 'w', but have parts -2 and 3",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -2}, {"w", "b", false, 0, 0}},
         "rules 0 and 1 are both for 'w', but have parts -2 and 0",
         TG_ERR_ARGUMENT},
        {{{"w", "a", false, 0, -2}, {"w", "c", false, 1, -2}},
         "'w' is not in the file as 'c' (1 of 2 names are missing",
         TG_ERR_FORMAT},
        {{{"w", "a", false, 0, -4}, {"w", "b", false, 1, -4}},
         "w (4, 2) wants (1, 2) in the file as 'a', but it is (2, 2)",
         TG_ERR_FORMAT},
    };
    tg_tape *t = tg_tape_new(TG_F32), *theirs = tg_tape_new(TG_F32);
    counted(theirs, "a", 1, TG_SHAPE(2, 2));
    counted(theirs, "b", 1, TG_SHAPE(2, 2));
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    tg_tensor w = tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(4, 2)));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tg_load_config load = {.rule = wrong[i].rule, .n_rules = 2, .allow_extra = true};
        ck_assert_int_eq(tg_load_with(t, path, load), wrong[i].status);
        ck_assert_msg(strstr(tg_error(t), wrong[i].why) != NULL, "%zu: %s", i, tg_error(t));
        tg_clear_error(t);
        ck_assert_double_eq(tg_item(total(w)), 0);
    }
    tg_tape_free(t);
    tg_tape_free(theirs);
}
END_TEST

static void keep_line(const char *line, void *context) { snprintf(context, 100, "%s", line); }

/* Where a missing tensor is allowed, one of which a piece is missing keeps all of its values. */
START_TEST(all_pieces_are_loaded_or_none)
{
    static const tg_file_rule rule[] = {{"w", "a", false, 0, -2}, {"w", "c", false, 1, -2}};
    tg_tape *t = tg_tape_new(TG_F32), *theirs = tg_tape_new(TG_F32);
    counted(theirs, "a", 1, TG_SHAPE(2, 2));
    counted(theirs, "v", 5, TG_SHAPE(2));
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    tg_tensor w = tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(4, 2))), v = tg_parameter(t, "v", tg_zeros(t, TG_SHAPE(2)));
    char line[100] = "";
    tg_load_config load = {.rule = rule, .n_rules = 2, .allow_missing = true, .report = keep_line, .context = line};
    ck_assert_msg(tg_load_with(t, path, load) == TG_OK, "%s", tg_error(t));
    ck_assert_str_eq(line, "w is not in the file as 'c'");
    WANT_VALUES(w, 0, 0, 0, 0, 0, 0, 0, 0);
    WANT_VALUES(v, 5, 6);
    tg_tape_free(t);
    tg_tape_free(theirs);
}
END_TEST

/* An allocator that says no after so many blocks: nothing is changed, nothing is kept. */
START_TEST(out_of_memory_changes_nothing)
{
    static const tg_file_rule rule[] = {{"w", "a", false, 0, -2}, {"w", "b", false, 1, -2}};
    tg_tape *theirs = tg_tape_new(TG_F32);
    counted(theirs, "a", 1, TG_SHAPE(2, 2));
    counted(theirs, "b", 1, TG_SHAPE(2, 2));
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    int failures = 0;
    for (int blocks = 0, done = 0; !done; blocks++) {
        allowance a = {.left = 1000};
        tg_tape *t = tg_tape_new_with(TG_F32, &(tg_allocator){allowance_get, allowance_put, &a});
        tg_tensor w = tg_parameter(t, "w", tg_zeros(t, TG_SHAPE(4, 2)));
        a.left = blocks;
        done = tg_load_with(t, path, (tg_load_config){.rule = rule, .n_rules = 2}) == TG_OK;
        a.left = 1000;
        ck_assert_msg(done || tg_tape_status(t) == TG_ERR_MEMORY, "%d: %s", blocks, tg_error(t));
        failures += !done;
        tg_clear_error(t);
        ck_assert_double_eq(tg_item(total(w)), done ? 20 : 0);
        tg_tape_free(t);
        ck_assert_uint_eq(a.out, 0);
    }
    ck_assert_int_gt(failures, 4);
    tg_tape_free(theirs);
}
END_TEST

/* What is too large is told by its place in the tape's tensor, in whichever piece it is. */
START_TEST(an_element_of_a_piece_has_its_number_in_the_tensor)
{
    static const tg_file_rule rule[] = {{"qk", "q", false, 0, -2}, {"qk", "k", false, 1, -2}};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_parameter(t, "qk", tg_from_doubles(t, TG_SHAPE(4, 2), (double[]){0, 1, 2, 3, 4, 1e300, 6, 7}));
    ck_assert_int_eq(tg_save_with(t, path, (tg_save_config){.rule = rule, .n_rules = 2, .dtype = "F32"}),
                     TG_ERR_NUMERIC);
    WANT_ERROR(t, TG_ERR_NUMERIC, "element 5 of 'qk' is 1e+300");
    tg_tape_free(t);
}
END_TEST

typedef struct meter {
    size_t in_use, peak;
} meter;
static void *meter_get(void *context, size_t size) {
    meter *m = context;
    m->in_use += size;
    m->peak = m->in_use > m->peak ? m->in_use : m->peak;
    return malloc(size);
}
static void meter_put(void *context, void *block, size_t size) {
    ((meter *)context)->in_use -= size;
    free(block);
}

/* The parts of one tensor of the file are taken from one copy of it. */
START_TEST(a_tensor_of_the_file_is_read_once_for_all_its_parts)
{
    enum { PARTS = 8, N = 1 << 16 };
    static tg_file_rule rule[PARTS];
    static char name[PARTS][4];
    meter m = {0};
    tg_tape *theirs = tg_tape_new(TG_F32);
    tg_tape *t = tg_tape_new_with(TG_F32, &(tg_allocator){meter_get, meter_put, &m});
    float *all = tg_data(tg_parameter(theirs, "all", tg_zeros(theirs, TG_SHAPE(PARTS * N))));
    for (int i = 0; i < PARTS * N; i++)
        all[i] = (float)i;
    ck_assert_int_eq(tg_save(theirs, path), TG_OK);
    for (int i = 0; i < PARTS; i++) {
        snprintf(name[i], sizeof name[i], "%d", i);
        rule[i] = (tg_file_rule){name[i], "all", false, i, PARTS};
        tg_parameter(t, name[i], tg_zeros(t, TG_SHAPE(N)));
    }
    size_t file = PARTS * N * sizeof(float), before = m.peak = m.in_use;
    ck_assert_msg(tg_load_with(t, path, (tg_load_config){.rule = rule, .n_rules = PARTS}) == TG_OK, "%s", tg_error(t));
    ck_assert_uint_ge(m.peak - before, file);
    ck_assert_uint_lt(m.peak - before, file + file / 4);
    for (int i = 0; i < PARTS; i++)
        ck_assert_float_eq(((float *)tg_data(tg_named(t, name[i])))[N - 1], (float)((i + 1) * N - 1));
    tg_tape_free(t);
    tg_tape_free(theirs);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {berts_files_load_into_encoder_layers,
                                  pieces_may_have_other_sizes_and_lie_transposed,
                                  pieces_that_do_not_make_a_tensor_are_refused,
                                  all_pieces_are_loaded_or_none,
                                  out_of_memory_changes_nothing,
                                  an_element_of_a_piece_has_its_number_in_the_tensor,
                                  a_tensor_of_the_file_is_read_once_for_all_its_parts};
    return run_tests("packed", tests, sizeof tests / sizeof *tests, make_directory, remove_directory);
}
