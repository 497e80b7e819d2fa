/* Programs with limits, and a student's code in one of them. */
#ifndef TAPEGRAD_COURSEWORK_RUN_H
#define TAPEGRAD_COURSEWORK_RUN_H

#include "protocol.h"

#include <sys/resource.h>
#include <sys/types.h>

typedef struct limits {
    int seconds;   /* of CPU time and, separately, without an answer; ten times that where others take the CPU */
    int megabytes; /* of memory */
    rlim_t file_bytes;
} limits;
extern limits run_limits;

extern double run_waited; /* seconds that programs did nothing and were waited for, until they were ended */

/* Where a program runs and what it sees. All paths are absolute. */
typedef struct room {
    const char *folder;          /* the working folder, and the one for temporary files */
    const char *const *readable; /* files and folders, ends with NULL */
    bool may_write, may_fork;    /* write in the folder */
} room;
extern bool run_confines; /* false: a compiler somewhere else could not be run under Landlock */

/* Run argv with its output in the file log; its exit status, or -1 with a reason (a signal, a limit). */
int run_program(char *const argv[], const char *log, const room *where, char *reason, size_t size);

/* A process that runs a student's code. After the first failure it is gone, and says why. */
typedef struct student {
    pid_t pid;
    int to, from;
    uint64_t nonce;
    int64_t in_calls, slept; /* milliseconds of all its calls, and of them asleep; */
    int64_t looked_at;       /* in_calls, when that was last looked at; */
    int64_t active_before;   /* the grader's own milliseconds when it was started */
    char failure[400];       /* "" while it runs */
    bool is_missing;         /* the function is not there */
    char text[MAX_TEXT];
} student;

/* argv: the runner and its arguments. */
bool student_start(student *s, char *const argv[], const char *log, const room *where);
void student_stop(student *s);
/* CPU time that it has used, to compare costs. */
int64_t student_microseconds(const student *s);

/* An intermediate that the student named with course_keep(). */
typedef struct kept_array {
    char name[24];
    int64_t n;
    double *value; /* the caller's to free */
} kept_array;

/* One call: data[i] holds the elements of array i; those of results are replaced. *value is what the function
 * returned. kept may be NULL, else has room for MAX_KEPT, and *n_kept is their number. */
bool student_call(student *s, request *r, void *const *data, int *value, kept_array *kept, int *n_kept);

#endif
