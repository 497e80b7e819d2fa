/* Building a student's task and running its checks. */
#define _DEFAULT_SOURCE
#include "grade.h"
#include "sandbox.h"

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

/* ---- what a compiler may read ---- */

static void path_to(char *out, const char *folder, const char *name, const char *ending) {
    snprintf(out, MAX_PATH, "%.900s/%s%s", folder, name, ending);
}

static void read_text(const char *path, char *out, size_t size) {
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(out, 1, size - 1, file) : 0;
    out[n] = '\0';
    if (file)
        fclose(file);
}

enum { MAX_READABLE = 64, MAX_SYSTEM = 16 };
static const char *const system_folders[] = {"/usr", "/lib", "/lib64", "/bin", "/opt", "/nix", "/etc/ld.so.cache"};
static const char *readable[MAX_READABLE];        /* by the compiler */
static char include_folder[MAX_PATH];             /* the headers of the exercises */
static char system_include[MAX_SYSTEM][MAX_PATH]; /* where the compiler finds its own */
static int n_system_include;

/* Programs and the library stand in the tools' folder, which a compiler need not see whole. */
static void choose_readable(const settings *set) {
    static char own[3][MAX_PATH], search[4096];
    int n = 0;
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        readable[n++] = system_folders[i];
    path_to(include_folder, set->tools, "include", "");
    path_to(own[0], set->tools, "harness", "");
    path_to(own[1], set->tools, "libtapegrad", ".a");
    readable[n++] = include_folder;
    readable[n++] = own[0];
    readable[n++] = own[1];
    snprintf(search, sizeof search, "%s", getenv("PATH") ? getenv("PATH") : "");
    for (char *folder = strtok(search, ":"); folder && n < MAX_READABLE - 1; folder = strtok(NULL, ":"))
        readable[n++] = folder;
    readable[n] = NULL;
}

/* From what `cc -v` prints: the folders between these two lines. */
static void note_system_includes(const char *log) {
    static char text[1 << 16];
    read_text(log, text, sizeof text);
    char *at = strstr(text, "#include <...>"), *end = at ? strstr(at, "End of search list") : NULL;
    n_system_include = 0;
    if (!end)
        return;
    *end = '\0';
    at = strchr(at, '\n');
    for (char *line = at ? strtok(at, "\n") : NULL; line && n_system_include < MAX_SYSTEM; line = strtok(NULL, "\n")) {
        char *whole = realpath(line + strspn(line, " "), NULL);
        if (whole && strcmp(whole, include_folder) != 0)
            snprintf(system_include[n_system_include++], MAX_PATH, "%s", whole);
        free(whole);
    }
}

static bool is_below(const char *path, const char *folder) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

static bool may_include(const char *path, const char *source) {
    char *whole = realpath(path, NULL);
    bool good = whole && (strcmp(whole, source) == 0 || is_below(whole, include_folder));
    for (int i = 0; whole && !good && i < n_system_include; i++)
        good = is_below(whole, system_include[i]);
    free(whole);
    return good;
}

/* The files that make's rule (cc -MD) names after its colon; a space in a name has a backslash before it. */
static bool includes_only_headers(const char *rule, const char *source, const char *folder, char *bad, size_t size) {
    static char text[1 << 16], name[MAX_PATH], whole[MAX_PATH];
    read_text(rule, text, sizeof text);
    char *at = strstr(text, ": ");
    if (!at || strlen(text) + 1 == sizeof text)
        return false;
    for (at += 2; *at;) {
        size_t n = 0;
        while (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n'))
            at += *at == '\\' ? 2 : 1;
        for (; *at && *at != ' ' && *at != '\n' && n + 1 < MAX_PATH; at++) {
            if (*at == '\\' && at[1] == ' ')
                at++;
            name[n++] = *at;
        }
        name[n] = '\0';
        if (name[0] == '/')
            snprintf(whole, sizeof whole, "%s", name);
        else
            snprintf(whole, sizeof whole, "%.500s/%.500s", folder, name);
        if (n && !may_include(whole, source)) {
            snprintf(bad, size, "%.200s", name);
            return false;
        }
    }
    return true;
}

/* ---- the budget ---- */

/* Seconds that the submission's programs have taken: CPU time, and time in which they kept the grader waiting. */
static double spent(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) +
           run_waited;
}
static bool is_spent(const settings *set) { return set->budget > 0 && spent() > set->budget; }

/* ---- building ---- */

static bool is_newer(const char *a, const char *b) {
    struct stat x, y;
    if (stat(a, &x) || stat(b, &y))
        return false;
    return x.st_mtim.tv_sec != y.st_mtim.tv_sec ? x.st_mtim.tv_sec > y.st_mtim.tv_sec
                                                : x.st_mtim.tv_nsec > y.st_mtim.tv_nsec;
}

/* Options in the compiler's name come behind ours: CC="ccache cc -O0" is obeyed. */
static int run_compiler(const settings *set, const char *const *more, const char *log, char *reason, size_t size) {
    char words[MAX_PATH], *argv[MAX_ARGS];
    room where = {set->build, readable, true, true};
    int n = 0;
    snprintf(words, sizeof words, "%s", set->compiler);
    char *word = strtok(words, " ");
    for (; word && word[0] != '-' && n < MAX_ARGS - 24; word = strtok(NULL, " "))
        argv[n++] = word;
    for (int i = 0; more[i] && n < MAX_ARGS - 1; i++)
        argv[n++] = (char *)(uintptr_t)more[i];
    for (; word && n < MAX_ARGS - 1; word = strtok(NULL, " "))
        argv[n++] = word;
    argv[n] = NULL;
    limits usual = run_limits;
    run_limits = (limits){2 * usual.seconds, 4096, 64 << 20};
    int status = run_program(argv, log, &where, reason, size);
    run_limits = usual;
    return status;
}

/* Tries the compiler where it may read only this. If it fails, it works without; where its headers are is noted. */
bool prepare_building(const settings *set) {
    char source[MAX_PATH], object[MAX_PATH], log[MAX_PATH], reason[300] = "";
    const char *const flags[] = {"-v", "-I", include_folder, "-c", source, "-o", object, NULL};
    choose_readable(set);
    path_to(source, set->build, "probe", ".c");
    path_to(object, set->build, "probe", ".o");
    path_to(log, set->build, "probe", ".txt");
    FILE *file = fopen(source, "w");
    if (!file)
        return false;
    fprintf(file, "#include \"coursework.h\"\n#include <stdio.h>\ndouble probe(void) { return sin(1); }\n");
    fclose(file);
    int status = run_compiler(set, flags, log, reason, sizeof reason);
    if (status) {
        fprintf(stderr, "grade: the compiler needs files outside the system's folders, so it may read all files\n");
        run_confines = false;
        status = run_compiler(set, flags, log, reason, sizeof reason);
    }
    note_system_includes(log);
    unlink(source);
    unlink(object);
    unlink(log);
    if (status)
        fprintf(stderr, "grade: the compiler does not work: %s %s\n", set->compiler, reason);
    return status == 0;
}

static void say(task_mark *m, const char *text) {
    size_t used = strlen(m->compiler_says);
    snprintf(m->compiler_says + used, sizeof m->compiler_says - used, "%s", text);
}

static bool compile(const settings *set, const task_spec *t, task_mark *m) {
    char source[MAX_PATH], object[MAX_PATH], rule[MAX_PATH], log[MAX_PATH], reason[300] = "";
    path_to(source, set->build, t->file, ".c");
    path_to(object, set->build, t->file, ".o");
    path_to(rule, set->build, t->file, ".d");
    path_to(log, set->build, t->file, ".compiler.txt");
    const char *const flags[] = {"-std=c11", "-D_XOPEN_SOURCE=700",
                                 "-Wall",    "-Wextra",
                                 "-O1",      "-fPIC",
                                 "-I",       include_folder,
                                 "-MD",      "-MF",
                                 rule,       "-c",
                                 source,     "-o",
                                 object,     NULL};
    int status = run_compiler(set, flags, log, reason, sizeof reason);
    read_text(log, m->compiler_says, sizeof m->compiler_says);
    say(m, reason);
    if (status == 0 && !includes_only_headers(rule, source, set->build, reason, sizeof reason)) {
        say(m, "error: it includes a file that is not a header of the exercises or of the compiler: ");
        say(m, reason);
        status = 1;
    }
    unlink(rule);
    return status == 0;
}

static bool run_linker(const settings *set, const task_spec *t, task_mark *m, const char *const *objects,
                       const char *library) {
    const char *flags[16] = {"-shared", "-nostartfiles", "-Wl,-S", "-o", library};
    char log[MAX_PATH], says[2000], reason[300] = "";
    int n = 5;
    path_to(log, set->build, t->file, ".linker.txt");
    while (*objects)
        flags[n++] = *objects++;
    flags[n++] = "-lm";
    int status = run_compiler(set, flags, log, reason, sizeof reason);
    read_text(log, says, sizeof says);
    say(m, says);
    say(m, reason);
    unlink(log);
    return status == 0;
}

/* Without start files nothing of the student's runs before the runner has its filter, unless it is marked to. The
 * student's code is looked at alone: libgcc has a constructor of its own, which the library needs. */
static bool link_task(const settings *set, const task_spec *t, task_mark *m, const char *library) {
    char object[MAX_PATH], harness[MAX_PATH], handle[MAX_PATH], tapegrad[MAX_PATH];
    path_to(object, set->build, t->file, ".o");
    path_to(handle, set->tools, "harness/handle", ".o");
    path_to(tapegrad, set->tools, "libtapegrad", ".a");
    snprintf(harness, sizeof harness, "%.900s/harness/%s.o", set->tools, t->harness ? t->harness : "");
    const char *const alone[] = {object, handle, NULL};
    const char *const all[] = {object, harness, handle, t->uses_library ? tapegrad : NULL, NULL};
    bool good = run_linker(set, t, m, alone, library);
    bool runs = good && sandbox_runs_at_load(library, false);
    if (good && !runs && t->harness) {
        good = run_linker(set, t, m, all, library);
        runs = good && sandbox_runs_at_load(library, true);
    }
    if (runs)
        say(m, "error: it has code that runs when it is loaded (a constructor, an ifunc)");
    unlink(object);
    return good && !runs;
}

static bool copy_text(const char *from, const char *to) {
    char bytes[4096];
    FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
    size_t n;
    while (out && (n = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, n, out);
    bool good = out && !ferror(in) && !ferror(out);
    if (in)
        fclose(in);
    if (out && fclose(out))
        good = false;
    return good;
}

static bool same_text(const char *a, const char *b) {
    FILE *x = fopen(a, "r"), *y = fopen(b, "r");
    int c = 0;
    bool same = x && y;
    while (same && c != EOF)
        same = (c = fgetc(x)) == fgetc(y);
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return same;
}

/* Why there is nothing to build. */
static const char *not_there(const settings *set, const task_spec *t, const char *source) {
    struct stat s;
    if (set->not_taken[t - tasks][0])
        return set->not_taken[t - tasks];
    if (lstat(source, &s))
        return "missing";
    return S_ISLNK(s.st_mode) ? "not taken: a link" : S_ISREG(s.st_mode) ? NULL : "not taken: not a regular file";
}

/* The library of a task, built when it is not there or from another text, from a copy in a folder where nothing else
 * of the tasks lies. */
static bool build(const settings *set, const task_spec *t, task_mark *m) {
    char source[MAX_PATH], copy[MAX_PATH], library[MAX_PATH], log[MAX_PATH], runner[MAX_PATH];
    path_to(source, set->from, t->file, ".c");
    path_to(copy, set->build, t->file, ".c");
    path_to(library, set->build, t->file, ".so");
    path_to(log, set->build, t->file, ".compiler.txt");
    path_to(runner, set->tools, "runner", "");
    const char *why = not_there(set, t, source);
    if (!why && is_spent(set))
        why = "not graded: the submission's time is used up";
    if (why) {
        snprintf(m->note, sizeof m->note, "%s", why);
        return false;
    }
    if (same_text(source, copy) && is_newer(library, copy) && is_newer(library, runner)) {
        read_text(log, m->compiler_says, sizeof m->compiler_says);
        return true;
    }
    unlink(library);
    bool good = (strcmp(set->from, set->build) == 0 || copy_text(source, copy)) && compile(set, t, m) &&
                link_task(set, t, m, library);
    if (good)
        return true;
    unlink(library);
    snprintf(m->note, sizeof m->note, "does not compile");
    return false;
}

/* ---- checking ---- */

/* Tasks 12 and 19 train with the student's own code where that has full marks, else with the library's ("-"). */
static void add_own_code(const settings *set, const task_spec *user, marks *m, char path[3][MAX_PATH], char **argv) {
    for (int i = 0; i < 3 && user->own[i]; i++) {
        const task_spec *t = task_numbered(user->own[i]);
        task_mark *own = &m->task[t - tasks], *mark = &m->task[user - tasks];
        if (set->only && !own->compiles)
            mark_task(set, t, m);
        mark->instead[i] = own->points < points_of(t);
        path_to(path[i], set->build, t->file, ".so");
        argv[i] = mark->instead[i] ? "-" : path[i];
    }
}

/* A check in a process of its own. Without a log the student's printf does nothing there, and costs nothing. */
static verdict run_check(const settings *set, const task_spec *t, const part *p, check_function *check, const char *log,
                         char *const own[3], FILE *detail) {
    char runner[MAX_PATH], library[MAX_PATH];
    path_to(runner, set->tools, "runner", "");
    path_to(library, set->build, t->file, ".so");
    const char *const sees[] = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", runner, set->build, NULL};
    room where = {set->build, sees, false, false};
    char *argv[] = {
        runner, sandbox_filters ? "filter" : "open", log ? "prints" : "silent", library, own[0], own[1], own[2], NULL};
    student child;
    session s = {
        .student = &child, .seed = set->seed, .variant = set->variant, .task = (int)(t - tasks), .detail = detail};
    verdict v;
    if (student_start(&child, argv, log ? log : "/dev/null", &where))
        v = check(&s, p);
    else
        v = failed(&s, "start");
    student_stop(&child);
    return v;
}

static verdict run_part(const settings *set, const task_spec *t, const part *p, char *const own[3], FILE *detail) {
    char log[MAX_PATH];
    path_to(log, set->build, t->file, ".output.txt");
    verdict v = run_check(set, t, p, check_part, log, own, detail);
    if (!v.right || p->kind != GRADIENT || !p->op->large)
        return v;
    v = run_check(set, t, p, check_cost, NULL, own, detail);
    for (int again = 1; again < 3 && strcmp(v.mistake, too_slow) == 0; again++) /* the best of three */
        v = run_check(set, t, p, check_cost, NULL, own, detail);
    return v;
}

static const char *part_name(const part *p) {
    static char name[80];
    switch (p->kind) {
    case VALUE: snprintf(name, sizeof name, "%s: value", p->op->symbol); break;
    case FROZEN: snprintf(name, sizeof name, "%s: only some inputs want a gradient", p->op->symbol); break;
    case GRADIENT:
        snprintf(name, sizeof name, "%s: gradient of %s", p->op->symbol,
                 p->operand < 0 ? "everything" : p->op->operand[p->operand]);
        break;
    case SGD: return "sgd_step";
    case ADAM: return "adam_step";
    case HARNESS: return p->name;
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
    limits usual = run_limits;
    if (m->hangs) /* the next part is given the time to show that it does not */
        run_limits.seconds = 1;
    verdict v = is_spent(set)
                    ? wrong("budget", "time used up", "the submission has used up its %g seconds", set->budget)
                    : run_part(set, t, p, own, cases);
    run_limits = usual;
    m->hangs |= strcmp(v.mistake, "endless loop") == 0 || strcmp(v.mistake, "sleeps") == 0;
    fclose(cases);
    m->verdict[i] = v;
    m->points += v.right ? p->points : 0;
    fprintf(detail, "  %-52s %2d / %d\n%s", part_name(p), v.right ? p->points : 0, p->points, text);
    if (!v.right)
        fprintf(detail, "    -> %s: %s\n%s%s%s       %s\n", v.where, v.mistake, *v.element ? "       " : "", v.element,
                *v.element ? "\n" : "", v.why);
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

static void mark_parts(const settings *set, const task_spec *t, marks *m, FILE *detail) {
    task_mark *mark = &m->task[t - tasks];
    char path[3][MAX_PATH], *own[3] = {NULL}, log[MAX_PATH];
    char *library[3] = {NULL};
    for (int i = 0; i < 3 && t->own[i]; i++)
        library[i] = "-";
    add_own_code(set, t, m, path, own);
    for (int i = 0; i < parts_of(t); i++) /* only the whole training, the last part, is with the student's own code */
        mark_part(set, t, i, mark, i + 1 < parts_of(t) ? library : own, detail);
    note_first_mistake(t, mark);
    path_to(log, set->build, t->file, ".output.txt");
    read_text(log, mark->printed, sizeof mark->printed);
}

void mark_task(const settings *set, const task_spec *t, marks *m) {
    task_mark *mark = &m->task[t - tasks];
    size_t size = 0;
    *mark = (task_mark){.points = 0};
    mark->compiles = build(set, t, mark);
    FILE *detail = mark->compiles ? open_memstream(&mark->detail, &size) : NULL;
    if (!detail)
        return;
    mark_parts(set, t, m, detail);
    fclose(detail);
}

verdict show_task(const settings *set, const task_spec *t, check_function *show, FILE *out) {
    char log[MAX_PATH], *own[3] = {NULL};
    path_to(log, set->build, t->file, ".output.txt");
    return run_check(set, t, &t->part[0], show, log, own, out);
}

void mark_all(const settings *set, marks *m) {
    memset(m, 0, sizeof *m);
    for (int i = 0; i < n_tasks; i++) {
        mark_task(set, &tasks[i], m);
        m->total += m->task[i].points;
    }
}

void forget_marks(marks *m) {
    for (int i = 0; i < n_tasks; i++)
        free(m->task[i].detail);
    memset(m, 0, sizeof *m);
}
