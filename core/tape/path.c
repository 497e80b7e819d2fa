/* The path that prefixes names. */
#include "core/engine.h"

#include <stdarg.h>

/* Naming fails until the failed push is popped: names would lack its path. */
static void lose(tg_path *p) { p->lost = p->lost ? p->lost : p->depth; }

/* Appends text to the path, with a dot between them when neither is empty. */
static void append(tg_tape *t, const char *format, va_list args) {
    tg_path *p = &t->path;
    char *end = p->text + p->end;
    int dot = p->end > p->begin, room = TG_PATH_ROOM - p->end - dot;
    int n = vsnprintf(room > 0 ? end + dot : NULL, room > 0 ? (size_t)room : 0, format, args);
    if (n < 0 || n >= room) {
        *end = '\0';
        lose(p);
        tg_fail(t, TG_ERR_ARGUMENT,
                n < 0 ? "name_push: what follows the path '%.100s' cannot be printed"
                      : "name_push: after the path '%.100s' %d bytes are too many; %d fit",
                tg_name_path(t), n, room > 0 ? room - 1 : 0);
        return;
    }
    if (n && dot)
        *end = '.';
    p->end += n ? dot + n : 0;
    p->text[p->end] = '\0';
}

void tg_name_push(tg_tape *t, const char *format, ...) {
    if (!t)
        return;
    tg_path *p = &t->path;
    if (++p->depth > TG_PATH_DEPTH) {
        lose(p);
        tg_fail(t, TG_ERR_ARGUMENT, "name_push: %d nested paths; at most %d are allowed", p->depth, TG_PATH_DEPTH);
        return;
    }
    p->before[p->depth - 1].begin = (uint16_t)p->begin;
    p->before[p->depth - 1].end = (uint16_t)p->end;
    if (p->lost)
        return;
    if (!format) {
        p->begin = p->end;
        return;
    }
    va_list args;
    va_start(args, format);
    append(t, format, args);
    va_end(args);
}

void tg_name_pop(tg_tape *t) {
    if (!t)
        return;
    tg_path *p = &t->path;
    if (p->depth == 0) {
        tg_fail(t, TG_ERR_STATE, "name_pop: there was no tg_name_push");
        return;
    }
    p->lost = p->lost < p->depth ? p->lost : 0;
    if (--p->depth >= TG_PATH_DEPTH)
        return;
    p->begin = p->before[p->depth].begin;
    p->end = p->before[p->depth].end;
    p->text[p->end] = '\0';
}

const char *tg_name_path(const tg_tape *t) { return t ? t->path.text + t->path.begin : ""; }
