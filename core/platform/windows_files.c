/* Files under Windows. Paths are in the program's code page, as for fopen. Data is written to a temporary file in the
 * same folder, flushed, and renamed over the old file, on the disk when the call returns; while another program has the
 * old file open, it stays. The writer keeps the temporary file open without sharing, which the system ends however the
 * writer dies. A temporary file that can be opened is therefore stale, and every save first removes these. */
#include "core/platform/platform.h"
#include "core/platform/temporary.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <ntsecapi.h> /* RtlGenRandom */

enum { MOST_AT_ONCE = 1 << 30, SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

/* "cannot WHAT: the system's message", without its full stop */
static bool fail(tg_file_problem *p, const char *what) {
    char why[96];
    DWORD code = GetLastError(), how = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
    DWORD n = FormatMessageA(how, NULL, code, 0, why, sizeof why, NULL);
    while (n && strchr(" .\r\n", why[n - 1]))
        why[--n] = '\0';
    if (n == 0)
        snprintf(why, sizeof why, "error %lu", (unsigned long)code);
    snprintf(p->text, sizeof p->text, "cannot %s: %s", what, why);
    return false;
}

static bool refuse(tg_file_problem *p, const char *why) {
    snprintf(p->text, sizeof p->text, "%s", why);
    return false;
}

/* Opens an existing file, or a folder, so that the error can say which. */
static tg_fd open_old(const char *path, DWORD access) {
    return (tg_fd)CreateFileA(path, access, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
}

static void close_file(tg_fd *fd) {
    if (*fd != -1)
        CloseHandle((HANDLE)*fd);
    *fd = -1;
}

/* False for pipes, devices and folders. */
static bool is_regular(tg_fd fd, BY_HANDLE_FILE_INFORMATION *about) {
    return GetFileType((HANDLE)fd) == FILE_TYPE_DISK && GetFileInformationByHandle((HANDLE)fd, about) &&
           !(about->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* ---- a new file ---- */

/* The length of a path up to the file's name. */
static size_t folder_length(const char *path) {
    size_t n = strlen(path);
    while (n > 0 && !tg_is_separator(path[n - 1]))
        n--;
    return n;
}

/* True when there is no old file, or it may be replaced. mode: its attributes */
static bool look_at_old(tg_new_file *f, bool replace_read_only) {
    BY_HANDLE_FILE_INFORMATION old;
    tg_fd fd = open_old(f->name, 0);
    if (fd == -1)
        return GetLastError() == ERROR_FILE_NOT_FOUND || fail(&f->problem, "open its folder");
    bool regular = is_regular(fd, &old);
    close_file(&fd);
    if (!regular)
        return refuse(&f->problem, "this is not a regular file");
    f->replaces = true;
    f->mode = old.dwFileAttributes;
    if (!replace_read_only && (f->mode & FILE_ATTRIBUTE_READONLY))
        return refuse(&f->problem, "this file is read-only (tg_save_with can replace it all the same)");
    return true;
}

/* Best effort. path has room for a temporary name after its folder's n characters. */
static void remove_leftovers(char *path, size_t n) {
    WIN32_FIND_DATAA found;
    strcpy(path + n, TG_TEMPORARY_BEFORE "*");
    HANDLE search = FindFirstFileA(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        if (!tg_is_temporary(found.cFileName) || strlen(found.cFileName) >= TG_TEMPORARY_SIZE)
            continue;
        strcpy(path + n, found.cFileName);
        tg_fd fd = (tg_fd)CreateFileA(path, DELETE, 0, NULL, OPEN_EXISTING,
                                      FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
        close_file(&fd);
    } while (FindNextFileA(search, &found));
    FindClose(search);
}

/* FILE_SHARE_DELETE lets the writer rename the file while it is open, so that no other process can intervene. */
static bool make_temporary(tg_new_file *f, size_t n) {
    unsigned char random[TG_RANDOM_BYTES];
    if (!RtlGenRandom(random, sizeof random))
        return refuse(&f->problem, "cannot get random bytes for a temporary name");
    tg_temporary_name(random, f->temporary + n);
    f->fd = (tg_fd)CreateFileA(f->temporary, GENERIC_WRITE, FILE_SHARE_DELETE, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                               NULL);
    if (f->fd != -1)
        return true;
    f->temporary[0] = '\0';
    return fail(&f->problem, "make a temporary file in its folder");
}

bool tg_new_file_begin(tg_new_file *f, const char *path, bool replace_read_only) {
    *f = (tg_new_file){.folder = -1, .fd = -1, .name = path};
    size_t n = folder_length(path);
    if (n + TG_TEMPORARY_SIZE > sizeof f->temporary)
        return refuse(&f->problem, "its folder's path is too long");
    if (!look_at_old(f, replace_read_only))
        return false;
    memcpy(f->temporary, path, n);
    remove_leftovers(f->temporary, n);
    return make_temporary(f, n);
}

bool tg_new_file_write(tg_new_file *f, const void *data, size_t n) {
    DWORD wrote;
    for (const char *from = data; n > 0; from += wrote, n -= wrote) {
        if (!WriteFile((HANDLE)f->fd, from, n < MOST_AT_ONCE ? (DWORD)n : MOST_AT_ONCE, &wrote, NULL))
            return fail(&f->problem, "write");
        if (wrote == 0)
            return refuse(&f->problem, "cannot write: the system accepted no bytes");
    }
    return true;
}

/* A read-only file cannot be replaced, so the old one is made writable first. */
bool tg_new_file_finish(tg_new_file *f) {
    DWORD attributes = f->mode & (FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_HIDDEN);
    bool read_only = attributes & FILE_ATTRIBUTE_READONLY;
    if (!FlushFileBuffers((HANDLE)f->fd))
        return fail(&f->problem, "write");
    if (attributes && !SetFileAttributesA(f->temporary, attributes))
        return fail(&f->problem, "set its attributes");
    if (read_only && !SetFileAttributesA(f->name, f->mode & ~(DWORD)FILE_ATTRIBUTE_READONLY))
        return fail(&f->problem, "make the old file writable");
    if (!MoveFileExA(f->temporary, f->name, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
        fail(&f->problem, "rename its temporary file");
        if (read_only)
            SetFileAttributesA(f->name, f->mode);
        return false;
    }
    f->temporary[0] = '\0';
    f->is_in_place = true;
    return true;
}

/* A file deleted while open disappears when it is closed; a read-only one cannot be deleted. */
void tg_new_file_end(tg_new_file *f) {
    if (f->temporary[0] && f->fd != -1) {
        SetFileAttributesA(f->temporary, FILE_ATTRIBUTE_NORMAL);
        DeleteFileA(f->temporary);
    }
    close_file(&f->fd);
}

/* ---- a file to read ---- */

bool tg_file_open(tg_open_file *f, const char *path) {
    BY_HANDLE_FILE_INFORMATION about;
    *f = (tg_open_file){.fd = open_old(path, GENERIC_READ)};
    if (f->fd == -1)
        return fail(&f->problem, "open it");
    if (!is_regular(f->fd, &about))
        return refuse(&f->problem, "this is not a regular file");
    f->size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    return true;
}

bool tg_file_read(tg_open_file *f, void *to, size_t n, uint64_t at) {
    DWORD got;
    for (char *out = to; n > 0; out += got, n -= got, at += got) {
        OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
        if (!ReadFile((HANDLE)f->fd, out, n < MOST_AT_ONCE ? (DWORD)n : MOST_AT_ONCE, &got, &place) &&
            GetLastError() != ERROR_HANDLE_EOF)
            return fail(&f->problem, "read it");
        if (got == 0)
            return refuse(&f->problem, "cannot read it: it was truncated meanwhile");
    }
    return true;
}

void tg_file_close(tg_open_file *f) { close_file(&f->fd); }
#endif
