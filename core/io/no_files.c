/* Replaces saving and loading in builds without files: each call is an error. */
#include "core/op.h"

#ifdef TG_NO_FILES

static tg_status no_files(tg_tape *t, const char *name) {
    return t ? tg_fail(t, TG_ERR_IO, "%s: this build has no files (TG_NO_FILES)", name) : TG_ERR_ARGUMENT;
}

tg_status tg_save(tg_tape *t, const char *path) { return (void)path, no_files(t, "save"); }
tg_status tg_check_save(tg_tape *t, const char *path) { return (void)path, no_files(t, "check_save"); }
tg_status tg_load(tg_tape *t, const char *path) { return (void)path, no_files(t, "load"); }

tg_status tg_save_with(tg_tape *t, const char *path, tg_save_config config) {
    return (void)path, (void)config, no_files(t, "save");
}
tg_status tg_load_with(tg_tape *t, const char *path, tg_load_config config) {
    return (void)path, (void)config, no_files(t, "load");
}
tg_status tg_list_file(tg_tape *t, const char *path, tg_file_visit visit, void *context) {
    return (void)path, (void)visit, (void)context, no_files(t, "list_file");
}
tg_status tg_save_npy(tg_tensor x, const char *path) { return (void)path, no_files(x.tape, "save_npy"); }
tg_tensor tg_load_npy(tg_tape *t, const char *path) {
    (void)path, (void)no_files(t, "load_npy");
    return TG_NULL;
}
#endif
