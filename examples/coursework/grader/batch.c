/* A folder of submissions: a CSV, a feedback file for each, a summary of the class.
 *
 * A row is on disk as soon as it is known. While grading goes on FILE.unfinished lies beside the CSV; when it is found
 * at the start, the rows of the CSV that are whole are kept and the rest is graded. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "grade.h"
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PATH = 1024, MAX_SUBMISSIONS = 5000, MAX_FILE = 1 << 20, MAX_ROW = 4096 };

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

/* Only the task files of a submission are taken, from its tasks/ or from itself. */
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

/* ---- text ---- */

/* The bytes of the character at c, or 0 where that is not UTF-8. */
static int bytes_of_character(const unsigned char *c) {
    int n = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool too_long = (*c == 0xe0 && c[1] < 0xa0) || (*c == 0xf0 && c[1] < 0x90);
    bool no_character = (*c == 0xed && c[1] > 0x9f) || (*c == 0xf4 && c[1] > 0x8f);
    return too_long || no_character ? 0 : n;
}

/* ---- rows ---- */

/* How the CSV has the character at c: its bytes, or one other byte for what would not be text. */
static int as_field(const char *c, char *other) {
    int n = bytes_of_character((const unsigned char *)c);
    *other = n == 0 ? '?' : (unsigned char)*c < 0x20 ? ' ' : *c;
    return n > 1 ? n : 1;
}

/* A field in quotes, quotes doubled (RFC 4180). What a spreadsheet would take for a formula gets a space in front. */
static void write_field(FILE *csv, const char *text) {
    fprintf(csv, strchr("=+-@", text[0]) && text[0] ? "\" " : "\"");
    char other;
    for (int n; *text; text += n) {
        n = as_field(text, &other);
        if (other == '"')
            fputc('"', csv);
        fwrite(n > 1 ? text : &other, 1, (size_t)n, csv);
    }
    fputc('"', csv);
}

static void write_head(FILE *csv) {
    fprintf(csv, "name");
    for (int i = 0; i < n_tasks; i++)
        fprintf(csv, ",%s (%d)", tasks[i].number, points_of(&tasks[i]));
    fprintf(csv, ",total (%d),note\r\n", all_points());
}

static void write_row(FILE *csv, const char *name, const marks *m, const char *instead) {
    char note[2000] = "";
    write_field(csv, name);
    for (int i = 0; i < n_tasks; i++) {
        size_t used = strlen(note);
        fprintf(csv, ",%d", m->task[i].points);
        if (m->task[i].note[0])
            snprintf(note + used, sizeof note - used, "%s%s %s", used ? "; " : "", tasks[i].number, m->task[i].note);
    }
    fprintf(csv, ",%d,", m->total);
    write_field(csv, instead ? instead : note);
    fprintf(csv, "\r\n");
}

/* The field that begins at *at, without its quotes; *at moves behind its comma. */
static void read_field(const char **at, char *out, size_t size) {
    size_t n = 0;
    const char *c = *at;
    bool quoted = *c == '"';
    c += quoted;
    while (*c && *c != '\r' && !(quoted ? *c == '"' && c[1] != '"' : *c == ',')) {
        c += quoted && *c == '"';
        if (n + 1 < size)
            out[n++] = *c;
        c++;
    }
    out[n] = '\0';
    c += quoted && *c == '"';
    *at = c + (*c == ',');
}

/* The next whole row, or false. */
static bool read_row(FILE *csv, char *row) {
    if (!fgets(row, MAX_ROW, csv))
        return false;
    size_t n = strlen(row);
    return n > 2 && row[n - 2] == '\r' && row[n - 1] == '\n';
}

/* ---- the summary ---- */

typedef struct mistake {
    char text[80];
    int task, times;
} mistake;

static int by_task_and_times(const void *a, const void *b) {
    const mistake *x = a, *y = b;
    return x->task != y->task     ? x->task - y->task
           : x->times != y->times ? y->times - x->times
                                  : strcmp(x->text, y->text);
}

static int task_of(const char *word) {
    for (int i = 0; i < n_tasks; i++)
        if (strncmp(word, tasks[i].number, 2) == 0 && word[2] == ' ')
            return i;
    return -1;
}

/* "04 sign flipped; 06 mask inverted" */
static void count_mistakes(const char *note, mistake *list, int *n, int most) {
    for (const char *at = note; *at;) {
        int task = task_of(at), length = (int)strcspn(at, ";"), k = 0;
        if (task >= 0) {
            char text[80];
            snprintf(text, sizeof text, "%.*s", length - 3 < 79 ? length - 3 : 79, at + 3);
            while (k < *n && (list[k].task != task || strcmp(list[k].text, text) != 0))
                k++;
            if (k == *n && *n < most) {
                list[(*n)++] = (mistake){.task = task};
                memcpy(list[k].text, text, sizeof text);
            }
            if (k < *n)
                list[k].times++;
        }
        at += length;
        at += strspn(at, "; ");
    }
}

static void write_tasks(FILE *out, const mistake *list, int n, const int *sum, const int *full, int students) {
    for (int i = 0, k = 0; i < n_tasks; i++) {
        int most = points_of(&tasks[i]);
        fprintf(out, "\n%s  %-30s mean %.1f of %d; full marks %d of %d\n", tasks[i].number, tasks[i].title,
                students ? (double)sum[i] / students : 0, most, full[i], students);
        for (; k < n && list[k].task == i; k++)
            fprintf(out, "    %4d  %s\n", list[k].times, list[k].text);
    }
}

static void write_summary(FILE *out, const char *path) {
    static mistake list[1000];
    static char row[MAX_ROW], field[MAX_ROW];
    int n = 0, students = 0, sum[MAX_TASKS] = {0}, full[MAX_TASKS] = {0};
    FILE *csv = fopen(path, "r");
    bool more = csv && read_row(csv, row);
    while (more && read_row(csv, row)) {
        const char *at = row;
        read_field(&at, field, sizeof field);
        students++;
        for (int i = 0; i < n_tasks; i++) {
            read_field(&at, field, sizeof field);
            sum[i] += atoi(field);
            full[i] += atoi(field) == points_of(&tasks[i]);
        }
        read_field(&at, field, sizeof field);
        read_field(&at, field, sizeof field);
        count_mistakes(field, list, &n, 1000);
    }
    if (csv)
        fclose(csv);
    qsort(list, (size_t)n, sizeof *list, by_task_and_times);
    fprintf(out, "%d submissions; for each task how it went, and how often which mistake came first\n", students);
    write_tasks(out, list, n, sum, full, students);
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
    for (int i = 0; i < n_tasks; i++)
        if (m->task[i].points < points_of(&tasks[i]))
            report_task(out, &tasks[i], m);
    fclose(out);
}

static void grade_one(settings *set, const char *name, FILE *csv) {
    static marks m;
    bool good = collect(set, name);
    if (set->has_variants)
        choose_variants(set, name);
    if (good)
        mark_all(set, &m);
    write_row(csv, name, &m, good ? NULL : "not a folder: a link, or not readable");
    fflush(csv);
    write_feedback(set, name, &m);
    printf("  %-30s %3d / %d\n", shown(name), m.total, all_points());
    fflush(stdout);
    forget_marks(&m);
}

/* Waits for it; a signal to stop ends it. False when it did not end by itself. */
static bool wait_for_child(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        if (stopped)
            kill(child, SIGTERM);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* In a process of its own, so that one that ends with a submission costs that one only, and in a folder that is emptied
 * afterwards. Both write to the same place of the same file: where that has not moved, there is no row. */
static void grade_apart(settings *set, const char *name, FILE *csv) {
    static marks none;
    fflush(NULL);
    off_t before = lseek(fileno(csv), 0, SEEK_CUR);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        sandbox_guard_child();
        grade_one(set, name, csv);
        _exit(ferror(csv) != 0);
    }
    bool ended = child > 0 && wait_for_child(child);
    sandbox_reap();
    if (!ended && !stopped && lseek(fileno(csv), 0, SEEK_CUR) == before) {
        write_row(csv, name, &none, "the grader was ended while it graded this: look at it");
        fflush(csv);
        printf("  %-30s the grader was ended while it graded this\n", shown(name));
    }
    empty(set->build);
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

/* As write_field() leaves a name. */
static bool is_named(const char *name, const char *field) {
    field += field[0] == ' ' && field[1] && strchr("=+-@", field[1]);
    char other;
    for (int n; *name; name += n, field += n) {
        n = as_field(name, &other);
        if (n > 1 ? strncmp(name, field, (size_t)n) != 0 : *field != other)
            return false;
    }
    return !*name && !*field;
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
    char folder[MAX_PATH];
    settings own = *set;
    snprintf(folder, sizeof folder, "%.900s/coursework-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    int n = list_submissions(set->submissions, names), all = n, status = 2;
    if (n <= 0) {
        fprintf(stderr,
                n < 0 ? "grade: cannot read the folder %s\n" : "grade: %s has no subfolder: each submission is one\n",
                set->submissions);
        return 2;
    }
    FILE *csv = open_csv(set, names, &n);
    if (!csv) {
        fprintf(stderr, "grade: cannot write %s: %s\n", set->csv, strerror(errno));
        return 2;
    }
    if (!mkdtemp(folder) || !(own.build = own.from = realpath(folder, NULL))) {
        fprintf(stderr, "grade: cannot make the folder %s: %s\n", folder, strerror(errno));
        fclose(csv);
        return 2;
    }
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND}, NULL);
    if (prepare_building(&own)) {
        for (int i = 0; i < n && !stopped; i++)
            grade_apart(&own, names[i], csv);
        status = finish(set, csv, all);
    }
    for (int i = 0; i < n; i++)
        free(names[i]);
    rmdir(folder);
    return status;
}
