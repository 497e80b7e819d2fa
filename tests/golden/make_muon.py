"""Writes muon.h: what torch.optim.Muon makes of known gradients. Run: python3 make_muon.py > muon.h

torch.optim.Muon orthogonalizes in bfloat16. f64 is what it gives in float64, when that one word of its source is
changed; bf16 is what it gives as it is, from float32.
"""
import inspect
import math

import torch
import torch.optim._muon as source

SHAPES = [(7, 4), (4, 9), (5, 5), (1, 6), (3, 1)]
STEPS = 24
CASES = {
    "defaults": {},
    "plain": dict(nesterov=False, momentum=0.8, weight_decay=0.0),
    "match_rms_adamw": dict(adjust_lr_fn="match_rms_adamw", weight_decay=0.3, momentum=0.3),
    "spectral_unclamped": dict(adjust_lr_fn="spectral_unclamped", ns_steps=3),
    "cubic": dict(ns_coefficients=(1.5, -0.5, 0.0), ns_steps=12, nesterov=False),
    "no_steps": dict(ns_steps=0, eps=20.0, momentum=0.0),
}
as_it_is = source._zeropower_via_newtonschulz
exec(inspect.getsource(as_it_is).replace("torch.bfloat16", "torch.float64").replace("_zeropower_via", "exact_via"), vars(source))


def value(step, p, shape):
    j = torch.arange(math.prod(shape), dtype=torch.float64)
    return torch.sin(0.37 * j * j + 1.7 * step + 2.1 * p).view(shape)


def run(options, dtype):
    """The second parameter has no gradient in every third step; the learning rate is halved after 12 steps."""
    source._zeropower_via_newtonschulz = source.exact_via_newtonschulz if dtype == torch.float64 else as_it_is
    params = [value(-1, p, shape).to(dtype).requires_grad_() for p, shape in enumerate(SHAPES)]
    optimizer = torch.optim.Muon(params, lr=0.02, **options)
    for step in range(STEPS):
        if step == 12:
            optimizer.param_groups[0]["lr"] *= 0.5
        for p, x in enumerate(params):
            x.grad = None if p == 1 and step % 3 == 0 else value(step, p, x.shape).to(dtype)
        optimizer.step()
    return torch.cat([p.detach().flatten() for p in params]).tolist()


def numbers(values):
    return "{" + ", ".join("%.17g" % v for v in values) + "}"


print("/* Written by make_muon.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("static const struct { const char *name; double f64[%d], bf16[%d]; } muon_golden[] = {" % ((sum(a * b for a, b in SHAPES),) * 2))
for name, options in CASES.items():
    f64, bf16 = run(options, torch.float64), run(options, torch.float32)
    print('    {"%s",\n     %s,\n     %s},' % (name, numbers(f64), numbers(bf16)))
print("};")
