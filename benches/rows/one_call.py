"""Libraries that privatize one record a call, for comparison: k-ary randomized response, 16 categories."""

from row import Bench, Row, Side
from rows import in_memory

LIMIT = 90.0


def rows(bench: Bench) -> list[Row]:
    return [
        row(bench, "opendp", "make_randomized_response, one call a record", 50_000),
        row(bench, "multi-freq-ldpy", "GRR_Client (compiled by numba), one call a record", 500_000),
    ]


def row(bench: Bench, package: str, call: str, records: int) -> Row:
    calls, ours = bench.records(records, 20_000), bench.records(10**7)
    instance = f"randomized response, d = 16, p = 1/2; {calls:,} uniform values, numpy PCG64 seed 1"
    return Row(
        name=f"one-call-{package}",
        instance=f"{instance}; Lookalike: {in_memory.describe(16, 'keep', ours)}",
        limit=LIMIT,
        ours=in_memory.sampler(bench, 16, "keep", ours),
        peer=Side(f"{bench.version(package)}, {call}", bench.peer("one_call", package, calls)),
        same_records=False,
    )
