/* Errors: the tape keeps the first one, as a status and as one line of text. */
#include "core/engine.h"

#include <stdarg.h>

/* ---- text that is safe to print ---- */

int tg_utf8_decode(const char *text, uint32_t *code) {
    const unsigned char *s = (const unsigned char *)text;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    int n = *s < 0x80 ? 1 : *s >> 5 == 6 ? 2 : *s >> 4 == 14 ? 3 : *s >> 3 == 30 ? 4 : 0;
    *code = n == 1 ? *s : *s & (0x7fu >> n);
    for (int i = 1; i < n; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    return *code < smallest[n] || *code > 0x10ffff || *code >> 11 == 0x1b ? 0 : n;
}

/* Control characters, line separators, invisible and bidirectional format characters, and two that XML forbids. */
bool tg_is_unsafe(uint32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

void tg_make_printable(char *s) {
    char *to = s;
    while (s && *s) {
        uint32_t code;
        int n = tg_utf8_decode(s, &code);
        if (!n || tg_is_unsafe(code)) {
            *to++ = '?';
            s += n ? n : 1;
        } else {
            memmove(to, s, (size_t)n);
            to += n;
            s += n;
        }
    }
    if (to)
        *to = '\0';
}

void tg_copy_text(char *out, size_t size, const char *s) {
    if (snprintf(out, size, "%s", s) >= (int)size)
        tg_cut_text(out);
}

/* Cut in the middle: the end distinguishes layer.lora_A.weight from layer.lora_B.weight. */
void tg_copy_name(char *out, size_t size, const char *name) {
    size_t n = strlen(name), head = size / 4, tail = size - 1 - head - strlen("...");
    if (n < size) {
        memcpy(out, name, n + 1);
        return;
    }
    const char *end = name + n - tail;
    while (((unsigned char)*end & 0xc0) == 0x80) /* in the middle of a character */
        end++;
    tg_copy_text(out, head + 1, name);
    strcat(strcat(out, "..."), end);
}

void tg_cut_text(char *s) {
    size_t n = strlen(s), begin = n;
    uint32_t code;
    while (begin && n - begin < 4 && ((unsigned char)s[begin - 1] & 0xc0) == 0x80)
        begin--;
    if (begin && ((unsigned char)s[begin - 1] & 0xc0) == 0xc0 && !tg_utf8_decode(&s[begin - 1], &code))
        s[begin - 1] = '\0';
}

void tg_put_point(char *number) {
    char *point = number + strspn(number, " +-0123456789");
    size_t n = strcspn(point, "0123456789e");
    if (n == 0)
        return;
    *point = '.';
    memmove(point + 1, point + n, strlen(point + n) + 1);
}

static tg_text printed(const char *format, double x, int digits) {
    tg_text text;
    snprintf(text.s, sizeof text.s, format, digits, x);
    if (isfinite(x))
        tg_put_point(text.s);
    return text;
}

tg_text tg_number_text(double x, int digits) { return printed("%.*g", x, digits); }
tg_text tg_power_text(double x, int digits) { return printed("%.*e", x, digits); }

/* ---- the error ---- */

static void note(tg_tape *t, tg_status status, const char *format, va_list args) {
    if (!t || t->status)
        return;
    t->status = status;
    t->failure.is_bare = false;
    vsnprintf(t->failure.text, sizeof t->failure.text, format, args);
    tg_make_printable(t->failure.text);
}

tg_status tg_fail(tg_tape *t, tg_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    note(t, status, format, args);
    va_end(args);
    return status;
}

tg_tensor tg_fail_null(tg_tape *t, tg_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    note(t, status, format, args);
    va_end(args);
    return TG_NULL;
}

void *tg_out_of_memory(tg_tape *t, const char *format, ...) {
    if (t->status)
        return NULL;
    va_list args;
    va_start(args, format);
    note(t, TG_ERR_MEMORY, format, args);
    va_end(args);
    t->failure.is_bare = true;
    return NULL;
}

tg_status tg_reject(tg_tape *t, tg_status status, const char *format, ...) {
    va_list args;
    if (status == TG_OK) /* a message without an error would be lost */
        status = TG_ERR_ARGUMENT;
    va_start(args, format);
    note(t, status, format ? format : "", args);
    va_end(args);
    return status;
}

/* Arenas report the size that was refused; this prepends the operation. */
tg_status tg_say_where(const tg_node *y, const char *name) {
    tg_tape *t = y->tape;
    if (!t->failure.is_bare)
        return t->status;
    t->failure.is_bare = false;
    char old[sizeof t->failure.text];
    memcpy(old, t->failure.text, sizeof old);
    bool same = !y->op || strcmp(name, y->op->name) == 0;
    snprintf(t->failure.text, sizeof t->failure.text, "%s: %s%stensor %s: %.300s", name, same ? "" : y->op->name,
             same ? "" : ", ", tg_node_text(y).s, old);
    tg_make_printable(t->failure.text);
    return t->status;
}

tg_status tg_tape_status(const tg_tape *t) { return t ? t->status : TG_ERR_ARGUMENT; }
const char *tg_error(const tg_tape *t) { return t ? t->failure.text : "the tape is NULL: perhaps out of memory"; }

void tg_clear_error(tg_tape *t) {
    if (!t)
        return;
    t->status = TG_OK;
    t->failure.is_bare = false;
    t->failure.text[0] = '\0';
}

/* ---- shapes as text ---- */

const char *tg_dtype_name(tg_dtype dtype) {
    static const char *const names[] = {"float32", "float64", "int64", "bool"};
    return (unsigned)dtype < sizeof names / sizeof *names ? names[dtype] : "unknown";
}

static void append_shape(tg_text *text, size_t at, const tg_shape *shape) {
    char *s = text->s;
    size_t size = sizeof text->s;
    const char *separator = "(";
    for (int i = 0; i < shape->ndim && i < TG_MAX_DIMS && at < size - 1; i++) {
        int n = snprintf(s + at, size - at, "%s%lld", separator, (long long)shape->size[i]);
        at += n > 0 ? (size_t)n : 0;
        separator = ", ";
    }
    if (at < size - 1)
        snprintf(s + at, size - at, shape->ndim <= 0 ? "()" : shape->ndim == 1 ? ",)" : ")");
}

tg_text tg_shape_text(const tg_shape *shape) {
    tg_text text = {"NULL"};
    if (shape)
        append_shape(&text, 0, shape);
    return text;
}

/* The name gets the space that the shape leaves, or half. */
tg_text tg_node_text(const tg_node *x) {
    tg_text text = {{0}};
    tg_shape shape = tg_shape_from(x);
    size_t size = sizeof text.s, at = 0, shape_length = strlen(tg_shape_text(&shape).s);
    if (x->extra && x->extra->name) {
        tg_copy_name(text.s, shape_length < size / 2 ? size - shape_length - 1 : size / 2, x->extra->name);
        tg_make_printable(text.s);
        at = strlen(text.s);
        text.s[at++] = ' ';
    }
    append_shape(&text, at, &shape);
    return text;
}

tg_text tg_describe(tg_tensor x) {
    const tg_tape *t = x.tape;
    if (!t)
        return (tg_text){"the null tensor"};
    if (x.index < t->count && t->nodes[x.index]->epoch == x.epoch)
        return tg_node_text(t->nodes[x.index]);
    return (tg_text){"a stale tensor"};
}
