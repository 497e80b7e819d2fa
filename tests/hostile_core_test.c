/* No argument crashes a function of core/tapegrad.h. Every public function is called again and again with arguments
 * from pools of what a careless or hostile program could pass: NULL, zeroed and stale structs, wild sizes, enums and
 * numbers. Most worth under `make asan`. Beyond not crashing:
 *   a null tensor comes with an error on the first tape that an operand names;
 *   the tape serves again once the error is cleared. */
#include "tests/operations.h"
#include "tests/support.h"

#include <dirent.h>
#include <float.h>
#include <limits.h>

static tg_tape *t, *other;
static FILE *sink;
static tg_rng_state dice;
static tg_mark built, wrong_mark;
static tg_tensor stale, last;
static bool named; /* an argument of this call names t */
static const char *call;

static uint64_t roll(size_t n) { return tg_rng_random(&dice) % n; }
#define PICK(pool) roll(sizeof(pool) / sizeof *(pool)) /* the index of one of its elements */

/* ---- pools ---- */

enum { TENSORS = 16, WIDE = 300, NUMBERS = 4096 };
static tg_tensor tensor[TENSORS], many[WIDE];
static double numbers[NUMBERS];
static char folder[200], model[256];

static tg_tape *T(void) {
    named = roll(16) != 0;
    return named ? t : NULL;
}

static tg_tensor X(void) {
    static const uint32_t wild[] = {0, 1, 77, UINT32_MAX};
    tg_tensor x = tensor[roll(TENSORS)];
    switch (roll(16)) {
    case 0: x = TG_NULL; break;
    case 1: x = stale; break;
    case 2: x = (tg_tensor){other, 0, 1}; break;
    case 3: x = (tg_tensor){t, wild[PICK(wild)], wild[PICK(wild)]}; break;
    case 4: x = (tg_tensor){NULL, 3, 1}; break;
    case 5:
    case 6: x = tg_is_null(last) ? x : last; break;
    default: break;
    }
    named |= x.tape == t;
    return x;
}

static double D(void) {
    static const double pool[] = {0,      1,       -1,       0.5,         2,           1e-5,     -0.0,     1e300,
                                  -1e300, DBL_MAX, -DBL_MAX, DBL_MIN / 4, (double)NAN, INFINITY, -INFINITY};
    return pool[PICK(pool)];
}
static int I(void) {
    static const int pool[] = {0, 1, -1, 2, -2, 3, 7, 8, -8, -9, 100, INT_MAX, INT_MIN};
    return pool[PICK(pool)];
}
static int64_t L(void) {
    static const int64_t pool[] = {0, 1, -1, 2, 3, 6, -3, 100, INT64_C(1) << 40, INT64_MAX, INT64_MIN, INT64_MAX - 1};
    return pool[PICK(pool)];
}
static tg_shape S(void) {
    static const int ranks[] = {0, 1, 2, 3, 8, 9, -1, INT_MAX, INT_MIN};
    static const int64_t sizes[] = {1, 2, 3, 1, 2, 3, 0, -1, -2, INT64_C(1) << 40, INT64_MAX, INT64_MIN};
    tg_shape s = {.ndim = ranks[PICK(ranks)]};
    for (int i = 0; i < TG_MAX_DIMS; i++)
        s.size[i] = sizes[PICK(sizes)];
    return roll(3) ? s : roll(2) ? TG_SHAPE(2, 3) : TG_SHAPE(3);
}
static tg_dims DIMS(void) {
    static const int ranks[] = {0, 1, 2, 1, 2, 8, 9, -1, INT_MAX, INT_MIN};
    tg_dims d = {.ndim = ranks[PICK(ranks)]};
    for (int i = 0; i < TG_MAX_DIMS; i++)
        d.dim[i] = roll(2) ? (int)roll(2) : I();
    return d;
}
static bool B(void) { return roll(2) != 0; }
static int E(void) { return roll(2) ? (int)roll(3) : I(); } /* an enum */
static const char *TEXT(void) {
    static const char *const pool[] = {NULL, "", "w", "a", "/", "a.b", "\xff\xfe", "%s%n", "\n"};
    return pool[PICK(pool)];
}
static const char *PATH(void) {
    static const char *const pool[] = {NULL, "", "/", ".", "/nowhere/at/all", "/dev/full", model};
    return pool[PICK(pool)];
}
static FILE *F(void) { return roll(4) ? sink : NULL; }
/* An array of NUMBERS elements of any type, or NULL. */
static void *A(void) { return roll(5) ? memset(numbers, 0, sizeof numbers) : NULL; }
static tg_mark M(void) {
    switch (roll(4)) {
    case 0: return (tg_mark){0};
    case 1: return wrong_mark;
    case 2: return tg_tape_mark(other);
    default: return built;
    }
}
/* n <= WIDE handles, or NULL. */
static const tg_tensor *XS(void) {
    bool before = named;
    for (int i = 0; i < WIDE; i++)
        many[i] = roll(3) && i ? many[i - 1] : X();
    named = before;
    return roll(8) ? many : NULL;
}
static int N(void) {
    static const int pool[] = {0, 1, 2, 3, 17, 256, WIDE, -1, INT_MIN};
    return pool[PICK(pool)];
}

static int hook(void *grad, int64_t n, tg_tensor x, void *context) {
    (void)grad, (void)n, (void)x, (void)context;
    return (int)roll(2);
}
static int ready(int block, void *gradient, int64_t n, void *context) {
    (void)block, (void)gradient, (void)n, (void)context;
    return roll(4) == 0;
}
static int callback(const tg_call *c) {
    (void)c;
    return (int)roll(3) == 0;
}
static const tg_custom_op *OP(void) {
    static const tg_custom_op ops[] = {{"full", callback, callback, callback, callback},
                                       {"half", callback, NULL, NULL, callback},
                                       {NULL, callback, callback, callback, callback},
                                       {"none", NULL, NULL, NULL, NULL}};
    return roll(5) ? &ops[PICK(ops)] : NULL;
}

static int custom_branches(const tg_call *c, int64_t *branch) {
    (void)c, (void)branch;
    return roll(4) == 0;
}

static void custom_grad(const tg_tensor *x, int n, tg_tensor y, tg_tensor dy, tg_tensor *dx, const void *context) {
    (void)y, (void)context;
    for (int i = 0; i < n; i++)
        dx[i] = roll(2) ? dy : roll(2) ? x[0] : X();
}

static void custom_grads(const tg_tensor *x, int n, const tg_tensor *y, const tg_tensor *dy, int n_outputs,
                         tg_tensor *dx, const void *context) {
    (void)context;
    for (int i = 0; i < n; i++)
        dx[i] = roll(2) ? dy[roll((uint64_t)n_outputs)] : roll(2) ? y[0] : x[0];
}

static void piece(void *context, int64_t begin, int64_t end) { (void)context, (void)begin, (void)end; }

static void visit(const tg_file_tensor *x, void *context) { (void)x, (void)context; }

/* ---- what must hold after each call ---- */

static void settle(void) {
    if (tg_tape_status(t))
        ck_assert_msg(tg_error(t)[0] && !strchr(tg_error(t), '\n'), "%s: '%s'", call, tg_error(t));
    tg_clear_error(t);
    tg_clear_error(other);
    named = false;
}

static void check_tensor(tg_tensor y) {
    ck_assert_msg(!tg_is_null(y) || !named || tg_tape_status(t) || tg_tape_status(other),
                  "%s gave a null tensor without an error", call);
    if (!tg_is_null(y) && y.tape == t && !tg_tape_status(t) && tg_numel(y) <= 64)
        last = y;
    settle();
}

/* A call that returns a tensor, and one that returns something else. */
#define Y(expression) (call = #expression, check_tensor(expression))
#define DO(expression) (call = #expression, (void)!(expression), settle())
#define RUN(expression) (call = #expression, (expression), settle())

static void make_leaves(void) {
    Y(tg_zeros(T(), S()));
    Y(tg_ones(T(), S()));
    Y(tg_full(T(), S(), D()));
    Y(tg_scalar(T(), D()));
    Y(tg_arange(T(), L()));
    Y(tg_from_floats(T(), TG_SHAPE(2, 3), A()));
    Y(tg_from_doubles(T(), (tg_shape){9, {1, 1, 1, 1, 1, 1, 1, 1}}, A()));
    Y(tg_from_ints(T(), TG_SHAPE(3), A()));
    Y(tg_from_bools(T(), TG_SHAPE(2, 3), A()));
    Y(tg_from_doubles(T(), S(), NULL));
    Y(tg_rand(T(), S()));
    Y(tg_randn(T(), S()));
    Y(tg_randint(T(), L(), L(), S()));
    Y(tg_randperm(T(), L()));
    Y(tg_eye(T(), L()));
    Y(tg_linspace(T(), D(), D(), L()));
    Y(tg_multinomial(X(), L(), B()));
    Y(tg_uniform_(X(), D(), D()));
    Y(tg_normal_(X(), D(), D()));
    Y(tg_bernoulli_(X(), D()));
    Y(tg_fill_(X(), D()));
    Y(tg_kaiming_uniform_(X(), D()));
    Y(tg_kaiming_normal_(X(), D()));
    Y(tg_xavier_uniform_(X(), D()));
    Y(tg_xavier_normal_(X(), D()));
    Y(tg_trunc_normal_(X(), D(), D(), D(), D()));
    Y(tg_parameter(T(), TEXT(), X()));
    Y(tg_buffer(T(), TEXT(), X()));
    Y(tg_named(T(), TEXT()));
    RUN(tg_name_push(T(), "%s", "a"));
    RUN((void)tg_name_path(T()));
    RUN(tg_name_pop(T()));
    DO(tg_set_adapter(X(), (tg_adapter){X(), X(), D(), D(), roll(2)}));
    RUN((void)tg_adapter_of(X()));
    DO(tg_check_adapter(X()));
    DO(tg_set_adapter(X(), (tg_adapter){.scaling = 1}));
    RUN(tg_manual_seed(T(), roll(SIZE_MAX)));
    tg_rng_state rng = tg_get_rng_state(T());
    rng.left = (uint32_t)L();
    rng.next = (uint32_t)L();
    DO(tg_set_rng_state(T(), roll(4) ? &rng : NULL));
}

static void ask(void) {
    DO(tg_read_floats(X(), A(), L()));
    DO(tg_read_doubles(X(), A(), L()));
    DO(tg_read_ints(X(), A(), L()));
    DO(tg_write_floats(X(), A(), L()));
    DO(tg_write_doubles(X(), A(), L()));
    DO(tg_write_ints(X(), A(), L()));
    DO(tg_write_grad(X(), A(), L()));
    DO(tg_grad_data(X()));
    DO(tg_copy_(X(), X()));
    DO(isnan(tg_item(X())));
    DO(tg_data(X()));
    DO(tg_const_data(X()));
    DO(tg_is_null(X()));
    DO(tg_dtype_of(X()));
    RUN((void)tg_shape_of(X()));
    DO(tg_ndim(X()));
    DO(tg_size(X(), I()));
    DO(tg_stride(X(), I()));
    DO(tg_numel(X()));
    DO(tg_is_contiguous(X()));
    DO(tg_is_leaf(X()));
    DO(tg_name(X()));
    RUN((void)tg_parameters(T()));
    RUN((void)tg_parameters_under(T(), TEXT()));
    RUN((void)tg_parameters_where(T(), (tg_selection){TEXT(), TEXT(), I(), I(), NULL, NULL}));
    RUN((void)tg_state(T()));
    size_t size = roll(3) * 40;
    DO(tg_format(X(), roll(4) ? (char *)A() : NULL, size));
    DO(tg_print(F(), X()));
    DO(tg_mistake_name((tg_mistake)I()));
    DO(tg_dtype_name((tg_dtype)I()));
    RUN((void)tg_describe(X()));
    char name[64];
    const char *text = TEXT();
    snprintf(name, sizeof name, "%s", text ? text : "");
    RUN(tg_make_printable(text ? name : NULL));
    tg_shape shape = S();
    RUN((void)tg_shape_text(roll(4) ? &shape : NULL));
    DO(tg_tape_of(X()));
    tg_tensor pair[] = {X(), X()};
    static const char *const kinds[] = {"ff", "iA", "b*", "F?"};
    DO(tg_operands(TEXT(), kinds[PICK(kinds)], N() % 3, roll(4) ? pair : NULL));
    DO(tg_reject(T(), (tg_status)I(), "%s", roll(4) ? "no" : "\n"));
    static const size_t counts[] = {0, 1, 7, SIZE_MAX, SIZE_MAX / 2};
    DO(tg_tape_alloc(T(), counts[PICK(counts)], counts[PICK(counts)]));
    static const char *const labels[] = {"a", NULL, "\n", "b", "c", "d", "e", "f"};
    DO(tg_graph_dot(F(), X()));
    DO(tg_graph_svg(F(), X()));
    DO(tg_heatmap_svg(F(), tensor[roll(2)], TEXT(), labels, roll(2) ? labels : NULL));
    DO(tg_heatmap_svg(F(), X(), TEXT(), NULL, NULL));
    DO(tg_lines_svg(F(), tensor[roll(2)], TEXT(), roll(2) ? labels : NULL));
    DO(tg_lines_svg(F(), X(), TEXT(), NULL));
    DO(tg_lines_svg_with(F(), tensor[roll(2)], (tg_lines_config){TEXT(), TEXT(), TEXT(), NULL, D(), D(), roll(2)}));
    DO(tg_tape_dtype(T()));
    RUN((void)tg_tape_memory(T()));
    DO(tg_tape_status(T()));
    DO(tg_error(T()));
    RUN(tg_clear_error(T()));
    DO(tg_is_training(T()));
    DO(tg_warning());
    DO(tg_version());
    DO(tg_instruction_set());
    DO(tg_get_threads());
}

/* ---- operations: those of the table ---- */

/* Tensors in a struct are no operands, of which a null result tells. */
static void fill_structs(arguments *a) {
    bool before = named;
    a->rope_config = roll(4) ? (tg_rope_config){D(), L(), L(), B()} : TG_ROPE_DEFAULTS;
    a->rope_scaling = (tg_rope_scaling){(tg_rope_type)E(), D(), D(), D(), D(), D(), D(), D(), D(), D(), B()};
    a->cross_entropy_config = (tg_cross_entropy_config){X(), D(), L(), (tg_reduction)E()};
    a->attention_config = (tg_attention_config){X(), X(), X(), X(), B(), B(), L(), L(), D(), D(), D()};
    if (roll(2))
        a->attention_config.mask = a->attention_config.alibi = a->attention_config.documents = TG_NULL;
    named = before;
}

/* Now and then all operands are one. */
static void fill_tensors(arguments *a, int n) {
    bool same = roll(8) == 0;
    for (int i = 0; i < n; i++)
        a->x[i] = same && i ? a->x[0] : X();
}

static void call_operation(const operation *o) {
    tg_tensor index;
    arguments a = {.flag = B(), .dims = DIMS(), .shape = S(), .reduction = (tg_reduction)E()};
    fill_structs(&a);
    fill_tensors(&a, strchr(o->types, 'p') ? MAX_TENSORS : operation_tensors(o));
    for (int i = 0; i < MAX_INTEGERS; i++)
        a.i[i] = roll(2) ? I() : L();
    for (int i = 0; i < MAX_NUMBERS_GIVEN; i++)
        a.d[i] = D();
    a.n = N();
    a.n = a.n > MAX_TENSORS ? MAX_TENSORS : a.n;
    a.index = roll(2) ? &index : NULL;
    call = o->name;
    tg_tensor y = o->call(&a);
    if (strchr(o->types, 'p')) /* of a list, none of which may be looked at */
        settle();
    else
        check_tensor(y);
}

static void call_operations(void) {
    for (int i = 0; i < n_operations / 2; i++)
        call_operation(&operations[roll((size_t)n_operations)]);
}

static void call_others(void) {
    tg_tensor parts[WIDE];
    DO(tg_split(X(), L(), I(), roll(4) ? parts : NULL, N()));
    RUN(tg_cat(XS(), N(), I()));
    RUN(tg_stack(XS(), N(), I()));
    size_t sizes[] = {0, 8, SIZE_MAX, SIZE_MAX / 2}, size = sizes[PICK(sizes)];
    RUN(tg_custom(OP(), XS(), N(), S(), size <= 8 ? A() : NULL, size));
    tg_tensor x = X();
    RUN(tg_custom(OP(), &x, 1, TG_SHAPE(3), NULL, 0));
    tg_shape shapes[] = {S(), TG_SHAPE(3), S()};
    tg_tensor out[16];
    tg_custom_config several = {N(), shapes, roll(2) ? 5 : L(), A(), size, roll(2) ? custom_grads : NULL};
    several.n_outputs = several.n_outputs > 3 && several.n_outputs < 17 ? 3 : several.n_outputs; /* as many as shapes */
    several.context_size = size <= 8 || !several.context ? size : 0;
    several.shape = several.n_outputs <= 3 && roll(8) ? shapes : NULL;
    DO(tg_custom_with(OP(), XS(), N(), several, roll(8) ? out : NULL));
    several = (tg_custom_config){2, shapes + roll(2), 3, NULL, 0, custom_grads};
    if (!tg_custom_with(OP(), &x, 1, several, out))
        last = out[roll(2)];
    DO(tg_custom_set_branches(last, custom_branches));
}

static void gradients(void) {
    Y(tg_set_requires_grad(X(), B()));
    DO(tg_requires_grad(X()));
    DO(tg_has_grad(X()));
    DO(tg_retain_grad(X()));
    DO(tg_register_hook(X(), roll(2) ? hook : NULL, NULL));
    int64_t in_block;
    DO(tg_flatten_gradients((tg_list){roll(4) ? t : other, N(), XS()}, (size_t)roll(200), (size_t)roll(200),
                            roll(4) ? ready : NULL, NULL));
    RUN(tg_set_ready(T(), B()));
    RUN(tg_gradient_blocks(T()));
    DO(tg_parameters_to_vector((tg_list){roll(4) ? t : other, N(), XS()}, A(), L()));
    DO(tg_vector_to_parameters(A(), L(), (tg_list){roll(4) ? t : other, N(), XS()}));
    RUN(tg_gradient_block(T(), I(), roll(2) ? &in_block : NULL));
    RUN(tg_fingerprint((tg_list){roll(4) ? t : other, N(), XS()}));
    DO(tg_backward(X()));
    DO(tg_backward_with(X(), X()));
    tg_tensor dx[WIDE], y = X(), xs[2] = {X(), X()};
    DO(tg_gradients(y, X(), XS(), N(), roll(4) ? dx : NULL));
    DO(tg_gradients(y, TG_NULL, xs, 2, dx));
    DO(tg_jvp(y, XS(), roll(4) ? xs : NULL, (int)roll(3), roll(4) ? dx : NULL));
    DO(tg_hvp(y, xs, roll(4) ? xs : NULL, (int)roll(3), roll(4) ? dx : NULL));
    Y(tg_jacobian(X(), X()));
    Y(tg_hessian(X(), X()));
    tg_second_result second;
    memset(&second, 0, sizeof second);
    DO(tg_gradcheck_second(X(), roll(100), roll(2) ? &second : NULL));
    DO(tg_gradcheck_second_print(F(), roll(4) ? &second : NULL));
    DO(tg_custom_set_grad(X(), roll(2) ? custom_grad : NULL));
    DO(tg_custom_set_branches(X(), roll(2) ? custom_branches : NULL));
    Y(tg_grad(X()));
    RUN(tg_zero_grad(X()));
    RUN(tg_zero_grads(T()));
    RUN(tg_no_grad_begin(T()));
    RUN(tg_no_grad_end(T()));
    RUN(tg_no_grad_end(T()));
    RUN(tg_checkpoint_begin(T()));
    Y(tg_checkpoint_end(T(), X()));
    Y(tg_checkpoint_end(T(), X()));
    RUN(tg_set_anomaly_mode(T(), B()));
    RUN(tg_log_backward(T(), B() ? F() : NULL));
    RUN(tg_set_profile(T(), B()));
    DO(tg_profile_print(F(), T()));
    RUN(tg_train(T()));
    RUN(tg_eval(T()));
    tg_gradcheck_config config = {
        .mode = (tg_gradcheck_mode)E(), .eps = D(), .atol = D(), .rtol = D(), .directions = (int)roll(6) - 2};
    static tg_gradcheck_result result;
    DO(tg_gradcheck(X(), roll(2) ? config : TG_GRADCHECK_DEFAULTS, roll(2) ? &result : NULL));
    Y(tg_numeric_gradient(X(), X(), D()));
    DO(tg_gradcheck_print(F(), roll(4) ? &result : NULL));
    DO(tg_gradcheck_print_json(F(), roll(4) ? &result : NULL));
}

static void tapes(void) {
    static const tg_allocator none = {NULL, NULL, NULL};
    tg_tape *made = tg_tape_new((tg_dtype)E());
    tg_tape_free(made);
    made = tg_tape_new_with((tg_dtype)E(), roll(2) ? &none : NULL);
    tg_tape_free(made);
    tg_tape_free(NULL);
    RUN((void)tg_tape_mark(T()));
    RUN(tg_set_threads(I()));
    int64_t count = L();
    RUN(tg_parallel_for(count, count > 1000 ? count / 3 : L(), roll(4) ? piece : NULL, NULL));
    DO(tg_save(T(), PATH()));
    DO(tg_load(T(), PATH()));
    DO(tg_save_npy(X(), PATH()));
    DO(tg_is_null(tg_load_npy(T(), PATH())));
    const tg_file_rule rules[] = {{PATH(), PATH(), B(), (int)roll(3) - 1, (int)roll(4) - 1}, {"*", TEXT(), B(), 0, 0}};
    tg_load_config how = {.only = {t, N(), XS()}, .rule = roll(4) ? rules : NULL, .n_rules = (int)roll(3)};
    how.allow_missing = how.allow_extra = true;
    DO(tg_load_with(T(), PATH(), how));
    DO(tg_check_save(T(), PATH()));
    DO(tg_list_file(T(), PATH(), roll(4) ? visit : NULL, NULL));
    static const char *const metadata[] = {"key", NULL};
    tg_save_config config = {.only = {roll(2) ? t : NULL, N(), XS()}, .dtype = TEXT()};
    config.metadata = roll(2) ? metadata : NULL;
    config.rule = roll(4) ? rules : NULL;
    config.n_rules = (int)roll(3);
    DO(tg_save_with(T(), PATH(), roll(2) ? config : TG_SAVE_DEFAULTS));
    DO(tg_replay(T(), M()));
    if (roll(4) == 0) {
        DO(tg_tape_rewind(T(), M()));
        last = TG_NULL;
    }
}

/* ---- the walk ---- */

static void begin(void) {
    t = small_machine(TG_F64);
    other = tg_tape_new(TG_F64);
    tg_scalar(other, 1);
    tensor[0] = tg_parameter(t, "w", MATRIX(t, 2, 3, 1, 2, 3, 4, 5, 6));
    tensor[1] = VECTOR(t, 1, 2, 3);
    tensor[2] = wanting(tg_zeros(t, TG_SHAPE(3, 3)));
    tensor[3] = tg_transpose(tensor[0], 0, 1);
    tensor[4] = tg_expand(tensor[1], TG_SHAPE(2, 3));
    tensor[5] = wanting(tg_scalar(t, 7));
    tensor[6] = tg_from_ints(t, TG_SHAPE(3), (int64_t[]){0, 2, 1});
    tensor[7] = tg_from_ints(t, TG_SHAPE(2, 3), (int64_t[]){INT64_MAX, INT64_MIN, -1, 0, 1, 2});
    tensor[8] = tg_from_bools(t, TG_SHAPE(2, 3), (bool[]){true, false, true, false, false, true});
    tensor[9] = tg_zeros(t, TG_SHAPE(0, 3));
    tensor[10] = tg_ones(t, TG_SHAPE(1, 1, 1, 1, 1, 1, 1, 1));
    tensor[11] = wanting(VECTOR(t, NAN, INFINITY, -INFINITY));
    tensor[12] = tg_mul(tensor[0], tensor[4]);
    tensor[13] = wanting(tg_randn(t, TG_SHAPE(2, 3, 4)));
    tensor[14] = tg_zeros(t, TG_SHAPE(0, INT64_C(1) << 40));
    tg_checkpoint_begin(t);
    tensor[15] = tg_exp(tensor[12]);
    tg_checkpoint_end(t, tg_neg(tensor[15])); /* 15: parked */
    WANT_OK(t);
    built = tg_tape_mark(t);
    stale = VECTOR(t, 1, 2, 3);
    tg_exp(stale);
    wrong_mark = tg_tape_mark(t);
    ck_assert_int_eq(tg_tape_rewind(t, built), TG_OK);
    sink = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(sink);
}

/* Hooks that fail, modes and scopes that were left on: the tape is as new after a rewind. */
static void recover(void) {
    tg_clear_error(t);
    ck_assert_msg(tg_tape_rewind(t, built) == TG_OK, "%s", tg_error(t));
    last = TG_NULL;
    tg_set_anomaly_mode(t, false);
    tg_log_backward(t, NULL);
    while (!tg_is_null(tg_checkpoint_end(t, tensor[5]))) /* none should be open */
        ;
    tg_clear_error(t);
    tg_no_grad_end(t);
    tg_no_grad_end(t);
    tg_set_threads(1);
    tg_set_ready(t, false);
    tg_tensor x = wanting(VECTOR(t, 1, 2, 3)), y = tg_sum(tg_square(x), TG_ALL_DIMS, false);
    ck_assert_msg(tg_backward(y) == TG_OK && tg_item(y) == 14, "%s", tg_error(t));
    WANT_GRAD(x, 2, 4, 6);
    WANT_OK(t);
}

START_TEST(no_argument_crashes_a_public_function)
{
    ck_assert(make_folder("hostile_core", folder, sizeof folder));
    snprintf(model, sizeof model, "%s/model.safetensors", folder);
    static void (*const calls[])(void) = {make_leaves, ask,  call_operations, call_operations, call_others,
                                          gradients,   tapes};
    for (uint64_t seed = 0; seed < 300; seed++) {
        memset(&dice, 0, sizeof dice);
        tg_tape *source = tg_tape_new(TG_F64);
        tg_manual_seed(source, seed);
        dice = tg_get_rng_state(source);
        tg_tape_free(source);
        begin();
        for (int round = 0; round < 25; round++) {
            for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
                calls[roll(sizeof calls / sizeof *calls)]();
            recover();
        }
        fclose(sink);
        tg_tape_free(t);
        tg_tape_free(other);
    }
    remove(model);
    ck_assert_msg(remove(folder) == 0, "something was left in %s", folder);
}
END_TEST

/* ---- every function is called: here, or as an operation of the table ---- */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read; run the tests from the top of the source tree", path);
    char *text = calloc(1, 1 << 18);
    ck_assert(fread(text, 1, (1 << 18) - 1, file) < (1 << 18) - 1);
    fclose(file);
    return text;
}

static bool mentions(const char *text, const char *name, size_t n) {
    for (const char *at = strstr(text, "tg_"); at; at = strstr(at + 1, "tg_"))
        if (strncmp(at, name, n) == 0 && strchr("(,;}", at[n]))
            return true;
    return false;
}

static bool is_operation(const char *name, size_t n) {
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)n, name);
    return operation_named(copy);
}

/* Checks the functions that a header declares; returns how many there are. */
static int check_header(const char *path, const char *self) {
    char *header = read_text(path);
    int n = 0;
    for (char *at = strstr(header, "\nTG_API "); at; at = strstr(at + 1, "\nTG_API "), n++) {
        char *open = strchr(at, '('), *name = open;
        while (strchr("abcdefghijklmnopqrstuvwxyz0123456789_", name[-1]))
            name--;
        ck_assert_msg(is_operation(name + 3, (size_t)(open - name - 3)) || mentions(self, name, (size_t)(open - name)),
                      "%.*s is not called here", (int)(open - name), name);
    }
    free(header);
    return n;
}

START_TEST(no_public_function_is_left_out)
{
    char *self = read_text("tests/hostile_core_test.c"), path[400];
    DIR *headers = opendir("core/tapegrad");
    ck_assert_msg(headers != NULL, "core/tapegrad cannot be read; run the tests from the top of the source tree");
    int n = 0;
    for (struct dirent *entry; (entry = readdir(headers));)
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "core/tapegrad/%s", entry->d_name);
            n += check_header(path, self);
        }
    closedir(headers);
    free(self);
    ck_assert_int_gt(n, 150);
}
END_TEST

int main(void) {
    const TTest *const all[] = {no_argument_crashes_a_public_function, no_public_function_is_left_out};
    return run_tests("hostile_core", all, sizeof all / sizeof *all, NULL, NULL);
}
