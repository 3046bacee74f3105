"""What repeated releases add up to."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import Claim
from ._numbers import Number, at_least_one, text


@dataclass(frozen=True)
class Accounted:
    """What a number of releases comes to."""

    releases: int
    """How many."""
    sum: float
    """The sum of their ε, rounded up."""
    sum_text: str
    """The same as exact text."""
    epsilon_at_delta: float | None
    """All pairs are (ε, δ)-indistinguishable with it, rounded up; ``None`` when there is no such ε, and for the moments of a chain,
    of which no theorem says more at a δ."""
    pair: tuple[str, str] | None
    """The pair that needs it; ``None`` where the statement is about any pairs."""
    together: float | None
    """For the moments of a chain: what the releases from one sequence lose together at most, rounded up."""
    method: str
    """How it was found."""


def account(mechanism: Claim, releases: Iterable[int], *, delta: Number = "1e-6") -> list[Accounted]:
    """What numbers of releases add up to, and beyond the sum: ε at a chosen δ, which is never below the truth.

    Of profiles the releases are of independent observations of one subject; of values, counts and numbers they are any; of the
    moments of a chain they are from one sequence. ``delta`` is how likely it may be that more is told, from 0 to 1.

    >>> import lookalike
    >>> coin = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
    >>> [(found.releases, found.sum_text) for found in lookalike.account(coin, [1, 10])]
    [(1, 'ln(3)'), (10, '10*ln(3)')]
    >>> ten = lookalike.account(coin, [10], delta=0.01)[0]
    >>> ten.epsilon_at_delta < ten.sum
    True
    """
    if not isinstance(mechanism, Claim):
        raise TypeError(f"mechanism: a {type(mechanism).__name__}, expected a mechanism")
    counts = [at_least_one(count, "releases") for count in releases]
    found = json.loads(_core.account(mechanism._core, counts, text(delta, "delta")))
    return [_accounted(row) for row in found["releases"]]


def _accounted(row: dict[str, Any]) -> Accounted:
    pair = row.get("pair")
    return Accounted(
        row["releases"],
        row["sum"],
        row["sum_text"],
        row.get("epsilon_at_delta"),
        None if pair is None else (pair[0], pair[1]),
        row.get("together"),
        row["method"],
    )
