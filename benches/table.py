"""From measurements to text: ratios, what is met, one table on the terminal and BENCHMARKS.md."""

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
    def met(self) -> bool | None:
        """Whether what was wanted is there; None when nothing was wanted."""
        if self.row.memory_below is not None:
            return self.ours is not None and self.ours.peak_bytes < self.row.memory_below * 10**6
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


HEAD = ["row", "instance", "limit", "peer", "peer's rate", "ours", "ratio", "wanted", "met"]


def cells(outcome: Outcome) -> list[str]:
    """The columns of `HEAD`."""
    row, ours, peer = outcome.row, outcome.ours, outcome.peer
    memory = row.memory_below is not None
    shown = "not available" if ours is None else megabytes(ours.peak_bytes) if memory else rate(ours.rate)
    wanted = f"< {row.memory_below} MB" if memory else "" if row.wanted is None else f"≥ {row.wanted:g}×"
    return [
        row.name,
        row.instance,
        f"{row.limit:g} s",
        row.peer.label if row.peer else "peak memory" if memory else "",
        rate(peer.rate) if peer else "not available" if row.peer else "",
        shown,
        "" if outcome.ratio is None else f"{three_digits(outcome.ratio)}×",
        wanted,
        {True: "yes", False: "no", None: ""}[outcome.met],
    ]


GROWTH_HEAD = ["instance", "limit", "seconds", "ns a record", "rate", "peak memory"]


def growth_cells(outcome: Outcome) -> list[str]:
    ours, start = outcome.ours, [outcome.row.instance, f"{outcome.row.limit:g} s"]
    if ours is None:
        return [*start, "not available", "", "", ""]
    nanoseconds = ours.seconds / ours.records * 1e9
    numbers = [f"{ours.seconds:.3g}", three_digits(nanoseconds), rate(ours.rate), megabytes(ours.peak_bytes)]
    return [*start, *numbers]


def plain(outcomes: list[Outcome]) -> str:
    """One table for the terminal, without the long texts: `--list` shows the instances."""
    chosen = [0, 4, 5, 6, 7, 8]
    lines = [[HEAD[at] for at in chosen], *([cells(outcome)[at] for at in chosen] for outcome in outcomes)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(chosen))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    return "\n".join([*text, *failures(outcomes)])


def failures(outcomes: list[Outcome]) -> list[str]:
    return [f"{outcome.row.name}: {outcome.failure}" for outcome in outcomes if outcome.failure]


def markdown_table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


PAGE = """# Benchmarks

Written by `make bench`, which installs the peers by name with the versions of `benches/requirements.txt` into a virtual
environment of its own, makes the instances and runs every row again. Do not edit.

{machine}.

Each side of a row is one process on one core, unless the row says otherwise, and is stopped at the limit. Rates are
records a second, the best of several repetitions on both sides; a ratio is ours over the peer's. Answers are checked
before a rate counts: the released values follow the exact law of their channels within six standard deviations of
Pearson's statistic, and files have as many rows as their input. Files are read from a warm cache. Commands are timed
from start to end, with the proof of the mechanism, and flush their output to the disk; DuckDB is timed without its
start. Memory is the peak that the system counted for the process; it shows no less than the 14 MB of the harness.

{rows}
{notes}
## How cost grows

{growth}
"""


def markdown(outcomes: list[Outcome], machine: str) -> str:
    """The text of BENCHMARKS.md."""
    main = [outcome for outcome in outcomes if not outcome.row.growth]
    growing = [outcome for outcome in outcomes if outcome.row.growth]
    notes = [f"{outcome.row.name}: {outcome.row.note}" for outcome in outcomes if outcome.row.note]
    return PAGE.format(
        machine=machine,
        rows=markdown_table(HEAD, [cells(outcome) for outcome in main]),
        notes="".join(f"\n- {note}" for note in notes + failures(outcomes)) + "\n",
        growth=markdown_table(GROWTH_HEAD, [growth_cells(outcome) for outcome in growing]),
    )
