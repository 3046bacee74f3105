"""What a benchmark row is. Rows live in `rows/`; each module there has a function `rows(bench)` that returns its own.

A row runs commands, never code of its own under the clock: each side is one process with a time limit, and prints a
JSON object with at least `records` (or `rows`) and, unless the whole process is the thing that is timed, `seconds`.
A side checks its answers itself or has a `check` run afterwards; a row whose answers do not hold has no rate.
"""

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Step:
    """A command that makes an instance, once: it is not run when what it makes is there."""

    makes: Path
    command: tuple[str, ...]


@dataclass(frozen=True)
class Side:
    """One program under the clock."""

    # Not compared: the same program under two names is measured once.
    label: str = field(compare=False)
    command: tuple[str, ...]
    # Whole processes are timed from start to end, best of `repetitions`; others repeat and time themselves.
    whole_process: bool = False
    repetitions: int = 1
    # Run after the side and before its numbers count; a status other than 0 says that the answers are wrong. What it
    # prints, if anything, is a JSON object that adds to the side's report: the true ε of a mechanism, say.
    check: tuple[str, ...] | None = None
    # More than one core, for the rows that say so.
    cores: int = 1
    # Which number of its report is the time: a part of what it did, or all of it.
    timed: str = "seconds"


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    instance: str
    # Seconds that each process of the row may take; it is stopped then, and the row says so.
    limit: float
    ours: Side
    peer: Side | None = None
    # Ours over the peer's, at least; None for a row that is only there for comparison.
    wanted: float | None = None
    # Peak memory of ours in megabytes, less than this; makes the row one about memory instead of speed.
    memory_below: int | None = None
    # Seconds of ours, less than this; makes the row one about a time by itself.
    seconds_below: float | None = None
    # Nanoseconds a record of ours, less than this; a row about the time of one call.
    nanoseconds_below: float | None = None
    # The `bytes` that ours reports, less than this; a row about the size of code.
    bytes_below: int | None = None
    # Ours takes at most so many times as long as the peer, whose instance is then a smaller one.
    longer_at_most: float | None = None
    # Shown in the table of how cost grows instead of the main one.
    growth: bool = False
    # Shown in the table of designs, which has seconds instead of rates, and the values that were reached.
    design: bool = False
    # Shown in the table of sweeps: many designs of one kind, of which the report says the median and the worst ratio.
    sweep: bool = False
    # How far apart the values of both sides may be; further, and the row has no numbers.
    agree_within: float | None = None
    # Whether both sides must have done equally many records.
    same_records: bool = True
    steps: tuple[Step, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Bench:
    """Where things are, relative to the root of the project, from which all commands run."""

    python: str
    driver: str
    cli: str
    data: Path
    quick: bool
    versions: dict[str, str] = field(default_factory=dict)

    def records(self, full: int, quick: int = 100_000) -> int:
        """The size of an instance: `--quick` is for working on the harness and makes all of them small."""
        return min(full, quick) if self.quick else full

    def peer(self, script: str, *arguments: object) -> tuple[str, ...]:
        """The command that runs a script of `peers/` in the virtual environment."""
        return (self.python, f"benches/peers/{script}.py", *map(str, arguments))

    def version(self, package: str) -> str:
        """The name of a peer with its version."""
        return f"{package} {self.versions[package]}"


def flags(**values: object) -> tuple[str, ...]:
    """`--name value` pairs."""
    return tuple(word for name, value in values.items() for word in (f"--{name}", str(value)))
