"""Writes tests/golden/npy.h: arrays as numpy.save writes them.

usage: python3 tests/golden/make_npy.py > tests/golden/npy.h
"""
import io

import numpy as np

arrays = {
    "uint16": np.array([1, 0, 2, 65535], np.uint16),
    "int64": np.array([[5, 4, 3], [2, 1, 0]], np.int64),
    "uint8": np.array([7], np.uint8),
    "float32": np.array([1, 2], np.float32),
    "big_endian": np.array([1, 2], ">u2"),
    "negative": np.array([1, -1], np.int32),
}
print("/* Made by tests/golden/make_npy.py with NumPy %s. */" % np.__version__)
for name, array in arrays.items():
    file = io.BytesIO()
    np.save(file, array)
    print("static const unsigned char npy_%s[] = {%s};" % (name, ", ".join(map(str, file.getvalue()))))
