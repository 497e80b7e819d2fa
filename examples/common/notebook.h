/* Printing beside a notebook: each result under a line naming the document, the cell and the expression. */
#ifndef TAPEGRAD_EXAMPLES_NOTEBOOK_H
#define TAPEGRAD_EXAMPLES_NOTEBOOK_H

#include "core/tapegrad.h"

/* "Your journey starts with one step" as six embeddings of three numbers: the sentence of documents 002, 003 and
 * 004, and the same sentence with document 000's numbers. */
tg_tensor sentence(tg_tape *t);
tg_tensor sentence_of_000(tg_tape *t);

/* A title, then results: `004 [26] attention_score_x2`, the tensor as PyTorch prints it, an empty line. */
void title(const char *text);
void show(const char *cell, tg_tensor x);
void show_shape(const char *cell, tg_tensor x); /* torch.Size([6, 3]) */
void show_text(const char *cell, const char *format, ...);

/* Ends the program: frees the tape; prints an error, if any, and returns 1, else 0. */
int finish(tg_tape *t);

/* `--help` prints the help text; any other argument is an error with exit status 2. */
void no_arguments(int argc, char **argv, const char *help);

#endif
