/* A matrix's rows lie on as many pages as the matrix has rows, and the processor remembers the places of a few pages
 * only: blocks that hold large pages ask for such. What is left of the last stays on small ones, for a large one is
 * taken whole however little of it is used; so does everything where the system has none, or does not want to. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/kernels/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };

static void *get(void *context, size_t size) {
    (void)context;
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_PAGE && size <= SIZE_MAX - LARGE_PAGE) {
        size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        void *block = aligned_alloc(LARGE_PAGE, whole);
        if (block)
            (void)madvise(block, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
        return block;
    }
#endif
    return malloc(size);
}

static void put(void *context, void *block, size_t size) {
    (void)context;
    (void)size;
    free(block);
}

const tg_allocator tg_malloc_allocator = {get, put, NULL};
