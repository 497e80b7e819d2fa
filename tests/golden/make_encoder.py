"""Writes encoder.h: nn.MultiheadAttention and nn.TransformerEncoderLayer in PyTorch, their initial weights, outputs and
gradients, and a state_dict as safetensors writes it. Run: python3 make_encoder.py > encoder.h

Gradients are those of sum y cos(j) over y's elements j, in float64, at the initial float32 weights + 0.1 sin(3 j + 1).
"""
import torch
import torch.nn.functional as F
from safetensors.torch import save
from torch import nn

E, HEADS = 8, 4


class Grouped(nn.Module):
    """nn.MultiheadAttention with fewer heads of keys and values, drawn in its order."""

    def __init__(self, kv):
        super().__init__()
        self.kv, self.d = kv, E // HEADS
        self.in_proj_weight = nn.Parameter(torch.empty(E + 2 * kv * self.d, E))
        self.in_proj_bias = nn.Parameter(torch.zeros(E + 2 * kv * self.d))
        self.out_proj = nn.Linear(E, E)
        nn.init.xavier_uniform_(self.in_proj_weight)
        nn.init.zeros_(self.out_proj.bias)

    def forward(self, q, k, v, **more):
        n = self.kv * self.d
        w, b = self.in_proj_weight.split([E, n, n]), self.in_proj_bias.split([E, n, n])
        q, k, v = [F.linear(x, w, b).unflatten(-1, (-1, self.d)).transpose(-2, -3) for x, w, b in zip((q, k, v), w, b)]
        k, v = [x.repeat_interleave(HEADS // self.kv, -3) for x in (k, v)]
        weights = torch.softmax(q @ k.mT / self.d**0.5, -1)
        return self.out_proj((weights @ v).transpose(-2, -3).flatten(-2)), weights


def numbers(shape, turn):
    n = torch.Size(shape).numel()
    return torch.sin(turn * torch.arange(n, dtype=torch.float64) + turn).view(shape)


PADDING = torch.tensor([[False, False, False, True], [False, True, False, False]])
HIDDEN = torch.tensor([[False, True, False, True], [False, False, True, False], [True, False, False, False]])
ADDED = numbers((3, 4), 2.3)
CAUSAL = torch.triu(torch.ones(4, 4), diagonal=1).bool()
SOME = torch.tensor([[False] * 4, [False] * 4, [True, False, False, False], [False, True, False, False]])
LATER = numbers((4, 4), 2.3).masked_fill(CAUSAL, -torch.inf)
BOTH = dict(add_bias_kv=True, add_zero_attn=True)


def mha(**more):
    return lambda: nn.MultiheadAttention(E, HEADS, batch_first=True, **more)


def layer(**more):
    return lambda: nn.TransformerEncoderLayer(E, HEADS, 12, batch_first=True, **{"dropout": 0.0, **more})


x, y, z = numbers((2, 4, E), 0.7), numbers((2, 3, E), 1.3), numbers((2, 4, 5), 1.9)
CASES = [  # name, module, inputs, masks
    ("self", mha(), [x, x, x], dict()),
    ("self without batch", mha(), [x[0]] * 3, dict(attn_mask=CAUSAL)),
    ("self without biases", mha(bias=False), [x, x, x], dict(key_padding_mask=PADDING)),
    ("cross", mha(), [y, x, x], dict(key_padding_mask=PADDING)),
    ("cross, hidden", mha(), [y, x, x + 1], dict(attn_mask=HIDDEN)),
    ("cross, other sizes", mha(kdim=5, vdim=E), [y, z, x], dict(attn_mask=ADDED)),
    ("cross, other sizes without biases", mha(kdim=E, vdim=5, bias=False), [y, x, z], dict()),
    ("grouped queries", lambda: Grouped(2), [x, x, x], dict()),
    ("one head of keys", lambda: Grouped(1), [y, x, x], dict()),
    ("other values", mha(), [x, x, x + 1], dict()),
    ("bias_k and bias_v", mha(add_bias_kv=True), [x, x, x], dict(key_padding_mask=PADDING)),
    ("cross, hidden, with zeros", mha(add_zero_attn=True), [y, x, x + 1], dict(attn_mask=HIDDEN)),
    ("cross, other sizes, with both", mha(kdim=5, vdim=E, **BOTH), [y, z, x], dict(attn_mask=ADDED)),
    ("self without batch, with both", mha(bias=False, **BOTH), [x[0]] * 3, dict(attn_mask=CAUSAL | SOME)),
    ("cross, hidden and padded, with both", mha(**BOTH), [y, x, x + 1], dict(attn_mask=HIDDEN, key_padding_mask=PADDING)),
    ("cross, later than added, with both", mha(**BOTH), [x, x, x + 1], dict(attn_mask=LATER)),
    ("encoder layer", layer(), [x], dict()),
    ("encoder layer, gelu, norm first", layer(activation="gelu", norm_first=True), [x], dict(src_key_padding_mask=PADDING)),
    ("encoder layer without biases", layer(bias=False, layer_norm_eps=1e-3), [x[0]], dict(src_mask=CAUSAL)),
    ("encoder layer, causal", layer(norm_first=True), [x], dict(src_mask=CAUSAL)),
]


def array(tensors):
    values = [v for t in tensors for v in t.detach().flatten().tolist()]
    return "(const double[]){" + ", ".join(repr(v) for v in values) + "}"


def moved(model):
    """In float64, at other weights than the initial ones."""
    model = model.double()
    with torch.no_grad():
        for p in model.parameters():
            p += 0.1 * torch.sin(3 * torch.arange(p.numel(), dtype=torch.float64) + 1).view(p.shape)
    return model


print("/* Written by make_encoder.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("/* clang-format off */")
print("""static const struct {
    const char *name, *parameters; /* their names, each with a space behind it */
    const double *initial, *y, *weights, *dx, *dparameters; /* weights: NULL for layers; dx: of all inputs */
} encoder_golden[] = {""")
for name, new, inputs, masks in CASES:
    torch.manual_seed(123)
    model = new()
    initial = array(model.parameters())
    moved(model)
    leaves = [i.clone().requires_grad_() for i in inputs]
    if len(inputs) == 3:
        # A tensor that is given three times is one leaf, so that all its gradients arrive at it.
        leaves = [leaves[[i is j for j in inputs].index(True)] for i in inputs]
        out, weights = model(*leaves, average_attn_weights=False, **masks)
    else:
        out, weights = model(*leaves, **masks), None
    (out * torch.cos(torch.arange(out.numel(), dtype=torch.float64)).view(out.shape)).sum().backward()
    once = [l for i, l in enumerate(leaves) if not any(l is m for m in leaves[:i])]
    print('{"%s", "%s", %s,\n%s,\n%s,\n%s,\n%s},' % (
        name, "".join(n + " " for n, _ in model.named_parameters()), initial, array([out]),
        "NULL" if weights is None else array([weights]), array(l.grad for l in once),
        array(p.grad for p in model.parameters())))
print("};\n")

torch.manual_seed(123)
model = moved(layer(dropout=0.3)())
torch.manual_seed(7)
print("/* The encoder layer with dropout 0.3 in train mode after seed 7, of the first sequence alone. */")
print("static const double encoder_dropout[] = %s;\n" % array([model(x[0])])[16:])

torch.manual_seed(5)
model = moved(layer(activation="gelu")()).float()
data = save({"encoder.layers.0." + n: p for n, p in model.state_dict().items()})
print("/* The state_dict of an encoder layer with gelu, and what it gives. */")
print("static const unsigned char encoder_file[] = {%s};" % ",".join(map(str, data)))
print("static const double encoder_file_y[] = %s;" % array([model.double().eval()(x)])[16:])
