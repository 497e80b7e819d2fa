/* A program of several commands, as git is. */
#ifndef EXAMPLES_COMMANDS_H
#define EXAMPLES_COMMANDS_H

typedef struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is its name; returns the exit status */
} subcommand;

/* What main returns: the status of the command that argv[1] names. --help prints help; without a command the message is
 * `wants`: "wants a command: train or sample". */
int commands_run(int argc, char **argv, const char *help, const char *wants, const subcommand *all, int n);

#endif
