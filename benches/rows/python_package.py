"""The Python package: `mech.privatize` of columns against the library itself on the same codes, and its import."""

from row import Bench, Row, Side, Step, flags
from rows import in_memory

SIZE, FORM = 16, "rows"
LIMIT = 90.0
# Within 1.3 times the time of the library.
WANTED = 0.77
IMPORT = "Polars itself takes about 1.4 ns per record to make an Enum column of a dictionary from Arrow."


def rows(bench: Bench) -> list[Row]:
    return [
        column(bench, "numpy", "arrays of uint32"),
        column(bench, "polars", "Enum columns", note=IMPORT),
        column(bench, "polars-integers", "columns of UInt32"),
        imported(bench),
    ]


def column(bench: Bench, library: str, kind: str, note: str = "") -> Row:
    records = bench.records(10**7)
    folder = bench.data / f"codes-{SIZE}-{FORM}-{records}"
    made = in_memory.instance_flags(SIZE, FORM, records)
    asked = flags(size=SIZE, profiles=in_memory.PROFILES, library=library, repetitions=in_memory.REPETITIONS)
    return Row(
        name=f"python-{library}",
        instance=f"{in_memory.describe(SIZE, FORM, records)}; profiles and values in {bench.version(library.partition('-')[0])}, {kind}",
        limit=LIMIT,
        steps=(Step(folder / "weights.u64", (bench.driver, "instance", *made, "--folder", str(folder))),),
        ours=Side("Lookalike for Python, mech.privatize, one thread", bench.peer("python_column", folder, *asked)),
        peer=library_itself(bench, records),
        wanted=WANTED,
        note=note,
    )


def library_itself(bench: Bench, records: int) -> Side:
    side = in_memory.sampler(bench, SIZE, FORM, records)
    return Side("Lookalike in Rust, Sampler::privatize, one thread", side.command, cores=side.cores)


def imported(bench: Bench) -> Row:
    return Row(
        name="python-import",
        instance="a fresh interpreter with import lookalike, less a bare one; best of 20 each; no seed",
        limit=LIMIT,
        ours=Side("Lookalike for Python", bench.peer("python_import", 20)),
        seconds_below=0.15,
    )
