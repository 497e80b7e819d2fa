/* The gradient check checked: mistakes of every kind (fault_kinds.c) in the VJP of every operation, for every operand
 * of every probe, on ordinary and on wide data, alone and between other operations, in full and in fast mode, for
 * several seeds. Where the check of the program without the mistake passes, the check with it has to say WRONG, name
 * the operation, and name the mistake: rightly or not at all.
 *
 *   FAULT_SEEDS=10 FAULTS_VERBOSE= faults [operation | sized]
 *
 * Others are planted in float32 VJPs alone, whose float64 twins stay right: in the probes, and in programs whose
 * operands have the sizes at which kernels go wrong (fault_float32.c; in fast mode, whose look at float32 is full
 * mode's). To save time each seed draws one of two kinds, in float32 one of three, one of twelve where an operand has
 * more than a hundred elements.
 *
 * A mistake counts as planted where it changes the operand's gradient, in the program's own backward, by more than 1e-6
 * of its norm, in float32 by more than 1e-3. Where the difference is so small that
 * x, moved by its own size, would show it in less than 1e-15 of y (the gradient of a softmax that has saturated), no
 * difference of y can show it; these are counted apart. What cannot be told counts as missed. A name counts as false
 * unless it is the planted one, or one whose mistake gives the very same numbers (1/n forgotten where n is 2 is also
 * "twice"): that is tried by running the check again beside that mistake. Prints a table; exits with failure when a
 * bound below is not met. float32 alone on log-uniform data (1e-8 to 1e8) has none: it is printed as it is. */
#define _DEFAULT_SOURCE
#include "core/gradcheck/check.h"
#include "count.h"
#include "examples/common/output.h"
#include "fault_kinds.h"
#include "programs.h"
#include "tests/ops.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SIZED = 64, MOST_KINDS = 100 };

/* ---- settings ---- */

typedef enum { OWN, WIDE_RANDN, WIDE_LOG, N_WIDTHS } width;
static const char *const width_names[N_WIDTHS] = {"the probe's", "randn", "log-uniform"};

typedef struct setting {
    uint64_t seed;
    int op, variant; /* sized: the program's number, 0 */
    tg_dtype dtype;
    bool sized;
    width data;
    bool composed, fast;
} setting;

static const char *name_of(const setting *s) { return s->sized ? "sized program" : ops[s->op]->name; }

/* All kinds: those of float32 behind the others. */
static const fault_kind *kind_at(int i) {
    return i < n_fault_kinds ? &fault_kinds[i] : &float32_kinds[i - n_fault_kinds];
}

typedef struct tally {
    long right, kinks, false_positives, cannot_tell, refused; /* without a mistake */
    long planted, caught, missed_cannot_tell, op_named;
    long hidden, hidden_caught;                /* planted where no difference of y in long double shows it */
    long listed, named, same_numbers, falsely; /* of the listed kinds that were caught */
    long unlisted, unlisted_falsely, unlisted_same;
} tally;

typedef struct counts {
    tally of[2][N_WIDTHS][2][2]; /* by dtype, data, composed, fast */
    long kind_planted[MOST_KINDS], kind_caught[MOST_KINDS], kind_named[MOST_KINDS], kind_false[MOST_KINDS];
} counts;

/* ---- programs ---- */

/* Other values for the leaves, of the probe's signs. */
static void redraw_leaves(tg_tape *t, const setting *s, tg_rng_state *g) {
    for (uint32_t i = 0; i < t->count && s->data != OWN; i++) {
        tg_node *x = t->nodes[i];
        if (x->op || !x->requires_grad)
            continue;
        for (int64_t j = 0; j < x->numel; j++) {
            double sign = tg_number(s->dtype, x->data, j) < 0 ? -1 : 1;
            double value = sign * fabs(draw_number(g, s->data == WIDE_RANDN ? RANDN : LOG_UNIFORM));
            tg_write_number(s->dtype, x->data, j, value);
        }
    }
}

/* An operation's result of much the same value and the same sign in place of a leaf. */
static tg_node *lead_up_to(tg_tape *to, const tg_node *x) {
    tg_shape shape = tg_shape_from(x);
    tg_tensor leaf = to->dtype == TG_F32 ? tg_from_floats(to, shape, x->data) : tg_from_doubles(to, shape, x->data);
    leaf = tg_set_requires_grad(leaf, true);
    tg_tensor y = tg_mul(leaf, tg_exp(tg_mul_scalar(tg_tanh(leaf), 0.2)));
    return tg_is_null(y) ? NULL : to->nodes[y.index];
}

static tg_tensor follow(tg_tensor y, int way) {
    switch (way) {
    case 0: return tg_mean(tg_square(y), TG_ALL_DIMS, false);
    case 1: return tg_mul(tg_sigmoid(y), y);
    case 2: return tg_sum(tg_softplus(tg_mul_scalar(y, 0.7)), TG_ALL_DIMS, false);
    default: return tg_tanh(tg_add_scalar(tg_mul_scalar(y, 0.3), 0.1));
    }
}

/* The probe's program with operations before its leaves and after its result. NULL: it cannot be copied. */
static tg_tape *compose(tg_tape *t, tg_tensor *y, uint32_t *n, int way) {
    tg_tape *to = tg_tape_new(t->dtype);
    tg_node **at = calloc(t->count, sizeof *at);
    bool ok = at != NULL;
    to->modes.training = t->modes.training;
    to->modes.keep_random = true;
    for (uint32_t i = 0; i < t->count && ok; i++) {
        const tg_node *x = t->nodes[i];
        tg_node *in[UINT8_MAX];
        for (int k = 0; k < x->n_in; k++)
            in[k] = x->in[k] ? at[x->in[k]->index] : NULL;
        bool leads = !x->op && x->requires_grad && x->numel;
        at[i] = leads ? lead_up_to(to, x)
                      : tg_node_copy(to, x, x->op, in, x->base == x ? NULL : at[x->base->index],
                                     x->window.owner == x ? NULL : at[x->window.owner->index]);
        ok = at[i] != NULL;
        if (ok && x->link && at[i]->link)
            at[i]->link->owner = at[x->link->owner->index];
        ok &= !x->link || (at[i]->link && at[i]->link == at[i]->attr);
        ok = ok && (!at[i]->op || !tg_run_forward(at[i]));
    }
    if (ok) {
        *n = at[*n]->index;
        *y = follow(tg_handle(at[y->index]), way);
        ok = !tg_is_null(*y);
    }
    free(at);
    if (ok)
        return to;
    tg_tape_free(to);
    return NULL;
}

/* The probe's node of this operation, its last; -1 when it has none with a VJP. */
static int64_t find(const tg_tape *t, const tg_op *op) {
    for (uint32_t i = t->count; i-- > 0;) {
        const tg_node *n = t->nodes[i];
        bool is_it = n->op && (n->op == op || n->op->probe == op->probe);
        if (is_it && n->requires_grad && n->window.owner == n && !n->op->no_gradient)
            return i;
    }
    return -1;
}

typedef struct program {
    tg_tape *t;
    tg_tensor y;
    tg_node *n; /* where to plant; NULL: nowhere */
    bool there; /* such a probe */
} program;

static program open_program(const setting *s) {
    tg_rng_state g;
    tg_rng_seed(&g, s->seed * 7919 + (uint64_t)(s->op * 64 + s->variant));
    program p = {.t = tg_tape_new(s->dtype)};
    tg_manual_seed(p.t, s->seed * 100 + (uint64_t)s->variant + 1);
    p.y = s->sized ? sized_program(p.t, s->op, &g) : ops[s->op]->probe ? ops[s->op]->probe(p.t, s->variant) : TG_NULL;
    p.there = !tg_is_null(p.y);
    int64_t at = p.there ? find(p.t, s->sized ? p.t->nodes[p.y.index]->op : ops[s->op]) : -1;
    if (at < 0 || !tg_requires_grad(p.y))
        return p;
    redraw_leaves(p.t, s, &g);
    uint32_t index = (uint32_t)at;
    if (s->composed) {
        tg_tape *around = compose(p.t, &p.y, &index, below(&g, 4));
        tg_tape_free(p.t);
        p.t = around;
    }
    p.n = p.t ? p.t->nodes[index] : NULL;
    if (p.n && s->dtype == TG_F32 && p.n->op->is_view) /* computes nothing in float32 */
        p.n = NULL;
    if (p.t) {
        p.t->modes.keep_random = true;
        for (uint32_t i = 0; i < p.t->count && p.n; i++)
            if (p.t->nodes[i]->op && tg_run_forward(p.t->nodes[i]))
                p.n = NULL;
    }
    return p;
}

static tg_gradcheck_result check(const program *p, const setting *s, tg_status *status) {
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.seed = s->seed;
    config.mode = s->fast ? TG_GRADCHECK_FAST : TG_GRADCHECK_FULL;
    *status = tg_gradcheck(p->y, config, &r);
    tg_clear_error(p->t);
    return r;
}

/* ---- one mistake ---- */

static bool verbose;

static bool passes(const setting *s, tally *n) {
    program p = open_program(s);
    tg_status status = TG_ERR_STATE;
    tg_gradcheck_result r = {0};
    if (p.n)
        r = check(&p, s, &status);
    bool ran = status == TG_OK || r.verdict == TG_GRAD_WRONG || r.cannot_tell;
    n->refused += p.n && !ran;
    n->right += status == TG_OK;
    n->kinks += status == TG_OK && r.verdict == TG_GRAD_KINK;
    n->false_positives += r.verdict == TG_GRAD_WRONG;
    n->cannot_tell += ran && r.verdict == TG_GRAD_CANNOT_TELL;
    if (r.verdict == TG_GRAD_WRONG) {
        printf("CALLED WRONG seed %llu %s probe %d %s%s%s\n", (unsigned long long)s->seed, name_of(s),
               s->sized ? s->op : s->variant, width_names[s->data], s->composed ? ", composed" : "",
               s->fast ? ", fast" : "");
        if (tg_gradcheck_print(stdout, &r))
            exit(EXIT_FAILURE);
    }
    tg_tape_free(p.t);
    return status == TG_OK;
}

/* Does the program's own backward differ? Some do from the second run on. */
static bool differs(const program *p, bool *hidden) {
    bool single = p->t->dtype == TG_F32;
    tg_rng_state g;
    double *v = calloc((size_t)p->t->nodes[p->y.index]->numel + 1, sizeof *v);
    tg_rng_seed(&g, 99);
    for (int64_t j = 0; v && j < p->t->nodes[p->y.index]->numel; j++)
        v[j] = (below(&g, 2) ? 1 : -1) * (0.5 + uniform(&g));
    tg_tensor dy = v ? tg_from_doubles(p->t, tg_shape_from(p->t->nodes[p->y.index]), v) : TG_NULL;
    bool ran = !tg_is_null(dy) && tg_backward_with(p->y, dy) == TG_OK;
    tg_zero_grads(p->t);
    ran = ran && tg_backward_with(p->y, dy) == TG_OK;
    free(v);
    tg_clear_error(p->t);
    tg_zero_grads(p->t);
    bool damaged = ran && fault.calls && fault.damage > (single ? 1e-3 : 1e-6);
    *hidden = damaged && !single && fault.visible < 1e-15;
    forget_fault();
    return damaged;
}

/* Is what was said true of the planted numbers as well? */
static bool has_same_numbers(const program *p, const setting *s, const tg_gradcheck_result *said) {
    tg_status status;
    for (int i = -1; i < n_fault_kinds && s->dtype == TG_F64; i++) {
        if (i < 0 ? said->factor == 0 : fault_kinds[i].expected != said->mistake)
            continue;
        forget_fault();
        fault.rival = i < 0 ? NULL : &fault_kinds[i];
        fault.rival_factor = i < 0 ? said->factor : 0;
        check(p, s, &status);
        bool same = fault.calls && !fault.rival_differs;
        forget_fault();
        if (same)
            return true;
    }
    return false;
}

static void print_case(const setting *s, int kind, int operand, const char *what, const tg_gradcheck_result *r) {
    printf("%s: seed %llu %s probe %d operand %d %s%s%s%s, %s: %s | %s | %s | %s\n", what, (unsigned long long)s->seed,
           name_of(s), s->sized ? s->op : s->variant, operand, width_names[s->data],
           s->dtype == TG_F32 ? ", float32" : "", s->composed ? ", composed" : "", s->fast ? ", fast" : "",
           kind_at(kind)->name, r->summary, r->shapes, r->diagnosis,
           r->n_rows && r->row[0].reason ? r->row[0].reason : "");
}

/* lone: one element has a factor always, which is no name. */
static void count_name(const program *p, const setting *s, int kind, int operand, bool lone,
                       const tg_gradcheck_result *r, counts *all, tally *n) {
    tg_mistake expected = kind_at(kind)->expected;
    if (expected == TG_MISTAKE_FACTOR && lone)
        expected = TG_MISTAKE_UNKNOWN;
    bool listed = expected != TG_MISTAKE_UNKNOWN, named = r->mistake == expected;
    bool is_name = r->mistake != TG_MISTAKE_UNKNOWN && r->mistake != TG_MISTAKE_NONE;
    bool same = is_name && !named && has_same_numbers(p, s, r), falsely = is_name && !named && !same;
    n->listed += listed;
    n->unlisted += !listed;
    n->named += listed && (named || same);
    n->same_numbers += listed && same;
    n->falsely += listed && falsely;
    n->unlisted_falsely += !listed && falsely;
    n->unlisted_same += !listed && same;
    all->kind_named[kind] += listed ? named || same : !falsely;
    all->kind_false[kind] += falsely;
    if (verbose && (falsely || (listed && !named && !same)))
        print_case(s, kind, operand, falsely ? "FALSE" : "unnamed", r);
}

/* False when the operation has no such operand. */
static bool try_fault(const setting *s, int operand, int kind, signed char *passed, counts *all) {
    tally *n = &all->of[s->dtype][s->data][s->composed][s->fast];
    program p = open_program(s);
    tg_op copy;
    bool there = p.n && operand < p.n->n_in;
    if (there && p.n->in[operand] && p.n->recorded[operand]) {
        plant_fault(p.n, &copy, kind_at(kind), operand, s->dtype);
        bool hidden, planted = differs(&p, &hidden), lone;
        if (planted && !*passed) {
            *passed = passes(s, n) ? 1 : -1;
            fault.right = NULL;
            tg_tape_free(p.t);
            return try_fault(s, operand, kind, passed, all);
        }
        if (planted && *passed > 0) {
            tg_status status;
            tg_gradcheck_result r = check(&p, s, &status);
            lone = fault.lone;
            bool caught = status == TG_ERR_NUMERIC && r.verdict == TG_GRAD_WRONG;
            bool where = caught && strcmp(r.op, copy.name) == 0 && r.tensor == p.n->index;
            if (hidden) {
                n->hidden++;
                n->hidden_caught += caught;
                forget_fault();
                tg_tape_free(p.t);
                return true;
            }
            n->planted++;
            n->caught += caught;
            n->missed_cannot_tell += !caught && r.verdict == TG_GRAD_CANNOT_TELL;
            n->op_named += where;
            all->kind_planted[kind]++;
            all->kind_caught[kind] += caught;
            if (verbose && !where)
                print_case(s, kind, operand, caught ? "ELSEWHERE" : "MISSED", &r);
            if (caught)
                count_name(&p, s, kind, operand, lone, &r, all, n);
        }
        forget_fault();
    }
    tg_tape_free(p.t);
    return there;
}

/* ---- all of them ---- */

static void draw_setting(setting *s, tg_rng_state *g) {
    s->data = (width)below(g, N_WIDTHS);
    s->composed = below(g, 2);
    s->fast = below(g, 4) == 0 || s->sized;
}

/* Of the kinds from `first` on each is planted, or one of so many, in a setting that the seed chooses: for each, or for
 * all of a sized program. */
static bool plant_kinds(setting s, int first, int end, counts *all) {
    signed char passed[N_WIDTHS][2][2] = {{{0}}};
    program p = open_program(&s);
    tg_rng_state g;
    int n_in = p.n ? p.n->n_in : 0, one_of[UINT8_MAX];
    for (int k = 0; k < n_in; k++)
        one_of[k] = s.sized || (p.n->in[k] && p.n->in[k]->numel > 100) ? 12 : s.dtype == TG_F32 ? 3 : 2;
    tg_tape_free(p.t);
    tg_rng_seed(&g, s.seed * 1000003 + (uint64_t)(s.op * 64 + s.variant));
    draw_setting(&s, &g);
    for (int operand = 0; operand < n_in; operand++)
        for (int kind = first; kind < end; kind++) {
            if (!s.sized)
                draw_setting(&s, &g);
            if (below(&g, one_of[operand]))
                continue;
            setting plain = s;
            plain.composed = false;
            if (!try_fault(&s, operand, kind, &passed[s.data][s.composed][s.fast], all) && s.composed)
                try_fault(&plain, operand, kind, &passed[s.data][0][s.fast], all);
        }
    return p.there;
}

static void plant_everywhere(uint64_t seed, int op, counts *all) {
    int end = n_fault_kinds + n_float32_kinds;
    setting s = {.seed = seed, .op = op, .dtype = TG_F64}, single = {.seed = seed, .op = op, .dtype = TG_F32};
    while (plant_kinds(s, 0, n_fault_kinds, all)) {
        plant_kinds(single, n_fault_kinds, end, all);
        single.variant = ++s.variant;
    }
}

static void plant_in_sized(uint64_t seed, int number, counts *all) {
    setting s = {.seed = seed, .op = number, .dtype = TG_F32, .sized = true};
    plant_kinds(s, n_fault_kinds, n_fault_kinds + n_float32_kinds, all);
}

static const char *only; /* this operation */

/* What the workers share: the next piece of work, and what each has counted. */
typedef struct shared {
    atomic_int next;
    counts of[64];
} shared;

static void work(long seeds, shared *with, counts *all) {
    int each = N_OPS + MOST_SIZED;
    long total = seeds * each;
    for (int at; (at = atomic_fetch_add(&with->next, 1)) < total;) {
        uint64_t seed = (uint64_t)(at / each) + 1;
        int op = at % each;
        bool sized = op >= N_OPS, wanted = !only || strcmp(only, sized ? "sized" : ops[op]->name) == 0;
        if (wanted && sized)
            plant_in_sized(seed, op - N_OPS, all);
        else if (wanted)
            plant_everywhere(seed, op, all);
        if (at % each == each / 2 || at % each == each - 1)
            fprintf(stderr, "seed %d of %ld: %s\n", (int)seed, seeds, sized ? "done" : "half");
    }
}

static void add_longs(long *to, const long *by, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] += by[i];
}

/* In as many processes as there are processors; false when one of them did not end well. */
static bool work_in_parallel(long seeds, counts *all) {
    int workers = (int)sysconf(_SC_NPROCESSORS_ONLN);
    workers = workers < 1 ? 1 : workers > 64 ? 64 : workers;
    shared *with = mmap(NULL, sizeof *with, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool good = with != MAP_FAILED;
    fflush(stdout);
    for (int i = 0; i < workers && good; i++) {
        pid_t child = fork();
        if (child == 0) {
            work(seeds, with, &with->of[i]);
            exit(EXIT_SUCCESS);
        }
        good = child > 0;
    }
    for (int status; wait(&status) > 0;)
        good &= WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    for (int i = 0; i < workers && good; i++)
        add_longs((long *)all, (const long *)&with->of[i], sizeof *all / sizeof(long));
    return good;
}

/* ---- the report ---- */

static void print_kinds(const counts *all) {
    printf("%-20s %8s %8s %8s %8s   has a name\n", "mistake", "planted", "caught", "named", "falsely");
    for (int k = 0; k < n_fault_kinds + n_float32_kinds; k++) {
        bool listed = kind_at(k)->expected != TG_MISTAKE_UNKNOWN;
        if (k == n_fault_kinds)
            printf("in float32 alone:\n");
        printf("%-20s %8ld %8ld ", kind_at(k)->name, all->kind_planted[k], all->kind_caught[k]);
        if (listed)
            printf("%8ld ", all->kind_named[k]);
        else
            printf("%8s ", "-");
        printf("%8ld   %s\n", all->kind_false[k], listed ? "yes" : "no");
    }
}

static void print_row(tg_dtype dtype, width data, bool composed, bool fast, const tally *n) {
    printf("%-7s %-11s %-8s %-4s %6ld %5ld %5ld %7ld | %7ld %7ld %5ld %8ld | %6ld %6ld %5ld | %6ld %5ld\n",
           dtype == TG_F32 ? "float32" : "float64", width_names[data], composed ? "composed" : "alone",
           fast ? "fast" : "full", n->right, n->false_positives, n->cannot_tell, n->refused, n->planted, n->caught,
           n->missed_cannot_tell, n->op_named, n->listed, n->named, n->falsely, n->unlisted, n->unlisted_falsely);
}

/* Is it at least, or below, so many per cent? One more than that may be missed, so that few have a bound too. */
static bool is_bounded(const char *what, long a, long b, bool below_it, double bound) {
    double figure = b ? 100.0 * (double)a / (double)b : below_it ? 0 : 100;
    bool good = below_it ? figure < bound : (double)(b - a) < 1 + (1 - bound / 100) * (double)b;
    printf("%-46s %7ld of %7ld = %8.4f %% (%s %g %%)%s\n", what, a, b, figure, below_it ? "below" : "at least", bound,
           good ? "" : "  NOT MET");
    return good;
}
static bool at_least(const char *what, long a, long b, double bound) { return is_bounded(what, a, b, false, bound); }
static bool below_bound(const char *what, long a, long b, double bound) { return is_bounded(what, a, b, true, bound); }

/* Sums over the rows of the table. */
typedef struct sums {
    tally all, mode[2], ordinary, single, ordinary_single; /* float64's by mode; of full mode; float32's */
} sums;

static void add_tally(tally *to, const tally *by) {
    add_longs((long *)to, (const long *)by, sizeof *by / sizeof(long));
}

static void add_row(sums *s, tg_dtype dtype, width data, bool fast, const tally *row) {
    bool single = dtype == TG_F32;
    add_tally(&s->all, row);
    add_tally(single ? &s->single : &s->mode[fast], row);
    if (data != WIDE_LOG && (single || !fast))
        add_tally(single ? &s->ordinary_single : &s->ordinary, row);
}

static void print_rows(const counts *all, sums *s) {
    printf("\n%-7s %-11s %-8s %-4s %6s %5s %5s %7s | %7s %7s %5s %8s | %6s %6s %5s | %6s %5s\n", "VJP", "data", "",
           "mode", "right", "accu.", "can't", "refused", "planted", "caught", "can't", "op named", "listed", "named",
           "false", "others", "false");
    for (int dtype = TG_F64; dtype >= TG_F32; dtype--)
        for (int data = 0; data < N_WIDTHS; data++)
            for (int composed = 0; composed < 2; composed++)
                for (int fast = 0; fast < 2; fast++) {
                    const tally *row = &all->of[dtype][data][composed][fast];
                    print_row((tg_dtype)dtype, (width)data, composed, fast, row);
                    add_row(s, (tg_dtype)dtype, (width)data, fast, row);
                }
}

static bool report(const counts *all) {
    sums s = {.all = {0}};
    print_kinds(all);
    print_rows(all, &s);
    const tally *n = &s.all, *full = &s.mode[0], *fast = &s.mode[1];
    printf("\nwithout a mistake: %ld right (%ld at kinks), %ld called wrong, %ld cannot tell, %ld refused\n", n->right,
           n->kinks, n->false_positives, n->cannot_tell, n->refused);
    printf(
        "names that are not the planted one, but whose mistake gives the very same numbers: %ld listed, %ld others\n",
        n->same_numbers, n->unlisted_same);
    printf("mistakes that no difference of y in long double shows (below), counted nowhere else: %ld, caught %ld\n",
           n->hidden, n->hidden_caught);
    bool good = below_bound("right, but called wrong", n->false_positives, n->right, 0.1);
    good &= at_least("caught in full mode, ordinary data", s.ordinary.caught, s.ordinary.planted, 99.5);
    good &= at_least("caught in full mode, log-uniform data", full->caught - s.ordinary.caught,
                     full->planted - s.ordinary.planted, 93);
    good &= at_least("caught in fast mode", fast->caught, fast->planted, 96);
    good &= at_least("float32 alone, caught, ordinary data", s.ordinary_single.caught, s.ordinary_single.planted, 97);
    at_least("float32 alone, caught, log-uniform data", s.single.caught - s.ordinary_single.caught,
             s.single.planted - s.ordinary_single.planted, 0);
    good &= at_least("operation named", n->op_named, n->caught, 99);
    good &= at_least("listed mistakes: named", n->named, n->listed, 90);
    good &= below_bound("listed mistakes: falsely named", n->falsely, n->listed, 0.5);
    good &= below_bound("other mistakes: falsely named", n->unlisted_falsely, n->unlisted, 2);
    printf("planted %ld, caught %ld, op named %ld, mistake named %ld of %ld\n", n->planted, n->caught, n->op_named,
           n->named, n->listed);
    return good;
}

int main(int argc, char **argv) {
    static counts all;
    only = argc > 1 ? argv[1] : NULL;
    long seeds = count_of("faults: FAULT_SEEDS", getenv("FAULT_SEEDS"), 10);
    verbose = getenv("FAULTS_VERBOSE") != NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (n_fault_kinds + n_float32_kinds > MOST_KINDS || !work_in_parallel(seeds, &all))
        return EXIT_FAILURE;
    return output_end("faults", report(&all) ? EXIT_SUCCESS : EXIT_FAILURE);
}
