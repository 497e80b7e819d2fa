/* Holds what the programs of this folder printed against what the documents print.
 *   check expected.txt output.txt ...
 * Both are blocks: a line `004 [26] attention_score_x2`, then the text up to an empty line. Two blocks match when
 * the same numbers stand in the same brackets; 1. and 1.0000 are one number, and what PyTorch adds behind the
 * numbers (grad_fn, requires_grad) is not compared. One line for each document; exit status 1 when any differs. */
#include "examples/common/output.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 400, MAX_KEY = 100, MAX_TEXT = 4000 };

typedef struct block {
    char key[MAX_KEY], text[MAX_TEXT];
} block;

typedef struct blocks {
    int n;
    block b[MAX_BLOCKS];
} blocks;

static bool is_key(const char *line) {
    return isdigit((unsigned char)line[0]) && isdigit((unsigned char)line[1]) && isdigit((unsigned char)line[2]) &&
           line[3] == ' ';
}

static void read_blocks(const char *path, blocks *out) {
    FILE *file = fopen(path, "r");
    char line[1000];
    block *now = NULL;
    if (!file) {
        say(stderr, "check: cannot read %s", path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) {
        if (is_key(line) && out->n < MAX_BLOCKS) {
            now = &out->b[out->n++];
            line[strcspn(line, "\n")] = '\0';
            snprintf(now->key, sizeof now->key, "%.*s", MAX_KEY - 1, line);
        } else if (line[0] == '\n') {
            now = NULL;
        } else if (now && strlen(now->text) + strlen(line) < MAX_TEXT) {
            strcat(now->text, line);
        }
    }
    fclose(file);
}

static const block *find(const blocks *in, const char *key) {
    for (int i = 0; i < in->n; i++)
        if (strcmp(in->b[i].key, key) == 0)
            return &in->b[i];
    return NULL;
}

/* The next bracket or number: 'n' with its value, the bracket itself, or 0 at the end. */
static char next_token(const char **s, double *value) {
    for (; **s; (*s)++) {
        char c = **s;
        if (c == '[' || c == ']') {
            (*s)++;
            return c;
        }
        bool number = isdigit((unsigned char)c) || ((c == '-' || c == '.') && isdigit((unsigned char)(*s)[1]));
        if (number) {
            char *end;
            *value = strtod(*s, &end);
            *s = end;
            return 'n';
        }
        if (strncmp(*s, "grad_fn", 7) == 0 || strncmp(*s, "requires_grad", 13) == 0)
            return 0;
    }
    return 0;
}

static bool same_numbers(const char *a, const char *b) {
    for (;;) {
        double x = 0, y = 0;
        char ta = next_token(&a, &x), tb = next_token(&b, &y);
        if (ta != tb || (ta == 'n' && x != y))
            return false;
        if (!ta)
            return true;
    }
}

/* `5.0453 in [3.6, 6.4]`: a figure that cannot be drawn again, and the range it must fall in. */
static bool in_range(const char *text, double *value, double *low, double *high) {
    return sscanf(text, "%lf in [%lf, %lf]", value, low, high) == 3;
}

static int check_document(const char *document, const blocks *expected, const blocks *printed) {
    int total = 0, matched = 0, ranged = 0, in = 0;
    char missed[4000] = "";
    for (int i = 0; i < expected->n; i++) {
        const block *want = &expected->b[i], *have = find(printed, want->key);
        double value, low, high, theirs;
        if (strncmp(want->key, document, 3) != 0)
            continue;
        if (have && in_range(have->text, &value, &low, &high)) {
            theirs = strtod(want->text, NULL);
            ranged++;
            in += value >= low && value <= high && theirs >= low && theirs <= high;
            continue;
        }
        total++;
        if (have && same_numbers(want->text, have->text)) {
            matched++;
            continue;
        }
        size_t at = strlen(missed);
        snprintf(missed + at, sizeof missed - at, "\n     differs: %s%s", want->key, have ? "" : " (not printed)");
    }
    printf("%s: %d of %d printed results match", document, matched, total);
    if (ranged)
        printf("; %d of %d unseeded figures fall in their range", in, ranged);
    if (!total)
        printf(" (the document prints none; its steps are run)");
    printf("%s\n", missed);
    return matched == total && in == ranged ? 0 : 1;
}

int main(int argc, char **argv) {
    static const char *const documents[] = {"000", "001", "002", "003", "004"};
    static blocks expected, printed;
    if (argc < 3) {
        say(stderr, "usage: %s expected.txt output.txt ...", argv[0]);
        return 2;
    }
    read_blocks(argv[1], &expected);
    for (int i = 2; i < argc; i++)
        read_blocks(argv[i], &printed);
    int failed = 0;
    for (int i = 0; i < 5; i++)
        failed |= check_document(documents[i], &expected, &printed);
    return output_end("check", failed);
}
