/* The models of tests/golden/llama.h as files: weight number i of the tensor s is what make_llama.py makes it. */
#ifndef TAPEGRAD_TEST_LLAMA_WEIGHTS_H
#define TAPEGRAD_TEST_LLAMA_WEIGHTS_H

#include "tests/golden/llama.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>

static double llama_number(const char *name, int64_t i) {
    int64_t sum = 0;
    for (const char *s = name; *s; s++)
        sum += *s;
    double w = 0.3 * sin(0.37 * (double)i * (double)i + (double)sum);
    return strstr(name, "lora_") ? w / 3 : strstr(name, "norm") ? w + 1 : w;
}

/* Tensors from .. to of a model, under their names. */
static void llama_save(const char *path, const llama_tensor *all, int from, int to) {
    tg_tape *t = tg_tape_new(TG_F32);
    for (int k = from; k < to; k++) {
        const llama_tensor *x = &all[k];
        tg_tensor leaf = tg_zeros(t, x->size[1] ? TG_SHAPE(x->size[0], x->size[1]) : TG_SHAPE(x->size[0]));
        float *w = tg_data(tg_parameter(t, x->name, leaf));
        for (int64_t i = 0; i < tg_numel(leaf); i++)
            w[i] = (float)llama_number(x->name, i);
    }
    ck_assert_msg(tg_save(t, path) == TG_OK, "%s", tg_error(t));
    tg_tape_free(t);
}

#endif
