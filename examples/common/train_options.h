/* The options of `train`. */
#ifndef EXAMPLES_TRAIN_OPTIONS_H
#define EXAMPLES_TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct train_options {
    int argc;
    char **argv;
    const char *text, *resume, *save, *report; /* files; NULL when not given, except save */
    int64_t steps;                             /* -1: until the schedule's end */
    int64_t schedule, save_every, batch, context, channels;
    double lr;
    int64_t seed;
    int64_t sample; /* characters */
    double temperature;
    bool profile;
} train_options;

/* Reads the command line; options not given get their defaults. After --help it ends the program with status 0; after a
 * wrong option or number with one line on stderr and status 2. */
train_options train_options_read(int argc, char **argv);

/* After a run was loaded: options on the command line override its numbers. */
void train_options_override(train_options *o);

#endif
