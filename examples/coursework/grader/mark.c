/* Building a student's task and running its checks. */
#define _DEFAULT_SOURCE
#include "grade.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 1024, MAX_ARGS = 64 };

int parts_of(const task_spec *t) {
    int n = 0;
    while (n < MAX_PARTS && t->part[n].points)
        n++;
    return n;
}

int points_of(const task_spec *t) {
    int sum = 0;
    for (int i = 0; i < parts_of(t); i++)
        sum += t->part[i].points;
    return sum;
}

int all_points(void) {
    int sum = 0;
    for (int i = 0; i < n_tasks; i++)
        sum += points_of(&tasks[i]);
    return sum;
}

/* ---- building ---- */

static void path_to(char *out, const char *folder, const char *name, const char *ending) {
    snprintf(out, MAX_PATH, "%.900s/%s%s", folder, name, ending);
}

static bool is_newer(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) || stat(b, &y))
        return false;
    return x.st_mtim.tv_sec != y.st_mtim.tv_sec ? x.st_mtim.tv_sec > y.st_mtim.tv_sec
                                                : x.st_mtim.tv_nsec > y.st_mtim.tv_nsec;
}

static void read_text(const char *path, char *out, size_t size) {
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(out, 1, size - 1, file) : 0;
    out[n] = '\0';
    if (file)
        fclose(file);
}

static bool compile(const settings *set, const task_spec *t, task_mark *m, const char *source, const char *library) {
    char words[MAX_PATH], log[MAX_PATH], training[MAX_PATH], tapegrad[MAX_PATH], *argv[MAX_ARGS];
    char reason[300] = "";
    static const char *const flags[] = {
        "-std=c11", "-D_XOPEN_SOURCE=700", "-Wall", "-Wextra", "-O1", "-g", "-fPIC", "-shared", "-o"};
    int n = 0;
    snprintf(words, sizeof words, "%s", set->compiler);
    for (char *w = strtok(words, " "); w && n < MAX_ARGS - 20; w = strtok(NULL, " "))
        argv[n++] = w;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        argv[n++] = (char *)(uintptr_t)flags[i];
    argv[n++] = (char *)(uintptr_t)library;
    argv[n++] = (char *)(uintptr_t)source;
    if (t->part[0].kind == TRAIN_VALUE) {
        path_to(training, set->tools, "training", ".o");
        path_to(tapegrad, set->tools, "libtapegrad", ".a");
        argv[n++] = training;
        argv[n++] = tapegrad;
    }
    argv[n++] = "-lm";
    argv[n] = NULL;
    path_to(log, set->build, t->file, ".compiler.txt");
    limits usual = run_limits;
    run_limits = (limits){30, 4096};
    int status = run_program(argv, log, reason, sizeof reason);
    run_limits = usual;
    read_text(log, m->compiler_says, sizeof m->compiler_says);
    size_t used = strlen(m->compiler_says);
    snprintf(m->compiler_says + used, sizeof m->compiler_says - used, "%s", reason);
    return status == 0;
}

/* The library of a task, built when it is not there or older than its source. */
static bool build(const settings *set, const task_spec *t, task_mark *m) {
    char source[MAX_PATH], library[MAX_PATH], log[MAX_PATH], runner[MAX_PATH];
    struct stat s;
    path_to(source, set->from, t->file, ".c");
    path_to(library, set->build, t->file, ".so");
    path_to(log, set->build, t->file, ".compiler.txt");
    path_to(runner, set->tools, "runner", "");
    if (stat(source, &s) || !S_ISREG(s.st_mode)) {
        snprintf(m->note, sizeof m->note, "missing");
        return false;
    }
    mkdir(set->build, 0777);
    if (is_newer(library, source) && is_newer(library, runner)) {
        read_text(log, m->compiler_says, sizeof m->compiler_says);
        return true;
    }
    unlink(library);
    if (compile(set, t, m, source, library))
        return true;
    unlink(library);
    snprintf(m->note, sizeof m->note, "does not compile");
    return false;
}

/* ---- checking ---- */

static const task_spec *task_numbered(const char *number) {
    for (int i = 0; i < n_tasks; i++)
        if (strcmp(tasks[i].number, number) == 0)
            return &tasks[i];
    return NULL;
}

/* Task 12 trains with the student's own code where that has full marks, else with the library's ("-"). */
static void add_own_code(const settings *set, marks *m, task_mark *mark, char path[3][MAX_PATH], char **argv) {
    static const char *const number[] = {"08", "09", "11"};
    for (int i = 0; i < 3; i++) {
        const task_spec *t = task_numbered(number[i]);
        task_mark *own = &m->task[t - tasks];
        if (set->only && !own->compiles)
            mark_task(set, t, m, NULL);
        mark->instead[i] = own->points < points_of(t);
        path_to(path[i], set->build, t->file, ".so");
        argv[i] = mark->instead[i] ? "-" : path[i];
    }
}

static verdict run_part(const settings *set, const task_spec *t, const part *p, char *const own[3], FILE *detail) {
    char runner[MAX_PATH], library[MAX_PATH], absolute[MAX_PATH], log[MAX_PATH];
    path_to(runner, set->tools, "runner", "");
    path_to(library, set->build, t->file, ".so");
    path_to(log, set->build, t->file, ".output.txt");
    snprintf(absolute, sizeof absolute, "%s%.1000s", strchr(library, '/') ? "" : "./", library);
    char *argv[] = {runner, absolute, own[0], own[1], own[2], NULL};
    if (!own[0])
        argv[2] = NULL;
    student child;
    session s = {.student = &child, .seed = set->seed, .detail = detail};
    verdict v;
    if (student_start(&child, argv, log))
        v = check_part(&s, p);
    else
        v = failed(&s, "start");
    student_stop(&child);
    return v;
}

static const char *part_name(const part *p) {
    static char name[80];
    switch (p->kind) {
    case VALUE: snprintf(name, sizeof name, "%s: value", p->op->symbol); break;
    case FROZEN: snprintf(name, sizeof name, "%s: only one input wants a gradient", p->op->symbol); break;
    case GRADIENT:
        snprintf(name, sizeof name, "%s: gradient of %s", p->op->symbol,
                 p->operand < 0 ? "everything" : p->op->operand[p->operand]);
        break;
    case SGD: return "sgd_step";
    case ADAM: return "adam_step";
    case TRAIN_VALUE: return "the loss before training";
    case TRAIN_STEP: return "the parameters after one step";
    default: return "300 steps";
    }
    return name;
}

static void mark_part(const settings *set, const task_spec *t, int i, task_mark *m, char *const own[3], FILE *detail) {
    char *text = NULL;
    size_t size = 0;
    FILE *cases = open_memstream(&text, &size);
    if (!cases)
        return;
    const part *p = &t->part[i];
    verdict v = run_part(set, t, p, own, cases);
    fclose(cases);
    m->verdict[i] = v;
    m->points += v.right ? p->points : 0;
    if (detail) {
        fprintf(detail, "  %-52s %2d / %d\n%s", part_name(p), v.right ? p->points : 0, p->points, text);
        if (!v.right)
            fprintf(detail, "    -> %s: %s\n       %s\n", v.where, v.mistake, v.why);
    }
    free(text);
}

static void note_first_mistake(const task_spec *t, task_mark *m) {
    bool untouched = true;
    for (int i = parts_of(t) - 1; i >= 0; i--) {
        untouched &= !m->verdict[i].right && m->verdict[i].untouched;
        if (!m->verdict[i].right)
            snprintf(m->note, sizeof m->note, "%s", m->verdict[i].mistake);
    }
    if (untouched)
        snprintf(m->note, sizeof m->note, "not started");
}

void mark_task(const settings *set, const task_spec *t, marks *m, FILE *detail) {
    task_mark *mark = &m->task[t - tasks];
    char path[3][MAX_PATH], *own[3] = {NULL};
    *mark = (task_mark){.points = 0};
    if (!build(set, t, mark))
        return;
    mark->compiles = true;
    if (t->part[0].kind == TRAIN_VALUE)
        add_own_code(set, m, mark, path, own);
    for (int i = 0; i < parts_of(t); i++)
        mark_part(set, t, i, mark, own, detail);
    note_first_mistake(t, mark);
}

void mark_all(const settings *set, marks *m) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < n_tasks; i++) {
        mark_task(set, &tasks[i], m, NULL);
        m->total += m->task[i].points;
    }
}
