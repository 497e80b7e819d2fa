/* Files of other programs load and save as theirs: a model in several files with an index, and one under other names,
 * transposed and joined, byte by byte as the safetensors package writes it. */
#include "tests/io/model_file.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden/shards.h"

static void make_directory(void) { make_model_directory("layout_test"); }

/* ---- several files ---- */

static const char *const names[] = {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "index"};
enum { N_FILES = 3 };

static void put(const char *name, const void *data, size_t n) {
    char at[500];
    snprintf(at, sizeof at, "%s/%s", directory, name);
    FILE *f = fopen(at, "wb");
    ck_assert(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
}

/* The index is what `path` names. */
static void put_index(const char *text) { write_file(text, strlen(text)); }

static void put_shards(void) {
    put(names[0], shard_1, sizeof shard_1);
    put(names[1], shard_2, sizeof shard_2);
    put_index(shard_index);
}

static void remove_all(void) {
    char at[500];
    for (int i = 0; i < N_FILES; i++) {
        snprintf(at, sizeof at, "%s/%s", directory, names[i]);
        unlink(at);
    }
    remove_directory();
}

static tg_tape *four_tensors(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_parameter(t, "embed.weight", tg_zeros(t, TG_SHAPE(5, 3)));
    tg_parameter(t, "norm.weight", tg_zeros(t, TG_SHAPE(3)));
    tg_parameter(t, "head.weight", tg_zeros(t, TG_SHAPE(5, 3)));
    tg_buffer(t, "ids", tg_from_ints(t, TG_SHAPE(2), (const int64_t[]){7, 7}));
    return t;
}

/* Numbers of make_shards.py. */
static void want_numbers(tg_tape *t, const char *name, int k) {
    double got[20];
    int64_t n = tg_numel(tg_named(t, name));
    ck_assert_msg(tg_read_doubles(tg_named(t, name), got, n) == TG_OK, "%s", tg_error(t));
    for (int i = 0; i < n; i++)
        ck_assert_msg(got[i] == i - 100 * k, "%s[%d] = %g", name, i, got[i]);
}

START_TEST(a_model_in_several_files_loads)
{
    put_shards();
    tg_tape *t = four_tensors();
    ck_assert_msg(tg_load(t, path) == TG_OK, "%s", tg_error(t));
    want_numbers(t, "embed.weight", 1);
    want_numbers(t, "norm.weight", 2);
    want_numbers(t, "head.weight", 3);
    int64_t ids[2];
    ck_assert_int_eq(tg_read_ints(tg_named(t, "ids"), ids, 2), TG_OK);
    ck_assert(ids[0] == -400 && ids[1] == -399);
    tg_tape_free(t);
}
END_TEST

START_TEST(a_part_of_them_loads_under_other_names)
{
    put_shards();
    tg_tape *t = tg_tape_new(TG_F64);
    tg_parameter(t, "model.embed.weight", tg_zeros(t, TG_SHAPE(5, 3)));
    tg_tensor y = tg_parameter(t, "model.head.weight", tg_zeros(t, TG_SHAPE(3, 5)));
    const tg_file_rule rule[] = {{"model.embed.*embed.weight", "*", false, 0, 0}, /* longer than any name here */
                                 {"model.head.weight", "head.weight", true, 0, 0},
                                 {"model.*", "*", false, 0, 0}};
    tg_load_config config = {.rule = rule, .n_rules = 3, .allow_extra = true};
    ck_assert_msg(tg_load_with(t, path, config) == TG_OK, "%s", tg_error(t));
    want_numbers(t, "model.embed.weight", 1);
    ck_assert_double_eq(tg_item(tg_slice(tg_reshape(y, TG_SHAPE(-1)), 0, 1, 2, 1)), 3 - 300);
    tg_tape_free(t);
}
END_TEST

static void list(const tg_file_tensor *x, void *context) {
    char *to = context;
    sprintf(to + strlen(to), "%s %s %d; ", x->name, x->dtype, x->shape.ndim);
}

START_TEST(several_files_are_listed_as_one)
{
    char text[300] = "";
    put_shards();
    tg_tape *t = tg_tape_new(TG_F32);
    ck_assert_int_eq(tg_list_file(t, path, list, text), TG_OK);
    ck_assert_str_eq(text, "embed.weight F32 2; head.weight F16 2; ids I64 1; norm.weight BF16 1; ");
    tg_tape_free(t);
}
END_TEST

#define MAP(entries) "{\"weight_map\": {" entries "}}"
#define IN_1 "\"embed.weight\": \"model-00001-of-00002.safetensors\""

START_TEST(an_index_that_is_wrong_is_refused)
{
    static const struct {
        const char *index, *why;
        tg_status status;
    } wrong[] = {
        {MAP(IN_1 ", \"x\": \"model-9.safetensors\""), "model-9.safetensors: cannot open it: No such file", TG_ERR_IO},
        {MAP(IN_1 ", \"x\": \"../other/model.safetensors\""),
         "'../other/model.safetensors', which is no file beside it", TG_ERR_FORMAT},
        {MAP(IN_1 ", \"x\": \"\""), "'', which is no file beside it", TG_ERR_FORMAT},
        {MAP(IN_1 ", \"x\": \"a\\u0000b\""), "which is no file beside it", TG_ERR_FORMAT},
        {MAP(IN_1 ", \"head.weight\": \"model-00001-of-00002.safetensors\""), "the index says that 'head.weight' is in",
         TG_ERR_FORMAT},
        {MAP(IN_1 ", " IN_1), "the index names 'embed.weight' twice", TG_ERR_FORMAT},
        {MAP(IN_1 ", \"x\": 3"), "of the index: '\"' expected", TG_ERR_FORMAT},
        {MAP(IN_1) "}", "of the index: something follows", TG_ERR_FORMAT},
        {"{\"weight_map\": {}, \"weight_map\": {}}", "of the index: a second weight_map", TG_ERR_FORMAT},
        {"{\"weight_map\": [1]}", "of the index: '{' expected", TG_ERR_FORMAT},
        {"{\"model_type\": \"gpt2\"}", "there is no weight_map", TG_ERR_FORMAT},
        {MAP(IN_1 ", \"x\xff\": \"y\""), "it is not UTF-8 text", TG_ERR_FORMAT},
        {MAP("\"x\": \"model.safetensors\""), "this is text, no safetensors file", TG_ERR_FORMAT},
        {MAP(IN_1), "'head.weight' is not in the file (3 of 4 names are missing", TG_ERR_FORMAT},
    };
    put_shards();
    tg_tape *t = four_tensors();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_index(wrong[i].index);
        expect_load_error(t, wrong[i].status, wrong[i].why);
        ck_assert_double_eq(tg_item(tg_sum(tg_named(t, "embed.weight"), TG_ALL_DIMS, false)), 0);
    }
    put_index(MAP(""));
    tg_load_config nothing = {.allow_missing = true};
    ck_assert_int_eq(tg_load_with(t, path, nothing), TG_OK);
    tg_tape_free(t);
}
END_TEST

/* So many files that opening them all would be an attack; so large an index that it cannot be one. */
START_TEST(an_index_that_is_too_large_is_refused)
{
    enum { FILES = 4097 };
    char *text = malloc(FILES * 32 + 32), *to = text + sprintf(text, "{\"weight_map\": {");
    for (int i = 0; i < FILES; i++)
        to += sprintf(to, "%s\"w%d\": \"f%d\"", i ? ", " : "", i, i);
    strcpy(to, "}}");
    put_index(text);
    free(text);
    tg_tape *t = four_tensors();
    expect_load_error(t, TG_ERR_FORMAT, "the index names 4097 files; at most 4096 can be loaded");
    ck_assert_int_eq(truncate(path, 100000001), 0); /* the format's limit, and a byte */
    expect_load_error(t, TG_ERR_FORMAT, "an index of 100000001 bytes is above the limit of 100000000");
    tg_tape_free(t);
}
END_TEST

START_TEST(every_prefix_of_an_index_and_of_a_shard_is_refused)
{
    put_shards();
    tg_tape *t = four_tensors();
    for (size_t n = 0; n + 2 < sizeof shard_index; n++) {
        write_file(shard_index, n);
        ck_assert_int_eq(tg_load(t, path), TG_ERR_FORMAT);
        tg_clear_error(t);
    }
    put_index(shard_index);
    for (size_t n = 0; n < sizeof shard_2; n++) {
        put(names[1], shard_2, n);
        ck_assert_int_eq(tg_load(t, path), TG_ERR_FORMAT);
        ck_assert_msg(strstr(tg_error(t), names[1]) != NULL, "%s", tg_error(t));
        tg_clear_error(t);
        ck_assert_double_eq(tg_item(tg_sum(tg_named(t, "embed.weight"), TG_ALL_DIMS, false)), 0);
    }
    tg_tape_free(t);
}
END_TEST

/* An allocator that says no after `left` blocks. */
static int left;
static void *scarce_alloc(void *context, size_t size) {
    (void)context;
    return left-- > 0 ? malloc(size) : NULL;
}
static void scarce_free(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

START_TEST(out_of_memory_is_an_error_and_changes_nothing)
{
    static const tg_allocator scarce = {scarce_alloc, scarce_free, NULL};
    const tg_file_rule rule = {"embed.*", "embed.*", false, 0, 0};
    int failures = 0;
    put_shards();
    for (int blocks = 0, done = 0; !done; blocks++) {
        left = 1000;
        tg_tape *t = tg_tape_new_with(TG_F32, &scarce);
        tg_tensor x = tg_parameter(t, "embed.weight", tg_zeros(t, TG_SHAPE(5, 3)));
        tg_load_config config = {.allow_extra = true, .rule = &rule, .n_rules = 1};
        left = blocks;
        done = tg_load_with(t, path, config) == TG_OK;
        ck_assert_msg(done || tg_tape_status(t) == TG_ERR_MEMORY, "%d: %s", blocks, tg_error(t));
        failures += !done;
        left = 1000;
        tg_clear_error(t);
        ck_assert_double_eq(tg_item(tg_sum(x, TG_ALL_DIMS, false)), done ? -1395 : 0);
        tg_tape_free(t);
    }
    ck_assert_int_gt(failures, 5);
}
END_TEST

/* ---- other layouts ---- */

static tg_tensor numbered(tg_tape *t, const char *name, int k, tg_shape shape) {
    double x[20];
    tg_tensor leaf = tg_zeros(t, shape);
    for (int i = 0; i < 20; i++)
        x[i] = i - 100 * k;
    ck_assert_int_eq(tg_write_doubles(leaf, x, tg_numel(leaf)), TG_OK);
    return tg_parameter(t, name, leaf);
}

#define ATTENTION "transformer.h.*.attn."
static const tg_file_rule gpt_2[] = {{ATTENTION "q.weight", "h.*.attn.c_attn.weight", true, 0, 3},
                                     {ATTENTION "k.weight", "h.*.attn.c_attn.weight", true, 1, 3},
                                     {ATTENTION "v.weight", "h.*.attn.c_attn.weight", true, 2, 3},
                                     {ATTENTION "q.bias", "h.*.attn.c_attn.bias", false, 0, 3},
                                     {ATTENTION "k.bias", "h.*.attn.c_attn.bias", false, 1, 3},
                                     {ATTENTION "v.bias", "h.*.attn.c_attn.bias", false, 2, 3},
                                     {ATTENTION "o.weight", "h.*.attn.c_proj.weight", true, 0, 0},
                                     {"transformer.*", "*", false, 0, 0}};
static const char *const separate[] = {"h.0.attn.q.weight", "h.0.attn.k.weight", "h.0.attn.v.weight",
                                       "h.0.attn.o.weight", "h.0.attn.q.bias",   "h.0.attn.k.bias",
                                       "h.0.attn.v.bias",   "wte.weight"};
enum { N_SEPARATE = 8 };

/* In an order that is not the file's. */
static tg_tape *separate_tensors(tg_dtype dtype, bool filled) {
    tg_tape *t = tg_tape_new(dtype);
    for (int i = N_SEPARATE; i-- > 0;) {
        char name[80];
        snprintf(name, sizeof name, "transformer.%s", separate[i]);
        tg_shape shape = strstr(name, "bias") ? TG_SHAPE(4) : TG_SHAPE((strstr(name, "wte") ? 5 : 4), 4);
        if (filled)
            numbered(t, name, i + 1, shape);
        else
            tg_parameter(t, name, tg_zeros(t, shape));
    }
    return t;
}

static void saves_as(tg_dtype dtype, const char *file_dtype, const unsigned char *want, size_t n) {
    unsigned char file[2048];
    tg_tape *t = separate_tensors(dtype, true), *back = separate_tensors(dtype, false);
    tg_save_config config = {.dtype = file_dtype, .rule = gpt_2, .n_rules = 8};
    tg_load_config load = {.rule = gpt_2, .n_rules = 8};
    ck_assert_msg(tg_save_with(t, path, config) == TG_OK, "%s", tg_error(t));
    size_t size = read_file(file, sizeof file);
    ck_assert_uint_eq(size, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(file[i] == want[i], "byte %zu is %u, Python wrote %u", i, file[i], want[i]);
    ck_assert_msg(tg_load_with(back, path, load) == TG_OK, "%s", tg_error(back));
    for (int i = 0; i < N_SEPARATE && !strcmp(file_dtype, "F32"); i++) {
        char name[80];
        snprintf(name, sizeof name, "transformer.%s", separate[i]);
        want_numbers(back, name, i + 1);
    }
    tg_tape_free(t);
    tg_tape_free(back);
}

START_TEST(a_layout_is_saved_as_python_saves_it)
{
    saves_as(TG_F32, "F32", layout_f32, sizeof layout_f32);
    saves_as(TG_F64, "F32", layout_f32, sizeof layout_f32);
    saves_as(TG_F32, "BF16", layout_bf16, sizeof layout_bf16);
}
END_TEST

START_TEST(layouts_that_cannot_be_saved_are_refused)
{
    static const struct {
        tg_file_rule rule[2];
        const char *why;
    } wrong[] = {
        {{{"a", "z", false, 0, 2}, {"b", "y", false, 0, 0}}, "'z' of the file cannot be made of 'a': other parts"},
        {{{"a", "z", false, 1, 2}, {"b", "y", false, 0, 0}}, "'z' of the file cannot be made of 'a': other parts"},
        {{{"a", "z", false, 0, 2}, {"b", "z", false, 0, 2}}, "made of 'a' and 'b': both are the same part"},
        {{{"a", "z", false, 0, 0}, {"b", "z", false, 0, 0}}, "made of 'a' and 'b': both are the same part"},
        {{{"a", "b", false, 0, 0}, {"x", "x", false, 0, 0}}, "both are the same part; save one of them"},
        {{{"a", "z", false, 0, 2}, {"c", "z", false, 1, 2}}, "made of 'a' and 'c': parts of one tensor have one shape"},
        {{{"a", "z", false, 0, 2}, {"b", "z", true, 1, 2}}, "made of 'a' and 'b': parts of one tensor have one shape"},
        {{{"a", "z", false, 0, 2}, {"b", "z", false, 1, 3}}, "made of 'a' and 'b': parts of one tensor have one shape"},
        {{{"a", "z", false, 0, 2}, {"i", "z", false, 1, 2}}, "parts of one tensor have one shape, dtype"},
        {{{"v", "z", true, 0, 0}, {"a", "y", false, 0, 0}},
         "'z' of the file cannot be made of 'v': it has fewer than two dims"},
        {{{"a", "tapegrad.x", false, 0, 0}, {"x", "x", false, 0, 0}}, "the name 'tapegrad.x' cannot be in a file"},
        {{{"a", "\xff", false, 0, 0}, {"x", "x", false, 0, 0}}, "not UTF-8 text"},
        {{{"a", NULL, false, 0, 0}, {"x", "x", false, 0, 0}}, "rule 0 has no name"},
        {{{"*", "x", false, 0, 0}, {"x", "x", false, 0, 0}}, "rule 0 must have one * in both names"},
    };
    tg_tape *t = tg_tape_new(TG_F32);
    numbered(t, "a", 1, TG_SHAPE(2, 3));
    numbered(t, "b", 1, TG_SHAPE(2, 3));
    numbered(t, "c", 1, TG_SHAPE(3, 2));
    numbered(t, "v", 1, TG_SHAPE(6));
    tg_buffer(t, "i", tg_from_ints(t, TG_SHAPE(2, 3), (const int64_t[]){0, 1, 2, 3, 4, 5}));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tg_save_config config = {.rule = wrong[i].rule, .n_rules = 2};
        ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
        ck_assert_msg(strstr(tg_error(t), wrong[i].why) != NULL, "%zu: %s", i, tg_error(t));
        tg_clear_error(t);
        ck_assert_msg(access(path, F_OK) != 0, "%zu: a file was made", i);
    }
    tg_save_config config = {.n_rules = 1};
    ck_assert_int_eq(tg_save_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "the list of 1 rules is NULL");
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_model_in_several_files_loads,
                                  a_part_of_them_loads_under_other_names,
                                  several_files_are_listed_as_one,
                                  an_index_that_is_wrong_is_refused,
                                  an_index_that_is_too_large_is_refused,
                                  every_prefix_of_an_index_and_of_a_shard_is_refused,
                                  out_of_memory_is_an_error_and_changes_nothing,
                                  a_layout_is_saved_as_python_saves_it,
                                  layouts_that_cannot_be_saved_are_refused};
    return run_tests("layout", tests, sizeof tests / sizeof *tests, make_directory, remove_all);
}
