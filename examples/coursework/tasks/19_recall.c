/* 19 Your own engine trains attention: it learns to recall.
 *
 * A batch shows pairs of a key and a value and asks for the values of some keys. One head of attention can answer, once
 * its weights make a question most like its own key:
 *
 *   Q = question W_query      K = key W_key       W_query, W_key (keys, width)
 *   scores = Q K^T / sqrt(width)
 *   guess = softmax(scores) value
 *   loss = 1/questions sum of all (guess - answer)^2
 *
 * my-> is your engine of A2 (or, where that has not full marks yet, one that computes the same).
 */
#include "coursework.h"
/* --- variant 0 */
/* --- variant 1
// Your variant: scores = Q K^T / width.
--- end */

/* The number of the loss, computed by my-> from the numbers of the weights. */
int recall_loss(const course_engine *my, const course_recall *r, int W_query, int W_key) {
    int question = my->leaf(r->questions, r->keys, r->question), key = my->leaf(r->pairs, r->keys, r->key);
    int value = my->leaf(r->pairs, r->classes, r->value), answer = my->leaf(r->questions, r->classes, r->answer);
    /* --- solution */
    int Q = my->matmul(question, W_query), K = my->matmul(key, W_key);
    /* --- variant 0 */
    int scores = my->scale(my->matmul(Q, my->transpose(K)), 1 / sqrt((double)r->width));
    /* --- variant 1
    int scores = my->scale(my->matmul(Q, my->transpose(K)), 1 / (double)r->width);
    --- end */
    int guess = my->matmul(my->softmax(scores), value);
    int off = my->add(guess, my->scale(answer, -1));
    return my->scale(my->sum(my->mul(off, off)), 1 / (double)r->questions);
    /* --- student
    (void)question, (void)key, (void)value, (void)answer, (void)W_query, (void)W_key; // delete these lines
    return -1;
    --- */
}

/* In step s: a new tape, the two weights as leaves, the loss of batch s % n_batches into losses[s], backward, and
 * W = W - lr dW for both. */
void recall_train(const course_engine *my, const course_recall *batch, int n_batches, double *W_query, double *W_key,
                  int steps, double lr, double *losses) {
    /* --- solution */
    for (int s = 0; s < steps; s++) {
        const course_recall *r = &batch[s % n_batches];
        my->clear();
        int q = my->leaf(r->keys, r->width, W_query), k = my->leaf(r->keys, r->width, W_key);
        int loss = recall_loss(my, r, q, k);
        losses[s] = my->value(loss)[0];
        my->backward(loss);
        for (int i = 0; i < r->keys * r->width; i++) {
            W_query[i] -= lr * my->grad(q)[i];
            W_key[i] -= lr * my->grad(k)[i];
        }
    }
    /* --- student
    (void)my, (void)batch, (void)n_batches, (void)W_query, (void)W_key; // delete these lines
    (void)steps, (void)lr, (void)losses;
    --- */
}
