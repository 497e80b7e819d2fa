/* The capabilities of the terminal or file that a program prints to. */
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
    bool moves;   /* a terminal that is not dumb: output can be overwritten */
    int width;    /* in columns; 80 when unknown */
    int height;   /* in lines; 0 when unknown */
} terminal;

/* Call it again when needed: a window may have been resized. */
terminal terminal_of(FILE *out);

/* A character as UTF-8 text. Control characters become "?". */
typedef struct character_text {
    char s[5];
} character_text;
character_text character_as_text(int64_t code);

/* The columns that UTF-8 text takes, according to the locale. */
int text_width(const char *text);

/* Text that overwrites the previous text, as long as the window's size does not change. For terminals with `moves`. */
typedef struct picture {
    FILE *out;
    int lines, width, height; /* of the last one; of the window then */
} picture;
void picture_print(picture *p, const char *text);

#endif
