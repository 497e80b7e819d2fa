/* cumsum along a dim: y[j] = x[0] + ... + x[j].    dx[j] = dy[j] + ... + dy[n-1] */
#include "core/kernels/rows.h"
#include "core/ops/internal/along_dim.h"

#ifdef real

static void FN(forward_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *x = y->in[0]->data;
    real *out = y->data;
    for (int64_t row = begin; row < end; row++) {
        wide sum = 0;
        for (int64_t j = row * n; j < (row + 1) * n; j++)
            out[j] = (real)(sum += (wide)x[j]);
    }
}

static void FN(vjp_rows)(void *context, int64_t begin, int64_t end) {
    const tg_node *y = ((const tg_rows *)context)->y;
    int64_t n = tg_row_length(y);
    const real *dy = y->grad;
    real *dx = ((const tg_rows *)context)->dx;
    bool fresh = ((const tg_rows *)context)->fresh;
    for (int64_t row = begin; row < end; row++) {
        wide sum = 0;
        for (int64_t j = (row + 1) * n; j-- > row * n;) {
            sum += (wide)dy[j];
            dx[j] = fresh ? (real)sum : dx[j] + (real)sum;
        }
    }
}

static tg_status FN(forward)(tg_node *y) { return tg_share_rows(y, FN(forward_rows)); }
static tg_status FN(vjp)(tg_node *y) { return tg_share_rows_vjp(y, FN(vjp_rows)); }

#else
#define TG_SELF "ops/cumsum.c"
#include "core/twice.h"

static void grad(const tg_node *y, tg_tensor dy, tg_tensor *dx) { dx[0] = tg_adjoint(y, dy); }

static tg_tensor probe(tg_tape *t, int variant) { return tg_along_dim_probe(t, variant, tg_cumsum); }

const tg_op tg_op_cumsum = {.name = "cumsum",
                            .forward = TG_BOTH(forward),
                            .vjp = TG_BOTH(vjp),
                            .flops = tg_elementwise_flops,
                            .grad = grad,
                            .probe = probe};

/* PyTorch: x.cumsum(dim) */
tg_tensor tg_cumsum(tg_tensor x, int dim) { return tg_along_dim(&tg_op_cumsum, x, dim); }

#endif
