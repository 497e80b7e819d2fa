/* What the files of a folder's grading have in common. */
#ifndef TAPEGRAD_COURSEWORK_BATCH_H
#define TAPEGRAD_COURSEWORK_BATCH_H

#include "grade.h"

enum { MAX_PATH = 1024, MAX_SUBMISSIONS = 5000, MAX_FILE = 1 << 20, MAX_ROW = 4096 };

/* ---- rows.c ---- */

/* The bytes of the character at c, or 0 where that is not UTF-8. */
int bytes_of_character(const unsigned char *c);
void write_head(FILE *csv);
/* instead: what the note says, or NULL for what went wrong in each task */
void write_row(FILE *csv, const char *name, const marks *m, const char *instead);
/* The field that begins at *at, without its quotes; *at moves behind its comma. */
void read_field(const char **at, char *out, size_t size);
/* The next whole row, or false. */
bool read_row(FILE *csv, char *row);
/* True when the row's first field is this name. */
bool is_named(const char *name, const char *field);
/* Each task's mean, and how often which mistake came first, from the CSV. */
void write_summary(FILE *out, const char *path);

/* ---- names.c: whose variants a submission has ---- */

/* The names of a class, one a line; NULL: none. Returns false after saying that it cannot be read. */
bool read_names(const char *path);
/* The name of the list that a folder's name stands for: the same but for case, spaces and marks, or followed by what a
 * learning platform adds; without a list the folder's name; NULL: none of the list. */
const char *name_of(const char *folder);
/* Add to the note of a submission whose variants its wrong tasks fit, if they fit anybody's. */
void note_whose(settings *set, marks *m, char *const *folders, int n);

/* ---- predictions.c ---- */

/* The answers to the pages' predictions; NULL: none. Returns false after saying that they cannot be read. */
bool read_answers(const char *path);
/* How many of a submission's predictions, noted in that file, are right: into m->predicted. */
void note_predictions(const settings *set, const char *path, marks *m);

#endif
