/* Folders of models and adapters for suites that run gpt: those of tests/golden/llama.h. */
#ifndef TAPEGRAD_TEST_GPT_FOLDER_H
#define TAPEGRAD_TEST_GPT_FOLDER_H

#include "tests/io/llama_weights.h"
#include "tests/io/program.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILURE = 1, USAGE = 2, LLAMA_3 = 1 };

static void want_lines(const run *r, int status, const char *contains) {
    ck_assert_msg(r->status == status, "status %d, not %d: %s", r->status, status, r->err);
    const char *end = strchr(r->err, '\n');
    ck_assert_msg(end && !end[1], "not one line: '%s'", r->err);
    ck_assert_msg(strstr(r->err, contains) != NULL, "'%s' is not in '%s'", contains, r->err);
}

static void put(const char *name, const char *text) { write_file(name, text, strlen(text)); }

static void remove_all(void) {
    static const char *const files[] = {"model/config.json",
                                        "model/model.safetensors",
                                        "model/tokenizer.json",
                                        "model/model.safetensors.index.json",
                                        "model",
                                        "new/adapter_config.json",
                                        "new/adapter_model.safetensors",
                                        "new/config.json",
                                        "new/model.safetensors",
                                        "new",
                                        "peft/adapter_config.json",
                                        "peft/adapter_model.safetensors",
                                        "peft",
                                        "a",
                                        "b",
                                        "data",
                                        "ids.npy",
                                        "y.npy",
                                        "z.npy"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        remove(in_folder(files[i]));
}

static void put_model(int i) {
    remove_all(); /* of a test that failed */
    ck_assert_int_eq(mkdir(in_folder("model"), 0777), 0);
    put("model/config.json", llama_models[i].config);
    llama_save(in_folder("model/model.safetensors"), llama_models[i].tensors, 0, llama_models[i].n_tensors);
}

static void import_llama_3(void) {
    put_model(LLAMA_3);
    const run *r = RUN("import", "model", "--out", "a");
    ck_assert_msg(r->status == 0, "%s", r->err);
    ck_assert_ptr_nonnull(strstr(r->out, "tokenizer.json is not there: the model takes token ids, and no text"));
    put("data", tuning_data);
}

static void put_peft(void) {
    ck_assert_int_eq(mkdir(in_folder("peft"), 0777), 0);
    put("peft/adapter_config.json", adapter_config);
    llama_save(in_folder("peft/adapter_model.safetensors"), adapter_tensors, 0,
               sizeof adapter_tensors / sizeof *adapter_tensors);
}

#endif
