"""Writes tests/golden/llama.h: small models of Llama's family in transformers: their config.json, their tensors' names,
logits and gradients in float64; the losses of PEFT's fine-tuning and of all weights', and logits with adapters.

usage: python3 tests/golden/make_llama.py > tests/golden/llama.h        (needs torch, transformers, peft)

Weight number i of the parameter with the name s is 0.3 sin(0.37 i^2 + the sum of s's bytes), as float32, norms' have 1
added, adapters' are a third of it.
"""
import json
import tempfile

import peft
import torch
import torch.nn.functional as F
import transformers
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config

transformers.utils.logging.disable_progress_bar()
V, T = 23, 12
SIZES = dict(vocab_size=V, hidden_size=16, intermediate_size=20, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=32)
LLAMA3 = dict(rope_type="llama3", rope_theta=500.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=16)
YARN = dict(rope_type="yarn", rope_theta=1000.0, factor=4.0, original_max_position_embeddings=8)
MODELS = {
    "llama_2": LlamaConfig(**{**SIZES, "num_key_value_heads": 4}, rms_norm_eps=1e-5),
    "llama_3": LlamaConfig(**SIZES, rope_parameters=LLAMA3, tie_word_embeddings=True, eos_token_id=[20, 21, 22]),
    "biased": LlamaConfig(**SIZES, attention_bias=True, mlp_bias=True, bos_token_id=None, eos_token_id=None,
                          rope_parameters=dict(rope_type="linear", factor=2.0, rope_theta=10000.0)),
    "qwen2": Qwen2Config(**SIZES, use_sliding_window=True, sliding_window=4, max_window_layers=1,
                         tie_word_embeddings=True),
    "qwen3": Qwen3Config(**SIZES, head_dim=6, rope_parameters=YARN, eos_token_id=7),
    "mistral": MistralConfig(**SIZES, sliding_window=5, head_dim=8),
}
ids = torch.tensor([[3, 1, 4, 1, 5, 9, 2, 6, 22, 3, 5, 8], [0, 19, 7, 17, 21, 13, 2, 6, 10, 11, 12, 20]])
SAMPLES = 6


def weight(name, p):
    i = torch.arange(p.numel(), dtype=torch.float64)
    w = 0.3 * torch.sin(0.37 * i * i + sum(name.encode()))
    w = w / 3 if "lora_" in name else w + 1 if "norm" in name else w
    return w.float().view_as(p)


def new_model(config):
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for name, p in model.named_parameters():
            p.copy_(weight(name, p))
    return model.double()


def numbers(values):
    return "{" + ", ".join("%.10g" % v for v in values) + "}"


def literal(text):
    return "\n    ".join(json.dumps(line) for line in text.splitlines(True))


def sampled(x):
    """SAMPLES numbers, from the first on, equally far apart."""
    x = x.flatten()
    step = max(1, x.numel() // SAMPLES)
    return [x[i * step % x.numel()].item() for i in range(SAMPLES)]


def show_model(name, config):
    model = new_model(config)
    with tempfile.TemporaryDirectory() as folder:
        model.float().save_pretrained(folder)
        text = open(folder + "/config.json").read()
    model = model.double()
    logits = model(ids).logits
    loss = F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))
    loss.backward()
    print("static const char %s_config[] =\n    %s;" % (name, literal(text)))
    print("static const double %s_logits[] = %s;" % (name, numbers(logits.detach().flatten().tolist())))
    print("static const llama_tensor %s_tensors[] = {" % name)
    for n, p in model.named_parameters():
        size = list(p.shape) + [0] * (2 - p.dim())
        print('    {"%s", {%d, %d}, %s},' % (n, *size, numbers(sampled(p.grad))))
    print("};")
    return '{"%s", %s_config, %s_logits, %s_tensors, sizeof %s_tensors / sizeof *%s_tensors, %.12g, %.10g}' % (
        name, name, name, name, name, name, loss.item(), max(p.grad.abs().max().item() for p in model.parameters()))


DATA = [([3, 1, 4], [1, 5]), ([9], [2, 6, 5, 3]), ([5, 8, 9, 7, 9], [3]), ([2, 3, 8, 4], [6, 2, 6]), ([4, 3], [3, 8, 3, 2]),
        ([7, 9, 5], [0, 2, 8]), ([8, 4, 1, 9, 7], [1])]
STEPS, BATCH, ACCUMULATE, SEED = 20, 2, 2, 5


def order():
    epoch = 0
    while True:
        torch.manual_seed(SEED + epoch)
        yield from torch.randperm(len(DATA)).tolist()
        epoch += 1


def losses(model, lr, decay):
    trained = [p for p in model.parameters() if p.requires_grad]
    groups = [dict(params=[p for p in trained if p.dim() > 1], weight_decay=decay),
              dict(params=[p for p in trained if p.dim() < 2], weight_decay=0.0)]
    optimizer, lines = torch.optim.AdamW(groups, lr=lr), order()
    for _ in range(STEPS):
        step = [DATA[next(lines)] for _ in range(BATCH * ACCUMULATE)]
        answers, total = sum(len(a) for _, a in step), 0
        optimizer.zero_grad()
        for prompt, answer in step:
            logits = model(torch.tensor([prompt + answer])).logits[0, len(prompt) - 1:-1]
            loss = F.cross_entropy(logits, torch.tensor(answer), reduction="sum") / answers
            loss.backward()
            total += loss.item()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        yield total


def adapted(config, targets):
    model = get_peft_model(new_model(config), LoraConfig(r=2, lora_alpha=6, target_modules=targets, task_type="CAUSAL_LM"))
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "lora_" in name:
                p.copy_(weight(name.replace(".default", ""), p))
    return model.double()


def show_tuning():
    config = MODELS["llama_3"]
    model = adapted(config, ["q_proj", "v_proj", "down_proj"]).eval()
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        text = open(folder + "/adapter_config.json").read()
        saved = peft.utils.load_peft_weights(folder, device="cpu")
    print("static const char adapter_config[] =\n    %s;" % literal(text))
    print("static const llama_tensor adapter_tensors[] = {")
    for n, p in saved.items():
        print('    {"%s", {%d, %d}, {0}},' % (n, *p.shape))
    print("};")
    print("static const double adapter_logits[] = %s;" % numbers(model(ids).logits.detach().flatten().tolist()))
    print("static const double lora_losses[] = %s;" % numbers(losses(model, 2e-2, 0.01)))
    print("static const double all_losses[] = %s;" % numbers(losses(new_model(config), 2e-3, 0.01)))
    lines = "".join(json.dumps(dict(prompt=p, answer=a)) + "\n" for p, a in DATA)
    print("static const char tuning_data[] =\n    %s;" % literal(lines))


print("/* Made by tests/golden/make_llama.py with PyTorch %s, transformers %s, peft %s. */" %
      (torch.__version__, transformers.__version__, peft.__version__))
print("/* clang-format off */")
print("#include <stdint.h>")
print("enum { LLAMA_V = %d, LLAMA_T = %d, LLAMA_SAMPLES = %d };" % (V, T, SAMPLES))
print("typedef struct llama_tensor {\n    const char *name;\n    int64_t size[2];            /* 0 behind a vector's */\n"
      "    double gradient[LLAMA_SAMPLES]; /* of elements equally far apart */\n} llama_tensor;")
print("static const int64_t llama_ids[2 * LLAMA_T] = %s;" % numbers(ids.flatten().tolist()))
rows = [show_model(name, config) for name, config in MODELS.items()]
print("""static const struct llama_model {
    const char *name, *config;
    const double *logits;
    const llama_tensor *tensors;
    int n_tensors;
    double loss, largest; /* of the next tokens; of all gradients */
} llama_models[] = {""" + ",\n".join(rows) + "};")
show_tuning()
