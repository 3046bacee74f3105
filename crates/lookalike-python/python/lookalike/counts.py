"""Counts of a small group: mechanisms that release a count from 0 to n, with the properties that you want.

Neighbouring counts look alike within ε = -ln α. The properties are RH row honesty, RM row monotonicity, CH column
honesty, CM column monotonicity, F fairness, WH weak honesty and S symmetry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._data import check_pairs, take
from ._errors import InputError
from ._mechanism import Mechanism
from ._numbers import Number, at_least_one, key, seed_of, text

__all__ = [
    "Comparison",
    "Property",
    "compare",
    "explicit_fair",
    "geometric",
    "optimal",
    "properties",
    "release",
    "uniform",
    "weakly_honest",
]


def geometric(n: int, alpha: Number | None = None, *, epsilon: Number | None = None) -> Mechanism:
    """GM, truncated geometric noise: the least L_0 without demands.

    >>> import lookalike
    >>> lookalike.counts.geometric(8, alpha=0.9)
    Mechanism(counts-gm, point, 9 categories, epsilon ln(10/9))
    """
    return _named("counts-gm", n, alpha, epsilon)


def explicit_fair(n: int, alpha: Number | None = None, *, epsilon: Number | None = None) -> Mechanism:
    """EM, explicit fair: the least L_0 among fair mechanisms; it has all seven properties.

    >>> import lookalike
    >>> lookalike.counts.explicit_fair(8, alpha=0.9)
    Mechanism(counts-em, point, 9 categories, epsilon ln(10/9))
    """
    return _named("counts-em", n, alpha, epsilon)


def weakly_honest(n: int, alpha: Number | None = None, *, epsilon: Number | None = None) -> Mechanism:
    """WM, weakly honest: the least L_0 among those that beat a guess.

    >>> import lookalike
    >>> lookalike.counts.weakly_honest(8, alpha=0.9)
    Mechanism(counts-wm, point, 9 categories, epsilon ln(10/9))
    """
    return _named("counts-wm", n, alpha, epsilon)


def uniform(n: int, alpha: Number | None = None, *, epsilon: Number | None = None) -> Mechanism:
    """UM, uniform: every count equally often, whatever the truth.

    >>> import lookalike
    >>> lookalike.counts.uniform(8, alpha=0.9)
    Mechanism(counts-um, point, 9 categories, epsilon ln(10/9))
    """
    return _named("counts-um", n, alpha, epsilon)


def optimal(
    n: int,
    alpha: Number | None = None,
    *,
    epsilon: Number | None = None,
    properties: str | Iterable[str] = (),
    loss: str = "l0",
    prior: Sequence[Number] | None = None,
    at_most: Number | None = None,
    progress: Progress = None,
) -> Mechanism:
    """The best mechanism with these properties, such as ``"WH,CM"`` or ``["WH", "CM"]``.

    ``loss`` is ``"l0"`` (wrong counts), ``"l0.5"``, ``"l1"``, ``"l2"``, or ``"more-than-2"`` for counts more than 2 off.
    ``prior`` has n + 1 weights; by default all counts are equally frequent. A score above ``at_most`` is a ``RefusedError``.

    >>> import lookalike
    >>> best = lookalike.counts.optimal(4, alpha=0.9, properties="WH,CM", loss="l1")
    >>> {finding.code for finding in lookalike.counts.properties(best) if finding.holds} >= {"WH", "CM"}
    True
    """
    wishes = _wishes(n, alpha, epsilon, properties, loss, prior)
    limit = None if at_most is None else text(at_most, "at_most")
    core, method = _core.counts_mechanism("counts-optimal", wishes, limit, progress)
    made = Mechanism._of(core)
    made._report = {"method": method}
    return made


@dataclass(frozen=True)
class Property:
    """Whether a mechanism has a property, and where it falls short the most if not."""

    code: str
    """Such as ``WH``."""
    name: str
    """Such as ``weak honesty``."""
    holds: bool
    """Whether the mechanism has it, decided exactly."""
    cell: tuple[str, str] | None
    """The output and the input whose probability is too small."""
    reference: tuple[str, str] | None
    """The output and the input whose probability it should reach; ``None`` stands for 1/(n+1)."""
    by: Fraction | None
    """How much is missing."""


def properties(mechanism: Mechanism) -> list[Property]:
    """Which of the seven properties a mechanism over ordered categories has, exactly.

    >>> import lookalike
    >>> [finding.code for finding in lookalike.counts.properties(lookalike.counts.uniform(4, 0.9)) if finding.holds]
    ['RH', 'RM', 'CH', 'CM', 'F', 'WH', 'S']
    """
    found = json.loads(_core.counts_properties(mechanism._core))["properties"]
    return [Property(item["code"], item["name"], item["holds"], *_shortfall(item["violation"])) for item in found]


def _shortfall(violation: dict[str, Any] | None) -> tuple[Any, Any, Fraction | None]:
    """The cell, the reference and how much is missing, where a property does not hold."""
    if violation is None:
        return None, None, None
    cell, reference = violation["cell"], violation["reference"]
    beside = None if reference is None else (reference["output"], reference["input"])
    return (cell["output"], cell["input"]), beside, Fraction(violation["by_text"])


@dataclass(frozen=True)
class Comparison:
    """A mechanism over counts in comparison."""

    name: str
    """GM, EM, WM, UM or optimum."""
    properties: tuple[str, ...]
    """The codes of the properties it has."""
    l0: float
    """The probability of a wrong count, 1 for guessing."""
    l1: float
    """The expected distance from the truth, on the same scale."""
    rmse: float
    """The root mean squared error, in counts."""
    mechanism: Mechanism
    """The mechanism, proved."""


def compare(
    n: int,
    alpha: Number | None = None,
    *,
    epsilon: Number | None = None,
    properties: str | Iterable[str] = (),
    loss: str = "l0",
    prior: Sequence[Number] | None = None,
) -> list[Comparison]:
    """GM, EM, WM and UM side by side; with ``properties`` also the optimum with these.

    >>> import lookalike
    >>> [(row.name, round(row.l0, 3)) for row in lookalike.counts.compare(4, 0.9)]
    [('GM', 0.947), ('EM', 0.967), ('WM', 0.964), ('UM', 1.0)]
    """
    wishes = _wishes(n, alpha, epsilon, properties, loss, prior)
    rows = []
    for core, name, facts in _core.counts_compare(wishes):
        found = json.loads(facts)
        figures = (tuple(found["properties"]), found["l0"], found["l1"], found["rmse"])
        rows.append(Comparison(name, *figures, Mechanism._of(core)))
    return rows


def release(
    mechanism: Mechanism,
    groups: Any,
    values: Any,
    where: Any,
    *,
    seed: int | None = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """Counts the rows of each group whose value is ``where``, or one of several, and releases the counts.

    ``groups`` and ``values`` are columns of equal length; ``mechanism`` is over the counts 0 to n. Protected is the value of
    one row. Which rows belong to which group is public, and so is how many they are: at most n. Groups share no row, so
    that all counts together cost ε once; a person with k rows costs it k times. The groups come back in the order of
    their names.

    >>> import lookalike
    >>> mech = lookalike.counts.explicit_fair(8, alpha=0.001)  # hardly any noise, to see something
    >>> wards, ill = ["a", "a", "b", "b", "b"], ["yes", "no", "yes", "yes", "no"]
    >>> lookalike.counts.release(mech, wards, ill, "yes", seed=1)
    {'a': 1, 'b': 2}
    """
    several = isinstance(where, (list, tuple, set, frozenset))
    matching = [key(value, "where") for value in (where if several else [where])]
    if not matching or "" in matching:
        raise InputError("where: no value or an empty one, expected what is counted")
    check_pairs(("groups", groups), ("values", values))
    group_data, value_data = take(groups, "groups")[0], take(values, "values")[0]
    released = _core.counts_release(mechanism._core, group_data, value_data, matching, seed_of(seed), progress)
    return {group: int(count) if count.isdecimal() else count for group, count in released}


def _named(name: str, n: int, alpha: Number | None, epsilon: Number | None) -> Mechanism:
    return Mechanism._of(_core.counts_mechanism(name, _wishes(n, alpha, epsilon, (), "l0", None), None, None)[0])


def _wishes(
    n: int,
    alpha: Number | None,
    epsilon: Number | None,
    properties: str | Iterable[str],
    loss: str,
    prior: Sequence[Number] | None,
) -> dict[str, Any]:
    codes = properties if isinstance(properties, str) else ",".join(properties)
    return {
        "n": at_least_one(n, "n"),
        "alpha": None if alpha is None else text(alpha, "alpha"),
        "epsilon": None if epsilon is None else text(epsilon, "epsilon"),
        "properties": codes or "none",
        "loss": loss,
        "prior": None if prior is None else [text(weight, "prior") for weight in prior],
    }
