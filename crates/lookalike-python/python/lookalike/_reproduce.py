"""Published experiments, done again."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from . import _lookalike as _core
from ._base import Progress


@dataclass(frozen=True)
class Finding:
    """A statement of the source, held against the numbers."""

    statement: str
    """What the source says."""
    holds: bool
    """Whether it holds in every row."""
    evidence: str
    """The numbers that decide it."""


@dataclass(frozen=True)
class Experiment:
    """What came out of an experiment."""

    name: str
    """Its name, as ``experiments`` has it."""
    title: str
    """What it is."""
    findings: tuple[Finding, ...]
    """What the source says, and whether it holds here."""
    open: tuple[str, ...]
    """What the source leaves open, and what was chosen."""
    columns: tuple[str, ...]
    """The names of the columns of the table."""
    rows: tuple[tuple[Any, ...], ...] = field(repr=False)
    """Every number."""


@dataclass(frozen=True)
class Reproduction:
    """The experiments of a run."""

    experiments: tuple[Experiment, ...]
    """What came out of each."""
    files: tuple[str, ...] = ()
    """The files that were written, the page first."""

    @property
    def page(self) -> str | None:
        """The page with everything, where a folder was given."""
        return self.files[0] if self.files else None


def experiments() -> dict[str, str]:
    """The experiments that can be done again: what each is, by its name.

    >>> import lookalike
    >>> "figure-3c" in lookalike.experiments()
    True
    """
    return {name: title for name, title, _ in _core.experiments()}


def reproduce(
    name: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    *,
    adult: str | os.PathLike[str] | None = None,
    activity: str | os.PathLike[str] | None = None,
    electricity: str | os.PathLike[str] | None = None,
    ordonez: str | os.PathLike[str] | None = None,
    tracks: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Progress = None,
) -> Reproduction:
    """Does a published experiment again, or all but those that take minutes: tables, and what the source says of them.

    With a ``folder`` tables (CSV), plots (SVG) and one page are written there. The other
    files are data that are not part of this package, each for the experiments about it: ``adult`` is ``adult.data`` of UCI
    Adult, ``activity`` the activities of older people as CSV (UCI data set 427), ``electricity`` the file
    ``electricity_usage.csv`` of openmv.net, ``ordonez`` the file ``OrdonezA_ADLs.txt`` (UCI data set 271),
    ``tracks`` the file ``go_track_trackspoints.csv`` (UCI data set 354).

    >>> import lookalike
    >>> done = lookalike.reproduce("table-1").experiments[0]
    >>> all(finding.holds for finding in done.findings), len(done.rows) > 0
    (True, True)
    """
    paths = {"adult": adult, "activity": activity, "electricity": electricity, "ordonez": ordonez, "tracks": tracks}
    data = {set: os.fspath(path) for set, path in paths.items() if path is not None}
    place = None if folder is None else os.fspath(folder)
    found = json.loads(_core.reproduce(name, place, data, overwrite, progress))
    return Reproduction(tuple(map(_experiment, found["experiments"])), tuple(found["files"]))


def _experiment(found: dict[str, Any]) -> Experiment:
    return Experiment(
        found["name"],
        found["title"],
        tuple(Finding(item["statement"], item["holds"], item["evidence"]) for item in found["findings"]),
        tuple(found["open"]),
        tuple(found["table"]["columns"]),
        tuple(map(tuple, found["table"]["rows"])),
    )
