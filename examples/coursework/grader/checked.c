/* tg_gradcheck on the student's gradient: the library's forward and the student's VJP as one custom operation. What it
 * says of a mistake is proved by what the mistake would make of the operation's Jacobian (core/gradcheck/names.c). */
#include "trial.h"

#include <stdlib.h>
#include <string.h>

/* The call's inputs on a tape of their own. */
static bool open_call(const trial *r, const tg_call *c, trial *at) {
    *at = *r;
    at->t = tg_tape_new(TG_F64);
    at->n_kept = 0;
    at->value = c->output;
    for (int i = 0; i < r->n_inputs && at->t; i++)
        at->x[i] = r->op->kind[i] == 'f'   ? tg_from_doubles(at->t, r->input[i], c->input[i])
                   : r->op->kind[i] == 'b' ? tg_from_bools(at->t, r->input[i], c->input[i])
                                           : tg_from_ints(at->t, r->input[i], c->input[i]);
    return at->t && !tg_tape_status(at->t);
}

static int right_forward(const tg_call *c) {
    trial at;
    const trial *r = *(trial *const *)c->context;
    bool good =
        open_call(r, c, &at) && tg_read_doubles(r->op->reference(at.x, &r->h), c->output, numel_of(r->shape)) == TG_OK;
    tg_tape_free(at.t);
    return !good;
}

/* Every gradient is asked for, as in the other checks. */
static int student_vjp(const tg_call *c) {
    trial at;
    const trial *r = *(trial *const *)c->context;
    sample a = {.before = 0};
    bool good = open_call(r, c, &at);
    for (int i = 0; i < r->n_inputs && good; i++) {
        size_t n = (size_t)numel_of(r->input[i]);
        good = (a.mine[i] = calloc(n + 1, sizeof(double))) != NULL;
        if (good && c->input_grad[i])
            memcpy(a.mine[i], c->input_grad[i], n * sizeof(double));
    }
    a.dy = good ? tg_from_doubles(at.t, r->shape, c->output_grad) : TG_NULL;
    good = good && ask_for_gradients(&at, &a);
    for (int i = 0; i < r->n_inputs && good; i++)
        if (c->input_grad[i])
            memcpy(c->input_grad[i], a.mine[i], (size_t)numel_of(r->input[i]) * sizeof(double));
    forget_kept(&at);
    free_sample(&a);
    tg_tape_free(at.t);
    return !good;
}

bool name_by_gradcheck(trial *r, int operand, verdict *v) {
    static const tg_custom_op op = {"yours", NULL, NULL, right_forward, student_vjp};
    static tg_gradcheck_result result;
    enum { MOST = 4096 }; /* elements of the Jacobian */
    trial *at = r;
    if (numel_of(r->shape) * numel_of(r->input[operand]) > MOST)
        return false;
    memset(&result, 0, sizeof result);
    for (int i = 0; i < r->n_inputs; i++)
        if (is_float(r, i))
            tg_set_requires_grad(r->x[i], i == operand);
    tg_tensor y = tg_custom(&op, r->x, r->n_inputs, r->shape, &at, sizeof at);
    tg_gradcheck_config config = TG_GRADCHECK_DEFAULTS;
    config.mode = TG_GRADCHECK_FAST; /* that it is wrong is known: half of the calls find the name */
    if (tg_gradcheck(y, config, &result))
        tg_clear_error(r->t);
    if (result.operand != operand + 1 || result.mistake <= TG_MISTAKE_UNKNOWN)
        return false;
    if (result.mistake == TG_MISTAKE_ZERO) /* describe.c has looked whether it is so on other data, too */
        return false;
    if (result.mistake == TG_MISTAKE_PASSED_ON) {
        snprintf(v->mistake, sizeof v->mistake, "dy passed on unchanged");
        snprintf(
            v->why, sizeof v->why,
            "its elements are those of dy in the order of memory; where does each one belong, and with what factor?");
        return true;
    }
    if (result.mistake == TG_MISTAKE_NO_DY) {
        const char *dy = r->op->arrives ? r->op->arrives : "dy";
        snprintf(v->mistake, sizeof v->mistake, "not multiplied by %s", dy);
        snprintf(v->why, sizeof v->why, "%s, the gradient that arrives, is a factor", dy);
        return true;
    }
    snprintf(v->mistake, sizeof v->mistake, "%s", tg_mistake_name(result.mistake));
    snprintf(v->why, sizeof v->why, "%s", result.diagnosis);
    return true;
}
