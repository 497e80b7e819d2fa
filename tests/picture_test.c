/* tg_graph_dot, tg_graph_svg, tg_heatmap_svg, tg_lines_svg: expected texts by arithmetic. */
#include "tests/support.h"

#include <math.h>

static tg_tape *t;
static FILE *file;
static char text[1 << 20];

static void start(void) {
    t = tg_tape_new(TG_F64);
    file = tmpfile();
    ck_assert_ptr_nonnull(file);
}

static void stop(void) {
    fclose(file);
    tg_tape_free(t);
}

/* What was written since the last call. */
static const char *written(void) {
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    file = tmpfile();
    return text;
}

static void want(const char *all, const char *part) {
    ck_assert_msg(strstr(all, part) != NULL, "'%s' is not in:\n%s", part, all);
}

static int count(const char *all, const char *part) {
    int n = 0;
    for (; (all = strstr(all, part)) != NULL; all++)
        n++;
    return n;
}

/* loss = sum(w^2 + w), w = (3, 4): the sum's VJP makes ones, of norm sqrt 2; w has 1 from the addition first, then
 * 2 w on top, (7, 9), of norm sqrt 130. Its view's gradient is a window into w's own. */
START_TEST(a_log_follows_backward)
{
    tg_tensor w = tg_parameter(t, "w", VECTOR(t, 3, 4)), view = tg_reshape(w, TG_SHAPE(1, 2));
    tg_tensor loss = tg_sum(tg_add(tg_square(view), view), TG_ALL_DIMS, false);
    const char *want_lines = "backward from 4 sum ()\n"
                             "4 sum (): gradient 1 -> 3 add (1, 2) 1.414\n"
                             "3 add (1, 2): gradient 1.414 -> 2 square (1, 2) 1.414, 1 reshape (1, 2) 1.414\n"
                             "2 square (1, 2): gradient 1.414 -> 1 reshape (1, 2) 11.4\n";
    tg_log_backward(NULL, file);
    tg_log_backward(t, file);
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_str_eq(written(), want_lines); /* and has another file from here on */
    tg_log_backward(t, NULL);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_str_eq(written(), "");
    tg_set_anomaly_mode(t, true); /* one mode does not end another */
    tg_log_backward(t, file);
    tg_set_profile(t, true);
    tg_set_profile(t, false);
    tg_set_anomaly_mode(t, false);
    tg_zero_grads(t);
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_str_eq(written(), want_lines);
    tg_log_backward(t, NULL);
}
END_TEST

/* w has a gradient from its square by the time that the product, which was made when it wanted none, passes on. */
START_TEST(a_log_leaves_out_what_is_not_passed_on)
{
    tg_tensor w = VECTOR(t, 3, 4), v = wanting(VECTOR(t, 1, 1)), product = tg_mul(w, v);
    tg_set_requires_grad(w, true);
    tg_tensor loss = tg_sum(tg_add(product, tg_square(w)), TG_ALL_DIMS, false);
    tg_log_backward(t, file);
    ck_assert_int_eq(tg_backward(loss), TG_OK);
    ck_assert_str_eq(written(), "backward from 5 sum ()\n"
                                "5 sum (): gradient 1 -> 4 add (2,) 1.414\n"
                                "4 add (2,): gradient 1.414 -> 2 mul (2,) 1.414, 3 square (2,) 1.414\n"
                                "3 square (2,): gradient 1.414 -> 0 (2,) 10\n"
                                "2 mul (2,): gradient 1.414 -> 1 (2,) 5\n");
    tg_log_backward(t, NULL);
}
END_TEST

/* The coordinates are the pixels. */
static void want_size(const char *svg) {
    int width[2], height[2];
    const char *at = strstr(svg, "viewBox");
    ck_assert_ptr_nonnull(at);
    ck_assert_msg(sscanf(at, "viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"", &width[0], &height[0], &width[1],
                         &height[1]) == 4 &&
                      width[0] == width[1] && height[0] == height[1] && width[0] > 0 && height[0] > 0,
                  "%.80s", at);
}

/* An arc goes left from its rows to the point that its numbers say, and stays in the picture: of rows that are next to
 * one another, and of rows far apart. */
START_TEST(arcs_bend_further_the_further_they_go)
{
    tg_tensor first = wanting(VECTOR(t, 1)), y = first;
    for (int i = 0; i < 10; i++)
        y = tg_square(y);
    y = tg_add(y, first);
    ck_assert_int_eq(tg_graph_svg(file, y), TG_OK);
    const char *svg = written();
    int n = 0, left, right, top, left_again, bottom, right_again, nearest = 0, farthest = 0, height;
    want_size(svg);
    ck_assert_int_eq(sscanf(strstr(svg, "height=\""), "height=\"%d", &height), 1);
    for (const char *at = svg; (at = strstr(at, "<path d=\"")) != NULL; at++, n++) {
        ck_assert_int_eq(
            sscanf(at, "<path d=\"M%d %d C%d %*d %d %d %d", &right, &top, &left, &left_again, &bottom, &right_again),
            6);
        ck_assert(left == left_again && right == right_again && left >= 0 && left < right);
        ck_assert(top >= 0 && top < bottom && bottom <= height);
        nearest = n == 0 ? left : nearest;
        ck_assert(n >= 10 || left == nearest); /* the squares' */
        farthest = left;                       /* the sum's second operand, drawn last */
    }
    ck_assert_int_eq(n, 12);
    ck_assert_int_lt(farthest, nearest);
}
END_TEST

/* y = sum(square(w)), w = (3, 4): dw = (6, 8), of norm 10 */
START_TEST(a_graph_names_shapes_inputs_and_norms)
{
    tg_tensor w = tg_parameter(t, "w", VECTOR(t, 3, 4)), unused = tg_parameter(t, "unused", VECTOR(t, 1));
    tg_tensor squares = tg_square(w), y = tg_sum(squares, TG_ALL_DIMS, false);
    (void)unused;
    ck_assert_int_eq(tg_graph_dot(file, y), TG_OK);
    const char *dot = written();
    want(dot, "digraph tape {\n");
    want(dot, "t0 [label=\"w\\n(2,)\", style=bold];");
    want(dot, "t2 [label=\"square\\n(2,)\"];");
    want(dot, "t0 -> t2;");
    want(dot, "t2 -> t3;");
    ck_assert_ptr_null(strstr(dot, "unused"));
    ck_assert_ptr_null(strstr(dot, "gradient"));
    ck_assert_int_eq(tg_retain_grad(squares), TG_OK);
    ck_assert_int_eq(tg_backward(y), TG_OK);
    ck_assert_int_eq(tg_graph_dot(file, y), TG_OK);
    dot = written();
    want(dot, "t0 [label=\"w\\n(2,)\\ngradient 10\", style=bold];");
    want(dot, "t2 [label=\"square\\n(2,)\\ngradient 1.41\"];"); /* (1, 1) */
    ck_assert_int_eq(tg_graph_svg(file, y), TG_OK);
    const char *svg = written();
    want(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    want_size(svg);
    want(svg, "w (2,) gradient 10</text>");
    ck_assert_int_eq(count(svg, "<path"), 2);
    ck_assert_int_eq(count(svg, "<text"), 3);
    ck_assert_int_eq(count(svg, "</text>"), 3);
    WANT_OK(t);
}
END_TEST

/* A window into a gradient: y = sum(w[:, 1]^2): the second column of dw is (4, 8). */
START_TEST(a_view_has_its_part_of_the_gradient)
{
    tg_tensor w = wanting(MATRIX(t, 2, 2, 1, 2, 3, 4)), column = tg_select(w, 1, 1);
    ck_assert_int_eq(tg_backward(tg_sum(tg_square(column), TG_ALL_DIMS, false)), TG_OK);
    ck_assert_int_eq(tg_graph_dot(file, column), TG_OK);
    const char *dot = written();
    want(dot, "leaf\\n(2, 2)\\ngradient 8.94"); /* (4, 8) */
    want(dot, "select\\n(2,)\\ngradient 8.94");
    ck_assert_int_eq(tg_graph_dot(file, tg_select(w, 1, 0)), TG_OK);
    want(written(), "select\\n(2,)\\ngradient 0\"");
    /* an expanded view with a gradient of its own, (1, 2, 2) of norm 3, though its elements are one */
    tg_tensor three = tg_expand(wanting(VECTOR(t, 2)), TG_SHAPE(3));
    ck_assert_int_eq(tg_retain_grad(three), TG_OK);
    ck_assert_int_eq(tg_backward(tg_sum(tg_mul(three, VECTOR(t, 1, 2, 2)), TG_ALL_DIMS, false)), TG_OK);
    ck_assert_int_eq(tg_graph_dot(file, three), TG_OK);
    want(written(), "expand\\n(3,)\\ngradient 3\"");
}
END_TEST

START_TEST(names_cannot_break_a_picture)
{
    tg_tensor w = tg_parameter(t, "a\"]<b>&\\n\n", VECTOR(t, 1));
    ck_assert_int_eq(tg_graph_dot(file, w), TG_OK);
    want(written(), "[label=\"a&#34;]&#60;b&#62;&#38;&#92;n?\\n(1,)\", style=bold]");
    ck_assert_int_eq(tg_graph_svg(file, w), TG_OK);
    want(written(), ">a&#34;]&#60;b&#62;&#38;&#92;n? (1,)<");
}
END_TEST

START_TEST(a_heatmap_goes_from_white_to_dark)
{
    static const char *const rows[] = {"top", "bottom"}, *const columns[] = {"l", "r"};
    ck_assert_int_eq(tg_heatmap_svg(file, MATRIX(t, 2, 2, -1, 0, 1, NAN), "<weights>", rows, columns), TG_OK);
    const char *svg = written();
    want_size(svg);
    want(svg, "<title>&#60;weights&#62;</title>");
    want(svg, "&#60;weights&#62;</text>");
    want(svg, "fill=\"#ffffff\"><title>0, 0: -1</title>");
    want(svg, "fill=\"#8397b5\"><title>0, 1: 0</title>");
    want(svg, "fill=\"#08306b\"><title>1, 0: 1</title>");
    want(svg, "stroke=\"#c00\"><title>1, 1: nan</title>");
    want(svg, ">bottom</text>");
    want(svg, ">r</text>");
    ck_assert_int_eq(tg_heatmap_svg(file, tg_zeros(t, TG_SHAPE(30, 30)), NULL, NULL, NULL), TG_OK);
    ck_assert_int_eq(count(written(), "<title>"), 901); /* the picture's, and one for each cell; no numbers */
}
END_TEST

START_TEST(lines_leave_gaps)
{
    static const char *const labels[] = {"train", "held out"};
    tg_tensor y = MATRIX(t, 2, 3, 0, 10, 5, 0, NAN, 0);
    ck_assert_int_eq(tg_lines_svg(file, y, "loss", labels), TG_OK);
    const char *svg = written();
    want_size(svg);
    want(svg, "d=\"M70.0 320.0L280.0 50.0L490.0 185.0\"");
    want(svg, "d=\"M70.0 320.0M490.0 320.0\"");
    want(svg, "d=\"M502 74h24\""); /* its dash and its label, to the right of it */
    want(svg, "<text x=\"532.0\" y=\"78.0\">held out</text>");
    want(svg, "text-anchor=\"middle\">2</text>"); /* the last of 0, 1, 2 */
    want(svg, "text-anchor=\"end\">0</text>");
    want(svg, "text-anchor=\"end\">10</text>");
    ck_assert_int_eq(tg_lines_svg(file, VECTOR(t, 7), NULL, NULL), TG_OK);
    want(written(), "d=\"M280.0 185.0\"");
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
    const TTest *const tests[] = {a_log_follows_backward,
                                  a_log_leaves_out_what_is_not_passed_on,
                                  arcs_bend_further_the_further_they_go,
                                  a_graph_names_shapes_inputs_and_norms,
                                  a_view_has_its_part_of_the_gradient,
                                  names_cannot_break_a_picture,
                                  a_heatmap_goes_from_white_to_dark,
                                  lines_leave_gaps,
                                  what_cannot_be_drawn_is_an_error};
    return run_tests("picture", tests, sizeof tests / sizeof *tests, start, stop);
}
