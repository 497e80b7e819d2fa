#!/usr/bin/env python3
"""The gradient check beside PyTorch's, on functions and inputs that PyTorch's developers chose: the entries of OpInfo
(torch/testing/_internal/common_methods_invocations.py).

usage: opinfo.py build/opinfo [NAME...]      needs torch
    --list: only say what can be expressed; --verbose: print every verdict

PyTorch traces each function on its sample input to ATen operations, and these are written in operations of this
library (opinfo.c reads them). Both checks then judge the same function, as it is and with the gradient of its first
input spoilt. An entry counts as expressed when values and gradients of both agree on at least one sample; all others
are listed with a reason. Fails when this library calls a right gradient wrong, or a wrong one right, where PyTorch's
check is correct.
"""
import collections, importlib.util, logging, math, operator, signal, subprocess, sys, types, unittest, warnings

warnings.simplefilter("ignore")
logging.disable(logging.WARNING)
import torch

if not importlib.util.find_spec("expecttest"):  # OpInfo's module wants its name only
    sys.modules["expecttest"] = types.SimpleNamespace(TestCase=unittest.TestCase)
from torch._decomp import core_aten_decompositions
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

torch.set_num_threads(1)
aten = torch.ops.aten
MOST_INPUT, MOST_PAIRS, SAMPLES, SECONDS = 30, 200000, 1, 200  # pairs: elements of inputs times those of results

# ---- how a gradient is spoilt; opinfo.c has the same ----

SPOILS = ["right", "x 1.01", "x 1.0001", "sign", "+ 1e-3", "one element x 1.01", "zero", "transposed", "last one 0"]


def spoilt(g, kind):
    if kind == 1:
        return g * 1.01
    if kind == 2:
        return g * 1.0001
    if kind == 3:
        return -g
    if kind == 4:
        return g + 1e-3
    if kind == 6:
        return torch.zeros_like(g)
    if kind == 7 and g.dim() >= 2 and g.shape[-1] == g.shape[-2]:
        return g.transpose(-1, -2).contiguous()
    flat = g.reshape(-1).clone()
    if kind == 7:
        flat = flat.flip(0)
    elif flat.numel():
        at, by = (flat.numel() // 2, 1.01) if kind == 5 else (-1, 0)
        flat[at] = flat[at] * by
    return flat.reshape(g.shape)


class Spoil(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, kind):
        ctx.kind = kind
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return spoilt(g, ctx.kind), None


# ---- ATen in this library's operations ----


class Skip(Exception):
    pass


class Value:
    """The i-th value of the program; what it holds at the sample."""

    def __init__(self, i, sample):
        self.i, self.sample = i, sample


def text(numbers):
    return " ".join("%.17g" % float(v) for v in numbers)


class Program:
    def __init__(self):
        self.lines, self.n, self.constants = [], 0, {}

    def add(self, *words):
        self.lines.append(" ".join(str(w) for w in words))
        self.n += 1
        return self.n - 1

    def tensor(self, what, x):
        return self.add(what, x.dim(), *x.shape, text(x.reshape(-1).tolist()))

    def of(self, x):
        """The number of a value, or of a constant, which is added."""
        if isinstance(x, Value):
            return x.i
        if not isinstance(x, torch.Tensor):
            x = torch.tensor(x, dtype=torch.float64 if isinstance(x, float) else None)
        if x.is_complex():
            raise Skip("complex numbers")
        kind = "b" if x.dtype == torch.bool else "f" if x.is_floating_point() else "i"
        return self.tensor("const " + kind, x.detach())

    def real(self, x):
        """The same as floating numbers."""
        if isinstance(x, Value):
            return x.i if x.sample.is_floating_point() else self.add("to_float", x.i)
        return self.of(torch.as_tensor(x).to(torch.float64))


def shape(x):
    return [len(x), *x]


def dims_of(dim, x):
    """The words for dims: none means all, which is written as -1."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return [-1] if x.dim() else [0]
    dim = [dim] if isinstance(dim, int) else list(dim)
    return shape(dim) if x.dim() else [0]


class Translator:
    """Runs a traced graph and writes what depends on the leaves as a program."""

    def __init__(self, program):
        self.p = program

    def new(self, sample, *words):
        return Value(self.p.add(*words), sample)

    # elements that are only moved: which element of which operand is where?

    def move(self, node, args, kwargs, result):
        tensors, spec = pytree.tree_flatten((args, kwargs))
        moved = [i for i, v in enumerate(tensors) if isinstance(v, Value) and v.sample.is_floating_point()]
        offset, places, inside = 0, list(tensors), []
        for i in moved:
            x = tensors[i].sample
            ids = torch.arange(offset, offset + x.numel(), dtype=torch.float64).reshape(x.shape)
            places[i] = ids + 0.25
            inside.append(self.p.add("reshape", tensors[i].i, 1, x.numel()))
            offset += x.numel()
        places = [v.sample if isinstance(v, Value) else v for v in places]
        a, k = pytree.tree_unflatten(places, spec)
        ids = node.target(*a, **k)
        whole = inside[0] if len(inside) == 1 else self.p.add("cat", len(inside), *inside, 0)
        known = torch.cat([tensors[i].sample.reshape(-1) for i in moved])

        def take(ids, sample):
            if not isinstance(ids, torch.Tensor):
                return ids
            own = (ids - ids.floor() == 0.25) & (ids >= 0) & (ids < offset)
            at = torch.where(own, ids - 0.25, torch.zeros_like(ids)).to(torch.int64)
            want = torch.where(own, known[at.reshape(-1)].reshape(at.shape), sample) if at.numel() else sample
            if not torch.equal(want, sample):
                raise Skip("no operation for " + str(node.target))
            if not own.any():
                return sample
            y = self.p.add("index_select", whole, 0, self.p.of(at.reshape(-1)))
            y = self.p.add("reshape", y, *shape(ids.shape))
            if not own.all():
                y = self.p.add("where", self.p.of(own), y, self.p.of(torch.where(own, 0.0, sample)))
            return Value(y, sample)

        return pytree.tree_map(take, ids, result)

    # linear in its only leaf: a matrix product

    def linear(self, node, args, kwargs, result):
        flat, spec = pytree.tree_flatten((args, kwargs))
        at = [i for i, v in enumerate(flat) if isinstance(v, Value)]
        if len(at) != 1 or not isinstance(result, torch.Tensor) or result.is_complex():
            raise Skip("no operation for " + str(node.target))
        x = flat[at[0]].sample
        if x.numel() * result.numel() > 65536 or not x.is_floating_point():
            raise Skip("no operation for " + str(node.target))

        def f(x):
            flat[at[0]] = x
            a, k = pytree.tree_unflatten(flat, spec)
            return node.target(*a, **k)

        value, offset, i = flat[at[0]], f(torch.zeros_like(x)), torch.eye(x.numel(), dtype=x.dtype)
        rows = [f(row.reshape(x.shape)) - offset for row in i]
        if not rows:
            raise Skip("no elements")
        matrix = torch.stack([r.reshape(-1) for r in rows])
        again = (x.reshape(-1) @ matrix).reshape(result.shape) + offset
        if not torch.allclose(again, result, rtol=1e-12, atol=1e-12):
            raise Skip("no operation for " + str(node.target))
        y = self.p.add("matmul", self.p.add("reshape", value.i, 1, x.numel()), self.p.of(matrix))
        y = self.p.add("reshape", y, *shape(result.shape))
        return self.new(result, "add", y, self.p.of(offset))

    def windows(self, x, ids_padded, kernel, stride, dilation):
        """x's elements by window: (N, C, out..., kernel...); ids of -1 are padding, whose mask comes back too."""
        ids = ids_padded
        for d, k in enumerate(kernel):
            ids = ids.unfold(2 + d, (k - 1) * dilation[d] + 1, stride[d])[..., :: dilation[d]]
        flat = self.p.add("reshape", x.i, 1, x.sample.numel())
        y = self.p.add("index_select", flat, 0, self.p.of(ids.clamp_min(0).reshape(-1)))
        return self.p.add("reshape", y, *shape(ids.shape)), ids

    def pad(self, x, padding):
        ids = torch.arange(x.numel()).reshape(x.shape)
        words = [p for d in reversed(padding) for p in (d, d)]
        return torch.nn.functional.pad(ids, words, value=-1)

    def convolution(self, args, result):
        x, w, b, stride, padding, dilation, transposed, out_padding, groups = args
        weight = w.sample if isinstance(w, Value) else w
        if not isinstance(x, Value):
            x = Value(self.p.of(x), x)
        nd = x.sample.dim() - 2
        stride, padding, dilation, out_padding = ((list(v) * nd)[:nd] for v in (stride, padding, dilation, out_padding))
        wi = self.p.of(w)
        kernel, n, c = list(weight.shape[2:]), x.sample.shape[0], x.sample.shape[1]
        if transposed:
            ids = torch.arange(x.sample.numel()).reshape(x.sample.shape)
            size = [n, c] + [(s - 1) * stride[d] + 1 for d, s in enumerate(x.sample.shape[2:])]
            wide = torch.full(size, -1)
            wide[(slice(None),) * 2 + tuple(slice(None, None, s) for s in stride)] = ids
            words = []
            for d in reversed(range(nd)):
                edge = dilation[d] * (kernel[d] - 1) - padding[d]
                words += [edge, edge + out_padding[d]]
            ids, stride = torch.nn.functional.pad(wide, words, value=-1), [1] * nd
            out = weight.shape[1]
            wi = self.p.add("flip", wi, nd, *range(2, 2 + nd))
            wi = self.p.add("reshape", wi, 3 + nd, groups, c // groups, out, *kernel)
            wi = self.p.add("permute", wi, 3 + nd, 0, 2, 1, *range(3, 3 + nd))
        else:
            ids, out = self.pad(x.sample, padding), weight.shape[0] // groups
        y, ids = self.windows(x, ids, kernel, stride, dilation)
        if (ids < 0).any():
            y = self.p.add("mul", y, self.p.of((ids >= 0).to(torch.float64)))
        place, depth = list(ids.shape[2 : 2 + nd]), c // groups * math.prod(kernel)
        y = self.p.add("reshape", y, 3 + 2 * nd, n, groups, c // groups, *place, *kernel)
        order = [0, 1, *range(3, 3 + nd), 2, *range(3 + nd, 3 + 2 * nd)]
        y = self.p.add("permute", y, len(order), *order)
        y = self.p.add("reshape", y, 4, n, groups, math.prod(place), depth)
        wi = self.p.add("reshape", wi, 4, 1, groups, out, depth)
        y = self.p.add("matmul", y, self.p.add("permute", wi, 4, 0, 1, 3, 2))
        y = self.p.add("permute", y, 4, 0, 1, 3, 2)
        y = self.p.add("reshape", y, 2 + nd, n, groups * out, *place)
        if b is not None:
            y = self.p.add("add", y, self.p.add("reshape", self.p.of(b), 1 + nd, groups * out, *[1] * nd))
        return Value(y, result)

    def max_pool(self, args, result):
        x, kernel, stride, padding, dilation, ceil = (list(args) + [[], 0, 1, False])[:6] if len(args) < 6 else args[:6]
        nd = len(kernel)
        stride = list(stride) or list(kernel)
        padding, dilation = ([v] * nd if isinstance(v, int) else (list(v) * nd)[:nd] for v in (padding, dilation))
        batched = x.sample.dim() == nd + 2
        if not batched:
            x = Value(x.i, x.sample.unsqueeze(0))
        y, ids = self.windows(x, self.pad(x.sample, padding), kernel, stride, dilation)
        best = result[0] if batched else result[0].unsqueeze(0)
        if list(ids.shape[: 2 + nd]) != list(best.shape):
            raise Skip("pooling with ceil_mode")
        if (ids < 0).any():
            y = self.p.add("masked_fill", y, self.p.of(ids < 0), "-inf")
        y = self.p.add("amax", y, nd, *range(-nd, 0), 0)
        return Value(self.p.add("reshape", y, *shape(result[0].shape)), result[0]), result[1]

    def norm_of_groups(self, x, weight, bias, groups, eps, result):
        n, c = x.sample.shape[:2]
        y = self.p.add("layer_norm", self.p.add("reshape", x.i, 2, n * groups, x.sample.numel() // (n * groups)), -1, -1, eps)
        y = self.p.add("reshape", y, *shape(x.sample.shape))
        column = [c] + [1] * (x.sample.dim() - 2)
        if weight is not None:
            y = self.p.add("mul", y, self.p.add("reshape", self.p.of(weight), *shape(column)))
        if bias is not None:
            y = self.p.add("add", y, self.p.add("reshape", self.p.of(bias), *shape(column)))
        return Value(y, result)

    def statistics(self, x, dims, eps):
        """mean, 1 / sqrt(var + eps), both kept as size 1"""
        mean = self.p.add("mean", x.i, *shape(dims), 1)
        var = self.p.add("var", x.i, *shape(dims), 0, 1)
        return mean, self.p.add("rsqrt", self.p.add("add_scalar", var, eps))

    def layer_norm(self, args, result):
        x, size, weight, bias, eps = args
        if not isinstance(x, Value):
            x = Value(self.p.of(x), x)
        if x.sample.numel() == 0:
            raise Skip("no elements")
        last = math.prod(size)
        flat = self.p.add("reshape", x.i, 2, x.sample.numel() // last, last)
        w, b = (-1 if v is None else self.p.add("reshape", self.p.of(v), 1, last) for v in (weight, bias))
        y = self.p.add("layer_norm", flat, w, b, eps)
        mean, rstd = self.statistics(x, list(range(-len(size), 0)), eps)
        return (Value(self.p.add("reshape", y, *shape(result[0].shape)), result[0]), Value(mean, result[1]), Value(rstd, result[2]))

    def batch_norm(self, x, weight, bias, mean, var, training, eps, result):
        if not isinstance(x, Value):
            x = Value(self.p.of(x), x)
        column = [1, x.sample.shape[1]] + [1] * (x.sample.dim() - 2)
        outs = [None, None]
        if training:
            dims = [0, *range(2, x.sample.dim())]
            m, r = self.statistics(x, dims, eps)
            outs = [Value(self.p.add("reshape", v, 1, column[1]), s) for v, s in zip((m, r), result[1:3])]
        else:
            m = self.p.add("reshape", self.p.of(mean), *shape(column))
            v = self.p.add("reshape", self.p.of(var), *shape(column))
            r = self.p.add("rsqrt", self.p.add("add_scalar", v, eps))
            outs = list(result[1:3])
        y = self.p.add("mul", self.p.add("sub", x.i, m), r)
        if weight is not None:
            y = self.p.add("mul", y, self.p.add("reshape", self.p.of(weight), *shape(column)))
        if bias is not None:
            y = self.p.add("add", y, self.p.add("reshape", self.p.of(bias), *shape(column)))
        return (Value(y, result[0]), *outs, *result[3:])

    def sorted_values(self, x, dim, descending, result):
        if x.sample.dim() == 0:
            return Value(x.i, result[0]), result[1]
        return Value(self.p.add("sort", x.i, dim, int(descending)), result[0]), result[1]

    def scaled(self, x, by):
        return x if by == 1 else self.p.add("mul_scalar", x, by)

    def call(self, node, args, kwargs, result):
        name = str(node.target).replace("aten.", "")
        base = name.split(".")[0]
        x = args[0] if args else None
        if isinstance(x, Value) and isinstance(result, torch.Tensor) and result.is_complex():
            raise Skip("complex numbers")
        if base in UNARY and len(args) == 1:
            value = self.p.of(x) if base in LOGICAL else self.p.real(x)
            if base in LOGICAL and not self.is_bool(x):
                value = self.p.add("to_bool", value)
            return self.new(result, UNARY[base], value)
        if base in BINARY:
            a, b = (self.p.of(v) if base in LOGICAL else self.p.real(v) for v in args[:2])
            if base in LOGICAL:
                a, b = (v if self.is_bool(q) else self.p.add("to_bool", v) for v, q in zip((a, b), args))
            if base in ("add", "sub"):
                b = self.scaled(b, kwargs.get("alpha", args[2] if len(args) > 2 else 1))
            if kwargs.get("rounding_mode"):
                raise Skip("a gradient of zero everywhere")
            return self.new(result, BINARY[base], a, b)
        if base in SHAPED:
            return result
        if base in WHOLE:
            raise Skip("a gradient of zero everywhere")
        method = getattr(self, "on_" + base.strip("_"), None)
        if method:
            return method(name, args, kwargs, result)
        if base in MOVES:
            return self.move(node, args, kwargs, result)
        if base in RANDOM:
            raise Skip("random")
        return self.linear(node, args, kwargs, result)

    @staticmethod
    def is_bool(x):
        x = x.sample if isinstance(x, Value) else torch.as_tensor(x)
        return x.dtype == torch.bool

    # operations with arguments; name is the overload's

    def on_rsub(self, name, args, kwargs, result):
        return self.new(result, "sub", self.scaled(self.p.real(args[1]), 1), self.p.real(args[0]))

    def on_reciprocal(self, name, args, kwargs, result):
        return self.new(result, "rdiv_scalar", 1, self.p.real(args[0]))

    def on_log2(self, name, args, kwargs, result):
        return self.new(result, "mul_scalar", self.p.add("log", self.p.real(args[0])), 1 / math.log(2))

    def on_log10(self, name, args, kwargs, result):
        return self.new(result, "mul_scalar", self.p.add("log", self.p.real(args[0])), 1 / math.log(10))

    def on_exp2(self, name, args, kwargs, result):
        return self.new(result, "exp", self.p.add("mul_scalar", self.p.real(args[0]), math.log(2)))

    def on_erfc(self, name, args, kwargs, result):
        return self.new(result, "rsub_scalar", 1, self.p.add("erf", self.p.real(args[0])))

    def on_special_erfcx(self, name, args, kwargs, result):
        x = self.p.real(args[0])
        return self.new(result, "mul", self.p.add("exp", self.p.add("square", x)), self.p.add("rsub_scalar", 1, self.p.add("erf", x)))

    def hyperbolic(self, x, op):
        plus, minus = self.p.add("exp", x), self.p.add("exp", self.p.add("neg", x))
        return self.p.add("mul_scalar", self.p.add(op, plus, minus), 0.5)

    def on_sinh(self, name, args, kwargs, result):
        return Value(self.hyperbolic(self.p.real(args[0]), "sub"), result)

    def on_cosh(self, name, args, kwargs, result):
        return Value(self.hyperbolic(self.p.real(args[0]), "add"), result)

    def on_tan(self, name, args, kwargs, result):
        x = self.p.real(args[0])
        return self.new(result, "div", self.p.add("sin", x), self.p.add("cos", x))

    def on_asinh(self, name, args, kwargs, result):
        x = self.p.real(args[0])
        root = self.p.add("sqrt", self.p.add("add_scalar", self.p.add("square", x), 1))
        return self.new(result, "log", self.p.add("add", x, root))

    def on_acosh(self, name, args, kwargs, result):
        x = self.p.real(args[0])
        root = self.p.add("sqrt", self.p.add("sub_scalar", self.p.add("square", x), 1))
        return self.new(result, "log", self.p.add("add", x, root))

    def on_atanh(self, name, args, kwargs, result):
        x = self.p.real(args[0])
        low = self.p.add("log1p", self.p.add("neg", x))
        return self.new(result, "mul_scalar", self.p.add("sub", self.p.add("log1p", x), low), 0.5)

    def on_sign(self, name, args, kwargs, result):
        x, zero = self.p.real(args[0]), self.p.of(0.0)
        above, below = (self.p.add("to_float", self.p.add(op, x, zero)) for op in ("gt", "lt"))
        return self.new(result, "sub", above, below)

    def modulo(self, args, result):
        """x - y n, with the whole number n that it has around the sample"""
        a, b = (v.sample if isinstance(v, Value) else torch.as_tensor(v) for v in args[:2])
        n = torch.round((a - result) / b)
        return self.new(result, "sub", self.p.real(args[0]), self.p.add("mul", self.p.real(args[1]), self.p.of(n)))

    def on_fmod(self, name, args, kwargs, result):
        return self.modulo(args, result)

    def on_remainder(self, name, args, kwargs, result):
        return self.modulo(args, result)

    def on_pow(self, name, args, kwargs, result):
        a, b = args[:2]
        if not isinstance(b, (Value, torch.Tensor)):
            return self.new(result, "pow", self.p.real(a), float(b))
        return self.new(result, "pow_tensor", self.p.real(a), self.p.real(b))

    def on_where(self, name, args, kwargs, result):
        if len(args) < 3:
            raise Skip("no operation for where with one argument")
        return self.new(result, "where", self.p.of(args[0]), self.p.real(args[1]), self.p.real(args[2]))

    def on_masked_fill(self, name, args, kwargs, result):
        return self.new(result, "where", self.p.of(args[1]), self.p.real(args[2]), self.p.real(args[0]))

    def on_clamp(self, name, args, kwargs, result):
        x, low, high = (list(args) + [kwargs.get("min"), kwargs.get("max")])[:3] if len(args) < 3 else args[:3]
        if any(isinstance(v, (Value, torch.Tensor)) for v in (low, high)):
            y = self.p.real(x)
            if low is not None:
                y = self.p.add("maximum", y, self.p.real(low))
            if high is not None:
                y = self.p.add("minimum", y, self.p.real(high))
            return Value(y, result)
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        return self.new(result, "clamp", self.p.real(x), low, high)

    def on_clamp_min(self, name, args, kwargs, result):
        return self.on_clamp(name, [args[0], args[1], None], {}, result)

    def on_hardtanh(self, name, args, kwargs, result):
        return self.on_clamp(name, (list(args) + [-1, 1])[:3] if len(args) == 1 else args[:3], {}, result)

    def reduce(self, op, args, kwargs, result):
        x = args[0]
        dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
        keepdim = kwargs.get("keepdim", args[2] if len(args) > 2 else False)
        if isinstance(dim, bool):
            dim, keepdim = None, dim
        value = self.p.of(x) if op in ("any", "all") else self.p.real(x)
        return self.new(result, op, value, *dims_of(dim, x.sample), int(keepdim))

    def on_sum(self, name, args, kwargs, result):
        return self.reduce("sum", args, kwargs, result)

    def on_mean(self, name, args, kwargs, result):
        return self.reduce("mean", args, kwargs, result)

    def on_prod(self, name, args, kwargs, result):
        return self.reduce("prod", args, kwargs, result)

    def on_amax(self, name, args, kwargs, result):
        return self.reduce("amax", args, kwargs, result)

    def on_amin(self, name, args, kwargs, result):
        return self.reduce("amin", args, kwargs, result)

    def on_any(self, name, args, kwargs, result):
        return self.reduce("any", args, kwargs, result)

    def on_all(self, name, args, kwargs, result):
        return self.reduce("all", args, kwargs, result)

    def on_logsumexp(self, name, args, kwargs, result):
        return self.reduce("logsumexp", args, kwargs, result)

    def extreme(self, op, args, result):
        if isinstance(result, torch.Tensor):
            return self.reduce("a" + op, args, {}, result)
        x, dim, keepdim = (list(args) + [False])[:3]
        if x.sample.dim() == 0:
            return (Value(x.i, result[0]), *result[1:])
        return (self.new(result[0], op + "_dim", x.i, dim, int(keepdim)), *result[1:])

    def on_max(self, name, args, kwargs, result):
        return self.extreme("max", args, result)

    def on_min(self, name, args, kwargs, result):
        return self.extreme("min", args, result)

    def on_var(self, name, args, kwargs, result):
        x, dim = args[0], args[1] if len(args) > 1 else kwargs.get("dim")
        correction = kwargs.get("correction", 1)
        keepdim = kwargs.get("keepdim", False)
        return self.new(result, "var", x.i, *dims_of(dim, x.sample), 1 if correction is None else correction, int(keepdim))

    def on_var_mean(self, name, args, kwargs, result):
        x, dim = args[0], args[1] if len(args) > 1 else kwargs.get("dim")
        mean = self.new(result[1], "mean", x.i, *dims_of(dim, x.sample), int(kwargs.get("keepdim", False)))
        return self.on_var(name, args, kwargs, result[0]), mean

    def on_reshape(self, name, args, kwargs, result):
        return self.new(result, "reshape", args[0].i, *shape(result.shape))

    on_view = on_unsafe_view = on_squeeze = on_unsqueeze = on_flatten = on_reshape

    def on_clone(self, name, args, kwargs, result):
        if result.dtype != torch.float64:
            raise Skip("another dtype than float64")
        return Value(self.p.real(args[0]), result)

    on_alias = on_lift_fresh_copy = on_detach_copy = on_to_copy = on_clone

    def on_permute(self, name, args, kwargs, result):
        return self.new(result, "permute", args[0].i, *shape(args[1])) if args[1] else Value(args[0].i, result)

    def on_expand(self, name, args, kwargs, result):
        return self.new(result, "expand", args[0].i, *shape(result.shape))

    def on_repeat(self, name, args, kwargs, result):
        return self.new(result, "repeat", args[0].i, *shape(args[1]))

    def on_flip(self, name, args, kwargs, result):
        return self.new(result, "flip", args[0].i, *shape(args[1])) if args[1] else Value(args[0].i, result)

    def on_slice(self, name, args, kwargs, result):
        x, dim, start, stop, step = (list(args) + [0, None, None, 1])[:5] if len(args) < 2 else (list(args) + [None, None, 1][len(args) - 2 :])[:5]
        return self.new(result, "slice", x.i, dim, start or 0, 2**62 if stop is None else min(stop, 2**62), step)

    def on_select(self, name, args, kwargs, result):
        return self.new(result, "select", args[0].i, *args[1:3])

    def on_cat(self, name, args, kwargs, result):
        parts = [v for v in args[0] if (v.sample if isinstance(v, Value) else v).dim() != 1 or (v.sample if isinstance(v, Value) else v).numel()]
        dim = args[1] if len(args) > 1 else kwargs.get("dim", 0)
        return self.new(result, "cat", len(parts), *[self.p.real(v) for v in parts], dim)

    def on_split_with_sizes(self, name, args, kwargs, result):
        x, sizes = args[:2]
        dim, start, parts = args[2] if len(args) > 2 else 0, 0, []
        for size, part in zip(sizes, result):
            parts.append(self.new(part, "slice", x.i, dim, start, start + size, 1))
            start += size
        return parts

    def on_index_select(self, name, args, kwargs, result):
        if args[0].sample.dim() == 0:
            return self.new(result, "reshape", args[0].i, *shape(result.shape))
        return self.new(result, "index_select", args[0].i, args[1], self.p.of(args[2].reshape(-1)))

    def on_gather(self, name, args, kwargs, result):
        if args[0].sample.dim() == 0:
            return self.new(result, "reshape", args[0].i, *shape(result.shape))
        return self.new(result, "gather", args[0].i, args[1], self.p.of(args[2]))

    def on_scatter_add(self, name, args, kwargs, result):
        x, dim, index, source = args
        if index.dim() == 0:
            return self.new(result, "add", self.p.real(x), self.p.real(source))
        part = self.p.real(source)
        for d, size in enumerate(index.shape):
            part = self.p.add("slice", part, d, 0, size, 1)
        return self.new(result, "scatter_add", self.p.real(x), dim, self.p.of(index), part)

    def on_hypot(self, name, args, kwargs, result):
        a, b = (self.p.add("square", self.p.real(v)) for v in args)
        return self.new(result, "sqrt", self.p.add("add", a, b))

    def on_unbind_copy(self, name, args, kwargs, result):
        dim = args[1] if len(args) > 1 else 0
        return [self.new(part, "select", args[0].i, dim, i) for i, part in enumerate(result)]

    on_unbind = on_unbind_copy

    def on_index_add(self, name, args, kwargs, result):
        x, dim, index, source = args[:4]
        return self.new(result, "index_add", self.p.real(x), dim, self.p.of(index), self.scaled(self.p.real(source), kwargs.get("alpha", 1)))

    def on_index_put(self, name, args, kwargs, result):
        if not (args[3] if len(args) > 3 else kwargs.get("accumulate", False)):
            return self.move(Call(aten.index_put.default), args, kwargs, result)
        x = args[0].sample if isinstance(args[0], Value) else args[0]
        at = aten.index.Tensor(torch.arange(x.numel()).reshape(x.shape), args[1])
        flat = self.p.add("reshape", self.p.real(args[0]), 1, x.numel())
        source = self.p.add("reshape", self.p.add("expand", self.p.real(args[2]), *shape(at.shape)), 1, at.numel())
        y = self.p.add("index_add", flat, 0, self.p.of(at.reshape(-1)), source)
        return self.new(result, "reshape", y, *shape(result.shape))

    def on_mm(self, name, args, kwargs, result):
        return self.new(result, "matmul", self.p.real(args[0]), self.p.real(args[1]))

    on_bmm = on_mv = on_dot = on_mm

    def plus_product(self, args, kwargs, result, op="matmul"):
        y = self.p.add(op, self.p.real(args[1]), self.p.real(args[2]))
        y = self.scaled(y, kwargs.get("alpha", 1))
        return self.new(result, "add", self.scaled(self.p.real(args[0]), kwargs.get("beta", 1)), y)

    def on_addmm(self, name, args, kwargs, result):
        return self.plus_product(args, kwargs, result)

    on_addmv = on_baddbmm = on_addmm

    def on_addbmm(self, name, args, kwargs, result):
        y = self.p.add("sum", self.p.add("matmul", self.p.real(args[1]), self.p.real(args[2])), 1, 0, 0)
        y = self.scaled(y, kwargs.get("alpha", 1))
        return self.new(result, "add", self.scaled(self.p.real(args[0]), kwargs.get("beta", 1)), y)

    def on_softmax(self, name, args, kwargs, result):
        return self.rowwise("softmax", args, result)

    def on_log_softmax(self, name, args, kwargs, result):
        return self.rowwise("log_softmax", args, result)

    def rowwise(self, op, args, result):
        if args[0].sample.dim() == 0:
            one = self.p.add("reshape", args[0].i, 1, 1)
            return self.new(result, "reshape", self.p.add(op, one, 0), 0)
        return self.new(result, op, args[0].i, args[1])

    def on_cumsum(self, name, args, kwargs, result):
        return Value(args[0].i, result) if args[0].sample.dim() == 0 else self.new(result, "cumsum", args[0].i, args[1])

    def on_tril(self, name, args, kwargs, result):
        return self.new(result, "tril", args[0].i, args[1] if len(args) > 1 else 0)

    def on_triu(self, name, args, kwargs, result):
        return self.new(result, "triu", args[0].i, args[1] if len(args) > 1 else 0)

    def on_sort(self, name, args, kwargs, result):
        if name == "sort.stable":
            dim, descending = kwargs.get("dim", -1), kwargs.get("descending", False)
        else:
            dim, descending = (list(args[1:]) + [-1, False][len(args) - 1 :])[:2]
        return self.sorted_values(args[0], dim, descending, result)

    def on_topk(self, name, args, kwargs, result):
        x, k, dim, largest, ordered = (list(args) + [None, -1, True, True][len(args) - 1 :])[:5]
        if x.sample.dim() == 0:
            return Value(x.i, result[0]), result[1]
        return self.new(result[0], "topk", x.i, k, dim, int(largest)), result[1]

    def on_elu(self, name, args, kwargs, result):
        x, alpha, scale, input_scale = (list(args) + [1, 1, 1][len(args) - 1 :])[:4]
        y = self.p.add("elu", self.scaled(x.i, input_scale), alpha * (1 if input_scale == 1 else 1))
        return Value(self.scaled(y, scale), result)

    def on_leaky_relu(self, name, args, kwargs, result):
        return self.new(result, "leaky_relu", args[0].i, args[1] if len(args) > 1 else 0.01)

    def on_gelu(self, name, args, kwargs, result):
        return self.new(result, "gelu_tanh" if kwargs.get("approximate") == "tanh" else "gelu", args[0].i)

    def on_native_layer_norm(self, name, args, kwargs, result):
        return self.layer_norm(args, result)

    def on_native_group_norm(self, name, args, kwargs, result):
        x, weight, bias, n, c, hw, groups, eps = args
        if not isinstance(x, Value):
            x = Value(self.p.of(x), x)
        y = self.norm_of_groups(x, weight, bias, groups, eps, result[0])
        rows = Value(self.p.add("reshape", x.i, 3, n, groups, x.sample.numel() // (n * groups)), None)
        mean, rstd = self.statistics(rows, [2], eps)
        return (y, *[self.new(s, "reshape", v, *shape(s.shape)) for v, s in zip((mean, rstd), result[1:])])

    def on_native_batch_norm(self, name, args, kwargs, result):
        x, weight, bias, mean, var, training, momentum, eps = args
        return self.batch_norm(x, weight, bias, mean, var, training, eps, result)

    on_native_batch_norm_legit_functional = on_native_batch_norm

    def on_native_batch_norm_legit(self, name, args, kwargs, result):
        if len(args) == 8:
            return self.on_native_batch_norm(name, args, kwargs, result)
        x, weight, bias, training, momentum, eps = args
        return self.batch_norm(x, weight, bias, None, None, training, eps, result)

    def on_convolution(self, name, args, kwargs, result):
        return self.convolution(args, result)

    def on_max_pool2d_with_indices(self, name, args, kwargs, result):
        return self.max_pool(args, result)

    on_max_pool3d_with_indices = on_max_pool2d_with_indices

    def on_embedding(self, name, args, kwargs, result):
        return self.new(result, "embedding", args[0].i, self.p.of(args[1]))


class Call:
    def __init__(self, target):
        self.target = target


# ATen's names of operations of one and of two tensors: those that this library's table shares, and read_table's others
UNARY = {"bitwise_not": "logical_not"}
BINARY = dict(fmax="maximum", fmin="minimum", bitwise_and="logical_and", bitwise_or="logical_or")
LOGICAL = {"logical_and", "logical_or", "bitwise_and", "bitwise_or", "logical_not", "bitwise_not"}
SHAPED = {"full_like", "zeros_like", "ones_like", "empty_like", "new_zeros", "new_ones", "new_full", "new_empty"}
WHOLE = {"floor", "ceil", "trunc", "round"}
MOVES = set("""index constant_pad_nd diagonal unfold as_strided roll diagonal_copy select_scatter slice_scatter
    diagonal_scatter as_strided_scatter masked_scatter index_copy scatter masked_select put take pixel_shuffle unfold_copy
    pixel_unshuffle as_strided_copy index_fill reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d
    replication_pad2d replication_pad3d median nanmedian kthvalue mode msort _unsafe_index cummax cummin im2col
    channel_shuffle to_sparse max_unpool2d max_unpool3d copy fill renorm""".split()) - {"renorm", "to_sparse"}
RANDOM = set("""bernoulli native_dropout rand randn randperm normal rand_like randn_like _fused_dropout
    rrelu_with_noise rrelu_with_noise_functional""".split())


def read_table(words):
    """What opinfo says of the library's operations: a name and its types in turn."""
    for name, types in zip(words[::2], words[1::2]):
        if hasattr(aten, name) and not hasattr(Translator, "on_" + name) and name not in ("detach", "contiguous"):
            {"x": UNARY, "xx": BINARY}.get(types, {})[name] = name


def translate(graph, inputs):
    """The program of a traced graph, its outputs (value or None), and the outputs at the sample."""
    program = Program()
    translator = Translator(program)
    env, at = {}, {}
    leaves = iter(inputs)
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            x = next(leaves)
            env[node] = Value(program.tensor("leaf", x), x)
        elif node.op == "get_attr":
            env[node] = getattr(graph, node.target)
        elif node.op == "output":
            return program, pytree.tree_map(lambda n: env.get(n, n), node.args[0], is_leaf=lambda n: n in env if hasattr(n, "op") else False)
        else:
            args, kwargs = pytree.tree_map(lambda v: env[v] if isinstance(v, torch.fx.Node) else v, (node.args, node.kwargs))
            flat = pytree.tree_leaves((args, kwargs))
            plain = pytree.tree_map(lambda v: v.sample if isinstance(v, Value) else v, (args, kwargs))
            if node.target is operator.getitem:
                env[node] = args[0][args[1]]
                continue
            result = node.target(*plain[0], **plain[1])
            depends = any(isinstance(v, Value) for v in flat)
            env[node] = translator.call(node, list(args), kwargs, result) if depends else result
    raise Skip("no output")


# ---- one sample ----


class Sample:
    def __init__(self, op, sample):
        self.op, self.sample = op, sample
        self.flat, self.spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
        self.at = [i for i, v in enumerate(self.flat) if isinstance(v, torch.Tensor) and v.requires_grad]
        self.inputs = [self.flat[i].detach().clone() for i in self.at]

    def __call__(self, *xs, spoil=0):
        flat = list(self.flat)
        for k, (i, x) in enumerate(zip(self.at, xs)):
            flat[i] = Spoil.apply(x, spoil) if spoil and k == 0 else x.clone()
        a, args, kwargs = pytree.tree_unflatten(flat, self.spec)
        out = self.op.gradcheck_wrapper(self.op.get_op(), a, *args, **kwargs)
        if self.sample.output_process_fn_grad:
            out = self.sample.output_process_fn_grad(out)
        return tuple(o for o in pytree.tree_leaves(out) if isinstance(o, torch.Tensor))

    def leaves(self):
        return [x.clone().requires_grad_() for x in self.inputs]


def our_program(sample):
    xs = sample.inputs
    if not xs:
        raise Skip("no input that requires a gradient")
    if any(x.is_complex() for x in xs):
        raise Skip("complex numbers")
    if any(x.layout != torch.strided for x in xs):
        raise Skip("sparse tensors")
    if any(x.dtype != torch.float64 for x in xs):
        raise Skip("another dtype than float64")
    outs = sample(*sample.leaves())
    which = [i for i, o in enumerate(outs) if o.requires_grad and o.dtype == torch.float64]
    if any(o.is_complex() for o in outs):
        raise Skip("complex numbers")
    if not which:
        raise Skip("no differentiable result in float64")
    if sum(outs[i].numel() for i in which) == 0 or xs[0].numel() == 0:
        raise Skip("no elements")
    if any(x.dim() > 7 for x in (*xs, *outs)):
        raise Skip("more than 7 dims")
    with torch.no_grad():
        pure = torch.func.functionalize(lambda *x: [sample(*x)[i] for i in which])
        graph = make_fx(pure, decomposition_table=core_aten_decompositions())(*xs)
    program, values = translate(graph, xs)
    if not all(isinstance(v, Value) for v in values):
        raise Skip("a gradient of zero everywhere")
    parts = [program.add("reshape", v.i, 1, v.sample.numel()) for v in values]
    y = parts[0] if len(parts) == 1 else program.add("cat", len(parts), *parts, 0)
    return program, y, which


class Ours:
    def __init__(self, path):
        self.path, self.process = path, None
        self.start()

    def start(self):
        if self.process:
            self.process.kill()
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("opinfo ended at: " + line)
        return answer.strip()

    def load(self, program):
        self.process.stdin.write("end\n" + "\n".join(program.lines) + "\n")

    def check(self, y, mode, spoil):
        verdict, _, why = self.ask("check %d %d %d" % (y, mode, spoil)).partition(" ")
        return verdict, why


def numbers(line):
    if line.startswith("error"):
        raise Skip("this library: " + line[6:])
    return torch.tensor([float(v) for v in line.split()], dtype=torch.float64)


def same(a, b):
    return a.shape == b.shape and torch.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)


def agrees(ours, sample, y, which):
    """Do both compute the same values and gradients of the sum?"""
    xs = sample.leaves()
    outs = [sample(*xs)[i] for i in which]
    value = torch.cat([o.detach().reshape(-1) for o in outs])
    grads = torch.autograd.grad(sum(o.sum() for o in outs), xs, allow_unused=True)
    grads = torch.cat([torch.zeros_like(x).reshape(-1) if g is None else g.reshape(-1) for g, x in zip(grads, xs)])
    said = numbers(ours.ask("value %d" % y))
    if not same(said, value):
        raise Skip("translated to another function")
    return same(numbers(ours.ask("gradients %d" % y)), grads)


def first_gradient(sample, which):
    xs = sample.leaves()
    outs = [sample(*xs)[i] for i in which]
    g = torch.Generator().manual_seed(1)
    v = [torch.rand(o.shape, generator=g, dtype=o.dtype) + 0.5 for o in outs]
    grad = torch.autograd.grad(outs, xs[0], v, allow_unused=True)[0]
    return torch.zeros_like(xs[0]) if grad is None else grad


def theirs(sample, which, spoil):
    f = lambda *xs: tuple(sample(*xs, spoil=spoil)[i] for i in which)
    try:
        ok = torch.autograd.gradcheck(f, sample.leaves(), nondet_tol=sample.op.gradcheck_nondet_tol, raise_exception=False,
                                      check_undefined_grad=False, check_grad_dtypes=False)
        return "RIGHT" if ok else "WRONG"
    except Exception as e:
        return "ERROR " + type(e).__name__


# ---- all entries ----


class TooLong(Exception):
    pass


def ring(*_):
    raise TooLong()


class Tally:
    def __init__(self):
        self.skipped, self.expressed, self.checks = {}, [], []
        self.other_gradient = []


def samples_of(op):
    """Small ones first; those with the same sizes and arguments once."""
    found, seen = [], set()
    for s in op.sample_inputs("cpu", torch.float64, requires_grad=True):
        sample = Sample(op, s)
        n = sum(x.numel() for x in sample.inputs)
        key = (tuple(x.shape for x in sample.inputs), str(s.kwargs))
        if key not in seen and 0 < n:
            found.append((n, len(found), sample))
        seen.add(key)
        if len(seen) > 30:
            break
    small = [f for f in found if f[0] <= MOST_INPUT]
    found = small or sorted(found, key=lambda f: f[:2])[:1]
    step = max(1, len(found) // SAMPLES)
    chosen = found[::step][:SAMPLES] if len(found) > SAMPLES else found
    return [f[2] for f in chosen] + [f[2] for f in found if f not in chosen][: 2 * SAMPLES]


def try_sample(ours, tally, op, sample, verbose):
    program, y, which = our_program(sample)
    outs = sample(*sample.leaves())
    if sum(outs[i].numel() for i in which) * sum(x.numel() for x in sample.inputs) > MOST_PAIRS:
        raise Skip("too many elements to compare here")
    ours.load(program)
    same_gradient = agrees(ours, sample, y, which)
    if not same_gradient:
        tally.other_gradient.append(op.formatted_name)
    if "--list" in sys.argv:
        return
    g = first_gradient(sample, which)
    for spoil in range(len(SPOILS) if same_gradient else 1):
        changed = (spoilt(g, spoil) - g).abs().max().item() if spoil else 1
        if not changed > 1e-6 * max(1, g.abs().max().item()):
            continue
        row = [op.formatted_name, spoil, theirs(sample, which, spoil), *ours.check(y, 0, spoil), *ours.check(y, 1, spoil)]
        tally.checks.append(row)
        if verbose:
            print(*row, sep=" | ", flush=True)


def try_entry(ours, tally, op, verbose):
    reason, done = "no sample inputs", 0
    signal.alarm(SECONDS)
    try:
        for sample in samples_of(op):
            try:
                torch.manual_seed(7)
                try_sample(ours, tally, op, sample, verbose)
                done += 1
            except Skip as e:
                reason = str(e)
            if done == SAMPLES:
                break
    except TooLong:
        reason = "takes longer than %d s" % SECONDS
        ours.start()  # an answer may be under way
    except Exception as e:
        reason = "%s: %s" % (type(e).__name__, str(e).split("\n")[0][:90])
    finally:
        signal.alarm(0)
    if verbose:
        print(op.formatted_name, "expressed" if done else "skipped: " + reason, sep=" | ", flush=True)
    if done:
        tally.expressed.append(op.formatted_name)
    else:
        tally.skipped[op.formatted_name] = reason


def report(tally, entries):
    print("entries in OpInfo: %d; expressed here: %d; skipped: %d" % (entries, len(tally.expressed), len(tally.skipped)))
    by_reason = collections.defaultdict(list)
    for name, reason in tally.skipped.items():
        by_reason[reason].append(name)
    for reason, names in sorted(by_reason.items(), key=lambda r: -len(r[1])):
        print("  %3d %s: %s" % (len(names), reason, " ".join(names)))
    if tally.other_gradient:
        print("gradients differ from PyTorch's (at a kink, where both may be right): " + " ".join(sorted(set(tally.other_gradient))))
    print("\n%-20s %7s | %27s | %27s | %27s" % ("gradient of the first input", "checks", "PyTorch: right wrong error", "full: right kink ? wrong ref.", "fast: right kink ? wrong ref."))
    for spoil, name in enumerate(SPOILS):
        rows = [r for r in tally.checks if r[1] == spoil]
        them = collections.Counter(r[2].split()[0] for r in rows)
        full, fast = collections.Counter(r[3] for r in rows), collections.Counter(r[5] for r in rows)
        words = ("RIGHT", "KINK", "CANNOT_TELL", "WRONG", "REFUSED")
        print("%-20s %14d | %13d %6d %6d | %s | %s" % (name, len(rows), them["RIGHT"], them["WRONG"], them["ERROR"],
              " ".join("%5d" % full[w] for w in words), " ".join("%5d" % fast[w] for w in words)))
    bad = 0
    for name, spoil, them, full, why, fast, why_fast in tally.checks:
        for mode, verdict, reason in (("full", full, why), ("fast", fast, why_fast)):
            failed = verdict == "WRONG" if spoil == 0 else verdict in ("RIGHT", "KINK")
            correct = them == ("RIGHT" if spoil == 0 else "WRONG")
            bad += failed and correct and mode == "full"
            if failed:
                print("%s, %s, %s: %s, PyTorch %s: %s" % (name, SPOILS[spoil], mode, verdict, them, reason))
            elif verdict in ("CANNOT_TELL", "REFUSED") and spoil == 0:
                print("%s, right, %s: %s, PyTorch %s: %s" % (name, mode, verdict, them, reason))
    for name, spoil, them, full, why, fast, why_fast in tally.checks:
        if spoil == 0 and them != "RIGHT":
            print("%s, right: PyTorch says %s, full %s" % (name, them, full))
    print("\nours worse than PyTorch (full): %d" % bad)
    return bad


def main():
    names = [a for a in sys.argv[2:] if not a.startswith("--")]
    verbose = "--verbose" in sys.argv
    ours, tally = Ours(sys.argv[1]), Tally()
    read_table(ours.ask("operations").split())
    signal.signal(signal.SIGALRM, ring)
    entries = [op for op in op_db if op.supports_autograd and op.supports_dtype(torch.float64, "cpu")]
    entries = [op for op in entries if not names or op.formatted_name in names]
    for op in entries:
        try_entry(ours, tally, op, verbose)
        if ours.process.poll() is not None:
            print("opinfo ended at", op.formatted_name)
            ours.start()
    sys.exit(1 if report(tally, len(entries)) else 0)


main()
