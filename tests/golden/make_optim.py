"""Writes optim.h: what PyTorch's optimizers and clipping make of known gradients. Run: python3 make_optim.py > optim.h"""

import math

import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

SIZES = [5, 3]
STEPS = 30


def gradient(step, p, n):
    return [math.sin(1.7 * step + 0.9 * j + 2.1 * p) * (1 + j) for j in range(n)]


def parameters(dtype):
    return [torch.tensor([math.cos(j + p) for j in range(n)], dtype=dtype).requires_grad_() for p, n in enumerate(SIZES)]


CASES = {
    "sgd": (torch.optim.SGD, dict(lr=0.05)),
    "sgd_momentum": (torch.optim.SGD, dict(lr=0.05, momentum=0.9)),
    "sgd_dampening": (torch.optim.SGD, dict(lr=0.05, momentum=0.9, dampening=0.3, weight_decay=0.1)),
    "sgd_nesterov": (torch.optim.SGD, dict(lr=0.05, momentum=0.9, nesterov=True, weight_decay=0.01)),
    "sgd_maximize": (torch.optim.SGD, dict(lr=0.05, weight_decay=0.1, maximize=True)),
    "adam": (torch.optim.Adam, dict(lr=0.05)),
    "adam_decay": (torch.optim.Adam, dict(lr=0.05, weight_decay=0.1, betas=(0.8, 0.95), eps=1e-3)),
    "adam_amsgrad": (torch.optim.Adam, dict(lr=0.05, amsgrad=True, betas=(0.9, 0.9))),
    "adam_maximize": (torch.optim.Adam, dict(lr=0.05, weight_decay=0.1, maximize=True)),
    "adam_low_beta1": (torch.optim.Adam, dict(lr=0.05, betas=(0.3, 0.999))),
    "adamw": (torch.optim.AdamW, dict(lr=0.05)),
    "adamw_amsgrad": (torch.optim.AdamW, dict(lr=0.05, weight_decay=0.3, amsgrad=True, maximize=True, betas=(0.9, 0.9))),
}


def run(kind, options, dtype):
    """The second parameter has no gradient in every third step; the learning rate is halved after 15 steps."""
    params = parameters(dtype)
    optimizer = kind(params, foreach=False, **options)
    for step in range(STEPS):
        if step == 15:
            for group in optimizer.param_groups:
                group["lr"] *= 0.5
        for p, x in enumerate(params):
            x.grad = torch.tensor(gradient(step, p, len(x)), dtype=dtype)
        if step % 3 == 0:
            params[1].grad = None
        optimizer.step()
    return torch.cat([p.detach() for p in params]).tolist()


def numbers(values):
    return "{" + ", ".join(repr(float(v)) for v in values) + "}"


def clipped(clip):
    params = parameters(torch.float64)
    for p, x in enumerate(params):
        x.grad = torch.tensor(gradient(0, p, len(x)), dtype=torch.float64)
    total = clip(params)
    return total, torch.cat([p.grad for p in params]).tolist()


print("/* Written by make_optim.py with PyTorch %s. */" % torch.__version__.split("+")[0])
print("#include <math.h>\n")
print("static const struct { const char *name; double f64[8], f32[8]; } optim_golden[] = {")
for name, (kind, options) in CASES.items():
    f64, f32 = run(kind, options, torch.float64), run(kind, options, torch.float32)
    print('    {"%s",\n     %s,\n     %s},' % (name, numbers(f64), numbers(f32)))
print("};\n")

print("static const struct { double p, max_norm, total, grad[8]; } clip_norm_golden[] = {")
for p, most in [(2.0, 1.5), (1.0, 1.5), (3.0, 1.5), (math.inf, 1.5), (2.0, 100.0)]:
    total, grad = clipped(lambda params: clip_grad_norm_(params, most, p))
    print("    {%s, %r, %r, %s}," % ("INFINITY" if math.isinf(p) else repr(p), most, total.item(), numbers(grad)))
print("};\n")

_, grad = clipped(lambda params: clip_grad_value_(params, 0.75))
print("static const double clip_value_golden[8] = %s;" % numbers(grad))


def rates(new):
    """Base rate 0.2: the rate before each of 26 steps."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.2)
    scheduler, result = new(optimizer), []
    for _ in range(26):
        result.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return result


S = torch.optim.lr_scheduler
print("\n/* StepLR(4, 0.5), MultiStepLR([2, 9, 9, 20], 0.3), ExponentialLR(0.9), LinearLR(0.25, 0.75, 10), PolynomialLR(15, 2.5), */")
print("/* CosineAnnealingLR(10, 0.02), CosineAnnealingWarmRestarts(4, 1, 0.02), CosineAnnealingWarmRestarts(3, 2) */")
print("static const double schedule_golden[][26] = {")
for new in [
    lambda o: S.StepLR(o, 4, 0.5),
    lambda o: S.MultiStepLR(o, [2, 9, 9, 20], 0.3),
    lambda o: S.ExponentialLR(o, 0.9),
    lambda o: S.LinearLR(o, 0.25, 0.75, 10),
    lambda o: S.PolynomialLR(o, 15, 2.5),
    lambda o: S.CosineAnnealingLR(o, 10, 0.02),
    lambda o: S.CosineAnnealingWarmRestarts(o, 4, 1, 0.02),
    lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2),
]:
    print("    %s," % numbers(rates(new)))
print("};")
