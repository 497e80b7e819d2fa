/* examples/train.c shows lines that fit the terminal, and a picture in place where there is room for one. */
#define _XOPEN_SOURCE 700 /* posix_openpt */
#include "tests/io/program.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The smallest model. */
#define SMALL "--channels", "8", "--batch", "4"

/* What a terminal of this many columns and lines receives. */
static const char *on_terminal(unsigned short columns, unsigned short lines) {
    static char text[MOST];
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(master, 0);
    ck_assert_int_eq(grantpt(master) | unlockpt(master), 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_eq(ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_row = lines, .ws_col = columns}), 0);
    pid_t child = start((const char *const[]){SMALL, "--steps", "60", "--save", "tty.safetensors", NULL}, slave, slave);
    close(slave);
    read_all(master, text, sizeof text);
    ck_assert_int_eq(status_of(child), 0);
    return text;
}

/* The longest stretch between two carriage returns or line feeds on lines that are overwritten. */
static size_t widest_live_line(const char *text) {
    size_t widest = 0;
    for (const char *at = strchr(text, '\r'); at; at = strchr(at, '\r')) {
        size_t width = strcspn(++at, "\r\n");
        widest = width > widest && strncmp(at, "attention  step", 15) == 0 ? width : widest;
    }
    return widest;
}

/* The most columns that a line takes: escape sequences take none. */
static int widest_line(const char *text) {
    int widest = 0, width = 0;
    for (; *text; text++) {
        if (*text == '\033') {
            text += strcspn(text, "mKJA");
            continue;
        }
        bool continues = (*text & 0xc0) == 0x80; /* a character's later bytes */
        width = *text == '\n' || *text == '\r' ? 0 : width + !continues;
        widest = width > widest ? width : widest;
    }
    return widest;
}

static int lines_in(const char *text, size_t n) {
    int lines = 0;
    for (size_t i = 0; i < n && text[i]; i++)
        lines += text[i] == '\n';
    return lines;
}

/* The map behind this title takes at most so many columns: what does not fit beside it is left out. */
static void want_map_within(const char *text, const char *title, int columns) {
    static char map[MOST];
    const char *begin = strstr(text, title);
    ck_assert_ptr_nonnull(begin);
    begin = strchr(begin, '\n') + 1;
    size_t n = (size_t)(strstr(begin, "\r\n\r\n") - begin);
    memcpy(map, begin, n);
    map[n] = '\0';
    ck_assert_int_eq(lines_in(map, n), 16); /* the columns' names, 15 rows; the legend has no end here */
    ck_assert_int_le(widest_line(map), columns);
}

START_TEST(a_terminal_gets_one_line_that_fits)
{
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    const char *text = on_terminal(40, 24);
    size_t widest = widest_live_line(text);
    ck_assert_msg(widest > 20 && widest < 40, "%zu columns", widest);
    ck_assert_ptr_nonnull(strstr(text, "\033[48;5;"));
    ck_assert_ptr_nonnull(strstr(on_terminal(80, 5), "\033[48;"));
    setenv("NO_COLOR", "1", 1);
    ck_assert_ptr_null(strchr(on_terminal(80, 5), '\033'));
    text = on_terminal(20, 24);
    want_map_within(text, "after training:", 20);
    widest = widest_live_line(text);
    ck_assert_msg(widest > 10 && widest < 20, "%zu columns", widest);
}
END_TEST

START_TEST(a_large_terminal_gets_a_picture_in_place)
{
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    const char *text = on_terminal(80, 24), *up = strstr(text, "\033[20A"), *last = up;
    ck_assert_ptr_nonnull(up);
    ck_assert_int_le(widest_line(text), 80);
    ck_assert_int_gt(widest_line(text), 70);
    ck_assert_int_lt(lines_in(text, (size_t)(up - text)),
                     24); /* all of it with the first picture, and a line is left */
    for (const char *next; (next = strstr(last + 1, "\033[20A")) != NULL; last = next)
        ck_assert_int_eq(lines_in(last, (size_t)(next - last)), 20);
    ck_assert_int_eq(lines_in(last, SIZE_MAX), 20);
    ck_assert_ptr_nonnull(strstr(last, "after 60 steps"));
    ck_assert_ptr_nonnull(strstr(last, "guessing among the four foods told"));
    ck_assert_ptr_nonnull(strstr(last, "saved tty.safetensors after 60 steps"));
    ck_assert_ptr_null(strstr(last, "before training"));
    text = on_terminal(200, 50);
    ck_assert_ptr_nonnull(strstr(text, "before training:"));
    ck_assert_int_lt(widest_line(text), 200);
    setenv("NO_COLOR", "1", 1);
    text = on_terminal(80, 24);
    ck_assert_ptr_nonnull(strstr(text, "\033[20A"));
    ck_assert_ptr_null(strstr(text, "\033[48;"));
    setenv("TERM", "dumb", 1);
    ck_assert_ptr_null(strchr(on_terminal(80, 24), '\033'));
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {a_terminal_gets_one_line_that_fits, a_large_terminal_gets_a_picture_in_place};
    return run_program_tests(argv[0], "train", "train_terminal", tests, sizeof tests / sizeof *tests);
}
