/* Reports: a table for a student, one task at length, and a lecturer's CSV. */
#define _DEFAULT_SOURCE
#include "grade.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 1024, MAX_SUBMISSIONS = 5000, MAX_FILE = 1 << 20 };

/* ---- a student's report ---- */

/* Words in lines of at most 110 columns, each line after that many spaces. */
static void print_wrapped(const char *text, int indent) {
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > 110 - indent) {
            printf("\n%*s", indent, "");
            column = 0;
        }
        column += printf("%s%.*s", column ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    printf("\n");
}

/* A file or message of the student's, made harmless: so many lines, printable characters. */
static void print_quoted(const char *text, int lines) {
    while (*text && lines-- > 0) {
        size_t length = strcspn(text, "\n");
        printf("      | ");
        for (size_t i = 0; i < length && i < 160; i++)
            putchar(isprint((unsigned char)text[i]) ? text[i] : text[i] == '\t' ? ' ' : '?');
        printf("\n");
        text += length + (text[length] == '\n');
    }
    if (*text)
        printf("      | ...\n");
}

static const verdict *first_wrong(const task_spec *t, const task_mark *m) {
    for (int i = 0; i < parts_of(t); i++)
        if (!m->verdict[i].right)
            return &m->verdict[i];
    return NULL;
}

/* Finding the bug is the exercise: there the table says where, and the long report what. */
static bool is_hunt(const task_spec *t) { return strcmp(t->number, "13") == 0; }

static void print_row(const task_spec *t, const task_mark *m) {
    const verdict *v = m->compiles ? first_wrong(t, m) : NULL;
    bool quiet = !v || strcmp(m->note, "not started") == 0;
    char what[300];
    snprintf(what, sizeof what, "%s", m->note);
    if (!quiet && is_hunt(t))
        snprintf(what, sizeof what, "%s is wrong", v->where);
    else if (!quiet)
        snprintf(what, sizeof what, "%s: %s", v->where, v->mistake);
    printf("  %s  %-26s %3d / %d", t->number, t->title, m->points, points_of(t));
    printf(*what ? "    %s\n" : "\n", what);
}

static void print_why(const task_spec *t, const task_mark *m) {
    const verdict *v = m->compiles ? first_wrong(t, m) : NULL;
    if (!m->compiles && strcmp(m->note, "missing") != 0) {
        printf("%s  does not compile:\n", t->number);
        print_quoted(m->compiler_says, 12);
    } else if (v && strcmp(m->note, "not started") != 0 && !is_hunt(t)) {
        char text[800];
        snprintf(text, sizeof text, "%s: %s", v->where, v->why);
        printf("%s  ", t->number);
        print_wrapped(text, 4);
    }
}

void report_marks(const settings *set, const marks *m) {
    (void)set;
    bool wrong = false;
    printf("\n  task                            points    first thing to correct\n");
    for (int i = 0; i < n_tasks; i++)
        print_row(&tasks[i], &m->task[i]);
    printf("      %-26s %3d / %d\n\n", "total", m->total, all_points());
    for (int i = 0; i < n_tasks; i++) {
        print_why(&tasks[i], &m->task[i]);
        wrong |= m->task[i].points < points_of(&tasks[i]) && strcmp(m->task[i].note, "not started") != 0;
    }
    if (wrong)
        printf("\n`make grade TASK=04` shows one task at length.\n");
}

static void print_instead(const task_mark *m) {
    static const char *const name[] = {"08 (linear)", "09 (attention)", "11 (Adam)"};
    for (int i = 0; i < 3; i++)
        if (m->instead[i])
            printf("  in place of your %s, which has not full marks yet, the library's is used\n", name[i]);
}

void report_task(const task_spec *t, const marks *all, const char *detail, const char *log) {
    const task_mark *m = &all->task[t - tasks];
    printf("\n%s  %s: %d of %d points\n\n", t->number, t->title, m->points, points_of(t));
    if (!m->compiles)
        printf("  %s\n", m->note);
    if (m->compiles && m->compiler_says[0])
        printf("  it compiles, but the compiler warns:\n");
    print_quoted(m->compiler_says, 40);
    print_instead(m);
    printf("%s", detail);
    if (log[0]) {
        printf("\n  your program printed (in its last part):\n");
        print_quoted(log, 20);
    }
}

/* ---- a lecturer's ---- */

static bool is_regular(const char *path) {
    struct stat s;
    return lstat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_size <= MAX_FILE;
}

static bool copy_file(const char *from, const char *to) {
    static char text[MAX_FILE];
    FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
    size_t n = in ? fread(text, 1, sizeof text, in) : 0;
    bool good = out && fwrite(text, 1, n, out) == n && !ferror(in);
    if (in)
        fclose(in);
    if (out && fclose(out))
        good = false;
    return good;
}

/* Only the task files of a submission are taken, from its tasks/ or from itself. */
static bool collect(const char *submission, const char *folder) {
    char from[MAX_PATH], to[MAX_PATH];
    for (int i = 0; i < n_tasks; i++) {
        snprintf(to, sizeof to, "%.900s/%s.c", folder, tasks[i].file);
        snprintf(from, sizeof from, "%.900s/tasks/%s.c", submission, tasks[i].file);
        if (!is_regular(from))
            snprintf(from, sizeof from, "%.900s/%s.c", submission, tasks[i].file);
        if (is_regular(from) && !copy_file(from, to))
            return false;
    }
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

/* A field in quotes, quotes doubled (RFC 4180). What a spreadsheet would take for a formula gets a space in front. */
static void write_field(FILE *csv, const char *text) {
    fprintf(csv, strchr("=+-@", text[0]) && text[0] ? "\" " : "\"");
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', csv);
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, csv);
    }
    fputc('"', csv);
}

static void write_head(FILE *csv) {
    fprintf(csv, "name");
    for (int i = 0; i < n_tasks; i++)
        fprintf(csv, ",%s (%d)", tasks[i].number, points_of(&tasks[i]));
    fprintf(csv, ",total (%d),note\r\n", all_points());
}

static void write_row(FILE *csv, const char *name, const marks *m) {
    char note[2000] = "";
    write_field(csv, name);
    for (int i = 0; i < n_tasks; i++) {
        size_t used = strlen(note);
        fprintf(csv, ",%d", m->task[i].points);
        if (m->task[i].note[0])
            snprintf(note + used, sizeof note - used, "%s%s %s", used ? "; " : "", tasks[i].number, m->task[i].note);
    }
    fprintf(csv, ",%d,", m->total);
    write_field(csv, note);
    fprintf(csv, "\r\n");
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int list_submissions(const char *folder, char **names) {
    char path[MAX_PATH];
    struct stat s;
    int n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e && n < MAX_SUBMISSIONS; e = readdir(d)) {
        snprintf(path, sizeof path, "%.500s/%.255s", folder, e->d_name);
        if (e->d_name[0] != '.' && stat(path, &s) == 0 && S_ISDIR(s.st_mode) && (names[n] = strdup(e->d_name)))
            n++;
    }
    if (d)
        closedir(d);
    qsort(names, (size_t)n, sizeof *names, by_name);
    return d ? n : -1;
}

/* In a folder of its own, that is emptied afterwards. */
static bool grade_one(const settings *set, const char *name, const char *folder, FILE *csv) {
    static marks m;
    char path[MAX_PATH];
    settings own = *set;
    own.build = own.from = folder;
    snprintf(path, sizeof path, "%.500s/%.255s", set->submissions, name);
    bool good = collect(path, folder);
    if (good) {
        mark_all(&own, &m);
        write_row(csv, name, &m);
        printf("  %-30s %3d / %d\n", name, m.total, all_points());
        fflush(stdout);
    } else {
        fprintf(stderr, "grade: cannot copy the files of %s: %s\n", path, strerror(errno));
    }
    empty(folder);
    return good;
}

int grade_all(const settings *set) {
    static char *names[MAX_SUBMISSIONS];
    const char *temporary = getenv("TMPDIR");
    char folder[MAX_PATH];
    snprintf(folder, sizeof folder, "%.900s/coursework-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    int n = list_submissions(set->submissions, names), bad = 0;
    if (n <= 0) {
        fprintf(stderr,
                n < 0 ? "grade: cannot read the folder %s\n" : "grade: %s has no subfolder: each submission is one\n",
                set->submissions);
        return 2;
    }
    FILE *csv = fopen(set->csv, "w");
    if (!csv) {
        fprintf(stderr, "grade: cannot write %s: %s\n", set->csv, strerror(errno));
        return 2;
    }
    if (!mkdtemp(folder)) {
        fprintf(stderr, "grade: cannot make the folder %s: %s\n", folder, strerror(errno));
        fclose(csv);
        return 2;
    }
    write_head(csv);
    for (int i = 0; i < n; i++) {
        bad += !grade_one(set, names[i], folder, csv);
        free(names[i]);
    }
    rmdir(folder);
    if (ferror(csv) | fclose(csv)) {
        fprintf(stderr, "grade: cannot write %s: %s\n", set->csv, strerror(errno));
        return 2;
    }
    printf("%d submissions; the marks are in %s\n", n - bad, set->csv);
    return bad ? 1 : 0;
}
