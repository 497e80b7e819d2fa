/* Runs a student's functions, one call after another, for the grader on the other end of two pipes.
 *   runner filter|open prints|silent task.so [08.so|- 09.so|- 11.so|-] or [A2.so|-]
 * Each array lies at the end of its own pages with a forbidden page behind, so that the first element read or written
 * past the end stops the program at once, and the grader can say which array it was. */
#define _GNU_SOURCE      /* dladdr */
#define _DARWIN_C_SOURCE /* the same, and MAP_ANON */
#include "harness/harness.h"
#include "harness/training.h"
#include "protocol.h"
#include "sandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif

enum { SLOTS = MAX_ARRAYS + MAX_KEPT, FRONT = 64 };

typedef struct slot {
    char *memory, *end; /* end: the forbidden page */
    char *data;
    size_t bytes, element;
} slot;

static slot slots[SLOTS];
static char sent[MAX_ARRAYS][MAX_BYTES]; /* what the arrays held before the call */
static size_t page;
static reply answer;
static void *task;
static course_code code;            /* for a training */
static const course_engine *engine; /* for 19 */

/* ---- pipes ---- */

static bool read_all(void *to, size_t n) {
    for (char *at = to; n;) {
        ssize_t got = read(REQUEST_FD, at, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_all(const void *from, size_t n) {
    for (const char *at = from; n;) {
        ssize_t put = write(REPLY_FD, at, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        n -= (size_t)put;
    }
    return true;
}

static void answer_and_leave(reply_kind kind) {
    answer.kind = (int32_t)kind;
    write_all(&answer, sizeof answer);
    _exit(kind != REPLY_DONE);
}

/* ---- memory with an end ---- */

static void open_slots(void) {
    page = (size_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < SLOTS; i++) {
        char *memory = mmap(NULL, MAX_BYTES + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED || mprotect(memory + MAX_BYTES, page, PROT_NONE)) {
            snprintf(answer.text, sizeof answer.text, "no memory for the arrays");
            answer_and_leave(REPLY_CANNOT_LOAD);
        }
        slots[i] = (slot){.memory = memory, .end = memory + MAX_BYTES};
    }
}

/* What stands in front of an array is a pattern, whose change shows a write before its start. */
static void *place(slot *s, size_t bytes, size_t element) {
    s->bytes = bytes;
    s->element = element;
    s->data = s->end - bytes;
    memset(s->data - FRONT, 0xa5, FRONT);
    return s->data;
}

static bool front_is_whole(const slot *s) {
    for (int i = 1; i <= FRONT; i++)
        if ((unsigned char)s->data[-i] != 0xa5)
            return false;
    return true;
}

static void check_fronts(void) {
    for (int i = 0; i < SLOTS; i++) {
        if (!slots[i].data || front_is_whole(&slots[i]))
            continue;
        answer.array = i;
        answer.offset = -1;
        answer_and_leave(REPLY_DAMAGE);
    }
}

/* The grader's numbers are the student's to read. */
static void check_inputs(const request *r) {
    for (int i = 0; i < r->n_arrays; i++) {
        if (r->array[i].is_result || r->array[i].is_null || memcmp(sent[i], slots[i].data, slots[i].bytes) == 0)
            continue;
        answer.array = i;
        answer_and_leave(REPLY_CHANGED);
    }
}

/* ---- when it crashes ---- */

/* True when there is as much memory left as one may ask for at once. */
static bool has_memory(void) {
    return mmap(NULL, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    (void)context;
    const char *at = info->si_addr;
    answer.value = number;
    answer.array = -1;
    if (number == SIGSEGV && (uintptr_t)at < 4096)
        answer.array = has_memory() ? -2 : -3;
    for (int i = 0; i < SLOTS && number == SIGSEGV; i++)
        if (slots[i].data && at >= slots[i].end && at < slots[i].end + page) {
            answer.array = i;
            answer.offset = (at - slots[i].data) / (ptrdiff_t)slots[i].element;
        }
    answer_and_leave(REPLY_SIGNAL);
}

/* On a stack of its own, for endless recursion uses up the other. */
static void catch_signals(void) {
    static char stack[65536];
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        sigaction(caught[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* printing without end is cut off, no more */
}

/* A crash must still come to on_signal(), or else one may have been hidden. */
static void check_handlers(void) {
    struct sigaction now;
    if (!sigaction(SIGSEGV, NULL, &now) && now.sa_sigaction == on_signal)
        return;
    snprintf(answer.text, sizeof answer.text, "the code catches signals; a crash has to be seen");
    answer_and_leave(REPLY_REFUSED);
}

/* ---- the student's side ---- */

/* In a training the calls go on and on, and nothing is sent back: there memory is used again in turn. */
static slot *next_kept(const char *name, int64_t rows, int64_t columns) {
    static unsigned turn;
    if (code.linear)
        return &slots[MAX_ARRAYS + turn++ % MAX_KEPT];
    if (answer.n_kept == MAX_KEPT)
        return NULL;
    kept_header *k = &answer.kept[answer.n_kept];
    snprintf(k->name, sizeof k->name, "%s", name);
    k->rows = rows;
    k->columns = columns;
    return &slots[MAX_ARRAYS + answer.n_kept++];
}

double *course_keep(const char *name, int64_t rows, int64_t columns) {
    int64_t most = (int64_t)((MAX_BYTES - FRONT) / sizeof(double));
    bool fits = rows >= 1 && columns >= 1 && rows <= most && columns <= most / rows;
    slot *s = fits ? next_kept(name, rows, columns) : NULL;
    if (!s) {
        snprintf(
            answer.text, sizeof answer.text,
            "course_keep(\"%.23s\", %lld, %lld): there are at most %d arrays for one call, each of 1 to %lld numbers",
            name, (long long)rows, (long long)columns, MAX_KEPT, (long long)most);
        answer_and_leave(REPLY_REFUSED);
    }
    size_t bytes = (size_t)(rows * columns) * sizeof(double);
    return memset(place(s, bytes, sizeof(double)), 0, bytes);
}

/* ---- one call ---- */

static size_t element_size(int dtype) { return dtype == TG_BOOL ? sizeof(bool) : 8; }

static size_t bytes_of(const array *a) {
    size_t n = element_size(a->dtype);
    for (int i = 0; i < a->shape.ndim; i++)
        n *= (size_t)a->shape.size[i];
    return n;
}

static bool read_request(request *r) {
    if (!read_all(r, sizeof *r))
        return false;
    for (int i = 0; i < SLOTS; i++)
        slots[i].data = NULL;
    for (int i = 0; i < r->n_arrays; i++)
        if (!r->array[i].is_null) {
            size_t n = bytes_of(&r->array[i]);
            if (!read_all(place(&slots[i], n, element_size(r->array[i].dtype)), n))
                return false;
            memcpy(sent[i], slots[i].data, n);
        }
    return true;
}

static void *find(const char *symbol) {
    void *found = dlsym(task, symbol);
    if (!found) {
        snprintf(answer.text, sizeof answer.text, "%s", symbol);
        answer_and_leave(REPLY_MISSING);
    }
    return found;
}

/* True when it is a function. What was declared as something else than an operation holds numbers in its place. */
static bool is_function(int (*f)(const tg_call *)) {
    union {
        int (*f)(const tg_call *);
        void *address;
    } u = {f};
    Dl_info found;
    return f && dladdr(u.address, &found) != 0;
}

static int call_operation(const request *r) {
    const tg_custom_op *op = find(r->symbol);
    const void *input[MAX_ARRAYS];
    void *grad[MAX_ARRAYS];
    tg_shape shape[MAX_ARRAYS];
    int n = r->n_inputs;
    bool vjp = r->kind == CALL_VJP;
    for (int i = 0; i < n; i++) {
        input[i] = slots[i].data;
        shape[i] = r->array[i].shape;
        grad[i] = vjp ? slots[n + 2 + i].data : NULL;
    }
    tg_call c = {.n_inputs = n,
                 .input = input,
                 .input_shape = shape,
                 .output = slots[n].data,
                 .output_shape = &r->array[n].shape,
                 .output_grad = vjp ? slots[n + 1].data : NULL,
                 .input_grad = vjp ? grad : NULL,
                 .context = r->number};
    int (*function)(const tg_call *) = vjp ? op->vjp_f64 : op->forward_f64;
    if (!is_function(function)) {
        snprintf(answer.text, sizeof answer.text, "%s's %s", r->symbol, vjp ? "vjp" : "forward");
        answer_and_leave(REPLY_MISSING);
    }
    return function(&c);
}

static double *doubles(int i) { return (double *)slots[i].data; }

static int call(const request *r) {
    const double *a = r->number;
    union {
        void *symbol;
        course_sgd_step *sgd;
        course_adam_step *adam;
        course_training *train;
        course_harnessed *harnessed;
    } f;
    int64_t n = r->array[0].shape.size[0];
    switch (r->kind) {
    case CALL_SGD:
        f.symbol = find(r->symbol);
        f.sgd(doubles(0), doubles(1), doubles(2), n, a[0], a[1]);
        return 0;
    case CALL_ADAM:
        f.symbol = find(r->symbol);
        f.adam(doubles(0), doubles(1), doubles(2), doubles(3), n, (int64_t)a[4], a[0], a[1], a[2], a[3]);
        return 0;
    case CALL_TRAIN: {
        training t = {.steps = (int)a[0], .lr = a[1], .variants = (int)a[2], .factor = {a[3], a[4], a[5]}};
        for (int i = 0; i < TRAINING_ARRAYS; i++) {
            t.array[i] = doubles(i);
            t.shape[i] = r->array[i].shape;
        }
        f.symbol = find("course_train");
        return f.train(&code, &t, answer.text, sizeof answer.text);
    }
    case CALL_HARNESS: {
        harness_call h = {.what = (int)a[0], .number = a, .engine = engine};
        for (int i = 0; i < r->n_arrays && i < HARNESS_ARRAYS; i++) {
            h.array[i] = doubles(i);
            h.size[i] = (int64_t)(slots[i].bytes / sizeof(double));
        }
        f.symbol = find("course_harness");
        return f.harnessed(&h);
    }
    default: return call_operation(r);
    }
}

static char *append(char *end, const slot *s) {
    memcpy(end, s->data, s->bytes);
    return end + s->bytes;
}

/* In one piece: each write may wake the other side. */
static bool send_answer(const request *r) {
    static char all[sizeof answer + SLOTS * MAX_BYTES];
    char *end = all + sizeof answer;
    answer.kind = REPLY_DONE;
    memcpy(all, &answer, sizeof answer);
    for (int i = 0; i < r->n_arrays; i++)
        if (r->array[i].is_result && !r->array[i].is_null)
            end = append(end, &slots[i]);
    for (int i = 0; i < answer.n_kept; i++)
        end = append(end, &slots[MAX_ARRAYS + i]);
    return write_all(all, (size_t)(end - all));
}

/* ---- start ---- */

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        return library;
    snprintf(answer.text, sizeof answer.text, "%s", dlerror());
    answer_and_leave(REPLY_CANNOT_LOAD);
    return NULL;
}

/* "-" stands for the library's version. */
static void *from(const char *path, const char *symbol, const char *instead) {
    bool own = path && strcmp(path, "-") != 0;
    return dlsym(own ? load(path) : task, own ? symbol : instead);
}

/* printf to a stream that can only be read returns at once: what is printed is no part of a cost. */
static bool be_silent(void) { return freopen("/dev/null", "r", stdout) && freopen("/dev/null", "r", stderr); }

int main(int argc, char **argv) {
    static request r;
    answer.array = -1;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before a crash is seen */
    catch_signals();
    open_slots();
    if (argc < 4 || (strcmp(argv[2], "silent") == 0 && !be_silent()))
        return 2;
    bool filters = strcmp(argv[1], "filter") == 0;
    if (filters)
        sandbox_filter_loading();
    task = load(argv[3]);
    if (argc > 6) {
        union {
            void *symbol;
            course_adam_step *f;
        } adam = {from(argv[6], "adam_step", "course_library_adam_step")};
        code = (course_code){from(argv[4], "linear_op", "course_library_linear"),
                             from(argv[5], "attention_op", "course_library_attention"), adam.f};
    }
    if (argc == 5)
        engine = from(argv[4], "my_engine", "course_library_engine");
    if (filters)
        sandbox_filter_calls();
    answer.kind = REPLY_READY;
    write_all(&answer, sizeof answer);
    while (read_request(&r)) {
        answer = (reply){.nonce = r.nonce, .array = -1};
        answer.value = call(&r);
        check_handlers();
        check_fronts();
        check_inputs(&r);
        if (!send_answer(&r))
            break;
    }
    return 0;
}
