"""Checks a released file against the records it came from: as many rows, one column, and the right law.

    released.py INPUT OUTPUT    (both Parquet or both CSV)

Rows keep their order, so the law is checked for each profile and value, on the first million rows; for Parquet also
that codec and size of row groups are those of the input, as a side that compresses less would have less to do.
"""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv
import pyarrow.parquet

import law
import response

CHECKED = 1 << 20


def batches(path: Path) -> Iterator[pa.RecordBatch]:
    if path.suffix == ".csv":
        yield from pa.csv.open_csv(path)
    else:
        yield from pa.parquet.ParquetFile(path).iter_batches(CHECKED)


def head(path: Path) -> pa.Table:
    """At least the first million rows, or all."""
    taken, count = [], 0
    for batch in batches(path):
        taken.append(batch)
        count += len(batch)
        if count >= CHECKED:
            break
    return pa.Table.from_batches(taken).slice(0, CHECKED)


def length(path: Path) -> int:
    if path.suffix == ".csv":
        return sum(len(batch) for batch in batches(path))
    return pa.parquet.ParquetFile(path).metadata.num_rows


def layout(path: Path) -> tuple[str, int]:
    """Codec and rows of the first group."""
    metadata = pa.parquet.ParquetFile(path).metadata
    group = metadata.row_group(0)
    return group.column(0).compression, group.num_rows


def codes(column: pa.ChunkedArray, names: list[str]) -> np.ndarray:
    found = pa.compute.index_in(column.cast(pa.string()), pa.array(names))
    if found.null_count:
        raise SystemExit("a text that is none of the categories")
    return found.to_numpy()


def main() -> None:
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    if length(source) != length(target):
        raise SystemExit(f"{length(target)} rows released of {length(source)}")
    records, released = head(source), head(target)
    if released.column_names != ["value"]:
        raise SystemExit(f"columns {released.column_names}, expected value alone")
    if source.suffix == ".parquet" and layout(source) != layout(target):
        raise SystemExit(f"codec and rows of a group are {layout(target)}, expected {layout(source)}")
    laws = np.array(list(itertools.chain.from_iterable(response.channel(at) for at in range(response.SIZE))))
    cells = codes(records["profile"], response.PROFILES) * response.SIZE + codes(records["value"], response.VALUES)
    if not law.agrees(laws, cells, codes(released["value"], response.VALUES)):
        raise SystemExit("released values do not follow the law of their profiles")


if __name__ == "__main__":
    main()
