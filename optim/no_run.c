/* Replaces optim/run.c in builds without files: each call is an error. */
#include "core/op.h"
#include "optim/optim.h"

#ifdef TG_NO_FILES

static tg_status no_files(tg_tape *t, const char *name) {
    return t ? tg_fail(t, TG_ERR_IO, "%s: this build has no files (TG_NO_FILES)", name) : TG_ERR_ARGUMENT;
}

tg_status tg_save_run(tg_tape *t, const char *path, tg_run run) {
    return (void)path, (void)run, no_files(t, "save_run");
}
tg_status tg_load_run(tg_tape *t, const char *path, tg_run run) {
    return (void)path, (void)run, no_files(t, "load_run");
}
#endif
