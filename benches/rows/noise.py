"""Exact discrete Laplace noise on a column of integers in memory: certified noise against OpenDP's vector call."""

from pathlib import Path

from row import Bench, Row, Side, Step, flags

LIMIT = 60.0
REPETITIONS = 9


def rows(bench: Bench) -> list[Row]:
    return [row(bench, "1", wanted=50.0), row(bench, "0.1", wanted=50.0)]


def row(bench: Bench, epsilon: str, wanted: float) -> Row:
    records = bench.records(10**6)
    column = bench.data / f"integers-{records}.i64"
    return Row(
        name=f"noise-opendp-{epsilon}",
        instance=f"{records:,} integers below 10^6 in memory, discrete Laplace noise, sensitivity 1, ε = {epsilon}; "
        "numpy PCG64 seed 1",
        limit=LIMIT,
        steps=(Step(column, bench.peer("noise_column", records, column)),),
        ours=ours(bench, column, epsilon),
        peer=opendp(bench, column, epsilon),
        wanted=wanted,
    )


def ours(bench: Bench, column: Path, epsilon: str) -> Side:
    target = column.with_suffix(f".ours-{epsilon}")
    asked = flags(input=column, output=target, epsilon=epsilon, seed=1, threads=1, repetitions=REPETITIONS)
    check = bench.peer("noise_released", column, target, epsilon)
    return Side("Lookalike, one thread", (bench.driver, "noise", *asked), check=check)


def opendp(bench: Bench, column: Path, epsilon: str) -> Side:
    target = column.with_suffix(f".opendp-{epsilon}")
    return Side(
        f"{bench.version('opendp')}, make_laplace over a vector, one call",
        bench.peer("noise_opendp", column, target, epsilon),
        check=bench.peer("noise_released", column, target, epsilon),
    )
