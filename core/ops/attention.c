/* scaled_dot_product_attention: y = (P D) v, P = softmax(q k^T scale + mask) for each query (Vaswani et al. 2017,
 * eq. 1), D the dropout's mask. The gradients' formulas are in core/kernels/attention.c. */
#include "core/kernels/attention.h"

/* The variants of published models. */
static tg_tensor probe_with(tg_tape *t, int variant) {
    static const int64_t documents[] = {4, 7, 7, 7, 4, 4, 7, 4};
    tg_tensor q = tg_probe_leaf(t, TG_SHAPE(2, 4, 2)), k = tg_probe_leaf(t, TG_SHAPE(1, 4, 2));
    tg_tensor v = tg_probe_leaf(t, TG_SHAPE(1, 4, 1)), heads = tg_probe_leaf(t, TG_SHAPE(2));
    tg_attention_config c = {.mask = TG_NULL, .enable_gqa = true, .causal = variant % 2 == 0};
    switch (variant) {
    case 0: break;
    case 1: c.dropout_p = 0.3; break;
    case 2:
    case 3: c.window = 2; break;
    case 4:
    case 5: c.softcap = 1.5; break;
    case 6:
    case 7: c.alibi = tg_abs(tg_set_requires_grad(heads, false)); break;
    case 8:
    case 9: c.sinks = heads; break;
    case 10: c.documents = tg_from_ints(t, TG_SHAPE(4), documents); break;
    case 11: /* all of them, and leading dims that broadcast */
        q = tg_probe_leaf(t, TG_SHAPE(2, 2, 4, 2));
        c.documents = tg_from_ints(t, TG_SHAPE(2, 4), documents);
        c.mask = tg_probe_leaf(t, TG_SHAPE(4));
        c.softcap = 2;
        c.sinks = heads;
        c.window = 3;
        break;
    case 12: /* the last two queries */
        q = tg_slice(q, 1, 2, 4, 1);
        c.offset = 2;
        c.window = 3;
        break;
    default: return TG_NULL;
    }
    return tg_scaled_dot_product_attention_with(q, k, v, c);
}

static tg_tensor probe(tg_tape *t, int variant) {
    static const bool allowed[] = {1, 0, 1, 0, 0, 0, 1, 1, 0}; /* the second query sees nothing */
    tg_tensor q = tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), k = tg_probe_leaf(t, TG_SHAPE(2, 3, 4)), none = TG_NULL;
    tg_tensor v = tg_probe_leaf(t, TG_SHAPE(2, 3, 2)), square = tg_from_bools(t, TG_SHAPE(3, 3), allowed);
    switch (variant) {
    case 0: return tg_scaled_dot_product_attention(q, k, v, none, false, 0, 0);
    case 1: return tg_scaled_dot_product_attention(q, k, v, none, true, 0, 0.7);
    case 2: return tg_scaled_dot_product_attention(q, k, v, square, false, 0, 0);
    case 3: return tg_scaled_dot_product_attention(q, k, v, tg_probe_leaf(t, TG_SHAPE(3)), true, 0, 0);
    case 4: return tg_scaled_dot_product_attention(q, k, v, tg_probe_leaf(t, TG_SHAPE(2, 3, 1)), false, 0.4, 0);
    case 5: return tg_scaled_dot_product_attention(q, q, q, square, true, 0.5, 0);
    case 6:
        q = tg_transpose(tg_reshape(q, TG_SHAPE(3, 2, 2, 2)), 1, 2);
        k = tg_transpose(tg_reshape(k, TG_SHAPE(3, 4, 2, 1)), 1, 2);
        return tg_scaled_dot_product_attention(q, tg_expand(k, TG_SHAPE(3, 2, 4, 2)),
                                               tg_expand(k, TG_SHAPE(3, 2, 4, 3)),
                                               tg_transpose(tg_probe_leaf(t, TG_SHAPE(4, 2)), 0, 1), false, 0, 0);
    case 7:
        return tg_scaled_dot_product_attention(q, tg_slice(k, 1, 0, 0, 1), tg_slice(v, 1, 0, 0, 1), none, false, 0, 0);
    case 8: return tg_scaled_dot_product_attention(tg_slice(q, 1, 0, 1, 1), k, v, none, false, 1, 0);
    case 9:
        return tg_scaled_dot_product_attention(tg_select(q, 0, 0), tg_select(k, 0, 1), tg_select(v, 0, 1), none, false,
                                               0, 0);
    default: return probe_with(t, variant - 10);
    }
}

enum { EVERYTHING = TG_IN_ALL | TG_OUT };

/* The pairs of query and key that causal and window allow; masks and documents are ignored. */
static double pairs_of(const tg_attention *a) {
    double pairs = 0;
    if (!a->causal && !a->window)
        return (double)a->T * (double)a->S;
    for (int64_t i = 0; i < a->T; i++)
        pairs += (double)(tg_attention_near(a, i).end - tg_attention_near(a, i).from);
    return pairs;
}

/* Each visible pair costs 2 d for its score and 2 dv for y; backward 2 dv for dP and 2 d for dq, 2 d for dk, 2 dv for
 * dv, 1 for dmask. */
static double flops(const tg_node *y, int i) {
    const tg_attention *a = y->attr;
    double d = 2 * (double)a->d, dv = 2 * (double)a->dv;
    if (!a->batches || d + dv == 0) /* without elements T may be any number */
        return 0;
    return (double)a->batches * pairs_of(a) * (i <= 0 ? d + dv : i == 1 ? d : i == 2 ? dv : 1);
}

const tg_op tg_op_attention = {.name = "scaled_dot_product_attention",
                               .cancels = true,
                               .forward = TG_BOTH(tg_attention_forward),
                               .vjp = TG_BOTH(tg_attention_vjp),
                               .needs = {EVERYTHING, EVERYTHING, EVERYTHING & ~(TG_IN(2) | TG_OUT), EVERYTHING},
                               .flops = flops,
                               .grad = tg_attention_grad,
                               .probe = probe};

/* ---- the operands ---- */

/* The leading dims, which broadcast: all but the last `kept`. */
static tg_shape leading(const tg_node *x, int kept) {
    tg_shape s = tg_shape_from(x);
    s.ndim -= kept;
    return s;
}

static bool is_same(const tg_shape *a, const tg_shape *b) {
    return a->ndim == b->ndim && memcmp(a->size, b->size, (size_t)a->ndim * sizeof a->size[0]) == 0;
}

/* The message for the first two sizes of q, k and v that do not match; NULL: all do. */
typedef struct misfit {
    const char *format;
    int64_t a, b;
} misfit;

/* In the last dims. */
static misfit misfit_of_last_dims(tg_node *const *in, bool gqa) {
    static const char *const few[] = {"q has %lld dims, but must have %lld or more",
                                      "k has %lld dims, but must have %lld or more",
                                      "v has %lld dims, but must have %lld or more"};
    for (int i = 0; i < 3; i++)
        if (in[i]->ndim < (gqa ? 3 : 2))
            return (misfit){few[i], in[i]->ndim, gqa ? 3 : 2};
    const int64_t *q = in[0]->size + in[0]->ndim, *k = in[1]->size + in[1]->ndim, *v = in[2]->size + in[2]->ndim;
    if (q[-1] != k[-1])
        return (misfit){"d is %lld in q, but %lld in k", q[-1], k[-1]};
    if (k[-2] != v[-2])
        return (misfit){"S is %lld in k, but %lld in v", k[-2], v[-2]};
    if (gqa && k[-3] != v[-3])
        return (misfit){"k has %lld heads, but v has %lld", k[-3], v[-3]};
    if (gqa && q[-3] != k[-3] && (k[-3] == 0 || q[-3] % k[-3] != 0))
        return (misfit){"the %lld heads of q are no multiple of the %lld of k", q[-3], k[-3]};
    return (misfit){0};
}

/* Between two shapes, aligned at the last dim. */
static misfit misfit_of_leading(const tg_shape *a, const tg_shape *b) {
    for (int i = 1; i <= a->ndim && i <= b->ndim; i++) {
        int64_t m = a->size[a->ndim - i], n = b->size[b->ndim - i];
        if (m != n && m != 1 && n != 1)
            return (misfit){"leading sizes %lld and %lld do not broadcast", m, n};
    }
    return (misfit){0};
}

/* *lead: the broadcast leading dims of the three. */
static misfit misfit_of(tg_node *const *in, bool gqa, tg_shape *lead) {
    misfit m = misfit_of_last_dims(in, gqa);
    if (!m.format)
        *lead = leading(in[0], gqa ? 3 : 2);
    for (int i = 1; i < 3 && !m.format; i++) {
        tg_shape so_far = *lead, own = leading(in[i], gqa ? 3 : 2);
        m = misfit_of_leading(&so_far, &own);
        tg_broadcast(&so_far, &own, lead);
    }
    return m;
}

static void say_misfit(tg_tape *t, tg_node *const *in, bool gqa, misfit m) {
    char text[112];
    snprintf(text, sizeof text, m.format, (long long)m.a, (long long)m.b);
    tg_fail(t, TG_ERR_SHAPE,
            gqa ? "%s: q %s, k %s, v %s: %s; they must be (..., n heads, T, d), (..., heads, S, d) and "
                  "(..., heads, S, dv)"
                : "%s: q %s, k %s, v %s: %s; they must be (..., T, d), (..., S, d) and (..., S, dv)",
            tg_op_attention.name, tg_node_text(in[0]).s, tg_node_text(in[1]).s, tg_node_text(in[2]).s, text);
}

/* Expands x to these leading dims. */
static bool expand_to(tg_node **x, const tg_shape *lead, int kept) {
    tg_shape own = leading(*x, kept), shape = *lead;
    if (is_same(&own, lead))
        return true;
    for (int i = (*x)->ndim - kept; i < (*x)->ndim; i++)
        shape.size[shape.ndim++] = (*x)->size[i];
    tg_tensor y = tg_expand(tg_handle(*x), shape);
    *x = tg_is_null(y) ? NULL : tg_resolve(tg_op_attention.name, y);
    return *x;
}

/* True when the leading dims match without expansion. */
static bool fit_already(tg_node *const *in, bool gqa) {
    const tg_node *q = in[0], *k = in[1], *v = in[2];
    if (k->ndim != q->ndim || v->ndim != q->ndim || misfit_of_last_dims(in, gqa).format)
        return false;
    for (int i = q->ndim - (gqa ? 4 : 3); i >= 0; i--)
        if (k->size[i] != q->size[i] || v->size[i] != q->size[i])
            return false;
    return true;
}

/* Give q, k and v the same leading dims. */
static bool broadcast(tg_tape *t, tg_node **in, bool gqa) {
    if (fit_already(in, gqa))
        return true;
    tg_shape lead = TG_SCALAR;
    int kept = gqa ? 3 : 2;
    misfit m = misfit_of(in, gqa, &lead);
    if (m.format) {
        say_misfit(t, in, gqa, m);
        return false;
    }
    return expand_to(&in[0], &lead, kept) && expand_to(&in[1], &lead, kept) && expand_to(&in[2], &lead, kept);
}

static bool mask_fits(const tg_node *mask, const tg_shape *scores) {
    tg_shape m = tg_shape_from(mask), both;
    return m.ndim <= scores->ndim && tg_broadcast(&m, scores, &both) && is_same(&both, scores);
}

/* False after tg_fail unless x has a number for each head. */
static bool heads_fit(tg_tape *t, const char *what, const tg_node *x, const tg_shape *scores) {
    int64_t heads = scores->ndim > 2 ? scores->size[scores->ndim - 3] : 1;
    if (!x || (x->ndim == 1 && x->size[0] == heads))
        return true;
    tg_fail(t, TG_ERR_SHAPE, "%s: %s is %s, but must be (%lld,): a number for each head of q", tg_op_attention.name,
            what, tg_node_text(x).s, (long long)heads);
    return false;
}

static bool documents_fit(tg_tape *t, const tg_node *x, const tg_shape *scores, int64_t offset) {
    int64_t T = scores->size[scores->ndim - 2], S = scores->size[scores->ndim - 1];
    if (!x)
        return true;
    bool one = x->ndim == 1, each = x->ndim == 2 && scores->ndim > 2 && x->size[0] == scores->size[0];
    if (!(one || each) || x->size[x->ndim - 1] != S)
        tg_fail(t, TG_ERR_SHAPE, "%s: documents %s must be (S), or (N, S) with q's first size N; the scores are %s",
                tg_op_attention.name, tg_node_text(x).s, tg_shape_text(scores).s);
    else if (T > S - offset)
        tg_fail(t, TG_ERR_SHAPE, "%s: with documents every query must be one of the keys: %lld from %lld on of %lld",
                tg_op_attention.name, (long long)T, (long long)offset, (long long)S);
    return !tg_tape_status(t);
}

/* True when the operands beside q, k and v fit the scores. */
static bool others_fit(tg_tape *t, tg_node *const *in, int n_in, int64_t offset) {
    tg_shape scores = tg_shape_from(in[0]);
    scores.size[scores.ndim - 1] = in[1]->size[in[1]->ndim - 2];
    if (in[3] && !mask_fits(in[3], &scores)) {
        tg_fail(t, TG_ERR_SHAPE, "%s: mask %s does not broadcast to %s, the shape of q k^T", tg_op_attention.name,
                tg_node_text(in[3]).s, tg_shape_text(&scores).s);
        return false;
    }
    return n_in == TG_ALIBI ||
           (heads_fit(t, "alibi", in[TG_ALIBI], &scores) && heads_fit(t, "sinks", in[TG_SINKS], &scores) &&
            documents_fit(t, in[TG_DOCUMENTS], &scores, offset));
}

static bool numbers_are_valid(tg_tape *t, const tg_attention_config *c, int64_t S) {
    const char *name = tg_op_attention.name;
    if (!(c->dropout_p >= 0 && c->dropout_p <= 1))
        tg_fail(t, TG_ERR_ARGUMENT, "%s: dropout_p = %g: a probability is from 0 to 1", name, c->dropout_p);
    else if (!(c->softcap >= 0 && c->softcap < INFINITY))
        tg_fail(t, TG_ERR_ARGUMENT, "%s: softcap = %g must be positive, or 0 for none", name, c->softcap);
    else if (c->window < 0)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: window = %lld must be positive, or 0 for none", name, (long long)c->window);
    else if (c->offset < 0 || c->offset > S || c->offset > INT64_MAX / 4)
        tg_fail(t, TG_ERR_ARGUMENT, "%s: offset = %lld is not in 0 .. %lld, the number of keys", name,
                (long long)c->offset, (long long)S);
    else
        return true;
    return false;
}

/* x: n_in operands: q, k, v and optional ones. */
static tg_tape *open_attention(const tg_tensor *x, int n_in, const tg_attention_config *c, tg_node **in) {
    const tg_node *mask = x[3].tape == x[0].tape ? tg_resolve(tg_op_attention.name, x[3]) : NULL;
    const char *kinds = mask && mask->dtype == TG_BOOL ? "fffBFFI" : "fffFFFI";
    tg_tape *t = tg_open(tg_op_attention.name, kinds, n_in, x, in);
    if (!t || !broadcast(t, in, c->enable_gqa) || !numbers_are_valid(t, c, in[1]->size[in[1]->ndim - 2]))
        return NULL;
    if ((in[3] || n_in > TG_ALIBI) && !others_fit(t, in, n_in, c->offset))
        return NULL;
    return t;
}

static void set_attributes(tg_attention *a, tg_node *const *in, const tg_attention_config *c, double p) {
    const tg_node *q = in[0], *k = in[1], *v = in[2];
    int n = q->ndim;
    a->batches = a->group = 1;
    for (int i = 0; i < n - 2; i++)
        a->batches *= q->size[i];
    if (c->enable_gqa && q->size[n - 3])
        a->group = q->size[n - 3] / k->size[n - 3];
    a->T = q->size[n - 2];
    a->S = k->size[n - 2];
    a->d = q->size[n - 1];
    a->dv = v->size[n - 1];
    a->offset = c->offset;
    a->window = tg_min(c->window, INT64_MAX / 4);
    a->scale = c->scale != 0 ? c->scale : a->d ? 1 / sqrt((double)a->d) : 1;
    a->softcap = c->softcap;
    a->p = p;
    a->causal = c->causal;
    a->limited = c->causal || c->window || c->documents.tape;
}

static tg_tensor attend(const tg_tensor *x, int n_in, const tg_attention_config *c) {
    tg_node *in[TG_ATTENTION_INPUTS];
    tg_tape *t = open_attention(x, n_in, c, in);
    if (!t)
        return TG_NULL;
    tg_shape shape = tg_shape_from(in[0]);
    shape.size[shape.ndim - 1] = in[2]->size[in[2]->ndim - 1];
    double p = t->modes.training ? c->dropout_p : 0;
    size_t attr_size = sizeof(tg_attention) + (p > 0 ? sizeof(tg_rng_state) : 0);
    tg_node *y = tg_node_new(t, &tg_op_attention, n_in, in, &shape, tg_tape_dtype(t), attr_size);
    if (!y)
        return TG_NULL;
    tg_attention *a = y->attr;
    set_attributes(a, in, c, p);
    if (n_in > TG_ALIBI && in[TG_ALIBI])
        tg_without_grad(y, TG_ALIBI);
    a->keeps =
        y->requires_grad && p == 0 && a->softcap == 0 && a->d + a->dv >= TG_ATTENTION_WIDE && a->S <= a->d + a->dv;
    return tg_node_save(y, a->batches * a->T * (a->keeps ? 2 + a->S : 2)) ? tg_record(y) : TG_NULL;
}

/* PyTorch: F.scaled_dot_product_attention(q, k, v) */
tg_tensor tg_scaled_dot_product_attention_with(tg_tensor q, tg_tensor k, tg_tensor v, tg_attention_config config) {
    const tg_tensor x[] = {q, k, v, config.mask, config.alibi, config.sinks, config.documents};
    bool more = !tg_is_null(config.alibi) || !tg_is_null(config.sinks) || !tg_is_null(config.documents);
    return attend(x, more ? TG_ATTENTION_INPUTS : TG_ALIBI, &config);
}

/* PyTorch: F.scaled_dot_product_attention(q, k, v, mask, dropout_p, causal) */
tg_tensor tg_scaled_dot_product_attention(tg_tensor q, tg_tensor k, tg_tensor v, tg_tensor mask, bool causal,
                                          double dropout_p, double scale) {
    const tg_attention_config config = {.causal = causal, .dropout_p = dropout_p, .scale = scale};
    const tg_tensor x[] = {q, k, v, mask};
    return attend(x, TG_ALIBI, &config);
}
