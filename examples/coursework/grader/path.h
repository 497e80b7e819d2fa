/* The order in which the tasks tell their story: chapters, and after some tasks a milestone that runs the student's own
 * code. The order of `tasks` is that of the CSV's columns, and stays. */
#ifndef TAPEGRAD_COURSEWORK_PATH_H
#define TAPEGRAD_COURSEWORK_PATH_H

#include "check.h"

typedef struct milestone {
    const char *target; /* make line */
    const char *what;
    const char *needs; /* the numbers of the tasks whose code it runs: "A2 19" */
} milestone;

/* The k-th task of the story; all of `tasks` come, those that no chapter names last. */
const task_spec *task_on_path(int k);
/* Of the chapter that t stands in. */
const char *chapter_of(const task_spec *t);
/* The task after t on the path, or NULL. */
const milestone *milestone_after(const task_spec *t);

#endif
