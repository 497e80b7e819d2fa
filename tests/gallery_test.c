/* The programs of examples/gallery as a person runs them: they learn, Llama's logits are transformers'
 * (tests/golden/make_llama.py), and what they refuse is one line. */
#include "tests/io/llama_weights.h"
#include "tests/io/program.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { T = LLAMA_T, V = LLAMA_V, BEST = 5, FAILURE = 1, USAGE = 2 };

static const char *last_line(const run *r) {
    size_t n = strlen(r->out);
    ck_assert_msg(r->status == 0 && n > 0, "status %d: %s", r->status, r->err);
    while (n > 1 && r->out[n - 2] != '\n')
        n--;
    return r->out + n - 1;
}

static void want_line(const run *r, int status, const char *says) {
    const char *end = strchr(r->err, '\n');
    ck_assert_msg(r->status == status && end && !end[1] && strstr(r->err, says), "status %d, not %d and '%s': %s",
                  r->status, status, says, r->err);
}

/* ---- what they learn ---- */

START_TEST(a_vision_transformer_reads_digits)
{
    int right;
    use_program("gallery/vit");
    ck_assert_int_eq(sscanf(last_line(RUN("--report", "page.html")), "of 1000 new images it reads %d", &right), 1);
    ck_assert_int_gt(right, 950);
    size_t n;
    const char *page = file_bytes("page.html", &n);
    static const char *const parts[] = {"\"loss\":\"cross entropy\"", "\"maps\":[\"head 1\",\"head 2\"", "\"layer.1.",
                                        "of 1000 new images", "<svg"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ck_assert_msg(strstr(page, parts[i]) != NULL, "'%s' is not on the page", parts[i]);
}
END_TEST

START_TEST(a_recurrence_adds_up)
{
    double off;
    use_program("gallery/recurrence");
    const run *r = RUN(NULL);
    ck_assert_int_eq(sscanf(last_line(r), "on 500 steps it is off by %lf %% of the sums' size: learnt", &off), 1);
    ck_assert_double_lt(off, 5);
    ck_assert_ptr_nonnull(strstr(r->out, "gradient check: right"));
}
END_TEST

/* ---- Llama ---- */

static void put(const char *name, const char *text) { write_file(name, text, strlen(text)); }

static void remove_model(void) {
    static const char *const files[] = {"m/config.json", "m/model.safetensors", "m/model.safetensors.index.json",
                                        "m/a.safetensors", "m/b.safetensors"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(in_folder(files[i]));
}

static void put_model(const struct llama_model *m) {
    mkdir(in_folder("m"), 0777);
    remove_model();
    put("m/config.json", m->config);
    llama_save(in_folder("m/model.safetensors"), m->tensors, 0, m->n_tensors);
}

static void put_two_files(const struct llama_model *m) {
    int half = m->n_tensors / 2;
    char map[8000] = "{\"weight_map\": {";
    put_model(m);
    remove(in_folder("m/model.safetensors"));
    for (int i = 0; i < m->n_tensors; i++)
        snprintf(map + strlen(map), sizeof map - strlen(map), "%s\"%s\": \"%c.safetensors\"", i ? ", " : "",
                 m->tensors[i].name, i < half ? 'a' : 'b');
    strcat(map, "}}");
    put("m/model.safetensors.index.json", map);
    llama_save(in_folder("m/a.safetensors"), m->tensors, 0, half);
    llama_save(in_folder("m/b.safetensors"), m->tensors, half, m->n_tensors);
}

/* The five largest, in order, each within 1e-5 of the largest of all, which is what float32 is held to. */
static void want_best(const char *lines, const double *logits) {
    double got, before = INFINITY, largest = 0;
    int id, larger = 0;
    for (int i = 0; i < V; i++)
        largest = fmax(largest, fabs(logits[i]));
    for (int k = 0; k < BEST; k++, lines = strchr(lines, '\n') + 1) {
        ck_assert_msg(sscanf(lines, "token %d: logit %lf\n", &id, &got) == 2 && id >= 0 && id < V, "%s", lines);
        ck_assert_double_eq_tol(got, logits[id], 1e-5 * largest);
        ck_assert_double_le(got, before);
        before = got;
    }
    for (int i = 0; i < V; i++)
        larger += logits[i] > before + 1e-5 * largest;
    ck_assert_int_lt(larger, BEST);
}

/* The ids of a text up to each of its places. */
static void want_logits(const struct llama_model *m) {
    use_program("gallery/llama");
    for (int row = 0; row < 2; row++)
        for (int n = 1; n <= T; n += 1 + row * 4) {
            char id[T][8];
            const char *arguments[T + 2] = {"m"};
            for (int i = 0; i < n; i++) {
                snprintf(id[i], sizeof id[i], "%d", (int)llama_ids[row * T + i]);
                arguments[i + 1] = id[i];
            }
            const run *r = run_program(arguments);
            ck_assert_msg(r->status == 0, "%s", r->err);
            want_best(r->out, m->logits + (row * T + n - 1) * V);
        }
}

START_TEST(llamas_logits_are_transformers)
{
    for (int i = 0; i < 2; i++) { /* Llama 2; Llama 3, with grouped queries, scaled positions, a tied head */
        put_model(&llama_models[i]);
        want_logits(&llama_models[i]);
    }
    put_two_files(&llama_models[1]);
    want_logits(&llama_models[1]);
}
END_TEST

START_TEST(what_is_no_llama_is_refused)
{
    use_program("gallery/llama");
    put_model(&llama_models[0]);
    want_line(RUN("m", "23"), FAILURE, "index 23 at position 0 of (1,) is not in 0 .. 22");
    remove(in_folder("m/model.safetensors"));
    want_line(RUN("m", "1"), FAILURE, "m/model.safetensors.index.json");
    put_model(&llama_models[2]); /* whose positions are scaled in another way */
    want_line(RUN("m", "1"), FAILURE, "it is no JSON with model_type, hidden_act and rope_type of Llama 2 or 3");
    put_model(&llama_models[3]);
    want_line(RUN("m", "1"), FAILURE, "with model_type");
    put("m/config.json", "{\"model_type\": ");
    want_line(RUN("m", "1"), FAILURE, "m/config.json: it is no JSON with model_type");
    put_model(&llama_models[0]);
    put("m/config.json", llama_models[1].config);
    want_line(RUN("m", "1"), FAILURE, "lm_head.weight");
    remove_model();
    want_line(RUN("m", "1"), FAILURE, "m/config.json cannot be read");
}
END_TEST

/* ---- arguments ---- */

START_TEST(mistyped_arguments_are_refused)
{
    static const char *const programs[] = {"gallery/vit", "gallery/recurrence", "gallery/llama"};
    for (int i = 0; i < 3; i++) {
        use_program(programs[i]);
        want_line(RUN("--hepl"), USAGE, "usage: ");
        want_line(RUN("--help", "1x"), USAGE, "usage: ");
        const run *r = RUN("--help");
        ck_assert_msg(r->status == 0 && !strncmp(r->out, "usage: ", 7), "%s", r->out);
    }
    want_line(RUN(NULL), USAGE, "usage: llama");
    use_program("gallery/vit");
    want_line(RUN("--report"), USAGE, "usage: vit");
    want_line(RUN("--report", "nowhere/a.html"), FAILURE, "cannot write a report to nowhere/a.html");
}
END_TEST

int main(int argc, char **argv) {
    (void)argc;
    const TTest *const tests[] = {a_vision_transformer_reads_digits, a_recurrence_adds_up,
                                  llamas_logits_are_transformers, what_is_no_llama_is_refused,
                                  mistyped_arguments_are_refused};
    return run_program_tests(argv[0], "gallery/vit", "gallery", tests, sizeof tests / sizeof *tests);
}
