"""The library for devices: the time of a draw, and what it adds to a program in C."""

from row import Bench, Row, Side, flags

RECORDS = 10**6
LIMIT = 60.0


def rows(bench: Bench) -> list[Row]:
    return [draw(bench, "rows"), draw(bench, "keep"), size(bench)]


def draw(bench: Bench, form: str) -> Row:
    records = bench.records(RECORDS)
    asked = flags(size=16, profiles=2, form=form, records=records, seed=1, repetitions=9)
    return Row(
        name=f"device-draw-{form}",
        instance=f"{records:,} codes in memory, d = 16, the {form} of one profile; random channels, SplitMix64 seed 1;"
        " one call per value, words given",
        limit=LIMIT,
        ours=Side("Lookalike, Table::privatize", (bench.driver, "device", *asked)),
        nanoseconds_below=100.0,
    )


def size(bench: Bench) -> Row:
    build = "make --no-print-directory --silent device-library >&2 && make --no-print-directory --silent device-size"
    return Row(
        name="device-size",
        instance="a program in C that reads a table of 16 categories and releases a value, less one that does not; no seed",
        limit=LIMIT,
        ours=Side("Lookalike, liblookalike_device.a", ("sh", "-c", build), whole_process=True, cores=2),
        bytes_below=32 * 1024,
    )
