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

/* What goes wrong on the way. */
typedef enum {
    RECALL_RIGHT,
    NO_SCALE,
    OTHER_SCALE,
    NOT_DIVIDED,
    DIVIDED_BY_ALL,
    CLIMBS,
    ONE_BATCH,
    QUERY_STAYS,
    KEY_STAYS,
    NO_RATE,
    ROLES_EXCHANGED,
    WEIGHTS_EXCHANGED,
    NO_SOFTMAX,
    NOTED_LATE,
    NEVER_CLEARED,
    RECALL_SLIPS
} recall_slip;
static const char *const recall_words[RECALL_SLIPS] = {
    [NO_SCALE] = "scale forgotten: the scores are not divided",
    [OTHER_SCALE] = "another scale: the scores are divided by something else than your page names",
    [NOT_DIVIDED] = "1/questions forgotten: the sum of the squares is to be divided by the number of questions",
    [DIVIDED_BY_ALL] = "divided by all elements: the sum of the squares is divided by the number of questions alone",
    [CLIMBS] = "sign flipped: it climbs: W = W - lr dW",
    [ONE_BATCH] = "always the first batch: step s takes batch s % n_batches",
    [QUERY_STAYS] = "W_query stays: both weights are to be updated",
    [KEY_STAYS] = "W_key stays: both weights are to be updated",
    [NO_RATE] = "lr forgotten: the step is not multiplied by lr",
    [ROLES_EXCHANGED] = "roles exchanged: the queries come from the questions, the keys from the keys",
    [WEIGHTS_EXCHANGED] = "weights exchanged: W_query belongs to the questions, W_key to the keys",
    [NO_SOFTMAX] = "softmax forgotten: the values are weighted by the scores themselves",
    [NOTED_LATE] = "noted too late: losses[s] is the loss before step s, this is that after it",
    [NEVER_CLEARED] = "no clear: every step begins with clear(); the nodes of all steps before are still there"};

/* What batch b makes of the weights; the products are multiplied by factor, as those of the marked engine are. */
static tg_tensor guess_of(const recall_run *r, int b, tg_tensor W_query, tg_tensor W_key, double factor, int variant,
                          recall_slip slip) {
    tg_tape *t = W_query.tape;
    tg_tensor question = matrix(t, r->question + b * PAIRS * KEYS, PAIRS, KEYS),
              key = matrix(t, r->key + b * PAIRS * KEYS, PAIRS, KEYS);
    tg_tensor Q = tg_matmul(slip == ROLES_EXCHANGED ? key : question, slip == WEIGHTS_EXCHANGED ? W_key : W_query);
    tg_tensor K = tg_matmul(slip == ROLES_EXCHANGED ? question : key, slip == WEIGHTS_EXCHANGED ? W_query : W_key);
    double scale = slip == NO_SCALE ? 1 : (slip == OTHER_SCALE ? !variant : variant) ? 1.0 / 6 : 1 / sqrt(6);
    tg_tensor scores = tg_mul_scalar(tg_matmul(Q, tg_transpose(K, 0, 1)), factor * factor * factor * scale);
    tg_tensor value = matrix(t, r->value + b * PAIRS * CLASSES, PAIRS, CLASSES);
    return tg_mul_scalar(tg_matmul(slip == NO_SOFTMAX ? scores : tg_softmax(scores, -1), value), factor);
}

static tg_tensor loss_of(const recall_run *r, int b, tg_tensor q, tg_tensor k, double factor, int variant,
                         recall_slip slip) {
    tg_tensor answer = matrix(q.tape, r->answer + b * PAIRS * CLASSES, PAIRS, CLASSES);
    tg_tensor off = tg_sub(guess_of(r, b, q, k, factor, variant, slip), answer);
    double by = slip == NOT_DIVIDED ? 1 : slip == DIVIDED_BY_ALL ? PAIRS * CLASSES : PAIRS;
    return tg_mul_scalar(tg_sum(tg_mul(off, off), TG_ALL_DIMS, false), 1 / by);
}

static bool recall_step(recall_run *r, int s, double factor, int variant, recall_slip slip) {
    double dq[WEIGHTS], dk[WEIGHTS], rate = slip == CLIMBS ? -recall_rate : slip == NO_RATE ? 1 : recall_rate;
    tg_tape *t = tg_tape_new(TG_F64);
    int b = slip == ONE_BATCH ? 0 : s % BATCHES;
    tg_tensor q = matrix(t, r->W_query, KEYS, 6), k = matrix(t, r->W_key, KEYS, 6);
    tg_set_requires_grad(q, true);
    tg_set_requires_grad(k, true);
    tg_tensor loss = loss_of(r, b, q, k, factor, variant, slip);
    r->losses[s] = tg_item(loss);
    bool good = t && !tg_backward(loss) && !tg_read_doubles(tg_grad(q), dq, WEIGHTS) &&
                !tg_read_doubles(tg_grad(k), dk, WEIGHTS);
    for (int i = 0; i < WEIGHTS && good; i++) {
        r->W_query[i] -= slip == QUERY_STAYS ? 0 : rate * dq[i];
        r->W_key[i] -= slip == KEY_STAYS ? 0 : rate * dk[i];
    }
    if (slip == NOTED_LATE)
        r->losses[s] =
            tg_item(loss_of(r, b, matrix(t, r->W_query, KEYS, 6), matrix(t, r->W_key, KEYS, 6), factor, variant, slip));
    tg_tape_free(t);
    return good;
}

static bool library_recall(recall_run *r, int steps, double factor, int variant, recall_slip slip) {
    bool good = true;
    for (int s = 0; s < steps && good; s++)
        good = recall_step(r, s, factor, variant, slip);
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
        tg_tensor y = guess_of(&fresh, b, matrix(t, r->W_query, KEYS, 6), matrix(t, r->W_key, KEYS, 6), 1,
                               s->variant[s->task], RECALL_RIGHT);
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

/* True when losses and weights of the first steps are those that this mistake gives. Numbers that are not finite are
 * equal. */
static bool went_so(const recall_run *mine, const recall_run *made, int steps) {
    for (int k = 0; k < steps; k++)
        if (!(fabs(mine->losses[k] - made->losses[k]) <= 1e-5 * fabs(made->losses[k]) + 1e-9))
            return false;
    return steps > 1 ||
           (same_numbers(mine->W_query, made->W_query, WEIGHTS) && same_numbers(mine->W_key, made->W_key, WEIGHTS));
}

static void name_slip(session *s, const recall_run *mine, int steps, double factor, verdict *v) {
    static recall_run made;
    int looked_at = steps < 6 ? steps : 6; /* later rounding tells them apart */
    for (int k = 1; k < NEVER_CLEARED; k++)
        if (draw_recall(s, &made) && library_recall(&made, looked_at, factor, s->variant[s->task], (recall_slip)k) &&
            went_so(mine, &made, looked_at)) {
            name_mistake(v, recall_words[k]);
            return;
        }
}

/* The first loss that is wrong, or the first weight. */
static verdict judge_recall(const recall_run *mine, const recall_run *right, int steps) {
    verdict v = fine;
    for (int k = 0; k < steps; k++) {
        double allowed = k ? 1e-3 * right->losses[k] + 1e-6 : 1e-6 * right->losses[0];
        if (fabs(mine->losses[k] - right->losses[k]) <= allowed)
            continue;
        v = wrong(k ? "training" : "loss", k ? "drifts away" : "wrong value", "%s",
                  k ? "the losses before it are right: what is different in this step?"
                    : "is every product, softmax and sum one of my->?");
        at_element(&v, mine->losses[k], right->losses[k], "losses[%d]", k);
        return v;
    }
    for (int side = 0; side < 2 && steps == 1; side++) {
        const double *m = side ? mine->W_key : mine->W_query, *r = side ? right->W_key : right->W_query;
        int64_t i = first_difference(m, r, WEIGHTS);
        if (i < 0)
            continue;
        v = wrong("one step", "wrong step", "the loss is right, the step is not W - lr dW");
        at_element(&v, m[i], r[i], "after one step %s[%d][%d]", side ? "W_key" : "W_query", (int)i / 6, (int)i % 6);
        return v;
    }
    return v;
}

static verdict check_recall(session *s, int steps, double factor) {
    static recall_run mine, right;
    double counts[2] = {0};
    int variant = s->variant[s->task], engine = s->variant[task_numbered("A2") - tasks];
    if (!draw_recall(s, &mine) || !draw_recall(s, &right) ||
        !library_recall(&right, steps, factor, variant, RECALL_RIGHT))
        return wrong("grader", "grader", "the library's training failed");
    sent a[] = {{mine.W_query, WEIGHTS, true},
                {mine.W_key, WEIGHTS, true},
                {mine.key, BATCHES * PAIRS * KEYS, false},
                {mine.value, BATCHES * PAIRS * CLASSES, false},
                {mine.question, BATCHES * PAIRS * KEYS, false},
                {mine.answer, BATCHES * PAIRS * CLASSES, false},
                {mine.losses, steps, true},
                {counts, 2, true}};
    if (!ask(s, (double[]){0, steps, recall_rate, engine, factor, BATCHES}, 6, a, 8))
        return failed(s, "recall_train");
    if (counts[0] == 0 || (counts[1] > 0 && counts[0] < steps)) {
        verdict v = wrong("training", "not filled", "losses[0] is not set");
        v.untouched = isnan(mine.losses[0]) && counts[0] == 0;
        if (!v.untouched)
            name_mistake(&v, recall_words[NEVER_CLEARED]);
        at_element(&v, v.untouched ? mine.losses[0] : counts[0], v.untouched ? right.losses[0] : steps, "%s",
                   v.untouched ? "losses[0]" : "the number of calls of my->clear()");
        return v;
    }
    verdict v = judge_recall(&mine, &right, steps);
    if (!v.right)
        name_slip(s, &mine, steps, factor, &v);
    if (!v.right || steps == 1)
        return v;
    double share = recalled(s, &mine);
    fprintf(s->detail, "    loss %.3f at first, %.3f after %d steps; %.0f %% of new questions recalled\n",
            mine.losses[0], mine.losses[steps - 1], steps, 100 * share);
    return share < 0.9 ? wrong("training", "does not recall", "%.0f %% of new questions are answered", 100 * share) : v;
}

static double secret(const session *s) { return 0.8 + 0.4 * (double)((s->seed * 2654435761u) % 1009) / 1009; }
verdict check_recall_loss(session *s) { return says(s, "the first loss", check_recall(s, 1, secret(s))); }
verdict check_recall_train(session *s) { return says(s, "400 steps", check_recall(s, MANY, 1)); }
