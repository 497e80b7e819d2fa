/* A file to print into, whose text is wanted afterwards; a new file, and one in another's place. */
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

/* To write, when nothing has this name yet; NULL: errno says why not, EEXIST when something has. */
FILE *make_new_file(const char *name);
/* In a single step, so that `to` is one or the other; 0, or errno says why not. */
int put_in_place(const char *from, const char *to);

#endif
