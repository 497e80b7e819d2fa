/* Private: all that the library asks of the system beyond C and POSIX threads' locks, which Windows' compilers bring as
 * well. core/platform/ answers it: threads and files as POSIX and as Windows have them. What can be left out, by
 * TG_NO_THREADS, TG_NO_FILES and others, says core/package/without.mk. */
#ifndef TAPEGRAD_PLATFORM_H
#define TAPEGRAD_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- threads ---- */

#ifndef TG_NO_THREADS
#include <pthread.h>

/* How many cores this process may use; at least 1. */
int tg_cores(void);
/* Starts one with all signals blocked, so that the program's handlers run in the program's own; false: there are no
 * more. */
bool tg_thread_start(pthread_t *thread, void *(*work)(void *), void *context);
/* What to do around a fork, where there are forks; false: the system cannot. */
bool tg_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
#endif

/* ---- files ----
 *
 * Functions that return false have put the reason into problem. Interrupted calls are made again, short ones go on. */

#ifdef _WIN32
typedef intptr_t tg_fd; /* a HANDLE */
#else
typedef int tg_fd;
#endif

/* True for what ends a folder in a path. */
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

/* A file that takes another's place once it is complete. */
typedef struct tg_new_file {
    tg_fd folder, fd;    /* -1: not open */
    const char *name;    /* in the folder: whose place it takes */
    char temporary[288]; /* in the folder: its name until then; "" when it is not there */
    unsigned mode;       /* the permissions of what it replaces */
    uint64_t size;       /* bytes written */
    bool replaces, is_in_place;
    tg_file_problem problem;
} tg_new_file;

/* Also removes what writers that are dead left in the folder. Call tg_new_file_end in any case, once. */
bool tg_new_file_begin(tg_new_file *f, const char *path, bool replace_read_only);
bool tg_new_file_write(tg_new_file *f, const void *data, size_t n);
/* Brings it to the disk and puts it in place; false with is_in_place: only the folder could not be brought there. */
bool tg_new_file_finish(tg_new_file *f);
void tg_new_file_end(tg_new_file *f);

/* A file to read. */
typedef struct tg_open_file {
    tg_fd fd; /* -1: not open */
    uint64_t size;
    tg_file_problem problem;
} tg_open_file;

bool tg_file_open(tg_open_file *f, const char *path);
/* All n bytes from this place on. */
bool tg_file_read(tg_open_file *f, void *to, size_t n, uint64_t at);
void tg_file_close(tg_open_file *f);

#endif
