"""Mechanisms whose outputs tell shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from . import _lookalike as _core
from ._base import Claim, Progress
from ._estimate import Estimate, Prediction, estimated, prediction
from ._numbers import at_least_one, shares_of


class Readback(Claim):
    """A mechanism over categories, of whose true values the shares can be read back: a ``Mechanism`` or an ``Oracle``."""

    __slots__ = ()

    @property
    def categories(self) -> list[str]:
        """What a value can be, in order."""
        return self._core.categories  # type: ignore[no-any-return]

    @overload
    def estimate(
        self,
        outputs: Any,
        *,
        by: None = None,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> Estimate: ...
    @overload
    def estimate(
        self,
        outputs: Any,
        *,
        by: Any,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> dict[str, Estimate]: ...
    def estimate(
        self,
        outputs: Any,
        *,
        by: Any = None,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> Any:
        """The shares of the true values, read back from privatized outputs or reports: an ``Estimate`` with intervals.

        With ``by``, a public column as long as the outputs, a dict with an ``Estimate`` for each of its values. The
        intervals are to cover the truth with the given confidence each, or all at once if ``simultaneous``. They trust
        the profiles where each has its own channel, and may cover less often where reports are few.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> estimate = mech.estimate(["no"] * 600 + ["yes"] * 400)
        >>> round(estimate["yes"].share, 12)
        0.3
        >>> oracle = lookalike.local.oracle("hadamard", 4, epsilon=2)
        >>> estimate = oracle.estimate(oracle.privatize([3] * 900 + [0] * 100, seed=1))
        >>> estimate["3"].lower < 0.9 < estimate["3"].upper
        True
        """
        return estimated(self._core, outputs, by, confidence, simultaneous, progress)

    def predict(self, reports: int, shares: Mapping[Any, float] | None = None) -> Prediction:
        """The errors to expect of the shares estimated from so many reports, beside those of local DP.

        ``shares`` says how frequent the secrets are (the categories where there is one channel for all); by default all
        equally.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> round(mech.predict(10_000).errors["yes"], 5)
        0.01
        >>> oracle = lookalike.local.oracle("subset", 100, epsilon=1)
        >>> round(oracle.predict(10_000).times_as_many_reports, 1)  # k-ary randomized response would take
        9.6
        """
        names = self._core.secrets if self.kind == "aware" else self.categories
        return prediction(_core.predict(self._core, at_least_one(reports, "reports"), shares_of(names, shares)))


Readback.__module__ = "lookalike"
