/* Ctrl-C and the like end a training after the present step, so that it can be saved. */
#ifndef EXAMPLES_INTERRUPT_H
#define EXAMPLES_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

extern volatile sig_atomic_t interrupted; /* the signal; 0: none came */

/* SIGINT, SIGTERM, SIGHUP and SIGPIPE (nobody reads the output any more) set it; a second one ends the program at once.
 * One that is ignored (nohup) stays so. */
void watch_for_interrupts(bool on);

#endif
