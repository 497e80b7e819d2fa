/* What a build without threads, files or the gradient check (core/package/without.mk) says when it is asked for them.
 */
#include "tapegrad.h"

#include <string.h>

/* Did the call fail, with an error that names the switch? The tape is as new afterwards. */
static int failed(tg_tape *t, tg_status status, const char *name) {
    int as_told = status != TG_OK && strstr(tg_error(t), name) != NULL;
    printf("%s: %s\n", as_told ? "as told" : "NOT AS TOLD", tg_error(t));
    tg_clear_error(t);
    return !as_told;
}

int main(void) {
    tg_tape *t = tg_tape_new(TG_F32);
    int bad = 0;
#ifdef TG_NO_FILES
    bad += failed(t, tg_save(t, "x.safetensors"), "TG_NO_FILES");
    bad += failed(t, tg_load(t, "x.safetensors"), "TG_NO_FILES");
    bad += failed(t, tg_is_null(tg_load_npy(t, "x.npy")) ? tg_tape_status(t) : TG_OK, "TG_NO_FILES");
    bad += failed(t, tg_save_run(t, "x.safetensors", (tg_run){0}), "TG_NO_FILES");
#endif
#ifdef TG_NO_GRADCHECK
    tg_gradcheck_result r = {.verdict = TG_GRAD_RIGHT};
    tg_tensor y = tg_square(tg_scalar(t, 2));
    bad += failed(t, tg_gradcheck(y, TG_GRADCHECK_DEFAULTS, &r), "TG_NO_GRADCHECK");
    bad += r.verdict != TG_GRAD_CANNOT_TELL;
    bad += failed(t, tg_gradcheck_second(y, 1, NULL), "TG_NO_GRADCHECK");
#endif
#ifdef TG_NO_THREADS
    tg_set_threads(4);
    printf("%d thread: %s\n", tg_get_threads(), tg_warning());
    bad += tg_get_threads() != 1 || !strstr(tg_warning(), "TG_NO_THREADS");
#endif
    tg_tape_free(t);
    return bad;
}
