/* The grader's program: settings, and the marks of one submission. */
#ifndef TAPEGRAD_COURSEWORK_GRADE_H
#define TAPEGRAD_COURSEWORK_GRADE_H

#include "check.h"

typedef struct settings {
    const char *compiler;    /* with its -I options */
    const char *tools;       /* folder with runner, include/, harness/, libtapegrad.a; absolute, as the next */
    const char *build;       /* where to build and run; made when it is not there */
    const char *from;        /* folder with the task files */
    const char *only;        /* the number of the one task, or NULL */
    const char *submissions; /* folder of submissions, or NULL */
    const char *csv, *json;
    const char *reports; /* folder for the long report of each task, or NULL */
    const char *graphs;  /* folder for the graph of each exercise, or NULL: nothing is graded then */
    const char *look;    /* file for what `make look` shows of the one task, or NULL */
    const char *class;   /* any text: another class has other variants */
    const char *student; /* whose variants; NULL: the usual exercises */
    const char *names;   /* file of the names of a class, or NULL */
    const char *answers; /* file of the answers to the pages' predictions, or NULL */
    int jobs;            /* submissions at a time */
    double budget;       /* seconds of CPU time for a submission; 0: no limit */
    bool lists_variants;
    bool has_variants;             /* every submission is graded as the variants of its name */
    char not_taken[MAX_TASKS][64]; /* why a submission's file was not copied, in the words of task_mark.note; or "" */
    uint64_t seed;                 /* of the random data */
    bool draws_seed;               /* a secret one, for a folder of submissions */
    int variant[MAX_TASKS];        /* of every task, for this student */
    int all_variants;              /* this one for everybody, or -1 */
} settings;

typedef struct task_mark {
    int points;
    char note[64]; /* "", or "missing", "not taken: a link", "does not compile", "not started", the first mistake */
    verdict verdict[MAX_PARTS];
    char compiler_says[4000];  /* when it does not compile, or warns */
    char printed[2000];        /* by the student's code, in the last part */
    char *detail;              /* every part and case at length */
    bool hangs;                /* a part did not end */
    bool compiles, instead[3]; /* task 12: the library's linear, attention, Adam in place of the student's */
} task_mark;

typedef struct marks {
    task_mark task[MAX_TASKS];
    int total;
    char whose[320];     /* "2 tasks fit the variants of ada", or "" */
    char predicted[240]; /* "5 of 7 predictions right, not 04 09", or "" */
} marks;

int parts_of(const task_spec *t);
int points_of(const task_spec *t);
int all_points(void);

/* Build the task from `from` and check it. */
void mark_task(const settings *set, const task_spec *t, marks *m);
void mark_all(const settings *set, marks *m);
/* Something else than its checks, on a task that was marked: show gets a process with the task's code, and its first
 * part.
 */
typedef verdict check_function(session *s, const part *p);
verdict show_task(const settings *set, const task_spec *t, check_function *show, FILE *out);
void forget_marks(marks *m);

/* Before the first task, in set->build: finds what the compiler may read. False when it does not work. */
bool prepare_building(const settings *set);

/* report.c */
void report_marks(FILE *out, const marks *m);
void report_task(FILE *out, const task_spec *t, const marks *m);
void report_json(FILE *out, const marks *m);

/* recordings.c: HTML figures of what the exercise computes, as the library records it, with gradients */
bool draw_exercise(FILE *out, const settings *set, const task_spec *t);

/* batch.c: a folder of submissions */
int grade_all(const settings *set);

/* variants.c: the variants of a student's exercises; all 0, the usual ones, for NULL */
void choose_variants(settings *set, const char *id);
/* The seed of a student's own copy: other data than a neighbour's, the same each time. */
uint64_t seed_of(const settings *set, const char *id);
/* From the system's random numbers, below 10^12. */
uint64_t secret_seed(void);

#endif
