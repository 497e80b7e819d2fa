/* What `train` was asked to do. */
#ifndef EXAMPLES_OPTIONS_H
#define EXAMPLES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct options {
    const char *text, *resume, *save; /* files; text and resume NULL when not given */
    int64_t steps, batch, context, channels;
    double lr;
    uint64_t seed;
    int64_t sample; /* characters */
    double temperature;
    bool profile;
} options;

/* Reads the command line. After --help it ends the program with status 0; after a wrong option or number with one
 * line on stderr and status 2. */
options options_read(int argc, char **argv);

#endif
