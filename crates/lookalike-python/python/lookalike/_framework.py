"""Frameworks: secrets, pairs that must look alike, and laws that the data may have come from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._errors import InputError
from ._graph import SecretGraph
from ._mechanism import Mechanism
from ._noise import Noise
from ._numbers import Number, key, text


class Framework:
    """A Pufferfish framework: secrets, pairs of them that must look alike, and laws that the data may have come from.

    ``laws`` has for every law its name and what it says of the query given each secret: a list of probabilities of
    the ``values``. Secrets that a law does not name, or gives ``None``, are impossible under it. ``values`` are ascending
    numbers or names, by default 0, 1, …. Which secrets must look alike is said by ``edges``, ``groups`` and ``shape`` as
    in a ``SecretGraph``; by default every two must. A pair is protected under each law that allows both.

    >>> import lookalike
    >>> flu = {"ana is well": [0.2, 0.225, 0.5, 0.075, 0], "ana is ill": [0, 0.075, 0.5, 0.225, 0.2]}
    >>> framework = lookalike.pufferfish.Framework({"flu": flu}, epsilon="ln(3)")
    >>> framework
    Framework(2 secrets, 1 law, 5 values)
    >>> mech = lookalike.design(framework.graph(), channel="shared")
    >>> mech.certify().epsilon_text
    'ln(3)'
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        laws: Mapping[Any, Mapping[Any, Sequence[Number] | None]],
        edges: Any = (),
        *,
        epsilon: Number,
        values: Sequence[Any] | None = None,
        groups: Mapping[Any, Any] | None = None,
        shape: str | None = None,
    ) -> None:
        if not isinstance(laws, Mapping) or not all(isinstance(given, Mapping) for given in laws.values()):
            raise TypeError("laws: expected for each law a mapping from secrets to probabilities")
        if not laws:
            raise InputError("laws: none, expected at least one that the data may have come from")
        secrets = list(dict.fromkeys(key(secret, "laws") for given in laws.values() for secret in given))
        listed = []
        for name, given in laws.items():
            rows = {key(secret, "laws"): law for secret, law in given.items()}
            place = f"laws: {name!r}"
            listed.append((key(name, "laws"), [_law(rows.get(secret), place) for secret in secrets]))
        widths = [len(law) for _, rows in listed for law in rows if law is not None]
        graph = SecretGraph.values(secrets, edges, groups=groups, shape=shape, epsilon=epsilon)
        self._begin({"graph": graph, "query": _values(values, max(widths, default=1)), "laws": listed})

    @classmethod
    def joint(
        cls,
        points: Sequence[tuple[Any, Any]],
        laws: Mapping[Any, Sequence[Number]],
        edges: Any = (),
        *,
        epsilon: Number,
        values: Sequence[Any] | None = None,
        groups: Mapping[Any, Any] | None = None,
        shape: str | None = None,
    ) -> Framework:
        """The framework of joint laws over finitely many data sets.

        Each of the ``points`` is ``(secrets, value)``: the secret that is true of it, or a list of them, and what the query
        gives. ``laws`` has for every law the probabilities of the points.

        >>> import lookalike
        >>> points = [("well", 0), ("well", 1), ("ill", 1), ("ill", 2)]
        >>> framework = lookalike.pufferfish.Framework.joint(points, {"copy": [0.4, 0.1, 0.1, 0.4]}, epsilon=1)
        >>> framework.graph().secrets
        ['well', 'ill']
        """
        named = [([key(item, "points") for item in _several(true)], value) for true, value in points]
        secrets = list(dict.fromkeys(secret for true, _ in named for secret in true))
        if values is None:
            if len({isinstance(value, str) for _, value in named}) == 2:
                raise InputError("points: names and numbers among the values of the query, expected one of the two")
            values = sorted({value for _, value in named})
        query = _values(values, len(values))
        places = {name: place for place, name in enumerate(query[0])}
        listed = []
        for true, value in named:
            same_kind = isinstance(value, str) != query[1]
            place = places.get(_values([value], 1)[0][0]) if same_kind else None
            if place is None:
                raise InputError(f"points: {value!r} is not one of the values")
            listed.append((true, place))
        graph = SecretGraph.values(secrets, edges, groups=groups, shape=shape, epsilon=epsilon)
        rows = [(key(name, "laws"), [text(p, f"laws: {name!r}") for p in law]) for name, law in laws.items()]
        made = cls.__new__(cls)
        made._begin({"graph": graph, "query": query, "points": listed, "laws": rows})
        return made

    _parts: dict[str, Any]
    _core: _core.Framework

    def _begin(self, parts: dict[str, Any]) -> None:
        self._parts = parts
        problem, _ = parts["graph"]._with(None, {})
        names, numbers = parts["query"]
        if "points" in parts:
            self._core = _core.Framework.from_joint(problem, names, numbers, parts["points"], parts["laws"])
        else:
            self._core = _core.Framework(problem, names, numbers, parts["laws"])

    @property
    def secrets(self) -> list[str]:
        """The names of the secrets, in order."""
        found: SecretGraph = self._parts["graph"]
        return found.secrets

    @property
    def laws(self) -> list[str]:
        """The names of the laws."""
        return [name for name, _ in self._parts["laws"]]

    @property
    def values(self) -> list[str]:
        """What the query can give, as texts."""
        return list(self._parts["query"][0])

    def graph(self) -> SecretGraph:
        """The ordinary graph over every secret and law that allows it, for ``design(..., channel="shared")``.

        What certifies against it is private in the framework. With several laws a secret is called ``"secret | law"``.
        """
        profiles, edges, groups = self._core.graph()
        names = [name for name, _, _ in groups]
        repeats = len(set(names)) < len(names)
        numbered = {
            f"{name} {place}" if repeats else name: {"members": members, "epsilon": epsilon}
            for place, (name, members, epsilon) in enumerate(groups, 1)
        }
        return SecretGraph(dict(profiles), edges, groups=numbered or None, categories=self.values)

    def __repr__(self) -> str:
        secrets, laws, values = len(self.secrets), len(self.laws), len(self.values)
        return f"Framework({secrets} secret{'s' * (secrets != 1)}, {laws} law{'s' * (laws != 1)}, {values} values)"

    def __eq__(self, other: object) -> bool:
        return self._parts == other._parts if isinstance(other, Framework) else NotImplemented

    def __getstate__(self) -> dict[str, Any]:
        return self._parts

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self._begin(parts)


@dataclass(frozen=True)
class Wasserstein:
    """How far the secrets of a framework move its query."""

    distance: Fraction
    """W, the largest distance over pairs and laws."""
    pair: tuple[str, str]
    """The pair that is moved so far."""
    law: str
    """The law under which it is."""
    by_epsilon: dict[str, Fraction]
    """The largest distance among the pairs of each ε."""
    span: Fraction
    """The distance between the least and the largest possible value: what group privacy would have to hide."""
    framework: Framework
    """The framework."""

    def noise(self, grid: Number = 1) -> Noise:
        """The least noise on a grid that keeps every pair within its ε, under every law."""
        return Noise._of(self.framework._core.noise(text(grid, "grid")))


def wasserstein(framework: Framework) -> Wasserstein:
    """How far the secrets move the query, exactly, and so the noise that hides them.

    >>> import lookalike
    >>> flu = {"ana is well": [0.2, 0.225, 0.5, 0.075, 0], "ana is ill": [0, 0.075, 0.5, 0.225, 0.2]}
    >>> found = lookalike.pufferfish.wasserstein(lookalike.pufferfish.Framework({"flu": flu}, epsilon=1))
    >>> found.distance, found.span
    (Fraction(2, 1), Fraction(4, 1))
    >>> found.noise()
    Noise(wasserstein, epsilon 1, sensitivity 2, grid 1)
    """
    if not isinstance(framework, Framework):
        raise TypeError(f"framework: a {type(framework).__name__}, expected a Framework")
    facts, span = framework._core.wasserstein()
    found = json.loads(facts)
    return Wasserstein(
        Fraction(found["distance"]),
        (found["pair"][0], found["pair"][1]),
        found["law"],
        {item["epsilon_text"]: Fraction(item["distance"]) for item in found["by_epsilon"]},
        Fraction(span),
        framework,
    )


@dataclass(frozen=True)
class Learned:
    """How far one release can raise the belief in one secret rather than another."""

    pair: tuple[str, str]
    """Belief in the first rather than the second."""
    prior: Fraction
    """The belief before the release."""
    promised: Fraction | None
    """The most that ε allows; ``None`` where the pair need not look alike."""
    achieved: Fraction
    """The most that the mechanism lets an adversary believe after any output."""


def learned(
    mechanism: Mechanism | Noise,
    pair: tuple[Any, Any] | None = None,
    prior: Number = "1/2",
    *,
    framework: Framework | None = None,
    law: Any = None,
) -> Learned:
    """What an adversary can learn at most about a pair, and what a mechanism really lets it learn.

    Without a ``pair`` it is the one about which the mechanism tells the most. Noise on the query of a ``framework`` needs
    that, a pair, and the ``law`` that the adversary believes in where there are several.

    >>> import lookalike
    >>> warner = lookalike.local.oracle("k-rr", ["no", "yes"], epsilon="ln(3)")
    >>> lookalike.pufferfish.learned(warner, ("yes", "no"), prior=0.5)
    Learned(pair=('yes', 'no'), prior=Fraction(1, 2), promised=Fraction(3, 4), achieved=Fraction(3, 4))
    """
    names = None if pair is None else _pair(pair)
    belief = text(prior, "prior")
    if isinstance(mechanism, Noise):
        if framework is None or names is None:
            raise InputError("noise says nothing of secrets by itself, expected a framework and a pair")
        if law is None and len(framework.laws) != 1:
            raise InputError("law is missing: expected the name of one of the laws of the framework")
        chosen = framework.laws[0] if law is None else key(law, "law")
        facts = _core.pufferfish_learned_from_noise(framework._core, mechanism._core, chosen, names, belief)
    elif isinstance(mechanism, Mechanism):
        facts = _core.pufferfish_learned(mechanism._core, names, belief)
    else:
        raise TypeError(f"mechanism: a {type(mechanism).__name__}, expected a Mechanism or a Noise")
    (first, second), before, promised, achieved = facts
    most = None if promised is None else Fraction(promised)
    return Learned((first, second), Fraction(before), most, Fraction(achieved))


def _pair(pair: tuple[Any, Any]) -> tuple[str, str]:
    names = [key(name, "pair") for name in pair]
    if len(names) != 2:
        raise InputError(f"pair: {len(names)} secrets, expected two")
    return names[0], names[1]


def _law(law: Sequence[Number] | None, place: str) -> list[str] | None:
    return None if law is None else [text(p, place) for p in law]


def _several(true: Any) -> list[Any]:
    return list(true) if isinstance(true, (list, tuple, set, frozenset)) else [true]


def _values(values: Sequence[Any] | None, count: int) -> tuple[list[str], bool]:
    """The texts of the query's values, and whether they are numbers."""
    if values is None:
        return [str(place) for place in range(count)], True
    if any(isinstance(value, str) for value in values):
        return [key(value, "values") for value in values], False
    return [str(Fraction(text(value, "values"))) for value in values], True


for _class in (Framework, Wasserstein, Learned):
    _class.__module__ = "lookalike.pufferfish"
