/* The story's order: see path.h. */
#include "path.h"

#include <string.h>

static const struct {
    const char *title, *numbers;
} chapters[] = {{"A tape of scalars", "A1"},
                {"Operations, one at a time", "01 02 03 04 05"},
                {"The tape over arrays", "A2 A3 A4"},
                {"Attention", "06 07 08 09 10"},
                {"Optimizers and training", "11 12 19"},
                {"What one has to know besides", "13 14 15 16 17 18 20"}};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

static const struct {
    const char *number;
    milestone m;
} milestones[] = {
    {"A1", {"line", "your tape fits a line", "A1"}},
    {"A2", {"xor", "your engine learns XOR", "A2"}},
    {"19", {"recall", "your engine recalls what it was shown", "A2 19"}},
    {"20", {"text", "your operations learn a poem and write", "05 07 08 09 10 11 16"}},
};

static bool holds(const char *numbers, const task_spec *t) { return strstr(numbers, t->number) != NULL; }

const char *chapter_of(const task_spec *t) {
    for (int i = 0; i < CHAPTERS; i++)
        if (holds(chapters[i].numbers, t))
            return chapters[i].title;
    return "Of your own course";
}

/* The k-th task of a chapter; NULL after its last. */
static const task_spec *task_in(int chapter, int k) {
    size_t at = 3 * (size_t)k;
    char number[3] = "";
    if (at >= strlen(chapters[chapter].numbers))
        return NULL;
    memcpy(number, chapters[chapter].numbers + at, 2);
    return task_numbered(number);
}

const task_spec *task_on_path(int k) {
    for (int i = 0; i < CHAPTERS; i++)
        for (int j = 0; task_in(i, j); j++)
            if (k-- == 0)
                return task_in(i, j);
    for (int i = 0; i < n_tasks; i++)
        if (strcmp(chapter_of(&tasks[i]), "Of your own course") == 0 && k-- == 0)
            return &tasks[i];
    return NULL;
}

const milestone *milestone_after(const task_spec *t) {
    for (size_t i = 0; i < sizeof milestones / sizeof *milestones; i++)
        if (strcmp(milestones[i].number, t->number) == 0)
            return &milestones[i].m;
    return NULL;
}
