/* Whose variants a submission has: folders are named by people and by learning platforms. */
#define _XOPEN_SOURCE 700
#include "batch.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *list[MAX_SUBMISSIONS];
static int n_list = -1; /* -1: there is no list */

/* Letters and digits alone, in lower case; bytes of other alphabets stay. */
static void fold(const char *name, char *out, size_t size) {
    size_t n = 0;
    for (; *name && n + 1 < size; name++)
        if (isalnum((unsigned char)*name) || (unsigned char)*name >= 0x80)
            out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
}

bool read_names(const char *path) {
    char line[400];
    FILE *file = path && *path ? fopen(path, "r") : NULL;
    if (!path || !*path)
        return true;
    if (!file)
        return fprintf(stderr, "grade: cannot read %s: %s\n", path, strerror(errno)), false;
    for (n_list = 0; fgets(line, sizeof line, file) && n_list < MAX_SUBMISSIONS;) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] && (list[n_list] = strdup(line)))
            n_list++;
    }
    fclose(file);
    return true;
}

/* How much of the folder's name is the folded name, to which the platform may have added: "ada" of
 * "ada12345assignsubmissionfile". A longer name of the list, "adalovelace", fits better. */
static size_t fits(const char *folder, const char *name) {
    char whole[400], start[400];
    fold(folder, whole, sizeof whole);
    fold(name, start, sizeof start);
    size_t n = strlen(start);
    bool begins = n && strncmp(whole, start, n) == 0;
    bool same = begins && whole[n] == '\0',
         added = begins && (isdigit((unsigned char)whole[n]) || strncmp(whole + n, "late", 4) == 0);
    return same ? n + 1 : added ? n : 0;
}

const char *name_of(const char *folder) {
    size_t best = 0;
    const char *name = n_list < 0 ? folder : NULL;
    for (int i = 0; i < n_list; i++) {
        size_t n = fits(folder, list[i]);
        name = n > best ? list[i] : name;
        best = n > best ? n : best;
    }
    return name;
}

/* Another variant than the student's in which the task is right, or -1. */
static int other_variant(settings *set, int task) {
    static marks other;
    int own = set->variant[task], found = -1;
    for (int v = 0; v < tasks[task].n_variants && found < 0; v++) {
        if (v == own)
            continue;
        set->variant[task] = v;
        mark_task(set, &tasks[task], &other);
        found = other.task[task].points == points_of(&tasks[task]) ? v : -1;
        free(other.task[task].detail);
        other.task[task].detail = NULL;
    }
    set->variant[task] = own;
    return found;
}

static bool has_variants(const settings *set, const char *name, const int *fitting) {
    settings theirs = *set;
    choose_variants(&theirs, name);
    for (int i = 0; i < n_tasks; i++)
        if (fitting[i] >= 0 && theirs.variant[i] != fitting[i])
            return false;
    return true;
}

/* Names that all of the fitting variants belong to; of a few tasks alone they may be many. */
static void tell_whose(const settings *set, const int *fitting, char *const *folders, int n, char *out, size_t size) {
    int told = 0, many = n_list < 0 ? n : n_list;
    for (int i = 0; i < many; i++) {
        const char *name = n_list < 0 ? folders[i] : list[i];
        size_t used = strlen(out);
        if (!has_variants(set, name, fitting))
            continue;
        if (told < 3)
            snprintf(out + used, size - used, "%s%.60s", told ? ", " : "", name);
        told++;
    }
    if (told > 3)
        snprintf(out + strlen(out), size - strlen(out), " and %d more", told - 3);
}

void note_whose(settings *set, marks *m, char *const *folders, int n) {
    int fitting[MAX_TASKS], count = 0;
    for (int i = 0; i < n_tasks; i++) {
        const task_mark *mark = &m->task[i];
        bool tries = mark->compiles && mark->points < points_of(&tasks[i]) && strcmp(mark->note, "not started") != 0 &&
                     strcmp(mark->note, "endless loop") != 0 && !tasks[i].own[0];
        fitting[i] = tries ? other_variant(set, i) : -1;
        if (fitting[i] < 0)
            continue;
        count++;
        snprintf(m->task[i].note, sizeof m->task[i].note, "fits another variant");
    }
    if (!count)
        return;
    snprintf(m->whose, sizeof m->whose, "%d task%s fit%s the variants of ", count, count > 1 ? "s" : "",
             count > 1 ? "" : "s");
    size_t used = strlen(m->whose);
    tell_whose(set, fitting, folders, n, m->whose, sizeof m->whose);
    if (strlen(m->whose) == used)
        snprintf(m->whose + used, sizeof m->whose - used, "nobody of this class");
}
