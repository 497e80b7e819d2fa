/* The gradient check checked: in every operation's VJP, on every one of its probes, for every operand, plant each
 * mistake that makes sense there. The check has to fail, name the operation, and name the mistake.
 *
 * Prints mistakes x operations; the last line is `planted N, caught N, op named N, mistake named N`. With
 * FAULTS_VERBOSE set, what was said about each that was not named.
 *
 * A mistake is planted by replacing a node's descriptor by a copy whose vjp corrupts what the right one computes.
 * It is not planted where it changes nothing (the transpose of a row), nor where its numbers are another one's
 * (1/n forgotten with n = 2 is also "twice"). */
#include "core/kernels/attention.h"

#include <stdlib.h>

#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X
static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};
enum { N_OPS = sizeof ops / sizeof *ops };

typedef enum {
    SIGN,
    ZERO,
    TWICE,
    HALF,
    SLIGHT,
    OVERWRITE,
    MISSING_MEAN,
    EXTRA_MEAN,
    TRANSPOSED,
    NOT_SUMMED,
    ELEMENTWISE,
    MASK,
    SCALE,
    REDRAWN,
    NO_DY,
    SWAPPED,
    UNTURNED,
    LAST_INDEX,
    N_KINDS
} kind;

static const struct {
    const char *name;
    tg_mistake expected;
} kinds[N_KINDS] = {
    [SIGN] = {"sign", TG_MISTAKE_SIGN},
    [ZERO] = {"zero", TG_MISTAKE_ZERO},
    [TWICE] = {"x 2", TG_MISTAKE_TWICE},
    [HALF] = {"x 1/2", TG_MISTAKE_HALF},
    [SLIGHT] = {"x 1.001", TG_MISTAKE_FACTOR},
    [OVERWRITE] = {"= for +=", TG_MISTAKE_OVERWRITE},
    [MISSING_MEAN] = {"no 1/n", TG_MISTAKE_MISSING_MEAN},
    [EXTRA_MEAN] = {"1/n more", TG_MISTAKE_EXTRA_MEAN},
    [TRANSPOSED] = {"transp.", TG_MISTAKE_TRANSPOSED},
    [NOT_SUMMED] = {"no sum", TG_MISTAKE_NOT_SUMMED},
    [ELEMENTWISE] = {"elemwise", TG_MISTAKE_ELEMENTWISE},
    [MASK] = {"no mask", TG_MISTAKE_MASK},
    [SCALE] = {"no scale", TG_MISTAKE_SCALE},
    [REDRAWN] = {"redrawn", TG_MISTAKE_REDRAWN},
    [NO_DY] = {"no dy", TG_MISTAKE_NO_DY},
    [SWAPPED] = {"swapped", TG_MISTAKE_SWAPPED},
    [UNTURNED] = {"no B^T", TG_MISTAKE_TRANSPOSED},
    [LAST_INDEX] = {"= by id", TG_MISTAKE_OVERWRITE},
};

/* What is planted at present. */
static struct {
    const tg_op *right;
    kind kind;
    int operand;
    bool applies; /* the mistake made another gradient than the right one, and than a simpler mistake */
    uint64_t draws;
} plan;

static void *allocate(int64_t n) {
    void *p = calloc((size_t)n + 1, sizeof(double));
    if (!p)
        exit(EXIT_FAILURE);
    return p;
}

/* ---- the right gradient of one operand ---- */

static tg_status right_vjp(tg_node *y) { return plan.right->is_view ? tg_view_vjp(y) : plan.right->vjp[TG_F64](y); }

/* What the right VJP adds to operand k's gradient when dy (NULL: the one there is) arrives. */
static double *contribution(tg_node *y, int k, const double *dy) {
    tg_node *x = y->in[k], *owner = x->gowner;
    double *out = allocate(x->numel), *had_dy = allocate(y->numel);
    bool recorded[UINT8_MAX], had = owner->has_grad;
    void *grad = owner->grad;
    owner->grad = NULL;
    owner->has_grad = false;
    for (int i = 0; i < y->n_in; i++) {
        recorded[i] = tg_recorded(y)[i];
        tg_recorded(y)[i] = i == k;
    }
    if (y->numel)
        memcpy(had_dy, y->grad, (size_t)y->numel * sizeof *had_dy);
    if (dy && y->numel)
        memcpy(y->grad, dy, (size_t)y->numel * sizeof *dy);
    if (right_vjp(y) == TG_OK && owner->has_grad)
        tg_copy_out(x, tg_grad_data(x), x->gstride, out);
    if (y->numel)
        memcpy(y->grad, had_dy, (size_t)y->numel * sizeof *had_dy);
    memcpy(tg_recorded(y), recorded, y->n_in * sizeof(bool));
    tg_release_grad(owner);
    owner->grad = grad;
    owner->has_grad = had;
    free(had_dy);
    return out;
}

static void replace(double *to, double *by, int64_t n) {
    memcpy(to, by, (size_t)n * sizeof *to);
    free(by);
}

/* ---- the mistakes ---- */

static void scale(double *g, int64_t n, double factor) {
    for (int64_t i = 0; i < n; i++)
        g[i] *= factor;
}

static void transpose(const tg_node *x, double *g) {
    if (x->ndim < 2)
        return;
    int64_t rows = x->size[x->ndim - 2], cols = x->size[x->ndim - 1];
    double *turned = allocate(x->numel);
    for (int64_t at = 0; at < x->numel; at++) {
        int64_t in = at % (rows * cols);
        turned[at - in + in % cols * rows + in / cols] = g[at];
    }
    replace(g, turned, x->numel);
}

/* How many elements of x go into one of y, when that is a sum or a mean. */
static int64_t reduced(const tg_node *x, const tg_node *y) {
    bool rows = strcmp(y->op->name, "cross_entropy") == 0;
    return rows ? x->numel / x->size[x->ndim - 1] : y->numel && x->numel > y->numel ? x->numel / y->numel : 1;
}

/* A dim of y along which x repeats, or -1. */
static int broadcast_dim(const tg_node *y, int k) {
    const tg_node *x = y->in[k];
    for (int i = 0; i < y->n_in; i++)
        if (y->in[i] && y->in[i]->dtype == TG_I64)
            return -1;
    if (strcmp(y->op->name, "linear") == 0 && k == 1)
        return y->ndim > 1 && y->size[0] > 1 ? 0 : -1;
    for (int d = 0, shift = y->ndim - x->ndim; shift >= 0 && d < y->ndim; d++)
        if (y->size[d] > 1 && (d < shift || x->size[d - shift] == 1))
            return d;
    return -1;
}

static bool in_first_slice(const tg_node *y, int d, int64_t j) {
    for (int i = y->ndim - 1; i > d; i--)
        j /= y->size[i];
    return j % y->size[d] == 0;
}

static void first_slice_only(tg_node *y, int k, double *g) {
    int d = broadcast_dim(y, k);
    if (d < 0)
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++)
        dy[j] = in_first_slice(y, d, j) ? ((double *)y->grad)[j] : 0;
    replace(g, contribution(y, k, dy), y->in[k]->numel);
    free(dy);
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static void diagonal_only(tg_node *y, int k, double *g) {
    static const char *const mixing[] = {"softmax", "log_softmax", "layer_norm", NULL};
    if (!is_one_of(y->op->name, mixing) || k > 0)
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++) {
        dy[j] = ((double *)y->grad)[j];
        double *column = contribution(y, k, dy);
        g[j] = column[j];
        free(column);
        dy[j] = 0;
    }
    free(dy);
}

/* The constant that dx is of dy wherever dx is not 0; 0 when there is none, or no dx is 0. */
static double kept_scale(const tg_node *y, const double *g) {
    double s = 0;
    bool zeros = false;
    for (int64_t j = 0; j < y->numel; j++) {
        double ratio = g[j] / ((double *)y->grad)[j];
        zeros |= ratio == 0;
        if (ratio == 0)
            continue;
        if (s != 0 && fabs(ratio - s) > 1e-9 * fabs(s))
            return 0;
        s = ratio;
    }
    return zeros ? s : 0;
}

static bool is_attention(const tg_node *y) { return strcmp(y->op->name, "scaled_dot_product_attention") == 0; }

/* The gradient of attention without its mask, by recording it so. */
static void unmasked_attention(tg_node *y, int k, double *g) {
    tg_attention *a = y->attr;
    if (k > 2 || a->drops || (!y->in[3] && !a->causal))
        return;
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x[3];
    for (int i = 0; i < 3; i++) {
        double *values = allocate(y->in[i]->numel);
        tg_copy_out(y->in[i], y->in[i]->data, y->in[i]->stride, values);
        x[i] = tg_set_requires_grad(tg_from_doubles(t, tg_shape_from(y->in[i]), values), true);
        free(values);
    }
    tg_tensor out = tg_scaled_dot_product_attention(x[0], x[1], x[2], TG_NULL, false, 0, a->scale);
    if (tg_backward_with(out, tg_from_doubles(t, tg_shape_from(y), y->grad)) == TG_OK &&
        tg_read_doubles(tg_grad(x[k]), g, y->in[k]->numel))
        exit(EXIT_FAILURE);
    tg_tape_free(t);
}

static void forget_mask(tg_node *y, int k, double *g) {
    if (is_attention(y))
        unmasked_attention(y, k, g);
    double s = y->in[k]->numel == y->numel ? kept_scale(y, g) : 0;
    for (int64_t j = 0; s != 0 && j < y->numel; j++)
        g[j] = s * ((double *)y->grad)[j];
}

static void forget_scale(tg_node *y, int k, double *g) {
    static const char *const scaling[] = {"mul_scalar", "div_scalar", NULL};
    if (is_one_of(y->op->name, scaling))
        memcpy(g, y->grad, (size_t)y->numel * sizeof *g);
    if (is_attention(y) && k < 2)
        scale(g, y->in[k]->numel, 1 / ((tg_attention *)y->attr)->scale);
}

static void redraw(tg_node *y, int k, double *g) {
    tg_rng_state rng;
    tg_rng_seed(&rng, 1000 + plan.draws++);
    if (is_attention(y) && ((tg_attention *)y->attr)->drops && k < 3) {
        tg_rng_state kept = *tg_attention_generator(y);
        *tg_attention_generator(y) = rng;
        replace(g, contribution(y, k, NULL), y->in[k]->numel);
        *tg_attention_generator(y) = kept;
    }
    double s = strcmp(y->op->name, "dropout") == 0 ? kept_scale(y, g) : 0;
    for (int64_t j = 0; s != 0 && j < y->numel; j++)
        g[j] = tg_rng_random(&rng) & 1 ? s * ((double *)y->grad)[j] : 0;
}

static void without_dy(tg_node *y, int k, double *g) {
    double *ones = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++)
        ones[j] = 1;
    replace(g, contribution(y, k, ones), y->in[k]->numel);
    free(ones);
}

static void swap_operands(tg_node *y, int k, double *g) {
    if (y->n_in == 2 && y->in[1 - k] && y->in[1 - k]->numel == y->in[k]->numel && tg_wants(y, 1 - k))
        replace(g, contribution(y, 1 - k, NULL), y->in[k]->numel);
}

/* In a product the other operand is taken as it lies where its transpose belongs, or the other way round. */
static void other_not_turned(tg_node *y, int k, double *g) {
    static const char *const products[] = {"matmul", "linear", NULL};
    tg_node *other = is_one_of(y->op->name, products) && k < 2 ? y->in[1 - k] : NULL;
    int n = other ? other->ndim : 0;
    if (n < 2 || other->size[n - 1] != other->size[n - 2])
        return;
    int64_t row = other->stride[n - 2];
    other->stride[n - 2] = other->stride[n - 1];
    other->stride[n - 1] = row;
    replace(g, contribution(y, k, NULL), y->in[k]->numel);
    other->stride[n - 1] = other->stride[n - 2];
    other->stride[n - 2] = row;
}

/* Where an index repeats, the last of its gradients is kept. */
static void last_index_only(tg_node *y, int k, double *g) {
    if (y->n_in != 2 || !y->in[1] || y->in[1]->dtype != TG_I64 || strcmp(y->op->name, "cross_entropy") == 0)
        return;
    double *dy = allocate(y->numel);
    for (int64_t j = 0; j < y->numel; j++) {
        dy[j] = ((double *)y->grad)[j];
        double *part = contribution(y, k, dy);
        for (int64_t i = 0; i < y->in[k]->numel; i++)
            g[i] = part[i] != 0 ? part[i] : g[i];
        free(part);
        dy[j] = 0;
    }
    free(dy);
}

static void corrupt(tg_node *y, int k, double *g) {
    const tg_node *x = y->in[k];
    int64_t n = reduced(x, y);
    switch (plan.kind) {
    case SIGN: scale(g, x->numel, -1); break;
    case ZERO: scale(g, x->numel, 0); break;
    case TWICE: scale(g, x->numel, 2); break;
    case HALF: scale(g, x->numel, 0.5); break;
    case SLIGHT: scale(g, x->numel, 1.001); break;
    case MISSING_MEAN: scale(g, x->numel, (double)n); break;
    case EXTRA_MEAN: scale(g, x->numel, 1 / (double)n); break;
    case TRANSPOSED: transpose(x, g); break;
    case NOT_SUMMED: first_slice_only(y, k, g); break;
    case ELEMENTWISE: diagonal_only(y, k, g); break;
    case MASK: forget_mask(y, k, g); break;
    case SCALE: forget_scale(y, k, g); break;
    case REDRAWN: redraw(y, k, g); break;
    case NO_DY: without_dy(y, k, g); break;
    case SWAPPED: swap_operands(y, k, g); break;
    case UNTURNED: other_not_turned(y, k, g); break;
    case LAST_INDEX: last_index_only(y, k, g); break;
    default: break;
    }
}

static bool is_factor(int64_t n, const double *a, const double *b, double factor) {
    double apart = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        apart += fabs(a[i] - factor * b[i]);
        size += fabs(b[i]);
    }
    return apart <= 1e-5 * size;
}

static double size_of(int64_t n, const double *a) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs(a[i]);
    return sum;
}

/* Is it another gradient than the right one, and no simpler mistake's? */
static bool tells(const tg_node *y, int64_t n, const double *corrupted, const double *right) {
    double rounding = 1e-12 * size_of(y->numel, y->grad);
    if (size_of(n, corrupted) <= rounding && size_of(n, right) <= rounding)
        return false;
    static const double simpler[] = {1, -1, 0, 2, 0.5};
    size_t first = plan.kind <= SLIGHT ? 1 : sizeof simpler / sizeof *simpler;
    for (size_t i = 0; i < first; i++)
        if (is_factor(n, corrupted, right, simpler[i]))
            return false;
    return true;
}

static tg_status wrong_vjp(tg_node *y) {
    for (int k = 0; k < y->n_in; k++) {
        if (!tg_wants(y, k))
            continue;
        tg_node *x = y->in[k];
        double *right = contribution(y, k, NULL), *g = contribution(y, k, NULL);
        if (k == plan.operand) {
            corrupt(y, k, g);
            plan.applies |= plan.kind == OVERWRITE ? x->numel > 0 : tells(y, x->numel, g, right);
            if (plan.kind == OVERWRITE)
                x->gowner->has_grad = false;
        }
        tg_status bad = tg_grad_add_values(x, g);
        free(right);
        free(g);
        if (bad)
            return bad;
    }
    return TG_OK;
}

/* ---- planting ---- */

static int planted[N_OPS][N_KINDS], named[N_OPS][N_KINDS], caught, op_named;

static tg_status nothing(tg_node *y) {
    (void)y;
    return TG_OK;
}

/* The probe's node of this operation; NULL when it has none with a VJP. */
static tg_node *find(tg_tape *t, const tg_op *op) {
    for (uint32_t i = t->count; i-- > 0;) {
        tg_node *n = t->nodes[i];
        bool is_it = n->op && (n->op == op || n->op->probe == op->probe);
        if (is_it && n->requires_grad && n->gowner == n && !n->op->no_gradient)
            return n;
    }
    return NULL;
}

static void plant(tg_node *n, tg_op *copy) {
    plan.right = n->op;
    *copy = *n->op;
    copy->vjp[TG_F64] = wrong_vjp;
    if (copy->is_view) {
        copy->is_view = false;
        copy->forward[TG_F64] = nothing;
    }
    n->op = copy;
}

/* False when the probe has no such operand. */
static bool try_fault(int op, int variant, int operand, kind k) {
    tg_tape *t = tg_tape_new(TG_F64);
    tg_gradcheck_result r;
    tg_op copy;
    tg_manual_seed(t, (uint64_t)variant + 1);
    tg_tensor y = ops[op]->probe(t, variant);
    tg_node *n = tg_is_null(y) ? NULL : find(t, ops[op]);
    bool there = n && operand < n->n_in;
    if (there && n->in[operand] && tg_recorded(n)[operand] && tg_requires_grad(y)) {
        plan.kind = k;
        plan.operand = operand;
        plan.applies = false;
        plan.draws = 0;
        plant(n, &copy);
        tg_status status = tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r);
        if (plan.applies) {
            bool found = status == TG_ERR_NUMERIC && r.verdict == TG_GRAD_WRONG;
            bool where = found && strcmp(r.op, copy.name) == 0 && r.tensor == n->index;
            bool what = where && r.mistake == kinds[k].expected;
            planted[op][k]++;
            caught += found;
            op_named += where;
            named[op][k] += what;
            if (!what && getenv("FAULTS_VERBOSE"))
                printf("%s probe %d operand %d, %s: %s | %s | %s\n", copy.name, variant, operand, kinds[k].name,
                       r.summary, r.shapes, r.diagnosis);
        }
    }
    tg_tape_free(t);
    return there;
}

static bool has_variant(const tg_op *op, int variant) {
    tg_tape *t = tg_tape_new(TG_F64);
    bool there = !tg_is_null(op->probe(t, variant));
    tg_tape_free(t);
    return there;
}

static void plant_everywhere(int op) {
    for (int variant = 0; ops[op]->probe && has_variant(ops[op], variant); variant++)
        for (int k = 0; k < N_KINDS; k++)
            for (int operand = 0; try_fault(op, variant, operand, (kind)k); operand++)
                ;
}

static void print_table(void) {
    printf("mistakes named / planted\n%-16s", "");
    for (int k = 0; k < N_KINDS; k++)
        printf(" %8s", kinds[k].name);
    for (int op = 0; op < N_OPS; op++) {
        int total = 0;
        for (int k = 0; k < N_KINDS; k++)
            total += planted[op][k];
        if (!total)
            continue;
        printf("\n%-16.16s", ops[op]->name);
        for (int k = 0; k < N_KINDS; k++)
            if (planted[op][k])
                printf(" %4d/%-3d", named[op][k], planted[op][k]);
            else
                printf(" %8s", ".");
    }
    printf("\n");
}

static int plant_all(void) {
    int total = 0, total_named = 0;
    for (int op = 0; op < N_OPS; op++)
        plant_everywhere(op);
    print_table();
    for (int op = 0; op < N_OPS; op++)
        for (int k = 0; k < N_KINDS; k++) {
            total += planted[op][k];
            total_named += named[op][k];
        }
    printf("planted %d, caught %d, op named %d, mistake named %d\n", total, caught, op_named, total_named);
    return caught == total && op_named == total && total_named * 10 >= total * 9 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void) { return plant_all(); }
