/* A real pretrained encoder: sentences as vectors, and its attention trained further. */
#include "examples/common/output.h"
#include "examples/encoder/program.h"

#include <string.h>

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
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } command[] = {{"embed", encoder_embed_command}, {"finetune", encoder_finetune}, {"info", encoder_info}};
    output_begin();
    if (*tg_warning())
        fprintf(stderr, "%s: %s\n", program_name, tg_warning());
    for (size_t i = 0; argc > 1 && i < sizeof command / sizeof *command; i++)
        if (!strcmp(argv[1], command[i].name)) {
            int status = command[i].run(argc - 1, argv + 1);
            must_flush();
            return status;
        }
    if (argc > 1 && argv[1][0] != '-')
        usage(argv[1], "is no command");
    options_read(argc, argv, help, NULL, 0);
    usage("encoder", "wants a command: embed, finetune or info");
}
