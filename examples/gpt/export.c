/* gpt export: a model as Hugging Face's transformers open it. */
#include "examples/common/output.h"
#include "examples/gpt/folder.h"
#include "examples/gpt/gpt.h"

#include <string.h>

static const char help[] =
    "usage: gpt export CHECKPOINT --out FOLDER [options]\n"
    "\n"
    "Writes FOLDER/model.safetensors and FOLDER/config.json, which AutoModelForCausalLM.from_pretrained(FOLDER) opens: of\n"
    "a model of the llama preset, or of one that `gpt import` made. No tokenizer.json is written; where the model was\n"
    "imported, that of its folder fits. bos and eos, which `generate` finds in config.json, are as they were imported,\n"
    "else <|endoftext|> where the model's tokenizer has it, and none where it knows characters.\n"
    "\n"
    "  --out FOLDER       made when it is missing; what is in it stays, and is not replaced\n"
    "  --adapter FOLDER   with these low-rank adapters merged into the weights\n"
    "  --dtype NAME       F32, BF16 or F16; default F32\n";

static const char *const model_files[] = {"model.safetensors", "config.json", NULL};

static bool is_weight(tg_tensor x, void *context) {
    (void)context;
    return strncmp(tg_name(x), "base_model.", 11) != 0;
}

static tg_status write_weights(const checkpoint *c, const char *path, const char *dtype) {
    published_layout l;
    tg_selection own = TG_SELECT_ALL;
    own.accept = is_weight;
    tg_save_config config = {.only = tg_parameters_where(c->t, own), .dtype = dtype};
    if (c->g.config.family == GPT_2_PUBLISHED) {
        config.n_rules = published_rules("transformer.", &l);
        config.rule = l.rule;
    }
    return tg_save_with(c->t, path, config);
}

int gpt_export(int argc, char **argv) {
    const char *path = NULL, *out = NULL, *dtype = "F32", *adapter = NULL;
    option all[] = {{"", WORD, &path, 0, 0, false},
                    {"--out", WORD, &out, 0, 0, false},
                    {"--adapter", WORD, &adapter, 0, 0, false},
                    {"--dtype", WORD, &dtype, 0, 0, false}};
    options_read(argc, argv, help, all, sizeof all / sizeof *all);
    if (!path || !out)
        usage("export", path ? "wants --out, the folder to write" : "wants a checkpoint");
    if (strcmp(dtype, "F32") && strcmp(dtype, "BF16") && strcmp(dtype, "F16"))
        usage("--dtype", "is F32, BF16 or F16");
    checkpoint c = checkpoint_load(path);
    if (c.g.config.family == GPT_2)
        die("%s: nanoGPT's model, without biases and with the exact gelu, is none that transformers know", path);
    if (adapter) {
        (void)adapters_load(&c, adapter);
        must(c.t, tg_nn_lora_set_merged(c.t, true));
    }
    folder_prepare(out, model_files);
    output_may_end();
    place weights = folder_part(out, model_files[0]), described = folder_part(out, model_files[1]);
    folder_write_config(&c, described.s);
    must_or_remove(c.t, write_weights(&c, weights.s, dtype), described.s);
    folder_finish(out, model_files);
    output_after(out);
    say(stdout, "wrote %s", in(out, model_files[0]).s);
    if (c.tokenizer.bpe)
        say(stdout, "no tokenizer.json is written; where the model was imported, that of its folder fits");
    checkpoint_free(&c);
    return DONE;
}
