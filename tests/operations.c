/* The table of operations, and operands for each. */
#include "tests/operations.h"

#include "core/engine.h"

#include <stdlib.h>

/* ---- the table ---- */

#define OPERATION(name, types, names, in, torch) \
    static tg_tensor call_##name(const arguments *a) { return tg_##name in; }
#include "operations_list.h"
#undef OPERATION

const operation operations[] = {
#define OPERATION(name, types, names, in, torch) {#name, types, names, call_##name, torch},
#include "operations_list.h"
#undef OPERATION
};
const int n_operations = (int)(sizeof operations / sizeof *operations);

#define X(name) extern const tg_op name;
#include "ops_list.h"
#undef X
static const tg_op *const descriptors[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};

const operation *operation_named(const char *name) {
    for (int i = 0; i < n_operations; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

const tg_op *operation_descriptor(const operation *o) {
    for (size_t i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (strcmp(descriptors[i]->name, o->name) == 0)
            return descriptors[i];
    return NULL;
}

int operation_tensors(const operation *o) {
    int n = 0;
    for (const char *type = o->types; *type; type++)
        n += *type == 'x';
    return n;
}

arguments default_arguments(void) {
    arguments a = {.n = 1};
    a.rope_config = TG_ROPE_DEFAULTS;
    a.rope_scaling = TG_ROPE_SCALING_DEFAULTS;
    a.cross_entropy_config = TG_CROSS_ENTROPY_DEFAULTS;
    a.attention_config = TG_ATTENTION_DEFAULTS;
    return a;
}

/* ---- what kind of operands it takes: those of its first probe ---- */

enum { SEEDS = 8 };

typedef struct kinds {
    char kind[MAX_TENSORS];
    int ndim[MAX_TENSORS];
} kinds;

/* The node of op that its first probe records. */
static const tg_node *first_probe(const tg_op *op, tg_tape *t) {
    tg_tensor y = op->probe(t, 0);
    for (uint32_t i = 0; i < t->count && !tg_is_null(y); i++)
        if (t->nodes[i]->op == op)
            return t->nodes[i];
    return NULL;
}

static bool is_positive(const tg_node *x) {
    double values[512];
    bool all = x->numel <= 512 && tg_read_doubles(tg_handle((tg_node *)x), values, x->numel) == TG_OK;
    for (int64_t i = 0; i < x->numel && all; i++)
        all = values[i] > 0;
    return all;
}

static char kind_of_node(const tg_node *x) {
    if (!tg_is_floating(x))
        return x->dtype == TG_BOOL ? 'b' : 'i';
    return is_positive(x) ? 'p' : 'f';
}

/* Numbers count as positive where they are for every seed. */
static kinds kinds_of(const operation *o) {
    kinds k;
    const tg_op *op = operation_descriptor(o);
    memset(k.kind, 'f', sizeof k.kind);
    for (int i = 0; i < MAX_TENSORS; i++)
        k.ndim[i] = 2;
    for (uint64_t seed = 0; op && seed < SEEDS; seed++) {
        tg_tape *t = tg_tape_new(TG_F64);
        tg_manual_seed(t, seed);
        const tg_node *y = first_probe(op, t);
        for (int i = 0; y && i < y->n_in; i++) {
            if (!y->in[i])
                continue;
            char kind = kind_of_node(y->in[i]);
            k.kind[i] = seed == 0 || kind == 'f' ? kind : k.kind[i];
            k.ndim[i] = y->in[i]->ndim;
        }
        tg_tape_free(t);
    }
    if (strstr(o->names, "exponent")) /* that number_for has is none for negative ones */
        k.kind[0] = 'p';
    return k;
}

/* ---- shapes and numbers by the parameters' names ---- */

typedef struct maker {
    const operation *o;
    tg_tape *t;
    layout l;
    int64_t rows, columns;
    kinds k;
    example *e;
    int matrices, last; /* operands that may be laid out otherwise, and the last of them */
    bool applies;
} maker;

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static bool begins(const char *a, const char *b) { return strncmp(a, b, strlen(b)) == 0; }

/* What it is called for most: 64 columns of results are enough to see a product, heads of 64 to see attention. */
static int64_t few(int64_t n) { return n < 64 ? n : 64; }
static tg_shape heads(const maker *m) {
    int64_t n = m->rows * m->columns, T = n < 1 << 18 ? 64 : 128;
    return n < 4096 ? TG_SHAPE(m->rows, m->columns) : TG_SHAPE(n / T / 64, T, 64);
}

static tg_shape shape_for(const maker *m, int i, const char *name) {
    const char *op = m->o->name;
    int64_t r = m->rows, c = m->columns, chosen = m->l == DIM_0 ? r : c;
    if (begins(op, "scaled_dot"))
        return heads(m);
    if (i == 0)
        return is(op, "squeeze") ? TG_SHAPE(r, 1, c) : is(op, "expand") ? TG_SHAPE(1, c) : TG_SHAPE(r, c);
    if (is(op, "matmul"))
        return TG_SHAPE(c, few(c));
    if (is(op, "linear"))
        return is(name, "weight") ? TG_SHAPE(few(c), c) : TG_SHAPE(few(c));
    if (is(name, "weight") || is(name, "bias"))
        return TG_SHAPE(c);
    if (is(name, "ids") || is(name, "targets"))
        return TG_SHAPE(r);
    return is(name, "index") && m->k.ndim[i] == 1 ? TG_SHAPE(chosen) : TG_SHAPE(r, c);
}

static int64_t below(const maker *m, const char *name) {
    return is(name, "ids") || (m->l == DIM_0 && is(name, "index")) ? m->rows : m->columns;
}

/* Constants that are no small number. */
static double number_for(const maker *m, const char *name) {
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"slope", 0.1}, {"exponent", 2.5}, {"low", -0.5}, {"high", 0.5},    {"c", 3},
                   {"value", 0},   {"p", 0.5},        {"eps", 1e-5}, {"scale", 0},     {"dropout_p", 0},
                   {"delta", 1},   {"alpha", 1},      {"beta", 1},   {"correction", 1}};
    if (is(m->o->name, "norm"))
        return 2;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (is(name, numbers[i].name))
            return numbers[i].value;
    return 1.5;
}

static int64_t integer_for(const maker *m, const char *name) {
    if (is(name, "dim"))
        return m->l == DIM_0 ? 0 : 1;
    if (is(name, "ignore_index"))
        return TG_IGNORE_INDEX;
    if (is(name, "stop"))
        return m->columns;
    return is(name, "start") || is(name, "dim0") ? 0 : is(name, "step") ? 2 : 1;
}

static tg_dims dims_for(const maker *m) {
    if (is(m->o->name, "permute"))
        return TG_DIMS(1, 0);
    return m->l == BOTH_DIMS ? TG_DIMS(0, 1) : m->l == DIM_0 ? TG_DIMS(0) : TG_DIMS(1);
}

static tg_shape size_for(const maker *m, const char *name) {
    if (is(name, "normalized_shape"))
        return TG_SHAPE(m->columns);
    return is(name, "times")          ? TG_SHAPE(2, 1)
           : is(m->o->name, "expand") ? TG_SHAPE(m->rows, m->columns)
                                      : TG_SHAPE(m->columns, m->rows);
}

/* ---- making them ---- */

static tg_tensor draw(const maker *m, char kind, tg_shape shape, int64_t high) {
    switch (kind) {
    case 'i': return tg_randint(m->t, 0, high, shape);
    case 'b': return tg_to_bool(tg_randint(m->t, 0, 2, shape));
    case 'p': return tg_uniform_(tg_zeros(m->t, shape), 0.5, 1.5);
    default: return tg_randn(m->t, shape);
    }
}

static bool is_matrix(const maker *m, int i, tg_shape shape) {
    bool whole = shape.ndim == 2 && shape.size[0] == m->rows && shape.size[1] == m->columns;
    return whole && (m->k.kind[i] == 'f' || m->k.kind[i] == 'p');
}

static void add_tensor(maker *m, int i, const char *name) {
    tg_shape shape = shape_for(m, i, name), lies;
    operand_kind *of = &m->e->of[i];
    if (is(name, "mask") && begins(m->o->name, "scaled_dot")) {
        m->e->a.x[i] = TG_NULL;
        return;
    }
    bool laid = is_matrix(m, i, shape) && i == m->last;
    *of = (operand_kind){m->k.kind[i], below(m, name)};
    lies = !laid                ? shape
           : m->l == ROW        ? TG_SHAPE(m->columns)
           : m->l == COLUMN     ? TG_SHAPE(m->rows, 1)
           : m->l == TRANSPOSED ? TG_SHAPE(m->columns, m->rows)
                                : shape;
    tg_tensor x = draw(m, of->kind, lies, of->below);
    if (of->kind == 'f' || of->kind == 'p')
        tg_set_requires_grad(x, !is(name, "z"));
    m->e->a.x[i] = laid && m->l == TRANSPOSED ? tg_transpose(x, 0, 1) : x;
}

/* The next name of a list with spaces. */
static const char *next_name(const char *names, char *name, size_t size) {
    size_t n = strcspn(names, " ");
    snprintf(name, size, "%.*s", (int)n, names);
    return names + n + (names[n] == ' ');
}

enum { NAME = 40 };

static void add_list(maker *m) {
    m->e->a.n = 2;
    for (int i = 0; i < 2; i++)
        add_tensor(m, i, "parts");
}

static void find_matrices(maker *m) {
    char name[NAME];
    const char *names = m->o->names;
    int i = 0;
    m->last = -1;
    for (const char *type = m->o->types; *type; type++) {
        names = next_name(names, name, sizeof name);
        for (int k = 0; k < (*type == 'x') + 2 * (*type == 'p'); k++, i++)
            if (is_matrix(m, i, shape_for(m, i, name)))
                m->matrices++, m->last = i;
    }
}

static bool has_parameter(const operation *o, const char *wanted) {
    char name[NAME] = "";
    for (const char *names = o->names; *names && !is(name, wanted);)
        names = next_name(names, name, sizeof name);
    return is(name, wanted);
}

static bool means_something(const maker *m) {
    bool reduces = strchr(m->o->types, 'D') && !is(m->o->name, "permute");
    bool has_dim = has_parameter(m->o, "dim");
    switch (m->l) {
    case PLAIN: return true;
    case TRANSPOSED: return m->matrices > 0;
    case ROW:
    case COLUMN: return m->matrices > 1 && !strchr(m->o->types, 'p');
    case DIM_0: return reduces || (has_dim && !is(m->o->name, "squeeze"));
    default: return reduces;
    }
}

static void fill(maker *m) {
    char name[NAME];
    const char *names = m->o->names;
    int n_x = 0, n_d = 0, n_i = 0;
    arguments *a = &m->e->a;
    for (const char *type = m->o->types; *type; type++) {
        names = next_name(names, name, sizeof name);
        switch (*type) {
        case 'x': add_tensor(m, n_x++, name); break;
        case 'p': add_list(m); break;
        case 'd': a->d[n_d++] = number_for(m, name); break;
        case 'i': a->i[n_i++] = integer_for(m, name); break;
        case 'D': a->dims = dims_for(m); break;
        case 'S': a->shape = size_for(m, name); break;
        default: break;
        }
    }
}

bool make_example(const operation *o, tg_tape *t, layout l, int64_t rows, int64_t columns, example *e) {
    maker m = {.o = o, .t = t, .l = l, .rows = rows, .columns = columns, .k = kinds_of(o), .e = e};
    *e = (example){.a = default_arguments()};
    find_matrices(&m);
    if (!means_something(&m))
        return false;
    fill(&m);
    return tg_tape_status(t) == TG_OK;
}

/* ---- as Python ---- */

const char *const layout_names[N_LAYOUTS] = {"plain", "transposed", "row", "column", "dim 0", "both dims"};

static void print_sizes(FILE *file, int n, const int64_t *size) {
    fprintf(file, "(");
    for (int i = 0; i < n; i++)
        fprintf(file, "%lld,", (long long)size[i]);
    fprintf(file, ")");
}

static void print_values(FILE *file, tg_tensor x) {
    int64_t n = tg_numel(x);
    double *v = calloc((size_t)n + 1, sizeof *v);
    if (!v || tg_read_doubles(tg_to_float(x), v, n))
        exit(EXIT_FAILURE);
    fprintf(file, "[");
    for (int64_t i = 0; i < n; i++)
        fprintf(file, "%.17g,", v[i]);
    fprintf(file, "]");
    free(v);
}

static void print_tensor(FILE *file, const example *e, int i, bool values) {
    tg_tensor x = e->a.x[i];
    if (tg_is_null(x)) {
        fprintf(file, "None");
        return;
    }
    bool turned = !tg_is_contiguous(x);
    tg_shape shape = tg_shape_of(x);
    fprintf(file, "tensor('%c', ",
            tg_requires_grad(x) || e->of[i].kind == 'i' || e->of[i].kind == 'b' ? e->of[i].kind : 'c');
    print_sizes(file, shape.ndim, shape.size);
    fprintf(file, ", %s, %lld, ", turned ? "True" : "False", (long long)e->of[i].below);
    if (values)
        print_values(file, x);
    else
        fprintf(file, "None");
    fprintf(file, ")");
}

static void print_list(FILE *file, const example *e, bool values) {
    fprintf(file, "[");
    for (int i = 0; i < e->a.n; i++) {
        print_tensor(file, e, i, values);
        fprintf(file, ", ");
    }
    fprintf(file, "]");
}

static void print_dims(FILE *file, tg_dims dims) {
    int64_t dim[TG_MAX_DIMS];
    for (int i = 0; i < dims.ndim; i++)
        dim[i] = dims.dim[i];
    print_sizes(file, dims.ndim, dim);
}

void print_example(FILE *file, const operation *o, layout l, const example *e, bool values) {
    static const char *const reductions[] = {"'mean'", "'sum'", "'none'"};
    char name[NAME];
    const char *names = o->names;
    int n_x = 0, n_d = 0, n_i = 0;
    fprintf(file, "%s\t%s\t", o->name, layout_names[l]);
    for (const char *type = o->types; *type; type++) {
        names = next_name(names, name, sizeof name);
        fprintf(file, "%s=", name);
        switch (*type) {
        case 'x': print_tensor(file, e, n_x++, values); break;
        case 'p': print_list(file, e, values); break;
        case 'd': fprintf(file, "%.17g", e->a.d[n_d++]); break;
        case 'i': fprintf(file, "%lld", (long long)e->a.i[n_i++]); break;
        case 'b': fprintf(file, e->a.flag ? "True" : "False"); break;
        case 'D': print_dims(file, e->a.dims); break;
        case 'S': print_sizes(file, e->a.shape.ndim, e->a.shape.size); break;
        case 'r': fprintf(file, "%s", reductions[e->a.reduction]); break;
        default: fprintf(file, "None");
        }
        fprintf(file, "; ");
    }
    fprintf(file, "\t%s\n", o->torch);
}
