#include "examples/common/saved.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct wanted {
    const char *name;
    bool found;
} wanted;

static void compare(const tg_file_tensor *x, void *context) {
    wanted *w = context;
    w->found |= !strcmp(x->name, w->name);
}

bool saved_has(const char *path, const char *name) {
    wanted w = {name, false};
    tg_tape *t = tg_tape_new(TG_F32);
    bool readable = tg_list_file(t, path, compare, &w) == TG_OK;
    tg_tape_free(t);
    return readable && w.found;
}

typedef struct found {
    bool is_ours;
    int64_t channels, context;
} found;

static void look(const tg_file_tensor *x, void *context) {
    found *f = context;
    f->is_ours |= !strcmp(x->name, "tapegrad.number.schedule");
    if (!strcmp(x->name, "position.weight") && x->shape.ndim == 2) {
        f->context = x->shape.size[0];
        f->channels = x->shape.size[1];
    }
}

tg_status saved_sizes(tg_tape *t, const char *path, int64_t *channels, int64_t *context) {
    found f = {0};
    tg_status status = tg_list_file(t, path, look, &f);
    if (!status && f.channels >= 1 && f.channels <= 4096 && f.context >= 2 && f.context <= 4096) {
        *channels = f.channels;
        *context = f.context;
    }
    return status;
}

bool saved_is_ours(tg_tape *t, const char *path, char *error, size_t size) {
    found f = {0};
    struct stat s;
    if (stat(path, &s) || s.st_size == 0 || (!tg_list_file(t, path, look, &f) && f.is_ours))
        return true;
    snprintf(error, size,
             "cannot save to %.400s: it holds something that this program did not save; remove it, or choose another "
             "name",
             path);
    return false;
}
