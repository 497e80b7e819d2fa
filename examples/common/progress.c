#include "examples/common/progress.h"

#include <math.h>
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

void progress_line(const progress *p, char *text, size_t size) {
    double seconds = now() - p->started, loss = p->loss_sum / (double)p->loss_count;
    double left = seconds / (double)p->step * (double)(p->steps - p->step);
    snprintf(text, size, "%s  step %lld/%lld  loss %.4f  %.0f tokens/s  %d:%02d left", p->what, (long long)p->step,
             (long long)p->steps, loss, seconds > 0 ? (double)p->tokens / seconds : 0.0, (int)(left / 60),
             (int)left % 60);
}

/* Overwrite the line, clear the rest of a longer one, stay within the window. */
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
    if (p->out) {
        progress_line(p, text, sizeof text);
        terminal screen = terminal_of(p->out);
        if (screen.live)
            draw(p, text, screen.width);
        else
            fprintf(p->out, "%s\n", text);
        fflush(p->out);
    }
    p->shown = t;
    p->shown_at = p->step;
}

/* Ten times a second in a terminal; elsewhere ten lines in all, or one every half minute. */
static bool due(const progress *p, double t) {
    if (p->step == p->steps)
        return true;
    if (!p->out || terminal_of(p->out).live)
        return t - p->shown > 0.1;
    return p->step * 10 / p->steps != (p->step - 1) * 10 / p->steps || t - p->shown > 30;
}

bool progress_step(progress *p, double loss, int64_t tokens) {
    int part = (int)((double)p->step / (double)p->steps * PROGRESS_CURVE);
    p->curve[part] += (loss - p->curve[part]) / (double)++p->in_curve[part];
    if (p->shown_at == p->step)
        p->loss_sum = 0, p->loss_count = 0;
    p->step++;
    p->tokens += tokens;
    p->loss_sum += loss;
    p->loss_count++;
    double t = now();
    bool is_due = due(p, t);
    if (is_due)
        show(p, t);
    return is_due;
}

void progress_break(progress *p) {
    if (p->drawn > 0)
        fputc('\n', p->out);
    p->drawn = 0;
}

void progress_end(progress *p) {
    if (p->step > p->shown_at)
        show(p, now());
    progress_break(p);
    if (p->out)
        fflush(p->out);
}

void progress_curve(const progress *p, terminal screen, char *text, size_t size) {
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const letters[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    double highest = 0, first = NAN, last = NAN;
    for (int i = 0; i < PROGRESS_CURVE; i++) {
        if (!p->in_curve[i])
            continue;
        highest = p->curve[i] > highest ? p->curve[i] : highest;
        first = isnan(first) ? p->curve[i] : first;
        last = p->curve[i];
    }
    size_t n = (size_t)snprintf(text, size, "loss %.3f ", first);
    for (int i = 0; i < PROGRESS_CURVE && n < size; i++) {
        int height = highest > 0 ? (int)(p->curve[i] / highest * 7 + 0.5) : 0;
        if (p->in_curve[i])
            n += (size_t)snprintf(text + n, size - n, "%s", screen.unicode ? bars[height] : letters[height]);
    }
    if (n < size)
        snprintf(text + n, size - n, " %.3f", last);
}
