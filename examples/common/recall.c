#include "examples/common/recall.h"

enum { T = RECALL_LENGTH - 1 };

const char *const recall_word[RECALL_WORDS] = {"Ann", "Bob", "Eva", "Ian", "Kim", "Leo", "Max", "Zoe",
                                               "tea", "ham", "pie", "nut", "fig", "egg", "jam", "bun"};

/* RECALL_LENGTH words. */
static tg_status sentence(tg_tape *t, int64_t *word) {
    int64_t name[RECALL_NAMES], food[RECALL_FOODS], asked[RECALL_QUESTIONS];
    if (tg_read_ints(tg_randperm(t, RECALL_NAMES), name, RECALL_NAMES) ||
        tg_read_ints(tg_randperm(t, RECALL_FOODS), food, RECALL_FOODS) ||
        tg_read_ints(tg_randint(t, 0, RECALL_FACTS, TG_SHAPE(RECALL_QUESTIONS)), asked, RECALL_QUESTIONS))
        return tg_tape_status(t);
    for (int i = 0; i < RECALL_FACTS + RECALL_QUESTIONS; i++) {
        int64_t fact = i < RECALL_FACTS ? i : asked[i - RECALL_FACTS];
        word[2 * i] = name[fact];
        word[2 * i + 1] = RECALL_NAMES + food[fact];
    }
    return TG_OK;
}

tg_status recall_sentences(tg_tape *t, int64_t n, int64_t *word, int64_t *next) {
    int64_t said[RECALL_LENGTH] = {0};
    for (int64_t s = 0; s < n; s++, word += T, next += T) {
        if (sentence(t, said))
            return tg_tape_status(t);
        for (int i = 0; i < T; i++) {
            bool is_question = i >= 2 * RECALL_FACTS && i % 2 == 0;
            word[i] = said[i];
            next[i] = is_question ? said[i + 1] : TG_IGNORE_INDEX;
        }
    }
    return TG_OK;
}
