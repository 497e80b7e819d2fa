/* A program with several commands, like git. */
#ifndef EXAMPLES_COMMANDS_H
#define EXAMPLES_COMMANDS_H

typedef struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is its name; returns the exit status */
} subcommand;

/* Runs the command that argv[1] names and returns its status, for main. --help prints help; without a command the
 * message is `wants`: "wants a command: train or sample". */
int commands_run(int argc, char **argv, const char *help, const char *wants, const subcommand *all, int n);

#endif
