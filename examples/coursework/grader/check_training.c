/* Checks of task 12: the student's training against the library's, from the same start. */
#include "check.h"
#include "optim/optim.h"
#include "training.h"

#include <string.h>

enum { T = 6, IN = 3, OUT = 2, MANY = 300, MOST = 512 };

static const double rate = 0.05;

typedef struct course_run {
    double array[TRAINING_ARRAYS][MOST];
} course_run;

static tg_shape shape_of(int i, int steps) {
    switch (i) {
    case 0:
    case 2:
    case 4: return TG_SHAPE(OUT, IN);
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

/* The same in operations of the library; its parameters and losses go into r. */
static bool library_run(course_run *r, int steps) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[TRAINING_ARRAYS];
    char name[] = "p0";
    for (int i = 0; t && i < TRAINING_ARRAYS - 1; i++) {
        x[i] = tg_from_doubles(t, shape_of(i, steps), r->array[i]);
        name[1] = (char)('0' + i);
        if (i < TRAINING_PARAMETERS)
            tg_parameter(t, name, x[i]);
    }
    tg_adam_config config = TG_ADAM_DEFAULTS;
    config.lr = rate;
    tg_optim *adam = t ? tg_adam_new(t, tg_parameters(t), config) : NULL;
    bool good = adam != NULL;
    tg_mark model = {0};
    if (good)
        model = tg_tape_mark(t);
    for (int s = 0; s < steps && good; s++) {
        tg_tensor q = tg_linear(x[6], x[0], x[1]), k = tg_linear(x[6], x[2], x[3]), v = tg_linear(x[6], x[4], x[5]);
        tg_tensor y = tg_scaled_dot_product_attention(q, k, v, TG_NULL, true, 0, 0);
        tg_tensor loss = tg_mse_loss(y, x[7], TG_MEAN);
        r->array[8][s] = tg_item(loss);
        tg_optim_zero_grad(adam);
        good = !tg_backward(loss) && !tg_optim_step(adam) && !tg_tape_rewind(t, model);
    }
    for (int i = 0; i < TRAINING_PARAMETERS && good; i++)
        good = tg_read_doubles(x[i], r->array[i], tg_numel(x[i])) == TG_OK;
    tg_tape_free(t);
    return good;
}

static bool student_run(session *s, course_run *r, int steps, int *value) {
    request q = {.kind = CALL_TRAIN, .n_arrays = TRAINING_ARRAYS, .number = {steps, rate}};
    void *data[TRAINING_ARRAYS];
    for (int i = 0; i < TRAINING_ARRAYS; i++) {
        q.array[i] = (array){shape_of(i, steps), TG_F64, 0, i < TRAINING_PARAMETERS || i == 8};
        data[i] = r->array[i];
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

static verdict compare(session *s, part_kind kind, course_run *mine, course_run *right, const course_run *from,
                       int steps) {
    const char *where = kind == TRAIN_VALUE ? "loss" : kind == TRAIN_STEP ? "one step" : "training";
    int value = 0;
    if (!library_run(right, steps))
        return wrong("grader", "grader", "the library's training failed");
    if (!student_run(s, mine, steps, &value))
        return failed(s, where);
    if (value) {
        bool quiet = !s->student->text[0];
        verdict v = wrong(where, "returned an error", "train() returned %d%s%s", value,
                          quiet ? "" : "; tapegrad says: ", s->student->text);
        v.untouched = quiet;
        return v;
    }
    bool same_losses = same_numbers(mine->array[8], right->array[8], kind == TRAIN_VALUE ? 1 : steps);
    if (kind == TRAIN_ALL)
        fprintf(s->detail, "    loss %.4f at first, %.4f after %d steps; with the library's own operations %.4f\n",
                mine->array[8][0], mine->array[8][steps - 1], steps, right->array[8][steps - 1]);
    if (same_losses && (kind == TRAIN_VALUE || same_parameters(mine, right)))
        return (verdict){.right = true};
    return describe(kind, mine, right, from, steps);
}

verdict check_training(session *s, part_kind kind) {
    static course_run mine, right, from;
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
