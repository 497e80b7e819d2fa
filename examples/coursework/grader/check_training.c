/* Checks of task 12: the student's training against the library's, from the same start.
 *
 * The first loss and the first step are asked for with operations that multiply their results by numbers that nobody
 * can know: who leaves out my->linear, my->attention or my->adam_step has another loss. */
#include "harness/training.h"
#include "operations.h"

#include <string.h>

enum { T = 6, IN = 3, OUT = 2, MANY = 300, MOST = 512, MOST_PARAMETERS = 6 };

static const double rate = 0.05;

typedef struct course_run {
    double array[TRAINING_ARRAYS][MOST];
} course_run;

/* The variants of 08, 09, 11 and 12, and the numbers by which results are multiplied. */
typedef struct trainer {
    int linear, attention, adam, loss;
    double factor[3];
} trainer;

static int variant_of(const session *s, const char *number) { return s->variant[task_numbered(number) - tasks]; }

/* Bit i of plain: the i-th of linear, attention and adam_step is not multiplied. */
enum { NONE_PLAIN, ALL_PLAIN = 7 };
static trainer trainer_of(const session *s, int plain) {
    trainer r = {variant_of(s, "08"), variant_of(s, "09"), variant_of(s, "11"), variant_of(s, "12"), {1, 1, 1}};
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
    for (int i = 0; i < 3; i++)
        q[i] = tg_mul_scalar(linear_of((tg_tensor[]){x[6], x[2 * i], x[2 * i + 1]}, r->linear), r->factor[0]);
    tg_tensor y = tg_mul_scalar(attention_of(q, true, r->attention, 0, &plain), r->factor[1]);
    return tg_mse_loss(y, x[7], r->loss ? TG_SUM : TG_MEAN);
}

static bool library_update(const trainer *r, tg_tensor x, double *p, double *m, double *v, int step) {
    double g[MOST_PARAMETERS];
    int64_t n = tg_numel(x);
    if (tg_read_doubles(tg_grad(x), g, n))
        return false;
    course_adam(r->adam, p, g, m, v, n, step, rate * r->factor[2]);
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
        run->array[8][s] = tg_item(loss);
        tg_zero_grads(t);
        good = !tg_backward(loss);
        for (int i = 0; i < TRAINING_PARAMETERS && good; i++)
            good = library_update(r, x[i], run->array[i], m[i], v[i], s + 1);
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

static verdict describe(part_kind kind, const course_run *mine, const course_run *right, const course_run *from,
                        int steps) {
    static const char *const name[] = {"W_query", "b_query", "W_key", "b_key", "W_value", "b_value"};
    const char *where = kind == TRAIN_VALUE ? "loss" : kind == TRAIN_STEP ? "one step" : "training";
    double first = mine->array[8][0], expected = right->array[8][0];
    if (!isfinite(first))
        return wrong(where, "not filled", "losses[0] is not set, or not finite");
    if (fabs(first - expected) > 1e-7 * expected)
        return wrong(where, "wrong value", "the first loss is %g, it should be %g: is the layer's forward right?",
                     first, expected);
    if (!has_moved(mine, from))
        return wrong(where, "zero", "the parameters do not move");
    for (int i = 0; i < TRAINING_PARAMETERS && kind == TRAIN_STEP; i++)
        if (!same_numbers(mine->array[i], right->array[i], numel_of(shape_of(i, 1))))
            return wrong(where, "wrong step", "after one step %s is not where the library's Adam puts it", name[i]);
    for (int s = 0; s < steps; s++)
        if (!(fabs(mine->array[8][s] - right->array[8][s]) <= 1e-5 * right->array[8][s]))
            return wrong(where, s < 3 ? "wrong from step 2 on" : "drifts away",
                         "the loss after %d step%s is %g, it should be %g: are gradients forgotten before each "
                         "backward, moments kept, and is the step counted 1, 2, 3, ...?",
                         s, s == 1 ? "" : "s", mine->array[8][s], right->array[8][s]);
    return wrong(where, "wrong step", "the last update is missing or wrong: the losses are right, the parameters not");
}

/* Do loss and step come out as if something else stood in place of these members of my? Their bits, or 0. */
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

static verdict not_used(const char *where, int left_out) {
    static const char *const member[] = {"my->linear", "my->attention", "my->adam_step"};
    char list[80] = "";
    for (int i = 0; i < 3; i++)
        if (left_out >> i & 1) {
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", member[i]);
        }
    return wrong(
        where, "my-> not used",
        "right, but computed without %s: here they are multiplied by secret numbers, to see that they are used", list);
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
        return left_out ? not_used(where, left_out) : describe(kind, mine, right, from, steps);
    }
    if (kind == TRAIN_ALL && strcmp(s->student->text, TRAINING_GREW) == 0)
        return wrong(where, "no rewind",
                     "%d steps are right, but the tape has grown with every one of them: "
                     "tg_tape_rewind at the end of a step forgets what it recorded",
                     steps);
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
