"""Runs one side of a row: a process of its own, on its own cores, with a time limit, watched for its peak memory."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

from row import Side

# No library may use more threads than the row says, whatever its defaults.
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
)


# What a report may hold besides time and records.
ANSWER = ("value", "bound", "solver", "epsilon", "above", "is_kept", "bytes", "sweep")


class Failed(Exception):
    """A process that did not end well; the text is short enough for a table."""


@dataclass(frozen=True)
class Measured:
    """What a side did; of several repetitions the shortest time and the highest peak."""

    records: int
    seconds: float
    peak_bytes: int
    # Of a design: the objective's value, a proven lower bound on it, and which of several solvers was the fastest.
    value: float | None = None
    bound: float | None = None
    solver: str = ""
    # Of a mechanism that the check has certified: its true ε, by how much that is above what was asked, and whether
    # what was asked is kept.
    epsilon: float | None = None
    above: float | None = None
    is_kept: bool | None = None
    # Of a program: the bytes of its code.
    bytes: int | None = None
    # Of many designs: what `peers/designs_highs.py` reports about them all.
    sweep: dict | None = None

    @property
    def rate(self) -> float:
        return self.records / self.seconds


@dataclass(frozen=True)
class Process:
    stdout: str
    seconds: float
    peak_bytes: int


def measure(side: Side, limit: float) -> Measured:
    """The numbers of a side, once its answers have been checked."""
    runs = [run(side.command, limit, side.cores) for _ in range(side.repetitions)]
    checked = run(side.check, limit, os.cpu_count() or 1) if side.check else None
    reports = [report(done) for done in runs]
    records = {int(found.get("records", found.get("rows", -1))) for found in reports}
    if len(records) != 1 or min(records) < 0:
        raise Failed("no number of records, or different ones in its repetitions")
    if not side.whole_process and any(side.timed not in found for found in reports):
        raise Failed(f"no {side.timed} in its report")
    seconds = [done.seconds if side.whole_process else found[side.timed] for done, found in zip(runs, reports)]
    found = reports[0] | (report(checked) if checked and checked.stdout.strip() else {})
    answer = {name: found[name] for name in ANSWER if name in found}
    return Measured(records.pop(), min(seconds), max(done.peak_bytes for done in runs), **answer)


def report(done: Process) -> dict:
    try:
        return json.loads(done.stdout)
    except ValueError as error:
        raise Failed("printed no JSON object") from error


def run(command: tuple[str, ...], limit: float, cores: int = 1) -> Process:
    """Runs a command to its end, or to the limit; raises Failed with its last words when it does not succeed."""
    environment = {**os.environ, **{name: str(cores) for name in THREADS}, "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                # A group of its own, so that stopping it also stops what it started.
                start_new_session=True,
                preexec_fn=lambda: pin(cores),
            )
        except OSError as error:
            raise Failed(error.strerror or "cannot be started") from error
        late = threading.Event()
        timer = threading.Timer(limit, lambda: (late.set(), os.killpg(child.pid, signal.SIGKILL)))
        timer.start()
        try:
            # The usage of this child alone. Linux counts the forked harness before the exec as well, some 20 MB.
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise Failed(f"stopped at its limit of {limit:g} s")
        if child.returncode != 0:
            raise Failed(last_words(read(stderr)) or f"ended with status {child.returncode}")
        unit = 1 if sys.platform == "darwin" else 1024
        return Process(read(stdout), seconds, usage.ru_maxrss * unit)


def pin(cores: int) -> None:
    """Keeps the process on so many cores, the last ones: the first often serves interrupts."""
    if hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, allowed[-cores:])


def read(file) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def last_words(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
