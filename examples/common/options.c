#include "examples/common/options.h"
#include "examples/common/must.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static double number_of(const option *o, const char *text) {
    char *end, why[128];
    errno = 0;
    double x = strtod(text, &end);
    if (end != text && !*end && !errno && x >= o->low && x <= o->high)
        return x;
    snprintf(why, sizeof why, "wants a number from %g to %g, not '%.40s'", o->low, o->high, text);
    usage(o->name, why);
}

static int64_t integer_of(const option *o, const char *text) {
    char *end, why[128];
    errno = 0;
    long long x = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && (double)x >= o->low && (double)x <= o->high)
        return x;
    snprintf(why, sizeof why, "wants a whole number from %.0f to %.0f, not '%.40s'", o->low, o->high, text);
    usage(o->name, why);
}

static void set(option *o, const char *text) {
    o->given = true;
    if (o->kind == FLAG)
        *(bool *)o->value = true;
    else if (o->kind == INTEGER)
        *(int64_t *)o->value = integer_of(o, text);
    else if (o->kind == NUMBER)
        *(double *)o->value = number_of(o, text);
    else if (o->kind == FILE_NAME && !*text)
        usage(o->name, "wants the name of a file");
    else
        *(const char **)o->value = text;
}

static option *find(option *all, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(all[i].name, name))
            return &all[i];
    return NULL;
}

bool option_given(const option *all, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(all[i].name, name))
            return all[i].given;
    return false;
}

void options_read(int argc, char **argv, const char *text, option *all, int n) {
    for (int i = 1; i < argc; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1];
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(text, stdout);
            must_flush();
            exit(DONE);
        }
        option *o = find(all, n, is_option ? argv[i] : "");
        if (!o)
            usage(argv[i], is_option ? "is no option" : "is one argument too many");
        if (!is_option && o->given)
            usage(argv[i], "is one argument too many");
        if (is_option && o->kind != FLAG && ++i == argc)
            usage(argv[i - 1], "wants a value");
        set(o, argv[i]);
    }
}
