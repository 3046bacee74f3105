"""Writes the column of the noise rows: 64-bit integers below a million, numpy's PCG64 with seed 1.

    noise_column.py RECORDS FILE
"""

import sys
from pathlib import Path

import numpy as np


def main() -> None:
    records, path = int(sys.argv[1]), Path(sys.argv[2])
    partial = path.with_suffix(".tmp")
    np.random.Generator(np.random.PCG64(1)).integers(10**6, size=records).astype("<i8").tofile(partial)
    partial.rename(path)


if __name__ == "__main__":
    main()
