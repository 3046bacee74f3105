"""Places: planar noise on many at once against numpy, and the optimal mechanism on a grid against HiGHS."""

from row import Bench, Row, Side, Step, flags

# A public origin, and places within some ten kilometres: nothing that the square is likely to cut off.
ORIGIN = {"latitude": "39.9", "longitude": "116.4"}
REACH = "0.1"
HALF_WIDTH = "30000"
# ln(4)/200 a metre: places 200 m apart are ln 4-alike.
EPSILON = "ln(4)/200"
EPSILON_DOUBLE = "0.006931471805599453"
REPETITIONS = 5
# What HiGHS gets for all pairs before it is stopped, and the process a little more to say so.
STOPPED_AFTER = 600.0
DILATION = "1.1"


def rows(bench: Bench) -> list[Row]:
    return [planar(bench), *optimal(bench)]


def planar(bench: Bench) -> Row:
    records = bench.records(10**6)
    places = bench.data / f"places-{records}.f64"
    return Row(
        name="geo-planar-numpy",
        instance=f"{records:,} places in memory within 0.1° of 39.9° N 116.4° E, latitude and longitude in and out, planar "
        f"Laplace noise, ε = {EPSILON} a metre; numpy PCG64 seed 1",
        limit=60.0,
        steps=(Step(places, bench.peer("geo_points", records, places, *flags(**ORIGIN, reach=REACH))),),
        ours=released(
            "Lookalike, one thread",
            places.with_suffix(".ours"),
            places,
            bench,
            lambda target: (
                bench.driver,
                "geo-planar",
                *flags(input=places, output=target, epsilon=EPSILON, **ORIGIN),
                *flags(**{"half-width": HALF_WIDTH}, seed=1, threads=1, repetitions=REPETITIONS),
            ),
        ),
        peer=released(
            f"{bench.version('numpy')} and {bench.version('scipy')}, radii by Lambert's W, whole arrays",
            places.with_suffix(".numpy"),
            places,
            bench,
            lambda target: bench.peer(
                "geo_planar_numpy",
                places,
                target,
                *flags(epsilon=EPSILON_DOUBLE, **ORIGIN, repetitions=REPETITIONS),
            ),
        ),
        wanted=10.0,
    )


def released(label: str, target: object, places: object, bench: Bench, command) -> Side:
    """A side whose places are then held against the law."""
    return Side(label, command(target), check=bench.peer("geo_released", places, target, EPSILON_DOUBLE))


def optimal(bench: Bench) -> list[Row]:
    side, limit = (4, 20.0) if bench.quick else (10, STOPPED_AFTER)
    asked = flags(side=side, epsilon="1")
    ours = Side("Lookalike", (bench.driver, "geo-optimal", *asked, *flags(dilation=DILATION, repetitions=3)))

    def row(kind: str, label: str, seconds: float, *options: str, **changes: object) -> Row:
        command = bench.peer("geo_highs", *asked, *flags(solver="hipo", limit=seconds), *options)
        return Row(
            name=f"geo-optimal-{kind}",
            instance=f"{side} × {side} cells, ε = 1 a step, uniform prior, expected Euclidean distance, ours on a spanner of "
            f"dilation {DILATION} and certified for all pairs; nothing is drawn, so that there is no seed",
            limit=seconds + 60.0,
            ours=ours,
            peer=Side(f"{bench.version('highspy')}, {label}", command),
            design=True,
            **changes,
        )

    note = f"where HiGHS was stopped at {limit:g} s the ratio is a lower bound."
    return [
        row("spanner", f"the greedy spanner of dilation {DILATION}", 120.0, *flags(dilation=DILATION)),
        row("all-pairs", "all pairs", limit, wanted=10.0, note=note),
    ]
