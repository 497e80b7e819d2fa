/* The gradient check tried on gradients that are right: every operation, compositions of up to twenty and custom
 * operations, on plain randn, uniform, log-uniform (1e-8 to 1e8, both signs) and integer data, full and fast. No case
 * is left out because it is hard; what is not finite cannot be differentiated and is counted as refused.
 *
 *   false_alarms [checks] [seed] [verbose]
 *
 * Fails when a right gradient was called wrong. */
#include "programs.h"

#include <stdlib.h>

typedef struct tally {
    long tried, accused, cannot_tell, kinks, refused;
} tally;

static tally counts[N_DATA][N_FORMS][2];

enum { MOST_REASONS = 64 };
static struct {
    char text[64];
    long n;
} reasons[MOST_REASONS];

static void note_reason(const char *text) {
    for (int i = 0; i < MOST_REASONS; i++) {
        if (reasons[i].n && strncmp(reasons[i].text, text, sizeof reasons[i].text - 1) != 0)
            continue;
        snprintf(reasons[i].text, sizeof reasons[i].text, "%.63s", text);
        reasons[i].n++;
        return;
    }
}

static void count(tally *n, const tg_gradcheck_result *r, tg_status status) {
    if (status && status != TG_ERR_NUMERIC) {
        n->refused++;
        return;
    }
    if (status && r->verdict != TG_GRAD_WRONG && r->cannot_tell == 0) {
        n->refused++;
        return;
    }
    n->tried++;
    n->accused += r->verdict == TG_GRAD_WRONG;
    n->cannot_tell += r->verdict == TG_GRAD_CANNOT_TELL;
    n->kinks += r->verdict == TG_GRAD_KINK;
}

static void print_case(uint64_t seed, data_kind data, program_form form, int mode, const tg_gradcheck_result *r) {
    printf("seed %llu, %s, %s, %s: ", (unsigned long long)seed, data_names[data], form_names[form],
           mode ? "fast" : "full");
    if (tg_gradcheck_print(stdout, r))
        exit(EXIT_FAILURE);
}

static void check_one(uint64_t seed, bool verbose) {
    tg_rng_state g;
    tg_rng_seed(&g, seed);
    data_kind data = (data_kind)(seed % N_DATA);
    program_form form = (program_form)below(&g, N_FORMS);
    int mode = below(&g, 3) == 0;
    tg_tape *t = tg_tape_new(tg_rng_random(&g) & 1 ? TG_F32 : TG_F64);
    tg_manual_seed(t, seed);
    source s = {t, &g, data, 0, 0};
    tg_tensor y = random_program(&s, form);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.seed = seed;
    config.mode = (tg_gradcheck_mode)mode;
    if (tg_is_null(y)) {
        printf("seed %llu: %s\n", (unsigned long long)seed, tg_error(t));
        exit(EXIT_FAILURE);
    }
    tg_status status = tg_gradcheck(y, config, &r);
    count(&counts[data][form][mode], &r, status);
    if (r.verdict == TG_GRAD_WRONG || (r.verdict == TG_GRAD_CANNOT_TELL && r.cannot_tell && verbose))
        print_case(seed, data, form, mode, &r);
    if (r.verdict == TG_GRAD_CANNOT_TELL && r.cannot_tell)
        note_reason(r.n_rows && r.row[0].reason ? r.row[0].reason : r.summary);
    tg_tape_free(t);
}

static void add(tally *to, const tally *n) {
    to->tried += n->tried;
    to->accused += n->accused;
    to->cannot_tell += n->cannot_tell;
    to->kinks += n->kinks;
    to->refused += n->refused;
}

static void print_row(const char *name, const char *mode, const tally *n) {
    printf("%-12s %-9s %8ld / %-8ld %8ld (%5.2f %%) %8ld %8ld\n", name, mode, n->accused, n->tried, n->cannot_tell,
           n->tried ? 100.0 * (double)n->cannot_tell / (double)n->tried : 0, n->kinks, n->refused);
}

int main(int argc, char **argv) {
    long checks = argc > 1 ? atol(argv[1]) : 100000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tally all = {0};
    for (long i = 0; i < checks; i++)
        check_one(seed + (uint64_t)i, argc > 3);
    printf("%-12s %-9s %8s / %-8s %8s %10s %8s %8s\n", "data", "mode", "accused", "tried", "cannot tell", "", "kink",
           "refused");
    for (int d = 0; d < N_DATA; d++)
        for (int mode = 0; mode < 2; mode++) {
            tally n = {0};
            for (int f = 0; f < N_FORMS; f++)
                add(&n, &counts[d][f][mode]);
            print_row(data_names[d], mode ? "fast" : "full", &n);
            add(&all, &n);
        }
    print_row("all", "", &all);
    for (int i = 0; i < MOST_REASONS && reasons[i].n; i++)
        printf("%8ld cannot tell: %s\n", reasons[i].n, reasons[i].text);
    printf("accused %ld of %ld right gradients", all.accused, all.tried);
    if (!all.accused && all.tried)
        printf(" (95 %% bound: %.1e)", 3.0 / (double)all.tried);
    printf("\n");
    return all.accused ? EXIT_FAILURE : EXIT_SUCCESS;
}
