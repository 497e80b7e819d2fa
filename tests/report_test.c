/* The page that `train --report` writes holds the training's numbers, by arithmetic, as JSON (RFC 8259), in bounded
 * size. How it looks is checked by tests/report.py. */
#include "examples/common/report.h"
#include "tests/io/program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL "--channels", "8", "--batch", "4"

static char page[1 << 22];

static const char *page_of(const char *name) {
    FILE *file = fopen(in_folder(name), "r");
    ck_assert_ptr_nonnull(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    return page;
}

static void want(const char *part) { ck_assert_msg(strstr(page, part) != NULL, "'%s' is not on the page", part); }

/* ---- JSON ---- */

static const char *value(const char *s);

static const char *string(const char *s) {
    ck_assert_msg(*s == '"', "no string: %.40s", s);
    for (s++; *s != '"'; s += *s == '\\' ? 2 : 1)
        ck_assert_msg((unsigned char)*s >= ' ' && *s != '<', "a bare control character or '<': %.40s", s);
    return s + 1;
}

/* {"name": value, ...} or [value, ...] */
static const char *group(const char *s, char end) {
    for (s++; *s != end; s += *s == ',') {
        s += strspn(s, "\n");
        if (end == '}') {
            s = string(s);
            ck_assert_int_eq(*s++, ':');
        }
        s = value(s);
        ck_assert_msg(*s == ',' || *s == end, "neither , nor %c: %.40s", end, s);
    }
    return s + 1;
}

static const char *value(const char *s) {
    double x;
    int n = 0;
    if (*s == '{' || *s == '[')
        return group(s, *s == '{' ? '}' : ']');
    if (*s == '"')
        return string(s);
    if (strncmp(s, "null", 4) == 0)
        return s + 4;
    ck_assert_msg(strchr("-0123456789", *s) && sscanf(s, "%lf%n", &x, &n) == 1, "no value: %.40s", s);
    return s + n;
}

static void want_json(void) {
    const char *data = strstr(page, "id=\"data\">\n");
    ck_assert_ptr_nonnull(data);
    data += strlen("id=\"data\">\n");
    ck_assert_int_eq(*data, '{');
    ck_assert_int_eq(strncmp(value(data), "\n</script>", 10), 0);
}

/* ---- the page ---- */

static report *report_at(const char *name, int64_t last, int64_t T, int n_maps, tg_list parameters) {
    static const char *const token[] = {"</script>", "\"\\\n"}, *const map[] = {"first", "second"};
    static report_plan plan;
    plan = (report_plan){.path = in_folder(name),
                         .title = "a <b>",
                         .last = last,
                         .T = T,
                         .token = T == 2 ? token : NULL,
                         .n_maps = n_maps,
                         .map = map,
                         .parameters = parameters};
    report *r = report_new(&plan);
    ck_assert_ptr_nonnull(r);
    return r;
}

static void write_page(report *r, const char *name) {
    char why[600] = "";
    ck_assert_msg(report_write(r, "summary", why, sizeof why), "%s", why);
    page_of(name);
    want_json();
    report_free(r);
}

/* w = (3, 4), loss = sum w^2, so dw = (6, 8); then w = (3, 0): sizes are root mean squares. */
START_TEST(numbers_are_those_of_the_training)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = tg_parameter(t, "w", VECTOR(t, 3, 4));
    report *r = report_at("a.html", 1, 2, 2, tg_parameters(t));
    report_maps(r, 0, 0, 2, (const float[]){1, 0, 0.5F, 0.5F, /* the second map */ 1, 1, 1, 1});
    report_maps(r, 0, 1, 1, (const float[]){0, 1, 2, NAN});
    tg_tensor loss = tg_sum(tg_square(w), TG_ALL_DIMS, false);
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_int_eq(report_before_update(r), TG_OK);
    ck_assert_int_eq(report_graph(r, loss), TG_OK);
    ck_assert_int_eq(tg_write_doubles(w, (const double[]){3, 0}, 2), TG_OK);
    ck_assert_int_eq(report_after_update(r, 1), TG_OK);
    report_step(r, 1, 25, 0.1, INFINITY);
    report_held_out(r, 0, 0.125);
    report_text(r, "a title", "a\ttext");
    write_page(r, "a.html");
    want("\"title\":\"a \\u003cb>\"");
    want("\"steps\":{\"step\":[1],\"loss\":[25],\"rate\":[0.1],\"gradient\":[\"Inf\"]}");
    want("\"loss\":\"loss in nats\",\n"); /* where nobody gives it another name */
    want("\"held_out\":{\"step\":[0],\"loss\":[0.125]}");
    want("\"tokens\":[\"\\u003c/script>\",\"\\\"\\\\\\u000a\"]");
    /* bytes 255 0 180 180 (255 sqrt 0.5 = 180.3), and 0 255 255 0, in base64 */
    want("\"snapshots\":[{\"step\":0,\"cells\":[\"/wC0tA==\",\"AP//AA==\"]}]");
    /* sqrt((9 + 16) / 2), sqrt((36 + 64) / 2), sqrt(16 / 2) / sqrt(25 / 2) */
    want("{\"name\":\"w\",\"shape\":\"(2,)\",\"size\":[3.53553],\"gradient\":[7.07107],\"update\":[0.8]}");
    want("\"updates\":[1]");
    want("{\"title\":\"a title\",\"text\":\"a\\u0009text\"}");
    want(">w (2,) gradient 10<");
    tg_tape_free(t);
}
END_TEST

/* w = (3, 4) is halved by the first step, gradients (6, 8) at rate 1/4, and the second, of NaN, makes it (NaN, NaN);
 * b = 0 has no gradient, and 0 no part that a step could move. */
START_TEST(numbers_that_are_not_finite_have_their_names)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = tg_parameter(t, "w", VECTOR(t, 3, 4));
    tg_parameter(t, "b", tg_zeros(t, TG_SHAPE(2)));
    report *r = report_at("nan.html", 2, 0, 0, tg_parameters(t));
    tg_optim *o = tg_sgd_new(t, tg_parameters(t), TG_SGD_DEFAULTS);
    tg_optim_set_lr(o, 0.25);
    tg_mark mark = tg_tape_mark(t);
    for (int step = 1; step <= 2; step++) {
        tg_tensor loss = tg_mul_scalar(tg_sum(tg_square(w), TG_ALL_DIMS, false), step == 1 ? 1 : NAN);
        tg_optim_zero_grad(o);
        ck_assert_int_eq(tg_backward(loss), TG_OK);
        ck_assert_int_eq(report_optim_step(r, step, o, loss), TG_OK);
        ck_assert_int_eq(tg_tape_rewind(t, mark), TG_OK);
    }
    report_held_out(r, 2, -INFINITY);
    write_page(r, "nan.html");
    want("\"loss\":[25,\"NaN\"],\"rate\":[0.25,0.25],\"gradient\":[10,\"NaN\"]}");
    want("\"held_out\":{\"step\":[2],\"loss\":[\"-Inf\"]}");
    /* sqrt(25 / 2), sqrt(25 / 8); sqrt(100 / 2) */
    want("\"size\":[3.53553,1.76777],\"gradient\":[7.07107,\"NaN\"],\"update\":[0.5,\"NaN\"]}");
    want("\"size\":[0,0],\"gradient\":[null,null],\"update\":[null,null]}");
    tg_tape_free(t);
}
END_TEST

/* 130 tokens: cells of 3 x 3, the largest of each; the whole map as well, in (130^2 + 2) / 3 * 4 = 22536 characters. */
START_TEST(long_maps_are_pooled_by_their_largest)
{
    enum { T = 130 };
    static float weights[T * T];
    report *r = report_at("pooled.html", 1, T, 1, (tg_list){0});
    weights[1 * T + 2] = 1;
    weights[2 * T + 1] = 0.5F;
    weights[4 * T + 5] = 0.2F;
    report_maps(r, 1, 0, 1, weights);
    write_page(r, "pooled.html");
    want("\"T\":130,\"pooled\":3,\"side\":44,");
    /* 255, then 43 zeros and 255 sqrt 0.2 = 114: byte 45 is the first of the sixteenth group of three */
    const char *cells = strstr(page, "\"cells\":[\"") + strlen("\"cells\":[\"");
    ck_assert_int_eq(strncmp(cells, "/wAA", 4), 0);
    ck_assert_int_eq(strncmp(cells + 60, "cgAA", 4), 0);
    const char *full = strstr(page, "\"full\":{\"step\":1,\"map\":\"first\",\"cells\":\"");
    ck_assert_ptr_nonnull(full);
    ck_assert_uint_eq(strcspn(strstr(full, "cells\":\"") + 8, "\""), 22536);
}
END_TEST

/* Two maps of two tokens: of maps -1, 0 and 1, 2 the middle ones are there, one weight of each 1. */
START_TEST(maps_beyond_the_plan_are_left_out)
{
    static const float weights[][4] = {{1, 1, 1, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    report *r = report_at("beyond.html", 1, 2, 2, (tg_list){0});
    report_maps(r, 1, -1, 2, weights[0]);
    report_maps(r, 1, 1, 2, weights[2]);
    report_maps(r, 1, 1000000, 2, weights[0]);
    report_maps(r, 1, INT_MAX, 2, weights[0]);
    report_maps(r, 1, INT_MIN, 2, weights[0]);
    write_page(r, "beyond.html");
    want("\"cells\":[\"/wAAAA==\",\"AAAA/w==\"]"); /* 255 0 0 0, 0 0 0 255 */
}
END_TEST

/* Means of 3 steps, the last of what is left; at most 41 snapshots and the first. */
START_TEST(long_trainings_are_averaged)
{
    report *r = report_at("long.html", 6001, 2, 1, (tg_list){0});
    int snapshots = 0;
    for (int64_t step = 1; step <= 6001; step++) {
        report_step(r, step, (double)step, 1, 2);
        if (report_is_due(r, step))
            report_maps(r, step, 0, 1, (const float[]){1, 0, 0, 1}), snapshots++;
    }
    write_page(r, "long.html");
    ck_assert_int_eq(snapshots, 40);
    want("\"averaged\":4,");
    want("\"step\":[4,8,12,");
    want(",6000,6001],\"loss\":[2.5,6.5,10.5,");
    want(",5998.5,6001],\"rate\"");
}
END_TEST

/* Of 900 parameters every fifth update, the last one too; of 3,000 tensors no graph. */
START_TEST(many_parameters_and_tensors_make_no_large_page)
{
    enum { P = 900 };
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x[P], loss = tg_zeros(t, TG_SCALAR);
    for (int i = 0; i < P; i++) {
        char name[64];
        snprintf(name, sizeof name, "transformer.h.%d.attn.c_attn.weight", i);
        x[i] = tg_parameter(t, name, tg_full(t, TG_SHAPE(2), 1.23456789e-5));
        loss = tg_add(loss, tg_sum(tg_mul_scalar(x[i], 1.23456789e-5), TG_ALL_DIMS, false));
    }
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    report *r = report_at("many.html", 40, 2, 2, tg_parameters(t));
    for (int64_t step = 1; step <= 40; step++) {
        ck_assert(report_is_due(r, step));
        ck_assert_int_eq(report_before_update(r), TG_OK);
        ck_assert_int_eq(report_after_update(r, step), TG_OK);
    }
    ck_assert_int_eq(report_graph(r, loss), TG_OK);
    write_page(r, "many.html");
    ck_assert_uint_lt(strlen(page), 2000000);
    want("\"updates\":[5,10,15,20,25,30,35,40]"); /* 900 x 40 x 3 numbers of 12 bytes in 300 kB */
    want("It has too many tensors");
    tg_tape_free(t);
}
END_TEST

/* 12 layers of 12 heads at 512 tokens */
START_TEST(the_page_stays_below_two_megabytes)
{
    enum { T = 512, HEADS = 144 };
    static float weights[HEADS * T * T];
    static const char *name[HEADS];
    for (int i = 0; i < HEADS * T * T; i++)
        weights[i] = (float)(i % 97) / 97;
    for (int i = 0; i < HEADS; i++)
        name[i] = "head";
    report_plan plan = {
        .path = in_folder("large.html"), .title = "", .last = 5000, .T = T, .n_maps = HEADS, .map = name};
    report *r = report_new(&plan);
    ck_assert_ptr_nonnull(r);
    for (int64_t step = 0; step <= 5000; step++) {
        if (report_is_due(r, step))
            report_maps(r, step, 0, HEADS, weights);
        report_step(r, step, 1.23456789, 1.23456789e-5, 1.23456789e-5);
    }
    write_page(r, "large.html");
    ck_assert_uint_lt(strlen(page), 2000000);
}
END_TEST

/* ---- where it goes ---- */

static void write_refused(const char *path, const char *says) {
    char why[600] = "";
    report *r = report_new(&(report_plan){.path = path, .title = "a", .last = 1});
    ck_assert_ptr_nonnull(r);
    ck_assert(!report_write(r, "", why, sizeof why));
    ck_assert_msg(strstr(why, "cannot write a report to") && strstr(why, says), "%s", why);
    report_free(r);
}

/* A program that did not ask before its training is told now. */
START_TEST(what_is_no_report_is_not_replaced)
{
    struct stat about;
    char path[600];
    write_file("mine.c", "int main(void) { return 0; }", 28);
    snprintf(path, sizeof path, "%s", in_folder("mine.c"));
    write_refused(path, "no report");
    ck_assert_str_eq(page_of("mine.c"), "int main(void) { return 0; }");
    snprintf(path, sizeof path, "%s", in_folder("pipe"));
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    write_refused(path, "not a file");
    ck_assert(stat(path, &about) == 0 && S_ISFIFO(about.st_mode));
    write_refused(NULL, "no name");
    ck_assert(!report_check(NULL, NULL, 0));
}
END_TEST

/* A report in place of an older one, with the user's own files beside it. */
START_TEST(files_beside_the_page_stay)
{
    write_file("side.html.part", "a user's", 8);
    ck_assert_int_eq(mkdir(in_folder("side.html.part1"), 0700), 0);
    for (int i = 0; i < 2; i++) {
        write_page(report_at("side.html", 1, 0, 0, (tg_list){0}), "side.html");
        want("\"title\":\"a \\u003cb>\"");
        ck_assert_str_eq(page_of("side.html.part"), "a user's");
        ck_assert_int_ne(access(in_folder("side.html.part2"), F_OK), 0);
    }
}
END_TEST

START_TEST(a_null_string_is_an_empty_one)
{
    static const char *const token[] = {NULL, NULL};
    char why[600] = "", path[600];
    snprintf(path, sizeof path, "%s", in_folder("null.html"));
    report *r = report_new(&(report_plan){.path = path, .last = 1, .T = 2, .token = token, .n_maps = 1});
    ck_assert_ptr_nonnull(r);
    report_maps(r, 0, 0, 1, (const float[]){1, 0, 0, 1});
    report_text(r, NULL, NULL);
    ck_assert_msg(report_write(r, NULL, why, sizeof why), "%s", why);
    report_free(r);
    page_of("null.html");
    want_json();
    want("{\"title\":\"\",\n\"summary\":\"\",\n");
    want("\"tokens\":[\"\",\"\"]");
    want("\"texts\":[{\"title\":\"\",\"text\":\"\"}]");
}
END_TEST

/* ---- the program ---- */

/* The part of the page that show_score's lines are in: with answers only where there are questions. */
START_TEST(a_texts_report_speaks_of_no_answers)
{
    char text[400];
    for (int i = 0; i < 400; i++)
        text[i] = "abcde fgh"[i * i % 9];
    write_file("a.txt", text, sizeof text);
    const run *r = RUN(SMALL, "--text", "a.txt", "--context", "8", "--steps", "3", "--sample", "1", "--save",
                       "with.safetensors", "--report", "text.html");
    ck_assert_msg(r->status == 0, "%s", r->err);
    page_of("text.html");
    want("\"Loss in nats\"");
    want("bigram: P(character");
    ck_assert_ptr_null(strstr(page, "answers that are right"));
}
END_TEST

START_TEST(train_writes_a_report)
{
    const run *r = RUN(SMALL, "--steps", "30", "--save", "with.safetensors", "--report", "train.html");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_ptr_nonnull(strstr(r->out, "report: train.html\n"));
    page_of("train.html");
    want_json();
    want("linear"); /* in the graph and in the profile */
    want("guessing among the four foods told");
    want("Loss in nats, and answers that are right");
    want("{\"name\":\"attn.W_query.weight\",\"shape\":\"(8, 8)\"");
    ck_assert_ptr_null(strstr(page, "src="));
    ck_assert_ptr_null(strstr(page, "href="));
    ck_assert_int_eq(RUN(SMALL, "--steps", "30", "--save", "without.safetensors")->status, 0);
    static char bytes[1 << 20];
    size_t n = strlen(page_of("with.safetensors"));
    memcpy(bytes, page, sizeof bytes);
    page_of("without.safetensors");
    ck_assert_msg(n > 0 && memcmp(bytes, page, sizeof bytes) == 0, "a report changed the training");
    ck_assert_int_eq(RUN(SMALL, "--steps", "2", "--save", "with.safetensors", "--report", "train.html")->status, 0);
}
END_TEST

static void want_refused(const char *path, const char *why) {
    const run *r = RUN(SMALL, "--steps", "2", "--save", "refused.safetensors", "--report", path);
    ck_assert_int_eq(r->status, 1);
    ck_assert_msg(strstr(r->err, why) && strstr(r->err, "cannot write a report to"), "%s", r->err);
    ck_assert_msg(!strstr(r->out, "step"), "it trained first:\n%s", r->out);
    ck_assert_int_ne(access(in_folder("refused.safetensors"), F_OK), 0);
}

START_TEST(what_cannot_hold_a_report_is_refused_before_training)
{
    write_file("thesis.txt", "A year's work", 13);
    want_refused("thesis.txt", "no report");
    page_of("thesis.txt");
    ck_assert_str_eq(page, "A year's work");
    want_refused("nowhere/a.html", "No such file");
    want_refused(".", "not a file");
    want_refused("/dev/null", "not a file");
    ck_assert_int_eq(RUN("--report")->status, 2);
    ck_assert_int_eq(RUN("--report", "")->status, 2);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {numbers_are_those_of_the_training,
                                  numbers_that_are_not_finite_have_their_names,
                                  maps_beyond_the_plan_are_left_out,
                                  long_maps_are_pooled_by_their_largest,
                                  long_trainings_are_averaged,
                                  many_parameters_and_tensors_make_no_large_page,
                                  the_page_stays_below_two_megabytes,
                                  what_is_no_report_is_not_replaced,
                                  files_beside_the_page_stay,
                                  a_null_string_is_an_empty_one,
                                  a_texts_report_speaks_of_no_answers,
                                  train_writes_a_report,
                                  what_cannot_hold_a_report_is_refused_before_training};
    return argc ? run_program_tests(argv[0], "train", "report", tests, sizeof tests / sizeof *tests) : 1;
}
