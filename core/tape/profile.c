/* The profile: time, arithmetic and memory traffic of each operation's kernels.
 *
 * The clock is read around forward kernels, VJPs, and the sections that an optimizer reports. The rest of the time
 * since the profile was switched on is the tape's and the program's own.
 *
 * Bytes are the least that an operation has to move, each element once: forward reads its inputs and writes its result;
 * backward reads dy and the operands of the gradient's formula (tg_op.needs), and writes the gradients. Saved values,
 * repeated reads and accumulation are not counted. */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "core/engine.h"

#include <time.h>

enum { ROWS = 128 }; /* names; further names share the last row */

struct tg_profile {
    int64_t since, elapsed; /* when it was switched on; how long it was on before */
    int n;
    tg_profile_row row[ROWS];
};

/* In nanoseconds. */
static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- counting ---- */

static double bytes_of(const tg_node *x) { return (double)x->numel * (double)tg_dtype_size((tg_dtype)x->dtype); }

/* Counts elements in memory: those of an expanded view once. */
static double bytes_of_input(const tg_node *y, int i) {
    const tg_node *x = y->in[i];
    double bytes = (double)tg_dtype_size((tg_dtype)x->dtype);
    if (i == 0 && y->op->picks)
        return bytes * (double)y->numel;
    for (int d = 0; d < x->ndim; d++)
        bytes *= x->stride[d] || !x->size[d] ? (double)x->size[d] : 1;
    return bytes;
}

static double forward_bytes(const tg_node *y) {
    double bytes = y->op->is_view ? 0 : bytes_of(y);
    for (int i = 0; i < y->n_in && !y->op->is_view; i++)
        bytes += y->in[i] ? bytes_of_input(y, i) : 0;
    return bytes;
}

static double backward_bytes(const tg_node *y) {
    double bytes = bytes_of(y); /* dy */
    uint8_t reads = tg_grad_reads(y);
    for (int i = 0; i < y->n_in; i++) {
        bytes += tg_wants(y, i) ? bytes_of_input(y, i) : 0; /* dx */
        bytes += y->in[i] && tg_reads_input(reads, i) ? bytes_of_input(y, i) : 0;
    }
    return reads & TG_OUT ? bytes + bytes_of(y) : bytes;
}

static double flops_of(const tg_node *y, bool backward) {
    double flops = 0;
    if (!y->op->flops)
        return 0;
    if (!backward)
        return y->op->flops(y, -1);
    for (int i = 0; i < y->n_in; i++)
        flops += tg_wants(y, i) ? y->op->flops(y, i) : 0;
    return flops;
}

static tg_profile_row *row_of(tg_profile *p, const char *name) {
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->row[i].name, name) == 0)
            return &p->row[i];
    if (p->n == ROWS) {
        p->row[ROWS - 1].name = "others";
        return &p->row[ROWS - 1];
    }
    p->row[p->n] = (tg_profile_row){.name = name};
    return &p->row[p->n++];
}

static void add(tg_profile_sum *s, int64_t calls, int64_t ns, double flops, double bytes) {
    s->calls += calls;
    s->ns += ns;
    s->flops += flops;
    s->bytes += bytes;
}

tg_status tg_profile_kernel(tg_node *y, tg_kernel *kernel, bool backward) {
    int64_t start = now();
    tg_status status = kernel ? kernel(y) : TG_OK;
    int64_t ns = kernel ? now() - start : 0;
    if (!y->tape->watch.profile) /* a custom operation's kernel has switched it off */
        return status;
    tg_profile_row *r = row_of(y->tape->watch.profile, y->op->name);
    add(backward ? &r->backward : &r->forward, 1, ns, flops_of(y, backward),
        backward ? backward_bytes(y) : forward_bytes(y));
    return status;
}

int64_t tg_profile_start(const tg_tape *t) { return t->watch.profile ? now() : 0; }

void tg_profile_stop(tg_tape *t, const char *name, int64_t start, double bytes) {
    if (t->watch.profile && start)
        add(&row_of(t->watch.profile, name)->other, 1, now() - start, 0, bytes);
}

void tg_set_profile(tg_tape *t, bool on) {
    if (!t || (!on && !t->watch.profile))
        return;
    if (!on) {
        t->watch.profile->elapsed += now() - t->watch.profile->since;
        t->watch.profile = NULL;
        tg_update_watched(t);
        return;
    }
    if (!t->watch.profiled)
        t->watch.profiled = tg_pool_get(t, sizeof *t->watch.profiled);
    t->watch.profile = t->watch.profiled;
    if (!t->watch.profile)
        return;
    *t->watch.profile = (tg_profile){.since = now()};
    tg_update_watched(t);
}

const tg_profile_row *tg_profile_find(const tg_tape *t, const char *name) {
    for (int i = 0; t->watch.profiled && i < t->watch.profiled->n; i++)
        if (strcmp(t->watch.profiled->row[i].name, name) == 0)
            return &t->watch.profiled->row[i];
    return NULL;
}

/* ---- printing ---- */

static int64_t ns_of(const tg_profile_row *r) { return r->forward.ns + r->backward.ns + r->other.ns; }

/* Sorts rows by descending time. */
static void sort(tg_profile_row *row, int n) {
    for (int i = 1; i < n; i++) {
        tg_profile_row r = row[i];
        int at = i;
        for (; at && ns_of(&row[at - 1]) < ns_of(&r); at--)
            row[at] = row[at - 1];
        row[at] = r;
    }
}

/* a number as text, or "-" when there is none */
typedef struct cell {
    char s[32];
} cell;
static cell number(double value, int decimals, bool there) {
    cell c = {"-"};
    if (there) {
        snprintf(c.s, sizeof c.s, "%.*f", decimals, value);
        tg_put_point(c.s);
    }
    return c;
}

static cell percent(int64_t ns, int64_t of) { return number(of > 0 ? 100 * (double)ns / (double)of : 0.0, 1, true); }

static cell milliseconds(int64_t ns, bool there) { return number((double)ns / 1e6, 3, there); }

/* 10^9 per second, that is per nanosecond */
static cell per_second(double n, int64_t ns) { return number(n / (double)ns, 2, n > 0 && ns > 0); }

static void print_row(FILE *file, const tg_profile_row *r, int64_t elapsed) {
    const tg_profile_sum *f = &r->forward, *b = &r->backward, *o = &r->other;
    int64_t ns = ns_of(r), calls = f->calls > b->calls ? f->calls : b->calls;
    char name[29]; /* a custom operation's may have any bytes */
    snprintf(name, sizeof name, "%s", r->name);
    tg_make_printable(name);
    fprintf(file, "%-28s %8lld %10s %6s%% %10s %11s %8s %7s\n", name, (long long)(calls + o->calls),
            milliseconds(ns, true).s, percent(ns, elapsed).s, milliseconds(f->ns, f->calls > 0).s,
            milliseconds(b->ns, b->calls > 0).s, per_second(f->flops + b->flops + o->flops, ns).s,
            per_second(f->bytes + b->bytes + o->bytes, ns).s);
}

static tg_profile_row total_of(const tg_profile_row *r, int n) {
    tg_profile_row total = {.name = "all of these"};
    for (int i = 0; i < n; i++) {
        const tg_profile_sum *from[] = {&r[i].forward, &r[i].backward, &r[i].other};
        tg_profile_sum *to[] = {&total.forward, &total.backward, &total.other};
        for (int k = 0; k < 3; k++)
            add(to[k], from[k]->calls, from[k]->ns, from[k]->flops, from[k]->bytes);
    }
    return total;
}

static void print_rest(FILE *file, const char *name, int64_t ns, int64_t elapsed) {
    fprintf(file, "%-28s %8s %10s %6s%%\n", name, "", milliseconds(ns, true).s, percent(ns, elapsed).s);
}

tg_status tg_profile_print(FILE *file, tg_tape *t) {
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!file)
        return tg_fail(t, TG_ERR_ARGUMENT, "profile_print: the file is NULL");
    if (!t->watch.profiled)
        return tg_fail(t, TG_ERR_STATE, "profile_print: nothing was counted; call tg_set_profile(t, true) first");
    tg_profile p = *t->watch.profiled; /* the order of rows is printing's own */
    int64_t elapsed = p.elapsed + (t->watch.profile ? now() - p.since : 0);
    sort(p.row, p.n);
    tg_profile_row total = total_of(p.row, p.n);
    fprintf(file, "%-28s %8s %10s %7s %10s %11s %8s %7s\n", "operation", "calls", "ms", "share", "forward ms",
            "backward ms", "GFLOP/s", "GB/s");
    for (int i = 0; i < p.n; i++)
        print_row(file, &p.row[i], elapsed);
    print_row(file, &total, elapsed);
    print_rest(file, "tape and program", elapsed - ns_of(&total), elapsed);
    print_rest(file, "elapsed", elapsed, elapsed);
    return ferror(file) ? tg_fail(t, TG_ERR_IO, "profile_print: the file cannot be written") : TG_OK;
}
