/* Whatever names from outside hold, all that the library writes for people is printable: nothing that a terminal obeys,
 * no line that begins within a name. */
#include "optim/optim.h"
#include "tests/io/names.h"

#include <stdio.h>
#include <unistd.h>

static char folder[4096], path[4200];
static FILE *file;

static const char *written(void) {
    static char text[1 << 18];
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    ck_assert_msg(strstr(text, "left") != NULL, "the name is not in: %s", text);
    return text;
}

static void begin_file(void) { ck_assert_ptr_nonnull(file = tmpfile()); }

static void end_file(const char *of) {
    want_printable(written(), of);
    fclose(file);
}

static void want_printable_error(tg_tape *t) {
    ck_assert_int_ne(tg_tape_status(t), TG_OK);
    want_printable(tg_error(t), "tg_error");
    ck_assert_ptr_null(strchr(tg_error(t), '\n'));
    tg_clear_error(t);
}

/* ---- an operation with the name, whose gradient is wrong ---- */

static int forward(const tg_call *c) {
    for (int64_t i = 0; i < 4; i++)
        ((double *)c->output)[i] = 2 * ((const double *)c->input[0])[i];
    return 0;
}

static int wrong_vjp(const tg_call *c) {
    for (int64_t i = 0; i < 4 && c->input_grad[0]; i++)
        ((double *)c->input_grad[0])[i] += 7 * ((const double *)c->output_grad)[i];
    return 0;
}

static tg_tensor named_operation(const char *name, tg_tensor x) {
    static tg_custom_op op; /* which the tape reads later, too */
    op = (tg_custom_op){.name = name, .forward_f64 = forward, .vjp_f64 = wrong_vjp};
    return tg_custom(&op, &x, 1, tg_shape_of(x), NULL, 0);
}

static tg_tensor named_leaf(tg_tape *t, const char *name) {
    return tg_parameter(t, name, wanting(VECTOR(t, 1, 2, 3, 4)));
}

/* ---- the tests ---- */

START_TEST(descriptions_and_errors_are_printable)
{
    const char *name = hostile_names[_i];
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = named_leaf(t, name);
    WANT_OK(t);
    want_printable(tg_describe(x).s, "tg_describe");
    ck_assert_ptr_null(strchr(tg_describe(x).s, '\n'));
    ck_assert_str_eq(tg_name(x), name); /* what it is called stays */
    (void)tg_add(x, tg_zeros(t, TG_SHAPE(3)));
    want_printable_error(t);
    (void)named_operation(name, tg_zeros(t, TG_SHAPE(0)));
    tg_clear_error(t);
    (void)tg_named(t, name);
    (void)tg_parameter(t, name, tg_zeros(t, TG_SHAPE(1)));
    want_printable_error(t);
    tg_reject(t, TG_ERR_SHAPE, "%s", name);
    want_printable_error(t);
    tg_tape_free(t);
}
END_TEST

START_TEST(logs_graphs_and_profiles_are_printable)
{
    const char *name = hostile_names[_i];
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = total(named_operation(name, named_leaf(t, name)));
    begin_file();
    tg_log_backward(t, file);
    tg_set_profile(t, true);
    run_backward(y);
    end_file("tg_log_backward");
    tg_log_backward(t, NULL);
    run_backward(total(named_operation(name, named_leaf(t, "other"))));
    begin_file();
    ck_assert_int_eq(tg_profile_print(file, t), TG_OK);
    end_file("tg_profile_print");
    begin_file();
    ck_assert_int_eq(tg_graph_dot(file, y), TG_OK);
    end_file("tg_graph_dot");
    begin_file();
    ck_assert_int_eq(tg_graph_svg(file, y), TG_OK);
    end_file("tg_graph_svg");
    tg_tape_free(t);
}
END_TEST

START_TEST(reports_of_the_gradient_check_are_printable)
{
    const char *name = hostile_names[_i];
    tg_gradcheck_result r;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor y = total(named_operation(name, named_leaf(t, name)));
    ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    want_printable_error(t);
    want_printable(r.summary, "summary");
    want_printable(r.diagnosis, "diagnosis");
    begin_file();
    ck_assert_int_eq(tg_gradcheck_print(file, &r), TG_OK);
    end_file("tg_gradcheck_print");
    begin_file();
    ck_assert_int_eq(tg_gradcheck_print_json(file, &r), TG_OK);
    end_file("tg_gradcheck_print_json");
    tg_tape_free(t);
}
END_TEST

START_TEST(titles_and_labels_of_pictures_are_printable)
{
    const char *name = hostile_names[_i], *const names[] = {name, name};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = MATRIX(t, 2, 2, 1, 2, 3, 4);
    begin_file();
    ck_assert_int_eq(tg_heatmap_svg(file, x, name, names, names), TG_OK);
    end_file("tg_heatmap_svg");
    begin_file();
    ck_assert_int_eq(tg_lines_svg(file, x, name, names), TG_OK);
    end_file("tg_lines_svg");
    tg_tape_free(t);
}
END_TEST

static void see_line(const char *line, void *context) {
    int *lines = context;
    want_printable(line, "tg_load_config.report");
    ck_assert_ptr_null(strchr(line, '\n'));
    ++*lines;
}

/* A file with this name, which holds a tensor with it; as far as it is UTF-8, which others cannot have. */
START_TEST(messages_about_files_are_printable)
{
    const char *name = hostile_names[_i];
    bool no_utf8 = _i >= FIRST_NO_UTF8 && _i < END_NO_UTF8;
    int lines = 0;
    tg_tape *t = tg_tape_new(TG_F64), *other = tg_tape_new(TG_F64);
    tg_load_config load = TG_LOAD_DEFAULTS;
    load.report = see_line;
    load.context = &lines;
    (void)named_leaf(t, name);
    (void)tg_parameter(other, "another", tg_zeros(other, TG_SHAPE(5)));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    tg_status check = tg_check_save(t, path);
    if (check != TG_OK)
        want_printable_error(t);
    ck_assert_int_eq(tg_save(t, path), check);
    if (check != TG_OK)
        want_printable_error(t);
    else
        ck_assert(!no_utf8);
    if (!no_utf8) {
        ck_assert_int_ne(tg_load_with(other, path, load), TG_OK);
        ck_assert_int_eq(lines, 2);
        want_printable_error(other);
    }
    remove(path);
    ck_assert_int_ne(tg_load(other, path), TG_OK);
    want_printable_error(other);
    ck_assert(tg_is_null(tg_load_npy(other, path)));
    want_printable_error(other);
    ck_assert_int_ne(tg_load_run(other, path, (tg_run){.n_numbers = 0}), TG_OK);
    want_printable_error(other);
    ck_assert_int_ne(tg_list_file(other, path, NULL, NULL), TG_OK);
    want_printable_error(other);
    strcat(path, "/nowhere");
    ck_assert_int_ne(tg_check_save(other, path), TG_OK);
    want_printable_error(other);
    tg_tape_free(t);
    tg_tape_free(other);
}
END_TEST

/* What tg_save will not write is said before, in the same words. */
START_TEST(names_that_no_file_can_have_are_refused_beforehand)
{
    static const struct {
        const char *name, *why;
    } wrong[] = {{"tapegrad.x", "the name 'tapegrad.x' cannot be in a file: it is reserved"},
                 {"__metadata__", "the name '__metadata__' cannot be in a file: it is reserved"},
                 {"a\xff", "the name 'a?' cannot be in a file: it is not UTF-8 text"}};
    snprintf(path, sizeof path, "%s/model", folder);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tg_tape *t = tg_tape_new(TG_F64);
        (void)named_leaf(t, "right");
        ck_assert_int_eq(tg_check_save(t, path), TG_OK);
        (void)named_leaf(t, wrong[i].name);
        ck_assert_int_eq(tg_check_save(t, path), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "check_save: ", wrong[i].why);
        ck_assert_int_eq(tg_save(t, path), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "save: ", wrong[i].why);
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(a_message_of_long_names_and_shapes_stays_one_line)
{
    tg_tape *t = tg_tape_new(TG_F64);
    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    int64_t big = sizeof(size_t) > 4 ? INT64_C(1) << 50 : INT64_C(1125) << 17; /* 1125899906842624, 147456000 */
    tg_tensor p = tg_parameter(t, name, tg_zeros(t, TG_SHAPE(0, big, 1, 1, 1, 1, 1, 1)));
    WANT_OK(t);
    tg_text text = tg_describe(p);
    ck_assert_uint_eq(strlen(text.s), sizeof text.s - 1); /* the name has what the shape leaves: start and end */
    ck_assert_msg(strstr(text.s, "nnn...nnn") && strstr(text.s, "nnn (0, ") && strstr(text.s, ", 1, 1)"), "%s", text.s);
    ck_assert(tg_is_null(tg_matmul(p, VECTOR(t, 1, 2, 3, 4))));
    WANT_ERROR(t, TG_ERR_SHAPE, "matmul", "nnn", big > INT32_MAX ? "1125899906842624" : "147456000");
    tg_tape_free(t);
}
END_TEST

/* A newline, an escape, NEL (a C1 control), U+202E (right-to-left override), half a character; what is left is read as
 * it was written. */
START_TEST(a_message_has_no_control_characters_whatever_a_name_holds)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor p = tg_buffer(t, "w\n\x1b[2J\xc2\x85\xe2\x80\xae\xc3.W\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
                            tg_zeros(t, TG_SHAPE(2, 2)));
    WANT_OK(t);
    ck_assert(tg_is_null(tg_add(p, VECTOR(t, 1, 2, 3, 4))));
    WANT_ERROR(t, TG_ERR_SHAPE, "add: shapes", "(2, 2)");
    ck_assert(tg_is_null(tg_linear(tg_ones(t, TG_SHAPE(2, 3)), p, TG_NULL)));
    WANT_ERROR(t, TG_ERR_SHAPE, "w??[2J???.W\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82 (2, 2)");
    tg_tape_free(t);
    char overlong[] = "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80|\xe2\x81\xa6\xef\xbb\xbf|\x7f";
    tg_make_printable(overlong);
    ck_assert_str_eq(overlong, "?????????|??|?");
    char hidden[] = "\xd8\x9c|\xe2\x80\x8b\xe2\x80\x8f\xe2\x80\x90|\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xaf|\xe2\x81\xb0";
    tg_make_printable(hidden); /* U+061C, U+200B, U+200F and U+2028 are, their neighbours and U+2070 are not */
    ck_assert_str_eq(hidden, "?|??\xe2\x80\x90|\xe2\x80\xa7?\xe2\x80\xaf|\xe2\x81\xb0");
}
END_TEST

START_TEST(make_printable_leaves_one_printable_line)
{
    char text[64];
    snprintf(text, sizeof text, "%s", hostile_names[_i]);
    tg_make_printable(text);
    want_printable(text, "tg_make_printable");
    ck_assert_ptr_null(strchr(text, '\n'));
    ck_assert_ptr_eq(strstr(text, "left?"), text);
    tg_make_printable(NULL);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("names");
    if (!make_folder("names", folder, sizeof folder))
        return 1;
    const TTest *const all[] = {
        descriptions_and_errors_are_printable,       logs_graphs_and_profiles_are_printable,
        reports_of_the_gradient_check_are_printable, titles_and_labels_of_pictures_are_printable,
        messages_about_files_are_printable,          make_printable_leaves_one_printable_line};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_loop_test(c, all[i], 0, N_HOSTILE);
    tcase_add_test(c, a_message_of_long_names_and_shapes_stays_one_line);
    tcase_add_test(c, a_message_has_no_control_characters_whatever_a_name_holds);
    tcase_add_test(c, names_that_no_file_can_have_are_refused_beforehand);
    int status = run_suite("names", c);
    return rmdir(folder) || status;
}
