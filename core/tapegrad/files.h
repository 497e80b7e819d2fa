/* tapegrad: files. Named tensors as safetensors: saving, rules for other programs' names, loading, listing; then one
 * array as NumPy's .npy. */
#ifndef TAPEGRAD_API_FILES_H
#define TAPEGRAD_API_FILES_H

#include "core/tapegrad/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Saving ---- */

/* Write every named parameter and buffer. Saving is atomic, a power cut included: path holds its old content or the
 * new. A temporary file in the same folder is written, synced and renamed, then the folder is synced. Temporary files
 * of processes that were killed are removed by the next save in their folder. The new file has the permissions of the
 * one it replaces, or else those of any new file, and belongs to the user who saves; other hard links keep the old
 * content; a symbolic link is replaced, not followed. Any other path that is not a regular file, and a read-only one,
 * is refused. Names that begin with "tapegrad." are the library's own. */
TG_API TG_MUST_USE tg_status tg_save(tg_tape *t, const char *path);

/* A rule for files of other programs, whose names and layouts differ: the name in the file of a tensor with this name
 * on the tape. A * in both stands for the same text; {"model.*", "*"} removes a prefix. The first rule that matches a
 * name is used; a name that no rule matches is the same in the file. */
typedef struct tg_file_rule {
    const char *name, *file_name;
    bool transpose;  /* the file has the matrix transposed */
    int part, parts; /* parts > 0: the file's tensor is `parts` of the tape's, joined along the first dim, and this is
                        number `part` of them, from 0. 0: it is this one alone.
                        parts < 0, the reverse: the tape's tensor is -parts equal pieces along the first dim, and the
                        file's has those from number `part` up to where the next of these rules begins. All such rules
                        for a name have the same parts, and the first begins at 0:
                          {"*.in_proj_weight", "*.q_proj.weight", false, 0, -3},
                          {"*.in_proj_weight", "*.k_proj.weight", false, 1, -3},
                          {"*.in_proj_weight", "*.v_proj.weight", false, 2, -3}
                        or, for 8 heads of queries and 2 each of keys and values, parts 0, 8 and 10 of -12. */
} tg_file_rule;

typedef struct tg_save_config {
    bool replace_read_only;      /* replace the file even when it is read-only */
    tg_list only;                /* these named tensors; n = 0: all */
    const char *dtype;           /* of floating tensors in the file: "F16", "BF16", "F32", "F64"; NULL: the tape's */
    const char *const *metadata; /* for the header: key, value, key, value, ..., NULL; NULL: none */
    const tg_file_rule *rule;    /* every part of a joined tensor must be saved, and only once */
    int n_rules;
} tg_save_config;
#define TG_SAVE_DEFAULTS (TG_LITERAL(tg_save_config){false, {0, 0, 0}, 0, 0, 0, 0})
TG_API TG_MUST_USE tg_status tg_save_with(tg_tape *t, const char *path, tg_save_config config);

/* TG_OK when tg_save could write here with the current names: call it before an hour of training. Leaves the file at
 * path alone; creates and deletes a temporary file in its folder, and removes stale ones as tg_save does. */
TG_API TG_MUST_USE tg_status tg_check_save(tg_tape *t, const char *path);

/* ---- Loading ---- */

/* Read every named tensor of the tape from the file's tensor of the same name and shape. F16, BF16, F32 and F64 convert
 * to the tape's dtype; a finite number that would become infinite is an error, as when saving. Everything is validated
 * and read before anything is changed; a name that is missing on either side is an error. The memory that this takes is
 * returned to the allocator before the call returns. */
TG_API TG_MUST_USE tg_status tg_load(tg_tape *t, const char *path);

/* Load part of a file into part of a tape. Rules may load two tensors from one (tied weights). path may also name the
 * index of a model in several files, model.safetensors.index.json. They must be in its folder; at most 4096, all open
 * at once, so the process must be allowed as many open files. */
typedef struct tg_load_config {
    tg_list only; /* into these named tensors; n = 0: into all */
    const tg_file_rule *rule;
    int n_rules;
    bool allow_missing; /* tensors that the file lacks, or lacks a piece of, keep their values */
    bool allow_extra;   /* names in the file that are not requested are skipped */
    /* Called with one line for each tensor that is missing, extra or of another shape or dtype, allowed or not. */
    void (*report)(const char *line, void *context);
    void *context;
} tg_load_config;
#define TG_LOAD_DEFAULTS (TG_LITERAL(tg_load_config){{0, 0, 0}, 0, 0, false, false, 0, 0})
TG_API TG_MUST_USE tg_status tg_load_with(tg_tape *t, const char *path, tg_load_config config);

/* Call visit for each tensor of a file, in the order of the names. Only the header is read; it is validated. */
typedef struct tg_file_tensor {
    const char *name, *dtype; /* until visit returns; dtype: "F32", "BF16", ... */
    tg_shape shape;           /* ndim is -1 when a tape cannot have it: over 8 dims, or a size above INT64_MAX */
    uint64_t bytes;
} tg_file_tensor;
typedef void (*tg_file_visit)(const tg_file_tensor *x, void *context);
TG_API TG_MUST_USE tg_status tg_list_file(tg_tape *t, const char *path, tg_file_visit visit, void *context);

/* ---- NumPy's arrays ---- */

/* One array as a NumPy .npy file. Saved as numpy.save would, as atomically as by tg_save; loaded into a new leaf, in
 * C's or Fortran's order: f2, f4, f8 as the tape's dtype, i1 to i8 and u1 to u8 as TG_I64, b1 as TG_BOOL. A null tensor
 * after an error. */
TG_API TG_MUST_USE tg_status tg_save_npy(tg_tensor x, const char *path);
TG_API tg_tensor tg_load_npy(tg_tape *t, const char *path);

#ifdef __cplusplus
}
#endif
#endif
