/* A custom operation on each element, in float or in double: what a tape of that dtype calls. */
#ifndef TAPEGRAD_TEST_CUSTOM_MAPS_H
#define TAPEGRAD_TEST_CUSTOM_MAPS_H

/* y = value of x; what is added to dx, of x, y, dy. Both may use the call c, the element's number i, and n, how many
 * there are. */
#define CUSTOM_MAP(real, forward, vjp, value, added)                                               \
    static int forward(const tg_call *c) {                                                         \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n; i++) {                     \
            real x = ((const real *)c->input[0])[i];                                               \
            ((real *)c->output)[i] = (real)(value);                                                \
        }                                                                                          \
        return 0;                                                                                  \
    }                                                                                              \
    static int vjp(const tg_call *c) {                                                             \
        for (int64_t i = 0, n = tg_shape_numel(c->output_shape); i < n && c->input_grad[0]; i++) { \
            real x = ((const real *)c->input[0])[i], dy = ((const real *)c->output_grad)[i];       \
            real y = ((const real *)c->output)[i], more = (real)(added);                           \
            (void)x, (void)y, (void)dy;                                                            \
            ((real *)c->input_grad[0])[i] += more;                                                 \
        }                                                                                          \
        return 0;                                                                                  \
    }

#endif
