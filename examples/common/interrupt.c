#include "examples/common/interrupt.h"

#include <stddef.h>

volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) { interrupted = signal_number; }

#ifdef _WIN32

void watch_for_interrupts(bool on) {
    signal(SIGINT, on ? interrupt : SIG_DFL); /* Ctrl-C; after the first, the next ends the program */
}

#else

void watch_for_interrupts(bool on) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = on ? interrupt : SIG_DFL, .sa_flags = (int)SA_RESETHAND}, now;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

#endif
