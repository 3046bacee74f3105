"""From measurements to text: ratios, what is met, one table on the terminal and BENCHMARKS.md."""

import math
from dataclasses import dataclass

from measure import Measured
from row import Row


@dataclass(frozen=True)
class Outcome:
    """A row with what was measured, or with the reason why it was not."""

    row: Row
    ours: Measured | None = None
    peer: Measured | None = None
    failure: str = ""

    @property
    def ratio(self) -> float | None:
        """Our rate over the peer's."""
        return self.ours.rate / self.peer.rate if self.ours and self.peer else None

    @property
    def longer(self) -> float | None:
        """Our seconds over the peer's, for instances of different sizes."""
        return self.ours.seconds / self.peer.seconds if self.ours and self.peer else None

    @property
    def apart(self) -> float | None:
        """How far apart the values of both sides are, on the same instance."""
        if not self.row.same_records:
            return None
        values = [side.value for side in (self.ours, self.peer) if side and side.value is not None]
        return abs(values[0] - values[1]) if len(values) == 2 else None

    @property
    def met(self) -> bool | None:
        """Whether what was wanted is there; None when nothing was wanted."""
        if self.row.memory_below is not None:
            return self.ours is not None and self.ours.peak_bytes < self.row.memory_below * 10**6
        if self.row.seconds_below is not None:
            return self.ours is not None and self.ours.seconds < self.row.seconds_below
        if self.row.nanoseconds_below is not None:
            return self.ours is not None and nanoseconds(self.ours) < self.row.nanoseconds_below
        if self.row.bytes_below is not None:
            return self.ours is not None and self.ours.bytes is not None and self.ours.bytes < self.row.bytes_below
        if self.row.longer_at_most is not None:
            return self.longer is not None and self.longer <= self.row.longer_at_most
        if self.row.wanted is not None:
            return self.ratio is not None and self.ratio >= self.row.wanted
        return None


def rate(value: float) -> str:
    """Records a second with three digits: 123 M/s, 8.70 k/s."""
    for unit, size in (("G/s", 1e9), ("M/s", 1e6), ("k/s", 1e3)):
        if value >= size:
            return f"{three_digits(value / size)} {unit}"
    return f"{three_digits(value)} /s"


def three_digits(value: float) -> str:
    return f"{value:.{3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"


def megabytes(count: int) -> str:
    return f"{count / 1e6:.0f} MB"


def milliseconds(value: float) -> str:
    return f"{value * 1000:.0f} ms"


def nanoseconds(side: Measured) -> float:
    """The time of one record."""
    return side.seconds / side.records * 1e9


HEAD = ["row", "instance", "limit", "peer", "peer's rate", "ours", "ratio", "wanted", "met"]


def cells(outcome: Outcome) -> list[str]:
    """The columns of `HEAD`."""
    row, ours, peer = outcome.row, outcome.ours, outcome.peer
    memory, alone = row.memory_below is not None, row.seconds_below is not None
    shown = "not available" if ours is None else megabytes(ours.peak_bytes) if memory else rate(ours.rate)
    if ours is not None and alone:
        shown = milliseconds(ours.seconds)
    if ours is not None and row.nanoseconds_below is not None:
        shown = f"{three_digits(nanoseconds(ours))} ns"
    if ours is not None and row.bytes_below is not None:
        shown = "not available" if ours.bytes is None else f"{ours.bytes:,} bytes"
    return [
        row.name,
        row.instance,
        f"{row.limit:g} s",
        row.peer.label if row.peer else measured_alone(row),
        rate(peer.rate) if peer else "not available" if row.peer else "",
        shown,
        "" if outcome.ratio is None else f"{three_digits(outcome.ratio)}×",
        wanted(row),
        {True: "yes", False: "no", None: ""}[outcome.met],
    ]


def measured_alone(row: Row) -> str:
    """What a row without a peer is about."""
    kinds = {
        "peak memory": row.memory_below,
        "time": row.seconds_below,
        "time a value": row.nanoseconds_below,
        "size of the code": row.bytes_below,
    }
    return next((kind for kind, bound in kinds.items() if bound is not None), "")


def wanted(row: Row) -> str:
    if row.memory_below is not None:
        return f"< {row.memory_below} MB"
    if row.seconds_below is not None:
        return f"< {milliseconds(row.seconds_below)}"
    if row.nanoseconds_below is not None:
        return f"< {row.nanoseconds_below:g} ns"
    if row.bytes_below is not None:
        return f"< {row.bytes_below:,} bytes"
    if row.longer_at_most is not None:
        return f"≤ {row.longer_at_most:g}× as long"
    return "" if row.wanted is None else f"≥ {row.wanted:g}×"


DESIGN_HEAD = [
    *HEAD[:4],
    "peer's seconds",
    "ours",
    "ratio",
    "wanted",
    "met",
    "value",
    "gap",
    "apart",
    "peak memory",
    "peer's true ε",
]


def design_cells(outcome: Outcome) -> list[str]:
    """The columns of `DESIGN_HEAD`: those of `HEAD` in seconds, and the answer."""
    row, ours, peer = outcome.row, outcome.ours, outcome.peer
    shown = cells(outcome)
    if peer:
        shown[4] = seconds(peer.seconds) + (f" ({peer.solver})" if peer.solver else "")
    if ours:
        shown[5] = seconds(ours.seconds)
    is_growth = row.longer_at_most is not None or not row.same_records
    if is_growth and outcome.longer is not None:
        shown[6] = f"{three_digits(outcome.longer)}× as long"
    proved = ours is not None and ours.value is not None and ours.bound is not None
    return [
        *shown,
        f"{ours.value:.10f}" if proved else "",
        f"{ours.value - ours.bound:.0e}" if proved else "",
        "" if outcome.apart is None else f"{outcome.apart:.0e}",
        megabytes(ours.peak_bytes) if ours else "",
        true_epsilon(peer) if peer else "",
    ]


def true_epsilon(side: Measured) -> str:
    """The true ε with how far it is above what was asked."""
    if side.epsilon is None or side.above is None:
        return ""
    if math.isinf(side.epsilon):
        return "infinite"
    return f"{side.epsilon:.5f} ({'kept' if side.is_kept else f'+{side.above:.0e}'})"


def seconds(value: float) -> str:
    return f"{value:.3g} s"


SWEEP_HEAD = [
    "row",
    "instance",
    "designs",
    "median ratio",
    "worst",
    "which is worst",
    "below 0.5×",
    "largest",
    "median with its model",
    "differ",
    "ours failed",
    "HiGHS failed",
    "left out",
    "ours in all",
    "peak memory",
]


def sweep_cells(outcome: Outcome) -> list[str]:
    """The columns of `SWEEP_HEAD`."""
    start = [outcome.row.name, outcome.row.instance]
    if outcome.ours is None or outcome.ours.sweep is None:
        return [*start, "not available", *[""] * (len(SWEEP_HEAD) - 3)]
    ours, found = outcome.ours, outcome.ours.sweep
    times = [found[name] for name in ("median", "worst", "largest", "median_with_model")]
    median, worst, largest, whole = ("" if value is None else f"{three_digits(value)}×" for value in times)
    return [
        *start,
        f"{ours.records:,}",
        median,
        worst,
        found["worst_name"],
        str(found["below_half"]),
        largest,
        whole,
        *(str(len(found[name])) for name in ("differ", "ours_failed", "highs_failed")),
        str(found["larger"]),
        seconds(ours.seconds),
        megabytes(found["peak_bytes"]),
    ]


def named(outcomes: list[Outcome]) -> list[str]:
    """Every design of a sweep that differs or failed, by name."""
    said = {"differ": "values differ", "ours_failed": "ours failed", "highs_failed": "HiGHS had no optimum in time"}
    return [
        f"{outcome.row.name}: {text}: {'; '.join(outcome.ours.sweep[key])}"
        for outcome in outcomes
        if outcome.ours and outcome.ours.sweep
        for key, text in said.items()
        if outcome.ours.sweep[key]
    ]


GROWTH_HEAD = ["instance", "limit", "seconds", "ns per record", "rate", "peak memory"]


def growth_cells(outcome: Outcome) -> list[str]:
    ours, start = outcome.ours, [outcome.row.instance, f"{outcome.row.limit:g} s"]
    if ours is None:
        return [*start, "not available", "", "", ""]
    numbers = [f"{ours.seconds:.3g}", three_digits(nanoseconds(ours)), rate(ours.rate), megabytes(ours.peak_bytes)]
    return [*start, *numbers]


def plain(outcomes: list[Outcome]) -> str:
    """The tables for the terminal, without the long texts: `--list` shows the instances."""
    sweeps = [outcome for outcome in outcomes if outcome.row.sweep]
    rates = [outcome for outcome in outcomes if not outcome.row.design and not outcome.row.sweep]
    designs = [outcome for outcome in outcomes if outcome.row.design]
    text = []
    if rates:
        text += aligned([0, 4, 5, 6, 7, 8], HEAD, [cells(outcome) for outcome in rates])
    if designs:
        chosen = [0, *range(4, len(DESIGN_HEAD))]
        text += aligned(chosen, DESIGN_HEAD, [design_cells(outcome) for outcome in designs])
    if sweeps:
        chosen = [0, *range(2, len(SWEEP_HEAD))]
        text += aligned(chosen, SWEEP_HEAD, [sweep_cells(outcome) for outcome in sweeps])
    return "\n".join([*text, *named(outcomes), *failures(outcomes)])


def aligned(chosen: list[int], head: list[str], body: list[list[str]]) -> list[str]:
    lines = [[line[at] for at in chosen] for line in (head, *body)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(chosen))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]


def failures(outcomes: list[Outcome]) -> list[str]:
    return [f"{outcome.row.name}: {outcome.failure}" for outcome in outcomes if outcome.failure]


def markdown_table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


PAGE = """# Benchmarks

Written by `make bench`, which installs the peers by name with the versions of `benches/requirements.txt` into a virtual
environment of its own, makes the instances and runs every row again; `python3 benches/run.py --only 'counts-*'` runs
some, and the lines of the others stay. Do not edit.

{machine}.

Each side of a row is one process on one core, unless the row says otherwise, and is stopped at the limit. Rates are
records per second, the best of several repetitions on both sides; a ratio is ours over the peer's. Answers are checked
before a rate counts: the released values follow the exact law of their channels within six standard deviations of
Pearson's statistic, noise has the mean, the share of zeros and the distribution of its law, with false alarms below
1e-9 each, and files have as many rows as their input. Files are read from a warm cache. Commands are timed
from start to end, with the proof of the mechanism, and flush their output to the disk; DuckDB is timed without its
start. Memory is the peak that the system counted for the process; it shows no less than the 14 MB of the harness.

{rows}
{notes}
## Designs

Seconds are the processor's, of one thread on one core on both sides. Ours go from the problem in memory to a certified
mechanism with its channels, the second stage included; the peers' from the same numbers in memory to the optimal value:
they recover and prove nothing. HiGHS is given its matrices whole; the time is that of the fastest of the solvers named
in the row, interior points without crossover, hipdlp (of first order) with tolerances of 1e-8. `value` is the
objective of our certified mechanism, `gap` what it is above a proven lower bound, `apart` its distance from the peer's
optimum, at most 1e-7 where HiGHS is the peer.

Rows of counts have the same rules. The plain program has a variable for each of the (n+1)² entries; the values agree to
1e-6, relative. A peer's matrix is handed to our certifier as it is: its doubles taken exactly, those below 0 as 0, each
row divided by its sum. `peer's true ε` is what the certifier finds, with what it is above the ε that was asked; ours
keep it, or the row would have no numbers.

{designs}

### The set

The designs above are few, and chosen. `benches/instances` is the set that solvers are tested on, chosen for what stops them: sizes,
seeds, ε from 0.001 to 5, fitted counts with zeros, point masses, near ties, groups, weights of very different size. A row is every sixth
design of one objective and one kind of channel, without a choice of ours; `benches/peers/designs_highs.py DRIVER --name TEXT`
makes all. Seconds are the processor's, the best of five where a design takes milliseconds, on both sides. A ratio is HiGHS's seconds by
ours: ours are those of the whole design, proof and second stage included; HiGHS's those of its solver alone, the faster of simplex and
interior points with tolerances of 1e-9, for the same stages. `median with its model` counts also what it takes to write its model
down in Python. `differ` are values that are more than 1e-7 apart, relative, or errors of a second stage more than 1e-6 above HiGHS's; `ours failed`
are designs without a mechanism, not proved to 1e-6, or without the whole choice among optima; `HiGHS failed` those without an
optimum within 20 seconds per program. All of these are named above. `left out` are designs whose channels have more than 30,000 entries,
which `make soak` still makes; `peak memory` is that of the process that makes all of ours.

{sweeps}

## How cost grows

{growth}
"""


def markdown(outcomes: list[Outcome], machine: str) -> str:
    """The text of BENCHMARKS.md."""
    others = ("growth", "design", "sweep")
    main = [outcome for outcome in outcomes if not any(getattr(outcome.row, name) for name in others)]
    sweeps = [outcome for outcome in outcomes if outcome.row.sweep]
    designs = [outcome for outcome in outcomes if outcome.row.design]
    growing = [outcome for outcome in outcomes if outcome.row.growth]
    notes = [f"{outcome.row.name}: {outcome.row.note}" for outcome in outcomes if outcome.row.note]
    return PAGE.format(
        machine=machine,
        rows=markdown_table(HEAD, [cells(outcome) for outcome in main]),
        designs=markdown_table(DESIGN_HEAD, [design_cells(outcome) for outcome in designs]),
        notes="".join(f"\n- {note}" for note in notes + named(outcomes) + failures(outcomes)) + "\n",
        sweeps=markdown_table(SWEEP_HEAD, [sweep_cells(outcome) for outcome in sweeps]),
        growth=markdown_table(GROWTH_HEAD, [growth_cells(outcome) for outcome in growing]),
    )
