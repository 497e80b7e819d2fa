/* The attention layer's weights as a picture, for a sentence of the built-in task or the start of a text's held-out
 * part. */
#ifndef EXAMPLES_VIEW_H
#define EXAMPLES_VIEW_H

#include "examples/common/corpus.h"
#include "examples/common/heatmap.h"
#include "examples/common/language_model.h"

enum { MOST_SEEN = 512, MOST_SHOWN = 32, WORD = 4 };

/* A sentence, or the start of the held-out text, and the layer's output for it. */
typedef struct view {
    int T;
    int64_t ids[MOST_SEEN], next[MOST_SEEN];
    char labels[MOST_SEEN][WORD + 1], notes[MOST_SEEN][32];
    const char *label[MOST_SEEN], *note[MOST_SEEN];
    float weights[MOST_SEEN * MOST_SEEN];
    heatmap map; /* points into the view, which must stay where it is */
} view;

/* Choose the tokens, as many as fit the screen; screen NULL: as many as a view can hold. text: NULL for a sentence,
 * drawn from the tape's generator. T: the model's context. */
tg_status view_choose(view *v, tg_tape *t, const corpus *text, int64_t T, const terminal *screen);
/* Update with the model's current output. */
tg_status view_update(view *v, const language_model *m);
void view_print(const view *v, const char *title);

#endif
