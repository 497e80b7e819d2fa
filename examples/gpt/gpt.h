/* gpt train | sample | eval | encode | import | export | info: shared by the commands. */
#ifndef EXAMPLES_GPT_H
#define EXAMPLES_GPT_H

#include "examples/common/must.h"
#include "examples/common/options.h"

/* Each takes its own arguments, argv[0] being the command, and returns the exit status. */
int gpt_train(int argc, char **argv);
int gpt_sample(int argc, char **argv);
int gpt_eval(int argc, char **argv);
int gpt_encode(int argc, char **argv);
int gpt_import(int argc, char **argv);
int gpt_export(int argc, char **argv);
int gpt_finetune(int argc, char **argv);
int gpt_logits(int argc, char **argv);
int gpt_info(int argc, char **argv);

#endif
