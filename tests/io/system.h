/* A stand-in for the system: every call that core/platform/posix_files.c makes goes through here (the linker's --wrap),
 * is counted, can be made to fail, and can be written down. */
#ifndef TAPEGRAD_TEST_SYSTEM_H
#define TAPEGRAD_TEST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
    DOES_NOTHING,   /* only counts */
    FAILS,          /* with the error */
    IS_SHORT,       /* write and pread: half of it */
    IS_INTERRUPTED, /* EINTR the first time */
    MOVES_NOTHING   /* write and pread: 0 bytes */
} what_happens;

/* What happens to which call. */
typedef struct fault {
    what_happens how;
    int at, error;     /* the call, counted from 1 */
    bool from_then_on; /* and to all that follow */
    const char *only;  /* count calls of this name; NULL: all */
} fault;

/* Counting begins anew. */
void system_begin(fault f);
/* Calls counted since; nothing happens from here on. */
int system_end(void);
/* The name of the call that the fault hit; "" when it has not come. */
const char *system_hit(void);

/* Calls that change the disk, as they are made and succeed; a folder is its descriptor. */
typedef enum { DISK_CREATE, DISK_WRITE, DISK_SYNC, DISK_RENAME, DISK_UNLINK } disk_what;
typedef struct disk_call {
    disk_what what;
    int fd; /* of the file; of the folder */
    const char *name, *to;
    const void *data;
    size_t n;
} disk_call;
extern void (*system_watch)(const disk_call *c);

#endif
