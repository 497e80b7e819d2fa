#define _XOPEN_SOURCE 700
#include "examples/common/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

static int columns(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *variable = getenv("COLUMNS");
    long width = variable ? strtol(variable, NULL, 10) : 0;
    return width > 0 && width < 10000 ? (int)width : 80;
}

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
    return (terminal){.live = live,
                      .unicode = live && strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
                      .colour = live && !dumb && !is_set("NO_COLOR"),
                      .width = columns(fd)};
}

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
