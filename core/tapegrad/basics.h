/* tapegrad: basics. What compilers need, the status of a call, dtypes, the handle of a tensor, shapes and lists of
 * dims, and the macros that write them: TG_SHAPE(3, 2), TG_DIMS(-1), TG_NULL. */
#ifndef TAPEGRAD_API_BASICS_H
#define TAPEGRAD_API_BASICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define TG_API __attribute__((visibility("default")))
#define TG_MUST_USE __attribute__((warn_unused_result))
#if defined(__MINGW32__) && !defined(__clang__) /* whose printf does not conform to C */
#define TG_PRINTF(text, args) __attribute__((format(gnu_printf, text, args)))
#else
#define TG_PRINTF(text, args) __attribute__((format(printf, text, args)))
#endif
#else
#define TG_API
#define TG_MUST_USE
#define TG_PRINTF(text, args)
#endif

typedef enum {
    TG_OK = 0,
    TG_ERR_SHAPE,    /* shapes, ranks or dims do not fit the operation */
    TG_ERR_ARGUMENT, /* a NULL, an unusable number, a tensor of another tape or dtype */
    TG_ERR_INDEX,    /* an index or class number out of range */
    TG_ERR_MEMORY,   /* the allocator returned NULL, or a size overflows */
    TG_ERR_STALE,    /* the tape was rewound past the handle's tensor */
    TG_ERR_STATE,    /* a call at the wrong time: nothing to differentiate, saved data was modified, ... */
    TG_ERR_IO,       /* a file could not be opened, read or written */
    TG_ERR_FORMAT,   /* a file is malformed, or does not fit the model */
    TG_ERR_NUMERIC   /* NaN or Inf found by anomaly mode, or a gradient check that failed */
} tg_status;

typedef enum { TG_F32 = 0, TG_F64 = 1, TG_I64 = 2, TG_BOOL = 3 } tg_dtype;

enum { TG_MAX_DIMS = 8 };

typedef struct tg_tape tg_tape;

/* A handle. The fields are private; a handle of all zeros is the null tensor. */
typedef struct tg_tensor {
    tg_tape *tape;
    uint32_t index, epoch;
} tg_tensor;

typedef struct tg_shape {
    int ndim;
    int64_t size[TG_MAX_DIMS];
} tg_shape;

typedef struct tg_dims { /* a list of dims: to reduce over, to permute, to flip */
    int ndim;            /* their number; < 0: all */
    int dim[TG_MAX_DIMS];
} tg_dims;

#define TG_COUNT_(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, n, ...) n
#define TG_COUNT(...) TG_COUNT_(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#ifdef __cplusplus
#define TG_LITERAL(type) type
#else
#define TG_LITERAL(type) (type)
#endif
/* TG_SHAPE and TG_DIMS take 1 to 8 numbers. Without any they do not compile (0 ? 0 : is then incomplete): write
 * TG_SCALAR or TG_ALL_DIMS. */
#define TG_SHAPE(...) (TG_LITERAL(tg_shape){TG_COUNT(__VA_ARGS__), {0 ? 0 : __VA_ARGS__}})
#define TG_SCALAR (TG_LITERAL(tg_shape){0, {0}})
#define TG_DIMS(...) (TG_LITERAL(tg_dims){TG_COUNT(__VA_ARGS__), {0 ? 0 : __VA_ARGS__}})
#define TG_ALL_DIMS (TG_LITERAL(tg_dims){-1, {0}})
#define TG_NULL (TG_LITERAL(tg_tensor){0, 0, 0})

#endif
