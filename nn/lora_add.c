/* Low-rank adapters by the names of their weights: each is a tg_nn_lora that tg_linear applies. */
#include "nn/layer.h"

static const char prefix[] = "base_model.model.";

/* ---- names ---- */

static const char *skip_blanks(const char *s) { return s + strspn(s, " \t\n"); }

/* True where a pattern ends: at a comma or the NUL, after optional blanks. */
static bool is_end(const char *pattern) {
    char c = *skip_blanks(pattern);
    return c == '\0' || c == ',';
}

/* The next of several patterns separated by commas; NULL after the last. */
static const char *next_pattern(const char *pattern) {
    const char *comma = strchr(pattern, ',');
    return comma ? comma + 1 : NULL;
}

/* True when the pattern, with * for any text, matches the first n characters of s. At a mismatch the last * takes one
 * more character. */
static bool fits(const char *pattern, const char *s, size_t n) {
    const char *after_star = NULL;
    size_t at = 0, end_of_star = 0;
    pattern = skip_blanks(pattern);
    while (at < n) {
        if (*pattern == '*') {
            after_star = ++pattern;
            end_of_star = at;
        } else if (!is_end(pattern) && *pattern == s[at]) {
            pattern++;
            at++;
        } else if (after_star) {
            pattern = after_star;
            at = ++end_of_star;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return is_end(pattern);
}

/* By the whole name, as in files: a layer may itself be called base_model.model.LAYER. */
static bool is_adapter(const char *name) {
    size_t n = strlen(name), head = strlen(prefix), tail = strlen(".lora_A.weight");
    return n > head + tail && strncmp(name, prefix, head) == 0 &&
           (!strcmp(name + n - tail, ".lora_A.weight") || !strcmp(name + n - tail, ".lora_B.weight"));
}

/* The length of a weight's name without ".weight". */
static size_t layer_length(const char *name) {
    size_t n = strlen(name), tail = strlen(".weight");
    return n > tail && strcmp(name + n - tail, ".weight") == 0 ? n - tail : n;
}

static bool fits_weight(const char *pattern, tg_tensor w) {
    const char *name = tg_name(w);
    return tg_ndim(w) == 2 && !is_adapter(name) &&
           (fits(pattern, name, strlen(name)) || fits(pattern, name, layer_length(name)));
}

static bool is_meant(tg_tensor w, const char *patterns) {
    for (; patterns; patterns = next_pattern(patterns))
        if (fits_weight(patterns, w))
            return true;
    return false;
}

/* A layer's name with a * for each number in it: "h.*.mlp.up". */
static tg_nn_text kind_of(const char *name) {
    tg_nn_text text;
    size_t to = 0, n = layer_length(name);
    for (size_t i = 0; i < n && to + 1 < sizeof text.s; i++) {
        bool begins = i == 0 || name[i - 1] == '.';
        size_t digits = begins ? strspn(name + i, "0123456789") : 0;
        bool is_number = digits && (i + digits >= n || name[i + digits] == '.');
        text.s[to++] = is_number ? '*' : name[i];
        i += is_number ? digits - 1 : 0;
    }
    text.s[to] = '\0';
    return text;
}

/* True when tensor i is the first matrix with its kind of name. */
static bool is_new_kind(const tg_list *all, int64_t i) {
    tg_nn_text own = kind_of(tg_name(all->tensor[i]));
    for (int64_t k = 0; k < i; k++)
        if (tg_ndim(all->tensor[k]) == 2 && !strcmp(kind_of(tg_name(all->tensor[k])).s, own.s))
            return false;
    return true;
}

static tg_status nothing_fits(tg_tape *t, const tg_list *all, const char *pattern) {
    char names[400] = "none";
    size_t at = 0;
    for (int64_t i = 0; i < all->n && at + 6 < sizeof names; i++)
        if (tg_ndim(all->tensor[i]) == 2 && !is_adapter(tg_name(all->tensor[i])) && is_new_kind(all, i)) {
            int n = snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", kind_of(tg_name(all->tensor[i])).s);
            bool is_cut = n < 0 || (size_t)n >= sizeof names - at;
            at = is_cut ? sizeof names : at + (size_t)n;
        }
    if (at >= sizeof names)
        strcpy(names + sizeof names - 4, "...");
    size_t n = 0;
    for (pattern = skip_blanks(pattern); !is_end(pattern + n);)
        n++;
    return tg_reject(t, TG_ERR_ARGUMENT, "lora_add: no weight (out, in) fits '%.*s'; there are: %s",
                     n > 40 ? 40 : (int)n, pattern, names);
}

/* ---- adding ---- */

static tg_status check(tg_tape *t, const tg_list *all, const char *patterns) {
    for (const char *p = patterns; p; p = next_pattern(p)) {
        bool good = false;
        for (int64_t i = 0; i < all->n && !good; i++)
            good = fits_weight(p, all->tensor[i]);
        if (!good)
            return nothing_fits(t, all, p);
    }
    for (int64_t i = 0; i < all->n; i++)
        if (is_meant(all->tensor[i], patterns) && !tg_is_null(tg_adapter_of(all->tensor[i]).a))
            return tg_reject(t, TG_ERR_STATE, "lora_add: %s has an adapter already", tg_name(all->tensor[i]));
    return tg_tape_status(t);
}

static tg_status add(tg_tensor weight, tg_nn_lora_config config) {
    bool wanted = tg_requires_grad(weight);
    tg_nn_lora l = tg_nn_lora_undrawn((tg_nn_linear){weight, TG_NULL}, config);
    tg_set_requires_grad(weight, wanted);
    if (tg_is_null(l.lora_A))
        return tg_tape_status(tg_tape_of(weight));
    return tg_set_adapter(weight, (tg_adapter){l.lora_A, l.lora_B, l.scaling, l.dropout, false});
}

static void draw(const tg_list *all, const char *patterns) {
    for (int64_t i = 0; i < all->n; i++)
        if (is_meant(all->tensor[i], patterns))
            tg_nn_lora_draw(tg_adapter_of(all->tensor[i]).a);
}

static void freeze(const tg_list *all) {
    for (int64_t i = 0; i < all->n; i++)
        if (!is_adapter(tg_name(all->tensor[i])))
            tg_set_requires_grad(all->tensor[i], false);
}

tg_status tg_nn_lora_add(tg_tape *t, const char *patterns, tg_nn_lora_config config) {
    if (!t || tg_tape_status(t))
        return t ? tg_tape_status(t) : TG_ERR_ARGUMENT;
    if (!patterns)
        return tg_reject(t, TG_ERR_ARGUMENT, "lora_add: the patterns are NULL");
    tg_mark start = tg_tape_mark(t);
    tg_list all = tg_parameters(t);
    tg_status bad = tg_tape_status(t) ? tg_tape_status(t) : check(t, &all, patterns);
    for (int64_t i = 0; i < all.n && !bad; i++)
        if (is_meant(all.tensor[i], patterns))
            bad = add(all.tensor[i], config);
    if (bad) {
        (void)!tg_tape_rewind(t, start); /* the tape has its error already */
        return bad;
    }
    draw(&all, patterns);
    freeze(&all);
    return tg_tape_status(t);
}

static bool is_adapters(tg_tensor x, void *context) {
    (void)context;
    return is_adapter(tg_name(x));
}

tg_list tg_nn_lora_parameters(tg_tape *t) {
    tg_selection adapters = TG_SELECT_ALL;
    adapters.accept = is_adapters;
    return tg_parameters_where(t, adapters);
}

/* ---- merging ---- */

static bool is_to_change(tg_tensor weight, bool merged) {
    tg_adapter a = tg_adapter_of(weight);
    return !tg_is_null(a.a) && a.merged != merged;
}

/* Finds every error before a weight is changed; returns the number of weights to change. */
static int64_t try_all(const tg_list *all, bool merged) {
    int64_t n = 0;
    for (int64_t i = 0; i < all->n; i++) {
        tg_tensor w = all->tensor[i];
        if (tg_check_adapter(w))
            return 0;
        if (!is_to_change(w, merged))
            continue;
        n++;
        if (tg_nn_try_merged(w, tg_adapter_of(w), merged))
            return 0;
    }
    return n;
}

tg_status tg_nn_lora_set_merged(tg_tape *t, bool merged) {
    if (!t || tg_tape_status(t))
        return t ? tg_tape_status(t) : TG_ERR_ARGUMENT;
    tg_list all = tg_parameters(t);
    int64_t n = try_all(&all, merged);
    if (tg_tape_status(t))
        return tg_tape_status(t);
    if (!n)
        return tg_reject(t, TG_ERR_STATE, "lora_set_merged: there is no adapter that is %s",
                         merged ? "not merged" : "merged");
    for (int64_t i = 0; i < all.n; i++)
        if (is_to_change(all.tensor[i], merged) &&
            tg_nn_set_merged(all.tensor[i], tg_adapter_of(all.tensor[i]), merged))
            return tg_tape_status(t);
    return TG_OK;
}
