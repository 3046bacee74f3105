"""Whole plans."""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import dataclass, field

from . import _lookalike as _core
from ._base import Progress
from ._cohorts import cohorts, warn_of_misfit
from ._design import warn_of_unprotected
from ._errors import PrivacyWarning
from ._estimate import Estimate
from ._mechanism import Mechanism


@dataclass(frozen=True)
class Run:
    """What a plan gave."""

    mechanism: Mechanism
    """The mechanism, proved."""
    rows: int
    """How many records were released."""
    released: str
    """The file with the released records."""
    released_in_clear: tuple[str, ...]
    """The columns beside the released one, which ε does not cover."""
    estimates: dict[str | None, Estimate] = field(repr=False)
    """What was learnt, by cohort; the only one has the key ``None``."""
    files: tuple[str, ...]
    """Everything that was written: mechanism, released records, estimate, report, and what was fitted."""
    notes: tuple[str, ...] = field(repr=False)
    """What may interest: first that no value was changed, if so, then what the reports of one profile add up to. It is about
    the private records, and not for publication."""

    @property
    def estimate(self) -> Estimate:
        """What was learnt, of a plan without cohorts."""
        return self.estimates[None]


def run(
    plan: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    overwrite: bool = False,
    progress: Progress = None,
) -> Run:
    """Runs a whole plan file: fits or reads profiles, designs, proves, privatizes, estimates and reports.

    The files are those of ``lookalike run``, byte for byte where the plan has a seed, in the plan's folder or in
    ``folder``. Nothing is put in place before all is done.

    >>> import lookalike, pathlib, tempfile
    >>> here = pathlib.Path(tempfile.mkdtemp())
    >>> rows = ["who,load", *["ana,idle", "bo,busy", "ana,busy", "bo,idle"] * 50]
    >>> _ = (here / "records.csv").write_text("\\n".join(rows))
    >>> _ = (here / "plan.toml").write_text('''
    ... epsilon = 1
    ... categories = ["idle", "busy"]
    ... [profiles]
    ... ana = 0.2
    ... bo = 0.3
    ... [graph]
    ... edges = [["ana", "bo"]]
    ... [data]
    ... records = "records.csv"
    ... profile = "who"
    ... value = "load"
    ... ''')
    >>> done = lookalike.run(here / "plan.toml")
    >>> done.rows, [pathlib.Path(path).name for path in done.files]
    (200, ['estimate.json', 'm.json', 'private.csv', 'report.html'])
    >>> done.estimate.reports
    200
    """
    place = None if folder is None else os.fspath(folder)
    core, facts, said = _core.run_plan(os.fspath(plan), place, overwrite, progress)
    found = json.loads(facts)
    warn_of_unprotected(said["unprotected"])
    for message in said["warnings"]:
        warnings.warn(message, PrivacyWarning, stacklevel=2)
    estimates = cohorts(json.dumps(found["estimate"]))
    warn_of_misfit(estimates, stacklevel=3)
    released = next(path for path in found["files"] if os.path.basename(path) == said["released"])
    mechanism = Mechanism._of(core)
    mechanism._report = found["design"]
    return Run(
        mechanism,
        found["privatize"]["rows"],
        released,
        tuple(found["privatize"]["released_in_clear"]),
        estimates,
        tuple(found["files"]),
        tuple(said["notes"]),
    )
