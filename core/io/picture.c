#include "core/io/picture.h"

#include <math.h>
#include <stdarg.h>

void tg_put(tg_picture *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = p->file ? vfprintf(p->file, format, args) : vsnprintf(NULL, 0, format, args);
    va_end(args);
    p->failed |= n < 0;
    p->length += n < 0 ? 0 : (size_t)n;
}

/* At most 79 bytes; how many of the text they were. */
static size_t put_piece(tg_picture *p, const char *text) {
    char safe[80];
    tg_copy_text(safe, sizeof safe, text);
    size_t n = strlen(safe);
    tg_make_printable(safe);
    for (const char *c = safe; *c; c++)
        if (strchr("\"&<>\\", *c))
            tg_put(p, "&#%d;", *c); /* Graphviz knows these too */
        else
            tg_put(p, "%c", *c);
    return n;
}

void tg_put_text(tg_picture *p, const char *text) { (void)put_piece(p, text); }

void tg_put_whole_text(tg_picture *p, const char *text) {
    for (size_t n = 1; *text && n; text += n)
        n = put_piece(p, text);
}

void tg_put_number(tg_picture *p, double x, int decimals) {
    char text[400];
    if (!isfinite(x)) {
        tg_put(p, "%s", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
        return;
    }
    if (decimals < 0)
        snprintf(text, sizeof text, "%.*g", -decimals, x);
    else
        snprintf(text, sizeof text, "%.*f", decimals, x);
    tg_put_point(text);
    tg_put(p, "%s", text);
}

void tg_put_svg_begin(tg_picture *p, double width, double height, const char *title) {
    tg_put(p, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ");
    tg_put_number(p, width, 0);
    tg_put(p, " ");
    tg_put_number(p, height, 0);
    tg_put(p, "\" width=\"");
    tg_put_number(p, width, 0);
    tg_put(p, "\" height=\"");
    tg_put_number(p, height, 0);
    tg_put(p, "\" font-family=\"sans-serif\" font-size=\"12\">\n<title>");
    tg_put_whole_text(p, title);
    tg_put(p, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
}
