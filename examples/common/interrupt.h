/* Ctrl-C and similar signals end training after the current step, so that it can be saved. */
#ifndef EXAMPLES_INTERRUPT_H
#define EXAMPLES_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

extern volatile sig_atomic_t interrupted; /* the signal received; 0: none */

/* SIGINT, SIGTERM, SIGHUP and SIGPIPE (output closed) set it; a second one ends the program at once. Ignored signals
 * (nohup) stay ignored. */
void watch_for_interrupts(bool on);

#endif
