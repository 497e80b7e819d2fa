/* tapegrad: tape-based reverse-mode automatic differentiation.
 *
 * This header is the manual, in parts, which it includes in the order of reading. A program makes a tape, creates
 * tensors on it, calls operations and asks for gradients:
 *
 *     tg_tape *t = tg_tape_new(TG_F32);
 *     tg_tensor w = tg_parameter(t, "w", tg_rand(t, TG_SHAPE(3, 2)));
 *     tg_tensor x = tg_ones(t, TG_SHAPE(4, 3));
 *     tg_tensor loss = tg_mean(tg_square(tg_matmul(x, w)), TG_ALL_DIMS, false);
 *     if (tg_backward(loss)) fprintf(stderr, "%s\n", tg_error(t));
 *     tg_tape_free(t);
 *
 * Ownership. The tape owns everything made through it; one tg_tape_free() releases all of it. A tg_tensor is a small
 * handle, passed by value. It becomes stale when the tape is rewound past its tensor; using a stale handle is an error,
 * never a use after free. A tape belongs to one thread at a time; two tapes are independent.
 *
 * Errors. No function aborts or exits, and none prints but to a FILE that it is given. The first error stays with the
 * tape (tg_tape_status, tg_error), every later operation is inert and returns a null handle, so calls nest without
 * checks in between: tg_softmax(tg_matmul(q, tg_transpose(k, 0, 1)), -1). Functions that change more than the graph
 * return a tg_status that must be checked, or void where they cannot fail or leave the error on the tape.
 * tg_clear_error() makes the tape usable again; parameters and data are as before the call that failed.
 *
 * Shapes follow PyTorch: row-major, broadcasting aligned at the last dimension, negative dims count from the end. In
 * comments, dx means dloss/dx, dy the gradient that arrives at an operation's output y.
 *
 * -ffast-math. The library refuses to be compiled with it; a program that calls the library may be. But when gcc or
 * clang link a program with -ffast-math on x86-64, subnormal numbers (below 1.2e-38 in float32, 2.2e-308 in float64)
 * become 0 in all of it, the library included. Link without -ffast-math to keep them. */
#ifndef TAPEGRAD_H
#define TAPEGRAD_H

/* clang-format off */
#include "core/tapegrad/basics.h"     /* status, dtypes, handles, shapes */
#include "core/tapegrad/tape.h"       /* errors, marks and rewinding, replay, memory, threads */
#include "core/tapegrad/tensor.h"     /* making, reading, changing; parameters and their names */
#include "core/tapegrad/gradients.h"  /* backward, higher derivatives, hooks, scopes */
#include "core/tapegrad/random.h"     /* random numbers, initialisation */
#include "core/tapegrad/operations.h" /* elementwise to attention, losses */
#include "core/tapegrad/custom.h"     /* an operation, a layer of your own */
#include "core/tapegrad/gradcheck.h"  /* checks of gradients */
#include "core/tapegrad/files.h"      /* safetensors, .npy */
#include "core/tapegrad/show.h"       /* profile, text, pictures */
/* clang-format on */

#endif
