/* Saving programs are killed at random moments; the file must load each time, and the next save must leave nothing
 * else. build/kill KILLS [SEED] Three processes save to one file at once, run after run; all are killed (SIGKILL) after
 * up to 5 ms. */
#define _DEFAULT_SOURCE
#include "examples/common/output.h"
#include "optim/optim.h"
#include "tests/count.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 100000, SAVERS = 3, OLD_LEFTOVERS = 200 };
static char folder[200], path[300];

static void must(bool holds, const char *what) {
    if (holds)
        return;
    fprintf(stderr, "kill: %s\n", what);
    exit(1);
}

typedef struct model {
    tg_tape *t;
    tg_tensor w;
    tg_optim *o;
    int64_t step;
    tg_run_number number;
} model;

static void make(model *m) {
    m->t = tg_tape_new(TG_F32);
    m->w = tg_parameter(m->t, "w", tg_zeros(m->t, TG_SHAPE(N)));
    m->o = tg_adamw_new(m->t, tg_parameters(m->t), TG_ADAMW_DEFAULTS);
    m->number = (tg_run_number){"step", &m->step, NULL};
}

static tg_run run_of(model *m) { return (tg_run){.optim = {m->o}, .number = &m->number, .n_numbers = 1}; }

/* Every number is the step's. */
static tg_status save(model *m, int64_t step) {
    float *w = tg_data(m->w);
    for (int i = 0; i < N; i++)
        w[i] = (float)step;
    m->step = step;
    return tg_save_run(m->t, path, run_of(m));
}

static bool is_whole(model *m) {
    if (tg_load_run(m->t, path, run_of(m)))
        return false;
    const float *w = tg_const_data(m->w);
    for (int i = 0; i < N; i++)
        if (w[i] != (float)m->step)
            return false;
    return true;
}

static int leftovers(bool all) {
    DIR *d = opendir(folder);
    int n = 0;
    must(d != NULL, "the folder cannot be read");
    for (struct dirent *e; (e = readdir(d));) {
        bool is_one = strncmp(e->d_name, ".tapegrad-", 10) == 0;
        n += is_one;
        if (all && strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
    return n;
}

static pid_t start_saver(int64_t step) {
    pid_t child = fork();
    must(child >= 0, "fork failed");
    if (child)
        return child;
    model m;
    make(&m);
    for (;; step++)
        if (save(&m, step))
            _exit(1);
}

static void leave_old_ones(void) {
    char name[300];
    for (int i = 0; i < OLD_LEFTOVERS; i++) {
        snprintf(name, sizeof name, "%s/.tapegrad-1-%d.tmp", folder, i);
        FILE *f = fopen(name, "wb");
        must(f && fclose(f) == 0, "no leftover could be made");
    }
}

int main(int argc, char **argv) {
    long kills = count_of("kill: KILLS", argc > 1 ? argv[1] : NULL, 1000), whole = 0, found = 0, left = 0;
    unsigned seed = (unsigned)count_of("kill: SEED", argc > 2 ? argv[2] : NULL, 1);
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kill-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    must(mkdtemp(folder) != NULL, "no folder for files");
    snprintf(path, sizeof path, "%s/run.safetensors", folder);
    srand(seed);
    model m;
    make(&m);
    leave_old_ones();
    must(save(&m, 1) == TG_OK, tg_error(m.t));
    must(leftovers(false) == 0, "200 old leftovers were not removed");
    for (long done = 0; done < kills; done += SAVERS) {
        pid_t saver[SAVERS];
        for (int i = 0; i < SAVERS; i++)
            saver[i] = start_saver(1 + rand() % 1000);
        usleep((useconds_t)(rand() % 5000));
        for (int i = 0; i < SAVERS; i++) {
            int status;
            kill(saver[i], SIGKILL);
            waitpid(saver[i], &status, 0);
            must(WIFSIGNALED(status), "a saver ended by itself: saving failed");
            whole += is_whole(&m);
            tg_clear_error(m.t);
        }
        found += leftovers(false);
        must(save(&m, 1) == TG_OK, tg_error(m.t));
        left += leftovers(false);
    }
    kills = (kills + SAVERS - 1) / SAVERS * SAVERS;
    printf("%ld kills: %ld times the file was whole; %ld files were left behind, %ld after the next save\n", kills,
           whole, found, left);
    tg_tape_free(m.t);
    leftovers(true);
    rmdir(folder);
    return output_end("kill", whole == kills && left == 0 ? 0 : 1);
}
