/* Private to noise.c, noise_custom.c, jumps.c and second_noise.c: the noise of custom operations' results. */
#ifndef TAPEGRAD_NOISE_H
#define TAPEGRAD_NOISE_H

#include "core/gradcheck/check.h"

/* ---- noise_custom.c ---- */

typedef struct tg_custom_noise {
    double relative; /* of the largest result */
    bool coarse;     /* it computes in less than float64, */
    bool stairs;     /* and may do so as a stair does */
} tg_custom_noise;
/* Of results that forward has made of its inputs. */
tg_custom_noise tg_noise_of_custom(tg_checker *c, tg_node *y);

/* ---- jumps.c ---- */

typedef struct tg_jump {
    double relative;       /* the largest, of the size of what is there */
    double least, highest; /* as they are */
} tg_jump;
/* By how much a custom operation's result jumps again and again around these inputs; zeros: it does not. Leaves the
 * inputs moved. */
tg_jump tg_jump_of_custom(tg_node *y, double *const *start);
/* Are those jumps, or that relative noise, the last bits of a floating-point format? Of results of few bits jumps are
 * powers of two, higher where numbers are larger; float's results are as fine as float is and have all its bits; and of
 * float's operands all that counts is which float is nearest. Of a stair that is there on purpose none of it is so.
 * own: y's elements there. Leaves the inputs moved. */
bool tg_jumps_as_floats(tg_node *y, double *const *start, const double *own, double noise, const tg_jump *jump);

#endif
