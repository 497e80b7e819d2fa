"""Writes nn.h: initial weights, outputs and attention weights of the layers in PyTorch. Run: python3 make_nn.py > nn.h"""

import torch
from torch import nn

from seed_classes import CASES, CausalAttention, array, batch, flat, make

print("/* Written by make_nn.py with PyTorch %s. Weights are float32, in the order of named_parameters. */" % torch.__version__.split("+")[0])
print("static const struct { const char *name; int n_initial, n_y, n_weights; double initial[72], y[64], weights[256]; } nn_golden[] = {")
for case in CASES:
    model, inputs = make(case)
    y, w = model(*inputs)
    initial = flat(model.parameters())
    print('{"%s", %d, %d, %d, %s, %s, %s},' % (case[0], len(initial), y.numel(), w.numel(), array(initial), array(flat([y])), array(flat([w]))))
print("};\n")

torch.manual_seed(123)
model = CausalAttention(3, 2, 6, 0.5).double()
torch.manual_seed(7)
y, w = model(batch())
print("/* causal_attention of seed 123 with dropout 0.5 in train mode after seed 7 */")
print("static const double dropout_y[24] = %s;" % array(flat([y])))
print("static const double dropout_weights[72] = %s;\n" % array(flat([w])))


torch.manual_seed(123)
print("static const double embedding_golden[20] = %s;\n" % array(flat([nn.Embedding(5, 4).weight])))

# nn.MultiheadAttention is the oracle for masks: its parameters are W_query, W_key, W_value stacked, and out_proj.
torch.manual_seed(123)
mha = nn.MultiheadAttention(4, 2, batch_first=True).double()
for p in mha.parameters():
    with torch.no_grad():
        p.copy_(torch.sin(3 * torch.arange(p.numel(), dtype=torch.float64)).view(p.shape))
x = torch.cos(torch.arange(2 * 3 * 4, dtype=torch.float64) * 0.7).view(2, 3, 4)
padding = torch.tensor([[False, False, True], [False, True, False]])
hidden = torch.tensor([[False, True, False], [False, False, True], [True, False, False]])
added = torch.cos(torch.arange(9, dtype=torch.float64)).view(3, 3)
added[1, 0] = -torch.inf
causal = torch.triu(torch.ones(3, 3), diagonal=1).bool()
print("/* nn.MultiheadAttention(4, 2) of known weights: no mask, key_padding_mask, boolean, additive, causal; both */")
print("static const struct { double y[24], weights[36]; } mask_golden[] = {")
for masks in [dict(), dict(key_padding_mask=padding), dict(attn_mask=hidden), dict(attn_mask=added), dict(attn_mask=causal),
              dict(key_padding_mask=padding, attn_mask=hidden & ~torch.eye(3).bool())]:
    y, w = mha(x, x, x, average_attn_weights=False, **masks)
    print("{%s, %s}," % (array(flat([y])), array(flat([w]))))
print("};")
