/* Half of a comparison with PyTorch's gradcheck (the other half is opinfo.py): functions come in as text, one statement
 * a line, and are checked as they are and with the gradient of their first leaf spoilt.
 *
 *   leaf NDIM SIZES... VALUES...         the next value: a leaf that requires a gradient
 *   const f|i|b NDIM SIZES... VALUES...  floating, integer, bool
 *   OP ...                               an operation on earlier values, see the tables below
 *   value K | gradients K                print value K; run backward from its sum and print every leaf's gradient
 *   check K MODE SPOIL                   check value K (mode 0 full, 1 fast; spoil 0: none): prints verdict, summary
 *   end                                  forget everything */
#include "core/engine.h"
#include "examples/common/output.h"

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

static const struct {
    const char *name;
    tg_tensor (*call)(tg_tensor);
} unary[] = {
    {"abs", tg_abs},
    {"neg", tg_neg},
    {"exp", tg_exp},
    {"log", tg_log},
    {"log1p", tg_log1p},
    {"expm1", tg_expm1},
    {"sqrt", tg_sqrt},
    {"rsqrt", tg_rsqrt},
    {"sin", tg_sin},
    {"cos", tg_cos},
    {"erf", tg_erf},
    {"square", tg_square},
    {"tanh", tg_tanh},
    {"sigmoid", tg_sigmoid},
    {"relu", tg_relu},
    {"softplus", tg_softplus},
    {"silu", tg_silu},
    {"gelu", tg_gelu},
    {"gelu_tanh", tg_gelu_tanh},
    {"isnan", tg_isnan},
    {"logical_not", tg_logical_not},
    {"to_bool", tg_to_bool},
    {"to_float", tg_to_float},
    {"clone", tg_clone},
};
static const struct {
    const char *name;
    tg_tensor (*call)(tg_tensor, tg_tensor);
} binary[] = {
    {"add", tg_add},
    {"sub", tg_sub},
    {"mul", tg_mul},
    {"div", tg_div},
    {"maximum", tg_maximum},
    {"minimum", tg_minimum},
    {"pow_tensor", tg_pow_tensor},
    {"matmul", tg_matmul},
    {"eq", tg_eq},
    {"ne", tg_ne},
    {"lt", tg_lt},
    {"le", tg_le},
    {"gt", tg_gt},
    {"ge", tg_ge},
    {"logical_and", tg_logical_and},
    {"logical_or", tg_logical_or},
    {"embedding", tg_embedding},
};
static const struct {
    const char *name;
    tg_tensor (*call)(tg_tensor, double);
} scalar[] = {
    {"add_scalar", tg_add_scalar},
    {"sub_scalar", tg_sub_scalar},
    {"mul_scalar", tg_mul_scalar},
    {"div_scalar", tg_div_scalar},
    {"pow", tg_pow},
    {"leaky_relu", tg_leaky_relu},
    {"elu", tg_elu},
};
static const struct {
    const char *name;
    tg_tensor (*call)(tg_tensor, tg_dims, bool);
} reduction[] = {
    {"sum", tg_sum},   {"mean", tg_mean},           {"amax", tg_amax}, {"amin", tg_amin},
    {"prod", tg_prod}, {"logsumexp", tg_logsumexp}, {"any", tg_any},   {"all", tg_all},
};
static const struct {
    const char *name;
    tg_tensor (*call)(tg_tensor, tg_tensor, tg_reduction);
} loss[] = {
    {"mse_loss", tg_mse_loss},
    {"l1_loss", tg_l1_loss},
    {"bce_with_logits", tg_bce_with_logits},
    {"kl_div", tg_kl_div},
};
#define COUNT(table) (sizeof table / sizeof *table)

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static tg_tensor joined(bool stacked) {
    tg_tensor part[256];
    int dim = (int)integer(), n = (int)integer();
    for (int i = 0; i < n && i < 256; i++)
        part[i] = value();
    return stacked ? tg_stack(part, n, dim) : tg_cat(part, n, dim);
}

/* Arguments are read in the order in which the public functions have them. */
static tg_tensor special(const char *op) {
    tg_tensor x, y, z;
    double a, b;
    int64_t i, j, k;
    if (is(op, "cat") || is(op, "stack"))
        return joined(is(op, "stack"));
    x = value();
    if (is(op, "rsub_scalar") || is(op, "rdiv_scalar")) {
        a = number();
        return is(op, "rsub_scalar") ? tg_rsub_scalar(a, x) : tg_rdiv_scalar(a, x);
    }
    if (is(op, "reshape"))
        return tg_reshape(x, shape());
    if (is(op, "expand"))
        return tg_expand(x, shape());
    if (is(op, "repeat"))
        return tg_repeat(x, shape());
    if (is(op, "permute"))
        return tg_permute(x, dims());
    if (is(op, "flip"))
        return tg_flip(x, dims());
    if (is(op, "clamp")) {
        a = number();
        b = number();
        return tg_clamp(x, a, b);
    }
    if (is(op, "softmax"))
        return tg_softmax(x, (int)integer());
    if (is(op, "log_softmax"))
        return tg_log_softmax(x, (int)integer());
    if (is(op, "cumsum"))
        return tg_cumsum(x, (int)integer());
    if (is(op, "tril"))
        return tg_tril(x, integer());
    if (is(op, "triu"))
        return tg_triu(x, integer());
    if (is(op, "unsqueeze"))
        return tg_unsqueeze(x, (int)integer());
    if (is(op, "squeeze"))
        return tg_squeeze(x, (int)integer());
    if (is(op, "var") || is(op, "std")) {
        a = number();
        k = integer();
        tg_dims d = dims();
        return is(op, "var") ? tg_var(x, d, a, k) : tg_std(x, d, a, k);
    }
    if (is(op, "norm")) {
        a = number();
        k = integer();
        return tg_norm(x, a, dims(), k);
    }
    if (is(op, "sort") || is(op, "max_dim") || is(op, "min_dim")) {
        i = integer();
        k = integer();
        return is(op, "sort")      ? tg_sort(x, (int)i, k, NULL)
               : is(op, "max_dim") ? tg_max_dim(x, (int)i, k, NULL)
                                   : tg_min_dim(x, (int)i, k, NULL);
    }
    if (is(op, "topk")) {
        i = integer();
        j = integer();
        return tg_topk(x, i, (int)j, integer(), NULL);
    }
    if (is(op, "slice")) {
        k = integer();
        i = integer();
        j = integer();
        return tg_slice(x, (int)k, i, j, integer());
    }
    if (is(op, "select") || is(op, "roll")) {
        i = integer();
        j = integer();
        return is(op, "select") ? tg_select(x, (int)i, j) : tg_roll(x, i, (int)j);
    }
    if (is(op, "index_select") || is(op, "gather")) {
        k = integer();
        y = value();
        return is(op, "gather") ? tg_gather(x, (int)k, y) : tg_index_select(x, (int)k, y);
    }
    if (is(op, "index_add") || is(op, "scatter_add")) {
        k = integer();
        y = value();
        z = value();
        return is(op, "index_add") ? tg_index_add(x, (int)k, y, z) : tg_scatter_add(x, (int)k, y, z);
    }
    y = value();
    if (is(op, "where"))
        return tg_where(x, y, value());
    if (is(op, "masked_fill"))
        return tg_masked_fill(x, y, number());
    if (is(op, "rms_norm"))
        return tg_rms_norm(x, y, number());
    z = value();
    if (is(op, "clamp_tensor"))
        return tg_clamp_tensor(x, y, z);
    if (is(op, "linear"))
        return tg_linear(x, y, z);
    if (is(op, "layer_norm"))
        return tg_layer_norm(x, y, z, number());
    if (is(op, "attention")) {
        tg_tensor mask = value();
        k = integer();
        return tg_scaled_dot_product_attention(x, y, z, mask, k, 0, number());
    }
    fprintf(stderr, "opinfo: no operation %s\n", op);
    exit(EXIT_FAILURE);
}

static tg_tensor operation(const char *op) {
    for (size_t i = 0; i < COUNT(unary); i++)
        if (is(op, unary[i].name))
            return unary[i].call(value());
    for (size_t i = 0; i < COUNT(binary); i++)
        if (is(op, binary[i].name)) {
            tg_tensor a = value();
            return binary[i].call(a, value());
        }
    for (size_t i = 0; i < COUNT(scalar); i++)
        if (is(op, scalar[i].name)) {
            tg_tensor a = value();
            return scalar[i].call(a, number());
        }
    for (size_t i = 0; i < COUNT(reduction); i++)
        if (is(op, reduction[i].name)) {
            tg_tensor a = value();
            bool keepdim = integer();
            return reduction[i].call(a, dims(), keepdim);
        }
    for (size_t i = 0; i < COUNT(loss); i++)
        if (is(op, loss[i].name)) {
            tg_tensor a = value(), b = value();
            return loss[i].call(a, b, (tg_reduction)integer());
        }
    return special(op);
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
    else if (is(what, "end"))
        start();
    else
        add(operation(what));
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
