/* Checks of an operation's value and gradient. The value is compared with the library's, the gradient with finite
 * differences of the student's own value where that is right. */
#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- small things ---- */

verdict wrong(const char *where, const char *mistake, const char *format, ...) {
    verdict v = {.right = false};
    va_list args;
    va_start(args, format);
    vsnprintf(v.why, sizeof v.why, format, args);
    va_end(args);
    snprintf(v.where, sizeof v.where, "%s", where);
    snprintf(v.mistake, sizeof v.mistake, "%s", mistake);
    return v;
}

verdict failed(const session *s, const char *where) {
    const student *st = s->student;
    const char *name = st->is_missing                            ? "missing"
                       : strstr(st->failure, "does not end")     ? "endless loop"
                       : strstr(st->failure, "NULL")             ? "NULL used"
                       : strstr(st->failure, "exit(")            ? "exit"
                       : strstr(st->failure, "first element of") ? "written out of bounds"
                       : strstr(st->failure, "past the end")     ? "out of bounds"
                                                                 : "crash";
    return wrong(where, name, "%s", st->failure[0] ? st->failure : "the code could not be run");
}

int64_t numel_of(tg_shape shape) {
    int64_t n = 1;
    for (int i = 0; i < shape.ndim; i++)
        n *= shape.size[i];
    return n;
}

bool same_numbers(const double *a, const double *b, int64_t n) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(b[i]));
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-7 * largest + 1e-12))
            return false;
    return true;
}

double ratio_of(const double *a, const double *b, int64_t n) {
    double products = 0, squares = 0, apart = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        products += a[i] * b[i];
        squares += b[i] * b[i];
        size += a[i] * a[i];
    }
    if (!(squares > 0) || !(size > 0))
        return NAN;
    for (int64_t i = 0; i < n; i++)
        apart += (a[i] - products / squares * b[i]) * (a[i] - products / squares * b[i]);
    return apart <= 1e-10 * size ? products / squares : NAN;
}

const char *place_text(tg_shape shape, int64_t k, char *out, size_t size) {
    int64_t at[TG_MAX_DIMS];
    size_t used = 0;
    for (int i = shape.ndim - 1; i >= 0; i--) {
        at[i] = k % shape.size[i];
        k /= shape.size[i];
    }
    used += (size_t)snprintf(out, size, "[");
    for (int i = 0; i < shape.ndim && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? ", " : "", (long long)at[i]);
    if (used < size)
        snprintf(out + used, size - used, "]");
    return out;
}

static void print_shapes(FILE *file, const op_spec *op, const op_case *one) {
    for (size_t i = 0; i < strlen(op->kind); i++) {
        fprintf(file, "%s%s (", i ? ", " : "", op->operand[i]);
        for (int k = 0; k < one->input[i].ndim; k++)
            fprintf(file, "%s%lld", k ? ", " : "", (long long)one->input[i].size[k]);
        fprintf(file, ")");
    }
}

void take_note(note_list *notes, const char *name, tg_tensor x) {
    if (!notes || notes->n == (int)(sizeof notes->x / sizeof *notes->x) || tg_retain_grad(x))
        return;
    notes->name[notes->n] = name;
    notes->x[notes->n++] = x;
}

/* ---- a case: random inputs, and the student's functions on them ---- */

/* One operation on a tape, with one case's inputs. */
typedef struct trial {
    session *s;
    const op_spec *op;
    const op_case *one;
    tg_tape *t;
    int n_inputs;
    tg_tensor x[MAX_INPUTS];
    tg_shape shape; /* of the result */
    double *value;  /* the right result */
    bool reference_forward, frozen;
    kept_array kept[MAX_KEPT];
    int n_kept;
} trial;

static tg_tensor random_mask(tg_tape *t, tg_shape shape) {
    bool bits[64];
    int64_t n = numel_of(shape);
    double draw[64];
    if (n > 64 || tg_read_doubles(tg_rand(t, shape), draw, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++)
        bits[i] = i == n - 1 || (i > 0 && draw[i] < 0.5);
    return tg_from_bools(t, shape, bits);
}

static bool open_trial(trial *r, session *s, const op_spec *op, int k) {
    const op_case *one = &op->cases[k];
    *r = (trial){.s = s, .op = op, .one = one, .t = tg_tape_new(TG_F64), .n_inputs = (int)strlen(op->kind)};
    if (!r->t)
        return false;
    tg_manual_seed(r->t, s->seed + (uint64_t)k);
    for (int i = 0; i < r->n_inputs; i++) {
        tg_shape shape = one->input[i];
        r->x[i] = op->kind[i] == 'f'   ? tg_randn(r->t, shape)
                  : op->kind[i] == 'b' ? random_mask(r->t, shape)
                                       : tg_randint(r->t, 0, one->input[0].size[one->input[0].ndim - 1], shape);
    }
    tg_tensor y = op->reference(r->x, one->number, 0, NULL);
    r->shape = tg_shape_of(y);
    r->value = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    return r->value && tg_read_doubles(y, r->value, numel_of(r->shape)) == TG_OK;
}

static void forget_kept(trial *r) {
    for (int i = 0; i < r->n_kept; i++)
        free(r->kept[i].value);
    r->n_kept = 0;
}

static void close_trial(trial *r) {
    forget_kept(r);
    free(r->value);
    tg_tape_free(r->t);
}

static int dtype_of(char kind) { return kind == 'f' ? TG_F64 : kind == 'b' ? TG_BOOL : TG_I64; }

/* The library asks for a forward or a VJP; the student's process answers. A gradient that is not wanted is given
 * scratch to be added to all the same, unless the part is about just that. */
static int ask_student(trial *r, const tg_call *c, call_kind kind) {
    request q = {.kind = (int32_t)kind, .n_inputs = c->n_inputs, .number = {r->one->number}};
    void *data[MAX_ARRAYS] = {0}, *scratch[MAX_INPUTS] = {0};
    int n = c->n_inputs, value = 1;
    snprintf(q.symbol, sizeof q.symbol, "%s", r->op->symbol);
    for (int i = 0; i < n; i++) {
        q.array[i] = (array){c->input_shape[i], dtype_of(r->op->kind[i]), 0, 0};
        data[i] = (void *)(uintptr_t)c->input[i];
    }
    q.array[n] = (array){*c->output_shape, TG_F64, 0, kind == CALL_FORWARD};
    data[n] = c->output;
    q.n_arrays = n + 1;
    for (int i = 0; i < n && kind == CALL_VJP; i++) {
        q.array[n + 1] = (array){*c->output_shape, TG_F64, 0, 0};
        data[n + 1] = (void *)(uintptr_t)c->output_grad;
        q.n_arrays = 2 * n + 2;
        data[n + 2 + i] = c->input_grad[i];
        if (!c->input_grad[i] && !r->frozen && r->op->kind[i] == 'f')
            data[n + 2 + i] = scratch[i] = calloc((size_t)numel_of(c->input_shape[i]) + 1, sizeof(double));
        q.array[n + 2 + i] = (array){c->input_shape[i], TG_F64, !data[n + 2 + i], 1};
    }
    forget_kept(r);
    bool ran = student_call(r->s->student, &q, data, &value, r->kept, &r->n_kept);
    for (int i = 0; i < n; i++)
        free(scratch[i]);
    if (ran && value)
        snprintf(r->s->student->failure, sizeof r->s->student->failure, "the function returned %d; return 0", value);
    return !ran || value;
}

typedef struct proxy {
    trial *r;
} proxy;

static int proxy_forward(const tg_call *c) {
    trial *r = ((const proxy *)c->context)->r;
    int64_t n = numel_of(*c->output_shape);
    double *y = c->output;
    for (int64_t i = 0; i < n; i++)
        y[i] = NAN;
    if (!r->reference_forward)
        return ask_student(r, c, CALL_FORWARD);
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[MAX_INPUTS];
    for (int i = 0; t && i < c->n_inputs; i++)
        x[i] = r->op->kind[i] == 'f'   ? tg_from_doubles(t, c->input_shape[i], c->input[i])
               : r->op->kind[i] == 'b' ? tg_from_bools(t, c->input_shape[i], c->input[i])
                                       : tg_from_ints(t, c->input_shape[i], c->input[i]);
    int status = !t || tg_read_doubles(r->op->reference(x, r->one->number, 0, NULL), y, n);
    tg_tape_free(t);
    return status;
}

static int proxy_vjp(const tg_call *c) { return ask_student(((const proxy *)c->context)->r, c, CALL_VJP); }

/* The student's result for the case, into out. */
static bool student_value(trial *r, double *out) {
    const void *input[MAX_INPUTS];
    tg_shape shape[MAX_INPUTS];
    for (int i = 0; i < r->n_inputs; i++) {
        input[i] = tg_const_data(r->x[i]);
        shape[i] = r->one->input[i];
    }
    for (int64_t j = 0; j < numel_of(r->shape); j++)
        out[j] = NAN;
    tg_call c = {
        .n_inputs = r->n_inputs, .input = input, .input_shape = shape, .output = out, .output_shape = &r->shape};
    return ask_student(r, &c, CALL_FORWARD) == 0;
}

/* ---- the value ---- */

static verdict describe_value(const trial *r, const double *got) {
    int64_t n = numel_of(r->shape), first = -1, nans = 0, zeros = 0;
    char where[64], place[64];
    snprintf(where, sizeof where, "value of %s", r->op->result);
    for (int64_t i = 0; i < n; i++) {
        nans += isnan(got[i]);
        zeros += got[i] == 0;
        if (first < 0 && !(fabs(got[i] - r->value[i]) <= 1e-7 * fabs(r->value[i]) + 1e-12))
            first = i;
    }
    place_text(r->shape, first, place, sizeof place);
    double factor = ratio_of(got, r->value, n);
    verdict v;
    if (nans == n && r->one != r->op->cases)
        v = wrong(where, "not finite",
                  "%s is not a number for these inputs: does an exp() overflow? take the maximum off", r->op->result);
    else if (nans == n)
        v = wrong(where, "not filled", "%s is not filled, or is not a number", r->op->result);
    else if (!isfinite(got[first]))
        v = wrong(where, "not finite", "%s%s is not filled, or not finite", r->op->result, place);
    else if (zeros == n)
        v = wrong(where, "zero", "every element is 0");
    else if (fabs(factor + 1) < 1e-6)
        v = wrong(where, "sign flipped", "-1 times the right value");
    else if (isfinite(factor) && n > 1)
        v = wrong(where, "constant factor", "%g times the right value", factor);
    else
        v = wrong(where, "wrong value", "%s%s is %g, it should be %g", r->op->result, place, got[first],
                  r->value[first]);
    v.untouched = nans == n && r->one == r->op->cases;
    return v;
}

static void report_case(const trial *r, const char *what) {
    fprintf(r->s->detail, "    ");
    print_shapes(r->s->detail, r->op, r->one);
    fprintf(r->s->detail, ": %s\n", what);
}

static verdict value_of_case(session *s, const op_spec *op, int k) {
    trial r;
    verdict v = {.right = true};
    bool opened = open_trial(&r, s, op, k);
    double *got = opened ? calloc((size_t)numel_of(r.shape) + 1, sizeof(double)) : NULL;
    if (!got)
        v = wrong("grader", "grader", "cannot make the inputs: %s", r.t ? tg_error(r.t) : "out of memory");
    else if (!student_value(&r, got))
        v = failed(s, "forward");
    else if (!same_numbers(got, r.value, numel_of(r.shape)))
        v = describe_value(&r, got);
    if (got)
        report_case(&r, v.right ? "right" : v.why);
    free(got);
    close_trial(&r);
    return v;
}

verdict check_value(session *s, const op_spec *op) {
    verdict v = {.right = true};
    for (int k = 0; k < op->n_cases && v.right; k++)
        v = value_of_case(s, op, k);
    return v;
}

/* ---- the gradient: what it looks like when it is wrong ---- */

/* dy and the gradients for it, the student's and others. */
typedef struct sample {
    tg_tensor dy;
    double *student[MAX_INPUTS], *other;
} sample;

static bool take_sample(trial *r, sample *a) {
    const void *input[MAX_INPUTS];
    void *grad[MAX_INPUTS] = {0};
    tg_shape shape[MAX_INPUTS];
    int64_t most = 1;
    a->dy = tg_randn(r->t, r->shape);
    for (int i = 0; i < r->n_inputs; i++) {
        input[i] = tg_const_data(r->x[i]);
        shape[i] = r->one->input[i];
        a->student[i] = grad[i] = calloc((size_t)numel_of(shape[i]) + 1, sizeof(double));
        if (numel_of(shape[i]) > most)
            most = numel_of(shape[i]);
        if (r->op->kind[i] != 'f')
            grad[i] = NULL;
    }
    a->other = calloc((size_t)most + 1, sizeof(double));
    tg_call c = {.n_inputs = r->n_inputs,
                 .input = input,
                 .input_shape = shape,
                 .output = r->value,
                 .output_shape = &r->shape,
                 .output_grad = tg_const_data(a->dy),
                 .input_grad = grad};
    return a->other && ask_student(r, &c, CALL_VJP) == 0;
}

static void free_sample(const trial *r, sample *a) {
    free(a->other);
    for (int i = 0; i < r->n_inputs; i++)
        free(a->student[i]);
}

static bool backward_of(trial *r, const sample *a, int fault, note_list *notes) {
    tg_zero_grads(r->t);
    for (int i = 0; i < r->n_inputs; i++)
        if (r->op->kind[i] == 'f')
            tg_set_requires_grad(r->x[i], true);
    return tg_backward_with(r->op->reference(r->x, r->one->number, fault, notes), a->dy) == TG_OK;
}

/* Does the k-th common mistake give the student's gradient of this operand? */
static bool explains(trial *r, sample *a, int fault, int operand) {
    if (!backward_of(r, a, fault, NULL)) {
        tg_clear_error(r->t);
        return false;
    }
    int64_t n = numel_of(r->one->input[operand]);
    return tg_read_doubles(tg_grad(r->x[operand]), a->other, n) == TG_OK &&
           same_numbers(a->student[operand], a->other, n);
}

static void name_fault(verdict *v, const char *fault) {
    size_t length = strcspn(fault, ":");
    snprintf(v->mistake, sizeof v->mistake, "%.*s", (int)length, fault);
    snprintf(v->why, sizeof v->why, "%s", fault[length] ? fault + length + 2 : fault);
}

/* Is a kept array one of those noted under its name? */
static bool kept_is_right(const kept_array *k, const note_list *notes) {
    bool known = false;
    double *right = calloc((size_t)k->n + 1, sizeof(double));
    for (int i = 0; right && i < notes->n; i++) {
        bool is_value = strcmp(k->name, notes->name[i]) == 0;
        bool is_grad = k->name[0] == 'd' && strcmp(k->name + 1, notes->name[i]) == 0;
        if ((!is_value && !is_grad) || tg_numel(notes->x[i]) != k->n)
            continue;
        known = true;
        if (tg_read_doubles(is_grad ? tg_grad(notes->x[i]) : notes->x[i], right, k->n) == TG_OK &&
            same_numbers(k->value, right, k->n)) {
            free(right);
            return true;
        }
    }
    free(right);
    return !known;
}

static void find_first_intermediate(trial *r, sample *a, verdict *v) {
    note_list notes = {.n = 0};
    if (!r->n_kept || !backward_of(r, a, 0, &notes))
        return;
    for (int i = 0; i < r->n_kept; i++) {
        const kept_array *k = &r->kept[i];
        if (kept_is_right(k, &notes))
            continue;
        bool zero = true;
        for (int64_t j = 0; j < k->n; j++)
            zero &= k->value[j] == 0;
        size_t used = strlen(v->where);
        snprintf(v->where + used, sizeof v->where - used, "; first wrong intermediate: %s%s", k->name,
                 zero ? " (all zero)" : "");
        return;
    }
}

static int first_wrong_operand(const trial *r, const tg_gradcheck_result *g, int operand) {
    if (operand >= 0)
        return operand;
    for (int i = 0; i < r->n_inputs; i++)
        for (int k = 0; k < g->n_rows; k++)
            if (g->row[k].tensor == r->x[i].index && g->row[k].verdict == TG_GRAD_WRONG)
                return i;
    return 0;
}

/* The operation's own list of common mistakes knows better words than the checker. */
static void explain(trial *r, int operand, verdict *v) {
    sample a = {.other = NULL};
    bool clear = false;
    if (take_sample(r, &a)) {
        find_first_intermediate(r, &a, v);
        for (int f = 0; r->op->fault && r->op->fault[f] && !clear; f++)
            if (explains(r, &a, f + 1, operand)) {
                name_fault(v, r->op->fault[f]);
                clear = true;
            }
    }
    free_sample(r, &a);
}

static verdict describe_gradient(trial *r, const tg_gradcheck_result *g, int operand) {
    int i = first_wrong_operand(r, g, operand);
    char where[64];
    if (operand < 0)
        snprintf(where, sizeof where, "%s: gradient of %s", r->op->symbol, r->op->operand[i]);
    else
        snprintf(where, sizeof where, "gradient of %s", r->op->operand[i]);
    verdict v = wrong(where, tg_mistake_name(g->mistake), "%s", g->diagnosis[0] ? g->diagnosis : g->summary);
    v.untouched = g->mistake == TG_MISTAKE_ZERO;
    tg_clear_error(r->t);
    explain(r, i, &v);
    return v;
}

/* ---- the gradient ---- */

static tg_tensor record(trial *r, const tg_custom_op *proxy_op, int operand) {
    proxy p = {r};
    for (int i = 0; i < r->n_inputs; i++)
        if (r->op->kind[i] == 'f')
            tg_set_requires_grad(tg_buffer(r->t, r->op->operand[i], r->x[i]), operand < 0 || i == operand);
    return tg_custom(proxy_op, r->x, r->n_inputs, r->shape, &p, sizeof p);
}

/* The checker's table; what it says below, where and what, is said in other words. */
static void report_table(FILE *file, const tg_gradcheck_result *g) {
    char *text = NULL;
    size_t size = 0;
    FILE *table = open_memstream(&text, &size);
    bool good = table && tg_gradcheck_print(table, g) == TG_OK;
    if (table)
        fclose(table);
    for (char *line = good ? strtok(text, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (strncmp(line, "  ", 2) == 0)
            fprintf(file, "    %s\n", line);
    free(text);
}

static verdict gradient_of_trial(trial *r, int operand) {
    char name[32];
    double *got = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    tg_custom_op op = {name, NULL, NULL, proxy_forward, proxy_vjp};
    verdict v = {.right = true};
    tg_gradcheck_result g;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(r->op->symbol) - 3), r->op->symbol);
    if (!got || !student_value(r, got)) {
        free(got);
        return failed(r->s, "forward");
    }
    r->reference_forward = !same_numbers(got, r->value, numel_of(r->shape));
    free(got);
    tg_status status = tg_gradcheck(record(r, &op, operand), TG_GRADCHECK_DEFAULTS, &g);
    if (r->s->student->failure[0])
        v = failed(r->s, "gradient");
    else if (status == TG_ERR_NUMERIC)
        v = describe_gradient(r, &g, operand);
    else if (status)
        v = wrong("gradient", "cannot check", "%s", tg_error(r->t));
    report_case(r, v.right ? "right" : v.where);
    if (r->reference_forward)
        fprintf(r->s->detail, "      (your forward is not right here, so the right one is used in its place)\n");
    if (status == TG_ERR_NUMERIC)
        report_table(r->s->detail, &g);
    return v;
}

verdict check_gradient(session *s, const op_spec *op, int operand, bool frozen) {
    verdict v = {.right = true};
    for (int k = 0; k < op->n_cases && v.right; k++) {
        trial r;
        if (open_trial(&r, s, op, k)) {
            r.frozen = frozen;
            v = gradient_of_trial(&r, operand);
        } else {
            v = wrong("grader", "grader", "cannot make the inputs: %s", r.t ? tg_error(r.t) : "out of memory");
        }
        close_trial(&r);
    }
    return v;
}
