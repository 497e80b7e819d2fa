/* Half of a comparison with PyTorch's gradcheck (the other half is opinfo.py): functions come in as text, one statement
 * a line, and are checked as they are and with the gradient of their first leaf spoilt.
 *
 *   leaf NDIM SIZES... VALUES...         the next value: a leaf that requires a gradient
 *   const f|i|b NDIM SIZES... VALUES...  floating, integer, bool
 *   OP ...                               an operation on earlier values: its arguments in the order of core/tapegrad.h,
 *                                        -1 for the null tensor, lists with their length first
 *   operations                           print their names and types (tests/operations.h), on one line
 *   value K | gradients K                print value K; run backward from its sum and print every leaf's gradient
 *   check K MODE SPOIL                   check value K (mode 0 full, 1 fast; spoil 0: none): prints verdict, summary
 *   end                                  forget everything */
#include "core/engine.h"
#include "examples/common/output.h"
#include "tests/operations.h"

#include <stdlib.h>

enum { MOST = 4096 };

static struct {
    tg_tape *t;
    tg_tensor x[MOST];
    int n;
    uint32_t spoilt; /* the node that passes the first leaf on, or UINT32_MAX */
} program;

/* ---- reading ---- */

static char *word(void) { return strtok(NULL, " \n"); }

static int64_t integer(void) {
    const char *s = word();
    if (!s)
        exit(EXIT_FAILURE);
    return strtoll(s, NULL, 10);
}

static double number(void) {
    const char *s = word();
    if (!s)
        exit(EXIT_FAILURE);
    return strtod(s, NULL);
}

static tg_tensor value(void) {
    int64_t i = integer();
    return i < 0 ? TG_NULL : program.x[i];
}

static tg_shape shape(void) {
    tg_shape s = {.ndim = (int)integer()};
    for (int i = 0; i < s.ndim; i++)
        s.size[i] = integer();
    return s;
}

/* Those named; none: all. */
static tg_dims dims(void) {
    tg_dims d = {.ndim = (int)integer()};
    for (int i = 0; i < d.ndim; i++)
        d.dim[i] = (int)integer();
    return d;
}

static tg_tensor leaf(char type) {
    tg_shape s = shape();
    int64_t n = tg_shape_numel(&s);
    double *values = calloc((size_t)n + 1, sizeof *values);
    int64_t *ints = calloc((size_t)n + 1, sizeof *ints);
    bool *bools = calloc((size_t)n + 1, sizeof *bools);
    if (!values || !ints || !bools)
        exit(EXIT_FAILURE);
    for (int64_t i = 0; i < n; i++) {
        values[i] = number();
        ints[i] = isfinite(values[i]) ? (int64_t)values[i] : 0;
        bools[i] = values[i] != 0;
    }
    tg_tensor x = type == 'i'   ? tg_from_ints(program.t, s, ints)
                  : type == 'b' ? tg_from_bools(program.t, s, bools)
                                : tg_from_doubles(program.t, s, values);
    free(values);
    free(ints);
    free(bools);
    return x;
}

/* ---- operations ---- */

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static void read_list(arguments *a) {
    a->n = (int)integer();
    if (a->n > MAX_TENSORS)
        exit(EXIT_FAILURE);
    for (int i = 0; i < a->n; i++)
        a->x[i] = value();
}

/* One of the table. Arguments are read in the order in which the public functions have them. */
static tg_tensor operation_of(const char *name) {
    const operation *o = operation_named(name);
    arguments a = default_arguments();
    int n_x = 0, n_d = 0, n_i = 0;
    if (!o) {
        fprintf(stderr, "opinfo: no operation %s\n", name);
        exit(EXIT_FAILURE);
    }
    for (const char *type = o->types; *type; type++)
        switch (*type) {
        case 'x': a.x[n_x++] = value(); break;
        case 'p': read_list(&a); break;
        case 'd': a.d[n_d++] = number(); break;
        case 'i': a.i[n_i++] = integer(); break;
        case 'b': a.flag = integer(); break;
        case 'D': a.dims = dims(); break;
        case 'S': a.shape = shape(); break;
        case 'r': a.reduction = (tg_reduction)integer(); break;
        default: break;
        }
    return o->call(&a);
}

/* ---- a spoilt gradient ---- */

/* As in opinfo.py. */
enum { NONE, SCALED, SLIGHTLY, NEGATED, OFFSET, ONE_ELEMENT, ZERO, TURNED, NO_TAIL };

static int spoil;

static double spoilt(const double *g, int64_t n, int64_t rows, int64_t i) {
    switch (spoil) {
    case SCALED: return 1.01 * g[i];
    case SLIGHTLY: return 1.0001 * g[i];
    case NEGATED: return -g[i];
    case OFFSET: return g[i] + 1e-3;
    case ONE_ELEMENT: return i == n / 2 ? 1.01 * g[i] : g[i];
    case ZERO: return 0;
    case TURNED: return rows ? g[i / (rows * rows) * rows * rows + i % rows * rows + i / rows % rows] : g[n - 1 - i];
    default: return i == n - 1 ? 0 : g[i];
    }
}

/* The VJP of y = x, and wrong. */
static tg_status spoilt_vjp(tg_node *y) {
    tg_node *x = y->in[0];
    const double *g = y->grad;
    bool square = x->ndim >= 2 && x->size[x->ndim - 1] == x->size[x->ndim - 2];
    tg_slot slot = tg_grad_dense(y, 0);
    double *dx = slot.data;
    if (!dx)
        return tg_tape_status(y->tape);
    tg_grad_clear(&slot);
    for (int64_t i = 0; i < x->numel; i++)
        dx[i] += spoilt(g, x->numel, square ? x->size[x->ndim - 1] : 0, i);
    tg_grad_close(&slot);
    return TG_OK;
}

static void check(void) {
    tg_tensor y = value();
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    tg_gradcheck_result r;
    config.mode = (tg_gradcheck_mode)integer();
    spoil = (int)integer();
    tg_node *copy = program.t->nodes[program.spoilt];
    const tg_op *right = copy->op;
    tg_op wrong = *right;
    wrong.vjp[TG_F64] = spoilt_vjp;
    copy->op = spoil ? &wrong : right;
    tg_status status = tg_gradcheck(y, config, &r);
    copy->op = right;
    const char *const words[] = {"RIGHT", "KINK", "CANNOT_TELL", "WRONG"};
    bool refused = status && (status != TG_ERR_NUMERIC || (r.verdict == TG_GRAD_CANNOT_TELL && !r.cannot_tell));
    const char *reason = r.n_rows && r.row[0].reason ? r.row[0].reason : "";
    printf("%s %s%s%s\n", refused ? "REFUSED" : words[r.verdict], refused ? tg_error(program.t) : r.summary,
           *reason ? ": " : "", reason);
    tg_clear_error(program.t);
}

/* ---- printing ---- */

static void print_numbers(tg_tensor x) {
    int64_t n = tg_numel(x);
    double *values = calloc((size_t)n + 1, sizeof *values);
    tg_tensor whole = tg_to_float(x);
    if (!values || tg_read_doubles(whole, values, n))
        printf("error %s", tg_error(program.t));
    else
        for (int64_t i = 0; i < n; i++)
            printf("%.17g ", values[i]);
    printf("\n");
    free(values);
}

static void print_gradients(void) {
    tg_tensor y = value(), sum = tg_sum(y, TG_ALL_DIMS, false);
    tg_zero_grads(program.t);
    if (tg_backward(sum))
        printf("error %s", tg_error(program.t));
    for (uint32_t i = 0; i < program.t->count && !program.t->status; i++) {
        const tg_node *x = program.t->nodes[i];
        for (int64_t j = 0; !x->op && x->requires_grad && j < x->numel; j++)
            printf("%.17g ", x->has_grad ? ((const double *)x->grad)[j] : 0);
    }
    printf("\n");
    tg_clear_error(program.t);
}

static void print_operations(void) {
    for (int i = 0; i < n_operations; i++)
        printf("%s %s%s", operations[i].name, operations[i].types, i + 1 < n_operations ? " " : "\n");
}

static void add(tg_tensor x) {
    if (program.n == MOST)
        exit(EXIT_FAILURE);
    program.x[program.n++] = x;
}

static void start(void) {
    tg_tape_free(program.t);
    program.t = tg_tape_new(TG_F64);
    program.n = 0;
    program.spoilt = UINT32_MAX;
    if (!program.t)
        exit(EXIT_FAILURE);
}

/* The first leaf goes through a copy, whose gradient can be spoilt. */
static void add_leaf(void) {
    tg_tensor x = tg_set_requires_grad(leaf('f'), true);
    if (program.spoilt == UINT32_MAX) {
        x = tg_clone(x);
        program.spoilt = x.index;
    }
    add(x);
}

static void run(char *line) {
    const char *what = strtok(line, " \n");
    if (!what)
        return;
    if (is(what, "leaf"))
        add_leaf();
    else if (is(what, "const")) {
        const char *type = word();
        add(leaf(type ? *type : 'f'));
    } else if (is(what, "value"))
        print_numbers(value());
    else if (is(what, "gradients"))
        print_gradients();
    else if (is(what, "check"))
        check();
    else if (is(what, "operations"))
        print_operations();
    else if (is(what, "end"))
        start();
    else
        add(operation_of(what));
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    start();
    while (getline(&line, &size, stdin) > 0) {
        run(line);
        fflush(stdout);
    }
    free(line);
    tg_tape_free(program.t);
    return output_end("opinfo", EXIT_SUCCESS);
}
