/* mse_loss: (x - y)^2, averaged, summed or left as it is: a composition of sub, square, and mean or sum. */
#include "core/op.h"

tg_tensor tg_mse_loss(tg_tensor x, tg_tensor y, tg_reduction reduction) {
    tg_node *in[2];
    tg_tape *t = tg_open("mse_loss", "ff", 2, (tg_tensor[]){x, y}, in);
    if (!t)
        return TG_NULL;
    if (!tg_same_shape(in[0], in[1]))
        return tg_fail_null(t, TG_ERR_SHAPE, "mse_loss: shapes %s and %s differ", tg_node_text(in[0]).s,
                            tg_node_text(in[1]).s);
    if (!tg_check_reduction(t, "mse_loss", reduction, in[0]))
        return TG_NULL;
    tg_tensor loss = tg_square(tg_sub(x, y));
    switch (reduction) {
    case TG_MEAN: return tg_mean(loss, TG_ALL_DIMS, false);
    case TG_SUM: return tg_sum(loss, TG_ALL_DIMS, false);
    default: return loss;
    }
}
