/* What must always hold: the gradient of every operation's probes is right, and where its VJP is broken in any of the
 * ways that people break them, on any input, the tests' check_gradient reports an error above its bound, and
 * tg_gradcheck fails. */
#include "tests/fault_kinds.h"
#include "tests/ops.h"
#include "tests/support.h"

static const char *const fault_names[] = {"sign", "zero", "x 1.001", "= for +=", "shifted by one"};
enum { N_FAULTS = sizeof fault_names / sizeof *fault_names };

static const fault_kind *kind_named(const char *name) {
    int i = 0;
    while (strcmp(fault_kinds[i].name, name) != 0)
        ck_assert_int_lt(++i, n_fault_kinds);
    return &fault_kinds[i];
}

/* The node that the probe is about: its last one of this operation. */
static tg_node *find_node(tg_tape *t, const tg_op *op) {
    for (uint32_t i = t->count; i-- > 0;)
        if (t->nodes[i]->op && t->nodes[i]->op->probe == op->probe && !strcmp(t->nodes[i]->op->name, op->name))
            return t->nodes[i];
    for (uint32_t i = t->count; i-- > 0;)
        if (t->nodes[i]->op && t->nodes[i]->op->vjp[TG_F64] == op->vjp[TG_F64] && !op->is_view)
            return t->nodes[i]; /* a custom operation carries the user's name */
    return NULL;
}

/* A view has no VJP, its gradient is its input's; asked to retain its own, it passes that on by tg_view_vjp. */
static bool prepare_view(tg_node *y) {
    if (y->window.owner == y)
        return true;
    bool done = tg_retain_grad(tg_handle(y)) == TG_OK;
    tg_clear_error(y->tape);
    return done;
}

typedef enum { NOTHING_TO_BREAK, MISSED, CAUGHT } verdict;

/* The probe, recorded. */
typedef struct instance {
    tg_tape *t;
    tg_mark start;
    tg_tensor y;
    tg_node *node;
} instance;

static instance record(const tg_op *op, int variant) {
    instance p = {.t = tg_tape_new(TG_F64)};
    tg_manual_seed(p.t, 1 + (uint64_t)variant);
    p.start = tg_tape_mark(p.t);
    p.y = op->probe(p.t, variant);
    p.node = tg_is_null(p.y) ? NULL : find_node(p.t, op);
    return p;
}

/* How far the leaves' gradients are from those on the tape where nothing is broken. */
static double damage(const instance *bad, const instance *good) {
    double most = 0;
    for (uint32_t i = 0; i < bad->node->index; i++) {
        const tg_node *x = bad->t->nodes[i], *same = good->t->nodes[i];
        for (int64_t k = 0; !x->op && x->requires_grad && k < x->numel; k++) {
            double want = ((const double *)same->grad)[k];
            double apart = fabs(((const double *)x->grad)[k] - want) / fmax(1, fabs(want));
            most = fmax(most, isnan(apart) ? (double)INFINITY : apart);
        }
    }
    return most;
}

/* good: the same probe with nothing broken, after both checks. */
static verdict plant(const tg_op *op, int variant, int input, const fault_kind *kind, const instance *good) {
    instance bad = record(op, variant);
    verdict v = NOTHING_TO_BREAK;
    tg_node *node = bad.node;
    if (node && input < node->n_in && node->recorded[input] && (!op->is_view || prepare_view(node))) {
        tg_op faulty;
        plant_fault(node, &faulty, kind, input, TG_F64);
        bool told = tg_gradcheck(bad.y, TG_GRADCHECK_DEFAULTS, NULL) == TG_ERR_NUMERIC;
        tg_clear_error(bad.t);
        bool seen = check_gradient(bad.t, bad.start, bad.y).worst > 1e-7;
        if (damage(&bad, good) > 1e-5) /* else the fault changes nothing: a gradient of 0, or of one element */
            v = seen && told ? CAUGHT : MISSED;
        forget_fault();
    }
    tg_tape_free(bad.t);
    return v;
}

static int planted, caught, false_positives;

/* Every fault on every input of a probe; n: how many there were of each kind. False: there is no such probe. */
static bool plant_in_probe(const tg_op *op, int variant, int n[N_FAULTS]) {
    instance good = record(op, variant);
    bool there = !tg_is_null(good.y);
    if (there && tg_requires_grad(good.y)) {
        tg_status status = tg_gradcheck(good.y, TG_GRADCHECK_DEFAULTS, NULL);
        bool empty =
            status == TG_ERR_STATE && strstr(tg_error(good.t), "has no elements"); /* nothing to break either */
        if (status && !empty)
            printf("%s probe %d: %s\n", op->name, variant, tg_error(good.t));
        false_positives += status && !empty;
        tg_clear_error(good.t);
        ck_assert(check_gradient(good.t, good.start, good.y).worst <= 1e-7);
        for (int kind = 0; kind < N_FAULTS; kind++)
            for (int input = 0; input < 4; input++) {
                verdict v = plant(op, variant, input, kind_named(fault_names[kind]), &good);
                n[kind] += v != NOTHING_TO_BREAK;
                caught += v == CAUGHT;
                if (v == MISSED)
                    printf("missed: %s probe %d, input %d: %s\n", op->name, variant, input + 1, fault_names[kind]);
            }
    }
    tg_tape_free(good.t);
    return there;
}

START_TEST(every_planted_fault_is_caught)
{
    for (int i = 0; i < N_OPS; i++) {
        int n[N_FAULTS] = {0};
        for (int variant = 0; !ops[i]->no_gradient && plant_in_probe(ops[i], variant, n); variant++)
            ;
        for (int kind = 0; kind < N_FAULTS && !ops[i]->no_gradient; kind++) {
            ck_assert_msg(n[kind] > 0, "%s: no probe shows the fault '%s'", ops[i]->name, fault_names[kind]);
            planted += n[kind];
        }
    }
    printf("planted %d, caught %d\n", planted, caught);
    fflush(stdout); /* check ends a failed test without it */
    ck_assert_int_eq(false_positives, 0);
    ck_assert_int_eq(caught, planted);
    ck_assert_int_gt(planted, 5 * 50);
}
END_TEST

SUITE("faults", every_planted_fault_is_caught)
