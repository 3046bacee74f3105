"""Noise on numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._base import Claim, Progress
from ._data import is_single
from ._errors import InputError
from ._joint import take_values
from ._numbers import Number, seed_of, text


class Noise(Claim, core=_core.Noise):
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

    def add(
        self,
        values: Any,
        *,
        seed: int | None = None,
        shuffle: bool = False,
        progress: Progress = None,
        _charge: Any = None,
    ) -> Any:
        """The numbers with noise, in the kind in which they came; a single number gives a single number.

        Whole numbers stay whole on a grid of 1; others become floats. ``Decimal`` and ``Fraction`` are rounded to the grid
        exactly and come back as such. Each number costs ε. ``shuffle`` releases the rows in a random order.

        >>> import lookalike
        >>> from fractions import Fraction
        >>> lookalike.noise.laplace(epsilon=1, sensitivity=1, grid="1/8").add([Fraction(1, 3), Fraction(5, 2)], seed=1)
        [Fraction(1, 4), Fraction(5, 2)]
        """
        if seed is None and not shuffle and progress is None and _charge is None:
            released = self._core.add_one(values)
            if released is not None:
                return released
        if is_single(values) or isinstance(values, (Decimal, Fraction)):
            return self.add([values], seed=seed, progress=progress, _charge=_charge)[0]
        columns, restore = take_values(values, shuffle)
        if len(columns) != 1:
            raise InputError(f"values: {len(columns)} columns, expected one column of numbers")
        data = columns[0]
        kind = _exact_kind(data)
        if kind is None:
            return restore(self._core.add(data, seed_of(seed), shuffle, progress, _charge))
        exact = [_exact(row, item) for row, item in enumerate(data)]
        released = self._core.add(exact, seed_of(seed), shuffle, progress, _charge)
        return restore([kind(number) for number in released])

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
        secrets = f" for {self.about}" if self.about.startswith("any one moment") else ""
        return (
            f"Noise({name}, epsilon {self.epsilon_text}{secrets}, sensitivity {self.sensitivity}, "
            f"grid {self.grid}{bounds})"
        )


def _exact_kind(data: Any) -> type[Decimal] | type[Fraction] | None:
    """``Fraction`` or ``Decimal`` for a list with such numbers."""
    if not isinstance(data, list):
        return None
    kinds = {type(item) for item in data}
    return Fraction if Fraction in kinds else Decimal if Decimal in kinds else None


def _exact(row: int, item: Any) -> str | None:
    """The exact text of an item; that of a float is the number that it stores."""
    if item is None:
        return None
    try:
        return str(Fraction(item))
    except (OverflowError, TypeError, ValueError):
        raise InputError(f'row {row + 1}, column "values": not a finite number, expected one of at most 4,300 digits') from None
