/* 19: training that recalls pairs. */
#include "harnessed.h"

#include <string.h>

enum { PAIRS = 6, KEYS = 6, CLASSES = 4, WEIGHTS = KEYS * 6, BATCHES = 16, MANY = 400 };
static const double recall_rate = 3;

typedef struct recall_run {
    double W_query[WEIGHTS], W_key[WEIGHTS];
    double key[BATCHES * PAIRS * KEYS], value[BATCHES * PAIRS * CLASSES];
    double question[BATCHES * PAIRS * KEYS], answer[BATCHES * PAIRS * CLASSES], losses[MANY];
} recall_run;

static bool draw_recall(const session *s, recall_run *r) {
    tg_tape *t = random_tape(s, 13);
    memset(r, 0, sizeof *r);
    bool good = normals(t, r->W_query, WEIGHTS) && normals(t, r->W_key, WEIGHTS);
    for (int b = 0; b < BATCHES && good; b++) {
        int class_of[KEYS], order[PAIRS];
        for (int i = 0; i < KEYS; i++) {
            class_of[i] = below(t, CLASSES);
            order[i] = i;
        }
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < PAIRS; i++) {
                int k = i + below(t, PAIRS - i), row = b * PAIRS + i, keep = order[i];
                order[i] = order[k];
                order[k] = keep;
                (side ? r->question : r->key)[row * KEYS + order[i]] = 1;
                (side ? r->answer : r->value)[row * CLASSES + class_of[order[i]]] = 1;
            }
    }
    for (int i = 0; i < WEIGHTS; i++) {
        r->W_query[i] *= 0.3;
        r->W_key[i] *= 0.3;
        r->losses[i] = NAN;
    }
    tg_tape_free(t);
    return good;
}

static tg_tensor matrix(tg_tape *t, const double *x, int rows, int columns) {
    return tg_from_doubles(t, TG_SHAPE(rows, columns), x);
}

/* What batch b makes of the weights; the products are multiplied by factor, as those of the marked engine are. */
static tg_tensor guess_of(const recall_run *r, int b, tg_tensor W_query, tg_tensor W_key, double factor, int variant) {
    tg_tape *t = W_query.tape;
    tg_tensor Q = tg_matmul(matrix(t, r->question + b * PAIRS * KEYS, PAIRS, KEYS), W_query);
    tg_tensor K = tg_matmul(matrix(t, r->key + b * PAIRS * KEYS, PAIRS, KEYS), W_key);
    tg_tensor scores =
        tg_mul_scalar(tg_matmul(Q, tg_transpose(K, 0, 1)), factor * factor * factor / (variant ? 6 : sqrt(6)));
    tg_tensor value = matrix(t, r->value + b * PAIRS * CLASSES, PAIRS, CLASSES);
    return tg_mul_scalar(tg_matmul(tg_softmax(scores, -1), value), factor);
}

static bool library_recall(recall_run *r, int steps, double factor, int variant) {
    double dq[WEIGHTS], dk[WEIGHTS];
    bool good = true;
    for (int s = 0; s < steps && good; s++) {
        tg_tape *t = tg_tape_new(TG_F64);
        int b = s % BATCHES;
        tg_tensor q = matrix(t, r->W_query, KEYS, 6), k = matrix(t, r->W_key, KEYS, 6);
        tg_set_requires_grad(q, true);
        tg_set_requires_grad(k, true);
        tg_tensor off =
            tg_sub(guess_of(r, b, q, k, factor, variant), matrix(t, r->answer + b * PAIRS * CLASSES, PAIRS, CLASSES));
        tg_tensor loss = tg_mul_scalar(tg_sum(tg_mul(off, off), TG_ALL_DIMS, false), 1.0 / PAIRS);
        r->losses[s] = tg_item(loss);
        good = t && !tg_backward(loss) && !tg_read_doubles(tg_grad(q), dq, WEIGHTS) &&
               !tg_read_doubles(tg_grad(k), dk, WEIGHTS);
        for (int i = 0; i < WEIGHTS && good; i++) {
            r->W_query[i] -= recall_rate * dq[i];
            r->W_key[i] -= recall_rate * dk[i];
        }
        tg_tape_free(t);
    }
    return good;
}

/* The share of questions of a batch whose largest guess is the answer. */
static double recalled(const session *s, const recall_run *r) {
    static recall_run fresh;
    session other = *s;
    double guess[PAIRS * CLASSES];
    int right = 0;
    other.seed += 1000;
    if (!draw_recall(&other, &fresh))
        return 0;
    tg_tape *t = tg_tape_new(TG_F64);
    for (int b = 0; b < BATCHES && t; b++) {
        tg_tensor y =
            guess_of(&fresh, b, matrix(t, r->W_query, KEYS, 6), matrix(t, r->W_key, KEYS, 6), 1, s->variant[s->task]);
        if (tg_read_doubles(y, guess, PAIRS * CLASSES))
            break;
        for (int i = 0; i < PAIRS; i++) {
            int best = 0;
            for (int c = 1; c < CLASSES; c++)
                best = guess[i * CLASSES + c] > guess[i * CLASSES + best] ? c : best;
            right += fresh.answer[(b * PAIRS + i) * CLASSES + best] == 1;
        }
    }
    tg_tape_free(t);
    return right / (double)(BATCHES * PAIRS);
}

static verdict check_recall(session *s, int steps, double factor) {
    static recall_run mine, right;
    int variant = s->variant[s->task], engine = s->variant[task_numbered("A2") - tasks];
    if (!draw_recall(s, &mine) || !draw_recall(s, &right) || !library_recall(&right, steps, factor, variant))
        return wrong("grader", "grader", "the library's training failed");
    sent a[] = {{mine.W_query, WEIGHTS, true},
                {mine.W_key, WEIGHTS, true},
                {mine.key, BATCHES * PAIRS * KEYS, false},
                {mine.value, BATCHES * PAIRS * CLASSES, false},
                {mine.question, BATCHES * PAIRS * KEYS, false},
                {mine.answer, BATCHES * PAIRS * CLASSES, false},
                {mine.losses, steps, true}};
    if (!ask(s, (double[]){0, steps, recall_rate, engine, factor, BATCHES}, 6, a, 7))
        return failed(s, "recall_train");
    if (isnan(mine.losses[0])) {
        verdict v = wrong("training", "not filled", "losses[0] is not set");
        v.untouched = true;
        return v;
    }
    if (fabs(mine.losses[0] - right.losses[0]) > 1e-6 * right.losses[0])
        return wrong("loss", "wrong value",
                     "the first loss is %.8g, it should be %.8g: is every product, softmax and sum one of "
                     "my->?",
                     mine.losses[0], right.losses[0]);
    if (steps == 1 &&
        (!same_numbers(mine.W_query, right.W_query, WEIGHTS) || !same_numbers(mine.W_key, right.W_key, WEIGHTS)))
        return wrong("one step", "wrong step", "after one step W - lr dW is not where it should be");
    for (int k = 0; k < steps; k++)
        if (!(fabs(mine.losses[k] - right.losses[k]) <= 1e-3 * right.losses[k] + 1e-6))
            return wrong("training", "drifts away",
                         "the loss of step %d is %g, it should be %g: does every step begin with "
                         "clear(), and go on with the next batch?",
                         k + 1, mine.losses[k], right.losses[k]);
    if (steps > 1) {
        double share = recalled(s, &mine);
        fprintf(s->detail, "    loss %.3f at first, %.3f after %d steps; %.0f %% of new questions recalled\n",
                mine.losses[0], mine.losses[steps - 1], steps, 100 * share);
        if (share < 0.9)
            return wrong("training", "does not recall", "%.0f %% of new questions are answered", 100 * share);
    }
    return fine;
}

static double secret(const session *s) { return 0.8 + 0.4 * (double)((s->seed * 2654435761u) % 1009) / 1009; }
verdict check_recall_loss(session *s) { return says(s, "the first loss", check_recall(s, 1, secret(s))); }
verdict check_recall_train(session *s) { return says(s, "400 steps", check_recall(s, MANY, 1)); }
