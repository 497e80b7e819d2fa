#define _XOPEN_SOURCE 700
#include "examples/common/terminal.h"

#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>
#endif

static int from_environment(const char *variable, int otherwise) {
    const char *value = getenv(variable);
    long n = value ? strtol(value, NULL, 10) : 0;
    return n > 0 && n < 10000 ? (int)n : otherwise;
}

#ifdef _WIN32

/* Plain lines, as for a file. */
terminal terminal_of(FILE *out) {
    (void)out;
    return (terminal){.width = from_environment("COLUMNS", 80)};
}

/* One column per character; its bytes after the first begin with bits 10. */
int text_width(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80;
    return width;
}

#else

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

terminal terminal_of(FILE *out) {
    static bool locale_is_set;
    if (!locale_is_set)
        setlocale(LC_CTYPE, "");
    locale_is_set = true;
    int fd = fileno(out);
    bool live = isatty(fd);
    const char *kind = getenv("TERM");
    bool dumb = !kind || !*kind || strcmp(kind, "dumb") == 0;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_col == 0)
        size = (struct winsize){.ws_col = (unsigned short)from_environment("COLUMNS", 80),
                                .ws_row = (unsigned short)from_environment("LINES", 0)};
    return (terminal){.live = live,
                      .moves = live && !dumb,
                      .unicode = live && strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                      .colour = live && !dumb && !is_set("NO_COLOR"),
                      .width = size.ws_col,
                      .height = size.ws_row};
}

int text_width(const char *text) {
    int width = 0;
    mbstate_t state = {0};
    wchar_t c;
    for (size_t left = strlen(text), n; left > 0; text += n, left -= n) {
        n = mbrtowc(&c, text, left, &state);
        if (n == 0 || n > left)
            return width + (int)left;
        int w = wcwidth(c);
        width += w > 0 ? w : 0;
    }
    return width;
}

#endif

static bool is_control(int64_t code) {
    return (code < 32 && code != '\n' && code != '\t') || (code > 126 && code < 160);
}

character_text character_as_text(int64_t code) {
    character_text t = {{0}};
    if (is_control(code)) {
        t.s[0] = '?';
    } else if (code < 0x80) {
        t.s[0] = (char)code;
    } else if (code < 0x800) {
        t.s[0] = (char)(0xc0 | code >> 6);
        t.s[1] = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        t.s[0] = (char)(0xe0 | code >> 12);
        t.s[1] = (char)(0x80 | (code >> 6 & 63));
        t.s[2] = (char)(0x80 | (code & 63));
    } else {
        t.s[0] = (char)(0xf0 | code >> 18);
        t.s[1] = (char)(0x80 | (code >> 12 & 63));
        t.s[2] = (char)(0x80 | (code >> 6 & 63));
        t.s[3] = (char)(0x80 | (code & 63));
    }
    return t;
}

/* Moves up to the start of the last picture; each line clears the rest of the old one. */
void picture_print(picture *p, const char *text) {
    terminal screen = terminal_of(p->out);
    if (p->lines > 0 && screen.width == p->width && screen.height == p->height)
        fprintf(p->out, "\r\033[%dA", p->lines);
    p->lines = 0;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, p->lines++)
        fprintf(p->out, "%.*s\033[K\n", (int)(end - text), text);
    fputs("\033[J", p->out);
    fflush(p->out);
    p->width = screen.width;
    p->height = screen.height;
}
