/* Long rows of a matrix are on pages of their own, more than the TLB holds: blocks of at least one large page ask for
 * large pages. The remainder stays on small pages, since a large page is allocated whole however little of it is used;
 * so does everything where the system has no large pages.
 *
 * Such blocks are mapped instead of malloc'd, so that their memory returns to the system when they are freed. */
#define _DEFAULT_SOURCE /* madvise, MAP_ANONYMOUS */
#include "core/tape/pages.h"

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

enum { LARGE_PAGE = 2 << 20 };

#ifdef MADV_HUGEPAGE

static bool is_mapped(size_t size) { return size >= LARGE_PAGE && size <= SIZE_MAX - 2 * LARGE_PAGE; }

static size_t up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* Aligned to a large page: one page more is mapped, and the parts before and after are unmapped. */
static void *map(size_t size) {
    size_t whole = up(size, LARGE_PAGE), more = whole + LARGE_PAGE;
    char *start = mmap(NULL, more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    size_t before = up((size_t)start, LARGE_PAGE) - (size_t)start;
    if (before)
        (void)munmap(start, before);
    if (more - whole > before)
        (void)munmap(start + before + whole, more - whole - before);
    (void)madvise(start + before, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
    return start + before;
}

static void unmap(void *block, size_t size) { (void)munmap(block, up(size, LARGE_PAGE)); }

#else

static bool is_mapped(size_t size) {
    (void)size;
    return false;
}
static void *map(size_t size) { return malloc(size); }
static void unmap(void *block, size_t size) {
    (void)size;
    free(block);
}

#endif

static void *get(void *context, size_t size) {
    (void)context;
    return is_mapped(size) ? map(size) : malloc(size);
}

static void put(void *context, void *block, size_t size) {
    (void)context;
    if (is_mapped(size))
        unmap(block, size);
    else
        free(block);
}

const tg_allocator tg_malloc_allocator = {get, put, NULL};
