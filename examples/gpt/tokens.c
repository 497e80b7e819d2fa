#include "examples/gpt/tokens.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <unistd.h>

void tokens_free(tokens *d) {
    if (!d->shared) {
        for (int i = 0; i < d->n_shards; i++) {
            close(d->shard[i].fd);
            free(d->shard[i].path);
        }
        free(d->shard);
        free(d->id);
    }
    *d = (tokens){0};
}

tokens tokens_from(const tokens *d, int64_t at) {
    tokens part = *d;
    part.shared = true;
    part.first += at;
    part.n -= at;
    return part;
}

int64_t tokens_digest(const tokens *d) {
    enum { PIECE = 4096 };
    int64_t ids[PIECE], end = d->n - PIECE;
    uint64_t hash = tokens_mix((uint64_t)d->n);
    for (int64_t at = 0, n; at < d->n; at += !d->id && at < end ? end - at : n) {
        n = d->n - at < PIECE ? d->n - at : PIECE;
        tokens_read(d, at, n, ids);
        for (int64_t i = 0; i < n; i++)
            hash = tokens_mix(hash + (uint64_t)ids[i]);
    }
    return (int64_t)hash;
}

/* The summed loss of n consecutive windows. */
static double loss_of(const gpt *g, const tokens *d, int64_t at, int64_t n, int64_t T, int64_t *room) {
    tg_tape *t = g->token.weight.tape;
    tokens_read(d, at, n * T + 1, room);
    tg_tensor logits = gpt_evaluate(g, tg_from_ints(t, TG_SHAPE(n, T), room));
    return tg_item(tg_cross_entropy(logits, tg_from_ints(t, TG_SHAPE(n, T), room + 1), TG_IGNORE_INDEX, TG_SUM));
}

double tokens_loss(const gpt *g, const tokens *d, int64_t T, int64_t windows, int64_t *count) {
    /* enough windows at a time for large matrix products */
    const int64_t at_once = T < 4096 ? 4096 / T : 1, all = (d->n - 1) / T;
    tg_tape *t = g->token.weight.tape;
    int64_t *room = must_allocate((size_t)(at_once * T + 1), sizeof *room);
    bool was_training = tg_is_training(t);
    double sum = 0;
    windows = windows < 0 || windows > all ? all : windows;
    tg_mark mark = tg_tape_mark(t);
    tg_eval(t);
    tg_no_grad_begin(t);
    for (int64_t done = 0, n; done < windows; done += n) {
        n = windows - done < at_once ? windows - done : at_once;
        sum += loss_of(g, d, done * T, n, T, room);
        must(t, tg_tape_rewind(t, mark));
    }
    tg_no_grad_end(t);
    if (was_training)
        tg_train(t);
    free(room);
    if (count)
        *count = windows * T;
    return sum / (double)(windows * T);
}
