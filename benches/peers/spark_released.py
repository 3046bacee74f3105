"""Checks what a job on Spark wrote against the records it came from: as many rows, one column, and the right shares.

    spark_released.py SOURCE FOLDER

Spark reads the parts of a file in an order of its own, so rows are not compared one by one: each output must be as frequent as
all the records together make it.
"""

import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pyarrow.dataset

import response


def counts(path: str, names: list[str]) -> Counter:
    found: Counter = Counter()
    for batch in pyarrow.dataset.dataset(path, format="parquet").to_batches(columns=names):
        grouped = pyarrow.Table.from_batches([batch]).group_by(names).aggregate([([], "count_all")])
        for row in grouped.to_pylist():
            found[tuple(row[name] for name in names)] += row["count_all"]
    return found


def main() -> None:
    source, target = sys.argv[1:]
    columns = pyarrow.dataset.dataset(sorted(map(str, Path(target).glob("*.parquet"))), format="parquet").schema.names
    if columns != ["value"]:
        raise SystemExit(f"columns {columns}, expected value alone")
    records, released = counts(source, ["profile", "value"]), counts(target, ["value"])
    total = records.total()
    if released.total() != total:
        raise SystemExit(f"{released.total()} rows released of {total}")
    expected = [0.0] * response.SIZE
    for (profile, value), count in records.items():
        place = response.PROFILES.index(profile)
        for output, share in enumerate(response.channel(place)[response.VALUES.index(value)]):
            expected[output] += count * share
    for output, mean in zip(response.VALUES, expected):
        share = Fraction(released[(output,)], total)
        # Six standard deviations of a binomial count, which is wider than the sum of the records' own.
        if abs(released[(output,)] - mean) > 6 * (mean * (1 - float(share))) ** 0.5:
            raise SystemExit(f"{output} was released {released[(output,)]} times, expected about {mean:.0f}")


if __name__ == "__main__":
    main()
