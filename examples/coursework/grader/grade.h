/* The grader's program: settings, and the marks of one submission. */
#ifndef TAPEGRAD_COURSEWORK_GRADE_H
#define TAPEGRAD_COURSEWORK_GRADE_H

#include "check.h"

typedef struct settings {
    const char *compiler;    /* with its -I options */
    const char *tools;       /* folder with runner, training.o, libtapegrad.a */
    const char *build;       /* where to build; made when it is not there */
    const char *from;        /* folder with the task files */
    const char *only;        /* the number of the one task, or NULL */
    const char *submissions; /* folder of submissions, or NULL */
    const char *csv;
    uint64_t seed;
} settings;

typedef struct task_mark {
    int points;
    char note[64]; /* "", or "missing", "does not compile", "not started", the first mistake */
    verdict verdict[MAX_PARTS];
    char compiler_says[4000];  /* when it does not compile, or warns */
    bool compiles, instead[3]; /* task 12: the library's linear, attention, Adam in place of the student's */
} task_mark;

typedef struct marks {
    task_mark task[MAX_TASKS];
    int total;
} marks;

int parts_of(const task_spec *t);
int points_of(const task_spec *t);
int all_points(void);

/* Build the task from `from` and check it; detail gets the long report. */
void mark_task(const settings *set, const task_spec *t, marks *m, FILE *detail);
void mark_all(const settings *set, marks *m);

/* report.c */
void report_marks(const settings *set, const marks *m);
void report_task(const task_spec *t, const marks *m, const char *detail, const char *log);
int grade_all(const settings *set);

#endif
