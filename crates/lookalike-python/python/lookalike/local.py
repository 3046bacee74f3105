"""Local privacy: every person reports through a frequency oracle, and any two categories look alike."""

from __future__ import annotations

import json
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import of_core
from ._numbers import Number, at_least_one, key, text

__all__ = ["Candidate", "auto", "compare", "oracle"]


def oracle(protocol: str, categories: Sequence[Any] | int, epsilon: Number) -> Any:
    """The oracle of a protocol at the least noise of its kind: an ``Oracle``.

    ``protocol`` is ``"k-rr"``, ``"subset"``, ``"olh"``, ``"hadamard"``, ``"oue"`` or ``"sue"``. For ``"k-rr"`` of at most 512 categories
    reports are categories, and the answer is a ``Mechanism``. ``categories`` are names, or how many.

    >>> import lookalike
    >>> lookalike.local.oracle("olh", 1000, epsilon=1)
    Oracle(olh, 1000 categories, epsilon 1)
    >>> lookalike.local.oracle("k-rr", ["red", "green"], epsilon="ln(3)")
    Mechanism(k-rr, point, 2 categories, epsilon ln(3))
    """
    return of_core(_core.local_oracle(protocol, _names(categories), text(epsilon, "epsilon"), None))


def auto(categories: Sequence[Any] | int, epsilon: Number, *, most_bits: int | None = None) -> Any:
    """The oracle with the least variance for this number of categories and ε.

    With ``most_bits`` only among those whose reports take at most so many bits; where none does, that is a ``RefusedError``.

    >>> import lookalike
    >>> lookalike.local.auto(1000, epsilon=1)
    Oracle(subset, 1000 categories, epsilon 1)
    """
    bits = None if most_bits is None else at_least_one(most_bits, "most_bits")
    return of_core(_core.local_oracle(None, _names(categories), text(epsilon, "epsilon"), bits))


@dataclass(frozen=True)
class Candidate:
    """A protocol in comparison."""

    protocol: str
    """Its name."""
    variance: float
    """The variance of the estimate of a rare category's share from one report."""
    bits: int
    """The length of a report."""
    best: bool
    """Whether ``auto`` takes it."""
    standard_error: float
    """The standard error of a rare category's share in so many reports as were asked for."""


def compare(categories: Sequence[Any] | int, epsilon: Number, *, reports: int = 10_000) -> list[Candidate]:
    """All protocols that can be used, with their variance and the length of their reports.

    >>> import lookalike
    >>> [candidate.protocol for candidate in lookalike.local.compare(1000, 1) if candidate.best]
    ['subset']
    """
    number = at_least_one(reports, "reports")
    found = json.loads(_core.local_compare(_names(categories), text(epsilon, "epsilon"), number))["comparisons"][0]
    return [
        Candidate(item["oracle"], item["variance"], item["bits"], item["oracle"] == found["auto"], item["standard_error"])
        for item in found["candidates"]
    ]


def _names(categories: Sequence[Any] | int) -> list[str]:
    if isinstance(categories, (int, numbers.Integral)):
        return [str(place) for place in range(at_least_one(categories, "categories"))]
    return [key(name, "categories") for name in categories]
