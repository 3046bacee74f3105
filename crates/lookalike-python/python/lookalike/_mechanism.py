"""Channels between categories."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, overload

from . import _lookalike as _core
from ._base import Claim, Progress
from ._certificate import Certificate, Delta, certificate, delta
from ._data import take
from ._errors import InputError, PrivacyError, PrivacyWarning
from ._estimate import Estimate, Prediction, estimated, prediction
from ._graph import SecretGraph
from ._numbers import Number, at_least_one, key, seed_of, shares_of, text


class Mechanism(Claim):
    """A mechanism over categories: ``design`` makes one, ``load`` reads one.

    ``kind`` is ``"aware"`` (a channel for each profile), ``"shared"`` (one channel for all profiles) or ``"point"``
    (the values themselves are the secrets).

    >>> import lookalike
    >>> graph = lookalike.SecretGraph.values(["no", "yes"])
    >>> mech = lookalike.design(graph, epsilon="ln(3)", mechanism="k-rr")
    >>> mech
    Mechanism(k-rr, point, 2 categories, epsilon ln(3))
    >>> mech.matrix()
    [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    >>> mech.certify().edges
    1
    >>> mech.privatize(["no", "yes", "yes"], seed=1)
    ['no', 'no', 'no']
    """

    __slots__ = ("_report",)

    _core: _core.Mechanism
    _report: dict[str, Any]

    @property
    def categories(self) -> list[str]:
        """What a value can be, in order."""
        return self._core.categories

    @property
    def outputs(self) -> list[str]:
        """What can be released, in order."""
        return self._core.outputs

    @property
    def secrets(self) -> list[str]:
        """The names of the secrets: profiles, or the categories themselves."""
        return self._core.secrets

    @property
    def profiles(self) -> dict[str, list[Fraction]]:
        """The probabilities of the categories for each secret, exactly."""
        return {name: [Fraction(p) for p in self._core.profile(name)] for name in self.secrets}

    @property
    def objective(self) -> dict[str, Any] | None:
        """What the design reached: ``name``, ``value``, ``lower_bound``, ``gap`` and ``tie_break``."""
        found = self._core.objective
        return None if found is None else json.loads(found)

    @property
    def report(self) -> dict[str, Any]:
        """What ``design`` found beside the mechanism: the baseline of local DP, the algorithm, what set the optimum.

        Empty for a mechanism that was loaded: the file has only ``objective``.
        """
        return getattr(self, "_report", {})

    def channel(self, profile: Any = None) -> list[list[Fraction]]:
        """The probabilities of the outputs (columns) for each category (rows) under a profile, exactly.

        Where there is one channel for all, no profile is needed.
        """
        rows, scale = self._core.weights(None if profile is None else key(profile, "profile"))
        return [[Fraction(weight, scale) for weight in row] for row in rows]

    def matrix(self, profile: Any = None, *, dtype: Any = None) -> Any:
        """The same; with ``dtype=float`` as a numpy array of the nearest doubles."""
        rows = self.channel(profile)
        if dtype is None:
            return rows
        import numpy as np

        return np.array([[float(p) for p in row] for row in rows], dtype=dtype)

    def output_law(self, secret: Any) -> list[Fraction]:
        """The probability of each output for a secret, exactly."""
        return [Fraction(p) for p in self._core.output_law(key(secret, "secret"))]

    def delta_at(self, epsilon: Number) -> Delta:
        """The least δ with which every pair is (ε, δ)-indistinguishable, for an ε above 0.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> mech.delta_at("ln(2)").exact
        Fraction(1, 4)
        """
        return delta(self._core.delta_at(text(epsilon, "epsilon")))

    def certify(self, graph: SecretGraph | None = None) -> Certificate:
        """The facts of the proof that the mechanism keeps its claim, and with a ``graph`` that it claims no less.

        The graph has its own budgets, or that given when it was made. Raises ``PrivacyError`` with the witness if the
        claim is false, or less than the graph asks for. The proof is made once for each object.
        """
        facts = super().certify()
        if graph is not None:
            shortfall = graph._with(None, {})[0].shortfall(self._core)
            if shortfall is not None:
                raise PrivacyError(f"claims less than the graph asks for: {shortfall}")
        return facts

    def certify_within(self, limits: str | os.PathLike[str]) -> Certificate:
        """How private the mechanism is if every profile lies anywhere within its limits.

        ``limits`` is a file as ``lookalike fit --limits`` writes it; ``Fitted.limits_csv`` is its text. The true ε is at
        most ``upper``; ``None`` stands for infinite. It may be larger than the claim, which is about the profiles
        as they are.
        """
        return certificate(self._core.within(os.fspath(limits)))

    def export(self, profile: Any = None) -> str:
        """What the device of one profile needs and nothing more, as JSON: its own channel, without a name or a profile."""
        if self.kind == "aware" and profile is None:
            raise InputError("profile is missing: every profile has its own channel")
        return self._core.device(None if profile is None else key(profile, "profile"))

    def privatize(
        self,
        profiles: Any,
        values: Any = None,
        *,
        seed: int | None = None,
        unknown: Any = None,
        progress: Progress = None,
    ) -> Any:
        """Releases values, one for each record, in the kind in which they came.

        ``privatize(profiles, values)`` where each profile has its channel, ``privatize(values)`` otherwise. The data are
        lists, numpy arrays, or anything that speaks the Arrow PyCapsule interface. ``unknown`` is a category that takes
        the place of values that are none; without it they are an error. The order of the rows is kept.

        With a ``seed`` the output is reproducible, and the same as that of the command line; it is then not private:
        whoever knows the seed can undo the noise.
        """
        if self.kind == "aware":
            if values is None:
                raise InputError("values are missing: each profile has its channel, expected privatize(profiles, values)")
            profile_data, _ = take(profiles, "profiles")
        else:
            if values is not None:
                raise InputError("profiles, but there is one channel for all: expected privatize(values)")
            profile_data, values = None, profiles
        data, restore = take(values, "values")
        unknown = None if unknown is None else key(unknown, "unknown")
        released, by_profile = self._core.privatize(profile_data, data, seed_of(seed), unknown, progress)
        if by_profile:
            warnings.warn(
                "the rows were sorted by profile, so their order reveals it (shuffle them before they are released)",
                PrivacyWarning,
                stacklevel=2,
            )
        return restore(released)

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
        """The shares of the true values, read back from privatized outputs: an ``Estimate`` with intervals.

        With ``by``, a public column as long as the outputs, a dict with an ``Estimate`` for each of its values. The
        intervals cover the truth with the given confidence each, or all at once if ``simultaneous``.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> estimate = mech.estimate(["no"] * 600 + ["yes"] * 400)
        >>> round(estimate["yes"].share, 12)
        0.3
        """
        return estimated(self._core, outputs, by, confidence, simultaneous, progress)

    def predict(self, reports: int, shares: Mapping[Any, float] | None = None) -> Prediction:
        """The errors to expect of the shares estimated from so many reports.

        ``shares`` says how frequent the secrets are (the categories where there is one channel for all); by default all
        equally.

        >>> import lookalike
        >>> mech = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
        >>> round(mech.predict(10_000).errors["yes"], 5)
        0.01
        """
        names = self.secrets if self.kind == "aware" else self.categories
        return prediction(_core.predict(self._core, at_least_one(reports, "reports"), shares_of(names, shares)))

    def then(self, other: Mechanism) -> Mechanism:
        """This mechanism with another one after it, on its outputs: post-processing, which never costs privacy.

        The other has one channel for all. The product is rounded to multiples of 2^-53 where it has to be, and proved.
        """
        if not isinstance(other, Mechanism):
            raise TypeError(f"then: a {type(other).__name__}, expected a Mechanism")
        return Mechanism._of(self._core.then(other._core))

    def plot(self, profile: Any = None, *, ax: Any = None) -> Any:
        """A heat map of the channel, with matplotlib; returns its axes. ``pip install lookalike[plot]``."""
        from ._plot import heat_map

        return heat_map(self, profile, ax)

    def __repr__(self) -> str:
        name, kind = self.name or "mechanism", self.kind
        secrets = "" if kind == "point" else f"{len(self.secrets)} secrets, "
        return f"Mechanism({name}, {kind}, {secrets}{len(self.categories)} categories, epsilon {self.epsilon_text})"

    def _repr_html_(self) -> str:
        from ._html import mechanism_html

        return mechanism_html(self)
