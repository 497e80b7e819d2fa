/* Tensors as text, exactly as PyTorch prints them (torch/_tensor_str.py with its default options).
 *
 * One format for all elements: whole numbers as "3.", scientific notation when the numbers are very large, very small
 * or far apart, else 4 decimals. The width is that of the widest finite nonzero number. Above 1000 elements only the
 * first and last 3 along each dim are shown, and only they decide the format. PyTorch's grad_fn=<...> is left out, as
 * operations have other names here. */
#include "core/engine.h"

#include <float.h>
#include <inttypes.h>

enum { THRESHOLD = 1000, EDGE = 3, LINE_WIDTH = 80, VALUE_SIZE = 40 };

static const char PREFIX[] = "tensor(";
enum { INDENT = sizeof PREFIX - 1 };

/* ---- output ---- */

typedef struct sink {
    FILE *file; /* or else to out */
    char *out;
    size_t size, length, line_start;
    bool failed;
} sink;

static void put(sink *s, const char *text) {
    size_t n = strlen(text);
    if (s->file)
        s->failed = s->failed || fwrite(text, 1, n, s->file) != n;
    else if (s->length + 1 < s->size)
        memcpy(s->out + s->length, text, n < s->size - 1 - s->length ? n : s->size - 1 - s->length);
    s->length += n;
}

static void put_spaces(sink *s, int n) {
    for (int i = 0; i < n; i++)
        put(s, " ");
}

static void put_newline(sink *s, int indent) {
    put(s, "\n");
    s->line_start = s->length;
    put_spaces(s, indent);
}

/* ---- the format of a tensor's elements ---- */

typedef struct style {
    const tg_node *x;
    bool summarize, scientific, whole;
    int width;
    double smallest, largest; /* absolute values of the finite nonzero elements shown; largest 0: there are none */
} style;

static double float_at(const tg_node *x, ptrdiff_t at) {
    return x->dtype == TG_F32 ? (double)((const float *)x->data)[at] : ((const double *)x->data)[at];
}

static void format_value(const style *s, ptrdiff_t at, char text[VALUE_SIZE]) {
    const tg_node *x = s->x;
    if (x->dtype == TG_I64) {
        snprintf(text, VALUE_SIZE, "%" PRId64, ((const int64_t *)x->data)[at]);
        return;
    }
    if (x->dtype == TG_BOOL) {
        snprintf(text, VALUE_SIZE, "%s", ((const bool *)x->data)[at] ? "True" : "False");
        return;
    }
    double v = float_at(x, at);
    if (isnan(v))
        snprintf(text, VALUE_SIZE, "nan");
    else if (isinf(v))
        snprintf(text, VALUE_SIZE, v < 0 ? "-inf" : "inf");
    else {
        snprintf(text, VALUE_SIZE, s->scientific ? "%.4e" : s->whole ? "%.0f." : "%.4f", v);
        tg_put_point(text);
    }
}

static void note_range(style *s, ptrdiff_t at) {
    double v = float_at(s->x, at), size = fabs(v);
    if (!isfinite(v) || v == 0)
        return;
    s->smallest = fmin(s->smallest, size);
    s->largest = fmax(s->largest, size);
    s->whole = s->whole && v == ceil(v);
}

static void note_width(style *s, ptrdiff_t at) {
    char text[VALUE_SIZE];
    if (tg_is_floating(s->x) && (!isfinite(float_at(s->x, at)) || float_at(s->x, at) == 0))
        return;
    format_value(s, at, text);
    int width = (int)strlen(text);
    s->width = width > s->width ? width : s->width;
}

/* True when elements are left out along this dim. */
static bool is_cut(const style *s, int dim) { return s->summarize && s->x->size[dim] > 2 * EDGE; }

/* The index after i, skipping elements that are left out. */
static int64_t next_shown(const style *s, int dim, int64_t i) {
    return is_cut(s, dim) && i == EDGE - 1 ? s->x->size[dim] - EDGE : i + 1;
}

static void for_each_shown(style *s, int dim, ptrdiff_t at, void (*note)(style *s, ptrdiff_t at)) {
    if (dim == s->x->ndim) {
        note(s, at);
        return;
    }
    for (int64_t i = 0; i < s->x->size[dim] && s->x->numel; i = next_shown(s, dim, i))
        for_each_shown(s, dim + 1, at + i * s->x->stride[dim], note);
}

static style style_of(const tg_node *x) {
    style s = {.x = x, .summarize = x->numel > THRESHOLD, .whole = true, .width = 1, .smallest = DBL_MAX};
    if (tg_is_floating(x)) {
        for_each_shown(&s, 0, 0, note_range);
        s.scientific = s.largest > 0 && (s.largest / s.smallest > 1000 || s.largest > 1e8 || s.smallest < 1e-4);
    }
    for_each_shown(&s, 0, 0, note_width);
    return s;
}

/* ---- the brackets ---- */

static void put_value(sink *out, const style *s, ptrdiff_t at) {
    char text[VALUE_SIZE];
    format_value(s, at, text);
    put_spaces(out, s->width - (int)strlen(text));
    put(out, text);
}

/* Puts the separator before a row's item: a comma, and a new line after every per_line items. */
static void put_comma(sink *out, int item, int per_line, int indent) {
    if (item == 0)
        return;
    put(out, ",");
    if (item % per_line == 0)
        put_newline(out, indent + 1);
    else
        put(out, " ");
}

/* The last dim; " ..." counts as an item. */
static void put_row(sink *out, const style *s, ptrdiff_t at, int indent) {
    int last = s->x->ndim - 1, item = 0, fitting = (LINE_WIDTH - indent) / (s->width + 2);
    int per_line = fitting > 1 ? fitting : 1;
    int64_t n = s->x->size[last];
    put(out, "[");
    for (int64_t i = 0; i < n; i = next_shown(s, last, i)) {
        if (is_cut(s, last) && i == n - EDGE) {
            put_comma(out, item++, per_line, indent);
            put(out, " ...");
        }
        put_comma(out, item++, per_line, indent);
        put_value(out, s, at + i * s->x->stride[last]);
    }
    put(out, "]");
}

/* ",", and between matrices one blank line per dim crossed. */
static void put_separator(sink *out, const style *s, int dim, int indent) {
    put(out, ",");
    for (int i = dim + 2; i < s->x->ndim; i++)
        put(out, "\n");
    put_newline(out, indent + 1);
}

static void put_elements(sink *out, const style *s, int dim, ptrdiff_t at, int indent) {
    int64_t n = s->x->ndim ? s->x->size[dim] : 1;
    if (!s->x->ndim) {
        put_value(out, s, at);
        return;
    }
    if (dim == s->x->ndim - 1) {
        put_row(out, s, at, indent);
        return;
    }
    put(out, "[");
    for (int64_t i = 0; i < n; i = next_shown(s, dim, i)) {
        if (i)
            put_separator(out, s, dim, indent);
        if (is_cut(s, dim) && i == n - EDGE) {
            put(out, "...");
            put_separator(out, s, dim, indent);
        }
        put_elements(out, s, dim + 1, at + i * s->x->stride[dim], indent + 1);
    }
    put(out, "]");
}

/* ---- the whole ---- */

/* ", text", on a new line when it does not fit. */
static void put_suffix(sink *out, const char *text) {
    size_t line = out->length - out->line_start + 2; /* as PyTorch counts */
    put(out, ",");
    if (line + strlen(text) + 2 > LINE_WIDTH)
        put_newline(out, INDENT);
    else
        put(out, " ");
    put(out, text);
}

static void put_suffixes(sink *out, const tg_node *x) {
    bool shows_dtype = x->dtype == TG_F64 || (x->numel == 0 && x->dtype != TG_F32);
    tg_shape shape = tg_shape_from(x);
    char text[128];
    if (x->numel == 0 && x->ndim != 1) {
        snprintf(text, sizeof text, "size=%s", tg_shape_text(&shape).s);
        put_suffix(out, text);
    }
    if (shows_dtype) {
        snprintf(text, sizeof text, "dtype=torch.%s", tg_dtype_name((tg_dtype)x->dtype));
        put_suffix(out, text);
    }
    if (x->requires_grad && !x->op)
        put_suffix(out, "requires_grad=True");
}

static void put_tensor(sink *out, const tg_node *x) {
    style s = style_of(x);
    put(out, PREFIX);
    if (x->numel)
        put_elements(out, &s, 0, 0, INDENT);
    else
        put(out, "[]");
    put_suffixes(out, x);
    put(out, ")");
}

size_t tg_format(tg_tensor x, char *out, size_t size) {
    const tg_node *node = tg_resolve("format", x);
    sink s = {.out = out, .size = out ? size : 0};
    if (node && tg_has_elements(node))
        put_tensor(&s, node);
    if (s.size)
        out[s.length < size ? s.length : size - 1] = '\0';
    return s.length;
}

tg_status tg_print(FILE *file, tg_tensor x) {
    const tg_node *node = tg_resolve("print", x);
    if (!node || !tg_has_elements(node))
        return tg_tape_status(x.tape);
    if (!file)
        return tg_fail(x.tape, TG_ERR_ARGUMENT, "print: the file is NULL");
    sink s = {.file = file};
    put_tensor(&s, node);
    put(&s, "\n");
    return s.failed ? tg_fail(x.tape, TG_ERR_IO, "print: the file cannot be written") : TG_OK;
}
