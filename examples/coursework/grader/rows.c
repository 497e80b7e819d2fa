/* Rows of marks.csv, and the summary of a class. */
#define _XOPEN_SOURCE 700
#include "batch.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* The bytes of the character at c, or 0 where that is not UTF-8. */
int bytes_of_character(const unsigned char *c) {
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

void write_head(FILE *csv) {
    fprintf(csv, "name");
    for (int i = 0; i < n_tasks; i++)
        fprintf(csv, ",%s (%d)", tasks[i].number, points_of(&tasks[i]));
    fprintf(csv, ",total (%d),note\r\n", all_points());
}

static void add_note(char *note, size_t size, const char *more) {
    size_t used = strlen(note);
    if (*more)
        snprintf(note + used, size - used, "%s%s", used ? "; " : "", more);
}

void write_row(FILE *csv, const char *name, const marks *m, const char *instead) {
    char note[2000] = "";
    write_field(csv, name);
    for (int i = 0; i < n_tasks; i++) {
        size_t used = strlen(note);
        fprintf(csv, ",%d", m->task[i].points);
        if (m->task[i].note[0])
            snprintf(note + used, sizeof note - used, "%s%s %s", used ? "; " : "", tasks[i].number, m->task[i].note);
    }
    add_note(note, sizeof note, m->whose);
    add_note(note, sizeof note, m->predicted);
    fprintf(csv, ",%d,", m->total);
    write_field(csv, instead ? instead : note);
    fprintf(csv, "\r\n");
}

/* The field that begins at *at, without its quotes; *at moves past its comma. */
void read_field(const char **at, char *out, size_t size) {
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
bool read_row(FILE *csv, char *row) {
    if (!fgets(row, MAX_ROW, csv))
        return false;
    size_t n = strlen(row);
    return n > 2 && row[n - 2] == '\r' && row[n - 1] == '\n';
}

/* As write_field() leaves a name. */
bool is_named(const char *name, const char *field) {
    field += field[0] == ' ' && field[1] && strchr("=+-@", field[1]);
    char other;
    for (int n; *name; name += n, field += n) {
        n = as_field(name, &other);
        if (n > 1 ? strncmp(name, field, (size_t)n) != 0 : *field != other)
            return false;
    }
    return !*name && !*field;
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

/* "5 of 7 predictions right, not 04 09", at the end of a note */
static void count_missed(const char *note, int *missed) {
    const char *of = strstr(note, " predictions right, not ");
    for (int i = 0; of && i < n_tasks; i++)
        missed[i] += strstr(of, tasks[i].number) != NULL;
}

static void write_tasks(FILE *out, const mistake *list, int n, const int *sum, const int *full, const int *missed,
                        int students) {
    for (int i = 0, k = 0; i < n_tasks; i++) {
        int most = points_of(&tasks[i]);
        fprintf(out, "\n%s  %-30s mean %.1f of %d; full marks %d of %d", tasks[i].number, tasks[i].title,
                students ? (double)sum[i] / students : 0, most, full[i], students);
        fprintf(out, missed[i] ? "; predicted wrongly by %d\n" : "\n", missed[i]);
        for (; k < n && list[k].task == i; k++)
            fprintf(out, "    %4d  %s\n", list[k].times, list[k].text);
    }
}

void write_summary(FILE *out, const char *path) {
    static mistake list[1000];
    static char row[MAX_ROW], field[MAX_ROW];
    int n = 0, students = 0, sum[MAX_TASKS] = {0}, full[MAX_TASKS] = {0}, missed[MAX_TASKS] = {0};
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
        count_missed(field, missed);
    }
    if (csv)
        fclose(csv);
    qsort(list, (size_t)n, sizeof *list, by_task_and_times);
    fprintf(out, "%d submissions; for each task how it went, and how often which mistake came first\n", students);
    write_tasks(out, list, n, sum, full, missed, students);
}
