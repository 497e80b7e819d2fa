/* gpt train: AdamW with warmup and cosine decay, gradients clipped, as in nanoGPT (Karpathy 2022). */
#include "examples/common/interrupt.h"
#include "examples/common/output.h"
#include "examples/gpt/page.h"
#include "examples/gpt/training.h"

static const char help[] =
    "usage: gpt train --text FILE [options]\n"
    "\n"
    "Trains a GPT on a text, or on token ids; the last tenth is held out and measured.\n"
    "\n"
    "  --text FILE        what to learn, character by character\n"
    "  --bpe N            as byte pairs instead, learnt from the text, for a vocabulary of N tokens\n"
    "  --merges FILE      as byte pairs from a file like GPT-2's vocab.bpe\n"
    "  --tokens PATH      instead of a text, token ids in a file, or in all files of a folder, that may be larger than\n"
    "                     memory: nanoGPT's train.bin, llm.c's shards, .npy; windows come in a random order, each once\n"
    "  --val PATH         measure these ids, and learn all of the others\n"
    "  --id-bytes N       2 (the default) or 4 in files that do not say\n"
    "  --vocabulary N     with --tokens, unless --merges tells it: ids are below N\n"
    "  --preset NAME      the model and how it is trained:\n"
    "                       cpu     nanoGPT's CPU quick-start: 4 layers, 4 heads, 128 wide, 64 tokens (the default)\n"
    "                       llama   rms_norm, rotary positions, swiglu, at a higher rate\n"
    "                       long    as cpu, but 1024 tokens\n"
    "  --layers N --heads N --width N --context N      sizes other than the preset's\n"
    "  --kv-heads N       llama: so many heads of keys and values, each for several heads of queries\n"
    "  --batch N          windows in a step\n"
    "  --schedule N       steps that the learning rate takes up and down again; then it stays low\n"
    "  --steps N          steps to make now (as many as --schedule still has)\n"
    "  --lr X             the learning rate at its highest; it ends at a tenth of it\n"
    "  --warmup N         steps that it takes up (100)\n"
    "  --dropout X        (0)\n"
    "  --seed N           for the first weights and the order of the data (1337)\n"
    "  --eval-every N     measure the held-out loss after every N steps; in between on its start only (250)\n"
    "  --save FILE        where the run goes, as safetensors (the file given to --resume, else build/gpt.safetensors,\n"
    "                     without build/ when there is none)\n"
    "  --save-every N     save after every N steps, too\n"
    "  --resume FILE      go on with the run in this file, on the same data, as if it had never stopped; what is not\n"
    "                     given is taken over\n"
    "  --init FILE        begin with the weights of this file, but as a new run\n"
    "  --profile          after training, show what each operation's time and speed were\n"
    "  --report FILE      write a page to look at: loss, attention of every head, gradients, graph, profile\n"
    "\n"
    "Ctrl-C, SIGTERM and SIGHUP end the training after the present step and save.\n";

static double make_step(training *r) {
    tg_tensor loss = training_loss(r, r->s.batch);
    tg_optim_zero_grad(r->adamw);
    must(r->c.t, tg_backward(loss));
    page_before_update(r->page, r->step + 1, loss);
    training_update(r, tg_item(loss));
    r->stopped = interrupted;
    return tg_item(loss);
}

int gpt_train(int argc, char **argv) {
    output_may_end();
    training *r = training_new(&(command){.argc = argc, .argv = argv, .help = help});
    r->make_step = make_step;
    int status = training_run(r);
    training_free(r);
    return status;
}
