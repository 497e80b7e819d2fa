/* Checks of task 12: the student's training against the library's, from the same start.
 *
 * The first loss and the first step are asked for with operations that multiply their results by numbers that nobody
 * can know: who leaves out my->linear, my->attention or my->adam_step has another loss. */
#include "harness/training.h"
#include "operations.h"

#include <stdlib.h>
#include <string.h>

enum { T = 6, IN = 3, OUT = 2, MANY = 300, MOST = 512, MOST_PARAMETERS = 6 };

static const double rate = 0.05;

typedef struct course_run {
    double array[TRAINING_ARRAYS][MOST];
} course_run;

/* What goes wrong on the way. */
typedef enum {
    TRAINS_RIGHT,
    OTHER_LOSS,
    NOTED_LATE,
    GRADS_KEPT,
    STEP_STAYS,
    STEP_ONE_ON,
    CLIMBS,
    MOMENTS_FORGOTTEN,
    ONE_STATE,
    NO_RATE,
    QUERY_FOR_KEY,
    KEY_FOR_QUERY,
    QUERY_FOR_VALUE,
    EXCHANGED,
    BIAS_STAYS,
    LAST_STAYS,
    SIGN_OF_LOSS,
    TRAIN_SLIPS
} train_slip;
static const char *const train_words[TRAIN_SLIPS] = {
    [OTHER_LOSS] =
        "mean for sum, or sum for mean: the page says over what the squares are added, and whether they are divided",
    [NOTED_LATE] = "noted too late: losses[s] is the loss before step s + 1, this is that after it",
    [GRADS_KEPT] = "gradients kept: those of the steps before are still there: tg_zero_grads before each backward",
    [STEP_STAYS] = "step stays: Adam's step counts 1, 2, 3, ...; here it is 1 in every step",
    [STEP_ONE_ON] = "step one on: Adam's step counts 1, 2, 3, ...; here it begins with 2",
    [CLIMBS] = "sign flipped: it climbs: the step goes along the gradient",
    [MOMENTS_FORGOTTEN] = "moments forgotten: m and v begin at 0 in every step; they are to be kept from step to step",
    [ONE_STATE] = "one state for all: each parameter has moments of its own",
    [NO_RATE] = "lr forgotten: the step is not multiplied by lr",
    [QUERY_FOR_KEY] = "query for key: k is computed with the weights of the query",
    [KEY_FOR_QUERY] = "key for query: q is computed with the weights of the key",
    [QUERY_FOR_VALUE] = "query for value: v is computed with the weights of the query",
    [EXCHANGED] = "query and key exchanged: attention wants q, k, v",
    [BIAS_STAYS] = "biases stay: all six parameters are to be updated",
    [LAST_STAYS] = "the last parameter stays: all six are to be updated",
    [SIGN_OF_LOSS] = "sign of the loss: losses[s] is -1 times the loss"};

/* The variants of 08, 09, 11 and 12, and the numbers by which results are multiplied. */
typedef struct trainer {
    int linear, attention, adam, loss;
    double factor[3];
    train_slip slip;
} trainer;

static int variant_of(const session *s, const char *number) { return s->variant[task_numbered(number) - tasks]; }

/* Bit i of plain: the i-th of linear, attention and adam_step is not multiplied. */
enum { NONE_PLAIN, ALL_PLAIN = 7 };
static trainer trainer_of(const session *s, int plain) {
    trainer r = {variant_of(s, "08"), variant_of(s, "09"), variant_of(s, "11"),
                 variant_of(s, "12"), {1, 1, 1},           TRAINS_RIGHT};
    for (int i = 0; i < 3; i++)
        if (!(plain >> i & 1))
            r.factor[i] = 0.5 + (double)((s->seed * 2654435761u + 40503u * (unsigned)i) % 1009) / 1009;
    return r;
}

static int linear_variant; /* of this run: it turns the weights */
static tg_shape shape_of(int i, int steps) {
    switch (i) {
    case 0:
    case 2:
    case 4: return linear_variant ? TG_SHAPE(IN, OUT) : TG_SHAPE(OUT, IN);
    case 1:
    case 3:
    case 5: return TG_SHAPE(OUT);
    case 6: return TG_SHAPE(T, IN);
    case 7: return TG_SHAPE(T, OUT);
    default: return TG_SHAPE(steps);
    }
}

static bool start(const session *s, course_run *r) {
    tg_tape *t = tg_tape_new(TG_F64);
    bool good = t != NULL;
    if (good)
        tg_manual_seed(t, s->seed);
    for (int i = 0; good && i < TRAINING_ARRAYS - 1; i++) {
        tg_tensor x = tg_randn(t, shape_of(i, 1));
        good = tg_read_doubles(x, r->array[i], tg_numel(x)) == TG_OK;
    }
    tg_tape_free(t);
    for (int k = 0; k < MOST; k++)
        r->array[8][k] = NAN;
    return good;
}

static tg_tensor library_loss(const trainer *r, const tg_tensor *x) {
    const how plain = {.notes = NULL};
    tg_tensor q[3];
    int from[3] = {r->slip == KEY_FOR_QUERY || r->slip == EXCHANGED,
                   !(r->slip == QUERY_FOR_KEY || r->slip == EXCHANGED), r->slip == QUERY_FOR_VALUE ? 0 : 2};
    for (int i = 0; i < 3; i++)
        q[i] =
            tg_mul_scalar(linear_of((tg_tensor[]){x[6], x[2 * from[i]], x[2 * from[i] + 1]}, r->linear), r->factor[0]);
    tg_tensor y = tg_mul_scalar(attention_of(q, true, r->attention, 0, &plain), r->factor[1]);
    return tg_mse_loss(y, x[7], (r->slip == OTHER_LOSS ? !r->loss : r->loss) ? TG_SUM : TG_MEAN);
}

static bool library_update(const trainer *r, tg_tensor x, double *p, double *m, double *v, int step) {
    double g[MOST_PARAMETERS];
    int64_t n = tg_numel(x);
    if (tg_read_doubles(tg_grad(x), g, n))
        return false;
    double lr = (r->slip == NO_RATE ? 1 : r->slip == CLIMBS ? -rate : rate) * r->factor[2];
    course_adam(r->adam, p, g, m, v, n, r->slip == STEP_STAYS ? 1 : r->slip == STEP_ONE_ON ? step + 1 : step, lr);
    return tg_write_doubles(x, p, n) == TG_OK;
}

/* The same in operations of the library; its parameters and losses go into run. */
static bool library_run(const trainer *r, course_run *run, int steps) {
    double m[TRAINING_PARAMETERS][MOST_PARAMETERS] = {{0}}, v[TRAINING_PARAMETERS][MOST_PARAMETERS] = {{0}};
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[TRAINING_ARRAYS];
    for (int i = 0; t && i < TRAINING_ARRAYS - 1; i++) {
        x[i] = tg_from_doubles(t, shape_of(i, steps), run->array[i]);
        if (i < TRAINING_PARAMETERS)
            tg_set_requires_grad(x[i], true);
    }
    bool good = t && !tg_tape_status(t);
    tg_mark model = {0};
    if (good)
        model = tg_tape_mark(t);
    for (int s = 0; s < steps && good; s++) {
        tg_tensor loss = library_loss(r, x);
        run->array[8][s] = r->slip == SIGN_OF_LOSS ? -tg_item(loss) : tg_item(loss);
        if (r->slip != GRADS_KEPT)
            tg_zero_grads(t);
        if (r->slip == MOMENTS_FORGOTTEN)
            memset(m, 0, sizeof m), memset(v, 0, sizeof v);
        good = !tg_backward(loss);
        for (int i = 0; i < TRAINING_PARAMETERS && good; i++) {
            int state = r->slip == ONE_STATE ? 0 : i;
            bool stays = (r->slip == BIAS_STAYS && i % 2) || (r->slip == LAST_STAYS && i == TRAINING_PARAMETERS - 1);
            good = stays || library_update(r, x[i], run->array[i], m[state], v[state], s + 1);
        }
        if (r->slip == NOTED_LATE)
            run->array[8][s] = tg_item(library_loss(r, x));
        good = good && !tg_tape_rewind(t, model);
    }
    tg_tape_free(t);
    return good;
}

static bool student_run(session *s, const trainer *r, course_run *run, int steps, int *value) {
    request q = {.kind = CALL_TRAIN,
                 .n_arrays = TRAINING_ARRAYS,
                 .number = {steps, rate, r->linear + 10 * r->attention + 100 * r->adam, r->factor[0], r->factor[1],
                            r->factor[2]}};
    void *data[TRAINING_ARRAYS];
    for (int i = 0; i < TRAINING_ARRAYS; i++) {
        q.array[i] = (array){shape_of(i, steps), TG_F64, 0, i < TRAINING_PARAMETERS || i == 8};
        data[i] = run->array[i];
    }
    return student_call(s->student, &q, data, value, NULL, NULL);
}

static bool same_parameters(const course_run *a, const course_run *b) {
    for (int i = 0; i < TRAINING_PARAMETERS; i++)
        if (!same_numbers(a->array[i], b->array[i], numel_of(shape_of(i, 1))))
            return false;
    return true;
}

static bool has_moved(const course_run *a, const course_run *from) {
    for (int i = 0; i < TRAINING_PARAMETERS; i++)
        if (memcmp(a->array[i], from->array[i], (size_t)numel_of(shape_of(i, 1)) * sizeof(double)) != 0)
            return true;
    return false;
}

static bool is_near(double mine, double right, double relative) { return fabs(mine - right) <= relative * fabs(right); }

/* The mistake that gives these losses, or after one step these parameters. */
static bool name_slip(const trainer *of, part_kind kind, const course_run *mine, const course_run *from, int steps,
                      verdict *v) {
    static course_run made;
    int looked_at = steps < 5 ? steps : 5; /* later rounding tells them apart */
    for (int k = 1; k < TRAIN_SLIPS; k++) {
        trainer r = *of;
        r.slip = (train_slip)k;
        made = *from;
        bool same = library_run(&r, &made, looked_at), differs = false;
        for (int s = 0; s < looked_at && same; s++)
            same = is_near(mine->array[8][s], made.array[8][s], 1e-6);
        same = same && (kind != TRAIN_STEP || same_parameters(mine, &made));
        r.slip = TRAINS_RIGHT;
        course_run right = *from;
        differs = same && library_run(&r, &right, looked_at) &&
                  !(same_numbers(right.array[8], made.array[8], looked_at) && same_parameters(&right, &made));
        if (!same || !differs)
            continue;
        name_mistake(v, train_words[k]);
        return true;
    }
    return false;
}

/* The first loss that is wrong, or the first parameter. */
static verdict describe(part_kind kind, const course_run *mine, const course_run *right, const course_run *from,
                        int steps) {
    static const char *const name[] = {"W_query", "b_query", "W_key", "b_key", "W_value", "b_value"};
    const char *where = kind == TRAIN_VALUE ? "loss" : kind == TRAIN_STEP ? "one step" : "training";
    for (int s = 0; s < (kind == TRAIN_VALUE ? 1 : steps); s++) {
        if (is_near(mine->array[8][s], right->array[8][s], s ? 1e-5 : 1e-7))
            continue;
        verdict v =
            s ? wrong(where, s < 3 ? "wrong from step 2 on" : "drifts away",
                      "the losses before it are right: gradients, moments and the count of steps are what a step "
                      "takes over from the one before")
              : wrong(where, isfinite(mine->array[8][0]) ? "wrong value" : "not filled",
                      "the loss of the layer as it was at the start");
        at_element(&v, mine->array[8][s], right->array[8][s], "losses[%d]", s);
        return v;
    }
    for (int i = 0; i < TRAINING_PARAMETERS; i++) {
        int64_t k = first_difference(mine->array[i], right->array[i], numel_of(shape_of(i, 1)));
        if (k < 0)
            continue;
        verdict v = has_moved(mine, from) ? wrong(where, "wrong step", "the losses are right, the last update is not")
                                          : wrong(where, "zero", "the parameters do not move");
        at_element(&v, mine->array[i][k], right->array[i][k], "after %d step%s %s[%lld], which was %.4g at first,",
                   steps, steps > 1 ? "s" : "", name[i], (long long)k, from->array[i][k]);
        return v;
    }
    return wrong(where, "wrong step", "the numbers are not the library's");
}

/* The members of my (their bits) in whose place something else would give this loss and step; 0: none. */
static int leaves_out_own(const session *s, part_kind kind, const course_run *mine, const course_run *from) {
    static course_run other;
    for (int left_out = 1; left_out <= ALL_PLAIN; left_out++) {
        trainer r = trainer_of(s, left_out);
        other = *from;
        if (library_run(&r, &other, 1) && fabs(mine->array[8][0] - other.array[8][0]) <= 1e-7 * other.array[8][0] &&
            (kind == TRAIN_VALUE || same_parameters(mine, &other)))
            return left_out;
    }
    return 0;
}

static void tell_not_used(int left_out, verdict *v) {
    static const char *const member[] = {"my->linear", "my->attention", "my->adam_step"};
    char list[80] = "", text[300];
    for (int i = 0; i < 3; i++)
        if (left_out >> i & 1) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", member[i]);
        }
    snprintf(
        text, sizeof text,
        "my-> not used: right, but computed without %s: here they are multiplied by secret numbers, to see that they "
        "are used",
        list);
    name_mistake(v, text);
}

static verdict compare(session *s, part_kind kind, course_run *mine, course_run *right, const course_run *from,
                       int steps) {
    const char *where = kind == TRAIN_VALUE ? "loss" : kind == TRAIN_STEP ? "one step" : "training";
    trainer r = trainer_of(s, kind == TRAIN_ALL ? ALL_PLAIN : NONE_PLAIN);
    int value = 0;
    if (!library_run(&r, right, steps))
        return wrong("grader", "grader", "the library's training failed");
    if (!student_run(s, &r, mine, steps, &value))
        return failed(s, where);
    if (value) {
        bool quiet = !s->student->text[0];
        verdict v = wrong(where, "returned an error", "train() returned %d%s%s", value,
                          quiet ? "" : "; tapegrad says: ", s->student->text);
        v.untouched = quiet;
        return v;
    }
    if (kind == TRAIN_ALL)
        fprintf(s->detail, "    loss %.4f at first, %.4f after %d steps; with the library's own operations %.4f\n",
                mine->array[8][0], mine->array[8][steps - 1], steps, right->array[8][steps - 1]);
    bool same_losses = same_numbers(mine->array[8], right->array[8], kind == TRAIN_VALUE ? 1 : steps);
    if (!same_losses || (kind != TRAIN_VALUE && !same_parameters(mine, right))) {
        int left_out = kind == TRAIN_ALL ? 0 : leaves_out_own(s, kind, mine, from);
        verdict v = describe(kind, mine, right, from, steps);
        if (left_out)
            tell_not_used(left_out, &v);
        else if (strcmp(v.mistake, "zero") != 0)
            (void)name_slip(&r, kind, mine, from, steps, &v);
        return v;
    }
    if (kind == TRAIN_ALL && strncmp(s->student->text, TRAINING_GREW, strlen(TRAINING_GREW)) == 0) {
        verdict v = wrong(where, "no rewind",
                          "%d steps are right, but the tape has grown with every one of them: "
                          "tg_tape_rewind at the end of a step forgets what it recorded",
                          steps);
        at_element(&v, atof(s->student->text + strlen(TRAINING_GREW)), 0,
                   "the number of tensors more on the tape after the last step");
        return v;
    }
    return (verdict){.right = true};
}

verdict check_training(session *s, part_kind kind) {
    static course_run mine, right, from;
    linear_variant = variant_of(s, "08");
    int steps = kind == TRAIN_ALL ? MANY : 1;
    if (!start(s, &mine) || !start(s, &right) || !start(s, &from))
        return wrong("grader", "grader", "out of memory");
    verdict v = compare(s, kind, &mine, &right, &from, steps);
    fprintf(s->detail, "    %s: %s\n",
            kind == TRAIN_VALUE  ? "the first loss"
            : kind == TRAIN_STEP ? "one step"
                                 : "300 steps",
            v.right ? "right" : v.why);
    return v;
}
