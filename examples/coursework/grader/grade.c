/* Grades coursework: see --help. */
#include "grade.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: grade --tools DIR --compiler \"cc -Iinclude\" --tasks DIR --build DIR [--task NN] [--seed N]\n"
    "       grade --tools DIR --compiler \"cc -Iinclude\" --submissions DIR --csv FILE [--seed N]\n"
    "Prints the points of every task, or of one at length; or writes those of a folder of submissions as CSV.\n"
    "--tools: the folder of runner, training.o and libtapegrad.a. --seconds N: the limit for one call (5).\n";

static int fail(const char *what, const char *value) {
    fprintf(stderr, "grade: %s%s\n%s", what, value, help);
    return 2;
}

static int grade_one_task(const settings *set) {
    static marks m;
    char *detail = NULL, path[1024], log[2000] = "";
    size_t size = 0;
    const task_spec *t = NULL;
    for (int i = 0; i < n_tasks; i++)
        if (atoi(tasks[i].number) == atoi(set->only))
            t = &tasks[i];
    if (!t) {
        fprintf(stderr, "grade: there is no task %s; they are %s to %s\n", set->only, tasks[0].number,
                tasks[n_tasks - 1].number);
        return 2;
    }
    FILE *stream = open_memstream(&detail, &size);
    if (!stream)
        return fail("out of memory", "");
    mark_task(set, t, &m, stream);
    fclose(stream);
    snprintf(path, sizeof path, "%s/%s.output.txt", set->build, t->file);
    FILE *file = m.task[t - tasks].compiles ? fopen(path, "r") : NULL;
    if (file) {
        log[fread(log, 1, sizeof log - 1, file)] = '\0';
        fclose(file);
    }
    report_task(t, &m, detail, log);
    free(detail);
    return 0;
}

static int grade(const settings *set) {
    static marks m;
    if (set->submissions)
        return grade_all(set);
    if (set->only)
        return grade_one_task(set);
    mark_all(set, &m);
    report_marks(set, &m);
    return 0;
}

int main(int argc, char **argv) {
    settings set = {.seed = 1};
    const char *seed = "1", *seconds = "5";
    const struct {
        const char *name, **value;
    } options[] = {
        {"--tools", &set.tools}, {"--compiler", &set.compiler},       {"--tasks", &set.from}, {"--build", &set.build},
        {"--task", &set.only},   {"--submissions", &set.submissions}, {"--csv", &set.csv},    {"--seed", &seed},
        {"--seconds", &seconds}};
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0, n = sizeof options / sizeof *options;
        while (k < n && strcmp(argv[i], options[k].name) != 0)
            k++;
        if (strcmp(argv[i], "--help") == 0) {
            printf("%s", help);
            return 0;
        }
        if (k == n)
            return fail("unknown option ", argv[i]);
        if (i + 1 == argc)
            return fail("a value is missing after ", argv[i]);
        *options[k].value = argv[i + 1];
    }
    set.seed = strtoull(seed, NULL, 10);
    run_limits.seconds = atoi(seconds);
    if (!set.tools || !set.compiler || !(set.submissions ? set.csv : set.from && set.build ? set.from : NULL))
        return fail("an option is missing", "");
    if (run_limits.seconds < 1)
        return fail("--seconds wants a positive number, not ", seconds);
    return grade(&set);
}
