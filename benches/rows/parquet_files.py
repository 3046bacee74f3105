"""Parquet in, Parquet out: the command against DuckDB on the same file."""

from row import Bench, Row, Side, Step

LIMIT = 120.0
MEMORY = 400


def rows(bench: Bench) -> list[Row]:
    long, short = bench.records(50_000_000), bench.records(5_000_000, 50_000)
    copy = bench.peer("duckdb_response", source(bench, long), target(bench, long, "duckdb"))
    peer = Side(
        f"{bench.version('duckdb')}, threads=1, CASE WHEN random() < k THEN value ELSE labels[…] END, COPY TO",
        copy,
        repetitions=3,
        check=check(bench, long, "duckdb"),
    )
    common = {"limit": LIMIT, "steps": (generate(bench, long), generate(bench, short))}
    return [
        Row("parquet-duckdb", describe(long), ours=privatize(bench, long, 1), peer=peer, wanted=1.0, **common),
        Row("parquet-memory-short", describe(short), ours=privatize(bench, short, 1), memory_below=MEMORY, **common),
        Row("parquet-memory-long", describe(long), ours=privatize(bench, long, 1), memory_below=MEMORY, **common),
        Row(
            "parquet-memory-two-threads",
            describe(long) + "; two threads on two cores",
            ours=privatize(bench, long, 2),
            memory_below=MEMORY,
            **common,
        ),
        one_group(bench, long),
        *shuffled(bench),
        Row("growth-parquet-short", describe(short), ours=privatize(bench, short, 1), growth=True, **common),
        Row("growth-parquet-long", describe(long), ours=privatize(bench, long, 1), growth=True, **common),
    ]


def one_group(bench: Bench, records: int) -> Row:
    """The worst shape for a reader that takes a group at a time."""
    path = bench.data / f"records-{records}-one-group.parquet"
    return Row(
        "parquet-memory-one-group",
        describe(records, "one row group"),
        limit=LIMIT,
        steps=(Step(path, bench.peer("generate", records, path, "one-group")),),
        ours=privatize(bench, f"{records}-one-group", 1),
        memory_below=MEMORY,
    )


def shuffled(bench: Bench) -> list[Row]:
    """Rows in a random order: what waits on disk does not count as memory, and takes at most as long again."""
    records = bench.records(10**8)
    instance = describe(records) + "; --shuffle"
    common = {"limit": LIMIT, "steps": (generate(bench, records),)}
    ours = privatize(bench, records, 1, ("--shuffle",))
    plain = privatize(bench, records, 1, label="Lookalike without --shuffle")
    return [
        Row("parquet-shuffle", instance, ours=ours, peer=plain, wanted=0.5, **common),
        Row("parquet-shuffle-memory", instance, ours=ours, memory_below=MEMORY, **common),
    ]


def privatize(
    bench: Bench, records: int | str, threads: int, extra: tuple[str, ...] = (), label: str | None = None
) -> Side:
    name = "-".join(["lookalike", str(threads), *(word.strip("-") for word in extra)])
    options = ("--seed", "1", "--threads", str(threads), "--force", "--quiet", "--json", *extra)
    files = (str(bench.data / "mechanism.json"), source(bench, records), "-o", target(bench, records, name))
    return Side(
        label or f"Lookalike, --threads {threads}",
        (bench.cli, "privatize", *files, *options),
        whole_process=True,
        repetitions=3,
        check=check(bench, records, name, "shuffled" if "--shuffle" in extra else "released"),
        cores=threads,
    )


def generate(bench: Bench, records: int) -> Step:
    path = bench.data / f"records-{records}.parquet"
    return Step(path, bench.peer("generate", records, path))


def check(bench: Bench, records: int | str, name: str, script: str = "released") -> tuple[str, ...]:
    return bench.peer(script, source(bench, records), target(bench, records, name))


def source(bench: Bench, records: int | str) -> str:
    return str(bench.data / f"records-{records}.parquet")


def target(bench: Bench, records: int | str, name: str) -> str:
    return str(bench.data / f"released-{records}-{name}.parquet")


def describe(records: int, groups: str = "row groups of 1,048,576") -> str:
    return (
        f"{records:,} rows of Parquet, texts profile and value, 16 of each, numpy PCG64 seed 1; "
        f"dictionary, snappy, {groups}; randomized response by profile"
    )
