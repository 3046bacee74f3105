"""The rows, in the order of the table. A new row is a `Row` in one of these modules, or a module more."""

from row import Bench, Row
from rows import csv_files, designs, in_memory, one_call, parquet_files


def all_rows(bench: Bench) -> list[Row]:
    return [row for module in (in_memory, one_call, parquet_files, csv_files, designs) for row in module.rows(bench)]
