/* How a mistake is planted in the VJP of an operation: see fault_kinds.h. */
#include "core/gradcheck/check.h"
#include "fault_kinds.h"

#include <stdlib.h>

planted_fault fault;

double *allocate(int64_t n) {
    double *p = calloc((size_t)n + 1, sizeof(double));
    if (!p)
        exit(EXIT_FAILURE);
    return p;
}

/* Elements of x that lie in data, as doubles. */
static void read_elements(const tg_node *x, const void *data, const int64_t *stride, double *out) {
    tg_copy_out(x, data, stride, out);
    for (int64_t j = x->dtype == TG_F32 ? x->numel : 0; j-- > 0;)
        out[j] = (double)((const float *)(const void *)out)[j];
}

/* ---- the right gradient of one operand ---- */

static tg_status right_vjp(tg_node *y) { return fault.right->is_view ? tg_view_vjp(y) : fault.right->vjp[y->dtype](y); }

void pull(tg_node *y, int k, const double *dy, double *out) {
    tg_node *x = y->in[k], *owner = x->window.owner;
    size_t changed = dy ? (size_t)y->numel * sizeof *dy : 0;
    double *had_dy = allocate(y->numel);
    bool recorded[UINT8_MAX], had = owner->has_grad;
    void *grad = owner->grad;
    owner->grad = NULL;
    owner->has_grad = false;
    memset(out, 0, (size_t)x->numel * sizeof *out);
    memcpy(recorded, y->recorded, y->n_in * sizeof *recorded);
    for (int i = 0; i < y->n_in; i++)
        y->recorded[i] = i == k;
    if (changed) {
        memcpy(had_dy, y->grad, changed);
        memcpy(y->grad, dy, changed);
    }
    if (right_vjp(y) == TG_OK && owner->has_grad)
        read_elements(x, tg_grad_elements(x), x->window.stride, out);
    if (changed)
        memcpy(y->grad, had_dy, changed);
    memcpy(y->recorded, recorded, y->n_in * sizeof *recorded);
    tg_release_grad(owner);
    owner->grad = grad;
    owner->has_grad = had;
    free(had_dy);
}

void pull_again(job *j) { pull(j->node, j->k, NULL, j->g); }

static double largest(const double *values, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

static job open_job(tg_node *node, int k, const fault_kind *kind) {
    tg_node *x = node->in[k];
    job j = {.node = node, .k = k, .n = x->numel, .n_y = node->numel, .by = kind->by, .at = kind->at};
    j.g = allocate(3 * j.n + 2 * j.n_y);
    j.right = j.g + j.n;
    j.x = j.right + j.n;
    j.y = j.x + j.n;
    j.dy = j.y + j.n_y;
    read_elements(x, x->data, x->stride, j.x);
    read_elements(node, node->data, node->stride, j.y);
    for (int64_t i = 0; i < j.n_y; i++)
        j.dy[i] = tg_number(node->dtype, node->grad, i);
    pull(node, k, NULL, j.g);
    memcpy(j.right, j.g, (size_t)j.n * sizeof *j.g);
    j.most = largest(j.right, j.n);
    return j;
}
static void close_job(job *j) { free(j->g); }

/* ---- what mistakes are made of ---- */

bool is_op(const job *j, const char *name) { return strcmp(j->node->op->name, name) == 0; }

void scale(double *g, int64_t n, double factor) {
    for (int64_t i = 0; i < n; i++)
        g[i] *= factor;
}

/* How many steps of one along dim d and all behind it are one along the dim before. */
static int64_t stride_of(const tg_node *y, int64_t d) {
    int64_t stride = 1;
    for (int i = y->ndim - 1; i > d; i--)
        stride *= y->size[i];
    return stride;
}

void from_slice(job *j, int64_t d, int64_t place) {
    int64_t size = j->node->size[d], stride = stride_of(j->node, d);
    for (int64_t i = 0; i < j->n_y; i++)
        j->dy[i] = i / stride % size == (place < 0 ? size - 1 : place) ? j->dy[i] : 0;
    pull(j->node, j->k, j->dy, j->g);
}

void pick(job *j, bool first, bool own) {
    double *alone = allocate(j->n_y), *part = allocate(j->n);
    scale(j->g, j->n, 0);
    for (int64_t at = 0; at < j->n_y; at++) {
        alone[at] = j->dy[at];
        pull(j->node, j->k, alone, part);
        alone[at] = 0;
        for (int64_t i = 0; i < j->n; i++)
            if (part[i] != 0 && (own ? i == at : !first || j->g[i] == 0))
                j->g[i] = part[i];
    }
    free(alone);
    free(part);
}

void sum_of_dy(job *j, int d) {
    int64_t stride = stride_of(j->node, d), size = j->node->size[d];
    for (int64_t i = 0; i < j->n; i++) {
        double sum = 0;
        for (int64_t c = 0, begin = i - i / stride % size * stride; c < size; c++)
            sum += j->dy[begin + c * stride];
        j->g[i] = j->y[i] * (j->dy[i] - sum);
    }
}

void store(job *j, const int *order) {
    const tg_node *x = j->node->in[j->k];
    for (int64_t i = 0; i < j->n; i++) {
        int64_t place[TG_MAX_DIMS], rest = i, to = 0;
        for (int d = x->ndim - 1; d >= 0; rest /= x->size[d--])
            place[d] = rest % x->size[d];
        for (int d = 0; d < x->ndim; d++)
            to = to * x->size[order[d]] + place[order[d]];
        j->g[to] = j->right[i];
    }
}

void normalise(job *j, int64_t n, bool centred, double eps, const double *w, const char *flags) {
    for (int64_t row = 0; row < j->n; row += n) {
        double mean = 0, var = 0, g_mean = 0, gx_mean = 0;
        for (int64_t c = row; c < row + n && centred; c++)
            mean += j->x[c] / (double)n;
        for (int64_t c = row; c < row + n; c++) {
            double d = j->x[c] - mean, g = j->dy[c] * (w ? w[c - row] : 1);
            var += d * d / (double)n;
            g_mean += g / (double)n;
            gx_mean += g * d / (double)n;
        }
        double right = 1 / sqrt(var + eps), r = right;
        r = strchr(flags, '0') ? 1 / sqrt(var) : strchr(flags, 'o') ? 1 / (sqrt(var) + eps) : right;
        double inner = strchr(flags, '!') ? r : right;
        for (int64_t c = row; c < row + n; c++)
            j->g[c] = r * (j->dy[c] * (w ? w[c - row] : 1) - (centred && !strchr(flags, 'm') ? g_mean : 0) -
                           (strchr(flags, 'v') ? 0 : (j->x[c] - mean) * inner * inner * gx_mean));
    }
}

/* ---- the wrong VJP ---- */

static double distance(int64_t n, const double *a, const double *b) {
    double sum = 0, size = 0;
    for (int64_t i = 0; i < n; i++) {
        double d = b ? a[i] - b[i] : a[i];
        if (isnan(d))
            return INFINITY;
        size = fmax(size, fabs(d));
    }
    for (int64_t i = 0; i < n && size > 0; i++) {
        double d = (b ? a[i] - b[i] : a[i]) / size;
        sum += d * d;
    }
    return size * sqrt(sum);
}

static double sum_of_products(const job *j) {
    double sum = 0;
    for (int64_t i = 0; i < j->n_y; i++)
        sum += isfinite(j->y[i]) ? fabs(j->y[i] * ((const double *)j->node->grad)[i]) : 0;
    return sum;
}

static void note_damage(const job *j) {
    double size = distance(j->n, j->right, NULL), d = distance(j->n, j->g, j->right);
    int64_t live = 0;
    for (int64_t i = 0; i < j->n; i++)
        live += j->right[i] != 0;
    fault.lone |= live < 2;
    if (fault.kind->corrupt == overwrite)
        d = j->n ? INFINITY : 0;
    if (d > 0)
        fault.damage = fmax(fault.damage, d / size);
    if (d > 0 && j->node->dtype == TG_F64)
        fault.visible = fmax(fault.visible, d * largest(j->x, j->n) / (sum_of_products(j) + 1e-300));
}

/* Of the size of what the kind multiplies by: the terms that meet, of which nothing may be left. */
OF_DY(alternate, (i % 2 ? -1 : 1) * (fault.kind->corrupt == without_dy ? 1 : fabs(dy[i])))

/* Another kind that gives the very same numbers is as good a name; of stop_early's the tail begins where g says. */
static void compare_with_rival(const job *j) {
    const fault_kind factor = {"", TG_MISTAKE_FACTOR, times, fault.rival_factor, ""};
    const fault_kind *rival = fault.rival ? fault.rival : &factor;
    job terms = open_job(j->node, j->k, rival), other = open_job(j->node, j->k, rival);
    int64_t end = j->n;
    alternate(&terms);
    while (end && j->g[end - 1] == 0)
        end--;
    if (rival->corrupt == stop_early)
        scale(other.g + end, j->n - end, 0);
    else
        rival->corrupt(&other);
    double rounding = 1e-13 * fmax(distance(j->n, j->right, NULL), distance(j->n, terms.g, NULL));
    fault.rival_differs |= !(distance(j->n, j->g, other.g) <= 1e-9 * distance(j->n, j->g, NULL) + rounding);
    close_job(&terms);
    close_job(&other);
}

static tg_status add_values(tg_node *x, double *g) {
    float *narrow = (float *)(void *)g;
    for (int64_t j = 0; x->dtype == TG_F32 && j < x->numel; j++)
        narrow[j] = (float)g[j];
    return tg_grad_add_values(x, g, NULL);
}

static void spoil(job *j) {
    fault.kind->corrupt(j);
    note_damage(j);
    if (fault.rival || fault.rival_factor != 0)
        compare_with_rival(j);
    if (fault.kind->corrupt == overwrite)
        j->node->in[j->k]->window.owner->has_grad = false;
    fault.calls++;
}

static tg_status wrong_vjp(tg_node *y) {
    tg_status bad = TG_OK;
    for (int k = 0; k < y->n_in && !bad; k++) {
        if (!tg_wants(y, k))
            continue;
        job j = open_job(y, k, fault.kind);
        if (k == fault.operand)
            spoil(&j);
        bad = add_values(y->in[k], j.g);
        close_job(&j);
    }
    return bad;
}

static tg_status nothing(tg_node *y) {
    (void)y;
    return TG_OK;
}

void forget_fault(void) {
    free(fault.kept);
    fault = (planted_fault){.right = fault.right, .kind = fault.kind, .operand = fault.operand};
}

void plant_fault(tg_node *n, tg_op *copy, const fault_kind *kind, int operand, tg_dtype dtype) {
    fault.right = n->op;
    fault.kind = kind;
    fault.operand = operand;
    forget_fault();
    *copy = *n->op;
    copy->vjp[dtype] = wrong_vjp;
    if (copy->is_view) {
        copy->is_view = false;
        copy->forward[dtype] = nothing;
    }
    n->op = copy;
}
