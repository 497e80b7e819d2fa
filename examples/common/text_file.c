#define _XOPEN_SOURCE 700 /* open_memstream */
#include "examples/common/text_file.h"

#include <errno.h>
#include <stdlib.h>

#ifndef _WIN32

FILE *text_file_begin(text_file *t) {
    *t = (text_file){0};
    return t->file = open_memstream(&t->text, &t->size);
}

char *text_file_end(text_file *t) {
    if (fclose(t->file) == 0)
        return t->text;
    free(t->text);
    return NULL;
}

FILE *make_new_file(const char *name) { return fopen(name, "wx"); }
int put_in_place(const char *from, const char *to) { return rename(from, to); }

#else

#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

/* In a temporary file; tmpfile would create one in the drive's root folder. */
FILE *text_file_begin(text_file *t) {
    char *name = _tempnam(NULL, "text");
    *t = (text_file){.file = name ? fopen(name, "w+bTD") : NULL};
    free(name);
    return t->file;
}

char *text_file_end(text_file *t) {
    long n = ftell(t->file);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    rewind(t->file);
    if (text && fread(text, 1, (size_t)n, t->file) == (size_t)n) {
        t->size = (size_t)n;
        text[n] = '\0';
    } else {
        free(text);
        text = NULL;
    }
    fclose(t->file);
    return text;
}

/* Not every runtime supports fopen's "x". */
FILE *make_new_file(const char *name) {
    int fd = _open(name, _O_WRONLY | _O_CREAT | _O_EXCL, _S_IREAD | _S_IWRITE);
    return fd < 0 ? NULL : _fdopen(fd, "w");
}

int put_in_place(const char *from, const char *to) {
    if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
        return 0;
    errno = EACCES;
    return -1;
}

#endif
