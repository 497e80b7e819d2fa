/* One case of an operation, and the library's and the student's functions on it: see trial.h. */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

void take_note(const how *h, const char *name, tg_tensor x) {
    note_list *notes = h->notes;
    if (!notes || notes->n == (int)(sizeof notes->x / sizeof *notes->x) || tg_retain_grad(x))
        return;
    notes->name[notes->n] = name;
    notes->x[notes->n++] = x;
}

/* Of the first and the last element one is true, in turn from draw to draw: neither all are true nor none, and none of
 * both may be left out. */
static tg_tensor random_mask(tg_tape *t, tg_shape shape, uint64_t draws) {
    enum { MOST = 4096 };
    static bool bits[MOST];
    static double draw[MOST];
    int64_t n = numel_of(shape);
    if (n > MOST || tg_read_doubles(tg_rand(t, shape), draw, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++)
        bits[i] = i == 0 ? draws % 2 == 0 : i == n - 1 ? draws % 2 == 1 : draw[i] < 0.5;
    return tg_from_bools(t, shape, bits);
}

static tg_tensor random_numbers(tg_tape *t, tg_shape shape, double spread) {
    static double x[MAX_BYTES / sizeof(double)];
    int64_t n = numel_of(shape);
    if (n > (int64_t)(sizeof x / sizeof *x) || tg_read_doubles(tg_randn(t, shape), x, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++)
        x[i] = spread < 0 ? spread * (1 + fabs(x[i])) : spread * x[i];
    return tg_from_doubles(t, shape, x);
}

static tg_tensor random_input(const trial *r, const op_case *one, uint64_t draw, int i) {
    tg_shape shape = r->input[i], first = r->input[0];
    switch (r->op->kind[i]) {
    case 'b': return random_mask(r->t, shape, draw);
    case 'i': return tg_randint(r->t, 0, first.size[first.ndim - 1], shape);
    case 'r': return tg_randint(r->t, 0, first.size[0], shape);
    default: return random_numbers(r->t, shape, one->spread != 0 ? one->spread : 1);
    }
}

bool compute_value(trial *r) {
    tg_tensor y = r->op->reference(r->x, &r->h);
    r->shape = tg_shape_of(y);
    free(r->value);
    r->value = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    return r->value && tg_read_doubles(y, r->value, numel_of(r->shape)) == TG_OK;
}

bool open_inputs(trial *r, session *s, const op_spec *op, const op_case *one, uint64_t draw) {
    *r = (trial){.s = s, .op = op, .one = one, .t = tg_tape_new(TG_F64), .n_inputs = (int)strlen(op->kind)};
    r->wanted = ~0u;
    if (!r->t)
        return false;
    memcpy(r->h.number, one->number, sizeof r->h.number);
    memcpy(r->input, one->input, sizeof r->input);
    r->h.variant = s->variant[s->task];
    if (op->arrange)
        op->arrange(r->input, r->h.variant);
    tg_manual_seed(r->t, s->seed + draw);
    for (int i = 0; i < r->n_inputs; i++)
        r->x[i] = random_input(r, one, draw, i);
    return !tg_tape_status(r->t);
}

bool open_trial(trial *r, session *s, const op_spec *op, const op_case *one, uint64_t draw) {
    return open_inputs(r, s, op, one, draw) && compute_value(r);
}

void forget_kept(trial *r) {
    for (int i = 0; i < r->n_kept; i++)
        free(r->kept[i].value);
    r->n_kept = 0;
}

void close_trial(trial *r) {
    forget_kept(r);
    free(r->value);
    tg_tape_free(r->t);
}

static int dtype_of(char kind) { return kind == 'f' ? TG_F64 : kind == 'b' ? TG_BOOL : TG_I64; }

/* One call in the student's process: of forward, which fills y; or of the VJP, which reads the right y and dy and adds
 * to dx[i] where that is not NULL. */
static bool ask_student(trial *r, call_kind kind, double *y, const double *dy, double *const *dx) {
    request q = {.kind = (int32_t)kind, .n_inputs = r->n_inputs};
    void *data[MAX_ARRAYS] = {0};
    int n = r->n_inputs, value = 1;
    memcpy(q.number, r->h.number, sizeof q.number);
    snprintf(q.symbol, sizeof q.symbol, "%s", r->op->symbol);
    for (int i = 0; i < n; i++) {
        q.array[i] = (array){r->input[i], dtype_of(r->op->kind[i]), 0, 0};
        data[i] = (void *)(uintptr_t)tg_const_data(r->x[i]);
    }
    q.array[n] = (array){r->shape, TG_F64, 0, kind == CALL_FORWARD};
    data[n] = y;
    q.n_arrays = n + 1;
    for (int i = 0; i < n && kind == CALL_VJP; i++) {
        q.array[n + 1] = (array){r->shape, TG_F64, 0, 0};
        data[n + 1] = (void *)(uintptr_t)dy;
        q.array[n + 2 + i] = (array){r->input[i], TG_F64, !dx[i], 1};
        data[n + 2 + i] = dx[i];
        q.n_arrays = 2 * n + 2;
    }
    forget_kept(r);
    bool ran = student_call(r->s->student, &q, data, &value, r->kept, &r->n_kept);
    if (ran && value)
        snprintf(r->s->student->failure, sizeof r->s->student->failure, "the function returned %d; return 0", value);
    return ran && !value;
}

bool student_value(trial *r, double *out, double before) {
    for (int64_t j = 0; j < numel_of(r->shape); j++)
        out[j] = before;
    return ask_student(r, CALL_FORWARD, out, NULL, NULL);
}

void print_shapes(FILE *file, const trial *r) {
    for (int i = 0; i < r->n_inputs; i++)
        fprintf(file, "%s%s %s", i ? ", " : "", r->op->operand[i], tg_shape_text(&r->input[i]).s);
}

void report_case(const trial *r, const char *what) {
    fprintf(r->s->detail, "    ");
    print_shapes(r->s->detail, r);
    fprintf(r->s->detail, ": %s\n", what);
}

verdict cannot_make(const trial *r) {
    return wrong("grader", "grader", "cannot make the inputs: %s", r->t ? tg_error(r->t) : "out of memory");
}

/* ---- samples of a gradient ---- */

bool is_float(const trial *r, int i) { return r->op->kind[i] == 'f'; }

bool backward_of(trial *r, tg_tensor dy, int fault, note_list *notes) {
    how h = r->h;
    h.fault = fault;
    h.notes = notes;
    tg_zero_grads(r->t);
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i))
            tg_set_requires_grad(r->x[i], true);
    bool good = tg_backward_with(r->op->reference(r->x, &h), dy) == TG_OK;
    if (!good)
        tg_clear_error(r->t);
    return good;
}

void free_sample(sample *a) {
    for (int i = 0; i < MAX_INPUTS; i++) {
        free(a->mine[i]);
        free(a->right[i]);
    }
}

bool right_gradients(trial *r, sample *a) {
    a->dy = tg_randn(r->t, r->shape);
    if (!backward_of(r, a->dy, 0, NULL))
        return false;
    for (int i = 0; i < r->n_inputs; i++) {
        int64_t n = numel_of(r->input[i]);
        a->mine[i] = calloc((size_t)n + 1, sizeof(double));
        a->right[i] = calloc((size_t)n + 1, sizeof(double));
        if (!a->mine[i] || !a->right[i])
            return false;
        if (is_float(r, i) && tg_read_doubles(tg_grad(r->x[i]), a->right[i], n))
            return false;
    }
    return true;
}

static bool is_wanted(const trial *r, int i) { return is_float(r, i) && (r->wanted >> i & 1); }

bool ask_for_gradients(trial *r, sample *a) {
    double *dx[MAX_INPUTS] = {NULL};
    for (int i = 0; i < r->n_inputs; i++)
        if (is_wanted(r, i))
            dx[i] = a->mine[i];
    return ask_student(r, CALL_VJP, r->value, tg_const_data(a->dy), dx);
}

static void add_to_all(const trial *r, sample *a, double what) {
    for (int i = 0; i < r->n_inputs; i++)
        for (int64_t j = 0; is_wanted(r, i) && j < numel_of(r->input[i]); j++)
            a->mine[i][j] += what;
}

bool student_gradients(trial *r, sample *a) {
    for (int i = 0; i < r->n_inputs; i++)
        memset(a->mine[i], 0, (size_t)numel_of(r->input[i]) * sizeof(double));
    add_to_all(r, a, a->before);
    bool ran = ask_for_gradients(r, a);
    add_to_all(r, a, -a->before);
    return ran;
}

bool take_sample(trial *r, sample *a) { return right_gradients(r, a) && student_gradients(r, a); }
