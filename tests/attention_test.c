/* Fused attention gives what its composition from other operations gives, for every kernel, mask, layout and number of
 * threads. */
#include "core/kernels/isa.h"
#include "tests/support.h"

static uint64_t random_state = 1;

static double uniform(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

/* ---- cases ---- */

typedef enum { NO_MASK, BOOLS, FLOATS, FLOATS_OF_KEYS } mask_kind;

/* APART: a tensor each; IN_ONE: slices of one (B, T, 3 H d), as a layer makes them; TURNED: (B, H, d, T) transposed;
 * SAME: one tensor for all three; SHIFTED: rows of one tensor, those of k and v each begun SHIFT later. */
typedef enum { APART, IN_ONE, TURNED, SAME, SHIFTED } layout;
enum { SHIFT = 100 };

typedef struct attention_case {
    int64_t B, H, T, S, d, dv;
    bool causal;
    mask_kind mask;
    layout lies;
    double p, scale;
    int64_t group, window, offset; /* group 0: 1 */
    double softcap;
    bool alibi, sinks, documents;
} attention_case;

static const attention_case cases[] = {
    {2, 2, 6, 6, 3, 2, true, NO_MASK, APART, 0, .scale = 0},
    {1, 3, 64, 64, 32, 32, true, NO_MASK, APART, 0, .scale = 0},
    {2, 3, 64, 64, 32, 32, true, NO_MASK, IN_ONE, 0, .scale = 0},
    {1, 2, 65, 65, 20, 20, false, NO_MASK, IN_ONE, 0, .scale = 0.3},
    {1, 1, 1, 300, 16, 16, false, NO_MASK, APART, 0, .scale = 0},
    {1, 2, 300, 5, 20, 7, false, NO_MASK, APART, 0, .scale = 0},
    {1, 2, 300, 5, 20, 7, true, NO_MASK, APART, 0, .scale = 0},
    {1, 1, 70, 600, 33, 17, true, NO_MASK, TURNED, 0, .scale = 0},
    {1, 1, 600, 600, 8, 5, true, NO_MASK, APART, 0, .scale = -0.4},
    {1, 2, 257, 300, 16, 24, false, BOOLS, APART, 0, .scale = 0},
    {2, 2, 70, 70, 12, 12, true, BOOLS, IN_ONE, 0, .scale = 0},
    {2, 2, 67, 130, 9, 10, false, FLOATS, TURNED, 0, .scale = 0},
    {2, 2, 67, 130, 9, 10, true, FLOATS, APART, 0, .scale = 0},
    {2, 2, 67, 130, 9, 10, true, FLOATS_OF_KEYS, APART, 0, .scale = 0},
    {1, 2, 300, 300, 10, 10, true, NO_MASK, SAME, 0, .scale = 0},
    {1, 2, 300, 300, 10, 10, false, FLOATS, SAME, 0, .scale = 0},
    {1, 1, 40, 30, 300, 310, false, NO_MASK, APART, 0, .scale = 0},
    {1, 1, 20, 20, 1100, 1000, true, BOOLS, TURNED, 0, .scale = 0},
    {1, 1, 300, 20, 1030, 1030, true, FLOATS, APART, 0, .scale = 0},
    {1, 1, 20, 20, 1030, 1030, false, NO_MASK, SAME, 0, .scale = 0},
    {2, 2, 33, 33, 16, 16, true, NO_MASK, IN_ONE, 0.3, .scale = 0},
    {1, 2, 150, 40, 12, 9, true, BOOLS, TURNED, 0.5, .scale = 0},
    {1, 2, 50, 40, 12, 9, false, FLOATS, APART, 0.1, .scale = 0},
    {1, 2, 50, 40, 12, 9, false, NO_MASK, APART, 1, .scale = 0},
    {1, 2, 300, 300, 10, 10, true, NO_MASK, SHIFTED, 0, .scale = 0},
    {2, 2, 9, 7, 3, 2, false, BOOLS, TURNED, 0, .scale = 0},
    {1, 2, 21, 6, 2, 3, true, FLOATS, APART, 0, .scale = 0},
    {2, 1, 3, 11, 4, 1, true, FLOATS_OF_KEYS, APART, 0, .scale = 2},
    {2, 2, 7, 7, 2, 2, true, BOOLS, IN_ONE, 0, .scale = 0},
    {1, 2, 6, 6, 2, 2, false, NO_MASK, SAME, 0, .scale = 0},
    {1, 1, 40, 900, 400, 390, false, FLOATS, APART, 0, .scale = 0},
    {2, 2, 30, 30, 400, 400, true, BOOLS, IN_ONE, 0, .scale = 0},
    {1, 1, 540, 530, 400, 390, true, NO_MASK, APART, 0, .scale = 0},
    {1, 1, 530, 40, 400, 390, true, FLOATS, TURNED, 0, .scale = 0},
    /* what models add: alone, and together; in each form */
    {2, 4, 5, 5, 2, 2, true, NO_MASK, APART, 0, 0, .group = 2},
    {1, 6, 100, 70, 16, 24, false, NO_MASK, TURNED, 0, 0, .group = 3},
    {2, 4, 300, 300, 20, 20, true, NO_MASK, APART, 0, 0, .group = 4},
    {2, 4, 70, 70, 20, 20, true, FLOATS, APART, 0.2, 0, .group = 2},
    {1, 2, 520, 100, 390, 390, true, NO_MASK, APART, 0, 0, .group = 2},
    {2, 2, 9, 9, 2, 2, true, NO_MASK, IN_ONE, 0, 0, .window = 3},
    {1, 2, 600, 600, 16, 12, true, NO_MASK, APART, 0, 0, .window = 37},
    {1, 2, 600, 600, 16, 12, false, NO_MASK, APART, 0, 0, .window = 37},
    {1, 1, 700, 300, 16, 16, false, NO_MASK, TURNED, 0, 0, .window = 50},
    {1, 1, 600, 600, 8, 8, false, BOOLS, SAME, 0, 0, .window = 1},
    {1, 1, 600, 600, 390, 390, true, NO_MASK, APART, 0, 0, .window = 20},
    {1, 2, 90, 90, 12, 12, true, NO_MASK, APART, 0.3, 0, .window = 11},
    {1, 2, 60, 400, 16, 16, true, NO_MASK, APART, 0, 0, .offset = 340},
    {1, 2, 6, 9, 2, 2, true, NO_MASK, APART, 0, 0, .offset = 2, .window = 4},
    {1, 1, 530, 600, 390, 380, true, FLOATS, APART, 0, 0, .offset = 60, .window = 100},
    {2, 2, 7, 7, 3, 3, false, NO_MASK, APART, 0, 0, .softcap = 0.8},
    {1, 3, 300, 300, 16, 16, true, FLOATS, IN_ONE, 0, 0, .softcap = 2},
    {1, 2, 100, 100, 10, 10, true, NO_MASK, APART, 0.2, 0, .softcap = 1},
    {1, 1, 100, 90, 400, 390, false, NO_MASK, TURNED, 0, 0.3, .softcap = 2},
    {2, 3, 5, 5, 2, 2, true, NO_MASK, APART, 0, 0, .alibi = true},
    {1, 3, 300, 310, 16, 16, false, NO_MASK, APART, 0, 0, .alibi = true},
    {1, 3, 100, 200, 16, 16, true, BOOLS, TURNED, 0, 0, .alibi = true, .offset = 90},
    {2, 3, 5, 5, 2, 2, true, NO_MASK, APART, 0, 0, .sinks = true},
    {1, 3, 300, 310, 16, 16, true, BOOLS, APART, 0, 0, .sinks = true},
    {1, 2, 100, 100, 16, 16, true, NO_MASK, IN_ONE, 0.2, 0, .sinks = true},
    {1, 1, 90, 90, 400, 400, false, NO_MASK, APART, 0, 0, .sinks = true},
    {2, 2, 7, 7, 2, 2, true, NO_MASK, APART, 0, 0, .documents = true},
    {3, 2, 300, 300, 16, 16, true, NO_MASK, IN_ONE, 0, 0, .documents = true},
    {2, 2, 300, 400, 16, 16, false, NO_MASK, APART, 0, 0, .documents = true, .offset = 100},
    {2, 1, 100, 100, 400, 400, true, NO_MASK, APART, 0, 0, .documents = true},
    {2, 4, 300, 350, 16, 24, true, FLOATS, APART, 0, 0, 2, 90, 50, 1.5, true, true, true},
    {2, 4, 300, 350, 16, 24, false, BOOLS, TURNED, 0.1, 0.4, 4, 90, 20, 1.5, true, true, true},
    {2, 4, 6, 7, 2, 2, true, FLOATS, APART, 0, 0, 2, 3, 1, 1.5, true, true, true},
    /* so many heads that tasks of gradients have more keys, and more than one of them */
    {2, 4, 150, 1100, 16, 12, false, NO_MASK, TURNED, 0, 0, .group = 2, .window = 400, .offset = 500, .softcap = 1.5},
    {2, 4, 300, 600, 10, 16, true, NO_MASK, APART, 0, 0, .offset = 290},
};
enum { N_CASES = sizeof cases / sizeof *cases };

/* ---- one case on a tape ---- */

enum { MAX_LEAVES = 6 };

typedef struct model {
    tg_tape *t;
    tg_tensor q, k, v, mask, alibi, sinks, documents, leaf[MAX_LEAVES];
    tg_tensor hidden, seen; /* for the composition: what no query may look at; 0 for queries that see nothing */
    int leaves;
} model;

static tg_tensor new_leaf(model *m, tg_shape shape) {
    int64_t n = tg_shape_numel(&shape);
    float *values = malloc((size_t)n * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)uniform(-1.5, 1.5);
    tg_tensor x = tg_set_requires_grad(tg_from_floats(m->t, shape, values), true);
    free(values);
    return m->leaf[m->leaves++] = x;
}

static tg_tensor heads(tg_tensor x, const attention_case *c) {
    return tg_transpose(tg_reshape(x, TG_SHAPE(c->B, c->T, c->H, c->d)), 1, 2);
}

static int64_t kv_heads(const attention_case *c) { return c->group ? c->H / c->group : c->H; }

static void make_operands(model *m, const attention_case *c) {
    tg_tensor part[3];
    int64_t H = kv_heads(c);
    switch (c->lies) {
    case APART:
        m->q = new_leaf(m, TG_SHAPE(c->B, c->H, c->T, c->d));
        m->k = new_leaf(m, TG_SHAPE(c->B, H, c->S, c->d));
        m->v = new_leaf(m, TG_SHAPE(c->B, H, c->S, c->dv));
        break;
    case IN_ONE:
        ck_assert_int_eq(tg_split(new_leaf(m, TG_SHAPE(c->B, c->T, 3 * c->H * c->d)), c->H * c->d, 2, part, 3), TG_OK);
        m->q = heads(part[0], c);
        m->k = heads(part[1], c);
        m->v = heads(part[2], c);
        break;
    case TURNED:
        m->q = tg_transpose(new_leaf(m, TG_SHAPE(c->B, c->H, c->d, c->T)), 2, 3);
        m->k = tg_transpose(new_leaf(m, TG_SHAPE(c->B, H, c->d, c->S)), 2, 3);
        m->v = tg_transpose(new_leaf(m, TG_SHAPE(c->B, H, c->dv, c->S)), 2, 3);
        break;
    case SAME: m->q = m->k = m->v = new_leaf(m, TG_SHAPE(c->B, c->H, c->T, c->d)); break;
    case SHIFTED: {
        tg_tensor x = new_leaf(m, TG_SHAPE(c->B, c->H, c->T + 2 * SHIFT, c->d));
        m->q = tg_slice(x, 2, 0, c->T, 1);
        m->k = tg_slice(x, 2, SHIFT, c->T + SHIFT, 1);
        m->v = tg_slice(x, 2, 2 * SHIFT, c->T + 2 * SHIFT, 1);
        break;
    }
    }
}

/* The documents' numbers: a new one after 3, 17, 40 or 100 tokens, other ones in each batch. */
static int64_t *make_documents(model *m, const attention_case *c) {
    static const int64_t lengths[] = {3, 17, 40, 100};
    int64_t *number = calloc((size_t)(c->B * c->S), sizeof *number);
    for (int64_t b = 0; b < c->B; b++)
        for (int64_t j = 0, left = 0, of = 0, now = 0; j < c->S; j++, left--) {
            if (left == 0) {
                left = lengths[(b + of++) % 4];
                now = of * 7 % 5;
            }
            number[b * c->S + j] = now;
        }
    m->documents = c->documents ? tg_from_ints(m->t, TG_SHAPE(c->B, c->S), number) : TG_NULL;
    return number;
}

/* May the query of a batch at place i see key j? By the definitions, one pair at a time. */
static bool sees(const attention_case *c, const int64_t *document, int64_t i, int64_t j) {
    int64_t lower = i < j ? i : j, upper = i < j ? j : i;
    if ((c->causal && j > i) || (c->window && upper - lower >= c->window))
        return false;
    for (int64_t k = lower; k < upper && c->documents; k++)
        if (document[k] != document[k + 1])
            return false;
    return true;
}

/* Every seventh query sees nothing under a mask of bools. */
static void make_mask(model *m, const attention_case *c) {
    size_t n = (size_t)(c->T * c->S);
    bool *allowed = malloc(n), *hidden = malloc(n * (size_t)c->B);
    float *seen = calloc((size_t)(c->T * c->B), sizeof *seen);
    int64_t *documents = make_documents(m, c);
    for (int64_t i = 0; i < c->T; i++)
        for (int64_t j = 0; j < c->S; j++)
            allowed[i * c->S + j] = c->mask != BOOLS || (i % 7 != 3 && uniform(0, 1) < 0.6);
    for (int64_t row = 0; row < c->B * c->T; row++)
        for (int64_t j = 0; j < c->S; j++) {
            int64_t i = row % c->T;
            bool visible = allowed[i * c->S + j] && sees(c, documents + row / c->T * c->S, i + c->offset, j);
            hidden[row * c->S + j] = !visible;
            if (visible)
                seen[row] = 1;
        }
    free(documents);
    m->hidden = tg_from_bools(m->t, TG_SHAPE(c->B, 1, c->T, c->S), hidden);
    m->seen = tg_from_floats(m->t, TG_SHAPE(c->B, 1, c->T, 1), seen);
    if (c->alibi) { /* every second number of another tensor */
        tg_tensor slopes = tg_set_requires_grad(new_leaf(m, TG_SHAPE(c->H)), false);
        m->alibi = tg_select(tg_stack((tg_tensor[]){slopes, tg_neg(slopes)}, 2, 1), 1, 0);
    }
    m->leaves -= c->alibi;
    m->sinks = c->sinks ? new_leaf(m, TG_SHAPE(c->H)) : TG_NULL;
    m->mask = c->mask == NO_MASK  ? TG_NULL
              : c->mask == BOOLS  ? tg_from_bools(m->t, TG_SHAPE(c->T, c->S), allowed)
              : c->mask == FLOATS ? new_leaf(m, TG_SHAPE(c->H, c->T, c->S))
                                  : new_leaf(m, TG_SHAPE(c->B, 1, 1, c->S));
    free(allowed);
    free(hidden);
    free(seen);
}

/* Every head of k or v `group` times. */
static tg_tensor repeat_heads(const attention_case *c, tg_tensor x) {
    tg_tensor head[8];
    for (int64_t h = 0; h < c->H; h++)
        head[h] = tg_select(x, 1, c->group ? h / c->group : h);
    return tg_stack(head, (int)c->H, 1);
}

/* -|i - j| */
static tg_tensor distances(const model *m, const attention_case *c) {
    float *values = malloc((size_t)(c->T * c->S) * sizeof *values);
    for (int64_t e = 0; e < c->T * c->S; e++)
        values[e] = -fabsf((float)(e / c->S + c->offset - e % c->S));
    tg_tensor x = tg_from_floats(m->t, TG_SHAPE(c->T, c->S), values);
    free(values);
    return x;
}

/* P = softmax(q k^T scale + mask) with 0 where nothing is seen; y = dropout(P) v. A sink is a last key. */
static tg_tensor composed(const model *m, const attention_case *c) {
    double scale = c->scale != 0 ? c->scale : 1 / sqrt((double)c->d);
    tg_tensor s = tg_mul_scalar(tg_matmul(m->q, tg_transpose(repeat_heads(c, m->k), 2, 3)), scale);
    if (c->softcap > 0)
        s = tg_mul_scalar(tg_tanh(tg_div_scalar(s, c->softcap)), c->softcap);
    if (c->alibi)
        s = tg_add(s, tg_mul(tg_reshape(m->alibi, TG_SHAPE(c->H, 1, 1)), distances(m, c)));
    if (c->mask == FLOATS || c->mask == FLOATS_OF_KEYS)
        s = tg_add(s, m->mask);
    s = tg_masked_fill(s, m->hidden, -1e30);
    if (c->sinks) {
        tg_tensor sink = tg_expand(tg_reshape(m->sinks, TG_SHAPE(c->H, 1, 1)), TG_SHAPE(c->B, c->H, c->T, 1));
        s = tg_cat((tg_tensor[]){s, sink}, 2, 3);
    }
    tg_tensor P = tg_mul(tg_slice(tg_softmax(s, -1), 3, 0, c->S, 1), m->seen);
    return tg_matmul(tg_dropout(P, c->p), repeat_heads(c, m->v));
}

static tg_tensor fused_attention(const model *m, const attention_case *c) {
    tg_attention_config config = {m->mask,   m->alibi,  m->sinks,   m->documents, c->causal, c->group != 0,
                                  c->offset, c->window, c->softcap, c->p,         c->scale};
    return tg_scaled_dot_product_attention_with(m->q, m->k, m->v, config);
}

typedef struct result {
    double *values;
    int64_t n;
} result;

static void append(result *r, tg_tensor x) {
    int64_t n = tg_numel(x);
    r->values = realloc(r->values, (size_t)(r->n + n) * sizeof *r->values);
    ck_assert_int_eq(tg_read_doubles(x, r->values + r->n, n), TG_OK);
    r->n += n;
}

/* The output and all gradients. */
static result run_case(const attention_case *c, tg_dtype dtype, bool fused) {
    model m = {.t = tg_tape_new(dtype)};
    result r = {0};
    random_state = 1;
    tg_manual_seed(m.t, 7);
    make_operands(&m, c);
    make_mask(&m, c);
    tg_tensor y = fused ? fused_attention(&m, c) : composed(&m, c);
    tg_tensor cotangent = new_leaf(&m, tg_shape_of(y));
    ck_assert_msg(tg_backward_with(y, cotangent) == TG_OK, "%s", tg_error(m.t));
    append(&r, y);
    for (int i = 0; i < m.leaves - 1; i++)
        append(&r, tg_grad(m.leaf[i]));
    tg_tape_free(m.t);
    return r;
}

/* One assertion for all: check writes to a file for each. */
static void compare(const attention_case *c, const result *is, const result *should, double tolerance) {
    ck_assert_int_eq(is->n, should->n);
    int64_t i = 0;
    while (i < is->n && fabs(is->values[i] - should->values[i]) <= tolerance * (1 + fabs(should->values[i])))
        i++;
    if (i < is->n)
        ck_abort_msg("%s, case %d: T %lld, S %lld, d %lld, dv %lld, causal %d, mask %d, layout %d, p %g: element %lld "
                     "is %.17g instead of %.17g",
                     tg_isa_now()->name, (int)(c - cases), (long long)c->T, (long long)c->S, (long long)c->d,
                     (long long)c->dv, c->causal, c->mask, c->lies, c->p, (long long)i, is->values[i],
                     should->values[i]);
}

/* ---- tests ---- */

START_TEST(agrees_with_the_composition)
{
    const attention_case *c = &cases[_i];
    result should = run_case(c, TG_F64, false);
    for (int set = 0; tg_isa_at(set); set++) {
        tg_isa_use(tg_isa_at(set));
        result f64 = run_case(c, TG_F64, true), f32 = run_case(c, TG_F32, true);
        compare(c, &f64, &should, 1e-12);
        compare(c, &f32, &should, 5e-5);
        free(f64.values);
        free(f32.values);
    }
    free(should.values);
}
END_TEST

static const attention_case large[] = {
    {1, 1, 700, 700, 16, 16, true, NO_MASK, APART, 0, .scale = 0},
    {2, 4, 130, 130, 32, 32, true, NO_MASK, IN_ONE, 0, .scale = 0},
    {1, 3, 300, 600, 24, 40, false, BOOLS, TURNED, 0, .scale = 0},
    {1, 2, 300, 300, 16, 16, true, FLOATS, SAME, 0, .scale = 0},
    {1, 1, 600, 100, 1040, 1030, false, NO_MASK, APART, 0, .scale = 0},
    {1, 2, 200, 200, 32, 32, true, NO_MASK, APART, 0.2, .scale = 0},
    {1, 1, 600, 600, 400, 400, true, NO_MASK, APART, 0, .scale = 0},
    {2, 4, 700, 700, 16, 16, true, NO_MASK, APART, 0, 0, .group = 4},
    {1, 4, 700, 700, 16, 16, true, NO_MASK, APART, 0, 0, 2, 200, 0, 2, true, true, true},
    {1, 2, 300, 300, 400, 400, true, NO_MASK, APART, 0, 0, 2, 100, 0, 2, true, true, true},
};
enum { N_LARGE = sizeof large / sizeof *large };

static void want_same_bits(const attention_case *c, tg_dtype dtype, int times) {
    const int threads[] = {2, 3, 8};
    tg_set_threads(1);
    result one = run_case(c, dtype, true);
    for (int i = 0; i < 3 * times; i++) {
        tg_set_threads(threads[i % 3]);
        result many = run_case(c, dtype, true);
        ck_assert_int_eq(one.n, many.n);
        ck_assert_msg(memcmp(one.values, many.values, (size_t)one.n * sizeof *one.values) == 0, "%d threads, run %d",
                      threads[i % 3], i);
        free(many.values);
    }
    free(one.values);
}

START_TEST(threads_do_not_change_a_bit)
{
    want_same_bits(&large[_i], TG_F32, 1);
    want_same_bits(&large[_i], TG_F64, 1);
}
END_TEST

/* Many blocks of queries and keys at work at once, again and again: were an element of a gradient in two tasks, its
 * sum would not always be made in one order. */
static const attention_case blocks[] = {
    {1, 1, 2000, 2000, 8, 8, false, NO_MASK, APART, 0, .scale = 0},
    {1, 1, 2000, 2000, 8, 8, true, NO_MASK, SAME, 0, .scale = 0},
    {1, 1, 2000, 2000, 8, 8, false, NO_MASK, SHIFTED, 0, .scale = 0},
    {1, 4, 1000, 1000, 8, 8, true, NO_MASK, APART, 0, 0, .group = 4},
    {1, 1, 3000, 3000, 8, 8, true, NO_MASK, APART, 0, 0, .window = 500},
};
enum { N_BLOCKS = sizeof blocks / sizeof *blocks, TIMES = 5 };

START_TEST(no_two_tasks_add_to_the_same_gradient)
{ want_same_bits(&blocks[_i], TG_F32, TIMES); }
END_TEST

/* Twice the sequence takes twice the memory, not four times. */
static size_t peak_memory(int64_t T, int64_t d, double p) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_set_threads(2);
    tg_tensor x = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(T, d)), true);
    tg_tensor y = tg_scaled_dot_product_attention(x, x, x, TG_NULL, true, p, 0);
    ck_assert_int_eq(tg_backward(tg_sum(y, TG_ALL_DIMS, false)), TG_OK);
    size_t peak = tg_tape_memory(t).used_peak;
    tg_tape_free(t);
    return peak;
}

START_TEST(memory_grows_as_the_sequence)
{
    ck_assert_uint_le(peak_memory(2000, 32, 0), 22 * peak_memory(1000, 32, 0) / 10);
    ck_assert_uint_le(peak_memory(2000, 32, 0.1), 22 * peak_memory(1000, 32, 0.1) / 10);
    ck_assert_uint_le(peak_memory(2000, 400, 0), 22 * peak_memory(1000, 400, 0) / 10);
}
END_TEST

/* In use after a forward that a backward may follow, or not. */
static size_t forward_memory(int64_t T, int64_t d, bool requires_grad) {
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor x = tg_set_requires_grad(tg_zeros(t, TG_SHAPE(T, d)), requires_grad);
    ck_assert(!tg_is_null(tg_scaled_dot_product_attention(x, x, x, TG_NULL, true, 0, 0)));
    size_t used = tg_tape_memory(t).used;
    tg_tape_free(t);
    return used;
}

/* What is kept of the weights takes no more room than q and y, and nothing is where they would. */
START_TEST(kept_weights_are_no_larger_than_q_and_y)
{
    const int64_t sizes[][2] = {{700, 400}, {800, 400}, {801, 400}, {900, 400}, {700, 300}};
    int64_t T = sizes[_i][0], d = sizes[_i][1], kept = 2 * d >= 768 && T <= 2 * d ? T * T * 4 : 0;
    size_t more = forward_memory(T, d, true) - forward_memory(T, d, false);
    ck_assert_uint_ge(more, (size_t)kept);
    ck_assert_uint_le(more, (size_t)kept + 64);
}
END_TEST

#define REFUSED(status, ...)                                                          \
    do {                                                                              \
        ck_assert(tg_is_null(tg_scaled_dot_product_attention_with(q, k, k, config))); \
        WANT_ERROR(t, status, "scaled_dot_product_attention: ", __VA_ARGS__);         \
        config = TG_ATTENTION_DEFAULTS;                                               \
        config.enable_gqa = true;                                                     \
    } while (0)

/* The two sizes that do not fit are in the message. */
START_TEST(sizes_that_do_not_fit_are_named)
{
    static const struct {
        tg_shape q, k, v;
        bool gqa;
        const char *said;
    } bad[] = {
        {{3, {2, 4, 8}}, {3, {3, 4, 8}}, {3, {3, 4, 8}}, false, ": leading sizes 2 and 3 do not broadcast; "},
        {{3, {2, 4, 8}}, {3, {2, 4, 8}}, {4, {5, 7, 4, 8}}, false, ": leading sizes 2 and 7 do not broadcast; "},
        {{4, {3, 6, 4, 8}}, {4, {2, 2, 4, 8}}, {3, {2, 4, 8}}, true, ": leading sizes 3 and 2 do not broadcast; "},
        {{2, {4, 8}}, {2, {4, 7}}, {2, {4, 8}}, false, ": d is 8 in q, but 7 in k; "},
        {{2, {4, 8}}, {2, {5, 8}}, {2, {6, 8}}, false, ": S is 5 in k, but 6 in v; "},
        {{3, {6, 4, 8}}, {3, {4, 5, 8}}, {3, {4, 5, 8}}, true, ": the 6 heads of q are no multiple of the 4 of k; "},
        {{3, {6, 4, 8}}, {3, {0, 5, 8}}, {3, {0, 5, 8}}, true, ": the 6 heads of q are no multiple of the 0 of k; "},
        {{3, {6, 4, 8}}, {3, {2, 5, 8}}, {3, {3, 5, 8}}, true, ": k has 2 heads, but v has 3; "},
        {{2, {4, 8}}, {1, {8}}, {2, {4, 8}}, false, ": k has 1 dims, but must have 2 or more; "},
        {{3, {2, 4, 8}}, {3, {2, 4, 8}}, {2, {4, 8}}, true, ": v has 2 dims, but must have 3 or more; "}};
    tg_tape *t = tg_tape_new(TG_F32);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tg_attention_config config = {.enable_gqa = bad[i].gqa};
        tg_scaled_dot_product_attention_with(tg_ones(t, bad[i].q), tg_ones(t, bad[i].k), tg_ones(t, bad[i].v), config);
        WANT_ERROR(t, TG_ERR_SHAPE, "scaled_dot_product_attention: ", bad[i].said);
    }
    tg_tape_free(t);
}
END_TEST

START_TEST(what_does_not_fit_is_refused)
{
    tg_tape *t = tg_tape_new(TG_F32);
    tg_tensor q = tg_ones(t, TG_SHAPE(2, 6, 4, 3)), k = tg_ones(t, TG_SHAPE(2, 4, 5, 3)),
              three = tg_ones(t, TG_SHAPE(3));
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    REFUSED(TG_ERR_SHAPE, "q (2, 6, 4, 3), k (2, 4, 5, 3)");
    REFUSED(TG_ERR_SHAPE, "(..., n heads, T, d)");
    k = tg_ones(t, TG_SHAPE(2, 3, 5, 3));
    config.enable_gqa = false;
    REFUSED(TG_ERR_SHAPE, "k (2, 3, 5, 3)");
    config.alibi = three;
    REFUSED(TG_ERR_SHAPE, "alibi is (3,), but must be (6,)");
    config.sinks = tg_ones(t, TG_SHAPE(6, 1));
    REFUSED(TG_ERR_SHAPE, "sinks is (6, 1), but must be (6,)");
    config.sinks = tg_arange(t, 6);
    REFUSED(TG_ERR_ARGUMENT, "(6,)");
    config.documents = tg_arange(t, 4);
    REFUSED(TG_ERR_SHAPE, "documents (4,)");
    config.documents = tg_from_ints(t, TG_SHAPE(3, 5), (int64_t[15]){0});
    REFUSED(TG_ERR_SHAPE, "documents (3, 5)");
    config.documents = tg_arange(t, 5);
    config.offset = 2;
    REFUSED(TG_ERR_SHAPE, "4 from 2 on of 5");
    config.documents = tg_ones(t, TG_SHAPE(5));
    REFUSED(TG_ERR_ARGUMENT, "(5,)");
    config.offset = 6;
    REFUSED(TG_ERR_ARGUMENT, "offset = 6 is not in 0 .. 5");
    config.offset = -1;
    REFUSED(TG_ERR_ARGUMENT, "offset = -1");
    config.window = -1;
    REFUSED(TG_ERR_ARGUMENT, "window = -1");
    config.softcap = -2;
    REFUSED(TG_ERR_ARGUMENT, "softcap = -2");
    config.softcap = NAN;
    REFUSED(TG_ERR_ARGUMENT, "softcap = nan");
    config.dropout_p = 2;
    REFUSED(TG_ERR_ARGUMENT, "dropout_p = 2");
    config.window = INT64_MAX;
    ck_assert(!tg_is_null(tg_scaled_dot_product_attention_with(q, k, k, config)));
    tg_tape_free(t);
}
END_TEST

/* Documents are read again when the tape is replayed, and a sink or a document alone leaves the rest as it was. */
START_TEST(documents_may_change_between_replays)
{
    tg_tape *t = tg_tape_new(TG_F64);
    tg_tensor x = tg_set_requires_grad(tg_randn(t, TG_SHAPE(6, 2)), true),
              numbers = tg_from_ints(t, TG_SHAPE(6), (int64_t[6]){0});
    tg_mark mark = tg_tape_mark(t);
    tg_attention_config config = TG_ATTENTION_DEFAULTS;
    config.documents = numbers;
    tg_tensor y = tg_scaled_dot_product_attention_with(x, x, x, config), dx;
    double own[12], is[12], gradient[12];
    ck_assert_int_eq(tg_gradients(total(tg_square(y)), TG_NULL, &x, 1, &dx), TG_OK);
    ck_assert_int_eq(tg_write_ints(numbers, (int64_t[6]){1, 2, 3, 4, 5, 6}, 6), TG_OK);
    ck_assert_int_eq(tg_replay(t, mark), TG_OK);
    ck_assert_int_eq(tg_read_doubles(x, own, 12), TG_OK);
    ck_assert_int_eq(tg_read_doubles(y, is, 12), TG_OK);
    ck_assert_int_eq(tg_read_doubles(dx, gradient, 12), TG_OK);
    for (int j = 0; j < 12; j++) { /* each token is a document: y = x */
        ck_assert_double_eq_tol(is[j], own[j], 1e-15);
        ck_assert_double_eq_tol(gradient[j], 2 * own[j], 1e-14);
    }
    tg_tape_free(t);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("attention");
    tcase_add_loop_test(c, agrees_with_the_composition, 0, N_CASES);
    tcase_add_loop_test(c, threads_do_not_change_a_bit, 0, N_LARGE);
    tcase_add_loop_test(c, no_two_tasks_add_to_the_same_gradient, 0, N_BLOCKS);
    tcase_add_test(c, memory_grows_as_the_sequence);
    tcase_add_test(c, sizes_that_do_not_fit_are_named);
    tcase_add_test(c, what_does_not_fit_is_refused);
    tcase_add_test(c, documents_may_change_between_replays);
    tcase_add_loop_test(c, kept_weights_are_no_larger_than_q_and_y, 0, 5);
    return run_suite("attention", c);
}
