/* What `make look` shows: see look.h. Of an operation: its arrays forward and back, and for each operand the Jacobian,
 * one call of the student's VJP for each element of the result, with 1 there and 0 elsewhere. */
#include "look.h"
#include "operations.h"
#include "trial.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

void look_number(FILE *out, double x) {
    if (isfinite(x))
        fprintf(out, "%.9g", x);
    else
        fprintf(out, isnan(x) ? "\"nan\"" : x > 0 ? "\"inf\"" : "\"-inf\"");
}

void look_numbers(FILE *out, const double *x, int64_t n) {
    fputc('[', out);
    for (int64_t i = 0; i < n; i++) {
        if (i)
            fputc(',', out);
        look_number(out, x[i]);
    }
    fputc(']', out);
}

/* Neither a quote nor a tag ends it. */
void look_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (strchr("\"\\<>&", *c) || *c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    fputc('"', out);
}

static void print_shape(FILE *out, tg_shape shape) {
    fputc('[', out);
    for (int i = 0; i < shape.ndim; i++)
        fprintf(out, "%s%lld", i ? "," : "", (long long)shape.size[i]);
    fputc(']', out);
}

static void print_array(FILE *out, const char *name, tg_tensor x, bool even_if_zero) {
    double value[512];
    int64_t n = tg_numel(x);
    if (tg_is_null(x) || n > 512)
        return;
    if (tg_dtype_of(x) != TG_F64)
        x = tg_to_float(x);
    if (tg_read_doubles(x, value, n) || (!even_if_zero && all_zero(value, n)))
        return;
    fprintf(out, ",\"%s\":", name);
    look_numbers(out, value, n);
}

static void print_step(FILE *out, const look_step *k) {
    int64_t n = tg_numel(k->right);
    fprintf(out, "{\"name\":");
    look_text(out, k->name);
    fprintf(out, ",\"made\":");
    look_text(out, k->made);
    fprintf(out, ",\"from\":[");
    for (int i = 0; i < k->n_from; i++)
        fprintf(out, "%s%d", i ? "," : "", k->from[i]);
    fprintf(out, "],\"shape\":");
    print_shape(out, tg_shape_of(k->right));
    print_array(out, "right", k->right, true);
    if (tg_requires_grad(k->right))
        print_array(out, "right_grad", tg_grad(k->right), k->mine_grad != NULL);
    if (k->mine) {
        fprintf(out, ",\"mine\":");
        look_numbers(out, k->mine, n);
    }
    if (k->mine_grad) {
        fprintf(out, ",\"mine_grad\":");
        look_numbers(out, k->mine_grad, n);
    }
    fputc('}', out);
}

void look_tape(FILE *out, const look_run *run) {
    fprintf(out, ",\n\"tape\":[");
    for (int i = 0; i < run->n; i++) {
        fprintf(out, i ? ",\n" : "\n");
        print_step(out, &run->step[i]);
    }
    fprintf(out, "]");
}

/* ---- the tape of an operation ---- */

/* True when x has a gradient of y's elements added up with weights. */
static bool depends(tg_tensor y, tg_tensor x) {
    double g[512] = {0};
    tg_zero_grads(y.tape);
    if (tg_numel(x) > 512 || tg_backward_with(y, tg_randn(y.tape, tg_shape_of(y))) || tg_is_null(tg_grad(x)) ||
        tg_read_doubles(tg_grad(x), g, tg_numel(x)))
        return false;
    return !all_zero(g, tg_numel(x));
}

static look_step *add_step(look_run *run, const char *name, tg_tensor right) {
    look_step *k = &run->step[run->n++];
    *k = (look_step){.right = right};
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

static void add_source(look_step *k, int from) {
    if (k->n_from < MAX_SOURCES)
        k->from[k->n_from++] = from;
}

/* The last tensor noted under each name, behind the operands that it depends on and the notes before it. */
static void add_notes(look_run *run, const trial *r, const note_list *notes, bool *reached) {
    int before = -1;
    for (int i = 0; i < notes->n && run->n + 1 < MAX_STEPS; i++) {
        if (i + 1 < notes->n && strcmp(notes->name[i], notes->name[i + 1]) == 0)
            continue;
        look_step *k = add_step(run, notes->name[i], notes->x[i]);
        if (before >= 0)
            add_source(k, before);
        for (int x = 0; x < r->n_inputs; x++)
            if (is_float(r, x) && !reached[x] && depends(notes->x[i], r->x[x])) {
                add_source(k, x);
                reached[x] = true;
            }
        before = run->n - 1;
    }
}

static void make_run(look_run *run, const trial *r, const note_list *notes, tg_tensor y) {
    bool reached[MAX_INPUTS] = {false};
    run->n = 0;
    for (int i = 0; i < r->n_inputs; i++)
        add_step(run, r->op->operand[i], r->x[i]);
    add_notes(run, r, notes, reached);
    look_step *last = add_step(run, r->op->result, y);
    if (run->n - 2 >= r->n_inputs)
        add_source(last, run->n - 2);
    for (int i = 0; i < r->n_inputs; i++)
        if (!reached[i])
            add_source(last, i);
}

/* One name may stand for several tensors, each of which is right: the one that the student's array is, is shown. */
static void choose_right(look_step *step, const note_list *notes, const double *mine, bool is_grad) {
    double right[512];
    for (int i = 0; i < notes->n; i++) {
        tg_tensor x = is_grad ? tg_grad(notes->x[i]) : notes->x[i];
        int64_t n = tg_numel(x);
        if (strcmp(notes->name[i], step->name) == 0 && n <= 512 && !tg_read_doubles(x, right, n) &&
            same_numbers(mine, right, n))
            step->right = notes->x[i];
    }
}

/* What the student left under a name of the tape, as a value or, with d in front, as a gradient. */
static void find_kept(look_run *run, const trial *r, const note_list *notes) {
    for (int i = 0; i < run->n; i++)
        for (int k = 0; k < r->n_kept; k++) {
            const kept_array *a = &r->kept[k];
            look_step *step = &run->step[i];
            if (a->n != tg_numel(step->right) || all_zero(a->value, a->n))
                continue;
            bool is_grad = a->name[0] == 'd' && strcmp(a->name + 1, step->name) == 0;
            if (!is_grad && strcmp(a->name, step->name) != 0)
                continue;
            *(is_grad ? &step->mine_grad : &step->mine) = a->value;
            choose_right(step, notes, a->value, is_grad);
        }
}

/* The library's run with its gradients for dy in place, and the student's arrays beside it. */
static bool show_tape(trial *r, const sample *a, double *y, bool has_value) {
    note_list notes = {.n = 0};
    look_run run;
    how h = r->h;
    h.notes = &notes;
    tg_tensor right = r->op->reference(r->x, &h);
    if (tg_retain_grad(right))
        return false;
    make_run(&run, r, &notes, right);
    tg_zero_grads(r->t);
    if (tg_backward_with(right, a->dy))
        return false;
    find_kept(&run, r, &notes);
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i))
            run.step[i].mine_grad = a->mine[i];
    run.step[run.n - 1].mine = has_value ? y : NULL;
    look_tape(r->s->detail, &run);
    return true;
}

/* ---- Jacobians ---- */

typedef struct jacobian {
    double *mine, *right; /* (numel of the result, numel of the operand) */
} jacobian;

static void keep_row(jacobian *j, int64_t row, int64_t n, const double *mine, const double *right) {
    memcpy(j->mine + row * n, mine, (size_t)n * sizeof(double));
    memcpy(j->right + row * n, right, (size_t)n * sizeof(double));
}

static bool fill_row(trial *r, jacobian *j, int64_t row, double *unit) {
    sample a = {.before = 0};
    int64_t m = numel_of(r->shape);
    for (int64_t k = 0; k < m; k++)
        unit[k] = k == row;
    bool good = right_gradients(r, &a);
    a.dy = tg_from_doubles(r->t, r->shape, unit);
    good = good && backward_of(r, a.dy, 0, NULL) && student_gradients(r, &a);
    for (int i = 0; good && i < r->n_inputs; i++)
        if (is_float(r, i)) {
            int64_t n = numel_of(r->input[i]);
            bool there = !tg_is_null(tg_grad(r->x[i])) && !tg_read_doubles(tg_grad(r->x[i]), a.right[i], n);
            for (int64_t k = 0; !there && k < n; k++)
                a.right[i][k] = 0;
            keep_row(&j[i], row, n, a.mine[i], a.right[i]);
        }
    free_sample(&a);
    return good;
}

static void print_jacobians(const trial *r, const jacobian *j) {
    FILE *out = r->s->detail;
    int64_t m = numel_of(r->shape);
    fprintf(out, ",\n\"jacobian\":[");
    for (int i = 0, n = 0; i < r->n_inputs; i++)
        if (is_float(r, i)) {
            fprintf(out, "%s{\"name\":", n++ ? ",\n" : "\n");
            look_text(out, r->op->operand[i]);
            fprintf(out, ",\"result\":");
            look_text(out, r->op->result);
            fprintf(out, ",\"shape\":");
            print_shape(out, r->input[i]);
            fprintf(out, ",\"rows\":");
            print_shape(out, r->shape);
            fprintf(out, ",\"mine\":");
            look_numbers(out, j[i].mine, m * numel_of(r->input[i]));
            fprintf(out, ",\"right\":");
            look_numbers(out, j[i].right, m * numel_of(r->input[i]));
            fputc('}', out);
        }
    fprintf(out, "]");
}

static bool show_jacobians(trial *r) {
    jacobian j[MAX_INPUTS] = {{NULL, NULL}};
    int64_t m = numel_of(r->shape);
    double *unit = calloc((size_t)m + 1, sizeof(double));
    bool good = unit != NULL;
    for (int i = 0; i < r->n_inputs; i++) {
        size_t n = (size_t)(m * numel_of(r->input[i])) + 1;
        j[i] = (jacobian){calloc(n, sizeof(double)), calloc(n, sizeof(double))};
        good = good && j[i].mine && j[i].right;
    }
    for (int64_t row = 0; row < m && good; row++)
        good = fill_row(r, j, row, unit);
    if (good)
        print_jacobians(r, j);
    for (int i = 0; i < r->n_inputs; i++) {
        free(j[i].mine);
        free(j[i].right);
    }
    free(unit);
    return good;
}

/* ---- an operation ---- */

static bool is_right(const trial *r, const sample *a) {
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i) && !same_numbers(a->mine[i], a->right[i], numel_of(r->input[i])))
            return false;
    return true;
}

/* True when the case is right: its value, and gradients added to what is there. */
static bool case_is_right(session *s, const op_spec *op, int k) {
    trial r;
    sample a = {.before = 0.75};
    bool right = open_trial(&r, s, op, &op->cases[k], (uint64_t)k);
    double *y = right ? calloc((size_t)numel_of(r.shape) + 1, sizeof(double)) : NULL;
    right = y && student_value(&r, y, NAN) && same_numbers(y, r.value, numel_of(r.shape)) && take_sample(&r, &a) &&
            is_right(&r, &a);
    free_sample(&a);
    free(y);
    close_trial(&r);
    return right;
}

/* The first case that is wrong, so that it is seen; the first one when all are right. */
static int case_to_show(session *s, const op_spec *op) {
    for (int k = 0; k < op->n_cases; k++)
        if (!case_is_right(s, op, k))
            return k;
    return 0;
}

/* Right into memory that holds 0, and wrong where something is there already. */
static bool overwrites(trial *r, const sample *a) {
    sample b = {.before = 0.75};
    bool good = right_gradients(r, &b);
    good = good && student_gradients(r, &b);
    bool lost = good && is_right(r, a) && !is_right(r, &b);
    free_sample(&b);
    return lost;
}

static bool look_operation(session *s, const op_spec *op) {
    trial r;
    sample a = {.before = 0};
    bool good = open_trial(&r, s, op, &op->cases[case_to_show(s, op)], (uint64_t)case_to_show(s, op));
    double *y = good ? calloc((size_t)numel_of(r.shape) + 1, sizeof(double)) : NULL;
    bool has_value = y && student_value(&r, y, NAN);
    fprintf(s->detail, "{\"symbol\":");
    look_text(s->detail, op->symbol);
    good = has_value && take_sample(&r, &a);
    bool lost = good && overwrites(&r, &a) && student_gradients(&r, &a);
    good = good && student_gradients(&r, &a) && show_tape(&r, &a, y, has_value);
    if (good)
        fprintf(s->detail, ",\n\"overwrites\":%s", lost ? "true" : "false");
    good = good && show_jacobians(&r);
    if (!good)
        fprintf(s->detail, ",\"none\":true");
    fprintf(s->detail, "}");
    free(y);
    free_sample(&a);
    close_trial(&r);
    return good;
}

/* ---- the page ---- */

static const task_spec *looked_at;

static verdict show(session *s, const part *first) {
    const op_spec *last = NULL;
    bool good = true;
    int n = 0;
    if (first->kind == HARNESS)
        good = strcmp(looked_at->number, "A1") == 0 ? look_scalars(s) : look_program(s);
    for (int i = 0; i < parts_of(looked_at) && first->kind != HARNESS && good; i++)
        if (looked_at->part[i].op != last) {
            last = looked_at->part[i].op;
            fprintf(s->detail, n++ ? ",\n" : "\n");
            good = look_operation(s, last);
        }
    return good ? (verdict){.right = true} : failed(s, "your code");
}

static bool can_be_seen(const task_spec *t) {
    return strcmp(t->number, "A1") == 0 || strcmp(t->number, "A2") == 0 ||
           (t->part[0].op && (t->part[0].kind == VALUE || t->part[0].kind == GRADIENT));
}

static void print_verdicts(FILE *out, const task_spec *t, const task_mark *m) {
    fprintf(out, ",\n\"parts\":[");
    for (int i = 0; i < parts_of(t); i++) {
        const verdict *v = &m->verdict[i];
        fprintf(out, "%s{\"symbol\":", i ? ",\n" : "\n");
        look_text(out, t->part[i].op ? t->part[i].op->symbol : "");
        fprintf(out, ",\"right\":%s,\"where\":", v->right ? "true" : "false");
        look_text(out, v->where);
        fprintf(out, ",\"mistake\":");
        look_text(out, v->mistake);
        fprintf(out, ",\"element\":");
        look_text(out, v->element);
        fprintf(out, ",\"why\":");
        look_text(out, v->why);
        fputc('}', out);
    }
    fprintf(out, "]");
}

bool look_at(FILE *out, const settings *set, const task_spec *t) {
    static marks m;
    if (!can_be_seen(t)) {
        fprintf(
            stderr,
            "look: task %s is no operation and no tape, so there is no run to show; `make grade TASK=%s` says what came\n"
            "look: these can be looked at:",
            t->number, t->number);
        for (int i = 0; i < n_tasks; i++)
            if (can_be_seen(&tasks[i]))
                fprintf(stderr, " %s", tasks[i].number);
        fprintf(stderr, "\n");
        return false;
    }
    mark_task(set, t, &m);
    const task_mark *mark = &m.task[t - tasks];
    fprintf(out, "{\"number\":\"%s\",\"title\":", t->number);
    look_text(out, t->title);
    fprintf(out, ",\"points\":%d,\"most\":%d,\"note\":", mark->points, points_of(t));
    look_text(out, mark->note);
    print_verdicts(out, t, mark);
    fprintf(out, ",\n\"runs\":[");
    looked_at = t;
    if (mark->compiles) {
        verdict v = show_task(set, t, show, out);
        fprintf(out, "],\n\"failure\":");
        look_text(out, v.right ? "" : v.why);
    } else {
        fprintf(out, "],\n\"failure\":");
        look_text(out, mark->compiler_says[0] ? mark->compiler_says : mark->note);
    }
    fprintf(out, "}\n");
    forget_marks(&m);
    return true;
}
