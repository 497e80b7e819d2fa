"""Writes tests/golden/multinomial.h: the class numbers that PyTorch draws, and the uniform number that follows them.

    python3 tests/golden/make_multinomial.py > tests/golden/multinomial.h
"""
import torch

print("/* Made by tests/golden/make_multinomial.py with PyTorch %s. Row r of the probabilities is (37 r + 11 c) %% 9 / 8 for"
      % torch.__version__.split("+")[0])
print(" * class c; case by case the numbers drawn stand one behind the other. */")
print("/* clang-format off */")
cases, drawn = [], []
for seed in (0, 7, 123):
    for dtype, name in ((torch.float32, "TG_F32"), (torch.float64, "TG_F64")):
        for rows, classes, n, again in ((0, 5, 1, False), (0, 12, 8, True), (3, 10, 1, True), (2, 40, 6, False), (4, 300, 9, True),
                                        (5, 1000, 1, False)):
            r, c = torch.arange(max(rows, 1)).unsqueeze(1), torch.arange(classes)
            p = ((37 * r + 11 * c) % 9 / 8).to(dtype)
            torch.manual_seed(seed)
            i = torch.multinomial(p if rows else p[0], n, again)
            after = torch.rand((), dtype=torch.float64).item()
            cases.append(f"    {{{seed}, {name}, {rows}, {classes}, {n}, {str(again).lower()}, {len(drawn)}, {after.hex()}}},")
            drawn += i.flatten().tolist()
print("static const struct multinomial_golden {")
print("    uint64_t seed;\n    tg_dtype dtype;\n    int64_t rows, classes, n;\n    bool replacement;\n    int first;\n    double after;")
print("} multinomial_golden[] = {\n" + "\n".join(cases) + "\n};")
print("static const int64_t multinomial_drawn[] = {")
for k in range(0, len(drawn), 20):
    print("    " + ", ".join(map(str, drawn[k:k + 20])) + ",")
print("};")
