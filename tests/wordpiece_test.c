/* WordPiece of examples/encoder: ids of hard sentences against transformers', and what no text may do to it. */
#include "examples/encoder/program.h"
#include "tests/support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "golden/bert.h"

enum { CONTEXT = 48, N_SENTENCES = sizeof bert_sentences / sizeof *bert_sentences };

const char program_name[] = "wordpiece_test";

static char folder[4096];
static wordpiece words;

static void read_vocabulary(const char *text) {
    place path = in_folder(folder, "vocab.txt");
    FILE *f = fopen(path.s, "wb");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    words = wordpiece_read(path.s);
    remove(path.s);
}

START_TEST(ids_of_hard_sentences_are_those_of_transformers)
{
    int64_t ids[CONTEXT];
    read_vocabulary(bert_vocabulary);
    for (int i = 0; i < N_SENTENCES; i++) {
        const bert_sentence *s = &bert_sentences[i];
        int64_t n = wordpiece_encode(&words, s->text, ids, CONTEXT);
        for (int j = 0; j < n && j < s->n; j++)
            ck_assert_msg(ids[j] == s->ids[j], "'%s': token %d is %lld '%s', not %d '%s'", s->text, j,
                          (long long)ids[j], words.piece[ids[j]], s->ids[j], words.piece[s->ids[j]]);
        ck_assert_msg(n == s->n, "'%s': %lld tokens, not %d", s->text, (long long)n, s->n);
    }
    wordpiece_free(&words);
}
END_TEST

START_TEST(line_ends_of_other_systems_and_a_last_line_without_one)
{
    int64_t ids[CONTEXT];
    read_vocabulary("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n##b");
    ck_assert_int_eq(words.n, 6);
    ck_assert_int_eq(wordpiece_encode(&words, "ab b\r", ids, CONTEXT), 5);
    static const int64_t want[] = {2, 4, 5, 1, 3};
    ck_assert_mem_eq(ids, want, sizeof want);
    wordpiece_free(&words);
}
END_TEST

/* Bytes that are no UTF-8 are what U+FFFD is, which is dropped. */
START_TEST(bytes_that_are_no_text_are_dropped)
{
    int64_t ids[CONTEXT], plain[CONTEXT];
    read_vocabulary(bert_vocabulary);
    int64_t n = wordpiece_encode(&words, "two plus", plain, CONTEXT);
    ck_assert_int_eq(
        wordpiece_encode(&words, "t\xffwo\xc0\xaf \xed\xa0\x80plus\xe6\x88 \xf4\x90\x80\x80", ids, CONTEXT), n);
    ck_assert_mem_eq(ids, plain, (size_t)n * sizeof *ids);
    wordpiece_free(&words);
}
END_TEST

/* The first `most` ids, whatever the text: [CLS], tokens as in a longer list, [SEP]. */
START_TEST(random_bytes_give_ids_that_are_cut_at_the_end)
{
    char text[400];
    int64_t all[2 * sizeof text], cut[2 * sizeof text];
    uint32_t x = 1;
    read_vocabulary(bert_vocabulary);
    for (int round = 0; round < 2000; round++) {
        size_t n = (size_t)round % sizeof text;
        for (size_t i = 0; i < n; i++) {
            x = x * 1664525 + 1013904223;
            text[i] = (char)(x >> 24 ? x >> 24 : 1);
        }
        text[n] = '\0';
        int64_t whole = wordpiece_encode(&words, text, all, 2 * (int64_t)sizeof text), most = 2 + round % 60;
        ck_assert(whole >= 2 && all[0] == words.cls && all[whole - 1] == words.sep);
        for (int64_t i = 0; i < whole; i++)
            ck_assert(all[i] >= 0 && all[i] < words.n);
        int64_t got = wordpiece_encode(&words, text, cut, most);
        ck_assert_int_eq(got, whole < most ? whole : most);
        ck_assert_mem_eq(cut, all, (size_t)(got - 1) * sizeof *cut);
        ck_assert_int_eq(cut[got - 1], words.sep);
    }
    wordpiece_free(&words);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {ids_of_hard_sentences_are_those_of_transformers,
                                  line_ends_of_other_systems_and_a_last_line_without_one,
                                  bytes_that_are_no_text_are_dropped, random_bytes_give_ids_that_are_cut_at_the_end};
    if (!make_folder("wordpiece", folder, sizeof folder))
        return 1;
    int status = run_tests("wordpiece", tests, sizeof tests / sizeof *tests, NULL, NULL);
    return rmdir(folder) || status;
}
