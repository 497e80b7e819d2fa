/* Memory for tapes: malloc's, with large pages where the system has them. */
#ifndef TAPEGRAD_PAGES_H
#define TAPEGRAD_PAGES_H

#include "core/tapegrad.h"

extern const tg_allocator tg_malloc_allocator;

#endif
