/* A file to print into, whose text is wanted afterwards; and one file in another's place. */
#ifndef EXAMPLES_TEXT_FILE_H
#define EXAMPLES_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct text_file {
    FILE *file;
    char *text;
    size_t size;
} text_file;

/* t->file, where to print; NULL: out of memory. */
FILE *text_file_begin(text_file *t);
/* The text, t->size long, to be freed; NULL when it could not be kept. */
char *text_file_end(text_file *t);

/* rename, which Windows wants nothing in the way of; 0, or errno says why not. */
int put_in_place(const char *from, const char *to);

#endif
