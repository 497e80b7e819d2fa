/* Grades coursework: see --help. */
#define _DEFAULT_SOURCE
#include "grade.h"
#include "look.h"
#include "path.h"
#include "sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: grade --tools DIR --compiler cc --tasks DIR --build DIR [--task NN] [--json FILE] [--seed N] [--student ID] [--class TEXT]\n"
    "       grade --tools DIR --compiler cc --submissions DIR --csv FILE [--seed N] [--variants 1] [--class TEXT]\n"
    "Prints the points of every task, or of one at length; or writes those of a folder of submissions as CSV, with\n"
    "FILE-feedback/NAME.txt for each and FILE-summary.txt beside it. --student: grade the variants of this student;\n"
    "--variants 1: of each, by the name of the folder. --json: also as Gradescope's results.json. --reports DIR: also the\n"
    "long report of each task, NN.txt. --graphs DIR: nothing is graded; NN.graph is what the exercise computes, as HTML.\n"
    "--look FILE: what a run of the one task does, step by step beside the library's, as JSON.\n"
    "--tools: the folder of runner, include/, harness/ and libtapegrad.a. --seconds N: the limit for one call (5).\n"
    "--jobs N: so many submissions at a time (1). --budget N: seconds of CPU time for one (60). --seed: without it a folder\n"
    "of submissions gets a secret one, which is printed, a student one by the name, and all others 1. --names FILE: the names of a class, one a line, which folders stand\n"
    "for. --predictions FILE: the right answers to the pages' predictions, with which those of a submission are compared.\n"
    "--filter off: without the filter of system calls, to test what stands behind it. --variant N: everybody's.\n";

static int fail(const char *what, const char *value) {
    fprintf(stderr, "grade: %s%s\n%s", what, value, help);
    return 2;
}

/* The file of one task in that folder, for writing; NULL after saying that there is none. */
static FILE *open_in(const char *folder, const task_spec *t, const char *ending) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s.%s", folder, t->number, ending);
    mkdir(folder, 0777);
    FILE *file = length < (int)sizeof path ? fopen(path, "w") : NULL;
    if (!file)
        fprintf(stderr, "grade: cannot write %s\n", path);
    return file;
}

static bool write_report(const settings *set, const task_spec *t, const marks *m) {
    FILE *file = set->reports ? open_in(set->reports, t, "txt") : NULL;
    if (file)
        report_task(file, t, m);
    return !set->reports || (file && !(ferror(file) | fclose(file)));
}

static int draw_graphs(const settings *set) {
    bool good = true;
    for (int i = 0; i < n_tasks && good; i++) {
        FILE *file = open_in(set->graphs, &tasks[i], "graph");
        good = file && draw_exercise(file, set, &tasks[i]);
        good = file && !(ferror(file) | fclose(file)) && good;
    }
    return good ? 0 : 2;
}

/* "04" or "4"; NULL after saying that there is none. */
static const task_spec *chosen_task(const settings *set) {
    for (int i = 0; i < n_tasks; i++)
        if (strcmp(tasks[i].number, set->only) == 0 ||
            (tasks[i].number[0] == '0' && strcmp(tasks[i].number + 1, set->only) == 0))
            return &tasks[i];
    fprintf(stderr, "grade: there is no task %s; they are", set->only);
    for (int i = 0; i < n_tasks; i++)
        fprintf(stderr, " %s", tasks[i].number);
    fprintf(stderr, "\n");
    return NULL;
}

/* The command of `make look`. */
static int look(const settings *set) {
    const task_spec *t = chosen_task(set);
    FILE *file = t ? fopen(set->look, "w") : NULL;
    if (t && !file)
        fprintf(stderr, "grade: cannot write %s\n", set->look);
    bool good = file && look_at(file, set, t);
    return file && !(ferror(file) | fclose(file)) && good ? 0 : 2;
}

static int grade_one_task(const settings *set, marks *m) {
    const task_spec *t = chosen_task(set);
    if (!t)
        return 2;
    mark_task(set, t, m);
    report_task(stdout, t, m);
    return write_report(set, t, m) ? 0 : 2;
}

static int say(const char *what, const char *value) {
    fprintf(stderr, "grade: %s%s\n", what, value);
    return 2;
}

/* 2 where not all that was printed could be written. */
static int written(int status) {
    return fflush(stdout) || ferror(stdout) ? say("cannot write ", "the output") : status;
}

static int write_json(const settings *set, const marks *m) {
    FILE *file = fopen(set->json, "w");
    if (file)
        report_json(file, m);
    return !file || ferror(file) | fclose(file) ? say("cannot write ", set->json) : 0;
}

/* "04 2 10 Operations, one at a time" for every task on the path: its number, the student's variant, its points, its
 * chapter; for scripts */
static int list_variants(const settings *set) {
    const task_spec *t;
    for (int k = 0; (t = task_on_path(k)) != NULL; k++)
        printf("%s %d %d %s\n", t->number, set->variant[t - tasks], points_of(t), chapter_of(t));
    return 0;
}

static int grade(settings *set) {
    static marks m;
    int status = 0;
    sandbox_guard_grader();
    choose_variants(set, set->student);
    if (set->submissions)
        return grade_all(set);
    if (set->lists_variants)
        return list_variants(set);
    if (set->graphs)
        return draw_graphs(set);
    if (!prepare_building(set))
        return 2;
    if (set->look)
        return look(set);
    if (set->only) {
        status = grade_one_task(set, &m);
    } else {
        mark_all(set, &m);
        report_marks(stdout, &m);
        status = set->json ? write_json(set, &m) : 0;
        for (int i = 0; i < n_tasks && !status; i++)
            status = write_report(set, &tasks[i], &m) ? 0 : 2;
    }
    forget_marks(&m);
    return status;
}

/* Digits and nothing else, up to 2^64 - 1. */
static bool read_seed(const char *text, uint64_t *seed) {
    errno = 0;
    *seed = strtoull(text, NULL, 10);
    return text[0] && text[strspn(text, "0123456789")] == '\0' && errno == 0;
}

static bool is_folder(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* Programs run in another folder than this one. */
static bool make_absolute(const char **path, bool make) {
    if (make)
        mkdir(*path, 0777);
    char *whole = realpath(*path, NULL);
    if (!whole)
        fprintf(stderr, "grade: there is no folder %s\n", *path);
    *path = whole;
    return whole != NULL;
}

int main(int argc, char **argv) {
    settings set = {.seed = 1, .class = "", .jobs = 1};
    const char *seed = NULL, *seconds = "5", *filter = "on", *variants = "", *list = "";
    const char *jobs = "1", *budget = "60", *variant = NULL;
    const struct {
        const char *name, **value;
    } options[] = {{"--tools", &set.tools},
                   {"--compiler", &set.compiler},
                   {"--tasks", &set.from},
                   {"--build", &set.build},
                   {"--task", &set.only},
                   {"--submissions", &set.submissions},
                   {"--csv", &set.csv},
                   {"--seed", &seed},
                   {"--seconds", &seconds},
                   {"--filter", &filter},
                   {"--json", &set.json},
                   {"--student", &set.student},
                   {"--class", &set.class},
                   {"--variants", &variants},
                   {"--list-variants", &list},
                   {"--reports", &set.reports},
                   {"--graphs", &set.graphs},
                   {"--names", &set.names},
                   {"--jobs", &jobs},
                   {"--budget", &budget},
                   {"--variant", &variant},
                   {"--look", &set.look},
                   {"--predictions", &set.answers}};
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0, n = sizeof options / sizeof *options;
        while (k < n && strcmp(argv[i], options[k].name) != 0)
            k++;
        if (strcmp(argv[i], "--help") == 0) {
            printf("%s", help);
            return written(0);
        }
        if (k == n)
            return fail("unknown option ", argv[i]);
        if (i + 1 == argc)
            return fail("a value is missing after ", argv[i]);
        *options[k].value = argv[i + 1];
    }
    run_limits.seconds = atoi(seconds);
    if (!set.tools || !set.compiler ||
        !(list[0]                 ? list
          : set.graphs            ? set.graphs
          : set.submissions       ? set.csv
          : set.from && set.build ? set.from
                                  : NULL))
        return fail("an option is missing", "");
    set.draws_seed = !seed && set.submissions;
    if (seed && !read_seed(seed, &set.seed))
        return say("the seed has to be a whole number, in digits, not ", seed[0] ? seed : "an empty text");
    if (set.from && !is_folder(set.from))
        return say("there is no folder ", set.from);
    if (set.json && set.only)
        return say("--json is of all tasks, not with --task ", set.only);
    if (set.look && !set.only)
        return say("--look wants --task", "");
    set.jobs = atoi(jobs);
    set.budget = set.submissions ? atof(budget) : 0;
    set.all_variants = variant ? atoi(variant) : -1;
    if (set.jobs < 1)
        return fail("--jobs wants a positive number, not ", jobs);
    if (run_limits.seconds < 1)
        return fail("--seconds wants a positive number, not ", seconds);
    set.lists_variants = list[0] != '\0';
    set.has_variants = variants[0] != '\0';
    if (set.student && !set.student[0])
        set.student = NULL;
    if (set.student && !seed)
        set.seed = seed_of(&set, set.student);
    sandbox_filters = strcmp(filter, "off") != 0;
    bool good = make_absolute(&set.tools, false) && (!set.build || make_absolute(&set.build, true));
    return good ? written(grade(&set)) : 2;
}
