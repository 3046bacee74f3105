"""One record a call from Python, call for call: the package against libraries that take a record at a time.

A column in one call is compared with a column in one call: the rows of `noise` are about that. OpenDP and multi-freq-ldpy have
no call for a column of categories.
"""

from row import Bench, Row, Side

LIMIT = 90.0
# What a call may take, in nanoseconds.
VALUE, NUMBER = 15_000, 30_000


def rows(bench: Bench) -> list[Row]:
    return [
        response(bench, "opendp", "make_randomized_response, one call per record", 50_000, wanted=5.0),
        response(bench, "multi-freq-ldpy", "GRR_Client (compiled by numba), one call per record", 500_000),
        noise(bench),
        time_of_a_value(bench),
        time_of_a_number(bench),
    ]


def response(bench: Bench, package: str, call: str, records: int, wanted: float | None = None) -> Row:
    calls = bench.records(records, 20_000)
    return Row(
        name=f"one-call-{package}",
        instance=f"randomized response, d = 16, p = 1/2; {calls:,} uniform values, numpy PCG64 seed 1; one call per record on both sides",
        limit=LIMIT,
        ours=ours(bench, "response", "mech.privatize(value)", calls),
        peer=Side(f"{bench.version(package)}, {call}", bench.peer("one_call", "response", package, calls)),
        wanted=wanted,
    )


def noise(bench: Bench) -> Row:
    calls = bench.records(50_000, 20_000)
    return Row(
        name="one-call-noise-opendp",
        instance=f"{calls:,} integers below 10^6, discrete Laplace noise, sensitivity 1, ε = 1; numpy PCG64 seed 1; one call a number "
        "on both sides",
        limit=LIMIT,
        ours=ours(bench, "noise", "noise.add(number)", calls),
        peer=Side(
            f"{bench.version('opendp')}, make_laplace, one call a number", bench.peer("one_call", "noise", "opendp", calls)
        ),
        wanted=1.0,
    )


def time_of_a_value(bench: Bench) -> Row:
    calls = bench.records(50_000, 20_000)
    return Row(
        name="one-call-value",
        instance=f"randomized response, d = 16, p = 1/2; {calls:,} uniform values, numpy PCG64 seed 1; the time of a call",
        limit=LIMIT,
        ours=ours(bench, "response", "mech.privatize(value)", calls),
        nanoseconds_below=VALUE,
    )


def time_of_a_number(bench: Bench) -> Row:
    calls = bench.records(50_000, 20_000)
    return Row(
        name="one-call-number",
        instance=f"{calls:,} integers below 10^6, discrete Laplace noise, sensitivity 500, ε = 0.01; numpy PCG64 seed 1; the time of a "
        "call",
        limit=LIMIT,
        ours=ours(bench, "wide-noise", "noise.add(number)", calls),
        nanoseconds_below=NUMBER,
    )


def ours(bench: Bench, what: str, call: str, calls: int) -> Side:
    return Side(f"Lookalike for Python, {call}", bench.peer("one_call", what, "lookalike", calls))
