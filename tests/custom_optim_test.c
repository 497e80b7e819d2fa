/* tg_custom_optim: updates get the right numbers, files resume them, and every misuse is an error that changes nothing.
 * Expected values by arithmetic. */
#include "optim/optim.h"
#include "tests/support.h"

#include <stdio.h>
#include <unistd.h>

/* ---- heavy ball: m = momentum m + g, p -= lr m; seen counts in another state ---- */

enum { LR, MOMENTUM };

static int ball_f64(const tg_update *u) {
    double *p = u->p, *m = u->state[0], *seen = u->state[1];
    const double *g = u->dp;
    for (int64_t j = 0; j < u->n; j++) {
        m[j] = u->number[MOMENTUM] * m[j] + g[j];
        p[j] -= u->lr * m[j];
        seen[j]++;
        if (seen[j] != (double)u->step)
            return 1;
    }
    return u->shape->ndim != 1 || u->shape->size[0] != u->n;
}

static const tg_custom_optim ball = {"ball", {"momentum", "seen"}, 2, NULL, ball_f64};

typedef struct two {
    tg_tape *t;
    tg_tensor a, b;
    tg_list list;
    tg_optim *o;
} two;

static two two_new(const tg_custom_optim *kind, const double *numbers) {
    two s = {.t = tg_tape_new(TG_F64)};
    s.a = tg_parameter(s.t, "a", VECTOR(s.t, 1, 2));
    s.b = tg_parameter(s.t, "b", VECTOR(s.t, 3));
    s.list = tg_parameters(s.t);
    s.o = tg_custom_optim_new(s.t, kind, s.list, numbers);
    return s;
}

static two balls(void) {
    two s = two_new(&ball, (const double[]){0.5, 0.5});
    ck_assert(s.o != NULL);
    return s;
}

static void give(tg_tensor x, double g) {
    double values[2] = {g, g};
    ck_assert_int_eq(tg_write_grad(x, values, tg_numel(x)), TG_OK);
}

START_TEST(updates_are_those_by_hand)
{
    two s = balls();
    give(s.a, 1);
    ck_assert_int_eq(tg_optim_step(s.o), TG_OK); /* b has no gradient: it does not count */
    give(s.b, 2);
    ck_assert_int_eq(tg_optim_step(s.o), TG_OK);
    WANT_VALUES(s.a, 1 - 0.5 - 0.75, 2 - 0.5 - 0.75);
    WANT_VALUES(s.b, 3 - 1);
    tg_optim_set_lr(s.o, 1);
    ck_assert(tg_optim_lr(s.o) == 1);
    tg_optim_scale_lr(s.o, 4);
    ck_assert(tg_optim_lr(s.o) == 2);
    tg_optim_zero_grad(s.o);
    ck_assert(!tg_has_grad(s.a) && !tg_has_grad(s.b));
    ck_assert_int_eq(tg_optim_step(s.o), TG_OK);
    WANT_VALUES(s.b, 2);
    give(s.b, 1);
    ck_assert_int_eq(tg_optim_step(s.o), TG_OK);
    WANT_VALUES(s.b, 2 - 2 * 2);
    tg_tape_free(s.t);
}
END_TEST

START_TEST(groups_have_their_numbers)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor a = wanting(VECTOR(t, 1)), b = wanting(VECTOR(t, 1));
    double numbers[] = {1, 0};
    tg_optim *o = tg_custom_optim_new(t, &ball, (tg_list){t, 1, &a}, numbers);
    numbers[LR] = 0.25;
    ck_assert_int_eq(tg_custom_optim_add_group(o, (tg_list){t, 1, &b}, numbers), TG_OK);
    numbers[LR] = 99; /* they were copied */
    give(a, 1);
    give(b, 1);
    ck_assert_int_eq(tg_optim_step(o), TG_OK);
    WANT_VALUES(a, 0);
    WANT_VALUES(b, 0.75);
    ck_assert(tg_optim_group_lr(o, 0) == 1 && tg_optim_group_lr(o, 1) == 0.25 && isnan(tg_optim_group_lr(o, 2)));
    tg_tape_free(t);
}
END_TEST

/* ---- files ---- */

static char folder[300], path[400];
static void begin(void) {
    ck_assert(make_folder("custom_optim_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/run", folder);
}
static void end(void) {
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0);
}

static void note(const tg_file_tensor *x, void *context) {
    char *names = context;
    snprintf(names + strlen(names), 1000 - strlen(names), "%s %s\n", x->name, tg_shape_text(&x->shape).s);
}

START_TEST(a_file_keeps_state_rates_and_names)
{
    two s = balls(), r = balls();
    tg_optim *adam = tg_adamw_new(s.t, s.list, TG_ADAMW_DEFAULTS),
             *other = tg_adamw_new(r.t, r.list, TG_ADAMW_DEFAULTS);
    char names[1000] = "";
    for (int i = 0; i < 3; i++) {
        give(s.a, i + 1);
        if (i == 1)
            give(s.b, 1);
        ck_assert_int_eq(tg_optim_step(s.o), TG_OK);
        ck_assert_int_eq(tg_optim_step(adam), TG_OK);
    }
    tg_optim_set_lr(s.o, 0.125);
    ck_assert_msg(tg_save_run(s.t, path, (tg_run){.optim = {s.o, adam}}) == TG_OK, "%s", tg_error(s.t));
    ck_assert_int_eq(tg_list_file(s.t, path, note, names), TG_OK);
    ck_assert(strstr(names, "tapegrad.optim.0.0.ball (4,)\n") && strstr(names, "tapegrad.optim.0.momentum.a (2,)\n"));
    ck_assert(strstr(names, "tapegrad.optim.0.seen.b (1,)\n") && strstr(names, "tapegrad.optim.1.exp_avg.a (2,)\n"));
    ck_assert_msg(tg_load_run(r.t, path, (tg_run){.optim = {r.o, other}}) == TG_OK, "%s", tg_error(r.t));
    ck_assert(tg_optim_lr(r.o) == 0.125);
    for (int i = 0; i < 2; i++) {
        two *x = i ? &r : &s;
        give(x->a, 0.5);
        give(x->b, 0.25);
        ck_assert_int_eq(tg_optim_step(x->o), TG_OK); /* the callback compares seen and step */
    }
    double want[2];
    ck_assert_int_eq(tg_read_doubles(s.a, want, 2), TG_OK);
    want_values(r.a, 2, want);
    ck_assert_int_eq(tg_read_doubles(s.b, want, 1), TG_OK);
    want_values(r.b, 1, want);
    tg_optim_scale_lr(r.o, 1);
    ck_assert(tg_optim_lr(r.o) == 0.5); /* the config came back too */
    tg_tape_free(s.t);
    tg_tape_free(r.t);
}
END_TEST

/* What does not fit changes nothing. */
START_TEST(files_that_do_not_fit_change_nothing)
{
    static const tg_custom_optim other_name = {"balls", {"momentum", "seen"}, 2, NULL, ball_f64},
                                 other_state = {"ball", {"velocity", "seen"}, 2, NULL, ball_f64},
                                 more_state = {"ball", {"momentum", "seen", "more"}, 2, NULL, ball_f64},
                                 less_state = {"ball", {"momentum"}, 2, NULL, ball_f64},
                                 more_numbers = {"ball", {"momentum", "seen"}, 3, NULL, ball_f64},
                                 less_numbers = {"ball", {"momentum", "seen"}, 1, NULL, ball_f64};
    const tg_custom_optim *const kinds[] = {&other_name, &other_state,  &more_state,
                                            &less_state, &more_numbers, &less_numbers};
    two s = balls();
    ck_assert_int_eq(tg_save_run(s.t, path, (tg_run){.optim = {s.o}}), TG_OK);
    for (int i = 0; i < 6; i++) {
        two r = two_new(kinds[i], (const double[]){0.75, 0, 0});
        double to[] = {7, 7};
        ck_assert_int_eq(tg_write_doubles(r.a, to, 2), TG_OK);
        ck_assert_int_eq(tg_load_run(r.t, path, (tg_run){.optim = {r.o}}), TG_ERR_FORMAT);
        WANT_ERROR(r.t, TG_ERR_FORMAT, "load");
        ck_assert(tg_optim_lr(r.o) == 0.75);
        WANT_VALUES(r.a, 7, 7);
        tg_tape_free(r.t);
    }
    tg_optim *adamw = tg_adamw_new(s.t, s.list, TG_ADAMW_DEFAULTS);
    ck_assert_int_eq(tg_load_run(s.t, path, (tg_run){.optim = {adamw}}), TG_ERR_FORMAT);
    tg_clear_error(s.t);
    tg_tape_free(s.t);
}
END_TEST

/* A file in which a group's first rate, the double 0.3125, is negative. */
START_TEST(a_bad_number_in_a_file_is_refused)
{
    two s = two_new(&ball, (const double[]){0.3125, 0.5});
    tg_optim_set_lr(s.o, 0.125);
    ck_assert_int_eq(tg_save_run(s.t, path, (tg_run){.optim = {s.o}}), TG_OK);
    static char bytes[1 << 16];
    const double rate = 0.3125, negative = -0.3125;
    FILE *f = fopen(path, "r+b");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0, found = 0;
    for (size_t at = 0; at + sizeof rate <= n; at++)
        if (memcmp(bytes + at, &rate, sizeof rate) == 0) {
            memcpy(bytes + at, &negative, sizeof rate);
            found++;
        }
    ck_assert(found == 1 && n < sizeof bytes);
    rewind(f);
    ck_assert(fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    ck_assert_int_eq(tg_load_run(s.t, path, (tg_run){.optim = {s.o}}), TG_ERR_FORMAT);
    WANT_ERROR(s.t, TG_ERR_FORMAT, "out of range");
    tg_optim_scale_lr(s.o, 1);
    ck_assert(tg_optim_lr(s.o) == rate);
    tg_tape_free(s.t);
}
END_TEST

/* ---- callbacks that do what they like ---- */

static two *acting;
static int act; /* what the next call does */
static tg_mark before_b;
enum { FAIL, FAIL_WITH_WORDS, STEP_ITSELF, REWIND, ADD_GROUP, ZERO, SAVE, COMPUTE, SET_LR, ACTS };

static int quiet_step(const tg_update *u) {
    (void)u;
    return 0;
}
static const tg_custom_optim quiet = {.name = "quiet", .n_numbers = 1, .step_f64 = quiet_step};

static int acting_step(const tg_update *u) {
    tg_tape *t = acting->t;
    tg_mark mark = tg_tape_mark(t);
    tg_tensor x;
    *(double *)u->p += 1;
    switch (u->n == 2 ? act : ACTS) {
    case FAIL: return -1;
    case FAIL_WITH_WORDS: return (int)tg_reject(t, TG_ERR_NUMERIC, "acting: no step from here");
    case STEP_ITSELF: return (int)tg_optim_step(acting->o);
    case REWIND: return (int)tg_tape_rewind(t, before_b);
    case ADD_GROUP:
        x = wanting(VECTOR(t, 5));
        give(x, 1);
        return (int)tg_custom_optim_add_group(acting->o, (tg_list){t, 1, &x}, (const double[]){1});
    case ZERO: tg_zero_grads(t); return 0;
    case SAVE: return (int)tg_save_run(t, path, (tg_run){.optim = {acting->o}});
    case COMPUTE: /* matrix products, thrown away again */
        x = tg_matmul(tg_eye(t, 2), tg_ones(t, TG_SHAPE(2, 2)));
        ck_assert(tg_item(total(x)) == 4);
        return (int)tg_tape_rewind(t, mark);
    case SET_LR: tg_optim_set_lr(acting->o, 0.5); return 0;
    default: return 0;
    }
}
static const tg_custom_optim actor = {.name = "acting", .n_numbers = 1, .step_f64 = acting_step};

START_TEST(a_callbacks_error_or_misuse_is_reported)
{
    const tg_status want[] = {TG_ERR_STATE, TG_ERR_NUMERIC, TG_ERR_STATE, TG_ERR_STALE, TG_OK,
                              TG_OK,        TG_OK,          TG_OK,        TG_OK};
    const char *const text[] = {"acting: the step callback returned an error for a (2,)", "no step from here",
                                "for the same optimizer", "acting"};
    for (act = 0; act < ACTS; act++) {
        two s = {.t = tg_tape_new(TG_F64)};
        s.a = tg_parameter(s.t, "a", VECTOR(s.t, 1, 2));
        before_b = tg_tape_mark(s.t);
        s.b = tg_parameter(s.t, "b", VECTOR(s.t, 3));
        s.o = tg_custom_optim_new(s.t, &actor, tg_parameters(s.t), (const double[]){1});
        acting = &s;
        give(s.a, 1);
        give(s.b, 1);
        ck_assert_int_eq(tg_optim_step(s.o), want[act]);
        if (want[act])
            WANT_ERROR(s.t, want[act], text[act]);
        WANT_VALUES(s.a, 2, 2);
        if (want[act] != TG_ERR_STALE)
            WANT_VALUES(s.b, want[act] || act == ZERO ? 3 : 4);
        act = act == REWIND ? REWIND : act + ACTS; /* from now on it behaves */
        ck_assert_int_eq(tg_optim_step(s.o), act == REWIND ? TG_ERR_STALE : TG_OK);
        act = act == REWIND ? REWIND : act - ACTS;
        tg_tape_free(s.t);
    }
}
END_TEST

static int step_in_hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x;
    return (int)tg_optim_step(context);
}

START_TEST(calls_at_the_wrong_time_are_errors)
{
    two s = balls();
    ck_assert_int_eq(tg_register_hook(s.a, step_in_hook, s.o), TG_OK);
    ck_assert_int_eq(tg_backward(total(s.a)), TG_ERR_STATE);
    WANT_ERROR(s.t, TG_ERR_STATE, "optim_step", "hook");
    ck_assert_int_eq(tg_optim_step(NULL), TG_ERR_ARGUMENT);
    tg_tensor used = total(tg_square(s.b));
    give(s.b, 1);
    ck_assert_int_eq(tg_optim_step(s.o), TG_OK);
    ck_assert_int_eq(tg_backward(used), TG_ERR_STATE); /* what square kept is another number now */
    WANT_ERROR(s.t, TG_ERR_STATE, "modified");
    tg_mark mark = tg_tape_mark(s.t);
    tg_tensor x = wanting(VECTOR(s.t, 1));
    tg_optim *o = tg_custom_optim_new(s.t, &quiet, (tg_list){s.t, 1, &x}, (const double[]){0});
    ck_assert_int_eq(tg_tape_rewind(s.t, mark), TG_OK);
    ck_assert_int_eq(tg_optim_step(o), TG_ERR_STALE);
    WANT_ERROR(s.t, TG_ERR_STALE, "quiet");
    tg_tape_free(s.t);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    two s = balls();
    const double good[7] = {1};
    const tg_custom_optim cases[] = {
        {NULL, {NULL}, 1, NULL, quiet_step},
        {"", {NULL}, 1, NULL, quiet_step},
        {"a.b", {NULL}, 1, NULL, quiet_step},
        {"1st", {NULL}, 1, NULL, quiet_step},
        {"a name of more than forty letters, and of words", {NULL}, 1, NULL, quiet_step},
        {"x", {"m", "m"}, 1, NULL, quiet_step},
        {"x", {"step"}, 1, NULL, quiet_step},
        {"x", {"0"}, 1, NULL, quiet_step},
        {"x", {""}, 1, NULL, quiet_step},
        {"x", {"m\n"}, 1, NULL, quiet_step},
        {"x", {NULL}, 0, NULL, quiet_step},
        {"x", {NULL}, 11, NULL, quiet_step},
        {"x", {NULL}, -1, NULL, quiet_step},
        {"x", {NULL}, 1, quiet_step, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert(!tg_custom_optim_new(s.t, &cases[i], s.list, good));
        WANT_ERROR(s.t, TG_ERR_ARGUMENT, i < 5 ? "custom_optim: " : "x: ");
    }
    const double bad[][2] = {{-1, 0}, {NAN, 0}, {INFINITY, 0}, {1, NAN}, {1, -INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert(!tg_custom_optim_new(s.t, &ball, s.list, bad[i]));
        WANT_ERROR(s.t, TG_ERR_ARGUMENT, "ball: ");
    }
    tg_tensor made = tg_square(s.a), twice[] = {s.a, s.a};
    ck_assert(!tg_custom_optim_new(s.t, NULL, s.list, good));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "NULL");
    ck_assert(!tg_custom_optim_new(s.t, &ball, s.list, NULL));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "NULL");
    ck_assert(!tg_custom_optim_new(NULL, &ball, s.list, good));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "tape is NULL");
    ck_assert(!tg_custom_optim_new(NULL, NULL, (tg_list){0}, NULL));
    ck_assert(!tg_custom_optim_new(s.t, &ball, (tg_list){s.t, 0, NULL}, good));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "empty");
    ck_assert(!tg_custom_optim_new(s.t, &ball, (tg_list){s.t, 1, &made}, good));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "leaves");
    ck_assert(!tg_custom_optim_new(s.t, &ball, (tg_list){s.t, 2, twice}, good));
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "twice");
    ck_assert_int_eq(tg_custom_optim_add_group(s.o, s.list, good), TG_ERR_ARGUMENT);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "one group only");
    tg_optim *sgd = tg_sgd_new(s.t, s.list, TG_SGD_DEFAULTS);
    ck_assert_int_eq(tg_custom_optim_add_group(sgd, s.list, good), TG_ERR_ARGUMENT);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "sgd: ");
    ck_assert_int_eq(tg_sgd_add_group(s.o, s.list, TG_SGD_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "ball");
    ck_assert_int_eq(tg_adam_add_group(s.o, s.list, TG_ADAM_DEFAULTS), TG_ERR_ARGUMENT);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "ball");
    ck_assert_int_eq(tg_custom_optim_add_group(NULL, s.list, good), TG_ERR_ARGUMENT);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "NULL");
    ck_assert_int_eq(tg_custom_optim_add_group(NULL, (tg_list){0}, NULL), TG_ERR_ARGUMENT);
    tg_optim_set_lr(s.o, -1);
    WANT_ERROR(s.t, TG_ERR_ARGUMENT, "lr");
    tg_tape_free(s.t);
}
END_TEST

/* ---- every allocation refused in turn ---- */

START_TEST(out_of_memory_changes_nothing)
{
    bool done = false;
    for (int n = 1; !done && n < 100; n++) {
        allowance a = {.left = n};
        tg_tape *t = tg_tape_new_with(TG_F64, &(tg_allocator){allowance_get, allowance_put, &a});
        if (!t)
            continue;
        tg_tensor x = tg_set_requires_grad(tg_ones(t, TG_SHAPE(60000)), true);
        tg_optim *o = tg_custom_optim_new(t, &ball, (tg_list){t, 1, &x}, (const double[]){1, 0});
        ck_assert(o || tg_tape_status(t) == TG_ERR_MEMORY);
        done = o && !tg_backward(total(x)) && !tg_optim_step(o);
        ck_assert(done || tg_tape_status(t) == TG_ERR_MEMORY);
        tg_tape_free(t);
        ck_assert_uint_eq(a.out, 0);
    }
    ck_assert(done);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {updates_are_those_by_hand,          groups_have_their_numbers,
                                  a_file_keeps_state_rates_and_names, files_that_do_not_fit_change_nothing,
                                  a_bad_number_in_a_file_is_refused,  a_callbacks_error_or_misuse_is_reported,
                                  calls_at_the_wrong_time_are_errors, bad_arguments_are_refused,
                                  out_of_memory_changes_nothing};
    return run_tests("custom_optim", tests, sizeof tests / sizeof *tests, begin, end);
}
