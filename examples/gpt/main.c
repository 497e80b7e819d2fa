/* A GPT on the command line: train it on a text, sample, evaluate, inspect files. */
#include "examples/common/commands.h"
#include "examples/gpt/gpt.h"

const char program_name[] = "gpt";
static const char help[] =
    "usage: gpt COMMAND [options]\n"
    "\n"
    "  gpt train --text FILE      train a model on a text\n"
    "  gpt sample CHECKPOINT      let it write\n"
    "  gpt eval CHECKPOINT        measure its loss on a text\n"
    "  gpt encode --text FILE     make a file of token ids\n"
    "  gpt import FOLDER          take over a model as transformers save it: Llama, Mistral, Qwen, GPT-2\n"
    "  gpt finetune CHECKPOINT    teach it answers to prompts, all its weights or low-rank adapters\n"
    "  gpt export CHECKPOINT      make files that Hugging Face's transformers open\n"
    "  gpt logits CHECKPOINT      what it says of token ids, as numbers\n"
    "  gpt info CHECKPOINT        what a file holds\n"
    "\n"
    "gpt COMMAND --help tells more. TG_THREADS sets the number of threads.\n"
    "Exit status: 0 done, 1 a file or the training failed, 2 wrong usage, 128 + N ended by signal "
    "N.\n";

int main(int argc, char **argv) {
    static const subcommand all[] = {{"train", gpt_train},   {"sample", gpt_sample},     {"eval", gpt_eval},
                                     {"encode", gpt_encode}, {"import", gpt_import},     {"export", gpt_export},
                                     {"logits", gpt_logits}, {"finetune", gpt_finetune}, {"info", gpt_info}};
    return commands_run(argc, argv, help,
                        "wants a command: train, sample, eval, encode, import, finetune, export, logits or info", all,
                        (int)(sizeof all / sizeof *all));
}
