#include "examples/common/report.h"
#include "examples/common/report_page.h"
#include "examples/common/text_file.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_POINTS = 2000, SNAPSHOTS = 41, SIDE = 64, FULL = 512, TEXTS = 8, PARTS = 100 };
/* Limits on the page in bytes: maps; parameters, about 12 per number; the graph. */
enum { MAPS_BYTES = 900000, NUMBERS_BYTES = 300000, GRAPH_BYTES = 200000, NUMBER = 12 };

typedef struct point {
    int64_t step;
    double loss, rate, gradient;
} point;

/* One parameter's root mean squares at each recorded update; NONE: no gradient, or a size of 0, to which an update has
 * no ratio. */
#define NONE (-1.)
typedef struct course {
    double size[SNAPSHOTS + 1], gradient[SNAPSHOTS + 1], update[SNAPSHOTS + 1];
} course;

struct report {
    report_plan plan;
    int64_t averaged, in_sum; /* steps per point; steps in the sum */
    point sum, points[MOST_POINTS + 1];
    int n_points;
    point held_out[MOST_POINTS];
    int n_held_out;
    int64_t every; /* steps from one snapshot to the next */
    int64_t pooled, side;
    unsigned char *cells; /* (snapshots, maps, side, side) */
    unsigned char *full;  /* (T, T) of the first map; NULL without pooling */
    int64_t map_step[SNAPSHOTS + 1], update_step[SNAPSHOTS + 1];
    int n_maps_taken, n_updates;
    course *course; /* one per parameter */
    double *before; /* the elements of all parameters */
    int64_t elements;
    char *graph;
    const char *text_title[TEXTS];
    char *text[TEXTS];
    int n_texts;
};

/* ---- the page's path ---- */

static bool refuse(char *error, size_t size, const char *path, const char *why) {
    snprintf(error, size, "cannot write a report to %.400s: %s", path, why);
    return false;
}

static const char first_lines[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
                                  "<meta name=\"generator\" content=\"tapegrad report\">";

static bool is_report(FILE *file) {
    char start[sizeof first_lines - 1];
    size_t n = fread(start, 1, sizeof start, file);
    return n == 0 || (n == sizeof start && memcmp(start, first_lines, n) == 0);
}

bool report_check(const char *path, char *error, size_t size) {
    struct stat s;
    if (!path)
        return refuse(error, size, "NULL", "it has no name");
    bool exists = stat(path, &s) == 0;
    if (exists && !S_ISREG(s.st_mode))
        return refuse(error, size, path, "it is not a file");
    FILE *file = fopen(path, "a+"); /* creates it, or keeps its content */
    if (!file)
        return refuse(error, size, path, strerror(errno));
    rewind(file);
    bool ours = is_report(file);
    fclose(file);
    if (!exists)
        unlink(path);
    return ours || refuse(error, size, path, "it holds something that is no report; remove it, or choose another name");
}

/* ---- recording ---- */

static int64_t largest(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t rounded_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static bool allocate(report *r) {
    size_t map = (size_t)(r->side * r->side), n = (size_t)r->plan.n_maps;
    for (int64_t i = 0; i < r->plan.parameters.n; i++)
        r->elements += tg_numel(r->plan.parameters.tensor[i]);
    r->cells = calloc(map * n * (SNAPSHOTS + 1) + 1, 1);
    r->full = r->pooled > 1 && r->plan.T <= FULL ? calloc((size_t)(r->plan.T * r->plan.T), 1) : NULL;
    r->course = calloc((size_t)r->plan.parameters.n + 1, sizeof *r->course);
    r->before = calloc((size_t)r->elements + 1, sizeof *r->before);
    return r->cells && r->course && r->before && (r->pooled == 1 || r->plan.T > FULL || r->full);
}

/* The snapshots that fit, at 4/3 characters per byte. */
static int64_t maps_that_fit(const report *r) {
    int64_t side = rounded_up(r->plan.T, r->pooled);
    return MAPS_BYTES / largest(1, side * side * r->plan.n_maps * 4 / 3);
}

report *report_new(const report_plan *plan) {
    report *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    int64_t steps = largest(1, plan->last - plan->first);
    r->plan = *plan;
    r->averaged = rounded_up(steps, MOST_POINTS);
    r->pooled = largest(1, rounded_up(plan->T, SIDE));
    while (maps_that_fit(r) < 2)
        r->pooled++;
    r->side = rounded_up(plan->T, r->pooled);
    int64_t fit = maps_that_fit(r);
    r->every = rounded_up(steps, fit > SNAPSHOTS ? SNAPSHOTS - 1 : fit - 1);
    if (allocate(r))
        return r;
    report_free(r);
    return NULL;
}

void report_free(report *r) {
    if (!r)
        return;
    for (int i = 0; i < r->n_texts; i++)
        free(r->text[i]);
    free(r->graph);
    free(r->before);
    free(r->course);
    free(r->full);
    free(r->cells);
    free(r);
}

void report_step(report *r, int64_t step, double loss, double rate, double gradient) {
    if (!r)
        return;
    r->in_sum++;
    r->sum.step = step;
    r->sum.loss += loss;
    r->sum.rate += rate;
    r->sum.gradient += gradient;
    if ((r->in_sum < r->averaged && step < r->plan.last) || r->n_points > MOST_POINTS)
        return;
    double n = (double)r->in_sum;
    r->points[r->n_points++] = (point){step, r->sum.loss / n, r->sum.rate / n, r->sum.gradient / n};
    r->sum = (point){0};
    r->in_sum = 0;
}

void report_held_out(report *r, int64_t step, double loss) {
    if (r && r->n_held_out < MOST_POINTS)
        r->held_out[r->n_held_out++] = (point){.step = step, .loss = loss};
}

bool report_is_due(const report *r, int64_t step) {
    if (!r)
        return false;
    return step == r->plan.last || (step - r->plan.first) % r->every == 0;
}

/* Square roots, as most weights are small. */
static unsigned char to_byte(float weight) {
    return (unsigned char)(255 * sqrt(fmin(1, fmax(0, (double)weight))) + 0.5); /* fmax turns NaN into 0 */
}

static void pool(const report *r, const float *weights, unsigned char *cells) {
    int64_t T = r->plan.T;
    memset(cells, 0, (size_t)(r->side * r->side));
    for (int64_t i = 0; i < T; i++)
        for (int64_t j = 0; j < T; j++) {
            unsigned char *cell = &cells[i / r->pooled * r->side + j / r->pooled], now = to_byte(weights[i * T + j]);
            *cell = now > *cell ? now : *cell;
        }
}

/* The snapshot of this step: the last one, or a new one; -1 when there are enough. */
static int snapshot_of(report *r, int64_t step) {
    int k = r->n_maps_taken;
    if (k > 0 && r->map_step[k - 1] == step)
        return k - 1;
    if (k > SNAPSHOTS)
        return -1;
    r->map_step[r->n_maps_taken++] = step;
    return k;
}

void report_maps(report *r, int64_t step, int map, int n, const float *weights) {
    if (!r || !weights)
        return;
    int64_t T = r->plan.T, side = r->side * r->side, all = r->plan.n_maps;
    int k = snapshot_of(r, step);
    for (int64_t m = map; m < (int64_t)map + n && k >= 0; m++)
        if (m >= 0 && m < all)
            pool(r, weights + (m - map) * T * T, r->cells + (k * all + m) * side);
    for (int64_t i = 0; r->full && map == 0 && n > 0 && k >= 0 && i < T * T; i++)
        r->full[i] = to_byte(weights[i]);
}

static double mean_square_root(const double *x, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum / (double)largest(1, n));
}

tg_status report_before_update(report *r) {
    if (!r)
        return TG_OK;
    double *x = r->before;
    tg_list all = r->plan.parameters;
    if (r->n_updates > SNAPSHOTS)
        return TG_OK;
    for (int64_t i = 0; i < all.n; i++) {
        int64_t n = tg_numel(all.tensor[i]);
        double *gradient = &r->course[i].gradient[r->n_updates];
        *gradient = NONE;
        if (tg_has_grad(all.tensor[i])) {
            if (tg_read_doubles(tg_grad(all.tensor[i]), x, n))
                return tg_tape_status(all.tape);
            *gradient = mean_square_root(x, n);
        }
        if (tg_read_doubles(all.tensor[i], x, n))
            return tg_tape_status(all.tape);
        r->course[i].size[r->n_updates] = mean_square_root(x, n);
        x += n;
    }
    return TG_OK;
}

tg_status report_after_update(report *r, int64_t step) {
    if (!r)
        return TG_OK;
    double *x = r->before;
    tg_list all = r->plan.parameters;
    if (r->n_updates > SNAPSHOTS)
        return TG_OK;
    for (int64_t i = 0; i < all.n; i++) {
        int64_t n = tg_numel(all.tensor[i]);
        double *now = calloc((size_t)n + 1, sizeof *now);
        tg_status status = now ? tg_read_doubles(all.tensor[i], now, n) : TG_ERR_MEMORY;
        for (int64_t k = 0; !status && k < n; k++)
            now[k] -= x[k];
        double size = r->course[i].size[r->n_updates];
        if (!status)
            r->course[i].update[r->n_updates] = size == 0 ? NONE : mean_square_root(now, n) / size;
        free(now);
        if (status)
            return status;
        x += n;
    }
    r->update_step[r->n_updates++] = step;
    return TG_OK;
}

tg_status report_graph(report *r, tg_tensor loss) {
    text_file graph;
    if (!r)
        return TG_OK;
    if (!text_file_begin(&graph))
        return TG_ERR_MEMORY;
    tg_status status = tg_graph_svg(graph.file, loss);
    char *text = text_file_end(&graph);
    if (!text || status) {
        free(text);
        return status ? status : TG_ERR_MEMORY;
    }
    if (graph.size > GRAPH_BYTES)
        strcpy(text, "<p>It has too many tensors to be drawn here; tg_graph_svg draws it.</p>");
    free(r->graph);
    r->graph = text;
    return TG_OK;
}

/* The norm of all gradients; 0 when a failed step has none. */
static double norm_of(tg_list all) {
    double sum = 0;
    for (int64_t i = 0; i < all.n; i++) {
        tg_tensor x = all.tensor[i];
        const void *g = tg_has_grad(x) ? tg_grad_data(x) : NULL;
        for (int64_t j = 0; g && j < tg_numel(x); j++) {
            double one = tg_dtype_of(x) == TG_F32 ? (double)((const float *)g)[j] : ((const double *)g)[j];
            sum += one * one;
        }
    }
    return sqrt(sum);
}

tg_status report_optim_step(report *r, int64_t step, tg_optim *o, tg_tensor loss) {
    bool is_due = report_is_due(r, step);
    if (r)
        report_step(r, step, tg_item(loss), tg_optim_lr(o), norm_of(r->plan.parameters));
    if (is_due && (report_before_update(r) || report_graph(r, loss)))
        return tg_reject(loss.tape, TG_ERR_MEMORY, "report_optim_step: out of memory");
    tg_status status = tg_optim_step(o);
    return status || !is_due ? status : report_after_update(r, step);
}

void report_text(report *r, const char *title, const char *text) {
    text = text ? text : "";
    char *copy = r && r->n_texts < TEXTS ? malloc(strlen(text) + 1) : NULL;
    if (!copy)
        return;
    strcpy(copy, text);
    r->text_title[r->n_texts] = title;
    r->text[r->n_texts++] = copy;
}

/* ---- the page's data, as JSON ---- */

/* "<" is escaped so that no text can end the enclosing script. */
static void put_string(FILE *out, const char *s) {
    fputc('"', out);
    for (; s && *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || *s == '<')
            fprintf(out, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, out);
    fputc('"', out);
}

static void put_number(FILE *out, double x) {
    if (isfinite(x))
        fprintf(out, "%.6g", x);
    else
        put_string(out, isnan(x) ? "NaN" : x > 0 ? "Inf" : "-Inf");
}

static void put_strings(FILE *out, const char *name, const char *const *s, int64_t n) {
    fprintf(out, "\"%s\":[", name);
    for (int64_t i = 0; i < n && s; i++) {
        fputs(i ? "," : "", out);
        put_string(out, s[i]);
    }
    fputs("],\n", out);
}

/* One number of each of n records, `stride` doubles apart. */
static void put_numbers(FILE *out, const char *name, const double *x, int n, size_t stride) {
    fprintf(out, "\"%s\":[", name);
    for (int i = 0; i < n; i++) {
        fputs(i ? "," : "", out);
        put_number(out, x[(size_t)i * stride]);
    }
    fputc(']', out);
}

/* The same for sizes, which may be NONE. */
static void put_sizes(FILE *out, const char *name, const double *x, int n, size_t stride) {
    fprintf(out, "\"%s\":[", name);
    for (int i = 0; i < n; i++) {
        double one = x[(size_t)i * stride];
        fputs(i ? "," : "", out);
        if (one == NONE)
            fputs("null", out);
        else
            put_number(out, one);
    }
    fputc(']', out);
}

static void put_steps(FILE *out, const char *name, const int64_t *step, int n, size_t stride) {
    fprintf(out, "\"%s\":[", name);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%lld", i ? "," : "", (long long)step[(size_t)i * stride]);
    fputc(']', out);
}

static void put_points(FILE *out, const report *r) {
    const size_t stride = sizeof(point) / sizeof(double);
    fprintf(out, "\"averaged\":%lld,\n\"steps\":{", (long long)r->averaged);
    put_steps(out, "step", &r->points->step, r->n_points, stride);
    fputc(',', out);
    put_numbers(out, "loss", &r->points->loss, r->n_points, stride);
    fputc(',', out);
    put_numbers(out, "rate", &r->points->rate, r->n_points, stride);
    fputc(',', out);
    put_numbers(out, "gradient", &r->points->gradient, r->n_points, stride);
    fputs("},\n\"held_out\":{", out);
    put_steps(out, "step", &r->held_out->step, r->n_held_out, stride);
    fputc(',', out);
    put_numbers(out, "loss", &r->held_out->loss, r->n_held_out, stride);
    fputs("},\n", out);
}

/* RFC 4648 */
static void put_base64(FILE *out, const unsigned char *x, int64_t n) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputc('"', out);
    for (int64_t i = 0; i < n; i += 3) {
        unsigned b1 = i + 1 < n ? x[i + 1] : 0, b2 = i + 2 < n ? x[i + 2] : 0,
                 all = (unsigned)x[i] << 16 | b1 << 8 | b2;
        fputc(digit[all >> 18], out);
        fputc(digit[all >> 12 & 63], out);
        fputc(i + 1 < n ? digit[all >> 6 & 63] : '=', out);
        fputc(i + 2 < n ? digit[all & 63] : '=', out);
    }
    fputc('"', out);
}

static void put_maps(FILE *out, const report *r) {
    int64_t map = r->side * r->side, T = r->plan.T;
    fprintf(out, "\"T\":%lld,\"pooled\":%lld,\"side\":%lld,\n\"snapshots\":[", (long long)T, (long long)r->pooled,
            (long long)r->side);
    for (int k = 0; k < r->n_maps_taken; k++) {
        fprintf(out, "%s{\"step\":%lld,\"cells\":[", k ? ",\n" : "", (long long)r->map_step[k]);
        for (int m = 0; m < r->plan.n_maps; m++) {
            fputs(m ? "," : "", out);
            put_base64(out, r->cells + ((int64_t)k * r->plan.n_maps + m) * map, map);
        }
        fputs("]}", out);
    }
    fputs("],\n", out);
    if (!r->full || r->n_maps_taken == 0)
        return;
    fprintf(out, "\"full\":{\"step\":%lld,\"map\":", (long long)r->map_step[r->n_maps_taken - 1]);
    put_string(out, r->plan.map ? r->plan.map[0] : NULL);
    fputs(",\"cells\":", out);
    put_base64(out, r->full, T * T);
    fputs("},\n", out);
}

/* With hundreds of parameters only every k-th update is shown, including the last; returns k. */
static int updates_to_one(const report *r) {
    int64_t all = r->plan.parameters.n * r->n_updates * 3 * NUMBER;
    return (int)rounded_up(largest(1, all), NUMBERS_BYTES);
}

static void put_parameter(FILE *out, const report *r, int64_t i, int first, int n, int stride) {
    tg_tensor x = r->plan.parameters.tensor[i];
    tg_shape shape = tg_shape_of(x);
    size_t by = (size_t)stride;
    fputs("{\"name\":", out);
    put_string(out, tg_name(x));
    fprintf(out, ",\"shape\":\"%s\",", tg_shape_text(&shape).s);
    put_sizes(out, "size", r->course[i].size + first, n, by);
    fputc(',', out);
    put_sizes(out, "gradient", r->course[i].gradient + first, n, by);
    fputc(',', out);
    put_sizes(out, "update", r->course[i].update + first, n, by);
    fputc('}', out);
}

static void put_parameters(FILE *out, const report *r) {
    int stride = updates_to_one(r), n = (r->n_updates + stride - 1) / stride;
    int first = n > 0 ? (r->n_updates - 1) % stride : 0;
    put_steps(out, "updates", r->update_step + first, n, (size_t)stride);
    fputs(",\n\"parameters\":[", out);
    for (int64_t i = 0; i < r->plan.parameters.n; i++) {
        fputs(i ? ",\n" : "", out);
        put_parameter(out, r, i, first, n, stride);
    }
    fputs("],\n", out);
}

static void put_data(FILE *out, const report *r, const char *summary) {
    fputs("{\"title\":", out);
    put_string(out, r->plan.title);
    fputs(",\n\"summary\":", out);
    put_string(out, summary);
    fputs(",\n\"loss\":", out);
    put_string(out, r->plan.loss ? r->plan.loss : "loss in nats");
    fputs(",\n", out);
    put_points(out, r);
    put_strings(out, "tokens", r->plan.token, r->plan.T);
    put_strings(out, "maps", r->plan.map, r->plan.n_maps);
    put_maps(out, r);
    put_parameters(out, r);
    fputs("\"texts\":[", out);
    for (int i = 0; i < r->n_texts; i++) {
        fprintf(out, "%s{\"title\":", i ? ",\n" : "");
        put_string(out, r->text_title[i]);
        fputs(",\"text\":", out);
        put_string(out, r->text[i]);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

/* ---- the page ---- */

static void put_page(FILE *out, const report *r, const char *summary) {
    for (size_t i = 0; i < sizeof report_page / sizeof *report_page; i++)
        if (!strcmp(report_page[i], "<!--data-->\n"))
            put_data(out, r, summary);
        else if (!strcmp(report_page[i], "<!--graph-->\n"))
            fputs(r->graph ? r->graph : "", out);
        else
            fputs(report_page[i], out);
}

/* A new file beside the page, never an existing one. */
static FILE *open_part(const char *path, char *part, size_t size) {
    FILE *file = NULL;
    for (int i = 0; i < PARTS && !file; i++) {
        snprintf(part, size, i ? "%s.part%d" : "%s.part", path, i);
        file = make_new_file(part);
        if (!file && errno != EEXIST)
            break;
    }
    return file;
}

bool report_write(report *r, const char *summary, char *error, size_t size) {
    if (!r)
        return true;
    const char *path = r->plan.path;
    if (!report_check(path, error, size))
        return false;
    size_t length = strlen(path) + sizeof ".part" + 2;
    char *part = malloc(length);
    FILE *out = part ? open_part(path, part, length) : NULL;
    if (out)
        put_page(out, r, summary);
    bool bad = !out || ferror(out);
    if (out && fclose(out))
        bad = true;
    if (!bad && put_in_place(part, path))
        bad = true;
    int why = errno;
    if (bad && out)
        unlink(part);
    free(part);
    return !bad || refuse(error, size, path, strerror(why));
}
