/* The messages between the grader and the process that runs a student's code.
 *
 * The grader never runs a student's code itself. It sends arrays to a process of their own (runner.c), which calls
 * one function and sends back what the function wrote. Nothing that happens there, a crash, a printf, an exit(), can
 * earn or cost anything but through those numbers, and the checks are made where the student's code cannot reach.
 */
#ifndef TAPEGRAD_COURSEWORK_PROTOCOL_H
#define TAPEGRAD_COURSEWORK_PROTOCOL_H

#include "coursework.h"

enum { REQUEST_FD = 3, REPLY_FD = 4 };
enum { MAX_ARRAYS = 16, MAX_KEPT = 8, MAX_BYTES = 1 << 16, MAX_TEXT = 240 };

typedef enum { CALL_FORWARD, CALL_VJP, CALL_SGD, CALL_ADAM, CALL_TRAIN, CALL_HARNESS } call_kind;

typedef struct array {
    tg_shape shape;
    int32_t dtype;
    int32_t is_null, is_result; /* results are sent back */
} array;

/* Followed by the elements of the arrays that are not null: the inputs, the output, and for a VJP dy and dx; for an
 * optimizer the parameters, gradients and moments; for a training the parameters, x, y and the losses. */
typedef struct request {
    uint64_t nonce;
    int32_t kind, n_arrays, n_inputs;
    char symbol[32];
    double number[6]; /* numbers of the call: context, lr, ... */
    array array[MAX_ARRAYS];
} request;

typedef enum {
    REPLY_DONE,
    REPLY_READY,
    REPLY_CANNOT_LOAD,
    REPLY_MISSING,
    REPLY_SIGNAL,
    REPLY_DAMAGE,  /* something was written in front of an array */
    REPLY_CHANGED, /* an array that may only be read was written to */
    REPLY_REFUSED  /* course_keep() cannot give that much: text says what was asked for */
} reply_kind;

typedef struct kept_header {
    char name[24];
    int64_t rows, columns;
} kept_header;

/* Followed, when done, by the elements of the results and then of what was kept. */
typedef struct reply {
    uint64_t nonce;
    int32_t kind;
    int32_t value; /* what the function returned, or the signal */
    int32_t array; /* which array was overrun: its number, from MAX_ARRAYS on kept; -1 none, -2 address near NULL, -3
                      that and no memory is left */
    int32_t n_kept;
    int64_t offset; /* the element that was touched */
    kept_header kept[MAX_KEPT];
    char text[MAX_TEXT]; /* what the loader, the tape or course_keep() says */
} reply;

#endif
