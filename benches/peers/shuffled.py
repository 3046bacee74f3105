"""Checks a released file whose rows were shuffled against the records it came from.

    shuffled.py INPUT OUTPUT    (both Parquet)

As many rows, one column, codec and size of row groups as in the input. No row can be told, so the law is checked for all
of them together: how often each value was released lies within six standard deviations of what the law of the profiles
makes of the input, and so does each value in the first row group, against its share among all rows.
"""

import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet

import response
from released import batches, codes, layout, length


def counts(path: Path, columns: list[tuple[str, list[str]]], most: int | None = None) -> np.ndarray:
    """How often each combination of these columns occurs, in the first rows or in all."""
    sizes = [len(names) for _, names in columns]
    found, seen = np.zeros(math.prod(sizes), dtype=np.int64), 0
    for batch in batches(path):
        cells = np.zeros(len(batch), dtype=np.int64)
        for name, names in columns:
            cells = cells * len(names) + codes(batch.column(name), names)
        found += np.bincount(cells, minlength=len(found))
        seen += len(batch)
        if most is not None and seen >= most:
            break
    return found.reshape(sizes)


def agree(found: np.ndarray, expected: np.ndarray, variance: np.ndarray) -> bool:
    return bool(np.all(np.abs(found - expected) <= 6 * np.sqrt(variance) + 1e-6))


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    if length(source) != length(target):
        raise SystemExit(f"{length(target)} rows released of {length(source)}")
    if layout(source) != layout(target):
        raise SystemExit(f"codec and rows of a group are {layout(target)}, expected {layout(source)}")
    if pyarrow.parquet.ParquetFile(target).schema_arrow.names != ["value"]:
        raise SystemExit("other columns than value alone")
    inputs = counts(source, [("profile", response.PROFILES), ("value", response.VALUES)])
    released = counts(target, [("value", response.VALUES)])
    laws = np.array(list(itertools.chain.from_iterable(response.channel(at) for at in range(response.SIZE))))
    cells = inputs.reshape(-1)
    if not agree(released, cells @ laws, cells @ (laws * (1 - laws))):
        raise SystemExit("released values do not follow the law of their profiles")
    first = counts(target, [("value", response.VALUES)], 1)
    share = released / released.sum()
    if not agree(first, first.sum() * share, first.sum() * share * (1 - share)):
        raise SystemExit("the first row group is unlike the others")


if __name__ == "__main__":
    main()
