/* Byte pairs (examples/gpt): ids against tiktoken's, what is learnt against counting everything anew. */
#include "examples/gpt/bpe.h"
#include "examples/gpt/gpt.h"
#include "examples/gpt/split.h"
#include "tests/support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "golden/bpe.h"

const char program_name[] = "bpe_test";

static char folder[300], path[400];

static bpe *read_golden(void) {
    ck_assert(make_folder("bpe_test", folder, sizeof folder));
    snprintf(path, sizeof path, "%s/merges", folder);
    FILE *f = fopen(path, "wb");
    ck_assert_uint_eq(fwrite(bpe_file, 1, sizeof bpe_file, f), sizeof bpe_file);
    fclose(f);
    return bpe_read(path);
}

START_TEST(ids_are_tiktokens)
{
    enum { N = sizeof bpe_ids / sizeof *bpe_ids };
    static int32_t ids[sizeof bpe_text];
    unsigned char back[sizeof bpe_text];
    size_t at = 0, n;
    bpe *b = read_golden();
    ck_assert_int_eq(bpe_vocabulary(b), 256 + 150 + 1);
    ck_assert_int_eq(bpe_encode(b, bpe_text, sizeof bpe_text, ids), N);
    for (int i = 0; i < N; i++) {
        ck_assert_msg(ids[i] == bpe_ids[i], "id %d is %d, not %d", i, (int)ids[i], (int)bpe_ids[i]);
        const unsigned char *bytes = bpe_decode(b, ids[i], &n);
        memcpy(back + at, bytes, n);
        at += n;
    }
    ck_assert_uint_eq(at, sizeof back);
    ck_assert(memcmp(back, bpe_text, sizeof back) == 0);
    ck_assert(memcmp(bpe_decode(b, bpe_vocabulary(b) - 1, &n), "<|endoftext|>", 13) == 0 && n == 13);
    bpe_free(b);
    remove(path);
    rmdir(folder);
}
END_TEST

START_TEST(files_are_written_as_they_were_read)
{
    static unsigned char again[sizeof bpe_file + 1];
    bpe *b = read_golden();
    FILE *f = fopen(path, "w+b");
    bpe_write(b, f);
    rewind(f);
    ck_assert_uint_eq(fread(again, 1, sizeof again, f), sizeof bpe_file);
    ck_assert(memcmp(again, bpe_file, sizeof bpe_file) == 0);
    fclose(f);
    bpe_free(b);
    remove(path);
    rmdir(folder);
}
END_TEST

/* Every byte is a token, whatever comes: no UTF-8, one endless word, nothing. */
START_TEST(any_bytes_can_be_encoded)
{
    enum { N = 200000 };
    static unsigned char text[N];
    static int32_t ids[N];
    static const int64_t pairs[] = {64, 64, 256, 256}; /* aa, aaaa */
    bpe *b = bpe_new(pairs, 2);
    for (int i = 0; i < 256; i++)
        text[i] = (unsigned char)(255 - i);
    int64_t n = bpe_encode(b, text, 256, ids);
    ck_assert_int_eq(n, 256);
    for (int i = 0; i < 256; i++)
        ck_assert_int_eq(ids[i], bpe_of_byte((unsigned char)(255 - i)));
    memset(text, 'a', N);
    ck_assert_int_eq(bpe_encode(b, text, N, ids), N / 4);
    ck_assert_int_eq(bpe_encode(b, text, 3, ids), 2); /* the leftmost two, and one */
    ck_assert_int_eq(ids[0], 256);
    ck_assert_int_eq(bpe_encode(b, text, 0, ids), 0);
    bpe_free(b);
}
END_TEST

START_TEST(merges_of_tokens_to_come_are_refused)
{
    static const int64_t later[] = {64, 256}, negative[] = {-1, 3}, good[] = {64, 255, 256, 64};
    ck_assert_ptr_null(bpe_new(later, 1));
    ck_assert_ptr_null(bpe_new(negative, 1));
    bpe *b = bpe_new(good, 2);
    ck_assert_ptr_nonnull(b);
    bpe_free(b);
}
END_TEST

/* ---- learning ---- */

enum { TEXT = sizeof bpe_text, PAIRS = 407 };

/* How often each pair comes in the text's pieces as they are; the largest. ids: (TEXT), -1 behind each piece. */
static int64_t count_pairs(const int32_t *ids, int64_t n, int64_t (*count)[PAIRS]) {
    int64_t most = 0;
    memset(count, 0, PAIRS * sizeof *count);
    for (int64_t i = 0; i + 1 < n; i++)
        if (ids[i] >= 0 && ids[i + 1] >= 0 && ++count[ids[i]][ids[i + 1]] > most)
            most = count[ids[i]][ids[i + 1]];
    return most;
}

START_TEST(the_most_frequent_pair_is_joined_each_time)
{
    static int64_t count[PAIRS][PAIRS];
    static int32_t ids[2 * TEXT];
    int64_t n = 0, merges;
    for (size_t at = 0, piece; at < TEXT; at += piece, ids[n++] = -1) {
        piece = split_piece(bpe_text + at, TEXT - at);
        for (size_t i = 0; i < piece; i++)
            ids[n++] = bpe_of_byte(bpe_text[at + i]);
    }
    bpe *b = bpe_train(bpe_text, TEXT, 150);
    const int64_t *pair = bpe_merges(b, &merges);
    ck_assert_int_eq(merges, 150);
    for (int64_t k = 0; k < merges; k++) {
        int64_t most = count_pairs(ids, n, count), m = 0;
        const int64_t *p = pair + 2 * k;
        ck_assert_msg(count[p[0]][p[1]] == most, "merge %d: %d times, not %d", (int)k, (int)count[p[0]][p[1]],
                      (int)most);
        for (int64_t i = 0; i < n; m++) {
            bool joined = i + 1 < n && ids[i] == p[0] && ids[i + 1] == p[1];
            ids[m] = joined ? (int32_t)(256 + k) : ids[i];
            i += 1 + joined;
        }
        n = m;
    }
    bpe_free(b);
}
END_TEST

START_TEST(learning_ends_when_nothing_comes_twice)
{
    int64_t n;
    bpe *b = bpe_train((const unsigned char *)"abab ab", 7, 100); /* abab, " ab" */
    const int64_t *pair = bpe_merges(b, &n);
    ck_assert_int_eq(n, 1);
    ck_assert_int_eq(pair[0], bpe_of_byte('a'));
    ck_assert_int_eq(pair[1], bpe_of_byte('b'));
    bpe_free(b);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {ids_are_tiktokens,
                                  files_are_written_as_they_were_read,
                                  any_bytes_can_be_encoded,
                                  merges_of_tokens_to_come_are_refused,
                                  the_most_frequent_pair_is_joined_each_time,
                                  learning_ends_when_nothing_comes_twice};
    return run_tests("bpe", tests, sizeof tests / sizeof *tests, NULL, NULL);
}
