/* Files of merges: GPT-2's vocab.bpe, Hugging Face's merges.txt. */
#include "examples/common/corpus.h"
#include "examples/gpt/bpe.h"
#include "examples/gpt/gpt.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void write_token(const bpe *b, int64_t token, FILE *file) {
    size_t n;
    const unsigned char *bytes = bpe_decode(b, token, &n);
    for (size_t i = 0; i < n; i++) {
        int32_t code = bpe_character(bytes[i]);
        if (code > 127)
            fputc(0xc0 | code >> 6, file);
        fputc(code > 127 ? 0x80 | (code & 63) : code, file);
    }
}

void bpe_write(const bpe *b, FILE *file) {
    int64_t n;
    const int64_t *pair = bpe_merges(b, &n);
    fputs("#version: 0.2\n", file);
    for (int64_t i = 0; i < n; i++) {
        write_token(b, pair[2 * i], file);
        fputc(' ', file);
        write_token(b, pair[2 * i + 1], file);
        fputc('\n', file);
    }
}

/* ---- reading ---- */

bool bpe_spell(const unsigned char *s, size_t size, unsigned char *bytes, size_t *n) {
    int32_t code;
    *n = 0;
    for (size_t at = 0, step; at < size; at += step) {
        step = (size_t)corpus_decode(s + at, size - at, &code);
        if (step == 0 || bpe_byte_of_character(code) < 0)
            return false;
        bytes[(*n)++] = (unsigned char)bpe_byte_of_character(code);
    }
    return true;
}

/* A line "left right": two tokens, whose join is the next token. */
static bool read_merge(words *w, const unsigned char *line, const unsigned char *end, int64_t *pair) {
    const unsigned char *space = memchr(line, ' ', (size_t)(end - line));
    size_t n = 0, m = 0;
    if (!space)
        return false;
    unsigned char *bytes = must_allocate((size_t)(end - line), 1);
    bool ok = bpe_spell(line, (size_t)(space - line), bytes, &n) &&
              bpe_spell(space + 1, (size_t)(end - space) - 1, bytes + n, &m);
    pair[0] = ok ? words_find(w, bytes, n) : -1;
    pair[1] = ok ? words_find(w, bytes + n, m) : -1;
    ok = pair[0] >= 0 && pair[1] >= 0;
    if (ok)
        words_add(w, bytes, n + m, true);
    free(bytes);
    return ok;
}

static const unsigned char *end_of_line(const unsigned char *at, const unsigned char *end) {
    const unsigned char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

/* Reads the n merges of a text into pair. Returns the number of the first invalid line, or 0. */
static size_t read_merges(words *w, const unsigned char *at, const unsigned char *end, int64_t *pair, int64_t *n) {
    *n = 0;
    for (size_t line = 1; at < end; line++, at = end_of_line(at, end) + 1) {
        const unsigned char *stop = end_of_line(at, end);
        stop -= stop > at && stop[-1] == '\r';
        if (stop == at || (line == 1 && at[0] == '#'))
            continue;
        if (!read_merge(w, at, stop, pair + 2 * (*n)++))
            return line;
    }
    return 0;
}

/* NULL when a line is no merge of two earlier tokens: *wrong is its number, or 0 if there are too many. */
static bpe *of_text(const unsigned char *text, size_t size, size_t *wrong) {
    size_t lines = 0;
    words w = {0};
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    for (int i = 0; i < BPE_BYTES; i++)
        words_add(&w, bpe_byte(i), 1, true);
    int64_t *pair = must_allocate(2 * (lines + 1), sizeof *pair), n;
    *wrong = read_merges(&w, text, text + size, pair, &n);
    bpe *b = *wrong ? NULL : bpe_new(pair, n);
    words_free(&w);
    free(pair);
    return b;
}

bpe *bpe_read(const char *path) {
    char error[4400];
    size_t size, wrong;
    unsigned char *text = corpus_read_bytes(path, &size, error, sizeof error);
    if (!text)
        die("%s", error);
    bpe *b = of_text(text, size, &wrong);
    free(text);
    if (!b && wrong)
        die("%s: line %zu is no merge of two tokens that came before it", path, wrong);
    if (!b)
        die("%s: more than %d merges, or tokens above 1 MiB", path, BPE_MAX_MERGES);
    return b;
}
