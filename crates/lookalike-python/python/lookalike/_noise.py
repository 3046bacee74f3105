"""Noise on numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._base import Claim, Progress
from ._data import take
from ._numbers import Number, seed_of, text


class Noise(Claim):
    """Discrete Laplace noise on a grid, exact to the last bit. ``noise.laplace`` makes one.

    >>> import lookalike
    >>> count = lookalike.noise.laplace(epsilon=0.5, sensitivity=1)
    >>> count
    Noise(discrete-laplace, epsilon 1/2, sensitivity 1, grid 1)
    >>> count.add([1207, 0], seed=1)
    [1206, 0]
    >>> count.interval(0.95)
    Fraction(6, 1)
    """

    __slots__ = ()

    _core: _core.Noise

    @property
    def sensitivity(self) -> Fraction:
        """The most by which a number differs between neighbours."""
        return Fraction(self._core.parameters[0])

    @property
    def grid(self) -> Fraction:
        """What is released are multiples of this."""
        return Fraction(self._core.parameters[1])

    @property
    def clamp(self) -> tuple[Fraction, Fraction] | None:
        """Numbers are brought between these before noise is added."""
        bounds = self._core.parameters[2]
        return None if bounds is None else (Fraction(bounds[0]), Fraction(bounds[1]))

    def add(self, values: Any, *, seed: int | None = None, progress: Progress = None) -> Any:
        """The numbers with noise, in the kind in which they came; a single number gives a single number.

        Whole numbers stay whole on a grid of 1; others become floats. Each number costs ε.
        """
        if isinstance(values, (int, float, str)) or (hasattr(values, "ndim") and values.ndim == 0):
            return self.add([values], seed=seed, progress=progress)[0]
        data, restore = take(values, "values")
        return restore(self._core.add(data, seed_of(seed), progress))

    privatize = add

    def interval(self, confidence: Number = 0.95, *, on_grid: bool = True) -> Fraction:
        """How far a release may be from its number, with this confidence.

        Half a grid step more for numbers that are not multiples of the grid (``on_grid=False``).
        """
        width = self._core.interval(text(confidence, "confidence")) * self.grid
        return width if on_grid else width + self.grid / 2

    def __repr__(self) -> str:
        clamp = self.clamp
        bounds = "" if clamp is None else f", clamp {clamp[0]} to {clamp[1]}"
        name = self.name or "noise"
        return (
            f"Noise({name}, epsilon {self.epsilon_text}, sensitivity {self.sensitivity}, grid {self.grid}{bounds})"
        )
