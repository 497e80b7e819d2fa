/* Gradient checkpointing gives the same bits as the same program without scopes, in less memory, and clear errors. */
#include "tests/ops.h"
#include "tests/support.h"

static tg_tape *t;
static void start(void) {
    t = tg_tape_new(TG_F64);
    tg_manual_seed(t, 11);
}
static void stop(void) {
    WANT_OK(t);
    tg_tape_free(t);
}

static void must(tg_status status) { ck_assert_msg(status == TG_OK, "%s", tg_error(t)); }

static tg_tensor parameter(tg_shape shape) { return tg_set_requires_grad(tg_randn(t, shape), true); }

static void begin(bool scoped) {
    if (scoped)
        tg_checkpoint_begin(t);
}
static tg_tensor end(bool scoped, tg_tensor y) { return scoped ? tg_checkpoint_end(t, y) : y; }

/* Memory with noise in it, from an allocator that counts and refuses. */
typedef struct counter {
    int64_t calls, refuse; /* refuse: every call from then on, < 0 none */
} counter;
static void *get(void *context, size_t size) {
    counter *c = context;
    void *block = c->calls++ >= c->refuse && c->refuse >= 0 ? NULL : malloc(size);
    return block ? memset(block, 0xee, size) : NULL;
}
static void put(void *context, void *block, size_t size) {
    (void)context, (void)size;
    free(block);
}

/* ---- the same program with and without scopes ---- */

enum { MOST = 4096 };
typedef struct result {
    double loss, random, grad[MOST]; /* random: the generator's next number */
    int64_t n;
} result;

static void note_grad(result *r, tg_tensor leaf) {
    int64_t n = tg_numel(leaf);
    ck_assert_int_le(r->n + n, MOST);
    must(tg_read_doubles(tg_grad(leaf), r->grad + r->n, n));
    r->n += n;
}

/* A program makes leaves, and a scalar from them. */
typedef tg_tensor program(tg_tensor *leaf, bool scoped);
enum { LEAVES = 4 };

static result run(program *p, tg_dtype dtype, bool scoped) {
    static result r;
    tg_tensor leaf[LEAVES] = {{0}};
    tg_tape *outer = t;
    counter c = {.refuse = -1};
    r = (result){0};
    t = tg_tape_new_with(dtype, &(tg_allocator){get, put, &c});
    tg_manual_seed(t, 3);
    tg_tensor loss = p(leaf, scoped);
    WANT_OK(t);
    for (int i = 0; i < 2; i++)
        must(tg_backward(loss)); /* twice: the second one adds */
    r.loss = tg_item(loss);
    for (int i = 0; i < LEAVES && !tg_is_null(leaf[i]); i++)
        note_grad(&r, leaf[i]);
    r.random = tg_item(tg_rand(t, TG_SCALAR));
    tg_tape_free(t);
    t = outer;
    return r;
}

static void want_the_same(program *p) {
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        static result without, with;
        without = run(p, (tg_dtype)dtype, false);
        with = run(p, (tg_dtype)dtype, true);
        ck_assert_int_gt(without.n, 0);
        ck_assert_msg(memcmp(&without.loss, &with.loss, sizeof with.loss) == 0, "%.17g, %.17g", without.loss,
                      with.loss);
        ck_assert(memcmp(&without.random, &with.random, sizeof with.random) == 0);
        ck_assert_int_eq(without.n, with.n);
        for (int64_t i = 0; i < with.n; i++)
            ck_assert_msg(memcmp(&without.grad[i], &with.grad[i], sizeof with.grad[i]) == 0,
                          "dtype %d, gradient %lld: %.17g, with scopes %.17g", dtype, (long long)i, without.grad[i],
                          with.grad[i]);
    }
}

static tg_tensor mean_square(tg_tensor y) { return tg_mean(tg_square(y), TG_ALL_DIMS, false); }

/* Attention and a layer of two products, with dropout in both. */
static tg_tensor block(tg_tensor x, tg_tensor up, tg_tensor down) {
    tg_tensor h = tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5);
    x = tg_add(x, tg_scaled_dot_product_attention(h, h, h, TG_NULL, true, 0.2, 0));
    h = tg_gelu(tg_linear(tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5), up, TG_NULL));
    return tg_add(x, tg_dropout(tg_linear(h, down, TG_NULL), 0.3));
}

static tg_tensor stack(tg_tensor *leaf, bool scoped) {
    tg_tensor x = leaf[0] = parameter(TG_SHAPE(2, 5, 8));
    leaf[1] = parameter(TG_SHAPE(16, 8));
    leaf[2] = parameter(TG_SHAPE(8, 16));
    for (int i = 0; i < 4; i++) {
        begin(scoped);
        x = end(scoped, block(x, leaf[1], leaf[2]));
        x = i == 1 ? tg_mul_scalar(x, 0.5) : x; /* something between scopes */
    }
    return mean_square(x);
}
START_TEST(a_stack_with_dropout_is_the_same)
{ want_the_same(stack); }
END_TEST

static tg_tensor views(tg_tensor *leaf, bool scoped) {
    leaf[0] = parameter(TG_SHAPE(4, 6));
    leaf[1] = parameter(TG_SHAPE(6));
    tg_tensor outside = tg_transpose(leaf[0], 0, 1), x = tg_exp(tg_mul_scalar(leaf[0], 0.1));
    begin(scoped);
    tg_tensor inside = tg_reshape(tg_transpose(tg_sigmoid(tg_matmul(x, outside)), 0, 1), TG_SHAPE(2, 8));
    tg_tensor wide = tg_expand(tg_select(leaf[0], 0, 1), TG_SHAPE(3, 6));
    tg_tensor y = tg_add(tg_slice(inside, 1, 1, 7, 1), tg_mul(tg_slice(wide, 0, 0, 2, 1), leaf[1]));
    y = end(scoped, y);
    return mean_square(tg_add(y, tg_select(outside, 1, 2)));
}
START_TEST(views_are_the_same)
{ want_the_same(views); }
END_TEST

/* What may be a scope's result. */
static int kind;
static tg_tensor results(tg_tensor *leaf, bool scoped) {
    leaf[0] = parameter(TG_SHAPE(4, 6));
    tg_tensor x = tg_tanh(leaf[0]), y = x;
    begin(scoped);
    switch (kind) {
    case 0: y = tg_transpose(tg_exp(x), 0, 1); break;
    case 1: y = tg_slice(tg_exp(x), 1, 0, 6, 2); break;
    case 2: y = tg_expand(tg_select(tg_exp(x), 0, 1), TG_SHAPE(3, 6)); break;
    case 3: y = tg_transpose(x, 0, 1); break;                      /* a view of a tensor outside */
    case 4: y = x; break;                                          /* such a tensor; the scope is empty */
    case 5: tg_exp(x), y = x; break;                               /* the same; the scope is not */
    case 6: y = leaf[0]; break;                                    /* a leaf */
    case 7: y = tg_square(tg_slice(tg_exp(x), 0, 0, 0, 1)); break; /* of no elements */
    default: y = tg_detach(tg_exp(x)); break;
    }
    y = end(scoped, y);
    tg_tensor others = tg_add(mean_square(x), tg_sum(tg_exp(x), TG_ALL_DIMS, false)); /* three shares in dx */
    return tg_add(others, tg_sum(tg_square(y), TG_ALL_DIMS, false));
}
START_TEST(any_tensor_can_be_the_result)
{
    for (kind = 0; kind <= 8; kind++)
        want_the_same(results);
}
END_TEST

static tg_tensor nested(tg_tensor *leaf, bool scoped) {
    tg_tensor x = leaf[0] = parameter(TG_SHAPE(3, 4));
    for (int i = 0; i < 2; i++) {
        begin(scoped);
        tg_tensor h = tg_exp(x);
        for (int k = 0; k < 2; k++) {
            begin(scoped);
            h = end(scoped, tg_mul(tg_dropout(tg_tanh(h), 0.5), x));
        }
        x = end(scoped, tg_sigmoid(h));
    }
    return mean_square(x);
}
START_TEST(nested_scopes_are_the_same)
{ want_the_same(nested); }
END_TEST

/* Leaves, random numbers and seeds in a scope, among tensors that have to be drawn again. */
static tg_tensor drawing(tg_tensor *leaf, bool scoped) {
    tg_tensor x = leaf[0] = parameter(TG_SHAPE(3, 4));
    begin(scoped);
    x = tg_dropout(tg_exp(x), 0.5);
    leaf[1] = parameter(TG_SHAPE(3, 4));
    x = tg_dropout(tg_mul(x, tg_add(leaf[1], tg_rand(t, TG_SHAPE(3, 1)))), 0.4);
    tg_manual_seed(t, 99);
    x = tg_dropout(x, 0.3);
    tg_no_grad_begin(t);
    tg_tensor constant = tg_dropout(tg_exp(x), 0.2);
    tg_no_grad_end(t);
    x = tg_mul(x, constant);
    tg_eval(t);
    x = tg_dropout(tg_square(x), 0.2);
    x = end(scoped, x);
    return mean_square(x); /* backward is in eval mode */
}
START_TEST(drawing_in_a_scope_is_the_same)
{ want_the_same(drawing); }
END_TEST

/* One scope's result has several uses, in other scopes and outside. */
static tg_tensor web(tg_tensor *leaf, bool scoped) {
    leaf[0] = parameter(TG_SHAPE(3, 4));
    begin(scoped);
    tg_tensor a = end(scoped, tg_exp(tg_tanh(leaf[0])));
    begin(scoped);
    tg_tensor b = end(scoped, tg_mul(tg_sigmoid(a), tg_mul(leaf[0], a)));
    begin(scoped);
    tg_tensor c = end(scoped, tg_softmax(tg_matmul(a, tg_transpose(b, 0, 1)), -1));
    begin(scoped);
    end(scoped, tg_exp(c)); /* used by nobody */
    return mean_square(tg_add(tg_matmul(c, a), b));
}
START_TEST(scopes_that_use_one_another_are_the_same)
{ want_the_same(web); }
END_TEST

/* ---- every operation ---- */

/* The op's example on a tape of its own, differentiated. False when there is none. */
static bool probe(const tg_op *op, int variant, bool scoped, tg_tape **tape) {
    t = *tape = tg_tape_new(TG_F32);
    tg_manual_seed(t, 5);
    begin(scoped);
    tg_tensor y = op->probe(t, variant);
    if (tg_is_null(y))
        return false;
    if (!tg_requires_grad(y))
        return true;
    y = end(scoped, y);
    tg_tensor cotangent = tg_randn(t, tg_shape_of(y));
    must(tg_backward_with(y, cotangent));
    return true;
}

START_TEST(every_op_is_the_same_in_a_scope)
{
    const tg_op *op = ops[_i];
    tg_tape *outer = t, *tape[2];
    for (int variant = 0, more = true; more; variant++) {
        for (int scoped = 0; scoped < 2; scoped++)
            more = probe(op, variant, scoped, &tape[scoped]);
        for (uint32_t i = 0; i < tape[0]->count; i++) {
            const tg_node *x = tape[0]->nodes[i], *s = tape[1]->nodes[i + 1]; /* a marker before */
            if (x->op || !x->has_grad)
                continue;
            ck_assert(!s->op && s->has_grad);
            ck_assert_msg(memcmp(x->grad, s->grad, tg_grad_bytes(x)) == 0, "%s probe %d: leaf %u", op->name, variant,
                          i);
        }
        tg_tape_free(tape[0]);
        tg_tape_free(tape[1]);
    }
    t = outer;
}
END_TEST

/* ---- replay, copies, the gradient check ---- */

START_TEST(a_replay_computes_scopes_anew)
{
    double numbers[2][80], got[2][80];
    tg_tensor x[2], up[2], y[2];
    for (int scoped = 0; scoped < 2; scoped++) {
        tg_manual_seed(t, 3);
        x[scoped] = parameter(TG_SHAPE(2, 5, 8));
        up[scoped] = parameter(TG_SHAPE(8, 8));
        tg_mark mark = tg_tape_mark(t);
        y[scoped] = x[scoped];
        for (int i = 0; i < 3; i++) {
            begin(scoped);
            y[scoped] = end(scoped, block(y[scoped], up[scoped], up[scoped]));
        }
        tg_tensor loss = mean_square(y[scoped]);
        tg_fill_(x[scoped], 0.25);
        must(tg_replay(t, mark));
        must(tg_replay(t, mark)); /* other masks than before */
        must(tg_backward(loss));
        must(tg_read_doubles(y[scoped], numbers[scoped], 80));
        must(tg_read_doubles(tg_grad(x[scoped]), got[scoped], 80));
        tg_tape_rewind(t, mark);
    }
    ck_assert_mem_eq(numbers[0], numbers[1], sizeof numbers[0]);
    ck_assert_mem_eq(got[0], got[1], sizeof got[0]);
}
END_TEST

START_TEST(a_failed_replay_leaves_nothing_behind)
{
    tg_tensor ids = tg_from_ints(t, TG_SHAPE(2), (int64_t[]){1, 0}), w = parameter(TG_SHAPE(3, 2));
    tg_mark mark = tg_tape_mark(t);
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_exp(tg_embedding(tg_mul_scalar(w, 2), ids)));
    tg_tensor loss = mean_square(y);
    must(tg_write_ints(ids, (int64_t[]){1, 7}, 2));
    ck_assert_int_eq(tg_replay(t, mark), TG_ERR_INDEX);
    WANT_ERROR(t, TG_ERR_INDEX, "embedding", "7");
    ck_assert_int_eq(tg_backward(loss), TG_ERR_STATE);
    WANT_ERROR(t, TG_ERR_STATE, "backward", "tg_replay failed at embedding");
    must(tg_write_ints(ids, (int64_t[]){1, 2}, 2));
    must(tg_replay(t, mark));
    must(tg_backward(loss));
}
END_TEST

START_TEST(the_gradient_check_sees_through_scopes)
{
    for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
        tg_tape *outer = t;
        tg_tensor leaf[LEAVES] = {{0}};
        t = tg_tape_new((tg_dtype)dtype);
        tg_manual_seed(t, 4);
        tg_tensor loss = stack(leaf, true);
        must(tg_gradcheck(loss, TG_GRADCHECK_DEFAULTS, NULL));
        must(tg_backward(loss));
        tg_tape_free(t);
        t = outer;
    }
}
END_TEST

START_TEST(the_gradient_check_knows_every_result)
{
    for (kind = 0; kind < 8; kind++) { /* 8 is detached */
        tg_tensor leaf[LEAVES] = {{0}};
        must(tg_gradcheck(results(leaf, true), TG_GRADCHECK_DEFAULTS, NULL));
    }
}
END_TEST

/* With the mask shifted by one when backward computes it again, as from another state of the generator. */
static tg_status draw_again(tg_node *y) {
    tg_status bad = tg_op_dropout.forward[TG_F64](y);
    double *mask = y->saved, first = mask[0];
    if (bad || !y->tape->checkpoint.marker || y->tape->checkpoint.depth)
        return bad;
    memmove(mask, mask + 1, (size_t)(y->numel - 1) * sizeof *mask);
    mask[y->numel - 1] = first;
    for (int64_t j = 0; j < y->numel; j++)
        ((double *)y->data)[j] = mask[j] * ((double *)y->in[0]->data)[j];
    return TG_OK;
}

START_TEST(a_scope_that_draws_anew_is_found)
{
    tg_gradcheck_result r;
    tg_op redrawn = tg_op_dropout;
    redrawn.forward[TG_F64] = draw_again;
    tg_tensor x = parameter(TG_SHAPE(4, 6));
    tg_checkpoint_begin(t);
    tg_tensor dropped = tg_dropout(tg_exp(x), 0.5);
    tg_tensor y = tg_checkpoint_end(t, tg_square(dropped));
    must(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, NULL));
    t->nodes[dropped.index]->op = &redrawn;
    ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    tg_clear_error(t);
    ck_assert_str_eq(r.op, "dropout");
    ck_assert_uint_eq(r.tensor, dropped.index);
    ck_assert_int_eq(r.mistake, TG_MISTAKE_REDRAWN);
    ck_assert_msg(strstr(r.diagnosis, "computed again in backward"), "%s", r.diagnosis);
    ck_assert_int_eq(r.operand, 0);
    ck_assert(t->nodes[dropped.index]->parked);
    must(tg_copy_(x, tg_mul_scalar(tg_detach(x), 0.5)));
    must(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r)); /* the forward is of other numbers: nothing can be said */
}
END_TEST

/* The last square of results(): whatever lies before it, with gaps or expanded, is looked at with care. */
START_TEST(a_wrong_gradient_behind_any_result_is_found)
{
    tg_op wrong = tg_op_square;
    memset(wrong.wide, 0, sizeof wrong.wide);
    wrong.row_vjp[TG_F64] = tg_op_sin.row_vjp[TG_F64]; /* reads x, as square's does */
    for (kind = 0; kind < 7; kind++) {
        tg_tensor leaf[LEAVES] = {{0}};
        tg_gradcheck_result r;
        tg_tensor y = results(leaf, true);
        uint32_t at = y.index;
        while (t->nodes[at]->op != &tg_op_square)
            at--;
        t->nodes[at]->op = &wrong;
        ck_assert_int_eq(tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
        tg_clear_error(t);
        ck_assert_str_eq(r.op, "square");
        t->nodes[at]->op = &tg_op_square;
    }
}
END_TEST

START_TEST(a_wrong_gradient_after_a_scope_is_found)
{
    tg_tensor x = parameter(TG_SHAPE(4, 6));
    tg_gradcheck_result r;
    tg_checkpoint_begin(t);
    tg_tensor y = tg_checkpoint_end(t, tg_slice(tg_transpose(tg_exp(x), 0, 1), 0, 0, 6, 2));
    tg_tensor z = tg_square(y);
    tg_op wrong = tg_op_square;
    memset(wrong.wide, 0, sizeof wrong.wide);
    wrong.row_vjp[TG_F64] = tg_op_sin.row_vjp[TG_F64]; /* reads x, as square's does */ /* dx = dy y */
    t->nodes[z.index]->op = &wrong;
    ck_assert_int_eq(tg_gradcheck(z, TG_GRADCHECK_DEFAULTS, &r), TG_ERR_NUMERIC);
    tg_clear_error(t);
    ck_assert_str_eq(r.op, "square");
    ck_assert_int_eq(r.wrong_ops, 1);
}
END_TEST

START_TEST(a_copy_of_the_tape_has_everything)
{
    tg_tensor leaf[LEAVES] = {{0}}, x = stack(leaf, true);
    tg_checkpoint_begin(t);
    tg_tensor apart = tg_slice(tg_mul(x, tg_rand(t, TG_SHAPE(4, 6))), 1, 1, 6, 2);
    tg_tensor loss = mean_square(tg_checkpoint_end(t, apart));
    tg_tape *to = tg_tape_cast(t, TG_F64);
    ck_assert_ptr_nonnull(to);
    tg_tensor copy = loss, copied = leaf[1];
    copy.tape = copied.tape = to;
    must(tg_backward(loss));
    ck_assert_int_eq(tg_backward(copy), TG_OK);
    double grad[2][128];
    must(tg_read_doubles(tg_grad(leaf[1]), grad[0], 128));
    ck_assert_int_eq(tg_read_doubles(tg_grad(copied), grad[1], 128), TG_OK);
    ck_assert_mem_eq(grad[0], grad[1], sizeof grad[0]);
    for (uint32_t i = 0; i < to->count; i++)
        ck_assert(!to->nodes[i]->parked && to->nodes[i]->data);
    const tg_node *y = to->nodes[loss.index - 2], *original = t->nodes[loss.index - 2];
    ck_assert_int_eq(y->op->kind, TG_OP_SCOPE_END);
    ck_assert_mem_eq(y->data, original->data, (size_t)tg_span(y) * sizeof(double));
    tg_tape_free(to);
}
END_TEST

/* ---- memory ---- */

static double peak(bool scoped) {
    enum { LAYERS = 12, T = 64, C = 32 };
    tg_tape *tape = tg_tape_new(TG_F32);
    tg_tensor x = tg_randn(tape, TG_SHAPE(T, C));
    tg_tensor up = tg_set_requires_grad(tg_randn(tape, TG_SHAPE(4 * C, C)), true);
    tg_tensor down = tg_set_requires_grad(tg_randn(tape, TG_SHAPE(C, 4 * C)), true);
    size_t before = tg_tape_memory(tape).used;
    for (int i = 0; i < LAYERS; i++) {
        if (scoped)
            tg_checkpoint_begin(tape);
        tg_tensor h = tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5);
        x = tg_add(x, tg_linear(tg_gelu(tg_linear(h, up, TG_NULL)), down, TG_NULL));
        if (scoped)
            x = tg_checkpoint_end(tape, x);
    }
    ck_assert_int_eq(tg_backward(tg_mean(tg_square(x), TG_ALL_DIMS, false)), TG_OK);
    double bytes = (double)(tg_tape_memory(tape).used_peak - before);
    tg_tape_free(tape);
    return bytes;
}

START_TEST(twelve_layers_need_a_third_of_the_memory)
{
    double without = peak(false), with = peak(true);
    ck_assert_msg(with < without / 3, "%.0f of %.0f bytes: %.2f", with, without, with / without);
}
END_TEST

START_TEST(a_steady_loop_allocates_nothing)
{
    counter c = {.refuse = -1};
    tg_tape *outer = t;
    t = tg_tape_new_with(TG_F32, &(tg_allocator){get, put, &c});
    tg_tensor x = parameter(TG_SHAPE(200, 30));
    tg_mark mark = tg_tape_mark(t);
    int64_t calls = 0;
    size_t used = 0;
    for (int step = 0; step < 10; step++) {
        tg_tensor y = x;
        for (int i = 0; i < 4; i++) { /* scopes of different sizes */
            tg_checkpoint_begin(t);
            tg_tensor h = tg_dropout(tg_exp(tg_tanh(y)), 0.1);
            if (i % 2)
                h = tg_matmul(tg_softmax(tg_matmul(h, tg_transpose(h, 0, 1)), -1), h);
            y = tg_checkpoint_end(t, h);
        }
        must(tg_backward(mean_square(y)));
        must(tg_replay(t, mark));
        must(tg_tape_rewind(t, mark));
        if (step == 2)
            calls = c.calls, used = tg_tape_memory(t).used;
    }
    ck_assert_int_eq(c.calls, calls);
    ck_assert(tg_tape_memory(t).used == used);
    tg_tape_free(t);
    t = outer;
}
END_TEST

START_TEST(out_of_memory_in_backward_changes_no_gradient)
{
    counter c = {.refuse = -1};
    tg_tape *outer = t;
    double before[12], after[12];
    int failures = 0;
    for (int64_t n = 0; n < 40; n++) {
        c = (counter){.refuse = -1};
        t = tg_tape_new_with(TG_F64, &(tg_allocator){get, put, &c});
        tg_tensor x = parameter(TG_SHAPE(3, 4)), y = x;
        must(tg_backward(mean_square(x)));
        must(tg_read_doubles(tg_grad(x), before, 12));
        for (int i = 0; i < 3; i++) {
            tg_checkpoint_begin(t);
            y = tg_checkpoint_end(t, tg_exp(tg_tanh(tg_dropout(y, 0.5))));
        }
        tg_tensor loss = mean_square(y);
        tg_arena_free(t, &t->arena.scope); /* so that its memory has to be asked for again, by little pieces */
        t->arena.scope.next_size = t->pool.arena.next_size = 1;
        t->pool.arena.left = 0;
        c.refuse = c.calls + n;
        bool failed = tg_backward(loss) != TG_OK;
        failures += failed;
        if (failed)
            WANT_ERROR(t, TG_ERR_MEMORY, "out of memory");
        c.refuse = -1;
        must(tg_read_doubles(tg_grad(x), after, 12));
        ck_assert_int_eq(failed, memcmp(before, after, sizeof before) == 0);
        for (uint32_t i = 0; i < t->count; i++)
            ck_assert(!t->nodes[i]->op || !t->nodes[i]->has_grad);
        must(tg_backward(loss));
        tg_tape_free(t);
    }
    ck_assert_int_gt(failures, 5);
    t = outer;
}
END_TEST

int main(void) {
    const TTest *const all[] = {
        a_stack_with_dropout_is_the_same,
        views_are_the_same,
        any_tensor_can_be_the_result,
        nested_scopes_are_the_same,
        drawing_in_a_scope_is_the_same,
        scopes_that_use_one_another_are_the_same,
        a_replay_computes_scopes_anew,
        a_failed_replay_leaves_nothing_behind,
        the_gradient_check_sees_through_scopes,
        the_gradient_check_knows_every_result,
        a_scope_that_draws_anew_is_found,
        a_wrong_gradient_behind_any_result_is_found,
        a_wrong_gradient_after_a_scope_is_found,
        a_copy_of_the_tape_has_everything,
        twelve_layers_need_a_third_of_the_memory,
        a_steady_loop_allocates_nothing,
        out_of_memory_in_backward_changes_no_gradient,
    };
    TCase *c = tcase_create("checkpoint");
    tcase_add_checked_fixture(c, start, stop);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tcase_add_test(c, all[i]);
    tcase_add_loop_test(c, every_op_is_the_same_in_a_scope, 0, N_OPS);
    return run_suite("checkpoint", c);
}
