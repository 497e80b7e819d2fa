/* In place of the gradient check when it is left out: each call is an error, and no verdict but CANNOT_TELL. */
#include "core/op.h"

#ifdef TG_NO_GRADCHECK

static const char left_out[] = "this build has no gradient check (TG_NO_GRADCHECK)";

static tg_status no_check(tg_tape *t, const char *name, char *summary) {
    if (summary)
        strcpy(summary, left_out);
    return t ? tg_fail(t, TG_ERR_STATE, "%s: %s", name, left_out) : TG_ERR_ARGUMENT;
}

tg_status tg_gradcheck(tg_tensor y, tg_gradcheck_config config, tg_gradcheck_result *result) {
    (void)config;
    if (result)
        *result = (tg_gradcheck_result){.verdict = TG_GRAD_CANNOT_TELL};
    return no_check(y.tape, "gradcheck", result ? result->summary : NULL);
}

tg_status tg_gradcheck_second(tg_tensor y, uint64_t seed, tg_second_result *result) {
    (void)seed;
    if (result)
        *result = (tg_second_result){.verdict = TG_GRAD_CANNOT_TELL};
    return no_check(y.tape, "gradcheck_second", result ? result->summary : NULL);
}

tg_tensor tg_numeric_gradient(tg_tensor y, tg_tensor leaf, double eps) {
    (void)leaf, (void)eps, (void)no_check(y.tape, "numeric_gradient", NULL);
    return TG_NULL;
}

static tg_status say(FILE *file, const void *result, const char *text) {
    return !file || !result ? TG_ERR_ARGUMENT : fprintf(file, "%s\n", text) < 0 ? TG_ERR_IO : TG_ERR_STATE;
}

tg_status tg_gradcheck_print(FILE *file, const tg_gradcheck_result *result) { return say(file, result, left_out); }
tg_status tg_gradcheck_second_print(FILE *file, const tg_second_result *result) { return say(file, result, left_out); }
tg_status tg_gradcheck_print_json(FILE *file, const tg_gradcheck_result *result) { return say(file, result, "{}"); }

const char *tg_mistake_name(tg_mistake mistake) { return (void)mistake, left_out; }
#endif
