"""The rows, in the order of the table. A new row is a `Row` in one of these modules, or a module more."""

from row import Bench, Row
from rows import (
    counts, csv_files, designs, device, geo, in_memory, ledger, noise, one_call, parquet_files, pufferfish, python_package, spark,
)


def all_rows(bench: Bench) -> list[Row]:
    modules = (
        in_memory, python_package, noise, one_call, device, ledger, parquet_files, csv_files, counts, pufferfish, designs, geo, spark,
    )
    return [row for module in modules for row in module.rows(bench)]
