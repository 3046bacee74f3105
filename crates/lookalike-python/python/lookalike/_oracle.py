"""Frequency oracles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from . import _lookalike as _core
from ._base import Claim, Progress
from ._data import take
from ._estimate import Estimate, Prediction, estimated, prediction
from ._numbers import at_least_one, key, seed_of, shares_of


class Oracle(Claim):
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

    @property
    def categories(self) -> list[str]:
        """What a value can be, in order."""
        return self._core.categories

    def variance(self, share: float = 0.0) -> float:
        """The variance of the estimate of a share from one report; n reports have an n-th of it."""
        return self._core.variance(share)

    def privatize(
        self, values: Any, *, seed: int | None = None, unknown: Any = None, progress: Progress = None
    ) -> Any:
        """A report for each value, as texts in the kind in which the values came. See ``Mechanism.privatize``."""
        data, restore = take(values, "values")
        unknown = None if unknown is None else key(unknown, "unknown")
        return restore(self._core.privatize(data, seed_of(seed), unknown, progress))

    @overload
    def estimate(
        self,
        reports: Any,
        *,
        by: None = None,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> Estimate: ...
    @overload
    def estimate(
        self,
        reports: Any,
        *,
        by: Any,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> dict[str, Estimate]: ...
    def estimate(
        self,
        reports: Any,
        *,
        by: Any = None,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> Any:
        """The shares of the true values, read back from reports. See ``Mechanism.estimate``.

        >>> import lookalike
        >>> oracle = lookalike.local.oracle("hadamard", 4, epsilon=2)
        >>> estimate = oracle.estimate(oracle.privatize([3] * 900 + [0] * 100, seed=1))
        >>> estimate["3"].lower < 0.9 < estimate["3"].upper
        True
        """
        return estimated(self._core, reports, by, confidence, simultaneous, progress)

    def predict(self, reports: int, shares: Mapping[Any, float] | None = None) -> Prediction:
        """The errors to expect of the shares estimated from so many reports; by default all equally frequent."""
        given = shares_of(self.categories, shares)
        return prediction(self._core.predict(at_least_one(reports, "reports"), given))

    def __repr__(self) -> str:
        return f"Oracle({self.name or self.kind}, {len(self.categories)} categories, epsilon {self.epsilon_text})"
