/* Prints an example of every operation of the table for make_examples.py: its arguments with their numbers, the call in
 * PyTorch, and numbers w for the cotangent, a line each. */
#include "examples/common/output.h"
#include "tests/golden/example.h"

static void print_numbers(tg_tape *t, tg_tensor x) {
    double v[EXAMPLE_NUMBERS];
    int64_t n = tg_numel(x);
    if (n > EXAMPLE_NUMBERS || tg_read_doubles(x, v, n))
        fprintf(stderr, "examples: %s\n", tg_error(t));
    for (int64_t i = 0; i < n && !tg_tape_status(t); i++)
        printf("%.17g ", v[i]);
    printf("\n");
}

int main(void) {
    for (int i = 0; i < n_operations; i++)
        for (int l = 0; l < N_LAYOUTS; l++) {
            golden_instance g = begin_instance(&operations[i], (layout)l);
            if (!tg_is_null(g.y)) {
                print_example(stdout, &operations[i], (layout)l, &g.e, true);
                print_numbers(g.t, g.w);
            }
            tg_tape_free(g.t);
        }
    return output_end("examples", 0);
}
