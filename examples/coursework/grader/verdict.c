/* The result of a check, in numbers and words. */
#include "check.h"

#include <stdarg.h>
#include <string.h>

verdict wrong(const char *where, const char *mistake, const char *format, ...) {
    verdict v = {.right = false};
    va_list args;
    va_start(args, format);
    vsnprintf(v.why, sizeof v.why, format, args);
    va_end(args);
    snprintf(v.where, sizeof v.where, "%s", where);
    snprintf(v.mistake, sizeof v.mistake, "%s", mistake);
    return v;
}

void at_element(verdict *v, double came, double wanted, const char *format, ...) {
    char name[160], is[32], should[32];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    for (int digits = 4; digits <= 12; digits += 2) { /* as many as tell them apart */
        snprintf(is, sizeof is, "%.*g", digits, came);
        snprintf(should, sizeof should, "%.*g", digits, wanted);
        if (strcmp(is, should) != 0)
            break;
    }
    snprintf(v->element, sizeof v->element, "%s is %s; it should be %s", name, is, should);
}

void name_mistake(verdict *v, const char *mistake) {
    size_t length = strcspn(mistake, ":");
    snprintf(v->mistake, sizeof v->mistake, "%.*s", (int)length, mistake);
    snprintf(v->why, sizeof v->why, "%s", mistake[length] ? mistake + length + 2 : mistake);
}

verdict failed(const session *s, const char *where) {
    const student *st = s->student;
    const char *name = st->is_missing                            ? "missing"
                       : strstr(st->failure, "does not end")     ? "endless loop"
                       : strstr(st->failure, "has slept")        ? "sleeps"
                       : strstr(st->failure, "NULL")             ? "NULL used"
                       : strstr(st->failure, "exit(")            ? "exit"
                       : strstr(st->failure, "first element of") ? "written out of bounds"
                       : strstr(st->failure, "past the end of")  ? "out of bounds"
                       : strstr(st->failure, "may only read")    ? "writes to what it may only read"
                       : strstr(st->failure, "catches signals")  ? "signals caught"
                       : strstr(st->failure, "at most")          ? "course_keep refused"
                       : strstr(st->failure, "an abort")         ? "abort"
                                                                 : "crash";
    return wrong(where, name, "%s", st->failure[0] ? st->failure : "the code could not be run");
}

int64_t numel_of(tg_shape shape) {
    int64_t n = 1;
    for (int i = 0; i < shape.ndim; i++)
        n *= shape.size[i];
    return n;
}

const double tolerance = 1e-5;

int64_t first_difference(const double *a, const double *b, int64_t n) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = isfinite(b[i]) ? fmax(largest, fabs(b[i])) : largest;
    for (int64_t i = 0; i < n; i++) /* all 0: a float's rounding of numbers about 1; infinities are equal */
        if (a[i] != b[i] && !(fabs(a[i] - b[i]) <= tolerance * (largest + 0.02)))
            return i;
    return -1;
}

bool same_numbers(const double *a, const double *b, int64_t n) { return first_difference(a, b, n) < 0; }

bool all_zero(const double *x, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

double ratio_of(const double *a, const double *b, int64_t n) {
    double products = 0, squares = 0, apart = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        products += a[i] * b[i];
        squares += b[i] * b[i];
        size += a[i] * a[i];
    }
    if (!(squares > 0) || !(size > 0))
        return NAN;
    for (int64_t i = 0; i < n; i++)
        apart += (a[i] - products / squares * b[i]) * (a[i] - products / squares * b[i]);
    return apart <= 1e-10 * size ? products / squares : NAN;
}

const char *place_text(tg_shape shape, int64_t k, char *out, size_t size) {
    int64_t at[TG_MAX_DIMS];
    size_t used = 0;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        at[i] = k % shape.size[i];
        k /= shape.size[i];
    }
    used += (size_t)snprintf(out, size, "[");
    for (int i = 0; i < shape.ndim && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? ", " : "", (long long)at[i]);
    if (used < size)
        snprintf(out + used, size - used, "]");
    return out;
}
