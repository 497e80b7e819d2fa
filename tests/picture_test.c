/* Heatmaps and lines are the expected texts, by arithmetic, whatever names and numbers they hold; what cannot be drawn
 * is an error. */
#include "tests/pictures.h"

#include <math.h>

/* Colours are ColorBrewer's: white, 5th of nine and last of Blues; of RdBu the first, white, the last. */
START_TEST(a_heatmap_goes_from_white_to_dark)
{
    static const char *const rows[] = {"top", "bottom"}, *const columns[] = {"l", "r"};
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 2, 2, 1, 2, 3, NAN), "<weights>", rows, columns), TG_OK);
    const char *svg = written();
    want_size(svg);
    want(svg, "<title>&#60;weights&#62;</title>");
    want(svg, "&#60;weights&#62;</text>");
    want(svg, "fill=\"#ffffff\"><title>0, 0: 1</title>");
    want(svg, "fill=\"#6baed6\"><title>0, 1: 2</title>");
    want(svg, "fill=\"#08306b\"><title>1, 0: 3</title>");
    want(svg, "stroke=\"#c00\"><title>1, 1: nan</title>");
    want(svg, ">bottom</text>");
    want(svg, ">r</text>");
    want(svg, ">2.00</text>");
    want(svg, ">2.5</text>"); /* of the scale, in steps of 0.5 */
    ck_assert_ptr_null(strstr(svg, "square root"));
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 1, 3, -2, 0, 1), NULL, NULL, NULL), TG_OK);
    svg = written();
    want(svg, "fill=\"#053061\"><title>0, 0: -2</title>");
    want(svg, "fill=\"#ffffff\"><title>0, 1: 0</title>");
    want(svg, "fill=\"#e58368\"><title>0, 2: 1</title>"); /* in the middle of f4a582 and d6604d */
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(30, 30)), NULL, NULL, NULL), TG_OK);
    ck_assert_int_eq(count(written(), "<title>"), 901); /* the picture's, and one for each cell; no numbers */
}
END_TEST

/* The smallest is white, also when it is the largest. */
START_TEST(a_map_of_one_number_is_white)
{
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tg_heatmap_svg(file, tg_full(t, TG_SHAPE(2, 3), 5 * i), NULL, NULL, NULL), TG_OK);
        const char *svg = written();
        ck_assert_int_eq(count(svg, "fill=\"#ffffff\"><title>"), 6);
        /* the scale's tick at its foot, which is the cells', 46 + 80 below the top */
        want(svg, i ? "y=\"130.0\">5</text>" : "y=\"130.0\">0</text>");
    }
}
END_TEST

/* A letter of 11 pixels is half as wide, or a little more: n of them end before the picture does. */
static void want_room_below(const char *svg, const char *note) {
    const char *at = strstr(svg, note);
    ck_assert_msg(at != NULL, "'%s' is not in:\n%.2500s", note, svg);
    while (strncmp(at, "<text x=\"", 9))
        at--;
    double left = atof(at + 9), width = atof(strstr(svg, "width=\"") + 7), n = (double)strcspn(note + 1, "<");
    ck_assert_msg(left + 0.5 * 11 * n < width, "%g + %g letters: %.200s", left, n, svg);
}

START_TEST(what_is_below_a_heatmap_is_in_the_picture)
{
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 1, 1, NAN), NULL, NULL, NULL), TG_OK);
    const char *svg = written();
    want_room_below(svg, ">no number is finite</text>");
    ck_assert_ptr_null(strstr(svg, "square root"));
    ck_assert_int_eq(count(svg, "fill=\"#"), 1); /* no scale: the ground alone */
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 5, 1, 1, 0, 0, 0, 0), NULL, NULL, NULL), TG_OK);
    want_room_below(written(), ">colours go with the square root; none below 0.005");
}
END_TEST

/* Rows of attention add up to 1: a weight of 1/4 has the colour of a half, 1/16 of a quarter. */
START_TEST(attention_is_coloured_by_its_square_root)
{
    static const char *const words[] = {"a", "a long word", "c", "d"};
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 2, 4, 1, 0, 0, 0, 0.25, 0.0625, 0.003, 0), "", NULL, words), TG_OK);
    const char *svg = written();
    want(svg, "fill=\"#6baed6\"><title>1, 0: 0.25</title>");
    want(svg, "fill=\"#c6dbef\"><title>1, 1: 0.0625</title>");
    want(svg, "colours go with the square root; none below 0.005</text>");
    want(svg, ">0.06</text>");
    want(svg, ">0.05</text>"); /* of the scale, 80 pixels high: 0.01 would be 8 above 0, 0.05 is 18 */
    ck_assert_ptr_null(strstr(svg, ">0.01</text>"));
    want(svg, "rotate(-90)"); /* as the labels are wider than a cell */
    ck_assert_ptr_null(strstr(svg, ">0.00<"));
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 1, 2, 2.5e-7, 5e-7), NULL, NULL, NULL), TG_OK);
    svg = written();
    want(svg, "numbers in units of 1e-07");
    want(svg, ">2.50</text>");
}
END_TEST

/* 560 pixels less what is at the right, over 2 steps; 0 to 10 over the height, 308 to 40. */
START_TEST(lines_leave_gaps)
{
    static const char *const labels[] = {"train", "held out"};
    tg_tensor y = MATRIX(t, 2, 3, 0, 10, 5, 0, NAN, 0);
    ck_assert_int_eq(tg_lines_svg(file, y, "loss", labels), TG_OK);
    const char *svg = written();
    want_size(svg);
    want(svg, "d=\"M76.0 308.0L283.0 40.0L490.0 174.0\"");
    want(svg, "d=\"M76.0 308.0M490.0 308.0\"");
    want(svg, "d=\"M502 64h24\""); /* its dash and its label, to the right of it */
    want(svg, "<text x=\"532.0\" y=\"68.0\">held out</text>");
    want(svg, "<text x=\"490.0\" y=\"327.0\" text-anchor=\"middle\">2</text>"); /* the last of 0, 0.5, ... 2 */
    want(svg, "<text x=\"68.0\" y=\"312.0\" text-anchor=\"end\">0</text>");
    want(svg, "<text x=\"68.0\" y=\"44.0\" text-anchor=\"end\">10</text>");
    want(svg, "<text x=\"68.0\" y=\"151.2\" text-anchor=\"end\">6</text>"); /* 308 - 0.6 * 268 + 4 */
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 7), NULL, NULL), TG_OK);
    want(written(), "d=\"M346.0 "); /* in the middle of 76 to 616 */
}
END_TEST

/* 0, NaN, 2, 4, NaN: the first is alone, at 76, 308; what a line leads to has no dot. On a logarithmic axis from 1 to
 * 1000 the 10 between 0 and -1 is at a third of the height, and 560 - 20 pixels are four steps. */
START_TEST(numbers_alone_are_dots)
{
    ck_assert_int_eq(tg_lines_svg(file, MATRIX(t, 2, 5, 10, 10, 10, 10, 10, 0, NAN, 2, 4, NAN), NULL, NULL), TG_OK);
    const char *svg = written();
    want(svg, "<circle r=\"2\" fill=\"#b34700\" cx=\"76.0\" cy=\"308.0\"/>");
    ck_assert_int_eq(count(svg, "<circle"), 1);
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 3), NULL, NULL), TG_OK);
    svg = written();
    want(svg, "<circle r=\"2\" fill=\"#0060a8\" cx=\"346.0\" cy=\"");
    ck_assert_int_eq(count(svg, "<circle"), 1);
    tg_lines_config config = TG_LINES_DEFAULTS;
    config.log = true;
    ck_assert_int_eq(tg_lines_svg_with(file, VECTOR(t, 0, 10, -1, 1, 1000), config), TG_OK);
    svg = written();
    want(svg, "cx=\"211.0\" cy=\"218.7\"");
    ck_assert_int_eq(count(svg, "<circle"), 1);
}
END_TEST

/* 0.013 to 0.96: round numbers around it; 1 to 1000 on a logarithmic axis is three equal parts. */
START_TEST(axes_have_round_numbers)
{
    static const char *const lines[] = {"y=\"312.0\" text-anchor=\"end\">0</text>", ">0.2</text>", ">0.4</text>",
                                        "y=\"44.0\" text-anchor=\"end\">1</text>"};
    static const char *const powers[] = {">1</text>", ">2</text>", ">5</text>", ">100</text>", ">1000</text>"};
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 0.96, 0.5, 0.013), NULL, NULL), TG_OK);
    const char *svg = written();
    for (int i = 0; i < 4; i++)
        want(svg, lines[i]);
    ck_assert_ptr_null(strstr(svg, "0.96"));
    tg_lines_config config = TG_LINES_DEFAULTS;
    config.log = true;
    config.x = "step";
    config.y = "a & b";
    config.first = 100;
    config.step = 50;
    ck_assert_int_eq(tg_lines_svg_with(file, VECTOR(t, 1000, 10, 0, -1, 100, 1), config), TG_OK);
    svg = written();
    for (int i = 0; i < 5; i++)
        want(svg, powers[i]);
    want(svg, ">step</text>");
    want(svg, ">a &#38; b</text>");
    want(svg, ">350</text>");
    want(svg, "M76.0 40.0L184.0 218.7M508.0 129.3L616.0 308.0"); /* thirds of 268; a gap at 0 and -1 */
}
END_TEST

static void want_all(const char *all, const char *const *part) {
    for (; *part; part++)
        want(all, *part);
}

/* Of 1, 2 and 5 only one may lie in a short piece of a logarithmic axis, or none. */
START_TEST(short_logarithmic_axes_have_two_labels)
{
    static const double values[][2] = {{2, 2.2}, {2.1, 2.2}, {2, 2}, {0.96, 1.04}, {600, 900}, {1e-30, 1.1e-30}};
    tg_lines_config config = TG_LINES_DEFAULTS;
    config.log = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        ck_assert_int_eq(tg_lines_svg_with(file, VECTOR(t, values[i][0], values[i][1]), config), TG_OK);
        ck_assert_int_ge(count(written(), "text-anchor=\"end\""), 2);
    }
}
END_TEST

/* Neighbours read differently, with no more digits than that takes. */
START_TEST(labels_of_lines_tell_neighbours_apart)
{
    static const char *const offset[] = {">12345.6<", ">12345.61<", ">12345.62<", ">12345.63<", ">12345.64<", NULL},
                             *const seconds[] = {">1700000000<", ">1700000500<", ">1700002000<", NULL},
                             *const steps[] = {">5000<", ">10000<", ">15000<", ">20000<", NULL},
                             *const powers[] = {">1e-300<", ">1e-200<", ">1e-100<", ">1<", ">1e+300<", NULL},
                             *const largest[] = {">-1e+308<", ">-5e+307<", ">0<", ">5e+307<", ">1e+308<", NULL};
    tg_lines_config config = TG_LINES_DEFAULTS;
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 12345.6, 12345.62, 12345.64), NULL, NULL), TG_OK);
    want_all(written(), offset);
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 1e308, -1e308), NULL, NULL), TG_OK);
    want_all(written(), largest);
    ck_assert_int_eq(tg_lines_svg(file, tg_zeros(t, TG_SHAPE(25000)), NULL, NULL), TG_OK);
    want_all(written(), steps);
    config.first = 1.7e9;
    config.step = 60;
    ck_assert_int_eq(tg_lines_svg_with(file, tg_zeros(t, TG_SHAPE(40)), config), TG_OK);
    want_all(written(), seconds);
    config.first = 123456789.123; /* labels of some 110 pixels on 540 */
    config.step = 1e-6;
    ck_assert_int_eq(tg_lines_svg_with(file, tg_zeros(t, TG_SHAPE(4)), config), TG_OK);
    ck_assert_int_le(count(written(), "text-anchor=\"middle\""), 4);
    config.log = true;
    ck_assert_int_eq(tg_lines_svg_with(file, VECTOR(t, 1e-300, 1e300), config), TG_OK);
    want_all(written(), powers);
    config.first = config.step = 1e308; /* the second of two is no number */
    ck_assert_int_eq(tg_lines_svg_with(file, VECTOR(t, 1), config), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "every point finite");
}
END_TEST

/* The frame is from 40 to 308. The doubles next to 1000 are 1.1e-13 away, so that steps of 1e-13 fall between them. */
START_TEST(lines_stay_in_the_frame)
{
    for (int k = 1; k < 12; k++) {
        double below = 1000, y[3] = {1000, 1000, 1000};
        for (int i = 0; i < k; i++)
            y[i % 2 + 1] = nextafter(i % 2 ? below : y[1], i % 2 ? 0 : INFINITY), below = y[2];
        ck_assert_int_eq(tg_lines_svg(file, tg_from_doubles(t, TG_SHAPE(3), y), NULL, NULL), TG_OK);
        const char *at = strstr(written(), "dasharray=\"\" d=\"M");
        double v[6];
        ck_assert(at &&
                  sscanf(at, "dasharray=\"\" d=\"M%lf %lfL%lf %lfL%lf %lf", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6);
        for (int i = 1; i < 6; i += 2)
            ck_assert_msg(v[i] >= 40 && v[i] <= 308, "%d: %g", k, v[i]);
        ck_assert_int_lt(count(text, "<text"), 30);
    }
}
END_TEST

/* 4999.999 to 5000.001: cells and their titles have decimals; the scale of one number shows it. */
START_TEST(numbers_of_heatmaps_are_told_apart)
{
    static const char *const near[] = {
        "<title>0, 0: 4999.999<", "<title>0, 1: 5000<", "<title>0, 2: 5000.001<", ">4999.9990<", ">5000.0010<", NULL};
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 1, 3, 4999.999, 5000, 5000.001), NULL, NULL, NULL), TG_OK);
    const char *svg = written();
    want_all(svg, near);
    ck_assert_int_eq(tg_heatmap_svg(file, tg_full(t, TG_SHAPE(3, 3), 1. / 3), NULL, NULL, NULL), TG_OK);
    svg = written();
    want(svg, ">0.333333</text>");
    ck_assert_int_eq(count(svg, ">0.33</text>"), 9);
}
END_TEST

/* 564 and 108 pixels have room for less than these; all of them is in a <title>. */
START_TEST(long_texts_end_in_an_ellipsis)
{
    char title[101] = "", whole[120];
    memset(title, 'a', 100);
    const char *const labels[] = {"a label that nobody has room for", "b"};
    ck_assert_int_eq(tg_lines_svg(file, MATRIX(t, 2, 2, 1, 2, 3, 4), title, labels), TG_OK);
    const char *svg = written();
    want(svg, "<title>a label that nobody has room for</title>a label that");
    ck_assert_ptr_null(strstr(svg, "</title>a label that nobody"));
    want(svg, "\xe2\x80\xa6</text>");
    want(svg, ">b</text>");
    snprintf(whole, sizeof whole, "<title>%s</title>", title);
    ck_assert_int_eq(count(svg, whole), 2); /* the picture's, and the text's */
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 1, 2, 1, 2), title, labels, NULL), TG_OK);
    svg = written();
    ck_assert_int_eq(count(svg, whole), 2);
    want(svg, ">a label that nobody has room for</text>"); /* a margin is made for it */
}
END_TEST

/* The legend has 108 pixels; W is one em, 12, wide in sans-serif fonts, an ideograph too. */
START_TEST(labels_of_wide_letters_end_in_the_picture)
{
    static const char *const labels[] = {"WWWWWWWWWWWW",
                                         "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
                                         "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"};
    ck_assert_int_eq(tg_lines_svg(file, MATRIX(t, 2, 2, 1, 2, 3, 4), NULL, labels), TG_OK);
    const char *svg = written();
    for (int i = 0; i < 2; i++) {
        const char *shown = strstr(strstr(svg, labels[i]), "</title>") + strlen("</title>"),
                   *end = strstr(shown, "\xe2\x80\xa6</text>");
        ck_assert_ptr_nonnull(end);
        int letters = (int)(end - shown) / (i ? 3 : 1);
        ck_assert_msg(letters >= 6 && (letters + 1) * 12 <= 108, "%d letters", letters);
    }
}
END_TEST

/* Whose difference overflows, or is not a normal number: a picture without a mark too many. */
START_TEST(numbers_at_the_ends_of_double_make_pictures)
{
    static const double pairs[][2] = {{-1.7e308, 1.7e308},    {0, 5e-324}, {5e-324, 1.7e308},
                                      {-1.7e308, -1.6e308},   {0, 0},      {1e300, 1e300},
                                      {1, 1.0000000000000002}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int log = 0; log < 2; log++) {
            tg_lines_config config = TG_LINES_DEFAULTS;
            config.log = log;
            tg_tensor x = tg_from_doubles(t, TG_SHAPE(2), pairs[i]);
            ck_assert_int_eq(tg_lines_svg_with(file, x, config), TG_OK);
            const char *svg = written();
            ck_assert_msg(count(svg, "<text") < 70 && !strstr(svg, "nan") && !strstr(svg, "inf"), "%g %g: %.5000s",
                          pairs[i][0], pairs[i][1], svg);
            ck_assert_int_eq(tg_heatmap_svg(file, x, NULL, NULL, NULL), TG_OK);
            svg = written();
            ck_assert_msg(count(svg, "<text") < 70 && !strstr(svg, "nan"), "%g %g: %.5000s", pairs[i][0], pairs[i][1],
                          svg);
        }
    WANT_OK(t);
}
END_TEST

START_TEST(a_vector_is_one_row)
{
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(3)), NULL, NULL, NULL), TG_OK);
    ck_assert_int_eq(count(written(), "<title>0, "), 3); /* the first row's cells */
    ck_assert_int_eq(tg_lines_svg(file, tg_zeros(t, TG_SHAPE(9)), NULL, NULL), TG_OK);
    ck_assert_int_eq(count(written(), "stroke-dasharray"), 1);
}
END_TEST

START_TEST(what_cannot_be_drawn_is_an_error)
{
    tg_tensor x = VECTOR(t, 1, 2);
    ck_assert_int_eq(tg_graph_dot(NULL, x), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "graph_dot", "NULL");
    ck_assert_int_eq(tg_graph_svg(file, TG_NULL), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_heatmap_svg(NULL, x, NULL, NULL, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "heatmap_svg", "NULL");
    ck_assert_int_eq(tg_heatmap_svg(file, tg_arange(t, 3), NULL, NULL, NULL), TG_ERR_ARGUMENT);
    WANT_ERROR(t, TG_ERR_ARGUMENT, "heatmap_svg", "int64", "tg_to_float");
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(2, 2, 2)), NULL, NULL, NULL), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "heatmap_svg", "(2, 2, 2)");
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(65537)), NULL, NULL, NULL), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "65536");
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(0, 3)), NULL, NULL, NULL), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "(0, 3)");
    ck_assert_int_eq(tg_lines_svg(file, tg_zeros(t, TG_SHAPE(9, 2)), NULL, NULL), TG_ERR_SHAPE);
    WANT_ERROR(t, TG_ERR_SHAPE, "lines_svg", "8");
    tg_lines_config wrong[] = {TG_LINES_DEFAULTS, TG_LINES_DEFAULTS, TG_LINES_DEFAULTS};
    wrong[0].step = 0;
    wrong[1].step = NAN;
    wrong[2].first = INFINITY;
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(tg_lines_svg_with(file, x, wrong[i]), TG_ERR_ARGUMENT);
        WANT_ERROR(t, TG_ERR_ARGUMENT, "lines_svg: first is", "and step", "step must be above 0");
    }
    FILE *closed = fopen("Makefile", "r");
    closed = closed ? closed : fopen("/dev/null", "r");
    ck_assert_int_eq(tg_graph_dot(closed, x), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "graph_dot", "written");
    ck_assert_int_eq(tg_lines_svg(closed, x, NULL, NULL), TG_ERR_IO);
    WANT_ERROR(t, TG_ERR_IO, "lines_svg", "written");
    fclose(closed);
    ck_assert_str_eq(written(), "");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_heatmap_goes_from_white_to_dark,
                                  a_map_of_one_number_is_white,
                                  what_is_below_a_heatmap_is_in_the_picture,
                                  attention_is_coloured_by_its_square_root,
                                  lines_leave_gaps,
                                  numbers_alone_are_dots,
                                  axes_have_round_numbers,
                                  short_logarithmic_axes_have_two_labels,
                                  labels_of_lines_tell_neighbours_apart,
                                  lines_stay_in_the_frame,
                                  numbers_of_heatmaps_are_told_apart,
                                  long_texts_end_in_an_ellipsis,
                                  labels_of_wide_letters_end_in_the_picture,
                                  numbers_at_the_ends_of_double_make_pictures,
                                  a_vector_is_one_row,
                                  what_cannot_be_drawn_is_an_error};
    return run_tests("picture", tests, sizeof tests / sizeof *tests, start, stop);
}
