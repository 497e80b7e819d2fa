#include "examples/common/commands.h"
#include "examples/common/must.h"
#include "examples/common/options.h"
#include "examples/common/output.h"

#include <string.h>

int commands_run(int argc, char **argv, const char *help, const char *wants, const subcommand *all, int n) {
    output_begin();
    if (*tg_warning())
        fprintf(stderr, "%s: %s\n", program_name, tg_warning());
    for (int i = 0; argc > 1 && i < n; i++)
        if (!strcmp(argv[1], all[i].name)) {
            int status = all[i].run(argc - 1, argv + 1);
            must_flush();
            return status;
        }
    if (argc > 1 && argv[1][0] != '-')
        usage(argv[1], "is no command");
    options_read(argc, argv, help, NULL, 0);
    usage(program_name, wants);
}
