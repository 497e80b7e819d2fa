#include "examples/common/notebook.h"
#include "examples/common/output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

tg_tensor sentence(tg_tape *t) {
    static const float inputs[6][3] = {
        {0.43f, 0.15f, 0.89f}, /* Your    */
        {0.55f, 0.87f, 0.66f}, /* journey */
        {0.57f, 0.85f, 0.64f}, /* starts  */
        {0.22f, 0.58f, 0.33f}, /* with    */
        {0.77f, 0.25f, 0.10f}, /* one     */
        {0.05f, 0.80f, 0.55f}, /* step    */
    };
    return tg_from_floats(t, TG_SHAPE(6, 3), &inputs[0][0]);
}

tg_tensor sentence_of_000(tg_tape *t) {
    static const float inputs[6][3] = {
        {0.8938f, 0.9003f, 0.8978f}, /* Your    */
        {0.7165f, 0.3428f, 0.2553f}, /* journey */
        {0.1042f, 0.5163f, 0.3753f}, /* starts  */
        {0.0445f, 0.3091f, 0.9763f}, /* with    */
        {0.1554f, 0.1614f, 0.2700f}, /* one     */
        {0.8089f, 0.9435f, 0.5480f}, /* step    */
    };
    return tg_from_floats(t, TG_SHAPE(6, 3), &inputs[0][0]);
}

void title(const char *text) { printf("---- %s ----\n\n", text); }

void show(const char *cell, tg_tensor x) {
    printf("%s\n", cell);
    if (tg_print(stdout, x))
        printf("(no result)\n");
    printf("\n");
}

void show_shape(const char *cell, tg_tensor x) {
    tg_shape shape = tg_shape_of(x);
    printf("%s\ntorch.Size([", cell);
    for (int i = 0; i < shape.ndim; i++)
        printf("%s%lld", i ? ", " : "", (long long)shape.size[i]);
    printf("])\n\n");
}

void show_text(const char *cell, const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("%s\n", cell);
    vprintf(format, args);
    printf("\n\n");
    va_end(args);
}

int finish(tg_tape *t) {
    int status = tg_tape_status(t) ? 1 : 0;
    if (status)
        fprintf(stderr, "error: %s\n", tg_error(t));
    tg_tape_free(t);
    return output_end("error", status);
}

void no_arguments(int argc, char **argv, const char *help) {
    if (argc == 1)
        return;
    bool asked = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (!asked)
        say(stderr, "%s: unknown argument '%s'; see --help", argv[0], argv[1]);
    else
        say(stdout, "usage: %s", argv[0]);
    if (asked)
        printf("\n%s\n", help);
    exit(asked ? output_end(argv[0], 0) : 2);
}
