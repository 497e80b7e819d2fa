/* gpt train --report: the training as a page (examples/common/report.h), with the attention of every head on the start
 * of the held-out data throughout the training. */
#ifndef EXAMPLES_GPT_PAGE_H
#define EXAMPLES_GPT_PAGE_H

#include "examples/gpt/checkpoint.h"
#include "examples/gpt/tokens.h"

typedef struct page page;

/* Ends the program when the page cannot be written there; call it before training. */
void page_check(const char *path);

/* The strings and models must outlive the page; the steps are first + 1 ... last. */
page *page_new(const char *path, const checkpoint *c, const tokens *held_out, int64_t first, int64_t last);
void page_free(page *p);

/* Call around the optimizer's step number `step`; before: with backward's unmodified gradients. */
void page_before_update(page *p, int64_t step, tg_tensor loss);
void page_after_update(page *p, int64_t step, double loss, double rate, double gradient);

/* Writes the page so far, and prints one line that says where. On failure prints one line and returns false. */
bool page_write(page *p, const char *summary);

#endif
