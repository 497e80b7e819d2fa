/* Gradients of gradients. Every operation's VJP in operations (grad) on its probes: against the VJP kernel, and its own
 * gradient against central differences; then paths, views, replay, errors. */
#include "tests/support.h"

static const tg_op *const ops[] = {
#define X(name) &name,
#include "ops_list.h"
#undef X
};

enum { N_OPS = sizeof ops / sizeof *ops, MOST = 16 };

/* A probe, the leaves that require a gradient, and a cotangent that does too. */
typedef struct instance {
    const tg_op *op;
    int variant, n;
    tg_tape *t;
    tg_mark start;
    tg_tensor y, dy, x[MOST], dx[MOST];
} instance;

static instance record(const tg_op *op, int variant) {
    instance p = {.op = op, .variant = variant, .t = tg_tape_new(TG_F64)};
    tg_manual_seed(p.t, 20 + (uint64_t)variant);
    p.start = tg_tape_mark(p.t);
    p.y = op->probe(p.t, variant);
    ck_assert_msg(tg_tape_status(p.t) == TG_OK, "%s probe %d: %s", op->name, variant, tg_error(p.t));
    if (tg_is_null(p.y) || !tg_requires_grad(p.y))
        return p;
    for (uint32_t i = 0; i < p.t->count && p.n < MOST; i++)
        if (!p.t->nodes[i]->op && p.t->nodes[i]->requires_grad)
            p.x[p.n++] = tg_handle(p.t->nodes[i]);
    p.dy = tg_probe_leaf(p.t, tg_shape_of(p.y));
    return p;
}

static double *numbers(tg_tensor x) {
    double *out = malloc((size_t)tg_numel(x) * sizeof *out + 1);
    ck_assert_msg(tg_read_doubles(x, out, tg_numel(x)) == TG_OK, "%s", tg_error(x.tape));
    return out;
}

static void differentiate(instance *p) {
    ck_assert_msg(tg_gradients(p->y, p->dy, p->x, p->n, p->dx) == TG_OK, "%s probe %d: %s", p->op->name, p->variant,
                  tg_error(p->t));
}

static void want_near(const instance *p, const char *what, tg_tensor x, tg_tensor y, double tolerance) {
    double *a = numbers(x), *b = numbers(y);
    ck_assert_int_eq(tg_numel(x), tg_numel(y));
    for (int64_t i = 0; i < tg_numel(x); i++)
        ck_assert_msg(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])) ||
                          fabs(a[i] - b[i]) <= tolerance * fmax(1, fabs(b[i])),
                      "%s probe %d, %s: element %lld is %.17g, expected %.17g", p->op->name, p->variant, what,
                      (long long)i, a[i], b[i]);
    free(a);
    free(b);
}

static void agrees_with_kernel(instance *p) {
    differentiate(p);
    tg_zero_grads(p->t);
    ck_assert_msg(tg_backward_with(p->y, p->dy) == TG_OK, "%s", tg_error(p->t));
    for (int i = 0; i < p->n; i++)
        want_near(p, "grad against the VJP kernel", p->dx[i], tg_grad(p->x[i]), 1e-13);
}

/* The gradient of each dx with respect to all leaves and dy: by backward, and by central differences. */
static void gradient_of_grad_is_right(instance *p) {
    differentiate(p);
    for (int i = 0; i < p->n; i++) {
        if (!tg_requires_grad(p->dx[i]))
            continue;
        tg_zero_grads(p->t);
        numeric_check c = check_gradient(p->t, p->start, p->dx[i]);
        ck_assert_msg(c.worst <= 1e-7, "%s probe %d, gradient of gradient %d: %s", p->op->name, p->variant, i, c.where);
    }
}

/* The same, with the second gradient recorded too. */
static void grad_of_grad_agrees_with_its_kernels(instance *p) {
    differentiate(p);
    for (int i = 0; i < p->n; i++) {
        tg_tensor x[MOST + 1], ddx[MOST + 1], v = tg_probe_leaf(p->t, tg_shape_of(p->x[i]));
        memcpy(x, p->x, sizeof p->x);
        x[p->n] = p->dy;
        if (!tg_requires_grad(p->dx[i]))
            continue;
        ck_assert_msg(tg_gradients(p->dx[i], v, x, p->n + 1, ddx) == TG_OK, "%s probe %d: %s", p->op->name, p->variant,
                      tg_error(p->t));
        tg_zero_grads(p->t);
        ck_assert_msg(tg_backward_with(p->dx[i], v) == TG_OK, "%s", tg_error(p->t));
        for (int k = 0; k <= p->n; k++)
            want_near(p, "second grad against the kernels", ddx[k], tg_grad(x[k]), 1e-12);
    }
}

static void for_every_probe(const tg_op *op, void (*check)(instance *p)) {
    for (int variant = 0;; variant++) {
        instance p = record(op, variant);
        bool more = !tg_is_null(p.y);
        if (p.n)
            check(&p);
        tg_tape_free(p.t);
        if (!more)
            break;
    }
}

START_TEST(grad_agrees_with_the_kernel)
{ for_every_probe(ops[_i], agrees_with_kernel); }
END_TEST
START_TEST(the_gradient_of_grad_agrees_with_differences)
{ for_every_probe(ops[_i], gradient_of_grad_is_right); }
END_TEST
START_TEST(a_second_gradient_recorded_agrees_with_backward)
{ for_every_probe(ops[_i], grad_of_grad_agrees_with_its_kernels); }
END_TEST

START_TEST(every_differentiable_operation_has_a_grad)
{
    for (int i = 0; i < N_OPS; i++)
        ck_assert_msg(ops[i]->is_view || ops[i]->no_gradient || ops[i]->grad, "%s has no grad", ops[i]->name);
}
END_TEST

int main(void) {
    TCase *c = tcase_create("gradients");
    tcase_add_loop_test(c, grad_agrees_with_the_kernel, 0, N_OPS);
    tcase_add_loop_test(c, the_gradient_of_grad_agrees_with_differences, 0, N_OPS);
    tcase_add_loop_test(c, a_second_gradient_recorded_agrees_with_backward, 0, N_OPS);
    tcase_add_test(c, every_differentiable_operation_has_a_grad);
    return run_suite("gradients", c);
}
