#define _XOPEN_SOURCE 700    /* pread, scandir */
#define _FILE_OFFSET_BITS 64 /* files above 2 GiB, where addresses have 32 bits */
#include "examples/gpt/gpt.h"
#include "examples/gpt/tokens.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

static void read_at(const shard *s, void *to, size_t n, int64_t at) {
    char *next = to;
    while (n > 0) {
        ssize_t got = pread(s->fd, next, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            die("%s: %s", s->path, got ? strerror(errno) : "it was truncated meanwhile");
        next += got;
        at += got;
        n -= (size_t)got;
    }
}

static uint64_t number_at(const unsigned char *s, int bytes) {
    uint64_t x = 0;
    for (int i = bytes; i-- > 0;)
        x = x << 8 | s[i];
    return x;
}

/* Reads llm.c's header; false: the file begins otherwise. */
static bool read_header(shard *s, const unsigned char *start) {
    uint64_t magic = number_at(start, 4), version = number_at(start + 4, 4);
    if (magic != 20240520 && magic != 20240801)
        return false;
    if (version != (magic == 20240520 ? 1 : 7))
        die("%s: a shard of llm.c of version %llu, which is unknown", s->path, (unsigned long long)version);
    s->width = magic == 20240520 ? 2 : 4;
    s->data_at = 1024;
    s->n = (int64_t)number_at(start + 8, 4);
    return true;
}

/* The value after 'KEY': in a .npy file's header. */
static const char *value_of(const shard *s, const char *header, const char *key) {
    const char *at = strstr(header, key), *colon = at ? strchr(at, ':') : NULL;
    if (!colon)
        die("%s: a .npy file without %s", s->path, key);
    return colon + 1 + strspn(colon + 1, " ");
}

/* NumPy's header: 6 magic bytes, 2 of version, 2 or 4 of length, and a Python dict as text. */
static bool read_npy(shard *s, const unsigned char *start) {
    char header[4096];
    if (memcmp(start, "\x93NUMPY", 6) != 0)
        return false;
    int field = start[6] == 1 ? 2 : 4;
    uint64_t length = number_at(start + 8, field);
    if (length >= sizeof header)
        die("%s: a .npy header of %llu bytes", s->path, (unsigned long long)length);
    read_at(s, header, (size_t)length, 8 + field);
    header[length] = '\0';
    const char *type = value_of(s, header, "'descr'"), *shape = value_of(s, header, "'shape'");
    char kind = type[0] == '\'' ? type[2] : '?', size = kind == '?' ? '?' : type[3];
    if (!strchr("iu", kind) || !strchr("1248", size) || (type[1] == '>' && size != '1'))
        die("%s: an array of %.5s; little-endian integers are wanted", s->path, type);
    s->n = 1;
    for (char *end; (shape += strspn(shape, "(, ")), *shape && *shape != ')'; shape = end) {
        s->n *= strtoll(shape, &end, 10);
        if (end == shape || s->n < 0)
            die("%s: a .npy file with a shape that cannot be read", s->path);
    }
    s->width = size - '0';
    s->data_at = 8 + field + (int64_t)length;
    return true;
}

static shard open_shard(char *path, int width) {
    shard s = {.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC), .width = width};
    struct stat about;
    unsigned char start[16] = {0};
    if (s.fd < 0 || fstat(s.fd, &about))
        die("%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        die("%s: it is no regular file", path);
    read_at(&s, start, about.st_size < 16 ? (size_t)about.st_size : 16, 0);
    if (!read_header(&s, start) && !read_npy(&s, start)) {
        if (about.st_size % width)
            die("%s: %lld bytes are no whole number of ids of %d bytes; --id-bytes says how many each has", path,
                (long long)about.st_size, width);
        s.n = about.st_size / width;
    }
    if (s.n > ((int64_t)about.st_size - s.data_at) / s.width)
        die("%s: it has been cut short: %lld ids are announced, and there are %lld bytes", path, (long long)s.n,
            (long long)about.st_size);
    return s;
}

static int is_visible(const struct dirent *e) { return e->d_name[0] != '.'; }

/* "path/file", or "path" if file is NULL. */
static char *name_in(const char *path, const char *file) {
    size_t size = strlen(path) + strlen(file) + 2;
    char *name = must_allocate(size, 1);
    snprintf(name, size, *file ? "%s/%s" : "%s%s", path, file);
    return name;
}

/* The names of a folder's files, sorted; or of the file itself. */
static char **names_of(const char *path, int *n) {
    struct stat about;
    struct dirent **found;
    if (stat(path, &about))
        die("%s: %s", path, strerror(errno));
    *n = S_ISDIR(about.st_mode) ? scandir(path, &found, is_visible, alphasort) : 0;
    if (*n < 0)
        die("%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode) && *n == 0)
        die("%s: the folder is empty", path);
    char **names = must_allocate((size_t)*n + 1, sizeof *names);
    for (int i = 0; i < *n; i++) {
        names[i] = name_in(path, found[i]->d_name);
        free(found[i]);
    }
    if (*n)
        free(found);
    else
        names[(*n)++] = name_in(path, "");
    return names;
}

tokens tokens_open(const char *path, int width, int64_t vocabulary) {
    tokens d = {.vocabulary = vocabulary};
    if (width != 2 && width != 4)
        usage("--id-bytes", "wants 2 or 4");
    char **names = names_of(path, &d.n_shards);
    shard *all = must_allocate((size_t)d.n_shards, sizeof *all);
    for (int i = 0; i < d.n_shards; i++) {
        all[i] = open_shard(names[i], width);
        d.n += all[i].n;
    }
    d.shard = all;
    free(names);
    return d;
}

static void read_shard(const tokens *d, const shard *s, int64_t at, int64_t n, int64_t *out) {
    unsigned char *bytes = must_allocate((size_t)n, (size_t)s->width);
    read_at(s, bytes, (size_t)n * (size_t)s->width, s->data_at + at * s->width);
    for (int64_t i = 0; i < n; i++) {
        uint64_t id = number_at(bytes + i * s->width, s->width);
        if (id >= (uint64_t)d->vocabulary)
            die("%s: id %llu at position %lld is not below the vocabulary of %lld", s->path, (unsigned long long)id,
                (long long)(at + i), (long long)d->vocabulary);
        out[i] = (int64_t)id;
    }
    free(bytes);
}

void tokens_read(const tokens *d, int64_t at, int64_t n, int64_t *out) {
    at += d->first;
    for (int64_t i = 0; i < n && d->id; i++)
        out[i] = d->id[at + i];
    for (int k = 0; k < d->n_shards && n > 0; at -= d->shard[k++].n) {
        if (at >= d->shard[k].n)
            continue;
        int64_t here = d->shard[k].n - at < n ? d->shard[k].n - at : n;
        read_shard(d, &d->shard[k], at, here, out);
        at += here;
        out += here;
        n -= here;
    }
}

/* ---- order ---- */

/* SplitMix64's finalizer (Steele, Lea, Flood 2014). */
uint64_t tokens_mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A permutation of 0 .. 2^(2 bits) - 1: a four-round Feistel network (Luby, Rackoff 1988). */
static uint64_t permuted(uint64_t x, int bits, uint64_t key) {
    uint64_t mask = ((uint64_t)1 << bits) - 1, left = x >> bits, right = x & mask;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t next = left ^ (tokens_mix(right + tokens_mix(key + round)) & mask);
        left = right;
        right = next;
    }
    return left << bits | right;
}

int64_t tokens_shuffled(const tokens *d, int64_t T, uint64_t seed, int64_t i) {
    int64_t n = (d->n - 1) / T;
    uint64_t key = tokens_mix(seed + tokens_mix((uint64_t)(i / n))), x = (uint64_t)(i % n);
    int bits = 1;
    while (bits < 31 && (int64_t)1 << 2 * bits < n)
        bits++;
    do /* cycle walking: values outside are permuted again until inside, which stays a bijection */
        x = permuted(x, bits, key);
    while (x >= (uint64_t)n);
    return (int64_t)x * T;
}

/* ---- writing ---- */

static void put_number(FILE *file, uint64_t x, int bytes) {
    for (int i = 0; i < bytes; i++)
        fputc((int)(x >> 8 * i & 255), file);
}

/* 10 bytes and a text padded to 128 bytes in all. */
static void put_npy(FILE *file, int64_t n, int width) {
    char text[118];
    int length = snprintf(text, sizeof text, "{'descr': '<u%d', 'fortran_order': False, 'shape': (%lld,), }", width,
                          (long long)n);
    memset(text + length, ' ', sizeof text - (size_t)length);
    text[sizeof text - 1] = '\n';
    fwrite("\x93NUMPY\1\0", 1, 8, file);
    put_number(file, sizeof text, 2);
    fwrite(text, 1, sizeof text, file);
}

static void put_header(FILE *file, int64_t n, int width) {
    put_number(file, width == 2 ? 20240520 : 20240801, 4);
    put_number(file, width == 2 ? 1 : 7, 4);
    put_number(file, (uint64_t)n, 4);
    for (int i = 3; i < 256; i++)
        put_number(file, 0, 4);
}

void tokens_write(const char *path, const int32_t *ids, int64_t n, int64_t vocabulary, bool header) {
    int width = vocabulary > 65536 ? 4 : 2;
    size_t length = strlen(path);
    FILE *file = fopen(path, "wbx");
    if (!file)
        die("%s: %s", path, strerror(errno));
    if (length > 4 && !strcmp(path + length - 4, ".npy"))
        put_npy(file, n, width);
    else if (header)
        put_header(file, n, width);
    for (int64_t i = 0; i < n; i++)
        put_number(file, (uint64_t)ids[i], width);
    must_close(file, path);
}
