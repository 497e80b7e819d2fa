/* Private: everything the library needs from the system beyond C and pthread locks, which compilers for Windows provide
 * too. core/platform/ implements it for POSIX and for Windows. The parts that can be left out (TG_NO_THREADS,
 * TG_NO_FILES and others) are listed in core/package/without.mk. */
#ifndef TAPEGRAD_PLATFORM_H
#define TAPEGRAD_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- threads ---- */

#ifndef TG_NO_THREADS
#include <pthread.h>

/* The number of cores this process may use; at least 1. */
int tg_cores(void);
/* Starts a thread with all signals blocked, so that the program's handlers run in its own threads; false: the system
 * refused. */
bool tg_thread_start(pthread_t *thread, void *(*work)(void *), void *context);
/* Registers handlers around fork(), where it exists; false: the system refused. */
bool tg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
#endif

/* ---- files ----
 *
 * Functions that return false have set problem. Interrupted calls are retried, short reads and writes continued. */

#ifdef _WIN32
typedef intptr_t tg_fd; /* a HANDLE */
#else
typedef int tg_fd;
#endif

/* True for a character that ends a folder in a path. */
static inline bool tg_is_separator(char c) {
#ifdef _WIN32
    return c == '/' || c == '\\' || c == ':';
#else
    return c == '/';
#endif
}

typedef struct tg_file_problem {
    char text[160]; /* "cannot write: No space left on device" */
} tg_file_problem;

/* A file that replaces another once it is complete. */
typedef struct tg_new_file {
    tg_fd folder, fd;    /* -1: not open */
    const char *name;    /* in the folder: the file to replace */
    char temporary[288]; /* in the folder: its name until then; "" when there is none */
    unsigned mode;       /* the permissions of the file it replaces */
    uint64_t size;       /* bytes written */
    bool replaces, is_in_place;
    tg_file_problem problem;
} tg_new_file;

/* Also removes temporary files in the folder whose writers died. Call tg_new_file_end exactly once in any case. */
bool tg_new_file_begin(tg_new_file *f, const char *path, bool replace_read_only);
bool tg_new_file_write(tg_new_file *f, const void *data, size_t n);
/* Syncs the file and renames it into place; false with is_in_place: only syncing the folder failed. */
bool tg_new_file_finish(tg_new_file *f);
void tg_new_file_end(tg_new_file *f);

/* A file to read. */
typedef struct tg_open_file {
    tg_fd fd; /* -1: not open */
    uint64_t size;
    tg_file_problem problem;
} tg_open_file;

bool tg_file_open(tg_open_file *f, const char *path);
/* All n bytes from offset `at` on. */
bool tg_file_read(tg_open_file *f, void *to, size_t n, uint64_t at);
void tg_file_close(tg_open_file *f);

#endif
