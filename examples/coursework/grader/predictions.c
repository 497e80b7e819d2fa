/* The predictions of a submission: tasks/predictions.txt, where predict.sh notes each answer, "04 right: 0 0". The
 * first one of a task counts, and whether it is right says the lecturer's list, not the note. */
#define _XOPEN_SOURCE 700
#include "batch.h"

#include <errno.h>
#include <string.h>

enum { VARIANTS = 4 };
static char answer[MAX_TASKS][VARIANTS][80]; /* "": that of variant 0 */

static int task_at(const char *line) {
    for (int i = 0; i < n_tasks; i++)
        if (strncmp(line, tasks[i].number, 2) == 0)
            return i;
    return -1;
}

/* "01/2 = 18", "01 = 6" */
static void read_answer(const char *line) {
    const char *equals = strstr(line, " = ");
    int task = task_at(line), variant = line[2] == '/' ? line[3] - '0' : 0;
    if (equals && task >= 0 && variant >= 0 && variant < VARIANTS)
        snprintf(answer[task][variant], sizeof answer[task][variant], "%s", equals + 3);
}

static bool next_line(FILE *file, char *line, size_t size) {
    bool more = fgets(line, (int)size, file) != NULL;
    line[more ? strcspn(line, "\r\n") : 0] = '\0';
    return more;
}

bool read_answers(const char *path) {
    char line[200];
    FILE *file = path && *path ? fopen(path, "r") : NULL;
    if (!path || !*path)
        return true;
    if (!file)
        return fprintf(stderr, "grade: cannot read %s: %s\n", path, strerror(errno)), false;
    while (next_line(file, line, sizeof line))
        read_answer(line);
    fclose(file);
    return true;
}

static bool is_right(const settings *set, int task, const char *given) {
    int variant = set->variant[task];
    const char *own = variant < VARIANTS ? answer[task][variant] : "";
    return strcmp(given, *own ? own : answer[task][0]) == 0;
}

void note_predictions(const settings *set, const char *path, marks *m) {
    char line[200], missed[200] = "";
    bool seen[MAX_TASKS] = {false};
    int count = 0, right = 0;
    FILE *file = fopen(path, "r");
    while (file && next_line(file, line, sizeof line)) {
        const char *given = strstr(line, ": ");
        int task = task_at(line);
        if (!given || task < 0 || seen[task] || !answer[task][0][0])
            continue;
        seen[task] = true;
        count++;
        if (is_right(set, task, given + 2))
            right++;
        else
            snprintf(missed + strlen(missed), sizeof missed - strlen(missed), " %s", tasks[task].number);
    }
    if (file)
        fclose(file);
    if (count)
        snprintf(m->predicted, sizeof m->predicted, "%d of %d predictions right%s%s", right, count,
                 *missed ? ", not" : "", missed);
}
