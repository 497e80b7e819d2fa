/* A folder of submissions: a CSV, a feedback file for each, a summary of the class.
 *
 * A row is on disk as soon as it is known. While grading goes on FILE.unfinished lies beside the CSV; when it is found
 * at the start, the rows of the CSV that are whole are kept and the rest is graded. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "batch.h"
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;
static void on_stop(int number) { stopped = number; }

/* ---- files of a submission ---- */

/* Why what was opened is not taken, or NULL. */
static const char *refusal(int in) {
    struct stat s;
    if (in < 0)
        return errno == ENOENT ? "missing" : errno == ELOOP ? "not taken: a link" : "not taken: not readable";
    if (fstat(in, &s) || !S_ISREG(s.st_mode))
        return "not taken: not a regular file";
    return s.st_size > MAX_FILE ? "not taken: larger than 1 MB" : NULL;
}

/* No link is followed, neither the file nor the folders to it, and nothing waits for the other end of a pipe. Returns
 * why it was not copied, or NULL. */
static const char *copy_regular(int folder, const char *name, const char *to) {
    static char text[MAX_FILE];
    int in = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const char *why = refusal(in);
    size_t n = 0;
    ssize_t got;
    while (!why && n < sizeof text && (got = read(in, text + n, sizeof text - n)) > 0)
        n += (size_t)got;
    FILE *out = why ? NULL : fopen(to, "w");
    if (!why && (!out || fwrite(text, 1, n, out) != n))
        why = "not taken: the grader cannot copy it";
    if (out && fclose(out))
        why = "not taken: the grader cannot copy it";
    if (in >= 0)
        close(in);
    return why;
}

/* "04_softmax (1).c", "04_softmax.txt" */
static bool has_other_name(int folder, const char *file) {
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY);
    DIR *d = again < 0 ? NULL : fdopendir(again);
    bool found = false;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        found |= strncmp(e->d_name, file, strlen(file)) == 0 && strcmp(e->d_name + strlen(file), ".md") != 0;
    if (d)
        closedir(d);
    return found;
}

/* From the folder "tasks" of a submission, unless there is none, or else from itself; why from neither, or "". */
static void take(int below, const char *none, int own, const char *task, const char *folder, char *why, size_t size) {
    char file[80], to[MAX_PATH];
    snprintf(file, sizeof file, "%s.c", task);
    snprintf(to, sizeof to, "%.900s/%s", folder, file);
    const char *in_tasks = below < 0 ? none : copy_regular(below, file, to);
    const char *in_own = in_tasks ? copy_regular(own, file, to) : NULL;
    bool missing = in_tasks && in_own && strcmp(in_tasks, "missing") == 0 && strcmp(in_own, "missing") == 0;
    if (missing && ((below >= 0 && has_other_name(below, task)) || has_other_name(own, task)))
        snprintf(why, size, "missing: its name has to be %.30s.c", task);
    else
        snprintf(why, size, "%s", !in_tasks || !in_own ? "" : strcmp(in_tasks, "missing") ? in_tasks : in_own);
}

static void take_predictions(int below, int own, const char *folder) {
    char to[MAX_PATH];
    snprintf(to, sizeof to, "%.900s/predictions.txt", folder);
    if (below < 0 || copy_regular(below, "predictions.txt", to))
        copy_regular(own, "predictions.txt", to);
}

/* Only the task files of a submission are taken, and its predictions, from its tasks/ or from itself. */
static bool collect(settings *set, const char *name) {
    char path[MAX_PATH];
    snprintf(path, sizeof path, "%.500s/%.255s", set->submissions, name);
    int own = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (own < 0)
        return false;
    struct stat s;
    int below = openat(own, "tasks", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    bool is_link = fstatat(own, "tasks", &s, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(s.st_mode);
    const char *none = is_link ? "not taken: its folder is a link" : "missing";
    for (int i = 0; i < n_tasks; i++)
        take(below, none, own, tasks[i].file, set->build, set->not_taken[i], sizeof set->not_taken[i]);
    take_predictions(below, own, set->build);
    if (below >= 0)
        close(below);
    close(own);
    return true;
}

static void empty(const char *folder) {
    char path[MAX_PATH];
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        snprintf(path, sizeof path, "%.500s/%.255s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(path);
    }
    if (d)
        closedir(d);
}

/* ---- one submission ---- */

/* The bytes of the character at c that a terminal shows as it is (UTF-8), or 0: what moves its cursor, changes its
 * colours or the direction of writing. */
static int printable(const unsigned char *c) {
    int n = bytes_of_character(c);
    bool control = *c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0);
    bool direction = n == 3 && *c == 0xe2 &&
                     ((c[1] == 0x80 && ((c[2] >= 0x8b && c[2] <= 0x8f) || (c[2] >= 0xa8 && c[2] <= 0xae))) ||
                      (c[1] == 0x81 && c[2] >= 0xa0));
    return control || direction ? 0 : n;
}

/* A submission's name for the table, in memory of the next call. */
static const char *shown(const char *name) {
    static char text[256];
    size_t used = 0;
    for (const unsigned char *c = (const unsigned char *)name; *c && used + 4 < sizeof text;) {
        int n = printable(c);
        if (n == 0)
            text[used++] = '?';
        memcpy(text + used, c, (size_t)n);
        used += (size_t)n;
        c += n ? n : 1;
    }
    text[used] = '\0';
    return text;
}

/* Beside the CSV: marks.csv, marks-summary.txt */
static void beside(const settings *set, const char *ending, char *out) {
    size_t n = strlen(set->csv);
    if (n > 4 && strcmp(set->csv + n - 4, ".csv") == 0)
        n -= 4;
    snprintf(out, MAX_PATH, "%.*s%s", n < 700 ? (int)n : 700, set->csv, ending);
}

static void write_feedback(const settings *set, const char *name, const marks *m) {
    char folder[MAX_PATH], path[MAX_PATH + 300];
    beside(set, "-feedback", folder);
    mkdir(folder, 0777);
    int used = snprintf(path, sizeof path, "%s/", folder);
    snprintf(path + used, sizeof path - (size_t)used, "%.255s.txt", name);
    for (char *c = path + used; *c; c++)
        if ((unsigned char)*c < 0x20)
            *c = '_';
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "grade: cannot write %s: %s\n", path, strerror(errno));
        return;
    }
    report_marks(out, m);
    if (m->predicted[0])
        fprintf(out, "%s\n", m->predicted);
    for (int i = 0; i < n_tasks; i++)
        if (m->task[i].points < points_of(&tasks[i]))
            report_task(out, &tasks[i], m);
    fclose(out);
}

/* The message of the process that grades a submission to the one that started it. */
typedef struct outcome {
    int total;
    char row[MAX_ROW];
} outcome;

static void grade_one(settings *set, int k, char *const *names, int n, outcome *out) {
    static marks m;
    char predictions[MAX_PATH];
    const char *name = names[k], *whose = set->has_variants ? name_of(name) : name;
    bool good = collect(set, name);
    FILE *row = fmemopen(out->row, sizeof out->row, "w");
    if (set->has_variants)
        choose_variants(set, whose ? whose : name);
    if (good && whose)
        mark_all(set, &m);
    if (good && whose && set->has_variants)
        note_whose(set, &m, names, n);
    snprintf(predictions, sizeof predictions, "%.900s/predictions.txt", set->build);
    if (good && whose)
        note_predictions(set, predictions, &m);
    out->total = m.total;
    if (row) {
        write_row(row, name, &m,
                  !good    ? "not a folder: a link, or not readable"
                  : !whose ? "not graded: none of the names of the class"
                           : NULL);
        fclose(row);
    }
    write_feedback(set, name, &m);
    forget_marks(&m);
}

/* One submission at a time, in a process of its own, so that one that ends with a submission costs that one only, and
 * in a folder that is emptied afterwards. */
typedef struct job {
    pid_t child;
    int submission, from; /* from: the pipe by which its outcome comes */
    char folder[MAX_PATH];
} job;
enum { MAX_JOBS = 64 };

static void start_job(job *j, settings set, int k, char *const *names, int n) {
    static outcome out;
    int ends[2];
    j->submission = k;
    j->child = -1;
    set.build = set.from = j->folder;
    if (mkdir(j->folder, 0700) && errno != EEXIST)
        return;
    if (pipe(ends))
        return;
    fflush(NULL);
    j->child = fork();
    if (j->child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        close(ends[0]);
        sandbox_guard_child();
        grade_one(&set, k, names, n, &out);
        _exit(write(ends[1], &out, sizeof out) != (ssize_t)sizeof out);
    }
    close(ends[1]);
    j->from = ends[0];
}

/* Its outcome, or that there is none. */
static void end_job(job *j, const char *name, outcome *out) {
    static marks none;
    if (j->child <= 0 || read(j->from, out, sizeof *out) != (ssize_t)sizeof *out || !out->row[0]) {
        FILE *row = fmemopen(out->row, sizeof out->row, "w");
        *out = (outcome){.total = -1};
        if (row) {
            write_row(row, name, &none, "the grader was ended while it graded this: look at it");
            fclose(row);
        }
    }
    if (j->child > 0)
        close(j->from);
    j->child = 0;
    empty(j->folder);
}

/* Rows are written in the order of the names: the outcomes that wait for one before them. */
static int write_outcomes(FILE *csv, char *const *names, outcome *const *out, int at, int n) {
    for (; at < n && out[at]; at++) {
        fputs(out[at]->row, csv);
        fflush(csv);
        if (out[at]->total < 0)
            printf("  %-30s the grader was ended while it graded this\n", shown(names[at]));
        else
            printf("  %-30s %3d / %d\n", shown(names[at]), out[at]->total, all_points());
        fflush(stdout);
    }
    return at;
}

/* The job whose process has ended; NULL: a signal to stop came, which ends all. */
static job *wait_for_job(job *jobs, int n) {
    for (;;) {
        pid_t done = waitpid(-1, NULL, 0);
        for (int i = 0; i < n; i++)
            if (done > 0 && jobs[i].child == done)
                return &jobs[i];
        for (int i = 0; i < n && stopped; i++)
            if (jobs[i].child > 0)
                kill(jobs[i].child, SIGTERM);
        if (stopped || (done < 0 && errno != EINTR))
            return NULL;
    }
}

static void reap(const job *jobs, int n) {
    pid_t spared[MAX_JOBS];
    int spares = 0;
    for (int i = 0; i < n; i++)
        if (jobs[i].child > 0)
            spared[spares++] = jobs[i].child;
    sandbox_reap(spared, spares);
}

static void grade_names(const settings *set, const char *folder, char *const *names, int n, FILE *csv) {
    static job jobs[MAX_JOBS];
    static outcome *out[MAX_SUBMISSIONS];
    int n_jobs = set->jobs < MAX_JOBS ? set->jobs : MAX_JOBS, next = 0, written = 0;
    for (int i = 0; i < n_jobs; i++)
        snprintf(jobs[i].folder, MAX_PATH, "%.900s/%d", folder, i);
    while (written < n && !stopped) {
        job *ended = NULL;
        for (int i = 0; i < n_jobs && next < n; i++)
            if (jobs[i].child == 0) {
                start_job(&jobs[i], *set, next++, names, n);
                ended = jobs[i].child < 0 ? &jobs[i] : ended;
            }
        ended = ended ? ended : wait_for_job(jobs, n_jobs);
        if (!ended)
            break;
        int k = ended->submission;
        if (!(out[k] = calloc(1, sizeof *out[k])))
            break;
        end_job(ended, names[k], out[k]);
        reap(jobs, n_jobs);
        written = write_outcomes(csv, names, out, written, n);
    }
    sandbox_reap(NULL, 0);
    for (int i = 0; i < n; i++)
        free(out[i]);
    for (int i = 0; i < n_jobs; i++) {
        empty(jobs[i].folder);
        rmdir(jobs[i].folder);
    }
}

/* ---- all ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Folders, and links, which get a row that says so. */
static int list_submissions(const char *folder, char **names) {
    char path[MAX_PATH];
    struct stat s;
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e && n < MAX_SUBMISSIONS; e = readdir(d)) {
        snprintf(path, sizeof path, "%.500s/%.255s", folder, e->d_name);
        bool taken = e->d_name[0] != '.' && lstat(path, &s) == 0 && (S_ISDIR(s.st_mode) || S_ISLNK(s.st_mode));
        if (taken && (names[n] = strdup(e->d_name)) != NULL)
            n++;
    }
    if (d)
        closedir(d);
    qsort(names, (size_t)n, sizeof *names, by_name);
    return d ? n : -1;
}

/* A seed that nobody knows, where none is asked for; that of an interrupted grading goes on. */
static void choose_seed(settings *set) {
    char marker[MAX_PATH];
    unsigned long long then;
    beside(set, ".unfinished", marker);
    FILE *mark = set->draws_seed ? fopen(marker, "r") : NULL;
    if (mark && fscanf(mark, "seed %llu", &then) == 1)
        set->seed = then;
    else if (set->draws_seed)
        set->seed = secret_seed();
    if (mark)
        fclose(mark);
    if (set->draws_seed)
        printf("  the data are those of SEED=%llu, which was drawn\n", (unsigned long long)set->seed);
}

/* The CSV of an interrupted grading up to its last whole row, its names taken off the list; or a new one. */
static FILE *open_csv(const settings *set, char **names, int *n) {
    static char row[MAX_ROW], field[MAX_ROW];
    char marker[MAX_PATH], settings_then[64] = "", settings_now[64];
    beside(set, ".unfinished", marker);
    snprintf(settings_now, sizeof settings_now, "seed %llu variants %d %.30s\n", (unsigned long long)set->seed,
             set->has_variants, set->class);
    FILE *mark = fopen(marker, "r");
    bool goes_on = mark && fgets(settings_then, sizeof settings_then, mark) && strcmp(settings_then, settings_now) == 0;
    if (mark)
        fclose(mark);
    FILE *csv = goes_on ? fopen(set->csv, "r+") : NULL;
    if (csv && read_row(csv, row)) {
        long whole = ftell(csv);
        while (read_row(csv, row)) {
            const char *at = row;
            whole = ftell(csv);
            read_field(&at, field, sizeof field);
            for (int i = 0; i < *n; i++)
                if (is_named(names[i], field)) {
                    printf("  %-30s graded before the interruption\n", shown(names[i]));
                    free(names[i]);
                    memmove(names + i, names + i + 1, (size_t)(--*n - i) * sizeof *names);
                    break;
                }
        }
        if (ftruncate(fileno(csv), whole) == 0 && fseek(csv, whole, SEEK_SET) == 0)
            return csv;
    }
    if (csv)
        fclose(csv);
    csv = fopen(set->csv, "w");
    mark = csv ? fopen(marker, "w") : NULL;
    if (mark) {
        fprintf(mark, "%s", settings_now);
        fclose(mark);
    }
    if (csv)
        write_head(csv);
    return csv;
}

static int finish(const settings *set, FILE *csv, int graded) {
    char path[MAX_PATH];
    if (ferror(csv) | fclose(csv)) {
        fprintf(stderr, "grade: cannot write %s: %s\n", set->csv, strerror(errno));
        return 2;
    }
    if (stopped) {
        fprintf(stderr, "grade: interrupted; the same command goes on with what is missing in %s\n", set->csv);
        return 128 + stopped;
    }
    beside(set, ".unfinished", path);
    unlink(path);
    beside(set, "-summary.txt", path);
    FILE *summary = fopen(path, "w");
    if (summary) {
        write_summary(summary, set->csv);
        fclose(summary);
    }
    printf("%d submissions; the marks are in %s\n", graded, set->csv);
    return 0;
}

int grade_all(const settings *set) {
    static char *names[MAX_SUBMISSIONS];
    const char *temporary = getenv("TMPDIR");
    char folder[MAX_PATH], whole[PATH_MAX];
    settings own = *set;
    snprintf(folder, sizeof folder, "%.900s/coursework-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    int n = list_submissions(set->submissions, names), all = n, status = 2;
    if (n <= 0) {
        fprintf(stderr,
                n < 0 ? "grade: cannot read the folder %s\n" : "grade: %s has no subfolder: each submission is one\n",
                set->submissions);
        return 2;
    }
    choose_seed(&own);
    if (!read_names(set->names) || !read_answers(set->answers))
        return 2;
    FILE *csv = open_csv(&own, names, &n);
    if (!csv) {
        fprintf(stderr, "grade: cannot write %s: %s\n", set->csv, strerror(errno));
        return 2;
    }
    if (!mkdtemp(folder) || !realpath(folder, whole)) {
        fprintf(stderr, "grade: cannot make the folder %s: %s\n", folder, strerror(errno));
        fclose(csv);
        return 2;
    }
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND}, NULL);
    own.build = own.from = whole;
    if (prepare_building(&own)) {
        grade_names(&own, whole, names, n, csv);
        status = finish(set, csv, all);
    }
    for (int i = 0; i < n; i++)
        free(names[i]);
    rmdir(folder);
    return status;
}
