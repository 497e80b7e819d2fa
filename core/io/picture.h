/* Private: writing pictures as text, for graphs, heatmaps and lines. */
#ifndef TAPEGRAD_PICTURE_H
#define TAPEGRAD_PICTURE_H

#include "core/engine.h"

typedef struct tg_picture {
    FILE *file; /* NULL: output is only counted */
    bool failed;
    size_t length; /* bytes so far */
} tg_picture;

void tg_put(tg_picture *p, const char *format, ...) TG_PRINTF(2, 3);
/* Text escaped for DOT strings and for XML: the first 79 bytes; all of it. */
void tg_put_text(tg_picture *p, const char *text);
void tg_put_whole_text(tg_picture *p, const char *text);
/* With a decimal point in every locale. decimals < 0: -decimals significant digits. */
void tg_put_number(tg_picture *p, double x, int decimals);
void tg_put_svg_begin(tg_picture *p, double width, double height, const char *title);

#endif
