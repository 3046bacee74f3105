"""From reports, or counts of them, to estimates."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._data import check_pairs, take
from ._errors import InputError, MisfitWarning
from ._estimate import Estimate, Figure, Misfit, misfit_text
from ._numbers import at_least, key


@dataclass(frozen=True)
class Asked:
    """What is asked of reports."""

    trust: str | None
    stand_ins: int
    confidence: float
    simultaneous: bool

    def core(self) -> tuple[str | None, int, float, bool]:
        """The same for the core."""
        stand_ins = at_least(0, self.stand_ins, "stand_ins")
        return (self.trust, stand_ins, float(self.confidence), bool(self.simultaneous))


def estimated(
    core: _core.Mechanism | _core.Oracle,
    outputs: Any,
    by: Any,
    asked: Asked,
    progress: Callable[[str, int, int | None], object] | None,
) -> Any:
    """The estimate from outputs or their counts, or one for each value of a public column.

    It warns, in the name of the caller's caller, of reports that do not fit.
    """
    if isinstance(outputs, Mapping):
        if by is not None:
            raise InputError("by: counts have no rows, expected none (estimate from the counts of each cohort by themselves)")
        text = _core.estimate_counts(core, "outputs", [(None, counted(outputs))], asked.core())
    else:
        check_pairs(("outputs", outputs), ("by", by))
        data, _ = take(outputs, "outputs")
        cohort = None if by is None else take(by, "by")[0]
        text = _core.estimate(core, data, cohort, asked.core(), progress)
    found = cohorts(text)
    warn_of_misfit(found, stacklevel=4)
    return found[None] if by is None else found


def counted(outputs: Mapping[Any, Any]) -> list[tuple[str | None, int]]:
    """Counts by label for the core, which knows what is an output."""
    return [(key(label, "outputs"), at_least(0, count, "outputs: a count")) for label, count in outputs.items()]


def warn_of_misfit(found: Mapping[str | None, Estimate], stacklevel: int) -> None:
    """Warns of reports that do not fit: once, however many cohorts there are."""
    misfits = [(name, estimate) for name, estimate in found.items() if estimate.misfit is not None]
    if not misfits:
        return
    name, estimate = misfits[0]
    assert estimate.misfit is not None
    more = f" and {len(misfits) - 1} more" if len(misfits) > 1 else ""
    where = "" if name is None else f"cohort {name!r}{more}: "
    warnings.warn(where + misfit_text(estimate.misfit, estimate.trust), MisfitWarning, stacklevel=stacklevel)


def cohorts(text: str) -> dict[str | None, Estimate]:
    """The estimates in the JSON of the core, by the names of cohorts."""
    found = json.loads(text)

    def figures(items: list[dict[str, Any]], of: str) -> tuple[Figure, ...]:
        keys = ("share", "lower", "upper", "counted", "unbiased")
        return tuple(Figure(tuple(item[of]), *(item[name] for name in keys)) for item in items)

    return {
        cohort["name"]: Estimate(
            reports=cohort["reports"],
            stand_ins=cohort["stand_ins"],
            trust=found["trust"],
            about=found["about"],
            misfit=None if cohort["misfit"] is None else Misfit(**cohort["misfit"]),
            histogram=figures(cohort["histogram"], "categories"),
            mix=figures(cohort["mix"], "profiles"),
            covariance=tuple(map(tuple, cohort["covariance"])),
            confidence=found["confidence"],
            simultaneous=found["simultaneous"],
        )
        for cohort in found["cohorts"]
    }
