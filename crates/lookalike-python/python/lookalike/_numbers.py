"""Exact texts of numbers: what was written is what is meant."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Union

from ._errors import InputError

Number = Union[int, float, Decimal, Fraction, str]
"""A number: int, float (its shortest decimal form, so 0.1 is 1/10), Decimal, Fraction, or a text such as ``"1/3"``.

A budget ε may also be a text such as ``"ln(3)"``."""


def text(number: Number, name: str) -> str:
    """The exact text of a number for the parameter ``name``.

    >>> [text(number, "epsilon") for number in (1, 0.1, Decimal("0.10"), Fraction(1, 3), "ln(3)")]
    ['1', '0.1', '0.10', '1/3', 'ln(3)']
    """
    if isinstance(number, str):
        return number
    if isinstance(number, bool) or not isinstance(number, (numbers.Number, Decimal)):
        raise TypeError(f"{name}: a {type(number).__name__}, expected a number or its text")
    if isinstance(number, numbers.Rational):
        return str(Fraction(int(number.numerator), int(number.denominator)))
    if isinstance(number, Decimal):
        if not number.is_finite():
            raise InputError(f"{name}: {number}, expected a finite number")
        return str(number)
    if not isinstance(number, numbers.Real):
        raise TypeError(f"{name}: a {type(number).__name__}, expected a real number")
    if not float("-inf") < number < float("inf"):
        raise InputError(f"{name}: {number}, expected a finite number")
    # A float of numpy with 32 bits has a shortest form of its own, which `str` gives and `repr` decorates.
    return repr(number) if type(number) is float else str(number)


def key(name: object, what: str) -> str:
    """The canonical text of a name: whole numbers and booleans are names too, as they are in columns of data."""
    if isinstance(name, str):
        return name
    if isinstance(name, bool):
        return "true" if name else "false"
    if isinstance(name, numbers.Integral):
        return str(int(name))
    raise TypeError(f"{what}: a {type(name).__name__}, expected a text or a whole number")


def seed_of(seed: int | None) -> int | None:
    """A seed within 64 bits."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, numbers.Integral):
        raise TypeError(f"seed: a {type(seed).__name__}, expected a whole number")
    if not 0 <= int(seed) < 1 << 64:
        raise InputError("seed: expected a whole number from 0 to 2**64 - 1")
    return int(seed)


def at_least_one(number: object, name: str) -> int:
    """A whole number above 0, of any integer type."""
    return at_least(1, number, name)


def at_least(least: int, number: object, name: str) -> int:
    """A whole number from the least on, of any integer type."""
    if isinstance(number, bool) or not isinstance(number, numbers.Integral):
        raise TypeError(f"{name}: a {type(number).__name__}, expected a whole number")
    if not least <= int(number) < 1 << 63:
        expected = "above 0" if least == 1 else f"from {least} on"
        raise InputError(f"{name}: {int(number)}, expected a whole number {expected}")
    return int(number)


def shares_of(names: Sequence[str], shares: Mapping[Any, float] | None) -> list[float] | None:
    """The share of each name, in order."""
    if shares is None:
        return None
    given = {key(name, "shares"): float(share) for name, share in shares.items()}
    missing = [name for name in names if name not in given]
    if missing or len(given) > len(names):
        other = missing[0] if missing else next(name for name in given if name not in names)
        raise InputError(f"shares: {other!r} is {'missing' if missing else 'not known'}, expected one for each of {len(names)}")
    return [given[name] for name in names]
