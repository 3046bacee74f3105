"""CSV in, CSV out: the command against the `csv` crate that reads and writes the same columns and draws nothing."""

from row import Bench, Row, Side, Step, flags

LIMIT = 60.0
MEMORY = 400


def rows(bench: Bench) -> list[Row]:
    long, short = bench.records(10_000_000), bench.records(1_000_000, 10_000)
    common = {"limit": LIMIT, "steps": (generate(bench, long), generate(bench, short))}
    return [
        Row("csv-crate", describe(long), ours=privatize(bench, long), peer=copy(bench, long), wanted=0.5, **common),
        Row("csv-memory-short", describe(short), ours=privatize(bench, short), memory_below=MEMORY, **common),
        Row("csv-memory-long", describe(long), ours=privatize(bench, long), memory_below=MEMORY, **common),
        Row("growth-csv-short", describe(short), ours=privatize(bench, short), growth=True, **common),
        Row("growth-csv-long", describe(long), ours=privatize(bench, long), growth=True, **common),
    ]


def privatize(bench: Bench, records: int) -> Side:
    target = str(bench.data / f"released-{records}.csv")
    options = ("--seed", "1", "--threads", "1", "--force", "--quiet", "--json")
    return Side(
        "Lookalike, --threads 1",
        (bench.cli, "privatize", str(bench.data / "mechanism.json"), source(bench, records), "-o", target, *options),
        whole_process=True,
        repetitions=3,
        check=bench.peer("released", source(bench, records), target),
    )


def copy(bench: Bench, records: int) -> Side:
    target = str(bench.data / f"copied-{records}.csv")
    asked = flags(input=source(bench, records), output=target, column="value")
    label = "the csv crate 1.4, ByteRecord: reads both columns, writes value"
    return Side(label, (bench.driver, "csv", *asked), whole_process=True, repetitions=3)


def generate(bench: Bench, records: int) -> Step:
    path = bench.data / f"records-{records}.csv"
    return Step(path, bench.peer("generate", records, path))


def source(bench: Bench, records: int) -> str:
    return str(bench.data / f"records-{records}.csv")


def describe(records: int) -> str:
    return (
        f"{records:,} rows of CSV, texts profile and value, 16 of each, numpy PCG64 seed 1; "
        "randomized response by profile"
    )
