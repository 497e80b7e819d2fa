/* Your engine of A2 and your training of 19: attention that recalls what it was shown. */
#include "coursework.h"

enum { KEYS = 6, CLASSES = 4, BATCHES = 16, STEPS = 400 };

static double key[BATCHES][KEYS * KEYS], value[BATCHES][KEYS * CLASSES];
static double question[BATCHES][KEYS * KEYS], answer[BATCHES][KEYS * CLASSES];

static unsigned state = 1;
static int below(int n) { return (int)((state = state * 1664525u + 1013904223u) >> 8) % n; }

static void shuffle(int *order) {
    for (int i = 0; i < KEYS; i++) {
        int k = i + below(KEYS - i), keep = order[i];
        order[i] = order[k];
        order[k] = keep;
    }
}

/* Every key with a value, in some order; the same keys asked for, in another. */
static course_recall draw(int b) {
    int order[KEYS], class_of[KEYS];
    for (int i = 0; i < KEYS; i++) {
        order[i] = i;
        class_of[i] = below(CLASSES);
    }
    for (int side = 0; side < 2; side++) {
        shuffle(order);
        for (int i = 0; i < KEYS; i++) {
            (side ? question : key)[b][i * KEYS + order[i]] = 1;
            (side ? answer : value)[b][i * CLASSES + class_of[order[i]]] = 1;
        }
    }
    return (course_recall){KEYS, KEYS, CLASSES, KEYS, KEYS, key[b], value[b], question[b], answer[b]};
}

/* How much the key k is looked at when q is asked for: the softmax of (row q of W_query) . (row k of W_key). */
static void attention(const double *W_query, const double *W_key, double weight[KEYS][KEYS]) {
    for (int q = 0; q < KEYS; q++) {
        double sum = 0;
        for (int k = 0; k < KEYS; k++) {
            double dot = 0;
            for (int j = 0; j < KEYS; j++)
                dot += W_query[q * KEYS + j] * W_key[k * KEYS + j];
            sum += weight[q][k] = exp(dot / sqrt(KEYS));
        }
        for (int k = 0; k < KEYS; k++)
            weight[q][k] /= sum;
    }
}

static bool show(const char *when, const double *W_query, const double *W_key) {
    double weight[KEYS][KEYS];
    bool own = true;
    attention(W_query, W_key, weight);
    printf("%s, in per cent: asked for (down), looks at (across)\n        a    b    c    d    e    f\n", when);
    for (int q = 0; q < KEYS; q++) {
        printf("   %c", 'a' + q);
        for (int k = 0; k < KEYS; k++)
            printf(" %4.0f", 100 * weight[q][k]);
        printf("\n");
        own &= weight[q][q] > 0.8;
    }
    return own;
}

int main(void) {
    static double W_query[KEYS * KEYS], W_key[KEYS * KEYS], losses[STEPS];
    course_recall batch[BATCHES];
    for (int b = 0; b < BATCHES; b++)
        batch[b] = draw(b);
    for (int i = 0; i < KEYS * KEYS; i++) {
        W_query[i] = (below(2001) - 1000) / 2000.0;
        W_key[i] = (below(2001) - 1000) / 2000.0;
    }
    show("before training", W_query, W_key);
    recall_train(&my_engine, batch, BATCHES, W_query, W_key, STEPS, 3, losses);
    printf("\nloss %.4f at first, %.4f after %d steps\n\n", losses[0], losses[STEPS - 1], STEPS);
    bool own = show("after training", W_query, W_key);
    puts(own ? "\nEvery question looks at its own key."
             : "\nThe questions do not find their keys: `make grade TASK=19` says what your training lacks.");
    return !own;
}
