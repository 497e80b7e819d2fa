/* A task of one's own: 21, RMS normalisation. */
#ifndef TAPEGRAD_COURSEWORK_OWN_H
#define TAPEGRAD_COURSEWORK_OWN_H

/* Mistakes are identified on the first case. The number is the context of the student's function: eps.
 */
static const op_case rms_norm_cases[] = {
    {{SHAPE(3, 5), SHAPE(5)}, {1e-5}, 0}, {{SHAPE(1, 4), SHAPE(4)}, {0.5}, 0}, {{SHAPE(3, 1), SHAPE(1)}, {1e-3}, 0}};

/* The value by operations of the library, and so the gradient. A fault is the same value with the gradient that a
 * common mistake gives: where something is treated as a constant, it is detached. */
static tg_tensor rms_norm(const tg_tensor *x, const how *h) {
    tg_tensor square = tg_mean(tg_square(x[0]), TG_DIMS(-1), true);
    tg_tensor r = tg_rdiv_scalar(1, tg_sqrt(tg_add_scalar(square, h->number[0])));
    tg_tensor u = tg_mul(x[0], h->fault == 1 ? tg_detach(r) : r), y = tg_mul(u, x[1]);
    take_note(h, "u", u); /* a student's course_keep("u") and ("du") are compared with it */
    switch (h->fault) {
    case 2: return with_gradient_of(y, u);
    case 3: return with_gradient_of(y, tg_mul(tg_detach(x[0]), x[1]));
    default: return y;
    }
}

static const op_spec rms_norm_spec = {
    .symbol = "rms_norm_op",
    .result = "Y",
    .operand = {"X", "w"},
    .kind = "ff",
    CASES(rms_norm_cases),
    .reference = rms_norm,
    .uses = {"u du", "u"},
    FAULTS("r treated as constant: every x[j] moves the mean of the squares of its row, and through it every y",
           "weight forgotten: du is dy times the weight, not dy",
           "x in place of u: dw = dy u, with u the normalised row and not x")};

#define OWN_TASKS                                   \
    {"21",                                          \
     "21_rms_norm",                                 \
     "RMS normalisation",                           \
     NULL,                                          \
     {NULL},                                        \
     false,                                         \
     1,                                             \
     {{VALUE, 3, &rms_norm_spec, 0, NULL, NULL},    \
      {GRADIENT, 5, &rms_norm_spec, 0, NULL, NULL}, \
      {GRADIENT, 2, &rms_norm_spec, 1, NULL, NULL}}},

#endif
