/* The library as a whole: version, instruction set, warnings. */
#include "core/kernels/isa.h"
#include "core/kernels/runtime.h"

const char *tg_version(void) { return TG_VERSION; }

const char *tg_warning(void) {
    tg_isa_now();
    tg_get_threads();
    return tg_warnings();
}

const char *tg_instruction_set(void) { return tg_isa_now()->name; }
