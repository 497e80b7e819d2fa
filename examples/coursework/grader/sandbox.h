/* What keeps a student's code in its place, as far as the system offers it; see README.md for what it cannot. */
#ifndef TAPEGRAD_COURSEWORK_SANDBOX_H
#define TAPEGRAD_COURSEWORK_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

/* false, for the tests, leaves out the filter of system calls: what stands behind it has to hold too. */
extern bool sandbox_filters;

/* The grader: nobody reads its memory or attaches to it, and orphans of its children become its own. */
void sandbox_guard_grader(void);

/* The process that grades one submission for it: gets the orphans of its children, and ends with the grader. */
void sandbox_guard_child(void);

/* Kill and collect every process below the grader but these n, also one that left its group or its parent. */
void sandbox_reap(const pid_t *spared, int n);

/* In a new process, before exec: files can be read only below `readable` (ends with NULL; what is not there is passed
 * over) and written only below `writable` and /dev/null. false where the system has no Landlock. */
bool sandbox_confine(const char *const *readable, const char *writable);

/* In a new process, before exec: no more processes than that (-1: as many as a compiler needs). */
void sandbox_limit_processes(int most);

/* In the runner, before the student's library is loaded: files are only read, and else as after it. */
void sandbox_filter_loading(void);

/* In the runner, before the first call: only system calls that computing and answering need. */
void sandbox_filter_calls(void);

/* True when loading this library runs code of it (constructors, ifuncs) or, of a library that has constructors of the
 * compiler's, when relocations of it do. */
bool sandbox_runs_at_load(const char *library, bool only_relocations);

#endif
