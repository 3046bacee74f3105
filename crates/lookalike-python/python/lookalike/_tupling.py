"""Reports among dummies."""

from __future__ import annotations

import json
import numbers
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ._errors import InputError, PrivacyWarning
from ._mechanism import Mechanism
from ._numbers import Number, key, text


@dataclass(frozen=True)
class Tupled:
    """The least δ with which every pair is (ε, δ)-indistinguishable when each report is released among dummies."""

    dummies: int
    """How many dummies each report has."""
    epsilon: float
    """The ε at which δ was asked for."""
    epsilon_text: str
    """The same as exact text."""
    lower: float
    """δ is at least this."""
    upper: float
    """δ is at most this."""
    exact: Fraction | None
    """δ itself, where it is a fraction that can be written out."""
    pair: tuple[str, str]
    """The pair that needs it."""
    probabilities: tuple[Fraction, Fraction]
    """The probabilities a and b, for the first and the second of the pair, of the tuples that tell: δ is a − b·e^ε."""


def tupling(
    mechanism: Mechanism,
    *,
    epsilon: Number,
    dummies: Sequence[int] = (0, 1, 2, 4, 8),
    dummy_law: Mapping[Any, Number] | None = None,
) -> list[Tupled]:
    """How much alike secrets become when every report is released at a random place among dummies, exactly.

    For each number of dummies the least δ at ``epsilon``, and the pair that needs it. The dummies are drawn from a public
    law, afresh for each report: ``dummy_law`` has the probability of each output, which sum to 1; without it all are
    equally likely. Up to 256 dummies; what would take too long is refused. A ``PrivacyWarning`` names outputs that no dummy ever
    is: they stay as telling as they were.

    >>> import lookalike
    >>> coin = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
    >>> [(found.dummies, str(found.exact)) for found in lookalike.tupling(coin, epsilon="ln(2)", dummies=[0, 1, 2])]
    [(0, '1/4'), (1, '1/8'), (2, '1/16')]
    """
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism: a {type(mechanism).__name__}, expected a Mechanism, a channel between categories")
    law = None if dummy_law is None else _law(mechanism.outputs, dummy_law)
    asked = [_number(count) for count in dummies]
    facts, told = mechanism._core.tupling(text(epsilon, "epsilon"), asked, law)
    if told is not None:
        warnings.warn(told, PrivacyWarning, stacklevel=2)
    found = json.loads(facts)
    return [_tupled(row, found) for row in found["rows"]]


def _tupled(row: dict[str, Any], found: dict[str, Any]) -> Tupled:
    a, b = row["probabilities"]
    return Tupled(
        row["dummies"],
        found["epsilon"],
        found["epsilon_text"],
        row["lower"],
        row["upper"],
        None if row["exact"] is None else Fraction(row["exact"]),
        (row["edge"][0], row["edge"][1]),
        (Fraction(a), Fraction(b)),
    )


def _law(outputs: Sequence[str], law: Mapping[Any, Number]) -> list[str]:
    given = {key(name, "dummy_law"): text(number, "dummy_law") for name, number in law.items()}
    for name in outputs:
        if name not in given:
            raise InputError(f"dummy_law: output {name!r} is missing, expected a probability for each")
    for name in given:
        if name not in outputs:
            raise InputError(f"dummy_law: {name!r} is no output of the mechanism")
    return [given[name] for name in outputs]


def _number(count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, numbers.Integral):
        raise TypeError(f"dummies: a {type(count).__name__}, expected whole numbers")
    if not 0 <= int(count) < 1 << 32:
        raise InputError(f"dummies: {int(count)}, expected whole numbers from 0 to 256")
    return int(count)
