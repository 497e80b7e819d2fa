/* Private: all that saving and loading ask of the system (core/io/file.c). Functions that return false have put the
 * reason into problem. Interrupted calls (EINTR) are made again, short ones go on. */
#ifndef TAPEGRAD_FILE_H
#define TAPEGRAD_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tg_file_problem {
    char text[160]; /* "cannot write: No space left on device" */
} tg_file_problem;

/* A file that takes another's place once it is complete. */
typedef struct tg_new_file {
    int folder, fd;     /* -1: not open */
    const char *name;   /* in the folder: whose place it takes */
    char temporary[64]; /* in the folder: its name until then; "" when it is not there */
    unsigned mode;      /* the permissions of what it replaces */
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
    int fd; /* -1: not open */
    uint64_t size;
    tg_file_problem problem;
} tg_open_file;

bool tg_file_open(tg_open_file *f, const char *path);
/* All n bytes from this place on. */
bool tg_file_read(tg_open_file *f, void *to, size_t n, uint64_t at);
void tg_file_close(tg_open_file *f);

#endif
