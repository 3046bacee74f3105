"""Local privacy: every person reports through a frequency oracle, and any two categories look alike."""

from __future__ import annotations

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
    return of_core(_core.local_oracle(protocol, _names(categories), text(epsilon, "epsilon")))


def auto(categories: Sequence[Any] | int, epsilon: Number) -> Any:
    """The oracle with the least variance for this number of categories and ε.

    >>> import lookalike
    >>> lookalike.local.auto(1000, epsilon=1)
    Oracle(subset, 1000 categories, epsilon 1)
    """
    return of_core(_core.local_oracle(None, _names(categories), text(epsilon, "epsilon")))


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


def compare(categories: Sequence[Any] | int, epsilon: Number) -> list[Candidate]:
    """All protocols that can be used, with their variance and the length of their reports.

    >>> import lookalike
    >>> [candidate.protocol for candidate in lookalike.local.compare(1000, 1) if candidate.best]
    ['subset']
    """
    rows, best = _core.local_compare(_names(categories), text(epsilon, "epsilon"))
    return [Candidate(name, variance, bits, name == best) for name, variance, bits in rows]


def _names(categories: Sequence[Any] | int) -> list[str]:
    if isinstance(categories, (int, numbers.Integral)):
        return [str(place) for place in range(at_least_one(categories, "categories"))]
    return [key(name, "categories") for name in categories]
