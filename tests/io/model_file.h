/* A folder of its own for each test of a suite, with one file in it: written here by hand, or by tg_save. */
#ifndef TAPEGRAD_TEST_MODEL_FILE_H
#define TAPEGRAD_TEST_MODEL_FILE_H

#include "core/tapegrad.h"

extern char directory[300], path[400]; /* the folder, and the file */

void make_model_directory(const char *suite);
void remove_directory(void); /* and the file; the test fails when there is anything else */

void write_file(const void *data, size_t n);
size_t read_file(uint8_t *data, size_t size);
/* A header's length, the header, then the data. */
void write_header_and(const char *header, size_t n, const void *data, size_t data_size);

/* The numbers whose bytes here are those that files have, the least significant first. */
uint16_t in_file_16(uint16_t n);
uint64_t in_file(uint64_t n);

/* Fail the test unless loading the file gives this error, as one line that names the file and contains the text. */
void expect_load_error(tg_tape *t, tg_status status, const char *text);

#endif
