/* Tensors as text are PyTorch's, character by character. */
#include "tests/support.h"

#include <locale.h>

typedef struct golden_text {
    tg_dtype dtype;
    tg_shape shape;
    int n_values; /* 0: the pattern of make_print.py times scale */
    double values[40];
    double scale;
    bool requires_grad, transpose;
    const char *text;
} golden_text;

#include "golden/print.h"

enum { N_TEXTS = sizeof golden_texts / sizeof *golden_texts, MOST_VALUES = 4096 };

static double value_at(const golden_text *g, int64_t i) {
    return g->n_values ? g->values[i] : (double)(7919 * i % 10007 - 5000) * g->scale;
}

static tg_tensor build(tg_tape *t, const golden_text *g) {
    static double values[MOST_VALUES];
    static int64_t ints[MOST_VALUES];
    static bool bools[MOST_VALUES];
    int64_t n = tg_shape_numel(&g->shape);
    ck_assert_int_le(n, MOST_VALUES);
    for (int64_t i = 0; i < n; i++) {
        values[i] = value_at(g, i);
        bools[i] = values[i] > 0;
        if (g->dtype == TG_I64)
            ints[i] = (int64_t)values[i];
    }
    tg_tensor x = g->dtype == TG_I64    ? tg_from_ints(t, g->shape, ints)
                  : g->dtype == TG_BOOL ? tg_from_bools(t, g->shape, bools)
                                        : tg_from_doubles(t, g->shape, values);
    if (g->requires_grad)
        tg_set_requires_grad(x, true);
    return g->transpose ? tg_transpose(x, 0, 1) : x;
}

START_TEST(text_equals_pytorch)
{
    static char text[1 << 16];
    for (int i = 0; i < N_TEXTS; i++) {
        const golden_text *g = &golden_texts[i];
        tg_tape *t = tg_tape_new(g->dtype == TG_F64 ? TG_F64 : TG_F32);
        size_t n = tg_format(build(t, g), text, sizeof text);
        ck_assert_msg(tg_tape_status(t) == TG_OK, "%s", tg_error(t));
        ck_assert_msg(strcmp(text, g->text) == 0, "case %d:\n%s\nPyTorch:\n%s", i, text, g->text);
        ck_assert_uint_eq(n, strlen(text));
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(above_1000_elements_some_are_left_out)
{
    static char text[1 << 16];
    tg_tape *t = tg_tape_new(TG_F32);
    ck_assert_uint_gt(tg_format(tg_ones(t, TG_SHAPE(1000)), text, sizeof text), 4000);
    ck_assert_ptr_null(strstr(text, "..."));
    tg_format(tg_ones(t, TG_SHAPE(1001)), text, sizeof text);
    ck_assert_str_eq(text, "tensor([1., 1., 1.,  ..., 1., 1., 1.])");
    tg_tape_free(t);
}
END_TEST

START_TEST(format_writes_no_more_than_size)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_ones(t, TG_SHAPE(2));
    char text[32];
    ck_assert_uint_eq(tg_format(x, NULL, 0), strlen("tensor([1., 1.])"));
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        ck_assert_uint_eq(tg_format(x, text, size), strlen("tensor([1., 1.])"));
        size_t kept = size == 0 ? 0 : size - 1 < 16 ? size - 1 : 16;
        ck_assert(memcmp(text, "tensor([1., 1.])", kept) == 0);
        if (size)
            ck_assert_int_eq(text[kept], '\0');
        for (size_t i = size; i < sizeof text; i++)
            ck_assert_int_eq(text[i], '#');
    }
    tg_tape_free(t);
}
END_TEST

/* torch.zeros(1, 0).expand(2**40, 0): there is nothing to go through. */
START_TEST(no_elements_take_no_time)
{
    char text[80], want[80];
    tg_tape *t = tg_tape_new(TG_F32);
    snprintf(want, sizeof want, "tensor([], size=(%lld, 0))", (long long)TG_MAX_ELEMENTS);
    tg_format(tg_expand(tg_zeros(t, TG_SHAPE(1, 0)), TG_SHAPE(TG_MAX_ELEMENTS, 0)), text, sizeof text);
    ck_assert_str_eq(text, want);
    tg_tape_free(t);
}
END_TEST

START_TEST(print_writes_a_line_and_reports_errors)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_ones(t, TG_SHAPE(2));
    char text[64] = {0};
    FILE *f = tmpfile();
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(tg_print(f, x), TG_OK);
    ck_assert_str_eq(read_back(f), "tensor([1., 1.])\n");
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        ck_assert_int_eq(tg_print(full, x), TG_ERR_IO);
        tg_clear_error(t);
        fclose(full);
    }
    ck_assert_int_eq(tg_print(NULL, x), TG_ERR_ARGUMENT);
    tg_clear_error(t);
    ck_assert_int_eq(tg_print(stdout, TG_NULL), TG_ERR_ARGUMENT);
    tg_mark m = tg_tape_mark(t);
    tg_tensor stale = tg_ones(t, TG_SHAPE(1));
    ck_assert_int_eq(tg_tape_rewind(t, m), TG_OK);
    ck_assert_uint_eq(tg_format(stale, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(tg_tape_status(t), TG_ERR_STALE);
    tg_tape_free(t);
}
END_TEST

/* With a comma, or an Arabic decimal point of two bytes, in the locale; where the system has such a one. */
START_TEST(a_point_in_any_locale)
{
    static const char *const names[] = {"C", "de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "fa_IR.UTF-8", "ps_AF.UTF-8"};
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_from_doubles(t, TG_SHAPE(2), (double[]){-0.5, 1.25});
    tg_tensor y = tg_from_doubles(t, TG_SHAPE(2), (double[]){1.5e-7, 2}), z = tg_ones(t, TG_SHAPE(1));
    char text[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_NUMERIC, names[i]))
            continue;
        tg_format(x, text, sizeof text);
        ck_assert_str_eq(text, "tensor([-0.5000,  1.2500])");
        tg_format(y, text, sizeof text);
        ck_assert_str_eq(text, "tensor([1.5000e-07, 2.0000e+00])");
        tg_format(z, text, sizeof text);
        ck_assert_str_eq(text, "tensor([1.])");
    }
    setlocale(LC_NUMERIC, "C");
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("print");
    tcase_add_test(c, text_equals_pytorch);
    tcase_add_test(c, above_1000_elements_some_are_left_out);
    tcase_add_test(c, format_writes_no_more_than_size);
    tcase_add_test(c, no_elements_take_no_time);
    tcase_add_test(c, print_writes_a_line_and_reports_errors);
    tcase_add_test(c, a_point_in_any_locale);
    return run_suite("print", c);
}
