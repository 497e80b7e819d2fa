#!/usr/bin/env python3
"""Minimax polynomials for core/kernels/simd_math.h and simd_elementary.h, printed lowest power first (Remez exchange in 50 digits).

usage: math_coefficients.py      needs mpmath
"""
from mpmath import mp, mpf, matrix, lu_solve, exp, log, tanh, atanh, erf, erfc, sqrt, sin, cos, pi

mp.dps = 50


def remez(f, weight, low, high, powers):
    """sum c[i] x^powers[i] that minimises the largest |f - p| * weight on [low, high]"""
    n = len(powers)
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    points = [middle - half * cos(pi * i / n) for i in range(n + 1)]
    for _ in range(30):
        a, b = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for r, x in enumerate(points):
            for c, power in enumerate(powers):
                a[r, c] = x**power
            a[r, n] = (-1) ** r / weight(x)
            b[r] = f(x)
        s = lu_solve(a, b)
        error = lambda x: (f(x) - sum(s[i] * x**powers[i] for i in range(n))) * weight(x)
        grid = [low + (mpf(high) - low) * i / 3000 for i in range(3001)]
        e = [error(x) for x in grid]
        peaks, last = [], None
        for x, v in zip(grid, e):
            if last is None or (v > 0) != (last > 0):
                peaks.append((abs(v), x))
                last = v
            elif abs(v) > peaks[-1][0]:
                peaks[-1] = (abs(v), x)
        if len(peaks) < n + 1:
            break
        while len(peaks) > n + 1:
            peaks.pop(0 if peaks[0][0] < peaks[-1][0] else -1)
        points = [x for _, x in peaks]
        if max(p[0] for p in peaks) < min(p[0] for p in peaks) * mpf("1.0001"):
            break
    return [s[i] for i in range(n)], max(abs(v) for v in e)


def show(name, f, weight, low, high, powers, digits):
    c, worst = remez(f, weight, mpf(low), mpf(high), powers)
    print("%s: error 2^%.1f" % (name, float(log(worst, 2))))
    print("   ", ", ".join(mp.nstr(x, digits) for x in c))


ln2 = log(mpf(2))
edge = ln2 / 2 + mpf("1e-4")
near = lambda f, x, limit: limit if abs(x) < mpf("1e-12") else f(x)
# e^r = 1 + r + r^2 p(r)
show("exp f32", lambda r: near(lambda r: (exp(r) - 1 - r) / r**2, r, mpf(1) / 2), lambda r: r * r + mpf("1e-3"), -edge, edge, range(5), 9)
show("exp f64", lambda r: near(lambda r: (exp(r) - 1 - r) / r**2, r, mpf(1) / 2), lambda r: r * r + mpf("1e-3"), -edge, edge, range(11), 18)
# ln(1 + f) = f - f^2 / 2 + f^3 p(f)
low, high = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
show("log f32", lambda f: near(lambda f: (log(1 + f) - f + f * f / 2) / f**3, f, mpf(1) / 3), lambda f: abs(f * f) + mpf("1e-4"), low, high, range(9), 9)
# tanh x = x + x^3 p(x^2)
show("tanh f32", lambda t: near(lambda t: (tanh(sqrt(t)) / sqrt(t) - 1) / t, t, -mpf(1) / 3), lambda t: t + mpf("1e-3"), 0, mpf("0.625") ** 2, range(5), 9)
# erf x = x p(x^2) and ln erfc x = p(x)
show("erf f32", lambda t: near(lambda t: erf(sqrt(t)) / sqrt(t), t, 2 / sqrt(pi)), lambda t: mpf(1), 0, mpf("0.875") ** 2, range(7), 9)
show("erfc f32", lambda x: log(erfc(x)), lambda x: erfc(x) / erf(x), mpf("0.875"), mpf(4), range(10), 9)
# Phi(x) = 1/2 + x p(x^2); Phi(-a) = e^(-a^2 / 2) t p(t), t = 1 / (1 + a / 2), where a's square makes the tail less exact
age = lambda t: 2 / t - 2
show("normal f32", lambda s: near(lambda s: erf(sqrt(s / 2)) / sqrt(s) / 2, s, 1 / sqrt(2 * pi)), lambda s: sqrt(s) + mpf("0.1"), 0, mpf("1.25") ** 2, range(6), 9)
show("normal tail f32", lambda t: exp(age(t) ** 2 / 2) * erfc(age(t) / sqrt(mpf(2))) / 2 / t, lambda t: t / (exp(age(t) ** 2 / 2) * erfc(age(t) / sqrt(mpf(2))) / 2) / (1 + age(t) ** 2 / 2), 1 / (1 + mpf("13.3") / 2), 1 / (1 + mpf("1.25") / 2), range(6), 9)
# e^r - 1 = r + r^2 p(r), right to its own size
show("expm1 f32", lambda r: near(lambda r: (exp(r) - 1 - r) / r**2, r, mpf(1) / 2), lambda r: abs(r) + mpf("1e-3"), -edge, edge, range(6), 9)
# sin r = r + r^3 p(r^2); cos r = 1 - r^2 / 2 + r^4 p(r^2), |r| <= pi / 4 and what rounding adds
quarter = mpf("0.81") ** 2
sin_part = lambda s: (sin(sqrt(s)) / sqrt(s) - 1) / s
cos_part = lambda s: (cos(sqrt(s)) - 1 + s / 2) / s**2
show("sin f32", lambda s: near(sin_part, s, -mpf(1) / 6), lambda s: s + mpf("1e-3"), 0, quarter, range(3), 9)
show("cos f32", lambda s: near(cos_part, s, mpf(1) / 24), lambda s: s**2 + mpf("1e-3"), 0, quarter, range(3), 9)
# for x^y, in double: ln m = 2 s + s^3 p(s^2), s = (m - 1) / (m + 1); 2^f = p(f)
side = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2 + mpf("1e-6")
show("pow log", lambda t: near(lambda t: (2 * atanh(sqrt(t)) / sqrt(t) - 2) / t, t, mpf(2) / 3), lambda t: t + mpf("1e-4"), 0, side, range(4), 18)
show("pow exp", lambda f: 2**f, lambda f: mpf(1), -mpf("0.5001"), mpf("0.5001"), range(7), 18)
# in double: ln m as for x^y; expm1, tanh, sin, cos as in float; erf x = x p(x^2) to 1; Phi near 0, and its tail in t - 1/3
show("log f64", lambda t: near(lambda t: (2 * atanh(sqrt(t)) / sqrt(t) - 2) / t, t, mpf(2) / 3), lambda t: t + mpf("1e-4"), 0, side, range(7), 18)
show("expm1 f64", lambda r: near(lambda r: (exp(r) - 1 - r) / r**2, r, mpf(1) / 2), lambda r: abs(r) + mpf("1e-3"), -edge, edge, range(11), 18)
show("tanh f64", lambda t: near(lambda t: (tanh(sqrt(t)) / sqrt(t) - 1) / t, t, -mpf(1) / 3), lambda t: t + mpf("1e-3"), 0, mpf("0.625") ** 2, range(12), 18)
show("sin f64", lambda s: near(sin_part, s, -mpf(1) / 6), lambda s: s + mpf("1e-3"), 0, quarter, range(6), 18)
show("cos f64", lambda s: near(cos_part, s, mpf(1) / 24), lambda s: s**2 + mpf("1e-3"), 0, quarter, range(6), 18)
show("erf f64", lambda t: near(lambda t: erf(sqrt(t)) / sqrt(t), t, 2 / sqrt(pi)), lambda t: mpf(1), 0, 1, range(13), 18)
show("normal f64", lambda s: near(lambda s: erf(sqrt(s / 2)) / sqrt(s) / 2, s, 1 / sqrt(2 * pi)), lambda s: sqrt(s) + mpf("0.1"), 0, mpf("1.25") ** 2, range(12), 18)
mp.dps, third = 60, mpf(1) / 3
phi = lambda t: exp(age(t) ** 2 / 2) * erfc(age(t) / sqrt(mpf(2))) / 2 / t
show("normal tail f64", lambda u: phi(u + third), lambda u: 1 / phi(u + third) / (1 + age(u + third) ** 2 / 8), 1 / (1 + mpf("38.6") / 2) - third, 1 / (1 + mpf("1.25") / 2) - third, range(22), 18)
