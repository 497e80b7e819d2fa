/* A real pretrained encoder: sentence embeddings, and fine-tuning of its attention. */
#include "examples/common/commands.h"
#include "examples/encoder/program.h"

const char program_name[] = "encoder";
static const char help[] =
    "usage: encoder COMMAND MODEL [options]\n"
    "\n"
    "  encoder embed MODEL       sentences from standard input, a line each, as vectors\n"
    "  encoder finetune MODEL    check its gradient, then train its attention weights on a small task\n"
    "  encoder info MODEL        what it is\n"
    "\n"
    "MODEL is a folder with model.safetensors, config.json and vocab.txt of a BERT, as all-MiniLM-L6-v2 has them\n"
    "(\"make encoder\" tells how to get it). encoder COMMAND --help tells more. Exit status: 0 done, 1 a file or the\n"
    "training failed, 2 wrong usage.\n";

int main(int argc, char **argv) {
    static const subcommand all[] = {
        {"embed", encoder_embed_command}, {"finetune", encoder_finetune}, {"info", encoder_info}};
    return commands_run(argc, argv, help, "wants a command: embed, finetune or info", all,
                        (int)(sizeof all / sizeof *all));
}
