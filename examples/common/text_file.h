/* A file to print into, to get its text afterwards; creating and replacing files. */
#ifndef EXAMPLES_TEXT_FILE_H
#define EXAMPLES_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

typedef struct text_file {
    FILE *file;
    char *text;
    size_t size;
} text_file;

/* Returns t->file, to print into; NULL: out of memory. */
FILE *text_file_begin(text_file *t);
/* The text, t->size bytes, to be freed; NULL when it could not be stored. */
char *text_file_end(text_file *t);

/* A file opened for writing if the name is unused; else NULL and errno, EEXIST if it is in use. */
FILE *make_new_file(const char *name);
/* Atomic rename of `from` to `to`; 0, or errno is set. */
int put_in_place(const char *from, const char *to);

#endif
