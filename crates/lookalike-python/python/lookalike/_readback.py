"""Mechanisms whose outputs tell shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from . import _lookalike as _core
from ._base import Claim, Progress
from ._cohorts import Asked, estimated
from ._estimate import Estimate
from ._numbers import at_least_one, shares_of
from ._prediction import Prediction, prediction


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
        trust: str | None = None,
        stand_ins: int = 0,
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
        trust: str | None = None,
        stand_ins: int = 0,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> dict[str, Estimate]: ...
    def estimate(
        self,
        outputs: Any,
        *,
        by: Any = None,
        trust: str | None = None,
        stand_ins: int = 0,
        confidence: float = 0.95,
        simultaneous: bool = False,
        progress: Progress = None,
    ) -> Any:
        """The shares of the true values, read back from privatized outputs or reports: an ``Estimate`` with intervals.

        ``outputs`` is the released column, or, of a mechanism, a dict with the count of each output: a ``Counter``, or what
        ``GROUP BY`` gives. Counts of batches add up. With ``by``, a public column as long as the outputs, a dict with an
        ``Estimate`` for each of its values. ``stand_ins`` is how many of the rows a ledger replaced without a look at
        their value (``Charged.constant``).

        Intervals cover the truth with the given confidence each, or all at once if ``simultaneous``, however few reports there
        are. With ``trust="nothing"`` they are about those who reported, whatever the profiles are. With
        ``trust="profiles"`` they are about the population that the reports come from, and true if values are drawn from the
        profiles of the mechanism, in every cohort too; in return there are shares of profiles. With ``trust="limits"`` it is
        enough that the values of each profile are drawn from one law within its limits; that is the default for a mechanism
        whose profiles have limits, without ``by``, and ``"nothing"`` otherwise. Reports that nothing explains are told of by a
        ``MisfitWarning``.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> estimate = mech.estimate(["no"] * 600 + ["yes"] * 400)
        >>> round(estimate["yes"].share, 6), estimate["yes"].counted
        (0.3, 0.4)
        >>> from collections import Counter
        >>> monday, tuesday = Counter(no=250, yes=150), Counter(no=350, yes=250)
        >>> mech.estimate(monday + tuesday) == estimate
        True
        >>> towns = {"north": {"no": 45, "yes": 15}, "south": {"no": 20, "yes": 40}}
        >>> {town: round(mech.estimate(counts)["yes"].upper, 2) for town, counts in towns.items()}
        {'north': 0.25, 'south': 1.0}
        >>> oracle = lookalike.local.oracle("hadamard", 4, epsilon=2)
        >>> estimate = oracle.estimate(oracle.privatize([3] * 900 + [0] * 100, seed=1))
        >>> estimate["3"].lower < 0.9 < estimate["3"].upper
        True
        """
        return estimated(self._core, outputs, by, Asked(trust, stand_ins, confidence, simultaneous), progress)

    def predict(
        self,
        reports: int,
        shares: Mapping[Any, float] | None = None,
        *,
        trust: str | None = None,
        confidence: float = 0.95,
        simultaneous: bool = False,
    ) -> Prediction:
        """How wide the intervals of the shares from so many reports will be, beside those of local DP.

        ``shares`` says how frequent the secrets are (the categories where there is one channel for all and no profiles are
        trusted); by default all equally. ``trust``, ``confidence`` and ``simultaneous`` are those of ``estimate``.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> round(mech.predict(10_000).widths["yes"], 3)
        0.039
        >>> oracle = lookalike.local.oracle("subset", 100, epsilon=1)
        >>> round(oracle.predict(10_000).times_as_many_reports, 1)  # k-ary randomized response would take
        9.6
        """
        are_of_secrets = self.kind == "aware" or (trust in ("limits", "profiles") and isinstance(self._core, _core.Mechanism))
        names = self._core.secrets if are_of_secrets else self.categories
        number, given = at_least_one(reports, "reports"), shares_of(names, shares)
        asked = Asked(trust, 0, confidence, simultaneous)
        return prediction(_core.predict(self._core, number, given, asked.core()))


Readback.__module__ = "lookalike"
