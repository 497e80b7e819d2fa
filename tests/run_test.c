/* A run in a file: N + N steps in two processes are 2 N steps in every bit, and what does not fit changes nothing. */
#include "nn/nn.h"
#include "optim/optim.h"
#include "tests/support.h"

#include <stdio.h>
#include <unistd.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

static char folder[300];

static void begin(void) { ck_assert(make_folder("run_test", folder, sizeof folder)); }

static const char *in_folder(const char *name) {
    static char path[4][400];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void end(void) {
    static const char *const names[] = {"whole", "half", "two halves", "file"};
    for (int i = 0; i < 4; i++)
        unlink(in_folder(names[i]));
    ck_assert_int_eq(rmdir(folder), 0);
}

/* ---- a run that has everything: dropout, clipping, a schedule, two groups, spare normals, frozen steps ---- */

enum { WIDTH = 96, HIDDEN = 384, BATCH = 257, N = 5, KINDS = 5, MUON = 4 };

typedef struct training {
    tg_tape *t;
    tg_nn_linear in, out;
    tg_nn_layer_norm norm;
    tg_optim *o, *rest; /* rest: what is no matrix, beside Muon; NULL */
    int64_t step;
    double best;
    tg_run_number number[2];
} training;

static tg_optim *optimizer(tg_tape *t, int kind, tg_list first, tg_list second) {
    tg_sgd_config sgd = {.lr = 0.05, .momentum = 0.9, .dampening = 0.1, .weight_decay = 0.01};
    tg_adam_config adam = TG_ADAM_DEFAULTS;
    adam.weight_decay = 0.02;
    adam.amsgrad = kind == 3;
    tg_optim *o = kind == 0   ? tg_sgd_new(t, first, sgd)
                  : kind == 1 ? tg_adam_new(t, first, adam)
                              : tg_adamw_new(t, first, adam);
    sgd.momentum = sgd.dampening = 0;
    adam.beta1 = 0.8;
    ck_assert_int_eq(kind == 0 ? tg_sgd_add_group(o, second, sgd) : tg_adam_add_group(o, second, adam), TG_OK);
    return o;
}

/* Muon for the layers' matrices, in two groups, AdamW for the others. */
static void make_muon(training *r) {
    tg_selection matrix = TG_SELECT_ALL, other = TG_SELECT_ALL;
    tg_muon_config config = TG_MUON_DEFAULTS;
    matrix.min_ndim = 2;
    other.max_ndim = 1;
    matrix.prefix = "in.";
    r->o = tg_muon_new(r->t, tg_parameters_where(r->t, matrix), config);
    matrix.prefix = "out.";
    config = (tg_muon_config){0.01, 0.2, 0.9, false, 3, -3.2, 1.2, 1e-6, 4, TG_MUON_MATCH_RMS_ADAMW};
    ck_assert_int_eq(tg_muon_add_group(r->o, tg_parameters_where(r->t, matrix), config), TG_OK);
    r->rest = tg_adamw_new(r->t, tg_parameters_where(r->t, other), TG_ADAMW_DEFAULTS);
}

static void make(training *r, int kind, uint64_t seed) {
    r->t = tg_tape_new(TG_F32);
    tg_manual_seed(r->t, seed);
    r->in = tg_nn_linear_new(r->t, "in", WIDTH, HIDDEN, true);
    r->norm = tg_nn_layer_norm_new(r->t, "norm", HIDDEN, true);
    r->out = tg_nn_linear_new(r->t, "out", HIDDEN, WIDTH, true);
    tg_buffer(r->t, "seen", tg_zeros(r->t, TG_SHAPE(1)));
    r->rest = NULL;
    if (kind == MUON)
        make_muon(r);
    else
        r->o = optimizer(r->t, kind, tg_parameters_under(r->t, "in"), tg_parameters_under(r->t, "out"));
    r->step = 0;
    r->best = INFINITY;
    r->number[0] = (tg_run_number){"step", &r->step, NULL};
    r->number[1] = (tg_run_number){"best loss", NULL, &r->best};
    WANT_OK(r->t);
}

static tg_run run_of(const training *r) {
    return (tg_run){.optim = {r->o, r->rest}, .number = r->number, .n_numbers = 2};
}

static void steps(training *r, int n) {
    tg_tape *t = r->t;
    tg_mark built = tg_tape_mark(t);
    for (int i = 0; i < n; i++, r->step++) {
        tg_optim_set_lr(r->o, tg_lr_warmup_cosine(0.01, r->step + 1, 3, 4 * N));
        tg_tensor x = tg_randn(t, TG_SHAPE(BATCH, WIDTH)), noise = tg_randn(t, TG_SCALAR);
        tg_tensor h = tg_nn_layer_norm_forward(&r->norm, tg_gelu(tg_nn_linear_forward(&r->in, x)));
        tg_tensor y = tg_nn_linear_forward(&r->out, tg_dropout(h, 0.2));
        tg_tensor loss = tg_mse_loss(y, tg_add(x, tg_expand(noise, TG_SHAPE(BATCH, WIDTH))), TG_MEAN);
        tg_zero_grads(t);
        ck_assert_msg(tg_backward(loss) == TG_OK, "%s", tg_error(t));
        if (r->step % 3 == 1)
            tg_zero_grad(r->in.bias); /* it gets no step, and its count stays behind */
        ck_assert_int_eq(tg_clip_grad_norm(tg_parameters(t), 0.5, 2, NULL), TG_OK);
        ck_assert_int_eq(tg_optim_step(r->o), TG_OK);
        ck_assert(!r->rest || tg_optim_step(r->rest) == TG_OK);
        r->best = fmin(r->best, tg_item(loss));
        ck_assert_int_eq(tg_tape_rewind(t, built), TG_OK);
    }
}

static void save(training *r, const char *name) {
    ck_assert_msg(tg_save_run(r->t, in_folder(name), run_of(r)) == TG_OK, "%s", tg_error(r->t));
}

/* n steps from a file (NULL: from the beginning) to a file. */
static void go_on(int kind, int threads, const char *from, int n, const char *to) {
    training r;
    tg_set_threads(threads);
    make(&r, kind, from ? 99 : 1);
    if (from)
        ck_assert_msg(tg_load_run(r.t, in_folder(from), run_of(&r)) == TG_OK, "%s", tg_error(r.t));
    steps(&r, n);
    save(&r, to);
}

/* The same in a process of its own, where there are forks. */
static void in_a_process(int kind, int threads, const char *from, int n, const char *to) {
#ifdef _WIN32
    go_on(kind, threads, from, n, to);
#else
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        go_on(kind, threads, from, n, to);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
#endif
}

static size_t bytes_of(const char *name, char *out, size_t size) {
    FILE *f = fopen(in_folder(name), "rb");
    ck_assert_ptr_nonnull(f);
    size_t n = fread(out, 1, size, f);
    ck_assert_uint_lt(n, size);
    fclose(f);
    return n;
}

static bool same_file(const char *a, const char *b) {
    static char x[1 << 22], y[1 << 22];
    size_t n = bytes_of(a, x, sizeof x);
    return n == bytes_of(b, y, sizeof y) && memcmp(x, y, n) == 0;
}

/* The files hold all there is, so that equal files are equal runs. */
START_TEST(two_halves_are_the_whole)
{
    static const int threads[] = {1, 2, 3, 8};
    int kind = _i;
    in_a_process(kind, 1, NULL, 2 * N, "whole");
    for (int i = 0; i < 4; i++) {
        in_a_process(kind, threads[i], NULL, N, "half");
        ck_assert(!same_file("whole", "half"));
        in_a_process(kind, threads[3 - i], "half", N, "two halves");
        ck_assert_msg(same_file("whole", "two halves"), "optimizer %d, %d and %d threads", kind, threads[i],
                      threads[3 - i]);
    }
}
END_TEST

START_TEST(rates_configs_and_numbers_are_the_files)
{
    training r, q;
    make(&r, 2, 1);
    steps(&r, 3);
    tg_optim_set_lr(r.o, 0.125);
    save(&r, "file");
    make(&q, 2, 2);
    tg_adam_config other = {.lr = 7, .beta1 = 0.1, .beta2 = 0.2, .eps = 0.3, .weight_decay = 0.4, .maximize = true};
    q.o = tg_adamw_new(q.t, tg_parameters_under(q.t, "in"), other);
    ck_assert_int_eq(tg_adam_add_group(q.o, tg_parameters_under(q.t, "out"), other), TG_OK);
    ck_assert_msg(tg_load_run(q.t, in_folder("file"), run_of(&q)) == TG_OK, "%s", tg_error(q.t));
    ck_assert_double_eq(tg_optim_lr(q.o), 0.125);
    ck_assert_int_eq(q.step, 3);
    ck_assert_double_eq(q.best, r.best);
    save(&q, "half");
    ck_assert(same_file("file", "half"));
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

static void count_those_of_weight(const tg_file_tensor *x, void *context) {
    size_t n = strlen(x->name);
    *(int *)context += n > 10 && !strcmp(x->name + n - 10, ".in.weight");
}

START_TEST(muon_s_configs_are_the_files_and_its_last_direction_is_not_kept)
{
    training r, q;
    int beside = 0;
    tg_muon_config other = {7, 0.1, 0.2, true, 0.3, 0.4, 0.5, 0.6, 7, TG_MUON_SPECTRAL_UNCLAMPED};
    make(&r, MUON, 1);
    steps(&r, 3);
    save(&r, "file");
    ck_assert_int_eq(tg_list_file(r.t, in_folder("file"), count_those_of_weight, &beside), TG_OK);
    ck_assert_int_eq(beside, 2); /* its steps and its momentum */
    make(&q, MUON, 2);
    q.o = tg_muon_new(q.t, tg_parameters_under(q.t, "in.weight"), other);
    ck_assert_int_eq(tg_muon_add_group(q.o, tg_parameters_under(q.t, "out.weight"), other), TG_OK);
    ck_assert_msg(tg_load_run(q.t, in_folder("file"), run_of(&q)) == TG_OK, "%s", tg_error(q.t));
    save(&q, "half");
    ck_assert(same_file("file", "half"));
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

START_TEST(a_run_opens_without_its_optimizer)
{
    training r, q;
    float want[WIDTH], got[WIDTH];
    make(&r, 1, 1);
    steps(&r, 2);
    save(&r, "file");
    make(&q, 1, 2);
    ck_assert_msg(tg_load(q.t, in_folder("file")) == TG_OK, "%s", tg_error(q.t));
    ck_assert_int_eq(tg_read_floats(r.out.bias, want, WIDTH), TG_OK);
    ck_assert_int_eq(tg_read_floats(q.out.bias, got, WIDTH), TG_OK);
    ck_assert(memcmp(want, got, sizeof want) == 0);
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

/* ---- what does not fit ---- */

/* The run cannot be loaded, for this reason, and saves as before. */
static void want_no_run(training *r, tg_run run, const char *text) {
    save(r, "half");
    tg_status status = tg_load_run(r->t, in_folder("file"), run);
    ck_assert_msg(status != TG_OK && strstr(tg_error(r->t), text) != NULL, "no '%s' in: %s", text, tg_error(r->t));
    tg_clear_error(r->t);
    save(r, "two halves");
    ck_assert(same_file("half", "two halves"));
}

START_TEST(runs_that_do_not_fit_change_nothing)
{
    training r, q;
    make(&r, 2, 1);
    steps(&r, 2);
    ck_assert_int_eq(tg_save(r.t, in_folder("file")), TG_OK);
    want_no_run(&r, run_of(&r), "it holds tensors, but no run; tg_load reads it");
    save(&r, "file");
    for (int kind = 0; kind < KINDS; kind++) {
        make(&q, kind, 2);
        if (kind != 2)
            want_no_run(&q, run_of(&q), "tapegrad.optim.0.");
        tg_tape_free(q.t);
    }
    make(&q, 2, 2);
    tg_run run = run_of(&q);
    run.n_numbers = 1;
    want_no_run(&q, run, "'tapegrad.number.best loss' is in the file, but not on the tape");
    run.n_numbers = 2;
    q.number[1].name = "other";
    want_no_run(&q, run, "'tapegrad.number.other' is not in the file");
    q.number[1] = (tg_run_number){"best loss", &q.step, NULL};
    want_no_run(&q, run, "number.best loss () is int64, but F64 in the file");
    q.number[1] = (tg_run_number){"best loss", NULL, &q.best};
    q.o = optimizer(q.t, 2, tg_parameters_under(q.t, "out"), tg_parameters_under(q.t, "in"));
    run.optim[0] = tg_adamw_new(q.t, tg_parameters(q.t), TG_ADAMW_DEFAULTS);
    want_no_run(&q, run, "tapegrad.optim.0.exp_avg.norm");
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

/* Where a tensor's bytes are in a file of tg_save_run. */
static char *data_of(char *file, const char *name) {
    char key[200];
    uint64_t n;
    memcpy(&n, file, sizeof n);
    snprintf(key, sizeof key, "\"%s\":{", name);
    file[8 + n - 1] = '\0'; /* padding, or the last bracket */
    char *at = strstr(file + 8, key);
    ck_assert_msg(at != NULL, "%s is not in the file", name);
    at = strstr(at, "\"data_offsets\":[");
    return file + 8 + n + strtoull(at + strlen("\"data_offsets\":["), NULL, 10);
}

static void write_with(const char *name, int element, const void *value) {
    static char file[1 << 22];
    size_t n = bytes_of("whole", file, sizeof file);
    char last = file[8 + *(uint64_t *)(void *)file - 1];
    memcpy(data_of(file, name) + 8 * element, value, 8);
    file[8 + *(uint64_t *)(void *)file - 1] = last;
    FILE *f = fopen(in_folder("file"), "wb");
    ck_assert(f && fwrite(file, 1, n, f) == n);
    fclose(f);
}

START_TEST(unusable_numbers_in_a_file_change_nothing)
{
    static const int64_t minus = -1, last = INT64_MAX, two = 2, large = 700, wide = INT64_C(1) << 40;
    static const double nan = NAN, half = 0.5, negative = -1, one = 1;
    static const struct {
        const char *name;
        int element;
        const void *value;
        const char *text;
    } bad[] = {{"tapegrad.run", 0, &two, "newer version"},
               {"tapegrad.generator", 1, &minus, "generator"},
               {"tapegrad.generator", 1, &large, "generator"},
               {"tapegrad.generator", 9, &wide, "generator"},
               {"tapegrad.optim.0.step.in.weight", 0, &minus, "updates"},
               {"tapegrad.optim.0.step.in.weight", 0, &last, "updates"},
               {"tapegrad.optim.0.0.adamw", 0, &half, "parameters"},
               {"tapegrad.optim.0.0.adamw", 1, &nan, "out of range"},
               {"tapegrad.optim.0.1.adamw", 1, &negative, "out of range"},
               {"tapegrad.optim.0.1.adamw", 3, &one, "out of range"},  /* beta1 */
               {"tapegrad.optim.0.1.adamw", 7, &one, "out of range"}}; /* amsgrad */
    training r, q;
    make(&r, 2, 1);
    steps(&r, 2);
    save(&r, "whole");
    make(&q, 2, 2);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_with(bad[i].name, bad[i].element, bad[i].value);
        want_no_run(&q, run_of(&q), bad[i].text);
    }
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

START_TEST(unusable_numbers_of_muon_change_nothing)
{
    static const double negative = -1, half = 0.5, three = 3, nan = NAN, zero = 0;
    static const struct {
        int element;
        const double *value;
    } bad[] = {{1, &negative}, {2, &nan}, {9, &zero}, {10, &half}, {10, &nan}, {11, &three}}; /* lr .. adjust_lr_fn */
    training r, q;
    make(&r, MUON, 1);
    steps(&r, 2);
    save(&r, "whole");
    make(&q, MUON, 2);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_with("tapegrad.optim.0.1.muon", bad[i].element, bad[i].value);
        want_no_run(&q, run_of(&q), "out of range");
    }
    ck_assert_msg(tg_load_run(q.t, in_folder("whole"), run_of(&q)) == TG_OK, "%s", tg_error(q.t));
    tg_tape_free(r.t);
    tg_tape_free(q.t);
}
END_TEST

START_TEST(wrong_runs_are_refused)
{
    training r;
    int64_t i = 0;
    double x = 0;
    make(&r, 1, 1);
    tg_tape *other = tg_tape_new(TG_F32);
    const tg_run_number bad[][2] = {{{"a", &i, NULL}, {"a", &i, NULL}},
                                    {{"a", &i, &x}, {"b", &i, NULL}},
                                    {{"a", NULL, NULL}, {"b", &i, NULL}},
                                    {{NULL, &i, NULL}, {"b", &i, NULL}},
                                    {{"", &i, NULL}, {"b", &i, NULL}}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tg_run run = {.number = bad[k], .n_numbers = 2};
        ck_assert_int_eq(tg_save_run(r.t, in_folder("file"), run), TG_ERR_ARGUMENT);
        tg_clear_error(r.t);
        ck_assert_int_eq(tg_load_run(r.t, in_folder("file"), run), TG_ERR_ARGUMENT);
        tg_clear_error(r.t);
    }
    ck_assert_int_eq(tg_save_run(r.t, in_folder("file"), (tg_run){.n_numbers = 1}), TG_ERR_ARGUMENT);
    WANT_ERROR(r.t, TG_ERR_ARGUMENT, "save_run: the run has 1 numbers, but they are NULL");
    ck_assert_int_eq(tg_save_run(r.t, in_folder("file"), (tg_run){.n_numbers = -1}), TG_ERR_ARGUMENT);
    ck_assert_str_eq(tg_error(r.t), "save_run: the run has -1 numbers");
    tg_clear_error(r.t);
    ck_assert_int_eq(tg_save_run(r.t, in_folder("no/file"), (tg_run){0}), TG_ERR_IO);
    WANT_ERROR(r.t, TG_ERR_IO, "save_run: ", "no/file");
    ck_assert_int_eq(tg_load_run(r.t, in_folder("no/file"), (tg_run){0}), TG_ERR_IO);
    WANT_ERROR(r.t, TG_ERR_IO, "load_run: ", "no/file");
    ck_assert_int_eq(tg_check_save(r.t, in_folder("no/file")), TG_ERR_IO);
    WANT_ERROR(r.t, TG_ERR_IO, "check_save: ", "no/file");
    ck_assert_int_eq(tg_list_file(r.t, in_folder("no/file"), NULL, NULL), TG_ERR_IO);
    WANT_ERROR(r.t, TG_ERR_IO, "list_file: ", "no/file");
    ck_assert_int_eq(tg_save_run(r.t, in_folder("file"), (tg_run){.optim = {NULL, r.o}}), TG_ERR_ARGUMENT);
    WANT_ERROR(r.t, TG_ERR_ARGUMENT, "optim[0] is NULL");
    ck_assert_int_eq(tg_save_run(other, in_folder("file"), run_of(&r)), TG_ERR_ARGUMENT);
    WANT_ERROR(other, TG_ERR_ARGUMENT, "another tape");
    tg_tensor unnamed = tg_set_requires_grad(tg_ones(r.t, TG_SHAPE(2)), true);
    r.o = tg_sgd_new(r.t, (tg_list){r.t, 1, &unnamed}, TG_SGD_DEFAULTS);
    ck_assert_int_eq(tg_save_run(r.t, in_folder("file"), run_of(&r)), TG_ERR_ARGUMENT);
    WANT_ERROR(r.t, TG_ERR_ARGUMENT, "no name");
    ck_assert_int_eq(tg_save_run(r.t, "", (tg_run){0}), TG_ERR_ARGUMENT);
    tg_clear_error(r.t);
    ck_assert_int_eq(tg_save_run(NULL, in_folder("file"), (tg_run){0}), TG_ERR_ARGUMENT);
    ck_assert_int_eq(tg_load_run(NULL, in_folder("file"), (tg_run){0}), TG_ERR_ARGUMENT);
    ck_assert_int_ne(access(in_folder("file"), F_OK), 0);
    tg_tape_free(r.t);
    tg_tape_free(other);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("run");
    tcase_add_checked_fixture(c, begin, end);
    tcase_add_loop_test(c, two_halves_are_the_whole, 0, KINDS);
    tcase_add_test(c, rates_configs_and_numbers_are_the_files);
    tcase_add_test(c, muon_s_configs_are_the_files_and_its_last_direction_is_not_kept);
    tcase_add_test(c, a_run_opens_without_its_optimizer);
    tcase_add_test(c, runs_that_do_not_fit_change_nothing);
    tcase_add_test(c, unusable_numbers_in_a_file_change_nothing);
    tcase_add_test(c, unusable_numbers_of_muon_change_nothing);
    tcase_add_test(c, wrong_runs_are_refused);
    return run_suite("run", c);
}
