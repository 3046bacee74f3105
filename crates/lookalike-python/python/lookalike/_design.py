"""Designs."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._errors import GapWarning, InputError, PrivacyWarning
from ._graph import SecretGraph
from ._mechanism import Mechanism
from ._numbers import Number, at_least_one, key, text


def design(
    graph: SecretGraph,
    epsilon: Number | None = None,
    *,
    objective: str | None = None,
    loss: Sequence[Sequence[Number]] | None = None,
    channel: str | None = None,
    mechanism: str | None = None,
    algorithm: str | None = None,
    flips: str | None = None,
    prior: Mapping[Any, Number] | None = None,
    epsilon_for: str | None = None,
    reports: int | None = None,
    confidence: float = 0.95,
    max_gap: Number | None = None,
    progress: Progress = None,
) -> Mechanism:
    """A mechanism by which the secrets of a graph look alike, proved in exact arithmetic; the least noisy up to a gap.

    ``epsilon`` is the budget of every pair that has none of its own; for a graph from a spec file its budgets are scaled
    so that the largest is this. ``objective`` is what to keep small: ``"expected-error"`` (the default),
    ``"max-flip"``, ``"ordinal-error"``, or the expectation of a ``loss``, a matrix of what each output (column) costs
    for each category (row). ``channel`` is ``"aware"``, one channel for each profile, or ``"shared"``. ``mechanism`` is
    ``"k-rr"``, ``"two-profile"``, ``"one-bit-cluster"``, ``"cluster"``, ``"smooth-one-bit"`` or
    ``"smooth-categorical"``; by default the best that applies. ``epsilon_for="expected-error=0.1"`` designs at the
    smallest budget that reaches this, which is then what it keeps small; ``epsilon_for="width=0.02"`` with a number of ``reports`` at the smallest one at which the
    intervals of all shares read back from them, at this ``confidence``, will be that narrow. ``max_gap=1e-6`` refuses, with a
    ``RefusedError``, a design that is not proved to be within this share of the least there is; without it a ``GapWarning``
    tells where a solver stopped early. A ``PrivacyWarning`` tells of secrets without an edge; :func:`check`
    also of values that their profiles never have and that are not hidden should they occur.

    >>> import lookalike
    >>> graph = lookalike.SecretGraph(
    ...     {"ana": [0.2, 0.5, 0.3], "bo": [0.3, 0.4, 0.3]}, edges=[("ana", "bo")], categories=["idle", "light", "busy"]
    ... )
    >>> mech = lookalike.design(graph, epsilon=0.25)
    >>> mech.certify().worst
    ('bo', 'ana')
    >>> mech.objective["value"] < mech.report["baseline"]["value"]
    True
    >>> mech = lookalike.design(graph, epsilon_for="width=0.1", reports=1000)
    >>> round(mech.predict(1000).widest, 3)
    0.1
    """
    # The wanted utility takes the place of the budget.
    budget = 1 if epsilon is None and epsilon_for is not None else epsilon
    problem, words = _question(graph, budget, objective, loss, channel, mechanism, algorithm, flips, prior)
    warn_of_unprotected(problem.unprotected)
    number = None if reports is None else at_least_one(reports, "reports")
    target = None if epsilon_for is None else (epsilon_for, number, float(confidence))
    if target is None and number is not None:
        raise InputError("reports: they are for epsilon_for=\"width=…\", and there is none")
    most = None if max_gap is None else text(max_gap, "max_gap")
    core, report, told = _core.design(problem, words, target, most, progress)
    made = Mechanism._of(core)
    made._report = json.loads(report)
    # Values that a profile never has may be impossible by what they mean, as in a framework: `check` tells of them.
    for message in (message for about, message in told if about == "gap"):
        warnings.warn(message, GapWarning, stacklevel=2)
    return made


def warn_of_unprotected(names: Sequence[str]) -> None:
    """Warns, in the name of the caller's caller, of secrets without an edge."""
    if names:
        listed = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        warnings.warn(f"without an edge, hence released unchanged: {listed}", PrivacyWarning, stacklevel=3)


@dataclass(frozen=True)
class Check:
    """What a design would do."""

    kind: str
    """``aware``, ``shared`` or ``point``."""
    secrets: int
    """How many secrets there are."""
    categories: int
    """How many values a record can have."""
    pairs: int
    """How many pairs must look alike."""
    components: int
    """In how many parts, which have nothing to do with each other, the pairs fall."""
    epsilons: tuple[str, ...]
    """Every budget of a pair, as exact text."""
    objective: str
    """What a design would keep small."""
    mechanism: str
    """The mechanism that it would use."""
    unprotected: tuple[str, ...]
    """Secrets without an edge: they are released unchanged."""
    impossible_values: Mapping[str, Any] | None = None
    """Values that their profiles never have and that the design would not release by the profile's output law: their
    ``count``, and ``profile`` and ``value`` of the first; ``None`` where there is nothing to say."""


def check(
    graph: SecretGraph | str | os.PathLike[str],
    epsilon: Number | None = None,
    *,
    objective: str | None = None,
    loss: Sequence[Sequence[Number]] | None = None,
    channel: str | None = None,
    mechanism: str | None = None,
    prior: Mapping[Any, Number] | None = None,
) -> Check:
    """Whether a graph, or the spec file at a path, is valid, and what a design would do with what is asked beside it.

    It takes no time, and raises the ``InputError`` of whatever is wrong.

    >>> import lookalike
    >>> graph = lookalike.SecretGraph({"ana": 0.3, "bo": 0.4, "cleo": 0.9}, edges=[("ana", "bo")])
    >>> found = lookalike.check(graph, epsilon=0.5)
    >>> found.mechanism, found.pairs, found.unprotected
    ('smooth-categorical', 1, ('cleo',))
    """
    asked = graph if isinstance(graph, SecretGraph) else SecretGraph.read(graph)
    problem, words = _question(asked, epsilon, objective, loss, channel, mechanism, None, None, prior)
    found = json.loads(_core.check(problem, words))
    return Check(
        found["kind"],
        found["secrets"],
        found["categories"],
        found["edges"],
        found["components"],
        tuple(found["epsilons"]),
        found["objective"],
        found["mechanism"],
        tuple(found["unprotected"]),
        found["impossible_values"],
    )


@dataclass(frozen=True)
class SweepPoint:
    """One point of the trade-off between privacy and utility."""

    epsilon: float
    """The largest budget of any pair."""
    epsilon_text: str
    """The same as exact text."""
    value: float
    """The objective of the mechanism."""
    lower_bound: float
    """No mechanism is below this."""
    baseline: float
    """The objective of local DP, k-ary randomized response."""
    expected_error: float
    """How often the output differs from the value."""
    mechanism: Mechanism
    """The mechanism, proved."""


def sweep(
    graph: SecretGraph,
    epsilons: str | Iterable[Number],
    *,
    objective: str | None = None,
    loss: Sequence[Sequence[Number]] | None = None,
    channel: str | None = None,
    mechanism: str | None = None,
    algorithm: str | None = None,
    flips: str | None = None,
    prior: Mapping[Any, Number] | None = None,
    progress: Progress = None,
) -> list[SweepPoint]:
    """The trade-off: a design, proved, at each of the budgets, ascending.

    ``epsilons`` is a list, or a text such as ``"0.05..3"`` or ``"0.05..3:12"`` for 12 points.

    >>> import lookalike
    >>> graph = lookalike.SecretGraph.values(["no", "yes"])
    >>> [(point.epsilon_text, round(point.value, 4)) for point in lookalike.sweep(graph, ["ln(3)", "ln(9)"])]
    [('ln(3)', 0.25), ('2*ln(3)', 0.1)]
    """
    grid = epsilons if isinstance(epsilons, str) else ",".join(text(epsilon, "epsilons") for epsilon in epsilons)
    first = None if graph._spec is None else "1"
    problem, words = _question(graph, first, objective, loss, channel, mechanism, algorithm, flips, prior)
    points = _core.sweep(problem, words, grid, progress)
    return [_point(Mechanism._of(core), json.loads(row)) for core, row in points]


def _point(mechanism: Mechanism, row: dict[str, Any]) -> SweepPoint:
    mechanism._report = row
    objective = row["objective"]
    return SweepPoint(
        row["epsilon"],
        row["epsilon_text"],
        objective["value"],
        objective["lower_bound"],
        row["baseline"]["value"],
        row["expected_error"],
        mechanism,
    )


def _question(
    graph: SecretGraph,
    epsilon: Number | None,
    objective: str | None,
    loss: Sequence[Sequence[Number]] | None,
    channel: str | None,
    mechanism: str | None,
    algorithm: str | None,
    flips: str | None,
    prior: Mapping[Any, Number] | None,
) -> tuple[_core.Problem, dict[str, str | None]]:
    """The problem for the core, and what is asked beside it."""
    if not isinstance(graph, SecretGraph):
        raise TypeError(f"graph: a {type(graph).__name__}, expected a SecretGraph")
    changes: dict[str, Any] = {}
    if loss is not None:
        changes["loss"] = [[text(entry, "loss") for entry in row] for row in loss]
    if prior is not None:
        changes["prior"] = {key(name, "prior"): text(weight, "prior") for name, weight in prior.items()}
    if graph._spec is not None and loss is None:
        # What is kept small unless something else is asked for; nobody asked for it, so it may stand beside epsilon_for.
        changes["objective"] = "expected-error"
    problem, scaled = graph._with(epsilon, changes)
    words = {
        "epsilon": scaled,
        "channel": channel,
        "objective": objective,
        "mechanism": mechanism,
        "algorithm": algorithm,
        "flips": flips,
    }
    return problem, words
