"""Codes in memory: the sampler against numpy, and against the key stream that it draws from."""

from row import Bench, Row, Side, Step, flags

PROFILES = 16
SEED = 1
REPETITIONS = 9
LIMIT = 60.0


def rows(bench: Bench) -> list[Row]:
    return [
        *numpy_rows(bench),
        key_stream(bench),
        *(beside(bench, size, form) for size, form in [(2, "rows"), (256, "rows"), (16, "keep"), (256, "keep")]),
        two_threads(bench),
        audit(bench),
        *(growth(bench, power) for power in (5, 6, 7, 8)),
    ]


def numpy_rows(bench: Bench) -> list[Row]:
    """The same channels three times: as a textbook has it, and as fast as numpy was made to go."""
    bound = (
        "Lookalike draws a 64-bit word of ChaCha12 for each record, so that no loop can pass the rate of"
        " in-memory-key-stream; the peer's generator is not secure,"
        " and its lookups do not check that codes are in range."
    )
    return [
        against_numpy(bench, 16, "rows", "plain", wanted=4.0),
        against_numpy(bench, 16, "rows", "packed64", note=bound),
        against_numpy(bench, 16, "rows", "packed32", 4.0, bound + " Its 32-bit words round the law to 2^-32."),
    ]


def beside(bench: Bench, size: int, form: str) -> Row:
    return against_numpy(bench, size, form, "packed32")


def against_numpy(
    bench: Bench, size: int, form: str, variant: str, wanted: float | None = None, note: str = ""
) -> Row:
    records = bench.records(10**7)
    folder = bench.data / f"codes-{size}-{form}-{records}"
    write = (bench.driver, "instance", *instance_flags(size, form, records), "--folder", str(folder))
    asked = flags(size=size, profiles=PROFILES, form=form, variant=variant, repetitions=REPETITIONS)
    styles = {
        "plain": "doubles, fancy indexing, whole arrays",
        "packed64": "tuned: packed 64-bit tables, chunks of 131,072",
        "packed32": "tuned: packed 32-bit tables, chunks of 131,072",
    }
    return Row(
        name=f"in-memory-{size}-{form}-numpy-{variant}",
        instance=describe(size, form, records),
        limit=LIMIT,
        steps=(Step(folder / "weights.u64", write),),
        ours=sampler(bench, size, form, records),
        peer=Side(f"{bench.version('numpy')}, SFC64, {styles[variant]}", bench.peer("alias_numpy", folder, *asked)),
        wanted=wanted,
        note=note,
    )


def key_stream(bench: Bench) -> Row:
    records = bench.records(10**7)
    words = flags(records=records, repetitions=REPETITIONS)
    return Row(
        name="in-memory-key-stream",
        instance=describe(16, "rows", records),
        limit=LIMIT,
        ours=sampler(bench, 16, "rows", records),
        peer=Side("the chacha20 crate's bare ChaCha12, 64-bit words, 4 KiB at a time", (bench.driver, "words", *words)),
        wanted=0.2,
        # The words come in whole buffers.
        same_records=False,
    )


def two_threads(bench: Bench) -> Row:
    records = bench.records(10**7)
    return Row(
        name="in-memory-two-threads",
        instance=describe(16, "rows", records) + "; Lookalike with two threads on two cores",
        limit=LIMIT,
        ours=sampler(bench, 16, "rows", records, threads=2),
        peer=sampler(bench, 16, "rows", records),
    )


def audit(bench: Bench) -> Row:
    """A whole audit against the sampling alone: it draws values as well, counts outputs, and finds the limits."""
    draws = bench.records(10**8)
    asked = flags(threads=1, repetitions=3)
    return Row(
        name="audit-16-rows",
        instance=f"{draws:,} draws, d = 16, 16 profiles, rows, every pair; random channels, SplitMix64 seed {SEED}",
        limit=LIMIT,
        ours=Side("Lookalike, one thread", (bench.driver, "audit", *instance_flags(16, "rows", draws), *asked)),
        peer=sampler(bench, 16, "rows", bench.records(10**7)),
        wanted=0.5,
        # The rate in memory is that of ten million codes, which fit.
        same_records=False,
    )


def growth(bench: Bench, power: int) -> Row:
    records = bench.records(10**power)
    return Row(
        name=f"growth-in-memory-1e{power}",
        instance=describe(16, "rows", records),
        limit=LIMIT,
        ours=sampler(bench, 16, "rows", records),
        growth=True,
    )


def sampler(bench: Bench, size: int, form: str, records: int, threads: int = 1) -> Side:
    asked = flags(threads=threads, repetitions=REPETITIONS)
    command = (bench.driver, "sample", *instance_flags(size, form, records), *asked)
    return Side("Lookalike, one thread" if threads == 1 else "Lookalike", command, cores=threads)


def instance_flags(size: int, form: str, records: int) -> tuple[str, ...]:
    return flags(size=size, profiles=PROFILES, form=form, records=records, seed=SEED)


def describe(size: int, form: str, records: int) -> str:
    kind = f"d = {size}, {PROFILES} profiles, {form}"
    return f"{records:,} codes in memory, {kind}; random channels, SplitMix64 seed {SEED}"
