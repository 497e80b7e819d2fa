/* tapegrad: tensors. Creating leaves, reading and writing their elements, shape and dtype; then parameters and buffers,
 * which have names, paths before names, and lists of them. */
#ifndef TAPEGRAD_API_TENSOR_H
#define TAPEGRAD_API_TENSOR_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Leaves ---- */

TG_API tg_tensor tg_zeros(tg_tape *t, tg_shape shape);
TG_API tg_tensor tg_ones(tg_tape *t, tg_shape shape);
TG_API tg_tensor tg_full(tg_tape *t, tg_shape shape, double value);
TG_API tg_tensor tg_scalar(tg_tape *t, double value);
TG_API tg_tensor tg_arange(tg_tape *t, int64_t n);                              /* 0, 1, ..., n-1 as TG_I64 */
TG_API tg_tensor tg_eye(tg_tape *t, int64_t n);                                 /* (n, n), ones on the diagonal */
TG_API tg_tensor tg_linspace(tg_tape *t, double first, double last, int64_t n); /* n numbers, both ends included */
/* Copies of the caller's numbers in row-major order, converted to the tape's dtype; ints stay TG_I64, bools TG_BOOL. */
TG_API tg_tensor tg_from_floats(tg_tape *t, tg_shape shape, const float *values);
TG_API tg_tensor tg_from_doubles(tg_tape *t, tg_shape shape, const double *values);
TG_API tg_tensor tg_from_ints(tg_tape *t, tg_shape shape, const int64_t *values);
TG_API tg_tensor tg_from_bools(tg_tape *t, tg_shape shape, const bool *values);

/* ---- Elements ---- */

/* Copy out all n = tg_numel(x) elements in row-major order, converted. Copy in: n must be tg_numel(x), and x a
 * leaf or a view of one; counts as a modification (see tg_backward). */
TG_API TG_MUST_USE tg_status tg_read_floats(tg_tensor x, float *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_read_doubles(tg_tensor x, double *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_read_ints(tg_tensor x, int64_t *out, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_floats(tg_tensor x, const float *values, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_doubles(tg_tensor x, const double *values, int64_t n);
TG_API TG_MUST_USE tg_status tg_write_ints(tg_tensor x, const int64_t *values, int64_t n);
/* x = y, elementwise; same shape and dtype. y may be on another tape, where float and double convert. x and y may be
 * overlapping views. */
TG_API TG_MUST_USE tg_status tg_copy_(tg_tensor x, tg_tensor y);

/* The only element of a one-element tensor; NaN on error. */
TG_API double tg_item(tg_tensor x);
/* The elements in memory, in the tensor's dtype, row-major; NULL when x is not contiguous or on error. Valid as long as
 * the handle. Every call of tg_data counts as a modification. */
TG_API void *tg_data(tg_tensor x);
TG_API const void *tg_const_data(tg_tensor x);

/* ---- Shape and kind ---- */

TG_API bool tg_is_null(tg_tensor x);
TG_API tg_dtype tg_dtype_of(tg_tensor x);
TG_API tg_shape tg_shape_of(tg_tensor x);
TG_API int tg_ndim(tg_tensor x);
TG_API int64_t tg_size(tg_tensor x, int dim);
TG_API int64_t tg_stride(tg_tensor x, int dim);
TG_API int64_t tg_numel(tg_tensor x);
TG_API bool tg_is_contiguous(tg_tensor x);
TG_API bool tg_is_leaf(tg_tensor x);

/* ---- Parameters, buffers, names ---- */

/* Parameters and buffers: a leaf gets a dotted name, unique on the tape ("attn.W_query.weight"), and is saved
 * with the model. A parameter requires a gradient; a buffer (a mask, say) does not. Both return the leaf. */
TG_API tg_tensor tg_parameter(tg_tape *t, const char *name, tg_tensor leaf);
TG_API tg_tensor tg_buffer(tg_tape *t, const char *name, tg_tensor leaf);
TG_API const char *tg_name(tg_tensor x); /* "" when it has none */
TG_API tg_tensor tg_named(tg_tape *t, const char *name);
/* Names under a path: between push and pop tg_parameter and tg_buffer, in nn's layers too, put the path and a dot
 * before the name that they are given:
 *     tg_name_push(t, "block.%d", i);
 *     b.up = tg_nn_linear_new(t, "up", 64, 256, true); // "block.3.up.weight", "block.3.up.bias"
 *     tg_name_pop(t);
 * Paths nest. An empty path adds nothing; NULL hides the paths pushed before it. All other functions take and return
 * whole names. tg_name_path is the whole path, "block.3". Each push needs a pop, one that failed too; a rewind does not
 * change the path. Errors: a path above 255 bytes or 64 deep (until its pop the path stays as before, and naming is
 * TG_ERR_STATE); a pop without a push (TG_ERR_STATE). */
TG_API void tg_name_push(tg_tape *t, const char *format, ...) TG_PRINTF(2, 3);
TG_API void tg_name_pop(tg_tape *t);
TG_API const char *tg_name_path(const tg_tape *t);

/* ---- Lists ---- */

/* A list of tensors, valid until the tape is rewound past the call. */
typedef struct tg_list {
    tg_tape *tape;
    int64_t n;
    const tg_tensor *tensor;
} tg_list;
/* All parameters in the order they were made; those whose name starts with prefix; parameters and buffers. */
TG_API tg_list tg_parameters(tg_tape *t);
TG_API tg_list tg_parameters_under(tg_tape *t, const char *prefix);
/* The parameters that meet every condition: the name begins with prefix and ends with suffix (NULL: any), the number of
 * dims is in the range, accept returns true. {.min_ndim = 2, .max_ndim = 8} takes matrices and no biases, as
 * optimizers' groups are often split. */
typedef struct tg_selection {
    const char *prefix, *suffix;
    int min_ndim, max_ndim;
    bool (*accept)(tg_tensor parameter, void *context); /* NULL: all. Must not make tensors */
    void *context;
} tg_selection;
#define TG_SELECT_ALL (TG_LITERAL(tg_selection){0, 0, 0, TG_MAX_DIMS, 0, 0})
TG_API tg_list tg_parameters_where(tg_tape *t, tg_selection which);
TG_API tg_list tg_state(tg_tape *t);

#ifdef __cplusplus
}
#endif
#endif
