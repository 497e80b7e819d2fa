/* Facts about a run saved by `train`, read before loading it. */
#ifndef EXAMPLES_SAVED_H
#define EXAMPLES_SAVED_H

#include "core/tapegrad.h"

/* True when a file has a tensor with this name; false also when it cannot be read. */
bool saved_has(const char *path, const char *name);

/* The model's width and context; unchanged where the file does not give them. */
tg_status saved_sizes(tg_tape *t, const char *path, int64_t *channels, int64_t *context);

/* True when a run may be saved there: the file does not exist, is empty, or holds a run. */
bool saved_is_ours(tg_tape *t, const char *path, char *error, size_t size);

#endif
