/* What must always hold: what a gradient check found is said in one line, as a table with the lines that it rests on,
 * and as JSON, all of it as the result has it. */
#include "core/gradcheck/check.h"
#include "core/io/json.h"
#include "gradcheck_rows.h"

#include <locale.h>

/* ---- in one line ---- */

#define RIGHT_OF(...) \
    { .verdict = TG_GRAD_RIGHT, .worst = 1.24e-9, __VA_ARGS__ }
#define WRONG_OF(...) \
    { .verdict = TG_GRAD_WRONG, .compared = 9, .leaves = 2, __VA_ARGS__ }
#define UNTOLD(...) \
    { .verdict = TG_GRAD_CANNOT_TELL, .compared = 9, .cannot_tell = 2, .leaves = 2, .worst = 1, __VA_ARGS__ }
#define SOFTMAX(...) .op = "softmax", .tensor = 7, __VA_ARGS__
#define WITH_LINE .n_lines = 1, .line = {{.verdict = TG_GRAD_CANNOT_TELL, .reason = "a kink"}}

static const struct {
    tg_gradcheck_result r;
    const char *text;
} lines[] = {
    {RIGHT_OF(.compared = 36, .leaves = 4), "right: 36 elements over 4 leaves agree; worst relative error 1.2e-09"},
    {RIGHT_OF(.compared = 1, .leaves = 1), "right: 1 element over 1 leaf agrees; worst relative error 1.2e-09"},
    {RIGHT_OF(.compared = 1, .leaves = 4, .mode = TG_GRADCHECK_FAST),
     "right: 1 path over 4 leaves agrees; worst relative error 1.2e-09"},
    {{.verdict = TG_GRAD_KINK, .compared = 3, .kinks = 2, .leaves = 1, .mode = TG_GRADCHECK_FAST, .worst = 1.24e-9},
     "kink: 3 paths over 1 leaf agree, at a kink; worst relative error 1.2e-09"},
    {{.verdict = TG_GRAD_WRONG, .compared = 1, .wrong = 1, .leaves = 1}, "wrong: 1 of 1 element found wrong"},
    {UNTOLD(.n_lines = 0), "cannot tell: 2 of 9 elements: too little is known; worst relative error 1.0e+00"},
    {UNTOLD(WITH_LINE), "cannot tell: 2 of 9 elements: a kink; worst relative error 1.0e+00"},
    {UNTOLD(WITH_LINE, .diagnosis = "float32 only: why"),
     "cannot tell: 2 of 9 elements: a kink; but float32 only: why"},
    {WRONG_OF(.wrong = 3), "wrong: 3 of 9 elements found wrong"},
    {WRONG_OF(.wrong = 3, .mistake = TG_MISTAKE_UNKNOWN), "wrong: 3 of 9 elements found wrong; mistake: unknown"},
    {WRONG_OF(.wrong = 3, .mistake = TG_MISTAKE_SIGN, SOFTMAX(.operand = 1)),
     "wrong: 3 of 9 elements found wrong; softmax (tensor 7) is wrong in the gradient of operand 1: sign flipped"},
    {WRONG_OF(.wrong = 1, .mode = TG_GRADCHECK_FAST), "wrong: 1 element found wrong"},
    {WRONG_OF(.wrong = 3, .mistake = TG_MISTAKE_FLOAT32, SOFTMAX(.operand = 1)),
     "wrong: 3 of 9 elements found wrong; but the float32 kernel of softmax (tensor 7) is wrong in the gradient of "
     "operand 1, or its result"},
    {WRONG_OF(.wrong = 3, .mistake = TG_MISTAKE_FLOAT32, SOFTMAX(.operand = 0)),
     "wrong: 3 of 9 elements found wrong; but the float32 kernel of softmax (tensor 7) is wrong in a gradient, or its "
     "result"},
    {WRONG_OF(.wrong = 3, .mistake = TG_MISTAKE_FLOAT32),
     "wrong: 3 of 9 elements found wrong; mistake: float32 kernel"},
};

START_TEST(each_result_has_its_line)
{
    static tg_gradcheck_result r;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        r = lines[i].r;
        tg_gradcheck_summarise(&r);
        ck_assert_msg(!strncmp(r.summary, "gradient check: ", 16), "%s", r.summary);
        ck_assert_str_eq(r.summary + 16, lines[i].text);
    }
    ck_assert_str_eq(tg_mistake_name(TG_N_MISTAKES), "?");
    ck_assert_str_eq(tg_mistake_name((tg_mistake)-1), "?");
    for (int i = 0; i < TG_N_MISTAKES; i++)
        ck_assert_ptr_nonnull(tg_mistake_name((tg_mistake)i));
}
END_TEST

/* ---- as a table and as JSON ---- */

/* analytic, numeric, error, relative, verdict */
#define NUMBERS(a, n, e, r, v) .analytic = a, .numeric = n, .error = e, .relative = r, .verdict = TG_GRAD_##v
static const tg_gradcheck_result filled = {
    .verdict = TG_GRAD_WRONG,
    .summary = "in one line",
    .leaves = 6,
    .compared = 99,
    .wrong = 5,
    .cannot_tell = 1,
    .kinks = 2,
    .evaluations = 1234,
    .worst = INFINITY,
    .op = "softmax",
    .tensor = 17,
    .operand = 2,
    .shapes = "(2, 3) -> (2, 3)",
    .wrong_ops = 1,
    .mistake = TG_MISTAKE_SIGN,
    .factor = -1,
    .diagnosis = "the sign \"is\" \\ \x1f",
    .n_lines = 2,
    .line = {{.path = "W",
              .elements = 6,
              .length = 0.0625,
              .share = 1,
              .ratio = 0.25,
              .longer = 0.5,
              .rounding = 1e-16,
              .piece = {{-0.25, 0, -1.5, 0, -2, 4, 0.5, 1e-15}, {0, 0.5, 0, 3, 2, 4, 1, 2e-15}},
              .verdict = TG_GRAD_WRONG},
             {.path = "b",
              .elements = 1,
              .float32 = true,
              .length = 1,
              .longer = NAN,
              .verdict = TG_GRAD_CANNOT_TELL,
              .reason = "why"}},
    .n_rows = 7,
    .row = {{.leaf = "blocks.0.W",
             .tensor = 1,
             .element = 4,
             .elements = 6,
             .wrong = 3,
             NUMBERS(2, 1, 1e-9, 0.5, WRONG),
             .left = 1,
             .right = 0.75,
             .shape = {2, {2, 3}}},
            {.leaf = "b", .elements = 1, NUMBERS(0.25, 0.25, 2e-12, 3e-8, RIGHT), .shape = {1, {1}}},
            {.leaf = "s", .elements = 1, NUMBERS(-3, -3, 0, 1e-16, RIGHT)},
            {.element = 2, .elements = 1, NUMBERS(1e-7, 0, 1, 1, KINK), .left = -1, .right = 1},
            {.leaf = "one", .elements = 1, NUMBERS(1, 2, 0.5, 0.5, WRONG), .shape = {2, {1, 1}}},
            {.leaf = "two",
             .element = 13,
             .elements = 2,
             .wrong = 1,
             NUMBERS(1, 1.5, 2, 0.333, WRONG),
             .shape = {3, {3, 2, 4}}},
            {.leaf = "n", .elements = 1, NUMBERS(1e-17, 0, 0, 1, RIGHT), .reason = "both are rounding"}},
};

static void want_printed(const tg_gradcheck_result *r, const char *text) {
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print(file, r), TG_OK);
    ck_assert_str_eq(read_back(file), text);
}
static const char *json_of(const tg_gradcheck_result *r) {
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck_print_json(file, r), TG_OK);
    return read_back(file);
}

START_TEST(a_result_is_printed_as_a_table)
{
    static tg_gradcheck_result r;
    want_printed(
        &filled,
        "in one line\n"
        "  leaf       element           analytic       numeric    error    relative  verdict\n"
        "  blocks.0.W [1, 1]                   2             1 +- 1.0e-09   5.0e-01  wrong (3 of 6)\n"
        "  b          [0]                   0.25          0.25 +- 2.0e-12   3.0e-08  right, 7 digits\n"
        "  s          []                      -3            -3 +- 0.0e+00   1.0e-16  right, 15 digits\n"
        "  all leaves 2                    1e-07             0 +- 1.0e+00   1.0e+00  kink: -1 before, 1 behind\n"
        "  one        [0, 0]                   1             2 +- 5.0e-01   5.0e-01  wrong\n"
        "  two        [1, 1, 1]                1           1.5 +- 2.0e+00   3.3e-01  wrong (1 of 2)\n"
        "  n          []                   1e-17             0 +- 0.0e+00   1.0e+00  right, rounding; both are "
        "rounding\n"
        "  analytic: backward; numeric: differences, with error bar; of sum(v y), v random in +-[0.5, 1.5]\n"
        "lines: f less its value at the point; residual r = f(b) - f(a) - integral of <g, dx>;\n"
        "       |r| and D = |f(b) - f(a)| + terms are sums over both pieces\n"
        "  path: W, 6 elements, length 0.0625: wrong; the residual is beyond noise over 100 % of the length\n"
        "        -0.25 to 0         f               -1.5 to 0                  integral                 -2\n"
        "                               residual  5.00e-01  noise  1.00e-15  terms 4\n"
        "            0 to 0.5       f                  0 to 3                  integral                  2\n"
        "                               residual  1.00e+00  noise  2.00e-15  terms 4\n"
        "    |r| / D 2.50e-01, on the next longer path 5.00e-01; the tape rounds f by 1.0e-16\n"
        "  path: b, 1 element, length 1, float32: cannot tell; why\n"
        "            0 to 0         f                  0 to 0                  integral                  0\n"
        "                               residual  0.00e+00  noise  0.00e+00  terms 0\n"
        "            0 to 0         f                  0 to 0                  integral                  0\n"
        "                               residual  0.00e+00  noise  0.00e+00  terms 0\n"
        "    |r| / D 0.00e+00; the tape rounds f by 0.0e+00\n"
        "where: softmax, tensor 17, (2, 3) -> (2, 3); the gradient of operand 2\n"
        "what:  the sign \"is\" \\ ?\n");
    r = filled;
    r.scalar = true;
    r.mode = TG_GRADCHECK_FAST;
    r.wrong_ops = 2;
    r.operand = r.n_lines = 0;
    r.n_rows = 1;
    snprintf(r.row[0].leaf, sizeof r.row[0].leaf, "blocks.10.W");
    r.diagnosis[0] = 0;
    want_printed(&r, "in one line\n"
                     "  leaf        direction         analytic       numeric    error    relative  verdict\n"
                     "  blocks.10.W [1, 1]                   2             1 +- 1.0e-09   5.0e-01  wrong (3 of 6)\n"
                     "  analytic: backward; numeric: differences, with error bar; of y\n"
                     "where: softmax, tensor 17, (2, 3) -> (2, 3); its result; other operations are wrong as well\n");
    r = (tg_gradcheck_result){.summary = "nothing"};
    want_printed(&r, "nothing\n");
}
END_TEST

START_TEST(a_result_is_printed_as_json)
{
    static tg_gradcheck_result r;
    r = filled;
    r.n_rows = r.n_lines = 1;
    ck_assert_str_eq(
        json_of(&r),
        "{\"verdict\": \"wrong\", \"summary\": \"in one line\", \"mode\": \"full\", \"leaves\": 6, \"compared\": 99, "
        "\"wrong\": 5, \"cannot_tell\": 1, \"kinks\": 2, \"evaluations\": 1234, \"worst\": null, "
        "\"op\": \"softmax\", \"tensor\": 17, \"operand\": 2, \"shapes\": \"(2, 3) -> (2, 3)\", \"wrong_ops\": 1, "
        "\"mistake\": \"sign flipped\", \"factor\": -1, \"diagnosis\": \"the sign \\\"is\\\" \\\\ \\u001f\", "
        "\"lines\": [\n"
        "    {\"path\": \"W\", \"elements\": 6, \"length\": 0.0625, \"share\": 1, \"ratio\": 0.25, "
        "\"longer\": 0.5, \"rounding\": 9.9999999999999998e-17, \"dtype\": \"float64\", \"pieces\": ["
        "{\"a\": -0.25, \"b\": 0, \"f_a\": -1.5, \"f_b\": 0, \"integral\": -2, \"terms\": 4, \"residual\": 0.5, "
        "\"noise\": 1.0000000000000001e-15, \"piece\": 0}, "
        "{\"a\": 0, \"b\": 0.5, \"f_a\": 0, \"f_b\": 3, \"integral\": 2, \"terms\": 4, \"residual\": 1, "
        "\"noise\": 2.0000000000000002e-15, \"piece\": 1}], \"verdict\": \"wrong\"}], \"rows\": [\n"
        "    {\"leaf\": \"blocks.0.W\", \"tensor\": 1, \"element\": 4, \"elements\": 6, \"wrong\": 3, \"analytic\": 2, "
        "\"numeric\": 1, \"error\": 1.0000000000000001e-09, \"relative\": 0.5, \"left\": 1, \"right\": 0.75, "
        "\"verdict\": \"wrong\"}]}\n");
    r = (tg_gradcheck_result){.mode = TG_GRADCHECK_FAST};
    ck_assert_ptr_nonnull(strstr(json_of(&r), "\"mode\": \"fast\""));
}
END_TEST

/* ---- what stands in them ---- */

EACH(tripled, 3 * x, 2 * dy)
static const char *check_named(const char *leaf, const char *op, tg_gradcheck_result *r) {
    tg_custom_op named = tripled;
    tg_tape *t = tg_tape_new(TG_F64);
    named.name = op;
    tg_tensor x = tg_parameter(t, leaf, tg_randn(t, TG_SHAPE(3)));
    ck_assert_int_eq(tg_gradcheck(apply_to(&named, 0, 0, x), TG_GRADCHECK_DEFAULTS, r), TG_ERR_NUMERIC);
    const char *json = json_of(r);
    ck_assert_msg(tg_json_is_utf8(json, strlen(json)), "%s", json);
    tg_tape_free(t);
    return json;
}

/* Names have room for 47 bytes: for 23 characters of two; a leaf's, for 6, three dots and the last 16. */
START_TEST(names_are_whole_characters)
{
    static tg_gradcheck_result r;
    char alphas[121] = "";
    for (int i = 0; i < 60; i++)
        memcpy(alphas + 2 * i, "\xce\xb1", 3);
    const char *json = check_named(alphas, alphas, &r);
    ck_assert(strlen(r.op) == 46 && !memcmp(r.op, alphas, 46));
    const char *leaf = r.row[0].leaf;
    ck_assert(strlen(leaf) == 47 && !memcmp(leaf, alphas, 12) && !memcmp(leaf + 12, "...", 3));
    ck_assert_int_eq(memcmp(leaf + 15, alphas, 32), 0);
    ck_assert_ptr_null(strstr(json, "\xef\xbf\xbd"));
    json = check_named("tab\t, not UTF-8\xff\xfe, half of one\xce", "op\xff", &r);
    ck_assert_ptr_nonnull(
        strstr(json, "\"leaf\": \"tab\\u0009, not UTF-8\xef\xbf\xbd\xef\xbf\xbd, half of one\xef\xbf\xbd\""));
    ck_assert_ptr_nonnull(strstr(json, "\"op\": \"op\xef\xbf\xbd\""));
}
END_TEST

/* A bias before a softmax has no gradient: what both sides have instead is rounding, within the error of differences,
 * and no error of the result's. */
START_TEST(rounding_is_no_error)
{
    static tg_gradcheck_result r;
    int apart = 0;
    for (int k = 0; k < 20; k++) {
        tg_tape *t = seeded_tape(TG_F64, (uint64_t)k);
        tg_tensor x = tg_parameter(t, "x", tg_randn(t, TG_SHAPE(3, 4)));
        tg_tensor bias = tg_parameter(t, "bias", tg_randn(t, TG_SHAPE(3, 1)));
        tg_tensor y = tg_softmax(tg_add(x, bias), 1);
        y = k % 2 ? total(tg_mul(y, tg_randn(t, TG_SHAPE(3, 4)))) : y;
        ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_OK);
        ck_assert_msg(r.worst < 1e-9, "%d: %s", k, r.summary);
        for (int i = 0; i < r.n_rows; i++)
            apart += r.row[i].tensor == bias.index && r.row[i].relative > 0.5;
        tg_tape_free(t);
    }
    ck_assert_int_gt(apart, 5);
}
END_TEST

/* exp, by 1.5 and an eighth for each element before at 0, 2, 4, 6, 7: those five come first, then what is right. The
 * relative error is 1 - right / wrong; the derivatives are those of exp. */
static double factor_at(int64_t i) { return i % 2 == 0 || i == 7 ? 1.5 + (double)i / 8 : 1; }
EACH(five_wrong, exp(x), dy *y *factor_at(i))
START_TEST(wrong_elements_have_the_first_rows)
{
    static tg_gradcheck_result r;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor w = tg_parameter(t, "w", tg_ones(t, TG_SHAPE(1)));
    tg_tensor x = tg_parameter(t, "x", VECTOR(t, 0.9, -1.4, 0.6, 1.2, -0.5, 0.8, 1.1, 0.4));
    tg_tensor y = apply_to(&five_wrong, 0, 0, x);
    ck_assert_int_eq(tg_gradcheck(tg_mul(y, w), TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    ck_assert_int_eq(r.n_rows, 9);
    unsigned seen = 0;
    for (int i = 0; i < 9; i++) {
        const tg_gradcheck_row *shown = &r.row[i];
        bool is_x = !strcmp(shown->leaf, "x");
        double factor = is_x ? factor_at(shown->element) : 1;
        seen |= 1u << (is_x ? shown->element : 8);
        ck_assert(shown->tensor == (is_x ? x.index : w.index) && shown->wrong == (is_x ? 5 : 0) && !shown->reason);
        ck_assert((shown->verdict == TG_GRAD_WRONG) == (factor > 1) && (factor > 1) == (i < 5));
        ck_assert_double_eq_tol(shown->analytic / shown->numeric, factor, 1e-6);
        ck_assert_double_eq_tol(shown->relative, 1 - 1 / factor, 1e-6);
        ck_assert_double_eq_tol(shown->left / shown->right, 1, 1e-4);
        ck_assert(shown->shape.ndim == 1 && shown->shape.size[0] == (is_x ? 8 : 1));
    }
    ck_assert_uint_eq(seen, 511);
    ck_assert(r.leaves == 2 && r.compared == 9 && r.wrong == 5 && r.cannot_tell == 0 && r.kinks == 0);
    ck_assert_double_eq_tol(r.worst, 1 - 1 / 2.375, 1e-6);
    tg_tape_free(t);
}
END_TEST

/* Table, lines, diagnosis, JSON, second derivatives. */
static const char *write_all(void) {
    static tg_gradcheck_result r;
    tg_second_result second;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_parameter(t, "x", VECTOR(t, 0.9, -1.4, 0.6, 1.2, -0.5, 0.8, 1.1, 0.4));
    FILE *file = tmpfile();
    ck_assert_int_eq(tg_gradcheck(apply_to(&five_wrong, 0, 0, x), TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    tg_clear_error(t);
    ck_assert_int_eq(tg_gradcheck_second(tg_sin(tg_parameter(t, "z", VECTOR(t, 0.3, 0.7))), 1, &second), TG_OK);
    ck_assert(!tg_gradcheck_print(file, &r) && !tg_gradcheck_print_json(file, &r));
    ck_assert_int_eq(tg_gradcheck_second_print(file, &second), TG_OK);
    tg_tape_free(t);
    return read_back(file);
}

/* With a comma, or an Arabic decimal point of two bytes, in the locale; where the system has such a one. */
START_TEST(numbers_have_a_point_in_any_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fa_IR.UTF-8", "ps_AF.UTF-8"};
    char text[1 << 14];
    ck_assert_int_lt(snprintf(text, sizeof text, "%s", write_all()), (int)sizeof text);
    ck_assert_ptr_nonnull(strstr(text, "; wrong / right from 1.5 to "));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_NUMERIC, names[i]))
            continue;
        const char *other = write_all();
        setlocale(LC_NUMERIC, "C");
        ck_assert_msg(!strcmp(other, text), "other numbers than in the C locale: %s", names[i]);
    }
}
END_TEST

SUITE("gradcheck_print", numbers_have_a_point_in_any_locale, each_result_has_its_line, a_result_is_printed_as_a_table,
      a_result_is_printed_as_json, names_are_whole_characters, rounding_is_no_error, wrong_elements_have_the_first_rows)
