/* Private: an operation's row kernels for the instruction set in use, of elementwise operations and of reductions. */
#ifndef TAPEGRAD_ROW_KERNELS_H
#define TAPEGRAD_ROW_KERNELS_H

#include "core/kernels/isa.h"
#include "core/op.h"

static inline const tg_wide_rows *tg_wide_rows_of(const tg_op *op, tg_dtype dtype) {
    int wide = tg_isa_now()->wide;
    return wide && op->wide[wide - 1].row[dtype] ? &op->wide[wide - 1] : NULL;
}
static inline tg_fn *tg_row_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = tg_wide_rows_of(op, dtype);
    return wide ? wide->row[dtype] : op->row[dtype];
}
static inline tg_fn *tg_row_vjp_of(const tg_op *op, tg_dtype dtype) {
    const tg_wide_rows *wide = tg_wide_rows_of(op, dtype);
    return wide ? wide->row_vjp[dtype] : op->row_vjp[dtype];
}

#endif
