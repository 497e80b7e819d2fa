/* tapegrad: the tape. Making one, its errors, marks and rewinding, replay, memory; then what is the whole process's:
 * version, environment variables, instruction set, threads and loops on them; last train and eval. */
#ifndef TAPEGRAD_API_TAPE_H
#define TAPEGRAD_API_TAPE_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Making one ---- */

/* Where a tape's memory comes from. alloc returns NULL on failure; free gets the size that alloc was given. Both are
 * called only from the thread that uses the tape. */
typedef struct tg_allocator {
    void *(*alloc)(void *context, size_t size);
    void (*free)(void *context, void *block, size_t size);
    void *context;
} tg_allocator;

/* A new tape whose floating tensors are all of this dtype (TG_F32 or TG_F64), seeded as PyTorch's default
 * generator is. NULL when out of memory or when dtype is neither. The second form takes an allocator (copied;
 * NULL means malloc). tg_tape_free(NULL) does nothing. */
TG_API tg_tape *tg_tape_new(tg_dtype dtype);
TG_API tg_tape *tg_tape_new_with(tg_dtype dtype, const tg_allocator *allocator);
TG_API void tg_tape_free(tg_tape *t);
TG_API tg_dtype tg_tape_dtype(const tg_tape *t);

/* ---- Errors ---- */

/* The first error since the last tg_clear_error, as a status and as one line: the operation, the shapes, what
 * to do. tg_error gives "" when there is none. */
TG_API tg_status tg_tape_status(const tg_tape *t);
TG_API const char *tg_error(const tg_tape *t);
TG_API void tg_clear_error(tg_tape *t);

/* ---- Marks, rewinding, replay ---- */

/* A position on the tape. Rewinding to it drops every tensor made since and reuses the memory: a training loop marks
 * after building its model and rewinds at the end of each step. Parameters made before the mark keep their values and
 * gradients. Marks nest; a mark that the tape was rewound past is an error, and so is, in a custom operation's forward
 * or grad, one from before it. A forward may rewind in a checkpoint scope that backward computes again, too. */
typedef struct tg_mark {
    tg_tape *tape;
    uint32_t nodes, epoch;
    void *node_chunk, *data_chunk;
    size_t node_offset, data_offset, node_used, data_used;
} tg_mark;
TG_API tg_mark tg_tape_mark(tg_tape *t);
TG_API tg_status tg_tape_rewind(tg_tape *t, tg_mark mark);

/* Run every operation recorded after the mark again, in order, on the current values of its inputs, without shape
 * checks or recording. What custom operations record meanwhile is no part of it. Random operations draw new numbers.
 * tg_backward() may follow. Where an operation fails the replay ends: what it has not reached keeps old elements, and
 * to differentiate the failed operation's result, or what was made after it, is TG_ERR_STATE until a replay of them has
 * succeeded, or a rewind has dropped them. */
TG_API TG_MUST_USE tg_status tg_replay(tg_tape *t, tg_mark from);

/* ---- Memory ---- */

/* Bytes reserved from the allocator and bytes used by tensors and gradients, each now and at its peak so far. */
typedef struct tg_memory {
    size_t reserved, reserved_peak, used, used_peak;
} tg_memory;
TG_API tg_memory tg_tape_memory(const tg_tape *t);

/* ---- Version, environment, instruction set ---- */

/* The version of this header, and of the library that the program runs with. */
#define TG_VERSION "0.2.0"
TG_API const char *tg_version(void);

/* Environment variables that could not be honoured, one line of text each, for the program to print; "" when there are
 * none. The variables, read when first needed:
 *   TG_ISA      the kernels' instruction set: reference (plain C), baseline, avx2, avx512. Default: the fastest that
 *               the machine has.
 *   TG_THREADS  the number of threads, 1 to 256. Default: the cores that the process may use. */
TG_API const char *tg_warning(void);
/* The instruction set in use, as TG_ISA calls it. Results differ in their last bits from one to another. */
TG_API const char *tg_instruction_set(void);

/* ---- Threads ---- */

/* How many threads large operations are spread over, for all tapes together: 1 to 256, the caller's included;
 * less than 1 means the default (see TG_THREADS above). When two tapes compute at once, in threads of their own, one
 * of them has the others' help at a time. Results are the same in every bit whatever the number. It may be set at any
 * time, by any thread: what is being computed ends with the number it began with. The threads take no signals; where
 * the system grants fewer, fewer compute, and it is not asked again before the next tg_set_threads. */
TG_API void tg_set_threads(int n);
TG_API int tg_get_threads(void);
/* Loops of your own on these threads: body(context, begin, end) for [0, grain), [grain, 2 grain), ... up to n, the last
 * piece shorter, in any order, several at a time; returns when all have. The pieces depend on n and grain alone (less
 * than 1 counts as 1), so a body that depends on its piece alone computes the same bits at any number of threads, sums
 * over its piece included. Ten microseconds and more are worth a piece. n <= 0 calls nothing. A body may call anything,
 * this function too (which then stays in its thread), but tapes that another piece or the caller uses; it returns, and
 * a process that it forks calls exec or _exit. May be called from anywhere, callbacks and several threads included.
 * (PyTorch's at::parallel_for, whose pieces depend on the number of threads.) */
typedef void (*tg_parallel_body)(void *context, int64_t begin, int64_t end);
TG_API void tg_parallel_for(int64_t n, int64_t grain, tg_parallel_body body, void *context);

/* ---- Modes ---- */

/* train (the default) and eval: dropout acts in train mode only. */
TG_API void tg_train(tg_tape *t);
TG_API void tg_eval(tg_tape *t);
TG_API bool tg_is_training(const tg_tape *t);

#ifdef __cplusplus
}
#endif
#endif
