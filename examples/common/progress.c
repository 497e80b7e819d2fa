#include "examples/common/progress.h"
#include "examples/common/terminal.h"

#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_begin(FILE *out, const char *what, int64_t steps) {
    double t = now();
    return (progress){.out = out, .what = what, .steps = steps, .started = t, .shown = t};
}

static void line(progress *p, double t, char *text, size_t size) {
    double seconds = t - p->started;
    double left = seconds / (double)p->step * (double)(p->steps - p->step);
    snprintf(text, size, "%s  step %lld/%lld  loss %.4f  %.0f tokens/s  %d:%02d left", p->what, (long long)p->step,
             (long long)p->steps, p->loss_sum / (double)p->loss_count, seconds > 0 ? (double)p->tokens / seconds : 0.0,
             (int)(left / 60), (int)left % 60);
}

/* Overwrite the line, blank what is left of a longer one, stay within the window. */
static void draw(progress *p, const char *text, int width) {
    int length = (int)strlen(text);
    if (length > width - 1)
        length = width - 1;
    int blanks = p->drawn > length && p->drawn < width ? p->drawn - length : 0;
    fprintf(p->out, "\r%.*s%*s", length, text, blanks, "");
    p->drawn = length;
}

static void show(progress *p, double t) {
    char text[256];
    terminal screen = terminal_of(p->out);
    line(p, t, text, sizeof text);
    if (screen.live)
        draw(p, text, screen.width);
    else
        fprintf(p->out, "%s\n", text);
    fflush(p->out);
    p->shown = t;
    p->shown_at = p->step;
    p->loss_sum = 0;
    p->loss_count = 0;
}

/* Ten times a second in a terminal; elsewhere ten lines in all, or one every half minute. */
static int due(const progress *p, double t) {
    if (p->step == p->steps)
        return 1;
    if (terminal_of(p->out).live)
        return t - p->shown > 0.1;
    return p->step * 10 / p->steps != (p->step - 1) * 10 / p->steps || t - p->shown > 30;
}

void progress_step(progress *p, double loss, int64_t tokens) {
    p->step++;
    p->tokens += tokens;
    p->loss_sum += loss;
    p->loss_count++;
    double t = now();
    if (due(p, t))
        show(p, t);
}

void progress_end(progress *p) {
    if (p->step > p->shown_at)
        show(p, now());
    if (p->drawn > 0)
        fputc('\n', p->out);
    fflush(p->out);
}
