"""Profiles from records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import _lookalike as _core
from ._base import Progress
from ._data import check_pairs, take
from ._graph import SecretGraph
from ._numbers import Number, key, text


@dataclass(frozen=True)
class Fitted:
    """Profiles that were fitted to records. They become public with the mechanism, and ε does not cover what they tell."""

    rows: int
    """How many records there were."""
    categories: tuple[str, ...]
    """What a value can be."""
    bins: tuple[Fraction, ...] | None
    """The lower edges where the categories are bins."""
    profiles: dict[str, list[Fraction]]
    """The profiles as exact fractions, by name."""
    counts: dict[str, list[int]]
    """How many records of each category a profile has."""
    limits: dict[str, list[tuple[float, float]]]
    """How small and how large each probability may be, from the counts alone: not for release."""
    within: dict[str, list[tuple[Fraction, Fraction]]] | None
    """The same rounded outward, as the spec has them; ``None`` where the profiles are trusted."""
    limits_basis: dict[str, Any] | None
    """How sure the limits are: ``confidence`` and whom it ``holds_for``; ``None`` where nothing can be stated."""
    groups: dict[str, list[str]]
    """The groups of profiles."""
    small: tuple[str, ...]
    """Profiles with too few records, which were left out or made one."""
    spec: str = field(repr=False)
    """The spec as TOML, as ``lookalike fit`` writes it."""
    limits_csv: str = field(repr=False)
    """The limits as a table for ``Mechanism.certify_within``."""

    def graph(
        self,
        edges: Any = (),
        *,
        groups: Mapping[Any, Any] | None = None,
        shape: str | None = None,
        epsilon: Number | None = None,
    ) -> SecretGraph:
        """The profiles with what must look alike: by default the groups or the shape of the fit."""
        if edges == () and groups is None and shape is None:
            if self._shape is None and not self.groups:
                return SecretGraph.from_spec(self.spec)
            groups, shape = self.groups or None, self._shape
        options: dict[str, Any] = {"categories": self.categories} if self.bins is None else {"bins": self.bins}
        if self.within is not None:
            options |= {"limits": self.within, "limits_basis": self.limits_basis}
        return SecretGraph(self.profiles, edges, groups=groups, shape=shape, epsilon=epsilon, **options)

    _shape: str | None = field(default=None, repr=False)


def fit(
    profiles: Any,
    values: Any,
    *,
    categories: Sequence[Any] | None = None,
    bins: Sequence[Number] | None = None,
    quantiles: int | None = None,
    public_data: bool = False,
    public_categories: bool = False,
    unknown: Any = None,
    groups: Any = None,
    roles: Any = None,
    shape: str | None = None,
    epsilon: Number | None = None,
    pseudo_count: Number = 0,
    minimum: int = 10,
    drop_small: bool = False,
    pool_small: str | None = None,
    confidence: Number = 0.95,
    simultaneous: bool = False,
    limits_grid: int = 1024,
    trust_profiles: bool = False,
    same_data: bool = False,
    progress: Progress = None,
) -> Fitted:
    """Profiles as exact fractions of the counts of records, with limits that say how wrong they may be.

    What a value can be is said by ``categories``, ``bins`` (lower edges), ``quantiles`` with ``public_data=True``, or
    ``public_categories=True``, which takes those found in the data and makes them public. ``groups`` and ``roles`` are
    columns as long as the records: profiles with the same group must look alike; all records of a role make one
    profile. ``shape`` is ``"complete"`` or ``"chain"``. A profile needs ``minimum`` records; ``drop_small``
    leaves the others out, ``pool_small="rest"`` makes them one profile.

    The limits of the two profiles of any one pair, chosen beforehand, hold with ``confidence``; with ``simultaneous`` those of all
    pairs at once. What is designed keeps its promise for every law within the limits, rounded outward to one part in
    ``limits_grid``; with ``trust_profiles`` for the profiles themselves only.
    With ``same_data`` these records will be released too, and no confidence is stated.

    >>> import lookalike
    >>> fitted = lookalike.fit(["ana", "bo"] * 10, ["idle"] * 10 + ["busy"] * 10, categories=["idle", "busy"], shape="complete")
    >>> fitted.profiles["ana"]
    [Fraction(1, 2), Fraction(1, 2)]
    >>> fitted.within["ana"][0]
    (Fraction(81, 512), Fraction(431, 512))
    >>> fitted.graph()
    SecretGraph(2 secrets, 2 categories, 1 pair)
    """
    given = (("profiles", profiles), ("values", values), ("groups", groups), ("roles", roles))
    check_pairs(*given)
    columns = [None if data is None else take(data, name)[0] for name, data in given]
    wishes = {
        "categories": None if categories is None else [key(name, "categories") for name in categories],
        "bins": None if bins is None else [text(edge, "bins") for edge in bins],
        "quantiles": quantiles,
        "public_data": public_data,
        "public_categories": public_categories,
        "unknown": None if unknown is None else key(unknown, "unknown"),
        "shape": shape,
        "epsilon": None if epsilon is None else text(epsilon, "epsilon"),
        "pseudo_count": text(pseudo_count, "pseudo_count"),
        "minimum": minimum,
        "drop_small": drop_small,
        "pool_small": pool_small,
        "confidence": text(confidence, "confidence"),
        "simultaneous": simultaneous,
        "limits_grid": limits_grid,
        "trust_profiles": trust_profiles,
        "same_data": same_data,
    }
    facts, spec, limits = _core.fit(columns, wishes, progress)
    found = json.loads(facts)
    items = found["profiles"]
    return Fitted(
        found["rows"],
        tuple(found["categories"]),
        tuple(map(Fraction, found["bins"])) if "bins" in found else None,
        {item["name"]: [Fraction(p) for p in item["probabilities"]] for item in items},
        {item["name"]: item["counts"] for item in items},
        {item["name"]: list(zip(item["lower"], item["upper"])) for item in items},
        None if trust_profiles else {item["name"]: [(Fraction(a), Fraction(b)) for a, b in item["limits"]] for item in items},
        found["limits_basis"],
        dict(found["groups"]),
        tuple(found["small"]),
        spec,
        limits,
        shape,
    )
