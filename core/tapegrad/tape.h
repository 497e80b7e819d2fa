/* tapegrad: the tape. Creation, errors, marks and rewinding, replay, memory; then settings of the whole process:
 * version, environment variables, instruction set, threads and loops on them; last train and eval. */
#ifndef TAPEGRAD_API_TAPE_H
#define TAPEGRAD_API_TAPE_H

#include "core/tapegrad/basics.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Creation ---- */

/* A source of a tape's memory. alloc returns NULL on failure; free gets the size that alloc was given. Both are called
 * only from the thread that uses the tape. */
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

/* The first error since the last tg_clear_error, as a status and as one line: the operation, the shapes, a remedy.
 * tg_error gives "" when there is none. */
TG_API tg_status tg_tape_status(const tg_tape *t);
TG_API const char *tg_error(const tg_tape *t);
TG_API void tg_clear_error(tg_tape *t);

/* ---- Marks, rewinding, replay ---- */

/* A position on the tape. Rewinding to it drops every tensor made since and reuses the memory: a training loop marks
 * after building its model and rewinds at the end of each step. Parameters made before the mark keep their values and
 * gradients. Marks nest. Using a mark that the tape was rewound past is an error; so is, in a custom operation's
 * forward or grad, a mark from before the call. A forward may also rewind inside a checkpoint scope, which backward
 * recomputes. */
typedef struct tg_mark {
    tg_tape *tape;
    uint32_t nodes, epoch;
    void *node_chunk, *data_chunk;
    size_t node_offset, data_offset, node_used, data_used;
} tg_mark;
TG_API tg_mark tg_tape_mark(tg_tape *t);
TG_API tg_status tg_tape_rewind(tg_tape *t, tg_mark mark);

/* Run every operation recorded after the mark again, in order, on the current values of its inputs, without shape
 * checks or recording. Operations that custom operations record meanwhile are dropped. Random operations draw new
 * numbers. tg_backward() may follow. A replay ends at the first operation that fails: results after it keep their old
 * elements, and differentiating its result or a later one is TG_ERR_STATE until a replay of them succeeds or a rewind
 * drops them. */
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

/* Environment variables with invalid values, one line of text each, for the program to print; "" when there are none.
 * The variables, read on first use:
 *   TG_ISA      the kernels' instruction set: reference (plain C), baseline, avx2, avx512. Default: the fastest that
 *               the machine has.
 *   TG_THREADS  the number of threads, 1 to 256. Default: the cores that the process may use. */
TG_API const char *tg_warning(void);
/* The instruction set in use, as TG_ISA calls it. Results differ in their last bits from one to another. */
TG_API const char *tg_instruction_set(void);

/* ---- Threads ---- */

/* The number of threads that large operations are spread over, the caller's included, shared by all tapes: 1 to 256;
 * less than 1 means the default (see TG_THREADS above). When two tapes compute at once, each in a thread of its own,
 * one of them at a time uses the shared threads. Results are the same in every bit for any number. It may be set at any
 * time, by any thread: a computation ends with the number that it began with. The threads block all signals. Where the
 * system grants fewer threads, fewer compute, and more are not requested before the next tg_set_threads. */
TG_API void tg_set_threads(int n);
TG_API int tg_get_threads(void);
/* Parallel loops on these threads: calls body(context, begin, end) for [0, grain), [grain, 2 grain), ... up to n, the
 * last piece possibly shorter, in any order, several at a time, and returns when all calls have returned. The pieces
 * depend on n and grain alone (a grain below 1 counts as 1), so a body that depends only on its piece computes the same
 * bits for any number of threads, sums over its piece included. A piece should take ten microseconds or more. n <= 0
 * calls nothing. A body may call anything, this function too (which then runs in the body's own thread), except on
 * tapes that another piece or the caller uses. It must return, and a process that it forks must call exec or _exit. May
 * be called from callbacks and from several threads. (PyTorch's at::parallel_for, whose pieces depend on the number of
 * threads.) */
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
