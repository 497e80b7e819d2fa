/* Paths that names are made under. */
#include "core/engine.h"

#include <stdarg.h>

/* The text behind what there is, with a dot where both are something. False: there is no room for it. */
static bool append(tg_path *p, const char *format, va_list args) {
    int dot = p->end > p->begin, room = TG_PATH_ROOM - p->end - dot;
    int n = room > 0 ? vsnprintf(p->text + p->end + dot, (size_t)room, format, args) : room;
    bool good = n >= 0 && n < room;
    if (good && n) {
        p->text[p->end] = dot ? '.' : p->text[p->end];
        p->end += dot + n;
    }
    p->text[p->end] = '\0';
    return good;
}

void tg_name_push(tg_tape *t, const char *format, ...) {
    if (!t)
        return;
    tg_path *p = &t->path;
    if (++p->depth > TG_PATH_DEPTH) {
        tg_fail(t, TG_ERR_ARGUMENT, "name_push: %d paths in one another; at most %d can be", p->depth, TG_PATH_DEPTH);
        return;
    }
    p->before[p->depth - 1].begin = (uint16_t)p->begin;
    p->before[p->depth - 1].end = (uint16_t)p->end;
    if (!format) {
        p->begin = p->end;
        return;
    }
    va_list args;
    va_start(args, format);
    if (!append(p, format, args))
        tg_fail(t, TG_ERR_ARGUMENT, "name_push: with what comes behind '%.100s' the path is longer than %d bytes",
                tg_name_path(t), TG_PATH_ROOM - 1);
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
    if (--p->depth >= TG_PATH_DEPTH)
        return;
    p->begin = p->before[p->depth].begin;
    p->end = p->before[p->depth].end;
    p->text[p->end] = '\0';
}

const char *tg_name_path(const tg_tape *t) { return t ? t->path.text + t->path.begin : ""; }
