/* The gradient check tried on gradients that are right: every operation, compositions of up to twenty and custom
 * operations, on plain randn, uniform, log-uniform (1e-8 to 1e8, both signs) and integer data, full and fast. No case
 * is left out because it is hard. Every check is counted in one column: right, kink, cannot tell (below the table, by
 * data and reason), false positive, or refused: a value, or an operation's slope, is infinite, so that there is no
 * gradient.
 *
 *   false_alarms [checks] [seed] [verbose]
 *
 * Fails when a right gradient of ordinary data was called wrong, or more than one in a thousand, and one, of
 * log-uniform data, or an operation was in no program. */
#include "count.h"
#include "examples/common/output.h"
#include "programs.h"
#include "tests/ops.h"

#include <stdlib.h>

static long used[N_OPS];

typedef struct tally {
    long tried, float32, right, false_positives, cannot_tell, kinks, refused;
} tally;

static tally counts[N_DATA][N_FORMS][2];

enum { MOST_REASONS = 64 };
static struct {
    char text[96];
    long n[N_DATA];
} reasons[MOST_REASONS];

static void note_reason(const char *text, data_kind data) {
    for (int i = 0; i < MOST_REASONS; i++) {
        if (reasons[i].text[0] && strncmp(reasons[i].text, text, sizeof reasons[i].text - 1) != 0)
            continue;
        snprintf(reasons[i].text, sizeof reasons[i].text, "%.95s", text);
        reasons[i].n[data]++;
        return;
    }
}

/* Every custom operation has a descriptor of its own. */
static bool is_operation(const tg_op *op, const tg_op *kind) {
    return op == kind || (op && op->kind == TG_OP_CUSTOM && kind->kind == TG_OP_CUSTOM);
}

static const char *reason_of(const tg_gradcheck_result *r) {
    for (int i = 0; i < r->n_lines; i++)
        if (r->line[i].verdict == TG_GRAD_CANNOT_TELL && r->line[i].reason)
            return r->line[i].reason;
    return r->diagnosis[0] ? r->diagnosis : r->summary;
}

static void note_operations(const tg_tape *t) {
    for (uint32_t i = 0; i < t->count; i++)
        for (int k = 0; k < N_OPS; k++)
            used[k] += is_operation(t->nodes[i]->op, ops[k]);
}

static bool in_float32(const tg_gradcheck_result *r) { return strncmp(r->diagnosis, "float32", 7) == 0; }

/* Has it a gradient? */
static bool is_refused(const tg_gradcheck_result *r, tg_status status) {
    bool judged = r->verdict == TG_GRAD_WRONG || r->cannot_tell || in_float32(r);
    return status && (status != TG_ERR_NUMERIC || !judged);
}

static void count(tally *n, const tg_gradcheck_result *r, tg_status status) {
    if (is_refused(r, status)) {
        n->refused++;
        return;
    }
    n->tried++;
    n->right += r->verdict == TG_GRAD_RIGHT;
    n->false_positives += r->verdict == TG_GRAD_WRONG;
    n->float32 += r->verdict == TG_GRAD_WRONG && in_float32(r);
    n->cannot_tell += r->verdict == TG_GRAD_CANNOT_TELL;
    n->kinks += r->verdict == TG_GRAD_KINK;
}

static void print_case(uint64_t seed, const drawn_program *p, const tg_gradcheck_result *r) {
    printf("seed %llu, %s, %s, %s: ", (unsigned long long)seed, data_names[p->data], form_names[p->form],
           p->mode ? "fast" : "full");
    if (tg_gradcheck_print(stdout, r))
        exit(EXIT_FAILURE);
}

static void check_one(uint64_t seed, bool verbose) {
    drawn_program p = draw_program(seed, n_steps());
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.seed = seed;
    config.mode = p.mode;
    if (tg_is_null(p.y)) {
        printf("seed %llu: %s\n", (unsigned long long)seed, tg_error(p.t));
        exit(EXIT_FAILURE);
    }
    note_operations(p.t);
    tg_status status = tg_gradcheck(p.y, config, &r);
    count(&counts[p.data][p.form][p.mode], &r, status);
    bool unknown = r.verdict == TG_GRAD_CANNOT_TELL && !is_refused(&r, status);
    if (r.verdict == TG_GRAD_WRONG || (unknown && verbose))
        print_case(seed, &p, &r);
    if (unknown)
        note_reason(reason_of(&r), p.data);
    tg_clear_error(p.t);
    tg_tape_free(p.t);
}

static void add(tally *to, const tally *n) {
    for (size_t i = 0; i < sizeof *n / sizeof(long); i++)
        ((long *)to)[i] += ((const long *)n)[i];
}

static void print_row(const char *name, const char *mode, const tally *n) {
    printf("%-12s %-5s %7ld %7ld %8ld %7ld (%5.2f %%) %8ld %8ld\n", name, mode, n->tried, n->right, n->kinks,
           n->cannot_tell, n->tried ? 100.0 * (double)n->cannot_tell / (double)n->tried : 0, n->false_positives,
           n->refused);
}

static tally sum_of(data_kind data, int mode) {
    tally n = {0};
    for (int f = 0; f < N_FORMS; f++)
        add(&n, &counts[data][f][mode]);
    return n;
}

static void print_table(tally *all) {
    printf("%-12s %-5s %7s %7s %8s %7s %9s %8s %8s\n", "data", "mode", "tried", "right", "kink", "cannot", "tell",
           "wrong", "refused");
    for (int d = 0; d < N_DATA; d++)
        for (int mode = 0; mode < 2; mode++) {
            tally n = sum_of((data_kind)d, mode);
            print_row(data_names[d], mode ? "fast" : "full", &n);
            add(all, &n);
        }
    print_row("all", "", all);
}

static void print_reasons(void) {
    printf("cannot tell:");
    for (int d = 0; d < N_DATA; d++)
        printf(" %s", data_names[d]);
    printf("\n");
    for (int i = 0; i < MOST_REASONS && reasons[i].text[0]; i++) {
        for (int d = 0; d < N_DATA; d++)
            printf("%8ld", reasons[i].n[d]);
        printf("  %s\n", reasons[i].text);
    }
}

/* Of many programs each operation has to be in some. */
static bool all_operations_used(long checks) {
    bool good = true;
    for (int k = 0; k < N_OPS && checks >= 5000; k++) {
        if (!used[k])
            printf("no program has %s: add it to programs.h\n", ops[k]->name);
        good &= used[k] > 0;
    }
    return good;
}

int main(int argc, char **argv) {
    long checks = count_of("false_alarms: CHECKS", argc > 1 ? argv[1] : NULL, 100000);
    uint64_t seed = (uint64_t)count_of("false_alarms: SEED", argc > 2 ? argv[2] : NULL, 1);
    tally all = {0};
    for (long i = 0; i < checks; i++)
        check_one(seed + (uint64_t)i, argc > 3);
    print_table(&all);
    print_reasons();
    tally full = sum_of(LOG_UNIFORM, 0), wide = sum_of(LOG_UNIFORM, 1);
    add(&wide, &full);
    bool few = (wide.false_positives - 1) * 1000 <= wide.tried && all.false_positives == wide.false_positives;
    bool good = all_operations_used(checks) && few;
    printf("called %ld of %ld right gradients wrong", all.false_positives, all.tried);
    if (all.float32)
        printf(", %ld of them in float32 only", all.float32);
    if (!all.false_positives && all.tried)
        printf(" (95 %% bound: %.1e)", 3.0 / (double)all.tried);
    printf("\n");
    return output_end("false_alarms", good ? EXIT_SUCCESS : EXIT_FAILURE);
}
