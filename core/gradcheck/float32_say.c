/* What the check of float32 kernels says of an operation. */
#include "core/gradcheck/float32.h"

void tg_f32_say_written(const tg_node *n, const tg_gradcheck_result *written, tg_gradcheck_result *r) {
    if (r->wrong_ops++)
        return;
    tg_gradcheck_say_where(n, -1, r);
    r->verdict = TG_GRAD_WRONG;
    r->mistake = written->mistake;
    r->factor = 0;
    memcpy(r->diagnosis, written->diagnosis, sizeof r->diagnosis);
}

void tg_f32_say_wrong(const tg_node *n, const tg_excess *e, bool elsewhere, tg_gradcheck_result *r) {
    char what[64] = "the result";
    tg_gradcheck_say_where(n, e->operand, r);
    r->verdict = TG_GRAD_WRONG;
    r->mistake = e->set ? TG_MISTAKE_OVERWRITE : TG_MISTAKE_FLOAT32;
    r->factor = 0;
    if (e->set) {
        snprintf(r->diagnosis, sizeof r->diagnosis,
                 "float32 only: = instead of +=: what the gradient of operand %d held before is lost", e->operand + 1);
        return;
    }
    if (e->by != 0) {
        snprintf(
            r->diagnosis, sizeof r->diagnosis,
            "float32 only: not linear in dy, as every VJP is: %.6g dy does not give %.6g times the gradient: element "
            "%lld of that of operand %d is %.7g, not %.7g as float64 has it from equal operands; %lld element%s so",
            e->by, e->by, (long long)e->at, e->operand + 1, e->by * e->single, e->by * e->twin, (long long)e->n,
            e->n == 1 ? " is" : "s are");
        return;
    }
    if (e->operand >= 0)
        snprintf(what, sizeof what, "the gradient of operand %d%s", e->operand + 1,
                 e->onto ? ", added to an earlier one," : "");
    snprintf(r->diagnosis, sizeof r->diagnosis,
             "float32 only: element %lld of %s is %.7g, not %.7g as float64 has it from equal operands%s%s: %.2g times "
             "what rounding may do; %lld element%s so",
             (long long)e->at, what, e->single, e->twin, e->operand < 0 ? "" : " and dy",
             elsewhere ? " (others than the tape's, with which it agrees)" : "", e->most, (long long)e->n,
             e->n == 1 ? " is" : "s are");
}

void tg_f32_say_cannot_tell(const tg_node *n, const tg_excess *e, bool in_range, tg_gradcheck_result *r) {
    char how_much[160] = "";
    if (r->verdict == TG_GRAD_CANNOT_TELL)
        return;
    tg_gradcheck_say_where(n, e->operand, r);
    r->verdict = TG_GRAD_CANNOT_TELL;
    r->mistake = TG_MISTAKE_FLOAT32;
    if (in_range)
        snprintf(
            how_much, sizeof how_much,
            ", %.2g times what rounding of its operands may do; rounding inside the operation may explain it, or a "
            "small mistake",
            e->most);
    snprintf(r->diagnosis, sizeof r->diagnosis, "float32 %s: element %lld of %s is %.7g, in float64 %.7g%s",
             in_range ? "loses digits" : "overflows or underflows", (long long)e->at,
             e->operand < 0 ? "the result" : "a gradient", e->single, e->twin, how_much);
}

void tg_f32_say_hidden(const tg_node *n, const tg_excess *e, tg_gradcheck_result *r) {
    if (r->verdict == TG_GRAD_CANNOT_TELL)
        return;
    tg_gradcheck_say_where(n, e->operand, r);
    r->verdict = TG_GRAD_CANNOT_TELL;
    r->mistake = TG_MISTAKE_FLOAT32;
    snprintf(
        r->diagnosis, sizeof r->diagnosis,
        "float32 is not checked: the gradient of operand %d is so small beside the operands that rounding of numbers "
        "of their size may be all of it; element %lld is %.7g, in float64 %.7g. Without a small factor it can be",
        e->operand + 1, (long long)e->at, e->single, e->twin);
}
