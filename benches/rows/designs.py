"""Optimal designs: Lookalike from the problem to a certified mechanism against LP solvers on the paper's programs."""

from dataclasses import dataclass, replace

from row import Bench, Row, Side, Step, flags

# The objective of both sides is the same to this, absolute.
AGREE = 1e-7
# Simplex and interior points; a method of first order, which ends with constraints broken by about its tolerance.
EXACT = "ipx,simplex"
FIRST_ORDER = "hipdlp"
NO_CVXPY = "CVXPY is not run here: Clarabel, the solver that it chooses, {} when it was tried."


# Every how manieth design of the set a sweep has, and the seconds that HiGHS has for each program.
EVERY = 6
SWEEP_SECONDS = 20
CHANNELS = {
    "aware": "one channel per profile",
    "shared": "one channel for all profiles",
    "point": "one channel between values",
}


@dataclass(frozen=True)
class Design:
    """An instance with what is asked of it."""

    name: str
    shape: str
    profiles: int
    categories: int
    epsilon: str = "0.2"
    objective: str = "max-flip"
    # Our value is at most so much above our own proven bound, relative; the design has failed otherwise.
    gap: float = 1e-7
    repetitions: int = 1
    limit: float = 120.0

    @property
    def mechanism(self) -> str:
        return "smooth-one-bit" if self.categories == 2 else "smooth-categorical"

    @property
    def program(self) -> str:
        if self.shape.endswith("-limits"):
            return "within"
        return "one_bit" if self.categories == 2 else "categorical"


def rows(bench: Bench) -> list[Row]:
    # What takes longest comes last: it is the first to be left out when there is no time.
    return [*group(bench), *one_bit(bench), *categorical(bench), *limits(bench), *sweeps(bench), *large(bench)]


def sweeps(bench: Bench) -> list[Row]:
    """Designs of the set, an objective and a kind of channel a row."""
    averages = ("expected-error", "ordinal-error", "squared")
    kinds = [("aware", ("max-flip", *averages)), ("shared", ("max-flip", *averages)), ("point", averages)]
    return [sweep(bench, channels, objective) for channels, objectives in kinds for objective in objectives]


def sweep(bench: Bench, channels: str, objective: str) -> Row:
    asked = flags(name=f"{channels}-{objective}", every=20 if bench.quick else EVERY, seconds=SWEEP_SECONDS)
    return Row(
        name=f"design-sweep-{channels}-{objective}",
        instance=f"every sixth of the set with {objective}, {CHANNELS[channels]}; its own seeds",
        limit=600.0,
        ours=Side(bench.version("highspy"), bench.peer("designs_highs", bench.driver, *asked)),
        sweep=True,
    )


def one_bit(bench: Bench) -> list[Row]:
    few, many = bench.records(10**5, 10**4), bench.records(10**6, 10**5)
    sparse = Design("one-bit-sparse", "sparse", few, 2, repetitions=5)
    large = Design("one-bit-sparse-large", "sparse", many, 2)
    chain = Design("one-bit-chain", "chain", many, 2)
    return [
        replace(against_highs(bench, sparse, EXACT, wanted=100.0), note=NO_CVXPY.format("took over 300 s and 15 GB")),
        repair(bench, sparse, wanted=2.0),
        memory(bench, large, 1000),
        growth(bench, large, sparse, 40.0),
        repair(bench, large, wanted=2.0),
        replace(alone(bench, chain), note="HiGHS ipx had not ended after 120 s when it was tried."),
    ]


def categorical(bench: Bench) -> list[Row]:
    found = []
    seen = {100: "took 195 s", 200: "gave no answer"}
    for profiles, categories, wanted, repetitions in [(50, 10, 5.0, 9), (100, 20, 15.0, 5), (200, 32, 100.0, 3)]:
        if bench.quick and profiles > 50:
            continue
        for epsilon in ("0.2", "1"):
            name = f"categorical-{profiles}-{categories}-{epsilon}"
            design = Design(name, "sparse", profiles, categories, epsilon, repetitions=repetitions)
            # All are tried where that is cheap; on the larger there is time for one, and ipx was the fastest before.
            exact = f"{EXACT},hipo" if profiles == 50 else "ipx"
            found.append(against_highs(bench, replace(design, limit=360.0), exact, wanted))
            found.append(against_highs(bench, design, FIRST_ORDER, wanted))
            if profiles == 50:
                found.append(against_cvxpy(bench, design))
            elif epsilon == "0.2":
                found[-2] = replace(found[-2], note=NO_CVXPY.format(seen[profiles]))
            found.append(second_stage(bench, design))
            found.append(repair(bench, design, wanted=2.0))
    return found


def large(bench: Bench) -> list[Row]:
    """Beyond what the paper's program was ever given to a solver for."""
    sizes = [] if bench.quick else [(1000, 20), (400, 64)]
    return [alone(bench, Design(f"categorical-{k}-{d}", "sparse", k, d)) for k, d in sizes]


def group(bench: Bench) -> list[Row]:
    few, many = bench.records(10**5, 10**3), bench.records(10**6, 10**4)
    asked = {"objective": "expected-error", "gap": 1e-6}
    small = Design("group", "group", few, 32, **asked)
    large = Design("group-large", "group", many, 32, **asked)
    note = "No LP solver can be given this: it has a pair of rows for every two profiles and each category."
    return [
        replace(memory(bench, small, 2000), note=note),
        # About ten times as long is wanted.
        growth(bench, large, small, 12.0),
        repair(bench, small, wanted=2.0),
    ]


def limits(bench: Bench) -> list[Row]:
    """Claims for all laws within the limits of 500 records: against the plain program, and as they grow."""

    def design(shape: str, profiles: int, categories: int, **asked: object) -> Design:
        name = f"{shape}-{profiles}-{categories}"
        return Design(name, shape, profiles, categories, "0.5", "expected-error", **asked)

    smallest = design("sparse-limits", 50, 10, repetitions=5, limit=360.0)
    found = [against_highs(bench, smallest, EXACT, wanted=15.0)]
    if bench.quick:
        return found
    thousand, two = (design("group-limits", profiles, 16, gap=1e-3) for profiles in (1000, 2000))
    sparse = [design("sparse-limits", profiles, categories, gap=1e-6) for profiles, categories in ((100, 20), (200, 32))]
    return [
        *found,
        alone(bench, replace(thousand, limit=60.0)),
        growth(bench, two, thousand, 3.0),
        *(alone(bench, design) for design in sparse),
    ]


def against_highs(bench: Bench, design: Design, solvers: str, wanted: float | None = None) -> Row:
    program = "the plain program" if design.program == "within" else "the paper's program"
    label = f"{bench.version('highspy')}, {program}, {' or '.join(solvers.split(','))}"
    asked = (folder(bench, design), *program_flags(design), *flags(solvers=solvers))
    kind = "first-order" if solvers == FIRST_ORDER else "highs"
    peer = Side(label, bench.peer("highs", *asked))
    return without_second_stage(row(bench, design, kind, peer=peer, wanted=wanted, agree_within=AGREE), design)


def against_cvxpy(bench: Bench, design: Design) -> Row:
    label = f"{bench.version('cvxpy')}, the paper's program, its own choice of solver"
    peer = Side(label, bench.peer("cvxpy_default", folder(bench, design), *program_flags(design)))
    # Its solver stops earlier than HiGHS does.
    return without_second_stage(row(bench, design, "cvxpy", peer=peer, agree_within=1e-5), design)


def without_second_stage(found: Row, design: Design) -> Row:
    """A solver finds the optimum and stops; the choice among optima has a line of its own."""
    if design.categories == 2:
        return found
    return replace(found, ours=replace(found.ours, timed="first_stage_seconds"))


def memory(bench: Bench, design: Design, below: int) -> Row:
    return row(bench, design, "memory", memory_below=below)


def alone(bench: Bench, design: Design) -> Row:
    return row(bench, design, "alone")


def growth(bench: Bench, design: Design, smaller: Design, longer_at_most: float) -> Row:
    peer = replace(ours(bench, smaller), label=f"Lookalike, {smaller.profiles:,} profiles")
    grown = row(bench, design, "growth", peer=peer, longer_at_most=longer_at_most, same_records=False)
    return replace(grown, steps=(*grown.steps, step(bench, smaller)))


def repair(bench: Bench, design: Design, wanted: float) -> Row:
    """Repair and certification, which is ours here, against the whole design."""
    part = replace(ours(bench, design), label="Lookalike, repair and certification", timed="proof_seconds")
    whole = replace(ours(bench, design), label="Lookalike, the whole design; ours: its repair and certification")
    return replace(row(bench, design, "repair", peer=whole, wanted=wanted), ours=part)


def second_stage(bench: Bench, design: Design) -> Row:
    """The part of the design that HiGHS does not do."""
    part = replace(ours(bench, design), timed="second_stage_seconds")
    whole = replace(ours(bench, design), label="Lookalike, the whole design; ours: its second stage")
    return replace(row(bench, design, "second-stage", peer=whole), ours=part)


def row(bench: Bench, design: Design, kind: str, **changes: object) -> Row:
    return Row(
        name=f"design-{design.name}-{kind}",
        instance=describe(design),
        limit=design.limit,
        ours=ours(bench, design),
        design=True,
        steps=(step(bench, design),),
        **changes,
    )


def ours(bench: Bench, design: Design) -> Side:
    asked = flags(gap=design.gap, repetitions=design.repetitions)
    return Side("Lookalike", (bench.driver, "design", *driver_flags(bench, design), *asked))


def driver_flags(bench: Bench, design: Design) -> tuple[str, ...]:
    return flags(
        folder=folder(bench, design),
        categories=design.categories,
        epsilon=design.epsilon,
        objective=design.objective,
        mechanism=design.mechanism,
    )


def program_flags(design: Design) -> tuple[str, ...]:
    return flags(categories=design.categories, epsilon=design.epsilon, program=design.program)


def step(bench: Bench, design: Design) -> Step:
    made = folder(bench, design)
    write = bench.peer("design_instance", design.shape, design.profiles, design.categories, made)
    return Step(made / "numerators.u32", write)


def folder(bench: Bench, design: Design):
    return bench.data / f"{design.shape}-{design.profiles}-{design.categories}"


def describe(design: Design) -> str:
    shapes = {
        "sparse": "random graph of average degree 6",
        "chain": "chain",
        "group": "all alike",
    }
    shape, _, limited = design.shape.partition("-")
    law = "uniform on [0, 1]" if design.categories == 2 else "Dirichlet(1)"
    if limited:
        law += ", fitted with 95 % limits per cell from 500 records each"
    return (
        f"{design.profiles:,} profiles, d = {design.categories}, {law}, {shapes[shape]}, ε = {design.epsilon}, "
        f"{design.objective}; numpy PCG64 seed 1"
    )
