/* Opening the file to load: its header, or, for an index, the headers of the files that it names.
 *
 *     {"metadata":{"total_size":96},"weight_map":{"a":"model-00001-of-00002.safetensors","b":"model-00002-of-..."}}
 *
 * An index is recognised by its first byte: a header length whose bytes are text beginning with { exceeds the limit.
 * Its files must all be in its own folder, and each tensor in the file that the index names for it; other tensors in
 * these files are ignored. */
#include "core/io/serialize.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MAX_SHARDS = 4096 };

tg_status tg_load_failed(const tg_loading *l, tg_status status, const char *format, ...) {
    char what[400];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return tg_fail(l->t, status, "%s: %.200s: %s; nothing was changed", l->name, l->path, what);
}

/* ---- a file's header ---- */

tg_status tg_load_bytes(tg_loading *l, tg_shard *s, void *to, size_t n, uint64_t at) {
    if (tg_file_read(&s->file, to, n, at))
        return TG_OK;
    l->path = s->path;
    return tg_load_failed(l, TG_ERR_IO, "%s", s->file.problem.text);
}

/* The likely type of a file that is no safetensors file, from its first 8 bytes; NULL: unknown. */
static const char *guess(const char *start) {
    if (memcmp(start, "PK\3\4", 4) == 0)
        return "this is a zip archive, as PyTorch's .pt and .pth files are; in Python, "
               "safetensors.torch.save_file(torch.load(FILE), NEW_FILE) makes a file that can be loaded";
    if (start[0] == '\x80' && start[1] >= 2 && start[1] <= 5 && start[2] != '\0')
        return "this looks like a Python pickle, as old PyTorch files are; in Python, "
               "safetensors.torch.save_file(torch.load(FILE), NEW_FILE) makes a file that can be loaded";
    if (memcmp(start, "version ", 8) == 0)
        return "this is text, perhaps git-lfs's placeholder for a file that has not been downloaded";
    return NULL;
}

/* Open s and read the length of its header. *is_text: it begins like an index. index: the one that names s, or NULL. */
static tg_status open_shard(tg_loading *l, tg_shard *s, const char *index, bool *is_text) {
    uint64_t n, start;
    if (!tg_file_open(&s->file, s->path))
        return tg_fail(l->t, TG_ERR_IO, "%s: %.200s: %s%s%.200s", l->name, s->path, s->file.problem.text,
                       index ? "; it is one of the files that hold the model of " : "", index ? index : "");
    uint64_t size = s->file.size;
    if (size < sizeof n)
        return tg_load_failed(l, TG_ERR_FORMAT, "%llu bytes are too few for a safetensors file",
                              (unsigned long long)size);
    if (tg_load_bytes(l, s, &start, sizeof start, 0))
        return l->t->status;
    n = start;
    tg_swap_bytes(&n, sizeof n, 1);
    s->header_size = (size_t)n;
    s->data_at = sizeof n + n;
    *is_text = n > TG_ST_MAX_HEADER && *(const char *)&start == '{';
    if (*is_text)
        return TG_OK;
    const char *foreign = n > TG_ST_MAX_HEADER || n > size - sizeof n ? guess((const char *)&start) : NULL;
    if (foreign)
        return tg_load_failed(l, TG_ERR_FORMAT, "%s", foreign);
    if (n > TG_ST_MAX_HEADER)
        return tg_load_failed(l, TG_ERR_FORMAT, "it announces a header of %llu bytes, above the limit of %d",
                              (unsigned long long)n, TG_ST_MAX_HEADER);
    if (n > size - sizeof n)
        return tg_load_failed(l, TG_ERR_FORMAT, "it announces a header of %llu bytes, but has only %llu in all",
                              (unsigned long long)n, (unsigned long long)size);
    return TG_OK;
}

static size_t header_block(const tg_shard *s) {
    return tg_st_capacity(s->header_size) * sizeof *s->entries + s->header_size;
}

static tg_status read_header(tg_loading *l, tg_shard *s) {
    tg_json_problem problem;
    s->entries = tg_block_get(l->t, header_block(s));
    if (!s->entries)
        return l->t->status;
    s->header = (char *)(s->entries + tg_st_capacity(s->header_size));
    if (tg_load_bytes(l, s, s->header, s->header_size, s->data_at - s->header_size))
        return l->t->status;
    if (tg_st_parse(s->header, s->header_size, s->file.size - s->data_at, s->entries, &s->n_entries, &problem))
        return TG_OK;
    return tg_load_failed(l, TG_ERR_FORMAT, "%s", problem.text);
}

/* ---- an index ---- */

/* An entry of weight_map: a tensor and its file. */
typedef struct place {
    tg_json_text name, file;
} place;

typedef struct model_index {
    char *text;
    place *place;
    size_t n, size, capacity;
} model_index;

static int compare(const tg_json_text *a, const tg_json_text *b) {
    return tg_st_compare(a->s, a->length, b->s, b->length);
}
static int by_file(const void *a, const void *b) {
    return compare(&((const place *)a)->file, &((const place *)b)->file);
}
static int by_name(const void *a, const void *b) {
    const tg_st_entry *x = a, *y = b;
    return tg_st_compare(x->name, x->name_length, y->name, y->name_length);
}

static bool parse_places(tg_json *p, model_index *x) {
    if (!tg_json_expect(p, '{'))
        return false;
    if (tg_json_accept(p, '}'))
        return true;
    do {
        place *to = &x->place[x->n++];
        if (!tg_json_key(p, &to->name) || !tg_json_string(p, &to->file))
            return false;
    } while (tg_json_accept(p, ','));
    return tg_json_expect(p, '}');
}

static bool parse_index(tg_json *p, model_index *x) {
    bool has_map = false;
    if (!tg_json_is_utf8(p->at, x->size))
        return tg_json_fail(p, "it is not UTF-8 text");
    if (!tg_json_expect(p, '{'))
        return false;
    do {
        tg_json_text key;
        if (!tg_json_key(p, &key))
            return false;
        bool is_map = tg_json_is(&key, "weight_map");
        if (is_map && has_map)
            return tg_json_fail(p, "a second weight_map");
        has_map = has_map || is_map;
        if (!(is_map ? parse_places(p, x) : tg_json_skip(p)))
            return false;
    } while (tg_json_accept(p, ','));
    if (!tg_json_expect(p, '}') || !tg_json_end(p))
        return false;
    return has_map || tg_json_fail(p, "there is no weight_map, which an index of a model's files has");
}

/* The shortest place takes 6 bytes: "":"", */
static tg_status read_index(tg_loading *l, model_index *x) {
    tg_json_problem problem;
    uint64_t size = l->one.file.size;
    if (size > TG_ST_MAX_HEADER)
        return tg_load_failed(l, TG_ERR_FORMAT, "an index of %llu bytes is above the limit of %d",
                              (unsigned long long)size, TG_ST_MAX_HEADER);
    x->size = (size_t)size;
    x->capacity = x->size / 6 + 1;
    x->place = tg_block_get(l->t, x->capacity * sizeof *x->place);
    x->text = x->place ? tg_block_get(l->t, x->size) : NULL;
    if (!x->text || tg_load_bytes(l, &l->one, x->text, x->size, 0))
        return l->t->status;
    tg_json p = {x->text, x->text, x->text + x->size, "the index", &problem};
    if (!parse_index(&p, x))
        return tg_load_failed(l, TG_ERR_FORMAT, "%s", problem.text);
    qsort(x->place, x->n, sizeof *x->place, by_file);
    return TG_OK;
}

/* ---- its files ---- */

/* True for the name of a file in the index's folder. */
static bool is_file_name(const tg_json_text *s) {
    bool good = s->length > 0 && s->length < 256;
    for (size_t i = 0; i < s->length && good; i++)
        good = s->s[i] != '\0' && !tg_is_separator(s->s[i]);
    return good;
}

/* Count the files, and the bytes of their paths. */
static tg_status count_shards(tg_loading *l, const model_index *x, size_t folder, size_t *n_chars) {
    for (size_t i = 0; i < x->n; i++) {
        const tg_json_text *file = &x->place[i].file;
        if (i > 0 && compare(&x->place[i - 1].file, file) == 0)
            continue;
        if (!is_file_name(file))
            return tg_load_failed(l, TG_ERR_FORMAT, "the index names '%s', which is no file beside it",
                                  tg_st_text(file->s, file->length).s);
        l->n_shards++;
        *n_chars += folder + file->length + 1;
    }
    if (l->n_shards <= MAX_SHARDS)
        return TG_OK;
    return tg_load_failed(l, TG_ERR_FORMAT, "the index names %zu files; at most %d can be loaded", l->n_shards,
                          MAX_SHARDS);
}

static tg_status name_shards(tg_loading *l, const model_index *x) {
    size_t folder = strlen(l->path), n_chars = 0;
    while (folder > 0 && !tg_is_separator(l->path[folder - 1]))
        folder--;
    if (count_shards(l, x, folder, &n_chars)) {
        l->n_shards = 0;
        return l->t->status;
    }
    l->shards_size = l->n_shards * sizeof *l->shard + n_chars;
    l->shard = tg_block_get(l->t, l->shards_size);
    if (!l->shard) {
        l->n_shards = 0;
        return l->t->status;
    }
    char *to = (char *)(l->shard + l->n_shards);
    tg_shard *s = l->shard;
    for (size_t i = 0; i < x->n; i++) {
        const tg_json_text *file = &x->place[i].file;
        if (i > 0 && compare(&x->place[i - 1].file, file) == 0)
            continue;
        *s++ = (tg_shard){.path = to, .file = {.fd = -1}};
        memcpy(to, l->path, folder);
        memcpy(to + folder, file->s, file->length);
        to[folder + file->length] = '\0';
        to += folder + file->length + 1;
    }
    return TG_OK;
}

static tg_status read_shard(tg_loading *l, tg_shard *s) {
    const char *index = l->path;
    bool is_text = false;
    l->path = s->path;
    if (open_shard(l, s, index, &is_text))
        return l->t->status;
    if (is_text)
        return tg_load_failed(l, TG_ERR_FORMAT, "this is text, no safetensors file");
    if (read_header(l, s))
        return l->t->status;
    l->path = index;
    return TG_OK;
}

/* The entries of the index's tensors, from the headers of their files. */
static tg_status collect(tg_loading *l, const model_index *x) {
    size_t shard = 0;
    l->entries_size = x->n * sizeof *l->entries;
    l->entries = tg_block_get(l->t, l->entries_size);
    for (size_t i = 0; i < x->n && l->entries; i++) {
        shard += i > 0 && compare(&x->place[i - 1].file, &x->place[i].file) != 0;
        const tg_json_text *name = &x->place[i].name;
        const tg_shard *s = &l->shard[shard];
        tg_st_entry wanted = {.name = name->s, .name_length = (uint32_t)name->length};
        const tg_st_entry *e = s->n_entries ? bsearch(&wanted, s->entries, s->n_entries, sizeof wanted, by_name) : NULL;
        if (!e)
            return tg_load_failed(l, TG_ERR_FORMAT, "the index says that '%s' is in %.200s, but it is not",
                                  tg_st_text(name->s, name->length).s, s->path);
        l->entries[i] = *e;
        l->entries[i].shard = (uint16_t)shard;
    }
    if (!l->entries)
        return l->t->status;
    l->n_entries = x->n;
    qsort(l->entries, l->n_entries, sizeof *l->entries, by_name);
    for (size_t i = 1; i < l->n_entries; i++)
        if (by_name(&l->entries[i - 1], &l->entries[i]) == 0)
            return tg_load_failed(l, TG_ERR_FORMAT, "the index names '%s' twice",
                                  tg_st_text(l->entries[i].name, l->entries[i].name_length).s);
    return TG_OK;
}

static tg_status load_index(tg_loading *l) {
    model_index x = {0};
    tg_status status = read_index(l, &x);
    tg_file_close(&l->one.file);
    if (!status)
        status = name_shards(l, &x);
    for (size_t i = 0; i < l->n_shards && !status; i++)
        status = read_shard(l, &l->shard[i]);
    if (!status)
        status = collect(l, &x);
    tg_block_put(l->t, x.text, x.size);
    tg_block_put(l->t, x.place, x.capacity * sizeof *x.place);
    return status;
}

/* ---- opening and closing ---- */

tg_status tg_load_begin(tg_loading *l, tg_tape *t, const char *name, const char *path) {
    bool is_index = false;
    *l = (tg_loading){.t = t, .name = name, .path = path, .one = {.path = path, .file = {.fd = -1}}};
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!path || !*path)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the path is empty", name);
    if (open_shard(l, &l->one, NULL, &is_index))
        return t->status;
    if (is_index)
        return load_index(l);
    if (read_header(l, &l->one))
        return t->status;
    l->shard = &l->one;
    l->n_shards = 1;
    l->entries = l->one.entries;
    l->n_entries = l->one.n_entries;
    return TG_OK;
}

static void end_shard(tg_tape *t, tg_shard *s) {
    tg_file_close(&s->file);
    tg_block_put(t, s->entries, header_block(s));
}

void tg_load_end(tg_loading *l) {
    end_shard(l->t, &l->one);
    if (l->shard != &l->one) {
        for (size_t i = 0; i < l->n_shards; i++)
            end_shard(l->t, &l->shard[i]);
        tg_block_put(l->t, l->shard, l->shards_size);
        tg_block_put(l->t, l->entries, l->entries_size);
    }
    tg_block_put(l->t, l->data, l->data_size);
}
