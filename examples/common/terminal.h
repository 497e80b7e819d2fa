/* What the terminal or file that a program prints to can display. */
#ifndef EXAMPLES_TERMINAL_H
#define EXAMPLES_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct terminal {
    bool live;    /* a terminal: a line may be overwritten */
    bool unicode; /* a terminal in a UTF-8 locale */
    bool colour;  /* a terminal that is not dumb, and NO_COLOR is not set */
    bool moves;   /* a terminal that is not dumb: what was printed can be printed over */
    int width;    /* in columns; 80 when unknown */
    int height;   /* in lines; 0 when unknown */
} terminal;

/* Ask anew: a window may have been resized. */
terminal terminal_of(FILE *out);

/* A character as UTF-8 text. Control characters, which a terminal would obey, come out as "?". */
typedef struct character_text {
    char s[5];
} character_text;
character_text character_as_text(int64_t code);

/* The columns that UTF-8 text takes, as far as the locale knows. */
int text_width(const char *text);

/* Text in place of text: print all of it, and the next time all of the next over it, as long as the window stays as it
 * is. For terminals that move. */
typedef struct picture {
    FILE *out;
    int lines, width, height; /* of the last one; of the window then */
} picture;
void picture_print(picture *p, const char *text);

#endif
