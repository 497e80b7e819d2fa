/* gpt train --report: the training as a page (examples/common/report.h). Of attention it shows how the start of what is
 * held out is read, every head of every layer, through the training. */
#ifndef EXAMPLES_GPT_PAGE_H
#define EXAMPLES_GPT_PAGE_H

#include "examples/gpt/checkpoint.h"
#include "examples/gpt/tokens.h"

typedef struct page page;

/* Ends the program when the page cannot be written there. To be asked before training. */
void page_check(const char *path);

/* The strings and models must outlive the page; the steps to come are first + 1 ... last. */
page *page_new(const char *path, const checkpoint *c, const tokens *held_out, int64_t first, int64_t last);
void page_free(page *p);

/* Around the optimizer's step that makes it `step` steps in all; before: gradients as backward left them. */
void page_before_update(page *p, int64_t step, tg_tensor loss);
void page_after_update(page *p, int64_t step, double loss, double rate, double gradient);

/* All that there is so far, and one line that says where. A failure is one line too, and no reason to stop: false. */
bool page_write(page *p, const char *summary);

#endif
