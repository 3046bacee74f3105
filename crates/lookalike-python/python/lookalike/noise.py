"""Exact noise on numbers, and choices among counts or scores."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from . import _lookalike as _core
from ._errors import InputError
from ._graph import SecretGraph
from ._mechanism import Mechanism
from ._noise import Noise
from ._numbers import Number, key, seed_of, text

__all__ = ["exponential", "laplace", "noisy_max"]


def laplace(
    epsilon: Number, sensitivity: Number, grid: Number = 1, clamp: tuple[Number, Number] | None = None
) -> Noise:
    """Discrete Laplace noise for numbers that differ by at most ``sensitivity`` between neighbours.

    Numbers are brought within ``clamp``, rounded to the ``grid``, a power of two such as 1 or 2**-10, and released as
    multiples of it. Sensitivity and bounds are yours to know: taken from the data they would tell of it.

    >>> import lookalike
    >>> lookalike.noise.laplace(epsilon=1, sensitivity=500, clamp=(0, 500)).certify().upper
    1.0
    """
    bounds = None if clamp is None else (text(clamp[0], "clamp"), text(clamp[1], "clamp"))
    core = _core.laplace(text(epsilon, "epsilon"), text(sensitivity, "sensitivity"), text(grid, "grid"), bounds)
    return Noise._of(core)


def noisy_max(
    counts: Mapping[Any, int] | Sequence[int],
    epsilon: Number,
    *,
    sensitivity: int = 1,
    together: bool = False,
    seed: int | None = None,
) -> Any:
    """Which count is the largest, after noise on each: its key, or its place in a list.

    A neighbour changes every count by at most ``sensitivity``. Where all counts rise or all fall, as when people are
    added or removed, ``together=True`` halves the noise. The places of a list must stand for the same things whatever
    the counts are: a list that is sorted by count tells of them.

    >>> import lookalike
    >>> lookalike.noise.noisy_max({"red": 1000, "green": 10, "blue": 12}, epsilon=1, seed=1)
    'red'
    """
    keys = list(counts) if isinstance(counts, Mapping) else None
    listed = [_whole(counts[key]) for key in (range(len(counts)) if keys is None else keys)]
    # Keys that are spelled alike, such as 1 and "1", are told apart by their kinds.
    names = None if keys is None else [f"{key}\0{type(key).__name__}" for key in keys]
    place = _core.noisy_max(listed, names, text(epsilon, "epsilon"), sensitivity, together, seed_of(seed))
    return place if keys is None else keys[place]


def _whole(count: Any) -> int:
    try:
        return operator.index(count)
    except TypeError:
        raise InputError(f"counts: found {type(count).__name__}, expected whole numbers") from None


def exponential(
    graph: SecretGraph,
    outputs: Sequence[Any],
    scores: Mapping[Any, Sequence[Number]] | Sequence[Sequence[Number]],
    epsilon: Number,
    sensitivity: Number,
    *,
    together: bool = False,
) -> Mechanism:
    """The exponential mechanism over the values of ``graph``: an output with probability in proportion to e^(εu/2Δ).

    ``scores[x][y]`` says how good output y is for value x; Δ, the ``sensitivity``, bounds by how much the score of an
    output differs between neighbours. With ``together``, where all scores rise or all fall, it is e^(εu/Δ).

    >>> import lookalike
    >>> graph = lookalike.SecretGraph.values(["near", "far"])
    >>> mech = lookalike.noise.exponential(graph, ["stay", "go"], [[1, 0], [0, 1]], epsilon="2*ln(3)", sensitivity=1)
    >>> [round(float(p), 6) for p in mech.channel()[0]]
    [0.75, 0.25]
    """
    if graph._spec is not None and "profiles" in graph._spec:
        raise InputError("a graph of profiles, expected one of values: SecretGraph.values")
    problem, _ = graph._with(epsilon, {})
    rows = [scores[name] for name in problem.categories] if isinstance(scores, Mapping) else scores
    table = [[text(score, "scores") for score in row] for row in rows]
    names = [key(name, "outputs") for name in outputs]
    return Mechanism._of(_core.exponential(problem, names, table, text(sensitivity, "sensitivity"), together))
