/* Running programs in all their variants, and showing them. */
#include "tests/fuzz/program.h"

#include <stdio.h>
#include <string.h>

static bool is_constant(const step *s) { return s->no_grad || kinds[s->kind].traits & CONSTANT; }
static bool is_leaf_step(const step *s) { return kinds[s->kind].form == LEAF; }

/* A leaf of random numbers: 0.5 to 1.5, either sign. */
static tg_tensor random_leaf(tg_tape *t, tg_shape shape, uint64_t *random) {
    tg_tensor x = tg_zeros(t, shape);
    int64_t n = tg_numel(x);
    for (int64_t i = 0; i < n; i++) {
        double v = (float)(0.5 + uniform(random)) * (uniform(random) < 0.5 ? -1 : 1);
        if (tg_tape_dtype(t) == TG_F32)
            ((float *)tg_data(x))[i] = (float)v;
        else
            ((double *)tg_data(x))[i] = v;
    }
    return x;
}

static int double_it(void *grad, int64_t n, tg_tensor x, void *context) {
    ++*(int *)context;
    bool narrow = tg_dtype_of(x) == TG_F32;
    for (int64_t i = 0; i < n; i++)
        if (narrow)
            ((float *)grad)[i] *= 2;
        else
            ((double *)grad)[i] *= 2;
    return 0;
}

static tg_tensor frozen_value(const session *s, int i, tg_tensor x) {
    return tg_from_doubles(s->t, tg_shape_of(x), s->v.frozen->value[i]);
}

/* The result's attributes: what the program asked of it and what the variant adds. */
static tg_tensor dress(session *s, int i, tg_tensor x) {
    const step *st = &s->p->step[i];
    if (tg_tape_status(s->t) || (tg_dtype_of(x) != TG_F32 && tg_dtype_of(x) != TG_F64))
        return x;
    if (s->v.frozen && is_constant(st))
        x = frozen_value(s, i, x);
    if (s->v.copies)
        x = tg_clone(x);
    if (s->v.noise > 0)
        x = with_noise(x, &s->noise);
    if (!tg_requires_grad(x))
        return x;
    if (st->hook && s->v.frozen)
        return tg_sub(tg_mul_scalar(x, 2), frozen_value(s, i, x));
    if (st->hook && s->v.composed)
        return tg_sub(tg_mul_scalar(x, 2), tg_detach(x));
    if ((st->retain && tg_retain_grad(x)) || (st->hook && tg_register_hook(x, double_it, &s->hook_calls)))
        return TG_NULL;
    return x;
}

/* A scope's result is floating, and a copy, so that no gradient of a view is asked for. */
static bool in_scope(const session *s, const step *st) {
    tg_tensor x = st->n_in && st->in[0] >= 0 ? s->x[st->in[0]] : TG_NULL;
    return s->v.scopes && !is_constant(st) && !tg_is_null(x) && tg_dtype_of(x) == s->v.dtype;
}

/* Where the operation returns its operand itself, that stays what it is: multihead looks whether its operands are one
 * tensor, and with copies of it would add in another order. */
static tg_tensor end_scope(const session *s, const step *st, tg_tensor x) {
    tg_tensor operand = s->x[st->in[0]], copy = tg_checkpoint_end(s->t, x);
    return x.tape == operand.tape && x.index == operand.index ? operand : copy;
}

static void run_one(session *s, int i) {
    const step *st = &s->p->step[i];
    tg_tensor x = TG_NULL;
    bool scoped = in_scope(s, st);
    if (scoped)
        tg_checkpoint_begin(s->t);
    if (st->no_grad)
        tg_no_grad_begin(s->t);
    if (s->v.composed)
        x = compose_step(s->t, st, s->x, &s->noise);
    if (tg_is_null(x))
        x = run_step(s->t, st, s->x);
    if (scoped)
        x = end_scope(s, st, x);
    s->x[i] = dress(s, i, x);
    if (st->no_grad)
        tg_no_grad_end(s->t);
}

static bool run_from(session *s, int first) {
    for (int i = first; i < s->p->n && !tg_tape_status(s->t); i++)
        if (!is_leaf_step(&s->p->step[i]))
            run_one(s, i);
    return tg_tape_status(s->t) == TG_OK;
}

/* The steps from a random one on twice, rewinding in between; the generator goes back as well. */
static bool run_with_rewind(session *s) {
    int turn = (int)(mix(&s->noise.random) % (uint64_t)s->p->n);
    for (int i = 0; i < turn; i++)
        if (!is_leaf_step(&s->p->step[i]))
            run_one(s, i);
    tg_mark mark = tg_tape_mark(s->t);
    tg_rng_state rng = tg_get_rng_state(s->t);
    if (!run_from(s, turn))
        return false;
    s->hook_calls = 0;
    return tg_tape_rewind(s->t, mark) == TG_OK && tg_set_rng_state(s->t, &rng) == TG_OK && run_from(s, turn);
}

static tg_tensor weighted(session *s, int i) {
    uint64_t random = s->p->seed + 1000 + (uint64_t)i;
    s->cotangent = random_leaf(s->t, tg_shape_of(s->x[i]), &random);
    return tg_sum(tg_mul(s->x[i], s->cotangent), TG_ALL_DIMS, false);
}

/* The sum of the outputs times random numbers. */
static tg_tensor loss_of(session *s) {
    tg_tensor loss = tg_scalar(s->t, 0);
    for (int i = 0; i < s->p->n; i++)
        if (s->p->step[i].output)
            loss = tg_add(loss, weighted(s, i));
    return loss;
}

/* Numbers on a grid, whose ties must stay ties, have no noise. */
static void noise_in_leaf(session *s, int i) {
    const step *st = &s->p->step[i];
    bool on_grid = true;
    for (int64_t j = 0; j < st->n && on_grid; j++)
        on_grid = st->values[j] * 4 == (double)(int)(st->values[j] * 4);
    double *v = kinds[st->kind].special == LEAF_FLOAT && !on_grid ? tg_data(s->x[i]) : NULL;
    for (int64_t j = 0; j < st->n && v; j++)
        v[j] *= 1 + s->noise.e * (2 * uniform(&s->noise.random) - 1);
}

static void make_leaves(session *s) {
    const program *from = s->v.leaves ? s->v.leaves : s->p;
    for (int i = 0; i < s->p->n; i++) {
        if (!is_leaf_step(&s->p->step[i]))
            continue;
        s->x[i] = run_step(s->t, &from->step[i], s->x);
        if (s->v.noise > 0)
            noise_in_leaf(s, i);
    }
}

/* ---- gradients in flat blocks ---- */

static double sum_of(tg_dtype dtype, const void *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)(i % 7 + 1) * (dtype == TG_F32 ? (double)((const float *)x)[i] : ((const double *)x)[i]);
    return sum;
}

static int note_block(int block, void *gradient, int64_t n, void *context) {
    session *s = context;
    if (block != s->n_told || block >= MAX_STEPS)
        s->wrong_block = "flat blocks are not announced in their order";
    else
        s->told[s->n_told++] = sum_of(s->v.dtype, gradient, n);
    return 0;
}

/* Each block was announced once, and nothing was added to it afterwards. */
static bool blocks_are_right(session *s) {
    if (s->v.flat && !s->wrong_block && s->n_told != tg_gradient_blocks(s->t))
        s->wrong_block = "not every flat block was announced";
    for (int i = 0; i < s->n_told && !s->wrong_block; i++) {
        int64_t n;
        const void *block = tg_gradient_block(s->t, i, &n);
        double sum = sum_of(s->v.dtype, block, n);
        if (sum != s->told[i] && !(sum != sum && s->told[i] != s->told[i]))
            s->wrong_block = "a flat block was changed after it was announced";
    }
    return !s->wrong_block;
}

/* Leaves of numbers, with a gradient or without, in any order. */
static bool flatten(session *s) {
    uint64_t *random = &s->noise.random;
    tg_tensor leaf[MAX_STEPS];
    tg_list list = {.tape = s->t, .tensor = leaf};
    for (int i = 0; i < s->p->n; i++)
        if (is_leaf_step(&s->p->step[i]) && kinds[s->p->step[i].kind].special == LEAF_FLOAT) {
            int64_t at = (int64_t)(mix(random) % (uint64_t)(list.n + 1));
            leaf[list.n++] = leaf[at];
            leaf[at] = s->x[i];
        }
    size_t first = (size_t)1 << mix(random) % 12, rest = (size_t)1 << mix(random) % 12;
    return list.n == 0 || tg_flatten_gradients(list, first, rest, note_block, s) == TG_OK;
}

bool record(session *s, const program *p, const variant *v) {
    *s = (session){.p = p,
                   .v = *v,
                   .t = tg_tape_new_with(v->dtype, v->allocator),
                   .noise = {v->noise, v->random + 1, v->undropped}};
    if (!s->t)
        return false;
    tg_set_anomaly_mode(s->t, v->anomaly);
    tg_manual_seed(s->t, p->seed);
    if (p->eval)
        tg_eval(s->t);
    make_leaves(s);
    if (v->flat && !flatten(s))
        return false;
    s->from = tg_tape_mark(s->t);
    if (v->no_grad)
        tg_no_grad_begin(s->t);
    if (!(v->rewinds ? run_with_rewind(s) : run_from(s, 0)))
        return false;
    s->loss = loss_of(s);
    for (int i = 0; i < p->n; i++)
        if (p->step[i].freeze_late)
            tg_set_requires_grad(s->x[i], false);
    return tg_tape_status(s->t) == TG_OK;
}

bool backward(session *s) {
    if (!tg_requires_grad(s->loss))
        return true;
    s->n_told = 0;
    if (tg_backward(s->loss) == TG_OK)
        return blocks_are_right(s);
    if (tg_tape_status(s->t) != TG_ERR_STATE || !strstr(tg_error(s->t), "requires no gradient"))
        return false;
    tg_clear_error(s->t); /* every leaf behind it was frozen */
    return true;
}

bool read_outcome(session *s, store *numbers, outcome *out) {
    *out = (outcome){.n = s->p->n, .loss = tg_item(s->loss), .hook_calls = s->hook_calls};
    for (int i = 0; i < out->n; i++) {
        tg_tensor x = s->x[i];
        int64_t n = out->n_values[i] = tg_numel(x);
        out->dtype[i] = tg_dtype_of(x);
        out->value[i] = store_get(numbers, n);
        if (tg_read_doubles(x, out->value[i], n))
            return false;
        const step *st = &s->p->step[i];
        bool wanted = is_leaf_step(st) ? st->requires_grad && !st->freeze_late : st->retain && tg_requires_grad(x);
        if (is_leaf_step(st) && !wanted && tg_has_grad(x))
            return tg_requires_grad(x);
        if (!wanted || !tg_has_grad(x))
            continue;
        out->grad[i] = store_get(numbers, n);
        tg_tensor g = tg_grad(x);
        if (tg_read_doubles(g, out->grad[i], n))
            return false;
    }
    return tg_tape_status(s->t) == TG_OK;
}

bool run(const program *p, const variant *v, store *numbers, outcome *out, char *error, size_t error_size) {
    session s;
    bool good = record(&s, p, v) && backward(&s) && read_outcome(&s, numbers, out);
    if (!good)
        snprintf(error, error_size, "%s: %.300s", v->name,
                 tg_error(s.t)[0] ? tg_error(s.t)
                 : s.wrong_block  ? s.wrong_block
                                  : "a leaf that was frozen has a gradient");
    tg_tape_free(s.t);
    return good;
}

/* ---- text ---- */

static void print_numbers(const char *name, int n, const int64_t *k) {
    printf("%s(", name);
    for (int i = 0; i < n; i++)
        printf("%s%lld", i ? ", " : "", (long long)k[i]);
    printf(")");
}

static void print_dims(tg_dims d) {
    int64_t k[TG_MAX_DIMS];
    for (int i = 0; i < TG_MAX_DIMS; i++)
        k[i] = d.dim[i];
    if (d.ndim < 0)
        printf("TG_ALL_DIMS");
    else
        print_numbers("TG_DIMS", d.ndim < TG_MAX_DIMS ? d.ndim : TG_MAX_DIMS, k);
}

static void print_leaf(const step *s) {
    print_numbers("TG_SHAPE", s->shape.ndim, s->shape.size);
    printf(", {");
    for (int64_t i = 0; i < s->n && i < 24; i++)
        printf("%s%.9g", i ? ", " : "", s->values[i]);
    printf("%s})%s%s", s->n > 24 ? ", ..." : "", s->requires_grad ? " requires_grad" : "",
           s->freeze_late ? " frozen before backward" : "");
}

static const char *const takes_shape[] = {"reshape", "expand", "custom", "repeat"};

static bool takes_dims(special s) { return s == VAR || s == STD || s == NORM || s == FLIP; }

static void print_arguments(const step *s) {
    form f = kinds[s->kind].form;
    bool special_form = f == SPECIAL;
    for (int i = 0; i < 4; i++)
        if (special_form && strcmp(kinds[s->kind].name, takes_shape[i]) == 0) {
            printf(", ");
            print_numbers("TG_SHAPE", s->shape.ndim, s->shape.size);
            return;
        }
    if (f == REDUCE || takes_dims(kinds[s->kind].special) || kinds[s->kind].special == PERMUTE) {
        printf(", ");
        print_dims(s->dims);
    }
    if (kinds[s->kind].special == SLICE)
        printf(", dim %d", s->dims.dim[0]);
    if (f == DIM || f == DIAGONAL)
        printf(", %lld", (long long)s->k[0]);
    else if (f == SCALAR || f == SCALAR_FIRST)
        printf(", %g", s->c[0]);
    else if (special_form)
        printf(", k = {%lld, %lld, %lld}, c = {%g, %g}", (long long)s->k[0], (long long)s->k[1], (long long)s->k[2],
               s->c[0], s->c[1]);
    if (f == REDUCE || special_form)
        printf(", %s", s->flag ? "true" : "false");
}

void print_step(int i, const step *s) {
    printf("    x%d = tg_%s(", i, kinds[s->kind].name);
    if (is_leaf_step(s)) {
        print_leaf(s);
    } else {
        for (int k = 0; k < s->n_in; k++)
            s->in[k] < 0 ? printf("%sTG_NULL", k ? ", " : "") : printf("%sx%d", k ? ", " : "", s->in[k]);
        print_arguments(s);
        printf(")");
    }
    printf(";%s%s%s%s\n", s->no_grad ? " under no_grad" : "", s->retain ? " retain_grad" : "",
           s->hook ? " hook doubles the gradient" : "", s->output ? " output" : "");
}

void print_program(const program *p) {
    if (p->eval)
        printf("    tg_eval(t);\n");
    for (int i = 0; i < p->n; i++)
        print_step(i, &p->step[i]);
}
