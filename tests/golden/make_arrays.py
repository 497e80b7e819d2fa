"""Writes arrays.h: arrays as numpy.save writes them, and the numbers in them. Run: python3 make_arrays.py > arrays.h"""
import io

import numpy as np

a = np.arange(6).reshape(2, 3)
special = [0.1, -2.5, np.inf, -np.inf, np.nan, 65504, 6e-8, -0.0]
ARRAYS = {  # those that a tape can have
    "f4": (a / 3).astype("<f4"), "f8": a / 7, "f2": np.array(special, "<f2"), "f8 special": np.array(special),
    "big-endian f4": (a / 3).astype(">f4"), "big-endian f8": (a / 7).astype(">f8"), "big-endian f2": np.array(special, ">f2"),
    "i1": np.array([-128, 127, 0, -1], "i1"), "u1": np.array([255, 128, 0], "u1"),
    "i2": np.array([-32768, 32767], "<i2"), "u2": np.array([65535, 1], "<u2"), "big-endian i2": np.array([-2, 258], ">i2"),
    "i4": np.array([-2**31, 2**31 - 1], "<i4"), "u4": np.array([2**32 - 1, 7], "<u4"), "i8": a - 3,
    "big-endian i8": np.array([-2**53, 2**53 - 1, 258], ">i8"), "u8": np.array([2**53, 0], "<u8"),
    "b1": np.array([[True, False, True]]), "scalar": np.array(2.5), "scalar i8": np.array(-7), "empty": np.zeros((0, 3), "f4"),
    "Fortran": np.asfortranarray(np.arange(24).reshape(2, 3, 4) / 8), "Fortran i4": np.asfortranarray(a.astype(">i4")),
    "Fortran b1": np.asfortranarray(a % 2 == 0), "8 dims": np.arange(4.0).reshape(1, 1, 2, 1, 1, 2, 1, 1),
    "largest sizes": np.zeros((1000, 100, 100, 100, 1000, 1000, 1000, 0)),
}
REFUSED = {
    "9 dims": np.zeros((1,) * 9), "complex": np.zeros(2, "c8"), "text": np.array(["ab"]), "records": np.zeros(2, [("x", "f4"), ("y", "i4")]),
    "u8 too large": np.array([1, 2**63], "u8"), "long double": np.zeros(2, np.longdouble), "time": np.zeros(2, "M8[s]"),
}


def saved(array, version=None):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


def entry(name, array, data, values):
    x = array.astype("f8").flatten().tolist() if values else []
    text = ", ".join("NAN" if v != v else "INFINITY" if v == np.inf else "-INFINITY" if v == -np.inf else repr(v) for v in x)
    print('    {"%s", %d, (const unsigned char[]){%s}, \'%s\', %d, {%s}, %d, (const double[]){%s}},' % (
        name, len(data), ", ".join(map(str, data)), array.dtype.kind, array.ndim,
        ", ".join(map(str, array.shape[:8] or (0,))), array.size, text or "0"))


print("/* Written by make_arrays.py with NumPy %s. */" % np.__version__)
print("#include <math.h>\n#include <stddef.h>\n#include <stdint.h>\n")
print("typedef struct saved_array {\n    const char *name;\n    size_t bytes;\n    const unsigned char *file;\n    char kind;\n    int ndim;\n    int64_t size[8], n;\n    const double *value;\n} saved_array;")
print("static const saved_array arrays[] = {")
for name, array in ARRAYS.items():
    entry(name, array, saved(array), True)
entry("version 2", ARRAYS["f4"], saved(ARRAYS["f4"], (2, 0)), True)
entry("version 3", ARRAYS["i8"], saved(ARRAYS["i8"], (3, 0)), True)
print("};\nstatic const saved_array refused_arrays[] = {")
for name, array in REFUSED.items():
    entry(name, array, saved(array), False)
print("};")
