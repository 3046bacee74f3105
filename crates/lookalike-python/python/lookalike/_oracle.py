"""Frequency oracles."""

from __future__ import annotations

from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._data import is_single
from ._joint import take_values
from ._numbers import key, seed_of
from ._readback import Readback


class Oracle(Readback, core=_core.Oracle):
    """A frequency oracle: every person reports once, any two categories look alike, and shares can be read back.

    ``local.oracle`` and ``local.auto`` make one. Reports are texts.

    >>> import lookalike
    >>> oracle = lookalike.local.oracle("oue", [f"page {n}" for n in range(8)], epsilon=1)
    >>> oracle
    Oracle(oue, 8 categories, epsilon 1)
    >>> oracle.privatize(["page 3", "page 7"], seed=1)
    ['01100000', '01011000']
    """

    __slots__ = ()

    _core: _core.Oracle

    def variance(self, share: float = 0.0) -> float:
        """The variance of the estimate of a share from one report; n reports have an n-th of it."""
        return self._core.variance(share)

    def privatize(
        self,
        values: Any,
        *,
        seed: int | None = None,
        unknown: Any = None,
        shuffle: bool = False,
        progress: Progress = None,
        _charge: Any = None,
    ) -> Any:
        """A report for each value, as texts in the kind in which the values came. See ``Mechanism.privatize``."""
        if seed is None and unknown is None and not shuffle and progress is None and _charge is None:
            report = self._core.privatize_one(values)
            if report is not None:
                return report
        if is_single(values):
            return self.privatize([values], seed=seed, unknown=unknown, progress=progress, _charge=_charge)[0]
        columns, restore = take_values(values, shuffle)
        unknown = None if unknown is None else key(unknown, "unknown")
        return restore(self._core.privatize(columns, seed_of(seed), unknown, shuffle, progress, _charge))

    def __repr__(self) -> str:
        return f"Oracle({self.name or self.kind}, {len(self.categories)} categories, epsilon {self.epsilon_text})"
