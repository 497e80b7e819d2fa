/* What a gradient check found, as one line, as a table and as JSON. */
#include "core/gradcheck/check.h"

#include <stdarg.h>

static const char *const mistake_names[TG_N_MISTAKES] = {
    [TG_MISTAKE_NONE] = "none",
    [TG_MISTAKE_UNKNOWN] = "unknown",
    [TG_MISTAKE_SIGN] = "sign flipped",
    [TG_MISTAKE_MISSING_MEAN] = "1/n missing",
    [TG_MISTAKE_EXTRA_MEAN] = "1/n too many",
    [TG_MISTAKE_TWICE] = "twice",
    [TG_MISTAKE_HALF] = "half",
    [TG_MISTAKE_SCALE] = "scale forgotten or twice",
    [TG_MISTAKE_FACTOR] = "constant factor",
    [TG_MISTAKE_ZERO] = "zero",
    [TG_MISTAKE_OVERWRITE] = "= instead of +=",
    [TG_MISTAKE_TRANSPOSED] = "transposed",
    [TG_MISTAKE_NOT_SUMMED] = "not summed over the broadcast dim",
    [TG_MISTAKE_MASK] = "mask not applied",
    [TG_MISTAKE_REDRAWN] = "random mask redrawn",
    [TG_MISTAKE_NO_DY] = "not multiplied by dy",
    [TG_MISTAKE_PASSED_ON] = "dy passed on unchanged",
    [TG_MISTAKE_PERMUTED] = "dims in another order",
    [TG_MISTAKE_TAIL] = "not computed to the end",
    [TG_MISTAKE_NOT_FINITE] = "not finite",
    [TG_MISTAKE_STALE] = "stale buffer",
    [TG_MISTAKE_NONDETERMINISTIC] = "not deterministic",
    [TG_MISTAKE_WRITES] = "writes to what it may only read",
    [TG_MISTAKE_FLOAT32] = "float32 kernel",
    [TG_MISTAKE_ACCUMULATION] = "earlier gradient changed",
};

const char *tg_mistake_name(tg_mistake mistake) {
    return (unsigned)mistake < TG_N_MISTAKES ? mistake_names[mistake] : "?";
}

static const char *verdict_name(tg_grad_verdict v) {
    static const char *const names[] = {"right", "kink", "cannot tell", "wrong"};
    return names[v];
}

/* ---- one line ---- */

void tg_append_to(char *s, size_t size, const char *format, ...) {
    size_t at = strlen(s);
    va_list args;
    va_start(args, format);
    if (vsnprintf(s + at, size - at, format, args) >= (int)(size - at))
        tg_cut_text(s);
    va_end(args);
}

/* The reason of the first line that cannot be told. */
static const char *reason_of(const tg_gradcheck_result *r) {
    for (int i = 0; i < r->n_lines; i++)
        if (r->line[i].verdict == TG_GRAD_CANNOT_TELL && r->line[i].reason)
            return r->line[i].reason;
    return "too little is known";
}

static tg_text count_text(int64_t n, const char *what) {
    tg_text text;
    snprintf(text.s, sizeof text.s, "%lld %s%s", (long long)n, what, n == 1 ? "" : "s");
    return text;
}

static void add_counts(tg_gradcheck_result *r) {
    bool fast = r->mode == TG_GRADCHECK_FAST;
    tg_text all = count_text(r->compared, fast ? "path" : "element");
    if (r->verdict == TG_GRAD_WRONG && fast)
        tg_append(r->summary, "%s found wrong", count_text(r->wrong, "element").s);
    else if (r->verdict == TG_GRAD_WRONG)
        tg_append(r->summary, "%lld of %s found wrong", (long long)r->wrong, all.s);
    else if (r->verdict == TG_GRAD_CANNOT_TELL && r->cannot_tell)
        tg_append(r->summary, "%lld of %s: %s", (long long)r->cannot_tell, all.s, reason_of(r));
    else
        tg_append(r->summary, "%s over %lld %s agree%s", all.s, (long long)r->leaves,
                  r->leaves == 1 ? "leaf" : "leaves", r->compared == 1 ? "s" : "");
    if (r->kinks)
        tg_append(r->summary, ", at a kink");
}

/* In float32 alone result and gradient do not belong together, whichever of the two is wrong. */
static tg_text part_text(const tg_gradcheck_result *r) {
    bool float32 = r->mistake == TG_MISTAKE_FLOAT32;
    tg_text text = {"its result"};
    if (float32 || r->mistake == TG_MISTAKE_UNKNOWN)
        text = (tg_text){"a gradient"};
    if (r->operand)
        snprintf(text.s, sizeof text.s, "the gradient of operand %d", r->operand);
    if (float32)
        tg_append(text.s, ", or its result");
    return text;
}

void tg_gradcheck_summarise(tg_gradcheck_result *r) {
    snprintf(r->summary, sizeof r->summary, "gradient check: %s: ", verdict_name(r->verdict));
    add_counts(r);
    bool named = r->mistake != TG_MISTAKE_FLOAT32, float32 = !named || !strncmp(r->diagnosis, "float32 only", 12);
    if (r->op[0])
        tg_append(r->summary, "; %s%s (tensor %u) is wrong in %s%s%s", float32 ? "but the float32 kernel of " : "",
                  r->op, r->tensor, part_text(r).s, named ? ": " : "", named ? tg_mistake_name(r->mistake) : "");
    else if (float32 && r->diagnosis[0])
        tg_append(r->summary, "; but %s", r->diagnosis);
    else if (r->verdict != TG_GRAD_WRONG)
        tg_append(r->summary, "; worst relative error %s", tg_power_text(r->worst, 1).s);
    else if (r->mistake != TG_MISTAKE_NONE)
        tg_append(r->summary, "; mistake: %s", tg_mistake_name(r->mistake));
    tg_make_printable(r->summary);
    tg_make_printable(r->diagnosis);
}

/* ---- for a reader ---- */

/* The place of an element, "[1, 2]". */
static tg_text element_text(const tg_gradcheck_row *row) {
    tg_text text = {{0}};
    int64_t rest = row->element, at[TG_MAX_DIMS];
    if (!row->leaf[0]) {
        tg_append(text.s, "%lld", (long long)row->element);
        return text;
    }
    for (int i = row->shape.ndim - 1; i >= 0; i--) {
        at[i] = rest % row->shape.size[i];
        rest /= row->shape.size[i];
    }
    tg_append(text.s, "[");
    for (int i = 0; i < row->shape.ndim; i++)
        tg_append(text.s, "%s%lld", i ? ", " : "", (long long)at[i]);
    tg_append(text.s, "]");
    return text;
}

/* The verdict, and how many digits agree. */
static tg_text band(const tg_gradcheck_row *row) {
    tg_text text = {{0}};
    tg_append(text.s, "%s", verdict_name(row->verdict));
    int digits = row->relative > 1e-15 ? (int)-log10(row->relative) : 15;
    if (row->verdict == TG_GRAD_RIGHT && digits < 1)
        tg_append(text.s, ", rounding");
    else if (row->verdict == TG_GRAD_RIGHT)
        tg_append(text.s, ", %s", count_text(digits, "digit").s);
    if (row->verdict == TG_GRAD_WRONG && row->elements > 1)
        tg_append(text.s, " (%lld of %lld)", (long long)row->wrong, (long long)row->elements);
    return text;
}

static void print_row(FILE *file, const tg_gradcheck_row *row, int width) {
    fprintf(file, "  %-*s %-12s %13s %13s +- %-8s %8s  %s", width, row->leaf[0] ? row->leaf : "all leaves",
            element_text(row).s, tg_number_text(row->analytic, 6).s, tg_number_text(row->numeric, 6).s,
            tg_power_text(row->error, 1).s, tg_power_text(row->relative, 1).s, band(row).s);
    if (row->verdict == TG_GRAD_KINK)
        fprintf(file, ": %s before, %s behind", tg_number_text(row->left, 6).s, tg_number_text(row->right, 6).s);
    fprintf(file, "%s%s\n", row->reason ? "; " : "", row->reason ? row->reason : "");
}

static void print_table(FILE *file, const tg_gradcheck_result *r) {
    int width = 10;
    for (int i = 0; i < r->n_rows; i++)
        if ((int)strlen(r->row[i].leaf) > width)
            width = (int)strlen(r->row[i].leaf);
    fprintf(file, "  %-*s %-12s %13s %13s    %-8s %8s  verdict\n", width, "leaf",
            r->mode == TG_GRADCHECK_FAST ? "direction" : "element", "analytic", "numeric", "error", "relative");
    for (int i = 0; i < r->n_rows; i++)
        print_row(file, &r->row[i], width);
}

/* What the verdict rests on, for a pocket calculator. */
static void print_line(FILE *file, const tg_gradcheck_line *l) {
    fprintf(file, "  path: %s, %s, length %s%s: %s", l->path, count_text(l->elements, "element").s,
            tg_number_text(l->length, 3).s, l->float32 ? ", float32" : "", verdict_name(l->verdict));
    if (l->share > 0)
        fprintf(file, "; the residual is beyond noise over %.0f %% of the length", 100 * l->share);
    fprintf(file, "%s%s\n", l->reason ? "; " : "", l->reason ? l->reason : "");
    for (int i = 0; i < 2; i++) {
        const tg_gradcheck_piece *p = &l->piece[i];
        fprintf(file, "    %9s to %-9s f %18s to %-18s integral %18s\n", tg_number_text(p->a, 3).s,
                tg_number_text(p->b, 3).s, tg_number_text(p->f_a, 12).s, tg_number_text(p->f_b, 12).s,
                tg_number_text(p->integral, 12).s);
        fprintf(file, "    %26s residual %9s  noise %9s  terms %s\n", "", tg_power_text(p->residual, 2).s,
                tg_power_text(p->noise, 2).s, tg_number_text(p->terms, 6).s);
    }
    fprintf(file, "    |r| / D %s", tg_power_text(l->ratio, 2).s);
    if (!isnan(l->longer))
        fprintf(file, ", on the next longer path %s", tg_power_text(l->longer, 2).s);
    fprintf(file, "; the tape rounds f by %s\n", tg_power_text(l->rounding, 1).s);
}

static void print_lines(FILE *file, const tg_gradcheck_result *r) {
    enum { SHOWN = 2 };
    if (r->n_lines)
        fprintf(file, "lines: f less its value at the point; residual r = f(b) - f(a) - integral of <g, dx>;\n"
                      "       |r| and D = |f(b) - f(a)| + terms are sums over both pieces\n");
    for (int i = 0; i < r->n_lines && i < SHOWN; i++)
        print_line(file, &r->line[i]);
}

static tg_status written(FILE *file) { return fflush(file) || ferror(file) ? TG_ERR_IO : TG_OK; }

/* Leaves and custom operations have any names. */
static tg_gradcheck_result printable(const tg_gradcheck_result *r) {
    tg_gradcheck_result out = *r;
    char *text[] = {out.summary, out.op, out.diagnosis};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        tg_make_printable(text[i]);
    for (int i = 0; i < TG_GRADCHECK_ROWS; i++)
        tg_make_printable(out.row[i].leaf);
    for (int i = 0; i < TG_GRADCHECK_LINES; i++)
        tg_make_printable(out.line[i].path);
    return out;
}

static void print_result(FILE *file, const tg_gradcheck_result *r) {
    fprintf(file, "%s\n", r->summary);
    if (r->n_rows) {
        print_table(file, r);
        fprintf(file, "  analytic: backward; numeric: differences, with error bar; %s\n",
                r->scalar ? "of y" : "of sum(v y), v random in +-[0.5, 1.5]");
    }
    print_lines(file, r);
    if (r->op[0])
        fprintf(file, "where: %s, tensor %u, %s; %s%s\n", r->op, r->tensor, r->shapes, part_text(r).s,
                r->wrong_ops > 1 ? "; other operations are wrong as well" : "");
    if (r->diagnosis[0])
        fprintf(file, "what:  %s\n", r->diagnosis);
}

tg_status tg_gradcheck_print(FILE *file, const tg_gradcheck_result *r) {
    if (!file || !r)
        return TG_ERR_ARGUMENT;
    tg_gradcheck_result shown = printable(r);
    print_result(file, &shown);
    return written(file);
}

/* ---- JSON ---- */

/* JSON is UTF-8: what is not, as names may be, becomes U+FFFD. */
static void json_text(FILE *file, const char *name, const char *s) {
    uint32_t code;
    fprintf(file, "\"%s\": \"", name);
    for (int n; *s; s += n ? n : 1) {
        n = tg_utf8_decode(s, &code);
        if (!n)
            fputs("\xef\xbf\xbd", file);
        else if (*s == '"' || *s == '\\')
            fprintf(file, "\\%c", *s);
        else if (tg_is_unsafe(code))
            fprintf(file, "\\u%04x", (unsigned)code);
        else
            fwrite(s, 1, (size_t)n, file);
    }
    fputs("\", ", file);
}

/* JSON has no NaN or infinity. */
static void json_number(FILE *file, const char *name, double x) {
    fprintf(file, "\"%s\": %s, ", name, isfinite(x) ? tg_number_text(x, 17).s : "null");
}

static void json_count(FILE *file, const char *name, int64_t n) { fprintf(file, "\"%s\": %lld, ", name, (long long)n); }

/* In a list, an object begins. */
static void json_next(FILE *file, int i) { fputs(i ? ",\n    {" : "\n    {", file); }

static void json_row(FILE *file, int i, const tg_gradcheck_row *row) {
    json_next(file, i);
    json_text(file, "leaf", row->leaf);
    json_count(file, "tensor", row->tensor);
    json_count(file, "element", row->element);
    json_count(file, "elements", row->elements);
    json_count(file, "wrong", row->wrong);
    json_number(file, "analytic", row->analytic);
    json_number(file, "numeric", row->numeric);
    json_number(file, "error", row->error);
    json_number(file, "relative", row->relative);
    json_number(file, "left", row->left);
    json_number(file, "right", row->right);
    fprintf(file, "\"verdict\": \"%s\"}", verdict_name(row->verdict));
}

static void json_piece(FILE *file, int i, const tg_gradcheck_piece *p) {
    static const char *const names[] = {"a", "b", "f_a", "f_b", "integral", "terms", "residual", "noise"};
    const double numbers[] = {p->a, p->b, p->f_a, p->f_b, p->integral, p->terms, p->residual, p->noise};
    fputs(i ? ", {" : "{", file);
    for (int k = 0; k < 8; k++)
        json_number(file, names[k], numbers[k]);
    fprintf(file, "\"piece\": %d}", i);
}

static void json_line(FILE *file, int at, const tg_gradcheck_line *l) {
    json_next(file, at);
    json_text(file, "path", l->path);
    json_count(file, "elements", l->elements);
    json_number(file, "length", l->length);
    json_number(file, "share", l->share);
    json_number(file, "ratio", l->ratio);
    json_number(file, "longer", l->longer);
    json_number(file, "rounding", l->rounding);
    json_text(file, "dtype", l->float32 ? "float32" : "float64");
    fputs("\"pieces\": [", file);
    for (int i = 0; i < 2; i++)
        json_piece(file, i, &l->piece[i]);
    fprintf(file, "], \"verdict\": \"%s\"}", verdict_name(l->verdict));
}

tg_status tg_gradcheck_print_json(FILE *file, const tg_gradcheck_result *r) {
    if (!file || !r)
        return TG_ERR_ARGUMENT;
    fputs("{", file);
    json_text(file, "verdict", verdict_name(r->verdict));
    json_text(file, "summary", r->summary);
    json_text(file, "mode", r->mode == TG_GRADCHECK_FAST ? "fast" : "full");
    json_count(file, "leaves", r->leaves);
    json_count(file, "compared", r->compared);
    json_count(file, "wrong", r->wrong);
    json_count(file, "cannot_tell", r->cannot_tell);
    json_count(file, "kinks", r->kinks);
    json_count(file, "evaluations", r->evaluations);
    json_number(file, "worst", r->worst);
    json_text(file, "op", r->op);
    json_count(file, "tensor", r->tensor);
    json_count(file, "operand", r->operand);
    json_text(file, "shapes", r->shapes);
    json_count(file, "wrong_ops", r->wrong_ops);
    json_text(file, "mistake", tg_mistake_name(r->mistake));
    json_number(file, "factor", r->factor);
    json_text(file, "diagnosis", r->diagnosis);
    fputs("\"lines\": [", file);
    for (int i = 0; i < r->n_lines; i++)
        json_line(file, i, &r->line[i]);
    fputs("], \"rows\": [", file);
    for (int i = 0; i < r->n_rows; i++)
        json_row(file, i, &r->row[i]);
    fputs("]}\n", file);
    return written(file);
}

/* ---- second derivatives ---- */

tg_status tg_gradcheck_second_print(FILE *file, const tg_second_result *r) {
    if (!file || !r)
        return TG_ERR_ARGUMENT;
    fprintf(file, "%s\n", r->summary);
    if (r->line.elements)
        print_line(file, &r->line);
    return written(file);
}
