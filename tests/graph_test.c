/* Graphs and the log of a backward are the expected texts, by arithmetic, whatever names and numbers they hold. */
#include "tests/pictures.h"

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

/* Straight down from a row to the next, and an arc where rows are passed over: it goes left, to the point that its
 * numbers say, and stays in the picture; further, the more rows it passes over. */
START_TEST(arcs_bend_further_the_further_they_go)
{
    tg_tensor first = tg_square(wanting(VECTOR(t, 1))), third = first, y = first;
    for (int i = 1; i < 10; i++) {
        y = tg_square(y);
        third = i == 2 ? y : third;
    }
    y = tg_add(tg_mul(y, third), first);
    ck_assert_int_eq(tg_graph_svg(file, y), TG_OK);
    const char *svg = written();
    int n = 0, arcs = 0, left, right, top, left_again, bottom, right_again, before = 0, height;
    want_size(svg);
    ck_assert_int_eq(sscanf(strstr(svg, "height=\""), "height=\"%d", &height), 1);
    for (const char *at = svg; (at = strstr(at, " d=\"M")) != NULL; at++, n++) {
        if (sscanf(at, " d=\"M%d %d C%d %*d %d %d %d", &right, &top, &left, &left_again, &bottom, &right_again) == 6) {
            ck_assert(left == left_again && right == right_again && left >= 0 && left < right);
            ck_assert(!arcs || left < before); /* the product's over 8 rows, the sum's over 11 */
            before = left;
            arcs++;
        } else {
            ck_assert_int_eq(sscanf(at, " d=\"M%d %dV%d", &left, &top, &bottom), 3);
        }
        ck_assert(top >= 0 && top < bottom && bottom <= height);
    }
    ck_assert_int_eq(n, 13); /* nine from square to square, two operands of mul and add each */
    ck_assert_int_eq(arcs, 2);
}
END_TEST

/* What is at this place of the picture. */
static void want_at(const char *svg, const char *label, int *x, int *y) {
    const char *at = strstr(svg, label);
    ck_assert_msg(at != NULL, "'%s' is not in:\n%s", label, svg);
    while (strncmp(at, "<text", 5))
        at--;
    ck_assert_int_eq(sscanf(at, "<text x=\"%d\" y=\"%d\"", x, y), 2);
}

/* Weights are beside the operation that uses them, in its row and below it; nothing leads to them but what is computed:
 * linear(relu(linear(x))) has a row for each, and two lines. A view of a weight is told with it. */
START_TEST(leaves_are_beside_their_operations)
{
    tg_tensor x = tg_buffer(t, "x", MATRIX(t, 1, 2, 1, 2)), b = tg_parameter(t, "b", VECTOR(t, 1, 2));
    tg_tensor W = tg_parameter(t, "W", MATRIX(t, 2, 2, 1, 2, 3, 4)),
              V = tg_parameter(t, "V", MATRIX(t, 2, 2, 1, 2, 3, 4));
    tg_tensor y = tg_linear(tg_relu(tg_linear(x, W, b)), tg_slice(tg_transpose(V, 0, 1), 0, 0, 1, 1), TG_NULL);
    ck_assert_int_eq(tg_graph_svg(file, y), TG_OK);
    const char *svg = written();
    int x_of[6], y_of[6];
    want_at(svg, ">linear (1, 2)<", &x_of[0], &y_of[0]);
    want_at(svg, ">x (1, 2)<", &x_of[1], &y_of[1]);
    want_at(svg, ">W (2, 2)<", &x_of[2], &y_of[2]);
    want_at(svg, ">b (2,)<", &x_of[3], &y_of[3]);
    want_at(svg, ">linear (1, 1)<", &x_of[4], &y_of[4]);
    want_at(svg, ">V, transpose, slice (1, 2)<", &x_of[5], &y_of[5]);
    ck_assert(x_of[0] == x_of[4] && x_of[1] == x_of[2] && x_of[2] == x_of[3] && x_of[3] == x_of[5] &&
              x_of[0] < x_of[1]);
    ck_assert(y_of[0] == y_of[1] && y_of[1] < y_of[2] && y_of[2] < y_of[3] && y_of[3] < y_of[4] && y_of[4] == y_of[5]);
    ck_assert_int_eq(count(svg, "<path"), 2);
    ck_assert_int_eq(count(svg, "<text"), 7); /* and relu */
    /* views of one use in one row; what is used twice has its own */
    tg_tensor h = tg_relu(x), v = tg_transpose(tg_reshape(h, TG_SHAPE(2, 1)), 0, 1), w = tg_reshape(v, TG_SHAPE(2));
    ck_assert_int_eq(tg_graph_svg(file, tg_add(tg_relu(v), w)), TG_OK);
    svg = written();
    want(svg, ">reshape, transpose (1, 2)<");
    want(svg, ">reshape (2,)<");
    WANT_OK(t);
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
    ck_assert_int_eq(count(svg, "<path"), 1); /* from square to sum */
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

START_TEST(long_names_keep_their_ends)
{
    static const char layer[] =
        "base_model.model.encoder.stages.10.blocks.10.attention.self_attention.query_projection";
    char name[200];
    snprintf(name, sizeof name, "%s.lora_A.weight", layer);
    tg_tensor a = tg_parameter(t, name, VECTOR(t, 1, 2));
    snprintf(name, sizeof name, "%s.lora_B.weight", layer);
    tg_tensor y = tg_mul(a, tg_parameter(t, name, VECTOR(t, 3, 4)));
    for (int dot = 0; dot < 2; dot++) {
        ck_assert_int_eq((dot ? tg_graph_dot : tg_graph_svg)(file, y), TG_OK);
        const char *picture = written();
        want(picture, "base_model.model.");
        want(picture, ".query_projection.lora_A.weight");
        want(picture, ".query_projection.lora_B.weight");
    }
}
END_TEST

START_TEST(names_cannot_break_a_picture)
{
    tg_tensor w = tg_parameter(t, "a\"]<b>&\\n\n", VECTOR(t, 1));
    ck_assert_int_eq(tg_graph_dot(file, w), TG_OK);
    want(written(), "[label=\"a&#34;]&#60;b&#62;&#38;&#92;n?\\n(1,)\", style=bold]");
    ck_assert_int_eq(tg_graph_svg(file, w), TG_OK);
    want(written(), ">a&#34;]&#60;b&#62;&#38;&#92;n? (1,)<");
    char title[100]; /* longer than one piece of 79 bytes, between which there is a character */
    memset(title, 'a', 78);
    strcpy(title + 78, "\xc3\xa9");
    ck_assert_int_eq(tg_heatmap_svg(file, w, title, NULL, NULL), TG_OK);
    want(written(), "aaa\xc3\xa9</title>");
}
END_TEST

int main(void) {
    const TTest *const tests[] = {a_log_follows_backward,
                                  a_log_leaves_out_what_is_not_passed_on,
                                  arcs_bend_further_the_further_they_go,
                                  leaves_are_beside_their_operations,
                                  a_graph_names_shapes_inputs_and_norms,
                                  a_view_has_its_part_of_the_gradient,
                                  long_names_keep_their_ends,
                                  names_cannot_break_a_picture};
    return run_tests("graph", tests, sizeof tests / sizeof *tests, start, stop);
}
