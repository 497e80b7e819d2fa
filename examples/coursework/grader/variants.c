/* Which variant of each exercise a student has: from the class and the student's name, so that neighbours differ. */
#include "grade.h"

#include <time.h>

static uint64_t mix(uint64_t hash, const char *text) {
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u; /* FNV-1a */
    return hash;
}

/* A number for this student of this class, for each purpose another one. */
static uint64_t drawn_for(const settings *set, const char *purpose, const char *id) {
    uint64_t hash = mix(mix(mix(14695981039346656037u, set->class), purpose), id);
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9u; /* the low bits of FNV alone repeat */
    return hash >> 33;
}

uint64_t seed_of(const settings *set, const char *id) { return drawn_for(set, "seed", id); }

void choose_variants(settings *set, const char *id) {
    for (int i = 0; i < n_tasks; i++) {
        uint64_t number = id ? drawn_for(set, tasks[i].number, id) : 0;
        set->variant[i] = (int)(number % (uint64_t)tasks[i].n_variants);
        if (set->all_variants >= 0)
            set->variant[i] = set->all_variants % tasks[i].n_variants;
    }
}

uint64_t secret_seed(void) {
    uint64_t seed = (uint64_t)time(NULL) * 2654435761u;
    FILE *random = fopen("/dev/urandom", "rb");
    if (random && fread(&seed, sizeof seed, 1, random) != 1)
        seed ^= (uint64_t)clock();
    if (random)
        fclose(random);
    return seed % 1000000000000u;
}
