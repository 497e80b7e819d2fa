/* A command line by a table of options. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { INTEGER, NUMBER, WORD, FILE_NAME, FLAG } option_kind; /* FILE_NAME: a nonempty word */
typedef struct option {
    const char *name; /* "--steps"; "" for an argument that is not an option */
    option_kind kind;
    void *value; /* int64_t, double, const char * or bool */
    double low, high;
    bool given;
} option;

/* Reads a program's arguments, or a command's, into the values of n options. After --help or -h it prints help and ends
 * the program with status 0; after a wrong option or number with one line on stderr and status 2. */
void options_read(int argc, char **argv, const char *help, option *all, int n);
bool option_given(const option *all, int n, const char *name);

#endif
