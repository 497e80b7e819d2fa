/* A matrix's rows lie on as many pages as the matrix has rows, and the processor remembers the places of a few pages
 * only: blocks of several large pages ask for such. Systems that have none, or do not want to, give small ones. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/kernels/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20, LARGE_BLOCK = 2 * LARGE_PAGE };

static void *get(void *context, size_t size) {
    (void)context;
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_BLOCK && size <= SIZE_MAX - LARGE_PAGE) {
        size_t whole = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
        void *block = aligned_alloc(LARGE_PAGE, whole);
        if (block)
            (void)madvise(block, whole, MADV_HUGEPAGE);
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
