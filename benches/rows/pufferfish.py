"""The exact search of Markov quilts: seconds on long chains, interval arithmetic included, and flat in the length."""

from dataclasses import dataclass, replace

from row import Bench, Row, Side, flags

EPSILON = "1"


@dataclass(frozen=True)
class Walk:
    """A lazy walk over levels of up to `reach` levels a step, with a share `pull` of its steps towards the middle."""

    name: str
    states: int
    reach: int
    stay: str
    pull: str
    # Of the chain at ε = 1; the driver refuses to run if a* is another.
    gap: str
    a_star: int
    length: int = 10**6
    start: str = "stationary"
    repetitions: int = 3


# A walk of one level per step has too small a gap for an a* of 100 on 51 levels.
WIDE = Walk("100", 51, 10, "1/10", "1/2", "0.1273", 102)
NARROW = Walk("500", 51, 1, "9/20", "7/10", "0.0982", 498)
KNOWN_START = Walk("known-start", 10, 1, "1/2", "1/2", "0.0489", 196, length=10**5, start="first")


def rows(bench: Bench) -> list[Row]:
    return [
        row(bench, WIDE, "alone", seconds_below=1.0),
        against_numpy(bench, WIDE),
        *(flat(bench, WIDE, length) for length in (10**4, 10**8)),
        row(bench, NARROW, "alone", seconds_below=10.0),
        *(flat(bench, NARROW, length) for length in (10**4, 10**8)),
        row(bench, KNOWN_START, "alone", seconds_below=10.0),
    ]


def against_numpy(bench: Bench, walk: Walk) -> Row:
    label = f"{bench.version('numpy')}, the same search in doubles, every pair of distances"
    side = Side(label, bench.peer("quilts_numpy", *walk_flags(walk)))
    return row(bench, walk, "numpy", peer=side, agree_within=1e-6)


def flat(bench: Bench, walk: Walk, length: int) -> Row:
    """At another length, beside 10^6: what takes longer with more nodes would show."""
    usual = replace(ours(bench, walk), label=f"Lookalike, {walk.length:,} nodes")
    kind = f"{length:.0e}".replace("e+0", "e")
    return row(bench, replace(walk, length=length), kind, peer=usual, same_records=False, longer_at_most=2.0)


def row(bench: Bench, walk: Walk, kind: str, **changes: object) -> Row:
    return Row(
        name=f"quilts-{walk.name}-{kind}",
        instance=describe(walk),
        limit=60.0,
        ours=ours(bench, walk),
        design=True,
        note=f"a naive search looks at {walk.length**3 / 6:.0e} quilts" if kind == "alone" else "",
        **changes,
    )


def ours(bench: Bench, walk: Walk) -> Side:
    asked = flags(start=walk.start, **{"a-star": walk.a_star}, repetitions=walk.repetitions)
    return Side("Lookalike", (bench.driver, "quilts", *walk_flags(walk), *asked))


def walk_flags(walk: Walk) -> tuple[str, ...]:
    return flags(
        states=walk.states, reach=walk.reach, stay=walk.stay, pull=walk.pull, length=walk.length, epsilon=EPSILON
    )


def describe(walk: Walk) -> str:
    steps = "one level" if walk.reach == 1 else f"1 to {walk.reach} levels"
    start = "stationary" if walk.start == "stationary" else "from the first level"
    return (
        f"{walk.length:,} nodes, lazy walk on {walk.states} levels, {steps} a step, stays with {walk.stay}, "
        f"{walk.pull} of the steps towards the middle, {start}, "
        f"gap {walk.gap}, a* = {walk.a_star}, ε = {EPSILON}; nothing is "
        "drawn, so that there is no seed"
    )
