"""Writes the records of the file rows: columns profile and value, 16 distinct texts each.

    generate.py RECORDS FILE [one-group]    (.parquet or .csv; the mechanism file goes beside it)

Profiles are uniform, values follow their profile's law; numpy's PCG64 with seed 1. Parquet: dictionary-encoded, snappy,
row groups of 1,048,576 rows, or all rows in one group. The first records of a longer file are those of a shorter one.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import response

ROW_GROUP = 1 << 20
SEED = 1


def batch(rng: np.random.Generator, records: int) -> pa.Table:
    profiles = rng.integers(response.SIZE, size=records, dtype=np.int8)
    # A uniform place among 1 + 2 + … + 16 is the k-th value after the profile's own with probability ∝ 1 + k.
    steps = np.repeat(np.arange(response.SIZE, dtype=np.int8), np.arange(1, response.SIZE + 1))
    values = (profiles + steps[rng.integers(len(steps), size=records)]) % response.SIZE
    columns = {
        "profile": pa.DictionaryArray.from_arrays(profiles, response.PROFILES),
        "value": pa.DictionaryArray.from_arrays(values.astype(np.int8), response.VALUES),
    }
    return pa.table(columns)


def generate(records: int, path: Path, one_group: bool) -> None:
    rng = np.random.Generator(np.random.PCG64(SEED))
    # Under a temporary name until it is whole: a run that was stopped must not leave an instance that looks complete.
    partial = path.with_name(path.name + ".tmp")
    with open(partial, "wb") as file:
        writer, held = None, []
        for start in range(0, records, ROW_GROUP):
            table = batch(rng, min(ROW_GROUP, records - start))
            if path.suffix == ".csv":
                if start == 0:
                    file.write(b"profile,value\n")
                plain = pa.table({name: table[name].cast(pa.string()) for name in table.column_names})
                options = pa.csv.WriteOptions(include_header=False, quoting_style="none")
                pa.csv.write_csv(plain, file, options)
            else:
                writer = writer or pa.parquet.ParquetWriter(file, table.schema, compression="snappy")
                if one_group:
                    held.append(table)
                else:
                    writer.write_table(table, row_group_size=ROW_GROUP)
        if held:
            writer.write_table(pa.concat_tables(held), row_group_size=records)
        if writer:
            writer.close()
    partial.rename(path)


if __name__ == "__main__":
    target = Path(sys.argv[2])
    target.parent.mkdir(parents=True, exist_ok=True)
    response.write_mechanism(target.with_name("mechanism.json"))
    generate(int(sys.argv[1]), target, one_group="one-group" in sys.argv[3:])
