#include "core/kernels/runtime.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>

const char *tg_environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char warnings[TG_N_WARNINGS][160], all[TG_N_WARNINGS * 160];

void tg_warn(tg_warning_kind kind, const char *format, ...) {
    va_list args;
    va_start(args, format);
    pthread_mutex_lock(&lock);
    if (!*warnings[kind]) {
        vsnprintf(warnings[kind], sizeof warnings[kind], format, args);
        tg_make_printable(warnings[kind]);
    }
    pthread_mutex_unlock(&lock);
    va_end(args);
}

const char *tg_warnings(void) {
    pthread_mutex_lock(&lock);
    all[0] = '\0';
    for (int i = 0; i < TG_N_WARNINGS; i++) {
        if (*all && *warnings[i])
            strcat(all, "\n");
        strcat(all, warnings[i]);
    }
    pthread_mutex_unlock(&lock);
    return all;
}
