/* Checks of an operation's value and gradient, both against the library's.
 *
 * A gradient has to be right for random inputs and two random dy, added to what the gradient holds already. Then come
 * two checks of how it was computed, for differences of one's own forward give right numbers too, where they work:
 *   hard inputs   those on which no step tells anything, however small, large or relative: NaN where the gradient
 *                 does not depend on the value, elements whose effect on y is lost in its rounding, high curvature.
 *                 A formula has no trouble with them.
 *   large inputs  a formula costs a few forwards, differences cost one or two for every element. */
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

static const double tolerance = 1e-5;

bool same_numbers(const double *a, const double *b, int64_t n) {
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(b[i]));
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= tolerance * (largest + 0.02))) /* all 0: a float's rounding of numbers about 1 */
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

static void print_shapes(FILE *file, const op_spec *op, const tg_shape *shape) {
    for (size_t i = 0; i < strlen(op->kind); i++) {
        fprintf(file, "%s%s (", i ? ", " : "", op->operand[i]);
        for (int k = 0; k < shape[i].ndim; k++)
            fprintf(file, "%s%lld", k ? ", " : "", (long long)shape[i].size[k]);
        fprintf(file, ")");
    }
}

void take_note(const how *h, const char *name, tg_tensor x) {
    note_list *notes = h->notes;
    if (!notes || notes->n == (int)(sizeof notes->x / sizeof *notes->x) || tg_retain_grad(x))
        return;
    notes->name[notes->n] = name;
    notes->x[notes->n++] = x;
}

/* ---- a case: inputs, and the library's and the student's functions on them ---- */

/* One operation on a tape, with one case's inputs. */
typedef struct trial {
    session *s;
    const op_spec *op;
    how h;
    tg_tape *t;
    int n_inputs;
    tg_tensor x[MAX_INPUTS];
    tg_shape input[MAX_INPUTS], shape; /* shape: of the result */
    double *value;                     /* the right result */
    bool frozen;
    kept_array kept[MAX_KEPT];
    int n_kept;
} trial;

static tg_tensor random_mask(tg_tape *t, tg_shape shape) {
    enum { MOST = 4096 };
    static bool bits[MOST];
    static double draw[MOST];
    int64_t n = numel_of(shape);
    if (n > MOST || tg_read_doubles(tg_rand(t, shape), draw, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++)
        bits[i] = i == n - 1 || (i > 0 && draw[i] < 0.5);
    return tg_from_bools(t, shape, bits);
}

static tg_tensor random_numbers(tg_tape *t, tg_shape shape, double spread) {
    static double x[MAX_BYTES / sizeof(double)];
    int64_t n = numel_of(shape);
    if (n > (int64_t)(sizeof x / sizeof *x) || tg_read_doubles(tg_randn(t, shape), x, n))
        return TG_NULL;
    for (int64_t i = 0; i < n; i++)
        x[i] *= spread;
    return tg_from_doubles(t, shape, x);
}

static tg_tensor random_input(const trial *r, const op_case *one, int i) {
    tg_shape shape = r->input[i], first = r->input[0];
    switch (r->op->kind[i]) {
    case 'b': return random_mask(r->t, shape);
    case 'i': return tg_randint(r->t, 0, first.size[first.ndim - 1], shape);
    case 'r': return tg_randint(r->t, 0, first.size[0], shape);
    default: return random_numbers(r->t, shape, one->spread != 0 ? one->spread : 1);
    }
}

static bool compute_value(trial *r) {
    tg_tensor y = r->op->reference(r->x, &r->h);
    r->shape = tg_shape_of(y);
    free(r->value);
    r->value = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    return r->value && tg_read_doubles(y, r->value, numel_of(r->shape)) == TG_OK;
}

static bool open_trial(trial *r, session *s, const op_spec *op, const op_case *one, uint64_t draw) {
    *r = (trial){.s = s, .op = op, .t = tg_tape_new(TG_F64), .n_inputs = (int)strlen(op->kind)};
    if (!r->t)
        return false;
    memcpy(r->h.number, one->number, sizeof r->h.number);
    memcpy(r->input, one->input, sizeof r->input);
    r->h.variant = s->variant[s->task];
    if (op->arrange)
        op->arrange(r->input, r->h.variant);
    tg_manual_seed(r->t, s->seed + draw);
    for (int i = 0; i < r->n_inputs; i++)
        r->x[i] = random_input(r, one, i);
    return compute_value(r);
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

/* The student's result, on memory that holds `before`. */
static bool student_value(trial *r, double *out, double before) {
    for (int64_t j = 0; j < numel_of(r->shape); j++)
        out[j] = before;
    return ask_student(r, CALL_FORWARD, out, NULL, NULL);
}

static void report_case(const trial *r, const char *what) {
    fprintf(r->s->detail, "    ");
    print_shapes(r->s->detail, r->op, r->input);
    fprintf(r->s->detail, ": %s\n", what);
}

static verdict cannot_make(const trial *r) {
    return wrong("grader", "grader", "cannot make the inputs: %s", r->t ? tg_error(r->t) : "out of memory");
}

/* ---- the value ---- */

/* What can be said of a value from its numbers alone. */
static verdict describe_numbers(const trial *r, const op_case *one, const double *got) {
    int64_t n = numel_of(r->shape), first = -1, nans = 0, zeros = 0;
    char where[64], place[64];
    snprintf(where, sizeof where, "value of %s", r->op->result);
    for (int64_t i = 0; i < n; i++) {
        nans += isnan(got[i]);
        zeros += got[i] == 0;
        if (first < 0 && !(fabs(got[i] - r->value[i]) <= tolerance * fabs(r->value[i]) + 1e-12))
            first = i;
    }
    place_text(r->shape, first < 0 ? 0 : first, place, sizeof place);
    double factor = ratio_of(got, r->value, n);
    if (first >= 0 && !isfinite(got[first]) && (one->spread > 1 || one != r->op->cases))
        return wrong(where, "not finite",
                     "%s%s is %g for inputs of about %g: does an exp() overflow? take the maximum off", r->op->result,
                     place, got[first], one->spread != 0 ? one->spread : 1);
    if (nans == n) {
        verdict v = wrong(where, "not filled", "%s is not filled, or is not a number", r->op->result);
        v.untouched = one == r->op->cases;
        return v;
    }
    if (first >= 0 && !isfinite(got[first]))
        return wrong(where, "not finite", "%s%s is not filled, or not finite", r->op->result, place);
    if (zeros == n)
        return wrong(where, "zero", "every element is 0");
    if (fabs(factor + 1) < 1e-6 && n > 1)
        return wrong(where, "sign flipped", "-1 times the right value");
    if (isfinite(factor) && n > 1)
        return wrong(where, "constant factor", "%g times the right value", factor);
    return wrong(where, "wrong value", "%s%s is %g, it should be %g", r->op->result, place, got[first < 0 ? 0 : first],
                 r->value[first < 0 ? 0 : first]);
}

/* Right where the memory was zero before, wrong where it was not. */
static verdict describe_value(trial *r, const op_case *one, double *got) {
    verdict v = describe_numbers(r, one, got);
    if (!student_value(r, got, 0) || !same_numbers(got, r->value, numel_of(r->shape)))
        return v;
    return wrong(v.where, "+= instead of =", "%s is added to without having been set: it is not 0 when forward begins",
                 r->op->result);
}

static verdict value_of_case(session *s, const op_spec *op, int k) {
    trial r;
    verdict v = {.right = true};
    bool opened = open_trial(&r, s, op, &op->cases[k], (uint64_t)k);
    double *got = opened ? calloc((size_t)numel_of(r.shape) + 1, sizeof(double)) : NULL;
    if (!got)
        v = cannot_make(&r);
    else if (!student_value(&r, got, NAN))
        v = failed(s, "forward");
    else if (!same_numbers(got, r.value, numel_of(r.shape)))
        v = describe_value(&r, &op->cases[k], got);
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

/* ---- samples of a gradient ---- */

/* dy, the student's gradients for it and the right ones. */
typedef struct sample {
    tg_tensor dy;
    double before; /* what the student's gradients held */
    double *mine[MAX_INPUTS], *right[MAX_INPUTS];
} sample;

static bool is_float(const trial *r, int i) { return r->op->kind[i] == 'f'; }

static bool backward_of(trial *r, tg_tensor dy, int fault, note_list *notes) {
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

static void free_sample(sample *a) {
    for (int i = 0; i < MAX_INPUTS; i++) {
        free(a->mine[i]);
        free(a->right[i]);
    }
}

static bool right_gradients(trial *r, sample *a) {
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

/* Every gradient is wanted, but in a frozen case that of one operand only. What it held is taken off again. */
static bool student_gradients(trial *r, sample *a, int operand) {
    double *dx[MAX_INPUTS] = {NULL};
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i) && (!r->frozen || i == operand))
            dx[i] = a->mine[i];
    for (int i = 0; i < r->n_inputs; i++)
        for (int64_t j = 0; dx[i] && j < numel_of(r->input[i]); j++)
            dx[i][j] = a->before;
    bool ran = ask_student(r, CALL_VJP, r->value, tg_const_data(a->dy), dx);
    for (int i = 0; i < r->n_inputs; i++)
        for (int64_t j = 0; dx[i] && j < numel_of(r->input[i]); j++)
            dx[i][j] -= a->before;
    return ran;
}

static bool take_sample(trial *r, sample *a, int operand) {
    return right_gradients(r, a) && student_gradients(r, a, operand);
}

/* The first operand in question whose gradient is wrong, or -1. */
static int wrong_operand(const trial *r, const sample *a, int operand) {
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i) && (operand < 0 || i == operand) &&
            !same_numbers(a->mine[i], a->right[i], numel_of(r->input[i])))
            return i;
    return -1;
}

/* ---- what a wrong gradient looks like ---- */

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

/* Is the name one of the words in the list? */
static bool has_word(const char *list, const char *name) {
    size_t n = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0'))
            return true;
    return false;
}

/* Among those that the gradient of this operand is computed from. */
static void find_first_intermediate(trial *r, const sample *a, int operand, verdict *v) {
    note_list notes = {.n = 0};
    if (!r->n_kept || !backward_of(r, a->dy, 0, &notes))
        return;
    for (int i = 0; i < r->n_kept; i++) {
        const kept_array *k = &r->kept[i];
        if (!has_word(r->op->uses[operand], k->name) || kept_is_right(k, &notes))
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

/* The operation's own list of common mistakes: does one give exactly the student's gradient? */
static bool name_known_fault(trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    double *other = calloc((size_t)n + 1, sizeof(double));
    bool found = false;
    for (int f = 0; other && r->op->fault && r->op->fault[f] && !found; f++)
        if (backward_of(r, a->dy, f + 1, NULL) && tg_read_doubles(tg_grad(r->x[operand]), other, n) == TG_OK &&
            same_numbers(a->mine[operand], other, n) && !same_numbers(other, a->right[operand], n)) {
            name_fault(v, r->op->fault[f]);
            found = true;
        }
    free(other);
    return found;
}

static bool all_zero(const double *x, int64_t n) {
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* The one factor between the student's gradients and the right ones in several draws of the first case: one element
 * alone has a factor always. */
static double common_factor(session *s, const op_spec *op, int operand) {
    double factor = NAN;
    int64_t elements = 0;
    for (uint64_t draw = 0; draw < 3; draw++) {
        trial r;
        sample a = {.before = 0};
        double now = NAN;
        if (open_trial(&r, s, op, op->cases, 100 + draw) && take_sample(&r, &a, operand))
            now = ratio_of(a.mine[operand], a.right[operand], numel_of(r.input[operand]));
        elements += numel_of(r.input[operand]);
        free_sample(&a);
        close_trial(&r);
        if (!isfinite(now) || (draw && !(fabs(now - factor) <= 1e-4 * fabs(factor))))
            return NAN;
        factor = now;
    }
    return elements > 2 ? factor : NAN;
}

static bool name_factor(session *s, const trial *r, int operand, verdict *v) {
    double factor = common_factor(s, r->op, operand);
    if (!isfinite(factor))
        return false;
    if (fabs(factor + 1) < 1e-4) {
        name_fault(v, "sign flipped: -1 times the right gradient");
    } else if (fabs(factor - 2) < 1e-4) {
        name_fault(v, "twice: 2 times the right gradient: is it added two times?");
    } else {
        snprintf(v->mistake, sizeof v->mistake, "constant factor");
        snprintf(v->why, sizeof v->why, "%g times the right gradient", factor);
    }
    return true;
}

/* With another dy and nothing in the gradient before: does the answer react to either as it has to? */
static bool name_reaction(trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    sample b = {.before = 0}, same = {.before = 0};
    bool found = false;
    if (take_sample(r, &b, operand) && take_sample(r, &same, operand)) {
        double *again = same.mine[operand];
        for (int64_t j = 0; j < n; j++)
            again[j] = a->mine[operand][j] + a->before;
        if (a->before != 0 && same_numbers(again, a->right[operand], n)) {
            name_fault(v, "= instead of +=: what the gradient held before is lost; add to it");
            found = true;
        } else if (a->before == 0 && !all_zero(b.mine[operand], n) &&
                   same_numbers(a->mine[operand], b.mine[operand], n)) {
            name_fault(v, "not multiplied by dy: the gradient is the same whatever dy arrives");
            found = true;
        }
    }
    free_sample(&b);
    free_sample(&same);
    return found;
}

static bool name_copy(const trial *r, const sample *a, int operand, verdict *v) {
    int64_t n = numel_of(r->input[operand]);
    if (n < 2 || n != numel_of(r->shape) || !same_numbers(a->mine[operand], tg_const_data(a->dy), n))
        return false;
    name_fault(v, "dy passed on: the gradient is dy as it arrived");
    return true;
}

/* Right, but stored as its own transpose. */
static bool name_turned(const trial *r, const sample *a, int operand, verdict *v) {
    tg_shape shape = r->input[operand];
    if (shape.ndim != 2 || shape.size[0] == 1 || shape.size[1] == 1)
        return false;
    int64_t rows = shape.size[0], columns = shape.size[1];
    double *turned = calloc((size_t)(rows * columns), sizeof(double));
    for (int64_t k = 0; turned && k < rows * columns; k++)
        turned[k] = a->mine[operand][k % columns * rows + k / columns];
    bool found = turned && same_numbers(turned, a->right[operand], rows * columns);
    free(turned);
    if (found)
        name_fault(v, "transposed: the numbers are right, and stand where those of the transpose belong");
    return found;
}

static void name_worst(const trial *r, const sample *a, int operand, verdict *v) {
    const double *mine = a->mine[operand], *right = a->right[operand];
    int64_t n = numel_of(r->input[operand]), worst = 0, good = 0;
    double largest = 0;
    char place[64];
    for (int64_t j = 0; j < n; j++)
        largest = fmax(largest, fabs(right[j]));
    for (int64_t j = 0; j < n; j++) {
        good += fabs(mine[j] - right[j]) <= tolerance * largest;
        if (!isfinite(mine[j]) || fabs(mine[j] - right[j]) > fabs(mine[worst] - right[worst]))
            worst = j;
        if (!isfinite(mine[j]))
            break;
    }
    place_text(r->input[operand], worst, place, sizeof place);
    snprintf(v->mistake, sizeof v->mistake, "%s", isfinite(mine[worst]) ? "wrong gradient" : "not finite");
    snprintf(v->why, sizeof v->why, "d%s%s is %g, it should be %g (%lld of %lld elements are right)",
             r->op->operand[operand], place, mine[worst], right[worst], (long long)good, (long long)n);
}

/* asked: the operand that the part is about, or -1 for all, and operand the first wrong one of those. */
static verdict describe_gradient(session *s, trial *r, const sample *a, int asked, int operand) {
    char where[64];
    if (asked < 0)
        snprintf(where, sizeof where, "%s: gradient of %s", r->op->symbol, r->op->operand[operand]);
    else
        snprintf(where, sizeof where, "gradient of %s", r->op->operand[operand]);
    verdict v = wrong(where, "", "%s", "");
    int64_t n = numel_of(r->input[operand]);
    find_first_intermediate(r, a, operand, &v);
    if (all_zero(a->mine[operand], n)) {
        name_fault(&v, "zero: the gradient stays as it was: nothing is added");
        v.untouched = true;
    } else if (!name_known_fault(r, a, operand, &v) && !name_reaction(r, a, operand, &v) &&
               !name_factor(s, r, operand, &v) && !name_copy(r, a, operand, &v) && !name_turned(r, a, operand, &v)) {
        name_worst(r, a, operand, &v);
    }
    if (s->student->failure[0])
        return failed(s, "gradient");
    return v;
}

/* A few elements side by side, for the long report. */
static void report_elements(const trial *r, const sample *a, int operand) {
    fprintf(r->s->detail, "      %-12s %14s %14s\n", "element", "yours", "right");
    for (int64_t j = 0; j < numel_of(r->input[operand]) && j < 8; j++) {
        char place[64];
        fprintf(r->s->detail, "      %-12s %14.6g %14.6g\n", place_text(r->input[operand], j, place, sizeof place),
                a->mine[operand][j], a->right[operand][j]);
    }
}

static void report_forward(trial *r) {
    double *got = calloc((size_t)numel_of(r->shape) + 1, sizeof(double));
    if (got && student_value(r, got, NAN) && !same_numbers(got, r->value, numel_of(r->shape)))
        fprintf(r->s->detail, "      (your forward is not right here either; the VJP was given the right result)\n");
    free(got);
}

/* ---- the gradient on ordinary inputs ---- */

static verdict gradient_of_sample(session *s, trial *r, int operand, double before) {
    sample a = {.before = before};
    verdict v = {.right = true};
    if (!right_gradients(r, &a)) {
        v = cannot_make(r);
    } else if (!student_gradients(r, &a, operand)) {
        v = failed(s, "gradient");
    } else {
        int bad = wrong_operand(r, &a, operand);
        if (bad >= 0) {
            v = describe_gradient(s, r, &a, operand, bad);
            report_case(r, v.where);
            report_elements(r, &a, bad);
            report_forward(r);
        }
    }
    free_sample(&a);
    return v;
}

static verdict gradient_of_case(session *s, const op_spec *op, int k, int operand, bool frozen) {
    trial r;
    verdict v = {.right = true};
    if (!open_trial(&r, s, op, &op->cases[k], (uint64_t)k))
        v = cannot_make(&r);
    r.frozen = frozen;
    if (v.right)
        v = gradient_of_sample(s, &r, operand, 0);
    if (v.right)
        v = gradient_of_sample(s, &r, operand, 0.75);
    if (v.right)
        report_case(&r, "right");
    close_trial(&r);
    return v;
}

/* ---- how it was computed ---- */

/* Each element for itself: on these inputs they are of very different sizes. What is not finite is not asked for. */
static bool same_one_by_one(const double *mine, const double *right, int64_t n, double relative) {
    double largest = 0;
    for (int64_t j = 0; j < n; j++)
        if (isfinite(right[j]))
            largest = fmax(largest, fabs(right[j]));
    for (int64_t j = 0; j < n; j++) {
        double allowed = right[j] == 0 ? 1e-12 * largest : relative * fabs(right[j]);
        if (isfinite(right[j]) && !(fabs(mine[j] - right[j]) <= allowed))
            return false;
    }
    return true;
}

/* Change the inputs of a trial as the operation's harden() wants, and compute its value again. */
static bool make_hard(trial *r, int operand) {
    double *x[MAX_INPUTS] = {NULL};
    bool good = true;
    for (int i = 0; i < r->n_inputs && good; i++) {
        int64_t n = numel_of(r->input[i]);
        x[i] = calloc((size_t)n + 1, sizeof(double));
        good = x[i] && (!is_float(r, i) || tg_read_doubles(r->x[i], x[i], n) == TG_OK);
    }
    if (good)
        r->op->harden(x, r->input, operand, r->h.variant);
    for (int i = 0; i < r->n_inputs && good; i++)
        if (is_float(r, i))
            good = tg_write_doubles(r->x[i], x[i], numel_of(r->input[i])) == TG_OK;
    for (int i = 0; i < r->n_inputs; i++)
        free(x[i]);
    return good && compute_value(r);
}

static const char differences[] =
    "differences of forward: right for ordinary numbers, wrong where moving an input a little shows nothing; write down "
    "the derivative instead of computing it from differences";

static verdict by_hard_inputs(session *s, const op_spec *op, int operand, uint64_t draw) {
    trial r;
    sample a = {.before = 0};
    verdict v = {.right = true};
    double relative = op->hard_tolerance > 0 ? op->hard_tolerance : 1e-3;
    if (!open_trial(&r, s, op, op->hard, 1000 + draw) || !make_hard(&r, operand) || !right_gradients(&r, &a)) {
        v = cannot_make(&r);
    } else if (!student_gradients(&r, &a, operand)) {
        v = failed(s, "gradient");
    } else if (!same_one_by_one(a.mine[operand], a.right[operand], numel_of(r.input[operand]), relative)) {
        v = wrong("gradient", "", "%s", "");
        name_fault(&v, differences);
        report_case(&r, v.why);
        report_elements(&r, &a, operand);
    }
    free_sample(&a);
    close_trial(&r);
    return v;
}

enum { ENOUGH_US = 4000 }; /* far more than a formula takes for these sizes, far less than differences take */

static verdict by_cost(session *s, const op_spec *op) {
    trial r;
    sample a = {.before = 0};
    verdict v = {.right = true};
    int64_t least = INT64_MAX;
    if (!open_trial(&r, s, op, op->large, 2000) || !right_gradients(&r, &a)) {
        v = cannot_make(&r);
    } else {
        for (int i = 0; i < 3 && least > ENOUGH_US && v.right; i++) {
            int64_t start = student_microseconds(s->student);
            if (!student_gradients(&r, &a, -1))
                v = failed(s, "gradient");
            int64_t took = student_microseconds(s->student) - start;
            least = took < least ? took : least;
        }
        if (v.right && least > ENOUGH_US) {
            v = wrong("gradient", "differences of forward",
                      "its cost grows faster than forward's: %lld ms for %lld numbers; a derivative that is written "
                      "down needs one or two passes over them",
                      (long long)(least / 1000), (long long)numel_of(r.input[0]));
            report_case(&r, v.why);
        }
    }
    free_sample(&a);
    close_trial(&r);
    return v;
}

static verdict by_inspection(session *s, const op_spec *op, int operand) {
    verdict v = {.right = true};
    int draws = numel_of(op->hard->input[0]) == 1 ? 12 : 2; /* a single number may be lucky */
    for (int i = 0; op->kind[i]; i++)
        for (int d = 0; op->kind[i] == 'f' && (operand < 0 || i == operand) && d < draws && v.right; d++)
            v = by_hard_inputs(s, op, i, (uint64_t)d);
    if (v.right && op->large)
        v = by_cost(s, op);
    return v;
}

verdict check_gradient(session *s, const op_spec *op, int operand, bool frozen) {
    verdict v = {.right = true};
    for (int k = 0; k < op->n_cases && v.right; k++)
        v = gradient_of_case(s, op, k, operand, frozen);
    if (v.right && op->hard && !frozen)
        v = by_inspection(s, op, operand);
    return v;
}
