/* A run in a file: the tape's named tensors, and under names that begin with "tapegrad.",
 *   run              I64 (1)    the number of this layout
 *   generator        I64 (629)  seed, left, next, which spare normals there are, the 624 words of its state
 *   generator.spare  F64 (2)    the spare normals
 *   number.NAME      I64 or F64, a scalar: the program's numbers
 *   optim.K.G.KIND   F64 (2 + n)  of optimizer K's group G: how many parameters, the learning rate, the n
 *                    numbers of its config
 *   optim.K.step.P   I64, a scalar: parameter P's updates
 *   optim.K.MOMENT.P its moments, under PyTorch's names, or those of a tg_custom_optim
 * Everything but tensors and moments goes through `words`, a copy: when loading, they are read and checked before
 * anything is changed. */
#include "core/io/serialize.h"
#include "optim/group.h"

#include <stdarg.h>

enum { LAYOUT = 1, STATE = 624 };
static const int64_t ONE = 1, GENERATOR = STATE + 5, SPARE = 2;

typedef union word {
    int64_t i;
    double x;
} word;

/* Passes over the list of items below. */
typedef enum {
    COUNT, /* the memory that it takes */
    LIST,  /* the items that the file must have */
    STORE, /* as LIST, and set the words' values */
    CHECK, /* validate the words' values */
    APPLY  /* use them */
} pass;

typedef struct contents {
    tg_tape *t;
    const tg_run *run;
    const tg_loading *from; /* in CHECK */
    pass pass;
    tg_stored *item; /* the first item that is not the tape's */
    word *words;
    char *names;
    size_t n_items, n_words, n_chars, room; /* room: for names */
} contents;

/* ---- items ---- */

static void name_item(contents *c, const tg_stored *x, const char *format, va_list args) {
    char *name = c->pass == COUNT ? NULL : c->names + c->n_chars;
    int n = vsnprintf(name, name ? c->room - c->n_chars : 0, format, args);
    if (name) {
        c->item[c->n_items] = *x;
        c->item[c->n_items].name = name;
        c->item[c->n_items].file_dtype = tg_st_dtype_of(x->dtype);
    }
    c->n_items++;
    c->n_chars += n > 0 ? (size_t)n + 1 : 1;
}

/* Add words of this shape, or a scalar (size NULL); returns them, NULL in COUNT. */
static word *add_words(contents *c, tg_dtype dtype, const int64_t *size, const char *format, ...) TG_PRINTF(4, 5);
static word *add_words(contents *c, tg_dtype dtype, const int64_t *size, const char *format, ...) {
    int64_t n = size ? *size : 1;
    word *w = c->pass == COUNT ? NULL : c->words + c->n_words;
    tg_stored x = {.data = w, .numel = n, .size = size, .ndim = size != NULL, .dtype = dtype, .is_word = true};
    va_list args;
    va_start(args, format);
    if (c->pass <= STORE)
        name_item(c, &x, format, args);
    va_end(args);
    c->n_words += (size_t)n;
    return w;
}

/* A moment of parameter p. */
static void add_moment(contents *c, const tg_node *p, void *data, const char *format, ...) TG_PRINTF(4, 5);
static void add_moment(contents *c, const tg_node *p, void *data, const char *format, ...) {
    tg_stored x = {.data = data, .numel = p->numel, .size = p->size, .ndim = p->ndim, .dtype = (tg_dtype)p->dtype};
    va_list args;
    va_start(args, format);
    if (c->pass <= STORE)
        name_item(c, &x, format, args);
    va_end(args);
}

static bool unusable(const contents *c, const char *what) {
    (void)tg_load_failed(c->from, TG_ERR_FORMAT, "%s", what);
    return false;
}

/* ---- contents of a run ---- */

static bool exchange_layout(contents *c) {
    word *w = add_words(c, TG_I64, &ONE, TG_RUN_MARK);
    if (c->pass == STORE)
        w->i = LAYOUT;
    return c->pass != CHECK || w->i == LAYOUT || unusable(c, "it was written by a newer version of this library");
}

static void store_generator(const tg_rng_state *g, word *w, word *spare) {
    const int64_t first[] = {(int64_t)g->seed, g->left, g->next, g->has_next_double, g->has_next_float};
    for (int i = 0; i < 5; i++)
        w[i].i = first[i];
    for (int i = 0; i < STATE; i++)
        w[5 + i].i = g->state[i];
    spare[0].x = g->next_double;
    spare[1].x = (double)g->next_float;
}

static bool read_generator(const word *w, const word *spare, tg_rng_state *g) {
    bool fits = true;
    *g = (tg_rng_state){.seed = (uint64_t)w[0].i,
                        .left = (uint32_t)w[1].i,
                        .next = (uint32_t)w[2].i,
                        .has_next_double = w[3].i != 0,
                        .has_next_float = w[4].i != 0,
                        .next_double = spare[0].x,
                        .next_float = (float)spare[1].x};
    for (int i = 0; i < STATE; i++)
        g->state[i] = (uint32_t)w[5 + i].i;
    for (int i = 1; i < GENERATOR; i++)
        fits = fits && w[i].i >= 0 && w[i].i <= UINT32_MAX;
    return fits && tg_rng_is_valid(g);
}

static bool exchange_generator(contents *c) {
    tg_rng_state g;
    word *w = add_words(c, TG_I64, &GENERATOR, TG_RESERVED_NAME "generator");
    word *spare = add_words(c, TG_F64, &SPARE, TG_RESERVED_NAME "generator.spare");
    if (c->pass == STORE)
        store_generator(&c->t->rng, w, spare);
    if (c->pass == CHECK && !read_generator(w, spare, &g))
        return unusable(c, "the generator's state is invalid");
    if (c->pass == APPLY && read_generator(w, spare, &g))
        c->t->rng = g;
    return true;
}

static void exchange_number(contents *c, const tg_run_number *n) {
    word *w = add_words(c, n->integer ? TG_I64 : TG_F64, NULL, TG_RESERVED_NAME "number.%s", n->name);
    if (c->pass == STORE && n->integer)
        w->i = *n->integer;
    else if (c->pass == STORE)
        w->x = *n->real;
    else if (c->pass == APPLY && n->integer)
        *n->integer = w->i;
    else if (c->pass == APPLY)
        *n->real = w->x;
}

static bool exchange_group(contents *c, const tg_optim *o, tg_group *g, int k, int number) {
    word *w = add_words(c, TG_F64, &o->kind->n_numbers, TG_RESERVED_NAME "optim.%d.%d.%s", k, number, o->kind->name);
    double config[TG_OPTIM_NUMBERS] = {0};
    if (c->pass == STORE) {
        o->kind->store(&g->config, config);
        w[0].x = (double)g->n;
        w[1].x = g->lr;
        for (int64_t i = 2; i < o->kind->n_numbers; i++)
            w[i].x = config[i - 2];
    }
    if (c->pass < CHECK)
        return true;
    tg_optim_config restored;
    for (int64_t i = 2; i < o->kind->n_numbers; i++)
        config[i - 2] = w[i].x;
    if (!o->kind->restore(config, g->n_arrays, &restored) || !(w[1].x >= 0 && isfinite(w[1].x)))
        return unusable(c, "an optimizer's numbers are out of range, or need other moments than it has");
    if (w[0].x != (double)g->n)
        return unusable(c, "a parameter group of an optimizer has another number of parameters");
    if (c->pass == APPLY) {
        g->lr = w[1].x;
        g->config = restored;
    }
    return true;
}

static bool exchange_moments(contents *c, const tg_optim *o, const tg_group *g, tg_moments *s, int k) {
    const tg_node *p = c->t->nodes[s->parameter.index];
    const char *name = p->extra->name;
    word *w = add_words(c, TG_I64, NULL, TG_RESERVED_NAME "optim.%d.step.%s", k, name);
    for (int i = 0; i < g->n_arrays && o->kind->moments[i]; i++)
        add_moment(c, p, s->array[i], TG_RESERVED_NAME "optim.%d.%s.%s", k, o->kind->moments[i], name);
    if (c->pass == STORE)
        w->i = s->steps;
    if (c->pass == CHECK && (w->i < 0 || w->i == INT64_MAX))
        return unusable(c, "a parameter's number of updates is invalid");
    if (c->pass == APPLY)
        s->steps = w->i;
    return true;
}

static bool exchange_optim(contents *c, const tg_optim *o, int k) {
    int number = 0;
    for (tg_group *g = o->first; g; g = g->next) {
        if (!exchange_group(c, o, g, k, number++))
            return false;
        for (int64_t i = 0; i < g->n; i++)
            if (!exchange_moments(c, o, g, &g->moments[i], k))
                return false;
    }
    return true;
}

static bool go_through(contents *c, pass which) {
    c->pass = which;
    c->n_items = c->n_words = c->n_chars = 0;
    if (!exchange_layout(c) || !exchange_generator(c))
        return false;
    for (int i = 0; i < c->run->n_numbers; i++)
        exchange_number(c, &c->run->number[i]);
    for (int k = 0; k < TG_RUN_OPTIMS && c->run->optim[k]; k++)
        if (!exchange_optim(c, c->run->optim[k], k))
            return false;
    return true;
}

/* ---- names ---- */

static tg_status check_optim(tg_tape *t, const char *name, const tg_optim *o) {
    if (o->tape != t)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: an optimizer is on another tape", name);
    if (tg_optim_check(o))
        return t->status;
    for (const tg_group *g = o->first; g; g = g->next)
        for (int64_t i = 0; i < g->n; i++) {
            const tg_node *p = t->nodes[g->moments[i].parameter.index];
            if (!p->extra || !p->extra->name)
                return tg_fail(t, TG_ERR_ARGUMENT, "%s: tensor %u %s has no name; tg_parameter gives one", name,
                               p->index, tg_node_text(p).s);
        }
    return TG_OK;
}

static tg_status check_run(tg_tape *t, const char *name, const tg_run *run) {
    if (run->n_numbers < 0)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the run has %d numbers", name, run->n_numbers);
    if (run->n_numbers && !run->number)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the run has %d numbers, but they are NULL", name, run->n_numbers);
    for (int i = 0; i < run->n_numbers; i++) {
        const tg_run_number *n = &run->number[i];
        if (!n->name || !*n->name || !n->integer == !n->real)
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: number %d must have a name, and be integer or real", name, i);
        for (int k = 0; k < i; k++)
            if (strcmp(n->name, run->number[k].name) == 0)
                return tg_fail(t, TG_ERR_ARGUMENT, "%s: two numbers are named '%.100s'", name, n->name);
    }
    for (int k = 0; k < TG_RUN_OPTIMS; k++)
        if (run->optim[k] && k && !run->optim[k - 1])
            return tg_fail(t, TG_ERR_ARGUMENT, "%s: optim[%d] is NULL, but optim[%d] is not", name, k - 1, k);
        else if (run->optim[k] && check_optim(t, name, run->optim[k]))
            return t->status;
    return TG_OK;
}

/* ---- memory ---- */

/* The tape's tensors and the run's items in one list, its words and names in blocks. */
static tg_status begin(contents *c, tg_items *list, pass which) {
    (void)go_through(c, COUNT);
    size_t n_words = c->n_words;
    c->room = c->n_chars;
    if (tg_items_all(c->t, c->n_items, list))
        return c->t->status;
    c->item = list->item + list->n;
    c->words = tg_block_get(c->t, n_words * sizeof *c->words);
    c->names = c->words ? tg_block_get(c->t, c->room) : NULL;
    if (!c->names)
        return c->t->status;
    (void)go_through(c, which);
    list->n += c->n_items;
    return TG_OK;
}

static void end(contents *c, tg_items *list) {
    (void)go_through(c, COUNT);
    tg_block_put(c->t, c->names, c->room);
    tg_block_put(c->t, c->words, c->n_words * sizeof *c->words);
    tg_items_end(c->t, list);
}

static tg_status open_run(tg_tape *t, const char *name, const char *path, const tg_run *run) {
    if (!t || t->status)
        return t ? t->status : TG_ERR_ARGUMENT;
    if (!path || !*path)
        return tg_fail(t, TG_ERR_ARGUMENT, "%s: the path is empty", name);
    if (!tg_outside_backward(t, name))
        return t->status;
    return check_run(t, name, run);
}

/* ---- the public functions ---- */

tg_status tg_save_run(tg_tape *t, const char *path, tg_run run) {
    contents c = {.t = t, .run = &run};
    tg_items list = {0};
    const tg_save_config config = TG_SAVE_DEFAULTS;
    tg_status bad = open_run(t, "save_run", path, &run);
    if (bad)
        return bad;
    if (!begin(&c, &list, STORE))
        (void)tg_save_items(t, "save_run", path, &list, &config);
    end(&c, &list);
    return t->status;
}

static tg_status load(contents *c, tg_loading *l, tg_items *list) {
    if (!tg_load_has(l, TG_RUN_MARK))
        return tg_load_failed(l, TG_ERR_FORMAT, "it holds tensors, but no run; tg_load reads it");
    if (begin(c, list, LIST) || tg_load_match(l, list, true) || tg_load_read(l, list))
        return c->t->status;
    for (size_t i = 0; i < list->n; i++)
        if (list->item[i].is_word)
            tg_load_item(&list->item[i]);
    c->from = l;
    if (!go_through(c, CHECK))
        return c->t->status;
    (void)go_through(c, APPLY);
    for (size_t i = 0; i < list->n; i++)
        if (!list->item[i].is_word)
            tg_load_item(&list->item[i]);
    return TG_OK;
}

tg_status tg_load_run(tg_tape *t, const char *path, tg_run run) {
    tg_loading l;
    contents c = {.t = t, .run = &run};
    tg_items list = {0};
    tg_status bad = open_run(t, "load_run", path, &run);
    if (bad)
        return bad;
    if (!tg_load_begin(&l, t, "load_run", path))
        (void)load(&c, &l, &list);
    end(&c, &list);
    tg_load_end(&l);
    return t->status;
}
