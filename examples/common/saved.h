/* The facts about a run that `train` saved, read before it is loaded. */
#ifndef EXAMPLES_SAVED_H
#define EXAMPLES_SAVED_H

#include "core/tapegrad.h"

/* True when a file has a tensor with this name. False as well when it cannot be read. */
bool saved_has(const char *path, const char *name);

/* The width of the model and the tokens that it takes; what the file does not tell stays as it was. */
tg_status saved_sizes(tg_tape *t, const char *path, int64_t *channels, int64_t *context);

/* True when a run may be saved there: there is no file, an empty one, or one that holds a run. */
bool saved_is_ours(tg_tape *t, const char *path, char *error, size_t size);

#endif
