/* A file loads in part, and by rules: exactly the tensors asked for get the numbers of the names and layouts that the
 * rules give; what does not fit is named, a line for each tensor, and changes nothing. */
#include "tests/io/model_file.h"
#include "tests/support.h"

#include <stdio.h>

static void make_directory(void) { make_model_directory("rules_test"); }

typedef struct lines {
    int n;
    char line[8][200];
} lines;

static void note(const char *line, void *context) {
    lines *all = context;
    ck_assert_int_lt(all->n, 8);
    snprintf(all->line[all->n++], sizeof all->line[0], "%s", line);
}

static void want_lines(const lines *got, int n, const char *const *want) {
    ck_assert_int_eq(got->n, n);
    for (int i = 0; i < n; i++)
        ck_assert_str_eq(got->line[i], want[i]);
}

/* a.x = 1, a.y = 2, b.x = 3 in the file */
static void save_three(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_parameter(t, "a.x", tg_full(t, TG_SHAPE(2), 1));
    tg_parameter(t, "a.y", tg_full(t, TG_SHAPE(3), 2));
    tg_parameter(t, "b.x", tg_full(t, TG_SHAPE(2), 3));
    ck_assert_int_eq(tg_save(t, path), TG_OK);
    tg_tape_free(t);
}

START_TEST(missing_and_extra_tensors_are_errors_unless_allowed)
{
    save_three();
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", tg_zeros(t, TG_SHAPE(2)));
    tg_tensor z = tg_parameter(t, "z", tg_full(t, TG_SHAPE(1), 7));
    lines got = {0};
    const tg_file_rule of_b = {.name = "*", .file_name = "b.*"};
    tg_load_config config = {.rule = &of_b, .n_rules = 1, .report = note, .context = &got};
    static const char *const want[] = {"a.x is in the file, but not on the tape",
                                       "a.y is in the file, but not on the tape", "z is not in the file as 'b.z'"};
    ck_assert_int_eq(tg_load_with(t, path, config), TG_ERR_FORMAT);
    WANT_ERROR(t, TG_ERR_FORMAT, "'z' is not in the file");
    want_lines(&got, 3, want);
    config.report = NULL;
    config.allow_missing = true;
    ck_assert_int_eq(tg_load_with(t, path, config), TG_ERR_FORMAT);
    WANT_ERROR(t, TG_ERR_FORMAT, "'a.x' is in the file, but not on the tape (2 such names)");
    WANT_VALUES(x, 0, 0);
    config.allow_extra = true;
    ck_assert_int_eq(tg_load_with(t, path, config), TG_OK);
    WANT_VALUES(x, 3, 3);
    WANT_VALUES(z, 7);
    tg_tape_free(t);
}
END_TEST

START_TEST(rules_exchange_names)
{
    save_three();
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "model.x", tg_zeros(t, TG_SHAPE(2)));
    tg_tensor y = tg_parameter(t, "model.y", tg_zeros(t, TG_SHAPE(3)));
    tg_tensor tied = tg_parameter(t, "head", tg_zeros(t, TG_SHAPE(3)));
    tg_tensor other = tg_parameter(t, "b.x", tg_zeros(t, TG_SHAPE(2)));
    const tg_file_rule rules[] = {{.name = "model.*", .file_name = "a.*"}, {.name = "head", .file_name = "a.y"}};
    tg_load_config config = {.rule = rules, .n_rules = 2};
    ck_assert_msg(tg_load_with(t, path, config) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(x, 1, 1);
    WANT_VALUES(y, 2, 2, 2);
    WANT_VALUES(tied, 2, 2, 2);
    WANT_VALUES(other, 3, 3);
    const tg_file_rule of_b = {.name = "model.*", .file_name = "b.*"};
    config = (tg_load_config){.only = {t, 1, &x}, .rule = &of_b, .n_rules = 1, .allow_extra = true};
    ck_assert_int_eq(tg_load_with(t, path, config), TG_OK);
    WANT_VALUES(x, 3, 3);
    config.only = (tg_list){t, 1, NULL};
    ck_assert_int_eq(tg_load_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "load: the list of 1 tensors is NULL");
    tg_tape_free(t);
}
END_TEST

/* w (4, 3) = 0 .. 11 and i (2, 2) of ints in the file */
START_TEST(rules_exchange_layouts)
{
    static const int64_t two_by_two[4] = {1, 2, 3, 4};
    double numbers[12];
    tg_tape *t = tg_tape_new(TG_F32);
    for (int i = 0; i < 12; i++)
        numbers[i] = i;
    tg_parameter(t, "w", tg_from_doubles(t, TG_SHAPE(4, 3), numbers));
    tg_buffer(t, "i", tg_from_ints(t, TG_SHAPE(2, 2), two_by_two));
    tg_save_config as_half = TG_SAVE_DEFAULTS;
    as_half.dtype = "BF16";
    ck_assert_int_eq(tg_save_with(t, path, as_half), TG_OK);
    tg_tape_free(t);
    t = tg_tape_new(TG_F64);
    tg_tensor turned = tg_parameter(t, "turned", tg_zeros(t, TG_SHAPE(3, 4)));
    tg_tensor second = tg_parameter(t, "second", tg_zeros(t, TG_SHAPE(2, 3)));
    tg_tensor last = tg_parameter(t, "last", tg_zeros(t, TG_SHAPE(1, 4)));
    tg_tensor i = tg_buffer(t, "i", tg_from_ints(t, TG_SHAPE(2, 2), (int64_t[4]){0}));
    const tg_file_rule rules[] = {
        {"turned", "w", true, 0, 0}, {"second", "w", false, 1, 2}, {"last", "w", true, 2, 3}, {"i", "i", true, 0, 0}};
    tg_load_config config = {.rule = rules, .n_rules = 4};
    ck_assert_msg(tg_load_with(t, path, config) == TG_OK, "%s", tg_error(t));
    WANT_VALUES(turned, 0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11);
    WANT_VALUES(second, 6, 7, 8, 9, 10, 11);
    WANT_VALUES(last, 2, 5, 8, 11);
    int64_t got[4];
    ck_assert_int_eq(tg_read_ints(i, got, 4), TG_OK);
    ck_assert(got[0] == 1 && got[1] == 3 && got[2] == 2 && got[3] == 4);
    tg_tape_free(t);
}
END_TEST

START_TEST(wrong_rules_are_refused)
{
    save_three();
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "x", tg_zeros(t, TG_SHAPE(2)));
    static const struct {
        tg_file_rule rule;
        tg_status status;
        const char *why;
    } wrong[] = {{{NULL, "a.x", false, 0, 0}, TG_ERR_ARGUMENT, "rule 0 has no name"},
                 {{"x", NULL, false, 0, 0}, TG_ERR_ARGUMENT, "rule 0 has no name"},
                 {{"*", "a.x", false, 0, 0}, TG_ERR_ARGUMENT, "one * in both names"},
                 {{"**", "a.**", false, 0, 0}, TG_ERR_ARGUMENT, "one * in both names"},
                 {{"x", "a.x", false, 2, 2}, TG_ERR_ARGUMENT, "a part that is at least 0"},
                 {{"x", "a.x", false, -1, 2}, TG_ERR_ARGUMENT, "a part that is at least 0"},
                 {{"x", "a.x", false, 1, 0}, TG_ERR_ARGUMENT, "a part that is at least 0"},
                 {{"x", "a.x", true, 0, 0}, TG_ERR_FORMAT, "x (2,) has fewer than two dims to transpose"},
                 {{"x", "a.x", false, 0, 2}, TG_ERR_FORMAT, "x (2,) wants (4,) in the file as 'a.x', but it is (2,)"},
                 {{"x", "c.x", false, 0, 0}, TG_ERR_FORMAT, "'x' is not in the file as 'c.x'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tg_load_config config = {.rule = &wrong[i].rule, .n_rules = 1, .allow_extra = true};
        ck_assert_int_eq(tg_load_with(t, path, config), wrong[i].status);
        WANT_ERROR(t, wrong[i].status, wrong[i].why);
        WANT_VALUES(x, 0, 0);
    }
    tg_load_config config = {.n_rules = 1};
    ck_assert_int_eq(tg_load_with(t, path, config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "the list of 1 rules is NULL");
    tg_tape_free(t);
}
END_TEST

START_TEST(every_tensor_that_does_not_fit_is_reported)
{
    save_three();
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_parameter(t, "a.x", tg_zeros(t, TG_SHAPE(2, 1)));
    tg_buffer(t, "a.y", tg_from_ints(t, TG_SHAPE(3), (int64_t[3]){0}));
    tg_tensor b = tg_parameter(t, "b.x", tg_zeros(t, TG_SHAPE(2)));
    lines got = {0};
    tg_load_config config = {.report = note, .context = &got};
    static const char *const want[] = {"a.x (2, 1) has another shape in the file: (2,)",
                                       "a.y (3,) is int64, but F32 in the file"};
    ck_assert_int_eq(tg_load_with(t, path, config), TG_ERR_FORMAT);
    WANT_ERROR(t, TG_ERR_FORMAT, "a.x (2, 1) has another shape in the file: (2,)");
    want_lines(&got, 2, want);
    WANT_VALUES(x, 0, 0);
    WANT_VALUES(b, 0, 0);
    tg_tape_free(t);
}
END_TEST

int main(void) {
    const TTest *const all[] = {missing_and_extra_tensors_are_errors_unless_allowed, rules_exchange_names,
                                rules_exchange_layouts, wrong_rules_are_refused,
                                every_tensor_that_does_not_fit_is_reported};
    return run_tests("rules", all, sizeof all / sizeof *all, make_directory, remove_directory);
}
