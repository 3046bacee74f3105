"""Exact noise on numbers, and choices among counts or scores."""

from __future__ import annotations

from . import _lookalike as _core
from ._noise import Noise
from ._numbers import Number, text

__all__ = ["laplace"]


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
