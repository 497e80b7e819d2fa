/* Private: writing pictures as text, for graph.c and plot.c. */
#ifndef TAPEGRAD_PICTURE_H
#define TAPEGRAD_PICTURE_H

#include "core/engine.h"

typedef struct tg_picture {
    FILE *file; /* NULL: what is put is only counted */
    bool failed;
    size_t length; /* bytes so far */
} tg_picture;

void tg_put(tg_picture *p, const char *format, ...) TG_PRINTF(2, 3);
/* Text as it may stand within a DOT string and within XML; at most 79 bytes of it. */
void tg_put_text(tg_picture *p, const char *text);
void tg_put_whole_text(tg_picture *p, const char *text);
/* With a point, whatever the locale. decimals < 0: as many significant digits. */
void tg_put_number(tg_picture *p, double x, int decimals);
void tg_put_svg_begin(tg_picture *p, double width, double height, const char *title);

#endif
