/* Every operation on its own probes: its gradient against central differences in float64, with each input frozen in
 * turn; and what holds for all of them: backward twice, replay, float32, strided inputs, modified inputs. */
#include "tests/operations.h"
#include "tests/ops.h"
#include "tests/support.h"

#include <dirent.h>

/* One probe, recorded. */
typedef struct instance {
    const tg_op *op;
    int variant;
    tg_tape *t;
    tg_mark start;
    tg_tensor y;
} instance;

static instance record(const tg_op *op, int variant, tg_dtype dtype, uint64_t seed) {
    instance p = {.op = op, .variant = variant, .t = tg_tape_new(dtype)};
    ck_assert_ptr_nonnull(p.t);
    tg_manual_seed(p.t, seed + (uint64_t)variant);
    p.start = tg_tape_mark(p.t);
    p.y = op->probe(p.t, variant);
    ck_assert_msg(tg_tape_status(p.t) == TG_OK, "%s probe %d: %s", op->name, variant, tg_error(p.t));
    return p;
}

static bool exists(const instance *p) { return !tg_is_null(p->y); }
static bool wants_grad(const tg_node *x) { return !x->op && x->requires_grad; }

/* All numbers of y, and the gradients of all leaves after backward from a fixed cotangent. */
typedef struct outcome {
    double *y, **grad;
    int64_t n;
    uint32_t n_leaves;
} outcome;

static double *numbers(tg_tensor x) {
    int64_t n = tg_numel(x);
    double *out = malloc((size_t)n * sizeof *out + 1);
    ck_assert_msg(tg_read_doubles(x, out, n) == TG_OK, "%s", tg_error(x.tape));
    return out;
}

static tg_tensor cotangent_for(const instance *p) {
    tg_shape shape = tg_shape_of(p->y);
    double *c = numbers(p->y);
    for (int64_t i = 0; i < tg_numel(p->y); i++)
        c[i] = (i % 2 ? -1 : 1) * (0.5 + 0.125 * (double)(i % 7));
    tg_tensor cotangent = tg_from_doubles(p->t, shape, c);
    free(c);
    return cotangent;
}

static tg_status differentiate(const instance *p) {
    return tg_requires_grad(p->y) ? tg_backward_with(p->y, cotangent_for(p)) : TG_OK;
}

static outcome take(const instance *p) {
    outcome o = {.y = numbers(p->y), .n = tg_numel(p->y), .n_leaves = p->t->count};
    o.grad = calloc(o.n_leaves, sizeof *o.grad);
    for (uint32_t i = 0; i < o.n_leaves; i++)
        if (wants_grad(p->t->nodes[i]))
            o.grad[i] = numbers(tg_grad(tg_handle(p->t->nodes[i])));
    return o;
}

static void free_outcome(outcome *o) {
    for (uint32_t i = 0; i < o->n_leaves; i++)
        free(o->grad[i]);
    free(o->grad);
    free(o->y);
}

static void want_close(const instance *p, const char *what, int64_t n, const double *got, const double *want,
                       double factor, double tolerance) {
    for (int64_t i = 0; i < n; i++)
        ck_assert_msg(got[i] == factor * want[i] || (isnan(got[i]) && isnan(want[i])) ||
                          fabs(got[i] - factor * want[i]) <= tolerance * fmax(1, fabs(want[i])),
                      "%s probe %d, %s: element %lld is %.17g, expected %.17g", p->op->name, p->variant, what,
                      (long long)i, got[i], factor * want[i]);
}

/* factor: of the gradients, when several backwards were added up */
static void want_outcome(const instance *p, const char *what, const outcome *want, double factor, double tolerance) {
    outcome got = take(p);
    want_close(p, what, want->n, got.y, want->y, 1, tolerance);
    for (uint32_t i = 0; i < want->n_leaves && i < got.n_leaves; i++)
        if (want->grad[i] && got.grad[i])
            want_close(p, what, p->t->nodes[i]->numel, got.grad[i], want->grad[i], factor, tolerance);
    free_outcome(&got);
}

/* ---- gradients ---- */

/* frozen: the number of a leaf to freeze, -1 for none. */
static void check_differences(instance *p, int64_t frozen) {
    tg_node *leaf = frozen < 0 ? NULL : p->t->nodes[frozen];
    if (leaf) {
        double *kept = calloc((size_t)leaf->numel + 1, sizeof *kept);
        for (int64_t i = 0; i < leaf->numel; i++)
            kept[i] = 3.5;
        ck_assert_int_eq(tg_write_grad(tg_handle(leaf), kept, leaf->numel), TG_OK);
        tg_set_requires_grad(tg_handle(leaf), false);
        free(kept);
    }
    tg_status status = differentiate(p);
    if (leaf && status) {
        ck_assert_msg(strstr(tg_error(p->t), "requires no gradient") != NULL, "%s", tg_error(p->t));
        tg_clear_error(p->t);
    } else {
        numeric_check c = check_gradient(p->t, p->start, p->y);
        ck_assert_msg(c.worst <= 1e-7, "%s probe %d, frozen %lld: %s", p->op->name, p->variant, (long long)frozen,
                      c.where);
    }
    for (int64_t i = 0; leaf && i < leaf->numel; i++)
        ck_assert_msg(((double *)leaf->grad)[i] == 3.5, "%s probe %d: a frozen leaf's gradient changed", p->op->name,
                      p->variant);
}

START_TEST(vjp_agrees_with_differences_with_each_input_frozen_in_turn)
{
    const tg_op *op = ops[_i];
    int variant = 0;
    for (;; variant++) {
        instance p = record(op, variant, TG_F64, 1);
        uint32_t count = p.t->count;
        bool more = exists(&p), none = more && op->no_gradient;
        ck_assert_msg(!none || !tg_requires_grad(p.y), "%s probe %d: the result requires a gradient", op->name,
                      variant);
        if (more && !none)
            check_differences(&p, -1);
        tg_tape_free(p.t);
        for (uint32_t i = 0; i < count && more && !none; i++) {
            p = record(op, variant, TG_F64, 1);
            if (wants_grad(p.t->nodes[i]))
                check_differences(&p, i);
            tg_tape_free(p.t);
        }
        if (!more)
            break;
    }
    ck_assert_msg(variant > 0, "%s has no probe", op->name);
}
END_TEST

/* ---- what holds for every operation ---- */

static void backward_twice_doubles(instance *p) {
    ck_assert_int_eq(differentiate(p), TG_OK);
    outcome once = take(p);
    ck_assert_int_eq(differentiate(p), TG_OK);
    want_outcome(p, "backward twice", &once, 2, 1e-14);
    free_outcome(&once);
}

static void op_is_on_the_tape(instance *p) {
    for (uint32_t i = 0; i < p->t->count; i++)
        if (p->t->nodes[i]->op && (p->t->nodes[i]->op == p->op || p->t->nodes[i]->op->probe == p->op->probe))
            return;
    ck_abort_msg("%s probe %d does not record it", p->op->name, p->variant);
}

/* Put b's leaves into a's. */
static void copy_leaves(instance *a, const instance *b) {
    for (uint32_t i = 0; i < b->t->count; i++)
        if (!b->t->nodes[i]->op)
            ck_assert_int_eq(tg_copy_(tg_handle(a->t->nodes[i]), tg_handle(b->t->nodes[i])), TG_OK);
}

static bool is_random(const instance *p) {
    tg_rng_state before = tg_get_rng_state(p->t);
    ck_assert_int_eq(tg_replay(p->t, p->start), TG_OK);
    tg_rng_state after = tg_get_rng_state(p->t);
    return before.next != after.next || before.left != after.left;
}

static void replay_equals_recording(instance *p) {
    if (is_random(p))
        return;
    instance other = record(p->op, p->variant, TG_F64, 1000);
    copy_leaves(p, &other);
    ck_assert_int_eq(tg_replay(p->t, p->start), TG_OK);
    ck_assert_int_eq(differentiate(p), TG_OK);
    ck_assert_int_eq(differentiate(&other), TG_OK);
    outcome want = take(&other);
    want_outcome(p, "replay", &want, 1, 0);
    free_outcome(&want);
    tg_tape_free(other.t);
}

static void float32_agrees_with_float64(instance *p) {
    instance other = record(p->op, p->variant, TG_F32, 1);
    ck_assert_int_eq(differentiate(p), TG_OK);
    ck_assert_int_eq(differentiate(&other), TG_OK);
    outcome want = take(p);
    want_outcome(&other, "float32", &want, 1, 5e-5);
    free_outcome(&want);
    tg_tape_free(other.t);
}

/* Give y's strided inputs elements of their own, dense, and run y again. */
static bool make_inputs_dense(tg_node *y) {
    bool changed = false;
    for (int i = 0; i < y->n_in; i++) {
        tg_node *x = y->in[i];
        if (!x || x->contiguous)
            continue;
        size_t size = tg_dtype_size((tg_dtype)x->dtype);
        char *dense = tg_arena_get(y->tape, &y->tape->arena.data, (size_t)x->numel * size);
        tg_walk w;
        tg_walk_begin(&w, x->ndim, x->size, x->stride);
        for (int64_t k = 0; k < x->numel; k++, tg_walk_next(&w, 1))
            memcpy(dense + (size_t)k * size, (char *)x->data + w.offset * (ptrdiff_t)size, size);
        tg_dense_strides(x->ndim, x->size, x->stride);
        x->data = dense;
        x->contiguous = changed = true;
    }
    return changed;
}

static void strided_inputs_equal_dense_ones(instance *p) {
    tg_node *y = p->t->nodes[p->y.index];
    p->t->modes.keep_random = true;
    ck_assert_int_eq(differentiate(p), TG_OK);
    outcome want = take(p);
    tg_zero_grads(p->t);
    if (y->op && !y->op->is_view && make_inputs_dense(y)) {
        ck_assert_int_eq(tg_run_forward(y), TG_OK);
        ck_assert_int_eq(differentiate(p), TG_OK);
        want_outcome(p, "dense inputs", &want, 1, 1e-13);
    }
    free_outcome(&want);
}

/* Other values that are as valid: the same ones, in another order. */
static void rotate(tg_node *x) {
    size_t size = tg_dtype_size((tg_dtype)x->dtype), bytes = (size_t)x->numel * size;
    char *data = tg_data(tg_handle(x)), first[8];
    if (x->numel < 2)
        return;
    memcpy(first, data, size);
    memmove(data, data + size, bytes - size);
    memcpy(data + bytes - size, first, size);
}

/* Every leaf in turn, then the result: after a change, backward is an error that names the operation, or right. */
static void modified_data_is_noticed_or_harmless(instance *p) {
    uint32_t count = p->t->count;
    ck_assert_int_eq(differentiate(p), TG_OK);
    outcome want = take(p);
    for (uint32_t i = 0; i < count; i++) {
        instance q = record(p->op, p->variant, TG_F64, 1);
        tg_node *x = q.t->nodes[i];
        if (x->contiguous && (!x->op || i == q.y.index)) {
            rotate(x);
            if (differentiate(&q)) {
                ck_assert_msg(strstr(tg_error(q.t), "modified") != NULL, "%s", tg_error(q.t));
            } else {
                outcome got = take(&q);
                for (uint32_t k = 0; k < want.n_leaves; k++)
                    if (want.grad[k])
                        want_close(&q, "after a change", q.t->nodes[k]->numel, got.grad[k], want.grad[k], 1, 0);
                free_outcome(&got);
            }
        }
        tg_tape_free(q.t);
    }
    free_outcome(&want);
}

static void for_every_probe(void (*check)(instance *p)) {
    for (int i = 0; i < N_OPS; i++)
        for (int variant = 0;; variant++) {
            instance p = record(ops[i], variant, TG_F64, 1);
            bool more = exists(&p);
            if (more)
                check(&p);
            tg_tape_free(p.t);
            if (!more)
                break;
        }
}

START_TEST(every_probe_records_its_operation)
{ for_every_probe(op_is_on_the_tape); }
END_TEST
START_TEST(backward_twice_doubles_the_gradients)
{ for_every_probe(backward_twice_doubles); }
END_TEST
START_TEST(replay_equals_a_new_recording)
{ for_every_probe(replay_equals_recording); }
END_TEST
START_TEST(float32_and_float64_agree)
{ for_every_probe(float32_agrees_with_float64); }
END_TEST
START_TEST(a_view_equals_its_copy)
{ for_every_probe(strided_inputs_equal_dense_ones); }
END_TEST
START_TEST(a_modified_input_is_noticed_or_harmless)
{ for_every_probe(modified_data_is_noticed_or_harmless); }
END_TEST

/* ---- the folder ---- */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be read; run the tests from the top of the source tree", path);
    char *text = calloc(1, 1 << 18);
    size_t n = fread(text, 1, (1 << 18) - 1, file);
    ck_assert_uint_lt(n, (1 << 18) - 1);
    fclose(file);
    return text;
}

/* The parts of the public header that declare operations. */
static char *read_headers(void) {
    char *text = read_text("core/tapegrad/operations.h"), *custom = read_text("core/tapegrad/custom.h");
    ck_assert_uint_lt(strlen(text) + strlen(custom), (1 << 18) - 1);
    strcat(text, custom);
    free(custom);
    return text;
}

/* Does the header have a prototype tg_NAME(? */
static bool has_prototype(const char *header, const char *name, size_t n) {
    for (const char *at = strstr(header, "TG_API"); at; at = strstr(at + 1, "TG_API")) {
        const char *open = strchr(at, '(');
        if (open && (size_t)(open - at) > n + 3 && memcmp(open - n, name, n) == 0 &&
            memcmp(open - n - 3, "tg_", 3) == 0)
            return true;
    }
    return false;
}

static bool is_listed(const char *name, size_t n) {
    static const char *const names[] = {
#define X(name) #name,
#include "ops_list.h"
#undef X
    };
    for (int i = 0; i < N_OPS; i++)
        if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0)
            return true;
    return false;
}

/* A file defines operations, each of them listed for the tests; or one public function made of operations. */
static void check_file(const char *path, const char *header) {
    char *text = read_text(path);
    int found = 0;
    for (char *at = strstr(text, "\nconst tg_op "); at; at = strstr(at + 1, "\nconst tg_op ")) {
        char *name = at + strlen("\nconst tg_op ");
        size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
        ck_assert_msg(is_listed(name, n), "%s: %.*s is not in the list of operations", path, (int)n, name);
        found++;
    }
    for (char *at = strstr(text, "\ntg_tensor tg_"); at; at = strstr(at + 1, "\ntg_tensor tg_")) {
        char *name = at + strlen("\ntg_tensor tg_");
        size_t n = strcspn(name, "(");
        ck_assert_msg(has_prototype(header, name, n), "%s: tg_%.*s has no prototype in core/tapegrad/operations.h",
                      path, (int)n, name);
        found++;
    }
    ck_assert_msg(found > 0, "%s defines no operation", path);
    free(text);
}

/* float32 squares overflow above 1.8e19; expected: PyTorch 2.15 in float64, dx for dy (1, 2, 4). Two such rows. */
static const struct {
    bool centered; /* layer_norm, else rms_norm */
    float x[3];
    double y[3], dx[3];
} large_rows[] = {
    {true,
     {1e20f, 1, 0},
     {1.4142135623730951, -0.70710678118654752, -0.70710678118654752},
     {0, -2.1213203010465223e-20, 2.1213203010465235e-20}},
    {false,
     {3e25f, 4e25f, 0},
     {1.0392304845413263, 1.3856406460551018, 0},
     {-1.1085125168440806e-26, 8.313843876330609e-27, 1.3856406460551018e-25}},
};

START_TEST(rows_of_large_numbers_are_normalised)
{
    const double within = 1e-6;
    for (int i = 0; i < 2; i++) {
        tg_tape *t = tg_tape_new(i ? TG_F64 : TG_F32);
        float numbers[6], dy[6];
        for (int j = 0; j < 6; j++) {
            numbers[j] = large_rows[_i].x[j % 3];
            dy[j] = (float)(1 << j % 3);
        }
        tg_tensor x = tg_set_requires_grad(tg_from_floats(t, TG_SHAPE(2, 3), numbers), true);
        tg_tensor y =
            large_rows[_i].centered ? tg_layer_norm(x, TG_NULL, TG_NULL, 1e-5) : tg_rms_norm(x, TG_NULL, 1e-5);
        double out[6], dx[6];
        ck_assert_int_eq(tg_backward_with(y, tg_from_floats(t, TG_SHAPE(2, 3), dy)), TG_OK);
        ck_assert_int_eq(tg_read_doubles(y, out, 6), TG_OK);
        ck_assert_int_eq(tg_read_doubles(tg_grad(x), dx, 6), TG_OK);
        for (int j = 0; j < 6; j++) {
            ck_assert_double_eq_tol(out[j], large_rows[_i].y[j % 3], within);
            ck_assert_double_eq_tol(dx[j], large_rows[_i].dx[j % 3], within * large_rows[_i].dx[2]);
        }
        tg_tape_free(t);
    }
}
END_TEST

START_TEST(every_file_defines_an_operation)
{
    char *header = read_headers();
    DIR *folder = opendir("core/ops");
    ck_assert_msg(folder != NULL, "core/ops cannot be read; run the tests from the top of the source tree");
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder)); files++) {
        char path[400];
        snprintf(path, sizeof path, "core/ops/%s", entry->d_name);
        if (strstr(entry->d_name, ".c"))
            check_file(path, header);
    }
    closedir(folder);
    free(header);
    ck_assert_int_gt(files, 10);
}
END_TEST

START_TEST(every_operation_is_complete)
{
    char *header = read_headers();
    for (int i = 0; i < N_OPS; i++) {
        const tg_op *op = ops[i];
        ck_assert_msg(op->name && op->probe, "%s has no probe", op->name ? op->name : "an operation without a name");
        ck_assert_msg(has_prototype(header, op->name, strlen(op->name)),
                      "tg_%s has no prototype in core/tapegrad/operations.h", op->name);
        ck_assert_msg(op == &tg_op_custom || operation_named(op->name), "%s is not in the table of operations",
                      op->name);
        for (int dtype = TG_F32; dtype <= TG_F64; dtype++) {
            ck_assert_msg(op->is_view || op->forward[dtype], "%s has no forward kernel for dtype %d", op->name, dtype);
            ck_assert_msg(op->is_view || op->no_gradient || op->vjp[dtype], "%s has no VJP for dtype %d", op->name,
                          dtype);
        }
        for (int k = 0; k < i; k++)
            ck_assert_msg(strcmp(ops[k]->name, op->name) != 0, "two operations are named %s", op->name);
    }
    free(header);
}
END_TEST

/* Where the layout means something operands can be had, and the call takes them unless broadcasting is refused. */
START_TEST(every_operation_of_the_table_can_be_called)
{
    const operation *o = &operations[_i];
    ck_assert_msg(*o->torch, "tg_%s has no line /* PyTorch: ... */ above it in core/ops", o->name);
    for (int l = 0; l < N_LAYOUTS; l++) {
        tg_tape *t = tg_tape_new(TG_F64);
        example e;
        bool made = make_example(o, t, (layout)l, 4, 6, &e);
        ck_assert_msg(made || l != PLAIN, "%s: %s", o->name, tg_error(t));
        bool takes = made && !tg_is_null(o->call(&e.a));
        ck_assert_msg(!made || takes || l == ROW || l == COLUMN, "%s, %s: %s", o->name, layout_names[l], tg_error(t));
        tg_tape_free(t);
    }
}
END_TEST

int main(void) {
    TCase *c = tcase_create("ops");
    tcase_add_loop_test(c, vjp_agrees_with_differences_with_each_input_frozen_in_turn, 0, N_OPS);
    tcase_add_test(c, every_probe_records_its_operation);
    tcase_add_test(c, backward_twice_doubles_the_gradients);
    tcase_add_test(c, replay_equals_a_new_recording);
    tcase_add_test(c, float32_and_float64_agree);
    tcase_add_test(c, a_view_equals_its_copy);
    tcase_add_test(c, a_modified_input_is_noticed_or_harmless);
    tcase_add_loop_test(c, rows_of_large_numbers_are_normalised, 0, 2);
    tcase_add_test(c, every_file_defines_an_operation);
    tcase_add_test(c, every_operation_is_complete);
    tcase_add_loop_test(c, every_operation_of_the_table_can_be_called, 0, n_operations);
    return run_suite("ops", c);
}
