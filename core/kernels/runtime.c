#include "core/kernels/runtime.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

const char *tg_environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Warnings are so few that a spin lock is enough. */
static atomic_flag busy = ATOMIC_FLAG_INIT;
static void lock(void) {
    while (atomic_flag_test_and_set(&busy))
        ;
}
static void unlock(void) { atomic_flag_clear(&busy); }

static char warnings[TG_N_WARNINGS][160], all[TG_N_WARNINGS * 160];

void tg_warn(tg_warning_kind kind, const char *format, ...) {
    va_list args;
    va_start(args, format);
    lock();
    if (!*warnings[kind]) {
        vsnprintf(warnings[kind], sizeof warnings[kind], format, args);
        tg_make_printable(warnings[kind]);
    }
    unlock();
    va_end(args);
}

const char *tg_warnings(void) {
    lock();
    all[0] = '\0';
    for (int i = 0; i < TG_N_WARNINGS; i++) {
        if (*all && *warnings[i])
            strcat(all, "\n");
        strcat(all, warnings[i]);
    }
    unlock();
    return all;
}
