#include "examples/common/view.h"
#include "examples/common/board.h"
#include "examples/common/recall.h"

static int smallest(int a, int b) { return a < b ? a : b; }

static tg_status choose_sentence(view *v, tg_tape *t, const terminal *screen) {
    int cell = screen ? (screen->width - BOARD_NOTE - 1) / (RECALL_LENGTH) : WORD;
    v->map.cell = cell < 1 ? 1 : smallest(cell, WORD);
    v->T = RECALL_LENGTH - 1;
    tg_status status = recall_sentences(t, 1, v->ids, v->next);
    for (int i = 0; i < v->T && !status; i++)
        snprintf(v->labels[i], sizeof v->labels[i], "%.*s", v->map.cell, recall_word[v->ids[i]]);
    return status;
}

/* The number of characters that fit. */
static int shown_on(const terminal *screen) {
    int most = smallest((screen->width - 4) / 2, MOST_SHOWN);
    bool in_place = screen->moves && screen->height > 2 * BOARD_OTHER_LINES;
    most = in_place ? smallest(most, screen->height - BOARD_OTHER_LINES - 1) : most;
    return most < 1 ? 1 : most;
}

/* A passage has no questions. */
static void choose_passage(view *v, const corpus *text, int64_t T, const terminal *screen) {
    v->map.cell = 2;
    v->T = smallest(screen ? shown_on(screen) : MOST_SEEN, (int)T);
    corpus_pieces(text, 1, &text->n_train, v->T, v->ids, v->next);
    for (int i = 0; i < v->T; i++) {
        int64_t code = text->code[v->ids[i]];
        const char *name = code == '\n' ? "\\n" : code == '\t' ? "\\t" : code == ' ' ? "_" : NULL;
        snprintf(v->labels[i], sizeof v->labels[i], "%s", name ? name : character_as_text(code).s);
        v->next[i] = TG_IGNORE_INDEX;
    }
}

tg_status view_choose(view *v, tg_tape *t, const corpus *text, int64_t T, const terminal *screen) {
    tg_status status = TG_OK;
    *v = (view){0};
    if (text)
        choose_passage(v, text, T, screen);
    else
        status = choose_sentence(v, t, screen);
    for (int i = 0; i < v->T; i++)
        v->label[i] = v->labels[i];
    v->map = (heatmap){v->weights, v->T, v->map.cell, v->label, v->note};
    return status;
}

/* The model's answer to the question at position i, with its probability. */
static void note_answer(view *v, int i, const float *probability) {
    int64_t answer = 0;
    for (int64_t k = 1; k < RECALL_WORDS; k++)
        if (probability[k] > probability[answer])
            answer = k;
    snprintf(v->notes[i], sizeof v->notes[i], "%s %2.0f%% %s", recall_word[answer], 100 * (double)probability[answer],
             answer == v->next[i] ? "right" : "wrong");
    v->note[i] = v->notes[i];
}

tg_status view_update(view *v, const language_model *m) {
    tg_tape *t = m->token.weight.tape;
    tg_mark before = tg_tape_mark(t);
    tg_tensor weights = TG_NULL, ids = tg_from_ints(t, TG_SHAPE(1, v->T), v->ids);
    tg_no_grad_begin(t);
    tg_tensor p = tg_contiguous(tg_softmax(language_model_forward(m, ids, &weights), -1));
    tg_no_grad_end(t);
    const float *probability = tg_const_data(p);
    if (tg_read_floats(weights, v->weights, (int64_t)v->T * v->T) || tg_tape_status(t))
        return tg_tape_status(t);
    for (int i = 0; i < v->T; i++)
        if (v->next[i] != TG_IGNORE_INDEX)
            note_answer(v, i, probability + i * tg_size(p, 2));
    return tg_tape_rewind(t, before);
}

void view_print(const view *v, const char *title) {
    puts(title);
    heatmap_print(stdout, &v->map);
    putchar('\n');
    fflush(stdout);
}
