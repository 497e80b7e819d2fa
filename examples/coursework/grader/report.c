/* Reports on one submission: a table, one task at length, and Gradescope's results.json. */
#include "grade.h"
#include "path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- a student's report ---- */

/* Words in lines of at most 110 columns, each line after that many spaces. */
static void print_wrapped(FILE *out, const char *text, int indent) {
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > 110 - indent) {
            fprintf(out, "\n%*s", indent, "");
            column = 0;
        }
        column += fprintf(out, "%s%.*s", column ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fprintf(out, "\n");
}

/* A file or message of the student's, made harmless: so many lines, printable characters. */
static void print_quoted(FILE *out, const char *text, int lines) {
    while (*text && lines-- > 0) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "      | ");
        for (size_t i = 0; i < length && i < 160; i++)
            fputc(isprint((unsigned char)text[i]) ? text[i] : text[i] == '\t' ? ' ' : '?', out);
        fprintf(out, "\n");
        text += length + (text[length] == '\n');
    }
    if (*text)
        fprintf(out, "      | ...\n");
}

static const verdict *first_wrong(const task_spec *t, const task_mark *m) {
    for (int i = 0; i < parts_of(t); i++)
        if (!m->verdict[i].right)
            return &m->verdict[i];
    return NULL;
}

/* Finding the bug is the exercise: there the table says where, and the long report what. */
static bool is_hunt(const task_spec *t) { return strcmp(t->number, "13") == 0; }

static void print_row(FILE *out, const task_spec *t, const task_mark *m) {
    const verdict *v = m->compiles ? first_wrong(t, m) : NULL;
    bool quiet = !v || strcmp(m->note, "not started") == 0;
    char what[300];
    snprintf(what, sizeof what, "%s", m->note);
    if (!quiet && is_hunt(t))
        snprintf(what, sizeof what, "%s is wrong", v->where);
    else if (!quiet)
        snprintf(what, sizeof what, "%s: %s", v->where, v->mistake);
    fprintf(out, "  %s  %-28s %3d / %d", t->number, t->title, m->points, points_of(t));
    fprintf(out, *what ? "    %s\n" : "\n", what);
}

static void print_why(FILE *out, const task_spec *t, const task_mark *m) {
    const verdict *v = m->compiles ? first_wrong(t, m) : NULL;
    if (strcmp(m->note, "does not compile") == 0) {
        fprintf(out, "%s  does not compile:\n", t->number);
        print_quoted(out, m->compiler_says, 12);
    } else if (v && strcmp(m->note, "not started") != 0 && !is_hunt(t)) {
        char text[1200];
        snprintf(text, sizeof text, "%s: %s: %s%s%s", v->where, v->mistake, v->element, *v->element ? ". " : "",
                 v->why);
        fprintf(out, "%s  ", t->number);
        print_wrapped(out, text, 4);
    }
}

/* ---- the path ---- */

static bool is_done(const marks *m, const task_spec *t) { return m->task[t - tasks].points == points_of(t); }

static bool has_all(const marks *m, const char *needs) {
    for (int i = 0; i < n_tasks; i++)
        if (strstr(needs, tasks[i].number) && !is_done(m, &tasks[i]))
            return false;
    return true;
}

static void print_milestone(FILE *out, const marks *m, const milestone *stone) {
    if (has_all(m, stone->needs))
        fprintf(out, "      `make %s`: %s\n", stone->target, stone->what);
    else
        fprintf(out, "      then `make %s`: %s\n", stone->target, stone->what);
}

static void print_path(FILE *out, const marks *m) {
    const char *chapter = "";
    const task_spec *t;
    for (int k = 0; (t = task_on_path(k)) != NULL; k++) {
        if (chapter != chapter_of(t))
            fprintf(out, "%s  %s\n", *chapter ? "\n" : "", chapter_of(t));
        chapter = chapter_of(t);
        print_row(out, t, &m->task[t - tasks]);
        if (milestone_after(t))
            print_milestone(out, m, milestone_after(t));
    }
}

static const task_spec *next_task(const marks *m) {
    const task_spec *t = task_on_path(0);
    for (int k = 1; t && is_done(m, t); k++)
        t = task_on_path(k);
    return t;
}

void report_marks(FILE *out, const marks *m) {
    bool wrong = false;
    const task_spec *t, *next = next_task(m);
    fprintf(out, "\n  task                              points    first thing to correct\n\n");
    print_path(out, m);
    fprintf(out, "\n      %-28s %3d / %d\n\n", "total", m->total, all_points());
    for (int k = 0; (t = task_on_path(k)) != NULL; k++) {
        print_why(out, t, &m->task[t - tasks]);
        wrong |= !is_done(m, t) && strcmp(m->task[t - tasks].note, "not started") != 0;
    }
    if (wrong)
        fprintf(out, "\n`make grade TASK=04` shows one task at length.\n");
    if (next)
        fprintf(out, "\nNext: %s %s: tasks/%s.md\n", next->number, next->title, next->file);
}

static void print_instead(FILE *out, const task_spec *t, const task_mark *m) {
    for (int i = 0; i < 3 && t->own[i]; i++)
        if (m->instead[i])
            fprintf(out, "  in place of your %s, which has not full marks yet, the library's is used\n", t->own[i]);
}

void report_task(FILE *out, const task_spec *t, const marks *all) {
    const task_mark *m = &all->task[t - tasks];
    fprintf(out, "\n%s  %s: %d of %d points\n\n", t->number, t->title, m->points, points_of(t));
    if (!m->compiles)
        fprintf(out, "  %s\n", m->note);
    if (m->compiles && m->compiler_says[0])
        fprintf(out, "  it compiles, but the compiler warns:\n");
    print_quoted(out, m->compiler_says, 40);
    print_instead(out, t, m);
    fprintf(out, "%s", m->detail ? m->detail : "");
    if (m->printed[0]) {
        fprintf(out, "\n  your program printed (in its last part):\n");
        print_quoted(out, m->printed, 20);
    }
}

/* ---- Gradescope ---- */

static void print_json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (*text == '\n')
            fprintf(out, "\\n");
        else
            fputc(isprint((unsigned char)*text) ? *text : ' ', out);
    fputc('"', out);
}

void report_json(FILE *out, const marks *m) {
    fprintf(out, "{\"score\": %d, \"output\": \"%d of %d points\", \"tests\": [", m->total, m->total, all_points());
    for (int i = 0; i < n_tasks; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&text, &size);
        if (stream) {
            report_task(stream, &tasks[i], m);
            fclose(stream);
        }
        fprintf(out, "%s\n  {\"number\": \"%s\", \"name\": \"%s\", \"score\": %d, \"max_score\": %d, \"output\": ",
                i ? "," : "", tasks[i].number, tasks[i].title, m->task[i].points, points_of(&tasks[i]));
        print_json_text(out, text ? text : "");
        fprintf(out, "}");
        free(text);
    }
    fprintf(out, "\n]}\n");
}
