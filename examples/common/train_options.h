/* What `train` was asked to do. */
#ifndef EXAMPLES_TRAIN_OPTIONS_H
#define EXAMPLES_TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct train_options {
    int argc;
    char **argv;
    const char *text, *resume, *save, *report; /* files; but for save NULL when not given */
    int64_t steps;                             /* -1: until the schedule's end */
    int64_t schedule, save_every, batch, context, channels;
    double lr;
    int64_t seed;
    int64_t sample; /* characters */
    double temperature;
    bool profile;
} train_options;

/* Reads the command line; what it leaves open gets its default. After --help it ends the program with status 0; after a
 * wrong option or number with one line on stderr and status 2. */
train_options train_options_read(int argc, char **argv);

/* After a run was loaded, whose numbers go on: what the command line says otherwise. */
void train_options_override(train_options *o);

#endif
